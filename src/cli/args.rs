//! Arguments as typed; clap reads them and writes the help.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use clap::{Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use super::{capture::KeylogArg, filter::FilterArg};
use crate::render::Parts;

/// Shows what Kafka clients and brokers said to each other, byte by byte.
#[derive(Debug, Parser)]
#[command(
    name = "kafscope",
    version,
    max_term_width = 100,
    args_conflicts_with_subcommands = true
)]
pub(super) struct Args {
    #[command(subcommand)]
    pub command: Option<Command>,

    /// Captures to browse, or to list when standard output is no terminal; - for standard input
    #[arg(value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,

    /// Look only at servers on this port; may be given several times
    #[arg(long, value_name = "PORT")]
    pub port: Vec<u16>,

    #[command(flatten)]
    pub keylog: KeylogArg,

    /// Go on at the end of files that are still being written, and with new ones of a directory or
    /// pattern
    #[arg(long)]
    pub follow: bool,

    /// When to colour the output
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: ColorWhen,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ColorWhen {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Print one line per exchange of a capture
    List(ListArgs),
    /// Print the annotated tree and the hex grid of exchanges
    Show(ShowArgs),
    /// Count the exchanges of a capture by API, client, topic and so on, or follow its groups and
    /// transactions
    Stats(StatsArgs),
    /// Say what is wrong in a capture; the exit status is 1 if anything is
    Check(CheckArgs),
    /// Decode pasted hex or raw bytes
    Decode(DecodeArgs),
    /// Encode a request or response from JSON values
    Encode(EncodeArgs),
    /// Print the documented layout of one version of an API
    Layout(LayoutArgs),
    /// List all APIs with their versions
    Apis(ApisArgs),
    /// Explain an error code
    Error(ErrorArgs),
    /// Print a completion script for a shell
    Completions { shell: Shell },
    /// Print the manual page
    Man,
}

#[derive(Debug, Default, clap::Args)]
pub(super) struct ListArgs {
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
    /// With --json, they are the members of each object. The usual ones: n, time, conn (or connection), client, server, api, v (version), client_id,
    /// topics, bytes, latency (latency_ms), error (errors). Others: kind, key (api_key),
    /// correlation_id, topics_cut, records, request_size (request.size), response_size, packet, request_packet,
    /// response_packet, request_time, response_time, latency_last (to the last byte), throttle,
    /// latency_net (without the throttle time), problems, request, response, type.
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
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,

    /// Do not cut texts to the width of the terminal
    #[arg(long)]
    pub wide: bool,
}

#[derive(Debug, clap::Args)]
pub(super) struct StatsArgs {
    /// Captures in order of time; - for standard input
    #[arg(value_name = "INPUT", required = true)]
    pub inputs: Vec<PathBuf>,

    /// Look only at servers on this port; may be given several times
    #[arg(long, value_name = "PORT")]
    pub port: Vec<u16>,

    #[command(flatten)]
    pub keylog: KeylogArg,

    #[command(flatten)]
    pub filter: FilterArg,

    /// Tables to print, separated by commas
    #[arg(
        long,
        value_name = "TABLES",
        value_delimiter = ',',
        default_value = "api,client,topic,error,time"
    )]
    pub by: Vec<StatsBy>,

    /// Print timelines of groups instead: who joined, left, got what and why
    #[arg(long, conflicts_with_all = ["by", "sort", "buckets"])]
    pub groups: bool,

    /// Print transactions instead, and the sequences of idempotent producers
    #[arg(long, conflicts_with_all = ["groups", "by", "sort", "buckets"])]
    pub transactions: bool,

    /// What decides which rows come first
    #[arg(long, value_name = "WHAT", default_value = "exchanges")]
    pub sort: StatsSort,

    /// Rows of each table that are printed, 15 unless said otherwise; of timelines, events, all
    #[arg(long, value_name = "N")]
    pub top: Option<usize>,

    /// Print all rows
    #[arg(long, conflicts_with = "top")]
    pub all: bool,

    /// Bars of the chart of time at most
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub buckets: usize,

    /// Print one JSON object a row, all rows
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum StatsBy {
    /// API and version
    Api,
    /// Client id and client software
    Client,
    Topic,
    /// Partition of a topic, of APIs that do something with it
    Partition,
    Connection,
    /// Error code and API
    Error,
    /// Buckets of time, as a bar chart
    Time,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum StatsSort {
    Exchanges,
    /// Requests and responses together
    Bytes,
    /// The p99 of latencies
    Latency,
    /// Errors, then unanswered requests
    Errors,
}

#[derive(Debug, clap::Args)]
pub(super) struct CheckArgs {
    /// Captures in order of time; - for standard input
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
pub(super) enum FailOn {
    Error,
    Warning,
    Note,
    /// The exit status is 0 whatever is found
    Never,
}

fn milliseconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(ms) if ms >= 0.0 => Ok(ms),
        _ => Err("expected a number of milliseconds, as 500 or 0.5".to_owned()),
    }
}

#[derive(Debug, clap::Args)]
pub(super) struct ShowArgs {
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

#[derive(Debug, Default, clap::Args)]
pub(super) struct DecodeArgs {
    /// File with hex text or raw bytes, or - for standard input
    #[arg(value_name = "INPUT", default_value = "-")]
    pub input: PathBuf,

    /// The bytes are requests
    #[arg(long, conflicts_with_all = ["response", "structure"])]
    pub request: bool,

    /// The bytes are responses; needs --api and --version
    #[arg(
        long,
        requires = "api",
        requires = "version",
        conflicts_with = "structure"
    )]
    pub response: bool,

    /// API of the responses, by name or key
    #[arg(long, value_name = "API")]
    pub api: Option<String>,

    /// Version of the requests that the responses answer
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub version: Option<i16>,

    /// Decode a body or data structure without header, as DeleteTopicsRequest:6; without a version
    /// the leading number of stored structures tells it. Also RecordBatch, MessageSet, SaslToken,
    /// MetadataRecord, RemoteLogMetadataRecord, ControlRecordKey and MetricsData
    #[arg(long = "as", value_name = "NAME[:VERSION]")]
    pub structure: Option<String>,

    /// Print one JSON object a message
    #[arg(long)]
    pub json: bool,

    /// Add the object tree to the JSON
    #[arg(long, requires = "json")]
    pub tree: bool,

    /// Print only one part
    #[arg(long, value_name = "PART", conflicts_with = "json")]
    pub only: Option<DecodePart>,

    /// Do not cut long values and meanings
    #[arg(long)]
    pub wide: bool,

    /// Print passwords, tokens and proofs of SASL, which are hidden otherwise
    #[arg(long)]
    pub show_secrets: bool,
}

impl DecodeArgs {
    /// Decoding `input` as whatever it is, in full.
    pub(super) fn of(input: &Path) -> DecodeArgs {
        DecodeArgs {
            input: input.to_owned(),
            ..DecodeArgs::default()
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum DecodePart {
    Tree,
    Grid,
}

impl From<Option<DecodePart>> for Parts {
    fn from(only: Option<DecodePart>) -> Parts {
        match only {
            None => Parts::All,
            Some(DecodePart::Tree) => Parts::Tree,
            Some(DecodePart::Grid) => Parts::Grid,
        }
    }
}

#[derive(Debug, clap::Args)]
pub(super) struct EncodeArgs {
    /// API by name or key; may be left out for messages as decode --json prints them
    #[arg(value_name = "API")]
    pub api: Option<String>,

    /// File with the values as JSON, or - for standard input (the default)
    #[arg(value_name = "VALUES")]
    pub values: Option<PathBuf>,

    /// Version; what the message says, or the newest
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub version: Option<i16>,

    /// Encode a request (the default)
    #[arg(long, conflicts_with_all = ["response", "structure"])]
    pub request: bool,

    /// Encode a response
    #[arg(long, conflicts_with = "structure")]
    pub response: bool,

    /// Encode a body or data structure without header, as DeleteTopicsRequest:6; without a version
    /// stored structures, as OffsetCommitKey, get the number that they are stored behind. Also
    /// RecordBatch
    #[arg(long = "as", value_name = "NAME[:VERSION]", conflicts_with = "version")]
    pub structure: Option<String>,

    /// Only the body, without size and header
    #[arg(long)]
    pub body: bool,

    /// Print hex digits; without it the bytes themselves, unless they would go to a terminal
    #[arg(long)]
    pub hex: bool,

    /// Correlation id in the header; what the message says, or 0
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub correlation_id: Option<i32>,

    /// Client id in the header of a request; what the message says, or null
    #[arg(long, value_name = "TEXT")]
    pub client_id: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(super) struct LayoutArgs {
    /// API by name or key
    #[arg(value_name = "API")]
    pub api: String,

    /// Version; the newest by default
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub version: Option<i16>,

    /// Only the request
    #[arg(long, conflicts_with = "response")]
    pub request: bool,

    /// Only the response
    #[arg(long)]
    pub response: bool,

    /// Print only one part
    #[arg(long, value_name = "PART")]
    pub only: Option<LayoutPart>,

    /// Do not cut long values and meanings
    #[arg(long)]
    pub wide: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum LayoutPart {
    Tree,
    Grid,
    Schema,
    Hex,
}

#[derive(Debug, clap::Args)]
pub(super) struct ApisArgs {
    /// Print one JSON object an API
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, clap::Args)]
pub(super) struct ErrorArgs {
    /// Code or name, as 3 or UNKNOWN_TOPIC_OR_PARTITION
    #[arg(value_name = "CODE-OR-NAME", allow_negative_numbers = true)]
    pub code: String,

    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
}
