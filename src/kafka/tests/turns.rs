//! One correlation id for all, several requests under way, and lost bytes.

use super::*;

/// What is asked, and what is answered.
fn exchange(api: usize) -> (Vec<u8>, Vec<u8>) {
    match api {
        0 => (heartbeat(0), response(0, &[0, 0])),
        // Metadata version 1 of all topics: no broker, a controller, no topic.
        1 => {
            let nothing = b"\0\0\0\0\0\0\0\x07\0\0\0\0";
            (request(3, 1, 0, "app", &[0xff; 4]), response(0, nothing))
        }
        // FindCoordinator version 0.
        _ => {
            let broker = b"\0\0\0\0\0\x01\0\x08broker-1\0\0\x23\x84";
            (request(10, 0, 0, "app", b"\0\x01g"), response(0, broker))
        }
    }
}

/// Says which of `asked`, by their place, were paired with which of them.
fn pairs(asked: &[usize], lost_requests: &[usize], lost_responses: &[usize]) -> Vec<String> {
    let mut talk = Talk::whole();
    // Two are always under way.
    for turn in 0..=asked.len() {
        if let Some(&api) = asked.get(turn) {
            let (request, _) = exchange(api);
            match lost_requests.contains(&turn) {
                true => talk.a.lose(request.len()),
                false => talk.a.push(&request),
            }
            talk.drive();
        }
        if let Some(turn) = turn.checked_sub(1) {
            let (_, response) = exchange(asked[turn]);
            match lost_responses.contains(&turn) {
                true => talk.b.lose(response.len()),
                false => talk.b.push(&response),
            }
            talk.drive();
        }
    }
    let found = talk.end();
    let responses = found.iter().filter(|name| name.starts_with("response"));
    responses
        .map(|name| name.split(' ').skip(3).collect::<Vec<_>>().join(" "))
        .collect()
}

#[test]
fn what_differs_tells_whose_turn_it_is_behind_a_lost_response() {
    let pairs = pairs(&[0, 1, 2, 0, 1, 2], &[], &[1]);
    let expected = [
        "to 0 as 12:0",
        "to 2 as 10:0",
        "to 3 as 12:0",
        "to 4 as 3:1",
        "to 5 as 10:0",
    ];
    assert_eq!(pairs, expected);
}

#[test]
fn the_answer_to_a_lost_request_is_given_to_no_other() {
    // The third is lost, so that the tickets behind it are one less.
    let pairs = pairs(&[0, 1, 2, 0, 1, 2, 0, 1, 2], &[2], &[]);
    assert_eq!(&pairs[..2], ["to 0 as 12:0", "to 1 as 3:1"]);
    assert_eq!(pairs[2], "orphan");
    let ticket = |name: &String| name.strip_prefix("to ")?.split(' ').next()?.parse().ok();
    let tickets: Vec<Option<u32>> = pairs.iter().map(ticket).collect();
    // Until it is certain nothing is said; then all is right. An orphan is an exchange as well.
    assert!(tickets[6..].iter().all(Option::is_some), "{pairs:?}");
    for (name, api) in pairs.iter().zip(["12:0", "3:1", "10:0"].iter().cycle()) {
        assert!(name == "orphan" || name.ends_with(api), "{pairs:?}");
    }
}

#[test]
fn where_all_are_alike_nothing_is_guessed() {
    // One of two responses at least is lost, and which one nobody can say.
    let mut talk = Talk::whole();
    for _ in 0..6 {
        talk.a.push(&heartbeat(0));
    }
    talk.drive();
    let beat = response(0, &[0, 0]);
    talk.answer(&beat);
    talk.b.lose(2 * beat.len());
    talk.drive();
    talk.answer(&beat);
    talk.answer(&beat);
    let found = talk.end();
    let n_orphans = found.iter().filter(|name| name.ends_with("orphan")).count();
    assert_eq!(n_orphans, 2, "{found:?}");
}
