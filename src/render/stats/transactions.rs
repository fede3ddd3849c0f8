//! Timelines of transactions and the sequences of producers as text.

use std::{
    collections::BTreeSet,
    fmt::{self, Write},
};

use super::{Extent, duration, failure::failure, groups::ranges, n_of, time_of_day};
use crate::{
    event::Severity,
    explain::ErrorCode,
    render::{Marks, Palette, escape_str},
    stats::{
        Fault, Outcome, Producer, Transaction, TransactionEvent as Event, TransactionWhat as What,
        Transactional, Transactions, Trouble,
    },
};

/// Partitions of topics.
pub(super) type Partitions = BTreeSet<(Box<str>, i32)>;

/// Writes all transactional ids, then the producers; of each at most as many lines as `extent` says.
pub fn transactions_text(
    out: &mut impl Write,
    found: &Transactions,
    palette: Palette,
    marks: Marks,
    extent: Extent,
) -> fmt::Result {
    for (nth, id) in found.ids.iter().enumerate() {
        if nth > 0 {
            writeln!(out)?;
        }
        timeline(out, id, palette, marks, extent)?;
    }
    // A producer whose sequences say nothing beyond its transactions has no line of its own.
    let shown = found
        .producers
        .iter()
        .filter(|producer| producer.transactional_id.is_none() || !producer.faults.is_empty());
    for (nth, producer) in shown.enumerate() {
        if nth > 0 || !found.ids.is_empty() {
            writeln!(out)?;
        }
        sequences(out, producer, palette, marks, extent)?;
    }
    Ok(())
}

fn timeline(
    out: &mut impl Write,
    id: &Transactional,
    palette: Palette,
    marks: Marks,
    extent: Extent,
) -> fmt::Result {
    let (bold, dim) = (palette.title(), palette.dim());
    let mut parts = Vec::new();
    parts.extend(clients(&id.clients));
    if let Some(timeout) = id.timeout_ms {
        parts.push(format!(
            "timeout {}",
            duration(timeout.saturating_mul(1_000_000))
        ));
    }
    parts.push(n_of(id.transactions.len() as u64, "transaction"));
    writeln!(
        out,
        "{bold}transactional id {}{bold:#}: {}",
        escape_str(&id.id),
        parts.join(", ")
    )?;
    for (at, transaction) in id.transactions.iter().enumerate() {
        let style = match transaction.outcome {
            Outcome::Fenced => palette.severity(Severity::Error),
            Outcome::Replaced | Outcome::Ending => palette.severity(Severity::Warning),
            _ => Palette::Plain.dim(),
        };
        writeln!(
            out,
            "  transaction {}  {style}{}{style:#}{}",
            at + 1,
            transaction.outcome.name(),
            about(transaction)
        )?;
    }
    let n_width = id.events.iter().map(|event| event.n).max();
    let n_width = n_width.unwrap_or(0).to_string().len();
    let shown = extent.of(id.events.len());
    for event in id.events.iter().take(shown) {
        let style = match event.what {
            What::Failed(_) => palette.severity(Severity::Error),
            What::Ended { .. } => bold,
            _ => Palette::Plain.dim(),
        };
        let of = match event.transaction {
            Some(at) => format!("[{}] ", at + 1),
            None => String::new(),
        };
        writeln!(
            out,
            "  {dim}{}  {:>n_width$}{dim:#}  {of}{style}{}{style:#}",
            time_of_day(event.time),
            event.n,
            text(event)
        )?;
    }
    cut(out, marks, id.events.len() - shown)
}

/// Who it was; nothing of nobody.
fn clients(ids: &BTreeSet<Box<str>>) -> Option<String> {
    let ids: Vec<String> = ids.iter().map(|id| escape_str(id)).collect();
    (!ids.is_empty()).then(|| format!("client {}", ids.join(", ")))
}

fn batches(n: u64) -> String {
    match n {
        1 => "1 batch".to_owned(),
        n => format!("{n} batches"),
    }
}

fn cut(out: &mut impl Write, marks: Marks, more: usize) -> fmt::Result {
    match more {
        0 => Ok(()),
        more => writeln!(out, "  {}", marks.and_more(more)),
    }
}

fn about(transaction: &Transaction) -> String {
    let mut text = String::new();
    match (transaction.duration(), transaction.begun) {
        (Some(nanos), _) => {
            let _ = write!(text, " after {}", duration(nanos));
        }
        (None, Some(begun)) => {
            let _ = write!(text, ", begun at {}", time_of_day(begun));
        }
        (None, None) => text.push_str(", begun before the capture, or without anything in it"),
    }
    let _ = write!(
        text,
        ", producer {} epoch {}",
        transaction.producer_id, transaction.epoch
    );
    if transaction.batches > 0 {
        let _ = write!(
            text,
            ", {} in {}",
            n_of(transaction.records, "record"),
            batches(transaction.batches)
        );
    }
    if !transaction.partitions.is_empty() {
        let _ = write!(text, ", {}", partitions(&transaction.partitions));
    }
    for group in &transaction.groups {
        let _ = write!(text, ", offsets of group {}", escape_str(group));
    }
    let _ = write!(
        text,
        ", exchanges {}-{}",
        transaction.first, transaction.last
    );
    text
}

fn text(event: &Event) -> String {
    match &event.what {
        What::Initialised { producer_id, epoch } => {
            format!("initialised: producer {producer_id}, epoch {epoch}")
        }
        What::Partitions(found) => format!("adds {}", partitions(found)),
        What::Group(group) => format!("adds the offsets of group {}", escape_str(group)),
        What::Offsets {
            group,
            partitions: found,
        } => format!(
            "commits offsets of group {} for {}",
            escape_str(group),
            partitions(found)
        ),
        What::Produced {
            partitions: found,
            records,
            requests,
            last_time,
            ..
        } => {
            let mut text = format!(
                "writes {} to {}",
                n_of(*records, "record"),
                partitions(found)
            );
            if *requests > 1 {
                let until = time_of_day(*last_time);
                let _ = write!(text, ", in {requests} requests until {until}");
            }
            text
        }
        What::Ended {
            commits,
            is_answered,
        } => {
            let what = if *commits { "COMMIT" } else { "ABORT" };
            match is_answered {
                true => format!("ends with {what}"),
                false => format!("asks for {what}; the capture has no answer"),
            }
        }
        What::MarkersWritten {
            commits,
            partitions: found,
        } => format!("{} markers for {}", marker(*commits), partitions(found)),
        What::MarkerFetched {
            commits,
            topic,
            partition,
            offset,
        } => format!(
            "{} marker fetched from {} {partition} at offset {offset}",
            marker(*commits),
            escape_str(topic)
        ),
        What::Failed(failed) => failure(failed),
    }
}

fn marker(commits: bool) -> &'static str {
    if commits { "COMMIT" } else { "ABORT" }
}

/// `orders 0-2; payments 1`.
fn partitions(found: &Partitions) -> String {
    let mut topics: Vec<(&str, Vec<i32>)> = Vec::new();
    for (topic, partition) in found {
        match topics.last_mut() {
            Some((last, partitions)) if *last == &**topic => partitions.push(*partition),
            _ => topics.push((topic, vec![*partition])),
        }
    }
    let texts = topics.iter();
    let texts: Vec<String> = texts
        .map(|(topic, partitions)| format!("{} {}", escape_str(topic), ranges(partitions)))
        .collect();
    match texts.is_empty() {
        true => "no partition".to_owned(),
        false => texts.join("; "),
    }
}

/// What a producer is, and how it fared.
fn heading(producer: &Producer) -> String {
    let mut parts = Vec::new();
    parts.push(match &producer.transactional_id {
        Some(id) => format!("transactional id {}", escape_str(id)),
        None if !producer.sequences.is_empty() || !producer.clients.is_empty() => {
            "idempotent".to_owned()
        }
        None => "not heard itself".to_owned(),
    });
    parts.extend(clients(&producer.clients));
    let n_faults = producer.faults.len() as u64;
    if n_faults > 0 {
        parts.push(format!("{} in its sequences", n_of(n_faults, "fault")));
    }
    if producer.markers > 0 {
        let markers = n_of(producer.markers, "marker");
        parts.push(format!("{markers} of its transactions fetched"));
    }
    parts.join(", ")
}

fn sequences(
    out: &mut impl Write,
    producer: &Producer,
    palette: Palette,
    marks: Marks,
    extent: Extent,
) -> fmt::Result {
    let (bold, dim) = (palette.title(), palette.dim());
    writeln!(
        out,
        "{bold}producer {}{bold:#}: {}",
        producer.producer_id,
        heading(producer)
    )?;
    let shown = extent.of(producer.sequences.len());
    for sequence in producer.sequences.iter().take(shown) {
        writeln!(
            out,
            "  {} {}  epoch {}, sequence {} to {}, {} in {}",
            escape_str(&sequence.topic),
            sequence.partition,
            sequence.epoch,
            sequence.first,
            sequence.last,
            n_of(sequence.records, "record"),
            batches(sequence.batches)
        )?;
    }
    cut(out, marks, producer.sequences.len() - shown)?;
    let shown = extent.of(producer.faults.len());
    for fault in producer.faults.iter().take(shown) {
        let style = palette.severity(match fault.trouble {
            Trouble::Again { .. } => Severity::Note,
            _ => Severity::Warning,
        });
        writeln!(
            out,
            "  {dim}{}  {}{dim:#}  {style}{}{style:#}",
            time_of_day(fault.time),
            fault.n,
            trouble(fault)
        )?;
    }
    cut(out, marks, producer.faults.len() - shown)
}

fn trouble(fault: &Fault) -> String {
    let of = format!("{} {}", escape_str(&fault.topic), fault.partition);
    match fault.trouble {
        Trouble::Gap { expected, found } => format!(
            "{of}: sequence goes on at {found}, {expected} was expected; refused, not sent or not captured"
        ),
        Trouble::Again { first, last } => {
            format!("{of}: sequence {first} to {last} is sent again")
        }
        Trouble::Refused { code } => format!("{of}: {}", ErrorCode(code)),
    }
}
