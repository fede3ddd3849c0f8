//! Options that are for the exchanges of captures and mean nothing to a log segment, nor, but for two,
//! to hex text.

use clap::{ArgMatches, Command, FromArgMatches, parser::ValueSource};

/// All of them, in the order in which they are named.
const OPTIONS: [&str; 16] = [
    "port",
    "keylog",
    "follow",
    "filter",
    "columns",
    "sort",
    "limit",
    "request",
    "response",
    "provenance",
    "by",
    "groups",
    "transactions",
    "top",
    "buckets",
    "slow",
];

/// Those that a command was given. It comes before all other arguments, which take their values away.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::cli) struct ForExchanges(Vec<&'static str>);

impl ForExchanges {
    /// The options as they are typed, but for those that are not meant.
    pub(in crate::cli) fn given(&self, but: &[&str]) -> Vec<String> {
        let names = self.0.iter().filter(|name| !but.contains(name));
        names.map(|name| format!("--{name}")).collect()
    }
}

/// The beginning of a sentence about things that were given: `--by is`, `--port and --limit are`; `None`
/// of nothing.
pub(in crate::cli) fn subject(given: &[String]) -> Option<String> {
    Some(match given {
        [] => return None,
        [only] if only == "numbers" => "numbers are".to_owned(),
        [only] => format!("{only} is"),
        [others @ .., last] => format!("{} and {last} are", others.join(", ")),
    })
}

impl FromArgMatches for ForExchanges {
    fn from_arg_matches(matches: &ArgMatches) -> Result<ForExchanges, clap::Error> {
        let is_given = |name: &&str| {
            let mut known = matches.ids();
            known.any(|id| id == *name)
                && matches.value_source(name) == Some(ValueSource::CommandLine)
        };
        Ok(ForExchanges(OPTIONS.into_iter().filter(is_given).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = ForExchanges::from_arg_matches(matches)?;
        Ok(())
    }
}

impl clap::Args for ForExchanges {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::*;
    use crate::cli::args::{self, Args};

    #[test]
    fn every_option_of_the_table_is_one_of_a_command_and_is_seen_where_it_is_given() {
        let commands = Args::command();
        for name in OPTIONS {
            let mut all = commands.get_subcommands();
            assert!(
                all.any(|command| command.get_arguments().any(|arg| arg.get_id() == name)),
                "{name}"
            );
        }
        let line = "kafscope list a.log --limit 3 --json --port 1 --filter true";
        let Some(args::Command::List(list)) = Args::parse_from(line.split(' ')).command else {
            panic!("no list");
        };
        let given = ["--port", "--filter", "--limit"];
        assert_eq!(list.for_exchanges.given(&[]), given);
        assert_eq!(list.limit, Some(3));
        let line = "kafscope stats a.log --by api --groups";
        assert!(Args::try_parse_from(line.split(' ')).is_err());
    }
}
