//! What the state of a message makes of its fields, in the meaning column of the tree.

use kafscope::render::{Cut, Wording, columns};
use serde_json::{Value as Json, json};

use crate::payload::{decoded, encoded};

fn meaning(message: &str, version: i16, values: &Json, path: &str) -> String {
    let (tree, _) = decoded(message, version, &encoded(message, version, values));
    let id = tree.nodes().find(|&id| tree.path(id) == path).unwrap();
    columns(&tree, id, Wording::Counted, Cut::Wide)
        .unwrap()
        .meaning
}

#[test]
fn the_fields_around_one_decide() {
    let partition = |code| {
        json!({"Responses": [{"Name": "t", "PartitionResponses": [
            {"Index": 0, "ErrorCode": 0, "BaseOffset": 5},
            {"Index": 1, "ErrorCode": code, "BaseOffset": -1}]}]})
    };
    let offset = |code, idx| {
        let path = format!("Responses[0].PartitionResponses[{idx}].BaseOffset");
        meaning("ProduceResponse", 9, &partition(code), &path)
    };
    // The error of one partition is none of the other's business.
    assert!(!offset(6, 0).starts_with("means nothing"));
    assert!(offset(6, 1).starts_with("means nothing beside an error; "));
    assert!(!offset(0, 1).starts_with("means nothing"));
}

#[test]
fn fields_above_and_tagged_ones_count() {
    let fetch = |replica| {
        json!({"ReplicaId": replica, "Topics": [{"Topic": "t", "Partitions": [
            {"Partition": 0, "LogStartOffset": 3}]}]})
    };
    let start = "Topics[0].Partitions[0].LogStartOffset";
    let start = |replica| meaning("FetchRequest", 11, &fetch(replica), start);
    assert!(start(-1).starts_with("ignored: only followers report it; "));
    assert!(!start(2).starts_with("ignored"));
    let features = |epoch| {
        let values = json!({"FinalizedFeaturesEpoch": epoch, "FinalizedFeatures": [
            {"Name": "metadata.version", "MaxVersionLevel": 1, "MinVersionLevel": 1}]});
        meaning("ApiVersionsResponse", 3, &values, "FinalizedFeatures")
    };
    // The epoch is not sent when it is -1.
    assert!(!features(4).starts_with("means nothing"));
    let topics = meaning("MetadataRequest", 12, &json!({"Topics": []}), "Topics");
    assert!(topics.starts_with("no topics: brokers only"));
    let topics = meaning("MetadataRequest", 12, &json!({"Topics": null}), "Topics");
    assert!(!topics.starts_with("no topics"));
}
