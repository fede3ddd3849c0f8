//! One column of the list: its name, its width, where its texts come from.

use unicode_width::UnicodeWidthStr;

use crate::{
    query::{Column, column_names},
    render::ExchangeField,
    tui::config::unknown,
};

/// A column whose texts every row has at once: how it is placed.
pub(super) struct Usual {
    pub field: ExchangeField,
    /// The width that it must have to be shown.
    needed: usize,
    /// The most that it gets by itself.
    limit: usize,
    /// How soon it gives way on a narrow screen: higher first, 0 never.
    expendable: u8,
}

macro_rules! usual {
    ($($field:ident $needed:literal $limit:literal $expendable:literal;)*) => {
        /// All of them, in the order that they have when nothing is set.
        pub(super) const USUAL: &[Usual] = &[$(Usual {
            field: ExchangeField::$field,
            needed: $needed,
            limit: $limit,
            expendable: $expendable,
        }),*];
    };
}

// Needed, limit, expendable.
usual! {
    N 5 9 0;
    Time 15 15 3;
    Connection 4 7 7;
    Client 15 24 9;
    Server 15 24 8;
    Api 18 28 0;
    Version 2 4 0;
    ClientId 10 20 4;
    Topics 10 28 2;
    Bytes 9 17 5;
    LatencyMs 9 11 1;
    Errors 14 40 0;
}

/// The width that a column of decoded values must have, and the most that it gets by itself.
const MADE_NEEDED: usize = 8;
const MADE_LIMIT: usize = 32;

/// No column can be made narrower: less shows nothing but that it is cut.
pub(super) const NARROWEST: usize = 2;

/// The widest that one can be made; beyond that nobody scrolls.
pub(super) const WIDEST: usize = 500;

/// Where the texts of a column come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tui) enum Content {
    /// The row has them; the place in `USUAL`.
    Usual(usize),
    /// A worker makes them.
    Made { is_number: bool },
}

/// A column of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::tui) struct ListColumn {
    /// What it is called, and what it is ordered by.
    pub name: String,
    pub content: Content,
    /// Chosen by hand; `None` for what its texts need.
    pub width: Option<usize>,
    /// The widest text that was seen in it, so that columns keep their places.
    seen: usize,
    /// The width below which its texts mean nothing: half a number is another number.
    least: usize,
}

impl ListColumn {
    pub(super) fn usual(idx: usize, usual: &Usual) -> ListColumn {
        ListColumn {
            name: usual.field.short().to_owned(),
            content: Content::Usual(idx),
            width: None,
            seen: 0,
            least: 0,
        }
    }

    /// Reads a name, with a width behind a colon if one is chosen.
    ///
    /// # Errors
    /// A name that no column has, a path that no message has, or a width that is none.
    pub(in crate::tui) fn parse(text: &str) -> Result<ListColumn, String> {
        let (name, width) = match text.rsplit_once(':') {
            None => (text, None),
            Some((name, width)) => {
                let wrong = || format!("{width}: no width for {name}; expected as {name}:24");
                let width: usize = width.parse().map_err(|_| wrong())?;
                (name, Some(width.clamp(NARROWEST, WIDEST)))
            }
        };
        let column = match Column::named(name) {
            Ok(column) => column,
            // The paths have their own way to say what they expected.
            Err(mistake) if name.contains('.') => return Err(mistake.to_string()),
            Err(_) => return Err(unknown("column", name, column_names())),
        };
        let is_it = |usual: &Usual| column.field() == Some(usual.field);
        let place = USUAL.iter().position(is_it);
        let found = place.and_then(|idx| Some((idx, USUAL.get(idx)?)));
        Ok(match found {
            Some((idx, usual)) => ListColumn {
                width,
                ..ListColumn::usual(idx, usual)
            },
            None => ListColumn {
                name: name.to_owned(),
                content: Content::Made {
                    is_number: column.is_number(),
                },
                width,
                seen: 0,
                least: 0,
            },
        })
    }

    pub(super) fn of_row(&self) -> Option<&'static Usual> {
        match self.content {
            Content::Usual(idx) => USUAL.get(idx),
            Content::Made { .. } => None,
        }
    }

    /// What stands above it: of a path what is in the body, since its root says little.
    pub(in crate::tui) fn title(&self) -> &str {
        let roots = ["request.body.", "response.body.", "body."];
        let inside = roots.iter().find_map(|root| self.name.strip_prefix(root));
        match self.of_row() {
            Some(usual) => usual.field.head(),
            None => inside.unwrap_or(&self.name),
        }
    }

    /// Whether its texts end at the right.
    pub(in crate::tui) fn is_right(&self) -> bool {
        match self.content {
            Content::Usual(_) => self.of_row().is_some_and(|usual| usual.field.is_number()),
            Content::Made { is_number } => is_number,
        }
    }

    /// The width that it has where there is room for all columns.
    pub(in crate::tui) fn natural(&self) -> usize {
        let limit = self.of_row().map_or(MADE_LIMIT, |usual| usual.limit);
        let wanted = self.seen.max(self.title().width()).min(limit);
        self.width.map_or(wanted, |width| width.max(self.least))
    }

    /// The width at which none of its texts is cut; one that was chosen is not changed.
    pub(in crate::tui) fn whole(&self) -> usize {
        match self.width {
            Some(_) => self.natural(),
            None => self.seen.max(self.title().width()),
        }
    }

    /// The width that it must have; one that was chosen is not changed.
    pub(in crate::tui) fn needed(&self) -> usize {
        let needed = self.of_row().map_or(MADE_NEEDED, |usual| usual.needed);
        let needed = needed.min(self.natural());
        self.width.map_or(needed, |width| width.max(self.least))
    }

    pub(in crate::tui) fn expendable(&self) -> u8 {
        self.of_row().map_or(0, |usual| usual.expendable)
    }

    /// Takes in that exchanges have numbers up to `most`: the column of numbers has room for them.
    pub(super) fn see_number(&mut self, most: usize) {
        if self
            .of_row()
            .is_some_and(|usual| usual.field == ExchangeField::N)
        {
            self.least = most.to_string().len();
        }
    }

    pub(super) fn see(&mut self, text: &str) {
        self.seen = self.seen.max(text.width()).min(WIDEST);
    }
}
