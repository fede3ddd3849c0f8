//! Exported pages in a real browser: Chromium without a window, where there is one.
//!
//! A page is opened as a file, as its readers do, and looked at when its script has run. Clicks and
//! keys are made by a second script, for which the page's policy is taken out of a copy.

use std::{
    fs,
    io::Read,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use crate::export::{HOSTILE, export, request};

const TOPICS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/topics.pcap");

/// A browser that shows no page by then never will.
const PATIENCE: Duration = Duration::from_secs(60);

/// The name of a Chromium that can be run.
fn chromium() -> Option<&'static str> {
    ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .find(|name| {
            let version = Command::new(name).arg("--version").output();
            version.is_ok_and(|version| version.status.success())
        })
}

/// The document that a page has become, at an address that ends in `fragment`; `None`, with a word on
/// why, without a browser.
#[allow(clippy::print_stdout, reason = "whoever runs the tests is to know")]
pub(crate) fn document(page: &str, fragment: &str) -> Option<String> {
    let Some(browser) = chromium() else {
        println!("skipped: no Chromium is installed");
        return None;
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    fs::write(&path, page).unwrap();
    let mut child = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
        ])
        .args(["--disable-dev-shm-usage", "--virtual-time-budget=5000"])
        .arg(format!(
            "--user-data-dir={}",
            folder.path().join("profile").display()
        ))
        .args(["--window-size=1600,1000", "--dump-dom"])
        .arg(format!("file://{}{fragment}", path.display()))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        stdout.read_to_string(&mut text).map(|_| text)
    });
    let begin = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begin.elapsed() > PATIENCE {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("{browser} did not end");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Some(reader.join().unwrap().unwrap())
}

/// What a second script has seen of a page, which leaves it in the body's `data-seen`; the page's policy
/// is taken away for it. `None` without a browser.
pub(crate) fn seen(page: &str, harness: &str) -> Option<Vec<String>> {
    let policy = page.find("<meta http-equiv").unwrap();
    let end = policy + page[policy..].find(">\n").unwrap();
    let page = format!("{}{}{harness}", &page[..policy], &page[end + 2..]);
    let document = document(&page, "")?;
    let seen = document
        .split("data-seen=\"")
        .nth(1)
        .expect("a script that ran");
    let seen = seen.split('"').next().unwrap();
    Some(seen.split(" | ").map(str::to_owned).collect())
}

/// The start tags of the elements that are chosen.
pub(crate) fn chosen(document: &str) -> Vec<&str> {
    let tags = document
        .split('<')
        .map(|tag| tag.split('>').next().unwrap());
    tags.filter(|tag| {
        let class = tag.split("class=\"").nth(1);
        class.is_some_and(|class| {
            class
                .split('"')
                .next()
                .unwrap()
                .split(' ')
                .any(|c| c == "chosen")
        })
    })
    .collect()
}

#[test]
fn an_address_chooses_a_field_with_its_bytes() {
    let page = export(&[TOPICS, "7", "--format", "html"], "");
    // The script runs under the page's own policy, or nothing would be chosen.
    let Some(document) = document(&page, "#x7r-n11") else {
        return;
    };
    let chosen = chosen(&document);
    let rows: Vec<_> = chosen.iter().filter(|tag| tag.starts_with("tr ")).collect();
    assert_eq!(rows.len(), 1, "{chosen:?}");
    assert!(rows[0].contains("aria-selected=\"true\""));
    let runs: Vec<_> = chosen.iter().filter(|tag| tag.starts_with("a ")).collect();
    assert!(!runs.is_empty() && runs.iter().all(|run| run.contains("href=\"#x7r-n11\"")));
    assert!(document.contains("role=\"treegrid\""));
    assert!(document.contains("Copy hex"));
}

#[test]
fn hostile_names_are_shown_and_do_nothing() {
    let page = export(
        &["-", "--format", "html", "--wide"],
        request(HOSTILE.as_bytes()),
    );
    let Some(document) = document(&page, "") else {
        return;
    };
    assert!(document.contains("<title>DeleteTopics 0 request</title>"));
    assert!(!document.contains("pwned</title>"));
    assert_eq!(document.matches("<script").count(), 1);
    assert!(!document.contains(" onload="));
    // It is text of the page, readable as it was sent.
    assert!(document.contains("&lt;script&gt;document.title='pwned'&lt;/script&gt;"));
    assert!(document.contains("\\u{202e}"));
}

#[test]
fn clicks_and_keys_move_one_selection_through_tree_and_grid() {
    let page = export(&[TOPICS, "7", "--request", "--format", "html"], "");
    let harness = r##"
<script>
const seen = [];
const rows = () => [...document.querySelectorAll("tr.chosen")].map((row) => row.id).join();
const runs = () => [...document.querySelectorAll(".grid a.chosen")].map((run) => run.textContent).join(" ");
const note = (what) => seen.push(what + "=" + rows() + ":" + runs() + location.hash);
const press = (element, key) =>
  element.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
const row = (n) => document.getElementById("x7q-n" + n);
document.getElementById("x7q-b6").click();
note("byte");
row(3).querySelector(".value").click();
note("row");
row(3).focus();
press(row(3), "ArrowDown");
note("down");
press(document.activeElement, "ArrowLeft");
note("left");
press(document.activeElement, "ArrowLeft");
seen.push("folded=" + row(4).hidden + row(5).hidden + row(4).closest("table").querySelectorAll("tr[hidden]").length);
press(document.activeElement, "ArrowRight");
seen.push("opened=" + row(5).hidden);
row(3).dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
seen.push("hover=" + document.querySelectorAll(".grid .hover").length);
document.getElementById("x7q-b6").dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
seen.push("hover=" + [...document.querySelectorAll("tr.hover")].map((row) => row.id));
seen.push("status=" + document.querySelector(".status .path").textContent);
press(document.body, "Escape");
note("escape");
document.body.dataset.seen = seen.join(" | ");
</script>
"##;
    let Some(seen) = seen(&page, harness) else {
        return;
    };
    assert_eq!(
        seen,
        [
            "byte=x7q-n6:00 00 00 05#x7q-n6",
            "row=x7q-n3:00 13 00 04 00 00 00 05 00 08 63 6b 2d 61 64 6d 69 6e#x7q-n3",
            "down=x7q-n4:00 13#x7q-n4",
            "left=x7q-n3:00 13 00 04 00 00 00 05 00 08 63 6b 2d 61 64 6d 69 6e#x7q-n3",
            "folded=truetrue4",
            "opened=false",
            // Four fields of the header, the last in two rows, as digits and as characters.
            "hover=10",
            "hover=x7q-n6",
            "status=RequestHeader",
            "escape=:",
        ]
    );
}
