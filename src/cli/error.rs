//! `error`: what an error code is.

use anyhow::anyhow;
use serde_json::json;

use super::{Outcome, args::ErrorArgs, output::Output};
use crate::explain::ErrorCode;

pub(super) fn run(args: &ErrorArgs, output: &mut Output) -> anyhow::Result<Outcome> {
    let code = ErrorCode::parse(&args.code).ok_or_else(|| {
        anyhow!(
            "{}: no Kafka error has this code or name; codes go from -1 to {}",
            args.code,
            ErrorCode::all().count().saturating_sub(2)
        )
    })?;
    let retriable = code.is_retriable().unwrap_or_default();
    if args.json {
        output.json(&json!({
            "type": "error",
            "code": code.0,
            "name": code.name(),
            "retriable": retriable,
        }))?;
    } else {
        let word = if retriable {
            "retriable"
        } else {
            "not retriable"
        };
        output.line(format_args!("{} {code} ({word})", code.0))?;
    }
    Ok(Outcome::Fine)
}
