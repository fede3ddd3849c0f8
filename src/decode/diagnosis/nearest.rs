//! What to say where nothing explains all bytes: how far they make sense, and with which mistake.

use super::{Case, Reading, Repair, search::Attempt, walk::Ending};
use crate::{
    decode::limits,
    event::n_bytes,
    schema::Direction,
    wire::{BufferId, Span},
};

/// Missing bytes up to which it is tried whether a message can end within them. The first two fields
/// of any request but Produce are a larger number, should they stand where the size belongs.
const MISSING: usize = 0xffff;

impl Case<'_> {
    /// The size says that bytes are missing, nothing before speaks against it, and the rest of the
    /// message can be what is missing.
    pub(super) fn is_cut(&self) -> bool {
        let (Some(reading), Some(plain), Some(size)) = (self.proper, &self.plain, self.size())
        else {
            return false;
        };
        let len = self.bytes.len();
        let missing = usize::try_from(size + 4)
            .ok()
            .and_then(|whole| whole.checked_sub(len))
            .filter(|missing| self.start == 4 && (1..=MISSING).contains(missing));
        let Some(missing) = missing.filter(|_| plain.ending == Ending::Short) else {
            return false;
        };
        // The shortest rest there is: nothing but zeros.
        let mut bytes = self.bytes.to_vec();
        bytes.resize(len + missing, 0);
        let whole = reading.trace(&bytes, &[]);
        let is_rest = whole.ending == Ending::Exact || plain.may_be_longer(&whole);
        plain.strangeness() == 0 && whole.ending != Ending::Short && whole.at >= len && is_rest
    }

    /// The explanation that comes nearest, if any comes near.
    pub(super) fn nearest(&self, partial: &[Attempt]) -> Option<Repair> {
        let plain = self.plain.as_ref()?;
        let proper = self.proper?;
        let len = self.bytes.len();
        if plain.body == Some(len) {
            return Some(Repair {
                span: Span::new(BufferId::FRAME, len, len),
                message: format!(
                    "the message ends behind its header: {} has a body",
                    proper.body.name
                ),
                cost: 0,
            });
        }
        // The size says already that bytes are missing, and that is all that is wrong.
        if plain.is_cut(len) && plain.odd == 0 {
            return None;
        }
        let cut = || self.headless_and_cut().or_else(|| self.cut(partial));
        self.may_be_cut().then(cut).flatten().or_else(|| {
            match (self.nearest_version(), self.furthest(partial)) {
                // A version that comes as far explains more than a field that is missing.
                (Some((end, version)), Some((at, _))) if end >= at => Some(version),
                (_, Some((_, mistake))) => Some(mistake),
                (version, None) => version.map(|(_, version)| version),
            }
        })
    }

    /// Whether nothing says that all bytes of the message are there.
    fn may_be_cut(&self) -> bool {
        let follow = self.bytes.len() as i64 - 4;
        self.start != 4 || self.size().is_none_or(|size| size > follow)
    }

    /// The body alone, and not all of it.
    fn headless_and_cut(&self) -> Option<Repair> {
        let proper = self
            .proper
            .filter(|_| self.direction == Direction::Response)?;
        let reading = Reading {
            start: 0,
            header: None,
            ..proper
        };
        let outcome = reading.walk(self.bytes, &[]);
        let sound = self.plain.as_ref()?.sound();
        let is_cut = outcome.ending == Ending::Short && outcome.odd == 0;
        (is_cut && outcome.text > 0 && outcome.sound() >= sound + limits::SENSE_GAINED).then(|| {
            Repair {
                span: Span::new(BufferId::FRAME, 0, 0),
                message: "there is no response header: the bytes are the body, as far as they go"
                    .to_owned(),
                cost: 0,
            }
        })
    }

    /// With one mistake granted, the bytes make sense up to the last, and then they end.
    fn cut(&self, partial: &[Attempt]) -> Option<Repair> {
        let plain = self.plain.as_ref()?;
        let len = self.bytes.len();
        let sound = plain.sound();
        partial
            .iter()
            .filter(|attempt| {
                let outcome = &attempt.outcome;
                !attempt.is_chosen()
                    && outcome.is_cut(len)
                    && outcome.odd == 0
                    && outcome.at >= sound + limits::SENSE_GAINED
            })
            .min_by_key(|attempt| attempt.cost())
            .map(|attempt| Repair {
                span: attempt.span(),
                message: format!(
                    "{}: then all bytes make sense, up to where they are cut",
                    attempt.text()
                ),
                cost: attempt.cost(),
            })
    }

    /// With one mistake granted, the reading comes much further; up to where.
    fn furthest(&self, partial: &[Attempt]) -> Option<(usize, Repair)> {
        let plain = self.plain.as_ref()?;
        let len = self.bytes.len();
        let is_far = |at: usize| at >= plain.sound() + limits::SENSE_GAINED && 2 * at > len;
        partial
            .iter()
            .filter(|attempt| {
                let outcome = &attempt.outcome;
                !attempt.is_chosen()
                    && outcome.odd == 0
                    && is_far(outcome.sound())
                    && outcome.text > plain.text
            })
            .max_by_key(|attempt| (attempt.outcome.sound(), std::cmp::Reverse(attempt.cost())))
            .map(|attempt| {
                let at = attempt.outcome.sound();
                let then = match attempt.outcome.ending {
                    Ending::Over => format!("leaves {} over", n_bytes((len - at) as u64)),
                    Ending::Short if attempt.outcome.is_cut(len) => {
                        format!("comes to 0x{at:04x}, and lacks bytes")
                    }
                    _ => format!("comes to 0x{at:04x}, and no further"),
                };
                let repair = Repair {
                    span: attempt.span(),
                    message: format!(
                        "nothing known explains all bytes; nearest: {}, then the reading {then}",
                        attempt.text()
                    ),
                    cost: attempt.cost(),
                };
                (at, repair)
            })
    }

    /// The version that reads most of the bytes, and up to where.
    fn nearest_version(&self) -> Option<(usize, Repair)> {
        let proper = self.proper?;
        let body = self.plain.as_ref()?.body?;
        let len = self.bytes.len() - body;
        let Some(Ok(definition)) = self.catalogue.definition(proper.body.name) else {
            return None;
        };
        let (left, version, end) = definition
            .ever
            .iter()
            .filter_map(|version| {
                let plan = self.catalogue.plan(proper.body.name, version)?;
                let reading = Reading {
                    start: body,
                    header: None,
                    body: plan,
                };
                let outcome = reading.walk(self.bytes, &[]);
                (outcome.ending == Ending::Over).then_some((
                    self.bytes.len() - outcome.at,
                    version,
                    outcome.at,
                ))
            })
            .min()?;
        let repair = || Repair {
            span: Span::new(BufferId::FRAME, end, self.bytes.len()),
            message: match version == proper.body.version {
                true => format!(
                    "nothing known explains all bytes; nearest: the message ends at 0x{end:04x}, with {} left over",
                    n_bytes(left as u64)
                ),
                false => format!(
                    "nothing known explains all bytes; nearest: read as version {version}, they leave {} over",
                    n_bytes(left as u64)
                ),
            },
            cost: 0,
        };
        (left > 0 && left <= len / 2).then(|| (end, repair()))
    }
}
