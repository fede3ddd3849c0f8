//! Short texts that are written from their last byte to their first, which is how digits are found.
//!
//! What comes in are numbers and the text between them, last things first; what goes out are bytes,
//! with as many spaces in front as a column that stands to the right wants: they are there from the
//! start. Text that finds no room is left out, so whoever writes here knows how long it can be.

/// Bytes of the longest text: two numbers of 64 bits would fit.
const ROOM: usize = 48;

/// A short text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Backward {
    bytes: [u8; ROOM],
    /// Offset of the first byte; what is in front of it is spaces.
    at: usize,
}

impl Backward {
    /// An empty text.
    pub(super) fn new() -> Backward {
        Backward {
            bytes: [b' '; ROOM],
            at: ROOM,
        }
    }

    /// Puts a byte in front.
    pub(super) fn byte(&mut self, byte: u8) {
        let at = self.at.wrapping_sub(1);
        if let Some(slot) = self.bytes.get_mut(at) {
            *slot = byte;
            self.at = at;
        }
    }

    /// Puts text in front.
    pub(super) fn text(&mut self, text: &[u8]) {
        text.iter().rev().for_each(|&byte| self.byte(byte));
    }

    /// Puts a number in front.
    pub(super) fn number(&mut self, number: u64) {
        let mut left = number;
        loop {
            self.byte(b'0' + (left % 10) as u8);
            left /= 10;
            if left == 0 {
                break;
            }
        }
    }

    /// Puts the last `n` digits of a number in front.
    pub(super) fn digits(&mut self, number: u64, n: usize) {
        let mut left = number;
        for _ in 0..n {
            self.byte(b'0' + (left % 10) as u8);
            left /= 10;
        }
    }

    /// The text.
    pub(super) fn as_bytes(&self) -> &[u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// The text with spaces in front, `width` bytes or more.
    pub(super) fn aligned(&self, width: usize) -> &[u8] {
        let from = self.at.min(ROOM.saturating_sub(width));
        self.bytes.get(from..).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_all_their_digits_and_spaces_in_front() {
        let mut text = Backward::new();
        text.number(u64::MAX);
        text.byte(b'/');
        text.digits(1_002, 3);
        assert_eq!(text.as_bytes(), b"002/18446744073709551615");
        assert_eq!(text.aligned(27), b"   002/18446744073709551615");
        assert_eq!(text.aligned(3), text.as_bytes());
        assert_eq!(text.aligned(1_000).len(), ROOM);
    }

    #[test]
    fn what_finds_no_room_is_left_out() {
        let mut text = Backward::new();
        text.text(&[b'x'; ROOM + 1]);
        assert_eq!(text.as_bytes(), [b'x'; ROOM]);
    }
}
