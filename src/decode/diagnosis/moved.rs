//! The first field of the body stands behind all others: brokers that add `ThrottleTimeMs` to what
//! they send in version 0 tend to put it at the end.

use super::{Case, Repair, walk::Ending};
use crate::{
    schema::{Plan, TypePlan},
    wire::{BufferId, Cursor, Span},
};

/// What it costs, beside the strangeness of the values: less than another version that was not
/// asked for, or another API.
const MOVED: u32 = 9;

/// Larger messages are not put in another order to see.
const MOST: usize = 1 << 20;

impl Case<'_> {
    /// Whether the bytes are exact once the last value stands in front.
    pub(super) fn moved(&self) -> Option<Repair> {
        let reading = self.proper.filter(|_| self.bytes.len() <= MOST)?;
        let [first, second, ..] = &*reading.body.body.fields else {
            return None;
        };
        let width = width(&first.ty)?;
        let body = reading.start + header_len(reading.header, self.bytes.get(reading.start..)?)?;
        // Tagged fields end a structure wherever its fields stand.
        let n_tags = usize::from(reading.body.body.flexible);
        let end = self.bytes.len().checked_sub(n_tags)?;
        let at = end.checked_sub(width).filter(|&at| at > body)?;
        let bytes = [
            self.bytes.get(..body)?,
            self.bytes.get(at..end)?,
            self.bytes.get(body..at)?,
            self.bytes.get(end..)?,
        ]
        .concat();
        let outcome = reading.walk(&bytes, &[]);
        (outcome.ending == Ending::Exact).then(|| Repair {
            span: Span::new(BufferId::FRAME, at, end),
            message: format!(
                "{} stands behind all other fields, and should stand in front of {}",
                first.node.name, second.node.name
            ),
            cost: MOVED + outcome.strangeness(),
        })
    }
}

/// Bytes of a type that always has as many.
fn width(ty: &TypePlan) -> Option<usize> {
    match ty {
        TypePlan::Int16 | TypePlan::Uint16 => Some(2),
        TypePlan::Int32 | TypePlan::Uint32 => Some(4),
        TypePlan::Int64 => Some(8),
        _ => None,
    }
}

fn header_len(header: Option<&Plan>, bytes: &[u8]) -> Option<usize> {
    let mut cursor = Cursor::new(bytes, BufferId::FRAME);
    if let Some(header) = header {
        header.measure(&mut cursor)?;
    }
    Some(cursor.at())
}
