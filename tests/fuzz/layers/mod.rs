//! What is fuzzed, a function of bytes for each layer. It panics where the layer breaks one of its
//! rules; most of them only say that no bytes make it panic by itself.
//!
//! The fuzz targets and the ordinary tests share these files, so that what the fuzzer runs is
//! always built and never rots.

mod capture;
mod decode;
mod encode;
mod flow;
mod hextext;
mod kafka;
pub(crate) mod net;
mod payload;
mod pcap;
mod records;
mod render;
mod schema;
mod session;
mod tls;
mod wire;

/// A layer's name, and what is run on bytes.
type Layer = (&'static str, fn(&[u8]));

/// The layers that are fuzzed, in the order in which data flows through them.
pub(crate) const LAYERS: [Layer; 13] = [
    ("wire", wire::run),
    ("capture", capture::run),
    ("net", net::run),
    ("flow", flow::run),
    ("tls", tls::run),
    ("schema", schema::run),
    ("kafka", kafka::run),
    ("records", records::run),
    ("payload", payload::run),
    ("decode", decode::run),
    ("encode", encode::run),
    ("hextext", hextext::run),
    ("render", render::run),
];

/// Runs one of them.
pub(crate) fn run(layer: &str, data: &[u8]) {
    let (_, run) = LAYERS.iter().find(|(name, _)| *name == layer).unwrap();
    run(data);
}
