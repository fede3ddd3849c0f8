//! Packets out again: a capture file with the bytes of packets as they were captured.
//!
//! What comes in are [`Packet`]s, and beforehand a [`Survey`] of them; what goes out is classic pcap
//! where that can say all of it, and pcapng where packets have several link types or secrets go
//! with them. Times keep their nanoseconds.
//!
//! Not here: what inputs say beside packets. Comments and names are left out.

use std::io::{self, Write};

use super::{LinkType, Packet};

/// What has to be known of packets before the first is written.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    links: Vec<LinkType>,
    has_nanos: bool,
    /// Times that 32 bits of seconds do not reach.
    has_odd_times: bool,
}

impl Survey {
    /// Takes notice of a packet that will be written.
    pub fn see(&mut self, packet: &Packet<'_>) {
        if !self.links.contains(&packet.link) {
            self.links.push(packet.link);
        }
        self.has_nanos |= packet.time % 1_000 != 0;
        let seconds = packet.time.div_euclid(1_000_000_000);
        self.has_odd_times |= u32::try_from(seconds).is_err();
    }

    fn is_classic(&self) -> bool {
        self.links.len() <= 1 && !self.has_odd_times
    }
}

/// Writes packets to a file or pipe.
pub struct Writer<W> {
    out: W,
    links: Vec<LinkType>,
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// With so many nanoseconds in a unit of the fraction of a second.
    Pcap {
        unit: u32,
    },
    Pcapng,
}

/// The largest packet that readers take, which tcpdump and Wireshark agree on.
const SNAP_LEN: u32 = 262_144;

/// Block types and options of pcapng.
const SECTION: u32 = 0x0a0d_0d0a;
const INTERFACE: u32 = 1;
const PACKET: u32 = 6;
const SECRETS: u32 = 10;
const TIME_RESOLUTION: u16 = 9;

impl<W: Write> Writer<W> {
    /// Starts a file for the packets of `survey`, with secrets in front of them: for each its kind
    /// as pcapng counts them, and its bytes.
    ///
    /// # Errors
    /// What writing returns.
    pub fn new(mut out: W, survey: Survey, secrets: &[(u32, &[u8])]) -> io::Result<Writer<W>> {
        if survey.is_classic() && secrets.is_empty() {
            let (magic, unit): (u32, u32) = match survey.has_nanos {
                true => (0xa1b2_3c4d, 1),
                false => (0xa1b2_c3d4, 1_000),
            };
            let link = survey.links.first().map_or(1, |link| link.0);
            out.write_all(&magic.to_le_bytes())?;
            out.write_all(&2u16.to_le_bytes())?;
            out.write_all(&4u16.to_le_bytes())?;
            // No time zone, no accuracy.
            out.write_all(&[0; 8])?;
            out.write_all(&SNAP_LEN.to_le_bytes())?;
            out.write_all(&u32::from(link).to_le_bytes())?;
            return Ok(Writer {
                out,
                links: survey.links,
                format: Format::Pcap { unit },
            });
        }
        let mut writer = Writer {
            out,
            links: survey.links,
            format: Format::Pcapng,
        };
        let mut section = Vec::new();
        section.extend(0x1a2b_3c4du32.to_le_bytes());
        section.extend(1u16.to_le_bytes());
        section.extend(0u16.to_le_bytes());
        // How long the section is, nobody knows yet.
        section.extend(u64::MAX.to_le_bytes());
        writer.block(SECTION, &[&section])?;
        for (kind, bytes) in secrets {
            // No secret of 4 GiB was ever read.
            let len = u32::try_from(bytes.len()).unwrap_or(0);
            writer.block(SECRETS, &[&kind.to_le_bytes(), &len.to_le_bytes(), bytes])?;
        }
        for link in writer.links.clone() {
            let mut interface = Vec::new();
            interface.extend(link.0.to_le_bytes());
            interface.extend(0u16.to_le_bytes());
            interface.extend(SNAP_LEN.to_le_bytes());
            interface.extend(TIME_RESOLUTION.to_le_bytes());
            interface.extend(1u16.to_le_bytes());
            // Ten to the minus nine seconds, padded, and the end of the options.
            interface.extend([9, 0, 0, 0, 0, 0, 0, 0]);
            writer.block(INTERFACE, &[&interface])?;
        }
        Ok(writer)
    }

    /// Writes a packet; one of a link type that was not surveyed is left out.
    ///
    /// # Errors
    /// What writing returns.
    pub fn packet(&mut self, packet: &Packet<'_>) -> io::Result<()> {
        let Some(interface) = self.links.iter().position(|&link| link == packet.link) else {
            return Ok(());
        };
        let captured = u32::try_from(packet.bytes.len()).unwrap_or(u32::MAX);
        match self.format {
            Format::Pcap { unit } => {
                let seconds = packet.time.div_euclid(1_000_000_000);
                let fraction = packet.time.rem_euclid(1_000_000_000) as u32 / unit;
                let seconds = u32::try_from(seconds).unwrap_or(0);
                for word in [seconds, fraction, captured, packet.original_len] {
                    self.out.write_all(&word.to_le_bytes())?;
                }
                self.out.write_all(packet.bytes)
            }
            Format::Pcapng => {
                // Before 1970 there are no packets.
                let time = u64::try_from(packet.time).unwrap_or(0);
                let mut head = Vec::with_capacity(20);
                head.extend((interface as u32).to_le_bytes());
                head.extend(((time >> 32) as u32).to_le_bytes());
                head.extend((time as u32).to_le_bytes());
                head.extend(captured.to_le_bytes());
                head.extend(packet.original_len.to_le_bytes());
                self.block(PACKET, &[&head, packet.bytes])
            }
        }
    }

    /// Ends the file.
    ///
    /// # Errors
    /// What writing returns.
    pub fn finish(mut self) -> io::Result<()> {
        self.out.flush()
    }

    fn block(&mut self, block_type: u32, parts: &[&[u8]]) -> io::Result<()> {
        let len: usize = parts.iter().map(|part| part.len()).sum();
        let padding = len.next_multiple_of(4) - len;
        // Type, and the length in front and behind.
        let Ok(total) = u32::try_from(len + padding + 12) else {
            return Err(io::ErrorKind::InvalidData.into());
        };
        self.out.write_all(&block_type.to_le_bytes())?;
        self.out.write_all(&total.to_le_bytes())?;
        for part in parts {
            self.out.write_all(part)?;
        }
        self.out
            .write_all([0; 4].get(..padding).unwrap_or_default())?;
        self.out.write_all(&total.to_le_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::{Capture, Place, Step, Walk};

    fn packet(time: i64, link: u16, bytes: &[u8]) -> Packet<'_> {
        Packet {
            number: 1,
            number_in_file: 1,
            time,
            link: LinkType(link),
            bytes,
            original_len: bytes.len() as u32 + 3,
            record: Place::default(),
            header: Place::default(),
            place: Place::default(),
        }
    }

    fn written(packets: &[Packet<'_>], secrets: &[(u32, &[u8])]) -> Vec<u8> {
        let mut survey = Survey::default();
        packets.iter().for_each(|packet| survey.see(packet));
        let mut file = Vec::new();
        let mut writer = Writer::new(&mut file, survey, secrets).unwrap();
        packets
            .iter()
            .for_each(|packet| writer.packet(packet).unwrap());
        writer.finish().unwrap();
        file
    }

    fn read(file: Vec<u8>) -> Vec<(i64, u16, Vec<u8>, u32)> {
        let capture = Capture::from_bytes(vec![file]).unwrap();
        let mut walk = Walk::new();
        let mut packets = Vec::new();
        while let Step::Packet(packet) = walk.next(&capture) {
            let Packet {
                time,
                link,
                bytes,
                original_len,
                ..
            } = packet;
            packets.push((time, link.0, bytes.to_vec(), original_len));
        }
        assert!(walk.take_notes().is_empty());
        packets
    }

    #[test]
    fn what_is_written_is_read_again() {
        const MICROS: i64 = 1_700_000_000_123_456_000;
        for (packets, magic) in [
            (
                vec![packet(MICROS, 1, b"abc"), packet(MICROS + 1_000, 1, b"")],
                0xa1b2_c3d4u32,
            ),
            (vec![packet(MICROS + 1, 101, b"abcde")], 0xa1b2_3c4d),
            (
                vec![packet(MICROS, 1, b"a"), packet(MICROS + 7, 113, b"abcd")],
                SECTION,
            ),
            (vec![packet(1 << 62, 1, b"late")], SECTION),
        ] {
            let file = written(&packets, &[]);
            assert_eq!(file[..4], magic.to_le_bytes());
            let expected: Vec<_> = packets
                .iter()
                .map(|p| (p.time, p.link.0, p.bytes.to_vec(), p.original_len))
                .collect();
            assert_eq!(read(file), expected);
        }
    }

    #[test]
    fn secrets_go_in_front() {
        let secret = (0x544c_534b, &b"CLIENT_RANDOM 00 11\n"[..]);
        let file = written(&[packet(1_000, 1, b"abc")], &[secret]);
        let capture = Capture::from_bytes(vec![file]).unwrap();
        let mut walk = Walk::new();
        assert!(matches!(walk.next(&capture), Step::Packet(_)));
        let found = capture.secrets();
        assert_eq!(found.len(), 1);
        assert_eq!(
            capture.bytes(found[0].place, found[0].len as usize),
            secret.1
        );
    }
}
