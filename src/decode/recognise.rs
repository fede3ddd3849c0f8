//! Where the messages are in bytes that somebody cut out by hand: one or several, with or without
//! their sizes, whole or not.

use std::ops::Range;

use super::Framing;
use crate::{
    schema::{ApiKey, Catalogue, Direction, request_header_version, response_header_version},
    wire::{BufferId, Cursor},
};

/// What the bytes are said to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Requests; their headers say the rest.
    Requests,
    /// Responses to requests of one API and version.
    Responses { api: ApiKey, version: i16 },
}

/// A message in the bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    pub range: Range<usize>,
    pub framing: Framing,
}

/// An API and version whose response could be what the bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub api: ApiKey,
    pub version: i16,
}

/// Cuts `bytes` into messages. Sizes are believed where they lead from message to message exactly
/// to the end; else the bytes are one message, and whether it starts with a size is judged by what
/// follows. There is always a piece unless there are no bytes.
pub fn pieces(catalogue: &'static Catalogue, claim: Claim, bytes: &[u8]) -> Vec<Piece> {
    if bytes.is_empty() {
        return Vec::new();
    }
    let fits = |framing| match framing_content(framing, bytes) {
        Some(content) => whole(catalogue, claim, content),
        None => false,
    };
    // A bare message could by chance start with a number that looks like its size, but then not
    // also be a message behind it; so the exact reading without size is asked before the chain.
    if fits(Framing::Bare) && !fits(Framing::Sized) {
        return vec![all(bytes, Framing::Bare)];
    }
    if let Some(chain) = chain(catalogue, claim, bytes) {
        return chain;
    }
    let starts = |framing| match framing_content(framing, bytes) {
        Some(content) => plausible(catalogue, claim, content),
        None => false,
    };
    if starts(Framing::Bare) && !starts(Framing::Sized) {
        return vec![all(bytes, Framing::Bare)];
    }
    vec![all(bytes, Framing::Sized)]
}

/// Every API and version whose response takes exactly all of `bytes`, newest version first within
/// an API; `bytes` with or without size.
pub fn response_candidates(catalogue: &'static Catalogue, bytes: &[u8]) -> Vec<Candidate> {
    let content = match framing_content(Framing::Sized, bytes) {
        Some(content) if size(bytes) == Some(content.len()) => content,
        _ => bytes,
    };
    let mut found = Vec::new();
    for api in ApiKey::all() {
        let Some(definition) = catalogue.api(api, Direction::Response) else {
            continue;
        };
        for version in definition.ever.iter().rev() {
            if whole(catalogue, Claim::Responses { api, version }, content) {
                found.push(Candidate { api, version });
            }
        }
    }
    found
}

fn all(bytes: &[u8], framing: Framing) -> Piece {
    Piece {
        range: 0..bytes.len(),
        framing,
    }
}

/// Messages one after another by their sizes. The last may be cut off when others came before it.
fn chain(catalogue: &'static Catalogue, claim: Claim, bytes: &[u8]) -> Option<Vec<Piece>> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = bytes.get(at..)?;
        let content = framing_content(Framing::Sized, rest)
            .filter(|content| plausible(catalogue, claim, content));
        let end = match (content, size(rest)) {
            (Some(content), Some(size)) if size <= content.len() => at + 4 + size,
            (Some(_), _) if !pieces.is_empty() => bytes.len(),
            _ => return None,
        };
        pieces.push(Piece {
            range: at..end,
            framing: Framing::Sized,
        });
        at = end;
    }
    Some(pieces)
}

fn size(bytes: &[u8]) -> Option<usize> {
    let size = bytes.first_chunk().copied().map(i32::from_be_bytes)?;
    usize::try_from(size).ok()
}

fn framing_content(framing: Framing, bytes: &[u8]) -> Option<&[u8]> {
    match framing {
        Framing::Sized => bytes.get(4..).filter(|content| !content.is_empty()),
        Framing::Bare => Some(bytes),
    }
}

/// Whether `content`, which has no size, starts like the claimed kind of message.
fn plausible(catalogue: &'static Catalogue, claim: Claim, content: &[u8]) -> bool {
    match claim {
        Claim::Requests => request_body(catalogue, content).is_some(),
        Claim::Responses { .. } => content.len() >= 4,
    }
}

/// Whether `content` is one message of the claimed kind from the first byte to the last.
fn whole(catalogue: &'static Catalogue, claim: Claim, content: &[u8]) -> bool {
    match claim {
        Claim::Requests => request_body(catalogue, content).is_some_and(|(api, version, body)| {
            catalogue
                .api_plan(api, Direction::Request, version)
                .is_some_and(|plan| plan.fits(body))
        }),
        Claim::Responses { api, version } => {
            let (Some(definition), Some(plan)) = (
                catalogue.api(api, Direction::Response),
                catalogue.api_plan(api, Direction::Response, version),
            ) else {
                return false;
            };
            let mut cursor = Cursor::new(content, BufferId::FRAME);
            cursor.i32().is_ok()
                && (response_header_version(definition, version) == 0
                    || skip_tagged_fields(&mut cursor).is_some())
                && plan.fits(cursor.rest())
        }
    }
}

/// Reads over a request header whose API and version exist.
fn request_body<'a>(catalogue: &Catalogue, content: &'a [u8]) -> Option<(ApiKey, i16, &'a [u8])> {
    let mut cursor = Cursor::new(content, BufferId::FRAME);
    let api = ApiKey(cursor.i16().ok()?);
    let version = cursor.i16().ok()?;
    let definition = catalogue.api(api, Direction::Request)?;
    if !definition.ever.contains(version) {
        return None;
    }
    cursor.i32().ok()?;
    let header_version = request_header_version(definition, version);
    if header_version >= 1 {
        let length = cursor.i16().ok()?;
        if length != -1 {
            let client_id = cursor.take(usize::try_from(length).ok()?).ok()?;
            std::str::from_utf8(client_id).ok()?;
        }
    }
    if header_version >= 2 {
        skip_tagged_fields(&mut cursor)?;
    }
    Some((api, version, cursor.rest()))
}

fn skip_tagged_fields(cursor: &mut Cursor<'_>) -> Option<()> {
    for _ in 0..cursor.uvarint().ok()? {
        cursor.uvarint().ok()?;
        let size = cursor.uvarint().ok()?;
        cursor.take(size as usize).ok()?;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::{request_frame, smallest};

    fn frame(api: ApiKey, version: i16) -> Vec<u8> {
        let catalogue = Catalogue::embedded();
        let plan = catalogue
            .api_plan(api, Direction::Request, version)
            .unwrap();
        request_frame(catalogue, api, version, 7, Some("c"), &smallest(plan))
    }

    fn framings(bytes: &[u8]) -> Vec<(Range<usize>, Framing)> {
        pieces(Catalogue::embedded(), Claim::Requests, bytes)
            .into_iter()
            .map(|piece| (piece.range, piece.framing))
            .collect()
    }

    #[test]
    fn every_smallest_request_is_found_with_and_without_size() {
        for api in ApiKey::all() {
            let definition = Catalogue::embedded().api(api, Direction::Request).unwrap();
            for version in definition.ever.iter() {
                let bytes = frame(api, version);
                assert_eq!(framings(&bytes), [(0..bytes.len(), Framing::Sized)]);
                let bare = &bytes[4..];
                assert_eq!(
                    framings(bare),
                    [(0..bare.len(), Framing::Bare)],
                    "{api} {version}"
                );
            }
        }
    }

    #[test]
    fn several_messages_are_cut_by_their_sizes() {
        let first = frame(ApiKey::API_VERSIONS, 3);
        let second = frame(ApiKey::FETCH, 4);
        let both = [first.clone(), second].concat();
        let cut = &both[..both.len() - 3];
        for bytes in [&both, cut] {
            assert_eq!(
                framings(bytes),
                [
                    (0..first.len(), Framing::Sized),
                    (first.len()..bytes.len(), Framing::Sized)
                ]
            );
        }
    }

    #[test]
    fn a_wrong_size_is_still_a_size() {
        let mut bytes = frame(ApiKey::API_VERSIONS, 3);
        bytes[3] -= 9;
        assert_eq!(framings(&bytes), [(0..bytes.len(), Framing::Sized)]);
    }
}
