//! `stats`: the exchanges of a capture, counted.

use anyhow::anyhow;
use clap::ValueEnum;

use super::{
    Outcome,
    args::{StatsArgs, StatsBy, StatsSort},
    capture,
    output::Output,
    screen, segment,
};
use crate::{
    render::{
        Extent, Room, encrypted_json, encrypted_text, group_json, group_text, row_json, stats_text,
        total_json, transactions_json, transactions_text,
    },
    session::{Exchange, Index, Session},
    stats::{
        By, Encrypted, Group, Keep, Sort, Transactions, encrypted, groups, stats, transactions,
    },
};

/// Rows of a table that are printed: all tables fit a screen or two.
const ROWS: usize = 15;

/// Tables that are printed.
const TABLES: [StatsBy; 5] = [
    StatsBy::Api,
    StatsBy::Client,
    StatsBy::Topic,
    StatsBy::Error,
    StatsBy::Time,
];

/// Bars of the chart of time.
const BUCKETS: usize = 20;

pub(super) fn run(args: &StatsArgs, output: &mut Output) -> anyhow::Result<Outcome> {
    if let Some((path, file)) = segment::only(&args.inputs)? {
        let mut by = args.by.iter().flatten();
        if by.any(|by| *by != StatsBy::Codec) {
            return Err(anyhow!(
                "{}: this is a log segment, of which the one table is codec",
                path.display()
            ));
        }
        segment::refuse_for_exchanges(path, &args.for_exchanges.given(&["by"]))?;
        return segment::stats(args, path, &file, output);
    }
    let by = sections(args.by.as_deref().unwrap_or(&TABLES))?;
    let filter = args.filter.parse(output)?;
    let session = capture::index(&args.inputs, &args.port, &args.keylog, output)?;
    let index = session.index();
    if index.is_empty() {
        output.remark(&session.absence());
        if !args.groups && !args.transactions {
            closed(args, &encrypted(&index), output)?;
        }
        return Ok(Outcome::Nothing);
    }
    let keep = |exchange: &Exchange| {
        let filter = filter.as_ref();
        filter.is_none_or(|filter| filter.takes(&session, &index, exchange))
    };
    if filter.is_some() && !index.exchanges().any(|exchange| keep(&exchange)) {
        output.remark(&format!(
            "the filter takes none of {} exchanges",
            index.len()
        ));
        return Ok(Outcome::Nothing);
    }
    if args.groups {
        return group_timelines(args, &groups(&session, &index, &keep), output);
    }
    if args.transactions {
        return transaction_timelines(args, &transactions(&session, &index, &keep), output);
    }
    tables(args, &by, &session, &index, &keep, output)?;
    Ok(Outcome::Fine)
}

fn transaction_timelines(
    args: &StatsArgs,
    found: &Transactions,
    output: &mut Output,
) -> anyhow::Result<Outcome> {
    if found.ids.is_empty() && found.producers.is_empty() {
        output.remark("no transaction and no idempotent producer in the capture");
        return Ok(Outcome::Nothing);
    }
    if args.json {
        for line in transactions_json(found) {
            output.json(&line)?;
        }
        return Ok(Outcome::Fine);
    }
    let (palette, marks) = (output.palette(), screen::marks());
    let extent = args.top.map_or(Extent::All, Extent::Top);
    output.stream(|out| transactions_text(out, found, palette, marks, extent))?;
    Ok(Outcome::Fine)
}

fn group_timelines(
    args: &StatsArgs,
    groups: &[Group],
    output: &mut Output,
) -> anyhow::Result<Outcome> {
    if groups.is_empty() {
        output.remark("no request about a group in the capture");
        return Ok(Outcome::Nothing);
    }
    let (palette, marks) = (output.palette(), screen::marks());
    let extent = args.top.map_or(Extent::All, Extent::Top);
    let cut = screen::cut(args.wide);
    for (nth, group) in groups.iter().enumerate() {
        if args.json {
            for line in group_json(group) {
                output.json(&line)?;
            }
            continue;
        }
        if nth > 0 {
            output.line("")?;
        }
        output.stream(|out| group_text(out, group, palette, marks, extent, cut))?;
    }
    Ok(Outcome::Fine)
}

fn tables(
    args: &StatsArgs,
    by: &[By],
    session: &Session,
    index: &Index,
    keep: Keep<'_>,
    output: &mut Output,
) -> anyhow::Result<()> {
    let sort = sort(args.sort.unwrap_or(StatsSort::Exchanges));
    let buckets = args.buckets.unwrap_or(BUCKETS);
    let stats = stats(session, index, keep, by, sort, buckets);
    if args.json {
        output.json(&total_json(&stats))?;
        for table in &stats.tables {
            for row in &table.rows {
                output.json(&row_json(table, row))?;
            }
        }
        return closed(args, &encrypted(index), output);
    }
    let (palette, marks) = (output.palette(), screen::marks());
    let room = match (screen::room(), args.wide) {
        (Room::Bound(columns), true) => Room::Free(columns),
        (room, _) => room,
    };
    output.stream(|out| stats_text(out, &stats, palette, marks, extent(args), room))?;
    let encrypted = encrypted(index);
    if !encrypted.is_empty() {
        output.line("")?;
    }
    closed(args, &encrypted, output)
}

/// The connections that nobody could look into.
fn closed(args: &StatsArgs, encrypted: &[Encrypted], output: &mut Output) -> anyhow::Result<()> {
    if args.json {
        for one in encrypted {
            output.json(&encrypted_json(one))?;
        }
        return Ok(());
    }
    let (palette, marks) = (output.palette(), screen::marks());
    output.stream(|out| encrypted_text(out, encrypted, palette, marks, extent(args)))
}

/// Rows of a table that are printed.
fn extent(args: &StatsArgs) -> Extent {
    match args.all {
        true => Extent::All,
        false => Extent::Top(args.top.unwrap_or(ROWS)),
    }
}

/// The tables in the order in which they were named, each once.
///
/// # Errors
/// One that only log segments have.
fn sections(by: &[StatsBy]) -> anyhow::Result<Vec<By>> {
    let mut sections = Vec::new();
    for by in by {
        let by = match by {
            StatsBy::Api => By::Api,
            StatsBy::Client => By::Client,
            StatsBy::Topic => By::Topic,
            StatsBy::Partition => By::Partition,
            StatsBy::Connection => By::Connection,
            StatsBy::Server => By::Server,
            StatsBy::Error => By::Error,
            StatsBy::Time => By::Time,
            StatsBy::Codec => {
                let names = StatsBy::value_variants().iter();
                let names = names.filter(|by| **by != StatsBy::Codec);
                let names = names.filter_map(StatsBy::to_possible_value);
                let names: Vec<String> = names.map(|name| name.get_name().to_owned()).collect();
                return Err(anyhow!(
                    "--by codec is for a log segment; captures have {}",
                    names.join(", ")
                ));
            }
        };
        if !sections.contains(&by) {
            sections.push(by);
        }
    }
    Ok(sections)
}

fn sort(sort: StatsSort) -> Sort {
    match sort {
        StatsSort::Exchanges => Sort::Exchanges,
        StatsSort::Bytes => Sort::Bytes,
        StatsSort::Latency => Sort::Latency,
        StatsSort::Errors => Sort::Errors,
    }
}
