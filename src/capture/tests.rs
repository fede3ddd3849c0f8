//! Files of every kind, written byte by byte.

use std::io::Write;

use super::*;

mod blocks;
mod follow;
mod records;

const DATA: [&[u8]; 3] = [b"one", b"packet two", b""];

/// Big-endian numbers turned into either byte order.
fn swap(bytes: &[u8], big_endian: bool) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    if !big_endian {
        bytes.reverse();
    }
    bytes
}

fn pcap(magic: u32, big_endian: bool) -> Vec<u8> {
    let mut file = swap(&magic.to_be_bytes(), big_endian);
    for part in [
        &[0, 2][..],
        &[0, 4],
        &[0; 4],
        &[0; 4],
        &[0, 0, 0xff, 0xff],
        &[0, 0, 0, 101],
    ] {
        file.extend(swap(part, big_endian));
    }
    for (idx, data) in DATA.iter().enumerate() {
        for number in [1000, idx as u32, data.len() as u32, data.len() as u32 + 4] {
            file.extend(swap(&number.to_be_bytes(), big_endian));
        }
        file.extend_from_slice(data);
    }
    file
}

fn block(block_type: u32, body: &[u8], big_endian: bool) -> Vec<u8> {
    let len = swap(&(body.len() as u32 + 12).to_be_bytes(), big_endian);
    [
        &swap(&block_type.to_be_bytes(), big_endian),
        &len,
        body,
        &len,
    ]
    .concat()
}

fn words(numbers: &[u32], big_endian: bool) -> Vec<u8> {
    let each = |number: &u32| swap(&number.to_be_bytes(), big_endian);
    numbers.iter().flat_map(each).collect()
}

fn padded(data: &[u8]) -> Vec<u8> {
    let mut data = data.to_vec();
    data.resize(data.len().next_multiple_of(4), 0xee);
    data
}

/// Two sections of different byte order; interfaces with different clocks and link types.
fn pcapng() -> Vec<u8> {
    let mut file = Vec::new();
    for big_endian in [false, true] {
        let be = big_endian;
        let short = |number: u16| swap(&number.to_be_bytes(), be);
        let head = [words(&[0x1a2b_3c4d], be), short(1), short(0), vec![0xff; 8]].concat();
        file.extend(block(0x0a0d_0d0a, &head, be));
        file.extend(block(
            1,
            &[short(1), short(0), words(&[4], be)].concat(),
            be,
        ));
        // Nanoseconds, and a clock that is off by ten seconds.
        let options = [
            short(9),
            short(1),
            vec![9, 0, 0, 0],
            short(14),
            short(8),
            swap(&10i64.to_be_bytes(), be),
            short(0),
            short(0),
        ];
        file.extend(block(
            1,
            &[short(276), short(0), words(&[0], be), options.concat()].concat(),
            be,
        ));
        let ticks = 5_000_000u32;
        file.extend(block(
            6,
            &[words(&[0, 0, ticks, 3, 3], be), padded(b"one")].concat(),
            be,
        ));
        file.extend(block(0x0bad, &words(&[1], be), be));
        file.extend(block(
            6,
            &[words(&[1, 0, ticks, 10, 99], be), padded(b"packet two")].concat(),
            be,
        ));
        file.extend(block(3, &[words(&[9], be), padded(b"abcd")].concat(), be));
        file.extend(block(
            2,
            &[short(1), short(0), words(&[0, 7, 2, 2], be), padded(b"pb")].concat(),
            be,
        ));
        file.extend(block(
            10,
            &[words(&[0x544c_534b, 3], be), padded(b"key")].concat(),
            be,
        ));
        file.extend(block(6, &[words(&[5, 0, 0, 0, 0], be)].concat(), be));
    }
    file
}

/// Number, time, link type, bytes, original length.
type Found = (u64, i64, u16, Vec<u8>, u32);

fn packets(capture: &Capture) -> (Vec<Found>, Vec<Note>) {
    let mut walk = Walk::new();
    let mut found = Vec::new();
    loop {
        match walk.next(capture) {
            Step::Packet(packet) => {
                assert_eq!(
                    capture.bytes(packet.place, packet.bytes.len()),
                    packet.bytes
                );
                // Every packet can be found again by its record.
                let mut again = Walk::at(capture, packet.record, packet.number, packet.time);
                match again.next(capture) {
                    Step::Packet(same) => assert_eq!(same, packet),
                    other => panic!("{other:?}"),
                }
                let bytes = packet.bytes.to_vec();
                found.push((
                    packet.number,
                    packet.time,
                    packet.link.0,
                    bytes,
                    packet.original_len,
                ));
            }
            Step::Pending => capture.wait(Duration::from_secs(1)),
            Step::End => return (found, walk.take_notes()),
        }
    }
}

fn open(bytes: &[u8]) -> Capture {
    Capture::from_bytes(vec![bytes.to_vec()]).unwrap()
}

#[test]
fn pcap_in_all_four_magics() {
    for (magic, unit) in [(0xa1b2_c3d4, 1000), (0xa1b2_3c4d, 1)] {
        for big_endian in [false, true] {
            let (found, notes) = packets(&open(&pcap(magic, big_endian)));
            assert_eq!(notes, []);
            assert_eq!(found.len(), 3);
            for (idx, (number, time, link, bytes, original_len)) in found.into_iter().enumerate() {
                assert_eq!((number, link), (idx as u64 + 1, 101));
                assert_eq!(time, 1_000_000_000_000 + idx as i64 * unit);
                assert_eq!(bytes, DATA[idx]);
                assert_eq!(original_len as usize, DATA[idx].len() + 4);
            }
        }
    }
}

#[test]
fn pcapng_with_sections_interfaces_and_old_blocks() {
    let capture = open(&pcapng());
    let (found, notes) = packets(&capture);
    let once: [(i64, u16, &[u8], u32); 4] = [
        (5_000_000_000, 1, b"one", 3),
        (10_005_000_000, 276, b"packet two", 99),
        (10_005_000_000, 1, b"abcd", 9),
        (10_000_000_007, 276, b"pb", 2),
    ];
    assert_eq!(found.len(), 8);
    for (idx, (_, time, link, bytes, original_len)) in found.iter().enumerate() {
        let expected = once[idx % 4];
        assert_eq!(
            (*time, *link, &bytes[..], *original_len),
            expected,
            "packet {idx}"
        );
    }
    // The packets of an interface that nobody described count, like in other tools.
    assert_eq!(found[4].0, 6);
    let told: Vec<_> = notes
        .into_iter()
        .map(|note| (note.packet, note.trouble))
        .collect();
    let unknown = |packet| (packet, Trouble::UnknownInterface { interface: 5 });
    // Once for all simple packet blocks of a file.
    let untimed = (3, Trouble::NoTime { is_first: false });
    assert_eq!(told, [untimed, unknown(5), unknown(10)]);
    let secrets = capture.secrets();
    assert_eq!(secrets.len(), 2);
    for secret in secrets {
        assert_eq!(secret.kind, 0x544c_534b);
        assert_eq!(capture.bytes(secret.place, secret.len as usize), b"key");
    }
}

#[test]
fn compressed_inputs_read_like_plain_ones() {
    let plain = pcapng();
    let expected = packets(&open(&plain)).0;
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(&plain).unwrap();
    let gzip = gzip.finish().unwrap();
    assert_eq!(packets(&open(&gzip)).0, expected);
    let zstd = zstd::encode_all(&plain[..], 0).unwrap();
    assert_eq!(packets(&open(&zstd)).0, expected);
    let (found, notes) = packets(&open(&gzip[..gzip.len() - 30]));
    assert!(found.len() < expected.len());
    assert!(matches!(
        notes[..],
        [
            ..,
            Note {
                trouble: Trouble::Decompression { .. },
                ..
            }
        ]
    ));
    assert_eq!(
        open(&gzip).format(0),
        Some((Format::Pcapng, Some(Compression::Gzip)))
    );
}

#[test]
fn several_inputs_are_one_capture() {
    let files = vec![pcap(0xa1b2_c3d4, false), pcapng(), pcap(0xa1b2_3c4d, true)];
    let capture = Capture::from_bytes(files).unwrap();
    let names: Vec<&str> = capture.names().collect();
    assert_eq!(names, ["input 2", "input 1", "input 3"]);
    let (found, _) = packets(&capture);
    // Number five and the last of the second input are those of an unknown interface; the others
    // take turns.
    let numbers: Vec<u64> = found.iter().map(|packet| packet.0).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16]);
    let times: Vec<i64> = found
        .iter()
        .skip(8)
        .map(|packet| packet.1 % 1_000_000)
        .collect();
    assert_eq!(times, [0, 0, 1, 2, 1000, 2000]);
}

#[test]
fn every_cut_is_a_note_and_every_packet_before_it_is_there() {
    for file in [pcap(0xa1b2_c3d4, false), pcapng()] {
        let whole = packets(&open(&file)).0;
        for len in 24..file.len() {
            let Ok(capture) = Capture::from_bytes(vec![file[..len].to_vec()]) else {
                panic!("{len}");
            };
            let (found, notes) = packets(&capture);
            assert_eq!(found[..], whole[..found.len()]);
            let cuts = notes
                .iter()
                .filter(|note| matches!(note.trouble, Trouble::Cut { .. }));
            assert!(cuts.count() <= 1);
        }
    }
}

#[test]
fn absurd_lengths_end_a_file_without_another_record() {
    let mut file = pcap(0xa1b2_c3d4, true);
    file.truncate(24 + 16 + 3);
    file[24 + 8..24 + 12].fill(0xff);
    let (found, notes) = packets(&open(&file));
    assert_eq!(found, []);
    assert_eq!(
        notes[0].trouble,
        Trouble::AbsurdLength {
            claimed: u64::from(u32::MAX),
            limit: 1 << 24
        }
    );
    let mut file = pcapng();
    file.truncate(28 + 20);
    file[28 + 4..28 + 8].copy_from_slice(&[7, 0, 0, 0]);
    let (_, notes) = packets(&open(&file));
    assert_eq!(
        notes[0].trouble,
        Trouble::BadBlock {
            block_type: 1,
            length: 7
        }
    );
}

#[test]
fn what_is_no_capture_is_named() {
    let error = |bytes: &[u8]| {
        Capture::from_bytes(vec![bytes.to_vec()])
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        error(b"GET / HTTP/1.1\r\n"),
        "input 1 is no capture: it starts with 0x47455420 'GET ', \
         expected pcap or pcapng, plain or compressed with gzip or zstd; kafscope decode reads pasted text, raw bytes and log segments"
    );
    assert_eq!(
        error(b""),
        "input 1 is empty, expected a pcap or pcapng capture"
    );
    assert!(error(b"\x00\x01").contains("it starts with 0x0001,"));
    assert!(error(b"\x0a\x0d\x0d\x0atext text text").contains("0x0a0d0d0a"));
    assert!(
        error(b"\x1f\x8b\x08garbage").contains("cannot be decompressed"),
        "{}",
        error(b"\x1f\x8b\x08garbage")
    );
    let missing = Capture::open(&[Input::named("/nonexistent.pcap")][..]).unwrap_err();
    assert!(
        missing
            .to_string()
            .starts_with("cannot open /nonexistent.pcap")
    );
    let directory = Capture::open(&[Input::named("/")][..]).unwrap_err();
    assert_eq!(
        directory.to_string(),
        "/ is a directory, expected a capture file"
    );
}
