//! Lines of plain hex: which words of a line are hex digits, and which are about them.
//!
//! In: text without comments. Out: for each line its runs of hex words, with what stands before
//! (a label) and behind (a note), and the first place where hex is broken by a character that is
//! no digit.

use std::ops::Range;

use super::draft::Damage;
use super::ellipsis;
use super::hex::{self, Cell};
use super::hexrun::{Reader, Run};
use super::scan::{hex_value, line_end, slice};

/// All lines of a text.
pub(super) struct Lines {
    /// The cells of all entries.
    pub(super) cells: Vec<Cell>,
    pub(super) lines: Vec<Line>,
    /// Notes beside bytes.
    pub(super) notes: Vec<Range<usize>>,
    /// Lines of words only.
    pub(super) words: usize,
    /// Entries with words before them.
    pub(super) labelled: usize,
    /// Entries that begin their line.
    pub(super) leading: usize,
    /// Runs that are no entries.
    pub(super) left: usize,
    /// The direction that the line before said.
    direction: Option<Direction>,
    pub(super) damage: Option<Damage>,
}

/// What a line holds; a line with several runs is several entries.
pub(super) enum Line {
    Blank,
    Words(Range<usize>),
    /// Bytes are left out here; indexes into the cells.
    Hole(Range<usize>),
    Entry(Entry),
}

/// A run of hex words.
pub(super) struct Entry {
    /// Indexes into the cells of all lines.
    pub(super) cells: Range<usize>,
    /// The words before it on its line.
    pub(super) label: Option<Range<usize>>,
    /// It is the first on its line.
    pub(super) leads: bool,
    /// It can hardly be anything but bytes.
    pub(super) strong: bool,
}

/// What digits behind these words are: names of something, and no bytes of it.
const IDENTIFIERS: [&[u8]; 14] = [
    b"trace",
    b"traceid",
    b"trace_id",
    b"span",
    b"span_id",
    b"commit",
    b"sha",
    b"sha1",
    b"sha256",
    b"md5",
    b"hash",
    b"digest",
    b"etag",
    b"checksum",
];

/// Whether one run of digits is an identifier: `trace 4bf92f35...`. A message begins with a length,
/// and so with zeros.
fn is_identifier(label: &[u8], code: &[u8], cells: Option<&[Cell]>) -> bool {
    let Some([Cell::Digits(digits)]) = cells else {
        return false;
    };
    let mut words = label.rsplit(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
    let last = words.find(|word| !word.is_empty()).unwrap_or_default();
    let last = last.to_ascii_lowercase();
    IDENTIFIERS.contains(&last.as_slice())
        && digits.len() <= 64
        && !slice(code, digits.clone()).starts_with(b"00")
}

/// Whether words end as the name of a field does: `size:`, `size =`, `| size |`, or with a gap.
fn is_name(label: &[u8]) -> bool {
    let label = label.strip_suffix(b"0x").unwrap_or(label);
    let text = label.trim_ascii_end();
    let gap = label.len() - text.len();
    matches!(text.last(), Some(b':' | b'=' | b'|')) || gap >= 2 || label.ends_with(b"\t")
}

/// Who sent the bytes of a line, by the arrow in front of it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    There,
    Back,
}

impl Direction {
    /// `--> 00`, `<<< 00`, `> 00`; also an arrow alone.
    fn of(line: &[u8]) -> Option<Direction> {
        let line = line.trim_ascii_start();
        let len = line.iter().take_while(|b| b"<>-=".contains(b)).count();
        let (arrow, rest) = line.split_at_checked(len)?;
        if !matches!(rest, [] | [b' ' | b'\t' | b'\r', ..]) {
            return None;
        }
        match (arrow.contains(&b'>'), arrow.contains(&b'<')) {
            (true, false) => Some(Direction::There),
            (false, true) => Some(Direction::Back),
            _ => None,
        }
    }
}

impl Lines {
    /// Reads all lines.
    pub(super) fn of(code: &[u8]) -> Lines {
        let mut lines = Lines {
            cells: Vec::new(),
            lines: Vec::new(),
            notes: Vec::new(),
            words: 0,
            labelled: 0,
            leading: 0,
            left: 0,
            direction: None,
            damage: None,
        };
        let mut at = 0;
        while at < code.len() {
            let end = line_end(code, at);
            lines.line(code, at, end);
            at = end + 1;
        }
        lines.narrow(code);
        lines
    }

    /// Takes the last digits of what `printf("%x")` makes of a signed byte, `ffffff9a`, where the
    /// other bytes are by themselves.
    fn narrow(&mut self, code: &[u8]) {
        let is_wide = |cell: &Range<usize>| {
            let digits = slice(code, cell.clone());
            let sign = digits.get(..6).filter(|_| digits.len() == 8);
            sign.is_some_and(|sign| sign.eq_ignore_ascii_case(b"ffffff"))
                && digits.get(6).is_some_and(|digit| hex_value(*digit) >= 8)
        };
        let mut n_wide = 0;
        let mut n_narrow = 0;
        for cell in &self.cells {
            match cell {
                Cell::Digits(range) if range.len() <= 2 => n_narrow += 1,
                Cell::Digits(range) if is_wide(range) => n_wide += 1,
                Cell::Digits(_) => return,
                _ => {}
            }
        }
        if n_wide == 0 || n_narrow == 0 {
            return;
        }
        for cell in &mut self.cells {
            if let Cell::Digits(range) = cell
                && range.len() > 2
            {
                range.start = range.end - 2;
            }
        }
    }

    /// Whether the lines are the fields of a message with their names in front: `api key: 00 12`.
    ///
    /// Then short ones are bytes too. Numbers that a log says of a message (`size: 35`) are none, so
    /// there must be one with two bytes at least, or a size alone in front, and none with half a byte.
    pub(super) fn are_fields(&self, code: &[u8]) -> bool {
        let mut n_fields = 0;
        let mut n_short = 0;
        let mut n_frames = 0;
        let mut begins_with_size = false;
        for line in &self.lines {
            let Line::Entry(entry) = line else { continue };
            let cells = self.cells.get(entry.cells.clone()).unwrap_or_default();
            let mut n_digits = 0;
            for cell in cells {
                let Cell::Digits(range) = cell else { continue };
                if range.len() % 2 == 1 {
                    return false;
                }
                n_digits += range.len();
            }
            let Some(label) = &entry.label else { continue };
            if !is_name(slice(code, label.clone())) {
                return false;
            }
            let draft = hex::join(code, cells.iter(), 0).unwrap_or_default();
            begins_with_size |= n_fields == 0 && matches!(draft.bytes.as_slice(), [0, _, _, _]);
            n_frames += usize::from(n_digits > 8 && draft.is_frame());
            n_fields += 1;
            n_short += usize::from(!entry.strong && n_digits >= 4);
        }
        n_fields >= 2 && n_short >= 1 || n_fields >= 3 && n_frames == 0 && begins_with_size
    }

    /// The words in front of digits, without the mark behind them.
    pub(super) fn labels(&self, code: &[u8]) -> Vec<Range<usize>> {
        let entries = self.lines.iter().filter_map(|line| match line {
            Line::Entry(entry) => entry.label.clone(),
            _ => None,
        });
        let bare = |label: Range<usize>| {
            let words = slice(code, label.clone());
            let words = words.strip_suffix(b"0x").unwrap_or(words);
            let mark = |byte: &&u8| b" \t:=|".contains(byte);
            let marks = words.iter().rev().take_while(mark).count();
            label.start..label.start + words.len() - marks
        };
        entries.map(bare).collect()
    }

    fn line(&mut self, code: &[u8], start: usize, end: usize) {
        let text = slice(code, start..end);
        if let Some(direction) = Direction::of(text) {
            // What goes the other way is another message.
            if self.direction.is_some_and(|before| before != direction) {
                self.lines.push(Line::Words(start..start));
            }
            self.direction = Some(direction);
        }
        if let Some(len) = ellipsis::line(text) {
            let cells = self.cells.len()..self.cells.len() + 1;
            self.cells.push(Cell::Hole(len, start));
            return self.lines.push(Line::Hole(cells));
        }
        let Reader {
            mut runs,
            words,
            hex_digits,
            alphanumerics,
            suspect,
            n_aside,
            ..
        } = Reader::read(code, start..end, &mut self.cells);
        if self.damage.is_none()
            && let Some((at, confidence)) = suspect
            && hex_digits >= 8
            && hex_digits * 5 >= alphanumerics * 3
        {
            self.damage = Some(hex::stray(code, at, confidence));
        }
        if runs.is_empty() {
            if words > 0 {
                self.words += 1;
                self.lines.push(Line::Words(start..end));
            } else if slice(code, start..end).trim_ascii().is_empty() {
                self.lines.push(Line::Blank);
            }
            return;
        }
        for run in &mut runs {
            let label = slice(code, start..run.start);
            run.strong &= !is_identifier(label, code, self.cells.get(run.cells.clone()));
        }
        self.left += n_aside + runs.len();
        self.take(runs, start..end);
    }

    /// Takes those runs of a line that can be bytes: the strong ones, else the first, or the longest.
    fn take(&mut self, runs: Vec<Run>, line: Range<usize>) {
        let strong = runs.iter().any(|run| run.strong);
        let longest = runs.iter().map(|run| run.digits).max().unwrap_or(0);
        let mut taken = false;
        let mut from = line.start;
        for run in runs {
            let leads = run.words_before == 0;
            let is_taken = match strong {
                true => run.strong,
                false => leads || (!taken && run.digits == longest),
            };
            if !is_taken {
                continue;
            }
            taken = true;
            self.left -= 1;
            self.leading += usize::from(leads);
            self.labelled += usize::from(!leads);
            if run.end < line.end && run.noted {
                self.notes.push(run.end..line.end);
            }
            self.lines.push(Line::Entry(Entry {
                cells: run.cells,
                label: (!leads).then_some(from..run.start),
                leads,
                strong: run.strong,
            }));
            from = run.end;
            if !strong {
                break;
            }
        }
    }
}
