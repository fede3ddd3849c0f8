//! Reading an input that is small enough to be held: pasted text, bytes by hand.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use anyhow::Context;

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

pub(super) fn byte_runs(_path: &Path, input: &[u8]) -> anyhow::Result<Vec<Vec<u8>>> {
    let t = String::from_utf8_lossy(input);
    let t: String = t.chars().filter(|c| !c.is_whitespace()).collect();
    Ok(vec![
        (0..t.len() / 2)
            .map(|i| u8::from_str_radix(t.get(2 * i..2 * i + 2).unwrap_or("0"), 16).unwrap_or(0))
            .collect(),
    ])
}
