//! The whole reference as pages that link to each other: an index, a page per API, per version of an
//! API, per pair of neighbouring versions, errors, types, structures.
//!
//! What comes in is the catalogue that the program works with; what goes out are files in a folder
//! that is new, empty or from a former run. Links are relative and lead to pages and identifiers that
//! are there, so that the folder can be read from a disk or put anywhere. Every text passes
//! [`Markup`](crate::render::Markup); names of files hold letters, digits and hyphens alone.

mod api;
mod changes;
mod diff;
mod errors;
mod folder;
mod frame;
mod hex;
mod index;
mod inside;
mod links;
mod map;
mod notation;
mod structure;
mod structures;
mod types;
mod version;

use std::{
    fmt,
    num::NonZero,
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use crate::schema::Catalogue;
use folder::Folder;
pub use folder::SiteError;
use map::{ApiEntry, SiteMap, StructureEntry};

/// What has been written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    pub n_pages: usize,
    pub n_bytes: usize,
}

/// A page that there is to be.
enum Page<'m> {
    Index,
    Errors,
    Types,
    Structures,
    Api(&'m ApiEntry),
    Version(&'m ApiEntry, i16),
    Diff(&'m ApiEntry, i16, i16),
    Structure(&'m StructureEntry),
}

/// Writes all pages into `folder`.
///
/// # Errors
/// When the folder holds what no former run has written, or cannot be written to.
pub fn write_site(folder: &Path) -> Result<Written, SiteError> {
    let map = SiteMap::new(Catalogue::current());
    let pages = pages(&map);
    let names = pages.iter().map(Page::name).collect();
    let folder = Folder::claim(folder, names)?;
    let next = AtomicUsize::new(0);
    let work = || -> Result<Written, SiteError> {
        let mut written = Written::default();
        let mut text = String::new();
        while let Some(page) = pages.get(next.fetch_add(1, Ordering::Relaxed)) {
            text.clear();
            let name = page.name();
            page.write(&mut text, &map)
                .map_err(|_| SiteError::Unwritten { page: name.clone() })?;
            folder.write(&name, &text)?;
            written.n_pages += 1;
            written.n_bytes += text.len();
        }
        Ok(written)
    };
    let n_threads = thread::available_parallelism().map_or(1, NonZero::get);
    let parts: Vec<Result<Written, SiteError>> = thread::scope(|scope| {
        let others: Vec<_> = (1..n_threads.min(THREADS))
            .map(|_| scope.spawn(work))
            .collect();
        let mut parts = vec![work()];
        parts.extend(others.into_iter().map(|other| match other.join() {
            Ok(part) => part,
            Err(panic) => std::panic::resume_unwind(panic),
        }));
        parts
    });
    let mut all = Written::default();
    for part in parts {
        let part = part?;
        all.n_pages += part.n_pages;
        all.n_bytes += part.n_bytes;
    }
    folder.finish()?;
    Ok(all)
}

/// Threads at most: it is done in a second or two, and a disk takes no more at once.
const THREADS: usize = 4;

/// All pages, those that many others are reached from first.
fn pages(map: &SiteMap) -> Vec<Page<'_>> {
    let mut pages = vec![Page::Index, Page::Errors, Page::Types, Page::Structures];
    for entry in &map.apis {
        pages.push(Page::Api(entry));
        pages.extend(entry.versions.iter().map(|n| Page::Version(entry, n)));
        pages.extend(entry.pairs().map(|(from, to)| Page::Diff(entry, from, to)));
    }
    pages.extend(map.structures.iter().map(Page::Structure));
    pages
}

impl Page<'_> {
    fn name(&self) -> String {
        match self {
            Page::Index => map::INDEX.to_owned(),
            Page::Errors => map::ERRORS.to_owned(),
            Page::Types => map::TYPES.to_owned(),
            Page::Structures => map::STRUCTURES.to_owned(),
            Page::Api(entry) => entry.page(),
            Page::Version(entry, version) => entry.version_page(*version),
            Page::Diff(entry, from, to) => entry.diff_page(*from, *to),
            Page::Structure(entry) => entry.page(),
        }
    }

    fn write(&self, out: &mut String, map: &SiteMap) -> fmt::Result {
        match self {
            Page::Index => index::page(out, map),
            Page::Errors => errors::page(out, map),
            Page::Types => types::page(out, map),
            Page::Structures => structures::page(out, map),
            Page::Api(entry) => api::page(out, entry),
            Page::Version(entry, version) => version::page(out, map, entry, *version),
            Page::Diff(entry, from, to) => diff::page(out, entry, *from, *to),
            Page::Structure(entry) => structure::page(out, map, entry),
        }
    }
}
