//! Where an export goes: standard output, or a file that is there when it is complete.
//!
//! A file is written beside its place and put there at the end. So nobody finds half of one, and an
//! input may be named as its own output: what is read stays what it was.

use std::{
    fs::File,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use anyhow::Context;
use tempfile::NamedTempFile;

use crate::cli::output::Output;

/// A place for bytes.
pub(super) enum Target<'o> {
    Standard(&'o mut Output),
    File {
        out: BufWriter<NamedTempFile>,
        path: PathBuf,
    },
    /// A device or pipe with a name, which cannot be replaced.
    Device(BufWriter<File>),
}

impl Target<'_> {
    /// A file at `path`.
    ///
    /// # Errors
    /// A folder that is not there or cannot be written to.
    pub(super) fn file(path: &Path) -> anyhow::Result<Target<'static>> {
        let cannot = || format!("cannot write {}", path.display());
        // A link is followed, so that what it points to is replaced and not the link.
        let path = &path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if path.exists() && !path.is_file() {
            let file = File::options().write(true).open(path);
            return Ok(Target::Device(BufWriter::new(file.with_context(cannot)?)));
        }
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        // Whose error would name a file that nobody knows.
        folder.metadata().with_context(cannot)?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(".kafscope-");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // What the umask leaves of them, as for any new file.
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let out = builder.tempfile_in(folder).with_context(cannot)?;
        Ok(Target::File {
            out: BufWriter::with_capacity(1 << 16, out),
            path: path.clone(),
        })
    }

    /// Puts everything in its place.
    ///
    /// # Errors
    /// What writing returns.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        match self {
            Target::Standard(output) => Ok(output.flush()?),
            Target::Device(mut out) => Ok(out.flush()?),
            Target::File { out, path } => {
                let cannot = || format!("cannot write {}", path.display());
                let file = out.into_inner().map_err(io::IntoInnerError::into_error);
                file.with_context(cannot)?
                    .persist(&path)
                    .map_err(|failed| failed.error)
                    .with_context(cannot)?;
                Ok(())
            }
        }
    }
}

impl Write for Target<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Target::Standard(output) => output.raw().write(bytes),
            Target::File { out, .. } => out.write(bytes),
            Target::Device(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Target::Standard(output) => output.flush(),
            Target::File { out, .. } => out.flush(),
            Target::Device(out) => out.flush(),
        }
    }
}
