//! The style of pictures: the colours of pages, light and dark.

/// Colours by class.
pub(super) const STYLE: &str = include_str!("style.css");
