//! What a walk decided on its way: where a mistake could be that it did not expect.

use super::mistake::Site;
use crate::decode::limits;

/// A decision that a walk met.
#[derive(Clone, Copy, Debug)]
pub(super) struct Met {
    pub step: usize,
    pub site: Site,
}

/// A walk in front of an element of an array, from where another one may go on that has decided
/// nothing else until there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Checkpoint {
    /// Decisions met when the array began.
    pub array: usize,
    pub idx: usize,
    /// Decisions met.
    pub step: usize,
    pub at: usize,
    pub odd: u32,
    pub text: usize,
}

/// What was decided on the way.
#[derive(Default)]
pub(super) struct Trace {
    firsts: Vec<Met>,
    recent: Vec<Met>,
    checkpoints: Vec<Checkpoint>,
}

impl Trace {
    pub(super) fn note(&mut self, met: Met) {
        let is_new = self.firsts.len() < limits::TRIAL_SITES
            && !self.firsts.iter().any(|first| first.site == met.site);
        if is_new {
            self.firsts.push(met);
            return;
        }
        if self.recent.len() >= 2 * limits::TRIAL_STEPS {
            self.recent.drain(..limits::TRIAL_STEPS);
        }
        self.recent.push(met);
    }

    pub(super) fn pass(&mut self, checkpoint: Checkpoint) {
        if self.checkpoints.len() >= 2 * limits::TRIAL_STEPS {
            self.checkpoints.drain(..limits::TRIAL_STEPS);
        }
        self.checkpoints.push(checkpoint);
    }

    /// The first decision of each place, and the last ones of all; the last checkpoints.
    pub(super) fn end(self) -> (Vec<Met>, Vec<Checkpoint>) {
        let mut met = self.firsts;
        met.extend(self.recent);
        (met, self.checkpoints)
    }
}
