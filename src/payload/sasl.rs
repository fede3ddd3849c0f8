//! Which SASL token bytes are: PLAIN (RFC 4616), SCRAM (RFC 5802), OAUTHBEARER (RFC 7628), and the
//! wrappings of GSSAPI (RFC 2743, RFC 4121).
//!
//! The messages that carry tokens do not say the mechanism, so each form is known by what no other
//! can be. Reading them is the matter of [`sasl_read`](super::sasl_read).

use serde_json::Value as Json;

/// The forms of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// User and password.
    Plain,
    /// User and nonce.
    ScramClientFirst,
    /// Nonce, salt and iterations.
    ScramServerFirst,
    /// The proof that the client knows the password.
    ScramClientFinal,
    /// The signature by which the server proves the same, or an error.
    ScramServerFinal,
    /// A bearer token.
    Oauthbearer,
    /// Why a bearer token was refused.
    OauthbearerError,
    /// The first tokens of a GSSAPI exchange, which name their mechanism.
    Gssapi,
    /// A later one of Kerberos, that wraps what both sides agree on.
    GssapiWrap,
}

impl Token {
    /// The form of `bytes`, if it is one of these.
    pub fn of(bytes: &[u8]) -> Option<Token> {
        if bytes.starts_with(&[0x60]) {
            return der_length(bytes.get(1..)?)
                .is_some_and(|(len, at)| {
                    bytes.len() == 1 + at + len && bytes.get(1 + at) == Some(&6)
                })
                .then_some(Token::Gssapi);
        }
        if bytes.starts_with(&[5, 4]) && bytes.get(3) == Some(&0xff) && bytes.len() >= 16 {
            return Some(Token::GssapiWrap);
        }
        if is_plain(bytes) {
            return Some(Token::Plain);
        }
        let text = std::str::from_utf8(bytes).ok()?;
        if is_bearer(text) {
            return Some(Token::Oauthbearer);
        }
        if text.chars().any(char::is_control) {
            return None;
        }
        if text.starts_with('{') {
            let json: Json = serde_json::from_str(text).ok()?;
            return json.get("status").map(|_| Token::OauthbearerError);
        }
        scram(text)
    }

    /// Whether `name` is that of a form, whatever its case.
    pub fn is_name(name: &str) -> bool {
        Token::ALL
            .iter()
            .any(|token| token.name().eq_ignore_ascii_case(name))
    }

    const ALL: [Token; 9] = [
        Token::Plain,
        Token::ScramClientFirst,
        Token::ScramServerFirst,
        Token::ScramClientFinal,
        Token::ScramServerFinal,
        Token::Oauthbearer,
        Token::OauthbearerError,
        Token::Gssapi,
        Token::GssapiWrap,
    ];

    /// The name of the structure in outputs.
    pub fn name(self) -> &'static str {
        match self {
            Token::Plain => "SaslPlain",
            Token::ScramClientFirst => "SaslScramClientFirst",
            Token::ScramServerFirst => "SaslScramServerFirst",
            Token::ScramClientFinal => "SaslScramClientFinal",
            Token::ScramServerFinal => "SaslScramServerFinal",
            Token::Oauthbearer => "SaslOauthbearer",
            Token::OauthbearerError => "SaslOauthbearerError",
            Token::Gssapi => "SaslGssapi",
            Token::GssapiWrap => "SaslGssapiWrap",
        }
    }
}

/// `[authzid] NUL authcid NUL passwd`
fn is_plain(bytes: &[u8]) -> bool {
    let mut parts = bytes.split(|&byte| byte == 0);
    let (Some(authzid), Some(user), Some(password), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    // The names are text. A password may be anything, and one that is not taken for one is shown.
    let is_name =
        |name: &[u8]| std::str::from_utf8(name).is_ok_and(|name| !name.contains(char::is_control));
    !password.is_empty() && is_name(authzid) && is_name(user)
}

/// The parts of `n,[a=authzid],` and what comes behind.
pub(super) fn gs2_header(text: &str) -> Option<(&str, &str, &str)> {
    let (flag, rest) = text.split_once(',')?;
    let (authzid, rest) = rest.split_once(',')?;
    let is_flag = matches!(flag, "n" | "y") || flag.starts_with("p=");
    let is_authzid = authzid.is_empty() || authzid.starts_with("a=");
    (is_flag && is_authzid).then_some((flag, authzid, rest))
}

/// A header, then `key=value` pairs with 0x01 before and behind each and at the end. Who forgets
/// the end has written a token all the same.
fn is_bearer(text: &str) -> bool {
    let Some((_, _, pairs)) = gs2_header(text) else {
        return false;
    };
    pairs.starts_with('\u{1}') && pairs.contains("\u{1}auth=")
}

fn scram(text: &str) -> Option<Token> {
    if let Some((_, _, rest)) = gs2_header(text) {
        return starts(rest, &['n', 'r']).then_some(Token::ScramClientFirst);
    }
    if starts(text, &['r', 's', 'i']) {
        return Some(Token::ScramServerFirst);
    }
    let last = text.rsplit(',').next()?;
    if starts(text, &['c', 'r']) && last.starts_with("p=") {
        return Some(Token::ScramClientFinal);
    }
    (starts(text, &['v']) || starts(text, &['e'])).then_some(Token::ScramServerFinal)
}

/// Whether `text` is attributes, the first of which have these letters.
fn starts(text: &str, letters: &[char]) -> bool {
    let mut parts = text.split(',');
    letters.iter().all(|&letter| {
        parts.next().is_some_and(|part| {
            part.strip_prefix(letter)
                .and_then(|rest| rest.strip_prefix('='))
                .is_some_and(|value| !value.is_empty())
        })
    }) && parts.all(|part| {
        // Extensions have longer names, as that of tokens from a delegation.
        let name = part.split_once('=').map_or("", |(name, _)| name);
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphabetic())
    })
}

/// A length as DER writes it: its value, and the number of bytes that it takes.
pub(super) fn der_length(bytes: &[u8]) -> Option<(usize, usize)> {
    let (&first, rest) = bytes.split_first()?;
    if first < 0x80 {
        return Some((first.into(), 1));
    }
    let n_bytes = usize::from(first & 0x7f);
    if !(1..=4).contains(&n_bytes) {
        return None;
    }
    let length = rest
        .get(..n_bytes)?
        .iter()
        .fold(0usize, |length, &byte| length << 8 | usize::from(byte));
    Some((length, 1 + n_bytes))
}
