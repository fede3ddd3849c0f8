//! The first bytes of a stream whose beginning was captured.

use std::ops::Range;

use super::conversation::{Conversation, Mode};
use super::head::{self, Plausible, RequestHead};
use super::orphan::{Chain, Start};
use super::prelude::Prelude;
use super::window::array;
use super::{Found, Protocol, Side, Window, candidate, framing, judge, limits, orphan};
use crate::schema::ApiKey;

/// Bytes that tell any protocol from any other.
const ENOUGH: usize = 32;

/// What the first bytes are as a request.
enum Guess {
    /// A request beyond doubt.
    Request,
    /// A request if anything else speaks for it: its API, version or body is unknown.
    Perhaps {
        head: RequestHead,
        trusted: bool,
        /// Nothing but zeros.
        blank: bool,
    },
    /// It cannot be told yet.
    Wait,
    /// No request.
    No,
}

/// Decides what the stream is.
pub(super) fn step<W: Window>(
    conversation: &mut Conversation,
    side: Side,
    at: u64,
    window: &mut W,
    other: &mut W,
) -> Option<Found> {
    let closed = conversation.stream(side).closed;
    if window.end() == at || !is_worth_a_look(conversation, side, window, other) {
        return None;
    }
    if let Some(hole) = window.lost(at..at + 1) {
        conversation.stream_mut(side).search_at(hole.end);
        return None;
    }
    match Prelude::of(window.bytes(at, Prelude::MAX)) {
        Some(Prelude::Proxy(len)) => {
            let at = at + len as u64;
            conversation.stream_mut(side).at = Some(at);
            return step(conversation, side, at, window, other);
        }
        Some(Prelude::ProxyCut) if !closed => return None,
        _ => {}
    }
    if conversation.may_be_client(side) {
        match guess(conversation, side, at, window) {
            Guess::Request => return Some(conversation.recognise(side, 90)),
            Guess::Perhaps {
                head,
                trusted,
                blank,
            } => {
                if let Some(protocol) = Protocol::detect(window.bytes(at, ENOUGH)) {
                    let first = first(window, at);
                    return Some(conversation.dismiss(side, protocol, first));
                }
                let served = conversation.hints.server == Some(side.other());
                let is_answered = trusted && answers(other, head.correlation_id)
                    || candidate::is_answered(conversation, head, other);
                if served || is_answered && !blank {
                    return Some(conversation.recognise(side, 60));
                }
                conversation.suspect(side, Protocol::Unknown, first(window, at));
                if closed {
                    conversation.stream_mut(side).mode = Mode::Ignored;
                }
                doubt(conversation, side, window, other);
                return None;
            }
            Guess::Wait => return None,
            Guess::No => {}
        }
    }
    let mut lead = [0; ENOUGH];
    let there = window.bytes(at, ENOUGH);
    let n_there = there.len();
    for (to, from) in lead.iter_mut().zip(there) {
        *to = *from;
    }
    let lead = lead.get(..n_there).unwrap_or_default();
    if let Some(protocol) = Protocol::detect(lead) {
        let first = first(window, at);
        return Some(conversation.dismiss(side, protocol, first));
    }
    // A server whose client was not captured.
    if conversation.may_be_client(side.other()) && !conversation.stream(side.other()).heard {
        let chain = orphan::step(conversation, side, at, Start::OfStream, window);
        if let Chain::Sure(found) = chain {
            return Some(found);
        }
        // A search follows them further, and finds those behind what are none, as tokens of SASL are.
        // Behind lost bytes is not where it began.
        let goes_on = match chain {
            Chain::Quiet(_) => true,
            Chain::No => n_there >= ENOUGH && !conversation.may_be_client(side),
            _ => window.lost(at..window.end()).is_some(),
        };
        if goes_on {
            conversation.stream_mut(side).search_at(at);
            return None;
        }
        doubt(conversation, side, window, other);
    }
    if n_there >= 16 || closed {
        conversation.suspect(side, Protocol::Unknown, first(window, at));
    }
    // The client's bytes decide; noise in front of them is searched like the middle of a stream.
    if n_there >= ENOUGH && conversation.may_be_client(side) {
        conversation.stream_mut(side).search_at(at);
    } else if window.end() - at > limits::MAX_UNDECIDED {
        conversation.stream_mut(side).give_up(window.end());
        conversation.stream_mut(side).search_at(window.end());
    }
    None
}

/// Whether more has come since the first bytes were [doubted](doubt), or anything else is known.
fn is_worth_a_look(
    conversation: &Conversation,
    side: Side,
    window: &impl Window,
    other: &impl Window,
) -> bool {
    let stream = conversation.stream(side);
    let is_served = conversation.hints.server == Some(side.other());
    stream.doubted.as_deref().is_none_or(|&[own, answers]| {
        stream.closed || is_served || window.end() >= own || other.end() >= answers
    })
}

/// Puts the next look at the first bytes off until one of the streams has grown by an eighth:
/// they may be megabytes, and come in segments of a byte each.
fn doubt(conversation: &mut Conversation, side: Side, window: &impl Window, other: &impl Window) {
    let grown = |start: u64, end: u64| end + ((end - start) / 8).max(1);
    let own = grown(window.start(), window.end());
    let answers = grown(other.start(), other.end());
    conversation.stream_mut(side).doubted = Some(Box::new([own, answers]));
}

fn guess(conversation: &Conversation, side: Side, at: u64, window: &mut impl Window) -> Guess {
    let closed = conversation.stream(side).closed;
    let Some(size) = array::<4>(window, at).map(u32::from_be_bytes) else {
        return if closed { Guess::No } else { Guess::Wait };
    };
    if !(8..=limits::MAX_SEARCHED).contains(&size) {
        return Guess::No;
    }
    let frame_len = size + 4;
    let end = at + u64::from(frame_len);
    let hole = window.lost(at..end);
    let there = hole
        .as_ref()
        .map_or(window.end().min(end), |hole| hole.start);
    let len = ((there - at) as usize).min(head::MAX_HEAD);
    let Some((head, plausible)) =
        RequestHead::read(conversation.catalogue, window.bytes(at, len), frame_len)
    else {
        return if closed || hole.is_some() {
            Guess::No
        } else {
            Guess::Wait
        };
    };
    let whole = there == end;
    let is_blank = whole && judge::is_blank(window.bytes(at, frame_len as usize));
    // Other protocols have numbers for ids that come back as well; few have a name beside them.
    let perhaps = Guess::Perhaps {
        head,
        trusted: head.is_named() || plausible == Plausible::No && !is_blank,
        blank: is_blank,
    };
    let ended = closed || hole.is_some();
    match plausible {
        // A client that gets its header wrong does so from the first request on.
        Plausible::No if whole && is_malformed(conversation, head, at..end, window) => perhaps,
        Plausible::No => Guess::No,
        _ if !whole && !ended => Guess::Wait,
        Plausible::Shape if whole => perhaps,
        Plausible::Shape => Guess::No,
        Plausible::Known if whole => {
            let frame = window.bytes(at, frame_len as usize);
            let fits = judge::request_fits(conversation.catalogue, frame, head);
            // Small numbers and zeros are a request to produce nothing.
            let said = frame.iter().skip(4).filter(|&&byte| byte != 0);
            let says = said.take(orphan::MIN_SAID).count() == orphan::MIN_SAID;
            if fits && says {
                Guess::Request
            } else {
                perhaps
            }
        }
        // Cut short: a client id that reads as a name is what is left to go by.
        Plausible::Known => match head.client_id {
            Some((_, len)) if len > 1 && there > at + u64::from(head.body_at) => Guess::Request,
            _ => perhaps,
        },
    }
}

/// Whether what lies in `frame` may be a request although its header cannot be right.
fn is_malformed(
    conversation: &Conversation,
    head: RequestHead,
    frame: Range<u64>,
    window: &mut impl Window,
) -> bool {
    ApiKey(head.api_key).name().is_some()
        && frame.end - frame.start <= u64::from(limits::MAX_MALFORMED)
        && Protocol::detect(window.bytes(frame.start, ENOUGH)).is_none()
        && framing::ends_well(conversation, frame.end, window) == Some(true)
}

/// Whether the other stream starts with a frame that answers `correlation_id`.
fn answers(other: &mut impl Window, correlation_id: i32) -> bool {
    let at = other.start();
    let Some(size) = array::<4>(other, at).map(u32::from_be_bytes) else {
        return false;
    };
    (4..=limits::MAX_SEARCHED).contains(&size)
        && array::<4>(other, at + 4).map(i32::from_be_bytes) == Some(correlation_id)
}

fn first(window: &mut impl Window, at: u64) -> Option<i32> {
    array::<4>(window, at).map(i32::from_be_bytes)
}
