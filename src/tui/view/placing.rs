//! Where the columns of the list stand: those that fit, or those that it was scrolled to.
//!
//! While nothing is scrolled, columns that can be spared give way on a narrow screen, and wide texts
//! are cut; what room is left on a wide one is theirs. A scrolled list shows all columns as wide as they are; its first column, which says what
//! the row is, stays.

use ratatui::layout::Rect;

use super::{EXCHANGES_HEAD, scrollbar};
use crate::tui::{App, columns::ListColumn};

/// Columns of the screen between two of the list.
pub(super) const GAP: usize = 2;

/// Columns of the screen for the mark that there are more.
const MARK: usize = 1;

/// A column on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tui) struct Placed {
    /// Its place among the columns of the list.
    pub idx: usize,
    /// Where it starts in the pane.
    pub x: usize,
    pub width: usize,
}

/// The columns on the screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::tui) struct Placing {
    pub columns: Vec<Placed>,
    /// Whether there are more to the left, behind the first, and to the right.
    pub has_more_left: bool,
    pub has_more_right: bool,
}

impl Placing {
    /// Whether a column is on the screen with all of its width.
    pub(in crate::tui) fn shows(&self, idx: usize, natural: usize) -> bool {
        let mut columns = self.columns.iter();
        columns.any(|placed| placed.idx == idx && (!self.is_scrolled() || placed.width == natural))
    }

    fn is_scrolled(&self) -> bool {
        self.has_more_left
    }

    /// The column at `x` of the pane.
    pub(in crate::tui) fn at(&self, x: usize) -> Option<&Placed> {
        let mut columns = self.columns.iter();
        columns.find(|placed| (placed.x..placed.x + placed.width).contains(&x))
    }

    /// The column whose right boundary, which is the gap behind it, is at `x` of the pane.
    pub(in crate::tui) fn boundary_at(&self, x: usize) -> Option<&Placed> {
        let mut columns = self.columns.iter();
        columns.find(|placed| {
            let end = placed.x + placed.width;
            (end..end + GAP).contains(&x)
        })
    }
}

/// The columns of the list in a pane that takes `area`.
pub(in crate::tui) fn placing(app: &App, area: Rect) -> Placing {
    let rows = usize::from(area.height).saturating_sub(EXCHANGES_HEAD);
    let bar = match app.len() > rows {
        true => scrollbar::WIDTH,
        false => 0,
    };
    let room = usize::from(area.width.saturating_sub(bar));
    match app.columns.first {
        None => match fitted(app.columns.all(), room) {
            // The mark that there are more stands on no title.
            placing if placing.has_more_right => {
                fitted(app.columns.all(), room.saturating_sub(MARK))
            }
            placing => placing,
        },
        Some(first) => scrolled(app.columns.all(), first, room),
    }
}

/// Columns with their places and widths, one behind the other.
fn in_a_row(columns: impl Iterator<Item = (usize, usize)>) -> Vec<Placed> {
    let mut x = 0;
    columns
        .map(|(idx, width)| {
            let placed = Placed { idx, x, width };
            x += width + GAP;
            placed
        })
        .collect()
}

/// The columns that there is room for, so that they do not change from row to row, as wide as what was
/// seen in them, within limits; the widest texts give way when that is too much, and where there is more
/// room, what is cut gets it.
fn fitted(all: &[ListColumn], room: usize) -> Placing {
    let mut columns: Vec<(usize, &ListColumn, usize)> = all
        .iter()
        .enumerate()
        .map(|(idx, column)| (idx, column, column.natural()))
        .collect();
    loop {
        let needed = columns.iter().map(|(_, column, _)| column.needed() + GAP);
        let needed: usize = needed.sum();
        let most = columns.iter().map(|(_, column, _)| column.expendable());
        match most.max() {
            Some(most) if needed > room + GAP && most > 0 => {
                columns.retain(|(_, column, _)| column.expendable() != most);
            }
            _ => break,
        }
    }
    loop {
        let total: usize = columns.iter().map(|(_, _, width)| width + GAP).sum();
        let widest = columns
            .iter_mut()
            .filter(|(_, column, width)| *width > column.needed())
            .max_by_key(|(_, column, width)| *width - column.needed());
        match widest {
            Some((_, _, width)) if total > room + GAP => *width -= 1,
            _ => break,
        }
    }
    let total: usize = columns.iter().map(|(_, _, width)| width + GAP).sum();
    for _ in total..room + GAP {
        let cut = columns
            .iter_mut()
            .filter(|(_, column, width)| *width < column.whole());
        match cut.min_by_key(|(_, _, width)| *width) {
            Some((_, _, width)) => *width += 1,
            None => break,
        }
    }
    let columns = in_a_row(columns.into_iter().map(|(idx, _, width)| (idx, width)));
    let end = columns.last().map_or(0, |last| last.x + last.width);
    Placing {
        has_more_left: false,
        has_more_right: columns.len() < all.len() || end > room,
        columns,
    }
}

/// The first column, and those behind it without the first `skipped`, as far as there is room.
fn scrolled(all: &[ListColumn], skipped: usize, room: usize) -> Placing {
    let numbered = all.iter().map(ListColumn::natural).enumerate();
    let shown = numbered.filter(|&(idx, _)| idx == 0 || idx > skipped);
    let mut columns = in_a_row(shown);
    columns.retain(|placed| placed.x < room);
    let mut is_cut = columns.last().is_none_or(|last| last.idx + 1 < all.len());
    if let Some(last) = columns.last_mut()
        && last.x + last.width > room
    {
        last.width = room - last.x;
        is_cut = true;
    }
    Placing {
        columns,
        has_more_left: true,
        has_more_right: is_cut,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        render::ExchangeField,
        tui::{Row, columns::Columns},
    };

    fn columns(list: &str) -> Columns {
        let names: Vec<String> = list.split(',').map(str::to_owned).collect();
        Columns::parse(&names, &Columns::default()).unwrap()
    }

    fn shown(placing: &Placing) -> Vec<(usize, usize)> {
        let columns = placing.columns.iter();
        columns.map(|placed| (placed.idx, placed.width)).collect()
    }

    #[test]
    fn what_has_no_room_gives_way_and_is_a_scroll_away() {
        let columns = columns("n:5,client:20,api:18,v:2,error:14");
        let placing = fitted(columns.all(), 80);
        assert_eq!(shown(&placing), [(0, 5), (1, 20), (2, 18), (3, 2), (4, 14)]);
        assert!(!placing.has_more_right);
        let placing = fitted(columns.all(), 50);
        assert_eq!(shown(&placing), [(0, 5), (2, 18), (3, 2), (4, 14)]);
        assert!(placing.has_more_right);
        let placing = scrolled(columns.all(), 0, 49);
        assert_eq!(shown(&placing), [(0, 5), (1, 20), (2, 18)]);
        assert!(placing.has_more_right && placing.shows(2, 18));
        // The last one on the screen is cut.
        let placing = scrolled(columns.all(), 1, 40);
        assert_eq!(shown(&placing), [(0, 5), (2, 18), (3, 2), (4, 9)]);
        assert!(placing.has_more_right && !placing.shows(4, 14));
        let placing = scrolled(columns.all(), 2, 40);
        assert!(!placing.has_more_right && placing.shows(4, 14));
    }

    #[test]
    fn what_room_is_left_goes_to_what_is_cut() {
        let mut columns = columns("n:5,api:18,topics,error:14");
        let topics = "t".repeat(50);
        columns.see_rows(&[Row::default().with(ExchangeField::Topics, &topics)]);
        let topics = |room| shown(&fitted(columns.all(), room))[2].1;
        // Three gaps, and the columns that have their widths.
        let others = 5 + 18 + 14 + 3 * GAP;
        assert_eq!(topics(others + 20), 20);
        assert_eq!(topics(others + 35), 35);
        assert_eq!(topics(others + 80), 50);
    }

    #[test]
    fn the_gap_behind_a_column_is_its_boundary() {
        let placing = fitted(columns("n:5,api:10").all(), 80);
        assert_eq!(placing.at(4).map(|placed| placed.idx), Some(0));
        assert_eq!(placing.at(5), None);
        assert_eq!(placing.boundary_at(5).map(|placed| placed.idx), Some(0));
        assert_eq!(placing.boundary_at(6).map(|placed| placed.idx), Some(0));
        assert_eq!(placing.boundary_at(7), None);
        assert_eq!(placing.boundary_at(17).map(|placed| placed.idx), Some(1));
    }
}
