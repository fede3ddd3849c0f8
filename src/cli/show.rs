//! `show`: exchanges as annotated trees and hex grids.

use std::{ffi::OsString, fmt::Write, ops::RangeInclusive, path::PathBuf};

use anyhow::anyhow;

use super::{Outcome, args::ShowArgs, capture, output::Output, segment};
use crate::{
    render::{Cut, ExchangeRow, Head, JsonLine, escape_str, message, provenance},
    schema::{Catalogue, Direction},
    session::{Exchange, Opened, Session},
    tree::Secrecy,
};

/// The numbers of all exchanges that there are.
const ALL: RangeInclusive<usize> = 1..=usize::MAX;

pub(super) fn run(args: &ShowArgs, output: &mut Output) -> anyhow::Result<Outcome> {
    let filter = args.filter.parse()?;
    let (inputs, numbers) = args.split()?;
    if let Some((path, file)) = segment::only(&inputs)? {
        if filter.is_some() {
            return Err(anyhow!(
                "{}: this is a log segment, and --filter is for the exchanges of captures",
                path.display()
            ));
        }
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
        if *range.end() > len && range != ALL {
            let missing = match (range.start(), range.end()) {
                (start, end) if start == end => format!("exchange {start}"),
                (start, end) => format!("exchanges {} to {end}", start.max(&(len + 1))),
            };
            let be = if range.start() == range.end() {
                "is"
            } else {
                "are"
            };
            output.remark(&format!("there {be} no {missing}; they go from 1 to {len}"));
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
    let cut = if args.wide { Cut::Wide } else { Cut::Short };
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
    /// The inputs and the numbers behind them: the arguments that are numbers or ranges of numbers
    /// from the end on, so that a file may be called 7 when it is not last. Without numbers, a
    /// filter is asked about all exchanges.
    fn split(&self) -> anyhow::Result<(Vec<PathBuf>, Vec<RangeInclusive<usize>>)> {
        let args = &self.inputs_and_numbers;
        let is_number = |text: &&OsString| text.to_str().is_some_and(|t| bounds(t).is_some());
        let mut n_numbers = args.iter().rev().take_while(is_number).count();
        if n_numbers == args.len() && self.filter.filter.is_some() {
            // There is a capture, and it has such a name.
            n_numbers -= 1;
        }
        let (inputs, numbers) = args
            .split_at_checked(args.len() - n_numbers)
            .unwrap_or_default();
        if inputs.is_empty() || (numbers.is_empty() && self.filter.filter.is_none()) {
            return Err(anyhow!(
                "show needs a capture and the numbers of exchanges, as in show capture.pcap 3 7"
            ));
        }
        let mut ranges = numbers
            .iter()
            .filter_map(|text| text.to_str())
            .map(range)
            .collect::<anyhow::Result<Vec<_>>>()?;
        if ranges.is_empty() {
            ranges.push(ALL);
        }
        Ok((inputs.iter().map(Into::into).collect(), ranges))
    }
}

/// The digits of a number, twice, or of the two ends of a range.
fn bounds(text: &str) -> Option<(&str, &str)> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let (start, end) = text.split_once('-').unwrap_or((text, text));
    (is_number(start) && is_number(end)).then_some((start, end))
}

fn range(text: &str) -> anyhow::Result<RangeInclusive<usize>> {
    let number = |digits: &str| {
        digits
            .parse()
            .map_err(|_| anyhow!("{digits}: no exchange has a number this large"))
    };
    let (start, end) = bounds(text).unwrap_or((text, text));
    let (start, end): (usize, usize) = (number(start)?, number(end)?);
    if start > end {
        return Err(anyhow!("{text}: a range goes up, as {end}-{start} does"));
    }
    Ok(start..=end)
}
