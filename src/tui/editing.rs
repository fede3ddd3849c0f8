//! Changing bytes in the grid, and reading a message as something else.
//!
//! After each change the message is decoded anew, with its diagnosis; the tree on the screen is the
//! one of the bytes before until that has come.

use std::sync::Arc;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{
    App, Effect, Page, Pane, Side, commands::offset, keys::Action, message::OpenMessage,
    prompt::PromptKind,
};
use crate::{
    schema::{ApiKey, Catalogue, Direction, nearest},
    session::Reading,
    wire::BufferId,
};

/// Which column of the grid is typed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    /// Hex digits.
    Hex(Digit),
    Text,
}

/// The digit of a byte that is typed next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Digit {
    High,
    Low,
}

impl App {
    /// Starts changing bytes, or says why that cannot be.
    pub(super) fn start_editing(&mut self) {
        let Some(message) = &mut self.message else {
            return;
        };
        if message.buffer() != BufferId::FRAME {
            self.say("only the message itself can be changed, not what was decompressed from it");
        } else if message.has_holes() {
            self.say("bytes of this message were not captured, and the rest cannot be moved");
        } else {
            if !message.tree.hidden().is_empty() {
                self.say("secrets stay hidden while they are typed over");
            }
            self.pane = Pane::Grid;
            self.typing = Some(Column::Hex(Digit::High));
        }
    }

    /// A key that types into the grid; `None` for one that the key table is asked about.
    pub(super) fn type_key(&mut self, event: KeyEvent) -> Option<Effect> {
        let column = self.typing?;
        let is_plain = !event
            .modifiers
            .intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
        let KeyCode::Char(c) = event.code else {
            return None;
        };
        if !is_plain {
            return None;
        }
        match column {
            Column::Hex(digit) => {
                let value = u8::try_from(c.to_digit(16)?).ok()?;
                Some(self.type_digit(value, digit))
            }
            Column::Text => {
                let mut utf8 = [0; 4];
                let bytes = c.encode_utf8(&mut utf8).as_bytes();
                let message = self.message.as_mut()?;
                message.overwrite(bytes);
                message.step_byte(bytes.len());
                Some(self.decode_anew())
            }
        }
    }

    fn type_digit(&mut self, value: u8, digit: Digit) -> Effect {
        let Some(message) = &mut self.message else {
            return Effect::None;
        };
        let old = message.bytes().get(message.byte).copied().unwrap_or(0);
        match digit {
            Digit::High => {
                message.overwrite(&[value << 4 | old & 0x0f]);
                self.typing = Some(Column::Hex(Digit::Low));
            }
            Digit::Low => {
                message.overwrite(&[old & 0xf0 | value]);
                message.step_byte(1);
                self.typing = Some(Column::Hex(Digit::High));
            }
        }
        self.decode_anew()
    }

    /// What the key table says while bytes are changed.
    pub(super) fn act_on_bytes(&mut self, action: Action) -> Effect {
        let Some(message) = &mut self.message else {
            self.typing = None;
            return Effect::None;
        };
        match action {
            Action::EndEditing => self.typing = None,
            Action::OtherColumn => {
                self.typing = match self.typing {
                    Some(Column::Text) => Some(Column::Hex(Digit::High)),
                    _ => Some(Column::Text),
                };
            }
            Action::InsertByte => {
                message.insert_byte();
                return self.decode_anew();
            }
            Action::AppendByte => {
                message.append_byte();
                return self.decode_anew();
            }
            Action::DeleteByte => {
                message.delete_byte();
                return self.decode_anew();
            }
            Action::DeleteBefore if message.byte > 0 => {
                message.byte -= 1;
                message.delete_byte();
                return self.decode_anew();
            }
            _ => {}
        }
        if let Some(Column::Hex(digit)) = &mut self.typing {
            *digit = Digit::High;
        }
        Effect::None
    }

    pub(super) fn undo(&mut self) -> Effect {
        self.step_in_history(OpenMessage::undo, "nothing was changed here")
    }

    pub(super) fn redo(&mut self) -> Effect {
        self.step_in_history(OpenMessage::redo, "nothing was taken back here")
    }

    fn step_in_history(
        &mut self,
        step: fn(&mut OpenMessage) -> bool,
        nothing: &'static str,
    ) -> Effect {
        if self.message.as_mut().is_some_and(step) {
            return self.decode_anew();
        }
        self.say(nothing);
        Effect::None
    }

    pub(super) fn ask_decode_as(&mut self) {
        let Some(message) = &self.message else {
            return;
        };
        let line = match (message.reading(), &message.decoded) {
            (Reading::Structure { name, version, at }, _) => {
                format!("{name}:{version}@0x{at:x}")
            }
            (_, Some(decoded)) => {
                let direction = decoded.direction.name();
                format!("{} {} {direction}", decoded.api, decoded.version)
            }
            _ => String::new(),
        };
        self.ask(PromptKind::DecodeAs, &line);
    }

    /// What to read the message as was given.
    pub(super) fn decode_as(&mut self, line: &str) -> Result<Effect, Vec<String>> {
        let side = self.shown_side();
        let message = self.message.as_mut();
        let message = message.ok_or_else(|| vec!["no message is open".to_owned()])?;
        let cursor = (message.buffer() == BufferId::FRAME).then_some(message.byte);
        let reading = reading(line, side, cursor).map_err(|why| vec![why])?;
        if let Reading::Structure { at, .. } = reading
            && at >= message.frame().len()
        {
            let len = message.frame().len();
            return Err(vec![format!("the message ends before byte {at}, at {len}")]);
        }
        message.set_reading(reading);
        Ok(self.decode_anew())
    }

    /// Asks for the message on the screen to be decoded as it is now.
    pub(super) fn decode_anew(&self) -> Effect {
        let Some(message) = &self.message else {
            return Effect::None;
        };
        let (idx, side) = match self.shown {
            Some((idx, side)) => (Some(idx), side),
            // What was pasted belongs to no exchange.
            None => (None, Side::Request),
        };
        let reading = message.reading_anew(idx.is_none());
        Effect::Reread {
            idx,
            side,
            bytes: Arc::new(message.frame().to_vec()),
            reading,
        }
    }

    /// A message was decoded anew. What was changed since then makes this one too late.
    pub(super) fn reread(
        &mut self,
        idx: Option<usize>,
        side: Side,
        bytes: &[u8],
        page: Option<Page>,
    ) {
        let secrecy = self.secrecy;
        let message = match &mut self.beside {
            _ if self.shown == idx.map(|idx| (idx, side)) => self.message.as_mut(),
            Some(beside) if (Some(beside.idx), beside.side) == (idx, side) => {
                beside.message.as_mut()
            }
            _ => None,
        };
        if let (Some(message), Some(page)) = (message, page)
            && message.frame() == bytes
        {
            message.show_anew(page.tree.into(), page.decoded, secrecy);
        }
    }
}

/// What a line says that a message is: `Metadata 12`, `metadata 12 response`, `3 12`, `captured`,
/// `DeleteTopicsRequest:6` for a structure from the cursor on, `DeleteTopicsRequest:6@0x1f` for one
/// from that byte on.
fn reading(line: &str, side: Side, cursor: Option<usize>) -> Result<Reading, String> {
    let catalogue = Catalogue::current();
    let number = |text: &str| {
        text.parse::<i16>()
            .map_err(|_| format!("\"{text}\" is no version"))
    };
    if line.eq_ignore_ascii_case("captured") {
        return Ok(Reading::Captured);
    }
    if let Some((name, version)) = line.split_once(':') {
        let (version, at) = match version.split_once('@') {
            Some((version, at)) => (version, offset(at.trim())?),
            None => (
                version,
                cursor.ok_or(
                    "only bytes of the message itself are read as a structure, not what was \
                     decompressed from it",
                )?,
            ),
        };
        let version = number(version.trim())?;
        let name = name.trim();
        let known = catalogue
            .names()
            .find(|known| known.eq_ignore_ascii_case(name))
            .ok_or_else(|| match nearest(name, catalogue.names()) {
                Some(near) => format!("no structure is called {name}; did you mean {near}?"),
                None => format!("no structure is called {name}"),
            })?;
        return match catalogue.plan(known, version) {
            Some(_) => Ok(Reading::Structure {
                name: known.to_owned(),
                version,
                at,
            }),
            None => Err(format!("{known} has no version {version}")),
        };
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    let (name, version, direction) = match words.as_slice() {
        [name, version] => (name, version, None),
        [name, version, direction] => (name, version, Some(*direction)),
        _ => return Err("an API and a version are needed, as in: Metadata 12 response".to_owned()),
    };
    let direction = match (direction, side) {
        (Some("request"), _) | (None, Side::Request) => Direction::Request,
        (Some("response"), _) | (None, Side::Response) => Direction::Response,
        (Some(other), _) => {
            return Err(format!("\"{other}\" is neither request nor response"));
        }
    };
    let api = ApiKey::parse(name).ok_or_else(|| format!("no API is called {name}"))?;
    let version = number(version)?;
    match catalogue.api_plan(api, direction, version) {
        Some(_) => Ok(Reading::Message {
            direction,
            api,
            version,
        }),
        None => Err(format!("{api} has no version {version}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_line_says_that_a_message_is() {
        let metadata = |direction| Reading::Message {
            direction,
            api: ApiKey::parse("Metadata").unwrap(),
            version: 12,
        };
        let read = |line| reading(line, Side::Response, Some(7));
        assert_eq!(read("Metadata 12"), Ok(metadata(Direction::Response)));
        assert_eq!(read("3 12 request"), Ok(metadata(Direction::Request)));
        assert_eq!(read("captured"), Ok(Reading::Captured));
        assert_eq!(
            read("deletetopicsrequest:6"),
            Ok(Reading::Structure {
                name: "DeleteTopicsRequest".to_owned(),
                version: 6,
                at: 7
            })
        );
        let structure = read("DeleteTopicsRequest:6@0x1f");
        assert!(matches!(structure, Ok(Reading::Structure { at: 31, .. })));
        let decompressed = reading("DeleteTopicsRequest:6", Side::Request, None);
        assert!(decompressed.unwrap_err().contains("decompressed"));
        for wrong in [
            "Metadata",
            "Metadata x",
            "Metadata 12 answer",
            "Metadata 99",
            "Meta 1",
            "DeleteTopicRequest:6",
            "DeleteTopicsRequest:99",
            "DeleteTopicsRequest:6@x",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        assert!(
            read("DeleteTopicRequest:6")
                .unwrap_err()
                .contains("DeleteTopicsRequest")
        );
    }
}
