//! Texts in so many columns of a terminal or of monospaced type.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// At most `width` columns of `text`; what is cut ends in `…`.
pub fn cut_to_width(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut short = String::new();
    let mut left = width.saturating_sub(1);
    for c in text.chars() {
        let Some(rest) = left.checked_sub(c.width().unwrap_or(0)) else {
            break;
        };
        left = rest;
        short.push(c);
    }
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_characters_are_not_cut_in_half() {
        assert_eq!(cut_to_width("orders", 6), "orders");
        assert_eq!(cut_to_width("orders", 4), "ord…");
        assert_eq!(cut_to_width("日本語", 4), "日…");
    }
}
