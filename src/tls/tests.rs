//! Sessions of OpenSSL with every suite, cut, damaged and with holes: what comes out is what was
//! said, or less of it with the rest said to be lost.

use std::ops::Range;
use std::sync::OnceLock;

use serde_json::Value as Json;

use super::{Event, KeyLog, Label, Output, Peer, Refusal, Suite, Tls, Version};

struct Session {
    name: String,
    version: String,
    keylog: String,
    flights: Vec<(Peer, Vec<u8>)>,
    client: Vec<u8>,
    server: Vec<u8>,
}

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len() / 2)
        .map(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).unwrap())
        .collect()
}

fn sessions() -> &'static [Session] {
    static SESSIONS: OnceLock<Vec<Session>> = OnceLock::new();
    SESSIONS.get_or_init(|| {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/data/tls-sessions.jsonl.zst"
        );
        let lines = zstd::decode_all(std::fs::File::open(path).unwrap()).unwrap();
        let text = |json: &Json| json.as_str().unwrap().to_owned();
        std::str::from_utf8(&lines)
            .unwrap()
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .map(|session: Json| Session {
                name: text(&session["name"]),
                version: text(&session["version"]),
                keylog: text(&session["keylog"]),
                flights: session["flights"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|flight| (peer(&text(&flight[0])), unhex(&text(&flight[1]))))
                    .collect(),
                client: unhex(&text(&session["client"])),
                server: unhex(&text(&session["server"])),
            })
            .collect()
    })
}

fn session(name: &str) -> &'static Session {
    sessions().iter().find(|it| it.name == name).unwrap()
}

fn readable() -> impl Iterator<Item = &'static Session> {
    sessions().iter().filter(|it| !it.name.starts_with("ccm"))
}

fn peer(name: &str) -> Peer {
    match name {
        "client" => Peer::Client,
        _ => Peer::Server,
    }
}

fn keys(text: &str) -> KeyLog {
    let mut keys = KeyLog::new();
    keys.extend(text.as_bytes());
    keys.end();
    assert_eq!(keys.bad_lines().1, 0);
    keys
}

/// What came out of a connection, by who said it.
#[derive(Default)]
struct Heard {
    tls: Tls,
    client: Vec<Part>,
    server: Vec<Part>,
    alerts: Vec<String>,
}

#[derive(Debug)]
enum Part {
    Data { plain: Vec<u8>, record: Range<u64> },
    Lost(Option<u64>),
}

impl Heard {
    fn push(&mut self, from: Peer, bytes: &[u8], keys: &KeyLog) {
        let mut output = Output::default();
        self.tls.push(from, bytes, keys, &mut output);
        self.take(&output);
    }

    fn lost(&mut self, from: Peer, len: usize, keys: &KeyLog) {
        let mut output = Output::default();
        self.tls.lost(from, len as u64, keys, &mut output);
        self.take(&output);
    }

    fn take(&mut self, output: &Output) {
        for event in &output.events {
            let (from, part) = match event {
                Event::Data {
                    from,
                    record,
                    plain,
                } => (
                    *from,
                    Part::Data {
                        plain: output.plain[plain.clone()].to_vec(),
                        record: record.clone(),
                    },
                ),
                Event::Lost { from, len } => (*from, Part::Lost(*len)),
                Event::Alert { alert, .. } => {
                    self.alerts.push(alert.to_string());
                    continue;
                }
            };
            match from {
                Peer::Client => self.client.push(part),
                Peer::Server => self.server.push(part),
            }
        }
    }

    fn of(&self, from: Peer) -> &[Part] {
        match from {
            Peer::Client => &self.client,
            Peer::Server => &self.server,
        }
    }

    fn plain(&self, from: Peer) -> Vec<u8> {
        let parts = self.of(from).iter();
        parts
            .flat_map(|part| match part {
                Part::Data { plain, .. } => plain.clone(),
                Part::Lost(_) => Vec::new(),
            })
            .collect()
    }
}

impl Session {
    fn said(&self, from: Peer) -> &[u8] {
        match from {
            Peer::Client => &self.client,
            Peer::Server => &self.server,
        }
    }

    /// The connection, each flight changed by `change`.
    fn hear(&self, keys: &KeyLog, mut change: impl FnMut(&mut Heard, Peer, &[u8])) -> Heard {
        let mut heard = Heard::default();
        for (from, bytes) in &self.flights {
            change(&mut heard, *from, bytes);
        }
        let _ = keys;
        heard
    }

    /// The connection without the bytes `hole` of what `from` sent.
    fn with_hole(&self, keys: &KeyLog, from: Peer, hole: Range<usize>) -> Heard {
        let mut at = 0;
        self.hear(keys, |heard, sender, bytes| {
            if sender != from {
                heard.push(sender, bytes, keys);
                return;
            }
            let cut = |offset: usize| offset.saturating_sub(at).min(bytes.len());
            let (start, end) = (cut(hole.start), cut(hole.end));
            at += bytes.len();
            if start > 0 {
                heard.push(sender, &bytes[..start], keys);
            }
            if end > start {
                heard.lost(sender, end - start, keys);
            }
            if end < bytes.len() {
                heard.push(sender, &bytes[end..], keys);
            }
        })
    }

    fn len(&self, from: Peer) -> usize {
        let flights = self.flights.iter().filter(|(sender, _)| *sender == from);
        flights.map(|(_, bytes)| bytes.len()).sum()
    }

    /// Asserts that `heard` is what was said, in order, where something is missing with a loss
    /// in between, of the right size if it has one. Returns how many bytes are there.
    fn check(&self, heard: &Heard, from: Peer) -> usize {
        let said = self.said(from);
        let mut at = 0;
        let mut n_heard = 0;
        let mut anywhere = false;
        for part in heard.of(from) {
            match part {
                // In a renegotiation, handshake records are among those that are lost.
                Part::Lost(Some(len)) if !self.name.starts_with("reneg") => at += *len as usize,
                Part::Lost(Some(_)) => anywhere = true,
                Part::Lost(None) => anywhere = true,
                Part::Data { plain, .. } => {
                    let rest = &said[at.min(said.len())..];
                    let skip = match anywhere {
                        false => 0,
                        true => rest
                            .windows(plain.len())
                            .position(|window| window == plain.as_slice())
                            .unwrap_or_else(|| panic!("{}: not said after {at}", self.name)),
                    };
                    anywhere = false;
                    assert!(
                        rest[skip..].starts_with(plain),
                        "{}: something else at {at}",
                        self.name
                    );
                    at += skip + plain.len();
                    n_heard += plain.len();
                }
            }
        }
        n_heard
    }
}

const BOTH: [Peer; 2] = [Peer::Client, Peer::Server];

#[test]
fn every_session_is_read_to_the_last_byte() {
    for session in readable() {
        let keys = keys(&session.keylog);
        let heard = session.hear(&keys, |heard, from, bytes| heard.push(from, bytes, &keys));
        for from in BOTH {
            assert!(
                heard.plain(from) == session.said(from),
                "{}: {from:?} {:?} {}",
                session.name,
                heard.tls.refusal(),
                String::from_utf8_lossy(&heard.plain(from))
            );
            for part in heard.of(from) {
                let Part::Data { plain, record } = part else {
                    panic!("{}: nothing is lost", session.name);
                };
                assert!(record.end - record.start > plain.len() as u64);
            }
        }
        let (version, suite) = heard.tls.opened().unwrap();
        assert_eq!(version.to_string().replace(' ', "v"), session.version);
        assert!(suite.name().is_some(), "{}", session.name);
        assert_eq!(heard.tls.refusal(), None);
    }
}

#[test]
fn pieces_of_any_size_give_the_same() {
    for session in readable() {
        let keys = keys(&session.keylog);
        for size in [1, 2, 3, 5, 7, 64, 1460] {
            let heard = session.hear(&keys, |heard, from, bytes| {
                for piece in bytes.chunks(size) {
                    heard.push(from, piece, &keys);
                }
            });
            for from in BOTH {
                assert!(heard.plain(from) == session.said(from), "{}", session.name);
            }
        }
    }
}

#[test]
fn behind_a_hole_reading_goes_on_with_the_next_record() {
    for session in readable() {
        let keys = keys(&session.keylog);
        for from in BOTH {
            let len = session.len(from);
            for size in [1, 30, 100, 700] {
                for start in (0..len).step_by(13.max(len / 60)) {
                    let heard = session.with_hole(&keys, from, start..start + size);
                    session.check(&heard, from);
                    session.check(&heard, from.other());
                }
            }
        }
    }
}

/// The offsets of the records of a direction.
fn records(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at + 5 <= bytes.len() {
        let len = 5 + usize::from(u16::from_be_bytes([bytes[at + 3], bytes[at + 4]]));
        found.push(at..at + len);
        at += len;
    }
    found
}

#[test]
fn records_that_are_lost_cost_no_others() {
    for session in readable() {
        let keys = keys(&session.keylog);
        for from in BOTH {
            let stream: Vec<u8> = session
                .flights
                .iter()
                .filter(|(sender, _)| *sender == from)
                .flat_map(|(_, bytes)| bytes.clone())
                .collect();
            let whole = session.with_hole(&keys, from, 0..0);
            let parts: Vec<(Range<u64>, usize)> = whole
                .of(from)
                .iter()
                .map(|part| match part {
                    Part::Data { record, plain } => (record.clone(), plain.len()),
                    Part::Lost(_) => panic!("nothing is lost"),
                })
                .collect();
            let records = records(&stream);
            for (idx, first) in records.iter().enumerate() {
                for last in records.iter().skip(idx).take(3) {
                    // From the middle of one record to the middle of another.
                    let hole = first.start + first.len() / 2..last.start + last.len() / 2 + 1;
                    let heard = session.with_hole(&keys, from, hole.clone());
                    let expected: usize = parts
                        .iter()
                        .filter(|(record, _)| {
                            record.end <= hole.start as u64 || record.start >= hole.end as u64
                        })
                        .map(|(_, len)| len)
                        .sum();
                    let n_heard = session.check(&heard, from);
                    // What was lost before any keys can be more than what was missing.
                    let only_data = hole.start as u64 >= parts[0].0.start
                        && !session.name.starts_with("reneg")
                        && !session.name.starts_with("update");
                    if only_data {
                        assert_eq!(n_heard, expected, "{} {from:?} {hole:?}", session.name);
                    }
                }
            }
        }
    }
}

#[test]
fn lost_records_have_their_size_where_the_cipher_tells() {
    let session = session("gcm256-13");
    let keys = keys(&session.keylog);
    let stream: Vec<u8> = session
        .flights
        .iter()
        .filter(|(sender, _)| *sender == Peer::Server)
        .flat_map(|(_, bytes)| bytes.clone())
        .collect();
    let records = records(&stream);
    // The second and the third answer, before a large one in two records and a goodbye.
    let n = records.len();
    let hole = records[n - 6].start + 3..records[n - 5].start + 9;
    let heard = session.with_hole(&keys, Peer::Server, hole);
    let lost: Vec<_> = heard
        .server
        .iter()
        .filter_map(|part| match part {
            Part::Lost(len) => Some(*len),
            Part::Data { .. } => None,
        })
        .collect();
    assert_eq!(lost, [Some(48)], "{:?}", heard.server);
}

#[test]
fn nothing_comes_out_that_was_not_said() {
    for session in readable().filter(|it| it.server.len() < 10_000) {
        let keys = keys(&session.keylog);
        for from in BOTH {
            let len = session.len(from);
            for position in (0..len).step_by(7) {
                let mut at = 0;
                let heard = session.hear(&keys, |heard, sender, bytes| {
                    let mut bytes = bytes.to_vec();
                    if sender == from {
                        if (at..at + bytes.len()).contains(&position) {
                            bytes[position - at] ^= 1 << (position % 8);
                        }
                        at += bytes.len();
                    }
                    heard.push(sender, &bytes, &keys);
                });
                session.check(&heard, from);
                session.check(&heard, from.other());
            }
        }
    }
}

#[test]
fn a_direction_alone_is_read_in_tls_13() {
    for name in ["gcm128-13", "gcm256-13", "chacha-13", "update-13"] {
        let session = session(name);
        let keys = keys(&session.keylog);
        let heard = session.hear(&keys, |heard, from, bytes| {
            if from == Peer::Client {
                heard.push(from, bytes, &keys);
            }
        });
        assert!(heard.plain(Peer::Client) == session.client, "{name}");
        let heard = session.hear(&keys, |heard, from, bytes| {
            if from == Peer::Server {
                heard.push(from, bytes, &keys);
            }
        });
        // Which session it is, its secrets tell.
        assert!(heard.plain(Peer::Server) == session.server, "{name}");
    }
    let session = session("gcm128-12");
    let keys = keys(&session.keylog);
    let heard = session.hear(&keys, |heard, from, bytes| {
        if from == Peer::Client && !heard.tls.waits(from) {
            heard.push(from, bytes, &keys);
        }
    });
    let mut heard = heard;
    assert!(heard.tls.waits(Peer::Client) && heard.tls.refusal().is_none());
    let mut output = Output::default();
    heard.tls.resume(Peer::Client, false, &keys, &mut output);
    assert_eq!(heard.tls.refusal(), Some(Refusal::NoServerHello));
}

#[test]
fn without_the_hello_of_the_client_its_session_is_found() {
    let all: String = sessions().iter().map(|it| it.keylog.as_str()).collect();
    let all = keys(&all);
    for session in readable() {
        let len = records(&session.flights[0].1)[0].len();
        let heard = session.with_hole(&all, Peer::Client, 0..len);
        for from in BOTH {
            // The second hello after a retry is there.
            assert!(heard.plain(from) == session.said(from), "{}", session.name);
        }
        let none = session.with_hole(&keys(""), Peer::Client, 0..len);
        if session.name != "retry-13" {
            assert_eq!(none.tls.refusal(), Some(Refusal::NoClientHello));
        }
    }
}

#[test]
fn the_secrets_of_the_handshake_may_be_missing() {
    for session in readable().filter(|it| it.version == "TLSv1.3") {
        let lines = session.keylog.lines();
        let keylog: String = lines
            .filter(|line| !line.contains("HANDSHAKE"))
            .map(|line| format!("{line}\n"))
            .collect();
        let keys = keys(&keylog);
        let heard = session.hear(&keys, |heard, from, bytes| heard.push(from, bytes, &keys));
        for from in BOTH {
            assert!(heard.plain(from) == session.said(from), "{}", session.name);
        }
    }
}

#[test]
fn why_nothing_can_be_read_is_said() {
    let hear = |session: &Session, keylog: &str| {
        let keys = keys(keylog);
        session.hear(&keys, |heard, from, bytes| heard.push(from, bytes, &keys))
    };
    for session in sessions() {
        let heard = hear(session, "");
        let expected = match session.name.as_str() {
            "ccm-12" => Refusal::Suite(Suite(0xc0ac)),
            "ccm-13" => Refusal::Suite(Suite(0x1304)),
            _ => Refusal::NoSession,
        };
        assert_eq!(heard.tls.refusal(), Some(expected), "{}", session.name);
        assert_eq!(heard.tls.opened(), None);
        assert!(heard.client.is_empty() && heard.server.is_empty());
    }
    // A secret of another session under the random of this one.
    let session12 = session("gcm128-12");
    let other = session("chacha-12").keylog.lines().nth(1).unwrap();
    let other = other.rsplit(' ').next().unwrap();
    let random = session12.keylog.lines().nth(1).unwrap();
    let random = random.split(' ').nth(1).unwrap();
    let mut heard = hear(session12, &format!("CLIENT_RANDOM {random} {other}"));
    assert!(heard.client.is_empty() && heard.server.is_empty());
    assert_eq!(heard.tls.refusal(), None);
    heard.tls.finish();
    assert_eq!(heard.tls.refusal(), Some(Refusal::Unauthentic));
    // One direction has a secret.
    let session13 = session("gcm128-13");
    let lines = session13.keylog.lines();
    let half: String = lines
        .filter(|line| !line.contains("SERVER"))
        .map(|line| format!("{line}\n"))
        .collect();
    let heard = hear(session13, &half);
    assert!(heard.plain(Peer::Client) == session13.client);
    // What the server says stays closed, but is not left unsaid.
    let lost = |part: &Part| matches!(part, Part::Lost(Some(_)));
    assert!(!heard.server.is_empty() && heard.server.iter().all(lost));
    assert_eq!(
        heard.tls.refusal(),
        Some(Refusal::NoSecret {
            label: Label::ServerTraffic
        })
    );
    assert_eq!(heard.tls.chosen(), Some((Version(0x304), Suite(0x1301))));
}

#[test]
fn bytes_that_look_like_records_cost_little() {
    let session = session("gcm256-13");
    let keys = keys(&session.keylog);
    let mut heard = session.hear(&keys, |heard, from, bytes| {
        if heard.client.len() < 2 {
            heard.push(from, bytes, &keys);
        }
    });
    let before = heard.plain(Peer::Client);
    heard.lost(Peer::Client, 1 << 30, &keys);
    let noise = [23, 3, 3, 0x3f, 0xff].repeat(200_000);
    for piece in noise.chunks(1460) {
        heard.push(Peer::Client, piece, &keys);
    }
    assert_eq!(heard.plain(Peer::Client), before);
    assert_eq!(heard.tls.refusal(), Some(Refusal::Unauthentic));
}

/// One end's bytes in front of all of the other's, as two taps with different clocks have them.
fn one_end_first(session: &Session, keys: &KeyLog, first: Peer, is_early: bool) -> Heard {
    let mut heard = Heard::default();
    let mut output = Output::default();
    let mut held: Vec<u8> = Vec::new();
    for from in [first, first.other()] {
        for (_, bytes) in session.flights.iter().filter(|(sender, _)| *sender == from) {
            if heard.tls.waits(from) {
                held.extend(bytes);
            } else {
                heard.push(from, bytes, keys);
            }
            let is_due = heard.tls.is_due(first);
            if is_due || is_early && heard.tls.waits(first) {
                output.clear();
                heard.tls.resume(first, !is_due, keys, &mut output);
                heard.take(&output);
                heard.push(first, &std::mem::take(&mut held), keys);
            }
        }
    }
    heard
}

#[test]
fn what_comes_before_the_hello_of_the_other_end_waits_for_it() {
    for name in ["gcm128-12", "gcm256-12", "chacha-12", "gcm128-13"] {
        let session = session(name);
        let keys = keys(&session.keylog);
        for first in BOTH {
            let heard = one_end_first(session, &keys, first, false);
            for from in BOTH {
                assert!(heard.plain(from) == session.said(from), "{name} {first:?}");
            }
            assert_eq!(heard.tls.refusal(), None);
        }
    }
}

#[test]
fn what_cannot_wait_any_longer_is_given_up_and_this_is_said() {
    let session = session("gcm128-12");
    let keys = keys(&session.keylog);
    let heard = one_end_first(session, &keys, Peer::Client, true);
    assert_eq!(heard.tls.refusal(), Some(Refusal::LateHello));
    assert!(heard.client.is_empty() && heard.tls.is_untold(Peer::Client));
    assert!(heard.plain(Peer::Server) == session.server);
}
