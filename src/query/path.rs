//! A field of a message by its path, as `body.Topics[].Name`.
//!
//! The names are those of filters. A list on the way stands for all of its elements, with `[]` or
//! without; `[0]` is one of them. `body` is the request's and the response's, in this order;
//! `request.body` and `response.body` are one of them.

use serde_json::Value as Json;

use super::{
    message::{json, may_have, plan},
    mistake::{Mistake, suggestion},
    row::Row,
    ty::Ty,
};
use crate::{
    schema::Direction,
    session::{Exchange, Index, Session},
};

/// A path that some message has.
#[derive(Clone, Debug)]
pub(super) struct Path {
    directions: &'static [Direction],
    steps: Vec<Step>,
    /// Whether it can lead to more than one value.
    pub(super) is_list: bool,
    /// Whether requests and responses have it, so that an exchange has two.
    pub(super) is_in_both: bool,
    /// Whether what it leads to are numbers.
    pub(super) is_number: bool,
    /// What it leads to, behind all lists.
    pub(super) ty: Ty,
}

#[derive(Clone, Debug)]
enum Step {
    Member(String),
    Element(usize),
}

/// What paths start with, and whose bodies those are.
const ROOTS: [(&str, &[Direction]); 3] = [
    ("body", EITHER),
    ("request.body", &[Direction::Request]),
    ("response.body", &[Direction::Response]),
];

const EITHER: &[Direction] = &[Direction::Request, Direction::Response];
const ONE: [&[Direction]; 2] = [&[Direction::Request], &[Direction::Response]];

impl Path {
    /// Reads the path that stands in `text` from character `at` to `end`; `None` if it is none.
    ///
    /// # Errors
    /// A name that no message has at its place.
    pub(super) fn parse(text: &str, at: usize, path: &str) -> Option<Result<Path, Mistake>> {
        ROOTS.iter().find_map(|&(root, directions)| {
            let rest = path.strip_prefix(root)?;
            let rest = match rest.chars().next() {
                None => rest,
                Some('.') => rest.strip_prefix('.')?,
                _ => return None,
            };
            let at = at + path.chars().count() - rest.chars().count();
            let is_in = |directions| Path::steps(text, at, rest, directions).is_ok();
            Some(Path::steps(text, at, rest, directions).map(|path| Path {
                is_in_both: directions.len() > 1 && ONE.into_iter().all(is_in),
                ..path
            }))
        })
    }

    fn steps(
        text: &str,
        at: usize,
        rest: &str,
        directions: &'static [Direction],
    ) -> Result<Path, Mistake> {
        let mut ty = Ty::Bodies(directions);
        let mut path = Path {
            directions,
            steps: Vec::new(),
            is_list: false,
            is_in_both: false,
            is_number: false,
            ty: Ty::Null,
        };
        let mut at = at;
        for part in rest.split('.').filter(|_| !rest.is_empty()) {
            let (name, index) = part.split_once('[').unwrap_or((part, "]"));
            let n_chars = name.chars().count();
            let mistake = |sentence: String| Mistake::new(text, at..at + n_chars, sentence);
            ty = into_elements(ty, &mut path.is_list);
            ty = ty.select(name).map_err(|names| {
                let near = suggestion(name, names.into_iter());
                mistake(format!("no message has a field {name} here{near}"))
            })?;
            path.steps.push(Step::Member(name.to_owned()));
            match (index, index.trim_end_matches(']').parse()) {
                ("]", _) => {}
                (_, Ok(idx)) => {
                    let Some(element) = ty.element() else {
                        return Err(mistake(format!("{name} is no list")));
                    };
                    path.steps.push(Step::Element(idx));
                    ty = element;
                }
                _ => {
                    return Err(mistake(format!(
                        "{part}: a list is followed by [] or by a number as in {name}[0]"
                    )));
                }
            }
            at += part.chars().count() + 1;
        }
        ty = into_elements(ty, &mut path.is_list);
        path.is_number = matches!(ty, Ty::Int | Ty::Double) && !path.is_list;
        path.ty = ty;
        Ok(path)
    }

    /// What an exchange has there, in the order of the bytes.
    pub(super) fn values<'b>(&self, row: &mut Bodies<'b>) -> Vec<Json> {
        let mut found = Vec::new();
        for &direction in self.directions {
            if let Some(Step::Member(first)) = self.steps.first()
                && !may_have(plan(&row.row, direction), first)
            {
                continue;
            }
            if let Some(body) = row.body(direction) {
                walk(body, &self.steps, &mut found);
            }
        }
        found
    }

    /// The same as one value: null for none, a list where there may be several.
    pub(super) fn value(&self, row: &mut Bodies<'_>) -> Json {
        let mut values = self.values(row);
        match (self.is_list, values.len()) {
            (false, 0) => Json::Null,
            (false, 1) => values.pop().unwrap_or_default(),
            _ => Json::Array(values),
        }
    }
}

/// The paths that one which ends at a dot, or in a part of a name, can go on with.
pub fn paths_from(start: &str) -> Vec<String> {
    let Some((parent, _)) = start.rsplit_once('.') else {
        return ROOTS.map(|(root, _)| format!("{root}.")).to_vec();
    };
    let Some(Ok(Path { ty, .. })) = Path::parse(parent, 0, parent) else {
        return ROOTS.map(|(root, _)| format!("{root}.")).to_vec();
    };
    // No field has no name, so that this tells all that there are.
    let names = ty.select("").err().unwrap_or_default();
    names
        .into_iter()
        .map(|name| format!("{parent}.{name}"))
        .collect()
}

/// Goes into lists, and notes that there was one.
fn into_elements(ty: Ty, is_list: &mut bool) -> Ty {
    match ty {
        Ty::List(element) => {
            *is_list = true;
            into_elements(*element, is_list)
        }
        ty => ty,
    }
}

fn walk(json: &Json, steps: &[Step], found: &mut Vec<Json>) {
    let Some((step, rest)) = steps.split_first() else {
        match json {
            Json::Array(list) => list.iter().for_each(|json| walk(json, steps, found)),
            json => found.push(json.clone()),
        }
        return;
    };
    match (step, json) {
        (Step::Element(idx), Json::Array(list)) => {
            if let Some(json) = list.get(*idx) {
                walk(json, rest, found);
            }
        }
        (Step::Member(_), Json::Array(list)) => {
            list.iter().for_each(|json| walk(json, steps, found));
        }
        (Step::Member(name), Json::Object(object)) => {
            if let Some(json) = object.get(name) {
                walk(json, rest, found);
            }
        }
        _ => {}
    }
}

/// The bodies of an exchange, each decoded once for all paths that lead into it.
pub(super) struct Bodies<'s> {
    row: Row<'s>,
    request: Option<Option<Json>>,
    response: Option<Option<Json>>,
}

impl<'s> Bodies<'s> {
    pub(super) fn new(session: &'s Session, index: &'s Index, exchange: &'s Exchange) -> Self {
        Bodies {
            row: Row::new(session, index, exchange),
            request: None,
            response: None,
        }
    }

    fn body(&mut self, direction: Direction) -> Option<&Json> {
        let slot = match direction {
            Direction::Request => &mut self.request,
            Direction::Response => &mut self.response,
        };
        let row = &self.row;
        slot.get_or_insert_with(|| json(row, direction)?.remove("value"))
            .as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_go_on_with_what_messages_have_there() {
        assert!(paths_from("re").contains(&"response.body.".to_owned()));
        assert!(paths_from("request.bo").contains(&"request.body.".to_owned()));
        let topics = paths_from("response.body.To");
        assert!(topics.contains(&"response.body.Topics".to_owned()));
        let inside = paths_from("response.body.Topics[0].");
        assert!(inside.contains(&"response.body.Topics[0].Name".to_owned()));
        assert!(paths_from("response.body.ThrottleTimeMs.").is_empty());
    }
}
