//! What was found in a conversation, as rows of the index.

use std::sync::{Arc, PoisonError};

use crate::kafka::{Answers, Found, Frame, Side, Window};

use super::backlog::View;
use super::extent::Extent;
use super::index::{Flags, Row};
use super::note::{Note, Subject};
use super::summary::{Facts, Summariser};
use super::talk::{Talk, Talks, Writer, end};

impl Writer<'_, '_> {
    /// Takes in what a conversation found.
    pub(super) fn found(&mut self, talk: &mut Talk, found: Found) {
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
        self.talks.learn();
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
        self.talks.learn();
    }
}

impl Talks<'_> {
    /// Keeps what the last message said of the cluster.
    fn learn(&self) {
        let names = self.facts.names();
        if names.len() > 0 {
            let mut cluster = self.cluster.lock().unwrap_or_else(PoisonError::into_inner);
            let cluster = Arc::make_mut(&mut cluster);
            names.for_each(|fact| cluster.learn(fact));
        }
    }

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
