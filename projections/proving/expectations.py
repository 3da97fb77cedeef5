"""The forms of `expect` lines."""

import re

EXAMPLES = {
    "order": "order ada & halvaine > ulf",
    "due": "due 4 ada & halvaine",
    "rows": "rows 5 ulf & grim > ada",
    "timeline": "timeline halvaine bolt spoiled in 4 due 6",
    "finding": "finding declare.binding at 7",
    "no": "no findings",
}
"""An example for each verb that is a word."""

GROUPS = ("order", "due", "rows")
"""Verbs whose last words are groups of combatants."""

_FORMS = (
    ("none", r"no findings"),
    ("finding", r"finding (?P<rule>\S+) at (?P<row>\d+)"),
    ("order", r"order (?P<order>.+)"),
    ("due", r"due (?P<segment>s?\d+) (?P<order>.+)"),
    ("rows", r"rows (?P<segment>s?\d+) (?P<order>.+)"),
    (
        "timeline",
        (
            r"timeline (?P<who>\S+)(?: (?P<name>.+?))? (?P<status>due|begun|done|spoiled|withdrawn|held|lost|struck)"
            r"(?: in (?P<at>s?\d+))?(?: due (?P<due>(?:r\d+)?s?\d+))?"
        ),
    ),
    ("value", r"(?P<address>[a-z0-9][^\s=]*(?: [^=]+?)?) = (?P<value>.+?)(?: by (?P<rule>[a-z0-9-]+\.[a-z0-9.-]+))?"),
)


def parse_expectation(rest: str) -> tuple[str, tuple[str, ...]]:
    """Return the verb and the words of an `expect` line; "" and none if it has no known form."""
    for verb, form in _FORMS:
        match = re.fullmatch(form, rest)
        if match:
            return verb, tuple(word or "" for word in match.groups()) or (verb,)
    return "", ()
