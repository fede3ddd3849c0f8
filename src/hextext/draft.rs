//! A reading under construction: bytes with offsets in the cleaned text instead of places.
//!
//! The readers of the notations write [`Sketch`]es and [`Damage`]; places are looked up for the
//! few sketches that are kept. Invariant: a draft has as many offsets as bytes.

use std::ops::Range;

use super::clean::Text;
use super::reading::{Candidate, Family, Hole, Note, Part, Refusal, Remark};

/// One part of a sketch.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    pub(super) bytes: Vec<u8>,
    pub(super) at: Vec<usize>,
    /// (index of the byte behind it, how many are missing, offset in the text).
    pub(super) holes: Vec<(usize, Option<u64>, usize)>,
    pub(super) label: Option<Range<usize>>,
    /// Indexes of bytes that a blank line stands before.
    pub(super) breaks: Vec<usize>,
}

impl Draft {
    pub(super) fn push(&mut self, byte: u8, at: usize) {
        self.bytes.push(byte);
        self.at.push(at);
    }

    pub(super) fn hole(&mut self, len: Option<u64>, at: usize) {
        self.holes.push((self.bytes.len(), len, at));
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.bytes.truncate(len);
        self.at.truncate(len);
        self.holes.retain(|hole| hole.0 <= len);
    }

    /// Whether the first four bytes are the size of the others.
    pub(super) fn is_frame(&self) -> bool {
        let size = self.bytes.first_chunk().copied().map(u32::from_be_bytes);
        size.is_some_and(|size| usize::try_from(size) == Ok(self.bytes.len() - 4))
    }

    /// Cuts the draft at its breaks if every piece is a whole frame (its first four bytes are its
    /// length): only then is it certain that a blank line parts messages and not fields.
    pub(super) fn frames(self) -> Vec<Draft> {
        let mut cuts = self.breaks.clone();
        cuts.dedup();
        cuts.retain(|&cut| cut > 0 && cut < self.bytes.len());
        if cuts.is_empty() || !self.holes.is_empty() {
            return vec![self];
        }
        cuts.push(self.bytes.len());
        let mut from = 0;
        let mut pieces = Vec::with_capacity(cuts.len());
        for cut in cuts {
            let bytes = self.bytes.get(from..cut).unwrap_or_default();
            let Some((size, rest)) = bytes.split_first_chunk::<4>() else {
                return vec![self];
            };
            if u32::from_be_bytes(*size) as usize != rest.len() {
                return vec![self];
            }
            pieces.push(Draft {
                bytes: bytes.to_vec(),
                at: self.at.get(from..cut).unwrap_or_default().to_vec(),
                label: self.label.clone().filter(|_| from == 0),
                ..Draft::default()
            });
            from = cut;
        }
        pieces
    }
}

/// A reading that was found.
#[derive(Clone, Debug)]
pub(super) struct Sketch {
    pub(super) family: Family,
    pub(super) notation: &'static str,
    pub(super) confidence: u8,
    pub(super) why: String,
    pub(super) parts: Vec<Draft>,
    pub(super) remarks: Vec<(usize, String)>,
    /// Comments, ascending.
    pub(super) comments: Vec<Range<usize>>,
}

impl Sketch {
    pub(super) fn len(&self) -> usize {
        self.parts.iter().map(|part| part.bytes.len()).sum()
    }

    pub(super) fn same_bytes(&self, other: &Sketch) -> bool {
        self.len() == other.len()
            && self
                .parts
                .iter()
                .flat_map(|part| &part.bytes)
                .eq(other.parts.iter().flat_map(|part| &part.bytes))
    }

    /// Looks the places up.
    pub(super) fn resolve(self, text: &Text) -> Candidate {
        let mut parts: Vec<Part> = Vec::with_capacity(self.parts.len());
        let comments = spread(&self.parts, &self.comments, text.bytes());
        // One locator for each kind of place, since each kind rises through all parts.
        let mut of_bytes = text.locator();
        let mut of_holes = text.locator();
        let mut of_notes = text.locator();
        for (draft, notes) in self.parts.into_iter().zip(comments) {
            let places = draft.at.iter().map(|&at| of_bytes.place(at)).collect();
            let holes = draft
                .holes
                .iter()
                .map(|&(at, len, offset)| Hole {
                    at,
                    len,
                    place: of_holes.place(offset),
                })
                .collect();
            let notes = notes
                .into_iter()
                .map(|(bytes, range)| Note {
                    at: bytes.start,
                    end: bytes.end,
                    text: words(text.bytes(), &range),
                    place: of_notes.place(range.start),
                })
                .filter(|note| !note.text.is_empty())
                .collect();
            parts.push(Part {
                label: draft
                    .label
                    .map(|range| words(text.bytes(), &range))
                    .filter(|label| !label.is_empty()),
                way: None,
                bytes: draft.bytes,
                places,
                holes,
                notes,
            });
        }
        let mut locator = text.locator();
        Candidate {
            family: self.family,
            notation: self.notation,
            confidence: self.confidence,
            why: self.why,
            parts,
            remarks: self
                .remarks
                .into_iter()
                .map(|(at, text)| Remark {
                    place: locator.place(at),
                    text,
                })
                .collect(),
        }
    }
}

type Beside = (Range<usize>, Range<usize>);

/// Gives each comment to the part whose bytes stand on its line, or to the one that it heads.
fn spread(parts: &[Draft], comments: &[Range<usize>], text: &[u8]) -> Vec<Vec<Beside>> {
    let mut given: Vec<Vec<Beside>> = parts.iter().map(|_| Vec::new()).collect();
    let mut part_idx = 0;
    let mut line = 0;
    let mut seen = 0;
    for comment in comments {
        // From the comment before on: a line may be the whole paste, and have many comments.
        let between = text.get(seen..comment.start).unwrap_or_default();
        line = memchr::memrchr(b'\n', between).map_or(line, |at| seen + at + 1);
        seen = comment.start;
        // The first part that has a byte on this line or behind it.
        while part_idx + 1 < parts.len()
            && parts
                .get(part_idx)
                .and_then(|part| part.at.last())
                .is_some_and(|&last| last < line)
        {
            part_idx += 1;
        }
        if let (Some(part), Some(notes)) = (parts.get(part_idx), given.get_mut(part_idx)) {
            let from = part.at.partition_point(|&at| at < line);
            let to = part.at.partition_point(|&at| at < comment.start);
            notes.push((from..to.max(from), comment.clone()));
        }
    }
    given
}

/// The text of a label or comment, without its marks.
fn words(text: &[u8], range: &Range<usize>) -> String {
    let bytes = text.get(range.clone()).unwrap_or_default();
    let all = String::from_utf8_lossy(bytes.get(..bytes.len().min(400)).unwrap_or_default());
    all.trim()
        .trim_start_matches(['/', '#', '*', '%', ';', '-', '<', '=', '|'])
        .trim_end_matches("*/")
        .trim()
        .trim_end_matches(['$', '>', '|'])
        .trim()
        .to_owned()
}

/// Text that looks like a notation but breaks its rules.
#[derive(Clone, Debug)]
pub(super) struct Damage {
    pub(super) at: usize,
    /// 0 to 100: how sure it is that the notation was meant at all.
    pub(super) confidence: u8,
    pub(super) found: String,
    pub(super) expected: String,
}

impl Damage {
    pub(super) fn resolve(self, text: &Text) -> Refusal {
        Refusal {
            place: text.locator().place(self.at),
            found: self.found,
            expected: self.expected,
        }
    }
}

/// What the readers of all notations found.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) sketches: Vec<Sketch>,
    pub(super) damages: Vec<Damage>,
}

impl Findings {
    /// The greatest confidence of anything found.
    pub(super) fn confidence(&self) -> u8 {
        let sketches = self.sketches.iter().map(|sketch| sketch.confidence);
        let damages = self.damages.iter().map(|damage| damage.confidence);
        sketches.chain(damages).max().unwrap_or(0)
    }

    /// Keeps a sketch that has bytes.
    pub(super) fn add(&mut self, mut sketch: Sketch) {
        sketch.parts.retain(|part| !part.bytes.is_empty());
        if !sketch.parts.is_empty() {
            self.sketches.push(sketch);
        }
    }
}
