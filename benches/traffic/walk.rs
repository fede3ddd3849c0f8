//! The least that a reader of captures can do: finding the packets with pcap-parser and the TCP
//! payload in each of them with etherparse. Measured in a process of its own.

use std::fs::File;

use etherparse::{SlicedPacket, TransportSlice};
use pcap_parser::{LegacyPcapReader, PcapBlockOwned, PcapError, traits::PcapReaderIterator};

use crate::command::{Taken, measure};

/// The argument with which this program walks a file and ends.
const WALK: &str = "walk";

/// Walks the file that the arguments name, if this is the process that is to do so.
pub fn is_walker() -> bool {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [WALK, file] = args.iter().map(String::as_str).collect::<Vec<_>>()[..] else {
        return false;
    };
    println!("{} bytes of payload", payload(file));
    true
}

/// What a bare walk over a file takes.
pub fn bare_walk(runs: usize, file: &str) -> Taken {
    let program = std::env::current_exe().unwrap();
    measure(runs, program.to_str().unwrap(), &[WALK, file])
}

/// Finds the TCP payload of each packet; returns how much it is.
fn payload(file: &str) -> usize {
    let mut reader = LegacyPcapReader::new(1 << 20, File::open(file).unwrap()).unwrap();
    let mut n_bytes = 0;
    loop {
        match reader.next() {
            Ok((used, block)) => {
                if let PcapBlockOwned::Legacy(packet) = block
                    && let Ok(packet) = SlicedPacket::from_ethernet(packet.data)
                    && let Some(TransportSlice::Tcp(tcp)) = packet.transport
                {
                    n_bytes += tcp.payload().len();
                }
                reader.consume(used);
            }
            Err(PcapError::Incomplete(_)) => reader.refill().unwrap(),
            Err(PcapError::Eof) => return n_bytes,
            Err(error) => panic!("{error}"),
        }
    }
}
