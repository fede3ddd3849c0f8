//! What batches and message set entries have in common: how they stand one after another, and which
//! of their claims are kept as given.

use serde_json::{Map, Value as Json};

use super::{EncodeError, Writer, batch, message, trail::Trail};
use crate::records::{Codec, compress};

/// Record batches and message set entries back to back, from an array of batches as JSON, or
/// from one alone.
pub fn records(json: &Json) -> Result<Vec<u8>, EncodeError> {
    let mut trail = Trail::new("records");
    // A piece of a log is called so in problems as well.
    trail.enter("records");
    match json {
        Json::Array(items) => batches(&mut trail, items),
        Json::Object(_) => batches(&mut trail, std::slice::from_ref(json)),
        _ => Err(trail.wrong("a batch or an array of batches", json)),
    }
}

/// The content of a `records` field.
pub(super) fn batches(trail: &mut Trail, items: &[Json]) -> Result<Vec<u8>, EncodeError> {
    let mut writer = Writer::default();
    for (idx, item) in items.iter().enumerate() {
        trail.enter_item(idx);
        let magic = match item {
            Json::Object(object) => object.get("magic"),
            _ => None,
        };
        match magic.map_or(Some(2), Json::as_i64) {
            Some(0) => message::entry(trail, item, 0, &mut writer)?,
            Some(1) => message::entry(trail, item, 1, &mut writer)?,
            Some(2) => batch::batch(trail, item, &mut writer)?,
            _ if item.get("_undecoded").is_some() => return Err(trail.undecoded()),
            _ => {
                let magic = magic.unwrap_or(&Json::Null);
                return Err(trail.wrong_member("magic", "0, 1 or 2", magic));
            }
        }
        trail.leave();
    }
    Ok(writer.into_bytes())
}

/// How the content of an entry came about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Made {
    /// It is what the values say, so that what is claimed of it can be kept.
    Exactly,
    /// It was compressed here. Other compressors give other bytes, and what is claimed of those
    /// says nothing of these.
    Compressed,
}

/// The size of an entry and its checksum, as given or as they are.
pub(super) struct Claims {
    pub size: i32,
    pub crc: u32,
}

impl Claims {
    /// What `object` claims in the member `size_name` and in `crc`. A wrong checksum of a compressed
    /// entry is known by the right one beside it, which decoding prints.
    pub(super) fn of(
        trail: &mut Trail,
        object: &Map<String, Json>,
        size_name: &str,
        made: Made,
        computed: Claims,
    ) -> Result<Claims, EncodeError> {
        let size = trail.member(object, size_name, i32::MIN.into(), i32::MAX.into())?;
        let crc = trail.member(object, "crc", 0, u32::MAX.into())?;
        let right = trail.member(object, "computed_crc", 0, u32::MAX.into())?;
        let (size, crc) = match made {
            Made::Exactly => (size, crc),
            Made::Compressed if right.is_some() && right != crc => (None, crc),
            Made::Compressed => (None, None),
        };
        Ok(Claims {
            size: size.unwrap_or(computed.size),
            crc: crc.unwrap_or(computed.crc),
        })
    }
}

/// The content compressed by `codec`, if there is one.
pub(super) fn packed(
    trail: &Trail,
    codec: Option<Codec>,
    content: Vec<u8>,
) -> Result<(Vec<u8>, Made), EncodeError> {
    let Some(codec) = codec else {
        return Ok((content, Made::Exactly));
    };
    let compressed = compress(codec, &content).map_err(|error| {
        let found = error.to_string().into();
        trail.wrong_member("records", &format!("what {codec} can compress"), &found)
    })?;
    Ok((compressed, Made::Compressed))
}
