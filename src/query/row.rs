//! An exchange as the variables of an expression.

use cel::{
    common::{
        types::{CelBool, CelDouble, CelInt, CelList, CelNull, CelString, CelTimestamp},
        value::{CowVal, Val},
    },
    context::VariableResolver,
};

use super::{
    message::{BodyVal, Content, Decoded, GroupVal},
    value::value,
};
use crate::{
    render::{ExchangeField, FieldType, FieldValue, Fields, error_text, exchange_problems},
    schema::Direction,
    session::{Exchange, Index, Session},
};

/// An exchange that is looked at.
#[derive(Debug)]
pub(super) struct Row<'s> {
    pub(super) session: &'s Session,
    pub(super) index: &'s Index,
    pub(super) exchange: &'s Exchange,
    /// Whether messages are decoded when they are asked for; else all that takes it is unknown.
    pub(super) decodes: bool,
    request: Content,
    response: Content,
}

impl<'s> Row<'s> {
    pub(super) fn new(session: &'s Session, index: &'s Index, exchange: &'s Exchange) -> Row<'s> {
        Row {
            session,
            index,
            exchange,
            decodes: false,
            request: Content::default(),
            response: Content::default(),
        }
    }

    /// What is in the message of one direction.
    pub(super) fn content(&self, direction: Direction) -> &Decoded {
        let content = match direction {
            Direction::Request => &self.request,
            Direction::Response => &self.response,
        };
        content.decoded(self, direction)
    }
}

/// The variables, with `body` and `embedded` being those of one message.
pub(super) struct Variables<'r> {
    pub(super) row: &'r Row<'r>,
    /// `None` while they are unknown.
    pub(super) body: Option<Direction>,
}

impl VariableResolver for Variables<'_> {
    fn resolve<'b>(&'b self, name: &str) -> Option<CowVal<'b, 'b>> {
        let row = self.row;
        Some(match name {
            "error" => {
                let text = error_text(row.index, row.exchange);
                CowVal::owned(CelString::from(text))
            }
            "body" => {
                let direction = self.body?;
                row.exchange.message(direction).filter(|_| row.decodes)?;
                CowVal::owned(BodyVal { row, direction })
            }
            "embedded" if row.decodes => {
                let direction = self.body?;
                CowVal::Borrowed(&*row.content(direction).embedded)
            }
            name => row.field(ExchangeField::named(name)?)?,
        })
    }
}

impl<'r> Row<'r> {
    /// The value of a member; `None` while it is unknown.
    pub(super) fn field(&'r self, field: ExchangeField) -> Option<CowVal<'r, 'r>> {
        let fields = Fields {
            session: self.session,
            index: self.index,
            exchange: self.exchange,
        };
        Some(match fields.value(field) {
            FieldValue::Null => CowVal::Borrowed(&CelNull),
            FieldValue::Bool(value) => CowVal::owned(CelBool::from(value)),
            FieldValue::Int(number) | FieldValue::Millis(number) => {
                CowVal::owned(CelInt::from(number))
            }
            FieldValue::Span(nanos) => CowVal::owned(CelDouble::from(nanos as f64 / 1e6)),
            FieldValue::Time(nanos) => CowVal::owned(time(nanos)),
            FieldValue::Text(text) => CowVal::owned(CelString::from(text)),
            FieldValue::Texts(texts) => list(texts.map(CelString::from)),
            FieldValue::Group(members) => CowVal::owned(GroupVal {
                row: self,
                members,
                direction: match field.ty() {
                    FieldType::Message(direction) => Some(direction),
                    _ => None,
                },
            }),
            FieldValue::Problems(0) => list(std::iter::empty::<CelString<'_>>()),
            FieldValue::Problems(_) if !self.decodes => return None,
            FieldValue::Problems(_) => {
                let problems = exchange_problems(self.session, self.exchange);
                CowVal::Owned(value(problems.unwrap_or_default()))
            }
        })
    }
}

/// Nanoseconds since 1970 as CEL has times.
pub(super) fn time(nanos: i64) -> CelTimestamp {
    CelTimestamp::from(chrono::DateTime::from_timestamp_nanos(nanos).fixed_offset())
}

fn list<'b, T: Val + 'b>(items: impl Iterator<Item = T>) -> CowVal<'b, 'b> {
    let boxed = items.map(|item| Box::new(item) as Box<dyn Val + 'b>);
    CowVal::owned(CelList::from(boxed.collect::<Vec<_>>()))
}
