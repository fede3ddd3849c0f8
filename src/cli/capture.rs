//! Opening captures for the commands that print: inputs indexed to their end, with progress.

use std::{
    io::{self, IsTerminal},
    path::PathBuf,
    thread,
    time::Duration,
};

use indicatif::{ProgressBar, ProgressStyle};

use super::output::Output;
use crate::{
    schema::Catalogue,
    session::{Digest, Input, Options, Session},
};

/// Opens `paths`; nothing is indexed yet.
pub(super) fn open(paths: &[PathBuf], ports: &[u16]) -> anyhow::Result<Session> {
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
    let session = open(paths, ports)?;
    let mut digest = Digest::new(Catalogue::embedded());
    if io::stderr().is_terminal() {
        let bar = ProgressBar::new(session.progress().total).with_style(style());
        thread::scope(|scope| {
            let indexing = scope.spawn(|| session.run(&mut digest));
            while !indexing.is_finished() {
                let progress = session.progress();
                bar.set_length(progress.total);
                bar.set_position(progress.done);
                thread::sleep(Duration::from_millis(20));
            }
        });
        bar.finish_and_clear();
    } else {
        session.run(&mut digest);
    }
    let index = session.index();
    for note in index.notes().iter().take(NOTES) {
        output.remark(&note.to_string());
    }
    let more = (index.notes().len() + index.n_more_notes()).saturating_sub(NOTES);
    if more > 0 {
        output.remark(&format!("{more} more notes on the capture"));
    }
    drop(index);
    Ok(session)
}

/// Notes that are printed before the rest is only counted.
const NOTES: usize = 20;

fn style() -> ProgressStyle {
    ProgressStyle::with_template("indexing {bar:30} {bytes} of {total_bytes}, {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
}
