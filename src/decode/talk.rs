//! The messages of a paste taken together: a response is known by the request that stands before
//! it, a token by the handshake, and what is no request can still be a response.

use std::net::SocketAddr;
use std::ops::Range;

use super::{
    Candidate, Claim, Framing, Piece,
    candidates::response_candidates,
    diagnosis::Reading,
    limits, pieces,
    recognise::{framing_content, has_client_id, request_body, size, whole},
};
use crate::schema::{ApiKey, Catalogue, Direction, fallback_version};

/// One message of a paste.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    pub range: Range<usize>,
    pub framing: Framing<'static>,
    pub claim: Claim,
    pub known: Known,
}

/// How it is known what a message is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Known {
    /// It says so itself, or nothing better is known.
    Header,
    /// It has the correlation id of a request before it.
    Paired,
    /// It is an empty token, as it ends an exchange behind SaslHandshake version 0.
    EmptyToken,
    /// It is no request to the last byte, and exactly these responses; it is taken for the first.
    Guessed(Vec<Candidate>),
}

/// What was said so far.
#[derive(Debug)]
pub struct Talk {
    catalogue: &'static Catalogue,
    asked: Vec<Asked>,
    /// From where to where what is read went, if that is known.
    way: Option<Way>,
    /// Messages that may still be held against all responses.
    guesses_left: usize,
}

/// A request that may be answered.
#[derive(Debug)]
struct Asked {
    correlation_id: i32,
    api: ApiKey,
    version: i16,
    way: Option<Way>,
}

/// The ends of a connection, the sender first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Way(SocketAddr, SocketAddr);

impl Way {
    fn back(self) -> Way {
        Way(self.1, self.0)
    }
}

impl Talk {
    pub fn new(catalogue: &'static Catalogue) -> Talk {
        Talk {
            catalogue,
            asked: Vec::new(),
            way: None,
            guesses_left: limits::GUESSED,
        }
    }

    /// Notes from where to where the bytes go that come next, if they are of packets: other
    /// connections have the same correlation ids.
    pub fn came(&mut self, way: Option<(SocketAddr, SocketAddr)>) {
        self.way = way.map(|(from, to)| Way(from, to));
    }

    /// The messages in `bytes`, which nobody says anything about. There is always one unless there
    /// are no bytes.
    pub fn turns(&mut self, bytes: &[u8]) -> Vec<Turn> {
        if let Some(turns) = self.conversation(bytes) {
            return turns;
        }
        pieces(self.catalogue, Claim::Requests, bytes)
            .into_iter()
            .map(|piece| self.turn(piece, bytes))
            .collect()
    }

    /// Whether `bytes` are messages that are known as such by more than their first bytes.
    pub fn knows(&mut self, bytes: &[u8]) -> bool {
        let n_asked = self.asked.len();
        let turns = self.turns(bytes);
        self.asked.truncate(n_asked);
        turns.iter().any(|turn| turn.known != Known::Header)
    }

    /// Where in bytes behind a gap whole messages begin that are known as such and fill the rest
    /// exactly.
    pub fn resume(&mut self, bytes: &[u8]) -> Option<usize> {
        let n_asked = self.asked.len();
        (0..bytes.len()).find(|&at| {
            let rest = bytes.get(at..).unwrap_or_default();
            let turns = self.frames(rest).unwrap_or_default();
            self.asked.truncate(n_asked);
            let last = turns.last().and_then(|turn| rest.get(turn.range.clone()));
            last.is_some_and(|frame| size(frame) == frame.len().checked_sub(4))
        })
    }

    /// Requests and responses to them, one after another by their sizes to the last byte.
    fn conversation(&mut self, bytes: &[u8]) -> Option<Vec<Turn>> {
        let n_asked = self.asked.len();
        let turns = self.frames(bytes).filter(|turns| {
            turns.len() > 1 && turns.iter().any(|turn| turn.known == Known::Paired)
        });
        if turns.is_none() {
            self.asked.truncate(n_asked);
        }
        turns
    }

    fn frames(&mut self, bytes: &[u8]) -> Option<Vec<Turn>> {
        let mut turns = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            let rest = bytes.get(at..)?;
            let size = size(rest).filter(|&size| size >= 4)?;
            let end = at + 4 + size.min(rest.len().checked_sub(4)?);
            let content = bytes.get(at + 4..end)?;
            let is_cut = content.len() < size;
            let (claim, known) = if let Some(claim) = self.answer(content, is_cut) {
                (claim, Known::Paired)
            } else if self.asks(content, is_cut) {
                (Claim::Requests, Known::Header)
            } else {
                return None;
            };
            turns.push(Turn {
                range: at..end,
                framing: Framing::Sized,
                claim,
                known,
            });
            at = end;
        }
        Some(turns)
    }

    fn is_request(&self, content: &[u8]) -> bool {
        whole(self.catalogue, Claim::Requests, content)
    }

    /// Notes a request that `content` starts like, and is to the last byte unless it is cut.
    fn asks(&mut self, content: &[u8], is_cut: bool) -> bool {
        let Some((api, version, _)) = request_body(self.catalogue, content) else {
            return false;
        };
        let is_request = is_cut || self.is_request(content);
        if is_request && let Some(correlation_id) = int32(content, 4) {
            self.asked.push(Asked {
                correlation_id,
                api,
                version,
                way: self.way,
            });
        }
        is_request
    }

    /// The response that `content` is to the last byte, or starts like when it is cut.
    fn answer(&self, content: &[u8], is_cut: bool) -> Option<Claim> {
        let claim = self.claim(int32(content, 0)?)?;
        let fits = |claim| whole(self.catalogue, claim, content);
        (is_cut || fits(claim) || fallback(claim).is_some_and(fits)).then_some(claim)
    }

    /// What the last request with this correlation id wants answered, which went the other way.
    fn claim(&self, correlation_id: i32) -> Option<Claim> {
        let is_answer = |asked: &&Asked| {
            let ways = asked.way.zip(self.way);
            asked.correlation_id == correlation_id
                && ways.is_none_or(|(asked, answer)| asked.back() == answer)
        };
        let mut asked = self.asked.iter().rev();
        asked.find(is_answer).map(|asked| Claim::Responses {
            api: asked.api,
            version: asked.version,
        })
    }

    /// Whether tokens stand without a header, as version 0 of the handshake has it.
    fn has_raw_tokens(&self) -> bool {
        let is_handshake =
            |asked: &Asked| asked.api == ApiKey::SASL_HANDSHAKE && asked.version == 0;
        self.asked.iter().any(is_handshake)
    }

    /// Up to where `content` makes sense as the response of a claim.
    fn sense(&self, claim: Claim, content: &[u8]) -> usize {
        let Claim::Responses { api, version } = claim else {
            return 0;
        };
        let reading = Reading::of_api(self.catalogue, Direction::Response, api, version, 0);
        reading.map_or(0, |reading| reading.sound(content))
    }

    /// The same as the request that it starts like.
    fn request_sense(&self, content: &[u8]) -> usize {
        let reading = request_body(self.catalogue, content).and_then(|(api, version, _)| {
            Reading::of_api(self.catalogue, Direction::Request, api, version, 0)
        });
        reading.map_or(0, |reading| reading.sound(content))
    }

    fn turn(&mut self, piece: Piece, bytes: &[u8]) -> Turn {
        let frame = bytes.get(piece.range.clone()).unwrap_or_default();
        let turn = |framing, claim, known| Turn {
            range: piece.range.clone(),
            framing,
            claim,
            known,
        };
        if frame == [0; 4] && self.has_raw_tokens() {
            return turn(Framing::Sized, Claim::Requests, Known::EmptyToken);
        }
        let content = framing_content(piece.framing, frame).unwrap_or_default();
        // A response that was asked for is less of a chance than a request that it could be too.
        if let Some(claim) = self.answer(content, false) {
            return turn(piece.framing, claim, Known::Paired);
        }
        if self.asks(content, false) {
            return turn(piece.framing, Claim::Requests, Known::Header);
        }
        // More bytes than their size says have more messages in them, or are none.
        let sized = size(frame).filter(|&size| size >= 4 && size + 8 >= frame.len());
        let framings: &[Framing<'static>] = match sized {
            Some(_) => &[Framing::Sized, Framing::Bare],
            None => &[Framing::Bare],
        };
        // What starts like a request is one with a mistake, unless it makes more sense as a response.
        let is_like_request = request_body(self.catalogue, content).is_some();
        for &framing in framings {
            let content = framing_content(framing, frame).unwrap_or_default();
            let claim = int32(content, 0).and_then(|id| self.claim(id));
            if let Some(claim) = claim
                && (!is_like_request || self.sense(claim, content) > self.request_sense(content))
            {
                return turn(framing, claim, Known::Paired);
            }
        }
        // A readable client id behind a known API and version is no chance.
        let names_client = is_like_request && has_client_id(content);
        if !names_client && self.guesses_left > 0 {
            self.guesses_left -= 1;
            for &framing in framings {
                // With a wrong size it is still a response.
                let content = framing_content(framing, frame).unwrap_or_default();
                let mut found = response_candidates(self.catalogue, Framing::Bare, content);
                found.retain(|candidate| candidate.is_likely());
                if let Some(&Candidate { api, version, .. }) = found.first() {
                    let claim = Claim::Responses { api, version };
                    return turn(framing, claim, Known::Guessed(found));
                }
            }
        }
        // With a mistake behind its header it was asked all the same.
        self.asks(content, true);
        turn(piece.framing, Claim::Requests, Known::Header)
    }
}

fn int32(content: &[u8], at: usize) -> Option<i32> {
    let bytes = content.get(at..)?.first_chunk()?;
    Some(i32::from_be_bytes(*bytes))
}

/// The same response as a broker sends it that does not know the version asked for.
fn fallback(claim: Claim) -> Option<Claim> {
    match claim {
        Claim::Requests => None,
        Claim::Responses { api, .. } => {
            fallback_version(api).map(|version| Claim::Responses { api, version })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::{request_frame, response_frame, smallest};

    fn frames(api: ApiKey, version: i16, correlation_id: i32) -> (Vec<u8>, Vec<u8>) {
        let catalogue = Catalogue::current();
        let body = |direction| smallest(catalogue.api_plan(api, direction, version).unwrap());
        let asked = body(Direction::Request);
        let answered = body(Direction::Response);
        (
            request_frame(catalogue, api, version, correlation_id, Some("c"), &asked),
            response_frame(catalogue, api, version, correlation_id, &answered),
        )
    }

    fn known(talk: &mut Talk, bytes: &[u8]) -> Vec<(Claim, bool)> {
        let turns = talk.turns(bytes);
        turns
            .into_iter()
            .map(|turn| (turn.claim, turn.known == Known::Paired))
            .collect()
    }

    /// In one paste and in two, for every API and version: one correlation id that could be the
    /// start of a request as well, and one that could not.
    #[test]
    fn a_response_is_known_by_the_request_before_it() {
        let catalogue = Catalogue::current();
        for api in ApiKey::all() {
            let ever = catalogue.api(api, Direction::Response).unwrap().ever;
            for (version, id) in ever
                .iter()
                .flat_map(|version| [(version, 3), (version, 1 << 30)])
            {
                let (request, response) = frames(api, version, id);
                let claim = Claim::Responses { api, version };
                let both = [(Claim::Requests, false), (claim, true)];
                let mut talk = Talk::new(catalogue);
                assert_eq!(known(&mut talk, &request), both[..1], "{api} {version}");
                assert_eq!(known(&mut talk, &response), both[1..], "{api} {version}");
                let mut talk = Talk::new(catalogue);
                let together = [request, response].concat();
                assert_eq!(known(&mut talk, &together), both, "{api} {version}");
            }
        }
    }

    #[test]
    fn a_response_goes_the_other_way_on_the_connection_of_its_request() {
        let (first, answer) = frames(ApiKey(3), 1, 7);
        let (second, _) = frames(ApiKey(20), 1, 7);
        let mut talk = Talk::new(Catalogue::current());
        let hear = |talk: &mut Talk, way: Option<(SocketAddr, SocketAddr)>, bytes: &[u8]| {
            talk.came(way);
            known(talk, bytes)
        };
        let client = |port: u16| SocketAddr::from(([10, 0, 0, 1], port));
        let server = SocketAddr::from(([10, 0, 0, 2], 9092));
        let there = |port: u16| Some((client(port), server));
        let back = |port: u16| Some((server, client(port)));
        hear(&mut talk, there(1000), &first);
        hear(&mut talk, there(1001), &second);
        let claim = Claim::Responses {
            api: ApiKey(3),
            version: 1,
        };
        let paired = [(claim, true)];
        assert_eq!(hear(&mut talk, back(1000), &answer), paired);
        assert_ne!(hear(&mut talk, back(1001), &answer), paired);
        // Where the connection is not known, the last request counts.
        hear(&mut talk, None, &first);
        assert_eq!(hear(&mut talk, None, &answer), paired);
    }

    /// RenewDelegationToken 2 that has lost a byte: exactly a response of Metadata 8 as well, whose
    /// texts are parts of the client id.
    #[test]
    fn a_request_with_a_mistake_that_names_its_client_is_no_response() {
        let request =
            b"\0\0\0\x1f\0\x27\0\x02\0\0\0\0\0\x09my-client\0\x03\0\x01\0\0\0\0\0\0\x01\0";
        let candidates = response_candidates(Catalogue::current(), Framing::Bare, request);
        assert!(candidates.iter().any(|candidate| candidate.is_likely()));
        let mut talk = Talk::new(Catalogue::current());
        assert_eq!(known(&mut talk, request), [(Claim::Requests, false)]);
    }

    #[test]
    fn what_was_not_asked_is_guessed_if_its_text_speaks_for_it() {
        let mut talk = Talk::new(Catalogue::current());
        // ListGroups 0: no error, one group.
        let response = b"\0\0\0\x14\0\x77\0\x07\0\0\0\0\0\x01\0\x02g1\0\x04type";
        let turns = talk.turns(response);
        let Some(Turn {
            known: Known::Guessed(candidates),
            ..
        }) = turns.first()
        else {
            panic!("{turns:?}");
        };
        assert_eq!(candidates.first().unwrap().api, ApiKey(16));
        assert_eq!(
            turns.first().unwrap().claim,
            Claim::Responses {
                api: ApiKey(16),
                version: 0
            }
        );
    }

    #[test]
    fn a_malformed_response_keeps_neither_itself_nor_the_others_from_being_found() {
        let catalogue = Catalogue::current();
        let (request, response) = frames(ApiKey::API_VERSIONS, 3, 7);
        let (next, answer) = frames(ApiKey(12), 4, 8);
        let mut malformed = [response.as_slice(), &[0, 0, 1]].concat();
        malformed[3] += 3;
        let claim = |api, version| (Claim::Responses { api, version }, true);
        let asked = (Claim::Requests, false);
        let all = [
            asked,
            claim(ApiKey::API_VERSIONS, 3),
            asked,
            claim(ApiKey(12), 4),
        ];
        let bytes = [request, malformed, next, answer];
        for n in 2..=all.len() {
            let mut talk = Talk::new(catalogue);
            let found = known(&mut talk, &bytes[..n].concat());
            assert_eq!(found, all[..n], "{n}");
        }
    }

    /// Sizes say where it is; what is in it, nobody knows.
    #[test]
    fn a_request_that_no_definition_has_is_no_response() {
        let catalogue = Catalogue::current();
        for (at, number) in [(4, 999), (6, 99)] {
            let (request, response) = frames(ApiKey(3), 1, 7);
            let mut unknown = request.clone();
            unknown[at..at + 2].copy_from_slice(&i16::to_be_bytes(number));
            let bytes = [unknown.as_slice(), &request, &unknown, &response].concat();
            let found = known(&mut Talk::new(catalogue), &bytes);
            let claim = Claim::Responses {
                api: ApiKey(3),
                version: 1,
            };
            let asked = (Claim::Requests, false);
            assert_eq!(found, [asked, asked, asked, (claim, true)]);
        }
    }

    #[test]
    fn behind_a_gap_whole_messages_are_found() {
        let catalogue = Catalogue::current();
        let (request, response) = frames(ApiKey(3), 1, 7);
        let rest = b"the rest of a message\0\0\0\x10\0\x03";
        let mut talk = Talk::new(catalogue);
        for messages in [
            request.clone(),
            [request.clone(), response.clone()].concat(),
        ] {
            let bytes = [rest, messages.as_slice()].concat();
            assert_eq!(talk.resume(&bytes), Some(rest.len()));
        }
        // Nothing, what is cut, and a response that nobody asked for.
        assert_eq!(talk.resume(rest), None);
        assert_eq!(talk.resume(&request[..request.len() - 1]), None);
        assert_eq!(talk.resume(&response), None);
    }
}
