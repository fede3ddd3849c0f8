//! Columns of a list, by name.
//!
//! What comes in is a text as `n,api,latency` or `+throttle,-client`; what goes out are columns. A
//! column is a member of the JSON contract, some by a shorter name as well, or a field of a message
//! by its path.

use serde_json::Value as Json;

use super::{
    mistake::{Mistake, suggestion},
    path::{Bodies, Path},
};
use crate::{
    render::{
        ExchangeField as F, ExchangeRow, client_host, date, escape_str, latency_text, server_host,
        time_of_day, tls_of, tls_text,
    },
    session::{Exchange, Index, Session},
};

/// A column of a list.
#[derive(Clone, Debug)]
pub struct Column {
    /// The member in JSON.
    pub(super) member: String,
    /// What stands above it in a table.
    pub(super) head: String,
    pub(super) is_number: bool,
    pub(super) source: Source,
}

/// Where the values of a column come from.
#[derive(Clone, Debug)]
pub(super) enum Source {
    Field(F),
    Path(Path),
}

/// A member of the contract as a column.
struct Known {
    field: F,
    /// A shorter name.
    short: &'static str,
    head: &'static str,
    is_number: bool,
    /// Whether it is shown without being asked for.
    is_default: bool,
}

macro_rules! known {
    ($($field:ident $short:literal $head:literal $number:literal $default:literal;)*) => {
        /// All of them, in the order in which tables show them.
        const KNOWN: &[Known] = &[$(Known {
            field: F::$field,
            short: $short,
            head: $head,
            is_number: $number,
            is_default: $default,
        }),*];
    };
}

known! {
    N "n" "n" true true;
    Date "date" "date" false false;
    Time "time" "time" false true;
    Connection "conn" "conn" true true;
    Client "client" "client" false true;
    Server "server" "server" false true;
    ClientHost "client_host" "client host" false false;
    ServerHost "server_host" "server host" false false;
    Tls "tls" "TLS" false false;
    TlsVersion "tls_version" "TLS version" false false;
    TlsSuite "tls_suite" "TLS suite" false false;
    Kind "kind" "kind" false false;
    ApiKey "key" "key" true false;
    Api "api" "API" false true;
    Version "v" "v" true true;
    CorrelationId "correlation_id" "correlation id" true false;
    Status "status" "status" false false;
    ClientId "client_id" "client id" false true;
    Topics "topics" "topics" false true;
    TopicsCut "topics_cut" "topics cut" false false;
    Records "records" "records" true false;
    Bytes "bytes" "bytes" true true;
    RequestSize "request_size" "request size" true false;
    ResponseSize "response_size" "response size" true false;
    Packet "packet" "packet" true false;
    RequestPacket "request_packet" "request packet" true false;
    ResponsePacket "response_packet" "response packet" true false;
    RequestTime "request_time" "request time" false false;
    ResponseTime "response_time" "response time" false false;
    LatencyMs "latency" "latency" true true;
    LatencyLastMs "latency_last" "to last" true false;
    ThrottleMs "throttle" "throttle" true false;
    LatencyNetMs "latency_net" "net latency" true false;
    Errors "error" "error" false true;
    Problems "problems" "problems" true false;
    Type "type" "type" false false;
    Request "request" "request" false false;
    Response "response" "response" false false;
}

/// The short names of the columns that are members of the contract.
pub fn column_names() -> impl Iterator<Item = &'static str> + Clone {
    KNOWN.iter().map(|known| known.short)
}

/// The member that a column shows which is known by another name.
pub(super) fn member_of_column(name: &str) -> Option<&'static str> {
    let is_called = |known: &&Known| {
        known.short == name || known.head == name || known.head.eq_ignore_ascii_case(name)
    };
    let member = KNOWN.iter().find(is_called)?.field.name();
    (member != name).then_some(member)
}

/// The columns that are shown without being asked for.
pub(super) fn default_columns() -> Vec<Column> {
    let shown = KNOWN.iter().filter(|known| known.is_default);
    shown.map(Column::of).collect()
}

/// The same with the day in front of the time, for rows of several days.
pub(super) fn dated_columns() -> Vec<Column> {
    let shown = KNOWN
        .iter()
        .filter(|known| known.is_default || known.field == F::Date);
    shown.map(Column::of).collect()
}

/// Reads a list of columns, separated by commas. `+name` adds to the columns before it and `-name`
/// removes from them; those of a list are the default ones as long as it has nothing but such.
///
/// # Errors
/// A name that no column has, one that is removed and not there, or a list without columns.
pub fn columns(list: &str) -> Result<Vec<Column>, Mistake> {
    columns_from(list, default_columns)
}

/// The same where other columns are the usual ones.
pub(super) fn columns_from(
    list: &str,
    usual: impl Fn() -> Vec<Column>,
) -> Result<Vec<Column>, Mistake> {
    let is_signed = |name: &str| name.trim_start().starts_with(['+', '-']);
    let mut columns = match list.split(',').all(is_signed) {
        true => usual(),
        false => Vec::new(),
    };
    let mut at = 0;
    for part in list.split(',') {
        let bare = part.trim();
        let name = bare.trim_start_matches(['+', '-']);
        let skipped = part.chars().count() - part.trim_start().chars().count();
        let from = at + skipped + bare.chars().count() - name.chars().count();
        let column = Column::parse(list, from, name)?;
        if bare.starts_with('-') {
            let before = columns.len();
            columns.retain(|other| other.member != column.member);
            if columns.len() == before {
                let sentence = format!("{name} is not shown, so it cannot be taken away");
                return Err(Mistake::new(
                    list,
                    from..from + name.chars().count(),
                    sentence,
                ));
            }
        } else {
            columns.push(column);
        }
        at += part.chars().count() + 1;
    }
    if columns.is_empty() {
        return Err(Mistake::new(
            list,
            0..list.chars().count(),
            "no column is left",
        ));
    }
    Ok(columns)
}

impl Column {
    fn of(known: &Known) -> Column {
        Column {
            member: known.field.name().to_owned(),
            head: known.head.to_owned(),
            is_number: known.is_number,
            source: Source::Field(known.field),
        }
    }

    /// Those of members of the contract.
    pub(super) fn of_fields(fields: &[F]) -> Vec<Column> {
        let known = |field: &F| KNOWN.iter().find(|known| known.field == *field);
        fields.iter().filter_map(known).map(Column::of).collect()
    }

    /// The column of this name.
    ///
    /// # Errors
    /// No column has it.
    pub fn named(name: &str) -> Result<Column, Mistake> {
        Column::parse(name, 0, name)
    }

    /// Whether this is the same as another, by whatever name.
    pub fn is(&self, other: &Column) -> bool {
        self.member == other.member
    }

    /// Whether its values are numbers.
    pub fn is_number(&self) -> bool {
        self.is_number
    }

    /// The column `name`, which stands in `text` from character `at` on.
    pub(super) fn parse(text: &str, at: usize, name: &str) -> Result<Column, Mistake> {
        let mut known = KNOWN.iter();
        if let Some(known) = known.find(|k| k.field.name() == name || k.short == name) {
            return Ok(Column::of(known));
        }
        if let Some(path) = Path::parse(text, at, name) {
            let path = path?;
            return Ok(Column {
                member: name.to_owned(),
                head: name.to_owned(),
                is_number: path.is_number,
                source: Source::Path(path),
            });
        }
        let names = KNOWN.iter().flat_map(|k| [k.field.name(), k.short]);
        let known = match suggestion(name, names) {
            near if near.is_empty() => {
                let names: Vec<&str> = column_names().collect();
                format!(
                    "; there are {}, and fields as body.Topics[].Name",
                    names.join(", ")
                )
            }
            near => near,
        };
        let what = if name.is_empty() {
            "an empty name"
        } else {
            name
        };
        Err(Mistake::new(
            text,
            at..at + name.chars().count(),
            format!("there is no column {what}{known}"),
        ))
    }

    /// Whether it shows times, of which a part says little.
    pub(super) fn is_time(&self) -> bool {
        let times = [F::Time, F::RequestTime, F::ResponseTime];
        matches!(self.source, Source::Field(field) if times.contains(&field))
    }

    /// Whether messages have to be decoded for it.
    pub(super) fn is_decoded(&self) -> bool {
        matches!(self.source, Source::Path(_))
    }

    /// The text of an exchange in this column, safe to show. `row` has its usual texts.
    pub(super) fn text(
        &self,
        row: &ExchangeRow,
        session: &Session,
        index: &Index,
        exchange: &Exchange,
        bodies: &mut Bodies<'_>,
    ) -> String {
        let field = match &self.source {
            Source::Field(field) => *field,
            Source::Path(path) => {
                let values = path.values(bodies);
                let texts: Vec<String> = values.iter().map(shown).collect();
                return texts.join(",");
            }
        };
        let (request, response) = (exchange.request, exchange.response);
        let number = |number: Option<u64>| number.map_or_else(String::new, |n| n.to_string());
        let tls = || tls_of(index, exchange);
        let host = |name: Option<String>| name.map_or_else(String::new, |name| escape_str(&name));
        let latency = |nanos: Option<i64>| nanos.map_or_else(String::new, latency_text);
        match field {
            F::N => row.n.clone(),
            F::Time => row.time.clone(),
            F::Connection => row.connection.clone(),
            F::Client => row.client.clone(),
            F::Server => row.server.clone(),
            F::Api => row.api.clone(),
            F::Version => row.version.clone(),
            F::ClientId => row.client_id.clone(),
            F::Topics => row.topics.clone(),
            F::Bytes => row.bytes.clone(),
            F::LatencyMs => row.latency.clone(),
            F::Errors => row.error.clone(),
            F::Type => "exchange".to_owned(),
            F::Date => date(exchange.time()),
            F::ClientHost => host(client_host(session, index, exchange)),
            F::ServerHost => host(server_host(session, index, exchange)),
            F::Tls => tls_text(index, exchange).unwrap_or_default(),
            F::TlsVersion => tls().map_or_else(String::new, |tls| tls.0.to_string()),
            F::TlsSuite => tls().map_or_else(String::new, |tls| tls.1.to_string()),
            F::Kind => exchange.kind.name().to_owned(),
            F::ApiKey => exchange
                .api
                .map_or_else(String::new, |(key, _)| key.to_string()),
            F::CorrelationId => exchange.correlation_id.to_string(),
            F::TopicsCut => exchange.topics_cut.to_string(),
            F::Status => exchange.status.name().to_owned(),
            F::Records => exchange.records.to_string(),
            F::Problems => exchange.problems.to_string(),
            F::RequestSize => number(request.map(|m| m.size.into())),
            F::ResponseSize => number(response.map(|m| m.size.into())),
            F::Packet => number(request.or(response).map(|m| m.packet)),
            F::RequestPacket => number(request.map(|m| m.packet)),
            F::ResponsePacket => number(response.map(|m| m.packet)),
            F::RequestTime => request.map_or_else(String::new, |m| time_of_day(m.time)),
            F::ResponseTime => response.map_or_else(String::new, |m| time_of_day(m.time)),
            F::LatencyLastMs => latency(exchange.latency_to_last()),
            F::LatencyNetMs => latency(index.latency_net(exchange)),
            F::ThrottleMs => {
                let ms = index.throttle_ms(exchange);
                ms.map_or_else(String::new, |ms| format!("{ms} ms"))
            }
            F::Request | F::Response => {
                let message = if field == F::Request {
                    request
                } else {
                    response
                };
                message.map_or_else(String::new, |m| {
                    format!(
                        "packet {}, {} bytes, {}",
                        m.packet,
                        m.size,
                        time_of_day(m.time)
                    )
                })
            }
        }
    }
}

/// A decoded value as a cell shows it.
fn shown(json: &Json) -> String {
    match json {
        Json::String(text) => escape_str(text),
        json => escape_str(&json.to_string()).replace("\\\"", "\""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &str) -> Vec<String> {
        let columns = columns(list).unwrap();
        columns.into_iter().map(|column| column.member).collect()
    }

    #[test]
    fn lists_are_read_and_change_the_usual_columns() {
        assert_eq!(names("n, latency_ms,error"), ["n", "latency_ms", "errors"]);
        let default: Vec<String> = default_columns().into_iter().map(|c| c.member).collect();
        assert_eq!(names("+kind,-n")[..2], default[1..3]);
        assert_eq!(names("+kind").last().unwrap(), "kind");
        assert_eq!(names("n,+v,-n"), ["version"]);
        assert_eq!(
            names("body.Topics[].Name,response.body.ThrottleTimeMs").len(),
            2
        );
    }

    #[test]
    fn wrong_names_are_told_with_the_nearest() {
        for (list, place, said) in [
            ("n,latncy", 2..8, "latency"),
            ("n,body.Tpoics", 7..13, "Topics"),
            ("n,", 2..2, "empty"),
            ("-kind", 1..5, "kind"),
            ("n,-n", 0..4, "no column"),
            ("body.Topics[x]", 5..11, "[0]"),
        ] {
            let mistake = columns(list).unwrap_err();
            let expected = Mistake::new(list, place, mistake.to_string());
            assert_eq!(mistake, expected, "{list}");
            assert!(mistake.to_string().contains(said), "{mistake}");
        }
    }
}
