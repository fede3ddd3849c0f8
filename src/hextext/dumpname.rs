//! What a dump is called: the tool that prints rows like these.

use super::cells::Kind;
use super::row::Row;
use super::rows::Plan;
use super::scan::slice;

/// The name for a dump with this first row.
pub(super) fn name(plan: &Plan, row: &Row, code: &[u8], word: usize) -> &'static str {
    let style = row.style;
    let text = slice(code, row.text..row.line.end);
    let column = plan.columns > 0;
    match plan.kind {
        Kind::Characters => "od -c",
        Kind::Binary => "xxd -b",
        Kind::Octal => "od -b",
        Kind::OctalWords => "od",
        Kind::Decimal => "od -t u1",
        Kind::DecimalWords => "hexdump -d",
        Kind::LittleHex if style.zero_x => "words of a debugger",
        Kind::LittleHex if style.colon => "xxd -e",
        Kind::LittleHex if plan.radix == 8 => "od -x",
        Kind::LittleHex => "hexdump",
        Kind::Hex if style.zero_x && style.colon && column => "tcpdump -X",
        Kind::Hex if style.zero_x && style.colon => "tcpdump -x",
        Kind::Hex if style.colon => "xxd",
        Kind::Hex if style.bracket => "nc -x",
        Kind::Hex if style.bar => "dump with columns",
        Kind::Hex if column && text.contains(&b'|') => "hexdump -C",
        Kind::Hex if text.contains(&b'>') && text.contains(&b'<') => "od -t x1z",
        Kind::Hex if column && row.offset.len() == 4 => "Wireshark hex dump",
        Kind::Hex if word == 1 && row.offset.len() >= 6 && !column => "od -t x1",
        Kind::Hex if row.offset.len() == 4 => "Wireshark hex dump",
        Kind::Hex => "hex dump",
    }
}
