//! Erlang and Elixir binaries: `<<0,0,0,18>>`, `<<-1:32/signed>>`, `<<3::16, "bar"::binary>>`.
//!
//! In: scanned text. Out: one sketch with a part for every `<<...>>` that has bytes. Each number
//! carries its width, so a width is never guessed: a number without one is 8 bits. A variable is a
//! hole, as long as its size says. `...` at the end (what `inspect` prints) is a hole too.
//!
//! A `<<` behind which no segments stand (a shell's here-document, a shift) is passed over.

use std::ops::Range;

use super::draft::{Damage, Draft, Findings, Sketch};
use super::ellipsis;
use super::list::word_end;
use super::reading::Family;
use super::scan::{Quoted, Scan, byte, hex_value, line_start, slice};
use super::unescape::{self, Rules};

/// Looks for binaries.
pub(super) fn find(scan: &Scan, found: &mut Findings) {
    let mut parts = Vec::new();
    let mut sized = 0;
    let mut elixir = false;
    let mut remarks = Vec::new();
    let mut at = 0;
    let mut room = ROOM + scan.code.len().saturating_mul(ROOM_PER_BYTE);
    while let Some(len) = memchr::memmem::find(scan.code.get(at..).unwrap_or_default(), b"<<") {
        let start = at + len;
        let mut reader = Reader {
            scan,
            at: start + 2,
            bits: Bits::default(),
            sized: 0,
            elixir: false,
            room,
            too_wide: None,
        };
        let read = reader.segments();
        if let Some(segment) = reader.too_wide {
            found.damages.push(too_wide(scan, segment));
            return;
        }
        if read.is_none() {
            at = start + 2;
            continue;
        }
        at = reader.at;
        room = reader.room;
        sized += reader.sized;
        elixir |= reader.elixir;
        if reader.bits.count > 0 {
            let bits = reader.bits.count;
            remarks.push((
                start,
                format!("{bits} bits at the end fill no byte and are left out"),
            ));
        }
        let mut draft = reader.bits.draft;
        let line = line_start(&scan.code, start, 80);
        draft.label = Some(line..start).filter(|range| is_label(slice(&scan.code, range.clone())));
        parts.push(draft);
    }
    let bytes: usize = parts.iter().map(|part| part.bytes.len()).sum();
    let why = match sized {
        0 => format!("{bytes} bytes between << and >>"),
        _ => format!("{bytes} bytes between << and >>, {sized} segments with a size of their own"),
    };
    found.add(Sketch {
        family: Family::BitSyntax,
        notation: if elixir {
            "Elixir binary"
        } else {
            "Erlang binary"
        },
        confidence: 95,
        why,
        parts,
        remarks,
        comments: scan.comments.clone(),
    });
}

/// `name = ` or `name: ` before a binary.
fn is_label(text: &[u8]) -> bool {
    let text = text.trim_ascii_end();
    matches!(text.last(), Some(b'=' | b':')) && text.iter().any(u8::is_ascii_alphabetic)
}

/// Bits on their way to bytes.
#[derive(Default)]
struct Bits {
    draft: Draft,
    pending: u8,
    count: u32,
    /// Where the first pending bit comes from.
    from: usize,
}

impl Bits {
    /// Appends the lowest `width` bits of `value`, the highest first; above 64 the sign goes on.
    fn push(&mut self, value: i64, width: u32, at: usize) {
        for idx in (0..width).rev() {
            let bit = (value >> idx.min(63)) & 1;
            if self.count == 0 {
                self.from = at;
            }
            self.pending = self.pending << 1 | bit as u8;
            self.count += 1;
            if self.count == 8 {
                self.draft.push(self.pending, self.from);
                self.count = 0;
            }
        }
    }
}

struct Reader<'a> {
    scan: &'a Scan<'a>,
    at: usize,
    bits: Bits,
    sized: usize,
    elixir: bool,
    /// Bytes that segments may still take.
    room: usize,
    /// The segment that took more.
    too_wide: Option<Range<usize>>,
}

/// A segment's value before its size is known.
enum Value {
    Integer(i64),
    Float(f64),
    Text(Range<usize>),
    Variable,
    Nothing,
}

/// What stands behind a value.
#[derive(Default)]
struct Spec {
    size: Option<u32>,
    little: bool,
    float: bool,
    bytes: bool,
    utf16: bool,
}

impl Reader<'_> {
    /// Reads up to `>>`; `None` if this is no binary.
    fn segments(&mut self) -> Option<()> {
        // Between two segments stands a comma.
        let mut is_parted = true;
        loop {
            self.space();
            match byte(&self.scan.code, self.at) {
                b'>' if byte(&self.scan.code, self.at + 1) == b'>' => {
                    self.at += 2;
                    return Some(());
                }
                b',' => {
                    is_parted = true;
                    self.at += 1;
                }
                // A paste that ends inside is still worth its bytes.
                0 if !self.bits.draft.bytes.is_empty() => return Some(()),
                // `...` may follow without one.
                b'.' | b'[' | b'(' => self.segment()?,
                _ if is_parted => {
                    is_parted = false;
                    self.segment()?;
                }
                _ => return None,
            }
        }
    }

    fn space(&mut self) {
        while byte(&self.scan.code, self.at).is_ascii_whitespace() {
            self.at += 1;
        }
    }

    fn segment(&mut self) -> Option<()> {
        let start = self.at;
        if let Some((end, len)) = ellipsis::at(&self.scan.code, start) {
            self.bits.draft.hole(len, start);
            self.at = end;
            return Some(());
        }
        let value = self.value()?;
        let spec = self.spec();
        self.sized += usize::from(spec.size.is_some());
        match value {
            Value::Integer(value) if spec.float => self.float(value as f64, &spec, start),
            Value::Integer(value) => {
                let width = spec.size.unwrap_or(8);
                self.take(1, width, start)?;
                if spec.little && width.is_multiple_of(8) {
                    let mut rest = value;
                    for _ in 0..width / 8 {
                        self.bits.push(rest & 0xff, 8, start);
                        rest >>= 8;
                    }
                } else {
                    self.bits.push(value, width, start);
                }
            }
            Value::Float(value) => self.float(value, &spec, start),
            Value::Text(body) => {
                let width = match spec.size {
                    Some(size) if !spec.bytes => size,
                    _ if spec.utf16 => 16,
                    _ => 8,
                };
                let mut text = Draft::default();
                unescape::append(self.scan, body, Rules::Common, &mut text).ok()?;
                self.take(text.bytes.len(), width, start)?;
                for (value, at) in text.bytes.into_iter().zip(text.at) {
                    self.bits.push(i64::from(value), width, at);
                }
            }
            Value::Variable => {
                let bits = spec
                    .size
                    .map(|size| if spec.bytes { size * 8 } else { size });
                let len = bits
                    .filter(|bits| bits.is_multiple_of(8))
                    .map(|bits| u64::from(bits / 8));
                self.bits.draft.hole(len, start);
            }
            Value::Nothing => {}
        }
        Some(())
    }

    /// Takes room for `count` values of `width` bits.
    fn take(&mut self, count: usize, width: u32, start: usize) -> Option<()> {
        let bytes = count.saturating_mul(width as usize) / 8;
        let left = self.room.checked_sub(bytes);
        if left.is_none() {
            self.too_wide = Some(start..self.at);
        }
        self.room = left?;
        Some(())
    }

    fn float(&mut self, value: f64, spec: &Spec, at: usize) {
        let bytes = match spec.size {
            Some(32) => (value as f32).to_be_bytes().to_vec(),
            _ => value.to_be_bytes().to_vec(),
        };
        for byte in bytes {
            self.bits.push(i64::from(byte), 8, at);
        }
    }

    fn value(&mut self) -> Option<Value> {
        let code = &self.scan.code;
        match byte(code, self.at) {
            b'"' | b'\'' | b'`' => {
                let idx = self
                    .scan
                    .strings
                    .partition_point(|s| s.body.start <= self.at);
                let string: &Quoted = self.scan.strings.get(idx)?;
                if string.prefix.end != self.at {
                    return None;
                }
                self.at = string.end();
                Some(Value::Text(string.body.clone()))
            }
            b'$' | b'?' => {
                // `$k` and `?k` are characters, `?\n` an escaped one.
                let (value, len) = match byte(code, self.at + 1) {
                    b'\\' => (unescape::simple(byte(code, self.at + 2))?, 3),
                    plain @ 0x21..=0x7e => (plain, 2),
                    _ => return None,
                };
                self.at += len;
                Some(Value::Integer(i64::from(value)))
            }
            b'<' if byte(code, self.at + 1) == b'<' => {
                // A binary in a binary: its segments are ours. Depth is bounded by unrolling.
                self.at += 2;
                let mut inner = Reader {
                    scan: self.scan,
                    at: self.at,
                    bits: std::mem::take(&mut self.bits),
                    sized: 0,
                    elixir: false,
                    room: self.room,
                    too_wide: None,
                };
                let read = inner.flat();
                self.room = inner.room;
                self.too_wide = inner.too_wide;
                self.bits = inner.bits;
                self.at = inner.at;
                read.map(|()| Value::Nothing)
            }
            b'-' | b'0'..=b'9' => self.number(),
            b'_' | b'a'..=b'z' | b'A'..=b'Z' => {
                self.at = word_end(code, self.at);
                Some(Value::Variable)
            }
            _ => None,
        }
    }

    /// The segments of a nested binary, which may hold no further one.
    fn flat(&mut self) -> Option<()> {
        loop {
            self.space();
            match byte(&self.scan.code, self.at) {
                b'>' if byte(&self.scan.code, self.at + 1) == b'>' => {
                    self.at += 2;
                    return Some(());
                }
                b',' => self.at += 1,
                b'<' => return None,
                _ => self.segment()?,
            }
        }
    }

    fn number(&mut self) -> Option<Value> {
        let code = &self.scan.code;
        let negative = byte(code, self.at) == b'-';
        let start = self.at + usize::from(negative);
        let end = word_end(code, start);
        let word: String = slice(code, start..end)
            .iter()
            .filter(|byte| **byte != b'_')
            .map(|&byte| char::from(byte))
            .collect();
        let sign = if negative { -1 } else { 1 };
        self.at = end;
        if byte(code, end) == b'.' && byte(code, end + 1).is_ascii_digit() {
            self.at = word_end(code, end + 1);
            let text = std::str::from_utf8(slice(code, start..self.at)).ok()?;
            return Some(Value::Float(text.parse::<f64>().ok()? * sign as f64));
        }
        let value = if byte(code, end) == b'#' {
            self.at = word_end(code, end + 1);
            let digits = std::str::from_utf8(slice(code, end + 1..self.at)).ok()?;
            let radix = word.parse().ok().filter(|radix| (2..=36).contains(radix))?;
            u64::from_str_radix(digits, radix).ok()?
        } else {
            let radix = |digits: &str, radix| u64::from_str_radix(digits, radix).ok();
            match word.get(..2) {
                Some("0x" | "0X") => radix(word.get(2..)?, 16)?,
                Some("0b") => radix(word.get(2..)?, 2)?,
                Some("0o") => radix(word.get(2..)?, 8)?,
                _ => radix(&word, 10)?,
            }
        };
        Some(Value::Integer((value as i64).wrapping_mul(sign)))
    }

    /// Reads `:32/signed-little`, `:: 32`, `::size(4)-unit(8)`, `/utf8`.
    fn spec(&mut self) -> Spec {
        let mut spec = Spec::default();
        let mut unit = 1;
        self.space();
        let code = &self.scan.code;
        if !matches!(byte(code, self.at), b':' | b'/') {
            return spec;
        }
        self.elixir |= byte(code, self.at + 1) == b':';
        loop {
            match byte(code, self.at) {
                b':' | b'/' | b'-' | b' ' | b'*' => self.at += 1,
                b'0'..=b'9' | b'a'..=b'z' | b'_' | b'A'..=b'Z' => {
                    let end = word_end(code, self.at);
                    let word = slice(code, self.at..end);
                    self.at = end;
                    let argument = self.argument();
                    match word {
                        b"little" => spec.little = true,
                        b"float" => spec.float = true,
                        b"binary" | b"bytes" => spec.bytes = true,
                        b"utf16" => spec.utf16 = true,
                        b"native" => spec.little = true,
                        b"size" => spec.size = argument.or(spec.size),
                        b"unit" => unit = argument.unwrap_or(1),
                        digits => {
                            if let Some(size) = decimal(digits) {
                                spec.size = Some(size);
                            }
                        }
                    }
                }
                _ => break,
            }
        }
        spec.size = spec
            .size
            .map(|size| size.saturating_mul(unit).min(MAX_WIDTH));
        spec
    }

    fn argument(&mut self) -> Option<u32> {
        let code = &self.scan.code;
        if !matches!(byte(code, self.at), b'(' | b':') {
            return None;
        }
        let end = word_end(code, self.at + 1);
        let value = decimal(slice(code, self.at + 1..end));
        value?;
        self.at = end + usize::from(byte(code, end) == b')');
        value
    }
}

/// Widest segment in bits: no integer of Kafka has more than 128, and a hostile size would
/// otherwise print as many zeros as it likes.
const MAX_WIDTH: u32 = 4096;

/// Bytes that the segments of a paste may take in all, and more for each byte of the paste: many
/// wide segments would do what one may not.
const ROOM: usize = 1 << 16;
const ROOM_PER_BYTE: usize = 8;

fn too_wide(scan: &Scan, segment: Range<usize>) -> Damage {
    let text = slice(
        &scan.code,
        segment.start..segment.end.min(segment.start + 32),
    );
    Damage {
        at: segment.start,
        confidence: 95,
        found: format!("segments as wide as `{}`", String::from_utf8_lossy(text)),
        expected: format!("at most {ROOM_PER_BYTE} bytes for each character of the paste"),
    }
}

fn decimal(digits: &[u8]) -> Option<u32> {
    // Checked digit by digit: `parse` would also take a sign.
    digits
        .iter()
        .try_fold(0u32, |value, &digit| {
            if !digit.is_ascii_digit() {
                return None;
            }
            value
                .checked_mul(10)?
                .checked_add(u32::from(hex_value(digit)))
        })
        .filter(|_| !digits.is_empty())
}

#[cfg(test)]
mod tests {
    use super::super::scan::{Pass, scan};
    use super::*;

    fn read(text: &str) -> Vec<Vec<u8>> {
        let mut found = Findings::default();
        find(&scan(text.as_bytes(), &[], Pass::Strict), &mut found);
        let sketches = found.sketches.into_iter();
        sketches
            .flat_map(|s| s.parts)
            .map(|part| part.bytes)
            .collect()
    }

    #[test]
    fn segments_have_their_widths() {
        assert_eq!(
            read(r#"<<18:32, 3 :: 16, "ab"::binary, -1:32/signed-integer, 16#ff, $k>>"#),
            [b"\0\0\0\x12\0\x03ab\xff\xff\xff\xff\xffk".to_vec()]
        );
        assert_eq!(
            read("<<1:4, 2:4, 258::little-16, 0x12::size(16)>>"),
            [[0x12, 2, 1, 0, 0x12]]
        );
        assert_eq!(read("<<1.5:64/float>>"), [1.5f64.to_be_bytes()]);
        assert_eq!(read("<< <<1,2>>/binary, 3 >>"), [[1, 2, 3]]);
    }

    #[test]
    fn many_wide_segments_are_refused() {
        let count = 1000;
        for text in [
            format!("<<{}>>", "1:4096,".repeat(count)),
            format!("<<\"{}\":4096>>", "a".repeat(count)),
            format!("<< <<{}>> >>", "1:4096,".repeat(count)),
            "<<1:4096>>".repeat(count),
        ] {
            let mut found = Findings::default();
            find(&scan(text.as_bytes(), &[], Pass::Strict), &mut found);
            assert_eq!((found.sketches.len(), found.damages.len()), (0, 1));
        }
        assert_eq!(read("<<0:4096>>"), [[0; 512]]);
    }

    #[test]
    fn what_is_no_binary_is_passed_over() {
        assert_eq!(read("cat <<EOF\nx << 3; <<1,2>>"), [[1, 2]]);
        assert_eq!(read("<<>> <<"), Vec::<Vec<u8>>::new());
    }

    #[test]
    fn what_is_left_out_is_a_hole() {
        let mut found = Findings::default();
        let text = b"<<1, Len:32, 2, ...>>";
        find(&scan(text, &[], Pass::Strict), &mut found);
        let part = &found.sketches[0].parts[0];
        assert_eq!(part.holes, [(1, Some(4), 5), (2, None, 16)]);
    }
}
