//! Pipes that are still growing: `list` prints rows as their exchanges are completed, other commands
//! wait for the end.
//!
//! Rows come in order of `n`. A row waits for the response of its exchange, for a bounded time. When
//! the response comes later, the row is printed once more, with it: who looks at a running capture
//! looks for the slow ones. An interrupt counts as the end of the input, a second one kills.

use std::{
    collections::VecDeque,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use signal_hook::{
    consts::{SIGINT, SIGTERM},
    flag,
};

use super::{
    capture::{Bar, End},
    list::Lines,
    output::Output,
};
use crate::session::{Exchange, Session};

/// How long a row waits for its response. Long polls of consumers take half a second unless they
/// are told otherwise.
const RESPONSE: Duration = Duration::from_secs(1);

/// How often new rows are looked for.
const STEP: Duration = Duration::from_millis(50);

/// Whoever writes into the pipe is interrupted as well, and may have to empty its buffers.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// Rows that are written before the indexing thread gets its turn.
const ROWS: usize = 1000;

/// Rows whose responses are still waited for; those of the oldest are given up for more.
const OVERDUE: usize = 10_000;

/// Prints rows until the input ends.
pub(super) fn rows(
    session: &Session,
    end: &End,
    lines: &mut Lines<'_>,
    output: &mut Output,
) -> anyhow::Result<()> {
    let interrupted = interrupts()?;
    let mut seen = Seen::default();
    let mut overdue = Overdue::default();
    let mut printed = 0;
    let mut since: Option<Instant> = None;
    loop {
        let ended = end.within(STEP);
        seen.note(session.index().len());
        let is_ready = |exchange: &Exchange| {
            ended || exchange.is_complete() || seen.age(exchange.n as usize) >= RESPONSE
        };
        let result = overdue
            .print(session, lines, output)
            .and_then(|()| print(session, lines, output, &mut printed, &mut overdue, is_ready));
        if ended || result.is_err() || lines.is_full() {
            session.stop();
            return result;
        }
        seen.forget(printed);
        if interrupted.load(Ordering::Relaxed)
            && since.get_or_insert_with(Instant::now).elapsed() >= LAST_WORDS
        {
            session.stop();
        }
    }
}

/// Waits until the input ends, for those who need all of it.
pub(super) fn until_end(session: &Session, end: &End, bar: &mut Bar<'_>) -> anyhow::Result<()> {
    let interrupted = interrupts()?;
    let mut since: Option<Instant> = None;
    while !end.within(STEP) {
        bar.tick();
        if interrupted.load(Ordering::Relaxed)
            && since.get_or_insert_with(Instant::now).elapsed() >= LAST_WORDS
        {
            session.stop();
        }
    }
    Ok(())
}

fn print(
    session: &Session,
    lines: &mut Lines<'_>,
    output: &mut Output,
    printed: &mut usize,
    overdue: &mut Overdue,
    is_ready: impl Fn(&Exchange) -> bool,
) -> anyhow::Result<()> {
    loop {
        // Written without the lock: whoever reads the output may be slow.
        let mut text = Vec::new();
        let index = session.index();
        let ready: Vec<Exchange> = (*printed + 1..=*printed + ROWS)
            .map_while(|n| index.exchange(n))
            .take_while(|exchange| is_ready(exchange))
            .collect();
        lines.write(session, &index, &ready, &mut text)?;
        for exchange in ready.iter().filter(|exchange| may_change(exchange)) {
            overdue.note(exchange, lines.takes(session, &index, exchange));
        }
        drop(index);
        if ready.is_empty() {
            return Ok(());
        }
        *printed += ready.len();
        std::io::Write::write_all(output.raw(), &text)?;
        output.flush()?;
        if lines.is_full() {
            return Ok(());
        }
    }
}

/// Whether a row may have to be printed again. Brokers answer even what wants no answer.
fn may_change(exchange: &Exchange) -> bool {
    !exchange.is_complete() || exchange.response.is_none()
}

/// A row that had its turn without a response.
#[derive(Debug)]
struct Row {
    n: usize,
    is_printed: bool,
    /// All was there that was to come.
    was_complete: bool,
}

/// The rows that had their turn without their responses.
#[derive(Debug, Default)]
struct Overdue {
    awaited: VecDeque<Row>,
    /// Those that want none: kept apart, as a producer may write nothing else.
    unasked: VecDeque<Row>,
}

impl Overdue {
    fn note(&mut self, exchange: &Exchange, is_printed: bool) {
        let rows = match exchange.answered {
            true => &mut self.awaited,
            false => &mut self.unasked,
        };
        rows.push_back(Row {
            n: exchange.n as usize,
            is_printed,
            was_complete: exchange.is_complete(),
        });
        if rows.len() > OVERDUE {
            rows.pop_front();
        }
    }

    /// Prints those again whose responses have come.
    fn print(
        &mut self,
        session: &Session,
        lines: &mut Lines<'_>,
        output: &mut Output,
    ) -> anyhow::Result<()> {
        let mut text = Vec::new();
        let index = session.index();
        let (mut again, mut at_last) = (Vec::new(), Vec::new());
        for rows in [&mut self.awaited, &mut self.unasked] {
            rows.retain_mut(|row| match index.exchange(row.n) {
                Some(exchange) if row.has_changed(&exchange) => {
                    let is_over = !may_change(&exchange);
                    let takes = row.is_printed || lines.takes(session, &index, &exchange);
                    let answered = match row.is_printed {
                        true => &mut again,
                        false => &mut at_last,
                    };
                    answered.push(exchange);
                    (row.is_printed, row.was_complete) = (takes, true);
                    !is_over
                }
                _ => true,
            });
        }
        lines.write_again(session, &index, &again, &mut text);
        lines.write(session, &index, &at_last, &mut text)?;
        drop(index);
        if !text.is_empty() {
            std::io::Write::write_all(output.raw(), &text)?;
            output.flush()?;
        }
        Ok(())
    }
}

impl Row {
    /// Whether more is known now than when it was printed.
    fn has_changed(&self, exchange: &Exchange) -> bool {
        exchange.is_complete() && (exchange.response.is_some() || !self.was_complete)
    }
}

/// Sets the flag for the first signal and lets the second one kill.
fn interrupts() -> anyhow::Result<Arc<AtomicBool>> {
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        flag::register_conditional_default(signal, Arc::clone(&interrupted))?;
        flag::register(signal, Arc::clone(&interrupted))?;
    }
    Ok(interrupted)
}

/// When which rows were there for the first time.
#[derive(Debug, Default)]
struct Seen(VecDeque<(usize, Instant)>);

impl Seen {
    fn note(&mut self, len: usize) {
        if self.0.back().is_none_or(|&(before, _)| before < len) {
            self.0.push_back((len, Instant::now()));
        }
    }

    fn age(&self, n: usize) -> Duration {
        let idx = self.0.partition_point(|&(len, _)| len < n);
        self.0
            .get(idx)
            .map_or(Duration::ZERO, |(_, at)| at.elapsed())
    }

    fn forget(&mut self, printed: usize) {
        while self.0.front().is_some_and(|&(len, _)| len <= printed) && self.0.len() > 1 {
            self.0.pop_front();
        }
    }
}
