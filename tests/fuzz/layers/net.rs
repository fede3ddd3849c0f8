//! Headers of packets: a first byte chooses the link layer, then packets behind their lengths.

use kafscope::{
    capture::{Capture, Step, Walk},
    net::Reader,
};

use super::pcap;

/// Ethernet, null, loopback, raw IP and its two numbers, Linux cooked 1 and 2, and an unknown one.
pub(crate) const LINKS: [u16; 9] = [1, 0, 108, 101, 228, 229, 113, 276, 147];

pub(super) fn run(data: &[u8]) {
    let Some((&link, mut rest)) = data.split_first() else {
        return;
    };
    let mut file = pcap::file(LINKS[usize::from(link) % LINKS.len()]);
    let mut n = 0;
    while let Some((&[high, low], behind)) = rest.split_first_chunk() {
        let len = usize::from(u16::from_be_bytes([high, low])).min(behind.len());
        let (packet, behind) = behind.split_at(len);
        pcap::packet(&mut file, n, packet);
        n += 1;
        rest = behind;
    }
    let capture = Capture::from_bytes(vec![file]).unwrap();
    let mut walk = Walk::new();
    let mut reader = Reader::new();
    while let Step::Packet(packet) = walk.next(&capture) {
        let mut segments = reader.read(&packet);
        while let Some(segment) = segments {
            let piece = segment.payload;
            let bytes = capture.bytes(piece.place, piece.len as usize);
            assert_eq!(bytes.len(), piece.len as usize, "{segment:?}");
            segments = reader.released();
        }
    }
}
