//! The style of all pages, a file of its own so that editors know what it is.

/// Light and dark, wide and narrow, screen and paper.
pub(super) const STYLE: &str = include_str!("style.css");
