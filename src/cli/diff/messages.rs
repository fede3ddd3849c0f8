//! Two messages, or the messages of two inputs: exchanges of captures, messages of pastes.
//!
//! In two captures the n-th exchange of an API is compared with the n-th of the other capture; of two
//! pastes, the n-th message with the n-th.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};

use anyhow::anyhow;
use serde_json::json;

use crate::{
    cli::{
        Outcome,
        args::DiffArgs,
        capture::{self, KeylogArg},
        decode::parts,
        input,
        output::Output,
    },
    compare::differences,
    decode::{Claim, Talk, request, response},
    render::{Cut, ExchangeRow, Wording, columns, differences_text},
    schema::{Catalogue, Direction},
    session::{Exchange, Session},
    tree::{Builder, NodeId, Secrecy, Tree},
};

/// What is compared.
enum Operand {
    /// One exchange of a capture, or all of them.
    Capture(PathBuf, Option<usize>),
    /// Pasted text or raw bytes.
    Paste(PathBuf),
}

/// A message with what it is called.
struct Named {
    name: String,
    tree: Tree,
}

pub(super) fn run(args: &DiffArgs, output: &mut Output) -> anyhow::Result<Outcome> {
    let [first, second] = operands(args)?;
    let pairs = match (&first, &second) {
        (Operand::Paste(first), Operand::Paste(second)) => {
            let from = pasted(first, output)?;
            let to = pasted(second, output)?;
            beside(from, to)
        }
        (Operand::Capture(first, n), Operand::Capture(second, m)) => {
            captured(args, (first, *n), (second, *m), output)?
        }
        (Operand::Capture(..), Operand::Paste(_)) | (Operand::Paste(_), Operand::Capture(..)) => {
            return Err(anyhow!(
                "a capture and a paste cannot be compared; expected two of one kind"
            ));
        }
    };
    let mut n_differ = 0;
    let n_pairs = pairs.len();
    for pair in pairs {
        n_differ += usize::from(compare(args, pair, output)?);
    }
    if !args.json {
        output.line(match (n_differ, n_pairs) {
            (0, 0) => "there is nothing to compare".to_owned(),
            (0, 1) => "the messages do not differ".to_owned(),
            (0, n) => format!("none of {n} messages differ"),
            (n, all) => format!("{n} of {all} messages differ"),
        })?;
    }
    Ok(match n_differ {
        0 if n_pairs > 0 => Outcome::Fine,
        _ => Outcome::Nothing,
    })
}

fn operands(args: &DiffArgs) -> anyhow::Result<[Operand; 2]> {
    let number = |text: &std::ffi::OsString| text.to_str()?.parse::<usize>().ok();
    let path = |text: &std::ffi::OsString| PathBuf::from(text);
    let whole = |text: &std::ffi::OsString| match input::is_something_else(Path::new(text)) {
        true => Operand::Paste(path(text)),
        false => Operand::Capture(path(text), None),
    };
    match args.what.as_slice() {
        [file, n, m] if number(n).is_some() && number(m).is_some() => Ok([
            Operand::Capture(path(file), number(n)),
            Operand::Capture(path(file), number(m)),
        ]),
        [first, n, second, m] if number(n).is_some() && number(m).is_some() => Ok([
            Operand::Capture(path(first), number(n)),
            Operand::Capture(path(second), number(m)),
        ]),
        [first, second] => Ok([whole(first), whole(second)]),
        _ => Err(anyhow!(
            "expected an API and two versions, two inputs, or a capture and the numbers of two \
             exchanges, as in diff Fetch 12 13, diff a.hex b.hex, diff capture.pcap 3 7"
        )),
    }
}

/// Writes how one pair differs; whether it does.
fn compare(args: &DiffArgs, pair: [Option<Named>; 2], output: &mut Output) -> anyhow::Result<bool> {
    let [from, to] = match pair {
        [Some(from), Some(to)] => [from, to],
        [Some(alone), None] | [None, Some(alone)] => {
            match args.json {
                true => output.json(&json!({ "type": "alone", "message": alone.name }))?,
                false => output.line(format_args!("{}: has no counterpart\n", alone.name))?,
            }
            return Ok(true);
        }
        [None, None] => return Ok(false),
    };
    let mut list = differences(&from.tree, &to.tree);
    list.retain(|difference| {
        let path = |tree: &Tree, id: Option<NodeId>| id.map(|id| tree.path(id));
        let path = path(&to.tree, difference.to).or_else(|| path(&from.tree, difference.from));
        !path.is_some_and(|path| is_ignored(args, &path))
    });
    if list.is_empty() {
        return Ok(false);
    }
    if !args.json {
        let title = output.palette().title();
        output.line(format_args!("{title}{}{title:#}", from.name))?;
        output.line(format_args!("{title}{}{title:#}", to.name))?;
        let palette = output.palette();
        let cut = if args.wide { Cut::Wide } else { Cut::Short };
        output.stream(|out| differences_text(out, [&from.tree, &to.tree], &list, cut, palette))?;
        output.line("")?;
        return Ok(true);
    }
    for difference in list {
        let side = |tree: &Tree, id: Option<NodeId>| {
            let columns = columns(tree, id?, Wording::Counted, Cut::Wide)?;
            let span = tree.span(id?);
            Some(json!({
                "value": columns.value, "buffer": span.buffer.0, "offset": span.at,
                "size": span.len,
            }))
        };
        let path = difference
            .to
            .map(|id| to.tree.path(id))
            .or_else(|| difference.from.map(|id| from.tree.path(id)));
        output.json(&json!({
            "type": "difference",
            "messages": [from.name, to.name],
            "path": path,
            "from": side(&from.tree, difference.from),
            "to": side(&to.tree, difference.to),
        }))?;
    }
    Ok(true)
}

/// Whether the last name of a path, or the whole of it, is one that shall not count.
fn is_ignored(args: &DiffArgs, path: &str) -> bool {
    let last = path.rsplit('.').next().unwrap_or_default();
    let last = last.split('[').next().unwrap_or_default();
    args.ignore
        .iter()
        .any(|name| name.eq_ignore_ascii_case(last) || name.eq_ignore_ascii_case(path))
}

/// Two lists of messages beside each other.
fn beside(from: Vec<Named>, to: Vec<Named>) -> Vec<[Option<Named>; 2]> {
    let (mut from, mut to) = (from.into_iter(), to.into_iter());
    let mut pairs = Vec::new();
    loop {
        match (from.next(), to.next()) {
            (None, None) => return pairs,
            (from, to) => pairs.push([from, to]),
        }
    }
}

/// The messages of a paste.
fn pasted(path: &Path, output: &mut Output) -> anyhow::Result<Vec<Named>> {
    let catalogue = Catalogue::current();
    let mut talk = Talk::new(catalogue);
    let mut messages = Vec::new();
    for part in parts(path, true, output)? {
        talk.came(part.way);
        for turn in talk.turns(&part.bytes) {
            let frame = part.bytes.get(turn.range.clone()).unwrap_or_default();
            let (tree, decoded) = Builder::build(frame.to_vec(), |bytes, sink| match turn.claim {
                Claim::Requests => request(catalogue, turn.framing, bytes, sink),
                Claim::Responses { api, version } => {
                    response(catalogue, turn.framing, bytes, api, version, sink)
                }
            });
            let kind = match turn.claim {
                Claim::Requests => Direction::Request,
                Claim::Responses { .. } => Direction::Response,
            };
            messages.push(Named {
                name: format!(
                    "{}: {} {} v{}",
                    input::name(path),
                    decoded.api,
                    kind.name(),
                    decoded.version
                ),
                tree,
            });
        }
    }
    Ok(messages)
}

/// The messages of exchanges of captures.
fn captured(
    args: &DiffArgs,
    first: (&Path, Option<usize>),
    second: (&Path, Option<usize>),
    output: &mut Output,
) -> anyhow::Result<Vec<[Option<Named>; 2]>> {
    let from = open(args, first.0, output)?;
    let other = (second.0 != first.0)
        .then(|| open(args, second.0, output))
        .transpose()?;
    let to = other.as_ref().unwrap_or(&from);
    let mut pairs = Vec::new();
    for [one, other] in exchanges(&from, to, [first, second])? {
        for &direction in directions(args) {
            let named = |session: &Session, path: &Path, exchange: Option<Exchange>| {
                let exchange = exchange?;
                let opened = session.open_message(Catalogue::current(), &exchange, direction)?;
                let mut tree = opened.tree;
                if args.show_secrets {
                    tree.set_secrecy(Secrecy::Show);
                }
                let row = ExchangeRow::new(&session.index(), &exchange);
                let name = format!(
                    "{}: {}, {}",
                    input::name(path),
                    row.title(),
                    direction.name()
                );
                Some(Named { name, tree })
            };
            let pair = [named(&from, first.0, one), named(to, second.0, other)];
            if pair.iter().any(Option::is_some) {
                pairs.push(pair);
            }
        }
    }
    Ok(pairs)
}

fn directions(args: &DiffArgs) -> &'static [Direction] {
    crate::cli::sample::directions(args.request, args.response)
}

fn open(args: &DiffArgs, path: &Path, output: &mut Output) -> anyhow::Result<Session> {
    let keylog = KeylogArg {
        keylog: args.keylog.keylog.clone(),
    };
    capture::index(&[path.to_owned()], &[], &keylog, output)
}

/// The exchanges that belong together.
fn exchanges(
    from: &Session,
    to: &Session,
    [first, second]: [(&Path, Option<usize>); 2],
) -> anyhow::Result<Vec<[Option<Exchange>; 2]>> {
    if let (Some(n), Some(m)) = (first.1, second.1) {
        let one = |session: &Session, path: &Path, n: usize| {
            session.index().exchange(n).ok_or_else(|| {
                let len = session.index().len();
                anyhow!(
                    "{}: there is no exchange {n}; they go from 1 to {len}",
                    input::name(path)
                )
            })
        };
        return Ok(vec![[
            Some(one(from, first.0, n)?),
            Some(one(to, second.0, m)?),
        ]]);
    }
    let all = |session: &Session| -> Vec<Exchange> {
        let index = session.index();
        (1..=index.len())
            .filter_map(|n| index.exchange(n))
            .collect()
    };
    let key = |exchange: &Exchange| exchange.api.map(|(key, _)| key);
    let mut rest: HashMap<_, Vec<Exchange>> = HashMap::new();
    for exchange in all(to).into_iter().rev() {
        rest.entry(key(&exchange)).or_default().push(exchange);
    }
    let mut pairs: Vec<[Option<Exchange>; 2]> = all(from)
        .into_iter()
        .map(|exchange| {
            let other = rest.get_mut(&key(&exchange)).and_then(Vec::pop);
            [Some(exchange), other]
        })
        .collect();
    let mut alone: Vec<Exchange> = rest.into_values().flatten().collect();
    alone.sort_by_key(|exchange| exchange.n);
    pairs.extend(alone.into_iter().map(|exchange| [None, Some(exchange)]));
    Ok(pairs)
}
