//! Saving a message: its bytes, its annotated text, or a page.
//!
//! The name decides what is saved. The state only says what; a worker writes, tells how far it is, and
//! can be stopped. A file that is there is replaced only by those who say so, and whole: what was
//! stopped leaves no file behind, and the one that was there.

use std::{
    env, fmt,
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, ErrorKind, Write},
    path::{Path, PathBuf},
    process,
    sync::Arc,
};

use super::{
    App, Effect,
    copying::{HIDDEN, annotated},
    message::{OpenMessage, head},
    prompt::PromptKind,
    worker::Work,
};
use crate::{
    decode::Decoded,
    render::{
        Cut, Sheet,
        html::{self, page},
    },
    session::Reading,
    tree::Tree,
};

/// Bytes that are written before it is said how many there are.
const SAID: usize = 1 << 18;

/// Whether a file that is there may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    Keep,
    Replace,
}

/// What is saved of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Bytes,
    Text,
    Page,
}

/// A message as it is to be saved, whatever becomes of the one on the screen.
#[derive(Clone, Debug)]
pub struct Saving {
    pub name: String,
    pub existing: Existing,
    form: Form,
    tree: Arc<Tree>,
    bytes: Arc<Vec<u8>>,
    decoded: Option<Decoded>,
    reading: Reading,
}

impl PartialEq for Saving {
    fn eq(&self, other: &Saving) -> bool {
        let same = |saving: &Saving| (saving.name.clone(), saving.existing, saving.form);
        same(self) == same(other) && Arc::ptr_eq(&self.tree, &other.tree)
    }
}

impl App {
    pub(super) fn ask_save(&mut self) {
        let Some(message) = &self.message else {
            self.say("there is no message to save");
            return;
        };
        let name = message.name().replace(' ', "-");
        let name = match self.exchange() {
            Some(idx) if !self.pasted.is_shown() => format!("{}-{name}.txt", idx + 1),
            _ => format!("{name}.txt"),
        };
        self.ask(PromptKind::SaveAs, &name);
    }

    /// The name was given.
    pub(super) fn save_as(&mut self, name: &str) -> Result<Effect, Vec<String>> {
        if let Some((name, _)) = &self.saving {
            return Err(vec![format!("{name} is being saved; Esc stops that")]);
        }
        let message = self
            .message
            .as_ref()
            .ok_or_else(|| vec!["no message is open".to_owned()])?;
        let saving = Saving::new(message, &at_home(name)).map_err(|why| vec![why.to_owned()])?;
        Ok(self.save(saving))
    }

    fn save(&mut self, saving: Saving) -> Effect {
        self.saving = Some((saving.name.clone(), 0));
        self.occupied = Some(saving.clone());
        Effect::Save(saving)
    }

    /// Whether the file may be replaced was said.
    pub(super) fn replace_or_not(&mut self, answer: &str) -> Effect {
        let Some(saving) = self.occupied.take() else {
            return Effect::None;
        };
        if answer.eq_ignore_ascii_case("y") {
            return self.save(Saving {
                existing: Existing::Replace,
                ..saving
            });
        }
        self.say("nothing was saved");
        Effect::None
    }

    /// How many bytes have been written.
    pub(super) fn save_on(&mut self, n_bytes: usize) {
        if let Some((_, n_written)) = &mut self.saving {
            *n_written = n_bytes;
        }
    }

    /// What came of it.
    pub(super) fn saved(&mut self, name: String, result: io::Result<usize>) {
        self.saving = None;
        match result {
            Ok(len) => self.say(format!("saved {len} bytes to {name}")),
            Err(error) if error.kind() == ErrorKind::AlreadyExists && self.occupied.is_some() => {
                self.ask(PromptKind::Replace, "");
                return;
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {
                self.say("saving was stopped; nothing was saved");
            }
            Err(error) => {
                let wrong = format!("cannot write {name}: {error}");
                self.say(&wrong);
                // The name comes back to be mended, unless something else is being typed by now.
                if self.prompt.is_none() {
                    self.ask(PromptKind::SaveAs, &name);
                    if let Some(prompt) = &mut self.prompt {
                        prompt.wrong = vec![wrong];
                    }
                }
            }
        }
        self.occupied = None;
    }

    /// Ends saving, if anything is being saved.
    pub(super) fn stop_saving(&self) -> Option<Effect> {
        self.saving.as_ref().map(|_| Effect::Stop(Work::Saving))
    }
}

/// A name as a shell would read it, which knows the user's folder by `~/`.
pub(super) fn at_home(name: &str) -> String {
    let home = env::var_os("HOME").map(PathBuf::from);
    match (name.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => home.join(rest).display().to_string(),
        _ => name.to_owned(),
    }
}

/// Whether the name of a file says what is saved to it.
pub(super) fn is_savable(name: &str) -> bool {
    Form::of(name).is_some()
}

impl Form {
    fn of(name: &str) -> Option<Form> {
        let extension = Path::new(name).extension()?.to_ascii_lowercase();
        match extension.to_str()? {
            "bin" => Some(Form::Bytes),
            "txt" => Some(Form::Text),
            "html" => Some(Form::Page),
            _ => None,
        }
    }
}

impl Saving {
    /// What a file of this name holds of a message.
    fn new(message: &OpenMessage, name: &str) -> Result<Saving, &'static str> {
        let form = match Form::of(name) {
            Some(Form::Bytes) if !message.tree.hidden().is_empty() => return Err(HIDDEN),
            Some(Form::Page) if message.head().is_none() => return Err("this message has no page"),
            Some(form) => form,
            None => {
                return Err("the name must end in .bin, .txt or .html, which says what is saved");
            }
        };
        Ok(Saving {
            name: name.to_owned(),
            existing: Existing::Keep,
            form,
            tree: Arc::clone(&message.tree),
            // Text and page have no use for them.
            bytes: Arc::new(match form {
                Form::Bytes => message.frame().to_vec(),
                Form::Text | Form::Page => Vec::new(),
            }),
            decoded: message.decoded.clone(),
            reading: message.reading().clone(),
        })
    }

    /// Writes the file; how many bytes it has.
    ///
    /// # Errors
    /// The file cannot be written, is there already, or `stop` said so.
    pub(super) fn write(
        &self,
        stop: &dyn Fn() -> bool,
        written: &mut dyn FnMut(usize),
    ) -> io::Result<usize> {
        let place = match self.existing {
            Existing::Keep => PathBuf::from(&self.name),
            Existing::Replace => beside(Path::new(&self.name)),
        };
        let file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&place)?;
        let result = self.write_into(file, stop, written).and_then(|len| {
            if self.existing == Existing::Replace {
                fs::rename(&place, &self.name)?;
            }
            Ok(len)
        });
        if result.is_err() {
            // What could not be written is not worth a second complaint.
            let _ = fs::remove_file(&place);
        }
        result
    }

    fn write_into(
        &self,
        file: File,
        stop: &dyn Fn() -> bool,
        written: &mut dyn FnMut(usize),
    ) -> io::Result<usize> {
        let mut out = Counted {
            out: BufWriter::new(file),
            n_bytes: 0,
            n_said: 0,
            stop,
            written,
            error: None,
        };
        let done = match self.form {
            Form::Bytes => {
                let mut chunks = self.bytes.chunks(SAID);
                chunks.try_for_each(|chunk| out.bytes(chunk))
            }
            Form::Text => annotated(&mut out, &self.tree),
            Form::Page => self.page(&mut out),
        };
        match (done, out.error.take()) {
            (_, Some(error)) => Err(error),
            (Err(fmt::Error), None) => Err(ErrorKind::Other.into()),
            (Ok(()), None) => {
                out.out.flush()?;
                Ok(out.n_bytes)
            }
        }
    }

    fn page(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        let head = head(&self.reading, self.decoded.as_ref()).ok_or(fmt::Error)?;
        let sheet = Sheet::new(&self.tree, &head, Cut::Short);
        page::open(out, &sheet.title, &[])?;
        html::message(out, &sheet, 2)?;
        page::close(out)
    }
}

/// The name of a file in the same folder that becomes this one when it is whole.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.partial", process::id()));
    path.with_file_name(name)
}

/// A file that text is written to until somebody stops it.
struct Counted<'a> {
    out: BufWriter<File>,
    n_bytes: usize,
    n_said: usize,
    stop: &'a dyn Fn() -> bool,
    written: &'a mut dyn FnMut(usize),
    /// What ended it, which the errors of formatting cannot say.
    error: Option<io::Error>,
}

impl Counted<'_> {
    fn bytes(&mut self, bytes: &[u8]) -> fmt::Result {
        let result = match (self.stop)() {
            true => Err(ErrorKind::Interrupted.into()),
            false => self.out.write_all(bytes),
        };
        if let Err(error) = result {
            self.error = Some(error);
            return Err(fmt::Error);
        }
        self.n_bytes += bytes.len();
        if self.n_bytes - self.n_said >= SAID {
            self.n_said = self.n_bytes;
            (self.written)(self.n_bytes);
        }
        Ok(())
    }
}

impl fmt::Write for Counted<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.bytes(text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::message::tests::open;

    fn written(saving: &Saving, stop: &dyn Fn() -> bool) -> io::Result<usize> {
        saving.write(stop, &mut |_| {})
    }

    #[test]
    fn the_name_says_what_is_saved() {
        let folder = tempfile::tempdir().unwrap();
        let message = open(2);
        let saved = |name: &str| {
            let path = folder.path().join(name);
            let saving = Saving::new(&message, path.to_str().unwrap()).unwrap();
            let len = written(&saving, &|| false).unwrap();
            let bytes = fs::read(path).unwrap();
            assert_eq!(bytes.len(), len);
            bytes
        };
        assert_eq!(saved("a.bin"), message.frame());
        let text = String::from_utf8(saved("a.TXT")).unwrap();
        assert!(text.contains("topic-1"));
        let page = String::from_utf8(saved("a.b.html")).unwrap();
        assert!(page.starts_with("<!DOCTYPE html>") && page.contains("topic-1"));
        assert!(Saving::new(&message, "txt").is_err());
        assert!(Saving::new(&message, "a.pcap").is_err());
    }

    #[test]
    fn a_file_is_replaced_only_when_that_is_said_and_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let mut saving = Saving::new(&open(2), path.to_str().unwrap()).unwrap();
        fs::write(&path, b"before").unwrap();
        let refused = written(&saving, &|| false).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).unwrap(), b"before");
        saving.existing = Existing::Replace;
        let stopped = written(&saving, &|| true).unwrap_err();
        assert_eq!(stopped.kind(), ErrorKind::Interrupted);
        assert_eq!(fs::read(&path).unwrap(), b"before");
        let len = written(&saving, &|| false).unwrap();
        assert_eq!(fs::read(&path).unwrap().len(), len);
        // Nothing else is left in the folder.
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        fs::remove_file(&path).unwrap();
        saving.existing = Existing::Keep;
        assert!(written(&saving, &|| true).is_err());
        assert!(!path.exists());
    }
}
