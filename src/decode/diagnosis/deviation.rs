//! The mistakes that implementations make in bodies, and what to say of each.

/// One way to write something else than the definition says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deviation {
    /// A struct of a flexible version ends without its tagged fields.
    TagsMissing,
    /// A zero byte ends a struct that has no tagged fields, or has them already.
    TagsExtra,
    /// A compact length is the length itself, not one more.
    LengthNotPlusOne,
    /// An int16 or int32 length is one more than the length.
    LengthPlusOne,
    /// An int16 or int32 length stands where a compact one belongs.
    FixedLength,
    /// A compact length stands where an int16 or int32 belongs.
    CompactLength,
    /// An int32 length stands where a string's int16 belongs.
    WideLength,
    /// The length of a string or of bytes is too small by all that is left over at the end.
    LengthTooSmall,
    /// A field was left out.
    FieldMissing,
    /// The presence byte of a nullable struct was left out.
    PresenceMissing,
    /// Nothing is compact and nothing has tagged fields, in a flexible version.
    OldEncoding,
    /// Everything is compact and structs have tagged fields, in a version that is not flexible.
    FlexibleEncoding,
    /// Lengths are compact, but no struct has tagged fields.
    NoTags,
    /// Arrays have int32 lengths, all else is flexible.
    Int32Arrays,
    /// No compact length is one more than the length.
    NoPlusOne,
}

/// Where a mistake is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// At one place.
    Once,
    /// Wherever it can be made.
    Throughout,
}

impl Deviation {
    pub(super) const ALL: [Deviation; 15] = [
        Deviation::TagsMissing,
        Deviation::TagsExtra,
        Deviation::LengthNotPlusOne,
        Deviation::LengthPlusOne,
        Deviation::FixedLength,
        Deviation::CompactLength,
        Deviation::WideLength,
        Deviation::LengthTooSmall,
        Deviation::FieldMissing,
        Deviation::PresenceMissing,
        Deviation::OldEncoding,
        Deviation::FlexibleEncoding,
        Deviation::NoTags,
        Deviation::Int32Arrays,
        Deviation::NoPlusOne,
    ];

    pub(super) fn reach(self) -> Reach {
        match self {
            Deviation::OldEncoding
            | Deviation::FlexibleEncoding
            | Deviation::NoTags
            | Deviation::Int32Arrays
            | Deviation::NoPlusOne => Reach::Throughout,
            _ => Reach::Once,
        }
    }

    /// Habits explain more than slips; a field left out explains nearly anything.
    pub(super) fn cost(self) -> u32 {
        match self {
            Deviation::OldEncoding | Deviation::FlexibleEncoding => 1,
            Deviation::NoTags | Deviation::Int32Arrays | Deviation::NoPlusOne => 2,
            Deviation::TagsMissing | Deviation::TagsExtra => 2,
            Deviation::LengthNotPlusOne | Deviation::LengthPlusOne => 3,
            Deviation::FixedLength | Deviation::CompactLength | Deviation::WideLength => 3,
            Deviation::PresenceMissing => 3,
            Deviation::LengthTooSmall => 6,
            Deviation::FieldMissing => 9,
        }
    }
}
