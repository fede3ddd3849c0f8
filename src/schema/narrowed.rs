//! A definition as one version sees it: its JSON without what other versions have.

use serde_json::{Map, Value as Json};

use super::{Versions, load::parse};

/// The definition in `text`, which was found in `file`, narrowed to `version`: fields of other
/// versions are gone, and all versions that are left are this one. `None` if it is no JSON object.
pub fn narrowed(file: &str, text: &str, version: i16) -> Option<Json> {
    let Ok(Json::Object(mut definition)) = parse(file, text) else {
        return None;
    };
    let only = || Json::from(version.to_string());
    definition.insert("validVersions".into(), only());
    definition.shift_remove("allVersions");
    if definition.contains_key("flexibleVersions") {
        let flexible = match holds(&definition, "flexibleVersions", version) {
            true => only(),
            false => "none".into(),
        };
        definition.insert("flexibleVersions".into(), flexible);
    }
    for list in ["fields", "commonStructs"] {
        narrow_list(&mut definition, list, version);
    }
    Some(definition.into())
}

fn narrow_list(object: &mut Map<String, Json>, list: &str, version: i16) {
    let Some(Json::Array(items)) = object.get_mut(list) else {
        return;
    };
    items.retain_mut(|item| match item {
        Json::Object(item) => narrow(item, version),
        _ => false,
    });
}

/// Narrows a field or struct; `false` when the version does not have it.
fn narrow(object: &mut Map<String, Json>, version: i16) -> bool {
    let own = match object.contains_key("versions") {
        true => "versions",
        false => "taggedVersions",
    };
    if !holds(object, own, version) {
        return false;
    }
    if !holds(object, "taggedVersions", version) {
        object.shift_remove("tag");
    }
    for key in ["versions", "nullableVersions", "taggedVersions"] {
        if holds(object, key, version) {
            object.insert(key.into(), version.to_string().into());
        } else {
            object.shift_remove(key);
        }
    }
    // That of a field stands against that of the message, so that "none" says something.
    if object.contains_key("flexibleVersions") {
        let flexible = match holds(object, "flexibleVersions", version) {
            true => version.to_string(),
            false => "none".to_owned(),
        };
        object.insert("flexibleVersions".into(), flexible.into());
    }
    narrow_list(object, "fields", version);
    true
}

fn holds(object: &Map<String, Json>, key: &str, version: i16) -> bool {
    object
        .get(key)
        .and_then(Json::as_str)
        .and_then(Versions::parse)
        .is_some_and(|versions| versions.contains(version))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Catalogue, load};

    #[test]
    fn a_narrowed_definition_is_one_and_has_the_fields_of_the_version() {
        fn names(fields: &[crate::schema::Field], version: i16, all: &mut Vec<String>) {
            for field in fields
                .iter()
                .filter(|field| field.versions.contains(version))
            {
                let is_null = field.nullable.contains(version);
                let tag = field
                    .tagged
                    .filter(|(versions, _)| versions.contains(version));
                let tag = tag.map(|(_, tag)| tag);
                all.push(format!("{} {is_null} {tag:?}", field.name));
                names(&field.fields, version, all);
            }
        }
        let catalogue = Catalogue::current();
        for name in catalogue.names() {
            let definition = catalogue.definition(name).unwrap().unwrap();
            for version in definition.ever.iter() {
                let json = narrowed(name, catalogue.text(name).unwrap(), version).unwrap();
                let alone = load(name, &json.to_string()).unwrap();
                assert_eq!(alone.valid.to_string(), version.to_string());
                assert_eq!(
                    alone.flexible.contains(version),
                    definition.flexible.contains(version)
                );
                let mut fields = [Vec::new(), Vec::new()];
                names(&definition.fields, version, &mut fields[0]);
                names(&alone.fields, version, &mut fields[1]);
                assert_eq!(fields[0], fields[1], "{name} {version}");
            }
        }
    }
}
