//! Link layers that have to be guessed at.

use super::*;

/// An NFLOG message with these attributes, each padded.
fn nflog(attributes: &[(u16, &[u8])], is_big: bool) -> Vec<u8> {
    let number = |number: u16| match is_big {
        true => number.to_be_bytes(),
        false => number.to_le_bytes(),
    };
    let mut bytes = vec![2, 0, 0, 5];
    for (kind, value) in attributes {
        bytes.extend(number(value.len() as u16 + 4));
        bytes.extend(number(*kind));
        bytes.extend(*value);
        bytes.resize(bytes.len().next_multiple_of(4), 0);
    }
    bytes
}

#[test]
fn the_byte_order_of_nflog_is_told_by_all_of_it() {
    for is_big in [false, true] {
        for len in [5, 212, 213, 469, 470, 471, 725] {
            // With its two headers and its own, an attribute of 256, 257, 513 and 514 bytes.
            let payload = vec![0x4b; len];
            let ip = build(tcp_v4(), &payload);
            let alone = nflog(&[(9, &ip)], is_big);
            assert_payload(239, &alone, &payload);
            // Not padded at the end, and with a bit that says how it is to be read.
            assert_payload(239, &alone[..8 + ip.len()], &payload);
            assert_payload(239, &nflog(&[(9 | 0x8000, &ip)], is_big), &payload);
            let more: [(u16, &[u8]); 4] = [
                (1, &[8, 0, 3, 0]),
                (10, b"kafka\0"),
                (4, &[0, 0, 0, 2]),
                (9, &ip),
            ];
            assert_payload(239, &nflog(&more, is_big), &payload);
            // An attribute whose length reads well in both orders.
            let even = nflog(&[(10, &[0; 0x0100 - 4]), (9, &ip)], is_big);
            assert_payload(239, &even, &payload);
        }
        let ip = build(tcp_v4(), &[0x4b; 212]);
        let whole = nflog(&[(9, &ip)], is_big);
        let cut = Packet {
            original_len: whole.len() as u32,
            ..packet(239, &whole[..100])
        };
        let segment = Reader::new().read(&cut).unwrap();
        assert_eq!((segment.payload.len, segment.missing), (52, 160));
        for len in 0..whole.len() {
            read(239, &whole[..len]);
        }
        // Nothing but a name.
        assert_eq!(read(239, &nflog(&[(10, b"kafka\0")], is_big)), None);
    }
}
