//! Outputs that end however much the bytes ask for, and say what they left out.

use kafscope::{
    decode::log,
    event::{Code, Prefix, Role, Value},
    records::Codec,
    render::{Cut, Wording, columns},
    tree::Builder,
};

use crate::{
    batches::{Batch, compress, number},
    program::{kafscope, text},
};

#[test]
fn grids_of_what_little_bytes_decompress_to_end() {
    let mut batch = Batch::new(0, 0);
    batch.records = compress(Codec::Zstd, &vec![0; 32 << 20]);
    batch.attributes = number(Codec::Zstd);
    let frame = batch.bytes();
    let shown = (4 << 20) + 4 * frame.len();
    let (tree, ()) = Builder::build(frame, log);
    let text = text(&tree);
    assert!(text.len() < 9 * shown, "{}", text.len());
    let left_out = format!(
        "{} bytes more are left out; --json has them",
        (32 << 20) - shown
    );
    assert!(text.contains(&left_out));
}

#[test]
fn values_that_no_reader_takes_are_cut_at_a_character() {
    // Each character has two bytes, and one is in front of them.
    let value = format!("x{}", "é".repeat(1 << 20));
    let batch = Batch::new(0, 0).record(0, None, Some(value.as_bytes()), &[]);
    let (tree, ()) = Builder::build(batch.bytes(), log);
    let is_value =
        |value| matches!(value, Value::Bytes(bytes, Prefix::Varint) if !bytes.is_empty());
    let id = tree
        .nodes()
        .find(|&id| {
            tree.node(id).unwrap().role == Role::Payload && tree.value(id).is_some_and(is_value)
        })
        .unwrap();
    let shown = columns(&tree, id, Wording::Counted, Cut::Wide).unwrap();
    let shown = shown.value.unwrap();
    assert!(shown.len() < (1 << 20) + 100);
    assert!(
        shown.ends_with("é\"... (varint len=2097153)"),
        "{}",
        &shown[shown.len() - 60..]
    );
}

#[test]
fn a_run_diagnoses_so_many_messages_and_says_so_at_the_others() {
    // DeleteGroups 2 without its tag byte: one known mistake.
    let frame = b"\0\0\0\x11\0\x2a\0\x02\0\0\0\x07\0\x02me\0\x02\x03aa";
    let n_frames = 1003;
    let run = kafscope(&["decode", "--json", "-"], frame.repeat(n_frames));
    let count = |code: Code| {
        let code = format!("\"code\":\"{}\"", code.name());
        run.stdout
            .lines()
            .filter(|line| line.contains(&code))
            .count()
    };
    assert_eq!(run.stdout.lines().count(), n_frames);
    assert_eq!(count(Code::Diagnosis), 1000);
    assert_eq!(count(Code::Bound), 3);
}

#[test]
fn no_more_messages_are_held_against_all_responses_than_are_diagnosed() {
    // No API has this key, and no response to anything has such a body.
    let frame = b"\0\0\0\x08\x7f\xff\0\0\0\0\0\x01";
    // ListGroups 0 with a group.
    let response = b"\0\0\0\x14\0\x77\0\x07\0\0\0\0\0\x01\0\x02g1\0\x04type";
    let remarks = |n_frames: usize| {
        let input = [frame.repeat(n_frames), response.to_vec()].concat();
        kafscope(&["decode", "--json", "-"], input).stderr
    };
    let found = remarks(1);
    assert!(
        found.contains("exactly a response of ListGroups"),
        "{found}"
    );
    assert_eq!(remarks(1000), "");
}
