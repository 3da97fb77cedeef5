"""The form of a fact: strict JSON in, an event out, or a sentence that names the field.

JSON is stricter here than in the standard: no fractions, no null, no duplicate keys, no lone surrogates, no deep
nesting. Text is put into Unicode normal form C. This is the edge: what has passed it is hashed as it is, for ever.
"""

from eventstore.form.facts import check, check_closely, check_unknown, event_of, plainly, split_complaint, words_hint
from eventstore.form.ids import ID_FIELDS, ID_LIST_FIELDS, REFERENCE_FIELDS, is_id, members
from eventstore.form.strict import DEEPEST, LONGEST_LINE, canonical, composed, is_normal, read_json
from eventstore.wording import closest, escaped, nearest, visible

__all__ = [
    "DEEPEST",
    "ID_FIELDS",
    "ID_LIST_FIELDS",
    "LONGEST_LINE",
    "REFERENCE_FIELDS",
    "canonical",
    "check",
    "check_closely",
    "check_unknown",
    "closest",
    "composed",
    "escaped",
    "event_of",
    "is_id",
    "is_normal",
    "members",
    "nearest",
    "plainly",
    "read_json",
    "split_complaint",
    "visible",
    "words_hint",
]
