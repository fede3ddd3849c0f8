//! Views over the panes: opened, moved through, followed to where their lines lead, left.

use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

use super::{mouse::WHEEL, scrolled};
use crate::{
    query::narrowed,
    schema::{Catalogue, Direction},
    tui::{
        App, Effect, Pane, Query, Side, Text, View,
        app::Overlay,
        keys::Action,
        prompt::PromptKind,
        view,
        views::{Link, Pager},
    },
};

/// Columns that a key moves a view by.
const SHIFT: usize = 8;

impl App {
    /// Opens a view over what is on the screen.
    pub(in crate::tui) fn show(&mut self, view: View) -> Effect {
        self.left_views = None;
        let filter = self.list.query.filter.clone();
        self.pagers.push(Pager::new(view.clone(), filter));
        self.make(view)
    }

    /// Has the text of a view made.
    fn make(&self, view: View) -> Effect {
        Effect::Show {
            members: match view.is_reference() {
                true => None,
                // An order alone leaves nothing out.
                false if self.list.query.filter.is_empty() => None,
                false => self.list.members().cloned(),
            },
            width: usize::from(self.size.0),
            view,
        }
    }

    fn pager_of(&mut self, view: &View) -> Option<&mut Pager> {
        let mut pagers = self.pagers.iter_mut().rev();
        pagers.find(|pager| pager.view == *view)
    }

    /// Takes in how far the making of a view has come.
    pub(super) fn say_looked(&mut self, view: &View, n: usize) {
        if let Some(pager) = self.pager_of(view) {
            pager.looked = n;
        }
    }

    pub(super) fn take_text(&mut self, view: &View, text: Text) {
        if let Some(pager) = self.pager_of(view) {
            pager.text = Some(text);
            pager.step(0);
        }
    }

    pub(super) fn act_in_pager(&mut self, action: Action) -> Effect {
        let height = view::pager_height(self) as isize;
        let Some(pager) = self.pagers.last_mut() else {
            return Effect::None;
        };
        match action {
            Action::Up => pager.step(-1),
            Action::Down => pager.step(1),
            Action::PageUp => pager.step(1 - height),
            Action::PageDown => pager.step(height - 1),
            Action::Top => pager.step(isize::MIN / 2),
            Action::Bottom => pager.step(isize::MAX / 2),
            Action::Left | Action::ScrollLeft => pager.shift = pager.shift.saturating_sub(SHIFT),
            Action::Right | Action::ScrollRight => {
                pager.shift = (pager.shift + SHIFT).min(pager.width())
            }
            Action::Open | Action::Toggle => return self.follow_link(),
            Action::Back => {
                self.pagers.pop();
            }
            Action::Quit if self.has_panes_below() => {
                self.pagers.pop();
            }
            Action::Quit => return self.quit(),
            Action::NextExchange => return self.neighbour(1),
            Action::PreviousExchange => return self.neighbour(-1),
            Action::Help => {
                self.overlay = Some(Overlay::Help);
                self.overlay_scroll = 0;
            }
            Action::Search => self.ask(PromptKind::Search, ""),
            Action::NextHit => self.find_line(1),
            Action::PreviousHit => self.find_line(-1),
            Action::Command => self.ask(PromptKind::Command, ""),
            Action::Notes => return self.replace(View::Notes),
            Action::Show(shown) => return self.replace(shown.into()),
            _ => {}
        }
        Effect::None
    }

    /// Whether anything is to be seen when the view is closed.
    pub(in crate::tui) fn has_panes_below(&self) -> bool {
        self.status.len > 0 || self.pasted.is_shown() || self.pagers.len() > 1
    }

    /// Another view in the place of this one; the same once more closes it.
    fn replace(&mut self, view: View) -> Effect {
        let was = self.pagers.pop();
        match was.is_some_and(|pager| pager.view == view) {
            true => Effect::None,
            false => self.show(view),
        }
    }

    /// Goes where the selected line leads.
    pub(super) fn follow_link(&mut self) -> Effect {
        let link = self.pager().and_then(Pager::link).cloned();
        match link {
            None => Effect::None,
            Some(Link::View(view)) => self.show(view),
            Some(Link::Exchange(idx)) => {
                self.leave_views(Some(idx));
                self.go(idx, Side::Request);
                Effect::None
            }
            Some(Link::Trouble(idx, side)) => {
                self.leave_views(Some(idx));
                self.go_to_trouble(idx, side);
                self.pane = Pane::Tree;
                Effect::None
            }
            Some(Link::Filter(filter)) => self.leave_for(Query {
                filter,
                ..Query::default()
            }),
            Some(Link::Narrow(filter)) => {
                let of_view = self.pager().map(|pager| pager.filter.as_str());
                self.leave_for(Query {
                    filter: narrowed(of_view.unwrap_or_default(), &filter),
                    sort: self.list.query.sort.clone(),
                })
            }
        }
    }

    /// Leaves the views for the list of what a query finds.
    fn leave_for(&mut self, query: Query) -> Effect {
        self.leave_views(None);
        self.pane = Pane::Exchanges;
        self.choose(query)
    }

    /// Closes all views, which are gone back to from what they led to: an exchange, or a filter.
    fn leave_views(&mut self, led_to: Option<usize>) {
        self.left_views = Some((std::mem::take(&mut self.pagers), led_to));
    }

    /// Opens the views again that led to what is selected.
    pub(super) fn return_to_view(&mut self) {
        let here = self.exchange();
        let left = self.left_views.take();
        if let Some((pagers, _)) = left.filter(|(_, led_to)| led_to.is_none() || *led_to == here) {
            self.pagers = pagers;
        }
    }

    /// The next version of a page, of a difference, the next error.
    fn neighbour(&mut self, by: i16) -> Effect {
        let Some(view) = self.pager().map(|pager| pager.view.clone()) else {
            return Effect::None;
        };
        let ever = |api| {
            let definition = Catalogue::current().api(api, Direction::Request);
            definition.map(|definition| definition.ever)
        };
        let next = match view {
            View::Layout(api, version) => ever(api)
                .filter(|ever| ever.contains(version + by))
                .map(|_| View::Layout(api, version + by)),
            View::Diff(api, from, to) => ever(api)
                .filter(|ever| ever.contains(from + by) && ever.contains(to + by))
                .map(|_| View::Diff(api, from + by, to + by)),
            _ => None,
        };
        match next {
            Some(view) => self.replace(view),
            None => Effect::None,
        }
    }

    /// The next line with the text that was searched for.
    pub(super) fn find_line(&mut self, by: isize) {
        let Some(wanted) = self.memory.lines(PromptKind::Search).pop() else {
            return;
        };
        let wanted = wanted.to_lowercase();
        let Some(pager) = self.pagers.last_mut() else {
            return;
        };
        let len = pager.lines().len() as isize;
        let found = (1..=len)
            .map(|distance| (pager.cursor as isize + by * distance).rem_euclid(len) as usize)
            .find(|&line| {
                let text = pager.lines().get(line).map(|line| line.text.to_lowercase());
                text.is_some_and(|text| text.contains(&wanted))
            });
        match found {
            Some(line) => pager.cursor = line,
            None => self.hint = Some(format!("no line with {wanted}")),
        }
    }

    pub(super) fn mouse_in_pager(&mut self, event: MouseEvent) -> Effect {
        let Some(pager) = self.pagers.last_mut() else {
            return Effect::None;
        };
        match event.kind {
            MouseEventKind::ScrollUp => pager.step(-WHEEL),
            MouseEventKind::ScrollDown => pager.step(WHEEL),
            MouseEventKind::Down(MouseButton::Left) => {
                let row = usize::from(event.row).checked_sub(view::PAGER_HEAD);
                let Some(line) = row.map(|row| pager.scroll + row) else {
                    return Effect::None;
                };
                let is_again = line == pager.cursor;
                pager.cursor = line.min(pager.lines().len().saturating_sub(1));
                if is_again {
                    return self.follow_link();
                }
            }
            _ => {}
        }
        Effect::None
    }

    /// Keeps the selected line on the screen.
    pub(super) fn scroll_pager(&mut self) {
        let height = view::pager_height(self);
        if let Some(pager) = self.pagers.last_mut() {
            pager.scroll = scrolled(pager.scroll, pager.cursor, height, pager.lines().len());
        }
    }
}
