//! What a connection is wrapped in: nothing, or TLS, whose content goes on to the conversation.
//!
//! What comes in are the runs and gaps of a flow; what goes out are those of what the ends said, as
//! references: decrypted bytes are kept in the capture's spool, with the record that each run was
//! in. A connection that does not begin with a hello of TLS passes as it is.

use std::collections::VecDeque;
use std::{fmt, mem};

use crate::capture::Piece;
use crate::flow::{Both, End, FlowId, Run};
use crate::kafka::{Found, Protocol};
use crate::tls::{Event, Output, Peer, Refusal, Start, Suite, Tls, Version};

use super::awaited::Awaited;
use super::decrypted::Entry;
use super::note::{Note, Subject};
use super::opening::{Opening, opening};
use super::talk::{Talk, Writer, name, side};

/// What is around a connection.
pub(super) enum Cover {
    /// It has not said enough; what was delivered waits.
    Undecided(Vec<Delivery>),
    /// Nothing.
    None,
    Tls(Box<Wrapped>),
}

impl Delivery {
    pub(super) fn from(&self) -> End {
        match *self {
            Delivery::Started { from, .. }
            | Delivery::Data { from, .. }
            | Delivery::Gap { from, .. }
            | Delivery::Closed { from } => from,
        }
    }
}

impl Default for Cover {
    fn default() -> Cover {
        Cover::Undecided(Vec::new())
    }
}

/// Something that a flow has delivered.
#[derive(Clone, Copy, Debug)]
pub(super) enum Delivery {
    Started { from: End, whole: bool },
    Data { from: End, run: Run },
    Gap { from: End, len: u64 },
    Closed { from: End },
}

/// A connection in TLS.
pub(super) struct Wrapped {
    pub(super) tls: Tls,
    client: End,
    streams: Both<Stream>,
    /// What is still to come of the header that a proxy has put in front.
    prelude: Both<u64>,
    pub(super) awaited: Awaited,
    told: TlsFacts,
}

/// One direction.
#[derive(Default)]
struct Stream {
    end: u64,
    /// What was not passed, with its offset.
    pieces: VecDeque<(u64, Piece)>,
    /// The number of the last entry, and the end of what was decrypted.
    entry: u32,
    plain_end: u64,
}

/// What is known of the TLS of a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TlsFacts {
    /// Version and suite, as the server has chosen them or as its records show.
    pub chosen: Option<(Version, Suite)>,
    /// Records were decrypted.
    pub is_decrypted: bool,
    /// Why it, or one of its directions, is not decrypted.
    pub refusal: Option<Refusal>,
}

impl fmt::Display for TlsFacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.chosen {
            Some((version, suite)) => write!(f, "{version}, {suite}"),
            None => f.write_str("TLS"),
        }
    }
}

/// Deliveries of a connection that wait for enough bytes to tell what it is.
const MAX_UNDECIDED: usize = 16;

/// Bytes of lost data whose number is not known, which is more than any message has, so that none
/// is thought to go on behind them.
const UNKNOWN_LOSS: u64 = 1 << 31;

impl Writer<'_, '_> {
    /// Takes what a flow has delivered to a connection that is not known to be in clear.
    pub(super) fn deliver(&mut self, flow: FlowId, delivery: Delivery) {
        let Some(mut talk) = self.talks.take(flow) else {
            return;
        };
        match mem::take(&mut talk.cover) {
            Cover::None => {
                talk.cover = Cover::None;
                pass(&mut talk, delivery);
            }
            Cover::Undecided(mut waiting) => {
                waiting.push(delivery);
                self.decide(flow, &mut talk, waiting);
            }
            Cover::Tls(mut wrapped) => {
                self.unwrap(&mut talk, &mut wrapped, delivery);
                talk.cover = Cover::Tls(wrapped);
            }
        }
        self.talks.put_back(flow, talk);
        self.drive(flow);
    }

    /// Nothing more comes: what waits is taken as it is.
    pub(super) fn end_cover(&mut self, flow: FlowId) {
        let Some(mut talk) = self.talks.take(flow) else {
            return;
        };
        match mem::take(&mut talk.cover) {
            Cover::Tls(mut wrapped) => {
                self.end_waiting(&mut talk, &mut wrapped);
                wrapped.tls.finish();
                self.tell(&talk, &mut wrapped);
                self.count(&wrapped);
                talk.cover = Cover::Tls(wrapped);
            }
            Cover::Undecided(waiting) => self.pass_waiting(flow, &mut talk, waiting),
            Cover::None => {}
        }
        self.talks.put_back(flow, talk);
    }

    /// Passes what waits, one after the other: what answers what is known from the order.
    fn pass_waiting(&mut self, flow: FlowId, talk: &mut Talk, waiting: Vec<Delivery>) {
        talk.cover = Cover::None;
        for delivery in waiting {
            pass(talk, delivery);
            self.drive_on(flow, talk);
        }
    }

    /// Tells by the first bytes of a connection what it is.
    fn decide(&mut self, flow: FlowId, talk: &mut Talk, waiting: Vec<Delivery>) {
        let capture = self.talks.capture;
        let Opening {
            start,
            from,
            lead,
            prelude,
            proxied,
        } = opening(capture, &waiting);
        if start == Start::Cut && waiting.len() < MAX_UNDECIDED {
            talk.cover = Cover::Undecided(waiting);
            return;
        }
        if let Some(client) = proxied {
            self.index.note_proxied(talk.connection + 1, client);
        }
        match start {
            Start::Cut | Start::Other => {
                self.pass_waiting(flow, talk, waiting);
                return;
            }
            Start::Hello(_) => {}
        }
        let client = match start {
            Start::Hello(Peer::Server) => from.other(),
            _ => from,
        };
        // Until something else is found inside.
        let found = Found::Other {
            side: side(from),
            protocol: Protocol::Tls,
            first: lead.first_chunk().map(|bytes| i32::from_be_bytes(*bytes)),
        };
        self.found(talk, &found);
        let mut wrapped = Box::new(Wrapped {
            tls: Tls::new(),
            client,
            streams: Both::default(),
            prelude,
            awaited: Awaited::default(),
            told: TlsFacts::default(),
        });
        for delivery in waiting {
            self.unwrap(talk, &mut wrapped, delivery);
        }
        talk.cover = Cover::Tls(wrapped);
    }

    /// Has a delivery decrypted, and passes on what comes of it.
    pub(super) fn open(&mut self, talk: &mut Talk, wrapped: &mut Wrapped, delivery: Delivery) {
        let mut output = self.fresh_output();
        let keys = self.talks.keyring.log();
        match delivery {
            Delivery::Started { from, whole } => {
                // What is missing in front is told by the numbers of records.
                talk.conversation.start(side(from), 0, true);
                if !whole {
                    wrapped.tls.joined(wrapped.peer(from));
                }
            }
            Delivery::Closed { from } => talk.conversation.close(side(from)),
            Delivery::Gap { from, len } => {
                let passed = wrapped.pass_prelude(from, len);
                let len = len - passed;
                wrapped.streams.of_mut(from).end += len;
                let peer = wrapped.peer(from);
                wrapped.tls.lost(peer, len, keys, &mut output);
            }
            Delivery::Data { from, run } => {
                let passed = wrapped.pass_prelude(from, run.piece.len.into());
                let piece = run.piece.skip(passed as u32);
                let stream = wrapped.streams.of_mut(from);
                if piece.len > 0 {
                    stream.pieces.push_back((stream.end, piece));
                }
                stream.end += u64::from(piece.len);
                let bytes = self.talks.capture.bytes(piece.place, piece.len as usize);
                let peer = wrapped.peer(from);
                wrapped.tls.push(peer, bytes, keys, &mut output);
            }
        }
        self.settle(talk, wrapped, output);
    }

    /// Room for what is decrypted next.
    pub(super) fn fresh_output(&mut self) -> Output {
        let mut output = mem::take(&mut self.talks.output);
        output.clear();
        output
    }

    /// Passes on what was decrypted.
    pub(super) fn settle(&mut self, talk: &mut Talk, wrapped: &mut Wrapped, output: Output) {
        self.take_output(talk, wrapped, &output);
        self.talks.output = output;
        for peer in [Peer::Client, Peer::Server] {
            let end = wrapped.end(peer);
            wrapped.streams.of_mut(end).forget(wrapped.tls.at(peer));
            let at = talk.backlogs.of(end).end();
            let is_untold = wrapped.tls.is_untold(peer);
            talk.conversation.doubt(side(end), at, is_untold);
        }
        self.tell(talk, wrapped);
    }

    fn take_output(&mut self, talk: &mut Talk, wrapped: &mut Wrapped, output: &Output) {
        for event in &output.events {
            match event {
                Event::Data {
                    from,
                    record,
                    plain,
                } => {
                    let from = wrapped.end(*from);
                    let stream = wrapped.streams.of_mut(from);
                    let plain = output.plain.get(plain.clone()).unwrap_or_default();
                    let kept = self.talks.capture.keep(plain);
                    let (first, last) = (stream.piece(record.start), stream.piece(record.end - 1));
                    match (kept, first, last) {
                        (Ok(place), Some((at, first)), Some((_, last))) => {
                            let start = first.place.plus(record.start - at);
                            let len = plain.len() as u32;
                            let entry = Entry::new(place, len, stream.plain_end, start, last);
                            stream.entry = self.talks.decrypted.push(stream.entry, entry);
                            let piece = Piece {
                                place,
                                record: place,
                                len,
                                ..last
                            };
                            let seq = stream.plain_end as u32;
                            stream.plain_end += u64::from(len);
                            talk.push(from, Run { piece, seq });
                        }
                        (kept, ..) => {
                            stream.plain_end += plain.len() as u64;
                            talk.push_lost(from, plain.len() as u64);
                            if let Err(error) = kept {
                                self.cannot_keep(error.to_string());
                            }
                        }
                    }
                }
                Event::Lost { from, len } => {
                    let len = len.unwrap_or(UNKNOWN_LOSS);
                    let from = wrapped.end(*from);
                    wrapped.streams.of_mut(from).plain_end += len;
                    talk.push_lost(from, len);
                }
                Event::Alert { from, alert } => {
                    let connection = talk.connection + 1;
                    let from = self.index.end(talk.connection, side(wrapped.end(*from)));
                    let alert = *alert;
                    self.index.note(|| Note {
                        connection: Some(connection),
                        subject: Subject::TlsAlert {
                            from: name(from),
                            alert,
                        },
                    });
                }
            }
        }
    }

    /// Decrypted data has no place to be, which is said once.
    fn cannot_keep(&mut self, message: String) {
        if !mem::replace(&mut self.talks.is_spool_full, true) {
            self.index.note(|| Note {
                connection: None,
                subject: Subject::NotKept { message },
            });
        }
    }

    /// Writes down what is known of the connection, where that has changed.
    fn tell(&mut self, talk: &Talk, wrapped: &mut Wrapped) {
        let tls = &wrapped.tls;
        let facts = TlsFacts {
            chosen: tls.chosen().or(tls.opened()),
            is_decrypted: tls.opened().is_some(),
            refusal: tls.refusal(),
        };
        if facts == wrapped.told {
            return;
        }
        let before = mem::replace(&mut wrapped.told, facts);
        if let Some(connection) = self.index.connection_mut(talk.connection) {
            connection.tls = Some(facts);
        }
        if let Some(name) = wrapped.tls.server_name() {
            self.index.name_server(talk.connection + 1, name);
        }
        if let Some(&random) = wrapped.tls.client_random() {
            self.index.note_random(talk.connection + 1, random);
        }
        match facts.refusal {
            None | Some(Refusal::NoSession) => {}
            // Without any keys it does not matter what else is in the way.
            Some(_) if before.refusal.is_some() || self.talks.keyring.is_empty() => {}
            Some(refusal) => {
                let connection = talk.connection + 1;
                self.index.note(|| Note {
                    connection: Some(connection),
                    subject: Subject::NotDecrypted { refusal },
                });
            }
        }
    }

    /// Counts a session that has ended.
    fn count(&mut self, wrapped: &Wrapped) {
        self.talks.n_sessions += 1;
        if wrapped.told.refusal == Some(Refusal::NoSession) {
            self.talks.n_unknown += 1;
        }
    }

    /// Says what is wrong with the key log, and of how many sessions there are no secrets.
    pub(super) fn tell_keys(&mut self) {
        let keyring = &self.talks.keyring;
        let name = keyring.name();
        let (lines, n_bad) = keyring.log().bad_lines();
        if let Some(line) = lines.first() {
            self.index.note(|| Note {
                connection: None,
                subject: Subject::BadKeyLog {
                    name: name.clone(),
                    line: line.clone(),
                    n_more: n_bad - 1,
                },
            });
        }
        let (n_unknown, n_sessions) = (self.talks.n_unknown, self.talks.n_sessions);
        if n_unknown == 0 || keyring.is_empty() {
            return;
        }
        self.index.note(|| Note {
            connection: None,
            subject: Subject::NotInKeyLog {
                name,
                n_unknown,
                n_sessions,
            },
        });
    }
}

/// Passes a delivery of a connection in clear on.
fn pass(talk: &mut Talk, delivery: Delivery) {
    match delivery {
        Delivery::Started { from, whole } => {
            let at = talk.backlogs.of(from).end();
            talk.conversation.start(side(from), at, whole);
        }
        Delivery::Data { from, run } => talk.push(from, run),
        Delivery::Gap { from, len } => talk.push_lost(from, len),
        Delivery::Closed { from } => talk.conversation.close(side(from)),
    }
}

impl Wrapped {
    pub(super) fn peer(&self, end: End) -> Peer {
        match end == self.client {
            true => Peer::Client,
            false => Peer::Server,
        }
    }

    pub(super) fn end(&self, peer: Peer) -> End {
        match peer {
            Peer::Client => self.client,
            Peer::Server => self.client.other(),
        }
    }

    /// How many of the next `len` bytes from `from` are still in front of TLS.
    fn pass_prelude(&mut self, from: End, len: u64) -> u64 {
        let left = self.prelude.of_mut(from);
        let passed = len.min(*left);
        *left -= passed;
        passed
    }
}

impl Stream {
    /// The piece that holds byte `at`, with its offset.
    fn piece(&self, at: u64) -> Option<(u64, Piece)> {
        let after = self.pieces.partition_point(|(start, _)| *start <= at);
        let (start, piece) = *self.pieces.get(after.checked_sub(1)?)?;
        (at < start + u64::from(piece.len)).then_some((start, piece))
    }

    /// Nothing before `to` is needed any more.
    fn forget(&mut self, to: u64) {
        while let Some((start, piece)) = self.pieces.front() {
            if start + u64::from(piece.len) > to {
                break;
            }
            self.pieces.pop_front();
        }
    }
}
