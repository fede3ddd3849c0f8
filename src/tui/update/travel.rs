//! From one exchange to another: by what they have in common, by search, by marks, and back.

use crate::{
    query::{narrowed, text_literal},
    render::{Cut, ExchangeField, Wording, columns},
    tree::{NodeId, Tree},
    tui::{
        App, Effect, From, Hit, Pane, Side, Step, Target, jumps::Place, message::OpenMessage,
        prompt::PromptKind,
    },
    wire::BufferId,
};

impl App {
    /// Where the selection is.
    fn here(&self) -> From {
        let message = self.message.as_ref();
        From {
            idx: self.exchange().unwrap_or(0),
            side: self.wanted_side(),
            byte: message.map_or(0, |message| message.byte),
            buffer: message.map_or(0, |message| message.buffer().0),
            members: self.list.members().cloned(),
        }
    }

    /// Goes to an exchange and remembers the way back. One that the filter leaves out is shown all
    /// the same, with all others.
    pub(super) fn go(&mut self, idx: usize, side: Side) {
        self.close_pasted();
        if let Some(here) = self.exchange() {
            self.jumps.leave(Place {
                idx: here,
                side: self.side,
            });
        }
        self.select_exchange(idx);
        self.side = side;
        self.follows = false;
    }

    /// The same, and to the first that is wrong in its message.
    pub(super) fn go_to_trouble(&mut self, idx: usize, side: Side) {
        self.go(idx, side);
        self.seeks_problem = true;
        if self.shown == Some((idx, side)) {
            self.arrive();
        }
    }

    fn select_exchange(&mut self, idx: usize) {
        let place = self.list.place(idx);
        if self.list.at(place) == Some(idx) {
            self.selected = place;
        } else {
            self.list.clear();
            self.selected = idx;
            self.hint = Some("the filter is off, as it leaves this exchange out".to_owned());
        }
    }

    pub(super) fn earlier(&mut self) {
        let Some(idx) = self.exchange() else {
            return;
        };
        let here = Place {
            idx,
            side: self.side,
        };
        match self.jumps.back(here) {
            Some(place) => self.return_to(place),
            None => self.hint = Some("this is where it began".to_owned()),
        }
    }

    pub(super) fn later(&mut self) {
        match self.jumps.forward() {
            Some(place) => self.return_to(place),
            None => self.hint = Some("there is nothing ahead".to_owned()),
        }
    }

    fn return_to(&mut self, place: Place) {
        self.select_exchange(place.idx);
        self.side = place.side;
    }

    pub(super) fn seek(&mut self, target: Target, step: Step) -> Effect {
        if self.pasted.is_shown() && target.is_wrong() {
            return self.seek_wrong_pasted(step);
        }
        Effect::Seek {
            from: self.here(),
            target,
            step,
        }
    }

    /// Looks for the next place of the pattern.
    pub(super) fn search_on(&mut self, step: Step) -> Effect {
        let Some(pattern) = self.pattern.clone() else {
            self.hint = Some("nothing is searched for; / does".to_owned());
            return Effect::None;
        };
        if self.pasted.is_shown() {
            return self.search_pasted(pattern, step);
        }
        self.searching = Some(0);
        self.search_step = step;
        let mut from = self.here();
        if self.hit.is_none() && step == Step::Forward {
            // The first place may be the one at the cursor, or before it in the message.
            (from.buffer, from.byte) = (0, usize::MAX);
        }
        Effect::Search {
            from,
            pattern,
            step,
        }
    }

    pub(super) fn take_hit(&mut self, hit: Option<Hit>) {
        let looked = self.searching.take();
        let Some(hit) = hit else {
            self.count_nothing();
            self.hint = Some(match looked {
                Some(n) if n > 1 => format!("not found in {n} exchanges"),
                _ => "not found any further".to_owned(),
            });
            return;
        };
        let way = self.said_of_way(self.list.place(hit.idx));
        self.hint = way.map(str::to_owned);
        self.destination = Some(hit.span);
        if self.shown == Some((hit.idx, hit.side)) {
            self.arrive();
        } else {
            self.go(hit.idx, hit.side);
        }
        if self.pane == Pane::Exchanges {
            self.pane = Pane::Tree;
        }
        self.hit = Some(hit);
    }

    /// Goes to the place in the message that was just opened, if there is one to go to.
    pub(in crate::tui) fn arrive(&mut self) {
        if let (Some(message), Some(span)) = (&mut self.message, self.destination.take()) {
            message.select_in(span.buffer, span.at);
        }
        if let (true, Some(message)) = (self.seeks_problem, &mut self.message) {
            self.seeks_problem = false;
            message.select_worst();
        }
    }

    /// Filters by the field at the cursor, or by the exchange's API.
    pub(super) fn filter_like_this(&mut self) -> Effect {
        let field = match (&self.message, self.pane) {
            (Some(message), Pane::Tree | Pane::Grid) => field_filter(&message.tree, message),
            _ => None,
        };
        let row = self.row(self.selected);
        let filter = field.or_else(|| {
            let api = row.as_ref()?.text(ExchangeField::Api);
            Some(format!("api == {}", text_literal(api)))
        });
        if let Some(filter) = filter {
            let text = narrowed(&self.list.query.filter, &filter);
            self.ask(PromptKind::Filter, &text);
        }
        Effect::None
    }

    pub(super) fn toggle_bookmark(&mut self) -> Effect {
        let Some(idx) = self.exchange() else {
            return Effect::None;
        };
        if self.bookmarks.remove(idx) {
            self.hint = Some("the bookmark is gone".to_owned());
            return Effect::Keep;
        }
        self.ask(PromptKind::Note, "");
        Effect::None
    }

    pub(super) fn go_to_bookmark(&mut self, step: Step) {
        let here = self.exchange().unwrap_or(0);
        let found = match step {
            Step::Forward => self.bookmarks.all().find(|&idx| idx > here),
            Step::Back => self.bookmarks.all().rev().find(|&idx| idx < here),
        };
        match found {
            Some(idx) if idx < self.status.len => self.go(idx, self.side),
            _ => self.hint = Some("no further bookmark; b sets one".to_owned()),
        }
    }

    pub(super) fn follow(&mut self) {
        self.follows = !self.follows;
        if self.follows {
            self.selected = self.len().saturating_sub(1);
        }
        let what = if self.follows { "follows" } else { "stays" };
        self.hint = Some(format!("the selection {what}"));
    }

    /// Looks for what is the same wherever somebody is.
    pub(super) fn seek_from_here(&mut self, target: Target) -> Effect {
        Effect::Seek {
            from: self.here(),
            target,
            step: Step::Forward,
        }
    }

    pub(super) fn go_to_offset(&mut self, at: usize) -> Result<Effect, String> {
        let message = self.message.as_mut().ok_or("no message is open")?;
        let len = message.bytes().len();
        if at >= len {
            return Err(format!("the message ends before byte {at}, at {len}"));
        }
        message.select_byte(at);
        if self.pane == Pane::Exchanges {
            self.pane = Pane::Grid;
        }
        Ok(Effect::None)
    }

    pub(super) fn go_to_path(&mut self, path: &str) -> Result<Effect, String> {
        let message = self.message.as_mut().ok_or("no message is open")?;
        let id = named_field(&message.tree, path)
            .ok_or_else(|| format!("the message has no field {path}"))?;
        message.select(id);
        if self.pane == Pane::Exchanges {
            self.pane = Pane::Tree;
        }
        Ok(Effect::None)
    }

    /// Pasted text: into the line that is open, else as a message.
    pub(super) fn paste(&mut self, text: String) -> Effect {
        self.hint = None;
        match &mut self.prompt {
            Some(prompt) => {
                prompt.insert(&text);
                Effect::None
            }
            None => Effect::Decode(text),
        }
    }
}

/// The field with a path, else the first whose path holds that, in any case of its letters.
pub(super) fn named_field(tree: &Tree, path: &str) -> Option<NodeId> {
    let lower = path.to_lowercase();
    let is_it = |found: &str| found.to_lowercase() == lower;
    let has_it = |found: &str| found.to_lowercase().contains(&lower);
    let exact = tree.nodes().find(|&id| is_it(&tree.path(id)));
    exact.or_else(|| tree.nodes().find(|&id| has_it(&tree.path(id))))
}

/// An expression that is true for messages with the value of the selected field.
fn field_filter(tree: &Tree, message: &OpenMessage) -> Option<String> {
    let id = message.selected();
    if message.buffer() != BufferId::FRAME || tree.is_hidden(id) {
        return None;
    }
    let path = tree.path(id);
    let variable = match path.as_str() {
        "RequestHeader.client_id" => "client_id".to_owned(),
        "RequestHeader.request_api_key" => "api_key".to_owned(),
        "RequestHeader.request_api_version" => "version".to_owned(),
        "RequestHeader.correlation_id" | "ResponseHeader.correlation_id" => {
            "correlation_id".to_owned()
        }
        "" => return None,
        path if path.starts_with("Frame") || path.contains("Header.") => return None,
        path => format!("body.{path}"),
    };
    let value = columns(tree, id, Wording::Counted, Cut::Wide)?.value?;
    let literal = match value.strip_prefix('"') {
        Some(_) => {
            let end = value.rfind("\" (").map_or(value.len(), |at| at + 1);
            value.get(..end)?.to_owned()
        }
        None => value.split(' ').next()?.to_owned(),
    };
    tree.value(id)?;
    Some(format!("{variable} == {literal}"))
}
