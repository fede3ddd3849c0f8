//! How `list` and `show` grow with the capture: time and peak memory for captures of 10 MB to
//! 10 GB, in one run, and beside them the time of a bare walk, which shows how the machine itself
//! grows with the file.
//!
//! `cargo bench --bench scaling [-- MEGABYTES]`, with the size of the largest capture. The captures
//! are written to `target/bench`, and those of more than a gigabyte are removed again.

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

use command::measure;
use traffic::Workload;

/// Sizes in megabytes.
const SIZES: [u64; 4] = [10, 100, 1_000, 10_000];

/// What is kept for the next run.
const KEPT: u64 = 1_000;

fn main() {
    if walk::is_walker() {
        return;
    }
    let largest = std::env::args()
        .skip(1)
        .find_map(|argument| argument.parse().ok())
        .unwrap_or(10_000);
    let kafscope = env!("CARGO_BIN_EXE_kafscope");
    for workload in Workload::ALL {
        println!(
            "\n{}\n{:>9} {:>12} {:>9} {:>12} {:>12} {:>12}",
            workload.name(),
            "MB",
            "list ms",
            "ms/MB",
            "KiB",
            "show 1 ms",
            "bare walk ms"
        );
        for megabytes in SIZES.into_iter().filter(|&size| size <= largest) {
            let file = workload.file(megabytes, megabytes * 1_000_000);
            // The first run brings the file into the page cache.
            let runs = if megabytes > KEPT { 2 } else { 5 };
            let list = measure(runs, kafscope, &["list", &file]);
            let show = measure(runs, kafscope, &["show", &file, "1"]);
            let walk = walk::bare_walk(runs, &file);
            println!(
                "{megabytes:>9} {:>12.0} {:>9.2} {:>12} {:>12.1} {:>12.0}",
                list.ms(),
                list.ms() / megabytes as f64,
                list.memory,
                show.ms(),
                walk.ms()
            );
            if megabytes > KEPT {
                fs::remove_file(&file).unwrap();
            }
        }
    }
}
