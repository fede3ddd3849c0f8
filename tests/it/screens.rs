//! Screens of the browser, as snapshots, and what keys and clicks do to them.

use std::io::ErrorKind;

use kafscope::{
    decode::{Framing, request, request_as, response},
    encode::{request_frame, response_frame},
    render::ExchangeField as Field,
    schema::{ApiKey, Catalogue},
    session::{Digest, Direction, Input, Options, Origin, Reading},
    tree::Builder,
    tui::{
        App, Bare, Effect, Exchanges, Existing, From, Live, Msg, Page, Row, Side, Status, Step,
        Target, Text, View, draw, perform,
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

    fn view(
        &self,
        _: &View,
        _: Option<&Vec<u32>>,
        _: usize,
        _: &dyn Fn() -> bool,
        _: &mut dyn FnMut(usize),
    ) -> Text {
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
        let [n, time] = [(idx + 1).to_string(), format!("10:00:00.00{idx}")];
        let [api, version] = [api.to_string(), version.to_string()];
        let bytes = format!("{}/{}", size(0), size(1));
        let texts = [
            (Field::N, n.as_str()),
            (Field::Time, &time),
            (Field::Connection, "1"),
            (Field::Client, "127.0.0.1:50812"),
            (Field::Server, "127.0.0.1:9092"),
            (Field::Api, &api),
            (Field::Version, &version),
            (Field::ClientId, "console-producer"),
            (Field::Topics, "orders"),
            (Field::Bytes, &bytes),
            (Field::LatencyMs, "1.25 ms"),
        ];
        let with = |row: Row, (field, text)| row.with(field, text);
        let mut row = texts.into_iter().fold(Row::default(), with);
        row.has_request = self.0[idx][0].is_some();
        row.has_response = self.0[idx][1].is_some();
        Some(row)
    }

    fn message(&self, idx: usize, side: Side) -> Option<Page> {
        let (api, version) = self.api(idx);
        let bytes = self.0[idx][side as usize].clone()?;
        let catalogue = Catalogue::current();
        let (tree, decoded) = Builder::build(bytes, |bytes, sink| match side {
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
            decoded: Some(decoded),
            origins: vec![origin(0..half, 4), origin(half..whole, 6)],
            files: vec!["sample.pcap".to_owned()],
        })
    }

    fn reread(
        &self,
        idx: Option<usize>,
        side: Side,
        bytes: &[u8],
        reading: &Reading,
    ) -> Option<Page> {
        let (api, version) = self.api(idx?);
        let catalogue = Catalogue::current();
        let (direction, api, version) = match reading {
            Reading::Captured if side == Side::Request => (Direction::Request, api, version),
            Reading::Captured => (Direction::Response, api, version),
            Reading::Message {
                direction,
                api,
                version,
            } => (*direction, *api, *version),
            Reading::Structure { .. } => return None,
        };
        let (tree, decoded) =
            Builder::build(bytes.to_vec(), |bytes, sink| match (direction, reading) {
                (Direction::Request, Reading::Captured) => {
                    request(catalogue, Framing::Sized, bytes, sink)
                }
                (Direction::Request, _) => {
                    request_as(catalogue, Framing::Sized, bytes, api, version, sink)
                }
                (Direction::Response, _) => {
                    response(catalogue, Framing::Sized, bytes, api, version, sink)
                }
            });
        Some(Page {
            tree,
            decoded: Some(decoded),
            origins: Vec::new(),
            files: Vec::new(),
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
            // As if a file of that name were there already.
            if let Effect::Save(saving) = &effect {
                let name = saving.name.clone();
                let result = match saving.existing {
                    Existing::Keep => Err(ErrorKind::AlreadyExists.into()),
                    Existing::Replace => Ok(7),
                };
                answers.push_back(Msg::Saved { name, result });
                effect = Effect::None;
            }
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
        // The side of a row that was not known yet, and the one beside it.
        while effect != Effect::None {
            let mut answers = Vec::new();
            perform(&self.sample, effect, &|| false, &mut |answer| {
                answers.push(answer);
            });
            effect = Effect::None;
            for answer in answers {
                effect = self.app.update(answer);
            }
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
                "<down>" => (KeyCode::Down, KeyModifiers::NONE),
                "<left>" => (KeyCode::Left, KeyModifiers::NONE),
                "<backspace>" => (KeyCode::Backspace, KeyModifiers::NONE),
                "<up>" => (KeyCode::Up, KeyModifiers::NONE),
                "<space>" => (KeyCode::Char(' '), KeyModifiers::NONE),
                "<ctrl-o>" => (KeyCode::Char('o'), KeyModifiers::CONTROL),
                "<ctrl-p>" => (KeyCode::Char('p'), KeyModifiers::CONTROL),
                "<ctrl-u>" => (KeyCode::Char('u'), KeyModifiers::CONTROL),
                "<ctrl-r>" => (KeyCode::Char('r'), KeyModifiers::CONTROL),
                "<shift-right>" => (KeyCode::Right, KeyModifiers::SHIFT),
                "<shift-left>" => (KeyCode::Left, KeyModifiers::SHIFT),
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

    pub(crate) fn click(&mut self, column: u16, row: u16) {
        self.mouse(MouseEventKind::Down(MouseButton::Left), column, row);
    }

    pub(crate) fn mouse(&mut self, kind: MouseEventKind, column: u16, row: u16) {
        self.send(Msg::Mouse(MouseEvent {
            kind,
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
        session.status().starts_with("[0x0000, 4B]  error: "),
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
fn the_inspector_finds_room_at_every_size() {
    for (width, height) in [(80, 24), (200, 50), (140, 40)] {
        let mut session = Session::new(width, height);
        session.press("<enter> g j j i");
        insta::assert_snapshot!(
            format!("inspector_{width}x{height}"),
            session.screen(width, height)
        );
    }
}

#[test]
fn both_sides_stand_beside_each_other() {
    let mut session = Session::new(200, 50);
    session.press("j <enter> |");
    insta::assert_snapshot!("pair_200x50", session.screen(200, 50));
    // The keys go to the other side, and what is there stays as it was left.
    session.press("g j j j j j");
    let request = session.status();
    assert!(
        request.starts_with("RequestHeader.request_api_version"),
        "{request}"
    );
    session.press("<tab>");
    assert!(
        session.status().starts_with("MetadataResponse"),
        "{}",
        session.status()
    );
    session.press("r");
    assert_eq!(session.status(), request);
    // The wheel moves the tree under it, a click gives it the keys.
    let wheel = |kind| {
        Msg::Mouse(MouseEvent {
            kind,
            column: 150,
            row: 12,
            modifiers: KeyModifiers::NONE,
        })
    };
    session.send(wheel(MouseEventKind::ScrollDown));
    assert_eq!(session.status(), request);
    session.send(wheel(MouseEventKind::Down(MouseButton::Left)));
    assert!(
        session
            .screen(200, 50)
            .contains("▌response: MetadataResponse")
    );
    session.press("r");
    assert_eq!(session.status(), request);
    // From the second to the first exchange, both sides follow.
    session.press("p");
    let screen = session.screen(200, 50);
    assert!(screen.contains("request: ApiVersionsRequest"), "{screen}");
    assert!(screen.contains("response: ApiVersionsResponse"), "{screen}");
    // A narrower screen shows one of them.
    session.send(Msg::Resize(120, 40));
    let screen = session.screen(120, 40);
    assert!(
        !screen.contains("response: ApiVersionsResponse"),
        "{screen}"
    );
}

/// The row of the screen that a pane's title is in.
fn row_of<E: Exchanges>(session: &Session<E>, text: &str) -> usize {
    let screen = session.screen(100, 40);
    screen
        .lines()
        .position(|line| line.contains(text))
        .unwrap_or_else(|| panic!("{text}: {screen}"))
}

#[test]
fn borders_move_by_keys_and_by_the_mouse() {
    let mut session = Session::new(100, 40);
    session.press("<enter>");
    let grid = row_of(&session, "bytes (");
    session.press("+");
    assert_eq!(row_of(&session, "bytes ("), grid + 2);
    session.press("- -");
    assert_eq!(row_of(&session, "bytes ("), grid - 2);
    let mouse = |kind, row: usize| {
        Msg::Mouse(MouseEvent {
            kind,
            column: 50,
            row: row as u16,
            modifiers: KeyModifiers::NONE,
        })
    };
    session.send(mouse(MouseEventKind::Down(MouseButton::Left), grid - 2));
    session.send(mouse(MouseEventKind::Drag(MouseButton::Left), grid + 5));
    session.send(mouse(MouseEventKind::Up(MouseButton::Left), grid + 5));
    assert_eq!(row_of(&session, "bytes ("), grid + 5);
    let tree = row_of(&session, "request: ");
    session.send(mouse(MouseEventKind::Down(MouseButton::Left), tree));
    session.send(mouse(MouseEventKind::Drag(MouseButton::Left), tree + 3));
    assert_eq!(row_of(&session, "request: "), tree + 3);
    // No pane is squeezed to nothing.
    for _ in 0..40 {
        session.press("+");
    }
    session.screen(100, 40);
}

#[test]
fn what_is_selected_is_copied_in_the_notation_asked_for() {
    let mut session = Session::new(120, 40);
    session.press("<enter> g j j j j j j y");
    insta::assert_snapshot!("copy_120x40", session.screen(120, 40));
    assert_eq!(
        session.press("g"),
        Effect::Copy("[]byte{0x00, 0x00, 0x00, 0x00}".to_owned())
    );
    assert_eq!(
        session.press("y p"),
        Effect::Copy("RequestHeader.correlation_id".to_owned())
    );
    // The second row by the arrow.
    assert_eq!(
        session.press("y <down> <enter>"),
        Effect::Copy("RequestHeader.correlation_id".to_owned())
    );
    assert_eq!(session.press("y <esc>"), Effect::None);
    assert_eq!(
        session.press("<tab> y <down> <down> <enter>"),
        Effect::Copy("00000000".to_owned())
    );
    // A click on a row of the menu.
    session.press("y");
    let screen = session.screen(120, 40);
    let mut rows = screen.lines();
    let row = rows
        .position(|line| line.contains("bytes as a Java literal"))
        .unwrap();
    let effect = session.app.update(Msg::Mouse(MouseEvent {
        kind: MouseEventKind::Down(MouseButton::Left),
        column: 60,
        row: row as u16,
        modifiers: KeyModifiers::NONE,
    }));
    assert_eq!(
        effect,
        Effect::Copy("new byte[] { 0x00, 0x00, 0x00, 0x00 }".to_owned())
    );
}

#[test]
fn a_file_that_is_there_is_asked_about() {
    let mut session = Session::new(100, 40);
    session.press("<enter> w");
    let last = |session: &Session<Sample>| {
        let screen = session.screen(100, 40);
        let line = screen.lines().last().unwrap().replace(['⟦', '⟧'], "");
        line.trim_end().to_owned()
    };
    assert!(
        last(&session).contains("1-ApiVersions-3-request.txt"),
        "{}",
        last(&session)
    );
    session.press("<enter>");
    assert!(
        last(&session).contains("exists; replace it?"),
        "{}",
        last(&session)
    );
    session.press("y");
    let screen = session.screen(100, 40);
    assert!(screen.contains("saved 7 bytes"), "{screen}");
    session.press("w <ctrl-u> a <enter>");
    assert!(session.screen(100, 40).contains("must end in .bin"));
}

#[test]
fn a_changed_byte_changes_the_tree_at_once() {
    let mut session = Session::new(160, 50);
    session.press("<enter> g j j j j j");
    // The version's low byte.
    session.press("c <right> 0 2");
    let screen = session.screen(160, 50);
    assert!(screen.contains("ApiVersionsRequest message v2"), "{screen}");
    assert!(screen.contains("edited"), "{screen}");
    insta::assert_snapshot!("edited_160x50", screen);
    session.press("<esc> u u");
    let screen = session.screen(160, 50);
    assert!(screen.contains("ApiVersionsRequest message v3"), "{screen}");
    assert!(!screen.contains("edited"), "{screen}");
    session.press("<ctrl-r> <ctrl-r>");
    // Another exchange and back: the changes are still there.
    session.press("n p");
    let screen = session.screen(160, 50);
    assert!(screen.contains("ApiVersionsRequest message v2"), "{screen}");
    assert!(screen.contains("edited"), "{screen}");
}

#[test]
fn bytes_are_inserted_deleted_and_typed_as_text() {
    let mut session = Session::new(160, 50);
    let title = |session: &Session<Sample>| {
        let screen = session.screen(160, 50);
        let line = screen
            .lines()
            .find(|line| line.contains("bytes ("))
            .unwrap();
        line.split("bytes (")
            .nth(1)
            .unwrap()
            .split(')')
            .next()
            .unwrap()
            .to_owned()
    };
    session.press("<enter> g c");
    let len: usize = title(&session).parse().unwrap();
    session.press("i i");
    assert_eq!(title(&session), (len + 2).to_string());
    session.press("x +");
    assert_eq!(title(&session), (len + 2).to_string());
    session.press("<backspace>");
    assert_eq!(title(&session), (len + 1).to_string());
    session.press("<tab> K u");
    let screen = session.screen(160, 50).replace(['⟦', '⟧'], "");
    assert!(screen.contains("|Ku"), "{screen}");
    session.press("<esc> u u u u u u u");
    assert_eq!(title(&session), len.to_string());
    assert!(!session.screen(160, 50).contains("edited"));
}

#[test]
fn a_message_is_read_as_something_else() {
    let mut session = Session::new(160, 50);
    session.press("j <enter> r a");
    let screen = session.screen(160, 50);
    assert!(screen.contains("Metadata 12 response"), "{screen}");
    session.press("<ctrl-u> m e t a d a t a <space> 9 <enter>");
    let screen = session.screen(160, 50);
    assert!(screen.contains("MetadataResponse message v9"), "{screen}");
    assert!(screen.contains("not as captured"), "{screen}");
    session.press("a <ctrl-u> n o n e <space> 9 <enter>");
    assert!(session.screen(160, 50).contains("no API is called none"));
    session.press("a <ctrl-u> c a p t u r e d <enter>");
    assert!(!session.screen(160, 50).contains("not as captured"));
}

#[test]
fn a_field_is_shown_with_its_whole_value() {
    let mut session = Session::new(80, 24);
    session.press("<enter> g j j j j j j j v");
    let screen = session.screen(80, 24);
    assert!(screen.contains("console-producer"), "{screen}");
    insta::assert_snapshot!("field_80x24", screen);
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
                "i",
                "|",
                "+ > <",
                "v",
                "<esc>",
                "y",
                "<esc>",
                "w",
                "<esc>",
                "a",
                "<esc>",
                "c 1 2 i x",
                "<esc>",
                "<esc> <esc>",
            ] {
                session.press(keys);
                session.buffer(width, height);
            }
            session.send(Msg::Resize(80, 24));
            session.buffer(80, 24);
            // Bytes were changed where there was a grid to change them in.
            let quits = session.press("q") == Effect::Quit;
            assert!(quits || session.press("y") == Effect::Quit);
            let quits = session.press("<ctrl-c>") == Effect::Quit;
            assert!(quits || session.press("y") == Effect::Quit);
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

/// From a compressed field to what came out of it, and back.
#[test]
fn decompressed_bytes_are_a_key_away() {
    let capture = kafscope::session::Session::open(
        &[Input::named("samples/workload.pcap.zst")],
        Options::default(),
    )
    .unwrap();
    capture.run(&mut Digest::new(Catalogue::current()));
    let live = Live::new(&capture, Catalogue::current());
    let mut session = Session::on(live, 200, 50);
    session.press(&format!("{}<enter>", "j ".repeat(22)));
    assert!(
        session
            .screen(200, 50)
            .contains("bytes (284)  d: decompressed")
    );
    session.press("d");
    assert!(session.screen(200, 50).contains("decompressed (721)"));
    assert!(session.status().contains("[1:0x0000, 721B]"));
    session.press("x");
    let status = session.status();
    assert!(
        status.contains("records.compressed  [0x006b, 174B]"),
        "{status}"
    );
    session.press("x");
    assert!(session.status().contains("[1:0x0000, 721B]"));
    // What was decompressed is not the message.
    session.press("c");
    assert!(
        session
            .status()
            .contains("only the message itself can be changed")
    );
    session.press("x c 0 0");
    assert!(session.screen(200, 50).contains("edited"));
}

/// What was pasted can be changed like what was captured.
#[test]
fn a_pasted_message_is_changed_and_read_as_something_else() {
    let mut session = Session::on(Bare, 160, 50);
    let paste = "00000014 0012 0003 00000007 0001 61 00 0561626364 0431323300";
    let effect = session.app.update(Msg::Paste(paste.to_owned()));
    session.carry(effect);
    session.press("<esc> <esc>");
    let effect = session.app.update(Msg::Paste(paste.to_owned()));
    session.carry(effect);
    session.press("g j j j j j c <right> 0 2 <esc>");
    let screen = session.screen(160, 50);
    assert!(screen.contains("ApiVersionsRequest message v2"), "{screen}");
    assert!(screen.contains("edited"), "{screen}");
    session.press("u u");
    let screen = session.screen(160, 50);
    assert!(screen.contains("ApiVersionsRequest message v3"), "{screen}");
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
