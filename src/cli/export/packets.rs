//! A smaller capture: the packets of exchanges, as they are.

use crate::{
    cli::{args::ExportArgs, output::Output},
    session::{CarriedSecrets, Excerpt, Session},
};

/// Writes the packets of the exchanges of these numbers.
pub(super) fn write(
    args: &ExportArgs,
    session: &Session,
    numbers: &[usize],
    output: &mut Output,
) -> anyhow::Result<()> {
    let index = session.index();
    let exchanges: Vec<_> = numbers.iter().filter_map(|&n| index.exchange(n)).collect();
    drop(index);
    let excerpt = Excerpt::new(session, exchanges.into_iter());
    let secrets = match args.show_secrets {
        true => CarriedSecrets::Keep,
        false => CarriedSecrets::LeaveOut,
    };
    let mut target = args.target(output)?;
    excerpt.write(&mut target, secrets)?;
    target.finish()?;
    if secrets == CarriedSecrets::LeaveOut && excerpt.needs_secrets() {
        output.remark(
            "the secrets that decrypt TLS are left out; --show-secrets writes them into the capture",
        );
    }
    Ok(())
}
