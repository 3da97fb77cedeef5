"""The pages of `encounter rules`: the rulesets, one rulebook, one clause."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec

from encounterlog.core.opening import ruleset_named
from encounterlog.errors import misspelt
from encounterlog.text.layout import heading, one_line, paragraphs, table, wrap
from encounterlog.text.phrases import NOT_THERE
from encounterlog.text.styled import Styled
from projections.address import Address
from projections.folds.addresses import COMMON
from projections.judging import audit, book, bookkeeping
from projections.proving.plays import Play
from projections.proving.rulebook import functions, name_of, place_of, plays, rules_of
from projections.replay.replay import FOLDS
from projections.ruleset.catalogue import Catalogue, Clause, Option
from projections.ruleset.ruleset import Check, Marked, Ruleset, marked
from projections.rulesets import UnusableRuleset, find, keys, unusable

LOG = "log"
"""The key of the bookkeeping rules of every log."""

TERMS = ("manner", "cost", "place", "seconds")
"""The columns printed of an action; --json has the whole row of the table."""


class Page(NamedTuple):
    """A page as data and as lines."""

    data: Any
    lines: list[str]


def overview() -> Page:
    """Return the list of the installed rulesets, the bookkeeping of every log, and the rulesets that cannot be used, with the reason."""
    usable, errors, common = list(_usable()), unusable(), book.catalogue()
    rows = [(each.key, each.title, each.scheduler, _size(each.catalogue())) for each in usable]
    rows.append((LOG, common.catalogue, "", _size(common)))
    data = {
        "rulesets": [_identity(each) for each in usable],
        "bookkeeping": {"key": LOG, "title": common.catalogue, "clauses": len(common.rule)},
        "unusable": [_broken(each) for each in errors],
    }
    lines = [*table(rows, ""), "", "encounter rules RULESET lists its clauses and options"]
    for error in errors:
        lines += ["", *wrap(f"{error}; {error.hint}", "  ", "")]
    return Page(data, lines)


def _size(catalogue: Catalogue) -> str:
    return f"{len(catalogue.rule)} clauses"


def _usable() -> Iterator[Ruleset]:
    for key in keys():
        with suppress(UnusableRuleset):
            yield find(key)


def _broken(one: UnusableRuleset) -> dict[str, str]:
    return {"key": one.key, "distribution": one.distribution, "reason": one.reason}


def rulebook(key: str) -> Page:
    """Return the clauses, options and words of a ruleset."""
    rules, book = _book(key)
    clauses = _entries(rules, book.rule)
    chosen = [msgspec.to_builtins(one) for one in book.option]
    parts = {"rules": clauses, "options": chosen, "actions": book.action, "addresses": _addresses(rules)}
    data = (_identity(rules) if rules else {"key": key}) | parts
    return Page(data, list(_rulebook(rules, book)))


def clause(key: str, rule: str) -> Page:
    """Return one clause or option in full; raise Refused with the nearest name if there is none."""
    rules, book = _book(key)
    option = book.find_option(rule)
    if option is not None:
        return Page(msgspec.to_builtins(option), list(_option(option)))
    found = book.clause(rule)
    if found is None and (within := _beginning(book, rule)):
        parts = {"rules": _entries(rules, within.rule), "options": msgspec.to_builtins(within.option)}
        return Page({"key": key} | parts, [*_clauses(within), *_options(within)])
    if found is None:
        known = [one.id for one in book.rule] + [one.name for one in book.option]
        raise misspelt(f"clause or option of {key}", rule, known, f"encounter rules {key} lists them")
    where = _places(_marked(rules), rule)
    carriers = [f"{one}  {place}" for one, place in zip(carried_by(rules, rule), where, strict=True)]
    readings = [one for one in book.option if rule in one.rules]
    chart = book.leans_on(rule)
    data = _entries(rules, (found,))[0] | {"options": msgspec.to_builtins(readings), "leans_on": chart}
    return Page(data, list(_clause(found, chart, readings, carriers)))


def _entries(rules: Ruleset | None, clauses: Sequence[Clause]) -> list[dict[str, Any]]:
    """Return clauses as data, with the functions that carry them and the plays that prove them."""
    stand: dict[tuple[str, str], list[str]] = {}
    for play in rulebook_plays(rules):
        stand.setdefault((play.kind, play.name[0]), []).append(f"{play.source}:{play.line}")
    known = _marked(rules)
    return [
        msgspec.to_builtins(one)
        | {
            "functions": list(_carrying(known, one.id)),
            "places": _places(known, one.id),
            "cases": stand.get(("case", one.id), []),
            "breaches": stand.get(("breach", one.id), []),
        }
        for one in clauses
    ]


def rulebook_plays(rules: Ruleset | None) -> tuple[Play, ...]:
    """Return the plays of a ruleset; the bookkeeping has none."""
    return plays(rules) if rules else ()


def carried_by(rules: Ruleset | None, rule: str) -> Iterator[str]:
    """Return the functions that implement a rule, by module and name."""
    return _carrying(_marked(rules), rule)


def _places(known: Iterable[Marked], rule: str) -> list[str]:
    """Return the file and the line of each function that implements a rule, in the order of `_carrying`."""
    return [place_of(one) for one in known if rule in rules_of(one)]


def _marked(rules: Ruleset | None) -> tuple[Marked, ...]:
    return functions(rules) if rules else tuple(marked((bookkeeping, *FOLDS, audit)))


def _carrying(known: Iterable[Marked], rule: str) -> Iterator[str]:
    for one in known:
        if rule in rules_of(one):
            yield f"{name_of(one)} ({'check' if isinstance(one, Check) else 'derives'})"


def _book(key: str) -> tuple[Ruleset | None, Catalogue]:
    if key == LOG:
        return None, book.catalogue()
    rules = ruleset_named(key)
    return rules, rules.catalogue()


def _identity(rules: Ruleset) -> dict[str, Any]:
    return {
        "key": rules.key,
        "revision": rules.revision,
        "title": rules.title,
        "scheduler": rules.scheduler,
        "phases": rules.schedule.phases(rules.state(rules=rules)),
        "statuses": rules.statuses,
        "sheet": [field.encode_name for field in msgspec.structs.fields(rules.sheet)],
        "clauses": len(rules.catalogue().rule),
    }


def _rulebook(rules: Ruleset | None, book: Catalogue) -> Iterator[str]:
    if rules:
        yield from _heading(f"{rules.key}: {rules.title}, revision {rules.revision} ({rules.scheduler})")
        yield from wrap(", ".join(f"{word} ({means})" for word, means in rules.statuses.items()), "    ", "statuses: ")
        yield from wrap(
            ", ".join(field.encode_name for field in msgspec.structs.fields(rules.sheet)), "    ", "sheet: "
        )
        slots = rules.schedule.phases(rules.state(rules=rules))
        yield from wrap(", ".join(slots), "    ", "phases: ") if slots else ()
    yield from ["", *_clauses(book), *_options(book)]
    if book.action:
        yield from ["", *_heading("Actions: the kinds in action.kind, and what each means")]
        yield from table(
            (_kind(one), _terms(one), one_line(one.get("note") or one.get("name", ""))) for one in book.action
        )
    if own := _addresses(rules):
        beside = f"Its own addresses, beside those of every log: encounter rules {LOG} lists them"
        yield from [
            "",
            *_heading(beside if rules else "Addresses of every log: values that can be stated, shown and ruled"),
        ]
        yield from table((one["address"], one["says"], one["ruling"]) for one in own)


def _clauses(book: Catalogue) -> Iterator[str]:
    yield from _heading(
        "Clauses: derive (determines a value), audit (finds a breach), both, gm (left to the game master)"
    )
    yield from table((one.id, one.kind, one_line(one.says)) for one in book.rule)


def _options(book: Catalogue) -> Iterator[str]:
    if book.option:
        yield from ["", heading("Options: the first value is the default")]
        yield from table((one.name, ", ".join(one.values)) for one in book.option)


def _beginning(book: Catalogue, words: str) -> Catalogue | None:
    """Return the clauses and options whose id begins so, or nothing if there are none."""
    rule = tuple(one for one in book.rule if one.id.startswith(words))
    option = tuple(one for one in book.option if one.name.startswith(words) or {one.id for one in rule} & {*one.rules})
    return msgspec.structs.replace(book, rule=rule, option=option) if rule or option else None


def _heading(text: str) -> list[Styled]:
    return list(map(heading, wrap(text)))


def _kind(action: dict[str, Any]) -> str:
    """Return the kind of an action; if it is recorded by an event of its own, or by a cost, that event's type or its name."""
    return str(action.get("kind") or action.get("event") or action["name"])


def _terms(action: dict[str, Any]) -> str:
    """Return how an action is done, its cost and its time, as far as its entry says."""
    said = ((term, action[term]) for term in TERMS if action.get(term, "") != "")
    return ", ".join(f"{term} {'|'.join(map(str, one if isinstance(one, list) else [one]))}" for term, one in said)


def _addresses(rules: Ruleset | None) -> list[dict[str, str]]:
    """Return the addresses that only the ruleset has, or that every log has: their meaning, and the duration of a ruling on them."""
    return [
        {"address": one.pattern, "says": one.says, "ruling": _ruling(one)}
        for one in (rules.addresses if rules else COMMON)
    ]


def _ruling(one: Address) -> str:
    if one.fixed:
        return f"none: {one.fixed}"
    return "sets it" if one.rule else f"stands until the {one.until} is over"


def _clause(one: Clause, chart: str, options: list[Option], carriers: list[str]) -> Iterator[str]:
    yield heading(f"{one.id} ({one.kind})")
    for title, words in (
        ("section", one.section),
        ("says", one.says),
        ("leans on", f"{chart}, {NOT_THERE}" if chart else ""),
        ("reading", one.unclear),
        ("case", one.case),
        ("breach", one.breach),
    ):
        yield from wrap(one_line(words), "           ", f"  {title:<9}") if words else ()
    for option in options:
        yield from wrap(f"{option.name} = {' | '.join(option.values)}", "           ", "  option   ")
    for carrier in carriers:
        yield f"  by       {carrier}"


def _option(option: Option) -> Iterator[str]:
    yield from _heading(f"{option.name} = {' | '.join(option.values)}")
    yield from paragraphs(option.says, "  ")
    for value, words in option.case.items():
        yield from wrap(one_line(words), "      ", f"  {value}: ")
    yield from wrap(", ".join(option.rules), "      ", "  of ") if option.rules else ()
    if option.silent:
        says = "the text says nothing about it: unless the log states the option, this is reported only if it stands under each value: "
        yield from wrap(says + ", ".join(option.silent), "      ", "  ")
