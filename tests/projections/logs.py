"""Logs in memory, from JSON lines through the real form, chain and record; and short words for the facts of a test."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from eventstore import chain, form
from eventstore.errors import StoreError
from eventstore.record import Draft, Recorded, decode
from projections.because import Explained
from projections.folds.addresses import value_of
from projections.judging.audit import Finding, audit
from projections.replay.replay import replay
from projections.state import State
from projections.time import Where
from tests.eventstore.logs import line_of

AT = "2026-11-20T19:04:05.123456Z"
SALT = "0" * 32


def fact(type_: str, **fields: Any) -> str:
    """Return the JSON line of a fact; a trailing _ in a field's name is left out."""
    return json.dumps({"type": type_} | {name.rstrip("_"): value for name, value in fields.items()})


def changes(state: State, who: str = "ulf", pool: str = "hp") -> list[int]:
    """Return the records that changed a pool, in the order in which they took hold."""
    return [each.seq for each in state.combatants[who].pools[pool].changes]


def joins(who: str, hp: int | None = 10, side: str | None = None, **sheet: Any) -> str:
    """Say that somebody joins with these hit points."""
    own = {} if side is None else {"side": side}
    return fact("combatant_joined", combatant=who, sheet=({} if hp is None else {"hp": hp}) | sheet, **own)


def hit(target: str, amount: int, **more: Any) -> str:
    """Say that somebody is hurt."""
    return fact("damage_dealt", target=target, amount=amount, **more)


def heal(target: str, amount: int, **more: Any) -> str:
    """Say that somebody is healed."""
    return fact("healed", target=target, amount=amount, **more)


def act(who: str, name: str = "strike", **more: Any) -> str:
    """Say that somebody acts."""
    return fact("action_taken", combatant=who, action={"kind": "other", "name": name}, **more)


def rolls(who: str, total: int | str, **more: Any) -> str:
    """Say that somebody has this initiative."""
    return fact("initiative_rolled", combatant=who, total=total, **more)


def turn(who: str, **more: Any) -> str:
    """Say that somebody's turn begins."""
    return fact("turn_started", combatant=who, **more)


def turn_ends(who: str) -> str:
    """Say that somebody's turn ends."""
    return fact("turn_ended", combatant=who)


def round_(number: int) -> str:
    """Say that a round begins."""
    return fact("round_started", round=number)


def bears(name: str, *targets: str, **more: Any) -> str:
    """Say that an effect begins."""
    return fact("effect_started", effect=name, targets=targets, **more)


def override(**values: Any) -> str:
    """Say that the GM puts values in place; `ulf__hp` is the address ulf.hp."""
    return override_of({name.replace("__", "."): value for name, value in values.items()})


def override_of(values: dict[str, Any]) -> str:
    """Say that the GM puts values in place, by their addresses."""
    return fact("ruling_made", ruling="override", decision="so be it", values=values)


def strike(seq: int) -> str:
    """Say that a record is struck."""
    return fact("struck", event=seq)


def amend(seq: int, words: str) -> str:
    """Say that other words stand in the place of a record."""
    return fact("amended", event=seq, replacement=json.loads(words))


def insert(after: int, words: str) -> str:
    """Say that words belong after a record."""
    return fact("inserted", after=after, fact=json.loads(words))


def lines(*facts: str, ruleset: str = "plain", options: dict[str, str] | None = None) -> list[bytes]:
    """Return the lines of a log of which these facts are records 2 and on."""
    first = fact(
        "encounter_opened", format=1, encounter="q7k2", title="Ford", ruleset=ruleset, revision=1, options=options or {}
    )
    made, before = list[bytes](), chain.GENESIS
    for seq, text in enumerate((first, *facts), 1):
        draft = Draft(form.event_of(form.read_json(text)))
        made.append(line_of(draft, seq, AT, "gm", None, SALT, before))
        before = chain.verify_line(made[-1][:-1], before)
    return made


def records(*facts: str, ruleset: str = "plain", options: dict[str, str] | None = None) -> list[Recorded]:
    """Return the records of a log of which these facts are records 2 and on."""
    return [decode(line[:-1]) for line in lines(*facts, ruleset=ruleset, options=options)]


def play(*facts: str, at: str | None = None, ruleset: str = "plain", options: dict[str, str] | None = None) -> State:
    """Return the state that a log comes to."""
    return replay(records(*facts, ruleset=ruleset, options=options), Where.parse(at) if at else None).state


def hp(state: State) -> dict[str, int | None]:
    """Return everybody's hit points."""
    return {one.id: one.hp for one in state.combatants.values()}


def value(state: State, address: str) -> Any:
    """Return a derived value; there must be one, with a reason."""
    derived = value_of(state, address)
    assert isinstance(derived, Explained), f"{address} names no value"
    assert derived.because.events, f"{address} has no reason"
    return derived.value


def findings(*facts: str, ruleset: str = "plain", options: dict[str, str] | None = None) -> list[Finding]:
    """Return what the audit has to say of a log."""
    return list(audit(records(*facts, ruleset=ruleset, options=options)).findings)


def rules(*facts: str, options: dict[str, str] | None = None) -> list[tuple[str, int]]:
    """Return rule and event of each finding of a plain log."""
    return [(one.rule, one.event) for one in findings(*facts, options=options)]


class Breaking(Iterable[Recorded]):
    """A log that cannot be read beyond a record, as a store yields it."""

    def __init__(self, readable: list[Recorded], error: StoreError) -> None:
        self._readable, self._error = readable, error

    def __iter__(self) -> Iterator[Recorded]:
        """Yield what can be read, then raise."""
        yield from self._readable
        raise self._error
