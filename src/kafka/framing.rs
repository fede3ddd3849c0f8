//! Message after message by their sizes, while the boundary is known.

use crate::schema::ApiKey;

use super::conversation::{Conversation, Mode};
use super::head::{self, Plausible, RequestHead};
use super::judge;
use super::pairing::Pending;
use super::standing;
use super::swallowed::{self, Behind};
use super::window::array;
use super::{Answers, Found, Frame, Side, Ticket, Window, answering, candidate, limits};

/// Bytes that always hold the header of a request and the acks field of a produce request.
const REQUEST_HEAD: usize = head::MAX_HEAD + 1024;

/// Finds the next message.
pub(super) fn step(
    conversation: &mut Conversation,
    side: Side,
    window: &mut impl Window,
    ticket: Ticket,
) -> Option<Found> {
    let is_client = conversation.client == Some(side);
    loop {
        let stream = conversation.stream(side);
        let at = stream.at?;
        conversation.reached = window.met(at);
        let stream = conversation.stream(side);
        if stream.frame_len == 0
            && !conversation.tokens
            && let Some(found) = whole(conversation, side, at, window.segment(at), ticket)
        {
            return Some(found);
        }
        let stream = conversation.stream(side);
        if stream.frame_len == 0 {
            if let Some(hole) = window.lost(at..at + 4) {
                if !is_client {
                    conversation.pending.pass_first();
                }
                return Some(lose(conversation, side, at, hole.end));
            }
            let Some(size) = array::<4>(window, at).map(u32::from_be_bytes) else {
                if stream.closed {
                    conversation.stream_mut(side).mode = Mode::Ignored;
                }
                return None;
            };
            let least = match (conversation.tokens, is_client) {
                (true, _) => 0,
                (false, true) => 8,
                (false, false) => 4,
            };
            if size < least || size > limits::MAX_FRAME {
                return Some(lose(conversation, side, at, at));
            }
            conversation.stream_mut(side).frame_len = size + 4;
        }
        let stream = conversation.stream(side);
        let frame_len = stream.frame_len;
        let end = at + u64::from(frame_len);
        let known = window.end();
        if known < end && !stream.closed {
            let look = !stream.checked && known >= at + u64::from(head::FIXED_HEAD + 2);
            if look {
                if can_be_one(conversation, side, at, frame_len, window) {
                    conversation.stream_mut(side).checked = true;
                } else if !may_be_malformed(conversation, side, at, frame_len, window) {
                    return Some(lose(conversation, side, at, at));
                }
            }
            return None;
        }
        let mut is_malformed = false;
        if !stream.checked && !can_be_one(conversation, side, at, frame_len, window) {
            let closed = stream.closed;
            if !may_be_malformed(conversation, side, at, frame_len, window) {
                return Some(lose(conversation, side, at, at));
            }
            match ends_well(conversation, end, window) {
                Some(true) => is_malformed = true,
                None if !closed => return None,
                _ => return Some(lose(conversation, side, at, at)),
            }
        }
        match swallowed::next(conversation, side, at..end, window) {
            Behind::End => {}
            Behind::Open => return None,
            Behind::Next(next) => {
                let len = (next - at) as u32;
                let frame = Frame {
                    side,
                    at,
                    len,
                    had: len,
                };
                let found = answering::response(conversation, frame, window);
                conversation.stream_mut(side).frame_at(next);
                if found.is_some() {
                    return found;
                }
                continue;
            }
        }
        // A hole that begins in this frame and goes on behind it takes the boundary with it.
        let hole = window.lost(at..end.min(known));
        let last_hole = hole
            .clone()
            .and_then(|_| window.lost(end.saturating_sub(1)..end));
        let behind = last_hole.as_ref().filter(|hole| hole.end > end);
        let had = match (&last_hole, behind) {
            (Some(hole), Some(_)) => hole.start - at,
            _ => known.min(end) - at,
        };
        let frame = Frame {
            side,
            at,
            len: frame_len,
            had: had as u32,
        };
        if hole.is_none() && had > 0 {
            // Who answers has it to its end; a hole is noticed late.
            conversation.reached = window.met(at + had - 1);
        }
        let found = if is_malformed {
            malformed(conversation, frame, window, ticket)
        } else if is_client {
            request(conversation, frame, window, ticket)
        } else {
            answering::response(conversation, frame, window)
        };
        let next = behind.map_or(end, |hole| hole.end);
        let stream = conversation.stream_mut(side);
        if known < end {
            stream.at = Some(known);
            stream.mode = Mode::Ignored;
        } else if behind.is_some() {
            stream.search_at(next);
            conversation.lose_messages(side, end);
        } else {
            stream.frame_at(next);
        }
        if found.is_some() {
            return found;
        }
        // What it was, nobody knows.
        conversation.stream_mut(side).unbroken = false;
        conversation.lose_messages(side, at);
        if !matches!(conversation.stream(side).mode, Mode::Framing) {
            return None;
        }
    }
}

/// Finds a message that lies in one segment as most do, without asking the window again.
pub(super) fn whole(
    conversation: &mut Conversation,
    side: Side,
    at: u64,
    segment: &[u8],
    ticket: Ticket,
) -> Option<Found> {
    let (size, _) = segment.split_first_chunk::<4>()?;
    let size = u32::from_be_bytes(*size);
    let bytes = segment.get(..usize::try_from(size).ok()?.checked_add(4)?)?;
    let frame = Frame {
        side,
        at,
        len: size + 4,
        had: size + 4,
    };
    let found = if conversation.client == Some(side) {
        let (head, plausible) = RequestHead::read(conversation.catalogue, bytes, frame.len)?;
        if !is_believed(head, plausible) {
            return None;
        }
        asked(conversation, frame, head, bytes, ticket)
    } else {
        let correlation_id = i32::from_be_bytes(*bytes.get(4..)?.first_chunk()?);
        // What is not waited for needs a second look.
        let is_alone = conversation.pending.len() < 2;
        if conversation.is_ambiguous()
            || !is_alone && swallowed::is_strange(conversation, bytes, correlation_id, at)
        {
            return None;
        }
        let pending = conversation.pending.take(correlation_id, at)?;
        let (api_key, asked) = pending.asked?;
        let falls_back = ApiKey(api_key) == ApiKey::API_VERSIONS;
        let certain = conversation.confidence() == 100;
        let version = if certain && !falls_back {
            asked
        } else {
            answering::judged_version(conversation, bytes, api_key, asked)
        };
        conversation.last_answered = Some(correlation_id);
        conversation.answered.push(correlation_id);
        Found::Response {
            frame,
            correlation_id,
            answers: Some(Answers {
                ticket: pending.ticket,
                api_key,
                request_version: asked,
                version,
            }),
            standing: standing::of_answer(&pending),
        }
    };
    conversation.stream_mut(side).frame_at(frame.end());
    Some(found)
}

fn is_believed(head: RequestHead, plausible: Plausible) -> bool {
    match plausible {
        Plausible::Known => true,
        Plausible::Shape => {
            head.api_key < limits::MAX_API_KEY && head.version < limits::MAX_VERSION
        }
        Plausible::No => false,
    }
}

/// Gives the boundary up at `at`, to find the next one behind `from`.
fn lose(conversation: &mut Conversation, side: Side, at: u64, from: u64) -> Found {
    conversation.stream_mut(side).search_at(from);
    conversation.lose_messages(side, at);
    Found::LostFraming { side, at }
}

/// Whether the front of the frame at `at`, as far as it is there, can be one.
fn can_be_one(
    conversation: &Conversation,
    side: Side,
    at: u64,
    frame_len: u32,
    window: &mut impl Window,
) -> bool {
    if conversation.tokens {
        return true;
    }
    if conversation.client != Some(side) {
        let Some(correlation_id) = array::<4>(window, at + 4).map(i32::from_be_bytes) else {
            return true;
        };
        return answering::can_answer(conversation, side, correlation_id);
    }
    let front = at..at + u64::from(head::FIXED_HEAD);
    if window.lost(front).is_some() {
        // The size led here and leads on; the frame itself is lost.
        return true;
    }
    let len = (frame_len as usize).min(head::MAX_HEAD);
    let intact = match window.lost(at..at + len as u64) {
        Some(hole) => (hole.start - at) as usize,
        None => len,
    };
    match RequestHead::read(conversation.catalogue, window.bytes(at, intact), frame_len) {
        Some((head, plausible)) => is_believed(head, plausible),
        None => true,
    }
}

/// Whether the frame at `at`, whose header cannot be right, may be a request all the same: the
/// size before it led here, and its API or its correlation id are what may come now.
fn may_be_malformed(
    conversation: &Conversation,
    side: Side,
    at: u64,
    frame_len: u32,
    window: &mut impl Window,
) -> bool {
    if conversation.client != Some(side) || frame_len > limits::MAX_MALFORMED {
        return false;
    }
    let Some(front) = array::<{ head::FIXED_HEAD as usize }>(window, at) else {
        return false;
    };
    let Some((head, _)) = RequestHead::read(conversation.catalogue, &front, frame_len) else {
        return false;
    };
    let follows = conversation.last_asked.is_some_and(|last| {
        let step = head.correlation_id.wrapping_sub(last);
        (0..=limits::MAX_NEXT_STEP).contains(&step)
    });
    follows || ApiKey(head.api_key).name().is_some()
}

/// Whether a request ends at `end`: where a segment does, or in front of another request; `None`
/// if too little has come behind it.
pub(super) fn ends_well(
    conversation: &Conversation,
    end: u64,
    window: &mut impl Window,
) -> Option<bool> {
    if window.end() < end {
        return Some(false);
    }
    if candidate::ends_segment(end, window) {
        return Some(true);
    }
    if window.lost(end..end + 1).is_some() {
        return Some(false);
    }
    let known = window.end() - end;
    if known < u64::from(head::FIXED_HEAD + 2) {
        return None;
    }
    let size = array::<4>(window, end).map(u32::from_be_bytes)?;
    Some(
        (8..=limits::MAX_FRAME).contains(&size)
            && conversation
                .client
                .is_some_and(|client| can_be_one(conversation, client, end, size + 4, window)),
    )
}

/// Notes a request whose header is wrong somewhere behind the correlation id, or in its numbers.
fn malformed(
    conversation: &mut Conversation,
    frame: Frame,
    window: &mut impl Window,
    ticket: Ticket,
) -> Option<Found> {
    let head = head_of(conversation, frame, window)?;
    let bytes = window.bytes(frame.at, (frame.had as usize).min(REQUEST_HEAD));
    Some(asked(conversation, frame, head, bytes, ticket))
}

/// The header of the request in a frame, without a client id of which bytes are lost.
fn head_of(
    conversation: &Conversation,
    frame: Frame,
    window: &mut impl Window,
) -> Option<RequestHead> {
    let at = frame.at;
    let len = (frame.had as usize).min(head::MAX_HEAD);
    let (mut head, _) =
        RequestHead::read(conversation.catalogue, window.bytes(at, len), frame.len)?;
    if let Some((from, len)) = head.client_id {
        let end = u64::from(from) + u64::from(len);
        let is_there = end <= u64::from(frame.had) && end <= u64::from(frame.len);
        if !is_there || window.lost(at + u64::from(from)..at + end).is_some() {
            head.client_id = None;
        }
    }
    Some(head)
}

fn request(
    conversation: &mut Conversation,
    frame: Frame,
    window: &mut impl Window,
    ticket: Ticket,
) -> Option<Found> {
    let at = frame.at;
    let whole = window.lost(at..frame.end()).is_none() && frame.had == frame.len;
    if conversation.tokens {
        let bytes = window.bytes(at, frame.had as usize);
        let head = RequestHead::read(conversation.catalogue, bytes, frame.len);
        let is_request = head.is_some_and(|(head, plausible)| {
            plausible == Plausible::Known
                && whole
                && judge::request_fits(conversation.catalogue, bytes, head)
        });
        if !is_request {
            let token = Pending::token(ticket);
            conversation.pending.push(token, at, true);
            return Some(Found::TokenFromClient { frame });
        }
        conversation.tokens = false;
    }
    let front = u64::from(head::FIXED_HEAD.min(frame.len));
    if window.lost(at..at + front).is_some() || u64::from(frame.had) < front {
        return None;
    }
    let head = head_of(conversation, frame, window)?;
    let bytes = window.bytes(at, (frame.had as usize).min(REQUEST_HEAD));
    Some(asked(conversation, frame, head, bytes, ticket))
}

/// Notes a request, of which `bytes` hold the front.
#[inline(always)]
fn asked(
    conversation: &mut Conversation,
    frame: Frame,
    head: RequestHead,
    bytes: &[u8],
    ticket: Ticket,
) -> Found {
    let answered = !judge::wants_no_answer(conversation.catalogue, bytes, head);
    if ApiKey(head.api_key) == ApiKey::SASL_HANDSHAKE && head.version == 0 {
        conversation.tokens = true;
    }
    if let Some(client_id) = head.client_id(bytes) {
        conversation.name_client(client_id);
    }
    conversation.last_asked = Some(head.correlation_id);
    let answers = conversation.stream(frame.side.other());
    let in_step = !matches!(answers.mode, Mode::Search(_));
    let pending = Pending {
        ticket,
        correlation_id: head.correlation_id,
        asked: Some((head.api_key, head.version)),
        unasked: !answered,
        since: conversation.reached,
        passed: false,
        overtaken: false,
        n_lost: 0,
    };
    conversation.pending.push(pending, frame.at, in_step);
    Found::Request {
        frame,
        head,
        answered,
    }
}
