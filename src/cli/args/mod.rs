//! Arguments as typed; clap reads them and writes the help.

mod bytes;
mod captures;
mod export;
mod for_exchanges;
mod reference;

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

pub(super) use bytes::{DecodeArgs, DecodePart, EncodeArgs};
pub(super) use captures::{CheckArgs, FailOn, ListArgs, ShowArgs, StatsArgs, StatsBy, StatsSort};
pub(super) use export::{ExportArgs, Format};
pub(super) use for_exchanges::{ForExchanges, subject};
pub(super) use reference::{
    ApisArgs, DiffArgs, DiffPart, ErrorArgs, ExampleArgs, ExamplePart, LayoutArgs, LayoutPart,
    SchemaArgs, SiteArgs,
};

use super::capture::KeylogArg;

/// Shows what Kafka clients and brokers said to each other, byte by byte.
#[derive(Debug, Parser)]
#[command(name = "kafscope", version, max_term_width = 100)]
pub(super) struct Args {
    #[command(subcommand)]
    pub command: Option<Command>,

    /// Captures to browse, or to list when standard output is no terminal; - for standard input. Or a
    /// file of hex text or raw bytes, which is printed as decode does where it holds no messages
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

    /// Message definitions of another Kafka release: a folder with Kafka's JSON files, a source
    /// checkout, or a kafka-clients jar. What the release does not define stays known
    #[arg(long, global = true, value_name = "DIR-or-JAR")]
    pub schemas: Option<PathBuf>,
}

impl Args {
    /// What was given in front of a command and means nothing to it.
    pub(super) fn misplaced(&self) -> Option<&'static str> {
        self.command.as_ref()?;
        if !self.inputs.is_empty() {
            Some("an input")
        } else if !self.port.is_empty() {
            Some("--port")
        } else if self.keylog.keylog.is_some() {
            Some("--keylog")
        } else {
            self.follow.then_some("--follow")
        }
    }
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
    /// Write exchanges or messages for others: a page, Markdown, a picture, JSON, CSV, Parquet, a
    /// smaller capture
    Export(ExportArgs),
    /// Print the documented layout of one version of an API
    Layout(LayoutArgs),
    /// Print a message definition, whole or as one version sees it
    Schema(SchemaArgs),
    /// Print a plausible request and response of an API
    Example(ExampleArgs),
    /// Say what differs between versions of an API, two messages, or two captures
    Diff(DiffArgs),
    /// List all APIs with their versions
    Apis(ApisArgs),
    /// Explain an error code
    Error(ErrorArgs),
    /// Write the whole reference as pages that link to each other
    Site(SiteArgs),
    /// Print a completion script for a shell
    Completions { shell: Shell },
    /// Print the manual page
    Man,
}
