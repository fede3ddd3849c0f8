//! What there is to know about a capture beside its exchanges.

use std::fmt;

use crate::capture;
use crate::flow::Lost;
use crate::net::Unread;
use crate::tls::{Alert, BadLine, Refusal};

/// Something that went wrong in the capture, or that keeps it from being complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The connection concerned, counting from 1.
    pub connection: Option<u32>,
    /// What it is.
    pub subject: Subject,
}

/// What a note is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// An input is damaged.
    Capture { input: String, note: capture::Note },
    /// Bytes that one end sent are not in the capture.
    Gap { from: String, len: u64, lost: Lost },
    /// A retransmission brought other bytes than the first copy.
    Conflict { from: String, packet: u64 },
    /// The first bytes that one end sent were let go before it could be told what they are.
    GivenUp { from: String, len: u64 },
    /// What one end sent stopped being Kafka messages, and the next one had to be searched for.
    LostFraming { from: String },
    /// One end says what is wrong with the TLS connection.
    TlsAlert { from: String, alert: Alert },
    /// There are secrets, and the connection, or one direction of it, is not decrypted.
    NotDecrypted { refusal: Refusal },
    /// Secrets of these sessions are missing in the key log of this name, or in those that the
    /// inputs carry.
    NotInKeyLog {
        name: Option<String>,
        n_unknown: u64,
        n_sessions: u64,
    },
    /// Lines of the key log of this name, or of the secrets that the inputs carry, are none: the
    /// first of them, and how many others.
    BadKeyLog {
        name: Option<String>,
        line: BadLine,
        n_more: u64,
    },
    /// Decrypted data could not be kept, and is lost.
    NotKept { message: String },
    /// Packets were not written in the order of their times, and could not be sorted.
    Disorder(Disorder),
    /// Packets have a link type that is not known.
    Unread(Unread),
}

/// The name of what has none.
const CARRIED: &str = "the secrets in the capture";

/// Where packets begin to be in disorder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disorder {
    /// The first packet that was written more than a second after a later one.
    pub packet: u64,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(connection) = self.connection {
            write!(f, "connection {connection}: ")?;
        }
        match &self.subject {
            Subject::Capture { input, note } => write!(f, "{input}: {note}"),
            Subject::Gap {
                from,
                len,
                lost: Lost::Segment,
            } => write!(f, "{len} bytes from {from} were not captured"),
            Subject::Gap {
                from,
                len,
                lost: Lost::SnapLength,
            } => write!(f, "{len} bytes from {from} were cut off by the snap length"),
            Subject::Conflict { from, packet } => write!(
                f,
                "packet {packet} from {from} repeats bytes with another content; the first copy is shown"
            ),
            Subject::GivenUp { from, len } => write!(
                f,
                "the first {len} bytes captured from {from} were given up before it could be told what they are; messages may be among them"
            ),
            Subject::LostFraming { from } => write!(
                f,
                "the bytes from {from} stopped being messages; reading went on at the next one"
            ),
            Subject::TlsAlert { from, alert } => write!(f, "TLS: {from} sends the {alert}"),
            Subject::NotDecrypted { refusal } => write!(f, "TLS is not decrypted: {refusal}"),
            Subject::NotInKeyLog {
                name,
                n_unknown,
                n_sessions,
            } => {
                let name = name.as_deref().unwrap_or(CARRIED);
                write!(
                    f,
                    "{name}: {n_unknown} of {n_sessions} TLS sessions are not in it and stay encrypted"
                )
            }
            Subject::BadKeyLog { name, line, n_more } => {
                let name = name.as_deref().unwrap_or(CARRIED);
                write!(f, "{name}, line {}: {}", line.line, line.fault)?;
                match n_more {
                    0 => Ok(()),
                    n => write!(f, "; {n} more lines are none of a key log"),
                }
            }
            Subject::NotKept { message } => write!(f, "decrypted data is lost: {message}"),
            Subject::Disorder(Disorder { packet }) => write!(
                f,
                "from packet {packet} on packets are not in the order of their times, and only complete inputs of up to 1 GiB, compressed ones of up to 64 MiB, are sorted if that shows in their first 128 MiB: messages may be missed; reordercap of Wireshark writes a sorted file"
            ),
            Subject::Unread(Unread { link, packet }) => write!(
                f,
                "packet {packet} has link type {link}, which is not known; packets of it are passed over"
            ),
        }
    }
}
