//! The bar at the right edge of a pane: which part of it is on the screen, and where in all of it
//! there are problems, bookmarks, or places of what is searched for.

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
    /// Rows that are marked, in order; of two kinds in one place the first counts.
    pub marks: &'a [(Mark, &'a [usize])],
}

/// What is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Problem,
    Bookmark,
    /// A place of what is searched for.
    Hit,
}

/// Draws the bar in the last column of `area`, whose rows show as many rows of the whole. What is
/// on the screen all at once needs none, unless there is something to mark.
pub(super) fn draw(theme: Theme, scrolled: &Scrolled<'_>, area: Rect, buffer: &mut Buffer) {
    let height = usize::from(area.height);
    let has_marks = scrolled.marks.iter().any(|(_, rows)| !rows.is_empty());
    if height == 0 || area.width == 0 || (scrolled.len <= height && !has_marks) {
        return;
    }
    let len = scrolled.len.max(height);
    let cell = |row: usize| (row * height / len).min(height - 1);
    let thumb = cell(scrolled.first)..=cell(scrolled.first + height - 1);
    let x = area.width - 1;
    for y in 0..height {
        let is_thumb = thumb.contains(&y) && scrolled.len > height;
        let is_here = |rows: &[usize]| {
            let from = rows.partition_point(|&row| cell(row) < y);
            rows.get(from).is_some_and(|&row| cell(row) == y)
        };
        let mark = scrolled.marks.iter().find(|(_, rows)| is_here(rows));
        let (symbol, style) = match (mark, is_thumb) {
            (Some((Mark::Problem, _)), _) => ("!", theme.error()),
            (Some((Mark::Bookmark, _)), _) => ("●", theme.ansi(Color::Yellow)),
            (Some((Mark::Hit, _)), _) => ("◆", theme.ansi(Color::Cyan)),
            (None, true) => ("┃", theme.dim()),
            (None, false) => ("│", theme.faint()),
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
        marked(len, first, marks, &[])
    }

    fn marked(len: usize, first: usize, marks: &[usize], hits: &[usize]) -> String {
        let area = Rect::new(0, 0, 3, 5);
        let mut buffer = Buffer::empty(area);
        let scrolled = Scrolled {
            len,
            first,
            marks: &[(Mark::Problem, marks), (Mark::Hit, hits)],
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
        assert_eq!(marked(5, 0, &[4], &[2, 4]), "││◆│!");
    }
}
