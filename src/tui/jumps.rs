//! Where somebody has been: back to it, and forward again.

use super::Side;

/// A place that was left by a jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The exchange, from 0.
    pub idx: usize,
    pub side: Side,
}

/// The places, and where among them somebody is.
#[derive(Clone, Debug, Default)]
pub(super) struct Jumps {
    places: Vec<Place>,
    /// Places before this one are behind, the others ahead.
    at: usize,
}

/// Places that are kept.
const KEPT: usize = 200;

impl Jumps {
    /// Somebody leaves `place` for another one; what was ahead is forgotten.
    pub(super) fn leave(&mut self, place: Place) {
        self.places.truncate(self.at);
        if self.places.last() != Some(&place) {
            self.places.push(place);
        }
        if self.places.len() > KEPT {
            self.places.remove(0);
        }
        self.at = self.places.len();
    }

    /// The place before `here`.
    pub(super) fn back(&mut self, here: Place) -> Option<Place> {
        if self.at == self.places.len() {
            self.leave(here);
            self.at = self.places.len() - 1;
        }
        self.at = self.at.checked_sub(1)?;
        self.places.get(self.at).copied()
    }

    /// The place behind.
    pub(super) fn forward(&mut self) -> Option<Place> {
        let place = self.places.get(self.at + 1).copied()?;
        self.at += 1;
        Some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(idx: usize) -> Place {
        Place {
            idx,
            side: Side::Request,
        }
    }

    #[test]
    fn back_and_forward_lead_through_the_same_places() {
        let mut jumps = Jumps::default();
        jumps.leave(place(1));
        jumps.leave(place(5));
        assert_eq!(jumps.back(place(9)), Some(place(5)));
        assert_eq!(jumps.back(place(5)), Some(place(1)));
        assert_eq!(jumps.back(place(1)), None);
        assert_eq!(jumps.forward(), Some(place(5)));
        assert_eq!(jumps.forward(), Some(place(9)));
        assert_eq!(jumps.forward(), None);
        assert_eq!(jumps.back(place(9)), Some(place(5)));
        jumps.leave(place(5));
        assert_eq!(jumps.forward(), None);
    }
}
