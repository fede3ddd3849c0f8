//! Responses in a row, each of which leads to the next: what starts them need not start a segment.
//!
//! Brokers write several responses at once, and a capture that begins in the middle of them may
//! have none at the start of a segment for long. A size that leads to the next id, and that to the
//! one behind it, is no accident if a definition consumes each frame exactly.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

use super::conversation::Conversation;
use super::judge::{self, Content, Verdict};
use super::orphan::{self, Chain, Numbered, Start};
use super::window::array;
use super::{Found, Side, Window, limits};

/// Frames that prove the first of them, where nobody is known to wait for any.
const PROOF: usize = 4;

/// A frame of them is no larger.
const MAX_SIZE: u32 = 1 << 16;

/// Offsets that more bytes tell about; so many at most are remembered, and those behind them have
/// their turn later.
const MAX_WAITING: usize = 1 << 12;

/// Frames that count up are those of another protocol if so many of them are no responses.
const MAX_STRANGE: usize = 1 << 10;

/// What is looked at in front of a boundary for messages that lead to it.
pub(super) const MAX_BACK: u64 = 1 << 18;

/// Whether frames prove that a response starts where they do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proof {
    Yes,
    No,
    /// They count up, but are no responses.
    Strange,
    /// That will be told once the stream has come so far.
    Open(u64),
}

/// Whether the frames from `at` on prove that a response starts there.
pub(super) fn proves(conversation: &Conversation, at: u64, window: &mut impl Window) -> Proof {
    let mut frames: Vec<(u64, Numbered)> = Vec::new();
    let mut from = at;
    let mut is_enough = false;
    // By their sizes alone, as long as not all of them have come.
    while !is_enough {
        let front = orphan::frame_at(from, window);
        let end = front.map_or(from + orphan::FRONT, |(_, end)| end);
        let last = frames.last().map(|&(_, last)| last);
        if window.lost(from..end).is_some() || front.is_some_and(|(next, _)| !counts(last, next)) {
            return Proof::No;
        }
        let Some((frame, _)) = front.filter(|_| end <= window.end()) else {
            return Proof::Open(end);
        };
        let is_awaited = conversation.pending.find(frame.id, from).is_some();
        frames.push((from, frame));
        is_enough = frames.len() == PROOF || frames.len() > 1 && is_awaited;
        from = end;
    }
    let mut last = None;
    let fits = frames.into_iter().all(|(at, frame)| {
        let step = last
            .replace(frame)
            .map(|last| frame.id.wrapping_sub(last.id));
        fits(conversation, at, frame, step, window)
    });
    if fits { Proof::Yes } else { Proof::Strange }
}

/// What is known of a stream in which responses that count up are looked for without requests.
#[derive(Debug, Default)]
pub(super) struct Counted {
    /// Offset before which none starts, but for those that are open.
    from: u64,
    n_seen: u64,
    /// Offsets of frames that count up and are no responses.
    n_strange: usize,
    /// How far the stream has to come until an offset can be told, and that offset; the next first.
    open: BinaryHeap<Reverse<(u64, u64)>>,
}

impl Counted {
    /// Looks for responses of a broker whose client was not understood, at any offset.
    pub(super) fn look(
        &mut self,
        conversation: &mut Conversation,
        side: Side,
        start: Start,
        window: &mut impl Window,
    ) -> ControlFlow<Found> {
        if self.n_strange > MAX_STRANGE || self.n_seen > limits::MAX_UNDECIDED {
            return ControlFlow::Continue(());
        }
        let end = window.end();
        let closed = conversation.stream(side).closed;
        while let Some(&Reverse((until, at))) = self.open.peek()
            && (until <= end || closed)
        {
            self.open.pop();
            self.try_at(at, conversation, side, start, window)?;
        }
        let mut from = self.from.max(window.start());
        while self.n_seen <= limits::MAX_UNDECIDED
            && (self.open.len() < MAX_WAITING || closed)
            && let Some((starts, behind)) = starts_of_counted(from, window)
        {
            for at in starts {
                self.try_at(at, conversation, side, start, window)?;
            }
            self.n_seen += behind - from;
            from = behind;
        }
        self.from = from;
        ControlFlow::Continue(())
    }

    /// Notes what is open about an offset, unless the frames there are responses.
    fn try_at(
        &mut self,
        at: u64,
        conversation: &mut Conversation,
        side: Side,
        start: Start,
        window: &mut impl Window,
    ) -> ControlFlow<Found> {
        if at < window.start() {
            return ControlFlow::Continue(());
        }
        match proves(conversation, at, window) {
            Proof::Open(until) if !conversation.stream(side).closed => {
                self.open.push(Reverse((until, at)));
            }
            Proof::Open(_) | Proof::No => {}
            Proof::Strange => self.n_strange += 1,
            Proof::Yes => {
                let chain = orphan::step(conversation, side, at, start, window);
                if let Chain::Sure(found) = chain {
                    return ControlFlow::Break(found);
                }
                self.n_strange += 1;
            }
        }
        ControlFlow::Continue(())
    }
}

/// The next offsets from `at` on at which frames may start that count up, of which there may be none,
/// and the offset behind what was looked at; `None` if too little has come.
fn starts_of_counted(mut at: u64, window: &mut impl Window) -> Option<(Vec<u64>, u64)> {
    while let Some(hole) = window.lost(at..at + orphan::FRONT) {
        at = hole.end;
    }
    let end = window.end();
    let until = window.lost(at..end).map_or(end, |hole| hole.start);
    let len = until.saturating_sub(at).min(limits::SEARCH_STEP as u64);
    let n_starts = len.checked_sub(orphan::FRONT - 1).filter(|&n| n > 0)?;
    let bytes = window.bytes(at, len as usize);
    let may_start = |&idx: &usize| bytes.get(idx..).is_some_and(may_count);
    let starts = (0..n_starts as usize).filter(may_start);
    Some((starts.map(|idx| at + idx as u64).collect(), at + n_starts))
}

/// Whether two frames may count up at the start of `bytes`, as far as those tell.
pub(super) fn may_count(bytes: &[u8]) -> bool {
    let Some(frame) = numbered(bytes) else {
        return false;
    };
    let next = bytes.get(frame.size as usize + 4..).and_then(numbered);
    counts(None, frame) && next.is_none_or(|next| counts(Some(frame), next))
}

fn numbered(bytes: &[u8]) -> Option<Numbered> {
    let &[a, b, c, d, e, f, g, h] = bytes.first_chunk::<8>()?;
    Some(Numbered {
        id: i32::from_be_bytes([e, f, g, h]),
        size: u32::from_be_bytes([a, b, c, d]),
    })
}

/// Whether two frames at `at` count up.
pub(super) fn may_start(at: u64, window: &mut impl Window) -> bool {
    orphan::frame_at(at, window).is_some_and(|(frame, end)| {
        counts(None, frame)
            && orphan::frame_at(end, window).is_some_and(|(next, _)| counts(Some(frame), next))
    })
}

/// The offset of the first of the messages from `from` on that lead one to the next and to the one
/// at `boundary`; that one if there are none.
pub(super) fn first(
    conversation: &Conversation,
    from: u64,
    boundary: u64,
    window: &mut impl Window,
) -> u64 {
    let least = from
        .max(window.start())
        .max(boundary.saturating_sub(MAX_BACK));
    let mut at = boundary;
    while let Some(before) = before(conversation, least, at, window) {
        at = before;
    }
    at
}

/// The message in front of the one at `at`.
fn before(
    conversation: &Conversation,
    least: u64,
    at: u64,
    window: &mut impl Window,
) -> Option<u64> {
    let next = array::<4>(window, at + 4).map(i32::from_be_bytes)?;
    let mut from = least.max(at.saturating_sub(u64::from(MAX_SIZE)));
    while let Some(hole) = window.lost(from..at) {
        from = hole.end;
    }
    let len = at.checked_sub(from)? as usize;
    let bytes = window.bytes(from, len);
    let leads = |&idx: &usize| {
        bytes.get(idx..).and_then(numbered).is_some_and(|frame| {
            frame.size as usize + idx + 4 == len
                && frame.id > 0
                && (1..=limits::MAX_SMALL_STEP).contains(&next.wrapping_sub(frame.id))
        })
    };
    let starts: Vec<usize> = (0..len.saturating_sub(7)).rev().filter(leads).collect();
    starts
        .into_iter()
        .map(|idx| from + idx as u64)
        .find(|&start| {
            orphan::frame_at(start, window).is_some_and(|(frame, _)| {
                let step = next.wrapping_sub(frame.id);
                fits(conversation, start, frame, Some(step), window)
            })
        })
}

fn counts(last: Option<Numbered>, frame: Numbered) -> bool {
    let is_next = last
        .is_none_or(|last| (1..=limits::MAX_SMALL_STEP).contains(&frame.id.wrapping_sub(last.id)));
    // Zeros are met everywhere.
    is_next && frame.id > 0 && (4..=MAX_SIZE).contains(&frame.size)
}

/// Whether a whole frame is a response: to the request that waits for it, or to any. `step` is how
/// far its id is from the one next to it.
fn fits(
    conversation: &Conversation,
    at: u64,
    frame: Numbered,
    step: Option<i32>,
    window: &mut impl Window,
) -> bool {
    let bytes = window.bytes(at, frame.size as usize + 4);
    let pending = conversation.pending.find(frame.id, at);
    if let Some((api_key, version)) = pending.and_then(|pending| pending.asked) {
        let verdict = judge::response_fits(conversation.catalogue, bytes, api_key, version);
        return matches!(verdict, Verdict::Fits(_));
    }
    // What says little is believed if it has the very next number.
    let says = orphan::says(bytes, limits::TELLING.into(), orphan::MIN_SAID);
    match judge::content(conversation.catalogue, bytes) {
        Content::Strange => false,
        Content::Speaks if says => true,
        Content::Silent | Content::Speaks => step.is_none_or(|step| step == 1),
    }
}
