//! What is said when a capture becomes shorter while its bytes are looked at.
//!
//! Captures are mapped (`capture/map.rs`): bytes behind the new end of a file that somebody truncates
//! are a SIGBUS to whoever looks at them, which would end the program without a word, and leave the
//! terminal as the browser has set it. There is nothing to go on with, so the handler gives the
//! terminal back, says one sentence and ends.

use std::{
    fs::File,
    io,
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

use rustix::{
    stdio,
    termios::{OptionalActions, Termios, tcgetattr, tcsetattr},
};
use signal_hook::{consts::SIGBUS, low_level};

const WORDS: &[u8] = b"kafscope: an input became shorter while it was being read, \
what stood behind its new end is gone\n";

/// Pasted text without brackets, no mouse, the usual screen, the cursor: what the browser has changed.
const LEAVE: &[u8] = b"\x1b[?2004l\x1b[?1006l\x1b[?1015l\x1b[?1003l\x1b[?1002l\x1b[?1000l\
\x1b[?1049l\x1b[?25h";

/// An error, as the exit status of any other.
const STATUS: i32 = 2;

/// The browser has the terminal.
static HAS_SCREEN: AtomicBool = AtomicBool::new(false);

/// The terminal, and how it was before.
static BEFORE: OnceLock<(File, Termios)> = OnceLock::new();

/// Has the fault explained, from now on.
pub(super) fn explain() {
    // A handler may only do what is safe at any instruction: `end` reads two statics that were set
    // before, makes system calls and ends, without locks, memory or a way back.
    #[allow(unsafe_code)]
    let registered = unsafe { low_level::register(SIGBUS, end) };
    // Without it the system has the last word, as before.
    drop(registered);
}

/// Runs what takes the terminal over.
pub(super) fn with_screen<T>(run: impl FnOnce() -> T) -> T {
    let _ = before().map(|before| BEFORE.set(before));
    HAS_SCREEN.store(true, Ordering::SeqCst);
    let result = run();
    HAS_SCREEN.store(false, Ordering::SeqCst);
    result
}

fn before() -> io::Result<(File, Termios)> {
    let terminal = File::open("/dev/tty")?;
    let attributes = tcgetattr(&terminal)?;
    Ok((terminal, attributes))
}

/// Runs in the thread that has looked, in the middle of anything.
fn end() {
    if HAS_SCREEN.load(Ordering::SeqCst) {
        let _ = rustix::io::write(stdio::stdout(), LEAVE);
        if let Some((terminal, attributes)) = BEFORE.get() {
            let _ = tcsetattr(terminal, OptionalActions::Now, attributes);
        }
    }
    let _ = rustix::io::write(stdio::stderr(), WORDS);
    low_level::exit(STATUS);
}
