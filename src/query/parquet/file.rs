//! A Parquet file in the making.

use std::io::{self, Write};

use parquet::{
    basic::{Compression, Encoding},
    errors::ParquetError,
    file::{properties::WriterProperties, writer::SerializedFileWriter},
    schema::types::ColumnPath,
};

use super::{columns::ParquetColumns, rows::ParquetRows};

/// Rows of a row group: enough that a reader has little to do beside reading them, and few enough to
/// be held in memory.
const ROWS: usize = 65_536;

/// Bytes of rows that make a row group earlier.
const SIZE: usize = 32 << 20;

/// Writes rows. A file is none before [`ParquetFile::finish`].
pub struct ParquetFile<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    /// Those of the next row group.
    rows: ParquetRows,
}

impl<W: Write + Send> ParquetFile<W> {
    /// Begins a file with these columns.
    ///
    /// # Errors
    /// What writing returns.
    pub fn new(out: W, columns: &ParquetColumns) -> io::Result<ParquetFile<W>> {
        let mut properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(concat!("kafscope version ", env!("CARGO_PKG_VERSION")).to_owned());
        for path in columns.rising() {
            let path = ColumnPath::new(path);
            properties = properties
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
        }
        let schema = columns.schema().map_err(failed)?;
        let writer = SerializedFileWriter::new(out, schema, properties.build().into());
        Ok(ParquetFile {
            writer: writer.map_err(failed)?,
            rows: columns.rows(),
        })
    }

    /// Appends rows, which are taken over.
    ///
    /// # Errors
    /// What writing returns.
    pub fn append(&mut self, rows: &mut ParquetRows) -> io::Result<()> {
        self.rows.append(rows);
        match self.rows.len >= ROWS || self.rows.size() >= SIZE {
            true => self.row_group().map_err(failed),
            false => Ok(()),
        }
    }

    /// Writes what is left and the end of the file.
    ///
    /// # Errors
    /// What writing returns.
    pub fn finish(mut self) -> io::Result<()> {
        if self.rows.len > 0 {
            self.row_group().map_err(failed)?;
        }
        self.writer.close().map_err(failed)?;
        Ok(())
    }

    fn row_group(&mut self) -> parquet::errors::Result<()> {
        let mut group = self.writer.next_row_group()?;
        for leaf in &mut self.rows.leaves {
            let Some(mut column) = group.next_column()? else {
                break;
            };
            leaf.write(&mut column)?;
            column.close()?;
        }
        group.close()?;
        self.rows.len = 0;
        Ok(())
    }
}

/// The error of the place that is written to, where it is one.
fn failed(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    }
}
