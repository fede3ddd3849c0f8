//! The script of all pages, a file of its own so that editors know what it is.

/// Linked selection, folding, copying. Everything can be read without it.
pub(super) const SCRIPT: &str = include_str!("script.js");
