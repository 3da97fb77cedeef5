"""Replay of a long log against the least cost of reading it (targets 9, 10 and 12), and of each ruleset against plain."""

import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from benchmarks.append import AT, NAMES, script
from benchmarks.measuring import Measurement, Work, in_turn, median_of_pairs
from eventstore.events import (
    ActionDeclared,
    ActionTaken,
    AttackRolled,
    CombatantJoined,
    DamageDealt,
    EffectStarted,
    EncounterOpened,
    Event,
    Healed,
    InitiativeRolled,
    Moved,
    PhaseReached,
    RoundEnded,
    RoundStarted,
    SaveRolled,
    SegmentReached,
    TurnDelayed,
    TurnResumed,
    TurnStarted,
)
from eventstore.jsonl import JsonlStore, create
from eventstore.record import Draft, Recorded, decode
from eventstore.shapes import Action, Distance, Duration, Modifier
from projections.replay.replay import replay
from projections.rulesets import find, keys

EVENTS = 10_000
AT_ONCE = 10
"""The number of events of one append in the logs that are read."""
SIDES = ("party", "orcs")


def rounds_of_segments(seed: int = 7, names: Sequence[str] = NAMES) -> Iterator[Event]:
    """Yield a plausible fight on the ruleset `osric` without end, the same for the same seed; each side is one half."""
    dice, half = random.Random(seed), len(names) // 2
    for number in itertools.count(1):
        yield RoundStarted(round=number)
        for who in names[:half]:
            kind = dice.choice(("attack", "cast"))
            yield ActionDeclared(combatant=who, action=Action(kind=kind, name=kind, time=2 if kind == "cast" else None))
        own, other = dice.randint(1, 6), dice.randint(1, 6)
        yield InitiativeRolled(side=SIDES[0], die=own)
        yield InitiativeRolled(side=SIDES[1], die=other)
        for segment, side in sorted(((other, 0), (own, 1))):
            yield SegmentReached(segment=segment)
            for who in names[half * side : half * side + half]:
                target, hurt = names[half * (1 - side) + dice.randrange(half)], dice.randint(1, 8)
                yield ActionTaken(combatant=who, action=Action(kind="attack", name="sword", targets=(target,)))
                yield DamageDealt(target=target, amount=hurt, cause=-1)
                yield Healed(target=target, amount=hurt)
        yield RoundEnded(round=number)


def turns_with_resources(seed: int = 7, names: Sequence[str] = NAMES) -> Iterator[Event]:
    """Yield a plausible fight on the ruleset `nameless-journey`: steps, acts, parries, effects that run out."""
    dice = random.Random(seed)
    for total, who in zip(itertools.count(20, -1), names):
        yield InitiativeRolled(combatant=who, die=max(total, 1), bonus=min(total - 1, 0))
    for who in itertools.cycle(names):
        target, hurt, x = dice.choice([name for name in names if name != who]), dice.randint(1, 8), dice.randint(0, 9)
        yield TurnStarted(combatant=who)
        yield Moved(combatant=who, path=((x, 0), (x + 1, 0), (x + 2, 1)), mode="walk")
        yield ActionTaken(combatant=who, action=Action(kind="handle", name="draw", cost="interaction"))
        yield ActionTaken(combatant=who, action=Action(kind="attack", name="sword", targets=(target,), cost="action"))
        if dice.random() < 0.2:
            parry = Action(kind="trait", name="parry", cost="reaction")
            yield ActionTaken(combatant=target, action=parry, trigger=-1)
        elif dice.random() < 0.6:
            yield DamageDealt(target=target, amount=hurt, cause=-1)
            yield Healed(target=target, amount=hurt)
        if dice.random() < 0.2:
            lasting = Duration(amount=dice.randint(1, 3), unit="round")
            yield EffectStarted(effect="dread", source=who, targets=(target,), duration=lasting)


def turns_of_seconds(seed: int = 7, names: Sequence[str] = NAMES) -> Iterator[Event]:
    """Yield a plausible fight on the ruleset `semiautomagic`: acts that run on, delayed effects, delayed turns."""
    dice = random.Random(seed)
    for total, who in zip(itertools.count(20, -1), names):
        yield InitiativeRolled(combatant=who, check=max(total, 1), bonus=min(total - 1, 0))
    running, coming = dict.fromkeys(names, 0), {who: list[int]() for who in names}
    held = ""
    for who in itertools.cycle(names):
        yield TurnStarted(combatant=who)
        if not held and not running[who] and dice.random() < 0.1:
            held = who
            yield TurnDelayed(combatant=who)
            continue
        yield from _seconds(dice, who, running, coming[who])
        if held:
            yield TurnResumed(combatant=held)
            yield from _seconds(dice, held, running, coming[held])
            held = ""


def _seconds(dice: random.Random, who: str, running: dict[str, int], coming: list[int]) -> Iterator[Event]:
    """Yield the events in the seconds of a turn; the last act may run on into the next one.

    `coming` are the seconds of this turn, or of later ones, in which delayed effects come about.
    """
    names, left = tuple(running), 6 - running[who]
    while left > 0:
        yield from _effects(who, coming, 6 - left)
        kind, time = dice.choice((("attack", 4), ("cast", 4), ("run", 3), ("move", 1), ("draw", 1)))
        target, left = dice.choice(names), left - time
        delay = dice.randint(1, 9) if kind == "cast" else None
        yield ActionTaken(combatant=who, action=Action(kind=kind, name=kind, targets=(target,), time=time, delay=delay))
        if kind == "attack" and left >= 0:
            yield DamageDealt(target=target, amount=5, cause=-1)
            yield Healed(target=target, amount=5)
        if delay:
            coming.append(6 - left + delay)
    yield from _effects(who, coming, 6)
    running[who] = -left
    coming[:] = [second - 6 for second in coming]


def _effects(who: str, coming: list[int], second: int) -> Iterator[Event]:
    """Yield the effects that come about up to a second."""
    for each in sorted(due for due in coming if due <= second):
        coming.remove(each)
        yield EffectStarted(effect="cast", source=who)


def rounds_of_slots(seed: int = 7, names: Sequence[str] = NAMES) -> Iterator[Event]:
    """Yield a plausible fight on the ruleset `vile-darkness`: spells, arrows and blows in their slots; each side is one half."""
    dice, half = random.Random(seed), len(names) // 2
    for number in itertools.count(1):
        yield RoundStarted(round=number)
        casters = [side * half + dice.randrange(half) for side in (0, 1)]
        for caster in casters:
            yield ActionDeclared(combatant=names[caster], action=Action(kind="incantation", name="spark", time=3))
        faces = [dice.randint(1, 6) for _ in SIDES]
        for group, face in zip(SIDES, faces, strict=True):
            yield InitiativeRolled(side=group, die=face)
        high = 0 if faces[0] >= faces[1] else 1
        for side, initiative in ((high, "H"), (1 - high, "H" if faces[0] == faces[1] else "L")):
            others = names[half * (1 - side) : half * (1 - side) + half]
            yield PhaseReached(phase=f"{initiative}.D1")
            named = Action(kind="target", name="spark", targets=(dice.choice(others),))
            yield ActionTaken(combatant=names[casters[side]], action=named)
            yield PhaseReached(phase=f"{initiative}.D3")
            for who in names[half * side : half * side + half]:
                if who != names[casters[side]]:
                    target, hurt = dice.choice(others), dice.randint(1, 8)
                    yield ActionTaken(combatant=who, action=Action(kind="attack", name="sword", targets=(target,)))
                    yield DamageDealt(target=target, amount=hurt, cause=-1)
                    yield Healed(target=target, amount=hurt)
        yield RoundEnded(round=number)


def turns_with_strikes(seed: int = 7, names: Sequence[str] = NAMES) -> Iterator[Event]:
    """Yield a plausible fight on the ruleset `definition-master`: moves, blows with their rolls, strikes out of turn."""
    dice = random.Random(seed)
    for total, who in zip(itertools.count(20, -1), names):
        yield InitiativeRolled(combatant=who, die=max(total, 1), bonus=min(total - 1, 0))
    for number in itertools.count(1):
        yield RoundStarted(round=number)
        for who in names:
            target = dice.choice([each for each in names if each != who])
            yield TurnStarted(combatant=who)
            yield Moved(combatant=who, distance=Distance(amount=10, unit="ft"))
            strike = Action(kind="attack", cost="opportunity", targets=(who,))
            yield ActionTaken(combatant=target, action=strike, trigger=-1)
            yield ActionTaken(combatant=who, action=Action(kind="attack", name="sword", targets=(target,)))
            yield AttackRolled(combatant=who, target=target, die=dice.randint(1, 20), cause=-1)
            yield DamageDealt(target=target, amount=1, cause=-1)
            yield Healed(target=target, amount=1)


def turns_with_spells(seed: int = 7, names: Sequence[str] = NAMES) -> Iterator[Event]:
    """Yield a plausible fight on the ruleset `5e`: moves, blows with their rolls, reactions, spells with concentration and saves."""
    dice = random.Random(seed)
    for total, who in zip(itertools.count(20, -1), names):
        yield InitiativeRolled(combatant=who, die=max(total, 1), bonus=min(total - 1, 0))
    for number in itertools.count(1):
        yield RoundStarted(round=number)
        for who in names:
            target, face = dice.choice([each for each in names if each != who]), dice.randint(2, 19)
            yield TurnStarted(combatant=who)
            yield Moved(combatant=who, distance=Distance(amount=10, unit="ft"))
            yield ActionTaken(
                combatant=who, action=Action(kind="attack", name="sword", targets=(target,), cost="action")
            )
            yield AttackRolled(
                combatant=who, target=target, die=face, modifiers=BONUS, total=face + 5, hit=True, cause=-1
            )
            yield DamageDealt(target=target, amount=3, cause=-1)
            yield SaveRolled(
                combatant=target, save="constitution", die=face, purpose="concentration", succeeded=face >= 10
            )
            yield Healed(target=target, amount=3)
            if who == names[0]:
                yield ActionTaken(
                    combatant=who, action=Action(kind="cast", name="bless", targets=(target,), cost="bonus")
                )
                lasts = Duration(amount=3, unit="round")
                yield EffectStarted(
                    effect="bless", source=who, targets=(target,), duration=lasts, concentration=True, cause=-1
                )


BONUS = (Modifier(name="bonus", amount=5),)


SCRIPTS: dict[str, Callable[..., Iterator[Event]]] = {
    "plain": script,
    "osric": rounds_of_segments,
    "nameless-journey": turns_with_resources,
    "semiautomagic": turns_of_seconds,
    "vile-darkness": rounds_of_slots,
    "definition-master": turns_with_strikes,
    "5e": turns_with_spells,
}
"""A fight for each ruleset: a function of a seed and of the names of the combatants, both with a default."""
SHEETS: dict[str, dict[str, Any]] = {"nameless-journey": {"entries": [{"name": "parry", "cost": "reaction"}]}}
"""The fields of every sheet besides hit points."""
FLOORED = ("plain", "osric")
"""The rulesets that are measured step by step against the floor."""


def run(folder: Path, short: bool) -> list[Measurement]:
    """Measure for each ruleset, the candidates in turn, on the same bytes."""
    runs = 3 if short else 9
    logs = {ruleset: _log(folder, ruleset) for ruleset in keys() if ruleset in SCRIPTS}
    rows = [row for ruleset in FLOORED for row in _rows(ruleset, logs[ruleset], runs)]
    return [*rows, *_against_plain(logs, runs), *_unmeasured()]


def _against_plain(logs: dict[str, Path], runs: int) -> list[Measurement]:
    """Measure the replay of the same number of events in each ruleset, from the file, as a multiple of that in plain."""
    names = {
        ruleset: f"{ruleset}: replay of {EVENTS:,} events" for ruleset in ("plain", *sorted(logs.keys() - {"plain"}))
    }
    taken = in_turn({name: _replaying(logs[ruleset]) for ruleset, name in names.items()}, runs)
    return [
        Measurement(
            name,
            "µs an event",
            tuple(seconds / EVENTS * 1e6 for seconds in taken[name]),
            ratio=median_of_pairs(taken[name], taken[names["plain"]]),
            note="times the replay in plain",
        )
        for name in names.values()
    ]


def _replaying(path: Path) -> Work:
    def work() -> None:
        with JsonlStore(path) as store:
            replay(list(store.read()))

    return work


def _unmeasured() -> list[Measurement]:
    """Name the rulesets that are installed and have no script here."""
    return [Measurement(ruleset, "", (), note="has no script here") for ruleset in keys() if ruleset not in SCRIPTS]


def _rows(ruleset: str, path: Path, runs: int) -> list[Measurement]:
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
        hit_points(store.read())

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
    targets = (None, 0.55, 0.4, 3 if ruleset == "osric" else 1.8, None)
    return [
        Measurement(
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
    """Return the share of the floor, or the multiple of the base."""
    return median_of_pairs(taken[name], taken[base]) if base else median_of_pairs(taken[floor], taken[name])


def hit_points(records: Iterator[Recorded]) -> dict[str, int]:
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
    opening, *facts = itertools.islice(fight(ruleset), EVENTS)
    with create(path, [Draft(opening)], by="gm", at=AT) as store:
        for start in range(0, len(facts), AT_ONCE):
            drafts = [Draft(event) for event in facts[start : start + AT_ONCE]]
            store.append(drafts, by="gm", at=AT, mode="flushed")
    return path


def fight(ruleset: str, names: Sequence[str] = NAMES, seed: int = 7) -> Iterator[Event]:
    """Yield the events of a log without end: the opening, the combatants, and their plausible fight."""
    options = {option.name: option.values[0] for option in find(ruleset).catalogue().option}
    yield EncounterOpened(format=1, encounter="q7k2", title="Ford", ruleset=ruleset, revision=1, options=options)
    for place, who in enumerate(names):
        sheet = {"hp": 100_000} | SHEETS.get(ruleset, {})
        yield CombatantJoined(combatant=who, side=SIDES[2 * place // len(names)], sheet=sheet)
    yield from SCRIPTS[ruleset](seed, names)
