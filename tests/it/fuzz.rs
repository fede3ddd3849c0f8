//! The stable mirror of `tests/fuzz`: each of its targets over its seeds and simple changes of them.
//! With `FUZZ_CORPUS=FOLDER`, the seeds are written there for the fuzzer.

use std::{env, fs, path::Path};

use kafscope::{
    capture::{Capture, Step, Walk},
    encode::{request_frame, response_frame, smallest},
    schema::{ApiKey, Catalogue, Direction},
};

use crate::{
    batches::{Batch, CODECS, captured, message},
    layers,
    vectors::{unhex, vectors},
};

/// Runs of each target; a fuzzer makes as many in a fraction of a second, and this one is built
/// without what makes it fast.
const RUNS: usize = 400;

/// Bytes of a seed. Longer ones would only make the runs slow.
const LONGEST: usize = 4096;

#[test]
fn no_change_of_a_seed_breaks_a_layer() {
    for (layer, _) in layers::LAYERS {
        let seeds = seeds(layer);
        assert!(!seeds.is_empty(), "{layer} has no seeds");
        let mut dice = Dice(1);
        for n in 0..RUNS {
            // Spread over the seeds, however many there are.
            let seed = &seeds[n * seeds.len() / RUNS];
            let mut bytes = seed.clone();
            for _ in 0..n % 4 {
                dice.change(&mut bytes);
            }
            layers::run(layer, &bytes);
        }
    }
}

#[test]
fn seeds_are_written_for_the_fuzzer() {
    let Some(corpus) = env::var_os("FUZZ_CORPUS") else {
        return;
    };
    for (layer, _) in layers::LAYERS {
        let folder = Path::new(&corpus).join(layer);
        fs::create_dir_all(&folder).unwrap();
        for (n, seed) in seeds(layer).iter().enumerate() {
            fs::write(folder.join(format!("seed-{n:04}")), seed).unwrap();
        }
    }
}

/// Numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides.max(1) as u64) as usize
    }

    fn change(&mut self, bytes: &mut Vec<u8>) {
        let at = self.roll(bytes.len());
        match self.roll(6) {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, self.roll(256) as u8),
            2 if at < bytes.len() => {
                bytes.remove(at);
            }
            3 => {
                let end = at + self.roll((bytes.len() - at).min(64) + 1);
                bytes.extend_from_within(at..end);
            }
            4 => {
                for byte in bytes.iter_mut().skip(at).take(4) {
                    *byte = [0, 0x7f, 0x80, 0xff][self.roll(4)];
                }
            }
            _ => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << self.roll(8);
                }
            }
        }
    }
}

fn seeds(layer: &str) -> Vec<Vec<u8>> {
    let mut seeds = match layer {
        "wire" => wire(),
        "capture" => captures(),
        "net" => packets(),
        "flow" => flows(),
        "tls" => sessions(),
        "kafka" => talks(),
        "schema" => definitions(),
        "records" => batches()
            .iter()
            .flat_map(|batch| [0, 1, 2].map(|kind| with(&[kind], batch)))
            .collect(),
        "payload" => contents(),
        "decode" => messages(&[0, 8, 16]),
        "encode" => values(),
        "hextext" => pastes(),
        "render" => trees(),
        _ => Vec::new(),
    };
    seeds.retain(|seed| seed.len() <= LONGEST);
    seeds
}

fn with(head: &[u8], bytes: &[u8]) -> Vec<u8> {
    [head, bytes].concat()
}

fn wire() -> Vec<Vec<u8>> {
    let reads: Vec<u8> = (0..64).collect();
    let bodies = vectors().iter().step_by(50);
    bodies
        .map(|vector| with(&[64], &with(&reads, &vector.body)))
        .chain([with(&[64], &with(&reads, &[0xff; 64]))])
        .collect()
}

/// Sessions in TLS: the key log, then flight by flight, and each with a hole in the middle.
fn sessions() -> Vec<Vec<u8>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/tls-sessions.jsonl.zst");
    let lines = zstd::decode_all(fs::File::open(path).unwrap()).unwrap();
    let mut found = Vec::new();
    for line in std::str::from_utf8(&lines).unwrap().lines() {
        let session: serde_json::Value = serde_json::from_str(line).unwrap();
        let keylog: String = session["keylog"]
            .as_str()
            .unwrap()
            .split_inclusive('\n')
            .filter(|line| !line.starts_with('#') && !line.starts_with("EXPORTER"))
            .collect();
        let mut whole = with(&(keylog.len() as u16).to_be_bytes(), keylog.as_bytes());
        let mut holed = whole.clone();
        for (n, flight) in session["flights"].as_array().unwrap().iter().enumerate() {
            let from = u8::from(flight[0] == "server");
            let bytes = unhex(flight[1].as_str().unwrap());
            let len = (bytes.len() as u16).to_be_bytes();
            let piece = with(&[from, len[0], len[1]], &bytes);
            whole.extend(&piece);
            match n {
                6 => holed.extend([from | 2, len[0], len[1]]),
                _ => holed.extend(&piece),
            }
        }
        found.extend([whole, holed]);
    }
    found
}

/// The captures of the tests and samples as they are, and the start of what they hold.
fn captures() -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    for folder in ["samples", "tests/data/captures"] {
        for bytes in files(folder) {
            let Ok(capture) = Capture::from_bytes(vec![bytes.clone()]) else {
                continue;
            };
            let start = capture.size().0.min(3000) as usize;
            found.push(capture.bytes(Default::default(), start).to_vec());
            found.push(bytes);
        }
    }
    found
}

fn files(folder: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut paths: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

/// The first packets of each capture, as the target for packets has them.
fn packets() -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    for bytes in captures() {
        let capture = Capture::from_bytes(vec![bytes]).unwrap();
        let mut walk = Walk::new();
        let mut seed = Vec::new();
        while let Step::Packet(packet) = walk.next(&capture) {
            if seed.is_empty() {
                let link = layers::net::LINKS
                    .iter()
                    .position(|&link| link == packet.link.0);
                seed.push(link.unwrap_or_default() as u8);
            }
            seed.extend((packet.bytes.len() as u16).to_be_bytes());
            seed.extend(packet.bytes);
            if seed.len() > 2000 {
                break;
            }
        }
        seed.truncate(LONGEST);
        found.push(seed);
    }
    // Fragments of IPv4 and IPv6, and headers in front of headers.
    for packet in [
        "4500001c000120004006000001020304050607080000000000000000",
        "6000000000102c40000102030405060708090a0b0c0d0e0f000102030405060708090a0b0c0d0e0f\
         060000010000000100112233445566778899aabbccddeeff",
        "0000000000000000000000008100000a8100000b0800450000280000000040060000010203040506070800\
         500050000000000000000050100000000000000000",
    ] {
        let packet = unhex(packet);
        for link in 0..layers::net::LINKS.len() as u8 {
            let len = (packet.len() as u16).to_be_bytes();
            found.push(with(&[link], &with(&len, &packet)));
        }
    }
    found
}

/// Two connections: a handshake, talk in order, out of order and twice, an end.
fn flows() -> Vec<Vec<u8>> {
    let whole = [
        [0, 0, 0, 2],
        [1, 0, 0, 0x12],
        [0, 0, 16, 0x18],
        [1, 0, 20, 0x18],
        [0, 16, 16, 0x18],
        [0, 6, 20, 0x18],
        [1, 14, 20, 0x18],
        [1, 7, 20, 0x18],
        [0, 22, 0, 0x11],
        [1, 21, 0, 0x14],
    ];
    let late = [[0, 10, 30, 0x18], [0, 0, 30, 0x18], [3, 90, 200, 0x10]];
    vec![
        whole.concat(),
        late.concat(),
        [whole, whole].concat().concat(),
    ]
}

/// Requests and responses of a connection, one behind the other.
fn talks() -> Vec<Vec<u8>> {
    let catalogue = Catalogue::current();
    let mut found = Vec::new();
    for apis in ApiKey::all().collect::<Vec<_>>().chunks(4) {
        let mut talk = Vec::new();
        for (id, &api) in (1..).zip(apis) {
            let Some(plans) = plans(api) else {
                continue;
            };
            let [request, response] = plans.map(smallest);
            let [version, _] = plans.map(|plan| plan.version);
            let frame = request_frame(catalogue, api, version, id, Some("me"), &request);
            talk.extend((frame.len() as u16 & 0x3fff).to_be_bytes());
            talk.extend(frame);
            let frame = response_frame(catalogue, api, version, id, &response);
            talk.extend((frame.len() as u16 & 0x3fff | 0x8000).to_be_bytes());
            talk.extend(frame);
        }
        found.push(talk);
    }
    for text in [
        "GET / HTTP/1.1\r\n",
        "\x16\x03\x01\x02\0\x01",
        "ruok",
        "PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n",
    ] {
        let len = (text.len() as u16).to_be_bytes();
        found.push(with(&len, text.as_bytes()));
    }
    found
}

fn plans(api: ApiKey) -> Option<[&'static kafscope::schema::Plan; 2]> {
    let catalogue = Catalogue::current();
    let newest = catalogue.api(api, Direction::Request)?.newest();
    Some([
        catalogue.api_plan(api, Direction::Request, newest)?,
        catalogue.api_plan(api, Direction::Response, newest)?,
    ])
}

fn definitions() -> Vec<Vec<u8>> {
    let catalogue = Catalogue::current();
    let texts = catalogue.names().filter_map(|name| catalogue.text(name));
    texts.map(|text| text.as_bytes().to_vec()).collect()
}

/// Batches of every codec, those of real brokers, and sets of both older formats.
fn batches() -> Vec<Vec<u8>> {
    let mut found: Vec<Vec<u8>> = captured().into_iter().map(|(_, bytes)| bytes).collect();
    let headers = [("h", Some(&b"x"[..])), ("none", None)];
    let plain = Batch::new(100, 1_700_000_000_000)
        .record(0, Some(b"key"), Some(b"{\"a\": 1}"), &headers)
        .record(5, None, None, &[]);
    found.push(plain.bytes());
    for timestamp in [None, Some(1_700_000_000_000)] {
        let entry = message(5, 0, timestamp, Some(b"key"), Some(b"value"));
        found.push(entry);
    }
    for codec in CODECS {
        let batch = Batch::new(100, 1_700_000_000_000).record(0, None, Some(b"value"), &[]);
        found.push(batch.compressed(codec).bytes());
    }
    found
}

/// Content of every kind that the target for contents can be asked for.
fn contents() -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    for vector in vectors()
        .iter()
        .step_by(7)
        .chain(vectors().iter().filter(|vector| {
            vector.message.ends_with("Subscription") || vector.message.ends_with("Assignment")
        }))
    {
        let versioned = with(&vector.version.to_be_bytes(), &vector.body);
        for kind in [0, 4, 0x40, 0x81, 0xc1] {
            found.push(with(&[kind], &versioned));
        }
    }
    for token in [
        &b"\0user\0password"[..],
        b"n,,n=user,r=abc",
        b"r=abcdef,s=c2FsdA==,i=4096",
        b"c=biws,r=abcdef,p=cHJvb2Y=",
        b"v=c2ln",
        b"n,,\x01auth=Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.\x01\x01",
        b"{\"status\":\"invalid_token\"}",
        b"{\"a\": [1, 2, {\"b\": null}]}",
        b"\0\0\0\0\x01{\"a\":1}",
        &[0x0a, 4, 0x12, 2, 0x12, 0, 0x0a, 2, 0x0a, 0],
    ] {
        for kind in [7, 8, 0x40 | 7, 0x40 | 8] {
            found.push(with(&[kind], token));
        }
    }
    found
}

/// Messages as the targets for decoding have them, for each of those kinds of framing.
fn messages(kinds: &[u8]) -> Vec<Vec<u8>> {
    let catalogue = Catalogue::current();
    let mut found = Vec::new();
    for vector in vectors().iter().filter(|vector| vector.body.len() < 600) {
        let idx = catalogue
            .names()
            .position(|name| name == vector.message)
            .unwrap();
        let version = vector.version as u8 | if idx > 0xff { 0x80 } else { 0 };
        found.push(with(&[2, idx as u8, version], &vector.body));
    }
    for api in ApiKey::all() {
        let Some(plans) = plans(api) else {
            continue;
        };
        let [request, response] = plans.map(smallest);
        let version = plans[0].version;
        let request = request_frame(catalogue, api, version, 7, Some("me"), &request);
        let response = response_frame(catalogue, api, version, 7, &response);
        for kind in kinds {
            found.push(with(&[*kind, api.0 as u8, version as u8], &request));
            found.push(with(&[kind | 1, api.0 as u8, version as u8], &response));
        }
        found.push(with(&[3, api.0 as u8, version as u8], &response));
    }
    found
}

fn values() -> Vec<Vec<u8>> {
    let names: Vec<&str> = Catalogue::current().names().collect();
    let mut found = Vec::new();
    for vector in vectors() {
        let idx = names
            .iter()
            .position(|name| *name == vector.message)
            .unwrap();
        let head = [
            idx as u8,
            vector.version as u8 | if idx > 0xff { 0x80 } else { 0 },
        ];
        found.push(with(&head, vector.value.to_string().as_bytes()));
        if vector.version == 0 {
            found.push(with(&head, &vector.body));
        }
    }
    found
}

/// The texts of the samples and documents, and one message in many notations.
fn pastes() -> Vec<Vec<u8>> {
    let mut found: Vec<Vec<u8>> = ["samples", "tests/data", "tests/golden/reference"]
        .into_iter()
        .flat_map(files)
        .collect();
    let document = include_str!("../../docs/HEXTEXT.md");
    found.extend(document.split("\n\n").map(|text| text.as_bytes().to_vec()));
    let bytes: Vec<u8> = b"\0\0\0\x15\0\x12\0\x03\0\0\0\x07\0\x02me\0\x04abc\x02x\0".to_vec();
    let list = |each: &dyn Fn(&u8) -> String, separator: &str| {
        bytes.iter().map(each).collect::<Vec<_>>().join(separator)
    };
    let hex = list(&|byte| format!("{byte:02x}"), " ");
    let escaped = list(&|byte| format!("\\x{byte:02x}"), "");
    let signed = list(&|&byte| (byte as i8).to_string(), ", ");
    let decimal = list(&|byte| byte.to_string(), ", ");
    let prefixed = list(&|byte| format!("0x{byte:02x}"), ", ");
    for text in [
        format!("00000000: {hex}  ................\n"),
        format!("00000000  {hex}  |................|\n*\n00000040\n"),
        format!("0000000 {hex} >................<\n"),
        format!("\t0x0000:  {hex}  ....\n"),
        format!("2024-01-01 10:00:00 DEBUG got {hex} from 10.0.0.1:9092\n"),
        format!("b'{escaped}'"),
        format!("char peer0_0[] = {{ /* Packet 1 */\n{prefixed} }};"),
        format!("[]byte{{{decimal}}}"),
        format!("new byte[] {{{signed}}}"),
        format!("<<{decimal}, \"abc\", 1:16>>"),
        format!("<Buffer {hex}>"),
        "AAAAFQASAAMAAAAHAAJtZQAEYWJjAngA".to_owned(),
        "\"\\u0000\\u0000\\0\\025\\n\\t\\x12\" + \"more\"".to_owned(),
        "Received invalid size 1195725856 (larger than 104857600)".to_owned(),
        "00000000 00000001 01111111".to_owned(),
    ] {
        found.push(text.into_bytes());
    }
    found
}

fn trees() -> Vec<Vec<u8>> {
    let mut found: Vec<Vec<u8>> = batches()
        .iter()
        .flat_map(|batch| [0, 0x30].map(|kind| with(&[kind, 0, 0], batch)))
        .collect();
    for message in messages(&[0]) {
        let kind = match message[0] {
            0 => 1,
            1 => 2,
            _ => continue,
        };
        found.push(with(&[kind | 0x30], &message[1..]));
    }
    found
}
