//! Buckets of time: how wide they are so that a given number of them covers a capture.

/// Widths that people count in, in nanoseconds: a microsecond to a day.
const WIDTHS: &[i64] = &{
    const US: i64 = 1_000;
    const MS: i64 = 1_000 * US;
    const S: i64 = 1_000 * MS;
    const MIN: i64 = 60 * S;
    const HOUR: i64 = 60 * MIN;
    [
        US,
        2 * US,
        5 * US,
        10 * US,
        20 * US,
        50 * US,
        100 * US,
        200 * US,
        500 * US,
        MS,
        2 * MS,
        5 * MS,
        10 * MS,
        20 * MS,
        50 * MS,
        100 * MS,
        200 * MS,
        500 * MS,
        S,
        2 * S,
        5 * S,
        10 * S,
        20 * S,
        30 * S,
        MIN,
        2 * MIN,
        5 * MIN,
        10 * MIN,
        20 * MIN,
        30 * MIN,
        HOUR,
        2 * HOUR,
        3 * HOUR,
        6 * HOUR,
        12 * HOUR,
        24 * HOUR,
    ]
};

/// Buckets of equal width that start at multiples of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Buckets {
    pub(super) start: i64,
    pub(super) width: i64,
    pub(super) count: usize,
}

impl Buckets {
    /// At most `most` buckets from the first time to the last, nanoseconds since 1970.
    pub(super) fn covering(first: i64, last: i64, most: usize) -> Buckets {
        let most = i64::try_from(most.max(2)).unwrap_or(i64::MAX);
        let start = |width: i64| first - first.rem_euclid(width);
        let count = |width: i64| last.saturating_sub(start(width)) / width + 1;
        let mut widths = WIDTHS.iter().copied();
        let found = widths.find(|&width| count(width) <= most);
        // Years: as many days as it takes.
        let width = found.unwrap_or_else(|| {
            let day = WIDTHS.last().copied().unwrap_or(1);
            let days = (last.saturating_sub(first) / day + 2) / (most - 1) + 1;
            days.saturating_mul(day)
        });
        Buckets {
            start: start(width),
            width,
            count: usize::try_from(count(width)).unwrap_or(1),
        }
    }

    /// The bucket of a time; the first or the last one for those outside.
    pub(super) fn of(&self, time: i64) -> usize {
        let idx = time.saturating_sub(self.start).max(0) / self.width;
        usize::try_from(idx).map_or(0, |idx| idx.min(self.count.saturating_sub(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_cover_any_span_with_no_more_than_asked_for() {
        let spans = [0, 1, 999, 1_000_000, 2_345_678_901, 86_400_000_000_000];
        for first in [0, -7, 1_793_000_000_123_456_789, i64::MAX - 3] {
            for span in spans.into_iter().chain([i64::MAX / 4, i64::MAX]) {
                for most in [2, 3, 24, 1000] {
                    let last = first.saturating_add(span);
                    let buckets = Buckets::covering(first, last, most);
                    assert!(buckets.count <= most, "{first} {span} {most} {buckets:?}");
                    assert_eq!(buckets.of(first), 0);
                    assert_eq!(buckets.of(last), buckets.count - 1, "{buckets:?}");
                    assert!(buckets.start <= first);
                }
            }
        }
    }

    #[test]
    fn widths_are_what_people_count_in() {
        let second = 1_000_000_000;
        let buckets = Buckets::covering(10 * second + 5, 69 * second, 24);
        assert_eq!((buckets.start, buckets.width), (10 * second, 5 * second));
        assert_eq!(buckets.count, 12);
    }
}
