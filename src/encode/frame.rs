//! A body with what goes in front of it: size and header.

use super::Writer;
use crate::schema::{
    ApiKey, Catalogue, Direction, request_header_version, response_header_version,
};

/// A whole request: size, header, `body`. The API must be known to the catalogue; an unknown one
/// gets header version 1.
pub fn request_frame(
    catalogue: &Catalogue,
    api: ApiKey,
    version: i16,
    correlation_id: i32,
    client_id: Option<&str>,
    body: &[u8],
) -> Vec<u8> {
    let header_version = catalogue
        .api(api, Direction::Request)
        .map_or(1, |definition| request_header_version(definition, version));
    let mut writer = Writer::default();
    writer.i16(api.0);
    writer.i16(version);
    writer.i32(correlation_id);
    if header_version >= 1 {
        match client_id {
            None => writer.i16(-1),
            Some(text) => {
                let length = text.len().min(i16::MAX as usize);
                writer.i16(length as i16);
                writer.raw(text.as_bytes().get(..length).unwrap_or_default());
            }
        }
    }
    if header_version >= 2 {
        writer.uvarint(0);
    }
    writer.raw(body);
    sized(writer)
}

/// A whole response: size, header, `body`.
pub fn response_frame(
    catalogue: &Catalogue,
    api: ApiKey,
    version: i16,
    correlation_id: i32,
    body: &[u8],
) -> Vec<u8> {
    let header_version = catalogue
        .api(api, Direction::Response)
        .map_or(0, |definition| response_header_version(definition, version));
    let mut writer = Writer::default();
    writer.i32(correlation_id);
    if header_version >= 1 {
        writer.uvarint(0);
    }
    writer.raw(body);
    sized(writer)
}

fn sized(content: Writer) -> Vec<u8> {
    let content = content.into_bytes();
    let mut writer = Writer::default();
    writer.i32(i32::try_from(content.len()).unwrap_or(i32::MAX));
    writer.raw(&content);
    writer.into_bytes()
}
