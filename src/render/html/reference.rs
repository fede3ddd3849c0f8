//! The style and the script of a reference's pages, files of their own so that editors know what they
//! are.

/// Navigation, tables, diagrams, comparisons; stands behind the style of all pages.
pub(super) const STYLE: &str = include_str!("reference.css");

/// A box that filters lists, the key `/`. Everything can be read without it.
pub(super) const SCRIPT: &str = include_str!("reference.js");
