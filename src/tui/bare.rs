//! A browser without a capture: the reference, and what is pasted.

use super::{
    Exchanges, Page, Row, Side, Status, Text, View, pasted::pasted, reference_views::reference_view,
};
use crate::{
    schema::Catalogue,
    session::{Reading, reread},
};

/// No exchanges at all.
#[derive(Debug)]
pub struct Bare;

impl Exchanges for Bare {
    fn status(&self) -> Status {
        Status {
            progress: 1.0,
            ..Status::default()
        }
    }

    fn row(&self, _: usize) -> Option<Row> {
        None
    }

    fn reread(&self, _: Option<usize>, _: Side, bytes: &[u8], reading: &Reading) -> Option<Page> {
        reread(Catalogue::current(), bytes, reading).map(Page::changed)
    }

    fn title(&self) -> String {
        "kafscope".to_owned()
    }

    fn view(
        &self,
        view: &View,
        _: Option<&Vec<u32>>,
        width: usize,
        _: &dyn Fn() -> bool,
        _: &mut dyn FnMut(usize),
    ) -> Text {
        reference_view(view, width)
            .unwrap_or_else(|| Text::new("no capture", "there is no capture to look at"))
    }

    fn pasted(&self, text: &str) -> Result<Vec<Page>, String> {
        pasted(Catalogue::current(), text)
    }
}
