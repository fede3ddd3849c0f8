//! What an index keeps of the content of messages.

use std::collections::HashSet;

use uuid::Uuid;

use crate::wire::Pieces;
use crate::{explain::Fact, kafka::RequestHead};

/// Looks into each message once, while its bytes are at hand.
pub trait Summariser: Send {
    /// A request. `frame` starts with the size prefix; it is shorter than that says where bytes
    /// were lost.
    fn request(&mut self, head: &RequestHead, frame: &[u8], facts: &mut Facts);
    /// A response to a request of this API, whose body is of `version`.
    fn response(&mut self, api_key: i16, version: i16, frame: &[u8], facts: &mut Facts);
    /// A response whose request is not in the capture.
    fn orphan(&mut self, frame: &[u8], facts: &mut Facts);

    /// A request of which all bytes are there, in pieces; `false` if they have to be put together.
    fn request_in_pieces(&mut self, _: &RequestHead, _: Pieces<'_>, _: &mut Facts) -> bool {
        false
    }

    /// The same of a response.
    fn response_in_pieces(&mut self, _: i16, _: i16, _: Pieces<'_>, _: &mut Facts) -> bool {
        false
    }
}

/// A summariser that looks at nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSummary;

impl Summariser for NoSummary {
    fn request(&mut self, _: &RequestHead, _: &[u8], _: &mut Facts) {}
    fn response(&mut self, _: i16, _: i16, _: &[u8], _: &mut Facts) {}
    fn orphan(&mut self, _: &[u8], _: &mut Facts) {}
}

/// What a summariser found in a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    topics: Vec<Box<str>>,
    n_topics: usize,
    /// The same topics, once there are many.
    known: HashSet<Box<str>>,
    topics_cut: bool,
    names: Vec<Name>,
    errors: Vec<i16>,
    /// Number of records in produce requests and fetch responses.
    pub records: u32,
    /// How long the message says that its client is held back, in milliseconds.
    pub throttle_ms: i32,
    /// Number of things that are wrong with the message.
    pub problems: u32,
}

/// Something about the cluster that a message was the first to say.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Name {
    Topic(Uuid, Box<str>),
    Node(i32, Box<str>, u16),
}

/// Clusters have tens of thousands of topics; a message that names more than this is somebody's
/// garbage, and names cost memory for as long as the index lives. What is cut is said.
const MAX_TOPICS: usize = 100_000;

/// So many are compared one by one.
const FEW: usize = 16;

impl Facts {
    /// The message is about a topic.
    pub fn topic(&mut self, name: &str) {
        let is_known = match self.n_topics {
            0..FEW => self.topics().any(|known| known == name),
            _ => self.known.contains(name),
        };
        if is_known {
            return;
        }
        if self.n_topics >= MAX_TOPICS {
            self.topics_cut = true;
            return;
        }
        if self.n_topics + 1 == FEW {
            let all = self.topics.iter().take(self.n_topics);
            self.known.extend(all.cloned());
        }
        if self.n_topics + 1 >= FEW {
            self.known.insert(name.into());
        }
        match self.topics.get_mut(self.n_topics) {
            // The storage of earlier messages is used again.
            Some(slot) if **slot == *name => {}
            Some(slot) => *slot = name.into(),
            None => self.topics.push(name.into()),
        }
        self.n_topics += 1;
    }

    /// The message holds an error code other than zero.
    pub fn error(&mut self, code: i16) {
        if code != 0 && !self.errors.contains(&code) {
            self.errors.push(code);
        }
    }

    /// The topics, in the order of the message.
    pub fn topics(&self) -> impl Iterator<Item = &str> {
        self.topics.iter().take(self.n_topics).map(AsRef::as_ref)
    }

    /// Whether there were more topics than are kept.
    pub fn topics_cut(&self) -> bool {
        self.topics_cut
    }

    /// The message names a topic or places a node, as none before it did.
    pub fn name(&mut self, fact: Fact<'_>) {
        if self.names.len() < MAX_TOPICS {
            self.names.push(match fact {
                Fact::Topic { id, name } => Name::Topic(id, name.into()),
                Fact::Node { node, host, port } => Name::Node(node, host.into(), port),
            });
        }
    }

    /// What the message says of the cluster.
    pub fn names(&self) -> impl ExactSizeIterator<Item = Fact<'_>> {
        self.names.iter().map(|name| match name {
            Name::Topic(id, name) => Fact::Topic { id: *id, name },
            &Name::Node(node, ref host, port) => Fact::Node { node, host, port },
        })
    }

    pub(super) fn n_topics(&self) -> usize {
        self.n_topics
    }

    /// The error codes, in the order of the message.
    pub fn errors(&self) -> &[i16] {
        &self.errors
    }

    /// Forgets all else that was found.
    pub(super) fn keep_topics_and_errors(&mut self) {
        self.names.clear();
        self.records = 0;
        self.throttle_ms = 0;
        self.problems = 0;
    }

    pub(super) fn clear(&mut self) {
        self.n_topics = 0;
        if !self.known.is_empty() {
            self.known = HashSet::new();
        }
        self.topics_cut = false;
        self.errors.clear();
        self.keep_topics_and_errors();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_are_kept_once_each_and_what_is_cut_is_said() {
        let mut facts = Facts::default();
        for n_topics in [3, FEW, 10_000, MAX_TOPICS, MAX_TOPICS + 1] {
            facts.clear();
            for _ in 0..2 {
                for n in 0..n_topics {
                    facts.topic(&format!("topic-{n}"));
                }
            }
            assert_eq!(facts.n_topics(), n_topics.min(MAX_TOPICS));
            assert_eq!(facts.topics().nth(2), Some("topic-2"));
            assert_eq!(facts.topics_cut(), n_topics > MAX_TOPICS);
        }
    }
}
