//! `list`: one line per exchange.

use std::{io::Write, time::Duration};

use anyhow::Context;
use ratatui::crossterm::terminal;

use super::{
    Outcome,
    args::ListArgs,
    capture::{self, Until},
    filter::selection,
    live,
    output::Output,
    segment,
    spread::spread,
};
use crate::{
    query::{ColumnLine, ColumnTable, Selection, columns},
    render::{ExchangeJson, ExchangeTable, date},
    session::{Exchange, Index, Session},
};

/// A pipe that has ended by then is no different from a file.
const PATIENCE: Duration = Duration::from_millis(300);

pub(super) fn run(args: &ListArgs, output: &mut Output) -> anyhow::Result<Outcome> {
    let selection = selection(&args.filter, args.sort.as_deref(), args.limit, output)?;
    let mut lines = Lines::new(args, &selection, output)?;
    if let Some((path, file)) = segment::only(&args.inputs)? {
        segment::refuse_for_exchanges(path, &args.for_exchanges.given(&[]))?;
        return segment::list(args, path, &file, output);
    }
    let session = capture::open(
        &args.inputs,
        &args.port,
        &args.keylog,
        Until::follows(args.follow),
    )?;
    if session.capture().is_live() {
        capture::run(&session, |end| match end.within(PATIENCE) {
            true => Ok(()),
            // The last row to come may be the first in order.
            false if selection.sort.is_some() => {
                live::until_end(&session, end, &mut capture::Bar::new(&session))
            }
            false => live::rows(&session, end, &mut lines, output),
        })?;
    } else if let (Some(limit), None) = (selection.limit, &selection.sort) {
        capture::run_up_to_limit(&session, selection.filter.as_ref(), limit);
    } else {
        capture::run(&session, |end| capture::progress(&session, end));
    }
    capture::notes(&session, output);
    if !lines.begun {
        lines.all(&session, output)?;
    }
    lines.tell_left_out(output);
    let index = session.index();
    if index.is_empty() {
        output.remark(&session.absence());
        return Ok(Outcome::Nothing);
    }
    if lines.n_written == 0 && selection.filter.is_some() {
        output.remark(&format!(
            "the filter takes none of {} exchanges",
            index.len()
        ));
        return Ok(Outcome::Nothing);
    }
    Ok(Outcome::Fine)
}

impl ListArgs {
    /// Cells that a line has; `None` for as many as it takes.
    fn room(&self, output: &Output) -> Option<usize> {
        match output.is_terminal() && !self.wide {
            true => terminal::size().ok().map(|(width, _)| width.into()),
            false => None,
        }
    }

    /// What lines look like: the usual table goes the short way.
    fn form(&self, room: Option<usize>) -> anyhow::Result<Form> {
        let chosen = self.columns.as_deref().map(columns).transpose();
        let chosen = chosen.context("--columns")?;
        Ok(match (self.json, chosen, room) {
            (true, None, _) => Form::Json(ExchangeJson::default()),
            (true, Some(columns), _) => Form::ColumnJson(ColumnLine::new(columns)),
            (false, None, None) => Form::Table(ExchangeTable::new()),
            (false, chosen, room) => Form::columns(ColumnTable::new(chosen, room)),
        })
    }
}

/// What lines look like.
#[derive(Clone)]
enum Form {
    Table(ExchangeTable),
    ColumnTable(Box<ColumnTable>),
    Json(ExchangeJson),
    ColumnJson(ColumnLine),
}

impl Form {
    fn columns(table: ColumnTable) -> Form {
        Form::ColumnTable(Box::new(table))
    }

    /// Appends the line of an exchange.
    fn line(&mut self, session: &Session, index: &Index, exchange: &Exchange, text: &mut Vec<u8>) {
        match self {
            Form::Table(table) => table.row(text, index, exchange),
            Form::ColumnTable(table) => table.row(text, session, index, exchange),
            Form::Json(json) => json.line(text, session, index, exchange),
            Form::ColumnJson(json) => json.line(text, session, index, exchange),
        }
    }
}

/// The first and the last day that rows are of, if there are several.
fn days(index: &Index, numbers: &[usize]) -> Option<(String, String)> {
    let (first, last) = index.times()?;
    if date(first) == date(last) {
        return None;
    }
    let times = numbers
        .iter()
        .filter_map(|&n| Some(index.exchange(n)?.time()));
    let ends = times.fold(None, |ends: Option<(i64, i64)>, time| match ends {
        Some((first, last)) => Some((first.min(time), last.max(time))),
        None => Some((time, time)),
    });
    let (first, last) = ends?;
    let (first, last) = (date(first), date(last));
    (first != last).then_some((first, last))
}

/// Lines that a thread makes at a time: with all their text they fit into a processor's cache.
const PART: usize = 1_000;

/// The lines of exchanges, as a table or as JSON.
pub(super) struct Lines<'a> {
    form: Form,
    /// Whether somebody said which columns there are to be.
    is_chosen: bool,
    /// Cells of a line of the terminal.
    room: Option<usize>,
    selection: &'a Selection,
    begun: bool,
    n_written: usize,
}

impl<'a> Lines<'a> {
    fn new(args: &ListArgs, selection: &'a Selection, output: &Output) -> anyhow::Result<Self> {
        let room = args.room(output);
        Ok(Lines {
            form: args.form(room)?,
            is_chosen: args.columns.is_some(),
            room,
            selection,
            begun: false,
            n_written: 0,
        })
    }

    /// Says which columns are not there because the terminal is narrow.
    fn tell_left_out(&self, output: &mut Output) {
        let Form::ColumnTable(table) = &self.form else {
            return;
        };
        let names = table.left_out();
        if !names.is_empty() {
            output.remark(&format!(
                "no room for {}; --wide shows all columns, --columns chooses",
                names.join(", ")
            ));
        }
    }

    /// Whether there are as many lines as are wanted.
    pub(super) fn is_full(&self) -> bool {
        let limit = self.selection.limit;
        limit.is_some_and(|limit| self.n_written >= limit)
    }

    /// Writes the exchanges of a capture that does not grow any more.
    fn all(&mut self, session: &Session, output: &mut Output) -> anyhow::Result<()> {
        let index = session.index();
        let index = &*index;
        let numbers = self.selection.numbers(session, index);
        if numbers.is_empty() {
            return Ok(());
        }
        let is_table = matches!(self.form, Form::Table(_) | Form::ColumnTable(_));
        let days = match is_table {
            true => days(index, &numbers),
            false => None,
        };
        if days.is_some() && !self.is_chosen {
            self.form = Form::columns(ColumnTable::dated(self.room));
        }
        self.head(session, index, &numbers, output.raw())?;
        self.n_written = numbers.len();
        if let Some((from, to)) = days
            && !matches!(&self.form, Form::ColumnTable(table) if table.shows_days())
        {
            output.remark(&format!(
                "rows are of several days, from {from} to {to}; --columns +date shows which"
            ));
        }
        let form = &self.form;
        let parts: Vec<&[usize]> = numbers.chunks(PART).collect();
        let make = |form: &mut Form, part: usize, text: &mut Vec<u8>| {
            text.clear();
            let numbers = parts.get(part).copied().unwrap_or_default();
            for exchange in numbers.iter().filter_map(|&n| index.exchange(n)) {
                form.line(session, index, &exchange, text);
            }
        };
        spread(
            parts.len(),
            || form.clone(),
            Vec::new,
            make,
            |text| output.raw().write_all(text),
        )?;
        Ok(())
    }

    /// Writes the next exchanges of one that does.
    pub(super) fn write(
        &mut self,
        session: &Session,
        index: &Index,
        exchanges: &[Exchange],
        out: &mut Vec<u8>,
    ) -> anyhow::Result<()> {
        let left = self.selection.limit.unwrap_or(usize::MAX) - self.n_written;
        let wanted: Vec<&Exchange> = exchanges
            .iter()
            .filter(|exchange| self.takes(session, index, exchange))
            .take(left)
            .collect();
        if self.n_written == 0 && !wanted.is_empty() {
            let numbers: Vec<usize> = wanted.iter().map(|exchange| exchange.n as usize).collect();
            self.head(session, index, &numbers, out)?;
        }
        self.begun |= !exchanges.is_empty();
        self.n_written += wanted.len();
        for exchange in wanted {
            self.form.line(session, index, exchange, out);
        }
        Ok(())
    }

    /// Writes exchanges again of which more is known now.
    pub(super) fn write_again(
        &mut self,
        session: &Session,
        index: &Index,
        exchanges: &[Exchange],
        out: &mut Vec<u8>,
    ) {
        for exchange in exchanges {
            self.form.line(session, index, exchange, out);
        }
    }

    /// Whether the exchange is among those that are wanted.
    pub(super) fn takes(&self, session: &Session, index: &Index, exchange: &Exchange) -> bool {
        let filter = self.selection.filter.as_ref();
        filter.is_none_or(|filter| filter.takes(session, index, exchange))
    }

    /// Writes what stands above the lines of the exchanges of these numbers.
    fn head(
        &mut self,
        session: &Session,
        index: &Index,
        numbers: &[usize],
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        match &mut self.form {
            Form::Table(table) => {
                if self.selection.is_all() {
                    table.measure(index);
                } else {
                    let nth = |idx| numbers.get(idx).and_then(|&n| index.exchange(n));
                    table.measure_these(index, numbers.len(), nth);
                }
                table.head(out)?;
            }
            Form::ColumnTable(table) => {
                table.measure(session, index, numbers);
                table.head(out)?;
            }
            Form::Json(_) | Form::ColumnJson(_) => {}
        }
        Ok(())
    }
}
