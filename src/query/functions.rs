//! The functions of CEL that an expression may call, with what each takes and gives.

use super::ty::Ty;

/// What an argument may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    Anything,
    Text,
    /// A text, a list or bytes.
    Sized,
    /// A time or a duration.
    Moment,
    /// A text that says it, or a number.
    TextOrNumber,
}

/// A function; `of` is what it is called on, as in `of.name(args)`, if it is called like that.
pub(super) struct Function {
    pub(super) name: &'static str,
    pub(super) of: Option<Takes>,
    pub(super) args: &'static [Takes],
    pub(super) gives: Ty,
}

macro_rules! functions {
    ($($(($of:ident))? $name:literal ($($arg:ident),*) -> $gives:ident;)*) => {
        /// All of them; one of several forms stands once for each.
        pub(super) const FUNCTIONS: &[Function] = &[$(Function {
            name: $name,
            of: functions!(@of $($of)?),
            args: &[$(Takes::$arg),*],
            gives: Ty::$gives,
        }),*];
    };
    (@of) => { None };
    (@of $of:ident) => { Some(Takes::$of) };
}

functions! {
    (Text) "contains"(Text) -> Bool;
    (Text) "startsWith"(Text) -> Bool;
    (Text) "endsWith"(Text) -> Bool;
    (Text) "matches"(Text) -> Bool;
    "matches"(Text, Text) -> Bool;
    (Sized) "size"() -> Int;
    "size"(Sized) -> Int;
    "timestamp"(TextOrNumber) -> Time;
    "duration"(Text) -> Duration;
    "int"(Anything) -> Int;
    "double"(TextOrNumber) -> Double;
    "string"(Anything) -> Text;
    (Moment) "getFullYear"() -> Int;
    (Moment) "getMonth"() -> Int;
    (Moment) "getDayOfMonth"() -> Int;
    (Moment) "getDayOfWeek"() -> Int;
    (Moment) "getDayOfYear"() -> Int;
    (Moment) "getHours"() -> Int;
    (Moment) "getHours"(Text) -> Int;
    (Moment) "getMinutes"() -> Int;
    (Moment) "getSeconds"() -> Int;
    (Moment) "getMilliseconds"() -> Int;
}

impl Takes {
    /// Whether a value of type `ty` will do.
    pub(super) fn takes(self, ty: &Ty) -> bool {
        match (self, ty) {
            (_, Ty::Any | Ty::Null) | (Takes::Anything, _) => true,
            (Takes::Text, ty) => matches!(ty, Ty::Text),
            (Takes::Sized, ty) => {
                matches!(ty, Ty::Text | Ty::Bytes | Ty::List(_) | Ty::Structs(_))
            }
            (Takes::Moment, ty) => matches!(ty, Ty::Time | Ty::Duration),
            (Takes::TextOrNumber, ty) => matches!(ty, Ty::Text | Ty::Int | Ty::Double),
        }
    }

    /// What people call it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Takes::Anything => "a value",
            Takes::Text => "a text",
            Takes::Sized => "a text or a list",
            Takes::Moment => "a time or a duration",
            Takes::TextOrNumber => "a text or a number",
        }
    }
}
