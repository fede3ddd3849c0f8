//! Arguments of the commands that need neither captures nor bytes.

use clap::ValueEnum;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct LayoutArgs {
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
pub(in crate::cli) enum LayoutPart {
    Tree,
    Grid,
    Schema,
    Hex,
}

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct ApisArgs {
    /// Print one JSON object an API
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct ErrorArgs {
    /// Code or name, as 3 or UNKNOWN_TOPIC_OR_PARTITION
    #[arg(value_name = "CODE-OR-NAME", allow_negative_numbers = true)]
    pub code: String,

    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
}
