//! Offsets of a search where a message may start, kept until more bytes tell.
//!
//! A segment may bring a single byte, and what is suspected may be of megabytes: a suspect is looked
//! at anew only where that can tell more than before, and no segment that may hold its answer is
//! looked at twice.

use std::ops::ControlFlow;

use super::candidate::{self, Answer, Opinion};
use super::conversation::Conversation;
use super::head::{FIXED_HEAD, RequestHead};
use super::window::array;
use super::{Side, Window, limits};

/// What of the next request is looked at to believe one.
const NEXT: u64 = FIXED_HEAD as u64 + 2;

/// An offset where a message may start.
#[derive(Debug)]
pub(super) struct Suspect {
    pub(super) at: u64,
    /// What was thought of it.
    opinion: Opinion,
    /// That stays so until the stream has come so far.
    until: u64,
    answers: Answers,
}

/// How far the other stream was looked through for the answer to a request.
#[derive(Debug, Default)]
struct Answers {
    from: u64,
    /// Where frames of its correlation id start whose end has not come.
    open: Vec<u64>,
}

impl Suspect {
    /// One of which this was thought.
    pub(super) fn new(
        conversation: &Conversation,
        side: Side,
        at: u64,
        opinion: Opinion,
        window: &mut impl Window,
    ) -> Suspect {
        let mut suspect = Suspect {
            at,
            opinion,
            until: 0,
            answers: Answers::default(),
        };
        suspect.until = suspect.tells_more_at(conversation, side, window);
        suspect
    }

    /// What is thought of it now.
    pub(super) fn look(
        &mut self,
        conversation: &Conversation,
        side: Side,
        window: &mut impl Window,
    ) -> Opinion {
        let end = window.end();
        let is_lost = || window.lost(self.at..self.until.min(end)).is_some();
        if end >= self.until || conversation.stream(side).closed || is_lost() {
            self.opinion = candidate::judge(conversation, side, self.at, window);
            self.until = self.tells_more_at(conversation, side, window);
        }
        self.opinion
    }

    /// The end of the stream at which another look at it may lead to another opinion: where it
    /// ends, and where something behind it can be told. What is thought of a response depends on
    /// what waits as well.
    fn tells_more_at(
        &self,
        conversation: &Conversation,
        side: Side,
        window: &mut impl Window,
    ) -> u64 {
        if !conversation.may_be_client(side) {
            return 0;
        }
        let Some(size) = array::<4>(window, self.at).map(u32::from_be_bytes) else {
            return 0;
        };
        let frame_end = self.at + 4 + u64::from(size);
        let end = window.end();
        if end < frame_end {
            frame_end
        } else if end < frame_end + NEXT {
            frame_end + NEXT
        } else if window.lost(self.at..frame_end + NEXT).is_some() {
            0
        } else {
            // The one behind it may have to fit as well.
            let size = array::<4>(window, frame_end).map_or(u32::MAX, u32::from_be_bytes);
            let next_end = frame_end + 4 + u64::from(size);
            if end < next_end { next_end } else { u64::MAX }
        }
    }

    /// Whether `other` answers it as the request `head`.
    pub(super) fn is_answered(
        &mut self,
        conversation: &Conversation,
        head: RequestHead,
        other: &mut impl Window,
    ) -> bool {
        self.answers.look(conversation, head, other).is_break()
    }
}

impl Answers {
    fn look(
        &mut self,
        conversation: &Conversation,
        head: RequestHead,
        other: &mut impl Window,
    ) -> ControlFlow<()> {
        let mut open = std::mem::take(&mut self.open);
        open.retain(|&at| at >= other.start());
        for at in open {
            self.take(at, candidate::answer(conversation, head, at, other))?;
        }
        let mut next = other.next_segment(self.from.max(other.start()));
        for _ in 0..limits::MAX_STARTS {
            let Some(at) = next else {
                break;
            };
            match candidate::answer(conversation, head, at, other) {
                // Nothing behind it has more.
                Answer::TooShort => break,
                answer => self.take(at, answer)?,
            }
            next = other.next_segment(at + 1);
        }
        self.from = next.unwrap_or(other.end());
        ControlFlow::Continue(())
    }

    fn take(&mut self, at: u64, answer: Answer) -> ControlFlow<()> {
        match answer {
            Answer::Yes => return ControlFlow::Break(()),
            Answer::Open if self.open.len() < limits::MAX_CANDIDATES => self.open.push(at),
            Answer::Open | Answer::No | Answer::TooShort => {}
        }
        ControlFlow::Continue(())
    }
}
