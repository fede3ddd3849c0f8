//! Short texts that are written from their last byte to their first, which is how digits are found.
//!
//! What comes in are numbers and the text between them, last things first; what goes out are bytes,
//! appended where they belong, with as many spaces in front as a column that stands to the right
//! wants. They are written in their place: to write digits elsewhere and move them would mean to wait
//! until the processor has put them together, which takes longer than finding them.

/// A short text, and the room for it.
#[derive(Debug)]
pub(super) struct Backward<'r> {
    room: &'r mut [u8],
    /// Offset of the first byte; what is in front of it is spaces.
    at: usize,
    /// Bytes that found no room.
    n_lacking: usize,
}

/// Appends what `write` writes, with spaces in front that make `width` bytes of it. Where there are
/// more it is written once more, so whoever knows how many they will be says so.
pub(super) fn push(out: &mut Vec<u8>, width: usize, write: impl Fn(&mut Backward<'_>)) {
    let from = out.len();
    let mut width = width;
    loop {
        push_spaces(out, width);
        let room = out.get_mut(from..).unwrap_or_default();
        let mut text = Backward {
            at: room.len(),
            room,
            n_lacking: 0,
        };
        write(&mut text);
        if text.n_lacking == 0 {
            return;
        }
        width += text.n_lacking;
        out.truncate(from);
    }
}

/// Appends a number.
pub(super) fn push_number(out: &mut Vec<u8>, number: u64) {
    push(out, n_digits(number), |text| text.number(number));
}

/// Digits that a number has.
pub(super) fn n_digits(number: u64) -> usize {
    number.checked_ilog10().unwrap_or(0) as usize + 1
}

pub(super) fn push_spaces(out: &mut Vec<u8>, n: usize) {
    match SPACES.get(..n) {
        Some(spaces) => out.extend_from_slice(spaces),
        None => out.resize(out.len() + n, b' '),
    }
}

/// Most columns want no more.
const SPACES: &[u8] = &[b' '; 32];

impl Backward<'_> {
    /// Puts a byte in front.
    pub(super) fn byte(&mut self, byte: u8) {
        let at = self.at.wrapping_sub(1);
        match self.room.get_mut(at) {
            Some(slot) => {
                *slot = byte;
                self.at = at;
            }
            None => self.n_lacking += 1,
        }
    }

    /// Puts text in front.
    pub(super) fn text(&mut self, text: &[u8]) {
        text.iter().rev().for_each(|&byte| self.byte(byte));
    }

    /// Puts a number in front.
    pub(super) fn number(&mut self, number: u64) {
        let mut left = number;
        while left >= 100 {
            self.pair(left % 100);
            left /= 100;
        }
        match left {
            0..10 => self.byte(digit(left)),
            _ => self.pair(left),
        }
    }

    /// Puts the two digits of a number below 100 in front: one division less to wait for.
    fn pair(&mut self, number: u64) {
        let two = [digit(number / 10), digit(number % 10)];
        let at = self.at.wrapping_sub(2);
        match self.room.get_mut(at..self.at) {
            Some(slot) => {
                slot.copy_from_slice(&two);
                self.at = at;
            }
            None => self.text(&two),
        }
    }

    /// Puts a number that may be negative in front.
    pub(super) fn signed(&mut self, number: i64) {
        self.number(number.unsigned_abs());
        if number < 0 {
            self.byte(b'-');
        }
    }

    /// Puts the last `n` digits of a number in front.
    pub(super) fn digits(&mut self, number: u64, n: usize) {
        let mut left = number;
        for _ in 0..n / 2 {
            self.pair(left % 100);
            left /= 100;
        }
        if n % 2 == 1 {
            self.byte(digit(left % 10));
        }
    }
}

/// The digit of a number below 10.
fn digit(number: u64) -> u8 {
    b'0' + number as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_all_their_digits_and_spaces_in_front() {
        for (width, expected) in [
            (27, "|   002/18446744073709551615"),
            (24, "|002/18446744073709551615"),
            (23, "|002/18446744073709551615"),
            (0, "|002/18446744073709551615"),
        ] {
            let mut out = b"|".to_vec();
            push(&mut out, width, |text| {
                text.number(u64::MAX);
                text.byte(b'/');
                text.digits(1_002, 3);
            });
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
        let mut out = Vec::new();
        push(&mut out, 100, |text| text.text(b"-5"));
        assert_eq!(String::from_utf8(out).unwrap(), format!("{:>100}", -5));
    }

    #[test]
    fn a_number_takes_as_many_bytes_as_it_has_digits() {
        for number in [0, 9, 10, 99, 100, u64::MAX] {
            let mut out = Vec::new();
            push_number(&mut out, number);
            assert_eq!(String::from_utf8(out).unwrap(), number.to_string());
            assert_eq!(n_digits(number), number.to_string().len());
        }
    }
}
