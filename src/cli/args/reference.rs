//! Arguments of the commands that need neither captures nor bytes.

use std::{ffi::OsString, path::PathBuf};

use clap::ValueEnum;

use crate::cli::capture::KeylogArg;

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
    /// The definition as Kafka writes it
    Schema,
    Hex,
    /// The wire diagram: header and structs, fields with type and size
    Wire,
    /// Fields and types in short, and an example in the same lines
    Notation,
    /// What the API is for, who calls it, its errors
    About,
    /// What each version changed
    History,
}

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct SchemaArgs {
    /// API by name or key, or any definition by name, as OffsetCommitKey; with :VERSION as that
    /// version sees it
    #[arg(value_name = "NAME[:VERSION]")]
    pub name: String,

    /// Only the request
    #[arg(long, conflicts_with = "response")]
    pub request: bool,

    /// Only the response
    #[arg(long)]
    pub response: bool,

    /// Print fields and types in short, of one version
    #[arg(long)]
    pub notation: bool,
}

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct ExampleArgs {
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

    /// Print one JSON object a message, as decode does; encode takes it
    #[arg(long)]
    pub json: bool,

    /// Print only one part
    #[arg(long, value_name = "PART", conflicts_with = "json")]
    pub only: Option<ExamplePart>,

    /// Do not cut long values and meanings
    #[arg(long)]
    pub wide: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum ExamplePart {
    /// The body by field names, as JSON
    Value,
    Tree,
    Grid,
    Hex,
}

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct DiffArgs {
    /// An API (or any definition) and two versions; two files with pasted or raw messages; two
    /// captures; a capture and the numbers of two exchanges; or two captures with a number each
    #[arg(value_name = "API FROM TO | INPUT [N] INPUT [N]", required = true)]
    pub what: Vec<OsString>,

    /// Only requests
    #[arg(long, conflicts_with = "response")]
    pub request: bool,

    /// Only responses
    #[arg(long)]
    pub response: bool,

    /// Of messages, do not count this field, by its name or whole path
    #[arg(long, value_name = "FIELD", default_value = "correlation_id")]
    pub ignore: Vec<String>,

    /// Print only one part, of versions
    #[arg(long, value_name = "PART", conflicts_with = "json")]
    pub only: Option<DiffPart>,

    #[command(flatten)]
    pub keylog: KeylogArg,

    /// Print one JSON object a difference
    #[arg(long)]
    pub json: bool,

    /// Do not cut long values
    #[arg(long)]
    pub wide: bool,

    /// Print passwords, tokens and proofs of SASL, which are hidden otherwise
    #[arg(long)]
    pub show_secrets: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum DiffPart {
    /// Fields, header and encoding
    Fields,
    /// What is known of the versions between
    Facts,
    /// The smallest messages beside each other
    Bytes,
}

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct ApisArgs {
    /// Only APIs with this in their name
    #[arg(value_name = "PART-OF-NAME")]
    pub name: Option<String>,

    /// Only those that nodes of this kind answer
    #[arg(long, value_name = "KIND")]
    pub listener: Option<Listener>,

    /// Only those with flexible versions
    #[arg(long, conflicts_with = "inflexible")]
    pub flexible: bool,

    /// Only those without
    #[arg(long)]
    pub inflexible: bool,

    /// Only those that lost versions in Kafka 4.0, or all of them
    #[arg(long)]
    pub removed: bool,

    /// Say in a sentence what each is for
    #[arg(long)]
    pub about: bool,

    /// Print one JSON object an API
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Listener {
    Broker,
    Controller,
    /// Brokers of clusters with ZooKeeper
    #[value(name = "zkBroker", alias = "zkbroker", alias = "zk-broker")]
    ZkBroker,
}

impl Listener {
    /// The word in definitions.
    pub(in crate::cli) fn name(self) -> &'static str {
        match self {
            Listener::Broker => "broker",
            Listener::Controller => "controller",
            Listener::ZkBroker => "zkBroker",
        }
    }
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

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct SiteArgs {
    /// Where the pages go: a new or empty folder, or one that site wrote before
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
}
