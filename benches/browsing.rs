//! How long the browser takes from a key to the next screen, in a message of a hundred megabytes
//! and a million fields. A screen that comes within 16 ms is felt as at once.
//!
//! `cargo bench --bench browsing`

#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::time::{Duration, Instant};

use kafscope::{
    decode::{Framing, response},
    schema::{ApiKey, Catalogue},
    tree::{Builder, Tree},
    tui::{App, Msg, Page, Side, Status, draw},
};
use ratatui::{
    buffer::Buffer,
    crossterm::event::{KeyCode, KeyEvent, KeyModifiers},
    layout::Rect,
};

const TOPICS: usize = 45_000;

/// Bytes of a topic's name, so that the message has a hundred megabytes.
const NAME: usize = 2_200;

/// A large screen.
const SCREEN: Rect = Rect::new(0, 0, 200, 50);

fn main() {
    let began = Instant::now();
    let tree = metadata();
    println!(
        "{} nodes of {} bytes, decoded in {:.0?}",
        tree.len(),
        tree.buffers().first().unwrap().bytes.len(),
        began.elapsed()
    );
    let mut app = App::new("large".to_owned(), SCREEN.width, SCREEN.height, true);
    app.update(Msg::Status(Status {
        len: 1,
        progress: 1.0,
        ..Status::default()
    }));
    let began = Instant::now();
    app.update(Msg::Opened {
        idx: 0,
        side: Side::Request,
        page: Some(Box::new(Page {
            tree,
            decoded: None,
            origins: Vec::new(),
            files: Vec::new(),
        })),
    });
    println!("{:<34}{:>9.1?}", "opened", began.elapsed());
    let mut worst = Duration::ZERO;
    for (what, code) in [
        ("to the tree", KeyCode::Tab),
        ("unfold all", KeyCode::Char('*')),
        ("to the last field", KeyCode::Char('G')),
        ("up", KeyCode::Char('k')),
        ("a page up", KeyCode::PageUp),
        ("fold", KeyCode::Char('h')),
        ("fold again", KeyCode::Char('h')),
        ("unfold", KeyCode::Char('l')),
        ("to the first field", KeyCode::Char('g')),
        ("down", KeyCode::Char('j')),
        ("fold all", KeyCode::Char('*')),
        ("to the bytes", KeyCode::Tab),
        ("to the last byte", KeyCode::Char('G')),
        ("a page up", KeyCode::PageUp),
        ("previous byte", KeyCode::Char('h')),
        ("inspector", KeyCode::Char('i')),
        ("a field whole", KeyCode::Char('v')),
        ("back", KeyCode::Esc),
        ("to the first byte", KeyCode::Char('g')),
        ("next problem", KeyCode::Char('e')),
    ] {
        let began = Instant::now();
        app.update(Msg::Key(KeyEvent::new(code, KeyModifiers::NONE)));
        let updated = began.elapsed();
        let mut buffer = Buffer::empty(SCREEN);
        draw(&app, &mut buffer);
        let drawn = began.elapsed();
        worst = worst.max(drawn);
        println!("{what:<34}{updated:>9.1?} {drawn:>9.1?}");
    }
    println!("{:<34}{:>19.1?}", "worst", worst);
}

/// A Metadata response of version 0.
fn metadata() -> Tree {
    let mut body = vec![0, 0, 0, 7, 0, 0, 0, 0];
    body.extend(u32::try_from(TOPICS).unwrap().to_be_bytes());
    for topic in 0..TOPICS {
        let mut name = format!("topic-{topic}-").into_bytes();
        name.resize(NAME, b'x');
        body.extend([0, 0]);
        body.extend(u16::try_from(NAME).unwrap().to_be_bytes());
        body.extend(name);
        body.extend([0, 0, 0, 2]);
        for partition in 0..2 {
            body.extend([0, 0, 0, 0, 0, partition, 0, 0, 0, 1]);
            body.extend([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
        }
    }
    let mut frame = u32::try_from(body.len()).unwrap().to_be_bytes().to_vec();
    frame.append(&mut body);
    let metadata = ApiKey::parse("Metadata").unwrap();
    let (tree, _) = Builder::build(frame, |bytes, sink| {
        response(
            Catalogue::current(),
            Framing::Sized,
            bytes,
            metadata,
            0,
            sink,
        )
    });
    tree
}
