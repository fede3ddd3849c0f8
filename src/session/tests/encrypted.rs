//! Kafka in TLS, read by a key log, by secrets that the capture carries, and without either.

use super::*;
use crate::session::{KeyLogError, KeyLogFile};
use std::io::Write;

fn key_log(text: &[u8]) -> Result<KeyLogFile, KeyLogError> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(text).unwrap();
    KeyLogFile::open(file.path())
}

pub(super) fn decrypted(inputs: Vec<Vec<u8>>, keylog: &[u8]) -> Session {
    let options = Options {
        keylog: Some(key_log(keylog).unwrap()),
        ..Options::default()
    };
    let session = Session::new(Capture::from_bytes(inputs).unwrap(), options);
    session.run(&mut NoSummary);
    session
}

/// The same packets as pcapng; before packet `at` of them comes a block of secrets.
fn pcapng(pcap: &[u8], secrets: &[u8], at: usize) -> Vec<u8> {
    fn block(kind: u32, body: &[u8]) -> Vec<u8> {
        let mut padded = body.to_vec();
        padded.resize(body.len().next_multiple_of(4), 0);
        let len = (12 + padded.len() as u32).to_le_bytes();
        [&kind.to_le_bytes()[..], &len, &padded, &len].concat()
    }
    let (head, packets) = packets(pcap);
    let mut section = vec![0x4d, 0x3c, 0x2b, 0x1a, 1, 0, 0, 0];
    section.extend([0xff; 8]);
    let mut file = block(0x0a0d_0d0a, &section);
    file.extend(block(1, &[&head[20..22], &[0; 6]].concat()));
    let secret = [
        &0x544c_534b_u32.to_le_bytes()[..],
        &(secrets.len() as u32).to_le_bytes(),
        secrets,
    ];
    for (idx, packet) in packets.iter().enumerate() {
        if idx == at {
            file.extend(block(10, &secret.concat()));
        }
        let word = |at: usize| u32::from_le_bytes(packet[at..at + 4].try_into().unwrap());
        let micros = u64::from(word(0)) * 1_000_000 + u64::from(word(4));
        let mut body = vec![0; 4];
        body.extend(((micros >> 32) as u32).to_le_bytes());
        body.extend((micros as u32).to_le_bytes());
        body.extend(&packet[8..]);
        file.extend(block(6, &body));
    }
    file
}

/// What was said, without where it was captured.
pub(super) fn said(session: &Session) -> Vec<(Key, Vec<Vec<u8>>)> {
    heard_in_tls(session)
        .messages
        .into_iter()
        .map(|(key, copies)| (key, copies.into_iter().map(|copy| copy.bytes).collect()))
        .collect()
}

/// The same as `heard`, for bytes that are in no input as they are: each run is said to come from a
/// record of application data.
fn heard_in_tls(session: &Session) -> Heard {
    let index = session.index();
    let mut heard = Heard::default();
    for exchange in index.exchanges() {
        heard.exchanges += 1;
        let connection = index.connection(exchange.connection).unwrap();
        for direction in [Direction::Request, Direction::Response] {
            let Some(message) = exchange.message(direction) else {
                continue;
            };
            let gathered = session.bytes(message);
            assert_eq!(message.size as usize, gathered.bytes.len());
            let missing: usize = gathered.missing.iter().map(|range| range.len()).sum();
            assert_eq!(missing, (message.size - message.captured) as usize);
            for origin in &gathered.origins {
                let place = Place::new(origin.file, origin.offset);
                assert_eq!(session.capture().bytes(place, 3), [23, 3, 3]);
                assert!(origin.packet_in_file > 0);
            }
            assert_eq!(gathered.origins[0].packet, message.packet);
            assert_eq!(gathered.origins[0].time, message.time);
            let key = (
                connection.client.port,
                direction,
                exchange.correlation_id,
                message.size,
            );
            heard.messages.entry(key).or_default().push(gathered);
        }
    }
    heard
}

pub(super) fn capture_and_keys(version: &str) -> (Vec<u8>, Vec<u8>) {
    (
        sample(&format!("tls{version}_kafka.pcap")),
        sample(&format!("tls{version}.keylog")),
    )
}

#[test]
fn a_key_log_opens_every_connection() {
    for (version, n_requests, n_responses, facts) in [
        (
            "12",
            130,
            129,
            "TLS 1.2, TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
        ),
        ("13", 114, 111, "TLS 1.3, TLS_AES_256_GCM_SHA384"),
    ] {
        let (pcap, keylog) = capture_and_keys(version);
        let session = decrypted(vec![pcap], &keylog);
        let heard = heard_in_tls(&session);
        let count = |direction| {
            let of = |key: &&Key| key.1 == direction;
            let keys = heard.messages.keys().filter(of);
            keys.map(|key| heard.messages[key].len()).sum::<usize>()
        };
        assert_eq!(
            (count(Direction::Request), count(Direction::Response)),
            (n_requests, n_responses)
        );
        assert!(
            heard
                .messages
                .values()
                .flatten()
                .all(|it| it.missing.is_empty())
        );
        let index = session.index();
        assert_eq!(index.notes(), []);
        for connection in index.connections() {
            let Some(tls) = connection.tls else {
                // One has no data but a hello that was refused.
                assert_eq!(connection.n_exchanges, 0);
                continue;
            };
            assert_eq!(tls.to_string(), facts);
            assert!(connection.n_exchanges > 0 && connection.protocol.is_none());
        }
    }
}

#[test]
fn secrets_in_the_capture_need_no_option_wherever_they_are() {
    let (pcap, keylog) = capture_and_keys("13");
    let expected = said(&decrypted(vec![pcap.clone()], &keylog));
    let n_packets = packets(&pcap).1.len();
    assert!(said(&index(vec![pcapng(&pcap, &keylog, 0)])) == expected);
    // Behind connections that have ended.
    assert!(said(&index(vec![pcapng(&pcap, &keylog, 200)])) == expected);
    let late = said(&index(vec![pcapng(&pcap, &keylog, n_packets - 1)]));
    assert!(late == expected);
    let without = index(vec![pcapng(&pcap, b"# nothing", 0)]);
    assert!(without.index().is_empty());
}

#[test]
fn several_inputs_are_one_capture_in_tls_too() {
    let (pcap, keylog) = capture_and_keys("12");
    let expected = said(&decrypted(vec![pcap.clone()], &keylog));
    let (head, packets) = packets(&pcap);
    let part = |of: usize| {
        let packets = packets.iter().enumerate();
        file(
            &head,
            packets
                .filter(|(idx, _)| idx % 2 == of)
                .map(|(_, packet)| packet),
        )
    };
    let session = decrypted(vec![part(0), part(1)], &keylog);
    assert!(said(&session) == expected);
}

#[test]
fn without_secrets_tls_is_named_and_nothing_else() {
    let (pcap, keylog) = capture_and_keys("13");
    let session = index(vec![pcap.clone()]);
    let index = session.index();
    assert!(index.is_empty());
    assert_eq!(index.notes(), []);
    for connection in index.connections() {
        assert_eq!(connection.protocol, Some(Protocol::Tls));
        let tls = connection.tls.unwrap();
        assert!(!tls.is_decrypted);
        assert_eq!(tls.refusal, Some(Refusal::NoSession));
    }
    assert!(
        session.absence().contains("--keylog"),
        "{}",
        session.absence()
    );
    // The secrets of one session only.
    let line = keylog.split(|&byte| byte == b'\n').nth(1).unwrap();
    let random = line.split(|&byte| byte == b' ').nth(1).unwrap();
    let lines = keylog.split_inclusive(|&byte| byte == b'\n');
    let one = lines
        .filter(|line| line.windows(64).any(|window| window == random))
        .collect::<Vec<_>>()
        .concat();
    let session = decrypted(vec![pcap], &one);
    let index = session.index();
    let decrypted: Vec<_> = index
        .connections()
        .iter()
        .filter(|connection| connection.tls.unwrap().is_decrypted)
        .collect();
    assert_eq!(decrypted.len(), 1);
    assert_eq!(index.len(), decrypted[0].n_exchanges as usize);
    let n_sessions = index.connections().len() as u64;
    assert!(index.notes().iter().any(|note| matches!(
        &note.subject,
        Subject::NotInKeyLog { n_unknown, n_sessions: of, .. }
            if *of == n_sessions && *n_unknown == n_sessions - 1
    )));
}

#[test]
fn lost_packets_take_their_own_records_and_few_others() {
    for version in ["12", "13"] {
        let (pcap, keylog) = capture_and_keys(version);
        let (head, all) = packets(&pcap);
        let whole = heard_in_tls(&decrypted(vec![pcap], &keylog));
        let (mut n_found, mut n_there) = (0, 0);
        for seed in 0..12 {
            let mut random = random(seed);
            let packets = all.iter().filter(|_| random(50) > 0);
            let file = file(&head, packets);
            let session = decrypted(vec![file], &keylog);
            let heard = heard_in_tls(&session);
            assert_nothing_invented(&heard, &whole);
            n_there += whole.messages.values().map(Vec::len).sum::<usize>();
            n_found += heard
                .messages
                .values()
                .flatten()
                .filter(|copy| copy.missing.is_empty())
                .count();
        }
        // Losing a packet of the first hello costs a connection.
        assert!(n_found * 100 >= n_there * 80, "{n_found} of {n_there}");
    }
}

#[test]
fn a_key_log_of_no_use_is_refused() {
    let error = KeyLogFile::open(std::path::Path::new("/no/such/log")).unwrap_err();
    assert_eq!(error.to_string(), "cannot read /no/such/log");
    let error = key_log(b"# only\n\n").unwrap_err().to_string();
    assert!(
        error.contains("found no line with a secret in 2 lines"),
        "{error}"
    );
    let error = key_log(b"# a\nnot a key log\n").unwrap_err().to_string();
    assert!(
        error.ends_with("line 2: found 4 words, expected a label, a client random and a secret"),
        "{error}"
    );
}

/// Two pipes that a test writes to: the capture, and beside it the key log.
#[test]
fn a_key_log_that_grows_beside_a_pipe_is_read_again() {
    let (pcap, keylog) = capture_and_keys("13");
    let expected = said(&decrypted(vec![pcap.clone()], &keylog));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys.log");
    // The first session's secrets are there before it starts, the others only come then.
    let first: Vec<u8> = keylog
        .split_inclusive(|&byte| byte == b'\n')
        .take(6)
        .collect::<Vec<_>>()
        .concat();
    std::fs::write(&path, &first).unwrap();
    let fifo = folder.path().join("fifo");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    if !made.is_ok_and(|status| status.success()) {
        return;
    }
    let writer = {
        let (fifo, path, pcap) = (fifo.clone(), path.clone(), pcap.clone());
        thread::spawn(move || {
            let mut pipe = std::fs::OpenOptions::new().write(true).open(fifo).unwrap();
            pipe.write_all(&pcap[..60_000]).unwrap();
            thread::sleep(Duration::from_millis(200));
            let mut file = std::fs::OpenOptions::new().append(true).open(path).unwrap();
            file.write_all(&keylog[first.len()..keylog.len() - 50])
                .unwrap();
            file.write_all(&keylog[keylog.len() - 50..]).unwrap();
            pipe.write_all(&pcap[60_000..]).unwrap();
        })
    };
    let options = Options {
        keylog: Some(KeyLogFile::open(&path).unwrap()),
        ..Options::default()
    };
    let capture = Capture::open(&[Input::File(fifo)][..]).unwrap();
    let session = Session::new(capture, options);
    session.run(&mut NoSummary);
    writer.join().unwrap();
    assert!(said(&session) == expected);
}

/// What is said in the direction that stays closed may be anything.
#[test]
fn responses_to_requests_that_stay_closed_are_not_unexpected() {
    let (pcap, keylog) = capture_and_keys("13");
    let keylog = String::from_utf8(keylog).unwrap();
    let lines = keylog.lines().filter(|line| line.starts_with("SERVER_"));
    let lines: Vec<&str> = lines.collect();
    let session = decrypted(vec![pcap], lines.join("\n").as_bytes());
    let index = session.index();
    assert!(index.len() > 100);
    for exchange in index.exchanges() {
        assert_eq!(exchange.status, Status::RequestNotCaptured, "{exchange:?}");
    }
}

/// The other way round, what is said in it may be the answer to any request.
#[test]
fn requests_whose_responses_stay_closed_are_not_unanswered() {
    let (pcap, keylog) = capture_and_keys("13");
    let keylog = String::from_utf8(keylog).unwrap();
    let with_all = decrypted(vec![pcap.clone()], keylog.as_bytes());
    let lines = keylog.lines().filter(|line| line.starts_with("CLIENT_"));
    let lines: Vec<&str> = lines.collect();
    let session = decrypted(vec![pcap], lines.join("\n").as_bytes());
    let index = session.index();
    let asked = |session: &Session| {
        let index = session.index();
        let asked = index.exchanges().filter(|it| it.request.is_some());
        asked.count()
    };
    assert_eq!(asked(&session), asked(&with_all));
    for exchange in index.exchanges() {
        let status = exchange.status;
        assert!(
            matches!(
                status,
                Status::ResponseNotCaptured | Status::NoResponseExpected
            ),
            "{exchange:?}"
        );
    }
}
