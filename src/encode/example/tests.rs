//! The table is complete, and what comes out of it is encoded and read.

use super::{rows::rows, *};
use crate::schema::Definition;

/// Every plan of every request and response.
fn plans() -> impl Iterator<Item = &'static Plan> {
    let catalogue = Catalogue::current();
    ApiKey::all().flat_map(move |api| {
        [Direction::Request, Direction::Response]
            .into_iter()
            .flat_map(move |direction| {
                let definition: &'static Definition = catalogue.api(api, direction).unwrap();
                definition
                    .ever
                    .iter()
                    .map(move |version| catalogue.api_plan(api, direction, version).unwrap())
            })
    })
}

#[test]
fn every_example_is_encoded_and_read_to_its_last_byte() {
    for plan in plans() {
        let value = example(plan);
        let bytes = body(plan, &value)
            .unwrap_or_else(|error| panic!("{} {}: {error}", plan.name, plan.version));
        assert!(plan.fits(&bytes), "{} {}", plan.name, plan.version);
    }
}

/// Visits each field with the name of the one that it stands in.
fn visit(plan: &'static StructPlan, parent: &str, see: &mut impl FnMut(&str, &'static FieldPlan)) {
    let tagged = plan.tagged.iter().map(|(_, field)| field);
    for field in plan.fields.iter().chain(tagged) {
        see(parent, field);
        let inner = match &field.ty {
            TypePlan::Array(element) => &element.ty,
            ty => ty,
        };
        if let TypePlan::Struct(structure) = inner {
            visit(structure, field.node.name, see);
        }
    }
}

#[test]
fn every_field_that_holds_a_value_has_a_row() {
    let mut without = Vec::new();
    for plan in plans() {
        visit(&plan.body, "", &mut |parent, field| {
            let inner = match &field.ty {
                TypePlan::Array(element) => &element.ty,
                ty => ty,
            };
            let is_leaf = !matches!(inner, TypePlan::Struct(_));
            if is_leaf && row(plan.name, parent, field.node.name).is_none() {
                without.push(format!("{} {parent}/{}", plan.name, field.node.name));
            }
        });
    }
    without.sort();
    without.dedup();
    assert!(without.is_empty(), "{without:#?}");
}

#[test]
fn every_row_is_the_first_to_fit_some_field() {
    let mut used = vec![false; rows().len()];
    let mut mark = |message: &str, parent: &str, field: &str| {
        if let Some(idx) = rows()
            .iter()
            .position(|row| row.fits(message, parent, field))
        {
            used[idx] = true;
        }
    };
    let catalogue = Catalogue::current();
    for name in catalogue.names() {
        let definition = catalogue.definition(name).unwrap().unwrap();
        for version in definition.ever.iter() {
            let plan = catalogue.plan(name, version).unwrap();
            visit(&plan.body, "", &mut |parent, field| {
                mark(plan.name, parent, field.node.name);
            });
        }
    }
    let unused: Vec<_> = rows()
        .iter()
        .zip(used)
        .filter(|(_, used)| !used)
        .map(|(row, _)| row)
        .collect();
    assert!(unused.is_empty(), "{unused:#?}");
}

/// Elements of a list differ in what tells them apart.
#[test]
fn partitions_and_topics_of_a_list_differ() {
    for plan in plans() {
        differ(plan, &plan.body, &example(plan));
    }
}

fn differ(plan: &Plan, structure: &'static StructPlan, value: &Json) {
    const TELLING: [&str; 4] = ["Topic", "TopicName", "PartitionIndex", "Partition"];
    for field in &structure.fields {
        let found = &value[field.node.name];
        match (&field.ty, found) {
            (TypePlan::Array(element), Json::Array(items)) => {
                let TypePlan::Struct(inner) = &element.ty else {
                    continue;
                };
                items.iter().for_each(|item| differ(plan, inner, item));
                let [first, second, ..] = items.as_slice() else {
                    continue;
                };
                for name in TELLING {
                    let (first, second) = (first.get(name), second.get(name));
                    assert!(
                        first.is_none() || first != second,
                        "{} {} {name}",
                        plan.name,
                        plan.version
                    );
                }
            }
            (TypePlan::Struct(inner), Json::Object(_)) => differ(plan, inner, found),
            _ => {}
        }
    }
}
