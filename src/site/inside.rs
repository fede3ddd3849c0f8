//! What lies inside bytes fields of a message, with links to where that is told.

use std::fmt::{self, Write};

use super::map::{SiteMap, TYPES};
use crate::{
    render::Markup,
    schema::{FieldPlan, Inside, Plan, StructPlan, TypePlan},
};

/// Writes a sentence for each field that holds more than bytes; nothing where none does.
pub(super) fn inside(out: &mut String, map: &SiteMap, plan: &Plan) -> fmt::Result {
    let mut fields = Vec::new();
    structure(&plan.body, "", &mut fields);
    if fields.is_empty() {
        return Ok(());
    }
    write!(out, "<ul class=\"prose\">")?;
    for (path, content) in fields {
        write!(out, "<li><code>{}</code> holds ", Markup(path))?;
        match content {
            Content::Records => {
                write!(out, "<a href=\"{TYPES}#records\">record batches</a>")?;
            }
            Content::Inside(kind) => {
                let (words, names) = told(kind);
                write!(out, "{words}")?;
                let pages = names.iter().filter_map(|name| map.structure(name));
                for (idx, entry) in pages.enumerate() {
                    let joint = if idx == 0 { ": " } else { ", " };
                    let name = Markup(&entry.definition.name);
                    write!(out, "{joint}<a href=\"{}\">{name}</a>", entry.page())?;
                }
            }
        }
        write!(out, ".</li>")?;
    }
    writeln!(out, "</ul>")
}

/// What a field holds.
#[derive(Clone, Copy)]
enum Content {
    Records,
    Inside(Inside),
}

fn structure(plan: &StructPlan, path: &str, found: &mut Vec<(String, Content)>) {
    for (field, _) in plan.in_order() {
        let path = match path {
            "" => field.node.name.to_owned(),
            path => format!("{path}.{}", field.node.name),
        };
        match content(field) {
            Some(content) => found.push((path, content)),
            None => match &field.ty {
                TypePlan::Struct(inner) => structure(inner, &path, found),
                TypePlan::Array(element) => {
                    if let TypePlan::Struct(inner) = &element.ty {
                        structure(inner, &format!("{path}[]"), found);
                    }
                }
                _ => {}
            },
        }
    }
}

fn content(field: &FieldPlan) -> Option<Content> {
    match (field.inside, &field.ty) {
        (Some(kind), _) => Some(Content::Inside(kind)),
        (None, TypePlan::Records) => Some(Content::Records),
        (None, _) => None,
    }
}

/// What it is, and the definitions that it can have.
fn told(kind: Inside) -> (&'static str, &'static [&'static str]) {
    match kind {
        Inside::Subscription => (
            "what a member brings to its group",
            &["ConsumerProtocolSubscription", "ConnectProtocolMetadata"],
        ),
        Inside::Assignment => (
            "what a member gets from its group",
            &["ConsumerProtocolAssignment", "ConnectProtocolAssignment"],
        ),
        Inside::SubscriptionUserData => (
            "what the assignor adds",
            &[
                "StickyAssignorUserData",
                "CooperativeStickyAssignorUserData",
                "SubscriptionInfoData",
            ],
        ),
        Inside::AssignmentUserData => ("what the assignor adds", &[]),
        Inside::Allocation => (
            "what the worker has been assigned before, behind its version",
            &["ConnectProtocolAssignment"],
        ),
        Inside::Request => ("a request with its header, without its size", &[]),
        Inside::Response => ("a response with its header, without its size", &[]),
        Inside::Principal => (
            "who sent the wrapped request, behind its version",
            &["DefaultPrincipalData"],
        ),
        Inside::Sasl => ("a token of the SASL mechanism", &[]),
        Inside::Telemetry => ("metrics in the format of OpenTelemetry, compressed", &[]),
        Inside::MetadataLog => (
            "a part of a snapshot of the metadata log, in record batches",
            &[],
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{ApiKey, Catalogue, Direction};

    #[test]
    fn every_definition_that_is_named_is_there() {
        let map = SiteMap::new(Catalogue::current());
        for kind in [
            Inside::Subscription,
            Inside::Assignment,
            Inside::SubscriptionUserData,
            Inside::Allocation,
            Inside::Principal,
        ] {
            let (_, names) = told(kind);
            assert!(!names.is_empty());
            for name in names {
                assert!(map.structure(name).is_some(), "{name}");
            }
        }
    }

    #[test]
    fn fields_are_named_by_their_path() {
        let catalogue = Catalogue::current();
        let map = SiteMap::new(catalogue);
        let text = |name: &str, direction| {
            let api = ApiKey::parse(name).unwrap();
            let newest = catalogue.api(api, direction).unwrap().newest();
            let mut out = String::new();
            let plan = catalogue.api_plan(api, direction, newest).unwrap();
            inside(&mut out, &map, plan).unwrap();
            out
        };
        let joins = text("JoinGroup", Direction::Request);
        assert!(
            joins.contains("<code>Protocols[].Metadata</code> holds what"),
            "{joins}"
        );
        assert!(
            joins.contains("href=\"ConsumerProtocolSubscription.html\""),
            "{joins}"
        );
        let fetched = text("Fetch", Direction::Response);
        assert!(
            fetched.contains("Responses[].Partitions[].Records"),
            "{fetched}"
        );
        assert_eq!(text("Heartbeat", Direction::Request), "");
    }
}
