//! Fields whose value says something else, or nothing, in one state of their message: beside an
//! error, in some versions, with another field set.
//!
//! What comes in is a field by name with its value, and a way to ask for the values of the fields
//! around it; what goes out is a few words. Only what Kafka's definitions, proposals or brokers say
//! is listed. Errors have rules of their own.

use std::ops::RangeInclusive;

use super::state_rules::RULES;

/// What a field has, as far as rules ask for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen<'a> {
    /// A number, a bool as 0 or 1, or the length of a list.
    Number(i64),
    Text(&'a [u8]),
    Null,
}

/// A field with what is around it.
pub struct Field<'a> {
    /// Name of the definition, as `FetchRequest`.
    pub message: &'a str,
    pub version: i16,
    pub name: &'a str,
    pub value: Option<Seen<'a>>,
    /// The value of the field of a name in the same struct, else in the structs around it.
    pub around: &'a dyn Fn(&str) -> Option<Seen<'a>>,
}

/// What is to be said of a field in its state.
pub fn state_note(field: &Field<'_>) -> Option<&'static str> {
    let (_, rules) = RULES
        .iter()
        .find(|&&(message, _)| message == field.message)?;
    rules
        .iter()
        .filter(|rule| rule.field == field.name)
        .filter(|rule| rule.versions.contains(&field.version))
        .find(|rule| rule.when.iter().all(|when| when.holds(field)))
        .map(|rule| rule.note)
}

pub(super) struct Rule {
    pub field: &'static str,
    pub versions: RangeInclusive<i16>,
    /// All of them have to hold.
    pub when: &'static [When],
    /// A few words.
    pub note: &'static str,
}

/// A condition on the field itself or on another one.
pub(super) enum When {
    Own(i64),
    OwnAbove(i64),
    OwnNull,
    OwnEmpty,
    Is(&'static str, i64),
    Not(&'static str, i64),
    Above(&'static str, i64),
    Null(&'static str),
    Empty(&'static str),
}

impl When {
    fn holds(&self, field: &Field<'_>) -> bool {
        let (name, own) = match *self {
            When::Is(name, _)
            | When::Not(name, _)
            | When::Above(name, _)
            | When::Null(name)
            | When::Empty(name) => (Some(name), None),
            _ => (None, field.value),
        };
        let seen = name.map_or(own, |name| (field.around)(name));
        match *self {
            When::Own(wanted) | When::Is(_, wanted) => seen == Some(Seen::Number(wanted)),
            When::Not(_, other) => matches!(seen, Some(Seen::Number(seen)) if seen != other),
            When::OwnAbove(bound) | When::Above(_, bound) => {
                matches!(seen, Some(Seen::Number(seen)) if seen > bound)
            }
            // A field that this version does not have is as good as null.
            When::Null(_) => matches!(seen, None | Some(Seen::Null)),
            When::OwnNull => seen == Some(Seen::Null),
            When::OwnEmpty | When::Empty(_) => matches!(
                seen,
                Some(Seen::Number(0) | Seen::Null) | Some(Seen::Text([]))
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{
        When::{Above, Empty, Is, Not, Null},
        *,
    };
    use crate::explain::state_rules::VOID;
    use crate::schema::{Catalogue, StructPlan, TypePlan};

    fn note(
        message: &str,
        version: i16,
        name: &str,
        value: Seen<'static>,
        around: &[(&str, Seen<'static>)],
    ) -> Option<&'static str> {
        state_note(&Field {
            message,
            version,
            name,
            value: Some(value),
            around: &|wanted| {
                let found = around.iter().find(|(name, _)| *name == wanted);
                found.map(|&(_, seen)| seen)
            },
        })
    }

    /// Whether a field of that name is anywhere in the plan.
    fn has(plan: &StructPlan, name: &str) -> bool {
        let tagged = plan.tagged.iter().map(|(_, field)| field);
        plan.fields.iter().chain(tagged).any(|field| {
            field.node.name == name
                || match &field.ty {
                    TypePlan::Struct(inner) => has(inner, name),
                    TypePlan::Array(element) => {
                        matches!(&element.ty, TypePlan::Struct(inner) if has(inner, name))
                    }
                    _ => false,
                }
        })
    }

    #[test]
    fn every_rule_is_on_fields_that_there_are() {
        let catalogue = Catalogue::current();
        for (message, rules) in RULES {
            let definition = catalogue.definition(message).unwrap().unwrap();
            for rule in *rules {
                let what = format!("{message} {}", rule.field);
                let fits = |name: &str, all: bool| {
                    let mut versions = definition
                        .ever
                        .iter()
                        .filter(|version| rule.versions.contains(version))
                        .map(|version| has(&catalogue.plan(message, version).unwrap().body, name));
                    match all {
                        true => versions.all(|has| has),
                        false => versions.any(|has| has),
                    }
                };
                // A rule for some version on is for all that have the field.
                assert!(fits(rule.field, false), "{what}");
                assert!(*rule.versions.start() <= definition.ever.max, "{what}");
                for when in rule.when {
                    if let Is(name, _) | Not(name, _) | Above(name, _) | Null(name) | Empty(name) =
                        when
                    {
                        assert!(fits(name, false), "{what}: {name}");
                    }
                }
            }
        }
        let n_messages = RULES.len();
        let mut names: Vec<&str> = RULES.iter().map(|&(message, _)| message).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), n_messages);
    }

    #[test]
    fn states_and_versions_decide() {
        let (ok, failed) = (
            [("ErrorCode", Seen::Number(0))],
            [("ErrorCode", Seen::Number(6))],
        );
        let offset = |around| note("ProduceResponse", 9, "BaseOffset", Seen::Number(-1), around);
        assert_eq!(offset(&failed), Some(VOID));
        assert_eq!(offset(&ok), None);
        let throttle = |version, ms| {
            note(
                "FetchResponse",
                version,
                "ThrottleTimeMs",
                Seen::Number(ms),
                &[],
            )
        };
        assert!(throttle(7, 5).is_some());
        assert_eq!((throttle(8, 5), throttle(7, 0)), (None, None));
        let join = |version, around| {
            note(
                "JoinGroupRequest",
                version,
                "MemberId",
                Seen::Text(b""),
                around,
            )
        };
        assert!(join(3, &[]).unwrap().contains("at once"));
        assert!(join(4, &[]).unwrap().contains("two rounds"));
        assert!(join(5, &[("GroupInstanceId", Seen::Null)]).is_some());
        assert_eq!(join(5, &[("GroupInstanceId", Seen::Text(b"i"))]), None);
        let topics = |version, seen| note("MetadataRequest", version, "Topics", seen, &[]);
        assert!(topics(0, Seen::Number(0)).unwrap().contains("all"));
        assert!(topics(1, Seen::Number(0)).unwrap().contains("brokers only"));
        assert_eq!(topics(1, Seen::Null), None);
        let listed = |version, at| {
            note(
                "ListOffsetsRequest",
                version,
                "Timestamp",
                Seen::Number(at),
                &[],
            )
        };
        assert!(listed(6, -3).is_some() && listed(7, -4).is_some() && listed(8, -5).is_some());
        assert_eq!(
            (listed(7, -3), listed(8, -4), listed(9, -5)),
            (None, None, None)
        );
        let controller = |version, around| {
            let node = Seen::Number(1);
            note(
                "DescribeClusterResponse",
                version,
                "ControllerId",
                node,
                around,
            )
        };
        // Version 0 is always of brokers, and does not say so.
        assert!(controller(0, &[]).is_some());
        assert!(controller(1, &[("EndpointType", Seen::Number(1))]).is_some());
        assert_eq!(controller(1, &[("EndpointType", Seen::Number(2))]), None);
        let partitions = |version, n, assigned| {
            let around = [("Assignments", Seen::Number(assigned))];
            note(
                "CreateTopicsRequest",
                version,
                "NumPartitions",
                Seen::Number(n),
                &around,
            )
        };
        assert!(partitions(3, -1, 0).unwrap().contains("KIP-464"));
        assert!(partitions(3, -1, 2).unwrap().contains("assignments below"));
        assert!(partitions(7, 5, 2).unwrap().contains("refused"));
        assert_eq!((partitions(4, -1, 0), partitions(4, 3, 0)), (None, None));
    }
}
