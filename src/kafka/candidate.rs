//! What speaks for a message at an offset of a stream whose boundaries are not known.

use super::chain::{self, Proof};
use super::conversation::Conversation;
use super::head::{self, Plausible, RequestHead};
use super::judge::{self, Content, Verdict};
use super::pairing::Pending;
use super::window::array;
use super::{Side, Window, limits, orphan};

/// What is thought of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opinion {
    Accept,
    /// More bytes will tell; so much speaks for it already that nothing behind it is believed.
    WaitFirmly,
    /// More bytes will tell.
    Wait,
    /// A request so far, and believed once the other side is seen to answer it.
    IfAnswered(RequestHead),
    Reject,
}

/// What is thought of a message of `side` at `at`.
pub(super) fn judge(
    conversation: &Conversation,
    side: Side,
    at: u64,
    window: &mut impl Window,
) -> Opinion {
    if conversation.may_be_client(side) {
        judge_request(conversation, side, at, window)
    } else {
        judge_response(conversation, side, at, window)
    }
}

pub(super) fn judge_request(
    conversation: &Conversation,
    side: Side,
    at: u64,
    window: &mut impl Window,
) -> Opinion {
    let closed = conversation.stream(side).closed;
    let Some(size) = array::<4>(window, at).map(u32::from_be_bytes) else {
        return Opinion::Reject;
    };
    if !(8..=limits::MAX_SEARCHED).contains(&size) {
        return Opinion::Reject;
    }
    let frame_len = size + 4;
    let end = at + u64::from(frame_len);
    let hole = window.lost(at..end);
    let there = hole
        .as_ref()
        .map_or(window.end().min(end), |hole| hole.start);
    let len = (there - at) as usize;
    // Most end here; the bytes behind may have to be put together.
    let front = window.bytes(at, len.min(head::FIXED_HEAD as usize));
    let front = RequestHead::read(conversation.catalogue, front, frame_len);
    let Some((_, Plausible::Known)) = front else {
        return Opinion::Reject;
    };
    let bytes = window.bytes(at, len.min(head::MAX_HEAD));
    let head = RequestHead::read(conversation.catalogue, bytes, frame_len);
    let Some((head, plausible)) = head else {
        return Opinion::Reject;
    };
    // A name in no script that is known here proves nothing, and forbids nothing.
    let is_odd = plausible == Plausible::No && there == end && head.is_named();
    if plausible != Plausible::Known && !is_odd {
        return Opinion::Reject;
    }
    let client_id = head.client_id(bytes).unwrap_or_default();
    let is_named = !client_id.is_empty() && !is_odd;
    let is_same = is_named && conversation.is_client_named(client_id);
    let known = conversation.client.is_some();
    let starts_segment = window.starts_segment(at);
    if there < end {
        // Part of it is lost, or has not come yet.
        if hole.is_none() && !closed {
            return if is_same && starts_segment {
                Opinion::WaitFirmly
            } else {
                Opinion::Wait
            };
        }
        let ends_well = ends_segment(end, window)
            && (known || !may_be_response(head) || {
                next_request(conversation, head.correlation_id, end, window) == Some(true)
            });
        let is_next = known && follows(conversation.last_asked, head.correlation_id);
        return if starts_segment && (known && is_same || is_named && ends_well || is_next) {
            Opinion::Accept
        } else if starts_segment && !known && head.is_named() {
            Opinion::IfAnswered(head)
        } else if is_named && window.end() < end && !closed {
            Opinion::Wait
        } else {
            Opinion::Reject
        };
    }
    let fits = judge::request_fits(
        conversation.catalogue,
        window.bytes(at, frame_len as usize),
        head,
    );
    let is_double = !known
        && fits
        && may_be_response(head)
        && judge::any_response_fits(conversation.catalogue, window.bytes(at, frame_len as usize))
        && !(is_named && judge::holds_batch(window.bytes(at, frame_len as usize)));
    if fits && !is_double && (is_named || known && starts_segment) {
        return Opinion::Accept;
    }
    if !fits && !known && is_named && starts_segment && ends_segment(end, window) {
        // Its body is wrong; an answer that is none by accident makes up for it.
        return Opinion::IfAnswered(head);
    }
    if !(fits || is_same && starts_segment) {
        return Opinion::Reject;
    }
    let alone = match starts_segment && fits && !known {
        true => Opinion::IfAnswered(head),
        false => Opinion::Reject,
    };
    let next = match next_request(conversation, head.correlation_id, end, window) {
        // Where nothing is known and no client has a name, a header alone may be an accident.
        Some(true) if !known && !is_named => next_fits(conversation, end, window),
        next => next,
    };
    match next {
        Some(true) => Opinion::Accept,
        Some(false) => alone,
        None if closed && starts_segment && known => Opinion::Accept,
        None if closed || alone != Opinion::Reject => alone,
        None => Opinion::Wait,
    }
}

/// Whether the front of a request is also that of a response: its API and version are a small
/// correlation id then, its correlation id is a count, and its client id a topic.
fn may_be_response(head: RequestHead) -> bool {
    head.api_key == 0
}

/// Whether a correlation id is one of the next behind `last`.
fn follows(last: Option<i32>, correlation_id: i32) -> bool {
    last.is_some_and(|last| {
        (1..=limits::MAX_NEXT_STEP).contains(&correlation_id.wrapping_sub(last))
    })
}

/// Whether `other` holds what answers `head`.
pub(super) fn is_answered(
    conversation: &Conversation,
    head: RequestHead,
    other: &mut impl Window,
) -> bool {
    let mut next = other.next_segment(other.start());
    let mut n_starts = 0;
    while let Some(at) = next.filter(|_| n_starts < limits::MAX_STARTS) {
        match answer(conversation, head, at, other) {
            Answer::Yes => return true,
            Answer::TooShort => return false,
            Answer::Open | Answer::No => {}
        }
        n_starts += 1;
        next = other.next_segment(at + 1);
    }
    false
}

/// Whether the start of a segment starts an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// A response of the correlation id, which its definition consumes exactly, or which ends
    /// where a segment does where bytes of it are lost.
    Yes,
    /// It has the correlation id, and its end has not come.
    Open,
    /// Too little has come behind it.
    TooShort,
    No,
}

/// Whether what starts at `at` of `other` answers `head`.
pub(super) fn answer(
    conversation: &Conversation,
    head: RequestHead,
    at: u64,
    other: &mut impl Window,
) -> Answer {
    let (Some(size), Some(id)) = (
        array::<4>(other, at).map(u32::from_be_bytes),
        array::<4>(other, at + 4).map(i32::from_be_bytes),
    ) else {
        return match other.lost(at..at + 8) {
            Some(_) => Answer::No,
            None => Answer::TooShort,
        };
    };
    if id != head.correlation_id || !(4..=limits::MAX_SEARCHED).contains(&size) {
        return Answer::No;
    }
    let end = at + 4 + u64::from(size);
    if other.end() < end {
        return Answer::Open;
    }
    let is_one = if other.lost(at..end).is_some() {
        // Zeros are met everywhere.
        head.correlation_id != 0 && ends_segment(end, other)
    } else {
        let frame = other.bytes(at, size as usize + 4);
        let verdict =
            judge::response_fits(conversation.catalogue, frame, head.api_key, head.version);
        matches!(verdict, Verdict::Fits(_))
    };
    match is_one {
        true => Answer::Yes,
        false => Answer::No,
    }
}

/// Whether a message that ends at `end` ends where a segment does, or where all that has come
/// ends: its size said so far ahead what the sender did.
pub(super) fn ends_segment(end: u64, window: &impl Window) -> bool {
    window.end() == end || window.end() > end && window.starts_segment(end)
}

/// Whether another request follows at `at`; `None` if nothing has come yet.
fn next_request(
    conversation: &Conversation,
    correlation_id: i32,
    at: u64,
    window: &mut impl Window,
) -> Option<bool> {
    let front = array::<14>(window, at)?;
    let size = u32::from_be_bytes(array::<4>(window, at)?);
    let plausible = RequestHead::read(conversation.catalogue, &front, size.saturating_add(4));
    Some(
        (8..=limits::MAX_SEARCHED).contains(&size)
            && plausible.is_some_and(|(head, plausible)| {
                // Once this is known to be Kafka two headers in a row are enough: clients may
                // choose their ids at random, or use one for all.
                plausible == Plausible::Known
                    && (conversation.client.is_some()
                        || follows(Some(correlation_id), head.correlation_id))
            }),
    )
}

/// Whether the request at `at` is consumed exactly and has something to say; `None` if its end has not
/// come.
fn next_fits(conversation: &Conversation, at: u64, window: &mut impl Window) -> Option<bool> {
    let size = array::<4>(window, at).map(u32::from_be_bytes)?;
    let end = at + 4 + u64::from(size);
    if window.end() < end && size <= limits::MAX_MALFORMED {
        return None;
    }
    if window.end() < end || window.lost(at..end).is_some() {
        return Some(false);
    }
    let bytes = window.bytes(at, size as usize + 4);
    let head = RequestHead::read(conversation.catalogue, bytes, size + 4);
    Some(head.is_some_and(|(head, plausible)| {
        plausible == Plausible::Known
            && judge::request_fits(conversation.catalogue, bytes, head)
            && orphan::says(bytes, 0, orphan::MIN_SAID)
    }))
}

fn judge_response(
    conversation: &Conversation,
    side: Side,
    at: u64,
    window: &mut impl Window,
) -> Opinion {
    let closed = conversation.stream(side).closed;
    let (Some(size), Some(correlation_id)) = (
        array::<4>(window, at).map(u32::from_be_bytes),
        array::<4>(window, at + 4).map(i32::from_be_bytes),
    ) else {
        return Opinion::Reject;
    };
    if !(4..=limits::MAX_SEARCHED).contains(&size) {
        return Opinion::Reject;
    }
    let end = at + 4 + u64::from(size);
    let starts_segment = window.starts_segment(at);
    let hole = window.lost(at..end);
    let whole = hole.is_none() && window.end() >= end;
    let pending = conversation.pending.find(correlation_id, at);
    let Some(pending) = pending else {
        match chain::proves(conversation, at, window) {
            Proof::Yes => return Opinion::Accept,
            Proof::Open(_) if !closed && !starts_segment => return Opinion::Wait,
            Proof::Open(_) | Proof::No | Proof::Strange => {}
        }
        return judge_orphan(conversation, correlation_id, at, end, whole, closed, window);
    };
    let is_first = conversation.pending.first() == Some(pending);
    if !whole {
        let begins = begins(conversation, pending, at, size, window);
        if hole.is_none() && !closed {
            return if starts_segment && (begins || is_first) {
                Opinion::WaitFirmly
            } else {
                Opinion::Wait
            };
        }
        // All that was captured of the answer to the request that has waited longest; zeros are met
        // everywhere.
        let is_cut = hole.is_none() && closed && is_first && correlation_id != 0;
        if starts_segment && is_cut && begins {
            return Opinion::Accept;
        }
        let is_next = is_first || follows(conversation.last_answered, correlation_id);
        return if starts_segment
            && (ends_segment(end, window) || is_next && lies_in(at, end, window))
        {
            Opinion::Accept
        } else if starts_segment && window.end() < end && !closed {
            Opinion::Wait
        } else {
            Opinion::Reject
        };
    }
    let frame = window.bytes(at, size as usize + 4);
    let fits_one = |pending: &Pending| {
        pending.asked.is_some_and(|(api_key, version)| {
            let verdict = judge::response_fits(conversation.catalogue, frame, api_key, version);
            matches!(verdict, Verdict::Fits(_))
        })
    };
    let mut candidates = conversation.pending.candidates(correlation_id, at);
    let fits = fits_one(&pending) || conversation.is_ambiguous() && candidates.any(fits_one);
    if fits && starts_segment {
        return Opinion::Accept;
    }
    if !fits && !starts_segment {
        return Opinion::Reject;
    }
    if ends_segment(end, window) && (starts_segment || size >= limits::TELLING) {
        return Opinion::Accept;
    }
    match next_response(conversation, correlation_id, at, end, window) {
        Some(true) => Opinion::Accept,
        Some(false) => Opinion::Reject,
        // Nothing will ever tell what follows; so much that fits is no accident.
        None if fits && size >= limits::TELLING && is_lost_at(end, window) => Opinion::Accept,
        None if closed => Opinion::Accept,
        None => Opinion::Wait,
    }
}

/// Whether the front of a message at `at` is lost, as far as it is.
fn is_lost_at(at: u64, window: &impl Window) -> bool {
    window.lost(at..at + orphan::FRONT).is_some()
}

/// Whether what there is of a frame can be the front of the answer to a request.
fn begins(
    conversation: &Conversation,
    pending: Pending,
    at: u64,
    size: u32,
    window: &mut impl Window,
) -> bool {
    let Some((api_key, version)) = pending.asked else {
        return false;
    };
    let front = window.bytes(at, limits::MAX_FRONT);
    let len = size as usize + 4;
    judge::response_begins(conversation.catalogue, front, len, api_key, version)
}

/// Whether `at..end` lies in one segment, of which the capture need not hold the end.
fn lies_in(at: u64, end: u64, window: &impl Window) -> bool {
    end <= window.next_segment(at + 1).unwrap_or(window.end())
}

/// A response to a request that was not captured: where its segment ends, or another one behind
/// it, makes it certain.
fn judge_orphan(
    conversation: &Conversation,
    correlation_id: i32,
    at: u64,
    end: u64,
    whole: bool,
    closed: bool,
    window: &mut impl Window,
) -> Opinion {
    if !window.starts_segment(at) {
        return Opinion::Reject;
    }
    if !is_between(conversation, correlation_id) {
        // Where ids say nothing the content has to, and much of it.
        let speaks = whole && ends_segment(end, window) && {
            let bytes = window.bytes(at, (end - at) as usize);
            orphan::says(bytes, orphan::ALONE, orphan::MIN_SAID_ALONE)
                && judge::content(conversation.catalogue, bytes) == Content::Speaks
        };
        return if speaks {
            Opinion::Accept
        } else {
            Opinion::Reject
        };
    }
    if !whole {
        let may_come = window.end() < end && window.lost(at..end).is_none() && !closed;
        return if may_come {
            Opinion::Wait
        } else {
            Opinion::Reject
        };
    }
    if ends_segment(end, window) {
        // A few bytes in the middle of a message may end there as well.
        let bytes = window.bytes(at, (end - at) as usize);
        let fits = match correlation_id {
            // Zeros are met everywhere.
            0 => judge::content(conversation.catalogue, bytes) == Content::Speaks,
            _ => judge::any_response_fits(conversation.catalogue, bytes),
        };
        if fits {
            return Opinion::Accept;
        }
        if correlation_id == 0 {
            return Opinion::Reject;
        }
    }
    match next_response(conversation, correlation_id, at, end, window) {
        Some(true) => Opinion::Accept,
        None if !closed => Opinion::Wait,
        _ => Opinion::Reject,
    }
}

/// Whether a response that nobody waits for can come now: behind the last one that came, or near
/// the requests.
fn is_between(conversation: &Conversation, correlation_id: i32) -> bool {
    let near = |step: i32| step.unsigned_abs() <= limits::MAX_ORPHAN_STEP;
    let first = conversation
        .pending
        .first()
        .map(|first| first.correlation_id);
    match (
        conversation.last_answered,
        first.or(conversation.last_asked),
    ) {
        (Some(last), _) => {
            let step = correlation_id.wrapping_sub(last);
            step > 0 && near(step) || step == 0 && conversation.answered.repeats()
        }
        (None, Some(asked)) => near(asked.wrapping_sub(correlation_id)),
        // Before the first request has been read there is nothing to compare with.
        (None, None) => true,
    }
}

/// Whether another response follows the one at `at..end`; `None` if nothing has come yet.
fn next_response(
    conversation: &Conversation,
    correlation_id: i32,
    at: u64,
    end: u64,
    window: &mut impl Window,
) -> Option<bool> {
    let size = array::<4>(window, end).map(u32::from_be_bytes)?;
    let next = array::<4>(window, end + 4).map(i32::from_be_bytes)?;
    let step = next.wrapping_sub(correlation_id);
    // So few bytes say little; then only the very next number is believed.
    let is_telling = end - at >= u64::from(limits::TELLING);
    let most = if is_telling { limits::MAX_NEXT_STEP } else { 1 };
    let counts = (1..=most).contains(&step);
    Some(
        (4..=limits::MAX_SEARCHED).contains(&size)
            && (counts || conversation.pending.find(next, end).is_some()),
    )
}
