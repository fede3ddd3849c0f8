//! Which of the findings stand, and in which order.
//!
//! In: everything that was found. Out: the candidates, best first, or the refusal. A reading that
//! is not much less likely than the best one is kept beside it; damage that is more certain than
//! any reading refuses the paste, so that no bytes are shown which nobody wrote.

use super::clean::Text;
use super::draft::{Damage, Draft, Findings, Sketch};
use super::reading::{LogNumber, Reading, Refusal};

/// Below this a reading is a guess that only stands if there is nothing else.
const LIKELY: u8 = 35;
/// Below this, numbers that a log line names are what it is about.
const SURER_THAN_NUMBERS: u8 = 50;
/// How far behind the best a reading may be to be shown beside it.
const BESIDE: u8 = 55;
/// Most readings shown.
const MOST: usize = 4;

/// Decides.
pub(super) fn decide(text: &Text, mut found: Findings, numbers: Vec<LogNumber>) -> Reading {
    found.sketches.sort_by(|a, b| {
        let size = |sketch: &Sketch| (sketch.confidence, sketch.len());
        size(b).cmp(&size(a))
    });
    let damage = found.damages.into_iter().reduce(|worst, damage| {
        if damage.confidence > worst.confidence {
            damage
        } else {
            worst
        }
    });
    let best = found.sketches.first().map_or(0, |sketch| sketch.confidence);
    let surest = damage
        .as_ref()
        .map_or(best, |damage| damage.confidence.max(best));
    if surest < SURER_THAN_NUMBERS && !numbers.is_empty() {
        return Reading::Numbers(numbers);
    }
    match damage {
        Some(damage) if damage.confidence > best => return refuse(text, damage),
        _ => {}
    }
    let mut kept: Vec<Sketch> = Vec::new();
    for sketch in found.sketches {
        let beside = u32::from(sketch.confidence) + u32::from(BESIDE) >= u32::from(best);
        let known = kept.iter().any(|other| other.same_bytes(&sketch));
        // A guess beside a certainty only confuses.
        let guess = sketch.confidence < LIKELY && !kept.is_empty();
        let scrap = kept.first().is_some_and(|best| is_scrap(&sketch, best));
        if beside && !known && !guess && !scrap && kept.len() < MOST {
            kept.push(sketch);
        }
    }
    if kept.is_empty() {
        return Reading::Refused(nothing(text));
    }
    Reading::Bytes(
        kept.into_iter()
            .map(|sketch| sketch.resolve(text))
            .collect(),
    )
}

/// Whether a sketch is only what another reader made of a piece of the best one.
fn is_scrap(sketch: &Sketch, best: &Sketch) -> bool {
    if sketch.family == best.family || sketch.len() * 2 > best.len() {
        return false;
    }
    // A prefix such as the `b` of `b'...'` stands a little before the bytes.
    let span = |part: &Draft| {
        let first = part.at.first().copied().unwrap_or(0).saturating_sub(4);
        first..part.at.last().map_or(0, |last| last + 5)
    };
    let spans: Vec<_> = best.parts.iter().map(span).collect();
    sketch.len() < 4
        || sketch.parts.iter().map(span).any(|piece| {
            let idx = spans.partition_point(|known| known.end <= piece.start);
            spans.get(idx).is_some_and(|known| known.start < piece.end)
        })
}

fn refuse(text: &Text, damage: Damage) -> Reading {
    Reading::Refused(damage.resolve(text))
}

/// The refusal of text in which no notation was found, at its first word.
fn nothing(text: &Text) -> Refusal {
    let bytes = text.bytes();
    let at = bytes.iter().position(|b| !b.is_ascii_whitespace());
    let found = match at {
        None => "no text".to_owned(),
        Some(at) => {
            let rest = bytes.get(at..).unwrap_or_default();
            let line = rest.split(|b| *b == b'\n').next().unwrap_or_default();
            let line = String::from_utf8_lossy(line.get(..line.len().min(200)).unwrap_or_default());
            let short: String = line.trim_end().chars().take(40).collect();
            format!("`{short}`")
        }
    };
    Refusal {
        place: text.locator().place(at.unwrap_or(0)),
        found,
        expected:
            "bytes in a notation such as hex, a dump, a byte array, an escaped string or Base64"
                .into(),
    }
}
