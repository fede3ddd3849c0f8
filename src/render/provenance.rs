//! Which packet each byte of a message came in.

use std::fmt::{self, Write};

use jiff::Timestamp;
use serde_json::{Value as Json, json};

use crate::session::{Gathered, Origin, Session};

/// Writes a line for every run of bytes that came in one packet. With several inputs the packet's
/// number in its own stands beside that over all.
pub fn text(out: &mut impl Write, session: &Session, gathered: &Gathered) -> fmt::Result {
    let has_others = session.capture().names().nth(1).is_some();
    let in_file = if has_others { "in file   " } else { "" };
    writeln!(
        out,
        "\nbytes        packet    {in_file}time                         offset in file"
    )?;
    for origin in &gathered.origins {
        let range = format!(
            "{:04x}-{:04x}",
            origin.range.start,
            origin.range.end.saturating_sub(1)
        );
        write!(out, "{range:<11}  {:<8}  ", origin.packet)?;
        if has_others {
            write!(out, "{:<8}  ", origin.packet_in_file)?;
        }
        writeln!(
            out,
            "{:.6}  {} in {}",
            time(origin.time),
            origin.offset,
            name(session, origin.file),
        )?;
    }
    for hole in &gathered.missing {
        writeln!(
            out,
            "{:04x}-{:04x}    not captured",
            hole.start,
            hole.end.saturating_sub(1)
        )?;
    }
    Ok(())
}

/// The same as JSON.
pub fn json(session: &Session, gathered: &Gathered) -> Json {
    gathered
        .origins
        .iter()
        .map(|origin| {
            json!({
                "offset": origin.range.start,
                "size": origin.range.len(),
                "packet": origin.packet,
                "packet_in_file": origin.packet_in_file,
                "time": format!("{:.6}", time(origin.time)),
                "file": name(session, origin.file),
                "file_offset": origin.offset,
            })
        })
        .collect()
}

/// Where byte `at` of a message, which is one of `origin`, comes from, in a line.
pub fn byte(origin: &Origin, at: usize, file: &str) -> String {
    let offset = origin.offset + at.saturating_sub(origin.range.start) as u64;
    format!(
        "packet {}, {}, byte {offset} of {}",
        origin.packet,
        time(origin.time).strftime("%H:%M:%S%.6f"),
        super::escape_str(file)
    )
}

fn time(nanos: i64) -> Timestamp {
    Timestamp::from_nanosecond(nanos.into()).unwrap_or_default()
}

fn name(session: &Session, file: usize) -> String {
    let name = session.capture().names().nth(file).unwrap_or("-");
    super::escape_str(name)
}
