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
        write!(
            out,
            "{:.6}  {} in {}",
            time(origin.time),
            origin.offset,
            name(session, origin.file),
        )?;
        let annotation = session.capture().annotation(origin.header);
        match annotation.interface_name {
            Some(interface) => writeln!(out, ", interface {}", super::escape_str(&interface))?,
            None => writeln!(out)?,
        }
    }
    for hole in &gathered.missing {
        writeln!(
            out,
            "{:04x}-{:04x}    not captured",
            hole.start,
            hole.end.saturating_sub(1)
        )?;
    }
    for comment in comments(session, gathered) {
        let text = super::escape_str(&comment.text);
        writeln!(out, "comment on {}: {text}", comment.subject)?;
    }
    Ok(())
}

/// The same as JSON.
pub fn json(session: &Session, gathered: &Gathered) -> Json {
    gathered
        .origins
        .iter()
        .map(|origin| {
            let mut entry = json!({
                "offset": origin.range.start,
                "size": origin.range.len(),
                "packet": origin.packet,
                "packet_in_file": origin.packet_in_file,
                "time": format!("{:.6}", time(origin.time)),
                "file": name(session, origin.file),
                "file_offset": origin.offset,
            });
            let annotation = session.capture().annotation(origin.header);
            if let (Some(name), Json::Object(entry)) = (annotation.interface_name, &mut entry) {
                entry.insert("interface".into(), name.into());
            }
            entry
        })
        .collect()
}

/// Where byte `at` of a message, which is one of `origin`, comes from, in a line.
pub fn byte(origin: &Origin, at: usize, file: &str) -> String {
    let offset = origin.offset + at.saturating_sub(origin.range.start) as u64;
    let in_file = match origin.packet_in_file == origin.packet {
        true => String::new(),
        false => format!(" ({} in its file)", origin.packet_in_file),
    };
    format!(
        "packet {}{in_file}, {}, byte {offset} of {}",
        origin.packet,
        time(origin.time).strftime("%H:%M:%S%.6f"),
        super::escape_str(file)
    )
}

/// Comments on what the bytes of a message came in; `None` if there are none, as in all formats but
/// pcapng.
pub fn comments_json(session: &Session, gathered: &Gathered) -> Option<Json> {
    let comments: Vec<Json> = comments(session, gathered)
        .into_iter()
        .map(|comment| match comment.subject {
            Subject::Packet(packet) => {
                json!({"on": "packet", "packet": packet, "text": comment.text})
            }
            Subject::Interface => json!({"on": "interface", "text": comment.text}),
            Subject::Section => json!({"on": "section", "text": comment.text}),
        })
        .collect();
    (!comments.is_empty()).then_some(Json::Array(comments))
}

/// A comment that somebody has written into the capture.
struct Comment {
    subject: Subject,
    text: String,
}

#[derive(Clone, Copy)]
enum Subject {
    Packet(u64),
    Interface,
    Section,
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Subject::Packet(packet) => write!(f, "packet {packet}"),
            Subject::Interface => f.write_str("the interface"),
            Subject::Section => f.write_str("the capture"),
        }
    }
}

/// The comments on the packets of a message, then those on their interfaces and sections, each
/// once.
fn comments(session: &Session, gathered: &Gathered) -> Vec<Comment> {
    let mut on_packets = Vec::new();
    let mut on_others: Vec<Comment> = Vec::new();
    let mut last = 0;
    for origin in &gathered.origins {
        if origin.packet == last {
            continue;
        }
        last = origin.packet;
        let annotation = session.capture().annotation(origin.header);
        on_packets.extend(annotation.packet.into_iter().map(|text| Comment {
            subject: Subject::Packet(origin.packet),
            text,
        }));
        let interface = annotation.interface.into_iter();
        let section = annotation.section.into_iter();
        let others = interface
            .map(|text| (Subject::Interface, text))
            .chain(section.map(|text| (Subject::Section, text)));
        for (subject, text) in others {
            if on_others.iter().all(|comment| comment.text != text) {
                on_others.push(Comment { subject, text });
            }
        }
    }
    on_packets.extend(on_others);
    on_packets
}

fn time(nanos: i64) -> Timestamp {
    Timestamp::from_nanosecond(nanos.into()).unwrap_or_default()
}

fn name(session: &Session, file: usize) -> String {
    let name = session.capture().names().nth(file).unwrap_or("-");
    super::escape_str(name)
}
