//! Markdown for issues and readmes, in the dialect of GitHub.
//!
//! What comes in are [`Sheet`]s and texts; what goes out are headings, one table of exchanges, and
//! the text of messages in blocks of code. Text from the wire stands in code and nowhere else, so
//! that it can be neither markup nor a mention.

use std::fmt::{self, Write};

use super::{
    Fact, Palette, Parts, Sheet, message,
    quote::{markdown_block, markdown_cell, markdown_code},
};

/// Characters that GitHub takes in an issue or a comment.
pub const ISSUE: usize = 65_536;

/// Writes a heading with the facts below it; `level` counts from 1.
pub fn heading(out: &mut dyn Write, level: usize, title: &str, facts: &[Fact]) -> fmt::Result {
    if !title.is_empty() {
        writeln!(out, "{} {}\n", "#".repeat(level.clamp(1, 6)), plain(title))?;
    }
    if facts.is_empty() {
        return Ok(());
    }
    let facts: Vec<String> = facts
        .iter()
        .map(|fact| format!("{}: {}", fact.name, markdown_code(&fact.value)))
        .collect();
    writeln!(out, "{}\n", facts.join(" · "))
}

/// Writes a table of exchanges.
pub fn exchange_list(
    out: &mut dyn Write,
    heads: &[String],
    rows: &mut dyn Iterator<Item = Vec<String>>,
) -> fmt::Result {
    writeln!(out, "| {} |", heads.join(" | "))?;
    writeln!(out, "|{}", " --- |".repeat(heads.len()))?;
    for cells in rows {
        let cells: Vec<String> = cells.iter().map(|cell| cell_text(cell)).collect();
        writeln!(out, "| {} |", cells.join(" | "))?;
    }
    writeln!(out)
}

/// Writes a message: its heading, facts, tree, problems and grids.
pub fn sheet(out: &mut dyn Write, sheet: &Sheet<'_>, level: usize) -> fmt::Result {
    heading(out, level, &sheet.title, &sheet.facts)?;
    let mut text = String::new();
    message(
        &mut text,
        sheet.tree,
        Parts::All,
        sheet.cut,
        Palette::Plain,
        |found| sheet.source(found),
    )?;
    markdown_block(out, &text)?;
    writeln!(out)
}

/// A title: of what the program knows nothing is markup, and of anything else nothing stays so.
fn plain(title: &str) -> String {
    match title
        .chars()
        .all(|c| c.is_alphanumeric() || " .:-/()".contains(c))
    {
        true => title.to_owned(),
        false => markdown_code(title),
    }
}

/// Numbers, times and names without signs stand as they are; all else is code.
fn cell_text(cell: &str) -> String {
    match cell
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || " .:/".contains(c))
    {
        true => cell.to_owned(),
        false => markdown_cell(cell),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_titles_hold_no_markup() {
        let mut text = String::new();
        let heads = ["n".to_owned(), "topics".to_owned()];
        let rows = ["a|b", "<i>", "@me", "![x](y)", "orders", "10:00:00.1"];
        let mut rows = rows
            .into_iter()
            .map(|cell| vec!["1".to_owned(), cell.to_owned()]);
        exchange_list(&mut text, &heads, &mut rows).unwrap();
        assert_eq!(
            text,
            "| n | topics |\n| --- | --- |\n| 1 | `a\\|b` |\n| 1 | `<i>` |\n| 1 | `@me` |\n\
             | 1 | `![x](y)` |\n| 1 | orders |\n| 1 | 10:00:00.1 |\n\n"
        );
        text.clear();
        heading(&mut text, 2, "a *b*", &[Fact::new("Client id", "`c`")]).unwrap();
        assert_eq!(text, "## `a *b*`\n\nClient id: `` `c` ``\n\n");
    }
}
