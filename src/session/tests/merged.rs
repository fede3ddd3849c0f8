//! One capture in several files.

use super::*;

/// The packets of the sample with at most 300 bytes of payload each, as a network would carry
/// them.
fn segments() -> (Vec<u8>, Vec<Vec<u8>>) {
    let (head, whole) = packets(&sample("full_same_as_snaplen.pcap"));
    let mut segments = Vec::new();
    for packet in whole {
        let tcp = 16 + 14 + 20;
        let payload = tcp + usize::from(packet[tcp + 12] >> 4) * 4;
        let (front, rest) = packet.split_at(payload);
        let seq = u32::from_be_bytes(packet[tcp + 4..tcp + 8].try_into().unwrap());
        let chunks: Vec<&[u8]> = match rest {
            [] => vec![rest],
            rest => rest.chunks(300).collect(),
        };
        for (idx, chunk) in chunks.into_iter().enumerate() {
            let mut part = [front, chunk].concat();
            let len = part.len() as u32 - 16;
            part[8..12].copy_from_slice(&len.to_le_bytes());
            part[12..16].copy_from_slice(&len.to_le_bytes());
            part[32..34].copy_from_slice(&(len as u16 - 14).to_be_bytes());
            let seq = seq.wrapping_add(idx as u32 * 300);
            part[tcp + 4..tcp + 8].copy_from_slice(&seq.to_be_bytes());
            segments.push(part);
        }
    }
    (head, segments)
}

/// The packets of the sample, each put into the file that `file_of` says.
fn split(n_files: usize, mut file_of: impl FnMut(usize) -> usize) -> Vec<Vec<u8>> {
    let (head, packets) = segments();
    let mut files = vec![head; n_files];
    for (idx, packet) in packets.iter().enumerate() {
        files[file_of(idx)].extend_from_slice(packet);
    }
    files
}

/// Every run of bytes lies in the packet that it is said to come from, in the file and over all.
fn assert_traced(session: &Session, heard: &Heard) {
    let capture = session.capture();
    let mut walk = crate::capture::Walk::new();
    let mut all = Vec::new();
    let mut n_in_file = BTreeMap::new();
    while let crate::capture::Step::Packet(packet) = walk.next(capture) {
        let n = n_in_file.entry(packet.place.file()).or_insert(0);
        *n += 1;
        assert_eq!(packet.number_in_file, *n);
        all.push(packet);
    }
    for origin in heard.messages.values().flatten().flat_map(|g| &g.origins) {
        let packet = &all[origin.packet as usize - 1];
        let place = Place::new(origin.file, origin.offset);
        let end = packet.place.plus(packet.bytes.len() as u64);
        assert!(packet.place <= place && place < end, "{origin:?}");
        assert_eq!(origin.packet_in_file, packet.number_in_file);
        assert_eq!(origin.header, packet.header);
        assert_eq!(origin.time, packet.time);
    }
}

/// What was said, without where it lies.
fn said(heard: &Heard) -> Vec<(Key, Vec<Vec<u8>>)> {
    let bytes = |all: &Vec<Gathered>| all.iter().map(|one| one.bytes.clone()).collect();
    let messages = heard.messages.iter();
    messages.map(|(key, all)| (*key, bytes(all))).collect()
}

#[test]
fn packets_that_alternate_between_files_are_merged_by_time() {
    let whole = index(split(1, |_| 0));
    let expected = heard(&whole);
    assert_traced(&whole, &expected);
    for n_files in [2, 3, 17] {
        let mut random = random(n_files as u64);
        let session = index(split(n_files, |_| random(n_files)));
        let heard = heard(&session);
        assert_eq!(said(&heard), said(&expected));
        assert_traced(&session, &heard);
        // A message whose segments alternate between files is among them.
        let spread = heard.messages.values().flatten().filter(|gathered| {
            let files: BTreeSet<usize> = gathered.origins.iter().map(|o| o.file).collect();
            files.len() > 1
        });
        assert!(spread.count() > 0);
        assert_eq!(session.index().notes(), []);
    }
}

#[test]
fn rotated_files_may_be_named_in_any_order() {
    let rotated = split(5, |idx| (idx / 200).min(4));
    let expected = index(split(1, |_| 0));
    for shift in 0..5 {
        let mut files = rotated.clone();
        files.rotate_left(shift);
        files.swap(0, 2);
        let session = index(files);
        let heard_now = heard(&session);
        assert_eq!(said(&heard_now), said(&heard(&expected)));
        assert_traced(&session, &heard_now);
        let packets: Vec<u64> = session
            .index()
            .exchanges()
            .filter_map(|exchange| Some(exchange.request?.packet))
            .collect();
        let in_one: Vec<u64> = expected
            .index()
            .exchanges()
            .filter_map(|exchange| Some(exchange.request?.packet))
            .collect();
        assert_eq!(packets, in_one, "numbers are those of the one file");
    }
}

#[test]
fn as_many_files_as_packets() {
    let n_packets = segments().1.len();
    let session = index(split(n_packets, |idx| n_packets - 1 - idx));
    let heard = heard(&session);
    assert_eq!((heard.exchanges, heard.orphans), (132, 0));
    assert_traced(&session, &heard);
}

#[test]
fn what_two_hosts_captured_was_said_once() {
    let whole = sample("full_same_as_snaplen.pcap");
    let (head, packets) = packets(&whole);
    let late = packets.iter().map(|packet| {
        let mut packet = packet.clone();
        // Another clock, and the link seen from the other end.
        let micros = u32::from_le_bytes(packet[4..8].try_into().unwrap()) + 300;
        packet[4..8].copy_from_slice(&micros.to_le_bytes());
        packet
    });
    let session = index(vec![file(&head, late), whole]);
    let heard = heard(&session);
    assert_eq!((heard.exchanges, heard.orphans), (132, 0));
    assert_traced(&session, &heard);
}

#[test]
fn disorder_within_one_of_several_files_is_sorted() {
    let shuffled = sample("mangled_tansu_shuffled_times.pcap");
    let (head, packets) = packets(&shuffled);
    let halves = packets.split_at(packets.len() / 2);
    let session = index(vec![file(&head, halves.1), file(&head, halves.0)]);
    let heard = heard(&session);
    assert_eq!((heard.exchanges, heard.orphans), (222, 0));
}

#[test]
fn a_cut_file_and_one_without_packets_among_others() {
    let mut files = split(4, |idx| (idx / 200).min(3));
    let len = files[1].len();
    files[1].truncate(len - 5);
    let empty = files[0][..24].to_vec();
    files.insert(1, empty);
    let session = index(files);
    let heard = heard(&session);
    assert!(heard.exchanges > 120);
    assert_traced(&session, &heard);
    let index = session.index();
    let cuts = index.notes().iter().filter(
        |note| matches!(&note.subject, Subject::Capture { input, .. } if input == "input 3"),
    );
    assert_eq!(cuts.count(), 1, "{:?}", index.notes());
}

#[test]
fn merging_waits_for_what_is_being_decompressed() {
    let mut random = random(9);
    let files = split(3, |_| random(3));
    let compressed = files
        .iter()
        .map(|file| zstd::encode_all(&file[..], 1).unwrap());
    let session = index(compressed.collect());
    let heard_now = heard(&session);
    assert_eq!(said(&heard_now), said(&heard(&index(files))));
    assert_traced(&session, &heard_now);
}
