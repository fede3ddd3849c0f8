//! Reading an input that is small enough to be held: pasted text, bytes by hand.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use anyhow::{Context, anyhow};

use super::output::Output;
use crate::{
    capture::Format,
    hextext::{self, LogNumber, NumberRole, Part, Reading},
    render::escape_str,
};

/// The most that is read of one paste. A message has at most 2 GiB and hex doubles it, but nobody
/// pastes that; a capture is opened by other commands without being read whole.
const PASTE_LIMIT: u64 = 1 << 30;

/// The content of a file, or of standard input for `-`.
pub(super) fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        io::stdin()
            .lock()
            .take(PASTE_LIMIT)
            .read_to_end(&mut bytes)
            .context("standard input")?;
    } else {
        File::open(path)
            .and_then(|file| file.take(PASTE_LIMIT).read_to_end(&mut bytes))
            .with_context(|| path.display().to_string())?;
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
pub(super) fn parts(path: &Path, output: &mut Output) -> anyhow::Result<Vec<Part>> {
    let input = read(path)?;
    // No bytes at all can be a structure without fields.
    if input.trim_ascii().is_empty() {
        return Ok(vec![Part::default()]);
    }
    match hextext::read(&input) {
        Reading::Binary(_) if Format::detect(&input).is_some() => Err(anyhow!(
            "{}: is a capture, not a message; kafscope list shows what is in it",
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
                .ok_or_else(|| anyhow!("{}: holds no bytes", name(path)))?;
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
                output.line(explain_number(number))?;
            }
            Ok(Vec::new())
        }
        Reading::Refused(refusal) => Err(anyhow!("{}: {refusal}", name(path))),
    }
}

/// What a number in a log line was on the wire. A size that no message has is often the beginning
/// of another protocol.
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
    let guess = match number.bytes.as_slice() {
        [0x16, 0x03, ..] => "; a TLS handshake starts like this",
        [0x15, 0x03, ..] => "; a TLS alert starts like this",
        b"GET " | b"POST" | b"HEAD" | b"PUT " | b"OPTI" => "; an HTTP request starts like this",
        b"HTTP" => "; an HTTP response starts like this",
        b"PROX" | [0x0d, 0x0a, 0x0d, 0x0a] => "; a PROXY header starts like this",
        [0x60, 0x82, ..] => "; a GSSAPI token starts like this",
        _ => "",
    };
    let role = match number.role {
        NumberRole::Size => "size",
        NumberRole::StringLength => "string length",
        NumberRole::ApiKey => "API key",
        NumberRole::ApiVersion => "API version",
        NumberRole::CorrelationId => "correlation id",
        NumberRole::Limit => "limit",
    };
    format!(
        "{} {} ({role}) is {} \"{}\" on the wire{guess}",
        number.place,
        number.value,
        hex.join(" "),
        escape_str(&text)
    )
}
