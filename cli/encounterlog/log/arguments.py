"""What the Python API is given: facts, places, names, lines. Each is checked, and a wrong one is refused with a hint."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import cycle
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack

from msgspec import to_builtins

from encounterlog.errors import BY_MODEL, Refused
from encounterlog.log import drawn_dice
from encounterlog.log.appending import complete_amendment, expand_short_forms, hide_concealed, log_before_append
from encounterlog.log.entering import Roll, decide_attack_outcomes, is_chained, make_suggester, settle_line
from encounterlog.log.folded_log import Decide
from encounterlog.log.logs import LogView
from encounterlog.log.opening import known_options
from encounterlog.places.services import Spoken
from encounterlog.places.time_and_chance import make_roller
from eventstore.chain import Anchor
from eventstore.errors import Malformed, WrongVersion
from eventstore.events import DiceDrawn, Fact, Inserted
from eventstore.form import event_of, read_json
from eventstore.record import Draft, Recorded, batches
from eventstore.shapes import Dice
from eventstore.wording import nearest
from projections.explaining.fairness import dice_in
from projections.judging.book import rename_options
from projections.judging.refusals import find_refusals
from projections.language.notation.parsing import Parsed
from projections.language.notation.table import Table
from projections.language.notation.tokens import NotUnderstood
from projections.mechanics.dice import count_calls, format_faces, parse
from projections.replay.replay import Replay, replay
from projections.ruleset.ruleset import Ruleset
from projections.time import Where

if TYPE_CHECKING:
    from encounterlog.log.suggesting import Ask

Event = Fact | Mapping[str, Any]
"""A fact: an object of an event type, or its JSON value, in which times and actions may have their short forms."""
Facts = Event | Sequence[Event]
After = int | Anchor | None  # what a log must still end with: a seq or a head, or None for anything
Point = int | str | None  # a point of a log: a seq, the notation of --at (r1s4, r3.ana), or None for the end

Ruling = Literal["tie", "waiver", "override", "grant", "fact", "reveal"]  # the effect of a ruling


class About(TypedDict, total=False):
    """The subject of a ruling: the values that it sets, the record and the rule, the combatants concerned, and the reason."""

    values: Mapping[str, Any] | None
    event: int | None
    rule: str | None
    combatants: Sequence[str]
    reason: str | None


def check_type(name: str, value: object, kind: Any, says: str, hint: str = "") -> None:
    """Raise Malformed for an argument of another type."""
    if not isinstance(value, kind):
        raise Malformed(name, f"is {says}, got {type(value).__name__}", hint)


def make_drafts(facts: Facts, *, secret: bool = False) -> tuple[Draft, ...]:
    """Return the drafts of a fact, or of several; raise Malformed."""
    sent = [facts] if isinstance(facts, Fact | Mapping) else facts
    check_type("facts", sent, Iterable, "facts, or a list of them")
    return tuple(Draft(check_fact(each), secret=secret) for each in sent)  # type: ignore[arg-type]  # members of the union


def check_fact(value: Event) -> Fact:
    """Return a fact, checked as strictly as one that comes in as text; raise Malformed."""
    try:
        text = json.dumps(expand_short_forms(dict(value)) if isinstance(value, Mapping) else to_builtins(value))
    except (TypeError, ValueError, RecursionError) as error:
        raise Malformed("", f"not JSON: {error}", "a fact is a dict of text, whole numbers, lists and dicts") from None
    return event_of(read_json(text))


def check_facts(done: Replay, drafts: tuple[Draft, ...]) -> None:
    """Raise Malformed for the first fact that cannot be recorded after these."""
    for first in find_refusals(done.state, drafts, done.records):
        raise Malformed(first.field, first.reason, first.hint)


def parsed_line(
    table: Table, line: object, roll: Roll | None = None, *, secret: bool = False, suggest: "Ask | None" = None
) -> Parsed:
    """Return the meaning of a line; raise Malformed for anything else, NotUnderstood with its hint and its offers as notes."""
    hint = "append takes facts" if isinstance(line, Fact | Mapping) else 'such as log.tell("ada hits orc-1 14 4")'
    check_type("line", line, str, "text of the language", hint)
    check_type("secret", secret, bool, "true or false")
    table.roll, table.suggest = roll, make_suggester(suggest)
    try:
        found = table.tell(str(line), secret=secret)
    except NotUnderstood as error:
        offers = (f"{each} {BY_MODEL}" if each == error.suggested else each for each in error.offers)
        for note in (f"hint: {error.hint}" if error.hint else "", *offers):
            error.add_note(note) if note else None
        raise
    if not found.facts:
        raise Malformed("line", "states no fact", "questions and help are for a table")
    return found


def parse_seq(after: int | Anchor) -> int:
    """Return the seq of a place; raise Malformed for what is none."""
    seq = after.seq if isinstance(after, Anchor) else after
    check_type("after", seq, int, "a seq or a head")
    return seq


def expected_version(after: After, records: Sequence[Recorded]) -> int | None:
    """Return the seq that a log must end with, None if it may end anywhere; raise WrongVersion for a head that is not among its records."""
    seq = None if after is None else parse_seq(after)
    if isinstance(after, Anchor) and all(one.hash != after.hash for one in records[after.seq - 1 : after.seq]):
        raise WrongVersion(after.seq, len(records))
    return seq


def parse_point(at: Point) -> Where | None:
    """Return a point of a log; raise Malformed for what is none."""
    return None if at is None else Where.parse(str(at))


def check_options(rules: Ruleset, options: Mapping[str, str] | None) -> dict[str, str]:
    """Return options of a ruleset, checked; raise Malformed for an unknown one, or an unknown reading of one."""
    check_type("options", options, Mapping | None, "a dict of names and readings")
    chosen, known = rename_options(options or {}), known_options(rules)
    for name, value in chosen.items():
        if name not in known:
            hint = nearest(str(name), known) or f"its options are {', '.join(known)}"
            raise Malformed(f"options.{name}", f"{rules.key} has no such option", hint)
        if value not in known[name]:
            hint = f"its readings are {', '.join(known[name])}"
            raise Malformed(f"options.{name}", f"{value!r} is no reading of {rules.key}", hint)
    return chosen


def make_amendment(records: Sequence[Recorded], seq: int, fields: Mapping[str, Any], reason: str | None) -> Fact:
    """Return the amendment of a record by which these fields change and all others stay; raise Malformed."""
    check_type("event", seq, int, "the number of a record")
    check_type("fields", fields, Mapping, "a dict of the fields that change", 'such as {"amount": 3}')
    fact: dict[str, Any] = {"type": "amended", "event": seq, "replacement": expand_short_forms(dict(fields))}
    if "type" not in fields:
        fact = complete_amendment(fact, records, replay(records), ())
    return check_fact(fact | ({"reason": reason} if reason else {}))


def make_insertion(after: int, fact: Event, reason: str | None) -> Inserted:
    """Return the insertion of a fact after a record; raise Malformed."""
    return Inserted(after=parse_seq(after), fact=check_fact(fact), reason=reason)  # type: ignore[arg-type]  # a member of the union


def make_ruling(ruling: Ruling, decision: str, **more: Unpack[About]) -> Event:
    """Return a ruling: values that are overridden, a breach of a rule by a record that is waived, a tie that is settled."""
    about = {name: value for name, value in more.items() if value is not None}
    return {"type": "ruling_made", "ruling": ruling, "decision": decision, **about}


@contextmanager
def raise_as_malformed(field: str) -> Iterator[None]:
    """Raise as Malformed what a command would fail with."""
    try:
        yield
    except Refused as failure:
        raise Malformed(field, failure.says, failure.hint) from None


def read_line(
    log: LogView, line: object, roll: Roll | None, word: str | None, *, secret: bool, suggest: "Ask | None" = None
) -> tuple[Parsed, Spoken | None]:
    """Return the meaning of a line, and the line for a service that draws its dice itself.

    Nothing is drawn if a function rolls the dice, or in a log without a chain. Raises Malformed if no dice are drawn that should be.
    """
    table = log.kept.table
    if roll is not None or not is_chained(table):
        return decide_attack_outcomes(table, parsed_line(table, line, roll, secret=secret, suggest=suggest)), None
    parsed = parsed_line(table, line, count_calls(make_roller()), secret=secret, suggest=suggest)
    with raise_as_malformed("word"):
        ask = drawn_dice.given_word(word) if word else drawn_dice.make_word_source()
        found, there = settle_line(log.place, table, str(line), parsed, ask)
    if parsed.thrown and not there and not any(isinstance(fact, DiceDrawn) for fact in found.facts):
        says = found.advice or "shows none of the dice that it rolls"
        raise Malformed("line", says, "give faces, such as d20:14, or `roll`")
    return found, there


def decide_facts(drafts: tuple[Draft, ...], after: After, key: str | None) -> Decide:
    """Return the decision on facts; it raises Malformed for the first that cannot be recorded next."""

    def decided(log: LogView) -> tuple[Draft, ...]:
        if after is None or parse_seq(after) == len(log.records):
            check_facts(log.kept.table.done, drafts)
        return hide_concealed(log_before_append(log, key), drafts)

    return decided


def drafts_again(records: Sequence[Recorded], line: str, key: str, *, secret: bool) -> tuple[Draft, ...] | None:
    """Return the facts of a line as it was read before the append under a key, with the dice that fell then; None if the key is new."""
    former = next((append for append in batches(records) if any(each.key == key for each in append)), None)
    if former is None:
        return None
    faces: dict[str, list[str]] = {}
    for each in former:
        for _, die in dice_in(each.event):
            if isinstance(die, Dice):
                faces.setdefault(die.notation, []).append(format_faces(parse(die.notation), die.faces))
    turns = {notation: cycle(found) for notation, found in faces.items()}
    rolled = make_roller()

    def roll(notation: str) -> str:
        return next(turns[notation]) if notation in turns else rolled(notation)

    table = Table(records[: former[0].seq - 1])
    parsed = parsed_line(table, line, count_calls(roll), secret=secret)
    drawn = (Draft(each.event, secret=each.secret) for each in former if isinstance(each.event, DiceDrawn))
    return (*decide_attack_outcomes(table, parsed).drafts, *drawn)
