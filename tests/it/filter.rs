//! Filters: what they take is compared with the JSON that they are about.

use std::path::PathBuf;

use kafscope::{query::Filter, session::Session};
use serde_json::{Value as Json, json};

use crate::{
    program::kafscope,
    timed::{Traffic, session},
};

pub(crate) const CAPTURES: [&str; 4] = [
    "samples/topics.pcap",
    "samples/workload.pcap.zst",
    "samples/malformed.pcap",
    "tests/data/captures/midstream_tansu.pcap.zst",
];

pub(crate) fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The numbers of the exchanges that a filter takes.
pub(crate) fn taken(session: &Session, filter: &str) -> Vec<u32> {
    let filter = Filter::parse(filter).unwrap_or_else(|m| panic!("{m}\n{}", m.pointer()));
    let index = session.index();
    index
        .exchanges()
        .filter(|exchange| filter.takes(session, &index, exchange))
        .map(|exchange| exchange.n)
        .collect()
}

pub(crate) fn lines(args: &[&str]) -> Vec<Json> {
    let run = kafscope(args, "");
    let lines = run.stdout.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// A value as CEL writes it.
fn literal(json: &Json) -> String {
    match json {
        Json::Number(number) if !number.is_f64() => number.to_string(),
        json => json.to_string(),
    }
}

#[test]
fn every_member_of_the_contract_is_a_variable() {
    for capture in CAPTURES {
        let capture = path(capture);
        let session = session(&capture);
        let lines = lines(&["list", "--json", capture.to_str().unwrap()]);
        for line in lines.iter().step_by(7) {
            let mut all = Vec::new();
            for (name, value) in line.as_object().unwrap() {
                match (name.as_str(), value) {
                    ("type", _) => {}
                    ("problems", list) => {
                        let list = list.as_array().unwrap();
                        all.push(format!("problems.size() == {}", list.len()));
                        if let Some(first) = list.first() {
                            all.push(format!("problems[0].code == {}", first["code"]));
                        }
                    }
                    ("request" | "response", Json::Object(message)) => {
                        all.push(format!("{name}.packet == {}", message["packet"]));
                        all.push(format!("{name}.size == {}", message["size"]));
                        // Times of the contract end with microseconds.
                        let time = &message["time"];
                        all.push(format!("{name}.time >= timestamp({time})"));
                        all.push(format!(
                            "{name}.time < timestamp({time}) + duration(\"1us\")"
                        ));
                    }
                    (name, value) => all.push(format!("{name} == {}", literal(value))),
                }
            }
            let n = line["n"].as_u64().unwrap() as u32;
            for one in &all {
                assert!(taken(&session, one).contains(&n), "{n}: {one}");
            }
            assert_eq!(taken(&session, &all.join(" && ")), [n]);
        }
    }
}

/// Expressions that are true of a body, one for each value at most so deep in it.
fn truths(path: &str, json: &Json, depth: usize, out: &mut Vec<String>) {
    match json {
        Json::Object(object) if depth > 0 => {
            for (name, json) in object {
                truths(&format!("{path}.{name}"), json, depth - 1, out);
            }
        }
        Json::Array(list) if depth > 0 => {
            out.push(format!("{path}.size() == {}", list.len()));
            if let Some(last) = list.last() {
                truths(&format!("{path}[{}]", list.len() - 1), last, depth - 1, out);
            }
        }
        Json::Object(_) | Json::Array(_) => {}
        json => out.push(format!("{path} == {}", literal(json))),
    }
}

#[test]
fn every_value_of_a_body_is_found_by_its_path() {
    let mut n_truths = 0;
    for capture in CAPTURES {
        let capture = path(capture);
        let session = session(&capture);
        let len = session.index().len();
        for n in (1..=len).step_by(5) {
            let n_text = n.to_string();
            let messages = lines(&["show", "--json", capture.to_str().unwrap(), &n_text]);
            for message in messages {
                let kind = message["kind"].as_str().unwrap();
                if kind == "sasl-token" || session.index().exchange(n).unwrap().api.is_none() {
                    continue;
                }
                for root in [format!("{kind}.body"), "body".to_owned()] {
                    let mut all = Vec::new();
                    truths(&root, &message["value"], 7, &mut all);
                    for truth in all {
                        n_truths += 1;
                        let taken = taken(&session, &format!("n == {n} && {truth}"));
                        assert_eq!(taken, [n as u32], "{n} {truth}");
                    }
                }
            }
        }
    }
    assert!(n_truths > 1000, "{n_truths}");
}

#[test]
fn expressions_take_what_the_json_says() {
    let capture = path("samples/workload.pcap.zst");
    let session = session(&capture);
    let lines = lines(&["list", "--json", capture.to_str().unwrap()]);
    let is = |line: &Json, member: &str, text: &str| line[member] == json!(text);
    let has = |line: &Json, member: &str, text: &str| {
        line[member].as_array().unwrap().contains(&json!(text))
    };
    let latency = |line: &Json| line["latency_ms"].as_f64();
    type Wanted<'w> = &'w dyn Fn(&Json) -> bool;
    let cases: [(&str, Wanted<'_>); 20] = [
        (r#"topics.exists(t, t == "ck-topic")"#, &|l| {
            has(l, "topics", "ck-topic")
        }),
        (r#""ck-topic" in topics"#, &|l| has(l, "topics", "ck-topic")),
        (r#"topics.all(t, t.startsWith("ck"))"#, &|l| {
            let topics = l["topics"].as_array().unwrap();
            topics.iter().all(|t| t.as_str().unwrap().starts_with("ck"))
        }),
        (r#"api == "Produce" && latency_ms > 1"#, &|l| {
            is(l, "api", "Produce") && latency(l).is_some_and(|ms| ms > 1.0)
        }),
        ("latency_ms <= 0.5", &|l| {
            latency(l).is_some_and(|ms| ms <= 0.5)
        }),
        ("!(latency_ms <= 0.5)", &|l| {
            latency(l).is_some_and(|ms| ms > 0.5)
        }),
        ("errors.size() > 0", &|l| {
            !l["errors"].as_array().unwrap().is_empty()
        }),
        ("size(errors) == 0", &|l| {
            l["errors"].as_array().unwrap().is_empty()
        }),
        (r#"client.startsWith("127.")"#, &|_| true),
        (r#"server.endsWith(":19092")"#, &|l| {
            l["server"].as_str().unwrap().ends_with(":19092")
        }),
        ("response == null", &|l| l["response"].is_null()),
        ("response != null && response.size > 100", &|l| {
            l["response"]["size"]
                .as_u64()
                .is_some_and(|size| size > 100)
        }),
        (r#"client_id.contains("gzip") || api_key == 3"#, &|l| {
            let id = l["client_id"].as_str();
            id.is_some_and(|id| id.contains("gzip")) || l["api_key"] == json!(3)
        }),
        (r#"client_id.matches("^ck-(gzip|none)$")"#, &|l| {
            is(l, "client_id", "ck-gzip") || is(l, "client_id", "ck-none")
        }),
        (r#"matches(api, "(?i)^fetch$")"#, &|l| is(l, "api", "Fetch")),
        ("n % 2 == 0", &|l| l["n"].as_u64().unwrap() % 2 == 0),
        ("n in [3, 5, 7]", &|l| {
            [3, 5, 7].contains(&l["n"].as_u64().unwrap())
        }),
        ("latency_last_ms - latency_ms >= 0.0 ? true : false", &|l| {
            latency(l).is_some()
        }),
        ("response.time - request.time > duration(\"1ms\")", &|l| {
            let micros = |side: &str| {
                let time = l[side]["time"].as_str()?;
                Some(time.parse::<jiff::Timestamp>().unwrap().as_microsecond())
            };
            micros("response")
                .zip(micros("request"))
                .is_some_and(|(b, a)| b - a > 1000)
        }),
        (r#"has(body.Acks)"#, &|l| is(l, "api", "Produce")),
    ];
    for (filter, is_wanted) in cases {
        let wanted: Vec<u32> = lines
            .iter()
            .filter(|line| is_wanted(line))
            .map(|line| line["n"].as_u64().unwrap() as u32)
            .collect();
        assert_eq!(taken(&session, filter), wanted, "{filter}");
    }
    let middle = lines[60]["request"]["time"].as_str().unwrap();
    let after = taken(&session, &format!("time >= timestamp(\"{middle}\")"));
    assert!(after.contains(&61) && !after.contains(&1));
}

#[test]
fn bodies_are_those_of_either_message() {
    let mut traffic = Traffic::new();
    let metadata = json!({"Topics": [{"Name": "orders"}]});
    let found = json!({"ThrottleTimeMs": 7, "Topics": [{"ErrorCode": 3, "Name": "payments"}]});
    traffic.exchange(3, 9, &metadata, &found, 5);
    let delete = json!({"TopicNames": ["orders"], "TimeoutMs": 1000});
    let deleted = json!({"Responses": [{"Name": "orders", "ErrorCode": 0}]});
    traffic.exchange(20, 4, &delete, &deleted, 5);
    let file = traffic.file();
    let session = session(file.path());
    for (filter, wanted) in [
        (r#"body.Topics.exists(t, t.Name == "orders")"#, vec![1]),
        (r#"body.Topics.exists(t, t.Name == "payments")"#, vec![1]),
        (
            r#"request.body.Topics.exists(t, t.Name == "payments")"#,
            vec![],
        ),
        (
            r#"response.body.Topics.exists(t, t.Name == "payments")"#,
            vec![1],
        ),
        ("body.TimeoutMs == 1000", vec![2]),
        ("body.TimeoutMs > 1000", vec![]),
        ("!(body.TimeoutMs > 1000)", vec![2]),
        ("body.ThrottleTimeMs == 7 || n == 2", vec![1, 2]),
        // Both at once are true of no single body; each message by its name is.
        (
            r#"body.Topics[0].Name == "orders" && body.ThrottleTimeMs == 7"#,
            vec![],
        ),
        (
            r#"request.body.Topics[0].Name == "orders" && response.body.ThrottleTimeMs == 7"#,
            vec![1],
        ),
        (r#""orders" in body.TopicNames"#, vec![2]),
        (r#"body["TimeoutMs"] == 1000"#, vec![2]),
        ("embedded.size() > 0", vec![]),
        ("body == null", vec![]),
    ] {
        assert_eq!(taken(&session, filter), wanted, "{filter}");
    }
}

#[test]
fn throttle_times_are_in_latencies_only_where_brokers_waited() {
    let mut traffic = Traffic::new();
    let (request, response) = (json!({}), json!({"ThrottleTimeMs": 20}));
    // Metadata 5 is the last that a broker may keep, 6 the first that it sends at once.
    traffic.exchange(3, 5, &request, &response, 30);
    traffic.exchange(3, 5, &request, &response, 10);
    traffic.exchange(3, 6, &request, &response, 30);
    traffic.exchange(3, 6, &request, &json!({}), 30);
    // Without the field.
    traffic.exchange(3, 2, &request, &json!({}), 30);
    let file = traffic.file();
    let lines = lines(&["list", "--json", file.path().to_str().unwrap()]);
    let member = |name: &str| {
        lines
            .iter()
            .map(|line| line[name].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(member("latency_ms"), [30.0, 10.0, 30.0, 30.0, 30.0]);
    assert_eq!(member("latency_last_ms"), [31.0, 11.0, 31.0, 31.0, 31.0]);
    let throttles = [json!(20), json!(20), json!(20), json!(0), Json::Null];
    assert_eq!(member("throttle_ms"), throttles);
    assert_eq!(member("latency_net_ms"), [10.0, 10.0, 30.0, 30.0, 30.0]);
    let session = session(file.path());
    assert_eq!(taken(&session, "throttle_ms > 0"), [1, 2, 3]);
    assert_eq!(taken(&session, "latency_net_ms < latency_ms"), [1]);
}

/// Variables of macros are called as people like.
#[test]
fn a_variable_of_a_macro_is_none_of_the_exchange() {
    for filter in [
        r#"topics.exists(kind, kind == "orders")"#,
        r#"topics.exists(api, "orders" == api)"#,
    ] {
        assert!(Filter::parse(filter).is_ok(), "{filter}");
    }
}

#[test]
fn what_can_never_work_is_a_mistake_at_its_place() {
    for (filter, place, said) in [
        ("latncy_ms > 1", "^^^^^^^^^", "latency_ms"),
        ("n == 1 && (api", "              ^", "expected )"),
        ("api = \"Fetch\"", "    ^", "expected =="),
        ("api == ", "       ^", "the end"),
        ("", "^", "the end"),
        ("n == 1 n", "       ^", "expected an operator"),
        ("n == 1 & n == 2", "       ^", "expected &&"),
        ("api == \"Fetch", "       ^", "no \" at its end"),
        (
            "api == \"Fetch\" AND n > 1",
            "               ^^^",
            "expected &&",
        ),
        ("not (n == 1)", "^^^", "expected !"),
        ("conn == 1", "^^^^", "here it is connection"),
        (
            "status == \"lost\"",
            "          ^^^^^^",
            "there are answered, ",
        ),
        (
            "kind in [\"sasl\"]",
            "         ^^^^^^",
            "did you mean sasl-token?",
        ),
        ("api == 3", "    ^^", "never equal"),
        ("body.topics == null", "     ^^^^^^", "did you mean Topics?"),
        (
            "api == \"Produce\" && body.topicdata == null",
            "                         ^^^^^^^^^",
            "no message of Produce has a field topicdata there; did you mean TopicData?",
        ),
        (
            "\"x\" in topics && 3 in topics",
            "                   ^^",
            "never equal",
        ),
        ("body.Tpoics.size() > 0", "     ^^^^^^", "Topics"),
        (
            "body.Topics.exists(t, t.Nmae == \"x\")",
            "                        ^^^^",
            "Name",
        ),
        ("body.Topics.Name == \"x\"", "            ^^^^", "exists"),
        ("request.boddy == null", "        ^^^^^", "body"),
        ("api.startWith(\"F\")", "    ^^^^^^^^^", "startsWith"),
        ("api.startsWith(1)", "               ^", "takes a text"),
        ("n.startsWith(\"1\")", "^", "takes a text"),
        (
            "api.matches(\"(\")",
            "            ^^^",
            "no regular expression",
        ),
        (
            "time > timestamp(\"today\")",
            "                 ^^^^^^^",
            "2026-11-01",
        ),
        ("latency_ms", "^^^^^^^^^^", "true or false"),
        ("latency_ms * 2 > 1.0", "           ^", "do not mix"),
        ("latency_ms > null", "           ^", "no order"),
        ("n", "^", "true or false"),
        ("api == \"Fecth\"", "       ^^^^^^^", "Fetch"),
        ("n && api == \"Fetch\"", "^", "true or false"),
        ("topics.exists(t)", "       ^^^^^^", "exists(x, ...)"),
        ("response.?size == 1", "        ^", "unsupported"),
        ("size(n) == 1", "     ^", "a text or a list"),
        ("\"日本\" == n", "       ^^", "never equal"),
    ] {
        let Err(mistake) = Filter::parse(filter) else {
            panic!("{filter} is taken");
        };
        let pointer = mistake.pointer();
        let carets = pointer.lines().nth(1).unwrap();
        assert!(mistake.to_string().contains(said), "{filter}: {mistake}");
        assert_eq!(carets, format!("  {place}"), "{filter}: {mistake}");
    }
}

#[test]
fn what_no_exchange_will_ever_have_is_told_at_its_place() {
    for (filter, place, said) in [
        (
            "error == \"UNKNOWN_TOPIC\"",
            "         ^^^^^^^^^^^^^^^",
            "error is the text of that column, which never says UNKNOWN_TOPIC; did you mean UNKNOWN_TOPIC_ID or UNKNOWN_TOPIC_OR_PARTITION?",
        ),
        (
            "error != \"UNKNOWN_TOPIC\"",
            "         ^^^^^^^^^^^^^^^",
            "error is the text of that column, which never says UNKNOWN_TOPIC; did you mean",
        ),
        (
            "\"UNKNOWN_TOPIC\" in errors",
            "^^^^^^^^^^^^^^^",
            "no exchange has the error UNKNOWN_TOPIC; did you mean",
        ),
        (
            "\"malformed\" in errors",
            "^^^^^^^^^^^",
            "no exchange has the error malformed",
        ),
        (
            "errors.exists(e, e == \"UNKNOWN_TOPIC\")",
            "                      ^^^^^^^^^^^^^^^",
            "no exchange has the error UNKNOWN_TOPIC; did you mean",
        ),
        (
            "errors.size() > 0 && errors[0] in [\"TIMEOUT\"]",
            "                                   ^^^^^^^^^",
            "no exchange has the error TIMEOUT",
        ),
        (
            "error in [\"malformed, no answer\"]",
            "          ^^^^^^^^^^^^^^^^^^^^^^",
            "error is the text of that column, which never says no answer",
        ),
        (
            "api == \"Produce\" && body.Topics.exists(t, t.Name == \"a\")",
            "                         ^^^^^^",
            "no message of Produce has a field Topics there; there are TransactionalId, Acks, TimeoutMs, TopicData",
        ),
        (
            "n > 1 && (api_key == 3 && body.Topics.exists(t, t.NumPartitions == 0))",
            "                                                  ^^^^^^^^^^^^^",
            "no message of Metadata has a field NumPartitions there",
        ),
    ] {
        let filter = Filter::parse(filter).unwrap();
        let [doubt] = filter.doubts() else {
            panic!("{:?}", filter.doubts());
        };
        assert!(doubt.to_string().starts_with(said), "{doubt}");
        assert_eq!(doubt.pointer().lines().nth(1), Some(&*format!("  {place}")));
    }
    for filter in [
        "error == \"UNKNOWN_TOPIC_OR_PARTITION, malformed\" || error != \"\"",
        "error == \"UNKNOWN_ERROR_CODE_99\"",
        "errors.exists(e, e == \"UNKNOWN_ERROR_CODE_99\" || e == \"NOT_COORDINATOR\")",
        "topics.exists(errors, errors == \"UNKNOWN_TOPIC\")",
        "topics.exists(error, error == \"UNKNOWN_TOPIC\")",
        "api == \"Produce\" && body.TopicData.exists(t, t.Name == \"a\")",
        "api == \"Produce\" || body.Topics.exists(t, t.Name == \"a\")",
    ] {
        assert!(
            Filter::parse(filter).unwrap().doubts().is_empty(),
            "{filter}"
        );
    }
    let args = [
        "list",
        "samples/topics.pcap",
        "--filter",
        "error == \"late \"",
    ];
    let run = kafscope(&args, "");
    assert_eq!(run.status, 1);
    assert!(run.stderr.contains(
        "--filter: error is the text of that column, which never says late ; did you mean late?"
    ));
}

#[test]
fn the_examples_of_the_documentation_work() {
    let text = std::fs::read_to_string(path("docs/FILTER.md")).unwrap();
    let block = text.split("```cel\n").nth(1).unwrap();
    let examples: Vec<&str> = block.split("```").next().unwrap().lines().collect();
    assert!(examples.len() > 10);
    for example in examples {
        if let Err(mistake) = Filter::parse(example) {
            panic!("{mistake}\n{}", mistake.pointer());
        }
    }
}

#[test]
fn no_text_makes_a_filter_panic() {
    let parts = [
        "api", "==", "&&", "(", ")", "\"x\"", "1", "body", ".", "Topics", "[", "]", ",", "exists",
        "!", "-", "null", "{", "}", ":", "?", "'", "\\", "日", "r\"", "1e999", "0x", "@1", " ",
    ];
    let mut state = 7_u64;
    for _ in 0..3000 {
        let mut text = String::new();
        for _ in 0..(state >> 33) % 9 + 1 {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            text.push_str(parts[(state >> 33) as usize % parts.len()]);
        }
        if let Err(mistake) = Filter::parse(&text) {
            assert!(!mistake.to_string().is_empty() && !mistake.pointer().is_empty());
        }
    }
    let deep = format!("{}true{}", "(".repeat(5000), ")".repeat(5000));
    assert!(Filter::parse(&deep).is_err());
    let mistake = Filter::parse(&"[".repeat(5000)).err().unwrap();
    assert_eq!(mistake.to_string(), "this is nested more than 96 deep");
    let deep = format!("{}true", "!".repeat(5000));
    let _ = Filter::parse(&deep);
    let long = vec!["n == 1"; 2000].join(" || ");
    let _ = Filter::parse(&long);
}
