//! How strange a value is for its field. Readings that fit by chance are full of strange values,
//! which is what tells them from the right one.

use uuid::Uuid;

use crate::{
    event::{Meaning, Names, Node, Role, Section},
    schema::{ApiKey, Inside},
};

/// A value that real messages do not have.
pub(in crate::decode) const STRANGE: u32 = 8;

/// One that they have where somebody made it up.
const UNUSUAL: u32 = 4;

/// A value that is rare.
const RARE: u32 = 2;

/// Error codes, with room for those to come.
const ERRORS: std::ops::RangeInclusive<i64> = -1..=199;

/// The last code that a release gave a meaning.
const NEWEST_ERROR: i64 = 133;

/// Milliseconds since 1970 of the years 2000 and 2200.
const YEAR_2000: i64 = 946_684_800_000;
const YEAR_2200: i64 = 7_258_118_400_000;

/// Milliseconds of the longest time that a client is held back.
const LONGEST_THROTTLE: i64 = 3_600_000;

/// How strange the number `value` of `size` bytes is.
pub(super) fn number(node: &Node, size: usize, value: i64) -> u32 {
    match node.role {
        Role::ErrorCode => return unless(ERRORS.contains(&value), STRANGE),
        Role::ApiKey => {
            let key = i16::try_from(value).map(ApiKey);
            return unless(key.is_ok_and(|key| key.name().is_some()), STRANGE);
        }
        Role::BrokerId => return unless((-10..1 << 24).contains(&value), STRANGE),
        _ => {}
    }
    // Clients choose correlation ids as they like.
    if node.section == Section::Header {
        return 0;
    }
    match node.meaning {
        Meaning::Choice(_) => unless((-3..=255).contains(&value), STRANGE),
        Meaning::Duration(_) | Meaning::Size(_) => unless(value >= -2, STRANGE),
        Meaning::Time(_) => unless((-10..YEAR_2200).contains(&value), STRANGE),
        Meaning::Bits(_) => 0,
        _ if size == 8 => unless((-10..1 << 52).contains(&value), RARE),
        _ if size == 4 => unless(
            (-10..1 << 30).contains(&value) || value == i64::from(i32::MAX),
            RARE,
        ),
        _ => unless(value >= -10, RARE),
    }
}

/// How unusual a number is that can well be: it tells repairs apart that all fit, and nothing else.
pub(super) fn unusual(node: &Node, size: usize, value: i64) -> u32 {
    match node.role {
        Role::Port => return unless((-1..1 << 16).contains(&value), STRANGE),
        Role::Partition => return unless((-1..1 << 20).contains(&value), STRANGE),
        Role::Throttle => {
            return match value {
                0 => 0,
                1..=LONGEST_THROTTLE => UNUSUAL,
                _ => STRANGE,
            };
        }
        Role::ErrorCode => return unless(value <= NEWEST_ERROR, UNUSUAL),
        Role::ApiKey | Role::BrokerId => return 0,
        _ if node.section == Section::Header => return 0,
        _ => {}
    }
    match node.meaning {
        Meaning::Time(_) => unless(value <= 0 || value >= YEAR_2000, RARE),
        Meaning::Bits(Names::AclOperations) => {
            let is_set = value == i64::from(i32::MIN) || (0..1 << 20).contains(&value);
            unless(is_set, STRANGE)
        }
        Meaning::Choice(_) | Meaning::Duration(_) | Meaning::Size(_) | Meaning::Bits(_) => 0,
        _ if node.name.ends_with("Epoch") => unless((-2..1 << 32).contains(&value), UNUSUAL),
        _ if size == 8 => long(value),
        _ if size == 4 => int(value),
        _ => 0,
    }
}

/// How unusual an int64 is that may be any number: few count further than 2^40, and two int32 that
/// are read as one give a small number in the upper half.
fn long(value: i64) -> u32 {
    match (value >> 32, value & 0xffff_ffff) {
        _ if value == i64::MAX => 0,
        (1.., low) if low < 1 << 16 => RARE,
        (0x100.., _) => 1,
        _ => 0,
    }
}

/// The same of an int32: one that is read from the wrong byte on ends with zeros, and a text that is
/// read as one has letters only.
fn int(value: i64) -> u32 {
    let bytes = (value as i32).to_be_bytes();
    if value == i64::from(i32::MAX) {
        0
    } else if bytes.iter().all(u8::is_ascii_graphic) {
        UNUSUAL
    } else {
        unless(value <= 0xffff || value & 0xffff != 0, 1)
    }
}

/// How unusual a float is: of bytes that are something else, most are very small or very large.
pub(super) fn float(value: f64) -> u32 {
    let is_usual = value == 0.0 || (1e-6..1e15).contains(&value.abs());
    unless(is_usual, UNUSUAL)
}

/// How unusual an id is: Kafka makes random ones (RFC 9562, version 4), and reserves small numbers.
pub(super) fn id(id: Uuid) -> u32 {
    let is_random = id.get_version_num() == 4 && id.get_variant() == uuid::Variant::RFC4122;
    unless(is_random || id.as_u128() < 1 << 16, UNUSUAL)
}

/// How strange a text is.
pub(super) fn text(node: &Node, text: &str) -> u32 {
    let is_legal = match node.role {
        Role::TopicName => {
            let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
            text.len() <= 249 && text.chars().all(legal)
        }
        _ => !text.contains(|c: char| c.is_control()),
    };
    unless(is_legal, STRANGE)
}

/// How unusual a text is that can well be: only where there is no node, no host is named.
pub(super) fn unusual_text(node: &Node, text: &str) -> u32 {
    unless(node.role != Role::Host || !text.is_empty(), RARE)
}

/// How unusual the content of a bytes field is: what members of a group tell each other has its
/// version in front.
pub(super) fn content(inside: Inside, bytes: &[u8]) -> u32 {
    match inside {
        Inside::Subscription | Inside::Assignment if !bytes.is_empty() => {
            let version = bytes.first_chunk().copied().map(i16::from_be_bytes);
            unless(
                version.is_some_and(|version| (0..16).contains(&version)),
                UNUSUAL,
            )
        }
        _ => 0,
    }
}

fn unless(fine: bool, odd: u32) -> u32 {
    if fine { 0 } else { odd }
}

#[cfg(test)]
mod tests {
    use crate::explain::ErrorCode;

    #[test]
    fn the_newest_error_is_the_last_that_is_explained() {
        let newest = ErrorCode::all().map(|error| i64::from(error.0)).max();
        assert_eq!(newest, Some(super::NEWEST_ERROR));
    }
}
