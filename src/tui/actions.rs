//! Keys by what the screen is in the middle of, and what the actions on a message do.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{
    App, Effect, Page, Pane, Side, Step, app::Overlay, keys::Action, message::OpenMessage,
};
use crate::{
    event::{Code, Role, Value},
    explain::ErrorCode,
    render::{Cut, Wording, columns, escape_sentence},
    tree::{NodeId, Secrecy},
};

/// Characters of a field's whole value that are shown: a hundred pages.
const WHOLE: usize = 256 << 10;

impl App {
    /// A key while a menu is open or bytes are being changed; `None` where neither takes it.
    pub(super) fn key_in_between(&mut self, event: KeyEvent) -> Option<Effect> {
        if let Some(Overlay::Copy(row)) = self.overlay {
            if event.code == KeyCode::Enter {
                return Some(self.copy_row(row));
            }
            let action = self.config.keymap.action(None, event, self.pane);
            let letter = match event.code {
                KeyCode::Char(c) if !event.modifiers.contains(KeyModifiers::CONTROL) => Some(c),
                _ => None,
            };
            return Some(self.choose_copy(letter, action));
        }
        if self.pane != Pane::Grid {
            // The mouse went elsewhere.
            self.typing = None;
        }
        if self.typing.is_none() || self.overlay.is_some() || !self.pagers.is_empty() {
            return None;
        }
        if let Some(effect) = self.type_key(event) {
            return Some(effect);
        }
        Some(match self.config.keymap.action_while_editing(event) {
            Some(action) if action.is_on_bytes() => self.act_on_bytes(action),
            Some(action) => self.act(action),
            None => Effect::None,
        })
    }

    /// What an action does that is about the message on the screen, or how it is shown.
    pub(super) fn act_on_view(&mut self, action: Action) -> Effect {
        match action {
            Action::Inspect => self.inspects = !self.inspects,
            Action::BothSides => self.toggle_pair(),
            Action::Taller => self.grow(1),
            Action::Lower => self.grow(-1),
            Action::BorderLeft => self.shift(-1),
            Action::BorderRight => self.shift(1),
            Action::Copy => self.open_copy_menu(),
            Action::Save => self.ask_save(),
            Action::Secrets => self.toggle_secrets(),
            Action::Whole => self.show_whole(),
            Action::Edit => self.start_editing(),
            Action::DecodeAs => self.ask_decode_as(),
            Action::Undo => return self.undo(),
            Action::Redo => return self.redo(),
            Action::NextTheme => {
                self.theme = self.theme.next();
                self.say(format!("theme: {}", self.theme.name()));
            }
            Action::Suspend => return Effect::Suspend,
            action => self.act_on_message(action),
        }
        Effect::None
    }

    /// Shows a message, as the last one of its kind was looked at.
    pub(super) fn open(&mut self, idx: usize, side: Side, mut page: Option<Page>) -> Effect {
        if self.open_beside(idx, side, &mut page) {
            return Effect::None;
        }
        // The selection may have gone on while it was decoded.
        let wanted = self.exchange().map(|idx| (idx, self.wanted_side()));
        if wanted != Some((idx, side)) || self.pasted.is_shown() {
            if self.asked == Some((idx, side)) {
                self.asked = None;
            }
            return Effect::None;
        }
        self.leave_message();
        self.shown = Some((idx, side));
        self.last_shown = self.shown;
        self.asked = self.shown;
        self.shown_row = self.row(self.selected).cloned();
        let mut message = page.map(|page| self.opened(page));
        let changes = self.changes.remove(&(idx, side));
        let is_changed = match (&mut message, changes) {
            (Some(message), Some(changes)) => message.restore_changes(changes),
            _ => false,
        };
        self.message = message;
        self.arrive();
        match is_changed {
            true => self.decode_anew(),
            false => Effect::None,
        }
    }

    /// Takes the message off the screen and remembers what the next one, or it itself, needs.
    pub(super) fn leave_message(&mut self) {
        self.typing = None;
        match (self.message.take(), self.last_shown.take()) {
            (Some(message), _) if self.pasted.is_shown() => {
                self.kept.insert(message.kind(), message.keep());
                self.pasted.keep(message);
            }
            (Some(message), Some(shown)) => self.keep(shown, message),
            _ => {}
        }
    }

    /// Says of a key that does nothing here what it does, and where.
    pub(super) fn say_elsewhere(&mut self, first: Option<char>, event: KeyEvent) {
        let elsewhere = self.config.keymap.elsewhere(first, event);
        if let Some(bound) = elsewhere.filter(|_| self.pagers.is_empty()) {
            let (help, place) = (bound.binding.help, bound.binding.place);
            self.hint = Some(format!("{}: {help}, {}", bound.name(), place.whereabouts()));
        }
    }

    /// A message that was opened, shown like the last one of its kind.
    pub(super) fn opened(&self, page: Page) -> OpenMessage {
        let mut message = OpenMessage::new(page);
        message.set_secrecy(self.secrecy);
        if let Some(kept) = self.kept.get(message.kind()) {
            message.take_over(kept);
        }
        message
    }

    /// Remembers of a message that leaves the screen how it was looked at, and what was changed.
    pub(super) fn keep(&mut self, shown: (usize, Side), mut message: OpenMessage) {
        self.kept.insert(message.kind(), message.keep());
        if let Some(changes) = message.take_changes() {
            self.changes.insert(shown, changes);
        }
    }

    /// The messages on the screen.
    fn messages_mut(&mut self) -> impl Iterator<Item = &mut OpenMessage> {
        let beside = self
            .beside
            .as_mut()
            .and_then(|beside| beside.message.as_mut());
        self.message.iter_mut().chain(beside)
    }

    fn toggle_secrets(&mut self) {
        self.secrecy = match self.secrecy {
            Secrecy::Hide => Secrecy::Show,
            Secrecy::Show => Secrecy::Hide,
        };
        let secrecy = self.secrecy;
        for message in self.messages_mut() {
            message.set_secrecy(secrecy);
        }
        self.say(match secrecy {
            Secrecy::Hide => "secrets are hidden",
            Secrecy::Show => "secrets are shown",
        });
    }

    /// Opens the selected field with all of its value.
    fn show_whole(&mut self) {
        let Some(message) = &self.message else {
            return;
        };
        let id = message.selected();
        let Some(columns) = columns(&message.tree, id, Wording::Counted, Cut::Wide) else {
            return;
        };
        let path = message.tree.path(id);
        let mut lines = vec![format!("{}  {}", columns.ty, columns.range)];
        if let Some(mut value) = columns.value {
            if let Some((end, _)) = value.char_indices().nth(WHOLE) {
                value.truncate(end);
                value.push('…');
            }
            lines.push(String::new());
            lines.push(value);
        }
        if !columns.meaning.is_empty() {
            lines.push(String::new());
            lines.push(columns.meaning);
        }
        lines.extend(explained(message, id));
        self.overlay = Some(Overlay::Field {
            title: if path.is_empty() { columns.name } else { path },
            lines,
        });
        self.overlay_scroll = 0;
    }

    /// Goes to another buffer of the message, or through a codec; says when there is none.
    pub(super) fn change_buffer(&mut self, action: Action) {
        let Some(message) = &mut self.message else {
            return;
        };
        let (found, nothing) = match action {
            Action::NextBuffer => (message.select_buffer(Step::Forward), NO_BUFFER),
            Action::PreviousBuffer => (message.select_buffer(Step::Back), NO_BUFFER),
            _ => (message.through_codec(), "nothing was decompressed here"),
        };
        if !found {
            self.say(nothing);
        }
    }
}

const NO_BUFFER: &str = "nothing in this message was decompressed";

/// What an error means and what to do, what is wrong at a field, what would explain it; each behind an
/// empty line.
fn explained(message: &OpenMessage, id: NodeId) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    let role = message.tree.node(id).map(|node| node.role);
    if let (Some(Role::ErrorCode), Some(Value::Int16(code))) = (role, message.tree.value(id)) {
        let code = ErrorCode(code);
        let said = [code.meaning(), code.advice()].into_iter().flatten();
        texts.extend(said.map(str::to_owned));
    }
    let span = message.tree.span(id);
    for found in message.tree.problems() {
        let problem = &found.problem;
        if span.covers(problem.span) || problem.code == Code::Diagnosis {
            let text = escape_sentence(&problem.message);
            texts.push(format!("{}: {text}", problem.severity.name()));
        }
    }
    texts
        .into_iter()
        .flat_map(|text| [String::new(), text])
        .collect()
}
