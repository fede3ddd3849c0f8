//! `export`: exchanges and messages for others, as files of formats that they can open.
//!
//! What comes in is a capture with the exchanges that are chosen (`captured.rs`, `packets.rs`, `parquet.rs`), or
//! bytes as `decode` takes them (`pasted.rs`); what goes out is one file, or standard output.

mod captured;
mod counted;
mod document;
mod packets;
mod parquet;
mod pasted;
mod target;

use std::path::PathBuf;

use anyhow::anyhow;

use super::{
    Outcome,
    args::{ExportArgs, Format, subject},
    input,
    numbers::{self, Numbers},
    output::Output,
};
use crate::render::Cut;
use target::Target;

pub(super) fn run(args: &ExportArgs, output: &mut Output) -> anyhow::Result<Outcome> {
    let format = args.format()?;
    let (inputs, ranges) = numbers::split(&args.inputs_and_numbers, Numbers::Optional)?;
    let binary = match format {
        Format::Pcap => Some("a capture"),
        Format::Parquet => Some("Parquet"),
        _ => None,
    };
    if let Some(what) = binary.filter(|_| args.output.is_none() && output.is_terminal()) {
        return Err(anyhow!(
            "{what} is no text for a terminal; --output FILE writes it to a file"
        ));
    }
    match inputs.as_slice() {
        [path] if input::is_something_else(path) => {
            let mut given = args.for_exchanges.given(&["request", "response"]);
            if !ranges.is_empty() {
                given.insert(0, "numbers".to_owned());
            }
            if let Some(subject) = subject(&given) {
                return Err(anyhow!(
                    "{}: this is no capture, and {subject} for the exchanges of captures",
                    input::name(path)
                ));
            }
            pasted::run(args, path, format, output)
        }
        _ => {
            if args.structure.is_some() || args.api.is_some() || args.version.is_some() {
                return Err(anyhow!(
                    "--as, --api and --version say what hex text or raw bytes are, and the input is \
                     a capture"
                ));
            }
            captured::run(args, &inputs, &ranges, format, output)
        }
    }
}

impl ExportArgs {
    /// The format that is asked for, by its name or by that of the output.
    fn format(&self) -> anyhow::Result<Format> {
        match (self.format, &self.output) {
            (Some(format), _) => Ok(format),
            (None, Some(path)) => Format::of(path).ok_or_else(|| {
                anyhow!(
                    "{}: no format is known by this name; --format says which it is",
                    path.display()
                )
            }),
            (None, None) => Err(anyhow!("--format is missing")),
        }
    }

    fn cut(&self) -> Cut {
        match self.wide {
            true => Cut::Wide,
            false => Cut::Short,
        }
    }

    fn target<'o>(&self, output: &'o mut Output) -> anyhow::Result<Target<'o>> {
        match &self.output {
            Some(path) => Target::file(path),
            None => Ok(Target::Standard(output)),
        }
    }

    /// Number of exchanges, or of pasted messages, that are written out.
    fn most(&self, format: Format) -> usize {
        self.messages.map_or(
            match format {
                // A page of more takes browsers seconds; an issue of more nobody reads.
                Format::Html => 200,
                Format::Markdown | Format::Svg => 20,
                Format::Json | Format::Csv | Format::Parquet | Format::Pcap => usize::MAX,
            },
            |most| most.0,
        )
    }
}

/// What is said where not all messages are written out.
fn left_out_remark(n: usize, of: &str) -> String {
    format!("the messages of {n} more {of} are left out; --messages all writes out all of them")
}

/// The names of inputs as others are to see them: without the folders, which are nobody's business.
fn shared_name(inputs: &[PathBuf]) -> String {
    let name = |path: &PathBuf| match path.file_name() {
        Some(name) if name != "-" => name.to_string_lossy().into_owned(),
        _ => "standard input".to_owned(),
    };
    match inputs {
        [one] => name(one),
        [first, others @ ..] => format!("{} and {} more", name(first), others.len()),
        [] => String::new(),
    }
}
