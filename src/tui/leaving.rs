//! Leaving the browser, which asks first where something would be lost.

use super::{App, Effect, message::OpenMessage, prompt::PromptKind};

impl App {
    /// Ends the browser, or asks whether it shall end.
    pub(super) fn quit(&mut self) -> Effect {
        if !self.has_changes() {
            return Effect::Quit;
        }
        self.ask(PromptKind::Leave, "");
        Effect::None
    }

    /// Whether it shall end was said.
    pub(super) fn leave_or_not(&mut self, answer: &str) -> Effect {
        match answer.eq_ignore_ascii_case("y") {
            true => Effect::Quit,
            false => Effect::None,
        }
    }

    /// Whether bytes of any message are other than they were captured or pasted.
    fn has_changes(&self) -> bool {
        let beside = self.beside.as_ref();
        let beside = beside.and_then(|beside| beside.message.as_ref());
        let mut open = self.message.iter().chain(beside);
        let mut left = self.changes.values();
        open.any(OpenMessage::is_edited)
            || left.any(|(edit, _)| edit.is_changed())
            || self.pasted.has_changes()
    }
}
