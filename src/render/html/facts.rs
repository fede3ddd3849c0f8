//! Names with values, as a description list; and sentences beside them.

use std::fmt;

use crate::render::{Fact, quote::Markup};

/// Writes the facts; nothing when there are none.
pub fn facts(out: &mut dyn fmt::Write, facts: &[Fact]) -> fmt::Result {
    if facts.is_empty() {
        return Ok(());
    }
    write!(out, "<dl class=\"facts\">")?;
    for fact in facts {
        write!(
            out,
            "<div><dt>{}</dt><dd>{}</dd></div>",
            Markup(fact.name),
            Markup(&fact.value)
        )?;
    }
    writeln!(out, "</dl>")
}

/// Writes a sentence about what the page has or lacks.
pub fn remark(out: &mut dyn fmt::Write, sentence: &str) -> fmt::Result {
    writeln!(out, "<p class=\"more\">{}</p>", Markup(sentence))
}
