//! No command: the browser, or `list` when nobody looks at the output.

use std::{
    io::{self, IsTerminal},
    panic,
    path::PathBuf,
    thread,
};

use anyhow::{Context, anyhow};

use super::{
    Outcome,
    args::{Args, DecodeArgs, ListArgs},
    capture::{self, Until},
    decode, fault, input, list,
    output::Output,
    segment,
};
use crate::{
    render::{Palette, escape_str},
    schema::Catalogue,
    session::Digest,
    tui::{
        self, Bare, Bookmarks, Colours, Config, Ended, Exchanges, Live, Memory, Setup, View,
        messages_in,
    },
};

pub(super) fn run(args: &Args, output: &mut Output) -> anyhow::Result<Outcome> {
    if args.inputs.is_empty() && output.is_terminal() && io::stdin().is_terminal() {
        let setup = Setup {
            view: Some(View::Apis),
            ..setup(output)
        };
        return Ok(outcome(browse(&Bare, &setup)?));
    }
    if args.inputs.is_empty() {
        return Err(anyhow!(
            "a capture or a command is needed; kafscope --help names them"
        ));
    }
    let list = ListArgs {
        inputs: args.inputs.clone(),
        port: args.port.clone(),
        follow: args.follow,
        keylog: args.keylog.clone(),
        ..ListArgs::default()
    };
    if let Some((input, file)) = segment::only(&args.inputs)? {
        return segment::list(&list, input, &file, output);
    }
    if let [input] = args.inputs.as_slice()
        && input::is_something_else(input)
    {
        // Standard input can be read but once.
        let messages = match output.is_terminal() && input.is_file() {
            true => messages_in(Catalogue::current(), &input::read(input)?),
            false => None,
        };
        let Some(pasted) = messages else {
            return decode::run(&DecodeArgs::of(input), output);
        };
        let setup = Setup {
            pasted,
            file: Some(escape_str(&input.display().to_string())),
            ..setup(output)
        };
        return Ok(outcome(browse(&Bare, &setup)?));
    }
    if !output.is_terminal() {
        return list::run(&list, output);
    }
    of_captures(args, output)
}

/// Browses captures while they are indexed.
fn of_captures(args: &Args, output: &Output) -> anyhow::Result<Outcome> {
    let session = capture::open(
        &args.inputs,
        &args.port,
        &args.keylog,
        Until::follows(args.follow),
    )?;
    let mut digest = Digest::new(Catalogue::current());
    let live = Live::new(&session, Catalogue::current());
    let ended = thread::scope(|scope| {
        scope.spawn(|| {
            let indexing = panic::AssertUnwindSafe(|| session.run(&mut digest));
            if panic::catch_unwind(indexing).is_err() {
                live.fail();
            }
        });
        let setup = Setup {
            bookmarks: bookmarks(&args.inputs),
            ..setup(output)
        };
        let ended = browse(&live, &setup);
        session.stop();
        ended
    })?;
    Ok(outcome(ended))
}

fn browse(exchanges: &dyn Exchanges, setup: &Setup) -> anyhow::Result<Ended> {
    fault::with_screen(|| tui::run(exchanges, setup)).context(NEEDS_TERMINAL)
}

/// What the browser is told whatever it shows.
fn setup(output: &Output) -> Setup {
    Setup {
        colours: colours(output),
        config: Config::of_user(),
        bookmarks: None,
        memory: Memory::file(),
        view: None,
        pasted: Vec::new(),
        file: None,
    }
}

const NEEDS_TERMINAL: &str = "the browser needs a terminal for its screen and keys";

fn outcome(ended: Ended) -> Outcome {
    match ended {
        Ended::Quit => Outcome::Fine,
        Ended::Signal(number) => Outcome::Signal(number),
    }
}

fn colours(output: &Output) -> Colours {
    match output.palette() {
        Palette::Ansi => Colours::Wanted,
        Palette::Plain => Colours::Unwanted,
    }
}

/// Where the bookmarks of one capture are kept; those of several, or of a pipe, are not.
fn bookmarks(inputs: &[PathBuf]) -> Option<PathBuf> {
    match inputs {
        [input] if input.is_file() => Some(Bookmarks::file(input)),
        _ => None,
    }
}
