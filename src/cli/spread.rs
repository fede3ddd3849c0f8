//! Lines that several threads make and one writes, in order.

use std::{io, num::NonZero, sync::mpsc, thread};

/// Parts of the text that a thread may be ahead of the writer, which bounds the memory.
const AHEAD: usize = 2;

/// More threads than this would only wait for the one that writes.
const MAX_THREADS: usize = 4;

/// Has the parts of a text made by several threads, each with a state of its own, and written one
/// after the other.
///
/// # Errors
/// What `write` returns; then no further parts are made.
pub(super) fn spread<S>(
    n_parts: usize,
    state: impl Fn() -> S + Sync,
    make: impl Fn(&mut S, usize, &mut Vec<u8>) + Sync,
    mut write: impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let n_threads = thread::available_parallelism().map_or(1, NonZero::get);
    let n_threads = n_threads.min(MAX_THREADS).min(n_parts);
    let (state, make) = (&state, &make);
    thread::scope(|scope| {
        let lanes: Vec<_> = (0..n_threads)
            .map(|lane| {
                let (sender, receiver) = mpsc::sync_channel(AHEAD);
                let (used, spare) = mpsc::channel::<Vec<u8>>();
                scope.spawn(move || {
                    let mut state = state();
                    for part in (lane..n_parts).step_by(n_threads) {
                        // Memory that is new costs more than the text that is written to it.
                        let mut text = spare.try_recv().unwrap_or_default();
                        text.clear();
                        make(&mut state, part, &mut text);
                        if sender.send(text).is_err() {
                            return;
                        }
                    }
                });
                (receiver, used)
            })
            .collect();
        for (texts, used) in lanes.iter().cycle().take(n_parts) {
            // A thread that ends early has panicked, which the scope passes on.
            let Ok(text) = texts.recv() else {
                break;
            };
            write(&text)?;
            // A thread that has made its last part wants none.
            let _ = used.send(text);
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
                *made += 1;
                text.extend_from_slice(format!("{part},").as_bytes());
            };
            spread(
                n_parts,
                || 0,
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
