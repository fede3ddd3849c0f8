//! What lies in front of the first boundary that was certain.
//!
//! A connection is known to be Kafka by a message that says enough. Those in front of it said too
//! little alone, but where sizes lead from the start of a segment exactly to that boundary, or to
//! where captured bytes end in front of it, they are messages too.

use std::collections::{HashMap, HashSet};
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
    /// It is the boundary; else captured bytes end there, or behind messages that start there.
    is_boundary: bool,
    /// The correlation id of the message at the boundary, or at `at` if one starts there.
    id: i32,
    /// That message does not start at `at`: bytes are lost in between.
    is_lost: bool,
    /// Messages from `at` to where captured bytes end.
    n_behind: usize,
}

/// What is known of the offsets in front of a boundary; so each frame is walked over once.
#[derive(Debug)]
struct Walked {
    boundary: u64,
    /// The correlation id of the message at the boundary.
    id: i32,
    /// Where captured bytes end.
    ends: HashSet<u64>,
    /// From where sizes lead to nothing, or over something that is no message.
    dead: HashSet<u64>,
    /// Where messages start from which sizes lead to where captured bytes end, and how many are
    /// behind each.
    good: HashMap<u64, usize>,
}

impl Walked {
    /// The offsets of frames from `start` on, and where the last of them leads to.
    fn path(&self, start: u64, window: &mut impl Window) -> (Vec<u64>, u64) {
        let mut path = Vec::new();
        let mut at = start;
        let is_known = |at: &u64| {
            self.ends.contains(at) || self.good.contains_key(at) || self.dead.contains(at)
        };
        while at < self.boundary && !is_known(&at) {
            let size = array::<4>(window, at).map(u32::from_be_bytes);
            let Some(size) = size.filter(|size| (4..=limits::MAX_SEARCHED).contains(size)) else {
                break;
            };
            path.push(at);
            at += 4 + u64::from(size);
        }
        (path, at)
    }

    fn target(&self, at: u64, asks: bool, window: &mut impl Window) -> Option<Target> {
        if let Some(&n_behind) = self.good.get(&at) {
            return Some(Target {
                at,
                is_boundary: false,
                id: id_at(at, asks, window)?,
                is_lost: false,
                n_behind: n_behind + 1,
            });
        }
        let is_boundary = at == self.boundary;
        (is_boundary || self.ends.contains(&at)).then_some(Target {
            at,
            is_boundary,
            id: self.id,
            is_lost: !is_boundary,
            n_behind: 0,
        })
    }

    /// Notes that only the last `n_good` frames of a path are messages. Behind one that is none
    /// others may start, but nothing in front of it does.
    fn note(&mut self, path: &[u64], n_good: usize, target: Option<Target>) {
        self.dead.extend(path.iter().rev().skip(n_good));
        let n_behind = target.map_or(0, |target| target.n_behind);
        let good = path.iter().rev().take(n_good).copied();
        self.good.extend(good.zip(n_behind..));
    }
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
    let mut walked = Walked {
        boundary,
        id,
        ends: ends_of_captured(from..boundary, window),
        dead: HashSet::new(),
        good: HashMap::new(),
    };
    let mut segment = window.next_segment(from);
    while let Some(start) = segment.filter(|&start| start < boundary)
        && walked.dead.len() + walked.good.len() < limits::MAX_WALKED
    {
        if walked.good.contains_key(&start) {
            return start;
        }
        let (path, at) = walked.path(start, window);
        let target = walked.target(at, asks, window);
        let n_good = target.map_or(0, |target| match asks {
            true => n_requests(conversation, &path, target, window),
            false => n_responses(conversation, &path, target, window),
        });
        let first = path.iter().rev().take(n_good).next_back();
        if let Some(&first) = first
            && (first == start || target.is_some_and(|target| target.is_boundary))
        {
            return first;
        }
        walked.dead.insert(start);
        walked.note(&path, n_good, target);
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

/// How many of the frames at the last offsets of `path` are requests.
fn n_requests(
    conversation: &Conversation,
    path: &[u64],
    target: Target,
    window: &mut impl Window,
) -> usize {
    let mut end = target.at;
    let is_one =
        |&&at: &&u64| is_request(conversation, at..std::mem::replace(&mut end, at), window);
    path.iter().rev().take_while(is_one).count()
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

/// How many of the frames at the last offsets of `path` are responses whose ids count up to the one
/// of the target.
fn n_responses(
    conversation: &Conversation,
    path: &[u64],
    target: Target,
    window: &mut impl Window,
) -> usize {
    let mut n_good = 0;
    let (mut end, mut next, mut is_lost) = (target.at, target.id, target.is_lost);
    for (n_behind, &at) in (target.n_behind..).zip(path.iter().rev()) {
        let Some(id) = id_at(at, false, window) else {
            break;
        };
        let step = next.wrapping_sub(id);
        let most = match is_lost {
            true => limits::MAX_ORPHAN_STEP as i32,
            false => limits::MAX_NEXT_STEP,
        };
        let whole = window.lost(at..end).is_none();
        let content = match whole && n_behind < limits::MAX_LOOKED_INTO {
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
            break;
        }
        n_good += 1;
        (end, next, is_lost) = (at, id, false);
    }
    n_good
}
