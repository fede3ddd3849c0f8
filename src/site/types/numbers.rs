//! Types whose values all take the same number of bytes.

use std::fmt::{self, Write};

use uuid::Uuid;

use super::{close_table, open_table};
use crate::{
    event::Section,
    explain::base64,
    render::Markup,
    site::{hex::hex, map::SiteMap},
};

struct Row {
    name: &'static str,
    about: &'static str,
    value: String,
    bytes: Vec<u8>,
}

pub(super) fn section(out: &mut String, _: &SiteMap) -> fmt::Result {
    open_table(
        out,
        "Types of fixed size",
        &["Type", "Bytes", "What it holds", "A value", "Written as"],
    )?;
    for row in rows() {
        write!(
            out,
            "<tr id=\"{0}\"><th scope=\"row\"><code>{0}</code></th><td>{1}</td><td class=\"wide\">{2}</td>\
             <td class=\"mono\">{3}</td><td>",
            row.name,
            row.bytes.len(),
            Markup(row.about),
            Markup(&row.value)
        )?;
        hex(out, &[(Section::Request, &row.bytes)])?;
        writeln!(out, "</td></tr>")?;
    }
    close_table(out)
}

fn rows() -> Vec<Row> {
    let row = |name, about, value: &dyn ToString, bytes: &[u8]| Row {
        name,
        about,
        value: value.to_string(),
        bytes: bytes.to_vec(),
    };
    let id = Uuid::from_u128(0x7a1c_52f0_4b8e_4d33_9c61_0e5f_a2b4_c8d6);
    vec![
        row(
            "bool",
            "False is 0, true is 1; readers take any other byte for true.",
            &true,
            &[1],
        ),
        row("int8", "A signed integer.", &-1i8, &(-1i8).to_be_bytes()),
        row(
            "int16",
            "A signed integer: API keys, versions, error codes.",
            &20i16,
            &20i16.to_be_bytes(),
        ),
        row(
            "uint16",
            "An unsigned integer: ports.",
            &9092u16,
            &9092u16.to_be_bytes(),
        ),
        row(
            "int32",
            "A signed integer: ids of nodes, partitions, sizes.",
            &65_536i32,
            &65_536i32.to_be_bytes(),
        ),
        row(
            "uint32",
            "An unsigned integer.",
            &4_294_967_295u32,
            &u32::MAX.to_be_bytes(),
        ),
        row(
            "int64",
            "A signed integer: offsets, milliseconds since 1970.",
            &1_790_000_000_000i64,
            &1_790_000_000_000i64.to_be_bytes(),
        ),
        row(
            "float64",
            "A number in the double format of IEEE 754.",
            &0.5f64,
            &0.5f64.to_be_bytes(),
        ),
        row(
            "uuid",
            "16 bytes as they are; all zero where there is none. Kafka prints it as base64 for URLs \
             without padding.",
            &format!("{id}, printed {}", base64(id)),
            id.as_bytes(),
        ),
    ]
}
