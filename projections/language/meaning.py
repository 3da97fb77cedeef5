"""From clauses to facts: what a clause carries over from the one before it, whom pronouns mean, and the templates of its shape."""

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from msgspec import to_builtins

from projections.language.chart import Clause
from projections.language.completing import FILLS, Choice, Hurt, Unclear, give_one_kind, is_declared
from projections.language.lexer import Number
from projections.language.names import EVERYBODY, Who
from projections.language.scene import Scene
from projections.language.table import Shape
from projections.language.values import plain, slot_text
from projections.open_types import Facts, Fields, Json
from projections.ruleset.durations import until_next_turn, until_turn_is_over

BLOW = "blow"
"""The shape whose clauses go on from each other: 16 hits for 5, 11 misses."""
_AGAIN = frozenset((BLOW, "casting"))
EITHER = "either"
"""The word of a shape that carries over whom something befell, or who did it: Bo hits the orc and takes 3."""
BEFALLEN = "befallen"
"""The word of a shape whose subject is whom a blow or a spell befell, unless it is named."""
_OUTCOMES = frozenset(("roll", "hit", "damage", "each"))
_CAUSES = {
    "act": ("action_taken",),
    "roll": ("action_taken", "attack_rolled", "save_rolled"),
    "effect": ("effect_started",),
}
"""The types of facts that a template names as the cause of another one, or that a note is on."""
_SINGLE = frozenset(("combatant", "target", "source"))
"""The fields that hold one combatant."""


def facts_of_clauses(scene: Scene, clauses: Sequence[Clause]) -> list[Facts]:
    """Return the facts that clauses tell, in each way that a pronoun or a rounding leaves open; raise Unclear if there is none."""
    ways: list[tuple[Facts, Fields]] = [([], {})]
    _check_times(clauses)
    joined = _side_of_all(clauses)
    for clause, own in _deal_outcomes(clauses):
        further: list[tuple[Facts, Fields]] = []
        why = Unclear("no sentence reads like this")
        for facts, before in ways:
            for slots in _resolve_slots(clause, before, own | joined):
                try:
                    made = [[]] if "announces" in own else list(_facts_of(scene, clause.shape, slots))
                except Unclear as error:
                    why = error
                    continue
                except KeyError as error:
                    why = Unclear(f"this does not say {error.args[0]}")
                    continue
                said = _slots_to_carry(clause, before, slots)
                further += [([*facts, *each], said) for each in made]
        if not further:
            raise why
        ways = further
    return [facts for facts, _ in ways]


# ---------------------------------------------------------------- carried over


def _side_of_all(clauses: Sequence[Clause]) -> Fields:
    """Return the side that newcomers who are named before it join, too: Ana 9 hp and Bo 7 hp join the party."""
    joining = (slots for each in clauses if {"joins", "side"} <= (slots := dict(each.slots)).keys())
    return next(({"side of all": slots["side"]} for slots in joining), {})


def _check_times(clauses: Sequence[Clause]) -> None:
    """Raise Unclear where a line does not tell as many outcomes as blows: twice, and one roll."""
    for at, clause in enumerate(clauses):
        slots = dict(clause.slots)
        times = int(slots.get("times", 0))
        run = [each for each in clauses[at : at + times + 1] if each.shape is clause.shape]
        outcomes = sum(bool({"roll", "hit"} & dict(each.slots).keys()) for each in run)
        if len(run) == 1 and times:
            misses = slots.get("hit") is False and "roll" not in slots
            outcomes = times if misses else max(outcomes, len(_hurts(slots)))
        if times and outcomes != times and not (outcomes == 1 and "once" in dict(clause.slots)):
            raise Unclear(f"this tells of {times} blows, and how {outcomes} went")


def _deal_outcomes(clauses: Sequence[Clause]) -> Iterator[tuple[Clause, Fields]]:
    """Yield the clauses, each with the slots of its own, where several have as many outcomes: bandits 2 and 3 shoot Orsk, 15 hits, 8 misses."""
    at = 0
    while at < len(clauses):
        slots = dict(clauses[at].slots)
        run = 1
        while at + run < len(clauses) and _is_same_blow(clauses[at], clauses[at + run]):
            run += 1
        several = {name: who.ids for name in ("who", "whom") if isinstance(who := slots.get(name), Who)}
        shared = next((name for name, ids in several.items() if run == len(ids) > 1), "")
        each = give_one_kind(slots["each"]) if "each" in slots else ()
        dealt = next((name for name, ids in several.items() if len(each) == len(ids) > 1), "")
        if shared == "who":
            for clause, one in zip(clauses[at : at + run], several["who"], strict=True):
                yield clause, {"who": Who((one,))}
            at += run
        elif dealt and clauses[at].shape.name == BLOW:
            for one, hurt in zip(several[dealt], each, strict=True):
                yield clauses[at], {dealt: Who((one,)), "damage": (hurt,), "each": None}
            at += 1
        elif "times" in slots and run == 1 and clauses[at].shape.name == BLOW and "once" not in slots:
            for own in [{"damage": (each,), "each": None} for each in _hurts(slots)] or [{}] * int(slots["times"]):
                yield clauses[at], own
            at += 1
        else:
            yield clauses[at], {"announces": True} if run > 1 and _is_announcement(clauses[at], clauses[at + 1]) else {}
            at += 1


def _hurts(slots: Fields) -> tuple[Hurt, ...]:
    """Return the points of several blows at the same target: hits twice, for 4 and 5."""
    told = "each" in slots and ("uncued" not in slots or "hit" in slots)
    return give_one_kind(slots["each"]) if told else ()


def _is_announcement(clause: Clause, other: Clause) -> bool:
    """Say whether a clause names a blow whose outcomes the clauses behind it tell in a row: attacks twice, the first hits."""
    return "in a row" in dict(other.slots) and not _OUTCOMES & dict(clause.slots).keys()


def _is_same_blow(first: Clause, other: Clause) -> bool:
    return other.shape is first.shape and other.shape.name == BLOW and not {"who", "whom"} & dict(other.slots).keys()


def _slots_to_carry(clause: Clause, before: Fields, slots: Fields) -> Fields:
    """Return what the next clause may carry over."""
    named = (slots[each] for each in ("who", "source", "whom") if isinstance(slots.get(each), Who))
    subject = next(named, before.get("who"))
    kept = {name: value for name, value in before.items() if name in ("who", "whom")}
    met = {"whom": slots["near"]} if isinstance(slots.get("near"), Who) else {}
    return kept | met | slots | {"who": subject, "shape": clause.shape.name}


def _resolve_slots(clause: Clause, before: Fields, own: Fields) -> Iterator[Fields]:
    """Yield the slots of a clause with those of the clause before that it carries over, and with each combatant that its pronouns can mean."""
    slots: Fields = dict(clause.slots) | own
    slots = {name: value for name, value in slots.items() if value is not None}
    is_open = before.get("hit") is True and "damage" not in before  # hits Ana, and then Bo for 5: who takes 5 is open
    if "anew" in slots and (before.get("shape") != BLOW or ("whom" in slots and is_open)):
        return
    if BEFALLEN in clause.shape.carries and before.get("shape") in _AGAIN:
        before = before | {"who": before.get("whom", before.get("who"))}
    same = before.get("shape") == clause.shape.name or "announced" in before
    for name in clause.shape.carries - slots.keys() - {EITHER, BEFALLEN}:
        value = before.get("whom", before.get("who")) if name == "whom" else before.get(name)
        if value is not None and (same or name in ("who", "whom")):
            slots[name] = value
    if EITHER in clause.shape.carries and "whom" not in slots:
        either = dict.fromkeys(each for each in (before.get("whom"), before.get("who")) if each is not None)
        yield from (slots | {"whom": each} for each in either)
        return
    yield from _without_pronouns(slots, before)


def _without_pronouns(slots: Fields, before: Fields) -> Iterator[Fields]:
    """Yield slots with each combatant of this line that their pronouns can mean: the subject first, then the others."""
    name = next(
        (name for name in ("who", "source", "whom") if isinstance(slots.get(name), Who) and slots[name].refers), ""
    )
    if not name:
        yield slots
        return
    for who in _pronoun_combatants(slots[name].refers, name, slots, before):
        yield from _without_pronouns(slots | {name: who, "meant": name}, before)


def _pronoun_combatants(refers: str, name: str, slots: Fields, before: Fields) -> list[Who]:
    """Return the combatants of this line that a pronoun can mean: himself is who does it, him somebody else."""
    own = slots.get("who", slots.get("source"))
    if refers == "self":
        return [own] if isinstance(own, Who) and own.ids and name == "whom" else []
    named = [each for each in (before.get("who"), before.get("whom")) if isinstance(each, Who) and each.ids]
    return [*dict.fromkeys(each for each in named if name != "whom" or each != own)]


# ---------------------------------------------------------------- facts


def _facts_of(scene: Scene, shape: Shape, slots: Fields) -> Iterator[Facts]:
    """Yield the facts of a clause, in each way that is left open; raise Unclear."""
    if shape.plan in scene.kinds and is_declared(scene, slots):
        plan = {"type": "action_declared", "action": {"kind": shape.plan}}
        yield [plan | {"combatant": each} for each in slots["who"].ids]
        return
    for name in shape.fills:
        made = FILLS[name](scene, slots)
        if made is not None:
            yield made
            return
    if shape.rest:
        yield [{"rest": shape.rest, "words": plain(slots.get("words", ""))}]
        return
    names = [name for name, value in slots.items() if isinstance(value, Choice)]
    for each in product(*(slots[name].of for name in names)):
        yield _fill_templates(scene, shape, slots | dict(zip(names, each, strict=True)))


def _fill_templates(scene: Scene, shape: Shape, slots: Fields) -> Facts:
    who = slots.get("who")
    if isinstance(who, Who) and not who.ids:
        raise Unclear("this does not say who")
    found: Facts = []
    for one in who.ids if isinstance(who, Who) else ("",):
        block: Facts = []
        for template in shape.makes:
            if _is_applicable(template, slots):
                for made in _fill_for_each(template, slots | ({"who": Who((one,))} if one else {})):
                    block.append(_add_cause(made, block))
        found += block
    if not found:
        raise Unclear("this says nothing that can be recorded")
    found = [_resolve_duration(scene, fact) for fact in found]
    if any(each["type"] == "round_started" for each in found) and scene.forms.declares == "dice":
        scene.begins_round = True
    return _as_declarations(found, who) if shape.declares and is_declared(scene, slots) else found


def _resolve_duration(scene: Scene, fact: Fields) -> Fields:
    """Return a fact whose duration is until a turn begins or ends with that turn as the log counts it."""
    if re.search(r"\b(turn|round)s?\b", str(fact.get("detail", ""))):
        raise Unclear("this does not say in which turn it ends")
    if "at" not in fact.get("duration", ()):
        return fact
    return fact | {"duration": _resolve_until(scene, fact["duration"], fact.get("targets", ()))}


def _is_applicable(template: Fields, slots: Fields) -> bool:
    wanted, unless = template.get("if", ""), template.get("unless", "")
    return (not wanted or bool(slots.keys() & {*wanted.split("|")})) and not slots.keys() & {*unless.split("|")}


def _add_cause(made: Fields, block: Facts) -> Fields:
    """Return a fact with its cause, or what it is a note on, as so many facts back: the act, or the last roll."""
    for field in ("cause", "event"):
        if kinds := _CAUSES.get(made.get(field, "")):
            at = max((at for at, each in enumerate(block) if each["type"] in kinds), default=None)
            made[field] = None if at is None else at - len(block)
    return {key: value for key, value in made.items() if value is not None}


def _as_declarations(facts: Facts, who: object) -> Facts:
    """Return acts as declarations: one for a whole side that is named; outcomes stay as they are."""
    if any(each["type"] != "action_taken" for each in facts):
        return facts
    if isinstance(who, Who) and who.side not in ("", EVERYBODY):
        return [{"type": "action_declared", "side": who.side, "action": facts[0]["action"]}]
    return [each | {"type": "action_declared"} for each in facts]


def _resolve_until(scene: Scene, said: Fields, bearers: Sequence[str]) -> Json:
    """Return the time until a turn of a combatant, by default the bearer's, begins or ends."""
    whose = said.get("of", bearers)
    if len(whose) != 1:
        raise Unclear("this does not say in whose turn it ends")
    if said["at"] == "over":
        return to_builtins(until_turn_is_over(scene.state, whose[0]))
    return to_builtins(until_next_turn(scene.state, whose[0], said["at"]))


def _fill_for_each(template: Fields, slots: Fields) -> Iterator[Fields]:
    """Yield the facts of a template: one for each value of the slot that it is `for`, and for each of several targets."""
    if name := template.get("for"):
        rest = {key: value for key, value in template.items() if key != "for"}
        for value in slots.get(name, ()):
            own = dict(value) if isinstance(value, tuple) else {}
            yield from _fill_for_each(rest, slots | own | {"one": (own.get("hurt", value),)})
        return
    target = template.get("target", "")[1:]
    whom = slots.get(target)
    for one in whom.ids if isinstance(whom, Who) and target != "who" else ("",):
        yield _fill_fact(template, slots | ({target: Who((one,))} if one else {}))


def _fill_fact(template: Fields, slots: Fields) -> Fields:
    fact: Fields = {}
    for key, raw in template.items():
        value = None if key in ("if", "unless") else _value(raw, slots)
        if value is None or value in ([], {}):
            continue
        if isinstance(value, Number):
            fact |= _make_roll(value, slots) if key == "roll" else {key: value.total}
        elif key == "amount" and isinstance(value, tuple):
            fact |= _amount(value, slot_text(slots["thing"]) if "thing" in slots and "cause" not in template else "")
        elif key in _SINGLE and isinstance(value, list):
            if len(value) != 1:
                raise Unclear("one combatant is meant here")
            fact[key] = value[0]
        else:
            fact[key] = value
    return fact


def _value(raw: Any, slots: Fields) -> Any:
    """Return the value of a field of a template: $slot, or as it stands, with words in place of each slot in it."""
    if isinstance(raw, dict):
        return {key: plain(value) for key, each in raw.items() if (value := _value(each, slots)) not in (None, [], {})}
    if not (isinstance(raw, str) and "$" in raw):
        return raw
    if not re.fullmatch(r"\$\w+", raw):
        return re.sub(r"\$(\w+)", lambda found: _value_words(slots[found[1]]), raw)
    value = slots.get(raw[1:])
    is_told_apart = isinstance(value, tuple) and raw in ("$damage", "$one")
    return value if isinstance(value, Number) or is_told_apart else plain(value)


def _value_words(value: Any) -> str:
    """Return a value as a part of a text."""
    shown = plain(value)
    several = [*shown.values()] if isinstance(shown, dict) else shown
    return " ".join(map(str, several if isinstance(several, list) else [several]))


def _make_roll(number: Number, slots: Fields) -> Fields:
    """Return a roll: the die and its total where a line has both; a number that a d20 cannot show is a total."""
    die = slots["die"].total if "die" in slots else number.die
    if die is not None:
        return {"die": die, "total": number.total}
    return {"total" if slots.get("total") or not 1 <= number.total <= 20 else "die": number.total}


def _amount(hurts: tuple[Any, ...], name: str = "") -> Fields:
    """Return an amount of points, with its parts by their kinds of damage, and by the name of what does it."""
    parts = [plain(each) for each in hurts]
    amount = sum(each["amount"] for each in parts)
    if not name and not any("type" in each for each in parts):
        return {"amount": amount}
    own = [
        {"name": name or each.get("type", "damage"), "amount": each["amount"]}
        | ({"damage_type": each["type"]} if "type" in each else {})
        for each in parts
    ]
    return {"amount": amount, "parts": own}
