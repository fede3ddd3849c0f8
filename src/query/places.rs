//! Where the parts of an expression were typed, for the carets below them.

use std::ops::Range;

use cel::{
    IdedExpr,
    common::ast::{Expr, SourceInfo},
};

use super::mistake::Mistake;

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
