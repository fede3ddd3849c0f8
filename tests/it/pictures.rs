//! Pictures of the browser in docs/, drawn by the program itself: `TRYCMD=overwrite cargo test
//! pictures` makes them anew, and without that they have to be what the program draws.

use std::fmt::Write;

use kafscope::{
    schema::Catalogue,
    session::{Digest, Input, Options},
    tui::Live,
};
use ratatui::{
    buffer::{Buffer, Cell},
    style::{Color, Modifier},
};

use crate::screens::Session;

const SIZE: (u16, u16) = (150, 42);

/// A name, and the keys that lead to what it shows.
const PICTURES: [(&str, &str); 3] = [
    (
        "browser",
        "j j j j j j j j j j j j j j j j j j j j j j <enter> j j j j j j",
    ),
    ("statistics", "S"),
    ("reference", "A j j j j j j j j"),
];

#[test]
fn pictures_show_what_the_program_draws() {
    let capture = kafscope::session::Session::open(
        &[Input::named("samples/workload.pcap.zst")],
        Options::default(),
    )
    .unwrap();
    capture.run(&mut Digest::new(Catalogue::current()));
    for (name, keys) in PICTURES {
        let live = Live::new(&capture, Catalogue::current());
        let mut session = Session::on(live, SIZE.0, SIZE.1);
        session.press(keys);
        let drawn = picture(&session.buffer(SIZE.0, SIZE.1));
        let file = format!("{}/docs/pictures/{name}.svg", env!("CARGO_MANIFEST_DIR"));
        if std::env::var("TRYCMD").is_ok_and(|wish| wish == "overwrite") {
            std::fs::write(&file, drawn).unwrap();
        } else {
            let kept = std::fs::read_to_string(&file).unwrap();
            assert!(
                kept == drawn,
                "{name} is not what the program draws any more"
            );
        }
    }
}

const WIDTH: f32 = 8.4;
const HEIGHT: f32 = 17.0;

/// A screen as SVG: a line of text a row, a rectangle behind what is reversed.
fn picture(buffer: &Buffer) -> String {
    let (columns, rows) = (buffer.area.width, buffer.area.height);
    let (width, height) = (
        f32::from(columns) * WIDTH + 16.0,
        f32::from(rows) * HEIGHT + 16.0,
    );
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" \
         font-size=\"14\">\n<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{PAPER}\"/>\n"
    );
    for y in 0..rows {
        let mut x = 0;
        while x < columns {
            let look = look(&buffer[(x, y)]);
            let start = x;
            let mut text = String::new();
            while x < columns && self::look(&buffer[(x, y)]) == look {
                text.push_str(buffer[(x, y)].symbol());
                x += 1;
            }
            run(&mut svg, (start, y), x - start, &text, look);
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// What is seen of a cell: its colours, and whether it is bold.
type Look = (&'static str, &'static str, bool);

fn look(cell: &Cell) -> Look {
    let (ink, paper) = (colour(cell.fg, INK), colour(cell.bg, PAPER));
    let bold = cell.modifier.contains(Modifier::BOLD);
    match cell.modifier.contains(Modifier::REVERSED) {
        true => (paper, ink, bold),
        false => (ink, paper, bold),
    }
}

fn run(svg: &mut String, (x, y): (u16, u16), columns: u16, text: &str, look: Look) {
    let (ink, paper, bold) = look;
    let (left, top) = (8.0 + f32::from(x) * WIDTH, 8.0 + f32::from(y) * HEIGHT);
    if paper != PAPER {
        let width = f32::from(columns) * WIDTH;
        writeln!(
            svg,
            "<rect x=\"{left:.1}\" y=\"{top}\" width=\"{width:.1}\" height=\"{HEIGHT}\" fill=\"{paper}\"/>"
        )
        .unwrap();
    }
    if text.trim().is_empty() {
        return;
    }
    let weight = if bold { " font-weight=\"bold\"" } else { "" };
    let escaped = text
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    let width = f32::from(columns) * WIDTH;
    writeln!(
        svg,
        "<text x=\"{left:.1}\" y=\"{:.1}\" fill=\"{ink}\"{weight} xml:space=\"preserve\" \
         textLength=\"{width:.1}\">{escaped}</text>",
        top + 13.0
    )
    .unwrap();
}

const INK: &str = "#d8dbe0";
const PAPER: &str = "#16181d";

fn colour(colour: Color, reset: &'static str) -> &'static str {
    match colour {
        Color::Black => "#16181d",
        Color::Red | Color::LightRed => "#ff8f87",
        Color::Green | Color::LightGreen => "#7dd492",
        Color::Yellow | Color::LightYellow => "#e5b252",
        Color::Blue | Color::LightBlue => "#86b5ff",
        Color::Magenta | Color::LightMagenta => "#e69ae0",
        Color::Cyan | Color::LightCyan => "#5fd0da",
        Color::DarkGray => "#8b93a0",
        Color::Gray | Color::White => "#d8dbe0",
        _ => reset,
    }
}
