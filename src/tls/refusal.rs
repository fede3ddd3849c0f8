//! Why records cannot be read.

use std::fmt;

use super::keylog::Label;
use super::suite::{Suite, Version};

/// Why a connection, or a direction of it, is not decrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// The hello of the client was not captured, by which a key log knows sessions.
    NoClientHello,
    /// The hello of the server was not captured, which says the version and the suite.
    NoServerHello,
    /// The hello of the other end had not come when too many records waited for it.
    LateHello,
    /// No line of the key log is of this session.
    NoSession,
    /// The key log has other secrets of this session, but not this one.
    NoSecret { label: Label },
    /// Neither TLS 1.2 nor TLS 1.3.
    Version(Version),
    /// A suite that is not implemented.
    Suite(Suite),
    /// Records are compressed before they are encrypted.
    Compressed,
    /// Records do not fit the secrets.
    Unauthentic,
    /// What one end says is no TLS.
    NotTls,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::NoClientHello => f.write_str(
                "the hello of the client, by which its secrets are found, was not captured",
            ),
            Refusal::NoServerHello => f.write_str(
                "the hello of the server, which says version and suite, was not captured",
            ),
            Refusal::LateHello => f.write_str(
                "too much waited for the hello of the other end, which was captured late or not at all",
            ),
            Refusal::NoSession => f.write_str("no line of the key log is of this session"),
            Refusal::NoSecret { label } => {
                let label = label.name();
                write!(f, "the key log has no {label} of this session")
            }
            Refusal::Version(version) => {
                write!(f, "{version} is not read, only TLS 1.2 and TLS 1.3")
            }
            Refusal::Suite(suite) => write!(f, "{suite} is not read"),
            Refusal::Compressed => f.write_str("records are compressed"),
            Refusal::Unauthentic => {
                f.write_str("records do not fit the secrets of the key log, or too many were lost")
            }
            Refusal::NotTls => f.write_str("what it says stopped being TLS"),
        }
    }
}
