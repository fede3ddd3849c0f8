//! A server whose client was not captured, or not well enough to be understood.
//!
//! Chains of responses are looked for at the starts of segments, and where none of them starts one
//! at every offset. No frame is looked at twice for the same chain: what is open about one is kept
//! until more has come that can tell.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::chain::Counted;
use super::conversation::Conversation;
use super::orphan::{self, Chain, Foreign, Start, Walk};
use super::quiet::{Quiet, Run};
use super::{Found, Side, Window, limits};

/// What is known of a stream in which responses are looked for without requests.
#[derive(Debug, Default)]
pub(super) struct Alone {
    /// Offset before which each start of a segment had its turn.
    from: u64,
    /// Chains of which more will tell, by how far the stream has to come for that, and their offset.
    open: BTreeMap<(u64, u64), Walk>,
    /// Frames of another protocol that a chain would have to follow.
    foreign: Option<Foreign>,
    /// Frames that more of their like will make responses.
    quiet: Option<Quiet>,
    /// No such frames are believed any more.
    is_loud: bool,
    /// Responses that count up, wherever they start.
    counted: Counted,
}

impl Alone {
    pub(super) fn new(from: u64) -> Alone {
        Alone {
            from,
            ..Alone::default()
        }
    }

    /// Looks for them in what has come.
    pub(super) fn look(
        &mut self,
        conversation: &mut Conversation,
        side: Side,
        start: Start,
        window: &mut impl Window,
    ) -> ControlFlow<Found> {
        if window.end() == window.start() {
            return ControlFlow::Continue(());
        }
        self.foreign = self.foreign.map(|foreign| foreign.go_on(window));
        if let Some(quiet) = self.quiet.take().filter(|_| start == Start::Alone) {
            self.go_on(conversation, side, quiet, window)?;
        }
        self.look_again(conversation, side, start, window)?;
        self.look_on(conversation, side, start, window)?;
        self.counted.look(conversation, side, start, window)
    }

    /// Looks at the open ones about which what has come can tell.
    fn look_again(
        &mut self,
        conversation: &mut Conversation,
        side: Side,
        start: Start,
        window: &mut impl Window,
    ) -> ControlFlow<Found> {
        let end = window.end();
        let closed = conversation.stream(side).closed;
        while let Some(first) = self.open.first_entry()
            && (first.key().0 <= end || closed)
        {
            let walk = first.remove();
            if walk.at() >= window.start() {
                self.walk(conversation, side, walk, start, window)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Looks at the starts of segments that had no turn yet.
    fn look_on(
        &mut self,
        conversation: &mut Conversation,
        side: Side,
        start: Start,
        window: &mut impl Window,
    ) -> ControlFlow<Found> {
        while self.quiet.is_none() {
            let behind = self.foreign.map_or(0, Foreign::end);
            let from = self.from.max(behind).max(window.start());
            let Some(at) = window.next_segment(from) else {
                self.from = window.end();
                break;
            };
            self.from = at;
            if self.foreign.is_some_and(|foreign| foreign.is_next(at)) {
                // More of it has to come before anything behind it can be one.
                break;
            }
            self.from = at + 1;
            self.walk(conversation, side, Walk::new(at), start, window)?;
        }
        ControlFlow::Continue(())
    }

    /// Goes on with a chain, and notes what comes of it.
    fn walk(
        &mut self,
        conversation: &mut Conversation,
        side: Side,
        mut walk: Walk,
        start: Start,
        window: &mut impl Window,
    ) -> ControlFlow<Found> {
        match walk.go_on(conversation, side, start, window) {
            Chain::Sure(found) => return ControlFlow::Break(found),
            Chain::Open => self.keep(walk),
            // Of those that more would tell about the first counts.
            Chain::Quiet(_) if self.quiet.is_some() => {}
            Chain::Quiet(quiet) => self.go_on(conversation, side, quiet, window)?,
            Chain::Foreign(frames) => {
                let foreign = frames.go_on(window);
                self.open.retain(|_, walk| walk.at() >= foreign.end());
                self.foreign = Some(foreign);
            }
            Chain::No => {}
        }
        ControlFlow::Continue(())
    }

    /// Remembers a chain of which more will tell; of too many the one that takes longest is given up.
    fn keep(&mut self, walk: Walk) {
        self.open.insert((walk.until(), walk.at()), walk);
        if self.open.len() > limits::MAX_CHAINS {
            self.open.pop_last();
        }
    }

    /// Goes on with frames that say little; behind those that are no responses others have their turn.
    fn go_on(
        &mut self,
        conversation: &mut Conversation,
        side: Side,
        quiet: Quiet,
        window: &mut impl Window,
    ) -> ControlFlow<Found> {
        let closed = conversation.stream(side).closed;
        let run = match self.is_loud {
            true => Run::Over(quiet.end()),
            false => quiet.go_on(conversation, side, window),
        };
        let behind = match run {
            Run::Sure(at) => {
                return ControlFlow::Break(orphan::found(conversation, side, at, 50, window));
            }
            Run::Open(quiet) if !closed => {
                self.quiet = Some(quiet);
                quiet.end()
            }
            // Nothing comes any more.
            Run::Open(quiet) => quiet.end(),
            Run::Over(at) => at,
            Run::Refuted(at) => {
                self.is_loud = true;
                at
            }
        };
        self.from = self.from.max(behind);
        ControlFlow::Continue(())
    }
}
