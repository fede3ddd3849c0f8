//! Bytes that somebody cut out by hand: messages and structures as `decode` reads them.

use std::{io::Write, path::Path};

use anyhow::anyhow;

use super::{
    counted::{Counted, Counter},
    document::Document,
    shared_name,
};
use crate::{
    cli::{
        Outcome,
        args::{DecodeArgs, ExportArgs, Format},
        decode::{self, Read},
        output::{self, Output},
    },
    hextext::Place,
    render::{Cut, Fact, JsonLine, Sheet, Wording, write_json},
    tree::Tree,
};

pub(super) fn run(
    args: &ExportArgs,
    path: &Path,
    format: Format,
    output: &mut Output,
) -> anyhow::Result<Outcome> {
    if args.response && (args.api.is_none() || args.version.is_none()) {
        return Err(anyhow!(
            "--response needs --api and --version, which say what the responses answer"
        ));
    }
    let decode = DecodeArgs {
        input: path.to_owned(),
        request: args.request,
        response: args.response,
        api: args.api.clone(),
        version: args.version,
        structure: args.structure.clone(),
        show_secrets: args.show_secrets,
        json: format == Format::Json,
        ..DecodeArgs::default()
    };
    match (format, Document::of(format)) {
        (_, Some(document)) => write(args, &decode, path, format, document, output),
        (Format::Json, _) => json(args, &decode, output),
        _ => Err(anyhow!(
            "{} is no capture, and CSV, Parquet and smaller captures are made of the exchanges of captures",
            path.display()
        )),
    }
}

fn json(args: &ExportArgs, decode: &DecodeArgs, output: &mut Output) -> anyhow::Result<Outcome> {
    let mut lines = Vec::new();
    let outcome = decode::each(decode, output, &mut |read, _| {
        write_json(
            &mut lines,
            &JsonLine {
                places: read.places,
                shows_tree: args.tree,
                ..JsonLine::new(read.tree, read.head)
            },
        )?;
        lines.push(b'\n');
        Ok(())
    })?;
    let mut target = args.target(output)?;
    target.write_all(&lines)?;
    target.finish()?;
    Ok(outcome)
}

/// A message that waits until it is known whether it is the only one.
struct Waiting {
    tree: Tree,
    title: String,
    facts: Vec<Fact>,
    places: Option<Vec<Place>>,
}

impl Waiting {
    fn new(read: &Read<'_>, args: &ExportArgs) -> Waiting {
        let sheet = Sheet::new(read.tree, read.head, args.cut());
        Waiting {
            tree: read.tree.clone(),
            title: sheet.title,
            facts: sheet.facts,
            places: read.places.map(<[Place]>::to_vec),
        }
    }

    fn sheet(&self, anchor: String, title: String, cut: Cut) -> Sheet<'_> {
        Sheet {
            tree: &self.tree,
            title,
            facts: self.facts.clone(),
            anchor,
            wording: Wording::Counted,
            cut,
            places: self.places.as_deref(),
        }
    }
}

fn write(
    args: &ExportArgs,
    decode: &DecodeArgs,
    path: &Path,
    format: Format,
    mut document: Document,
    output: &mut Output,
) -> anyhow::Result<Outcome> {
    let name = shared_name(&[path.to_owned()]);
    let most = args.most(format);
    let mut messages: Vec<Waiting> = Vec::new();
    let mut n_messages = 0_usize;
    let outcome = decode::each(decode, output, &mut |read, _| {
        n_messages += 1;
        if n_messages <= most {
            messages.push(Waiting::new(read, args));
        }
        Ok(())
    })?;
    if messages.is_empty() && n_messages == 0 {
        return Ok(outcome);
    }
    let left_out = n_messages - messages.len();
    let mut written = Counter::default();
    let mut target = args.target(output)?;
    output::stream(&mut target, |out| {
        let out = &mut Counted(out, &mut written);
        let is_alone = n_messages == 1;
        let title = match messages.first() {
            Some(first) if is_alone => first.title.clone(),
            _ => format!("{n_messages} messages"),
        };
        document.open(out, &title, &[Fact::new("From", &name)])?;
        for (number, message) in (1..).zip(&messages) {
            let (anchor, title) = match is_alone {
                true => (String::new(), String::new()),
                false => (format!("m{number}"), message.title.clone()),
            };
            document.message(out, &message.sheet(anchor, title, args.cut()), 2)?;
        }
        if left_out > 0 {
            document.remark(out, &left_out_remark(left_out))?;
        }
        document.close(out)
    })?;
    target.finish()?;
    if left_out > 0 {
        output.remark(&left_out_remark(left_out));
    }
    if format == Format::Markdown {
        written.complain(output);
    }
    Ok(outcome)
}

fn left_out_remark(n: usize) -> String {
    format!("{n} more messages are left out; --messages all writes out all of them")
}
