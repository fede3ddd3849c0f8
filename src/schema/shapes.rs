//! How the responses of all APIs and versions look on the wire, each way once.
//!
//! Whoever has a frame and does not know what it answers has to try them all. Most versions of an API
//! look like the one before, and many APIs answer with the same few numbers.

use std::collections::HashMap;

use super::{
    ApiKey, Catalogue, Direction, FieldPlan, Plan, StructPlan, TypePlan, response_header_version,
};
use crate::event::Role;

/// What responses look like, and whose.
#[derive(Debug)]
pub struct ResponseShape {
    pub header_version: i16,
    /// One of the plans that look so.
    pub plan: &'static Plan,
    /// Bytes that a body has at least.
    pub least: usize,
    /// The APIs, in ascending order.
    pub apis: Vec<ApiKey>,
}

impl Catalogue {
    /// What the responses of all versions of all APIs look like, the same shape once.
    pub fn response_shapes(&'static self) -> &'static [ResponseShape] {
        self.shapes.get_or_init(|| shapes(self))
    }
}

fn shapes(catalogue: &'static Catalogue) -> Vec<ResponseShape> {
    let mut shapes: Vec<ResponseShape> = Vec::new();
    let mut by_form: HashMap<(i16, Vec<Token>), usize> = HashMap::new();
    let keys = 0..i16::try_from(catalogue.n_apis()).unwrap_or(i16::MAX);
    for api in keys.map(ApiKey) {
        let Some(definition) = catalogue.api(api, Direction::Response) else {
            continue;
        };
        for version in definition.ever.iter() {
            let Some(plan) = catalogue.api_plan(api, Direction::Response, version) else {
                continue;
            };
            let header_version = response_header_version(definition, version);
            let mut form = Vec::new();
            plan.body.spell(&mut form);
            let idx = *by_form
                .entry((header_version, form))
                .or_insert(shapes.len());
            match shapes.get_mut(idx) {
                Some(shape) if shape.apis.last() == Some(&api) => {}
                Some(shape) => shape.apis.push(api),
                None => shapes.push(ResponseShape {
                    header_version,
                    plan,
                    least: plan.body.least(),
                    apis: vec![api],
                }),
            }
        }
    }
    shapes
}

/// A part of the form of a structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Token {
    Value {
        ty: &'static str,
        compact: bool,
        nullable: bool,
        /// It is read as something else than a number or a text.
        role: Role,
    },
    /// Tagged fields follow the plain ones.
    Flexible,
    Tag(u32),
    End,
}

impl StructPlan {
    /// Writes down all that tells its bytes from those of others.
    fn spell(&self, form: &mut Vec<Token>) {
        for field in &self.fields {
            field.spell(form);
        }
        if self.flexible {
            form.push(Token::Flexible);
        }
        for (tag, field) in &self.tagged {
            form.push(Token::Tag(*tag));
            field.spell(form);
        }
        form.push(Token::End);
    }

    /// Bytes that it has at least.
    fn least(&self) -> usize {
        let fields: usize = self.fields.iter().map(FieldPlan::least).sum();
        fields + usize::from(self.flexible)
    }
}

impl FieldPlan {
    fn spell(&self, form: &mut Vec<Token>) {
        form.push(Token::Value {
            ty: self.ty.name(),
            compact: self.compact,
            nullable: self.nullable,
            role: self.node.role,
        });
        match &self.ty {
            TypePlan::Struct(structure) => structure.spell(form),
            TypePlan::Array(element) => element.spell(form),
            _ => {}
        }
    }

    fn least(&self) -> usize {
        match &self.ty {
            TypePlan::Bool | TypePlan::Int8 => 1,
            TypePlan::Int16 | TypePlan::Uint16 => 2,
            TypePlan::Int32 | TypePlan::Uint32 => 4,
            TypePlan::Int64 | TypePlan::Float64 => 8,
            TypePlan::Uuid => 16,
            TypePlan::Struct(_) if self.nullable => 1,
            TypePlan::Struct(structure) => structure.least(),
            _ if self.compact => 1,
            TypePlan::String => 2,
            TypePlan::Bytes | TypePlan::Records | TypePlan::Array(_) => 4,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_response_has_its_shape() {
        let catalogue = Catalogue::current();
        let shapes = catalogue.response_shapes();
        let n_versions: usize = ApiKey::all()
            .filter_map(|api| catalogue.api(api, Direction::Response))
            .map(|definition| definition.ever.iter().count())
            .sum();
        // Many versions differ from the one before in nothing but their number.
        assert!(shapes.len() * 3 < n_versions * 2);
        for api in ApiKey::all() {
            assert!(
                shapes.iter().any(|shape| shape.apis.contains(&api)),
                "{api:?}"
            );
        }
    }

    #[test]
    fn no_body_is_shorter_than_the_least() {
        for shape in Catalogue::current().response_shapes() {
            let zeros = vec![0; shape.least];
            assert!(!shape.plan.fits(&zeros[1.min(zeros.len())..]) || shape.least == 0);
        }
    }
}
