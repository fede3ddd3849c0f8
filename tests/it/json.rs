//! What JSON says of messages that are not what they should be: nothing lost, nothing misnamed.

use kafscope::{
    decode::log,
    encode,
    render::{Head, JsonLine, write_json},
    tree::Builder,
};
use serde_json::{Value as Json, json};

use crate::{
    batches::{Batch, message},
    program::kafscope,
    records::decode,
};

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

/// How much came, and the most at once.
#[derive(Default)]
struct Largest {
    most: usize,
    all: usize,
}

impl std::io::Write for Largest {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.most = self.most.max(bytes.len());
        self.all += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn large_values_are_written_in_pieces() {
    let batch = Batch::new(0, 0).record(0, None, Some(&vec![b'x'; 4 << 20]), &[]);
    let (tree, ()) = Builder::build(batch.bytes(), log);
    let line = JsonLine::new(&tree, &Head::Records);
    let mut out = Largest::default();
    write_json(&mut out, &line).unwrap();
    assert!(out.all > 8 << 20);
    assert!(out.most <= 1 << 14, "{}", out.most);
}

#[test]
fn an_entry_that_ends_between_fields_is_no_empty_set() {
    let whole = message(1, 1, Some(0), None, Some(b"not compressed"));
    // Offset, size, checksum, magic and attributes.
    let (_, json) = decode(&whole[..18]);
    assert_eq!(json[0]["records"], json!([]));
    assert_eq!(json[0]["_undecoded"], json!(""));
    assert!(encode::records(&json).is_err());
}
