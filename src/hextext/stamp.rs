//! Dates and times at the start of log lines, which would otherwise pass for hex digits.

use super::scan::{byte, slice};

/// Offset behind the timestamp that a line starts with, in brackets or not; `start` if none does.
pub(super) fn skip(code: &[u8], start: usize, end: usize) -> usize {
    let line = slice(code, start..end.min(start + 80));
    let mut at = line
        .iter()
        .take_while(|b| b.is_ascii_whitespace() || matches!(b, b'[' | b'(' | b'"'))
        .count();
    if let Some(end) = syslog(line, at).or_else(|| glog(line, at)) {
        return start + end;
    }
    if let Some((end, true)) = month_and_day(line, at).and_then(|at| time(line, at)) {
        return start + logcat(line, end);
    }
    if let Some(end) = seconds(line, at) {
        return start + end;
    }
    let date = date(line, at);
    if let Some(end) = date {
        at = end;
        if matches!(byte(line, at), b'T' | b't' | b' ' | b'_' | b',') {
            at += 1;
        }
    }
    let Some((behind, fraction)) = time(line, at) else {
        return date.map_or(start, |end| start + end);
    };
    // Without a date, only a fraction tells a time from three bytes and their separators.
    if date.is_none() && !fraction {
        return start;
    }
    let end = zone(line, behind);
    // Kubernetes says which stream a line is from, and whether it is whole.
    let streams: [&[u8]; 4] = [b" stdout F ", b" stdout P ", b" stderr F ", b" stderr P "];
    let rest = line.get(end..).unwrap_or_default();
    let stream = streams.iter().find(|stream| rest.starts_with(stream));
    start + end + stream.map_or(0, |stream| stream.len() - 1)
}

fn digits(line: &[u8], at: usize, len: usize) -> Option<u32> {
    let digits = line.get(at..at + len)?;
    if !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// `Nov 29 19:51:01`, as syslog and journald have it.
fn syslog(line: &[u8], at: usize) -> Option<usize> {
    const MONTHS: [&[u8]; 12] = [
        b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov",
        b"Dec",
    ];
    let name = slice(line, at..at + 3);
    let day = slice(line, at + 4..at + 6);
    let is_day = matches!(day, [b' ' | b'0'..=b'3', b'0'..=b'9']);
    if !MONTHS.contains(&name) || byte(line, at + 3) != b' ' || !is_day {
        return None;
    }
    time(line, at + 7).map(|(end, _)| end)
}

/// `I1129 19:51:01.123456   4242`: level, month and day, time and thread, as glog has it.
fn glog(line: &[u8], at: usize) -> Option<usize> {
    if !matches!(byte(line, at), b'I' | b'W' | b'E' | b'F') || byte(line, at + 5) != b' ' {
        return None;
    }
    digits(line, at + 1, 4)?;
    let (end, _) = time(line, at + 6).filter(|(_, fraction)| *fraction)?;
    let rest = line.get(end..)?;
    let blanks = rest.iter().take_while(|byte| **byte == b' ').count();
    let thread = rest
        .iter()
        .skip(blanks)
        .take_while(|byte| byte.is_ascii_digit());
    Some(end + blanks + thread.count())
}

/// `1772452893.123 `: seconds since 1970 of this century, and their fraction.
fn seconds(line: &[u8], at: usize) -> Option<usize> {
    let is_plausible = digits(line, at, 10)? > 1_000_000_000 && byte(line, at + 10) == b'.';
    let fraction = line.get(at + 11..).unwrap_or_default();
    let len = fraction
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let end = at + 11 + len;
    let is_alone = matches!(byte(line, end), b' ' | b']' | b')' | b':');
    (is_plausible && (3..=9).contains(&len) && is_alone).then_some(end)
}

/// `11-29 `, a date without its year.
fn month_and_day(line: &[u8], at: usize) -> Option<usize> {
    let (month, day) = (digits(line, at, 2)?, digits(line, at + 3, 2)?);
    let is_date = (1..=12).contains(&month) && (1..=31).contains(&day);
    (is_date && byte(line, at + 2) == b'-' && byte(line, at + 5) == b' ').then_some(at + 6)
}

/// `  4242  4260 D`: process, thread and level behind the time, as Android has them.
fn logcat(line: &[u8], at: usize) -> usize {
    let skip = |at: usize, is_part: fn(&u8) -> bool| {
        let rest = line.get(at..).unwrap_or_default();
        at + rest.iter().take_while(|byte| is_part(byte)).count()
    };
    let blanks = |at: usize| skip(at, |byte| *byte == b' ');
    let number = |at: usize| skip(at, u8::is_ascii_digit);
    let process = blanks(at);
    let thread = blanks(number(process));
    let level = blanks(number(thread));
    let is_level = matches!(byte(line, level), b'V' | b'D' | b'I' | b'W' | b'E' | b'F');
    let are_words = number(process) > process && number(thread) > thread;
    match are_words && is_level && byte(line, level + 1) == b' ' {
        true => level + 1,
        false => at,
    }
}

/// `2026-11-29`, `2026/11/29`.
fn date(line: &[u8], at: usize) -> Option<usize> {
    let mark = byte(line, at + 4);
    if !matches!(mark, b'-' | b'/') || byte(line, at + 7) != mark {
        return None;
    }
    let year = digits(line, at, 4)?;
    let month = digits(line, at + 5, 2)?;
    let day = digits(line, at + 8, 2)?;
    let plausible =
        (1970..2100).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    (plausible && !byte(line, at + 10).is_ascii_digit()).then_some(at + 10)
}

/// `19:51:01`, `19:51:01.123`, and whether there is a fraction.
fn time(line: &[u8], at: usize) -> Option<(usize, bool)> {
    let hour = digits(line, at, 2)?;
    let minute = digits(line, at + 3, 2)?;
    let second = digits(line, at + 6, 2)?;
    if byte(line, at + 2) != b':'
        || byte(line, at + 5) != b':'
        || hour > 23
        || minute > 59
        || second > 60
    {
        return None;
    }
    let mut end = at + 8;
    if byte(line, end) == b':' || byte(line, end).is_ascii_alphanumeric() && byte(line, end) != b'Z'
    {
        return None;
    }
    let fraction = matches!(byte(line, end), b'.' | b',') && byte(line, end + 1).is_ascii_digit();
    if fraction {
        end += 1;
        while byte(line, end).is_ascii_digit() {
            end += 1;
        }
    }
    Some((end, fraction))
}

/// `Z`, `+01:00`, `-0500`.
fn zone(line: &[u8], at: usize) -> usize {
    match byte(line, at) {
        b'Z' => at + 1,
        b'+' | b'-' if digits(line, at + 1, 4).is_some() => at + 5,
        b'+' | b'-' if digits(line, at + 1, 2).is_some() && digits(line, at + 4, 2).is_some() => {
            at + 6
        }
        _ => at,
    }
}
