//! Captures as networks, key logs and full disks make them: what is listed is what was said.

use std::{fs, path::PathBuf};

use crate::program::{Run, kafscope};

const COLUMNS: &str = "n,connection,api,version,correlation_id,request.size,response.size,status";

fn data(name: &str) -> Vec<u8> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/captures/");
    zstd::decode_all(fs::File::open(format!("{path}{name}.zst")).unwrap()).unwrap()
}

/// The records of a little-endian pcap file, each with its header.
fn records(file: &[u8]) -> Vec<&[u8]> {
    let mut rest = &file[24..];
    let mut records = Vec::new();
    while !rest.is_empty() {
        let len = u32::from_le_bytes(rest[8..12].try_into().unwrap()) as usize;
        let (record, behind) = rest.split_at(16 + len);
        records.push(record);
        rest = behind;
    }
    records
}

fn topics() -> Vec<u8> {
    fs::read("samples/topics.pcap").unwrap()
}

fn list(capture: &[u8], options: &[&str]) -> Run {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("capture");
    fs::write(&file, capture).unwrap();
    let args = [&["list", file.to_str().unwrap()], options].concat();
    kafscope(&args, "")
}

/// The record of an Ethernet frame with IPv4 as those of two fragments, the first with `len` bytes.
fn fragmented(record: &[u8], len: usize) -> Vec<u8> {
    let (header, frame) = record.split_at(16);
    let (ip, payload) = frame[14..].split_at(20);
    assert_eq!(ip[0], 0x45);
    if payload.len() <= len {
        return record.to_vec();
    }
    let part = |payload: &[u8], at: usize, more: u8| {
        let flags = (at as u16 / 8).to_be_bytes();
        let ip_len = (ip.len() + payload.len()) as u16;
        let mut bytes = [header, &frame[..14], ip, payload].concat();
        let frame_len = (bytes.len() as u32 - 16).to_le_bytes();
        bytes[8..12].copy_from_slice(&frame_len);
        bytes[12..16].copy_from_slice(&frame_len);
        bytes[32..34].copy_from_slice(&ip_len.to_be_bytes());
        bytes[36..38].copy_from_slice(&[flags[0] | more << 5, flags[1]]);
        bytes
    };
    [part(&payload[..len], 0, 1), part(&payload[len..], len, 0)].concat()
}

#[test]
fn fragments_that_cut_up_tcp_headers_are_listed_like_whole_packets() {
    let whole = topics();
    let expected = list(&whole, &["--columns", COLUMNS]);
    assert_eq!(expected.status, 0);
    for len in [8, 16, 24] {
        let records = records(&whole).into_iter();
        let parts = records.flat_map(|record| fragmented(record, len));
        let file: Vec<u8> = whole[..24].iter().copied().chain(parts).collect();
        let run = list(&file, &["--columns", COLUMNS]);
        assert_eq!(
            (run.stdout, run.stderr),
            (expected.stdout.clone(), String::new()),
            "{len}"
        );
    }
}

/// The first packets as pcapng.
fn pcapng(pcap: &[u8], n: usize) -> Vec<u8> {
    let block = |kind: u32, body: &[u8]| {
        let mut padded = body.to_vec();
        padded.resize(body.len().next_multiple_of(4), 0);
        let len = (12 + padded.len() as u32).to_le_bytes();
        [&kind.to_le_bytes()[..], &len, &padded, &len].concat()
    };
    let mut section = vec![0x4d, 0x3c, 0x2b, 0x1a, 1, 0, 0, 0];
    section.extend([0xff; 8]);
    let mut file = block(0x0a0d_0d0a, &section);
    file.extend(block(1, &[1, 0, 0, 0, 0, 0, 0, 0]));
    for record in records(pcap).into_iter().take(n) {
        let word = |at: usize| u32::from_le_bytes(record[at..at + 4].try_into().unwrap());
        let micros = u64::from(word(0)) * 1_000_000 + u64::from(word(4));
        let time = [(micros >> 32) as u32, micros as u32].map(u32::to_le_bytes);
        file.extend(block(
            6,
            &[&[0; 4], &time.concat()[..], &record[8..]].concat(),
        ));
    }
    file
}

#[test]
fn a_pcapng_file_cut_behind_its_last_data_lists_it_and_says_so() {
    // The last response is the last packet.
    const N_PACKETS: usize = 82;
    let whole = pcapng(&topics(), N_PACKETS);
    let expected = list(&whole, &[]);
    assert!(expected.stdout.contains("39/48"), "{}", expected.stdout);
    for n_cut in 1..=4 {
        let run = list(&whole[..whole.len() - n_cut], &[]);
        assert_eq!(
            (run.status, run.stdout.as_str()),
            (0, expected.stdout.as_str())
        );
        let said = format!("packet {N_PACKETS} ");
        assert!(run.stderr.contains(&said), "{}", run.stderr);
        assert!(
            run.stderr.contains("the file ends inside it"),
            "{}",
            run.stderr
        );
    }
    // Inside the data it is like any file that ends inside a packet.
    let run = list(&whole[..whole.len() - 12], &[]);
    assert!(!run.stdout.contains("39/48"), "{}", run.stdout);
    assert!(
        run.stderr.contains("the file ends inside it"),
        "{}",
        run.stderr
    );
}

#[test]
fn what_a_key_log_of_one_end_leaves_closed_is_not_said_to_be_unsaid() {
    let folder = tempfile::tempdir().unwrap();
    let keylog = String::from_utf8(data("tls13.keylog")).unwrap();
    let statuses = |keep: &str| {
        let lines: Vec<&str> = keylog.lines().filter(|it| it.contains(keep)).collect();
        let path: PathBuf = folder.path().join("keys.log");
        fs::write(&path, lines.join("\n")).unwrap();
        let options = ["--keylog", path.to_str().unwrap(), "--columns", "status"];
        let run = list(&data("tls13_kafka.pcap"), &options);
        let mut found: Vec<String> = run
            .stdout
            .lines()
            .skip(1)
            .map(|it| it.trim().into())
            .collect();
        found.sort();
        found.dedup();
        found
    };
    assert_eq!(
        statuses("CLIENT_"),
        ["no-response-expected", "response-not-captured"]
    );
    assert_eq!(statuses("SERVER_"), ["request-not-captured"]);
    assert!(statuses("_").contains(&"answered".to_owned()));
}
