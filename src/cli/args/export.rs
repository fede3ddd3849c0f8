//! Arguments of `export`.

use std::{ffi::OsString, path::PathBuf, str::FromStr};

use clap::ValueEnum;

use super::ForExchanges;
use crate::cli::{capture::KeylogArg, filter::FilterArg};

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct ExportArgs {
    #[command(flatten)]
    pub for_exchanges: ForExchanges,

    /// Captures, then the numbers of exchanges as list counts them, also as 3-7; all of them if
    /// there is no number. Or a file with hex text or raw bytes, as decode reads it. - is standard
    /// input
    #[arg(value_name = "INPUT... N", required = true)]
    pub inputs_and_numbers: Vec<OsString>,

    /// What to write; told by the end of the name of the output if it is not given
    #[arg(long, value_name = "FORMAT", required_unless_present = "output")]
    pub format: Option<Format>,

    /// Write to a file, which is there when it is complete
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub filter: FilterArg,

    /// Columns of the exchanges, as list has them; Parquet has all otherwise
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub columns: Option<String>,

    /// Order the exchanges by a column; -COLUMN or COLUMN:desc for the largest first
    #[arg(long, value_name = "COLUMN", allow_hyphen_values = true)]
    pub sort: Option<String>,

    /// At most so many exchanges, of those that are left by the filter and in their order
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,

    /// Write out the messages of at most so many exchanges, or all; a page has 200 otherwise,
    /// Markdown and a picture have 20. The list has all of them
    #[arg(long, value_name = "N|all")]
    pub messages: Option<Most>,

    /// Look only at servers on this port; may be given several times
    #[arg(long, value_name = "PORT")]
    pub port: Vec<u16>,

    #[command(flatten)]
    pub keylog: KeylogArg,

    /// Only requests; of hex text and raw bytes, they are requests
    #[arg(long, conflicts_with_all = ["response", "structure"])]
    pub request: bool,

    /// Only responses; of hex text and raw bytes, they are responses, which needs --api and --version
    #[arg(long, conflicts_with = "structure")]
    pub response: bool,

    /// API of responses in hex text or raw bytes, by name or key
    #[arg(long, value_name = "API", requires = "response")]
    pub api: Option<String>,

    /// Version of the requests that these responses answer
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        requires = "response"
    )]
    pub version: Option<i16>,

    /// Decode hex text or raw bytes as a body or data structure, as decode does
    #[arg(long = "as", value_name = "NAME[:VERSION]")]
    pub structure: Option<String>,

    /// Add the object tree to JSON
    #[arg(long)]
    pub tree: bool,

    /// Cut and leave out nothing
    #[arg(long)]
    pub wide: bool,

    /// Write passwords, tokens and proofs of SASL, which are hidden otherwise, and into a capture the
    /// secrets of TLS that decrypt it, from the input or the key log, which makes it pcapng. Packets are
    /// written as they are in any case
    #[arg(long)]
    pub show_secrets: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Format {
    /// A page that stands by itself
    Html,
    /// Text for an issue or a readme
    Markdown,
    /// A picture
    Svg,
    /// A line for each exchange and each message
    Json,
    /// A table for spreadsheets, a row for each exchange
    Csv,
    /// A table for DuckDB, pandas, Polars and the like, with types: lists are lists, times are times
    Parquet,
    /// A capture with the packets of the exchanges; pcapng where their link types differ
    Pcap,
}

impl Format {
    /// The format that a file of this name has by custom.
    pub(in crate::cli) fn of(name: &std::path::Path) -> Option<Format> {
        let extension = name.extension()?.to_str()?.to_ascii_lowercase();
        Some(match extension.as_str() {
            "html" | "htm" => Format::Html,
            "md" | "markdown" => Format::Markdown,
            "svg" => Format::Svg,
            "json" | "jsonl" | "ndjson" => Format::Json,
            "csv" => Format::Csv,
            "parquet" => Format::Parquet,
            "pcap" | "pcapng" | "cap" => Format::Pcap,
            _ => return None,
        })
    }
}

/// A bound on a number of things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) struct Most(pub usize);

impl FromStr for Most {
    type Err = String;

    fn from_str(text: &str) -> Result<Most, String> {
        match text {
            "all" => Ok(Most(usize::MAX)),
            text => text
                .parse()
                .map(Most)
                .map_err(|_| "expected a number or all".to_owned()),
        }
    }
}
