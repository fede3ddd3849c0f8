//! Commands that are typed behind a colon: one table says their names, what they take and what
//! they do, and makes the help and the completion.

use super::{Theme, views::View};
use crate::{
    explain::ErrorCode,
    schema::{ApiKey, Catalogue, Direction, nearest},
};

/// What a command asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// An exchange, from 0.
    Go(usize),
    /// The first exchange at or behind a time of day, in nanoseconds since midnight.
    Time(i64),
    /// The message in a packet of the capture.
    Packet(u64),
    /// A byte of the message.
    Offset(usize),
    /// A field of the message.
    Path(String),
    Filter(String),
    Sort(String),
    Search(String),
    Show(View),
    /// Marks the exchange, with a note.
    Bookmark(String),
    Bookmarks,
    /// Columns of the list; none for the usual ones.
    Columns(Vec<String>),
    /// A column for a field of this path, or for the selected one.
    Field(String),
    /// Decodes text as if it had been pasted.
    Decode(String),
    Follow,
    /// Reads the message as something else.
    As(String),
    /// Saves the message to a file of this name.
    Save(String),
    Theme(Theme),
    Help,
    Quit,
    /// Also when bytes were changed.
    QuitAnyway,
    /// Shows what was pasted.
    Pasted,
}

/// A row of the table.
pub(super) struct Entry {
    pub name: &'static str,
    /// What stands behind the name; empty for nothing.
    pub takes: &'static str,
    pub help: &'static str,
    read: fn(&str) -> Result<Command, String>,
}

const fn entry(
    name: &'static str,
    takes: &'static str,
    help: &'static str,
    read: fn(&str) -> Result<Command, String>,
) -> Entry {
    Entry {
        name,
        takes,
        help,
        read,
    }
}

/// Every command.
pub(super) const COMMANDS: &[Entry] = &[
    entry("apis", "", "all APIs and their versions", |_| {
        Ok(Command::Show(View::Apis))
    }),
    entry(
        "as",
        "API VERSION",
        "decode as something else, or as captured",
        |text| Ok(Command::As(text.to_owned())),
    ),
    entry("bookmark", "NOTE", "mark the exchange", |note| {
        Ok(Command::Bookmark(note.to_owned()))
    }),
    entry("bookmarks", "", "show marked exchanges alone", |_| {
        Ok(Command::Bookmarks)
    }),
    entry(
        "columns",
        "NAME,NAME:WIDTH",
        "columns; +NAME adds, -NAME drops, none: the usual",
        |text| {
            let names = text.split([',', ' ']).filter(|name| !name.is_empty());
            Ok(Command::Columns(names.map(str::to_owned).collect()))
        },
    ),
    entry("connections", "", "all connections", |_| {
        Ok(Command::Show(View::Connections))
    }),
    entry(
        "decode",
        "TEXT",
        "hex or any other notation as a message",
        |text| match text.is_empty() {
            true => Err("expected bytes in any notation, as 0000000c ...".to_owned()),
            false => Ok(Command::Decode(text.to_owned())),
        },
    ),
    entry("diff", "API FROM TO", "what changed between versions", diff),
    entry("error", "CODE-or-NAME", "what an error means", |text| {
        if text.is_empty() {
            return Ok(Command::Show(View::Errors));
        }
        match ErrorCode::parse(text) {
            Some(code) => Ok(Command::Show(View::Error(code.0))),
            None => Err(ErrorCode::unknown(text)),
        }
    }),
    entry("errors", "", "all error codes", |_| {
        Ok(Command::Show(View::Errors))
    }),
    entry(
        "field",
        "PATH",
        "the selected field, or one by its path, as a column",
        |text| Ok(Command::Field(text.to_owned())),
    ),
    entry("filter", "EXPR", "show only some exchanges", |text| {
        Ok(Command::Filter(text.to_owned()))
    }),
    entry(
        "follow",
        "",
        "stay at the end while more comes, or stop",
        |_| Ok(Command::Follow),
    ),
    entry("groups", "", "consumer groups over time", |_| {
        Ok(Command::Show(View::Groups))
    }),
    entry("help", "", "keys and commands", |_| Ok(Command::Help)),
    entry(
        "layout",
        "API[:VERSION]",
        "the documented page of a version",
        layout,
    ),
    entry("notes", "", "what is wrong with the capture itself", |_| {
        Ok(Command::Show(View::Notes))
    }),
    entry(
        "offset",
        "N",
        "go to a byte of the message, as 18 or 0x12",
        |text| offset(text).map(Command::Offset),
    ),
    entry(
        "packet",
        "N",
        "go to the message in packet N of the capture",
        |text| match text.parse() {
            Ok(packet) if packet > 0 => Ok(Command::Packet(packet)),
            _ => Err(format!("{text}: no number of a packet; they count from 1")),
        },
    ),
    entry("pasted", "", "what was pasted, again", |_| {
        Ok(Command::Pasted)
    }),
    entry(
        "path",
        "FIELD",
        "go to a field, as Topics[0].Name",
        |text| match text.is_empty() {
            true => Err("expected a path, as Topics[0].Name".to_owned()),
            false => Ok(Command::Path(text.to_owned())),
        },
    ),
    entry("problems", "", "what is wrong, as check says it", |_| {
        Ok(Command::Show(View::Problems))
    }),
    entry("quit", "", "end", |_| Ok(Command::Quit)),
    entry("quit!", "", "end, whatever was changed", |_| {
        Ok(Command::QuitAnyway)
    }),
    entry(
        "save",
        "FILE",
        "the message as .bin, .txt or .html",
        |text| Ok(Command::Save(text.to_owned())),
    ),
    entry(
        "search",
        "PATTERN",
        "find a text, bytes or a field",
        |text| Ok(Command::Search(text.to_owned())),
    ),
    entry(
        "sort",
        "COLUMN",
        "order by a column, -COLUMN for the largest first",
        |text| Ok(Command::Sort(text.to_owned())),
    ),
    entry(
        "stats",
        "",
        "counts, sizes, latencies, errors over time",
        |_| Ok(Command::Show(View::Stats)),
    ),
    entry("theme", "NAME", "dark, light, 16 or none", |text| {
        Theme::parse(text).map(Command::Theme)
    }),
    entry("time", "HH:MM:SS", "go to a time of day in UTC", |text| {
        time_of_day(text).map(Command::Time)
    }),
    entry(
        "transactions",
        "",
        "transactions and producers over time",
        |_| Ok(Command::Show(View::Transactions)),
    ),
];

/// The command of this name, or the only one whose name begins so.
pub(super) fn named(name: &str) -> Option<&'static Entry> {
    let exact = COMMANDS.iter().find(|entry| entry.name == name);
    // `q!` is short for `quit!` as `q` is for `quit`.
    let is_forced = name.ends_with('!');
    let start = name.trim_end_matches('!');
    let mut starts = COMMANDS
        .iter()
        .filter(|entry| entry.name.starts_with(start) && entry.name.ends_with('!') == is_forced);
    exact.or_else(|| match (starts.next(), starts.next()) {
        (Some(only), None) if !name.is_empty() => Some(only),
        _ => None,
    })
}

/// Reads a line; a number alone is an exchange.
pub(super) fn read(line: &str) -> Result<Command, String> {
    let line = line.trim();
    if line.bytes().all(|byte| byte.is_ascii_digit()) && !line.is_empty() {
        return match line.parse::<usize>() {
            Ok(n) if n > 0 => Ok(Command::Go(n - 1)),
            Ok(_) => Err(format!("{line}: exchanges count from 1")),
            // More digits than any capture has exchanges.
            Err(_) => Err(format!("there is no exchange {line}")),
        };
    }
    let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    match named(name) {
        Some(entry) => (entry.read)(rest.trim()),
        None => Err(
            match nearest(name, COMMANDS.iter().map(|entry| entry.name)) {
                Some(near) => format!("{name}: no such command; did you mean {near}?"),
                None => format!("{name}: no such command; help lists them"),
            },
        ),
    }
}

fn api(name: &str) -> Result<ApiKey, String> {
    ApiKey::parse(name).ok_or_else(|| {
        let near = nearest(name, ApiKey::all().filter_map(ApiKey::name));
        match near {
            Some(near) => format!("{name}: no such API; did you mean {near}?"),
            None => format!("{name}: no such API; apis lists them"),
        }
    })
}

/// The version that is asked for, if the API ever had it; else the newest.
fn version(api: ApiKey, text: Option<&str>) -> Result<i16, String> {
    let ever = Catalogue::current()
        .api(api, Direction::Request)
        .map(|definition| definition.ever)
        .ok_or_else(|| format!("{api} has no request"))?;
    let Some(text) = text else {
        return Ok(ever.max);
    };
    let version = text.trim_start_matches(['v', 'V']).parse().ok();
    version
        .filter(|&version| ever.contains(version))
        .ok_or_else(|| format!("{api} has versions {ever}, not {text}"))
}

fn layout(text: &str) -> Result<Command, String> {
    if text.is_empty() {
        return Ok(Command::Show(View::Apis));
    }
    let mut words = text.split([':', ' ']).filter(|word| !word.is_empty());
    let api = api(words.next().unwrap_or_default())?;
    let version = version(api, words.next())?;
    Ok(Command::Show(View::Layout(api, version)))
}

fn diff(text: &str) -> Result<Command, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [name, from, to] = words.as_slice() else {
        return Err("expected an API and two versions, as diff Fetch 12 13".to_owned());
    };
    let api = api(name)?;
    Ok(Command::Show(View::Diff(
        api,
        version(api, Some(from))?,
        version(api, Some(to))?,
    )))
}

pub(super) fn offset(text: &str) -> Result<usize, String> {
    let number = match text.strip_prefix("0x") {
        Some(digits) => usize::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number.map_err(|_| format!("{text}: no offset; expected as 18 or 0x12"))
}

fn time_of_day(text: &str) -> Result<i64, String> {
    let wrong = || format!("{text}: no time of day; expected as 10:00:03 or 10:00:03.25");
    let mut parts = text.split(':');
    let (hours, minutes) = (parts.next(), parts.next());
    let whole = |part: Option<&str>, limit: i64| {
        part.and_then(|part| part.parse::<i64>().ok())
            .filter(|&number| (0..limit).contains(&number))
            .ok_or_else(wrong)
    };
    let seconds = match parts.next() {
        None => 0.0,
        Some(part) => part.parse::<f64>().map_err(|_| wrong())?,
    };
    if !(0.0..60.0).contains(&seconds) || parts.next().is_some() {
        return Err(wrong());
    }
    let minutes = whole(hours, 24)? * 60 + whole(minutes, 60)?;
    Ok(minutes * 60_000_000_000 + (seconds * 1e9) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_by_their_names_and_beginnings() {
        assert_eq!(read("12"), Ok(Command::Go(11)));
        assert_eq!(read(" stats "), Ok(Command::Show(View::Stats)));
        assert_eq!(read("conn"), Ok(Command::Show(View::Connections)));
        assert_eq!(
            read("filter api == \"Fetch\""),
            Ok(Command::Filter("api == \"Fetch\"".to_owned()))
        );
        assert_eq!(
            read("layout fetch:4"),
            Ok(Command::Show(View::Layout(ApiKey::FETCH, 4)))
        );
        assert_eq!(
            read("diff Fetch 12 v13"),
            Ok(Command::Show(View::Diff(ApiKey::FETCH, 12, 13)))
        );
        assert_eq!(read("q"), Ok(Command::Quit));
        assert_eq!(read("q!"), Ok(Command::QuitAnyway));
        assert_eq!(read("offset 0x1f"), Ok(Command::Offset(31)));
        assert_eq!(read("time 00:01:02.5"), Ok(Command::Time(62_500_000_000)));
    }

    #[test]
    fn what_is_no_command_is_said_with_what_is_expected() {
        for (line, said) in [
            ("", "no such command"),
            ("0", "exchanges count from 1"),
            ("s", "no such command"),
            ("layuot", "did you mean layout?"),
            ("layout Fetch:99", "Fetch has versions 0-18, not 99"),
            ("diff Fetch 12", "expected an API and two versions"),
            ("time 25:00", "no time of day"),
            ("error NOPE", "no Kafka error"),
            ("error UNKNOWN_TOPIC", "did you mean UNKNOWN_TOPIC_ID"),
            ("error 999", "codes go from -1 to"),
        ] {
            let result = read(line);
            assert!(
                result.as_ref().is_err_and(|text| text.contains(said)),
                "{line}: {result:?}"
            );
        }
    }

    #[test]
    fn the_table_is_in_order() {
        assert!(COMMANDS.is_sorted_by_key(|entry| entry.name));
    }
}
