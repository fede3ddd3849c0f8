//! What JSON says of messages that are not what they should be: nothing lost, nothing misnamed.

use serde_json::{Value as Json, json};

use crate::program::kafscope;

fn decoded(hex: &str, args: &[&str]) -> Json {
    let run = kafscope(&[&["decode", "--json"], args].concat(), hex);
    serde_json::from_str(run.stdout.lines().next().expect("a line")).unwrap()
}

/// ApiVersions 3 with one tag of the response, FinalizedFeaturesEpoch (int64), as said.
fn with_tag(tag: &str) -> Json {
    decoded(
        &format!("0000 01 00000000 {tag}"),
        &["--as", "ApiVersionsResponse:3"],
    )
}

#[test]
fn tags_that_cannot_be_read_are_kept() {
    let whole = with_tag("01 01 08 0000000000000007");
    assert_eq!(whole["value"]["FinalizedFeaturesEpoch"], json!(7));
    let short = with_tag("01 01 03 000007");
    assert_eq!(short["value"]["_unknown"], json!({"1": "000007"}));
    assert_eq!(
        short["problems"][0]["path"],
        json!("FinalizedFeaturesEpoch")
    );
    let long = with_tag("01 01 09 000000000000000755");
    assert_eq!(long["value"]["FinalizedFeaturesEpoch"], json!(7));
    assert_eq!(long["value"]["_undecoded"], json!("55"));
    let unknown = with_tag("01 63 02 abcd");
    assert_eq!(unknown["value"]["_unknown"], json!({"99": "abcd"}));
    assert_eq!(unknown["problems"], json!([]));
}

#[test]
fn unknown_apis_and_versions_keep_their_header_and_bytes() {
    let version = decoded("0000000c 0003 0063 00000008 ffff 00 aa", &[]);
    assert_eq!(version["correlation_id"], json!(8));
    assert_eq!(version["problems"][0]["code"], json!("unknown-version"));
    assert_eq!(version["value"], json!({"_undecoded": "aa"}));
    let api = decoded("0000000c 03e7 0000 00000007 ffff aabb", &[]);
    assert_eq!(api["api"], Json::Null);
    assert_eq!(api["problems"][0]["code"], json!("unknown-api"));
    assert_eq!(api["value"], json!({"_undecoded": "aabb"}));
}

#[test]
fn problems_point_at_the_paste() {
    let json = decoded("\n  0000000b 002a 0002 00000007 0002 6d65 00\n", &[]);
    assert_eq!(json["problems"][0]["line"], json!(2));
}
