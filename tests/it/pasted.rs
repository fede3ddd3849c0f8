//! Several messages that were pasted: their list, the way through them, a search in them.

use crate::{browsing::capture, screens::Session};
use kafscope::{
    schema::Catalogue,
    tui::{Bare, Effect, Exchanges, Live, Msg, Work},
};
use ratatui::crossterm::event::KeyCode;

/// DeleteTopics 6 of topic "orders", and a Heartbeat 0 with a size that is wrong.
const TWO: &str = "
0000002a 0014 0006 00000005 0001 61 00
02 07 6f7264657273 00000000000000000000000000000000 00 00007530 00

00000016 000c 0000 00000006 0001 62 0001 67 00000001 0001 6d
";

fn pasted<E: Exchanges>(exchanges: E) -> Session<E> {
    let mut session = Session::on(exchanges, 80, 24);
    session.send(Msg::Paste(TWO.to_owned()));
    session
}

fn lines<E: Exchanges>(session: &Session<E>) -> Vec<String> {
    let screen = session.screen(80, 24).replace(['⟦', '⟧'], "");
    screen
        .lines()
        .map(|line| line.trim_end().to_owned())
        .collect()
}

fn heading<E: Exchanges>(session: &Session<E>) -> String {
    lines(session)[0].trim_start_matches(['▌', ' ']).to_owned()
}

#[test]
fn they_are_listed_and_the_list_is_walked() {
    let mut session = pasted(Bare);
    let screen = lines(&session);
    assert_eq!(heading(&session), "pasted message 1 of 2");
    assert!(
        screen[2].starts_with("1  DeleteTopicsRequest v6"),
        "{screen:#?}"
    );
    assert!(
        screen[3].starts_with("2  HeartbeatRequest v0"),
        "{screen:#?}"
    );
    assert!(screen[3].contains("size is 22"), "{screen:#?}");
    let footer = screen.last().unwrap();
    assert!(footer.contains("n/p message"), "{footer}");
    assert!(footer.ends_with("2 messages"), "{footer}");
    assert!(!footer.contains("exchange"), "{footer}");
    // The keys of the footer keep the focus.
    session.press("n");
    assert_eq!(heading(&session), "pasted message 2 of 2");
    assert!(
        lines(&session)
            .iter()
            .any(|line| line.starts_with("▌pasted: Heartbeat"))
    );
    session.press("n");
    assert_eq!(heading(&session), "pasted message 2 of 2");
    session.press("p");
    assert_eq!(heading(&session), "pasted message 1 of 2");
    // In the list rows are moved through, and what is wrong is gone to.
    session.press("<esc> j");
    assert_eq!(heading(&session), "pasted message 2 of 2");
    session.press("k e");
    assert_eq!(heading(&session), "pasted message 2 of 2");
    session.enter(":", "1");
    assert_eq!(heading(&session), "pasted message 1 of 2");
    session.click(4, 3);
    assert_eq!(heading(&session), "pasted message 2 of 2");
}

#[test]
fn nothing_is_left_for_an_empty_screen() {
    let mut session = pasted(Bare);
    session.press("<esc> <esc> <esc>");
    assert_eq!(heading(&session), "pasted message 1 of 2");
    assert!(
        session
            .screen(80, 24)
            .contains("there is no capture behind")
    );
    // A view is closed, not the browser.
    assert_eq!(session.press("A q"), Effect::None);
    assert_eq!(heading(&session), "pasted message 1 of 2");
    let mut session = pasted(Live::new(capture(), Catalogue::current()));
    assert!(heading(&session).ends_with("Esc goes back to the exchanges"));
    session.press("<esc>");
    assert!(
        heading(&session).ends_with("exchange 1 of 132"),
        "{}",
        heading(&session)
    );
}

#[test]
fn a_search_goes_through_all_of_them() {
    let mut session = pasted(Bare);
    session.enter("/", ".generationid");
    assert_eq!(heading(&session), "pasted message 2 of 2");
    let screen = session.screen(80, 24);
    assert!(screen.contains("1 of 1 in message 2"), "{screen}");
    session.enter("/", "orders");
    assert_eq!(heading(&session), "pasted message 1 of 2");
    assert!(session.screen(80, 24).contains("Topics[0].Name"));
    // Around the end, to the only place that there is.
    session.press(".");
    assert_eq!(heading(&session), "pasted message 1 of 2");
    session.enter("/", "nowhere");
    assert!(
        session
            .screen(80, 24)
            .contains("not found in what was pasted")
    );
}

#[test]
fn a_search_looks_through_messages_as_they_are_now_beside_the_screen() {
    let mut session = pasted(Bare);
    // The first letter of the topic.
    session.enter(":", "offset 18");
    session.press("c 6 1 <esc> n");
    assert!(lines(&session)[2].contains("edited"));
    assert!(matches!(
        session.enter("/", "arders"),
        Effect::SearchPasted(_)
    ));
    assert_eq!(heading(&session), "pasted message 1 of 2");
    let screen = session.screen(80, 24);
    assert!(screen.contains("1 of 1 in message 1"), "{screen}");
    assert!(screen.contains("\"arders\""), "{screen}");
    session.enter("/", "orders");
    let screen = session.screen(80, 24);
    assert!(screen.contains("not found in what was pasted"), "{screen}");
    // What is taken back is found again.
    session.press("u");
    session.enter("/", "orders");
    assert!(session.screen(80, 24).contains("1 of 1 in message 1"));
    // Nobody waits for a search that was left.
    let effect = session.app.update(Msg::Key(KeyCode::Char('.').into()));
    assert!(matches!(effect, Effect::SearchPasted(_)));
    let screen = session.screen(80, 24);
    assert!(screen.contains("searching, 0 messages so far"), "{screen}");
    let effect = session.app.update(Msg::Key(KeyCode::Esc.into()));
    assert_eq!(effect, Effect::Stop(Work::Looking));
}

#[test]
fn a_number_is_one_of_the_list_and_keys_for_what_is_wrong_go_through_it() {
    let mut session = pasted(Live::new(capture(), Catalogue::current()));
    session.enter(":", "2");
    assert!(heading(&session).starts_with("pasted message 2 of 2"));
    session.enter(":", "3");
    let screen = session.screen(80, 24);
    assert!(screen.contains("there is no message 3"), "{screen}");
    session.press("<esc>");
    session.enter(":", "1");
    // From the tree as from the list.
    session.press("] p");
    assert!(heading(&session).starts_with("pasted message 2 of 2"));
    session.press("p [ p");
    assert!(heading(&session).starts_with("pasted message 1 of 2"));
    assert!(session.screen(80, 24).contains("no further message"));
    session.press("<esc>");
    session.enter(":", "2");
    assert!(heading(&session).ends_with("exchange 2 of 132"));
}

#[test]
fn messages_of_a_file_are_counted_by_themselves() {
    let mut session = pasted(Bare);
    session.app.name_file("dump.txt".to_owned(), 2);
    assert_eq!(heading(&session), "dump.txt: message 1 of 2");
    session.send(Msg::Paste(TWO.to_owned()));
    assert_eq!(heading(&session), "pasted message 3 of 4");
    session.enter(":", "2");
    assert_eq!(heading(&session), "dump.txt: message 2 of 2");
}

#[test]
fn the_footer_has_the_keys_that_count_while_bytes_are_changed() {
    let mut session = pasted(Bare);
    session.press("c");
    let screen = lines(&session);
    let footer = screen.last().unwrap();
    assert!(footer.contains("Esc end"), "{footer}");
    assert!(!footer.contains("quit"), "{footer}");
    // Another size, and the row says that this is not what was pasted, and what is wrong by that.
    session.press("0 0 0 0 0 0 2 e <esc>");
    let wrong = lines(&session)[2].clone();
    let (_, problem) = wrong.split_once("edited: ").expect(&wrong);
    assert!(problem.len() > 5, "{wrong}");
    session.press("n");
    assert_eq!(lines(&session)[2], wrong);
    // That is gone to like any other problem.
    session.press("<esc> <esc> E");
    assert_eq!(heading(&session), "pasted message 1 of 2");
}

#[test]
fn without_a_capture_nothing_is_filtered() {
    let mut session = pasted(Bare);
    session.press("f");
    assert!(
        session
            .screen(80, 24)
            .contains("there is no capture whose exchanges")
    );
    // With one, a filter shows what it takes.
    let mut session = pasted(Live::new(capture(), Catalogue::current()));
    session.enter("f", "api == \"Produce\"");
    assert!(
        heading(&session).contains("of 35 of 132"),
        "{}",
        heading(&session)
    );
}
