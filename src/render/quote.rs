//! Text that stands inside other formats: pages, pictures, Markdown, tables for spreadsheets.
//!
//! What comes in is any text, safe before or not; what goes out can neither end the place that it
//! stands in nor act on what is around it. Characters that hide, turn or control text are written
//! as [`escape`](super::escape()) writes them in all of the formats.

use std::fmt::{self, Write};

use super::escape::is_hidden;

/// Text in HTML or XML, between tags or in a quoted attribute: the same references serve for all of
/// them, so that nobody has to know where a value ends up.
pub struct Markup<T>(pub T);

impl<T: AsRef<str>> fmt::Display for Markup<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.as_ref();
        let mut from = 0;
        for (at, c) in text.char_indices() {
            let reference = match c {
                '&' => "&amp;",
                '<' => "&lt;",
                '>' => "&gt;",
                '"' => "&quot;",
                '\'' => "&#39;",
                // Old parsers took it for a quote around attributes.
                '`' => "&#96;",
                ' '..='~' => continue,
                _ if is_unfit(c) => "",
                _ => continue,
            };
            f.write_str(text.get(from..at).unwrap_or_default())?;
            match reference {
                "" => push_visible(f, c)?,
                reference => f.write_str(reference)?,
            }
            from = at + c.len_utf8();
        }
        f.write_str(text.get(from..).unwrap_or_default())
    }
}

/// Text as code in a cell of a table in Markdown, which a bar would end even in code. Outside of
/// tables the backslash would be shown.
pub(super) fn markdown_cell(text: &str) -> String {
    markdown_code(text).replace('|', "\\|")
}

/// Text as code in a line of Markdown, where nothing is a link, a mention or markup.
pub(super) fn markdown_code(text: &str) -> String {
    let text = visible(text).replace('\n', " ");
    if text.is_empty() {
        return text;
    }
    let ticks = "`".repeat(longest_run(&text, '`') + 1);
    // A tick at either end would join those around it, and so would the spaces that are taken away.
    let space = match text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) {
        true => " ",
        false => "",
    };
    format!("{ticks}{space}{text}{space}{ticks}")
}

/// Lines of text as a block of code in Markdown, whatever is in them.
pub(super) fn markdown_block(out: &mut dyn Write, text: &str) -> fmt::Result {
    let fence = "`".repeat((longest_run(text, '`') + 1).max(3));
    let end = if text.is_empty() || text.ends_with('\n') {
        ""
    } else {
        "\n"
    };
    writeln!(out, "{fence}text\n{text}{end}{fence}")
}

/// A text as a cell of CSV (RFC 4180). One that a spreadsheet would take for a formula gets an
/// apostrophe in front, which spreadsheets take for the mark of a text.
pub fn csv_text(text: &str) -> String {
    let text = visible(text).replace('\n', "\\n");
    // With the forms of full width, which some take for the same.
    let is_formula = text.starts_with([
        '=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}',
    ]);
    let text = match is_formula {
        true => format!("'{text}"),
        false => text,
    };
    match text.contains(['"', ',', ';']) || text.starts_with(' ') || text.ends_with(' ') {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

/// Text with nothing invisible in it but ends of lines.
fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push(c),
            // Writing into memory cannot fail.
            _ if is_unfit(c) => drop(push_visible(&mut out, c)),
            _ => out.push(c),
        }
    }
    out
}

fn push_visible(out: &mut dyn Write, c: char) -> fmt::Result {
    write!(out, "\\u{{{:x}}}", u32::from(c))
}

/// Whether a character is invisible, or one that neither HTML nor XML may hold.
fn is_unfit(c: char) -> bool {
    is_hidden(c) || u32::from(c) & 0xfffe == 0xfffe || matches!(c, '\u{fdd0}'..='\u{fdef}')
}

/// The most of `wanted` that stand side by side.
fn longest_run(text: &str, wanted: char) -> usize {
    let runs = text.split(|c| c != wanted);
    runs.map(|run| run.chars().count()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn markup(text: &str) -> String {
        Markup(text).to_string()
    }

    #[test]
    fn nothing_ends_a_text_or_an_attribute_of_markup() {
        for (text, html) in [
            (
                "<script>alert(1)</script>",
                "&lt;script&gt;alert(1)&lt;/script&gt;",
            ),
            ("\" onload=\"x", "&quot; onload=&quot;x"),
            ("' onload='x", "&#39; onload=&#39;x"),
            ("]]>&lt;!--", "]]&gt;&amp;lt;!--"),
            ("a`b", "a&#96;b"),
            ("orders 日本", "orders 日本"),
        ] {
            assert_eq!(markup(text), html);
        }
    }

    #[test]
    fn what_hides_or_turns_text_is_visible() {
        let text = "\u{202e}txt\0\u{1b}[2J\u{feff}\u{2066}\u{ffff}";
        let shown = "\\u{202e}txt\\u{0}\\u{1b}[2J\\u{feff}\\u{2066}\\u{ffff}";
        assert_eq!(markup(text), shown);
        assert_eq!(markdown_code(text), format!("`{shown}`"));
        assert_eq!(csv_text(text), shown);
        assert_eq!(markup("a\nb\tc"), "a\\u{a}b\\u{9}c");
    }

    #[test]
    fn code_of_markdown_is_ended_by_nothing_in_it() {
        for (text, code) in [
            ("", ""),
            ("orders", "`orders`"),
            ("a|b", "`a|b`"),
            ("a`b", "``a`b``"),
            ("``", "``` `` ```"),
            ("<b>@me #1", "`<b>@me #1`"),
        ] {
            assert_eq!(markdown_code(text), code);
        }
        assert_eq!(markdown_cell("a|`b"), "``a\\|`b``");
        let mut block = String::new();
        markdown_block(&mut block, "a\n`````\n```").unwrap();
        assert_eq!(block, "``````text\na\n`````\n```\n``````\n");
        block.clear();
        markdown_block(&mut block, "a\n").unwrap();
        assert_eq!(block, "```text\na\n```\n");
    }

    #[test]
    fn cells_are_no_formulas_and_stay_one_cell() {
        for (text, cell) in [
            ("orders", "orders"),
            ("=1+1", "'=1+1"),
            ("@SUM(A1,B1)", "\"'@SUM(A1,B1)\""),
            ("-x", "'-x"),
            ("\u{ff1d}1", "'\u{ff1d}1"),
            ("\t=1", "\\u{9}=1"),
            ("a,\"b\"", "\"a,\"\"b\"\"\""),
            ("a\r\nb", "a\\u{d}\\nb"),
            (" =1", "\" =1\""),
        ] {
            assert_eq!(csv_text(text), cell);
        }
    }
}
