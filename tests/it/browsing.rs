//! The browser on a real capture: filters, order, search, jumps, views, marks, pastes.

use std::sync::OnceLock;

use kafscope::{
    schema::Catalogue,
    session::{Digest, Input, Options},
    tui::{Bare, Effect, Exchanges, Live, Msg, Status, View},
};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::screens::Session;

pub(crate) fn capture() -> &'static kafscope::session::Session {
    static CAPTURE: OnceLock<kafscope::session::Session> = OnceLock::new();
    CAPTURE.get_or_init(|| {
        let capture = kafscope::session::Session::open(
            &[Input::named("samples/workload.pcap.zst")],
            Options::default(),
        )
        .unwrap();
        capture.run(&mut Digest::new(Catalogue::current()));
        capture
    })
}

pub(crate) fn browser() -> Session<Live<'static>> {
    Session::on(Live::new(capture(), Catalogue::current()), 140, 40)
}

impl Session<Live<'static>> {
    pub(crate) fn heading(&self) -> String {
        let screen = self.screen(140, 40).replace(['⟦', '⟧'], "");
        screen.lines().next().unwrap().trim().to_owned()
    }

    pub(crate) fn shows(&self, text: &str) -> bool {
        self.screen(140, 40).replace(['⟦', '⟧'], "").contains(text)
    }
}

#[test]
fn what_is_doubtful_about_a_filter_is_said() {
    let mut browser = browser();
    let doubt = "no exchange has the error UNKNOWN_TOPIC";
    browser.enter("f", r#"n < 3 || "UNKNOWN_TOPIC" in errors"#);
    assert!(browser.shows(doubt), "{}", browser.screen(140, 40));
    browser.enter("f", r#""UNKNOWN_TOPIC" in errors"#);
    assert!(browser.shows("the filter takes none"));
    assert!(browser.shows(doubt), "{}", browser.screen(140, 40));
    browser.enter("f", "n < 3");
    assert!(!browser.shows(doubt));
}

#[test]
fn a_packet_without_message_is_said_with_the_nearest_one() {
    let mut browser = browser();
    browser.enter(":", "packet 999999");
    let n_packets = capture().index().n_packets();
    let said = format!("there is no packet 999999; they go from 1 to {n_packets}");
    assert!(browser.shows(&said), "{}", browser.screen(140, 40));
    // The first one opens a connection.
    browser.enter(":", "packet 1");
    let said = "packet 1 holds no message; the nearest begins in packet 4, in exchange 1";
    assert!(browser.shows(said), "{}", browser.screen(140, 40));
    assert!(browser.heading().ends_with("exchange 1 of 132"));
    browser.enter(":", "error UNKNOWN_TOPIC");
    let screen = browser.screen(140, 40);
    assert!(screen.contains("did you mean UNKNOWN_TOPIC_ID"), "{screen}");
    // On a small screen, too, the end of a sentence is there.
    browser.send(Msg::Resize(60, 14));
    let screen = browser.screen(60, 14);
    assert!(screen.contains("UNKNOWN_TOPIC_OR_PARTITION?"), "{screen}");
    browser.press("<esc>");
    browser.enter(":", "packet 1");
    let screen = browser.screen(60, 14);
    assert!(screen.contains("in exchange 1"), "{screen}");
}

#[test]
fn a_filter_leaves_what_it_takes_and_keeps_the_selection() {
    let mut browser = browser();
    browser.press("j j j j j j j j j j j j j j j j");
    assert!(
        browser.heading().ends_with("exchange 17 of 132"),
        "{}",
        browser.heading()
    );
    browser.enter("f", r#"api == "Produce""#);
    let heading = browser.heading();
    assert!(
        heading.ends_with(r#"exchange 17, 1 of 35 of 132, filter api == "Produce""#),
        "{heading}"
    );
    browser.press("j");
    assert!(browser.heading().contains("exchange 18, 2 of 35"));
    browser.press("F");
    assert!(
        browser.heading().ends_with("exchange 18 of 132"),
        "{}",
        browser.heading()
    );
}

#[test]
fn what_is_wrong_with_a_filter_stands_under_it_and_the_line_stays() {
    let mut browser = browser();
    browser.enter("f", r#"apo == "Produce""#);
    for text in ["did you mean api?", "^^^", r#"filter: apo == "Produce""#] {
        assert!(browser.shows(text), "{text}\n{}", browser.screen(140, 40));
    }
    browser.press("<esc>");
    assert!(browser.heading().ends_with("exchange 1 of 132"));
}

#[test]
fn the_slowest_produce_comes_first_when_ordered_so() {
    let mut browser = browser();
    browser.enter("f", r#"api == "Produce""#);
    browser.enter(":", "sort -latency");
    browser.press("g");
    let heading = browser.heading();
    assert!(heading.contains("by -latency"), "{heading}");
    assert!(heading.contains("1 of 35"), "{heading}");
    let slowest = {
        let index = capture().index();
        let produce = index
            .exchanges()
            .filter(|exchange| exchange.api.is_some_and(|(key, _)| key == 0));
        produce.max_by_key(|exchange| exchange.latency()).unwrap().n
    };
    assert!(
        heading.contains(&format!("exchange {slowest},")),
        "{heading}"
    );
}

#[test]
fn earlier_lines_come_back_and_tab_completes() {
    let mut browser = browser();
    browser.enter("f", "records > 3");
    browser.press("f <ctrl-u> <up>");
    assert!(browser.shows("filter: records > 3"));
    browser.press("<ctrl-u> l a t e n c y _ m <tab>");
    assert!(
        browser.shows("filter: latency_ms"),
        "{}",
        browser.screen(140, 40)
    );
}

#[test]
fn a_search_goes_from_place_to_place_through_messages() {
    let mut browser = browser();
    browser.enter("/", "roundrobin");
    let first = browser.heading();
    assert!(browser.shows(" here, "), "{}", browser.screen(140, 40));
    browser.press(".");
    browser.press(".");
    assert_ne!(browser.heading(), first);
    browser.press(", ,");
    assert_eq!(browser.heading(), first);
    browser.enter("/", "nowhere to be found");
    assert!(browser.shows("not found"), "{}", browser.screen(140, 40));
    browser.enter("/", "0x63 6b ?? 7a 73 74 64");
    assert!(browser.shows("1 of "), "{}", browser.screen(140, 40));
    browser.enter("/", ".errorcode");
    assert!(browser.shows("ErrorCode"), "{}", browser.screen(140, 40));
}

#[test]
fn jumps_lead_to_what_is_alike_and_back() {
    let mut browser = browser();
    browser.enter(":", "17");
    assert!(browser.heading().ends_with("exchange 17 of 132"));
    browser.press("] a");
    assert!(browser.heading().ends_with("exchange 18 of 132"));
    browser.press("] a");
    assert!(browser.heading().ends_with("exchange 23 of 132"));
    browser.press("<ctrl-o>");
    assert!(
        browser.heading().ends_with("exchange 18 of 132"),
        "{}",
        browser.heading()
    );
    browser.press("<ctrl-o> <ctrl-p>");
    assert!(
        browser.heading().ends_with("exchange 18 of 132"),
        "{}",
        browser.heading()
    );
    browser.press("] e");
    assert!(
        browser.shows("error 6") || browser.shows("response"),
        "{}",
        browser.heading()
    );
    browser.enter(":", "999");
    assert!(browser.shows("there is no exchange 999; they go from 1 to 132"));
    browser.press("<esc>");
    browser.enter(":", "time 18:14:30");
    assert!(
        !browser.heading().ends_with("exchange 1 of 132"),
        "{}",
        browser.heading()
    );
}

#[test]
fn views_show_the_whole_and_their_lines_lead_back() {
    let mut browser = browser();
    for (key, texts) in [
        (
            "S",
            &["132 exchanges on 32 connections", "exchanges per"][..],
        ),
        ("C", &["32 connections", "127.0.0.1:46902"]),
        ("P", &["unexpected-response"]),
        ("U", &["group ai-group"]),
        ("N", &["remarks on the capture"]),
        ("A", &["DeleteTopics", "Deletes topics"]),
    ] {
        browser.press(key);
        for text in texts {
            assert!(browser.shows(text), "{key}: {}", browser.screen(140, 40));
        }
        browser.press("<esc>");
    }
    browser.press("P <enter>");
    assert!(
        browser.heading().ends_with("exchange 35 of 132"),
        "{}",
        browser.heading()
    );
    browser.press("C j <enter>");
    let heading = browser.heading();
    assert!(heading.contains("filter connection == 1"), "{heading}");
    // What is counted is what the filter has left.
    browser.press("S");
    assert!(
        browser.shows("of 2 filtered exchanges"),
        "{}",
        browser.screen(140, 40)
    );
}

/// A row of the statistics is a filter, of those that the statistics are about.
#[test]
fn rows_of_statistics_are_narrowed_to() {
    let mut browser = browser();
    browser.enter("f", r#"version >= 1"#);
    browser.press("S");
    assert!(!browser.shows("Enter filter by this"));
    browser.enter("/", "  Metadata");
    assert!(
        browser.shows("Enter filter by this"),
        "{}",
        browser.screen(140, 40)
    );
    browser.press("<enter>");
    let heading = browser.heading();
    let filter = r#"filter (version >= 1) && api == "Metadata" && version == "#;
    assert!(heading.contains(filter), "{heading}");
    // Back, and to another row of the same statistics.
    browser.press("<esc>");
    assert!(browser.heading().starts_with("statistics of "));
    browser.enter("/", "MEMBER_ID_REQUIRED");
    browser.press("<enter>");
    let heading = browser.heading();
    let filter = r#"(version >= 1) && "MEMBER_ID_REQUIRED" in errors && api == "#;
    assert!(heading.contains(filter), "{heading}");
}

#[test]
fn the_footer_says_what_q_does_and_ctrl_c_quits_everywhere() {
    let mut browser = browser();
    assert!(browser.shows("q quit"));
    for open in ["S", "?", "P", "y"] {
        browser.press(open);
        // Help and menu say it themselves.
        if ["S", "P"].contains(&open) {
            assert!(browser.shows("q back   Ctrl-c quit"), "{open}");
        }
        assert_eq!(browser.press("<ctrl-c>"), Effect::Quit, "{open}");
        browser.press("<esc>");
        assert!(browser.shows("q quit"), "{open}");
    }
}

#[test]
fn only_what_has_an_end_is_counted_in_hundredths() {
    let mut browser = browser();
    for (is_sized, said) in [
        (true, "  indexing 40 %, 1 exchange\n"),
        (false, "  indexing, 1 exchange\n"),
    ] {
        browser.app.update(Msg::Status(Status {
            len: 1,
            progress: 0.4,
            is_sized,
            ..Status::default()
        }));
        assert!(browser.shows(said), "{}", browser.screen(140, 40));
    }
}

#[test]
fn a_view_says_how_far_it_is_until_it_is_made() {
    let mut browser = browser();
    let key = KeyEvent::new(KeyCode::Char('S'), KeyModifiers::NONE);
    let effect = browser.app.update(Msg::Key(key));
    browser.app.update(Msg::Showing(View::Stats, 57));
    assert!(browser.shows("at exchange 57 of 132"));
    browser.carry(effect);
    assert!(!browser.shows("at exchange") && browser.shows("132 exchanges on 32 connections"));
    let live = Live::new(capture(), Catalogue::current());
    let mut numbers = Vec::new();
    live.view(&View::Stats, None, 80, &|| false, &mut |n| numbers.push(n));
    assert_eq!(numbers.last(), Some(&132));
    live.view(&View::Stats, None, 80, &|| true, &mut |n| {
        panic!("{n} though stopped")
    });
}

#[test]
fn the_help_is_gone_through_to_its_end() {
    let mut browser = browser();
    browser.press("?");
    assert!(browser.shows("everywhere") && browser.shows(" to line "));
    browser.press("G");
    assert!(browser.shows("mouse: click selects"));
    // Nothing is cut where the screen has room for it.
    assert!(browser.shows("what config.toml calls the keys"));
    browser.press("<ctrl-u>");
    assert!(!browser.shows("mouse: click selects"));
    browser.press("g");
    assert!(browser.shows("everywhere"));
}

#[test]
fn trouble_is_opened_at_what_is_wrong() {
    let mut browser = browser();
    browser.press("] e");
    let screen = browser.screen(140, 40);
    let status: Vec<&str> = screen.lines().rev().take(3).collect();
    assert!(status.concat().contains("ErrorCode"), "{screen}");
}

#[test]
fn a_step_back_closes_the_inspector_and_leads_to_the_view_before() {
    let mut browser = browser();
    browser.press("i");
    assert!(browser.shows("swapped"));
    browser.press("<esc>");
    assert!(!browser.shows("swapped"));
    browser.press("P <enter>");
    assert!(browser.heading().ends_with("exchange 35 of 132"));
    browser.press("<esc>");
    assert!(
        browser.heading().starts_with("problems"),
        "{}",
        browser.heading()
    );
    // Who has gone on is not brought back.
    browser.press("<enter> n <esc>");
    assert!(browser.heading().ends_with("exchange 36 of 132"));
}

#[test]
fn all_exchanges_come_back_in_the_order_that_was_chosen() {
    let mut browser = browser();
    browser.enter(":", "sort -latency");
    browser.enter("f", r#"api == "Produce""#);
    browser.press("j j");
    let number = |heading: String| -> String {
        let (_, behind) = heading.split_once("exchange ").unwrap();
        behind.split([',', ' ']).next().unwrap().to_owned()
    };
    let here = number(browser.heading());
    browser.press("F");
    let heading = browser.heading();
    assert!(heading.contains("of 132, by -latency"), "{heading}");
    assert_eq!(number(heading), here);
    browser.press("F");
    assert!(
        browser
            .heading()
            .ends_with(&format!("exchange {here} of 132"))
    );
}

#[test]
fn layouts_are_browsed_without_any_capture() {
    let mut browser = Session::on(Bare, 100, 30);
    let effect = browser.app.begin_with(View::Apis);
    browser.carry(effect);
    let screen = browser.screen(100, 30);
    assert!(screen.contains("Appends record batches"), "{screen}");
    browser.enter(":", "layout Fetch:17");
    let screen = browser.screen(100, 30);
    assert!(screen.contains("Fetch v17"), "{screen}");
    browser.press("p");
    assert!(browser.screen(100, 30).contains("Fetch v16"));
    browser.enter(":", "diff DeleteTopics 5 6");
    assert!(browser.screen(100, 30).contains("Topics[].TopicId"));
    browser.enter(":", "error 36");
    assert!(browser.screen(100, 30).contains("TOPIC_ALREADY_EXISTS"));
    browser.press("<esc> <esc> <esc> <esc>");
    assert_eq!(browser.press("q"), Effect::Quit);
}

#[test]
fn what_is_pasted_opens_as_a_message_and_closes_again() {
    let mut browser = browser();
    let hex =
        "00000023 0014 0006 00000000 0000 00 02 01 00000000000000000000000000000000 00 00000000 00";
    browser.send(Msg::Paste(hex.to_owned()));
    assert!(
        browser.shows("DeleteTopicsRequest"),
        "{}",
        browser.screen(140, 40)
    );
    browser.press("<esc> <esc>");
    assert!(
        browser.shows("request: ApiVersionsRequest"),
        "{}",
        browser.screen(140, 40)
    );
    browser.send(Msg::Paste("no bytes at all".to_owned()));
    assert!(!browser.shows("DeleteTopicsRequest"));
    // While a line is open, a paste goes into it.
    browser.press("f");
    browser.send(Msg::Paste("records > 1".to_owned()));
    assert!(browser.shows("filter: records > 1"));
}

#[test]
fn an_error_is_gone_to_and_explained() {
    let mut browser = browser();
    browser.enter(":", "7");
    browser.press("r <tab> e");
    assert!(
        browser.shows("Topics[0].ErrorCode"),
        "{}",
        browser.screen(140, 40)
    );
    browser.press("v");
    assert!(
        browser.shows("Nothing, if the topic is as wanted"),
        "{}",
        browser.screen(140, 40)
    );
}

#[test]
fn a_paste_is_diagnosed_and_said_to_be_one() {
    let mut browser = browser();
    let text = std::fs::read_to_string("samples/wrong-size.txt").unwrap();
    browser.send(Msg::Paste(text));
    assert!(
        browser.heading().starts_with("pasted message 1 of 1"),
        "{}",
        browser.heading()
    );
    browser.press("e");
    assert!(
        browser.shows("everything but the size fits"),
        "{}",
        browser.screen(140, 40)
    );
}

#[test]
fn marks_have_notes_and_are_gone_to() {
    let mut browser = browser();
    browser.press("j j");
    browser.press("b");
    for c in "odd".chars() {
        browser.press(&c.to_string());
    }
    assert_eq!(browser.press("<enter>"), Effect::Keep);
    assert!(browser.shows("note: odd"));
    browser.press("G [ b");
    assert!(
        browser.heading().ends_with("exchange 3 of 132"),
        "{}",
        browser.heading()
    );
    browser.enter(":", "bookmarks");
    assert!(
        browser.heading().contains("1 of 1 of 132"),
        "{}",
        browser.heading()
    );
    assert_eq!(browser.press("b"), Effect::Keep);
    assert_eq!(browser.app.bookmarks().all().count(), 0);
}

#[test]
fn columns_are_chosen_and_their_heads_order_the_list() {
    let mut browser = browser();
    browser.enter(":", "columns n,api,latency");
    let head = |browser: &Session<Live<'static>>| {
        let screen = browser.screen(140, 40).replace(['⟦', '⟧'], "");
        screen
            .lines()
            .nth(1)
            .unwrap()
            .replace('│', " ")
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(head(&browser), "n API latency");
    browser.enter(":", "columns n,apo");
    assert!(
        browser.shows("did you mean api?"),
        "{}",
        browser.screen(140, 40)
    );
    browser.press("<esc>");
    // The head of the second column, behind the numbers.
    for ending in ["1 of 132, by api", "1 of 132, by -api", " of 132"] {
        browser.click(6, 1);
        assert!(browser.heading().ends_with(ending), "{}", browser.heading());
    }
    browser.enter(":", "columns");
    assert!(head(&browser).contains("client id"));
}

#[test]
fn hits_are_counted_in_all_of_the_capture_and_marked() {
    let mut browser = browser();
    browser.enter("/", "roundrobin");
    let screen = browser.screen(140, 40).replace(['⟦', '⟧'], "");
    let said = screen
        .lines()
        .find(|line| line.contains(" here, "))
        .unwrap();
    let number = |before: &str, after: &str| -> usize {
        let rest = said.split(before).nth(1).unwrap();
        rest.split(after).next().unwrap().trim().parse().unwrap()
    };
    let (here, all) = (
        number(" of ", " here"),
        number(" here, ", " in the capture"),
    );
    assert!(here >= 1 && all > here, "{said}");
    // In the list, the tree and the grid.
    assert!(screen.matches('◆').count() > 2, "{screen}");
    insta::assert_snapshot!("hits_140x40", browser.screen(140, 40));
    // Another pattern is counted anew, and nothing is nothing.
    browser.enter("/", "nowhere to be found");
    assert!(!browser.shows("◆"), "{}", browser.screen(140, 40));
}

#[test]
fn pasted_packets_open_as_the_messages_that_they_carry() {
    let mut browser = browser();
    let text = std::fs::read_to_string("samples/tcpdump.txt").unwrap();
    browser.send(Msg::Paste(text));
    assert!(
        browser.heading().starts_with("pasted message 1 of 2"),
        "{}",
        browser.heading()
    );
    assert!(browser.shows("MetadataRequest"));
    browser.press("r");
    assert!(
        browser.heading().starts_with("pasted message 2 of 2"),
        "{}",
        browser.heading()
    );
    assert!(browser.shows("MetadataResponse"));
}

/// Of several readings of a text the one counts whose bytes are messages, as for `decode`: behind an
/// octal digit may be a character that is a decimal one.
#[test]
fn a_paste_is_read_as_what_makes_messages() {
    let text = r#""\0\0\0\26\0\f\0\0\0\0\0\1\0\28x\0\1g\0\0\0\1\0\1m""#;
    let pages = Bare.pasted(text).unwrap();
    let heartbeat = b"\0\0\0\x16\0\x0c\0\0\0\0\0\x01\0\x028x\0\x01g\0\0\0\x01\0\x01m";
    assert_eq!(pages.len(), 1);
    assert_eq!(*pages[0].tree.buffers()[0].bytes, *heartbeat);
    assert!(pages[0].tree.problems().is_empty());
}

#[test]
fn numbers_of_a_log_are_left_to_decode() {
    let mut browser = browser();
    let text = std::fs::read_to_string("samples/broker-log.txt").unwrap();
    browser.send(Msg::Paste(text));
    assert!(browser.shows("kafscope decode explains them"));
}

/// What is found often is listed with the first places, and whole one key further.
#[test]
fn all_occurrences_of_a_problem_are_reached() {
    let mut browser = browser();
    browser.press("P j j j j j j j j");
    assert!(
        browser.shows("and 12 more: Enter lists all 20"),
        "{}",
        browser.screen(140, 40)
    );
    browser.press("<enter>");
    assert!(browser.heading().starts_with("unexpected-response: all 20"));
    let listed = browser
        .screen(140, 40)
        .matches("[unexpected-response]")
        .count();
    assert_eq!(listed, 20);
    browser.press("G <enter>");
    assert!(browser.shows("response: ProduceResponse"));
    // Back through both views.
    browser.press("<esc>");
    assert!(browser.heading().starts_with("unexpected-response: all 20"));
    browser.press("<esc>");
    assert!(browser.heading().starts_with("problems: "));
}

/// A line that is cut is read whole below the view, and the first of two keys says what can follow.
#[test]
fn what_is_cut_or_half_typed_is_said_at_the_bottom() {
    let mut session = Session::on(Live::new(capture(), Catalogue::current()), 80, 24);
    session.press("P");
    let screen = session.screen(80, 24);
    assert!(screen.contains("asks for n…"), "{screen}");
    assert!(screen.contains("→ scrolls"), "{screen}");
    let bottom = screen.lines().skip(21).collect::<Vec<&str>>().join(" ");
    assert!(bottom.contains("asks for none"), "{screen}");
    session.press("<esc> ]");
    let screen = session.screen(80, 24);
    assert!(
        screen.contains("] ... e with an error, p with a problem"),
        "{screen}"
    );
}
