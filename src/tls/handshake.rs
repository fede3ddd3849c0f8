//! Handshake messages (RFC 8446, 4; RFC 5246, 7.4): cut out of records, of which one may hold
//! several and one message may need several; and what the two hellos say.

use super::limits;
use super::suite::{Suite, Version};
use crate::wire::{BufferId, Cursor, Fault};

/// What a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HandshakeType(pub(super) u8);

impl HandshakeType {
    pub(super) const CLIENT_HELLO: HandshakeType = HandshakeType(1);
    pub(super) const SERVER_HELLO: HandshakeType = HandshakeType(2);
    pub(super) const FINISHED: HandshakeType = HandshakeType(20);
    pub(super) const KEY_UPDATE: HandshakeType = HandshakeType(24);

    /// Whether it is one of those that the versions define.
    fn is_known(self) -> bool {
        matches!(self.0, 0..=5 | 8 | 11..=16 | 20..=25 | 67 | 254)
    }
}

/// A message, or as much of it as is of interest here: hellos whole, of others the type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Message {
    ClientHello(ClientHello),
    ServerHello(ServerHello),
    /// The client is asked to start again with another key share.
    HelloRetryRequest,
    Other(HandshakeType),
    /// A hello that cannot be read.
    Broken(HandshakeType),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ClientHello {
    pub(super) random: [u8; 32],
    /// The host that it wants to reach (RFC 6066, 3), if that reads as a name.
    pub(super) server_name: Option<Box<str>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ServerHello {
    pub(super) version: Version,
    pub(super) random: [u8; 32],
    pub(super) suite: Suite,
    pub(super) compressed: bool,
    /// RFC 7366.
    pub(super) encrypt_then_mac: bool,
}

/// SHA-256 of "HelloRetryRequest", the random that marks one (RFC 8446, 4.1.3).
const RETRY: [u8; 32] = [
    0xcf, 0x21, 0xad, 0x74, 0xe5, 0x9a, 0x61, 0x11, 0xbe, 0x1d, 0x8c, 0x02, 0x1e, 0x65, 0xb8, 0x91,
    0xc2, 0xa2, 0x11, 0x16, 0x7a, 0xbb, 0x8c, 0x5e, 0x07, 0x9e, 0x09, 0xe2, 0xc8, 0xa8, 0x33, 0x9c,
];

const SERVER_NAME: u16 = 0;
const ENCRYPT_THEN_MAC: u16 = 22;
const SUPPORTED_VERSIONS: u16 = 43;

/// The messages of one direction, as records bring them.
#[derive(Debug, Default)]
pub(super) struct Messages {
    /// Type and length of a message, as far as they have come.
    head: Vec<u8>,
    /// Bytes of the message that are still to come, once its head is there.
    left: Option<usize>,
    /// What has come of a hello.
    body: Vec<u8>,
}

impl Messages {
    /// Takes the content of a record; calls `found` for each message that it completes.
    pub(super) fn push(&mut self, content: &[u8], mut found: impl FnMut(Message)) {
        let mut rest = content;
        loop {
            let left = match self.left {
                Some(left) => left,
                None => {
                    let wanted = 4usize.saturating_sub(self.head.len());
                    let (head, behind) = rest.split_at(wanted.min(rest.len()));
                    self.head.extend_from_slice(head);
                    rest = behind;
                    let &[_, high, middle, low] = self.head.as_slice() else {
                        return;
                    };
                    u32::from_be_bytes([0, high, middle, low]) as usize
                }
            };
            let kind = HandshakeType(self.head.first().copied().unwrap_or_default());
            let (body, behind) = rest.split_at(left.min(rest.len()));
            rest = behind;
            let is_hello = matches!(
                kind,
                HandshakeType::CLIENT_HELLO | HandshakeType::SERVER_HELLO
            );
            if is_hello && self.body.len() + body.len() <= limits::MAX_HELLO {
                self.body.extend_from_slice(body);
            }
            if body.len() < left {
                self.left = Some(left - body.len());
                return;
            }
            found(Message::read(kind, &self.body));
            self.forget();
        }
    }

    /// What is left of a message will not come.
    pub(super) fn forget(&mut self) {
        self.head.clear();
        self.left = None;
        self.body = Vec::new();
    }

    /// Whether `content` can be the start of a record of messages in clear.
    pub(super) fn may_start(content: &[u8]) -> bool {
        match content {
            &[kind, 0, high, low, ..] => {
                HandshakeType(kind).is_known()
                    && (usize::from(u16::from_be_bytes([high, low])) + 4 <= content.len()
                        || content.len() >= 1 << 12)
            }
            _ => false,
        }
    }
}

impl Message {
    fn read(kind: HandshakeType, body: &[u8]) -> Message {
        let cursor = Cursor::new(body, BufferId::FRAME);
        let hello = match kind {
            HandshakeType::CLIENT_HELLO => client_hello(cursor).map(Message::ClientHello),
            HandshakeType::SERVER_HELLO => server_hello(cursor).map(|hello| {
                if hello.random == RETRY {
                    Message::HelloRetryRequest
                } else {
                    Message::ServerHello(hello)
                }
            }),
            _ => return Message::Other(kind),
        };
        hello.unwrap_or(Message::Broken(kind))
    }
}

fn client_hello(mut cursor: Cursor<'_>) -> Result<ClientHello, Fault> {
    cursor.u16()?;
    let random = cursor.array()?;
    Ok(ClientHello {
        random,
        // Nothing depends on it, so a hello without one, or that is broken behind, is one as well.
        server_name: server_name(cursor).ok().flatten(),
    })
}

/// The name in the extensions of a client's hello, of which everything up to the random was read.
fn server_name(mut cursor: Cursor<'_>) -> Result<Option<Box<str>>, Fault> {
    let session_id = usize::from(cursor.u8()?);
    cursor.take(session_id)?;
    let suites = usize::from(cursor.u16()?);
    cursor.take(suites)?;
    let compressions = usize::from(cursor.u8()?);
    cursor.take(compressions)?;
    let len = usize::from(cursor.u16()?);
    let mut extensions = cursor.window(len)?;
    while extensions.left() > 0 {
        let kind = extensions.u16()?;
        let len = usize::from(extensions.u16()?);
        let mut content = extensions.window(len)?;
        if kind != SERVER_NAME {
            continue;
        }
        // A list, of which there has only ever been one entry, of one type.
        content.u16()?;
        content.u8()?;
        let len = usize::from(content.u16()?);
        let name = std::str::from_utf8(content.take(len)?).ok();
        let reads =
            |name: &&str| (1..=255).contains(&name.len()) && !name.contains(char::is_control);
        return Ok(name.filter(reads).map(Into::into));
    }
    Ok(None)
}

fn server_hello(mut cursor: Cursor<'_>) -> Result<ServerHello, Fault> {
    let version = Version(cursor.u16()?);
    let random = cursor.array()?;
    let session_id = usize::from(cursor.u8()?);
    cursor.take(session_id)?;
    let mut hello = ServerHello {
        version,
        random,
        suite: Suite(cursor.u16()?),
        compressed: cursor.u8()? != 0,
        encrypt_then_mac: false,
    };
    // TLS 1.2 may end here.
    if cursor.left() == 0 {
        return Ok(hello);
    }
    let len = usize::from(cursor.u16()?);
    let mut extensions = cursor.window(len)?;
    while extensions.left() > 0 {
        let kind = extensions.u16()?;
        let len = usize::from(extensions.u16()?);
        let content = extensions.take(len)?;
        match (kind, content) {
            (ENCRYPT_THEN_MAC, []) => hello.encrypt_then_mac = true,
            (SUPPORTED_VERSIONS, &[high, low]) => {
                hello.version = Version(u16::from_be_bytes([high, low]));
            }
            _ => {}
        }
    }
    Ok(hello)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(records: &[&[u8]]) -> Vec<Message> {
        let mut messages = Messages::default();
        let mut found = Vec::new();
        for record in records {
            messages.push(record, |message| found.push(message));
        }
        found
    }

    /// A ServerHello by hand: TLS 1.3 in the extension, a session id of three bytes.
    fn hello() -> Vec<u8> {
        let mut body = vec![3, 3];
        body.extend([7; 32]);
        body.extend([3, 1, 2, 3, 0x13, 0x01, 0]);
        body.extend([0, 10, 0, 22, 0, 0, 0, 43, 0, 2, 3, 4]);
        let mut message = vec![2, 0, 0, body.len() as u8];
        message.extend(body);
        message
    }

    #[test]
    fn messages_are_found_however_records_cut_them() {
        let mut stream = hello();
        stream.extend([8, 0, 0, 2, 0, 0]);
        stream.extend([20, 0, 0, 0]);
        let whole = messages(&[&stream]);
        assert_eq!(
            whole,
            [
                Message::ServerHello(ServerHello {
                    version: Version::TLS13,
                    random: [7; 32],
                    suite: Suite(0x1301),
                    compressed: false,
                    encrypt_then_mac: true,
                }),
                Message::Other(HandshakeType(8)),
                Message::Other(HandshakeType::FINISHED),
            ]
        );
        for cut in 0..=stream.len() {
            assert_eq!(messages(&[&stream[..cut], &stream[cut..]]), whole, "{cut}");
        }
        let bytes: Vec<&[u8]> = stream.chunks(1).collect();
        assert_eq!(messages(&bytes), whole);
    }

    /// A ClientHello by hand: a session id of one byte, one suite, key shares, and then a name.
    fn named(name: &[u8]) -> Vec<u8> {
        let mut body = vec![3, 3];
        body.extend([9; 32]);
        body.extend([1, 5, 0, 2, 0x13, 0x01, 1, 0]);
        let mut extensions = vec![0, 51, 0, 2, 0, 0];
        let len = name.len() as u8;
        extensions.extend([0, 0, 0, len + 5, 0, len + 3, 0, 0, len]);
        extensions.extend(name);
        body.extend([0, extensions.len() as u8]);
        body.extend(extensions);
        let mut message = vec![1, 0, 0, body.len() as u8];
        message.extend(body);
        message
    }

    #[test]
    fn the_host_that_a_client_names_is_read_if_it_is_there() {
        let name_in = |message: &[u8]| match messages(&[message]).as_slice() {
            [Message::ClientHello(hello)] => {
                assert_eq!(hello.random, [9; 32]);
                hello.server_name.as_deref().map(str::to_owned)
            }
            other => panic!("{other:?}"),
        };
        let whole = named(b"broker-1.example");
        assert_eq!(name_in(&whole).as_deref(), Some("broker-1.example"));
        assert_eq!(name_in(&named(b"\x1b[31m")), None);
        assert_eq!(name_in(&named(b"")), None);
        for len in 34..whole.len() - 4 {
            let mut cut = whole[..4 + len].to_vec();
            cut[3] = len as u8;
            assert_eq!(name_in(&cut), None, "{len}");
        }
    }

    #[test]
    fn a_hello_that_is_cut_or_endless_is_broken() {
        let whole = hello();
        for len in 0..whole.len() - 4 {
            let mut cut = whole[..4 + len].to_vec();
            cut[3] = len as u8;
            let found = messages(&[&cut]);
            assert_eq!(found.len(), 1, "{len}");
            // TLS 1.2 hellos may end before the extensions.
            let complete =
                matches!(&found[0], Message::ServerHello(hello) if hello.version == Version::TLS12);
            assert!(
                complete == (len == 41) && (complete || matches!(found[0], Message::Broken(_))),
                "{len}"
            );
        }
        let mut long = vec![1, 0xff, 0xff, 0xff];
        long.resize(1 << 20, 3);
        let mut messages = Messages::default();
        messages.push(&long, |_| panic!("it has not ended"));
        assert!(messages.body.len() <= limits::MAX_HELLO);
    }
}
