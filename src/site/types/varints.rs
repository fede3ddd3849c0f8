//! Integers that take as many bytes as they need.

use std::fmt::{self, Write};

use super::{close_table, open_table, paragraph};
use crate::{
    encode::Writer,
    event::Section,
    site::{hex::hex, map::SiteMap},
};

/// Where the number of bytes grows, and what is around it.
const UNSIGNED: [u64; 10] = [
    0,
    1,
    127,
    128,
    300,
    16_383,
    16_384,
    2_097_151,
    2_097_152,
    u32::MAX as u64,
];

const SIGNED: [i64; 12] = [
    0,
    -1,
    1,
    -2,
    63,
    -64,
    64,
    -65,
    150,
    8_192,
    i32::MAX as i64,
    i32::MIN as i64,
];

pub(super) fn section(out: &mut String, _: &SiteMap) -> fmt::Result {
    paragraph(
        out,
        "An unsigned varint has seven bits of the number in each byte, the lowest first; the highest bit \
         of a byte says that another one follows. Compact lengths, tags and the sizes of tagged \
         fields are written so: up to five bytes for 32 bits.",
    )?;
    open_table(out, "Unsigned varints", &["Number", "Bits", "uvarint"])?;
    for number in UNSIGNED {
        let mut writer = Writer::default();
        writer.uvarint(number);
        let bytes = writer.into_bytes();
        write!(
            out,
            "<tr><th scope=\"row\" class=\"mono\">{number}</th><td class=\"mono soft\">{}</td><td>",
            sevens(number, bytes.len())
        )?;
        hex(out, &[(Section::Request, &bytes)])?;
        writeln!(out, "</td></tr>")?;
    }
    close_table(out)?;
    paragraph(
        out,
        "Inside records the numbers are signed, and the sign goes to the lowest bit first (zigzag): \
         n becomes 2n, and a negative one -2n-1, so that small numbers stay short on both sides of zero. \
         A length of -1, which is null, is the single byte 01. Offsets and times of records take up to \
         ten bytes.",
    )?;
    open_table(out, "Signed varints", &["Number", "Zigzag", "varint"])?;
    for number in SIGNED {
        let mut writer = Writer::default();
        writer.varint(number);
        let zigzag = (number << 1 ^ number >> 63).cast_unsigned();
        write!(
            out,
            "<tr><th scope=\"row\" class=\"mono\">{number}</th><td class=\"mono soft\">{zigzag}</td><td>"
        )?;
        hex(out, &[(Section::Request, &writer.into_bytes())])?;
        writeln!(out, "</td></tr>")?;
    }
    close_table(out)
}

/// The bits of a number in groups of seven, the highest first.
fn sevens(number: u64, n_groups: usize) -> String {
    let groups: Vec<String> = (0..n_groups)
        .rev()
        .map(|group| format!("{:07b}", number >> (7 * group) & 0x7f))
        .collect();
    groups.join(" ")
}
