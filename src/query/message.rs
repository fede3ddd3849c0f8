//! One message of an exchange as an expression and a column see it: its facts at once, what it
//! holds decoded when somebody asks.

use std::sync::OnceLock;

use cel::{
    ExecutionError,
    common::{
        traits::Indexer,
        types::{CelString, MAP_TYPE, Type},
        value::{CowVal, Val},
    },
};
use serde_json::{Map, Value as Json};

use super::{row::Row, value::value};
use crate::{
    render::{ExchangeField, Head, json_message},
    schema::{ApiKey, Catalogue, Direction, Plan},
    session::Kind,
};

/// What is in a message, decoded at most once.
#[derive(Debug, Default)]
pub(super) struct Content(OnceLock<Decoded>);

#[derive(Debug)]
pub(super) struct Decoded {
    pub(super) body: Box<dyn Val>,
    pub(super) embedded: Box<dyn Val>,
}

/// The line of `show --json`, without what a diagnosis would add. `None` for a message that the
/// capture does not hold, and for a response of an unknown API: what its bytes could be is a guess.
pub(super) fn json(row: &Row<'_>, direction: Direction) -> Option<Map<String, Json>> {
    let exchange = row.exchange;
    if exchange.kind == Kind::Api && exchange.api.is_none() {
        return None;
    }
    let opened = row
        .session
        .decode_message(Catalogue::current(), exchange, direction)?;
    let head = match &opened.decoded {
        Some(decoded) => Head::Message(decoded),
        None => Head::SaslToken,
    };
    Some(json_message(&opened.tree, &head))
}

/// The definition of a body, as far as the index knows it.
pub(super) fn plan(row: &Row<'_>, direction: Direction) -> Option<&'static Plan> {
    let (key, version) = row.exchange.api?;
    let version = match direction {
        Direction::Request => version,
        Direction::Response => row.exchange.response_version.unwrap_or(version),
    };
    Catalogue::current().api_plan(ApiKey(key), direction, version)
}

/// Whether a body by this plan can have a member of that name.
pub(super) fn may_have(plan: Option<&Plan>, name: &str) -> bool {
    let Some(plan) = plan else {
        return true;
    };
    let tagged = plan.body.tagged.iter().map(|(_, field)| field);
    let mut fields = plan.body.fields.iter().chain(tagged);
    // Members that no field has start like this.
    name.starts_with('_') || fields.any(|field| field.node.name == name)
}

impl Content {
    pub(super) fn decoded(&self, row: &Row<'_>, direction: Direction) -> &Decoded {
        self.0.get_or_init(|| {
            let mut line = json(row, direction).unwrap_or_default();
            let mut take = |name, default| value(line.remove(name).unwrap_or(default));
            Decoded {
                body: take("value", Json::Null),
                embedded: take("embedded", Json::Array(Vec::new())),
            }
        })
    }
}

/// A member of an exchange with members of its own; `request` and `response` have a direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct GroupVal<'r> {
    pub(super) row: &'r Row<'r>,
    pub(super) members: &'static [ExchangeField],
    pub(super) direction: Option<Direction>,
}

/// `body`: decoded only if it can have the member that is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyVal<'r> {
    pub(super) row: &'r Row<'r>,
    pub(super) direction: Direction,
}

fn name(idx: &dyn Val) -> Result<&str, ExecutionError> {
    idx.downcast_ref::<CelString<'_>>()
        .map(CelString::inner)
        .ok_or_else(|| ExecutionError::no_such_key("it has members with names"))
}

impl Indexer for GroupVal<'_> {
    fn get<'b, 'v>(&'b self, idx: &dyn Val) -> Result<CowVal<'b, 'v>, ExecutionError>
    where
        Self: 'v,
    {
        let row = self.row;
        let wanted = name(idx)?;
        if let Some(member) = self.members.iter().find(|member| member.part() == wanted) {
            let value = row.field(*member);
            return value.ok_or_else(|| ExecutionError::no_such_key(wanted));
        }
        Ok(match (wanted, self.direction) {
            // Not looked for yet.
            ("body" | "embedded", Some(_)) if !row.decodes => {
                return Err(ExecutionError::undeclared_reference("body"));
            }
            ("body", Some(direction)) => CowVal::owned(BodyVal { row, direction }),
            ("embedded", Some(direction)) => CowVal::Borrowed(&*row.content(direction).embedded),
            _ => return Err(ExecutionError::no_such_key(wanted)),
        })
    }

    fn steal<'v>(self: Box<Self>, idx: &dyn Val) -> Result<Box<dyn Val + 'v>, ExecutionError>
    where
        Self: 'v,
    {
        self.get(idx).map(CowVal::into_owned)
    }
}

impl Indexer for BodyVal<'_> {
    fn get<'b, 'v>(&'b self, idx: &dyn Val) -> Result<CowVal<'b, 'v>, ExecutionError>
    where
        Self: 'v,
    {
        let &BodyVal { row, direction } = self;
        let wanted = name(idx)?;
        let missing = || ExecutionError::no_such_key(wanted);
        if !may_have(plan(row, direction), wanted) {
            return Err(missing());
        }
        let body = &row.content(direction).body;
        body.as_indexer().ok_or_else(missing)?.get(idx)
    }

    fn steal<'v>(self: Box<Self>, idx: &dyn Val) -> Result<Box<dyn Val + 'v>, ExecutionError>
    where
        Self: 'v,
    {
        self.get(idx).map(CowVal::into_owned)
    }
}

macro_rules! object {
    ($name:ident) => {
        impl Val for $name<'_> {
            fn get_type(&self) -> &Type {
                &MAP_TYPE
            }

            fn cel_type() -> &'static Type {
                &MAP_TYPE
            }

            fn as_indexer<'b, 'v>(&'b self) -> Option<&'b (dyn Indexer + 'v)>
            where
                Self: 'v,
            {
                Some(self)
            }

            fn clone_as_boxed<'v>(&self) -> Box<dyn Val + 'v>
            where
                Self: 'v,
            {
                Box::new(*self)
            }
        }
    };
}

object!(GroupVal);
object!(BodyVal);
