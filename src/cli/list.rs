//! `list`: one line per exchange.

use std::{io::Write, time::Duration};

use serde_json::{Map, Value as Json};

use super::{
    Outcome,
    args::ListArgs,
    capture::{self, Until},
    live,
    output::Output,
    segment,
};
use crate::{
    render::{ExchangeTable, exchange_json, json_problems, write_json},
    schema::{Catalogue, Direction},
    session::{Exchange, Index, Session},
};

/// A pipe that has ended by then is no different from a file.
const PATIENCE: Duration = Duration::from_millis(300);

pub(super) fn run(args: &ListArgs, output: &mut Output) -> anyhow::Result<Outcome> {
    if let Some((path, file)) = segment::only(&args.inputs)? {
        return segment::list(args, path, &file, output);
    }
    let session = capture::open(&args.inputs, &args.port, Until::follows(args.follow))?;
    let mut lines = Lines::new(args.json);
    if session.capture().is_live() {
        capture::run(&session, |end| match end.within(PATIENCE) {
            true => Ok(()),
            false => live::rows(&session, end, &mut lines, output),
        })?;
    } else {
        capture::run(&session, |end| capture::progress(&session, end));
    }
    capture::notes(&session, output);
    if !lines.begun {
        lines.all(&session, output)?;
    }
    if session.index().is_empty() {
        output.remark(&session.absence());
        return Ok(Outcome::Nothing);
    }
    Ok(Outcome::Fine)
}

/// The lines of exchanges, as a table or as JSON.
pub(super) struct Lines {
    table: Option<ExchangeTable>,
    begun: bool,
}

impl Lines {
    fn new(json: bool) -> Lines {
        Lines {
            table: (!json).then(ExchangeTable::new),
            begun: false,
        }
    }

    /// Writes all exchanges of a capture that does not grow any more.
    fn all(&mut self, session: &Session, output: &mut Output) -> anyhow::Result<()> {
        let index = session.index();
        match &mut self.table {
            Some(_) if index.is_empty() => {}
            Some(table) => {
                table.measure(&index);
                table.head(output.raw())?;
                for exchange in index.exchanges() {
                    table.row(output.raw(), &index, &exchange)?;
                }
            }
            None => {
                for exchange in index.exchanges() {
                    json(session, &index, &exchange, output.raw())?;
                }
            }
        }
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
        if let (Some(table), false, false) = (&mut self.table, self.begun, exchanges.is_empty()) {
            table.measure(index);
            table.head(out)?;
        }
        self.begun |= !exchanges.is_empty();
        for exchange in exchanges {
            match &mut self.table {
                Some(table) => table.row(out, index, exchange)?,
                None => json(session, index, exchange, out)?,
            }
        }
        Ok(())
    }
}

fn json(
    session: &Session,
    index: &Index,
    exchange: &Exchange,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let mut line = exchange_json(index, exchange);
    if exchange.problems > 0 {
        line.insert("problems".into(), problems(session, exchange));
    }
    write_json(&mut *out, &line)?;
    out.write_all(b"\n")?;
    Ok(())
}

/// The problems of both messages, each with the direction it is in.
fn problems(session: &Session, exchange: &Exchange) -> Json {
    let mut all = Vec::new();
    for direction in [Direction::Request, Direction::Response] {
        let opened = session.open_message(Catalogue::embedded(), exchange, direction);
        let Some(Json::Array(problems)) = opened.map(|opened| json_problems(&opened.tree)) else {
            continue;
        };
        for problem in problems {
            let mut with_direction = Map::new();
            with_direction.insert("kind".into(), direction.name().into());
            if let Json::Object(problem) = problem {
                with_direction.extend(problem);
            }
            all.push(Json::Object(with_direction));
        }
    }
    Json::Array(all)
}
