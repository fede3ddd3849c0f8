//! Times and lengths of time as people read them.
//!
//! What comes in is milliseconds as Kafka counts them; what goes out is short text, or nothing
//! where the number already says it: zero, what is out of range, what is shorter than a second.

use jiff::Timestamp;

/// Milliseconds since 1970 as `2024-11-01T10:00:00.000Z`.
pub fn time(ms: i64) -> Option<String> {
    if ms <= 0 {
        return None;
    }
    let time = Timestamp::from_millisecond(ms).ok()?;
    Some(format!("{time:.3}"))
}

/// The time that `ms` is where it was meant as seconds: in 1970 as milliseconds, and of these years
/// as seconds.
pub(super) fn of_seconds(ms: i64) -> Option<String> {
    /// 2005 to 2099.
    const YEARS: std::ops::Range<i64> = 1_104_537_600..4_102_444_800;
    let time = Timestamp::from_second(ms).ok()?;
    YEARS.contains(&ms).then(|| time.to_string())
}

/// Milliseconds as `30 s`, `1 h 30 min`, `7 d`.
pub(super) fn duration(ms: i64) -> Option<String> {
    /// Days, hours, minutes in milliseconds.
    const UNITS: [(i64, &str); 3] = [(86_400_000, "d"), (3_600_000, "h"), (60_000, "min")];
    if ms < 1_000 {
        return None;
    }
    if ms == i64::MAX {
        return Some("no limit".to_owned());
    }
    let mut parts = Vec::new();
    let mut rest = ms;
    for (unit, name) in UNITS {
        if rest >= unit {
            parts.push(format!("{} {name}", rest / unit));
            rest %= unit;
        }
    }
    let (seconds, milliseconds) = (rest / 1_000, rest % 1_000);
    if milliseconds > 0 {
        let fraction = format!("{milliseconds:03}");
        parts.push(format!("{seconds}.{} s", fraction.trim_end_matches('0')));
    } else if seconds > 0 {
        parts.push(format!("{seconds} s"));
    }
    Some(parts.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_utc_to_the_millisecond() {
        let text = |ms| time(ms).unwrap_or_default();
        assert_eq!(text(1_730_455_200_000), "2024-11-01T10:00:00.000Z");
        assert_eq!(text(1_730_455_200_001), "2024-11-01T10:00:00.001Z");
        assert_eq!(text(1), "1970-01-01T00:00:00.001Z");
        assert_eq!([text(0), text(-1), text(i64::MIN), text(i64::MAX)], [""; 4]);
    }

    #[test]
    fn seconds_are_told_from_milliseconds() {
        assert_eq!(
            of_seconds(1_730_455_200).unwrap_or_default(),
            "2024-11-01T10:00:00Z"
        );
        for ms in [
            -1,
            0,
            1_104_537_599,
            4_102_444_800,
            1_730_455_200_000,
            i64::MAX,
        ] {
            assert_eq!(of_seconds(ms), None);
        }
    }

    #[test]
    fn durations_use_the_largest_units() {
        let text = |ms| duration(ms).unwrap_or_default();
        assert_eq!(text(30_000), "30 s");
        assert_eq!(text(604_800_000), "7 d");
        assert_eq!(text(5_400_000), "1 h 30 min");
        assert_eq!(text(1_500), "1.5 s");
        assert_eq!(text(61_005), "1 min 1.005 s");
        assert_eq!(text(86_400_001), "1 d 0.001 s");
        assert_eq!(text(2_147_483_647), "24 d 20 h 31 min 23.647 s");
        assert_eq!(text(i64::MAX), "no limit");
        assert_eq!([text(0), text(999), text(-5)], [""; 3]);
    }
}
