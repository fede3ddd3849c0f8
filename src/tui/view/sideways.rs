//! A line of which some part is on the screen: scrolled to the side, with a mark where it is cut.

use ratatui::{buffer::Buffer, layout::Rect, style::Style};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::text_at;

/// A text at its place in a line.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub x: usize,
    pub text: String,
    pub style: Style,
}

/// What stands where text is cut.
const CUT: &str = "…";

/// Columns up to the end of a line.
pub(super) fn width(pieces: &[Piece]) -> usize {
    let ends = pieces.iter().filter(|piece| !piece.text.is_empty());
    ends.map(|piece| piece.x + piece.text.width())
        .max()
        .unwrap_or(0)
}

/// Writes a line into a row of `area` from its column `skip` on.
pub(super) fn line_at(
    buffer: &mut Buffer,
    area: Rect,
    row: u16,
    pieces: &[Piece],
    skip: usize,
    edge: Style,
) {
    let end = skip + usize::from(area.width);
    for piece in pieces {
        let (hidden, shown) = behind(&piece.text, skip.saturating_sub(piece.x));
        let x = (piece.x + hidden).saturating_sub(skip);
        if !shown.is_empty()
            && let Ok(x) = u16::try_from(x)
        {
            text_at(buffer, area, x, row, shown, piece.style);
        }
    }
    let has_text = |piece: &&Piece| !piece.text.trim().is_empty();
    if pieces.iter().filter(has_text).any(|piece| piece.x < skip) {
        text_at(buffer, area, 0, row, CUT, edge);
    }
    if width(pieces) > end {
        text_at(buffer, area, area.width.saturating_sub(1), row, CUT, edge);
    }
}

/// The rest of a text behind its first `columns` columns, and how many those are: one more where a wide
/// character is in between.
fn behind(text: &str, columns: usize) -> (usize, &str) {
    let mut hidden = 0;
    for (at, c) in text.char_indices() {
        // What has no width goes with what stands before it.
        let width = c.width().unwrap_or(0);
        if hidden >= columns && (width > 0 || columns == 0) {
            return (hidden, text.get(at..).unwrap_or_default());
        }
        hidden += width;
    }
    (hidden, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(skip: usize) -> String {
        let area = Rect::new(0, 0, 8, 1);
        let mut buffer = Buffer::empty(area);
        let piece = |x, text: &str| Piece {
            x,
            text: text.to_owned(),
            style: Style::new(),
        };
        let pieces = [piece(0, "name"), piece(6, "日本語"), piece(14, "end")];
        line_at(&mut buffer, area, 0, &pieces, skip, Style::new());
        let cells = (0..8).map(|x| buffer[(x, 0)].symbol().to_owned());
        cells.collect::<String>().trim_end().to_owned()
    }

    #[test]
    fn what_is_cut_is_marked_and_reached() {
        // A wide character takes two cells, of which the second is a blank.
        assert_eq!(line(0), "name  日…");
        assert_eq!(line(2), "…e  日 本…");
        assert_eq!(line(7), "…本 語   …");
        assert_eq!(line(10), "…   end");
    }

    #[test]
    fn the_rest_starts_at_whole_characters() {
        assert_eq!(behind("abc", 0), (0, "abc"));
        assert_eq!(behind("abc", 2), (2, "c"));
        assert_eq!(behind("日本", 1), (2, "本"));
        assert_eq!(behind("e\u{301}x", 1), (1, "x"));
        assert_eq!(behind("abc", 9), (3, ""));
    }
}
