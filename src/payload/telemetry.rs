//! Metrics that clients push (KIP-714): OTLP, that is `opentelemetry.proto.metrics.v1.MetricsData`.
//!
//! The messages are a table; what is not in it stays bytes. A value takes its tag and length with
//! it, so that a field is one node.

use super::{
    limits,
    protobuf::{Wire, field},
};
use crate::{
    event::{
        Code, Meaning, Node, Place, Prefix, Role, Section, Severity, Shape, Sink, Value, Walker,
    },
    wire::{Cursor, Span},
};

/// The name of the structure.
pub const METRICS: &str = "MetricsData";

/// How a field of a message is read.
#[derive(Clone, Copy)]
enum Kind {
    Message(&'static Message),
    Text,
    Int,
    /// A varint that is zig-zag encoded.
    Signed,
    Bool,
    /// Eight bytes, a little-endian integer.
    Fixed,
    /// Eight bytes, a double.
    Double,
    /// Nanoseconds since 1970, eight bytes.
    Time,
    Bytes,
}

struct Message {
    name: &'static str,
    fields: &'static [(u64, &'static str, Kind)],
}

use Kind::{Bool, Bytes, Double, Fixed, Int, Signed, Text, Time};

macro_rules! messages {
    ($($id:ident $name:literal { $($number:literal $field:literal $kind:expr;)* })*) => {
        $(static $id: Message = Message {
            name: $name,
            fields: &[$(($number, $field, $kind)),*],
        };)*
    };
}

messages! {
    DATA "MetricsData" { 1 "resource_metrics" Kind::Message(&RESOURCE_METRICS); }
    RESOURCE_METRICS "ResourceMetrics" {
        1 "resource" Kind::Message(&RESOURCE);
        2 "scope_metrics" Kind::Message(&SCOPE_METRICS);
        3 "schema_url" Text;
    }
    RESOURCE "Resource" {
        1 "attributes" Kind::Message(&KEY_VALUE);
        2 "dropped_attributes_count" Int;
    }
    SCOPE_METRICS "ScopeMetrics" {
        1 "scope" Kind::Message(&SCOPE);
        2 "metrics" Kind::Message(&METRIC);
        3 "schema_url" Text;
    }
    SCOPE "InstrumentationScope" {
        1 "name" Text;
        2 "version" Text;
        3 "attributes" Kind::Message(&KEY_VALUE);
        4 "dropped_attributes_count" Int;
    }
    METRIC "Metric" {
        1 "name" Text;
        2 "description" Text;
        3 "unit" Text;
        5 "gauge" Kind::Message(&GAUGE);
        7 "sum" Kind::Message(&SUM);
        9 "histogram" Kind::Message(&HISTOGRAM);
        10 "exponential_histogram" Kind::Message(&EXPONENTIAL);
        11 "summary" Kind::Message(&SUMMARY);
        12 "metadata" Kind::Message(&KEY_VALUE);
    }
    GAUGE "Gauge" { 1 "data_points" Kind::Message(&NUMBER); }
    SUM "Sum" {
        1 "data_points" Kind::Message(&NUMBER);
        2 "aggregation_temporality" Int;
        3 "is_monotonic" Bool;
    }
    HISTOGRAM "Histogram" {
        1 "data_points" Kind::Message(&BUCKETS);
        2 "aggregation_temporality" Int;
    }
    NUMBER "NumberDataPoint" {
        2 "start_time_unix_nano" Time;
        3 "time_unix_nano" Time;
        4 "as_double" Double;
        5 "exemplars" Kind::Message(&EXEMPLAR);
        6 "as_int" Fixed;
        7 "attributes" Kind::Message(&KEY_VALUE);
        8 "flags" Int;
    }
    BUCKETS "HistogramDataPoint" {
        2 "start_time_unix_nano" Time;
        3 "time_unix_nano" Time;
        4 "count" Fixed;
        5 "sum" Double;
        6 "bucket_counts" Bytes;
        7 "explicit_bounds" Bytes;
        8 "exemplars" Kind::Message(&EXEMPLAR);
        9 "attributes" Kind::Message(&KEY_VALUE);
        10 "flags" Int;
        11 "min" Double;
        12 "max" Double;
    }
    EXPONENTIAL "ExponentialHistogram" {
        1 "data_points" Kind::Message(&EXPONENTIAL_POINT);
        2 "aggregation_temporality" Int;
    }
    EXPONENTIAL_POINT "ExponentialHistogramDataPoint" {
        1 "attributes" Kind::Message(&KEY_VALUE);
        2 "start_time_unix_nano" Time;
        3 "time_unix_nano" Time;
        4 "count" Fixed;
        5 "sum" Double;
        6 "scale" Signed;
        7 "zero_count" Fixed;
        8 "positive" Kind::Message(&RANGE);
        9 "negative" Kind::Message(&RANGE);
        10 "flags" Int;
        11 "exemplars" Kind::Message(&EXEMPLAR);
        12 "min" Double;
        13 "max" Double;
        14 "zero_threshold" Double;
    }
    RANGE "Buckets" {
        1 "offset" Signed;
        2 "bucket_counts" Bytes;
    }
    SUMMARY "Summary" { 1 "data_points" Kind::Message(&SUMMARY_POINT); }
    SUMMARY_POINT "SummaryDataPoint" {
        2 "start_time_unix_nano" Time;
        3 "time_unix_nano" Time;
        4 "count" Fixed;
        5 "sum" Double;
        6 "quantile_values" Kind::Message(&QUANTILE);
        7 "attributes" Kind::Message(&KEY_VALUE);
        8 "flags" Int;
    }
    QUANTILE "ValueAtQuantile" {
        1 "quantile" Double;
        2 "value" Double;
    }
    EXEMPLAR "Exemplar" {
        2 "time_unix_nano" Time;
        3 "as_double" Double;
        4 "span_id" Bytes;
        5 "trace_id" Bytes;
        6 "as_int" Fixed;
        7 "filtered_attributes" Kind::Message(&KEY_VALUE);
    }
    KEY_VALUE "KeyValue" {
        1 "key" Text;
        2 "value" Kind::Message(&ANY_VALUE);
    }
    ANY_VALUE "AnyValue" {
        1 "string_value" Text;
        2 "bool_value" Bool;
        3 "int_value" Int;
        4 "double_value" Double;
        5 "array_value" Kind::Message(&ARRAY_VALUE);
        6 "kvlist_value" Kind::Message(&LIST_VALUE);
        7 "bytes_value" Bytes;
    }
    ARRAY_VALUE "ArrayValue" { 1 "values" Kind::Message(&ANY_VALUE); }
    LIST_VALUE "KeyValueList" { 1 "values" Kind::Message(&KEY_VALUE); }
}

/// Fields that come any number of times, or of which that is not known.
const REPEATED: &[&str] = &[
    "resource_metrics",
    "scope_metrics",
    "metrics",
    "attributes",
    "metadata",
    "data_points",
    "exemplars",
    "filtered_attributes",
    "quantile_values",
    "values",
];

impl Message {
    fn field(&self, number: u64) -> Option<(&'static str, Kind)> {
        let &(_, name, kind) = self.fields.iter().find(|&&(known, _, _)| known == number)?;
        Some((name, kind))
    }
}

/// Whether `bytes` are metrics from the first to the last.
pub fn are_metrics(bytes: &[u8]) -> bool {
    let cursor = Cursor::new(bytes, crate::wire::BufferId::FRAME);
    !bytes.is_empty() && fits(&DATA, 0, cursor)
}

fn fits(message: &Message, depth: u32, mut cursor: Cursor<'_>) -> bool {
    while cursor.left() > 0 {
        let Some(field) = field(&mut cursor) else {
            return false;
        };
        let is_right = match (message.field(field.number), field.value) {
            // Unknown fields are for a newer reader; a whole message of them is something else.
            (None, _) => depth > 0,
            (Some((_, Kind::Message(inner))), Wire::Bytes(content)) => {
                depth >= limits::NESTING || fits(inner, depth + 1, content)
            }
            (Some((_, Text)), Wire::Bytes(text)) => std::str::from_utf8(text.rest()).is_ok(),
            (Some((_, Bytes)), _) => true,
            (Some((_, Int | Signed | Bool)), Wire::Varint(_)) => true,
            (Some((_, Fixed | Double | Time)), Wire::Fixed64(_)) => true,
            _ => false,
        };
        if !is_right {
            return false;
        }
    }
    true
}

/// Reads all of the window as metrics.
pub fn metrics<S: Sink>(walker: &mut Walker<'_, S>, cursor: &mut Cursor<'_>) {
    let mut budget = limits::NODES;
    content(walker, &DATA, 0, &mut budget, cursor);
    if budget == 0 && cursor.left() > 0 {
        let span = Span::new(cursor.buffer(), cursor.at(), cursor.end());
        let message = format!("metrics behind {} nodes are not shown", limits::NODES);
        walker.problem(Severity::Note, Code::Bound, Place::Here, span, message);
    }
}

fn content<S: Sink>(
    walker: &mut Walker<'_, S>,
    message: &Message,
    depth: u32,
    budget: &mut usize,
    cursor: &mut Cursor<'_>,
) {
    // How often each repeated field has come; the tables are short.
    let mut counts = [0u32; 16];
    let mut n_unknown = 0;
    while cursor.left() > 0 && *budget > 0 {
        let from = cursor.at();
        let mut ahead = *cursor;
        let Some(found) = field(&mut ahead) else {
            return;
        };
        *budget -= 1;
        let (name, kind) = message
            .field(found.number)
            .unwrap_or(("unknown_fields", Bytes));
        let count = match name {
            "unknown_fields" => Some(&mut n_unknown),
            _ if REPEATED.contains(&name) => counts.get_mut(found.number as usize % 16),
            _ => None,
        };
        let index = count.map(|count| {
            *count += 1;
            *count - 1
        });
        let node = Node {
            index,
            ..node(name, "bytes")
        };
        let span = ahead.since(from);
        match (kind, found.value) {
            (Kind::Message(inner), Wire::Bytes(mut within)) if depth < limits::NESTING => {
                let shape = Shape::Struct {
                    ty: inner.name,
                    present: true,
                };
                let head = Span::new(span.buffer, from, within.at());
                let node = Node { shape, ..node };
                let _ = walker.compound_from(&node, from, &mut within, |walker, within| {
                    tag(walker, head, cursor);
                    content(walker, inner, depth + 1, budget, within);
                    walker.undecoded(within, node.section);
                    Ok(())
                });
            }
            (kind, value) => {
                let all = cursor.rest().get(..span.len).unwrap_or_default();
                let (ty, value) = scalar(kind, value, all);
                let shape = Shape::Leaf { ty };
                walker.value(&Node { shape, ..node }, value, span);
            }
        }
        *cursor = ahead;
    }
}

/// Number and length in front of a message.
fn tag<S: Sink>(walker: &mut Walker<'_, S>, span: Span, cursor: &Cursor<'_>) {
    let bytes = cursor.rest().get(..span.len).unwrap_or_default();
    let value = Value::Bytes(bytes, Prefix::None);
    let (role, section) = (Role::Encoding, Section::Request);
    walker.encoding("tag", "bytes", role, section, value, span);
}

/// The value of a field; what is written in another way than the table says stays bytes.
fn scalar<'a>(kind: Kind, value: Wire<'a>, all: &'a [u8]) -> (&'static str, Value<'a>) {
    match (kind, value) {
        (Text, Wire::Bytes(text)) => ("string", Value::String(text.rest(), Prefix::None)),
        (Int, Wire::Varint(number)) => ("varint", Value::Int64(number.cast_signed())),
        (Signed, Wire::Varint(number)) => (
            "zigzag varint",
            Value::Int64((number >> 1).cast_signed() ^ -(number & 1).cast_signed()),
        ),
        (Bool, Wire::Varint(number)) => ("bool", Value::Bool(number != 0)),
        (Double, Wire::Fixed64(bytes)) => ("double", Value::Float64(f64::from_le_bytes(bytes))),
        (Fixed | Time, Wire::Fixed64(bytes)) => {
            ("fixed64", Value::Int64(i64::from_le_bytes(bytes)))
        }
        (_, Wire::Bytes(content)) => ("bytes", Value::Bytes(content.rest(), Prefix::None)),
        _ => ("bytes", Value::Bytes(all, Prefix::None)),
    }
}

fn node(name: &'static str, ty: &'static str) -> Node {
    Node {
        name,
        index: None,
        shape: Shape::Leaf { ty },
        role: Role::Plain,
        meaning: Meaning::Plain,
        section: Section::Request,
        about: match name {
            "name" => "name of the metric or of the library that measures it",
            "start_time_unix_nano" => {
                "start of the time that the value is for, nanoseconds since 1970"
            }
            "time_unix_nano" => "end of the time that the value is for, nanoseconds since 1970",
            "aggregation_temporality" => "1: since the last push, 2: since the start",
            "is_monotonic" => "whether the value only rises",
            "bucket_counts" => {
                "observations in each bucket: eight bytes little-endian, varints where the \
                 histogram is exponential"
            }
            "scale" => "each bucket is 2^(2^-scale) times as wide as the one before",
            "zero_count" => "observations that are zero, or within the threshold of it",
            "quantile" => "from 0, the smallest observation, to 1, the largest",
            "explicit_bounds" => "upper bounds of the buckets, doubles little-endian",
            "unknown_fields" => "a field that is not looked into",
            _ => "",
        },
    }
}
