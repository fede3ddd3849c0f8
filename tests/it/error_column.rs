//! What the list says is wrong with an exchange, the filter of that name, and names that are too long.

use kafscope::schema::Direction;
use serde_json::json;

use crate::{
    filter::{CAPTURES, path, taken},
    program::kafscope,
    timed::session,
    traffic::Traffic,
};

/// The text of the column `error` by number of the exchange.
fn errors(list: &str) -> Vec<(u32, String)> {
    let rows = list.lines().skip(1);
    rows.map(|row| {
        let row = row.trim();
        let (n, error) = row.split_once("  ").unwrap_or((row, ""));
        (n.parse().unwrap(), error.trim().to_owned())
    })
    .collect()
}

#[test]
fn the_filter_finds_what_the_error_column_shows() {
    for capture in CAPTURES {
        let capture = path(capture);
        let session = session(&capture);
        let run = kafscope(
            &["list", "--columns", "n,error", capture.to_str().unwrap()],
            "",
        );
        let rows = errors(&run.stdout);
        let mut texts: Vec<&String> = rows.iter().map(|(_, error)| error).collect();
        texts.sort_unstable();
        texts.dedup();
        for text in texts {
            let with_it = rows.iter().filter(|(_, error)| error == text);
            let shown: Vec<u32> = with_it.map(|(n, _)| *n).collect();
            assert_eq!(
                taken(&session, &format!("error == {text:?}")),
                shown,
                "{text}"
            );
        }
        let parts = rows.iter().filter(|(_, error)| error.contains("malformed"));
        let shown: Vec<u32> = parts.map(|(n, _)| *n).collect();
        assert_eq!(taken(&session, "error.contains(\"malformed\")"), shown);
    }
}

#[test]
fn what_no_definition_knows_is_not_called_malformed() {
    let mut traffic = Traffic::new();
    let mut send = |key: i16, version: i16, id: i32, rest: &[u8]| {
        let mut frame = [key.to_be_bytes(), version.to_be_bytes()].concat();
        frame.extend(id.to_be_bytes());
        frame.extend([0, 1, b'a']);
        frame.extend(rest);
        let size = (frame.len() as u32).to_be_bytes();
        traffic.send(1, Direction::Request, &[size.as_slice(), &frame].concat());
        traffic.wait(1_000);
        let answer = [[0, 0, 0, 6].as_slice(), &id.to_be_bytes(), &[0, 0]].concat();
        traffic.send(1, Direction::Response, &answer);
        traffic.wait(1_000);
    };
    // A Heartbeat that is well, so that all know what this is; then others.
    send(12, 0, 1, &[0, 1, b'g', 0, 0, 0, 1, 0, 1, b'm']);
    send(999, 0, 2, &[1, 2, 3]);
    send(3, 99, 3, &[0, 1, 2, 3]);
    send(12, 0, 4, &[1, 2, 3]);
    let run = traffic.run(&["list", "--columns", "n,error"]);
    let said: Vec<(u32, String)> = errors(&run.stdout);
    let expected = [
        (1, ""),
        (2, "unknown API"),
        (3, "unknown version"),
        (4, "malformed"),
    ];
    assert_eq!(said, expected.map(|(n, error)| (n, error.to_owned())));
}

#[test]
fn a_very_long_name_moves_its_own_row_alone() {
    let mut traffic = Traffic::new();
    let long = "payments-".repeat(40);
    let nothing = json!({});
    for client in ["short", &long, "short"] {
        traffic.exchange(1, client, ("ListGroups", 0), &nothing, &nothing);
    }
    for columns in [&[][..], &["--columns", "n,client_id,error,latency"]] {
        let run = traffic.run(&[&["list"], columns].concat());
        let lines: Vec<&str> = run.stdout.lines().collect();
        let at = lines[0].find("latency").unwrap();
        assert!(at < 260, "{}", lines[0]);
        assert_eq!(lines[1].len(), lines[3].len());
        assert!(lines[2].contains(&long) && lines[2].len() > 360);
    }
}
