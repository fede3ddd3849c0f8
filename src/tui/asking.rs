//! A question with a one-line answer, at the bottom of the screen.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{App, Effect};

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// The name of a file to save to.
    SaveAs,
    /// Whether the file of this name may be replaced.
    Replace(String),
    /// What else to read the message as.
    DecodeAs,
}

/// A question that waits for its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Question {
    pub asked: Asked,
    /// What was typed so far.
    pub line: String,
    /// Characters before the cursor.
    pub cursor: usize,
}

/// What a key did to a question.
#[derive(Debug, PartialEq, Eq)]
enum Answer {
    NotYet,
    Given,
    Taken,
}

impl Question {
    pub(super) fn new(asked: Asked, line: String) -> Question {
        Question {
            cursor: line.chars().count(),
            asked,
            line,
        }
    }

    /// What stands before the answer.
    pub(super) fn prompt(&self) -> String {
        match &self.asked {
            Asked::SaveAs => "save as (.bin bytes, .txt text, .html page): ".to_owned(),
            Asked::Replace(name) => format!("{name} exists; replace it? (y/n) "),
            Asked::DecodeAs => "decode as (API VERSION, or STRUCTURE:VERSION): ".to_owned(),
        }
    }

    fn key(&mut self, event: KeyEvent) -> Answer {
        let is_ctrl = event.modifiers.contains(KeyModifiers::CONTROL);
        match event.code {
            KeyCode::Esc => return Answer::Taken,
            KeyCode::Char('c') if is_ctrl => return Answer::Taken,
            KeyCode::Enter => return Answer::Given,
            KeyCode::Char('u') if is_ctrl => {
                let at = self.byte(self.cursor);
                self.line.drain(..at);
                self.cursor = 0;
            }
            KeyCode::Char(c) if !is_ctrl => {
                self.line.insert(self.byte(self.cursor), c);
                self.cursor += 1;
            }
            KeyCode::Backspace if self.cursor > 0 => {
                self.cursor -= 1;
                self.line.remove(self.byte(self.cursor));
            }
            KeyCode::Delete if self.byte(self.cursor) < self.line.len() => {
                self.line.remove(self.byte(self.cursor));
            }
            KeyCode::Left => self.cursor = self.cursor.saturating_sub(1),
            KeyCode::Right => self.cursor = (self.cursor + 1).min(self.line.chars().count()),
            KeyCode::Home => self.cursor = 0,
            KeyCode::End => self.cursor = self.line.chars().count(),
            _ => {}
        }
        Answer::NotYet
    }

    /// The byte at which a character starts.
    fn byte(&self, character: usize) -> usize {
        let mut starts = self.line.char_indices().map(|(at, _)| at);
        starts.nth(character).unwrap_or(self.line.len())
    }
}

impl App {
    pub(super) fn ask(&mut self, asked: Asked, line: String) {
        self.question = Some(Question::new(asked, line));
    }

    /// A key while a question is open.
    pub(super) fn answer(&mut self, event: KeyEvent) -> Effect {
        let Some(question) = &mut self.question else {
            return Effect::None;
        };
        match question.key(event) {
            Answer::NotYet => Effect::None,
            Answer::Taken => {
                self.question = None;
                Effect::None
            }
            Answer::Given => {
                let Some(question) = self.question.take() else {
                    return Effect::None;
                };
                let line = question.line.trim();
                match question.asked {
                    _ if line.is_empty() => Effect::None,
                    Asked::SaveAs => self.save_as(line),
                    Asked::Replace(name) if line.eq_ignore_ascii_case("y") => self.replace(&name),
                    Asked::Replace(_) => Effect::None,
                    Asked::DecodeAs => self.decode_as(line),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_edited_by_characters_not_bytes() {
        let mut question = Question::new(Asked::SaveAs, "grün".to_owned());
        let mut press = |code| question.key(KeyEvent::new(code, KeyModifiers::NONE));
        press(KeyCode::Left);
        press(KeyCode::Backspace);
        press(KeyCode::Char('ö'));
        press(KeyCode::Home);
        press(KeyCode::Delete);
        press(KeyCode::Char('G'));
        press(KeyCode::Delete);
        press(KeyCode::End);
        press(KeyCode::Right);
        press(KeyCode::Delete);
        assert_eq!(press(KeyCode::Enter), Answer::Given);
        assert_eq!(question.line, "Gön");
        assert_eq!(question.cursor, 3);
    }
}
