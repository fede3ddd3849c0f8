//! Reads the parts of SASL tokens into events.
//!
//! What proves who somebody is (passwords, proofs, bearer tokens, Kerberos tickets) has the role
//! of a secret, which outputs hide.

use super::sasl::{Token, der_length, gs2_header};
use crate::{
    event::{
        Code, Meaning, Node, Place, Prefix, Role, Section, Severity, Shape, Sink, Value, Walker,
    },
    wire::{Cursor, Span},
};

/// How outputs are told of a part.
#[derive(Clone, Copy)]
struct Part {
    name: &'static str,
    role: Role,
    about: &'static str,
}

const fn plain(name: &'static str, about: &'static str) -> Part {
    let role = Role::Plain;
    Part { name, role, about }
}

const fn secret(name: &'static str, about: &'static str) -> Part {
    let role = Role::Secret;
    Part { name, role, about }
}

const AUTHZID: Part = plain("authzid", "user to act as, empty for the same");
const FLAG: Part = plain(
    "channel_binding_flag",
    "n: the client does not bind to the TLS channel, y: it would",
);

impl Token {
    /// Reads all of the window as a token of this form.
    pub fn read<S: Sink>(self, walker: &mut Walker<'_, S>, cursor: &mut Cursor<'_>) {
        match self {
            Token::Plain => user_and_password(walker, cursor),
            Token::ScramClientFirst => {
                header(walker, cursor);
                attributes(walker, cursor);
            }
            Token::ScramServerFirst | Token::ScramClientFinal | Token::ScramServerFinal => {
                attributes(walker, cursor);
            }
            Token::Oauthbearer => {
                header(walker, cursor);
                pairs(walker, cursor);
            }
            Token::OauthbearerError => {
                let error = plain("error", "why the token was refused, as JSON (RFC 7628)");
                let len = cursor.left();
                text(walker, error, len, cursor);
            }
            Token::Gssapi => gssapi(walker, cursor),
            Token::GssapiWrap => wrap(walker, cursor),
        }
    }
}

fn user_and_password<S: Sink>(walker: &mut Walker<'_, S>, cursor: &mut Cursor<'_>) {
    for part in [AUTHZID, plain("authcid", "user who logs in")] {
        text(walker, part, up_to(0, cursor), cursor);
        mark(walker, "separator", 1, cursor);
    }
    let password = secret("password", "password of the user");
    text(walker, password, cursor.left(), cursor);
}

/// `n,[a=authzid],`
fn header<S: Sink>(walker: &mut Walker<'_, S>, cursor: &mut Cursor<'_>) {
    let found = std::str::from_utf8(cursor.rest()).ok().and_then(gs2_header);
    let Some((flag, authzid, _)) = found else {
        return;
    };
    text(walker, FLAG, flag.len(), cursor);
    mark(walker, "separator", 1, cursor);
    if let Some(name) = authzid.strip_prefix("a=") {
        mark(walker, "attribute", 2, cursor);
        text(walker, AUTHZID, name.len(), cursor);
    }
    mark(walker, "separator", 1, cursor);
}

/// `letter=value`, with commas between.
fn attributes<S: Sink>(walker: &mut Walker<'_, S>, cursor: &mut Cursor<'_>) {
    let mut n_others = 0;
    while cursor.left() > 0 {
        let len = up_to(b',', cursor);
        let part = match cursor.rest() {
            &[letter, b'=', ..] => attribute(letter),
            _ => None,
        };
        match part {
            Some(part) if len >= 2 => {
                mark(walker, "attribute", 2, cursor);
                text(walker, part, len - 2, cursor);
            }
            _ => extension(walker, &mut n_others, len, cursor),
        }
        mark(walker, "separator", 1, cursor);
    }
}

fn attribute(letter: u8) -> Option<Part> {
    Some(match letter {
        b'a' => AUTHZID,
        b'n' => plain(
            "user",
            "user who logs in; =2C is a comma, =3D an equals sign",
        ),
        b'r' => plain(
            "nonce",
            "random text of the client, then that of the server",
        ),
        b's' => plain("salt", "salt of the password, base64"),
        b'i' => plain("iterations", "rounds of hashing the password"),
        b'c' => plain("channel_binding", "header of the first token, base64"),
        b'p' => secret("proof", "proves that the client knows the password, base64"),
        b'v' => secret(
            "signature",
            "proves that the server knows the password, base64",
        ),
        b'e' => plain("error", "why the server refuses"),
        _ => return None,
    })
}

/// `0x01 key=value 0x01 ... 0x01`
fn pairs<S: Sink>(walker: &mut Walker<'_, S>, cursor: &mut Cursor<'_>) {
    if !cursor.rest().ends_with(&[1, 1]) {
        let span = Span::new(cursor.buffer(), cursor.at(), cursor.end());
        let message = "the token does not end with two bytes 0x01 (RFC 7628)".to_owned();
        let code = Code::Embedded;
        walker.problem(Severity::Warning, code, Place::Here, span, message);
    }
    mark(walker, "separator", 1, cursor);
    let mut n_others = 0;
    while cursor.left() > 0 {
        let len = up_to(1, cursor);
        if cursor.rest().starts_with(b"auth=") {
            mark(walker, "key", "auth=".len(), cursor);
            let value = len - "auth=".len();
            let scheme = up_to(b' ', cursor);
            if scheme < value {
                let part = plain("scheme", "kind of the token, Bearer");
                text(walker, part, scheme, cursor);
                mark(walker, "separator", 1, cursor);
                let token = secret("token", "the token that the client has");
                text(walker, token, value - scheme - 1, cursor);
            } else {
                text(walker, secret("token", ""), value, cursor);
            }
        } else if len > 0 {
            extension(walker, &mut n_others, len, cursor);
        }
        mark(walker, "separator", 1, cursor);
    }
}

fn extension<S: Sink>(
    walker: &mut Walker<'_, S>,
    n_others: &mut u32,
    len: usize,
    cursor: &mut Cursor<'_>,
) {
    let part = plain("extensions", "an extension, as name=value");
    let node = Node {
        index: Some(*n_others),
        ..node(part, "string")
    };
    *n_others += 1;
    let from = cursor.at();
    if let Ok(content) = cursor.take(len) {
        let value = Value::String(content, Prefix::None);
        walker.value(&node, value, cursor.since(from));
    }
}

/// `0x60`, a length, the mechanism, and what belongs to that (RFC 2743 section 3.1).
fn gssapi<S: Sink>(walker: &mut Walker<'_, S>, cursor: &mut Cursor<'_>) {
    const KERBEROS: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x12, 0x01, 0x02, 0x02];
    const SPNEGO: &[u8] = &[0x2b, 0x06, 0x01, 0x05, 0x05, 0x02];
    mark(walker, "tag", 1, cursor);
    let length = der_length(cursor.rest()).map_or(0, |(_, taken)| taken);
    mark(walker, "length", length, cursor);
    let oid = cursor.rest().get(1..).and_then(der_length);
    let Some((len, taken)) = oid.filter(|&(len, taken)| 1 + taken + len <= cursor.left()) else {
        return;
    };
    let mechanism = cursor
        .rest()
        .get(1 + taken..1 + taken + len)
        .unwrap_or_default();
    let about = match mechanism {
        KERBEROS => "object id of the mechanism: Kerberos 5",
        SPNEGO => "object id of the mechanism: SPNEGO",
        _ => "object id of the mechanism",
    };
    mark(walker, "oid_tag", 1 + taken, cursor);
    bytes(walker, plain("mechanism", about), len, cursor);
    if mechanism == KERBEROS {
        token_id(walker, cursor);
    }
    let token = secret(
        "token",
        "what the mechanism says, of no use but to its sides",
    );
    bytes(walker, token, cursor.left(), cursor);
}

/// A wrap token of Kerberos (RFC 4121 section 4.2.6.2).
fn wrap<S: Sink>(walker: &mut Walker<'_, S>, cursor: &mut Cursor<'_>) {
    token_id(walker, cursor);
    let flags = "1: sent by the server, 2: encrypted, 4: with a key of the server";
    bytes(walker, plain("flags", flags), 1, cursor);
    mark(walker, "filler", 1, cursor);
    for (name, about) in [
        ("extra_count", "bytes of filling or of the checksum"),
        ("right_rotation", "bytes by which the content is rotated"),
    ] {
        let from = cursor.at();
        if let Ok(number) = cursor.u16() {
            let node = node(plain(name, about), "uint16");
            walker.value(&node, Value::Uint16(number), cursor.since(from));
        }
    }
    let from = cursor.at();
    if let Ok(number) = cursor.i64() {
        let node = node(plain("sequence", "number of the token"), "int64");
        walker.value(&node, Value::Int64(number), cursor.since(from));
    }
    let content = plain("content", "layers of protection, or data of the connection");
    bytes(walker, content, cursor.left(), cursor);
}

fn token_id<S: Sink>(walker: &mut Walker<'_, S>, cursor: &mut Cursor<'_>) {
    let from = cursor.at();
    let Ok(id) = cursor.u16() else {
        return;
    };
    let about = match id {
        0x0100 => "kind of the token: AP-REQ, the client's ticket",
        0x0200 => "kind of the token: AP-REP, the server's answer",
        0x0300 => "kind of the token: an error",
        0x0404 => "kind of the token: a checksum",
        0x0504 => "kind of the token: wrapped content",
        _ => "kind of the token",
    };
    let node = node(plain("token_id", about), "uint16");
    walker.value(&node, Value::Uint16(id), cursor.since(from));
}

/// Bytes up to the next `end`, or the end.
fn up_to(end: u8, cursor: &Cursor<'_>) -> usize {
    memchr::memchr(end, cursor.rest()).unwrap_or(cursor.left())
}

fn text<S: Sink>(walker: &mut Walker<'_, S>, part: Part, len: usize, cursor: &mut Cursor<'_>) {
    let from = cursor.at();
    if let Ok(content) = cursor.take(len) {
        let value = Value::String(content, Prefix::None);
        walker.value(&node(part, "string"), value, cursor.since(from));
    }
}

fn bytes<S: Sink>(walker: &mut Walker<'_, S>, part: Part, len: usize, cursor: &mut Cursor<'_>) {
    let from = cursor.at();
    if let Ok(content) = cursor.take(len) {
        let value = Value::Bytes(content, Prefix::None);
        walker.value(&node(part, "bytes"), value, cursor.since(from));
    }
}

/// What only stands between the parts; at the end there is none.
fn mark<S: Sink>(
    walker: &mut Walker<'_, S>,
    name: &'static str,
    len: usize,
    cursor: &mut Cursor<'_>,
) {
    let from = cursor.at();
    match cursor.take(len) {
        Ok(content) if len > 0 => {
            let value = Value::Bytes(content, Prefix::None);
            let (role, section) = (Role::Encoding, Section::Request);
            walker.encoding(name, "bytes", role, section, value, cursor.since(from));
        }
        _ => {}
    }
}

fn node(part: Part, ty: &'static str) -> Node {
    Node {
        name: part.name,
        index: None,
        shape: Shape::Leaf { ty },
        role: part.role,
        meaning: Meaning::Plain,
        section: Section::Request,
        about: part.about,
    }
}
