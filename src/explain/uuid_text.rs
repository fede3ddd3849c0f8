//! Uuids as Kafka's tools and logs print them: URL-safe base64 without padding, 22 characters.

use uuid::Uuid;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The base64 form of `uuid`.
pub fn base64(uuid: Uuid) -> String {
    let bits = uuid.as_u128();
    // 22 characters of six bits are 132 bits: the last four are zero.
    (0..22)
        .map(|idx| {
            let six = if idx < 21 {
                bits >> (122 - 6 * idx)
            } else {
                bits << 4
            };
            let at = (six & 63) as usize;
            char::from(ALPHABET.get(at).copied().unwrap_or(b'A'))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_is_what_kafka_prints() {
        assert_eq!(base64(Uuid::nil()), "AAAAAAAAAAAAAAAAAAAAAA");
        assert_eq!(base64(Uuid::from_u128(1)), "AAAAAAAAAAAAAAAAAAAAAQ");
        assert_eq!(base64(Uuid::max()), "_____________________w");
        assert_eq!(
            base64(Uuid::from_u128(0x0011_2233_4455_6677_8899_aabb_ccdd_eeff)),
            "ABEiM0RVZneImaq7zN3u_w"
        );
    }
}
