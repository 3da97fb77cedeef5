"""python -m tests.projections.reader.variants [--variants N] [--seed N] [FILE ...]: lines said in other ways, against what they meant.

For each line of the corpora, variants with other names, numbers, synonyms, order of sentences, case and punctuation have the
same meaning or are asked about, and never have another. Prints the first of each kind that has another, with both.

A FILE has a line of JSON each (`ruleset`, `ctx`, `line`), and beside it contexts.json has the facts before it. Without any it
takes the lines of variants.toml, and those of ../shared/lines, where that folder is.
"""

import argparse
import json
import random
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from eventstore.form import event_of
from eventstore.record import upcast
from projections.grammar.line_context import ClockFact
from projections.grammar.names import folded
from projections.grammar.parsing import Parsed
from projections.grammar.table import Table, recorded
from projections.grammar.tokens import NotUnderstood
from tests.projections.reader.making import WORD, Maker, Variant, sentences
from tests.projections.test_grammar import table

OWN = Path(__file__).with_name("variants.toml")
SHARED = Path(__file__).parents[4] / "shared" / "lines"
OUTCOMES = re.compile(
    r"hit|miss|crit|fumble|success|succeed|save[sd]|pass|fail|made|make|resist|ok\b|parr|block|dodge", re.IGNORECASE
)
"""Words that say what came of a roll."""
QUOTING = frozenset(["text", "reason", "notes", "detail", "purpose", "words", "awaiting", "decision", "name", "effect"])
"""Fields that quote the line, or have the name that it gives a weapon or a deed."""

Facts = list[dict[str, Any]]


class Line(Struct, frozen=True):
    """A line of a corpus: the game, the facts before it, of which the last is an append of its own, and its words."""

    ruleset: str
    before: str
    text: str


class Meaning(Struct, frozen=True):
    """What a line records: its facts, without names of the variant; or the wish or question that it is."""

    facts: Facts
    rest: str = ""
    secret: bool = False


class Break(Struct, frozen=True):
    """A variant with another meaning than its line."""

    line: Line
    variant: Variant
    why: str
    before: Meaning | None
    after: Meaning


# ---------------------------------------------------------------- the corpora


def own() -> list[Line]:
    """Return the lines that are checked in."""
    return [
        Line(scene["ruleset"], _facts_of(scene["ruleset"], tuple(scene["before"])), text)
        for scene in tomllib.loads(OWN.read_text(encoding="utf-8"))["scene"]
        for text in scene["lines"]
    ]


def known() -> set[str]:
    """Return the lines that are checked in of which variants are known to mean something else."""
    return set(tomllib.loads(OWN.read_text(encoding="utf-8"))["known"])


@cache
def _facts_of(ruleset: str, lines: Sequence[str]) -> str:
    """Return the facts of lines of the notation as JSON, each append a list of its own."""
    at = table(ruleset)
    return json.dumps([json.loads(msgspec.json.encode(at.hear(line).facts)) for line in lines])


def typed(file: Path) -> list[Line]:
    """Return the lines of a file of a corpus."""
    contexts = json.loads(file.with_name("contexts.json").read_text(encoding="utf-8"))
    appends = {name: json.dumps(_appends(facts)) for name, (_, facts) in contexts.items()}
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [Line(line["ruleset"], appends[line["ctx"]], line["line"]) for line in lines]


def _appends(facts: Facts) -> list[Facts]:
    """Return facts as two appends: the second is the last fact with those to which it counts back."""
    start = max(len(facts) - 1, 0)
    while start and any(
        isinstance(value, int) and value < 0 and place + value < start
        for place, fact in enumerate(facts)
        if place >= start
        for key, value in fact.items()
        if key in ("cause", "trigger", "event", "roll")
    ):
        start -= 1
    return [part for part in (facts[:start], facts[start:]) if part]


def _at(line: Line, names: Mapping[str, str]) -> Table:
    """Return the table before a line, with other names."""
    return _laid(line.ruleset, line.before, tuple(names.items()))


@cache
def _laid(ruleset: str, before: str, names: tuple[tuple[str, str], ...]) -> Table:
    at = table(ruleset)
    for part in json.loads(_with_names(before, dict(names))):
        facts = [upcast(event_of(fact)) for fact in part]
        at.take(recorded(facts, len(at.records) + 1, together=True))
    return at


def _with_names(text: str, names: Mapping[str, str]) -> str:
    """Return a text with other words of names, also in the plural."""

    def other(word: re.Match[str]) -> str:
        said = word[0].lower()
        plural = "s" if said not in names and said.removesuffix("s") in names else ""
        new = names.get(said.removesuffix("s") if plural else said)
        return word[0] if new is None else (new.title() if word[0].istitle() else new) + plural

    return WORD.sub(other, text) if names else text


# ---------------------------------------------------------------- the law


def meaning(parsed: Parsed, names: Mapping[str, str]) -> Meaning:
    """Return what a line records, in lower case, with the names of before in the place of others."""
    back = {new: old for old, new in names.items()}
    facts = json.loads(_with_names(msgspec.json.encode(parsed.facts).decode().lower(), back))
    for fact in facts:
        if "values" in fact:  # the decision says the same
            fact.pop("decision", None)
        if "name" in fact and folded(fact["name"]) == fact.get("combatant"):
            del fact["name"]
    return Meaning(facts, parsed.rest, parsed.secret or bool(parsed.kept))


def read(at: Table, text: str, names: Mapping[str, str]) -> tuple[Meaning | None, list[Meaning]]:
    """Return what a line records, None if it is asked about; and then what it may mean."""
    try:
        return meaning(at.tell(text), names), []
    except NotUnderstood as error:
        return None, [meaning(each, names) for each in error.meant]


def breaks(line: Line, count: int, chance: random.Random) -> Iterator[Break | str]:
    """Yield for each variant of a line that it is the `same` or `asked`, or the meaning that it has instead."""
    at = _at(line, {})
    first, readings = read(at, line.text, {})
    maker = Maker(at, line.text, _joining(first))
    orderly = first is not None and _says_several(at, line.text, first)
    for variant in maker.variants(count, chance):
        if ("order" in variant.sorts and not orderly) or (
            first and variant.number and _is_count(first, variant.number[0])
        ):
            continue
        second, _ = read(_at(line, variant.names), variant.line, variant.names)
        if second is None:
            yield "asked"
            continue
        expected = [first] if first else readings
        whys = [differences(line.text, one, variant, second) for one in expected]
        yield (
            "same" if "" in whys else Break(line, variant, min(whys, key=len, default="was asked about"), first, second)
        )


def _joining(found: Meaning | None) -> list[str]:
    """Return the ids and names of those who join by a line."""
    joined = [fact for fact in (found.facts if found else ()) if fact["type"].startswith("combatant_joined")]
    return [str(fact[key]) for fact in joined for key in ("combatant", "name") if fact.get(key)]


def _is_count(found: Meaning, number: int) -> bool:
    """Say whether there are as many facts of a type as a number says: of another, there would be more or fewer."""
    return number in Counter(fact["type"] for fact in found.facts).values()


def _says_several(at: Table, text: str, whole: Meaning) -> bool:
    """Say whether each sentence of a line is told for itself, and they say together what the line says."""
    alone = [read(at, each, {})[0] for each in sentences(text)]
    told = [fact for each in alone if each for fact in each.facts]
    return all(alone) and not _unlike(_unordered(told), _unordered(whole.facts), "", "", Variant("", ()))


def differences(text: str, one: Meaning, variant: Variant, other: Meaning) -> str:
    """Return how the meaning of a variant is another than that of its line; "" if it is not."""
    if _wish(one) != _wish(other) or one.secret != other.secret:
        return f"{one.rest or 'facts'} is {other.rest or 'facts'}"
    facts = [one.facts, other.facts]
    if len(one.facts) != len(other.facts):
        facts = [_without_bare_hits(each) for each in facts]
    if "order" in variant.sorts:
        facts = [_unordered(each) for each in facts]
    return _unlike(facts[0], facts[1], text, "", variant)


def _wish(found: Meaning) -> str:
    """Return the wish that a line is; all questions are one."""
    return found.rest if found.rest in ("", "undo", "redo", "reveal", "correct") else "question"


def _without_bare_hits(facts: Facts) -> Facts:
    """Return facts, without their causes, but for the rolls that say only that a blow hits, which its damage says as well."""
    bare = {"type", "combatant", "target", "hit", "name", "cause"}
    return [
        {key: value for key, value in fact.items() if key != "cause"}
        for fact in facts
        if not (fact["type"] == "attack_rolled" and fact.get("hit") and fact.keys() <= bare)
    ]


def _unordered(facts: Facts) -> Facts:
    """Return facts without the clock in an order of their own, each with its cause in the place of a reference to it."""
    clock = {kind.__struct_config__.tag for kind in ClockFact.__args__}
    whole = [
        fact | {"cause": facts[place + fact["cause"]]} if _counts_back(fact, place) else fact
        for place, fact in enumerate(facts)
    ]
    return sorted((fact for fact in whole if fact["type"] not in clock), key=json.dumps)


def _counts_back(fact: dict[str, Any], place: int) -> bool:
    return isinstance(fact.get("cause"), int) and -place <= fact["cause"] < 0


def _unlike(one: Any, other: Any, text: str, key: str, variant: Variant) -> str:
    """Return where two values of facts are not alike, and how; "" if they are."""
    if isinstance(one, dict) and isinstance(other, dict):
        found = (
            _unlike(one.get(each), other.get(each), text, each, variant)
            for each in sorted({*one, *other})
            if not (each in ("hit", "success") and variant.number and not OUTCOMES.search(text))
        )
        return next((f"{each}" for each in found if each), "")
    if isinstance(one, list) and isinstance(other, list):
        if len(one) != len(other):
            return f"{len(one)} {key or 'facts'} are {len(other)}"
        if all(isinstance(each, str) for each in (*one, *other)):
            one, other = sorted(one), sorted(other)
        pairs = zip(one, other, strict=True)
        return next((why for left, right in pairs if (why := _unlike(left, right, text, key, variant))), "")
    if one == other or _may_differ(one, other, text, key, variant):
        return ""
    return f"{key} {one!r} is {other!r}"


def _may_differ(one: Any, other: Any, text: str, key: str, variant: Variant) -> bool:
    """Say whether values differ only as a variant does: a number by as much, words that are quoted as the line does."""
    if isinstance(one, int) and isinstance(other, int) and variant.number and not isinstance(one, bool):
        by, apart = abs(variant.number[1] - variant.number[0]), abs(one - other)
        return apart in (by, 2 * by, by // 2, (by + 1) // 2)
    if key == "hit":  # what damage says by itself
        return None in (one, other) and True in (one, other) and not variant.number
    if variant.number and key in (*QUOTING, "phase") and isinstance(one, str):
        old, new = variant.number
        if re.sub(rf"(?<!\d){old}(?!\d)", str(new), one) == other:
            return True
    said = _with_names(variant.line, {new: old for old, new in variant.names.items()})
    return key in QUOTING and _is_quoted(one, text) and _is_quoted(other, said)


def _is_quoted(value: Any, text: str) -> bool:
    """Say whether a value is nothing, or words of a line, as they are or in another form."""
    begun = {word[:3] for word in re.findall(r"\w+", text.casefold())}
    return value is None or (isinstance(value, str) and all(word[:3] in begun for word in re.findall(r"\w+", value)))


# ---------------------------------------------------------------- the campaign


def search(lines: Sequence[Line], count: int, seed: int) -> Iterator[Break | str]:
    """Yield what becomes of the variants of lines."""
    for place, line in enumerate(lines):
        yield from breaks(line, count, random.Random(f"{seed} {place} {line.text}"))


def shown(found: Break) -> str:
    """Return a break as text: the line, the variant, and what both record."""
    change = ", ".join(sorted(found.variant.sorts))
    renamed = {new: old for old, new in found.variant.names.items()}
    return "\n".join(
        [
            f"{found.line.ruleset}: {found.line.text!r}",
            f"  {change}: {found.variant.line!r}{f' with {renamed}' if renamed else ''}",
            f"  {found.why}",
            f"  before: {json.dumps(found.before.facts) if found.before else 'asked'}",
            f"  after:  {found.after.rest or json.dumps(found.after.facts)}",
        ]
    )


def main() -> None:
    """Print the variants with another meaning, and how many were tried."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--variants", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    given = parser.parse_args()
    files = given.files or [*([OWN] if OWN.exists() else []), *sorted(SHARED.glob("*.jsonl"))]
    counts: Counter[str] = Counter()
    for file in files:
        lines = own() if file.suffix == ".toml" else typed(file)
        seen: set[tuple[Line, str]] = set()
        for found in search(lines, given.variants, given.seed):
            counts["another" if isinstance(found, Break) else found] += 1
            if isinstance(found, Break) and (found.line, found.why) not in seen:
                seen.add((found.line, found.why))
                print(shown(found), flush=True)  # noqa: T201 – its output
    print(", ".join(f"{count} {kind}" for kind, count in counts.items()))  # noqa: T201 – its output
    sys.exit(1 if counts["another"] else 0)


if __name__ == "__main__":
    main()
