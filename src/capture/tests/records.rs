//! pcap files as programs and accidents make them.

use super::*;

const DAY: u32 = 86_400;
const NOW: u32 = 1_700_000_000;

/// A little-endian record with any numbers.
fn record(seconds: u32, fraction: u32, captured: u32, original: u32, data: &[u8]) -> Vec<u8> {
    [
        &words(&[seconds, fraction, captured, original], false)[..],
        data,
    ]
    .concat()
}

fn sound(seconds: u32, data: &[u8]) -> Vec<u8> {
    let len = data.len() as u32;
    record(seconds, 0, len, len, data)
}

fn head(snap_len: u32) -> Vec<u8> {
    words(&[0xa1b2_c3d4, 0x0004_0002, 0, 0, snap_len, 1], false)
}

fn read(file: &[u8]) -> (Vec<Vec<u8>>, Vec<Trouble>) {
    let (found, notes) = packets(&open(file));
    let bytes = found.into_iter().map(|packet| packet.3).collect();
    (bytes, notes.into_iter().map(|note| note.trouble).collect())
}

#[test]
fn the_modified_format_has_longer_headers() {
    for big_endian in [false, true] {
        let mut file = pcap(0xa1b2_cd34, big_endian);
        // Interface, protocol, packet type behind each header.
        let mut at = 24;
        for data in DATA {
            at += 16;
            file.splice(at..at, [0, 0, 0, 2, 8, 0, 4, 0]);
            at += 8 + data.len();
        }
        let (found, troubles) = read(&file);
        assert_eq!(found, DATA);
        assert_eq!(troubles, []);
    }
}

#[test]
fn captures_of_other_kinds_are_named() {
    for (lead, name) in [
        (&b"snoop\0\0\0\0\0\0\x02"[..], "snoop"),
        (b"\x1c\0\x01\xac\0\0\0\0\0\0\0\0", "Ixia"),
        (b"RTSS\0\0\0\0\0\0\0\0", "Network Monitor"),
    ] {
        let error = Capture::from_bytes(vec![lead.to_vec()]).unwrap_err();
        assert!(error.to_string().contains(name), "{error}");
    }
}

#[test]
fn strange_lengths_and_times_are_believed_where_the_file_goes_on() {
    let strange = [
        (
            "longer than the snap length",
            record(NOW, 0, 300, 300, &[7; 300]),
        ),
        ("longer than it was", record(NOW, 0, 60, 54, &[7; 60])),
        ("nothing captured", record(NOW, 0, 0, 70, b"")),
        ("of no length", record(NOW, 0, 0, 0, b"")),
        ("of no original length", record(NOW, 0, 5, 0, b"12345")),
        ("another century", record(4_200_000_000, 0, 5, 5, b"12345")),
        (
            "nanoseconds by mistake",
            record(NOW, 999_000_000, 5, 5, b"12345"),
        ),
    ];
    for (name, strange) in strange {
        let file = [
            &head(96)[..],
            &sound(NOW, b"one"),
            &strange,
            &sound(NOW + 1, b"two"),
        ]
        .concat();
        let (found, troubles) = read(&file);
        assert_eq!(
            (found.len(), troubles.len()),
            (3, 0),
            "{name}: {troubles:?}"
        );
        assert_eq!((&found[0][..], &found[2][..]), (&b"one"[..], &b"two"[..]));
        // At the end, and in a file of nothing else.
        let (found, troubles) = read(&[&head(96)[..], &sound(NOW, b"one"), &strange].concat());
        assert_eq!((found.len(), troubles.len()), (2, 0), "{name}");
        if name != "of no length" {
            let (found, troubles) = read(&[&head(96)[..], &strange.repeat(4)].concat());
            assert_eq!((found.len(), troubles.len()), (4, 0), "{name}");
        }
    }
}

#[test]
fn reading_goes_on_behind_garbage() {
    let long = |fill: u8| sound(NOW, &[fill; 200]);
    for garbage in [
        vec![0; 4096],
        vec![0xff; 77],
        (0..=255).collect(),
        b"text that somebody has written into the file\n".to_vec(),
        // The rest of a packet whose front is lost.
        long(3)[100..].to_vec(),
    ] {
        let file = [
            &head(0)[..],
            &long(1),
            &garbage,
            &long(2),
            &sound(NOW + DAY, b"end"),
        ]
        .concat();
        let (found, troubles) = read(&file);
        assert_eq!(found, [vec![1; 200], vec![2; 200], b"end".to_vec()]);
        let len = garbage.len() as u64;
        assert_eq!(troubles, [Trouble::Skipped { len }]);
        let (found, troubles) = read(&[&head(0)[..], &long(1), &garbage].concat());
        assert_eq!((found.len(), troubles.len()), (1, 1), "{troubles:?}");
    }
}

#[test]
fn garbage_in_what_is_being_decompressed() {
    let file = [
        &head(0)[..],
        &sound(NOW, &[1; 200]),
        &[0xff; 500],
        &sound(NOW, &[2; 200]),
        &sound(NOW, &[3; 200]),
    ]
    .concat();
    let (found, troubles) = read(&zstd::encode_all(&file[..], 1).unwrap());
    assert_eq!(found, [[1; 200], [2; 200], [3; 200]]);
    assert_eq!(troubles, [Trouble::Skipped { len: 500 }]);
}

#[test]
fn compressed_files_in_parts_and_cut_anywhere() {
    let file = pcap(0xa1b2_c3d4, false);
    let (front, back) = file.split_at(40);
    let gzip = |bytes: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    };
    let zstd = |bytes: &[u8]| zstd::encode_all(bytes, 1).unwrap();
    let skippable = [0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3];
    for whole in [
        [gzip(front), gzip(back)].concat(),
        [gzip(b""), gzip(front), gzip(b""), gzip(back)].concat(),
        [zstd(front), zstd(back)].concat(),
        [&skippable[..], &zstd(front), &skippable, &zstd(back)].concat(),
    ] {
        let (found, troubles) = read(&whole);
        assert_eq!(found, DATA);
        assert_eq!(troubles, []);
        for len in 0..whole.len() {
            // Nothing came out, or what came out is a part of it, and that more is lost is told.
            let Ok(capture) = Capture::from_bytes(vec![whole[..len].to_vec()]) else {
                continue;
            };
            let (found, notes) = packets(&capture);
            assert!(found.len() <= DATA.len());
            assert!(
                found.len() == DATA.len() || !notes.is_empty(),
                "cut at {len}: {found:?}"
            );
        }
    }
}

/// Number, time, bytes and place of a packet.
type Seen = (u64, i64, Vec<u8>, Place);

/// The packets of a file and what was wrong with it, some of them by [`Walk::run`].
fn walked(file: &[u8], run: usize) -> (Vec<Seen>, Vec<Note>) {
    let capture = Capture::from_bytes(vec![file.to_vec()]).unwrap();
    let mut walk = Walk::new();
    let mut packets = Vec::new();
    let mut see = |packet: &Packet<'_>| {
        packets.push((
            packet.number,
            packet.time,
            packet.bytes.to_vec(),
            packet.place,
        ));
    };
    loop {
        let mut left = run;
        if run > 0 {
            walk.run(&capture, |packet, done| {
                see(packet);
                assert_eq!(done, packet.place.offset() + packet.bytes.len() as u64);
                left -= 1;
                left > 0
            });
        }
        match walk.next(&capture) {
            Step::Packet(packet) => see(&packet),
            Step::Pending => panic!("all is there"),
            Step::End => return (packets, walk.take_notes()),
        }
    }
}

#[test]
fn many_packets_at_once_are_the_same_as_one_by_one() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/topics.pcap");
    let whole = std::fs::read(path).unwrap();
    let mut files = vec![whole.clone(), whole[..whole.len() - 5].to_vec()];
    // Damage in each byte of a record's header in the middle, and in its data.
    let record = 24
        + (0..3).fold(0, |at, _| {
            let len = whole[24 + at + 8..][..4].try_into().unwrap();
            at + 16 + u32::from_le_bytes(len) as usize
        });
    for at in record..record + 20 {
        for value in [0, 0x7f, 0xff] {
            let mut file = whole.clone();
            file[at] = value;
            files.push(file);
        }
    }
    for file in files {
        let alone = walked(&file, 0);
        assert!(alone.0.len() > 3);
        for run in [1, 2, 1000] {
            assert_eq!(walked(&file, run), alone);
        }
    }
}
