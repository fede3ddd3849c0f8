//! Whether an expression can work, before anything is read.
//!
//! What comes in is a parsed expression; what goes out is what it needs of an exchange, or the first
//! mistake in it. Types are followed as far as definitions tell them, and what they leave open is
//! let pass: values of an unknown type, and null, which any field may be.

use cel::{
    IdedExpr,
    common::ast::{
        CallExpr, ComprehensionExpr, EntryExpr, Expr, LiteralValue, SelectExpr, SourceInfo,
        operators as op,
    },
};

use super::{
    column::member_of_column,
    doubt::{absent, api_of, unknown_cell, unknown_error},
    functions::{FUNCTIONS, Takes},
    mistake::{Mistake, operator, suggestion},
    places::Places,
    ty::{Ty, variables},
};
use crate::{
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

struct Checker<'e> {
    places: Places<'e>,
    /// Variables of macros, innermost last.
    scopes: Vec<Scope>,
    variables: Vec<(&'static str, Ty)>,
    needs: Needs,
    /// The API that all exchanges are of for which what is being checked matters.
    api: Option<ApiKey>,
    doubts: Vec<Mistake>,
}

/// A variable of a macro.
struct Scope {
    name: String,
    ty: Ty,
    /// The variable of exchanges that it is one of.
    of: Option<&'static str>,
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
        if let Some(scope) = self.scope(name) {
            return Ok(scope.ty.clone());
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

    /// The variable of a macro that is called so, which hides those around it.
    fn scope(&self, name: &str) -> Option<&Scope> {
        self.scopes.iter().rev().find(|scope| scope.name == name)
    }

    /// The variable of exchanges whose values, or elements, `expr` has.
    fn source<'e>(&self, expr: &'e IdedExpr) -> Option<&'e str> {
        match &expr.expr {
            Expr::Ident(name) => match self.scope(name) {
                Some(scope) => scope.of,
                None => Some(name),
            },
            Expr::Call(call) if call.func_name == op::INDEX => self.source(call.args.first()?),
            _ => None,
        }
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
                self.doubt(expr, doubt);
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
            (op::IN, [value, list], [of_value, of_list]) => {
                self.membership(expr, (value, of_value), (list, of_list))
            }
            (op::INDEX, [_, idx], [of, ty]) => self.index(expr, of, idx, ty),
            (op::NEGATE, _, [ty]) => Ok(ty.clone()),
            (op::ADD | op::SUBSTRACT | op::MULTIPLY | op::DIVIDE | op::MODULO, _, [a, b]) => {
                self.arithmetic(expr, &call.func_name, a, b)
            }
            _ => self.function(expr, call, None),
        }
    }

    /// Whether a value can be in a list.
    fn membership(
        &mut self,
        expr: &IdedExpr,
        (value, of_value): (&IdedExpr, &Ty),
        (list, of_list): (&IdedExpr, &Ty),
    ) -> Result<Ty, Mistake> {
        let Some(element) = of_list.element() else {
            let what = of_list.word();
            return self.mistake(
                expr,
                format!("a list is expected behind in, and this is {what}"),
            );
        };
        if !of_value.is_like(&element) {
            return self.mistake(expr, never_equal(of_value, &element));
        }
        self.is_value(list, value)?;
        if let Expr::List(list) = &list.expr {
            for element in &list.elements {
                self.is_value(value, element)?;
            }
        }
        Ok(Ty::Bool)
    }

    /// Refuses texts that a variable never holds, where it is compared with them. Errors are only
    /// doubted: later releases have more of them.
    fn is_value(&mut self, variable: &IdedExpr, literal: &IdedExpr) -> Result<(), Mistake> {
        let Expr::Literal(LiteralValue::String(text)) = &literal.expr else {
            return Ok(());
        };
        let text = text.inner();
        let (what, names): (_, Vec<&str>) = match self.source(variable) {
            Some("api") => ("API", ApiKey::all().filter_map(ApiKey::name).collect()),
            Some("kind") => ("kind of exchange", Kind::ALL.map(Kind::name).to_vec()),
            Some("status") => ("status", Status::ALL.map(Status::name).to_vec()),
            Some("error") => {
                self.doubt(literal, unknown_cell(text));
                return Ok(());
            }
            Some("errors") => {
                self.doubt(literal, unknown_error(text));
                return Ok(());
            }
            _ => return Ok(()),
        };
        if names.contains(&text) {
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

    fn doubt(&mut self, expr: &IdedExpr, sentence: Option<String>) {
        let doubt = sentence.map(|sentence| self.places.mistake(expr, sentence));
        self.doubts.extend(doubt);
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
        let is_error = self.source(&macro_.iter_range) == Some("errors");
        self.scopes.push(Scope {
            name: macro_.iter_var.clone(),
            ty: element,
            of: is_error.then_some("errors"),
        });
        let result = |ty| Scope {
            name: macro_.accu_var.clone(),
            ty,
            of: None,
        };
        self.scopes.push(result(start.clone()));
        self.infer(&macro_.loop_cond)?;
        let step = self.infer(&macro_.loop_step)?;
        self.scopes.truncate(depth);
        self.scopes.push(result(start.or(step)));
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
