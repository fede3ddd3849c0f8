//! From a row of the statistics to the exchanges that it counts.

use crate::{
    explain::ErrorCode,
    query::{text_literal, time_literal},
    schema::ApiKey,
    session::Kind,
    stats::{Key, Row, Table},
};

/// The filter that takes the exchanges of a row; `None` where no exchange is in it, and of a partition,
/// of which each API tells in fields of its own.
pub(super) fn filter_of(table: &Table, row: &Row) -> Option<String> {
    if row.tally.exchanges == 0 {
        return None;
    }
    Some(match &row.key {
        Key::Api { key, version } => format!("{} && version == {version}", is_api(*key)),
        Key::SaslToken => format!("kind == {}", text_literal(Kind::SaslToken.name())),
        Key::Orphan => format!(
            "kind == {} && api_key == null",
            text_literal(Kind::Api.name())
        ),
        Key::Client { client_id, .. } => match client_id {
            Some(client_id) => format!("client_id == {}", text_literal(client_id)),
            // Responses alone have none either, and are no client's.
            None => "client_id == null && request != null".to_owned(),
        },
        Key::Topic(topic) => format!("{} in topics", text_literal(topic)),
        Key::Partition(..) => return None,
        Key::Connection(n) => format!("connection == {n}"),
        Key::Server(server) => format!("server == {}", text_literal(&server.to_string())),
        Key::Error { code, api } => {
            let error = text_literal(&ErrorCode(*code).to_string());
            let api = match api {
                Some(key) => is_api(*key),
                None => "api_key == null".to_owned(),
            };
            format!("{error} in errors && {api}")
        }
        Key::Time(start) => {
            let end = start.saturating_add(table.width);
            let (start, end) = (time_literal(*start), time_literal(end));
            format!("time >= {start} && time < {end}")
        }
    })
}

fn is_api(key: i16) -> String {
    match ApiKey(key).name() {
        Some(name) => format!("api == {}", text_literal(name)),
        None => format!("api_key == {key}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        query::{Filter, Selection},
        schema::Catalogue,
        session::{Digest, Input, Options, Session},
        stats::{By, Sort, stats},
    };

    #[test]
    fn a_row_leads_to_as_many_exchanges_as_it_counts() {
        for capture in ["samples/workload.pcap.zst", "samples/topics.pcap"] {
            let session = Session::open(&[Input::named(capture)], Options::default()).unwrap();
            session.run(&mut Digest::new(Catalogue::current()));
            let index = session.index();
            let counted = stats(&session, &index, &|_| true, &By::ALL, Sort::Exchanges, 40);
            for table in &counted.tables {
                for row in &table.rows {
                    let Some(filter) = filter_of(table, row) else {
                        assert!(table.by == By::Partition || row.tally.exchanges == 0);
                        continue;
                    };
                    let selection = Selection {
                        filter: Some(Filter::parse(&filter).unwrap()),
                        ..Selection::default()
                    };
                    let n = selection.numbers(&session, &index).len() as u64;
                    // One client id may stand for several versions of a library.
                    match table.by {
                        By::Client => assert!(n >= row.tally.exchanges, "{filter}"),
                        _ => assert_eq!(n, row.tally.exchanges, "{filter}"),
                    }
                }
            }
        }
    }
}
