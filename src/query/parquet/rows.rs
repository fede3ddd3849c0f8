//! Exchanges as rows, column by column.

use serde_json::Value as Json;

use super::{
    columns::{ParquetColumn, ParquetColumns},
    leaf::{Leaf, Place},
    shape::Shape,
};
use crate::{
    explain::ErrorCode,
    query::{column::Source, path::Bodies},
    render::{ExchangeField as F, client_host, date, exchange_problems, server_host, tls_of},
    schema::ApiKey,
    session::{Endpoint, Exchange, Index, Message, Session},
};

/// Rows in memory; each thread has its own.
#[derive(Clone, Debug)]
pub struct ParquetRows {
    columns: ParquetColumns,
    pub(super) leaves: Vec<Leaf>,
    pub(super) len: usize,
}

const CELL: Place = Place::CELL;

impl ParquetRows {
    pub(super) fn new(columns: ParquetColumns, leaves: Vec<Leaf>) -> ParquetRows {
        ParquetRows {
            columns,
            leaves,
            len: 0,
        }
    }

    /// Appends the row of `exchange`.
    pub fn push(&mut self, session: &Session, index: &Index, exchange: &Exchange) {
        let row = Row {
            session,
            index,
            exchange,
        };
        let mut bodies = Bodies::new(session, index, exchange);
        let mut rest = self.leaves.as_mut_slice();
        for column in self.columns.columns.iter() {
            // There are as many as the shapes say.
            let split = rest.split_at_mut_checked(column.shape.n_leaves());
            let Some((leaves, others)) = split else {
                break;
            };
            row.cell(column, leaves, &mut bodies);
            rest = others;
        }
        self.len += 1;
    }

    /// Takes over the rows of `other`, which keeps its memory.
    pub(super) fn append(&mut self, other: &mut ParquetRows) {
        for (leaf, more) in self.leaves.iter_mut().zip(&mut other.leaves) {
            leaf.append(more);
        }
        self.len += std::mem::take(&mut other.len);
    }

    /// Bytes that they take.
    pub(super) fn size(&self) -> usize {
        self.leaves.iter().map(Leaf::size).sum()
    }
}

/// An exchange that becomes a row.
struct Row<'s> {
    session: &'s Session,
    index: &'s Index,
    exchange: &'s Exchange,
}

impl Row<'_> {
    fn cell(&self, column: &ParquetColumn, leaves: &mut [Leaf], bodies: &mut Bodies<'_>) {
        match &column.source {
            Source::Field(field) => self.field(*field, leaves, &column.shape),
            Source::Path(path) => {
                let json = match column.shape {
                    Shape::List(_) => Json::Array(path.values(bodies)),
                    _ => path.value(bodies),
                };
                shred(leaves, &column.shape, &json, CELL);
            }
        }
    }

    fn field(&self, field: F, leaves: &mut [Leaf], shape: &Shape) {
        let &Row {
            session,
            index,
            exchange,
        } = self;
        let (request, response) = (exchange.request, exchange.response);
        let api = exchange.api.map(|(key, _)| ApiKey(key));
        let packet = |message: Message| whole(message.packet);
        let size = |message: Message| i64::from(message.size);
        match field {
            F::Type => text(leaves, Some("exchange")),
            F::Kind => text(leaves, Some(exchange.kind.name())),
            F::Client => text(leaves, self.ends().map(|(client, _)| client.to_string())),
            F::Server => text(leaves, self.ends().map(|(_, server)| server.to_string())),
            F::Api => text(leaves, api.and_then(ApiKey::name)),
            F::Status => text(leaves, Some(exchange.status.name())),
            F::ClientId => text(leaves, exchange.client_id.map(|id| index.name(id))),
            F::N => int(leaves, Some(exchange.n)),
            F::Connection => int(leaves, Some(exchange.connection)),
            F::ApiKey => int(leaves, api.map(|api| api.0)),
            F::Version => int(leaves, exchange.api.map(|(_, version)| version)),
            F::CorrelationId => int(leaves, Some(exchange.correlation_id)),
            F::ThrottleMs => int(leaves, index.throttle_ms(exchange)),
            F::Records => int(leaves, Some(exchange.records)),
            F::Packet => int(leaves, request.or(response).map(packet)),
            F::Bytes => {
                let sizes = [request, response].into_iter().flatten();
                int(leaves, Some(sizes.map(size).sum::<i64>()));
            }
            F::RequestPacket => int(leaves, request.map(packet)),
            F::ResponsePacket => int(leaves, response.map(packet)),
            F::RequestSize => int(leaves, request.map(size)),
            F::ResponseSize => int(leaves, response.map(size)),
            F::Time => int(leaves, Some(micros(exchange.time()))),
            F::RequestTime => int(leaves, request.map(|message| micros(message.time))),
            F::ResponseTime => int(leaves, response.map(|message| micros(message.time))),
            F::LatencyMs => ms(leaves, exchange.latency()),
            F::LatencyLastMs => ms(leaves, exchange.latency_to_last()),
            F::LatencyNetMs => ms(leaves, index.latency_net(exchange)),
            F::TopicsCut => {
                let cut = exchange.topics_cut;
                leaves.iter_mut().for_each(|leaf| leaf.bool(CELL, cut));
            }
            F::Errors => {
                let codes = index.errors(exchange).iter();
                texts(leaves, codes.map(|&code| ErrorCode(code).to_string()));
            }
            F::Topics => texts(leaves, index.topics(exchange)),
            F::Tls => match (tls_of(index, exchange), leaves) {
                (Some((version, suite)), [first, second]) => {
                    first.text(CELL.inside(), Some(&version.to_string()));
                    second.text(CELL.inside(), Some(&suite.to_string()));
                }
                (_, leaves) => leaves.iter_mut().for_each(|leaf| leaf.null(CELL)),
            },
            F::TlsVersion => text(leaves, tls_of(index, exchange).map(|tls| tls.0.to_string())),
            F::TlsSuite => text(leaves, tls_of(index, exchange).map(|tls| tls.1.to_string())),
            F::ClientHost => text(leaves, client_host(session, index, exchange)),
            F::ServerHost => text(leaves, server_host(session, index, exchange)),
            F::Date => text(leaves, Some(date(exchange.time()))),
            F::Request => message(leaves, request),
            F::Response => message(leaves, response),
            F::Problems => {
                let problems = exchange_problems(session, exchange);
                let problems = problems.unwrap_or_else(|| Json::Array(Vec::new()));
                shred(leaves, shape, &problems, CELL);
            }
        }
    }

    /// The client and the server.
    fn ends(&self) -> Option<(Endpoint, Endpoint)> {
        let connection = self.index.connection(self.exchange.connection)?;
        Some((connection.client, connection.server))
    }
}

fn text(leaves: &mut [Leaf], value: Option<impl AsRef<str>>) {
    let value = value.as_ref().map(AsRef::as_ref);
    leaves.iter_mut().for_each(|leaf| leaf.text(CELL, value));
}

fn texts(leaves: &mut [Leaf], values: impl Iterator<Item = impl AsRef<str>>) {
    let [leaf] = leaves else {
        return;
    };
    let mut is_empty = true;
    for (idx, value) in values.enumerate() {
        leaf.text(CELL.element(idx), Some(value.as_ref()));
        is_empty = false;
    }
    if is_empty {
        leaf.null(CELL.inside());
    }
}

fn int(leaves: &mut [Leaf], value: Option<impl Into<i64>>) {
    let value = value.map(Into::into);
    leaves.iter_mut().for_each(|leaf| leaf.int(CELL, value));
}

fn ms(leaves: &mut [Leaf], nanos: Option<i64>) {
    let ms = nanos.map(|nanos| nanos as f64 / 1e6);
    leaves.iter_mut().for_each(|leaf| leaf.double(CELL, ms));
}

fn message(leaves: &mut [Leaf], message: Option<Message>) {
    match (message, leaves) {
        (Some(message), [time, packet, size]) => {
            time.int(CELL.inside(), Some(micros(message.time)));
            packet.int(CELL.inside(), Some(whole(message.packet)));
            size.int(CELL.inside(), Some(message.size.into()));
        }
        (_, leaves) => leaves.iter_mut().for_each(|leaf| leaf.null(CELL)),
    }
}

/// No capture has more packets than that.
fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Nanoseconds as microseconds, cut as JSON has them.
fn micros(nanos: i64) -> i64 {
    nanos.div_euclid(1_000)
}

/// Takes a value of JSON to pieces, a leaf each.
fn shred(leaves: &mut [Leaf], shape: &Shape, json: &Json, place: Place) {
    match (shape, json) {
        (Shape::List(element), Json::Array(items)) if !items.is_empty() => {
            for (idx, item) in items.iter().enumerate() {
                shred(leaves, element, item, place.element(idx));
            }
        }
        (Shape::List(_), Json::Array(_)) => {
            leaves.iter_mut().for_each(|leaf| leaf.null(place.inside()));
        }
        (Shape::Struct(members), Json::Object(object)) => {
            let mut rest = leaves;
            for (name, member) in members {
                let Some((here, others)) = rest.split_at_mut_checked(member.n_leaves()) else {
                    break;
                };
                let value = object.get(*name).unwrap_or(&Json::Null);
                shred(here, member, value, place.inside());
                rest = others;
            }
        }
        (Shape::List(_) | Shape::Struct(_), _) => {
            leaves.iter_mut().for_each(|leaf| leaf.null(place));
        }
        _ => leaves.iter_mut().for_each(|leaf| leaf.json(place, json)),
    }
}
