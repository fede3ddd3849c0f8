//! Findings under construction: the same kind and subject again is counted, and the first places
//! are kept.

use std::collections::HashMap;

use super::{Severity, clients::Removed};

/// The kinds of findings. Their names are part of the JSON contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// An input is damaged.
    Capture,
    /// Bytes that one end sent are not in the capture.
    Gap,
    /// The capture holds the heads of packets only.
    SnapCut,
    /// A retransmission brought other bytes than the first copy.
    Conflict,
    /// The boundary of messages was lost.
    LostFraming,
    /// Bytes were let go before it could be told what they are.
    GivenUp,
    /// More of the kinds above than are kept.
    Unlisted,
    /// A connection to a port of Kafka that is none.
    NotKafka,
    /// A connection that a proxy makes for somebody else.
    Proxied,
    /// TLS that ends with an alert, or that cannot be decrypted although there are secrets.
    Tls,
    /// A message that is not what the protocol says.
    Malformed,
    /// A checksum that does not fit its bytes.
    Checksum,
    /// Against the protocol, but readable.
    Irregular,
    /// A message of which bytes are missing.
    Incomplete,
    /// An API key that no definition has.
    UnknownApi,
    /// A version that its API never had.
    UnknownVersion,
    /// A version that Kafka 4 does not speak any more.
    RemovedVersion,
    /// A request without the answer that it asks for.
    Unanswered,
    /// A response that no captured request asked for.
    UnexpectedResponse,
    /// An answer that took long.
    Slow,
    /// An answer with an error code.
    ErrorResponse,
    /// Offsets of a log segment that do not rise.
    OffsetOrder,
    /// Offsets of a log segment that are in no batch.
    OffsetGap,
}

impl Kind {
    /// The name in outputs.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Capture => "capture",
            Kind::Gap => "gap",
            Kind::SnapCut => "snap-cut",
            Kind::Conflict => "conflict",
            Kind::LostFraming => "lost-framing",
            Kind::GivenUp => "given-up",
            Kind::Unlisted => "unlisted",
            Kind::NotKafka => "not-kafka",
            Kind::Proxied => "proxied",
            Kind::Tls => "tls",
            Kind::Malformed => "malformed",
            Kind::Checksum => "checksum",
            Kind::Irregular => "irregular",
            Kind::Incomplete => "incomplete",
            Kind::UnknownApi => "unknown-api",
            Kind::UnknownVersion => "unknown-version",
            Kind::RemovedVersion => "removed-version",
            Kind::Unanswered => "unanswered",
            Kind::UnexpectedResponse => "unexpected-response",
            Kind::Slow => "slow",
            Kind::ErrorResponse => "error-response",
            Kind::OffsetOrder => "offset-order",
            Kind::OffsetGap => "offset-gap",
        }
    }
}

/// How many occurrences of a finding are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    First(usize),
    All,
}

/// Something that is wrong, as often as it was met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub severity: Severity,
    pub kind: Kind,
    /// What it is about: an API, a client, an end of a connection.
    pub subject: String,
    /// What is wrong, in words that hold for all occurrences, or for the first.
    pub detail: String,
    pub count: u64,
    /// The first of them.
    pub occurrences: Vec<Occurrence>,
    /// Of [`Kind::RemovedVersion`], what the words say for programs.
    pub removed: Option<Removed>,
}

/// Where a finding was met.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Occurrence {
    /// The exchange, and the connection, where there is one; both count from 1.
    pub n: Option<u32>,
    pub connection: Option<u32>,
    /// The batch of a log segment, which counts from 1.
    pub batch: Option<u64>,
    /// Nanoseconds since 1970.
    pub time: Option<i64>,
    /// What is to be said of this one alone; may be empty.
    pub detail: String,
}

/// All findings so far.
#[derive(Debug)]
pub(super) struct Findings {
    extent: Extent,
    found: Vec<Finding>,
    known: HashMap<Key, usize>,
}

/// What findings are told apart by: severity, kind, subject, and what is wrong with it where that
/// can be one of several things.
pub(super) type Key = (Severity, Kind, String, &'static str);

impl Findings {
    pub(super) fn new(extent: Extent) -> Findings {
        Findings {
            extent,
            found: Vec::new(),
            known: HashMap::new(),
        }
    }

    /// Adds an occurrence; `detail` is asked for the first one of its kind and subject.
    pub(super) fn add(
        &mut self,
        severity: Severity,
        kind: Kind,
        subject: String,
        occurrence: Occurrence,
        detail: impl FnOnce() -> String,
    ) {
        self.add_as((severity, kind, subject, ""), occurrence, detail);
    }

    /// The same of a kind whose subjects can have several things wrong with them: `what` is the
    /// detail.
    pub(super) fn add_one_of(
        &mut self,
        severity: Severity,
        kind: Kind,
        subject: String,
        occurrence: Occurrence,
        what: &'static str,
    ) {
        let detail = || what.to_owned();
        self.add_as((severity, kind, subject, what), occurrence, detail);
    }

    fn add_as(&mut self, key: Key, occurrence: Occurrence, detail: impl FnOnce() -> String) {
        let (severity, kind, ..) = key;
        let at = match self.known.get(&key) {
            Some(&at) => at,
            None => {
                self.found.push(Finding {
                    severity,
                    kind,
                    subject: key.2.clone(),
                    detail: detail(),
                    count: 0,
                    occurrences: Vec::new(),
                    removed: None,
                });
                self.known.insert(key, self.found.len() - 1);
                self.found.len() - 1
            }
        };
        let Some(finding) = self.found.get_mut(at) else {
            return;
        };
        finding.count += 1;
        let has_room = match self.extent {
            Extent::All => true,
            Extent::First(most) => finding.occurrences.len() < most,
        };
        if has_room {
            finding.occurrences.push(occurrence);
        }
    }

    /// Adds to a finding of removed versions which these are and who uses them.
    pub(super) fn tell_removed(&mut self, key: Key, removed: Removed) {
        let at = self.known.get(&key);
        if let Some(finding) = at.and_then(|&at| self.found.get_mut(at)) {
            finding.removed = Some(removed);
        }
    }

    /// Whether there is one of this kind and subject already.
    pub(super) fn has(&self, severity: Severity, kind: Kind, subject: &str) -> bool {
        self.known
            .contains_key(&(severity, kind, subject.into(), ""))
    }

    /// All findings, the worst first, then by kind and by how often they were met.
    pub(super) fn finish(mut self) -> Vec<Finding> {
        self.found.sort_by(|a, b| {
            let order = |finding: &Finding| (std::cmp::Reverse(finding.severity), finding.kind);
            order(a)
                .cmp(&order(b))
                .then(b.count.cmp(&a.count))
                .then(a.subject.cmp(&b.subject))
        });
        self.found
    }
}
