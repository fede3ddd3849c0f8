//! Reading an input that is small enough to be held: pasted text, bytes by hand.

use std::{
    fs::File,
    io::{self, BufRead, Read},
    path::Path,
};

use super::{log_numbers, output::Output};
use crate::{
    capture::{Compression, Format, may_be_capture},
    hextext::{self, Part, Reading, Remark},
    session::capture_in,
};
use anyhow::{Context, anyhow};

/// The most that is read of one paste: the largest message that brokers take unless told otherwise
/// fits, and a device without end does not fill the memory. A capture is opened by other commands
/// without being read whole.
const PASTE_LIMIT: u64 = 128 << 20;

/// Bytes that tell what an input is.
const LEAD: u64 = 64;

/// Whether an input starts with bytes that no capture starts with. What is looked at here can be
/// read again: a pipe with a name cannot, so it is taken for a capture.
pub(super) fn is_something_else(path: &Path) -> bool {
    let mut lead = Vec::new();
    let read = if path == Path::new("-") {
        // Stays in the buffer that all readers of standard input share.
        let mut stdin = io::stdin().lock();
        stdin.fill_buf().map(|buffer| lead.extend(buffer))
    } else if path.is_file() {
        let file = File::open(path);
        file.and_then(|file| file.take(LEAD).read_to_end(&mut lead).map(|_| ()))
    } else {
        return false;
    };
    read.is_ok() && !lead.is_empty() && !may_be_capture(&lead)
}

/// Whether a file is compressed.
pub(super) fn is_compressed(path: &Path) -> bool {
    let mut lead = Vec::new();
    let file = File::open(path);
    let read = file.and_then(|file| file.take(LEAD).read_to_end(&mut lead));
    read.is_ok() && Compression::detect(&lead).is_some()
}

/// The content of a file, or of standard input for `-`.
pub(super) fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        io::stdin()
            .lock()
            .take(PASTE_LIMIT + 1)
            .read_to_end(&mut bytes)
            .context("cannot read standard input")?;
    } else {
        if path.is_dir() {
            return Err(anyhow!("{} is a directory, expected a file", name(path)));
        }
        File::open(path)
            .and_then(|file| file.take(PASTE_LIMIT + 1).read_to_end(&mut bytes))
            .with_context(|| format!("cannot read {}", name(path)))?;
    }
    if bytes.len() as u64 > PASTE_LIMIT {
        return Err(anyhow!(
            "{} is longer than {} MiB, which is the most that is read at once; list and show read \
             log segments of any size",
            name(path),
            PASTE_LIMIT >> 20
        ));
    }
    Ok(bytes)
}

/// How an input is called in complaints.
pub(super) fn name(path: &Path) -> String {
    if path == Path::new("-") {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    }
}

/// One way to read an input.
pub(super) struct Pasted {
    pub(super) notation: &'static str,
    /// What speaks for it, as half a sentence.
    pub(super) why: String,
    pub(super) parts: Vec<Part>,
    pub(super) remarks: Vec<Remark>,
}

impl Pasted {
    /// Bytes that are no text.
    fn raw(bytes: Vec<u8>) -> Pasted {
        let part = Part {
            bytes,
            ..Part::default()
        };
        Pasted {
            notation: "raw bytes",
            why: "they are no text".into(),
            parts: vec![part],
            remarks: Vec::new(),
        }
    }
}

/// The ways to read an input, the likeliest first: those of a paste, or its raw bytes. None when
/// the paste holds nothing but numbers that a log wrote of bytes, which are explained.
pub(super) fn readings(
    path: &Path,
    json: bool,
    output: &mut Output,
) -> anyhow::Result<Vec<Pasted>> {
    let input = read(path)?;
    // No bytes at all can be a structure without fields.
    if input.trim_ascii().is_empty() {
        return Ok(vec![Pasted::raw(Vec::new())]);
    }
    match hextext::read(&input) {
        Reading::Binary(_) if Format::detect(&input).is_some() => Err(anyhow!(
            "{} is a capture, not a message; kafscope list shows what is in it",
            name(path)
        )),
        Reading::Binary(_) => Ok(vec![Pasted::raw(input)]),
        Reading::Bytes(candidates) => {
            let likeliest = candidates.first();
            if let Some(capture) = likeliest.and_then(|first| capture_in(&first.parts)) {
                return Err(anyhow!("{}: {capture}", name(path)));
            }
            let pasted = candidates.into_iter().map(|candidate| Pasted {
                notation: candidate.notation,
                why: candidate.why,
                parts: candidate.parts,
                remarks: candidate.remarks,
            });
            Ok(pasted.collect())
        }
        Reading::Numbers(numbers) => {
            for number in log_numbers::explain(&numbers) {
                if json {
                    output.json(&number.json())?;
                } else {
                    output.line(number.line())?;
                }
            }
            Ok(Vec::new())
        }
        Reading::Refused(refusal) => Err(anyhow!("{}: {refusal}", name(path))),
    }
}
