//! Styles by what is shown. Without colour, weight and reversal carry what must be seen.

use ratatui::style::{Color, Modifier, Style};

use crate::event::Section;

/// How things look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Theme {
    /// The sixteen colours of the terminal, so that its own light or dark scheme decides.
    Coloured,
    /// None, as NO_COLOR asks for.
    Plain,
}

impl Theme {
    pub(super) fn section(self, section: Section) -> Style {
        self.colour(match section {
            Section::Frame => Color::DarkGray,
            Section::Header => Color::Blue,
            Section::Request => Color::Green,
            Section::Response => Color::Cyan,
            Section::RecordBatch => Color::Yellow,
            Section::Record => Color::Magenta,
            Section::TaggedFields => Color::Red,
        })
    }

    /// One of the terminal's own colours.
    pub(super) fn ansi(self, colour: Color) -> Style {
        self.colour(colour)
    }

    /// What somebody has marked.
    pub(super) fn mark(self) -> Style {
        self.colour(Color::Yellow)
            .add_modifier(Modifier::BOLD | Modifier::UNDERLINED)
    }

    pub(super) fn dim(self) -> Style {
        match self {
            Theme::Coloured => Style::new().fg(Color::DarkGray),
            Theme::Plain => Style::new(),
        }
    }

    pub(super) fn error(self) -> Style {
        self.colour(Color::Red).add_modifier(Modifier::BOLD)
    }

    /// The title of a pane.
    pub(super) fn title(self, focused: bool) -> Style {
        if focused {
            Style::new().add_modifier(Modifier::BOLD | Modifier::REVERSED)
        } else {
            Style::new().add_modifier(Modifier::BOLD)
        }
    }

    /// What is selected, in a pane with or without the focus.
    pub(super) fn selection(self, focused: bool) -> Style {
        if focused {
            Style::new().add_modifier(Modifier::REVERSED)
        } else {
            Style::new().add_modifier(Modifier::UNDERLINED | Modifier::BOLD)
        }
    }

    fn colour(self, colour: Color) -> Style {
        match self {
            Theme::Coloured => Style::new().fg(colour),
            Theme::Plain => Style::new(),
        }
    }
}
