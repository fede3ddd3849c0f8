//! Which message a packet carries, for those who come with the number that another program shows.
//!
//! In: the number of a packet. Out: the message that begins in it, else one that it carries a part of.
//! Only the packets with the first bytes of messages are known by number, so messages that may reach
//! into another one are read again, the nearest first; what is known of the places of packets in the
//! file says which those are.

use crate::capture::Place;
use crate::schema::Direction;

use super::{Exchange, Index, Message, Session};

impl Session {
    /// The first message that begins in this packet, else one that it carries a part of: the
    /// exchange and the direction. Nothing once `stop` says so.
    pub fn message_in_packet(
        &self,
        index: &Index,
        packet: u64,
        stop: &dyn Fn() -> bool,
    ) -> Option<(Exchange, Direction)> {
        let mut between = Between::default();
        for (exchange, direction, message) in messages(index).take_while(|_| !stop()) {
            if message.packet == packet {
                return Some((exchange, direction));
            }
            between.narrow(&message, packet);
        }
        let mut near: Vec<(u64, u32, Direction)> = messages(index)
            .take_while(|_| !stop())
            .filter(|(_, _, message)| between.may_hold(message, packet))
            .map(|(exchange, direction, message)| {
                (message.packet.abs_diff(packet), exchange.n, direction)
            })
            .collect();
        near.sort_by_key(|&(distance, n, _)| (distance, n));
        near.into_iter()
            .take_while(|_| !stop())
            .find_map(|(_, n, direction)| {
                let exchange = index.exchange(n as usize)?;
                let message = exchange.message(direction)?;
                let origins = self.bytes(message).origins;
                let reaches = origins.iter().any(|origin| origin.packet == packet);
                reaches.then_some((exchange, direction))
            })
    }

    /// The message that begins the fewest packets away from this one, the earlier of two.
    pub fn nearest_message(
        &self,
        index: &Index,
        packet: u64,
        stop: &dyn Fn() -> bool,
    ) -> Option<(Exchange, Message)> {
        let messages = messages(index).take_while(|_| !stop());
        let messages = messages.map(|(exchange, _, message)| (exchange, message));
        messages.min_by_key(|(_, message)| (message.packet.abs_diff(packet), message.packet))
    }
}

/// All messages, in the order of the index.
fn messages(index: &Index) -> impl Iterator<Item = (Exchange, Direction, Message)> {
    index.exchanges().flat_map(|exchange| {
        [Direction::Request, Direction::Response]
            .into_iter()
            .filter_map(move |direction| Some((exchange, direction, *exchange.message(direction)?)))
    })
}

/// Records of packets on both sides of the one that is looked for, as near as they are known.
#[derive(Default)]
struct Between {
    before: Option<Place>,
    behind: Option<Place>,
}

impl Between {
    /// Takes a message into account whose packet is known with its place.
    fn narrow(&mut self, message: &Message, packet: u64) {
        if message.place.is_derived() || !message.is_in_one_packet() {
            return;
        }
        let record = message.last;
        if record.number().is_some() {
            return;
        }
        match message.packet < packet {
            true => self.before = self.before.max(Some(record)),
            false => {
                let nearest = self.behind.map_or(record, |behind| behind.min(record));
                self.behind = Some(nearest);
            }
        }
    }

    /// Whether a message may lie in the packet without beginning there.
    fn may_hold(&self, message: &Message, packet: u64) -> bool {
        // The records of decrypted bytes are known to who reads them.
        if message.place.is_derived() {
            return true;
        }
        if message.is_in_one_packet() {
            return false;
        }
        match (message.place.number(), message.last.number()) {
            (Some(first), Some(last)) => (first..=last).contains(&packet),
            _ => {
                self.before.is_none_or(|before| before < message.last)
                    && self.behind.is_none_or(|behind| message.place < behind)
            }
        }
    }
}
