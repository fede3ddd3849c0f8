//! Connections in TLS that are not decrypted, as text and JSON.

use std::fmt::{self, Write};

use serde_json::{Value as Json, json};

use super::{
    Extent, Marks, bytes,
    rows::{Align, Rows},
};
use crate::{
    render::{Palette, escape_str},
    stats::Encrypted,
};

/// Writes a table of them; nothing if there is none.
pub fn encrypted_text(
    out: &mut impl Write,
    encrypted: &[Encrypted],
    palette: Palette,
    marks: Marks,
    extent: Extent,
) -> fmt::Result {
    if encrypted.is_empty() {
        return Ok(());
    }
    let bold = palette.title();
    writeln!(out, "{bold}TLS, not decrypted{bold:#}")?;
    let mut rows = Rows::new(vec![
        ("conn", Align::Right),
        ("client", Align::Left),
        ("server", Align::Left),
        ("host", Align::Left),
        ("version", Align::Left),
        ("suite", Align::Left),
        ("client B", Align::Right),
        ("server B", Align::Right),
    ]);
    let shown = extent.of(encrypted.len());
    for one in encrypted.iter().take(shown) {
        let (version, suite) = one.chosen.unzip();
        rows.push(vec![
            one.connection.to_string(),
            one.client.to_string(),
            one.server.to_string(),
            one.server_name
                .as_deref()
                .map(|name| escape_str(name).to_string())
                .unwrap_or_default(),
            version
                .map(|version| version.to_string())
                .unwrap_or_default(),
            suite.map(|suite| suite.to_string()).unwrap_or_default(),
            bytes(one.client_bytes),
            bytes(one.server_bytes),
        ]);
    }
    rows.write(out, palette)?;
    match encrypted.len() - shown {
        0 => Ok(()),
        more => writeln!(out, "  {}", marks.and_more(more)),
    }
}

/// The line of one of them.
pub fn encrypted_json(one: &Encrypted) -> Json {
    let (version, suite) = one.chosen.unzip();
    json!({
        "type": "stats",
        "by": "encrypted",
        "connection": one.connection,
        "client": one.client.to_string(),
        "server": one.server.to_string(),
        "server_name": one.server_name,
        "version": version.map(|version| version.to_string()),
        "suite": suite.map(|suite| suite.to_string()),
        "client_bytes": one.client_bytes,
        "server_bytes": one.server_bytes,
        "reason": one.refusal.map(|refusal| refusal.to_string()),
    })
}
