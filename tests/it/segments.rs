//! Log segments: batches one after another in a file, with what brokers leave at its end.

use std::{fs, io::Write};

use flate2::{Compression, write::GzEncoder};
use kafscope::{
    records::Codec,
    session::{Plain, Segment},
};
use serde_json::Value as Json;

use crate::{
    batches::{Batch, message},
    program::kafscope,
    vectors::unhex,
};

fn batch(base_offset: i64, n: usize) -> Batch {
    (0..n).fold(Batch::new(base_offset, 1_700_000_000_000), |batch, _| {
        batch.record(0, Some(b"k"), Some(b"value"), &[])
    })
}

/// A file of that name for as long as the test runs.
fn file(name: &str, bytes: &[u8]) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

fn segment() -> Vec<u8> {
    [
        batch(10, 3).bytes(),
        batch(13, 40).compressed(Codec::Zstd).bytes(),
        message(53, 0, Some(1_700_000_000_000), Some(b"k"), Some(b"v")),
    ]
    .concat()
}

fn rows(path: &str) -> (Vec<Json>, String) {
    let run = kafscope(&["list", "--json", path], "");
    assert_eq!(run.status, 0, "{}", run.stderr);
    let lines = run.stdout.lines();
    let rows = lines.map(|line| serde_json::from_str(line).unwrap());
    (rows.collect(), run.stderr)
}

#[test]
fn a_segment_is_listed_batch_by_batch() {
    let (_folder, path) = file("0.log", &segment());
    let (rows, remarks) = rows(&path);
    assert_eq!(remarks, "");
    let column = |name: &str| rows.iter().map(|row| row[name].clone()).collect::<Vec<_>>();
    assert_eq!(column("n"), [1, 2, 3]);
    assert_eq!(column("base_offset"), [10, 13, 53]);
    assert_eq!(column("last_offset"), [12, 52, 53]);
    assert_eq!(column("records"), [3, 40, 1]);
    assert_eq!(column("magic"), [2, 2, 1]);
    assert_eq!(rows[1]["codec"], "zstd");
    assert_eq!(rows[1]["position"], rows[0]["size"]);
    // Without a command, and as a table.
    let table = kafscope(&[&path], "").stdout;
    assert_eq!(table.lines().count(), 4, "{table}");
    assert!(table.contains("13-52"));
    // The records of one, and numbers that there are not.
    let run = kafscope(&["show", "--json", &path, "2", "9"], "");
    assert_eq!(run.status, 1);
    let line: Json = serde_json::from_str(&run.stdout).unwrap();
    let records = line["value"][0]["records"].as_array().unwrap();
    assert_eq!((records.len(), &records[39]["offset"]), (40, &52.into()));
    assert!(run.stderr.contains("they go from 1 to 3"), "{}", run.stderr);
}

#[test]
fn zeros_at_the_end_are_no_error_and_a_torn_batch_is_one_row() {
    let mut zeros = segment();
    zeros.resize(zeros.len() + 5_000, 0);
    let (_folder, path) = file("zeros", &zeros);
    let (found, remarks) = rows(&path);
    assert_eq!(found.len(), 3);
    assert!(remarks.contains("5000 bytes of zeros"), "{remarks}");
    let line = kafscope(&["decode", "--json", &path], "").stdout;
    let line: Json = serde_json::from_str(&line).unwrap();
    assert_eq!(line["kind"], "records");
    assert_eq!(line["problems"][0]["code"], "preallocated");
    assert_eq!(line["problems"][0]["severity"], "note");

    let torn = [segment(), batch(54, 9).bytes()[..70].to_vec()].concat();
    let (_folder, path) = file("torn", &torn);
    let (found, _) = rows(&path);
    assert_eq!(found.len(), 4);
    assert_eq!(found[3]["problems"][0]["code"], "partial-batch");
    for len in [11, 16, 17, 60] {
        let torn = [segment(), batch(54, 9).bytes()[..len].to_vec()].concat();
        let (_folder, path) = file("torn", &torn);
        let table = kafscope(&["list", &path], "").stdout;
        assert!(table.ends_with("cut\n"), "{len}: {table}");
    }
}

#[test]
fn a_wrong_checksum_is_one_row_and_the_next_batch_is_found() {
    let mut bytes = segment();
    bytes.extend(batch(54, 2).bytes());
    let at = bytes.len() - 3;
    bytes[at] ^= 1;
    bytes.extend(batch(56, 2).bytes());
    let (_folder, path) = file("wrong", &bytes);
    let (found, _) = rows(&path);
    assert_eq!(found.len(), 5);
    assert_eq!(found[3]["problems"][0]["code"], "checksum");
    assert_eq!(found[4]["problems"], Json::Array(vec![]));
}

/// A batch of a later format has a size like any other; where the size cannot be right, the next batch
/// is found by its checksum, and of what lies before it only the start is shown.
#[test]
fn bytes_without_a_header_are_one_row() {
    let mut later = batch(10, 1).bytes();
    later[16] = 3;
    let bytes = [segment(), later, batch(11, 1).bytes()].concat();
    let (_folder, path) = file("later", &bytes);
    let (found, _) = rows(&path);
    assert_eq!(found.len(), 5);
    assert_eq!(found[3]["problems"][0]["code"], "unknown-version");
    assert_eq!(found[3]["magic"], Json::Null);
    assert_eq!(found[4]["base_offset"], 11);
    let table = kafscope(&["list", &path], "").stdout;
    assert!(table.contains("unknown magic\n"), "{table}");

    let bytes = [segment(), vec![0xff; 1 << 20], batch(11, 1).bytes()].concat();
    let (_folder, path) = file("torn", &bytes);
    let (found, _) = rows(&path);
    assert_eq!((found.len(), &found[4]["base_offset"]), (5, &11.into()));
    let codes = found[3]["problems"].as_array().unwrap();
    let codes: Vec<&Json> = codes.iter().map(|problem| &problem["code"]).collect();
    assert!(codes.contains(&&"inconsistent".into()), "{codes:?}");
    assert!(codes.contains(&&"bound".into()), "{codes:?}");
    let table = kafscope(&["list", &path], "").stdout;
    assert!(table.contains("no batch\n"), "{table}");
    let shown = kafscope(&["show", &path, "4"], "").stdout;
    assert!(shown.contains("65536 of 1048576 bytes are shown: no batch can be read here"));
}

#[test]
fn a_compressed_segment_is_read_like_any_other() {
    let (_folder, plain) = file("0.log", &segment());
    let gzip = |bytes: &[u8]| {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
        gzip.write_all(bytes).unwrap();
        gzip.finish().unwrap()
    };
    let (_gzip, gzipped) = file("0.log.gz", &gzip(&segment()));
    let (_zstd, zstd) = file("0.log.zst", &zstd::encode_all(&segment()[..], 0).unwrap());
    for path in [&gzipped, &zstd] {
        let of_file = |path: &str| {
            let run = kafscope(&["list", "--json", path], "");
            (run.stdout.replace(path, "FILE"), run.stderr)
        };
        assert_eq!(of_file(path), of_file(&plain));
        assert_eq!(rows(path).0.len(), 3);
        for command in ["show", "stats", "check"] {
            let numbers = ["1", "3"];
            let numbers = if command == "show" { &numbers[..] } else { &[] };
            let of = |path: &str| {
                let run = kafscope(&[&[command, path], numbers].concat(), "");
                (run.status, run.stdout.replace(path, "FILE"), run.stderr)
            };
            assert_eq!(of(path), of(&plain));
        }
    }
    // A first batch that is damaged, in a file that has a segment's name.
    let mut damaged = segment();
    damaged[30] ^= 1;
    let (_named, path) = file("00000000000000000010.log.gz", &gzip(&damaged));
    assert!(rows(&path).0.len() > 1);
    // One that breaks off, and what is something else.
    let whole = gzip(&segment());
    let (_cut, path) = file("0.log.gz", &whole[..whole.len() - 12]);
    let run = kafscope(&["list", &path], "");
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("gzip but cannot be decompressed"),
        "{}",
        run.stderr
    );
    let (_text, path) = file("text.gz", &gzip(b"no segment, no capture, a text"));
    let run = kafscope(&["list", &path], "");
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("is no capture"), "{}", run.stderr);
}

#[test]
fn a_segment_is_read_by_itself() {
    let (_folder, path) = file("0.log", &segment());
    for args in [
        ["list", &path, "samples/topics.pcap"].as_slice(),
        &["list", &path, &path],
        &["show", &path, &path, "1"],
        &["samples/topics.pcap", &path],
    ] {
        let run = kafscope(args, "");
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{args:?}");
        assert!(run.stderr.contains("is a log segment"), "{}", run.stderr);
    }
    let run = kafscope(&["show", "--json", &path, "3", "1", "9", "2"], "");
    assert_eq!((run.status, run.stdout.lines().count()), (1, 3));
}

/// Batches tile the file up to its zeros, wherever it is cut and whatever is changed.
#[test]
fn batches_tile_whatever_the_bytes_are() {
    let whole = segment();
    let check = |bytes: &[u8]| {
        let (_folder, path) = file("any", bytes);
        let plain = Plain::open(path.as_ref()).unwrap();
        let mut segment = Segment::new(&plain);
        let mut at = 0;
        for batch in segment.by_ref() {
            assert_eq!(batch.at, at);
            assert!(batch.len > 0);
            at += batch.len;
            batch.open(&plain);
        }
        assert_eq!(at + segment.preallocated(), bytes.len());
    };
    for len in (0..whole.len()).step_by(7) {
        check(&whole[..len]);
    }
    for at in 0..whole.len().min(100) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x81;
        check(&bytes);
    }
}

#[test]
fn requests_and_text_are_no_segments() {
    for bytes in [
        unhex("00000012001200030000000000016b000a6b61666b61"),
        b"0000000000000000 hex".to_vec(),
        Vec::new(),
        vec![0; 100],
    ] {
        assert!(!Segment::starts(&bytes));
    }
}

#[test]
fn what_is_in_a_segment_is_counted() {
    let mut bytes = segment();
    bytes.extend(batch(60, 1).bytes());
    bytes.resize(bytes.len() + 5_000, 0);
    let (_folder, path) = file("0.log", &bytes);
    let run = kafscope(&["stats", "--json", &path], "");
    let stats: Json = serde_json::from_str(&run.stdout).unwrap();
    let of = |name: &str| stats[name].clone();
    assert_eq!(
        [
            "batches",
            "records",
            "base_offset",
            "last_offset",
            "missing_offsets"
        ]
        .map(of),
        [4, 45, 10, 60, 6].map(Json::from)
    );
    assert_eq!(of("preallocated"), 5_000);
    assert_eq!(of("magics"), serde_json::json!([1, 2]));
    assert_eq!(of("from"), "2023-11-14T22:13:20.000000Z");
    let codecs = stats["codecs"].as_array().unwrap();
    let names: Vec<&Json> = codecs.iter().map(|share| &share["codec"]).collect();
    assert_eq!(names, [&Json::Null, &"zstd".into()]);
    assert_eq!(codecs[1]["records"], 40);
    let text = kafscope(&["stats", &path], "").stdout;
    assert!(
        text.contains("offsets 10 to 60, of which 6 are in no batch"),
        "{text}"
    );
    assert!(text.contains("  zstd         1       40"), "{text}");
    assert_eq!(kafscope(&["stats", "--groups", &path], "").status, 2);
}

#[test]
fn a_segment_whose_first_batch_is_damaged_is_one() {
    let sound = [
        batch(10, 3).bytes(),
        batch(13, 40).bytes(),
        batch(53, 1).bytes(),
    ]
    .concat();
    let first = batch(10, 3).bytes().len();
    let mut flipped = sound.clone();
    flipped[first - 3] ^= 1;
    let mut sized = sound.clone();
    sized[10] ^= 1;
    // It leads over the second batch as well, exactly.
    let mut spanning = sound.clone();
    let two = (first + batch(13, 40).bytes().len() - 12) as u32;
    spanning[8..12].copy_from_slice(&two.to_be_bytes());
    let fronted = |front: &[u8]| [front, &sound].concat();
    for (name, bytes, n_batches) in [
        ("checksum", flipped, 3),
        ("size", sized, 3),
        ("size of two", spanning, 3),
        ("zeros", fronted(&[0; 4096]), 4),
        ("garbage", fronted(&[0xa5; 777]), 4),
        ("a byte", fronted(&[7]), 4),
    ] {
        let (_folder, path) = file("damaged", &bytes);
        let (found, _) = rows(&path);
        assert_eq!(found.len(), n_batches, "{name}");
        assert_ne!(found[0]["problems"], Json::Array(vec![]), "{name}");
        assert_eq!(found[n_batches - 1]["base_offset"], 53, "{name}");
        let text = kafscope(&["check", &path], "");
        assert_eq!(text.status, 1, "{name}");
        let stats = kafscope(&["stats", "--json", &path], "").stdout;
        let stats: Json = serde_json::from_str(&stats).unwrap();
        assert_eq!(
            (&stats["batches"], &stats["malformed"]),
            (&3.into(), &1.into()),
            "{name}"
        );
    }
    // One batch alone is enough where the file is called so.
    let alone = [[0xa5; 777].as_slice(), &batch(13, 4).bytes()].concat();
    let (_folder, path) = file("00000000000000000010.log", &alone);
    assert_eq!(rows(&path).0.len(), 2);
    let (_folder, path) = file("any", &alone);
    assert_ne!(kafscope(&["list", &path], "").status, 0);
}

/// What holds batches is no segment: messages begin with their size.
#[test]
fn messages_with_batches_are_no_segment() {
    let body = [
        [1; 40].as_slice(),
        &batch(10, 3).bytes(),
        &batch(13, 4).bytes(),
    ]
    .concat();
    let frame = [&(body.len() as u32).to_be_bytes(), body.as_slice()].concat();
    assert!(!Segment::is_one(&frame, false));
    assert!(!Segment::is_one(
        &[frame.clone(), frame.clone()].concat(),
        true
    ));
    assert!(!Segment::is_one(&[&frame, &frame[..90]].concat(), false));
    // Saved without its size: something follows the batches, or their size stands in front of them.
    let tail = [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0];
    assert!(!Segment::is_one(&[body.as_slice(), &tail].concat(), false));
    let batches = &body[40..];
    let len = batches.len();
    assert!(!Segment::is_one(
        &[&body[..40], &(len as u32).to_be_bytes(), batches].concat(),
        false
    ));
    let varint = [(len + 1) as u8 | 0x80, ((len + 1) >> 7) as u8];
    let flexible = [&body[..40], &varint, batches, &[0; 3]].concat();
    assert!(!Segment::is_one(&flexible, false));
    // Otherwise they are what is left of a segment, also of one that ends in zeros or was cut.
    for end in [&batches[..0], &[0; 4096], &batches[..70], &batches[..30]] {
        assert!(Segment::is_one(&[body.as_slice(), end].concat(), false));
    }
}

/// The header of a file in a tar archive, with a checksum that is right or not.
fn tar_header(magic: &[u8], wrong_by: u32) -> Vec<u8> {
    let mut header = vec![0; 512];
    header[..5].copy_from_slice(b"0.log");
    header[148..156].fill(b' ');
    header[257..257 + magic.len()].copy_from_slice(magic);
    let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
    header[148..155].copy_from_slice(format!("{:06o}\0", sum + wrong_by).as_bytes());
    header
}

#[test]
fn an_archive_whose_last_file_is_a_segment_is_none() {
    let batches = [
        batch(10, 3).bytes(),
        batch(13, 40).bytes(),
        batch(53, 1).bytes(),
    ]
    .concat();
    let in_tar = |magic: &[u8], wrong_by: u32| {
        let mut bytes = [tar_header(magic, wrong_by).as_slice(), &batches].concat();
        bytes.resize(bytes.len().next_multiple_of(512) + 1024, 0);
        bytes
    };
    // As POSIX and GNU have it, and as it was before them.
    for magic in [b"ustar\x0000".as_slice(), b"ustar  \0", b""] {
        for is_named in [true, false] {
            assert!(!Segment::is_one(&in_tar(magic, 0), is_named), "{magic:?}");
        }
    }
    assert!(Segment::is_one(&in_tar(b"", 1), false));
    for front in [b"!<arch>\n".as_slice(), b"070701"] {
        assert!(
            !Segment::is_one(&[front, &batches].concat(), false),
            "{front:?}"
        );
    }
}

#[test]
fn a_size_over_two_batches_hides_neither() {
    let [a, b] = [batch(10, 3).bytes(), batch(13, 4).bytes()];
    let mut damaged = [a.as_slice(), &b].concat();
    let size = (damaged.len() - 12) as u32;
    damaged[8..12].copy_from_slice(&size.to_be_bytes());
    let expected = format!(
        "its size is wrong, a batch begins inside it at byte {};",
        a.len()
    );
    // Nothing else is in the file, offsets are missing behind them, or the end is laid out.
    for end in [vec![], batch(99, 2).bytes(), vec![0; 4096]] {
        let text = findings(&[damaged.as_slice(), &end].concat());
        assert!(text.contains(&expected), "{text}");
    }
}

/// A batch that takes offsets of the one before is told by itself, and so are those that are in none.
#[test]
fn overlapping_offsets_are_told_where_they_are() {
    let batches = [batch(0, 10), batch(12, 9), batch(15, 11), batch(26, 2)];
    let bytes = batches.map(|batch| batch.bytes()).concat();
    let (_folder, path) = file("0.log", &bytes);
    let all = kafscope(&["check", "--all", &path], "").stdout;
    let told = "batch 3, offsets: offset 15 comes behind 20";
    assert!(all.contains(told), "{all}");
    let gap = "batch 2, offsets: offsets 10 to 11 are in no batch";
    assert!(all.contains(gap), "{all}");
    assert!(all.contains("1 error, 1 note in 4 batches"), "{all}");
}

#[test]
fn a_damaged_offset_is_wrong_alone() {
    let mut batches: Vec<Vec<u8>> = (0..9).map(|n| batch(n * 3, 3).bytes()).collect();
    batches[4][4] = 1;
    let text = findings(&batches.concat());
    assert!(text.contains("1 error in 9 batches"), "{text}");
    assert!(text.contains("batch 5"), "{text}");
    // Far too low, and in the very first one.
    for (idx, byte) in [(4, 0), (0, 1)] {
        let mut batches: Vec<Vec<u8>> = (0..9).map(|n| batch(600 + n * 3, 3).bytes()).collect();
        batches[idx][6] = byte;
        batches[idx][5] = u8::from(idx == 0);
        let text = findings(&batches.concat());
        assert!(text.contains("1 error in 9 batches"), "{idx}: {text}");
    }
}

/// The text of what `check` finds in these bytes.
fn findings(bytes: &[u8]) -> String {
    let (_folder, path) = file("0.log", bytes);
    kafscope(&["check", &path], "").stdout
}

#[test]
fn a_damaged_size_hides_nothing_silently() {
    let (first, last) = (segment(), batch(56, 2).bytes());
    // What a flipped bit makes of a size: more than all of the file, or less than a header.
    for size in [0x0100_0000_i32, 0x7fff_ffff, 0, -1] {
        let mut damaged = batch(54, 2).bytes();
        damaged[8..12].copy_from_slice(&size.to_be_bytes());
        let next = first.len() + damaged.len();
        let text = findings(&[first.clone(), damaged, last.clone()].concat());
        let expected = format!("its size is wrong, a batch begins inside it at byte {next};");
        assert!(text.contains(&expected), "{size}: {text}");
        assert!(text.contains("1 error in 5 batches"), "{text}");
    }
    for bytes in [
        b"what a log writes instead of a batch".as_slice(),
        &[0xff; 100],
    ] {
        let text = findings(&[first.as_slice(), bytes].concat());
        let expected = format!("no batch starts here; {} bytes from byte", bytes.len());
        assert!(text.contains(&expected), "{text}");
    }
    for len in [8, 11, 12, 16, 17, 60, 65] {
        let text = findings(&[first.as_slice(), &last[..len]].concat());
        assert!(
            text.contains("last batch: the file ends inside it"),
            "{len}: {text}"
        );
    }
}

#[test]
fn a_batch_of_an_unknown_magic_is_found() {
    let mut strange = batch(54, 2).bytes();
    strange[16] = 9;
    let text = findings(&[segment(), strange, batch(56, 2).bytes()].concat());
    assert!(text.contains("error [malformed]"), "{text}");
    assert!(text.contains("unknown-version"), "{text}");
}

#[test]
fn options_for_exchanges_are_refused() {
    let (_folder, path) = file("0.log", &segment());
    for (args, subject) in [
        (
            ["stats", "--keylog", "k", "--top", "3"].as_slice(),
            "--keylog and --top are",
        ),
        (&["stats", "--sort", "bytes"], "--sort is"),
        (
            &["stats", "--port", "9092", "--groups", "--buckets", "3"],
            "",
        ),
        (&["stats", "--buckets", "20"], "--buckets is"),
        (&["check", "--port", "9092"], "--port is"),
        (
            &["check", "--slow", "1", "--filter", "n > 1"],
            "--filter and --slow are",
        ),
        (
            &["list", "--port", "9092", "--follow", "--limit", "1"],
            "--port, --follow and --limit are",
        ),
        (&["show", "--response"], "--response is"),
    ] {
        let number = ["1"];
        let numbers = number.iter().filter(|_| args[0] == "show");
        let args: Vec<&str> = args
            .iter()
            .chain([&&*path])
            .chain(numbers)
            .copied()
            .collect();
        let run = kafscope(&args, "");
        assert_eq!((run.status, &*run.stdout), (2, ""), "{args:?}");
        let expected = format!("and {subject} for the exchanges of captures");
        let is_told = subject.is_empty() || run.stderr.contains(&expected);
        assert!(is_told, "{args:?}: {}", run.stderr);
    }
    let plain = kafscope(&["stats", &path], "").stdout;
    assert_eq!(
        kafscope(&["stats", "--all", "--wide", &path], "").stdout,
        plain
    );
}

#[test]
fn the_tables_of_captures_and_of_segments_are_told_apart() {
    let (_folder, path) = file("0.log", &segment());
    let plain = kafscope(&["stats", &path], "").stdout;
    let codec = kafscope(&["stats", "--by", "codec", &path], "");
    assert_eq!((codec.status, codec.stdout), (0, plain));
    let both = kafscope(&["stats", "--by", "codec,api", &path], "");
    assert!(
        both.stderr.contains("the one table is codec"),
        "{}",
        both.stderr
    );
    let run = kafscope(&["stats", "--by", "api,codec", "samples/topics.pcap"], "");
    assert_eq!((run.status, &*run.stdout), (2, ""));
    let said = "--by codec is for a log segment; captures have api, client, topic";
    assert!(run.stderr.contains(said), "{}", run.stderr);
}

#[test]
fn a_negative_count_is_no_compressed_message_set() {
    let mut negative = batch(54, 2).bytes();
    negative[57..61].copy_from_slice(&(-1_i32).to_be_bytes());
    let (_folder, path) = file("0.log", &[segment(), negative].concat());
    let text = kafscope(&["stats", &path], "").stdout;
    assert!(text.contains(", 44 records, 1 malformed\n"), "{text}");
    let run = kafscope(&["stats", "--json", &path], "");
    let stats: Json = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(
        (&stats["records"], &stats["uncounted"]),
        (&44.into(), &0.into())
    );
}

#[test]
fn what_is_wrong_in_a_segment_is_found() {
    let (_folder, path) = file("0.log", &segment());
    let sound = kafscope(&["check", &path], "");
    assert_eq!(
        (sound.status, &*sound.stdout),
        (0, "nothing found in 3 batches\n")
    );
    let mut damaged = batch(54, 2).bytes();
    // A letter of the last value.
    *damaged.iter_mut().nth_back(1).unwrap() ^= 1;
    let bytes = [
        segment(),
        batch(60, 1).bytes(),
        damaged,
        batch(70, 1).bytes()[..65].to_vec(),
    ]
    .concat();
    let (_folder, path) = file("0.log", &bytes);
    let run = kafscope(&["check", "--json", &path], "");
    assert_eq!(run.status, 1);
    let lines = run.stdout.lines();
    let found: Vec<Json> = lines.map(|l| serde_json::from_str(l).unwrap()).collect();
    let brief: Vec<(&str, &str, Json)> = found
        .iter()
        .map(|line| {
            let of = |name: &str| line[name].as_str().unwrap();
            (of("severity"), of("kind"), line["batches"].clone())
        })
        .collect();
    let expected = [
        ("error", "checksum", serde_json::json!([5])),
        // Batch 5 follows batch 3, so it is batch 4 that says the wrong offset.
        ("error", "offset-order", serde_json::json!([4])),
        ("warning", "incomplete", serde_json::json!([6])),
        ("note", "offset-gap", serde_json::json!([6])),
    ];
    assert_eq!(brief[..], expected);
    for line in &found {
        assert_eq!(line.get("exchanges"), None);
        assert_eq!(line.get("connections"), None);
    }
    let all = kafscope(&["check", "--all", &path], "").stdout;
    assert!(
        all.contains("batch 6, offsets: offsets 56 to 69 are in no batch"),
        "{all}"
    );
    let text = kafscope(&["check", &path], "").stdout;
    assert!(
        text.contains("2 errors, 1 warning, 1 note in 6 batches"),
        "{text}"
    );
    assert_eq!(kafscope(&["check", "--slow", "1", &path], "").status, 2);
}
