//! Finding the next boundary in the middle of a stream.
//!
//! Every offset is a candidate: its first bytes must read as a header, and then the whole message
//! is judged. Candidates whose end has not been captured yet are remembered, so that no byte is
//! looked at twice.

use super::alone::Alone;
use super::candidate::{self, Opinion};
use super::conversation::{Conversation, Mode};
use super::head::{looks_like_request, looks_like_response};
use super::orphan::Start;
use super::suspect::Suspect;
use super::window::array;
use super::{Found, Protocol, Side, Ticket, Window, chain, earlier, framing, limits};

/// The bytes of a request that can be told from noise: size, API key, version, correlation id.
const REQUEST_FRONT: usize = 12;

/// Those of a response: size, correlation id.
const RESPONSE_FRONT: usize = 8;

/// The state of a search.
#[derive(Debug)]
pub(super) struct Search {
    /// Everything before was rejected, or is a candidate.
    scanned: u64,
    /// Offset behind the last lost bytes that were passed.
    lost_to: u64,
    /// Offsets where a message may start whose end is not known yet.
    candidates: Vec<Suspect>,
    /// Bytes that were looked at.
    n_searched: u64,
    /// Responses without requests.
    alone: Alone,
}

impl Search {
    pub(super) fn new(from: u64) -> Search {
        Search {
            scanned: from,
            lost_to: from,
            candidates: Vec::new(),
            n_searched: 0,
            alone: Alone::new(from),
        }
    }

    /// The first offset that may still become a message.
    pub(super) fn kept(&self) -> u64 {
        self.candidates
            .first()
            .map_or(self.scanned, |first| first.at.min(self.scanned))
    }
}

/// Looks for a boundary in what there is.
pub(super) fn step<W: Window>(
    conversation: &mut Conversation,
    side: Side,
    window: &mut W,
    other: &mut W,
    ticket: Ticket,
) -> Option<Found> {
    if conversation.client.is_none() {
        look_for_others(conversation, side, window);
        if conversation.hints.server == Some(side) && asks(conversation, side, window) {
            conversation.distrust_server();
        }
        if conversation.may_be_client(side.other()) {
            let start = match conversation.stream(side.other()).heard {
                true => Start::Unasked,
                false => Start::Alone,
            };
            let found = responses_alone(conversation, side, start, window);
            if found.is_some() {
                return found;
            }
        }
        if !conversation.may_be_client(side) {
            keep(conversation, side, window, None);
            return None;
        }
    }
    let Mode::Search(search) = &mut conversation.stream_mut(side).mode else {
        return None;
    };
    let mut search = std::mem::replace(&mut **search, Search::new(0));
    let boundary = find(conversation, side, window, other, &mut search);
    let kept = search.kept();
    let stream = conversation.stream_mut(side);
    stream.lost_to = stream.lost_to.max(search.lost_to);
    if let Mode::Search(slot) = &mut stream.mode {
        **slot = search;
    }
    let Some(at) = boundary else {
        keep(conversation, side, window, Some(kept));
        return None;
    };
    let at = match conversation.client {
        None => {
            let from = conversation.stream(side).at.unwrap_or(at);
            earlier::first(conversation, from..at, true, window)
        }
        Some(client) if client != side => {
            let from = conversation.stream(side).at.unwrap_or(at);
            chain::first(conversation, from, at, window)
        }
        Some(_) => at,
    };
    let stream = conversation.stream_mut(side);
    stream.frame_at(at);
    // More was asked of it here than framing asks of what sizes led to.
    stream.checked = true;
    if conversation.client.is_none() {
        return Some(conversation.recognise(side, 80));
    }
    // The message itself is the framing's to find.
    framing::step(conversation, side, window, ticket)
}

/// Lets go of what cannot become a message any more.
fn keep(conversation: &mut Conversation, side: Side, window: &mut impl Window, kept: Option<u64>) {
    let end = window.end();
    let searched = end.saturating_sub(u64::from(limits::MAX_SEARCHED));
    let undecided = end.saturating_sub(limits::MAX_UNDECIDED);
    let is_served = conversation.hints.server == Some(side.other());
    let from = match kept {
        // Until it is known which side is which, what was no request may be a response.
        Some(kept) if conversation.client == Some(side) => kept.max(searched),
        // So may be what leads to the next one.
        Some(kept) if conversation.client.is_some() => {
            kept.min(end.saturating_sub(chain::MAX_BACK)).max(searched)
        }
        // What is sent to a broker is worth waiting for its end.
        Some(kept) if is_served => kept.max(searched).min(undecided),
        _ if conversation.client.is_some() => searched,
        _ => undecided,
    };
    let is_undecided = conversation.client.is_none();
    let stream = conversation.stream_mut(side);
    if is_undecided {
        stream.give_up(from);
    }
    stream.at = Some(stream.at.unwrap_or(from).max(from));
    if let Mode::Search(search) = &mut stream.mode {
        search.candidates.retain(|suspect| suspect.at >= from);
        search.scanned = search.scanned.max(from);
    }
    if stream.closed && conversation.client.is_some() {
        conversation.stream_mut(side).mode = Mode::Ignored;
    }
}

/// Names what is no Kafka, in case it does not become it.
fn look_for_others(conversation: &mut Conversation, side: Side, window: &mut impl Window) {
    let at = window.start();
    let first = array::<4>(window, at).map(i32::from_be_bytes);
    let protocol = Protocol::detect(window.bytes(at, 32)).unwrap_or(Protocol::Unknown);
    conversation.suspect(side, protocol, first);
}

/// Whether an end that was a server elsewhere says what only a client does: both ends may have
/// been servers of others.
fn asks(conversation: &mut Conversation, side: Side, window: &mut impl Window) -> bool {
    let Mode::Search(search) = &conversation.stream(side).mode else {
        return false;
    };
    let mut next = window.next_segment(search.scanned.max(window.start()));
    for _ in 0..limits::MAX_ASKED {
        let Some(at) = next else {
            break;
        };
        if window.end() - at < REQUEST_FRONT as u64 {
            // A segment may hold less than the front of a request.
            break;
        }
        match candidate::judge_request(conversation, side, at, window) {
            Opinion::Accept => return true,
            Opinion::Wait | Opinion::WaitFirmly => break,
            Opinion::IfAnswered(_) | Opinion::Reject => {}
        }
        next = window.next_segment(at + 1);
    }
    let scanned = next.unwrap_or(window.end());
    if let Mode::Search(search) = &mut conversation.stream_mut(side).mode {
        search.scanned = scanned;
    }
    false
}

/// Looks for a server whose client was not captured, or not well enough to be understood.
fn responses_alone(
    conversation: &mut Conversation,
    side: Side,
    start: Start,
    window: &mut impl Window,
) -> Option<Found> {
    let Mode::Search(search) = &mut conversation.stream_mut(side).mode else {
        return None;
    };
    let mut alone = std::mem::take(&mut search.alone);
    let found = alone.look(conversation, side, start, window);
    if let Mode::Search(search) = &mut conversation.stream_mut(side).mode {
        search.alone = alone;
    }
    found.break_value()
}

/// The next boundary, if one is certain.
fn find(
    conversation: &Conversation,
    side: Side,
    window: &mut impl Window,
    other: &mut impl Window,
    search: &mut Search,
) -> Option<u64> {
    let mut idx = 0;
    while let Some(suspect) = search.candidates.get_mut(idx) {
        match suspect.look(conversation, side, window) {
            Opinion::Accept => return Some(suspect.at),
            Opinion::WaitFirmly => return None,
            Opinion::IfAnswered(head) if suspect.is_answered(conversation, head, other) => {
                return Some(suspect.at);
            }
            Opinion::Wait | Opinion::IfAnswered(_) => idx += 1,
            Opinion::Reject => drop(search.candidates.remove(idx)),
        }
    }
    while let Some(at) = next_candidate(conversation, side, window, search) {
        let opinion = candidate::judge(conversation, side, at, window);
        match opinion {
            Opinion::Accept => return Some(at),
            Opinion::Reject => continue,
            Opinion::Wait | Opinion::WaitFirmly | Opinion::IfAnswered(_) => {}
        }
        let mut suspect = Suspect::new(conversation, side, at, opinion, window);
        if let Opinion::IfAnswered(head) = opinion
            && suspect.is_answered(conversation, head, other)
        {
            return Some(at);
        }
        if search.candidates.len() >= limits::MAX_CANDIDATES {
            search.candidates.remove(0);
        }
        search.candidates.push(suspect);
        if opinion == Opinion::WaitFirmly {
            return None;
        }
    }
    None
}

/// The next offset whose first bytes may be a header; `scanned` moves behind it.
fn next_candidate(
    conversation: &Conversation,
    side: Side,
    window: &mut impl Window,
    search: &mut Search,
) -> Option<u64> {
    let known = conversation.client.is_some();
    let is_client = conversation.may_be_client(side);
    let ids = conversation.pending.ids();
    let front = if is_client {
        REQUEST_FRONT
    } else {
        RESPONSE_FRONT
    };
    loop {
        if !known && search.n_searched > limits::MAX_SEARCHED_BYTES {
            // Too much that is not Kafka: only where somebody began to write.
            search.scanned = window.next_segment(search.scanned)?;
        }
        let from = search.scanned.max(window.start());
        if let Some(hole) = window.lost(from..from + front as u64) {
            search.scanned = hole.end;
            search.lost_to = search.lost_to.max(hole.end);
            continue;
        }
        // Up to the next segment, whose start counts for more than other offsets, or the next
        // hole, which no front may overlap.
        let step = from + limits::SEARCH_STEP as u64;
        let segment = window.next_segment(from + 1).unwrap_or(step).min(step);
        let hole = window.lost(from..segment + front as u64);
        let until = hole.map_or(segment + front as u64 - 1, |hole| hole.start);
        let starts_segment = window.starts_segment(from);
        let bytes = window.bytes(from, (until - from) as usize);
        let n_bytes = bytes.len();
        if n_bytes < front {
            return None;
        }
        let mut is_counted = false;
        let found = bytes.windows(front).enumerate().position(|(idx, front)| {
            if is_client {
                return looks_like_request(conversation.catalogue, front);
            }
            let is_one = looks_like_response(front, ids.as_ref(), starts_segment && idx == 0);
            is_counted = !is_one && bytes.get(idx..).is_some_and(chain::may_count);
            is_one || is_counted
        });
        let n_seen = found.map_or(n_bytes - front, |idx| idx) as u64 + 1;
        search.n_searched += n_seen;
        search.scanned = from + n_seen;
        if let Some(idx) = found
            && (!is_counted || chain::may_start(from + idx as u64, window))
        {
            return Some(from + idx as u64);
        }
    }
}
