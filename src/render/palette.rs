//! Colours by section, and the legend that names them.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};

use crate::{
    event::{Section, Severity},
    tree::Tree,
    wire::{BufferId, Span},
};

/// The sections in the order of the legend.
pub const LEGEND: [Section; 7] = [
    Section::Frame,
    Section::Header,
    Section::Request,
    Section::RecordBatch,
    Section::Record,
    Section::Response,
    Section::TaggedFields,
];

/// Whether and how text is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Palette {
    /// No escape sequences at all.
    Plain,
    /// The sixteen colours that every terminal has.
    Ansi,
}

impl Palette {
    /// The style of a section's bytes and names.
    pub fn section(self, section: Section) -> Style {
        let colour = match section {
            Section::Frame => AnsiColor::BrightBlack,
            Section::Header => AnsiColor::Blue,
            Section::Request => AnsiColor::Green,
            Section::Response => AnsiColor::Cyan,
            Section::RecordBatch => AnsiColor::Yellow,
            Section::Record => AnsiColor::Magenta,
            Section::TaggedFields => AnsiColor::Red,
        };
        self.only_coloured(colour.on_default())
    }

    /// What stands back: meanings, labels, separators.
    pub fn dim(self) -> Style {
        self.only_coloured(Style::new().dimmed())
    }

    /// The word that says how bad a problem is.
    pub fn severity(self, severity: Severity) -> Style {
        let colour = match severity {
            Severity::Note => AnsiColor::Blue,
            Severity::Warning => AnsiColor::Yellow,
            Severity::Error => AnsiColor::Red,
        };
        self.only_coloured(colour.on_default().bold())
    }

    /// Titles.
    pub fn title(self) -> Style {
        self.only_coloured(Style::new().bold())
    }

    fn only_coloured(self, style: Style) -> Style {
        match self {
            Palette::Plain => Style::new(),
            Palette::Ansi => style,
        }
    }
}

/// One line that names the sections in `tree`; without colour it says which bytes they are.
pub fn legend(tree: &Tree, buffer: BufferId, palette: Palette) -> String {
    let runs = section_runs(tree, buffer);
    let mut line = String::new();
    for section in LEGEND {
        let mut spans = runs.iter().filter(|run| run.0 == section).peekable();
        if spans.peek().is_none() {
            continue;
        }
        if !line.is_empty() {
            line.push_str("  ");
        }
        let style = palette.section(section);
        match palette {
            Palette::Ansi => {
                let _ = write!(line, "{style}■ {}{style:#}", section.name());
            }
            Palette::Plain => {
                line.push_str(section.name());
                for (idx, (_, span)) in spans.enumerate() {
                    // A dozen runs say enough; the tree has them all.
                    if idx == 12 {
                        line.push_str(" ...");
                        break;
                    }
                    let _ = match span.len {
                        1 => write!(line, " {:04x}", span.at),
                        _ => write!(line, " {:04x}-{:04x}", span.at, span.end() - 1),
                    };
                }
            }
        }
    }
    line
}

/// The runs of bytes of one buffer that belong to one section.
fn section_runs(tree: &Tree, buffer: BufferId) -> Vec<(Section, Span)> {
    let mut runs: Vec<(Section, Span)> = Vec::new();
    for id in tree.nodes_in(buffer) {
        let span = tree.span(id);
        let (Some(node), Some(_)) = (tree.node(id), tree.value(id)) else {
            continue;
        };
        if span.len == 0 {
            continue;
        }
        match runs.last_mut() {
            Some((section, run)) if *section == node.section && run.end() == span.at => {
                run.len += span.len;
            }
            _ => runs.push((node.section, span)),
        }
    }
    runs
}
