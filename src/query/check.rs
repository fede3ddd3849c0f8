//! Whether an expression can work, before anything is read.
//!
//! What comes in is a parsed expression; what goes out is what it needs of an exchange, or the first
//! mistake in it. Types are followed as far as definitions tell them, and what they leave open is
//! let pass: values of an unknown type, and null, which any field may be.

use std::ops::Range;

use cel::{
    IdedExpr,
    common::ast::{
        CallExpr, ComprehensionExpr, EntryExpr, Expr, LiteralValue, SelectExpr, SourceInfo,
        operators as op,
    },
};

use super::{
    column::member_of_column,
    doubt::{absent, api_of, unknown_error},
    functions::{FUNCTIONS, Takes},
    mistake::{Mistake, operator, suggestion},
    ty::{Ty, variables},
};
use crate::{
    explain::{ErrorCode, UNKNOWN_ERROR},
    schema::ApiKey,
    session::{Kind, Status},
};

/// What an expression looks at beside the facts that the index holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Needs {
    /// `body` or `embedded`, which stand for those of either message.
    pub(super) either: bool,
    /// Anything that a message has to be decoded for.
    pub(super) decoded: bool,
}

/// Checks an expression that is to be true or false. Beside what it needs come doubts: what can be asked,
/// and no exchange will ever have.
///
/// # Errors
/// The first mistake, in the order in which the expression is evaluated.
pub(super) fn check(
    text: &str,
    expr: &IdedExpr,
    info: &SourceInfo,
) -> Result<(Needs, Vec<Mistake>), Mistake> {
    let mut checker = Checker {
        places: Places { text, info },
        scopes: Vec::new(),
        variables: variables(),
        needs: Needs::default(),
        api: None,
        doubts: Vec::new(),
    };
    let ty = checker.infer(expr)?;
    checker.wants_bool(expr, &ty)?;
    Ok((checker.needs, checker.doubts))
}

/// Where the parts of an expression were typed.
pub(super) struct Places<'e> {
    pub(super) text: &'e str,
    pub(super) info: &'e SourceInfo,
}

impl Places<'_> {
    pub(super) fn mistake(&self, expr: &IdedExpr, sentence: String) -> Mistake {
        Mistake::new(self.text, self.of(expr), sentence)
    }

    /// The characters that best stand for `expr`.
    fn of(&self, expr: &IdedExpr) -> Range<usize> {
        let token = self.token(expr);
        match &expr.expr {
            Expr::Select(select) => self.behind(token.end, &select.field),
            Expr::Call(call) if !call.func_name.contains(['_', '@']) => {
                self.before(token.start, &call.func_name)
            }
            _ => token,
        }
    }

    fn token(&self, expr: &IdedExpr) -> Range<usize> {
        let (start, stop) = self.info.offset_for(expr.id).unwrap_or_default();
        // The parser counts bytes.
        let n_chars = |end: u32| {
            let before = self.text.char_indices();
            before.take_while(|&(at, _)| at < end as usize).count()
        };
        let start = n_chars(start);
        start..n_chars(stop.saturating_add(1)).max(start + 1)
    }

    /// `name` where it comes next.
    fn behind(&self, from: usize, name: &str) -> Range<usize> {
        let text: Vec<char> = self.text.chars().collect();
        let wanted: Vec<char> = name.chars().collect();
        let rest = text.get(from..).unwrap_or_default();
        let found = rest.windows(wanted.len().max(1)).position(|w| w == wanted);
        let start = from + found.unwrap_or(0);
        start..start + wanted.len()
    }

    /// `name` where it came last.
    fn before(&self, to: usize, name: &str) -> Range<usize> {
        let text: Vec<char> = self.text.chars().take(to).collect();
        let wanted: Vec<char> = name.chars().collect();
        let found = text.windows(wanted.len().max(1)).rposition(|w| w == wanted);
        match found {
            Some(start) => start..start + wanted.len(),
            None => to..to + 1,
        }
    }
}

struct Checker<'e> {
    places: Places<'e>,
    /// Variables of macros, innermost last.
    scopes: Vec<(String, Ty)>,
    variables: Vec<(&'static str, Ty)>,
    needs: Needs,
    /// The API that all exchanges are of for which what is being checked matters.
    api: Option<ApiKey>,
    doubts: Vec<Mistake>,
}

impl Checker<'_> {
    fn mistake<T>(&self, expr: &IdedExpr, sentence: String) -> Result<T, Mistake> {
        Err(self.places.mistake(expr, sentence))
    }

    fn infer(&mut self, expr: &IdedExpr) -> Result<Ty, Mistake> {
        match &expr.expr {
            Expr::Literal(literal) => Ok(match literal {
                LiteralValue::Boolean(_) => Ty::Bool,
                LiteralValue::Bytes(_) => Ty::Bytes,
                LiteralValue::Double(_) => Ty::Double,
                LiteralValue::Int(_) | LiteralValue::UInt(_) => Ty::Int,
                LiteralValue::Null => Ty::Null,
                LiteralValue::String(_) => Ty::Text,
            }),
            Expr::Ident(name) => self.variable(expr, name),
            Expr::Select(select) => self.select(expr, select),
            Expr::Call(call) => match &call.target {
                None => self.operator(expr, call),
                Some(target) => {
                    let of = self.infer(target)?;
                    self.function(expr, call, Some((target, of)))
                }
            },
            Expr::List(list) => {
                let mut element = Ty::Null;
                for expr in &list.elements {
                    element = element.or(self.infer(expr)?);
                }
                Ok(Ty::List(Box::new(match element {
                    Ty::Null => Ty::Any,
                    ty => ty,
                })))
            }
            Expr::Map(map) => {
                for entry in &map.entries {
                    if let EntryExpr::MapEntry(entry) = &entry.expr {
                        self.infer(&entry.key)?;
                        self.infer(&entry.value)?;
                    }
                }
                Ok(Ty::Any)
            }
            Expr::Comprehension(comprehension) => self.comprehension(comprehension),
            Expr::Struct(_) | Expr::Unspecified => self.mistake(
                expr,
                "an expression makes no objects; it compares members".to_owned(),
            ),
        }
    }

    fn variable(&mut self, expr: &IdedExpr, name: &str) -> Result<Ty, Mistake> {
        if let Some((_, ty)) = self.scopes.iter().rev().find(|(known, _)| known == name) {
            return Ok(ty.clone());
        }
        if let Some((_, ty)) = self.variables.iter().find(|(known, _)| *known == name) {
            self.needs.decoded |= matches!(name, "body" | "embedded" | "problems");
            self.needs.either |= matches!(name, "body" | "embedded");
            return Ok(ty.clone());
        }
        let names = || self.variables.iter().map(|&(known, _)| known);
        if let Some(member) = member_of_column(name) {
            return self.mistake(
                expr,
                format!("{name} is the name of a column; here it is {member}"),
            );
        }
        let known = match suggestion(name, names()) {
            near if near.is_empty() => {
                format!("; there are {}", names().collect::<Vec<_>>().join(", "))
            }
            near => near,
        };
        self.mistake(expr, format!("an exchange has no {name}{known}"))
    }

    fn select(&mut self, expr: &IdedExpr, select: &SelectExpr) -> Result<Ty, Mistake> {
        let of = self.infer(&select.operand)?;
        let ty = self.member(expr, &of, &select.field)?;
        Ok(if select.test { Ty::Bool } else { ty })
    }

    fn member(&mut self, expr: &IdedExpr, of: &Ty, name: &str) -> Result<Ty, Mistake> {
        let names = match of.select(name) {
            Ok(ty) => {
                self.needs.decoded |=
                    matches!(of, Ty::Object(_)) && matches!(name, "body" | "embedded");
                let doubt = self.api.and_then(|api| absent(api, of, name));
                self.doubts
                    .extend(doubt.map(|doubt| self.places.mistake(expr, doubt)));
                return Ok(ty);
            }
            Err(names) => names,
        };
        if let Some(sentence) = self.api.and_then(|api| absent(api, of, name)) {
            return self.mistake(expr, sentence);
        }
        let sentence = match of {
            Ty::List(_) => format!(
                "a list has no {name}, its elements may have; as in LIST.exists(x, x.{name} == ...)"
            ),
            Ty::Bodies(_) | Ty::Structs(_) | Ty::Object(_) => {
                let what = match of {
                    Ty::Bodies(_) => "no message has",
                    Ty::Structs(_) => "nothing at this place of any message has",
                    _ => "it has no",
                };
                let what = match of {
                    Ty::Object(_) => format!("{what} {name}"),
                    _ => format!("{what} a field {name}"),
                };
                let near = suggestion(name, names.iter().copied());
                format!("{what}{near}")
            }
            of => format!("{} has no {name}", of.word()),
        };
        self.mistake(expr, sentence)
    }

    fn wants_bool(&self, expr: &IdedExpr, ty: &Ty) -> Result<(), Mistake> {
        match ty {
            Ty::Bool | Ty::Any | Ty::Null => Ok(()),
            ty => self.mistake(
                expr,
                format!("true or false is expected here, and this is {}", ty.word()),
            ),
        }
    }

    fn operator(&mut self, expr: &IdedExpr, call: &CallExpr) -> Result<Ty, Mistake> {
        if !call.func_name.contains(['_', '@']) {
            return self.function(expr, call, None);
        }
        let outer = self.api;
        if call.func_name == op::LOGICAL_AND {
            self.api = api_of(&call.args).or(outer);
        }
        let mut types = Vec::new();
        for arg in &call.args {
            types.push(self.infer(arg)?);
        }
        self.api = outer;
        match (call.func_name.as_str(), &call.args[..], &types[..]) {
            (op::LOGICAL_AND | op::LOGICAL_OR | op::LOGICAL_NOT | op::NOT_STRICTLY_FALSE, ..) => {
                for (arg, ty) in call.args.iter().zip(&types) {
                    self.wants_bool(arg, ty)?;
                }
                Ok(Ty::Bool)
            }
            (op::CONDITIONAL, [condition, _, _], [ty, yes, no]) => {
                self.wants_bool(condition, ty)?;
                Ok(yes.clone().or(no.clone()))
            }
            (op::EQUALS | op::NOT_EQUALS, [a, b], [of_a, of_b]) => {
                if !of_a.is_like(of_b) {
                    return self.mistake(expr, never_equal(of_a, of_b));
                }
                self.is_value(a, b)?;
                self.is_value(b, a)?;
                Ok(Ty::Bool)
            }
            (op::LESS | op::LESS_EQUALS | op::GREATER | op::GREATER_EQUALS, _, [a, b]) => {
                let has_order = |ty: &Ty| !matches!(ty, Ty::Null | Ty::List(_)) && !is_object(ty);
                if !a.is_like(b) || !has_order(a) || !has_order(b) {
                    return self
                        .mistake(expr, format!("{} and {} have no order", a.word(), b.word()));
                }
                Ok(Ty::Bool)
            }
            (op::IN, _, [value, list]) => match list.element() {
                None => self.mistake(
                    expr,
                    format!("a list is expected behind in, and this is {}", list.word()),
                ),
                Some(element) if !value.is_like(&element) => {
                    self.mistake(expr, never_equal(value, &element))
                }
                Some(_) => {
                    if let [value, list] = &call.args[..] {
                        self.is_value(list, value)?;
                        if let Expr::List(list) = &list.expr {
                            for element in &list.elements {
                                self.is_value(value, element)?;
                            }
                        }
                    }
                    Ok(Ty::Bool)
                }
            },
            (op::INDEX, [_, idx], [of, ty]) => self.index(expr, of, idx, ty),
            (op::NEGATE, _, [ty]) => Ok(ty.clone()),
            (op::ADD | op::SUBSTRACT | op::MULTIPLY | op::DIVIDE | op::MODULO, _, [a, b]) => {
                self.arithmetic(expr, &call.func_name, a, b)
            }
            _ => self.function(expr, call, None),
        }
    }

    /// Refuses texts that a variable never holds, where it is compared with them.
    fn is_value(&mut self, variable: &IdedExpr, literal: &IdedExpr) -> Result<(), Mistake> {
        let (Expr::Ident(name), Expr::Literal(LiteralValue::String(text))) =
            (&variable.expr, &literal.expr)
        else {
            return Ok(());
        };
        if self.scopes.iter().any(|(of_macro, _)| of_macro == name) {
            return Ok(());
        }
        if name == "error" {
            let doubt = unknown_error(text.inner());
            self.doubts
                .extend(doubt.map(|doubt| self.places.mistake(literal, doubt)));
        }
        let (what, names): (_, Vec<&str>) = match name.as_str() {
            "api" => ("API", ApiKey::all().filter_map(ApiKey::name).collect()),
            "kind" => ("kind of exchange", Kind::ALL.map(Kind::name).to_vec()),
            "status" => ("status", Status::ALL.map(Status::name).to_vec()),
            "errors" => (
                "error",
                ErrorCode::all().filter_map(ErrorCode::name).collect(),
            ),
            _ => return Ok(()),
        };
        let text = text.inner();
        // Codes that no release knows have names of their own.
        if names.contains(&text) || (name == "errors" && text.starts_with(UNKNOWN_ERROR)) {
            return Ok(());
        }
        let known = match suggestion(text, names.iter().copied()) {
            near if near.is_empty() && names.len() < 10 => {
                format!("; there are {}", names.join(", "))
            }
            near => near,
        };
        self.mistake(literal, format!("no {what} is called {text}{known}"))
    }

    fn index(&mut self, expr: &IdedExpr, of: &Ty, idx: &IdedExpr, ty: &Ty) -> Result<Ty, Mistake> {
        match (of, ty) {
            (Ty::Any, _) | (_, Ty::Any) => Ok(Ty::Any),
            (Ty::List(element), Ty::Int) => Ok((**element).clone()),
            (of, Ty::Text) if is_object(of) => match &idx.expr {
                Expr::Literal(LiteralValue::String(name)) => self.member(idx, of, name.inner()),
                _ => Ok(Ty::Any),
            },
            (of, ty) => self.mistake(
                expr,
                format!("{} cannot be indexed with {}", of.word(), ty.word()),
            ),
        }
    }

    fn arithmetic(&self, expr: &IdedExpr, operator: &str, a: &Ty, b: &Ty) -> Result<Ty, Mistake> {
        let is_modulo = operator == op::MODULO;
        match (operator, a, b) {
            (_, Ty::Any, other) | (_, other, Ty::Any) => Ok(match other {
                Ty::List(_) => other.clone(),
                _ => Ty::Any,
            }),
            (_, Ty::Int, Ty::Int) => Ok(Ty::Int),
            (_, Ty::Double, Ty::Double) if !is_modulo => Ok(Ty::Double),
            (_, Ty::Int, Ty::Double) | (_, Ty::Double, Ty::Int) => self.mistake(
                expr,
                "integers and numbers with a point do not mix; write 2.0 for 2, or double(n)"
                    .to_owned(),
            ),
            (op::ADD, Ty::Text, Ty::Text) => Ok(Ty::Text),
            (op::ADD, Ty::List(_), Ty::List(_)) => Ok(a.clone().or(b.clone())),
            (op::SUBSTRACT, Ty::Time, Ty::Time) => Ok(Ty::Duration),
            (op::ADD | op::SUBSTRACT, Ty::Time, Ty::Duration) => Ok(Ty::Time),
            (op::ADD | op::SUBSTRACT, Ty::Duration, Ty::Duration) => Ok(Ty::Duration),
            _ => self.mistake(
                expr,
                format!("{} and {} cannot be calculated with", a.word(), b.word()),
            ),
        }
    }

    /// A call of a function by name; `of` is what it is called on.
    fn function(
        &mut self,
        expr: &IdedExpr,
        call: &CallExpr,
        of: Option<(&IdedExpr, Ty)>,
    ) -> Result<Ty, Mistake> {
        let name = call.func_name.as_str();
        let mut forms = FUNCTIONS.iter().filter(|f| f.name == name).peekable();
        if forms.peek().is_none() {
            if let Some(operator) = operator(name) {
                return self.mistake(expr, format!("found {name}, expected {operator}"));
            }
            let names = FUNCTIONS.iter().map(|f| f.name);
            let macros = ["exists", "exists_one", "all", "map", "filter", "has"];
            if macros.contains(&name) {
                let how = "exists(x, ...), all(x, ...), map(x, ...), filter(x, ...), has(a.b)";
                return self.mistake(expr, format!("{name} is used like this: {how}"));
            }
            let near = suggestion(name, names.chain(macros));
            return self.mistake(expr, format!("there is no function {name}{near}"));
        }
        let mut args = Vec::new();
        for arg in &call.args {
            args.push((arg, self.infer(arg)?));
        }
        let form = forms.find(|f| f.of.is_some() == of.is_some() && f.args.len() == args.len());
        let Some(form) = form else {
            let forms = FUNCTIONS.iter().filter(|f| f.name == name);
            let shown: Vec<String> = forms.map(|f| shape(name, f.of, f.args.len())).collect();
            return self.mistake(expr, format!("{name} is called as {}", shown.join(" or ")));
        };
        let wanted = form.of.iter().chain(form.args);
        let given = of.iter().map(|(expr, ty)| (*expr, ty));
        let given = given.chain(args.iter().map(|(expr, ty)| (*expr, ty)));
        for (takes, (expr, ty)) in wanted.zip(given) {
            if !takes.takes(ty) {
                return self.mistake(
                    expr,
                    format!("{name} takes {}, and this is {}", takes.word(), ty.word()),
                );
            }
        }
        Ok(form.gives.clone())
    }

    /// What a macro such as `exists` stands for.
    fn comprehension(&mut self, macro_: &ComprehensionExpr) -> Result<Ty, Mistake> {
        let range = self.infer(&macro_.iter_range)?;
        let Some(element) = range.element() else {
            return self.mistake(
                &macro_.iter_range,
                format!("a list is expected here, and this is {}", range.word()),
            );
        };
        let start = self.infer(&macro_.accu_init)?;
        let depth = self.scopes.len();
        self.scopes.push((macro_.iter_var.clone(), element));
        self.scopes.push((macro_.accu_var.clone(), start.clone()));
        self.infer(&macro_.loop_cond)?;
        let step = self.infer(&macro_.loop_step)?;
        self.scopes.truncate(depth);
        self.scopes.push((macro_.accu_var.clone(), start.or(step)));
        let result = self.infer(&macro_.result);
        self.scopes.truncate(depth);
        result
    }
}

fn is_object(ty: &Ty) -> bool {
    matches!(ty, Ty::Object(_) | Ty::Bodies(_) | Ty::Structs(_))
}

fn never_equal(a: &Ty, b: &Ty) -> String {
    format!("{} is never equal to {}", a.word(), b.word())
}

fn shape(name: &str, of: Option<Takes>, n_args: usize) -> String {
    let args = vec!["x"; n_args].join(", ");
    match of {
        Some(_) => format!("x.{name}({})", args.replace('x', "y")),
        None => format!("{name}({args})"),
    }
}
