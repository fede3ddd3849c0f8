//! Lengths and counts, wrong as they may be.

use super::{Stop, Walk, value::reversed};
use crate::{
    decode::{
        diagnosis::{mistake::Mistake, odd, trace::Doubt, wording},
        limits,
    },
    schema::{FieldPlan, TypePlan},
};

impl Walk<'_> {
    /// Reads the length or count of a field whose length takes `usual` bytes when it is not
    /// compact, wrong as it may be.
    pub(super) fn length(
        &mut self,
        plan: &'static FieldPlan,
        usual: usize,
        wrong: Option<(usize, Mistake)>,
    ) -> Result<usize, Stop> {
        if let Some((idx, Mistake::Byte(right))) = wrong {
            return self.length_byte(plan, idx, right);
        }
        let from = self.cursor.at();
        let mistake = wrong.map(|(_, mistake)| mistake);
        let width = match mistake {
            Some(Mistake::Fixed(0)) => Some(usual),
            Some(Mistake::Fixed(width)) => Some(width),
            Some(Mistake::Narrow) => Some(2),
            Some(Mistake::Compact) => None,
            _ if plan.compact => None,
            _ => Some(usual),
        };
        let (stored, is_compact) = match width {
            None => (i64::from(self.uvarint()?), true),
            Some(width) if mistake == Some(Mistake::Reversed) => {
                (reversed(self.int(width)?, width), false)
            }
            Some(width) => (self.int(width)?, false),
        };
        let plus_one = is_compact != (mistake == Some(Mistake::OneMore));
        let claimed = stored - i64::from(plus_one);
        let span = self.cursor.since(from);
        self.claimed = Some(claimed);
        if mistake.is_none() {
            self.doubt(plan, is_compact.then_some(span.len), stored, claimed);
        }
        let length = match mistake {
            Some(Mistake::Off(by)) => {
                // Nobody miscounts nothing, or by so much.
                if claimed < 0 || claimed > self.cursor.end() as i64 {
                    self.unusual += odd::STRANGE;
                }
                claimed + by
            }
            _ => claimed,
        };
        let length = match usize::try_from(length) {
            Ok(length) if length <= self.cursor.left() => length,
            // The message may be cut inside of the array.
            Ok(length) if matches!(plan.ty, TypePlan::Array(_)) && length <= limits::CUT_COUNT => {
                self.overdrawn.get_or_insert(from);
                length
            }
            Ok(_) => return Err(Stop::Short),
            Err(_) if length == -1 && plan.nullable => 0,
            Err(_) if length == -1 && mistake == Some(Mistake::Null) => {
                let idx = wrong.map_or(usize::MAX, |(idx, _)| idx);
                self.grant(idx, span, || wording::null(plan, is_compact, usual));
                self.claimed = None;
                return Ok(0);
            }
            Err(_) => return Err(Stop::Stuck),
        };
        self.claimed = None;
        // A length that reads the same either way is no mistake.
        let is_idle = mistake == Some(Mistake::Reversed) && reversed(stored, usual) == stored;
        if let Some((idx, mistake)) =
            wrong.filter(|&(_, mistake)| mistake != Mistake::Null && !is_idle)
        {
            self.grant(idx, span, || {
                wording::length(plan, mistake, usual, stored, claimed)
            });
        }
        Ok(length)
    }

    /// Notes a length that is said to be `claimed` and cannot be, or that `compact` bytes were taken
    /// for where fewer hold it.
    fn doubt(&mut self, plan: &FieldPlan, compact: Option<usize>, stored: i64, claimed: i64) {
        let null = if plan.nullable { -1 } else { 0 };
        let is_short = !(null..=self.cursor.left() as i64).contains(&claimed);
        let is_long = compact
            .is_some_and(|n_bytes| n_bytes > 1 && (is_short || stored >> (7 * (n_bytes - 1)) == 0));
        let (step, at) = (self.n_met.saturating_sub(1), self.cursor.at());
        if let Some(trace) = self.trace.as_mut().filter(|_| is_short || is_long) {
            trace.doubt(Doubt {
                step,
                at,
                claimed,
                is_long,
                is_short,
            });
        }
    }

    /// Reads the first byte of a compact length as if it were `right` and all of it.
    fn length_byte(
        &mut self,
        plan: &'static FieldPlan,
        idx: usize,
        right: u8,
    ) -> Result<usize, Stop> {
        let from = self.cursor;
        let claimed = i64::from(self.uvarint()?) - 1;
        let n_bytes = self.cursor.at() - from.at();
        self.cursor = from;
        let span = self.here(1);
        self.take(1)?;
        let length = match usize::from(right).checked_sub(1) {
            Some(length) if length <= self.cursor.left() => length,
            None if plan.nullable => 0,
            _ => return Err(Stop::Stuck),
        };
        self.grant(idx, span, || {
            wording::length_byte(plan, n_bytes, claimed, right)
        });
        Ok(length)
    }
}
