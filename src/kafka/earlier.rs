//! What lies in front of the first boundary that was certain.
//!
//! A connection is known to be Kafka by a message that says enough. Those in front of it said too
//! little alone, but where sizes lead from the start of a segment exactly to that boundary, or to
//! where captured bytes end in front of it, they are messages too.

use std::collections::HashSet;
use std::ops::Range;

use super::conversation::Conversation;
use super::head::{self, Plausible, RequestHead};
use super::judge::{self, Content};
use super::window::array;
use super::{Window, limits};

/// Where sizes led to.
#[derive(Clone, Copy, Debug)]
struct Target {
    at: u64,
    /// It is the boundary; else captured bytes end there.
    is_boundary: bool,
    /// The correlation id of the message at the boundary.
    id: i32,
}

/// The offset of the first message in `range` from which sizes lead to its end, where one starts;
/// that end if there is none. `asks` if they are requests.
pub(super) fn first(
    conversation: &Conversation,
    range: Range<u64>,
    asks: bool,
    window: &mut impl Window,
) -> u64 {
    let boundary = range.end;
    let from = range.start.max(window.start());
    let Some(id) = id_at(boundary, asks, window) else {
        return boundary;
    };
    let ends = ends_of_captured(from..boundary, window);
    // From where sizes lead to nothing; so each frame is walked over once.
    let mut dead: HashSet<u64> = HashSet::new();
    let mut segment = window.next_segment(from);
    while let Some(start) = segment.filter(|&start| start < boundary)
        && dead.len() < limits::MAX_WALKED
    {
        let mut path = Vec::new();
        let mut at = start;
        while at < boundary && !ends.contains(&at) && !dead.contains(&at) {
            let size = array::<4>(window, at).map(u32::from_be_bytes);
            let Some(size) = size.filter(|size| (4..=limits::MAX_SEARCHED).contains(size)) else {
                break;
            };
            path.push(at);
            at += 4 + u64::from(size);
        }
        let is_boundary = at == boundary;
        if is_boundary || ends.contains(&at) {
            let target = Target {
                at,
                is_boundary,
                id,
            };
            let first = match asks {
                true => first_request(conversation, &path, target, window),
                false => first_response(conversation, &path, target, window),
            };
            if let Some(first) = first {
                return first;
            }
        }
        dead.insert(start);
        dead.extend(path);
        segment = window.next_segment(start + 1);
    }
    boundary
}

/// The offsets in `range` behind which bytes are lost.
fn ends_of_captured(range: Range<u64>, window: &impl Window) -> HashSet<u64> {
    let mut ends = HashSet::new();
    let mut at = range.start;
    while let Some(hole) = window.lost(at..range.end)
        && ends.len() < limits::MAX_CHAINS
    {
        ends.insert(hole.start);
        at = hole.end;
    }
    ends
}

fn id_at(at: u64, asks: bool, window: &mut impl Window) -> Option<i32> {
    let at = at + if asks { 8 } else { 4 };
    array::<4>(window, at).map(i32::from_be_bytes)
}

/// The first of the requests at the offsets of `path` behind which all of them are some.
fn first_request(
    conversation: &Conversation,
    path: &[u64],
    target: Target,
    window: &mut impl Window,
) -> Option<u64> {
    let mut first = None;
    let mut end = target.at;
    for &at in path.iter().rev() {
        if !is_request(conversation, at..end, window) {
            return first.filter(|_| target.is_boundary);
        }
        first = Some(at);
        end = at;
    }
    first
}

fn is_request(conversation: &Conversation, frame: Range<u64>, window: &mut impl Window) -> bool {
    let len = (frame.end - frame.start) as u32;
    let hole = window.lost(frame.clone());
    let there = hole.as_ref().map_or(frame.end, |hole| hole.start) - frame.start;
    let bytes = window.bytes(frame.start, (there as usize).min(head::MAX_HEAD));
    let Some((head, plausible)) = RequestHead::read(conversation.catalogue, bytes, len) else {
        return false;
    };
    let whole = hole.is_none();
    plausible == Plausible::Known
        && (!whole || {
            let bytes = window.bytes(frame.start, len as usize);
            !judge::is_blank(bytes) && judge::request_fits(conversation.catalogue, bytes, head)
        })
}

/// The first of the responses at the offsets of `path` whose ids count up to the one of the
/// boundary.
fn first_response(
    conversation: &Conversation,
    path: &[u64],
    target: Target,
    window: &mut impl Window,
) -> Option<u64> {
    let mut first = None;
    let (mut end, mut next) = (target.at, target.id);
    let mut is_lost = !target.is_boundary;
    for (n_seen, &at) in path.iter().rev().enumerate() {
        let id = id_at(at, false, window)?;
        let step = next.wrapping_sub(id);
        let most = match is_lost {
            true => limits::MAX_ORPHAN_STEP as i32,
            false => limits::MAX_NEXT_STEP,
        };
        let whole = window.lost(at..end).is_none();
        let content = match whole && n_seen < limits::MAX_LOOKED_INTO {
            true => {
                let bytes = window.bytes(at, (end - at) as usize);
                Some(judge::content(conversation.catalogue, bytes))
            }
            false => None,
        };
        let is_one = id >= 0
            && match content {
                // The very next number is enough: brokers make mistakes as well.
                Some(Content::Strange) => step == 1 && !is_lost,
                Some(Content::Silent) => (1..=most).contains(&step),
                Some(Content::Speaks) => (0..=most).contains(&step),
                None if whole => (0..=most).contains(&step),
                None => step == 1,
            };
        if !is_one {
            return first.filter(|_| target.is_boundary);
        }
        first = Some(at);
        (end, next, is_lost) = (at, id, false);
    }
    first
}
