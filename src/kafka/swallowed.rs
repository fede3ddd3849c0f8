//! A response whose size is damaged, so that it seems to hold responses behind it.
//!
//! What comes in is a frame of the broker's stream; what goes out is where the next message starts, if
//! that is in front of the frame's end. It is if the frame is no answer to what has its correlation id,
//! and a response starts in it that others wait for: either the bytes in front of that are the answer,
//! or it is one itself, and so is what follows.

use std::ops::Range;

use super::conversation::Conversation;
use super::judge::{self, Verdict};
use super::pairing::Pending;
use super::window::array;
use super::{Side, Ticket, Window, limits};

/// Bytes of a frame in which others are looked for, and places that look like the start of one.
const MAX_LOOKED_THROUGH: u64 = 1 << 20;
const MAX_PLACES: usize = 64;

/// Responses in a row that are looked at to believe the first.
const ENOUGH: usize = 4;

/// Bytes of the size and the correlation id.
const FRONT: u64 = 8;

/// Whether a whole frame is no answer to the request with its correlation id.
pub(super) fn is_strange(conversation: &Conversation, bytes: &[u8], id: i32, at: u64) -> bool {
    let pending = conversation.pending.find(id, at);
    pending.is_some_and(|pending| verdict(conversation, bytes, &pending) == Verdict::Differs)
}

fn verdict(conversation: &Conversation, bytes: &[u8], pending: &Pending) -> Verdict {
    pending
        .asked
        .map_or(Verdict::Unknown, |(api_key, version)| {
            judge::response_fits(conversation.catalogue, bytes, api_key, version)
        })
}

/// What is behind a frame's own bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Behind {
    /// What its size says.
    End,
    /// The next message starts here, in front of its end.
    Next(u64),
    /// A few more bytes will tell.
    Open,
}

/// Where the message behind the one in `frame` starts. What has not come of it never will.
pub(super) fn next(
    conversation: &Conversation,
    side: Side,
    frame: Range<u64>,
    window: &mut impl Window,
) -> Behind {
    let end = frame.end;
    let known = window.end();
    let next = places(conversation, side, frame.clone(), window);
    let Some((own, places)) = next else {
        return Behind::End;
    };
    let fits = |bytes: &[u8]| matches!(verdict(conversation, bytes, &own), Verdict::Fits(_));
    let is_next = |place: &u64| {
        let mut before = vec![own.ticket];
        let n_whole = n_answers(conversation, *place, &mut before, window);
        n_whole.is_some_and(|n_whole| {
            n_whole > 0 || fits(window.bytes(frame.start, (place - frame.start) as usize))
        })
    };
    if let Some(place) = places.into_iter().find(is_next) {
        return Behind::Next(place);
    }
    // The start of the next one may lie across the end.
    let may_come = known < end + FRONT - 1 && !conversation.stream(side).closed;
    let mut last = end.saturating_sub(FRONT - 1)..end;
    let is_own = |place| fits(window.bytes(frame.start, (place - frame.start) as usize));
    match may_come && frame.start + FRONT <= last.start && last.any(is_own) {
        true => Behind::Open,
        false => Behind::End,
    }
}

/// The request that the message in `frame` is no answer to, and the offsets in it where an answer to
/// another may start.
fn places(
    conversation: &Conversation,
    side: Side,
    frame: Range<u64>,
    window: &mut impl Window,
) -> Option<(Pending, Vec<u64>)> {
    let Range { start: at, end } = frame;
    let queue = &conversation.pending;
    // Where ids repeat they do not tell a response from other bytes.
    if conversation.client != Some(side.other()) || queue.len() < 2 || queue.repeats() {
        return None;
    }
    let known = window.end();
    let there = known.min(end + FRONT - 1).min(at + MAX_LOOKED_THROUGH);
    if window.lost(at..end.min(known)).is_some() {
        return None;
    }
    let id = array::<4>(window, at + 4).map(i32::from_be_bytes)?;
    let own = queue.find(id, at)?;
    if end <= known && !is_strange(conversation, window.bytes(at, (end - at) as usize), id, at) {
        return None;
    }
    let ids = queue.ids()?;
    let bytes = window.bytes(at, (there - at) as usize);
    let fronts = bytes.windows(FRONT as usize).enumerate();
    let places = fronts.skip(FRONT as usize).filter(|(_, front)| {
        let &&[a, b, c, d, e, f, g, h] = front else {
            return false;
        };
        let next = i32::from_be_bytes([e, f, g, h]);
        (4..=limits::MAX_SEARCHED).contains(&u32::from_be_bytes([a, b, c, d]))
            && next != id
            && ids.contains(&next)
    });
    let places = places.map(|(idx, _)| at + idx as u64);
    Some((own, places.take(MAX_PLACES).collect()))
}

/// How many whole responses are from `at` on, each to a request that none of those before answers;
/// `None` if anything else is among the first of them.
fn n_answers(
    conversation: &Conversation,
    at: u64,
    before: &mut Vec<Ticket>,
    window: &mut impl Window,
) -> Option<usize> {
    let mut at = at;
    for n_whole in 0..ENOUGH {
        let (Some(size), Some(id)) = (
            array::<4>(window, at).map(u32::from_be_bytes),
            array::<4>(window, at + 4).map(i32::from_be_bytes),
        ) else {
            return Some(n_whole);
        };
        let pending = conversation.pending.find(id, at)?;
        let is_next =
            (4..=limits::MAX_SEARCHED).contains(&size) && !before.contains(&pending.ticket);
        if !is_next {
            return None;
        }
        let end = at + 4 + u64::from(size);
        if window.end() < end || window.lost(at..end).is_some() {
            return Some(n_whole);
        }
        let bytes = window.bytes(at, (end - at) as usize);
        if !matches!(verdict(conversation, bytes, &pending), Verdict::Fits(_)) {
            return None;
        }
        before.push(pending.ticket);
        at = end;
    }
    Some(ENOUGH)
}
