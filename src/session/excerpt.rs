//! The packets of some exchanges, for a smaller capture.
//!
//! What comes in are exchanges; what goes out are their packets as a capture file. To the packets
//! that hold bytes of their messages come those without which these could not be read: fragments
//! that explain others, and of TLS all of the connection, since its records can only be decrypted one
//! after the other. What opens or ends a connection comes along where the first or the last bytes
//! do: elsewhere it would say that bytes are missing, and what is missing is not of the exchanges.
//! Packets without data are left out otherwise.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    io,
};

use crate::{
    capture::{Capture, Packet, Step, Survey, Walk, Writer},
    net::{Endpoint, Flags, Reader, Segment},
};

use super::{Direction, Exchange, Kind, Session, keyring::TLS_KEY_LOG};

/// Packets that may wait for one that explains them: as many as `net` remembers fragments of.
const WAITING: usize = 256;

/// Packets that were chosen.
#[derive(Debug)]
pub struct Excerpt<'s> {
    capture: &'s Capture,
    numbers: HashSet<u64>,
    survey: Survey,
    /// Whether some of its connections are TLS that was decrypted.
    is_decrypted: bool,
    /// What the key log that was named has of them.
    key_log: Vec<u8>,
}

/// What of the capture is wanted.
#[derive(Default)]
struct Wanted {
    packets: HashSet<u64>,
    /// Connections of which all packets are.
    whole: HashSet<(Endpoint, Endpoint)>,
}

impl<'s> Excerpt<'s> {
    /// The packets of these exchanges.
    pub fn new(session: &'s Session, exchanges: impl Iterator<Item = Exchange>) -> Excerpt<'s> {
        let mut wanted = Wanted::default();
        let mut is_decrypted = false;
        let mut randoms = HashSet::new();
        let index = session.index();
        for exchange in exchanges {
            let Some(connection) = index.connection(exchange.connection) else {
                continue;
            };
            let ends = (connection.client, connection.server);
            randoms.extend(index.client_random(exchange.connection));
            // Which mechanism a raw token is of was said before it.
            if connection.tls.is_some() || exchange.kind == Kind::SaslToken {
                is_decrypted |= connection.tls.is_some_and(|tls| tls.is_decrypted);
                wanted.whole.insert(ends);
                continue;
            }
            for direction in [Direction::Request, Direction::Response] {
                let message = exchange.message(direction);
                let origins = message.map(|message| session.bytes(message).origins);
                let origins = origins.into_iter().flatten();
                wanted.packets.extend(origins.map(|origin| origin.packet));
            }
        }
        drop(index);
        let capture = session.capture();
        let key_log = session.options.keylog.as_ref();
        let mut excerpt = Excerpt {
            capture,
            numbers: HashSet::new(),
            survey: Survey::default(),
            is_decrypted,
            key_log: key_log.map_or_else(Vec::new, |log| log.lines_of(&randoms)),
        };
        excerpt.choose(&wanted);
        excerpt
    }

    /// Number of packets.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// Whether it can be read only with secrets that are at hand.
    pub fn needs_secrets(&self) -> bool {
        self.is_decrypted && !self.secrets().is_empty()
    }

    /// Writes the packets in the order of the inputs.
    ///
    /// # Errors
    /// What writing returns.
    pub fn write(&self, out: impl io::Write, secrets: CarriedSecrets) -> io::Result<()> {
        let secrets = match secrets {
            CarriedSecrets::Keep => self.secrets(),
            CarriedSecrets::LeaveOut => Vec::new(),
        };
        let mut writer = Writer::new(out, self.survey.clone(), &secrets)?;
        for packet in packets(self.capture) {
            if self.numbers.contains(&packet.number) {
                writer.packet(&packet)?;
            }
        }
        writer.finish()
    }

    /// Those that the inputs carry, and those of the key log that are of its connections.
    fn secrets(&self) -> Vec<(u32, &[u8])> {
        let secrets = self.capture.secrets().into_iter();
        secrets
            .filter(|secret| self.is_decrypted && secret.kind == TLS_KEY_LOG)
            .map(|secret| {
                let bytes = self.capture.bytes(secret.place, secret.len as usize);
                (secret.kind, bytes)
            })
            .chain(
                Some((TLS_KEY_LOG, self.key_log.as_slice()))
                    .filter(|(_, lines)| self.is_decrypted && !lines.is_empty()),
            )
            .collect()
    }

    /// Goes through the packets once, to see which are wanted.
    fn choose(&mut self, wanted: &Wanted) {
        let mut reader = Reader::new();
        let mut recent: VecDeque<Packet<'_>> = VecDeque::new();
        let mut streams: HashMap<(Endpoint, Endpoint), Stream<'_>> = HashMap::new();
        for packet in packets(self.capture) {
            if recent.len() == WAITING {
                recent.pop_front();
            }
            recent.push_back(packet);
            let mut next = reader.read(&packet);
            while let Some(segment) = next {
                let stream = streams
                    .entry((segment.source, segment.destination))
                    .or_default();
                if segment.flags.has(Flags::SYN) {
                    stream.opening = Some((packet, segment.seq.wrapping_add(1)));
                }
                if wanted.takes(&segment) {
                    self.keep(&packet);
                    self.keep_fragments(&packet, &segment, &recent);
                    stream.end = Some(segment.seq.wrapping_add(segment.payload.len));
                    let opening = stream.opening.filter(|&(_, first)| first == segment.seq);
                    if let Some((opening, _)) = opening {
                        self.keep(&opening);
                        stream.is_opened = true;
                    }
                } else if stream.is_ended_by(&segment) {
                    self.keep(&packet);
                }
                stream.notice(&segment, packet);
                next = reader.released();
            }
        }
        // That a broker answers nothing to the first request shows in how it opens and closes.
        for (&(source, destination), stream) in &streams {
            let other = streams.get(&(destination, source));
            if !stream.has_data && other.is_some_and(|other| other.is_opened) {
                let opening = stream.opening.map(|(packet, _)| packet);
                let packets = [opening, stream.ending].into_iter().flatten();
                packets.for_each(|packet| self.keep(&packet));
            }
        }
    }

    /// A fragment is explained by another, and may have come before it.
    fn keep_fragments(
        &mut self,
        packet: &Packet<'_>,
        segment: &Segment,
        recent: &VecDeque<Packet<'_>>,
    ) {
        let piece = segment.payload;
        if piece.packet == packet.number && piece.record == packet.record {
            return;
        }
        let others = recent
            .iter()
            .filter(|other| other.number == piece.packet || other.record == piece.record);
        others.for_each(|other| self.keep(other));
    }

    fn keep(&mut self, packet: &Packet<'_>) {
        if self.numbers.insert(packet.number) {
            self.survey.see(packet);
        }
    }
}

/// Whether secrets that are at hand go into an excerpt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CarriedSecrets {
    Keep,
    LeaveOut,
}

impl Wanted {
    fn takes(&self, segment: &Segment) -> bool {
        let (one, other) = (segment.source, segment.destination);
        self.packets.contains(&segment.payload.packet)
            || self.whole.contains(&(one, other))
            || self.whole.contains(&(other, one))
    }
}

/// What one end of a connection sends, as far as it is known.
#[derive(Default)]
struct Stream<'a> {
    /// The packet that opens it, and the sequence number of its first byte.
    opening: Option<(Packet<'a>, u32)>,
    /// Whether that packet is wanted.
    is_opened: bool,
    /// The sequence number behind the last byte that is wanted.
    end: Option<u32>,
    /// Whether it has any bytes.
    has_data: bool,
    /// The packet that ends it.
    ending: Option<Packet<'a>>,
}

impl<'a> Stream<'a> {
    /// Whether a segment ends it right behind what is wanted.
    fn is_ended_by(&self, segment: &Segment) -> bool {
        is_end(segment) && segment.payload.len == 0 && self.end == Some(segment.seq)
    }

    fn notice(&mut self, segment: &Segment, packet: Packet<'a>) {
        self.has_data |= segment.payload.len > 0 || segment.missing > 0;
        if is_end(segment) {
            self.ending = Some(packet);
        }
    }
}

fn is_end(segment: &Segment) -> bool {
    segment.flags.has(Flags::FIN) || segment.flags.has(Flags::RST)
}

/// All packets of a capture that does not grow any more.
fn packets(capture: &Capture) -> impl Iterator<Item = Packet<'_>> {
    let mut walk = Walk::new();
    std::iter::from_fn(move || match walk.next(capture) {
        Step::Packet(packet) => Some(packet),
        Step::Pending | Step::End => None,
    })
}
