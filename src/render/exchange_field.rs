//! The members of the line of an exchange: what each is called, what its values are, and where they
//! come from. JSON, columns, filters, orders, tables for other programs and what is offered while one
//! types are made from this table, so that a new member is one entry here and its words in
//! docs/JSON.md, which is the contract.
//!
//! What comes in is an exchange with the session and the index that it is in; what goes out is a value
//! that every output writes in its own way. Nothing is decoded for it.

use std::borrow::Cow;

use super::exchange::date;
use crate::{
    explain::ErrorCode,
    schema::{ApiKey, Direction},
    session::{Connection, Exchange, Index, Session, Suite, Version},
};

use ExchangeField as F;
use FieldType as T;
use FieldValue as V;

/// The members of an exchange, which is in a session and its index.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'a> {
    pub session: &'a Session,
    pub index: &'a Index,
    pub exchange: &'a Exchange,
}

/// What the values of a member are; each of them may be null.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldType {
    Bool,
    Int,
    /// A whole number of milliseconds.
    Millis,
    /// A span that is known to the nanosecond, in milliseconds.
    Span,
    /// A time in UTC.
    Time,
    Text,
    Texts,
    /// An object with members of its own, whose names are its own, a dot, and theirs.
    Group(&'static [ExchangeField]),
    /// The same of a message, which has a body as well.
    Message(Direction),
    /// A list of objects, as [`PROBLEM`] has them.
    Problems,
}

/// A value of a member.
pub enum FieldValue<'a> {
    Null,
    Bool(bool),
    Int(i64),
    Millis(i64),
    /// Nanoseconds.
    Span(i64),
    /// Nanoseconds since 1970.
    Time(i64),
    Text(Cow<'a, str>),
    Texts(Box<dyn Iterator<Item = Cow<'a, str>> + 'a>),
    /// The object is there; its members are asked for one by one.
    Group(&'static [ExchangeField]),
    /// How many problems there are; messages have to be decoded for what they are.
    Problems(u32),
}

/// Where a member stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// In every line.
    Line,
    /// In a line that has something to say there.
    Sometimes,
    /// In an object of the line.
    Inside,
    /// Where it is asked for.
    Asked,
}

/// What decides about the value of a member: exchanges that have it in common have one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DecidedBy {
    Kind,
    Status,
    Connection,
    /// API and version.
    Api,
    ClientId,
    Topics,
    Errors,
    Day,
    /// Nothing that many exchanges have in common.
    Exchange,
}

impl DecidedBy {
    /// What exchanges may have in common.
    pub const SHARED: [DecidedBy; 8] = [
        DecidedBy::Kind,
        DecidedBy::Status,
        DecidedBy::Connection,
        DecidedBy::Api,
        DecidedBy::ClientId,
        DecidedBy::Topics,
        DecidedBy::Errors,
        DecidedBy::Day,
    ];
}

/// The members of one of the problems.
pub const PROBLEM: [(&str, FieldType); 8] = [
    ("kind", T::Text),
    ("severity", T::Text),
    ("code", T::Text),
    ("offset", T::Int),
    ("size", T::Int),
    ("path", T::Text),
    ("message", T::Text),
    ("buffer", T::Int),
];

const TLS: &[F] = &[F::TlsVersion, F::TlsSuite];

/// The columns that a list of exchanges has where nobody chooses, in order.
pub const USUAL_COLUMNS: [ExchangeField; 12] = [
    F::N,
    F::Time,
    F::Connection,
    F::Client,
    F::Server,
    F::Api,
    F::Version,
    F::ClientId,
    F::Topics,
    F::Bytes,
    F::LatencyMs,
    F::Errors,
];

struct Entry {
    name: &'static str,
    short: &'static str,
    head: &'static str,
    ty: FieldType,
    standing: Standing,
    decided_by: DecidedBy,
    value: for<'a> fn(Fields<'a>) -> FieldValue<'a>,
}

macro_rules! fields {
    ($(#[doc = $about:literal]
       $field:ident $name:literal $short:literal $head:literal $ty:expr, $standing:ident, $by:ident:
       $value:expr;)*) => {
        /// A member of the line of an exchange, or of an object in it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ExchangeField {
            $(#[doc = $about] $field,)*
        }

        impl ExchangeField {
            /// All of them, in the order in which help, completion and Parquet have them.
            pub const ALL: &[ExchangeField] = &[$(F::$field),*];

            fn entry(self) -> &'static Entry {
                match self {
                    $(F::$field => const { &Entry {
                        name: $name,
                        short: $short,
                        head: $head,
                        ty: $ty,
                        standing: Standing::$standing,
                        decided_by: DecidedBy::$by,
                        value: $value,
                    } },)*
                }
            }

            /// The member of this name; of one in an object, of this path.
            pub fn named(name: &str) -> Option<ExchangeField> {
                match name {
                    $($name => Some(F::$field),)*
                    _ => None,
                }
            }
        }
    };
}

// Name, shorter name of its column, what stands above that; type, where it stands, what decides about
// it; where it comes from.
fields! {
    /// Counts from 1, in the order in which exchanges were found.
    N "n" "n" "n" T::Int, Line, Exchange: |of| V::Int(of.exchange.n.into());
    /// Day of the first byte that was captured.
    Date "date" "date" "date" T::Text, Asked, Day: |of| text(Some(date(of.exchange.time())));
    /// That of the first byte that was captured.
    Time "time" "time" "time" T::Time, Asked, Exchange: |of| V::Time(of.exchange.time());
    /// Counts from 1.
    Connection "connection" "conn" "conn" T::Int, Line, Connection:
        |of| V::Int(of.exchange.connection.into());
    /// Address and port.
    Client "client" "client" "client" T::Text, Line, Connection:
        |of| text(of.connection().map(|ends| ends.client.to_string()));
    /// Address and port.
    Server "server" "server" "server" T::Text, Line, Connection:
        |of| text(of.connection().map(|ends| ends.server.to_string()));
    /// Whether it is of an API, or raw tokens of SASL.
    Kind "kind" "kind" "kind" T::Text, Line, Kind: |of| text(Some(of.exchange.kind.name()));
    /// As the request's header says.
    ApiKey "api_key" "key" "key" T::Int, Line, Api: |of| int(of.exchange.api.map(|(key, _)| key));
    /// Null for a key that no definition has.
    Api "api" "api" "API" T::Text, Line, Api:
        |of| text(of.exchange.api.and_then(|(key, _)| ApiKey(key).name()));
    /// As the request's header says.
    Version "version" "v" "v" T::Int, Line, Api:
        |of| int(of.exchange.api.map(|(_, version)| version));
    /// Of the request, or of a response without one.
    CorrelationId "correlation_id" "correlation_id" "correlation id" T::Int, Line, Exchange:
        |of| V::Int(of.exchange.correlation_id.into());
    /// What became of it.
    Status "status" "status" "status" T::Text, Line, Status:
        |of| text(Some(of.exchange.status.name()));
    /// Null where it is null, or the header cannot be read.
    ClientId "client_id" "client_id" "client id" T::Text, Line, ClientId:
        |of| text(of.exchange.client_id.map(|id| of.index.name(id)));
    /// Names in request and response, each once.
    Topics "topics" "topics" "topics" T::Texts, Line, Topics:
        |of| V::Texts(Box::new(of.index.topics(of.exchange).map(Cow::Borrowed)));
    /// Whether there are more topics than are kept.
    TopicsCut "topics_cut" "topics_cut" "topics cut" T::Bool, Sometimes, Exchange:
        |of| V::Bool(of.exchange.topics_cut);
    /// Those in the request and the response.
    Records "records" "records" "records" T::Int, Line, Exchange:
        |of| V::Int(of.exchange.records.into());
    /// Sizes of both messages together.
    Bytes "bytes" "bytes" "bytes" T::Int, Asked, Exchange: |of| {
        let sizes = [of.exchange.request, of.exchange.response].into_iter().flatten();
        V::Int(sizes.map(|message| i64::from(message.size)).sum())
    };
    /// Null when the capture does not hold it.
    Request "request" "request" "request" T::Message(Direction::Request), Line, Exchange:
        |of| message(of, Direction::Request);
    /// That of its first byte.
    RequestTime "request.time" "request_time" "request time" T::Time, Inside, Exchange:
        |of| time(of.exchange.request.map(|message| message.time));
    /// The packet with its first byte, counted from 1.
    RequestPacket "request.packet" "request_packet" "request packet" T::Int, Inside, Exchange:
        |of| packet(of.exchange.request.map(|message| message.packet));
    /// With the size prefix.
    RequestSize "request.size" "request_size" "request size" T::Int, Inside, Exchange:
        |of| int(of.exchange.request.map(|message| message.size));
    /// Null when the capture does not hold it.
    Response "response" "response" "response" T::Message(Direction::Response), Line, Exchange:
        |of| message(of, Direction::Response);
    /// That of its first byte.
    ResponseTime "response.time" "response_time" "response time" T::Time, Inside, Exchange:
        |of| time(of.exchange.response.map(|message| message.time));
    /// The packet with its first byte, counted from 1.
    ResponsePacket "response.packet" "response_packet" "response packet" T::Int, Inside, Exchange:
        |of| packet(of.exchange.response.map(|message| message.packet));
    /// With the size prefix.
    ResponseSize "response.size" "response_size" "response size" T::Int, Inside, Exchange:
        |of| int(of.exchange.response.map(|message| message.size));
    /// The packet with the first byte that was captured, counted from 1.
    Packet "packet" "packet" "packet" T::Int, Asked, Exchange: |of| {
        let first = of.exchange.request.or(of.exchange.response);
        packet(first.map(|message| message.packet))
    };
    /// From the last byte of the request to the first byte of the response.
    LatencyMs "latency_ms" "latency" "latency" T::Span, Line, Exchange:
        |of| span(of.exchange.latency());
    /// From the last byte of the request to the last byte of the response.
    LatencyLastMs "latency_last_ms" "latency_last" "to last" T::Span, Line, Exchange:
        |of| span(of.exchange.latency_to_last());
    /// For how long the response holds its client back.
    ThrottleMs "throttle_ms" "throttle" "throttle" T::Millis, Line, Exchange:
        |of| of.index.throttle_ms(of.exchange).map_or(V::Null, |ms| V::Millis(ms.into()));
    /// The latency without that, as far as it is in it.
    LatencyNetMs "latency_net_ms" "latency_net" "net latency" T::Span, Line, Exchange:
        |of| span(of.index.latency_net(of.exchange));
    /// Names of all error codes in the response, each once.
    Errors "errors" "error" "error" T::Texts, Line, Errors: |of| {
        let codes = of.index.errors(of.exchange).iter();
        V::Texts(Box::new(codes.map(|&code| match ErrorCode(code).name() {
            Some(name) => Cow::Borrowed(name),
            None => Cow::Owned(ErrorCode(code).to_string()),
        })))
    };
    /// What is wrong with the messages.
    Problems "problems" "problems" "problems" T::Problems, Line, Exchange:
        |of| V::Problems(of.exchange.problems);
    /// Version and suite, of decrypted connections.
    Tls "tls" "tls" "TLS" T::Group(TLS), Sometimes, Connection:
        |of| of.tls().map_or(V::Null, |_| V::Group(TLS));
    /// That of TLS, as in `TLS 1.3`.
    TlsVersion "tls.version" "tls_version" "TLS version" T::Text, Inside, Connection:
        |of| text(of.tls().map(|(version, _)| version.to_string()));
    /// The cipher suite.
    TlsSuite "tls.suite" "tls_suite" "TLS suite" T::Text, Inside, Connection:
        |of| text(of.tls().map(|(_, suite)| suite.to_string()));
    /// The name that the capture has for the address.
    ClientHost "client_host" "client_host" "client host" T::Text, Sometimes, Connection:
        |of| text(of.connection().and_then(|ends| of.session.capture().host(ends.client.addr)));
    /// The name that the capture has for the address.
    ServerHost "server_host" "server_host" "server host" T::Text, Sometimes, Connection:
        |of| text(of.connection().and_then(|ends| of.session.capture().host(ends.server.addr)));
    /// Address and port that the header of a proxy names; the client is the proxy.
    ProxiedClient "proxied_client" "proxied_client" "proxied client" T::Text, Sometimes, Connection: |of| {
        let client = of.index.proxied_client(of.exchange.connection);
        text(client.map(|client| client.to_string()))
    };
    /// The word that each line begins with.
    Type "type" "type" "type" T::Text, Line, Kind: |_| text(Some("exchange"));
}

impl FieldType {
    /// The members of an object.
    pub fn members(self) -> &'static [ExchangeField] {
        match self {
            T::Group(members) => members,
            T::Message(direction) => T::message_members(direction),
            _ => &[],
        }
    }

    /// Those of a message.
    pub fn message_members(direction: Direction) -> &'static [ExchangeField] {
        match direction {
            Direction::Request => &[F::RequestTime, F::RequestPacket, F::RequestSize],
            Direction::Response => &[F::ResponseTime, F::ResponsePacket, F::ResponseSize],
        }
    }
}

impl ExchangeField {
    /// The name of the member; of one in an object, its path.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// The last part of the name.
    pub fn part(self) -> &'static str {
        let name = self.name();
        name.split_once('.').map_or(name, |(_, part)| part)
    }

    /// What its column is called.
    pub fn short(self) -> &'static str {
        self.entry().short
    }

    /// What stands above its column.
    pub fn head(self) -> &'static str {
        self.entry().head
    }

    pub fn ty(self) -> FieldType {
        self.entry().ty
    }

    pub fn standing(self) -> Standing {
        self.entry().standing
    }

    pub fn decided_by(self) -> DecidedBy {
        self.entry().decided_by
    }

    /// Whether a column of it shows numbers, which stand to the right.
    pub fn is_number(self) -> bool {
        matches!(self.ty(), T::Int | T::Millis | T::Span | T::Problems)
    }
}

impl<'a> Fields<'a> {
    /// The value of a member.
    pub fn value(self, field: ExchangeField) -> FieldValue<'a> {
        (field.entry().value)(self)
    }

    fn connection(self) -> Option<&'a Connection> {
        self.index.connection(self.exchange.connection)
    }

    /// Version and cipher suite, where the connection was decrypted.
    fn tls(self) -> Option<(Version, Suite)> {
        self.connection()?.tls?.chosen
    }
}

fn int<'a>(number: Option<impl Into<i64>>) -> FieldValue<'a> {
    number.map_or(V::Null, |number| V::Int(number.into()))
}

/// No capture has more packets than that.
fn packet<'a>(number: Option<u64>) -> FieldValue<'a> {
    int(number.map(|number| i64::try_from(number).unwrap_or(i64::MAX)))
}

fn span<'a>(nanos: Option<i64>) -> FieldValue<'a> {
    nanos.map_or(V::Null, V::Span)
}

fn time<'a>(nanos: Option<i64>) -> FieldValue<'a> {
    nanos.map_or(V::Null, V::Time)
}

fn text<'a>(text: Option<impl Into<Cow<'a, str>>>) -> FieldValue<'a> {
    text.map_or(V::Null, |text| V::Text(text.into()))
}

fn message<'a>(of: Fields<'a>, direction: Direction) -> FieldValue<'a> {
    let message = of.exchange.message(direction);
    message.map_or(V::Null, |_| V::Group(T::message_members(direction)))
}
