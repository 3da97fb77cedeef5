"""What a fight shows around a difference, from the engine's lines alone: a verdict counts only where its circumstance holds."""

import re
from collections.abc import Callable, Iterator
from math import hypot
from typing import Any

Line = dict[str, Any]
ROLLS = ("attack_rolled", "save_rolled")
"""The rolls with which damage begins."""
Holds = Callable[[list[Line], str, str], bool]
"""Whether a circumstance holds, given the lines up to the difference, whom it is about, and the two values, or the finding."""


def shares_a_square(lines: list[Line], who: str, _: str) -> bool:
    """Somebody stands in the square in which another has ended its move."""
    squares = {unit["id"]: unit["square"] for line in lines if line["type"] == "state" for unit in line["units"]}
    squares |= {line["actor_id"]: line["path"][-1] for line in lines if line["type"] == "actor_moved"}
    return any(each != who and square == squares.get(who) for each, square in squares.items())


def is_further(_: list[Line], __: str, says: str) -> bool:
    """The way that was gone is longer than the straight one."""
    theirs, ours = map(int, re.findall(r"\d+", says.partition(": ")[2]))
    return theirs > ours


def is_on_twice(lines: list[Line], _: str, __: str) -> bool:
    """The dice of a spell that is on somebody twice are more than one die can show."""
    line = lines[-1]
    rest = abs(line["roll_total"] - line["natural"] - line["modifier"])
    return rest in range(5, 9) and max(line.get("dice", {}).values(), default=0) > 1


def is_cast_again(lines: list[Line], _: str, __: str) -> bool:
    """A spell is cast by somebody who holds it already."""
    places = [place for place, line in enumerate(lines) if line["type"] == "spell_cast"]
    if not places:
        return False
    cast = lines[places[-1]]
    state = next(line for line in reversed(lines[: places[-1]]) if line["type"] == "state")
    held = (unit["holds"] for unit in state["units"] if unit["id"] == cast["actor_id"])
    return cast["spell_id"] in held


def is_cast_by_a_holder(lines: list[Line], _: str, says: str) -> bool:
    """Who casts a spell concentrates on the one that the finding names."""
    caster = next((line["actor_id"] for line in reversed(lines) if line["type"] == "spell_cast"), "")
    state = next(line for line in reversed(lines) if line["type"] == "state")
    return any(unit["holds"] in says for unit in state["units"] if unit["id"] == caster)


def was_on_twice(lines: list[Line], _: str, __: str) -> bool:
    """A spell with a die was begun twice on whoever rolls, and only one of the two has ended."""
    who = lines[-1].get("attacker_id") or lines[-1].get("target_id")
    begun = [
        line["of"]["spell"] for line in lines if line["type"] == "effect_applied" and line["effect"]["target_id"] == who
    ]
    return any(begun.count(spell) > 1 for spell in lines[-1].get("dice", {}))


def has_just_ended(lines: list[Line], _: str, __: str) -> bool:
    """The end of a spell with a die is told before the last roll in which its die is counted."""
    who = lines[-1].get("attacker_id") or lines[-1].get("target_id")
    ends = [line for line in lines[-10:] if line["type"] == "effect_expired" and line["target_id"] == who]
    return any(line["of"].get("spell") in lines[-1].get("dice", {}) for line in ends)


def has_an_uncritical_hit(lines: list[Line], who: str, _: str) -> bool:
    """A hit on somebody who is down already is told as no critical one."""
    return any(not hit[0]["is_crit"] for hit in _hits(lines, who)[1:])


def is_felled_by_the_same_act(lines: list[Line], _: str, __: str) -> bool:
    """An earlier attack of the same act has felled the target."""
    begins = max(place for place, line in enumerate(lines) if line["type"] == "intent_submitted")
    return {"type": "unconscious", "target_id": lines[-1]["target_id"]} in lines[begins:]


def is_behind_somebody(lines: list[Line], _: str, __: str) -> bool:
    """Somebody stands between attacker and target, and the attack would miss with half cover."""
    roll, state = lines[-1], next(line for line in reversed(lines) if line["type"] == "state")
    squares = {unit["id"]: unit["square"] for unit in state["units"]}
    squares |= {line["actor_id"]: line["path"][-1] for line in lines if line["type"] == "actor_moved"}
    ac = next(unit["ac"] for unit in lines[0]["units"] if unit["id"] == roll["target_id"]) + _shield(lines)
    here, there = squares[roll["attacker_id"]], squares[roll["target_id"]]
    others = (square for who, square in squares.items() if who not in (roll["attacker_id"], roll["target_id"]))
    return 0 <= roll["roll_total"] - ac < 2 and any(_is_between(here, there, each) for each in others)


def _shield(lines: list[Line]) -> int:
    """Return the armor class that shield of faith gives the target of the last line."""
    on = False
    for line in lines:
        if line.get("of", {}).get("spell") == "shield-of-faith":
            whom = line.get("target_id") or line["effect"]["target_id"]
            on = line["type"] == "effect_applied" if whom == lines[-1]["target_id"] else on
    return 2 if on else 0


def _is_between(here: list[int], there: list[int], other: list[int]) -> bool:
    across, down, x, y = there[0] - here[0], there[1] - here[1], other[0] - here[0], other[1] - here[1]
    length = hypot(across, down)
    along = (x * across + y * down) / length if length else 0
    return 0 < along < length and abs(x * down - y * across) / length < 1


def has_two_types(lines: list[Line], who: str, _: str) -> bool:
    """One hit on somebody who is down, or goes down by it, dealt two types of damage."""
    return any(len({damage["damage_type"] for damage in hit}) > 1 for hit in _hits(lines, who))


def has_too_few_failures(lines: list[Line], who: str, _: str) -> bool:
    """Somebody has died with less than three failures, one for a hit, two for a critical one, and those of saves since it is down."""
    failures = successes = 0
    hits = iter(_hits(lines, who))
    down = False
    for line in _since_down(lines, who):
        match line:
            case {"type": "unconscious"}:
                down = True
                next(hits, None)
            case {"type": "death_save_rolled", "outcome": outcome}:
                failures += {"failure": 1, "crit_failure": 2}.get(outcome, 0)
                successes += outcome == "success"
            case {"type": "stabilized"}:
                failures = successes = 0
    return (
        down and failures + sum(2 if hit[0]["is_crit"] else 1 for hit in hits if not _stable_after(lines, who, hit)) < 3
    )


def _stable_after(lines: list[Line], who: str, hit: list[Line]) -> bool:
    """Say whether somebody has become stable after a hit, by which its failure no longer counts."""
    later = lines[next(place for place, line in enumerate(lines) if line is hit[0]) :]
    return any(line["type"] == "stabilized" and line["target_id"] == who for line in later)


def _since_down(lines: list[Line], who: str) -> Iterator[Line]:
    """Yield the lines about somebody from the hit that felled it last."""
    places = [place for place, line in enumerate(lines) if line["type"] == "unconscious" and line["target_id"] == who]
    begins = (
        max((place for place, line in enumerate(lines[: places[-1]]) if line["type"] in ROLLS), default=0)
        if places
        else 0
    )
    yield from (line for line in lines[begins:] if line.get("target_id") == who or line.get("attacker_id"))


def _hits(lines: list[Line], who: str) -> list[list[Line]]:
    """Return the damage of each hit on somebody from that on which felled it last."""
    hits: list[list[Line]] = []
    goes_on = False
    for line in _since_down(lines, who):
        if line["type"] == "damage_applied" and line["target_id"] == who:
            hits = [*hits[:-1], [*hits[-1], line]] if goes_on else [*hits, [line]]
            goes_on = True
        elif line["type"] in (*ROLLS, "death_save_rolled"):
            goes_on = False
    return hits


def is_of_a_lower_slot(lines: list[Line], _: str, says: str) -> bool:
    """A spell is cast with a slot of a lower level than its own."""
    level = re.search(r"is of level (\d)", says)
    return bool(level and lines[-1]["type"] == "spell_cast" and lines[-1]["slot_level"] < int(level[1]))


def is_a_second_slot(lines: list[Line], _: str, __: str) -> bool:
    """Somebody casts a second spell with a slot in one turn."""
    begins = max(place for place, line in enumerate(lines) if line["type"] == "turn_started")
    casts = [line for line in lines[begins:] if line["type"] == "spell_cast" and line["slot_level"]]
    return len([each for each in casts if each["actor_id"] == casts[-1]["actor_id"]]) > 1


CIRCUMSTANCES: dict[str, Holds] = {
    holds.__name__.replace("_", "-"): holds
    for holds in (
        shares_a_square,
        is_further,
        is_on_twice,
        is_cast_again,
        is_cast_by_a_holder,
        was_on_twice,
        has_just_ended,
        has_an_uncritical_hit,
        is_felled_by_the_same_act,
        is_behind_somebody,
        has_two_types,
        has_too_few_failures,
        is_of_a_lower_slot,
        is_a_second_slot,
    )
}
"""The circumstances by the names that verdicts use."""
