//! Kafka traffic of a given size, made up and always the same.

use std::{
    collections::{HashMap, hash_map::Entry},
    fs::{self, File},
    io::{BufWriter, Write},
    path::Path,
};

use etherparse::PacketBuilder;
use kafscope::{
    encode::{body, request_frame, response_frame},
    schema::{ApiKey, Catalogue, Direction},
};
use serde_json::{Value, json};

/// Bytes of TCP payload in a packet, as on an Ethernet.
const SEGMENT: usize = 1448;

/// What the clients do.
#[derive(Clone, Copy, Debug)]
pub enum Workload {
    /// Ten clients that send heartbeats, commits and small produces.
    SmallRequests,
    /// Ten consumers that fetch half a megabyte at a time.
    LargeFetches,
    /// Five thousand clients that take turns.
    ManyConnections,
}

impl Workload {
    pub const ALL: [Workload; 3] = [
        Workload::SmallRequests,
        Workload::LargeFetches,
        Workload::ManyConnections,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Workload::SmallRequests => "small-requests",
            Workload::LargeFetches => "large-fetches",
            Workload::ManyConnections => "many-connections",
        }
    }

    /// A capture of about `size` bytes that is called by its `megabytes`: written to `target/bench`
    /// unless it is there.
    pub fn file(self, megabytes: u64, size: u64) -> String {
        let file = format!("target/bench/{}-{megabytes}.pcap", self.name());
        if !Path::new(&file).exists() {
            fs::create_dir_all("target/bench").unwrap();
            self.write(&file, size);
            // Else it would still be on its way to the disk while it is read.
            File::open(&file).unwrap().sync_all().unwrap();
        }
        file
    }

    fn write(self, file: &str, size: u64) {
        let connections = match self {
            Workload::ManyConnections => 5_000,
            _ => 10,
        };
        let exchanges = self.exchanges();
        let mut capture = Capture::create(file);
        let mut turn = 0_usize;
        while capture.written < size {
            let connection = turn % connections;
            let exchange = &exchanges[(turn / connections) % exchanges.len()];
            let id = (turn / connections) as i32;
            capture.send(connection, Direction::Request, &exchange.request(id));
            capture.send(connection, Direction::Response, &exchange.response(id));
            turn += 1;
        }
    }

    fn exchanges(self) -> Vec<Exchange> {
        match self {
            Workload::LargeFetches => vec![fetch(512 << 10)],
            _ => vec![heartbeat(), commit(), produce(), fetch(600)],
        }
    }
}

/// A request and its response, encoded once.
struct Exchange {
    api: ApiKey,
    version: i16,
    request: Vec<u8>,
    response: Vec<u8>,
}

impl Exchange {
    fn new(api: &str, version: i16, request: &Value, response: &Value) -> Exchange {
        let catalogue = Catalogue::current();
        let api = ApiKey::parse(api).unwrap();
        let encode = |direction, json| {
            body(catalogue.api_plan(api, direction, version).unwrap(), json).unwrap()
        };
        Exchange {
            api,
            version,
            request: encode(Direction::Request, request),
            response: encode(Direction::Response, response),
        }
    }

    fn request(&self, id: i32) -> Vec<u8> {
        let catalogue = Catalogue::current();
        let client = Some("consumer-orders-1");
        request_frame(catalogue, self.api, self.version, id, client, &self.request)
    }

    fn response(&self, id: i32) -> Vec<u8> {
        response_frame(
            Catalogue::current(),
            self.api,
            self.version,
            id,
            &self.response,
        )
    }
}

fn heartbeat() -> Exchange {
    let request = json!({"GroupId": "orders", "GenerationId": 7, "MemberId": "member-1"});
    Exchange::new("Heartbeat", 4, &request, &json!({"ErrorCode": 0}))
}

fn commit() -> Exchange {
    let request = json!({"GroupId": "orders", "MemberId": "member-1", "Topics": [
        {"Name": "orders", "Partitions": [{"PartitionIndex": 3, "CommittedOffset": 4711}]}]});
    let response = json!({"Topics": [
        {"Name": "orders", "Partitions": [{"PartitionIndex": 3, "ErrorCode": 27}]}]});
    Exchange::new("OffsetCommit", 8, &request, &response)
}

fn produce() -> Exchange {
    let request = json!({"Acks": -1, "TimeoutMs": 30_000, "TopicData": [
        {"Name": "orders", "PartitionData": [{"Index": 3, "Records": records(300)}]}]});
    let response = json!({"Responses": [
        {"Name": "orders", "PartitionResponses": [{"Index": 3, "BaseOffset": 4711}]}]});
    Exchange::new("Produce", 9, &request, &response)
}

fn fetch(size: usize) -> Exchange {
    let request = json!({"MaxWaitMs": 500, "MinBytes": 1, "Topics": [
        {"Topic": "orders", "Partitions": [{"Partition": 3, "FetchOffset": 4711}]}]});
    let response = json!({"Responses": [
        {"Topic": "orders", "Partitions": [{"PartitionIndex": 3, "HighWatermark": 5000,
            "Records": records(size)}]}]});
    Exchange::new("Fetch", 12, &request, &response)
}

/// Record batches of about `size` bytes in all, each of at most 16 KiB, with records of a kilobyte
/// or, in a small set, a hundred bytes.
fn records(size: usize) -> Value {
    let each = if size < 4096 { 100 } else { 1000 };
    let record =
        |offset: usize| json!({"key": format!("{offset:016x}"), "value": value(offset, each)});
    let n_records = (size / (each + 20)).max(1);
    let per_batch = ((16 << 10) / (each + 20)).max(1);
    let batches = (0..n_records).step_by(per_batch).map(|first| {
        let records: Vec<Value> = (first..n_records.min(first + per_batch))
            .map(record)
            .collect();
        json!({"base_offset": 4711 + first, "base_timestamp": 1_793_000_000_000_i64,
            "records": records})
    });
    batches.collect()
}

/// Some bytes in hex.
fn value(seed: usize, len: usize) -> String {
    (0..len)
        .map(|at| format!("{:02x}", (at * 31 + seed) % 251))
        .collect()
}

/// A pcap file with connections between one server and many clients.
struct Capture {
    out: BufWriter<File>,
    written: u64,
    packets: u64,
    /// Next sequence number of client and server, by connection.
    next: HashMap<usize, [u32; 2]>,
}

impl Capture {
    fn create(file: &str) -> Capture {
        let mut out = BufWriter::new(File::create(file).unwrap());
        // Little-endian, microseconds, version 2.4, 256 KiB a packet, Ethernet.
        for word in [0xa1b2_c3d4_u32, 0x0004_0002, 0, 0, 0x0004_0000, 1] {
            out.write_all(&word.to_le_bytes()).unwrap();
        }
        Capture {
            out,
            written: 24,
            packets: 0,
            next: HashMap::new(),
        }
    }

    fn send(&mut self, connection: usize, direction: Direction, message: &[u8]) {
        if let Entry::Vacant(entry) = self.next.entry(connection) {
            entry.insert([1_001, 5_001]);
            self.packet(
                connection,
                Direction::Request,
                [1_000, 0],
                |tcp| tcp.syn(),
                &[],
            );
            self.packet(
                connection,
                Direction::Response,
                [1_001, 5_000],
                |tcp| tcp.syn().ack(1_001),
                &[],
            );
        }
        for segment in message.chunks(SEGMENT) {
            let [client, server] = self.next[&connection];
            let ack = match direction {
                Direction::Request => server,
                Direction::Response => client,
            };
            self.packet(
                connection,
                direction,
                [client, server],
                |tcp| tcp.ack(ack).psh(),
                segment,
            );
            let side = usize::from(direction == Direction::Response);
            let next = self.next.get_mut(&connection).unwrap();
            next[side] = next[side].wrapping_add(segment.len() as u32);
        }
    }

    fn packet(
        &mut self,
        connection: usize,
        direction: Direction,
        [client_seq, server_seq]: [u32; 2],
        flags: impl FnOnce(
            etherparse::PacketBuilderStep<etherparse::TcpHeader>,
        ) -> etherparse::PacketBuilderStep<etherparse::TcpHeader>,
        payload: &[u8],
    ) {
        let client = ([10, 0, (connection >> 8) as u8, connection as u8], 40_000);
        let server = ([10, 1, 0, 1], 9092);
        let ((from, from_port), (to, to_port), seq) = match direction {
            Direction::Request => (client, server, client_seq),
            Direction::Response => (server, client, server_seq),
        };
        let builder = PacketBuilder::ethernet2([2, 0, 0, 0, 0, 1], [2, 0, 0, 0, 0, 2])
            .ipv4(from, to, 64)
            .tcp(from_port, to_port, seq, 65_535);
        let mut packet = Vec::with_capacity(payload.len() + 64);
        flags(builder).write(&mut packet, payload).unwrap();
        let micros = 1_793_000_000_000_000 + 20 * self.packets;
        for word in [
            (micros / 1_000_000) as u32,
            (micros % 1_000_000) as u32,
            packet.len() as u32,
            packet.len() as u32,
        ] {
            self.out.write_all(&word.to_le_bytes()).unwrap();
        }
        self.out.write_all(&packet).unwrap();
        self.written += 16 + packet.len() as u64;
        self.packets += 1;
    }
}
