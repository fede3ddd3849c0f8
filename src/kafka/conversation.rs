//! A connection: who is who, and where in each of the two streams we are.

use std::hash::BuildHasher;
use std::num::NonZeroU64;

use foldhash::quality::FixedState;

use super::framing;
use super::fresh;
use super::pairing::Queue;
use super::search::{self, Search};
use super::standing::Answered;
use super::turns::Lost;
use super::{Found, Protocol, Side, Ticket, Window};
use crate::schema::Catalogue;

/// What is known of a connection from elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// The end that asked for the connection.
    pub initiator: Option<Side>,
    /// The end at an address that spoke Kafka as a server in another connection.
    pub server: Option<Side>,
}

/// Where a stream stands.
#[derive(Debug)]
pub(super) enum Mode {
    /// At its very first byte, and nothing is known yet.
    Fresh,
    /// At the boundary of a message.
    Framing,
    /// Somewhere; the next boundary is searched for.
    Search(Box<Search>),
    /// Nothing in it is of interest any more.
    Ignored,
}

#[derive(Debug)]
pub(super) struct Stream {
    pub(super) mode: Mode,
    /// Offset of the next byte that belongs to no message yet; `None` before there was one.
    pub(super) at: Option<u64>,
    /// Length of the frame at `at` with its prefix; 0 before its size is known.
    pub(super) frame_len: u32,
    /// The header of the frame at `at` was looked at and can be one.
    pub(super) checked: bool,
    /// Nothing more comes.
    pub(super) closed: bool,
    /// Bytes of it were captured.
    pub(super) heard: bool,
    /// Every byte since the very first belongs to a message.
    pub(super) unbroken: bool,
    /// Bytes of it may be missing behind its end, how many is told later if ever.
    pub(super) untold: bool,
    /// Offset behind the last bytes in which a message may be that nobody knows of.
    pub(super) lost_to: u64,
    /// While its first bytes say too little: how far it and the other stream have to come for them
    /// to be looked at again. `None` in most streams.
    pub(super) doubted: Option<Box<[u64; 2]>>,
    /// Bytes that were let go undecided.
    given_up: u64,
    /// End of the stream when nothing was found in it, else [`NOWHERE`]. While it frames, only
    /// bytes of its own change that.
    settled: u64,
}

/// No stream ends there; an `Option` would take twice the space, for each of thousands of streams.
const NOWHERE: u64 = u64::MAX;

impl Stream {
    fn new() -> Stream {
        Stream {
            mode: Mode::Fresh,
            at: None,
            frame_len: 0,
            checked: false,
            closed: false,
            heard: false,
            unbroken: false,
            untold: false,
            lost_to: 0,
            doubted: None,
            given_up: 0,
            settled: NOWHERE,
        }
    }

    /// Takes framing up at `at`.
    pub(super) fn frame_at(&mut self, at: u64) {
        self.at = Some(at);
        self.mode = Mode::Framing;
        self.frame_len = 0;
        self.checked = false;
    }

    /// Whether all that was ever sent is known, as messages.
    pub(super) fn is_known(&self) -> bool {
        self.unbroken && !self.untold
    }

    /// Notes whether anything of it is there that was not lost.
    fn listen(&mut self, window: &impl Window) {
        let all = window.start()..window.end();
        self.heard |= !all.is_empty() && window.lost(all.clone()) != Some(all);
    }

    /// Lets undecided bytes in front of `to` go.
    pub(super) fn give_up(&mut self, to: u64) {
        let at = self.at.unwrap_or(to);
        self.given_up += to.saturating_sub(at);
        self.at = Some(to.max(at));
    }

    /// Searches for a boundary from `at` on.
    pub(super) fn search_at(&mut self, at: u64) {
        self.unbroken = false;
        self.lost_to = self.lost_to.max(at);
        self.at = Some(at);
        self.mode = Mode::Search(Box::new(Search::new(at)));
        self.frame_len = 0;
        self.checked = false;
    }
}

/// The state of one connection.
#[derive(Debug)]
pub struct Conversation {
    pub(super) catalogue: &'static Catalogue,
    a: Stream,
    b: Stream,
    pub(super) client: Option<Side>,
    confidence: u8,
    pub(super) pending: Queue,
    /// How far the other stream was known when the message came that is looked at.
    pub(super) reached: u64,
    /// The client id of the last request that had one, as a hash: to look at its bytes for every
    /// request would mean to wait for memory, where there are thousands of connections.
    client_id: Option<NonZeroU64>,
    /// Correlation ids that were seen last.
    pub(super) last_asked: Option<i32>,
    pub(super) last_answered: Option<i32>,
    pub(super) answered: Answered,
    /// SaslHandshake v0 was seen: frames that are no requests are tokens.
    pub(super) tokens: bool,
    pub(super) hints: Hints,
    /// The end that was a server elsewhere is none here.
    distrusts_server: bool,
    /// What the connection looks like as long as it is not known to be Kafka.
    other: Option<(Side, Protocol, Option<i32>)>,
    named: bool,
}

impl Conversation {
    /// A connection of which nothing is known, read by the definitions of `catalogue`.
    pub fn new(catalogue: &'static Catalogue) -> Conversation {
        Conversation {
            catalogue,
            reached: 0,
            a: Stream::new(),
            b: Stream::new(),
            client: None,
            confidence: 0,
            pending: Queue::default(),
            client_id: None,
            last_asked: None,
            last_answered: None,
            answered: Answered::default(),
            tokens: false,
            hints: Hints::default(),
            distrusts_server: false,
            other: None,
            named: false,
        }
    }

    /// The end that is the client, once that is known.
    pub fn client(&self) -> Option<Side> {
        self.client
    }

    /// How sure it is that this is Kafka, in percent.
    pub fn confidence(&self) -> u8 {
        self.confidence
    }

    /// The first bytes of a stream are about to come; unless they are the first that were ever
    /// sent they need not start a message.
    pub fn start(&mut self, side: Side, at: u64, whole: bool) {
        let stream = self.stream_mut(side);
        if !matches!(stream.mode, Mode::Fresh) {
            return;
        }
        if whole {
            stream.at = Some(at);
            stream.unbroken = true;
            if self.client.is_some() {
                self.stream_mut(side).frame_at(at);
            }
        } else {
            stream.search_at(at);
        }
    }

    /// Whether bytes of `side` may be missing behind what has come of it, `at` its end: what a record
    /// held that cannot be opened is known at the next that can, or never.
    pub fn doubt(&mut self, side: Side, at: u64, is_untold: bool) {
        // That responses are lost is known in front of the next one; requests have theirs before.
        if is_untold && !self.stream(side).untold && self.client == Some(side) {
            self.pending.lose_requests(Lost::From(at));
        }
        self.stream_mut(side).untold = is_untold;
    }

    /// Nothing more comes from `side`.
    pub fn close(&mut self, side: Side) {
        let stream = self.stream_mut(side);
        stream.closed = true;
        stream.settled = NOWHERE;
    }

    /// Looks for the next thing in the streams. `ticket` is what the next exchange will be called.
    pub fn next<W: Window>(
        &mut self,
        a: &mut W,
        b: &mut W,
        hints: Hints,
        ticket: Ticket,
    ) -> Option<Found> {
        self.hints = hints;
        if self.distrusts_server {
            self.hints.server = None;
        }
        if self.client.is_none() {
            self.a.listen(a);
            self.b.listen(b);
        }
        // Questions before answers, where what has come is looked at late.
        if self.client == Some(Side::B) {
            let found = self.step(Side::B, b, a, ticket);
            return found.or_else(|| self.step(Side::A, a, b, ticket));
        }
        let found = self.step(Side::A, a, b, ticket);
        found.or_else(|| self.step(Side::B, b, a, ticket))
    }

    /// Finds the message that `segment` begins with, if it is next in its stream, all of it is
    /// there, and nothing else is to be looked at before: the same that [`Conversation::next`]
    /// would find, without a window. `segment` lies at `at`, and the other stream is known up to
    /// `other_end`.
    #[inline]
    pub fn next_in(
        &mut self,
        side: Side,
        at: u64,
        segment: &[u8],
        other_end: u64,
        ticket: Ticket,
    ) -> Option<Found> {
        let stream = self.stream(side);
        let is_next = matches!(stream.mode, Mode::Framing)
            && stream.at == Some(at)
            && stream.frame_len == 0
            && !stream.closed;
        if !is_next || self.tokens || self.stream(side.other()).settled != other_end {
            return None;
        }
        self.reached = other_end;
        let found = framing::whole(self, side, at, segment, ticket);
        if found.is_some() {
            let end = at + segment.len() as u64;
            let stream = self.stream_mut(side);
            // All of the segment was looked at if the message ends where it does.
            let is_all = stream.at == Some(end);
            stream.settled = if is_all { end } else { NOWHERE };
        }
        found
    }

    /// Offset of the next byte of a stream that belongs to no message yet.
    pub fn boundary(&self, side: Side) -> Option<u64> {
        self.stream(side).at
    }

    /// What is left to say when nothing more comes, one thing at a time: what was let go, and what
    /// the connection was if it was not Kafka.
    pub fn finish(&mut self) -> Option<Found> {
        for side in Side::BOTH {
            let len = std::mem::take(&mut self.stream_mut(side).given_up);
            if len > 0 {
                return Some(Found::GivenUp { side, len });
            }
        }
        if self.client.is_some() || self.named {
            return None;
        }
        self.named = true;
        let (side, protocol, first) = self.other?;
        Some(Found::Other {
            side,
            protocol,
            first,
        })
    }

    fn step<W: Window>(
        &mut self,
        side: Side,
        window: &mut W,
        other: &mut W,
        ticket: Ticket,
    ) -> Option<Found> {
        let stream = self.stream(side);
        let at = stream.at?;
        let end = window.end();
        if stream.settled == end {
            return None;
        }
        let is_empty = at == end && !stream.closed;
        window.release(at.min(end));
        match self.stream(side).mode {
            Mode::Framing if is_empty => {
                self.stream_mut(side).settled = end;
                None
            }
            Mode::Fresh => {
                let found = fresh::step(self, side, at, window, other);
                // What is no beginning is searched at once: nothing more may ever come.
                match self.stream(side).mode {
                    Mode::Search(_) if found.is_none() => {
                        search::step(self, side, window, other, ticket)
                    }
                    _ => found,
                }
            }
            Mode::Framing => {
                let found = framing::step(self, side, window, ticket);
                let stream = self.stream_mut(side);
                if found.is_none() && matches!(stream.mode, Mode::Framing) {
                    stream.settled = end;
                    window.release(stream.at.unwrap_or(end).min(end));
                }
                found
            }
            Mode::Search(_) => search::step(self, side, window, other, ticket),
            Mode::Ignored => {
                window.release(end);
                self.stream_mut(side).settled = end;
                None
            }
        }
    }

    /// From now on this is Kafka.
    pub(super) fn recognise(&mut self, client: Side, confidence: u8) -> Found {
        self.client = Some(client);
        self.confidence = confidence;
        if !self.stream(client).is_known() {
            self.pending.lose_requests(Lost::Start);
        }
        for side in Side::BOTH {
            let stream = self.stream_mut(side);
            match (&stream.mode, stream.at) {
                (Mode::Fresh, Some(at)) => stream.frame_at(at),
                // What a search for anything has rejected is looked at again.
                (Mode::Search(_), Some(at)) => stream.search_at(at),
                _ => {}
            }
        }
        Found::Client { side: client }
    }

    /// The end that was a server elsewhere need not be one here; all is looked at again.
    pub(super) fn distrust_server(&mut self) {
        self.distrusts_server = true;
        self.hints.server = None;
        for side in Side::BOTH {
            let stream = self.stream_mut(side);
            if let (Mode::Search(_), Some(at)) = (&stream.mode, stream.at) {
                stream.search_at(at);
            }
        }
    }

    /// The client calls itself so.
    pub(super) fn name_client(&mut self, client_id: &[u8]) {
        self.client_id = hash(client_id);
    }

    /// Whether the last request that had a client id had this one.
    pub(super) fn is_client_named(&self, client_id: &[u8]) -> bool {
        self.client_id.is_some() && self.client_id == hash(client_id)
    }

    /// More speaks for it.
    pub(super) fn confirm(&mut self, confidence: u8) {
        self.confidence = self.confidence.max(confidence);
    }

    /// This is no Kafka, and will not become it.
    pub(super) fn dismiss(&mut self, side: Side, protocol: Protocol, first: Option<i32>) -> Found {
        self.named = true;
        for side in Side::BOTH {
            self.stream_mut(side).mode = Mode::Ignored;
        }
        Found::Other {
            side,
            protocol,
            first,
        }
    }

    /// This looks like something else, which is said if it does not turn out to be Kafka.
    pub(super) fn suspect(&mut self, side: Side, protocol: Protocol, first: Option<i32>) {
        if self
            .other
            .is_none_or(|(_, other, _)| other == Protocol::Unknown)
        {
            self.other = Some((side, protocol, first));
        }
    }

    /// Messages of `side` are lost, from the offset `at` on, that nobody knows of.
    pub(super) fn lose_messages(&mut self, side: Side, at: u64) {
        match self.client {
            Some(client) if client == side => self.pending.lose_requests(Lost::From(at)),
            _ => self.pending.lose_responses(at),
        }
    }

    /// Whether only the content of a response can tell which of several requests with the same
    /// correlation id it answers.
    pub(super) fn is_ambiguous(&self) -> bool {
        self.pending.repeats() && !(self.a.is_known() && self.b.is_known())
    }

    /// Whether `side` can be the client, as far as anything is known.
    pub(super) fn may_be_client(&self, side: Side) -> bool {
        match self.client {
            Some(client) => client == side,
            None => {
                self.hints
                    .initiator
                    .is_none_or(|initiator| initiator == side)
                    && self.hints.server != Some(side)
            }
        }
    }

    pub(super) fn stream(&self, side: Side) -> &Stream {
        match side {
            Side::A => &self.a,
            Side::B => &self.b,
        }
    }

    pub(super) fn stream_mut(&mut self, side: Side) -> &mut Stream {
        match side {
            Side::A => &mut self.a,
            Side::B => &mut self.b,
        }
    }
}

/// `None` for one of 2^64 texts, whose name is then learned anew each time.
fn hash(bytes: &[u8]) -> Option<NonZeroU64> {
    NonZeroU64::new(FixedState::default().hash_one(bytes))
}
