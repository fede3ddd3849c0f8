//! The browser in a pseudo-terminal over a capture of some million exchanges: when the first screen
//! is there, how long keys take from the keyboard to the screen while the capture is indexed and
//! after, and the most memory that it took.
//!
//! `cargo bench --bench terminal [-- MEGABYTES]`. The capture is written to `target/bench` once and
//! kept. A key has reached the screen when the number of the exchange has changed there, as a parser
//! of escape sequences sees it.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    dead_code,
    unreachable_pub
)]

#[path = "../tests/it/pty.rs"]
mod pty;
mod traffic;

use std::{
    fs,
    time::{Duration, Instant},
};

use pty::Terminal;
use traffic::Workload;

/// Sizes of terminals.
const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (200, 50)];

/// Keys that are measured at a time.
const KEYS: usize = 200;

fn main() {
    let megabytes = std::env::args()
        .skip(1)
        .find_map(|argument| argument.parse().ok())
        .unwrap_or(1_000);
    let file = Workload::SmallRequests.file(megabytes, megabytes * 1_000_000);
    for (columns, rows) in SIZES {
        let start = Instant::now();
        let mut terminal = Terminal::start(&[&file], columns, rows);
        terminal.wait_for("exchange 1 of ");
        println!("\n{columns}x{rows}: first screen {}", ms(start.elapsed()));
        report("while indexing", keys(&mut terminal, "j"));
        terminal.wait("end of indexing", |screen| {
            !screen.contents().contains(" MB of ") && !screen.contents().contains('%')
        });
        println!("  indexed after {}", ms(start.elapsed()));
        report("down", keys(&mut terminal, "j"));
        report("up", keys(&mut terminal, "k"));
        report("a screen down", keys(&mut terminal, "\x1b[6~"));
        let peak = peak(terminal.pid());
        terminal.send("q");
        assert!(terminal.end().success());
        println!("  most memory {peak}");
    }
}

/// How long each of some keys takes to change the number of the exchange.
fn keys(terminal: &mut Terminal, key: &str) -> Vec<Duration> {
    let mut before = number(&terminal.wait_for("exchange "));
    (0..KEYS)
        .map(|_| {
            let start = Instant::now();
            terminal.send(key);
            let after = terminal.wait("another exchange", |screen| {
                number(&screen.contents()) != before
            });
            let took = start.elapsed();
            before = number(&after);
            took
        })
        .collect()
}

/// The number of the exchange in the title.
fn number(screen: &str) -> String {
    let title = screen.split_once("exchange ").map_or("", |(_, rest)| rest);
    title.split(' ').next().unwrap_or_default().to_owned()
}

fn report(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let last = times.len() - 1;
    println!(
        "  {what:<16} median {}, 99 % {}, slowest {}",
        ms(times[last / 2]),
        ms(times[last * 99 / 100]),
        ms(times[last])
    );
}

fn ms(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}

/// The most memory that a process has had.
fn peak(pid: u32) -> String {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or("unknown".to_owned(), |peak| peak.trim().to_owned())
}
