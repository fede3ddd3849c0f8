//! What was found in a conversation, as rows of the index.

use std::ops::Range;

use crate::kafka::{Answers, Found, Frame, Protocol, Standing};

use super::backlog::Held;
use super::extent::Extent;
use super::index::{Flags, Row};
use super::looking::Question;
use super::note::{Note, Subject};
use super::packed::Packed;
use super::talk::{Talk, Talks, Writer, end, name};

impl Writer<'_, '_> {
    /// Takes in what a conversation found in the backlogs.
    pub(super) fn found(&mut self, talk: &mut Talk, found: &Found) {
        self.found_in(talk, found, None);
    }

    /// The same of a message in a run that never was in a backlog.
    pub(super) fn found_in(&mut self, talk: &mut Talk, found: &Found, held: Option<&Held<'_>>) {
        match found {
            &Found::Client { side } => {
                let confidence = talk.conversation.confidence();
                if confidence >= 80 {
                    let server = self.index.end(talk.connection, side.other());
                    self.talks.servers.extend(server);
                }
                if let Some(connection) = self.index.connection_mut(talk.connection) {
                    connection.turn(side);
                    connection.confidence = confidence;
                    // It may have been taken for TLS alone.
                    connection.protocol = None;
                    connection.first = None;
                }
            }
            &Found::Other {
                side: _,
                protocol,
                first,
            } => {
                // What is in TLS and has no name is still TLS.
                let is_named = protocol != Protocol::Unknown;
                if let Some(connection) = self.index.connection_mut(talk.connection)
                    && (is_named || connection.tls.is_none())
                {
                    connection.protocol = Some(protocol);
                    connection.first = first;
                }
            }
            &Found::GivenUp { side, len } => {
                let connection = talk.connection + 1;
                let from = self.index.end(talk.connection, side);
                self.index.note(|| Note {
                    connection: Some(connection),
                    subject: Subject::GivenUp {
                        from: name(from),
                        len,
                    },
                });
            }
            &Found::LostFraming { side, .. } => {
                let connection = talk.connection + 1;
                let from = self.index.end(talk.connection, side);
                self.index.note(|| Note {
                    connection: Some(connection),
                    subject: Subject::LostFraming { from: name(from) },
                });
            }
            Found::Request {
                frame,
                head,
                answered,
            } => {
                let mut row = Row {
                    request: self.index.pack(&extent(talk, frame, held)),
                    connection: talk.connection,
                    correlation_id: head.correlation_id,
                    api_key: head.api_key,
                    version: head.version,
                    ..Row::default()
                };
                row.flags.set(Flags::API);
                if !*answered {
                    row.flags.set(Flags::UNANSWERED);
                }
                let idx = self.index.push(row);
                self.ask(talk, frame, held, idx, Question::Request(*head));
            }
            Found::Response {
                frame,
                correlation_id,
                answers,
                standing,
            } => {
                let response = self.index.pack(&extent(talk, frame, held));
                let is_damaged = held.is_none() && self.is_size_wrong(talk, frame);
                let confidence = talk.conversation.confidence();
                if let Some(connection) = self.index.connection_mut(talk.connection) {
                    connection.confidence = confidence;
                }
                match answers {
                    Some(answers) => {
                        self.answer(response, answers, *standing);
                        if let Some(row) = self.index.row_mut(answers.ticket.0) {
                            row.problems += u16::from(is_damaged);
                        }
                        let question = Question::Response {
                            api_key: answers.api_key,
                            version: answers.version,
                        };
                        self.ask(talk, frame, held, answers.ticket.0, question);
                    }
                    None => {
                        let idx = self.index.push(Row {
                            response,
                            connection: talk.connection,
                            correlation_id: *correlation_id,
                            flags: Flags::of(*standing),
                            ..Row::default()
                        });
                        self.ask(talk, frame, held, idx, Question::Orphan);
                    }
                }
            }
            Found::TokenFromClient { frame } => {
                let mut row = Row {
                    request: self.index.pack(&extent(talk, frame, held)),
                    connection: talk.connection,
                    ..Row::default()
                };
                row.flags.set(Flags::TOKEN);
                self.index.push(row);
            }
            Found::TokenFromServer { frame, answers } => {
                let response = self.index.pack(&extent(talk, frame, held));
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
                self.index.push(row);
            }
        }
    }

    /// Whether a message that is all there has another size than it says.
    fn is_size_wrong(&self, talk: &Talk, frame: &Frame) -> bool {
        let backlog = talk.backlogs.of(end(frame.side));
        let pieces = backlog.pieces(self.talks.capture, frame.at..frame.at + 4);
        let size: Vec<u8> = pieces.flatten().copied().collect();
        let size = size.first_chunk().copied().map(u32::from_be_bytes);
        frame.had == frame.len && size.is_some_and(|size| size != frame.len - 4)
    }

    #[inline]
    fn answer(&mut self, response: Packed, answers: &Answers, standing: Standing) {
        if let Some(row) = self.index.row_mut(answers.ticket.0) {
            row.response = response;
            row.flags.set(Flags::of(standing));
            if answers.version != answers.request_version {
                row.flags.set(Flags::FELL_BACK);
            }
        }
    }

    /// Has the bytes of a message looked into, up to the first that is lost.
    #[inline]
    fn ask(
        &mut self,
        talk: &Talk,
        frame: &Frame,
        held: Option<&Held<'_>>,
        row: u32,
        question: Question,
    ) {
        if let Some(row) = self.index.row_mut(row) {
            row.flags.ask();
        }
        let Talks { desk, capture, .. } = &mut *self.talks;
        let backlog = talk.backlogs.of(end(frame.side));
        let range = range(frame);
        let take = |answers| self.index.apply(answers);
        match held.copied().or_else(|| backlog.whole(&range)) {
            Some(held) => {
                let bytes = capture.bytes(held.place(frame.at), frame.had as usize);
                desk.ask_whole(row, question, bytes, take);
            }
            None => desk.ask(row, question, backlog.pieces(capture, range), take),
        }
    }
}

#[inline(always)]
fn extent(talk: &Talk, frame: &Frame, held: Option<&Held<'_>>) -> Extent {
    let backlog = talk.backlogs.of(end(frame.side));
    match held.copied().or_else(|| backlog.whole(&range(frame))) {
        Some(held) => Extent::within(&held, range(frame), frame.len),
        None => Extent::of(backlog, range(frame), frame.len),
    }
}

/// What the stream has of a frame.
#[inline]
fn range(frame: &Frame) -> Range<u64> {
    frame.at..frame.at + u64::from(frame.had)
}
