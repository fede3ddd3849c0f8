//! The smallest legal instance: numbers are zero, strings and bytes empty, nullable structs null,
//! every array has one element, records are one empty batch. It shows a layout, not a default.

use super::Writer;
use crate::records::Polynomial;
use crate::schema::{FieldPlan, Plan, StructPlan, TypePlan};

/// The body of the smallest legal instance of `plan`.
pub fn smallest(plan: &Plan) -> Vec<u8> {
    let mut writer = Writer::default();
    structure(&mut writer, &plan.body);
    writer.into_bytes()
}

fn structure(writer: &mut Writer, plan: &StructPlan) {
    for field in &plan.fields {
        self::field(writer, field);
    }
    if plan.flexible {
        writer.uvarint(0);
    }
}

fn field(writer: &mut Writer, plan: &FieldPlan) {
    match &plan.ty {
        TypePlan::Bool | TypePlan::Int8 => writer.i8(0),
        TypePlan::Int16 | TypePlan::Uint16 => writer.i16(0),
        TypePlan::Int32 | TypePlan::Uint32 => writer.i32(0),
        TypePlan::Int64 | TypePlan::Float64 => writer.i64(0),
        TypePlan::Uuid => writer.raw(&[0; 16]),
        TypePlan::String if plan.compact => writer.uvarint(1),
        TypePlan::String => writer.i16(0),
        TypePlan::Bytes => length(writer, plan, 0),
        TypePlan::Records => {
            let batch = empty_batch();
            length(writer, plan, batch.len());
            writer.raw(&batch);
        }
        TypePlan::Struct(_) if plan.nullable => writer.i8(-1),
        TypePlan::Struct(plan) => structure(writer, plan),
        TypePlan::Array(element) => {
            length(writer, plan, 1);
            field(writer, element);
        }
    }
}

fn length(writer: &mut Writer, plan: &FieldPlan, length: usize) {
    if plan.compact {
        writer.uvarint(length as u64 + 1);
    } else {
        writer.i32(i32::try_from(length).unwrap_or(i32::MAX));
    }
}

/// A record batch without records: 61 bytes, all zero but for length, magic and checksum.
fn empty_batch() -> Vec<u8> {
    // What the checksum covers: attributes, last offset delta, both timestamps, producer id and
    // epoch, base sequence, count.
    let body = [0; 2 + 4 + 8 + 8 + 8 + 2 + 4 + 4];
    let mut writer = Writer::default();
    writer.i64(0);
    writer.i32(4 + 1 + 4 + body.len() as i32);
    writer.i32(0);
    writer.i8(2);
    writer.i32(Polynomial::Crc32c.of(&body).cast_signed());
    writer.raw(&body);
    writer.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Catalogue;

    #[test]
    fn an_empty_batch_has_61_bytes() {
        assert_eq!(empty_batch().len(), 61);
    }

    #[test]
    fn every_smallest_instance_is_read_to_its_last_byte() {
        let catalogue = Catalogue::current();
        for name in catalogue.names() {
            let definition = catalogue.definition(name).unwrap().unwrap();
            for version in definition.ever.iter() {
                let plan = catalogue.plan(name, version).unwrap();
                assert!(plan.fits(&smallest(plan)), "{name} {version}");
            }
        }
    }
}
