//! Names that occur again and again, kept once.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use foldhash::quality::RandomState;

/// A client id or topic name of the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameId(pub(super) u32);

/// A set of names, or of error codes, that goes with an exchange.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ListId(pub(super) u32);

impl NameId {
    /// Counts from 0, in the order in which names were first seen.
    pub fn idx(self) -> usize {
        self.0 as usize
    }
}

impl ListId {
    /// 0 for the empty set; the same number always stands for the same set.
    pub fn idx(self) -> usize {
        self.0 as usize
    }
}

/// Values by the order in which they were first seen.
#[derive(Debug)]
pub(super) struct Interner<T: ?Sized> {
    values: Vec<Arc<T>>,
    known: HashMap<Arc<T>, u32, RandomState>,
}

impl<T: ?Sized> Default for Interner<T> {
    fn default() -> Self {
        Interner {
            values: Vec::new(),
            known: HashMap::default(),
        }
    }
}

impl<T: ?Sized + Eq + Hash> Interner<T> {
    /// The number of `value`.
    pub(super) fn number<'a>(&mut self, value: &'a T) -> u32
    where
        Arc<T>: From<&'a T>,
    {
        if let Some(&number) = self.known.get(value) {
            return number;
        }
        let number = u32::try_from(self.values.len()).unwrap_or(u32::MAX);
        let kept: Arc<T> = value.into();
        self.values.push(Arc::clone(&kept));
        self.known.insert(kept, number);
        number
    }

    /// The value of that number.
    pub(super) fn value(&self, number: u32) -> Option<&T> {
        self.values.get(number as usize).map(AsRef::as_ref)
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    /// The values from the number `from` on.
    pub(super) fn since(&self, from: usize) -> impl Iterator<Item = Arc<T>> {
        self.values.iter().skip(from).cloned()
    }
}
