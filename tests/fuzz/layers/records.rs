//! Record batches and message sets: a first byte says what they are part of.

use kafscope::{
    decode::{log, record_set},
    encode,
    render::{Head, json_message},
    schema::Direction,
    tree::Builder,
};

use crate::audit::Audit;

pub(super) fn run(data: &[u8]) {
    let Some((&kind, bytes)) = data.split_first() else {
        return;
    };
    let direction = match kind % 3 {
        0 => None,
        1 => Some(Direction::Request),
        _ => Some(Direction::Response),
    };
    let Some(direction) = direction else {
        let mut audit = Audit::new(bytes.len());
        log(bytes, &mut audit);
        audit.finish();
        let (tree, ()) = Builder::build(bytes.to_vec(), log);
        let json = json_message(&tree, &Head::Records);
        // What was read is written again, or refused with a reason.
        if let Err(error) = encode::records(&json["value"]) {
            assert!(!error.to_string().is_empty());
        }
        return;
    };
    let (tree, ()) = Builder::build(bytes.to_vec(), |bytes, sink| {
        record_set(direction, bytes, sink);
    });
    if !tree.is_empty() {
        let mut audit = Audit::new(bytes.len());
        record_set(direction, bytes, &mut audit);
        audit.finish();
    }
}
