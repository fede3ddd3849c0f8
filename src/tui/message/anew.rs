//! A message whose bytes were changed, or that is read as something else.

use std::sync::Arc;

use super::{Folding, OpenMessage, Start, Tips, edit::Edit};
use crate::{
    decode::Decoded,
    render::Head,
    schema::{Catalogue, Direction},
    session::Reading,
    tree::{Secrecy, Tree},
    wire::BufferId,
};

impl OpenMessage {
    /// The bytes of the message itself, as they are now.
    pub(in crate::tui) fn frame(&self) -> &[u8] {
        match (&self.edit, self.tree.buffers().first()) {
            (Some(edit), _) => edit.bytes(),
            (None, Some(frame)) => frame.bytes.as_slice(),
            (None, None) => &[],
        }
    }

    /// What the message is read as.
    pub(in crate::tui) fn reading(&self) -> &Reading {
        &self.reading
    }

    /// What its bytes are read as when they are decoded anew, of an exchange or pasted.
    pub(in crate::tui) fn reading_anew(&self, is_pasted: bool) -> Reading {
        match (&self.reading, &self.decoded) {
            // Nothing but its decode says what a pasted response answers.
            (Reading::Captured, Some(decoded))
                if is_pasted && decoded.direction == Direction::Response =>
            {
                Reading::Message {
                    direction: decoded.direction,
                    api: decoded.api,
                    version: decoded.version,
                }
            }
            (reading, _) => reading.clone(),
        }
    }

    pub(in crate::tui) fn set_reading(&mut self, reading: Reading) {
        self.reading = reading;
    }

    /// Whether these are other bytes than were captured.
    pub(in crate::tui) fn is_edited(&self) -> bool {
        self.edit.as_ref().is_some_and(Edit::is_changed)
    }

    /// Whether the tree is of the bytes as they are now: while they are decoded anew it is not.
    pub(in crate::tui) fn is_decoded(&self) -> bool {
        let decoded = self.tree.buffers().first();
        decoded.is_none_or(|decoded| decoded.bytes.as_slice() == self.frame())
    }

    /// Writes over the bytes from the cursor on, and behind the end.
    pub(in crate::tui) fn overwrite(&mut self, bytes: &[u8]) {
        self.change(self.byte, bytes.len(), bytes);
    }

    /// Puts a zero before the byte at the cursor.
    pub(in crate::tui) fn insert_byte(&mut self) {
        self.change(self.byte, 0, &[0]);
    }

    /// Puts a zero behind the byte at the cursor and goes there.
    pub(in crate::tui) fn append_byte(&mut self) {
        let at = (self.byte + 1).min(self.frame().len());
        self.change(at, 0, &[0]);
        self.byte = at;
    }

    pub(in crate::tui) fn delete_byte(&mut self) {
        self.change(self.byte, 1, &[]);
    }

    fn change(&mut self, at: usize, len: usize, bytes: &[u8]) {
        let Some(frame) = self.tree.buffers().first() else {
            return;
        };
        let edit = self
            .edit
            .get_or_insert_with(|| Edit::new(frame.bytes.clone()));
        edit.replace(at, len, bytes);
        self.byte = self.byte.min(self.frame().len().saturating_sub(1));
    }

    /// Takes the last change back; whether there was one.
    pub(in crate::tui) fn undo(&mut self) -> bool {
        self.go_back_to(Edit::undo)
    }

    /// Makes the change again that was taken back last; whether there was one.
    pub(in crate::tui) fn redo(&mut self) -> bool {
        self.go_back_to(Edit::redo)
    }

    fn go_back_to(&mut self, step: fn(&mut Edit) -> Option<usize>) -> bool {
        let Some(at) = self.edit.as_mut().and_then(step) else {
            return false;
        };
        if self.buffer() != BufferId::FRAME {
            self.select(self.tree.at(BufferId::FRAME, at).unwrap_or_default());
        }
        self.byte = at.min(self.frame().len().saturating_sub(1));
        true
    }

    /// Moves the grid's cursor by bytes.
    pub(in crate::tui) fn step_byte(&mut self, by: usize) {
        self.byte = (self.byte + by).min(self.bytes().len().saturating_sub(1));
    }

    /// What was changed, and what it is read as, to be taken up again when the message is next
    /// opened; `None` when it is as it was captured.
    pub(in crate::tui) fn take_changes(&mut self) -> Option<(Edit, Reading)> {
        let edit = self.edit.take();
        let reading = std::mem::take(&mut self.reading);
        if edit.is_none() && reading == Reading::Captured {
            return None;
        }
        let frame = self.tree.buffers().first()?;
        let edit = edit.unwrap_or_else(|| Edit::new(frame.bytes.clone()));
        Some((edit, reading))
    }

    /// Takes up what was changed, if it was this message; whether it was.
    pub(in crate::tui) fn restore_changes(&mut self, (edit, reading): (Edit, Reading)) -> bool {
        let is_same = edit.is_of(self.frame());
        if is_same {
            self.edit = Some(edit);
            self.reading = reading;
        }
        is_same
    }

    /// Shows the message as it was decoded anew, with the cursor on the same byte.
    pub(in crate::tui) fn show_anew(
        &mut self,
        tree: Arc<Tree>,
        decoded: Option<Decoded>,
        secrecy: Secrecy,
    ) {
        let kept = self.keep();
        let was_in_frame = self.buffer() == BufferId::FRAME;
        let byte = self.byte;
        self.tree = tree;
        self.set_secrecy(secrecy);
        self.forget_marks();
        self.decoded = decoded;
        self.tips = Tips::new(&self.tree);
        self.folding = Folding::new(&self.tree, Start::BySize);
        self.problem = None;
        self.cursor = 0;
        self.take_over(&kept);
        if was_in_frame {
            if let Some(id) = self.tips.at(&self.tree, BufferId::FRAME, byte) {
                self.select(id);
            }
            self.byte = byte.min(self.frame().len().saturating_sub(1));
        }
    }

    /// What is known of the message beside its tree, for outputs.
    pub(in crate::tui) fn head(&self) -> Option<Head<'_>> {
        head(&self.reading, self.decoded.as_ref())
    }

    /// Whether it is read as the capture has it.
    pub(in crate::tui) fn is_captured(&self) -> bool {
        self.reading == Reading::Captured && !self.is_edited()
    }

    /// What it is called, as `Metadata 12 response`.
    pub(in crate::tui) fn name(&self) -> String {
        match &self.decoded {
            Some(decoded) => format!(
                "{} {} {}",
                decoded.api,
                decoded.version,
                decoded.direction.name()
            ),
            None => self.kind().to_owned(),
        }
    }
}

/// What is known of a message beside its tree, by what it is read as.
pub(in crate::tui) fn head<'a>(
    reading: &Reading,
    decoded: Option<&'a Decoded>,
) -> Option<Head<'a>> {
    match (reading, decoded) {
        (_, Some(decoded)) => Some(Head::Message(decoded)),
        (Reading::Structure { name, version, .. }, None) => Catalogue::current()
            .plan(name, *version)
            .map(Head::Structure),
        (_, None) => Some(Head::SaslToken),
    }
}
