//! Protected records in, their content out: AEAD ciphers of both versions, and AES-CBC with an HMAC
//! before or after it (RFC 5246, 6.2.3; RFC 5288; RFC 7366; RFC 7905; RFC 8446, 5.2).
//!
//! Invariant: nothing comes out that was not authenticated, with the sequence number that is told.

use std::ops::RangeInclusive;

use aes::cipher::{BlockModeDecrypt, KeyIvInit};
use aes::{Aes128, Aes256};
use aes_gcm::aead::AeadInOut;
use aes_gcm::{Aes128Gcm, Aes256Gcm};
use chacha20poly1305::ChaCha20Poly1305;
use hmac::{Hmac, KeyInit, Mac as _};
use sha1::Sha1;
use sha2::{Sha256, Sha384};

use super::Peer;
use super::derive;
use super::record::{ContentType, Header};
use super::suite::{Hash, Mac, Protection};

/// Opens the records of one direction under one set of keys.
pub(super) struct Opener {
    cipher: Cipher,
    scheme: Scheme,
}

/// How a record is laid out around the cipher.
enum Scheme {
    /// TLS 1.2, GCM: half of the nonce is in the record.
    ExplicitNonce { salt: [u8; 4] },
    /// The nonce is made of the sequence number; the type is said in the header.
    Tls12 { iv: [u8; 12] },
    /// The nonce is made of the sequence number; the type is behind the content.
    Tls13 { iv: [u8; 12] },
    /// A cipher that needs an HMAC.
    Cbc { mac: Box<MacKey>, order: MacOrder },
}

/// What the HMAC is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MacOrder {
    /// The content, and both are encrypted.
    MacThenEncrypt,
    /// The encrypted content.
    EncryptThenMac,
}

enum Cipher {
    Aes128Gcm(Box<Aes128Gcm>),
    Aes256Gcm(Box<Aes256Gcm>),
    ChaCha20Poly1305(Box<ChaCha20Poly1305>),
    Aes128Cbc([u8; 16]),
    Aes256Cbc([u8; 32]),
}

enum MacKey {
    Sha1(Hmac<Sha1>),
    Sha256(Hmac<Sha256>),
    Sha384(Hmac<Sha384>),
}

/// What was in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Opened {
    pub(super) kind: ContentType,
    /// The number of the record in its direction, under its keys.
    pub(super) seq: u64,
}

const TAG: usize = 16;
const BLOCK: usize = 16;

impl Protection {
    fn key_len(self) -> usize {
        match self {
            Protection::Aes128Gcm | Protection::Aes128Cbc(_) => 16,
            Protection::Aes256Gcm | Protection::ChaCha20Poly1305 | Protection::Aes256Cbc(_) => 32,
        }
    }

    fn mac(self) -> Option<Mac> {
        match self {
            Protection::Aes128Cbc(mac) | Protection::Aes256Cbc(mac) => Some(mac),
            _ => None,
        }
    }

    fn cipher(self, key: &[u8]) -> Option<Cipher> {
        Some(match self {
            Protection::Aes128Gcm => {
                Cipher::Aes128Gcm(Box::new(Aes128Gcm::new_from_slice(key).ok()?))
            }
            Protection::Aes256Gcm => {
                Cipher::Aes256Gcm(Box::new(Aes256Gcm::new_from_slice(key).ok()?))
            }
            Protection::ChaCha20Poly1305 => {
                Cipher::ChaCha20Poly1305(Box::new(ChaCha20Poly1305::new_from_slice(key).ok()?))
            }
            Protection::Aes128Cbc(_) => Cipher::Aes128Cbc(key.try_into().ok()?),
            Protection::Aes256Cbc(_) => Cipher::Aes256Cbc(key.try_into().ok()?),
        })
    }
}

impl Opener {
    /// For what `sender` sends in TLS 1.3 under a traffic secret; `None` where the secret is none
    /// of this suite's.
    pub(super) fn tls13(protection: Protection, hash: Hash, secret: &[u8]) -> Option<Opener> {
        let hash_len = match hash {
            Hash::Sha256 => 32,
            Hash::Sha384 => 48,
        };
        if secret.len() != hash_len || protection.mac().is_some() {
            return None;
        }
        let key = derive::expand_label(hash, secret, "key", protection.key_len())?;
        let iv = derive::expand_label(hash, secret, "iv", 12)?;
        Some(Opener {
            cipher: protection.cipher(&key)?,
            scheme: Scheme::Tls13 {
                iv: iv.try_into().ok()?,
            },
        })
    }

    /// For what `sender` sends in TLS 1.2 under a master secret and the randoms of both hellos.
    pub(super) fn tls12(
        protection: Protection,
        hash: Hash,
        order: MacOrder,
        master: &[u8],
        randoms: (&[u8; 32], &[u8; 32]),
        sender: Peer,
    ) -> Option<Opener> {
        let mac_len = match protection.mac() {
            Some(Mac::Sha1) => 20,
            Some(Mac::Sha256) => 32,
            Some(Mac::Sha384) => 48,
            None => 0,
        };
        let key_len = protection.key_len();
        let iv_len = match protection {
            Protection::Aes128Gcm | Protection::Aes256Gcm => 4,
            Protection::ChaCha20Poly1305 => 12,
            _ => 0,
        };
        let block = derive::prf(
            hash,
            master,
            "key expansion",
            &[randoms.1, randoms.0],
            2 * (mac_len + key_len + iv_len),
        );
        let mut rest = block.as_slice();
        let mut part = |len: usize| -> Option<&[u8]> {
            let (client, behind) = rest.split_at_checked(len)?;
            let (server, behind) = behind.split_at_checked(len)?;
            rest = behind;
            Some(match sender {
                Peer::Client => client,
                Peer::Server => server,
            })
        };
        let (mac_key, key, iv) = (part(mac_len)?, part(key_len)?, part(iv_len)?);
        let scheme = match protection.mac() {
            Some(mac) => Scheme::Cbc {
                mac: Box::new(MacKey::new(mac, mac_key)?),
                order,
            },
            None if iv_len == 4 => Scheme::ExplicitNonce {
                salt: iv.try_into().ok()?,
            },
            None => Scheme::Tls12 {
                iv: iv.try_into().ok()?,
            },
        };
        Some(Opener {
            cipher: protection.cipher(key)?,
            scheme,
        })
    }

    /// Bytes that a record has on the wire beside its content; `None` where padding makes it vary.
    pub(super) fn overhead(&self) -> Option<u64> {
        let around = match self.scheme {
            Scheme::ExplicitNonce { .. } => 8 + TAG,
            Scheme::Tls12 { .. } => TAG,
            // The type; padding is allowed, and nobody is known to use it.
            Scheme::Tls13 { .. } => 1 + TAG,
            Scheme::Cbc { .. } => return None,
        };
        Some((Header::LEN + around) as u64)
    }

    /// Opens a record that has one of the numbers, and appends its content to `plain`.
    pub(super) fn open(
        &self,
        header: Header,
        fragment: &[u8],
        seqs: RangeInclusive<u64>,
        plain: &mut Vec<u8>,
    ) -> Option<Opened> {
        let from = plain.len();
        let opened = match &self.scheme {
            Scheme::Cbc { mac, order } => self.open_cbc(mac, *order, header, fragment, seqs, plain),
            _ => self.open_aead(header, fragment, seqs, plain),
        };
        if opened.is_none() {
            plain.truncate(from);
        }
        opened
    }

    fn open_aead(
        &self,
        header: Header,
        fragment: &[u8],
        mut seqs: RangeInclusive<u64>,
        plain: &mut Vec<u8>,
    ) -> Option<Opened> {
        let (explicit, sealed) = match self.scheme {
            Scheme::ExplicitNonce { .. } => fragment.split_first_chunk::<8>()?,
            _ => (&[0; 8], fragment),
        };
        let (sealed, tag) = sealed.split_last_chunk::<TAG>()?;
        let from = plain.len();
        plain.extend_from_slice(sealed);
        let buffer = plain.get_mut(from..)?;
        let seq = seqs.find(|&seq| {
            let nonce = match self.scheme {
                Scheme::ExplicitNonce { salt } => {
                    let mut nonce = [0; 12];
                    for (to, byte) in nonce.iter_mut().zip(salt.iter().chain(explicit)) {
                        *to = *byte;
                    }
                    nonce
                }
                Scheme::Tls12 { iv } | Scheme::Tls13 { iv } => numbered(iv, seq),
                Scheme::Cbc { .. } => return false,
            };
            match self.scheme {
                Scheme::Tls13 { .. } => self.cipher.open(nonce, &header.bytes(), buffer, tag),
                _ => self
                    .cipher
                    .open(nonce, &prefix(seq, header, sealed.len()), buffer, tag),
            }
        })?;
        let mut kind = header.kind;
        if matches!(self.scheme, Scheme::Tls13 { .. }) {
            // Content, its type, any number of zeros.
            let content = plain.get(from..)?;
            let at = content.iter().rposition(|&byte| byte != 0)?;
            kind = ContentType(*content.get(at)?);
            plain.truncate(from + at);
        }
        Some(Opened { kind, seq })
    }

    fn open_cbc(
        &self,
        mac: &MacKey,
        order: MacOrder,
        header: Header,
        fragment: &[u8],
        mut seqs: RangeInclusive<u64>,
        plain: &mut Vec<u8>,
    ) -> Option<Opened> {
        let from = plain.len();
        let (sealed, outer) = match order {
            MacOrder::MacThenEncrypt => (fragment, None),
            MacOrder::EncryptThenMac => {
                let (sealed, tag) =
                    fragment.split_at_checked(fragment.len().checked_sub(mac.len())?)?;
                let seq =
                    seqs.find(|&seq| mac.fits(&prefix(seq, header, sealed.len()), sealed, tag))?;
                (sealed, Some(seq))
            }
        };
        let (iv, sealed) = sealed.split_first_chunk::<BLOCK>()?;
        if sealed.is_empty() || sealed.len() % BLOCK != 0 {
            return None;
        }
        plain.extend_from_slice(sealed);
        self.cipher.decrypt_cbc(iv, plain.get_mut(from..)?)?;
        let content = plain.get(from..)?;
        let n_padding = usize::from(*content.last()?) + 1;
        let (content, padding) = content.split_at_checked(content.len().checked_sub(n_padding)?)?;
        if padding
            .iter()
            .any(|&byte| usize::from(byte) + 1 != n_padding)
        {
            return None;
        }
        let (len, seq) = match outer {
            Some(seq) => (content.len(), seq),
            None => {
                let (content, tag) =
                    content.split_at_checked(content.len().checked_sub(mac.len())?)?;
                let seq =
                    seqs.find(|&seq| mac.fits(&prefix(seq, header, content.len()), content, tag))?;
                (content.len(), seq)
            }
        };
        plain.truncate(from + len);
        Some(Opened {
            kind: header.kind,
            seq,
        })
    }
}

impl Cipher {
    /// Decrypts `buffer` in place if the tag is its own; else `buffer` stays what it is.
    fn open(&self, nonce: [u8; 12], data: &[u8], buffer: &mut [u8], tag: &[u8; TAG]) -> bool {
        let (nonce, tag) = (nonce.into(), (*tag).into());
        match self {
            Cipher::Aes128Gcm(cipher) => {
                cipher.decrypt_inout_detached(&nonce, data, buffer.into(), &tag)
            }
            Cipher::Aes256Gcm(cipher) => {
                cipher.decrypt_inout_detached(&nonce, data, buffer.into(), &tag)
            }
            Cipher::ChaCha20Poly1305(cipher) => {
                cipher.decrypt_inout_detached(&nonce, data, buffer.into(), &tag)
            }
            Cipher::Aes128Cbc(_) | Cipher::Aes256Cbc(_) => return false,
        }
        .is_ok()
    }

    fn decrypt_cbc(&self, iv: &[u8; BLOCK], buffer: &mut [u8]) -> Option<()> {
        let (blocks, _) = aes::Block::slice_as_chunks_mut(buffer);
        match self {
            Cipher::Aes128Cbc(key) => {
                cbc::Decryptor::<Aes128>::new(key.into(), iv.into()).decrypt_blocks(blocks);
            }
            Cipher::Aes256Cbc(key) => {
                cbc::Decryptor::<Aes256>::new(key.into(), iv.into()).decrypt_blocks(blocks);
            }
            _ => return None,
        }
        Some(())
    }
}

impl MacKey {
    fn new(mac: Mac, key: &[u8]) -> Option<MacKey> {
        Some(match mac {
            Mac::Sha1 => MacKey::Sha1(Hmac::new_from_slice(key).ok()?),
            Mac::Sha256 => MacKey::Sha256(Hmac::new_from_slice(key).ok()?),
            Mac::Sha384 => MacKey::Sha384(Hmac::new_from_slice(key).ok()?),
        })
    }

    fn len(&self) -> usize {
        match self {
            MacKey::Sha1(_) => 20,
            MacKey::Sha256(_) => 32,
            MacKey::Sha384(_) => 48,
        }
    }

    fn fits(&self, prefix: &[u8], content: &[u8], tag: &[u8]) -> bool {
        match self {
            MacKey::Sha1(mac) => mac
                .clone()
                .chain_update(prefix)
                .chain_update(content)
                .verify_slice(tag),
            MacKey::Sha256(mac) => mac
                .clone()
                .chain_update(prefix)
                .chain_update(content)
                .verify_slice(tag),
            MacKey::Sha384(mac) => mac
                .clone()
                .chain_update(prefix)
                .chain_update(content)
                .verify_slice(tag),
        }
        .is_ok()
    }
}

/// The nonce of record `seq` (RFC 8446, 5.3).
fn numbered(iv: [u8; 12], seq: u64) -> [u8; 12] {
    let mut nonce = iv;
    let [.., a, b, c, d, e, f, g, h] = &mut nonce;
    for (to, byte) in [a, b, c, d, e, f, g, h].into_iter().zip(seq.to_be_bytes()) {
        *to ^= byte;
    }
    nonce
}

/// What TLS 1.2 authenticates in front of a content of `len` bytes.
fn prefix(seq: u64, header: Header, len: usize) -> [u8; 13] {
    let [a, b, c, d, e, f, g, h] = seq.to_be_bytes();
    let [kind, major, minor, high, low] = Header { len, ..header }.bytes();
    [a, b, c, d, e, f, g, h, kind, major, minor, high, low]
}
