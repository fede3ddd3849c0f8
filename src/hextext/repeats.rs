//! What gdb writes for elements that are alike: `0x0 <repeats 16 times>`.
//!
//! In: text at the mark. Out: how many there are of the element before it, and where the mark ends.

use super::scan::slice;

/// Most bytes that marks of one paste may stand for.
pub(super) const MOST: usize = 1 << 24;

const BEFORE: &[u8] = b"<repeats ";
const BEHIND: &[u8] = b" times>";

/// If a mark stands at `at`, behind blanks or not: how many elements are meant, and the offset
/// behind it.
pub(super) fn at(code: &[u8], at: usize) -> Option<(usize, usize)> {
    let text = slice(code, at..code.len().min(at + 48));
    let inner = text.trim_ascii_start();
    let inner = inner.strip_prefix(BEFORE)?;
    let len = inner.iter().take_while(|b| b.is_ascii_digit()).count();
    let number = std::str::from_utf8(inner.get(..len)?).ok()?.parse().ok()?;
    let behind = inner.get(len..)?.strip_prefix(BEHIND)?;
    Some((number, at + text.len() - behind.len()))
}
