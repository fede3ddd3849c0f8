//! What to look for in messages, and where it is.

use crate::{
    tree::{NodeId, Tree},
    tui::Side,
    wire::{BufferId, Span},
};

/// What is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// A text, in any case of its letters when it has only small ones.
    Text(String),
    /// Bytes, of which some may be anything.
    Bytes(Vec<Option<u8>>),
    /// A part of the path of a field.
    Path(String),
}

/// A place where it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The exchange, from 0.
    pub idx: usize,
    pub side: Side,
    pub span: Span,
    /// Its number among those of the message, from 1, and how many there are.
    pub nth: (usize, usize),
}

/// Places in one message that are counted; a pattern of one byte can be anywhere.
pub(super) const COUNTED: usize = 10_000;

impl Pattern {
    /// Reads what was typed: `0x` or `x:` in front of hex digits with `??` for any byte, `.` in front
    /// of a path, else a text.
    ///
    /// # Errors
    /// What is no pattern, in a sentence.
    pub fn parse(text: &str) -> Result<Pattern, String> {
        if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("x:")) {
            return bytes(digits);
        }
        if let Some(path) = text.strip_prefix('.') {
            return match path.is_empty() {
                true => Err("expected a part of a path behind the dot".to_owned()),
                false => Ok(Pattern::Path(path.to_lowercase())),
            };
        }
        match text.is_empty() {
            true => Err("expected something to look for".to_owned()),
            false => Ok(Pattern::Text(text.to_owned())),
        }
    }

    /// The places in a message, in reading order.
    pub fn places(&self, tree: &Tree) -> Vec<Span> {
        let mut places = Vec::new();
        match self {
            Pattern::Path(part) => {
                let nodes = tree.nodes().filter(|&id: &NodeId| {
                    tree.value(id).is_some() && tree.path(id).to_lowercase().contains(part)
                });
                places.extend(nodes.map(|id| tree.span(id)).take(COUNTED));
            }
            Pattern::Text(text) => {
                let folds = !text.chars().any(char::is_uppercase);
                let wanted: Vec<u8> = text.bytes().collect();
                in_buffers(tree, wanted.len(), &mut places, |bytes| match folds {
                    true => bytes.eq_ignore_ascii_case(&wanted),
                    false => bytes == wanted,
                });
            }
            Pattern::Bytes(wanted) => {
                in_buffers(tree, wanted.len(), &mut places, |bytes| {
                    bytes
                        .iter()
                        .zip(wanted)
                        .all(|(byte, wanted)| wanted.is_none_or(|wanted| wanted == *byte))
                });
            }
        }
        places
    }
}

/// Looks at every run of `len` bytes of every buffer but those that must not be shown.
fn in_buffers(tree: &Tree, len: usize, places: &mut Vec<Span>, is_it: impl Fn(&[u8]) -> bool) {
    for (number, buffer) in (0..).zip(tree.buffers()) {
        let id = BufferId(number);
        for (at, bytes) in buffer.bytes.windows(len.max(1)).enumerate() {
            if is_it(bytes) && !(at..at + len).any(|at| tree.hides(id, at)) {
                places.push(Span::new(id, at, at + len));
                if places.len() == COUNTED {
                    return;
                }
            }
        }
    }
}

fn bytes(digits: &str) -> Result<Pattern, String> {
    let digits: Vec<char> = digits.chars().filter(|c| !c.is_whitespace()).collect();
    if digits.is_empty() || !digits.len().is_multiple_of(2) {
        return Err(format!(
            "found {} hex digits, expected two for each byte, or ??",
            digits.len()
        ));
    }
    digits
        .chunks(2)
        .map(|pair| {
            let pair: String = pair.iter().collect();
            match pair.as_str() {
                "??" => Ok(None),
                _ => u8::from_str_radix(&pair, 16)
                    .map(Some)
                    .map_err(|_| format!("found {pair}, expected two hex digits or ??")),
            }
        })
        .collect::<Result<_, _>>()
        .map(Pattern::Bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_read_as_typed() {
        assert_eq!(
            Pattern::parse("0x00 14 ??"),
            Ok(Pattern::Bytes(vec![Some(0), Some(0x14), None]))
        );
        assert_eq!(
            Pattern::parse(".ErrorCode"),
            Ok(Pattern::Path("errorcode".to_owned()))
        );
        assert_eq!(
            Pattern::parse("orders"),
            Ok(Pattern::Text("orders".to_owned()))
        );
        for wrong in ["", ".", "0x", "0x1", "0xzz"] {
            assert!(Pattern::parse(wrong).is_err(), "{wrong}");
        }
    }
}
