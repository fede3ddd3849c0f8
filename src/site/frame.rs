//! What all pages of the reference have around them: navigation, the way to here, a heading.

use std::fmt::{self, Write};

use super::map::{ERRORS, INDEX, STRUCTURES, TYPES};
use crate::render::{
    Markup,
    html::page::{Dress, foot, head},
};

/// What the reference is about, as titles of windows say it.
const SUBJECT: &str = "Kafka protocol";

/// The part of the reference that a page belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Apis,
    Errors,
    Types,
    Structures,
}

impl Part {
    const ALL: [Part; 4] = [Part::Apis, Part::Errors, Part::Types, Part::Structures];

    fn page(self) -> &'static str {
        match self {
            Part::Apis => INDEX,
            Part::Errors => ERRORS,
            Part::Types => TYPES,
            Part::Structures => STRUCTURES,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Part::Apis => "APIs",
            Part::Errors => "Errors",
            Part::Types => "Types",
            Part::Structures => "Structures",
        }
    }
}

/// What is around a page.
pub(super) struct Frame<'a> {
    pub part: Part,
    pub dress: Dress,
    pub heading: &'a str,
    pub place: Place<'a>,
}

/// Where a page stands in its part.
pub(super) enum Place<'a> {
    /// It is what the navigation leads to.
    Top,
    /// Below that and below `above`, pages with names and addresses; `here` is its own short name.
    Below {
        above: &'a [(&'a str, String)],
        here: &'a str,
    },
}

impl Frame<'_> {
    /// Starts the page, up to what is beside the heading.
    pub(super) fn open(&self, out: &mut String) -> fmt::Result {
        let title = match self.heading.contains(SUBJECT) {
            true => self.heading.to_owned(),
            false => format!("{} - {SUBJECT}", self.heading),
        };
        head(out, self.dress, &title)?;
        write!(
            out,
            "<header class=\"top\"><nav class=\"site\" aria-label=\"Reference\">\
             <a class=\"brand\" href=\"{INDEX}\">kafscope <span>{SUBJECT}</span></a><ul>"
        )?;
        for part in Part::ALL {
            let (page, name) = (part.page(), part.name());
            let current = match &self.place {
                _ if part != self.part => "",
                Place::Top => " aria-current=\"page\"",
                Place::Below { .. } => " aria-current=\"true\"",
            };
            write!(out, "<li><a href=\"{page}\"{current}>{name}</a></li>")?;
        }
        write!(
            out,
            "<li><a href=\"{INDEX}#search\">Search <kbd>/</kbd></a></li></ul></nav>"
        )?;
        if let Place::Below { above, here } = &self.place {
            write!(
                out,
                "<nav class=\"crumbs\" aria-label=\"Breadcrumb\"><ol><li><a href=\"{}\">{}</a></li>",
                self.part.page(),
                self.part.name()
            )?;
            for (name, page) in *above {
                write!(
                    out,
                    "<li><a href=\"{}\">{}</a></li>",
                    Markup(page),
                    Markup(name)
                )?;
            }
            write!(
                out,
                "<li aria-current=\"page\">{}</li></ol></nav>",
                Markup(here)
            )?;
        }
        writeln!(out, "<h1>{}</h1></header>\n<main>", Markup(self.heading))
    }

    /// Ends the page.
    pub(super) fn close(&self, out: &mut String) -> fmt::Result {
        writeln!(
            out,
            "</main>\n<footer class=\"end\">Made with kafscope {}</footer>",
            env!("CARGO_PKG_VERSION")
        )?;
        foot(out, self.dress)
    }
}

/// A place for the box that filters the page's list, which a script makes.
pub(super) fn search(out: &mut String, hint: &str) -> fmt::Result {
    writeln!(
        out,
        "<div id=\"search\" class=\"search\" role=\"search\" data-hint=\"{}\" hidden=\"\"></div>",
        Markup(hint)
    )
}
