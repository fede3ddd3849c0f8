//! Standard output and standard error, the only places that the program prints to.

use std::{
    fmt,
    io::{self, BufWriter, IsTerminal, Stdout, Write},
};

use serde::Serialize;

use super::args::ColorWhen;
use crate::{
    query::Mistake,
    render::{Palette, escape_typed, write_json},
};

/// Where a command's result goes.
pub(super) struct Output {
    out: BufWriter<Standard>,
    palette: Palette,
    n_remarks: usize,
}

/// Standard output, whose errors say that they are its own.
struct Standard(Stdout);

impl Write for Standard {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(of_output)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(of_output)
    }
}

/// The kind stays, since nobody is told of a closed pipe.
fn of_output(error: io::Error) -> io::Error {
    io::Error::new(
        error.kind(),
        format!("cannot write to standard output: {error}"),
    )
}

/// Remarks that are made: a paste of a megabyte can give a hundred thousand.
const REMARKS: usize = 32;

impl Output {
    pub(super) fn new(color: ColorWhen) -> Output {
        let stdout = io::stdout();
        let coloured = match color {
            ColorWhen::Always => true,
            ColorWhen::Never => false,
            ColorWhen::Auto => {
                anstream::AutoStream::choice(&stdout) != anstream::ColorChoice::Never
            }
        };
        Output {
            out: BufWriter::with_capacity(1 << 16, Standard(stdout)),
            palette: if coloured {
                Palette::Ansi
            } else {
                Palette::Plain
            },
            n_remarks: 0,
        }
    }

    pub(super) fn palette(&self) -> Palette {
        self.palette
    }

    /// Whether somebody looks at the output as it comes.
    pub(super) fn is_terminal(&self) -> bool {
        self.out.get_ref().0.is_terminal()
    }

    /// Writes text that the program made.
    pub(super) fn text(&mut self, text: impl fmt::Display) -> io::Result<()> {
        write!(self.out, "{text}")
    }

    /// Writes text as it is made, for what may be longer than memory allows.
    pub(super) fn stream(
        &mut self,
        write: impl FnOnce(&mut Stream<'_>) -> fmt::Result,
    ) -> anyhow::Result<()> {
        stream(&mut self.out, write)
    }

    /// Writes one line of text that the program made.
    pub(super) fn line(&mut self, text: impl fmt::Display) -> io::Result<()> {
        writeln!(self.out, "{text}")
    }

    /// Writes one JSON line.
    pub(super) fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        write_json(&mut self.out, value)?;
        self.out.write_all(b"\n")
    }

    /// Writes bytes, such as a script for a shell.
    pub(super) fn raw(&mut self) -> &mut impl Write {
        &mut self.out
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Says on standard error what went wrong, in one line.
    pub(super) fn complain(&mut self, sentence: &str) {
        let _ = self.out.flush();
        let one_line = sentence.split_whitespace().collect::<Vec<_>>().join(" ");
        let _ = writeln!(io::stderr(), "kafscope: {}", safe(&one_line));
    }

    /// Shows below a complaint where the mistake is.
    pub(super) fn point(&mut self, mistake: &Mistake) {
        let _ = writeln!(io::stderr(), "{}", mistake.pointer());
    }

    /// A remark beside the result, on standard error.
    pub(super) fn remark(&mut self, sentence: &str) {
        self.n_remarks += 1;
        if self.n_remarks <= REMARKS {
            self.complain(sentence);
        } else if self.n_remarks == REMARKS + 1 {
            self.complain("further remarks are left out");
        }
    }

    /// Whether a remark would still be made, for those that cost something to find.
    pub(super) fn takes_remarks(&self) -> bool {
        self.n_remarks <= REMARKS
    }
}

/// Writes formatted text to anything that takes bytes.
pub(super) fn stream(
    out: &mut dyn Write,
    write: impl FnOnce(&mut Stream<'_>) -> fmt::Result,
) -> anyhow::Result<()> {
    let mut stream = Stream {
        out,
        failed: Ok(()),
    };
    let written = write(&mut stream);
    stream.failed?;
    Ok(written?)
}

/// A writer of bytes for formatted text, with the error that formatting has no room for.
pub(super) struct Stream<'a> {
    out: &'a mut dyn Write,
    failed: io::Result<()>,
}

impl fmt::Write for Stream<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.failed = self.out.write_all(text.as_bytes());
        if self.failed.is_ok() {
            Ok(())
        } else {
            Err(fmt::Error)
        }
    }
}

/// File names and captured text in a complaint must not steer the terminal; its own quotes stay.
fn safe(text: &str) -> String {
    escape_typed(text)
}
