//! Every error code, with what it means and what to do about it.

/// What is known of one error.
#[derive(Debug)]
pub(super) struct Row {
    pub code: i16,
    pub name: &'static str,
    pub retriable: bool,
    /// One sentence.
    pub meaning: &'static str,
    /// One sentence on what to do.
    pub advice: &'static str,
    /// The improvement proposal or release that brought it; may be empty.
    pub since: &'static str,
}

macro_rules! errors {
    ($($code:literal $name:ident $retriable:literal $meaning:literal $advice:literal $since:literal)*) => {
        /// Sorted by code, without gaps from -1.
        pub(super) const ERRORS: &[Row] = &[$(Row {
            code: $code,
            name: stringify!($name),
            retriable: $retriable,
            meaning: $meaning,
            advice: $advice,
            since: $since,
        },)*];
    };
}

errors! {
    -1 UNKNOWN_SERVER_ERROR false
        "The broker failed in a way that it has no code for."
        "Read the broker's log at this time; a retry helps only if the fault was a passing one."
        ""
    0 NONE false
        "All went well."
        "Nothing needs to be done."
        ""
    1 OFFSET_OUT_OF_RANGE false
        "The offset asked for is below the first or beyond the last that the partition holds."
        "Let the consumer reset its position (auto.offset.reset), and check whether retention or an unclean election removed what it had yet to read."
        ""
    2 CORRUPT_MESSAGE true
        "A record batch did not match its checksum, or was malformed or too large to be trusted."
        "Send or fetch again; if it stays, look for a faulty disk, memory or proxy, or for a client that builds batches wrongly."
        ""
    3 UNKNOWN_TOPIC_OR_PARTITION true
        "This broker knows no such topic or partition, or does not host it."
        "Refresh metadata and retry; if it stays, check the topic's name, whether it exists, and whether the client may describe it."
        ""
    4 INVALID_FETCH_SIZE false
        "The request asked for a negative or otherwise impossible number of bytes."
        "Correct the fetch size that the client sends."
        ""
    5 LEADER_NOT_AVAILABLE true
        "The partition has no leader at the moment, as right after creation or during an election."
        "Wait a moment, refresh metadata and retry; if it stays, look for brokers that are down."
        ""
    6 NOT_LEADER_OR_FOLLOWER true
        "The broker that was asked does not lead the partition, or holds no replica that could answer."
        "Refresh metadata and send to the new leader; standard clients do so by themselves."
        ""
    7 REQUEST_TIMED_OUT true
        "The broker could not finish the request within the time that it allowed."
        "Retry, knowing that the work may have been done; look for slow replicas or an overloaded broker, or raise the timeout."
        ""
    8 BROKER_NOT_AVAILABLE false
        "The broker that is needed is not available."
        "Check that all brokers are up and reachable."
        ""
    9 REPLICA_NOT_AVAILABLE true
        "The replica that was asked for is not there, or not yet usable."
        "Refresh metadata and retry."
        ""
    10 MESSAGE_TOO_LARGE false
        "A record batch is larger than the topic or broker takes."
        "Make batches smaller (batch.size, max.request.size) or raise max.message.bytes on the topic."
        ""
    11 STALE_CONTROLLER_EPOCH false
        "The request came from a controller that has been replaced."
        "Nothing, if a controller change has just happened; otherwise look for two nodes that both believe to be controller."
        ""
    12 OFFSET_METADATA_TOO_LARGE false
        "The metadata text that goes with a committed offset is too long."
        "Commit less metadata, or raise offset.metadata.max.bytes."
        ""
    13 NETWORK_EXCEPTION true
        "The connection broke before an answer came: clients make this code up. Only brokers of 0.8 send it, to a controller, as StaleLeaderEpochCode: its leader epoch is out of date."
        "Check the network and the broker, then retry."
        ""
    14 COORDINATOR_LOAD_IN_PROGRESS true
        "The coordinator is still reading its partition of the internal topic and cannot answer yet."
        "Wait a moment and retry."
        ""
    15 COORDINATOR_NOT_AVAILABLE true
        "No coordinator is available, often because the internal topic does not exist yet or has no leader."
        "Retry after looking up the coordinator again; if it stays, check __consumer_offsets or __transaction_state and its replication factor."
        ""
    16 NOT_COORDINATOR true
        "The broker that was asked is not the coordinator of this group or transactional id."
        "Look up the coordinator with FindCoordinator and send there."
        ""
    17 INVALID_TOPIC_EXCEPTION false
        "The name is no legal topic name, or that of an internal topic that clients may not touch so."
        "Use letters, digits, dot, underscore and hyphen only, 249 at most, and leave internal topics alone."
        ""
    18 RECORD_LIST_TOO_LARGE false
        "The batch is larger than a whole log segment."
        "Send smaller batches, or raise segment.bytes."
        ""
    19 NOT_ENOUGH_REPLICAS true
        "Fewer replicas are in sync than min.insync.replicas demands, so nothing was written."
        "Bring the missing replicas back; the producer may retry meanwhile."
        ""
    20 NOT_ENOUGH_REPLICAS_AFTER_APPEND true
        "The records were written, but replicas fell out of sync before enough of them had confirmed."
        "Retry, which may write duplicates unless the producer is idempotent, and bring the missing replicas back."
        ""
    21 INVALID_REQUIRED_ACKS false
        "The number of acknowledgements asked for is not 0, 1 or -1."
        "Set acks to 0, 1 or all."
        ""
    22 ILLEGAL_GENERATION false
        "The generation that the member names is not the group's current one: a rebalance has gone on without it."
        "Rejoin the group; if it recurs, the member processes too long between polls or misses heartbeats."
        ""
    23 INCONSISTENT_GROUP_PROTOCOL false
        "The member's protocol type or assignment strategies have nothing in common with the rest of the group."
        "Give all members of the group a common assignor, and do not mix kinds of clients under one group id."
        ""
    24 INVALID_GROUP_ID false
        "The group id is empty or otherwise illegal here."
        "Set group.id."
        ""
    25 UNKNOWN_MEMBER_ID false
        "The coordinator does not know this member: it was removed, or never joined."
        "Rejoin with an empty member id; if it recurs, look at session.timeout.ms and max.poll.interval.ms."
        ""
    26 INVALID_SESSION_TIMEOUT false
        "The session timeout lies outside what the broker allows."
        "Keep it between group.min.session.timeout.ms and group.max.session.timeout.ms."
        ""
    27 REBALANCE_IN_PROGRESS false
        "The group is rebalancing, so the member has to join again."
        "Rejoin the group; consumers do so by themselves."
        ""
    28 INVALID_COMMIT_OFFSET_SIZE false
        "The offset commit is too large to be stored."
        "Commit fewer partitions at a time, or less metadata."
        ""
    29 TOPIC_AUTHORIZATION_FAILED false
        "The principal may not do this to the topic."
        "Grant the ACL that is missing, or correct the credentials or the topic's name."
        ""
    30 GROUP_AUTHORIZATION_FAILED false
        "The principal may not use the group."
        "Grant READ on the group (DESCRIBE for looking at it), or correct the group id or credentials."
        ""
    31 CLUSTER_AUTHORIZATION_FAILED false
        "The principal may not do this to the cluster."
        "Grant the cluster operation that is missing, such as ALTER, CLUSTER_ACTION or IDEMPOTENT_WRITE."
        ""
    32 INVALID_TIMESTAMP false
        "A record's timestamp is too far from the broker's clock."
        "Correct the producer's clock or timestamps, or widen message.timestamp.before.max.ms and message.timestamp.after.max.ms."
        "KIP-32"
    33 UNSUPPORTED_SASL_MECHANISM false
        "The broker does not offer the SASL mechanism that the client chose."
        "Choose one of the mechanisms that the response lists, or enable it with sasl.enabled.mechanisms."
        "KIP-43"
    34 ILLEGAL_SASL_STATE false
        "The request came at the wrong point of the SASL exchange."
        "Look for a client that sends requests before it has authenticated, or that talks SASL to a listener without it."
        "KIP-43"
    35 UNSUPPORTED_VERSION false
        "The broker does not know this version of the API."
        "Use a version that the ApiVersions response lists; in ApiVersions itself the body is one of version 0."
        "KIP-35"
    36 TOPIC_ALREADY_EXISTS false
        "A topic of this name exists already."
        "Nothing, if the topic is as wanted; otherwise choose another name, and mind that dot and underscore collide."
        "KIP-4"
    37 INVALID_PARTITIONS false
        "The number of partitions is not positive, or is lower than what the topic has."
        "Ask for more partitions than there are; partitions cannot be removed."
        "KIP-4"
    38 INVALID_REPLICATION_FACTOR false
        "The replication factor is not positive, or larger than the number of usable brokers."
        "Lower the replication factor or bring brokers back."
        "KIP-4"
    39 INVALID_REPLICA_ASSIGNMENT false
        "The replica assignment is not consistent, or names brokers that do not exist."
        "Correct the list of replicas of each partition."
        "KIP-4"
    40 INVALID_CONFIG false
        "A configuration key or value is not acceptable."
        "Correct the entry that the error message names."
        "KIP-4"
    41 NOT_CONTROLLER true
        "The broker that was asked is not the active controller."
        "Refresh metadata and send to the controller."
        "KIP-4"
    42 INVALID_REQUEST false
        "The request contradicts itself or is not allowed in this state; the broker's log says why."
        "Compare the fields of the request with the API's rules; look for null or duplicate entries and for fields of another version."
        "KIP-4"
    43 UNSUPPORTED_FOR_MESSAGE_FORMAT false
        "The broker stores this topic in a message format too old for what was asked."
        "Upgrade the log's message format, or do without timestamps, headers or transactions there."
        "KIP-79"
    44 POLICY_VIOLATION false
        "The request breaks a policy that the operator of the cluster has installed."
        "Read the error message for the rule, and change the request."
        "KIP-108"
    45 OUT_OF_ORDER_SEQUENCE_NUMBER false
        "A batch's sequence number is not the one that follows the producer's last, so batches were lost or reordered."
        "Let the producer stop or be reset; look for lost batches, and for max.in.flight.requests.per.connection above 5."
        "KIP-98"
    46 DUPLICATE_SEQUENCE_NUMBER false
        "The batch has been written already."
        "Nothing: the first write counts."
        "KIP-98"
    47 INVALID_PRODUCER_EPOCH false
        "The producer's epoch is older than the one the broker knows."
        "Close this producer if another took its place; otherwise let it get a new epoch with InitProducerId."
        "KIP-98"
    48 INVALID_TXN_STATE false
        "The transaction is in a state that does not allow this step."
        "Abort and start over; look for a producer that goes on after commit, abort or a timeout."
        "KIP-98"
    49 INVALID_PRODUCER_ID_MAPPING false
        "The producer id is not the one that belongs to the transactional id, or has expired."
        "Get a producer id again with InitProducerId; check transactional.id.expiration.ms."
        "KIP-98"
    50 INVALID_TRANSACTION_TIMEOUT false
        "The transaction timeout is larger than the broker allows, or not positive."
        "Lower transaction.timeout.ms, or raise transaction.max.timeout.ms on the brokers."
        "KIP-98"
    51 CONCURRENT_TRANSACTIONS true
        "Another operation on the same transaction is still being completed."
        "Wait a little and retry."
        "KIP-98"
    52 TRANSACTION_COORDINATOR_FENCED false
        "The transaction marker came from a coordinator that has been replaced."
        "Nothing: the new coordinator finishes the transaction."
        "KIP-98"
    53 TRANSACTIONAL_ID_AUTHORIZATION_FAILED false
        "The principal may not use the transactional id."
        "Grant WRITE on the transactional id (DESCRIBE for looking at it), or correct it."
        "KIP-98"
    54 SECURITY_DISABLED false
        "The cluster has no authorizer, so there are no ACLs to look at or change."
        "Configure authorizer.class.name, or leave ACLs alone."
        "KIP-140"
    55 OPERATION_NOT_ATTEMPTED false
        "This part was not tried because another part of the request failed."
        "Look for the part with a different error, correct it and send all again."
        "KIP-98"
    56 KAFKA_STORAGE_ERROR true
        "The broker could not read or write its disk."
        "Refresh metadata and retry with the new leader; replace the disk or free space on the broker."
        "KIP-112"
    57 LOG_DIR_NOT_FOUND false
        "The broker has no log directory of this path."
        "Name one of the directories in log.dirs of that broker."
        "KIP-113"
    58 SASL_AUTHENTICATION_FAILED false
        "The credentials were refused."
        "Check user, password or token and the mechanism; retrying with the same ones does not help."
        "KIP-152"
    59 UNKNOWN_PRODUCER_ID false
        "The broker has no record of this producer id, as its records may have been removed by retention."
        "Upgrade the producer, since newer ones recover by themselves, or get a new producer id."
        "Kafka 1.0"
    60 REASSIGNMENT_IN_PROGRESS false
        "Partitions are being reassigned, which forbids this change for now."
        "Wait until the reassignment ends, or cancel it."
        "KIP-195"
    61 DELEGATION_TOKEN_AUTH_DISABLED false
        "The brokers have delegation tokens switched off."
        "Set delegation.token.secret.key on all brokers."
        "KIP-48"
    62 DELEGATION_TOKEN_NOT_FOUND false
        "There is no such delegation token."
        "Make a new one; it may have expired or been removed."
        "KIP-48"
    63 DELEGATION_TOKEN_OWNER_MISMATCH false
        "The principal neither owns the token nor may renew it."
        "Let the owner or a listed renewer ask."
        "KIP-48"
    64 DELEGATION_TOKEN_REQUEST_NOT_ALLOWED false
        "Tokens cannot be managed over this connection, as it is not authenticated, or is with a token itself."
        "Connect with SASL or two-way TLS, not with a delegation token."
        "KIP-48"
    65 DELEGATION_TOKEN_AUTHORIZATION_FAILED false
        "The principal may not see or make this token."
        "Grant the ACL on the token or the user, or ask for own tokens only."
        "KIP-48"
    66 DELEGATION_TOKEN_EXPIRED false
        "The token's life is over."
        "Make a new token, and renew it in time."
        "KIP-48"
    67 INVALID_PRINCIPAL_TYPE false
        "The principal type is none that tokens can be made for."
        "Use principals of type User."
        "KIP-48"
    68 NON_EMPTY_GROUP false
        "The group still has members, so it cannot be deleted or changed this way."
        "Stop all members first."
        "KIP-229"
    69 GROUP_ID_NOT_FOUND false
        "There is no such group."
        "Check the group id; the group may have expired or been deleted."
        "KIP-229"
    70 FETCH_SESSION_ID_NOT_FOUND true
        "The broker no longer keeps this fetch session."
        "Start a new session with a full fetch; consumers do so by themselves, but if it is frequent raise max.incremental.fetch.session.cache.slots."
        "KIP-227"
    71 INVALID_FETCH_SESSION_EPOCH true
        "The fetch session is at another epoch than the request, so a request or response was lost or doubled."
        "Start a new session with a full fetch; consumers do so by themselves."
        "KIP-227"
    72 LISTENER_NOT_FOUND true
        "The leader has no listener of the name that this client connects through."
        "Give all brokers the same listeners, or wait until a rolling change of them is done."
        "Kafka 1.1"
    73 TOPIC_DELETION_DISABLED false
        "The brokers have the deletion of topics switched off."
        "Set delete.topic.enable=true on the brokers, or leave the topic alone."
        "KIP-322"
    74 FENCED_LEADER_EPOCH true
        "The client's leader epoch is older than the broker's: its metadata is stale."
        "Refresh metadata and retry."
        "KIP-320"
    75 UNKNOWN_LEADER_EPOCH true
        "The client's leader epoch is newer than the broker's, which has not heard of the election yet."
        "Wait a moment and retry."
        "KIP-320"
    76 UNSUPPORTED_COMPRESSION_TYPE false
        "The data is compressed with a codec that this version of the API does not allow."
        "Use a client that speaks Produce 7 and Fetch 10 or newer (zstd), or change the topic's compression."
        "KIP-110"
    77 STALE_BROKER_EPOCH false
        "The broker has registered anew since the epoch that the request names."
        "Nothing, right after a restart; the broker sends again with its new epoch."
        "KIP-380"
    78 OFFSET_NOT_AVAILABLE true
        "The new leader cannot yet vouch for the offsets that were asked for."
        "Wait a moment and retry."
        "KIP-207"
    79 MEMBER_ID_REQUIRED false
        "The coordinator has made up a member id, and the member has to join again with it."
        "Send JoinGroup again with the member id of this response; this is normal for new members."
        "KIP-394"
    80 PREFERRED_LEADER_NOT_AVAILABLE true
        "The preferred leader is not available or not in sync, so it was not elected."
        "Bring that replica back in sync and elect again."
        "KIP-183"
    81 GROUP_MAX_SIZE_REACHED false
        "The group has as many members as it may have."
        "Start fewer members, or raise group.max.size."
        "KIP-389"
    82 FENCED_INSTANCE_ID false
        "Another member has taken over this group.instance.id."
        "Give every static member its own group.instance.id; this instance must stop."
        "KIP-345"
    83 ELIGIBLE_LEADERS_NOT_AVAILABLE true
        "No replica that may lead the partition is available."
        "Bring a replica of the in-sync set back, or hold an unclean election and lose records."
        "KIP-460"
    84 ELECTION_NOT_NEEDED true
        "The partition has the wanted leader already."
        "Nothing."
        "KIP-460"
    85 NO_REASSIGNMENT_IN_PROGRESS false
        "There is no reassignment of this partition to cancel."
        "Nothing, if it has just ended."
        "KIP-455"
    86 GROUP_SUBSCRIBED_TO_TOPIC false
        "The group still subscribes to the topic, so its offsets for it stay."
        "Unsubscribe or stop the consumers first."
        "KIP-496"
    87 INVALID_RECORD false
        "The broker refuses a record, for instance one without a key in a compacted topic."
        "Read the errors of single records in the response, and correct those records."
        "KIP-467"
    88 UNSTABLE_OFFSET_COMMIT true
        "Offsets are pending in a transaction that is not yet decided."
        "Wait a moment and retry."
        "KIP-447"
    89 THROTTLING_QUOTA_EXCEEDED true
        "The client creates or deletes partitions faster than its quota allows."
        "Wait for the throttle time of the response, then retry."
        "KIP-599"
    90 PRODUCER_FENCED false
        "A newer producer with the same transactional id has fenced this one off."
        "Close this producer; run only one at a time with each transactional id."
        "KIP-588"
    91 RESOURCE_NOT_FOUND false
        "There is no such resource, such as a user without SCRAM credentials."
        "Check the name."
        "KIP-554"
    92 DUPLICATE_RESOURCE false
        "The request names the same resource twice."
        "Name each resource once."
        "KIP-554"
    93 UNACCEPTABLE_CREDENTIAL false
        "The new credential is not acceptable, for instance with too few iterations."
        "Correct the credential by the limits of its mechanism."
        "KIP-554"
    94 INCONSISTENT_VOTER_SET false
        "The node that was asked has another set of voters in mind than the sender."
        "Give all controllers the same quorum, and wait while voters are being changed."
        "KIP-595"
    95 INVALID_UPDATE_VERSION false
        "The change of the in-sync set is based on an outdated partition state."
        "Nothing: the leader reads the new state and tries again."
        "KIP-497"
    96 FEATURE_UPDATE_FAILED false
        "The feature level could not be changed."
        "Read the error message; usually some node does not support the level that was asked for."
        "KIP-584"
    97 PRINCIPAL_DESERIALIZATION_FAILURE false
        "The broker cannot read the principal in a forwarded request."
        "Use principal builders on all brokers that can serialize their principals in the same way."
        "KIP-590"
    98 SNAPSHOT_NOT_FOUND false
        "There is no such snapshot of the metadata log."
        "Nothing: the replica asks for a newer one."
        "KIP-630"
    99 POSITION_OUT_OF_RANGE false
        "The position lies outside the snapshot."
        "Nothing: the replica starts the snapshot over; if it recurs, look for a damaged snapshot."
        "KIP-630"
    100 UNKNOWN_TOPIC_ID true
        "The broker knows no topic with this id, or not yet."
        "Refresh metadata and retry; if it stays, the topic was deleted and perhaps made anew."
        "KIP-516"
    101 DUPLICATE_BROKER_REGISTRATION false
        "Another running broker is registered with this id."
        "Give every broker its own node.id; right after a crash wait until the old session has ended."
        "KIP-631"
    102 BROKER_ID_NOT_REGISTERED false
        "No broker with this id is registered."
        "Check the id; the broker may have been unregistered."
        "KIP-631"
    103 INCONSISTENT_TOPIC_ID true
        "The id of the topic in the log is not the one in the request."
        "Refresh metadata and retry; the topic was probably deleted and made anew."
        "KIP-516"
    104 INCONSISTENT_CLUSTER_ID false
        "The request came from a node of another cluster."
        "Correct the addresses or the cluster.id in meta.properties; a node has been pointed at the wrong cluster."
        "KIP-595"
    105 TRANSACTIONAL_ID_NOT_FOUND false
        "There is no such transactional id."
        "Check the id; it may have expired."
        "KIP-664"
    106 FETCH_SESSION_TOPIC_ID_ERROR true
        "The fetch session mixes topic ids and topic names."
        "Start a new session with a full fetch; clients do so by themselves, mostly while a cluster is being upgraded."
        "KIP-516"
    107 INELIGIBLE_REPLICA false
        "A replica that is fenced or shutting down cannot join the in-sync set."
        "Nothing: the leader tries again when the replica is back."
        "KIP-841"
    108 NEW_LEADER_ELECTED false
        "The change was made, but it also made another broker the leader."
        "Nothing: the former leader follows the new one."
        "KIP-841"
    109 OFFSET_MOVED_TO_TIERED_STORAGE false
        "The records at this offset are in remote storage only, where this follower cannot fetch them."
        "Nothing: the follower builds its state from remote storage."
        "KIP-405"
    110 FENCED_MEMBER_EPOCH false
        "The coordinator knows another epoch for the member, and has fenced it."
        "Give up all partitions and rejoin with epoch 0; consumers do so by themselves."
        "KIP-848"
    111 UNRELEASED_INSTANCE_ID false
        "The group.instance.id still belongs to a member that has not left."
        "Wait until the old instance leaves or times out, or use another id."
        "KIP-848"
    112 UNSUPPORTED_ASSIGNOR false
        "The coordinator has no assignor of that name, or the members do not agree on one."
        "Use an assignor that group.consumer.assignors lists, such as uniform or range."
        "KIP-848"
    113 STALE_MEMBER_EPOCH false
        "The member's epoch is behind the coordinator's."
        "Send a heartbeat to learn the new epoch, then retry."
        "KIP-848"
    114 MISMATCHED_ENDPOINT_TYPE false
        "The request was meant for a controller and reached a broker, or the other way round."
        "Use bootstrap.servers for brokers and bootstrap.controllers for controllers."
        "KIP-919"
    115 UNSUPPORTED_ENDPOINT_TYPE false
        "The kind of endpoint that was asked for is unknown here."
        "Ask for brokers (1) or controllers (2)."
        "KIP-919"
    116 UNKNOWN_CONTROLLER_ID false
        "No controller with this id is known."
        "Check the id; the controller may not have registered yet."
        "KIP-919"
    117 UNKNOWN_SUBSCRIPTION_ID false
        "The broker's set of subscribed metrics has changed since."
        "Ask for the subscription again with GetTelemetrySubscriptions, then push."
        "KIP-714"
    118 TELEMETRY_TOO_LARGE false
        "The pushed metrics are larger than the broker accepts."
        "Push fewer metrics, or raise telemetry.max.bytes."
        "KIP-714"
    119 INVALID_REGISTRATION false
        "The controller refuses the registration of this node as it stands."
        "Read the controller's log; often the node's features, directories or migration state do not fit the cluster."
        "KIP-866"
    120 TRANSACTION_ABORTABLE false
        "The transaction met an error that only aborting it can heal."
        "Abort the transaction and do its work again."
        "KIP-890"
    121 INVALID_RECORD_STATE false
        "The record is not in a state that allows this acknowledgement, for instance because its lock has run out."
        "Nothing: the record is delivered again; process faster or acknowledge earlier."
        "KIP-932"
    122 SHARE_SESSION_NOT_FOUND true
        "The broker no longer keeps this share session."
        "Start a new session with epoch 0; share consumers do so by themselves."
        "KIP-932"
    123 INVALID_SHARE_SESSION_EPOCH true
        "The share session is at another epoch than the request."
        "Start a new session with epoch 0; share consumers do so by themselves."
        "KIP-932"
    124 FENCED_STATE_EPOCH false
        "The share coordinator has a newer state epoch than the request."
        "Nothing: the share partition is read again with the new epoch."
        "KIP-932"
    125 INVALID_VOTER_KEY false
        "The voter's id or directory id does not match the voter that was asked."
        "Correct the directory id; a voter's directory may have been formatted anew."
        "KIP-853"
    126 DUPLICATE_VOTER false
        "The node is a voter already."
        "Nothing, or remove the voter first if its directory changed."
        "KIP-853"
    127 VOTER_NOT_FOUND false
        "The node is no voter of the quorum."
        "Check id and directory id against the output of DescribeQuorum."
        "KIP-853"
    128 INVALID_REGULAR_EXPRESSION false
        "The pattern for topics is no regular expression that the broker understands."
        "Write the pattern in RE2/J syntax."
        "KIP-848"
    129 REBOOTSTRAP_REQUIRED false
        "The client's picture of the cluster is useless, and it has to start over."
        "Bootstrap again from bootstrap.servers; clients with metadata.recovery.strategy=rebootstrap do so by themselves."
        "KIP-1102"
    130 STREAMS_INVALID_TOPOLOGY false
        "The topology that the Streams application sent is not valid."
        "Correct the topology, in particular its co-partitioned and repartition topics."
        "KIP-1071"
    131 STREAMS_INVALID_TOPOLOGY_EPOCH false
        "The topology epoch is not the one that the group has."
        "Bring all instances of the application to the same topology."
        "KIP-1071"
    132 STREAMS_TOPOLOGY_FENCED false
        "The member's topology is older than the group's."
        "Upgrade the instance to the application's current topology."
        "KIP-1071"
    133 SHARE_SESSION_LIMIT_REACHED true
        "The broker keeps as many share sessions as it may."
        "Wait and retry, use fewer share consumers, or raise group.share.max.share.sessions."
        "KIP-932"
}
