//! Record batches and the message sets before them, byte by byte.

use std::fmt::{self, Write};

use serde_json::{Value as Json, json};

use super::paragraph;
use crate::{
    decode::record_set,
    encode::records,
    event::n_bytes,
    render::{Cut, Fact, Sheet, Wording, html::message},
    schema::Direction,
    site::map::SiteMap,
    tree::Builder,
};

/// When the record was made, in milliseconds since 1970.
const TIME: i64 = 1_790_000_000_000;

pub(super) fn section(out: &mut String, _: &SiteMap) -> fmt::Result {
    paragraph(
        out,
        "Produce requests and fetch responses carry records as they lie in the log. Since Kafka 0.11 they \
         come in batches of magic 2 (KIP-98): 61 bytes once for the batch, and in each record only \
         what differs, as varints. The checksum, CRC-32C, is over everything from the attributes on, so \
         that a broker can set offset and leader epoch without touching it. If the batch is compressed, \
         the records behind their count are, as one piece. A fetch response may end within a batch, \
         which is then left over.",
    )?;
    sheet(
        out,
        "batch",
        "A batch of magic 2 with one record",
        &json!([{
            "base_offset": 42, "partition_leader_epoch": 7, "magic": 2, "base_timestamp": TIME,
            "records": [{
                "offset": 42, "timestamp": TIME, "key": hex("4711"), "value": hex("paid"),
                "headers": [{ "key": "trace", "value": hex("a1") }],
            }],
        }]),
    )?;
    paragraph(
        out,
        "Before that, a log was a set of messages one behind the other, each with its offset, its size and \
         a CRC-32 over what follows it. Magic 1 (KIP-32) has a time, magic 0 has none. The value of a \
         compressed message is a message set itself; in magic 1 its offsets count from its first.",
    )?;
    for magic in [1, 0] {
        let mut record = json!({ "offset": 42, "key": hex("4711"), "value": hex("paid") });
        if magic > 0
            && let Some(object) = record.as_object_mut()
        {
            object.insert("timestamp".into(), TIME.into());
        }
        sheet(
            out,
            &format!("magic{magic}"),
            &format!("A message of magic {magic}"),
            &json!([{ "magic": magic, "records": [record] }]),
        )?;
    }
    writeln!(
        out,
        "<p class=\"prose\">The lowest three bits of the attributes are the compression: 0 none, 1 gzip, 2 \
         snappy, 3 lz4, 4 zstd. Bit 3 says that times are those of appending; bits 4 and 5, in batches, \
         that it is part of a transaction, and that it holds control records; bit 6, that the base \
         time is when tombstones may go.</p>"
    )
}

fn sheet(out: &mut String, anchor: &str, title: &str, batches: &Json) -> fmt::Result {
    // Values that the program has made are in order.
    let bytes = records(batches).unwrap_or_default();
    let size = bytes.len();
    let (tree, ()) = Builder::build(bytes, |bytes, sink| {
        record_set(Direction::Request, bytes, sink);
    });
    let sheet = Sheet {
        tree: &tree,
        title: title.to_owned(),
        facts: vec![Fact::new("Size", n_bytes(size as u64))],
        anchor: anchor.to_owned(),
        wording: Wording::Counted,
        cut: Cut::Wide,
        places: None,
    };
    message(out, &sheet, 3)
}

fn hex(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02x}")).collect()
}
