//! Times of Kafka, which counts milliseconds since 1970.

use jiff::Timestamp;

/// The time in UTC, as `2017-11-16T09:14:57.788Z`. `None` for -1, which Kafka writes for none, and
/// for what no calendar has.
pub fn utc(millis: i64) -> Option<String> {
    if millis < 0 {
        return None;
    }
    let time = Timestamp::from_millisecond(millis).ok()?;
    Some(format!("{time:.3}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_milliseconds() {
        assert_eq!(
            utc(1_510_822_000_700).as_deref(),
            Some("2017-11-16T08:46:40.700Z")
        );
        assert_eq!(utc(0).as_deref(), Some("1970-01-01T00:00:00.000Z"));
        assert_eq!(utc(-1), None);
        assert_eq!(utc(i64::MAX), None);
    }
}
