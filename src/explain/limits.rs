//! Bounds of this layer. Names come from the wire, so nobody is to be trusted with their number.

/// Topic ids whose names are kept; a cluster has fewer, so more are somebody's garbage.
pub(super) const TOPICS: usize = 100_000;

/// Bytes of a topic name; brokers refuse longer ones.
pub(super) const TOPIC_NAME: usize = 249;

/// Nodes whose addresses are kept: more than any cluster has.
pub(super) const NODES: usize = 10_000;

/// Addresses that are kept of one node: one a listener, and a few moves.
pub(super) const ADDRESSES: usize = 16;

/// Bytes of a host; names in the domain name system are shorter.
pub(super) const HOST: usize = 255;

/// Addresses that are shown beside a node id before the rest is only counted: a line has no room
/// for more.
pub(super) const SHOWN_ADDRESSES: usize = 3;
