//! `decode`: bytes that somebody cut out by hand, as messages or structures.

use std::fmt::Write;

use anyhow::anyhow;

use super::{Outcome, args::DecodeArgs, input, layout::api, output::Output, structure_spec};
use crate::{
    decode::{
        Claim, Decoded, Framing, Lead, Subject, content, diagnose, log, pieces, request, response,
        response_candidates, sasl_token, structure,
    },
    event::{self, Code, Problem, Severity},
    hextext::{Part, Place},
    kafka::Protocol,
    payload::{Reading, Token, named_content},
    records::are_records,
    render::{Cut, Head, JsonLine, message, place},
    schema::{Catalogue, Direction, Kind, Plan},
    session::Segment,
    tree::{Builder, Secrecy, Tree},
    wire::Span,
};

pub(super) fn run(args: &DecodeArgs, output: &mut Output) -> anyhow::Result<Outcome> {
    let catalogue = Catalogue::embedded();
    let what = What::of(args, catalogue)?;
    let mut first = true;
    let mut n_malformed = 0;
    for part in input::parts(&args.input, args.json, output)? {
        let bytes = part.bytes.as_slice();
        let places = part.places.as_slice();
        let what = match what {
            // A piece of a log says what it is by its checksums.
            What::Messages(Claim::Requests)
                if !args.request && is_log(bytes) && !is_request(catalogue, bytes) =>
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
            What::Messages(claim) => {
                for piece in pieces(catalogue, claim, bytes) {
                    let at = piece.range.start;
                    let frame = bytes.get(piece.range).unwrap_or_default().to_vec();
                    let (mut tree, decoded) =
                        Builder::build(frame.clone(), |bytes, sink| match claim {
                            Claim::Requests => request(catalogue, piece.framing, bytes, sink),
                            Claim::Responses { api, version } => {
                                response(catalogue, piece.framing, bytes, api, version, sink)
                            }
                        });
                    // Behind SaslHandshake version 0, tokens come without any header.
                    let is_token = tree.has_errors() && is_token(&frame);
                    let head = if is_token {
                        (tree, ()) = Builder::build(frame, |bytes, sink| {
                            sasl_token(Framing::Sized, bytes, sink);
                        });
                        Head::SaslToken
                    } else {
                        let subject = Subject::Message(claim, piece.framing);
                        if tree.has_errors() {
                            n_malformed += 1;
                            if n_malformed <= DIAGNOSED {
                                explain_errors(catalogue, subject, &frame, &mut tree);
                            } else {
                                tree.add_problem(not_diagnosed());
                            }
                        }
                        Head::Message(&decoded)
                    };
                    args.reveal(&mut tree);
                    print(args, &tree, &head, places.get(at..), first, output)?;
                    let is_asked = args.request || args.response;
                    if !is_token && !is_asked && n_malformed <= DIAGNOSED {
                        suggest_responses(catalogue, piece.framing, &tree, &decoded, output);
                    }
                    first = false;
                }
            }
            What::Records => {
                let (tree, ()) = Builder::build(bytes.to_vec(), log);
                print(args, &tree, &Head::Records, Some(places), first, output)?;
                first = false;
            }
            What::Content(name) => {
                let reading = named_content(name, bytes).unwrap_or(Reading::Opaque);
                print_content(args, name, reading, &part, first, output)?;
                first = false;
            }
            What::Structure(plan, lead) => {
                // Clients leave fields out, and write versions that nobody knows yet.
                let odd = match named_content(plan.name, bytes) {
                    Some(Reading::Structure(found)) if lead != Lead::None => Some(found),
                    _ => None,
                };
                if let Some(found) = odd.filter(|found| found.remark.is_some()) {
                    let reading = Reading::Structure(found);
                    print_content(args, plan.name, reading, &part, first, output)?;
                    first = false;
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
                print(
                    args,
                    &tree,
                    &Head::Structure(plan),
                    Some(places),
                    first,
                    output,
                )?;
                first = false;
            }
        }
    }
    Ok(if first {
        Outcome::Nothing
    } else {
        Outcome::Fine
    })
}

/// Whether the bytes are record batches or messages of a log: the first of them is sound, or all
/// that there is of them.
fn is_log(bytes: &[u8]) -> bool {
    Segment::starts(bytes)
        || are_records(bytes) && {
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

/// Whether the bytes are a SASL token with its size in front.
fn is_token(frame: &[u8]) -> bool {
    let Some((size, token)) = frame.split_first_chunk() else {
        return false;
    };
    usize::try_from(i32::from_be_bytes(*size)) == Ok(token.len()) && Token::of(token).is_some()
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

/// Malformed messages of one input that are looked into: who has more of them has one mistake in
/// all of them, or no messages at all.
const DIAGNOSED: usize = 1000;

/// What stands at the others.
fn not_diagnosed() -> Problem {
    Problem {
        severity: Severity::Note,
        code: Code::Bound,
        span: Span::default(),
        place: event::Place::Here,
        message: format!("not diagnosed: {DIAGNOSED} malformed messages came before it"),
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
    first: bool,
    output: &mut Output,
) -> anyhow::Result<()> {
    let (mut tree, ()) = Builder::build(part.bytes.clone(), |bytes, sink| {
        content(name, reading, bytes, sink);
    });
    args.reveal(&mut tree);
    let head = Head::Content(name);
    print(args, &tree, &head, Some(&part.places), first, output)
}

fn print(
    args: &DecodeArgs,
    tree: &Tree,
    head: &Head<'_>,
    places: Option<&[Place]>,
    first: bool,
    output: &mut Output,
) -> anyhow::Result<()> {
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

/// Bytes that make no request may be a response, which its own bytes do not say.
fn suggest_responses(
    catalogue: &'static Catalogue,
    framing: Framing<'_>,
    tree: &Tree,
    decoded: &Decoded,
    output: &mut Output,
) {
    let is_wanted = output.takes_remarks() && tree.has_errors();
    let Some(frame) = tree.buffers().first().filter(|_| is_wanted) else {
        return;
    };
    if let Some(protocol) = Protocol::detect(&frame.bytes).filter(|_| decoded.plan.is_none()) {
        output.remark(&format!(
            "these bytes begin like {protocol}, not like a Kafka request"
        ));
        return;
    }
    let candidates = response_candidates(catalogue, framing, &frame.bytes);
    let names: Vec<String> = candidates
        .iter()
        .take(SUGGESTIONS)
        .map(|candidate| format!("{} {}", candidate.api, candidate.version))
        .collect();
    if names.is_empty() {
        return;
    }
    let more = candidates.len().saturating_sub(SUGGESTIONS);
    let more = match more {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    output.remark(&format!(
        "these bytes are no {} request, but exactly a response of version {}{more}; decode them \
         with --response --api A --version V",
        decoded.api,
        names.join(" or "),
    ));
}

/// Candidates that are named; more would say nothing.
const SUGGESTIONS: usize = 6;
