//! Captures that are still being written: files as they grow, and the files behind them.
//!
//! Files that are named go on growing side by side. Of those that are found, in a directory or by a
//! pattern, all but the last are over, since a writer that rotates ends one before it begins the
//! next. Their packets are merged by time as far as they are written (see `merge.rs`).

use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::fill::Turns;
use super::find::{self, Finder};
use super::follow::Followed;
use super::source::{Input, Source};
use super::{Capture, Error};

/// How often new files are looked for.
const STEP: Duration = Duration::from_millis(500);

/// Files that one run follows: places name no more.
const MAX_FILES: usize = super::place::MAX_INPUTS;

/// Address space is shared out among so many: then each may have 16 GiB.
const FILES_AT_A_TIME: usize = 4096;

/// Where new files are looked for.
#[derive(Debug)]
pub(super) struct Following(Mutex<Look>);

#[derive(Debug)]
struct Look {
    finder: Finder,
    /// The last file that was found; `None` where all are named.
    last: Option<Arc<Followed>>,
    next: Instant,
}

impl Following {
    /// Opens all files that are there, and remembers to look for others.
    ///
    /// # Errors
    /// Files that cannot be read or are compressed, and when there is none.
    pub(super) fn open(mut finder: Finder) -> Result<Capture, Error> {
        let found = finder.find()?;
        let mut left_out = found.left_out;
        let n_inputs = found.inputs.len();
        for input in &found.inputs {
            let (path, is_found) = match input {
                Input::File(path) => (path, false),
                Input::Found(path) => (path, true),
                Input::Stdin => return Err(Error::FollowStdin),
            };
            if let Some(kind) = find::compression(path) {
                let name = path.display().to_string();
                let kind = kind.name();
                let error = Error::FollowCompressed { name, kind };
                if !is_found {
                    return Err(error);
                }
                left_out.push(error);
            }
        }
        let turns = Turns::new(if n_inputs == 1 { 64 } else { FILES_AT_A_TIME });
        // Files without a packet have just begun, or hold none: they stay behind those that
        // were written before.
        let mut paths = finder.fresh();
        if n_inputs > 1 {
            paths.sort_by_cached_key(|path| {
                let time = first_time(path, &turns);
                (time.is_none(), time)
            });
        }
        if let (true, [Input::File(path)]) = (paths.is_empty(), found.inputs.as_slice()) {
            // Its first bytes are waited for, or it is said what it is.
            paths.push(path.clone());
        }
        super::raise_file_limit(usize::MAX);
        let mut files = Vec::new();
        let mut sources = Vec::new();
        for path in paths {
            let is_named = found
                .inputs
                .iter()
                .any(|input| matches!(input, Input::File(named) if *named == path));
            let file = Followed::new(path);
            sources.push(OnceLock::from(Box::new(Source::follow(&file, &turns)?)));
            if !is_named {
                files.push(file);
            }
        }
        if sources.is_empty() {
            return Err(left_out.pop().unwrap_or(Error::NothingFound {
                name: "what is to be followed".to_owned(),
                n_others: 0,
            }));
        }
        let last = files.pop();
        files.iter().for_each(|file| file.end());
        let n_sources = sources.len();
        sources.resize_with(MAX_FILES, OnceLock::new);
        let mut capture = Capture::of(Vec::new(), turns)?;
        capture.sources = sources;
        capture.n_sources.store(n_sources, Ordering::Release);
        capture.left_out = left_out;
        capture.following = Some(Following(Mutex::new(Look {
            finder,
            last,
            next: Instant::now() + STEP,
        })));
        Ok(capture)
    }

    /// Opens files that are new, now and then.
    pub(super) fn look(&self, capture: &Capture) {
        let mut look = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if Instant::now() < look.next {
            return;
        }
        for path in look.finder.fresh() {
            let file = Followed::new(path);
            // What cannot be opened now has gone again.
            let Ok(source) = Source::follow(&file, &capture.turns) else {
                continue;
            };
            let n_sources = capture.n_sources();
            let Some(slot) = capture.sources.get(n_sources) else {
                return;
            };
            if slot.set(Box::new(source)).is_ok() {
                capture.n_sources.store(n_sources + 1, Ordering::Release);
                if let Some(last) = look.last.replace(file) {
                    last.end();
                }
            }
        }
        look.next = Instant::now() + STEP;
    }
}

/// When the first packet of a file was captured, as far as it was written.
fn first_time(path: &Path, turns: &Arc<Turns>) -> Option<i64> {
    let source = Source::open(&Input::File(path.to_owned()), 0, turns).ok()?;
    super::first_time(&source)
}
