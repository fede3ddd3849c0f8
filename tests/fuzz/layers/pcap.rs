//! Capture files that fuzz targets write.

/// A file without packets.
pub(super) fn file(link: u16) -> Vec<u8> {
    let mut file = 0xa1b2_c3d4_u32.to_le_bytes().to_vec();
    file.extend([2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    file.extend(0x0004_0000_u32.to_le_bytes());
    file.extend(u32::from(link).to_le_bytes());
    file
}

/// Raw IPv4.
pub(super) const RAW: u16 = 101;

/// Adds a packet, a millisecond behind the one before.
pub(super) fn packet(file: &mut Vec<u8>, n: u32, bytes: &[u8]) {
    file.extend((n / 1000).to_le_bytes());
    file.extend((n % 1000 * 1000).to_le_bytes());
    for _ in 0..2 {
        file.extend((bytes.len() as u32).to_le_bytes());
    }
    file.extend(bytes);
}

/// Where in a stream a segment is, and what its header says.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Segment {
    /// Whether the server sends it.
    pub(super) is_answer: bool,
    /// Distinguishes connections.
    pub(super) port: u8,
    pub(super) seq: u32,
    pub(super) ack: u32,
    pub(super) flags: u8,
}

/// An IPv4 packet with that segment.
pub(super) fn segment(segment: Segment, payload: &[u8]) -> Vec<u8> {
    let len = (40 + payload.len()) as u16;
    let mut packet = vec![0x45, 0];
    packet.extend(len.to_be_bytes());
    packet.extend([0, 0, 0x40, 0, 64, 6, 0, 0]);
    let mut ends = [
        ([10, 0, 0, 1], 40_000 + u16::from(segment.port)),
        ([10, 0, 0, 2], 9092),
    ];
    if segment.is_answer {
        ends.reverse();
    }
    packet.extend(ends.iter().flat_map(|(address, _)| address));
    packet.extend(ends.iter().flat_map(|(_, port)| port.to_be_bytes()));
    packet.extend(segment.seq.to_be_bytes());
    packet.extend(segment.ack.to_be_bytes());
    packet.extend([0x50, segment.flags, 0xff, 0xff, 0, 0, 0, 0]);
    packet.extend(payload);
    packet
}
