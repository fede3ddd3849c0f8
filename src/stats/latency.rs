//! How long answers took: latencies in, quantiles out.
//!
//! Invariant: quantiles are exact as long as there are at most [`EXACT`] latencies. Beyond that a
//! histogram takes over, which is right to a thousandth and needs no more memory than those
//! latencies did; whether it has is said with the quantiles. The largest latency is always exact.

use hdrhistogram::Histogram;

/// Latencies that are kept one by one: 8 bytes each, together as much as the histogram takes.
pub const EXACT: usize = 16_384;

/// The histogram's digits; three make an error of at most a thousandth.
const DIGITS: u8 = 3;

/// The longest latency that the histogram tells from longer ones: an hour, in nanoseconds.
const LONGEST: u64 = 3_600_000_000_000;

/// Nanoseconds from requests to their responses.
#[derive(Clone, Debug, Default)]
pub struct Latencies {
    few: Vec<u64>,
    many: Option<Box<Histogram<u32>>>,
    max: u64,
    n_backwards: u64,
}

/// The latencies below which half, nine tenths and so on of all lie, in nanoseconds: the smallest
/// one that at least so many are not above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantiles {
    /// Number of latencies.
    pub count: u64,
    pub p50: u64,
    pub p90: u64,
    pub p99: u64,
    pub max: u64,
    /// Whether they are exact; else p50, p90 and p99 are right to a thousandth.
    pub exact: bool,
}

impl Latencies {
    /// Adds a latency. A response that was captured before its request says nothing about how long
    /// it took, and is only counted.
    pub fn add(&mut self, nanos: i64) {
        let Ok(nanos) = u64::try_from(nanos) else {
            self.n_backwards += 1;
            return;
        };
        self.max = self.max.max(nanos);
        if let Some(histogram) = &mut self.many {
            histogram.saturating_record(nanos);
            return;
        }
        if self.few.len() < EXACT {
            self.few.push(nanos);
            return;
        }
        // The bounds are constants that the histogram takes; if it did not, all would be kept.
        match Histogram::new_with_bounds(1, LONGEST, DIGITS) {
            Ok(mut histogram) => {
                for kept in self.few.drain(..) {
                    histogram.saturating_record(kept);
                }
                histogram.saturating_record(nanos);
                self.few = Vec::new();
                self.many = Some(Box::new(histogram));
            }
            Err(_) => self.few.push(nanos),
        }
    }

    /// Responses that the capture holds before their requests.
    pub fn n_backwards(&self) -> u64 {
        self.n_backwards
    }

    /// The quantiles; `None` without any latency.
    pub fn quantiles(&self) -> Option<Quantiles> {
        if let Some(histogram) = &self.many {
            let at = |quantile| histogram.value_at_quantile(quantile).min(self.max);
            return Some(Quantiles {
                count: histogram.len(),
                p50: at(0.5),
                p90: at(0.9),
                p99: at(0.99),
                max: self.max,
                exact: false,
            });
        }
        let mut sorted = self.few.clone();
        sorted.sort_unstable();
        let at = |percent: usize| {
            let rank = (sorted.len() * percent).div_ceil(100).max(1);
            sorted.get(rank - 1).copied().unwrap_or_default()
        };
        (!sorted.is_empty()).then(|| Quantiles {
            count: sorted.len() as u64,
            p50: at(50),
            p90: at(90),
            p99: at(99),
            max: self.max,
            exact: true,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(nanos: impl IntoIterator<Item = i64>) -> Latencies {
        let mut latencies = Latencies::default();
        nanos.into_iter().for_each(|nanos| latencies.add(nanos));
        latencies
    }

    #[test]
    fn few_latencies_have_exact_quantiles_by_nearest_rank() {
        let quantiles = of((1..=100).rev()).quantiles().unwrap();
        let found = (quantiles.p50, quantiles.p90, quantiles.p99, quantiles.max);
        assert_eq!(found, (50, 90, 99, 100));
        assert!(quantiles.exact);
        let one = of([7]).quantiles().unwrap();
        assert_eq!((one.p50, one.p99, one.max, one.count), (7, 7, 7, 1));
        let two = of([9, 4]).quantiles().unwrap();
        assert_eq!((two.p50, two.p90), (4, 9));
        assert_eq!(of([]).quantiles(), None);
    }

    #[test]
    fn many_latencies_are_right_to_a_thousandth_and_say_so() {
        let n = 200_000_u64;
        // From a microsecond to 36 minutes, thinning out upwards.
        let value = |rank: u64| 1_000 + rank * rank * 54;
        let mut order: Vec<u64> = (1..=n).collect();
        order.sort_by_key(|rank| rank.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let latencies = of(order.into_iter().map(|rank| value(rank).cast_signed()));
        let quantiles = latencies.quantiles().unwrap();
        assert_eq!((quantiles.count, quantiles.max), (n, value(n)));
        assert!(!quantiles.exact);
        for (found, rank) in [
            (quantiles.p50, n / 2),
            (quantiles.p90, n / 10 * 9),
            (quantiles.p99, n / 100 * 99),
        ] {
            let right = value(rank);
            assert!(found.abs_diff(right) <= right / 1000, "{found} {right}");
        }
    }

    #[test]
    fn a_latency_above_the_range_stays_the_maximum_and_one_below_zero_is_none() {
        let day = 86_400_000_000_000;
        let mut latencies = of((0..=EXACT as i64).chain([day]));
        latencies.add(-5);
        let quantiles = latencies.quantiles().unwrap();
        assert_eq!(quantiles.max, day.cast_unsigned());
        assert_eq!(quantiles.count, EXACT as u64 + 2);
        assert_eq!(latencies.n_backwards(), 1);
    }
}
