//! `completions` and `man`: what a shell and a manual reader need of the arguments.

use clap::CommandFactory;
use clap_complete::Shell;

use super::{Outcome, args::Args, output::Output};

pub(super) fn completions(shell: Shell, output: &mut Output) -> anyhow::Result<Outcome> {
    // The generator insists on writing, so it gets memory and the output gets the result.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "kafscope", &mut script);
    std::io::Write::write_all(output.raw(), &script)?;
    Ok(Outcome::Fine)
}

pub(super) fn man(output: &mut Output) -> anyhow::Result<Outcome> {
    clap_mangen::Man::new(Args::command()).render(output.raw())?;
    Ok(Outcome::Fine)
}
