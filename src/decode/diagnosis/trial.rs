//! Reading a message with one mistake granted, to see whether it then fits to the last byte.

use super::deviation::Deviation;
use crate::{
    event::{Node, n_bytes},
    schema::{
        Catalogue, Direction, FieldPlan, Plan, StructPlan, TypePlan, request_header_version,
        response_header_version,
    },
    wire::{BufferId, Cursor, Span},
};

/// A mistake that makes a body fit.
#[derive(Debug)]
pub(super) struct Granted {
    pub span: Span,
    pub message: String,
}

/// A way to read the header; the right one costs nothing.
#[derive(Debug)]
pub(super) struct HeaderReading {
    /// Where the body starts.
    pub body: usize,
    pub span: Span,
    pub message: String,
    pub cost: u32,
}

/// What a walk without mistakes comes to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plain {
    /// Decisions it meets before it ends.
    pub steps: usize,
    /// Bytes it leaves; `None` when it cannot go on.
    pub left: Option<usize>,
}

/// A walk over a body that grants `deviation` at decision `step`, or everywhere.
pub(super) struct Trial<'a> {
    cursor: Cursor<'a>,
    deviation: Option<Deviation>,
    /// The decision to deviate at; `None` is every one.
    step: Option<usize>,
    /// Decisions met so far.
    met: usize,
    granted: Option<Granted>,
    /// Bytes that a walk without mistakes leaves over.
    surplus: usize,
}

impl<'a> Trial<'a> {
    /// A walk without mistakes.
    pub(super) fn count(plan: &Plan, bytes: &'a [u8], body: usize) -> Plain {
        let mut trial = Trial::new(bytes, body, None, None);
        let read = trial.structure(&plan.body).is_some();
        Plain {
            steps: trial.met,
            left: read.then_some(trial.cursor.left()),
        }
    }

    /// Where a body without mistakes ends; `None` when there is none.
    pub(super) fn end(plan: &Plan, bytes: &'a [u8], body: usize) -> Option<usize> {
        let mut trial = Trial::new(bytes, body, None, None);
        trial.structure(&plan.body)?;
        Some(trial.cursor.at())
    }

    /// Whether `deviation` at `step` makes the body fit.
    pub(super) fn run(
        plan: &Plan,
        bytes: &'a [u8],
        body: usize,
        deviation: Deviation,
        step: usize,
        surplus: usize,
    ) -> Option<Granted> {
        let once = deviation.reach() == super::Reach::Once;
        let mut trial = Trial::new(bytes, body, Some(deviation), once.then_some(step));
        trial.surplus = surplus;
        trial.structure(&plan.body)?;
        (trial.cursor.left() == 0).then_some(trial.granted)?
    }

    fn new(
        bytes: &'a [u8],
        body: usize,
        deviation: Option<Deviation>,
        step: Option<usize>,
    ) -> Trial<'a> {
        let mut cursor = Cursor::new(bytes, BufferId::FRAME);
        // The body starts inside the bytes, or there is nothing to walk.
        let _ = cursor.take(body);
        Trial {
            cursor,
            deviation,
            step,
            met: 0,
            granted: None,
            surplus: 0,
        }
    }

    /// Whether this decision is the one to go wrong in the way `wanted`.
    fn deviates(&self, wanted: Deviation) -> bool {
        self.deviation == Some(wanted) && self.step.is_none_or(|step| step == self.met)
    }

    /// Keeps the first thing granted; it is the one to look at.
    fn grant(&mut self, span: Span, message: impl FnOnce() -> String) {
        if self.granted.is_none() {
            self.granted = Some(Granted {
                span,
                message: message(),
            });
        }
    }

    fn here(&self, len: usize) -> Span {
        Span {
            buffer: BufferId::FRAME,
            at: self.cursor.at(),
            len,
        }
    }

    fn structure(&mut self, plan: &StructPlan) -> Option<()> {
        for field in &plan.fields {
            self.field(field, &field.node, plan.name)?;
        }
        self.met += 1;
        if self.deviates(Deviation::TagsExtra) && self.cursor.rest().first() == Some(&0) {
            let span = self.here(1);
            self.grant(span, || match plan.flexible {
                true => format!("{} ends with a byte 00 too many", plan.name),
                false => format!(
                    "{} ends with a tagged-fields byte, which this version does not have",
                    plan.name
                ),
            });
            self.cursor.take(1).ok()?;
        }
        let flexible = if self.deviates(Deviation::FlexibleEncoding) && !plan.flexible {
            let span = self.here(0);
            self.grant(span, || {
                "the body is written as if this version were flexible: compact lengths and \
                 tagged-fields bytes"
                    .to_owned()
            });
            true
        } else {
            plan.flexible
        };
        if !flexible {
            return Some(());
        }
        let missing = [
            (
                Deviation::TagsMissing,
                "the tagged-fields byte (00) that ends",
            ),
            (
                Deviation::NoTags,
                "no struct has the tagged-fields byte (00) that ends",
            ),
            (
                Deviation::OldEncoding,
                "the body is written as if this version were not flexible, from",
            ),
        ];
        if let Some((deviation, text)) = missing
            .into_iter()
            .find(|(deviation, _)| self.deviates(*deviation))
        {
            let span = self.here(0);
            self.grant(span, || match deviation {
                Deviation::TagsMissing => format!("{text} {} is missing", plan.name),
                _ => format!("{text} {} on", plan.name),
            });
            return Some(());
        }
        for _ in 0..self.cursor.uvarint().ok()? {
            self.cursor.uvarint().ok()?;
            let size = self.cursor.uvarint().ok()?;
            self.cursor.take(size as usize).ok()?;
        }
        Some(())
    }

    fn field(&mut self, plan: &FieldPlan, node: &Node, owner: &str) -> Option<()> {
        self.met += 1;
        if self.deviates(Deviation::FieldMissing) {
            let span = self.here(0);
            self.grant(span, || format!("{} of {owner} is missing", node.name));
            return Some(());
        }
        let fixed = match &plan.ty {
            TypePlan::Bool => {
                // A byte that is no bool speaks against a reading that was made to fit.
                return (self.cursor.u8().ok()? <= 1).then_some(());
            }
            TypePlan::Int8 => 1,
            TypePlan::Int16 | TypePlan::Uint16 => 2,
            TypePlan::Int32 | TypePlan::Uint32 => 4,
            TypePlan::Int64 | TypePlan::Float64 => 8,
            TypePlan::Uuid => 16,
            TypePlan::String => {
                let length = self.length(plan, node, 2)?;
                let text = self.cursor.take(length).ok()?;
                let text = std::str::from_utf8(text).ok()?;
                return (!text.contains(|c: char| c.is_control())).then_some(());
            }
            TypePlan::Bytes | TypePlan::Records => self.length(plan, node, 4)?,
            TypePlan::Struct(structure) => {
                if plan.nullable {
                    if self.deviates(Deviation::PresenceMissing) {
                        let span = self.here(0);
                        self.grant(span, || {
                            format!("the presence byte (01) of {} is missing", node.name)
                        });
                    } else {
                        match self.cursor.i8().ok()? {
                            -1 => return Some(()),
                            1 => {}
                            _ => return None,
                        }
                    }
                }
                return self.structure(structure);
            }
            TypePlan::Array(element) => {
                let count = self.length(plan, node, 4)?;
                if count > self.cursor.left() || (element.takes_nothing() && count > 0) {
                    return None;
                }
                for _ in 0..count {
                    self.field(element, node, owner)?;
                }
                return Some(());
            }
        };
        self.cursor.take(fixed).ok().map(|_| ())
    }

    /// Reads a length that is `wide` bytes long when it is not compact, as the deviation has it.
    fn length(&mut self, plan: &FieldPlan, node: &Node, wide: usize) -> Option<usize> {
        let at = self.cursor.at();
        let what = match plan.ty {
            TypePlan::Array(_) => "count",
            _ => "length",
        };
        let fixed_here = plan.compact
            && (self.deviates(Deviation::FixedLength)
                || self.deviates(Deviation::OldEncoding)
                || (self.deviates(Deviation::Int32Arrays)
                    && matches!(plan.ty, TypePlan::Array(_))));
        let compact_here = !plan.compact
            && plan.field.flexible.is_none()
            && (self.deviates(Deviation::CompactLength)
                || self.deviates(Deviation::FlexibleEncoding));
        let compact = (plan.compact || compact_here) && !fixed_here;
        let wide_here = !compact && wide == 2 && self.deviates(Deviation::WideLength);
        let stored = match (compact, if wide_here { 4 } else { wide }) {
            (true, _) => i64::from(self.cursor.uvarint().ok()?),
            (false, 2) => i64::from(self.cursor.i16().ok()?),
            (false, _) => i64::from(self.cursor.i32().ok()?),
        };
        let one_off = (compact
            && (self.deviates(Deviation::LengthNotPlusOne) || self.deviates(Deviation::NoPlusOne)))
            || (!compact && self.deviates(Deviation::LengthPlusOne));
        let plus_one = compact != one_off;
        let length = if plus_one { stored - 1 } else { stored };
        let span = self.cursor.since(at);
        if fixed_here || compact_here || wide_here || one_off {
            let name = node.name;
            let bits = 8 * span.len;
            self.grant(span, || {
                if fixed_here {
                    format!("the {what} of {name} is an int{bits} ({stored}) where this version has an unsigned varint of n+1 ({})", stored + 1)
                } else if compact_here {
                    format!("the {what} of {name} is an unsigned varint where this version has an int{}", 8 * wide)
                } else if wide_here {
                    format!("the {what} of {name} is an int32 where an int16 is expected")
                } else if compact {
                    format!("the {what} of {name} is written as {stored}, but compact lengths are n+1, so it should be {}", stored + 1)
                } else {
                    format!("the {what} of {name} is {stored}, one too many: only compact lengths are n+1")
                }
            });
        }
        if self.deviates(Deviation::LengthTooSmall)
            && !matches!(plan.ty, TypePlan::Array(_))
            && let Ok(length) = usize::try_from(length)
        {
            let right = length + self.surplus;
            self.grant(span, || {
                format!(
                    "the length of {} says {}, but {} make everything fit",
                    node.name,
                    n_bytes(length as u64),
                    n_bytes(right as u64)
                )
            });
            return Some(right);
        }
        match usize::try_from(length) {
            Ok(length) => Some(length),
            Err(_) if length == -1 && plan.nullable => Some(0),
            Err(_) => None,
        }
    }
}

/// The ways to read the header in front of a body of `plan`, the right one first.
pub(super) fn header_readings(
    catalogue: &Catalogue,
    direction: Direction,
    plan: &Plan,
    bytes: &[u8],
    start: usize,
) -> Vec<HeaderReading> {
    let Some(definition) = plan.api().and_then(|api| catalogue.api(api, direction)) else {
        return Vec::new();
    };
    let mut readings = Vec::new();
    let mut push = |body: Option<usize>, at: usize, len: usize, cost: u32, message: &str| {
        if let Some(body) = body.filter(|&body| body <= bytes.len()) {
            readings.push(HeaderReading {
                body,
                span: Span {
                    buffer: BufferId::FRAME,
                    at,
                    len,
                },
                message: message.to_owned(),
                cost,
            });
        }
    };
    let tags = |at: usize| (bytes.get(at) == Some(&0)).then_some(at + 1);
    let version = match direction {
        Direction::Request => request_header_version(definition, plan.version),
        Direction::Response => response_header_version(definition, plan.version),
    };
    if direction == Direction::Response {
        let end = start + 4;
        if version == 0 {
            push(Some(end), start, 4, 0, "");
            push(
                tags(end),
                end,
                1,
                2,
                "the response header has a tagged-fields byte, but header version 0 has none here",
            );
        } else {
            push(tags(end), start, 5, 0, "");
            push(
                Some(end),
                end,
                0,
                2,
                "the response header lacks its tagged-fields byte (00) behind the correlation id",
            );
        }
        return readings;
    }
    let at = start + 8;
    if version == 0 {
        push(Some(at), start, 8, 0, "");
        return readings;
    }
    let plain = client_id_end(bytes, at);
    let compact = compact_client_id_end(bytes, at);
    if version == 1 {
        push(plain, start, at - start, 0, "");
        if let Some(plain) = plain {
            push(
                tags(plain),
                plain,
                1,
                2,
                "the request header ends with a tagged-fields byte, which header version 1 does not have",
            );
        }
    } else {
        push(plain.and_then(tags), start, at - start, 0, "");
        if let Some(plain) = plain {
            push(
                Some(plain),
                plain,
                0,
                2,
                "the request header lacks the tagged-fields byte (00) that header version 2 has behind client_id",
            );
        }
        push(
            compact.and_then(tags),
            at,
            1,
            3,
            "client_id has a compact length, but in every header version it keeps its int16",
        );
    }
    push(
        short_client_id_end(bytes, at).and_then(|end| match version {
            1 => Some(end),
            _ => tags(end),
        }),
        at,
        1,
        4,
        "client_id has a length of one byte, in every header version it is an int16",
    );
    push(
        compact,
        at,
        1,
        if version == 1 { 3 } else { 5 },
        "client_id has a compact length, but in every header version it keeps its int16",
    );
    readings
}

fn client_id_end(bytes: &[u8], at: usize) -> Option<usize> {
    let length = bytes
        .get(at..)?
        .first_chunk()
        .copied()
        .map(i16::from_be_bytes)?;
    let end = match usize::try_from(length) {
        Ok(length) => at + 2 + length,
        Err(_) if length == -1 => at + 2,
        Err(_) => return None,
    };
    is_text(bytes, at + 2, end).then_some(end)
}

fn compact_client_id_end(bytes: &[u8], at: usize) -> Option<usize> {
    let mut cursor = Cursor::new(bytes.get(at..)?, BufferId::FRAME);
    let length = usize::try_from(cursor.uvarint().ok()?)
        .ok()?
        .checked_sub(1)?;
    let from = at + cursor.at();
    // A compact empty name is any 01, which says nothing.
    (length > 0 && is_text(bytes, from, from + length)).then_some(from + length)
}

fn short_client_id_end(bytes: &[u8], at: usize) -> Option<usize> {
    let length = usize::from(*bytes.get(at)?);
    let end = at + 1 + length;
    (length > 0 && is_text(bytes, at + 1, end)).then_some(end)
}

fn is_text(bytes: &[u8], from: usize, end: usize) -> bool {
    bytes
        .get(from..end)
        .and_then(|text| std::str::from_utf8(text).ok())
        .is_some_and(|text| !text.contains(|c: char| c.is_control()))
}
