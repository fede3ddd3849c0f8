//! What fields one version of a message has that another has not, or has in another way.

use std::fmt;

use super::align::{Side, align};
use crate::schema::{FieldPlan, Plan, StructPlan, TypePlan};

/// A field that is not the same in both versions.
#[derive(Debug)]
pub struct Change {
    /// Where it is, as `Topics[].Name`.
    pub path: String,
    /// What it was; `None` for a field that came.
    pub was: Option<Spelled>,
    /// What it is; `None` for a field that went.
    pub is: Option<Spelled>,
    /// One sentence on the field.
    pub about: &'static str,
}

/// How a version has a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spelled {
    /// The type as the definition spells it.
    pub ty: &'static str,
    pub nullable: bool,
    /// The tag of a tagged field.
    pub tag: Option<u32>,
}

impl Spelled {
    fn of(field: &FieldPlan, tag: Option<u32>) -> Spelled {
        Spelled {
            ty: field.field.ty_name.as_str(),
            nullable: field.nullable,
            tag,
        }
    }
}

impl fmt::Display for Spelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.ty)?;
        if self.nullable {
            f.write_str(", nullable")?;
        }
        match self.tag {
            Some(tag) => write!(f, ", tag {tag}"),
            None => Ok(()),
        }
    }
}

/// How a version writes lengths, and what goes in front of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding {
    /// Of the request or response header; `None` for a structure that has none.
    pub header: Option<i16>,
    /// Whether lengths are compact and tagged fields end each struct.
    pub flexible: bool,
}

/// The fields that differ, in the order of the definition.
pub fn changes(from: &'static Plan, to: &'static Plan) -> Vec<Change> {
    let mut list = Vec::new();
    structures(&from.body, &to.body, "", &mut list);
    list
}

type Placed = (&'static FieldPlan, Option<u32>);

fn structures(
    from: &'static StructPlan,
    to: &'static StructPlan,
    path: &str,
    list: &mut Vec<Change>,
) {
    let name = |(field, _): Placed| field.node.name;
    for side in align(&from.in_order(), &to.in_order(), name) {
        match side {
            Side::First(field) => alone(field, path, Presence::Went, list),
            Side::Second(field) => alone(field, path, Presence::Came, list),
            Side::Both(was, is) => both(was, is, path, list),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Presence {
    Came,
    Went,
}

/// A field of one version alone, with all that is in it.
fn alone((field, tag): Placed, path: &str, presence: Presence, list: &mut Vec<Change>) {
    let path = join(path, field.node.name);
    let spelled = Some(Spelled::of(field, tag));
    let (was, is) = match presence {
        Presence::Came => (None, spelled),
        Presence::Went => (spelled, None),
    };
    list.push(Change {
        path: path.clone(),
        was,
        is,
        about: field.node.about,
    });
    if let Some((inner, suffix)) = structure(field) {
        for field in inner.in_order() {
            alone(field, &format!("{path}{suffix}"), presence, list);
        }
    }
}

fn both(was: Placed, is: Placed, path: &str, list: &mut Vec<Change>) {
    let (field, tag) = is;
    let path = join(path, field.node.name);
    let spelled = [Spelled::of(was.0, was.1), Spelled::of(field, tag)];
    let inner = (structure(was.0), structure(field));
    let [before, after] = spelled;
    if before != after {
        list.push(Change {
            path: path.clone(),
            was: Some(before),
            is: Some(after),
            about: field.node.about,
        });
    }
    match inner {
        (Some((from, _)), Some((to, suffix))) => {
            structures(from, to, &format!("{path}{suffix}"), list);
        }
        (Some((from, suffix)), None) => {
            for field in from.in_order() {
                alone(field, &format!("{path}{suffix}"), Presence::Went, list);
            }
        }
        (None, Some((to, suffix))) => {
            for field in to.in_order() {
                alone(field, &format!("{path}{suffix}"), Presence::Came, list);
            }
        }
        (None, None) => {}
    }
}

/// The struct that a field holds, one or many of, and how a path goes on into it.
fn structure(field: &FieldPlan) -> Option<(&StructPlan, &'static str)> {
    match &field.ty {
        TypePlan::Struct(inner) => Some((inner, "")),
        TypePlan::Array(element) => match &element.ty {
            TypePlan::Struct(inner) => Some((inner, "[]")),
            _ => None,
        },
        _ => None,
    }
}

fn join(path: &str, name: &str) -> String {
    match path {
        "" => name.to_owned(),
        _ => format!("{path}.{name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{ApiKey, Catalogue, Direction};

    fn told(api: &str, direction: Direction, from: i16, to: i16) -> Vec<String> {
        let api = ApiKey::parse(api).unwrap();
        let plan = |version| {
            Catalogue::current()
                .api_plan(api, direction, version)
                .unwrap()
        };
        let text = |spelled: &Option<Spelled>| match spelled {
            Some(spelled) => spelled.to_string(),
            None => "-".to_owned(),
        };
        changes(plan(from), plan(to))
            .iter()
            .map(|change| {
                format!(
                    "{}: {} > {}",
                    change.path,
                    text(&change.was),
                    text(&change.is)
                )
            })
            .collect()
    }

    #[test]
    fn fields_come_go_and_become_nullable() {
        assert_eq!(
            told("DeleteTopics", Direction::Request, 5, 6),
            [
                "Topics: - > []DeleteTopicState",
                "Topics[].Name: - > string, nullable",
                "Topics[].TopicId: - > uuid",
                "TopicNames: []string > -",
            ]
        );
        assert_eq!(
            told("DeleteTopics", Direction::Response, 5, 6),
            [
                "Responses[].Name: string > string, nullable",
                "Responses[].TopicId: - > uuid",
            ]
        );
    }

    #[test]
    fn tagged_fields_say_their_tag() {
        assert_eq!(
            told("Fetch", Direction::Request, 16, 17),
            ["Topics[].Partitions[].ReplicaDirectoryId: - > uuid, tag 0"]
        );
    }

    /// Backwards, what came goes.
    #[test]
    fn every_change_has_its_reverse() {
        let catalogue = Catalogue::current();
        for api in ApiKey::all() {
            for direction in [Direction::Request, Direction::Response] {
                let ever = catalogue.api(api, direction).unwrap().ever;
                let plan = |version| catalogue.api_plan(api, direction, version).unwrap();
                let sorted = |from: i16, to: i16| {
                    let mut all: Vec<_> = changes(plan(from), plan(to))
                        .into_iter()
                        .map(|change| {
                            (
                                change.path,
                                change.was.map(|s| s.to_string()),
                                change.is.map(|s| s.to_string()),
                            )
                        })
                        .collect();
                    all.sort();
                    all
                };
                for version in ever.iter() {
                    assert!(sorted(version, version).is_empty(), "{api} {version}");
                    let mut back: Vec<_> = sorted(ever.max, version)
                        .into_iter()
                        .map(|(path, was, is)| (path, is, was))
                        .collect();
                    back.sort();
                    assert_eq!(back, sorted(version, ever.max), "{api} {version}");
                }
            }
        }
    }
}
