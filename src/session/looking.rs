//! Looking into messages, by another thread than the one that finds them where there is one.
//!
//! What comes in are the messages in the order in which they were found, as references into the
//! capture; what goes out is for each of them what a list shows of its content, as numbers of names
//! and of sets of them, with the names that were not known before.
//!
//! Invariant: messages are looked into in the order in which they were found, so that what one of
//! them says of the cluster is known for the next. The index is written by the thread that finds
//! messages alone: answers wait until it takes them.

use std::sync::{Arc, Mutex, PoisonError};

use crate::explain::Cluster;
use crate::kafka::RequestHead;
use crate::wire::Pieces;

use super::crew::Crew;
use super::names::{Interner, NameId};
use super::summary::{Facts, Summariser};

/// What a message is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Question {
    Request(RequestHead),
    Response {
        api_key: i16,
        version: i16,
    },
    /// A response whose request is not in the capture.
    Orphan,
}

/// A message to be looked into.
#[derive(Debug)]
struct Task<'a> {
    row: u32,
    question: Question,
    /// Its bytes up to the first that is lost.
    bytes: Bytes<'a>,
}

#[derive(Debug)]
enum Bytes<'a> {
    /// In one packet.
    Whole(&'a [u8]),
    /// The next so many pieces of the batch.
    Pieces(usize),
}

/// Messages that go to the other thread together.
#[derive(Debug, Default)]
pub(super) struct Batch<'a> {
    tasks: Vec<Task<'a>>,
    pieces: Vec<&'a [u8]>,
    n_bytes: usize,
}

/// What was found in a message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer {
    pub(super) row: u32,
    /// One more than the number of the name.
    pub(super) client_id: u32,
    /// One more than the number of the set.
    pub(super) topics: u32,
    pub(super) errors: u32,
    pub(super) records: u32,
    pub(super) throttle_ms: i32,
    pub(super) problems: u32,
    pub(super) topics_cut: bool,
}

/// What was found in a batch.
#[derive(Debug, Default)]
pub(super) struct Answers {
    pub(super) answers: Vec<Answer>,
    /// Names and sets that were not known before, by their numbers.
    pub(super) names: Vec<Arc<str>>,
    pub(super) topics: Vec<Arc<[NameId]>>,
    pub(super) errors: Vec<Arc<[i16]>>,
}

/// So many messages are worth waking the other thread.
const MESSAGES: usize = 2048;

/// Or so many bytes.
const BYTES: usize = 256 << 10;

/// Batches that are under way at most, which bounds the memory that they take: the thread that
/// finds messages is not to run ahead.
const UNDER_WAY: usize = 4;

/// The side of the thread that finds messages.
pub(super) struct Desk<'a> {
    crew: Arc<Crew<'a>>,
    next: Batch<'a>,
    n_under_way: usize,
    /// Batches to be used again.
    spare: Vec<Batch<'a>>,
}

/// The side of the thread that looks.
pub(super) struct Looker<'a> {
    summariser: &'a mut dyn Summariser,
    /// To which goes what messages say of the cluster.
    cluster: &'a Mutex<Arc<Cluster>>,
    names: Interner<str>,
    topics: Interner<[NameId]>,
    errors: Interner<[i16]>,
    /// The client id that was met last, most likely the next one as well.
    client_id: u32,
    /// The set of topics of the last message that had any.
    last_topics: u32,
    facts: Facts,
    ids: Vec<NameId>,
    scratch: Vec<u8>,
}

/// From this length on a message is not put together where that can be helped.
const LONG: usize = 8 << 10;

/// What a message needs beyond this is given back once the next one is put together.
const KEPT_SCRATCH: usize = 4 << 20;

impl<'a> Desk<'a> {
    /// Nothing was asked yet; who answers is in the crew.
    pub(super) fn new(crew: Arc<Crew<'a>>) -> Desk<'a> {
        Desk {
            crew,
            next: Batch::default(),
            n_under_way: 0,
            spare: Vec::new(),
        }
    }

    /// Asks what is in the message of `row`, whose bytes lie in one packet.
    #[inline]
    pub(super) fn ask_whole(
        &mut self,
        row: u32,
        question: Question,
        bytes: &'a [u8],
        take: impl FnMut(Answers),
    ) {
        self.add(row, question, Bytes::Whole(bytes), bytes.len(), take);
    }

    /// Asks what is in the message of `row` that these pieces are.
    pub(super) fn ask(
        &mut self,
        row: u32,
        question: Question,
        pieces: impl Iterator<Item = &'a [u8]>,
        take: impl FnMut(Answers),
    ) {
        let all = &mut self.next.pieces;
        let before = all.len();
        all.extend(pieces);
        let new = all.get(before..).unwrap_or_default();
        let n_bytes = new.iter().map(|piece| piece.len()).sum();
        let bytes = Bytes::Pieces(new.len());
        self.add(row, question, bytes, n_bytes, take);
    }

    #[inline]
    fn add(
        &mut self,
        row: u32,
        question: Question,
        bytes: Bytes<'a>,
        n_bytes: usize,
        take: impl FnMut(Answers),
    ) {
        let batch = &mut self.next;
        batch.n_bytes += n_bytes;
        batch.tasks.push(Task {
            row,
            question,
            bytes,
        });
        if batch.tasks.len() >= MESSAGES || batch.n_bytes >= BYTES {
            self.send(take);
        }
    }

    #[inline(never)]
    fn send(&mut self, mut take: impl FnMut(Answers)) {
        while self.n_under_way >= UNDER_WAY {
            let Some(answers) = self.crew.wait_looked() else {
                return;
            };
            take(self.back_again(answers));
        }
        let spare = self.spare.pop().unwrap_or_default();
        let batch = std::mem::replace(&mut self.next, spare);
        self.crew.look_into(batch);
        self.n_under_way += 1;
    }

    fn back_again(&mut self, (answers, batch): (Answers, Batch<'a>)) -> Answers {
        self.n_under_way -= 1;
        self.spare.push(batch);
        answers
    }

    /// Sends what was asked, however little it is, and takes the answers that are there.
    pub(super) fn collect(&mut self, mut take: impl FnMut(Answers)) {
        if !self.next.tasks.is_empty() {
            self.send(&mut take);
        }
        while let Some(answers) = self.crew.looked() {
            take(self.back_again(answers));
        }
    }

    /// Takes the answers to all that was asked.
    pub(super) fn wait(&mut self, mut take: impl FnMut(Answers)) {
        if !self.next.tasks.is_empty() {
            self.send(&mut take);
        }
        while self.n_under_way > 0 {
            let Some(answers) = self.crew.wait_looked() else {
                return;
            };
            take(self.back_again(answers));
        }
    }
}

impl<'a> Looker<'a> {
    /// Has messages looked into by `summariser`; what they say of the cluster goes to `cluster`.
    pub(super) fn new(
        summariser: &'a mut dyn Summariser,
        cluster: &'a Mutex<Arc<Cluster>>,
    ) -> Looker<'a> {
        Looker {
            summariser,
            cluster,
            names: Interner::default(),
            topics: Interner::default(),
            errors: Interner::default(),
            client_id: 0,
            last_topics: 0,
            facts: Facts::default(),
            ids: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// Answers what the messages of a batch ask, and empties it.
    pub(super) fn look(&mut self, batch: &mut Batch<'_>) -> Answers {
        let (names, topics, errors) = (self.names.len(), self.topics.len(), self.errors.len());
        let mut answers = Answers::default();
        let mut pieces = batch.pieces.as_slice();
        for task in &batch.tasks {
            let client_id = match task.bytes {
                Bytes::Whole(bytes) => self.look_at(&task.question, bytes),
                Bytes::Pieces(n) => {
                    let (these, rest) = pieces.split_at_checked(n).unwrap_or((pieces, &[]));
                    pieces = rest;
                    self.look_at_pieces(&task.question, Pieces::new(these))
                }
            };
            learn(self.cluster, &self.facts);
            answers.answers.push(Answer {
                row: task.row,
                client_id,
                topics: self.topics(),
                errors: match self.facts.errors() {
                    [] => 0,
                    errors => self.errors.number(errors) + 1,
                },
                records: self.facts.records,
                throttle_ms: self.facts.throttle_ms,
                problems: self.facts.problems,
                topics_cut: self.facts.topics_cut(),
            });
        }
        batch.tasks.clear();
        batch.pieces.clear();
        batch.n_bytes = 0;
        answers.names.extend(self.names.since(names));
        answers.topics.extend(self.topics.since(topics));
        answers.errors.extend(self.errors.since(errors));
        answers
    }

    /// Finds the facts of a message; returns one more than the number of the client id that it has.
    fn look_at(&mut self, question: &Question, bytes: &[u8]) -> u32 {
        self.facts.clear();
        match question {
            Question::Request(head) => {
                self.summariser.request(head, bytes, &mut self.facts);
                self.client_id(head, bytes)
            }
            &Question::Response { api_key, version } => {
                self.summariser
                    .response(api_key, version, bytes, &mut self.facts);
                0
            }
            Question::Orphan => {
                self.summariser.orphan(bytes, &mut self.facts);
                0
            }
        }
    }

    /// The same of one in pieces, which is put together if that has to be.
    fn look_at_pieces(&mut self, question: &Question, pieces: Pieces<'_>) -> u32 {
        let mut scratch = std::mem::take(&mut self.scratch);
        let client_id = match question {
            Question::Request(head) if self.is_seen(question, pieces) => {
                let front = { pieces }.take(head.body_at as usize);
                put_together(&mut scratch, front.unwrap_or(pieces));
                self.client_id(head, &scratch)
            }
            Question::Response { .. } if self.is_seen(question, pieces) => 0,
            _ => {
                put_together(&mut scratch, pieces);
                self.look_at(question, &scratch)
            }
        };
        self.scratch = scratch;
        client_id
    }

    /// Finds the facts of a message that need not be put together; `false` if it has to be, which
    /// takes less than to find out where it is short.
    fn is_seen(&mut self, question: &Question, pieces: Pieces<'_>) -> bool {
        self.facts.clear();
        let (summariser, facts) = (&mut self.summariser, &mut self.facts);
        pieces.len() >= LONG
            && match question {
                Question::Request(head) => summariser.request_in_pieces(head, pieces, facts),
                &Question::Response { api_key, version } => {
                    summariser.response_in_pieces(api_key, version, pieces, facts)
                }
                Question::Orphan => false,
            }
    }

    /// One more than the number of the client id of a request.
    fn client_id(&mut self, head: &RequestHead, bytes: &[u8]) -> u32 {
        let Some(name) = head.client_id(bytes) else {
            return 0;
        };
        self.client_id = number(&mut self.names, name, self.client_id);
        self.client_id
    }

    /// One more than the number of the set of topics that the facts have.
    fn topics(&mut self) -> u32 {
        if self.facts.n_topics() == 0 {
            return 0;
        }
        let last = self.last_topics.checked_sub(1);
        let last = last
            .and_then(|set| self.topics.value(set))
            .unwrap_or_default();
        let names = last.iter().map(|id| self.names.value(id.0));
        if names.eq(self.facts.topics().map(Some)) {
            return self.last_topics;
        }
        self.ids.clear();
        for name in self.facts.topics() {
            self.ids.push(NameId(self.names.number(name)));
        }
        self.last_topics = self.topics.number(&self.ids[..]) + 1;
        self.last_topics
    }
}

fn put_together(scratch: &mut Vec<u8>, pieces: Pieces<'_>) {
    if scratch.capacity() > KEPT_SCRATCH {
        *scratch = Vec::new();
    }
    scratch.clear();
    for piece in pieces.slices() {
        scratch.extend_from_slice(piece);
    }
}

/// One more than the number of a client id.
fn number(names: &mut Interner<str>, name: &[u8], last: u32) -> u32 {
    let before = last.checked_sub(1).and_then(|id| names.value(id));
    if before.is_some_and(|before| before.as_bytes() == name) {
        return last;
    }
    names.number(&*String::from_utf8_lossy(name)) + 1
}

/// Keeps what a message said of the cluster.
fn learn(cluster: &Mutex<Arc<Cluster>>, facts: &Facts) {
    let names = facts.names();
    if names.len() > 0 {
        let mut cluster = cluster.lock().unwrap_or_else(PoisonError::into_inner);
        let cluster = Arc::make_mut(&mut cluster);
        names.for_each(|fact| cluster.learn(fact));
    }
}
