//! The page of all definitions that are neither requests nor responses.

use std::fmt::{self, Write};

use super::{
    frame::{Frame, Part, Place, search},
    map::{SiteMap, StructureEntry},
};
use crate::{
    render::{Markup, html::page::Dress},
    schema::Kind,
};

/// Definitions of some kinds, with what they have in common.
struct Group {
    anchor: &'static str,
    title: &'static str,
    about: &'static str,
    kinds: &'static [Kind],
}

const GROUPS: [Group; 4] = [
    Group {
        anchor: "headers",
        title: "Headers",
        about: "What stands between the size of a message and its body.",
        kinds: &[Kind::Header],
    },
    Group {
        anchor: "data",
        title: "Inside other bytes",
        about: "What members of groups tell each other through a coordinator, control records, what \
                wrapped requests say of their sender, snapshots, state on disks.",
        kinds: &[Kind::Data],
    },
    Group {
        anchor: "coordinators",
        title: "Records of coordinators",
        about: "Keys and values of __consumer_offsets, __transaction_state and __share_group_state. An \
                int16 stands in front of each: the type of a key, the version of a value.",
        kinds: &[Kind::CoordinatorKey, Kind::CoordinatorValue],
    },
    Group {
        anchor: "metadata",
        title: "Records of cluster metadata",
        about: "Values of records in __cluster_metadata. Three unsigned varints stand in front of each: \
                the version of the frame, the type, the version of the record.",
        kinds: &[Kind::Metadata],
    },
];

/// Writes the page.
pub(super) fn page(out: &mut String, map: &SiteMap) -> fmt::Result {
    let frame = Frame {
        part: Part::Structures,
        dress: Dress::REFERENCE,
        heading: "Structures",
        place: Place::Top,
    };
    frame.open(out)?;
    writeln!(
        out,
        "<p class=\"lead\">{} definitions that are neither requests nor responses: headers, and what \
         lies inside bytes and records.</p>",
        map.structures.len()
    )?;
    search(out, "Filter by name, type or field")?;
    for group in &GROUPS {
        writeln!(
            out,
            "<section data-group=\"\"><h2 id=\"{}\">{}</h2><p class=\"prose\">{}</p>\n\
             <div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"{1}\"><table><thead><tr>\
             <th scope=\"col\">Name</th><th scope=\"col\" class=\"number\">Type</th>\
             <th scope=\"col\">Versions</th><th scope=\"col\">Fields of the newest</th></tr></thead><tbody>",
            group.anchor,
            Markup(group.title),
            Markup(group.about)
        )?;
        let of_group = |entry: &&StructureEntry| group.kinds.contains(&entry.definition.kind);
        let mut entries: Vec<&StructureEntry> = map.structures.iter().filter(of_group).collect();
        // Of coordinators, the value of a type stands behind its key.
        entries.sort_by_key(|entry| match entry.definition.kind {
            Kind::Metadata => (entry.definition.api_key, ""),
            _ => (None, entry.definition.name.as_str()),
        });
        for entry in entries {
            row(out, entry)?;
        }
        writeln!(out, "</tbody></table></div></section>")?;
    }
    frame.close(out)
}

fn row(out: &mut String, entry: &StructureEntry) -> fmt::Result {
    let definition = entry.definition;
    let newest = definition.newest();
    let fields: Vec<&str> = definition
        .fields
        .iter()
        .filter(|field| field.versions.contains(newest))
        .map(|field| field.name.as_str())
        .collect();
    let key = definition
        .api_key
        .map_or(String::new(), |key| key.to_string());
    let words = [
        definition.name.as_str(),
        definition.kind.name(),
        &fields.join(" "),
    ]
    .join(" ");
    writeln!(
        out,
        "<tr data-key=\"{key}\" data-q=\"{}\"><th scope=\"row\"><a href=\"{}\">{}</a></th>\
         <td class=\"number soft\">{key}</td><td class=\"nowrap\">{}</td><td class=\"soft\">{}</td></tr>",
        Markup(words.to_lowercase()),
        entry.page(),
        Markup(&definition.name),
        definition.ever,
        Markup(fields.join(", "))
    )
}
