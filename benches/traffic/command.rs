//! What a command takes.

use std::{
    fs,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// What a command took.
pub struct Taken {
    pub time: Duration,
    /// Peak resident memory in KiB.
    pub memory: u64,
}

impl Taken {
    pub fn ms(&self) -> f64 {
        1000.0 * self.time.as_secs_f64()
    }
}

/// The fastest of some runs.
pub fn measure(runs: usize, program: &str, args: &[&str]) -> Taken {
    (0..runs)
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
