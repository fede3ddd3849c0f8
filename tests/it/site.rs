//! `site`: every page is well-formed, every link leads somewhere, figures are those of `layout`, and
//! what another release says stays text.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use kafscope::schema::{ApiKey, Catalogue, Direction, Kind};

use crate::{
    browser::{chosen, document, seen},
    markup::{Element, ids, parsed},
    program::kafscope,
};

/// The pages of a site by the names of their files.
type Pages = BTreeMap<String, String>;

fn pages(folder: &Path) -> Pages {
    let names = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names
        .filter(|name| name.ends_with(".html"))
        .map(|name| {
            let text = fs::read_to_string(folder.join(&name)).unwrap();
            (name, text)
        })
        .collect()
}

/// The reference of the carried definitions, written once.
fn reference() -> &'static Pages {
    static PAGES: OnceLock<Pages> = OnceLock::new();
    PAGES.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("site");
        let run = kafscope(&["site", folder.to_str().unwrap()], "");
        assert_eq!((run.status, run.stderr.as_str()), (0, ""));
        let pages = pages(&folder);
        let told = format!("{} pages, ", pages.len());
        assert!(run.stdout.starts_with(&told), "{}", run.stdout);
        pages
    })
}

/// Checks every page and every link.
fn crawl(pages: &Pages) {
    let mut anchors: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let mut links: Vec<(&str, String)> = Vec::new();
    for (name, text) in pages {
        let elements = parsed(text);
        let n_headings = elements
            .iter()
            .filter(|element| element.name == "h1")
            .count();
        assert_eq!(n_headings, 1, "{name}");
        check_tables(name, &elements);
        anchors.insert(name, ids(&elements).map(str::to_owned).collect());
        let to = elements
            .iter()
            .filter_map(|element| element.attributes.get("href"));
        links.extend(to.map(|link| (name.as_str(), link.clone())));
    }
    let mut reached = BTreeSet::from(["index.html"]);
    for (from, link) in &links {
        let (page, anchor) = match link.split_once('#') {
            Some((page, anchor)) => (page, Some(anchor)),
            None => (link.as_str(), None),
        };
        let page = if page.is_empty() { from } else { page };
        let known = anchors
            .get_key_value(page)
            .unwrap_or_else(|| panic!("{from}: {link} leads nowhere"));
        if let Some(anchor) = anchor {
            assert!(known.1.contains(anchor), "{from}: {link} leads nowhere");
        }
        if page != *from {
            reached.insert(known.0);
        }
    }
    let all: BTreeSet<&str> = pages.keys().map(String::as_str).collect();
    assert_eq!(reached, all, "pages that nothing leads to");
}

/// Rows of the tables of fields and of comparisons have as many cells as their heads say.
fn check_tables(name: &str, elements: &[Element]) {
    let mut width = 0;
    let mut cells = None;
    for element in elements {
        let spans = || {
            element
                .attributes
                .get("colspan")
                .map_or(1, |n| n.parse().unwrap())
        };
        match element.name.as_str() {
            "thead" => width = 0,
            "th" if cells.is_none() => width += spans(),
            "tbody" => cells = Some(width),
            "tr" if cells.is_some() => {
                assert!(
                    cells == Some(0) || cells == Some(width),
                    "{name}: a row of another width"
                );
                cells = Some(0);
            }
            "td" | "th" => cells = cells.map(|n| n + spans()),
            "table" => cells = None,
            _ => {}
        }
    }
}

#[test]
fn every_page_is_well_formed_and_every_link_leads_somewhere() {
    crawl(reference());
}

#[test]
fn every_api_version_pair_and_structure_has_its_page() {
    let pages = reference();
    let catalogue = Catalogue::current();
    let mut expected = BTreeSet::from(
        ["index.html", "errors.html", "types.html", "structures.html"].map(str::to_owned),
    );
    for api in ApiKey::all() {
        expected.insert(format!("{api}.html"));
        let ever = catalogue.api(api, Direction::Request).unwrap().ever;
        for version in ever.iter() {
            expected.insert(format!("{api}-v{version}.html"));
            if version > ever.min {
                expected.insert(format!("{api}-v{}-v{version}.html", version - 1));
            }
        }
    }
    for name in catalogue.names() {
        let definition = catalogue.definition(name).unwrap().unwrap();
        if !matches!(definition.kind, Kind::Request | Kind::Response) {
            expected.insert(format!("{name}.html"));
            let page = &pages[&format!("{name}.html")];
            for version in definition.ever.iter() {
                let article = format!("<article class=\"message\" id=\"v{version}\"");
                assert!(page.contains(&article), "{name} {version}");
            }
        }
    }
    let written: BTreeSet<String> = pages.keys().cloned().collect();
    assert_eq!(written, expected);
}

/// Nothing is loaded, and only hashed scripts run.
#[test]
fn pages_stand_by_themselves() {
    for (name, text) in reference() {
        assert!(
            text.contains("default-src 'none'; style-src 'sha256-"),
            "{name}"
        );
        let markup: String = text.split("<style>").next().unwrap().to_owned()
            + text
                .split("</head>")
                .nth(1)
                .unwrap()
                .split("<script>")
                .next()
                .unwrap();
        for no in [" src=", "http:", "https:", "url("] {
            assert!(!markup.contains(no), "{name}: {no}");
        }
        assert!(text.len() < 1_000_000, "{name} is too long to read");
    }
}

/// Facts of a page, as the descriptions under their terms.
fn fact<'p>(page: &'p str, name: &str) -> Vec<&'p str> {
    let term = format!("<dt>{name}</dt><dd>");
    page.split(term.as_str())
        .skip(1)
        .map(|behind| behind.split('<').next().unwrap())
        .collect()
}

#[test]
fn figures_are_those_of_layout() {
    let pages = reference();
    for (api, versions) in [
        ("DeleteTopics", 0..=6),
        ("Fetch", 15..=18),
        ("ApiVersions", 0..=5),
    ] {
        for version in versions {
            let text = kafscope(&["layout", api, "--version", &version.to_string()], "").stdout;
            let line = |name: &str| {
                let line = text.lines().find(|line| line.starts_with(name)).unwrap();
                line[name.len()..].trim().to_owned()
            };
            let page = &pages[&format!("{api}-v{version}.html")];
            for name in [
                "API key",
                "Encoded at",
                "Flexible versions",
                "Headers",
                "Request versions",
                "Response versions",
                "Request size",
                "Response size",
            ] {
                assert_eq!(fact(page, name), [line(name)], "{api} {version} {name}");
            }
            let sizes = [line("Request size"), line("Response size")];
            assert_eq!(fact(page, "On the wire"), sizes);
            // Every row of the printed tree is one of the page.
            let rows = text.lines().filter(|line| line.contains("+-- ")).count();
            let shown: usize = ["request-n", "response-n"]
                .iter()
                .map(|anchor| page.matches(&format!("<tr id=\"{anchor}")).count())
                .sum();
            // The message itself stands above the branches of each tree.
            assert_eq!(shown, rows + 2, "{api} {version}");
            let history = &pages[&format!("{api}.html")];
            let row = history
                .split(&format!("<tr id=\"v{version}\">"))
                .nth(1)
                .unwrap();
            let row = row.split("</tr>").next().unwrap();
            for size in sizes {
                assert!(
                    row.contains(&format!("<td class=\"number\">{size}</td>")),
                    "{row}"
                );
            }
        }
    }
}

#[test]
fn errors_are_told_with_their_apis_and_found_from_them() {
    let pages = reference();
    let errors = &pages["errors.html"];
    let article = errors
        .split("<article class=\"error\" id=\"TOPIC_DELETION_DISABLED\"")
        .nth(1)
        .unwrap();
    let article = article.split("</article>").next().unwrap();
    assert!(article.contains("<span class=\"code-number\">73</span>"));
    assert!(article.contains("not retriable"));
    assert!(article.contains("<a href=\"DeleteTopics.html\">DeleteTopics</a>"));
    assert!(article.contains("DeleteTopics responses from version 3 (KIP-322)"));
    let link = "href=\"errors.html#TOPIC_DELETION_DISABLED\"";
    assert!(pages["DeleteTopics.html"].contains(link));
    // It is a matter of the version there, and no more from version 3 on.
    assert!(pages["DeleteTopics-v2.html"].contains("Errors in this version"));
    assert!(pages["DeleteTopics-v2.html"].contains(link));
    assert!(pages["DeleteTopics-v2-v3.html"].contains(link));
    assert!(!pages["DeleteTopics-v6.html"].contains("Errors in this version"));
}

#[test]
fn differences_say_what_came_and_where_the_rest_went() {
    let page = &reference()["DeleteTopics-v5-v6.html"];
    for part in [
        "Added <code>Topics[].TopicId</code>",
        "Removed <code>TopicNames</code>",
        "Changed <code>Responses[].Name</code>",
        "v5, 22 bytes",
        "v6, 39 bytes",
        "<tr class=\"came\">",
        "<tr class=\"went\">",
        "<tr class=\"moved\">",
        "href=\"DeleteTopics-v6.html#request-n",
    ] {
        assert!(page.contains(part), "{part}");
    }
    let page = &reference()["DeleteTopics-v3-v4.html"];
    assert!(page.contains("Flexible from here on"), "{page}");
    assert!(page.contains("<tr class=\"resized\">"));
}

/// A release whose names and sentences are meant for mischief.
fn hostile(folder: &Path) -> PathBuf {
    let about = "<script>document.title='pwned'</script>\\\"onload='x \\u202e";
    let message = |kind: &str, extra: &str| {
        format!(
            r#"{{ "apiKey": 200, "type": "{kind}", {extra} "validVersions": "0-1", "flexibleVersions": "1+",
              "fields": [ {{ "name": "A<b>\"x", "type": "string", "versions": "0+", "about": "{about}" }},
                {{ "name": "Z", "type": "int8", "versions": "1+", "about": "{about}" }} ] }}"#
        )
    };
    let name = "../<script>alert(1)</script>";
    let request = format!(r#""name": "{name}Request", "listeners": ["<i>broker</i>"],"#);
    let response = format!(r#""name": "{name}Response","#);
    let schemas = folder.join("schemas");
    fs::create_dir(&schemas).unwrap();
    fs::write(schemas.join("A.json"), message("request", &request)).unwrap();
    fs::write(schemas.join("B.json"), message("response", &response)).unwrap();
    let data = format!(
        r#"{{ "type": "data", "name": "ERRORS", "validVersions": "0", "flexibleVersions": "0+",
           "fields": [ {{ "name": "B", "type": "int8", "versions": "0+", "about": "{about}" }} ] }}"#
    );
    fs::write(schemas.join("C.json"), data).unwrap();
    schemas
}

#[test]
fn what_another_release_says_stays_text() {
    let temporary = tempfile::tempdir().unwrap();
    let schemas = hostile(temporary.path());
    let site = temporary.path().join("site");
    let run = kafscope(
        &[
            "--schemas",
            schemas.to_str().unwrap(),
            "site",
            site.to_str().unwrap(),
        ],
        "",
    );
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    let pages = pages(&site);
    crawl(&pages);
    let beside: Vec<_> = fs::read_dir(temporary.path()).unwrap().collect();
    assert_eq!(beside.len(), 2, "something was written beside the folder");
    // Its API and its structure have pages, under names that no file system minds.
    let name = "scriptalert1script-v0-v1.html";
    for name in [
        "scriptalert1script.html",
        "scriptalert1script-v1.html",
        name,
        "ERRORS-2.html",
    ] {
        let page = &pages[name];
        assert!(
            page.contains("&lt;script&gt;document.title=&#39;pwned&#39;&lt;/script&gt;"),
            "{name}"
        );
        assert!(
            !page.contains("<script>document") && !page.contains("<script>alert"),
            "{name}"
        );
        assert!(!page.contains('\u{202e}'), "{name}");
        assert!(page.matches("<script>").count() <= 2, "{name}");
    }
    assert!(pages["index.html"].contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
}

#[test]
fn nothing_of_others_is_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path().to_str().unwrap();
    fs::write(folder.path().join("index.html"), "mine").unwrap();
    let run = kafscope(&["site", site], "");
    assert_eq!(run.status, 2);
    assert_eq!(
        run.stderr,
        format!(
            "kafscope: {site} holds index.html, which site has not written; expected a new or empty \
             folder, or one that site wrote before\n"
        )
    );
    assert_eq!(
        fs::read_to_string(folder.path().join("index.html")).unwrap(),
        "mine"
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    // A file is no folder.
    let file = folder.path().join("index.html");
    let run = kafscope(&["site", file.to_str().unwrap()], "");
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("cannot make the folder"),
        "{}",
        run.stderr
    );
}

/// Rows of a document that are not hidden, by the name of their API.
fn shown(document: &str) -> Vec<String> {
    let rows = document.split("<tr data-key=\"").skip(1);
    rows.filter(|row| !row.split('>').next().unwrap().contains(" hidden=\"\""))
        .map(|row| {
            let link = row.split("<a href=\"").nth(1).unwrap();
            link.split(".html").next().unwrap().to_owned()
        })
        .collect()
}

/// The page's own policy lets its script run, or nothing would be filtered.
#[test]
fn an_address_filters_the_index() {
    let index = &reference()["index.html"];
    assert_eq!(shown(index).len(), ApiKey::all().count());
    assert!(index.contains("<div id=\"search\" class=\"search\"") && !index.contains("<input"));
    let Some(found) = document(index, "#q=quorum") else {
        return;
    };
    let found = shown(&found);
    assert!(found.contains(&"DescribeQuorum".to_owned()), "{found:?}");
    assert!(found.len() < 20, "{found:?}");
}

#[test]
fn the_box_finds_names_keys_errors_and_proposals() {
    let harness = r##"
<script>
const seen = [];
const box = () => document.querySelector("#search input");
const type = (text) => {
  box().value = text;
  box().dispatchEvent(new Event("input", { bubbles: true }));
  const rows = [...document.querySelectorAll("tr[data-q]")].filter((row) => row.offsetParent !== null);
  return rows.map((row) => row.querySelector("a").textContent);
};
const press = (element, key) =>
  element.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
seen.push(type("describe quorum").join());
seen.push(type("20").join());
seen.push(type("TOPIC_DELETION_DISABLED").join() + ":" + document.querySelector("tr:not([hidden]) .why").textContent);
seen.push(type("kip-322").join());
seen.push(type("deletes topics").join() + location.hash);
seen.push(document.querySelector("#search output").textContent);
seen.push(type("no such thing").length);
press(box(), "Escape");
seen.push(box().value + "=" + type("").length + location.hash);
box().blur();
press(document.body, "/");
seen.push(document.activeElement === box());
document.body.dataset.seen = seen.join(" | ");
</script>
"##;
    let Some(seen) = seen(&reference()["index.html"], harness) else {
        return;
    };
    let n_apis = ApiKey::all().count();
    assert_eq!(
        seen,
        [
            "DescribeQuorum".to_owned(),
            "DeleteTopics".to_owned(),
            "DeleteTopics:TOPIC_DELETION_DISABLED".to_owned(),
            "DeleteTopics".to_owned(),
            "DeleteTopics,DeleteShareGroupOffsets#q=deletes%20topics".to_owned(),
            format!("2 of {n_apis}"),
            "0".to_owned(),
            format!("={n_apis}"),
            "true".to_owned(),
        ]
    );
}

#[test]
fn grid_and_tree_of_a_version_are_one() {
    let page = &reference()["DeleteTopics-v6.html"];
    let harness = r##"
<script>
const seen = [];
const rows = () => [...document.querySelectorAll("tr.chosen")].map((row) => row.id).join();
const runs = () => [...document.querySelectorAll(".grid a.chosen")].map((run) => run.textContent).join(" ");
document.querySelector("#request .grid a.request").click();
seen.push(rows() + "=" + runs());
document.getElementById("response-n3").querySelector(".value").click();
seen.push(rows() + "=" + runs());
document.getElementById("request-n3").dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
seen.push(document.querySelectorAll("#request .grid .hover").length > 0);
seen.push(document.querySelector("details").open);
location.hash = "#request-example-n5";
setTimeout(() => {
  seen.push(rows() + document.querySelector("details").open);
  document.body.dataset.seen = seen.join(" | ");
}, 300);
</script>
"##;
    let Some(seen) = seen(page, harness) else {
        return;
    };
    assert_eq!(
        seen,
        [
            "request-n11=02",
            "response-n3=00 00 00 00 00",
            "true",
            "false",
            "request-example-n5true",
        ]
    );
}

#[test]
fn an_address_names_a_field_of_a_version() {
    let page = &reference()["DeleteTopics-v6.html"];
    let Some(document) = document(page, "#response-n3") else {
        return;
    };
    let chosen = chosen(&document);
    assert!(
        chosen
            .iter()
            .any(|tag| tag.starts_with("tr id=\"response-n3\"")),
        "{chosen:?}"
    );
}
