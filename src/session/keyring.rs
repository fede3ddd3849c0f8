//! The secrets that are at hand: a key log that was named, and those that captures carry.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use crate::capture::{Capture, Step, Walk};
use crate::tls::{BadLine, KeyLog};

/// A key log that was opened: what it held then, and where more may come.
#[derive(Clone)]
pub struct KeyLogFile {
    path: PathBuf,
    text: Arc<[u8]>,
}

/// Why a key log is of no use.
#[derive(Debug, Error)]
pub enum KeyLogError {
    /// It cannot be opened or read.
    #[error("cannot read {name}")]
    Read { name: String, source: io::Error },
    /// It holds no secrets.
    #[error(
        "{name}: found no line with a secret in {n_lines} lines, expected lines as CLIENT_RANDOM, 64 hexadecimal digits and 96 more, or SERVER_TRAFFIC_SECRET_0 and so on"
    )]
    Nothing { name: String, n_lines: u64 },
    /// It holds no secrets, but lines that are none.
    #[error("{name}, line {}: {}", .first.line, .first.fault)]
    Broken { name: String, first: BadLine },
}

/// The longest key log that is read: a million sessions.
const MAX_TEXT: u64 = 1 << 30;

impl KeyLogFile {
    /// Opens a key log.
    ///
    /// # Errors
    /// A file that cannot be read, or in which no session has a secret.
    pub fn open(path: &Path) -> Result<KeyLogFile, KeyLogError> {
        let name = path.display().to_string();
        let text = read(path, 0).map_err(|source| KeyLogError::Read {
            name: name.clone(),
            source,
        })?;
        let mut log = KeyLog::new();
        log.extend(&text);
        log.end();
        match (log.n_sessions(), log.bad_lines().0.first()) {
            (0, Some(first)) => Err(KeyLogError::Broken {
                name,
                first: first.clone(),
            }),
            (0, None) => Err(KeyLogError::Nothing {
                name,
                n_lines: log.n_lines(),
            }),
            _ => Ok(KeyLogFile {
                path: path.to_owned(),
                text: text.into(),
            }),
        }
    }

    /// The lines with secrets of sessions, known by the randoms of their clients.
    pub(super) fn lines_of(&self, randoms: &HashSet<[u8; 32]>) -> Vec<u8> {
        let hex = |random: &[u8; 32]| -> String {
            let digits = random.iter().map(|byte| format!("{byte:02x}"));
            digits.collect()
        };
        let wanted: HashSet<String> = randoms.iter().map(hex).collect();
        let is_wanted = |line: &&[u8]| {
            let mut words = line
                .split(u8::is_ascii_whitespace)
                .filter(|w| !w.is_empty());
            let random = words.nth(1).map(<[u8]>::to_ascii_lowercase);
            let random = random.and_then(|random| String::from_utf8(random).ok());
            random.is_some_and(|random| wanted.contains(&random))
        };
        let lines = self.text.split(|&byte| byte == b'\n').filter(is_wanted);
        lines.flat_map(|line| [line, b"\n"].concat()).collect()
    }
}

/// What a file has from `at` on.
fn read(path: &Path, at: u64) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    if at > 0 {
        file.seek(SeekFrom::Start(at))?;
    }
    let mut text = Vec::new();
    file.take(MAX_TEXT).read_to_end(&mut text)?;
    Ok(text)
}

/// Inputs of up to this size are walked for secrets once, when some are missing: a second of work.
/// In larger ones, as in pipes, a connection waits for them a while.
const MAX_AHEAD: u64 = 1 << 30;

/// Whether connections of the capture wait for secrets that come later in it.
pub(super) fn waits_for_secrets(capture: &Capture) -> bool {
    capture.may_carry_secrets() && !is_walked_ahead(capture)
}

fn is_walked_ahead(capture: &Capture) -> bool {
    capture.settled_size().is_some_and(|size| size <= MAX_AHEAD)
}

/// All secrets of a session of the program.
#[derive(Debug, Default)]
pub(super) struct Keyring {
    log: KeyLog,
    file: Option<Growing>,
    /// Blocks of secrets in the inputs that were read.
    n_blocks: usize,
    /// Whether the inputs may bring more.
    may_carry: bool,
}

/// A key log that may still be written.
#[derive(Debug)]
struct Growing {
    path: PathBuf,
    len: u64,
    /// A regular file of a capture that is still being made.
    grows: bool,
}

/// The kind of secrets that is a TLS key log (draft-ietf-opsawg-pcapng, 4.7).
pub(super) const TLS_KEY_LOG: u32 = 0x544c_534b;

impl Keyring {
    pub(super) fn new(file: Option<&KeyLogFile>, capture: &Capture) -> Keyring {
        let mut keyring = Keyring {
            may_carry: capture.may_carry_secrets(),
            ..Keyring::default()
        };
        if let Some(file) = file {
            keyring.log.extend(&file.text);
            let is_file = std::fs::metadata(&file.path).is_ok_and(|metadata| metadata.is_file());
            let grows = is_file && capture.is_live();
            if !grows {
                keyring.log.end();
            }
            keyring.file = Some(Growing {
                path: file.path.clone(),
                len: file.text.len() as u64,
                grows,
            });
        }
        keyring
    }

    /// Whether there is any secret, or a place where one may be.
    pub(super) fn is_empty(&self) -> bool {
        self.file.is_none() && self.log.n_sessions() == 0
    }

    pub(super) fn log(&self) -> &KeyLog {
        &self.log
    }

    /// The name of the key log that was named.
    pub(super) fn name(&self) -> Option<String> {
        let file = self.file.as_ref()?;
        Some(file.path.display().to_string())
    }

    /// Whether secrets that are missing may still come.
    pub(super) fn may_grow(&self) -> bool {
        self.may_carry || self.file.as_ref().is_some_and(|file| file.grows)
    }

    /// Whether there are secrets of the session with this random, after another look at where they
    /// come from.
    pub(super) fn find(&mut self, random: &[u8; 32], capture: &Capture) -> bool {
        if self.log.has(random) {
            return true;
        }
        if self.may_carry {
            // Secrets may stand behind what they are for; where nothing more comes, all are found now.
            if is_walked_ahead(capture) {
                let mut walk = Walk::new();
                while let Step::Packet(_) = walk.next(capture) {}
                self.may_carry = false;
            }
            let secrets = capture.secrets();
            let new = secrets.get(self.n_blocks..).unwrap_or_default();
            for secret in new.iter().filter(|secret| secret.kind == TLS_KEY_LOG) {
                self.log
                    .extend(capture.bytes(secret.place, secret.len as usize));
                self.log.end();
            }
            self.n_blocks = secrets.len();
        }
        if let Some(file) = &mut self.file
            && file.grows
            && std::fs::metadata(&file.path).is_ok_and(|metadata| metadata.len() > file.len)
            && let Ok(text) = read(&file.path, file.len)
        {
            file.len += text.len() as u64;
            self.log.extend(&text);
        }
        self.log.has(random)
    }
}

/// Nothing of the secrets.
impl std::fmt::Debug for KeyLogFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("KeyLogFile")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}
