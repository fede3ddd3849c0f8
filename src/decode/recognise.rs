//! Where the messages are in bytes that somebody cut out by hand: one or several, with or without
//! their sizes, whole or not.

use std::ops::Range;

use super::{Framing, limits, request, response};
use crate::{
    event::{Descend, Node, Problem, Role, Sink, Value},
    schema::{ApiKey, Catalogue, Direction, request_header_version, response_header_version},
    wire::{BufferId, Cursor, Span},
};

/// What the bytes are said to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Requests; their headers say the rest.
    Requests,
    /// Responses to requests of one API and version.
    Responses { api: ApiKey, version: i16 },
}

impl Claim {
    /// Bytes of the shortest header of all, that of a response.
    const SMALLEST: usize = 4;

    /// Bytes of the shortest header.
    fn smallest(self) -> usize {
        match self {
            Claim::Requests => 8,
            Claim::Responses { .. } => Self::SMALLEST,
        }
    }
}

/// A message in the bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    pub range: Range<usize>,
    pub framing: Framing<'static>,
}

/// Cuts `bytes` into messages. Sizes are believed where they lead from message to message exactly
/// to the end, whatever is between them; else the bytes are one message, and whether it starts with
/// a size is judged by what follows. There is always a piece unless there are no bytes.
pub fn pieces(catalogue: &'static Catalogue, claim: Claim, bytes: &[u8]) -> Vec<Piece> {
    if bytes.is_empty() {
        return Vec::new();
    }
    let fits = |framing| match framing_content(framing, bytes) {
        Some(content) => whole(catalogue, claim, content),
        None => false,
    };
    // A message that is read to its last byte is what the bytes are, even with a wrong size. But a
    // size that is exactly right speaks for itself, whatever follows it: a message with a mistake
    // can by chance be one whose correlation id is the size.
    let is_sized = size(bytes)
        .is_some_and(|size| size >= claim.smallest() && size.checked_add(4) == Some(bytes.len()));
    if is_sized || fits(Framing::Sized) {
        return vec![all(bytes, Framing::Sized)];
    }
    if fits(Framing::Bare) {
        return vec![all(bytes, Framing::Bare)];
    }
    if let Some(pieces) = by_size(bytes).or_else(|| chain(catalogue, claim, bytes)) {
        return pieces;
    }
    vec![all(bytes, likelier_framing(catalogue, claim, bytes))]
}

/// Whether bytes that are no whole message start with a size: the way in which more of them can be
/// read decides, and a size that no paste could have meant speaks against itself.
fn likelier_framing(catalogue: &'static Catalogue, claim: Claim, bytes: &[u8]) -> Framing<'static> {
    let starts = |framing| {
        framing_content(framing, bytes).is_some_and(|content| plausible(catalogue, claim, content))
    };
    match (starts(Framing::Sized), starts(Framing::Bare)) {
        (true, false) => return Framing::Sized,
        (false, true) => return Framing::Bare,
        _ => {}
    }
    // A size that is nearly right is one, whatever follows it.
    let follow = bytes.len().saturating_sub(4);
    if size(bytes).is_some_and(|size| size >= claim.smallest() && size.abs_diff(follow) <= 4) {
        return Framing::Sized;
    }
    let is_credible =
        size(bytes).is_some_and(|size| size >= claim.smallest() && size / 1_000 < bytes.len());
    if !is_credible {
        return Framing::Bare;
    }
    let unread = |framing| {
        let mut unread = Unread::default();
        match claim {
            Claim::Requests => request(catalogue, framing, bytes, &mut unread),
            Claim::Responses { api, version } => {
                response(catalogue, framing, bytes, api, version, &mut unread)
            }
        };
        unread.bytes
    };
    if unread(Framing::Bare) < unread(Framing::Sized) {
        Framing::Bare
    } else {
        Framing::Sized
    }
}

/// Counts the bytes that a decode could not read.
#[derive(Debug, Default)]
struct Unread {
    bytes: usize,
}

impl Sink for Unread {
    fn enter(&mut self, _: &Node, _: BufferId, _: usize) -> Descend {
        Descend::Into
    }

    fn value(&mut self, node: &Node, _: Value<'_>, span: Span) {
        if node.role == Role::Undecoded {
            self.bytes += span.len;
        }
    }

    fn leave(&mut self, _: usize) {}

    fn wants_content(&self) -> bool {
        false
    }

    fn problem(&mut self, _: Problem) {}
}

fn all(bytes: &[u8], framing: Framing<'static>) -> Piece {
    Piece {
        range: 0..bytes.len(),
        framing,
    }
}

/// Messages of which nothing needs to be known but that their sizes lead from one to the next, to
/// the last byte.
fn by_size(bytes: &[u8]) -> Option<Vec<Piece>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let size = size(bytes.get(at..)?).filter(|&size| size >= Claim::SMALLEST)?;
        let range = at..at.checked_add(4 + size)?;
        bytes.get(range.clone())?;
        at = range.end;
        found.push(Piece {
            range,
            framing: Framing::Sized,
        });
    }
    (found.len() > 1).then_some(found)
}

/// Messages one after another by their sizes, of which the last may be cut. Behind a message that is whole, what is no message
/// (or the start of one that was cut off) is left to that message.
fn chain(catalogue: &'static Catalogue, claim: Claim, bytes: &[u8]) -> Option<Vec<Piece>> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = bytes.get(at..)?;
        let content = framing_content(Framing::Sized, rest)
            .filter(|content| plausible(catalogue, claim, content));
        let size = size(rest).filter(|&size| size >= claim.smallest());
        let end = match (content, size) {
            (Some(content), Some(size)) if size <= content.len() => at + 4 + size,
            (Some(_), Some(_)) if is_whole(catalogue, claim, bytes, &pieces) => bytes.len(),
            _ if is_whole(catalogue, claim, bytes, &pieces) => {
                pieces.last_mut()?.range.end = bytes.len();
                break;
            }
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

/// Whether the last piece so far is a message to its last byte, which makes its size credible.
fn is_whole(catalogue: &'static Catalogue, claim: Claim, bytes: &[u8], pieces: &[Piece]) -> bool {
    pieces
        .last()
        .and_then(|piece| bytes.get(piece.range.clone()))
        .and_then(|frame| framing_content(Framing::Sized, frame))
        .is_some_and(|content| whole(catalogue, claim, content))
}

pub(super) fn size(bytes: &[u8]) -> Option<usize> {
    let size = bytes.first_chunk().copied().map(i32::from_be_bytes)?;
    usize::try_from(size).ok()
}

pub(super) fn framing_content<'b>(framing: Framing<'_>, bytes: &'b [u8]) -> Option<&'b [u8]> {
    match framing {
        Framing::Sized | Framing::Cut { .. } => {
            bytes.get(4..).filter(|content| !content.is_empty())
        }
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
pub(super) fn whole(catalogue: &'static Catalogue, claim: Claim, content: &[u8]) -> bool {
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
pub(super) fn request_body<'a>(
    catalogue: &Catalogue,
    content: &'a [u8],
) -> Option<(ApiKey, i16, &'a [u8])> {
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

/// Whether a request header in front of `content` would have a client id that can be read.
pub(super) fn has_client_id(content: &[u8]) -> bool {
    let length = content
        .get(8..)
        .and_then(|length| length.first_chunk().copied());
    let Some(Ok(length)) = length.map(|length| usize::try_from(i16::from_be_bytes(length))) else {
        return false;
    };
    let client_id = content.get(10..10 + length).unwrap_or_default();
    client_id.len() >= limits::TEXT_THAT_SPEAKS && client_id.iter().all(u8::is_ascii_graphic)
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
        let catalogue = Catalogue::current();
        let plan = catalogue
            .api_plan(api, Direction::Request, version)
            .unwrap();
        request_frame(catalogue, api, version, 7, Some("c"), &smallest(plan))
    }

    fn framings(bytes: &[u8]) -> Vec<(Range<usize>, Framing<'static>)> {
        pieces(Catalogue::current(), Claim::Requests, bytes)
            .into_iter()
            .map(|piece| (piece.range, piece.framing))
            .collect()
    }

    #[test]
    fn every_smallest_request_is_found_with_and_without_size() {
        for api in ApiKey::all() {
            let definition = Catalogue::current().api(api, Direction::Request).unwrap();
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
    fn exact_sizes_part_what_is_not_known() {
        let known = frame(ApiKey::API_VERSIONS, 3);
        let mut unknown_version = frame(ApiKey(3), 1);
        unknown_version[7] = 99;
        let mut unknown_api = frame(ApiKey(3), 1);
        unknown_api[4..6].copy_from_slice(&[3, 231]);
        let no_request = b"\0\0\0\x08\0\0\0\x07\0\x23\x01\0".to_vec();
        for other in [unknown_version, unknown_api, no_request] {
            for frames in [
                [&known, &other, &known],
                [&known, &known, &other],
                [&other, &known, &other],
            ] {
                let mut at = 0;
                let expected = frames.map(|frame| {
                    at += frame.len();
                    (at - frame.len()..at, Framing::Sized)
                });
                let bytes = frames.map(Vec::as_slice).concat();
                assert_eq!(framings(&bytes), expected, "{other:?}");
                // With a byte too many, sizes lead nowhere.
                let longer = [bytes.as_slice(), &[0]].concat();
                assert_ne!(framings(&longer), expected, "{other:?}");
            }
        }
    }

    #[test]
    fn a_wrong_size_is_still_a_size() {
        let mut bytes = frame(ApiKey::API_VERSIONS, 3);
        bytes[3] -= 9;
        assert_eq!(framings(&bytes), [(0..bytes.len(), Framing::Sized)]);
    }
}
