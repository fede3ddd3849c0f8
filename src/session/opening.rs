//! How a connection begins: with a hello of TLS, behind the header of a proxy or not, or otherwise.
//!
//! What comes in is what a flow has delivered so far; what goes out is which end has said what.

use std::net::SocketAddr;

use crate::capture::Capture;
use crate::flow::{Both, End};
use crate::kafka::Prelude;
use crate::tls::{self, Start};

use super::cover::Delivery;

/// How a connection begins.
pub(super) struct Opening {
    pub(super) start: Start,
    /// Who has said so, and the first bytes of it.
    pub(super) from: End,
    pub(super) lead: Vec<u8>,
    /// Bytes of the header that a proxy has put in front.
    pub(super) prelude: Both<u64>,
    /// The client that it names.
    pub(super) proxied: Option<SocketAddr>,
}

/// What the first bytes of the two ends say: a hello of one of them is enough. An end whose first
/// bytes are missing says nothing.
pub(super) fn opening(capture: &Capture, deliveries: &[Delivery]) -> Opening {
    let mut said = Opening {
        start: Start::Cut,
        from: End::A,
        lead: Vec::new(),
        prelude: Both::default(),
        proxied: None,
    };
    for end in [End::A, End::B] {
        let mut lead = Vec::new();
        for delivery in deliveries {
            match *delivery {
                Delivery::Data { from, run } if from == end => {
                    let len = (Prelude::MAX + tls::LEAD).saturating_sub(lead.len());
                    let len = len.min(run.piece.len as usize);
                    lead.extend_from_slice(capture.bytes(run.piece.place, len));
                }
                Delivery::Gap { from, .. } if from == end => break,
                _ => {}
            }
        }
        let start = match Prelude::of(&lead) {
            Some(Prelude::Proxy(len)) => {
                *said.prelude.of_mut(end) = len as u64;
                let rest = lead.split_off(len.min(lead.len()));
                said.proxied = Prelude::client(&lead).or(said.proxied);
                lead = rest;
                Start::of(&lead)
            }
            Some(Prelude::ProxyCut) => Start::Cut,
            None => Start::of(&lead),
        };
        match start {
            Start::Hello(_) => {
                (said.start, said.from, said.lead) = (start, end, lead);
                return said;
            }
            Start::Other => (said.start, said.from, said.lead) = (start, end, lead),
            Start::Cut => {}
        }
    }
    said
}
