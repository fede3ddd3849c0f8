//! Columns of the browser's list: wider and narrower, of any field, scrolled to.

use kafscope::{
    schema::Catalogue,
    tui::{Chosen, Effect, Exchanges, Live, Query},
};
use ratatui::crossterm::event::{MouseButton, MouseEventKind};

use crate::{
    browsing::{browser, capture},
    screens::Session,
};

impl Session<Live<'static>> {
    /// Where a title stands in the head of the list.
    fn title_at(&self, title: &str) -> Option<usize> {
        let screen = self.screen(140, 40).replace(['⟦', '⟧'], "");
        let head = screen.lines().nth(1)?;
        let at = head.find(title)?;
        Some(head[..at].chars().count())
    }

    /// What stands in the rows of the list, from a column of the screen on.
    fn texts_from(&self, x: usize) -> Vec<String> {
        let screen = self.screen(140, 40).replace(['⟦', '⟧'], "");
        let rows = screen.lines().skip(2).take(14);
        rows.map(|row| row.chars().skip(x).collect()).collect()
    }
}

fn on_four_columns() -> Session<Live<'static>> {
    let mut browser = browser();
    browser.enter(":", "columns n:5,api:20,v:4,error:20");
    assert_eq!(browser.title_at("API"), Some(7));
    assert_eq!(browser.title_at("error"), Some(35));
    browser
}

#[test]
fn a_boundary_is_dragged_and_the_next_run_remembers() {
    let mut browser = on_four_columns();
    browser.mouse(MouseEventKind::Down(MouseButton::Left), 27, 1);
    browser.mouse(MouseEventKind::Drag(MouseButton::Left), 33, 1);
    browser.mouse(MouseEventKind::Drag(MouseButton::Left), 37, 2);
    browser.mouse(MouseEventKind::Up(MouseButton::Left), 37, 2);
    assert_eq!(browser.title_at("error"), Some(45));
    assert!(browser.shows("column api is 30 wide"));
    // It was no click on a title, which would order the list.
    assert!(!browser.heading().contains("by"), "{}", browser.heading());
    assert!(browser.app.has_typed());
    let memory = browser.app.memory().clone();
    let mut later = crate::browsing::browser();
    later.app.recall(memory);
    later.enter(":", "columns n,api,v,error");
    assert_eq!(later.title_at("error"), Some(45));
    // What is set counts, and without names all is as it is by itself.
    later.enter(":", "columns n,api:10,v,error");
    assert_eq!(later.title_at("error"), Some(25));
    later.enter(":", "columns");
    later.enter(":", "columns n,api,v,error");
    assert_ne!(later.title_at("error"), Some(25));
}

#[test]
fn keys_make_the_column_at_the_cursor_wider_and_fit_it() {
    let mut browser = on_four_columns();
    browser.press("l } }");
    assert_eq!(browser.title_at("error"), Some(39));
    browser.press("{");
    assert_eq!(browser.title_at("error"), Some(37));
    browser.press("~");
    let longest = browser
        .texts_from(7)
        .iter()
        .map(|row| row.split("  ").next().unwrap().len())
        .max();
    assert!(browser.title_at("error").unwrap() - 15 >= longest.unwrap());
    // A click twice on the boundary does the same.
    let fitted = browser.title_at("error");
    browser.press("} } }");
    let boundary = browser.title_at("error").unwrap() - 8;
    browser.click(boundary as u16, 1);
    browser.mouse(MouseEventKind::Up(MouseButton::Left), boundary as u16, 1);
    browser.click(boundary as u16, 1);
    assert_eq!(browser.title_at("error"), fitted);
    browser.press("O");
    assert!(
        browser.heading().contains("by api"),
        "{}",
        browser.heading()
    );
}

#[test]
fn numbers_are_never_cut_and_a_width_is_given_back() {
    let open = browser;
    let mut browser = open();
    browser.press("{ { {");
    assert!(browser.app.has_typed());
    // As in the run after one whose capture had few exchanges.
    let mut later = open();
    later.app.recall(browser.app.memory().clone());
    let len = capture().index().len().to_string();
    later.press("G");
    let last = format!("\n{len}  ");
    assert!(later.shows(&last), "{}", later.screen(140, 40));
    later.press("~");
    assert!(later.shows("column n is as wide as its texts"));
    let mut fresh = open();
    fresh.app.recall(later.app.memory().clone());
    assert_eq!(fresh.title_at("API"), open().title_at("API"));
}

#[test]
fn a_field_of_the_tree_becomes_a_column_that_the_list_is_ordered_by() {
    let mut browser = browser();
    browser.enter(":", "columns n,api");
    browser.enter(":", "17");
    browser.enter(":", "path TimeoutMs");
    browser.press("t");
    assert!(browser.shows("request.body.TimeoutMs is a column of the list now"));
    let x = browser.title_at("TimeoutMs").unwrap();
    let texts = browser.texts_from(x - 8);
    assert!(texts.iter().any(|text| text.contains("30000")), "{texts:?}");
    // Exchanges without the field have nothing there.
    browser.enter(":", "sort -request.body.TimeoutMs");
    assert!(browser.heading().contains("by -request.body.TimeoutMs"));
    browser.press("<esc> g");
    let texts = browser.texts_from(x - 8);
    assert!(
        texts.iter().take(4).all(|text| text
            .split_whitespace()
            .next()
            .is_some_and(|text| text.parse::<i32>().is_ok())),
        "{texts:?}"
    );
    browser.press("<enter>");
    browser.enter(":", "field request.body.TimeoutMs");
    assert_eq!(browser.title_at("TimeoutMs"), None);
    browser.press("<esc>");
    browser.enter(":", "7");
    browser.press("r");
    browser.enter(":", "path Topics[0].Name");
    browser.enter(":", "field topics[0].name");
    assert!(browser.shows("response.body.Topics[0].Name is a column"));
    browser.enter(":", "columns n,throttle,response.body.Topics[].Name");
    assert!(browser.title_at("throttle").is_some());
    assert!(browser.title_at("Topics[].Name").is_some());
}

/// All exchanges are decoded for such an order, which nobody waits for who does not want to.
#[test]
fn an_order_by_a_field_is_stopped() {
    let live = Live::new(capture(), Catalogue::current());
    let query = Query {
        filter: String::new(),
        sort: "request.body.TimeoutMs".to_owned(),
    };
    let mut n_told = 0;
    let mut told = |_| n_told += 1;
    live.choose(&query, Chosen::default(), &|| true, &mut told)
        .unwrap();
    assert_eq!(n_told, 0);
}

#[test]
fn what_can_never_be_a_column_is_said() {
    let mut browser = browser();
    browser.enter(":", "17");
    browser.press("<enter> g j t");
    assert!(
        browser.shows("only fields of a body"),
        "{}",
        browser.screen(140, 40)
    );
    browser.enter(":", "columns n,body.TimoutMs");
    assert!(browser.shows("TimeoutMs"), "{}", browser.screen(140, 40));
    browser.press("<esc>");
    browser.enter(":", "field nonsense");
    assert!(
        browser.shows("no column is called"),
        "{}",
        browser.screen(140, 40)
    );
}

#[test]
fn columns_without_room_are_scrolled_to() {
    let mut session = Session::on(Live::new(capture(), Catalogue::current()), 60, 24);
    let head = |session: &Session<Live<'_>>| {
        let screen = session.screen(60, 24).replace(['⟦', '⟧'], "");
        screen.lines().nth(1).unwrap().to_owned()
    };
    let first = head(&session);
    assert!(
        !first.contains("client id") && first.ends_with('▸'),
        "{first}"
    );
    session.press("l l l l l l l");
    let scrolled = head(&session);
    insta::assert_snapshot!("columns_scrolled_60x24", session.screen(60, 24));
    assert!(
        scrolled.contains("client id") && scrolled.contains('◂'),
        "{scrolled}"
    );
    assert!(scrolled.trim_start().starts_with('n'), "{scrolled}");
    session.mouse(MouseEventKind::ScrollRight, 5, 4);
    assert!(head(&session).contains("topics"));
    session.press("<shift-left> h h h h h h h");
    assert_eq!(head(&session), first);
}

#[test]
fn a_cut_line_of_the_tree_is_scrolled_to() {
    let mut session = Session::on(Live::new(capture(), Catalogue::current()), 60, 24);
    session.press("<enter>");
    let tree = |session: &Session<Live<'_>>| {
        let screen = session.screen(60, 24);
        let lines: Vec<&str> = screen.lines().skip(6).take(9).collect();
        lines.join("\n")
    };
    let begin = tree(&session);
    assert!(
        begin.contains('…') && !begin.contains("message body, version"),
        "{begin}"
    );
    let is_reached = (0..30).any(|_| {
        session.press("}");
        tree(&session).contains("message body, version")
    });
    assert!(is_reached, "{}", session.screen(60, 24));
    insta::assert_snapshot!("tree_scrolled_60x24", session.screen(60, 24));
    // There is an end, from which it is as far back.
    session.press(" }".repeat(30).trim_start());
    let end = tree(&session);
    session.press("}");
    assert_eq!(tree(&session), end);
    session.press(" {".repeat(30).trim_start());
    assert_eq!(tree(&session), begin);
}

#[test]
fn a_key_of_another_pane_says_where_it_counts() {
    let mut browser = browser();
    browser.press("v");
    assert!(
        browser.shows("v: the field with its whole value, in object tree and hex grid"),
        "{}",
        browser.screen(140, 40)
    );
    assert_eq!(browser.press("Q"), Effect::None);
}
