//! Plausible messages of every API and version: they decode without a problem, and what they hold
//! means something.

use kafscope::{
    decode::{Framing, request, response},
    encode::{example, example_frame},
    event::{Role, Severity},
    render::{Cut, Palette, Wording, object_tree},
    schema::{ApiKey, Catalogue, Direction, StructPlan, TypePlan},
    tree::{Builder, Tree},
};
use serde_json::Value as Json;

use crate::program::kafscope;

/// Each example with its name.
fn examples() -> impl Iterator<Item = (String, ApiKey, Direction, i16, Vec<u8>)> {
    let catalogue = Catalogue::current();
    ApiKey::all().flat_map(move |api| {
        [Direction::Request, Direction::Response]
            .into_iter()
            .flat_map(move |direction| {
                let ever = catalogue.api(api, direction).unwrap().ever;
                ever.iter().map(move |version| {
                    let plan = catalogue.api_plan(api, direction, version).unwrap();
                    let frame = example_frame(catalogue, plan).unwrap();
                    let name = format!("{} v{version}", plan.name);
                    (name, api, direction, version, frame)
                })
            })
    })
}

fn tree(api: ApiKey, direction: Direction, version: i16, frame: Vec<u8>) -> Tree {
    let catalogue = Catalogue::current();
    let (tree, _) = Builder::build(frame, |bytes, sink| match direction {
        Direction::Request => request(catalogue, Framing::Sized, bytes, sink),
        Direction::Response => response(catalogue, Framing::Sized, bytes, api, version, sink),
    });
    tree
}

#[test]
fn examples_decode_without_a_problem_and_their_values_have_names() {
    for (name, api, direction, version, frame) in examples() {
        let tree = tree(api, direction, version, frame);
        for found in tree.problems() {
            assert_eq!(
                found.problem.severity,
                Severity::Note,
                "{name}: {:?}",
                found.problem
            );
        }
        let mut text = String::new();
        object_tree(
            &mut text,
            &tree,
            Wording::Counted,
            Cut::Wide,
            Palette::Plain,
        )
        .unwrap();
        // What is said of a number that its enumeration does not have; -1 may stand for "unknown".
        let unnamed = text
            .lines()
            .find(|line| line.contains(" (unknown) ") && !line.contains("= -1 "));
        assert_eq!(unnamed, None, "{name}");
    }
}

/// The two headers that are other than their version says, and no other.
#[test]
fn headers_that_are_exceptions_say_so() {
    let mut exceptions = Vec::new();
    for (name, api, direction, version, frame) in examples() {
        let tree = tree(api, direction, version, frame);
        let mut nodes = tree.nodes().filter_map(|id| tree.node(id));
        let header = nodes.find(|node| node.name.ends_with("Header")).unwrap();
        if header.about.contains(',') {
            exceptions.push((name, header.about));
        }
    }
    let named = |text: &str| -> Vec<&str> {
        exceptions
            .iter()
            .filter(|(_, about)| about.contains(text))
            .map(|(name, _)| name.as_str())
            .collect()
    };
    assert_eq!(named("client_id"), ["ControlledShutdownRequest v0"]);
    let answers = ["ApiVersionsResponse v3", "ApiVersionsResponse v4"];
    assert!(
        named("not flexible").starts_with(&answers),
        "{exceptions:?}"
    );
    assert!(
        named("not flexible")
            .iter()
            .all(|name| name.starts_with("ApiVersionsResponse"))
    );
}

#[test]
fn what_is_printed_as_json_encodes_to_the_same_bytes() {
    for api in ["Produce", "Fetch", "JoinGroup", "Envelope", "ApiVersions"] {
        let json = kafscope(&["example", api, "--json"], "").stdout;
        let bytes = kafscope(&["encode", "-", "--hex"], json).stdout;
        let hex = kafscope(&["example", api, "--only", "hex"], "").stdout;
        let of = |text: &str| -> Vec<String> {
            let lines = text.lines().filter(|line| !line.is_empty());
            lines.map(str::to_owned).collect()
        };
        assert_eq!(of(&bytes), of(&hex), "{api}");
        assert_eq!(of(&hex).len(), 2, "{api}");
    }
}

/// Where a request names topics or groups, its response names those.
#[test]
fn what_is_answered_was_asked_for() {
    let catalogue = Catalogue::current();
    for (name, api, direction, version, _) in examples() {
        if direction == Direction::Request {
            continue;
        }
        let plan = |direction| catalogue.api_plan(api, direction, version).unwrap();
        let (request, response) = (plan(Direction::Request), plan(Direction::Response));
        for role in [Role::TopicName, Role::GroupId] {
            let asked = texts(&request.body, &example(request), role);
            let answered = texts(&response.body, &example(response), role);
            let is_asked = |text: &String| asked.is_empty() || asked.contains(text);
            // A topic may be asked for by its id, which has no name.
            let is_by_id = asked.iter().any(String::is_empty);
            assert!(
                is_by_id || answered.iter().all(is_asked),
                "{name}: {asked:?} {answered:?}"
            );
        }
    }
    for (name, field, expected) in [
        ("DeleteGroups", "GroupId", ["billing", "audit"]),
        ("DeleteTopics", "Name", ["orders", "payments"]),
        ("CreateTopics", "Name", ["orders", "payments"]),
    ] {
        let api = ApiKey::parse(name).unwrap();
        let newest = catalogue.api(api, Direction::Response).unwrap().newest();
        let plan = catalogue
            .api_plan(api, Direction::Response, newest)
            .unwrap();
        let value = example(plan);
        let mut lists = value.as_object().unwrap().values();
        let items = lists.find_map(Json::as_array).unwrap();
        let names: Vec<_> = items.iter().map(|item| &item[field]).collect();
        assert_eq!(names, expected);
    }
    // The id that is asked for is the one that is answered.
    let topics = ApiKey::parse("DeleteTopics").unwrap();
    let item = |direction, list: &str| {
        example(catalogue.api_plan(topics, direction, 6).unwrap())[list][1]["TopicId"].clone()
    };
    let asked = item(Direction::Request, "Topics");
    assert_eq!(asked, item(Direction::Response, "Responses"));
}

/// The texts of a role, null as an empty one.
fn texts(structure: &'static StructPlan, value: &Json, role: Role) -> Vec<String> {
    let mut found = Vec::new();
    for field in &structure.fields {
        let value = &value[field.node.name];
        let (field, values) = match (&field.ty, value) {
            (TypePlan::Array(element), Json::Array(items)) => (&**element, items.as_slice()),
            _ => (field, std::slice::from_ref(value)),
        };
        for value in values {
            match (&field.ty, value) {
                (TypePlan::Struct(inner), _) => found.extend(texts(inner, value, role)),
                (TypePlan::String, Json::String(text)) if field.node.role == role => {
                    found.push(text.clone());
                }
                (TypePlan::String, _) if field.node.role == role => found.push(String::new()),
                _ => {}
            }
        }
    }
    found
}
