//! Saving a message: its bytes, its annotated text, or a page.
//!
//! The name decides what is saved. A file that is there is replaced only by those who say so.

use std::{
    fs::{File, OpenOptions},
    io::{self, ErrorKind, Write},
    path::Path,
};

use super::{
    App, Effect,
    copying::{HIDDEN, annotated},
    message::OpenMessage,
    prompt::PromptKind,
};
use crate::render::{
    Cut, Sheet,
    html::{self, page},
};

/// Whether a file that is there may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    Keep,
    Replace,
}

impl App {
    pub(super) fn ask_save(&mut self) {
        let Some(message) = &self.message else {
            self.say("there is no message to save");
            return;
        };
        let name = message.name().replace(' ', "-");
        let name = match self.exchange() {
            Some(idx) if self.pasted.is_none() => format!("{}-{name}.txt", idx + 1),
            _ => format!("{name}.txt"),
        };
        self.ask(PromptKind::SaveAs, &name);
    }

    /// The name was given.
    pub(super) fn save_as(&mut self, name: &str) -> Result<Effect, Vec<String>> {
        let message = self
            .message
            .as_ref()
            .ok_or_else(|| vec!["no message is open".to_owned()])?;
        let bytes = content(message, name).map_err(|why| vec![why.to_owned()])?;
        Ok(Effect::Save {
            name: name.to_owned(),
            bytes,
            existing: Existing::Keep,
        })
    }

    /// Whether the file may be replaced was said.
    pub(super) fn replace_or_not(&mut self, answer: &str) -> Effect {
        let Some(name) = self.occupied.take() else {
            return Effect::None;
        };
        let bytes = self.message.as_ref().map(|message| content(message, &name));
        match bytes {
            Some(Ok(bytes)) if answer.eq_ignore_ascii_case("y") => Effect::Save {
                name,
                bytes,
                existing: Existing::Replace,
            },
            _ => {
                self.say("nothing was saved");
                Effect::None
            }
        }
    }

    /// What came of it.
    pub(super) fn saved(&mut self, name: String, result: io::Result<usize>) {
        match result {
            Ok(len) => self.say(format!("saved {len} bytes to {name}")),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                self.occupied = Some(name);
                self.ask(PromptKind::Replace, "");
            }
            Err(error) => self.say(format!("cannot write {name}: {error}")),
        }
    }
}

/// Writes a file; how many bytes it has.
pub(super) fn write(name: &str, bytes: &[u8], existing: Existing) -> io::Result<usize> {
    let mut file = match existing {
        Existing::Keep => OpenOptions::new().write(true).create_new(true).open(name)?,
        Existing::Replace => File::create(name)?,
    };
    file.write_all(bytes)?;
    Ok(bytes.len())
}

/// What a file of this name holds.
fn content(message: &OpenMessage, name: &str) -> Result<Vec<u8>, &'static str> {
    let extension = Path::new(name)
        .extension()
        .map(|extension| extension.to_ascii_lowercase());
    match extension
        .as_deref()
        .and_then(|extension| extension.to_str())
    {
        Some("bin") if !message.tree.hidden().is_empty() => Err(HIDDEN),
        Some("bin") => Ok(message.frame().to_vec()),
        Some("txt") => Ok(annotated(message).into_bytes()),
        Some("html") => document(message).ok_or("this message has no page"),
        _ => Err("the name must end in .bin, .txt or .html, which says what is saved"),
    }
}

fn document(message: &OpenMessage) -> Option<Vec<u8>> {
    let sheet = Sheet::new(&message.tree, &message.head()?, Cut::Short);
    let mut text = String::new();
    page::open(&mut text, &sheet.title, &[])
        .and_then(|()| html::message(&mut text, &sheet, 2))
        .and_then(|()| page::close(&mut text))
        .ok()?;
    Some(text.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::message::tests::open;

    #[test]
    fn the_name_says_what_is_saved() {
        let message = open(2);
        assert_eq!(content(&message, "a.bin").unwrap(), message.frame());
        let text = String::from_utf8(content(&message, "a.TXT").unwrap()).unwrap();
        assert!(text.contains("topic-1"));
        let page = String::from_utf8(content(&message, "a.b.html").unwrap()).unwrap();
        assert!(page.starts_with("<!DOCTYPE html>") && page.contains("topic-1"));
        assert!(content(&message, "txt").is_err());
        assert!(content(&message, "a.pcap").is_err());
    }

    #[test]
    fn a_file_is_replaced_only_when_that_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.bin");
        let name = path.to_str().unwrap();
        assert_eq!(write(name, b"one", Existing::Keep).unwrap(), 3);
        let refused = write(name, b"two", Existing::Keep).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::AlreadyExists);
        assert_eq!(std::fs::read(&path).unwrap(), b"one");
        assert_eq!(write(name, b"2", Existing::Replace).unwrap(), 1);
        assert_eq!(std::fs::read(&path).unwrap(), b"2");
    }
}
