//! Opening captures for the commands that print: inputs indexed to their end, with progress.

use std::{
    io::{self, IsTerminal},
    path::{Path, PathBuf},
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::Duration,
};

use anyhow::anyhow;
use indicatif::{ProgressBar, ProgressStyle};

use super::output::Output;
use crate::{
    schema::Catalogue,
    session::{Digest, Input, Options, Session},
};

/// Whoever waits for less than this needs no bar.
pub(super) const PATIENCE: Duration = Duration::from_millis(200);

/// How often the bar moves.
const STEP: Duration = Duration::from_millis(100);

/// Notes that are printed before the rest is only counted.
const NOTES: usize = 10;

/// Opens `paths`; nothing is indexed yet.
pub(super) fn open(paths: &[PathBuf], ports: &[u16]) -> anyhow::Result<Session> {
    if paths.iter().filter(|path| *path == Path::new("-")).count() > 1 {
        return Err(anyhow!(
            "standard input is given twice, and can be read once"
        ));
    }
    let inputs: Vec<Input> = paths.iter().map(Input::named).collect();
    let options = Options {
        ports: ports.to_vec(),
        catalogue: Catalogue::embedded(),
    };
    Ok(Session::open(&inputs, options)?)
}

/// Opens `paths` and indexes all of them; what is wrong with the capture is said on standard error.
pub(super) fn index(
    paths: &[PathBuf],
    ports: &[u16],
    output: &mut Output,
) -> anyhow::Result<Session> {
    let session = index_quietly(paths, ports)?;
    notes(&session, output);
    Ok(session)
}

/// The same for those who say themselves what is wrong with the capture.
pub(super) fn index_quietly(paths: &[PathBuf], ports: &[u16]) -> anyhow::Result<Session> {
    let session = open(paths, ports)?;
    run(&session, |end| {
        if !end.within(PATIENCE) && io::stderr().is_terminal() {
            progress(&session, end);
        }
    });
    Ok(session)
}

/// The end of indexing, to be waited for.
#[derive(Debug)]
pub(super) struct End(mpsc::Receiver<()>);

impl End {
    /// Waits for the end; `false` when it has not come in that time.
    pub(super) fn within(&self, longest: Duration) -> bool {
        !matches!(self.0.recv_timeout(longest), Err(RecvTimeoutError::Timeout))
    }
}

/// Indexes all of `session` on a thread of its own, and does `meanwhile` beside it.
pub(super) fn run<T>(session: &Session, meanwhile: impl FnOnce(&End) -> T) -> T {
    let mut digest = Digest::new(Catalogue::embedded());
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        scope.spawn(move || {
            session.run(&mut digest);
            drop(sender);
        });
        meanwhile(&End(receiver))
    })
}

/// Shows a bar until the end.
pub(super) fn progress(session: &Session, end: &End) {
    let bar = ProgressBar::new(session.progress().total).with_style(style());
    loop {
        let progress = session.progress();
        bar.set_length(progress.total);
        bar.set_position(progress.done);
        if end.within(STEP) {
            break;
        }
    }
    bar.finish_and_clear();
}

/// Says what is wrong with the capture.
pub(super) fn notes(session: &Session, output: &mut Output) {
    let index = session.index();
    for note in index.notes().iter().take(NOTES) {
        output.remark(&note.to_string());
    }
    let more = (index.notes().len() + index.n_more_notes()).saturating_sub(NOTES);
    if more > 0 {
        output.remark(&format!("{more} more notes on the capture"));
    }
}

fn style() -> ProgressStyle {
    ProgressStyle::with_template("indexing {bar:30} {bytes} of {total_bytes}, {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
}
