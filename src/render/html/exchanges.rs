//! The list of exchanges of a page, and what stands above the messages of one.

use std::fmt;

use super::facts;
use crate::render::{Fact, quote::Markup};

/// Writes a table of exchanges: the names of the columns, then for each exchange its number, whether
/// the page has its messages, and its cells.
pub fn exchange_list(
    out: &mut dyn fmt::Write,
    heads: &[String],
    rows: &mut dyn Iterator<Item = (usize, bool, Vec<String>)>,
) -> fmt::Result {
    write!(
        out,
        "<section class=\"exchanges\" aria-label=\"Exchanges\"><div class=\"scroll\" \
         tabindex=\"0\" role=\"region\" aria-label=\"List of exchanges\">\
         <table><thead><tr>"
    )?;
    for head in heads {
        write!(out, "<th scope=\"col\">{}</th>", Markup(head))?;
    }
    writeln!(out, "</tr></thead><tbody>")?;
    for (n, is_here, cells) in rows {
        write!(out, "<tr>")?;
        for (idx, cell) in cells.iter().enumerate() {
            match idx {
                0 if is_here => {
                    write!(out, "<td><a href=\"#x{n}\">{}</a></td>", Markup(cell))?;
                }
                _ => write!(out, "<td>{}</td>", Markup(cell))?,
            }
        }
        writeln!(out, "</tr>")?;
    }
    writeln!(out, "</tbody></table></div></section>")
}

/// Starts the section of exchange `n`; it ends with `</section>`.
pub fn exchange_open(
    out: &mut dyn fmt::Write,
    n: usize,
    title: &str,
    about: &[Fact],
) -> fmt::Result {
    writeln!(
        out,
        "<section class=\"exchange\" id=\"x{n}\"><h2><a class=\"number\" href=\"#x{n}\">{n}</a> \
         {}</h2>",
        Markup(title)
    )?;
    facts(out, about)
}
