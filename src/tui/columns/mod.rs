//! The columns of the list: which ones, in which order, how wide by hand, and the texts of those that
//! take a decode.
//!
//! What comes in are names as users write them (`api`, `api:24` with a width, `body.Topics[0].Name`)
//! and texts that a worker has made; what goes out is what the view places side by side. Nothing here
//! decodes, and nothing knows of the screen.

mod column;

use std::collections::HashMap;

use unicode_width::UnicodeWidthStr;

use super::Row;
use crate::render::ExchangeField as F;

pub(super) use column::ListColumn;
use column::{NARROWEST, USUAL, WIDEST};

/// Exchanges whose texts are kept. With a thousand bytes each that is some tens of megabytes.
const KEPT: usize = 20_000;

/// The texts of an exchange that take a decode.
#[derive(Clone, Debug)]
struct Made {
    /// The sizes of the messages that they were made of: others when a response has come since.
    of: String,
    /// In the order of the columns.
    texts: Vec<String>,
}

/// All columns, and where among them the keys are.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    all: Vec<ListColumn>,
    /// The column that keys are about.
    pub cursor: usize,
    /// Columns behind the first one that are scrolled out; `None` while the list shows what fits.
    pub first: Option<usize>,
    made: HashMap<usize, Made>,
    /// Exchanges that texts were asked for last, with the sizes of their messages.
    asked: Vec<(usize, String)>,
}

impl Default for Columns {
    fn default() -> Columns {
        let usual = USUAL.iter().enumerate();
        Columns::new(
            usual
                .map(|(idx, usual)| ListColumn::usual(idx, usual))
                .collect(),
        )
    }
}

impl Columns {
    fn new(all: Vec<ListColumn>) -> Columns {
        Columns {
            all,
            cursor: 0,
            first: None,
            made: HashMap::new(),
            asked: Vec::new(),
        }
    }

    /// Reads a list of names. `+name` adds to those of `before` and `-name` removes from them, as long
    /// as the list has nothing but such.
    ///
    /// # Errors
    /// What is wrong with one of them, or that none is left.
    pub(super) fn parse(names: &[String], before: &Columns) -> Result<Columns, String> {
        let is_signed = |name: &String| name.starts_with(['+', '-']);
        let mut all = match !names.is_empty() && names.iter().all(is_signed) {
            true => before.all.clone(),
            false => Vec::new(),
        };
        for name in names {
            let column = ListColumn::parse(name.trim_start_matches(['+', '-']))?;
            let is_same = |other: &ListColumn| other.name == column.name;
            let had_it = all.iter().position(is_same);
            match (name.starts_with('-'), had_it) {
                (true, Some(idx)) => drop(all.remove(idx)),
                (true, None) => {
                    return Err(format!("{} is no column of the list", column.name));
                }
                (false, Some(_)) => return Err(format!("{} is there twice", column.name)),
                (false, None) => all.push(column),
            }
        }
        match all.is_empty() {
            true => Err("a list without columns shows nothing".to_owned()),
            false => Ok(Columns::new(all)),
        }
    }

    pub(super) fn all(&self) -> &[ListColumn] {
        &self.all
    }

    /// Gives columns the widths that they had before, where none is chosen.
    pub(super) fn widen_as(&mut self, width: impl Fn(&str) -> Option<usize>) {
        for column in &mut self.all {
            let before = || Some(width(&column.name)?.clamp(NARROWEST, WIDEST));
            column.width = column.width.or_else(before);
        }
    }

    /// Takes in how many exchanges there are, whose numbers are never cut.
    pub(super) fn see_len(&mut self, len: usize) {
        self.all
            .iter_mut()
            .for_each(|column| column.see_number(len));
    }

    /// Lets a column be as wide as it is by itself, if a width was chosen; its name then.
    pub(super) fn free(&mut self, idx: usize) -> Option<&str> {
        let column = self.all.get_mut(idx)?;
        column.width.take()?;
        Some(&column.name)
    }

    /// Makes a column as wide as is wanted, or as can be.
    pub(super) fn resize(&mut self, idx: usize, width: usize) -> Option<(&str, usize)> {
        let column = self.all.get_mut(idx)?;
        column.width = Some(width.clamp(NARROWEST, WIDEST));
        let width = column.natural();
        Some((&column.name, width))
    }

    /// The width at which nothing of `rows`, whose first is exchange by exchange in `idxs`, is cut.
    pub(super) fn content_width<'a>(
        &self,
        idx: usize,
        rows: impl Iterator<Item = (usize, &'a Row)>,
    ) -> Option<usize> {
        let column = self.all.get(idx)?;
        let widths = rows.map(|(exchange, row)| {
            let text = self.text(idx, exchange, row);
            text.map_or(0, |text| text.width())
        });
        Some(widths.max().unwrap_or(0).max(column.title().width()))
    }

    /// The text of an exchange in a column; `None` while it is being made.
    pub(super) fn text<'a>(&'a self, idx: usize, exchange: usize, row: &'a Row) -> Option<&'a str> {
        let column = self.all.get(idx)?;
        if let Some(usual) = column.of_row() {
            return Some(row.text(usual.field));
        }
        let is_made = |column: &&ListColumn| column.of_row().is_none();
        let nth = self.all.iter().take(idx).filter(is_made).count();
        let made = self.made.get(&exchange)?;
        made.texts.get(nth).map(String::as_str)
    }

    /// Takes in what rows are on the screen.
    pub(super) fn see_rows(&mut self, rows: &[Row]) {
        for column in &mut self.all {
            if let Some(usual) = column.of_row() {
                rows.iter()
                    .for_each(|row| column.see(row.text(usual.field)));
            }
        }
    }

    /// The names of the columns that a worker makes.
    pub(super) fn made_names(&self) -> Vec<String> {
        let made = self.all.iter().filter(|column| column.of_row().is_none());
        made.map(|column| column.name.clone()).collect()
    }

    /// The exchanges of these rows whose texts are to be made, if they have not been asked for yet.
    pub(super) fn missing<'a>(
        &mut self,
        rows: impl Iterator<Item = (usize, &'a Row)>,
    ) -> Option<Vec<usize>> {
        let missing = rows.filter(|(exchange, row)| {
            let made = self.made.get(exchange);
            made.is_none_or(|made| made.of != row.text(F::Bytes))
        });
        let missing: Vec<(usize, String)> = missing
            .map(|(exchange, row)| (exchange, row.text(F::Bytes).to_owned()))
            .collect();
        if missing.iter().all(|one| self.asked.contains(one)) {
            return None;
        }
        self.asked = missing;
        Some(self.asked.iter().map(|(exchange, _)| *exchange).collect())
    }

    /// Takes in texts that were made.
    pub(super) fn take(&mut self, names: &[String], cells: Vec<(usize, Vec<String>)>) {
        if names != self.made_names() {
            return;
        }
        if self.made.len() > KEPT {
            self.made.clear();
        }
        for (exchange, texts) in cells {
            let made = self
                .all
                .iter_mut()
                .filter(|column| column.of_row().is_none());
            made.zip(&texts).for_each(|(column, text)| column.see(text));
            let asked = self.asked.iter().find(|(asked, _)| *asked == exchange);
            if let Some((_, of)) = asked {
                let of = of.clone();
                self.made.insert(exchange, Made { of, texts });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(columns: &Columns) -> Vec<&str> {
        columns
            .all()
            .iter()
            .map(|column| column.name.as_str())
            .collect()
    }

    fn parse(list: &str, before: &Columns) -> Result<Columns, String> {
        let names: Vec<String> = list.split(',').map(str::to_owned).collect();
        Columns::parse(&names, before)
    }

    #[test]
    fn names_widths_and_paths_are_columns() {
        let usual = Columns::default();
        let columns = parse(
            "n,latency_ms,api:30,throttle,body.Topics[0].Name:12",
            &usual,
        )
        .unwrap();
        assert_eq!(
            names(&columns),
            ["n", "latency", "api", "throttle", "body.Topics[0].Name"]
        );
        assert_eq!(columns.all()[2].width, Some(30));
        assert_eq!(columns.all()[4].title(), "Topics[0].Name");
        assert_eq!(columns.made_names(), ["throttle", "body.Topics[0].Name"]);
        let columns = parse("+throttle,-time", &usual).unwrap();
        assert_eq!(names(&columns)[..2], ["n", "conn"]);
        assert_eq!(names(&columns).last(), Some(&"throttle"));
    }

    #[test]
    fn what_can_never_be_a_column_is_said() {
        let usual = Columns::default();
        for (list, said) in [
            ("tme", "did you mean time?"),
            ("api:wide", "no width"),
            ("body.Topics[0].Nam", "Name"),
            ("n,n", "twice"),
            ("-throttle", "no column of the list"),
        ] {
            let wrong = parse(list, &usual).unwrap_err();
            assert!(wrong.contains(said), "{list}: {wrong}");
        }
        let all: Vec<String> = USUAL
            .iter()
            .map(|usual| format!("-{}", usual.field.short()))
            .collect();
        assert!(
            Columns::parse(&all, &usual)
                .unwrap_err()
                .contains("nothing")
        );
    }

    #[test]
    fn texts_are_made_once_and_again_when_a_response_has_come() {
        let mut columns = parse("n,throttle,api,key", &Columns::default()).unwrap();
        let names = columns.made_names();
        let row_of = |bytes| Row::default().with(F::Bytes, bytes);
        let (row, answered) = (row_of("53/-"), row_of("53/503"));
        let asked = |columns: &mut Columns, row: &Row| columns.missing([(7, row)].into_iter());
        assert_eq!(asked(&mut columns, &row), Some(vec![7]));
        assert_eq!(asked(&mut columns, &row), None);
        let texts = vec!["5 ms".to_owned(), "18".to_owned()];
        columns.take(&names, vec![(7, texts.clone())]);
        assert_eq!(columns.text(1, 7, &row), Some("5 ms"));
        assert_eq!(columns.text(3, 7, &row), Some("18"));
        assert_eq!(columns.text(3, 8, &row), None);
        assert_eq!(asked(&mut columns, &row), None);
        assert_eq!(asked(&mut columns, &answered), Some(vec![7]));
        // Of other columns, which are not there any more.
        columns.take(&["n".to_owned()], vec![(7, vec!["x".to_owned()])]);
        assert_eq!(columns.text(1, 7, &row), Some("5 ms"));
    }
}
