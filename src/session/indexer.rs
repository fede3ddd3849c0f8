//! The pipeline: packet → segment → stream → message → row.

use std::collections::HashSet;

use crate::capture::{Capture, Piece, Place, Step};
use crate::flow::{Both, Close, Counts, End, Endpoint, FlowId, Flows, Lost, Receiver, Run};
use crate::kafka::{Answers, Conversation, Found, Frame, Hints, Side, Ticket, Window};
use crate::net::{Reader, Segment};

use super::Options;
use super::backlog::{Backlog, Scratch, View};
use super::exchange::Connection;
use super::extent::Extent;
use super::index::{Flags, Index, Row};
use super::note::{Note, Subject};
use super::order::Order;
use super::summary::{Facts, Summariser};

/// Indexes a capture.
pub(super) struct Indexer<'a> {
    capture: &'a Capture,
    ports: &'a [u16],
    order: Order,
    reader: Reader,
    flows: Flows,
    talks: Talks<'a>,
}

/// Whether there is more to index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum More {
    Yes,
    /// A pipe has not delivered more yet.
    Later,
    No,
}

/// The connections that may still bring messages.
struct Talks<'a> {
    capture: &'a Capture,
    ports: &'a [u16],
    summariser: &'a mut dyn Summariser,
    talks: Vec<Option<Box<Talk>>>,
    /// Addresses that spoke Kafka as servers.
    servers: HashSet<Endpoint>,
    scratch: Both<Scratch>,
    /// Whose bytes are in `scratch`.
    scratch_of: Option<FlowId>,
    facts: Facts,
}

struct Talk {
    conversation: Conversation,
    backlogs: Both<Backlog>,
    ends: Both<Endpoint>,
    hints: Hints,
    connection: u32,
    /// The client id of the last request, as rows keep it.
    client_id: u32,
}

/// Talks together with the index that they are written to.
struct Writer<'t, 'a> {
    talks: &'t mut Talks<'a>,
    index: &'t mut Index,
}

impl<'a> Indexer<'a> {
    pub(super) fn new(
        capture: &'a Capture,
        options: &'a Options,
        summariser: &'a mut dyn Summariser,
    ) -> Indexer<'a> {
        Indexer {
            capture,
            ports: &options.ports,
            order: Order::new(),
            reader: Reader::new(),
            flows: Flows::new(),
            talks: Talks {
                capture,
                ports: &options.ports,
                summariser,
                talks: Vec::new(),
                servers: HashSet::new(),
                scratch: Both::default(),
                scratch_of: None,
                facts: Facts::default(),
            },
        }
    }

    /// Indexes up to `n` packets.
    pub(super) fn batch(&mut self, index: &mut Index, n: usize) -> More {
        let mut more = More::Yes;
        for _ in 0..n {
            match self.order.next(self.capture) {
                Step::Packet(packet) => {
                    if let Some(segment) = self.reader.read(&packet) {
                        self.segment(&segment, index);
                        while let Some(segment) = self.reader.released() {
                            self.segment(&segment, index);
                        }
                    }
                }
                Step::Pending => {
                    more = More::Later;
                    break;
                }
                Step::End => {
                    more = More::No;
                    break;
                }
            }
        }
        if self.order.is_disordered(self.capture) && self.order.sort(self.capture) {
            // What was found so far was found in the wrong order.
            self.reader = Reader::new();
            self.flows = Flows::new();
            self.talks.clear();
            index.clear();
            more = More::Yes;
        }
        for note in self.order.take_notes() {
            let input = self.capture.name(note.place).to_owned();
            index.note(|| Note {
                connection: None,
                subject: Subject::Capture { input, note },
            });
        }
        index.touch(self.order.n_read());
        more
    }

    fn segment(&mut self, segment: &Segment, index: &mut Index) {
        let ports = [segment.source.port, segment.destination.port];
        if !self.ports.is_empty() && !ports.iter().any(|port| self.ports.contains(port)) {
            return;
        }
        let mut writer = Writer {
            talks: &mut self.talks,
            index,
        };
        self.flows.push(segment, &mut writer);
    }

    /// Takes what is left as the end of the capture.
    pub(super) fn finish(&mut self, index: &mut Index) {
        let mut writer = Writer {
            talks: &mut self.talks,
            index,
        };
        self.flows.finish_all(&mut writer);
        index.touch(self.order.n_read());
    }

    /// Bytes of the inputs that were read.
    pub(super) fn done(&self) -> u64 {
        self.order.done(self.capture)
    }
}

fn side(end: End) -> Side {
    match end {
        End::A => Side::A,
        End::B => Side::B,
    }
}

fn end(side: Side) -> End {
    match side {
        Side::A => End::A,
        Side::B => End::B,
    }
}

impl Receiver for Writer<'_, '_> {
    fn opened(&mut self, flow: FlowId, ends: Both<Endpoint>, initiator: Option<End>) {
        let by_port = {
            let is_server = |end: End| self.talks.ports.contains(&ends.of(end).port);
            match (is_server(End::A), is_server(End::B)) {
                (true, false) => Some(Side::A),
                (false, true) => Some(Side::B),
                _ => None,
            }
        };
        // Clients take their ports from the upper range.
        let lower_port = if ends.a.port < ends.b.port {
            Side::A
        } else {
            Side::B
        };
        let client = initiator.map_or_else(|| by_port.unwrap_or(lower_port).other(), side);
        let mut connection = Connection {
            client: ends.a,
            server: ends.b,
            confidence: 0,
            protocol: None,
            first: None,
            from_start: initiator.is_some(),
            n_exchanges: 0,
            counts: Both::default(),
            client_side: Side::A,
        };
        connection.turn(client);
        let connection = self.index.add_connection(connection);
        let talk = Talk {
            conversation: Conversation::new(),
            backlogs: Both::default(),
            ends,
            hints: Hints {
                initiator: initiator.map(side),
                server: by_port,
            },
            connection,
            client_id: 0,
        };
        let slot = flow.idx();
        if self.talks.talks.len() <= slot {
            self.talks.talks.resize_with(slot + 1, || None);
        }
        if let Some(slot) = self.talks.talks.get_mut(slot) {
            *slot = Some(Box::new(talk));
        }
    }

    fn started(&mut self, flow: FlowId, from: End, whole: bool) {
        if let Some(talk) = self.talks.talk(flow) {
            let at = talk.backlogs.of(from).end();
            talk.conversation.start(side(from), at, whole);
        }
    }

    fn data(&mut self, flow: FlowId, from: End, run: Run) {
        if let Some(talk) = self.talks.talk(flow) {
            talk.backlogs.of_mut(from).push(run);
            self.drive(flow);
        }
    }

    fn gap(&mut self, flow: FlowId, from: End, len: u64, lost: Lost) {
        let Some(talk) = self.talks.talk(flow) else {
            return;
        };
        talk.backlogs.of_mut(from).push_lost(len);
        let (connection, from) = (talk.connection + 1, *talk.ends.of(from));
        self.index.note(|| Note {
            connection: Some(connection),
            subject: Subject::Gap {
                from: from.to_string(),
                len,
                lost,
            },
        });
        self.drive(flow);
    }

    fn conflict(&mut self, flow: FlowId, from: End, piece: Piece) {
        let Some(talk) = self.talks.talk(flow) else {
            return;
        };
        let (connection, from) = (talk.connection + 1, *talk.ends.of(from));
        self.index.note(|| Note {
            connection: Some(connection),
            subject: Subject::Conflict {
                from: from.to_string(),
                packet: piece.packet,
            },
        });
    }

    fn closed(&mut self, flow: FlowId, from: End, close: Close) {
        let Some(talk) = self.talks.talk(flow) else {
            return;
        };
        // After a reset the capture may still bring what was sent before it.
        if close == Close::Fin {
            talk.conversation.close(side(from));
            self.drive(flow);
        }
    }

    fn finished(&mut self, flow: FlowId, counts: Both<Counts>) {
        if let Some(talk) = self.talks.talk(flow) {
            for side in Side::BOTH {
                talk.conversation.close(side);
            }
            self.drive(flow);
        }
        let Some(mut talk) = self.talks.talks.get_mut(flow.idx()).and_then(Option::take) else {
            return;
        };
        if let Some(found) = talk.conversation.finish() {
            self.found(&mut talk, found);
        }
        if let Some(connection) = self.index.connection_mut(talk.connection) {
            connection.counts = match connection.client_side {
                Side::A => counts,
                Side::B => Both {
                    a: counts.b,
                    b: counts.a,
                },
            };
        }
    }

    fn bytes(&self, place: Place, len: u32) -> &[u8] {
        self.talks.capture.bytes(place, len as usize)
    }
}

impl Talks<'_> {
    /// Forgets everything.
    fn clear(&mut self) {
        self.talks.clear();
        self.servers.clear();
        self.scratch_of = None;
    }

    fn talk(&mut self, flow: FlowId) -> Option<&mut Talk> {
        self.talks.get_mut(flow.idx())?.as_deref_mut()
    }
}

impl Writer<'_, '_> {
    /// Lets the connection find what it can in what has been delivered.
    fn drive(&mut self, flow: FlowId) {
        let Some(slot) = self.talks.talks.get_mut(flow.idx()) else {
            return;
        };
        let Some(mut talk) = slot.take() else {
            return;
        };
        if self.talks.scratch_of != Some(flow) {
            self.talks.scratch_of = Some(flow);
            self.talks.scratch.a.forget();
            self.talks.scratch.b.forget();
        }
        loop {
            let mut hints = talk.hints;
            if talk.conversation.client().is_none() && hints.server.is_none() {
                hints.server = Side::BOTH.into_iter().find(|&side| {
                    let other = talk.ends.of(end(side.other()));
                    self.talks.servers.contains(talk.ends.of(end(side)))
                        && !self.talks.servers.contains(other)
                });
            }
            let ticket = Ticket(self.index.len() as u32);
            let scratch = &mut self.talks.scratch;
            let mut a = View {
                capture: self.talks.capture,
                backlog: &mut talk.backlogs.a,
                scratch: &mut scratch.a,
            };
            let mut b = View {
                capture: self.talks.capture,
                backlog: &mut talk.backlogs.b,
                scratch: &mut scratch.b,
            };
            let Some(found) = talk.conversation.next(&mut a, &mut b, hints, ticket) else {
                break;
            };
            self.found(&mut talk, found);
        }
        if let Some(slot) = self.talks.talks.get_mut(flow.idx()) {
            *slot = Some(talk);
        }
    }

    fn found(&mut self, talk: &mut Talk, found: Found) {
        match found {
            Found::Client { side } => {
                let confidence = talk.conversation.confidence();
                if confidence >= 80 {
                    self.talks.servers.insert(*talk.ends.of(end(side.other())));
                }
                if let Some(connection) = self.index.connection_mut(talk.connection) {
                    connection.turn(side);
                    connection.confidence = confidence;
                }
            }
            Found::Other {
                side: _,
                protocol,
                first,
            } => {
                if let Some(connection) = self.index.connection_mut(talk.connection) {
                    connection.protocol = Some(protocol);
                    connection.first = first;
                }
            }
            Found::LostFraming { side, .. } => {
                let connection = talk.connection + 1;
                let from = *talk.ends.of(end(side));
                self.index.note(|| Note {
                    connection: Some(connection),
                    subject: Subject::LostFraming {
                        from: from.to_string(),
                    },
                });
            }
            Found::Request {
                frame,
                head,
                answered,
            } => {
                let mut row = Row {
                    request: extent(talk, frame),
                    connection: talk.connection,
                    correlation_id: head.correlation_id,
                    api_key: head.api_key,
                    version: head.version,
                    ..Row::default()
                };
                row.flags.set(Flags::API);
                if !answered {
                    row.flags.set(Flags::UNANSWERED);
                }
                self.talks.facts.clear();
                let mut last_client_id = talk.client_id;
                let (bytes, facts, summariser) = self.talks.look(talk, frame);
                if let Some(client_id) = head.client_id(bytes) {
                    last_client_id = self.index.client_id(client_id, last_client_id);
                    row.client_id = last_client_id;
                }
                summariser.request(&head, bytes, facts);
                talk.client_id = last_client_id;
                self.add(row);
            }
            Found::Response {
                frame,
                correlation_id,
                answers,
            } => {
                let response = extent(talk, frame);
                let confidence = talk.conversation.confidence();
                if let Some(connection) = self.index.connection_mut(talk.connection) {
                    connection.confidence = confidence;
                }
                match answers {
                    Some(answers) => self.answer(talk, frame, response, answers),
                    None => self.add_bare(talk, response, correlation_id),
                }
            }
            Found::TokenFromClient { frame } => {
                let mut row = Row {
                    request: extent(talk, frame),
                    connection: talk.connection,
                    ..Row::default()
                };
                row.flags.set(Flags::TOKEN);
                self.talks.facts.clear();
                self.add(row);
            }
            Found::TokenFromServer { frame, answers } => {
                let response = extent(talk, frame);
                let row = answers.and_then(|ticket| self.index.row_mut(ticket.0));
                if let Some(row) = row {
                    row.response = response;
                    return;
                }
                let mut row = Row {
                    response,
                    connection: talk.connection,
                    ..Row::default()
                };
                row.flags.set(Flags::TOKEN);
                self.talks.facts.clear();
                self.add(row);
            }
        }
    }

    fn answer(&mut self, talk: &mut Talk, frame: Frame, response: Extent, answers: Answers) {
        let idx = answers.ticket.0;
        if let Some(row) = self.index.row_mut(idx) {
            row.response = response;
            if answers.version != answers.request_version {
                row.flags.set(Flags::FELL_BACK);
            }
        }
        self.talks.facts.clear();
        let (bytes, facts, summariser) = self.talks.look(talk, frame);
        summariser.response(answers.api_key, answers.version, bytes, facts);
        self.index.add_facts(idx, &self.talks.facts);
    }

    fn add_bare(&mut self, talk: &Talk, response: Extent, correlation_id: i32) {
        self.talks.facts.clear();
        self.add(Row {
            response,
            connection: talk.connection,
            correlation_id,
            ..Row::default()
        });
    }

    /// Adds an exchange with the facts of its first message.
    fn add(&mut self, row: Row) {
        let idx = self.index.len() as u32;
        self.index.push(row);
        self.index.add_facts(idx, &self.talks.facts);
    }
}

impl Talks<'_> {
    /// The bytes of a message up to the first that is lost, beside those who want to see them.
    fn look<'t>(
        &'t mut self,
        talk: &'t mut Talk,
        frame: Frame,
    ) -> (&'t [u8], &'t mut Facts, &'t mut dyn Summariser) {
        let (backlog, scratch) = match frame.side {
            Side::A => (&mut talk.backlogs.a, &mut self.scratch.a),
            Side::B => (&mut talk.backlogs.b, &mut self.scratch.b),
        };
        let view = View {
            capture: self.capture,
            backlog,
            scratch,
        };
        let had = frame.at..frame.at + u64::from(frame.had);
        let intact = view.lost(had.clone()).map_or(had.end, |hole| hole.start);
        let len = intact.saturating_sub(frame.at) as usize;
        (
            view.into_bytes(frame.at, len),
            &mut self.facts,
            self.summariser,
        )
    }
}

fn extent(talk: &Talk, frame: Frame) -> Extent {
    let range = frame.at..frame.at + u64::from(frame.had);
    Extent::of(talk.backlogs.of(end(frame.side)), range, frame.len)
}
