//! Cells that rows of a list have again and again, kept as they were written first.
//!
//! What comes in is the number of what a cell is about; what goes out is its text, appended. The
//! same number must always mean the same text.

use std::ops::Range;

/// Numbers whose text is kept; that of further ones is written anew.
const MAX_KEPT: usize = 1 << 16;

/// Texts by the numbers of what they are about.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    /// Where the text of a number is; empty before it was written.
    ranges: Vec<Range<usize>>,
    texts: Vec<u8>,
}

impl Kept {
    /// Appends the text of `number`, which `write` writes the first time.
    pub(super) fn push(
        &mut self,
        out: &mut Vec<u8>,
        number: usize,
        write: impl FnOnce(&mut Vec<u8>),
    ) {
        if let Some(range) = self.ranges.get(number)
            && let Some(text) = self.texts.get(range.clone())
            && !text.is_empty()
        {
            out.extend_from_slice(text);
            return;
        }
        let start = out.len();
        write(out);
        if number >= MAX_KEPT {
            return;
        }
        if self.ranges.len() <= number {
            self.ranges.resize(number + 1, 0..0);
        }
        let from = self.texts.len();
        self.texts
            .extend_from_slice(out.get(start..).unwrap_or_default());
        if let Some(range) = self.ranges.get_mut(number) {
            *range = from..self.texts.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_written_once() {
        let mut kept = Kept::default();
        let mut out = Vec::new();
        for number in [3, 0, 3, MAX_KEPT, MAX_KEPT] {
            let n = out.len();
            kept.push(&mut out, number, |out| {
                out.extend_from_slice(format!("{number}:{n} ").as_bytes());
            });
        }
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, "3:0 0:4 3:0 65536:12 65536:21 ");
    }
}
