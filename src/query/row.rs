//! An exchange as the variables of an expression.

use cel::{
    common::{
        types::{CelBool, CelDouble, CelInt, CelList, CelNull, CelString, CelTimestamp},
        value::{CowVal, Val},
    },
    context::VariableResolver,
};

use super::{
    message::{BodyVal, Content, Decoded, MessageVal},
    value::value,
};
use crate::{
    explain::ErrorCode,
    render::{error_text, exchange_problems},
    schema::{ApiKey, Direction},
    session::{Exchange, Index, Session},
};

/// An exchange that is looked at.
#[derive(Debug)]
pub(super) struct Row<'s> {
    pub(super) session: &'s Session,
    pub(super) index: &'s Index,
    pub(super) exchange: &'s Exchange,
    /// Whether messages are decoded when they are asked for; else all that takes it is unknown.
    pub(super) decodes: bool,
    request: Content,
    response: Content,
}

impl<'s> Row<'s> {
    pub(super) fn new(session: &'s Session, index: &'s Index, exchange: &'s Exchange) -> Row<'s> {
        Row {
            session,
            index,
            exchange,
            decodes: false,
            request: Content::default(),
            response: Content::default(),
        }
    }

    /// What is in the message of one direction.
    pub(super) fn content(&self, direction: Direction) -> &Decoded {
        let content = match direction {
            Direction::Request => &self.request,
            Direction::Response => &self.response,
        };
        content.decoded(self, direction)
    }
}

/// The variables, with `body` and `embedded` being those of one message.
pub(super) struct Variables<'r> {
    pub(super) row: &'r Row<'r>,
    /// `None` while they are unknown.
    pub(super) body: Option<Direction>,
}

impl VariableResolver for Variables<'_> {
    fn resolve<'b>(&'b self, name: &str) -> Option<CowVal<'b, 'b>> {
        let Row {
            session,
            index,
            exchange,
            ..
        } = *self.row;
        let api = exchange.api;
        let ends = || index.connection(exchange.connection);
        let message = |direction| {
            exchange.message(direction).map(|&message| MessageVal {
                row: self.row,
                direction,
                message,
            })
        };
        let (request, response) = (exchange.request, exchange.response);
        Some(match name {
            "n" => int(exchange.n),
            "kind" => text(exchange.kind.name()),
            "time" => CowVal::owned(time(exchange.time())),
            "packet" => or_null(request.or(response).map(|m| CelInt::from(m.packet as i64))),
            "connection" => int(exchange.connection),
            "client" => or_null(ends().map(|ends| CelString::from(ends.client.to_string()))),
            "server" => or_null(ends().map(|ends| CelString::from(ends.server.to_string()))),
            "api_key" => or_null(api.map(|(key, _)| CelInt::from(i64::from(key)))),
            "api" => {
                let name = api.and_then(|(key, _)| ApiKey(key).name());
                or_null(name.map(CelString::from))
            }
            "version" => or_null(api.map(|(_, version)| CelInt::from(i64::from(version)))),
            "correlation_id" => int(exchange.correlation_id),
            "status" => text(exchange.status.name()),
            "client_id" => or_null(exchange.client_id.map(|id| CelString::from(index.name(id)))),
            "request" => or_null(message(Direction::Request)),
            "response" => or_null(message(Direction::Response)),
            "bytes" => {
                let sizes = [request, response].into_iter().flatten();
                CowVal::owned(CelInt::from(sizes.map(|m| i64::from(m.size)).sum::<i64>()))
            }
            "latency_ms" => ms(exchange.latency()),
            "latency_last_ms" => ms(exchange.latency_to_last()),
            "throttle_ms" => or_null(
                index
                    .throttle_ms(exchange)
                    .map(|ms| CelInt::from(i64::from(ms))),
            ),
            "latency_net_ms" => ms(index.latency_net(exchange)),
            "errors" => {
                let codes = index.errors(exchange).iter();
                list(codes.map(|&code| CelString::from(ErrorCode(code).to_string())))
            }
            "error" => CowVal::owned(CelString::from(error_text(index, exchange))),
            "topics" => list(index.topics(exchange).map(CelString::from)),
            "topics_cut" => CowVal::owned(CelBool::from(exchange.topics_cut)),
            "records" => int(exchange.records),
            "problems" if exchange.problems == 0 => list(std::iter::empty::<CelString<'_>>()),
            "problems" if self.row.decodes => {
                let problems = exchange_problems(session, exchange);
                CowVal::Owned(value(problems.unwrap_or_default()))
            }
            "body" => match self.body.filter(|&of| exchange.message(of).is_some())? {
                direction if self.row.decodes => CowVal::owned(BodyVal {
                    row: self.row,
                    direction,
                }),
                _ => return None,
            },
            "embedded" if self.row.decodes => {
                let direction = self.body?;
                CowVal::Borrowed(&*self.row.content(direction).embedded)
            }
            _ => return None,
        })
    }
}

/// Nanoseconds since 1970 as CEL has times.
pub(super) fn time(nanos: i64) -> CelTimestamp {
    CelTimestamp::from(chrono::DateTime::from_timestamp_nanos(nanos).fixed_offset())
}

fn int<'b>(number: impl Into<i64>) -> CowVal<'b, 'b> {
    CowVal::owned(CelInt::from(number.into()))
}

fn ms<'b>(nanos: Option<i64>) -> CowVal<'b, 'b> {
    or_null(nanos.map(|nanos| CelDouble::from(nanos as f64 / 1e6)))
}

fn text<'b>(text: &'b str) -> CowVal<'b, 'b> {
    CowVal::owned(CelString::from(text))
}

fn or_null<'b, T: Val + 'b>(value: Option<T>) -> CowVal<'b, 'b> {
    match value {
        Some(value) => CowVal::owned(value),
        None => CowVal::Borrowed(&CelNull),
    }
}

fn list<'b, T: Val + 'b>(items: impl Iterator<Item = T>) -> CowVal<'b, 'b> {
    let boxed = items.map(|item| Box::new(item) as Box<dyn Val + 'b>);
    CowVal::owned(CelList::from(boxed.collect::<Vec<_>>()))
}
