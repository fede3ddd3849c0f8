//! The object tree.

use ratatui::{buffer::Buffer, layout::Rect, style::Style};
use unicode_width::UnicodeWidthStr;

use super::{
    TREE_HEAD,
    scrollbar::{self, Mark},
    shorten,
    sideways::{self, Piece},
    text_at, titled,
};
use crate::{
    event::Severity,
    render::{Columns, Cut, Wording, columns},
    session::Reading,
    tree::NodeId,
    tui::{App, Pane, Side, config::TreeColumn, keys::Action, message::OpenMessage},
};

/// Columns that values keep on a narrow screen.
const LEAST_VALUE: usize = 20;

/// The fewest that they give way to.
const NARROW_VALUE: usize = 16;

/// Columns for the mark where a line is cut.
const MARK: usize = 2;

/// Columns that types keep.
const LEAST_TYPE: usize = 8;

/// A side of the exchange on the screen.
pub(super) struct Shown<'a> {
    message: Option<&'a OpenMessage>,
    side: Side,
    /// Whether it is the one that the keys belong to.
    is_chosen: bool,
    is_known: bool,
}

impl<'a> Shown<'a> {
    /// The side with the focus.
    pub(super) fn focused(app: &'a App) -> Shown<'a> {
        Shown {
            message: app.message.as_ref(),
            side: app.wanted_side(),
            is_chosen: true,
            is_known: app.shown.is_some(),
        }
    }

    /// The one beside it.
    pub(super) fn beside(app: &'a App) -> Option<Shown<'a>> {
        let beside = app.beside.as_ref().filter(|_| app.is_paired())?;
        Some(Shown {
            message: beside.message.as_ref(),
            side: beside.side,
            is_chosen: false,
            is_known: true,
        })
    }
}

pub(super) fn draw(app: &App, shown: &Shown<'_>, area: Rect, buffer: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let focused = shown.is_chosen && app.pane == Pane::Tree;
    let Some(message) = shown.message else {
        let area = titled(app, focused, shown.side.name(), area, buffer);
        if !shown.is_known && app.exchange().is_some() {
            text_at(buffer, area, 1, 0, "decoding ...", app.theme.dim());
        }
        if shown.is_known {
            let text = format!("the capture holds no {}", shown.side.name());
            let text = match shown.is_chosen {
                true => format!("{text}; r shows the other side"),
                false => text,
            };
            text_at(buffer, area, 1, 0, &text, app.theme.dim());
        }
        return;
    };
    let errors = message
        .tree
        .problems()
        .iter()
        .filter(|found| found.problem.severity == Severity::Error)
        .count();
    let mut text = match app.pasted.is_shown() {
        true => "pasted",
        false => shown.side.name(),
    }
    .to_owned();
    if let Some(columns) = columns(&message.tree, NodeId::ROOT, Wording::Counted, Cut::Short) {
        text = format!("{text}: {} {} {}", columns.name, columns.ty, columns.range);
    }
    if message.is_edited() {
        text.push_str(", edited");
    }
    if *message.reading() != Reading::Captured {
        text.push_str(", not as captured");
    }
    let key = app.config.keymap.name_of(Action::NextProblem);
    match errors {
        0 => {}
        1 => text.push_str(&format!(", 1 error ({key})")),
        errors => text.push_str(&format!(", {errors} errors ({key})")),
    }
    let area = titled(app, focused, &text, area, buffer);
    let bar = scrollbar::Scrolled {
        len: message.rows().len(),
        first: message.scroll,
        marks: &[
            (Mark::Problem, &message.tree_problems()),
            (Mark::Hit, &message.tree_hits()),
        ],
    };
    scrollbar::draw(app.theme, &bar, area, buffer);
    rows(app, message, focused, inside(area), buffer);
}

/// Rows of the tree as lines.
struct Lines {
    /// The row of each, with its pieces.
    rows: Vec<(usize, Vec<Piece>)>,
}

impl Lines {
    fn width(&self) -> usize {
        let widths = self.rows.iter().map(|(_, pieces)| sideways::width(pieces));
        widths.max().unwrap_or(0)
    }
}

/// How wide columns are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    /// So that the most of all of them is in sight.
    Room,
    /// As wide as their texts, of which a part is in sight.
    Texts,
}

/// Columns that lines are longer than a pane which takes `area`.
pub(in crate::tui) fn tree_overflow(app: &App, message: &OpenMessage, area: Rect) -> usize {
    let area = inside(Rect {
        height: area.height.saturating_sub(TREE_HEAD as u16),
        ..area
    });
    let lines = lines(app, message, area, Fit::Texts);
    lines.width().saturating_sub(usize::from(area.width))
}

/// What the scrollbar leaves of a pane.
fn inside(area: Rect) -> Rect {
    Rect {
        width: area.width.saturating_sub(scrollbar::WIDTH),
        ..area
    }
}

fn rows(app: &App, message: &OpenMessage, focused: bool, area: Rect, buffer: &mut Buffer) {
    let fit = match message.shift {
        0 => Fit::Room,
        _ => Fit::Texts,
    };
    let lines = lines(app, message, area, fit);
    // Other rows, which may be shorter, have come to the screen since.
    let most = lines.width().saturating_sub(usize::from(area.width));
    let skip = message.shift.min(most);
    for (idx, (row, pieces)) in lines.rows.iter().enumerate() {
        let y = u16::try_from(idx).unwrap_or(u16::MAX);
        sideways::line_at(buffer, area, y, pieces, skip, app.theme.dim());
        if *row == message.cursor {
            let line = Rect {
                y: area.y + y,
                height: 1,
                ..area
            };
            buffer.set_style(line, app.theme.selection(focused));
        }
    }
}

/// The rows on the screen.
fn lines(app: &App, message: &OpenMessage, area: Rect, fit: Fit) -> Lines {
    let shown: Vec<(usize, NodeId, Columns)> = message
        .rows()
        .iter()
        .enumerate()
        .skip(message.scroll)
        .take(usize::from(area.height))
        .filter_map(|(row, &id)| {
            let columns = columns(&message.tree, id, Wording::Counted, Cut::Short)?;
            Some((row, id, columns))
        })
        .collect();
    let room = match fit {
        // A meaning that has no room is marked behind the place, not on it.
        Fit::Room => usize::from(area.width).saturating_sub(MARK),
        Fit::Texts => usize::MAX / 4,
    };
    let widths = Widths::of(app, message, &shown, room);
    let rows = shown.iter().map(|(row, id, columns)| {
        let node = message.tree.node(*id);
        let section = node.map(|node| node.section).unwrap_or_default();
        let mut x = 0;
        let mut pieces = Vec::new();
        for column in &app.config.columns {
            let (text, width, style) = match column {
                TreeColumn::Name => {
                    let text = label(message, *id, columns);
                    (text, widths.name, app.theme.section(section))
                }
                TreeColumn::Value => {
                    let text = columns.value.clone().unwrap_or_default();
                    (text, widths.value, Style::new())
                }
                TreeColumn::Type => (columns.ty.to_string(), widths.ty, app.theme.dim()),
                TreeColumn::Place => (columns.range.clone(), widths.range, app.theme.dim()),
                TreeColumn::Meaning if !app.meanings => continue,
                TreeColumn::Meaning => (columns.meaning.clone(), widths.meaning, app.theme.dim()),
            };
            let text = shorten(&text, width).into_owned();
            pieces.push(Piece { x, text, style });
            x = x.saturating_add(width + 2);
        }
        (*row, pieces)
    });
    Lines {
        rows: rows.collect(),
    }
}

/// The name of a node behind what says whether it is folded, indented by depth.
fn label(message: &OpenMessage, id: NodeId, columns: &Columns) -> String {
    let marker = match (message.has_children(id), message.is_unfolded(id)) {
        (false, _) => "  ",
        (true, true) => "▾ ",
        (true, false) => "▸ ",
    };
    let indent = "  ".repeat(message.tree.depth(id));
    format!("{indent}{marker}{}", columns.name)
}

/// How wide the columns of a tree are.
struct Widths {
    name: usize,
    value: usize,
    ty: usize,
    range: usize,
    meaning: usize,
}

impl Widths {
    /// As wide as the longest text of the rows, as far as `room` has it for all of them.
    fn of(
        app: &App,
        message: &OpenMessage,
        shown: &[(usize, NodeId, Columns)],
        room: usize,
    ) -> Widths {
        let widest = |width: &dyn Fn(NodeId, &Columns) -> usize, limit: usize| {
            let widths = shown.iter().map(|(_, id, columns)| width(*id, columns));
            widths.max().unwrap_or(0).min(limit)
        };
        let ty = widest(&|_, columns| columns.ty.width(), 28);
        let range = widest(&|_, columns| columns.range.width(), 28);
        let name = widest(&|id, columns| label(message, id, columns).width(), room / 2);
        let value = |columns: &Columns| columns.value.as_deref().unwrap_or_default().width();
        let value = widest(&|_, columns| value(columns), room / 2);
        // A long value gives way to type and place, which are short, and then the type to the place.
        let others = name + ty + range + 6;
        // A little less of the value on a small screen, if that leaves a type its columns.
        let least = match room.saturating_sub(name + LEAST_TYPE + 4) {
            rest @ NARROW_VALUE..LEAST_VALUE => rest,
            _ => LEAST_VALUE,
        };
        let value = value.min(room.saturating_sub(others).max(least));
        let others = name + value + range + 6;
        let ty = ty.min(room.saturating_sub(others).max(LEAST_TYPE));
        // Only the last column may be as long as it likes.
        let meaning = match app.config.columns.last() {
            Some(TreeColumn::Meaning) => usize::MAX / 2,
            _ => widest(&|_, columns| columns.meaning.width(), room / 3),
        };
        Widths {
            name,
            value,
            ty,
            range,
            meaning,
        }
    }
}
