//! Numbers in log lines: what a broker prints when bytes made no sense to it.
//!
//! In: scanned text that holds no bytes. Out: the numbers that the words before them call a size,
//! a length, an API key, a version or a correlation id, each with its bytes on the wire, so that
//! `size = 1195725856` can be recognised as `GET `. Limits are named as such.

use super::clean::Text;
use super::list::word_end;
use super::reading::{LogNumber, NumberRole};
use super::scan::{Scan, byte, slice};

/// Words that are looked at before a number.
const WORDS: usize = 4;
/// Most numbers that are worth telling.
const MOST: usize = 64;

/// Looks for numbers; none if the text only names limits.
pub(super) fn find(text: &Text, scan: &Scan) -> Vec<LogNumber> {
    let code = &scan.code;
    let mut numbers = Vec::new();
    let mut locator = text.locator();
    // The last words of the line, oldest first.
    let mut words: Vec<std::ops::Range<usize>> = Vec::new();
    let mut at = 0;
    while at < code.len() && numbers.len() < MOST {
        let here = byte(code, at);
        if here == b'\n' {
            words.clear();
        }
        if !here.is_ascii_alphanumeric() && here != b'_' {
            at += 1;
            continue;
        }
        let end = grouped_end(code, at);
        let range = at..end;
        at = end;
        let word = slice(code, range.clone());
        if !word
            .iter()
            .all(|byte| byte.is_ascii_digit() || *byte == b',')
        {
            words.push(range);
            if words.len() > WORDS {
                words.remove(0);
            }
            continue;
        }
        if let Some(number) = number(code, &range, &words) {
            let (value, role, bytes, start) = number;
            let label = words.first().map_or(start, |word| word.start);
            numbers.push(LogNumber {
                value,
                role,
                bytes,
                label: String::from_utf8_lossy(slice(code, label..start))
                    .trim()
                    .to_owned(),
                place: locator.place(start),
            });
        }
        // What stood before this number says nothing of the next.
        words.clear();
    }
    if numbers
        .iter()
        .all(|number| number.role == NumberRole::Limit)
    {
        numbers.clear();
    }
    numbers
}

/// End of a word, or of a number whose digits stand in groups: `1,195,725,856`.
fn grouped_end(code: &[u8], at: usize) -> usize {
    let mut end = word_end(code, at);
    let is_number =
        |range: std::ops::Range<usize>| slice(code, range).iter().all(u8::is_ascii_digit);
    if !(1..=3).contains(&(end - at)) || !is_number(at..end) {
        return end;
    }
    while byte(code, end) == b','
        && word_end(code, end + 1) == end + 4
        && is_number(end + 1..end + 4)
    {
        end += 4;
    }
    end
}

type Found = (i64, NumberRole, Vec<u8>, usize);

fn number(
    code: &[u8],
    range: &std::ops::Range<usize>,
    words: &[std::ops::Range<usize>],
) -> Option<Found> {
    let before = |back: usize| {
        range
            .start
            .checked_sub(back)
            .map_or(b' ', |at| byte(code, at))
    };
    let negative = before(1) == b'-' && !before(2).is_ascii_alphanumeric();
    // Part of a date, an address, a fraction.
    let glue = if negative { before(2) } else { before(1) };
    let behind = (byte(code, range.end), byte(code, range.end + 1));
    if glue.is_ascii_alphanumeric()
        || matches!(glue, b'.' | b'-' | b'/')
        || (matches!(behind.0, b'.' | b':' | b'-' | b'/') && behind.1.is_ascii_digit())
    {
        return None;
    }
    let digits = std::str::from_utf8(slice(code, range.clone())).ok()?;
    let value: i64 = digits.replace(',', "").parse().ok()?;
    let value = if negative { -value } else { value };
    let start = range.start - usize::from(negative);
    let role = role(code, words)?;
    let bytes = match role {
        NumberRole::Limit => Vec::new(),
        NumberRole::Size | NumberRole::CorrelationId | NumberRole::Count => {
            i32::try_from(value).ok()?.to_be_bytes().to_vec()
        }
        // Longer ones are lengths of compact strings.
        NumberRole::StringLength => match i16::try_from(value) {
            Ok(value) => value.to_be_bytes().to_vec(),
            Err(_) => i32::try_from(value).ok()?.to_be_bytes().to_vec(),
        },
        NumberRole::ApiKey | NumberRole::ApiVersion => {
            i16::try_from(value).ok()?.to_be_bytes().to_vec()
        }
    };
    Some((value, role, bytes, start))
}

fn role(code: &[u8], words: &[std::ops::Range<usize>]) -> Option<NumberRole> {
    let mut says_string = false;
    let mut says_array = false;
    let mut says_length = false;
    let mut says_version = false;
    let mut near = true;
    let mut behind_size = false;
    for range in words.iter().rev() {
        let word = slice(code, range.clone()).to_ascii_lowercase();
        match word.as_slice() {
            b"maximum" | b"max" | b"largest" if behind_size => return Some(NumberRole::Limit),
            b"than" | b"limit" | b"max" | b"maximum" | b"exceeds" | b"allowed" if near => {
                return Some(NumberRole::Limit);
            }
            b"size" | b"length" | b"len" | b"bytes" => says_length = true,
            b"negativearraysizeexception" => says_length = true,
            b"array" | b"collection" | b"elements" | b"entries" => says_array = true,
            b"byte" if says_array => return Some(NumberRole::Size),
            b"client_id" | b"clientid" | b"string" | b"topic" | b"name" => says_string = true,
            b"apikey" | b"api_key" => return Some(NumberRole::ApiKey),
            b"key" if words.iter().any(|word| is(code, word, b"api")) => {
                return Some(NumberRole::ApiKey);
            }
            b"correlationid" | b"correlation_id" | b"correlation" => {
                return Some(NumberRole::CorrelationId);
            }
            b"version" | b"apiversion" | b"api_version" if near => says_version = true,
            b"is" | b"of" | b"the" | b"a" | b"was" => continue,
            _ => {}
        }
        // `a maximum size of`
        behind_size = near && says_length;
        near = false;
    }
    match (says_length, says_string, says_version) {
        (true, ..) if says_array => Some(NumberRole::Count),
        (true, true, _) => Some(NumberRole::StringLength),
        (true, false, _) => Some(NumberRole::Size),
        (false, _, true) => Some(NumberRole::ApiVersion),
        _ => None,
    }
}

fn is(code: &[u8], range: &std::ops::Range<usize>, word: &[u8]) -> bool {
    slice(code, range.clone()).eq_ignore_ascii_case(word)
}
