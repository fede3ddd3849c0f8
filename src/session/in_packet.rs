//! Which message a packet carries, for those who come with the number that another program shows.

use crate::schema::Direction;

use super::{Exchange, Index, Message, Session};

/// Messages before a packet of which one may reach into it, nearest first: those of so many
/// connections can be under way at once.
const NEAR: usize = 64;

impl Session {
    /// The first message that begins in this packet, else one that it carries a part of: the
    /// exchange and the direction.
    pub fn message_in_packet(&self, index: &Index, packet: u64) -> Option<(Exchange, Direction)> {
        let mut before = Vec::new();
        for exchange in index.exchanges() {
            for direction in [Direction::Request, Direction::Response] {
                match exchange.message(direction) {
                    Some(message) if message.packet == packet => {
                        return Some((exchange, direction));
                    }
                    Some(message) if message.packet < packet && !message.is_in_one_packet() => {
                        before.push((message.packet, exchange.n, direction));
                    }
                    _ => {}
                }
            }
            if before.len() > 2 * NEAR {
                nearest(&mut before);
            }
        }
        nearest(&mut before);
        let reaches = |message: &Message| {
            let origins = self.bytes(message).origins;
            origins.iter().any(|origin| origin.packet == packet)
        };
        before.into_iter().find_map(|(_, n, direction)| {
            let exchange = index.exchange(n as usize)?;
            let message = exchange.message(direction)?;
            reaches(message).then_some((exchange, direction))
        })
    }
}

/// Keeps those with the highest numbers, the highest first.
fn nearest(before: &mut Vec<(u64, u32, Direction)>) {
    before.sort_by_key(|&(packet, n, _)| std::cmp::Reverse((packet, n)));
    before.truncate(NEAR);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        schema::Catalogue,
        session::{Digest, Input, Options},
    };

    #[test]
    fn every_packet_of_a_message_leads_to_it() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/topics.pcap");
        let session = Session::open(&[Input::named(path)], Options::default()).unwrap();
        session.run(&mut Digest::new(Catalogue::current()));
        let index = session.index();
        for exchange in index.exchanges() {
            for direction in [Direction::Request, Direction::Response] {
                let Some(message) = exchange.message(direction) else {
                    continue;
                };
                for origin in session.bytes(message).origins {
                    let found = session.message_in_packet(&index, origin.packet);
                    let (found, side) = found.unwrap();
                    let origins = session.bytes(found.message(side).unwrap()).origins;
                    assert!(origins.iter().any(|other| other.packet == origin.packet));
                }
            }
        }
        // The first packet opens a connection.
        assert!(session.message_in_packet(&index, 1).is_none());
    }
}
