//! How long a document became, for those who will paste it where there is a limit.

use std::fmt::{self, Write};

use crate::{cli::output::Output, render::markdown::ISSUE};

/// Characters that were written.
#[derive(Default)]
pub(super) struct Counter(usize);

/// A writer that counts on the way.
pub(super) struct Counted<'a>(pub(super) &'a mut dyn Write, pub(super) &'a mut Counter);

impl Write for Counted<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.1.0 += text.chars().count();
        self.0.write_str(text)
    }
}

impl Counter {
    /// Says so where Markdown has become too long for an issue.
    pub(super) fn complain(&self, output: &mut Output) {
        if self.0 > ISSUE {
            output.remark(&format!(
                "this is {} characters of Markdown, and an issue on GitHub takes {ISSUE}; fewer \
                 exchanges, --request or --response make it shorter",
                self.0
            ));
        }
    }
}
