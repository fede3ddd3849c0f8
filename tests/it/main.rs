//! Tests of the library and the program from outside.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used
)]

mod audit;
mod batches;
mod bounds;
mod broken;
mod browser;
mod browsing;
mod captured;
mod check;
mod columns;
mod completion;
mod diagnosis;
mod edits;
mod encode;
mod error_column;
mod examples;
mod export;
mod fields;
mod filter;
mod fuzz;
mod groups;
mod holes;
mod inputs;
mod json;
#[path = "../fuzz/layers/mod.rs"]
mod layers;
mod line_ends;
mod list;
mod markup;
mod mistaken;
mod mistakes;
mod names;
mod parquet;
mod pasted;
mod payload;
mod payload_records;
mod pictures;
mod program;
mod pty;
mod records;
mod records_broken;
mod recovery;
mod reference;
mod releases;
mod screens;
mod secrets;
mod segments;
mod site;
mod sizes;
mod states;
mod stats;
mod terminal;
mod tidy;
mod timed;
mod traffic;
mod transcripts;
mod vectors;
