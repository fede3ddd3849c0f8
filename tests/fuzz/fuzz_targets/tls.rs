//! Fuzzes the layer that it is named after; see `layers`.
#![no_main]

#[path = "../../it/audit.rs"]
mod audit;
#[path = "../layers/mod.rs"]
mod layers;

libfuzzer_sys::fuzz_target!(|data: &[u8]| layers::run("tls", data));
