//! How strange a value is for its field. Readings that fit by chance are full of strange values,
//! which is what tells them from the right one.

use crate::{
    event::{Meaning, Node, Role, Section},
    schema::ApiKey,
};

/// A value that real messages do not have.
pub(super) const STRANGE: u32 = 8;

/// A value that is rare.
const RARE: u32 = 2;

/// Error codes, with room for those to come.
const ERRORS: std::ops::RangeInclusive<i64> = -1..=199;

/// Milliseconds since 1970 of the year 2200.
const YEAR_2200: i64 = 7_258_118_400_000;

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

fn unless(fine: bool, odd: u32) -> u32 {
    if fine { 0 } else { odd }
}
