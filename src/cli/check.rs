//! `check`: what is wrong in a capture.

use super::{Outcome, args::CheckArgs, capture, output::Output};
use crate::{
    check::{Extent, Options, check},
    render::{finding_json, findings_summary, findings_text},
    session::Exchange,
};

/// Exchanges that a finding names.
const NAMED: usize = 5;

pub(super) fn run(args: &CheckArgs, output: &mut Output) -> anyhow::Result<Outcome> {
    let filter = args.filter.parse(output)?;
    let session = capture::index_quietly(&args.inputs, &args.port, &args.keylog)?;
    let index = session.index();
    let extent = match args.all {
        true => Extent::All,
        false => Extent::First(NAMED),
    };
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
        for finding in &findings {
            for line in finding_json(finding, extent) {
                output.json(&line)?;
            }
        }
    } else if !findings.is_empty() || !index.is_empty() {
        let palette = output.palette();
        output.stream(|out| findings_text(out, &findings, palette, extent))?;
        let what = match findings_summary(&findings) {
            text if text.is_empty() => "nothing found".to_owned(),
            text => text,
        };
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
            "{what} in {} on {}{others}",
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

/// A count with its word, which takes an s for all but one.
fn n_of(n: usize, word: &str) -> String {
    match n {
        1 => format!("1 {word}"),
        n => format!("{n} {word}s"),
    }
}
