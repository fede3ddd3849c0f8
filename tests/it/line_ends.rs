//! Lines end in a line feed, in a carriage return and a line feed, and in a carriage return alone, as
//! terminals send them in a paste: a text says the same with each of them.

use std::fs;

use kafscope::{
    hextext::{Candidate, Reading, read},
    tui::{Bare, Exchanges},
};

use crate::program::kafscope;

/// A Metadata v0 request as tools print it.
const DUMPS: [(&str, &str); 5] = [
    (
        "xxd",
        "00000000: 0000 0012 0003 0000 0000 012c 0004 6465  ...........,..de\n\
         00000010: 6d6f 0000 0000                           mo....\n",
    ),
    (
        "hexdump -C",
        "00000000  00 00 00 12 00 03 00 00  00 00 01 2c 00 04 64 65  |...........,..de|\n\
         00000010  6d 6f 00 00 00 00                                 |mo....|\n\
         00000016\n",
    ),
    (
        "od -tx1z",
        "0000000 00 00 00 12 00 03 00 00 00 00 01 2c 00 04 64 65  >...........,..de<\n\
         0000020 6d 6f 00 00 00 00                                >mo....<\n\
         0000026\n",
    ),
    (
        "Wireshark",
        "0000   00 00 00 12 00 03 00 00 00 00 01 2c 00 04 64 65   ...........,..de\n\
         0010   6d 6f 00 00 00 00                                 mo....\n",
    ),
    (
        "grid",
        "00000000 | 00 00 00 12 00 03 00 00  00 00 01 2c 00 04 64 65 | .......,..de\n\
         00000010 | 6d 6f 00 00 00 00                                | mo....\n",
    ),
];

/// The text with lines that end in each of the three ways, the line feed first.
fn endings(text: &str) -> [String; 3] {
    let plain = text.replace("\r\n", "\n");
    let ended = |end| plain.replace('\n', end);
    [ended("\n"), ended("\r\n"), ended("\r")]
}

/// What people paste, each with a name.
fn pastes() -> Vec<(String, String)> {
    let mut pastes: Vec<(String, String)> = fs::read_dir("samples")
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            let extension = path.extension().and_then(|extension| extension.to_str());
            matches!(extension, Some("hex" | "txt"))
        })
        .map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            (path.display().to_string(), text)
        })
        .collect();
    assert!(pastes.len() > 6);
    pastes.extend(DUMPS.map(|(name, text)| (name.to_owned(), text.to_owned())));
    for sample in ["samples/topics.pcap", "samples/request-and-response.txt"] {
        let run = match sample.ends_with("pcap") {
            true => kafscope(&["show", sample, "1", "--only", "grid"], ""),
            false => kafscope(&["decode", sample, "--only", "grid"], ""),
        };
        assert!(run.stdout.contains('|'), "{}", run.stderr);
        pastes.push((format!("the grid of {sample}"), run.stdout));
    }
    pastes
}

fn candidates(text: &str) -> Option<Vec<Candidate>> {
    match read(text.as_bytes()) {
        Reading::Bytes(candidates) => Some(candidates),
        _ => None,
    }
}

#[test]
fn every_line_end_gives_the_same_bytes_at_the_same_places() {
    for (name, text) in pastes() {
        let [plain, both, alone] = endings(&text);
        let known = candidates(&plain);
        assert_eq!(candidates(&both), known, "{name}");
        assert_eq!(candidates(&alone), known, "{name}");
    }
    for (name, text) in DUMPS {
        let best = candidates(text).unwrap().swap_remove(0);
        assert_eq!(best.bytes().len(), 22, "{name}");
        assert_eq!(best.parts[0].places[16].line, 2, "{name}");
    }
}

#[test]
fn decode_prints_the_same_for_every_line_end() {
    for (name, text) in pastes() {
        let [plain, both, alone] = endings(&text).map(|text| {
            let run = kafscope(&["decode", "-", "--json"], text);
            (run.stdout, run.stderr)
        });
        assert_eq!(both, plain, "{name}");
        assert_eq!(alone, plain, "{name}");
        assert!(!plain.0.is_empty(), "{name}: {}", plain.1);
    }
}

#[test]
fn a_browser_opens_the_same_for_every_line_end() {
    for (name, text) in pastes() {
        let [plain, both, alone] = endings(&text).map(|text| {
            let pages = Bare.pasted(&text)?;
            Ok::<_, String>(
                pages
                    .iter()
                    .map(|page| page.tree.buffers()[0].bytes.to_vec())
                    .collect::<Vec<_>>(),
            )
        });
        assert_eq!(both, plain, "{name}");
        assert_eq!(alone, plain, "{name}");
    }
}

#[test]
fn mistakes_have_the_same_place_for_every_line_end() {
    let text = "00 00 00 12\n00 03 00 00\n00 00 000 2c\n";
    let [plain, both, alone] = endings(text).map(|text| match read(text.as_bytes()) {
        Reading::Refused(refusal) => refusal,
        other => panic!("{other:?}"),
    });
    assert_eq!(plain.place.line, 3);
    assert_eq!(both, plain);
    assert_eq!(alone, plain);
}

#[test]
fn a_printed_grid_reads_back_as_the_bytes_it_shows() {
    for sample in fs::read_dir("samples").unwrap() {
        let sample = sample.unwrap().path();
        let Some("hex") = sample.extension().and_then(|extension| extension.to_str()) else {
            continue;
        };
        let sample = sample.to_str().unwrap();
        let known = candidates(&fs::read_to_string(sample).unwrap()).unwrap();
        let grid = kafscope(&["decode", sample, "--only", "grid", "--show-secrets"], "").stdout;
        assert_eq!(
            candidates(&grid).unwrap()[0].bytes(),
            known[0].bytes(),
            "{grid}"
        );
    }
}
