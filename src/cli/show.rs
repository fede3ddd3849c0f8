//! `show`: exchanges as annotated trees and hex grids.

use std::{fmt::Write, ops::RangeInclusive, path::PathBuf};

use anyhow::anyhow;

use super::{
    Outcome,
    args::ShowArgs,
    capture,
    numbers::{self, ALL, Numbers},
    output::Output,
    screen, segment,
};
use crate::{
    render::{ExchangeRow, Head, JsonLine, escape_str, message, provenance},
    schema::{Catalogue, Direction},
    session::{Exchange, Opened, Session},
    tree::Secrecy,
};

pub(super) fn run(args: &ShowArgs, output: &mut Output) -> anyhow::Result<Outcome> {
    let filter = args.filter.parse(output)?;
    let (inputs, numbers) = args.split()?;
    if let Some((path, file)) = segment::only(&inputs)? {
        segment::refuse_for_exchanges(path, &args.for_exchanges.given(&[]))?;
        return segment::show(args, path, &file, &numbers, output);
    }
    let session = capture::index_up_to(&inputs, &args.port, &args.keylog, &numbers, output)?;
    let len = session.index().len();
    if len == 0 {
        output.remark(&session.absence());
        return Ok(Outcome::Nothing);
    }
    let mut outcome = Outcome::Fine;
    let mut n_shown = 0;
    for range in numbers {
        if let Some(missing) = numbers::missing(&range, len) {
            output.remark(&missing);
            outcome = Outcome::Nothing;
        }
        for n in *range.start()..=len.min(*range.end()) {
            let Some(exchange) = session.index().exchange(n) else {
                continue;
            };
            let is_wanted = filter
                .as_ref()
                .is_none_or(|filter| filter.takes(&session, &session.index(), &exchange));
            if is_wanted {
                n_shown += 1;
                show(args, &session, &exchange, output)?;
            }
        }
    }
    if n_shown == 0 && filter.is_some() && outcome == Outcome::Fine {
        output.remark(&format!("the filter takes none of {len} exchanges"));
        outcome = Outcome::Nothing;
    }
    Ok(outcome)
}

fn show(
    args: &ShowArgs,
    session: &Session,
    exchange: &Exchange,
    output: &mut Output,
) -> anyhow::Result<()> {
    if !args.json {
        let row = ExchangeRow::new(&session.index(), exchange);
        let title = output.palette().title();
        output.line(format_args!("{title}{}{title:#}", row.title()))?;
        hosts(session, exchange, output)?;
    }
    for direction in [Direction::Request, Direction::Response] {
        let is_wanted = match direction {
            Direction::Request => !args.response,
            Direction::Response => !args.request,
        };
        if !is_wanted {
            continue;
        }
        match session.open_message(Catalogue::current(), exchange, direction) {
            Some(mut opened) => {
                if args.show_secrets {
                    opened.tree.set_secrecy(Secrecy::Show);
                }
                print(args, session, &opened, output)?;
            }
            None if args.json => {}
            None => output.line(format_args!(
                "\nthe capture holds no {}{}",
                direction.name(),
                match (direction, exchange.answered) {
                    (Direction::Response, false) => ", and the request asks for none",
                    _ => "",
                }
            ))?,
        }
    }
    if !args.json {
        output.line("")?;
    }
    Ok(())
}

/// Says how the capture calls the two hosts.
fn hosts(session: &Session, exchange: &Exchange, output: &mut Output) -> anyhow::Result<()> {
    let index = session.index();
    let Some(connection) = index.connection(exchange.connection) else {
        return Ok(());
    };
    let mut addresses = vec![connection.client.addr, connection.server.addr];
    addresses.dedup();
    for address in addresses {
        if let Some(name) = session.capture().host(address) {
            output.line(format_args!("{address} is {}", escape_str(&name)))?;
        }
    }
    Ok(())
}

fn print(
    args: &ShowArgs,
    session: &Session,
    opened: &Opened,
    output: &mut Output,
) -> anyhow::Result<()> {
    let tree = &opened.tree;
    if args.json {
        let head = match &opened.decoded {
            Some(decoded) => Head::Message(decoded),
            None => Head::SaslToken,
        };
        let provenance = || provenance::json(session, &opened.gathered);
        output.json(&JsonLine {
            provenance: args.provenance.then(provenance),
            comments: provenance::comments_json(session, &opened.gathered),
            shows_tree: args.tree,
            ..JsonLine::new(tree, &head)
        })?;
        return Ok(());
    }
    let palette = output.palette();
    let cut = screen::cut(args.wide);
    output.stream(|out| {
        out.write_char('\n')?;
        message(out, tree, args.only.into(), cut, palette, |_| None)?;
        if args.provenance {
            provenance::text(out, session, &opened.gathered)?;
        }
        Ok(())
    })
}

impl ShowArgs {
    /// The inputs and the numbers behind them. Without numbers, a filter is asked about all
    /// exchanges.
    fn split(&self) -> anyhow::Result<(Vec<PathBuf>, Vec<RangeInclusive<usize>>)> {
        let has_filter = self.filter.filter.is_some();
        let needed = match has_filter {
            true => Numbers::Optional,
            false => Numbers::Required,
        };
        let (inputs, mut ranges) = numbers::split(&self.inputs_and_numbers, needed)?;
        if inputs.is_empty() || (ranges.is_empty() && !has_filter) {
            return Err(anyhow!(
                "show needs a capture and the numbers of exchanges, as in show capture.pcap 3 7"
            ));
        }
        if ranges.is_empty() {
            ranges.push(ALL);
        }
        Ok((inputs, ranges))
    }
}
