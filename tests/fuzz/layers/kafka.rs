//! Bytes of a connection in order: pieces behind their lengths, whose top bit says who sends them.

use super::{
    pcap::{self, Segment},
    session,
};

pub(super) fn run(mut data: &[u8]) {
    let mut file = pcap::file(pcap::RAW);
    let mut sent = [1000u32, 2000];
    let mut n = 0;
    while let Some((&[high, low], behind)) = data.split_first_chunk() {
        let is_answer = high & 0x80 != 0;
        let len = usize::from(u16::from_be_bytes([high & 0x3f, low])).min(behind.len());
        let (content, behind) = behind.split_at(len);
        // Some bytes are lost on their way.
        if high & 0x40 == 0 {
            let segment = Segment {
                is_answer,
                port: 0,
                seq: sent[usize::from(is_answer)],
                ack: sent[usize::from(!is_answer)],
                flags: 0x18,
            };
            pcap::packet(&mut file, n, &pcap::segment(segment, content));
            n += 1;
        }
        let next = &mut sent[usize::from(is_answer)];
        *next = next.wrapping_add(len as u32);
        data = behind;
    }
    session::look(file);
}
