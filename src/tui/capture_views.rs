//! Views of a capture: counted, over time, by connection, and what is wrong with it.

use std::{
    cell::RefCell,
    collections::HashSet,
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use super::{
    Link, Side, Text, TextLine, View, narrowing::filter_of, reference_views::reference_view,
};
use crate::{
    check::{Extent as Named, Finding, Occurrence, Options, check},
    render::{
        Cut, Extent, Marks, Palette, Room, StatsLine, encrypted_text, escape_str, findings_summary,
        findings_text, group_text, stats_lines, transactions_text,
    },
    session::{Error, Exchange, Index, Session},
    stats::{By, Keep, Sort, encrypted, groups, stats, transactions},
};

/// Remarks on the capture that are shown.
const NOTES: usize = 10_000;

/// Bars of the histogram.
const BUCKETS: usize = 40;

/// Exchanges that a finding names.
const EXCHANGES: usize = 8;

/// All that was found wrong last, with all occurrences: one finding after the other is looked at.
#[derive(Debug, Default)]
pub(super) struct Checked(Mutex<Option<Kept>>);

#[derive(Debug)]
struct Kept {
    /// The index, and the exchanges of it, that this is about.
    revision: u64,
    members: Option<Vec<u32>>,
    findings: Arc<Vec<Finding>>,
}

impl Checked {
    /// What is found in the exchanges in `members`, or in all.
    fn findings(
        &self,
        index: &Index,
        members: Option<&Vec<u32>>,
        stop: &dyn Fn() -> bool,
        find: impl FnOnce() -> Vec<Finding>,
    ) -> Arc<Vec<Finding>> {
        let revision = index.revision();
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = kept.as_ref()
            && kept.revision == revision
            && kept.members.as_ref() == members
        {
            return Arc::clone(&kept.findings);
        }
        // Of two captures' worth nobody has any use.
        *kept = None;
        let findings = Arc::new(find());
        // What was stopped is not all.
        if !stop() {
            *kept = Some(Kept {
                revision,
                members: members.cloned(),
                findings: Arc::clone(&findings),
            });
        }
        findings
    }
}

/// The text of a view of the exchanges in `members`, or of all, as far as nothing stops it; `looked` is
/// told where it is.
pub(super) fn capture_view(
    session: &Session,
    checked: &Checked,
    view: &View,
    members: Option<&Vec<u32>>,
    width: usize,
    stop: &dyn Fn() -> bool,
    looked: &mut dyn FnMut(usize),
) -> Text {
    if let Some(text) = reference_view(view, width) {
        return text;
    }
    let index = session.index();
    let wanted: Option<HashSet<u32>> =
        members.map(|members| members.iter().map(|idx| idx + 1).collect());
    let looked = RefCell::new(looked);
    let keep = |exchange: &Exchange| {
        // A walk that keeps nothing more decodes nothing more, and is soon at its end.
        if stop() {
            return false;
        }
        (looked.borrow_mut())(exchange.n as usize);
        let wanted = wanted.as_ref();
        wanted.is_none_or(|wanted| wanted.contains(&exchange.n))
    };
    let of = match members {
        Some(members) => format!(" of {} filtered exchanges", members.len()),
        None => String::new(),
    };
    match view {
        View::Stats => statistics(session, &index, &keep, width, &of),
        View::Groups => all_groups(session, &index, &keep, &of),
        View::Transactions => all_transactions(session, &index, &keep, &of),
        View::Problems => {
            let options = Options {
                extent: Named::First(EXCHANGES),
                slow: None,
            };
            problems(&check(session, &index, &keep, options), &of)
        }
        View::Occurrences(kind, subject, detail) => {
            let options = Options {
                extent: Named::All,
                slow: None,
            };
            let found = checked.findings(&index, members, stop, || {
                check(session, &index, &keep, options)
            });
            let is_it = |finding: &&Finding| {
                finding.kind == *kind && finding.subject == *subject && finding.detail == *detail
            };
            match found.iter().find(is_it) {
                Some(finding) => occurrences(finding, &of),
                None => Text::new("problems", "this is not found any more"),
            }
        }
        View::Connections => connections(&index),
        _ => notes(session, &index),
    }
}

fn written(write: impl FnOnce(&mut String) -> fmt::Result) -> String {
    let mut text = String::new();
    // Nothing fails when a text is written to memory.
    let _ = write(&mut text);
    text
}

fn all_groups(session: &Session, index: &Index, keep: Keep<'_>, of: &str) -> Text {
    let text = written(|out| {
        for group in groups(session, index, keep) {
            // The view scrolls sideways.
            let (marks, extent) = (Marks::Unicode, Extent::All);
            group_text(out, &group, Palette::Ansi, marks, extent, Cut::Wide)?;
            out.push('\n');
        }
        Ok(())
    });
    Text::new(format!("groups{of}"), &text)
}

fn all_transactions(session: &Session, index: &Index, keep: Keep<'_>, of: &str) -> Text {
    let found = transactions(session, index, keep);
    let text =
        written(|out| transactions_text(out, &found, Palette::Ansi, Marks::Unicode, Extent::All));
    Text::new(format!("transactions and producers{of}"), &text)
}

/// All tables, and what could not be looked into.
fn statistics(session: &Session, index: &Index, keep: Keep<'_>, width: usize, of: &str) -> Text {
    let by = [
        By::Time,
        By::Api,
        By::Client,
        By::Topic,
        By::Partition,
        By::Connection,
        By::Server,
        By::Error,
    ];
    let counted = stats(session, index, keep, &by, Sort::Exchanges, BUCKETS);
    // The view scrolls sideways.
    let room = Room::Free(width.saturating_sub(3));
    let (palette, marks) = (Palette::Ansi, Marks::Unicode);
    let lines = stats_lines(&counted, palette, marks, Extent::All, room);
    let mut lines: Vec<TextLine> = lines.into_iter().map(stats_line).collect();
    let closed = encrypted(index);
    let text = written(|out| {
        if !closed.is_empty() {
            out.push('\n');
        }
        encrypted_text(out, &closed, Palette::Ansi, Marks::Unicode, Extent::All)
    });
    lines.extend(text.lines().map(TextLine::of));
    Text {
        title: format!("statistics{of}"),
        lines,
    }
}

/// A line of the statistics, which leads to the exchanges of its row.
fn stats_line(line: StatsLine<'_>) -> TextLine {
    let filter = line.subject.and_then(|(table, row)| filter_of(table, row));
    TextLine {
        text: line.text,
        link: filter.map(Link::Narrow),
    }
}

/// A line a finding, which leads to the first exchange that has it.
fn problems(findings: &[Finding], of: &str) -> Text {
    let lines = findings
        .iter()
        .flat_map(|finding| {
            let text = written(|out| {
                let one = std::slice::from_ref(finding);
                findings_text(out, one, Palette::Ansi, Named::First(EXCHANGES))
            });
            let link = |found: &Occurrence| exchange_of(finding, found);
            let first = finding.occurrences.iter().find_map(link);
            let mut lines: Vec<TextLine> = text
                .lines()
                .map(|line| TextLine {
                    text: line.to_owned(),
                    link: first.clone(),
                })
                .collect();
            let others = finding.occurrences.iter().skip(1).filter_map(|found| {
                let text = format!("    and exchange {}", found.n?);
                Some(TextLine::to(text, link(found)?))
            });
            lines.extend(others);
            let n_more = finding
                .count
                .saturating_sub(finding.occurrences.len() as u64);
            if n_more > 0 {
                let text = format!("    and {n_more} more: Enter lists all {}", finding.count);
                let all = View::Occurrences(
                    finding.kind,
                    finding.subject.clone(),
                    finding.detail.clone(),
                );
                lines.push(TextLine::to(text, Link::View(all)));
            }
            lines
        })
        .collect();
    let summary = match findings_summary(findings) {
        text if text.is_empty() => "nothing found".to_owned(),
        text => text,
    };
    Text {
        title: format!("problems{of}: {summary}"),
        lines,
    }
}

/// A line an occurrence of one finding, which leads to its exchange, or to its connection.
fn occurrences(finding: &Finding, of: &str) -> Text {
    let text = written(|out| {
        let one = std::slice::from_ref(finding);
        findings_text(out, one, Palette::Ansi, Named::All)
    });
    let lines = text.lines().zip(&finding.occurrences);
    let lines = lines.map(|(text, found)| TextLine {
        text: text.to_owned(),
        link: exchange_of(finding, found).or_else(|| {
            let connection = found.connection?;
            Some(Link::Filter(format!("connection == {connection}")))
        }),
    });
    Text {
        title: format!("{}{of}: all {}", finding.kind.name(), finding.count),
        lines: lines.collect(),
    }
}

/// What is wrong with the exchange of an occurrence.
fn exchange_of(finding: &Finding, found: &Occurrence) -> Option<Link> {
    let idx = (found.n? as usize).checked_sub(1)?;
    Some(Link::Trouble(idx, side(finding)))
}

/// The side that a finding is about, as its own words say it.
fn side(finding: &Finding) -> Side {
    let is_response = |text: &str| text.contains("response") || text.contains("answer");
    match is_response(finding.kind.name())
        || is_response(&finding.subject)
        || is_response(&finding.detail)
    {
        true => Side::Response,
        false => Side::Request,
    }
}

/// A line a connection, which leads to its exchanges.
fn connections(index: &Index) -> Text {
    let mut lines = vec![TextLine::of(
        "\x1b[2mconn  client                 server                 exchanges     to server     to client  lost  again  what it is\x1b[0m",
    )];
    for (connection, n) in index.connections().iter().zip(1..) {
        let (there, back) = (connection.counts.a, connection.counts.b);
        let what = match (&connection.protocol, connection.tls) {
            (Some(protocol), _) => protocol.to_string(),
            (None, Some(tls)) => format!("Kafka in {tls}, {} % sure", connection.confidence),
            (None, None) if connection.confidence == 0 => "undecided".to_owned(),
            (None, None) => format!("Kafka, {} % sure", connection.confidence),
        };
        let begun = if connection.from_start {
            ""
        } else {
            ", seen from its middle"
        };
        let text = format!(
            "{n:>4}  {:<21}  {:<21}  {:>9}  {:>12}  {:>12}  {:>4}  {:>5}  {what}{begun}",
            connection.client.to_string(),
            connection.server.to_string(),
            connection.n_exchanges,
            there.bytes,
            back.bytes,
            there.lost + back.lost,
            there.retransmits + back.retransmits,
        );
        lines.push(match connection.n_exchanges {
            0 => TextLine { text, link: None },
            _ => TextLine::to(text, Link::Filter(format!("connection == {n}"))),
        });
    }
    Text {
        title: match index.connections().len() {
            1 => "1 connection: Enter shows its exchanges".to_owned(),
            n => format!("{n} connections: Enter shows their exchanges"),
        },
        lines,
    }
}

fn notes(session: &Session, index: &Index) -> Text {
    let left_out = session.capture().left_out();
    let left_out = left_out.iter().map(Error::as_left_out);
    let notes = index.notes().iter().map(ToString::to_string);
    let mut lines: Vec<TextLine> = left_out
        .chain(notes)
        .take(NOTES)
        .map(|note| TextLine::of(&escape_str(&note)))
        .collect();
    if lines.is_empty() {
        lines.push(TextLine::of("nothing is wrong with the capture"));
    }
    Text {
        title: "remarks on the capture".to_owned(),
        lines,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_is_kept_until_something_else_is_asked_for() {
        let checked = Checked::default();
        let index = Index::default();
        let mut n_checks = 0;
        let mut look = |members: Option<&Vec<u32>>, stopped: bool| {
            checked.findings(&index, members, &|| stopped, || {
                n_checks += 1;
                Vec::new()
            });
            n_checks
        };
        // What was stopped is looked for again.
        assert_eq!(look(None, true), 1);
        assert_eq!(look(None, false), 2);
        assert_eq!(look(None, false), 2);
        assert_eq!(look(Some(&vec![1]), false), 3);
        assert_eq!(look(Some(&vec![1]), false), 3);
        assert_eq!(look(None, false), 4);
    }
}
