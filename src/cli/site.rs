//! `site`: the whole reference as pages in a folder.

use std::time::Instant;

use super::{Outcome, args::SiteArgs, output::Output};
use crate::{render::escape_str, site::write_site};

pub(super) fn run(args: &SiteArgs, output: &mut Output) -> anyhow::Result<Outcome> {
    let begin = Instant::now();
    let written = write_site(&args.dir)?;
    output.line(format_args!(
        "{} pages, {:.1} MB, in {:.1} s; open {}",
        written.n_pages,
        written.n_bytes as f64 / 1e6,
        begin.elapsed().as_secs_f64(),
        escape_str(&args.dir.join("index.html").to_string_lossy())
    ))?;
    Ok(Outcome::Fine)
}
