//! A file that somebody is still writing, read to its end and on as it grows.
//!
//! It is copied like a pipe, so that what was read stays readable when the writer shortens the file
//! or takes it away, as rotation does.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// How often a file is asked whether it has grown: what people take for at once.
const STEP: Duration = Duration::from_millis(50);

/// How often more is looked for behind what seems to be the end of a file that is over: its writer
/// may still have to empty a buffer.
const LAST_LOOKS: u32 = 4;

/// A file that is followed.
#[derive(Debug)]
pub(super) struct Followed {
    path: PathBuf,
    /// Nothing more is written to it.
    is_over: AtomicBool,
}

impl Followed {
    pub(super) fn new(path: PathBuf) -> Arc<Followed> {
        Arc::new(Followed {
            path,
            is_over: AtomicBool::new(false),
        })
    }

    pub(super) fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// Makes the reader end with what is there.
    pub(super) fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    /// Reads it, and waits at its end for more.
    pub(super) fn reader(self: &Arc<Followed>) -> io::Result<impl Read + Send + 'static> {
        Ok(Reader {
            file: File::open(&self.path)?,
            followed: Arc::clone(self),
            at: 0,
            n_looks: 0,
        })
    }
}

struct Reader {
    file: File,
    followed: Arc<Followed>,
    at: u64,
    /// Looks since the file was known to be over.
    n_looks: u32,
}

impl Read for Reader {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        loop {
            let n = self.file.read(to)?;
            if n > 0 {
                self.at += n as u64;
                self.n_looks = 0;
                return Ok(n);
            }
            let now = self.file.metadata()?;
            if now.len() < self.at {
                return Err(io::Error::other(format!(
                    "the file was shortened from {} to {} bytes while it was followed",
                    self.at,
                    now.len()
                )));
            }
            let is_over = self.followed.is_over.load(Ordering::Relaxed);
            let is_replaced = File::open(&self.followed.path)
                .and_then(|file| file.metadata())
                .is_ok_and(|other| !is_same(&now, &other));
            if is_over || is_replaced {
                self.n_looks += 1;
            }
            if self.n_looks > LAST_LOOKS {
                return match is_replaced {
                    true => Err(io::Error::other("another file has taken its name")),
                    false => Ok(0),
                };
            }
            thread::sleep(STEP);
        }
    }
}

/// Whether two opened files are the same one.
#[cfg(unix)]
pub(super) fn is_same(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
pub(super) fn is_same(_: &Metadata, _: &Metadata) -> bool {
    true
}
