//! The frame of a page: head with policy and style, heading, footer, script.
//!
//! The policy names the styles and scripts by their hashes and forbids everything else, so that
//! even markup that got into a page by mistake could neither run nor load anything.

use std::fmt;

use base64::{Engine, engine::general_purpose::STANDARD};
use sha2::{Digest, Sha256};

use super::{facts, reference, script::SCRIPT, style::STYLE};
use crate::render::{Fact, quote::Markup};

/// What a page carries beside what it says.
#[derive(Clone, Copy, Debug)]
pub struct Dress {
    styles: &'static [&'static str],
    scripts: &'static [&'static str],
}

impl Dress {
    /// Of messages by themselves: trees and grids are linked.
    pub const DOCUMENT: Dress = Dress {
        styles: &[STYLE],
        scripts: &[SCRIPT],
    };

    /// Of a page of a reference: navigation, search.
    pub const REFERENCE: Dress = Dress {
        styles: &[STYLE, reference::STYLE],
        scripts: &[reference::SCRIPT],
    };

    /// Of a page of a reference that shows messages.
    pub const LAYOUT: Dress = Dress {
        styles: &[STYLE, reference::STYLE],
        scripts: &[SCRIPT, reference::SCRIPT],
    };
}

/// Starts a page: everything up to what it is about.
pub fn open(out: &mut dyn fmt::Write, title: &str, about: &[Fact]) -> fmt::Result {
    head(out, Dress::DOCUMENT, title)?;
    writeln!(out, "<header class=\"top\"><h1>{}</h1>", Markup(title))?;
    facts(out, about)?;
    writeln!(out, "</header>\n<main>")
}

/// Ends a page.
pub fn close(out: &mut dyn fmt::Write) -> fmt::Result {
    writeln!(
        out,
        "</main>\n<footer class=\"end\">Made with kafscope {}</footer>",
        env!("CARGO_PKG_VERSION")
    )?;
    foot(out, Dress::DOCUMENT)
}

/// Writes a page up to the start of its body.
pub fn head(out: &mut dyn fmt::Write, dress: Dress, title: &str) -> fmt::Result {
    write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta name=\"generator\" content=\"kafscope {}\">\n\
         <title>{}</title>\n",
        policy(dress),
        env!("CARGO_PKG_VERSION"),
        Markup(title)
    )?;
    for style in dress.styles {
        writeln!(out, "<style>{style}</style>")?;
    }
    writeln!(out, "</head>\n<body>")
}

/// Writes what ends a page that was started in the same dress.
pub fn foot(out: &mut dyn fmt::Write, dress: Dress) -> fmt::Result {
    for script in dress.scripts {
        writeln!(out, "<script>{script}</script>")?;
    }
    writeln!(out, "</body>\n</html>")
}

/// What a page may run and load: its own styles and scripts, and nothing else.
fn policy(dress: Dress) -> String {
    let hashes = |texts: &[&str]| {
        let hashes: Vec<String> = texts.iter().map(|text| hash(text)).collect();
        hashes.join(" ")
    };
    format!(
        "default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'",
        hashes(dress.styles),
        hashes(dress.scripts)
    )
}

fn hash(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn style_and_script_can_stand_in_their_elements() {
        // Either would end its element, and a carriage return would not be what was hashed.
        for text in [STYLE, SCRIPT, reference::STYLE, reference::SCRIPT] {
            let lower = text.to_ascii_lowercase();
            for no in ["</style", "</script", "<!--", "\r", "\0"] {
                assert!(!lower.contains(no), "{no}");
            }
        }
    }

    #[test]
    fn nothing_is_loaded_from_elsewhere() {
        for text in [STYLE, SCRIPT, reference::STYLE, reference::SCRIPT] {
            for no in [
                "http:", "https:", "url(", "@import", "//cdn", "fetch(", "import ",
            ] {
                assert!(!text.contains(no), "{no}");
            }
        }
    }
}
