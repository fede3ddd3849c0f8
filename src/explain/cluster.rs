//! What traffic says of the cluster that it comes from: names of topics by their ids, addresses of
//! nodes by theirs.
//!
//! What comes in are fields in reading order; what goes out is a name or an address for a number.
//! A topic id has one name for ever (KIP-516). A node has an address for each of its listeners and
//! gets others when it moves, so all that were seen are kept. Nothing here knows a message.

use std::{collections::HashMap, fmt, net::IpAddr};

use uuid::Uuid;

use super::limits;
use crate::event::{Role, Value};

/// Topic names by id, addresses by node id.
#[derive(Clone, Debug, Default)]
pub struct Cluster {
    topics: HashMap<Uuid, Box<str>>,
    nodes: HashMap<i32, Vec<Address>>,
}

/// Where a node listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    pub host: Box<str>,
    pub port: u16,
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.host.contains(':') {
            true => write!(f, "[{}]:{}", self.host, self.port),
            false => write!(f, "{}:{}", self.host, self.port),
        }
    }
}

/// Something that fields beside each other say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact<'a> {
    Topic { id: Uuid, name: &'a str },
    Node { node: i32, host: &'a str, port: u16 },
}

impl Cluster {
    /// The name of a topic.
    pub fn topic(&self, id: Uuid) -> Option<&str> {
        self.topics.get(&id).map(AsRef::as_ref)
    }

    /// The addresses of a node, in the order in which they were seen.
    pub fn addresses(&self, node: i32) -> &[Address] {
        self.nodes.get(&node).map(Vec::as_slice).unwrap_or_default()
    }

    /// The node that listens at this address; one that is only known by a host name is not found.
    pub fn node(&self, addr: IpAddr, port: u16) -> Option<i32> {
        let listens = |address: &Address| address.port == port && address.host.parse() == Ok(addr);
        let nodes = self.nodes.iter();
        let found = nodes.filter(|(_, addresses)| addresses.iter().any(listens));
        found.map(|(&node, _)| node).min()
    }

    /// Whether `fact` is new, and there is room for it.
    pub fn lacks(&self, fact: Fact<'_>) -> bool {
        match fact {
            Fact::Topic { id, .. } => {
                self.topics.len() < limits::TOPICS && !self.topics.contains_key(&id)
            }
            Fact::Node { node, host, port } => match self.nodes.get(&node) {
                None => self.nodes.len() < limits::NODES,
                Some(known) => {
                    known.len() < limits::ADDRESSES
                        && !known
                            .iter()
                            .any(|known| known.port == port && *known.host == *host)
                }
            },
        }
    }

    /// Takes in a fact.
    pub fn learn(&mut self, fact: Fact<'_>) {
        if !self.lacks(fact) {
            return;
        }
        match fact {
            Fact::Topic { id, name } => {
                self.topics.insert(id, name.into());
            }
            Fact::Node { node, host, port } => {
                let host = host.into();
                self.nodes
                    .entry(node)
                    .or_default()
                    .push(Address { host, port });
            }
        }
    }
}

/// What is known where something is shown: what the message says itself, then what the capture
/// around it does.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known<'a> {
    pub here: Option<&'a Cluster>,
    pub elsewhere: Option<&'a Cluster>,
}

impl<'a> Known<'a> {
    /// The name of a topic.
    pub fn topic(self, id: Uuid) -> Option<&'a str> {
        let here = self.here.and_then(|here| here.topic(id));
        here.or_else(|| self.elsewhere?.topic(id))
    }

    /// The address of a node, or all that it was seen with, in a few words.
    pub fn address(self, node: i32) -> Option<String> {
        let of = |cluster: Option<&'a Cluster>| {
            let addresses = cluster?.addresses(node);
            (!addresses.is_empty()).then_some(addresses)
        };
        let addresses = of(self.here).or_else(|| of(self.elsewhere))?;
        let mut text = addresses
            .iter()
            .take(limits::SHOWN_ADDRESSES)
            .map(Address::to_string)
            .collect::<Vec<_>>()
            .join(", ");
        let more = addresses.len().saturating_sub(limits::SHOWN_ADDRESSES);
        if more > 0 {
            text.push_str(&format!(", +{more}"));
        }
        Some(text)
    }
}

/// Puts fields together that say something only beside each other. Names and ids of topics stand
/// in one struct, in either order; hosts and ports stand behind the id of their node, in its struct
/// or in a list in there.
#[derive(Debug, Default)]
pub struct Listener {
    /// Empty when there is none.
    topic: String,
    /// Nil when there is none.
    id: Uuid,
    node: Option<i32>,
    /// Empty when there is none.
    host: String,
    port: Option<u16>,
}

impl Listener {
    /// A message begins.
    pub fn clear(&mut self) {
        self.boundary();
        self.node = None;
    }

    /// A struct or a list begins or ends.
    pub fn boundary(&mut self) {
        self.topic.clear();
        self.id = Uuid::nil();
        self.host.clear();
        self.port = None;
    }

    /// A value of any role; most say nothing.
    pub fn value(&mut self, role: Role, value: Value<'_>) -> Option<Fact<'_>> {
        let text = |bytes| std::str::from_utf8(bytes).unwrap_or_default();
        match (role, value) {
            (Role::TopicName, Value::String(name, _)) => self.topic(text(name)),
            (Role::TopicId, Value::Uuid(id)) => self.topic_id(id),
            (Role::Host, Value::String(host, _)) => self.host(text(host)),
            (Role::Port, Value::Int32(port)) => self.port(port.into()),
            (Role::Port, Value::Uint16(port)) => self.port(port.into()),
            (Role::BrokerId, Value::Int32(node)) => {
                self.node(node);
                None
            }
            _ => None,
        }
    }

    /// The name of a topic.
    pub fn topic(&mut self, name: &str) -> Option<Fact<'_>> {
        self.topic.clear();
        if name.len() <= limits::TOPIC_NAME {
            self.topic.push_str(name);
        }
        self.topic_fact()
    }

    /// The id of a topic. The name that stands beside it, if any did so far.
    pub fn topic_id(&mut self, id: Uuid) -> Option<Fact<'_>> {
        self.id = id;
        self.topic_fact()
    }

    /// The id of a node.
    pub fn node(&mut self, node: i32) {
        self.node = Some(node);
    }

    /// The host of a node.
    pub fn host(&mut self, host: &str) -> Option<Fact<'_>> {
        self.host.clear();
        if host.len() <= limits::HOST {
            self.host.push_str(host);
        }
        self.node_fact()
    }

    /// The port of a node.
    pub fn port(&mut self, port: i64) -> Option<Fact<'_>> {
        self.port = u16::try_from(port).ok();
        self.node_fact()
    }

    fn topic_fact(&self) -> Option<Fact<'_>> {
        (!self.topic.is_empty() && !self.id.is_nil()).then_some(Fact::Topic {
            id: self.id,
            name: &self.topic,
        })
    }

    fn node_fact(&self) -> Option<Fact<'_>> {
        // Below zero is what stands for none.
        let node = self.node.filter(|&node| node >= 0)?;
        let port = self.port.filter(|_| !self.host.is_empty())?;
        let host = &self.host;
        Some(Fact::Node { node, host, port })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(node: i32, host: &str, port: u16) -> Fact<'_> {
        Fact::Node { node, host, port }
    }

    #[test]
    fn the_message_itself_is_asked_first_and_all_addresses_are_told() {
        let (mut here, mut elsewhere) = (Cluster::default(), Cluster::default());
        for port in 1..=5 {
            elsewhere.learn(node(1, "b", port));
            elsewhere.learn(node(1, "b", port));
        }
        elsewhere.learn(node(2, "fe80::1", 9092));
        here.learn(node(1, "a", 9092));
        let known = Known {
            here: Some(&here),
            elsewhere: Some(&elsewhere),
        };
        assert_eq!(known.address(1).unwrap(), "a:9092");
        assert_eq!(known.address(2).unwrap(), "[fe80::1]:9092");
        assert_eq!(known.address(3), None);
        let node = |host: &str, port| elsewhere.node(host.parse().unwrap(), port);
        assert_eq!(node("fe80::1", 9092), Some(2));
        assert_eq!((node("fe80::1", 9093), node("10.0.0.1", 1)), (None, None));
        let known = Known {
            here: None,
            ..known
        };
        assert_eq!(known.address(1).unwrap(), "b:1, b:2, b:3, +2");
    }

    #[test]
    fn fields_are_put_together_in_either_order() {
        let mut fields = Listener::default();
        let id = Uuid::from_u128(7);
        assert_eq!(fields.topic("t"), None);
        let fact = Fact::Topic { id, name: "t" };
        assert_eq!(fields.topic_id(id), Some(fact));
        fields.boundary();
        assert_eq!(fields.topic_id(id), None);
        assert_eq!(fields.topic("t"), Some(fact));
        fields.boundary();
        assert_eq!(fields.topic("other"), None);
        fields.node(3);
        fields.boundary();
        assert_eq!(fields.port(9092), None);
        assert_eq!(fields.host("h"), Some(node(3, "h", 9092)));
        assert_eq!(fields.host(""), None);
        assert_eq!(fields.port(-1), None);
        fields.node(-1);
        fields.host("h");
        assert_eq!(fields.port(9092), None);
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let mut cluster = Cluster::default();
        for port in 0..1000 {
            cluster.learn(node(1, "h", port));
        }
        assert_eq!(cluster.addresses(1).len(), limits::ADDRESSES);
        let mut fields = Listener::default();
        fields.topic(&"x".repeat(limits::TOPIC_NAME + 1));
        assert_eq!(fields.topic_id(Uuid::from_u128(7)), None);
    }
}
