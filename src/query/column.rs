//! Columns of a list, by name.
//!
//! What comes in is a text as `n,api,latency` or `+throttle,-client`; what goes out are columns. A
//! column is a member of the JSON contract, some by a shorter name as well, or a field of a message
//! by its path.

use serde_json::Value as Json;

use super::{
    mistake::{Mistake, suggestion},
    path::{Bodies, Path},
};
use crate::render::{
    ExchangeField as F, ExchangeRow, FieldType, FieldValue, Fields, USUAL_COLUMNS, escape_sentence,
    escape_str, latency_text, time_of_day,
};

/// A column of a list.
#[derive(Clone, Debug)]
pub struct Column {
    /// The member in JSON.
    pub(super) member: String,
    /// What stands above it in a table.
    pub(super) head: String,
    pub(super) is_number: bool,
    pub(super) source: Source,
}

/// Where the values of a column come from.
#[derive(Clone, Debug)]
pub(super) enum Source {
    Field(F),
    Path(Path),
}

/// The short names of the columns that are members of the contract.
pub fn column_names() -> impl Iterator<Item = &'static str> + Clone {
    F::ALL.iter().map(|field| field.short())
}

/// The member that a column shows which is known by another name.
pub(super) fn member_of_column(name: &str) -> Option<&'static str> {
    let is_called = |field: &&F| field.short() == name || field.head().eq_ignore_ascii_case(name);
    let member = F::ALL.iter().find(is_called)?.name();
    (member != name).then_some(member)
}

/// The columns that are shown without being asked for.
pub(super) fn default_columns() -> Vec<Column> {
    USUAL_COLUMNS.map(Column::of).to_vec()
}

/// The same with the day in front of the time, for rows of several days.
pub(super) fn dated_columns() -> Vec<Column> {
    let columns = USUAL_COLUMNS.into_iter().flat_map(|field| match field {
        F::Time => vec![F::Date, F::Time],
        field => vec![field],
    });
    columns.map(Column::of).collect()
}

/// Reads a list of columns, separated by commas. `+name` adds to the columns before it and `-name`
/// removes from them; those of a list are the default ones as long as it has nothing but such. A column
/// that is named twice is there once: no reader of JSON tells two members of one name apart.
///
/// # Errors
/// A name that no column has, one that is removed and not there, or a list without columns.
pub fn columns(list: &str) -> Result<Vec<Column>, Mistake> {
    columns_from(list, default_columns)
}

/// The same where other columns are the usual ones.
pub(super) fn columns_from(
    list: &str,
    usual: impl Fn() -> Vec<Column>,
) -> Result<Vec<Column>, Mistake> {
    let is_signed = |name: &str| name.trim_start().starts_with(['+', '-']);
    let mut columns = match list.split(',').all(is_signed) {
        true => usual(),
        false => Vec::new(),
    };
    let mut at = 0;
    for part in list.split(',') {
        let bare = part.trim();
        let name = bare.trim_start_matches(['+', '-']);
        let skipped = part.chars().count() - part.trim_start().chars().count();
        let from = at + skipped + bare.chars().count() - name.chars().count();
        let column = Column::parse(list, from, name)?;
        if bare.starts_with('-') {
            let before = columns.len();
            columns.retain(|other| !other.is(&column));
            if columns.len() == before {
                let sentence = format!("{name} is not shown, so it cannot be taken away");
                return Err(Mistake::new(
                    list,
                    from..from + name.chars().count(),
                    sentence,
                ));
            }
        } else if !columns.iter().any(|other| other.is(&column)) {
            columns.push(column);
        }
        at += part.chars().count() + 1;
    }
    if columns.is_empty() {
        return Err(Mistake::new(
            list,
            0..list.chars().count(),
            "no column is left",
        ));
    }
    Ok(columns)
}

impl Column {
    /// That of a member of the contract.
    pub(super) fn of(field: F) -> Column {
        Column {
            member: field.name().to_owned(),
            head: field.head().to_owned(),
            is_number: field.is_number(),
            source: Source::Field(field),
        }
    }

    /// The column of this name.
    ///
    /// # Errors
    /// No column has it.
    pub fn named(name: &str) -> Result<Column, Mistake> {
        Column::parse(name, 0, name)
    }

    /// Whether this is the same as another, by whatever name.
    pub(super) fn is(&self, other: &Column) -> bool {
        self.member == other.member
    }

    /// Whether its values are numbers.
    pub fn is_number(&self) -> bool {
        self.is_number
    }

    /// The column `name`, which stands in `text` from character `at` on.
    pub(super) fn parse(text: &str, at: usize, name: &str) -> Result<Column, Mistake> {
        let mut fields = F::ALL.iter();
        if let Some(field) = fields.find(|field| field.name() == name || field.short() == name) {
            return Ok(Column::of(*field));
        }
        if let Some(path) = Path::parse(text, at, name) {
            let path = path?;
            return Ok(Column {
                member: name.to_owned(),
                head: name.to_owned(),
                is_number: path.is_number,
                source: Source::Path(path),
            });
        }
        let sentence = match name.is_empty() {
            true => "a name of a column is missing here, as in n,api,latency".to_owned(),
            false => format!("there is no column {name}{}", known(name)),
        };
        Err(Mistake::new(text, at..at + name.chars().count(), sentence))
    }

    /// The member of the contract that it shows, if it is one.
    pub fn field(&self) -> Option<F> {
        match self.source {
            Source::Field(field) => Some(field),
            Source::Path(_) => None,
        }
    }

    /// Whether it shows times, of which a part says little.
    pub(super) fn is_time(&self) -> bool {
        self.field()
            .is_some_and(|field| field.ty() == FieldType::Time)
    }

    /// Whether messages have to be decoded for it.
    pub(super) fn is_decoded(&self) -> bool {
        matches!(self.source, Source::Path(_))
    }

    /// The text of an exchange in this column, safe to show. `row` has its usual texts.
    pub(super) fn text(
        &self,
        row: &ExchangeRow,
        fields: Fields<'_>,
        bodies: &mut Bodies<'_>,
    ) -> String {
        match &self.source {
            Source::Field(field) => match row.cell(*field) {
                Some(text) => text.to_owned(),
                None => cell(fields, *field),
            },
            Source::Path(path) => {
                let values = path.values(bodies);
                let texts: Vec<String> = values.iter().map(shown).collect();
                texts.join(",")
            }
        }
    }
}

/// What there is instead of a name that no column has.
fn known(name: &str) -> String {
    let names = F::ALL
        .iter()
        .flat_map(|field| [field.name(), field.short()]);
    match suggestion(name, names) {
        near if near.is_empty() => {
            let names: Vec<&str> = column_names().collect();
            format!(
                "; there are {}, and fields as body.Topics[].Name",
                names.join(", ")
            )
        }
        near => near,
    }
}

/// The text of a member that rows do not have by themselves.
fn cell(fields: Fields<'_>, field: F) -> String {
    match (fields.value(field), field) {
        (FieldValue::Null, _) => String::new(),
        (FieldValue::Bool(value), _) => value.to_string(),
        (FieldValue::Int(number), _) => number.to_string(),
        (FieldValue::Problems(n), _) => n.to_string(),
        (FieldValue::Millis(ms), _) => format!("{ms} ms"),
        (FieldValue::Span(nanos), _) => latency_text(nanos),
        (FieldValue::Time(nanos), _) => time_of_day(nanos),
        (FieldValue::Text(text), _) => escape_str(&text),
        (FieldValue::Texts(texts), _) => {
            let texts: Vec<String> = texts.map(|text| escape_str(&text)).collect();
            texts.join(",")
        }
        (FieldValue::Group(&[time, packet, size]), F::Request | F::Response) => {
            let [time, packet, size] = [time, packet, size].map(|field| cell(fields, field));
            format!("packet {packet}, {size} bytes, {time}")
        }
        (FieldValue::Group(members), _) => {
            let members: Vec<String> = members.iter().map(|&of| cell(fields, of)).collect();
            members.join(" ")
        }
    }
}

/// A decoded value as a cell shows it.
fn shown(json: &Json) -> String {
    match json {
        Json::String(text) => escape_str(text),
        json => escape_sentence(&json.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &str) -> Vec<String> {
        let columns = columns(list).unwrap();
        columns.into_iter().map(|column| column.member).collect()
    }

    #[test]
    fn lists_are_read_and_change_the_usual_columns() {
        assert_eq!(names("n, latency_ms,error"), ["n", "latency_ms", "errors"]);
        let default: Vec<String> = default_columns().into_iter().map(|c| c.member).collect();
        assert_eq!(names("+kind,-n")[..2], default[1..3]);
        assert_eq!(names("+kind").last().unwrap(), "kind");
        assert_eq!(names("n,+v,-n"), ["version"]);
        assert_eq!(
            names("body.Topics[].Name,response.body.ThrottleTimeMs").len(),
            2
        );
    }

    #[test]
    fn wrong_names_are_told_with_the_nearest() {
        for (list, place, said) in [
            ("n,latncy", 2..8, "latency"),
            ("n,body.Tpoics", 7..13, "Topics"),
            ("n,", 2..2, "missing"),
            ("-kind", 1..5, "kind"),
            ("n,-n", 0..4, "no column"),
            ("body.Topics[x]", 5..11, "[0]"),
        ] {
            let mistake = columns(list).unwrap_err();
            let expected = Mistake::new(list, place, mistake.to_string());
            assert_eq!(mistake, expected, "{list}");
            assert!(mistake.to_string().contains(said), "{mistake}");
        }
    }
}
