//! Both directions of a connection in TLS in pieces, with holes between them, and a key log in front.
//!
//! Two bytes say how long the key log is. Then, again and again: a byte that says who sends and
//! whether the bytes are missing, two for their number.

use kafscope::tls::{Event, KeyLog, Output, Peer, Tls};

pub(super) fn run(data: &[u8]) {
    let Some((&[high, low], rest)) = data.split_first_chunk::<2>() else {
        return;
    };
    let len = usize::from(u16::from_be_bytes([high, low])).min(rest.len());
    let (text, mut rest) = rest.split_at(len);
    let mut keys = KeyLog::new();
    keys.extend(text);
    keys.end();
    let mut tls = Tls::new();
    let mut output = Output::default();
    // How far each direction is, and the end of the last record that was told of it.
    let mut ends = [0u64; 2];
    let mut told = [0u64; 2];
    while let Some((&[what, high, low], behind)) = rest.split_first_chunk::<3>() {
        let from = match what & 1 {
            0 => Peer::Client,
            _ => Peer::Server,
        };
        let len = usize::from(u16::from_be_bytes([high, low]));
        output.clear();
        if what & 2 == 0 {
            let (bytes, behind) = behind.split_at(len.min(behind.len()));
            tls.push(from, bytes, &keys, &mut output);
            ends[from as usize] += bytes.len() as u64;
            rest = behind;
        } else {
            tls.lost(from, len as u64, &keys, &mut output);
            ends[from as usize] += len as u64;
            rest = behind;
        }
        assert!(tls.at(from) <= ends[from as usize]);
        for event in &output.events {
            if let Event::Data {
                from,
                record,
                plain,
            } = event
            {
                let from = *from as usize;
                assert!(told[from] <= record.start && record.end <= ends[from]);
                assert!(!plain.is_empty() && plain.end <= output.plain.len());
                assert!((plain.len() as u64) < record.end - record.start);
                told[from] = record.end;
            }
        }
    }
    let _ = tls.refusal().map(|refusal| refusal.to_string());
}
