//! Running text in lines.

/// `text` in lines of at most `width` characters, broken at blanks; a longer word has its own line.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<(String, usize)> = Vec::new();
    for word in text.split_whitespace() {
        let chars = word.chars().count();
        match lines.last_mut() {
            Some((line, length)) if *length + 1 + chars <= width => {
                line.push(' ');
                line.push_str(word);
                *length += 1 + chars;
            }
            _ => lines.push((word.to_owned(), chars)),
        }
    }
    lines.into_iter().map(|(line, _)| line).collect()
}

#[cfg(test)]
mod tests {
    use super::wrap;

    #[test]
    fn lines_are_as_long_as_they_may_be() {
        assert_eq!(wrap("a bc  def g", 4), ["a bc", "def", "g"]);
        assert_eq!(wrap("a longer b", 3), ["a", "longer", "b"]);
        assert!(wrap(" ", 3).is_empty());
    }
}
