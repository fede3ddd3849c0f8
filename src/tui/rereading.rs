//! Decoding changed bytes beside the screen: looking for the mistake in a malformed message can
//! take half a second, and typing must not wait for it.
//!
//! What comes in are the bytes after each change; what goes out is the message of the last of them.
//! Changes that were typed over while the thread was busy are not decoded.

use std::{
    sync::{
        Arc,
        mpsc::{self, Receiver, Sender},
    },
    thread::Scope,
};

use super::{Exchanges, Msg, Side};
use crate::session::Reading;

/// What is to be decoded.
pub(super) struct Request {
    pub idx: usize,
    pub side: Side,
    pub bytes: Arc<Vec<u8>>,
    pub reading: Reading,
}

/// An answer, and how many requests it settles.
type Settled = (Msg, usize);

/// The thread, as those who ask it see it.
pub(super) struct Rereader {
    requests: Sender<Request>,
    answers: Receiver<Settled>,
    n_open: usize,
}

impl Rereader {
    /// Starts the thread, which ends when nobody can ask any more.
    pub(super) fn start<'scope>(
        scope: &'scope Scope<'scope, '_>,
        exchanges: &'scope dyn Exchanges,
    ) -> Rereader {
        let (requests, asked) = mpsc::channel::<Request>();
        let (answer, answers) = mpsc::channel();
        scope.spawn(move || {
            while let Ok(first) = asked.recv() {
                let newer: Vec<Request> = asked.try_iter().collect();
                let n_settled = 1 + newer.len();
                let last = newer.into_iter().next_back().unwrap_or(first);
                if answer.send((decode(exchanges, last), n_settled)).is_err() {
                    break;
                }
            }
        });
        Rereader {
            requests,
            answers,
            n_open: 0,
        }
    }

    pub(super) fn ask(&mut self, request: Request) {
        if self.requests.send(request).is_ok() {
            self.n_open += 1;
        }
    }

    /// Whether an answer is still to come.
    pub(super) fn is_busy(&self) -> bool {
        self.n_open > 0
    }

    /// The next answer, if it is there.
    pub(super) fn answer(&mut self) -> Option<Msg> {
        let (msg, n_settled) = self.answers.try_recv().ok()?;
        self.n_open = self.n_open.saturating_sub(n_settled);
        Some(msg)
    }
}

fn decode(exchanges: &dyn Exchanges, request: Request) -> Msg {
    let Request {
        idx,
        side,
        bytes,
        reading,
    } = request;
    let page = exchanges.reread(idx, side, &bytes, &reading).map(Box::new);
    Msg::Reread {
        idx,
        side,
        bytes,
        page,
    }
}
