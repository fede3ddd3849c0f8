//! A strict reader of HTML and XML, for tests of what is written: every element is closed where it
//! must be, attributes are quoted and given once, identifiers are unique, links within the page lead
//! somewhere, and text holds no character that browsers would have to put right.

use std::collections::{BTreeMap, BTreeSet};

/// An element with its attributes, in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) attributes: BTreeMap<String, String>,
    /// The text directly in it, references resolved.
    pub(crate) text: String,
}

/// Elements of HTML that have no end.
const VOID: [&str; 3] = ["meta", "br", "hr"];

/// Elements of HTML whose content is no markup.
const RAW: [&str; 2] = ["script", "style"];

/// What may run as soon as it is there, or load something.
const ACTIVE: [&str; 10] = [
    "iframe",
    "object",
    "embed",
    "img",
    "link",
    "base",
    "form",
    "input",
    "foreignObject",
    "image",
];

/// Reads all elements of a page that stands by itself.
///
/// # Panics
/// At the first thing that is wrong, or where a link leads out of the page or nowhere.
pub(crate) fn elements(text: &str) -> Vec<Element> {
    let all = parsed(text);
    let ids: BTreeSet<&str> = ids(&all).collect();
    for value in all
        .iter()
        .filter_map(|element| element.attributes.get("href"))
    {
        let id = value.strip_prefix('#').expect("a link within the page");
        assert!(ids.contains(id), "{value} leads nowhere");
    }
    all
}

/// The identifiers of elements.
pub(crate) fn ids(all: &[Element]) -> impl Iterator<Item = &str> {
    let ids = all
        .iter()
        .filter_map(|element| element.attributes.get("id"));
    ids.map(String::as_str)
}

/// Reads all elements, wherever their links lead.
///
/// # Panics
/// At the first thing that is wrong.
pub(crate) fn parsed(text: &str) -> Vec<Element> {
    let mut rest = text.strip_prefix("<!DOCTYPE html>\n").unwrap_or(text);
    let mut all: Vec<Element> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    while !rest.is_empty() {
        let Some(tag) = rest.strip_prefix('<') else {
            let end = rest.find('<').unwrap_or(rest.len());
            let (text, behind) = rest.split_at(end);
            let text = resolved(text);
            match open.last() {
                Some(&idx) => all[idx].text.push_str(&text),
                None => assert_eq!(text.trim(), "", "text outside of everything"),
            }
            rest = behind;
            continue;
        };
        let end = tag_end(tag);
        let inside = &tag[..end];
        rest = &tag[end + 1..];
        if let Some(name) = inside.strip_prefix('/') {
            let idx = open.pop().expect("an end without a start");
            assert_eq!(all[idx].name, name, "elements overlap");
            continue;
        }
        let is_closed = inside.ends_with('/');
        let element = element(inside.trim_end_matches('/'));
        let name = element.name.clone();
        if name == "a" {
            let is_link = |&idx: &usize| all[idx].name == "a";
            assert!(!open.iter().any(is_link), "a link in a link");
        }
        all.push(element);
        if is_closed || VOID.contains(&name.as_str()) {
            continue;
        }
        open.push(all.len() - 1);
        if RAW.contains(&name.as_str()) {
            let close = format!("</{name}>");
            let end = rest.find(&close).expect("an end of raw text");
            all.last_mut().unwrap().text = rest[..end].to_owned();
            rest = &rest[end..];
        }
    }
    assert!(open.is_empty(), "elements are left open");
    check(&all);
    all
}

/// The offset of the `>` that ends a tag: not one in a quoted value.
fn tag_end(tag: &str) -> usize {
    let mut is_quoted = false;
    for (at, c) in tag.char_indices() {
        match c {
            '"' => is_quoted = !is_quoted,
            '>' if !is_quoted => return at,
            '<' => panic!("a tag in a tag: {}", &tag[..tag.len().min(80)]),
            _ => {}
        }
    }
    panic!("a tag without end: {}", &tag[..tag.len().min(80)]);
}

fn element(inside: &str) -> Element {
    let name_end = inside.find(' ').unwrap_or(inside.len());
    let (name, mut rest) = inside.split_at(name_end);
    assert!(
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric()),
        "{inside}"
    );
    let mut element = Element {
        name: name.to_owned(),
        ..Element::default()
    };
    while !rest.trim_start().is_empty() {
        let attribute = rest.strip_prefix(' ').expect("a space");
        let (key, behind) = attribute.split_once("=\"").expect("a quoted value");
        let (value, behind) = behind.split_once('"').expect("an end of the value");
        let is_key = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | ':');
        assert!(!key.is_empty() && key.chars().all(is_key), "{inside}");
        assert!(!key.starts_with("on"), "a handler: {inside}");
        assert_ne!(key, "style", "{inside}");
        let old = element.attributes.insert(key.to_owned(), resolved(value));
        assert_eq!(old, None, "twice in {inside}");
        rest = behind;
    }
    element
}

/// Text without references; there are only such as HTML and XML both know.
fn resolved(text: &str) -> String {
    for c in text.chars() {
        assert!(!c.is_control() || c == '\n', "{c:?} in {text}");
        assert!(
            c != '\u{202e}' && c != '\u{feff}' && c != '\u{ffff}',
            "{c:?}"
        );
    }
    let mut parts = text.split('&');
    let mut out = parts.next().unwrap().to_owned();
    for part in parts {
        let (name, behind) = part.split_once(';').expect("an end of the reference");
        out.push_str(match name {
            "amp" => "&",
            "lt" => "<",
            "gt" => ">",
            "quot" => "\"",
            "#39" => "'",
            "#96" => "`",
            _ => panic!("{name} is no reference"),
        });
        out.push_str(behind);
    }
    out
}

fn check(all: &[Element]) {
    let mut ids = BTreeSet::new();
    for element in all {
        assert!(!ACTIVE.contains(&element.name.as_str()), "{element:?}");
        if let Some(id) = element.attributes.get("id") {
            assert!(!id.is_empty() && !id.contains(' '), "{id}");
            assert!(ids.insert(id.as_str()), "{id} is there twice");
        }
    }
    for element in all {
        for (key, value) in &element.attributes {
            match key.as_str() {
                "aria-labelledby" => assert!(ids.contains(value.as_str()), "{value}"),
                "src" | "srcset" | "action" | "data" => panic!("{element:?}"),
                _ => {}
            }
        }
    }
}

#[test]
fn what_is_wrong_is_found() {
    assert_eq!(elements("<p class=\"a\">x &lt; y</p>")[0].text, "x < y");
    for wrong in [
        "<p>",
        "<p></b>",
        "<p><b></p></b>",
        "<p id=\"a\"></p><p id=\"a\"></p>",
        "<a href=\"#a\"></a>",
        "<p onclick=\"x\"></p>",
        "<p class=a></p>",
        "<p>\u{202e}</p>",
        "<p>&nbsp;</p>",
        "<img/>",
    ] {
        let result = std::panic::catch_unwind(|| elements(wrong));
        assert!(result.is_err(), "{wrong}");
    }
}
