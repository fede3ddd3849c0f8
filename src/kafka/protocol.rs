//! What a connection speaks that is not Kafka, told by its first bytes.

use std::fmt;

/// A protocol that is met on Kafka's ports, or beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Protocol {
    Http,
    Http2,
    Tls,
    /// A TLS alert, which is what a TLS endpoint says to clear text.
    TlsAlert,
    ZooKeeper,
    Redis,
    Smpp,
    Ssh,
    Amqp,
    Mqtt,
    Postgres,
    MySql,
    Smtp,
    Websocket,
    Bgp,
    Dns,
    Memcached,
    /// None that is known here.
    Unknown,
}

impl Protocol {
    /// The name that people know.
    pub fn name(self) -> &'static str {
        match self {
            Protocol::Http => "HTTP",
            Protocol::Http2 => "HTTP/2",
            Protocol::Tls => "TLS",
            Protocol::TlsAlert => "TLS alert",
            Protocol::ZooKeeper => "ZooKeeper",
            Protocol::Redis => "Redis",
            Protocol::Smpp => "SMPP",
            Protocol::Ssh => "SSH",
            Protocol::Amqp => "AMQP",
            Protocol::Mqtt => "MQTT",
            Protocol::Postgres => "PostgreSQL",
            Protocol::MySql => "MySQL",
            Protocol::Smtp => "SMTP",
            Protocol::Websocket => "WebSocket",
            Protocol::Bgp => "BGP",
            Protocol::Dns => "DNS",
            Protocol::Memcached => "memcached",
            Protocol::Unknown => "unknown",
        }
    }

    /// The protocol of a stream that starts with `bytes`.
    pub fn detect(bytes: &[u8]) -> Option<Protocol> {
        let starts = |words: &[&[u8]]| words.iter().any(|word| bytes.starts_with(word));
        Some(match bytes {
            [0x15, 0x03, 0x00..=0x04, 0x00, 0x02, ..] => Protocol::TlsAlert,
            // A record header: handshake, change of cipher or data, a version, at most 2^14+2048.
            [0x14 | 0x16 | 0x17, 0x03, 0x00..=0x04, 0x00..=0x48, _, ..] => Protocol::Tls,
            _ if starts(&[b"PRI * HTTP/2.0"]) => Protocol::Http2,
            _ if starts(HTTP) => Protocol::Http,
            _ if starts(&[b"SSH-"]) => Protocol::Ssh,
            _ if starts(&[b"AMQP\0", b"AMQP\x03"]) => Protocol::Amqp,
            [b'a'..=b'z', ..] if starts(ZOOKEEPER_WORDS) => Protocol::ZooKeeper,
            _ if is_zookeeper_connect(bytes) => Protocol::ZooKeeper,
            _ if is_redis(bytes) => Protocol::Redis,
            _ if is_smpp(bytes) => Protocol::Smpp,
            // Connect: remaining length, then the protocol's name.
            [0x10, _, 0x00, 0x04, b'M', b'Q', b'T', b'T', ..] => Protocol::Mqtt,
            [0x00, 0x00, 0x00, 0x08, 0x04, 0xd2, 0x16, 0x2f | 0x30, ..] => Protocol::Postgres,
            [
                0x00,
                0x00,
                _,
                _,
                0x00,
                0x03,
                0x00,
                0x00,
                b'u',
                b's',
                b'e',
                b'r',
                0,
                ..,
            ] => Protocol::Postgres,
            // The server's greeting: length, sequence 0, protocol 10, a version in digits.
            [_, 0x00, 0x00, 0x00, 0x0a, b'0'..=b'9', ..] => Protocol::MySql,
            _ if starts(&[b"220 ", b"220-", b"EHLO ", b"HELO "]) => Protocol::Smtp,
            _ if bytes.starts_with(&[0xff; 16]) => Protocol::Bgp,
            _ if is_dns(bytes) => Protocol::Dns,
            _ if is_memcached(bytes) => Protocol::Memcached,
            _ => return None,
        })
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

const HTTP: &[&[u8]] = &[
    b"GET ",
    b"POST ",
    b"PUT ",
    b"HEAD ",
    b"DELETE ",
    b"OPTIONS ",
    b"PATCH ",
    b"CONNECT ",
    b"TRACE ",
    b"HTTP/1.",
];

/// The four-letter words of ZooKeeper's administrator guide.
const ZOOKEEPER_WORDS: &[&[u8]] = &[
    b"ruok", b"stat", b"srvr", b"mntr", b"conf", b"envi", b"cons", b"dump", b"wchs", b"wchc",
    b"wchp", b"isro", b"imok", b"dirs", b"crst", b"srst", b"gtmk", b"stmk", b"hash",
];

/// A ConnectRequest: protocol version 0, a zxid, a timeout, a session, a password of 16 bytes.
fn is_zookeeper_connect(bytes: &[u8]) -> bool {
    matches!(bytes, [0, 0, 0, 44 | 45, 0, 0, 0, 0, ..]) && bytes.get(28..32) == Some(&[0, 0, 0, 16])
}

fn is_redis(bytes: &[u8]) -> bool {
    let line = |rest: &[u8]| {
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        (1..=9).contains(&digits) && rest.get(digits..digits + 2) == Some(b"\r\n")
    };
    match bytes {
        [b'*' | b'$' | b':', rest @ ..] => line(rest),
        _ => [
            &b"+OK\r\n"[..],
            b"+PONG",
            b"-ERR ",
            b"-NOAUTH",
            b"PING\r\n",
            b"-WRONGTYPE",
        ]
        .iter()
        .any(|word| bytes.starts_with(word)),
    }
}

/// A PDU whose length counts itself, with a command of SMPP 3.4 and a status of zero. Read as
/// Kafka it would be a frame four bytes longer than what is there.
fn is_smpp(bytes: &[u8]) -> bool {
    let Some((head, _)) = bytes.split_first_chunk::<16>() else {
        return false;
    };
    let [0, 0, _, len, response, 0, 0, command, 0, 0, 0, 0, ..] = *head else {
        return false;
    };
    let binds = matches!(command, 0x01 | 0x02 | 0x09) && len > 16;
    let plain = matches!(command, 0x06 | 0x15) && len == 16;
    matches!(response, 0x00 | 0x80)
        && (binds || plain)
        // A whole PDU ends where it says, which for Kafka would be too early.
        && (bytes.len() == usize::from(len) || plain)
}

/// A query or answer with one question, whose first label reads as a name (RFC 1035 section 4.2.2).
fn is_dns(bytes: &[u8]) -> bool {
    let Some((&head, [label, name @ ..])) = bytes.split_first_chunk::<14>() else {
        return false;
    };
    let [0, 13..=0xff, _, _, high, low, 0, 1, _, _, _, _, _, _] = head else {
        return false;
    };
    let is_standard = high & 0x78 == 0 && low & 0x70 == 0;
    let name = name.get(..usize::from(*label)).unwrap_or(name);
    let reads = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    is_standard && (1..64).contains(label) && !name.is_empty() && name.iter().all(reads)
}

/// A packet of memcached's binary protocol: magic, a known opcode, a key and extras within the body.
fn is_memcached(bytes: &[u8]) -> bool {
    let Some((&head, _)) = bytes.split_first_chunk::<24>() else {
        return false;
    };
    let [
        0x80 | 0x81,
        0x00..=0x24,
        k0,
        k1,
        extras,
        0,
        _,
        _,
        b0,
        b1,
        b2,
        b3,
        ..,
    ] = head
    else {
        return false;
    };
    let inside = u32::from(u16::from_be_bytes([k0, k1])) + u32::from(extras);
    let body = u32::from_be_bytes([b0, b1, b2, b3]);
    inside <= body && body <= 1 << 20
}
