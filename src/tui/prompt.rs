//! The line that is typed into: a filter, a search, a command, a note.
//!
//! It is edited like the line of a shell: cursor keys, Home and End, words and the whole line
//! deleted, earlier lines by Up and Down, Tab to complete. What is wrong with it is shown below it.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// What the line is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum PromptKind {
    Filter,
    Search,
    Command,
    /// The note of a bookmark.
    Note,
    /// The name of a file to save to.
    SaveAs,
    /// Whether a file that is there may be replaced.
    Replace,
    /// What else to read the message as.
    DecodeAs,
    /// Whether to leave, although bytes were changed.
    Leave,
}

impl PromptKind {
    /// What stands in front of the line.
    pub(super) fn label(self) -> &'static str {
        match self {
            PromptKind::Filter => "filter: ",
            PromptKind::Search => "/",
            PromptKind::Command => ":",
            PromptKind::Note => "note: ",
            PromptKind::SaveAs => "save as: ",
            PromptKind::Replace => "this file exists; replace it? (y/n) ",
            PromptKind::DecodeAs => "decode as: ",
            PromptKind::Leave => "bytes were changed, which nothing keeps; leave? (y/n) ",
        }
    }

    /// What can be typed, while nothing is.
    pub(super) fn usage(self) -> &'static str {
        match self {
            PromptKind::Filter => {
                "api == \"Produce\" && latency_ms > 100   Tab completes, ↑ earlier ones, empty shows all"
            }
            PromptKind::Search => "a text, 0x00 14 ?? for bytes, .ErrorCode for a field",
            PromptKind::Command => "a number goes there; Tab completes, help lists all",
            PromptKind::Note => "why this exchange matters; may be empty",
            PromptKind::SaveAs => ".bin the bytes, .txt tree and grid as text, .html a page",
            PromptKind::Replace | PromptKind::Leave => "",
            PromptKind::DecodeAs => {
                "Metadata 12 response, DeleteTopicsRequest:6 from the cursor on, or captured"
            }
        }
    }

    /// Whether it is answered by a letter instead of a line.
    pub(super) fn is_question(self) -> bool {
        matches!(self, PromptKind::Replace | PromptKind::Leave)
    }
}

/// The length of the word that ends a text, and what it can become.
pub(super) type Complete<'a> = &'a dyn Fn(PromptKind, &str) -> (usize, Vec<String>);

/// What a key did to the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Typed {
    Edited,
    /// Nothing, as there was no offer for the word.
    Unoffered,
    /// The line is done.
    Entered(String),
    Given,
}

/// A line that is being typed.
#[derive(Clone, Debug)]
pub(super) struct Prompt {
    pub kind: PromptKind,
    text: Vec<char>,
    /// The cursor stands before this character.
    at: usize,
    /// What is wrong, in lines.
    pub wrong: Vec<String>,
    /// Earlier lines, the newest last, and which of them is shown.
    history: Vec<String>,
    shown: Option<usize>,
    /// What Tab goes through, and where it is.
    offers: Option<(Vec<String>, usize)>,
}

impl Prompt {
    pub(super) fn new(kind: PromptKind, text: &str, history: Vec<String>) -> Prompt {
        let text: Vec<char> = text.chars().collect();
        Prompt {
            kind,
            at: text.len(),
            text,
            wrong: Vec::new(),
            history,
            shown: None,
            offers: None,
        }
    }

    pub(super) fn text(&self) -> String {
        self.text.iter().collect()
    }

    /// What is before and behind the cursor.
    pub(super) fn halves(&self) -> (String, String) {
        let (before, behind) = self.text.split_at_checked(self.at).unwrap_or_default();
        (before.iter().collect(), behind.iter().collect())
    }

    /// The offers of the last Tab, and which of them is in the line.
    pub(super) fn offers(&self) -> Option<(&[String], usize)> {
        let (offers, at) = self.offers.as_ref()?;
        Some((offers, *at))
    }

    /// Puts text in at the cursor, as a paste does; line ends are blanks.
    pub(super) fn insert(&mut self, text: &str) {
        for c in text.chars() {
            let c = if c.is_control() { ' ' } else { c };
            self.text.insert(self.at, c);
            self.at += 1;
        }
        self.edited();
    }

    /// Takes a key. `complete` gives what the word in front of the cursor can become.
    pub(super) fn key(&mut self, event: KeyEvent, complete: Complete<'_>) -> Typed {
        let ctrl = event.modifiers.contains(KeyModifiers::CONTROL);
        let alt = event.modifiers.contains(KeyModifiers::ALT);
        match event.code {
            KeyCode::Enter => return Typed::Entered(self.text()),
            KeyCode::Esc => return Typed::Given,
            KeyCode::Char('c' | 'g') if ctrl => return Typed::Given,
            KeyCode::Backspace if self.text.is_empty() => return Typed::Given,
            KeyCode::Tab => return self.offer(1, complete),
            KeyCode::BackTab => return self.offer(-1, complete),
            KeyCode::Up => self.recall(-1),
            KeyCode::Down => self.recall(1),
            KeyCode::Char('p') if ctrl => self.recall(-1),
            KeyCode::Char('n') if ctrl => self.recall(1),
            KeyCode::Left => self.at = self.at.saturating_sub(1),
            KeyCode::Right => self.at = (self.at + 1).min(self.text.len()),
            KeyCode::Home => self.at = 0,
            KeyCode::End => self.at = self.text.len(),
            KeyCode::Char('a') if ctrl => self.at = 0,
            KeyCode::Char('e') if ctrl => self.at = self.text.len(),
            KeyCode::Backspace if alt => self.delete_to(self.word()),
            KeyCode::Backspace => self.delete_to(self.at.saturating_sub(1)),
            KeyCode::Delete if self.at < self.text.len() => {
                self.text.remove(self.at);
                self.edited();
            }
            KeyCode::Char('w') if ctrl => self.delete_to(self.word()),
            KeyCode::Char('u') if ctrl => self.delete_to(0),
            KeyCode::Char('k') if ctrl => {
                self.text.truncate(self.at);
                self.edited();
            }
            KeyCode::Char(c) if !ctrl && !alt => self.insert(&c.to_string()),
            _ => {}
        }
        Typed::Edited
    }

    fn edited(&mut self) {
        self.wrong.clear();
        self.offers = None;
        self.shown = None;
    }

    /// Where the word in front of the cursor starts.
    fn word(&self) -> usize {
        let before = self.text.get(..self.at).unwrap_or_default();
        let blanks = before
            .iter()
            .rev()
            .take_while(|c| c.is_whitespace())
            .count();
        let rest = before.len() - blanks;
        let word = before
            .iter()
            .take(rest)
            .rev()
            .take_while(|c| !c.is_whitespace())
            .count();
        rest - word
    }

    fn delete_to(&mut self, from: usize) {
        self.text.drain(from.min(self.at)..self.at);
        self.at = from.min(self.at);
        self.edited();
    }

    /// An earlier line, or a later one.
    fn recall(&mut self, by: isize) {
        let len = self.history.len();
        let at = self.shown.unwrap_or(len).saturating_add_signed(by);
        let text = self.history.get(at).cloned().unwrap_or_default();
        self.text = text.chars().collect();
        self.at = self.text.len();
        self.edited();
        self.shown = (at < len).then_some(at);
    }

    /// The next thing that the word can become, around the end.
    fn offer(&mut self, by: isize, complete: Complete<'_>) -> Typed {
        let (offers, next, start) = match self.offers.take() {
            Some((offers, at)) => self.further(offers, at, by, complete),
            None => {
                let (word, offers) = complete(self.kind, &self.halves().0);
                (offers, 0, self.at.saturating_sub(word))
            }
        };
        let Some(offer) = offers.get(next) else {
            return Typed::Unoffered;
        };
        self.text.drain(start..self.at);
        self.at = start;
        for c in offer.chars() {
            self.text.insert(self.at, c);
            self.at += 1;
        }
        self.wrong.clear();
        self.offers = Some((offers, next));
        Typed::Edited
    }

    /// The offers, which of them is next, and where it starts: behind the only one it goes on with what
    /// that can become, as a folder or a field with others in it.
    fn further(
        &self,
        offers: Vec<String>,
        at: usize,
        by: isize,
        complete: Complete<'_>,
    ) -> (Vec<String>, usize, usize) {
        let shown = offers.get(at).map_or(0, |offer| offer.chars().count());
        let start = self.at.saturating_sub(shown);
        if offers.len() == 1 {
            let (word, inner) = complete(self.kind, &self.halves().0);
            if word == shown && !inner.is_empty() {
                return (inner, 0, start);
            }
        }
        let next = (at as isize + by).rem_euclid(offers.len().max(1) as isize) as usize;
        (offers, next, start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn type_in(prompt: &mut Prompt, keys: &[KeyCode]) {
        let complete = |_: PromptKind, before: &str| {
            let word: String = before.chars().rev().take_while(|c| *c != ' ').collect();
            (word.len(), vec!["alpha".to_owned(), "beta".to_owned()])
        };
        for &code in keys {
            prompt.key(KeyEvent::new(code, KeyModifiers::NONE), &complete);
        }
    }

    #[test]
    fn a_line_is_edited_in_its_middle() {
        let mut prompt = Prompt::new(PromptKind::Filter, "ad", Vec::new());
        type_in(
            &mut prompt,
            &[KeyCode::Left, KeyCode::Char('b'), KeyCode::Char('c')],
        );
        assert_eq!(prompt.halves(), ("abc".to_owned(), "d".to_owned()));
        type_in(
            &mut prompt,
            &[KeyCode::Home, KeyCode::Delete, KeyCode::Backspace],
        );
        assert_eq!(prompt.text(), "bcd");
        prompt.insert("x\ny");
        assert_eq!(prompt.text(), "x ybcd");
    }

    #[test]
    fn earlier_lines_come_back_and_go() {
        let history = vec!["one".to_owned(), "two".to_owned()];
        let mut prompt = Prompt::new(PromptKind::Search, "", history);
        type_in(&mut prompt, &[KeyCode::Up, KeyCode::Up, KeyCode::Up]);
        assert_eq!(prompt.text(), "one");
        type_in(&mut prompt, &[KeyCode::Down, KeyCode::Down]);
        assert_eq!(prompt.text(), "");
    }

    #[test]
    fn tab_goes_through_what_the_word_can_become() {
        let mut prompt = Prompt::new(PromptKind::Command, "x a", Vec::new());
        type_in(&mut prompt, &[KeyCode::Tab]);
        assert_eq!(prompt.text(), "x alpha");
        type_in(&mut prompt, &[KeyCode::Tab]);
        assert_eq!(prompt.text(), "x beta");
        type_in(&mut prompt, &[KeyCode::BackTab, KeyCode::Char('!')]);
        assert_eq!(prompt.text(), "x alpha!");
    }

    #[test]
    fn the_only_offer_is_gone_into_and_none_is_said() {
        let complete = |_: PromptKind, before: &str| {
            let offers = match before {
                "a" => vec!["a/".to_owned()],
                "a/" => vec!["a/b".to_owned(), "a/c".to_owned()],
                _ => Vec::new(),
            };
            (before.chars().count(), offers)
        };
        let tab = KeyEvent::new(KeyCode::Tab, KeyModifiers::NONE);
        let mut prompt = Prompt::new(PromptKind::SaveAs, "a", Vec::new());
        let texts = ["a/", "a/b", "a/c", "a/b"].map(|text| {
            assert_eq!(prompt.key(tab, &complete), Typed::Edited);
            (prompt.text(), text.to_owned())
        });
        assert!(texts.iter().all(|(is, shall)| is == shall), "{texts:?}");
        let mut prompt = Prompt::new(PromptKind::SaveAs, "b", Vec::new());
        assert_eq!(prompt.key(tab, &complete), Typed::Unoffered);
        assert_eq!(prompt.text(), "b");
    }
}
