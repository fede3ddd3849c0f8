//! The `kafscope` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    kafscope::cli::run(std::env::args_os())
}
