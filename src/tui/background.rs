//! Whether the terminal's ground is dark or light, by asking it.
//!
//! Most terminals answer; those that do not are waited for only a moment, since all answer the
//! question that is asked behind it. Afterwards nothing of the answers is left for others to read.

use std::{
    env,
    fs::OpenOptions,
    io::{self, Read, Write},
    os::unix::fs::OpenOptionsExt,
    thread,
    time::{Duration, Instant},
};

use super::Theme;

/// The colour of the ground, then what kind of terminal it is, which every terminal answers.
const QUESTION: &[u8] = b"\x1b]11;?\x07\x1b[c";

/// How long to wait for answers; a terminal at the other end of the world needs less.
const PATIENCE: Duration = Duration::from_millis(500);

/// How long to wait between two looks.
const PAUSE: Duration = Duration::from_millis(2);

/// Bytes that the answers have at most.
const LONGEST: usize = 256;

/// The theme that fits the terminal, which is raw already.
pub(super) fn theme() -> Theme {
    let term = env::var("TERM").unwrap_or_default();
    let colours = env::var_os("COLORTERM").is_some_and(|value| !value.is_empty());
    if !colours && !term.contains("256color") {
        return Theme::Sixteen;
    }
    let named = env::var("COLORFGBG").ok();
    let light = match named.as_deref().and_then(is_light_by_number) {
        Some(light) => Some(light),
        None => ask().ok().and_then(|answer| is_light(&answer)),
    };
    match light {
        Some(true) => Theme::Light,
        Some(false) => Theme::Dark,
        // The colours of its own scheme can be read on its ground, whatever that is.
        None => Theme::Sixteen,
    }
}

/// What the terminal answers, as far as it does.
fn ask() -> io::Result<Vec<u8>> {
    let nonblocking = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
    let mut terminal = OpenOptions::new()
        .read(true)
        .write(true)
        .custom_flags(nonblocking)
        .open("/dev/tty")?;
    terminal.write_all(QUESTION)?;
    let until = Instant::now() + PATIENCE;
    let mut answer = Vec::new();
    let mut byte = [0];
    while Instant::now() < until && answer.len() < LONGEST && !is_complete(&answer) {
        match terminal.read(&mut byte) {
            Ok(1) => answer.extend(byte),
            Ok(_) => break,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => thread::sleep(PAUSE),
            Err(error) => return Err(error),
        }
    }
    Ok(answer)
}

/// Whether the answer to the second question is there: `ESC [ ? ... c`.
fn is_complete(answer: &[u8]) -> bool {
    let start = answer.windows(3).position(|three| three == b"\x1b[?");
    start
        .and_then(|start| answer.get(start..))
        .is_some_and(|rest| rest.contains(&b'c'))
}

/// Whether the colour of an answer such as `ESC ] 11 ; rgb:ffff/ffff/ffff` is a light one.
fn is_light(answer: &[u8]) -> Option<bool> {
    let text = String::from_utf8_lossy(answer);
    let (_, colour) = text.split_once("]11;rgb:")?;
    let end = colour.find(['\x07', '\x1b']).unwrap_or(colour.len());
    let mut parts = colour.get(..end)?.split('/').map(|digits| {
        let most = 16_u32
            .checked_pow(u32::try_from(digits.len()).ok()?)?
            .checked_sub(1)?;
        let value = u32::from_str_radix(digits, 16).ok()?;
        (most > 0).then(|| f64::from(value) / f64::from(most))
    });
    let [red, green, blue] = [parts.next()??, parts.next()??, parts.next()??];
    Some(0.299 * red + 0.587 * green + 0.114 * blue > 0.5)
}

/// The same by the variable that some terminals set: `15;0`, ink and ground of the 16 colours.
fn is_light_by_number(value: &str) -> Option<bool> {
    let ground: u8 = value.rsplit(';').next()?.parse().ok()?;
    Some(matches!(ground, 7 | 9..=15))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_say_how_light_the_ground_is() {
        let white = b"\x1b]11;rgb:ffff/ffff/ffff\x07\x1b[?62;c";
        assert!(is_complete(white));
        assert_eq!(is_light(white), Some(true));
        let dark = b"\x1b]11;rgb:1e/1e/2e\x1b\\\x1b[?1;2c";
        assert_eq!(is_light(dark), Some(false));
        assert_eq!(is_light(b"\x1b[?1;2c"), None);
        assert_eq!(is_light(b"\x1b]11;rgb://\x07"), None);
        assert!(!is_complete(b"\x1b]11;rgb:cccc/cccc/cccc\x07"));
        assert!(!is_complete(b"\x1b[?1;2"));
    }

    #[test]
    fn the_variable_names_the_ground_last() {
        assert_eq!(is_light_by_number("15;0"), Some(false));
        assert_eq!(is_light_by_number("0;default;15"), Some(true));
        assert_eq!(is_light_by_number("default"), None);
    }
}
