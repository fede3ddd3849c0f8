//! What is wrong with the messages of an exchange, as JSON.

use serde_json::{Map, Value as Json};

use super::json_problems;
use crate::{
    schema::{Catalogue, Direction},
    session::{Exchange, Session},
};

/// The problems of both messages, each with the direction it is in; `None` where the index knows
/// that there are none. Both messages are decoded for it.
pub fn exchange_problems(session: &Session, exchange: &Exchange) -> Option<Json> {
    if exchange.problems == 0 {
        return None;
    }
    let mut all = Vec::new();
    for direction in [Direction::Request, Direction::Response] {
        let opened = session.open_message(Catalogue::current(), exchange, direction);
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
    Some(Json::Array(all))
}
