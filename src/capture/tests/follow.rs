//! Several files that grow side by side.

use std::fs::{File, OpenOptions};
use std::path::Path;
use std::time::{Duration, Instant};

use super::*;

/// Adds a packet of one byte, its time in milliseconds.
fn add(path: &Path, time: u32) {
    let mut file = OpenOptions::new().append(true).open(path).unwrap();
    let record = [time / 1000, time % 1000 * 1000, 1, 1].map(u32::to_le_bytes);
    file.write_all(&[&record.concat()[..], &[time as u8]].concat())
        .unwrap();
}

fn start(path: &Path) {
    let whole = pcap(0xa1b2_c3d4, false);
    File::create(path).unwrap().write_all(&whole[..24]).unwrap();
}

/// The times of the next `n` packets, and where a walk can be taken up before each.
fn next(walk: &mut Walk, capture: &Capture, n: usize) -> Vec<(u32, Place, u64)> {
    let since = Instant::now();
    let mut found = Vec::new();
    while found.len() < n && since.elapsed() < Duration::from_secs(20) {
        match walk.next(capture) {
            Step::Packet(packet) => {
                let millis = (packet.time / 1_000_000) as u32;
                found.push((millis, packet.record, packet.number));
            }
            Step::Pending => walk.wait(capture, Duration::from_millis(20)),
            Step::End => break,
        }
    }
    found
}

#[test]
fn files_that_are_named_grow_side_by_side() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (folder.path().join("a"), folder.path().join("b"));
    for path in [&a, &b] {
        start(path);
    }
    add(&a, 1000);
    add(&b, 1010);
    add(&a, 1020);
    let capture = Capture::follow(Finder::new(&[a.clone(), b.clone()])).unwrap();
    let mut walk = Walk::new();
    let mut all = next(&mut walk, &capture, 3);
    let times = |found: &[(u32, Place, u64)]| found.iter().map(|it| it.0).collect::<Vec<_>>();
    assert_eq!(times(&all), [1000, 1010, 1020]);
    // The first file goes on, although the second was found behind it; what it brings late is late.
    add(&b, 1050);
    all.extend(next(&mut walk, &capture, 1));
    add(&a, 1030);
    add(&a, 1060);
    all.extend(next(&mut walk, &capture, 2));
    // The second one had not grown when it was waited for.
    add(&b, 1055);
    all.extend(next(&mut walk, &capture, 1));
    assert_eq!(times(&all), [1000, 1010, 1020, 1050, 1030, 1060, 1055]);
    // Whoever comes by again finds the same packets under the same numbers.
    for &(time, record, number) in &all {
        let mut again = Walk::at(&capture, record, number, i64::from(time) * 1_000_000);
        assert_eq!(next(&mut again, &capture, 1), [(time, record, number)]);
    }
}
