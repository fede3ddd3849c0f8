//! The lines at the bottom: what is selected, and what can be pressed.

use ratatui::{buffer::Buffer, layout::Rect, style::Style};
use unicode_width::UnicodeWidthStr;

use super::{hints, styled::plain, text_at, wrapped};
use crate::{
    event::{Code, Problem, Role, Severity, Value},
    explain::ErrorCode,
    render::{Cut, Wording, columns, escape_sentence, escape_str, provenance},
    tree::{Found, NodeId},
    tui::{App, message::OpenMessage, views::Pager},
};

/// Bytes of the selected field that the line shows.
const RAW: usize = 8;

/// Path, range, bytes and meaning of the selected field; a problem there comes first.
pub(super) fn draw(app: &App, area: Rect, buffer: &mut Buffer) {
    let mut parts: Vec<(String, Style)> = Vec::new();
    if let Some(looked) = app.searching {
        let what = match app.pasted.is_shown() {
            true => "messages",
            false => "exchanges",
        };
        let text = format!("searching, {looked} {what} so far; Esc stops");
        parts.push((text, app.theme.error()));
    }
    if let Some(hint) = &app.hint {
        let text = escape_sentence(hint);
        parts.push((text, app.theme.error()));
    }
    if let Some((name, n_bytes)) = &app.saving {
        let text = format!(
            "saving {}, {n_bytes} bytes so far; Esc stops",
            escape_str(name)
        );
        parts.push((text, app.theme.error()));
    }
    if let Some(sentence) = app.hit_sentence() {
        parts.push((sentence, app.theme.mark()));
    }
    if let Some(first) = app.first_key {
        let seconds = app.config.keymap.seconds(first).join(", ");
        let text = format!("{first} ... {seconds}");
        wrapped(buffer, area, &[(&text, app.theme.dim())]);
        return;
    }
    let note = app.exchange().and_then(|idx| app.bookmarks.note(idx));
    if let Some(note) = note.filter(|note| !note.is_empty()) {
        parts.push((format!("note: {}", escape_str(note)), app.theme.mark()));
    }
    match (app.pager(), &app.message) {
        // What is below a view has nothing to say while it is covered; a line that is cut has.
        (Some(pager), _) => parts.extend(cut_line(app, pager).map(|text| (text, Style::new()))),
        (None, Some(message)) => field(app, message, &mut parts),
        (None, None) => {}
    }
    let parts: Vec<(&str, Style)> = parts
        .iter()
        .map(|(text, style)| (text.as_str(), *style))
        .collect();
    wrapped(buffer, area, &parts);
}

/// The selected line of a view, if it has no room there.
fn cut_line(app: &App, pager: &Pager) -> Option<String> {
    let line = pager.lines().get(pager.cursor)?;
    let text = plain(&line.text);
    (text.width() > super::pager::line_width(app)).then(|| text.trim().to_owned())
}

/// Whether the answer to the last key has no room in `area`, which is the line of a small screen: it is
/// there until the next key, and the keys are there again then.
pub(super) fn needs_hints(app: &App, area: Rect) -> bool {
    let hint = app.hint.as_ref();
    area.height == 1 && hint.is_some_and(|hint| hint.width() > usize::from(area.width))
}

fn field(app: &App, message: &OpenMessage, parts: &mut Vec<(String, Style)>) {
    let id = message.selected();
    let Some(columns) = columns(&message.tree, id, Wording::Counted, Cut::Short) else {
        return;
    };
    let span = message.span();
    let here = message.tree.problems().iter().find(|found| {
        let place = found.problem.span;
        place.buffer == span.buffer
            && (span.covers(place) || place.contains(span.buffer, message.byte))
            && (found.node == id || message.tree.value(id).is_some())
    });
    let found = message.current_problem().or(here);
    if let Some(found) = found {
        // The text may be long, and where it is must not be cut.
        parts.push((columns.range.clone(), app.theme.dim()));
        problem(app, message, &found.problem, parts);
    }
    let path = message.tree.path(id);
    parts.push((
        if path.is_empty() { columns.name } else { path },
        Style::new(),
    ));
    if found.is_none() {
        parts.push((columns.range, app.theme.dim()));
    }
    if message.tree.value(id).is_some() {
        let bytes = message.tree.bytes(span);
        let text = match message.tree.is_hidden(id) {
            true => "**".to_owned(),
            false => raw(bytes),
        };
        parts.push((text, Style::new()));
    }
    if let Some(code) = error_code(message, id) {
        for text in [code.meaning(), code.advice()].into_iter().flatten() {
            parts.push((text.to_owned(), Style::new()));
        }
    }
    parts.push((columns.meaning, app.theme.dim()));
    if let Some((origin, file)) = message.origin() {
        let place = provenance::byte(origin, message.byte, file);
        parts.push((place, app.theme.dim()));
    }
}

/// A problem, and what comes of the diagnosis of a message that has an error.
fn problem(app: &App, message: &OpenMessage, problem: &Problem, parts: &mut Vec<(String, Style)>) {
    let text = escape_str(&problem.message);
    let text = format!("{}: {text}", problem.severity.name());
    parts.push((text, app.theme.error()));
    if problem.severity != Severity::Error {
        return;
    }
    let is_diagnosis = |found: &&Found| found.problem.code == Code::Diagnosis;
    if let Some(found) = message.tree.problems().iter().find(is_diagnosis) {
        let text = escape_str(&found.problem.message);
        parts.push((format!("diagnosis: {text}"), Style::new()));
    }
}

/// The error code that a field holds, if it says that something went wrong.
fn error_code(message: &OpenMessage, id: NodeId) -> Option<ErrorCode> {
    let node = message.tree.node(id)?;
    match message.tree.value(id)? {
        Value::Int16(code) if node.role == Role::ErrorCode => {
            Some(ErrorCode(code)).filter(|&code| code != ErrorCode::NONE)
        }
        _ => None,
    }
}

fn raw(bytes: &[u8]) -> String {
    let mut text: Vec<String> = bytes
        .iter()
        .take(RAW)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    if bytes.len() > RAW {
        text.push("…".to_owned());
    }
    text.join(" ")
}

/// The keys that a newcomer needs, and how far the index is.
pub(super) fn draw_hints(app: &App, area: Rect, buffer: &mut Buffer) {
    let status = &app.status;
    let counted = match (app.pasted.shown(), status.len) {
        (Some((_, 1)), _) => "1 message".to_owned(),
        (Some((_, n)), _) => format!("{n} messages"),
        (None, 1) => "1 exchange".to_owned(),
        (None, 0) if app.is_bare() => "no capture".to_owned(),
        (None, n) => format!("{n} exchanges"),
    };
    let mut state = match &status.failure {
        Some(failure) => escape_str(failure),
        // All that there is has been read, and more may come.
        None if app.pasted.is_shown() => counted,
        None if (0.999..1.0).contains(&status.progress) => {
            format!("waiting for more, {counted}")
        }
        None if status.progress < 1.0 && !status.is_sized => format!("indexing, {counted}"),
        None if status.progress < 1.0 => {
            format!("indexing {:.0} %, {counted}", 100.0 * status.progress)
        }
        None => counted,
    };
    match status.n_notes {
        0 => {}
        1 => state.push_str(", 1 note (N)"),
        n => state.push_str(&format!(", {n} notes (N)")),
    }
    let room = usize::from(area.width);
    let start = room.saturating_sub(state.width());
    let hints = hints::line(app, start.saturating_sub(2));
    text_at(buffer, area, 0, 0, &hints, app.theme.dim());
    let style = match status.failure {
        Some(_) => app.theme.error(),
        None => Style::new(),
    };
    let x = u16::try_from(start.saturating_sub(2)).unwrap_or(0);
    text_at(buffer, area, x, 0, &format!("  {state}"), style);
}
