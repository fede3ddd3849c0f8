//! What stands in front of every body: the size, and the request or response header.

use super::{Decoded, tagged};
use crate::{
    event::{
        Code, Meaning, Node, Place, Prefix, Role, Section, Shape, Sink, Stop, Value, Walker, n_are,
        n_bytes,
    },
    wire::{Cursor, Span},
};

/// Of the one request that has header version 0.
const NO_CLIENT_ID: &str = "common request header, without client_id in ControlledShutdown 0 alone";

/// Of the one response with a flexible body whose header is not.
const NOT_FLEXIBLE: &str =
    "common response header, not flexible so that any client can read it (KIP-511)";

impl<S: Sink> Walker<'_, S> {
    pub(super) fn frame(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Stop> {
        let node = Node {
            name: "Frame",
            index: None,
            shape: Shape::Frame,
            role: Role::Plain,
            meaning: Meaning::Plain,
            section: Section::Frame,
            about: "length-delimited framing",
        };
        self.compound(&node, cursor, |walker, cursor| {
            let from = cursor.at();
            let size = walker.int32(
                "size",
                Role::FrameSize,
                Section::Frame,
                "number of bytes that follow, patched after encoding",
                cursor,
            )?;
            if i64::from(size) != cursor.left() as i64 {
                let follow = cursor.left();
                let message = match i64::from(size) - follow as i64 {
                    missing if missing > 0 => format!(
                        "size is {size}, but only {} follow it: {} missing",
                        n_bytes(follow as u64),
                        n_are(missing as usize)
                    ),
                    _ => format!("size is {size}, but {} follow it", n_bytes(follow as u64)),
                };
                let span = cursor.since(from);
                let _ = walker.error(Code::FrameSize, Place::Field("size"), span, message);
            }
            Ok(())
        })
    }

    pub(super) fn request_header(
        &mut self,
        cursor: &mut Cursor<'_>,
        decoded: &mut Decoded,
    ) -> Result<(), Stop> {
        let section = Section::Header;
        let node = header(
            "RequestHeader",
            decoded.header_version,
            match decoded.header_version {
                0 => NO_CLIENT_ID,
                _ => "common request header",
            },
        );
        self.compound(&node, cursor, |walker, cursor| {
            walker.int16(
                "request_api_key",
                Role::ApiKey,
                "numeric id of the API being invoked",
                cursor,
            )?;
            walker.int16(
                "request_api_version",
                Role::Plain,
                "version of the API being invoked",
                cursor,
            )?;
            decoded.correlation_id = Some(walker.int32(
                "correlation_id",
                Role::Plain,
                section,
                "echoed back by the broker in the response",
                cursor,
            )?);
            if decoded.header_version >= 1 {
                decoded.client_id = walker.client_id(cursor)?;
            }
            // Whether an unknown version has header version 2 is a guess: bytes that refute it win.
            if decoded.header_version >= 2 && decoded.plan.is_none() {
                let is_tagged = cursor.rest().first() == Some(&0);
                if !is_tagged {
                    decoded.header_version = 1;
                }
            }
            if decoded.header_version >= 2 {
                walker.tagged_fields(&[], &tagged::IN_HEADER, cursor)?;
            }
            Ok(())
        })
    }

    pub(super) fn response_header(
        &mut self,
        cursor: &mut Cursor<'_>,
        decoded: &mut Decoded,
    ) -> Result<(), Stop> {
        let section = Section::Header;
        let node = header(
            "ResponseHeader",
            decoded.header_version,
            match (decoded.header_version, decoded.plan) {
                (0, Some(plan)) if plan.body.flexible => NOT_FLEXIBLE,
                _ => "common response header",
            },
        );
        self.compound(&node, cursor, |walker, cursor| {
            decoded.correlation_id = Some(walker.int32(
                "correlation_id",
                Role::Plain,
                section,
                "matches the correlation_id of the request",
                cursor,
            )?);
            if decoded.header_version >= 1 {
                walker.tagged_fields(&[], &tagged::IN_HEADER, cursor)?;
            }
            Ok(())
        })
    }

    fn client_id(&mut self, cursor: &mut Cursor<'_>) -> Result<Option<String>, Stop> {
        let node = leaf(
            "client_id",
            "nullable_string",
            Role::Plain,
            Section::Header,
            "always a non-flexible int16-prefixed string",
        );
        let from = cursor.at();
        let mut ahead = *cursor;
        let length = ahead
            .i16()
            .map_err(|fault| self.fault(fault, &node, "int16 length", cursor))?;
        if length == -1 {
            *cursor = ahead;
            self.value(&node, Value::Null(Prefix::Int16), cursor.since(from));
            return Ok(None);
        }
        let Ok(length) = usize::try_from(length) else {
            let message = format!("nullable_string length is {length}, below -1");
            let span = ahead.since(from);
            return Err(self.error(Code::NegativeLength, &node, span, message));
        };
        let Ok(text) = ahead.take(length) else {
            let message = format!(
                "nullable_string claims {}, {} left",
                n_bytes(length as u64),
                n_are(ahead.left())
            );
            let span = Span::new(cursor.buffer(), from, cursor.end());
            return Err(self.error(Code::Short, &node, span, message));
        };
        *cursor = ahead;
        self.value(
            &node,
            Value::String(text, Prefix::Int16),
            cursor.since(from),
        );
        Ok(Some(String::from_utf8_lossy(text).into_owned()))
    }

    fn int16(
        &mut self,
        name: &'static str,
        role: Role,
        about: &'static str,
        cursor: &mut Cursor<'_>,
    ) -> Result<i16, Stop> {
        let from = cursor.at();
        let value = cursor
            .i16()
            .map_err(|fault| self.fault(fault, Place::Field(name), "int16", cursor))?;
        let node = leaf(name, "int16", role, Section::Header, about);
        self.value(&node, Value::Int16(value), cursor.since(from));
        Ok(value)
    }

    fn int32(
        &mut self,
        name: &'static str,
        role: Role,
        section: Section,
        about: &'static str,
        cursor: &mut Cursor<'_>,
    ) -> Result<i32, Stop> {
        let from = cursor.at();
        let value = cursor
            .i32()
            .map_err(|fault| self.fault(fault, Place::Field(name), "int32", cursor))?;
        let node = leaf(name, "int32", role, section, about);
        self.value(&node, Value::Int32(value), cursor.since(from));
        Ok(value)
    }
}

fn header(name: &'static str, version: i16, about: &'static str) -> Node {
    Node {
        name,
        index: None,
        shape: Shape::Header { version },
        role: Role::Plain,
        meaning: Meaning::Plain,
        section: Section::Header,
        about,
    }
}

fn leaf(
    name: &'static str,
    ty: &'static str,
    role: Role,
    section: Section,
    about: &'static str,
) -> Node {
    Node {
        name,
        index: None,
        shape: Shape::Leaf { ty },
        role,
        meaning: Meaning::Plain,
        section,
        about,
    }
}
