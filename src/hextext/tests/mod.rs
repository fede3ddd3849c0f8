//! Readings of whole pastes.

mod around;
mod debuggers;
mod escapes;
mod followed;
mod framed;
mod left_out;
mod lists;
mod notations;
mod prefixed;
mod refusals;
mod round_trip;
mod shown;

use super::*;

/// A Metadata v0 request: 22 bytes with text in the middle.
const METADATA: &[u8] = b"\0\0\0\x12\0\x03\0\0\0\0\x01\x2c\0\x04demo\0\0\0\0";

/// The best reading.
fn best(paste: &str) -> Candidate {
    match read(paste.as_bytes()) {
        Reading::Bytes(candidates) => candidates[0].clone(),
        other => panic!("{other:?} for {paste}"),
    }
}

/// The bytes of the best reading's parts.
fn parts(paste: &str) -> Vec<Vec<u8>> {
    best(paste)
        .parts
        .into_iter()
        .map(|part| part.bytes)
        .collect()
}

/// Asserts that a paste is this notation and holds the Metadata request.
#[track_caller]
fn is_metadata(notation: &str, paste: &str) -> Candidate {
    let candidate = best(paste);
    assert_eq!(candidate.bytes(), METADATA, "{paste}");
    assert_eq!(candidate.notation, notation, "{paste}");
    for part in &candidate.parts {
        assert_eq!(part.bytes.len(), part.places.len());
    }
    candidate
}
