//! Versions and cipher suites by number (RFC 5246, RFC 8446; IANA "TLS Cipher Suites").

use std::fmt;

/// A protocol version as hellos carry it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Version(pub u16);

impl Version {
    pub(super) const TLS12: Version = Version(0x0303);
    pub(super) const TLS13: Version = Version(0x0304);
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0x0300 => f.write_str("SSL 3.0"),
            0x0301 => f.write_str("TLS 1.0"),
            0x0302 => f.write_str("TLS 1.1"),
            0x0303 => f.write_str("TLS 1.2"),
            0x0304 => f.write_str("TLS 1.3"),
            other => write!(f, "TLS version 0x{other:04x}"),
        }
    }
}

/// A cipher suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Suite(pub u16);

/// The hash that keys are derived with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hash {
    Sha256,
    Sha384,
}

/// What authenticates the records of a suite whose cipher does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mac {
    Sha1,
    Sha256,
    Sha384,
}

/// How records are protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Protection {
    Aes128Gcm,
    Aes256Gcm,
    ChaCha20Poly1305,
    Aes128Cbc(Mac),
    Aes256Cbc(Mac),
}

impl Suite {
    /// Its name in the registry; `None` for one that is not in the table below.
    pub fn name(self) -> Option<&'static str> {
        self.row().map(|row| row.1)
    }

    /// How it protects records; `None` where that cannot be undone here.
    pub(super) fn protection(self) -> Option<(Protection, Hash)> {
        self.row()?.2
    }

    fn row(self) -> Option<&'static Row> {
        SUITES.iter().find(|row| row.0 == self.0)
    }
}

impl fmt::Display for Suite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "cipher suite 0x{:04x}", self.0),
        }
    }
}

type Row = (u16, &'static str, Option<(Protection, Hash)>);

const GCM128: Option<(Protection, Hash)> = Some((Protection::Aes128Gcm, Hash::Sha256));
const GCM256: Option<(Protection, Hash)> = Some((Protection::Aes256Gcm, Hash::Sha384));
const CHACHA: Option<(Protection, Hash)> = Some((Protection::ChaCha20Poly1305, Hash::Sha256));
const CBC128_SHA1: Option<(Protection, Hash)> =
    Some((Protection::Aes128Cbc(Mac::Sha1), Hash::Sha256));
const CBC256_SHA1: Option<(Protection, Hash)> =
    Some((Protection::Aes256Cbc(Mac::Sha1), Hash::Sha256));
const CBC128_SHA256: Option<(Protection, Hash)> =
    Some((Protection::Aes128Cbc(Mac::Sha256), Hash::Sha256));
const CBC256_SHA256: Option<(Protection, Hash)> =
    Some((Protection::Aes256Cbc(Mac::Sha256), Hash::Sha256));
const CBC256_SHA384: Option<(Protection, Hash)> =
    Some((Protection::Aes256Cbc(Mac::Sha384), Hash::Sha384));

/// The suites that JVMs, OpenSSL, Go and rustls offer or have offered, and how they protect.
const SUITES: &[Row] = &[
    (0x1301, "TLS_AES_128_GCM_SHA256", GCM128),
    (0x1302, "TLS_AES_256_GCM_SHA384", GCM256),
    (0x1303, "TLS_CHACHA20_POLY1305_SHA256", CHACHA),
    (0x1304, "TLS_AES_128_CCM_SHA256", None),
    (0x1305, "TLS_AES_128_CCM_8_SHA256", None),
    (0xc02b, "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", GCM128),
    (0xc02c, "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", GCM256),
    (0xc02f, "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", GCM128),
    (0xc030, "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", GCM256),
    (0xc02d, "TLS_ECDH_ECDSA_WITH_AES_128_GCM_SHA256", GCM128),
    (0xc02e, "TLS_ECDH_ECDSA_WITH_AES_256_GCM_SHA384", GCM256),
    (0xc031, "TLS_ECDH_RSA_WITH_AES_128_GCM_SHA256", GCM128),
    (0xc032, "TLS_ECDH_RSA_WITH_AES_256_GCM_SHA384", GCM256),
    (0x009c, "TLS_RSA_WITH_AES_128_GCM_SHA256", GCM128),
    (0x009d, "TLS_RSA_WITH_AES_256_GCM_SHA384", GCM256),
    (0x009e, "TLS_DHE_RSA_WITH_AES_128_GCM_SHA256", GCM128),
    (0x009f, "TLS_DHE_RSA_WITH_AES_256_GCM_SHA384", GCM256),
    (0x00a2, "TLS_DHE_DSS_WITH_AES_128_GCM_SHA256", GCM128),
    (0x00a3, "TLS_DHE_DSS_WITH_AES_256_GCM_SHA384", GCM256),
    (0x00a6, "TLS_DH_anon_WITH_AES_128_GCM_SHA256", GCM128),
    (0x00a7, "TLS_DH_anon_WITH_AES_256_GCM_SHA384", GCM256),
    (0x00a8, "TLS_PSK_WITH_AES_128_GCM_SHA256", GCM128),
    (0x00a9, "TLS_PSK_WITH_AES_256_GCM_SHA384", GCM256),
    (
        0xcca8,
        "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
        CHACHA,
    ),
    (
        0xcca9,
        "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
        CHACHA,
    ),
    (0xccaa, "TLS_DHE_RSA_WITH_CHACHA20_POLY1305_SHA256", CHACHA),
    (0xccab, "TLS_PSK_WITH_CHACHA20_POLY1305_SHA256", CHACHA),
    (
        0xccac,
        "TLS_ECDHE_PSK_WITH_CHACHA20_POLY1305_SHA256",
        CHACHA,
    ),
    (0x002f, "TLS_RSA_WITH_AES_128_CBC_SHA", CBC128_SHA1),
    (0x0035, "TLS_RSA_WITH_AES_256_CBC_SHA", CBC256_SHA1),
    (0x0032, "TLS_DHE_DSS_WITH_AES_128_CBC_SHA", CBC128_SHA1),
    (0x0038, "TLS_DHE_DSS_WITH_AES_256_CBC_SHA", CBC256_SHA1),
    (0x0033, "TLS_DHE_RSA_WITH_AES_128_CBC_SHA", CBC128_SHA1),
    (0x0039, "TLS_DHE_RSA_WITH_AES_256_CBC_SHA", CBC256_SHA1),
    (0x0034, "TLS_DH_anon_WITH_AES_128_CBC_SHA", CBC128_SHA1),
    (0x003a, "TLS_DH_anon_WITH_AES_256_CBC_SHA", CBC256_SHA1),
    (0x003c, "TLS_RSA_WITH_AES_128_CBC_SHA256", CBC128_SHA256),
    (0x003d, "TLS_RSA_WITH_AES_256_CBC_SHA256", CBC256_SHA256),
    (0x0040, "TLS_DHE_DSS_WITH_AES_128_CBC_SHA256", CBC128_SHA256),
    (0x006a, "TLS_DHE_DSS_WITH_AES_256_CBC_SHA256", CBC256_SHA256),
    (0x0067, "TLS_DHE_RSA_WITH_AES_128_CBC_SHA256", CBC128_SHA256),
    (0x006b, "TLS_DHE_RSA_WITH_AES_256_CBC_SHA256", CBC256_SHA256),
    (0xc004, "TLS_ECDH_ECDSA_WITH_AES_128_CBC_SHA", CBC128_SHA1),
    (0xc005, "TLS_ECDH_ECDSA_WITH_AES_256_CBC_SHA", CBC256_SHA1),
    (0xc009, "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA", CBC128_SHA1),
    (0xc00a, "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA", CBC256_SHA1),
    (0xc00e, "TLS_ECDH_RSA_WITH_AES_128_CBC_SHA", CBC128_SHA1),
    (0xc00f, "TLS_ECDH_RSA_WITH_AES_256_CBC_SHA", CBC256_SHA1),
    (0xc013, "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA", CBC128_SHA1),
    (0xc014, "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA", CBC256_SHA1),
    (
        0xc023,
        "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256",
        CBC128_SHA256,
    ),
    (
        0xc024,
        "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384",
        CBC256_SHA384,
    ),
    (
        0xc025,
        "TLS_ECDH_ECDSA_WITH_AES_128_CBC_SHA256",
        CBC128_SHA256,
    ),
    (
        0xc026,
        "TLS_ECDH_ECDSA_WITH_AES_256_CBC_SHA384",
        CBC256_SHA384,
    ),
    (
        0xc027,
        "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256",
        CBC128_SHA256,
    ),
    (
        0xc028,
        "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384",
        CBC256_SHA384,
    ),
    (
        0xc029,
        "TLS_ECDH_RSA_WITH_AES_128_CBC_SHA256",
        CBC128_SHA256,
    ),
    (
        0xc02a,
        "TLS_ECDH_RSA_WITH_AES_256_CBC_SHA384",
        CBC256_SHA384,
    ),
    (0xc09c, "TLS_RSA_WITH_AES_128_CCM", None),
    (0xc09d, "TLS_RSA_WITH_AES_256_CCM", None),
    (0xc09e, "TLS_DHE_RSA_WITH_AES_128_CCM", None),
    (0xc09f, "TLS_DHE_RSA_WITH_AES_256_CCM", None),
    (0xc0ac, "TLS_ECDHE_ECDSA_WITH_AES_128_CCM", None),
    (0xc0ad, "TLS_ECDHE_ECDSA_WITH_AES_256_CCM", None),
    (0xc0ae, "TLS_ECDHE_ECDSA_WITH_AES_128_CCM_8", None),
    (0xc0af, "TLS_ECDHE_ECDSA_WITH_AES_256_CCM_8", None),
    (0xc05c, "TLS_ECDHE_ECDSA_WITH_ARIA_128_GCM_SHA256", None),
    (0xc05d, "TLS_ECDHE_ECDSA_WITH_ARIA_256_GCM_SHA384", None),
    (0xc060, "TLS_ECDHE_RSA_WITH_ARIA_128_GCM_SHA256", None),
    (0xc061, "TLS_ECDHE_RSA_WITH_ARIA_256_GCM_SHA384", None),
    (0x0041, "TLS_RSA_WITH_CAMELLIA_128_CBC_SHA", None),
    (0x0084, "TLS_RSA_WITH_CAMELLIA_256_CBC_SHA", None),
    (0x000a, "TLS_RSA_WITH_3DES_EDE_CBC_SHA", None),
    (0xc008, "TLS_ECDHE_ECDSA_WITH_3DES_EDE_CBC_SHA", None),
    (0xc012, "TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA", None),
    (0x0004, "TLS_RSA_WITH_RC4_128_MD5", None),
    (0x0005, "TLS_RSA_WITH_RC4_128_SHA", None),
    (0x0001, "TLS_RSA_WITH_NULL_MD5", None),
    (0x0002, "TLS_RSA_WITH_NULL_SHA", None),
    (0x003b, "TLS_RSA_WITH_NULL_SHA256", None),
    (0xc006, "TLS_ECDHE_ECDSA_WITH_NULL_SHA", None),
    (0xc010, "TLS_ECDHE_RSA_WITH_NULL_SHA", None),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_what_they_stand_for_agree() {
        for (at, &(number, name, protection)) in SUITES.iter().enumerate() {
            assert!(
                SUITES.iter().skip(at + 1).all(|row| row.0 != number),
                "{number:04x} stands twice"
            );
            let Some((protection, hash)) = protection else {
                continue;
            };
            let cipher = match protection {
                Protection::Aes128Gcm => "AES_128_GCM",
                Protection::Aes256Gcm => "AES_256_GCM",
                Protection::ChaCha20Poly1305 => "CHACHA20_POLY1305",
                Protection::Aes128Cbc(_) => "AES_128_CBC",
                Protection::Aes256Cbc(_) => "AES_256_CBC",
            };
            assert!(name.contains(cipher), "{name}");
            let end = match (protection, hash) {
                (Protection::Aes128Cbc(Mac::Sha1) | Protection::Aes256Cbc(Mac::Sha1), _) => "_SHA",
                (_, Hash::Sha256) => "_SHA256",
                (_, Hash::Sha384) => "_SHA384",
            };
            assert!(name.ends_with(end), "{name}");
        }
        assert_eq!(Suite(0xfffe).to_string(), "cipher suite 0xfffe");
        assert_eq!(Version(0x0302).to_string(), "TLS 1.1");
    }
}
