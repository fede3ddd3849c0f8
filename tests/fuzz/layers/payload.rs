//! What bytes fields hold: a first byte says what they are said to be.

use kafscope::{
    decode::{content, sasl_token},
    event::{Context, Topic},
    payload::{Reading, Token, are_metrics, guess, key, named_content, reading, value},
    schema::Inside,
};

use crate::audit::Audit;

const NAMES: [&str; 9] = [
    "ConsumerProtocolSubscription",
    "ConsumerProtocolAssignment",
    "ConnectProtocolMetadata",
    "ConnectProtocolAssignment",
    "DefaultPrincipalData",
    "MetadataRecord",
    "RemoteLogMetadataRecord",
    "SaslToken",
    "MetricsData",
];

const INSIDES: [Inside; 9] = [
    Inside::Subscription,
    Inside::Assignment,
    Inside::SubscriptionUserData,
    Inside::Allocation,
    Inside::Request,
    Inside::Response,
    Inside::Principal,
    Inside::Sasl,
    Inside::Telemetry,
];

const TOPICS: [Topic; 6] = [
    Topic::Ordinary,
    Topic::ConsumerOffsets,
    Topic::TransactionState,
    Topic::ShareGroupState,
    Topic::ClusterMetadata,
    Topic::RemoteLogMetadata,
];

pub(super) fn run(data: &[u8]) {
    let Some((&kind, bytes)) = data.split_first() else {
        return;
    };
    let which = usize::from(kind & 0x3f);
    let found = match kind >> 6 {
        0 => {
            let name = NAMES[which % NAMES.len()];
            named_content(name, bytes).unwrap()
        }
        1 => reading(INSIDES[which % INSIDES.len()], Context::default(), bytes),
        2 => key(TOPICS[which % TOPICS.len()], bytes),
        _ => {
            // The key of a record stands before its value.
            let (key, _) = bytes.split_at(bytes.len().min(which % 16));
            value(TOPICS[which % TOPICS.len()], Some(key), bytes)
        }
    };
    let mut audit = Audit::new(bytes.len());
    content("content", found.clone(), bytes, &mut audit);
    audit.finish();
    if let Reading::Sasl(token) = found {
        assert_eq!(Token::of(bytes), Some(token));
    }
    let mut audit = Audit::new(bytes.len());
    sasl_token(kafscope::decode::Framing::Bare, bytes, &mut audit);
    audit.finish();
    let _ = guess(bytes);
    let _ = are_metrics(bytes);
}
