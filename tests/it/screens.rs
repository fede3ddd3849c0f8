//! Screens of the browser, as snapshots, and what keys and clicks do to them.

use kafscope::{
    decode::{Framing, request, response},
    encode::{request_frame, response_frame},
    query::Mistake,
    schema::{ApiKey, Catalogue},
    session::{Digest, Input, Options, Origin},
    tree::Builder,
    tui::{
        App, Chosen, Effect, Exchanges, From, Hit, Live, Msg, Page, Pattern, Query, Row, Side,
        Status, Step, Target, Text, View, draw, perform,
    },
};
use ratatui::{
    buffer::Buffer,
    crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind},
    layout::Rect,
    style::Modifier,
};

use crate::vectors::vectors;

/// Exchanges made of the vectors of a few APIs.
struct Sample(Vec<[Option<Vec<u8>>; 2]>);

impl Sample {
    fn new() -> Sample {
        let catalogue = Catalogue::current();
        let body = |message: &str, version| {
            vectors()
                .iter()
                .find(|vector| vector.message == message && vector.version == version)
                .map(|vector| vector.body.as_slice())
                .unwrap()
        };
        let mut exchanges = Vec::new();
        for (idx, (api, version)) in [
            ("ApiVersions", 3),
            ("Metadata", 12),
            ("CreateTopics", 7),
            ("Heartbeat", 4),
        ]
        .into_iter()
        .enumerate()
        {
            let key = ApiKey::parse(api).unwrap();
            let id = idx as i32;
            let request = request_frame(
                catalogue,
                key,
                version,
                id,
                Some("console-producer"),
                body(&format!("{api}Request"), version),
            );
            let response = response_frame(
                catalogue,
                key,
                version,
                id,
                body(&format!("{api}Response"), version),
            );
            // The last one is cut in its body and unanswered.
            if api == "Heartbeat" {
                exchanges.push([Some(request[..request.len() - 3].to_vec()), None]);
            } else {
                exchanges.push([Some(request), Some(response)]);
            }
        }
        Sample(exchanges)
    }

    fn api(&self, idx: usize) -> (ApiKey, i16) {
        let request = self.0[idx][0].as_ref().unwrap();
        let number = |at: usize| i16::from_be_bytes([request[at], request[at + 1]]);
        (ApiKey(number(4)), number(6))
    }
}

impl Exchanges for Sample {
    fn status(&self) -> Status {
        Status {
            len: self.0.len(),
            progress: 1.0,
            ..Status::default()
        }
    }

    fn seek(
        &self,
        from: &From,
        _: Target,
        step: Step,
        _: &dyn Fn() -> bool,
    ) -> Option<(usize, Side)> {
        // Only the last exchange, which is cut, has any trouble.
        let last = self.0.len() - 1;
        (step == Step::Forward && from.idx < last).then_some((last, Side::Request))
    }

    fn search(
        &self,
        _: &From,
        _: &Pattern,
        _: Step,
        _: &dyn Fn() -> bool,
        _: &mut dyn FnMut(usize),
    ) -> Option<Hit> {
        None
    }

    fn choose(
        &self,
        _: &Query,
        _: Chosen,
        _: &dyn Fn() -> bool,
        _: &mut dyn FnMut(Chosen),
    ) -> Result<(), Mistake> {
        Ok(())
    }

    fn view(&self, _: &View, _: Option<&Vec<u32>>, _: usize) -> Text {
        Text::new("remarks", "sample.pcap: packet 9 is cut")
    }

    fn pasted(&self, _: &str) -> Result<Vec<Page>, String> {
        Err("no paste".to_owned())
    }

    fn row(&self, idx: usize) -> Option<Row> {
        let (api, version) = self.api(idx);
        let size = |side: usize| {
            self.0[idx][side]
                .as_ref()
                .map_or("-".to_owned(), |bytes| bytes.len().to_string())
        };
        Some(Row {
            n: (idx + 1).to_string(),
            time: format!("10:00:00.00{idx}"),
            connection: "1".to_owned(),
            client: "127.0.0.1:50812".to_owned(),
            server: "127.0.0.1:9092".to_owned(),
            tls: String::new(),
            api: api.to_string(),
            version: version.to_string(),
            client_id: "console-producer".to_owned(),
            topics: "orders".to_owned(),
            bytes: format!("{}/{}", size(0), size(1)),
            has_request: self.0[idx][0].is_some(),
            has_response: self.0[idx][1].is_some(),
            latency: "1.25 ms".to_owned(),
            error: String::new(),
        })
    }

    fn message(&self, idx: usize, side: Side) -> Option<Page> {
        let (api, version) = self.api(idx);
        let bytes = self.0[idx][side as usize].clone()?;
        let catalogue = Catalogue::current();
        let (tree, _) = Builder::build(bytes, |bytes, sink| match side {
            Side::Request => request(catalogue, Framing::Sized, bytes, sink),
            Side::Response => response(catalogue, Framing::Sized, bytes, api, version, sink),
        });
        // As if it had come in two packets.
        let half = tree.buffers()[0].bytes.len() / 2;
        let origin = |range: std::ops::Range<usize>, packet| Origin {
            offset: 1000 * packet + range.start as u64,
            range,
            packet,
            packet_in_file: packet,
            time: 1_793_000_000_000_000_000,
            ..Origin::default()
        };
        let whole = tree.buffers()[0].bytes.len();
        Some(Page {
            tree,
            origins: vec![origin(0..half, 4), origin(half..whole, 6)],
            files: vec!["sample.pcap".to_owned()],
        })
    }

    fn title(&self) -> String {
        "sample.pcap".to_owned()
    }
}

/// A browser, with its effects carried out.
pub(crate) struct Session<E> {
    pub(crate) app: App,
    sample: E,
}

impl Session<Sample> {
    fn new(width: u16, height: u16) -> Session<Sample> {
        Session::on(Sample::new(), width, height)
    }
}

impl<E: Exchanges> Session<E> {
    pub(crate) fn on(sample: E, width: u16, height: u16) -> Session<E> {
        let app = App::new(sample.title(), width, height, true);
        let mut session = Session { app, sample };
        let status = session.sample.status();
        session.send(Msg::Status(status));
        session
    }

    pub(crate) fn send(&mut self, msg: Msg) -> Effect {
        let effect = self.app.update(msg);
        self.carry(effect)
    }

    /// Does what an effect asks for, and what comes of it.
    pub(crate) fn carry(&mut self, first: Effect) -> Effect {
        let mut effect = first.clone();
        let mut answers = std::collections::VecDeque::new();
        loop {
            perform(
                &self.sample,
                std::mem::replace(&mut effect, Effect::None),
                &|| false,
                &mut |answer| answers.push_back(answer),
            );
            match answers.pop_front() {
                Some(answer) => effect = self.app.update(answer),
                None => break,
            }
        }
        let (first_row, wanted) = self.app.wanted_rows();
        let rows = wanted.into_iter().filter_map(|idx| self.sample.row(idx));
        let rows = rows.collect();
        effect = self.app.update(Msg::Rows {
            first: first_row,
            rows,
        });
        // The side of a row that was not known yet.
        if effect != Effect::None {
            perform(&self.sample, effect, &|| false, &mut |answer| {
                self.app.update(answer);
            });
        }
        first
    }

    /// Presses keys: letters as they are, names in angle brackets.
    pub(crate) fn press(&mut self, keys: &str) -> Effect {
        let mut last = Effect::None;
        for key in keys.split(' ') {
            let (code, modifiers) = match key {
                "<tab>" => (KeyCode::Tab, KeyModifiers::NONE),
                "<enter>" => (KeyCode::Enter, KeyModifiers::NONE),
                "<esc>" => (KeyCode::Esc, KeyModifiers::NONE),
                "<right>" => (KeyCode::Right, KeyModifiers::NONE),
                "<up>" => (KeyCode::Up, KeyModifiers::NONE),
                "<space>" => (KeyCode::Char(' '), KeyModifiers::NONE),
                "<ctrl-o>" => (KeyCode::Char('o'), KeyModifiers::CONTROL),
                "<ctrl-p>" => (KeyCode::Char('p'), KeyModifiers::CONTROL),
                "<ctrl-u>" => (KeyCode::Char('u'), KeyModifiers::CONTROL),
                "<ctrl-c>" => (KeyCode::Char('c'), KeyModifiers::CONTROL),
                key => (
                    KeyCode::Char(key.chars().next().unwrap()),
                    KeyModifiers::NONE,
                ),
            };
            last = self.send(Msg::Key(KeyEvent::new(code, modifiers)));
        }
        last
    }

    /// Types a line and enters it.
    pub(crate) fn enter(&mut self, key: &str, line: &str) -> Effect {
        self.press(key);
        self.press("<ctrl-u>");
        for c in line.chars() {
            let event = KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE);
            self.send(Msg::Key(event));
        }
        self.press("<enter>")
    }

    fn click(&mut self, column: u16, row: u16) {
        self.send(Msg::Mouse(MouseEvent {
            kind: MouseEventKind::Down(MouseButton::Left),
            column,
            row,
            modifiers: KeyModifiers::NONE,
        }));
    }

    pub(crate) fn buffer(&self, width: u16, height: u16) -> Buffer {
        let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
        draw(&self.app, &mut buffer);
        buffer
    }

    /// The screen as text; reversed cells, which show what is selected, stand between brackets.
    pub(crate) fn screen(&self, width: u16, height: u16) -> String {
        let buffer = self.buffer(width, height);
        let mut text = String::new();
        for y in 0..height {
            let mut line = String::new();
            let mut reversed = false;
            for x in 0..width {
                let cell = &buffer[(x, y)];
                if cell.modifier.contains(Modifier::REVERSED) != reversed {
                    reversed = !reversed;
                    line.push(if reversed { '⟦' } else { '⟧' });
                }
                line.push_str(cell.symbol());
            }
            if reversed {
                line.push('⟧');
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    fn status(&self) -> String {
        let (width, height) = (200, 50);
        self.screen(width, height)
            .lines()
            .nth(usize::from(height) - 3)
            .unwrap()
            .to_owned()
    }
}

#[test]
fn screens_of_all_sizes() {
    for (width, height) in [(80, 24), (120, 40), (200, 50), (20, 5)] {
        let mut session = Session::new(width, height);
        insta::assert_snapshot!(
            format!("exchanges_{width}x{height}"),
            session.screen(width, height)
        );
        session.press("j j <enter> j j j");
        insta::assert_snapshot!(
            format!("tree_{width}x{height}"),
            session.screen(width, height)
        );
        session.press("<tab> <right> <right>");
        insta::assert_snapshot!(
            format!("grid_{width}x{height}"),
            session.screen(width, height)
        );
        session.press("?");
        insta::assert_snapshot!(
            format!("help_{width}x{height}"),
            session.screen(width, height)
        );
    }
}

#[test]
fn the_selection_is_linked_both_ways() {
    let mut session = Session::new(200, 50);
    session.press("<enter> g");
    assert!(
        session.status().starts_with("ApiVersionsRequest"),
        "{}",
        session.status()
    );
    session.press("<tab>");
    // The grid's cursor is on the first byte of the message; its fourth is still the size.
    session.press("l l l");
    assert!(
        session.status().starts_with("Frame.size"),
        "{}",
        session.status()
    );
    session.press("l");
    let status = session.status();
    assert!(
        status.starts_with("RequestHeader.request_api_key"),
        "{status}"
    );
    session.press("<esc> j j");
    let status = session.status();
    assert!(
        status.starts_with("RequestHeader.correlation_id  [0x0008, 4B]"),
        "{status}"
    );
}

#[test]
fn a_click_selects_what_is_under_it() {
    let mut session = Session::new(200, 50);
    let screen = session.screen(200, 50);
    let (row, line) = screen
        .lines()
        .enumerate()
        .find(|(_, line)| line.contains("correlation_id"))
        .unwrap();
    let column = line.chars().position(|c| c == 'c').unwrap();
    session.click(column as u16, row as u16);
    assert!(
        session.status().starts_with("RequestHeader.correlation_id"),
        "{}",
        session.status()
    );
    // The first byte in the grid's first row belongs to the frame.
    let (row, line) = screen
        .lines()
        .enumerate()
        .find(|(_, line)| line.contains("0000  00"))
        .unwrap();
    let column = line
        .replace(['⟦', '⟧'], "")
        .chars()
        .collect::<String>()
        .find("0000  00")
        .map(|at| line.replace(['⟦', '⟧'], "")[..at].chars().count() + 6);
    session.click(column.unwrap() as u16, row as u16);
    assert!(
        session.status().starts_with("Frame.size"),
        "{}",
        session.status()
    );
}

#[test]
fn the_problem_of_a_cut_message_is_a_key_away() {
    let mut session = Session::new(200, 50);
    session.press("G <enter> e");
    assert!(
        session.status().starts_with("error: "),
        "{}",
        session.status()
    );
    session.press("r");
    assert!(
        session
            .screen(200, 50)
            .contains("the capture holds no response")
    );
}

#[test]
fn trouble_is_found_from_the_list() {
    let mut session = Session::new(200, 50);
    session.press("e");
    assert!(session.screen(200, 50).contains("exchange 4 of 4"));
    session.press("e");
    assert!(
        session.status().starts_with("no further exchange"),
        "{}",
        session.status()
    );
    session.press("N");
    assert!(session.screen(200, 50).contains("packet 9 is cut"));
    session.press("<esc> g <enter> e");
    assert!(
        session.status().starts_with("this message has no problem"),
        "{}",
        session.status()
    );
}

#[test]
fn every_size_draws_and_quitting_quits() {
    for width in [0, 1, 3, 20, 81] {
        for height in [0, 1, 2, 5, 7, 25] {
            let mut session = Session::new(width, height);
            for keys in [
                "<enter>",
                "z",
                "<tab>",
                "*",
                "?",
                "?",
                "m",
                "G",
                "r",
                "<esc> <esc>",
            ] {
                session.press(keys);
                session.buffer(width, height);
            }
            session.send(Msg::Resize(80, 24));
            session.buffer(80, 24);
            assert_eq!(session.press("q"), Effect::Quit);
            assert_eq!(session.press("<ctrl-c>"), Effect::Quit);
        }
    }
}

/// A terminal can become smaller between the message that says so and the drawing.
#[test]
fn a_screen_smaller_than_the_state_knows_is_drawn() {
    let mut session = Session::new(120, 40);
    session.press("?");
    for (width, height) in [(119, 39), (80, 24), (120, 1), (1, 40), (1, 1), (0, 0)] {
        session.buffer(width, height);
    }
}

/// The screen of the README is what the program draws.
#[test]
fn the_readme_shows_the_browser() {
    let root = env!("CARGO_MANIFEST_DIR");
    let capture = kafscope::session::Session::open(
        // As a user names it: tests run in the project's folder.
        &[Input::named("samples/workload.pcap.zst")],
        Options::default(),
    )
    .unwrap();
    capture.run(&mut Digest::new(Catalogue::current()));
    let live = Live::new(&capture, Catalogue::current());
    let mut session = Session::on(live, 120, 32);
    session.press(&format!("{}<enter> j j j j j j", "j ".repeat(22)));
    let drawn = session
        .screen(120, 32)
        .replace(['⟦', '⟧'], "")
        .lines()
        .map(|line| format!("{}\n", line.trim_end()))
        .collect::<String>();
    let file = format!("{root}/README.md");
    let readme = std::fs::read_to_string(&file).unwrap();
    let (before, rest) = readme.split_once("```text\n").expect("a screen");
    let (shown, after) = rest.split_once("```\n").expect("its end");
    if std::env::var("TRYCMD").is_ok_and(|wish| wish == "overwrite") {
        std::fs::write(&file, format!("{before}```text\n{drawn}```\n{after}")).unwrap();
    } else {
        assert_eq!(shown, drawn);
    }
}
