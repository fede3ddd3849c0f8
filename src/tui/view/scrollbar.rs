//! The bar at the right edge of a pane: which part of it is on the screen, and where in all of it
//! there are problems or bookmarks.

use ratatui::{buffer::Buffer, layout::Rect, style::Color};

use super::text_at;
use crate::tui::theme::Theme;

/// Columns of the bar and the gap before it.
pub(super) const WIDTH: u16 = 2;

/// Rows of which some are on the screen.
pub(super) struct Scrolled<'a> {
    pub len: usize,
    /// The first on the screen.
    pub first: usize,
    /// Those with problems, or with bookmarks, in order.
    pub marks: &'a [usize],
    pub mark: Mark,
}

/// What is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Problem,
    Bookmark,
}

/// Draws the bar in the last column of `area`, whose rows show as many rows of the whole. What is
/// on the screen all at once needs none, unless there is something to mark.
pub(super) fn draw(theme: Theme, scrolled: &Scrolled<'_>, area: Rect, buffer: &mut Buffer) {
    let height = usize::from(area.height);
    if height == 0 || area.width == 0 || (scrolled.len <= height && scrolled.marks.is_empty()) {
        return;
    }
    let len = scrolled.len.max(height);
    let cell = |row: usize| (row * height / len).min(height - 1);
    let thumb = cell(scrolled.first)..=cell(scrolled.first + height - 1);
    let x = area.width - 1;
    for y in 0..height {
        let is_thumb = thumb.contains(&y) && scrolled.len > height;
        let from = scrolled.marks.partition_point(|&row| cell(row) < y);
        let is_marked = scrolled.marks.get(from).is_some_and(|&row| cell(row) == y);
        let (symbol, style) = match (is_marked, is_thumb) {
            (true, _) => match scrolled.mark {
                Mark::Problem => ("!", theme.error()),
                Mark::Bookmark => ("●", theme.ansi(Color::Yellow)),
            },
            (false, true) => ("┃", theme.dim()),
            (false, false) => ("│", theme.faint()),
        };
        text_at(
            buffer,
            area,
            x,
            u16::try_from(y).unwrap_or(u16::MAX),
            symbol,
            style,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(len: usize, first: usize, marks: &[usize]) -> String {
        let area = Rect::new(0, 0, 3, 5);
        let mut buffer = Buffer::empty(area);
        let scrolled = Scrolled {
            len,
            first,
            marks,
            mark: Mark::Problem,
        };
        draw(Theme::Plain, &scrolled, area, &mut buffer);
        (0..5).map(|y| buffer[(2, y)].symbol().to_owned()).collect()
    }

    #[test]
    fn the_bar_shows_where_one_is() {
        assert_eq!(bar(10, 0, &[]), "┃┃┃││");
        assert_eq!(bar(10, 5, &[]), "││┃┃┃");
        assert_eq!(bar(1_000_000, 999_995, &[]), "││││┃");
        assert_eq!(bar(1_000_000, 0, &[400_000]), "┃│!││");
    }

    #[test]
    fn what_fits_has_no_bar_but_marks() {
        assert_eq!(bar(5, 0, &[]), "     ");
        assert_eq!(bar(5, 0, &[4]), "││││!");
    }
}
