//! Capture files: the bytes of one, as they are.

use kafscope::capture::{Capture, Step, Walk};

pub(super) fn run(data: &[u8]) {
    let Ok(capture) = Capture::from_bytes(vec![data.to_vec()]) else {
        return;
    };
    let mut walk = Walk::new();
    let (mut number, mut n_packets) = (0, 0);
    while let Step::Packet(packet) = walk.next(&capture) {
        // Packets that cannot be read are counted and left out.
        assert!(packet.number > number);
        number = packet.number;
        // A place is enough to find the packet again.
        let bytes = capture.bytes(packet.place, packet.bytes.len());
        assert_eq!(bytes, packet.bytes);
        n_packets += 1;
        if n_packets % 64 == 1 {
            let mut again = Walk::at(&capture, packet.record, packet.number, packet.time);
            let Step::Packet(found) = again.next(&capture) else {
                panic!("packet {number} is not found again");
            };
            assert_eq!(found, packet);
        }
    }
    for note in walk.take_notes() {
        assert!(!format!("{note:?}").is_empty());
    }
    let _ = capture.secrets();
    assert!(walk.done() <= capture.size().0);
}
