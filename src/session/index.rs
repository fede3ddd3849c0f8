//! The exchanges of a capture, 48 bytes a message and 16 more if it lies in several packets.

use std::{
    collections::{HashMap, HashSet},
    net::SocketAddr,
    sync::Arc,
};

use bytemuck::{Pod, Zeroable};

use crate::flow::Endpoint;
use crate::kafka::{Side, Standing};
use crate::schema::Direction;

use super::exchange::{Connection, Exchange, Kind, Message, Status};
use super::extent::Extent;
use super::looking::{Answer, Answers};
use super::names::{Interner, ListId, NameId};
use super::note::Note;
use super::packed::{Packed, Tails};
use super::table::Table;
use super::throttle::Throttles;

/// An exchange as it is kept.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Row {
    pub(super) request: Packed,
    pub(super) response: Packed,
    pub(super) connection: u32,
    pub(super) correlation_id: i32,
    pub(super) api_key: i16,
    pub(super) version: i16,
    pub(super) flags: Flags,
    pub(super) problems: u16,
    /// One more than the number of the name.
    pub(super) client_id: u32,
    pub(super) topics: u32,
    pub(super) errors: u32,
    pub(super) records: u32,
}

impl Row {
    /// As that of the [`Exchange`].
    fn time(&self) -> i64 {
        match self.request.is_some() {
            true => self.request.time(),
            false => self.response.time(),
        }
    }
}

// What an exchange costs is part of the contract.
const _: () = assert!(size_of::<Row>() <= 96);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub(super) struct Flags(u16);

impl Flags {
    /// API key and version are known.
    pub(super) const API: Flags = Flags(1);
    /// A SASL token.
    pub(super) const TOKEN: Flags = Flags(2);
    /// No answer is expected.
    pub(super) const UNANSWERED: Flags = Flags(4);
    /// The response has version 0 whatever was asked for.
    pub(super) const FELL_BACK: Flags = Flags(8);

    /// More topics than the row has.
    pub(super) const TOPICS_CUT: Flags = Flags(16);
    /// The response came behind that to a later request.
    const LATE: Flags = Flags(32);
    /// The response is a second one.
    const DUPLICATE: Flags = Flags(64);
    /// Nobody asked for the response.
    const UNEXPECTED: Flags = Flags(128);
    /// The response may have been among lost bytes.
    pub(super) const UNHEARD: Flags = Flags(256);

    /// One message whose content was asked for; the two highest bits count the two of a row.
    const ASKED: u16 = 1 << 14;

    /// What is in one more message was asked for.
    pub(super) fn ask(&mut self) {
        if self.0 < 3 * Flags::ASKED {
            self.0 += Flags::ASKED;
        }
    }

    /// It is known.
    fn know(&mut self) {
        self.0 = self.0.saturating_sub(Flags::ASKED);
    }

    fn is_asking(self) -> bool {
        self.0 >= Flags::ASKED
    }

    /// What the standing of a response leaves behind.
    pub(super) fn of(standing: Standing) -> Flags {
        match standing {
            Standing::InTurn | Standing::Unknown => Flags::default(),
            Standing::Late => Flags::LATE,
            Standing::Duplicate => Flags::DUPLICATE,
            Standing::Unexpected => Flags::UNEXPECTED,
        }
    }

    pub(super) fn set(&mut self, other: Flags) {
        self.0 |= other.0;
    }

    fn has(self, other: Flags) -> bool {
        self.0 & other.0 != 0
    }
}

/// Notes that are kept; further ones are only counted.
const MAX_NOTES: usize = 10_000;

/// All that is known of a capture.
#[derive(Debug, Default)]
pub struct Index {
    rows: Table<Row>,
    /// The earliest and the latest time of a row.
    times: Option<(i64, i64)>,
    tails: Tails,
    connections: Vec<Connection>,
    /// The hosts that clients of connections in TLS name, by the number of the connection.
    server_names: HashMap<u32, Box<str>>,
    /// The clients that the headers of proxies name, in the same way.
    proxied: HashMap<u32, SocketAddr>,
    /// The randoms of their hellos, by which a key log knows the sessions.
    client_randoms: HashMap<u32, [u8; 32]>,
    names: Vec<Arc<str>>,
    topics: Interner<[NameId]>,
    /// The numbers that sets of topics have here, by those that answers give them.
    sets: Vec<u32>,
    /// What two sets are together.
    unions: HashMap<(u32, u32), u32>,
    errors: Vec<Arc<[i16]>>,
    pub(super) throttles: Throttles,
    notes: Vec<Note>,
    n_notes: usize,
    n_packets: u64,
    /// Counts changes, so that a reader knows whether to look again.
    revision: u64,
}

impl Index {
    /// Number of exchanges.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Exchange `n`, counting from 1.
    pub fn exchange(&self, n: usize) -> Option<Exchange> {
        let row = self.rows.get(n.checked_sub(1)?)?;
        let connection = self.connections.get(row.connection as usize)?;
        let has = |flag| row.flags.has(flag);
        Some(Exchange {
            n: n as u32,
            connection: row.connection + 1,
            kind: if has(Flags::TOKEN) {
                Kind::SaslToken
            } else {
                Kind::Api
            },
            api: has(Flags::API).then_some((row.api_key, row.version)),
            response_version: has(Flags::FELL_BACK).then_some(0),
            correlation_id: row.correlation_id,
            client_id: row.client_id.checked_sub(1).map(NameId),
            request: Message::new(
                self.tails.unpack(&row.request),
                connection,
                Direction::Request,
            ),
            response: Message::new(
                self.tails.unpack(&row.response),
                connection,
                Direction::Response,
            ),
            answered: !has(Flags::UNANSWERED),
            is_looked_into: !row.flags.is_asking(),
            status: status(row, connection),
            topics: ListId(row.topics),
            topics_cut: has(Flags::TOPICS_CUT),
            errors: ListId(row.errors),
            records: row.records,
            problems: row.problems.into(),
        })
    }

    /// All exchanges.
    pub fn exchanges(&self) -> impl DoubleEndedIterator<Item = Exchange> {
        (1..=self.rows.len()).filter_map(|n| self.exchange(n))
    }

    /// When the earliest and the latest exchange began, nanoseconds since 1970-01-01 UTC.
    pub fn times(&self) -> Option<(i64, i64)> {
        self.times
    }

    /// Connection `n`, counting from 1.
    pub fn connection(&self, n: u32) -> Option<&Connection> {
        self.connections.get(n.checked_sub(1)? as usize)
    }

    /// All TCP connections that carried data, Kafka or not.
    pub fn connections(&self) -> &[Connection] {
        &self.connections
    }

    /// The host that the client of connection `n` names in its hello of TLS.
    pub fn server_name(&self, n: u32) -> Option<&str> {
        self.server_names.get(&n).map(AsRef::as_ref)
    }

    /// The client that the header of a proxy names in front of connection `n`: its own client is the
    /// proxy then.
    pub fn proxied_client(&self, n: u32) -> Option<SocketAddr> {
        self.proxied.get(&n).copied()
    }

    /// The name of a client or topic.
    pub fn name(&self, id: NameId) -> &str {
        self.names.get(id.0 as usize).map_or("", AsRef::as_ref)
    }

    /// All names, which completion of a filter may offer.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(AsRef::as_ref)
    }

    /// The topics of an exchange.
    pub fn topics(&self, exchange: &Exchange) -> impl Iterator<Item = &str> {
        let list = exchange.topics.0.checked_sub(1);
        let ids = list.and_then(|list| self.topics.value(list));
        ids.unwrap_or_default().iter().map(|&id| self.name(id))
    }

    /// The error codes of an exchange, zero left out.
    pub fn errors(&self, exchange: &Exchange) -> &[i16] {
        let list = exchange.errors.0.checked_sub(1);
        list.and_then(|list| self.errors.get(list as usize))
            .map_or(&[], AsRef::as_ref)
    }

    /// What is wrong with the capture.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// How many notes there are beyond those that are kept.
    pub fn n_more_notes(&self) -> usize {
        self.n_notes - self.notes.len()
    }

    /// Number of packets that were read.
    pub fn n_packets(&self) -> u64 {
        self.n_packets
    }

    /// Changes whenever the index does.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Starts again, with numbers that were given before meaning something else.
    pub(super) fn clear(&mut self) {
        *self = Index {
            revision: self.revision + 1,
            ..Index::default()
        };
    }

    pub(super) fn touch(&mut self, n_packets: u64) {
        self.n_packets = n_packets;
        self.revision += 1;
    }

    pub(super) fn note(&mut self, note: impl FnOnce() -> Note) {
        self.n_notes += 1;
        if self.notes.len() < MAX_NOTES {
            self.notes.push(note());
        }
    }

    /// Where a message lies, as rows have it.
    pub(super) fn pack(&mut self, extent: &Extent) -> Packed {
        self.tails.pack(extent)
    }

    /// Adds a row; returns its index.
    #[inline]
    pub(super) fn push(&mut self, row: Row) -> u32 {
        if let Some(connection) = self.connections.get_mut(row.connection as usize) {
            connection.n_exchanges += 1;
        }
        let time = row.time();
        let (first, last) = self.times.get_or_insert((time, time));
        *first = time.min(*first);
        *last = time.max(*last);
        self.rows.push(row);
        self.rows.len() as u32 - 1
    }

    pub(super) fn row_mut(&mut self, idx: u32) -> Option<&mut Row> {
        self.rows.get_mut(idx as usize)
    }

    pub(super) fn add_connection(&mut self, connection: Connection) -> u32 {
        if self.connections.len() == self.connections.capacity() {
            // By less than as much again: there may be many thousands.
            self.connections
                .reserve_exact(self.connections.len() / 4 + 16);
        }
        self.connections.push(connection);
        self.connections.len() as u32 - 1
    }

    /// Notes the random of the hello of connection `n`'s client.
    pub(super) fn note_random(&mut self, n: u32, random: [u8; 32]) {
        self.client_randoms.insert(n, random);
    }

    /// The random of the hello of connection `n`'s client, if it was captured.
    pub(super) fn client_random(&self, n: u32) -> Option<[u8; 32]> {
        self.client_randoms.get(&n).copied()
    }

    /// Notes the host that the client of connection `n` names.
    pub(super) fn name_server(&mut self, n: u32, name: &str) {
        self.server_names.entry(n).or_insert_with(|| name.into());
    }

    /// Notes the client that the header of a proxy names.
    pub(super) fn note_proxied(&mut self, n: u32, client: SocketAddr) {
        self.proxied.insert(n, client);
    }

    pub(super) fn connection_mut(&mut self, idx: u32) -> Option<&mut Connection> {
        self.connections.get_mut(idx as usize)
    }

    /// One end of a connection.
    pub(super) fn end(&self, idx: u32, side: Side) -> Option<Endpoint> {
        let connection = self.connections.get(idx as usize)?;
        Some(match side == connection.client_side {
            true => connection.client,
            false => connection.server,
        })
    }

    /// Takes in what was found in messages.
    pub(super) fn apply(&mut self, answers: Answers) {
        self.names.extend(answers.names);
        self.errors.extend(answers.errors);
        for set in answers.topics {
            self.sets.push(self.topics.number(&set[..]) + 1);
        }
        for answer in &answers.answers {
            self.apply_one(answer);
        }
    }

    fn apply_one(&mut self, answer: &Answer) {
        let set = answer.topics.checked_sub(1);
        let set = set.and_then(|set| self.sets.get(set as usize)).copied();
        let Some(row) = self.rows.get_mut(answer.row as usize) else {
            return;
        };
        row.flags.know();
        if answer.client_id > 0 {
            row.client_id = answer.client_id;
        }
        row.records = row.records.saturating_add(answer.records);
        self.throttles.note(answer.row, answer.throttle_ms);
        let problems = u16::try_from(answer.problems).unwrap_or(u16::MAX);
        row.problems = row.problems.saturating_add(problems);
        if answer.topics_cut {
            row.flags.set(Flags::TOPICS_CUT);
        }
        if answer.errors > 0 {
            row.errors = answer.errors;
        }
        match (row.topics, set) {
            (_, None) => {}
            (0, Some(set)) => row.topics = set,
            (before, Some(set)) if before == set => {}
            (before, Some(set)) => {
                let union = self.union(before, set);
                if let Some(row) = self.rows.get_mut(answer.row as usize) {
                    row.topics = union;
                }
            }
        }
    }

    /// The topics of the first set, then those of the second that it lacks.
    fn union(&mut self, first: u32, second: u32) -> u32 {
        if let Some(&known) = self.unions.get(&(first, second)) {
            return known;
        }
        let of = |set: u32| {
            let set = set.checked_sub(1);
            set.and_then(|set| self.topics.value(set))
                .unwrap_or_default()
        };
        let mut ids = of(first).to_vec();
        let before: HashSet<NameId> = ids.iter().copied().collect();
        ids.extend(of(second).iter().filter(|id| !before.contains(id)));
        let union = self.topics.number(&ids[..]) + 1;
        self.unions.insert((first, second), union);
        union
    }
}

fn status(row: &Row, connection: &Connection) -> Status {
    let has = |flag| row.flags.has(flag);
    // Counts are known when nothing more comes.
    let is_one_sided = connection.counts.a.packets > 0 && connection.counts.b.packets == 0;
    match (row.request.is_some(), row.response.is_some()) {
        (_, true) if has(Flags::UNEXPECTED) => Status::Unexpected,
        (_, true) if has(Flags::DUPLICATE) => Status::Duplicate,
        (true, true) if has(Flags::LATE) => Status::Late,
        (true, true) => Status::Answered,
        (false, _) => Status::RequestNotCaptured,
        (true, false) if has(Flags::UNANSWERED) => Status::NoResponseExpected,
        (true, false) if has(Flags::UNHEARD) || is_one_sided => Status::ResponseNotCaptured,
        (true, false) => Status::Unanswered,
    }
}

impl Connection {
    /// The end that `side` is.
    pub(super) fn turn(&mut self, client: Side) {
        if self.client_side != client {
            std::mem::swap(&mut self.client, &mut self.server);
            self.client_side = client;
        }
    }
}
