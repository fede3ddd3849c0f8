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

/// The columns at which bytes and characters start, given the digits of the labels.
fn columns(digits: usize) -> (u16, u16) {
    let hex = digits as u16 + 1;
    (hex, hex + 3 * BYTES_PER_ROW as u16 + 3)
}

/// The byte under a place on the screen, when the grid takes `area`.
pub(in crate::tui) fn byte_at(message: &OpenMessage, area: Rect, at: Position) -> Option<usize> {
    let len = message.bytes().len();
    let (hex, text) = columns(label_width(len));
    let row = usize::from(at.y.checked_sub(area.y)?).checked_sub(GRID_HEAD)?;
    let column = at.x.checked_sub(area.x)?;
    let inside = if column >= text {
        usize::from(column - text)
    } else {
        usize::from(column.checked_sub(hex)?) / 3
    };
    let byte = (message.grid_scroll + row) * BYTES_PER_ROW + inside;
    (inside < BYTES_PER_ROW && byte < len).then_some(byte)
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
    bar(app, message, body, buffer);
    let len = message.bytes().len();
    let digits = label_width(len);
    let (hex, text) = columns(digits);
    let grid = Grid {
        app,
        message,
        body,
        digits,
        hex,
        text,
    };
    grid.numbers(buffer);
    for y in 1..body.height {
        let start = (message.grid_scroll + usize::from(y) - 1) * BYTES_PER_ROW;
        match message.bytes().get(start..len.min(start + BYTES_PER_ROW)) {
            None | Some([]) => break,
            Some(bytes) => grid.row(y, start, bytes, buffer),
        }
    }
}

/// Draws the bar beside the bytes, however wide the pane.
fn bar(app: &App, message: &OpenMessage, body: Rect, buffer: &mut Buffer) {
    let len = message.bytes().len();
    let rows = Rect {
        y: body.y.saturating_add(1),
        height: body.height.saturating_sub(1),
        width: body.width.min(width(len)),
        ..body
    };
    let bar = scrollbar::Scrolled {
        len: len.div_ceil(BYTES_PER_ROW),
        first: message.grid_scroll,
        marks: &[
            (Mark::Problem, &message.grid_problems()),
            (Mark::Hit, &message.grid_hits()),
        ],
    };
    scrollbar::draw(app.theme, &bar, rows, buffer);
}

/// A grid that is drawn below its title: `y` counts from the row with the numbers of the columns.
struct Grid<'a> {
    app: &'a App,
    message: &'a OpenMessage,
    body: Rect,
    /// Digits of the labels.
    digits: usize,
    /// The columns at which bytes and characters start.
    hex: u16,
    text: u16,
}

impl Grid<'_> {
    fn numbers(&self, buffer: &mut Buffer) {
        let dim = self.app.theme.dim();
        for column in 0..BYTES_PER_ROW {
            let x = self.hex + 3 * column as u16 + 1;
            text_at(buffer, self.body, x, 0, &format!("{column:X}"), dim);
        }
    }

    /// The row of the bytes from `start` on.
    fn row(&self, y: u16, start: usize, bytes: &[u8], buffer: &mut Buffer) {
        let Grid {
            message,
            body,
            digits,
            text,
            ..
        } = *self;
        let dim = self.app.theme.dim();
        text_at(buffer, body, 0, y, &format!("{start:0digits$x}"), dim);
        text_at(buffer, body, text - 1, y, "|", dim);
        let sections = message.sections(start, bytes.len());
        for (at, (&byte, &section)) in (start..).zip(bytes.iter().zip(&sections)) {
            self.byte(y, at, byte, section, buffer);
        }
        let end = text + bytes.len() as u16;
        text_at(buffer, body, end, y, "|", dim);
        // What has no room is not left out without a sign.
        if body.width < text + BYTES_PER_ROW as u16 + 1 {
            let last = body.width.saturating_sub(1);
            text_at(buffer, body, last, y, "…", dim);
        }
        if (start..start + bytes.len()).contains(&message.byte) {
            self.mark(y, column(message.byte), buffer);
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
        let column = column(at);
        let x = self.hex + 3 * column;
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
        let x = self.text + column;
        text_at(buffer, body, x, y, &shown.to_string(), style);
    }

    /// Marks the byte at the cursor without any style, for terminals that have few, and the column that
    /// is typed in.
    fn mark(&self, y: u16, column: u16, buffer: &mut Buffer) {
        let Grid { app, body, .. } = *self;
        if app.pane != Pane::Grid {
            return;
        }
        let bold = Style::new().add_modifier(Modifier::BOLD);
        let x = self.hex + 3 * column;
        text_at(buffer, body, x, y, "[", bold);
        text_at(buffer, body, x + 3, y, "]", bold);
        let typed = match app.typing {
            None => return,
            Some(Column::Text) => (self.text + column, 1),
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

/// The place in its row of the byte at offset `at`.
fn column(at: usize) -> u16 {
    (at % BYTES_PER_ROW) as u16
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
