//! Numbers of exchanges behind inputs, as in `capture.pcap 3 7-9`.

use std::{ffi::OsString, ops::RangeInclusive, path::PathBuf};

use anyhow::anyhow;

/// The numbers of all exchanges that there are.
pub(super) const ALL: RangeInclusive<usize> = 1..=usize::MAX;

/// The inputs and the numbers behind them: the arguments that are numbers or ranges of numbers from
/// the end on, so that a file may be called 7 when it is not last. Where numbers may be left out and
/// all arguments are some, the first is an input.
///
/// # Errors
/// A number that no exchange can have, or a range that goes down.
pub(super) fn split(
    args: &[OsString],
    numbers: Numbers,
) -> anyhow::Result<(Vec<PathBuf>, Vec<RangeInclusive<usize>>)> {
    let is_number = |text: &&OsString| text.to_str().is_some_and(|t| bounds(t).is_some());
    let mut n_numbers = args.iter().rev().take_while(is_number).count();
    if n_numbers == args.len() && numbers == Numbers::Optional {
        // There is a capture, and it has such a name.
        n_numbers = n_numbers.saturating_sub(1);
    }
    let (inputs, numbers) = args
        .split_at_checked(args.len() - n_numbers)
        .unwrap_or_default();
    let ranges = numbers
        .iter()
        .filter_map(|text| text.to_str())
        .map(range)
        .collect::<anyhow::Result<Vec<_>>>()?;
    Ok((inputs.iter().map(Into::into).collect(), ranges))
}

/// Whether there must be numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numbers {
    Required,
    Optional,
}

/// What to say of a range that reaches behind the last of `len` exchanges; `None` for others.
pub(super) fn missing(range: &RangeInclusive<usize>, len: usize) -> Option<String> {
    if *range.end() <= len || *range == ALL {
        return None;
    }
    if len == 0 {
        return Some("there are no exchanges".to_owned());
    }
    let (be, missing) = match (range.start(), range.end()) {
        (start, end) if start == end => ("is", format!("exchange {start}")),
        (start, end) => (
            "are",
            format!("exchanges {} to {end}", start.max(&(len + 1))),
        ),
    };
    Some(format!("there {be} no {missing}; they go from 1 to {len}"))
}

/// The digits of a number, twice, or of the two ends of a range.
fn bounds(text: &str) -> Option<(&str, &str)> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let (start, end) = text.split_once('-').unwrap_or((text, text));
    (is_number(start) && is_number(end)).then_some((start, end))
}

fn range(text: &str) -> anyhow::Result<RangeInclusive<usize>> {
    let number = |digits: &str| {
        digits
            .parse()
            .map_err(|_| anyhow!("{digits}: no exchange has a number this large"))
    };
    let (start, end) = bounds(text).unwrap_or((text, text));
    let (start, end): (usize, usize) = (number(start)?, number(end)?);
    if start == 0 {
        return Err(anyhow!("{text}: exchanges count from 1"));
    }
    if start > end {
        return Err(anyhow!("{text}: a range goes up, as {end}-{start} does"));
    }
    Ok(start..=end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split_of(args: &[&str], numbers: Numbers) -> (Vec<PathBuf>, Vec<RangeInclusive<usize>>) {
        let args: Vec<OsString> = args.iter().map(OsString::from).collect();
        split(&args, numbers).unwrap()
    }

    #[test]
    fn numbers_are_read_from_the_end() {
        let (inputs, ranges) = split_of(&["7", "a.pcap", "3", "7-9"], Numbers::Required);
        assert_eq!(inputs, [PathBuf::from("7"), PathBuf::from("a.pcap")]);
        assert_eq!(ranges, [3..=3, 7..=9]);
        let (inputs, ranges) = split_of(&["7"], Numbers::Optional);
        assert_eq!((inputs, ranges), (vec![PathBuf::from("7")], vec![]));
        let (inputs, _) = split_of(&["7"], Numbers::Required);
        assert!(inputs.is_empty());
        assert!(split(&["a".into(), "9-7".into()], Numbers::Required).is_err());
    }

    #[test]
    fn what_is_not_there_is_named() {
        assert_eq!(missing(&(3..=7), 7), None);
        assert_eq!(missing(&ALL, 7), None);
        let said = missing(&(3..=9), 7).unwrap();
        assert_eq!(said, "there are no exchanges 8 to 9; they go from 1 to 7");
    }
}
