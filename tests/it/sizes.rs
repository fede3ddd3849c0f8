//! The browser on screens of all sizes: what the keys are about is on the screen, and nothing panics.

use std::sync::OnceLock;

use kafscope::{
    schema::Catalogue,
    tui::{Exchanges, Live, Msg, Side},
};
use ratatui::{
    buffer::{Buffer, Cell},
    style::Modifier,
};

use crate::{browsing::capture, screens::Session};

/// The exchange on the screen: one with a grid of many rows.
const EXCHANGE: usize = 22;

const SMALLEST: (u16, u16) = (20, 6);
const LARGEST: (u16, u16) = (220, 60);

/// Every size of a small screen, and of larger ones every tenth, another one for another `seed`.
fn sizes(seed: usize) -> impl Iterator<Item = (u16, u16)> {
    let widths = SMALLEST.0..=LARGEST.0;
    let all = widths.flat_map(|width| (SMALLEST.1..=LARGEST.1).map(move |height| (width, height)));
    all.filter(move |&(width, height)| {
        let is_small = width <= 60 && height <= 24;
        is_small || (usize::from(width) * 3 + usize::from(height) + seed).is_multiple_of(10)
    })
}

fn bytes() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| {
        let live = Live::new(capture(), Catalogue::current());
        let page = live.message(EXCHANGE, Side::Request).unwrap();
        page.tree.buffers()[0].bytes.to_vec()
    })
}

/// A browser at a byte of the exchange, with the focus in the grid.
fn at_byte(byte: usize) -> Session<Live<'static>> {
    let live = Live::new(capture(), Catalogue::current());
    let mut browser = Session::on(live, LARGEST.0, LARGEST.1);
    browser.enter(":", &(EXCHANGE + 1).to_string());
    browser.press("<enter> <tab>");
    browser.enter(":", &format!("offset {byte}"));
    browser
}

fn resized(browser: &mut Session<Live<'static>>, (width, height): (u16, u16)) -> Buffer {
    browser.send(Msg::Resize(width, height));
    browser.buffer(width, height)
}

fn shown(buffer: &Buffer) -> String {
    let area = buffer.area;
    let lines = (0..area.height).map(|y| {
        let cells = (0..area.width).map(|x| buffer[(x, y)].symbol());
        cells.collect::<String>() + "\n"
    });
    lines.collect()
}

/// The place of the bracket before the byte at the cursor of the grid.
fn bracket(buffer: &Buffer) -> Option<(u16, u16)> {
    let is = |cell: &Cell, symbol: &str| {
        cell.symbol() == symbol && cell.modifier.contains(Modifier::BOLD)
    };
    let area = buffer.area;
    let mut places = (0..area.height)
        .flat_map(|y| (0..area.width.saturating_sub(3)).map(move |x| (x, y)))
        .filter(|&(x, y)| is(&buffer[(x, y)], "[") && is(&buffer[(x + 3, y)], "]"));
    let place = places.next();
    assert_eq!(places.next(), None, "{}", shown(buffer));
    place
}

/// What stands between the brackets.
fn bracketed(buffer: &Buffer) -> Option<String> {
    let (x, y) = bracket(buffer)?;
    let cells = [&buffer[(x + 1, y)], &buffer[(x + 2, y)]];
    Some(cells.map(Cell::symbol).concat())
}

#[test]
fn the_byte_at_the_cursor_is_on_every_screen() {
    let len = bytes().len();
    let mut seed = 0;
    // As it is, alone on the screen, with the inspector, and while bytes are changed.
    for keys in ["", "z", "i", "z i", "c", "c <tab>"] {
        for byte in [0, 15, 100, len - 1] {
            seed += 1;
            let mut browser = at_byte(byte);
            if !keys.is_empty() {
                browser.press(keys);
            }
            for size in sizes(seed) {
                let buffer = resized(&mut browser, size);
                assert_eq!(
                    bracketed(&buffer),
                    Some(format!("{:02x}", bytes()[byte])),
                    "{size:?}, {keys:?}, byte {byte}:\n{}",
                    shown(&buffer)
                );
            }
        }
    }
}

#[test]
fn the_cursor_moves_through_all_of_a_narrow_grid() {
    for (width, height) in [(20, 6), (33, 9), (40, 12), (41, 12), (53, 12), (72, 16)] {
        let mut browser = at_byte(0);
        resized(&mut browser, (width, height));
        for byte in &bytes()[..120] {
            let buffer = browser.buffer(width, height);
            let expected = Some(format!("{byte:02x}"));
            assert_eq!(bracketed(&buffer), expected, "{}", shown(&buffer));
            browser.press("l");
        }
        // A row up and down again.
        let before = bracketed(&browser.buffer(width, height));
        browser.press("k j");
        assert_eq!(bracketed(&browser.buffer(width, height)), before);
    }
}

#[test]
fn a_click_in_a_narrow_grid_selects_the_byte_under_it() {
    for (width, height) in [(40, 12), (60, 14), (100, 30), (200, 50)] {
        let mut browser = at_byte(0);
        resized(&mut browser, (width, height));
        let buffer = browser.buffer(width, height);
        let (x, y) = bracket(&buffer).unwrap();
        browser.click(x + 3 * 6 + 1, y);
        let buffer = browser.buffer(width, height);
        let expected = Some(format!("{:02x}", bytes()[6]));
        assert_eq!(bracketed(&buffer), expected, "{}", shown(&buffer));
    }
}

#[test]
fn the_selected_exchange_and_field_are_on_every_screen() {
    let mut seed = 0;
    for (keys, text) in [
        ("i", "23 "),
        ("<enter> g i", "▾ Pro"),
        ("<enter> g z i", "▾ Pro"),
        ("", "23 "),
        ("<enter> g", "▾ Pro"),
        ("<enter> g z", "▾ Pro"),
    ] {
        seed += 1;
        let live = Live::new(capture(), Catalogue::current());
        let mut browser = Session::on(live, LARGEST.0, LARGEST.1);
        browser.enter(":", &(EXCHANGE + 1).to_string());
        if !keys.is_empty() {
            browser.press(keys);
        }
        for (width, height) in sizes(seed) {
            browser.send(Msg::Resize(width, height));
            let screen = browser.screen(width, height);
            let mut lines = screen.lines().skip(1);
            assert!(
                lines.any(|line| line.contains('⟦') && line.contains(text)),
                "{width}x{height}, {keys:?}:\n{screen}"
            );
        }
    }
}
