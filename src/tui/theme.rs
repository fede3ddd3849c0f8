//! Styles by what is shown. Without colour, weight and reversal carry what must be seen.

use ratatui::style::{Color, Modifier, Style};

use super::config::unknown;
use crate::event::Section;

/// How things look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Light colours of the 256 that terminals have, on a dark ground.
    Dark,
    /// Dark ones, on a light ground.
    Light,
    /// The sixteen colours of the terminal, so that its own light or dark scheme decides.
    Sixteen,
    /// None, as NO_COLOR asks for.
    Plain,
}

impl Theme {
    /// All of them, in the order in which a key goes through them.
    pub(super) const ALL: [Theme; 4] = [Theme::Dark, Theme::Light, Theme::Sixteen, Theme::Plain];

    /// What the configuration calls it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Theme::Dark => "dark",
            Theme::Light => "light",
            Theme::Sixteen => "16",
            Theme::Plain => "none",
        }
    }

    /// The one that is called so.
    pub(super) fn parse(name: &str) -> Result<Theme, String> {
        let found = Theme::ALL.into_iter().find(|theme| theme.name() == name);
        found.ok_or_else(|| unknown("theme", name, Theme::ALL.into_iter().map(Theme::name)))
    }

    /// The one behind it, around the end.
    pub(super) fn next(self) -> Theme {
        let behind = Theme::ALL.into_iter().skip_while(|&theme| theme != self);
        behind.skip(1).chain(Theme::ALL).next().unwrap_or(self)
    }

    pub(super) fn section(self, section: Section) -> Style {
        // The light colours are dark enough to be read on white, and the other way round.
        let (dark, light, sixteen) = match section {
            Section::Frame => (246, 242, Color::DarkGray),
            Section::Header => (75, 25, Color::Blue),
            Section::Request => (114, 28, Color::Green),
            Section::Response => (80, 30, Color::Cyan),
            Section::RecordBatch => (221, 94, Color::Yellow),
            Section::Record => (176, 90, Color::Magenta),
            Section::TaggedFields => (209, 124, Color::Red),
        };
        self.colour(dark, light, sixteen)
    }

    /// One of the terminal's own colours, in the shade that can be read.
    pub(super) fn ansi(self, colour: Color) -> Style {
        match colour {
            Color::Red => self.error().remove_modifier(Modifier::BOLD),
            Color::Green => self.section(Section::Request),
            Color::Yellow => self.section(Section::RecordBatch),
            Color::Blue => self.section(Section::Header),
            Color::Magenta => self.section(Section::Record),
            Color::Cyan => self.section(Section::Response),
            _ => Style::new(),
        }
    }

    /// What somebody has marked.
    pub(super) fn mark(self) -> Style {
        self.ansi(Color::Yellow)
            .add_modifier(Modifier::BOLD | Modifier::UNDERLINED)
    }

    /// What stands back: types, places, meanings.
    pub(super) fn dim(self) -> Style {
        self.colour(246, 242, Color::DarkGray)
    }

    /// What is there for orientation alone.
    pub(super) fn faint(self) -> Style {
        self.colour(239, 250, Color::DarkGray)
    }

    pub(super) fn error(self) -> Style {
        self.colour(203, 160, Color::Red)
            .add_modifier(Modifier::BOLD)
    }

    /// The title of a pane.
    pub(super) fn title(self, focused: bool) -> Style {
        let bold = Style::new().add_modifier(Modifier::BOLD);
        match (focused, self) {
            (true, _) => bold.add_modifier(Modifier::REVERSED),
            (false, Theme::Dark) => bold.bg(Color::Indexed(236)),
            (false, Theme::Light) => bold.bg(Color::Indexed(253)),
            (false, Theme::Sixteen | Theme::Plain) => bold,
        }
    }

    /// What is selected, in a pane with or without the focus.
    pub(super) fn selection(self, focused: bool) -> Style {
        let style = Style::new();
        if focused {
            return style.add_modifier(Modifier::REVERSED);
        }
        let style = style.add_modifier(Modifier::UNDERLINED | Modifier::BOLD);
        match self {
            Theme::Dark => style.bg(Color::Indexed(237)),
            Theme::Light => style.bg(Color::Indexed(254)),
            Theme::Sixteen | Theme::Plain => style,
        }
    }

    fn colour(self, dark: u8, light: u8, sixteen: Color) -> Style {
        match self {
            Theme::Dark => Style::new().fg(Color::Indexed(dark)),
            Theme::Light => Style::new().fg(Color::Indexed(light)),
            Theme::Sixteen => Style::new().fg(sixteen),
            Theme::Plain => Style::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_goes_through_all_themes_and_round_again() {
        let mut theme = Theme::Dark;
        let mut seen = Vec::new();
        for _ in Theme::ALL {
            seen.push(theme);
            theme = theme.next();
        }
        assert_eq!(seen, Theme::ALL);
        assert_eq!(theme, Theme::Dark);
    }

    /// Contrast as WCAG 2 defines it, from the 256-colour cube that all terminals share.
    #[test]
    fn every_section_can_be_read_on_its_ground() {
        let sections = [
            Section::Frame,
            Section::Header,
            Section::Request,
            Section::Response,
            Section::RecordBatch,
            Section::Record,
            Section::TaggedFields,
        ];
        for (theme, ground) in [(Theme::Dark, 0.0), (Theme::Light, 1.0)] {
            let styles = sections
                .map(|section| theme.section(section))
                .into_iter()
                .chain([theme.dim(), theme.error()]);
            for style in styles {
                let Some(Color::Indexed(index)) = style.fg else {
                    panic!("{style:?}");
                };
                let light = luminance(index);
                let contrast = (f64::max(light, ground) + 0.05) / (f64::min(light, ground) + 0.05);
                assert!(contrast >= 4.0, "{theme:?} {index}: {contrast}");
            }
        }
    }

    fn luminance(index: u8) -> f64 {
        let levels = match index {
            16..=231 => {
                let level = |n: u8| if n == 0 { 0 } else { 55 + 40 * n };
                let n = index - 16;
                [level(n / 36), level(n / 6 % 6), level(n % 6)]
            }
            _ => [8 + 10 * (index - 232); 3],
        };
        let [red, green, blue] = levels.map(|level| {
            let part = f64::from(level) / 255.0;
            match part <= 0.04045 {
                true => part / 12.92,
                false => ((part + 0.055) / 1.055).powf(2.4),
            }
        });
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
}
