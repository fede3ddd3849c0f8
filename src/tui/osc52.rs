//! Text for the clipboard of the terminal that shows the browser, also through SSH and tmux.

use base64::{Engine, engine::general_purpose::STANDARD};

/// Bytes that can be copied: xterm takes no sequence of more than 100,000 characters, and others
/// have followed it.
pub(super) const LONGEST: usize = 74_000;

/// What stands between the browser and the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Between {
    Nothing,
    Tmux,
}

impl Between {
    /// By what is in the environment.
    pub(super) fn found() -> Between {
        match std::env::var_os("TMUX") {
            Some(value) if !value.is_empty() => Between::Tmux,
            _ => Between::Nothing,
        }
    }
}

/// What to write to the terminal so that `text` is in its clipboard.
pub(super) fn sequence(text: &str, between: Between) -> String {
    let set = format!("\x1b]52;c;{}\x07", STANDARD.encode(text));
    match between {
        Between::Nothing => set,
        // Depending on its settings, tmux takes it for itself and the terminal, or lets it through
        // when it is wrapped. Done twice, it is the same text twice.
        Between::Tmux => format!("{set}\x1bPtmux;\x1b{set}\x1b\\"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_byte_of_the_text_is_seen_by_the_terminal() {
        assert_eq!(
            sequence("\x07key", Between::Nothing),
            "\x1b]52;c;B2tleQ==\x07"
        );
        assert_eq!(
            sequence("key", Between::Tmux),
            "\x1b]52;c;a2V5\x07\x1bPtmux;\x1b\x1b]52;c;a2V5\x07\x1b\\"
        );
    }
}
