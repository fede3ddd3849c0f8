//! `show`: exchanges as annotated trees and hex grids.

use std::fmt::Write;

use anyhow::anyhow;

use super::{Outcome, args::ShowArgs, capture, output::Output, segment};
use crate::{
    render::{Cut, ExchangeRow, Head, JsonLine, escape_str, message, provenance},
    schema::{Catalogue, Direction},
    session::{Exchange, Opened, Session},
    tree::Secrecy,
};

pub(super) fn run(args: &ShowArgs, output: &mut Output) -> anyhow::Result<Outcome> {
    let (inputs, numbers) = args.split()?;
    if let Some((path, file)) = segment::only(&inputs)? {
        return segment::show(args, path, &file, &numbers, output);
    }
    let session = capture::index(&inputs, &args.port, output)?;
    let len = session.index().len();
    let mut outcome = Outcome::Fine;
    for n in numbers {
        let exchange = session.index().exchange(n);
        let Some(exchange) = exchange else {
            if len == 0 {
                output.remark(&session.absence());
                return Ok(Outcome::Nothing);
            }
            output.remark(&format!(
                "there is no exchange {n}; they go from 1 to {len}"
            ));
            outcome = Outcome::Nothing;
            continue;
        };
        show(args, &session, &exchange, output)?;
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
        match session.open_message(Catalogue::embedded(), exchange, direction) {
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
    /// The inputs and the numbers behind them: the arguments that are numbers from the end on, so
    /// that a file may be called 7 when it is not last.
    fn split(&self) -> anyhow::Result<(Vec<std::path::PathBuf>, Vec<usize>)> {
        let is_number = |text: &std::ffi::OsString| {
            text.to_str().is_some_and(|text| {
                !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
            })
        };
        let n_numbers = self
            .inputs_and_numbers
            .iter()
            .rev()
            .take_while(|text| is_number(text))
            .count();
        let at = self.inputs_and_numbers.len() - n_numbers;
        let (inputs, numbers) = self
            .inputs_and_numbers
            .split_at_checked(at)
            .unwrap_or_default();
        if inputs.is_empty() || numbers.is_empty() {
            return Err(anyhow!(
                "show needs a capture and the numbers of exchanges, as in show capture.pcap 3 7"
            ));
        }
        let numbers = numbers
            .iter()
            .filter_map(|text| text.to_str())
            .map(|text| {
                text.parse()
                    .map_err(|_| anyhow!("{text}: no exchange has a number this large"))
            })
            .collect::<anyhow::Result<_>>()?;
        Ok((inputs.iter().map(Into::into).collect(), numbers))
    }
}
