//! The hex grid with its ASCII column and legend.

use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
    style::{Modifier, Style},
};

use unicode_width::UnicodeWidthStr;

use super::{
    GRID_HEAD,
    scrollbar::{self, Mark},
    text_at, title,
};
use crate::{
    event::Section,
    render::{BYTES_PER_ROW, LEGEND, LOST, ascii, label_width},
    tui::{
        App, Pane,
        editing::{Column, Digit},
        keys::Action,
        message::OpenMessage,
    },
};

/// Columns of a grid with four-digit labels.
pub(super) const WIDTH: u16 = width(0x10000);

/// Columns of the grid of a buffer of `len` bytes.
pub(super) const fn width(len: usize) -> u16 {
    let mut digits = 4;
    let mut rest = len.saturating_sub(1) >> 16;
    while rest > 0 {
        digits += 1;
        rest >>= 4;
    }
    // Label, a gap, three columns a byte, a gap with bars, the ASCII column, the scrollbar.
    digits + 1 + 3 * BYTES_PER_ROW as u16 + 3 + BYTES_PER_ROW as u16 + 1 + scrollbar::WIDTH
}

/// How many bytes a row has in a grid that takes `area`.
pub(in crate::tui) fn bytes_per_row(message: &OpenMessage, area: Rect) -> usize {
    Fit::of(message.bytes().len(), area.width).bytes
}

/// How a row of bytes fits the columns that there are: a narrow grid has shorter rows, so that all of
/// them is on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fit {
    /// Digits of the labels.
    digits: usize,
    /// Bytes of a row.
    bytes: usize,
    /// The column at which bytes start.
    hex: u16,
    /// The column at which characters start, where they have room.
    text: Option<u16>,
    /// Whether there is room for the bar behind the characters.
    is_closed: bool,
    /// All columns, with those of the scrollbar.
    width: u16,
}

impl Fit {
    /// The longest row of a buffer of `len` bytes that fits `room` columns.
    fn of(len: usize, room: u16) -> Fit {
        let digits = label_width(len);
        let hex = digits as u16 + 1;
        let lengths = (0..=BYTES_PER_ROW.ilog2()).map(|shift| BYTES_PER_ROW >> shift);
        let mut fits = lengths.flat_map(|bytes| Fit::ways(digits, hex, bytes));
        let shortest = Fit {
            digits,
            bytes: 1,
            hex,
            text: None,
            is_closed: false,
            width: hex + 4,
        };
        fits.find(|fit| fit.width <= room).unwrap_or(shortest)
    }

    /// Rows of as many bytes, the widest first: with all that belongs to it; with its parts close
    /// together; without characters, which is no better than half as many bytes where those are many.
    fn ways(digits: usize, hex: u16, bytes: usize) -> impl Iterator<Item = Fit> {
        let n = bytes as u16;
        // A column for the bracket behind the last byte.
        let end = hex + 3 * n + 1;
        let fit = Fit {
            digits,
            bytes,
            hex,
            text: None,
            is_closed: false,
            width: end + 1,
        };
        let open = Fit {
            text: Some(end + 2),
            is_closed: true,
            width: end + 2 + n + 1 + scrollbar::WIDTH,
            ..fit
        };
        let close = Fit {
            text: Some(end + 1),
            width: end + 1 + n + 1,
            ..fit
        };
        let bare = (bytes < BYTES_PER_ROW).then_some(fit);
        [open, close].into_iter().chain(bare)
    }
}

/// The byte under a place on the screen, when the grid takes `area`.
pub(in crate::tui) fn byte_at(message: &OpenMessage, area: Rect, at: Position) -> Option<usize> {
    let len = message.bytes().len();
    let fit = Fit::of(len, area.width);
    let row = usize::from(at.y.checked_sub(area.y)?).checked_sub(GRID_HEAD)?;
    let column = at.x.checked_sub(area.x)?;
    let inside = match fit.text {
        Some(text) if column >= text => usize::from(column - text),
        _ => usize::from(column.checked_sub(fit.hex)?) / 3,
    };
    let byte = (message.grid_scroll + row) * fit.bytes + inside;
    (inside < fit.bytes && byte < len).then_some(byte)
}

pub(super) fn draw(app: &App, area: Rect, buffer: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let Some(message) = &app.message else {
        title(app, Pane::Grid, "bytes", area, buffer);
        return;
    };
    let body = head(app, message, area, buffer);
    let len = message.bytes().len();
    let fit = Fit::of(len, body.width);
    bar(app, message, fit, body, buffer);
    let grid = Grid {
        app,
        message,
        body,
        fit,
    };
    grid.numbers(buffer);
    for y in 1..body.height {
        let start = (message.grid_scroll + usize::from(y) - 1) * fit.bytes;
        match message.bytes().get(start..len.min(start + fit.bytes)) {
            None | Some([]) => break,
            Some(bytes) => grid.row(y, start, bytes, buffer),
        }
    }
}

/// Draws the bar beside the bytes, however wide the pane.
fn bar(app: &App, message: &OpenMessage, fit: Fit, body: Rect, buffer: &mut Buffer) {
    let rows = Rect {
        y: body.y.saturating_add(1),
        height: body.height.saturating_sub(1),
        width: body.width.min(fit.width),
        ..body
    };
    let bar = scrollbar::Scrolled {
        len: message.bytes().len().div_ceil(fit.bytes),
        first: message.grid_scroll,
        marks: &[
            (Mark::Problem, &message.grid_problems(fit.bytes)),
            (Mark::Hit, &message.grid_hits(fit.bytes)),
        ],
    };
    scrollbar::draw(app.theme, &bar, rows, buffer);
}

/// A grid that is drawn below its title: `y` counts from the row with the numbers of the columns.
struct Grid<'a> {
    app: &'a App,
    message: &'a OpenMessage,
    body: Rect,
    fit: Fit,
}

impl Grid<'_> {
    fn numbers(&self, buffer: &mut Buffer) {
        let dim = self.app.theme.dim();
        for column in 0..self.fit.bytes {
            let x = self.fit.hex + 3 * column as u16 + 1;
            text_at(buffer, self.body, x, 0, &format!("{column:X}"), dim);
        }
    }

    /// The row of the bytes from `start` on.
    fn row(&self, y: u16, start: usize, bytes: &[u8], buffer: &mut Buffer) {
        let Grid {
            message, body, fit, ..
        } = *self;
        let digits = fit.digits;
        let dim = self.app.theme.dim();
        text_at(buffer, body, 0, y, &format!("{start:0digits$x}"), dim);
        let sections = message.sections(start, bytes.len());
        for (at, (&byte, &section)) in (start..).zip(bytes.iter().zip(&sections)) {
            self.byte(y, at, byte, section, buffer);
        }
        if let Some(text) = fit.text {
            text_at(buffer, body, text - 1, y, "|", dim);
            if fit.is_closed {
                text_at(buffer, body, text + bytes.len() as u16, y, "|", dim);
            }
        }
        if (start..start + bytes.len()).contains(&message.byte) {
            self.mark(y, self.column(message.byte), buffer);
        }
    }

    /// The byte at offset `at`, in hex and as a character.
    fn byte(&self, y: u16, at: usize, byte: u8, section: Section, buffer: &mut Buffer) {
        let Grid {
            app, message, body, ..
        } = *self;
        let selected = message.span();
        let in_buffer = message.buffer();
        let is_selected = selected.contains(in_buffer, at);
        let mut style = app.theme.section(section);
        if is_selected {
            style = style.patch(selection(app.pane == Pane::Grid, at == message.byte));
        }
        let column = self.column(at);
        let x = self.fit.hex + 3 * column;
        // The gap between two selected bytes is selected as well, so that a run is one block.
        let joined = is_selected && column > 0 && selected.contains(in_buffer, at - 1);
        let gap = if joined { style } else { Style::new() };
        text_at(buffer, body, x, y, " ", gap);
        let (digits, shown) = if message.tree.hole_at(in_buffer, at).is_some() {
            (LOST.to_owned(), ' ')
        } else if message.tree.hides(in_buffer, at) {
            ("**".to_owned(), '*')
        } else {
            (format!("{byte:02x}"), ascii(byte))
        };
        text_at(buffer, body, x + 1, y, &digits, style);
        if let Some(text) = self.fit.text {
            text_at(buffer, body, text + column, y, &shown.to_string(), style);
        }
    }

    /// The place in its row of the byte at offset `at`.
    fn column(&self, at: usize) -> u16 {
        (at % self.fit.bytes) as u16
    }

    /// Marks the byte at the cursor without any style, for terminals that have few, and the column that
    /// is typed in.
    fn mark(&self, y: u16, column: u16, buffer: &mut Buffer) {
        let Grid { app, body, .. } = *self;
        if app.pane != Pane::Grid {
            return;
        }
        let bold = Style::new().add_modifier(Modifier::BOLD);
        let x = self.fit.hex + 3 * column;
        text_at(buffer, body, x, y, "[", bold);
        text_at(buffer, body, x + 3, y, "]", bold);
        let typed = match app.typing {
            None => return,
            // Without a column of characters the byte itself stands for its character.
            Some(Column::Text) => self.fit.text.map_or((x + 1, 2), |text| (text + column, 1)),
            Some(Column::Hex(Digit::High)) => (x + 1, 1),
            Some(Column::Hex(Digit::Low)) => (x + 2, 1),
        };
        let area = Rect {
            x: body.x.saturating_add(typed.0),
            y: body.y.saturating_add(y),
            width: typed.1,
            height: 1,
        };
        buffer.set_style(
            area.intersection(body).intersection(buffer.area),
            bold.add_modifier(Modifier::UNDERLINED)
                .remove_modifier(Modifier::REVERSED),
        );
    }
}

/// The title with the buffers as tabs, and the legend behind it; returns what is below.
fn head(app: &App, message: &OpenMessage, area: Rect, buffer: &mut Buffer) -> Rect {
    let n = message.tree.buffers().len();
    let len = message.bytes().len();
    let key = |action| app.config.keymap.name_of(action);
    let text = match (n, message.buffer().0) {
        _ if app.typing.is_some() => {
            format!("bytes ({len})  changing, {} ends", key(Action::EndEditing))
        }
        (0 | 1, _) => format!("bytes ({len})"),
        (2, 0) => format!("bytes ({len})  {}: decompressed", key(Action::NextBuffer)),
        (n, 0) => format!(
            "bytes ({len})  {}: {} decompressed",
            key(Action::NextBuffer),
            n - 1
        ),
        (2, _) => format!(
            "decompressed ({len})  {}: its field",
            key(Action::ThroughCodec)
        ),
        (n, nth) => format!(
            "decompressed {nth} of {} ({len})  {}: its field",
            n - 1,
            key(Action::ThroughCodec)
        ),
    };
    let body = title(app, Pane::Grid, &text, area, buffer);
    let from = u16::try_from(text.width() + 3).unwrap_or(u16::MAX);
    legend(app, message, area, from, buffer);
    body
}

fn selection(focused: bool, cursor: bool) -> Style {
    let style = Style::new().add_modifier(Modifier::REVERSED);
    match (focused, cursor) {
        (true, true) => style.add_modifier(Modifier::UNDERLINED | Modifier::BOLD),
        _ => style,
    }
}

/// The sections of the bytes, in the title row behind the title; in short where the names have no
/// room.
fn legend(app: &App, message: &OpenMessage, area: Rect, from: u16, buffer: &mut Buffer) {
    let sections: Vec<Section> = LEGEND
        .into_iter()
        .filter(|&section| message.has_section(section))
        .collect();
    let room = usize::from(area.width.saturating_sub(from));
    let needed = |name: fn(Section) -> &'static str| -> usize {
        sections
            .iter()
            .map(|&section| name(section).len() + 1)
            .sum()
    };
    let name = match needed(Section::name) <= room + 1 {
        true => Section::name,
        false => short_name,
    };
    let mut x = from;
    for section in sections {
        x = text_at(
            buffer,
            area,
            x,
            0,
            name(section),
            app.theme.section(section),
        ) + 1;
    }
}

fn short_name(section: Section) -> &'static str {
    match section {
        Section::Frame => "frame",
        Section::Header => "header",
        Section::Request | Section::Response => "body",
        Section::RecordBatch => "batch",
        Section::Record => "record",
        Section::TaggedFields => "tags",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_as_long_as_it_fits() {
        let of = |room| {
            let fit = Fit::of(1_000, room);
            (fit.bytes, fit.text.is_some())
        };
        assert_eq!(
            (of(200), of(75), of(72)),
            ((16, true), (16, true), (16, true))
        );
        assert_eq!((of(71), of(40)), ((8, true), (8, true)));
        assert_eq!((of(39), of(31)), ((8, false), (8, false)));
        assert_eq!((of(30), of(24)), ((4, true), (4, true)));
        // Labels of a large buffer are longer.
        assert_eq!(Fit::of(1 << 20, 40).text, None);
        assert_eq!(width(1_000), Fit::of(1_000, 200).width);
        for len in [1, 1_000, 1 << 20, 1 << 30] {
            for room in 14..200 {
                let fit = Fit::of(len, room);
                assert!(fit.width <= room, "{len} in {room}: {fit:?}");
            }
        }
    }
}
