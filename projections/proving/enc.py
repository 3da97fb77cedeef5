"""Encounter scripts (`.enc`): readable texts of facts and of the values and findings expected from them.

    case spell.spoiled-by-interruption           begins a play: case or breach of a rule,
    alternative spoil-from next-segment          … an option's other value, or
    encounter A tie in which two kill each other … a whole encounter; its title may be a JSON string
    ruleset osric                                a line before the first play counts for all of them
    opening                                      begins lines that stand before the own ones of each play after it
    option spoil-cause hit
    combatant halvaine heroes {"hp":9} Halvaine  id, side, sheet, display name
    {"type":"round_started","round":1}           a fact; its row is its number, counted from 1, or
    7 {"type":"damage_dealt", …}                 … the number before it
    b o 14 6                                     facts in notation (language/notation/), read where the play then stands;
    secret 7 b -6                                a number may precede them, too, and secret both
    expect halvaine.hp = 6 by health.hit-points  the value at this point, and a rule behind it
    expect order ada & halvaine > ulf            the order; & joins those who act simultaneously
    expect due 4 ada & halvaine                  who is due in a segment (s1: a surprise segment)
    expect rows 5 ulf & grim > ada               who has acted in it, in the order of the keys
    expect timeline halvaine bolt spoiled in 4 due 6
    expect finding RULE at 7                     the play has exactly these findings
    expect no findings

A `#` begins a comment line. Every error names line and column. Rulesets, options and rules are looked up when a play is
run (proof.py); the rule or option that the play is named after, when plays are collected (rulebook.py).
"""

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from eventstore.errors import Malformed
from eventstore.events import EncounterOpened, Fact
from eventstore.form import event_of, read_json
from eventstore.record import upcast
from eventstore.wording import nearest, visible
from projections.language.notation.records import make_records
from projections.open_types import Fields, Json
from projections.proving.plays import Draft, EncError, Expectation, Mark, Play, ScriptRow

if TYPE_CHECKING:
    from projections.language.notation.table import Table


KINDS = {"case": 1, "breach": 1, "alternative": 2, "encounter": 0}
"""The words that begin a play, and how many words name it."""


def parse(
    text: str | bytes, source: str, *, proves: bool = True, roll: Callable[[str], str] | None = None
) -> tuple[Play, ...]:
    """Read a script, UTF-8 if given as bytes; raise EncError at the first malformed line.

    A script that `proves` something must have expectations in every play. `roll` turns dice into faces, where they are
    rolled.
    """
    reader = Reader(source, roll)
    for number, line in enumerate(script_lines(text, source), 1):
        reader.read_any_line(number, line)
    return tuple(reader.make_plays(proves=proves))


def script_lines(text: str | bytes, source: str) -> list[str]:
    """Return the lines of a script; raise EncError if it is not UTF-8."""
    try:
        whole = text if isinstance(text, str) else text.decode("utf-8")
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode("utf-8").split("\n")
        raise EncError(source, len(before), len(before[-1]) + 1, "not UTF-8", "a script is a text file") from None
    return _LINE_END.split(whole.removeprefix("\ufeff"))


_LINE_END = re.compile("\r\n|\n|\r")
NUMBERED = re.compile(r"\s*(?:secret\s+)?([1-9][0-9]{0,8})\s")
"""The beginning of a line with the number of its row."""


_UNKNOWN = re.compile(
    r"there is no combatant|this names no combatant|\S+ is no word that begins a line|\S+ is not a name with a number"
)
_TOLD = re.compile(r"\s*(secret\s+)?(?:([1-9][0-9]{0,8})\s+)?(.*)")
_WORD = re.compile(r"\S+")


def match_facts(text: str) -> re.Match[str] | None:
    """Match a line of facts: secret or not, the number of its row, the facts; None if its first word is one of scripts."""
    return None if text.split(maxsplit=1)[0] in (*KINDS, *_HEADER) else _TOLD.fullmatch(text)


class Reader:
    """A script while it is read, line by line."""

    def __init__(self, source: str, roll: Callable[[str], str] | None = None) -> None:
        self.source, self.roll = source, roll
        self.common = self.begins = self.draft = Draft("", (), 0, None)
        """What counts for all plays, what the next one begins with, and what is being read: one of these, or a play."""
        self.drafts: list[Draft] = []
        self.number = 0
        self.text = ""
        self.comment: list[str] = []

    def read_any_line(self, number: int, text: str) -> None:
        """Read a line, a comment and an empty one too; raise EncError."""
        bare = text.strip()
        if bare.startswith("#"):
            self.comment.append(bare.lstrip("# "))
            return
        if bare:
            self.read_line(number, text)
        self.comment.clear()

    def read_line(self, number: int, text: str) -> None:
        """Read a line that is neither empty nor a comment."""
        self.number, self.text = number, text
        word = text.split(maxsplit=1)[0]
        rest = text.strip()[len(word) :].strip()
        if labelled := match_facts(text):
            self.read_facts(*labelled.groups())
        elif word in KINDS:
            self.begin_play(word, rest)
        else:
            _HEADER[word](self, rest)

    def read_facts(self, secret: str | None, number: str | None, line: str) -> None:
        """Read facts, as JSON or in notation, with the words before them."""
        if line.startswith("{"):
            if self.draft is self.common:
                self.fail("{", "a fact before the first encounter", "begin one with: encounter A title")
            facts: tuple[Fact, ...] = (self.make_event(self.parse_json(line.strip()), "{"),)
        else:
            facts = self._read_notation(line)
        for fact in facts:
            row = int(number) if number else len(self.draft.facts) + 1
            self.draft.facts.append(ScriptRow(row, self.number, fact, bool(secret)))

    def _read_notation(self, line: str) -> tuple[Fact, ...]:
        """Return the facts of a line of notation without its number."""
        word = line.split(maxsplit=1)[0] if line.strip() else self.text.strip()
        if self.draft is self.common:
            begins = nearest(word, (*KINDS, *_HEADER)) or "begin one with: encounter A title"
            self.fail(word, f"unknown word {visible(word[:60])} before the first encounter", begins)
        facts = self._parse_facts(" " * (len(self.text) - len(line)) + line, word)
        if not facts:
            self.fail(word, "a script holds facts, no questions", 'such as: b o 14 6, or {"type":"round_ended"}')
        return facts

    def _parse_facts(self, line: str, word: str) -> tuple[Fact, ...]:
        from projections.language.notation.tokens import NotUnderstood  # only where a line of the grammar is read

        try:
            return self._table_so_far(line).hear(line).facts
        except NotUnderstood as error:
            column = min(error.column, len(line) + 1)
            hint = nearest(word, (*KINDS, *_HEADER))
            if not hint and not word[0].isalpha():
                hint = "a fact is a JSON object, or a line of the notation; rows are numbered from 1"
            is_respelt = error.why.startswith("there is no combatant") and error.hint.startswith("write `")
            if not is_respelt and (read := self._read_at_the_table(line)):
                says = "a script has the notation, and this line is none of them"
                raise EncError(self.source, self.number, column, says, read) from None
            if hint and column == len(line) - len(line.lstrip()) + 1 and _UNKNOWN.match(error.why):
                says = f"unknown word {visible(line.split(maxsplit=1)[0][:60])}"
                raise EncError(self.source, self.number, column, says, hint) from None
            raise EncError(self.source, self.number, column, error.why, error.hint or hint) from None

    def _read_at_the_table(self, line: str) -> str:
        """Return a sentence, with its lines in a script, for a line understood at the table; "" for any other."""
        from projections.language.notation.printing import print_line
        from projections.language.notation.table import Table
        from projections.language.notation.tokens import NotUnderstood

        try:
            facts = Table(self._table_so_far(line).records).hear(line).facts
        except NotUnderstood:
            return ""
        lines: list[str] = []
        while facts:
            printed, taken = print_line(self._table_so_far(line).context, facts)
            lines, facts = [*lines, printed], facts[taken:]
        return f"add and play read it as {'; '.join(lines)}" if lines else ""

    def _table_so_far(self, line: str) -> "Table":
        """Return the table of a play, which has its facts so far; made with the first line of the grammar."""
        draft = self.draft
        if draft.table is None:
            draft.table = self.fresh_table(line)
            draft.table.roll = self.roll
        done = len(draft.table.records) - 1 - len(draft.joined)
        for row in draft.facts[done:]:
            draft.table.take(make_records([row.event], len(draft.table.records) + 1))
        return draft.table

    def fresh_table(self, line: str) -> "Table":
        """Return the table of the present play before its own facts; raise EncError if no ruleset is named."""
        from projections.language.notation.table import Table

        rows = (*self.draft.joined, *self.draft.facts[: self.draft.given])
        return Table(make_records([self._first_record(line), *(row.event for row in rows)], 1), script=True)

    def _first_record(self, line: str) -> EncounterOpened:
        from projections.rulesets import UnknownRuleset, find

        if not self.draft.ruleset:
            self.fail(line.strip(), "no line can be read before the ruleset is named", "ruleset osric")
        try:
            rules = find(self.draft.ruleset)
        except UnknownRuleset as error:
            named = next(mark for mark in reversed(self.draft.marks) if mark.what == "ruleset")
            raise EncError(self.source, named.line, named.column, str(error), error.hint) from None
        title, options = self.draft.name[0][:200], self.draft.options
        return EncounterOpened(
            format=1, encounter="play", title=title, ruleset=rules.key, revision=rules.revision, options=options
        )

    def fail(self, at: str, why: str, hint: str = "") -> None:
        """Raise EncError at the place of a word in the present line."""
        raise EncError(self.source, self.number, max(self.text.find(at), 0) + 1, why, hint)

    def begin_play(self, kind: str, rest: str) -> None:
        """Begin a play."""
        words = (_read_title(rest),) if kind == "encounter" else tuple(rest.split())
        if not rest or (KINDS[kind] and len(words) != KINDS[kind]):
            self.fail(kind, f"{kind} is followed by {'its title' if kind == 'encounter' else 'its name'}")
        self.draft = Draft(kind, words, self.number, self.begins)
        self.drafts.append(self.draft)
        self.draft.says = " ".join(self.comment)
        if kind == "alternative":
            self.draft.options[words[0]] = words[1]

    def opening(self, rest: str) -> None:
        """Begin lines that stand before the own ones of each play that follows."""
        if rest:
            self.fail(rest, "nothing stands behind opening", "its lines follow it; a comment above it says what it is")
        self.begins = self.draft = Draft("opening", ("",), self.number, self.common)

    def option(self, _rest: str) -> None:
        """Read an option with its value."""
        words = list(_WORD.finditer(self.text))[1:]
        if len(words) != 2:
            self.fail("option", "option is followed by its name and value")
        name, value = (word[0] for word in words)
        self.check_once(f"option {name}")
        self.draft.options[name] = value
        self.mark_word("option", name, words[0].start())
        self.mark_word("value", value, words[1].start(), name)

    def check_once(self, what: str) -> None:
        """Record that a header has a line; raise EncError if it has that line already."""
        if what in self.draft.said:
            self.fail(what.partition(" ")[0], f"{what} stands here twice", "leave out one of the two")
        self.draft.said.add(what)

    def mark_word(self, what: str, word: str, place: int, of: str = "") -> None:
        """Store a word that must be known, with its place."""
        self.draft.marks.append(Mark(what, word, self.number, place + 1, of))

    def ruleset(self, rest: str) -> None:
        """Read the key of the ruleset."""
        if len(rest.split()) != 1:
            self.fail(rest, "ruleset is followed by its key")
        self.check_once("ruleset")
        self.mark_word("ruleset", rest, self.text.rfind(rest))
        self.draft.ruleset = rest

    def combatant(self, rest: str) -> None:
        """Read a combatant who is there from the start."""
        match = re.fullmatch(r"(\S+)\s+(\S+)\s+(\{.*\})\s*(.*)", rest)
        if match is None:
            self.fail("combatant", 'combatant is followed by id, side and sheet: ada heroes {"hp":14}')
            return
        fact: Fields = {"type": "combatant_joined", "combatant": match[1], "side": match[2]}
        fact |= {"name": match[4]} if match[4] else {}
        event = self.make_event({**fact, "sheet": self.parse_json(match[3])}, match[1])
        self.draft.joined.append(ScriptRow(0, self.number, event))

    def parse_json(self, text: str) -> object:
        """Return JSON in the present line; raise EncError."""
        try:
            return read_json(text)
        except Malformed as error:
            column = re.search(r"at column (\d+)$", error.reason)
            start = self.text.find(text) + (int(column[1]) if column else 1)
            raise EncError(self.source, self.number, start, str(error), error.hint) from None

    def make_event(self, value: Json, at: str) -> Fact:
        """Return a fact from its JSON value; raise EncError."""
        try:
            return upcast(event_of(value))
        except Malformed as error:
            word = error.field.rpartition(".")[2]
            found = self.text.find(f'"{word}"') if word else -1
            column = (found if found >= 0 else self.text.find(at)) + 1
            raise EncError(self.source, self.number, column, str(error), error.hint) from None

    def expect(self, rest: str) -> None:
        """Read an expectation."""
        if self.draft is self.begins:
            where = "in an opening" if self.begins is not self.common else "before the first encounter"
            self.fail("expect", f"an expectation {where}", "begin one with: encounter A title")
        verb, words = parse_expectation(" ".join(rest.split()))
        if not words or (verb in GROUPS and not all(name.strip() for name in re.split("[&>]", words[-1]))):
            example = EXAMPLES.get(rest.partition(" ")[0], "halvaine.hp = 6")
            self.fail(rest or "expect", f"not an expectation: {visible(rest[:80])}", f"such as: expect {example}")
        verbs = {"none": "finding", "finding": "none"}
        if any(verbs.get(verb) == each.verb for each in self.draft.expectations):
            self.fail(rest, "one encounter expects both findings and no findings")
        rule = words[0] if verb == "finding" else words[2] if verb == "value" else ""
        if rule:
            self.mark_word("rule", rule, self.text.rfind(rule))
        self.draft.expectations.append(Expectation(verb, words, self.number, len(self.draft.facts)))

    def make_plays(self, *, proves: bool = True) -> Iterator[Play]:
        """Yield the plays; raise EncError for one without a ruleset, or without needed expectations."""
        for draft in self.drafts:
            self.number, self.text = draft.line, ""
            if not draft.ruleset:
                self.fail("", f"{draft.kind} {' '.join(draft.name)} names no ruleset", "ruleset osric")
            if not draft.expectations and proves:
                self.fail("", f"{draft.kind} {' '.join(draft.name)} expects nothing", "expect no findings")
            header = draft.kind, draft.name, self.source, draft.line, draft.ruleset, draft.options
            yield Play(*header, (*draft.joined,), (*draft.facts,), (*draft.expectations,), (*draft.marks,), draft.says)


def _read_title(text: str) -> str:
    """Return the title in a header: the content of a JSON string, any other text unchanged."""
    if not text.startswith('"'):
        return text
    try:
        return str(read_json(text))
    except Malformed:
        return text


_HEADER = {
    each.__name__: each for each in (Reader.ruleset, Reader.opening, Reader.option, Reader.combatant, Reader.expect)
}


# ---------------------------------------------------------------- the forms of `expect` lines

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
