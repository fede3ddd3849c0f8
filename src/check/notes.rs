//! What indexing noted: damaged inputs, lost bytes, retransmissions that contradict each other.

use std::borrow::Cow;

use super::{
    Severity,
    findings::{Findings, Kind, Occurrence},
};
use crate::session::{Index, Lost, Note, Subject, Trouble};

pub(super) fn check(index: &Index, found: &mut Findings) {
    for note in index.notes() {
        let text = words(note);
        let What {
            severity,
            kind,
            subject,
            detail,
        } = what(index, note);
        let occurrence = Occurrence {
            connection: note.connection,
            detail: text.clone(),
            ..Occurrence::default()
        };
        let detail = || detail.map_or(text, Cow::into_owned);
        found.add(severity, kind, subject, occurrence, detail);
    }
    if index.n_more_notes() > 0 {
        let detail = || format!("{} more notes on the capture", index.n_more_notes());
        found.add(
            Severity::Warning,
            Kind::Unlisted,
            "capture".to_owned(),
            Occurrence::default(),
            detail,
        );
    }
}

/// What a note says, without what stands beside it in a finding: its connection, its input.
fn words(note: &Note) -> String {
    match &note.subject {
        Subject::Capture { note, .. } => note.to_string(),
        _ => Note {
            connection: None,
            ..note.clone()
        }
        .to_string(),
    }
}

/// What a note is as a finding.
struct What {
    severity: Severity,
    kind: Kind,
    subject: String,
    /// What holds for all notes of its kind and subject; `None` if that is what the first of them says.
    detail: Option<Cow<'static, str>>,
}

fn what(index: &Index, note: &Note) -> What {
    let (severity, kind, subject, detail) = match &note.subject {
        Subject::Capture { input, note } => {
            // A capture program that is killed leaves half a packet.
            let severity = match note.trouble {
                Trouble::Cut { .. } | Trouble::NoTime { .. } => Severity::Warning,
                Trouble::Comment { .. } => Severity::Note,
                _ => Severity::Error,
            };
            (severity, Kind::Capture, input.clone(), None)
        }
        Subject::Gap { from, lost, .. } => {
            let (kind, detail) = match lost {
                Lost::Segment => (Kind::Gap, "bytes that it sent were not captured"),
                Lost::SnapLength => (
                    Kind::SnapCut,
                    "packets were cut by the snap length of the capture",
                ),
            };
            (Severity::Warning, kind, host(from), Some(detail.into()))
        }
        Subject::Conflict { from, .. } => {
            let detail = "retransmissions bring other bytes than the first copy";
            let detail = Some(detail.into());
            (Severity::Warning, Kind::Conflict, host(from), detail)
        }
        Subject::TlsAlert { from, .. } => {
            let detail = Some("sends TLS alerts".into());
            (Severity::Warning, Kind::Tls, host(from), detail)
        }
        Subject::NotDecrypted { refusal } => {
            let detail = Some(format!("connections are not decrypted: {refusal}").into());
            (Severity::Note, Kind::Tls, "TLS".to_owned(), detail)
        }
        Subject::NotInKeyLog { .. } => (Severity::Note, Kind::Tls, "sessions".to_owned(), None),
        Subject::BadKeyLog { .. } => (Severity::Note, Kind::Tls, "key log".to_owned(), None),
        Subject::NotKept { .. } => (Severity::Warning, Kind::Tls, "TLS".to_owned(), None),
        Subject::Disorder(_) => {
            let detail = Some("packets were not written in the order of their times".into());
            let subject = "capture".to_owned();
            (Severity::Warning, Kind::Capture, subject, detail)
        }
        Subject::Unread(_) => (Severity::Warning, Kind::Capture, "capture".to_owned(), None),
        Subject::GivenUp { from, .. } => {
            let detail = "bytes were given up before it could be told what they are";
            let detail = Some(detail.into());
            (Severity::Note, Kind::GivenUp, host(from), detail)
        }
        Subject::LostFraming { from } => {
            let (severity, detail) = lost_framing(index, note);
            (severity, Kind::LostFraming, host(from), Some(detail.into()))
        }
    };
    What {
        severity,
        kind,
        subject,
        detail,
    }
}

/// Behind lost bytes a boundary has to be searched for; without them, what was sent is at fault.
fn lost_framing(index: &Index, note: &Note) -> (Severity, &'static str) {
    let connection = note.connection.and_then(|n| index.connection(n));
    let is_lost = connection
        .is_some_and(|connection| connection.counts.a.lost + connection.counts.b.lost > 0);
    match is_lost {
        true => (
            Severity::Warning,
            "behind bytes that were not captured, the next message had to be searched for",
        ),
        false => (
            Severity::Error,
            "the bytes that it sent stopped being messages",
        ),
    }
}

/// The address without the port, which clients change with every connection.
fn host(endpoint: &str) -> String {
    let host = endpoint.rsplit_once(':').map_or(endpoint, |(host, _)| host);
    host.to_owned()
}
