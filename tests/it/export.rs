//! Exchanges and messages for others: pages, Markdown, pictures, JSON, CSV, smaller captures.

use std::{fs, path::Path};

use kafscope::{
    capture::{LinkType, Packet, Place, Survey, Writer},
    net::Flags,
};
use serde_json::Value as Json;

use crate::{
    markup::{Element, elements},
    program::{Run, kafscope},
};

const TOPICS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/topics.pcap");
const WORKLOAD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/workload.pcap.zst");
const MALFORMED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/malformed.pcap");
const WRONG_SIZE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/wrong-size.txt");
const TALK: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/samples/request-and-response.txt"
);
const LOGIN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/sasl-plain.hex");

/// What somebody may call a topic who wishes others ill.
pub(crate) const HOSTILE: &str =
    "=1+1<script>document.title='pwned'</script>\"onload='x']]><!--`|\\@me\u{202e}\0\u{1b}[2J";

pub(crate) fn export(args: &[&str], input: impl AsRef<[u8]>) -> String {
    let run = kafscope(&[&["export"], args].concat(), input);
    assert_eq!(run.status, 0, "{args:?}: {}", run.stderr);
    run.stdout
}

fn in_folder(name: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name).to_str().unwrap().to_owned();
    (folder, path)
}

fn by_class<'e>(elements: &'e [Element], class: &str) -> Vec<&'e Element> {
    let has_class = |element: &&Element| {
        let classes = element.attributes.get("class");
        classes.is_some_and(|classes| classes.split(' ').any(|c| c == class))
    };
    elements.iter().filter(has_class).collect()
}

#[test]
fn a_table_without_rows_has_its_columns() {
    let (_folder, path) = in_folder("exchanges.csv");
    for columns in [[].as_slice(), &["--columns", "n,api,topics"]] {
        let head = export(&[&[TOPICS], columns, &["--format", "csv"]].concat(), "");
        let head = head.lines().next().unwrap().to_owned() + "\n";
        let none = ["export", TOPICS, "--filter", "api == 'Fetch'", "-o", &path];
        let run = kafscope(&[&none, columns].concat(), "");
        assert_eq!(run.status, 1);
        assert!(run.stderr.contains("the filter takes none of 24 exchanges"));
        assert_eq!(fs::read_to_string(&path).unwrap().replace('\r', ""), head);
    }
}

/// A DeleteTopics request with one topic, as a frame.
pub(crate) fn request(topic: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0, 20, 0, 0, 0, 0, 0, 7, 0, 2, b'm', b'e', 0, 0, 0, 1];
    bytes.extend((topic.len() as u16).to_be_bytes());
    bytes.extend(topic);
    bytes.extend([0, 0, 0, 100]);
    let mut frame = (bytes.len() as u32).to_be_bytes().to_vec();
    frame.extend(bytes);
    frame
}

/// A capture of a client that opens a connection and sends requests.
pub(crate) fn capture(requests: &[Vec<u8>]) -> Vec<u8> {
    let mut seq = 1000u32;
    let mut frames = vec![ip_packet(seq, Flags::SYN, &[])];
    seq += 1;
    for request in requests {
        frames.push(ip_packet(seq, Flags::ACK.with(Flags::PSH), request));
        seq += request.len() as u32;
    }
    let packets: Vec<Packet<'_>> = (1..)
        .zip(&frames)
        .map(|(number, bytes)| Packet {
            number,
            number_in_file: number,
            time: 1_700_000_000_000_000_000 + number as i64 * 1_000_000,
            link: LinkType(101),
            bytes,
            original_len: bytes.len() as u32,
            record: Place::default(),
            header: Place::default(),
            place: Place::default(),
        })
        .collect();
    let mut survey = Survey::default();
    packets.iter().for_each(|packet| survey.see(packet));
    let mut file = Vec::new();
    let mut writer = Writer::new(&mut file, survey, &[]).unwrap();
    packets
        .iter()
        .for_each(|packet| writer.packet(packet).unwrap());
    writer.finish().unwrap();
    file
}

/// Raw IPv4 with a TCP segment to port 9092.
fn ip_packet(seq: u32, flags: Flags, payload: &[u8]) -> Vec<u8> {
    let mut packet = vec![0x45, 0];
    packet.extend((40 + payload.len() as u16).to_be_bytes());
    packet.extend([0, 0, 0x40, 0, 64, 6, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2]);
    packet.extend([0x9c, 0x40, 0x23, 0x84]);
    packet.extend(seq.to_be_bytes());
    packet.extend([0, 0, 0, 0, 0x50, flags.0, 0xff, 0xff, 0, 0, 0, 0]);
    packet.extend(payload);
    packet
}

#[test]
fn pages_are_well_formed_and_link_bytes_and_fields() {
    for args in [
        &[TOPICS][..],
        &[TOPICS, "7"],
        &[TOPICS, "7", "--response"],
        &[WORKLOAD, "20-40", "--wide"],
        &[MALFORMED, "--messages", "all"],
        &[WRONG_SIZE],
        &[TALK],
        &[LOGIN],
    ] {
        let page = export(&[args, &["--format", "html"]].concat(), "");
        assert!(page.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"));
        let all = elements(&page);
        let n_trees = by_class(&all, "tree").len();
        assert!(n_trees > 0);
        // Every run of bytes leads to a row, and every row with bytes to a run.
        for run in by_class(&all, "b") {
            assert_eq!(run.name, "a", "{run:?}");
        }
        assert_eq!(by_class(&all, "message").len(), n_trees);
        let has_heading = |name: &str| all.iter().any(|element| element.name == name);
        assert!(has_heading("h1") && has_heading("title") && has_heading("main"));
    }
}

#[test]
fn a_page_of_one_message_names_its_fields_shortly() {
    let page = export(&[WRONG_SIZE, "--format", "html"], "");
    let all = elements(&page);
    let row = all
        .iter()
        .find(|e| e.attributes.get("id").is_some_and(|id| id == "n2"));
    let classes = &row.unwrap().attributes["class"];
    assert_eq!(classes, "d2 frame has-error");
    let problems = by_class(&all, "problems");
    assert_eq!(problems.len(), 1);
    assert!(page.contains("everything but the size fits"));
    assert!(page.contains("(line 2, column 12)"));
    assert_eq!(
        by_class(&all, "b")[0].attributes["class"],
        "b frame has-error"
    );
}

#[test]
fn a_small_page_is_as_it_was() {
    let page = export(
        &["-", "--format", "html"],
        "00 12 00 00 00 00 00 07 00 01 3c",
    );
    let body = page.split("<body>\n").nth(1).unwrap();
    let body = body.split("<script>").next().unwrap();
    insta::assert_snapshot!("export_page", body);
    let picture = export(
        &["-", "--format", "svg"],
        "00 12 00 00 00 00 00 07 00 01 3c",
    );
    let lines = picture.split("</style>\n").nth(1).unwrap();
    insta::assert_snapshot!("export_picture", lines);
    let markdown = export(
        &["-", "--format", "markdown"],
        "00 12 00 00 00 00 00 07 00 01 3c",
    );
    insta::assert_snapshot!("export_markdown", markdown);
}

#[test]
fn a_page_may_run_its_own_script_and_nothing_else() {
    let page = export(&[WRONG_SIZE, "--format", "html"], "");
    let all = elements(&page);
    let policy = all
        .iter()
        .find(|e| {
            e.attributes
                .get("http-equiv")
                .is_some_and(|v| v == "Content-Security-Policy")
        })
        .unwrap();
    let policy = &policy.attributes["content"];
    assert!(policy.starts_with("default-src 'none'; "), "{policy}");
    assert!(!policy.contains("unsafe"), "{policy}");
    for (name, directive) in [("script", "script-src"), ("style", "style-src")] {
        let found: Vec<_> = all.iter().filter(|element| element.name == name).collect();
        assert_eq!(found.len(), 1, "{name}");
        let hash = sha256(&found[0].text);
        assert!(
            policy.contains(&format!("{directive} 'sha256-{hash}'")),
            "{policy}"
        );
    }
}

fn sha256(text: &str) -> String {
    use base64::Engine;
    use sha2::Digest;
    base64::engine::general_purpose::STANDARD.encode(sha2::Sha256::digest(text))
}

#[test]
fn hostile_names_are_text_in_every_format() {
    let frame = request(HOSTILE.as_bytes());
    let (_folder, path) = in_folder("hostile.pcap");
    fs::write(
        &path,
        capture(&[request(HOSTILE.as_bytes()), request(b"bad\xff\xfe`utf8")]),
    )
    .unwrap();
    for (args, input) in [(&["-"][..], &frame[..]), (&[&path], &[])] {
        let page = export(&[args, &["--format", "html", "--wide"]].concat(), input);
        let all = elements(&page);
        assert_eq!(all.iter().filter(|e| e.name == "script").count(), 1);
        assert!(
            page.contains("&lt;script&gt;document.title=&#39;pwned&#39;"),
            "{page}"
        );
        let picture = export(&[args, &["--format", "svg"]].concat(), input);
        let all = elements(&picture);
        assert!(all.iter().all(|element| element.name != "script"));
        let markdown = export(&[args, &["--format", "markdown"]].concat(), input);
        outside_of_code(&markdown);
        let json = export(&[args, &["--format", "json"]].concat(), input);
        for line in json.lines() {
            assert!(line.chars().all(|c| !c.is_control() && c != '\u{202e}'));
            serde_json::from_str::<Json>(line).unwrap();
        }
    }
    let table = export(
        &[&path, "--format", "csv", "--columns", "n,topics,client"],
        "",
    );
    assert_eq!(table.lines().next().unwrap().trim_end(), "n,topics,client");
    assert!(table.contains("\r\n1,\"'=1+1<script>"), "{table}");
    assert!(
        table
            .chars()
            .all(|c| !c.is_control() || c == '\r' || c == '\n')
    );
    assert_eq!(table.lines().count(), 3);
}

/// Looks at the Markdown that is no code: nothing from the wire is in it.
fn outside_of_code(markdown: &str) {
    let mut fence: Option<String> = None;
    for line in markdown.lines() {
        let ticks: String = line.chars().take_while(|&c| c == '`').collect();
        match &fence {
            Some(open) if *open == line => fence = None,
            Some(_) => {}
            None if ticks.len() >= 3 && line.ends_with("text") => fence = Some(ticks),
            None => {
                // Code in a line ends with as many ticks as it starts with.
                let mut rest = line;
                let mut plain = String::new();
                while let Some(at) = rest.find('`') {
                    plain.push_str(&rest[..at]);
                    let n = rest[at..].chars().take_while(|&c| c == '`').count();
                    let behind = &rest[at + n..];
                    rest = behind.split_once(&"`".repeat(n)).expect("an end of code").1;
                }
                plain.push_str(rest);
                for no in ["<", "script", "@", "\\", "'"] {
                    assert!(!plain.contains(no), "{no} in {plain}");
                }
            }
        }
    }
    assert_eq!(fence, None);
}

#[test]
fn secrets_stay_hidden_unless_they_are_asked_for() {
    for format in ["html", "markdown", "svg", "json"] {
        let args = [LOGIN, "--format", format];
        let shown = export(&[&args[..], &["--show-secrets"]].concat(), "");
        assert!(shown.contains("correct-horse"), "{format}: {shown}");
        let hidden = export(&args, "");
        assert!(!hidden.contains("correct-horse"), "{format}");
        assert!(!hidden.contains("72 65 63 74 2d"), "{format}");
        assert!(!hidden.contains("726563742d"), "{format}");
    }
}

/// The exchanges of a capture without what says where in it they are.
fn listed(path: &str) -> Vec<Json> {
    let run = kafscope(&["list", "--json", path], "");
    let lines = run.stdout.lines().map(|line| {
        let mut line: Json = serde_json::from_str(line).unwrap();
        line["n"] = Json::Null;
        line["connection"] = Json::Null;
        for side in ["request", "response"] {
            if line[side].is_object() {
                line[side]["packet"] = Json::Null;
            }
        }
        line
    });
    lines.collect()
}

#[test]
fn a_smaller_capture_has_the_same_exchanges() {
    let all = listed(TOPICS);
    let (_folder, path) = in_folder("some.pcap");
    for (args, expected) in [
        (&[][..], all.clone()),
        (&["7"], vec![all[6].clone()]),
        (
            &["1-2", "24"],
            vec![all[0].clone(), all[1].clone(), all[23].clone()],
        ),
        (&["3-20"], all[2..20].to_vec()),
        (
            &["--filter", "errors.size() > 0 && api == \"CreateTopics\""],
            vec![all[6].clone(), all[18].clone(), all[22].clone()],
        ),
    ] {
        export(&[&[TOPICS], args, &["--output", &path]].concat(), "");
        assert_eq!(listed(&path), expected, "{args:?}");
    }
    for n in 1..=all.len() {
        export(&[TOPICS, &n.to_string(), "-o", &path], "");
        assert_eq!(listed(&path), [all[n - 1].clone()], "{n}");
    }
}

#[test]
fn tls_stays_readable_with_the_secrets_that_came_along() {
    let tls = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/tls.pcapng");
    let (_folder, path) = in_folder("some.pcapng");
    let run = kafscope(&["export", tls, "2", "-o", &path], "");
    assert!(run.stderr.contains("--show-secrets"), "{}", run.stderr);
    assert!(listed(&path).is_empty());
    export(&[tls, "2", "-o", &path, "--show-secrets"], "");
    // All of the connection, whose records are decrypted one after the other.
    assert_eq!(listed(&path), listed(tls)[..2]);
}

#[test]
fn what_the_key_log_has_goes_into_the_capture_when_asked() {
    let folder = tempfile::tempdir().unwrap();
    let unpacked = |name: &str| {
        let root = env!("CARGO_MANIFEST_DIR");
        let packed = fs::read(format!("{root}/tests/data/captures/{name}.zst")).unwrap();
        let path = folder.path().join(name);
        fs::write(&path, zstd::decode_all(&packed[..]).unwrap()).unwrap();
        path.to_str().unwrap().to_owned()
    };
    for (tls, keylog) in [
        ("tls12_kafka.pcap", "tls12.keylog"),
        ("tls13_kafka.pcap", "tls13.keylog"),
    ] {
        let (tls, keylog) = (unpacked(tls), unpacked(keylog));
        let all = kafscope(&["list", "--json", "--keylog", &keylog, &tls], "").stdout;
        let path = folder.path().join("some.pcapng");
        let path = path.to_str().unwrap();
        let args = ["export", &tls, "1", "--keylog", &keylog, "-o", path];
        let run = kafscope(&args, "");
        assert!(run.stderr.contains("--show-secrets"), "{}", run.stderr);
        assert!(listed(path).is_empty());
        export(&[&args[1..], &["--show-secrets"]].concat(), "");
        let all: Vec<Json> = all
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let of_first = all
            .iter()
            .filter(|line| line["connection"] == all[0]["connection"]);
        assert_eq!(listed(path).len(), of_first.count());
        // Secrets of other connections stay where they are.
        let (small, log) = (fs::read(path).unwrap(), fs::read(&keylog).unwrap());
        let randoms = |text: &[u8]| -> std::collections::HashSet<String> {
            let text = String::from_utf8_lossy(text).into_owned();
            let words = text.lines().filter_map(|line| line.split(' ').nth(1));
            let randoms = words.filter(|word| word.len() == 64);
            randoms.map(str::to_owned).collect()
        };
        let known = randoms(&log);
        let kept = known.iter().filter(|random| {
            let mut places = small.windows(64);
            places.any(|place| place == random.as_bytes())
        });
        assert_eq!(kept.count(), 1, "{tls}");
    }
}

#[test]
fn lines_and_rows_are_those_of_the_contract() {
    let json = export(&[TOPICS, "7", "--format", "json"], "");
    let lines: Vec<Json> = json
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    let kinds: Vec<_> = lines
        .iter()
        .map(|line| (&line["type"], &line["kind"]))
        .collect();
    assert_eq!(
        kinds,
        [
            (&"exchange".into(), &"api".into()),
            (&"message".into(), &"request".into()),
            (&"message".into(), &"response".into()),
        ] as [(&Json, &Json); 3]
    );
    assert_eq!(lines[0]["n"], 7);
    let columns = [
        "--format",
        "json",
        "--columns",
        "n,api",
        "--limit",
        "2",
        "--sort",
        "-n",
    ];
    let json = export(&[&[TOPICS], &columns[..]].concat(), "");
    assert_eq!(
        json,
        "{\"n\":24,\"api\":\"GetTelemetrySubscriptions\"}\n{\"n\":23,\"api\":\"CreateTopics\"}\n"
    );
    let csv = export(
        &[
            TOPICS,
            "7",
            "15",
            "--format",
            "csv",
            "--columns",
            "+body.TimeoutMs",
        ],
        "",
    );
    assert_eq!(
        csv,
        "n,time,connection,client,server,api,version,client_id,topics,bytes,latency_ms,errors,body.TimeoutMs\r\n\
         7,2026-11-29T17:52:33.963692Z,2,127.0.0.1:54636,127.0.0.1:19092,CreateTopics,4,ck-admin,ck-topic,121,0.221,TOPIC_ALREADY_EXISTS,\r\n\
         15,2026-11-29T17:52:34.276873Z,3,127.0.0.1:54648,127.0.0.1:19092,Metadata,6,kafkajs-lab,\"[\"\"bad topic/..\"\",\"\"ck-dry\"\",\"\"ck-topic\"\",\"\"java-topic-hs\"\"]\",375,10.896,,\r\n"
    );
}

#[test]
fn a_bound_is_said_and_can_be_lifted() {
    let page = |args: &[&str]| -> (Run, usize) {
        let run = kafscope(
            &[&["export", TOPICS, "--format", "html"], args].concat(),
            "",
        );
        let n = by_class(&elements(&run.stdout), "exchange").len();
        (run, n)
    };
    let (run, n) = page(&["--messages", "3"]);
    assert_eq!(n, 3);
    let said =
        "the messages of 21 more exchanges are left out; --messages all writes out all of them";
    assert_eq!(run.stderr, format!("kafscope: {said}\n"));
    assert!(run.stdout.contains(said));
    let rows = run.stdout.matches("<tr><td>").count();
    assert_eq!(rows, 24, "the list has all of them");
    let (run, n) = page(&["--messages", "all"]);
    assert_eq!((n, run.stderr.as_str()), (24, ""));
    let long = kafscope(&["export", TOPICS, "--format", "markdown"], "");
    assert!(
        long.stderr.contains("an issue on GitHub takes 65536"),
        "{}",
        long.stderr
    );
}

#[test]
fn an_output_is_complete_or_not_there() {
    let (folder, path) = in_folder("topics.pcap");
    fs::copy(TOPICS, &path).unwrap();
    // A capture may be replaced by a part of itself.
    export(&[&path, "7", "--output", &path], "");
    assert_eq!(listed(&path).len(), 1);
    let run = kafscope(&["export", &path, "9", "--output", &path], "");
    assert_eq!(run.status, 1, "{}", run.stderr);
    assert_eq!(listed(&path).len(), 1);
    let names: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(names.len(), 1, "{names:?}");
    let run = kafscope(&["export", &path, "-o", "no-such-folder/a.html"], "");
    assert!(
        run.stderr
            .starts_with("kafscope: cannot write no-such-folder/a.html: ")
    );
    assert_eq!(run.status, 2);
    assert!(!Path::new("no-such-folder").exists());
}

#[test]
fn what_does_not_go_together_is_said() {
    for (args, said) in [
        (&[TOPICS][..], "--format"),
        (
            &[TOPICS, "-o", "x.doc"],
            "x.doc: no format is known by this name",
        ),
        (
            &[WRONG_SIZE, "3", "--format", "html"],
            "numbers are for the exchanges",
        ),
        (
            &[WRONG_SIZE, "--format", "csv"],
            "CSV, Parquet and smaller captures",
        ),
        (
            &[WRONG_SIZE, "--format", "html", "--response"],
            "--api and --version",
        ),
        (
            &[TOPICS, "--format", "html", "--as", "RecordBatch"],
            "the input is a capture",
        ),
        (&[TOPICS, "--format", "html", "--sort", "nothing"], "--sort"),
    ] {
        let run = kafscope(&[&["export"], args].concat(), "");
        assert_eq!(run.status, 2, "{args:?}");
        assert!(run.stderr.contains(said), "{args:?}: {}", run.stderr);
        assert_eq!(run.stdout, "");
    }
}
