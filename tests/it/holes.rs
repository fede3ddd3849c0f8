//! Messages that a capture does not hold in full: what is missing is shown as missing, wherever it
//! is, and never read as if it had been there.

use std::ops::Range;

use kafscope::{
    decode::{Framing, request, response, sasl_token},
    event::Role,
    render::{Palette, grid},
    schema::{ApiKey, Catalogue},
    tree::{Builder, Tree},
    wire::BufferId,
};
use serde_json::{Value as Json, json};

use crate::{audit::Audit, program::kafscope, vectors::unhex};

/// DeleteGroups 2 with three groups, and two holes in the names.
fn message() -> (Vec<u8>, [Range<usize>; 2]) {
    let hex = "0000001d 002a 0002 00000007 0002 6d65 00 04 03 6161 06 6262626262 03 6363 00 0000";
    (unhex(&hex.replace(' ', "")), [21..24, 27..30])
}

fn lost(tree: &Tree) -> Vec<Range<usize>> {
    tree.nodes()
        .filter(|&id| {
            tree.node(id)
                .is_some_and(|node| node.role == Role::NotCaptured)
        })
        .map(|id| tree.span(id).at..tree.span(id).end())
        .collect()
}

#[test]
fn every_hole_is_a_hole() {
    let (bytes, holes) = message();
    let framing = Framing::Cut { holes: &holes };
    let catalogue = Catalogue::current();
    let mut audit = Audit::new(bytes.len());
    request(catalogue, framing, &bytes, &mut audit);
    // The loss is the capture's; whoever opened it says so.
    assert_eq!(audit.finish(), []);
    let (tree, _) = Builder::build(bytes, |bytes, sink| {
        request(catalogue, framing, bytes, sink)
    });
    assert_eq!(lost(&tree), holes);
    for at in 0..33 {
        let is_lost = holes.iter().any(|hole| hole.contains(&at));
        assert_eq!(tree.hole_at(BufferId::FRAME, at).is_some(), is_lost, "{at}");
    }
    let mut text = String::new();
    grid(&mut text, &tree, BufferId::FRAME, Palette::Plain).unwrap();
    assert_eq!(text.matches("--").count(), 6, "{text}");
}

#[test]
fn tokens_and_unexplained_responses_have_holes_too() {
    let holes = [6..8, 9..11];
    let framing = Framing::Cut { holes: &holes };
    let bytes = unhex("0000000800616c6963650070");
    let (tree, ()) = Builder::build(bytes, |bytes, sink| sasl_token(framing, bytes, sink));
    assert_eq!(lost(&tree), holes);
    let bytes = vec![0; 12];
    let (tree, _) = Builder::build(bytes, |bytes, sink| {
        response(
            Catalogue::current(),
            framing,
            bytes,
            ApiKey::UNKNOWN,
            -1,
            sink,
        )
    });
    assert_eq!(lost(&tree), holes);
}

#[test]
fn a_long_hole_is_one_line() {
    let mut bytes = message().0;
    bytes.resize(1 << 20, 0);
    let hole = 33..bytes.len();
    let framing = Framing::Cut {
        holes: std::slice::from_ref(&hole),
    };
    let (tree, _) = Builder::build(bytes, |bytes, sink| {
        request(Catalogue::current(), framing, bytes, sink)
    });
    let mut text = String::new();
    grid(&mut text, &tree, BufferId::FRAME, Palette::Plain).unwrap();
    assert!(text.lines().count() < 8, "{text}");
    assert!(
        text.contains("00030  1048528 bytes were not captured"),
        "{text}"
    );
}

/// A sample without the packet of one request, and with that of its response cut after 100 bytes.
fn without_request(n: usize) -> Vec<u8> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/topics.pcap");
    let capture = std::fs::read(path).unwrap();
    let run = kafscope(&["list", "--json", "-"], &capture);
    let line: Json = serde_json::from_str(run.stdout.lines().nth(n - 1).unwrap()).unwrap();
    let packet = |side: &str| line[side]["packet"].as_u64().unwrap();
    let (request, response) = (packet("request"), packet("response"));
    let mut out = capture[..24].to_vec();
    let mut at = 24;
    let mut number = 0;
    while at < capture.len() {
        let word = |at: usize| u32::from_le_bytes(capture[at..at + 4].try_into().unwrap());
        let len = word(at + 8) as usize;
        number += 1;
        let kept = if number == response { 100 } else { len };
        if number != request {
            out.extend(&capture[at..at + 8]);
            out.extend((kept as u32).to_le_bytes());
            out.extend(&capture[at + 12..at + 16 + kept]);
        }
        at += 16 + len;
    }
    out
}

#[test]
fn a_cut_response_without_its_request_is_not_guessed() {
    let capture = without_request(10);
    let run = kafscope(&["list", "--json", "-"], &capture);
    let orphans: Vec<Json> = run
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .filter(|line: &Json| line["request"].is_null())
        .collect();
    let [orphan] = orphans.as_slice() else {
        panic!("{}", run.stdout);
    };
    let n = orphan["n"].to_string();
    let run = kafscope(&["show", "--json", "-", &n], &capture);
    let shown: Json = serde_json::from_str(run.stdout.lines().next().expect("a line")).unwrap();
    assert_eq!(shown["api"], Json::Null);
    assert_eq!(shown["api_key"], Json::Null);
    let codes: Vec<&Json> = shown["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|problem| &problem["code"])
        .collect();
    assert_eq!(codes, [&json!("orphan"), &json!("gap")]);
}
