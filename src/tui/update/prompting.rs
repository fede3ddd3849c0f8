//! Lines that are typed: what they begin with, what becomes of them.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::{
    query::{Filter, Sort},
    tui::{
        App, Effect, Pattern, Query, Step, Target,
        commands::{self, Command},
        complete::{complete, file_in, folder_of},
        list::Chosen,
        prompt::{Prompt, PromptKind, Typed},
        worker::Work,
    },
};

/// Orders that a key goes through; the command takes any column.
const ORDERS: [&str; 8] = [
    "-latency",
    "latency",
    "-bytes",
    "api",
    "client_id",
    "-records",
    "-problems",
    "",
];

impl App {
    /// Opens a line.
    pub(in crate::tui) fn ask(&mut self, kind: PromptKind, text: &str) {
        self.prompt = Some(Prompt::new(kind, text, self.memory.lines(kind)));
        self.offered.is_wanted = matches!(kind, PromptKind::Filter | PromptKind::Command);
        // What is in a folder may be something else by now.
        self.offered.folder = None;
    }

    /// Asks for what completion offers, once for each line that is opened, if there is more than last
    /// time.
    pub(super) fn ask_for_values(&mut self) -> Effect {
        let is_wanted = std::mem::take(&mut self.offered.is_wanted);
        let revision = Some(self.status.revision);
        if !is_wanted || self.offered.revision == revision {
            return Effect::None;
        }
        self.offered.revision = revision;
        Effect::Gather
    }

    /// Asks for what is in the folder of the file whose name is being typed, if it is another one now.
    pub(super) fn ask_for_names(&mut self) -> Effect {
        let wanted = self.prompt.as_ref().and_then(|prompt| {
            let before = prompt.halves().0;
            Some(folder_of(file_in(prompt.kind, &before)?).to_owned())
        });
        match wanted {
            Some(folder) if self.offered.folder.as_ref() != Some(&folder) => {
                self.offered.folder = Some(folder.clone());
                Effect::List(folder)
            }
            _ => Effect::None,
        }
    }

    /// Takes a key while a line is open.
    pub(super) fn type_in(&mut self, event: KeyEvent) -> Effect {
        let Some(prompt) = &mut self.prompt else {
            return Effect::None;
        };
        let kind = prompt.kind;
        if kind.is_question() {
            let ctrl = event.modifiers.contains(KeyModifiers::CONTROL);
            return match event.code {
                KeyCode::Char('c' | 'g') if ctrl => self.enter(kind, "n"),
                KeyCode::Char('y' | 'Y') => self.enter(kind, "y"),
                KeyCode::Char('n' | 'N') | KeyCode::Esc => self.enter(kind, "n"),
                _ => Effect::None,
            };
        }
        let tree = self.message.as_ref().map(|message| message.tree.as_ref());
        let complete = |kind, before: &str| complete(kind, before, &self.offered, tree);
        match prompt.key(event, &complete) {
            Typed::Edited => Effect::None,
            Typed::Unoffered => {
                self.say("Tab has nothing to offer here");
                Effect::None
            }
            Typed::Given => {
                self.prompt = None;
                Effect::None
            }
            Typed::Entered(line) => self.enter(kind, &line),
        }
    }

    fn enter(&mut self, kind: PromptKind, line: &str) -> Effect {
        // What it leads to may ask a question of its own.
        let prompt = self.prompt.take();
        let result = match kind {
            PromptKind::Filter => self.enter_query(Query {
                filter: line.trim().to_owned(),
                sort: self.list.query.sort.clone(),
            }),
            PromptKind::Search => self.enter_search(line),
            PromptKind::Command => self.enter_command(line),
            PromptKind::Note => {
                if let Some(idx) = self.exchange() {
                    self.bookmarks.set(idx, line.to_owned());
                }
                Ok(Effect::Keep)
            }
            PromptKind::SaveAs => self.save_as(line.trim()),
            PromptKind::Replace => Ok(self.replace_or_not(line.trim())),
            PromptKind::DecodeAs => self.decode_as(line.trim()),
            PromptKind::Leave => Ok(self.leave_or_not(line)),
        };
        match result {
            Ok(effect) => {
                self.memory.keep(kind, line);
                self.typed = true;
                effect
            }
            // What is wrong stands below the line, which stays open.
            Err(wrong) => {
                self.prompt = prompt.map(|mut prompt| {
                    prompt.wrong = wrong;
                    prompt
                });
                Effect::None
            }
        }
    }

    /// Shows what a query finds, if the query can work.
    fn enter_query(&mut self, query: Query) -> Result<Effect, Vec<String>> {
        let wrong = |mistake: crate::query::Mistake| {
            let mut lines = vec![mistake.to_string()];
            lines.extend(mistake.pointer().lines().map(str::to_owned));
            lines
        };
        let mut doubt = None;
        if !query.filter.is_empty() {
            let filter = Filter::parse(&query.filter).map_err(wrong)?;
            doubt = filter.doubts().first().map(ToString::to_string);
        }
        if !query.sort.is_empty() {
            Sort::parse(&query.sort).map_err(wrong)?;
        }
        let effect = self.choose(query);
        self.hint = doubt.or_else(|| self.hint.take());
        Ok(effect)
    }

    fn enter_search(&mut self, line: &str) -> Result<Effect, Vec<String>> {
        if !self.pagers.is_empty() {
            self.memory.keep(PromptKind::Search, line);
            self.find_line(1);
            return Ok(Effect::None);
        }
        self.pattern = Some(Pattern::parse(line).map_err(|wrong| vec![wrong])?);
        self.hit = None;
        Ok(self.search_on(Step::Forward))
    }

    fn enter_command(&mut self, line: &str) -> Result<Effect, Vec<String>> {
        let command = commands::read(line).map_err(|wrong| vec![wrong])?;
        if !matches!(
            command,
            Command::Show(_) | Command::Help | Command::Quit | Command::QuitAnyway
        ) {
            self.pagers.clear();
        }
        match command {
            Command::Filter(filter) => self.enter_query(Query {
                filter,
                sort: self.list.query.sort.clone(),
            }),
            Command::Sort(sort) => self.enter_query(Query {
                filter: self.list.query.filter.clone(),
                sort,
            }),
            Command::Search(pattern) => self.enter_search(&pattern),
            Command::Columns(names) => self.choose_columns(&names),
            Command::Field(path) => self.add_column(&path),
            Command::Show(view) => Ok(self.show(view)),
            Command::Decode(text) => Ok(Effect::Decode(text)),
            Command::Bookmark(note) => {
                if let Some(idx) = self.exchange() {
                    self.bookmarks.set(idx, note);
                }
                Ok(Effect::Keep)
            }
            Command::Follow => {
                self.follow();
                Ok(Effect::None)
            }
            Command::As(line) => self.decode_as(&line),
            Command::Save(name) => self.save_as(&name),
            Command::Theme(theme) => {
                self.theme = theme;
                Ok(Effect::None)
            }
            Command::Help => {
                self.overlay = Some(crate::tui::app::Overlay::Help);
                self.overlay_scroll = 0;
                Ok(Effect::None)
            }
            Command::Quit => Ok(self.quit()),
            Command::QuitAnyway => Ok(Effect::Quit),
            Command::Pasted => Ok(self.return_to_pasted()),
            Command::Bookmarks => self.show_bookmarks(),
            Command::Go(idx) => self.go_to_number(idx),
            Command::Time(nanoseconds) => Ok(self.seek_from_here(Target::TimeOfDay(nanoseconds))),
            Command::Packet(packet) => Ok(self.seek_from_here(Target::Packet(packet))),
            Command::Offset(at) => self.go_to_offset(at).map_err(|wrong| vec![wrong]),
            Command::Path(path) => self.go_to_path(&path).map_err(|wrong| vec![wrong]),
        }
    }

    fn show_bookmarks(&mut self) -> Result<Effect, Vec<String>> {
        let numbers = self.bookmarks.all().map(|idx| (idx + 1).to_string());
        let numbers: Vec<String> = numbers.collect();
        if numbers.is_empty() {
            return Err(vec!["nothing is marked; b marks an exchange".to_owned()]);
        }
        self.enter_query(Query {
            filter: format!("n in [{}]", numbers.join(", ")),
            ..Query::default()
        })
    }

    /// Goes to an exchange, or to the message of this number while pasted ones are listed.
    fn go_to_number(&mut self, idx: usize) -> Result<Effect, Vec<String>> {
        let (what, len) = match self.pasted.shown() {
            Some((_, n_messages)) => ("message", n_messages),
            None => ("exchange", self.status.len),
        };
        if idx >= len {
            let n = idx + 1;
            return Err(vec![format!(
                "there is no {what} {n}; they go from 1 to {len}"
            )]);
        }
        if self.pasted.is_shown() {
            return Ok(self.select_pasted(idx));
        }
        self.go(idx, self.side);
        Ok(Effect::None)
    }

    /// Shows what a query finds, and keeps the selection where it can.
    pub(super) fn choose(&mut self, query: Query) -> Effect {
        // It is the exchanges that are to be seen.
        self.close_pasted();
        let here = self.exchange();
        if query.is_all() {
            self.list.clear();
            self.mark_list();
            self.selected = here.unwrap_or(0);
            return Effect::Stop(Work::Looking);
        }
        // Another order is looked at from its top; a filter keeps the place.
        let is_reordered = query.sort != self.list.query.sort && !query.sort.is_empty();
        self.list.ask(query.clone());
        self.anchor = here.filter(|_| !is_reordered);
        if is_reordered {
            self.selected = 0;
        }
        Effect::Choose {
            query,
            so_far: Chosen::default(),
        }
    }

    /// Shows what the filter left out, in the same order; without a filter, the order goes.
    pub(super) fn clear_filter(&mut self) -> Effect {
        let sort = match self.list.query.filter.is_empty() {
            true => String::new(),
            false => self.list.query.sort.clone(),
        };
        self.choose(Query {
            filter: String::new(),
            sort,
        })
    }

    pub(super) fn take_chosen(&mut self, query: &Query, chosen: Chosen) {
        if *query != self.list.query {
            return;
        }
        let done = chosen.done;
        self.list.take(chosen);
        if let Some(idx) = self.anchor {
            self.selected = self.list.place(idx).min(self.len().saturating_sub(1));
        }
        if done {
            self.anchor = None;
            if self.len() == 0 {
                self.message = None;
                (self.shown, self.asked) = (None, None);
                let none = "the filter takes none of the exchanges; F shows all";
                let filter = Filter::parse(&query.filter).ok();
                let doubt = filter.and_then(|filter| filter.doubts().first().cloned());
                self.hint = Some(match doubt {
                    Some(doubt) => format!("{none}; {doubt}"),
                    None => none.to_owned(),
                });
            }
        }
    }

    /// The order of the column whose head was clicked: up, then down, then none.
    pub(super) fn order_by(&mut self, column: &str) -> Effect {
        let now = self.list.query.sort.as_str();
        let sort = match now.strip_prefix('-') {
            Some(down) if down == column => String::new(),
            None if now == column => format!("-{column}"),
            _ => column.to_owned(),
        };
        self.choose(Query {
            filter: self.list.query.filter.clone(),
            sort,
        })
    }

    /// The next of the usual orders.
    pub(super) fn next_order(&mut self) -> Effect {
        let now = self.list.query.sort.as_str();
        let at = ORDERS.iter().position(|order| *order == now);
        let next = at.map_or(0, |at| (at + 1) % ORDERS.len());
        let sort = ORDERS.get(next).copied().unwrap_or_default();
        self.hint = Some(match sort {
            "" => "in order of numbers".to_owned(),
            sort => match sort.strip_prefix('-') {
                Some(column) => format!("ordered by {column}, the largest first"),
                None => format!("ordered by {sort}"),
            },
        });
        self.choose(Query {
            filter: self.list.query.filter.clone(),
            sort: sort.to_owned(),
        })
    }
}
