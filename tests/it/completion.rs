//! What Tab offers while a filter is typed: what occurs in the capture, of the type that fits.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use kafscope::tui::Msg;

use crate::browsing::browser;

/// What a filter becomes by one Tab, and how many offers there were.
fn completed(filter: &str) -> (String, usize) {
    let mut browser = browser();
    browser.press("f");
    for c in filter.chars() {
        let event = KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE);
        browser.send(Msg::Key(event));
    }
    browser.press("<tab>");
    let screen = browser.screen(140, 40).replace(['⟦', '⟧'], "");
    let lines: Vec<&str> = screen.lines().map(str::trim_end).collect();
    let line = lines
        .last()
        .unwrap()
        .trim_start_matches("filter: ")
        .to_owned();
    let offers = lines[lines.len() - 2].split_once(": ");
    let count = offers.and_then(|(count, _)| count.split_once(" of "));
    (line, count.map_or(0, |(_, n)| n.parse().unwrap_or(0)))
}

#[test]
fn offers_occur_in_the_capture() {
    assert_eq!(completed("api == \"Jo").0, "api == \"JoinGroup\"");
    assert_eq!(
        completed("client_id == \"ck-lo").0,
        "client_id == \"ck-longpoll\""
    );
    assert_eq!(
        completed("topics.exists(t, t == \"no-").0,
        "topics.exists(t, t == \"no-such-topic-ck\""
    );
    assert_eq!(completed("\"TOPIC_A").0, "\"TOPIC_ALREADY_EXISTS\"");
    assert_eq!(
        completed("error == \"MEM").0,
        "error == \"MEMBER_ID_REQUIRED\""
    );
    // Without the quote in front.
    assert_eq!(completed("api == Find").0, "api == \"FindCoordinator\"");
    // One that does not occur is offered where it could.
    assert_eq!(completed("api == \"deletet").0, "api == \"DeleteTopics\"");
}

#[test]
fn offers_have_the_type_of_what_they_are_compared_with() {
    let (line, n) = completed("api_key == \"Jo");
    assert_eq!((line.as_str(), n), ("api_key == \"Jo", 0));
    assert_eq!(
        completed("records > 1 && api_key == 1").0,
        "records > 1 && api_key == 18"
    );
    assert_eq!(completed("latency_ms > \"").1, 0);
    assert_eq!(completed("status == \"answ").0, "status == \"answered\"");
}

#[test]
fn commands_are_completed_with_what_they_take() {
    let mut browser = browser();
    for (typed, whole) in [
        ("theme li", ":theme light"),
        ("as DeleteTop", ":as DeleteTopics"),
        ("as DeleteTopics 6 resp", ":as DeleteTopics 6 response"),
        ("layout DeleteTopics:", ":layout DeleteTopics:6"),
        ("diff DeleteTopics 5 ", ":diff DeleteTopics 5 6"),
    ] {
        browser.press(":");
        for c in typed.chars() {
            let event = KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE);
            browser.send(Msg::Key(event));
        }
        browser.press("<tab>");
        let screen = browser.screen(140, 40).replace(['⟦', '⟧'], "");
        assert_eq!(screen.lines().last().unwrap().trim_end(), whole);
        browser.press("<esc>");
    }
}

#[test]
fn fields_of_the_open_message_are_offered_and_no_offer_is_said() {
    let mut browser = browser();
    browser.press(": p a t h <space> r e q u e s t h <tab>");
    let line = |browser: &crate::screens::Session<_>| {
        let screen = browser.screen(140, 40).replace(['⟦', '⟧'], "");
        screen.lines().last().unwrap().trim_end().to_owned()
    };
    assert_eq!(line(&browser), ":path RequestHeader");
    browser.press("<tab>");
    assert_eq!(line(&browser), ":path RequestHeader.request_api_key");
    browser.press("<enter>");
    assert!(browser.shows("RequestHeader.request_api_key"));
    browser.press(": p a t h <space> z z <tab>");
    assert!(browser.shows("Tab has nothing to offer here"));
    browser.press("q");
    assert!(!browser.shows("Tab has nothing to offer here"));
}

#[test]
fn files_are_offered_while_a_name_is_typed() {
    let mut browser = browser();
    browser.press(": s a v e <space> s a m p l e s / b r o k e r <tab>");
    assert!(
        browser.shows(":save samples/broker-log.txt"),
        "{}",
        browser.screen(140, 40)
    );
    browser.press("<esc> <enter> w <ctrl-u> s a m <tab>");
    assert!(
        browser.shows("save as: samples/"),
        "{}",
        browser.screen(140, 40)
    );
}
