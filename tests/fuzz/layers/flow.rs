//! Segments in any order: steps of four bytes say who sends what, from where in its stream, with
//! which flags.

use super::{
    pcap::{self, Segment},
    session,
};

pub(super) fn run(data: &[u8]) {
    let mut file = pcap::file(pcap::RAW);
    // What both sides have to say: requests and responses of ApiVersions 0, one behind the other.
    let requests = *b"\0\0\0\x0c\0\x12\0\0\0\0\0\x07\0\x02me";
    let responses = *b"\0\0\0\x10\0\0\0\x07\0\0\0\0\0\x01\0\x12\0\0\0\x03";
    for (n, step) in (0..).zip(data.chunks_exact(4).take(4096)) {
        let &[what, at, len, flags] = step else {
            return;
        };
        let is_answer = what & 1 == 1;
        let stream: &[u8] = if is_answer { &responses } else { &requests };
        // Near to where sequence numbers wrap, and sometimes far from there.
        let far = u32::from(what >> 4) << 27;
        let from = usize::from(at) * 3;
        let content: Vec<u8> = stream
            .iter()
            .cycle()
            .skip(from % stream.len())
            .take(len.into())
            .copied()
            .collect();
        let segment = Segment {
            is_answer,
            port: what >> 1 & 3,
            seq: (u32::MAX - 300).wrapping_add(far).wrapping_add(from as u32),
            ack: (u32::MAX - 300).wrapping_add(u32::from(at ^ len) * 3),
            flags: flags & 0x17,
        };
        pcap::packet(&mut file, n, &pcap::segment(segment, &content));
    }
    session::look(file);
}
