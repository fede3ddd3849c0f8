//! Values that are no structure, and how strange they are.

use uuid::Uuid;

use super::{Stop, Walk};
use crate::{
    decode::diagnosis::{mistake::Mistake, odd, trace::Content, wording},
    records::{LOG_OVERHEAD, MAGIC_AT, are_records},
    schema::{FieldPlan, TypePlan},
};

/// Bytes of a record batch without records.
const BATCH_HEADER: usize = 61;

impl Walk<'_> {
    pub(super) fn number(
        &mut self,
        plan: &'static FieldPlan,
        size: usize,
        wrong: Option<(usize, Mistake)>,
    ) -> Result<(), Stop> {
        let from = self.cursor.at();
        let value = match wrong {
            Some((idx, Mistake::Width(width))) => {
                self.of_width(idx, width, || wording::width(plan, width, size))?
            }
            Some((idx, Mistake::Reversed)) => {
                let value = self.int(size)?;
                let reversed = reversed(value, size);
                let span = self.cursor.since(from);
                if reversed != value {
                    self.grant(idx, span, || wording::reversed(plan, reversed));
                }
                reversed
            }
            _ => self.int(size)?,
        };
        self.odd += odd::number(&plan.node, size, value);
        self.unusual += odd::unusual(&plan.node, size, value);
        Ok(())
    }

    /// A text with its length, or with a NUL.
    pub(super) fn text(
        &mut self,
        plan: &'static FieldPlan,
        wrong: Option<(usize, Mistake)>,
    ) -> Result<(), Stop> {
        match wrong {
            Some((idx, Mistake::NulEnded)) => {
                let len = memchr::memchr(0, self.cursor.rest()).filter(|&len| len > 0);
                let len = len.ok_or(Stop::Stuck)?;
                let span = self.here(len + 1);
                self.string(plan, len)?;
                self.take(1)?;
                self.grant(idx, span, || wording::nul_ended(plan, len));
            }
            Some((idx, Mistake::NulBehind)) => {
                let length = self.length(plan, 2, None)?;
                self.string(plan, length)?;
                // Nobody ends what is not there.
                if length > 0 {
                    let span = self.here(1);
                    match self.take(1)? {
                        [0] => self.grant(idx, span, || wording::nul_behind(plan)),
                        _ => return Err(Stop::Stuck),
                    }
                }
            }
            _ => {
                let length = self.length(plan, 2, wrong)?;
                self.string(plan, length)?;
            }
        }
        Ok(())
    }

    pub(super) fn string(&mut self, plan: &FieldPlan, length: usize) -> Result<(), Stop> {
        let bytes = self.take(length)?;
        match std::str::from_utf8(bytes) {
            Ok(text) => {
                let strange = odd::text(&plan.node, text);
                let unusual = odd::unusual_text(&plan.node, text);
                self.odd += strange;
                self.unusual += unusual;
                self.text += length;
                Ok(())
            }
            Err(_) => Err(Stop::Stuck),
        }
    }

    pub(super) fn float(&mut self) -> Result<(), Stop> {
        let value = self.cursor.f64().map_err(|_| Stop::Short)?;
        self.unusual += odd::float(value);
        Ok(())
    }

    /// A number that is written with another width than its own.
    fn of_width(
        &mut self,
        idx: usize,
        width: usize,
        text: impl FnOnce() -> String,
    ) -> Result<i64, Stop> {
        let from = self.cursor.at();
        let value = self.int(width)?;
        let span = self.cursor.since(from);
        self.grant(idx, span, text);
        Ok(value)
    }

    pub(super) fn bool(
        &mut self,
        plan: &FieldPlan,
        wrong: Option<(usize, Mistake)>,
    ) -> Result<(), Stop> {
        let value = match wrong {
            Some((idx, Mistake::Width(width))) => {
                self.of_width(idx, width, || wording::wide_bool(plan, width))?
            }
            _ => self.int(1)?,
        };
        // A byte that is no bool speaks against a reading that was made to fit.
        match value {
            0 | 1 => Ok(()),
            _ => Err(Stop::Stuck),
        }
    }

    pub(super) fn id(
        &mut self,
        plan: &FieldPlan,
        wrong: Option<(usize, Mistake)>,
    ) -> Result<(), Stop> {
        if let Some((idx, Mistake::TextId)) = wrong {
            let len = text_id(self.cursor.rest()).ok_or(Stop::Stuck)?;
            let span = self.here(len);
            self.take(len)?;
            self.grant(idx, span, || wording::text_id(plan));
            return Ok(());
        }
        let id = self.cursor.array().map_err(|_| Stop::Short)?;
        self.unusual += odd::id(Uuid::from_bytes(id));
        Ok(())
    }

    /// The length of the record batch that starts here, where its own length belongs.
    pub(super) fn batch(&mut self, plan: &FieldPlan, idx: usize) -> Result<usize, Stop> {
        let len = batch(self.cursor.rest()).ok_or(Stop::Stuck)?;
        let span = self.here(0);
        self.grant(idx, span, || wording::length_missing(plan, len));
        Ok(len)
    }

    pub(super) fn bytes(&mut self, plan: &'static FieldPlan, length: usize) -> Result<(), Stop> {
        let from = self.cursor.at();
        let bytes = self.cursor.take(length).map_err(|_| Stop::Short)?;
        let is_records = matches!(plan.ty, TypePlan::Records) && length > 0;
        if is_records && !are_records(bytes) {
            self.odd += odd::STRANGE;
        }
        if let Some(inside) = plan.inside {
            self.unusual += odd::content(inside, bytes);
        }
        let span = self.cursor.since(from);
        if let Some(trace) = &mut self.trace {
            trace.hold(Content { span, plan });
        }
        Ok(())
    }
}

/// The number whose `size` bytes are those of `value` the other way round.
pub(super) fn reversed(value: i64, size: usize) -> i64 {
    // Down to the size, with its sign.
    value.swap_bytes() >> (64 - 8 * size as u32)
}

/// The bytes that a uuid takes as text at the front of `bytes`, with its length of one byte or two
/// or none.
fn text_id(bytes: &[u8]) -> Option<usize> {
    const LEN: usize = 36;
    let lengths: [&[u8]; 4] = [&[LEN as u8 + 1], &[LEN as u8], &[0, LEN as u8], &[]];
    lengths.into_iter().find_map(|length| {
        let text = bytes.strip_prefix(length)?.get(..LEN)?;
        Uuid::try_parse_ascii(text)
            .is_ok()
            .then_some(length.len() + LEN)
    })
}

/// The bytes of the record batch (magic 2) at the front of `bytes`, if there is a whole one.
fn batch(bytes: &[u8]) -> Option<usize> {
    if bytes.get(MAGIC_AT) != Some(&2) || !are_records(bytes) {
        return None;
    }
    let length = bytes.get(LOG_OVERHEAD - 4..)?.first_chunk().copied()?;
    let len = usize::try_from(i32::from_be_bytes(length)).ok()? + LOG_OVERHEAD;
    (BATCH_HEADER..=bytes.len()).contains(&len).then_some(len)
}
