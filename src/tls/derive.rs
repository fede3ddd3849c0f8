//! Secrets in, keys out: the PRF of TLS 1.2 (RFC 5246, 5) and the key schedule of TLS 1.3
//! (RFC 8446, 7).

use hkdf::Hkdf;
use hmac::{KeyInit, Mac, SimpleHmac};
use sha2::{Sha256, Sha384};

use super::suite::Hash;

/// `len` bytes of PRF(secret, label, seed).
pub(super) fn prf(hash: Hash, secret: &[u8], label: &str, seed: &[&[u8]], len: usize) -> Vec<u8> {
    let mut parts = vec![label.as_bytes()];
    parts.extend_from_slice(seed);
    let mut output = Vec::with_capacity(len);
    let mut a = hmac(hash, secret, &parts);
    while output.len() < len {
        let mut message: Vec<&[u8]> = vec![&a];
        message.extend_from_slice(&parts);
        output.extend_from_slice(&hmac(hash, secret, &message));
        a = hmac(hash, secret, &[&a]);
    }
    output.truncate(len);
    output
}

fn hmac(hash: Hash, key: &[u8], parts: &[&[u8]]) -> Vec<u8> {
    fn with<M: Mac + KeyInit>(key: &[u8], parts: &[&[u8]]) -> Vec<u8> {
        // A MAC over a hash takes a key of any length.
        let Ok(mut mac) = <M as KeyInit>::new_from_slice(key) else {
            return Vec::new();
        };
        for part in parts {
            mac.update(part);
        }
        mac.finalize().into_bytes().to_vec()
    }
    match hash {
        Hash::Sha256 => with::<SimpleHmac<Sha256>>(key, parts),
        Hash::Sha384 => with::<SimpleHmac<Sha384>>(key, parts),
    }
}

/// HKDF-Expand-Label(secret, label, "", len); `None` where the secret is shorter than the hash.
pub(super) fn expand_label(hash: Hash, secret: &[u8], label: &str, len: usize) -> Option<Vec<u8>> {
    let [high, low] = u16::try_from(len).ok()?.to_be_bytes();
    let label_len = u8::try_from("tls13 ".len() + label.len()).ok()?;
    let info: [&[u8]; 5] = [
        &[high, low, label_len],
        b"tls13 ",
        label.as_bytes(),
        // No context.
        &[0],
        &[],
    ];
    let mut output = vec![0; len];
    match hash {
        Hash::Sha256 => Hkdf::<Sha256>::from_prk(secret)
            .ok()?
            .expand_multi_info(&info, &mut output)
            .ok()?,
        Hash::Sha384 => Hkdf::<Sha384>::from_prk(secret)
            .ok()?
            .expand_multi_info(&info, &mut output)
            .ok()?,
    }
    Some(output)
}
