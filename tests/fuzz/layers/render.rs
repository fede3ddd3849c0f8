//! Trees and what is printed of them: three bytes say what the others are read as.

use kafscope::{
    decode::{Framing, log, request, response},
    render::{
        Cut, Head, JsonLine, Palette, Parts, Sheet, html, markdown, message, sections,
        svg::Picture, write_json,
    },
    schema::{ApiKey, Catalogue},
    tree::{Builder, Secrecy, Tree},
    tui::{App, Msg, Page, Side, Status, draw},
    wire::BufferId,
};
use ratatui::{
    buffer::Buffer,
    crossterm::event::{KeyCode, KeyEvent, KeyModifiers},
    layout::Rect,
};
use serde_json::Value as Json;

pub(super) fn run(data: &[u8]) {
    let Some((&[kind, which, version], bytes)) = data.split_first_chunk() else {
        return;
    };
    let catalogue = Catalogue::current();
    let api = ApiKey(which.into());
    let version = i16::from(version % 32);
    let bytes = bytes.to_vec();
    let (mut tree, decoded) = match kind & 3 {
        0 => {
            let (tree, ()) = Builder::build(bytes, log);
            (tree, None)
        }
        1 => {
            let (tree, decoded) = Builder::build(bytes, |bytes, sink| {
                request(catalogue, Framing::Sized, bytes, sink)
            });
            (tree, Some(decoded))
        }
        _ => {
            let (tree, decoded) = Builder::build(bytes, |bytes, sink| {
                response(catalogue, Framing::Sized, bytes, api, version, sink)
            });
            (tree, Some(decoded))
        }
    };
    if kind & 4 != 0 {
        tree.set_secrecy(Secrecy::Show);
    }
    let head = decoded.as_ref().map_or(Head::Records, Head::Message);
    json(&tree, &head);
    text(&tree);
    documents(&tree, &head);
    nodes(&tree);
    if kind & 0x30 == 0x30 {
        browser(tree);
    }
}

/// JSON is one line that says no more than it is asked for, and the same every time.
fn json(tree: &Tree, head: &Head<'_>) {
    let line = JsonLine {
        shows_tree: true,
        ..JsonLine::new(tree, head)
    };
    let mut text = Vec::new();
    write_json(&mut text, &line).unwrap();
    assert!(is_safe(std::str::from_utf8(&text).unwrap()));
    let parsed: Json = serde_json::from_slice(&text).unwrap();
    assert!(parsed.get("value").is_some());
}

fn text(tree: &Tree) {
    for cut in [Cut::Short, Cut::Wide] {
        let mut text = String::new();
        message(&mut text, tree, Parts::All, cut, Palette::Plain, |_| None).unwrap();
        for line in text.lines() {
            assert!(is_safe(line), "{line:?}");
        }
    }
}

/// Documents hold nothing invisible, and only markup of their own.
fn documents(tree: &Tree, head: &Head<'_>) {
    for cut in [Cut::Short, Cut::Wide] {
        let sheet = Sheet::new(tree, head, cut);
        let (mut page, mut picture, mut markdown) = (String::new(), String::new(), String::new());
        html::message(&mut page, &sheet, 2).unwrap();
        let mut svg = Picture::default();
        svg.sheet(&sheet);
        svg.close(&mut picture).unwrap();
        markdown::sheet(&mut markdown, &sheet, 2).unwrap();
        for line in [&page, &picture, &markdown]
            .into_iter()
            .flat_map(|text| text.lines())
        {
            assert!(is_safe(line), "{line:?}");
        }
        assert_eq!(page.matches("class=\"message\"").count(), 1);
        assert!(!page.contains("<script") && !page.contains("<!--"));
        assert_eq!(picture.matches("<svg").count(), 1);
    }
}

/// Whether no character steers a terminal.
fn is_safe(line: &str) -> bool {
    !line.chars().any(char::is_control)
}

fn nodes(tree: &Tree) {
    for (number, buffer) in (0..).zip(tree.buffers()) {
        let len = buffer.bytes.len();
        assert_eq!(sections(tree, BufferId(number)).len(), len);
    }
    for id in tree.nodes().take(1000) {
        let span = tree.span(id);
        assert_eq!(tree.bytes(span).len(), span.len);
        for child in tree.children(id).take(1000) {
            assert_eq!(tree.parent(child), Some(id));
        }
        let _ = tree.path(id);
        if span.len > 0 && id.idx() % 16 == 0 {
            assert!(tree.at(span.buffer, span.at).is_some());
        }
    }
}

fn browser(tree: Tree) {
    let mut app = App::new("fuzzed".to_owned(), 80, 24, false);
    app.update(Msg::Status(Status {
        len: 1,
        progress: 1.0,
        ..Status::default()
    }));
    app.update(Msg::Opened {
        idx: 0,
        side: Side::Request,
        page: Some(Box::new(Page {
            decoded: None,
            tree,
            origins: Vec::new(),
            files: Vec::new(),
        })),
    });
    for key in "\tjjjjllG\tjjljlkGg[]np\tboivqc01ix+u\n|+->SyvB*".chars() {
        let code = match key {
            '\t' => KeyCode::Tab,
            '\n' => KeyCode::Enter,
            key => KeyCode::Char(key),
        };
        app.update(Msg::Key(KeyEvent::new(code, KeyModifiers::NONE)));
        let mut buffer = Buffer::empty(Rect::new(0, 0, 80, 24));
        draw(&app, &mut buffer);
    }
}
