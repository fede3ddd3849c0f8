//! Parquet files, read back by a reader that knows nothing of what wrote them.

use std::{fs, fs::File, path::Path};

use parquet::{
    file::reader::{FileReader, SerializedFileReader},
    record::{Field, Row},
};
use serde_json::{Map, Value as Json, json};

use crate::{
    export::{HOSTILE, capture, request},
    program::{Run, kafscope},
};

const TOPICS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/topics.pcap");
const WORKLOAD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/workload.pcap.zst");

/// The usual columns that are no members of a line of JSON.
const ADDED: [&str; 2] = ["time", "bytes"];

/// Members that a line has only where there is something to say.
const OPTIONAL: [(&str, Json); 5] = [
    ("topics_cut", Json::Bool(false)),
    ("tls", Json::Null),
    ("client_host", Json::Null),
    ("server_host", Json::Null),
    ("proxied_client", Json::Null),
];

/// What a file holds.
struct Table {
    /// The schema as text, a column a line.
    schema: String,
    rows: Vec<Json>,
    /// Rows of each row group.
    groups: Vec<i64>,
}

/// Exports to a file, and reads it.
fn table(args: &[&str], input: impl AsRef<[u8]>) -> (Run, Table) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("exchanges.parquet");
    let name = path.to_str().unwrap();
    let run = kafscope(&[&["export"], args, &["-o", name]].concat(), input);
    assert!(path.exists(), "{args:?}: {}", run.stderr);
    let reader = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
    let metadata = reader.metadata();
    let mut schema = Vec::new();
    parquet::schema::printer::print_schema(&mut schema, metadata.file_metadata().schema());
    let groups = metadata.row_groups().iter();
    let table = Table {
        schema: String::from_utf8(schema).unwrap(),
        groups: groups.map(|group| group.num_rows()).collect(),
        rows: reader.get_row_iter(None).unwrap().map(row).collect(),
    };
    assert_eq!(table.groups.iter().sum::<i64>(), table.rows.len() as i64);
    (run, table)
}

fn row(row: parquet::errors::Result<Row>) -> Json {
    let columns = row.unwrap().into_columns().into_iter();
    Json::Object(columns.map(|(name, field)| (name, cell(&field))).collect())
}

/// A cell as the contract of JSON has it.
fn cell(field: &Field) -> Json {
    match field {
        Field::Null => Json::Null,
        Field::Bool(value) => json!(value),
        Field::Long(value) => json!(value),
        Field::Double(value) => json!(value),
        Field::Str(value) => json!(value),
        Field::TimestampMicros(micros) => {
            let time = jiff::Timestamp::from_microsecond(*micros).unwrap();
            json!(format!("{time:.6}"))
        }
        Field::ListInternal(list) => list.elements().iter().map(cell).collect(),
        Field::Group(row) => {
            let members = row.get_column_iter();
            Json::Object(
                members
                    .map(|(name, field)| (name.clone(), cell(field)))
                    .collect(),
            )
        }
        other => panic!("no column is made of {other:?}"),
    }
}

fn lines(args: &[&str], input: impl AsRef<[u8]>) -> Vec<Map<String, Json>> {
    let run = kafscope(args, input);
    let lines = run.stdout.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The line of JSON that a row stands for.
fn as_line(row: &Json) -> Map<String, Json> {
    let mut line = row.as_object().unwrap().clone();
    line.retain(|name, _| !ADDED.contains(&name.as_str()));
    for (name, usual) in OPTIONAL {
        assert!(line.contains_key(name), "{name}");
        if line[name] == usual {
            line.remove(name);
        }
    }
    for problem in line["problems"].as_array_mut().unwrap() {
        let problem = problem.as_object_mut().unwrap();
        problem.retain(|name, value| name != "buffer" || !value.is_null());
    }
    line.insert("type".to_owned(), "exchange".into());
    line
}

/// Compares each cell of a file with the member of the line.
fn agree(path: &str) -> usize {
    let lines = lines(&["list", "--json", path], "");
    let (_, table) = table(&[path], "");
    assert_eq!(lines.len(), table.rows.len(), "{path}");
    for (line, row) in lines.iter().zip(&table.rows) {
        assert_eq!(as_line(row), *line, "{path}");
        let sides = || [&line["request"], &line["response"]].into_iter();
        let sizes = sides().filter_map(|side| side["size"].as_u64());
        assert_eq!(row["bytes"], json!(sizes.sum::<u64>()), "{path}");
        let mut times = sides().map(|side| &side["time"]);
        assert!(times.any(|time| *time == row["time"]), "{path}");
    }
    lines.len()
}

#[test]
fn every_cell_is_the_member_of_the_line() {
    let mut n_rows = 0;
    for folder in ["samples", "tests/data/captures"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.to_str().unwrap();
            if name.contains(".pcap") {
                n_rows += agree(name);
            }
        }
    }
    assert!(n_rows > 1_000, "{n_rows}");
}

#[test]
fn whatever_is_on_the_wire_comes_through() {
    let mut other = request("日本 \"a\",b\n".as_bytes());
    // The largest correlation ids, a client id that is no UTF-8, and none.
    other[8..12].copy_from_slice(&i32::MIN.to_be_bytes());
    other[14..16].copy_from_slice(b"\xff\x00");
    let mut nameless = request(b"");
    nameless.splice(12..16, [0xff, 0xff]);
    nameless[3] -= 2;
    nameless[8..12].copy_from_slice(&i32::MAX.to_be_bytes());
    let bytes = capture(&[request(HOSTILE.as_bytes()), other, nameless]);
    let lines = lines(&["list", "--json", "-"], &bytes);
    let (run, table) = table(&["-"], &bytes);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let rows: Vec<_> = table.rows.iter().map(as_line).collect();
    assert_eq!(rows, lines);
    assert_eq!(table.rows[0]["topics"], json!([HOSTILE]));
    assert_eq!(table.rows[1]["correlation_id"], i32::MIN);
    assert_eq!(table.rows[1]["client_id"], "\u{fffd}\0");
    assert_eq!(table.rows[1]["topics"], json!(["日本 \"a\",b\n"]));
    assert_eq!(table.rows[2]["correlation_id"], i32::MAX);
    for name in ["client_id", "response", "latency_ms", "throttle_ms"] {
        assert!(table.rows[2][name].is_null(), "{name}");
    }
}

#[test]
fn columns_are_chosen_and_have_types() {
    let columns = "n,request.time,request,latency,body.Topics[].Name,body.ThrottleTimeMs,\
                   response.body.Topics[0].ErrorCode,body.ValidateOnly,body.GenerationId,\
                   body.MemberId,body.Topics,request.body.Topics[0],problems";
    let (_, chosen) = table(&[TOPICS, "--columns", columns], "");
    insta::assert_snapshot!("parquet_schema", chosen.schema);
    for path in [TOPICS, WORKLOAD] {
        let (_, chosen) = table(&[path, "--columns", &format!("{columns},n")], "");
        let args = ["export", path, "--format", "json", "--columns", columns];
        let lines = lines(&args, "");
        assert_eq!(lines.len(), chosen.rows.len());
        for (line, row) in lines.iter().zip(&chosen.rows) {
            assert_eq!(row.as_object().unwrap().len(), line.len());
            for (name, cell) in row.as_object().unwrap() {
                let as_text = |json: &Json| match json {
                    Json::Null => Json::Null,
                    json => json.to_string().into(),
                };
                let is_text = name.ends_with("Topics") || name.ends_with("Topics[0]");
                let expected = match &line[name] {
                    Json::Array(list) if is_text => list.iter().map(as_text).collect(),
                    one @ Json::Object(_) if is_text => as_text(one),
                    // Requests and responses have it, so it is a list everywhere.
                    Json::Null if cell.is_array() => json!([]),
                    one if cell.is_array() && !one.is_array() => json!([one]),
                    other => other.clone(),
                };
                assert_eq!(*cell, expected, "{name} of {}", line["n"]);
            }
        }
    }
    // What is added and taken away is so of the usual columns.
    let (_, changed) = table(&[TOPICS, "--columns", "+body.ThrottleTimeMs,-kind"], "");
    let row = changed.rows[0].as_object().unwrap();
    assert!(row.contains_key("problems") && !row.contains_key("kind"));
    assert_eq!(row.keys().next_back().unwrap(), "body.ThrottleTimeMs");
    let wrong = kafscope(
        &["export", TOPICS, "--format", "parquet", "--columns", "nn"],
        "",
    );
    assert_eq!((wrong.status, wrong.stdout.as_str()), (2, ""));
    assert!(wrong.stderr.contains("there is no column nn"));
}

#[test]
fn rows_are_those_that_were_asked_for_in_their_order() {
    let args = [
        "--filter",
        "api == 'CreateTopics' || api == 'DeleteTopics'",
        "--sort=-latency",
        "--limit",
        "4",
    ];
    let numbers = |rows: &[Json]| rows.iter().map(|row| row["n"].clone()).collect::<Vec<_>>();
    let (_, table) = table(&[&[TOPICS][..], &args].concat(), "");
    let lines = lines(
        &[&["list", "--json", "--columns", "n", TOPICS][..], &args].concat(),
        "",
    );
    let expected: Vec<Json> = lines.iter().map(|line| line["n"].clone()).collect();
    assert_eq!(numbers(&table.rows), expected);
    assert_eq!(expected.len(), 4);
    assert!(!expected.is_sorted_by_key(|n| n.as_u64()));
}

#[test]
fn a_file_without_rows_has_its_columns() {
    let (full, some) = table(&[TOPICS], "");
    let (run, none) = table(&[TOPICS, "--filter", "api == 'Fetch'"], "");
    assert_eq!((full.status, run.status), (0, 1));
    assert!(run.stderr.contains("the filter takes none of 24 exchanges"));
    let (nothing, nobody) = table(&["-"], capture(&[]));
    assert_eq!(nothing.status, 1, "{}", nothing.stderr);
    for empty in [none, nobody] {
        assert!(empty.rows.is_empty());
        assert_eq!(empty.schema, some.schema);
    }
}

#[test]
fn many_rows_are_several_row_groups() {
    let requests = vec![request(b"orders"); 70_000];
    let (_, table) = table(
        &["-", "--columns", "n,topics,client_id"],
        capture(&requests),
    );
    assert_eq!(table.groups.len(), 2, "{:?}", table.groups);
    for (idx, row) in table.rows.iter().enumerate() {
        assert_eq!(
            *row,
            json!({"n": idx + 1, "topics": ["orders"], "client_id": "me"})
        );
    }
}

#[test]
#[cfg(target_os = "linux")]
fn what_cannot_be_written_is_said_in_a_sentence() {
    let run = kafscope(
        &["export", TOPICS, "--format", "parquet", "-o", "/dev/full"],
        "",
    );
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("No space left on device"),
        "{}",
        run.stderr
    );
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    let run = kafscope(&["export", TOPICS, "-o", "/nowhere/a.parquet"], "");
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("cannot write /nowhere/a.parquet"),
        "{}",
        run.stderr
    );
}
