//! Which name somebody meant who misspelt it.

/// The candidate that `name` is most likely a misspelling or the beginning of; `None` when all are
/// too different.
pub fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_ascii_lowercase();
    candidates
        .map(|candidate| {
            let lower = candidate.to_ascii_lowercase();
            // A beginning is what people type who do not know how it ends.
            let distance = match lower.starts_with(&name) {
                true => 1,
                false => strsim::damerau_levenshtein(&name, &lower),
            };
            (distance, candidate)
        })
        .min()
        .filter(|&(distance, _)| distance <= 2.max(name.len() / 3))
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_and_beginnings_are_recognised() {
        let names = ["Fetch", "FetchSnapshot", "Metadata"];
        let near = |name| nearest(name, names.into_iter());
        assert_eq!(near("ftech"), Some("Fetch"));
        assert_eq!(near("metad"), Some("Metadata"));
        assert_eq!(near("Produce"), None);
    }
}
