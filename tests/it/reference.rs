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
