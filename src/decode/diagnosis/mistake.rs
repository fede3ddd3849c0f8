//! The mistakes that implementations make, where they make them, and how far-fetched each is.

use crate::{
    event::Section,
    schema::{FieldPlan, StructPlan, TypePlan},
};

/// One way to write something else than the definition says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mistake {
    /// A struct of a flexible version ends without its tagged fields.
    TagsMissing,
    /// A zero byte ends a struct that has no tagged fields, or has them already.
    TagsExtra,
    /// A tagged field takes more or fewer bytes than its size says.
    TagSize,
    /// A compact length is the length itself, or another length is one more.
    OneMore,
    /// A length of so many bytes stands where the version has another.
    Fixed(usize),
    /// An int16 stands where all but strings have an int32.
    Narrow,
    /// A compact length stands where an int16 or int32 belongs.
    Compact,
    /// Null where it is not allowed.
    Null,
    /// A length or count is off by so much.
    Off(i64),
    /// A compact length starts with a byte that another follows, where this one ends it.
    Byte(u8),
    /// A number has so many bytes, not those of its type.
    Width(usize),
    /// The presence byte of a nullable struct was left out.
    PresenceMissing,
    /// A field was left out.
    FieldMissing,
    /// The bytes of a number stand the wrong way round.
    Reversed,
    /// So many bytes stand in front of a field that no field of this version takes.
    Extra(usize),
    /// A uuid is written as its text of 36 characters.
    TextId,
    /// A record batch starts where its length belongs.
    LengthMissing,
    /// A field stands behind the one that follows it.
    Swapped,
    /// A text ends with a NUL that its length does not count.
    NulBehind,
    /// A text has no length and ends with a NUL.
    NulEnded,
}

/// A place where something is decided that can be got wrong.
#[derive(Clone, Copy, Debug)]
pub(super) enum Site {
    Field(&'static FieldPlan),
    End(&'static StructPlan),
}

impl PartialEq for Site {
    fn eq(&self, other: &Site) -> bool {
        match (self, other) {
            (Site::Field(a), Site::Field(b)) => std::ptr::eq(*a, *b),
            (Site::End(a), Site::End(b)) => std::ptr::eq(*a, *b),
            _ => false,
        }
    }
}

/// How far a mistake goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Reach {
    /// Made once, at the so-manieth decision.
    Step(usize),
    /// Made whenever this place is written, in every element of an array.
    Site(Site),
    /// Made throughout the body.
    All(Class),
    /// Made throughout header and body.
    Everywhere,
}

/// What a habit concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Anything,
    Strings,
    Arrays,
    Blobs,
}

/// A mistake that a reading lets pass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Grant {
    pub mistake: Mistake,
    pub reach: Reach,
}

/// Mistakes that are one: what somebody does who has not read a certain rule.
#[derive(Debug)]
pub(super) struct Habit {
    pub grants: &'static [Grant],
    pub cost: u32,
    /// What to say instead of what each grant would; empty where that is good enough.
    pub text: &'static str,
}

const fn all(mistake: Mistake, class: Class) -> Grant {
    Grant {
        mistake,
        reach: Reach::All(class),
    }
}

const fn habit(grants: &'static [Grant], cost: u32, text: &'static str) -> Habit {
    Habit { grants, cost, text }
}

pub(super) const HABITS: [Habit; 20] = [
    habit(
        &[
            all(Mistake::Fixed(0), Class::Anything),
            all(Mistake::TagsMissing, Class::Anything),
        ],
        4,
        "the body is written as if this version were not flexible: int16 and int32 lengths, no \
         tagged fields",
    ),
    habit(
        &[
            all(Mistake::Compact, Class::Anything),
            all(Mistake::TagsExtra, Class::Anything),
        ],
        4,
        "the body is written as if this version were flexible: compact lengths and tagged-fields \
         bytes",
    ),
    habit(
        &[all(Mistake::TagsMissing, Class::Anything)],
        6,
        "no struct of the body has the tagged-fields byte (00) that ends it",
    ),
    habit(
        &[all(Mistake::TagsExtra, Class::Anything)],
        7,
        "every struct of the body ends with a tagged-fields byte (00), which this version does \
         not have",
    ),
    habit(&[all(Mistake::Fixed(0), Class::Arrays)], 7, ""),
    habit(&[all(Mistake::Fixed(0), Class::Strings)], 7, ""),
    habit(&[all(Mistake::Fixed(0), Class::Blobs)], 7, ""),
    habit(
        &[all(Mistake::Fixed(0), Class::Anything)],
        7,
        "no length of the body is compact, though this version is flexible",
    ),
    habit(
        &[all(Mistake::Compact, Class::Anything)],
        7,
        "every length of the body is compact, though this version is not flexible",
    ),
    habit(&[all(Mistake::Compact, Class::Arrays)], 8, ""),
    habit(&[all(Mistake::Compact, Class::Strings)], 8, ""),
    habit(&[all(Mistake::OneMore, Class::Anything)], 7, ""),
    habit(&[all(Mistake::OneMore, Class::Arrays)], 8, ""),
    habit(&[all(Mistake::OneMore, Class::Strings)], 8, ""),
    habit(&[all(Mistake::OneMore, Class::Blobs)], 8, ""),
    habit(&[all(Mistake::Fixed(4), Class::Strings)], 9, ""),
    habit(&[all(Mistake::NulBehind, Class::Strings)], 8, ""),
    habit(&[all(Mistake::NulEnded, Class::Strings)], 9, ""),
    habit(
        &[all(Mistake::Reversed, Class::Anything)],
        7,
        "the numbers of the body are little-endian, and Kafka's are big-endian",
    ),
    habit(&[all(Mistake::Narrow, Class::Arrays)], 16, ""),
];

impl Mistake {
    /// What can go wrong at a place.
    pub(super) fn at(site: Site) -> impl Iterator<Item = Mistake> {
        const ALL: [Mistake; 34] = [
            Mistake::TagsMissing,
            Mistake::TagsExtra,
            Mistake::TagSize,
            Mistake::OneMore,
            Mistake::Fixed(1),
            Mistake::Fixed(2),
            Mistake::Fixed(4),
            Mistake::Narrow,
            Mistake::Compact,
            Mistake::Null,
            Mistake::Reversed,
            Mistake::Off(-1),
            Mistake::Off(1),
            Mistake::Off(-2),
            Mistake::Off(2),
            Mistake::Off(-3),
            Mistake::Off(3),
            Mistake::Off(-4),
            Mistake::Off(4),
            Mistake::Width(1),
            Mistake::Width(2),
            Mistake::Width(4),
            Mistake::Width(8),
            Mistake::PresenceMissing,
            Mistake::FieldMissing,
            Mistake::Extra(1),
            Mistake::Extra(2),
            Mistake::Extra(4),
            Mistake::Extra(8),
            Mistake::TextId,
            Mistake::LengthMissing,
            Mistake::Swapped,
            Mistake::NulBehind,
            Mistake::NulEnded,
        ];
        // A number that is no length stands where it should either way round.
        let is_idle = move |mistake: Mistake| {
            mistake == Mistake::Reversed
                && matches!(site, Site::Field(field) if field.int_size().is_some())
        };
        ALL.into_iter()
            .filter(move |&mistake| mistake.suits(site) && !is_idle(mistake))
    }

    /// Whether the mistake can be made at a place.
    pub(super) fn suits(self, site: Site) -> bool {
        let field = match site {
            Site::End(plan) => {
                return match self {
                    Mistake::TagsMissing => plan.flexible,
                    Mistake::TagsExtra => true,
                    _ => false,
                };
            }
            Site::Field(field) => field,
        };
        let usual = field.fixed_length();
        let is_client_id = field.node.section == Section::Header;
        match self {
            Mistake::TagsMissing | Mistake::TagsExtra => false,
            Mistake::TagSize => field.node.section == Section::TaggedFields,
            Mistake::OneMore | Mistake::Off(_) => usual.is_some(),
            Mistake::Null => usual.is_some() && !field.nullable,
            Mistake::Byte(_) => field.compact,
            // Zero is the length that the field has where it is not compact.
            Mistake::Fixed(0) => field.compact,
            Mistake::Narrow => usual == Some(4),
            Mistake::Fixed(2) if usual == Some(4) => false,
            // Only strings have been seen with a length of one byte.
            Mistake::Fixed(1) => usual == Some(2) && !field.compact,
            Mistake::Fixed(width) => {
                usual.is_some_and(|usual| field.compact || width != usual)
                    && (!is_client_id || width == 4)
            }
            Mistake::Compact => {
                usual.is_some()
                    && !field.compact
                    && (field.field.flexible.is_none() || is_client_id)
            }
            Mistake::Reversed => match (usual, field.int_size()) {
                (Some(_), _) => !field.compact,
                (None, size) => size > Some(1),
            },
            Mistake::Width(width) => match field.ty {
                TypePlan::Bool => matches!(width, 2 | 4),
                _ => field.int_size().is_some_and(|size| size != width),
            },
            Mistake::TextId => matches!(field.ty, TypePlan::Uuid),
            Mistake::LengthMissing => matches!(field.ty, TypePlan::Records),
            Mistake::Swapped => !is_client_id && !field.is_element(),
            Mistake::NulBehind | Mistake::NulEnded => matches!(field.ty, TypePlan::String),
            Mistake::PresenceMissing => field.nullable && matches!(field.ty, TypePlan::Struct(_)),
            Mistake::FieldMissing => !matches!(field.ty, TypePlan::Struct(_)),
            Mistake::Extra(_) => !matches!(field.ty, TypePlan::Struct(_)),
        }
    }

    /// Habits and forgotten bytes explain more than slips; a field left out, or some length or
    /// other, explains nearly anything.
    pub(super) fn cost(self) -> u32 {
        match self {
            Mistake::Null | Mistake::TextId | Mistake::LengthMissing => 3,
            Mistake::TagsMissing | Mistake::TagsExtra => 8,
            Mistake::OneMore | Mistake::PresenceMissing | Mistake::TagSize => 10,
            Mistake::Fixed(_) | Mistake::Compact => 11,
            Mistake::NulBehind => 12,
            Mistake::Off(-1 | 1) => 14,
            Mistake::Reversed | Mistake::NulEnded => 16,
            Mistake::Off(_) | Mistake::Byte(_) => 20,
            Mistake::Swapped => 22,
            Mistake::FieldMissing => 24,
            Mistake::Narrow => 26,
            Mistake::Width(_) => 27,
            Mistake::Extra(_) => 30,
        }
    }

    /// What the place adds to the cost: fields that came with a later version are forgotten most, and
    /// an int64 is written as an int32 sooner than as a byte.
    pub(super) fn refined(self, site: Site) -> i32 {
        let Site::Field(field) = site else {
            return 0;
        };
        match (self, field.int_size()) {
            // Behind the client id it is a tagged-fields byte sooner.
            (Mistake::NulBehind, _) if field.node.section == Section::Header => 10,
            // What is wrong in the header is seldom the size of its first numbers.
            (Mistake::Width(_) | Mistake::Extra(_) | Mistake::FieldMissing, _)
                if field.node.section == Section::Header =>
            {
                10
            }
            (Mistake::Fixed(1), _) if field.node.section != Section::Header => 14,
            (Mistake::FieldMissing, _) if field.is_element() => 6,
            (Mistake::FieldMissing, _) if field.field.versions.min > 0 => -5,
            (Mistake::Width(4), Some(8)) => -2,
            (Mistake::Width(2 | 4 | 8), Some(2 | 4)) => 0,
            // No other value than 0 and 1 is let pass.
            (Mistake::Width(_), None) => -5,
            (Mistake::Width(_), _) => 6,
            _ => 0,
        }
    }

    /// Whether the mistake leaves so little to chance that it may be taken together with others.
    pub(super) fn combines(self) -> bool {
        self.cost() <= Mistake::Off(1).cost()
    }
}

impl Class {
    pub(super) fn takes(self, site: Site) -> bool {
        match (self, site) {
            (Class::Anything, _) => true,
            (_, Site::End(_)) => false,
            (class, Site::Field(field)) => match field.ty {
                TypePlan::String => class == Class::Strings,
                TypePlan::Array(_) => class == Class::Arrays,
                TypePlan::Bytes | TypePlan::Records => class == Class::Blobs,
                _ => false,
            },
        }
    }
}

impl FieldPlan {
    /// Bytes of the length where it is not compact; `None` where there is no length.
    pub(super) fn fixed_length(&self) -> Option<usize> {
        match self.ty {
            TypePlan::String => Some(2),
            TypePlan::Bytes | TypePlan::Records | TypePlan::Array(_) => Some(4),
            _ => None,
        }
    }

    /// Whether it is an element of an array, which has its type's name.
    pub(super) fn is_element(&self) -> bool {
        self.node.name != self.field.name
    }

    /// Bytes of a whole number; `None` for all else.
    pub(super) fn int_size(&self) -> Option<usize> {
        match self.ty {
            TypePlan::Int8 => Some(1),
            TypePlan::Int16 | TypePlan::Uint16 => Some(2),
            TypePlan::Int32 | TypePlan::Uint32 => Some(4),
            TypePlan::Int64 => Some(8),
            _ => None,
        }
    }
}
