//! Types that say how long they are: with a number of fixed size, or in flexible versions compactly.

use std::fmt::{self, Write};

use super::{close_table, open_table, paragraph};
use crate::{
    encode::Writer,
    event::Section,
    render::Markup,
    site::{hex::hex, map::SiteMap},
};

/// What is in a value of such a type.
enum Content {
    Null,
    /// How many of what is counted, and their bytes.
    Counted(usize, Vec<u8>),
}

struct Row {
    ty: &'static str,
    value: &'static str,
    /// Bytes of the length where it is not compact.
    width: usize,
    content: Content,
}

pub(super) fn section(out: &mut String, _: &SiteMap) -> fmt::Result {
    paragraph(
        out,
        "Strings are UTF-8 and count bytes, arrays count elements. Before a message is flexible, the \
         length is an int16 for strings and an int32 for everything else, and -1 is null. In flexible \
         versions it is compact: an unsigned varint of the length plus one, so that 0 is null and 1 is \
         empty. Null is legal only where the definition says so.",
    )?;
    open_table(out, "Lengths", &["Type", "A value", "Classic", "Compact"])?;
    for row in rows() {
        let (classic, compact, content) = lengths(&row);
        write!(
            out,
            "<tr><th scope=\"row\"><code>{}</code></th><td class=\"mono\">{}</td><td>",
            row.ty,
            Markup(row.value)
        )?;
        for (idx, length) in [classic, compact].iter().enumerate() {
            if idx > 0 {
                write!(out, "</td><td>")?;
            }
            hex(
                out,
                &[(Section::Frame, length), (Section::Request, content)],
            )?;
        }
        writeln!(out, "</td></tr>")?;
    }
    close_table(out)?;
    paragraph(
        out,
        "Records are written like bytes. A struct is its fields, and has no length; one that can be null \
         starts with an int8, 1 if it is there and -1 if it is not, in flexible versions and in others. \
         The client id in request headers stays classic in all versions, so that every broker can \
         read it.",
    )
}

fn rows() -> Vec<Row> {
    let row = |ty, value, width, content| Row {
        ty,
        value,
        width,
        content,
    };
    let numbers = [1i32, 2].map(i32::to_be_bytes).concat();
    let text = b"orders".to_vec();
    vec![
        row(
            "string",
            "\"orders\"",
            2,
            Content::Counted(text.len(), text),
        ),
        row("string", "\"\"", 2, Content::Counted(0, Vec::new())),
        row("string", "null", 2, Content::Null),
        row("bytes", "ca fe", 4, Content::Counted(2, vec![0xca, 0xfe])),
        row("bytes", "null", 4, Content::Null),
        row("[]int32", "[1, 2]", 4, Content::Counted(2, numbers)),
        row("[]int32", "[]", 4, Content::Counted(0, Vec::new())),
        row("[]int32", "null", 4, Content::Null),
    ]
}

/// The length of a value in both ways, and its content.
fn lengths(row: &Row) -> (Vec<u8>, Vec<u8>, &[u8]) {
    let (count, content): (Option<usize>, &[u8]) = match &row.content {
        Content::Null => (None, &[]),
        Content::Counted(count, bytes) => (Some(*count), bytes),
    };
    let mut classic = Writer::default();
    let number = count
        .and_then(|count| i16::try_from(count).ok())
        .unwrap_or(-1);
    match row.width {
        2 => classic.i16(number),
        _ => classic.i32(i32::from(number)),
    }
    let mut compact = Writer::default();
    compact.uvarint(count.map_or(0, |count| count as u64 + 1));
    (classic.into_bytes(), compact.into_bytes(), content)
}
