//! Values that are no structure, and how strange they are.

use uuid::Uuid;

use super::{Stop, Walk};
use crate::{
    decode::diagnosis::{mistake::Mistake, odd, trace::Content, wording},
    records::are_records,
    schema::{FieldPlan, TypePlan},
};

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
                let value = self.int(width)?;
                let span = self.cursor.since(from);
                self.grant(idx, span, || wording::width(plan, width, size));
                value
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

    pub(super) fn string(&mut self, plan: &FieldPlan, length: usize) -> Result<(), Stop> {
        let bytes = self.take(length)?;
        match std::str::from_utf8(bytes) {
            Ok(text) => {
                self.odd += odd::text(&plan.node, text);
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

    pub(super) fn id(&mut self) -> Result<(), Stop> {
        let id = self.cursor.array().map_err(|_| Stop::Short)?;
        self.unusual += odd::id(Uuid::from_bytes(id));
        Ok(())
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
