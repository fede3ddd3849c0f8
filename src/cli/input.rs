//! Reading an input that is small enough to be held: pasted text, bytes by hand.

use std::{
    fs::File,
    io::{self, BufRead, Read},
    path::Path,
};

use anyhow::{Context, anyhow};
use serde_json::{Value as Json, json};

use super::output::Output;
use crate::{
    capture::{Format, may_be_capture},
    hextext::{self, LogNumber, NumberRole, Part, Reading},
    render::escape_str,
};

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

/// The byte sequences of an input: those of a paste, or the raw bytes as one. Empty when the paste
/// holds nothing but numbers that a log wrote of bytes, which are explained.
pub(super) fn parts(path: &Path, json: bool, output: &mut Output) -> anyhow::Result<Vec<Part>> {
    let input = read(path)?;
    // No bytes at all can be a structure without fields.
    if input.trim_ascii().is_empty() {
        return Ok(vec![Part::default()]);
    }
    match hextext::read(&input) {
        Reading::Binary(_) if Format::detect(&input).is_some() => Err(anyhow!(
            "{} is a capture, not a message; kafscope list shows what is in it",
            name(path)
        )),
        Reading::Binary(_) => Ok(vec![Part {
            bytes: input,
            ..Part::default()
        }]),
        Reading::Bytes(candidates) => {
            let mut candidates = candidates.into_iter();
            let best = candidates
                .next()
                .ok_or_else(|| anyhow!("{} holds no bytes", name(path)))?;
            for remark in &best.remarks {
                output.remark(&format!("{}:{}: {}", name(path), remark.place, remark.text));
            }
            for part in &best.parts {
                for hole in &part.holes {
                    output.remark(&format!(
                        "{}:{}: bytes are left out here, before byte {}",
                        name(path),
                        hole.place,
                        hole.at
                    ));
                }
            }
            for other in candidates {
                output.remark(&format!(
                    "{}: read as {} because {}; it could also be {} because {}",
                    name(path),
                    best.notation,
                    best.why,
                    other.notation,
                    other.why
                ));
            }
            Ok(best.parts)
        }
        Reading::Numbers(numbers) => {
            for number in numbers.iter().filter(|number| !number.bytes.is_empty()) {
                if json {
                    output.json(&number_json(number))?;
                } else {
                    output.line(explain_number(number))?;
                }
            }
            Ok(Vec::new())
        }
        Reading::Refused(refusal) => Err(anyhow!("{}: {refusal}", name(path))),
    }
}

/// What a number in a log line was on the wire.
fn explain_number(number: &LogNumber) -> String {
    let hex: Vec<String> = number
        .bytes
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let text: String = number
        .bytes
        .iter()
        .map(|&byte| crate::render::ascii(byte))
        .collect();
    let guess =
        guess(&number.bytes).map_or(String::new(), |what| format!("; {what} starts like this"));
    format!(
        "{} {} ({}) is {} \"{}\" on the wire{guess}",
        number.place,
        number.value,
        role(number.role),
        hex.join(" "),
        escape_str(&text)
    )
}

fn number_json(number: &LogNumber) -> Json {
    let hex: String = number
        .bytes
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    json!({
        "type": "number",
        "line": number.place.line,
        "column": number.place.column,
        "role": role(number.role),
        "value": number.value,
        "bytes": hex,
        "guess": guess(&number.bytes),
    })
}

/// What starts with these bytes: a size that no message has is often the beginning of another
/// protocol.
fn guess(bytes: &[u8]) -> Option<&'static str> {
    Some(match bytes {
        [0x16, 0x03, ..] => "a TLS handshake",
        [0x15, 0x03, ..] => "a TLS alert",
        b"GET " | b"POST" | b"HEAD" | b"PUT " | b"OPTI" => "an HTTP request",
        b"HTTP" => "an HTTP response",
        b"PROX" | [0x0d, 0x0a, 0x0d, 0x0a] => "a PROXY header",
        [0x60, 0x82, ..] => "a GSSAPI token",
        _ => return None,
    })
}

fn role(role: NumberRole) -> &'static str {
    match role {
        NumberRole::Size => "size",
        NumberRole::StringLength => "string length",
        NumberRole::ApiKey => "API key",
        NumberRole::ApiVersion => "API version",
        NumberRole::CorrelationId => "correlation id",
        NumberRole::Limit => "limit",
    }
}
