//! Ports that have been something else before.

use super::*;

/// Where the ports and the flags are in a packet of the sample: behind a record of 16 bytes,
/// Ethernet, and IPv4 without options.
const PORTS: usize = 16 + 14 + 20;
const FLAGS: usize = PORTS + 13;

fn port(packet: &[u8], at: usize) -> u16 {
    u16::from_be_bytes([packet[at], packet[at + 1]])
}

#[test]
fn a_brokers_port_may_ask_others_later() {
    let (head, packets) = packets(&sample("full_same_as_snaplen.pcap"));
    let first = packets.first().unwrap();
    assert_eq!(first[FLAGS], 2, "the first packet is a SYN");
    let (client, broker) = (port(first, PORTS), port(first, PORTS + 2));
    let of_client =
        |packet: &&Vec<u8>| port(packet, PORTS) == client || port(packet, PORTS + 2) == client;
    let before = heard(&index(vec![file(&head, &packets)]));
    let alone = heard(&index(vec![file(&head, packets.iter().filter(of_client))]));
    assert!(alone.exchanges > 1);
    // The same an hour later, from the port that was the broker's to another one.
    let later = packets.iter().filter(of_client).map(|packet| {
        let mut packet = packet.clone();
        let seconds = u32::from_le_bytes(packet[..4].try_into().unwrap()) + 3600;
        packet[..4].copy_from_slice(&seconds.to_le_bytes());
        for at in [PORTS, PORTS + 2] {
            let new = if port(&packet, at) == client {
                broker
            } else {
                5555
            };
            packet[at..at + 2].copy_from_slice(&new.to_be_bytes());
        }
        packet
    });
    let later: Vec<_> = later.collect();
    let both = heard(&index(vec![file(&head, packets.iter().chain(&later))]));
    assert_eq!(both.exchanges, before.exchanges + alone.exchanges);
    assert_eq!(both.orphans, 0);
    let n_asked = both.messages.keys().filter(|key| key.0 == broker).count();
    assert_eq!(n_asked, alone.messages.len());
}
