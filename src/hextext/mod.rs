//! Pasted text in any notation to bytes, each with its line and column in the paste.
//!
//! In comes what people copy from terminals, logs, source code and bug reports. [`read`] answers
//! with the ways in which it can be read, the likeliest first, each with the reason for it; or
//! that it is no text, or that it holds no bytes, or where and why they cannot be trusted. Bytes
//! that a paste leaves out are holes, never guesses.
//!
//! Every reader of a notation looks at the whole text on its own and reports what it found with
//! how sure it is; `rank` decides. No reader looks at what the bytes mean, with one exception: that
//! bytes are a whole length-prefixed frame decides whether blank lines part messages, whether lines
//! of `cat -v` or with names beside them are one, where the messages of a followed stream end, and
//! whether dots at the end of a string are bytes.
//!
//! `docs/HEXTEXT.md` is the contract for users.

mod assembly;
mod bare;
mod base64;
mod bitsyntax;
mod casts;
mod cells;
mod chain;
mod charset;
mod clean;
mod column;
mod contents;
mod draft;
mod dump;
mod dumpname;
mod ellipsis;
mod escape;
mod fields;
mod follow;
mod framed;
mod gutter;
mod hex;
mod hexaside;
mod hexline;
mod hexrun;
mod index;
mod legend;
mod list;
mod listkind;
mod logrows;
mod nested;
mod number;
mod numbers;
mod odc;
mod plain;
mod prefix;
mod quoted;
mod rank;
mod reading;
mod repeats;
mod row;
mod rows;
mod scan;
mod sedl;
mod shown;
mod stamp;
mod tshark;
mod typography;
mod unescape;
mod variable;
mod words;

#[cfg(test)]
mod tests;

pub use reading::{
    Candidate, Family, Hole, LogNumber, NotText, Note, NumberRole, Part, Place, Reading, Refusal,
    Remark,
};

use clean::Text;
use draft::Findings;
use scan::Pass;

/// A dump this sure needs no other reading beside it.
const CERTAIN: u8 = 93;
/// As long as nothing this sure was found, comments and quotes are looked into as well.
const FOUND: u8 = 50;

/// Reads a paste.
///
/// Takes time and memory linear in the input, and never panics.
pub fn read(input: &[u8]) -> Reading {
    let text = match Text::new(input) {
        Ok(text) => text,
        Err(not_text) => return Reading::Binary(not_text),
    };
    of_text(text, nested::DEEPEST)
}

/// Reads text in which strings are opened `depth` levels deep.
fn of_text(text: Text, depth: usize) -> Reading {
    let code = gutter::blank(text.bytes());
    let mut found = Findings::default();
    tshark::find(&code, &mut found);
    contents::find(&code, &mut found);
    follow::find(&code, &mut found);
    if found.sketches.is_empty() {
        dump::find(&code, &mut found);
    }
    if found.confidence() >= CERTAIN {
        return rank::decide(&text, found, Vec::new());
    }
    if depth > 0
        && framed::frames(&code).is_empty()
        && let Some(inner) = nested::open(&text)
        && (!nested::spells_bytes(&text) || is_dump(&inner))
    {
        return of_text(inner, depth - 1);
    }
    // With quotes and comments as they are, which may be data.
    let raw = scan::scan(&code, text.swaps(), Pass::QuotesAsText);
    if sedl::find(&raw, &mut found)
        || odc::find(&raw, &mut found)
        || assembly::find(&raw, &mut found)
        || words::find(&code, &mut found)
    {
        return rank::decide(&text, found, Vec::new());
    }
    for pass in [Pass::Strict, Pass::CommentsAsText, Pass::QuotesAsText] {
        let scan = scan::scan(&code, text.swaps(), pass);
        bitsyntax::find(&scan, &mut found);
        escape::find(&scan, &mut found);
        shown::find(&scan, &raw, &mut found);
        list::find(&scan, &mut found);
        quoted::find(&scan, &mut found);
        plain::find(&scan, &mut found);
        fields::find(&scan, &mut found);
        if pass == Pass::Strict {
            base64::find(&code, &mut found);
        }
        if found.confidence() >= FOUND {
            break;
        }
    }
    framed::find(&code, &mut found);
    let numbers = numbers::find(&text, &raw);
    rank::decide(&text, found, numbers)
}

/// Whether a text is certainly a dump.
fn is_dump(text: &Text) -> bool {
    let mut found = Findings::default();
    dump::find(text.bytes(), &mut found);
    found.confidence() >= CERTAIN
}
