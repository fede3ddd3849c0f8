//! Responses whose requests the capture does not have at all.

use super::conversation::Conversation;
use super::window::array;
use super::{Found, Side, Window, judge, limits};

/// Frames in a row that are looked at.
const MAX_CHAIN: usize = 8;

/// A list of APIs of this many bytes is no accident: a dozen of numbers in order.
const MIN_LIST: u32 = 80;

/// What may be the first frame of a chain is waited for as long as this many bytes have come: most
/// responses are smaller, and most of what looks like the size of a larger one is none.
const MAX_OPEN: u64 = 1 << 18;

/// What is thought of a chain of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chain {
    /// Responses; the conversation knows from now on who is who.
    Sure(Found),
    /// More bytes will tell.
    Open,
    No,
}

/// Whether what comes at `at` is a chain of responses; `whole` if it is where the stream began.
pub(super) fn step(
    conversation: &mut Conversation,
    side: Side,
    at: u64,
    whole: bool,
    window: &mut impl Window,
) -> Chain {
    let closed = conversation.stream(side).closed;
    let serves = conversation.hints.server == Some(side);
    let mut from = at;
    // Whether ids count up, and if not, whether every frame is a segment with much to say.
    let mut is_counting = true;
    let mut is_telling = true;
    let mut last: Option<(i32, u32)> = None;
    let mut n_frames = 0;
    let mut n_equal = 0;
    let mut n_fitting = 0;
    // Those of them that have much to say.
    let mut n_telling = 0;
    let mut ends_exactly = false;
    while n_frames < MAX_CHAIN {
        let Some(size) = array::<4>(window, from).map(u32::from_be_bytes) else {
            ends_exactly = window.end() == from;
            break;
        };
        let Some(correlation_id) = array::<4>(window, from + 4).map(i32::from_be_bytes) else {
            break;
        };
        let counts = match last {
            // Few bytes say little; behind them only the very next number is believed.
            Some((last, size)) => {
                let most = if size < limits::TELLING {
                    limits::MAX_SMALL_STEP
                } else {
                    limits::MAX_NEXT_STEP
                };
                n_equal += usize::from(correlation_id == last);
                (0..=most).contains(&correlation_id.wrapping_sub(last))
            }
            None => true,
        };
        is_counting &= counts && correlation_id >= 0;
        is_telling &= size >= limits::TELLING && window.starts_segment(from);
        if !(4..=limits::MAX_SEARCHED).contains(&size) || !is_counting && !is_telling {
            return Chain::No;
        }
        let end = from + 4 + u64::from(size);
        if window.end() < end || window.lost(from..end).is_some() {
            break;
        }
        let frame = window.bytes(from, size as usize + 4);
        // The lists of APIs that brokers send are long, and clients ask for them first, if need be
        // in two versions.
        let is_lead = whole && n_frames < 2 || n_frames == 0 && size >= MIN_LIST;
        if is_lead && judge::is_api_versions(conversation.catalogue, frame) {
            conversation.stream_mut(side).frame_at(at);
            return Chain::Sure(conversation.recognise(side.other(), 80));
        }
        let fits = judge::any_response_fits(conversation.catalogue, frame);
        n_fitting += usize::from(fits);
        n_telling += usize::from(fits && size >= limits::TELLING);
        n_frames += 1;
        last = Some((correlation_id, size));
        from = end;
    }
    let all_fit = n_fitting == n_frames;
    let is_all = whole && closed && ends_exactly;
    let sure = match n_frames {
        0 => false,
        // Ids that stay the same are few, and zeros many.
        _ if n_equal > 0 && (n_frames < 4 || !all_fit || n_telling == 0) => false,
        _ if !is_counting => is_telling && all_fit && n_frames >= if serves { 2 } else { 4 },
        // Of an end that is known to answer one is enough.
        _ if serves && ends_exactly => all_fit,
        // The only one there will ever be.
        1 => is_all && all_fit,
        2 | 3 => all_fit && (n_telling > if whole { 0 } else { 1 } || is_all),
        MAX_CHAIN if all_fit => true,
        // One of them may be malformed.
        _ => n_fitting + 1 >= n_frames && (n_telling > 1 || is_all),
    };
    if sure {
        conversation.stream_mut(side).frame_at(at);
        return Chain::Sure(conversation.recognise(side.other(), 70));
    }
    // A frame whose end has not come yet is waited for, unless it is all that there is.
    let may_go_on = n_frames < MAX_CHAIN && (n_frames > 0 || window.end() - at < MAX_OPEN);
    match may_go_on && !closed {
        true => Chain::Open,
        false => Chain::No,
    }
}
