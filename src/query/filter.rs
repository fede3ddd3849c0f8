//! Which exchanges are wanted: an expression in CEL, the Common Expression Language.
//!
//! What comes in is the text and, one by one, exchanges; what goes out is whether each is wanted.
//! First an exchange is asked without a look into its messages. In CEL `false && unknown` is false
//! and `true || unknown` is true, so where the rest of the expression decides, nothing is decoded.
//! Only what is left open is asked again, now with what the messages hold.

use std::{ops::Range, sync::Arc};

use cel::{Context, Env, IdedExpr, Value, common::types::CelBool, context::VariableResolver};

use super::{
    check::{Needs, check},
    constants::fold,
    mistake::{Mistake, operator},
    places::Places,
    row::{Row, Variables},
};
use crate::{
    schema::Direction,
    session::{Exchange, Index, Session},
};

/// An expression that can work.
pub struct Filter {
    expr: IdedExpr,
    /// The functions and constants of the expression.
    context: Context<'static, 'static>,
    needs: Needs,
    doubts: Vec<Mistake>,
}

impl Filter {
    /// Reads an expression.
    ///
    /// # Errors
    /// What is wrong with it: a syntax error, a name that nothing has, values that are never equal.
    pub fn parse(text: &str) -> Result<Filter, Mistake> {
        let env = Env::stdlib().with_optional_support(false);
        let program = env.compile(text).map_err(|errors| {
            let first = errors.errors.first();
            let column = first.map_or(1, |error| error.pos.1);
            let line = first.map_or(1, |error| error.pos.0);
            let at = position(text, line, column);
            let said = first.map_or("", |error| error.msg.as_str());
            if let Some((_, limit)) = said.split_once("Recursion limit of ") {
                let limit = limit.split(' ').next().unwrap_or_default();
                return Mistake::new(text, 0..1, format!("this is nested more than {limit} deep"));
            }
            match spelled_out(text, at) {
                Some((place, word, operator)) => {
                    Mistake::new(text, place, format!("found {word}, expected {operator}"))
                }
                None => Mistake::new(text, at..at + 1, syntax(text, at, said)),
            }
        })?;
        let mut expr = program.expression().clone();
        let (needs, doubts) = check(text, &expr, program.source_info())?;
        let places = Places {
            text,
            info: program.source_info(),
        };
        let mut context = Context::with_env(Arc::new(env));
        fold(&mut expr, &places, &mut context)?;
        Ok(Filter {
            expr,
            context,
            needs,
            doubts,
        })
    }

    /// What it asks for that no exchange will ever have, each at its place, with the nearest name.
    pub fn doubts(&self) -> &[Mistake] {
        &self.doubts
    }

    /// Whether `exchange` is wanted. What it lacks makes the expression false.
    pub fn takes(&self, session: &Session, index: &Index, exchange: &Exchange) -> bool {
        let mut row = Row::new(session, index, exchange);
        if let Some(is_wanted) = self.evaluate(&row, None) {
            return is_wanted;
        }
        if !self.needs.decoded {
            return false;
        }
        row.decodes = true;
        if !self.needs.either {
            return self.evaluate(&row, None) == Some(true);
        }
        // Those of the request, else those of the response.
        [Direction::Request, Direction::Response]
            .into_iter()
            .filter(|&direction| exchange.message(direction).is_some())
            .any(|direction| self.evaluate(&row, Some(direction)) == Some(true))
    }

    /// The value of the expression; `None` where it has none.
    fn evaluate(&self, row: &Row<'_>, body: Option<Direction>) -> Option<bool> {
        let variables = Variables { row, body };
        evaluate(&self.expr, &self.context, &variables)
    }
}

fn evaluate<'r>(
    expr: &IdedExpr,
    context: &Context<'_, 'r>,
    variables: &'r dyn VariableResolver,
) -> Option<bool> {
    let mut scope = context.new_inner_scope();
    scope.set_variable_resolver(variables);
    let value = Value::resolve_val(expr, &scope).ok()?;
    value.downcast_ref::<CelBool>().map(|value| *value.inner())
}

/// The character at a line and column, which count from 1.
fn position(text: &str, line: isize, column: isize) -> usize {
    let line = usize::try_from(line - 1).unwrap_or(0);
    let before = text.split_inclusive('\n').take(line);
    let before: usize = before.map(|line| line.chars().count()).sum();
    before + usize::try_from(column - 1).unwrap_or(0)
}

/// An operator that other languages spell out, at `at` or right before it: its place, the word, and
/// what it is here.
fn spelled_out(text: &str, at: usize) -> Option<(Range<usize>, String, &'static str)> {
    let chars: Vec<char> = text.chars().collect();
    let is_word = |idx: usize| {
        chars
            .get(idx)
            .is_some_and(|c| c.is_alphanumeric() || *c == '_')
    };
    let spelled = |start: usize| {
        let end = (start..).find(|&idx| !is_word(idx))?;
        let word: String = chars.get(start..end)?.iter().collect();
        let operator = operator(&word)?;
        Some((start..end, word, operator))
    };
    let before = chars.get(..at.min(chars.len()))?;
    let end = before
        .iter()
        .rposition(|c| !c.is_whitespace())
        .map_or(0, |idx| idx + 1);
    let start = (0..end)
        .rev()
        .find(|&idx| !is_word(idx))
        .map_or(0, |idx| idx + 1);
    let here = (at..chars.len()).find(|&idx| !chars.get(idx).is_some_and(|c| c.is_whitespace()));
    here.and_then(spelled).or_else(|| spelled(start))
}

/// What the parser has to say, in words.
fn syntax(text: &str, at: usize, said: &str) -> String {
    let rest: String = text.chars().skip(at).collect();
    let found = match rest.trim_start().chars().next() {
        None => "the end".to_owned(),
        Some(c) => c.to_string(),
    };
    let said = said.strip_prefix("Syntax error: ").unwrap_or(said);
    if found == "=" && !rest.trim_start().starts_with("==") {
        return "found =, expected ==".to_owned();
    }
    if matches!(found.as_str(), "\"" | "'") && said.starts_with("token recognition") {
        return format!("found a text that has no {found} at its end");
    }
    if found == "|" || found == "&" {
        return format!("found {found}, expected {found}{found}");
    }
    if let Some(token) = said.strip_prefix("missing ") {
        let token = token.split(" at ").next().unwrap_or(token);
        return format!("found {found}, expected {}", token.trim_matches('\''));
    }
    if said.starts_with("mismatched") || said.starts_with("no viable") {
        return format!("found {found}, expected a value, as in api == \"Fetch\"");
    }
    if said.starts_with("extraneous") {
        return format!("found {found}, expected an operator, as && or ==, or the end");
    }
    if said.starts_with("token recognition") {
        return format!("found {found}, which is no part of an expression");
    }
    said.to_owned()
}
