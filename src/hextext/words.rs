//! Words of a machine as decimal numbers, without offsets: what `od -An -t d4` and `-t u2` print.
//!
//! In: cleaned text. Out: two sketches, as `od` prints words in the byte order of its machine, which is
//! hardly ever a big-endian one, and which nothing says. Only text that is nothing but such numbers is
//! one: in columns as wide as `od` makes them, or if its words are a whole frame.

use super::draft::{Draft, Findings, Sketch};
use super::reading::Family;
use super::scan::{line_end, slice};

/// Fewest numbers that are no accident.
const FEWEST: usize = 3;

/// Bytes of a word with the width of its column, signed or not.
const COLUMNS: [(usize, usize); 6] = [(2, 7), (2, 6), (4, 12), (4, 11), (8, 21), (8, 21)];

/// A number, where it begins, and where in its line it ends.
struct Cell {
    value: i128,
    at: usize,
    end: usize,
    /// How many stand before it in its line.
    nth: usize,
}

#[derive(Clone, Copy)]
enum Order {
    Little,
    Big,
}

/// Looks for words, and answers whether there are any.
pub(super) fn find(code: &[u8], found: &mut Findings) -> bool {
    let Some(cells) = cells(code).filter(|cells| cells.len() >= FEWEST) else {
        return false;
    };
    // Numbers that are bytes need no byte order.
    if cells.iter().all(|cell| (-128..256).contains(&cell.value)) {
        return false;
    }
    let fits = |size: usize| cells.iter().all(|cell| holds(size, cell.value));
    let column = COLUMNS.iter().find(|(size, width)| {
        let in_column = |cell: &Cell| cell.end == (cell.nth + 1) * width;
        fits(*size) && cells.iter().all(in_column)
    });
    let least = [2, 4, 8].into_iter().find(|&size| fits(size));
    let Some(size) = column.map(|(size, _)| *size).or(least) else {
        return false;
    };
    let orders = [Order::Little, Order::Big].map(|order| (order, draft(&cells, size, order)));
    let is_frame = |(_, part): &(Order, Draft)| part.is_frame();
    if column.is_none() && !orders.iter().any(is_frame) {
        return false;
    }
    for (order, part) in orders {
        let (confidence, why) = match order {
            Order::Little => (91, "its lower byte first, as od prints it"),
            Order::Big => (89, "its higher byte first"),
        };
        found.add(Sketch {
            family: Family::List,
            notation: "od words",
            confidence,
            why: format!("each number is a word of {size} bytes, {why}"),
            parts: vec![part],
            remarks: Vec::new(),
            comments: Vec::new(),
        });
    }
    true
}

/// All numbers of a text that holds nothing else.
fn cells(code: &[u8]) -> Option<Vec<Cell>> {
    let mut cells = Vec::new();
    let mut start = 0;
    while start < code.len() {
        let end = line_end(code, start);
        let line = slice(code, start..end);
        let mut nth = 0;
        let mut behind = 0;
        for word in line.split(u8::is_ascii_whitespace) {
            let from = behind;
            behind = from + word.len() + 1;
            if word.is_empty() {
                continue;
            }
            let digits = word.strip_prefix(b"-").unwrap_or(word);
            let is_number = digits.iter().all(u8::is_ascii_digit) && digits.len() <= 20;
            // Padded numbers are hex or octal.
            if !is_number || digits.len() > 1 && digits.starts_with(b"0") {
                return None;
            }
            cells.push(Cell {
                value: std::str::from_utf8(word).ok()?.parse().ok()?,
                at: start + from,
                end: from + word.len(),
                nth,
            });
            nth += 1;
        }
        start = end + 1;
    }
    Some(cells)
}

/// Whether a value is one of so many bytes, signed or not.
fn holds(size: usize, value: i128) -> bool {
    let bits = 8 * size as u32;
    (-(1_i128 << (bits - 1))..1_i128 << bits).contains(&value)
}

fn draft(cells: &[Cell], size: usize, order: Order) -> Draft {
    let mut part = Draft::default();
    for cell in cells {
        let bytes = cell.value.to_le_bytes();
        let word = bytes.get(..size).unwrap_or_default().iter();
        match order {
            Order::Little => word.for_each(|&b| part.push(b, cell.at)),
            Order::Big => word.rev().for_each(|&b| part.push(b, cell.at)),
        }
    }
    fill(&mut part, size);
    part
}

/// Leaves out the zeros that fill the last word, where the size in front says that there are less
/// bytes.
fn fill(part: &mut Draft, size: usize) {
    let Some(front) = part.bytes.first_chunk().copied().map(u32::from_be_bytes) else {
        return;
    };
    let len = (front as usize).saturating_add(4);
    let over = part.bytes.get(len..).unwrap_or_default();
    if (1..size).contains(&over.len()) && over.iter().all(|b| *b == 0) {
        part.truncate(len);
    }
}
