//! `list`, `show` and `stats` of log segments: batches where captures have exchanges.

use std::{
    fmt::Write,
    ops::RangeInclusive,
    path::{Path, PathBuf},
};

use anyhow::anyhow;

use super::{
    Outcome,
    args::{ListArgs, ShowArgs, StatsArgs, subject},
    input,
    output::Output,
    screen,
};
use crate::{
    capture::may_be_capture,
    render::{
        Head, JsonLine, batch_head, batch_json, batch_row, escape_str, json_problems, message,
        segment_json, segment_text,
    },
    session::{Batch, Plain, Segment},
    stats::segment_stats,
};

/// The input that is a log segment, if it is one.
pub(super) fn only(paths: &[PathBuf]) -> anyhow::Result<Option<(&Path, Plain)>> {
    if let [path] = paths {
        return Ok(open(path)?.map(|file| (path.as_path(), file)));
    }
    for path in paths {
        // Offsets of several segments have nothing to do with each other.
        if open(path)?.is_some() {
            return Err(anyhow!(
                "{} is a log segment, which is read by itself and not with other inputs",
                path.display()
            ));
        }
    }
    Ok(None)
}

/// Refuses options that a log segment has no use for.
pub(super) fn refuse_for_exchanges(path: &Path, given: &[String]) -> anyhow::Result<()> {
    match subject(given) {
        None => Ok(()),
        Some(subject) => Err(anyhow!(
            "{}: this is a log segment, and {subject} for the exchanges of captures",
            path.display()
        )),
    }
}

/// Bytes that tell what a file is.
const LEAD: u64 = 64;

/// A pipe would have to be read to tell.
///
/// # Errors
/// A compressed segment that cannot be decompressed.
fn open(path: &Path) -> anyhow::Result<Option<Plain>> {
    if !path.is_file() {
        return Ok(None);
    }
    let Ok(lead) = Plain::lead(path, LEAD) else {
        return Ok(None);
    };
    if lead.is_empty() || may_be_capture(&lead) {
        return Ok(None);
    }
    let is_compressed = input::is_compressed(path);
    let may_be_batch = lead.get(MAGIC).is_some_and(|&magic| magic <= 2);
    // What is certainly something else is not decompressed to its end.
    if is_compressed && !may_be_batch && !is_named(path) {
        return Ok(None);
    }
    let file = match Plain::open(path) {
        Ok(file) => file,
        Err(error) if is_compressed => return Err(error.into()),
        Err(_) => return Ok(None),
    };
    Ok(Segment::is_one(file.bytes(), is_named(path)).then_some(file))
}

/// Where a batch of any version says of which version it is.
const MAGIC: usize = 16;

/// Whether a file is called as brokers call segments, by the offset that they start with, whatever
/// compressed it since.
fn is_named(path: &Path) -> bool {
    let is_offset = |stem: &str| stem.len() == 20 && stem.bytes().all(|byte| byte.is_ascii_digit());
    let name = path.file_name().and_then(|name| name.to_str());
    let name = name.unwrap_or_default();
    let name = [".gz", ".zst"]
        .iter()
        .find_map(|end| name.strip_suffix(end))
        .unwrap_or(name);
    name.strip_suffix(".log").is_some_and(is_offset)
}

/// One line a batch.
pub(super) fn list(
    args: &ListArgs,
    path: &Path,
    file: &Plain,
    output: &mut Output,
) -> anyhow::Result<Outcome> {
    let name = escape_str(&path.display().to_string());
    if !args.json {
        output.line(batch_head())?;
    }
    let mut segment = Segment::new(file);
    for batch in segment.by_ref() {
        if !args.json {
            output.line(batch_row(&batch))?;
            continue;
        }
        let mut line = batch_json(&name, &batch);
        if batch.problems > 0 {
            line.insert("problems".into(), json_problems(&batch.open(file)));
        }
        output.json(&line)?;
    }
    tail(&name, &segment, output);
    Ok(Outcome::Fine)
}

/// Batches by their numbers.
pub(super) fn show(
    args: &ShowArgs,
    path: &Path,
    file: &Plain,
    numbers: &[RangeInclusive<usize>],
    output: &mut Output,
) -> anyhow::Result<Outcome> {
    let name = escape_str(&path.display().to_string());
    let mut outcome = Outcome::Fine;
    let mut segment = Segment::new(file);
    for range in numbers {
        for number in range.clone() {
            if number as u64 <= segment.n() {
                segment = Segment::new(file);
            }
            let is_wanted = |batch: &Batch| batch.n == number as u64;
            match std::iter::from_fn(|| segment.step()).find(is_wanted) {
                Some(batch) => print(args, &name, file, &batch, output)?,
                None => {
                    let len = segment.n();
                    output.remark(&format!(
                        "{name}: there is no batch {number}; they go from 1 to {len}"
                    ));
                    outcome = Outcome::Nothing;
                    // The rest of the range is not there either.
                    break;
                }
            }
        }
    }
    Ok(outcome)
}

fn print(
    args: &ShowArgs,
    name: &str,
    file: &Plain,
    batch: &Batch,
    output: &mut Output,
) -> anyhow::Result<()> {
    let tree = batch.open(file);
    if args.json {
        output.json(&JsonLine {
            shows_tree: args.tree,
            ..JsonLine::new(&tree, &Head::Records)
        })?;
        return Ok(());
    }
    let palette = output.palette();
    let title = palette.title();
    output.line(format_args!(
        "{title}batch {}: {} bytes at {} of {name}{title:#}",
        batch.n, batch.len, batch.at
    ))?;
    let cut = screen::cut(args.wide);
    output.stream(|out| {
        out.write_char('\n')?;
        message(out, &tree, args.only.into(), cut, palette, |_| None)?;
        out.write_char('\n')
    })?;
    Ok(())
}

/// All of it, counted.
pub(super) fn stats(
    args: &StatsArgs,
    path: &Path,
    file: &Plain,
    output: &mut Output,
) -> anyhow::Result<Outcome> {
    let name = escape_str(&path.display().to_string());
    let stats = segment_stats(file);
    if args.json {
        output.json(&segment_json(&name, &stats))?;
        return Ok(Outcome::Fine);
    }
    let palette = output.palette();
    output.stream(|out| segment_text(out, &stats, palette))?;
    Ok(Outcome::Fine)
}

/// Says what follows the last batch.
fn tail(name: &str, segment: &Segment<'_>, output: &mut Output) {
    match segment.preallocated() {
        0 => {}
        len => output.remark(&format!(
            "{name}: {len} bytes of zeros from byte {} on: preallocated, no batches",
            segment.at()
        )),
    }
}
