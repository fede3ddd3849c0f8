//! Messages: three bytes say what the others are read as.

use std::ops::Range;

use kafscope::{
    decode::{
        Claim, Framing, Lead, Subject, diagnose, pieces, request, response, response_candidates,
        structure,
    },
    event::Severity,
    schema::{ApiKey, Catalogue, Plan},
};

use crate::audit::Audit;

/// A diagnosis tries a message over and over, and large ones say nothing that small ones do not.
const DIAGNOSED: usize = 512;

pub(super) fn run(data: &[u8]) {
    let Some((&[kind, which, version], bytes)) = data.split_first_chunk() else {
        return;
    };
    let catalogue = Catalogue::current();
    let api = ApiKey(which.into());
    let is_far = version & 0x80 != 0;
    let version = i16::from(version % 32);
    let holes = holes(bytes.len(), which);
    let framing = match kind >> 3 & 3 {
        0 => Framing::Sized,
        1 => Framing::Bare,
        _ => Framing::Cut { holes: &holes },
    };
    let mut audit = Audit::new(bytes.len());
    let subject = match kind & 3 {
        0 => {
            request(catalogue, framing, bytes, &mut audit);
            let claim = Claim::Requests;
            check_pieces(claim, bytes);
            subject(claim, kind)
        }
        1 => {
            response(catalogue, framing, bytes, api, version, &mut audit);
            let claim = Claim::Responses { api, version };
            check_pieces(claim, bytes);
            subject(claim, kind)
        }
        2 => {
            let Some(plan) = plan(which, is_far, version) else {
                return;
            };
            structure(plan, Lead::None, bytes, &mut audit);
            Subject::Structure(plan)
        }
        _ => {
            if bytes.len() <= DIAGNOSED {
                let _ = response_candidates(catalogue, framing, bytes);
            }
            return;
        }
    };
    let problems = audit.finish();
    let is_broken = problems.iter().any(|p| p.severity == Severity::Error);
    if is_broken && bytes.len() <= DIAGNOSED {
        for repair in diagnose(catalogue, subject, bytes) {
            assert!(repair.span.end() <= bytes.len(), "{repair:?}");
            assert!(!repair.message.is_empty());
        }
    }
}

fn subject(claim: Claim, kind: u8) -> Subject {
    let framing = match kind >> 3 & 1 {
        0 => Framing::Sized,
        _ => Framing::Bare,
    };
    Subject::Message(claim, framing)
}

/// A plan by the position of its name, which may be past what a byte can say.
fn plan(which: u8, is_far: bool, version: i16) -> Option<&'static Plan> {
    let catalogue = Catalogue::current();
    let idx = usize::from(which) + 256 * usize::from(is_far);
    let name = catalogue.names().nth(idx)?;
    catalogue.plan(name, version)
}

/// Pieces are all of the bytes, in order.
fn check_pieces(claim: Claim, bytes: &[u8]) {
    let mut at = 0;
    for piece in pieces(Catalogue::current(), claim, bytes) {
        assert_eq!(piece.range.start, at);
        at = piece.range.end;
    }
    assert_eq!(at, bytes.len());
}

/// Two holes somewhere in `len` bytes, or none where there is no room.
fn holes(len: usize, seed: u8) -> Vec<Range<usize>> {
    let first = 4 + usize::from(seed) % 32;
    [first..first + 3, first + 5..first + 9]
        .into_iter()
        .filter(|hole| hole.end <= len)
        .collect()
}
