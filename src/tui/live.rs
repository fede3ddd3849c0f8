//! A capture that is being indexed, as the browser sees it.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use super::{
    Chosen, Exchanges, From, Hit, Page, Pattern, Query, Row, Side, Status, Step, Target, Text,
    View,
    capture_views::{Checked, capture_view},
    pasted::pasted,
};
use crate::{
    query::{Column, ColumnCells, Filter, Keyed, Mistake, Occurrences, Occurring, Selection, Sort},
    render::{ExchangeRow, cut_to_width, escape_str},
    schema::{Catalogue, Direction},
    session::{Exchange, Index, Reading, Session, reread},
    wire::Span,
};

/// A session with the definitions that its messages are read by.
#[derive(Debug)]
pub struct Live<'s> {
    session: &'s Session,
    catalogue: &'static Catalogue,
    failed: AtomicBool,
    checked: Checked,
}

/// Exchanges that a query looks at before it shows what it has found.
const BLOCK: usize = 1 << 14;

/// The same where messages are decoded for an order, which takes a hundred times as long.
const BLOCK_DECODED: usize = 256;

/// Exchanges that a search looks at before it says so.
const LOOKED: usize = 64;

/// The widest text of a cell: a column shows no more, and a list of records can have a megabyte.
const LONGEST_CELL: usize = 500;

/// Nanoseconds.
const DAY: i64 = 86_400_000_000_000;

fn direction(side: Side) -> Direction {
    match side {
        Side::Request => Direction::Request,
        Side::Response => Direction::Response,
    }
}

impl<'s> Live<'s> {
    /// The browser's view of `session`.
    pub fn new(session: &'s Session, catalogue: &'static Catalogue) -> Live<'s> {
        Live {
            session,
            catalogue,
            failed: AtomicBool::new(false),
            checked: Checked::default(),
        }
    }

    /// Says that indexing has ended by a fault of the program.
    pub fn fail(&self) {
        self.failed.store(true, Ordering::Relaxed);
    }

    /// The side to look at, if an exchange is one that is looked for.
    fn side_of(
        &self,
        index: &Index,
        target: Target,
        here: &Exchange,
        exchange: &Exchange,
        side: Side,
    ) -> Option<Side> {
        let has_error = !index.errors(exchange).is_empty();
        let same = match target {
            Target::Trouble => return self.trouble_of(index, exchange),
            Target::Error => return has_error.then_some(Side::Response),
            Target::Problem => {
                return (exchange.problems > 0)
                    .then(|| self.trouble_of(index, exchange))
                    .flatten();
            }
            Target::Api => {
                let api = |exchange: &Exchange| exchange.api.map(|(key, _)| key);
                api(here) == api(exchange)
            }
            Target::Connection => here.connection == exchange.connection,
            Target::Client => here.client_id == exchange.client_id,
            Target::Topic => {
                let topics: Vec<&str> = index.topics(here).collect();
                index.topics(exchange).any(|topic| topics.contains(&topic))
            }
            Target::CorrelationId => here.correlation_id == exchange.correlation_id,
            Target::TimeOfDay(wanted) => exchange.time().rem_euclid(DAY) >= wanted,
            Target::Packet(_) => return None,
        };
        same.then_some(side)
    }

    fn trouble_of(&self, index: &Index, exchange: &Exchange) -> Option<Side> {
        match (&exchange.request, &exchange.response) {
            (None, _) => return Some(Side::Response),
            (_, None) if exchange.answered => return Some(Side::Request),
            _ => {}
        }
        if exchange.problems > 0 {
            // Which side it is in, the index does not say; only a decode does.
            let request = self
                .session
                .decode_message(self.catalogue, exchange, Direction::Request);
            let is_request = request.is_some_and(|opened| !opened.tree.problems().is_empty());
            return Some(if is_request {
                Side::Request
            } else {
                Side::Response
            });
        }
        (!index.errors(exchange).is_empty()).then_some(Side::Response)
    }

    /// The first place of a pattern in a message, behind or before `bound`.
    fn hit(
        &self,
        idx: usize,
        side: Side,
        pattern: &Pattern,
        step: Step,
        bound: Option<(u16, usize)>,
    ) -> Option<Hit> {
        let places = self.places(idx, side, pattern);
        let place = |span: &Span| (span.buffer.0, span.at);
        let nth = match (step, bound) {
            // A search that has just begun looks at the whole message.
            (Step::Forward, Some((0, usize::MAX)) | None) => Some(0),
            (Step::Forward, Some(bound)) => places.iter().position(|span| place(span) > bound),
            (Step::Back, None) => places.len().checked_sub(1),
            (Step::Back, Some(bound)) => places.iter().rposition(|span| place(span) < bound),
        }?;
        Some(Hit {
            idx,
            side,
            span: *places.get(nth)?,
            nth: (nth + 1, places.len()),
        })
    }
}

impl Exchanges for Live<'_> {
    fn status(&self) -> Status {
        let progress = self.session.progress();
        let index = self.session.index();
        let n_left_out = self.session.capture().left_out().len();
        let n_notes = n_left_out + index.notes().len() + index.n_more_notes();
        let len = index.len();
        let revision = index.revision();
        drop(index);
        Status {
            len,
            progress: match (progress.finished, progress.total) {
                (true, _) => 1.0,
                (false, 0) => 0.0,
                // Not done before it says so, however little is left.
                (false, total) => (progress.done as f64 / total as f64).min(0.999),
            },
            is_sized: self.session.capture().size().1,
            revision,
            n_notes,
            absence: (progress.finished && len == 0).then(|| self.session.absence()),
            failure: self
                .failed
                .load(Ordering::Relaxed)
                .then(|| "indexing has stopped by a fault of kafscope".to_owned()),
        }
    }

    fn row(&self, idx: usize) -> Option<Row> {
        let index = self.session.index();
        let exchange = index.exchange(idx + 1)?;
        Some(ExchangeRow::new(&index, &exchange))
    }

    fn message(&self, idx: usize, side: Side) -> Option<Page> {
        let exchange = self.session.index().exchange(idx + 1)?;
        self.session
            .open_message(self.catalogue, &exchange, direction(side))
            .map(|opened| Page {
                tree: opened.tree,
                decoded: opened.decoded,
                origins: opened.gathered.origins,
                files: self.session.capture().names().map(str::to_owned).collect(),
            })
    }

    fn reread(
        &self,
        idx: Option<usize>,
        side: Side,
        bytes: &[u8],
        reading: &Reading,
    ) -> Option<Page> {
        let Some(idx) = idx else {
            return reread(self.catalogue, bytes, reading).map(Page::changed);
        };
        let exchange = self.session.index().exchange(idx + 1)?;
        self.session
            .reread(self.catalogue, &exchange, direction(side), bytes, reading)
            .map(Page::changed)
    }

    fn seek(
        &self,
        from: &From,
        target: Target,
        step: Step,
        stop: &dyn Fn() -> bool,
    ) -> Option<(usize, Side)> {
        let index = self.session.index();
        if let Target::Packet(packet) = target {
            let (exchange, direction) = self.session.message_in_packet(&index, packet, stop)?;
            let side = match direction {
                Direction::Request => Side::Request,
                Direction::Response => Side::Response,
            };
            return Some((exchange.n as usize - 1, side));
        }
        let here = index.exchange(from.idx + 1)?;
        let others = match target {
            // Wherever somebody is, the first at a time is the first of all.
            Target::TimeOfDay(_) => (0..index.len()).collect(),
            _ => from.others(index.len(), step),
        };
        others.into_iter().take_while(|_| !stop()).find_map(|idx| {
            let exchange = index.exchange(idx + 1)?;
            let side = self.side_of(&index, target, &here, &exchange, from.side)?;
            Some((idx, side))
        })
    }

    fn absence(&self, target: Target, stop: &dyn Fn() -> bool) -> String {
        let Target::Packet(packet) = target else {
            return format!("no further exchange {}", target.name());
        };
        let index = self.session.index();
        let n_packets = index.n_packets();
        if packet > n_packets {
            let so_far = match self.session.progress().finished {
                true => "",
                false => " so far",
            };
            return format!("there is no packet {packet}; they go from 1 to {n_packets}{so_far}");
        }
        let nearest = self.session.nearest_message(&index, packet, stop);
        match nearest {
            None => format!("packet {packet} holds no message"),
            Some((exchange, message)) => format!(
                "packet {packet} holds no message; the nearest begins in packet {}, in exchange {}",
                message.packet, exchange.n
            ),
        }
    }

    fn search(
        &self,
        from: &From,
        pattern: &Pattern,
        step: Step,
        stop: &dyn Fn() -> bool,
        looked: &mut dyn FnMut(usize),
    ) -> Option<Hit> {
        let len = self.session.index().len();
        let mut exchanges = vec![from.idx];
        exchanges.extend(from.around(len, step));
        let n_exchanges = exchanges.len().saturating_sub(1);
        for (n, idx) in exchanges.into_iter().enumerate() {
            if stop() {
                return None;
            }
            if n % LOOKED == 0 {
                looked(n);
            }
            let sides = match step {
                Step::Forward => [Side::Request, Side::Response],
                Step::Back => [Side::Response, Side::Request],
            };
            for side in sides {
                // Of the message at hand what is on the other side of the cursor has been seen.
                let bound = match (n, side == from.side) {
                    (0, true) => Some((from.buffer, from.byte)),
                    (0, false) if side != sides[1] => continue,
                    _ => None,
                };
                if let Some(hit) = self.hit(idx, side, pattern, step, bound) {
                    return Some(hit);
                }
            }
        }
        looked(n_exchanges);
        None
    }

    fn places(&self, idx: usize, side: Side, pattern: &Pattern) -> Vec<Span> {
        let exchange = self.session.index().exchange(idx + 1);
        let opened = exchange.and_then(|exchange| {
            self.session
                .decode_message(self.catalogue, &exchange, direction(side))
        });
        opened.map_or_else(Vec::new, |opened| pattern.places(&opened.tree))
    }

    fn choose(
        &self,
        query: &Query,
        so_far: Chosen,
        stop: &dyn Fn() -> bool,
        found: &mut dyn FnMut(Chosen),
    ) -> Result<(), Mistake> {
        let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let filter = text(&query.filter).map(|text| Filter::parse(&text));
        let sort = text(&query.sort).map(|text| Sort::parse(&text));
        let sort = sort.transpose()?;
        let selection = Selection {
            filter: filter.transpose()?,
            ..Selection::default()
        };
        let block = match &sort {
            Some(sort) if sort.is_decoded() => BLOCK_DECODED,
            _ => BLOCK,
        };
        let mut members = so_far.members.as_ref().clone();
        let mut examined = so_far.examined;
        let mut keyed = Keyed::default();
        loop {
            // The index is given back between blocks, so that indexing and the screen go on.
            let index = self.session.index();
            let len = index.len();
            let end = len.min(examined + block);
            let mut numbers = selection.numbers_among(self.session, &index, &[examined + 1..=end]);
            examined = end;
            let done = examined >= len;
            if let Some(sort) = &sort {
                sort.add(self.session, &index, &numbers, &mut keyed);
                // Nothing has its place before all are known.
                numbers = match done {
                    true => sort.order(std::mem::take(&mut keyed)),
                    false => Vec::new(),
                };
            }
            drop(index);
            if stop() {
                return Ok(());
            }
            let found_now = numbers.into_iter();
            members.extend(found_now.filter_map(|n| u32::try_from(n - 1).ok()));
            found(Chosen {
                members: Arc::new(members.clone()),
                examined,
                done,
            });
            if done {
                return Ok(());
            }
        }
    }

    fn occurring(&self, stop: &dyn Fn() -> bool) -> Option<Occurring> {
        let mut occurrences = Occurrences::default();
        let mut examined = 0;
        loop {
            let index = self.session.index();
            let end = index.len().min(examined + BLOCK);
            let numbers = examined + 1..=end;
            for exchange in numbers.filter_map(|n| index.exchange(n)) {
                occurrences.add(&index, &exchange);
            }
            examined = end;
            if stop() {
                return None;
            }
            if examined >= index.len() {
                return Some(occurrences.finish(self.session, &index));
            }
        }
    }

    fn cells(
        &self,
        names: &[String],
        exchanges: &[usize],
        stop: &dyn Fn() -> bool,
        found: &mut dyn FnMut(usize, Vec<String>),
    ) {
        let columns: Result<Vec<Column>, Mistake> =
            names.iter().map(|name| Column::named(name)).collect();
        let Ok(columns) = columns else {
            return;
        };
        let mut cells = ColumnCells::new(Some(columns));
        for &idx in exchanges {
            if stop() {
                return;
            }
            let index = self.session.index();
            let Some(exchange) = index.exchange(idx + 1) else {
                continue;
            };
            let texts = cells.cells(self.session, &index, &exchange).into_iter();
            let texts = texts.map(|text| cut_to_width(&text, LONGEST_CELL));
            found(idx, texts.collect());
        }
    }

    fn view(
        &self,
        view: &View,
        members: Option<&Vec<u32>>,
        width: usize,
        stop: &dyn Fn() -> bool,
        looked: &mut dyn FnMut(usize),
    ) -> Text {
        capture_view(
            self.session,
            &self.checked,
            view,
            members,
            width,
            stop,
            looked,
        )
    }

    fn pasted(&self, text: &str) -> Result<Vec<Page>, String> {
        pasted(self.catalogue, text)
    }

    fn title(&self) -> String {
        let names: Vec<String> = self.session.capture().names().map(escape_str).collect();
        names.join(", ")
    }
}
