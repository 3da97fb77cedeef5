"""Corrections of what is no number: of an outcome, of a state, of whose blow it was. They amend the last line that has it."""

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

from msgspec import structs, to_builtins

from eventstore.events import ActionTaken, AttackRolled, ConditionGained, DamageDealt, DiceRolled, Fact, SaveRolled
from eventstore.shapes import Part
from projections.grammar.last_line_corrections import done_by, strikes_itself
from projections.open_types import Facts, Fields
from projections.reader.composition import PRONOUNS, Reading, readings
from projections.reader.parts import parts
from projections.reader.scene import Scene
from projections.reader.tags import Item

MOST_OFFERED = 3
Told = list[tuple[int, Any]]
"""Facts with their records."""


def mended(scene: Scene, items: Sequence[Item], *, cued: bool) -> list[Reading] | None:
    """Return the meanings of a correction of an outcome, a state or whose blow it was; None if a line is none."""
    if (states := _state(scene, items, cued=cued)) is not None:
        return states
    if changed := _type(scene, items) or (cued and _of_each(scene, items)):
        return changed
    return (_doer(scene, items) or _outcome(scene, items) or _of_another(scene, items)) if cued else None


def _of_another(scene: Scene, items: Sequence[Item]) -> list[Reading] | None:
    """Return the last line as somebody else's, or the same once more of them, both only likely: no wait, orc 2 flees."""
    start = next((at for at, item in enumerate(items) if item.kind != "mark" and not item.is_("correction")), 0)
    if not start or items[start].who is None or any(item.number is not None for item in items if item.who is None):
        return None
    found = readings(scene, parts(items[start:], turns=not scene.has_sides))
    told = next(scene.lines(1), [])
    if not found or len(told) != len(found[0].facts):
        return None
    before = [to_builtins(fact) for _, fact in told]
    if [_unnamed(fact) for fact in before] != [_unnamed(fact) for fact in found[0].facts]:
        return None
    if any(item.text in ("too", "also", "as well", "again") for item in items):
        return None
    changed = [
        {**old, **_people_in(new)} if new["type"] != "combatant_left" else new
        for old, new in zip(before, found[0].facts, strict=True)
    ]
    amends: Facts = [
        {"type": "amended", "event": seq, "replacement": new}
        for (seq, _), old, new in zip(told, before, changed, strict=True)
        if old != new
    ]
    again = structs.replace(found[0], guesses=found[0].guesses + 1)
    return [Reading(amends, ("correction",), guesses=1), again] if amends else None


_PERSONAL = ("combatant", "target", "targets", "source", "cause", "reason", "decision", "values")


def _unnamed(fact: Fields) -> Fields:
    return {name: value for name, value in fact.items() if name not in _PERSONAL and value not in (None, [], {})}


def _people_in(fact: Fields) -> Fields:
    return {name: value for name, value in fact.items() if name in _PERSONAL and name not in ("cause", "reason")}


MOST_BACK = 12
"""How many lines back an outcome or a state is looked for."""
_PLAIN = ("filler", "correction", "become", "adverb", "pronoun_subject", "pronoun_object", "to", "for", "from", "with")
_BLOW = ("hit", "miss", "attack", "blow", "swing", "shot", "strike", "roll", "turn", "kill", "attempt", "try")
"""The nouns for what somebody did."""


def _is_plain(item: Item, *kinds: str) -> bool:
    """Say whether an item only leads to a correction, or says what it is about."""
    return item.kind == "mark" or item.is_(*_PLAIN, *kinds) or item.text in ("meant", "actually", "who", "that", "did")


def amended(seq: int, fact: Fact) -> Fields:
    """Return that a fact takes the place of a record."""
    return {"type": "amended", "event": seq, "replacement": to_builtins(fact)}


# ---------------------------------------------------------------- damage of all, and its type


def _of_each(scene: Scene, items: Sequence[Item]) -> list[Reading] | None:
    """Return the amendments of all damage of the last line: make that 6 each; no, 6 both."""
    numbers = [item.number.value for item in items if item.number is not None]
    hurt = _hurt(scene)
    each = any(item.text in ("each", "apiece", "both") for item in items)
    plain = all(_is_plain(item, "damage", "points") or item.number is not None for item in items)
    if len(numbers) != 1 or len(hurt) < 2 or not (each and plain) or any(fact.parts for _, fact in hurt):
        return None
    facts = [amended(seq, structs.replace(fact, amount=numbers[0])) for seq, fact in hurt]
    return [Reading(facts, ("correction",))]


_SHOULD = ("should be", "should have been", "was", "was really", "is", "actually", "make that", "that was", "it was")


def _type(scene: Scene, items: Sequence[Item]) -> list[Reading] | None:
    """Return the last damage as one of another type: that 8 should be fire; that was cold damage; a name or another word makes it none."""
    types = [item.value("type") for item in items if item.kind == "word" and item.is_("type")]
    numbers = [item.number.value for item in items if item.number is not None]
    rest = [item for item in items if item.number is None and not (item.kind == "word" and item.is_("type"))]
    plain = all(_is_plain(item, "damage", "points", "correction") or item.text in _SHOULD for item in rest)
    if len(types) != 1 or len(numbers) > 1 or not plain or items[0].text not in (*_SHOULD, "that", "the", "it", "no"):
        return None
    if not any(item.text in _SHOULD or item.is_("correction") for item in rest):
        return None
    if items[0].text in ("was", "is") or (items[0].text == "no" and len(items) > 1 and items[1].kind != "mark"):
        return None  # was that cold damage; no fire
    hurt = [(seq, fact) for seq, fact in _hurt(scene) if not numbers or fact.amount == numbers[0]]
    if len(hurt) != 1 or len(hurt[0][1].parts) > 1:
        return None
    ((seq, fact),) = hurt
    part = Part(name=types[0], amount=fact.amount, damage_type=types[0])
    return [Reading([amended(seq, structs.replace(fact, parts=(part,)))], ("correction",))]


def _hurt(scene: Scene) -> list[tuple[int, DamageDealt]]:
    """Return the damage of the last line, with its records."""
    return [(seq, fact) for seq, fact in next(scene.lines(1), []) if isinstance(fact, DamageDealt)]


# ---------------------------------------------------------------- outcomes


def elliptical(scene: Scene, items: Sequence[Item], reading: Reading) -> list[Reading]:
    """Return a second blow of somebody at one of their own side as that one's at the first target: ana hits gob for 5 and bo
    for 3. Nothing for other lines.
    """
    acts = [at for at, fact in enumerate(reading.facts) if fact["type"] == "action_taken"]
    if len(acts) != 2 or [item.text for item in items if item.who is not None][2:3] == []:
        return []
    one, two = (reading.facts[at] for at in acts)
    aims = [each["action"].get("targets", []) for each in (one, two)]
    same = one["combatant"] == two["combatant"] and one["action"]["kind"] == two["action"]["kind"] == "attack"
    if not same or [len(each) for each in aims] != [1, 1]:
        return []
    by, (first,), (other,) = one["combatant"], *aims
    places = [at for at, item in enumerate(items) if item.who is not None]
    numbers = sum(item.number is not None for item in items[places[1] : places[2]])
    beside = {by, other} <= scene.ids and scene.side_of(by) == scene.side_of(other) != scene.side_of(first)
    leads = {by, first} <= scene.ids and by == next(
        (item.who.ids[0] for item in items if item.who and item.who.ids), ""
    )
    if first not in scene.ids or not beside or other == by or not numbers or not leads:
        return []
    changed: Facts = []
    for at, fact in enumerate(reading.facts):
        if at < acts[1]:
            changed.append(fact)
        elif at == acts[1]:
            changed.append({**fact, "combatant": other, "action": {"kind": "attack", "targets": [first]}})
        else:
            people = {"target": first} if fact.get("target") == other else {}
            by_whom = {"combatant": other} if fact.get("combatant") == by else {}
            plain = {key: value for key, value in fact.items() if key != "name" or fact["type"] != "attack_rolled"}
            changed.append({**plain, **people, **by_whom})
    return [structs.replace(reading, facts=changed, guesses=reading.guesses + 1)]


def halved(scene: Scene, items: Sequence[Item], reading: Reading) -> list[Reading]:
    """Return a save for half with the damage halved that the line before told: gob takes 8; gob saved for half. Nothing for other lines."""
    saves = {fact["combatant"] for fact in reading.facts if fact["type"] == "save_rolled" and fact.get("succeeded")}
    hurt = [(seq, fact) for seq, fact in _hurt(scene) if fact.target in saves and not fact.parts]
    half = any(item.is_("half") for item in items) and not any(fact["type"] == "damage_dealt" for fact in reading.facts)
    if not half or not hurt:
        return []
    facts = [amended(seq, structs.replace(fact, amount=fact.amount // 2)) for seq, fact in hurt]
    return [structs.replace(reading, facts=[*reading.facts, *facts], guesses=reading.guesses + 1)]


def contrary(scene: Scene, items: Sequence[Item]) -> list[Reading]:
    """Return the amendments of the last line's roll of somebody, whose contrary a line in the past tells; nothing for other
    lines: orc missed, where it has just hit.
    """
    people = [item for item in items if item.who is not None]
    past = any(item.text in ("missed", "failed", "saved") for item in items)
    named = {who for item in people[:1] if item.who for who in item.who.ids}
    doers = {fact.combatant for _, fact in next(scene.lines(1), []) if isinstance(fact, AttackRolled | SaveRolled)}
    if not past or len(people) != 1 or not named <= doers or any(item.number is not None for item in items):
        return []
    return [structs.replace(each, guesses=each.guesses + 1) for each in _outcome(scene, items) or []]


def _goes(item: Item) -> tuple[bool, bool] | None:
    """Return whether a word is the outcome of a blow, and which; None for other words."""
    if item.kind != "word" or item.is_("correction", "not"):
        return None
    if item.is_("miss") or item.is_verb("miss"):
        return True, False
    if item.is_("hit") or item.is_verb("hit"):
        return True, True
    if item.is_("failure") or item.is_verb("fail"):
        return False, False
    made = (item.is_("success") or item.is_verb("succeed", "save")) and not item.is_("filler")
    return (False, True) if made else None


def _outcome(scene: Scene, items: Sequence[Item]) -> list[Reading] | None:
    """Return the amendments of a roll that went otherwise: actually that missed; no, that was a hit for 5; wait, she failed."""
    goes = [found for item in items if (found := _goes(item)) is not None]
    rest = [item for item in items if _goes(item) is None and item.who is None and item.number is None]
    kinds = ("damage", "points", "weapon", "save", "save_kind", "rolled", "type", "both", "everyone")
    plain = all(_is_plain(item, *kinds) for item in rest)
    if len({*goes}) != 1 or not plain or any(item.is_("not") and not item.is_("correction") for item in rest):
        return None
    of_blow, went = goes[0]
    pronouns = [item for item in items if item.who and item.text in PRONOUNS]
    named = [{*(item.who.ids or item.who.options)} for item in items if item.who and item not in pronouns]
    several = any(item.text in _BOTH for item in items)
    sorts = (AttackRolled,) if of_blow else (SaveRolled, DiceRolled)
    for back, told in enumerate(scene.lines(MOST_BACK)):
        if not any(isinstance(fact, sorts) for _, fact in told):
            continue
        fits = [at for at, (_, fact) in enumerate(told) if isinstance(fact, sorts) and _is_of(fact, named)]
        fits = [at for at in fits if getattr(told[at][1], _field(told[at][1])) is (not went)]
        made = [each for at in reversed(fits) if (each := _gone(scene, told, at, items, went=went)) is not None]
        if several and len(made) == len(fits) > 1:
            both = [fact for each in made for fact in each.facts]
            return [Reading(both, ("correction",), guesses=back + sum(each.guesses for each in made))]
        for each in made:
            points_back = several or bool(named or pronouns) or _points_back(items) or _repeats(told, fits, items)
            each.guesses += len(fits) > 1 or back > 0 or not points_back
        return made[:MOST_OFFERED] or None
    return None


def _repeats(told: Told, fits: Sequence[int], items: Sequence[Item]) -> bool:
    """Say whether a line repeats the number that was rolled: wait, 12 hits."""
    rolled = {getattr(told[at][1], name, None) for at in fits for name in ("die", "total")}
    return any(item.number is not None and item.number.value in rolled for item in items)


_BACK = ("that", "it", "actually", "meant", "i meant", "make that", "correction", "corr", "should")


def _points_back(items: Sequence[Item]) -> bool:
    """Say whether words are about what was told, and are no report of the next roll, as oops, missed may be."""
    return any(item.text in _BACK or item.text.startswith(("that ", "it ", "was ", "should ")) for item in items)


def _field(roll: object) -> str:
    return "hit" if isinstance(roll, AttackRolled) else "succeeded"


_BOTH = ("both", "both of them", "all", "all of them")


def _is_of(fact: object, named: Sequence[set[str]]) -> bool:
    return all(each & _people(fact) for each in named)


def _people(fact: object) -> set[str]:
    return {who for who in (getattr(fact, "combatant", None), getattr(fact, "target", None)) if who}


def _gone(scene: Scene, told: Told, at: int, items: Sequence[Item], *, went: bool) -> Reading | None:
    """Return the amendment of one roll, with what came of it taken out, or the damage that it did; None if a number of the line has no place."""
    seq, roll = told[at]
    known = {getattr(roll, name, None) for name in ("die", "total", "ac", "dc")}
    numbers = [item.number.value for item in items if item.number is not None and item.number.value not in known]
    facts: Facts = [amended(seq, structs.replace(roll, **{_field(roll): went}))]
    if numbers and not (went and isinstance(roll, AttackRolled) and len(numbers) == 1 and roll.target):
        return None
    for amount in numbers:
        kind = next((sense.value for item in items for sense in item.senses if sense.kind == "type"), "")
        parts = {"parts": [{"name": kind, "amount": amount, "damage_type": kind}]} if kind else {}
        cause = scene.back_to(seq)
        facts.append({"type": "damage_dealt", "target": roll.target, "amount": amount, **parts, "cause": cause})
    came = _what_came(told, at)
    facts += [{"type": "struck", "event": each} for each, _ in reversed(came)]
    others = [each for each in _until_next_roll(told, at) if each not in came]
    return Reading(facts, ("correction",), guesses=int(bool(others)))


def _what_came(told: Told, at: int) -> Told:
    """Return what came of a roll in its line: the facts whose cause it is, and theirs; of a save the states of whoever made it."""
    came: Told = []
    seq, roll = told[at]
    seqs = {seq}
    for seq, fact in _until_next_roll(told, at):
        cause = getattr(fact, "cause", None)
        of_save = isinstance(roll, SaveRolled) and getattr(fact, "targets", None) == (roll.combatant,)
        if isinstance(fact, ConditionGained if isinstance(roll, SaveRolled) else DamageDealt | ConditionGained) and (
            of_save or cause in seqs or (cause or 0) + seq in seqs
        ):
            came.append((seq, fact))
            seqs.add(seq)
    return came


def _until_next_roll(told: Told, at: int) -> Told:
    """Return the facts behind a roll in its line, up to the next act or roll."""
    acts = ActionTaken | AttackRolled | SaveRolled
    return [*takewhile(lambda each: not isinstance(each[1], acts), told[at + 1 :])]


# ---------------------------------------------------------------- states


def _state(scene: Scene, items: Sequence[Item], *, cued: bool) -> list[Reading] | None:
    """Return the amendment of a state, or that it is taken out: not prone, grappled; I meant grappled; actually not prone."""
    places = [at for at, item in enumerate(items) if item.kind == "word" and item.is_("condition")]
    denied = [at for at in places if any(item.text in _NOT for item in items[max(at - 2, 0) : at])]
    rest = [item for at, item in enumerate(items) if at not in places and item.who is None]
    plain = all(_is_plain(item) or item.text in _NOT for item in rest)
    if not (1 <= len(places) <= 2) or not plain or any(item.number is not None for item in rest):
        return None
    if len(places) - len(denied) > 1 or (len(places) < 2 and not cued):
        return None
    new = next((items[at] for at in places if at not in denied), None)
    old = {name for at in denied for name in (items[at].text, _named(scene, items[at]))}
    named = {who for item in items if item.who for who in item.who.ids}
    name = _named(scene, new) if new else ""
    for back, told in enumerate(scene.lines(MOST_BACK)):
        fits = [(seq, fact) for seq, fact in told if isinstance(fact, ConditionGained) and named <= {*fact.targets}]
        fits = [(seq, fact) for seq, fact in fits if (not old or fact.condition in old) and fact.condition != name]
        if fits:
            certain = len(fits) == 1 and back == 0
            made = [
                amended(seq, structs.replace(fact, condition=name)) if name else {"type": "struck", "event": seq}
                for seq, fact in reversed(fits)
            ]
            return [Reading([each], ("correction",), guesses=int(not certain)) for each in made[:MOST_OFFERED]]
        if len(places) < 2:
            return None
    return None


_NOT = ("not", "instead of", "rather than", "and not", "wasn't", "isn't", "said", "typed", "wrote", "put")


def _named(scene: Scene, item: Item) -> str:
    return scene.condition_named(item.value("condition"), item.text)


# ---------------------------------------------------------------- whose blow


def _doer(scene: Scene, items: Sequence[Item]) -> list[Reading] | None:
    """Return the amendments that make the last line's act somebody else's: that was Bo's hit, not Ana's; it was Bo who shot."""
    whom = [at for at, item in enumerate(items) if item.who is not None]
    if not whom or len(whom) > 2 or any(item.number is not None and item.who is None for item in items):
        return None
    new, others = items[whom[0]].who, [items[at] for at in whom[1:]]
    rest = [item for at, item in enumerate(items) if at not in whom]
    if not all(_is_plain(item, "not", "weapon") or item.text in (*_BLOW, "'s") or _acts(item) for item in rest):
        return None
    if new is None or len(new.ids) != 1 or not _is_whose(items, whom[0]):
        return None
    told = next(scene.lines(1), [])
    doers = {fact.combatant for _, fact in told if isinstance(fact, ActionTaken | AttackRolled)}
    met = {getattr(fact, "target", None) for _, fact in told}
    denied = {who for item in others if item.who for who in item.who.ids} - met  # it was the orc who hit Bo
    if len(doers) != 1 or not denied <= doers or doers == {*new.ids}:
        return None
    (old,) = doers
    return of_another_doer(told, new.ids[0], old)


def of_another_doer(told: Told, new: str, old: str) -> list[Reading] | None:
    """Return the amendment by which somebody else did what a line tells; none if they would strike themselves, None if nothing changes."""
    changes = [(seq, fact, done_by(fact, new, old)) for seq, fact in told]
    if any(strikes_itself(changed) for _, _, changed in changes):
        return []
    facts = [amended(seq, changed) for seq, fact, changed in changes if changed != fact]
    return [Reading(facts, ("correction",))] if facts else None


def _acts(item: Item) -> bool:
    passive = item.text.startswith(("got ", "gets ", "was ", "is "))
    return item.is_verb("strike", "shoot", "hit", "miss", "deal", "kill", "cast") and not passive


def _is_whose(items: Sequence[Item], at: int) -> bool:
    """Say whether a name is that of somebody whose act it was: bo's hit, bo who hit, done by bo."""
    behind = [item.text for item in items[at + 1 : at + 3]]
    owns = behind[:1] == ["'s"] and (len(behind) == 1 or behind[1] in (*_BLOW, "not", ",", ".", "and", "instead"))
    does = behind[:1] in (["who"], ["that"]) and any(
        _acts(item) or item.text == "did" for item in items[at + 2 : at + 3]
    )
    by = at > 0 and items[at - 1].text == "by"
    return owns or does or by
