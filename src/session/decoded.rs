//! One message of a capture, decoded into a sink of the caller's: for those who want a few fields
//! of many messages and no tree of any.
//!
//! What comes in is an exchange and a direction; what goes out are the events of its bytes, read as
//! the exchange says. Nothing is diagnosed, and a response whose request was not captured is
//! nothing: what it is, only a guess could say (see `opened.rs`).

use super::{Direction, Exchange, Kind, Session};
use crate::{
    decode::{Decoded, Framing, request, response},
    event::Sink,
    schema::{ApiKey, Catalogue},
};

impl Session {
    /// Decodes one direction of an exchange into `sink`; `None`, and no event, when the capture does
    /// not hold it or nothing says which API it is of. A raw SASL token is of none.
    pub fn decode_into<S: Sink>(
        &self,
        catalogue: &'static Catalogue,
        exchange: &Exchange,
        direction: Direction,
        sink: &mut S,
    ) -> Option<Decoded> {
        let message = exchange.message(direction)?;
        let (api, version) = exchange.api.filter(|_| exchange.kind == Kind::Api)?;
        let gathered = self.bytes(message);
        let framing = match gathered.missing.as_slice() {
            [] => Framing::Sized,
            holes => Framing::Cut { holes },
        };
        let bytes = &gathered.bytes;
        Some(match direction {
            Direction::Request => request(catalogue, framing, bytes, sink),
            Direction::Response => response(catalogue, framing, bytes, ApiKey(api), version, sink),
        })
    }
}
