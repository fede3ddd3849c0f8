//! Key logs: the lines that TLS libraries write for those who debug (RFC 9850, before that the
//! "NSS Key Log Format").
//!
//! What comes in is text, in pieces if it grows: `LABEL CLIENT_RANDOM SECRET`, the last two in hex.
//! What goes out are the secrets of a session by the random of its ClientHello. Lines with other
//! labels are passed over, as the format asks for; what is no such line is told with its number
//! and never with its content, which may be a secret.

use std::collections::HashMap;
use std::fmt;

use super::limits;

/// The secrets of sessions.
#[derive(Default)]
pub struct KeyLog {
    sessions: HashMap<Random, Secrets>,
    n_lines: u64,
    /// The start of a line whose end has not come.
    rest: Vec<u8>,
    bad_lines: Vec<BadLine>,
    n_bad: u64,
}

/// The 32 bytes by which a ClientHello is known.
pub(super) type Random = [u8; 32];

/// What a log has of one session.
#[derive(Clone, Default)]
pub(super) struct Secrets {
    secrets: [Option<Box<[u8]>>; Label::ALL.len()],
}

/// Which secret a line holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Label {
    /// The master secret of TLS 1.2.
    Master,
    /// What the client protects its part of the handshake of TLS 1.3 with, and so on.
    ClientHandshake,
    ServerHandshake,
    ClientTraffic,
    ServerTraffic,
}

/// A line that is none of a key log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// Counts from 1.
    pub line: u64,
    /// What is wrong: what was found and what was expected.
    pub fault: Fault,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Not three words.
    Words { found: usize },
    /// The client random is not 64 hexadecimal digits.
    Random { found: usize },
    /// The secret is not of this many hexadecimal digits.
    Secret {
        label: &'static str,
        found: usize,
        expected: &'static str,
    },
    /// A character that is no hexadecimal digit; counts from 1.
    Digit { column: usize },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Words { found } => write!(
                f,
                "found {found} word{}, expected a label, a client random and a secret",
                if *found == 1 { "" } else { "s" }
            ),
            Fault::Random { found } => write!(
                f,
                "found a client random of {found} characters, expected 64 hexadecimal digits"
            ),
            Fault::Secret {
                label,
                found,
                expected,
            } => write!(
                f,
                "found a secret of {found} characters for {label}, expected {expected} hexadecimal digits"
            ),
            Fault::Digit { column } => write!(
                f,
                "found a character that is no hexadecimal digit in column {column}"
            ),
        }
    }
}

impl KeyLog {
    /// An empty log.
    pub fn new() -> KeyLog {
        KeyLog::default()
    }

    /// Reads the next bytes of a log. A line without its end waits for the next ones.
    pub fn extend(&mut self, text: &[u8]) {
        let mut lines = text.split(|&byte| byte == b'\n').peekable();
        while let Some(line) = lines.next() {
            if lines.peek().is_none() {
                let room = (limits::MAX_LINE + 1).saturating_sub(self.rest.len());
                self.rest
                    .extend_from_slice(line.get(..room).unwrap_or(line));
            } else if self.rest.is_empty() {
                self.line(line);
            } else {
                let mut whole = std::mem::take(&mut self.rest);
                whole.extend_from_slice(line);
                self.line(&whole);
            }
        }
    }

    /// Takes what is there of a last line without an end as all of it. A block of secrets ends so,
    /// and a file whose writer was interrupted.
    pub fn end(&mut self) {
        let rest = std::mem::take(&mut self.rest);
        if !rest.is_empty() {
            self.line(&rest);
        }
    }

    /// Number of sessions that it has a secret of.
    pub fn n_sessions(&self) -> usize {
        self.sessions.len()
    }

    /// Number of lines so far.
    pub fn n_lines(&self) -> u64 {
        self.n_lines
    }

    /// The first lines that are none, and how many there are in all.
    pub fn bad_lines(&self) -> (&[BadLine], u64) {
        (&self.bad_lines, self.n_bad)
    }

    /// Whether it has a secret of the session that started with this random.
    pub fn has(&self, random: &[u8; 32]) -> bool {
        self.sessions.contains_key(random)
    }

    pub(super) fn session(&self, random: &Random) -> Option<&Secrets> {
        self.sessions.get(random)
    }

    pub(super) fn randoms(&self) -> impl Iterator<Item = &Random> {
        self.sessions.keys()
    }

    fn line(&mut self, line: &[u8]) {
        self.n_lines += 1;
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.first() == Some(&b'#') || line.trim_ascii().is_empty() {
            return;
        }
        if let Err(fault) = self.read(line) {
            self.n_bad += 1;
            if self.bad_lines.len() < limits::MAX_BAD_LINES {
                self.bad_lines.push(BadLine {
                    line: self.n_lines,
                    fault,
                });
            }
        }
    }

    fn read(&mut self, line: &[u8]) -> Result<(), Fault> {
        let mut words = line
            .split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty());
        let (Some(name), Some(random), Some(secret), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            let found = line
                .split(u8::is_ascii_whitespace)
                .filter(|word| !word.is_empty())
                .count();
            return Err(Fault::Words { found });
        };
        let Some(label) = Label::ALL
            .into_iter()
            .find(|label| label.name().as_bytes() == name)
        else {
            return Ok(());
        };
        // Where a word starts in its line; words come in order, so the search finds the right one.
        let column = |word: &[u8]| word.as_ptr() as usize - line.as_ptr() as usize + 1;
        let random_bytes: Random = unhex(random)
            .map_err(|at| Fault::Digit {
                column: column(random) + at,
            })?
            .try_into()
            .map_err(|_| Fault::Random {
                found: random.len(),
            })?;
        let secret_bytes = unhex(secret).map_err(|at| Fault::Digit {
            column: column(secret) + at,
        })?;
        if secret.len() % 2 != 0 || !label.lengths().contains(&secret_bytes.len()) {
            return Err(Fault::Secret {
                label: label.name(),
                found: secret.len(),
                expected: label.digits(),
            });
        }
        let secrets = self.sessions.entry(random_bytes).or_default();
        if let Some(slot) = secrets.secrets.get_mut(label as usize) {
            *slot = Some(secret_bytes.into());
        }
        Ok(())
    }
}

impl Label {
    pub(super) const ALL: [Label; 5] = [
        Label::Master,
        Label::ClientHandshake,
        Label::ServerHandshake,
        Label::ClientTraffic,
        Label::ServerTraffic,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Label::Master => "CLIENT_RANDOM",
            Label::ClientHandshake => "CLIENT_HANDSHAKE_TRAFFIC_SECRET",
            Label::ServerHandshake => "SERVER_HANDSHAKE_TRAFFIC_SECRET",
            Label::ClientTraffic => "CLIENT_TRAFFIC_SECRET_0",
            Label::ServerTraffic => "SERVER_TRAFFIC_SECRET_0",
        }
    }

    /// Bytes that the secret has: those of a hash, but for the master secret.
    fn lengths(self) -> &'static [usize] {
        match self {
            Label::Master => &[48],
            _ => &[32, 48],
        }
    }

    fn digits(self) -> &'static str {
        match self {
            Label::Master => "96",
            _ => "64 or 96",
        }
    }
}

impl Secrets {
    pub(super) fn of(&self, label: Label) -> Option<&[u8]> {
        self.secrets.get(label as usize)?.as_deref()
    }
}

/// Bytes of hexadecimal digits; a digit without its other half is left out. The error is where
/// something else is, from 0.
fn unhex(digits: &[u8]) -> Result<Vec<u8>, usize> {
    let value = |digit: u8| char::from(digit).to_digit(16);
    if let Some(at) = digits.iter().position(|&digit| value(digit).is_none()) {
        return Err(at);
    }
    Ok(digits
        .chunks_exact(2)
        .map(|pair| {
            pair.iter().fold(0, |byte, &digit| {
                byte << 4 | value(digit).unwrap_or(0) as u8
            })
        })
        .collect())
}

/// Nothing of the secrets.
impl fmt::Debug for KeyLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyLog")
            .field("n_sessions", &self.sessions.len())
            .field("n_lines", &self.n_lines)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(digit: char) -> String {
        digit.to_string().repeat(64)
    }

    fn log(text: &str) -> KeyLog {
        let mut log = KeyLog::new();
        log.extend(text.as_bytes());
        log.end();
        log
    }

    #[test]
    fn lines_are_read_with_comments_other_labels_and_either_end() {
        let text = format!(
            "# made by a test\r\n\r\nCLIENT_RANDOM {} {}\r\nEXPORTER_SECRET {} {}\nECH_SECRET x y\n\
             SERVER_TRAFFIC_SECRET_0  {} {}",
            random('A'),
            "0f".repeat(48),
            random('a'),
            "01".repeat(32),
            random('b'),
            "23".repeat(32),
        );
        let log = log(&text);
        assert_eq!(log.bad_lines(), (&[][..], 0));
        assert_eq!((log.n_sessions(), log.n_lines()), (2, 6));
        let master = log.session(&[0xaa; 32]).unwrap();
        assert_eq!(master.of(Label::Master), Some(&[0x0f; 48][..]));
        let traffic = log.session(&[0xbb; 32]).unwrap();
        assert_eq!(traffic.of(Label::ServerTraffic), Some(&[0x23; 32][..]));
        assert_eq!(traffic.of(Label::ClientTraffic), None);
    }

    #[test]
    fn what_is_no_line_is_told_with_its_number() {
        let text = format!(
            "CLIENT_RANDOM {r}\nCLIENT_RANDOM {short} {s}\nCLIENT_RANDOM {r} {s}00\n\
             CLIENT_RANDOM {r} {s}0\nCLIENT_RANDOM {r} {odd}\n\u{7f}ELF\nCLIENT_RANDOM {r} {s} x\n",
            r = random('1'),
            s = "ab".repeat(48),
            short = "1".repeat(62),
            odd = "ab".repeat(47) + "xy",
        );
        let log = log(&text);
        assert_eq!(log.n_sessions(), 0);
        let secret = |found| Fault::Secret {
            label: "CLIENT_RANDOM",
            found,
            expected: "96",
        };
        let faults: Vec<(u64, Fault)> = log
            .bad_lines()
            .0
            .iter()
            .map(|bad| (bad.line, bad.fault.clone()))
            .collect();
        assert_eq!(
            faults,
            [
                (1, Fault::Words { found: 2 }),
                (2, Fault::Random { found: 62 }),
                (3, secret(98)),
                (4, secret(97)),
                (5, Fault::Digit { column: 174 }),
                (6, Fault::Words { found: 1 }),
                (7, Fault::Words { found: 4 }),
            ]
        );
    }

    #[test]
    fn a_log_may_come_in_pieces() {
        let text = format!("CLIENT_RANDOM {} {}\n", random('c'), "ab".repeat(48)).repeat(2);
        for cut in 0..text.len() {
            let mut log = KeyLog::new();
            log.extend(&text.as_bytes()[..cut]);
            log.extend(&text.as_bytes()[cut..]);
            assert_eq!(
                (log.n_sessions(), log.n_lines(), log.bad_lines().1),
                (1, 2, 0)
            );
        }
        let mut endless = KeyLog::new();
        for _ in 0..100 {
            endless.extend(&[b'a'; 1000]);
        }
        assert!(endless.rest.len() <= limits::MAX_LINE + 1);
    }
}
