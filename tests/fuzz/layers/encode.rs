//! Values: two bytes choose a message, then JSON, or bytes that values are made of.

use kafscope::{
    decode::{Lead, structure},
    encode::body,
    render::{Head, json_message},
    schema::{Catalogue, FieldPlan, Plan, StructPlan, TypePlan},
    tree::Builder,
};
use serde_json::{Map, Value as Json};

pub(super) fn run(data: &[u8]) {
    let Some((&[which, version], rest)) = data.split_first_chunk() else {
        return;
    };
    let catalogue = Catalogue::current();
    let idx = usize::from(which) + 256 * usize::from(version >> 7);
    let Some(name) = catalogue.names().nth(idx) else {
        return;
    };
    let Some(plan) = catalogue.plan(name, (version & 0x1f).into()) else {
        return;
    };
    let json = serde_json::from_slice(rest).unwrap_or_else(|_| {
        let mut source = Source { bytes: rest };
        source.structure(&plan.body, 0)
    });
    let bytes = match body(plan, &json) {
        Ok(bytes) => bytes,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    // What was written is read again, and says the same when it is written once more.
    let (value, n_problems) = decoded(plan, &bytes);
    let Ok(again) = body(plan, &value) else {
        assert!(n_problems > 0, "{name}: {value}");
        return;
    };
    let (value_again, _) = decoded(plan, &again);
    assert_eq!(value, value_again, "{name}");
}

fn decoded(plan: &'static Plan, bytes: &[u8]) -> (Json, usize) {
    let (mut tree, ()) = Builder::build(bytes.to_vec(), |bytes, sink| {
        structure(plan, Lead::None, bytes, sink);
    });
    tree.set_secrecy(kafscope::tree::Secrecy::Show);
    let n_problems = tree.problems().len();
    let mut line = json_message(&tree, &Head::Structure(plan));
    (line.remove("value").unwrap(), n_problems)
}

/// Bytes that decide what values are.
struct Source<'a> {
    bytes: &'a [u8],
}

impl Source<'_> {
    fn next(&mut self) -> u8 {
        let Some((&first, rest)) = self.bytes.split_first() else {
            return 0;
        };
        self.bytes = rest;
        first
    }

    fn number(&mut self, bits: u32) -> i64 {
        let n_bytes = u32::from(self.next()) % (bits / 8) + 1;
        let value = (0..n_bytes).fold(0, |value: i64, _| value << 8 | i64::from(self.next()));
        let unused = 64 - 8 * n_bytes;
        value << unused >> unused
    }

    fn text(&mut self) -> String {
        let len = usize::from(self.next()) % 24;
        (0..len).map(|_| char::from(self.next())).collect()
    }

    fn structure(&mut self, plan: &'static StructPlan, depth: u32) -> Json {
        let mut object = Map::new();
        for field in &plan.fields {
            object.insert(field.node.name.into(), self.field(field, depth));
        }
        for (_, field) in &plan.tagged {
            if self.next() & 1 == 1 {
                object.insert(field.node.name.into(), self.field(field, depth));
            }
        }
        object.into()
    }

    fn field(&mut self, plan: &'static FieldPlan, depth: u32) -> Json {
        if plan.nullable && self.next() & 3 == 0 {
            return Json::Null;
        }
        match &plan.ty {
            TypePlan::Bool => (self.next() & 1 == 1).into(),
            TypePlan::Int8 => self.number(8).into(),
            TypePlan::Int16 => self.number(16).into(),
            TypePlan::Uint16 => (self.number(16) as u16).into(),
            TypePlan::Int32 => self.number(32).into(),
            TypePlan::Uint32 => (self.number(32) as u32).into(),
            TypePlan::Int64 => self.number(64).into(),
            TypePlan::Float64 => f64::from(self.next()).into(),
            TypePlan::Uuid => {
                format!("00000000-0000-0000-0000-0000000000{:02x}", self.next()).into()
            }
            TypePlan::String => self.text().into(),
            TypePlan::Bytes | TypePlan::Records => {
                let len = self.next() % 32;
                let hex: String = (0..len).map(|_| format!("{:02x}", self.next())).collect();
                hex.into()
            }
            TypePlan::Struct(plan) => self.structure(plan, depth + 1),
            TypePlan::Array(element) => {
                let len = if depth < 4 { self.next() % 4 } else { 0 };
                (0..len).map(|_| self.field(element, depth + 1)).collect()
            }
        }
    }
}
