//! Values of JSON as values of CEL.

use std::collections::HashMap;

use cel::common::{
    types::{CelBool, CelDouble, CelInt, CelList, CelMap, CelMapKey, CelNull, CelString, CelUInt},
    value::Val,
};
use serde_json::Value as Json;

/// The same value in CEL; whole numbers are integers.
pub(super) fn value(json: Json) -> Box<dyn Val> {
    match json {
        Json::Null => Box::new(CelNull),
        Json::Bool(value) => Box::new(CelBool::from(value)),
        Json::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(value), _) => Box::new(CelInt::from(value)),
            (None, Some(value)) => Box::new(CelUInt::from(value)),
            (None, None) => Box::new(CelDouble::from(number.as_f64().unwrap_or_default())),
        },
        Json::String(text) => Box::new(CelString::from(text)),
        Json::Array(list) => {
            let list: Vec<Box<dyn Val>> = list.into_iter().map(value).collect();
            Box::new(CelList::from(list))
        }
        Json::Object(object) => {
            let map: HashMap<CelMapKey<'static>, Box<dyn Val>> = object
                .into_iter()
                .map(|(name, member)| (CelMapKey::String(CelString::from(name)), value(member)))
                .collect();
            Box::new(CelMap::from(map))
        }
    }
}
