//! Version ranges as definitions spell them: `3`, `0-5`, `2+`, `none`.

use std::fmt;

/// An inclusive range of versions; empty when nothing is in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Versions {
    /// Lowest version.
    pub min: i16,
    /// Highest version; `i16::MAX` for an open range.
    pub max: i16,
}

impl Versions {
    /// The empty range, spelled `none`.
    pub const NONE: Versions = Versions { min: 0, max: -1 };

    /// Reads a range as a definition spells it.
    pub fn parse(text: &str) -> Option<Versions> {
        let number = |text: &str| text.parse::<i16>().ok().filter(|&version| version >= 0);
        if text == "none" {
            return Some(Versions::NONE);
        }
        let (min, max) = match text.split_once('-') {
            Some((min, max)) => (number(min)?, number(max)?),
            None => match text.strip_suffix('+') {
                Some(min) => (number(min)?, i16::MAX),
                None => (number(text)?, number(text)?),
            },
        };
        (min <= max).then_some(Versions { min, max })
    }

    /// Whether `version` is in the range.
    pub fn contains(self, version: i16) -> bool {
        self.min <= version && version <= self.max
    }

    /// Whether no version is in the range.
    pub fn is_empty(self) -> bool {
        self.min > self.max
    }

    /// The versions in both ranges.
    pub fn and(self, other: Versions) -> Versions {
        let both = Versions {
            min: self.min.max(other.min),
            max: self.max.min(other.max),
        };
        if both.is_empty() {
            Versions::NONE
        } else {
            both
        }
    }

    /// The smallest range that has all versions of both.
    pub fn hull(self, other: Versions) -> Versions {
        match (self.is_empty(), other.is_empty()) {
            (true, _) => other,
            (_, true) => self,
            _ => Versions {
                min: self.min.min(other.min),
                max: self.max.max(other.max),
            },
        }
    }

    /// Every version of the range, in order.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = i16> {
        self.min..=self.max
    }
}

impl fmt::Display for Versions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            range if range.is_empty() => f.write_str("none"),
            Versions { min, max: i16::MAX } => write!(f, "{min}+"),
            Versions { min, max } if min == max => write!(f, "{min}"),
            Versions { min, max } => write!(f, "{min}-{max}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_read_and_print_as_spelled() {
        for text in ["0", "3", "0-5", "2+", "none"] {
            assert_eq!(Versions::parse(text).unwrap().to_string(), text);
        }
        for text in ["", "-1", "5-2", "a", "1-", "+", "40000"] {
            assert_eq!(Versions::parse(text), None, "{text}");
        }
    }

    #[test]
    fn intersections_are_empty_where_ranges_do_not_meet() {
        let parse = |text| Versions::parse(text).unwrap();
        assert_eq!(parse("0-5").and(parse("3+")), parse("3-5"));
        assert!(parse("0-2").and(parse("3+")).is_empty());
        assert_eq!(parse("0-2").hull(parse("5")), parse("0-5"));
        assert_eq!(parse("none").hull(parse("5")), parse("5"));
    }
}
