//! Responses, and the requests that they answer.
//!
//! What comes in is a frame of the broker's stream whose boundary is known; what goes out is what
//! was found, with the request taken out of those that wait. Where several requests can be meant,
//! content decides, and where that cannot either, none is named.
//!
//! Not here: the order of what waits (see `pairing.rs`), and where a frame starts.

use crate::schema::ApiKey;

use super::conversation::{Conversation, Mode};
use super::judge::{self, Content, Verdict};
use super::pairing::Pending;
use super::standing;
use super::window::array;
use super::{Answers, Found, Frame, Side, Window, limits};

/// Bytes of a frame in front of everything that differs: the size, and for a response the
/// correlation id.
const RESPONSE_HEAD: u64 = 8;

/// Whether a response with this correlation id may come now. Where requests are missing from the
/// capture it need not be one that is waited for.
pub(super) fn can_answer(conversation: &Conversation, side: Side, correlation_id: i32) -> bool {
    if conversation.pending.has(correlation_id) {
        return true;
    }
    let near = |other: i32| {
        correlation_id.wrapping_sub(other).unsigned_abs() <= limits::MAX_CORRELATION_STEP
    };
    let asks_in_step = matches!(
        conversation.stream(side.other()).mode,
        Mode::Framing | Mode::Ignored
    ) && conversation.last_asked.is_some();
    [conversation.last_answered, conversation.last_asked]
        .into_iter()
        .flatten()
        .any(near)
        || !asks_in_step
}

/// What the frame is as a response or an answering token; `None` where too much of it is lost.
pub(super) fn response(
    conversation: &mut Conversation,
    frame: Frame,
    window: &mut impl Window,
) -> Option<Found> {
    let correlation_id = if u64::from(frame.had) < RESPONSE_HEAD {
        None
    } else {
        array::<4>(window, frame.at + 4).map(i32::from_be_bytes)
    };
    let is_answer =
        correlation_id.is_some_and(|id| conversation.pending.find(id, frame.at).is_some());
    if !is_answer {
        if let Some(token) = conversation.pending.take_token() {
            return Some(Found::TokenFromServer {
                frame,
                answers: Some(token.ticket),
            });
        }
        if conversation.tokens && !is_behind_tokens(conversation, frame, correlation_id, window) {
            return Some(Found::TokenFromServer {
                frame,
                answers: None,
            });
        }
    }
    let correlation_id = correlation_id?;
    let pending = if conversation.is_ambiguous() {
        take_fitting(conversation, frame, correlation_id, window)
    } else {
        conversation.pending.take(correlation_id, frame.at)
    };
    let cut = frame.had < frame.len;
    if pending.is_none() && cut {
        // Neither a request nor its own end speak for it.
        return None;
    }
    let standing = match &pending {
        Some(pending) => standing::of_answer(pending),
        None => standing::of_bare(conversation, correlation_id),
    };
    conversation.last_answered = Some(correlation_id);
    conversation.answered.push(correlation_id);
    let answers = pending.and_then(|pending| {
        let (api_key, request_version) = pending.asked?;
        let version = version(conversation, frame, api_key, request_version, window);
        Some(Answers {
            ticket: pending.ticket,
            api_key,
            request_version,
            version,
        })
    });
    Some(Found::Response {
        frame,
        correlation_id,
        answers,
        standing,
    })
}

/// Whether a frame that no token waits for is a response: the requests behind the tokens may be lost.
/// Tokens have no id that goes on from the last one.
fn is_behind_tokens(
    conversation: &Conversation,
    frame: Frame,
    correlation_id: Option<i32>,
    window: &mut impl Window,
) -> bool {
    let last = conversation.last_answered;
    let step = correlation_id
        .zip(last)
        .map(|(id, last)| id.wrapping_sub(last));
    let counts = step.is_some_and(|step| (1..=limits::MAX_NEXT_STEP).contains(&step));
    let is_whole = frame.had == frame.len && window.lost(frame.at..frame.end()).is_none();
    counts && is_whole && {
        let bytes = window.bytes(frame.at, frame.len as usize);
        judge::content(conversation.catalogue, bytes) == Content::Speaks
    }
}

/// What the bytes of a frame say of its being the answer to a request; `None` where some of them
/// are lost.
fn verdict(
    conversation: &Conversation,
    frame: Frame,
    pending: &Pending,
    window: &mut impl Window,
) -> Option<Verdict> {
    let is_whole = frame.had == frame.len && window.lost(frame.at..frame.end()).is_none();
    let (api_key, version) = pending.asked.filter(|_| is_whole)?;
    let bytes = window.bytes(frame.at, frame.len as usize);
    Some(judge::response_fits(
        conversation.catalogue,
        bytes,
        api_key,
        version,
    ))
}

/// Takes out the one request that a response can answer, where several have its correlation id
/// and bytes were lost; if there is no such one, which of them it answers is not guessed.
fn take_fitting(
    conversation: &mut Conversation,
    frame: Frame,
    correlation_id: i32,
    window: &mut impl Window,
) -> Option<Pending> {
    if conversation.pending.pipelines() {
        let verdicts = verdicts(conversation, frame, window);
        return conversation.pending.take_turn(frame.at, |pending| {
            pending.correlation_id == correlation_id
                && verdicts
                    .iter()
                    .all(|&(asked, verdict)| asked != pending.asked || verdict != Verdict::Differs)
        });
    }
    // Whoever waits for each answer waits for no other than the last.
    let last = conversation
        .pending
        .candidates(correlation_id, frame.at)
        .next_back()
        .copied()?;
    let is_it = match verdict(conversation, frame, &last, window) {
        Some(Verdict::Fits(_)) => true,
        Some(Verdict::Differs) if answers_earlier(conversation, frame, window) => {
            conversation.pending.doubt_order();
            return None;
        }
        // It begins where the broker stood when this was asked.
        _ if last.since == frame.at => !last.passed,
        Some(Verdict::Differs) => false,
        // What the broker has passed is answered by nothing that only might be its answer.
        Some(Verdict::Unknown) | None => !last.passed,
    };
    match is_it {
        true => conversation.pending.take_ticket(last.ticket),
        false => None,
    }
}

/// What the bytes of a frame say of its being the answer to what was asked, for each API and
/// version that waits.
fn verdicts(
    conversation: &Conversation,
    frame: Frame,
    window: &mut impl Window,
) -> Vec<(Option<(i16, i16)>, Verdict)> {
    let mut verdicts: Vec<(Option<(i16, i16)>, Verdict)> = Vec::new();
    for pending in conversation.pending.iter() {
        if verdicts.iter().any(|&(asked, _)| asked == pending.asked) {
            continue;
        }
        let Some(verdict) = verdict(conversation, frame, pending, window) else {
            continue;
        };
        verdicts.push((pending.asked, verdict));
    }
    verdicts
}

/// Whether a response is one to what was asked before, and has its answer: it was the answer to
/// another request, then, which was not captured.
fn answers_earlier(conversation: &Conversation, frame: Frame, window: &mut impl Window) -> bool {
    if frame.had < frame.len || window.lost(frame.at..frame.end()).is_some() {
        return false;
    }
    let bytes = window.bytes(frame.at, frame.len as usize);
    let mut recent = conversation.pending.recent();
    recent.any(|(api_key, version)| {
        let verdict = judge::response_fits(conversation.catalogue, bytes, api_key, version);
        matches!(verdict, Verdict::Fits(_))
    })
}

/// The version of the body of a response.
fn version(
    conversation: &mut Conversation,
    frame: Frame,
    api_key: i16,
    asked: i16,
    window: &mut impl Window,
) -> i16 {
    let falls_back = ApiKey(api_key) == ApiKey::API_VERSIONS;
    let certain = conversation.confidence() == 100;
    let whole = frame.had == frame.len && window.lost(frame.at..frame.end()).is_none();
    if !whole || certain && !falls_back {
        return asked;
    }
    let bytes = window.bytes(frame.at, frame.len as usize);
    judged_version(conversation, bytes, api_key, asked)
}

/// The version of the body of a whole response, by what its bytes are.
pub(super) fn judged_version(
    conversation: &mut Conversation,
    bytes: &[u8],
    api_key: i16,
    asked: i16,
) -> i16 {
    if conversation.confidence() == 100 {
        return judge::response_version(conversation.catalogue, bytes, api_key, asked);
    }
    match judge::response_fits(conversation.catalogue, bytes, api_key, asked) {
        Verdict::Fits(version) => {
            conversation.confirm(100);
            version
        }
        _ => asked,
    }
}
