//! The bytes went through something that takes them for text: a file opened in text mode, a decoder
//! of UTF-8, a string in between. Each is undone, and what comes out must be the message.

use super::{Case, Repair, Subject};
use crate::{
    decode::Framing,
    wire::{BufferId, Span},
};

/// What it costs, beside the strangeness of the values.
const COST: u32 = 4;

/// The same where only the length of the message speaks for it.
const BY_LENGTH: u32 = 12;

/// The same where nothing does but U+FFFD, which messages do not have twice.
const BY_LOOKS: u32 = 20;

/// Longer messages are not undone to see.
const MOST: usize = 1 << 22;

/// U+FFFD in UTF-8.
const REPLACEMENT: &[u8] = b"\xef\xbf\xbd";

/// What may stand for a byte that is lost: null has it, and no smaller value.
const LOST: u8 = 0xff;

/// What text makes of bytes.
struct Damage {
    /// Bytes that stand where the message had one.
    len: usize,
    /// Where they do.
    places: Vec<usize>,
    /// The message as it was, as far as that can be told.
    before: Vec<u8>,
    text: &'static str,
    /// What was there is known.
    is_known: bool,
}

impl Case<'_> {
    /// The likeliest damage that was done to the bytes on their way.
    pub(super) fn transfer(&self) -> Option<Repair> {
        let bytes = Some(self.bytes).filter(|bytes| bytes.len() <= MOST)?;
        [line_feeds, latin_1, replaced, ascii]
            .into_iter()
            .filter_map(|undo| undo(bytes))
            .find_map(|damage| self.repair(&damage))
    }

    fn repair(&self, damage: &Damage) -> Option<Repair> {
        let cost = match self.fitness(&damage.before) {
            Some(odd) => COST + odd,
            None if damage.is_known || damage.len == 1 => return None,
            None if is_sized(&damage.before) => BY_LENGTH,
            None if damage.places.len() > 1 => BY_LOOKS,
            None => return None,
        };
        let first = damage.places.first().copied()?;
        let n_places = match damage.places.len() {
            1 => "1 place".to_owned(),
            n => format!("{n} places"),
        };
        Some(Repair {
            span: Span::new(BufferId::FRAME, first, first + damage.len),
            message: format!("{}, at {n_places}", damage.text),
            cost,
        })
    }

    /// How strange the values of the message are that `before` is, by its size if it has one.
    fn fitness(&self, before: &[u8]) -> Option<u32> {
        let framings = [Framing::Sized, Framing::Bare];
        let subjects = framings.map(|framing| match self.subject {
            Subject::Message(claim, _) => Subject::Message(claim, framing),
            structure => structure,
        });
        subjects.into_iter().find_map(|subject| {
            let case = Case::new(self.catalogue, subject, before);
            let is_right = case.fits() && (case.start == 0 || may_be_sized(before));
            let plain = case.plain.as_ref().filter(|_| is_right)?;
            Some(plain.strangeness())
        })
    }
}

/// Whether the size is that of the bytes, as far as it is known.
fn may_be_sized(bytes: &[u8]) -> bool {
    let size = (bytes.len() as u32).saturating_sub(4).to_be_bytes();
    let mut digits = size.iter().zip(bytes);
    digits.all(|(right, digit)| digit == right || *digit == LOST && *right >= 0x80)
}

fn is_sized(bytes: &[u8]) -> bool {
    let size = bytes.first_chunk().copied().map(i32::from_be_bytes);
    size.is_some_and(|size| i64::from(size) == bytes.len() as i64 - 4)
}

/// Replaces what `undo` finds at the front of the rest: how many bytes, and the byte before.
fn undone(
    bytes: &[u8],
    len: usize,
    undo: impl Fn(&[u8]) -> Option<u8>,
) -> Option<(Vec<usize>, Vec<u8>)> {
    let mut places = Vec::new();
    let mut before = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(rest @ [first, ..]) = bytes.get(at..) {
        match undo(rest) {
            Some(byte) => {
                places.push(at);
                before.push(byte);
                at += len;
            }
            None => {
                before.push(*first);
                at += 1;
            }
        }
    }
    (!places.is_empty()).then_some((places, before))
}

/// A carriage return in front of each line feed.
fn line_feeds(bytes: &[u8]) -> Option<Damage> {
    let (places, before) = undone(bytes, 2, |rest| rest.starts_with(b"\r\n").then_some(b'\n'))?;
    let n_line_feeds = memchr::memchr_iter(b'\n', bytes).count();
    (n_line_feeds == places.len()).then_some(Damage {
        len: 2,
        places,
        before,
        text: "a line feed (0a) has become carriage return and line feed (0d 0a), as files opened \
               in text mode make of it",
        is_known: true,
    })
}

/// Each byte from 80 on as a character of UTF-8.
fn latin_1(bytes: &[u8]) -> Option<Damage> {
    std::str::from_utf8(bytes).ok()?;
    let (places, before) = undone(bytes, 2, |rest| match rest {
        [high @ 0xc2..=0xc3, low @ 0x80..=0xbf, ..] => Some(high << 6 | low & 0x3f),
        _ => None,
    })?;
    Some(Damage {
        len: 2,
        places,
        before,
        text: "a byte from 80 on has become two, as UTF-8 has the character of that number (c3 bf \
               for ff): the bytes were written as text",
        is_known: true,
    })
}

/// U+FFFD for each byte that is no UTF-8.
fn replaced(bytes: &[u8]) -> Option<Damage> {
    let (places, before) = undone(bytes, REPLACEMENT.len(), |rest| {
        rest.starts_with(REPLACEMENT).then_some(LOST)
    })?;
    Some(Damage {
        len: REPLACEMENT.len(),
        places,
        before,
        text: "ef bf bd (U+FFFD) stands for a byte from 80 on: the bytes were decoded as UTF-8 \
               text, and what they were is lost",
        is_known: false,
    })
}

/// A question mark for each byte that is no ASCII.
fn ascii(bytes: &[u8]) -> Option<Damage> {
    if !bytes.is_ascii() {
        return None;
    }
    let (places, before) = undone(bytes, 1, |rest| rest.starts_with(b"?").then_some(LOST))?;
    Some(Damage {
        len: 1,
        places,
        before,
        text: "3f (`?`) stands for a byte from 80 on: the bytes were decoded or written as ASCII \
               text, and what they were is lost",
        is_known: false,
    })
}
