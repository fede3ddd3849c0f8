//! Message definitions: what Kafka's messages are made of, as data.
//!
//! What comes in is the JSON format in which Apache Kafka keeps its message definitions, embedded
//! for every message from 0.8 to 4.3 or read from files; what goes out is a [`Plan`] per message
//! and version, in which nothing is left to decide by version. Definitions are parsed on first
//! use. Nothing here reads wire bytes except [`Plan::measure`], which only finds where they end.

mod api;
mod catalogue;
mod contents;
mod definition;
mod embedded;
mod load;
mod meanings;
mod measure;
mod narrowed;
mod nearest;
mod plan;
mod release;
mod shapes;
mod survey;
mod versions;

pub use api::{
    ApiKey, fallback_version, produce_starts_with_transactional_id, record_format,
    request_header_version, response_header_version,
};
pub use catalogue::{Catalogue, Direction};
pub use contents::{Inside, Tells};
pub use definition::{Definition, Field, Kind, StructDefinition, Type};
pub use load::{LoadError, load};
pub use narrowed::narrowed;
pub use nearest::nearest;
pub use plan::{FieldPlan, Plan, StructPlan, TypePlan};
pub use release::{ReleaseError, Released, release};
pub use shapes::ResponseShape;
pub use survey::Surveyor;
pub use versions::Versions;
