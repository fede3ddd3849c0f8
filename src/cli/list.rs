//! `list`: one line per exchange.

use serde_json::{Map, Value as Json};

use super::{Outcome, args::ListArgs, capture, output::Output};
use crate::{
    render::{exchange_json, exchange_table, json_problems},
    schema::{Catalogue, Direction},
    session::{Exchange, Session},
};

pub(super) fn run(args: &ListArgs, output: &mut Output) -> anyhow::Result<Outcome> {
    let session = capture::index(&args.inputs, &args.port, output)?;
    let index = session.index();
    if args.json {
        for exchange in index.exchanges() {
            let mut line = exchange_json(&index, &exchange);
            if exchange.problems > 0 {
                line.insert("problems".into(), problems(&session, &exchange));
            }
            output.json(&line)?;
        }
    } else if !index.is_empty() {
        exchange_table(output.raw(), &index)?;
    }
    if index.is_empty() {
        output.remark(&session.absence());
        return Ok(Outcome::Nothing);
    }
    Ok(Outcome::Fine)
}

/// The problems of both messages, each with the direction it is in.
fn problems(session: &Session, exchange: &Exchange) -> Json {
    let mut all = Vec::new();
    for direction in [Direction::Request, Direction::Response] {
        let opened = session.open_message(Catalogue::embedded(), exchange, direction);
        let Some(Json::Array(problems)) = opened.map(|opened| json_problems(&opened.tree)) else {
            continue;
        };
        for problem in problems {
            let mut with_direction = Map::new();
            with_direction.insert("kind".into(), direction.name().into());
            if let Json::Object(problem) = problem {
                with_direction.extend(problem);
            }
            all.push(Json::Object(with_direction));
        }
    }
    Json::Array(all)
}
