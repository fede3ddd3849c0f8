//! Hex digits without quotes: a stream, pairs, groups, one field a line with notes beside it.
//!
//! In: scanned text. Out: one sketch, or the damage that keeps it from being one. Lines of hex run
//! together until words come between; the words are the label of what follows. Among words, only
//! digits that can hardly be anything else count.

use std::ops::Range;

use super::draft::{Damage, Draft, Findings, Sketch};
use super::hex::{self, Cell};
use super::hexline::{Entry, Line, Lines};
use super::reading::Family;
use super::scan::hex_value;
use super::scan::{Scan, slice};

/// What `od -t a` prints of two bytes of the start of any message.
const NAMED_NULS: &[u8] = b" nul nul";

/// Most remarks about one kind of thing.
const MOST_REMARKS: usize = 3;

/// Looks for plain hex.
pub(super) fn find(scan: &Scan, found: &mut Findings) {
    if let Some(at) = memchr::memmem::find(&scan.code, NAMED_NULS) {
        return found.damages.push(named_characters(at + 1));
    }
    let lines = Lines::of(&scan.code);
    let pure = [lines.words, lines.labelled, lines.notes.len(), lines.left] == [0; 4];
    if let Some(damage) = lines.damage {
        found.damages.push(damage);
        return;
    }
    // Notes beside bytes are no reason to doubt the bytes; lines of words are.
    let mostly = lines.leading >= lines.words;
    let fields = lines.are_fields(&scan.code);
    let layout = match fields {
        true => Layout::Fields,
        false => Layout::Runs,
    };
    let wanted = |entry: &Entry| pure || fields || entry.strong || (entry.leads && mostly);
    let mut groups = group(&lines, layout, wanted);
    drop_numbers(&mut groups);
    let mut shape = Shape::default();
    for (_, cells) in &groups {
        shape.see(&scan.code, cells);
    }
    if let Some(sketch) = triples(scan, &groups) {
        return found.add(sketch);
    }
    let confidence = shape.judge(pure, lines.leading > 0 && mostly);
    if confidence == 0 {
        return;
    }
    let parts = match drafts(&scan.code, &groups, confidence.min(85)) {
        Ok(parts) => parts,
        Err(damage) => return found.damages.push(damage),
    };
    let mut comments = scan.comments.clone();
    comments.extend(lines.notes.iter().cloned());
    if fields {
        comments.extend(lines.labels(&scan.code));
    }
    comments.sort_by_key(|comment| comment.start);
    let bits = shape.is_bits().then(|| bits(&scan.code, &groups));
    let mut remarks = left(&lines, wanted);
    if shape.uneven && shape.longest <= 2 {
        remarks.extend(lone(&scan.code, &groups));
    }
    found.add(Sketch {
        family: Family::Hex,
        notation: shape.name(),
        confidence: if bits.is_some() { 60 } else { confidence },
        why: if pure {
            "hex digits and separators only".into()
        } else {
            "hex digits that stand out of the words around them".into()
        },
        parts,
        remarks,
        comments: comments.clone(),
    });
    if let Some(parts) = bits {
        found.add(Sketch {
            family: Family::Binary,
            notation: "binary digits",
            confidence: 75,
            why: "zeros and ones, eight a byte".into(),
            parts,
            remarks: Vec::new(),
            comments,
        });
    }
}

/// Bytes as names of characters, of which one bit each is lost.
fn named_characters(at: usize) -> Damage {
    Damage {
        at,
        confidence: 93,
        found: "names of characters as `od -t a` prints them, which are without the highest bit \
                of each byte"
            .into(),
        expected: "the bytes as `od -t x1` prints them".into(),
    }
}

/// Beside a message, one byte by itself is another number: the status of a command.
fn drop_numbers(groups: &mut Vec<Group<'_>>) {
    let n_digits = |group: &Group<'_>| {
        let widths = group.1.iter().map(|cell| match cell {
            Cell::Digits(range) => range.len(),
            _ => 0,
        });
        widths.sum::<usize>()
    };
    if groups.iter().any(|group| n_digits(group) >= 16) {
        groups.retain(|group| n_digits(group) > 2);
    }
}

/// The bytes of each part, with its label.
fn drafts(code: &[u8], groups: &[Group<'_>], confidence: u8) -> Result<Vec<Draft>, Damage> {
    let mut parts = Vec::new();
    for (label, cells) in groups {
        let mut draft = hex::join(code, cells.iter().copied(), confidence)?;
        draft.label = label.clone();
        parts.extend(draft.frames());
    }
    Ok(parts)
}

/// The groups as bytes of three digits each, if all are such.
fn triples(scan: &Scan, groups: &[Group<'_>]) -> Option<Sketch> {
    let bases = [
        (8, "octal bytes", "groups of three octal digits up to 377"),
        (
            10,
            "decimal bytes",
            "groups of three decimal digits up to 255",
        ),
    ];
    bases.into_iter().find_map(|(radix, notation, why)| {
        Some(Sketch {
            family: Family::Hex,
            notation,
            confidence: 91,
            why: why.into(),
            parts: triples_of(radix, &scan.code, groups)?,
            remarks: Vec::new(),
            comments: scan.comments.clone(),
        })
    })
}

/// What is said of digits that stand alone among pairs: a zero in front of them may be left out, or a
/// digit behind them lost.
fn lone(code: &[u8], groups: &[Group<'_>]) -> Option<(usize, String)> {
    let mut alone = groups
        .iter()
        .flat_map(|(_, cells)| cells)
        .filter_map(|cell| match cell {
            Cell::Digits(range) if range.len() == 1 => Some(range.start),
            _ => None,
        });
    let first = alone.next()?;
    let digit = String::from_utf8_lossy(slice(code, first..first + 1)).into_owned();
    let others = match alone.count() {
        0 => String::new(),
        n => format!(", and so are {n} more"),
    };
    Some((
        first,
        format!("the single digit `{digit}` is read as the byte 0{digit}{others}"),
    ))
}

/// What is said of digits that are taken for no bytes, though they look like some.
fn left(lines: &Lines, wanted: impl Fn(&Entry) -> bool) -> Vec<(usize, String)> {
    let mut remarks = Vec::new();
    for line in &lines.lines {
        let Line::Entry(entry) = line else { continue };
        let cells = lines.cells.get(entry.cells.clone()).unwrap_or_default();
        let pairs = cells
            .iter()
            .filter(|cell| matches!(cell, Cell::Digits(range) if range.len() == 2));
        if let (false, Some(Cell::Digits(first)), 2..) =
            (wanted(entry), cells.first(), pairs.count())
        {
            let text = "the digits here, among words, are not taken for bytes";
            remarks.push((first.start, text.to_owned()));
        }
    }
    remarks.truncate(MOST_REMARKS);
    remarks
}

type Group<'a> = (Option<Range<usize>>, Vec<&'a Cell>);

/// What words in front of digits are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// What the part behind them is called.
    Runs,
    /// The name of a field, among other fields of one part.
    Fields,
}

/// The cells of each part, with its label.
fn group(lines: &Lines, layout: Layout, wanted: impl Fn(&Entry) -> bool) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut label: Option<Range<usize>> = None;
    let mut open = false;
    for line in &lines.lines {
        match line {
            Line::Blank => {
                if let (true, Some((_, cells))) = (open, groups.last_mut()) {
                    cells.push(&Cell::Break);
                }
            }
            Line::Words(range) => {
                label = Some(range.clone());
                open = false;
            }
            Line::Entry(entry) if wanted(entry) => {
                let cells = lines.cells.get(entry.cells.clone()).unwrap_or_default();
                let own = entry.label.clone();
                let own = own.filter(|_| layout == Layout::Runs);
                match groups.last_mut() {
                    Some((_, last)) if open && own.is_none() => last.extend(cells),
                    _ => groups.push((own.or(label.take()), cells.iter().collect())),
                }
                open = true;
            }
            Line::Hole(cells) => {
                let cells = lines.cells.get(cells.clone()).unwrap_or_default();
                match groups.last_mut() {
                    Some((_, last)) if open => last.extend(cells),
                    _ => groups.push((label.take(), cells.iter().collect())),
                }
                open = true;
            }
            // Digits among words that are no bytes.
            Line::Entry(_) => open = false,
        }
    }
    groups
}

/// What the groups look like, to judge them by.
#[derive(Default)]
struct Shape {
    cells: usize,
    digits: usize,
    letters: bool,
    padded: bool,
    uneven: bool,
    width: Option<usize>,
    longest: usize,
    zeros: bool,
    not_bits: bool,
    uuid: bool,
}

impl Shape {
    fn see(&mut self, code: &[u8], cells: &[&Cell]) {
        let mut all_bits = true;
        for cell in cells {
            let Cell::Digits(range) = cell else { continue };
            let digits = slice(code, range.clone());
            self.zeros |= self.cells == 0 && digits.starts_with(b"00");
            self.cells += 1;
            self.digits += digits.len();
            self.letters |= digits.iter().any(|digit| digit.is_ascii_alphabetic());
            self.padded |= digits.len() > 1 && digits.first() == Some(&b'0');
            self.uneven |= self.width.is_some_and(|width| width != digits.len());
            self.width = Some(digits.len());
            self.longest = self.longest.max(digits.len());
            all_bits &= digits.len().is_multiple_of(8)
                && digits.iter().all(|digit| matches!(digit, b'0' | b'1'));
        }
        self.not_bits |= !all_bits;
        let owned: Vec<Cell> = cells.iter().take(6).map(|cell| (*cell).clone()).collect();
        self.uuid |= self.cells == 5 && hex::is_uuid(&owned);
    }

    fn judge(&self, pure: bool, annotated: bool) -> u8 {
        let hexlike = self.letters || self.padded;
        if self.cells == 0 {
            return 0;
        }
        if self.uuid {
            return 35;
        }
        if !hexlike && self.uneven && self.longest <= 3 {
            // 0 18 116: decimal. If no group has three digits it may still be hex.
            return if self.longest <= 2 { 35 } else { 0 };
        }
        if !hexlike && self.cells == 1 && self.longest > 2 {
            return if pure && self.digits.is_multiple_of(2) {
                30
            } else {
                0
            };
        }
        match self.digits {
            8.. if pure => 90,
            4.. if pure => 70,
            _ if pure => 45,
            // One byte among words is a digit of them.
            ..=2 => 0,
            16.. if self.zeros => 86,
            8.. if annotated => 84,
            _ if annotated && self.zeros => 84,
            16.. => 80,
            8.. => 65,
            _ => 40,
        }
    }

    fn is_bits(&self) -> bool {
        self.digits >= 24 && !self.not_bits
    }

    fn name(&self) -> &'static str {
        match (self.cells, self.width) {
            (1, _) => "hex stream",
            (_, Some(2)) if !self.uneven => "hex bytes",
            _ => "hex groups",
        }
    }
}

/// Fewest groups of three digits that are no accident.
const FEWEST_TRIPLES: usize = 12;

/// The groups as bytes of three digits each, as `od -An -b` prints them in octal, if all are such.
fn triples_of(radix: u32, code: &[u8], groups: &[Group<'_>]) -> Option<Vec<Draft>> {
    let mut parts = Vec::with_capacity(groups.len());
    let mut n_bytes = 0;
    for (label, cells) in groups {
        let mut draft = Draft {
            label: label.clone(),
            ..Draft::default()
        };
        for cell in cells {
            match cell {
                Cell::Digits(range) if range.len() == 3 => {
                    let digits = std::str::from_utf8(slice(code, range.clone())).ok()?;
                    draft.push(u8::from_str_radix(digits, radix).ok()?, range.start);
                    n_bytes += 1;
                }
                Cell::Digits(_) => return None,
                Cell::Hole(len, at) => draft.hole(*len, *at),
                Cell::Break => {}
            }
        }
        parts.push(draft);
    }
    (n_bytes >= FEWEST_TRIPLES).then_some(parts)
}

/// The same groups read as binary digits.
fn bits(code: &[u8], groups: &[Group<'_>]) -> Vec<Draft> {
    let part = |cells: &Vec<&Cell>| {
        let mut draft = Draft::default();
        for cell in cells {
            match cell {
                Cell::Digits(range) => {
                    for start in range.clone().step_by(8) {
                        let digits = slice(code, start..start + 8).iter();
                        let value = digits.fold(0, |value, &digit| value << 1 | hex_value(digit));
                        draft.push(value, start);
                    }
                }
                Cell::Hole(len, at) => draft.hole(*len, *at),
                Cell::Break => {}
            }
        }
        draft
    };
    groups.iter().map(|(_, cells)| part(cells)).collect()
}
