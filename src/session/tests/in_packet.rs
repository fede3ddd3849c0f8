//! Which message a packet carries, where packets are in any order.

use super::*;

/// Where things are in a packet of the samples: a record of 16 bytes, Ethernet, IPv4 without
/// options, TCP.
const IP: usize = 16 + 14;
const TCP: usize = IP + 20;

/// Nobody wants it to stop.
const GO_ON: &dyn Fn() -> bool = &|| false;

fn data(packet: &[u8]) -> usize {
    TCP + usize::from(packet[TCP + 12] >> 4) * 4
}

/// The same packets with what each of them carries in two.
fn halved(packets: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let mut halves = Vec::new();
    for packet in packets {
        let data = data(&packet);
        let len = packet.len().saturating_sub(data);
        if len < 8 {
            halves.push(packet);
            continue;
        }
        let (front, behind) = packet.split_at(data + len / 2);
        let behind = [&packet[..data], behind].concat();
        for (mut half, passed) in [(front.to_vec(), 0), (behind, len as u32 / 2)] {
            let seq = u32::from_be_bytes(half[TCP + 4..TCP + 8].try_into().unwrap());
            half[TCP + 4..TCP + 8].copy_from_slice(&seq.wrapping_add(passed).to_be_bytes());
            let len = (half.len() - 16) as u32;
            half[8..12].copy_from_slice(&len.to_le_bytes());
            half[12..16].copy_from_slice(&len.to_le_bytes());
            half[IP + 2..IP + 4].copy_from_slice(&((len - 14) as u16).to_be_bytes());
            halves.push(half);
        }
    }
    halves
}

/// Gives packets other places, and leaves the times where they are.
fn moved(packets: &mut [Vec<u8>], order: impl FnOnce(&mut [Vec<u8>])) {
    let times: Vec<[u8; 8]> = packets
        .iter()
        .map(|packet| packet[..8].try_into().unwrap())
        .collect();
    order(packets);
    for (packet, time) in packets.iter_mut().zip(times) {
        packet[..8].copy_from_slice(&time);
    }
}

/// Asserts of every packet that what is said of it is what all messages say of it; how many packets
/// stand before the one that begins their message.
fn assert_told(session: &Session) -> usize {
    let index = session.index();
    let mut begun: BTreeMap<u64, BTreeSet<(u32, bool)>> = BTreeMap::new();
    let mut held = begun.clone();
    let mut n_early = 0;
    for exchange in index.exchanges() {
        for direction in [Direction::Request, Direction::Response] {
            let Some(message) = exchange.message(direction) else {
                continue;
            };
            let name = (exchange.n, direction == Direction::Request);
            begun.entry(message.packet).or_default().insert(name);
            for origin in session.bytes(message).origins {
                held.entry(origin.packet).or_default().insert(name);
                n_early += usize::from(origin.packet < message.packet);
            }
        }
    }
    for packet in 0..=index.n_packets() + 1 {
        let told = session.message_in_packet(&index, packet, GO_ON);
        let told = told.map(|(found, side)| (found.n, side == Direction::Request));
        match begun.get(&packet).or(held.get(&packet)) {
            Some(right) => assert!(
                told.is_some_and(|told| right.contains(&told)),
                "packet {packet}: {told:?} of {right:?}"
            ),
            None => assert_eq!(told, None, "packet {packet}"),
        }
    }
    n_early
}

#[test]
fn every_packet_leads_to_what_it_carries() {
    for name in ["full_same_as_snaplen.pcap", "rst_abort_tansu.pcap"] {
        let (head, packets) = packets(&sample(name));
        let mut packets = halved(packets);
        assert_eq!(assert_told(&index(vec![file(&head, &packets)])), 0);
        // The second half of each comes before the first.
        moved(&mut packets, |packets| {
            for at in 0..packets.len() - 1 {
                let same = |place: usize| packets[at][place] == packets[at + 1][place];
                if at % 2 == 0 && (IP + 12..TCP + 4).all(same) {
                    packets.swap(at, at + 1);
                }
            }
        });
        assert!(assert_told(&index(vec![file(&head, &packets)])) > 5);
    }
}

/// The end of a message that comes behind hundreds of others, each in several packets.
#[test]
fn a_packet_far_behind_its_message_leads_to_it() {
    let (head, packets) = packets(&sample("full_same_as_snaplen.pcap"));
    let mut packets = halved(packets);
    let session = index(vec![file(&head, &packets)]);
    let late = {
        let index = session.index();
        let early = index.exchanges().find_map(|exchange| exchange.request);
        session.bytes(&early.unwrap()).origins[1].packet
    };
    moved(&mut packets, |packets| {
        packets[late as usize - 1..].rotate_left(1);
    });
    let session = index(vec![file(&head, &packets)]);
    assert_told(&session);
    let index = session.index();
    let last = packets.len() as u64;
    let (found, side) = session.message_in_packet(&index, last, GO_ON).unwrap();
    let message = found.message(side).unwrap();
    let nearer = |other: &Message| other.packet > message.packet && other.packet < last;
    let between = index.exchanges().filter_map(|exchange| exchange.request);
    assert!(between.filter(nearer).count() > 64);
    // Who does not want to know any longer is not told.
    assert_eq!(session.message_in_packet(&index, last, &|| true), None);
}

#[test]
fn packets_of_several_inputs_lead_to_what_they_carry() {
    let (head, packets) = packets(&sample("rst_abort_tansu.pcap"));
    let packets = halved(packets);
    let of = |parity: usize| {
        let mine = packets
            .iter()
            .enumerate()
            .filter(|(at, _)| at % 2 == parity);
        file(&head, mine.map(|(_, packet)| packet))
    };
    assert_told(&index(vec![of(0), of(1)]));
}
