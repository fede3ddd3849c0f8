//! A browser without a capture: the reference, and what is pasted.

use super::{
    Chosen, Exchanges, From, Hit, Page, Pattern, Query, Row, Side, Status, Step, Target, Text,
    View, pasted::pasted, reference_views::reference_view,
};
use crate::{
    query::Mistake,
    schema::Catalogue,
    session::{Reading, reread},
    wire::Span,
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

    fn message(&self, _: usize, _: Side) -> Option<Page> {
        None
    }

    fn reread(&self, _: Option<usize>, _: Side, bytes: &[u8], reading: &Reading) -> Option<Page> {
        reread(Catalogue::current(), bytes, reading).map(Page::changed)
    }

    fn title(&self) -> String {
        "kafscope".to_owned()
    }

    fn seek(&self, _: &From, _: Target, _: Step, _: &dyn Fn() -> bool) -> Option<(usize, Side)> {
        None
    }

    fn search(
        &self,
        _: &From,
        _: &Pattern,
        _: Step,
        _: &dyn Fn() -> bool,
        _: &mut dyn FnMut(usize),
    ) -> Option<Hit> {
        None
    }

    fn places(&self, _: usize, _: Side, _: &Pattern) -> Vec<Span> {
        Vec::new()
    }

    fn choose(
        &self,
        _: &Query,
        _: Chosen,
        _: &dyn Fn() -> bool,
        _: &mut dyn FnMut(Chosen),
    ) -> Result<(), Mistake> {
        Ok(())
    }

    fn cells(
        &self,
        _: &[String],
        _: &[usize],
        _: &dyn Fn() -> bool,
        _: &mut dyn FnMut(usize, Vec<String>),
    ) {
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
