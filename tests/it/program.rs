//! Runs the built program.

use std::{
    io::Write,
    process::{Command, Stdio},
};

use kafscope::{
    render::{Cut, Palette, Parts, message},
    tree::Tree,
};

pub(crate) struct Run {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) status: i32,
}

/// Runs kafscope with `args` and `input` on standard input.
pub(crate) fn kafscope(args: &[&str], input: impl AsRef<[u8]>) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_kafscope"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.as_ref().to_vec();
    // A program that does not read its input closes the pipe.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Run {
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        status: output.status.code().expect("an exit status"),
    }
}

/// A message as the program prints it, all of it.
pub(crate) fn text(tree: &Tree) -> String {
    let mut text = String::new();
    message(
        &mut text,
        tree,
        Parts::All,
        Cut::Wide,
        Palette::Plain,
        |_| None,
    )
    .unwrap();
    text
}

#[test]
fn a_piped_capture_is_listed_whole_without_a_command() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/topics.pcap");
    let run = kafscope(&["-"], std::fs::read(path).unwrap());
    assert_eq!(
        (run.status, run.stdout.lines().count()),
        (0, 25),
        "{}",
        run.stderr
    );
}

#[test]
fn json_never_steers_a_terminal() {
    let client_id = "\u{7f}\u{9b}31m\u{202e}日\u{1b}[2J";
    let mut frame = vec![0, 18, 0, 0, 0, 0, 0, 1, 0, client_id.len() as u8];
    frame.extend(client_id.bytes());
    let run = kafscope(&["decode", "--json", "--tree"], frame);
    assert!(run.stdout.trim_end().chars().all(|c| !c.is_control()));
    assert!(!run.stdout.contains('\u{202e}'));
    let line: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(line["client_id"], client_id);
}

/// What a growing pipe shows, and how an interrupt ends it.
#[cfg(unix)]
mod live {
    use std::{
        io::{BufRead, BufReader, Read, Write},
        process::{Command, Stdio},
        time::{Duration, Instant},
    };

    use serde_json::json;

    use crate::timed::Traffic;

    #[test]
    fn a_growing_pipe_is_listed_as_it_comes() {
        for (json, first) in [(false, " n  time"), (true, "{\"type\":\"exchange\"")] {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/topics.pcap");
            let capture = std::fs::read(path).unwrap();
            let mut child = Command::new(env!("CARGO_BIN_EXE_kafscope"))
                .args(["list", "-"])
                .args(json.then_some("--json"))
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            // Half of it, and the pipe stays open.
            let mut stdin = child.stdin.take().unwrap();
            stdin.write_all(&capture[..capture.len() / 2]).unwrap();
            stdin.flush().unwrap();
            let mut stdout = BufReader::new(child.stdout.take().unwrap());
            let mut line = String::new();
            stdout.read_line(&mut line).unwrap();
            assert!(line.starts_with(first), "{line}");
            for _ in 0..3 {
                line.clear();
                stdout.read_line(&mut line).unwrap();
                assert!(
                    line.contains("ApiVersions") || line.contains("Metadata"),
                    "{line}"
                );
            }
            let begin = Instant::now();
            let interrupt = Command::new("kill")
                .args(["-INT", &child.id().to_string()])
                .status()
                .unwrap();
            assert!(interrupt.success());
            let mut rest = String::new();
            stdout.read_to_string(&mut rest).unwrap();
            assert!(child.wait().unwrap().success());
            assert!(begin.elapsed() < Duration::from_secs(20));
            drop(stdin);
        }
    }

    /// The signal that a mapped file which became shorter is to its reader.
    #[test]
    fn a_capture_that_becomes_shorter_is_no_silent_end() {
        let mut child = Command::new(env!("CARGO_BIN_EXE_kafscope"))
            .args(["list", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let mut traffic = Traffic::new();
        let (request, response) = (json!({}), json!({"ErrorCode": 35}));
        for piece in traffic.exchange_in_parts(18, 0, &request, &response, 0) {
            stdin.write_all(&piece).unwrap();
        }
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        let id = child.id().to_string();
        let sent = Command::new("kill").args(["-s", "BUS", &id]).status();
        assert!(sent.unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let words = String::from_utf8(output.stderr).unwrap();
        assert!(words.contains("became shorter"), "{words}");
        drop(stdin);
    }

    /// Whoever looks at a running capture looks for what is slow.
    #[test]
    fn a_response_that_comes_late_is_listed_after_all() {
        let mut traffic = Traffic::new();
        let (request, response) = (json!({}), json!({"ErrorCode": 35}));
        let sent = traffic.exchange_in_parts(18, 0, &request, &response, 2500);
        for filter in [None, Some("latency_ms > 2000.0")] {
            let mut child = Command::new(env!("CARGO_BIN_EXE_kafscope"))
                .args(["list", "-", "--json"])
                .args(filter.into_iter().flat_map(|filter| ["--filter", filter]))
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            let mut stdin = child.stdin.take().unwrap();
            stdin.write_all(&sent[0]).unwrap();
            let mut stdout = BufReader::new(child.stdout.take().unwrap());
            let mut line = String::new();
            if filter.is_none() {
                stdout.read_line(&mut line).unwrap();
                assert!(line.contains("\"unanswered\""), "{line}");
            } else {
                // Longer than the row waits for its response.
                std::thread::sleep(Duration::from_millis(1500));
            }
            stdin.write_all(&sent[1]).unwrap();
            line.clear();
            stdout.read_line(&mut line).unwrap();
            assert!(line.contains("\"n\":1,"), "{line}");
            assert!(line.contains("\"answered\""), "{line}");
            drop(stdin);
            line.clear();
            stdout.read_to_string(&mut line).unwrap();
            assert_eq!(line, "");
            assert!(child.wait().unwrap().success());
        }
    }
}

#[test]
fn an_input_without_command_is_told_by_its_first_bytes() {
    let capture = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/topics.pcap");
    let listed = kafscope(&[capture], "");
    assert!(listed.stdout.contains("CreateTopics"));
    let piped = kafscope(&["-"], std::fs::read(capture).unwrap());
    assert_eq!(piped.stdout, listed.stdout);
    let pasted = kafscope(&["-"], "00 12 00 00 00 00 00 01 ff ff");
    assert!(pasted.stdout.starts_with("ApiVersionsRequest"));
    let twice = kafscope(&["list", "-", "-"], std::fs::read(capture).unwrap());
    assert_eq!(
        (twice.status, twice.stderr.as_str()),
        (
            2,
            "kafscope: standard input is given twice, and can be read once\n"
        )
    );
}

#[test]
fn numbers_of_logs_are_json_when_json_is_asked_for() {
    let log = "received size 369295616 from client\n";
    let run = kafscope(&["decode", "--json"], log);
    let line: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(line["type"], "number");
    assert_eq!(line["bytes"], "16030100");
    assert_eq!(line["guess"], "a TLS handshake");
}

#[test]
fn remarks_come_to_an_end() {
    let paste = "[]byte{0x00, 0x03, 0x00}\n".repeat(500) + &"0x00, ..., ".repeat(500);
    let run = kafscope(&["decode", "--only", "tree"], paste);
    assert!(run.stderr.lines().count() <= 33, "{}", run.stderr);
    let paste = "0x00, ..., ".repeat(500);
    let run = kafscope(&["decode", "--only", "tree"], paste);
    assert!(run.stderr.ends_with("further remarks are left out\n"));
    assert_eq!(run.stderr.lines().count(), 33);
}

#[test]
fn what_cannot_be_read_is_named() {
    let error = |path| kafscope(&["decode", path], "").stderr;
    assert!(error("no-such-file").starts_with("kafscope: cannot read no-such-file: "));
    assert_eq!(
        error("samples"),
        "kafscope: samples is a directory, expected a file\n"
    );
}

#[test]
fn a_capture_that_is_pasted_is_known() {
    let capture = std::fs::read("samples/topics.pcap").unwrap();
    let pairs: Vec<String> = capture.iter().map(|byte| format!("{byte:02x}")).collect();
    let rows = pairs.chunks(16).enumerate();
    let dump: String = rows
        .map(|(idx, row)| format!("{:08x}: {}\n", 16 * idx, row.join(" ")))
        .collect();
    for paste in [dump, pairs.concat()] {
        let run = kafscope(&["decode"], paste);
        assert_eq!(run.status, 2);
        let said =
            "kafscope: standard input: these are the bytes of a pcap capture, not of a message";
        assert!(run.stderr.starts_with(said), "{}", run.stderr);
    }
}

#[cfg(unix)]
#[test]
fn an_input_without_end_is_refused() {
    let run = kafscope(&["decode", "/dev/zero"], "");
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("is longer than"), "{}", run.stderr);
}
