//! `decode`: bytes that somebody cut out by hand, as messages or structures.

use std::fmt::Write;

use anyhow::anyhow;

use super::{
    Outcome,
    args::DecodeArgs,
    input,
    output::Output,
    pasted::{Messages, is_token},
    sample::api,
    structure_spec,
};
use crate::{
    decode::{Claim, Lead, Subject, content, diagnose, log, pieces, request, structure},
    event::Severity,
    hextext::{Part, Place},
    payload::{Reading, Token, named_content},
    records::are_records,
    render::{Cut, Head, JsonLine, message, place},
    schema::{Catalogue, Direction, Kind, Plan},
    session::Segment,
    tree::{Builder, Secrecy, Tree},
};

pub(super) fn run(args: &DecodeArgs, output: &mut Output) -> anyhow::Result<Outcome> {
    let mut first = true;
    each(args, output, &mut |read, output| {
        print(args, read, first, output)?;
        first = false;
        Ok(())
    })
}

/// A message or structure that was read.
pub(super) struct Read<'a> {
    pub(super) tree: &'a Tree,
    pub(super) head: &'a Head<'a>,
    /// Where each byte stood in a paste.
    pub(super) places: Option<&'a [Place]>,
}

/// What is done with each of them.
pub(super) type Take<'t> = dyn FnMut(&Read<'_>, &mut Output) -> anyhow::Result<()> + 't;

/// Reads what the arguments name, and hands out one message or structure after the other.
pub(super) fn each(
    args: &DecodeArgs,
    output: &mut Output,
    take: &mut Take<'_>,
) -> anyhow::Result<Outcome> {
    let catalogue = Catalogue::current();
    let what = What::of(args, catalogue)?;
    let mut any = false;
    let take: &mut Take<'_> = &mut |read, output| {
        any = true;
        take(read, output)
    };
    let mut messages = Messages::new(args, catalogue);
    for part in join_sizes(input::parts(&args.input, args.json, output)?) {
        let bytes = part.bytes.as_slice();
        let places = part.places.as_slice();
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
            What::Messages(_) if bytes.is_empty() => {
                return Err(anyhow!(
                    "{}: is empty, hex text or raw bytes are expected",
                    input::name(&args.input)
                ));
            }
            What::Messages(claim) => messages.read(&part, claim, take, output)?,
            What::Records => {
                let (tree, ()) = Builder::build(bytes.to_vec(), log);
                let read = Read {
                    tree: &tree,
                    head: &Head::Records,
                    places: Some(places),
                };
                take(&read, output)?;
            }
            What::Content(name) => {
                let reading = named_content(name, bytes).unwrap_or(Reading::Opaque);
                read_content(args, name, reading, &part, take, output)?;
            }
            What::Structure(plan, lead) => {
                // Clients leave fields out, and write versions that nobody knows yet.
                let odd = match named_content(plan.name, bytes) {
                    Some(Reading::Structure(found)) if lead != Lead::None => Some(found),
                    _ => None,
                };
                if let Some(found) = odd.filter(|found| found.remark.is_some()) {
                    let reading = Reading::Structure(found);
                    read_content(args, plan.name, reading, &part, take, output)?;
                    continue;
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
                    places: Some(places),
                };
                take(&read, output)?;
            }
        }
    }
    Ok(match any {
        true => Outcome::Fine,
        false => Outcome::Nothing,
    })
}

/// Bytes of the largest request that brokers take unless told otherwise, and so of a batch.
const LARGEST_BATCH: i32 = 100 << 20;

/// Whether the bytes are record batches or messages of a log: the first of them is sound, or all
/// that there is of them.
fn is_log(bytes: &[u8]) -> bool {
    let size = bytes.get(8..).and_then(|size| size.first_chunk().copied());
    let is_credible = size.is_some_and(|size| i32::from_be_bytes(size) <= LARGEST_BATCH);
    Segment::starts(bytes)
        || is_credible && are_records(bytes) && {
            let (tree, ()) = Builder::build(bytes.to_vec(), log);
            let mut problems = tree.problems().iter();
            problems.all(|found| found.problem.severity < Severity::Error)
        }
}

/// Whether the bytes are requests to the last byte.
fn is_request(catalogue: &'static Catalogue, bytes: &[u8]) -> bool {
    pieces(catalogue, Claim::Requests, bytes)
        .into_iter()
        .all(|piece| {
            let frame = bytes.get(piece.range).unwrap_or_default().to_vec();
            let (tree, _) = Builder::build(frame, |bytes, sink| {
                request(catalogue, piece.framing, bytes, sink)
            });
            !tree.has_errors()
        })
}

/// Parts where a size and what it is of, which programs read one after the other, are one part.
fn join_sizes(parts: Vec<Part>) -> Vec<Part> {
    let mut joined: Vec<Part> = Vec::new();
    for part in parts {
        match joined.last_mut() {
            Some(size)
                if size.bytes.len() == 4 && part.bytes.len() > 4 && {
                    let size = size.bytes.first_chunk().copied().map(i32::from_be_bytes);
                    size.map(usize::try_from) == Some(Ok(part.bytes.len()))
                } =>
            {
                size.bytes.extend(part.bytes);
                size.places.extend(part.places);
            }
            _ => joined.push(part),
        }
    }
    joined
}

/// What the arguments say the bytes are.
#[derive(Clone, Copy)]
enum What {
    Messages(Claim),
    Structure(&'static Plan, Lead),
    /// Record batches and message set entries, back to back.
    Records,
    /// What a bytes field could hold, by its name.
    Content(&'static str),
}

/// Names for `--as` that no definition has: what is inside bytes fields and records.
const CONTENTS: [&str; 4] = [
    "SaslToken",
    "MetadataRecord",
    "RemoteLogMetadataRecord",
    "MetricsData",
];

/// Structures whose first field is their version.
const SELF_VERSIONED: [&str; 5] = [
    "LeaderChangeMessage",
    "SnapshotHeaderRecord",
    "SnapshotFooterRecord",
    "KRaftVersionRecord",
    "VotersRecord",
];

impl What {
    fn of(args: &DecodeArgs, catalogue: &'static Catalogue) -> anyhow::Result<What> {
        if let Some(name) = &args.structure {
            return What::structure(name);
        }
        match (args.response, &args.api, args.version) {
            (true, Some(name), Some(version)) => {
                let api = api(name)?;
                let ever = catalogue.api(api, Direction::Response).map(|d| d.ever);
                match ever {
                    Some(ever) if !ever.contains(version) => {
                        Err(anyhow!("{api} has versions {ever}, not {version}"))
                    }
                    _ => Ok(What::Messages(Claim::Responses { api, version })),
                }
            }
            (false, Some(_), _) | (false, _, Some(_)) => Err(anyhow!(
                "--api and --version say which request a response answers and need --response; a \
                 request's header has both"
            )),
            _ => Ok(What::Messages(Claim::Requests)),
        }
    }

    fn structure(spec: &str) -> anyhow::Result<What> {
        let (name, version) = structure_spec::split(spec)?;
        if structure_spec::is_records(name) {
            return Ok(What::Records);
        }
        let content = CONTENTS
            .into_iter()
            .find(|known| known.eq_ignore_ascii_case(name))
            .or_else(|| Token::is_name(name).then_some("SaslToken"));
        if let (Some(name), None) = (content, version) {
            return Ok(What::Content(name));
        }
        let (plan, lead) = structure_spec::plan(name, version, &CONTENTS)?;
        Ok(What::Structure(plan, lead))
    }
}

/// The plan in the version that the leading number says, where it says one.
fn plan_for(
    plan: &'static Plan,
    lead: Lead,
    has_version: bool,
    catalogue: &'static Catalogue,
    bytes: &[u8],
) -> anyhow::Result<&'static Plan> {
    if lead == Lead::None {
        let first = match (has_version, plan.name) {
            (true, _) => None,
            (false, "SubscriptionInfoData") => {
                let version = bytes.first_chunk().copied().map(i32::from_be_bytes);
                version.and_then(|version| i16::try_from(version).ok())
            }
            (false, name) if SELF_VERSIONED.contains(&name) => {
                bytes.first_chunk().copied().map(i16::from_be_bytes)
            }
            _ => None,
        };
        let said = first.and_then(|version| catalogue.plan(plan.name, version));
        return Ok(said.unwrap_or(plan));
    }
    let Some(number) = bytes.first_chunk().copied().map(i16::from_be_bytes) else {
        return Err(anyhow!(
            "{} is stored behind an int16, and there are only {} bytes",
            plan.name,
            bytes.len()
        ));
    };
    match (plan.kind, plan.api_key) {
        (Kind::CoordinatorKey, Some(ty)) if ty == number => Ok(plan),
        (Kind::CoordinatorKey, Some(ty)) => Err(anyhow!(
            "{} has record type {ty}, the bytes start with type {number}",
            plan.name
        )),
        _ => catalogue.plan(plan.name, number).ok_or_else(|| {
            anyhow!(
                "the bytes start with version {number}, and {} has none such",
                plan.name
            )
        }),
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

fn read_content(
    args: &DecodeArgs,
    name: &'static str,
    reading: Reading,
    part: &Part,
    take: &mut Take<'_>,
    output: &mut Output,
) -> anyhow::Result<()> {
    let (mut tree, ()) = Builder::build(part.bytes.clone(), |bytes, sink| {
        content(name, reading, bytes, sink);
    });
    args.reveal(&mut tree);
    let read = Read {
        tree: &tree,
        head: &Head::Content(name),
        places: Some(&part.places),
    };
    take(&read, output)
}

fn print(
    args: &DecodeArgs,
    read: &Read<'_>,
    first: bool,
    output: &mut Output,
) -> anyhow::Result<()> {
    let Read { tree, head, places } = *read;
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
        if !first {
            out.write_char('\n')?;
        }
        message(out, tree, args.only.into(), cut, palette, |found| {
            let place = place(found, places)?;
            Some(format!("line {}, column {}", place.line, place.column))
        })
    })
}
