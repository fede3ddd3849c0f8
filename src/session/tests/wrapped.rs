//! One conversation in every link layer and tunnel, all of which must say the same.

use super::*;

/// The IPv4 packets of a sample, with their record headers.
fn ip_packets() -> Vec<([u8; 8], Vec<u8>)> {
    let (_, packets) = packets(&sample("full_same_as_snaplen.pcap"));
    let packets = packets.into_iter().map(|packet| {
        let time = packet[..8].try_into().unwrap();
        assert_eq!(packet[28..30], [0x08, 0x00]);
        (time, packet[30..].to_vec())
    });
    packets.collect()
}

/// A capture of frames, any number of them for one packet.
fn capture(link: u32, frames: impl IntoIterator<Item = ([u8; 8], Vec<u8>)>) -> Vec<u8> {
    let mut file = vec![0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0];
    file.extend([0; 8]);
    file.extend(0x4_0000u32.to_le_bytes());
    file.extend(link.to_le_bytes());
    for (time, frame) in frames {
        file.extend(time);
        file.extend((frame.len() as u32).to_le_bytes());
        file.extend((frame.len() as u32).to_le_bytes());
        file.extend(frame);
    }
    file
}

fn said(heard: &Heard) -> Vec<(Key, Vec<Vec<u8>>)> {
    let bytes = |all: &Vec<Gathered>| all.iter().map(|one| one.bytes.clone()).collect();
    let messages = heard.messages.iter();
    messages.map(|(key, all)| (*key, bytes(all))).collect()
}

fn expected() -> Vec<(Key, Vec<Vec<u8>>)> {
    said(&heard(&index(vec![sample("full_same_as_snaplen.pcap")])))
}

/// All frames that `wrap` makes of each packet say what the packets say.
fn assert_same(
    name: &str,
    link: u32,
    expected: &[(Key, Vec<Vec<u8>>)],
    mut wrap: impl FnMut(&[u8]) -> Vec<Vec<u8>>,
) {
    let frames = ip_packets().into_iter().flat_map(|(time, ip)| {
        let frames = wrap(&ip).into_iter();
        frames.map(|frame| (time, frame)).collect::<Vec<_>>()
    });
    let heard = heard(&index(vec![capture(link, frames)]));
    assert_eq!((heard.exchanges, heard.orphans), (132, 0), "{name}");
    assert!(said(&heard) == expected, "{name}");
}

fn join(parts: &[&[u8]]) -> Vec<u8> {
    parts.concat()
}

fn ethernet(rest: &[u8]) -> Vec<u8> {
    join(&[&[2; 12], rest])
}

fn ether_ip(ip: &[u8]) -> Vec<u8> {
    ethernet(&join(&[&[0x08, 0x00], ip]))
}

/// An IPv4 header around `payload`.
fn ipv4(protocol: u8, payload: &[u8]) -> Vec<u8> {
    let len = (payload.len() as u16 + 20).to_be_bytes();
    let head = [
        0x45, 0, len[0], len[1], 0, 7, 0, 0, 64, protocol, 0, 0, 10, 1, 1, 1, 10, 2, 2, 2,
    ];
    join(&[&head, payload])
}

/// An IPv6 header, between the addresses that `ip` has, around `payload`.
fn ipv6(ip: &[u8], next: u8, payload: &[u8]) -> Vec<u8> {
    let len = (payload.len() as u16).to_be_bytes();
    let head = [0x60, 0, 0, 0, len[0], len[1], next, 64];
    let net = [0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    join(&[&head, &net, &ip[12..16], &net, &ip[16..20], payload])
}

fn udp(port: u16, payload: &[u8]) -> Vec<u8> {
    let len = (payload.len() as u16 + 8).to_be_bytes();
    join(&[&[0xc0, 0x01], &port.to_be_bytes(), &len, &[0, 0], payload])
}

fn tcp(ip: &[u8]) -> &[u8] {
    assert_eq!(ip[0], 0x45);
    &ip[20..usize::from(u16::from_be_bytes([ip[2], ip[3]]))]
}

#[test]
fn every_link_layer_says_the_same() {
    let expected = expected();
    type Wrap = fn(&[u8]) -> Vec<u8>;
    let layers: &[(&str, u32, Wrap)] = &[
        ("ethernet", 1, ether_ip),
        ("802.1Q", 1, |ip| {
            ethernet(&join(&[&[0x81, 0, 0x20, 5, 8, 0], ip]))
        }),
        ("QinQ", 1, |ip| {
            ethernet(&join(&[&[0x88, 0xa8, 0, 6, 0x81, 0, 0, 5, 8, 0], ip]))
        }),
        ("QinQ 0x9100", 1, |ip| {
            ethernet(&join(&[&[0x91, 0, 0, 6, 0x91, 0, 0, 5, 8, 0], ip]))
        }),
        ("QinQ 0x9200", 1, |ip| {
            ethernet(&join(&[&[0x92, 0, 0, 6, 0x81, 0, 0, 5, 8, 0], ip]))
        }),
        ("LLC/SNAP", 1, |ip| {
            let len = (ip.len().min(1000) as u16 + 8).to_be_bytes();
            ethernet(&join(&[&len, &[0xaa, 0xaa, 3, 0, 0, 0, 8, 0], ip]))
        }),
        ("padding and check sequence", 1, |ip| {
            let mut frame = ether_ip(ip);
            frame.resize(frame.len().max(60), 0x55);
            join(&[&frame, &[1, 2, 3, 4]])
        }),
        ("PPPoE", 1, |ip| {
            let len = (ip.len() as u16 + 2).to_be_bytes();
            ethernet(&join(&[&[0x88, 0x64, 0x11, 0, 0, 1], &len, &[0, 0x21], ip]))
        }),
        ("one label", 1, |ip| {
            ethernet(&join(&[&[0x88, 0x47, 0, 1, 1, 64], ip]))
        }),
        ("four labels", 1, |ip| {
            let labels = [0, 1, 0, 64, 0, 2, 0, 64, 0, 3, 0, 64, 0, 4, 1, 64];
            ethernet(&join(&[&[0x88, 0x48], &labels, ip]))
        }),
        ("pseudowire with control word", 1, |ip| {
            let front = [0x88, 0x47, 0, 1, 0, 64, 0, 2, 1, 64, 0, 0, 0, 9];
            ethernet(&join(&[&front, &ether_ip(ip)]))
        }),
        ("pseudowire", 1, |ip| {
            ethernet(&join(&[&[0x88, 0x47, 0, 2, 1, 64], &ether_ip(ip)]))
        }),
        ("pseudowire to an address like a version", 1, |ip| {
            let mut inner = ether_ip(ip);
            inner[0] = 0x45;
            ethernet(&join(&[&[0x88, 0x47, 0, 2, 1, 64], &inner]))
        }),
        ("null, little", 0, |ip| join(&[&[2, 0, 0, 0], ip])),
        ("null, big", 0, |ip| join(&[&[0, 0, 0, 2], ip])),
        ("loop", 108, |ip| join(&[&[0, 0, 0, 2], ip])),
        ("null, IPv6 of FreeBSD", 0, |ip| {
            join(&[&[28, 0, 0, 0], &ipv6(ip, 6, tcp(ip))])
        }),
        ("null, IPv6 of NetBSD", 0, |ip| {
            join(&[&[0, 0, 0, 24], &ipv6(ip, 6, tcp(ip))])
        }),
        ("loop, IPv6 of macOS", 108, |ip| {
            join(&[&[0, 0, 0, 30], &ipv6(ip, 6, tcp(ip))])
        }),
        ("raw, BSD", 12, |ip| ip.to_vec()),
        ("raw, OpenBSD", 14, |ip| ip.to_vec()),
        ("raw", 101, |ip| ip.to_vec()),
        ("raw, IPv6", 101, |ip| ipv6(ip, 6, tcp(ip))),
        ("IPv4", 228, |ip| ip.to_vec()),
        ("IPv6", 229, |ip| ipv6(ip, 6, tcp(ip))),
        ("PPP", 9, |ip| join(&[&[0xff, 3, 0, 0x21], ip])),
        ("PPP, compressed", 9, |ip| join(&[&[0x21], ip])),
        ("PPP, IPv6", 9, |ip| {
            join(&[&[0, 0x57], &ipv6(ip, 6, tcp(ip))])
        }),
        ("PPP, MPLS", 9, |ip| join(&[&[2, 0x81, 0, 1, 1, 64], ip])),
        ("PPP in HDLC", 50, |ip| join(&[&[0xff, 3, 0, 0x21], ip])),
        ("PPPoE alone", 51, |ip| {
            join(&[&[0x11, 0, 0, 1, 0, 9, 0, 0x21], ip])
        }),
        ("Cisco HDLC", 104, |ip| join(&[&[0x0f, 0, 8, 0], ip])),
        ("cooked", 113, |ip| join(&[&[0; 14], &[8, 0], ip])),
        ("cooked, VLAN", 113, |ip| {
            join(&[&[0; 14], &[0x81, 0, 0, 5, 8, 0], ip])
        }),
        ("cooked v2", 276, |ip| join(&[&[8, 0], &[0; 18], ip])),
        ("NFLOG", 239, |ip| {
            let len = (ip.len() as u16 + 4).to_le_bytes();
            let front = [2, 0, 0, 0, 8, 0, 1, 0, 8, 0, 3, 0, 5, 0, 10, 0, 0, 0, 0, 0];
            join(&[&front, &len, &[9, 0], ip])
        }),
    ];
    for (name, link, wrap) in layers {
        assert_same(name, *link, &expected, |ip| vec![wrap(ip)]);
        // Linux shows what crosses a bridge on each of its devices.
        assert_same(name, *link, &expected, |ip| vec![wrap(ip), wrap(ip)]);
    }
}

#[test]
fn every_tunnel_says_the_same() {
    let expected = expected();
    type Wrap = fn(&[u8]) -> Vec<u8>;
    let tunnels: &[(&str, Wrap)] = &[
        ("IP in IP", |ip| ipv4(4, ip)),
        ("6in4", |ip| ipv4(41, &ipv6(ip, 6, tcp(ip)))),
        ("4in6", |ip| ipv6(ip, 4, ip)),
        ("GRE", |ip| ipv4(47, &join(&[&[0, 0, 8, 0], ip]))),
        ("GRE with all fields", |ip| {
            ipv4(47, &join(&[&[0xb0, 0, 8, 0], &[9; 12], ip]))
        }),
        ("GRE with key over IPv6", |ip| {
            ipv6(ip, 47, &join(&[&[0x20, 0, 8, 0], &[9; 4], ip]))
        }),
        ("PPTP", |ip| {
            ipv4(
                47,
                &join(&[&[0x30, 0x81, 0x88, 0x0b], &[9; 12], &[0xff, 3, 0, 0x21], ip]),
            )
        }),
        ("NVGRE", |ip| {
            ipv4(
                47,
                &join(&[&[0x20, 0, 0x65, 0x58, 0, 0, 7, 1], &ether_ip(ip)]),
            )
        }),
        ("ERSPAN I", |ip| {
            ipv4(47, &join(&[&[0, 0, 0x88, 0xbe], &ether_ip(ip)]))
        }),
        ("ERSPAN II", |ip| {
            let front = [0x10, 0, 0x88, 0xbe, 0, 0, 0, 1, 0x10, 5, 0, 1, 0, 0, 0, 0];
            ipv4(47, &join(&[&front, &ether_ip(ip)]))
        }),
        ("ERSPAN III", |ip| {
            let front = [
                0x10, 0, 0x22, 0xeb, 0, 0, 0, 1, 0x20, 5, 0, 1, 1, 2, 3, 4, 0, 0, 0, 0,
            ];
            ipv4(47, &join(&[&front, &ether_ip(ip)]))
        }),
        ("ERSPAN III with a platform", |ip| {
            let front = [
                0x10, 0, 0x22, 0xeb, 0, 0, 0, 1, 0x20, 5, 0, 1, 1, 2, 3, 4, 0, 0, 0, 1,
            ];
            ipv4(47, &join(&[&front, &[7; 8], &ether_ip(ip)]))
        }),
        ("EtherIP", |ip| {
            ipv4(97, &join(&[&[0x30, 0], &ether_ip(ip)]))
        }),
        ("MPLS in IP", |ip| ipv4(137, &join(&[&[0, 1, 1, 64], ip]))),
        ("VXLAN", |ip| {
            ipv4(
                17,
                &udp(4789, &join(&[&[8, 0, 0, 0, 0, 0, 7, 0], &ether_ip(ip)])),
            )
        }),
        ("VXLAN with VLAN, old port", |ip| {
            let inner = ethernet(&join(&[&[0x81, 0, 0, 5, 8, 0], ip]));
            ipv4(17, &udp(8472, &join(&[&[8, 0, 0, 0, 0, 0, 7, 0], &inner])))
        }),
        ("VXLAN-GPE", |ip| {
            ipv4(17, &udp(4790, &join(&[&[12, 0, 0, 1, 0, 0, 7, 0], ip])))
        }),
        ("Geneve with options", |ip| {
            let front = [
                3, 0, 0x65, 0x58, 0, 0, 7, 0, 1, 2, 3, 2, 0, 0, 0, 0, 0, 0, 0, 0,
            ];
            ipv4(17, &udp(6081, &join(&[&front, &ether_ip(ip)])))
        }),
        ("Geneve with IP", |ip| {
            ipv4(17, &udp(6081, &join(&[&[0, 0, 8, 0, 0, 0, 7, 0], ip])))
        }),
        ("GTP-U", |ip| {
            ipv4(
                17,
                &udp(2152, &join(&[&[0x30, 0xff, 0, 9, 0, 0, 0, 1], ip])),
            )
        }),
        ("GTP-U with an extension", |ip| {
            let front = [0x34, 0xff, 0, 9, 0, 0, 0, 1, 0, 0, 0, 0x85, 1, 0x10, 1, 0];
            ipv4(17, &udp(2152, &join(&[&front, ip])))
        }),
        ("MPLS over UDP", |ip| {
            ipv4(17, &udp(6635, &join(&[&[0, 1, 1, 64], ip])))
        }),
        ("VXLAN in GRE", |ip| {
            let vxlan = udp(4789, &join(&[&[8, 0, 0, 0, 0, 0, 7, 0], &ether_ip(ip)]));
            ipv4(47, &join(&[&[0, 0, 8, 0], &ipv4(17, &vxlan)]))
        }),
    ];
    for (name, wrap) in tunnels {
        assert_same(name, 1, &expected, |ip| {
            let outer = wrap(ip);
            let ether_type: &[u8] = if outer[0] >> 4 == 6 {
                &[0x86, 0xdd]
            } else {
                &[8, 0]
            };
            vec![ethernet(&join(&[ether_type, &outer]))]
        });
    }
}

#[test]
fn headers_behind_and_inside_of_ip_change_nothing() {
    let expected = expected();
    type Wrap = fn(&[u8]) -> Vec<u8>;
    let headers: &[(&str, Wrap)] = &[
        ("hop by hop", |ip| {
            ipv6(ip, 0, &join(&[&[6, 0, 1, 4, 0, 0, 0, 0], tcp(ip)]))
        }),
        ("routing", |ip| {
            ipv6(ip, 43, &join(&[&[6, 2, 4, 0], &[0; 20], tcp(ip)]))
        }),
        ("destination", |ip| {
            ipv6(ip, 60, &join(&[&[6, 0, 1, 4, 0, 0, 0, 0], tcp(ip)]))
        }),
        ("authentication", |ip| {
            ipv6(ip, 51, &join(&[&[6, 4, 0, 0], &[9; 20], tcp(ip)]))
        }),
        ("authentication over IPv4", |ip| {
            let mut outer = ipv4(51, &join(&[&[6, 4, 0, 0], &[9; 20], tcp(ip)]));
            outer[12..20].copy_from_slice(&ip[12..20]);
            outer
        }),
        ("a fragment that is all", |ip| {
            ipv6(ip, 44, &join(&[&[6, 0, 0, 0, 0, 0, 0, 9], tcp(ip)]))
        }),
        ("many of them", |ip| {
            let extensions = [
                43, 0, 1, 4, 0, 0, 0, 0, 60, 0, 4, 0, 0, 0, 0, 0, 6, 0, 1, 4, 0, 0, 0, 0,
            ];
            ipv6(ip, 0, &join(&[&extensions, tcp(ip)]))
        }),
        ("IPv4 options", |ip| {
            let mut long = join(&[&ip[..20], &[7, 7, 4, 0, 0, 0, 0, 0], tcp(ip)]);
            long[0] = 0x47;
            let len = (long.len() as u16).to_be_bytes();
            long[2..4].copy_from_slice(&len);
            long
        }),
        ("TCP options", |ip| {
            let tcp = tcp(ip);
            let header_len = usize::from(tcp[12] >> 4) * 4;
            let room = (60 - header_len).min(12);
            let mut more = ipv4(
                6,
                &join(&[&tcp[..header_len], &[1; 12][..room], &tcp[header_len..]]),
            );
            more[12..20].copy_from_slice(&ip[12..20]);
            more[32] = (((header_len + room) / 4) as u8) << 4;
            more
        }),
        ("no length, as segmentation offload leaves it", |ip| {
            let mut ip = ip.to_vec();
            ip[2..4].fill(0);
            ip
        }),
        ("no length in IPv6", |ip| {
            let mut ip = ipv6(ip, 6, tcp(ip));
            ip[4..6].fill(0);
            ip
        }),
        ("bad checksums", |ip| {
            let mut ip = ip.to_vec();
            ip[10..12].fill(0xee);
            ip[36..38].fill(0xee);
            ip
        }),
    ];
    for (name, wrap) in headers {
        assert_same(name, 101, &expected, |ip| vec![wrap(ip)]);
    }
}

/// Fragments of an IPv4 packet, each of at most `size` bytes; `step` of them apart.
fn fragments(ip: &[u8], id: u16, size: usize, step: usize) -> Vec<Vec<u8>> {
    let (head, payload) = ip.split_at(20);
    let mut parts = Vec::new();
    let mut at = 0;
    while at < payload.len() {
        let end = (at + size).min(payload.len());
        let mut part = join(&[head, &payload[at..end]]);
        let len = (part.len() as u16).to_be_bytes();
        part[2..4].copy_from_slice(&len);
        part[4..6].copy_from_slice(&id.to_be_bytes());
        let more = if end < payload.len() { 0x2000 } else { 0 };
        part[6..8].copy_from_slice(&(more | (at / 8) as u16).to_be_bytes());
        parts.push(part);
        at += step;
    }
    parts
}

/// The same of IPv6.
fn fragments_v6(ip: &[u8], id: u16, size: usize) -> Vec<Vec<u8>> {
    let payload = tcp(ip);
    let mut parts = Vec::new();
    for at in (0..payload.len()).step_by(size) {
        let end = (at + size).min(payload.len());
        let offset = at as u16 | u16::from(end < payload.len());
        let extension = join(&[&[6, 0], &offset.to_be_bytes(), &[0, 0], &id.to_be_bytes()]);
        parts.push(ipv6(ip, 44, &join(&[&extension, &payload[at..end]])));
    }
    parts
}

#[test]
fn fragments_in_any_order_say_the_same() {
    let expected = expected();
    type Cut = fn(&[u8], u16) -> Vec<Vec<u8>>;
    let cuts: &[(&str, Cut)] = &[
        ("IPv4", |ip, id| fragments(ip, id, 400, 400)),
        ("IPv4, overlapping", |ip, id| fragments(ip, id, 400, 200)),
        ("IPv6", |ip, id| fragments_v6(ip, id, 400)),
        ("a tunnel in fragments", |ip, id| {
            let vxlan = udp(4789, &join(&[&[8, 0, 0, 0, 0, 0, 7, 0], &ether_ip(ip)]));
            fragments(&ipv4(17, &vxlan), id, 400, 400)
        }),
        ("IP in IP in fragments", |ip, id| {
            fragments(&ipv4(4, ip), id, 120, 120)
        }),
    ];
    for (name, cut) in cuts {
        for order in 0..4 {
            let mut id = 0;
            let mut random = random(order);
            assert_same(name, 101, &expected, |ip| {
                id += 1;
                let mut parts = cut(ip, id);
                match order {
                    0 => {}
                    1 => parts.reverse(),
                    2 => {
                        parts = parts
                            .iter()
                            .flat_map(|part| [part.clone(), part.clone()])
                            .collect()
                    }
                    _ => {
                        for idx in 0..parts.len() {
                            let other = random(parts.len());
                            parts.swap(idx, other);
                        }
                    }
                }
                parts
            });
        }
    }
}

#[test]
fn mere_payload_is_not_taken_for_a_tunnel() {
    // DNS and the like on the ports of tunnels, and frames that end anywhere.
    let (_, ip) = ip_packets().swap_remove(3);
    let vxlan = ipv4(
        17,
        &udp(4789, &join(&[&[8, 0, 0, 0, 0, 0, 7, 0], &ether_ip(&ip)])),
    );
    let frames = (0..vxlan.len()).map(|len| ([0; 8], vxlan[..len].to_vec()));
    let session = index(vec![capture(101, frames)]);
    assert!(session.index().is_empty());
    for port in [4789, 8472, 4790, 6081, 2152, 6635] {
        let garbage = ipv4(17, &udp(port, &[0x55; 60]));
        let session = index(vec![capture(101, [([0; 8], garbage)])]);
        assert!(session.index().connections().is_empty(), "{port}");
    }
}
