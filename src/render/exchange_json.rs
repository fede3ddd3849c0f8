//! Exchanges of a capture as JSON; docs/JSON.md is the contract.
//!
//! What comes in is an exchange with the index that it is in; what goes out are the members of its
//! line, appended to a buffer that the caller keeps. Lists of a million exchanges are written with
//! this, so no value is made that is not text already: what every line has is written here, to the same
//! text as the table of members would give. It decodes nothing but what something is wrong with.

use serde_json::Value as Json;

use super::{
    escape_json::write_json,
    exchange_cells::{Clock, is_plain},
    exchange_field::{ExchangeField, FieldValue, Fields},
    exchange_problems::exchange_problems,
    json_number::{push, push_ms, push_some},
    kept::Kept,
};
use crate::{
    explain::ErrorCode,
    session::{Exchange, Index, Message, Session, Side},
};

use ExchangeField as F;

/// Nanoseconds of a day.
const DAY: i64 = 86_400_000_000_000;

/// The members of a line, in order, each with what stands in front of its value.
const LINE: [(ExchangeField, &[u8]); 22] = [
    (F::Type, b"{\"type\":"),
    (F::Kind, b",\"kind\":"),
    (F::N, b",\"n\":"),
    (F::Connection, b",\"connection\":"),
    (F::Client, b",\"client\":"),
    (F::Server, b",\"server\":"),
    (F::ApiKey, b",\"api_key\":"),
    (F::Api, b",\"api\":"),
    (F::Version, b",\"version\":"),
    (F::CorrelationId, b",\"correlation_id\":"),
    (F::Status, b",\"status\":"),
    (F::ClientId, b",\"client_id\":"),
    (F::Request, b",\"request\":"),
    (F::Response, b",\"response\":"),
    (F::LatencyMs, b",\"latency_ms\":"),
    (F::LatencyLastMs, b",\"latency_last_ms\":"),
    (F::ThrottleMs, b",\"throttle_ms\":"),
    (F::LatencyNetMs, b",\"latency_net_ms\":"),
    (F::Errors, b",\"errors\":"),
    (F::Topics, b",\"topics\":"),
    (F::Records, b",\"records\":"),
    (F::Problems, b",\"problems\":"),
];

/// Members that a line has only where there is something to say.
const SOMETIMES: [ExchangeField; 5] = [
    F::TopicsCut,
    F::Tls,
    F::ClientHost,
    F::ServerHost,
    F::ProxiedClient,
];

/// Writes exchanges one after the other; each thread has its own.
#[derive(Clone, Debug, Default)]
pub struct ExchangeJson {
    clients: Kept,
    servers: Kept,
    client_ids: Kept,
    topics: Kept,
    /// The day that was written last, in days since 1970, with its text.
    day: Option<(i64, String)>,
    clock: Clock,
}

impl ExchangeJson {
    /// Appends the line of `exchange`.
    pub fn line(
        &mut self,
        out: &mut Vec<u8>,
        session: &Session,
        index: &Index,
        exchange: &Exchange,
    ) {
        for (field, key) in LINE {
            out.extend_from_slice(key);
            self.value(out, field, session, index, exchange);
        }
        let fields = Fields {
            session,
            index,
            exchange,
        };
        for field in SOMETIMES {
            match fields.value(field) {
                FieldValue::Null | FieldValue::Bool(false) => {}
                value => {
                    out.push(b',');
                    push_name(out, field.name());
                    self.any(out, fields, value);
                }
            }
        }
        out.extend_from_slice(b"}\n");
    }

    /// Appends one value.
    pub fn value(
        &mut self,
        out: &mut Vec<u8>,
        field: ExchangeField,
        session: &Session,
        index: &Index,
        exchange: &Exchange,
    ) {
        match field {
            F::Client | F::Server => self.end(out, field, index, exchange),
            F::ClientId => {
                let number = exchange.client_id.map_or(0, |id| id.idx() + 1);
                self.client_ids.push(out, number, |out| {
                    push_text(out, exchange.client_id.map(|id| index.name(id)));
                });
            }
            F::Topics => self.topics.push(out, exchange.topics.idx(), |out| {
                push_list(out, index.topics(exchange), |out, name| {
                    push_text(out, Some(name));
                });
            }),
            F::Kind => push_word(out, exchange.kind.name()),
            F::N => push(out, exchange.n),
            F::Connection => push(out, exchange.connection),
            F::ApiKey => push_some(out, exchange.api.map(|(key, _)| key)),
            F::Version => push_some(out, exchange.api.map(|(_, version)| version)),
            F::CorrelationId => push(out, exchange.correlation_id),
            F::Status => push_word(out, exchange.status.name()),
            F::Request => self.message(out, exchange.request),
            F::Response => self.message(out, exchange.response),
            F::LatencyMs => push_ms(out, exchange.latency()),
            F::LatencyLastMs => push_ms(out, exchange.latency_to_last()),
            F::Records => push(out, exchange.records),
            F::Errors => {
                let codes = index.errors(exchange).iter();
                push_list(out, codes, |out, &code| match ErrorCode(code).name() {
                    Some(name) => push_word(out, name),
                    None => push_text(out, Some(&ErrorCode(code).to_string())),
                });
            }
            field => {
                let fields = Fields {
                    session,
                    index,
                    exchange,
                };
                self.any(out, fields, fields.value(field));
            }
        }
    }

    /// Appends a value of the table of members.
    fn any(&mut self, out: &mut Vec<u8>, fields: Fields<'_>, value: FieldValue<'_>) {
        match value {
            FieldValue::Null => out.extend_from_slice(b"null"),
            FieldValue::Bool(true) => out.extend_from_slice(b"true"),
            FieldValue::Bool(false) => out.extend_from_slice(b"false"),
            FieldValue::Int(number) | FieldValue::Millis(number) => push(out, number),
            FieldValue::Span(nanos) => push_ms(out, Some(nanos)),
            FieldValue::Time(nanos) => self.time(out, nanos),
            FieldValue::Text(text) => push_text(out, Some(&text)),
            FieldValue::Texts(texts) => push_list(out, texts, |out, text| {
                push_text(out, Some(&text));
            }),
            FieldValue::Group(members) => {
                for (idx, member) in members.iter().enumerate() {
                    out.push(if idx == 0 { b'{' } else { b',' });
                    push_name(out, member.part());
                    self.any(out, fields, fields.value(*member));
                }
                out.push(b'}');
            }
            FieldValue::Problems(_) => match exchange_problems(fields.session, fields.exchange) {
                None => out.extend_from_slice(b"[]"),
                Some(problems) => push_json(out, &problems),
            },
        }
    }

    fn message(&mut self, out: &mut Vec<u8>, message: Option<Message>) {
        let Some(message) = message else {
            out.extend_from_slice(b"null");
            return;
        };
        out.extend_from_slice(b"{\"time\":");
        self.time(out, message.time);
        out.extend_from_slice(b",\"packet\":");
        push(out, message.packet);
        out.extend_from_slice(b",\"size\":");
        push(out, message.size);
        out.push(b'}');
    }

    /// Nanoseconds since 1970 as `2026-11-01T10:00:00.000250Z`. The parts below a microsecond are
    /// left away.
    fn time(&mut self, out: &mut Vec<u8>, nanos: i64) {
        let day = nanos.div_euclid(DAY);
        match &self.day {
            Some((known, text)) if *known == day => out.extend_from_slice(text.as_bytes()),
            _ => {
                let midnight = jiff::Timestamp::from_second(day * 86_400).unwrap_or_default();
                let text = midnight.strftime("\"%Y-%m-%dT").to_string();
                out.extend_from_slice(text.as_bytes());
                self.day = Some((day, text));
            }
        }
        self.clock.push(out, nanos);
        out.extend_from_slice(b"Z\"");
    }

    fn end(&mut self, out: &mut Vec<u8>, field: ExchangeField, index: &Index, exchange: &Exchange) {
        let connection = index.connection(exchange.connection);
        let is_turned = connection.is_some_and(|ends| ends.client_side() == Side::B);
        let number = 2 * exchange.connection as usize + usize::from(is_turned);
        let is_client = field == F::Client;
        let kept = if is_client {
            &mut self.clients
        } else {
            &mut self.servers
        };
        kept.push(out, number, |out| {
            let end = connection.map(|ends| if is_client { ends.client } else { ends.server });
            push_text(out, end.map(|end| end.to_string()).as_deref());
        });
    }
}

/// Appends the name of a member and what stands behind it.
pub fn push_name(out: &mut Vec<u8>, name: &str) {
    push_text(out, Some(name));
    out.push(b':');
}

/// Appends any value. Writing into memory cannot fail.
pub fn push_json(out: &mut Vec<u8>, value: &Json) {
    let _ = write_json(out, value);
}

/// Appends a word of ours, in which nothing has to be escaped.
fn push_word(out: &mut Vec<u8>, word: &str) {
    out.push(b'"');
    out.extend_from_slice(word.as_bytes());
    out.push(b'"');
}

fn push_text(out: &mut Vec<u8>, text: Option<&str>) {
    let Some(text) = text else {
        out.extend_from_slice(b"null");
        return;
    };
    match is_plain(text) {
        true => push_word(out, text),
        false => drop(write_json(out, &text)),
    }
}

fn push_list<T>(
    out: &mut Vec<u8>,
    items: impl Iterator<Item = T>,
    mut push_item: impl FnMut(&mut Vec<u8>, T),
) {
    out.push(b'[');
    for (idx, item) in items.enumerate() {
        if idx > 0 {
            out.push(b',');
        }
        push_item(out, item);
    }
    out.push(b']');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        render::Standing,
        schema::Catalogue,
        session::{Digest, Input, Options},
    };

    #[test]
    fn times_are_what_a_calendar_says() {
        let mut writer = ExchangeJson::default();
        let mut nanos = vec![
            0,
            -1,
            i64::MIN,
            i64::MAX,
            951_782_399_999_999_999,
            951_782_400_000_000_000,
        ];
        nanos.extend((-1_000..1_000).map(|n| n * 7_777_777_777_777_777));
        for nanos in nanos {
            let mut text = Vec::new();
            writer.time(&mut text, nanos);
            let micros = jiff::Timestamp::from_microsecond(nanos.div_euclid(1_000)).unwrap();
            let expected = format!("\"{micros:.6}\"");
            assert_eq!(String::from_utf8(text).unwrap(), expected, "{nanos}");
        }
    }

    #[test]
    fn what_is_written_by_hand_is_what_the_table_says() {
        for sample in [
            "topics.pcap",
            "malformed.pcap",
            "workload.pcap.zst",
            "tls.pcapng",
        ] {
            let file = format!("{}/samples/{sample}", env!("CARGO_MANIFEST_DIR"));
            let session = Session::open(&[Input::named(file)], Options::default()).unwrap();
            session.run(&mut Digest::new(Catalogue::current()));
            let index = session.index();
            let mut writer = ExchangeJson::default();
            for exchange in index.exchanges() {
                for &field in ExchangeField::ALL {
                    let (mut by_hand, mut by_table) = (Vec::new(), Vec::new());
                    writer.value(&mut by_hand, field, &session, &index, &exchange);
                    let fields = Fields {
                        session: &session,
                        index: &index,
                        exchange: &exchange,
                    };
                    ExchangeJson::default().any(&mut by_table, fields, fields.value(field));
                    assert_eq!(by_hand, by_table, "{}", field.name());
                }
            }
        }
    }

    #[test]
    fn a_line_has_the_members_that_the_table_puts_there() {
        let of = |standing| {
            ExchangeField::ALL
                .iter()
                .filter(move |f| f.standing() == standing)
        };
        for field in of(Standing::Line) {
            assert!(
                LINE.iter().any(|(written, _)| written == field),
                "{}",
                field.name()
            );
        }
        assert_eq!(of(Standing::Line).count(), LINE.len());
        assert!(of(Standing::Sometimes).eq(&SOMETIMES));
        for field in ExchangeField::ALL {
            let members = field.ty().members();
            let is_inside = |member: &ExchangeField| {
                let name = format!("{}.{}", field.name(), member.part());
                member.standing() == Standing::Inside && member.name() == name
            };
            assert!(members.iter().all(is_inside), "{}", field.name());
            assert_eq!(ExchangeField::named(field.name()), Some(*field));
        }
    }

    #[test]
    fn members_are_called_by_their_names() {
        for (idx, (field, key)) in LINE.into_iter().enumerate() {
            let separator = if idx == 0 { '{' } else { ',' };
            let expected = format!("{separator}\"{}\":", field.name());
            assert_eq!(key, expected.as_bytes());
        }
    }

    #[test]
    fn texts_are_written_as_json_has_them() {
        for text in ["", "orders", "a\"b\\c", "\u{1b}[2J", "日本\n", "\u{202e}"] {
            let (mut short, mut long) = (Vec::new(), Vec::new());
            push_text(&mut short, Some(text));
            write_json(&mut long, &text).unwrap();
            assert_eq!(short, long);
        }
    }
}
