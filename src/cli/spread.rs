//! Text, or rows, that several threads make and one writes, in order.

use std::{io, num::NonZero, sync::mpsc, thread};

/// Parts that a thread may be ahead of the writer, which bounds the memory.
const AHEAD: usize = 2;

/// More threads than this would only wait for the one that writes.
const MAX_THREADS: usize = 4;

/// Has the parts of something made by several threads, each with a state of its own, and written one
/// after the other. A part is made in what an earlier one was made in, or in a new one: `make`
/// leaves nothing of that.
///
/// # Errors
/// What `write` returns; then no further parts are made.
pub(super) fn spread<S, P: Send>(
    n_parts: usize,
    state: impl Fn() -> S + Sync,
    empty: impl Fn() -> P + Sync,
    make: impl Fn(&mut S, usize, &mut P) + Sync,
    mut write: impl FnMut(&mut P) -> io::Result<()>,
) -> io::Result<()> {
    let n_threads = thread::available_parallelism().map_or(1, NonZero::get);
    let n_threads = n_threads.min(MAX_THREADS).min(n_parts);
    let (state, empty, make) = (&state, &empty, &make);
    thread::scope(|scope| {
        let lanes: Vec<_> = (0..n_threads)
            .map(|lane| {
                let (sender, receiver) = mpsc::sync_channel(AHEAD);
                let (used, spare) = mpsc::channel::<P>();
                scope.spawn(move || {
                    let mut state = state();
                    for part in (lane..n_parts).step_by(n_threads) {
                        // Memory that is new costs more than the text that is written to it.
                        let mut made = spare.try_recv().unwrap_or_else(|_| empty());
                        make(&mut state, part, &mut made);
                        if sender.send(made).is_err() {
                            return;
                        }
                    }
                });
                (receiver, used)
            })
            .collect();
        for (parts, used) in lanes.iter().cycle().take(n_parts) {
            // A thread that ends early has panicked, which the scope passes on.
            let Ok(mut part) = parts.recv() else {
                break;
            };
            write(&mut part)?;
            // A thread that has made its last part wants none.
            let _ = used.send(part);
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_written_in_order_and_a_failed_write_ends_it() {
        for n_parts in [0, 1, 2, 7, 1000] {
            let mut all = Vec::new();
            let make = |made: &mut usize, part: usize, text: &mut Vec<u8>| {
                text.clear();
                *made += 1;
                text.extend_from_slice(format!("{part},").as_bytes());
            };
            spread(
                n_parts,
                || 0,
                Vec::new,
                make,
                |text| {
                    all.extend_from_slice(text);
                    Ok(())
                },
            )
            .unwrap();
            let expected: String = (0..n_parts).map(|part| format!("{part},")).collect();
            assert_eq!(String::from_utf8(all).unwrap(), expected);
            let mut n_written = 0;
            let ended = spread(
                n_parts,
                || 0,
                Vec::new,
                make,
                |_| {
                    n_written += 1;
                    match n_written {
                        3 => Err(io::ErrorKind::BrokenPipe.into()),
                        _ => Ok(()),
                    }
                },
            );
            assert_eq!(ended.is_err(), n_parts >= 3);
            assert_eq!(n_written, n_parts.min(3));
        }
    }
}
