//! The two lines at the bottom: what is selected, and what can be pressed.

use ratatui::{buffer::Buffer, layout::Rect, style::Style};
use unicode_width::UnicodeWidthStr;

use super::text_at;
use crate::{
    render::{Cut, Wording, columns, escape_str},
    tui::App,
};

/// Bytes of the selected field that the line shows.
const RAW: usize = 8;

/// Path, range, bytes and meaning of the selected field; a problem there comes first.
pub(super) fn draw(app: &App, area: Rect, buffer: &mut Buffer) {
    let Some(message) = &app.message else {
        return;
    };
    let id = message.selected();
    let Some(columns) = columns(&message.tree, id, Wording::Counted, Cut::Short) else {
        return;
    };
    let span = message.span();
    let mut x = 0;
    let problem = message.tree.problems().iter().find(|found| {
        let place = found.problem.span;
        place.buffer == span.buffer
            && (span.covers(place) || place.contains(span.buffer, message.byte))
            && (found.node == id || message.tree.value(id).is_some())
    });
    if let Some(found) = problem {
        let text = format!(
            "{}: {}",
            found.problem.severity.name(),
            escape_str(&found.problem.message)
        );
        x = text_at(buffer, area, x, 0, &text, app.theme.error()) + 2;
    }
    let mut path = message.tree.path(id);
    if path.is_empty() {
        path = columns.name;
    }
    x = text_at(buffer, area, x, 0, &path, Style::new()) + 2;
    x = text_at(buffer, area, x, 0, &columns.range, app.theme.dim()) + 2;
    if message.tree.value(id).is_some() {
        let bytes = message.tree.bytes(span);
        let mut raw: String = bytes
            .iter()
            .take(RAW)
            .map(|byte| match message.tree.is_hidden(id) {
                true => "** ".to_owned(),
                false => format!("{byte:02x} "),
            })
            .collect();
        if bytes.len() > RAW {
            raw.push_str("… ");
        }
        x = text_at(buffer, area, x, 0, &raw, Style::new()) + 1;
    }
    text_at(buffer, area, x, 0, &columns.meaning, app.theme.dim());
}

/// The keys that a newcomer needs, and how far the index is.
pub(super) fn draw_hints(app: &App, area: Rect, buffer: &mut Buffer) {
    let hints =
        "? help   Tab pane   n/p exchange   r request/response   e problem   z zoom   q quit";
    let state = match &app.failure {
        Some(failure) => escape_str(failure),
        None if app.progress < 1.0 => {
            format!(
                "indexing {:.0} %, {} exchanges",
                100.0 * app.progress,
                app.len
            )
        }
        None => format!("{} exchanges", app.len),
    };
    let room = usize::from(area.width);
    let start = room.saturating_sub(state.width());
    text_at(buffer, area, 0, 0, hints, app.theme.dim());
    let style = match app.failure {
        Some(_) => app.theme.error(),
        None => Style::new(),
    };
    let x = u16::try_from(start.saturating_sub(2)).unwrap_or(0);
    text_at(buffer, area, x, 0, &format!("  {state}"), style);
}
