//! Answers that say only whether something worked, where nothing but them was captured.
//!
//! A heartbeat is answered by an id and an error code. One says nothing, and a few are met in other
//! protocols; many that count up without an exception, each with no error or one of those that
//! brokers have for a heartbeat, are believed if the other end has said nothing at all.

use std::ops::Range;

use super::conversation::Conversation;
use super::judge::{self, Content};
use super::orphan::{self, FRONT, Numbered};
use super::{Side, Window, earlier, limits};

/// Frames in a row that are such answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Quiet {
    /// Offset behind the last.
    end: u64,
    last: Numbered,
    n_frames: u32,
    n_errors: u32,
    /// Some have eight bytes behind the id, as those of flexible versions do.
    has_longer: bool,
}

/// The size of those that have six, and of the others.
const SHORT: u32 = 10;
const LONGER: u32 = 12;

/// Whether an outcome has more than six bytes.
pub(super) fn is_longer(frame: Numbered) -> bool {
    frame.size != SHORT
}

/// What is thought of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Run {
    /// They are responses; one of them starts at this offset.
    Sure(u64),
    /// More will tell.
    Open(Quiet),
    /// What comes at this offset is none.
    Over(u64),
    /// There are others of their size that are none: this is another protocol.
    Refuted(u64),
}

impl Quiet {
    /// Frames up to `end`, so many, and errors among them; whether some are longer.
    pub(super) fn new(
        end: u64,
        last: Numbered,
        n_frames: usize,
        n_errors: u32,
        has_longer: bool,
    ) -> Quiet {
        Quiet {
            end,
            last,
            n_frames: u32::try_from(n_frames).unwrap_or(u32::MAX),
            n_errors,
            has_longer,
        }
    }

    /// Whether there are enough of them. Zeros alone are met in other protocols, and numbers of eight
    /// bytes are often zero; errors of a group say more, and are few.
    fn is_enough(self) -> bool {
        match self.n_errors {
            0 => !self.has_longer && self.n_frames >= limits::MIN_QUIET_ZEROS,
            n => self.n_frames >= limits::MIN_QUIET && n <= self.n_frames / 4,
        }
    }

    /// Offset behind the last that has come.
    pub(super) fn end(self) -> u64 {
        self.end
    }

    /// Goes on to the end of what has come since.
    pub(super) fn go_on(
        mut self,
        conversation: &Conversation,
        side: Side,
        window: &mut impl Window,
    ) -> Run {
        while let Some((next, end)) = orphan::frame_at(self.end, window) {
            let counts = self.last.id != next.id && self.last.counts(next);
            let is_lost = window.lost(self.end..end).is_some();
            if !counts || u64::from(next.size) > orphan::MAX_OPEN || is_lost {
                return Run::Over(self.end);
            }
            if window.end() < end {
                break;
            }
            let bytes = window.bytes(self.end, next.size as usize + 4);
            match judge::outcome(bytes) {
                Some(error) => self.n_errors += u32::from(error != 0),
                None if speaks(conversation, bytes) => return Run::Sure(self.end),
                None => return Run::Over(self.end),
            }
            self.n_frames = self.n_frames.saturating_add(1);
            self.has_longer |= is_longer(next);
            if self.is_enough() {
                let kept = conversation.stream(side).at.unwrap_or(self.end);
                let first = earlier::first(conversation, kept..self.end, false, window);
                return match are_all_outcomes(first..self.end, window) {
                    true => Run::Sure(self.end),
                    false => Run::Refuted(end),
                };
            }
            (self.end, self.last) = (end, next);
        }
        match window.lost(self.end..self.end + FRONT) {
            Some(_) => Run::Over(self.end),
            None => Run::Open(self),
        }
    }
}

/// Whether none of the frames of a range is as small as an outcome and says something else.
fn are_all_outcomes(range: Range<u64>, window: &mut impl Window) -> bool {
    let mut at = range.start;
    while at < range.end
        && let Some((frame, end)) = orphan::frame_at(at, window)
    {
        let is_small = frame.size == SHORT || frame.size == LONGER;
        if is_small && judge::outcome(window.bytes(at, frame.size as usize + 4)).is_none() {
            return false;
        }
        at = end;
    }
    true
}

/// Whether a frame has something to say.
fn speaks(conversation: &Conversation, bytes: &[u8]) -> bool {
    orphan::says(bytes, limits::TELLING.into(), orphan::MIN_SAID)
        && judge::content(conversation.catalogue, bytes) == Content::Speaks
}
