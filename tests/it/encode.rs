//! Values to bytes and back: over all messages and versions, and over record batches of every kind.

use kafscope::{
    decode::{Lead, structure},
    encode::{body, example, records, smallest},
    event::{Code, Prefix, Severity, Value},
    records::{Attributes, Codec},
    render::{Head, json_message},
    schema::{ApiKey, Catalogue, Direction, FieldPlan, Kind, Plan, StructPlan, TypePlan},
    tree::{Builder, Found, Tree},
};
use proptest::prelude::*;
use serde_json::{Map, Value as Json, json};

use crate::{
    batches::{Batch, CODECS, captured, compress, message, number},
    program::kafscope,
    records::decode,
};

/// A body as `decode --json` prints it, and how many problems it has.
fn decoded(plan: &'static Plan, bytes: &[u8]) -> (Json, usize) {
    let (tree, ()) = Builder::build(bytes.to_vec(), |bytes, sink| {
        structure(plan, Lead::None, bytes, sink);
    });
    let line = json_message(&tree, &Head::Structure(plan));
    (
        line["value"].clone(),
        line["problems"].as_array().unwrap().len(),
    )
}

/// A source of values that are legal but of no sense.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31) % sides
    }

    fn integer(&mut self, min: i64, max: i64) -> Json {
        let any = i128::from(min)
            + i128::from(self.roll(u64::MAX)) % (i128::from(max) - i128::from(min) + 1);
        match self.roll(5) {
            0 => min,
            1 => max,
            2 => 0,
            _ => any as i64,
        }
        .into()
    }

    fn hex(&mut self) -> Json {
        let bytes = (0..self.roll(5)).map(|_| format!("{:02x}", self.roll(256)));
        bytes.collect::<Vec<_>>().concat().into()
    }

    fn text(&mut self) -> Json {
        ["", "a", "orders", "é\u{1f98a}\n", &"x".repeat(200)][self.roll(5) as usize].into()
    }

    fn structure(&mut self, plan: &'static StructPlan) -> Json {
        let mut object = Map::new();
        for field in &plan.fields {
            object.insert(field.node.name.into(), self.field(field));
        }
        if plan.flexible {
            for (_, field) in &plan.tagged {
                if self.roll(2) == 0 {
                    object.insert(field.node.name.into(), self.field(field));
                }
            }
            if self.roll(4) == 0 {
                let tags = [(1000 + self.roll(7)).to_string(), (1u64 << 20).to_string()];
                let unknown: Map<_, _> = tags.map(|tag| (tag, self.hex())).into_iter().collect();
                object.insert("_unknown".into(), unknown.into());
            }
        }
        object.into()
    }

    fn field(&mut self, plan: &'static FieldPlan) -> Json {
        if plan.nullable && self.roll(4) == 0 {
            return Json::Null;
        }
        match &plan.ty {
            TypePlan::Bool => (self.roll(2) == 0).into(),
            TypePlan::Int8 => self.integer(i8::MIN.into(), i8::MAX.into()),
            TypePlan::Int16 => self.integer(i16::MIN.into(), i16::MAX.into()),
            TypePlan::Uint16 => self.integer(0, u16::MAX.into()),
            TypePlan::Int32 => self.integer(i32::MIN.into(), i32::MAX.into()),
            TypePlan::Uint32 => self.integer(0, u32::MAX.into()),
            TypePlan::Int64 => self.integer(i64::MIN, i64::MAX),
            TypePlan::Float64 => {
                [json!(0.5), json!(-1e300), json!("inf")][self.roll(3) as usize].clone()
            }
            TypePlan::Uuid => {
                let (high, low) = (self.roll(u64::MAX), self.roll(u64::MAX));
                uuid::Uuid::from_u64_pair(high, low).to_string().into()
            }
            TypePlan::String => self.text(),
            TypePlan::Bytes => self.hex(),
            TypePlan::Records => (0..self.roll(3)).map(|_| self.entry()).collect(),
            TypePlan::Struct(structure) => self.structure(structure),
            TypePlan::Array(element) => (0..self.roll(3)).map(|_| self.field(element)).collect(),
        }
    }

    /// A batch or message set entry with no more than it needs, in any format and codec.
    fn entry(&mut self) -> Json {
        let magic = self.roll(3);
        let codec = self.roll(if magic == 2 { 5 } else { 4 });
        let is_marked = magic == 2 && codec == 0 && self.roll(4) == 0;
        let n = match (magic, codec) {
            (0 | 1, 0) => 1,
            (0 | 1, _) => 1 + self.roll(4),
            _ => self.roll(5),
        };
        let mut offset = self.roll(1 << 40);
        let mut records = Vec::new();
        for _ in 0..n {
            let mut record = json!({
                "offset": offset,
                "timestamp": 1_700_000_000_000 + self.roll(1 << 34),
                "key": self.optional(Dice::hex),
                "value": self.optional(Dice::hex),
                "headers": [],
            });
            offset += 1 + self.roll(3);
            match magic {
                0 => record["timestamp"] = Json::Null,
                1 => {}
                _ => record["headers"] = self.headers(),
            }
            if is_marked {
                record["key"] = "00000001".into();
                record["control"] = "commit".into();
            }
            records.push(record);
        }
        let bits = [0, 0x10, 0x40][self.roll(3) as usize];
        let attributes = codec | if magic == 2 { bits } else { 0 } | u64::from(is_marked) << 5;
        json!({"magic": magic, "attributes": attributes, "records": records})
    }

    fn headers(&mut self) -> Json {
        (0..self.roll(3))
            .map(|_| json!({"key": self.text(), "value": self.optional(Dice::hex)}))
            .collect()
    }

    fn optional(&mut self, value: fn(&mut Dice) -> Json) -> Json {
        match self.roll(4) {
            0 => Json::Null,
            _ => value(self),
        }
    }
}

/// Whether `got` says all that `want` says. Decoding adds to records what was computed.
fn covers(want: &Json, got: &Json) -> bool {
    match (want, got) {
        (Json::Object(want), Json::Object(got)) => want
            .iter()
            .all(|(key, want)| got.get(key).is_some_and(|got| covers(want, got))),
        (Json::Array(want), Json::Array(got)) => {
            want.len() == got.len() && want.iter().zip(got).all(|(want, got)| covers(want, got))
        }
        _ => want == got,
    }
}

/// All messages in all versions.
fn plans() -> impl Iterator<Item = &'static Plan> {
    let catalogue = Catalogue::current();
    catalogue.names().flat_map(|name| {
        let definition = catalogue.definition(name).unwrap().unwrap();
        let versions = definition.ever.iter();
        versions.map(|version| catalogue.plan(name, version).unwrap())
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, failure_persistence: None, ..Default::default() })]

    #[test]
    fn values_of_every_message_and_version_come_back(seed: u64) {
        let mut dice = Dice(seed);
        for plan in plans() {
            let value = dice.structure(&plan.body);
            let name = format!("{} {}", plan.name, plan.version);
            let bytes = body(plan, &value).unwrap_or_else(|error| panic!("{name}: {error}"));
            let (again, _) = decoded(plan, &bytes);
            prop_assert!(covers(&value, &again), "{name}\n want {value}\n got  {again}");
            // The same compressor gives the same bytes.
            prop_assert_eq!(body(plan, &again), Ok(bytes), "{}", name);
        }
    }

    #[test]
    fn batches_of_every_kind_come_back(seed: u64) {
        let mut dice = Dice(seed);
        for _ in 0..50 {
            let value = Json::Array(vec![dice.entry(), dice.entry()]);
            let bytes = records(&value).unwrap();
            let (tree, again) = decode(&bytes);
            prop_assert!(covers(&value, &again), "want {value}\n got  {again}");
            // Keys and values of control records are made of any bytes, which is remarked on; of
            // other records nothing is.
            let is_control = value.to_string().contains("\"control\":");
            let is_remark = |found: &Found| {
                let problem = &found.problem;
                is_control && problem.code == Code::Embedded && problem.severity == Severity::Note
            };
            prop_assert!(tree.problems().iter().all(is_remark), "{value}\n {:?}", tree.problems());
            check_round_trip(&bytes);
        }
    }

    #[test]
    fn bytes_that_decode_without_a_rest_come_back(seed: u64, flips in 1..3) {
        // Whatever is wrong in an uncompressed batch, its values say it, or that they do not.
        let mut dice = Dice(seed);
        for bytes in [plain().bytes(), [set(0), set(1)].concat()] {
            for _ in 0..20 {
                let mut bytes = bytes.clone();
                for _ in 0..flips {
                    let at = dice.roll(bytes.len() as u64) as usize;
                    bytes[at] ^= 1 << dice.roll(8);
                }
                let (tree, json) = decode(&bytes);
                if let Ok(again) = records(&json)
                    && !json.to_string().contains('\u{fffd}')
                    && !has_long_varints(&tree)
                    && json.as_array().unwrap().iter().all(is_plain)
                {
                    prop_assert_eq!(&again, &bytes, "{}", json);
                }
            }
        }
    }
}

/// Whether a varint takes more bytes than its value needs, which values do not tell.
fn has_long_varints(tree: &Tree) -> bool {
    let len = |value: i64| {
        let bits = 64 - (value << 1 ^ value >> 63).leading_zeros() as usize;
        bits.div_ceil(7).max(1)
    };
    tree.nodes().any(|id| {
        let shortest = match tree.value(id) {
            Some(Value::Varint(value)) => len(value.into()),
            Some(Value::Varlong(value)) => len(value),
            Some(Value::Bytes(bytes, Prefix::Varint) | Value::String(bytes, Prefix::Varint)) => {
                len(bytes.len() as i64) + bytes.len()
            }
            Some(Value::Null(Prefix::Varint)) => 1,
            _ => return false,
        };
        tree.span(id).len > shortest
    })
}

fn is_plain(batch: &Json) -> bool {
    Attributes(batch["attributes"].as_i64().unwrap() as i16).codec_number() == 0
}

fn plain() -> Batch {
    Batch::new(1_000, 1_700_000_000_000)
        .record(0, Some(b"k"), Some(b"v"), &[("h", Some(b"1")), ("n", None)])
        .record(-5, None, Some(b""), &[])
        .record(i64::from(i32::MAX) * 9, Some(b""), None, &[])
}

/// A message of magic 0 or 1.
fn set(magic: u8) -> Vec<u8> {
    let timestamp = (magic == 1).then_some(1_700_000_000_000);
    message(77, 0, timestamp, Some(b"key"), Some(b"value"))
}

/// Sizes and checksums of compressed entries depend on the compressor.
fn without_sizes(json: &Json) -> Json {
    match json {
        Json::Array(items) => items.iter().map(without_sizes).collect(),
        Json::Object(object) => {
            let is_packed = object.get("magic").is_some() && !is_plain(json);
            let depends = ["batch_length", "message_size", "crc", "computed_crc"];
            object
                .iter()
                .filter(|(name, _)| !(is_packed && depends.contains(&name.as_str())))
                .map(|(name, value)| (name.clone(), without_sizes(value)))
                .collect::<Map<_, _>>()
                .into()
        }
        other => other.clone(),
    }
}

/// What is not compressed comes back byte for byte, the rest value for value.
fn check_round_trip(bytes: &[u8]) {
    let (_, json) = decode(bytes);
    let again = records(&json).unwrap_or_else(|error| panic!("{error}: {json}"));
    if json.as_array().unwrap().iter().all(is_plain) {
        assert_eq!(again, bytes, "{json}");
    }
    let (_, last) = decode(&again);
    assert_eq!(without_sizes(&last), without_sizes(&json));
}

#[test]
fn smallest_instances_come_back() {
    for plan in plans() {
        let bytes = smallest(plan);
        let (json, problems) = decoded(plan, &bytes);
        assert_eq!(problems, 0, "{} {}", plan.name, plan.version);
        let again = body(plan, &json);
        assert_eq!(again.as_ref(), Ok(&bytes), "{} {}", plan.name, plan.version);
    }
}

#[test]
fn captured_batches_come_back() {
    for (name, bytes) in captured() {
        println!("{name}");
        check_round_trip(&bytes);
    }
}

#[test]
fn batches_made_wrong_stay_as_wrong() {
    let right = plain();
    check_round_trip(&right.bytes());
    let mut wrong = right.clone();
    wrong.count = 7;
    wrong.last_offset_delta = -3;
    wrong.max_timestamp = 5;
    check_round_trip(&wrong.bytes());
    // With log-append time, the distances that the producer wrote are still there.
    wrong.attributes = 8;
    let (_, json) = decode(&wrong.bytes());
    assert_eq!(json[0]["records"][1]["timestamp_delta"], json!(-5));
    check_round_trip(&wrong.bytes());
    // The attributes of the first record: a byte that nobody uses.
    let mut bytes = right.bytes();
    bytes[62] = 0x81;
    let (_, json) = decode(&bytes);
    assert_eq!(json[0]["records"][0]["attributes"], json!(-127));
    assert!(json[0]["computed_crc"].is_u64() && json[0]["computed_crc"] != json[0]["crc"]);
    check_round_trip(&bytes);
    // A length that claims a byte more than there is, and its checksum right.
    let mut bytes = right.bytes();
    bytes[11] += 1;
    check_round_trip(&bytes);
    // Only the header is there.
    let bytes = &right.bytes()[..61];
    check_round_trip(bytes);
}

#[test]
fn a_wrong_checksum_of_a_compressed_entry_stays_wrong() {
    for codec in CODECS {
        let mut entries = vec![plain().compressed(codec).bytes()];
        if codec != Codec::Zstd {
            let packed = compress(codec, &[set(1), set(1)].concat());
            entries.push(message(
                77,
                number(codec) as u8,
                Some(3),
                None,
                Some(&packed),
            ));
        }
        for (bytes, at) in entries.iter().zip([17, 12]) {
            check_round_trip(bytes);
            let mut bytes = bytes.clone();
            bytes[at] ^= 1;
            let (_, json) = decode(&bytes);
            let again = records(&json).unwrap();
            let (tree, last) = decode(&again);
            assert_eq!(last[0]["crc"], json[0]["crc"]);
            assert!(!tree.problems().is_empty(), "{codec}");
        }
    }
}

#[test]
fn compressed_data_that_is_broken_is_written_as_it_is() {
    for codec in CODECS {
        let mut batch = plain().compressed(codec);
        batch.records = vec![0xff; 9];
        let (_, json) = decode(&batch.bytes());
        assert_eq!(json[0]["records"], json!("ffffffffffffffffff"));
        assert_eq!(records(&json).unwrap(), batch.bytes(), "{codec}");
    }
}

#[test]
fn people_need_not_say_more_than_the_records() {
    let bytes = records(&json!([{"records": [{"key": "6b", "value": "76"}, {}]}])).unwrap();
    let (tree, json) = decode(&bytes);
    assert!(tree.problems().is_empty());
    let batch = &json[0];
    for (name, value) in [
        ("base_offset", 0),
        ("batch_length", bytes.len() as i64 - 12),
        ("partition_leader_epoch", -1),
        ("magic", 2),
        ("attributes", 0),
        ("last_offset_delta", 1),
        ("base_timestamp", -1),
        ("max_timestamp", -1),
        ("producer_id", -1),
        ("producer_epoch", -1),
        ("base_sequence", -1),
        ("records_count", 2),
    ] {
        assert_eq!(batch[name], json!(value), "{name}");
    }
    assert_eq!(
        batch["records"],
        json!([
            {"offset": 0, "timestamp": -1, "key": "6b", "value": "76", "headers": []},
            {"offset": 1, "timestamp": -1, "key": null, "value": null, "headers": []},
        ])
    );
    // A marker needs no attributes.
    let marker = json!([{"records": [{"key": "00000000", "control": "abort"}]}]);
    let (_, json) = decode(&records(&marker).unwrap());
    assert_eq!(json[0]["attributes"], json!(32));
    // Offsets count on from the last that was said.
    let offsets =
        json!([{"magic": 1, "attributes": 1, "records": [{"offset": 5}, {}, {"offset": 9}]}]);
    let (_, json) = decode(&records(&offsets).unwrap());
    assert_eq!(json[0]["offset"], json!(9));
    assert_eq!(json[0]["records"][1]["offset"], json!(6));
}

#[test]
fn complaints_about_unknown_tags_say_what_is_wrong_with_them() {
    let catalogue = Catalogue::current();
    let plan = catalogue
        .api_plan(ApiKey::FETCH, Direction::Request, 13)
        .unwrap();
    let complaint = |tag: &str| {
        let mut value = example(plan);
        value["ClusterId"] = "c".into();
        value["_unknown"] = json!({ tag: "abcd" });
        body(plan, &value).map_err(|error| error.to_string())
    };
    assert_eq!(
        complaint("x"),
        Err(
            "_unknown: a tag, which is a number from 0 to 4294967295, is expected, not \"x\""
                .to_owned()
        )
    );
    assert_eq!(
        complaint("0"),
        Err("_unknown: a tag whose field is not there as well is expected, not \"0\"".to_owned())
    );
    assert!(complaint("7").is_ok());
}

#[test]
fn complaints_about_batches_name_the_place() {
    let complaint = |json: Json| records(&json).unwrap_err().to_string();
    assert_eq!(
        complaint(json!([{"records": [{}, {"kye": "6b"}]}])),
        "records[0].records[1].kye: a record has no such member; did you mean key?"
    );
    assert_eq!(
        complaint(json!([{"records": [{}, {}, {"key": "6"}]}])),
        "records[0].records[2].key: bytes as hex is expected, not \"6\""
    );
    assert_eq!(
        complaint(json!([{"crc": -1}])),
        "records[0].crc: an integer from 0 to 4294967295 is expected, not -1"
    );
    assert_eq!(
        complaint(json!([{"magic": 3}])),
        "records[0].magic: 0, 1 or 2 is expected, not 3"
    );
    assert!(
        complaint(json!([{"_undecoded": "00"}])).starts_with("records[0]._undecoded: these bytes")
    );
    assert_eq!(
        complaint(json!([{"magic": 1, "records": []}])),
        "records[0].records: one message, as nothing is compressed, is expected, not []"
    );
    assert_eq!(
        complaint(json!([{"magic": 0, "offset": 4, "records": [{"offset": 5}]}])),
        "records[0].offset: 5, as the message in records has, is expected, not 4"
    );
    assert_eq!(
        complaint(json!([{"base_offset": 0, "records": [{"offset": 1_i64 << 40}]}])),
        "records[0].records[0].offset: an offset within 2^31 of base_offset 0 is expected, not \
         1099511627776"
    );
    let produce = Catalogue::current().plan("ProduceRequest", 9).unwrap();
    let wrong =
        json!({"TopicData": [{"PartitionData": [{"Records": [{"records": [{"key": 6}]}]}]}]});
    assert_eq!(
        body(produce, &wrong).unwrap_err().to_string(),
        "TopicData[0].PartitionData[0].Records[0].records[0].key: bytes as hex is expected, not 6"
    );
}

#[test]
fn stored_structures_keep_the_number_in_front() {
    let catalogue = Catalogue::current();
    let mut n_stored = 0;
    for name in catalogue.names() {
        let definition = catalogue.definition(name).unwrap().unwrap();
        if !matches!(
            definition.kind,
            Kind::CoordinatorKey | Kind::CoordinatorValue
        ) && !["ConsumerProtocolAssignment", "EndTxnMarker"].contains(&name)
        {
            continue;
        }
        let plan = catalogue.plan(name, definition.newest()).unwrap();
        let lead = match definition.kind {
            Kind::CoordinatorKey => plan.api_key.unwrap(),
            _ => plan.version,
        };
        let bytes = [&lead.to_be_bytes()[..], &smallest(plan)].concat();
        let decoded = kafscope(&["decode", "--as", name, "--json"], &bytes);
        let line: Json = serde_json::from_str(&decoded.stdout).unwrap();
        assert_eq!(line["lead"], lead, "{name}");
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let value = line["value"].to_string();
        for (args, input) in [
            (&["encode", "--hex"][..], &decoded.stdout),
            (&["encode", "--hex", "--as", name], &decoded.stdout),
            (&["encode", "--hex", "--as", name], &value),
        ] {
            assert_eq!(kafscope(args, input).stdout.trim(), hex, "{name} {args:?}");
        }
        // With its version it stands by itself.
        let spec = format!("{name}:{}", plan.version);
        let bare = kafscope(&["encode", "--hex", "--as", &spec], &value);
        assert_eq!(bare.stdout.trim(), &hex[4..], "{spec}");
        n_stored += 1;
    }
    assert!(n_stored > 30);
}

#[test]
fn one_batch_alone_is_read_as_a_list_of_one() {
    let batch = json!({ "records": [{ "key": "6b", "value": "76" }] });
    let bytes = records(&batch).unwrap();
    assert_eq!(bytes, records(&json!([batch])).unwrap());
    assert_eq!(
        records(&json!(3)).unwrap_err().to_string(),
        "records: a batch or an array of batches is expected, not 3"
    );
    // What encoding leaves open is shown as such.
    let shown = kafscope(&["decode", "--as", "RecordBatch", "--only", "tree"], &bytes);
    assert!(shown.stdout.contains("no timestamp; "), "{}", shown.stdout);
}
