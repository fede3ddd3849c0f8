//! `list` with columns, orders, limits and filters; `show` with filters and ranges.

use kafscope::schema::Direction;
use serde_json::{Value as Json, json};

use crate::{
    filter::{lines, path},
    program::kafscope,
    pty::Terminal,
    traffic::Traffic,
};

fn capture() -> String {
    path("samples/workload.pcap.zst")
        .to_str()
        .unwrap()
        .to_owned()
}

#[test]
fn columns_are_the_members_of_the_contract() {
    let all = lines(&["list", "--json", &capture()]);
    let names: Vec<&String> = all[0].as_object().unwrap().keys().collect();
    for name in names {
        let lines = lines(&["list", "--json", &capture(), "--columns", name]);
        assert_eq!(lines.len(), all.len());
        for (line, whole) in lines.iter().zip(&all) {
            assert_eq!(*line, json!({ name: whole[name] }));
        }
    }
    let list = "n,request.size,response.packet,latency,bytes";
    for (line, whole) in lines(&["list", "--json", &capture(), "--columns", list])
        .iter()
        .zip(&all)
    {
        let size = |side: &str| whole[side]["size"].as_u64().unwrap_or(0);
        let expected = json!({
            "n": whole["n"],
            "request.size": whole["request"]["size"],
            "response.packet": whole["response"]["packet"],
            "latency_ms": whole["latency_ms"],
            "bytes": size("request") + size("response"),
        });
        assert_eq!(*line, expected);
    }
}

#[test]
fn members_of_tls_and_names_of_hosts_are_columns() {
    let tls = path("samples/tls.pcapng").to_str().unwrap().to_owned();
    let list = "tls.version,tls_suite,tls,client_host,server_host,date";
    let args = ["list", "--json", &tls, "--columns", list];
    let first = lines(&args).swap_remove(0);
    let (version, suite) = ("TLS 1.3", "TLS_AES_256_GCM_SHA384");
    let expected = json!({
        "tls.version": version,
        "tls.suite": suite,
        "tls": {"version": version, "suite": suite},
        "client_host": null,
        "server_host": null,
        "date": "2026-11-29",
    });
    assert_eq!(first, expected);
    let list = "n,tls,tls.version,date";
    let table = kafscope(
        &["list", &tls, "--columns", list, "--sort", "-tls_suite"],
        "",
    );
    let row = table.stdout.lines().nth(1).unwrap().to_owned();
    let cells: Vec<&str> = row.split("  ").filter(|cell| !cell.is_empty()).collect();
    let whole = format!("{version} {suite}");
    assert_eq!(cells, ["1", &whole, version, "2026-11-29"]);
    let wrong = kafscope(&["list", &tls, "--columns", "zzz"], "").stderr;
    for name in ["tls_version", "client_host", "date", "body.Topics"] {
        assert!(wrong.contains(name), "{wrong}");
    }
}

#[test]
fn rows_of_several_days_have_their_day() {
    let mut traffic = Traffic::new();
    for _ in 0..2 {
        let request = json!({"GroupId": "g"});
        traffic.exchange(1, "app", ("Heartbeat", 4), &request, &json!({}));
        traffic.wait(86_400_000_000);
    }
    let run = traffic.run(&["list"]);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert!(lines[0].starts_with("n  date        time "), "{}", lines[0]);
    let days: Vec<&str> = lines[1..].iter().map(|line| &line[3..13]).collect();
    assert_eq!(days, ["2026-10-26", "2026-10-27"]);
    assert_eq!(run.stderr, "");
    let chosen = traffic.run(&["list", "--columns", "n,time"]);
    assert!(
        chosen.stderr.contains("--columns +date"),
        "{}",
        chosen.stderr
    );
    let one = traffic.run(&["list", "--limit", "1"]).stdout;
    assert!(one.starts_with("n  time "), "{one}");
}

#[test]
fn a_response_without_request_has_its_errors_if_it_can_be_of_one_api_only() {
    let mut traffic = Traffic::new();
    let heartbeat = |traffic: &mut Traffic| {
        let request = json!({"GroupId": "g"});
        traffic.exchange(1, "app", ("Heartbeat", 4), &request, &json!({}));
    };
    heartbeat(&mut traffic);
    traffic.lose(1, Direction::Request, 60);
    let values = json!({
        "Brokers": [{"NodeId": 1, "Host": "broker", "Port": 9092}],
        "Topics": [{"Name": "orders", "ErrorCode": 3}],
    });
    traffic.answer_unheard(1, ("Metadata", 4), &values);
    for _ in 0..3 {
        heartbeat(&mut traffic);
    }
    let filter = r#""UNKNOWN_TOPIC_OR_PARTITION" in errors"#;
    let found = traffic.json(&["list", "--filter", filter]);
    assert_eq!(found.len(), 1, "{}", traffic.run(&["list"]).stdout);
    assert_eq!(found[0]["request"], Json::Null);
    assert_eq!(found[0]["topics"], json!(["orders"]));
}

#[test]
fn a_narrow_terminal_names_the_columns_that_it_has_no_room_for() {
    let narrow = Terminal::start(&["list", "samples/topics.pcap"], 80, 60);
    let screen = narrow.wait_for("--wide shows all columns");
    assert!(
        screen.contains("no room for conn, client, server"),
        "{screen}"
    );
    let pipe = kafscope(&["list", "samples/topics.pcap"], "");
    assert!(!pipe.stdout.contains("--wide") && pipe.stderr.is_empty());
}

#[test]
fn columns_are_fields_of_messages() {
    let list =
        "n,request.body.TopicData[].Name,body.Acks,request.body.TopicData[0].PartitionData.Index";
    let filter = "api == \"Produce\"";
    let rows = lines(&[
        "list",
        "--json",
        &capture(),
        "--columns",
        list,
        "--filter",
        filter,
    ]);
    assert!(rows.len() > 3);
    for row in rows {
        let n = row["n"].to_string();
        let value = lines(&["show", "--json", "--request", &capture(), &n])[0]["value"].clone();
        let topics = value["TopicData"].as_array().unwrap();
        let names: Vec<Json> = topics.iter().map(|topic| topic["Name"].clone()).collect();
        let indexes = topics[0]["PartitionData"].as_array().unwrap();
        let indexes: Vec<Json> = indexes.iter().map(|p| p["Index"].clone()).collect();
        assert_eq!(row["request.body.TopicData[].Name"], json!(names));
        assert_eq!(row["body.Acks"], value["Acks"]);
        let last = row.as_object().unwrap().values().next_back().unwrap();
        assert_eq!(*last, json!(indexes));
    }
}

#[test]
fn the_usual_columns_are_the_usual_table() {
    let usual = kafscope(&["list", &capture()], "");
    let all = "n,time,conn,client,server,api,v,client_id,topics,bytes,latency,error";
    let chosen = kafscope(&["list", &capture(), "--columns", all], "");
    assert_eq!(chosen.stdout, usual.stdout);
    let filtered = kafscope(&["list", &capture(), "--filter", "true"], "");
    assert_eq!(filtered.stdout, usual.stdout);
}

#[test]
fn orders_are_stable_and_limits_come_last() {
    let all = lines(&["list", "--json", &capture()]);
    let numbers = |args: &[&str]| -> Vec<u64> {
        let file = capture();
        let args: Vec<&str> = ["list", "--json", &file]
            .iter()
            .chain(args)
            .copied()
            .collect();
        lines(&args)
            .iter()
            .map(|line| line["n"].as_u64().unwrap())
            .collect()
    };
    let mut sorted: Vec<&Json> = all.iter().collect();
    sorted.sort_by_key(|line| match line["latency_ms"].as_f64() {
        Some(ms) => (false, (-ms * 1e6) as i64),
        None => (true, 0),
    });
    let expected: Vec<u64> = sorted
        .iter()
        .map(|line| line["n"].as_u64().unwrap())
        .collect();
    assert_eq!(numbers(&["--sort", "-latency"]), expected);
    assert_eq!(
        numbers(&["--sort", "latency_ms:desc", "--limit", "5"]),
        expected[..5]
    );
    let mut by_api: Vec<&Json> = all.iter().collect();
    by_api.sort_by_key(|line| line["api"].as_str().unwrap_or("~"));
    let expected: Vec<u64> = by_api
        .iter()
        .map(|line| line["n"].as_u64().unwrap())
        .collect();
    assert_eq!(numbers(&["--sort=api"]), expected);
    assert_eq!(numbers(&["--limit", "3"]), [1, 2, 3]);
    assert_eq!(numbers(&["--limit", "0"]), [0_u64; 0]);
    let odd = numbers(&["--filter", "n % 2 == 1", "--limit", "2"]);
    assert_eq!(odd, [1, 3]);
    let last = numbers(&["--filter", "n % 2 == 1", "--sort=-n", "--limit=2"]);
    assert_eq!(last, [131, 129]);
}

#[test]
fn a_pipe_is_filtered_row_by_row() {
    let bytes = std::fs::read(path("samples/topics.pcap")).unwrap();
    for args in [
        &["list", "-", "--filter", "errors.size() > 0", "--json"][..],
        &["list", "-", "--sort", "-latency", "--json"],
        &["list", "-", "--limit", "2", "--columns", "n,api"],
    ] {
        let piped = kafscope(args, &bytes);
        let file = path("samples/topics.pcap");
        let mut args = args.to_vec();
        args[1] = file.to_str().unwrap();
        assert_eq!(piped.stdout, kafscope(&args, "").stdout, "{args:?}");
    }
}

#[test]
fn show_takes_filters_and_ranges() {
    let numbers = |args: &[&str]| {
        let file = capture();
        let args: Vec<&str> = ["show", &file].iter().chain(args).copied().collect();
        let run = kafscope(&args, "");
        let titles = run.stdout.lines().filter_map(|line| {
            let rest = line.strip_prefix("exchange ")?;
            rest.split(':').next()?.parse::<u32>().ok()
        });
        (titles.collect::<Vec<_>>(), run.status, run.stderr)
    };
    assert_eq!(numbers(&["3-5", "12"]).0, [3, 4, 5, 12]);
    assert_eq!(numbers(&["--filter", "n < 4"]).0, [1, 2, 3]);
    assert_eq!(numbers(&["2-6", "--filter", "n % 2 == 0"]).0, [2, 4, 6]);
    let (shown, status, stderr) = numbers(&["131-140"]);
    assert_eq!((shown.as_slice(), status), ([131, 132].as_slice(), 1));
    assert!(stderr.contains("exchanges 133 to 140"), "{stderr}");
    assert_eq!(numbers(&["5-3"]).1, 2);
    let (shown, status, stderr) = numbers(&["--filter", "n == 0"]);
    assert_eq!((shown.len(), status), (0, 1));
    assert!(stderr.contains("none of 132"), "{stderr}");
}

#[test]
fn a_mistake_is_told_before_anything_is_read() {
    for args in [
        &["list", "no-such-file", "--filter", "latncy_ms > 1"][..],
        &["show", "no-such-file", "--filter", "latncy_ms > 1"],
        &["list", "no-such-file", "--columns", "latncy_ms"],
        &["list", "no-such-file", "--sort", "latncy_ms"],
    ] {
        let run = kafscope(args, "");
        assert_eq!(run.status, 2);
        let lines: Vec<&str> = run.stderr.lines().collect();
        let [said, text, carets] = lines[..] else {
            panic!("{}", run.stderr);
        };
        assert!(said.contains(args[2]) && said.contains("did you mean latency_ms?"));
        assert_eq!(text.trim(), args[3]);
        assert_eq!(carets.trim(), "^^^^^^^^^");
    }
}

/// A capture of the sample behind which 80 MB of other packets follow.
fn long_capture(directory: &std::path::Path) -> String {
    let mut bytes = std::fs::read(path("samples/topics.pcap")).unwrap();
    let len = 60_000_u32;
    let mut record = bytes[24..32].to_vec();
    record.extend([len.to_le_bytes(), len.to_le_bytes()].concat());
    record.resize(16 + len as usize, 0xff);
    bytes.extend(record.repeat(80_000_000 / len as usize));
    let file = directory.join("long.pcap");
    std::fs::write(&file, bytes).unwrap();
    file.to_str().unwrap().to_owned()
}

#[test]
fn what_is_read_only_up_to_the_limit_is_the_same() {
    let directory = tempfile::tempdir().unwrap();
    let long = long_capture(directory.path());
    let short = path("samples/topics.pcap");
    let short = short.to_str().unwrap();
    for args in [
        &["list", "--json", "--limit", "3"][..],
        &[
            "list",
            "--json",
            "--limit",
            "2",
            "--filter",
            "size(errors) > 0",
        ],
        &["list", "--limit", "4"],
        &["show", "2"],
    ] {
        let on = |file| {
            let mut args = args.to_vec();
            args.insert(1, file);
            let run = kafscope(&args, "");
            assert_eq!(run.status, 0, "{args:?}: {}", run.stderr);
            run.stdout
        };
        let found = on(&long);
        assert!(!found.is_empty());
        assert_eq!(found, on(short), "{args:?}");
    }
}

#[test]
fn a_damaged_size_is_a_problem_of_its_response_alone() {
    use crate::traffic::{Traffic, lines, values};

    let mut traffic = Traffic::new();
    for _ in 0..2 {
        traffic.ask(1, "app", ("ListGroups", 0), &serde_json::json!({}));
    }
    let answer = |id: u8| [&[0, 0, 0, 10, 0, 0, 0, id][..], &[0; 6]].concat();
    let mut answers = [answer(1), answer(2)].concat();
    answers[3] += 14;
    traffic.send(1, Direction::Response, &answers);
    let lines = lines(&traffic.run(&["list", "--json"]));
    let sizes = values(&lines, "exchange", "response");
    let sizes: Vec<u64> = sizes
        .iter()
        .map(|side| side["size"].as_u64().unwrap())
        .collect();
    assert_eq!(sizes, [14, 14]);
    assert_eq!(lines[0]["problems"][0]["code"], "frame-size");
    assert_eq!(lines[1]["problems"], serde_json::json!([]));
}
