//! The `kafscope` program.

fn main() {}
