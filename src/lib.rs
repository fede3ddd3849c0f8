//! kafscope shows what Kafka clients and brokers said to each other, byte by byte.
//!
//! The modules are layers, in the order in which data flows through them; each imports only
//! layers before it. `docs/ARCHITECTURE.md` follows one byte through them all.

pub mod capture;
pub mod check;
pub mod cli;
pub mod compare;
pub mod decode;
pub mod encode;
pub mod event;
pub mod explain;
pub mod flow;
pub mod hextext;
pub mod kafka;
pub mod net;
pub mod payload;
pub mod query;
pub mod records;
pub mod render;
pub mod schema;
pub mod session;
pub mod site;
pub mod stats;
pub mod tls;
pub mod tree;
pub mod tui;
pub mod wire;
