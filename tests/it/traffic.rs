//! A made-up conversation between clients and a broker, as a capture: who says what when.

use std::collections::{HashMap, hash_map::Entry};

use etherparse::PacketBuilder;
use kafscope::{
    encode::{body, request_frame, response_frame},
    schema::{ApiKey, Catalogue, Direction},
};
use serde_json::Value as Json;

use crate::program::{Run, kafscope};

/// Packets of connections to one server, from one client address each.
pub(crate) struct Traffic {
    file: Vec<u8>,
    /// Microseconds since 1970 at which the next packet comes.
    pub(crate) now: u64,
    /// The next sequence numbers of client and server, by connection.
    next: HashMap<u8, [u32; 2]>,
    n_requests: i32,
}

/// What a packet is for.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Sign {
    Syn,
    Data,
    Fin,
    Reset,
}

/// A request that waits for its answer.
pub(crate) struct Asked {
    connection: u8,
    api: ApiKey,
    version: i16,
    correlation_id: i32,
}

/// Noon of a day.
const START: u64 = 1_793_016_000_000_000;

impl Traffic {
    pub(crate) fn new() -> Traffic {
        let head = [0xa1b2_c3d4_u32, 0x0004_0002, 0, 0, 0x0004_0000, 1];
        Traffic {
            file: head.iter().flat_map(|word| word.to_le_bytes()).collect(),
            now: START,
            next: HashMap::new(),
            n_requests: 0,
        }
    }

    pub(crate) fn wait(&mut self, micros: u64) {
        self.now += micros;
    }

    /// A request of the client of a connection.
    pub(crate) fn ask(
        &mut self,
        connection: u8,
        client: &str,
        (api, version): (&str, i16),
        values: &Json,
    ) -> Asked {
        let catalogue = Catalogue::current();
        let api = ApiKey::parse(api).unwrap();
        let plan = catalogue.api_plan(api, Direction::Request, version);
        let values = body(plan.unwrap(), values).unwrap();
        self.n_requests += 1;
        let asked = Asked {
            connection,
            api,
            version,
            correlation_id: self.n_requests,
        };
        let id = asked.correlation_id;
        let frame = request_frame(catalogue, api, version, id, Some(client), &values);
        self.send(connection, Direction::Request, &frame);
        asked
    }

    /// The answer to a request.
    pub(crate) fn answer(&mut self, asked: &Asked, values: &Json) {
        let catalogue = Catalogue::current();
        let plan = catalogue.api_plan(asked.api, Direction::Response, asked.version);
        let values = body(plan.unwrap(), values).unwrap();
        let id = asked.correlation_id;
        let frame = response_frame(catalogue, asked.api, asked.version, id, &values);
        self.send(asked.connection, Direction::Response, &frame);
    }

    /// The answer to a request that the capture does not have.
    pub(crate) fn answer_unheard(&mut self, connection: u8, api: (&str, i16), values: &Json) {
        self.n_requests += 1;
        let asked = Asked {
            connection,
            api: ApiKey::parse(api.0).unwrap(),
            version: api.1,
            correlation_id: self.n_requests,
        };
        self.answer(&asked, values);
    }

    /// A request that is answered after a millisecond; another passes before the next.
    pub(crate) fn exchange(
        &mut self,
        connection: u8,
        client: &str,
        api: (&str, i16),
        request: &Json,
        response: &Json,
    ) {
        let asked = self.ask(connection, client, api, request);
        self.wait(1_000);
        self.answer(&asked, response);
        self.wait(1_000);
    }

    /// Bytes that the capture does not hold.
    pub(crate) fn lose(&mut self, connection: u8, direction: Direction, n: u32) {
        let side = usize::from(direction == Direction::Response);
        let next = self.next.get_mut(&connection).unwrap();
        next[side] = next[side].wrapping_add(n);
    }

    /// Any bytes of one end.
    pub(crate) fn send(&mut self, connection: u8, direction: Direction, bytes: &[u8]) {
        if let Entry::Vacant(entry) = self.next.entry(connection) {
            entry.insert([1_001, 5_001]);
            self.packet(connection, Direction::Request, [1_000, 0], Sign::Syn, &[]);
            self.packet(
                connection,
                Direction::Response,
                [1_001, 5_000],
                Sign::Syn,
                &[],
            );
        }
        for segment in bytes.chunks(1_400) {
            let next = self.next[&connection];
            self.packet(connection, direction, next, Sign::Data, segment);
            let side = usize::from(direction == Direction::Response);
            let next = self.next.get_mut(&connection).unwrap();
            next[side] = next[side].wrapping_add(segment.len() as u32);
        }
    }

    /// One end of a connection closes or aborts it.
    pub(crate) fn close(&mut self, connection: u8, direction: Direction, sign: Sign) {
        let next = self.next[&connection];
        self.packet(connection, direction, next, sign, &[]);
        if sign == Sign::Fin {
            self.lose(connection, direction, 1);
        }
    }

    fn packet(
        &mut self,
        connection: u8,
        direction: Direction,
        [client_seq, server_seq]: [u32; 2],
        sign: Sign,
        payload: &[u8],
    ) {
        let client = ([10, 0, 0, connection], 40_000 + u16::from(connection));
        let server = ([10, 0, 1, 1], 9092);
        let ((from, from_port), (to, to_port), seq, ack) = match direction {
            Direction::Request => (client, server, client_seq, server_seq),
            Direction::Response => (server, client, server_seq, client_seq),
        };
        let mut tcp = PacketBuilder::ethernet2([2; 6], [4; 6])
            .ipv4(from, to, 64)
            .tcp(from_port, to_port, seq, 65_535);
        tcp = match sign {
            Sign::Syn => tcp.syn(),
            Sign::Data => tcp,
            Sign::Fin => tcp.fin(),
            Sign::Reset => tcp.rst(),
        };
        if sign != Sign::Syn || direction == Direction::Response {
            tcp = tcp.ack(ack);
        }
        let mut packet = Vec::new();
        tcp.write(&mut packet, payload).unwrap();
        let len = packet.len() as u32;
        let time = [self.now / 1_000_000, self.now % 1_000_000];
        for word in [time[0] as u32, time[1] as u32, len, len] {
            self.file.extend(word.to_le_bytes());
        }
        self.file.extend(packet);
    }

    /// The capture file.
    pub(crate) fn file(&self) -> Vec<u8> {
        self.file.clone()
    }

    /// What the program says of the capture: standard input is the last of `args`.
    pub(crate) fn run(&self, args: &[&str]) -> Run {
        kafscope(&[args, &["-"]].concat(), &self.file)
    }

    /// The lines of JSON that the program prints of it.
    pub(crate) fn json(&self, args: &[&str]) -> Vec<Json> {
        lines(&self.run(&[args, &["--json"]].concat()))
    }
}

/// The lines of JSON that a run printed.
pub(crate) fn lines(run: &Run) -> Vec<Json> {
    assert_ne!(run.status, 2, "{}", run.stderr);
    let lines = run.stdout.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The values of a field in the lines of a type.
pub(crate) fn values<'l>(lines: &'l [Json], ty: &str, field: &str) -> Vec<&'l Json> {
    let lines = lines.iter().filter(|line| line["type"] == *ty);
    lines.map(|line| &line[field]).collect()
}
