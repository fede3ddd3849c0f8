//! What keys, the mouse and commands do to the columns of the list.

use ratatui::layout::{Position, Rect};

use super::travel::named_field;

use crate::{
    query::Column,
    schema::Direction,
    tree::NodeId,
    tui::{App, Effect, Row, columns::Columns, keys::Action, message::OpenMessage, view},
};

/// Columns of the screen that a key makes a column wider by.
const STEP: usize = 2;

impl App {
    pub(super) fn act_on_columns(&mut self, action: Action) -> Effect {
        let here = self.columns.cursor;
        match action {
            Action::ColumnLeft => self.move_column_cursor(-1),
            Action::ColumnRight => self.move_column_cursor(1),
            Action::Narrower => self.widen_column(|width| width.saturating_sub(STEP)),
            Action::Wider => self.widen_column(|width| width + STEP),
            Action::FitColumn => self.fit_column(here),
            Action::OrderByColumn => {
                let column = self.columns.all().get(here);
                let name = column.map(|column| column.name.clone());
                return name.map_or(Effect::None, |name| self.order_by(&name));
            }
            _ => {}
        }
        Effect::None
    }

    /// Moves to a column to the left or right, and brings it to the screen.
    pub(super) fn move_column_cursor(&mut self, by: isize) {
        let last = self.columns.all().len().saturating_sub(1);
        let cursor = self.columns.cursor.saturating_add_signed(by).min(last);
        self.columns.cursor = cursor;
        let Some(natural) = self
            .columns
            .all()
            .get(cursor)
            .map(|column| column.natural())
        else {
            return;
        };
        let area = view::layout(self).exchanges;
        if cursor == 0 {
            self.columns.first = None;
            return;
        }
        if self.columns.first.is_none() && view::placing(self, area).shows(cursor, natural) {
            return;
        }
        // Directly behind the first one it is on the screen as much as can be.
        let start = self.columns.first.unwrap_or(0).min(cursor - 1);
        for first in start..cursor {
            self.columns.first = Some(first);
            if view::placing(self, area).shows(cursor, natural) {
                break;
            }
        }
    }

    /// Makes the column at the cursor as wide as `width` makes of what it is on the screen.
    fn widen_column(&mut self, width: impl Fn(usize) -> usize) {
        let here = self.columns.cursor;
        let placing = view::placing(self, view::layout(self).exchanges);
        let shown = placing.columns.iter().find(|placed| placed.idx == here);
        let natural = self.columns.all().get(here).map(|column| column.natural());
        if let Some(now) = shown.map(|placed| placed.width).or(natural) {
            self.resize_column(here, width(now));
            self.keep_widths();
        }
    }

    /// Lets a column be as wide as it is by itself; one that is so already gets the width that the texts
    /// on the screen need.
    pub(super) fn fit_column(&mut self, idx: usize) {
        if let Some(name) = self.columns.free(idx) {
            self.memory.forget_width(name);
            self.hint = Some(format!(
                "column {name} is as wide as its texts, within limits"
            ));
            self.typed = true;
            return;
        }
        let rows = listed(&self.rows, |place| self.list.at(place));
        if let Some(width) = self.columns.content_width(idx, rows) {
            self.resize_column(idx, width);
            self.keep_widths();
        }
    }

    fn resize_column(&mut self, idx: usize, width: usize) {
        if let Some((name, width)) = self.columns.resize(idx, width) {
            self.hint = Some(format!("column {name} is {width} wide"));
        }
    }

    /// Makes a column end where the mouse is.
    pub(in crate::tui) fn drag_column(&mut self, idx: usize, area: Rect, at: Position) {
        let placing = view::placing(self, area);
        let placed = placing.columns.iter().find(|placed| placed.idx == idx);
        if let Some(start) = placed.map(|placed| placed.x) {
            let x = usize::from(at.x.saturating_sub(area.x));
            self.resize_column(idx, x.saturating_sub(start));
        }
    }

    /// Remembers widths that were chosen, for the next run.
    pub(in crate::tui) fn keep_widths(&mut self) {
        for column in self.columns.all() {
            if let Some(width) = column.width {
                self.memory.keep_width(&column.name, width);
            }
        }
        self.typed = true;
    }

    /// Shows other columns; none for the usual ones, as wide as they are by themselves.
    pub(super) fn choose_columns(&mut self, names: &[String]) -> Result<Effect, Vec<String>> {
        let columns = match names.is_empty() {
            true => {
                self.memory.forget_widths();
                self.typed = true;
                Ok(Columns::default())
            }
            false => Columns::parse(names, &self.columns),
        };
        let mut columns = columns.map_err(|wrong| vec![wrong])?;
        columns.widen_as(|name| self.memory.width(name));
        columns.see_rows(&self.rows.1);
        columns.see_len(self.status.len);
        self.columns = columns;
        self.keep_widths();
        Ok(Effect::None)
    }

    /// Makes the selected field a column of the list, or takes that column away.
    pub(super) fn toggle_field_column(&mut self) {
        let result = match &self.message {
            None => Err("no message is open".to_owned()),
            Some(message) => {
                field_column(message, message.selected()).and_then(|name| self.toggle_column(&name))
            }
        };
        self.hint = Some(result.unwrap_or_else(|wrong| wrong));
    }

    /// Adds a column by its name or its path, or takes it away; what came of it.
    fn toggle_column(&mut self, name: &str) -> Result<String, String> {
        let is_there = self.columns.all().iter().any(|column| column.name == name);
        let sign = if is_there { '-' } else { '+' };
        self.choose_columns(&[format!("{sign}{name}")])
            .map_err(|wrong| wrong.join(" "))?;
        Ok(match is_there {
            true => format!("{name} is no column any more"),
            false => format!("{name} is a column of the list now"),
        })
    }

    /// The same for what stands behind a command.
    pub(super) fn add_column(&mut self, name: &str) -> Result<Effect, Vec<String>> {
        let name = match (name, &self.message) {
            ("", Some(message)) => {
                field_column(message, message.selected()).map_err(|wrong| vec![wrong])?
            }
            ("", None) => return Err(vec!["no message is open".to_owned()]),
            (name, Some(message)) if Column::named(name).is_err() => {
                // A path of the message on the screen, as it stands in its tree.
                let id = named_field(&message.tree, name);
                let column = id.map(|id| field_column(message, id));
                column
                    .and_then(Result::ok)
                    .unwrap_or_else(|| name.to_owned())
            }
            (name, _) => name.to_owned(),
        };
        let said = self.toggle_column(&name).map_err(|wrong| vec![wrong])?;
        self.hint = Some(said);
        Ok(Effect::None)
    }

    /// Asks for texts of the rows on the screen that take a decode.
    pub(super) fn fill_columns(&mut self) -> Effect {
        let names = self.columns.made_names();
        if names.is_empty() {
            return Effect::None;
        }
        let rows = listed(&self.rows, |place| self.list.at(place));
        match self.columns.missing(rows) {
            Some(exchanges) => Effect::Fill { names, exchanges },
            None => Effect::None,
        }
    }
}

/// The rows on the screen with the exchanges that they are of.
fn listed<'a>(
    (first, rows): &'a (usize, Vec<Row>),
    exchange: impl Fn(usize) -> Option<usize> + 'a,
) -> impl Iterator<Item = (usize, &'a Row)> {
    let places = (*first..).zip(rows);
    places.filter_map(move |(place, row)| Some((exchange(place)?, row)))
}

/// The name of the column that shows a field.
///
/// # Errors
/// Why no column can.
fn field_column(message: &OpenMessage, id: NodeId) -> Result<String, String> {
    let path = message.tree.path(id);
    let header = ["RequestHeader.", "ResponseHeader."];
    let in_header = header.iter().find_map(|header| path.strip_prefix(header));
    let name = match in_header {
        Some("client_id") => "client_id".to_owned(),
        Some("correlation_id") => "correlation_id".to_owned(),
        Some("request_api_key") => "key".to_owned(),
        Some("request_api_version") => "v".to_owned(),
        _ if path.is_empty() || path.starts_with("Frame") || in_header.is_some() => {
            return Err("only fields of a body and of its header are columns".to_owned());
        }
        None | Some(_) => {
            let direction = message.decoded.as_ref().map(|decoded| decoded.direction);
            let root = match direction {
                Some(Direction::Request) => "request.body",
                Some(Direction::Response) => "response.body",
                None => return Err("what has no header has no columns".to_owned()),
            };
            format!("{root}.{path}")
        }
    };
    match Column::named(&name) {
        Ok(_) => Ok(name),
        Err(mistake) => Err(format!("{path} cannot be a column: {mistake}")),
    }
}
