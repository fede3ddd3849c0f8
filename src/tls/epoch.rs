//! Which keys are in use, and which may come next: what the hellos agree on, the secrets of a key
//! log, and the order in which both versions change keys.

use super::handshake::ServerHello;
use super::keylog::{KeyLog, Label, Random, Secrets};
use super::protect::{MacOrder, Opener};
use super::suite::{Hash, Suite, Version};
use super::{Peer, Refusal, derive};

/// What is known of a connection's protection.
#[derive(Default)]
pub(super) struct Agreed {
    /// Of the client's last hello.
    pub(super) random: Option<Random>,
    /// The host that it names.
    pub(super) server_name: Option<Box<str>>,
    /// The answer to it.
    pub(super) hello: Option<ServerHello>,
    /// Hellos of the server so far; TLS 1.2 may negotiate again.
    pub(super) n_hellos: u32,
    /// Version and suite of the first record that was opened.
    pub(super) opened: Option<(Version, Suite)>,
}

/// Records under one set of keys.
pub(super) struct Epoch {
    pub(super) opener: Opener,
    /// The number of the next record, if none is lost.
    pub(super) seq: u64,
    pub(super) phase: Phase,
}

/// What keys are for.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Phase {
    /// TLS 1.2 after its handshake number so and so, which is another one with each renegotiation.
    Tls12 { n_hellos: u32 },
    /// The rest of the handshake of TLS 1.3.
    Handshake,
    /// Application data of TLS 1.3, under this secret.
    Application { secret: Vec<u8> },
}

impl Agreed {
    /// The client says hello. It does so twice with one random if it is asked for another key share.
    pub(super) fn greet(&mut self, random: Random) {
        if self.random != Some(random) {
            self.random = Some(random);
            self.hello = None;
        }
    }

    /// Whether the hello of this end is known.
    pub(super) fn has_hello(&self, peer: Peer) -> bool {
        match peer {
            Peer::Client => self.random.is_some(),
            Peer::Server => self.hello.is_some(),
        }
    }

    /// Version and suite, as the server has chosen them.
    pub(super) fn chosen(&self) -> Option<(Version, Suite)> {
        let hello = self.hello.as_ref()?;
        Some((hello.version, hello.suite))
    }

    /// The keys that may come after those in use, each with version and suite.
    pub(super) fn next_epochs(
        &self,
        from: Peer,
        phase: Option<&Phase>,
        keys: &KeyLog,
    ) -> Vec<(Epoch, (Version, Suite))> {
        let mut next = Vec::new();
        if self.is_tls13() == Some(false) {
            let n_hellos = self.n_hellos;
            if phase != Some(&Phase::Tls12 { n_hellos })
                && let (Some(epoch), Some(chosen)) = (self.tls12(from, keys), self.chosen())
            {
                next.push((epoch, chosen));
            }
            return next;
        }
        let suites: &[Suite] = match (self.opened, self.chosen()) {
            (Some((_, suite)), _) | (None, Some((_, suite))) => &[suite],
            // The hello of the server is missing: a suite that fits will prove itself.
            (None, None) => &[Suite(0x1301), Suite(0x1302), Suite(0x1303)],
        };
        for &suite in suites {
            let mut push = |secret: Option<&[u8]>, phase: fn(&[u8]) -> Phase| {
                let epoch = secret.and_then(|secret| tls13(suite, secret, phase(secret)));
                next.extend(epoch.map(|epoch| (epoch, (Version::TLS13, suite))));
            };
            let application = |secret: &[u8]| Phase::Application {
                secret: secret.to_vec(),
            };
            match phase {
                Some(Phase::Application { secret }) => {
                    if let Some((_, hash)) = suite.protection() {
                        let updated =
                            derive::expand_label(hash, secret, "traffic upd", secret.len());
                        push(updated.as_deref(), application);
                    }
                }
                _ => {
                    let (handshake, traffic) = labels(from);
                    let secrets = self.secrets(keys);
                    let secret = |label| secrets.and_then(|secrets| secrets.of(label));
                    if phase.is_none() {
                        push(secret(handshake), |_| Phase::Handshake);
                    }
                    push(secret(traffic), application);
                }
            }
        }
        next
    }

    pub(super) fn tls12(&self, from: Peer, keys: &KeyLog) -> Option<Epoch> {
        let hello = self.hello.as_ref()?;
        let (protection, hash) = hello.suite.protection()?;
        let order = match hello.encrypt_then_mac {
            true => MacOrder::EncryptThenMac,
            false => MacOrder::MacThenEncrypt,
        };
        let randoms = (self.random.as_ref()?, &hello.random);
        let master = self.secrets(keys)?.of(Label::Master)?;
        (hello.version == Version::TLS12).then_some(Epoch {
            opener: Opener::tls12(protection, hash, order, master, randoms, from)?,
            seq: 0,
            phase: Phase::Tls12 {
                n_hellos: self.n_hellos,
            },
        })
    }

    fn secrets<'k>(&self, keys: &'k KeyLog) -> Option<&'k Secrets> {
        keys.session(self.random.as_ref()?)
    }

    /// Whether this is TLS 1.3, once something tells.
    pub(super) fn is_tls13(&self) -> Option<bool> {
        let version = self.chosen().or(self.opened)?.0;
        Some(version == Version::TLS13)
    }

    /// Why there are no keys for what comes next.
    pub(super) fn reason(&self, from: Peer, keys: &KeyLog) -> Refusal {
        if self.random.is_none() {
            return Refusal::NoClientHello;
        }
        let Some(secrets) = self.secrets(keys) else {
            return Refusal::NoSession;
        };
        let label = match self.is_tls13() {
            None => return Refusal::NoServerHello,
            Some(true) => labels(from).1,
            Some(false) => Label::Master,
        };
        match secrets.of(label) {
            Some(_) => Refusal::Unauthentic,
            None => Refusal::NoSecret { label },
        }
    }
}

/// The labels of the secrets by which `sender` protects.
fn labels(sender: Peer) -> (Label, Label) {
    match sender {
        Peer::Client => (Label::ClientHandshake, Label::ClientTraffic),
        Peer::Server => (Label::ServerHandshake, Label::ServerTraffic),
    }
}

fn tls13(suite: Suite, secret: &[u8], phase: Phase) -> Option<Epoch> {
    let (protection, hash): (_, Hash) = suite.protection()?;
    Some(Epoch {
        opener: Opener::tls13(protection, hash, secret)?,
        seq: 0,
        phase,
    })
}
