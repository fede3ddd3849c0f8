//! Secrets in tokens that few clients write, and in the places where outputs repeat bytes.

use kafscope::{
    decode::{Lead, Subject, diagnose, structure},
    schema::Catalogue,
    tree::Builder,
};
use serde_json::json;

use crate::{
    payload::{decoded, encoded, hex, looked_into, plan},
    program::text,
};

const API: &str = "SaslAuthenticateRequest";

#[test]
fn what_is_nearly_a_token_is_hidden_as_well() {
    // RFC 4616 lets a password be anything but empty, and RFC 7628 ends with two bytes 0x01.
    for (token, name, n_problems) in [
        (&b"\0alice\0\ts3cr3t\n"[..], "SaslPlain", 0),
        (b"\0alice\0\xe9s3cr3t", "SaslPlain", 0),
        (b"\0\0s3cr3t", "SaslPlain", 0),
        (b"n,,\x01auth=Bearer s3cr3t\x01", "SaslOauthbearer", 1),
        (b"n,,\x01auth=Bearer s3cr3t", "SaslOauthbearer", 1),
    ] {
        let bytes = encoded(API, 2, &json!({ "AuthBytes": hex(token) }));
        assert_eq!(looked_into(API, 2, &bytes)[0]["as"], name);
        let (tree, line) = decoded(API, 2, &bytes);
        assert_eq!(tree.problems().len(), n_problems, "{:?}", tree.problems());
        let text = line.to_string() + &text(&tree);
        assert!(!text.contains("s3cr3t"), "{text}");
        assert!(!text.contains("73 33 63"), "{text}");
    }
}

#[test]
fn the_bytes_beside_a_diagnosis_hide_what_the_grid_hides() {
    let token = b"v=rmF9pqV8S7suAoZWja4dJRkFsKQ=";
    let mut bytes = encoded(API, 1, &json!({ "AuthBytes": hex(token) }));
    bytes.extend([0, 0]);
    let plan = plan(API, 1);
    let (mut tree, ()) = Builder::build(bytes.clone(), |bytes, sink| {
        structure(plan, Lead::None, bytes, sink);
    });
    let subject = Subject::Structure(plan);
    for repair in diagnose(Catalogue::current(), subject, &bytes) {
        tree.add_problem(repair.problem());
    }
    let text = text(&tree);
    assert!(text.contains("76 3d ** **"), "{text}");
    assert!(!text.contains("72 6d 46"), "{text}");
}
