//! kafscope beside tshark on the same generated captures, in one run: time, peak memory, ratios.
//!
//! `cargo bench --bench versus_tshark [-- MEGABYTES]`; tshark must be installed. The captures are
//! written to `target/bench` once and kept.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    unreachable_pub
)]

mod traffic;

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use traffic::Workload;

/// Runs of each command; the fastest counts, as the one least disturbed.
const RUNS: usize = 3;

fn main() {
    let megabytes = std::env::args()
        .skip(1)
        .find_map(|argument| argument.parse().ok())
        .unwrap_or(250);
    let kafscope = env!("CARGO_BIN_EXE_kafscope");
    let start = measure(kafscope, &["apis"]);
    println!("start-up: kafscope apis {:.1} ms", start.ms());
    for workload in Workload::ALL {
        let file = format!("target/bench/{}-{megabytes}.pcap", workload.name());
        if !Path::new(&file).exists() {
            fs::create_dir_all("target/bench").unwrap();
            workload.write(&file, megabytes << 20);
        }
        println!(
            "\n{}: {} MB",
            workload.name(),
            fs::metadata(&file).unwrap().len() >> 20
        );
        let ours = measure(kafscope, &["list", &file]);
        let port = "tcp.port==9092,kafka";
        let theirs = measure(
            "tshark",
            &[
                "-r",
                &file,
                "-d",
                port,
                "-Y",
                "kafka",
                "-T",
                "fields",
                "-e",
                "kafka.api_key",
            ],
        );
        report("list", "tshark -T fields -e kafka.api_key", &ours, &theirs);
    }
}

/// What a command took.
struct Taken {
    time: Duration,
    /// Peak resident memory in KiB.
    memory: u64,
}

impl Taken {
    fn ms(&self) -> f64 {
        1000.0 * self.time.as_secs_f64()
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

fn measure(program: &str, args: &[&str]) -> Taken {
    (0..RUNS)
        .map(|_| run(program, args))
        .min_by_key(|taken| taken.time)
        .unwrap()
}

fn run(program: &str, args: &[&str]) -> Taken {
    let start = Instant::now();
    let mut child = Command::new(program)
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap_or_else(|error| panic!("{program}: {error}"));
    let status = format!("/proc/{}/status", child.id());
    let mut memory = 0;
    // The kernel keeps the peak for as long as the process lives.
    loop {
        if let Some(peak) = fs::read_to_string(&status)
            .ok()
            .and_then(|text| peak(&text))
        {
            memory = peak;
        }
        if child.try_wait().unwrap().is_some() {
            break;
        }
        thread::sleep(Duration::from_micros(500));
    }
    Taken {
        time: start.elapsed(),
        memory,
    }
}

fn peak(status: &str) -> Option<u64> {
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
