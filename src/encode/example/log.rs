//! Records of an example: two orders, in the format that the version of the message asks for.

use serde_json::{Value as Json, json};

use super::{Writer, body, example, hex};
use crate::schema::{Catalogue, Plan, record_format};

/// When the first record was made, in milliseconds since 1970.
const TIME: i64 = 1_790_000_000_000;

/// Key and value of each record.
const RECORDS: [(&str, &str); 2] = [
    ("4711", r#"{"order":4711,"total":"19.90"}"#),
    ("4712", r#"{"order":4712,"total":"7.25"}"#),
];

/// The content of a records field of `plan`, from `offset` on.
pub(super) fn records(plan: &Plan, offset: i64) -> Json {
    let format = record_format(plan);
    let items = RECORDS.iter().zip(0..).map(|(&(key, value), n)| {
        let mut item = json!({
            "offset": offset + n,
            "key": hex(key.as_bytes()),
            "value": hex(value.as_bytes()),
        });
        if format > 0
            && let Some(object) = item.as_object_mut()
        {
            object.insert("timestamp".into(), (TIME + 15 * n).into());
        }
        item
    });
    if format < 2 {
        let entries = items.map(|message| json!({ "magic": format, "records": [message] }));
        return entries.collect();
    }
    json!([{
        "base_offset": offset,
        "partition_leader_epoch": if offset == 0 { -1 } else { 7 },
        "magic": 2,
        "base_timestamp": TIME,
        "records": items.collect::<Vec<_>>(),
    }])
}

/// A batch with one record of the metadata log: frame version, type and version in front of it.
pub(super) fn metadata(catalogue: &'static Catalogue, name: &str) -> Json {
    const FRAME_VERSION: u64 = 1;
    let newest = catalogue
        .definition(name)
        .and_then(Result::ok)
        .map_or(0, |definition| definition.newest());
    let Some(plan) = catalogue.plan(name, newest) else {
        return json!([]);
    };
    let mut writer = Writer::default();
    writer.uvarint(FRAME_VERSION);
    for number in [plan.api_key.unwrap_or_default(), newest] {
        writer.uvarint(u64::from(number.cast_unsigned()));
    }
    writer.raw(&body(plan, &example(plan)).unwrap_or_default());
    json!([{
        "base_offset": 0,
        "partition_leader_epoch": 0,
        "magic": 2,
        "base_timestamp": TIME,
        "records": [{ "offset": 0, "timestamp": TIME, "key": null, "value": hex(&writer.into_bytes()) }],
    }])
}
