//! A page, Markdown or a picture in the making: the same parts in the same order, each format by its
//! own rules.

use std::fmt::{self, Write};

use crate::{
    cli::args::Format,
    render::{
        Fact, Sheet,
        html::{self, page},
        markdown,
        svg::Picture,
    },
};

/// A document that parts are added to.
pub(super) enum Document {
    Html,
    Markdown,
    /// Nothing is written before its end.
    Svg(Picture),
}

/// A row of the list of exchanges.
pub(super) struct Row {
    pub(super) n: usize,
    /// Whether the document has its messages.
    pub(super) is_here: bool,
    pub(super) cells: Vec<String>,
}

impl Document {
    /// One of that format; `None` if it is no document.
    pub(super) fn of(format: Format) -> Option<Document> {
        Some(match format {
            Format::Html => Document::Html,
            Format::Markdown => Document::Markdown,
            Format::Svg => Document::Svg(Picture::default()),
            Format::Json | Format::Csv | Format::Parquet | Format::Pcap => return None,
        })
    }

    /// Begins with a title and what is known of all of it.
    pub(super) fn open(&mut self, out: &mut dyn Write, title: &str, facts: &[Fact]) -> fmt::Result {
        match self {
            Document::Html => page::open(out, title, facts),
            Document::Markdown => markdown::heading(out, 1, title, facts),
            Document::Svg(picture) => {
                picture.title(title, facts);
                Ok(())
            }
        }
    }

    /// Adds the list of exchanges.
    pub(super) fn list(
        &mut self,
        out: &mut dyn Write,
        heads: &[String],
        rows: &mut dyn Iterator<Item = Row>,
    ) -> fmt::Result {
        match self {
            Document::Html => html::exchange_list(
                out,
                heads,
                &mut rows.map(|row| (row.n, row.is_here, row.cells)),
            ),
            Document::Markdown => {
                markdown::exchange_list(out, heads, &mut rows.map(|row| row.cells))
            }
            Document::Svg(picture) => {
                picture.exchange_list(heads, &mut rows.map(|row| row.cells));
                Ok(())
            }
        }
    }

    /// Begins the part of an exchange.
    pub(super) fn exchange(
        &mut self,
        out: &mut dyn Write,
        n: usize,
        title: &str,
        facts: &[Fact],
    ) -> fmt::Result {
        match self {
            Document::Html => html::exchange_open(out, n, title, facts),
            Document::Markdown => markdown::heading(out, 2, &format!("{n}: {title}"), facts),
            Document::Svg(picture) => {
                picture.heading(&format!("{n}: {title}"), facts);
                Ok(())
            }
        }
    }

    /// Ends the part of an exchange.
    pub(super) fn exchange_end(&mut self, out: &mut dyn Write) -> fmt::Result {
        match self {
            Document::Html => writeln!(out, "</section>"),
            Document::Markdown | Document::Svg(_) => Ok(()),
        }
    }

    /// Adds a message with a heading of that level.
    pub(super) fn message(
        &mut self,
        out: &mut dyn Write,
        sheet: &Sheet<'_>,
        level: u8,
    ) -> fmt::Result {
        match self {
            Document::Html => html::message(out, sheet, level),
            Document::Markdown => markdown::sheet(out, sheet, level.into()),
            Document::Svg(picture) => {
                picture.sheet(sheet);
                Ok(())
            }
        }
    }

    /// Adds a sentence.
    pub(super) fn remark(&mut self, out: &mut dyn Write, sentence: &str) -> fmt::Result {
        match self {
            Document::Html => html::remark(out, sentence),
            Document::Markdown => writeln!(out, "{sentence}\n"),
            Document::Svg(picture) => {
                picture.remark(sentence);
                Ok(())
            }
        }
    }

    /// Ends the document.
    pub(super) fn close(self, out: &mut dyn Write) -> fmt::Result {
        match self {
            Document::Html => page::close(out),
            Document::Markdown => Ok(()),
            Document::Svg(picture) => picture.close(out),
        }
    }
}
