//! The browser in a pseudo-terminal, from the first key to the last.

use std::{
    process::Command,
    time::{Duration, Instant},
};

use crate::pty::Terminal;

const TOPICS: &str = "samples/topics.pcap";

/// Waits until the list of the sample is there.
fn open(columns: u16, rows: u16) -> Terminal {
    let terminal = Terminal::start(&[TOPICS], columns, rows);
    terminal.wait_for("24 exchanges");
    terminal
}

#[test]
fn the_terminal_is_given_back_at_the_end() {
    for keys in ["q", ":q\r"] {
        let mut terminal = open(80, 24);
        terminal.send(keys);
        assert!(terminal.end().success());
    }
}

#[cfg(unix)]
#[test]
fn the_terminal_is_given_back_at_a_signal() {
    for signal in ["TERM", "HUP", "INT"] {
        let terminal = open(80, 24);
        let pid = terminal.pid().to_string();
        let sent = Command::new("kill").args(["-s", signal, &pid]).status();
        assert!(sent.unwrap().success());
        assert!(!terminal.end().success(), "{signal}");
    }
}

/// What a capture that becomes shorter does to who looks at it.
#[cfg(unix)]
#[test]
fn the_terminal_is_given_back_at_a_fault() {
    let terminal = open(80, 24);
    let pid = terminal.pid().to_string();
    let sent = Command::new("kill").args(["-s", "BUS", &pid]).status();
    assert!(sent.unwrap().success());
    assert_eq!(terminal.end().exit_code(), 2);
}

/// An expression that no exchange is done with within a minute.
fn slow_filter() -> String {
    let open = (0..9).map(|n| format!("[0,1,2,3,4,5,6,7,8,9].all(x{n}, "));
    format!("{}n > 0{}", open.collect::<String>(), ")".repeat(9))
}

#[test]
fn nobody_waits_for_a_slow_filter_at_the_end() {
    for keys in ["q", "\x03", ""] {
        let mut terminal = open(100, 30);
        terminal.send(&format!("f{}\r", slow_filter()));
        terminal.wait_for("looking through the exchanges");
        let begun = Instant::now();
        match keys {
            "" => {
                let pid = terminal.pid().to_string();
                let sent = Command::new("kill").args(["-s", "TERM", &pid]).status();
                assert!(sent.unwrap().success());
            }
            keys => terminal.send(keys),
        }
        assert_eq!(terminal.end().success(), !keys.is_empty());
        assert!(begun.elapsed() < Duration::from_secs(3), "{keys:?}");
    }
}

#[test]
fn any_size_and_back() {
    let mut terminal = open(120, 40);
    terminal.send("j");
    terminal.wait_for("MetadataRequest message");
    for (columns, rows) in [(20, 5), (1, 1), (80, 24), (200, 50), (3, 60)] {
        terminal.resize(columns, rows);
        terminal.send("kj");
    }
    terminal.resize(120, 40);
    // Keys may have come before the sizes did, and the list may be scrolled for one of those.
    terminal.wait_for(": command   q quit                    24 exchanges");
    terminal.send("kj");
    // All panes are there again, with nothing left of other sizes.
    terminal.wait("screen of this size", |screen| {
        let contents = screen.contents();
        let parts = [
            "exchange 2 of 24",
            "▸\n 1  17:52:33.943834     1  ApiVersions",
            "request: MetadataRequest message v12",
            "\n0000  00 00 00 17 00 03 00 0c",
            "\n? help   Tab pane",
        ];
        parts.iter().all(|part| contents.contains(part))
    });
    terminal.send("q");
    assert!(terminal.end().success());
}

#[test]
fn a_mouse_chooses_a_row_and_a_field() {
    let mut terminal = open(120, 40);
    let row = terminal.position("GetTelemetrySubscrip");
    terminal.click(row);
    terminal.wait_for("GetTelemetrySubscriptionsRequest");
    let field = terminal.position("correlation_id");
    terminal.click(field);
    terminal.wait("the path of the field in the status", |screen| {
        let contents = screen.contents();
        let mut last = contents.lines().rev().take(3);
        last.any(|line| line.contains("correlation_id"))
    });
    terminal.send("q");
    assert!(terminal.end().success());
}

#[test]
fn a_paste_opens_as_a_message() {
    let mut terminal = open(120, 40);
    // A DeleteTopics request of version 6 that names one topic, "a".
    let hex = "0000 0025 0014 0006 0000 0007 0001 63 00 02 02 61 \
               0000000000000000 0000000000000000 00 000003e8 00";
    terminal.send(&format!("\x1b[200~{hex}\x1b[201~"));
    terminal.wait_for("DeleteTopicsRequest");
    terminal.send(":q!\r");
    assert!(terminal.end().success());
}

#[test]
fn a_file_of_hex_text_or_raw_bytes_opens_as_what_is_pasted() {
    let folder = tempfile::tempdir().unwrap();
    let raw = folder.path().join("raw");
    let hex = "000000250014000600000007000163000202610000000000000000000000000000000000000003e800";
    let digits = hex.as_bytes().chunks(2);
    let bytes: Vec<u8> = digits
        .map(|pair| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect();
    std::fs::write(&raw, bytes).unwrap();
    for (path, message) in [
        ("samples/wrong-size.txt", "DeleteGroupsRequest"),
        (
            "samples/request-and-response.txt",
            "request-and-response.txt: message 1 of 2",
        ),
        (raw.to_str().unwrap(), "DeleteTopicsRequest"),
    ] {
        let mut terminal = Terminal::start(&[path], 120, 40);
        terminal.wait_for(message);
        terminal.send("q");
        assert!(terminal.end().success(), "{path}");
    }
}

#[test]
fn what_is_no_message_is_printed_as_decode_does() {
    for (path, said) in [
        ("samples/heartbeat-body.hex", "HeartbeatRequest     struct"),
        ("samples/broker-log.txt", "a TLS handshake starts like this"),
    ] {
        let terminal = Terminal::start(&[path], 120, 40);
        terminal.wait_for(said);
        assert!(terminal.end().success(), "{path}");
    }
}

#[test]
fn a_name_that_cannot_be_written_is_kept_to_be_mended() {
    let mut terminal = open(120, 40);
    let home = terminal.home().to_owned();
    // Before it is open there is nothing to save, nor is there of the list.
    terminal.wait_for("request: ApiVersionsRequest");
    terminal.send("\tw\x15~/none/a.txt\r");
    terminal.wait_for("cannot write");
    terminal.wait_for("none/a.txt: ");
    terminal.send("\x15~/a.txt\r");
    terminal.wait_for("saved ");
    assert!(home.join("a.txt").is_file());
    terminal.send("q");
    assert!(terminal.end().success());
}

#[test]
fn a_pipe_that_grows_is_shown_as_it_comes() {
    let line =
        format!("(head -c 3000 {TOPICS}; read _ < $HOME/go; tail -c +3001 {TOPICS}) | kafscope -");
    let fifo = "mkfifo $HOME/go; ";
    let mut terminal = Terminal::shell(&format!("{fifo}{line}"), 100, 30);
    let early = terminal.wait_for("ApiVersions");
    assert!(!early.contains("of 24"), "{early}");
    std::fs::write(terminal.home().join("go"), "\n").unwrap();
    terminal.wait_for("of 24");
    terminal.send("q");
    assert!(terminal.end().success());
}
