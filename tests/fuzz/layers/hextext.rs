//! Pastes: the text of one.

use kafscope::hextext::{Reading, read};

pub(super) fn run(data: &[u8]) {
    let n_lines = 1 + data
        .iter()
        .filter(|&&byte| matches!(byte, b'\n' | b'\r'))
        .count();
    match read(data) {
        Reading::Binary(not_text) => assert!(not_text.at <= data.len()),
        Reading::Bytes(candidates) => {
            assert!(!candidates.is_empty());
            for candidate in &candidates {
                assert!(!candidate.parts.is_empty() && candidate.confidence <= 100);
                for part in &candidate.parts {
                    assert!(!part.bytes.is_empty());
                    assert_eq!(part.bytes.len(), part.places.len());
                    for place in &part.places {
                        assert!(place.line >= 1 && place.line as usize <= n_lines);
                        assert!(place.column >= 1 && place.column as usize <= data.len());
                    }
                    for hole in &part.holes {
                        assert!(hole.at <= part.bytes.len());
                    }
                    for note in &part.notes {
                        assert!(note.at <= note.end && note.end <= part.bytes.len());
                    }
                }
                // Every byte takes a character at least, so no paste grows in memory; one that
                // says that rows repeat may leave them out.
                assert!(candidate.remarks.len() <= data.len());
            }
        }
        Reading::Numbers(numbers) => assert!(!numbers.is_empty()),
        Reading::Refused(_) => {}
    }
}
