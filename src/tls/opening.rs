//! One record that is opened: under the keys in use, or those that may come next, with the number
//! that it has if none was lost, or one of the next.

use std::ops::Range;

use super::connection::Reading;
use super::epoch::Phase;
use super::half::Loss;
use super::protect::Opened;
use super::record::Header;
use super::{Event, Peer, Refusal, limits};

/// Why a record was not opened.
pub(super) enum Closed {
    /// There is nothing to open it with.
    NoKeys,
    /// It is not authentic under any of the keys that may be in use.
    Unauthentic,
}

impl Reading<'_, '_> {
    /// Opens a record, and takes its content.
    pub(super) fn open(
        &mut self,
        header: Header,
        fragment: &[u8],
        at: Range<u64>,
    ) -> Result<(), Closed> {
        match self.open_known(header, fragment, at.clone()) {
            Err(Closed::NoKeys) if self.identify(header, fragment) => {
                self.open_known(header, fragment, at)
            }
            result => result,
        }
    }

    /// Finds the session by a record that its secrets open, where the hello of the client is
    /// missing that would name it.
    fn identify(&mut self, header: Header, fragment: &[u8]) -> bool {
        if !self.is_nameless() {
            return false;
        }
        let Loss { sure, possible } = self.half().loss;
        let most = sure.saturating_add(possible).min(limits::MAX_SESSION_TRIES);
        let mut plain = Vec::new();
        for random in self.keys.randoms().take(limits::MAX_SESSIONS) {
            self.tls.agreed.random = Some(*random);
            let mut epochs = self.next_epochs().into_iter();
            if epochs.any(|(epoch, _)| {
                let opened = epoch.opener.open(header, fragment, 0..=most, &mut plain);
                opened.is_some()
            }) {
                return true;
            }
        }
        self.tls.agreed.random = None;
        self.count(limits::MAX_SESSIONS as u64, limits::DERIVING);
        false
    }

    /// Whether the server's hello is known and the client's is not.
    pub(super) fn is_nameless(&self) -> bool {
        self.tls.agreed.random.is_none() && self.tls.agreed.hello.is_some()
    }

    fn open_known(
        &mut self,
        header: Header,
        fragment: &[u8],
        at: Range<u64>,
    ) -> Result<(), Closed> {
        let from = self.output.plain.len();
        let half = match self.from {
            Peer::Client => &mut self.tls.client,
            Peer::Server => &mut self.tls.server,
        };
        let Loss { sure, possible } = half.loss;
        let possible = possible.min(limits::MAX_TRIES);
        let plain = &mut self.output.plain;
        let mut any = false;
        let mut in_use = None;
        if let Some(epoch) = &mut half.epoch {
            any = true;
            let expected = epoch.seq;
            let first = epoch.seq.saturating_add(sure);
            let seqs = first..=first.saturating_add(possible);
            in_use = epoch
                .opener
                .open(header, fragment, seqs, plain)
                .map(|opened| {
                    epoch.seq = opened.seq.saturating_add(1);
                    (opened, expected, None)
                });
        }
        let (opened, expected, changed) = match in_use {
            Some(found) => found,
            None => {
                let most = sure.saturating_add(possible).min(limits::MAX_TRIES);
                let next = self.next_epochs();
                any |= !next.is_empty();
                let plain = &mut self.output.plain;
                let found = next.into_iter().find_map(|(mut epoch, suite)| {
                    let opened = epoch.opener.open(header, fragment, 0..=most, plain)?;
                    epoch.seq = opened.seq.saturating_add(1);
                    Some((opened, 0, Some((epoch, suite))))
                });
                let Some(found) = found else {
                    if any {
                        self.count(most, fragment.len());
                        return Err(Closed::Unauthentic);
                    }
                    return Err(Closed::NoKeys);
                };
                found
            }
        };
        let Opened { kind, seq } = opened;
        let phase = changed.as_ref().map(|(epoch, _)| epoch.phase.clone());
        self.say_lost(expected, seq, at.start, phase);
        let chosen = self.tls.agreed.chosen();
        if self.tls.agreed.opened.is_none() {
            self.tls.agreed.opened = changed.as_ref().map(|(_, suite)| *suite).or(chosen);
        }
        if let Some((epoch, _)) = changed {
            let half = self.half();
            half.epoch = Some(epoch);
            half.messages.forget();
        }
        let half = self.half();
        half.loss = Loss::default();
        half.n_failed = 0;
        half.opened_to = at.end;
        self.content(kind, from, at);
        Ok(())
    }

    /// Counts what it has cost that a record was not opened. Who makes others work is left alone.
    fn count(&mut self, n_tries: u64, len: usize) {
        let cost = n_tries.saturating_add(2).saturating_mul(len as u64);
        self.tls.n_tried = self.tls.n_tried.saturating_add(cost);
        let allowed = self
            .tls
            .n_pushed
            .saturating_mul(limits::TRIED_PER_BYTE)
            .saturating_add(limits::MIN_TRIED_BYTES);
        if self.tls.n_tried > allowed {
            self.refuse(Refusal::Unauthentic);
        }
    }

    /// Says what is missing in front of record `seq` at `start`, where `expected` was the next:
    /// the first that was opened of the phase `changed`, or one more of the same.
    fn say_lost(&mut self, expected: u64, seq: u64, start: u64, changed: Option<Phase>) {
        let n_lost = seq.saturating_sub(expected);
        let from = self.from;
        let half = self.half();
        let before = half.epoch.as_ref();
        let len = match (changed, before) {
            (None, Some(epoch)) if n_lost > 0 => match epoch.phase {
                Phase::Handshake => return,
                // Number 0 ends the handshake of TLS 1.2; servers send tickets first in TLS 1.3.
                Phase::Tls12 { .. } if expected == 0 && n_lost == 1 => return,
                _ if !half.has_data => None,
                // Under the same keys, the sizes of records tell how much was in them.
                _ => epoch.opener.overhead().and_then(|overhead| {
                    let lost = start.checked_sub(half.opened_to)?;
                    lost.checked_sub(overhead.checked_mul(n_lost)?)
                }),
            },
            (None, _) | (Some(Phase::Handshake), _) => return,
            (Some(Phase::Tls12 { .. }), None) if n_lost <= 1 => return,
            (Some(Phase::Tls12 { .. }), _) => None,
            // A client sends data first of all; a server may have sent tickets alone.
            (Some(Phase::Application { .. }), Some(before))
                if before.phase == Phase::Handshake && n_lost == 0 =>
            {
                return;
            }
            (Some(Phase::Application { .. }), None) if n_lost == 0 => return,
            (Some(Phase::Application { .. }), _) => None,
        };
        if len != Some(0) {
            self.output.events.push(Event::Lost { from, len });
        }
    }
}
