//! What each message does to the state.

mod listing;
mod mouse;
mod pager;
mod prompting;
mod sideways;
mod travel;

use ratatui::crossterm::event::{KeyEvent, KeyEventKind};

use super::{
    App, Effect, Msg, Pane, Row, Side, Status, Step, Target, app::Overlay, keys::Action,
    message::OpenMessage, prompt::PromptKind, view, views::View, worker::Work,
};

impl App {
    /// Takes in what happened.
    pub fn update(&mut self, msg: Msg) -> Effect {
        let effect = self.take(msg);
        self.selected = self.selected.min(self.len().saturating_sub(1));
        self.scroll_to_selection();
        match effect {
            Effect::None => self.ask_for_more(),
            effect => effect,
        }
    }

    /// What a message does by itself.
    fn take(&mut self, msg: Msg) -> Effect {
        match msg {
            Msg::Key(event) if event.kind == KeyEventKind::Release => {}
            Msg::Key(event) => return self.key(event),
            Msg::Mouse(event) => return self.mouse(event),
            Msg::Paste(text) => return self.paste(text),
            Msg::Resize(width, height) => self.size = (width, height),
            Msg::Status(status) => return self.take_status(status),
            Msg::Opened { idx, side, page } => {
                return self.open(idx, side, page.map(|page| *page));
            }
            Msg::Reread {
                idx,
                side,
                bytes,
                page,
            } => self.reread(idx, side, &bytes, page.map(|page| *page)),
            Msg::Counted(pattern, counted) => self.take_counted(&pattern, counted),
            Msg::Marked {
                idx,
                side,
                pattern,
                places,
            } => self.take_marks((idx, side), pattern, places),
            Msg::Saving(n_bytes) => self.save_on(n_bytes),
            Msg::Saved { name, result } => self.saved(name, result),
            Msg::Rows { first, rows } => self.take_rows(first, rows),
            Msg::Sought(target, found) => self.take_sought(target, found),
            Msg::Searching(looked) => self.searching = Some(looked),
            Msg::Searched(hit) => self.take_hit(hit),
            Msg::SearchedPasted(hit) => return self.take_pasted_hit(hit),
            Msg::Chosen { query, chosen } => {
                self.take_chosen(&query, chosen);
                self.mark_list();
            }
            Msg::Filled { names, cells } => self.columns.take(&names, cells),
            Msg::Occurring(occurring) => self.offered.occurring = occurring,
            Msg::Listed(folder, names) => self.offered.names = (folder, names),
            Msg::Mistaken(mistake) => self.hint = Some(mistake.to_string()),
            Msg::Showing(view, n) => self.say_looked(&view, n),
            Msg::Shown(view, text) => self.take_text(&view, text),
            Msg::Pasted(result) => return self.take_pasted(result),
            Msg::Failed => {
                self.saving = None;
                self.hint = Some("this could not be done, by a fault of kafscope".to_owned());
            }
        }
        Effect::None
    }

    /// Exchanges may have come; those that a filter or an order has not seen are looked at next.
    fn take_status(&mut self, status: Status) -> Effect {
        self.status = status;
        self.columns.see_len(self.status.len);
        if self.follows {
            self.selected = self.len().saturating_sub(1);
        }
        self.list
            .missing(self.status.len)
            .map_or(Effect::None, |so_far| Effect::Choose {
                query: self.list.query.clone(),
                so_far,
            })
    }

    fn take_sought(&mut self, target: Target, found: Result<(usize, Side), String>) {
        match found {
            Ok((idx, side)) if target.is_wrong() => self.go_to_trouble(idx, side),
            Ok((idx, side)) => self.go(idx, side),
            Err(why) => self.hint = Some(why),
        }
    }

    /// What the screen lacks: the message of the selection, the one beside it, marks of what is searched
    /// for, texts of the list, the count of the pattern.
    fn ask_for_more(&mut self) -> Effect {
        let wanted = self.exchange().map(|idx| (idx, self.wanted_side()));
        let missing = match wanted {
            _ if self.pasted.is_shown() => Effect::None,
            Some((idx, side)) if self.shown != wanted && self.asked != wanted => {
                self.asked = wanted;
                // It takes the place of what else was to be opened.
                self.asked_beside = None;
                Effect::Open { idx, side }
            }
            _ if self.shown == self.asked => self.open_other_side(),
            _ => Effect::None,
        };
        let others = [
            App::ask_for_values,
            App::ask_for_names,
            App::mark_message,
            App::fill_columns,
            App::count_on,
        ];
        others
            .into_iter()
            .fold(missing, |missing, other| match missing {
                Effect::None => other(self),
                missing => missing,
            })
    }

    fn key(&mut self, event: KeyEvent) -> Effect {
        self.hint = None;
        if self.prompt.is_some() {
            return self.type_in(event);
        }
        if self.config.keymap.action(None, event, self.pane) == Some(Action::Exit) {
            return self.quit();
        }
        if let Some(effect) = self.key_in_between(event) {
            return effect;
        }
        let first = self.first_key.take();
        if first.is_none()
            && let Some(first) = self.config.keymap.first_of_two(event)
        {
            self.first_key = Some(first);
            return Effect::None;
        }
        // A view has rows like the tree.
        let pane = match self.pagers.is_empty() {
            true => self.pane,
            false => Pane::Tree,
        };
        match self.config.keymap.action(first, event, pane) {
            Some(action) => self.act(action),
            None => {
                self.say_elsewhere(first, event);
                Effect::None
            }
        }
    }

    fn take_rows(&mut self, first: usize, rows: Vec<Row>) {
        self.rows = (first, rows);
        self.columns.see_rows(&self.rows.1);
        let is_shown = self.shown.map(|(idx, _)| idx) == self.exchange();
        if self.shown.is_none() || !is_shown {
            return;
        }
        let now = self.row(self.selected).cloned();
        match (&self.shown_row, now) {
            // A response may have come, or the exchange may have got another number.
            (Some(then), Some(now)) if *then != now => (self.shown, self.asked) = (None, None),
            (None, Some(now)) => self.shown_row = Some(now),
            _ => {}
        }
    }

    pub(in crate::tui) fn act(&mut self, action: Action) -> Effect {
        if self.overlay.is_some() {
            self.act_in_overlay(action);
            return Effect::None;
        }
        if !self.pagers.is_empty() {
            return self.act_in_pager(action);
        }
        match action {
            Action::Quit | Action::Exit => return self.quit(),
            Action::Pasted => return self.return_to_pasted(),
            Action::Help => {
                self.overlay = Some(Overlay::Help);
                self.overlay_scroll = 0;
            }
            Action::NextPane => self.next_pane(),
            Action::PreviousPane => self.previous_pane(),
            Action::Zoom => self.zoomed = !self.zoomed,
            Action::OtherSide => return self.other_side(),
            Action::Open => self.pane = Pane::Tree,
            Action::Back => return self.back(),
            Action::NextExchange => return self.select(1),
            Action::PreviousExchange => return self.select(-1),
            Action::Meanings => self.meanings = !self.meanings,
            Action::Up => return self.step(-1),
            Action::Down => return self.step(1),
            Action::PageUp => return self.step(-self.page()),
            Action::PageDown => return self.step(self.page()),
            Action::Top => return self.step(isize::MIN / 2),
            Action::Bottom => return self.step(isize::MAX / 2),
            Action::NextProblem => return self.seek_problem(Step::Forward),
            Action::PreviousProblem => return self.seek_problem(Step::Back),
            _ => return self.act_beside(action),
        }
        Effect::None
    }

    /// What does not move the selection by itself.
    fn act_beside(&mut self, action: Action) -> Effect {
        match action {
            Action::Filter | Action::ClearFilter | Action::FilterLikeThis | Action::Sort
                if self.is_bare() =>
            {
                self.say("there is no capture whose exchanges could be filtered or ordered");
            }
            Action::Filter => {
                let filter = self.list.query.filter.clone();
                self.ask(PromptKind::Filter, &filter);
            }
            Action::ClearFilter => return self.clear_filter(),
            Action::FilterLikeThis => return self.filter_like_this(),
            Action::Sort => return self.next_order(),
            Action::Search => self.ask(PromptKind::Search, ""),
            Action::Command => self.ask(PromptKind::Command, ""),
            Action::NextHit => return self.search_on(Step::Forward),
            Action::PreviousHit => return self.search_on(Step::Back),
            Action::Next(target) => return self.seek(target, Step::Forward),
            Action::Previous(target) => return self.seek(target, Step::Back),
            Action::Earlier => self.earlier(),
            Action::Later => self.later(),
            Action::Bookmark => return self.toggle_bookmark(),
            Action::NextBookmark => self.go_to_bookmark(Step::Forward),
            Action::PreviousBookmark => self.go_to_bookmark(Step::Back),
            Action::Follow => self.follow(),
            Action::Notes => return self.show(View::Notes),
            Action::Show(shown) => return self.show(shown.into()),
            Action::ScrollLeft => self.scroll_sideways(self.pane, -1),
            Action::ScrollRight => self.scroll_sideways(self.pane, 1),
            Action::FieldAsColumn => self.toggle_field_column(),
            Action::ColumnLeft
            | Action::ColumnRight
            | Action::Narrower
            | Action::Wider
            | Action::FitColumn
            | Action::OrderByColumn => return self.act_on_columns(action),
            action => return self.act_on_view(action),
        }
        Effect::None
    }

    /// Goes to the next problem: among the exchanges from their list, else in the message.
    fn seek_problem(&mut self, step: Step) -> Effect {
        match self.pane {
            Pane::Exchanges => return self.seek(Target::Trouble, step),
            Pane::Tree | Pane::Grid => {}
        }
        let found = match &mut self.message {
            Some(message) => message.select_problem(step) || message.select_error(step),
            None => false,
        };
        if !found {
            self.hint = Some("this message has no problem and no error".to_owned());
        }
        Effect::None
    }

    fn act_in_overlay(&mut self, action: Action) {
        // One line stays in sight as a hold for the eye.
        let page = view::overlay_height(self).saturating_sub(1).max(1);
        match action {
            Action::Quit | Action::Help | Action::Back => self.overlay = None,
            Action::Up => self.overlay_scroll = self.overlay_scroll.saturating_sub(1),
            Action::Down => self.overlay_scroll += 1,
            Action::PageUp => self.overlay_scroll = self.overlay_scroll.saturating_sub(page),
            // The space bar, with which pagers go on.
            Action::PageDown | Action::OtherSide => self.overlay_scroll += page,
            Action::Top => self.overlay_scroll = 0,
            Action::Bottom => self.overlay_scroll = view::overlay_end(self),
            _ => {}
        }
        self.overlay_scroll = self.overlay_scroll.min(view::overlay_end(self));
    }

    pub(in crate::tui) fn act_on_message(&mut self, action: Action) {
        let in_tree = self.pane == Pane::Tree;
        let Some(message) = &mut self.message else {
            self.hint = Some("no message is open".to_owned());
            return;
        };
        match action {
            Action::Left if in_tree => message.fold(),
            Action::Right if in_tree => message.unfold(),
            Action::Left => message.select_byte(message.byte.saturating_sub(1)),
            Action::Right => message.select_byte(message.byte + 1),
            Action::Toggle => message.toggle(),
            Action::ToggleAll => message.toggle_all(),
            Action::NextBuffer | Action::PreviousBuffer | Action::ThroughCodec => {
                self.change_buffer(action);
            }
            _ => {}
        }
    }

    /// One step out: of the inspector, of the zoom, of the grid, of the message, of what was pasted, to
    /// the view that led here.
    fn back(&mut self) -> Effect {
        if self.searching.take().is_some() {
            return Effect::Stop(Work::Looking);
        }
        if let Some(stop) = self.stop_saving().or_else(|| self.stop_counting()) {
            return stop;
        }
        if self.inspects {
            self.inspects = false;
            return Effect::None;
        }
        if self.zoomed {
            self.zoomed = false;
            return Effect::None;
        }
        self.pane = match self.pane {
            Pane::Grid => Pane::Tree,
            _ if self.pasted.is_shown() => {
                self.back_from_pasted();
                Pane::Exchanges
            }
            _ => {
                self.return_to_view();
                Pane::Exchanges
            }
        };
        Effect::None
    }

    /// The other direction of an exchange, the next of several pasted messages.
    fn other_side(&mut self) -> Effect {
        if self.pasted.is_shown() {
            return self.next_pasted();
        }
        self.change_sides();
        Effect::None
    }

    /// Moves the selection of the focused pane by rows.
    fn step(&mut self, rows: isize) -> Effect {
        self.step_in(self.pane, rows)
    }

    fn step_in(&mut self, pane: Pane, rows: isize) -> Effect {
        let grid = view::layout(self).grid;
        match (pane, &mut self.message) {
            (Pane::Exchanges, _) => return self.select(rows),
            (Pane::Tree, Some(message)) => {
                message.select_row(message.cursor.saturating_add_signed(rows));
            }
            (Pane::Grid, Some(message)) => {
                let per_row = view::bytes_per_row(message, grid);
                let bytes = rows.saturating_mul(per_row.cast_signed());
                message.select_byte(message.byte.saturating_add_signed(bytes));
            }
            _ => {}
        }
        Effect::None
    }

    /// Another exchange, or another one of the pasted messages.
    fn select(&mut self, by: isize) -> Effect {
        if self.pasted.is_shown() {
            return self.step_pasted(by);
        }
        self.follows = false;
        self.selected = self
            .selected
            .saturating_add_signed(by)
            .min(self.len().saturating_sub(1));
        Effect::None
    }

    /// The rows of the focused pane.
    fn page(&self) -> isize {
        let layout = view::layout(self);
        let height = match self.pane {
            Pane::Exchanges => layout.exchanges.height,
            Pane::Tree => layout.tree.height,
            Pane::Grid => layout.grid.height,
        };
        // Title and header rows do not scroll; one row stays in sight as a hold for the eye.
        (isize::try_from(height).unwrap_or(0) - 3).max(1)
    }

    /// Keeps what is selected on the screen.
    fn scroll_to_selection(&mut self) {
        let layout = view::layout(self);
        let height = usize::from(layout.exchanges.height).saturating_sub(view::EXCHANGES_HEAD);
        self.scroll = scrolled(self.scroll, self.selected, height, self.len());
        let n_pasted = self.pasted.listed().len();
        self.pasted.scroll = scrolled(self.pasted.scroll, self.pasted.selected(), height, n_pasted);
        self.scroll_pager();
        if let Some(message) = &mut self.message {
            let height = usize::from(layout.tree.height).saturating_sub(view::TREE_HEAD);
            message.scroll_tree(height);
            let height = usize::from(layout.grid.height).saturating_sub(view::GRID_HEAD);
            let per_row = view::bytes_per_row(message, layout.grid);
            let row = message.byte / per_row;
            let rows = message.bytes().len().div_ceil(per_row);
            message.grid_scroll = scrolled(message.grid_scroll, row, height, rows);
        }
        let beside = self
            .beside
            .as_mut()
            .and_then(|beside| beside.message.as_mut());
        if let Some(message) = beside {
            let height = usize::from(layout.other.height).saturating_sub(view::TREE_HEAD);
            message.scroll_tree(height);
        }
    }
}

impl OpenMessage {
    /// Keeps the selected row among the `height` rows on the screen.
    fn scroll_tree(&mut self, height: usize) {
        self.scroll = scrolled(self.scroll, self.cursor, height, self.rows().len());
    }
}

/// The first of `len` rows to show so that `row` is among the `height` shown and no room is left
/// empty that could show more.
fn scrolled(first: usize, row: usize, height: usize, len: usize) -> usize {
    let first = first.min(len.saturating_sub(height));
    if row < first {
        row
    } else {
        first.max((row + 1).saturating_sub(height.max(1)))
    }
}
