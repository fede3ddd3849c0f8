//! Compressed content: the bytes as they are, and beside them what comes out, in its own buffer.

use std::sync::Arc;

use super::{
    decompress::{Codec, decompress},
    limits,
    record::Opaque,
    set::{Set, Source},
};
use crate::{
    event::{
        Code, Meaning, Node, Place, Prefix, Role, Section, Severity, Shape, Sink, Stop, Value,
        Walker,
    },
    wire::{Cursor, Span},
};

/// What is known of compressed content before it is read.
pub(super) struct Packed {
    /// Name of the field.
    pub name: &'static str,
    /// The compound that the content starts with, in the new buffer.
    pub inner: Node,
    /// The length in front of it, if it has one.
    pub prefix: Option<(i32, Span)>,
    pub codec: Codec,
    /// Format version of the batch or message.
    pub magic: i8,
}

/// Decompresses all of the window, which lies in no record, and runs `read` on what comes out,
/// inside `inner`. A sink that skips what is around it causes no decompression.
pub fn compressed<S: Sink>(
    walker: &mut Walker<'_, S>,
    codec: Codec,
    inner: Node,
    cursor: &mut Cursor<'_>,
    read: impl FnOnce(&mut Walker<'_, S>, &mut Cursor<'_>) -> Result<(), Stop>,
) {
    let set = Set {
        source: Source::Log,
        interpreter: &Opaque,
        before: cursor.end(),
        depth: 0,
    };
    let packed = Packed {
        name: "content",
        inner,
        prefix: None,
        codec,
        magic: 2,
    };
    set.compressed(walker, packed, cursor, |walker, cursor, _| {
        read(walker, cursor)
    });
}

/// What comes out of compressed bytes, to at most `limit` bytes, for a look at it.
pub fn decompressed(codec: Codec, bytes: &[u8], limit: usize) -> Vec<u8> {
    decompress(codec, 2, bytes, limit).bytes
}

impl<S: Sink> Set<'_, S> {
    /// Decompresses all of the window and runs `read` on the content, inside the inner compound,
    /// with whether it is all that was packed. A sink that skips the field causes no decompression.
    pub(super) fn compressed(
        &self,
        walker: &mut Walker<'_, S>,
        packed: Packed,
        cursor: &mut Cursor<'_>,
        read: impl FnOnce(&mut Walker<'_, S>, &mut Cursor<'_>, bool) -> Result<(), Stop>,
    ) {
        let node = Node {
            name: packed.name,
            index: None,
            shape: Shape::Content {
                ty: packed.codec.name(),
                len: cursor.left(),
            },
            role: Role::Compressed,
            section: Section::Record,
            meaning: Meaning::Plain,
            about: "",
        };
        let from = packed.prefix.map_or(cursor.at(), |(_, span)| span.at);
        let _ = walker.compound_from(&node, from, cursor, |walker, cursor| {
            if let Some((length, span)) = packed.prefix {
                let value = Value::Int32(length);
                let role = Role::Size {
                    bytes: length.unsigned_abs(),
                };
                walker.encoding("length", "int32", role, node.section, value, span);
            }
            let (bytes, at) = (cursor.rest(), cursor.at());
            cursor.finish();
            if walker.is_quiet() {
                return Ok(());
            }
            let source = cursor.since(at);
            let leaf = Node {
                name: "compressed",
                shape: Shape::Leaf { ty: "bytes" },
                role: Role::Encoding,
                about: "the bytes as they are on the wire",
                ..node
            };
            walker.value(&leaf, Value::Bytes(bytes, Prefix::None), source);
            self.unpack(walker, &packed, bytes, source, read)
        });
    }

    fn unpack(
        &self,
        walker: &mut Walker<'_, S>,
        packed: &Packed,
        bytes: &[u8],
        source: Span,
        read: impl FnOnce(&mut Walker<'_, S>, &mut Cursor<'_>, bool) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        if self.depth >= limits::NESTING {
            let message = format!(
                "not decompressed: {} compressed sets are around it already",
                self.depth
            );
            walker.problem(Severity::Warning, Code::Bound, Place::Here, source, message);
            return Ok(());
        }
        let most = limits::UNPACKED + limits::UNPACKED_PER_BYTE * self.before;
        let limit = most.saturating_sub(walker.spent().bytes);
        let unpacked = decompress(packed.codec, packed.magic, bytes, limit);
        let is_whole = !unpacked.is_partial();
        let mut is_broken = false;
        for remark in unpacked.remarks {
            is_broken |= remark.severity != Severity::Note;
            let at = source.at + remark.range.start;
            let span = Span::new(source.buffer, at, source.at + remark.range.end);
            walker.problem(
                remark.severity,
                remark.code,
                Place::Here,
                span,
                remark.message,
            );
        }
        if is_broken && unpacked.bytes.is_empty() {
            return Ok(());
        }
        let content = Arc::new(unpacked.bytes);
        let Some(buffer) = walker.open_buffer(source, &content) else {
            let message = "not shown: this message has too many compressed batches".to_owned();
            walker.problem(Severity::Warning, Code::Bound, Place::Here, source, message);
            return Ok(());
        };
        let mut inside = Cursor::new(&content, buffer);
        let mut inner = packed.inner;
        if let Shape::Content { len, .. } = &mut inner.shape {
            *len = content.len();
        }
        walker.compound(&inner, &mut inside, |walker, inside| {
            read(walker, inside, is_whole)
        })
    }
}
