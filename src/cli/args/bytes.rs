//! Arguments of the commands that turn bytes into messages and messages into bytes.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::FailOn;
use crate::render::Parts;

#[derive(Debug, Default, clap::Args)]
pub(in crate::cli) struct DecodeArgs {
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

    /// The least severity of a problem with which the exit status is 1, as it is then where bytes
    /// are not decoded at all; never, unless said otherwise
    #[arg(long, value_name = "SEVERITY")]
    pub fail_on: Option<FailOn>,
}

impl DecodeArgs {
    /// Decoding `input` as whatever it is, in full.
    pub(in crate::cli) fn of(input: &Path) -> DecodeArgs {
        DecodeArgs {
            input: input.to_owned(),
            ..DecodeArgs::default()
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum DecodePart {
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
pub(in crate::cli) struct EncodeArgs {
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
