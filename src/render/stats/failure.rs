//! Error codes on a timeline.

use serde_json::{Value as Json, json};

use super::{iso, time_of_day};
use crate::{explain::ErrorCode, schema::ApiKey, stats::Failure};

/// The error with its API, and how often it came.
pub(super) fn failure(failure: &Failure) -> String {
    let Failure {
        api, code, count, ..
    } = *failure;
    let text = format!("{} to {}", ErrorCode(code), ApiKey(api));
    if count <= 1 {
        return text;
    }
    let until = time_of_day(failure.last_time);
    let last = failure.last;
    format!("{text}, {count} times until {until} (exchange {last})")
}

/// The same as an event.
pub(super) fn failure_json(failure: &Failure) -> Json {
    json!({
        "event": "error",
        "api_key": failure.api,
        "api": ApiKey(failure.api).name(),
        "error_code": failure.code,
        "error": ErrorCode(failure.code).to_string(),
        "count": failure.count,
        "last_n": failure.last,
        "last_time": iso(failure.last_time),
    })
}
