//! `--filter`: which exchanges a command looks at.

use anyhow::Context;

use crate::query::Filter;

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
    /// The filter, read and checked.
    pub(super) fn parse(&self) -> anyhow::Result<Option<Filter>> {
        let filter = self.filter.as_deref().map(Filter::parse).transpose();
        filter.context("--filter")
    }
}
