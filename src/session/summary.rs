//! What an index keeps of the content of messages.

use crate::kafka::RequestHead;

/// Looks into each message once, while its bytes are at hand.
pub trait Summariser: Send {
    /// A request. `frame` starts with the size prefix; it is shorter than that says where bytes
    /// were lost.
    fn request(&mut self, head: &RequestHead, frame: &[u8], facts: &mut Facts);
    /// A response to a request of this API, whose body is of `version`.
    fn response(&mut self, api_key: i16, version: i16, frame: &[u8], facts: &mut Facts);
}

/// A summariser that looks at nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSummary;

impl Summariser for NoSummary {
    fn request(&mut self, _: &RequestHead, _: &[u8], _: &mut Facts) {}
    fn response(&mut self, _: i16, _: i16, _: &[u8], _: &mut Facts) {}
}

/// What a summariser found in a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    topics: Vec<Box<str>>,
    n_topics: usize,
    errors: Vec<i16>,
    /// Number of records in produce requests and fetch responses.
    pub records: u32,
    /// Number of things that are wrong with the message.
    pub problems: u32,
}

/// An exchange about more topics than this is shown as one about many.
const MAX_TOPICS: usize = 1000;

impl Facts {
    /// The message is about a topic.
    pub fn topic(&mut self, name: &str) {
        if self.topics().any(|known| known == name) || self.n_topics >= MAX_TOPICS {
            return;
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

    pub(super) fn n_topics(&self) -> usize {
        self.n_topics
    }

    /// The error codes, in the order of the message.
    pub fn errors(&self) -> &[i16] {
        &self.errors
    }

    pub(super) fn clear(&mut self) {
        self.n_topics = 0;
        self.errors.clear();
        self.records = 0;
        self.problems = 0;
    }
}
