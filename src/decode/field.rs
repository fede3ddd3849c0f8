//! One field, by the type that its plan says.

use uuid::Uuid;

use super::{limits, tagged};
use crate::{
    event::{
        Code, Node, Place, Prefix, Role, Severity, Shape, Sink, Stop, Value, Walker, bytes_are,
        n_are, n_bytes,
    },
    payload::{number_tells, text_tells, topic, uuid_tells},
    schema::{FieldPlan, StructPlan, TypePlan},
    wire::{Cursor, Fault, Span},
};

impl<S: Sink> Walker<'_, S> {
    /// The fields of a struct and the tagged fields that end it.
    pub(super) fn structure(
        &mut self,
        plan: &StructPlan,
        cursor: &mut Cursor<'_>,
    ) -> Result<(), Stop> {
        if self.is_quiet() {
            // Nobody listens: find the end, and go field by field only to say what is wrong.
            let mut ahead = *cursor;
            if plan.measure(&mut ahead).is_some() {
                *cursor = ahead;
                return Ok(());
            }
        }
        for field in &plan.fields {
            self.field(field, &field.node, cursor)?;
        }
        if plan.flexible {
            self.tagged_fields(&plan.tagged, &tagged::IN_STRUCT, cursor)?;
        }
        Ok(())
    }

    /// One field; `node` is the plan's, or that with an index for an element.
    // Most of what there is are numbers in structs and arrays, which are read in the loops that go
    // through these, without a call for each.
    #[inline(always)]
    pub(super) fn field(
        &mut self,
        plan: &FieldPlan,
        node: &Node,
        cursor: &mut Cursor<'_>,
    ) -> Result<(), Stop> {
        match &plan.ty {
            TypePlan::Bool => self.boolean(node, cursor),
            TypePlan::Int8 => self.int8(plan, node, cursor),
            TypePlan::Int16 => self.leaf(node, cursor, Cursor::i16, Value::Int16),
            TypePlan::Uint16 => self.leaf(node, cursor, Cursor::u16, Value::Uint16),
            TypePlan::Int32 => self.leaf(node, cursor, Cursor::i32, Value::Int32),
            TypePlan::Uint32 => self.leaf(node, cursor, Cursor::u32, Value::Uint32),
            TypePlan::Int64 => self.leaf(node, cursor, Cursor::i64, Value::Int64),
            TypePlan::Float64 => self.leaf(node, cursor, Cursor::f64, Value::Float64),
            TypePlan::Uuid => self.uuid(plan, node, cursor),
            TypePlan::String => self.string(plan, node, cursor),
            TypePlan::Bytes => self.bytes(plan, node, cursor),
            TypePlan::Records => self.records(plan, node, cursor),
            TypePlan::Struct(structure) => self.struct_field(plan, structure, node, cursor),
            TypePlan::Array(element) => self.array(plan, element, node, cursor),
        }
    }

    fn int8(&mut self, plan: &FieldPlan, node: &Node, cursor: &mut Cursor<'_>) -> Result<(), Stop> {
        if let (Some(tells), Some(&number)) = (plan.tells, cursor.rest().first()) {
            number_tells(tells, number.cast_signed(), self.context_mut());
        }
        self.leaf(node, cursor, Cursor::i8, Value::Int8)
    }

    fn uuid(&mut self, plan: &FieldPlan, node: &Node, cursor: &mut Cursor<'_>) -> Result<(), Stop> {
        if let (Some(tells), Some(&bytes)) = (plan.tells, cursor.rest().first_chunk()) {
            let id = Uuid::from_bytes(bytes);
            let name = self.topic_name(id).map(|name| topic(name.as_bytes()));
            uuid_tells(tells, id, name, self.context_mut());
        }
        self.leaf(node, cursor, Cursor::array, |bytes| {
            Value::Uuid(Uuid::from_bytes(bytes))
        })
    }

    #[inline(always)]
    fn leaf<'a, T>(
        &mut self,
        node: &Node,
        cursor: &mut Cursor<'a>,
        read: impl FnOnce(&mut Cursor<'a>) -> Result<T, Fault>,
        value: impl FnOnce(T) -> Value<'a>,
    ) -> Result<(), Stop> {
        let from = cursor.at();
        match read(cursor) {
            Ok(read) => {
                self.value(node, value(read), cursor.since(from));
                Ok(())
            }
            Err(fault) => Err(self.fault(fault, node, type_name(node), cursor)),
        }
    }

    fn boolean(&mut self, node: &Node, cursor: &mut Cursor<'_>) -> Result<(), Stop> {
        let from = cursor.at();
        let byte = cursor
            .u8()
            .map_err(|fault| self.fault(fault, node, "bool", cursor))?;
        let span = cursor.since(from);
        if byte > 1 {
            let message = format!("bool is 0x{byte:02x}, which counts as true; 0 or 1 is expected");
            self.problem(Severity::Warning, Code::InvalidByte, node, span, message);
        }
        self.value(node, Value::Bool(byte != 0), span);
        Ok(())
    }

    fn string(
        &mut self,
        plan: &FieldPlan,
        node: &Node,
        cursor: &mut Cursor<'_>,
    ) -> Result<(), Stop> {
        let from = cursor.at();
        let prefix = if plan.compact {
            Prefix::Compact
        } else {
            Prefix::Int16
        };
        let Some(length) = self.length(plan, node, prefix, cursor)? else {
            if let Some(tells) = plan.tells {
                text_tells(tells, None, self.context_mut());
            }
            self.value(node, Value::Null(prefix), cursor.since(from));
            return Ok(());
        };
        let text = self.content(node, from, length, cursor)?.rest();
        if let Some(tells) = plan.tells {
            text_tells(tells, Some(text), self.context_mut());
        }
        let span = cursor.since(from);
        if let Err(error) = std::str::from_utf8(text) {
            let at = span.end() - text.len() + error.valid_up_to();
            self.problem(
                Severity::Warning,
                Code::InvalidUtf8,
                node,
                Span::new(span.buffer, at, span.end()),
                format!("string is not UTF-8 from byte {}", error.valid_up_to()),
            );
        }
        self.value(node, Value::String(text, prefix), span);
        Ok(())
    }

    fn bytes(
        &mut self,
        plan: &FieldPlan,
        node: &Node,
        cursor: &mut Cursor<'_>,
    ) -> Result<(), Stop> {
        let from = cursor.at();
        let prefix = int32_or_compact(plan);
        let Some(length) = self.length(plan, node, prefix, cursor)? else {
            self.value(node, Value::Null(prefix), cursor.since(from));
            return Ok(());
        };
        let length_span = cursor.since(from);
        let content = self.content(node, from, length, cursor)?;
        self.bytes_value(plan, node, length_span, content);
        Ok(())
    }

    fn struct_field(
        &mut self,
        plan: &FieldPlan,
        structure: &StructPlan,
        node: &Node,
        cursor: &mut Cursor<'_>,
    ) -> Result<(), Stop> {
        let from = cursor.at();
        if !plan.nullable {
            return self.compound(node, cursor, |walker, cursor| {
                walker.structure(structure, cursor)
            });
        }
        let presence = cursor
            .i8()
            .map_err(|fault| self.fault(fault, node, "presence byte", cursor))?;
        let span = cursor.since(from);
        let present = presence >= 0;
        if presence != 1 && presence != -1 {
            let message = format!("presence byte is {presence}; 1 or -1 is expected");
            self.problem(Severity::Warning, Code::InvalidByte, node, span, message);
        }
        let shape = Shape::Struct {
            ty: structure.name,
            present,
        };
        self.compound_from(&Node { shape, ..*node }, from, cursor, |walker, cursor| {
            let value = Value::Int8(presence);
            walker.encoding("present", "int8", Role::Encoding, node.section, value, span);
            if present {
                walker.structure(structure, cursor)
            } else {
                Ok(())
            }
        })
    }

    fn array(
        &mut self,
        plan: &FieldPlan,
        element: &FieldPlan,
        node: &Node,
        cursor: &mut Cursor<'_>,
    ) -> Result<(), Stop> {
        let from = cursor.at();
        let prefix = int32_or_compact(plan);
        let length = self.length(plan, node, prefix, cursor)?;
        let count = length.map(|length| u32::try_from(length).unwrap_or(u32::MAX));
        let shape = Shape::Array {
            of: element.node.name,
            len: count,
        };
        let node = Node { shape, ..*node };
        self.compound_from(&node, from, cursor, |walker, cursor| {
            let span = cursor.since(from);
            let stored = count.unwrap_or_default();
            // The number as stored: one more than the count when compact, so that null is 0.
            let (ty, value) = match (prefix, count) {
                (Prefix::Compact, count) => (
                    "uvarint",
                    Value::Uvarint(count.map_or(0, |count| count.wrapping_add(1))),
                ),
                (_, None) => ("int32", Value::Int32(-1)),
                (_, Some(count)) => ("int32", Value::Int32(count.cast_signed())),
            };
            let role = Role::Length { count: stored };
            walker.encoding("length", ty, role, node.section, value, span);
            walker.elements(element, from, stored, cursor)
        })
    }

    /// The elements of an array, whose length is in front of the cursor, starting at `from`.
    fn elements(
        &mut self,
        element: &FieldPlan,
        from: usize,
        count: u32,
        cursor: &mut Cursor<'_>,
    ) -> Result<(), Stop> {
        let mut last = count;
        if element.takes_nothing() {
            if count > limits::EMPTY_ELEMENTS {
                last = limits::EMPTY_ELEMENTS;
                let message = format!("{count} elements without content, {last} of them shown");
                let length = cursor.since(from);
                self.problem(Severity::Note, Code::Bound, Place::Here, length, message);
            }
        } else if count as usize > cursor.left() && !self.is_cut() {
            let message = format!(
                "array claims {count} elements, {} left for them",
                bytes_are(cursor.left())
            );
            let length = cursor.since(from);
            return Err(self.error(Code::ImpossibleCount, Place::Here, length, message));
        }
        let mut node = element.node;
        for index in 0..last {
            node.index = Some(index);
            self.field(element, &node, cursor)?;
        }
        Ok(())
    }

    /// Reads a length; `None` is null. The cursor stays where it is when that cannot be.
    #[inline]
    pub(super) fn length(
        &mut self,
        plan: &FieldPlan,
        node: &Node,
        prefix: Prefix,
        cursor: &mut Cursor<'_>,
    ) -> Result<Option<usize>, Stop> {
        let from = cursor.at();
        let read = match prefix {
            Prefix::Compact => cursor.uvarint().map(|length| i64::from(length) - 1),
            Prefix::Int16 => cursor.i16().map(i64::from),
            _ => cursor.i32().map(i64::from),
        };
        match read {
            Ok(length @ 0..) => Ok(Some(length as usize)),
            Ok(-1) if plan.nullable => Ok(None),
            read => self.odd_length(plan, node, prefix, read, from, cursor),
        }
    }

    /// Says what is wrong with a length that was read, or not, from `from`.
    #[cold]
    fn odd_length(
        &mut self,
        plan: &FieldPlan,
        node: &Node,
        prefix: Prefix,
        read: Result<i64, Fault>,
        from: usize,
        cursor: &mut Cursor<'_>,
    ) -> Result<Option<usize>, Stop> {
        let length = read.map_err(|fault| {
            let ty = match prefix {
                Prefix::Compact => "compact length",
                Prefix::Int16 => "int16 length",
                _ => "int32 length",
            };
            self.fault(fault, node, ty, cursor)
        })?;
        let span = cursor.since(from);
        let kind = kind_name(plan);
        if length < -1 {
            cursor.back(from);
            let message = format!("{kind} length is {length}, below -1");
            return Err(self.error(Code::NegativeLength, node, span, message));
        }
        let message = format!("{kind} is null, which this version does not allow");
        self.problem(Severity::Error, Code::UnexpectedNull, node, span, message);
        Ok(None)
    }

    /// Takes `length` bytes that the length at `from` claims. The cursor moves back in front of
    /// that when they are not all there, so that no byte goes unreported.
    #[inline]
    pub(super) fn content<'a>(
        &mut self,
        node: &Node,
        from: usize,
        length: usize,
        cursor: &mut Cursor<'a>,
    ) -> Result<Cursor<'a>, Stop> {
        cursor
            .window(length)
            .map_err(|_| self.short(node, from, length, cursor))
    }

    #[cold]
    fn short(&mut self, node: &Node, from: usize, length: usize, cursor: &mut Cursor<'_>) -> Stop {
        let message = format!(
            "{} claims {}, {} left",
            type_name(node),
            n_bytes(length as u64),
            n_are(cursor.left())
        );
        cursor.back(from);
        let span = Span::new(cursor.buffer(), from, cursor.end());
        self.error(Code::Short, node, span, message)
    }
}

pub(super) fn int32_or_compact(plan: &FieldPlan) -> Prefix {
    if plan.compact {
        Prefix::Compact
    } else {
        Prefix::Int32
    }
}

fn kind_name(plan: &FieldPlan) -> &'static str {
    match plan.ty {
        TypePlan::Array(_) => "array",
        TypePlan::Records => "records",
        TypePlan::Bytes => "bytes",
        _ => "string",
    }
}

fn type_name(node: &Node) -> &'static str {
    match node.shape {
        Shape::Leaf { ty } => ty,
        _ => "value",
    }
}
