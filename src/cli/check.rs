//! `check`: what is wrong in a capture, or in a log segment.

use std::path::Path;

use super::{Outcome, args::CheckArgs, capture, output::Output, segment};
use crate::{
    check::{Extent, Finding, Options, check, check_segment},
    render::{finding_json, findings_summary, findings_text},
    session::{Exchange, Plain},
};

/// Exchanges that a finding names.
const NAMED: usize = 5;

pub(super) fn run(args: &CheckArgs, output: &mut Output) -> anyhow::Result<Outcome> {
    if let Some((path, file)) = segment::only(&args.inputs)? {
        return of_segment(args, path, &file, output);
    }
    let filter = args.filter.parse(output)?;
    let session = capture::index_quietly(&args.inputs, &args.port, &args.keylog)?;
    let index = session.index();
    let extent = extent(args);
    let options = Options {
        extent,
        slow: args.slow.map(|ms| (ms * 1e6).min(i64::MAX as f64) as i64),
    };
    let keep = |exchange: &Exchange| {
        let filter = filter.as_ref();
        filter.is_none_or(|filter| filter.takes(&session, &index, exchange))
    };
    let findings = check(&session, &index, &keep, options);
    if args.json {
        json(&findings, extent, output)?;
    } else if !findings.is_empty() || !index.is_empty() {
        let palette = output.palette();
        output.stream(|out| findings_text(out, &findings, palette, extent))?;
        let connections = index.connections();
        let n_silent = connections
            .iter()
            .filter(|connection| connection.n_exchanges == 0)
            .count();
        let others = match n_silent {
            0 => String::new(),
            n => format!("; {} without exchanges", n_of(n, "connection")),
        };
        output.line(format_args!(
            "{} in {} on {}{others}",
            summary(&findings),
            n_of(index.len(), "exchange"),
            n_of(connections.len() - n_silent, "connection")
        ))?;
    }
    if index.is_empty() {
        output.remark(&session.absence());
        return Ok(Outcome::Nothing);
    }
    let worst = findings.iter().map(|finding| finding.severity).max();
    Ok(args.fail_on.outcome(worst))
}

/// The same of a log segment.
fn of_segment(
    args: &CheckArgs,
    path: &Path,
    file: &Plain,
    output: &mut Output,
) -> anyhow::Result<Outcome> {
    segment::refuse_for_exchanges(path, &args.for_exchanges.given(&[]))?;
    let extent = extent(args);
    let (findings, n_batches) = check_segment(file, extent);
    if args.json {
        json(&findings, extent, output)?;
    } else {
        let palette = output.palette();
        output.stream(|out| findings_text(out, &findings, palette, extent))?;
        let batches = match n_batches {
            1 => "1 batch".to_owned(),
            n => format!("{n} batches"),
        };
        output.line(format_args!("{} in {batches}", summary(&findings)))?;
    }
    let worst = findings.iter().map(|finding| finding.severity).max();
    Ok(args.fail_on.outcome(worst))
}

fn extent(args: &CheckArgs) -> Extent {
    match args.all {
        true => Extent::All,
        false => Extent::First(NAMED),
    }
}

fn json(findings: &[Finding], extent: Extent, output: &mut Output) -> anyhow::Result<()> {
    for line in findings
        .iter()
        .flat_map(|finding| finding_json(finding, extent))
    {
        output.json(&line)?;
    }
    Ok(())
}

fn summary(findings: &[Finding]) -> String {
    match findings_summary(findings) {
        text if text.is_empty() => "nothing found".to_owned(),
        text => text,
    }
}

/// A count with its word, which takes an s for all but one.
fn n_of(n: usize, word: &str) -> String {
    match n {
        1 => format!("1 {word}"),
        n => format!("{n} {word}s"),
    }
}
