//! The connections that are being read: what flows deliver goes to their conversations.

use std::collections::HashSet;

use crate::capture::{Capture, Piece, Place};
use crate::flow::{Both, Close, Counts, End, Endpoint, FlowId, Lost, Receiver, Run};
use crate::kafka::{Conversation, Hints, Side, Ticket};
use crate::schema::Catalogue;
use crate::tls::Output;

use super::Options;
use super::backlog::{Backlog, Held, Scratch, View};
use super::cover::{Cover, Delivery};
use super::decrypted::Decrypted;
use super::exchange::Connection;
use super::index::{Flags, Index};
use super::keyring::Keyring;
use super::looking::Desk;
use super::note::{Note, Subject};

/// The connections that may still bring messages.
pub(super) struct Talks<'a> {
    pub(super) capture: &'a Capture,
    pub(super) ports: &'a [u16],
    pub(super) catalogue: &'static Catalogue,
    pub(super) desk: Desk<'a>,
    pub(super) talks: Vec<Option<Box<Talk>>>,
    /// Addresses that spoke Kafka as servers.
    pub(super) servers: HashSet<Endpoint>,
    pub(super) scratch: Both<Scratch>,
    /// Whose bytes are in `scratch`.
    pub(super) scratch_of: Option<FlowId>,
    pub(super) keyring: Keyring,
    pub(super) decrypted: &'a Decrypted,
    /// Taken up again by each connection in TLS.
    pub(super) output: Output,
    pub(super) is_spool_full: bool,
    /// Deliveries that wait for the hello of a connection's other end.
    pub(super) n_held: usize,
    /// Connections in TLS that have ended, and those of which no secrets were found.
    pub(super) n_sessions: u64,
    pub(super) n_unknown: u64,
}

pub(super) struct Talk {
    pub(super) conversation: Conversation,
    pub(super) backlogs: Both<Backlog>,
    pub(super) hints: Hints,
    pub(super) connection: u32,
    pub(super) cover: Cover,
}

impl Talk {
    /// Adds the next bytes that `from` sent.
    pub(super) fn push(&mut self, from: End, run: Run) {
        let other_end = self.backlogs.of(from.other()).end();
        self.backlogs.of_mut(from).push(run, other_end);
    }

    /// The next bytes that `from` sent are lost, so many.
    pub(super) fn push_lost(&mut self, from: End, len: u64) {
        let other_end = self.backlogs.of(from.other()).end();
        self.backlogs.of_mut(from).push_lost(len, other_end);
    }
}

/// Talks together with the index that they are written to.
pub(super) struct Writer<'t, 'a> {
    pub(super) talks: &'t mut Talks<'a>,
    pub(super) index: &'t mut Index,
}

pub(super) fn side(end: End) -> Side {
    match end {
        End::A => Side::A,
        End::B => Side::B,
    }
}

/// How an end is called in a note.
pub(super) fn name(end: Option<Endpoint>) -> String {
    end.map(|end| end.to_string()).unwrap_or_default()
}

pub(super) fn end(side: Side) -> End {
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
            closed_by: None,
            counts: Both::default(),
            tls: None,
            client_side: Side::A,
        };
        connection.turn(client);
        let connection = self.index.add_connection(connection);
        let talk = Talk {
            conversation: Conversation::new(self.talks.catalogue),
            backlogs: Both::default(),
            hints: Hints {
                initiator: initiator.map(side),
                server: by_port,
            },
            connection,
            cover: Cover::default(),
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
        self.deliver(flow, Delivery::Started { from, whole });
    }

    fn data(&mut self, flow: FlowId, from: End, run: Run) {
        let Some(mut talk) = self.talks.take(flow) else {
            return;
        };
        let is_clear = matches!(talk.cover, Cover::None);
        if is_clear && !self.pass(&mut talk, from, &run) {
            talk.push(from, run);
            self.drive_on(flow, &mut talk);
        }
        self.talks.put_back(flow, talk);
        if !is_clear {
            self.deliver(flow, Delivery::Data { from, run });
        }
    }

    fn gap(&mut self, flow: FlowId, from: End, len: u64, lost: Lost) {
        let Some(talk) = self.talks.talk(flow) else {
            return;
        };
        let connection = talk.connection + 1;
        let sender = self.index.end(talk.connection, side(from));
        self.index.note(|| Note {
            connection: Some(connection),
            subject: Subject::Gap {
                from: name(sender),
                len,
                lost,
            },
        });
        self.deliver(flow, Delivery::Gap { from, len });
    }

    fn conflict(&mut self, flow: FlowId, from: End, piece: Piece) {
        let Some(talk) = self.talks.talk(flow) else {
            return;
        };
        let connection = talk.connection + 1;
        let from = self.index.end(talk.connection, side(from));
        self.index.note(|| Note {
            connection: Some(connection),
            subject: Subject::Conflict {
                from: name(from),
                packet: piece.packet,
            },
        });
    }

    fn closed(&mut self, flow: FlowId, from: End, close: Close) {
        if let Some(talk) = self.talks.talk(flow) {
            let at = talk.connection;
            if let Some(connection) = self.index.connection_mut(at) {
                connection.closed_by = connection.closed_by.or(Some(side(from)));
            }
        }
        // After a reset the capture may still bring what was sent before it.
        if close == Close::Fin {
            self.deliver(flow, Delivery::Closed { from });
        }
    }

    fn finished(&mut self, flow: FlowId, counts: Both<Counts>) {
        self.end_cover(flow);
        if let Some(talk) = self.talks.talk(flow) {
            for side in Side::BOTH {
                talk.conversation.close(side);
            }
            self.drive(flow);
        }
        let Some(mut talk) = self.talks.talks.get_mut(flow.idx()).and_then(Option::take) else {
            return;
        };
        let silent = |counts: &Counts| counts.packets > 0 && counts.bytes + counts.lost == 0;
        let server = talk.conversation.client().map(Side::other);
        let is_silent = server.is_some_and(|server| silent(counts.of(end(server))));
        for ticket in talk.conversation.unheard().filter(|_| !is_silent) {
            if let Some(row) = self.index.row_mut(ticket.0) {
                row.flags.set(Flags::UNHEARD);
            }
        }
        while let Some(found) = talk.conversation.finish() {
            self.found(&mut talk, &found);
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

impl<'a> Talks<'a> {
    pub(super) fn new(
        capture: &'a Capture,
        options: &'a Options,
        decrypted: &'a Decrypted,
        desk: Desk<'a>,
    ) -> Talks<'a> {
        Talks {
            capture,
            ports: &options.ports,
            catalogue: options.catalogue,
            desk,
            talks: Vec::new(),
            servers: HashSet::new(),
            scratch: Both::default(),
            scratch_of: None,
            keyring: Keyring::new(options.keylog.as_ref(), capture),
            decrypted,
            output: Output::default(),
            is_spool_full: false,
            n_held: 0,
            n_sessions: 0,
            n_unknown: 0,
        }
    }

    /// Takes a connection out, to be changed together with the rest.
    pub(super) fn take(&mut self, flow: FlowId) -> Option<Box<Talk>> {
        self.talks.get_mut(flow.idx())?.take()
    }

    pub(super) fn put_back(&mut self, flow: FlowId, talk: Box<Talk>) {
        if let Some(slot) = self.talks.get_mut(flow.idx()) {
            *slot = Some(talk);
        }
    }

    fn talk(&mut self, flow: FlowId) -> Option<&mut Talk> {
        self.talks.get_mut(flow.idx())?.as_deref_mut()
    }
}

impl<'t, 'a> Writer<'t, 'a> {
    pub(super) fn new(talks: &'t mut Talks<'a>, index: &'t mut Index) -> Writer<'t, 'a> {
        Writer { talks, index }
    }
}

impl Writer<'_, '_> {
    /// Lets the connection find what it can in what has been delivered.
    pub(super) fn drive(&mut self, flow: FlowId) {
        if let Some(mut talk) = self.talks.take(flow) {
            self.drive_on(flow, &mut talk);
            self.talks.put_back(flow, talk);
        }
    }

    /// Takes the messages that a run begins with, which most have nothing else than; `false` if
    /// anything is left to look at behind them.
    fn pass(&mut self, talk: &mut Talk, from: End, run: &Run) -> bool {
        let backlog = talk.backlogs.of(from);
        if !backlog.is_empty() {
            return false;
        }
        let held = Held {
            at: backlog.end(),
            seq: run.seq,
            piece: &run.piece,
        };
        let other_end = talk.backlogs.of(from.other()).end();
        let (mut at, len) = (held.at, run.piece.len);
        let mut rest = self.talks.capture.bytes(run.piece.place, len as usize);
        if rest.len() != len as usize {
            // Somebody has shortened the file.
            return false;
        }
        while !rest.is_empty() {
            let ticket = Ticket(self.index.len() as u32);
            let conversation = &mut talk.conversation;
            let found = conversation.next_in(side(from), at, rest, other_end, ticket);
            let (Some(found), Some(next)) = (&found, conversation.boundary(side(from))) else {
                return false;
            };
            rest = rest.get((next - at) as usize..).unwrap_or_default();
            at = next;
            self.found_in(talk, found, Some(&held));
        }
        talk.backlogs.of_mut(from).pass(len.into());
        true
    }

    pub(super) fn drive_on(&mut self, flow: FlowId, talk: &mut Talk) {
        if self.talks.scratch_of != Some(flow) {
            self.talks.scratch_of = Some(flow);
            self.talks.scratch.a.forget();
            self.talks.scratch.b.forget();
        }
        loop {
            let mut hints = talk.hints;
            if talk.conversation.client().is_none() && hints.server.is_none() {
                let serves = |side| {
                    let endpoint = self.index.end(talk.connection, side);
                    endpoint.is_some_and(|end| self.talks.servers.contains(&end))
                };
                // Who asked for the connection is no server of it, whatever its port was before.
                hints.server = Side::BOTH.into_iter().find(|&side| {
                    serves(side)
                        && match hints.initiator {
                            Some(initiator) => initiator != side,
                            None => !serves(side.other()),
                        }
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
            self.found(talk, &found);
        }
    }
}
