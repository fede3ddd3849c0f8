//! `--filter`: which exchanges a command looks at.

use anyhow::Context;

use super::output::Output;
use crate::query::{Filter, Selection, Sort};

/// Which exchanges of a capture are looked at.
#[derive(Debug, Default, clap::Args)]
pub(super) struct FilterArg {
    /// Only exchanges for which an expression is true, as api == "Produce" && latency_ms > 100
    ///
    /// The language is CEL: "orders" in topics, errors.size() > 0, response == null, body.TimeoutMs > 1000,
    /// time > timestamp("2026-11-01T10:00:00Z"). Names are those of --json, fields of messages
    /// stand under body, request.body and response.body.
    #[arg(long, value_name = "EXPR")]
    pub filter: Option<String>,
}

impl FilterArg {
    /// The filter, read and checked; what is doubtful about it is a remark.
    pub(super) fn parse(&self, output: &mut Output) -> anyhow::Result<Option<Filter>> {
        let filter = self.filter.as_deref().map(Filter::parse).transpose();
        let filter = filter.context("--filter")?;
        for doubt in filter.iter().flat_map(Filter::doubts) {
            output.remark(&format!("--filter: {doubt}"));
            output.point(doubt);
        }
        Ok(filter)
    }
}

/// Which exchanges a command prints, and in which order.
///
/// # Errors
/// A filter or an order that cannot work.
pub(super) fn selection(
    filter: &FilterArg,
    sort: Option<&str>,
    limit: Option<usize>,
    output: &mut Output,
) -> anyhow::Result<Selection> {
    let sort = sort.map(Sort::parse).transpose();
    Ok(Selection {
        filter: filter.parse(output)?,
        sort: sort.context("--sort")?,
        limit,
    })
}
