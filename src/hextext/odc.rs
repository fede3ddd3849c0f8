//! What `od -An -c` prints: characters and escapes in columns, without offsets.
//!
//! In: text with its quotes and comments, which may be data. Out: one sketch with a part for every
//! block of such lines.

use super::cells;
use super::draft::{Draft, Findings, Sketch};
use super::reading::Family;
use super::scan::{Scan, byte, line_end};

/// Fewest escapes that are no accident.
const FEWEST: usize = 4;

/// Looks for blocks, and answers whether there are any.
pub(super) fn find(scan: &Scan, found: &mut Findings) -> bool {
    let code = &scan.code;
    let mut parts: Vec<Draft> = Vec::new();
    let mut is_open = false;
    let mut n_escapes = 0;
    // Columns of numbers have none.
    let mut has_backslash = false;
    let mut at = 0;
    while at < code.len() {
        let end = line_end(code, at);
        let line = cells::characters(code, at..end).filter(|_| byte(code, at) == b' ');
        if let Some(line) = &line {
            if !is_open {
                parts.push(Draft::default());
            }
            for &(value, at) in &line.bytes {
                n_escapes += usize::from(!(0x20..0x7f).contains(&value));
                has_backslash |= value != b'\\' && byte(code, at) == b'\\';
                if let Some(part) = parts.last_mut() {
                    part.push(value, at);
                }
            }
        }
        is_open = line.is_some();
        at = end + 1;
    }
    if n_escapes < FEWEST || !has_backslash {
        return false;
    }
    found.add(Sketch {
        family: Family::Dump,
        notation: "od -c",
        confidence: 94,
        why: "characters and escapes stand in columns of four".into(),
        parts,
        remarks: Vec::new(),
        comments: Vec::new(),
    });
    true
}
