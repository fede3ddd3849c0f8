//! Tables: exchanges counted by what they have in common.

use std::{
    collections::{BTreeSet, HashMap},
    net::IpAddr,
};

use super::{
    Keep, Software, Tally,
    partitions::{names_partitions, shares},
    rate::Buckets,
    software,
    tally::{Records, has_error},
};
use crate::{
    schema::ApiKey,
    session::{Endpoint, Exchange, Index, Kind, NameId, Session},
};

/// What the rows of a table have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum By {
    Api,
    Client,
    Topic,
    Partition,
    Connection,
    Server,
    Error,
    Time,
}

impl By {
    /// All of them, in the order in which they are shown.
    pub const ALL: [By; 8] = [
        By::Api,
        By::Client,
        By::Topic,
        By::Partition,
        By::Connection,
        By::Server,
        By::Error,
        By::Time,
    ];

    /// The word in arguments and outputs.
    pub fn name(self) -> &'static str {
        match self {
            By::Api => "api",
            By::Client => "client",
            By::Topic => "topic",
            By::Partition => "partition",
            By::Connection => "connection",
            By::Server => "server",
            By::Error => "error",
            By::Time => "time",
        }
    }
}

/// What decides which rows come first; times keep their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// Most exchanges.
    #[default]
    Exchanges,
    /// Most bytes.
    Bytes,
    /// Longest p99.
    Latency,
    /// Most errors, then most unanswered requests.
    Errors,
}

/// What a row stands for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    /// API key and version.
    Api {
        key: i16,
        version: i16,
    },
    /// Raw SASL tokens, which have no header.
    SaslToken,
    /// Responses whose request was not captured.
    Orphan,
    Client {
        /// `None` where it is null, or unknown.
        client_id: Option<Box<str>>,
        /// Where a connection says it.
        software: Option<Software>,
    },
    Topic(Box<str>),
    Partition(Box<str>, i32),
    Connection(u32),
    Server(Endpoint),
    /// An error code, and the API that returned it.
    Error {
        code: i16,
        api: Option<i16>,
    },
    /// Nanoseconds since 1970 at which the bucket starts.
    Time(i64),
}

/// A row of a table.
#[derive(Clone, Debug)]
pub struct Row {
    pub key: Key,
    pub tally: Tally,
    /// Of a partition: bytes of its batches, compressed as they are.
    pub record_bytes: u64,
    /// Of a client: where it connected from.
    pub hosts: BTreeSet<IpAddr>,
    /// Of a connection: its ends.
    pub ends: Option<(Endpoint, Endpoint)>,
    /// Of a server: the id of the broker that listens there, if messages say it.
    pub node: Option<i32>,
}

/// The rows of one kind, those that matter most first.
#[derive(Clone, Debug)]
pub struct Table {
    pub by: By,
    pub rows: Vec<Row>,
    /// Of times: nanoseconds that a bucket is wide; else 0.
    pub width: i64,
}

/// All that was counted.
#[derive(Clone, Debug)]
pub struct Stats {
    pub total: Tally,
    /// Times of the first and the last exchange, nanoseconds since 1970.
    pub span: Option<(i64, i64)>,
    /// Connections with an exchange that counts.
    pub n_connections: usize,
    pub tables: Vec<Table>,
}

/// Counts the exchanges that `keep` lets through, in one table for each of `by`, with at most
/// `most_buckets` buckets of time.
pub fn stats(
    session: &Session,
    index: &Index,
    keep: Keep<'_>,
    by: &[By],
    sort: Sort,
    most_buckets: usize,
) -> Stats {
    let mut total = Tally::default();
    let mut span: Option<(i64, i64)> = None;
    let mut connections = vec![false; index.connections().len()];
    for exchange in index.exchanges().filter(|exchange| keep(exchange)) {
        total.add(index, &exchange);
        let time = exchange.time();
        span = Some(span.map_or((time, time), |(first, last)| {
            (first.min(time), last.max(time))
        }));
        if let Some(seen) = connections.get_mut(exchange.connection as usize - 1) {
            *seen = true;
        }
    }
    let source = Source {
        session,
        index,
        keep,
    };
    let tables = by.iter().map(|&by| {
        let buckets = span.map(|(first, last)| Buckets::covering(first, last, most_buckets));
        let mut table = source.table(by, buckets);
        if by != By::Time {
            arrange(&mut table.rows, sort);
        }
        table
    });
    Stats {
        tables: tables.collect(),
        total,
        span,
        n_connections: connections.into_iter().filter(|seen| *seen).count(),
    }
}

/// Puts what matters most first; what is equal, in an order that is always the same.
fn arrange(rows: &mut [Row], sort: Sort) {
    rows.sort_by_cached_key(|row| {
        let tally = &row.tally;
        let quantiles = tally.latency.quantiles();
        let matters = match sort {
            Sort::Exchanges => (tally.exchanges, tally.bytes()),
            Sort::Bytes => (tally.bytes(), tally.exchanges),
            Sort::Latency => (quantiles.map_or(0, |found| found.p99), tally.exchanges),
            Sort::Errors => (tally.errors, tally.unanswered),
        };
        (std::cmp::Reverse(matters), row.key.clone())
    });
}

/// What is counted.
struct Source<'s> {
    session: &'s Session,
    index: &'s Index,
    keep: Keep<'s>,
}

impl Source<'_> {
    fn table(&self, by: By, buckets: Option<Buckets>) -> Table {
        let rows = match by {
            By::Api => self.api(),
            By::Client => self.client(),
            By::Topic => self.topic(),
            By::Partition => self.partition(),
            By::Connection => self.connection(),
            By::Server => self.server(),
            By::Error => self.error(),
            By::Time => self.time(buckets),
        };
        Table {
            by,
            rows,
            width: match (by, buckets) {
                (By::Time, Some(buckets)) => buckets.width,
                _ => 0,
            },
        }
    }

    fn exchanges(&self) -> impl Iterator<Item = Exchange> {
        self.index
            .exchanges()
            .filter(|exchange| (self.keep)(exchange))
    }

    fn api(&self) -> Vec<Row> {
        let mut found: HashMap<Key, Tally> = HashMap::new();
        for exchange in self.exchanges() {
            let key = match (exchange.kind, exchange.api) {
                (Kind::SaslToken, _) => Key::SaslToken,
                (_, Some((key, version))) => Key::Api { key, version },
                (_, None) => Key::Orphan,
            };
            found.entry(key).or_default().add(self.index, &exchange);
        }
        rows(found)
    }

    fn client(&self) -> Vec<Row> {
        // What a connection says holds for its exchanges that are not kept as well.
        let software = software(self.session, self.index, &|_| true);
        type Client<'s> = (Option<NameId>, Option<&'s Software>);
        let mut found: HashMap<Client<'_>, (Tally, BTreeSet<IpAddr>)> = HashMap::new();
        for exchange in self.exchanges() {
            // A response alone does not name the client.
            if exchange.request.is_none() {
                continue;
            }
            let key = (exchange.client_id, software.get(&exchange.connection));
            let (tally, hosts) = found.entry(key).or_default();
            tally.add(self.index, &exchange);
            if let Some(connection) = self.index.connection(exchange.connection) {
                hosts.insert(connection.client.addr);
            }
        }
        let rows = found
            .into_iter()
            .map(|((id, software), (tally, hosts))| Row {
                hosts,
                ..row(
                    Key::Client {
                        client_id: id.map(|id| self.index.name(id).into()),
                        software: software.cloned(),
                    },
                    tally,
                )
            });
        rows.collect()
    }

    /// An exchange counts for each of its topics. Where there are several, which of them its records
    /// and errors belong to is in the messages alone.
    fn topic(&self) -> Vec<Row> {
        let cluster = self.session.cluster();
        let mut found: HashMap<&str, Tally> = HashMap::new();
        for exchange in self.exchanges() {
            let topics: Vec<&str> = self.index.topics(&exchange).collect();
            let has_error = has_error(self.index, &exchange);
            let is_split = exchange
                .api
                .is_some_and(|(key, _)| names_partitions(ApiKey(key)));
            if topics.len() < 2 || !is_split || (exchange.records == 0 && !has_error) {
                for topic in topics {
                    let tally = found.entry(topic).or_default();
                    tally.add_part(&exchange, Records::of(&exchange), has_error);
                }
                continue;
            }
            let mut parts: HashMap<&str, (u64, bool)> =
                topics.iter().map(|&topic| (topic, (0, false))).collect();
            for ((topic, _), share) in shares(self.session, &cluster, &exchange) {
                if let Some((records, has_error)) = parts.get_mut(topic.as_ref()) {
                    *records += share.records;
                    *has_error |= share.has_error;
                }
            }
            for (topic, (records, has_error)) in parts {
                let records = Records::counted(&exchange, records);
                let tally = found.entry(topic).or_default();
                tally.add_part(&exchange, records, has_error);
            }
        }
        let rows = found.into_iter();
        rows.map(|(topic, tally)| row(Key::Topic(topic.into()), tally))
            .collect()
    }

    fn partition(&self) -> Vec<Row> {
        let cluster = self.session.cluster();
        let mut found: HashMap<(Box<str>, i32), (Tally, u64)> = HashMap::new();
        for exchange in self.exchanges() {
            let Some((key, _)) = exchange.api else {
                continue;
            };
            if !names_partitions(ApiKey(key)) {
                continue;
            }
            for (partition, share) in shares(self.session, &cluster, &exchange) {
                let (tally, bytes) = found.entry(partition).or_default();
                let records = Records::counted(&exchange, share.records);
                tally.add_part(&exchange, records, share.has_error);
                *bytes += share.record_bytes;
            }
        }
        let rows = found.into_iter();
        rows.map(|((topic, partition), (tally, record_bytes))| Row {
            record_bytes,
            ..row(Key::Partition(topic, partition), tally)
        })
        .collect()
    }

    fn connection(&self) -> Vec<Row> {
        let mut found: HashMap<u32, Tally> = HashMap::new();
        for exchange in self.exchanges() {
            let tally = found.entry(exchange.connection).or_default();
            tally.add(self.index, &exchange);
        }
        let rows = found.into_iter().map(|(n, tally)| Row {
            ends: self
                .index
                .connection(n)
                .map(|connection| (connection.client, connection.server)),
            ..row(Key::Connection(n), tally)
        });
        rows.collect()
    }

    fn server(&self) -> Vec<Row> {
        let cluster = self.session.cluster();
        let mut found: HashMap<Endpoint, Tally> = HashMap::new();
        for exchange in self.exchanges() {
            if let Some(connection) = self.index.connection(exchange.connection) {
                let tally = found.entry(connection.server).or_default();
                tally.add(self.index, &exchange);
            }
        }
        let rows = found.into_iter().map(|(server, tally)| Row {
            node: cluster.node(server.addr, server.port),
            ..row(Key::Server(server), tally)
        });
        rows.collect()
    }

    fn error(&self) -> Vec<Row> {
        let mut found: HashMap<Key, Tally> = HashMap::new();
        for exchange in self.exchanges() {
            for &code in self.index.errors(&exchange) {
                let api = exchange.api.map(|(key, _)| key);
                let tally = found.entry(Key::Error { code, api }).or_default();
                tally.add(self.index, &exchange);
            }
        }
        rows(found)
    }

    fn time(&self, buckets: Option<Buckets>) -> Vec<Row> {
        let Some(buckets) = buckets else {
            return Vec::new();
        };
        let mut tallies = vec![Tally::default(); buckets.count];
        for exchange in self.exchanges() {
            if let Some(tally) = tallies.get_mut(buckets.of(exchange.time())) {
                tally.add(self.index, &exchange);
            }
        }
        let starts = (0..).map(|n| {
            buckets
                .start
                .saturating_add(buckets.width.saturating_mul(n))
        });
        starts
            .zip(tallies)
            .map(|(start, tally)| row(Key::Time(start), tally))
            .collect()
    }
}

fn rows(found: HashMap<Key, Tally>) -> Vec<Row> {
    let rows = found.into_iter();
    rows.map(|(key, tally)| row(key, tally)).collect()
}

fn row(key: Key, tally: Tally) -> Row {
    Row {
        key,
        tally,
        record_bytes: 0,
        hosts: BTreeSet::new(),
        ends: None,
        node: None,
    }
}
