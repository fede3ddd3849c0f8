//! Numbers as JSON has them, appended to bytes: what general formatting does, in a fraction of the
//! time.

use std::ops::Range;

use super::{
    backward::{self, n_digits},
    escape_json::write_json,
};

/// Appends a whole number; many times faster than formatting it.
pub(super) fn push(out: &mut Vec<u8>, number: impl Into<i128>) {
    let number: i128 = number.into();
    if number < 0 {
        out.push(b'-');
    }
    // Nothing here has more digits than 64 bits can have.
    backward::push_number(
        out,
        u64::try_from(number.unsigned_abs()).unwrap_or(u64::MAX),
    );
}

pub(super) fn push_some(out: &mut Vec<u8>, number: Option<impl Into<i128>>) {
    match number {
        Some(number) => push(out, number),
        None => out.extend_from_slice(b"null"),
    }
}

/// Nanoseconds that have as many digits as a double tells apart, and are no number that is written
/// with an exponent: such have in milliseconds the digits that they have.
const EXACT: Range<u64> = 1_000..1_000_000_000_000_000;

/// Appends nanoseconds as a double of milliseconds, in the shortest digits that tell it from all
/// others.
pub(super) fn push_ms(out: &mut Vec<u8>, nanos: Option<i64>) {
    let Some(nanos) = nanos else {
        out.extend_from_slice(b"null");
        return;
    };
    let size = nanos.unsigned_abs();
    if size != 0 && !EXACT.contains(&size) {
        let _ = write_json(out, &(nanos as f64 / 1e6));
        return;
    }
    if nanos < 0 {
        out.push(b'-');
    }
    let (whole, mut fraction, mut n_behind) = (size / 1_000_000, size % 1_000_000, 6);
    while n_behind > 1 && fraction % 10 == 0 {
        fraction /= 10;
        n_behind -= 1;
    }
    backward::push(out, n_digits(whole) + 1 + n_behind, |text| {
        text.digits(fraction, n_behind);
        text.byte(b'.');
        text.number(whole);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_in_full() {
        for number in [0, 7, 10, -1, 1234567890, i64::MAX, i64::MIN] {
            let mut text = Vec::new();
            push(&mut text, number);
            assert_eq!(String::from_utf8(text).unwrap(), number.to_string());
        }
    }

    #[test]
    fn milliseconds_are_written_as_doubles_are() {
        let mut all: Vec<i64> = vec![0, i64::MAX, i64::MIN];
        for digits in 0..19 {
            let power = 10_i64.pow(digits);
            all.extend((1..=9).flat_map(|n| [n * (power / 9), power, power - n, power + n * 7]));
        }
        for nanos in all.iter().flat_map(|&nanos| [nanos, nanos.wrapping_neg()]) {
            let (mut short, mut long) = (Vec::new(), Vec::new());
            push_ms(&mut short, Some(nanos));
            write_json(&mut long, &(nanos as f64 / 1e6)).unwrap();
            assert_eq!(
                String::from_utf8(short).unwrap(),
                String::from_utf8(long).unwrap(),
                "{nanos}"
            );
        }
    }
}
