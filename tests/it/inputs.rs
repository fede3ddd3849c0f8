//! Inputs as production has them: directories, patterns, rotated files, files that still grow.

use std::{fs, path::Path};

use crate::program::kafscope;

fn topics() -> Vec<u8> {
    fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/samples/topics.pcap")).unwrap()
}

/// Offsets of the records of a little-endian pcap file, and its end.
fn records(file: &[u8]) -> Vec<usize> {
    let mut at = vec![24];
    while let Some(bytes) = file.get(at[at.len() - 1] + 8..at[at.len() - 1] + 12) {
        let len = u32::from_le_bytes(bytes.try_into().unwrap()) as usize;
        at.push(at[at.len() - 1] + 16 + len);
    }
    at
}

/// The capture in `n` files, as rotation leaves them.
fn rotated(n: usize) -> Vec<Vec<u8>> {
    let file = topics();
    let at = records(&file);
    let cut = |idx: usize| at[(at.len() - 1) * idx / n];
    (0..n)
        .map(|idx| [&file[..24], &file[cut(idx)..cut(idx + 1)]].concat())
        .collect()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_directory_and_a_pattern_are_one_capture() {
    let whole = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/topics.pcap");
    let expected = kafscope(&["list", whole], "").stdout;
    let folder = tempfile::tempdir().unwrap();
    for (idx, file) in rotated(4).iter().enumerate() {
        // Names in the opposite order, and one that says nothing.
        fs::write(folder.path().join(format!("cap{}.pcap", 9 - idx)), file).unwrap();
    }
    let list = kafscope(&["list", text(folder.path())], "");
    assert_eq!(
        (list.status, list.stdout.as_str(), list.stderr.as_str()),
        (0, expected.as_str(), "")
    );
    let pattern = folder.path().join("cap?.pcap");
    let list = kafscope(&["list", text(&pattern)], "");
    assert_eq!(list.stdout, expected);
    // With what else lies there.
    fs::write(folder.path().join("notes.txt"), "not a capture").unwrap();
    fs::write(folder.path().join("new.pcap"), "").unwrap();
    fs::write(folder.path().join("x.gz"), b"\x1f\x8b\x08garbage").unwrap();
    fs::create_dir(folder.path().join("more")).unwrap();
    let list = kafscope(&["list", text(folder.path())], "");
    assert_eq!((list.status, list.stdout.as_str()), (0, expected.as_str()));
    assert_eq!(list.stderr.lines().count(), 2, "{}", list.stderr);
    assert!(
        list.stderr
            .contains("2 files that are no captures are left out")
    );
    assert!(list.stderr.contains("cannot be decompressed"));
    // An empty file that is named is told as well, and is no failure beside others.
    let empty = folder.path().join("new.pcap");
    let list = kafscope(&["list", text(&empty), whole], "");
    assert_eq!((list.status, list.stdout.as_str()), (0, expected.as_str()));
    assert!(list.stderr.contains("new.pcap is empty"), "{}", list.stderr);
    let list = kafscope(&["list", text(&empty)], "");
    assert_eq!(list.status, 2);
    let none = kafscope(&["list", text(&folder.path().join("more"))], "");
    assert_eq!(none.status, 2);
    assert!(
        none.stderr.contains("no file is a capture"),
        "{}",
        none.stderr
    );
}

#[test]
fn provenance_names_file_and_packet_of_every_run() {
    let folder = tempfile::tempdir().unwrap();
    let files = rotated(3);
    for (idx, file) in files.iter().enumerate() {
        fs::write(folder.path().join(format!("{idx}")), file).unwrap();
    }
    let run = kafscope(
        &["show", text(folder.path()), "24", "--json", "--provenance"],
        "",
    );
    assert_eq!(run.stdout.lines().count(), 2, "{}", run.stderr);
    for line in run.stdout.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        for run in line["provenance"].as_array().unwrap() {
            let name = Path::new(run["file"].as_str().unwrap());
            let idx: usize = name.file_name().unwrap().to_str().unwrap().parse().unwrap();
            let number = run["packet_in_file"].as_u64().unwrap() as usize;
            let at = records(&files[idx]);
            let offset = run["file_offset"].as_u64().unwrap() as usize;
            assert!(at[number - 1] < offset && offset < at[number], "{run}");
            let before: usize = files[..idx]
                .iter()
                .map(|file| records(file).len() - 1)
                .sum();
            assert_eq!(run["packet"].as_u64().unwrap() as usize, before + number);
        }
    }
    let shown = kafscope(&["show", text(folder.path()), "24", "--provenance"], "");
    assert!(
        shown.stdout.contains("packet    in file   time"),
        "{}",
        shown.stdout
    );
}

/// Files that grow while they are listed.
#[cfg(unix)]
mod following {
    use std::{
        fs::{self, File, OpenOptions},
        io::{BufRead, BufReader, Read, Write},
        path::Path,
        process::{Child, ChildStdout, Command, Stdio},
        time::{Duration, Instant},
    };

    use super::{records, rotated, text, topics};
    use crate::program::kafscope;

    struct List {
        child: Child,
        stdout: BufReader<ChildStdout>,
    }

    impl List {
        fn of(path: &Path) -> List {
            let mut child = Command::new(env!("CARGO_BIN_EXE_kafscope"))
                .args(["list", "--follow", "--json", text(path)])
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            let stdout = BufReader::new(child.stdout.take().unwrap());
            List { child, stdout }
        }

        /// Waits for rows up to number `n`.
        fn expect(&mut self, n: u64) {
            loop {
                let mut line = String::new();
                assert_ne!(
                    self.stdout.read_line(&mut line).unwrap(),
                    0,
                    "ended before {n}"
                );
                let row: serde_json::Value = serde_json::from_str(&line).unwrap();
                assert!(!row["response"].is_null(), "{row}");
                if row["n"] == n {
                    return;
                }
            }
        }

        /// Ends it, and returns what was said on standard error.
        fn interrupt(mut self) -> String {
            let interrupted = Command::new("kill")
                .args(["-INT", &self.child.id().to_string()])
                .status()
                .unwrap();
            assert!(interrupted.success());
            let mut rest = String::new();
            self.stdout.read_to_string(&mut rest).unwrap();
            assert_eq!(rest, "");
            let mut said = String::new();
            let stderr = self.child.stderr.as_mut().unwrap();
            stderr.read_to_string(&mut said).unwrap();
            assert!(self.child.wait().unwrap().success(), "{said}");
            said
        }
    }

    fn append(path: &Path, bytes: &[u8]) {
        let mut file = OpenOptions::new().append(true).open(path).unwrap();
        file.write_all(bytes).unwrap();
    }

    #[test]
    fn a_file_that_grows_is_listed_as_it_comes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("growing");
        let file = topics();
        let at = records(&file);
        // The middle of a packet.
        let half = at[at.len() / 2] + 20;
        fs::write(&path, &file[..half]).unwrap();
        let mut list = List::of(&path);
        list.expect(5);
        append(&path, &file[half..half + 3]);
        append(&path, &file[half + 3..]);
        list.expect(24);
        assert_eq!(list.interrupt(), "");
    }

    #[test]
    fn the_next_file_of_a_rotation_goes_on_where_the_last_one_ended() {
        let folder = tempfile::tempdir().unwrap();
        let files = rotated(3);
        let at = |idx: usize| folder.path().join(format!("cap{idx}"));
        fs::write(at(0), &files[0]).unwrap();
        let begin = Instant::now();
        let mut list = List::of(folder.path());
        list.expect(3);
        fs::write(at(1), &files[1]).unwrap();
        list.expect(10);
        // Rotation that begins again under the first name.
        fs::write(at(0), &files[2]).unwrap();
        list.expect(24);
        assert!(begin.elapsed() < Duration::from_secs(30));
        list.interrupt();
    }

    #[test]
    fn a_file_that_is_shortened_or_replaced_is_told_and_followed_on() {
        for replaces in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("cap");
            let files = rotated(2);
            fs::write(&path, &files[0]).unwrap();
            let mut list = List::of(&path);
            list.expect(5);
            if replaces {
                let other = folder.path().join("other");
                fs::write(&other, &files[1][..24]).unwrap();
                fs::rename(&other, &path).unwrap();
                append(&path, &files[1][24..]);
            } else {
                File::create(&path).unwrap();
                std::thread::sleep(Duration::from_millis(300));
                append(&path, &files[1]);
            }
            list.expect(24);
            let said = list.interrupt();
            let expected = match replaces {
                true => "another file has taken its name",
                false => "the file was shortened from",
            };
            assert!(said.contains(expected), "{said}");
        }
    }

    #[test]
    fn what_cannot_be_followed_is_refused() {
        let packed = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/workload.pcap.zst");
        let run = kafscope(&["list", "--follow", packed], "");
        assert_eq!(run.status, 2);
        assert!(
            run.stderr
                .contains("compressed with zstd and cannot be followed")
        );
        let run = kafscope(&["list", "--follow", "-"], topics());
        assert_eq!(run.status, 2);
        assert!(run.stderr.contains("standard input cannot be followed"));
    }
}

/// Which input holds secrets is known when the inputs have their order.
#[test]
fn secrets_are_read_from_the_capture_that_carries_them() {
    for inputs in [
        ["samples/tls.pcapng", "samples/topics.pcap"],
        ["samples/topics.pcap", "samples/tls.pcapng"],
    ] {
        let run = kafscope(&["list", inputs[0], inputs[1]], "");
        assert_eq!((run.status, run.stderr.as_str()), (0, ""));
        let alone = kafscope(&["list", "samples/tls.pcapng"], "");
        let n_lines = |run: &crate::program::Run| run.stdout.lines().count();
        let topics = kafscope(&["list", "samples/topics.pcap"], "");
        assert_eq!(n_lines(&run) + 1, n_lines(&alone) + n_lines(&topics));
    }
}

/// Clients call themselves what they like.
#[test]
fn a_client_id_is_listed_whatever_is_in_it() {
    let capture = fs::read("samples/topics.pcap").unwrap();
    for (odd, listed) in [
        (&b"ck-adm\x1bn"[..], "\"client_id\":\"ck-adm\\u001bn\""),
        (&b"ck-adm\xffn"[..], "\"client_id\":\"ck-adm\u{fffd}n\""),
    ] {
        let mut changed = capture.clone();
        let starts: Vec<usize> = memchr::memmem::find_iter(&capture, b"ck-admin").collect();
        for at in starts {
            changed[at..at + odd.len()].copy_from_slice(odd);
        }
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("odd.pcap");
        fs::write(&file, changed).unwrap();
        let list = kafscope(&["list", file.to_str().unwrap(), "--json"], "").stdout;
        let plain = kafscope(&["list", "samples/topics.pcap", "--json"], "").stdout;
        let named = plain.matches("\"client_id\":\"ck-admin\"").count();
        assert!(named > 5);
        assert_eq!(list.matches(listed).count(), named, "{list}");
    }
}

/// A digit may have been lost, so it is said how one alone is read.
#[test]
fn a_single_digit_among_pairs_is_said_to_be_one() {
    let run = kafscope(&["decode", "-"], "00 00 00 5 1\n");
    assert!(
        run.stderr
            .contains("1:10: the single digit `5` is read as the byte 05, and so are 1 more"),
        "{}",
        run.stderr
    );
    let run = kafscope(&["decode", "-"], "00 00 00 05\n");
    assert!(!run.stderr.contains("single digit"), "{}", run.stderr);
}

/// An answer that nobody asked for, and that comes when its row was printed, is told by printing it again.
#[test]
fn late_answers_to_what_wants_none_are_told_from_a_pipe() {
    use std::{
        io::{BufRead, BufReader, Read, Write},
        process::{Command, Stdio},
    };

    use serde_json::json;

    use crate::traffic::Traffic;

    let mut traffic = Traffic::new();
    let topics = json!([]);
    let produce = json!({"Acks": 0, "TimeoutMs": 1000, "TopicData": topics});
    let asked = traffic.ask(1, "app", ("Produce", 3), &produce);
    let first = traffic.file();
    traffic.wait(3_000_000);
    traffic.answer(&asked, &json!({"Responses": [], "ThrottleTimeMs": 0}));
    let all = traffic.file();
    let mut child = Command::new(env!("CARGO_BIN_EXE_kafscope"))
        .args(["list", "--json", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdin.write_all(&first).unwrap();
    stdin.flush().unwrap();
    let mut early = String::new();
    stdout.read_line(&mut early).unwrap();
    stdin.write_all(&all[first.len()..]).unwrap();
    drop(stdin);
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    assert!(child.wait().unwrap().success());
    let row = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap();
    assert_eq!(row(&early)["status"], "no-response-expected", "{early}");
    assert_eq!(rest, kafscope(&["list", "--json", "-"], &all).stdout);
    assert_eq!(row(&rest)["status"], "unexpected", "{rest}");
}
