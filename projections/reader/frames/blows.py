"""Blows: attacker and target, weapon, roll, hit or miss, and damage; one blow or several."""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from msgspec import structs

from projections.grammar import filling
from projections.grammar.line_context import Gap, declared_by, foe_of, named_kind
from projections.judging.known_words import known
from projections.open_types import Facts, Fields
from projections.reader import weapons
from projections.reader.dictionary import listed
from projections.reader.frames.results import Result, times
from projections.reader.frames.volleys import counted
from projections.reader.lexicon import ARTICLES, POSSESSIVES
from projections.reader.parts import MOST_BLOWS, Part
from projections.reader.slots import FILLERS, Slots, Thread, Told
from projections.reader.things import lists_below_a_spell, thing_behind
from projections.reader.tokens import Number

STRIKES = ("strike", "shoot", "hit", "miss", "crit", "dodged", "opportunity", "contest")
HIGHEST = 20
LOWEST_CRITICAL = 18
"""The lowest face with which a blow is critical in any game."""
_TRIES = ("tries to", "try to")
"""Words before a verb for an act that may fail."""
PAST = ("past", "under", "around", "off", "against")
"""Words for the way of a blow past somebody's guard."""


def _moves_past(slots: Slots) -> bool:
    """Say whether a verb that can be a blow is a move past somebody: jumps over Bo."""
    verb = _verb(slots)
    behind = slots.parts[verb + 1] if 0 <= verb < len(slots.parts) - 1 else None
    moves = verb >= 0 and slots.parts[verb].item.is_verb("move") and behind is not None
    return moves and behind.text in _PLACES  # type: ignore[union-attr]


_PLACES = (
    *("over", "past", "across", "through", "around", "behind", "away from", "out of"),
    *("next to", "beside", "near", "close to", "in front of", "between", "among", "beyond"),
)
"""Words behind a verb of moving for where to; behind one of striking some of them are of the blow."""


def _befell_the_spell(slots: Slots) -> bool:
    """Say whether a clause after a spell reports the spell's outcome, and no blow: countered."""
    verb = _verb(slots)
    bare = not slots.whom() and all(part.number is None and part.role != "pronoun" for part in slots.parts)
    return slots.thread.frame == "cast" and bare and verb >= 0 and slots.parts[verb].text.endswith("ed")


def is_of_a_feature(slots: Slots) -> bool:
    """Say whether damage comes from a feature named right after its owner, and from no blow: divine smite 9 radiant on the ogre."""
    whom = slots.whom()
    told = [part for part in slots.parts[whom[0] + 1 :] if not part.item.is_verb("use")] if whom else []
    behind = told[0] if told else None
    feature = behind is not None and behind.role == "word" and behind.is_("feature")
    blow_too = behind is not None and (behind.item.is_verb() or behind.is_("weapon") or behind.text.endswith("attack"))
    return (
        feature
        and not blow_too
        and slots.has_role("damage", "amount")
        and not slots.has_role("roll", "bare", "against", "armor")
        and not slots.has("hit", "miss", "critical", "weapon")
        and not any(part.item.is_verb("strike", "shoot", "hit") and not part.is_("type", "feature") for part in told)
    )


def blow(slots: Slots) -> Told | None:
    """Fill the frame of a blow."""
    if foiled := _foiled(slots):
        return foiled
    if is_of_a_feature(slots) or thing_behind(slots.parts) or lists_below_a_spell(slots.parts):
        return None
    if slots.has_verb("take", "regain", "heal") and _verb(slots) < 0:
        return None
    if (slots.thread.frame == "blow" and _adds(slots)) or _sets(slots):
        return None
    if slots.has_role("loss") and _verb(slots) < 0 and not slots.has("hit"):
        return None
    if _only_deals(slots) or _stands_at(slots):
        return None
    got = any(
        part.text in ("got", "gets", "get") or part.is_("rolled") for part in slots.parts
    )  # got gob, 20 to hit for 5
    at_somebody = got and slots.has_role("roll") and len(slots.whom()) == 2
    goes_on = _tells_of_the_blow_before(slots)
    told_apart = at_somebody or goes_on or slots.has("hit", "miss", "dodged")
    if _verb(slots) < 0 and slots.has("become") and not told_apart:
        return None
    if slots.has("miss") and slots.has("turn", "round"):
        return None  # a turn is missed, and no blow
    if _moves_past(slots) or _befell_the_spell(slots):
        return None
    sides = _sides(slots)
    if sides is None:
        return None
    actors, targets = sides
    verb = _verb(slots)
    cost = slots.cost()
    for at in range(1, len(slots.parts)):
        if slots.parts[at].number is not None and slots.parts[at - 1].text == "by" and slots.has_verb("miss"):
            slots.take(at)  # misses by 2
    manner = _manner(slots)
    advantage = "kh1" if slots.words("advantage") else "kl1" if slots.words("disadvantage") else ""
    intends = slots.has("declare", "will") and not any(part.text in _TRIES for part in slots.parts)
    declares = intends and bool(slots.scene.table.declares)
    _hits_are_told_by_damage(slots)
    apart = len(targets) if len(actors) == 1 < len(targets) else len(actors) if len(targets) < 2 else 0
    several = counted(slots, actors)
    if several is None:
        return None
    results = several or _in_columns(slots, apart) or _hits_counted(slots, actors)
    results = results or _results(slots, advantage, len(actors))
    shared = len(results) == 1 and len(targets) > 1 and any(part.text in _OF_EACH for part in slots.parts)
    if shared and results[0].roll and not results[0].damage and results[0].hit is None:
        results = [Result(hit=True, damage=[(results[0].roll.value, "")])]
    if _verb(slots) < 0 and not slots.has("hit", "miss", "to") and any(part.text == "," for part in slots.parts):
        slots.guesses += len(slots.whom()) == 2 and slots.parts[slots.whom()[-1] - 1].text == ","
    lone = len(results) == 1 and results[0].roll and results[0].hit is None and not results[0].is_rolled
    if lone and results[0].roll and slots.has("status_dead"):  # mauls the ghast 24 dead
        results = [Result(hit=True, damage=[(results[0].roll.value, "")])]
    if points := _dealt_from(slots, lone=len(results) == 1):
        results = [Result(hit=True, damage=[(points, "")])]
    if goes_on:
        for each in results:
            each.same = True
    if slots.passive and not results and not slots.scene.declaring and slots.parts[verb].text != "attacked":
        results = [Result(hit=True)]
    if declares and results:
        return None
    slots.guesses += intends and not declares and not results and not slots.scene.declaring  # ana will attack gob
    if any(each.roll is not None for each in results) and "attack" not in slots.scene.table.rolls.split():
        return None
    slots.guesses += any(max(each.two, default=0) > HIGHEST for each in results)  # totals, one of which is not kept
    slots.guesses += (advantage != "" and any(each.roll is not None and not each.two for each in results)) + any(
        each.is_open for each in results
    )
    slots.guesses += len(results) == 1 and _goes_on_with_a_weapon(slots)
    slots.guesses += not results and _throws_somebody(slots, verb)
    slots.guesses += not targets and _has_its_own_object(slots, verb)
    slots.guesses += _says_which_of_them(slots)
    told_by_outcome = any(each.hit is not None or each.damage for each in results)
    _name_each(slots, verb, results)
    _place_of_hit(slots)
    name = _weapon(
        slots, verb, actors[0] if _are_armed_alike(slots, actors) else "", sure=told_by_outcome and bool(targets)
    )
    kind = _kind(slots, verb, actors[0] if len(actors) == 1 else "", targets, name)
    if name and actors and _is_declared_spell(slots, actors[0], name):
        return None  # Mira's web hits gob, which she declared
    if any(part.says("cure").casefold() == name for part in slots.parts if name and part.role == "word"):
        return None  # hits bo with a healing word, which heals
    if name and actors and named_kind(slots.scene.context, actors[0], name) == "ability":
        slots.guesses += 1  # a feature of the sheet that the game does not roll as a blow
    slots.words(
        "strike",
        "shoot",
        *(("wield",) if verb >= 0 and slots.parts[verb].item.is_verb("wield") else ()),
        "hit",
        "crit",
        "dodged",
        "opportunity",
        "feature",
        "to_hit",
        "rolled",
        "nat",
        "half",
        "double",
        "damage",
        "points",
        "declare",
    )
    for at, part in enumerate(slots.parts):
        if part.is_("ammunition") and (not part.is_("weapon") or weapons.is_ammunition(slots.scene, part.text)):
            slots.take(at)  # and no second weapon, which may be thrown: with his axe, then with his dagger
    if any(who in slots.scene.context.memory.held for who in actors):
        slots.words("hold", "carry_out")
    if slots.has("miss") and not any(each.hit is False for each in results):
        return None
    slots.words("miss", "cost_action", "needed")
    if cost == "opportunity" and any(part.text in ("as", "when", "while") for part in slots.parts):
        slots.words("leave", "move", "rise", "towards")  # as it leaves
    if len(results) == 1 and results[0].roll and results[0].hit is None and not results[0].damage:
        refused = [at for at, part in enumerate(slots.parts) if part.text in ("no", "nope")]
        if refused == [max(at for at, part in enumerate(slots.parts) if part.role != "mark")]:
            results[0].hit = False  # gnoll 5 v. wenna, 9, no
    if results and all(each.hit is False for each in results):
        slots.words("failure")  # it's a 12 so no that misses
    needed = slots.numbers("needed")
    open_ = any(each.is_open and not each.odd for each in results)
    for each in results if len(needed) == 1 else ():
        if each.roll is not None and each.hit is None and not each.roll.summed:
            each.hit = each.roll.value >= needed[0].value
    often = next(map(times, slots.words("times")), 0)
    if often and len(results) == 1 and results[0].hit is False and not results[0].roll:
        results = results * often
    elif often and len(results) not in (0, often):
        return None
    count = slots.numbers("count")
    if count and len(results) > 1 and count[0].value != len(results):
        return None
    slots.guesses += bool(count) and len(results) not in (0, count[0].value)  # two arrows, of which one is told
    if count and len(results) == 1 and _is_one_of_two(slots, results[0]):
        results = [Result(hit=True, damage=[(each, "")]) for each in (results[0].roll.value, results[0].damage[0][0])]  # type: ignore[union-attr]
        slots.guesses += 1  # two arrows into the ghast, 8 and 5: two hits, or two rolls
    if slots.numbers("bare", "amount") or not (actors or slots.options):
        return None
    if verb < 0 and not results and not slots.has("to", "declare"):
        return None
    rolled = len(actors) == 1 and slots.has_role("roll") and bool(_aim(slots, actors[0]))  # o rolls a 1
    if verb < 0 and not (targets or slots.options or name or told_by_outcome or rolled):
        return None
    if not results and verb < 0 and not slots.scene.declaring:
        return None
    kills = bool(results) and bool(slots.words("kill", "die", "status_dead"))
    told = _combined(slots, actors, targets, results)
    if told is None:
        return None
    others: tuple[Told, ...] = ()
    unread = slots.unread("feature", "size", "class", "towards")
    if not targets and not slots.options and len(actors) == 1 and (aim := _aim(slots, actors[0])):
        targets = (aim,)
        told = _combined(slots, actors, targets, results) or told
    if verb >= 0 and not targets and not slots.options and len(actors) == 1 and any(each.damage for each in results):
        return _at_some_foe(slots, actors[0], results, (kind, name, cost, manner))
    made = Told(
        "blow",
        _teller(told, kind, name, cost, manner, kills=kills, declares=declares),
        unread=unread,
        guesses=slots.guesses + (not targets and not slots.scene.declaring),
        acts=True,
        options=slots.options,
    )
    if len(results) == 1 and not results[0].sure:
        other = _other(results[0])
        again = _combined(slots, actors, targets, [other])
        if again:
            others = (
                Told("blow", _teller(again, kind, name, cost, manner), unread=unread, guesses=made.guesses, acts=True),
            )
    made.others, made.open = others, open_
    return made


def _at_some_foe(slots: Slots, who: str, results: list[Result], manner: tuple[str, str, str, Fields]) -> Told | None:
    """Return the blow of somebody at each of those of another side, of whom nothing says which it is: Ana swings, 22, 11 slashing."""
    side = slots.scene.side_of(who)
    foes = [one.id for one in slots.scene.here if side and one.side and one.side != side and one.status == "up"]
    unread = slots.unread("feature", "size", "class", "towards")
    told = [
        Told("blow", _teller(blows, *manner), unread=unread, guesses=slots.guesses + 1, acts=True)
        for foe in foes[:MOST_FOES]
        if (blows := _combined(slots, (who,), (foe,), results)) is not None
    ]
    if told:
        told[0].others = tuple(told[1:])
    return told[0] if told else None


MOST_FOES = 3
"""At how many of the other side a blow without a target is offered."""


def _dealt_from(slots: Slots, *, lone: bool) -> int:
    """Return the points with which a clause begins, where it tells on whom and from whom they are: 7 on the ogre from Kit.

    Where attacks are rolled, and a die can show the number, it may be one: 0.
    """
    first = next((part for part in slots.parts if part.role != "mark"), None)
    joined = [slots.parts[at].joined for at in slots.whom()]
    if not lone or first is None or first.role != "bare" or joined != ["to", "from"] or slots.has("hit", "miss"):
        return 0
    may_be_rolled = bool(known(slots.scene.state.rules.rules).kinds) and first.value <= HIGHEST
    return 0 if may_be_rolled else first.value


def _tells_of_the_blow_before(slots: Slots) -> bool:
    """Say whether a clause names nobody and begins with what was rolled for the blow before: she got 19; her roll was 19."""
    told = [part for part in slots.parts if part.role != "mark" and not part.is_("and") and part.text not in ARTICLES]
    pronoun = bool(told) and (told[0].role == "pronoun" or told[0].text in POSSESSIVES)
    rolls = told[pronoun : pronoun + 3]
    got = bool(rolls) and (rolls[0].role == "roll" or rolls[0].is_("rolled") or rolls[0].text in ("got", "gets"))
    number = any(part.role in ("roll", "bare", "dice") for part in rolls)
    return slots.thread.frame == "blow" and not slots.whom() and got and number and not slots.has("times", "next")


_THROWS = ("throw", "toss", "hurl", "fling", "heave", "lob", "chuck", "pitch", "sling")
"""Verbs whose object is what flies."""


def _throws_somebody(slots: Slots, verb: int) -> bool:
    """Say whether somebody may be what is thrown, or whom a thing is thrown to for keeping: throws gob off the bridge, throws his axe to Ana."""
    if verb < 0 or slots.parts[verb].says("shoot") not in _THROWS:
        return False
    behind = [part for part in slots.parts[verb + 1 :] if part.text not in ARTICLES]
    thrown = bool(behind) and (behind[0].role == "pronoun" or (behind[0].role == "who" and not behind[0].owner))
    kept = any(one.text == "to" and other.role in ("who", "pronoun") for one, other in pairwise(behind))
    return thrown or kept


def _has_its_own_object(slots: Slots, verb: int) -> bool:
    """Say whether the object of a verb of hitting is something of the subject, with which nobody is hit: catches his breath."""
    said = slots.parts[verb : verb + 3] if verb >= 0 else []
    own = len(said) == 3 and said[0].item.is_verb("hit") and said[1].text in POSSESSIVES
    return own and said[2].is_("weapon") and all(part.number is None for part in slots.parts)


def _foiled(slots: Slots) -> Told | None:
    """Return that the blow before misses, where a clause reports only its target's defence: but she parries, ana dodges it."""
    thread = slots.thread
    begun = thread.open_blow(thread.actor[0]) if thread.frame == "blow" and len(thread.actor) == 1 else -1
    told = [
        part for part in slots.parts if part.role != "mark" and not part.is_("filler", "and", "adverb", "ammunition")
    ]
    relative = slots.parts[0].text == "who"
    told = [slots.parts[0], *told] if relative and told[:1] != slots.parts[:1] else told
    if begun < 0 or begun != len(thread.facts) - 1 or len(told) not in (2, 3) or len(thread.target) != 1:
        return None
    subject, verb, *object_ = told
    pronoun = relative or (subject.role == "pronoun" and subject.is_("pronoun_subject"))
    by_target = subject.people.ids == thread.target or pronoun
    if not by_target or not verb.item.is_verb("dodged") or slots.scene.declaring:
        return None
    if any(part.role != "pronoun" and part.text not in _A_BLOW for part in object_):
        return None
    for at in range(len(slots.parts)):
        slots.take(at)
    who, whom = thread.actor[0], thread.target[0]

    def tell(thread: Thread) -> None:
        name = thread.facts[begun]["action"].get("name", "")
        thread.roll = thread.add(_roll(who, whom, name, Result(hit=False), begun))

    return Told("blow", tell)


_A_BLOW = ("blow", "attack", "swing", "strike", "hit", "shot")
"""Words for what somebody dodges."""


def _stands_at(slots: Slots) -> bool:
    """Say whether numbers are the hit points of one combatant, or those of two compared: bo on 12 hp, 17 to 12."""
    on_points = any(
        one.text in ("on", "at") and other.role == "points" for one, other in pairwise(slots.parts)
    ) and not slots.has_role("roll", "bare", "damage")
    trios = zip(slots.parts, slots.parts[1:], slots.parts[2:], strict=False)
    against = any(
        one.number is not None and to.text == "to" and other.number is not None and one.role == "bare"
        for one, to, other in trios
    )
    return (on_points and _verb(slots) < 0) or against


def _only_deals(slots: Slots) -> bool:
    """Say whether a clause reports only damage that is dealt, by nobody who strikes in the line."""
    first = next((part for part in slots.parts if part.role == "who"), None)
    who = first.people.ids if first is not None else ()
    begun = len(who) == 1 and slots.thread.open_blow(who[0]) >= 0
    other = slots.has("hit", "miss", "critical", "weapon", "opportunity", "dodged", "carry_out")
    return (
        slots.has_verb("deal")
        and not begun
        and _verb(slots) < 0
        and not other
        and not slots.has_role("roll", "bare", "against")
    )


def _manner(slots: Slots) -> Fields:
    """Take the effect of a game's word on a blow, such as offhand, which costs a bonus action: attacks bo 14 6 offhand."""
    remarks = slots.scene.table.means.get("manner", {})
    for at, part in enumerate(slots.parts):
        said = remarks.get(part.text.replace("-", "").replace(" ", ""), "") if part.role == "word" else ""
        if "manner=" in said and at not in slots.used:
            slots.take(at)
            options = dict(option.split("=") for option in said.split())
            return {**options, "manner": [options["manner"]]}
    return {}


def _sets(slots: Slots) -> bool:
    """Say whether points are given as they are now: down to 3, up to 8."""
    return any(
        one.text in ("down to", "up to") or (one.text in ("down", "up") and other.text == "to")
        for one, other in pairwise(slots.parts)
    )


def _adds(slots: Slots) -> bool:
    """Say whether a clause only adds damage to the blow before it: smite: +11 radiant."""
    numbers = [part.number for part in slots.parts if part.number is not None]
    return len(numbers) == 1 and numbers[0].sign == "+" and not slots.whom() and not slots.has("hit", "miss")


def _aim(slots: Slots, who: str) -> str:
    """Return the target of an attacker by the log: that of the held or declared act, the last one still up, or the only foe; "" if there is none."""
    context = slots.scene.context
    held = context.memory.held.get(who)
    if held is not None and held.kind == "attack" and slots.has_verb("hold", "carry_out"):
        return held.targets[0] if len(held.targets) == 1 and held.targets[0] in slots.scene.ids else ""
    declared = declared_by(context, who) if who in slots.scene.ids else None
    if declared is not None and declared.targets:
        return declared.targets[0] if len(declared.targets) == 1 and declared.targets[0] in slots.scene.ids else ""
    foe = foe_of(context, who) if who in slots.scene.ids else None
    return foe if foe and slots.scene.status(foe) == "up" and foe != who else ""


def _other(result: Result) -> Result:
    """Return the other meaning of a blow with one number: its roll, or its damage."""
    if result.damage:
        return Result(roll=Number(result.damage[0][0]), hit=result.hit, critical=result.critical, ac=result.ac)
    return Result(hit=True, damage=[(result.roll.value if result.roll else 0, "")], critical=result.critical)


def _verb(slots: Slots) -> int:
    """Return the place of a blow's verb; -1 without one."""
    first = -1
    for at, part in enumerate(slots.parts):
        if (
            part.role == "word"
            and (
                part.item.is_verb("strike", "shoot", "hit", "miss", "crit", *(("kill",) if _is_counted(slots) else ()))
                or (part.item.is_verb("wield") and (_meets_somebody(slots, at) or _gets_somebody(slots, at)))
            )
            and not (part.is_("weapon", "type") and not _is_verb_here(slots, at))
            and not (part.text.endswith("ing") and at and slots.parts[at - 1].text in ARTICLES)
        ):
            return at
    return first


def _meets_somebody(slots: Slots, at: int) -> bool:
    """Say whether a weapon follows a verb of wielding, and behind it somebody whom it meets: brings her mace down on the orc."""
    weapon = next((place for place in range(at + 1, len(slots.parts)) if slots.parts[place].is_("weapon")), -1)
    between = slots.parts[at + 1 : weapon] if weapon > 0 else [slots.parts[at]]
    if not (slots.has("hit", "miss", "critical") or any(part.number is not None for part in slots.parts)):
        return False  # puts the sword in Bo's hand
    plain = all(part.role in ("word", "pronoun", "count", "bare") and not part.is_("to") for part in between)
    whom = next((place for place in slots.whom() if place > weapon), -1)
    return (
        plain
        and whom > 0
        and any(part.is_("to", "against", *_MEETS) or part.text in _MEETS for part in slots.parts[weapon:whom])
    )


def _gets_somebody(slots: Slots, at: int) -> bool:
    """Say whether somebody gets somebody else with a weapon, or for points: gob gets Bo for 4."""
    behind = next((place for place in range(at + 1, len(slots.parts)) if slots.parts[place].text not in ARTICLES), 0)
    struck = slots.parts[at].text in ("get", "gets", "got") and behind in slots.whom() and not slots.parts[behind].owner
    doer = any(place < at for place in slots.whom()) or bool(slots.thread.actor)
    told = slots.has("weapon") or slots.has_role("amount", "damage")
    return (
        struck and doer and told and slots.has_role("amount", "damage", "bare", "roll") and not slots.has("temporary")
    )


_MEETS = (
    "in",
    "into",
    "through",
    "on",
    "onto",
    "across",
    "at",
    "to",
    "against",
    "past",
    "over",
    "under",
    "between",
    "around",
)
"""Words between a weapon and whom it meets."""


def _is_counted(slots: Slots) -> bool:
    """Say whether damage or a roll is given, so that a kill is by a blow: cuts gnoll 1 down, 11 damage."""
    return len(slots.whom()) > 1 and slots.has_role("damage", "amount", "roll")


def _is_verb_here(slots: Slots, at: int) -> bool:
    """Say whether a word that can be a weapon is a verb: right after a name, before another."""
    whom = slots.whom()
    goes_on = bool(slots.thread.actor) and not any(part.role != "mark" for part in slots.parts[:at])
    return (goes_on or any(place < at for place in whom)) and any(place > at for place in whom)


def _sides(slots: Slots) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Take attackers and targets; None if the clause does not name both."""
    thread, verb = slots.thread, _verb(slots)
    whom = slots.whom()
    passive = (
        verb > 0
        and any(part.is_("become") for part in slots.parts[max(0, verb - 2) : verb])
        and any(slots.parts[at].joined == "from" for at in whom)
    )
    provokes = next((at for at, part in enumerate(slots.parts) if part.text.startswith("provok")), -1)
    if provokes >= 0 and (by := [at for at in whom if slots.parts[at].joined == "from" and at > provokes]):
        slots.take(provokes)
        others = [at for at in whom if at not in by]
        return (slots.people(by[0]), slots.people(others[0])) if len(others) == 1 else None
    by = [at for at in whom if _is_behind_an_opportunity(slots, at)]
    if by and len(whom) == 2 and by[0] != whom[0]:  # ghoul 2 opportunity attack by Odrik
        return slots.people(by[0]), slots.people(whom[0])
    if not passive and verb >= 0 and verb + 1 < len(slots.parts) and slots.parts[verb + 1].text == "by":
        passive = True
    if passive:
        by = [at for at in whom if slots.parts[at].joined == "from"]
        others = [at for at in whom if at not in by]
        if by and not others and len(thread.actor) == 1 and thread.facts and thread.frame == "blow":
            slots.passive = True  # hits gob for 8 and is hit by the orc for 3
            return slots.people(by[0]), thread.actor
        if not by or not others:
            return None
        slots.passive = True
        return slots.people(by[0]), slots.people(others[0])
    if _befalls(slots, verb) and not any(at > verb for at in whom):
        return None
    if (
        verb >= 0
        and not any(at < verb for at in whom)
        and (by := [at for at in whom if slots.parts[at].joined == "from"])
        and len(whom) == 2
    ):
        other = next(at for at in whom if at != by[0])
        return slots.people(by[0]), slots.people(other)
    if _is_short(slots, verb) and not thread.facts and not any(slots.parts[at].owner for at in whom):
        first_cue = next(at for at, part in enumerate(slots.parts) if part.role != "mark")
        if len(whom) == 2 and first_cue not in whom:  # crit ana gob 11
            return slots.people(whom[0]), slots.people(whom[1])
        if len(whom) == 1 and slots.scene.turn and slots.parts[whom[0]].people.ids not in ((), (slots.scene.turn,)):
            return (slots.scene.turn,), slots.people(whom[0])
    of = [at for at in whom if slots.parts[at].joined == "from" and (at < verb or verb < 0)]
    owners = (at for at in whom if slots.parts[at].owner and not _is_guarded(slots, at))
    first = next((at for at in owners if not _owns_what_is_struck(slots, at, verb)), None)
    if first is None and of and not [at for at in whom if at < of[0]]:
        first = of[0]
    if first is None:
        before = [
            at for at in whom if (at < verb or verb < 0) and slots.parts[at].joined in ("", "with", "for", "from")
        ]
        if verb >= 0 and not before:
            labelled = [at for at in whom if at < verb]
            first = labelled[0] if labelled else None
        else:
            first = before[0] if before else None
    actors = slots.people(first) if first is not None else ()
    if first is not None and slots.parts[first].people.group and not slots.parts[first].people.listed:
        actors = tuple(who for who in actors if slots.scene.status(who) == "up") or actors
    behind = [at for at in slots.free() if slots.parts[at].joined != "with" or verb < 0 or _is_run_through(slots, at)]
    behind = [at for at in behind if slots.parts[at].joined in ("to", "", "for")] or behind
    if first is None:
        pronoun = any(
            part.role == "pronoun" and part.is_("pronoun_subject") and (verb < 0 or at < verb)
            for at, part in enumerate(slots.parts)
        )
        if not thread.facts or not thread.actor:
            if pronoun or not behind or slots.scene.turn == "":
                return None
            slots.guesses += 0 if _is_against_who_is_up(slots, verb, behind) else 2
            actors = (slots.scene.turn,)
        else:
            actors = slots.by_pronoun(verb, acts=True)
    targets: tuple[str, ...] = ()
    if behind:
        targets = slots.people(behind[0])
        if len(behind) > 1:
            return None
    elif any(
        part.role == "pronoun"
        and part.is_("pronoun_object")
        and (at > verb or slots.parts[at - 1].is_("to", "against"))
        for at, part in enumerate(slots.parts)
    ):
        targets = slots.pointed_at(actors)
        if not targets or targets == actors:
            return None
    elif len(actors) == 1 and any(part.text == "back" for part in slots.parts[max(verb, 0) :]):
        told = (*thread.actor, *thread.target) if len(thread.actor) == len(thread.target) == 1 else ("", "")
        attacker, struck = told if thread.facts else slots.scene.context.memory.told
        if struck != actors[0] or attacker not in slots.scene.ids:
            return None
        slots.used |= {at for at, part in enumerate(slots.parts) if part.text == "back"}
        targets = (attacker,)  # Bo hits back for 6, whom gob had hit; gob misses Bo, and she hits back
    elif thread.target and thread.facts and (first is None or thread.frame == "blow") and thread.target != actors:
        targets = slots.pointed_at(actors)  # gob hits bo for 3, ana hits for 4
    elif thread.frame == "move" and len(thread.facts) == 1 and len(thread.actor) == 1:
        sides = {slots.scene.side_of(who) for who in actors}
        if len(sides) == 1 and slots.scene.side_of(thread.actor[0]) not in sides:
            targets = thread.actor  # gob comes nearer, and Bo shoots
    if targets and set(targets) & set(actors) and not slots.options:
        group = first is not None and slots.parts[first].people.group and len(targets) == 1
        side = slots.scene.side_of(targets[0]) if group else ""
        actors = (
            tuple(who for who in actors if who not in targets and (not side or slots.scene.side_of(who) != side))
            if group
            else ()
        )
        if not actors:
            return None
    return actors, targets


def _is_against_who_is_up(slots: Slots, verb: int, behind: Sequence[int]) -> bool:
    """Say whether a blow begins with its verb and its target, who stands against the combatant whose turn it is, after whom nobody else acted: hits gob 17 for 5."""
    first = next((at for at, part in enumerate(slots.parts) if part.role != "mark" and part.text != "and"), -1)
    between = slots.parts[verb + 1 : behind[0]]
    whom, turn = slots.parts[behind[0]].people.ids, slots.scene.turn
    return (
        verb == first >= 0
        and slots.scene.context.memory.doer == turn
        and all(part.text in ("at", *ARTICLES) for part in between)
        and bool(whom)
        and all(slots.scene.side_of(who) != slots.scene.side_of(turn) for who in whom)
    )


def _is_behind_an_opportunity(slots: Slots, at: int) -> bool:
    """Say whether by or from, behind an opportunity attack, stand before somebody: takes an opportunity attack from the ogre; OA on gob by Bo."""
    before = [part for part in slots.parts[:at] if part.text not in ARTICLES]
    if len(before) < 2 or before[-1].text not in ("by", "from"):
        return False
    first = next(part for part in before if part.role != "mark")
    opens = first.role == "word" and first.is_("opportunity") and before[-1].text == "by"
    return opens or before[-2].is_("opportunity")


_GUARDS = (
    "armour",
    "armor",
    "shield",
    "mail",
    "plate",
    "guard",
    "defence",
    "defences",
    "defense",
    "defenses",
    "hide",
    "helmet",
    "helm",
)
"""What a blow meets that is somebody's: fails to penetrate Bo's armour."""


def _owns_what_is_struck(slots: Slots, at: int, verb: int) -> bool:
    """Say whether a possessive behind the attacker is of the part of somebody that a blow meets: sinks her dagger into gob's belly."""
    plain = [
        place for place in slots.whom() if place < at and not slots.parts[place].owner and not slots.parts[place].joined
    ]
    before = next((place for place in range(at - 1, -1, -1) if slots.parts[place].text not in ARTICLES), -1)
    meets = before >= 0 and (before == verb or slots.parts[before].text in _MEETS)
    return meets and bool(plain) and (verb < 0 or plain[0] < verb < at)


def _is_run_through(slots: Slots, at: int) -> bool:
    """Say whether somebody is run through: drives the sword clean through the orc."""
    return any(part.text == "through" for part in slots.parts[max(at - 2, 0) : at])


def _is_guarded(slots: Slots, at: int) -> bool:
    """Say whether a possessive behind somebody else is of whoever is struck at: the ghast misses Bo's shield."""
    behind = slots.parts[at + 1].text if at + 1 < len(slots.parts) else ""
    return behind in _GUARDS and any(place < at for place in slots.whom())


def _befalls(slots: Slots, verb: int) -> bool:
    """Say whether a verb reports something that happened to its subject, and not something they do: is stuck in the mud, got slammed."""
    manner = verb - 1
    while manner >= 0 and slots.parts[manner].text.endswith("ly"):
        manner -= 1
    if manner < 0 or not (slots.parts[manner].is_("become") or slots.parts[manner].text in ("gets", "got", "get")):
        return False
    item = slots.parts[verb].item
    participle = item.is_verb("hit") or any(sense.is_verb and sense.value != item.text for sense in item.senses)
    of_somebody = not item.is_("hit") or _is_a_person_before(slots, verb)
    return participle and of_somebody and not item.is_("miss") and not item.text.endswith(("s", "ing"))


def _is_a_person_before(slots: Slots, verb: int) -> bool:
    """Say whether somebody, and nothing of theirs, is the subject of a verb: gob gets hit."""
    return any(at < verb and not slots.parts[at].owner for at in slots.whom()) or bool(
        slots.thread.facts and not slots.whom()
    )


def _is_short(slots: Slots, verb: int) -> bool:
    """Say whether a blow is in short form, without a verb, so that it belongs to the combatant whose turn it is: crit o 11, o adv 14 7."""
    plain = verb < 0 or (slots.parts[verb].item.is_verb("crit") and slots.parts[verb].text == "crit")
    extra = slots.has("critical", "advantage", "disadvantage") or slots.has_verb("crit")
    return (
        plain
        and extra
        and any(part.number is not None for part in slots.parts)
        and all(
            part.number is not None
            or part.role in ("who", "mark")
            or part.is_("critical", "advantage", "disadvantage", "hit", "miss", "for", "type", "damage", "to")
            for part in slots.parts
        )
    )


def _is_declared_spell(slots: Slots, who: str, name: str) -> bool:
    """Say whether a combatant declared, or began, to cast something of this name."""
    memory, casting = slots.scene.context.memory, slots.scene.table.words.get("casting", ())
    works = (memory.declared.get(who), memory.begun.get(who))
    return any(each and each.kind in casting and (each.name or "").casefold() == name for each in works)


def _kind(slots: Slots, verb: int, who: str, targets: tuple[str, ...], name: str) -> str:
    """Return the kind of act of a blow: that of its verb, or the act that the attacker declared against the same targets, such as a charge."""
    charges = verb >= 0 and slots.parts[verb].says("strike") in ("charge",) and "charge" in slots.scene.kinds
    if charges:
        return "charge"
    declared = slots.scene.context.memory.declared.get(who) if not name else None
    charging = (*slots.scene.table.words.get("charging", ()), "charge")
    same = declared is not None and (not targets or {*targets} == {*declared.targets})
    kind = declared.kind if declared is not None and declared.kind in charging and same else ""
    return kind or "attack"


_OWN = frozenset(
    [
        "bite",
        "claw",
        "sting",
        "kick",
        "gore",
        "butt",
        "headbutt",
        "spear",
        "club",
        "hammer",
        "whip",
        "axe",
        "knife",
        "lance",
        "bayonet",
        "punch",
        "backstab",
        "tail",
        "sabre",
        "saber",
        "cane",
        "sling",
    ]
)


def _name_each(slots: Slots, verb: int, results: list[Result]) -> None:
    """Give each of several blows the weapon before its numbers: bite 22 to hit 9, claws 15 to hit 6."""
    named = [
        at
        for at, part in enumerate(slots.parts)
        if part.role == "word" and part.is_("weapon") and (at != verb or slots.parts[at + 1].role in ("bare", "roll"))
    ]
    if len(results) < 2 or len(named) != len(results):
        return
    between = [slots.parts[one + 1 : other] for one, other in pairwise(named)]
    if all(any(part.number is not None for part in each) for each in between):
        for result, at in zip(results, named, strict=True):
            result.name = _named([slots.take(at)])


def _weapon(slots: Slots, verb: int, who: str, *, sure: bool) -> str:
    """Take the weapon of an attacker: the one named, or that of the verb, or the weapon that shoots named ammunition; else ""."""
    scene = slots.scene
    said = (slots.parts[verb].says("strike") or slots.parts[verb].says("shoot")) if verb >= 0 else ""
    by_verb = weapons.by_verb(scene, who, said.partition(" ")[0]) if said else ""
    name = _weapon_named(slots, verb, who, by_verb, sure=sure)
    return weapons.shot_with(scene, who, name) if weapons.is_ammunition(scene, name) else name


def _shot_from(slots: Slots, at: int) -> int:
    """Return the place of the weapon from which ammunition before a place is shot: an arrow at gob from his longbow; 0 for none."""
    for place in range(at, len(slots.parts) - 1):
        if slots.parts[place].text in ("from", "with", "of"):
            behind = next(
                (
                    each
                    for each in range(place + 1, len(slots.parts))
                    if slots.parts[each].text not in (*ARTICLES, *POSSESSIVES)
                ),
                0,
            )
            if behind and slots.parts[behind].role == "word" and slots.parts[behind].is_("weapon"):
                return behind
    return 0


def _are_armed_alike(slots: Slots, actors: Sequence[str]) -> bool:
    """Say whether the attackers carry the same weapons, so that their verb means the same weapon for each: goblins 1 and 2 shoot at Bo."""
    known = slots.scene.state.combatants
    return len({tuple(weapons.own(slots.scene, who)) for who in actors if who in known}) == 1


def _weapon_named(slots: Slots, verb: int, who: str, by_verb: str, *, sure: bool) -> str:
    """Take the weapon of a blow: one named, the words after "with", that of the verb, an unknown word beside it; "" if there is none."""
    for at, part in enumerate(slots.parts):
        if at in slots.used or part.role not in ("word", "quote", "number"):
            continue
        if (
            part.role == "word"
            and part.is_("with")
            and at + 1 < len(slots.parts)
            and (end := _noun(slots, at + 1)) > at + 1
        ):
            words = [
                place
                for place in range(at + 1, end)
                if place not in slots.used
                and slots.parts[place].text not in ("the", "a", "an", "his", "her", "its", "their", "my", "one", "only")
            ]
            if words and slots.parts[words[0]].role in ("word", "quote"):
                for place in range(at, end):
                    slots.take(place)
                if slots.parts[words[0]].text in slots.scene.effects:
                    continue  # with bless, which is running
                said = slots.parts[words[0]]
                if said.is_("ammunition") and (shot_from := _shot_from(slots, end)):
                    return _named([slots.take(shot_from)])
                others = (place for place, each in enumerate(slots.parts) if place not in slots.used and place != verb)
                if said.is_("feature") and any(slots.parts[place].is_("weapon") for place in others):
                    continue  # shortbow on gob, 11 damage with sneak attack
                slots.guesses += said.is_("spell") and not (said.is_("weapon") or 0 <= verb < at)
                name = _named([slots.parts[place] for place in words])
                manner = words[0] == at + 1 and said.role == "word" and not said.item.senses  # with glee
                slots.guesses += manner and not weapons.is_known(slots.scene, who, name)
                return name
    for at, part in enumerate(slots.parts):
        if at in slots.used or part.role not in ("word", "quote"):
            continue
        if part.role == "quote":
            return slots.take(at).item.text
        if part.is_("weapon") and at != verb:
            end = at + 1
            first = at
            while (
                first > 0
                and first - 1 not in slots.used
                and slots.parts[first - 1].role == "word"
                and not slots.parts[first - 1].item.senses
                and not slots.parts[first - 1].who
                and len(slots.parts[first - 1].text) > 1
            ):
                first -= 1
            if (
                end < len(slots.parts)
                and slots.parts[end].is_("spell", "weapon")
                and slots.parts[end].role == "word"
                and end not in slots.used
                and not slots.parts[end].item.is_verb("hit")
            ):
                end += 1
            while end + 1 < len(slots.parts) and slots.parts[end].text == "/" and slots.parts[end + 1].is_("weapon"):
                end += 2
            if part.is_("ammunition") and (shot_from := _shot_from(slots, end)):
                slots.take(at)
                return _named([slots.take(shot_from)])
            return _named([slots.take(place) for place in range(first, end)])
    if by_verb:
        return by_verb
    if verb >= 0 and (own := slots.parts[verb].says("strike") or slots.parts[verb].says("shoot")) in _OWN:
        return own
    last = (slots.whom() or [0])[-1]
    if sure and (
        unknown := [
            at
            for at, part in enumerate(slots.parts)
            if at not in slots.used and at < last and part.role == "word" and _is_name(part)
        ]
    ):
        run = [unknown[0]]
        for at in unknown[1:]:
            if at == run[-1] + 1 or (at == run[-1] + 2 and slots.parts[at - 1].text == "of"):
                run.append(at)  # a flask of oil
        if len(run) == len(unknown) and len(run) < 3:
            if _may_be_its_verb(slots, run, verb):
                slots.take(run[0])
                slots.guesses += 1
                return ""
            name = _named([slots.take(at) for at in range(run[0], run[-1] + 1)])
            owned = run[0] > 0 and (slots.parts[run[0] - 1].owner or _is_thrown(slots, run[0], verb))
            if not owned and not weapons.is_known(slots.scene, who, name):
                slots.guesses += 1  # it may be a verb: anna attks ogre 14 5, swngs at him, hits
            return name
    return ""


def _may_be_its_verb(slots: Slots, run: Sequence[int], verb: int) -> bool:
    """Say whether an unknown word stands in the place of a blow's verb: ana shreds gob 2, 17 hits."""
    (at, *more) = run
    before, behind = slots.parts[at - 1 : at], slots.parts[at + 1 : at + 2]
    between = bool(before) and before[0].role == "who" and not before[0].owner and bool(behind)
    return between and not more and behind[0].role == "who" and not 0 <= verb < at and slots.parts[at].text[-1:] == "s"


def _is_thrown(slots: Slots, at: int, verb: int) -> bool:
    """Say whether a thing follows an article and a verb of throwing: lobs a flask at the orc."""
    between = [part.text for part in slots.parts[verb + 1 : at]]
    return (
        verb >= 0 and slots.parts[verb].item.is_verb("shoot") and between in (["a"], ["an"], ["his"], ["her"], ["the"])
    )


def _place_of_hit(slots: Slots) -> None:
    """Take the place where a blow lands, or by how much it misses, which is not recorded: in the left leg, across the face, by a hair."""
    for at in range(len(slots.parts) - 2):
        part, article = slots.parts[at : at + 2]
        if (part.text in _WHERE and article.text in ("the", "his", "her", "its", "their")) or (
            part.text == "by" and article.text in ("a", "an")
        ):
            _take_noun(slots, at + 2)
    for at in slots.whom()[1:]:  # past the gnoll's shield
        if slots.parts[at].owner:
            _take_noun(slots, at + 1, known=True)
    for at in range(1, len(slots.parts)):
        if slots.parts[at].text in PAST and slots.parts[at - 1].item.is_verb("move"):
            slots.take(at - 1)


_WHERE = ("in", "across", "through", "on", "to", "into", "over", "upside", "between", *PAST)
"""Words before the place where a blow lands."""


def _take_noun(slots: Slots, at: int, *, known: bool = False) -> None:
    """Take an unknown word behind words that only describe it, as in the left leg; behind a possessive only what is `known` to be part of somebody."""
    while at < len(slots.parts) - 1 and slots.parts[at].role == "word" and slots.parts[at].is_(*FILLERS):
        at += 1
    part = slots.parts[at] if at < len(slots.parts) else None
    ours = part is not None and (part.text in (*_GUARDS, *_BODY) if known else not part.item.senses)
    if part is not None and part.role == "word" and ours:
        slots.take(at)


_BODY = frozenset(
    listed(
        "body, head, skull, face, forehead, brow, jaw, chin, cheek, nose, mouth, teeth, eye, eyes, ear, ears, neck,"
        "throat, nape, shoulder, shoulders, arm, arms, elbow, forearm, wrist, hand, hands, finger, fingers, chest, breast,"
        "heart, rib, ribs, ribcage, side, flank, flanks, back, spine, belly, gut, guts, stomach, midriff, waist, hip, hips,"
        "groin, crotch, thigh, thighs, leg, legs, knee, knees, shin, shins, calf, ankle, ankles, foot, feet, toes, tail,"
        "wing, wings, claw, paw, paws, snout, muzzle, hoof, hooves, horn, horns, tentacle, tentacles, torso, temple,"
        "collarbone, rear, backside, scales, shield arm, sword arm"
    )
)
"""The parts of somebody where a blow lands."""


def _is_name(part: Part) -> bool:
    """Say whether a word can be the name of a weapon or a feature: one that has no other meaning."""
    return not part.item.senses or (
        part.is_("spell", "feature", "item") and not part.item.is_verb("strike", "shoot", "hit")
    )


def _noun(slots: Slots, at: int) -> int:
    """Return where the words that name a thing from a place on end."""
    end = at
    while end < len(slots.parts) and slots.parts[end].role in ("word", "quote"):
        part = slots.parts[end]
        if end in slots.used and not part.is_("weapon"):  # an offhand dagger
            break
        if part.text in ("that", "which") or (
            part.is_("with", "and", "for", "hit", "miss", "to", "from", "critical", "condition", "damage")
            and not part.is_("weapon")
        ):
            break
        if part.is_("advantage", "disadvantage", "opportunity", "rolled") or (
            end > at and part.item.is_verb() and not part.is_("weapon", "spell", "type")
        ):
            break
        end += 1
    return end


def _named(parts: list[Part]) -> str:
    if len(parts) == 1 and parts[0].is_("weapon", "spell", "feature"):
        said = parts[0].says("weapon") or parts[0].says("spell") or parts[0].says("feature")
        if said.casefold() == parts[0].text:
            return said if said != parts[0].text else parts[0].item.typed.casefold()
    return " ".join(each.item.typed for each in parts).replace(" / ", "/").casefold()


# ---------------------------------------------------------------- results


def _says_which_of_them(slots: Slots) -> bool:
    """Say whether behind the numbers of several blows it is told of one of them that it hits or misses: 14 and 9, first hits for 5."""
    first = next((at for at, part in enumerate(slots.parts) if part.role in ("bare", "roll")), len(slots.parts))
    return any(
        at > first and one.role == "ordinal" and other.is_("hit", "miss")
        for at, (one, other) in enumerate(pairwise(slots.parts))
    )


def _goes_on_with_a_weapon(slots: Slots) -> bool:
    """Say whether a weapon between two numbers begins the next blow: claws gob 14 then beak 9."""
    numbers = [at for at, part in enumerate(slots.parts) if part.role in ("bare", "roll", "amount", "damage")]
    return len(numbers) > 1 and any(
        part.role == "word" and part.is_("weapon") and slots.parts[at - 1].text in ("then", "and")
        for at, part in enumerate(slots.parts)
        if numbers[0] < at < numbers[-1]
    )


def _hits_are_told_by_damage(slots: Slots) -> None:
    """Take numbers after several hits without rolls as damage: looses two arrows at gob: hit 6, hit 4."""
    hits = [at for at, part in enumerate(slots.parts[:-1]) if part.role == "word" and part.is_("hit")]
    behind = [at + 1 for at in hits if slots.parts[at + 1].role == "bare"]
    numbers = [at for at, part in enumerate(slots.parts) if part.role in ("bare", "roll")]
    if len(behind) > 1 and numbers == behind:
        for at in behind:
            slots.parts[at] = structs.replace(slots.parts[at], role="amount")


def _results(slots: Slots, advantage: str, count: int) -> list[Result]:
    """Take the results of the blows of so many attackers, in the order of the line."""
    found = [Result()]
    whom = slots.whom()
    last = whom[-1] if whom else -1
    for at, part in enumerate(slots.parts):
        if at in slots.used and part.role != "word":
            continue
        now = found[-1]
        told = part.role == "word" and part.is_("hit", "critical")
        behind = told and any(each.number is not None and not each.number.sign for each in slots.parts[at:])
        if now.thrown and now.damage and behind:
            now.roll, now.damage, now.hit = now.thrown, [], None  # 2d6 = 11, crit! 10 damage
        if _counts_blows(slots, at) or part.role == "ordinal" or (part.role == "word" and part.item.kind == "ordinal"):
            slots.take(at)
        elif part.role in ("roll", "bare", "against", "armor") and part.number is not None:
            if count > 1 and _is_another_roll(slots, now, at):
                found.append(Result())
            _number(slots, found, at, part, advantage)
            if found[-1].hit is None and not found[-1].damage and _is_missing(slots, at):
                found[-1].hit = False
        elif part.role in ("damage", "points", "amount", "loss"):
            if now.hit is False and not now.damage:
                hits = [each for each in found if each.hit and not each.damage]
                if len(hits) == 1 and len(found) > 1:
                    _damage(slots, hits, at, part)  # 14 hit, 7 miss, 3 cold
                continue
            _damage(slots, found, at, part)
        elif part.role == "word" and part.is_("critical"):
            slots.take(at)
            now.critical, now.hit = True, True
        elif part.role == "word" and part.is_("fumble"):
            slots.take(at)
            now.hit = False
        elif part.text in _ANSWERS and now.hit is None and now.roll is not None and _is_behind_a_roll(slots, at):
            slots.take(at)
            now.hit = _ANSWERS[part.text]
        elif part.role == "word" and part.item.is_verb("crit"):
            now.critical, now.hit = True, True
        elif part.role == "word" and part.item.is_verb("miss", "dodged") and not part.item.is_verb("strike"):
            if _passive_or_plain(slots, at):
                slots.take(at)
                _outcome(found, hit=False, verb=at < last)
        elif part.role == "word" and _says_no(slots, at):
            slots.take(at)
            _outcome(found, hit=False, verb=at < last)
        elif part.role == "word" and part.is_("hit") and not _is_to_hit(slots, at):
            negated = at > 0 and slots.parts[at - 1].is_("not") and slots.parts[at - 1].text not in ("no",)
            slots.take(at)
            if negated:
                slots.take(at - 1)
            if (
                part.item.is_verb("hit")
                and part.says("hit") not in ("hit", "connect", "land")
                and part.is_("hit")
                and not any(s.kind == "hit" and not s.is_verb for s in part.item.senses)
            ):
                _outcome(found, hit=True, verb=True)
            else:
                _outcome(found, hit=not negated, verb=at < last)
        elif (
            part.role == "word"
            and part.is_("type")
            and now.damage
            and not now.damage[-1][1]
            and not part.item.is_verb("shoot")
        ):
            slots.take(at)
            now.damage[-1] = (now.damage[-1][0], part.says("type"))
        elif part.role == "word" and part.is_("nonlethal"):
            slots.take(at)
            now.nonlethal = True
        elif part.role == "word" and part.is_("none") and now.roll:
            slots.take(at)
    found = [each for each in found if each.is_told]
    for each in found:
        one = each.is_rolled and each.roll is not None and each.roll.value == 1  # attacks gob, rolls a 1
        natural = each.natural or (one and (_verb(slots) >= 0 or slots.thread.frame == "blow"))
        if natural and each.roll and each.hit is None and each.roll.value in (1, 20):
            each.hit = each.roll.value == 20
    _settle(found)
    return found


def _is_missing(slots: Slots, at: int) -> bool:
    """Say whether a miss is told before all numbers, and no hit between it and a place: orcs 1 and 2 miss Bo, 9 and 6."""
    first = next((place for place, part in enumerate(slots.parts) if part.number is not None), at)
    verbs = [
        place for place, part in enumerate(slots.parts[:first]) if part.role == "word" and part.item.is_verb("miss")
    ]
    between = slots.parts[verbs[0] + 1 : at] if verbs else ()
    return bool(verbs) and not any(part.role == "word" and part.is_("hit", "critical") for part in between)


def _in_columns(slots: Slots, count: int) -> list[Result]:
    """Take the results of several blows where all rolls come first, then all damage: 15 and 19, both hit, 6 and 10."""
    numbers = [at for at, part in enumerate(slots.parts) if part.role in ("bare", "damage", "points", "roll")]
    hits = [
        at
        for at, part in enumerate(slots.parts)
        if part.role == "word" and part.is_("hit") and at > (slots.whom() or [0])[-1]
    ]
    bare = len(numbers) == count and all(slots.parts[at].role == "bare" for at in numbers)
    if (
        count > 1
        and bare
        and not slots.has("hit", "miss", "critical", "for")
        and numbers[0] > (slots.whom() or [0])[-1]
    ):
        return [Result(roll=slots.take(at).number) for at in numbers]
    if amounts := _amounts_of_each(slots, count) or _amounts_behind_hits(slots, count, numbers, hits):
        slots.words("hit")
        sorts = {part.says("type") for part in slots.words("type")}
        sort = sorts.pop() if len(sorts) == 1 else ""  # 5 and 4 slashing
        return [Result(hit=True, damage=[(slots.take(at).value, sort)]) for at in amounts]
    if count < 2 or len(numbers) != 2 * count:
        return []
    between = len(hits) == 1 and numbers[count - 1] < hits[0] < numbers[count]
    if not between and not (_hit_before(slots, numbers[0]) and _are_two_lists(slots, numbers, count)):
        return []
    if between:
        slots.take(hits[0])
    parts = [slots.take(at) for at in numbers]
    return [
        Result(roll=roll.number, hit=True, damage=[(part.value, "")])
        for roll, part in zip(parts[:count], parts[count:], strict=True)
    ]


def _hit_before(slots: Slots, at: int) -> bool:
    """Say whether a verb of hitting stands before a place."""
    return any(part.role == "word" and part.item.is_verb("hit") for part in slots.parts[:at])


def _are_two_lists(slots: Slots, numbers: list[int], count: int) -> bool:
    """Say whether numbers are two lists of as many, the second of which is damage: 15 and 14, 5 and 4 damage."""
    apart = [part.text for part in slots.parts[numbers[count - 1] + 1 : numbers[count]]]
    joined = count > 2 or all(slots.parts[at - 1].is_("and") for at in (numbers[1], numbers[3]))
    return apart == [","] and joined and slots.parts[numbers[-1]].role in ("damage", "points")


def _amounts_behind_hits(slots: Slots, count: int, numbers: list[int], hits: list[int]) -> list[int]:
    """Return the places of the damage of blows all of which hit, one after the other: both hit, 4 and 3 damage; an empty list of none."""
    if len(numbers) != count or count < 2 or len(hits) != 1 or hits[0] > numbers[0] or slots.has("miss", "critical"):
        return []
    called = [slots.parts[at].role in ("damage", "points") for at in numbers]
    between = [part for part in slots.parts[numbers[0] : numbers[-1]] if part.number is None]
    listed = all(part.text in (",", "and", "&", "/") or part.is_("damage", "points") for part in between)
    each = any(part.text in ("both", "all") or part.is_("both") for part in slots.parts[: hits[0]])
    return numbers if listed and each and (called[-1] or slots.parts[numbers[0] - 1].text == "for") else []


def _hits_counted(slots: Slots, actors: Sequence[str]) -> list[Result]:
    """Take the damage of hits of one attacker that are counted, which may be their rolls without "for" before it: hits the ogre twice for 6 and 8."""
    often = next((found for part in slots.parts if (found := times(part))), 0)
    amounts = [at for at, part in enumerate(slots.parts) if part.number is not None]
    counted = often and len(actors) == 1 and len(amounts) == often
    hits = (
        slots.has_verb("hit") or (slots.has_verb("strike") and slots.parts[amounts[0] - 1].is_("for"))
        if counted
        else False
    )
    plain = counted and hits
    if not plain or slots.has("miss", "critical", "to_hit") or not slots.has_role("bare", "amount", "damage"):
        return []
    between = [part for part in slots.parts[amounts[0] : amounts[-1]] if part.number is None]
    if not all(part.text in (",", "and") or part.is_("damage", "points", "for", "type") for part in between):
        return []
    slots.guesses += not slots.parts[amounts[0] - 1].is_("for") and slots.parts[amounts[-1]].role != "damage"
    sorts = [slots.take(at + 1).says("type") if has_type(slots, at) else "" for at in amounts]
    sorts = sorts if any(sorts[:-1]) else [sorts[-1]] * len(sorts)  # for 9 and 11 slashing
    return [Result(hit=True, damage=[(slots.take(at).value, sort)]) for at, sort in zip(amounts, sorts, strict=True)]


def has_type(slots: Slots, at: int) -> bool:
    """Say whether a type of damage stands right behind the number at a place."""
    return at + 1 < len(slots.parts) and slots.parts[at + 1].role == "word" and slots.parts[at + 1].is_("type")


_OF_EACH = ("each", "ea", "apiece")
"""Words by which an amount is that of each blow."""


def _amounts_of_each(slots: Slots, count: int) -> list[int]:
    """Return the places of amounts of which each attacker in a list has one, in their order: Ana and Bo hit the ogre for 5 and 7."""
    amounts = [at for at, part in enumerate(slots.parts) if part.number is not None]
    if count < 2 or len(amounts) != count or slots.has("miss", "save", "critical"):
        return []
    before = next(
        (part for part in reversed(slots.parts[: amounts[0]]) if not part.is_("filler") or part.is_("for")), None
    )
    between = [part for part in slots.parts[amounts[0] : amounts[-1]] if part.number is None]
    told = all(part.text in (",", "and") or part.is_("damage", "points") for part in between)
    sure = all(slots.parts[at].role in ("bare", "amount", "damage", "points") for at in amounts)
    costs = (before is not None and before.is_("for")) or (
        _hit_before(slots, amounts[0]) and slots.parts[amounts[-1]].role == "damage"
    )
    return amounts if told and sure and costs else []


_ANSWERS = {"yes": True, "yep": True, "yeah": True, "no": False, "nope": False, "nah": False}
"""Answers to the question whether a roll hits: 8 no, 17 yes 6 hp."""


def _is_behind_a_roll(slots: Slots, at: int) -> bool:
    """Say whether a word follows the number of a roll directly, and does not belong to the next words: 17 yes 6."""
    return at > 0 and slots.parts[at - 1].role in ("bare", "roll")


def _passive_or_plain(slots: Slots, at: int) -> bool:
    """Say whether a word for a foiled blow is about the blow before it: is parried, misses."""
    part = slots.parts[at]
    return part.item.is_verb("miss") or (
        at > 0 and any(each.is_("become") for each in slots.parts[max(0, at - 2) : at])
    )


def _says_no(slots: Slots, at: int) -> bool:
    """Say whether a word says that a blow misses."""
    part = slots.parts[at]
    return (part.is_("miss") and not part.is_("filler")) or _is_failed(slots, part) or _goes_past(slots, at)


def _counts_blows(slots: Slots, at: int) -> bool:
    """Say whether two small numbers before a colon count the blow among several: longsword 1/2: 17, legendary action (1/3): 17."""
    number, behind = slots.parts[at].number, [part for part in slots.parts[at + 1 : at + 3] if part.text != ")"]
    few = number is not None and len(number.pair) > 1 and number.pair[0] <= number.pair[1] <= MOST_BLOWS
    return bool(few and behind and behind[0].text == ":")


def _goes_past(slots: Slots, at: int) -> bool:
    """Say whether a weapon is said to pass its target, and take the unknown verb of that: the mace whistles past Yarg on an 8."""
    goes = slots.parts[at].text in ("past", "wide of", "over") and slots.has("weapon")
    ahead = [part for part in slots.parts[at + 1 :] if not part.is_("filler")][:1]
    behind = bool(ahead) and ahead[0].role == "who" and not ahead[0].owner
    if not goes or not behind or slots.has("hit", "damage") or slots.has_role("damage", "amount", "points"):
        return False
    if not slots.parts[at - 1].item.senses and slots.parts[at - 1].role == "word":
        slots.take(at - 1)  # whistles
    return True


def _is_failed(slots: Slots, part: Part) -> bool:
    """Say whether a word for failure is about a blow, and not a save: attacks Marta with a 9 and fails."""
    fails = part.item.is_verb("fail") or (part.is_("failure") and not part.is_("filler", "not", "miss"))
    return fails and _verb(slots) >= 0 and not slots.has("save", "save_kind", "skill", "check")


def _is_to_hit(slots: Slots, at: int) -> bool:
    return at > 0 and slots.parts[at - 1].text == "to"


def _outcome(found: list[Result], *, hit: bool, verb: bool) -> None:
    now = found[-1]
    if now.damage and now.hit is None and not hit:
        now.odd = True
    if now.hit is not None and now.hit is not hit and (now.roll or now.damage):
        found.append(Result(hit=hit))
    elif now.hit is not None and now.hit is hit and (now.damage or (now.roll and not verb and not hit)):
        found.append(Result(hit=hit)) if not hit or now.damage else None
    else:
        now.hit = hit


def _number(slots: Slots, found: list[Result], at: int, part: Part, advantage: str) -> None:
    """Take a number of a blow: its roll, the number to reach, its damage."""
    now, number = found[-1], part.number
    if number is None:
        return
    if part.role in ("against", "armor"):
        if (now.roll is not None and now.ac is None) or (now.hit is not None and now.ac is None):
            slots.take(at)
            now.ac = number.value
        return
    slots.take(at)
    if part.role == "bare" and not (number.value or number.notation or number.sign) and len(slots.whom()) > 1:
        now.hit = False if now.hit is None else now.hit  # 0 on Bo, which no die shows
        return
    if number.pair and not now.roll and not now.damage:
        if advantage:
            now.two = number.pair
            now.roll = Number(max(number.pair) if advantage == "kh1" else min(number.pair))
        else:
            now.roll, now.hit = Number(number.pair[0]), True if now.hit is None else now.hit
            now.damage = [(number.pair[1], "")]
        return
    if (
        advantage
        and now.roll is not None
        and not now.two
        and not now.damage
        and now.hit is None
        and part.role == "bare"
        and slots.parts[at - 1].text != "then"
        and number.value <= HIGHEST
    ):
        now.two = (now.roll.value, number.value)
        now.roll = Number(max(now.two) if advantage == "kh1" else min(now.two))
        return
    if part.role == "roll":
        if now.roll is None:
            now.roll, now.is_rolled = number, True
            now.natural = part.text in ("nat", "natural")
        elif number.summed and now.roll.die is None and not (now.roll.summed or now.damage or now.two):
            now.roll = Number(number.value, die=now.roll.value, summed=True)  # 18 on the die and 25 in total
        else:
            found.append(Result(roll=number))
        return
    if now.hit is False and (now.roll is not None):
        found.append(Result(roll=number))
    elif now.roll is None and not now.damage:
        if number.notation and not re.match(r"\d*[dw]20(?!\d)", number.notation):
            now.damage, now.thrown = [(number.value, "")], number if now.hit is None else None
            now.hit = True if now.hit is None else now.hit
        else:
            now.roll = number
    elif now.roll is not None and not now.damage and now.hit and _is_followed_by_a_miss(slots, at):
        found.append(Result(roll=number))  # 14 hit 7 miss
    elif now.roll is not None and not now.damage:
        now.damage = [(number.value, "")]
    elif now.roll is None:
        now.roll = number
        now.odd = now.odd or not (at > 0 and slots.parts[at - 1].text == "(")  # for 5, 7
    else:
        found.append(Result(roll=number))


def _is_one_of_two(slots: Slots, result: Result) -> bool:
    """Say whether two numbers joined by and were taken as the roll and the damage of one blow: two arrows into the ghast, 8 and 5."""
    bare = [at for at, part in enumerate(slots.parts) if part.role == "bare"]
    joined = len(bare) == 2 and [part.text for part in slots.parts[bare[0] + 1 : bare[1]]] in (["and"], ["&"], ["n"])
    return joined and result.roll is not None and len(result.damage) == 1


def _is_another_roll(slots: Slots, now: Result, at: int) -> bool:
    """Say whether a number joined by and to a roll of which nothing is told is what another of several rolled: gang up on Bo, 12 and 18, the second hits."""
    joined = slots.parts[at].role == "bare" and slots.parts[at - 1].text in ("and", "&", "n")
    return joined and slots.parts[at - 2].role == "bare" and now.roll is not None and now.hit is None and not now.damage


def _is_followed_by_a_miss(slots: Slots, at: int) -> bool:
    """Say whether a miss follows a number directly, so that the number is a roll."""
    behind = slots.parts[at + 1] if at + 1 < len(slots.parts) else None
    return behind is not None and behind.role == "word" and behind.item.is_verb("miss")


def _damage(slots: Slots, found: list[Result], at: int, part: Part) -> None:
    now = found[-1]
    slots.take(at)
    sort, end = "", at + 1
    if end < len(slots.parts) and slots.parts[end].text == "of":
        end += 1
    if end < len(slots.parts) and slots.parts[end].role == "word" and slots.parts[end].is_("type"):
        sort = slots.parts[end].says("type")
        slots.take(end)
    else:
        sort = ""
    end += bool(sort)
    amount = abs(part.value)
    origin = _origin(slots, end) if now.damage else -1
    if origin >= 0:
        for place in range(end, origin + 1):
            slots.take(place)
        now.names[len(now.damage)] = slots.parts[origin].text
        now.damage.append((amount, sort))
    elif now.damage and at and slots.parts[at - 1].text == "plus":
        now.damage.append((amount, sort))  # for 3 plus 2
    elif now.damage and not sort and (part.role != "points" or (at and slots.parts[at - 1].text == "for")):
        found.append(Result(damage=[(amount, sort)], hit=True))
    elif now.damage and now.damage[-1][1] == "" and len(now.damage) == 1 and now.damage[0][0] == amount:
        now.damage = [(amount, sort)]
    else:
        now.damage.append((amount, sort))


def _origin(slots: Slots, at: int) -> int:
    """Return the place of the source of a blow's further damage, right after the amount or after "from"; -1 without
    one: 11 force + 3 necrotic from hex, 7 sneak attack.
    """
    said = [
        place
        for place in range(at, min(at + 4, len(slots.parts)))
        if slots.parts[place].text not in ("the", "a", "his", "her", "(")
    ]
    if said and slots.parts[said[0]].text in ("from", "by", "of", "for"):
        behind = said[1:2]
        known = bool(behind) and slots.parts[behind[0]].is_("spell", "feature", "effect")
        return behind[0] if known else -1
    return said[0] if said and slots.parts[said[0]].role == "word" and slots.parts[said[0]].is_("feature") else -1


def _settle(found: list[Result]) -> None:
    """Decide for each blow whether it hits, and what its only number is: a roll where another one misses with its number."""
    parallel = any(each.hit is False and each.roll is not None and not each.damage for each in found)
    for each in found:
        if each.hit is None and each.damage:
            each.hit = True
        if (
            each.hit
            and each.roll is not None
            and not each.damage
            and each.ac is None
            and not each.roll.summed
            and not each.is_rolled
            and not each.two
            and not parallel
        ):
            each.sure = each.critical and each.roll.value < LOWEST_CRITICAL and each.roll.die is None
            if (each.roll.value <= HIGHEST and not each.critical) or each.critical or each.roll.value > HIGHEST:
                each.damage, each.roll = [(each.roll.value, "")], None


# ---------------------------------------------------------------- facts

Blow = tuple[str, tuple[str, ...], Result]


def _combined(
    slots: Slots, actors: tuple[str, ...], targets: tuple[str, ...], results: list[Result]
) -> list[Blow] | None:
    """Return the blows, each with attacker, target and result; None if the numbers cannot be shared out among them."""
    if slots.options:
        actors, targets = actors or ("?",), targets or ("?",)
    if not results:
        return [(who, targets, Result()) for who in actors]
    if len(actors) == 1 and len(results) == 1 and len(targets) > 1:
        return [(actors[0], (whom,), results[0]) for whom in targets] if not results[0].roll else None
    if len(targets) > 1:
        if len(actors) == 1 and len(results) == len(targets):
            return [(actors[0], (whom,), result) for whom, result in zip(targets, results, strict=True)]
        return None
    if len(actors) == 1:
        return [(actors[0], targets, result) for result in results]
    if len(actors) == len(results):
        return [(who, targets, result) for who, result in zip(actors, results, strict=True)]
    if len(results) == 1:
        each = results[0].damage and any(part.text in _OF_EACH for part in slots.parts)
        if (results[0].damage and not each) or results[0].roll:
            slots.guesses += 1
        return [(who, targets, results[0]) for who in actors]
    return None


def _teller(
    blows: list[Blow], kind: str, name: str, cost: str, manner: Fields, *, kills: bool = False, declares: bool = False
) -> Callable[[Thread], None]:
    def tell(thread: Thread) -> None:
        for who, targets, result in blows:
            if declares:
                aimed: Fields = {"targets": list(targets)} if targets else {}
                action: Fields = {"kind": kind, **({"name": name} if name else {}), **aimed}
                thread.act = thread.add({"type": "action_declared", "combatant": who, "action": action})
                thread.actor, thread.target = (who,), targets or thread.target
                continue
            _tell(
                thread,
                who,
                targets,
                result,
                {
                    "kind": kind,
                    **({"name": result.name or name} if result.name or name else {}),
                    **manner,
                    **({"cost": cost} if cost else {}),
                },
            )
        struck = [whom for _, targets, result in blows for whom in targets if result.hit is not False]
        thread.target = tuple(dict.fromkeys(struck)) if len(blows) > 1 and struck else thread.target
        for whom in thread.target if kills else ():
            from projections.reader.frames.states import fall

            fall(thread, whom, dead=True)

    return tell


def _tell(thread: Thread, who: str, targets: tuple[str, ...], result: Result, action: Fields) -> None:
    """Add the facts of a blow."""
    context, scene = thread.scene.context, thread.scene
    if result.is_told and _goes_on(thread, who, targets, result, action):
        return
    given = action | ({"targets": list(targets)} if targets else {})
    thread.actor, thread.target = (who,), targets or thread.target
    if scene.declaring and not result.is_told:
        armed = filling.attack(context, who, given) if targets and given["kind"] == "attack" else given
        thread.act = thread.add({"type": "action_declared", "combatant": who, "action": armed})
        return
    values: Fields = {"who": who, "action": given}
    try:
        if len(targets) > 1:
            values["action"] = filling.attack(context, who, given)
        else:
            filling.blow(context, values)
    except Gap:
        values["action"] = given
    act = values["action"]
    if act.get("name") is None:
        act.pop("name", None)
    thread.unsaid = "" if "name" in given else act.get("name", "")
    thread.act = thread.add({"type": "action_taken", "combatant": who, "action": act})
    if not result.is_told:
        return
    target = (act.get("targets") or [None])[0]
    thread.target = (target,) if target else ()
    roll = _roll(who, target, action.get("name", ""), result, thread.act)
    thread.roll = thread.add(roll)
    if roll.get("hit") is not False:
        for fact in damages(target, result.damage, nonlethal=result.nonlethal, names=result.names):
            thread.add(fact | {"cause": thread.roll})
            thread.hurt[target] = thread.hurt.get(target, 0) + fact["amount"]


def _roll(who: str, target: str | None, name: str, result: Result, cause: int) -> Fields:
    """Return the roll of a blow, and whether it hits."""
    named = {"name": name} if name else {}
    roll: Fields = {
        "type": "attack_rolled",
        "combatant": who,
        "target": target,
        **named,
        **dice(result.roll),
        "cause": cause,
    }
    if result.two and max(result.two) > HIGHEST:
        roll.pop("die", None)
        roll["total"] = result.roll.value if result.roll else max(result.two)
    elif result.two:
        lost = result.two.index(
            min(result.two) if result.roll and result.roll.value == max(result.two) else max(result.two)
        )
        notation = "2d20kh1" if result.roll and result.roll.value == max(result.two) else "2d20kl1"
        roll["die"] = {"notation": notation, "faces": list(result.two), "dropped": [lost]}
        roll.pop("total", None)
    if result.ac is not None:
        roll["ac"] = result.ac
    hit = result.hit
    if hit is None and result.ac is not None and result.roll is not None:
        hit = result.roll.value >= result.ac
    if hit is not None:
        roll["hit"] = hit
    if result.critical:
        roll["critical"] = True
    return {key: value for key, value in roll.items() if value is not None}


def _goes_on(thread: Thread, who: str, targets: tuple[str, ...], result: Result, action: Fields) -> bool:
    """Add the result of the last blow and return True, if this clause has no blow of its own: looses an arrow at the orc, rolls 19, for 8."""
    if thread.frame != "blow" or thread.act < 0:
        return False
    begun = thread.open_blow(who)  # one of several attackers hits, and the other misses
    if thread.actor != (who,) or begun >= 0:
        if begun < 0:
            return False
        thread.act, thread.actor = begun, (who,)
    act = thread.facts[thread.act]
    aimed = tuple(act.get("action", {}).get("targets", ()))
    if act["type"] != "action_taken" or (targets and aimed and targets != aimed):
        return False
    if "name" in action:
        several = sum(fact["type"] == "action_taken" for fact in thread.facts) > 1
        named = act["action"].get("name", thread.unsaid) != thread.unsaid
        if several or begun != thread.act or named or act["action"]["kind"] != action["kind"]:
            return False
        act["action"]["name"] = action["name"]  # charges gob and swings his warhammer, 19
    target = (aimed or targets or ("",))[0]
    if begun == thread.act and target:
        thread.target = (target,)
        thread.roll = thread.add(_roll(who, target, act["action"].get("name", ""), result, thread.act))
    elif (
        thread.roll == len(thread.facts) - 1
        and (result.roll is None or (result.same and not {"die", "total"} & thread.facts[thread.roll].keys()))
        and thread.facts[thread.roll].get("hit") is not False
    ):
        roll = thread.facts[thread.roll]
        if roll.get("hit") and not (result.damage or result.roll):
            return False
        roll |= dice(result.roll)
        roll |= {"hit": result.hit} if result.hit is not None else {}
        roll |= {"critical": True} if result.critical else {}
    else:
        return False
    if result.hit is not False:
        for fact in damages(target, result.damage, nonlethal=result.nonlethal):
            thread.add(fact | {"cause": thread.roll})
            thread.hurt[target] = thread.hurt.get(target, 0) + fact["amount"]
    return True


def dice(number: Number | None) -> Fields:
    """Return the fields of a roll: its die, its total."""
    if number is None:
        return {}
    if len(number.faces) > 1 and sum(number.faces) == number.value and number.notation:
        return {"die": {"notation": number.notation, "faces": [*number.faces]}}
    if number.die is not None and number.die != number.value:
        return {"die": number.die, "total": number.value}
    if number.summed and number.die is None:
        return {"total": number.value}
    return {"die": number.value} if number.value <= HIGHEST and number.value > 0 else {"total": number.value}


def damages(
    target: str, amounts: list[tuple[int, str]], *, nonlethal: bool = False, names: Mapping[int, str] | None = None
) -> Facts:
    """Return the damage of a blow, of one or several types, as one fact; `names` has the sources of its parts, by their places."""
    called = names or {}
    if not amounts:
        return []
    total = amounts[0][0] if len(amounts) == 1 else sum(amount for amount, _ in amounts)  # one may have its dice
    fact: Fields = {"type": "damage_dealt", "target": target, "amount": total}
    if called or any(sort for _, sort in amounts):
        fact["parts"] = [
            {"name": called.get(at, sort or "damage"), "amount": amount, **({"damage_type": sort} if sort else {})}
            for at, (amount, sort) in enumerate(amounts)
        ]
    if nonlethal:
        fact["nonlethal"] = True
    return [fact]


FILLS = {"blow": blow}
