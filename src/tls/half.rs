//! One direction of a connection: bytes in pieces and holes in, whole records out.

use std::ops::Range;

use super::epoch::Epoch;
use super::handshake::Messages;
use super::limits;
use super::record::{ContentType, Header};

/// What one end sends.
#[derive(Default)]
pub(super) struct Half {
    /// What has come of the next record, or while that is searched for, what may hold it.
    buffer: Vec<u8>,
    /// Offset of the buffer's first byte in the stream.
    at: u64,
    step: Step,
    /// A part of the buffer is a hole, filled with zeros.
    has_hole: bool,
    pub(super) messages: Messages,
    /// The keys that are in use; `None` while records are in clear.
    pub(super) epoch: Option<Epoch>,
    pub(super) loss: Loss,
    /// Offset behind the last record that was opened.
    pub(super) opened_to: u64,
    /// Application data has come out.
    pub(super) has_data: bool,
    /// Records in a row that could not be opened.
    pub(super) n_failed: u32,
    /// Nothing of what comes can be read.
    pub(super) ended: bool,
    /// What is in the buffer waits for the hello of the other end.
    pub(super) waits: bool,
    pub(super) patience: Patience,
}

/// Whether records wait for the hello of the other end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Patience {
    /// If they have to.
    #[default]
    Some,
    /// They have waited, until it came or could come no more.
    Over,
    /// They have waited, until too much did.
    Lost,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Step {
    /// The buffer starts with a record.
    #[default]
    Boundary,
    /// A record starts somewhere.
    Search,
}

/// Records that are missing since the last one that was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Loss {
    /// So many at least.
    pub(super) sure: u64,
    /// And at most so many more.
    pub(super) possible: u64,
}

/// The next thing in the buffer.
pub(super) enum Next<'a> {
    /// The record that has to be there.
    Record(Whole<'a>),
    /// What looks like a record, in a search.
    Candidate(Whole<'a>),
    /// A record of which bytes are missing.
    Damaged { kind: ContentType, len: usize },
    /// So many bytes that no record starts in; `lost_step` if a record had to.
    Noise { len: usize, lost_step: bool },
    /// Nothing before more bytes come.
    Wait,
}

/// A record of which everything is there.
#[derive(Clone, Copy)]
pub(super) struct Whole<'a> {
    pub(super) header: Header,
    pub(super) fragment: &'a [u8],
}

impl Whole<'_> {
    pub(super) fn len(&self) -> usize {
        Header::LEN + self.fragment.len()
    }
}

impl Half {
    /// Takes the buffer out, to be looked at while the rest of the half changes.
    pub(super) fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.buffer)
    }

    /// Puts the buffer back without its first `n` bytes, which were passed.
    pub(super) fn put_back(&mut self, mut buffer: Vec<u8>, n: usize) {
        buffer.drain(..n.min(buffer.len()));
        self.buffer = buffer;
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// Offset of the next byte that was not passed.
    pub(super) fn at(&self) -> u64 {
        self.at
    }

    /// Nothing of it was passed or is missing.
    pub(super) fn is_at_start(&self) -> bool {
        self.at == 0 && self.step == Step::Boundary && !self.has_hole
    }

    /// Whether records may be missing, or are closed, behind the last one that was opened.
    pub(super) fn is_untold(&self) -> bool {
        self.loss != Loss::default() || self.has_hole || self.ended
    }

    /// Moves over `n` bytes of the buffer; where the next record starts, unless a search goes on.
    pub(super) fn pass(&mut self, n: usize) -> Range<u64> {
        let from = self.at;
        self.at += n as u64;
        from..self.at
    }

    /// The next bytes start a record.
    pub(super) fn found(&mut self) {
        self.step = Step::Boundary;
        self.has_hole = false;
    }

    /// Nobody knows where the next record starts.
    pub(super) fn search(&mut self) {
        self.step = Step::Search;
        self.has_hole = false;
        self.messages.forget();
    }

    /// The next `len` bytes of the stream are missing.
    pub(super) fn lost(&mut self, len: u64) {
        if self.step == Step::Boundary
            && let Some(header) = Header::read(&self.buffer)
        {
            let missing = (Header::LEN + header.len).saturating_sub(self.buffer.len()) as u64;
            if len <= missing {
                self.buffer.resize(self.buffer.len() + len as usize, 0);
                self.has_hole = true;
                return;
            }
        }
        self.loss.possible = self
            .loss
            .possible
            .saturating_add(len / limits::MIN_RECORD)
            .saturating_add(2);
        self.at = self.at.saturating_add(self.buffer.len() as u64);
        self.at = self.at.saturating_add(len);
        self.buffer.clear();
        self.search();
    }

    /// What is next in `rest`, which is what of the buffer was not passed.
    pub(super) fn next<'a>(&self, rest: &'a [u8]) -> Next<'a> {
        match self.step {
            Step::Boundary => self.boundary(rest),
            Step::Search => search(rest),
        }
    }

    fn boundary<'a>(&self, rest: &'a [u8]) -> Next<'a> {
        if rest.len() < Header::LEN {
            return Next::Wait;
        }
        let Some(header) = Header::read(rest) else {
            return Next::Noise {
                len: 0,
                lost_step: true,
            };
        };
        let len = Header::LEN + header.len;
        match rest.get(Header::LEN..len) {
            None => Next::Wait,
            Some(_) if self.has_hole => Next::Damaged {
                kind: header.kind,
                len,
            },
            Some(fragment) => Next::Record(Whole { header, fragment }),
        }
    }
}

/// The first place where a record may start.
fn search(rest: &[u8]) -> Next<'_> {
    // Since TLS 1.2 every record but the first carries this version.
    const VERSION: u16 = 0x0303;
    let start = rest
        .windows(Header::LEN)
        .position(|bytes| Header::read(bytes).is_some_and(|header| header.version == VERSION));
    let Some(at) = start else {
        // The last bytes may start a header.
        let len = rest.len().saturating_sub(Header::LEN - 1);
        return match len {
            0 => Next::Wait,
            len => Next::Noise {
                len,
                lost_step: false,
            },
        };
    };
    if at > 0 {
        return Next::Noise {
            len: at,
            lost_step: false,
        };
    }
    let Some(header) = Header::read(rest) else {
        return Next::Wait;
    };
    match rest.get(Header::LEN..Header::LEN + header.len) {
        Some(fragment) => Next::Candidate(Whole { header, fragment }),
        None => Next::Wait,
    }
}
