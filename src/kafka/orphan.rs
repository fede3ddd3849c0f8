//! Responses whose requests the capture does not have, or of whose requests none is whole.
//!
//! What comes in is an offset of a stream; what goes out is whether the frames from there on are
//! responses. They are if their ids count up and a definition consumes each of them exactly, and if
//! enough of them have something to say: where every API may be meant, small frames and zeros fit
//! by accident.

use super::conversation::Conversation;
use super::judge::Content;
use super::quiet::{self, Quiet};
use super::window::array;
use super::{Found, Side, Window, chain, earlier, judge, limits};

/// Frames in a row that are looked at, and as many where they are too small to say much.
const MAX_CHAIN: usize = 8;
const MAX_SMALL_CHAIN: usize = 16;

/// So many frames may be requests as well: ids that count up, and names of clients, are in both.
const MAX_DOUBLE: usize = 3;

/// A list of APIs of this many bytes is no accident: a dozen of numbers in order.
const MIN_LIST: u32 = 80;

/// Zeros are met everywhere: a body has something to say if so many of its bytes are none.
pub(super) const MIN_SAID: usize = 4;

/// A response is believed alone, where it is all that there is of a connection, if it has so many
/// bytes and so many of them are no zeros.
pub(super) const ALONE: u64 = 64;
pub(super) const MIN_SAID_ALONE: usize = 16;

/// What may be the first frame of a chain is waited for as long as this many bytes have come: most
/// responses are smaller, and most of what looks like the size of a larger one is none.
pub(super) const MAX_OPEN: u64 = 1 << 18;

/// Behind more bytes than this a chain does not begin with an id that is no successor in the middle of
/// a segment: to look into many frames that are none would take long.
const LARGE: u32 = 1 << 12;

/// Bytes of the size and the id.
pub(super) const FRONT: u64 = 8;

/// What is thought of a chain of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chain {
    /// Responses; the conversation knows from now on who is who.
    Sure(Found),
    /// More bytes will tell.
    Open,
    /// Numbered frames of which too many are no responses: another protocol, in which some look
    /// like responses by accident.
    Foreign(Foreign),
    /// Numbered frames that all say only whether something worked; enough of them in a row are
    /// responses.
    Quiet(Quiet),
    No,
}

/// The end of frames of another protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Foreign {
    /// Offset behind them.
    end: u64,
    last: Numbered,
    /// What follows is none of them.
    is_over: bool,
}

/// Id and size of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbered {
    pub(super) id: i32,
    pub(super) size: u32,
}

/// What is known where a chain starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// It is where the stream began, and the other end has said nothing.
    OfStream,
    /// The other end has said nothing.
    Alone,
    /// No request was found in what the other end has said.
    Unasked,
}

/// What the frames of a chain are.
#[derive(Debug, Default)]
struct Tally {
    last: Option<Numbered>,
    n_frames: usize,
    /// Those with the id of the one before.
    n_equal: usize,
    /// Those that a definition consumes exactly, and those of them that have much to say.
    n_fitting: usize,
    n_telling: usize,
    /// Those that have so much to say that nothing beside them is needed.
    n_plain: usize,
    /// Those that say only whether something worked.
    n_quiet: usize,
    /// Those of them that say that it did not.
    n_errors: u32,
    /// Those of them that are longer than the others, see [`quiet::is_longer`].
    n_longer: usize,
    /// Those that are requests as well.
    n_requests: usize,
    /// Not all ids count up.
    jumps: bool,
}

impl Foreign {
    /// Goes on to the end of the frames that have come since.
    pub(super) fn go_on(mut self, window: &mut impl Window) -> Foreign {
        while !self.is_over
            && let Some((next, end)) = frame_at(self.end, window)
        {
            self.is_over = !self.last.counts(next);
            if self.is_over || window.end() < end {
                break;
            }
            (self.end, self.last) = (end, next);
        }
        self.is_over |= window.lost(self.end..self.end + FRONT).is_some();
        self
    }

    /// The first offset that is in none of them.
    pub(super) fn end(self) -> u64 {
        self.end
    }

    /// Whether what starts at `at` is one of them.
    pub(super) fn is_next(self, at: u64) -> bool {
        !self.is_over && self.end == at
    }
}

impl Numbered {
    /// Whether a message may be so large.
    fn may_be_one(self) -> bool {
        (4..=limits::MAX_SEARCHED).contains(&self.size)
    }

    /// Whether `next` may be the very next one.
    pub(super) fn counts(self, next: Numbered) -> bool {
        // Few bytes say little; behind them only the very next number is believed.
        let most = if self.size < limits::TELLING {
            limits::MAX_SMALL_STEP
        } else {
            limits::MAX_NEXT_STEP
        };
        next.id >= 0 && (0..=most).contains(&next.id.wrapping_sub(self.id))
    }
}

impl Tally {
    fn add(&mut self, frame: Numbered, content: Content, bytes: &[u8]) {
        let speaks = content == Content::Speaks;
        self.n_equal += usize::from(self.last.is_some_and(|last| last.id == frame.id));
        self.jumps |= frame.id < 0 || self.last.is_some_and(|last| !last.counts(frame));
        self.last = Some(frame);
        self.n_frames += 1;
        self.n_fitting += usize::from(content != Content::Strange);
        self.n_telling += usize::from(speaks && says(bytes, limits::TELLING.into(), MIN_SAID));
        self.n_plain += usize::from(speaks && says(bytes, ALONE, MIN_SAID_ALONE));
        let outcome = judge::outcome(bytes);
        self.n_quiet += usize::from(outcome.is_some());
        self.n_errors += u32::from(outcome.is_some_and(|error| error != 0));
        self.n_longer += usize::from(outcome.is_some() && quiet::is_longer(frame));
    }

    /// Whether there are only a few, and they are requests as well.
    fn is_double(&self) -> bool {
        self.n_requests == self.n_frames && self.n_frames <= MAX_DOUBLE
    }

    fn n_strange(&self) -> usize {
        self.n_frames - self.n_fitting
    }

    /// Whether more frames are to be looked at.
    fn is_open(&self) -> bool {
        self.n_frames < MAX_CHAIN || self.n_telling < 2 && self.n_frames < MAX_SMALL_CHAIN
    }

    /// Whether nothing but more frames can tell what these are.
    fn is_quiet(&self, start: Start) -> bool {
        start != Start::Unasked
            && self.n_frames == MAX_SMALL_CHAIN
            && self.n_quiet == self.n_frames
            && self.n_equal == 0
            && !self.jumps
    }

    fn is_foreign(&self) -> bool {
        self.n_strange() >= 2 && self.n_strange() * 4 > self.n_frames && !self.jumps
    }
}

/// A walk from frame to frame, which goes on where it stopped: each frame is judged once.
#[derive(Debug)]
pub(super) struct Walk {
    /// Where the first of them starts.
    at: u64,
    /// Offset behind those that were judged.
    end: u64,
    tally: Tally,
    /// How far the stream has to come before more can be told.
    until: u64,
}

/// What a step of a walk led to.
enum Step {
    /// To a frame that was counted.
    Counted,
    /// To a list of APIs, which needs nothing beside it.
    Lead,
    /// To what is no frame.
    Nothing,
    /// To lost bytes, behind which it does not go on.
    Lost,
    /// To where more has to come, up to this offset.
    Until(u64),
}

impl Walk {
    pub(super) fn new(at: u64) -> Walk {
        Walk {
            at,
            end: at,
            tally: Tally::default(),
            until: 0,
        }
    }

    /// Where the first frame starts.
    pub(super) fn at(&self) -> u64 {
        self.at
    }

    /// How far the stream has to come before more can be told.
    pub(super) fn until(&self) -> u64 {
        self.until
    }

    /// Goes on as far as there are frames: are they responses?
    pub(super) fn go_on(
        &mut self,
        conversation: &mut Conversation,
        side: Side,
        start: Start,
        window: &mut impl Window,
    ) -> Chain {
        let closed = conversation.stream(side).closed;
        let serves = conversation.hints.server == Some(side);
        let mut until = None;
        while self.tally.is_open() {
            match self.step(conversation, start, window) {
                Step::Counted => {}
                Step::Lead => return Chain::Sure(found(conversation, side, self.at, 80, window)),
                Step::Nothing => return Chain::No,
                Step::Lost => break,
                Step::Until(end) => {
                    until = Some(end);
                    break;
                }
            }
        }
        let is_all = window.end() == self.end;
        if is_sure(&self.tally, start, serves && is_all, closed && is_all) {
            return Chain::Sure(found(conversation, side, self.at, 70, window));
        }
        if let Some(chain) = others(&self.tally, start, self.end) {
            return chain;
        }
        // A frame whose end has not come yet is waited for, unless it is all that there is.
        let most = match self.tally.n_frames {
            0 => self.at + MAX_OPEN,
            _ => u64::MAX,
        };
        match until.filter(|&until| until <= most && !closed) {
            Some(until) => {
                self.until = until;
                Chain::Open
            }
            None => Chain::No,
        }
    }

    fn step(
        &mut self,
        conversation: &Conversation,
        start: Start,
        window: &mut impl Window,
    ) -> Step {
        let Some((frame, end)) = frame_at(self.end, window) else {
            let front = self.end..self.end + FRONT;
            return match window.lost(front.clone()) {
                Some(_) => Step::Lost,
                None => Step::Until(front.end),
            };
        };
        if !frame.may_be_one() {
            return Step::Nothing;
        }
        if window.end() < end {
            return Step::Until(end);
        }
        let hole = window.lost(self.end..end);
        let there = hole.map_or(end, |hole| hole.start);
        let bytes = window.bytes(self.end, (there - self.end) as usize);
        if self.leads(conversation, start, frame, bytes) {
            return Step::Lead;
        }
        if there < end {
            return Step::Lost;
        }
        // Seen before what is in this one, which costs more.
        let next = frame_at(end, window);
        let is_followed = match next {
            Some((next, _)) => {
                let counts = frame.counts(next) || frame.size <= LARGE || self.tally.n_frames > 0;
                next.may_be_one() && (counts || window.starts_segment(end))
            }
            None => true,
        };
        if !is_followed {
            return Step::Nothing;
        }
        let bytes = window.bytes(self.end, frame.size as usize + 4);
        if self.tally.n_frames < MAX_DOUBLE {
            let is_request = judge::is_request(conversation.catalogue, bytes);
            self.tally.n_requests += usize::from(is_request);
        }
        let content = judge::content(conversation.catalogue, bytes);
        self.tally.add(frame, content, bytes);
        // Clients that count begin at zero, and those that do not count have no reason to be negative.
        let is_constant = frame.id < 0 && self.tally.n_equal > 0;
        if is_constant || self.tally.jumps && self.tally.n_strange() > 0 {
            return Step::Nothing;
        }
        self.end = end;
        Step::Counted
    }

    /// Whether the next frame, of which `bytes` were captured, is a list of APIs. Those that brokers
    /// send are long, and clients ask for them first, if need be in two versions.
    fn leads(
        &self,
        conversation: &Conversation,
        start: Start,
        frame: Numbered,
        bytes: &[u8],
    ) -> bool {
        let catalogue = conversation.catalogue;
        let len = frame.size as usize + 4;
        let is_first = self.tally.n_frames == 0;
        let may_be_short = start == Start::OfStream && self.tally.n_frames < 2;
        let is_list = may_be_short || is_first && frame.size >= MIN_LIST;
        if bytes.len() < len {
            // Its end may not have been captured.
            return is_list && judge::begins_api_versions(catalogue, bytes, len);
        }
        is_list && judge::is_api_versions(catalogue, bytes)
            || is_first && judge::is_refusal_with_list(catalogue, bytes)
    }
}

/// Whether what comes at `at` is a chain of responses.
pub(super) fn step(
    conversation: &mut Conversation,
    side: Side,
    at: u64,
    start: Start,
    window: &mut impl Window,
) -> Chain {
    Walk::new(at).go_on(conversation, side, start, window)
}

/// What frames up to `end` are, if they can be told only with those behind them.
fn others(tally: &Tally, start: Start, end: u64) -> Option<Chain> {
    let last = tally.last?;
    if tally.is_quiet(start) {
        let has_longer = tally.n_longer > 0;
        let quiet = Quiet::new(end, last, tally.n_frames, tally.n_errors, has_longer);
        return Some(Chain::Quiet(quiet));
    }
    tally.is_foreign().then_some(Chain::Foreign(Foreign {
        end,
        last,
        is_over: false,
    }))
}

/// Takes the messages of a server up at the first of those that lead to `at`.
pub(super) fn found(
    conversation: &mut Conversation,
    side: Side,
    at: u64,
    confidence: u8,
    window: &mut impl Window,
) -> Found {
    let from = conversation.stream(side).at.unwrap_or(at);
    let first = match earlier::first(conversation, from..at, false, window) {
        first if first == at => chain::first(conversation, from, at, window),
        first => first,
    };
    conversation.stream_mut(side).frame_at(first);
    conversation.recognise(side.other(), confidence)
}

/// Whether the frames of a tally are responses. `is_served` if their end is known to answer others
/// and nothing is behind them; `is_closed` if nothing will ever come behind them.
fn is_sure(tally: &Tally, start: Start, is_served: bool, is_closed: bool) -> bool {
    let whole = start == Start::OfStream;
    let all_fit = tally.n_strange() == 0;
    let is_all = is_closed && (whole && tally.n_telling > 0 || tally.n_plain > 0);
    let (n_frames, n_telling) = (tally.n_frames, tally.n_telling);
    match n_frames {
        0 => false,
        // The other end may be the one that answers, unless this one is known to.
        _ if start == Start::Unasked && !(is_served && n_telling > 0) => {
            n_frames >= 4 && n_telling >= 2 && all_fit && !tally.jumps && tally.n_equal == 0
        }
        // Ids that stay the same are few, and zeros many; only a frame that would do alone is more.
        _ if tally.is_double() && !is_served => false,
        2 | 3 if tally.n_equal > 0 && all_fit && n_telling > 1 && tally.n_plain > 0 => true,
        _ if tally.n_equal > 0 && (n_frames < 4 || !all_fit || n_telling == 0) => false,
        _ if tally.jumps => all_fit && n_telling >= if is_served { 2 } else { 4 },
        // Of an end that is known to answer one is enough.
        _ if is_served => all_fit,
        // The only one there will ever be.
        1 => is_all && all_fit,
        2 | 3 => all_fit && (n_telling > if whole { 0 } else { 1 } || is_all),
        // Numbers and zeros are in many protocols.
        MAX_SMALL_CHAIN if all_fit => n_telling > 0,
        // One of them may be malformed.
        _ => tally.n_strange() <= 1 && (n_telling > 1 || is_all),
    }
}

/// The size and the id at `at`, and the offset behind the frame that they are of.
pub(super) fn frame_at(at: u64, window: &mut impl Window) -> Option<(Numbered, u64)> {
    let size = array::<4>(window, at).map(u32::from_be_bytes)?;
    let id = array::<4>(window, at + 4).map(i32::from_be_bytes)?;
    Some((Numbered { id, size }, at + 4 + u64::from(size)))
}

/// Whether a frame that fits a definition does not by accident: it has `least` bytes, and
/// `min_said` of its body are no zeros.
pub(super) fn says(frame: &[u8], least: u64, min_said: usize) -> bool {
    let body = frame.get(8..).unwrap_or_default();
    frame.len() as u64 >= 4 + least && body.iter().filter(|&&byte| byte != 0).count() >= min_said
}
