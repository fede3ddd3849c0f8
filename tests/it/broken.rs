//! Cut and mutated messages: no panic, nested events, every byte accounted for, a problem where
//! bytes are missing.

use kafscope::{
    decode::{Framing, Lead, request, response, structure, structure_from},
    encode::{request_frame, response_frame, smallest},
    event::Severity,
    schema::{ApiKey, Catalogue, Direction},
};

use crate::{audit::Audit, vectors::vectors};

/// Every prefix, and every byte changed in three ways.
pub(crate) fn broken(bytes: &[u8], mut check: impl FnMut(&[u8])) {
    for end in 0..bytes.len() {
        check(&bytes[..end]);
    }
    let mut mutated = bytes.to_vec();
    for at in 0..bytes.len() {
        for mask in [0xff, 0x80, 0x01] {
            mutated[at] ^= mask;
            check(&mutated);
            mutated[at] ^= mask;
        }
    }
}

#[test]
fn broken_bodies_are_described_to_the_last_byte() {
    for vector in vectors() {
        // The longest say nothing that shorter ones do not, and cost the square of their length.
        if vector.body.len() > 400 {
            continue;
        }
        broken(&vector.body, |bytes| {
            let mut audit = Audit::new(bytes.len());
            structure(vector.plan(), Lead::None, bytes, &mut audit);
            let problems = audit.finish();
            if bytes.len() < vector.body.len() {
                let errors = problems.iter().any(|p| p.severity == Severity::Error);
                assert!(errors, "{} {}", vector.message, vector.version);
            }
        });
    }
}

/// What stands in front of a structure is accounted for as well, wherever it starts.
#[test]
fn structures_inside_of_bytes_are_described_from_the_first_to_the_last() {
    for vector in vectors().iter().filter(|vector| vector.body.len() < 100) {
        let bytes = [b"before".as_slice(), &vector.body].concat();
        for at in [1, 6, 7, bytes.len(), bytes.len() + 5] {
            let mut audit = Audit::new(bytes.len());
            structure_from(vector.plan(), at, &bytes, &mut audit);
            let problems = audit.finish();
            if at == 6 {
                assert!(problems.is_empty(), "{} {}", vector.message, vector.version);
            }
        }
    }
}

#[test]
fn broken_messages_are_described_to_the_last_byte() {
    let catalogue = Catalogue::current();
    for api in ApiKey::all() {
        for direction in [Direction::Request, Direction::Response] {
            let definition = catalogue.api(api, direction).unwrap();
            for version in definition.ever.iter() {
                let body = smallest(catalogue.api_plan(api, direction, version).unwrap());
                let frame = match direction {
                    Direction::Request => {
                        request_frame(catalogue, api, version, 7, Some("client"), &body)
                    }
                    Direction::Response => response_frame(catalogue, api, version, 7, &body),
                };
                let decode = |bytes: &[u8]| {
                    let mut audit = Audit::new(bytes.len());
                    let framing = Framing::Sized;
                    match direction {
                        Direction::Request => request(catalogue, framing, bytes, &mut audit),
                        Direction::Response => {
                            response(catalogue, framing, bytes, api, version, &mut audit)
                        }
                    };
                    audit.finish()
                };
                assert_eq!(decode(&frame), [], "{api} {version}");
                broken(&frame, |bytes| {
                    decode(bytes);
                });
            }
        }
    }
}
