//! `decode`: bytes that somebody cut out by hand, as messages or structures.

use std::{fmt::Write, path::Path};

use anyhow::anyhow;

use super::{
    Outcome,
    args::DecodeArgs,
    decode_as::{What, plan_for},
    input::{self, Pasted},
    output::Output,
    paste,
    pasted::{Messages, is_token},
    readings::{Fit, fit, is_log, is_request, rank},
};
use crate::{
    decode::{Claim, Lead, Subject, content, diagnose, log, structure, undecoded},
    hextext::{Part, Place},
    payload::{Reading, named_content},
    render::{Cut, Head, JsonLine, message, place},
    schema::Catalogue,
    session::Segment,
    tree::{Builder, Secrecy, Tree},
};

/// What bytes that nothing tells the place of in a message are called.
const UNPLACED: &str = "bytes behind a gap";

pub(super) fn run(args: &DecodeArgs, output: &mut Output) -> anyhow::Result<Outcome> {
    let catalogue = Catalogue::current();
    let what = What::of(args, catalogue)?;
    let mut readings = input::readings(&args.input, args.json, output)?;
    for pasted in &mut readings {
        paste::prepare(pasted);
    }
    let is_told = args.request || args.response;
    let readings = rank(readings, |parts| fit(catalogue, what, is_told, parts));
    let mut printed = Printed::default();
    let mut others = readings.iter();
    // Numbers of a log were explained.
    let Some(best) = others.next() else {
        return Ok(Outcome::Fine);
    };
    remarks(&best.pasted, &args.input, output);
    all(
        args,
        catalogue,
        what,
        &best.pasted.parts,
        &mut printed,
        output,
    )?;
    for (other, rank) in others.zip(2..) {
        if args.json {
            output.json(&other.json(rank, best))?;
        } else {
            let name = input::name(&args.input);
            output.remark(&format!("{name}: {}", other.sentence(best)));
        }
        if other.fit == Fit::Sound {
            remarks(&other.pasted, &args.input, output);
            all(
                args,
                catalogue,
                what,
                &other.pasted.parts,
                &mut printed,
                output,
            )?;
        }
    }
    Ok(printed.outcome())
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

/// Whether something was printed, which the next thing is parted from.
#[derive(Default)]
pub(super) struct Printed(bool);

impl Printed {
    fn outcome(&self) -> Outcome {
        match self.0 {
            true => Outcome::Fine,
            false => Outcome::Nothing,
        }
    }
}

/// Prints all parts of a reading.
fn all(
    args: &DecodeArgs,
    catalogue: &'static Catalogue,
    what: What,
    parts: &[Part],
    printed: &mut Printed,
    output: &mut Output,
) -> anyhow::Result<()> {
    let mut messages = Messages::new(args, catalogue);
    for part in parts {
        let mut owed = None;
        for (idx, piece) in paste::pieces(part).iter().enumerate() {
            let start = match (idx, what) {
                (0, _) => 0,
                (_, What::Messages(_)) => messages.resume(&piece.bytes, owed),
                // Nothing but a message says where the next begins.
                _ => piece.bytes.len(),
            };
            let before = std::mem::replace(&mut owed, paste::owed(piece));
            let (unplaced, piece) = paste::split(piece, start);
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
                let head = Head::Content(UNPLACED);
                print(args, &tree, &head, Some(&unplaced.places), printed, output)?;
            }
            if idx == 0 || !piece.bytes.is_empty() {
                one(args, what, &piece, &mut messages, printed, output)?;
            }
        }
    }
    Ok(())
}

/// Prints a part that nothing is left out of.
fn one(
    args: &DecodeArgs,
    what: What,
    part: &Part,
    messages: &mut Messages<'_>,
    printed: &mut Printed,
    output: &mut Output,
) -> anyhow::Result<()> {
    let catalogue = Catalogue::current();
    let bytes = part.bytes.as_slice();
    let what = match what {
        // A piece of a log says what it is by its checksums.
        What::Messages(Claim::Requests)
            if !args.request
                && !is_token(bytes)
                && is_log(bytes)
                && !is_request(catalogue, bytes)
                && (Segment::starts(bytes) || !messages.knows(bytes)) =>
        {
            What::Records
        }
        what => what,
    };
    match what {
        What::Messages(_) if bytes.is_empty() => Err(anyhow!(
            "{}: is empty, hex text or raw bytes are expected",
            input::name(&args.input)
        )),
        What::Messages(claim) => messages.print(part, claim, printed, output),
        What::Records => {
            let (tree, ()) = Builder::build(bytes.to_vec(), log);
            print(
                args,
                &tree,
                &Head::Records,
                Some(&part.places),
                printed,
                output,
            )
        }
        What::Content(name) => {
            let reading = named_content(name, bytes).unwrap_or(Reading::Opaque);
            print_content(args, name, reading, part, printed, output)
        }
        What::Structure(plan, lead) => {
            // Clients leave fields out, and write versions that nobody knows yet.
            let odd = match named_content(plan.name, bytes) {
                Some(Reading::Structure(found)) if lead != Lead::None => Some(found),
                _ => None,
            };
            if let Some(found) = odd.filter(|found| found.remark.is_some()) {
                let reading = Reading::Structure(found);
                return print_content(args, plan.name, reading, part, printed, output);
            }
            let plan = plan_for(plan, lead, args.has_version(), catalogue, bytes)?;
            let (mut tree, ()) = Builder::build(bytes.to_vec(), |bytes, sink| {
                structure(plan, lead, bytes, sink);
            });
            args.reveal(&mut tree);
            if lead == Lead::None && tree.has_errors() {
                explain_errors(catalogue, Subject::Structure(plan), bytes, &mut tree);
            }
            let head = Head::Structure(plan);
            print(args, &tree, &head, Some(&part.places), printed, output)
        }
    }
}

/// Adds what would explain the errors in `tree`, if there are any.
fn explain_errors(catalogue: &'static Catalogue, subject: Subject, bytes: &[u8], tree: &mut Tree) {
    for repair in diagnose(catalogue, subject, bytes) {
        tree.add_problem(repair.problem());
    }
}

impl DecodeArgs {
    fn reveal(&self, tree: &mut Tree) {
        if self.show_secrets {
            tree.set_secrecy(Secrecy::Show);
        }
    }

    /// Whether `--as` names a version.
    fn has_version(&self) -> bool {
        let spec = self.structure.as_deref();
        spec.is_some_and(|spec| spec.contains(':'))
    }
}

fn print_content(
    args: &DecodeArgs,
    name: &'static str,
    reading: Reading,
    part: &Part,
    printed: &mut Printed,
    output: &mut Output,
) -> anyhow::Result<()> {
    let (mut tree, ()) = Builder::build(part.bytes.clone(), |bytes, sink| {
        content(name, reading, bytes, sink);
    });
    args.reveal(&mut tree);
    let head = Head::Content(name);
    print(args, &tree, &head, Some(&part.places), printed, output)
}

pub(super) fn print(
    args: &DecodeArgs,
    tree: &Tree,
    head: &Head<'_>,
    places: Option<&[Place]>,
    printed: &mut Printed,
    output: &mut Output,
) -> anyhow::Result<()> {
    let is_first = !std::mem::replace(&mut printed.0, true);
    if args.json {
        output.json(&JsonLine {
            places,
            shows_tree: args.tree,
            ..JsonLine::new(tree, head)
        })?;
        return Ok(());
    }
    let palette = output.palette();
    let cut = if args.wide { Cut::Wide } else { Cut::Short };
    output.stream(|out| {
        if !is_first {
            out.write_char('\n')?;
        }
        message(out, tree, args.only.into(), cut, palette, |found| {
            let place = place(found, places)?;
            Some(format!("line {}, column {}", place.line, place.column))
        })
    })
}
