//! The messages of a paste: each with what explains its errors, and with what it could be instead.

use super::{
    args::DecodeArgs,
    decode::{Read, Take},
    output::Output,
};
use crate::{
    decode::{
        Candidate, Claim, Decoded, Framing, Known, Repair, StructureCandidate, Subject, Talk, Turn,
        diagnose, pieces, request, response, response_candidates, sasl_token, structure,
        structure_candidates, undecoded, verdict,
    },
    event::{self, Code, Problem, Severity},
    hextext::{Part, Place},
    kafka::Protocol,
    render::Head,
    schema::{ApiKey, Catalogue, Definition, Direction},
    session::is_token,
    tree::{Builder, Secrecy, Tree},
    wire::{BufferId, Cursor, Span},
};

/// Malformed messages of one input that are looked into: who has more of them has one mistake in
/// all of them, or no messages at all.
const DIAGNOSED: usize = 1000;

/// What a size of nothing is called.
const EMPTY: &str = "empty frame";

/// Candidates that are named; more would say nothing.
const SUGGESTIONS: usize = 6;

/// Versions that an API may have got since the newest that is known.
const NEWER: i16 = 3;

/// Reads messages one after another.
pub(super) struct Messages<'a> {
    args: &'a DecodeArgs,
    catalogue: &'static Catalogue,
    talk: Talk,
    n_malformed: usize,
}

impl<'a> Messages<'a> {
    pub(super) fn new(args: &'a DecodeArgs, catalogue: &'static Catalogue) -> Messages<'a> {
        Messages {
            args,
            catalogue,
            talk: Talk::new(catalogue),
            n_malformed: 0,
        }
    }

    /// Hands out the messages of a part, which are what `claim` says where the arguments say it.
    pub(super) fn read(
        &mut self,
        part: &Part,
        claim: Claim,
        take: &mut Take<'_>,
        output: &mut Output,
    ) -> anyhow::Result<()> {
        self.talk.came(part.way);
        let turns = match self.is_told() {
            true => told(self.catalogue, claim, &part.bytes),
            false => self.talk.turns(&part.bytes),
        };
        for turn in turns {
            self.turn(part, &turn, take, output)?;
        }
        Ok(())
    }

    /// Where messages go on in bytes behind a gap: behind those that a message before it is owed,
    /// else where whole messages begin that fill the rest exactly. All bytes if nowhere.
    pub(super) fn resume(&mut self, bytes: &[u8], owed: Option<usize>) -> usize {
        let at = owed.or_else(|| self.talk.resume(bytes));
        at.unwrap_or(bytes.len()).min(bytes.len())
    }

    /// Whether the bytes are something that is known, and not what a log starts with by chance.
    pub(super) fn knows(&mut self, bytes: &[u8]) -> bool {
        let is_framed = bytes.first_chunk().copied().map(i32::from_be_bytes)
            == i32::try_from(bytes.len()).ok().map(|len| len - 4);
        let structures = structure_candidates(self.catalogue, bytes);
        is_framed
            || self.talk.knows(bytes)
            || structures
                .first()
                .is_some_and(StructureCandidate::is_likely)
    }

    /// Whether the arguments say what the messages are.
    fn is_told(&self) -> bool {
        self.args.request || self.args.response
    }

    fn turn(
        &mut self,
        part: &Part,
        turn: &Turn,
        take: &mut Take<'_>,
        output: &mut Output,
    ) -> anyhow::Result<()> {
        let at = turn.range.start;
        let frame = part.bytes.get(turn.range.clone()).unwrap_or_default();
        let (mut tree, decoded) = Builder::build(frame.to_vec(), |bytes, sink| match turn.claim {
            Claim::Requests => request(self.catalogue, turn.framing, bytes, sink),
            Claim::Responses { api, version } => {
                response(self.catalogue, turn.framing, bytes, api, version, sink)
            }
        });
        // Behind SaslHandshake version 0, tokens come without any header.
        let is_token = turn.known == Known::EmptyToken || tree.has_errors() && is_token(frame);
        if !is_token
            && turn.known == Known::Header
            && !self.is_told()
            && let Some(name) = foreign(frame, &decoded)
        {
            return self.foreign(name, frame, part.places.get(at..), take, output);
        }
        let mut is_explained = true;
        let is_cut = part.holes.iter().any(|hole| hole.at == turn.range.end);
        let has_repairs = |tree: &Tree| {
            let mut problems = tree.problems().iter();
            problems.any(|found| found.problem.code == Code::Diagnosis)
        };
        let head = if is_token {
            (tree, ()) = Builder::build(frame.to_vec(), |bytes, sink| {
                sasl_token(Framing::Sized, bytes, sink);
            });
            Head::SaslToken
        } else {
            // What is left out explains why the message is not whole.
            if tree.is_doubtful() && !is_cut {
                let is_sure = self.explain(turn, frame, &mut tree);
                // What is wrong inside of a message does not make it another.
                is_explained = is_sure || !tree.has_errors();
            }
            Head::Message(&decoded)
        };
        self.reveal(&mut tree);
        let places = part.places.get(at..);
        let is_unread = turn.known == Known::Header && !is_explained && !self.is_told();
        let structures = match is_unread {
            true => structure_candidates(self.catalogue, frame),
            false => Vec::new(),
        };
        if let [found, others @ ..] = structures.as_slice()
            && found.is_likely()
        {
            return self.structure(found, others, frame, places, take, output);
        }
        let read = Read {
            tree: &tree,
            head: &head,
            places,
            is_decoded: true,
        };
        take(&read, output)?;
        if !self.is_told() && output.takes_remarks() {
            match &turn.known {
                Known::EmptyToken => {}
                Known::Header if is_explained => {}
                Known::Header if has_repairs(&tree) || self.is_newer(&decoded, &tree) => {}
                Known::Header => self.suggest(turn.framing, frame, &decoded, &structures, output),
                Known::Paired => output.remark(&format!(
                    "read as the response to the {} request before it, which has the same \
                     correlation id",
                    decoded.api
                )),
                Known::Guessed(candidates) => output.remark(&guessed(candidates)),
            }
        }
        Ok(())
    }

    /// Adds what would explain the errors in `tree`; whether something surely does, or nobody
    /// looked.
    fn explain(&mut self, turn: &Turn, frame: &[u8], tree: &mut Tree) -> bool {
        self.n_malformed += 1;
        if self.n_malformed > DIAGNOSED {
            tree.add_problem(not_diagnosed());
            return true;
        }
        let subject = Subject::Message(turn.claim, turn.framing);
        let repairs = diagnose(self.catalogue, subject, frame);
        for problem in verdict(&repairs) {
            tree.add_problem(problem);
        }
        repairs.first().is_some_and(Repair::is_sure)
    }

    /// Says what bytes are that are no message of Kafka's, and hands them out without reading them.
    fn foreign(
        &self,
        name: &'static str,
        bytes: &[u8],
        places: Option<&[Place]>,
        take: &mut Take<'_>,
        output: &mut Output,
    ) -> anyhow::Result<()> {
        let structures = structure_candidates(self.catalogue, bytes);
        output.remark(&match (name, structures.as_slice()) {
            (EMPTY, []) => "these bytes are a size of 0, and no message behind it".to_owned(),
            (EMPTY, found) => format!(
                "these bytes are a size of 0, and no message behind it; as something else they \
                 are exactly {}",
                specs(found)
            ),
            _ => format!("these bytes begin like {name}, not like a Kafka request"),
        });
        let (mut tree, ()) = Builder::build(bytes.to_vec(), |bytes, sink| {
            undecoded(name, bytes, sink);
        });
        self.reveal(&mut tree);
        let read = Read {
            tree: &tree,
            head: &Head::Content(name),
            places,
            is_decoded: false,
        };
        take(&read, output)
    }

    /// Hands out bytes that are no message as what else they are exactly, and says so.
    fn structure(
        &self,
        found: &StructureCandidate,
        others: &[StructureCandidate],
        bytes: &[u8],
        places: Option<&[Place]>,
        take: &mut Take<'_>,
        output: &mut Output,
    ) -> anyhow::Result<()> {
        let (mut tree, ()) = Builder::build(bytes.to_vec(), |bytes, sink| {
            structure(found.plan, found.lead, bytes, sink);
        });
        self.reveal(&mut tree);
        let head = Head::Structure(found.plan);
        let read = Read {
            tree: &tree,
            head: &head,
            places,
            is_decoded: true,
        };
        take(&read, output)?;
        let others = match others {
            [] => String::new(),
            others => format!("; they are as exactly {}", specs(others)),
        };
        output.remark(&format!(
            "these bytes are no message; they are exactly {}, and read as one (--as {}){others}",
            found.what, found.spec
        ));
        Ok(())
    }

    /// Whether nothing is wrong with a request but that its version came after all that are known.
    fn is_newer(&self, decoded: &Decoded, tree: &Tree) -> bool {
        let newest = self
            .catalogue
            .api(decoded.api, Direction::Request)
            .map_or(i16::MAX, Definition::newest);
        let mut errors = tree.problems().iter().map(|found| &found.problem);
        (1..=NEWER).contains(&decoded.version.saturating_sub(newest))
            && errors
                .all(|found| found.severity < Severity::Error || found.code == Code::UnknownVersion)
    }

    fn reveal(&self, tree: &mut Tree) {
        if self.args.show_secrets {
            tree.set_secrecy(Secrecy::Show);
        }
    }

    /// Says what bytes that are no request could be.
    fn suggest(
        &self,
        framing: Framing<'_>,
        frame: &[u8],
        decoded: &Decoded,
        structures: &[StructureCandidate],
        output: &mut Output,
    ) {
        if !structures.is_empty() {
            output.remark(&format!(
                "these bytes are no message, but exactly {}",
                specs(structures)
            ));
            return;
        }
        // A size that is right speaks for a message.
        let candidates = match framing {
            Framing::Bare => Vec::new(),
            framing => response_candidates(self.catalogue, framing, frame),
        };
        // A request that names its client is one, of whatever API.
        let names_client = decoded.client_id.as_deref().is_some_and(is_readable);
        if let Some(first) = candidates.first().filter(|_| !names_client) {
            output.remark(&format!(
                "these bytes are no {} request, but exactly a response of {}{}; decode them with \
                 {}",
                decoded.api,
                names(&candidates),
                more(candidates.len()),
                as_response(*first)
            ));
            return;
        }
        let numbers = as_numbers(frame);
        if !numbers.is_empty() {
            output.remark(&format!(
                "as a number these bytes are {}",
                numbers.join(" or ")
            ));
        }
    }
}

/// What bytes are called that are no message of Kafka's: another protocol, or nothing but a size.
fn foreign(frame: &[u8], decoded: &Decoded) -> Option<&'static str> {
    if frame == [0; 4] {
        return Some(EMPTY);
    }
    let protocol = Protocol::detect(frame).filter(|_| decoded.plan.is_none());
    protocol.map(Protocol::name)
}

/// Whether a text is one that people write, and not a few bytes that happen to be one.
fn is_readable(text: &str) -> bool {
    text.len() > 2 && text.chars().all(|c| c.is_ascii_graphic())
}

/// The arguments that read bytes as a response.
fn as_response(Candidate { api, version, .. }: Candidate) -> String {
    format!("--response --api {api} --version {version}")
}

/// What so few bytes are that they can be one number.
fn as_numbers(bytes: &[u8]) -> Vec<String> {
    let mut numbers = Vec::new();
    if let Some(&bytes) = bytes.first_chunk().filter(|_| bytes.len() == 2) {
        numbers.push(format!("int16 {}", i16::from_be_bytes(bytes)));
    }
    if let Some(&bytes) = bytes.first_chunk().filter(|_| bytes.len() == 4) {
        numbers.push(format!("int32 {}", i32::from_be_bytes(bytes)));
    }
    if let Some(&bytes) = bytes.first_chunk().filter(|_| bytes.len() == 8) {
        numbers.push(format!("int64 {}", i64::from_be_bytes(bytes)));
    }
    let whole = Cursor::new(bytes, BufferId::FRAME);
    let mut unsigned = whole;
    if let Ok(number) = unsigned.uvarint()
        && unsigned.left() == 0
    {
        numbers.push(format!("unsigned varint {number}"));
    }
    let mut signed = whole;
    if let Ok(number) = signed.varlong()
        && signed.left() == 0
    {
        numbers.push(format!("varlong (zigzag) {number}"));
    }
    numbers
}

/// The messages in bytes that the arguments say something about.
fn told(catalogue: &'static Catalogue, claim: Claim, bytes: &[u8]) -> Vec<Turn> {
    pieces(catalogue, claim, bytes)
        .into_iter()
        .map(|piece| Turn {
            range: piece.range,
            framing: piece.framing,
            claim,
            known: Known::Header,
        })
        .collect()
}

/// What stands at messages that nobody looked into.
fn not_diagnosed() -> Problem {
    Problem {
        severity: Severity::Note,
        code: Code::Bound,
        span: Span::default(),
        place: event::Place::Here,
        message: format!("not diagnosed: {DIAGNOSED} malformed messages came before it"),
    }
}

/// Says that a message was taken for the first of `candidates`.
fn guessed(candidates: &[Candidate]) -> String {
    let [first, others @ ..] = candidates else {
        return String::new();
    };
    let others = match others {
        [] => String::new(),
        [next, ..] => format!(
            "; they are as exactly {}{} ({})",
            names(others),
            more(others.len()),
            as_response(*next)
        ),
    };
    format!(
        "these bytes are no request; they are exactly a response of {} version {}, and read as \
         one ({}){others}",
        first.api,
        first.version,
        as_response(*first)
    )
}

/// Structures with what `--as` calls them.
fn specs(candidates: &[StructureCandidate]) -> String {
    let named: Vec<String> = candidates
        .iter()
        .take(SUGGESTIONS)
        .map(|found| format!("{} (--as {})", found.what, found.spec))
        .collect();
    format!("{}{}", named.join(" or "), more(candidates.len()))
}

fn names(candidates: &[Candidate]) -> String {
    let named: Vec<String> = candidates
        .iter()
        .take(SUGGESTIONS)
        .map(|&Candidate { api, version, .. }| name(api, version))
        .collect();
    named.join(" or ")
}

fn name(api: ApiKey, version: i16) -> String {
    format!("{api} {version}")
}

/// How many more there are than are named.
fn more(count: usize) -> String {
    match count.saturating_sub(SUGGESTIONS) {
        0 => String::new(),
        more => format!(" and {more} more"),
    }
}
