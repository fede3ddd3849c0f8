//! What was found in a conversation, as rows of the index.

use crate::kafka::{Answers, Found, Frame, Protocol, Standing};

use super::extent::Extent;
use super::index::{Flags, Row};
use super::looking::Question;
use super::note::{Note, Subject};
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
                    // It may have been taken for TLS alone.
                    connection.protocol = None;
                    connection.first = None;
                }
            }
            Found::Other {
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
                let idx = self.index.push(row);
                self.ask(talk, frame, idx, Question::Request(head));
            }
            Found::Response {
                frame,
                correlation_id,
                answers,
                standing,
            } => {
                let response = extent(talk, frame);
                let confidence = talk.conversation.confidence();
                if let Some(connection) = self.index.connection_mut(talk.connection) {
                    connection.confidence = confidence;
                }
                match answers {
                    Some(answers) => self.answer(talk, frame, response, answers, standing),
                    None => self.add_bare(talk, response, correlation_id, standing),
                }
            }
            Found::TokenFromClient { frame } => {
                let mut row = Row {
                    request: extent(talk, frame),
                    connection: talk.connection,
                    ..Row::default()
                };
                row.flags.set(Flags::TOKEN);
                self.index.push(row);
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
                self.index.push(row);
            }
        }
    }

    fn answer(
        &mut self,
        talk: &mut Talk,
        frame: Frame,
        response: Extent,
        answers: Answers,
        standing: Standing,
    ) {
        let idx = answers.ticket.0;
        if let Some(row) = self.index.row_mut(idx) {
            row.response = response;
            row.flags.set(Flags::of(standing));
            if answers.version != answers.request_version {
                row.flags.set(Flags::FELL_BACK);
            }
        }
        let question = Question::Response {
            api_key: answers.api_key,
            version: answers.version,
        };
        self.ask(talk, frame, idx, question);
    }

    fn add_bare(&mut self, talk: &Talk, response: Extent, correlation_id: i32, standing: Standing) {
        self.index.push(Row {
            response,
            connection: talk.connection,
            correlation_id,
            flags: Flags::of(standing),
            ..Row::default()
        });
    }

    /// Has the bytes of a message looked into, up to the first that is lost.
    fn ask(&mut self, talk: &Talk, frame: Frame, row: u32, question: Question) {
        let Talks { desk, capture, .. } = &mut *self.talks;
        let backlog = talk.backlogs.of(end(frame.side));
        let range = frame.at..frame.at + u64::from(frame.had);
        let take = |answers| self.index.apply(answers);
        match backlog.whole(&range) {
            Some((part, piece)) => {
                let place = piece.place.plus(range.start - part.at);
                let bytes = capture.bytes(place, frame.had as usize);
                desk.ask_whole(row, question, bytes, take);
            }
            None => desk.ask(row, question, backlog.pieces(capture, range), take),
        }
    }
}

fn extent(talk: &Talk, frame: Frame) -> Extent {
    let range = frame.at..frame.at + u64::from(frame.had);
    Extent::of(talk.backlogs.of(end(frame.side)), range, frame.len)
}
