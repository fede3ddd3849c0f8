//! What can be looked at beside exchanges: texts with lines that lead somewhere.

use super::{Side, keys::Shown};
use crate::{check::Kind, schema::ApiKey};

/// A view.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum View {
    /// Counts, sizes, latencies, errors; a histogram over time.
    Stats,
    Groups,
    Transactions,
    /// What is wrong with exchanges, connections, clients and the capture.
    Problems,
    /// All occurrences of one of these, by its kind, its subject and what is wrong with it.
    Occurrences(Kind, String, String),
    Connections,
    /// Remarks on the capture itself.
    Notes,
    /// All APIs.
    Apis,
    /// The documented page of a version.
    Layout(ApiKey, i16),
    /// What changed from the first to the second version.
    Diff(ApiKey, i16, i16),
    /// All error codes.
    Errors,
    /// One of them.
    Error(i16),
}

impl From<Shown> for View {
    fn from(shown: Shown) -> View {
        match shown {
            Shown::Stats => View::Stats,
            Shown::Groups => View::Groups,
            Shown::Transactions => View::Transactions,
            Shown::Problems => View::Problems,
            Shown::Connections => View::Connections,
            Shown::Apis => View::Apis,
        }
    }
}

impl View {
    /// Whether the view is the same whatever the capture holds.
    pub fn is_reference(&self) -> bool {
        matches!(
            self,
            View::Apis | View::Layout(..) | View::Diff(..) | View::Errors | View::Error(_)
        )
    }
}

/// A text with a title.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    pub title: String,
    pub lines: Vec<TextLine>,
}

/// A line; its styles are SGR sequences, as the commands print them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextLine {
    pub text: String,
    /// Where Enter on it leads.
    pub link: Option<Link>,
}

/// Where a line leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Link {
    /// An exchange, from 0.
    Exchange(usize),
    /// What is wrong with one side of an exchange.
    Trouble(usize, Side),
    View(View),
    /// The exchanges that a filter takes.
    Filter(String),
    /// The same of those that the view is about.
    Narrow(String),
}

impl Text {
    /// A text of lines that lead nowhere.
    pub fn new(title: impl Into<String>, text: &str) -> Text {
        Text {
            title: title.into(),
            lines: text.lines().map(TextLine::of).collect(),
        }
    }
}

impl TextLine {
    /// A line that leads nowhere, unless it names an exchange.
    pub fn of(text: &str) -> TextLine {
        TextLine {
            link: named_exchange(text).map(Link::Exchange),
            text: text.to_owned(),
        }
    }

    /// A line that leads somewhere.
    pub fn to(text: impl Into<String>, link: Link) -> TextLine {
        TextLine {
            text: text.into(),
            link: Some(link),
        }
    }
}

/// The first exchange that a line of a view names, as `exchange 12` or `exchanges 3, 5`.
fn named_exchange(text: &str) -> Option<usize> {
    let (_, behind) = text.split_once("exchange")?;
    let behind = behind.strip_prefix('s').unwrap_or(behind).trim_start();
    let digits: String = behind.chars().take_while(char::is_ascii_digit).collect();
    digits.parse::<usize>().ok()?.checked_sub(1)
}

/// A view on the screen.
#[derive(Clone, Debug)]
pub(super) struct Pager {
    pub view: View,
    /// The filter that leaves the exchanges that it is about.
    pub filter: String,
    /// `None` while it is being made.
    pub text: Option<Text>,
    /// The exchange that the making of it has come to; 0 before the first.
    pub looked: usize,
    /// The selected line.
    pub cursor: usize,
    /// The first line on the screen.
    pub scroll: usize,
    /// Columns that are scrolled out to the left.
    pub shift: usize,
}

impl Pager {
    pub(super) fn new(view: View, filter: String) -> Pager {
        Pager {
            view,
            filter,
            text: None,
            looked: 0,
            cursor: 0,
            scroll: 0,
            shift: 0,
        }
    }

    pub(super) fn lines(&self) -> &[TextLine] {
        self.text.as_ref().map_or(&[], |text| &text.lines)
    }

    /// Characters of the longest line, its sequences among them.
    pub(super) fn width(&self) -> usize {
        let widths = self.lines().iter().map(|line| line.text.chars().count());
        widths.max().unwrap_or(0)
    }

    /// Moves the cursor by lines.
    pub(super) fn step(&mut self, by: isize) {
        let last = self.lines().len().saturating_sub(1);
        self.cursor = self.cursor.saturating_add_signed(by).min(last);
    }

    /// Where the selected line leads.
    pub(super) fn link(&self) -> Option<&Link> {
        self.lines().get(self.cursor)?.link.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_lead_to_the_first_exchange_that_they_name() {
        let link = |text| TextLine::of(text).link;
        assert_eq!(
            link("warning: broker: slow (exchanges 3, 5)"),
            Some(Link::Exchange(2))
        );
        assert_eq!(link("exchange 12: cut"), Some(Link::Exchange(11)));
        assert_eq!(link("7 exchanges in all"), None);
        assert_eq!(link("exchange 0"), None);
    }
}
