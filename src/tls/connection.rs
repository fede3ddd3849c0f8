//! A connection: the bytes of both ends in, what their records hold out.

use std::ops::Range;

use super::alert::Alert;
use super::epoch::{Agreed, Epoch, Phase};
use super::half::{Half, Next, Patience, Whole};
use super::handshake::{HandshakeType, Message, Messages};
use super::keylog::KeyLog;
use super::opening::Closed;
use super::record::ContentType;
use super::suite::{Suite, Version};
use super::{Event, Output, Peer, Refusal, limits};

/// Reads one connection.
#[derive(Default)]
pub struct Tls {
    pub(super) client: Half,
    pub(super) server: Half,
    pub(super) agreed: Agreed,
    refusal: Option<Refusal>,
    pub(super) n_pushed: u64,
    pub(super) n_tried: u64,
}

impl Tls {
    /// A connection of which nothing has come.
    pub fn new() -> Tls {
        Tls::default()
    }

    /// The random of the client's hello, by which a key log knows the session.
    pub fn client_random(&self) -> Option<&[u8; 32]> {
        self.agreed.random.as_ref()
    }

    /// The host that the client wants to reach, as its hello says.
    pub fn server_name(&self) -> Option<&str> {
        self.agreed.server_name.as_deref()
    }

    /// Version and suite, as the server has chosen them.
    pub fn chosen(&self) -> Option<(Version, Suite)> {
        self.agreed.chosen()
    }

    /// Version and suite of the first record that was opened.
    pub fn opened(&self) -> Option<(Version, Suite)> {
        self.agreed.opened
    }

    /// Why it, or one direction of it, cannot be read.
    pub fn refusal(&self) -> Option<Refusal> {
        self.refusal
    }

    /// Offset behind the last record of `from` that was passed; what comes next is not needed
    /// from before.
    pub fn at(&self, from: Peer) -> u64 {
        match from {
            Peer::Client => self.client.at(),
            Peer::Server => self.server.at(),
        }
    }

    /// What `from` sends is known from somewhere in the middle on, or perhaps from its start.
    pub fn joined(&mut self, from: Peer) {
        self.half(from).loss.possible = limits::MAX_TRIES;
    }

    /// Whether what `from` sends waits for the hello of the other end, which decides about its keys:
    /// captured by another clock, it may come after what it stands in front of. Until
    /// [`Tls::resume`], nothing more of `from` is to be pushed.
    pub fn waits(&self, from: Peer) -> bool {
        self.at_end(from).waits
    }

    /// Whether the hello has come that `from` waits for, or can come no more.
    pub fn is_due(&self, from: Peer) -> bool {
        self.waits(from) && (self.agreed.has_hello(from.other()) || !self.may_greet(from.other()))
    }

    /// Has `from` wait no longer, now or ever; `is_early` if the hello may still come.
    pub fn resume(&mut self, from: Peer, is_early: bool, keys: &KeyLog, output: &mut Output) {
        let half = self.half(from);
        half.waits = false;
        half.patience = match is_early {
            true => Patience::Lost,
            false => Patience::Over,
        };
        self.advance(from, keys, output);
    }

    /// Whether application data of `from` may be missing behind what has come out: the next record
    /// that is opened will tell, if there is one.
    pub fn is_untold(&self, from: Peer) -> bool {
        self.at_end(from).is_untold()
    }

    /// Takes the next bytes that `from` sent.
    pub fn push(&mut self, from: Peer, bytes: &[u8], keys: &KeyLog, output: &mut Output) {
        self.n_pushed += bytes.len() as u64;
        if self.waits(from) {
            self.resume(from, true, keys, output);
        }
        self.half(from).push(bytes);
        self.advance(from, keys, output);
    }

    /// The next `len` bytes that `from` sent are missing.
    pub fn lost(&mut self, from: Peer, len: u64, keys: &KeyLog, output: &mut Output) {
        if self.waits(from) {
            self.resume(from, true, keys, output);
        }
        self.half(from).lost(len);
        if self.half(from).ended {
            self.stays_closed(from, len, output);
        }
        self.advance(from, keys, output);
    }

    /// Nothing more comes. A connection of which no record could be opened is refused, even if it
    /// was short.
    pub fn finish(&mut self) {
        let has_failed = self.client.n_failed + self.server.n_failed > 0;
        if has_failed && self.agreed.opened.is_none() {
            self.refusal.get_or_insert(Refusal::Unauthentic);
        }
    }

    fn advance(&mut self, from: Peer, keys: &KeyLog, output: &mut Output) {
        let buffer = self.half(from).take();
        let mut n_passed = 0;
        while let Some(rest) = buffer.get(n_passed..) {
            let half = self.half(from);
            if half.ended {
                half.pass(rest.len());
                n_passed = buffer.len();
                self.stays_closed(from, rest.len() as u64, output);
                break;
            }
            let mut reading = Reading {
                tls: self,
                from,
                keys,
                output,
            };
            match reading.tls.half(from).next(rest) {
                Next::Wait => break,
                Next::Noise { len, lost_step } => {
                    let half = reading.tls.half(from);
                    half.pass(len);
                    n_passed += len;
                    if lost_step {
                        half.search();
                        half.loss.possible = half.loss.possible.saturating_add(1);
                        reading.failed(Refusal::NotTls);
                    }
                }
                Next::Damaged { kind, len } => {
                    reading.damaged(kind);
                    reading.tls.half(from).pass(len);
                    n_passed += len;
                }
                Next::Record(whole) => {
                    let at = reading.tls.half(from).at();
                    reading.record(whole, at..at + whole.len() as u64);
                    let half = reading.tls.half(from);
                    if half.waits {
                        break;
                    }
                    half.pass(whole.len());
                    n_passed += whole.len();
                }
                Next::Candidate(whole) => {
                    let at = reading.tls.half(from).at();
                    let at = at..at + whole.len() as u64;
                    if reading.candidate(whole, at) {
                        let half = reading.tls.half(from);
                        if half.waits {
                            break;
                        }
                        half.pass(whole.len());
                        half.found();
                        n_passed += whole.len();
                    } else {
                        reading.tls.half(from).pass(1);
                        n_passed += 1;
                    }
                }
            }
        }
        self.half(from).put_back(buffer, n_passed);
    }

    /// The next `len` bytes of `from` stay closed. Who reads the other direction must not think that
    /// nothing was said in this one.
    fn stays_closed(&self, from: Peer, len: u64, output: &mut Output) {
        if len > 0 && self.agreed.opened.is_some() {
            let len = Some(len);
            output.events.push(Event::Lost { from, len });
        }
    }

    /// Whether the hello of `peer` may still be the next that comes from it.
    fn may_greet(&self, peer: Peer) -> bool {
        let half = self.at_end(peer);
        half.is_at_start() && !half.ended
    }

    fn at_end(&self, peer: Peer) -> &Half {
        match peer {
            Peer::Client => &self.client,
            Peer::Server => &self.server,
        }
    }

    fn half(&mut self, peer: Peer) -> &mut Half {
        match peer {
            Peer::Client => &mut self.client,
            Peer::Server => &mut self.server,
        }
    }
}

/// A record is being read.
pub(super) struct Reading<'t, 'k> {
    pub(super) tls: &'t mut Tls,
    pub(super) from: Peer,
    pub(super) keys: &'k KeyLog,
    pub(super) output: &'t mut Output,
}

impl Reading<'_, '_> {
    pub(super) fn half(&mut self) -> &mut Half {
        self.tls.half(self.from)
    }

    /// A record whose boundaries are certain.
    fn record(&mut self, whole: Whole<'_>, at: Range<u64>) {
        let is_tls13 = self.tls.agreed.is_tls13();
        let in_clear = self.half().epoch.is_none();
        let Whole { header, fragment } = whole;
        match header.kind {
            // TLS 1.3 sends some for the sake of old middleboxes, which mean nothing.
            ContentType::CHANGE_CIPHER_SPEC if is_tls13 == Some(true) => {}
            ContentType::CHANGE_CIPHER_SPEC if in_clear => self.switch_tls12(),
            ContentType::HANDSHAKE if in_clear => self.messages(fragment),
            ContentType::ALERT if in_clear || is_tls13 == Some(true) && fragment.len() == 2 => {
                self.alert(fragment);
            }
            _ => match self.open(header, fragment, at) {
                Ok(()) => {}
                Err(Closed::NoKeys) => {
                    if self.has_no_keys() {
                        let len = fragment.len() as u64;
                        self.tls.stays_closed(self.from, len, self.output);
                    }
                }
                Err(Closed::Unauthentic) => {
                    let half = self.half();
                    half.loss.possible = half.loss.possible.saturating_add(1);
                    self.failed(Refusal::Unauthentic);
                }
            },
        }
    }

    /// A record of which bytes are missing, so that it cannot be authentic.
    fn damaged(&mut self, kind: ContentType) {
        let is_tls13 = self.tls.agreed.is_tls13() == Some(true);
        let half = self.half();
        half.found();
        half.messages.forget();
        if kind == ContentType::CHANGE_CIPHER_SPEC && is_tls13 {
            return;
        }
        if half.epoch.is_some() {
            half.loss.sure += 1;
        } else {
            half.loss.possible = half.loss.possible.saturating_add(1);
        }
    }

    /// What may be a record, somewhere in the stream. Whether it is one.
    fn candidate(&mut self, whole: Whole<'_>, at: Range<u64>) -> bool {
        let Whole { header, fragment } = whole;
        let in_clear = self.half().epoch.is_none();
        if header.kind == ContentType::CHANGE_CIPHER_SPEC {
            let is_one = in_clear && fragment == [1];
            if is_one {
                self.record(whole, at);
            }
            return is_one;
        }
        match self.open(header, fragment, at) {
            Ok(()) => true,
            Err(_)
                if in_clear
                    && header.kind == ContentType::HANDSHAKE
                    && Messages::may_start(fragment) =>
            {
                self.messages(fragment);
                true
            }
            Err(Closed::NoKeys) if header.kind == ContentType::APPLICATION_DATA => {
                let refusal = self.reason();
                self.refuse(refusal);
                false
            }
            Err(_) => false,
        }
    }

    /// Takes the content of a protected record, which is the end of `plain`.
    pub(super) fn content(&mut self, kind: ContentType, from: usize, at: Range<u64>) {
        let plain = from..self.output.plain.len();
        match kind {
            ContentType::APPLICATION_DATA => {
                self.half().has_data = true;
                if !plain.is_empty() {
                    self.output.events.push(Event::Data {
                        from: self.from,
                        record: at,
                        plain,
                    });
                }
                return;
            }
            ContentType::CHANGE_CIPHER_SPEC if self.tls.agreed.is_tls13() == Some(false) => {
                self.switch_tls12();
            }
            ContentType::ALERT | ContentType::HANDSHAKE => {
                let content = self.output.plain.split_off(from);
                match kind {
                    ContentType::ALERT => self.alert(&content),
                    _ => self.messages(&content),
                }
            }
            _ => {}
        }
        self.output.plain.truncate(from);
    }

    fn alert(&mut self, content: &[u8]) {
        if let Some(alert) = Alert::read(content)
            && !alert.is_close()
        {
            self.output.events.push(Event::Alert {
                from: self.from,
                alert,
            });
        }
    }

    fn messages(&mut self, content: &[u8]) {
        let mut messages = std::mem::take(&mut self.half().messages);
        messages.push(content, |message| self.message(message));
        self.half().messages = messages;
    }

    fn message(&mut self, message: Message) {
        match message {
            Message::ClientHello(hello) if self.from == Peer::Client => {
                self.tls.agreed.server_name = hello.server_name;
                self.tls.agreed.greet(hello.random);
            }
            Message::ServerHello(hello) if self.from == Peer::Server => {
                let refusal = if ![Version::TLS12, Version::TLS13].contains(&hello.version) {
                    Some(Refusal::Version(hello.version))
                } else if hello.suite.protection().is_none() {
                    Some(Refusal::Suite(hello.suite))
                } else {
                    hello.compressed.then_some(Refusal::Compressed)
                };
                self.tls.agreed.hello = Some(hello);
                self.tls.agreed.n_hellos += 1;
                if let Some(refusal) = refusal {
                    self.refuse(refusal);
                }
            }
            Message::Other(HandshakeType::FINISHED) => {
                let ends = matches!(
                    &self.half().epoch,
                    Some(epoch) if epoch.phase == Phase::Handshake
                );
                if ends {
                    self.switch_to_next();
                }
            }
            Message::Other(HandshakeType::KEY_UPDATE) => {
                let updates = matches!(
                    &self.half().epoch,
                    Some(epoch) if matches!(epoch.phase, Phase::Application { .. })
                );
                if updates {
                    self.switch_to_next();
                }
            }
            _ => {}
        }
    }

    /// The records that follow are under the keys that come after those in use.
    fn switch_to_next(&mut self) {
        match self.next_epochs().into_iter().next() {
            Some((epoch, _)) => self.half().epoch = Some(epoch),
            None => {
                let refusal = self.reason();
                self.refuse(refusal);
            }
        }
    }

    /// The records that follow are protected as the hellos of TLS 1.2 have agreed.
    fn switch_tls12(&mut self) {
        let epoch = self.tls.agreed.tls12(self.from, self.keys);
        match epoch {
            Some(epoch) => self.half().epoch = Some(epoch),
            // A record of data will tell the session; the one that ends the handshake is passed.
            None if self.tls.agreed.random.is_none() => {
                let half = self.half();
                half.loss.possible = half.loss.possible.saturating_add(1);
            }
            // Without the other hello nobody knows which version this is.
            None if self.tls.agreed.is_tls13().is_none() && !self.next_epochs().is_empty() => {}
            None => {
                self.has_no_keys();
            }
        }
    }

    /// Gives the direction up, unless the hello of the other end may still come, by which the keys
    /// of the record that is looked at are found: then it waits for that. Whether it was given up.
    fn has_no_keys(&mut self) -> bool {
        let refusal = self.reason();
        let awaited = matches!(
            (refusal, self.from),
            (Refusal::NoServerHello, Peer::Client) | (Refusal::NoClientHello, Peer::Server)
        );
        if awaited
            && self.half().patience == Patience::Some
            && self.tls.may_greet(self.from.other())
        {
            self.half().waits = true;
            return false;
        }
        self.refuse(refusal);
        true
    }

    /// Why there are no keys for what comes next.
    fn reason(&mut self) -> Refusal {
        match self.tls.agreed.reason(self.from, self.keys) {
            Refusal::NoServerHello | Refusal::NoClientHello
                if self.half().patience == Patience::Lost =>
            {
                Refusal::LateHello
            }
            refusal => refusal,
        }
    }

    pub(super) fn next_epochs(&mut self) -> Vec<(Epoch, (Version, Suite))> {
        let phase = self
            .half()
            .epoch
            .as_ref()
            .map(|epoch| &epoch.phase)
            .cloned();
        let agreed = &self.tls.agreed;
        agreed.next_epochs(self.from, phase.as_ref(), self.keys)
    }

    /// Something did not fit; too often, and the direction is given up.
    fn failed(&mut self, refusal: Refusal) {
        let half = self.half();
        half.n_failed += 1;
        if half.n_failed > limits::MAX_FAILED {
            self.refuse(refusal);
        }
    }

    pub(super) fn refuse(&mut self, refusal: Refusal) {
        self.tls.refusal.get_or_insert(refusal);
        self.half().ended = true;
    }
}
