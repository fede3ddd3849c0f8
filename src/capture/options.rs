//! Options of pcapng blocks, and what they say about a packet to people: comments and names.
//!
//! They are read again from the block when somebody asks, so packets with options cost no more than
//! those without.

use super::pcapng::{self, Section};
use super::{Capture, Format, Place};

const END: u16 = 0;
const COMMENT: u16 = 1;
const INTERFACE_NAME: u16 = 2;

/// Options that are read of one block: more are the work of somebody who wants to waste time.
const MAX_OPTIONS: usize = 1000;

/// What a capture says about a packet beside its bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotation {
    /// Comments on the packet.
    pub packet: Vec<String>,
    /// Comments on the interface that it was captured on.
    pub interface: Vec<String>,
    /// Comments on the section of the file that it is in.
    pub section: Vec<String>,
    /// Name of the interface.
    pub interface_name: Option<String>,
}

impl Capture {
    /// What is said about the packet whose block is at `header`; nothing in formats other than
    /// pcapng.
    pub fn annotation(&self, header: Place) -> Annotation {
        let mut annotation = Annotation::default();
        let Some(source) = self.source(header.file()) else {
            return annotation;
        };
        if source.format() != Format::Pcapng {
            return annotation;
        }
        let Some(section) = source.section(header.offset()) else {
            return annotation;
        };
        let block = |at: u64| section.block(source.bytes_from(at));
        annotation.section = comments(&section, block(section.at));
        let Some(packet) = block(header.offset()) else {
            return annotation;
        };
        annotation.packet = comments(&section, Some(packet));
        if let Some(at) = section
            .interface_of_packet(packet)
            .and_then(|idx| section.interface_at(idx))
        {
            let interface = block(at);
            annotation.interface = comments(&section, interface);
            annotation.interface_name = interface.and_then(|block| {
                let mut options = options(block, section.options_at(block)?, section.big_endian);
                let (_, name) = options.find(|(code, _)| *code == INTERFACE_NAME)?;
                Some(text(name))
            });
        }
        annotation
    }
}

/// The comments of a block.
pub(super) fn comments(section: &Section, block: Option<&[u8]>) -> Vec<String> {
    let Some((block, at)) = block.and_then(|block| Some((block, section.options_at(block)?)))
    else {
        return Vec::new();
    };
    options(block, at, section.big_endian)
        .filter(|(code, _)| *code == COMMENT)
        .map(|(_, value)| text(value))
        .collect()
}

/// Codes and values of the options that start at `at` in a block, up to the one that ends them, or
/// to the end where there is none, or to one that is longer than the block.
pub(super) fn options(
    block: &[u8],
    at: usize,
    big_endian: bool,
) -> impl Iterator<Item = (u16, &[u8])> {
    // The length stands once more behind them.
    let end = block.len().saturating_sub(4);
    let mut rest = block.get(at..end).unwrap_or_default();
    let number = move |bytes| match big_endian {
        true => u16::from_be_bytes(bytes),
        false => u16::from_le_bytes(bytes),
    };
    std::iter::from_fn(move || {
        let [a, b, c, d] = *rest.first_chunk::<4>()?;
        let (code, len) = (number([a, b]), usize::from(number([c, d])));
        let value = rest.get(4..4 + len)?;
        rest = rest.get(4 + len.next_multiple_of(4)..).unwrap_or_default();
        (code != END).then_some((code, value))
    })
    .take(MAX_OPTIONS)
}

/// Names of hosts, as a name resolution block has them: each with the four or sixteen bytes of its
/// address.
pub(super) fn host_names<'a>(
    section: &Section,
    block: &'a [u8],
) -> impl Iterator<Item = (&'a [u8], String)> {
    options(block, pcapng::HEADER, section.big_endian).filter_map(|(kind, value)| {
        let len = match kind {
            1 => 4,
            2 => 16,
            _ => return None,
        };
        let (address, names) = value.split_at_checked(len)?;
        // The first of several is the one that others are aliases of.
        let name = names.split(|&byte| byte == 0).next()?;
        (!name.is_empty()).then(|| (address, text(name)))
    })
}

fn text(bytes: &[u8]) -> String {
    // Some writers count the zero behind the text.
    let bytes = bytes.strip_suffix(&[0]).unwrap_or(bytes);
    String::from_utf8_lossy(bytes).into_owned()
}
