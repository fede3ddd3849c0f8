//! How long brokers held clients back, and what of a latency is left without it.
//!
//! What comes in is the throttle time that a response states; what goes out are milliseconds, and
//! nanoseconds of latency. Few responses state one, so they are kept beside the rows.

use std::collections::HashMap;

use super::{Exchange, Index};
use crate::{
    event::Role,
    explain::holds_back,
    schema::{ApiKey, Catalogue, Direction, Plan},
};

/// Throttle times other than 0, in milliseconds, by the idx of the row.
#[derive(Debug, Default)]
pub(super) struct Throttles(HashMap<u32, i32>);

impl Throttles {
    /// Keeps what a message states; 0 is not kept.
    pub(super) fn note(&mut self, idx: u32, ms: i32) {
        if ms != 0 {
            self.0.insert(idx, ms);
        }
    }
}

impl Index {
    /// Milliseconds that the response says its client is held back for exceeding a quota. `None`
    /// without a response, where its version does not say, and where the field may not have been
    /// read because something is wrong with the exchange.
    pub fn throttle_ms(&self, exchange: &Exchange) -> Option<i32> {
        let stated = self.throttles.0.get(&exchange.n.checked_sub(1)?);
        if let Some(&ms) = stated {
            return Some(ms);
        }
        let is_sound = exchange.problems == 0 && exchange.response?.is_whole();
        (is_sound && states_throttle(plan(exchange)?)).then_some(0)
    }

    /// The latency to the first byte without the time for which the broker kept the response
    /// because of a quota, in nanoseconds.
    ///
    /// A response is held to have been kept if its version is one in which brokers did so (until
    /// KIP-219) and it took at least as long as the throttle time that it states. Otherwise it was
    /// sent at once, the client was to wait afterwards, and nothing is subtracted.
    pub fn latency_net(&self, exchange: &Exchange) -> Option<i64> {
        let latency = exchange.latency()?;
        let throttle = i64::from(self.throttle_ms(exchange).unwrap_or(0).max(0)) * 1_000_000;
        let was_kept = throttle > 0
            && latency >= throttle
            && plan(exchange).is_some_and(|plan| holds_back(plan.name, plan.version));
        Some(if was_kept {
            latency - throttle
        } else {
            latency
        })
    }
}

/// The definition that the response is read by.
fn plan(exchange: &Exchange) -> Option<&'static Plan> {
    let (key, version) = exchange.api?;
    let version = exchange.response_version.unwrap_or(version);
    Catalogue::current().api_plan(ApiKey(key), Direction::Response, version)
}

fn states_throttle(plan: &Plan) -> bool {
    let mut fields = plan.body.fields.iter();
    fields.any(|field| field.node.role == Role::Throttle)
}
