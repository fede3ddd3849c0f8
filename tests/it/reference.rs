//! The documented layouts, reproduced to the letter.

use crate::program::kafscope;

const PAGES: [(&str, &str, &str, &str); 4] = [
    ("delete-groups-request-v2", "DeleteGroups", "2", "--request"),
    (
        "delete-groups-response-v2",
        "DeleteGroups",
        "2",
        "--response",
    ),
    ("delete-topics-request-v6", "DeleteTopics", "6", "--request"),
    (
        "delete-topics-response-v6",
        "DeleteTopics",
        "6",
        "--response",
    ),
];

fn golden(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/reference");
    std::fs::read_to_string(format!("{folder}/{name}")).unwrap()
}

#[test]
fn layouts_are_the_documented_ones() {
    for (page, api, version, direction) in PAGES {
        let part = |part: &str| {
            kafscope(
                &[
                    "layout",
                    api,
                    "--version",
                    version,
                    direction,
                    "--only",
                    part,
                ],
                "",
            )
            .stdout
        };
        assert_eq!(part("tree"), golden(&format!("{page}.tree")), "{page}");
        assert_eq!(part("hex"), golden(&format!("{page}.hex")), "{page}");
    }
}

#[test]
fn decoding_them_differs_in_nothing_but_the_count() {
    for (page, api, version, direction) in PAGES {
        let hex = golden(&format!("{page}.hex"));
        let mut args = vec!["decode", "--only", "tree", direction];
        if direction == "--response" {
            args.extend(["--api", api, "--version", version]);
        }
        let tree = kafscope(&args, &hex).stdout;
        let sampled = tree.replace("1 element follows", "one sample element follows");
        assert_eq!(sampled, golden(&format!("{page}.tree")), "{page}");
    }
}

#[test]
fn an_unknown_layout_is_an_error_of_one_line() {
    for args in [
        &["layout"][..],
        &["layout", "Fetch", "--version", "99"],
        &["nonsense"],
    ] {
        let run = kafscope(args, "");
        assert_eq!(
            (run.status, run.stderr.lines().count()),
            (2, 1),
            "{}",
            run.stderr
        );
        assert_eq!(run.stdout, "");
    }
}

/// The page does not show by indents how structs nest, and neither does it tell which fields are
/// tagged: that is said below the diagram.
#[test]
fn the_wire_diagram_is_the_documented_one() {
    let run = kafscope(
        &[
            "layout",
            "CreateTopics",
            "--version",
            "7",
            "--response",
            "--only",
            "wire",
        ],
        "",
    );
    let (diagram, remarks) = run.stdout.split_once("\n\n").unwrap();
    let lines: Vec<&str> = diagram.lines().map(str::trim_start).collect();
    let documented = golden("create-topics-response-v7.wire");
    assert_eq!(lines, documented.lines().collect::<Vec<_>>());
    assert_eq!(
        remarks,
        "TopicConfigErrorCode of CreatableTopicResult travels in tagged, with tag 0, and only if it \
         is not its default\n"
    );
}

#[test]
fn the_schema_notation_is_the_documented_one() {
    let args = ["schema", "CreateTopicsResponse:7", "--notation"];
    let run = kafscope(&args, "");
    let documented = golden("create-topics-response-v7.notation");
    assert_eq!(run.stdout, format!("CreateTopicsResponse v7\n{documented}"));
}
