//! What indexing noted: damaged inputs, lost bytes, retransmissions that contradict each other.

use super::{
    Severity,
    findings::{Findings, Kind, Occurrence},
};
use crate::session::{Index, Lost, Note, Subject, Trouble};

pub(super) fn check(index: &Index, found: &mut Findings) {
    for note in index.notes() {
        // The connection is told beside it.
        let text = Note {
            connection: None,
            ..note.clone()
        }
        .to_string();
        let (severity, kind, subject, detail, own) = match &note.subject {
            Subject::Capture { input, note } => {
                // A capture program that is killed leaves half a packet.
                let severity = match note.trouble {
                    Trouble::Cut { .. } | Trouble::NoTime { .. } => Severity::Warning,
                    Trouble::Comment { .. } => Severity::Note,
                    _ => Severity::Error,
                };
                let text = note.to_string();
                (severity, Kind::Capture, input.clone(), text.clone(), text)
            }
            Subject::Gap { from, lost, .. } => {
                let (kind, detail) = match lost {
                    Lost::Segment => (Kind::Gap, "bytes that it sent were not captured"),
                    Lost::SnapLength => (
                        Kind::SnapCut,
                        "packets were cut by the snap length of the capture",
                    ),
                };
                let subject = host(from);
                (Severity::Warning, kind, subject, detail.to_owned(), text)
            }
            Subject::Conflict { from, .. } => (
                Severity::Warning,
                Kind::Conflict,
                host(from),
                "retransmissions bring other bytes than the first copy".to_owned(),
                text,
            ),
            Subject::TlsAlert { from, .. } => (
                Severity::Warning,
                Kind::Tls,
                host(from),
                "sends TLS alerts".to_owned(),
                text,
            ),
            Subject::NotDecrypted { refusal } => (
                Severity::Note,
                Kind::Tls,
                "TLS".to_owned(),
                format!("connections are not decrypted: {refusal}"),
                text,
            ),
            Subject::NotInKeyLog { .. } => (
                Severity::Note,
                Kind::Tls,
                "sessions".to_owned(),
                text.clone(),
                text,
            ),
            Subject::BadKeyLog { .. } => (
                Severity::Note,
                Kind::Tls,
                "key log".to_owned(),
                text.clone(),
                text,
            ),
            Subject::NotKept { .. } => (
                Severity::Warning,
                Kind::Tls,
                "TLS".to_owned(),
                text.clone(),
                text,
            ),
            Subject::Disorder(_) => (
                Severity::Warning,
                Kind::Capture,
                "capture".to_owned(),
                "packets were not written in the order of their times".to_owned(),
                text,
            ),
            Subject::Unread(_) => (
                Severity::Warning,
                Kind::Capture,
                "capture".to_owned(),
                text.clone(),
                text,
            ),
            Subject::GivenUp { from, .. } => (
                Severity::Note,
                Kind::GivenUp,
                host(from),
                "bytes were given up before it could be told what they are".to_owned(),
                text,
            ),
            Subject::LostFraming { from } => {
                let connection = note.connection.and_then(|n| index.connection(n));
                let is_lost = connection.is_some_and(|connection| {
                    connection.counts.a.lost + connection.counts.b.lost > 0
                });
                let (severity, detail) = match is_lost {
                    true => (
                        Severity::Warning,
                        "behind bytes that were not captured, the next message had to be searched for",
                    ),
                    false => (
                        Severity::Error,
                        "the bytes that it sent stopped being messages",
                    ),
                };
                let (kind, subject) = (Kind::LostFraming, host(from));
                (severity, kind, subject, detail.to_owned(), text)
            }
        };
        let occurrence = Occurrence {
            connection: note.connection,
            detail: own,
            ..Occurrence::default()
        };
        found.add(severity, kind, subject, occurrence, || detail);
    }
    for _ in 0..index.n_more_notes().min(1) {
        let detail = || format!("{} more notes on the capture", index.n_more_notes());
        let occurrence = Occurrence::default();
        let subject = "capture".to_owned();
        found.add(
            Severity::Warning,
            Kind::Unlisted,
            subject,
            occurrence,
            detail,
        );
    }
}

/// The address without the port, which clients change with every connection.
fn host(endpoint: &str) -> String {
    let host = endpoint.rsplit_once(':').map_or(endpoint, |(host, _)| host);
    host.to_owned()
}
