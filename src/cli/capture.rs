//! Opening captures for the commands that print: inputs indexed to their end, with progress.

use std::{
    collections::HashMap,
    io::{self, IsTerminal},
    mem,
    ops::RangeInclusive,
    path::{Path, PathBuf},
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, anyhow};
use indicatif::{ProgressBar, ProgressStyle};

use super::{live, output::Output};
use crate::{
    query::Filter,
    schema::Catalogue,
    session::{Capture, Digest, Exchange, Finder, Index, KeyLogFile, Note, Options, Session},
};

/// Whoever waits for less than this needs no bar.
const PATIENCE: Duration = Duration::from_millis(200);

/// How often the bar moves.
const STEP: Duration = Duration::from_millis(50);

/// Notes that are printed before the rest is only counted.
const NOTES: usize = 10;

/// Notes of one kind that are printed one by one: where a capture lost packets it often lost many.
const ALIKE: usize = 2;

/// Whether inputs are read to the end that they have, or to the one that they will have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Until {
    End,
    /// Files go on while they are written, and new ones are looked for.
    Interrupt,
}

impl Until {
    /// What `--follow` asks for.
    pub(super) fn follows(follow: bool) -> Until {
        if follow { Until::Interrupt } else { Until::End }
    }
}

/// What TLS connections are decrypted with.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct KeylogArg {
    /// Decrypt TLS with the secrets of a key log, as SSLKEYLOGFILE makes libraries write it; those
    /// that a pcapng file carries are used anyway
    #[arg(long, value_name = "FILE")]
    pub keylog: Option<PathBuf>,
}

impl KeylogArg {
    /// The key log, read.
    pub(super) fn open(&self) -> anyhow::Result<Option<KeyLogFile>> {
        let keylog = self.keylog.as_deref().map(KeyLogFile::open).transpose();
        keylog.context("--keylog")
    }
}

/// Opens `paths`: files, directories and patterns; nothing is indexed yet.
pub(super) fn open(
    paths: &[PathBuf],
    ports: &[u16],
    keylog: &KeylogArg,
    until: Until,
) -> anyhow::Result<Session> {
    if paths.iter().filter(|path| *path == Path::new("-")).count() > 1 {
        return Err(anyhow!(
            "standard input is given twice, and can be read once"
        ));
    }
    let options = Options {
        ports: ports.to_vec(),
        keylog: keylog.open()?,
        ..Options::default()
    };
    let finder = Finder::new(paths);
    let capture = match until {
        Until::End => Capture::open(finder.find()?)?,
        Until::Interrupt => Capture::follow(finder)?,
    };
    Ok(Session::new(capture, options))
}

/// Opens `paths` and indexes all of them; what is wrong with the capture is said on standard error.
/// An interrupt counts as the end of a pipe.
pub(super) fn index(
    paths: &[PathBuf],
    ports: &[u16],
    keylog: &KeylogArg,
    output: &mut Output,
) -> anyhow::Result<Session> {
    let session = index_quietly(paths, ports, keylog)?;
    notes(&session, output);
    Ok(session)
}

/// The same for those who say themselves what is wrong with the capture.
pub(super) fn index_quietly(
    paths: &[PathBuf],
    ports: &[u16],
    keylog: &KeylogArg,
) -> anyhow::Result<Session> {
    let session = open(paths, ports, keylog, Until::End)?;
    run(&session, |end| match session.capture().is_live() {
        true => live::until_end(&session, end, &mut Bar::new(&session)),
        false => {
            progress(&session, end);
            Ok(())
        }
    })?;
    Ok(session)
}

/// A capture up to this size is indexed whole in no time, and what comes late in it may say the name
/// of what comes early.
const SMALL: u64 = 64 << 20;

/// How often the index is asked whether it has come far enough.
const GLANCE: Duration = Duration::from_millis(2);

/// Opens `paths` and indexes them until these exchanges are there with their responses; small ones
/// to their end.
pub(super) fn index_up_to(
    paths: &[PathBuf],
    ports: &[u16],
    keylog: &KeylogArg,
    numbers: &[RangeInclusive<usize>],
    output: &mut Output,
) -> anyhow::Result<Session> {
    let session = open(paths, ports, keylog, Until::End)?;
    if !run_small(&session) {
        run_up_to(&session, numbers);
    }
    notes(&session, output);
    Ok(session)
}

/// Indexes a small capture to its end; `false` if it is not small.
fn run_small(session: &Session) -> bool {
    let capture = session.capture();
    while !capture.is_settled() {
        capture.settle(STEP);
    }
    let size = capture.settled_size();
    let is_small = size.is_some_and(|size| size <= SMALL);
    if is_small {
        run(session, |end| progress(session, end));
    }
    is_small
}

/// Indexes until these exchanges are there with their responses.
fn run_up_to(session: &Session, numbers: &[RangeInclusive<usize>]) {
    let bounds = || numbers.iter().map(|range| (*range.start(), *range.end()));
    let wanted = || {
        let mut missing: Vec<(usize, usize)> = bounds().collect();
        move |index: &Index| {
            missing.retain_mut(|(from, to)| {
                while *from <= *to && complete(index, *from).is_some() {
                    *from += 1;
                }
                *from <= *to
            });
            missing.is_empty()
        }
    };
    run_until(session, wanted);
}

/// Indexes until so many exchanges that `filter` takes are there with their responses; small
/// captures to their end.
pub(super) fn run_up_to_limit(session: &Session, filter: Option<&Filter>, limit: usize) {
    if run_small(session) {
        return;
    }
    run_until(session, || {
        let (mut n, mut n_taken) = (1, 0);
        move |index: &Index| {
            while n_taken < limit {
                let Some(exchange) = complete(index, n) else {
                    return false;
                };
                n += 1;
                let is_taken = filter.is_none_or(|filter| filter.takes(session, index, &exchange));
                n_taken += usize::from(is_taken);
            }
            true
        }
    });
}

/// Exchange `n`, if nothing more will be known of it.
fn complete(index: &Index, n: usize) -> Option<Exchange> {
    index.exchange(n).filter(Exchange::is_complete)
}

/// Indexes until what is wanted is there, and it is certain that the numbers of exchanges stay as
/// they are. `wanted` makes a question to the growing index, and makes it anew when the exchanges are
/// counted again.
fn run_until<W: FnMut(&Index) -> bool>(session: &Session, wanted: impl Fn() -> W) {
    run(session, |end| {
        thread::scope(|scope| {
            let mut foresight = Some(scope.spawn(|| session.foresee()));
            let mut is_there = wanted();
            let mut was_settled = false;
            let mut bar = Bar::new(session);
            while !end.within(GLANCE) {
                // Asked before looking: if rows are counted again, that is done when it is so.
                let is_settled = session.is_settled();
                if is_settled != was_settled {
                    was_settled = is_settled;
                    is_there = wanted();
                }
                let index = session.index();
                let is_enough = is_there(&index);
                if is_enough && is_settled {
                    session.leave();
                    break;
                }
                if is_enough && let Some(foresight) = foresight.take() {
                    // As long as the index is held, nothing more is read than the times.
                    let _ = foresight.join();
                }
                drop(index);
                bar.tick();
            }
        });
    });
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
    let mut digest = Digest::new(Catalogue::current());
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        scope.spawn(move || {
            session.run(&mut digest);
            drop(sender);
        });
        meanwhile(&End(receiver))
    })
}

/// Shows on a terminal how far indexing has come, to whoever has to wait, until the end.
pub(super) fn progress(session: &Session, end: &End) {
    let mut bar = Bar::new(session);
    while !end.within(STEP) {
        bar.tick();
    }
}

/// A bar on standard error, if that is a terminal and there is something to wait for.
pub(super) struct Bar<'s> {
    session: &'s Session,
    since: Instant,
    bar: Option<ProgressBar>,
}

impl Bar<'_> {
    pub(super) fn new(session: &Session) -> Bar<'_> {
        Bar {
            session,
            since: Instant::now(),
            bar: None,
        }
    }

    pub(super) fn tick(&mut self) {
        if self.bar.is_none() && (self.since.elapsed() < PATIENCE || !io::stderr().is_terminal()) {
            return;
        }
        let progress = self.session.progress();
        let bar = self
            .bar
            .get_or_insert_with(|| ProgressBar::new(progress.total).with_style(style()));
        bar.set_length(progress.total);
        bar.set_position(progress.done);
    }
}

impl Drop for Bar<'_> {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Says what is wrong with the capture.
pub(super) fn notes(session: &Session, output: &mut Output) {
    let left_out = session.capture().left_out();
    for error in left_out.iter().take(NOTES) {
        output.remark(&error.as_left_out());
    }
    if left_out.len() > NOTES {
        let n_more = left_out.len() - NOTES;
        output.remark(&format!("{n_more} more inputs are left out"));
    }
    let index = session.index();
    let lines = folded(index.notes());
    for line in lines.iter().take(NOTES) {
        output.remark(line);
    }
    let more = lines.len().saturating_sub(NOTES) + index.n_more_notes();
    if more > 0 {
        output.remark(&format!("{more} more notes on the capture"));
    }
}

/// Notes as lines, in which many of one kind are one.
fn folded(notes: &[Note]) -> Vec<String> {
    let kind = |note: &Note| mem::discriminant(&note.subject);
    let mut counts: HashMap<_, usize> = HashMap::new();
    for note in notes {
        *counts.entry(kind(note)).or_default() += 1;
    }
    let mut lines = Vec::new();
    for note in notes {
        match counts.get_mut(&kind(note)) {
            Some(count) if *count > ALIKE => {
                let n_more = *count - 1;
                lines.push(format!(
                    "{note}; {n_more} more such notes, see kafscope check"
                ));
                // Said for all of them.
                *count = 0;
            }
            Some(0) => {}
            _ => lines.push(note.to_string()),
        }
    }
    lines
}

fn style() -> ProgressStyle {
    ProgressStyle::with_template("indexing {bar:30} {bytes} of {total_bytes}, {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Lost, Subject};

    /// A capture of some exchanges and `n` packets of another protocol behind them.
    fn padded(n: usize) -> Session {
        let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/topics.pcap");
        let mut bytes = std::fs::read(sample).unwrap();
        // A minute later than what is before them.
        let mut time = u32::from_le_bytes(bytes[24..28].try_into().unwrap());
        time += 60;
        let mut record = [time, 0, 60, 60].map(u32::to_le_bytes).concat();
        record.resize(16 + 60, 0);
        bytes.extend(record.repeat(n));
        let capture = Capture::from_bytes(vec![bytes]).unwrap();
        Session::new(capture, Options::default())
    }

    #[test]
    fn notes_of_one_kind_are_told_together() {
        let gap = |connection| Note {
            connection: Some(connection),
            subject: Subject::Gap {
                from: "10.0.0.1:9092".to_owned(),
                len: 1380,
                lost: Lost::Segment,
            },
        };
        let framing = Note {
            connection: Some(1),
            subject: Subject::LostFraming {
                from: "10.0.0.1:9092".to_owned(),
            },
        };
        let two = folded(&[gap(1), framing.clone(), gap(2)]);
        assert_eq!(two.len(), 3);
        let many = folded(&[gap(1), framing, gap(2), gap(3)]);
        assert_eq!(many.len(), 2);
        assert_eq!(
            many[0],
            "connection 1: 1380 bytes from 10.0.0.1:9092 were not captured; 2 more such notes, see \
             kafscope check"
        );
    }

    #[test]
    fn nothing_more_is_read_once_the_exchanges_are_there() {
        let session = padded(500_000);
        run_up_to(&session, &[1..=2]);
        assert!(session.index().exchange(2).unwrap().is_complete());
        let progress = session.progress();
        assert!(progress.done < progress.total, "{progress:?}");
        // What is not there is looked for up to the end.
        let session = padded(1_000);
        run_up_to(&session, &[1..=100_000]);
        let progress = session.progress();
        assert_eq!(progress.done, progress.total);
    }
}
