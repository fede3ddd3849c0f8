//! A whole request or response: frame, header, body.

use std::ops::Range;

use super::{Claim, recognise::whole, records::only_format};
use crate::{
    event::{
        Code, Descend, Meaning, Node, Place, Problem, Role, Section, Severity, Shape, Sink, Stop,
        Value, Walker, bytes_are,
    },
    schema::{
        ApiKey, Catalogue, Direction, Plan, fallback_version, request_header_version,
        response_header_version,
    },
    wire::{BufferId, Cursor, Span},
};

/// Whether the bytes of a message start with their size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing<'h> {
    /// An int32 size, then that many bytes.
    Sized,
    /// Header and body only.
    Bare,
    /// An int32 size, and a capture that does not hold all bytes of the message. Zeros stand in
    /// the holes, which are in order; without any, the message just ends early.
    Cut { holes: &'h [Range<usize>] },
}

/// What a message turned out to be.
#[derive(Clone, Debug)]
pub struct Decoded {
    pub direction: Direction,
    pub api: ApiKey,
    /// Version of the body as it was decoded, which a fallback makes lower than asked for.
    pub version: i16,
    pub header_version: i16,
    /// `None` when the bytes end before it.
    pub correlation_id: Option<i32>,
    /// `None` when it is null, absent in this header version, or cut off.
    pub client_id: Option<String>,
    /// The definition of the body; `None` for an API or version that is unknown.
    pub plan: Option<&'static Plan>,
}

impl Decoded {
    /// A message of which no byte was read; its versions are those of the body and of the header.
    fn new(
        direction: Direction,
        api: ApiKey,
        (version, header_version): (i16, i16),
        plan: Option<&'static Plan>,
    ) -> Decoded {
        Decoded {
            direction,
            api,
            version,
            header_version,
            correlation_id: None,
            client_id: None,
            plan,
        }
    }
}

/// Decodes a request. API and version are read from its header.
pub fn request<S: Sink>(
    catalogue: &'static Catalogue,
    framing: Framing<'_>,
    bytes: &[u8],
    sink: &mut S,
) -> Decoded {
    let (api, version) = api_and_version(framing, bytes);
    request_as(catalogue, framing, bytes, api, version, sink)
}

/// Decodes a request as if its header named `api` and `version`, for those who doubt what it names.
pub fn request_as<S: Sink>(
    catalogue: &'static Catalogue,
    framing: Framing<'_>,
    bytes: &[u8],
    api: ApiKey,
    version: i16,
    sink: &mut S,
) -> Decoded {
    let plan = catalogue.api_plan(api, Direction::Request, version);
    // The header version follows from the number alone, so that the header of a version that is
    // not known yet can be read; an unknown API is read like the oldest that have a client id.
    let header_version = match catalogue.api(api, Direction::Request) {
        Some(definition) => request_header_version(definition, version),
        None => 1,
    };
    let versions = (version, header_version);
    let mut decoded = Decoded::new(Direction::Request, api, versions, plan);
    message(framing, bytes, None, sink, &mut decoded);
    decoded
}

/// Decodes a response to a request of `api` and `version`. Of a response to a request that nobody
/// knows ([`ApiKey::UNKNOWN`]) only the correlation id is read.
pub fn response<S: Sink>(
    catalogue: &'static Catalogue,
    framing: Framing<'_>,
    bytes: &[u8],
    api: ApiKey,
    version: i16,
    sink: &mut S,
) -> Decoded {
    answer(catalogue, framing, bytes, (api, version), None, sink)
}

/// Decodes a response to an Envelope, which holds the response to the request that was wrapped in
/// it: `wrapped` is the API and version of that, as [`wrapped_request`] finds them.
pub fn envelope_response<S: Sink>(
    catalogue: &'static Catalogue,
    framing: Framing<'_>,
    bytes: &[u8],
    version: i16,
    wrapped: Option<(i16, i16)>,
    sink: &mut S,
) -> Decoded {
    let asked = (ApiKey::ENVELOPE, version);
    answer(catalogue, framing, bytes, asked, wrapped, sink)
}

/// API key and version of the request that an Envelope request wraps.
pub fn wrapped_request(
    catalogue: &'static Catalogue,
    framing: Framing<'_>,
    bytes: &[u8],
) -> Option<(i16, i16)> {
    let mut headers = Headers::default();
    request(catalogue, framing, bytes, &mut headers);
    match headers.found.as_slice() {
        [_, wrapped, ..] => Some(*wrapped),
        _ => None,
    }
}

/// Keeps the API keys and versions of the headers in a message, its own first.
#[derive(Default)]
struct Headers {
    found: Vec<(i16, i16)>,
    key: Option<i16>,
}

impl Sink for Headers {
    fn enter(&mut self, _: &Node, _: BufferId, _: usize) -> Descend {
        Descend::Into
    }

    fn value(&mut self, node: &Node, value: Value<'_>, _: Span) {
        // The version follows the key.
        match (self.key.take(), node.role, value) {
            (Some(key), _, Value::Int16(version)) => self.found.push((key, version)),
            (_, Role::ApiKey, Value::Int16(key)) if self.found.len() < 2 => self.key = Some(key),
            _ => {}
        }
    }

    fn leave(&mut self, _: usize) {}

    fn problem(&mut self, _: Problem) {}
}

fn answer<S: Sink>(
    catalogue: &'static Catalogue,
    framing: Framing<'_>,
    bytes: &[u8],
    (api, version): (ApiKey, i16),
    wrapped: Option<(i16, i16)>,
    sink: &mut S,
) -> Decoded {
    let asked = catalogue.api_plan(api, Direction::Response, version);
    let fallback = fallback_version(api)
        .filter(|&lower| lower != version)
        .and_then(|lower| catalogue.api_plan(api, Direction::Response, lower))
        .filter(|lower| is_fallback(lower, asked, framing, bytes));
    let plan = fallback.or(asked);
    let version = plan.map_or(version, |plan| plan.version);
    let header_version = match catalogue.api(api, Direction::Response) {
        Some(definition) => response_header_version(definition, version),
        None => 0,
    };
    let versions = (version, header_version);
    let mut decoded = Decoded::new(Direction::Response, api, versions, plan);
    message(framing, bytes, wrapped, sink, &mut decoded);
    decoded
}

/// Whether a response body is what a broker sends for a version that it does not know: the lowest
/// version with error 35 (KIP-511), where the version asked for does not fit.
fn is_fallback(lower: &Plan, asked: Option<&Plan>, framing: Framing<'_>, bytes: &[u8]) -> bool {
    let header = match framing {
        Framing::Sized | Framing::Cut { .. } => 8,
        Framing::Bare => 4,
    };
    let Some(body) = bytes.get(header..) else {
        return false;
    };
    body.starts_with(&[0, 35]) && lower.fits(body) && !asked.is_some_and(|plan| plan.fits(body))
}

fn api_and_version(framing: Framing<'_>, bytes: &[u8]) -> (ApiKey, i16) {
    let mut cursor = Cursor::new(bytes, BufferId::FRAME);
    if framing != Framing::Bare {
        let _ = cursor.i32();
    }
    let api = cursor.i16().unwrap_or(-1);
    (ApiKey(api), cursor.i16().unwrap_or(-1))
}

fn message<S: Sink>(
    framing: Framing<'_>,
    bytes: &[u8],
    wrapped: Option<(i16, i16)>,
    sink: &mut S,
    decoded: &mut Decoded,
) {
    let mut cursor = Cursor::new(bytes, BufferId::FRAME);
    let mut walker = Walker::new(sink);
    walker.context_mut().wrapped = wrapped;
    let section = match decoded.direction {
        Direction::Request => Section::Request,
        Direction::Response => Section::Response,
    };
    let root = Node {
        name: match decoded.plan {
            Some(plan) => plan.name,
            None => decoded.direction.suffix(),
        },
        index: None,
        shape: Shape::Message {
            version: decoded.version,
        },
        role: Role::Plain,
        meaning: Meaning::Plain,
        section,
        about: "",
    };
    let claimed = claimed_end(framing, bytes, decoded);
    // A stop below has said what it stops for; what is left is emitted here, inside the root.
    let _ = walker.compound(&root, &mut cursor, |walker, cursor| {
        walker.around_holes(framing, section, cursor, |walker, readable| {
            content(framing, walker, readable, claimed, decoded)
        })
    });
}

/// Frame, header and body, and what follows the body by mistake.
fn content<S: Sink>(
    framing: Framing<'_>,
    walker: &mut Walker<'_, S>,
    cursor: &mut Cursor<'_>,
    claimed: usize,
    decoded: &mut Decoded,
) -> Result<(), Stop> {
    let section = match decoded.direction {
        Direction::Request => Section::Request,
        Direction::Response => Section::Response,
    };
    let header = parts(framing, walker, cursor, decoded);
    // Where the bytes end before key and version, they are not the ones that are unknown.
    let is_cut = decoded.direction == Direction::Request && decoded.version < 0;
    if decoded.plan.is_none() && !(header.is_err() && is_cut) {
        return Err(walker.unknown(decoded, cursor));
    }
    header?;
    let len = claimed.saturating_sub(cursor.at()).min(cursor.left());
    if let Ok(mut body) = cursor.window(len) {
        let read = walker.body(decoded, section, &mut body);
        walker.end(read.is_ok(), section, &mut body);
    }
    walker.end(true, section, cursor);
    Ok(())
}

/// Where the message ends by its size, when there are bytes behind that and the message needs
/// none of them; else the end of the bytes.
fn claimed_end(framing: Framing<'_>, bytes: &[u8], decoded: &Decoded) -> usize {
    let size = bytes.first_chunk().copied().map(i32::from_be_bytes);
    let end = match (framing, size.map(usize::try_from)) {
        (Framing::Sized, Some(Ok(size))) if size < bytes.len() - 4 => 4 + size,
        _ => return bytes.len(),
    };
    let claim = match decoded.direction {
        Direction::Request => Claim::Requests,
        Direction::Response => Claim::Responses {
            api: decoded.api,
            version: decoded.version,
        },
    };
    let is_whole = bytes
        .get(4..end)
        .is_some_and(|content| whole(Catalogue::current(), claim, content));
    if is_whole { end } else { bytes.len() }
}

fn parts<S: Sink>(
    framing: Framing<'_>,
    walker: &mut Walker<'_, S>,
    cursor: &mut Cursor<'_>,
    decoded: &mut Decoded,
) -> Result<(), Stop> {
    if framing != Framing::Bare {
        walker.frame(cursor)?;
    }
    match decoded.direction {
        Direction::Request => walker.request_header(cursor, decoded),
        Direction::Response => walker.response_header(cursor, decoded),
    }
}

impl<S: Sink> Walker<'_, S> {
    /// Reads what comes before the first hole by `content`; what it leaves, the holes and what
    /// was captured between and behind them, where no field can be told any more, are leaves.
    pub(super) fn around_holes<'a>(
        &mut self,
        framing: Framing<'_>,
        section: Section,
        cursor: &mut Cursor<'a>,
        content: impl FnOnce(&mut Self, &mut Cursor<'a>) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let holes = match framing {
            Framing::Cut { holes } => {
                self.cut();
                holes
            }
            Framing::Sized | Framing::Bare => &[],
        };
        let readable = holes.first().map_or(cursor.end(), |hole| hole.start);
        let len = readable.saturating_sub(cursor.at()).min(cursor.left());
        let Ok(mut readable) = cursor.window(len) else {
            return Err(Stop);
        };
        let read = content(self, &mut readable);
        self.undecoded(&mut readable, section);
        for hole in holes {
            let between = hole.start.saturating_sub(cursor.at()).min(cursor.left());
            if let Ok(mut between) = cursor.window(between) {
                self.undecoded(&mut between, section);
            }
            self.not_captured(cursor, hole.len(), section);
        }
        self.undecoded(cursor, section);
        read
    }

    /// Says that bytes are left over, unless the reading stopped and has said why, and emits them.
    fn end(&mut self, read: bool, section: Section, cursor: &mut Cursor<'_>) {
        if read && cursor.left() > 0 {
            let span = Span::new(cursor.buffer(), cursor.at(), cursor.end());
            let message = format!(
                "{} left over behind the last field",
                bytes_are(cursor.left())
            );
            let _ = self.error(Code::TrailingBytes, Place::Here, span, message);
        }
        self.undecoded(cursor, section);
    }

    /// Says that there is no definition to read the rest by.
    fn unknown(&mut self, decoded: &Decoded, cursor: &Cursor<'_>) -> Stop {
        if decoded.direction == Direction::Response && decoded.api == ApiKey::UNKNOWN {
            // Whoever asks for this knows that no request says what the bytes are.
            return Stop;
        }
        let (code, message) = match decoded.api.name() {
            None => (
                Code::UnknownApi,
                format!("no definition has API key {}", decoded.api.0),
            ),
            Some(name) => (
                Code::UnknownVersion,
                match Catalogue::current().api(decoded.api, decoded.direction) {
                    Some(definition) => {
                        format!(
                            "{name} has versions {}, not {}",
                            definition.ever, decoded.version
                        )
                    }
                    None => format!("{name} has no version {}", decoded.version),
                },
            ),
        };
        let span = Span::new(cursor.buffer(), cursor.at(), cursor.end());
        self.error(code, Place::Here, span, message)
    }

    pub(super) fn body(
        &mut self,
        decoded: &Decoded,
        section: Section,
        cursor: &mut Cursor<'_>,
    ) -> Result<(), Stop> {
        let Some(plan) = decoded.plan else {
            return Err(self.unknown(decoded, cursor));
        };
        if decoded.direction == Direction::Response
            && fallback_version(decoded.api) == Some(plan.version)
            && cursor.rest().starts_with(&[0, 35])
        {
            let span = Span::new(cursor.buffer(), cursor.at(), cursor.at() + 2);
            let message = format!(
                "the broker does not know the version that was asked for and answers in version {}",
                plan.version
            );
            self.problem(
                Severity::Note,
                Code::VersionFallback,
                Place::Here,
                span,
                message,
            );
        }
        self.context_mut().records_format = only_format(plan);
        let node = super::structure::body(plan, section);
        self.compound(&node, cursor, |walker, cursor| {
            walker.structure(&plan.body, cursor)
        })
    }
}
