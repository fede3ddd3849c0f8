//! What to say of each mistake.

use super::mistake::Mistake;
use crate::{
    event::{Section, n_bytes},
    schema::{FieldPlan, StructPlan, TypePlan},
};

const REQUEST_HEADER: &str = "RequestHeader";
const RESPONSE_HEADER: &str = "ResponseHeader";

pub(super) fn tags_missing(plan: &StructPlan) -> String {
    match plan.name {
        REQUEST_HEADER => "the request header lacks the tagged-fields byte (00) that header \
                           version 2 has behind client_id"
            .to_owned(),
        RESPONSE_HEADER => {
            "the response header lacks its tagged-fields byte (00) behind the correlation id"
                .to_owned()
        }
        name => format!("the tagged-fields byte (00) that ends {name} is missing"),
    }
}

pub(super) fn tags_extra(plan: &StructPlan) -> String {
    match (plan.name, plan.flexible) {
        (REQUEST_HEADER, false) => "the request header ends with a tagged-fields byte, which \
                                    header version 1 does not have"
            .to_owned(),
        (RESPONSE_HEADER, false) => "the response header has a tagged-fields byte, but header \
                                     version 0 has none here"
            .to_owned(),
        (name, true) => format!("{name} ends with a byte 00 too many"),
        (name, false) => {
            format!("{name} ends with a tagged-fields byte, which this version does not have")
        }
    }
}

pub(super) fn tag_size(field: &FieldPlan, size: usize, taken: usize) -> String {
    format!(
        "the size of the tagged field {} is {size}, but its content takes {}",
        field.node.name,
        n_bytes(taken as u64)
    )
}

pub(super) fn field_missing(plan: &FieldPlan, owner: &str) -> String {
    format!("{} of {owner} is missing", name(plan))
}

pub(super) fn presence_missing(plan: &FieldPlan) -> String {
    format!("the presence byte (01) of {} is missing", name(plan))
}

pub(super) fn extra(plan: &FieldPlan, len: usize) -> String {
    format!(
        "{} too many in front of {}",
        match len {
            1 => "1 byte is".to_owned(),
            _ => format!("{len} bytes are"),
        },
        name(plan)
    )
}

pub(super) fn width(plan: &FieldPlan, width: usize, size: usize) -> String {
    format!(
        "{} takes {}, but it is an int{}",
        name(plan),
        n_bytes(width as u64),
        8 * size
    )
}

pub(super) fn wide_bool(plan: &FieldPlan, width: usize) -> String {
    format!(
        "{} is an int{}, and 1 byte belongs there",
        name(plan),
        8 * width
    )
}

pub(super) fn text_id(plan: &FieldPlan) -> String {
    format!(
        "{} is a text of 36 characters where 16 bytes belong",
        name(plan)
    )
}

pub(super) fn length_missing(plan: &FieldPlan, len: usize) -> String {
    format!(
        "the length of {} is missing, {}: the record batch starts where it belongs",
        name(plan),
        right_length(plan, "int32", len)
    )
}

pub(super) fn swapped(plan: &FieldPlan, next: &FieldPlan) -> String {
    let (first, second) = (name(plan), name(next));
    format!("{second} stands in front of {first}, and should stand behind it")
}

pub(super) fn nul_behind(plan: &FieldPlan) -> String {
    format!(
        "{} ends with a NUL (00) that its length does not count; no text of Kafka's has one",
        name(plan)
    )
}

pub(super) fn nul_ended(plan: &FieldPlan, len: usize) -> String {
    format!(
        "{} ends with a NUL (00) instead of having its length in front, {}",
        name(plan),
        right_length(plan, "int16", len)
    )
}

/// The length that belongs in front of a field, of the `fixed` type where it is not compact.
fn right_length(plan: &FieldPlan, fixed: &str, len: usize) -> String {
    match plan.compact {
        true => format!("an unsigned varint of n+1 ({})", len + 1),
        false => format!("an {fixed} ({len})"),
    }
}

pub(super) fn reversed(plan: &FieldPlan, right: i64) -> String {
    format!("{} is little-endian; it should be {right}", name(plan))
}

pub(super) fn null(plan: &FieldPlan, is_compact: bool, usual: usize) -> String {
    let what = match plan.ty {
        TypePlan::Array(_) => "array",
        TypePlan::String => "string",
        _ => "bytes",
    };
    let empty = match is_compact {
        true => "01".to_owned(),
        false => "00 ".repeat(usual).trim_end().to_owned(),
    };
    format!(
        "{} is null, which this version does not allow; the empty {what} is {empty}",
        name(plan)
    )
}

/// A length or count of `plan` that is stored as `stored` and says `claimed`.
pub(super) fn length(
    plan: &FieldPlan,
    mistake: Mistake,
    usual: usize,
    stored: i64,
    claimed: i64,
) -> String {
    let of = length_of(plan);
    let mistake = match mistake {
        Mistake::Narrow => Mistake::Fixed(2),
        mistake => mistake,
    };
    match mistake {
        Mistake::Fixed(width) if plan.compact => {
            let bits = 8 * if width == 0 { usual } else { width };
            let right = stored + 1;
            format!(
                "{of} is an int{bits} ({stored}) where this version has an unsigned varint of n+1 \
                 ({right})"
            )
        }
        Mistake::Fixed(1) if plan.node.section == Section::Header => {
            "client_id has a length of one byte, in every header version it is an int16".to_owned()
        }
        Mistake::Fixed(width) => format!(
            "{of} is an int{} where an int{} is expected",
            8 * width,
            8 * usual
        ),
        Mistake::Compact if plan.node.section == Section::Header => {
            "client_id has a compact length, but in every header version it keeps its int16"
                .to_owned()
        }
        Mistake::Compact => format!(
            "{of} is an unsigned varint where this version has an int{}",
            8 * usual
        ),
        Mistake::Reversed => format!("{of} is little-endian; it should be {stored}"),
        Mistake::OneMore if plan.compact => format!(
            "{of} is written as {stored}, but compact lengths are n+1, so it should be {}",
            stored + 1
        ),
        Mistake::OneMore => {
            format!("{of} is {stored}, one too many: only compact lengths are n+1")
        }
        Mistake::Off(by) => {
            let right = claimed + by;
            let make = if right == 1 { "makes" } else { "make" };
            format!(
                "{of} says {}, but {} {make} everything fit",
                amount(plan, claimed),
                amount(plan, right)
            )
        }
        _ => of,
    }
}

/// A compact length whose `n_bytes` say `claimed`, and whose first one should be `right` and all of
/// it.
pub(super) fn length_byte(plan: &FieldPlan, n_bytes: usize, claimed: i64, right: u8) -> String {
    format!(
        "{} says {} in {}, but {right:02x} alone, {}, makes everything fit",
        length_of(plan),
        amount(plan, claimed),
        self::n_bytes(n_bytes as u64),
        amount(plan, i64::from(right) - 1)
    )
}

fn length_of(plan: &FieldPlan) -> String {
    let what = match plan.ty {
        TypePlan::Array(_) => "count",
        _ => "length",
    };
    format!("the {what} of {}", name(plan))
}

/// What a length says.
fn amount(plan: &FieldPlan, n: i64) -> String {
    let noun = match plan.ty {
        TypePlan::Array(_) => "element",
        _ => "byte",
    };
    match n {
        -1 => "null".to_owned(),
        1 => format!("1 {noun}"),
        _ => format!("{n} {noun}s"),
    }
}

/// The name that is shown: header fields have another one than in their definition.
pub(super) fn name(plan: &FieldPlan) -> &str {
    match (plan.node.section, plan.node.name) {
        (Section::Header, "RequestApiKey") => "request_api_key",
        (Section::Header, "RequestApiVersion") => "request_api_version",
        (Section::Header, "CorrelationId") => "correlation_id",
        (Section::Header, "ClientId") => "client_id",
        // Elements have no name but their array's.
        _ => &plan.field.name,
    }
}
