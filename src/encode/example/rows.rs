//! The table of what fields hold: `values.txt` → rows, found by message and field.

use std::sync::OnceLock;

use serde_json::Value as Json;

/// A row of the table.
#[derive(Debug)]
pub(super) struct Row {
    message: &'static str,
    /// Name of the field that the field stands in, if it matters.
    parent: Option<&'static str>,
    field: &'static str,
    pub value: Json,
}

impl Row {
    /// The row of a line; `None` when it is none, which a test rules out.
    fn parse(line: &'static str) -> Option<Row> {
        let (message, rest) = line.split_once(' ')?;
        let (field, value) = rest.trim_start().split_once(' ')?;
        let (parent, field) = match field.split_once('/') {
            Some((parent, field)) => (Some(parent), field),
            None => (None, field),
        };
        Some(Row {
            message,
            parent,
            field,
            value: serde_json::from_str(value.trim()).ok()?,
        })
    }

    pub(super) fn fits(&self, message: &str, parent: &str, field: &str) -> bool {
        matches(self.field, field)
            && matches(self.message, message)
            && self.parent.is_none_or(|name| name == parent)
    }

    /// Whether the row speaks of `message` alone.
    pub(super) fn names(&self, message: &str) -> bool {
        self.message == message
    }
}

/// The first row that fits.
pub(super) fn row(message: &str, parent: &str, field: &str) -> Option<&'static Row> {
    rows().iter().find(|row| row.fits(message, parent, field))
}

/// All rows, in order.
pub(super) fn rows() -> &'static [Row] {
    static ROWS: OnceLock<Vec<Row>> = OnceLock::new();
    ROWS.get_or_init(|| lines().filter_map(Row::parse).collect())
}

fn lines() -> impl Iterator<Item = &'static str> {
    include_str!("values.txt")
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn matches(pattern: &str, name: &str) -> bool {
    if let Some(middle) = pattern
        .strip_prefix('*')
        .and_then(|rest| rest.strip_suffix('*'))
    {
        return name.contains(middle);
    }
    match pattern.split_once('*') {
        Some((start, end)) => {
            name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
        }
        None => name == pattern,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_row() {
        for line in lines() {
            assert!(Row::parse(line).is_some(), "{line}");
        }
    }

    #[test]
    fn patterns_take_what_they_say() {
        assert!(matches("*", "Anything"));
        assert!(matches("*ErrorCode", "TopicConfigErrorCode"));
        assert!(matches("VoteRe*", "VoteRequest"));
        assert!(matches("*Acls*", "CreateAclsRequest"));
        assert!(matches("Delete*Response", "DeleteAclsResponse"));
        assert!(!matches("Delete*Response", "DeleteAclsRequest"));
        assert!(!matches("Name", "TopicName"));
    }
}
