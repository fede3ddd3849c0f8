//! kafscope beside tshark and beside a bare walk on the same generated captures, in one run: time,
//! peak memory, ratios.
//!
//! `cargo bench --bench versus_tshark [-- MEGABYTES]`; tshark must be installed. The captures are
//! written to `target/bench` once and kept. The bare walk finds the packets with pcap-parser and the
//! TCP payload in each of them with etherparse, in a process of its own, and does nothing else.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    unreachable_pub
)]

#[path = "traffic/command.rs"]
mod command;
mod traffic;
#[path = "traffic/walk.rs"]
mod walk;

use std::fs;

use command::{Taken, measure};
use traffic::Workload;

/// Runs of each command; the fastest counts, as the one least disturbed.
const RUNS: usize = 5;

/// Runs of the commands that take minutes.
const SLOW_RUNS: usize = 1;

fn main() {
    if walk::is_walker() {
        return;
    }
    let megabytes = std::env::args()
        .skip(1)
        .find_map(|argument| argument.parse().ok())
        .unwrap_or(250);
    let kafscope = env!("CARGO_BIN_EXE_kafscope");
    let start = measure(RUNS, kafscope, &["apis"]);
    println!("start-up: kafscope apis {:.1} ms", start.ms());
    for workload in Workload::ALL {
        let file = workload.file(megabytes, megabytes << 20);
        println!(
            "\n{}: {} MB",
            workload.name(),
            fs::metadata(&file).unwrap().len() >> 20
        );
        let list = measure(RUNS, kafscope, &["list", &file]);
        let walk = walk::bare_walk(RUNS, &file);
        println!(
            "  {:<45} {:>9.0} ms\n  list takes {:.1} times as long",
            "bare walk",
            walk.ms(),
            list.ms() / walk.ms()
        );
        let tshark = |more: &[&str], runs| {
            let args = ["-r", &file, "-d", "tcp.port==9092,kafka", "-Y", "kafka"];
            measure(runs, "tshark", &[&args, more].concat())
        };
        let fields = tshark(&["-T", "fields", "-e", "kafka.api_key"], SLOW_RUNS);
        report("list", "tshark -T fields -e kafka.api_key", &list, &fields);
        let list = measure(RUNS, kafscope, &["list", "--json", &file]);
        let json = tshark(&["-T", "json"], SLOW_RUNS);
        report("list --json", "tshark -T json", &list, &json);
    }
}

fn report(ours: &str, theirs: &str, a: &Taken, b: &Taken) {
    println!(
        "  kafscope {ours:<36} {:>9.0} ms {:>7} KiB\n  {theirs:<45} {:>9.0} ms {:>7} KiB\n  {:.0} times faster, {:.1} % of the memory",
        a.ms(),
        a.memory,
        b.ms(),
        b.memory,
        b.ms() / a.ms(),
        100.0 * a.memory as f64 / b.memory as f64,
    );
}
