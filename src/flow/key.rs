//! Finding the connection of a segment.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::net::IpAddr;

use super::{Both, End, Endpoint};

/// The two ends of a connection in an order that both directions share.
#[derive(Clone, Copy, Debug, Eq)]
pub(super) struct Key([u32; 9]);

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        // All words at once, without a call: they are few, and most often equal.
        let words = self.0.iter().zip(&other.0);
        words.fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
    }
}

impl std::hash::Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for pair in self.0.chunks(2) {
            let word = pair
                .iter()
                .fold(0, |word, &half| word << 32 | u64::from(half));
            state.write_u64(word);
        }
    }
}

/// The key of two ends, and which of them is `source`.
#[inline(always)]
pub(super) fn key(source: Endpoint, destination: Endpoint) -> (Key, End) {
    let (a, b, from) = if source <= destination {
        (source, destination, End::A)
    } else {
        (destination, source, End::B)
    };
    let [a0, a1, a2, a3] = words(a.addr);
    let [b0, b1, b2, b3] = words(b.addr);
    let ports = u32::from(a.port) << 16 | u32::from(b.port);
    (Key([a0, a1, a2, a3, b0, b1, b2, b3, ports]), from)
}

/// The ends in the order of the key.
#[inline]
pub(super) fn ends(source: Endpoint, destination: Endpoint, from: End) -> Both<Endpoint> {
    match from {
        End::A => Both {
            a: source,
            b: destination,
        },
        End::B => Both {
            a: destination,
            b: source,
        },
    }
}

fn words(addr: IpAddr) -> [u32; 4] {
    // An IPv4 address inside IPv6 is the same host.
    let number = match addr {
        IpAddr::V4(addr) => addr.to_ipv6_mapped().to_bits(),
        IpAddr::V6(addr) => addr.to_bits(),
    };
    [96, 64, 32, 0].map(|shift| (number >> shift) as u32)
}

/// Hashes keys of a few words with multiplications, seeded at random so that nobody can make a
/// capture whose connections all collide.
#[derive(Clone, Debug)]
pub(super) struct Seed(u64);

impl Default for Seed {
    fn default() -> Self {
        Seed(RandomState::new().build_hasher().finish())
    }
}

impl BuildHasher for Seed {
    type Hasher = WordHasher;

    fn build_hasher(&self) -> WordHasher {
        WordHasher {
            state: self.0,
            seed: self.0 | 1,
        }
    }
}

pub(super) struct WordHasher {
    state: u64,
    seed: u64,
}

impl Hasher for WordHasher {
    fn finish(&self) -> u64 {
        self.state
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn write_u64(&mut self, word: u64) {
        // The high half of the product depends on all bits of both factors.
        let product = u128::from(self.state ^ word) * u128::from(self.seed ^ 0x9e37_79b9_7f4a_7c15);
        self.state = (product >> 64) as u64 ^ product as u64;
    }
}
