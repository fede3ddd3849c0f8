//! Message definitions: the text of one.

use kafscope::schema::load;

pub(super) fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    match load("Fuzzed.json", text) {
        Ok(definition) => {
            for field in &definition.fields {
                if let Some(name) = field.ty.struct_name() {
                    let _ = definition.struct_fields(name);
                }
            }
            let _ = definition.newest();
        }
        Err(error) => assert!(error.to_string().starts_with("Fuzzed.json: ")),
    }
}
