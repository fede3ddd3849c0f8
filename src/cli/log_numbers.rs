//! Numbers in log lines, explained: what brokers and clients print of bytes that made no sense to
//! them. All that is said are facts about the bytes of the number.

use serde_json::{Value as Json, json};

use crate::{
    hextext::{LogNumber, NumberRole},
    kafka::Protocol,
    render::{ascii, escape_str, hex},
    schema::{ApiKey, Catalogue, Direction},
};

/// What begins with these bytes, where Kafka expects a size. Longer beginnings stand first.
const BEGINNINGS: [(&[u8], &str); 24] = [
    // IAC IP, IAC DO: what Ctrl-C sends.
    (b"\xff\xf4\xff\xfd", "telnet's interrupt (Ctrl-C)"),
    (b"\x16\x03", "a TLS handshake"),
    (b"\x15\x03", "a TLS alert"),
    (b"\x17\x03", "TLS application data"),
    (b"GET ", "an HTTP request"),
    (b"POST", "an HTTP request"),
    (b"HEAD", "an HTTP request"),
    (b"PUT ", "an HTTP request"),
    (b"OPTI", "an HTTP request"),
    (b"DELE", "an HTTP request"),
    (b"CONN", "an HTTP request"),
    (b"PATC", "an HTTP request"),
    (b"HTTP", "an HTTP response"),
    (b"PRI ", "an HTTP/2 connection"),
    (b"PROX", "a PROXY header"),
    (b"\r\n\r\n", "a PROXY header"),
    (b"SSH-", "an SSH connection"),
    (b"JRMI", "a Java RMI connection"),
    (b"\xac\xed\x00\x05", "a serialized Java object"),
    (b"AMQP", "an AMQP connection"),
    (b"\x03\x00\x00", "a remote desktop (RDP) connection"),
    (b"NTLM", "an NTLM token"),
    (b"NT", "an NTLM token"),
    (b"\x60\x82", "a GSSAPI token"),
];

/// Defaults that messages are compared with.
const LIMITS: [(i64, &str); 4] = [
    (104_857_600, "socket.request.max.bytes of brokers"),
    (524_288, "sasl.server.max.receive.size of brokers"),
    (1_048_588, "message.max.bytes of brokers"),
    (100_000_000, "receive.message.max.bytes of librdkafka"),
];

/// The numbers that were on the wire, each with what is said of it.
pub(super) fn explain(numbers: &[LogNumber]) -> Vec<Explained<'_>> {
    let mut explained = Vec::new();
    let mut api = None;
    for (idx, number) in numbers.iter().enumerate() {
        if number.role == NumberRole::ApiKey {
            api = i16::try_from(number.value).ok().map(ApiKey);
        }
        if number.role == NumberRole::Limit {
            continue;
        }
        let limit = numbers
            .get(idx + 1)
            .filter(|next| next.role == NumberRole::Limit && next.place.line == number.place.line);
        explained.push(Explained {
            number,
            api,
            limit: limit.map(|limit| limit.value),
        });
    }
    explained
}

/// A number with what stands beside it.
pub(super) struct Explained<'a> {
    number: &'a LogNumber,
    /// The API that the log named before.
    api: Option<ApiKey>,
    limit: Option<i64>,
}

impl Explained<'_> {
    /// What is said of it.
    pub(super) fn line(&self) -> String {
        let number = self.number;
        let octets: Vec<String> = number
            .bytes
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let text: String = number.bytes.iter().map(|&byte| ascii(byte)).collect();
        let mut line = format!(
            "{} {} ({}) is {} \"{}\" on the wire",
            number.place,
            number.value,
            role(number.role),
            octets.join(" "),
            escape_str(&text)
        );
        if let Some(compact) = compact(number) {
            line += &format!(", {} as a compact length", compact.join(" "));
        }
        if let Some(what) = guess(&number.bytes) {
            line += &format!("; {what} starts like this");
        }
        for fact in self.facts() {
            line += &format!("; {fact}");
        }
        line
    }

    /// The same as a line of JSON.
    pub(super) fn json(&self) -> Json {
        json!({
            "type": "number",
            "line": self.number.place.line,
            "column": self.number.place.column,
            "role": role(self.number.role),
            "value": self.number.value,
            "bytes": hex(&self.number.bytes).to_string(),
            "guess": guess(&self.number.bytes),
            "facts": self.facts(),
        })
    }

    fn facts(&self) -> Vec<String> {
        let value = self.number.value;
        let mut facts = Vec::new();
        match self.number.role {
            NumberRole::ApiKey => facts.extend(self.api.map(|key| match key.name() {
                Some(name) => format!("this is {name}"),
                None => "no API has this key".to_owned(),
            })),
            NumberRole::ApiVersion => facts.extend(self.api.and_then(|api| versions(api, value))),
            NumberRole::Size | NumberRole::StringLength | NumberRole::Count => {
                if value == -1 {
                    facts.push("lengths of -1 are null".to_owned());
                } else if value < 0 {
                    facts.push("no length is below 0, but for null, which is -1".to_owned());
                }
            }
            NumberRole::CorrelationId | NumberRole::Limit => {}
        }
        if let Some(limit) = self.limit {
            let default = LIMITS.iter().find(|(known, _)| *known == limit);
            facts.extend(default.map(|(_, name)| format!("{limit} is the default of {name}")));
        }
        facts
    }
}

/// Whether an API has a version.
fn versions(api: ApiKey, version: i64) -> Option<String> {
    let definition = Catalogue::current().api(api, Direction::Request)?;
    let is_known = i16::try_from(version).is_ok_and(|version| definition.ever.contains(version));
    let name = api.name()?;
    (!is_known).then(|| format!("{name} has versions {}", definition.ever))
}

/// The same length as flexible versions write it: one more, as an unsigned varint.
fn compact(number: &LogNumber) -> Option<Vec<String>> {
    if !matches!(number.role, NumberRole::StringLength | NumberRole::Count) {
        return None;
    }
    let mut rest = u32::try_from(number.value.checked_add(1)?).ok()?;
    let mut octets = Vec::new();
    while rest >= 0x80 {
        octets.push(format!("{:02x}", rest & 0x7f | 0x80));
        rest >>= 7;
    }
    octets.push(format!("{rest:02x}"));
    Some(octets)
}

/// What starts with these bytes: a size that no message has is often the beginning of another
/// protocol.
fn guess(bytes: &[u8]) -> Option<&'static str> {
    let known = BEGINNINGS
        .iter()
        .find(|(start, _)| bytes.starts_with(start));
    let known = known.map(|(_, what)| *what);
    known.or_else(|| Protocol::detect(bytes).map(Protocol::name))
}

fn role(role: NumberRole) -> &'static str {
    match role {
        NumberRole::Size => "size",
        NumberRole::StringLength => "string length",
        NumberRole::Count => "number of elements",
        NumberRole::ApiKey => "API key",
        NumberRole::ApiVersion => "API version",
        NumberRole::CorrelationId => "correlation id",
        NumberRole::Limit => "limit",
    }
}
