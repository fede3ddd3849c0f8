//! A capture indexed and looked at as `list` and `show` do.

use kafscope::{
    capture::Capture,
    render::{ExchangeJson, ExchangeRow, Head, json_message, provenance},
    schema::{Catalogue, Direction},
    session::{Digest, Options, Session},
};

/// Exchanges that are opened; more of the same would only take longer.
const OPENED: usize = 16;

pub(super) fn look(file: Vec<u8>) {
    let Ok(capture) = Capture::from_bytes(vec![file]) else {
        return;
    };
    let catalogue = Catalogue::current();
    let session = Session::new(capture, Options::default());
    session.run(&mut Digest::new(catalogue));
    let index = session.index();
    let mut opened = 0;
    for exchange in index.exchanges() {
        let row = ExchangeRow::new(&index, &exchange);
        assert!(!row.title().is_empty());
        let mut line = Vec::new();
        ExchangeJson::default().line(&mut line, &session, &index, &exchange);
        let line: serde_json::Value = serde_json::from_slice(&line).unwrap();
        assert_eq!(line["n"], exchange.n);
        if opened >= OPENED {
            continue;
        }
        opened += 1;
        for direction in [Direction::Request, Direction::Response] {
            let Some(message) = session.open_message(catalogue, &exchange, direction) else {
                continue;
            };
            let head = message
                .decoded
                .as_ref()
                .map_or(Head::SaslToken, Head::Message);
            assert!(json_message(&message.tree, &head).contains_key("value"));
            let mut text = String::new();
            provenance::text(&mut text, &session, &message.gathered).unwrap();
            assert!(!text.is_empty());
        }
    }
}
