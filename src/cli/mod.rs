//! The command line: arguments as typed, what they mean, one file a command.
//!
//! [`run`] is all of the program but its exit. Results go to standard output, a failure is one
//! sentence on standard error; the exit status is 0 when all is fine, 1 when nothing was found or a
//! check failed, 2 for an error.

mod apis;
mod args;
mod browse;
mod capture;
mod check;
mod decode;
mod decode_as;
mod diff;
mod encode;
mod error;
mod example;
mod export;
mod fault;
mod filter;
mod input;
mod layout;
mod list;
mod live;
mod log_numbers;
mod numbers;
mod output;
mod pasted;
mod readings;
mod sample;
mod schema;
mod screen;
mod segment;
mod shell;
mod show;
mod site;
mod spread;
mod stats;
mod structure_spec;

use std::{ffi::OsString, io, process::ExitCode};

use anyhow::anyhow;
use clap::Parser;

use crate::{
    query::Mistake,
    schema::{Catalogue, release},
};
use args::{Args, Command};
use output::Output;

/// What a command that did not fail has to say with its exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Fine,
    /// Nothing was found, or a check failed.
    Nothing,
    /// A signal, by its number, ended the program in good order.
    Signal(i32),
}

/// Runs the program with `args`, program name included.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args = match Args::try_parse_from(args) {
        Ok(args) => args,
        Err(error) => {
            return unread(&error);
        }
    };
    fault::explain();
    let mut output = Output::new(args.color);
    let result = settle(&args)
        .and_then(|()| command(&args, &mut output))
        .and_then(|outcome| {
            output.flush()?;
            Ok(outcome)
        });
    match result {
        Ok(Outcome::Fine) => ExitCode::SUCCESS,
        Ok(Outcome::Nothing) => ExitCode::from(1),
        // What a shell reports of a program that died of the signal.
        Ok(Outcome::Signal(number)) => ExitCode::from(128 + u8::try_from(number).unwrap_or(0)),
        // Whoever reads the output has seen enough.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output.complain(&format!("{error:#}"));
            if let Some(mistake) = error.chain().find_map(|e| e.downcast_ref::<Mistake>()) {
                output.point(mistake);
            }
            ExitCode::from(2)
        }
    }
}

/// What clap has to say: help and version as they are, a complaint about arguments as one sentence.
fn unread(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let text = error.to_string();
    let sentence = text.split("\n\n").next().unwrap_or_default();
    let sentence = sentence.strip_prefix("error: ").unwrap_or(sentence);
    Output::new(args::ColorWhen::Never).complain(&format!("{sentence}; see kafscope --help"));
    ExitCode::from(2)
}

/// What holds for all commands.
fn settle(args: &Args) -> anyhow::Result<()> {
    if let Some(misplaced) = args.misplaced() {
        return Err(anyhow!(
            "{misplaced} stands before the command, expected behind it"
        ));
    }
    if let Some(path) = &args.schemas {
        Catalogue::with(release(path)?).install();
    }
    Ok(())
}

fn command(args: &Args, output: &mut Output) -> anyhow::Result<Outcome> {
    match &args.command {
        Some(Command::List(list)) => list::run(list, output),
        Some(Command::Show(show)) => show::run(show, output),
        Some(Command::Stats(stats)) => stats::run(stats, output),
        Some(Command::Check(check)) => check::run(check, output),
        Some(Command::Decode(decode)) => decode::run(decode, output),
        Some(Command::Encode(encode)) => encode::run(encode, output),
        Some(Command::Export(export)) => export::run(export, output),
        Some(Command::Layout(layout)) => layout::run(layout, output),
        Some(Command::Schema(schema)) => schema::run(schema, output),
        Some(Command::Example(example)) => example::run(example, output),
        Some(Command::Diff(diff)) => diff::run(diff, output),
        Some(Command::Apis(apis)) => apis::run(apis, output),
        Some(Command::Site(site)) => site::run(site, output),
        Some(Command::Error(error)) => error::run(error, output),
        Some(Command::Completions { shell }) => shell::completions(*shell, output),
        Some(Command::Man) => shell::man(output),
        None => browse::run(args, output),
    }
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
