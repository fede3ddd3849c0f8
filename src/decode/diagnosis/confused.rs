//! The bytes are a message, and taken for another: its key and version have changed places, its
//! numbers are little-endian, it is a request and held to be a response, or the other way round.

use super::{
    Case, Fitness, Reading, Repair, Subject,
    mistake::{Grant, Mistake, Reach},
    walk::Ending,
};
use crate::{
    decode::{
        Claim, Framing, limits,
        recognise::{has_client_id, request_body},
        response_candidates,
    },
    schema::{ApiKey, Direction},
    wire::{BufferId, Span},
};

/// What such explanations cost, beside the strangeness of their values.
const SWAPPED: u32 = 5;
const LITTLE_ENDIAN: u32 = 5;
const REQUEST: u32 = 4;
/// Most requests that are malformed can be some response.
const RESPONSE: u32 = 20;
/// What it costs more where no text speaks for it.
const WITHOUT_TEXT: u32 = 8;

/// Responses that are named.
const NAMED: usize = 3;

impl Case<'_> {
    /// All of them.
    pub(super) fn confused(&self) -> Vec<Repair> {
        let found = match self.subject {
            Subject::Message(Claim::Requests, _) => [self.swapped(), self.little_endian()],
            Subject::Message(Claim::Responses { .. }, _) => [self.is_request(), None],
            Subject::Structure(_) => [None, None],
        };
        found.into_iter().flatten().collect()
    }

    /// The API key stands behind the version.
    fn swapped(&self) -> Option<Repair> {
        let (version, key) = (self.int16(self.start)?, self.int16(self.start + 2)?);
        let reading = self.reading(ApiKey(key), version, self.start)?;
        let mut bytes = self.bytes.to_vec();
        let header = bytes.get_mut(self.start..self.start + 4)?;
        header.rotate_left(2);
        let outcome = reading.walk(&bytes, &[]);
        (outcome.ending == Ending::Exact).then(|| Repair {
            span: Span::new(BufferId::FRAME, self.start, self.start + 4),
            message: format!(
                "API key and version have changed places: with key {key} in front of version \
                 {version} the bytes are exactly {}",
                reading.body.name
            ),
            cost: SWAPPED + outcome.strangeness(),
        })
    }

    /// All numbers of the message, its size perhaps as well.
    fn little_endian(&self) -> Option<Repair> {
        let follow = self.bytes.len().checked_sub(4)?;
        let size = self.size().and_then(|size| i32::try_from(size).ok())?;
        let is_sized = self.start == 4 || i64::from(size.swap_bytes()) == follow as i64;
        let start = if is_sized { 4 } else { 0 };
        let key = self.int16(start)?.swap_bytes();
        let version = self.int16(start + 2)?.swap_bytes();
        let reading = self.reading(ApiKey(key), version, start)?;
        let everywhere = Grant {
            mistake: Mistake::Reversed,
            reach: Reach::Everywhere,
        };
        let outcome = reading.walk(self.bytes, &[everywhere]);
        // A size that is right is none of them.
        let from = match i64::from(size) == follow as i64 {
            true => start,
            false => 0,
        };
        outcome.explains().then(|| Repair {
            span: Span::new(BufferId::FRAME, from, start + 4),
            message: format!(
                "all numbers are little-endian, and Kafka's are big-endian (network byte order): \
                 so they are exactly {} version {version}",
                reading.body.name
            ),
            cost: LITTLE_ENDIAN + outcome.strangeness(),
        })
    }

    /// What should be a response is a request.
    fn is_request(&self) -> Option<Repair> {
        [self.start, 4, 0].into_iter().find_map(|start| {
            let content = self.bytes.get(start..)?;
            let (api, version, _) = request_body(self.catalogue, content)?;
            let reading = Reading::of_api(self.catalogue, Direction::Request, api, version, start)?;
            let Fitness { odd, text, .. } = reading.fitness(self.bytes)?;
            (text >= limits::TEXT_THAT_SPEAKS).then(|| Repair {
                span: Span::new(BufferId::FRAME, start, start + 4),
                message: format!(
                    "the bytes are a request, and no response: exactly {} version {version}",
                    reading.body.name
                ),
                cost: REQUEST + odd,
            })
        })
    }

    /// What should be a request is a response, of one API or of several.
    pub(super) fn is_response(&self) -> Option<Repair> {
        let Subject::Message(Claim::Requests, framing) = self.subject else {
            return None;
        };
        let content = self.bytes.get(self.start..)?;
        // A request that names its client is one, of whatever API.
        if has_client_id(content) {
            return None;
        }
        let found = response_candidates(self.catalogue, Framing::Bare, content);
        let first = found.first().filter(|first| first.is_usual())?;
        // Without a size, and without a text, nearly any bytes are some response.
        if framing == Framing::Bare && !first.is_likely() {
            return None;
        }
        let names: Vec<String> = found
            .iter()
            .filter(|found| found.is_usual())
            .map(|found| format!("{} {}", found.api, found.version))
            .collect();
        let more = match names.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        Some(Repair {
            span: Span::new(BufferId::FRAME, self.start, self.bytes.len()),
            message: format!(
                "the bytes are exactly a response of {}{more}: --response --api {} --version {}",
                names.get(..NAMED).unwrap_or(&names).join(" or "),
                first.api,
                first.version
            ),
            cost: match first.is_likely() {
                true => RESPONSE,
                false => RESPONSE + WITHOUT_TEXT,
            },
        })
    }
}
