//! Alerts by the names of the registry (RFC 8446, 6; IANA "TLS Alerts").

use std::fmt;

/// What one end says to the other about the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Alert {
    /// 1 for a warning, 2 for a fatal one. TLS 1.3 takes every alert but two for fatal.
    pub level: u8,
    /// The number of the registry.
    pub description: u8,
}

impl Alert {
    /// The alert in the content of a record.
    pub fn read(content: &[u8]) -> Option<Alert> {
        match *content {
            [level @ 1..=2, description] => Some(Alert { level, description }),
            _ => None,
        }
    }

    /// Whether it ends the connection as both ends expect: nothing is wrong.
    pub fn is_close(self) -> bool {
        matches!(self.description, 0 | 90)
    }

    /// The name of its description.
    pub fn name(self) -> Option<&'static str> {
        Some(match self.description {
            0 => "close_notify",
            10 => "unexpected_message",
            20 => "bad_record_mac",
            21 => "decryption_failed",
            22 => "record_overflow",
            30 => "decompression_failure",
            40 => "handshake_failure",
            41 => "no_certificate",
            42 => "bad_certificate",
            43 => "unsupported_certificate",
            44 => "certificate_revoked",
            45 => "certificate_expired",
            46 => "certificate_unknown",
            47 => "illegal_parameter",
            48 => "unknown_ca",
            49 => "access_denied",
            50 => "decode_error",
            51 => "decrypt_error",
            52 => "too_many_cids_requested",
            60 => "export_restriction",
            70 => "protocol_version",
            71 => "insufficient_security",
            80 => "internal_error",
            86 => "inappropriate_fallback",
            90 => "user_canceled",
            100 => "no_renegotiation",
            109 => "missing_extension",
            110 => "unsupported_extension",
            111 => "certificate_unobtainable",
            112 => "unrecognized_name",
            113 => "bad_certificate_status_response",
            114 => "bad_certificate_hash_value",
            115 => "unknown_psk_identity",
            116 => "certificate_required",
            117 => "general_error",
            120 => "no_application_protocol",
            121 => "ech_required",
            _ => return None,
        })
    }
}

impl fmt::Display for Alert {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let level = if self.level == 1 { "warning" } else { "fatal" };
        match self.name() {
            Some(name) => write!(f, "{level} alert {name}"),
            None => write!(f, "{level} alert {}", self.description),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_alert_has_two_bytes_and_a_name() {
        let alert = Alert::read(&[2, 48]).unwrap();
        assert_eq!(alert.to_string(), "fatal alert unknown_ca");
        assert!(!alert.is_close() && Alert::read(&[1, 0]).unwrap().is_close());
        assert_eq!(
            Alert::read(&[1, 200]).unwrap().to_string(),
            "warning alert 200"
        );
        assert_eq!(Alert::read(&[2, 48, 0]), None);
        assert_eq!(Alert::read(&[7, 48]), None);
    }
}
