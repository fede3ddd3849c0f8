//! Values that exchanges have of the names that an expression can start with, so that they can be
//! offered while one is typed.
//!
//! In: exchanges of an index, one behind the other. Out: for each name its values as an expression
//! writes them, those that come most often first. Names whose values are mostly different, as times
//! and latencies, have none here.

use std::{cmp::Reverse, collections::HashMap, hash::Hash};

use super::text_literal as text;
use crate::{
    explain::ErrorCode,
    render::error_text,
    schema::ApiKey,
    session::{Exchange, Index, ListId, NameId},
};

/// Values of one name that are kept; nobody reads through more.
const KEPT: usize = 10_000;

/// The values of each name, as an expression writes them: `"Produce"`, `11`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Occurring(Vec<(&'static str, Vec<String>)>);

impl Occurring {
    /// The values of a name; `None` if it is none of those whose values are kept.
    pub fn of(&self, name: &str) -> Option<&[String]> {
        let found = self.0.iter().find(|(known, _)| *known == name);
        found.map(|(_, values)| values.as_slice())
    }
}

/// What was met, and how often.
#[derive(Debug, Default)]
pub struct Occurrences {
    apis: HashMap<i16, u64>,
    versions: HashMap<i16, u64>,
    kinds: HashMap<&'static str, u64>,
    statuses: HashMap<&'static str, u64>,
    client_ids: HashMap<NameId, u64>,
    connections: HashMap<u32, u64>,
    /// Lists with an exchange that has them: the same ones come again and again.
    topics: HashMap<ListId, (u64, Exchange)>,
    codes: HashMap<ListId, (u64, Exchange)>,
    errors: HashMap<String, u64>,
}

impl Occurrences {
    /// Takes in an exchange.
    pub fn add(&mut self, index: &Index, exchange: &Exchange) {
        if let Some((api, version)) = exchange.api {
            count(&mut self.apis, api, 1);
            count(&mut self.versions, version, 1);
        }
        count(&mut self.kinds, exchange.kind.name(), 1);
        count(&mut self.statuses, exchange.status.name(), 1);
        count(&mut self.connections, exchange.connection, 1);
        if let Some(id) = exchange.client_id {
            count(&mut self.client_ids, id, 1);
        }
        let topics = self.topics.entry(exchange.topics);
        topics.or_insert((0, *exchange)).0 += 1;
        let codes = self.codes.entry(exchange.errors);
        codes.or_insert((0, *exchange)).0 += 1;
        let error = error_text(index, exchange);
        if !error.is_empty() && (self.errors.len() < KEPT || self.errors.contains_key(&error)) {
            count(&mut self.errors, error, 1);
        }
    }

    /// All values that were met.
    pub fn finish(self, index: &Index) -> Occurring {
        let mut topics = HashMap::new();
        for (n, exchange) in self.topics.values() {
            for topic in index.topics(exchange) {
                count(&mut topics, topic, *n);
            }
        }
        let mut codes = HashMap::new();
        for (n, exchange) in self.codes.values() {
            for code in index.errors(exchange) {
                count(&mut codes, *code, *n);
            }
        }
        let (mut clients, mut servers) = (HashMap::new(), HashMap::new());
        for (number, n) in &self.connections {
            if let Some(connection) = index.connection(*number) {
                count(&mut clients, connection.client.to_string(), *n);
                count(&mut servers, connection.server.to_string(), *n);
            }
        }
        let names = self.apis.iter().map(|(&api, &n)| (api, n));
        let names = names.filter_map(|(api, n)| Some((text(ApiKey(api).name()?), n)));
        let codes = codes.into_iter();
        let codes = codes.filter_map(|(code, n)| Some((text(ErrorCode(code).name()?), n)));
        let client_ids = self.client_ids.into_iter();
        let number = |(value, n): (i16, u64)| (value.to_string(), n);
        let connections = self.connections.into_iter();
        Occurring(vec![
            ("api", sorted(names.collect())),
            (
                "api_key",
                sorted(self.apis.into_iter().map(number).collect()),
            ),
            (
                "version",
                sorted(self.versions.into_iter().map(number).collect()),
            ),
            ("kind", sorted(texts(self.kinds))),
            ("status", sorted(texts(self.statuses))),
            (
                "client_id",
                sorted(
                    client_ids
                        .map(|(id, n)| (text(index.name(id)), n))
                        .collect(),
                ),
            ),
            (
                "connection",
                sorted(connections.map(|(id, n)| (id.to_string(), n)).collect()),
            ),
            ("client", sorted(texts(clients))),
            ("server", sorted(texts(servers))),
            ("topics", sorted(texts(topics))),
            ("errors", sorted(codes.collect())),
            ("error", sorted(texts(self.errors))),
        ])
    }
}

fn count<K: Eq + Hash>(counts: &mut HashMap<K, u64>, value: K, n: u64) {
    *counts.entry(value).or_default() += n;
}

fn texts<T: AsRef<str>>(counts: HashMap<T, u64>) -> Vec<(String, u64)> {
    let counts = counts.into_iter();
    counts.map(|(value, n)| (text(value.as_ref()), n)).collect()
}

/// The values that come most often first, then in their order.
fn sorted(mut counted: Vec<(String, u64)>) -> Vec<String> {
    counted.sort_by(|(a, n_a), (b, n_b)| (Reverse(n_a), a).cmp(&(Reverse(n_b), b)));
    counted.truncate(KEPT);
    counted.into_iter().map(|(value, _)| value).collect()
}
