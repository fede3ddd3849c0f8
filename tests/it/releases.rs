//! `--schemas`: the definitions of another release, from a jar that is made here and from folders.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use zip::{ZipWriter, write::SimpleFileOptions};

use crate::program::{Run, kafscope};

/// DeleteGroups as a release might have it that knows versions 2 and 3.
const DELETE_GROUPS: &str = r#"// Licensed to nobody.
{
  "apiKey": 42,
  "type": "request",
  "listeners": ["broker"],
  "name": "DeleteGroupsRequest",
  // Version 3 says why.
  "validVersions": "2-3",
  "flexibleVersions": "2+",
  "fields": [
    { "name": "GroupsNames", "type": "[]string", "versions": "0+", "entityType": "groupId",
      "about": "Groups that have to go." },
    { "name": "Why", "type": "string", "versions": "3+", "about": "The reason for it." }
  ]
}"#;

const PING: &str = r#"{
  "apiKey": 120, "type": "request", "listeners": ["broker"], "name": "PingRequest",
  "validVersions": "0-1", "flexibleVersions": "0+",
  "fields": [ { "name": "Token", "type": "int32", "versions": "0+", "about": "Comes back." } ]
}"#;

const PONG: &str = r#"{
  "apiKey": 120, "type": "response", "name": "PingResponse",
  "validVersions": "0-1", "flexibleVersions": "0+",
  "fields": [
    { "name": "Token", "type": "int32", "versions": "0+", "about": "What was sent." },
    { "name": "AtTimestamp", "type": "int64", "versions": "1+", "about": "Time of the broker." }
  ]
}"#;

/// What a release keeps of an API that it does not speak any more.
const REMOVED: &str = r#"{
  "apiKey": 6, "type": "request", "listeners": [], "name": "UpdateMetadataRequest",
  // Removed.
  "validVersions": "none"
}"#;

const FILES: [(&str, &str); 4] = [
    ("UpdateMetadataRequest.json", REMOVED),
    ("DeleteGroupsRequest.json", DELETE_GROUPS),
    ("PingRequest.json", PING),
    ("PingResponse.json", PONG),
];

/// A file with a name of its own in a folder that goes away.
fn jar(folder: &Path, files: &[(&str, &str)]) -> PathBuf {
    let path = folder.join("kafka-clients-9.9.9.jar");
    let mut jar = ZipWriter::new(fs::File::create(&path).unwrap());
    for (name, text) in files {
        jar.start_file(*name, SimpleFileOptions::default()).unwrap();
        jar.write_all(text.as_bytes()).unwrap();
    }
    jar.finish().unwrap();
    path
}

fn clients_jar(folder: &Path) -> PathBuf {
    let named = FILES.map(|(name, text)| (format!("common/message/{name}"), text));
    let mut files = vec![
        ("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\n"),
        ("kafka/kafka-version.properties", "version=9.9.9\n"),
        ("other/Thing.json", "no definition at all"),
    ];
    files.extend(named.iter().map(|(name, text)| (name.as_str(), *text)));
    jar(folder, &files)
}

fn run(schemas: &Path, args: &[&str], input: &str) -> Run {
    let schemas = schemas.to_str().unwrap();
    kafscope(&[args, &["--schemas", schemas]].concat(), input)
}

fn fine(schemas: &Path, args: &[&str], input: &str) -> String {
    let run = run(schemas, args, input);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{args:?}");
    run.stdout
}

#[test]
fn a_jar_brings_versions_apis_and_its_own_words() {
    let folder = tempfile::tempdir().unwrap();
    let jar = clients_jar(folder.path());
    let tree = fine(&jar, &["layout", "DeleteGroups", "--only", "tree"], "");
    assert!(tree.contains("DeleteGroupsRequest"), "{tree}");
    assert!(tree.contains("message v3"), "{tree}");
    assert!(tree.contains("Groups that have to go."), "{tree}");
    assert!(tree.contains("The reason for it."), "{tree}");

    let hex = fine(
        &jar,
        &["encode", "Ping", "--version", "1", "--response", "--hex"],
        r#"{"Token": 7, "AtTimestamp": 1790000000000}"#,
    );
    let decoded = fine(
        &jar,
        &[
            "decode",
            "--response",
            "--api",
            "Ping",
            "--version",
            "1",
            "--only",
            "tree",
        ],
        &hex,
    );
    assert!(decoded.contains("Time of the broker."), "{decoded}");
    assert!(decoded.contains("2026-09-21T14:13:20.000Z"), "{decoded}");
    let asked = fine(&jar, &["encode", "120", "--hex"], r#"{"Token": 7}"#);
    let decoded = fine(&jar, &["decode", "--only", "tree"], &asked);
    assert!(decoded.contains("= 120 (Ping)"), "{decoded}");

    let apis = fine(&jar, &["apis"], "");
    assert!(apis.contains("120  Ping "), "{apis}");
    assert!(
        apis.contains(" 42  DeleteGroups                    2-3     0-3 "),
        "{apis}"
    );
}

/// A release forgets versions; captures do not.
#[test]
fn what_the_release_does_not_define_stays_known() {
    let folder = tempfile::tempdir().unwrap();
    let jar = clients_jar(folder.path());
    let args = ["layout", "DeleteGroups", "--version", "0", "--only", "tree"];
    assert_eq!(fine(&jar, &args, ""), kafscope(&args, "").stdout);
    for args in [
        ["layout", "Fetch", "--only", "hex"],
        ["layout", "UpdateMetadata", "--only", "hex"],
    ] {
        assert_eq!(fine(&jar, &args, ""), kafscope(&args, "").stdout);
    }
    let args = ["layout", "Produce", "--only", "hex"];
    assert_eq!(fine(&jar, &args, ""), kafscope(&args, "").stdout);
}

#[test]
fn definitions_are_found_in_folders_as_people_have_them() {
    let expected = {
        let folder = tempfile::tempdir().unwrap();
        let jar = clients_jar(folder.path());
        fine(&jar, &["layout", "Ping"], "")
    };
    let places = [
        "",
        "clients/src/main/resources/common/message",
        "resources/common/metadata",
    ];
    for place in places {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path().join(place);
        fs::create_dir_all(&at).unwrap();
        for (name, text) in FILES {
            fs::write(at.join(name), text).unwrap();
        }
        // What a checkout has beside them.
        let tests = folder
            .path()
            .join("clients/src/test/resources/common/message");
        fs::create_dir_all(&tests).unwrap();
        fs::write(tests.join("SimpleExampleMessage.json"), "{}").unwrap();
        fs::write(folder.path().join("package.json"), "{}").unwrap();
        assert_eq!(
            fine(folder.path(), &["layout", "Ping"], ""),
            expected,
            "{place}"
        );
    }
    // A distribution: its jars are in libs.
    let folder = tempfile::tempdir().unwrap();
    let libs = folder.path().join("libs");
    fs::create_dir_all(&libs).unwrap();
    clients_jar(&libs);
    assert_eq!(fine(folder.path(), &["layout", "Ping"], ""), expected);
}

#[test]
fn what_is_no_release_is_refused_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let complaint = |path: &Path| {
        let run = run(path, &["apis"], "");
        assert_eq!((run.status, run.stdout.as_str()), (2, ""));
        assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
        run.stderr
    };
    let holds = |text: String, parts: &[&str]| {
        for part in parts {
            assert!(text.contains(part), "{text}");
        }
    };
    holds(
        complaint(folder.path()),
        &["holds no message definitions", "expected"],
    );
    holds(
        complaint(&folder.path().join("none")),
        &["none", "No such file"],
    );
    let text = folder.path().join("text.jar");
    fs::write(&text, "not a zip file").unwrap();
    holds(
        complaint(&text),
        &["text.jar", "neither a folder nor a jar"],
    );
    let broken = jar(
        folder.path(),
        &[(
            "common/message/PingRequest.json",
            &PING.replace("int32", "int31"),
        )],
    );
    holds(
        complaint(&broken),
        &["common/message/PingRequest.json", "Token", "int31"],
    );
    let twice = jar(
        folder.path(),
        &[
            ("common/message/PingRequest.json", PING),
            ("common/message/Copy.json", PING),
        ],
    );
    holds(
        complaint(&twice),
        &["PingRequest is defined twice", "Copy.json"],
    );
    let mut cut = fs::read(&twice).unwrap();
    cut.truncate(cut.len() / 2);
    fs::write(&twice, cut).unwrap();
    holds(complaint(&twice), &["neither a folder nor a jar"]);
}
