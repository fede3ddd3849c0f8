//! Bytes that were changed: asked about before they are lost, kept when they were pasted, and read as
//! something else from the cursor on.

use kafscope::{
    schema::Catalogue,
    tui::{Bare, Effect, Exchanges, Live, Msg},
};

use crate::{browsing::capture, screens::Session};

const PASTE: &str = "00000014 0012 0003 00000007 0001 61 00 0561626364 0431323300";

fn paste(session: &mut Session<impl Exchanges>, text: &str) {
    let effect = session.app.update(Msg::Paste(text.to_owned()));
    session.carry(effect);
}

#[test]
fn leaving_with_changed_bytes_asks_once() {
    let mut session = Session::on(Live::new(capture(), Catalogue::current()), 100, 30);
    session.press("<enter> c 0 1 <esc> n");
    assert_eq!(session.press("q"), Effect::None);
    let screen = session.screen(100, 30);
    assert!(screen.contains("bytes were changed"), "{screen}");
    insta::assert_snapshot!("leaving_100x30", screen);
    // Nothing but an answer counts.
    assert_eq!(session.press("q"), Effect::None);
    assert_eq!(session.press("n"), Effect::None);
    assert!(!session.screen(100, 30).contains("bytes were changed"));
    assert_eq!(session.enter(":", "q"), Effect::None);
    assert_eq!(session.press("y"), Effect::Quit);
    assert_eq!(session.enter(":", "q!"), Effect::Quit);
    // What was taken back is not lost.
    session.press("p u u");
    assert_eq!(session.press("q"), Effect::Quit);
}

#[test]
fn what_was_changed_in_a_paste_is_there_when_it_comes_back() {
    let mut session = Session::on(Live::new(capture(), Catalogue::current()), 160, 50);
    assert_eq!(session.press("V"), Effect::None);
    assert!(session.screen(160, 50).contains("nothing was pasted"));
    paste(&mut session, PASTE);
    session.press("g j j j j j c <right> 0 2 <esc> <esc> <esc>");
    assert!(!session.screen(160, 50).contains("pasted message"));
    // Another one beside it.
    paste(&mut session, PASTE);
    assert!(session.screen(160, 50).contains("pasted message 2 of 2"));
    assert!(!session.screen(160, 50).contains(", edited"));
    session.press("r");
    let screen = session.screen(160, 50);
    assert!(screen.contains("pasted message 1 of 2"), "{screen}");
    assert!(screen.contains(", edited"), "{screen}");
    session.press("<esc> <esc> V");
    let screen = session.screen(160, 50);
    assert!(screen.contains("ApiVersionsRequest message v2"), "{screen}");
    assert!(screen.contains(", edited"), "{screen}");
    session.press("<esc> <esc>");
    assert_eq!(session.press("q"), Effect::None);
    assert_eq!(session.press("y"), Effect::Quit);
}

#[test]
fn a_structure_is_read_from_the_cursor_on() {
    let mut session = Session::on(Bare, 160, 50);
    paste(&mut session, PASTE);
    // It opens at its size, which is wrong; the body starts behind the header.
    assert!(session.screen(160, 50).contains("error: size is 20"));
    session.enter(":", "offset 0x10");
    session.enter(":", "as ApiVersionsRequest:3");
    let screen = session.screen(160, 50);
    assert!(screen.contains("before"), "{screen}");
    assert!(screen.contains("ClientSoftwareVersion"), "{screen}");
    assert!(!screen.contains("left over"), "{screen}");
    insta::assert_snapshot!("structure_160x50", screen);
    // The places are those of the message.
    assert!(screen.contains("[0x0010, 5B]"), "{screen}");
    session.enter(":", "as ApiVersionsRequest:3@0x1000");
    assert!(
        session
            .screen(160, 50)
            .contains("the message ends before byte 4096")
    );
    session.press("<esc>");
    session.enter(":", "as captured");
    assert!(!session.screen(160, 50).contains("before"));
}
