//! pcapng files as programs and accidents make them.

use super::*;

/// An option with its padding.
fn option(code: u16, value: &[u8], be: bool) -> Vec<u8> {
    let short = |number: u16| swap(&number.to_be_bytes(), be);
    [short(code), short(value.len() as u16), padded(value)].concat()
}

fn section(options: &[u8], be: bool) -> Vec<u8> {
    let short = |number: u16| swap(&number.to_be_bytes(), be);
    let head = [words(&[0x1a2b_3c4d], be), short(1), short(0), vec![0xff; 8]];
    block(0x0a0d_0d0a, &[&head.concat(), options].concat(), be)
}

fn interface(link: u16, options: &[u8], be: bool) -> Vec<u8> {
    let short = |number: u16| swap(&number.to_be_bytes(), be);
    let head = [short(link), short(0), words(&[0], be)];
    block(1, &[&head.concat(), options].concat(), be)
}

/// A packet of interface `interface` at `ticks`.
fn packet(interface: u32, ticks: u32, data: &[u8], options: &[u8], be: bool) -> Vec<u8> {
    let len = data.len() as u32;
    let head = words(&[interface, 0, ticks, len, len], be);
    block(6, &[&head, &padded(data), options].concat(), be)
}

fn notes_of(file: &[u8]) -> (Vec<Vec<u8>>, Vec<Trouble>) {
    let (found, notes) = packets(&open(file));
    let bytes = found.into_iter().map(|packet| packet.3).collect();
    (bytes, notes.into_iter().map(|note| note.trouble).collect())
}

#[test]
fn comments_and_names_are_found_beside_the_packets() {
    for be in [false, true] {
        let end = option(0, b"", be);
        let file = [
            section(&[option(1, b"the whole day", be), end.clone()].concat(), be),
            interface(
                1,
                &[option(2, b"eth0\0", be), option(1, b"uplink", be)].concat(),
                be,
            ),
            interface(101, &option(2, b"tun0", be), be),
            packet(
                0,
                1,
                b"one",
                &[option(1, b"look here", be), end.clone()].concat(),
                be,
            ),
            packet(1, 2, b"two!", &[], be),
            // A custom option, two comments, and no end.
            packet(
                0,
                3,
                b"three",
                &[
                    option(2988, b"\0\0\x7e\xd9private", be),
                    option(1, b"first", be),
                    option(1, "zweiter \u{e4}".as_bytes(), be),
                ]
                .concat(),
                be,
            ),
        ]
        .concat();
        let capture = open(&file);
        let mut walk = Walk::new();
        let mut found = Vec::new();
        while let Step::Packet(packet) = walk.next(&capture) {
            found.push(capture.annotation(packet.header));
        }
        let text = |texts: &[&str]| {
            texts
                .iter()
                .map(|&text| text.to_owned())
                .collect::<Vec<_>>()
        };
        let section = text(&["the whole day"]);
        assert_eq!(
            found,
            [
                Annotation {
                    packet: text(&["look here"]),
                    interface: text(&["uplink"]),
                    section: section.clone(),
                    interface_name: Some("eth0".to_owned()),
                },
                Annotation {
                    section: section.clone(),
                    interface_name: Some("tun0".to_owned()),
                    ..Annotation::default()
                },
                Annotation {
                    packet: text(&["first", "zweiter \u{e4}"]),
                    interface: text(&["uplink"]),
                    section,
                    interface_name: Some("eth0".to_owned()),
                },
            ]
        );
        let told: Vec<(u64, Trouble)> = walk
            .take_notes()
            .into_iter()
            .map(|note| (note.packet, note.trouble))
            .collect();
        let comment = |text: &str, is_last| Trouble::Comment {
            text: text.to_owned(),
            is_last,
        };
        assert_eq!(
            told,
            [
                (1, comment("look here", false)),
                (3, comment("first", false)),
                (3, comment("zweiter \u{e4}", true)),
            ]
        );
    }
}

#[test]
fn options_that_are_wrong_do_no_harm() {
    let cases: [&[u8]; 5] = [
        // Longer than the block; an end that is too early; bytes that are no option.
        &[1, 0, 0xff, 0xff, b'a', b'b', b'c', b'd'],
        &[0, 0, 0, 0, 1, 0, 4, 0, b'a', b'b', b'c', b'd'],
        &[1, 0, 0, 0],
        &[0xff; 12],
        &[0, 0, 9, 0],
    ];
    for options in cases {
        let file = [
            section(options, false),
            interface(1, options, false),
            packet(0, 1, b"data", options, false),
        ]
        .concat();
        let capture = open(&file);
        let (found, _) = packets(&capture);
        assert_eq!(found.len(), 1, "{options:?}");
        let mut walk = Walk::new();
        let Step::Packet(packet) = walk.next(&capture) else {
            panic!("{options:?}");
        };
        assert!(capture.annotation(packet.header).packet.join("").is_empty());
    }
}

#[test]
fn hosts_have_the_names_that_the_file_gives_them() {
    for be in [false, true] {
        let v6 = [[0xfd; 15].as_slice(), &[1]].concat();
        let records = [
            option(1, b"\x0a\0\0\x01broker-1\0alias\0", be),
            option(2, &[&v6[..], b"broker-2\0"].concat(), be),
            option(1, b"\x0a\0\0", be),
            option(9, b"unknown kind", be),
            option(0, b"", be),
            option(1, b"\x0a\0\0\x02behind the end\0", be),
        ];
        let file = [section(&[], be), block(4, &records.concat(), be)].concat();
        let capture = open(&file);
        packets(&capture);
        let host = |address: &str| capture.host(address.parse().unwrap());
        assert_eq!(host("10.0.0.1").as_deref(), Some("broker-1"));
        assert_eq!(
            host("fdfd:fdfd:fdfd:fdfd:fdfd:fdfd:fdfd:fd01").as_deref(),
            Some("broker-2")
        );
        assert_eq!(host("10.0.0.2"), None);
    }
}

#[test]
fn a_length_that_is_wrong_at_the_end_is_told() {
    let mut odd = packet(0, 1, b"one", &[], false);
    let len = odd.len();
    odd[len - 4..].copy_from_slice(&[0xee; 4]);
    let file = [
        section(&[], false),
        interface(1, &[], false),
        odd,
        packet(0, 2, b"two", &[], false),
    ]
    .concat();
    let (found, troubles) = notes_of(&file);
    assert_eq!(found, [b"one", b"two"]);
    let expected = Trouble::TwoLengths {
        block_type: 6,
        length: 36,
    };
    assert_eq!(troubles, [expected]);
}

#[test]
fn reading_goes_on_behind_garbage() {
    let front = [section(&[], false), interface(1, &[], false)].concat();
    let (one, two) = (
        packet(0, 1, b"one", &[], false),
        packet(0, 2, b"two", &[], false),
    );
    for garbage in [
        vec![0; 1000],
        vec![0xff; 33],
        b"GET / HTTP/1.1\r\n".to_vec(),
        // A block that claims more than there is, and one that claims less than it has.
        words(&[6, 0x1000, 0, 0], false),
        words(&[6, 12, 13, 0], false),
    ] {
        let file = [&front[..], &one, &garbage, &two].concat();
        let (found, troubles) = notes_of(&file);
        assert_eq!(found, [b"one", b"two"], "{garbage:?}");
        let len = garbage.len() as u64;
        assert_eq!(troubles, [Trouble::Skipped { len }]);
        // Nothing behind it.
        let (found, troubles) = notes_of(&[&front[..], &one, &garbage].concat());
        assert_eq!(found, [b"one"]);
        assert_eq!(troubles.len(), 1, "{troubles:?}");
    }
    // Another section in the other byte order.
    let other = [
        section(&[], true),
        interface(101, &[], true),
        packet(0, 5, b"big", &[], true),
    ];
    let file = [&front[..], &one, &[1; 40], &other.concat()].concat();
    let (found, _) = notes_of(&file);
    assert_eq!(found, [b"one", b"big"]);
}

#[test]
fn a_packet_longer_than_its_block_is_left_out_and_counted() {
    let mut wrong = packet(0, 1, b"one", &[], false);
    wrong[20] = 200;
    let file = [
        section(&[], false),
        interface(1, &[], false),
        wrong,
        packet(0, 2, b"two", &[], false),
    ]
    .concat();
    let (found, notes) = packets(&open(&file));
    assert_eq!((found.len(), found[0].0), (1, 2));
    assert!(matches!(notes[0].trouble, Trouble::BadBlock { .. }));
}

#[test]
fn a_damaged_file_never_yields_what_is_not_there() {
    let file = pcapng();
    for at in 0..file.len() {
        for value in [0, 1, 0x7f, 0xff] {
            let mut damaged = file.clone();
            damaged[at] = value;
            if let Ok(capture) = Capture::from_bytes(vec![damaged]) {
                let mut walk = Walk::new();
                while let Step::Packet(packet) = walk.next(&capture) {
                    let _ = capture.annotation(packet.header);
                }
            }
        }
    }
}

#[test]
fn a_file_cut_behind_the_data_of_its_last_packet_keeps_it_and_says_so() {
    for be in [false, true] {
        let front = [
            section(&[], be),
            interface(1, &[], be),
            packet(0, 1, b"one", &[], be),
        ]
        .concat();
        let comment = [option(1, b"look here", be), option(0, b"", be)].concat();
        let short = |number: u16| swap(&number.to_be_bytes(), be);
        let old = [
            short(0),
            short(0),
            words(&[0, 7, 5, 5], be),
            padded(b"three"),
        ];
        for (last, data_end) in [
            (packet(0, 2, b"three", &[], be), 28 + 5),
            (packet(0, 2, b"three", &comment, be), 28 + 5),
            (packet(0, 2, b"", &[], be), 28),
            (block(2, &old.concat(), be), 28 + 5),
            (
                block(3, &[words(&[5], be), padded(b"three")].concat(), be),
                12 + 5,
            ),
        ] {
            let whole = notes_of(&[&front[..], &last].concat()).0;
            assert_eq!(whole.len(), 2);
            for len in 1..last.len() {
                let file = [&front[..], &last[..len]].concat();
                let (found, notes) = packets(&open(&file));
                let n_found = if len < data_end { 1 } else { 2 };
                let found: Vec<_> = found.into_iter().map(|packet| packet.3).collect();
                assert_eq!(found, whole[..n_found], "{len} of {}", last.len());
                let told: Vec<_> = notes
                    .iter()
                    .filter(|note| matches!(note.trouble, Trouble::Cut { .. }))
                    .collect();
                assert_eq!(told.len(), 1, "{len}: {notes:?}");
                assert_eq!(
                    (told[0].packet, told[0].place),
                    (2, Place::new(0, front.len() as u64))
                );
                if len >= 8 {
                    let (needed, found) = (last.len() as u64, len as u64);
                    assert_eq!(told[0].trouble, Trouble::Cut { needed, found });
                }
            }
        }
    }
}

#[test]
fn a_file_that_is_cut_among_others_says_so_once() {
    let front = [section(&[], false), interface(1, &[], false)].concat();
    let packets_at = |ticks: [u32; 2]| {
        let [one, two] = ticks.map(|ticks| packet(0, ticks, b"data", &[], false));
        [&front[..], &one, &two].concat()
    };
    let mut cut = packets_at([1, 30]);
    cut.truncate(cut.len() - 2);
    let capture = Capture::from_bytes(vec![cut, packets_at([10, 20]), packets_at([25, 40])]);
    let (found, notes) = packets(&capture.unwrap());
    let times: Vec<i64> = found.iter().map(|packet| packet.1 / 1000).collect();
    assert_eq!(times, [1, 10, 20, 25, 30, 40]);
    assert_eq!(notes.len(), 1, "{notes:?}");
}
