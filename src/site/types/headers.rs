//! What stands in front of a body, and which header goes with which version.

use std::fmt::{self, Write};

use super::{close_table, open_table, paragraph};
use crate::{
    render::{Markup, WireDiagram, html::wire},
    schema::{ApiKey, Catalogue, Direction, request_header_version, response_header_version},
    site::map::{ApiEntry, SiteMap},
};

/// Which header goes with which messages.
const HEADERS: [(Direction, i16, &str); 5] = [
    (Direction::Request, 2, "the request is flexible"),
    (Direction::Request, 1, "it is not"),
    (
        Direction::Request,
        0,
        "ControlledShutdown 0 alone, which is older than client ids",
    ),
    (Direction::Response, 1, "the response is flexible"),
    (
        Direction::Response,
        0,
        "it is not, and for ApiVersions always: a client reads it before it knows what the broker \
         speaks (KIP-511)",
    ),
];

pub(super) fn section(out: &mut String, map: &SiteMap) -> fmt::Result {
    paragraph(
        out,
        "On a connection, messages follow one another, each behind its size, an int32 that does not \
         count itself. Then comes a header and the body. A response names neither its API nor its \
         version: it has the correlation id of the request that it answers, and comes in the order of the \
         requests. A produce request with acks 0 is not answered.",
    )?;
    open_table(
        out,
        "Header versions",
        &[
            "Message",
            "Header",
            "When",
            "Messages of the newest versions",
        ],
    )?;
    for (direction, version, when) in HEADERS {
        let name = format!("{}Header", direction.suffix());
        let link = match map.structure(&name) {
            Some(entry) => format!("<a href=\"{}\">{name}</a>", entry.page()),
            None => name,
        };
        writeln!(
            out,
            "<tr><th scope=\"row\">{}</th><td class=\"nowrap\">{link} v{version}</td><td>{}</td>\
             <td class=\"number\">{}</td></tr>",
            direction.name(),
            Markup(when),
            n_newest(map, direction, version)
        )?;
    }
    close_table(out)?;
    paragraph(
        out,
        "A broker that does not know the version of an ApiVersions request answers with a body of \
         version 0 and error 35, whatever was asked.",
    )?;
    diagrams(out, map)
}

/// How many APIs have the header in their newest version.
fn n_newest(map: &SiteMap, direction: Direction, header: i16) -> usize {
    let has = |entry: &&ApiEntry| {
        let (definition, of): (_, fn(&_, _) -> i16) = match direction {
            Direction::Request => (entry.request, request_header_version),
            Direction::Response => (entry.response, response_header_version),
        };
        of(definition, definition.newest()) == header
    };
    map.apis.iter().filter(has).count()
}

/// The newest headers, as Fetch has them.
fn diagrams(out: &mut String, map: &SiteMap) -> fmt::Result {
    let catalogue = Catalogue::current();
    for direction in [Direction::Request, Direction::Response] {
        let Some(diagram) = newest_of(map, ApiKey::FETCH).and_then(|version| {
            WireDiagram::of_message(catalogue, ApiKey::FETCH, direction, version)
        }) else {
            continue;
        };
        // The header alone: bodies have their own pages.
        let groups = diagram.groups.into_iter().take(1).collect();
        wire(
            out,
            &WireDiagram {
                groups,
                remarks: Vec::new(),
            },
        )?;
    }
    Ok(())
}

fn newest_of(map: &SiteMap, api: ApiKey) -> Option<i16> {
    map.api(api).map(ApiEntry::newest)
}
