//! Arguments of the commands that read captures.

use std::{ffi::OsString, path::PathBuf};

use clap::{ValueEnum, builder::RangedU64ValueParser};

use super::{DecodePart, ForExchanges};
use crate::{
    cli::{Outcome, capture::KeylogArg, filter::FilterArg},
    event::Severity,
};

#[derive(Debug, Default, clap::Args)]
pub(in crate::cli) struct ListArgs {
    #[command(flatten)]
    pub for_exchanges: ForExchanges,

    /// Captures, or directories and patterns with captures, which are merged by time, or one log
    /// segment; - for standard input. Rows of a pipe come as exchanges are answered. Compressed,
    /// piped and followed input is kept in an unnamed file in TMPDIR
    #[arg(value_name = "INPUT", required = true)]
    pub inputs: Vec<PathBuf>,

    /// Look only at servers on this port; may be given several times
    #[arg(long, value_name = "PORT")]
    pub port: Vec<u16>,

    #[command(flatten)]
    pub keylog: KeylogArg,

    /// Go on at the end of files that are still being written, and with new ones of a directory or
    /// pattern, until an interrupt
    #[arg(long)]
    pub follow: bool,

    /// Print one JSON object an exchange
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub filter: FilterArg,

    /// Columns to show, as n,api,latency; +NAME adds one to the usual ones, -NAME takes one away
    ///
    /// With --json, they are the members of each object. The usual ones: n, time (with date in front of it
    /// where rows of a complete capture are of several days), conn (or connection), client, server, api, v (version), client_id,
    /// topics, bytes, latency (latency_ms), error (errors). Others: date, kind, key (api_key),
    /// correlation_id, status, topics_cut, records, request_size (request.size), response_size, packet,
    /// request_packet, response_packet, request_time, response_time, latency_last (to the last byte),
    /// throttle, latency_net (without the throttle time), client_host, server_host, proxied_client,
    /// tls, tls_version (tls.version), tls_suite, problems, request, response, type.
    ///
    /// Any field of a message by its path: body.Topics[].Name, request.body.TimeoutMs,
    /// response.body.ThrottleTimeMs; a list on the way stands for all its elements, [0] for one.
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub columns: Option<String>,

    /// Order the rows by a column; -COLUMN or COLUMN:desc for the largest first. Rows of a pipe then
    /// come all at once, at its end
    #[arg(long, value_name = "COLUMN", allow_hyphen_values = true)]
    pub sort: Option<String>,

    /// Print at most so many rows, of those that are left by the filter and in their order
    #[arg(long, value_name = "N", value_parser = most, allow_negative_numbers = true)]
    pub limit: Option<usize>,

    /// Do not cut texts to the width of the terminal
    #[arg(long)]
    pub wide: bool,
}

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct StatsArgs {
    #[command(flatten)]
    pub for_exchanges: ForExchanges,

    /// Captures in order of time, or a log segment; - for standard input
    #[arg(value_name = "INPUT", required = true)]
    pub inputs: Vec<PathBuf>,

    /// Look only at servers on this port; may be given several times
    #[arg(long, value_name = "PORT")]
    pub port: Vec<u16>,

    #[command(flatten)]
    pub keylog: KeylogArg,

    #[command(flatten)]
    pub filter: FilterArg,

    /// Tables to print, separated by commas; api,client,topic,error,time unless said otherwise
    #[arg(long, value_name = "TABLES", value_delimiter = ',')]
    pub by: Option<Vec<StatsBy>>,

    /// Print timelines of groups instead: who joined, left, got what and why
    #[arg(long, conflicts_with_all = ["by", "sort", "buckets"])]
    pub groups: bool,

    /// Print transactions instead, and the sequences of idempotent producers
    #[arg(long, conflicts_with_all = ["groups", "by", "sort", "buckets"])]
    pub transactions: bool,

    /// What decides which rows come first; exchanges unless said otherwise
    #[arg(long, value_name = "WHAT")]
    pub sort: Option<StatsSort>,

    /// Rows of each table that are printed, 15 unless said otherwise; of timelines, events, all
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pub top: Option<usize>,

    /// Print all rows
    #[arg(long, conflicts_with = "top")]
    pub all: bool,

    /// Do not cut ids and lists of names, nor tables to the width of the terminal
    #[arg(long)]
    pub wide: bool,

    /// Bars of the chart of time at most, 20 unless said otherwise
    #[arg(long, value_name = "N")]
    pub buckets: Option<usize>,

    /// Print one JSON object a row, all rows
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum StatsBy {
    /// API and version
    Api,
    /// Client id and client software
    Client,
    Topic,
    /// Partition of a topic, of APIs that do something with it
    Partition,
    Connection,
    /// Where clients connected to, and the broker that listens there
    Server,
    /// Error code and API
    Error,
    /// Buckets of time, as a bar chart
    Time,
    /// How batches of a log segment are compressed; the only table that one has
    Codec,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum StatsSort {
    Exchanges,
    /// Requests and responses together
    Bytes,
    /// The p99 of latencies
    Latency,
    /// Errors, then unanswered requests
    Errors,
}

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct CheckArgs {
    #[command(flatten)]
    pub for_exchanges: ForExchanges,

    /// Captures in order of time, or a log segment; - for standard input
    #[arg(value_name = "INPUT", required = true)]
    pub inputs: Vec<PathBuf>,

    /// Look only at servers on this port; may be given several times
    #[arg(long, value_name = "PORT")]
    pub port: Vec<u16>,

    #[command(flatten)]
    pub keylog: KeylogArg,

    #[command(flatten)]
    pub filter: FilterArg,

    /// Find answers that took so many milliseconds or more
    #[arg(long, value_name = "MS", value_parser = milliseconds)]
    pub slow: Option<f64>,

    /// The least severity with which the exit status is 1
    #[arg(long, value_name = "SEVERITY", default_value = "warning")]
    pub fail_on: FailOn,

    /// Print each occurrence by itself
    #[arg(long)]
    pub all: bool,

    /// Print one JSON object a finding
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum FailOn {
    Error,
    Warning,
    Note,
    /// The exit status is 0 whatever is found
    Never,
}

impl FailOn {
    /// What comes of a command that met nothing worse than `worst`.
    pub(in crate::cli) fn outcome(self, worst: Option<Severity>) -> Outcome {
        let least = match self {
            FailOn::Error => Severity::Error,
            FailOn::Warning => Severity::Warning,
            FailOn::Note => Severity::Note,
            FailOn::Never => return Outcome::Fine,
        };
        match worst >= Some(least) {
            true => Outcome::Nothing,
            false => Outcome::Fine,
        }
    }
}

fn most(text: &str) -> Result<usize, String> {
    let expected = || "expected how many rows at most, 0 or more".to_owned();
    text.parse().map_err(|_| expected())
}

fn milliseconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(ms) if ms >= 0.0 => Ok(ms),
        _ => Err("expected a number of milliseconds, as 500 or 0.5".to_owned()),
    }
}

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct ShowArgs {
    #[command(flatten)]
    pub for_exchanges: ForExchanges,

    /// Captures, then the numbers of exchanges as list counts them, also as 3-7; with --filter,
    /// all of them if there is no number
    #[arg(value_name = "INPUT... N", required = true)]
    pub inputs_and_numbers: Vec<OsString>,

    #[command(flatten)]
    pub filter: FilterArg,

    /// Look only at servers on this port; may be given several times
    #[arg(long, value_name = "PORT")]
    pub port: Vec<u16>,

    #[command(flatten)]
    pub keylog: KeylogArg,

    /// Only the request
    #[arg(long, conflicts_with = "response")]
    pub request: bool,

    /// Only the response
    #[arg(long)]
    pub response: bool,

    /// Print one JSON object a message
    #[arg(long)]
    pub json: bool,

    /// Add the object tree to the JSON
    #[arg(long, requires = "json")]
    pub tree: bool,

    /// Print only one part
    #[arg(long, value_name = "PART", conflicts_with = "json")]
    pub only: Option<DecodePart>,

    /// Say which packet each byte came in
    #[arg(long)]
    pub provenance: bool,

    /// Do not cut long values and meanings
    #[arg(long)]
    pub wide: bool,

    /// Print passwords, tokens and proofs of SASL, which are hidden otherwise
    #[arg(long)]
    pub show_secrets: bool,
}
