//! What of a connection in TLS waits: all of it for secrets that may still come, one direction for
//! the hello of the other.
//!
//! What comes in are deliveries of the flow; what goes out are the same, in an order in which they
//! can be opened. Two captures of one connection by clocks that differ have the hello of the server
//! behind what the client has sent by its keys.
//!
//! Invariant: what waits is a bounded number of references, of a connection and of all of them.

use crate::tls::Peer;

use super::cover::{Delivery, Wrapped};
use super::talk::{Talk, Writer};

/// What waits of one connection.
#[derive(Default)]
pub(super) struct Awaited {
    /// Secrets of this session were looked for.
    asked: Option<[u8; 32]>,
    /// What waits for secrets that may still come.
    secrets: Option<Vec<Delivery>>,
    /// What one end has sent, and waits for the hello of the other.
    hello: Vec<Delivery>,
}

/// Deliveries of a connection that wait for secrets which may come later in the capture: a
/// handshake and a few messages.
const MAX_WAITING: usize = 256;

/// Deliveries of a connection that wait for the hello of the other end. Whoever waits for answers
/// has not sent many before the clocks agree; who sends without pause fills so many packets in some
/// ten milliseconds.
const MAX_HELD: usize = 1 << 12;

/// And of all connections: some ten megabytes, if a capture has the clients alone.
const MAX_ALL_HELD: usize = 1 << 18;

impl Writer<'_, '_> {
    /// Takes a delivery in TLS, or keeps it until it can be opened.
    pub(super) fn unwrap(&mut self, talk: &mut Talk, wrapped: &mut Wrapped, delivery: Delivery) {
        let awaited = &mut wrapped.awaited;
        if let Some(waiting) = &mut awaited.secrets {
            waiting.push(delivery);
            let is_full = waiting.len() > MAX_WAITING;
            let found = awaited.asked.is_some_and(|random| {
                let capture = self.talks.capture;
                self.talks.keyring.find(&random, capture)
            });
            if found || is_full {
                self.stop_waiting(talk, wrapped);
            }
            return;
        }
        self.open_or_hold(talk, wrapped, delivery);
        let random = wrapped.tls.client_random().copied();
        if let Some(random) = random
            && wrapped.awaited.asked != Some(random)
        {
            wrapped.awaited.asked = Some(random);
            let keyring = &mut self.talks.keyring;
            let waits = !keyring.find(&random, self.talks.capture) && keyring.may_grow();
            wrapped.awaited.secrets = waits.then(Vec::new);
        }
        self.resume_due(talk, wrapped);
    }

    /// Whatever waits is taken as it is.
    pub(super) fn stop_waiting(&mut self, talk: &mut Talk, wrapped: &mut Wrapped) {
        if let Some(random) = wrapped.awaited.asked {
            self.talks.keyring.find(&random, self.talks.capture);
        }
        let waiting = wrapped.awaited.secrets.take().unwrap_or_default();
        self.resume_due(talk, wrapped);
        for delivery in waiting {
            self.open_or_hold(talk, wrapped, delivery);
            self.resume_due(talk, wrapped);
        }
    }

    /// Nothing more comes: also what waits for a hello is taken as it is.
    pub(super) fn end_waiting(&mut self, talk: &mut Talk, wrapped: &mut Wrapped) {
        self.stop_waiting(talk, wrapped);
        for peer in [Peer::Client, Peer::Server] {
            if wrapped.tls.waits(peer) {
                self.release(talk, wrapped, peer, false);
            }
        }
    }

    /// Opens a delivery, or keeps it while its end waits for the hello of the other.
    fn open_or_hold(&mut self, talk: &mut Talk, wrapped: &mut Wrapped, delivery: Delivery) {
        let peer = wrapped.peer(delivery.from());
        if !wrapped.tls.waits(peer) {
            self.open(talk, wrapped, delivery);
            return;
        }
        wrapped.awaited.hello.push(delivery);
        self.talks.n_held += 1;
        if wrapped.awaited.hello.len() > MAX_HELD || self.talks.n_held > MAX_ALL_HELD {
            self.release(talk, wrapped, peer, true);
        }
    }

    /// Goes on with an end that has waited for the hello of the other, unless secrets are awaited.
    fn resume_due(&mut self, talk: &mut Talk, wrapped: &mut Wrapped) {
        for peer in [Peer::Client, Peer::Server] {
            if wrapped.awaited.secrets.is_none() && wrapped.tls.is_due(peer) {
                self.release(talk, wrapped, peer, false);
            }
        }
    }

    fn release(&mut self, talk: &mut Talk, wrapped: &mut Wrapped, peer: Peer, is_early: bool) {
        let held = std::mem::take(&mut wrapped.awaited.hello);
        self.talks.n_held -= held.len();
        let mut output = self.fresh_output();
        let keys = self.talks.keyring.log();
        wrapped.tls.resume(peer, is_early, keys, &mut output);
        self.settle(talk, wrapped, output);
        for delivery in held {
            self.open(talk, wrapped, delivery);
        }
    }
}
