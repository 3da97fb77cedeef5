"""Readings: every way in which a line is one of the phrases, as the lines of the forms that it stands for."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from eventstore.paths import AnyPath
from projections.grammar import forms
from projections.grammar.forms import Literal, Node, Optional, Pair, Phrase, Repeated
from projections.grammar.line_context import LineContext
from projections.grammar.phrases import combatant_slots, deeds, listed, measures, people, slots, tense
from projections.grammar.phrases.moments import all_conditions_hold
from projections.grammar.phrases.people import People
from projections.grammar.phrases.values import Value
from projections.grammar.phrases.words import SKIPPED_MARKS, Lexicon, lexicon, words_of
from projections.grammar.several_tokens import OPTION
from projections.grammar.tokens import quote

_BOT = r"^\s*[!/](i|init|initiative)\s+(?=[a-z-]{2,}\b(?!\s*\d))"
"""The beginning of a command to a bot."""
MOST_WORDS = 40
"""The most words of a line that is looked through for phrases."""
WHOLE = frozenset(
    {
        "rest",
        "awaited",
        "trigger",
        "event",
        "detail",
        "until",
        "where",
        "left-place",
        "aside",
        "first-rolls",
        "further-rolls",
        "rolls-of-sides",
        "anything",
        "about-nobody",
        "about-one",
        "blow",
        "hit",
        "deadly",
        "hurtful",
        "harmless",
        "miss",
        "critical",
        "check",
        "compared",
        "bare-amount",
        "bare-lowered",
        "blows",
        "blows-that-hit",
        "blows-of-each",
        "hits-of-each",
        "numbered-blow",
        "numbered-hit",
        "blows-at-each",
    }
)
"""Kinds of slots before which no word is left out: for, against and with mean something in them, and to before a number."""
Values = dict[str, Value]


class LineReading(Struct, frozen=True):
    """What a line can mean: lines of the forms, the same with names in quotation marks, and a line that can mean nothing else.

    That last one is "" if there is none.
    """

    phrase: str
    lines: tuple[str, ...]
    quoted: tuple[str, ...]
    clearly: str
    offered: bool = False


class Found(Struct, frozen=True):
    """A way to match a pattern: the values of its slots, and those of each repetition."""

    values: Values = {}
    repeated: tuple[Values, ...] = ()


@cache
def lexicon_of(rules: AnyPath) -> Lexicon:
    """Return the words of the table of a ruleset, which is read once."""
    return lexicon(forms.of(rules))


class Reader:
    """The words of a line, looked at against the context."""

    def __init__(self, context: LineContext, line: str) -> None:
        rules = context.state.rules.rules
        self.context, self.line, self.table, self.lexis = context, line, forms.of(rules), lexicon_of(rules)
        line = self.line = re.sub(_BOT, "", line)
        words = words_of(line, self.lexis, lambda text: people.is_name(context.state, text))
        self.options = [
            each.typed for each in words if not each.quoted and re.match(rf"{OPTION}|@\w+$|\^\w*$", each.typed)
        ]
        self.words = [each for each in words if each.quoted or each.typed not in self.options]

        self._fillings: dict[tuple[str, int], tuple[tuple[Value, int], ...]] = {}
        self._people: dict[tuple[Callable[..., Iterator[People]], int], tuple[People, ...]] = {}
        compared = [tense.in_present(self, at) for at in range(len(self.words))]
        if compared != [each.text for each in self.words]:
            pairs = zip(self.words, compared, strict=True)
            self.words = [each if each.quoted else replace(each, text=text) for each, text in pairs]
            self._people.clear()
        self.texts = frozenset(map(self.text, range(len(self.words))))
        self.is_question = line.rstrip().endswith("?") or self.is_of("asking", 0)

    # ------------------------------------------------------------ what stands where

    def text(self, at: int) -> str:
        """Return the word at a place as it is compared; "" behind the last, and for one that is quoted."""
        return self.words[at].text if 0 <= at < len(self.words) and not self.words[at].quoted else ""

    def joined(self, at: int, end: int) -> str:
        """Return the words between two places as they are compared."""
        return " ".join(each.text for each in self.words[at:end])

    def typed(self, at: int, end: int) -> str:
        """Return the words between two places as they were typed."""
        return " ".join(each.typed for each in self.words[at:end])

    def is_of(self, sort: str, at: int) -> bool:
        """Say whether the word at a place is one of a list."""
        return self.lexis.has(sort, self.text(at))

    def present(self, text: str) -> str:
        """Return the present form of a word as a verb in the past, or in progress; "" if it is none that is known."""
        return tense.present_of(text, self.lexis.means.get("past", {}), self.is_verb)

    def is_verb(self, text: str) -> bool:
        """Say whether a word in the third person is known as a verb."""
        return self.lexis.knows(text) or deeds.kind_called(self, text) != ""

    def is_state(self, text: str) -> bool:
        """Say whether a word is a condition, or what a verb leaves somebody as: grappled."""
        meant = (each.values() for each in self.lexis.means.values())
        is_condition = self.lexis.has("condition", text) or listed.is_condition(self, text)
        return is_condition or any(text in each for each in meant)

    def fillings(self, kind: str, at: int) -> tuple[tuple[Value, int], ...]:
        """Return the ways to fill a slot of this kind from a place on; each is looked for once in a line."""
        if (kind, at) not in self._fillings:
            self._fillings[kind, at] = tuple(slots.read(self, kind, at))
        return self._fillings[kind, at]

    def has(self, kind: str, at: int) -> bool:
        """Say whether a slot of this kind can be filled from a place on."""
        return bool(self.fillings(kind, at))

    def slot(self, kind: str, at: int) -> Iterator[tuple[str, int]]:
        """Yield the texts that fill a slot from a place on."""
        yield from ((value.text, end) for value, end in self.fillings(kind, at))

    def one(self, at: int) -> People | None:
        """Return the one combatant whom the words at a place name, if they name one."""
        return next(iter(self._found(people.one, at)), None)

    def people(self, at: int) -> tuple[People, ...]:
        """Return one or more who are named one after the other from a place on, the most first."""
        return self._found(people.listed, at)

    def groups(self, at: int) -> Iterator[People]:
        """Yield those of one group that is named at a place: everyone, orcs 1-3, the orcs."""
        yield from people.several(self.context.state, self.words, at, self.lexis)

    def _found(self, search: Callable[..., Iterator[People]], at: int) -> tuple[People, ...]:
        if (search, at) not in self._people:
            self._people[search, at] = tuple(search(self.context.state, self.words, at, self.lexis))
        return self._people[search, at]

    def is_skipped(self, at: int) -> bool:
        """Say whether the word at a place may be left out: an article, a preposition, a mark."""
        text = self.text(at)
        return text in SKIPPED_MARKS or (text in self.lexis.filler and not self._is_object(at))

    def _is_object(self, at: int) -> bool:
        """Say whether a pronoun stands where a combatant is named, as in misses her: nothing of it may be left out."""
        behind = self.text(at + 1)
        ends = at > 0 and not self.is_question and (not behind[:1].isalpha() or behind in ("for", "with", "twice"))
        return ends and self.lexis.has("object", self.text(at))

    def past(self, at: int) -> int:
        """Return the first place from this one on that may not be left out."""
        while self.is_skipped(at):
            at += 1
        return at

    def names_combatant(self, at: int) -> bool:
        """Say whether a name, or a group, begins at a place."""
        return bool(self.people(at))

    def named(self) -> Iterator[str]:
        """Yield everybody whom the line names, some more than once."""
        for at in range(len(self.words)):
            for each in self.people(at):
                yield from each.ids

    def actor(self) -> str:
        """Return the combatant named first, else the one whose turn it is, "" if nobody has it."""
        return next(self.named(), self.context.state.clock.turn or "")

    def ends_name(self, at: int) -> bool:
        """Say whether a name ends right before a place."""
        first = max(0, at - people.LONGEST)
        names = (each for place in range(first, at) for each in self.people(place))
        return any(each.end == at for each in names)

    # ------------------------------------------------------------ patterns

    def all(self, phrase: Phrase) -> Iterator[Found]:
        """Yield every way to match a phrase with the whole line."""
        for pattern in phrase.read:
            if any(words.isdisjoint(self.texts) for words in pattern.words):
                continue  # the line lacks a word that stands in every one of this pattern
            for found, end in self._nodes(pattern.nodes, 0, Found()):
                if self.past(end) == len(self.words) and _are_distinct(found.values):
                    yield found

    def _nodes(self, nodes: tuple[Node, ...], at: int, found: Found) -> Iterator[tuple[Found, int]]:
        if not nodes:
            yield found, at
            return
        for place in self._starts(nodes[0], at):
            for filled, end in self._node(nodes[0], place, found):
                yield from self._nodes(nodes[1:], end, filled)

    def _starts(self, node: Node, at: int) -> Iterable[int]:
        """Return the places at which a part of a pattern can begin: behind each word that may be left out."""
        if isinstance(node, Optional):
            return (at,)
        last = self.past(at)
        if isinstance(node, forms.FormSlot) and node.kind in WHOLE:
            first = next((place for place in range(at, last) if self.text(place) not in SKIPPED_MARKS), last)
            return (first,)
        is_person = isinstance(node, forms.FormSlot) and node.kind in combatant_slots.PEOPLE
        if is_person and self.text(at) in (",", "and") and self.ends_name(at):
            return ()  # it joins those before it to those behind it
        if is_person and self.text(at) == "a":
            return (at,)  # it is short for a name, or for an attack
        return range(at, last + 1)

    def _node(self, node: Node, at: int, found: Found) -> Iterator[tuple[Found, int]]:
        if isinstance(node, Optional):
            yield from self._nodes(node.nodes, at, found)
            yield found, at
        elif isinstance(node, Repeated):
            yield from self._repeated(node, at, found)
        elif isinstance(node, Literal):
            if self.text(at) in node.words:
                yield found, at + 1
        elif not isinstance(node, Pair):
            for value, end in self.fillings(node.kind, at):
                more = {name: Value(text, is_name=True) for name, text in value.more.items()}
                yield Found(found.values | more | {node.name: value}, found.repeated), end

    def _repeated(self, node: Repeated, at: int, found: Found) -> Iterator[tuple[Found, int]]:
        for one, end in self._nodes(node.nodes, at, Found()):
            more = Found(found.values, (*found.repeated, one.values))
            yield from self._repeated(node, end, more)
            yield more, end


def _are_distinct(values: Values) -> bool:
    """Say whether what fills a slot called other is something else than what fills the one called one."""
    return "other" not in values or "one" not in values or values["other"].text != values["one"].text


def readings(context: LineContext, line: str) -> list[LineReading]:
    """Return every reading of a line by the phrases of its ruleset, each once."""
    reader = Reader(context, line)
    if not reader.words or len(reader.words) > MOST_WORDS:
        return []
    found: dict[tuple[str, ...], LineReading] = {}
    behind: set[str] = set()
    for phrase in reader.table.phrase:
        if all_conditions_hold(context, phrase.when) and ("asked" in phrase.when) is reader.is_question:
            for each in reader.all(phrase):
                timed = Found(measures.of_bearers(context.state, each.values, phrase.lines), each.repeated)
                lines, quoted = (_all_lines(phrase, timed, reader.options, quoted=mark) for mark in (False, True))
                if lines and all(lines):
                    behind.update(phrase.before)
                    shown = _filled(phrase.offers, each.values, quoted=False) or (lines[0] if len(lines) == 1 else "")
                    clearly = _clearly(reader, each) or shown
                    if lines not in found or (found[lines].offered and not phrase.offered):
                        found[lines] = LineReading(phrase.name, lines, quoted, clearly, phrase.offered)
    return [each for each in found.values() if each.phrase not in behind]


def _all_lines(phrase: Phrase, found: "Found", options: list[str], *, quoted: bool) -> tuple[str, ...]:
    """Return the lines of a phrase; options of the line stand in the last one."""
    lines = [line for template in phrase.lines for line in _lines(template, found, quoted=quoted)]
    return (*lines[:-1], " ".join((lines[-1], *options))) if lines and all(lines) else ()


def _clearly(reader: Reader, found: Found) -> str:
    """Return a line with words that say clearly who is meant, where its own can mean several; "" where they cannot."""
    for value in found.values.values():
        if value.clearly:
            start, end, words = value.clearly
            before, after = reader.line[: reader.words[start].start], reader.line[reader.words[end - 1].end :]
            return f"{before}{words}{after}".strip()
    return ""


# ---------------------------------------------------------------- the lines of a phrase

_SLOT = r"\{(\w+)(\*?)(?:\|(\w+))?\}"
_COMPARED = r"\{(\w+)>=(\w+)\}"


def _lines(template: str, found: Found, *, quoted: bool) -> Iterator[str]:
    """Yield the lines that a template stands for: one for each repetition, and for each of several combatants, or several divided by ;."""
    used = {name for name, *_ in re.findall(_SLOT, template)}
    rounds = [found.values | each for each in found.repeated if used & each.keys()] or [found.values]
    for values in rounds:
        marked = {name for name, mark, _ in re.findall(_SLOT, template) if mark and name in values}
        timed = {name for name in used & values.keys() if values[name].of_each in used}
        spread = {name: _members(values[name]) for name in (*marked, *timed, *(values[each].of_each for each in timed))}
        counts = {len(members) for members in spread.values()}
        if len(counts) > 1 and min(counts) > 1:
            yield ""  # there is not one for each
            return
        for place in range(max(map(len, spread.values()), default=1)):
            own = values | {name: Value(members[place]) for name, members in spread.items() if place < len(members)}
            yield from (_filled(part, own, quoted=quoted) for part in template.split(" ; "))


def _members(value: Value) -> tuple[str, ...]:
    """Return the members of a value, for each of which a line is written."""
    return value.each or tuple(value.text.split(","))


def _filled(template: str, values: Values, *, quoted: bool) -> str:
    """Return a template with its slots filled, without the parts in brackets whose slots are empty."""
    kept = re.sub(r"\[([^\[\]]*)\]", lambda part: part[1] if _has(part[1], values) else "", template)
    kept = re.sub(_COMPARED, lambda pair: "yes" if _number(values, pair[1]) >= _number(values, pair[2]) else "no", kept)
    filled = re.sub(
        _SLOT, lambda slot: _shown(values[slot[1]], quoted=quoted) if slot[1] in values else slot[3] or "\0", kept
    )
    return "" if "\0" in filled else re.sub(r"\s+", " ", filled).strip()


def _shown(value: Value, *, quoted: bool) -> str:
    return (
        quote(value.text.replace("_", " "))
        if quoted and value.is_name and not value.text.startswith('"')
        else value.text
    )


def _number(values: Values, name: str) -> int:
    return int(values[name].text) if name in values and values[name].text.isdecimal() else 0


def _has(part: str, values: Values) -> bool:
    return all(name in values and values[name].text for name, *_ in re.findall(_SLOT, part))
