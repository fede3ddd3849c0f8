//! The program in a pseudo-terminal, whose screen a parser of escape sequences keeps.
//!
//! Keys go in as a terminal sends them; what is looked at is what a person would see.

use std::{
    io::{Read, Write},
    num::NonZeroU16,
    path::Path,
    sync::{Arc, Condvar, Mutex},
    thread,
    time::{Duration, Instant},
};

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};
use vt100::{MouseProtocolMode, Parser, Screen};

/// What has not happened by then never will.
const PATIENCE: Duration = Duration::from_secs(30);

/// A terminal in which a program runs.
pub(crate) struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    keys: Keyboard,
    shown: Arc<Shown>,
    /// Settings and history of the user, of whom there is none before.
    home: tempfile::TempDir,
}

/// Where keys go, and answers of the terminal.
type Keyboard = Arc<Mutex<Box<dyn Write + Send>>>;

/// The question for the attributes of the terminal, which all terminals answer.
const QUESTION: &[u8] = b"\x1b[c";

const ANSWER: &[u8] = b"\x1b[?62c";

/// What the program has written.
struct Shown {
    parser: Mutex<Parser>,
    news: Condvar,
}

fn size(columns: u16, rows: u16) -> PtySize {
    PtySize {
        rows,
        cols: columns,
        ..PtySize::default()
    }
}

fn cells(n: u16) -> NonZeroU16 {
    NonZeroU16::new(n).expect("a terminal has cells")
}

impl Terminal {
    /// Starts the program in a terminal of that size.
    pub(crate) fn start(args: &[&str], columns: u16, rows: u16) -> Terminal {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_kafscope"));
        command.args(args);
        Terminal::run(command, columns, rows)
    }

    /// Runs a line of a shell, in which `kafscope` is the program.
    pub(crate) fn shell(line: &str, columns: u16, rows: u16) -> Terminal {
        let program = Path::new(env!("CARGO_BIN_EXE_kafscope"));
        let folder = program.parent().expect("a folder").display();
        let mut command = CommandBuilder::new("sh");
        command.args(["-c", line]);
        let path = std::env::var("PATH").unwrap_or_default();
        command.env("PATH", format!("{folder}:{path}"));
        Terminal::run(command, columns, rows)
    }

    fn run(mut command: CommandBuilder, columns: u16, rows: u16) -> Terminal {
        let home = tempfile::tempdir().expect("a folder");
        command.cwd(env!("CARGO_MANIFEST_DIR"));
        command.env("TERM", "xterm-256color");
        command.env("HOME", home.path());
        for folder in ["XDG_STATE_HOME", "XDG_CONFIG_HOME", "NO_COLOR"] {
            command.env_remove(folder);
        }
        let pair = native_pty_system()
            .openpty(size(columns, rows))
            .expect("a pseudo-terminal");
        let child = pair.slave.spawn_command(command).expect("the program");
        let mut output = pair.master.try_clone_reader().expect("its output");
        let shown = Arc::new(Shown {
            parser: Mutex::new(Parser::new(cells(rows), cells(columns), 0)),
            news: Condvar::new(),
        });
        let screen = Arc::clone(&shown);
        let keys: Keyboard = Arc::new(Mutex::new(pair.master.take_writer().expect("its keys")));
        let keyboard = Arc::clone(&keys);
        thread::spawn(move || {
            let mut bytes = [0; 1 << 16];
            // The end of the program is an error on some systems.
            while let Ok(n @ 1..) = output.read(&mut bytes) {
                let new = &bytes[..n];
                if new.windows(QUESTION.len()).any(|part| part == QUESTION) {
                    let mut keyboard = keyboard.lock().unwrap();
                    // Who has left does not want to know.
                    let _ = keyboard.write_all(ANSWER);
                }
                screen.parser.lock().unwrap().process(new);
                screen.news.notify_all();
            }
        });
        Terminal {
            child,
            keys,
            master: pair.master,
            shown,
            home,
        }
    }

    /// The folder of the user's settings.
    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    /// Types keys.
    pub(crate) fn send(&mut self, keys: &str) {
        let mut keyboard = self.keys.lock().unwrap();
        keyboard.write_all(keys.as_bytes()).expect("keys");
        keyboard.flush().expect("keys");
    }

    pub(crate) fn resize(&self, columns: u16, rows: u16) {
        let mut parser = self.shown.parser.lock().unwrap();
        parser.set_size(cells(rows), cells(columns));
        self.master.resize(size(columns, rows)).expect("a size");
    }

    /// Waits until the screen is as wanted; returns its text.
    ///
    /// # Panics
    /// If that never comes, with the screen as it is.
    pub(crate) fn wait(&self, what: &str, is_wanted: impl Fn(&Screen) -> bool) -> String {
        let end = Instant::now() + PATIENCE;
        let mut parser = self.shown.parser.lock().unwrap();
        while !is_wanted(parser.screen()) {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let contents = parser.screen().contents();
                drop(parser);
                panic!("no {what} on\n{contents}");
            }
            parser = self.shown.news.wait_timeout(parser, left).unwrap().0;
        }
        parser.screen().contents()
    }

    /// Waits until a text is on the screen; returns all of it.
    pub(crate) fn wait_for(&self, text: &str) -> String {
        self.wait(text, |screen| screen.contents().contains(text))
    }

    /// Where a text begins on the screen: column and row from 1, as mice are reported.
    pub(crate) fn position(&self, text: &str) -> (usize, usize) {
        let screen = self.wait_for(text);
        let found = screen.lines().enumerate().find_map(|(row, line)| {
            let before = line.split_once(text)?.0;
            Some((before.chars().count() + 1, row + 1))
        });
        found.expect("on one line")
    }

    /// Presses and releases the left button there.
    pub(crate) fn click(&mut self, (column, row): (usize, usize)) {
        self.send(&format!("\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m"));
    }

    /// The process id of the program.
    pub(crate) fn pid(&self) -> u32 {
        self.child.process_id().expect("a process")
    }

    /// Waits for the end of the program; returns what became of it. Asserts that it gave the terminal
    /// back as it was.
    pub(crate) fn end(mut self) -> ExitStatus {
        let end = Instant::now() + PATIENCE;
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("a status") {
                break status;
            }
            if Instant::now() > end {
                self.child.kill().expect("the end");
                panic!("it did not end");
            }
            thread::sleep(Duration::from_millis(5));
        };
        self.wait("screen given back", is_given_back);
        status
    }
}

fn is_given_back(screen: &Screen) -> bool {
    !screen.alternate_screen()
        && !screen.hide_cursor()
        && !screen.bracketed_paste()
        && screen.mouse_protocol_mode() == MouseProtocolMode::None
}
