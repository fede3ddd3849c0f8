//! Parts of an expression that are the same for every exchange, computed once.
//!
//! Times, durations and patterns are written as text. They are read when the expression is, so that
//! one that cannot be read is a mistake at its place, and costs nothing for every exchange.

use std::sync::Arc;

use cel::{
    Context, IdedExpr, Value,
    common::ast::{CallExpr, EntryExpr, Expr, LiteralValue},
    extractors::This,
};
use regex::Regex;

use super::{mistake::Mistake, places::Places};

/// Replaces constant calls in `expr` by names that `context` is given.
///
/// # Errors
/// A text that is no time, no duration or no pattern.
pub(super) fn fold(
    expr: &mut IdedExpr,
    places: &Places<'_>,
    context: &mut Context<'static, 'static>,
) -> Result<(), Mistake> {
    Folder {
        places,
        context,
        n_folded: 0,
    }
    .fold(expr)
}

struct Folder<'f> {
    places: &'f Places<'f>,
    context: &'f mut Context<'static, 'static>,
    n_folded: usize,
}

impl Folder<'_> {
    fn fold(&mut self, expr: &mut IdedExpr) -> Result<(), Mistake> {
        if let Expr::Call(call) = &expr.expr
            && let Some(folded) = self.call(expr, call)?
        {
            expr.expr = folded;
        }
        match &mut expr.expr {
            Expr::Call(call) => {
                for part in call.target.as_deref_mut().into_iter().chain(&mut call.args) {
                    self.fold(part)?;
                }
            }
            Expr::Comprehension(parts) => {
                for part in [
                    &mut parts.iter_range,
                    &mut parts.accu_init,
                    &mut parts.loop_cond,
                    &mut parts.loop_step,
                    &mut parts.result,
                ] {
                    self.fold(part)?;
                }
            }
            Expr::List(list) => {
                for part in &mut list.elements {
                    self.fold(part)?;
                }
            }
            Expr::Map(map) => {
                for entry in &mut map.entries {
                    if let EntryExpr::MapEntry(entry) = &mut entry.expr {
                        self.fold(&mut entry.key)?;
                        self.fold(&mut entry.value)?;
                    }
                }
            }
            Expr::Select(select) => self.fold(&mut select.operand)?,
            Expr::Ident(_) | Expr::Literal(_) | Expr::Struct(_) | Expr::Unspecified => {}
        }
        Ok(())
    }

    fn call(&mut self, expr: &IdedExpr, call: &CallExpr) -> Result<Option<Expr>, Mistake> {
        let Some(last) = call.args.last() else {
            return Ok(None);
        };
        let Expr::Literal(LiteralValue::String(text)) = &last.expr else {
            return Ok(None);
        };
        let name = call.func_name.as_str();
        match name {
            "timestamp" | "duration" => {
                let value = Value::resolve(expr, self.context);
                let value = value.map_err(|_| {
                    let like = match name {
                        "timestamp" => "a time as 2026-11-01T10:00:00Z",
                        _ => "a duration as 1h30m, 1.5s or 200ms",
                    };
                    self.places.mistake(last, format!("{name} takes {like}"))
                })?;
                let name = self.name();
                self.context.add_variable_from_value(name.clone(), value);
                Ok(Some(Expr::Ident(name)))
            }
            "matches" => {
                let pattern = Regex::new(text.inner()).map_err(|error| {
                    let error = error.to_string();
                    let reason = error.lines().last().unwrap_or_default();
                    let reason = reason.trim_start_matches("error: ");
                    self.places
                        .mistake(last, format!("this is no regular expression: {reason}"))
                })?;
                let name = self.name();
                let matches = move |This(text): This<Arc<String>>| pattern.is_match(&text);
                // The name is new, so that it cannot be taken.
                if self.context.add_function(&name, matches).is_err() {
                    return Ok(None);
                }
                let of = match (&call.target, &call.args[..]) {
                    (Some(target), _) => target.clone(),
                    (None, [of, _]) => Box::new(of.clone()),
                    _ => return Ok(None),
                };
                Ok(Some(Expr::Call(CallExpr {
                    func_name: name,
                    target: Some(of),
                    args: Vec::new(),
                })))
            }
            _ => Ok(None),
        }
    }

    /// A name that nobody can type.
    fn name(&mut self) -> String {
        self.n_folded += 1;
        format!("@{}", self.n_folded)
    }
}
