"""Replay of a long log against what reading it costs at the least (targets 9, 10 and 12)."""

import itertools
import random
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

from benchmarks.append import AT, NAMES, script
from benchmarks.measuring import Row, in_turn, median_of_pairs
from eventstore.events import (
    ActionDeclared,
    ActionTaken,
    CombatantJoined,
    DamageDealt,
    EncounterOpened,
    Event,
    Healed,
    InitiativeRolled,
    RoundEnded,
    RoundStarted,
    SegmentReached,
)
from eventstore.jsonl import JsonlStore, create
from eventstore.record import Draft, Recorded, decode
from eventstore.shapes import Action
from projections.replay import replay

EVENTS = 10_000
SIDES = ("party", "orcs")


def rounds_of_segments(seed: int = 7) -> Iterator[Event]:
    """Yield a plausible fight on the ruleset `osric` without end, the same for the same seed."""
    dice = random.Random(seed)
    for number in itertools.count(1):
        yield RoundStarted(round=number)
        for who in NAMES[:4]:
            kind = dice.choice(("attack", "cast"))
            yield ActionDeclared(combatant=who, action=Action(kind=kind, name=kind, time=2 if kind == "cast" else None))
        own, other = dice.randint(1, 6), dice.randint(1, 6)
        yield InitiativeRolled(side=SIDES[0], die=own)
        yield InitiativeRolled(side=SIDES[1], die=other)
        for segment, side in sorted(((other, 0), (own, 1))):
            yield SegmentReached(segment=segment)
            for who in NAMES[4 * side : 4 * side + 4]:
                target, hurt = NAMES[4 * (1 - side) + dice.randrange(4)], dice.randint(1, 8)
                yield ActionTaken(combatant=who, action=Action(kind="attack", name="sword", targets=(target,)))
                yield DamageDealt(target=target, amount=hurt, cause=-1)
                yield Healed(target=target, amount=hurt)
        yield RoundEnded(round=number)


SCRIPTS: dict[str, Callable[[], Iterator[Event]]] = {"plain": script, "osric": rounds_of_segments}


def run(folder: Path, short: bool) -> list[Row]:
    """Measure for each ruleset, the candidates in turn, on the same bytes."""
    runs = 3 if short else 9
    return [row for ruleset in SCRIPTS for row in _rows(ruleset, _log(folder, ruleset), runs)]


def _rows(ruleset: str, path: Path, runs: int) -> list[Row]:
    lines = [line.rstrip(b"\n") for line in path.read_bytes().splitlines(keepends=True)]
    store = JsonlStore(path)
    records = list(store.read())

    def floor() -> None:
        for line in lines:
            decode(line)
            sha256(line[300:]).hexdigest()
            sha256(line[:300]).hexdigest()

    def verified() -> None:
        for _ in store.read():
            pass

    def one_fold() -> None:
        _hit_points(store.read())

    def all_folds() -> None:
        replay(list(store.read()))

    def folds_alone() -> None:
        replay(records)

    floor_name, one_name, all_name = (
        f"{ruleset}: {what}" for what in ("decode + two SHA-256 (floor)", "verified, one fold", "verified, all folds")
    )
    works = {
        floor_name: floor,
        f"{ruleset}: verified, no fold": verified,
        one_name: one_fold,
        all_name: all_folds,
        f"{ruleset}: all folds alone, records in memory": folds_alone,
    }
    taken = in_turn(works, runs)
    store.close()
    targets = (None, 0.45, 0.4, 1.8, None)
    return [
        Row(
            name,
            "µs an event",
            tuple(seconds / EVENTS * 1e6 for seconds in taken[name]),
            ratio=_ratio(taken, name, floor_name, one_name if name == all_name else ""),
            target=target,
            least=name != all_name,
            note="times the replay with one fold" if name == all_name else "",
        )
        for name, target in zip(works, targets, strict=True)
    ]


def _ratio(taken: dict[str, list[float]], name: str, floor: str, base: str) -> float:
    """Return the share of the floor, or how many times the base something takes."""
    return median_of_pairs(taken[name], taken[base]) if base else median_of_pairs(taken[floor], taken[name])


def _hit_points(records: Iterator[Recorded]) -> dict[str, int]:
    """Fold the hit points alone, by a table from event type to function."""
    points: dict[str, int] = {}

    def joins(event: CombatantJoined) -> None:
        points[event.combatant] = int(event.sheet["hp"])

    def hurts(event: DamageDealt) -> None:
        points[event.target] -= event.amount

    def heals(event: Healed) -> None:
        points[event.target] += event.amount

    table: dict[type, Callable[..., None]] = {CombatantJoined: joins, DamageDealt: hurts, Healed: heals}
    for record in records:
        fold = table.get(type(record.event))
        if fold is not None:
            fold(record.event)
    return points


def _log(folder: Path, ruleset: str) -> Path:
    """Write a log of that many events, from a seed."""
    path = folder / f"replay-{ruleset}.jsonl"
    opening = EncounterOpened(
        format=1, encounter="q7k2", title="Ford", ruleset=ruleset, revision=1, options=_options(ruleset)
    )
    joined: list[Event] = [
        CombatantJoined(combatant=who, side=SIDES[place // 4], sheet={"hp": 100_000}) for place, who in enumerate(NAMES)
    ]
    told = itertools.islice(itertools.chain(joined, SCRIPTS[ruleset]()), EVENTS - 1)
    with create(path, [Draft(opening)], by="gm", at=AT) as store:
        store.append([Draft(event) for event in told], by="gm", at=AT)
    return path


def _options(ruleset: str) -> dict[str, str]:
    from projections.rulesets import find

    return {option.name: option.values[0] for option in find(ruleset).catalogue().option}
