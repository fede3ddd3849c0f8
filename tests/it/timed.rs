//! Captures made for a test: requests and responses with chosen bodies and times.

use std::io::Write;

use etherparse::PacketBuilder;
use kafscope::{
    encode::{body, request_frame, response_frame},
    schema::{ApiKey, Catalogue, Direction},
    session::{Digest, Input, Options, Session},
};
use serde_json::Value as Json;

/// One connection, whose exchanges follow each other; a pcap file with times in nanoseconds.
pub(crate) struct Traffic {
    file: Vec<u8>,
    /// Nanoseconds since 1970.
    now: u64,
    sent: [u32; 2],
    correlation_id: i32,
}

impl Traffic {
    pub(crate) fn new() -> Traffic {
        let mut file = Vec::new();
        for word in [0xa1b2_3c4d_u32, 0x0004_0002, 0, 0, 0x0004_0000, 1] {
            file.extend(word.to_le_bytes());
        }
        let mut traffic = Traffic {
            file,
            now: 1_790_000_000_000_000_000,
            sent: [1000, 5000],
            correlation_id: 0,
        };
        traffic.packet(0, |tcp| tcp.syn(), &[]);
        traffic.packet(1, |tcp| tcp.syn(), &[]);
        traffic
    }

    /// A request with its response, which starts so many milliseconds later.
    pub(crate) fn exchange(
        &mut self,
        api: i16,
        version: i16,
        request: &Json,
        response: &Json,
        latency_ms: u64,
    ) {
        let (catalogue, api) = (Catalogue::current(), ApiKey(api));
        self.correlation_id += 1;
        let id = self.correlation_id;
        let plan = |direction| catalogue.api_plan(api, direction, version).unwrap();
        let request = body(plan(Direction::Request), request).unwrap();
        let response = body(plan(Direction::Response), response).unwrap();
        let request = request_frame(catalogue, api, version, id, Some("test"), &request);
        let response = response_frame(catalogue, api, version, id, &response);
        self.packet(0, |tcp| tcp, &request);
        self.now += latency_ms * 1_000_000;
        // The last byte comes a millisecond after the others.
        let (most, last) = response.split_at(response.len() - 1);
        self.packet(1, |tcp| tcp, most);
        self.now += 1_000_000;
        self.packet(1, |tcp| tcp, last);
        self.now += 1_000_000;
    }

    /// The same, and the file in two parts: up to the request, and what comes behind it.
    pub(crate) fn exchange_in_parts(
        &mut self,
        api: i16,
        version: i16,
        request: &Json,
        response: &Json,
        latency_ms: u64,
    ) -> [Vec<u8>; 2] {
        let before = self.file.len();
        self.exchange(api, version, request, response, latency_ms);
        let len = |at: usize| {
            let len = self.file.get(at + 8..at + 12).unwrap();
            16 + u32::from_le_bytes(len.try_into().unwrap()) as usize
        };
        let (first, rest) = self.file.split_at(before + len(before));
        [first.to_vec(), rest.to_vec()]
    }

    fn packet(
        &mut self,
        from: usize,
        flags: impl FnOnce(
            etherparse::PacketBuilderStep<etherparse::TcpHeader>,
        ) -> etherparse::PacketBuilderStep<etherparse::TcpHeader>,
        payload: &[u8],
    ) {
        let ports = [[40000, 9092], [9092, 40000]][from];
        let hosts = [[10, 0, 0, 1], [10, 0, 0, 2]];
        let tcp = PacketBuilder::ethernet2([2; 6], [4; 6])
            .ipv4(hosts[from], hosts[1 - from], 64)
            .tcp(ports[0], ports[1], self.sent[from], 60000)
            .ack(self.sent[1 - from]);
        let tcp = flags(tcp);
        let is_syn = payload.is_empty();
        let mut packet = Vec::new();
        tcp.write(&mut packet, payload).unwrap();
        self.sent[from] += payload.len() as u32 + u32::from(is_syn);
        let (seconds, nanos) = (self.now / 1_000_000_000, self.now % 1_000_000_000);
        let len = packet.len() as u32;
        for word in [seconds as u32, nanos as u32, len, len] {
            self.file.extend(word.to_le_bytes());
        }
        self.file.extend(packet);
    }

    /// The capture as a file, which lives as long as what is returned.
    pub(crate) fn file(&self) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::with_suffix(".pcap").unwrap();
        file.write_all(&self.file).unwrap();
        file
    }
}

/// A capture, indexed.
pub(crate) fn session(path: &std::path::Path) -> Session {
    let session = Session::open(&[Input::named(path)], Options::default()).unwrap();
    session.run(&mut Digest::new(Catalogue::current()));
    session
}
