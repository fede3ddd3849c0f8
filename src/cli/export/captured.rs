//! Exchanges of a capture: documents with their messages, lines of JSON, rows of tables.

use std::{collections::HashSet, io::Write, ops::RangeInclusive, path::PathBuf};

use anyhow::Context;

use super::{
    counted::{Counted, Counter},
    document::{Document, Row},
    left_out_remark, packets, parquet, shared_name,
    target::Target,
};
use crate::{
    cli::{
        Outcome,
        args::{ExportArgs, Format},
        capture,
        filter::selection,
        numbers,
        output::{self, Output},
        spread::spread,
    },
    query::{Column, ColumnCells, ColumnCsv, ColumnLine, ParquetColumns, columns},
    render::{
        ExchangeJson, Fact, Head, JsonLine, Sheet, exchange_facts, exchange_title, message_facts,
        provenance, write_json,
    },
    schema::{Catalogue, Direction},
    session::{Exchange, Index, Opened, Session},
    tree::Secrecy,
};

/// Rows of the list of a document that are written without being asked for: browsers take no more
/// of them in a moment.
const ROWS: usize = 5_000;

/// Rows of CSV that a thread makes at a time.
const PART: usize = 2_000;

pub(super) fn run(
    args: &ExportArgs,
    inputs: &[PathBuf],
    ranges: &[RangeInclusive<usize>],
    format: Format,
    output: &mut Output,
) -> anyhow::Result<Outcome> {
    let selection = selection(&args.filter, args.sort.as_deref(), args.limit, output)?;
    let list = args.columns.as_deref();
    // Its usual columns are others.
    let (table, columns) = match format {
        Format::Parquet => (Some(ParquetColumns::new(list).context("--columns")?), None),
        _ => (None, list.map(columns).transpose().context("--columns")?),
    };
    // Names that come late in a capture are for what comes early, and an excerpt is looked for in
    // all of it: so it is read whole.
    let session = capture::index(inputs, &args.port, &args.keylog, output)?;
    let len = session.index().len();
    let nothing = |output: &mut Output| {
        // A file with all columns and no rows is what programs expect that read many of them.
        if let Some(table) = &table {
            parquet::write(table, &session, &[], args.target(output)?)?;
        }
        if format == Format::Csv {
            let mut target = args.target(output)?;
            target.write_all(ColumnCsv::new(columns.clone()).head().as_bytes())?;
            target.finish()?;
        }
        Ok(Outcome::Nothing)
    };
    if len == 0 {
        output.remark(&session.absence());
        return nothing(output);
    }
    let mut outcome = Outcome::Fine;
    for missing in ranges
        .iter()
        .filter_map(|range| numbers::missing(range, len))
    {
        output.remark(&missing);
        outcome = Outcome::Nothing;
    }
    let numbers = selection.numbers_among(&session, &session.index(), ranges);
    if numbers.is_empty() {
        if outcome == Outcome::Fine {
            output.remark(&format!("the filter takes none of {len} exchanges"));
        }
        return nothing(output);
    }
    let chosen = Chosen {
        args,
        session: &session,
        numbers,
        columns,
    };
    match (format, Document::of(format)) {
        (_, Some(document)) => chosen.document(document, format, &shared_name(inputs), output)?,
        (Format::Csv, _) => chosen.csv(args.target(output)?)?,
        (Format::Pcap, _) => packets::write(args, &session, &chosen.numbers, output)?,
        _ => match &table {
            Some(table) => {
                parquet::write(table, &session, &chosen.numbers, args.target(output)?)?;
            }
            None => chosen.json(args.target(output)?)?,
        },
    }
    Ok(outcome)
}

impl ExportArgs {
    fn directions(&self) -> &'static [Direction] {
        match (self.request, self.response) {
            (true, _) => &[Direction::Request],
            (_, true) => &[Direction::Response],
            _ => &[Direction::Request, Direction::Response],
        }
    }
}

/// What was chosen of a capture.
struct Chosen<'a> {
    args: &'a ExportArgs,
    session: &'a Session,
    /// The exchanges, in the order in which they are written.
    numbers: Vec<usize>,
    columns: Option<Vec<Column>>,
}

impl Chosen<'_> {
    fn csv(self, mut target: Target<'_>) -> anyhow::Result<()> {
        let index = self.session.index();
        let (session, index) = (self.session, &*index);
        let csv = ColumnCsv::new(self.columns);
        target.write_all(csv.head().as_bytes())?;
        let parts: Vec<&[usize]> = self.numbers.chunks(PART).collect();
        let make = |csv: &mut ColumnCsv, part: usize, text: &mut Vec<u8>| {
            text.clear();
            let numbers = parts.get(part).copied().unwrap_or_default();
            for exchange in numbers.iter().filter_map(|&n| index.exchange(n)) {
                csv.line(text, session, index, &exchange);
            }
        };
        spread(
            parts.len(),
            || csv.clone(),
            Vec::new,
            make,
            |text| target.write_all(text),
        )?;
        target.finish()
    }

    fn json(self, mut target: Target<'_>) -> anyhow::Result<()> {
        let index = self.session.index();
        let mut columns = self.columns.clone().map(ColumnLine::new);
        let mut json = ExchangeJson::default();
        let mut lines = Vec::new();
        for exchange in self.numbers.iter().filter_map(|&n| index.exchange(n)) {
            lines.clear();
            // Who chooses columns wants these and nothing else.
            match &mut columns {
                Some(columns) => columns.line(&mut lines, self.session, &index, &exchange),
                None => {
                    json.line(&mut lines, self.session, &index, &exchange);
                    for &direction in self.args.directions() {
                        if let Some(opened) = self.open(&exchange, direction) {
                            self.message_line(&opened, &mut lines)?;
                        }
                    }
                }
            }
            target.write_all(&lines)?;
        }
        target.finish()
    }

    fn message_line(&self, opened: &Opened, lines: &mut Vec<u8>) -> anyhow::Result<()> {
        let head = head(opened);
        let line = JsonLine {
            comments: provenance::comments_json(self.session, &opened.gathered),
            shows_tree: self.args.tree,
            ..JsonLine::new(&opened.tree, &head)
        };
        write_json(&mut *lines, &line)?;
        lines.push(b'\n');
        Ok(())
    }

    fn document(
        self,
        mut document: Document,
        format: Format,
        name: &str,
        output: &mut Output,
    ) -> anyhow::Result<()> {
        let index = self.session.index();
        let n_written = self.args.most(format).min(self.numbers.len());
        let here = self.numbers.get(..n_written).unwrap_or_default();
        let mut written = Counter::default();
        let mut target = self.args.target(output)?;
        output::stream(&mut target, |out| {
            let out = &mut Counted(out, &mut written);
            match self.numbers.as_slice() {
                &[n] if n_written == 1 => {
                    let Some(exchange) = index.exchange(n) else {
                        return Ok(());
                    };
                    let mut facts = vec![
                        Fact::new("From", name),
                        Fact::new("Exchange", format!("{n} of {}", index.len())),
                    ];
                    facts.extend(exchange_facts(&index, &exchange));
                    document.open(out, &exchange_title(&index, &exchange), &facts)?;
                    self.messages(&mut document, out, &exchange, 2)?;
                }
                numbers => {
                    let title = match numbers.len() {
                        1 => "1 exchange".to_owned(),
                        len => format!("{len} exchanges"),
                    };
                    document.open(out, &title, &self.facts(name, &index))?;
                    self.list(&mut document, out, &index, here)?;
                    for exchange in here.iter().filter_map(|&n| index.exchange(n)) {
                        let title = exchange_title(&index, &exchange);
                        let facts = exchange_facts(&index, &exchange);
                        document.exchange(out, exchange.n as usize, &title, &facts)?;
                        self.messages(&mut document, out, &exchange, 3)?;
                        document.exchange_end(out)?;
                    }
                    let left_out = numbers.len() - n_written;
                    if left_out > 0 {
                        document.remark(out, &left_out_remark(left_out, "exchanges"))?;
                    }
                }
            }
            document.close(out)
        })?;
        target.finish()?;
        let left_out = self.numbers.len() - n_written;
        if left_out > 0 {
            output.remark(&left_out_remark(left_out, "exchanges"));
        }
        if format == Format::Markdown {
            written.complain(output);
        }
        Ok(())
    }

    fn facts(&self, name: &str, index: &Index) -> Vec<Fact> {
        let mut facts = vec![
            Fact::new("From", name),
            Fact::new(
                "Exchanges",
                format!("{} of {}", self.numbers.len(), index.len()),
            ),
        ];
        let filter = self.args.filter.filter.as_ref();
        facts.extend(filter.map(|filter| Fact::new("Filter", filter)));
        facts.extend(self.args.sort.as_ref().map(|sort| Fact::new("Order", sort)));
        facts
    }

    /// Adds the list of exchanges, those of `here` with links to their messages.
    fn list(
        &self,
        document: &mut Document,
        out: &mut dyn std::fmt::Write,
        index: &Index,
        here: &[usize],
    ) -> std::fmt::Result {
        let most = match self.args.wide {
            true => usize::MAX,
            false => ROWS,
        };
        let is_here: HashSet<usize> = here.iter().copied().collect();
        let mut cells = ColumnCells::new(self.columns.clone());
        let heads = cells.heads();
        let listed = self.numbers.iter().take(most);
        let mut rows = listed.filter_map(|&n| {
            let exchange = index.exchange(n)?;
            Some(Row {
                n,
                is_here: is_here.contains(&n),
                cells: cells.cells(self.session, index, &exchange),
            })
        });
        document.list(out, &heads, &mut rows)?;
        match self.numbers.len().saturating_sub(most) {
            0 => Ok(()),
            more => document.remark(
                out,
                &format!("{more} more exchanges are not listed; --wide lists all of them."),
            ),
        }
    }

    fn messages(
        &self,
        document: &mut Document,
        out: &mut dyn std::fmt::Write,
        exchange: &Exchange,
        level: u8,
    ) -> std::fmt::Result {
        for &direction in self.args.directions() {
            let opened = self.open(exchange, direction);
            let (Some(opened), Some(message)) = (opened, exchange.message(direction)) else {
                let none = format!("The capture holds no {}.", direction.name());
                document.remark(out, &none)?;
                continue;
            };
            let mut sheet = Sheet::new(&opened.tree, &head(&opened), self.args.cut());
            let (title, mark) = match direction {
                Direction::Request => ("Request", 'q'),
                Direction::Response => ("Response", 'r'),
            };
            sheet.title = title.to_owned();
            sheet.anchor = format!("x{}{mark}", exchange.n);
            sheet.facts.extend(message_facts(message));
            document.message(out, &sheet, level)?;
        }
        Ok(())
    }

    fn open(&self, exchange: &Exchange, direction: Direction) -> Option<Opened> {
        let catalogue = Catalogue::current();
        let mut opened = self.session.open_message(catalogue, exchange, direction)?;
        if self.args.show_secrets {
            opened.tree.set_secrecy(Secrecy::Show);
        }
        Some(opened)
    }
}

fn head(opened: &Opened) -> Head<'_> {
    match &opened.decoded {
        Some(decoded) => Head::Message(decoded),
        None => Head::SaslToken,
    }
}
