//! Definitions and values as code: names, texts, numbers and comments told apart.
//!
//! What comes in is any text; where it is not JSON or like it, nothing is coloured, and nothing of it
//! is lost.

use std::fmt;

use crate::render::quote::Markup;

/// What a piece of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Plain,
    /// A text with a colon behind it.
    Name,
    Text,
    /// A number or a word of the format.
    Word,
    Comment,
}

impl Kind {
    fn class(self) -> Option<&'static str> {
        match self {
            Kind::Plain => None,
            Kind::Name => Some("k"),
            Kind::Text => Some("s"),
            Kind::Word => Some("w"),
            Kind::Comment => Some("o"),
        }
    }
}

/// Writes a block of code; `label` is for those who do not see it.
pub fn code(out: &mut dyn fmt::Write, label: &str, text: &str) -> fmt::Result {
    write!(
        out,
        "<pre class=\"code\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">",
        Markup(label)
    )?;
    let mut lines = text.trim_end().lines().peekable();
    while let Some(line) = lines.next() {
        for (kind, piece) in pieces(line) {
            match kind.class() {
                Some(class) => write!(out, "<span class=\"{class}\">{}</span>", Markup(piece))?,
                None => write!(out, "{}", Markup(piece))?,
            }
        }
        if lines.peek().is_some() {
            writeln!(out)?;
        }
    }
    writeln!(out, "</pre>")
}

/// A line in its pieces.
fn pieces(line: &str) -> Vec<(Kind, &str)> {
    let mut pieces = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let (kind, len) = match first {
            '"' => {
                let len = text_len(rest);
                let behind = rest.get(len..).unwrap_or_default();
                let kind = match behind.trim_start().starts_with(':') {
                    true => Kind::Name,
                    false => Kind::Text,
                };
                (kind, len)
            }
            '/' if rest.starts_with("//") => (Kind::Comment, rest.len()),
            c if is_word(c) => {
                let len = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                (Kind::Word, len)
            }
            _ => {
                let starts = |(at, c): (usize, char)| {
                    let behind = rest.get(at..).unwrap_or_default();
                    (c == '"' || is_word(c) || behind.starts_with("//")).then_some(at)
                };
                let len = rest.char_indices().skip(1).find_map(starts);
                (Kind::Plain, len.unwrap_or(rest.len()))
            }
        };
        let (piece, behind) = rest.split_at_checked(len).unwrap_or((rest, ""));
        pieces.push((kind, piece));
        rest = behind;
    }
    pieces
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '+')
}

/// Bytes of the text in quotes that a line starts with; all of a line where it does not end.
fn text_len(line: &str) -> usize {
    let mut is_escaped = false;
    for (at, c) in line.char_indices().skip(1) {
        match c {
            '"' if !is_escaped => return at + 1,
            '\\' => is_escaped = !is_escaped,
            _ => is_escaped = false,
        }
    }
    line.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_line_is_lost() {
        for line in [
            r#"  { "name": "Topics", "type": "[]string", "about": "Say \"x\" // no comment." },"#,
            r#"  "validVersions": "0-5", // trailing "text""#,
            r#""open"#,
            "/ é-1.5e3 / //",
            "",
        ] {
            let joined: String = pieces(line).into_iter().map(|(_, piece)| piece).collect();
            assert_eq!(joined, line);
        }
    }

    #[test]
    fn names_texts_words_and_comments_are_told_apart() {
        let kinds: Vec<_> = pieces(r#"{ "a": "b", "c" : -1, true } // "d""#)
            .into_iter()
            .filter(|(kind, _)| *kind != Kind::Plain)
            .collect();
        assert_eq!(
            kinds,
            [
                (Kind::Name, "\"a\""),
                (Kind::Text, "\"b\""),
                (Kind::Name, "\"c\""),
                (Kind::Word, "-1"),
                (Kind::Word, "true"),
                (Kind::Comment, "// \"d\""),
            ]
        );
    }

    #[test]
    fn code_is_escaped() {
        let mut out = String::new();
        code(&mut out, "a", "\"</pre><script>\": <b>\n").unwrap();
        assert!(!out.contains("<script>") && !out.contains("<b>"), "{out}");
    }
}
