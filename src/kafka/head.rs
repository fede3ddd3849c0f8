//! The front of requests and responses, and whether it can be one.

use std::ops::{Range, RangeInclusive};

use crate::schema::{ApiKey, Catalogue, Direction};
use crate::wire::{BufferId, Cursor};

use super::limits;

/// A request header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestHead {
    pub api_key: i16,
    pub version: i16,
    pub correlation_id: i32,
    /// Where the client id lies in the frame; `None` if it is null, or was found not to be
    /// captured.
    pub client_id: Option<(u32, u32)>,
    /// Offset of the body in the frame; for an unknown API or version, of what follows the client
    /// id.
    pub body_at: u32,
}

/// How much speaks for a request header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Plausible {
    /// It can be none.
    No,
    /// All lengths fit, but no definition knows the API or the version.
    Shape,
    /// A known API in a version that existed, with a client id that reads as a name.
    Known,
}

/// Bytes of a frame that hold its header, client id included.
pub(super) const MAX_HEAD: usize = 4 + 2 + 2 + 4 + 2 + limits::MAX_CLIENT_ID + 1;

/// Bytes in front of the client id.
pub(super) const FIXED_HEAD: u32 = 4 + 2 + 2 + 4;

impl RequestHead {
    /// Reads the header at the start of a frame of which `bytes` are there; `None` if its fixed
    /// part is not.
    // Inlined, so that it is written where it is to stay.
    #[inline(always)]
    pub(super) fn read(
        catalogue: &Catalogue,
        bytes: &[u8],
        frame_len: u32,
    ) -> Option<(RequestHead, Plausible)> {
        let mut cursor = Cursor::new(bytes, BufferId::FRAME);
        cursor.i32().ok()?;
        let api_key = cursor.i16().ok()?;
        let version = cursor.i16().ok()?;
        let correlation_id = cursor.i32().ok()?;
        let mut head = RequestHead {
            api_key,
            version,
            correlation_id,
            client_id: None,
            body_at: FIXED_HEAD,
        };
        let api = ApiKey(api_key);
        let known = catalogue
            .api(api, Direction::Request)
            .filter(|definition| definition.ever.contains(version));
        let header_version = known.map_or(1, |definition| {
            crate::schema::request_header_version(definition, version)
        });
        let mut shape = match known {
            Some(_) => Plausible::Known,
            None => Plausible::Shape,
        };
        if api_key < 0 || version < 0 {
            return Some((head, Plausible::No));
        }
        if header_version == 0 {
            return Some((head, shape));
        }
        let room = i64::from(frame_len) - i64::from(FIXED_HEAD) - 2;
        let Ok(length) = cursor.i16() else {
            // Cut in front of the client id; what is there speaks for itself.
            let enough = room >= 0 && bytes.len() < FIXED_HEAD as usize + 2;
            return Some((head, if enough { shape } else { Plausible::No }));
        };
        if i64::from(length) > room || length < -1 {
            return Some((head, Plausible::No));
        }
        head.body_at += 2;
        if let Ok(len @ 0..) = usize::try_from(length) {
            let from = head.body_at;
            head.body_at += len as u32;
            head.client_id = Some((from, len as u32));
            let Ok(text) = cursor.take(len) else {
                return Some((head, shape));
            };
            if !is_name(text) {
                shape = Plausible::No;
            }
        }
        if header_version == 2 {
            match skip_tagged_fields(&mut cursor) {
                Some(()) => head.body_at = cursor.at() as u32,
                None if cursor.left() == 0 => {}
                None => return Some((head, Plausible::No)),
            }
        }
        Some((head, shape))
    }

    /// Whether it gives the client a name, which may not have been captured.
    pub(super) fn is_named(self) -> bool {
        self.client_id.is_some_and(|(_, len)| len > 0)
    }

    /// The client id in the bytes of the frame.
    #[inline]
    pub fn client_id(self, frame: &[u8]) -> Option<&[u8]> {
        let (from, len) = self.client_id?;
        frame.get(from as usize..)?.get(..len as usize)
    }
}

/// Whether somebody may have chosen this as a client id.
fn is_name(text: &[u8]) -> bool {
    // Without an early end, so that many bytes are looked at in one step.
    let is_ascii = |text: &[u8]| {
        let is_printable = |byte: &u8| matches!(byte, b' '..=b'~');
        text.iter().fold(true, |all, byte| all & is_printable(byte))
    };
    text.len() <= limits::MAX_CLIENT_ID && (is_ascii(text) || is_other_script(text))
}

fn is_other_script(text: &[u8]) -> bool {
    std::str::from_utf8(text).is_ok_and(|text| !text.contains(char::is_control))
}

/// Moves behind the tagged fields of a header.
pub(super) fn skip_tagged_fields(cursor: &mut Cursor<'_>) -> Option<()> {
    for _ in 0..cursor.uvarint().ok()? {
        cursor.uvarint().ok()?;
        let size = cursor.uvarint().ok()?;
        cursor.take(size as usize).ok()?;
    }
    Some(())
}

/// The body of a response whose frame is `bytes`; `None` if its header cannot be one.
pub(super) fn response_body(bytes: &[u8], header_version: i16) -> Option<Range<usize>> {
    let mut cursor = Cursor::new(bytes, BufferId::FRAME);
    cursor.i64().ok()?;
    if header_version == 1 {
        skip_tagged_fields(&mut cursor)?;
    }
    Some(cursor.at()..bytes.len())
}

/// The bytes of API key and version that are tested first: neither has ever needed a second one,
/// and most offsets of other data end here.
#[inline]
pub(super) fn looks_like_request(catalogue: &Catalogue, front: &[u8]) -> bool {
    let &[a, b, c, d, 0, key, 0, version, ..] = front else {
        return false;
    };
    (8..=limits::MAX_SEARCHED).contains(&u32::from_be_bytes([a, b, c, d]))
        && catalogue
            .api(ApiKey(key.into()), Direction::Request)
            .is_some_and(|definition| definition.ever.contains(version.into()))
}

/// Whether the first bytes of a response can be ones: its size fits, and it answers one of the requests
/// that wait, or starts a segment.
#[inline]
pub(super) fn looks_like_response(
    front: &[u8],
    ids: Option<&RangeInclusive<i32>>,
    starts_segment: bool,
) -> bool {
    let &[a, b, c, d, e, f, g, h, ..] = front else {
        return false;
    };
    let size = u32::from_be_bytes([a, b, c, d]);
    let correlation_id = i32::from_be_bytes([e, f, g, h]);
    (4..=limits::MAX_SEARCHED).contains(&size)
        && (starts_segment || ids.is_some_and(|ids| ids.contains(&correlation_id)))
}
