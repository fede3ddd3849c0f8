//! What a walk decided on its way: where a mistake could be that it did not expect.

use super::mistake::Site;
use crate::decode::limits;

/// A decision that a walk met.
#[derive(Clone, Copy, Debug)]
pub(super) struct Met {
    pub step: usize,
    pub site: Site,
}

/// What was decided on the way.
#[derive(Default)]
pub(super) struct Trace {
    firsts: Vec<Met>,
    recent: Vec<Met>,
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

    /// The first decision of each place, and the last ones of all.
    pub(super) fn met(self) -> Vec<Met> {
        let mut met = self.firsts;
        met.extend(self.recent);
        met
    }
}
