//! `decode`: bytes that somebody cut out by hand, as messages or structures.

use std::{fmt::Write, path::Path};

use anyhow::anyhow;

use super::{
    Outcome,
    args::{DecodeArgs, FailOn},
    decode_as::{What, plan_for},
    input::{self, Pasted},
    output::Output,
    pasted::Messages,
    readings::{Ranked, fit, rank},
    screen,
};
use crate::{
    decode::{Claim, Lead, Subject, content, diagnose, log, structure, undecoded, verdict},
    event::Severity,
    hextext::{Part, Place},
    payload::{Reading, named_content},
    render::{Head, JsonLine, message, place},
    schema::Catalogue,
    session::{self, Fit, Segment, is_log, is_request, is_token, pieces, prepare, split},
    tree::{Builder, Secrecy, Tree},
};

/// What bytes that nothing tells the place of in a message are called.
const UNPLACED: &str = "bytes behind a gap";

pub(super) fn run(args: &DecodeArgs, output: &mut Output) -> anyhow::Result<Outcome> {
    let what = What::of(args, Catalogue::current())?;
    let readings = readings(&args.input, args.json, what, args.is_told(), output)?;
    let mut met = Met::default();
    let mut others = readings.iter();
    // Without one, numbers of a log were explained.
    let Some(best) = others.next() else {
        return Ok(met.outcome(args, output));
    };
    remarks(&best.pasted, &args.input, output);
    let take: &mut Take<'_> = &mut |read, output| {
        print(args, read, met.n_pieces == 0, output)?;
        met.add(read);
        Ok(())
    };
    all(args, what, &best.pasted.parts, take, output)?;
    // What is wrong with bytes as nobody has to read them says nothing of them.
    let take: &mut Take<'_> = &mut |read, output| print(args, read, false, output);
    for (other, rank) in others.zip(2..) {
        if args.json {
            output.json(&other.json(rank, best))?;
        } else {
            tell(other, best, &args.input, output);
        }
        if other.fit == Fit::Sound {
            remarks(&other.pasted, &args.input, output);
            all(args, what, &other.pasted.parts, take, output)?;
        }
    }
    Ok(met.outcome(args, output))
}

/// A message or structure that was read.
pub(super) struct Read<'a> {
    pub(super) tree: &'a Tree,
    pub(super) head: &'a Head<'a>,
    /// Where each byte stood in a paste.
    pub(super) places: Option<&'a [Place]>,
    /// Whether the bytes were read as anything, and not only shown.
    pub(super) is_decoded: bool,
}

/// What the exit status rests on.
#[derive(Default)]
struct Met {
    n_pieces: usize,
    n_undecoded: usize,
    worst: Option<Severity>,
}

impl Met {
    fn add(&mut self, read: &Read<'_>) {
        self.n_pieces += 1;
        self.n_undecoded += usize::from(!read.is_decoded);
        let problems = read.tree.problems().iter();
        let worst = problems.map(|found| found.problem.severity).max();
        self.worst = self.worst.max(worst);
    }

    /// What comes of it; who wants to know of errors wants to know that nothing was read, too.
    fn outcome(&self, args: &DecodeArgs, output: &mut Output) -> Outcome {
        let fail_on = args.fail_on.unwrap_or(FailOn::Never);
        let is_all = self.n_undecoded == self.n_pieces;
        if fail_on == FailOn::Never || self.n_undecoded == 0 && !is_all {
            return fail_on.outcome(self.worst);
        }
        let name = input::name(&args.input);
        output.complain(&match is_all {
            true => format!("{name}: nothing in it is decoded: no Kafka message or structure"),
            false => format!(
                "{name}: {} of {} pieces are not decoded: no Kafka messages or structures",
                self.n_undecoded, self.n_pieces
            ),
        });
        Outcome::Nothing
    }
}

/// What is done with each of them.
pub(super) type Take<'t> = dyn FnMut(&Read<'_>, &mut Output) -> anyhow::Result<()> + 't;

/// Reads what the arguments name, and hands out one message or structure after the other. Of
/// several readings of a paste it is the best one, and the others are only told.
pub(super) fn each(
    args: &DecodeArgs,
    output: &mut Output,
    take: &mut Take<'_>,
) -> anyhow::Result<Outcome> {
    let what = What::of(args, Catalogue::current())?;
    let mut any = false;
    let take: &mut Take<'_> = &mut |read, output| {
        any = true;
        take(read, output)
    };
    let parts = best(&args.input, args.json, what, args.is_told(), output)?;
    all(args, what, &parts, take, output)?;
    Ok(match any {
        true => Outcome::Fine,
        false => Outcome::Nothing,
    })
}

/// The byte sequences of a paste of messages, by its best reading.
pub(super) fn parts(path: &Path, json: bool, output: &mut Output) -> anyhow::Result<Vec<Part>> {
    best(path, json, What::Messages(Claim::Requests), false, output)
}

fn best(
    path: &Path,
    json: bool,
    what: What,
    is_told: bool,
    output: &mut Output,
) -> anyhow::Result<Vec<Part>> {
    let mut readings = readings(path, json, what, is_told, output)?.into_iter();
    let Some(best) = readings.next() else {
        return Ok(Vec::new());
    };
    remarks(&best.pasted, path, output);
    for other in readings {
        tell(&other, &best, path, output);
    }
    Ok(best.pasted.parts)
}

/// The readings of an input, the best first.
fn readings(
    path: &Path,
    json: bool,
    what: What,
    is_told: bool,
    output: &mut Output,
) -> anyhow::Result<Vec<Ranked>> {
    let mut readings = input::readings(path, json, output)?;
    for pasted in &mut readings {
        let remark = prepare(&mut pasted.parts);
        pasted.remarks.extend(remark);
    }
    let catalogue = Catalogue::current();
    Ok(rank(readings, |parts| fit(catalogue, what, is_told, parts)))
}

/// Says that the paste could be read in another way, where it matters: the bytes make sense that way
/// too, or do not as they are read.
fn tell(other: &Ranked, best: &Ranked, path: &Path, output: &mut Output) {
    if best.fit == Fit::Sound && other.fit < Fit::Sound {
        return;
    }
    output.remark(&format!("{}: {}", input::name(path), other.sentence(best)));
}

/// Says what a reading has to say about itself.
fn remarks(pasted: &Pasted, path: &Path, output: &mut Output) {
    let name = input::name(path);
    for remark in &pasted.remarks {
        output.remark(&format!("{name}:{}: {}", remark.place, remark.text));
    }
    for part in &pasted.parts {
        for hole in &part.holes {
            let count = match hole.len {
                Some(1) => "1 byte is".to_owned(),
                Some(len) => format!("{len} bytes are"),
                None => "bytes are".to_owned(),
            };
            output.remark(&format!(
                "{name}:{}: {count} left out here, before byte {}",
                hole.place, hole.at
            ));
        }
    }
}

/// Reads all parts of a reading.
fn all(
    args: &DecodeArgs,
    what: What,
    parts: &[Part],
    take: &mut Take<'_>,
    output: &mut Output,
) -> anyhow::Result<()> {
    let catalogue = Catalogue::current();
    let mut messages = Messages::new(args, catalogue);
    for part in parts {
        let mut owed = None;
        for (idx, piece) in pieces(part).iter().enumerate() {
            let start = match (idx, what) {
                (0, _) => 0,
                (_, What::Messages(_)) => messages.resume(&piece.bytes, owed),
                // Nothing but a message says where the next begins.
                _ => piece.bytes.len(),
            };
            let before = std::mem::replace(&mut owed, session::owed(piece));
            let (unplaced, piece) = split(piece, start);
            if !unplaced.bytes.is_empty() {
                let place = unplaced.places.first().copied().unwrap_or_default();
                let why = match before {
                    Some(_) => "they belong to the message that it cuts",
                    None => "nothing tells where in a message they belong",
                };
                output.remark(&format!(
                    "{}:{place}: the {} bytes behind the gap are not decoded: {why}",
                    input::name(&args.input),
                    unplaced.bytes.len()
                ));
                let (tree, ()) = Builder::build(unplaced.bytes.clone(), |bytes, sink| {
                    undecoded(UNPLACED, bytes, sink);
                });
                let read = Read {
                    tree: &tree,
                    head: &Head::Content(UNPLACED),
                    places: Some(&unplaced.places),
                    is_decoded: false,
                };
                take(&read, output)?;
            }
            if idx == 0 || !piece.bytes.is_empty() {
                one(args, what, &piece, &mut messages, take, output)?;
            }
        }
    }
    Ok(())
}

/// Reads a part that nothing is left out of.
fn one(
    args: &DecodeArgs,
    what: What,
    part: &Part,
    messages: &mut Messages<'_>,
    take: &mut Take<'_>,
    output: &mut Output,
) -> anyhow::Result<()> {
    let catalogue = Catalogue::current();
    let bytes = part.bytes.as_slice();
    match what {
        // A piece of a log says what it is by its checksums.
        What::Messages(Claim::Requests) if !args.request && is_piece_of_log(bytes, messages) => {
            one(args, What::Records, part, messages, take, output)
        }
        What::Messages(_) if bytes.is_empty() => Err(anyhow!(
            "{}: is empty, hex text or raw bytes are expected",
            input::name(&args.input)
        )),
        What::Messages(claim) => messages.read(part, claim, take, output),
        What::Records => {
            let (tree, ()) = Builder::build(bytes.to_vec(), log);
            let read = Read {
                tree: &tree,
                head: &Head::Records,
                places: Some(&part.places),
                is_decoded: true,
            };
            take(&read, output)
        }
        What::Content(name) => {
            let reading = named_content(name, bytes).unwrap_or(Reading::Opaque);
            read_content(args, name, reading, part, take, output)
        }
        What::Structure(plan, lead) => {
            // Clients leave fields out, and write versions that nobody knows yet.
            let odd = match named_content(plan.name, bytes) {
                Some(Reading::Structure(found)) if lead != Lead::None => Some(found),
                _ => None,
            };
            if let Some(found) = odd.filter(|found| found.remark.is_some()) {
                let reading = Reading::Structure(found);
                return read_content(args, plan.name, reading, part, take, output);
            }
            let plan = plan_for(plan, lead, args.has_version(), catalogue, bytes)?;
            let (mut tree, ()) = Builder::build(bytes.to_vec(), |bytes, sink| {
                structure(plan, lead, bytes, sink);
            });
            args.reveal(&mut tree);
            if lead == Lead::None && tree.has_errors() {
                explain_errors(catalogue, Subject::Structure(plan), bytes, &mut tree);
            }
            let read = Read {
                tree: &tree,
                head: &Head::Structure(plan),
                places: Some(&part.places),
                is_decoded: true,
            };
            take(&read, output)
        }
    }
}

/// Whether bytes that are taken for messages are batches of a log, and nothing else.
fn is_piece_of_log(bytes: &[u8], messages: &mut Messages<'_>) -> bool {
    !is_token(bytes)
        && is_log(bytes)
        && !is_request(Catalogue::current(), bytes)
        && (Segment::starts(bytes) || !messages.knows(bytes))
}

/// Adds what would explain the errors in `tree`, if there are any.
fn explain_errors(catalogue: &'static Catalogue, subject: Subject, bytes: &[u8], tree: &mut Tree) {
    for problem in verdict(&diagnose(catalogue, subject, bytes)) {
        tree.add_problem(problem);
    }
}

impl DecodeArgs {
    fn reveal(&self, tree: &mut Tree) {
        if self.show_secrets {
            tree.set_secrecy(Secrecy::Show);
        }
    }

    /// Whether the arguments say what the messages are.
    fn is_told(&self) -> bool {
        self.request || self.response
    }

    /// Whether `--as` names a version.
    fn has_version(&self) -> bool {
        let spec = self.structure.as_deref();
        spec.is_some_and(|spec| spec.contains(':'))
    }
}

fn read_content(
    args: &DecodeArgs,
    name: &'static str,
    reading: Reading,
    part: &Part,
    take: &mut Take<'_>,
    output: &mut Output,
) -> anyhow::Result<()> {
    let is_decoded = !matches!(reading, Reading::Opaque | Reading::Doubtful(_));
    let (mut tree, ()) = Builder::build(part.bytes.clone(), |bytes, sink| {
        content(name, reading, bytes, sink);
    });
    args.reveal(&mut tree);
    let read = Read {
        tree: &tree,
        head: &Head::Content(name),
        places: Some(&part.places),
        is_decoded,
    };
    take(&read, output)
}

fn print(
    args: &DecodeArgs,
    read: &Read<'_>,
    first: bool,
    output: &mut Output,
) -> anyhow::Result<()> {
    let Read {
        tree, head, places, ..
    } = *read;
    if args.json {
        output.json(&JsonLine {
            places,
            shows_tree: args.tree,
            ..JsonLine::new(tree, head)
        })?;
        return Ok(());
    }
    let palette = output.palette();
    let cut = screen::cut(args.wide);
    output.stream(|out| {
        if !first {
            out.write_char('\n')?;
        }
        message(out, tree, args.only.into(), cut, palette, |found| {
            let place = place(found, places)?;
            Some(format!("line {}, column {}", place.line, place.column))
        })
    })
}
