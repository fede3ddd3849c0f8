//! What is inside bytes fields, read where it is known to fit and left as bytes where not.
//!
//! The `payload` layer says what content is; here it becomes events: a compound in the place of
//! the value, with its length, the numbers in front of a structure, and the structure.

use super::{
    Claim, Decoded, Framing, field::int32_or_compact, recognise::whole, response_candidates,
};
use crate::{
    event::{
        Code, Context, Meaning, Node, Place, Prefix, Role, Section, Severity, Shape, Sink, Stop,
        Value, Walker, bytes_are,
    },
    payload::{self, Lead, Reading, Structure, reading},
    records::{Codec, compressed, decompressed},
    schema::{
        ApiKey, Catalogue, Direction, FieldPlan, Inside, request_header_version,
        response_header_version,
    },
    wire::{BufferId, Cursor, Span},
};

/// What to do with content, and what the structure in it is called.
pub(super) struct Found {
    ty: &'static str,
    what: What,
}

enum What {
    Structure(Structure),
    Token(payload::Token),
    Message(Decoded),
    Metrics(Option<Codec>),
}

/// What a [`Reading`] comes to once the bytes are looked at: something, or a reason why not.
pub(super) fn find(
    reading: Reading,
    context: Context,
    bytes: &[u8],
) -> Result<Found, Option<String>> {
    let found = match reading {
        Reading::Opaque => return Err(None),
        Reading::Doubtful(why) => return Err(Some(why)),
        Reading::Structure(structure) => Found {
            ty: structure.plan.name,
            what: What::Structure(structure),
        },
        Reading::Sasl(token) => Found {
            ty: token.name(),
            what: What::Token(token),
        },
        Reading::Request => message(wrapped_request(bytes)?),
        Reading::Response => message(wrapped_response(context.wrapped, bytes)?),
        Reading::Telemetry => Found {
            ty: payload::METRICS,
            what: What::Metrics(are_metrics(context.codec, bytes)?),
        },
    };
    Ok(found)
}

fn message(decoded: Decoded) -> Found {
    Found {
        ty: decoded.plan.map_or("", |plan| plan.name),
        what: What::Message(decoded),
    }
}

/// The codec of metrics, once it is known that there are any.
fn are_metrics(number: i8, bytes: &[u8]) -> Result<Option<Codec>, Option<String>> {
    let codec = match number {
        0 => None,
        1 => Some(Codec::Gzip),
        2 => Some(Codec::Snappy),
        3 => Some(Codec::Lz4),
        4 => Some(Codec::Zstd),
        _ => return Err(None),
    };
    let is_right = match codec {
        None => payload::are_metrics(bytes),
        Some(codec) => payload::are_metrics(&decompressed(codec, bytes, payload::UNPACKED)),
    };
    match is_right {
        true => Ok(codec),
        // Metrics start with a list of resources, unless something else is pushed.
        false if bytes.starts_with(&[0x0a]) => {
            Err(Some("left as bytes: they are no OTLP metrics".to_owned()))
        }
        false => Err(None),
    }
}

/// A request within a request (KIP-590). Those that wrap are not wrapped.
fn wrapped_request(bytes: &[u8]) -> Result<Decoded, Option<String>> {
    let catalogue = Catalogue::current();
    let mut cursor = Cursor::new(bytes, BufferId::FRAME);
    let (Ok(api), Ok(version)) = (cursor.i16().map(ApiKey), cursor.i16()) else {
        return Err(None);
    };
    let definition = catalogue.api(api, Direction::Request).ok_or(None)?;
    if !whole(catalogue, Claim::Requests, bytes) {
        let is_known = definition.ever.contains(version);
        let why = format!("left as bytes: they are no {api} request of version {version}");
        return Err(is_known.then_some(why));
    }
    Ok(Decoded {
        direction: Direction::Request,
        api,
        version,
        header_version: request_header_version(definition, version),
        correlation_id: None,
        client_id: None,
        plan: catalogue.api_plan(api, Direction::Request, version),
    })
}

/// A response within a response, to the request that was wrapped. Where nobody knows that, it is
/// read only if one API alone has a response that fits.
fn wrapped_response(wrapped: Option<(i16, i16)>, bytes: &[u8]) -> Result<Decoded, Option<String>> {
    let catalogue = Catalogue::current();
    if let Some((key, version)) = wrapped {
        let api = ApiKey(key);
        if whole(catalogue, Claim::Responses { api, version }, bytes) {
            return response_of(catalogue, api, version);
        }
    }
    if bytes.len() > payload::SEARCHED {
        return Err(None);
    }
    let candidates = response_candidates(catalogue, Framing::Bare, bytes);
    let Some(first) = candidates.first() else {
        return Err(None);
    };
    if candidates.iter().any(|other| other.api != first.api) {
        let names: Vec<String> = candidates
            .iter()
            .take(3)
            .map(|candidate| format!("{} {}", candidate.api, candidate.version))
            .collect();
        return Err(Some(format!(
            "left as bytes: they could be a response of {} or others",
            names.join(" or ")
        )));
    }
    response_of(catalogue, first.api, first.version)
}

fn response_of(
    catalogue: &'static Catalogue,
    api: ApiKey,
    version: i16,
) -> Result<Decoded, Option<String>> {
    let definition = catalogue.api(api, Direction::Response).ok_or(None)?;
    Ok(Decoded {
        direction: Direction::Response,
        api,
        version,
        header_version: response_header_version(definition, version),
        correlation_id: None,
        client_id: None,
        plan: catalogue.api_plan(api, Direction::Response, version),
    })
}

impl Found {
    /// The name of the structure.
    pub(super) fn ty(&self) -> &'static str {
        self.ty
    }

    /// Reads the content of the window; what is left is for the caller.
    pub(super) fn read<S: Sink>(
        &self,
        walker: &mut Walker<'_, S>,
        section: Section,
        cursor: &mut Cursor<'_>,
    ) -> Result<(), Stop> {
        // Whatever a structure is used for elsewhere, here it is a part of the field.
        walker.within(section, |walker| match &self.what {
            What::Structure(structure) => walker.embedded(structure, cursor),
            What::Token(token) => {
                token.read(walker, cursor);
                Ok(())
            }
            What::Message(decoded) => {
                let mut decoded = decoded.clone();
                let header = match decoded.direction {
                    Direction::Request => walker.request_header(cursor, &mut decoded),
                    Direction::Response => walker.response_header(cursor, &mut decoded),
                };
                header.and_then(|()| walker.body(&decoded, section, cursor))
            }
            What::Metrics(None) => {
                payload::metrics(walker, cursor);
                Ok(())
            }
            What::Metrics(Some(codec)) => {
                let inner = Node {
                    shape: Shape::Struct {
                        ty: payload::METRICS,
                        present: true,
                    },
                    ..plain(payload::METRICS, section)
                };
                compressed(walker, *codec, inner, cursor, |walker, cursor| {
                    payload::metrics(walker, cursor);
                    walker.undecoded(cursor, section);
                    Ok(())
                });
                Ok(())
            }
        })
    }
}

impl<S: Sink> Walker<'_, S> {
    /// The value of a bytes field: a structure where one is known to be inside. `content` is the
    /// window behind the length.
    pub(super) fn bytes_value(
        &mut self,
        plan: &FieldPlan,
        node: &Node,
        length: Span,
        mut content: Cursor<'_>,
    ) {
        let prefix = int32_or_compact(plan);
        let bytes = content.rest();
        let span = Span::new(length.buffer, length.at, content.end());
        let found = match plan.inside {
            Some(inside) if self.wants_content() && self.context().depth < payload::DEPTH => {
                let context = self.context();
                find(reading(inside, context, bytes), context, bytes)
            }
            _ => Err(None),
        };
        let found = match found {
            Ok(found) => found,
            Err(why) => {
                self.value(node, Value::Bytes(bytes, prefix), span);
                if let Some(why) = why {
                    self.problem(Severity::Note, Code::Embedded, node, span, why);
                }
                return;
            }
        };
        let compound = content_node(*node, found.ty(), bytes.len());
        let _ = self.compound_from(&compound, length.at, &mut content, |walker, content| {
            walker.content_length(node.section, prefix, bytes.len(), length);
            // A fault has been said, and what it leaves is shown here.
            let _ = walker.inside(|walker| found.read(walker, node.section, content));
            walker.undecoded(content, node.section);
            Ok(())
        });
    }

    /// The length in front of content that is looked into.
    pub(super) fn content_length(
        &mut self,
        section: Section,
        prefix: Prefix,
        len: usize,
        span: Span,
    ) {
        let stored = u32::try_from(len).unwrap_or(u32::MAX);
        let (ty, value) = match prefix {
            Prefix::None => return,
            Prefix::Compact => ("uvarint", Value::Uvarint(stored.wrapping_add(1))),
            _ => ("int32", Value::Int32(stored.cast_signed())),
        };
        let role = Role::Size { bytes: stored };
        self.encoding("length", ty, role, section, value, span);
    }

    /// A structure of a definition behind its numbers.
    pub(super) fn embedded(
        &mut self,
        structure: &Structure,
        cursor: &mut Cursor<'_>,
    ) -> Result<(), Stop> {
        if self.is_quiet() {
            cursor.finish();
            return Ok(());
        }
        let plan = structure.plan;
        let section = Section::Response;
        if let Some(remark) = &structure.remark {
            let span = Span::new(cursor.buffer(), cursor.at(), cursor.end());
            let place = Place::Here;
            self.problem(Severity::Note, Code::Embedded, place, span, remark.clone());
        }
        self.lead(structure.lead, section, cursor)?;
        let body = Node {
            shape: Shape::Body {
                version: plan.version,
            },
            ..plain(plan.name, section)
        };
        self.compound(&body, cursor, |walker, cursor| {
            if structure.is_whole() {
                return walker.structure(&plan.body, cursor);
            }
            for field in plan.body.fields.iter().take(structure.n_fields) {
                walker.field(field, &field.node, cursor)?;
            }
            Ok(())
        })
    }

    /// The numbers in front of a structure.
    pub(super) fn lead(
        &mut self,
        lead: Lead,
        section: Section,
        cursor: &mut Cursor<'_>,
    ) -> Result<(), Stop> {
        let varints: &[(&'static str, &'static str)] = match lead {
            Lead::None => &[],
            Lead::Int16 { name, about } => {
                let from = cursor.at();
                let number = cursor
                    .i16()
                    .map_err(|fault| self.fault(fault, Place::Field(name), "int16", cursor))?;
                let node = Node {
                    shape: Shape::Leaf { ty: "int16" },
                    about,
                    ..plain(name, section)
                };
                self.value(&node, Value::Int16(number), cursor.since(from));
                &[]
            }
            Lead::Framed => &[
                (
                    "frame_version",
                    "version of the numbers up to the structure",
                ),
                ("type", "number of the record type"),
                ("version", "version of the structure that follows"),
            ],
            Lead::TypeAndVersion => &[
                ("type", "number of the record type"),
                ("version", "version of the structure that follows"),
            ],
        };
        for &(name, about) in varints {
            let from = cursor.at();
            let number = cursor
                .uvarint()
                .map_err(|fault| self.fault(fault, Place::Field(name), "uvarint", cursor))?;
            let node = Node {
                shape: Shape::Leaf { ty: "uvarint" },
                about,
                ..plain(name, section)
            };
            self.value(&node, Value::Uvarint(number), cursor.since(from));
        }
        Ok(())
    }

    /// Says that content goes on behind the structure that it is.
    pub(super) fn trailing(&mut self, cursor: &Cursor<'_>) {
        if cursor.left() > 0 {
            let span = Span::new(cursor.buffer(), cursor.at(), cursor.end());
            let message = format!(
                "{} left over behind the last field",
                bytes_are(cursor.left())
            );
            self.problem(
                Severity::Error,
                Code::TrailingBytes,
                Place::Here,
                span,
                message,
            );
        }
    }
}

/// The compound that stands for a bytes field whose content is read.
pub(super) fn content_node(node: Node, ty: &'static str, len: usize) -> Node {
    let shape = Shape::Content { ty, len };
    Node { shape, ..node }
}

pub(super) fn plain(name: &'static str, section: Section) -> Node {
    Node {
        name,
        index: None,
        shape: Shape::Leaf { ty: "" },
        role: Role::Plain,
        meaning: Meaning::Plain,
        section,
        about: "",
    }
}

/// Decodes `bytes` as content of the kind that `reading` found; `name` is what they are called.
pub fn content<S: Sink>(name: &'static str, reading: Reading, bytes: &[u8], sink: &mut S) {
    let mut cursor = Cursor::new(bytes, BufferId::FRAME);
    let mut walker = Walker::new(sink);
    let section = Section::Response;
    let found = find(reading, Context::default(), bytes);
    let ty = found.as_ref().map_or("bytes", Found::ty);
    let root = content_node(plain(name, section), ty, bytes.len());
    let _ = walker.compound(&root, &mut cursor, |walker, cursor| {
        match found {
            Ok(found) => {
                let _ = walker.inside(|walker| found.read(walker, section, cursor));
            }
            Err(why) => {
                let span = Span::new(cursor.buffer(), cursor.at(), cursor.end());
                let why = why.unwrap_or_else(|| format!("the bytes are no {name}"));
                let _ = walker.error(Code::Embedded, Place::Here, span, why);
            }
        }
        walker.undecoded(cursor, section);
        Ok(())
    });
}

/// Reads nothing of `bytes`, of which nobody knows what they are.
pub fn undecoded<S: Sink>(name: &'static str, bytes: &[u8], sink: &mut S) {
    let mut cursor = Cursor::new(bytes, BufferId::FRAME);
    let mut walker = Walker::new(sink);
    let section = Section::Response;
    let root = content_node(plain(name, section), "bytes", bytes.len());
    let _ = walker.compound(&root, &mut cursor, |walker, cursor| {
        walker.undecoded(cursor, section);
        Ok(())
    });
}

/// The value of a token that comes without any field around it.
pub(super) fn raw_token<S: Sink>(walker: &mut Walker<'_, S>, node: Node, cursor: &mut Cursor<'_>) {
    let (from, bytes) = (cursor.at(), cursor.rest());
    let context = walker.context();
    let Ok(found) = find(reading(Inside::Sasl, context, bytes), context, bytes) else {
        cursor.finish();
        walker.value(&node, Value::Bytes(bytes, Prefix::None), cursor.since(from));
        return;
    };
    let compound = content_node(node, found.ty(), bytes.len());
    let _ = walker.compound(&compound, cursor, |walker, cursor| {
        let _ = found.read(walker, node.section, cursor);
        walker.undecoded(cursor, node.section);
        Ok(())
    });
}
