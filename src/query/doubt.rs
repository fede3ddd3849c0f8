//! What an expression asks for that no exchange will ever have, though it could be asked.
//!
//! A mistake is refused. This is carried out as it stands, and is told: errors are more with each
//! release, the text of the column `error` is put together of words, and a field that one API lacks
//! another may have.

use std::collections::HashSet;

use cel::{
    IdedExpr,
    common::ast::{Expr, LiteralValue, operators as op},
};

use super::{mistake::suggestion, ty::Ty};
use crate::{
    explain::{ErrorCode, UNKNOWN_ERROR},
    render::ERROR_WORDS,
    schema::ApiKey,
};

/// What is doubtful about a text that one of `errors` is compared with: it is no error.
pub(super) fn unknown_error(text: &str) -> Option<String> {
    let near = unknown(text, &error_names())?;
    Some(format!("no exchange has the error {text}{near}"))
}

/// What is doubtful about a text that the column `error` is compared with: a part of it is no error, and
/// nothing else that the column says.
pub(super) fn unknown_cell(text: &str) -> Option<String> {
    let mut names = error_names();
    names.extend(ERROR_WORDS);
    let mut parts = text.split(", ").filter(|part| !part.is_empty());
    let (part, near) = parts.find_map(|part| Some((part, unknown(part, &names)?)))?;
    Some(format!(
        "error is the text of that column, which never says {part}{near}"
    ))
}

/// Those that an exchange can have: the code 0 is left out.
fn error_names() -> Vec<&'static str> {
    let errors = ErrorCode::all().filter(|code| *code != ErrorCode::NONE);
    errors.filter_map(ErrorCode::name).collect()
}

/// What is meant instead of a text that is none of the names; `None` if it is one.
fn unknown(text: &str, names: &[&str]) -> Option<String> {
    // Codes that no release knows have names of their own.
    if names.contains(&text) || text.starts_with(UNKNOWN_ERROR) {
        return None;
    }
    if Some(text) == ErrorCode::NONE.name() {
        return Some("; where nothing is wrong, errors.size() == 0".to_owned());
    }
    Some(suggestion(text, names.iter().copied()))
}

/// The API that every exchange is of for which all of `parts` are true.
pub(super) fn api_of(parts: &[IdedExpr]) -> Option<ApiKey> {
    parts.iter().find_map(|part| {
        let Expr::Call(call) = &part.expr else {
            return None;
        };
        match (call.func_name.as_str(), &call.args[..]) {
            (op::LOGICAL_AND, parts) => api_of(parts),
            (op::EQUALS, [a, b]) => compared(a, b).or_else(|| compared(b, a)),
            _ => None,
        }
    })
}

fn compared(variable: &IdedExpr, literal: &IdedExpr) -> Option<ApiKey> {
    let (Expr::Ident(name), Expr::Literal(literal)) = (&variable.expr, &literal.expr) else {
        return None;
    };
    match (name.as_str(), literal) {
        ("api", LiteralValue::String(text)) => {
            let text = text.inner();
            ApiKey::all().find(|api| api.name() == Some(text))
        }
        ("api_key", LiteralValue::Int(key)) => i16::try_from(*key.inner()).ok().map(ApiKey),
        _ => None,
    }
}

/// What is doubtful about member `name` of something in the messages of an API: these have none.
pub(super) fn absent(api: ApiKey, of: &Ty, name: &str) -> Option<String> {
    let mut names = of.of_api(api)?.select(name).err()?;
    let known = match suggestion(name, names.iter().copied()) {
        near if near.is_empty() => {
            let mut seen = HashSet::new();
            names.retain(|&name| seen.insert(name));
            format!("; there are {}", names.join(", "))
        }
        near => near,
    };
    Some(format!(
        "no message of {api} has a field {name} there{known}"
    ))
}
