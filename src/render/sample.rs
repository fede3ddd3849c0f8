//! Sample messages of the reference: encoded as they would travel, and decoded again.

use crate::{
    decode::{Decoded, Framing, Lead, request, response, structure},
    encode::{request_frame, response_frame, smallest},
    schema::{ApiKey, Catalogue, Direction, Plan},
    tree::{Builder, Tree},
};

/// The smallest legal message, framed.
pub fn smallest_frame(
    catalogue: &'static Catalogue,
    api: ApiKey,
    direction: Direction,
    version: i16,
) -> Option<Vec<u8>> {
    let body = smallest(catalogue.api_plan(api, direction, version)?);
    Some(match direction {
        Direction::Request => request_frame(catalogue, api, version, 0, Some(""), &body),
        Direction::Response => response_frame(catalogue, api, version, 0, &body),
    })
}

/// A framed message, decoded.
pub fn framed_tree(
    catalogue: &'static Catalogue,
    api: ApiKey,
    direction: Direction,
    version: i16,
    frame: Vec<u8>,
) -> (Tree, Decoded) {
    Builder::build(frame, |bytes, sink| match direction {
        Direction::Request => request(catalogue, Framing::Sized, bytes, sink),
        Direction::Response => response(catalogue, Framing::Sized, bytes, api, version, sink),
    })
}

/// The smallest legal instance of a message with its header, or of a structure by itself, decoded.
pub fn smallest_tree(direction: Option<Direction>, plan: &'static Plan) -> Option<Tree> {
    let catalogue = Catalogue::current();
    match (direction, plan.api()) {
        (Some(direction), Some(api)) => {
            let frame = smallest_frame(catalogue, api, direction, plan.version)?;
            Some(framed_tree(catalogue, api, direction, plan.version, frame).0)
        }
        _ => {
            let (tree, ()) = Builder::build(smallest(plan), |bytes, sink| {
                structure(plan, Lead::None, bytes, sink);
            });
            Some(tree)
        }
    }
}
