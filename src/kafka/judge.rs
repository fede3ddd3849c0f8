//! The definitions as judges: does a frame hold exactly what it claims to?

use std::ops::RangeInclusive;

use crc_fast::{CrcAlgorithm, checksum};
use uuid::Uuid;

use crate::schema::{
    ApiKey, Catalogue, Direction, Plan, ResponseShape, Surveyor, fallback_version,
    produce_starts_with_transactional_id, response_header_version,
};
use crate::wire::{BufferId, Cursor, Pieces};

use super::head::{self, Plausible, RequestHead};

/// Whether the request in `frame` is consumed exactly by its definition.
pub(super) fn request_fits(catalogue: &'static Catalogue, frame: &[u8], head: RequestHead) -> bool {
    let Some(plan) = catalogue.api_plan(ApiKey(head.api_key), Direction::Request, head.version)
    else {
        return false;
    };
    frame
        .get(head.body_at as usize..)
        .is_some_and(|body| plan.fits(body))
}

/// Whether a whole frame is a request of a client that has a name.
pub(super) fn is_request(catalogue: &'static Catalogue, frame: &[u8]) -> bool {
    let head = RequestHead::read(catalogue, frame, frame.len() as u32);
    head.is_some_and(|(head, plausible)| {
        plausible == Plausible::Known && head.is_named() && request_fits(catalogue, frame, head)
    })
}

/// Whether a frame holds nothing but zeros behind its size: as a request to produce nothing they
/// fit, and they are met everywhere.
pub(super) fn is_blank(frame: &[u8]) -> bool {
    let content = frame.get(4..).unwrap_or_default();
    content.iter().all(|&byte| byte == 0)
}

/// Bytes of a record batch: in front of its length, up to its checksum, and up to its first record.
const BATCH_OFFSET: usize = 8;
const BATCH_CRC: usize = 17;
const BATCH_HEAD: usize = 61;

/// Whether a frame holds a record batch with the right checksum, which is no accident.
pub(super) fn holds_batch(frame: &[u8]) -> bool {
    frame.windows(BATCH_HEAD).enumerate().any(|(at, head)| {
        let int = |from: usize| {
            let bytes = head.get(from..)?.first_chunk::<4>()?;
            Some(u32::from_be_bytes(*bytes))
        };
        // Magic 2 is that of all batches with such a checksum.
        let (Some(len), Some(crc), Some(2)) = (
            int(BATCH_OFFSET),
            int(BATCH_CRC),
            head.get(BATCH_CRC - 1).copied(),
        ) else {
            return false;
        };
        let end = (at + BATCH_OFFSET + 4).saturating_add(len as usize);
        let summed = frame.get(at + BATCH_CRC + 4..end);
        summed.is_some_and(|bytes| checksum(CrcAlgorithm::Crc32Iscsi, bytes) == u64::from(crc))
    })
}

/// What a definition says of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It is consumed exactly, as a body of this version.
    Fits(i16),
    /// It is not.
    Differs,
    /// No definition knows the API or the version.
    Unknown,
}

/// Whether the response in `frame` is one to a request of `api_key` and `version`.
pub(super) fn response_fits(
    catalogue: &'static Catalogue,
    frame: &[u8],
    api_key: i16,
    version: i16,
) -> Verdict {
    let api = ApiKey(api_key);
    let Some(definition) = catalogue.api(api, Direction::Response) else {
        return Verdict::Unknown;
    };
    let fits = |version: i16| {
        let plan = catalogue.api_plan(api, Direction::Response, version)?;
        let header_version = response_header_version(definition, version);
        let body = head::response_body(frame, header_version)?;
        Some(plan.fits(frame.get(body)?))
    };
    match fits(version) {
        Some(true) => Verdict::Fits(version),
        asked => match fallback_version(api) {
            Some(lower) if is_refusal(frame) && fits(lower) == Some(true) => Verdict::Fits(lower),
            _ if asked.is_none() && !definition.ever.contains(version) => Verdict::Unknown,
            _ => Verdict::Differs,
        },
    }
}

/// Whether the first bytes of a frame of `len` bytes can be those of a response to a request of
/// `api_key` and `version`.
pub(super) fn response_begins(
    catalogue: &'static Catalogue,
    front: &[u8],
    len: usize,
    api_key: i16,
    version: i16,
) -> bool {
    let api = ApiKey(api_key);
    let Some(definition) = catalogue.api(api, Direction::Response) else {
        return true;
    };
    let begins = |version: i16| {
        let plan = catalogue.api_plan(api, Direction::Response, version)?;
        let header_version = response_header_version(definition, version);
        let body = head::response_body(front, header_version)?;
        Some(plan.begins(front.get(body)?, len.saturating_sub(front.len())))
    };
    let falls_back = || fallback_version(api).filter(|_| is_refusal(front));
    match begins(version) {
        None => !definition.ever.contains(version),
        Some(true) => true,
        Some(false) => falls_back().and_then(begins) == Some(true),
    }
}

/// Whether a response starts with error 35, UNSUPPORTED_VERSION, behind a header of version 0.
fn is_refusal(frame: &[u8]) -> bool {
    frame.get(8..10) == Some(&[0, 35])
}

/// The version of the body of a response to a request of this API and version.
pub(super) fn response_version(
    catalogue: &'static Catalogue,
    frame: &[u8],
    api_key: i16,
    version: i16,
) -> i16 {
    let may_fall_back = fallback_version(ApiKey(api_key)).is_some_and(|lower| lower != version);
    if may_fall_back
        && is_refusal(frame)
        && let Verdict::Fits(fitting) = response_fits(catalogue, frame, api_key, version)
    {
        return fitting;
    }
    version
}

/// How much the content of a response speaks for it, where any API may be meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// No definition consumes it exactly.
    Strange,
    /// One does, and so it would with other bytes that somebody counted.
    Silent,
    /// One does.
    Speaks,
}

/// Whether any definition consumes the response exactly. Zeros are met everywhere: alone they are
/// believed to be what the brokers' answer to a heartbeat is, which has nothing else to say, or to a
/// member of a group that is assigned nothing. So is
/// a length with bytes of no structure behind it, which is all of a token of SASL and of what a
/// member of a group is assigned.
pub(super) fn content(catalogue: &'static Catalogue, frame: &[u8]) -> Content {
    if frame.iter().skip(8).all(|&byte| byte == 0) {
        let fits = |api| any_version_fits(catalogue, frame, api);
        return match fits(ApiKey::HEARTBEAT) || fits(ApiKey::SYNC_GROUP) {
            true => Content::Silent,
            false => Content::Strange,
        };
    }
    let mut content = Content::Strange;
    for (shape, body) in fitting(catalogue, frame) {
        if !makes_sense(shape.plan, body) {
            continue;
        }
        if !shape.apis.iter().all(|api| OPAQUE.contains(api)) {
            return Content::Speaks;
        }
        content = Content::Silent;
    }
    content
}

/// The shapes of responses that consume a frame exactly, and its body for each.
fn fitting<'f>(
    catalogue: &'static Catalogue,
    frame: &'f [u8],
) -> impl Iterator<Item = (&'static ResponseShape, &'f [u8])> {
    let bodies = [0, 1].map(|version| {
        let body = head::response_body(frame, version)?;
        frame.get(body)
    });
    catalogue.response_shapes().iter().filter_map(move |shape| {
        let version = usize::try_from(shape.header_version).ok()?;
        let body = (*bodies.get(version)?)?;
        (body.len() >= shape.least && shape.plan.fits(body)).then_some((shape, body))
    })
}

/// APIs whose responses may be nothing but a length with bytes of no structure.
const OPAQUE: [ApiKey; 2] = [ApiKey::SASL_AUTHENTICATE, ApiKey::SYNC_GROUP];

/// Whether a broker may have said what a body says: where nothing is known but that some definition
/// consumes it, its values count as well.
fn makes_sense(plan: &Plan, body: &[u8]) -> bool {
    let mut sense = Sense::default();
    // What is unusual may be so; what was told before it counts.
    let _ = plan.survey(body, &mut sense);
    !sense.is_strange && (sense.n_nameless < 2 || sense.n_nameless < sense.n_topics)
}

/// Errors of brokers have numbers from -1 on, without holes; this leaves room for those to come.
const ERRORS: RangeInclusive<i16> = -1..=160;

/// What the values of a body tell of it.
#[derive(Debug, Default)]
struct Sense {
    n_topics: usize,
    /// Topics without a name.
    n_nameless: usize,
    /// There is something that no broker says.
    is_strange: bool,
}

impl Surveyor for Sense {
    fn topic(&mut self, name: &str) {
        self.n_topics += 1;
        self.n_nameless += usize::from(name.is_empty());
        self.is_strange |= name.contains(char::is_control);
    }

    fn error(&mut self, code: i16) {
        self.is_strange |= !ERRORS.contains(&code);
    }

    fn boundary(&mut self) {}
    fn topic_id(&mut self, _: Uuid) {}
    fn node(&mut self, _: i32) {}
    fn host(&mut self, _: &str) {}
    fn port(&mut self, _: i64) {}
    fn throttle(&mut self, _: i32) {}
    fn records(&mut self, _: &[u8]) {}
    fn records_in_pieces(&mut self, _: Pieces<'_>) -> Option<()> {
        Some(())
    }
}

/// Whether any definition consumes the response exactly.
pub(super) fn any_response_fits(catalogue: &'static Catalogue, frame: &[u8]) -> bool {
    fitting(catalogue, frame).next().is_some()
}

/// Errors that brokers answer a heartbeat with.
const HEARTBEAT_ERRORS: [i16; 8] = [14, 15, 16, 22, 25, 27, 30, 82];

/// The error code of a response that says only whether something worked, as those to heartbeats
/// do, which are the only ones to come in thousands; `None` if the frame is none. Nobody is held
/// back for a heartbeat.
pub(super) fn outcome(frame: &[u8]) -> Option<i16> {
    let (before, error) = match *frame.get(8..)? {
        [a, b, c, d, high, low] => ([a, b, c, d], [high, low]),
        // Both ends of a flexible one have no tagged fields.
        [0, a, b, c, d, high, low, 0] => ([a, b, c, d], [high, low]),
        _ => return None,
    };
    let error = i16::from_be_bytes(error);
    let is_known = error == 0 || HEARTBEAT_ERRORS.contains(&error);
    (before == [0; 4] && is_known).then_some(error)
}

/// Whether the response is one to any version of an API.
fn any_version_fits(catalogue: &'static Catalogue, frame: &[u8], api: ApiKey) -> bool {
    catalogue
        .api(api, Direction::Response)
        .is_some_and(|definition| {
            definition.ever.iter().any(|version| {
                response_fits(catalogue, frame, api.0, version) == Verdict::Fits(version)
            })
        })
}

/// Bytes of the shortest list of APIs: size, correlation id, error code, count, one API.
const LEAST_LIST: usize = 4 + 4 + 2 + 1 + 7;

/// Whether the response is one to ApiVersions, with which most clients begin. An empty list is
/// none.
pub(super) fn is_api_versions(catalogue: &'static Catalogue, frame: &[u8]) -> bool {
    let is_list = frame.len() >= LEAST_LIST && frame.iter().skip(8).any(|&byte| byte != 0);
    let is_accepted = is_list && frame.get(8..10) == Some(&[0, 0]);
    (is_accepted || is_refusal(frame)) && any_version_fits(catalogue, frame, ApiKey::API_VERSIONS)
}

/// Whether the response refuses a version of ApiVersions and names those that are known, in a way
/// that nothing else does.
pub(super) fn is_refusal_with_list(catalogue: &'static Catalogue, frame: &[u8]) -> bool {
    is_refusal(frame) && frame.len() >= LEAST_LIST && is_api_versions(catalogue, frame)
}

/// APIs that have to be there of a list whose end was not captured.
const LEAST_SEEN: usize = 4;

/// Lists of APIs have less than a hundred entries; this leaves room for features.
const MAX_LIST: usize = 1 << 12;

/// Whether `front` begins a response to ApiVersions of `len` bytes: its list has entries enough to
/// fill most of them. Entries are all of the same length, whatever is in them.
pub(super) fn begins_api_versions(catalogue: &'static Catalogue, front: &[u8], len: usize) -> bool {
    let is_enough = front.len() >= LEAST_LIST + (LEAST_SEEN - 1) * 7;
    if !is_enough || front.get(8..10) != Some(&[0, 0]) || len > MAX_LIST {
        return false;
    }
    let mut frame = front.to_vec();
    frame.resize(len, 0);
    let api = ApiKey::API_VERSIONS;
    let Some(definition) = catalogue.api(api, Direction::Response) else {
        return false;
    };
    definition.ever.iter().any(|version| {
        let Some(plan) = catalogue.api_plan(api, Direction::Response, version) else {
            return false;
        };
        let mut cursor = Cursor::new(frame.get(8..).unwrap_or_default(), BufferId::FRAME);
        // Features that the broker names follow the list.
        plan.measure(&mut cursor).is_some() && cursor.at() * 2 > len
    })
}

/// Whether a produce request asks for no acknowledgment, so that no response comes.
///
/// The protocol has no other message that is not answered.
pub(super) fn wants_no_answer(catalogue: &Catalogue, frame: &[u8], head: RequestHead) -> bool {
    if ApiKey(head.api_key) != ApiKey::PRODUCE {
        return false;
    }
    let Some(body) = frame.get(head.body_at as usize..) else {
        return false;
    };
    acks(catalogue, body, head.version) == Some(0)
}

fn acks(catalogue: &Catalogue, body: &[u8], version: i16) -> Option<i16> {
    let definition = catalogue.api(ApiKey::PRODUCE, Direction::Request)?;
    let mut cursor = Cursor::new(body, BufferId::FRAME);
    if produce_starts_with_transactional_id(version) {
        let len = if definition.flexible.contains(version) {
            cursor.uvarint().ok()?.saturating_sub(1) as usize
        } else {
            cursor.i16().ok()?.max(0) as usize
        };
        cursor.take(len).ok()?;
    }
    cursor.i16().ok()
}
