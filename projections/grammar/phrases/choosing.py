"""The one meaning of a line among its readings; a line that has several is refused with them."""

from msgspec import json, structs, to_builtins

from eventstore.events import Fact, TurnStarted
from eventstore.form import REFERENCE_FIELDS
from projections.grammar.advising import advice
from projections.grammar.line_context import LineContext
from projections.grammar.parsing import Parsed, by_forms
from projections.grammar.phrases.reader import LineReading, readings
from projections.grammar.tokens import NotUnderstood

MOST_OFFERS = 3
"""The most lines that a refusal offers."""


def meant(context: LineContext, line: str) -> Parsed | None:
    """Return the meaning of a line by the phrases, None if it has none; raise NotUnderstood if it has several."""
    found: dict[tuple[bytes, str, str], tuple[LineReading, Parsed]] = {}
    possible = readings(context, line)
    for reading in possible:
        if (parsed := _parsed(context, reading)) is not None:
            same = (json.encode(parsed.facts), parsed.rest, parsed.words)
            if same not in found or (found[same][0].offered and not reading.offered):
                found[same] = (reading, parsed)
    certain = [parsed for reading, parsed in found.values() if not reading.offered]
    if len(certain) == 1:
        return certain[0]
    if not found and (why := _in_the_way(context, possible)):
        raise NotUnderstood(len(line.rstrip()) + 1, why.why, why.hint)
    if not found:
        return None
    possible = [reading for reading, _ in found.values() if not (certain and reading.offered)]
    offers = tuple(dict.fromkeys(reading.clearly for reading in possible if reading.clearly))
    raise refusal(len(line) - len(line.lstrip()) + 1, certain != [], offers)


def _in_the_way(context: LineContext, possible: list[LineReading]) -> NotUnderstood | None:
    """Return why the lines of the one reading are of the right form and mean nothing: something of the context is missing, or in the way."""
    meant = [each for each in possible if not each.offered]
    if len(meant) != 1:
        return None
    errors = (by_forms(context, each, every=True) for each in meant[0].lines)
    return next(
        (
            e
            for e, each in zip(errors, meant[0].lines, strict=True)
            if isinstance(e, NotUnderstood) and e.column > len(each)
        ),
        None,
    )


def refusal(column: int, several: bool, offers: tuple[str, ...]) -> NotUnderstood:
    """Return the error of a line that does not say enough, or can mean several things, with lines that would do."""
    why = "this can mean several things" if several else "this does not say enough"
    return NotUnderstood(column, why, f"write {alternatives(offers)}" if offers else "", offers)


def offering(error: NotUnderstood, offers: tuple[str, ...]) -> NotUnderstood:
    """Return an error that offers these lines."""
    offers = offers[:MOST_OFFERS]
    made = NotUnderstood(error.column, error.why, f"write {alternatives(offers)}" if offers else "", offers)
    made.readings, made.unread = error.readings, error.unread
    return made


def listed(lines: tuple[str, ...]) -> str:
    """Return the lines that a line stands for, which are no offers: each of them says a part."""
    shown = ", ".join(f"`{each}`" for each in lines[:MOST_OFFERS])
    return f"{shown} …" if len(lines) > MOST_OFFERS else shown


def alternatives(offers: tuple[str, ...]) -> str:
    """Return lines as alternatives: `a`, `b` or `c`."""
    quoted = [f"`{each}`" for each in offers]
    return " or ".join([", ".join(quoted[:-1]), quoted[-1]] if len(quoted) > 1 else quoted)


def _parsed(context: LineContext, reading: LineReading) -> Parsed | None:
    """Return what the lines of a reading mean, one after the other; None if one of them means nothing.

    The clock moves once for all; raise NotUnderstood if they act at different times.
    """
    whole: Parsed | None = None
    for line, quoted in zip(reading.lines, reading.quoted, strict=True):
        parsed = by_forms(context, line)
        if isinstance(parsed, NotUnderstood) and quoted != line:
            parsed = by_forms(context, quoted)
        if isinstance(parsed, NotUnderstood):
            return None
        parsed = _in_its_turn(whole, parsed)
        if whole is None:
            whole = parsed
        elif parsed.rest or whole.rest:
            return None
        elif _acts_at_another_time(whole, parsed):
            raise NotUnderstood(
                1,
                "these do not act at one time",
                f"write a line for each: {listed(reading.lines)}",
                parts=reading.lines,
            )
        else:
            facts, stays = (*whole.facts, *parsed.facts[parsed.moved :]), whole.stays or parsed.stays
            advised, offers = whole.advice or parsed.advice, (*whole.offers, *parsed.offers)
            said = advice(context, to_builtins(facts)) if advised else ""
            whole = structs.replace(whole, facts=facts, stays=stays, advice=said, offers=offers)
    return structs.replace(whole, said=reading.lines, yields=False) if whole else None


def _in_its_turn(whole: Parsed | None, parsed: Parsed) -> Parsed:
    """Return an act without what the clock makes of it, if a line before it began the turn of the actor."""
    begun = {fact.combatant for fact in (whole.facts if whole else ()) if isinstance(fact, TurnStarted)}
    facts = parsed.facts[parsed.moved :]
    if not (parsed.acts and facts and getattr(facts[0], "combatant", None) in begun):
        return parsed
    return structs.replace(parsed, facts=facts, moved=0, stays="", acts=False)


def _acts_at_another_time(whole: Parsed, parsed: Parsed) -> bool:
    """Say whether a line tells of an act that belongs to another time than the first: another move of the clock, or another turn than one that began."""
    if not parsed.acts or refers_back(parsed):
        return False
    if not parsed.stays:
        return _moves(parsed) != _moves(whole)
    begun = {fact.combatant for fact in _moves(whole) if isinstance(fact, TurnStarted)}
    return begun != set() and getattr(parsed.facts[0], "combatant", None) not in begun


def _moves(parsed: Parsed) -> tuple[Fact, ...]:
    return parsed.facts[: parsed.moved]


def refers_back(part: Parsed) -> bool:
    """Say whether a fact refers to what stands before its line, as to the act that the line before tells of."""
    return any(
        isinstance(value := getattr(fact, name, None), int) and value < -place
        for place, fact in enumerate(part.facts)
        for name in REFERENCE_FIELDS
    )
