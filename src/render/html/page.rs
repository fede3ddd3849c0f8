//! The frame of a page: head with policy and style, heading, footer, script.
//!
//! The policy names the style and the script by their hashes and forbids everything else, so that
//! even markup that got into a page by mistake could neither run nor load anything.

use std::fmt;

use base64::{Engine, engine::general_purpose::STANDARD};
use sha2::{Digest, Sha256};

use super::{facts, script::SCRIPT, style::STYLE};
use crate::render::{Fact, quote::Markup};

/// Starts a page: everything up to what it is about.
pub fn open(out: &mut dyn fmt::Write, title: &str, about: &[Fact]) -> fmt::Result {
    writeln!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta name=\"generator\" content=\"kafscope {}\">\n\
         <title>{}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<header class=\"top\">\
         <h1>{}</h1>",
        policy(),
        env!("CARGO_PKG_VERSION"),
        Markup(title),
        Markup(title)
    )?;
    facts(out, about)?;
    writeln!(out, "</header>\n<main>")
}

/// Ends a page.
pub fn close(out: &mut dyn fmt::Write) -> fmt::Result {
    writeln!(
        out,
        "</main>\n<footer class=\"end\">Made with kafscope {}</footer>\n\
         <script>{SCRIPT}</script>\n</body>\n</html>",
        env!("CARGO_PKG_VERSION")
    )
}

/// What a page may run and load: its own style and script, and nothing else.
fn policy() -> String {
    format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; \
         form-action 'none'",
        hash(STYLE),
        hash(SCRIPT)
    )
}

fn hash(text: &str) -> String {
    STANDARD.encode(Sha256::digest(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn style_and_script_can_stand_in_their_elements() {
        // Either would end its element, and a carriage return would not be what was hashed.
        for text in [STYLE, SCRIPT] {
            let lower = text.to_ascii_lowercase();
            for no in ["</style", "</script", "<!--", "\r", "\0"] {
                assert!(!lower.contains(no), "{no}");
            }
        }
    }

    #[test]
    fn nothing_is_loaded_from_elsewhere() {
        for text in [STYLE, SCRIPT] {
            for no in [
                "http:", "https:", "url(", "@import", "//cdn", "fetch(", "import ",
            ] {
                assert!(!text.contains(no), "{no}");
            }
        }
    }
}
