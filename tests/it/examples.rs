//! Plausible messages of every API and version: they decode without a problem, and what they hold
//! means something.

use kafscope::{
    decode::{Framing, request, response},
    encode::example_frame,
    event::Severity,
    render::{Cut, Palette, Wording, object_tree},
    schema::{ApiKey, Catalogue, Direction},
    tree::{Builder, Tree},
};

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
