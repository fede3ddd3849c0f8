//! Two lists beside each other: what is in both, in one alone, in an order that keeps that of each.

use std::{collections::HashMap, hash::Hash};

/// An item of the first list, of the second, or of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side<T> {
    First(T),
    Second(T),
    Both(T, T),
}

/// Puts `first` and `second` beside each other by a key; the n-th item of a key belongs to the n-th.
/// Items of the first list alone come where they were: behind what they followed there.
pub(super) fn align<T: Copy, K: Hash + Eq>(
    first: &[T],
    second: &[T],
    key: impl Fn(T) -> K,
) -> Vec<Side<T>> {
    let mut places: HashMap<(K, usize), usize> = HashMap::new();
    let mut seen: HashMap<K, usize> = HashMap::new();
    for (idx, &item) in first.iter().enumerate() {
        let n = seen.entry(key(item)).or_default();
        places.insert((key(item), *n), idx);
        *n += 1;
    }
    seen.clear();
    let partners: Vec<Option<usize>> = second
        .iter()
        .map(|&item| {
            let n = seen.entry(key(item)).or_default();
            *n += 1;
            places.remove(&(key(item), *n - 1))
        })
        .collect();
    // What no item of the second list has taken.
    let mut alone = vec![false; first.len()];
    for &idx in places.values() {
        if let Some(slot) = alone.get_mut(idx) {
            *slot = true;
        }
    }
    let mut sides = Vec::with_capacity(second.len());
    let mut next = 0;
    let lonely = |upto: usize, next: &mut usize, sides: &mut Vec<Side<T>>| {
        while *next < upto {
            if let (Some(true), Some(&item)) = (alone.get(*next), first.get(*next)) {
                sides.push(Side::First(item));
            }
            *next += 1;
        }
    };
    for (&item, partner) in second.iter().zip(partners) {
        match partner.and_then(|idx| Some((idx, *first.get(idx)?))) {
            Some((idx, other)) => {
                lonely(idx, &mut next, &mut sides);
                sides.push(Side::Both(other, item));
            }
            None => sides.push(Side::Second(item)),
        }
    }
    lonely(first.len(), &mut next, &mut sides);
    sides
}

#[cfg(test)]
mod tests {
    use super::{Side::*, *};

    #[test]
    fn what_is_in_one_list_stays_where_it_was() {
        let sides = align(&['a', 'b', 'c', 'd'], &['x', 'a', 'c', 'y'], |c| c);
        assert_eq!(
            sides,
            [
                Second('x'),
                Both('a', 'a'),
                First('b'),
                Both('c', 'c'),
                Second('y'),
                First('d')
            ]
        );
    }

    #[test]
    fn equal_keys_belong_together_by_their_number() {
        let sides = align(&[(1, 'a'), (1, 'b')], &[(1, 'c')], |(key, _)| key);
        assert_eq!(sides, [Both((1, 'a'), (1, 'c')), First((1, 'b'))]);
    }

    #[test]
    fn another_order_loses_nothing() {
        let sides = align(&[1, 2, 3], &[3, 1, 2], |n| n);
        assert_eq!(sides, [Both(3, 3), Both(1, 1), Both(2, 2)]);
    }
}
