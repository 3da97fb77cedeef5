"""What a clause omits because it is understood: the weapon in hand, the last target, the next turn. Each function completes the slots of
a clause, or returns its facts; it raises Unclear where that is not certain.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import Struct, structs

from projections.folds.addresses import derive_value
from projections.language.correcting import amend_number, kept_from_zero, move_last_blow
from projections.language.lexer import Number
from projections.language.names import EVERYBODY, Names, Who
from projections.language.notation import filling
from projections.language.notation.line_context import Gap, declared_by, foe_of, named_kind
from projections.language.notation.names import folded, kind_of
from projections.language.scene import Scene
from projections.language.values import Kept, plain, slot_text
from projections.open_types import Facts, Fields
from projections.stream.names import singular_of


class Unclear(Exception):
    """That a reading cannot be recorded as it stands, and why."""


class Choice(Struct, frozen=True):
    """A value that a line leaves open: each of these is offered."""

    of: tuple[Any, ...]


Hurt = tuple[tuple[str, Any], ...]
"""Points of damage, as slots: their amount, and perhaps their type."""
Fill = Callable[[Scene, Fields], Facts | None]
FILLS: dict[str, Fill] = {}
"""The functions that complete a clause, by their names in the table."""


def fill(function: Fill) -> Fill:
    """Register a function that completes a clause under its name."""
    FILLS[function.__name__] = function
    return function


def _single(slots: Fields, name: str, why: str) -> str:
    """Return the one combatant of a slot; raise Unclear for none or several."""
    who = slots.get(name)
    if not isinstance(who, Who) or len(who.ids) != 1:
        raise Unclear(why)
    return who.ids[0]


# ---------------------------------------------------------------- acts


@fill
def planned(scene: Scene, slots: Fields) -> None:
    """Raise Unclear for a plan, unless acts are being declared."""
    if "planned" in slots and not is_declared(scene, slots):
        raise Unclear("this is planned, and does not say that it happened")


def is_declared(scene: Scene, slots: Fields) -> bool:
    """Say whether acts are declarations: at their time of the round, or before its dice where a line says that they are planned."""
    plans = "planned" in slots and bool(scene.forms.declares) and not scene.context.memory.rolled
    return plans or scene.is_moment("declared")


@fill
def blow(scene: Scene, slots: Fields) -> None:
    """Complete a blow: its target, the weapon in hand, and that it hits where it does damage."""
    _check_told(slots)
    if "planned" in slots and "whom" not in slots and not {"hit", "roll", "damage", "each"} & slots.keys():
        slots["action"] = _attack_action(scene, slots) | _cost_field(slots)
        return
    _set_target(scene, slots)
    aimed(scene, slots)
    if "once" in slots:
        slots["missed"] = (None,) * (int(slots.get("times", 1)) - 1)
    if "answers" in slots:
        slots["trigger"] = next(reversed(scene.context.memory.deeds), None)
    slots["action"] = _attack_action(scene, slots) | {"targets": list(slots["whom"].ids)} | _cost_field(slots)


@fill
def aimed(_scene: Scene, slots: Fields) -> None:
    """Complete what is aimed at a target: it hits where it does damage."""
    _check_outcome(slots, slots["who"])
    if "damage" in slots:
        slots.setdefault("hit", True)


def _check_told(slots: Fields) -> None:
    """Raise Unclear where a blow that is told in few words has no outcome."""
    if not isinstance(slots.get("who"), Who) or not slots["who"].ids:
        raise Unclear("this does not say who attacks")
    if ("in a row" in slots and "hit" not in slots) or ("anew" in slots and not {"hit", "damage"} & slots.keys()):
        raise Unclear("this does not say how the next blow goes")
    if "terse" in slots and not {"hit", "roll", "damage", "each"} & slots.keys():
        raise Unclear("this does not say what happens")


def _attack_action(scene: Scene, slots: Fields) -> Fields:
    """Return the kind of a blow, with its weapon, which one who tells an outcome has in hand."""
    if slots.get("kind") in scene.kinds:
        return {"kind": slots["kind"]}
    verbs = scene.table.named.get("natural", {})
    if thing := next((thing for thing, own in verbs.items() if slots.get("verb") in own), ""):
        slots.setdefault("thing", thing)
    named = {"name": slot_text(slots["thing"])} if "thing" in slots else {}
    slots |= named
    given = {"kind": "attack"} | named
    who = slots["who"].ids
    shoots = slots.get("verb") in scene.table.synonyms.get("shoot", ())
    if len(who) == 1 and {"roll", "hit", "damage", "critical"} & slots.keys():
        armed = filling.add_weapon(scene.context, who[0], given)
        given = given if shoots and not _is_missile(scene, armed) else armed
    is_shot = scene.table.shots and (shoots or _is_missile(scene, given))
    manner = {"manner": [scene.table.shots]} if is_shot else {}
    return {key: value for key, value in given.items() if value is not None} | manner


def _is_missile(scene: Scene, action: Fields) -> bool:
    return str(action.get("name") or "").casefold() in scene.forms.words.get("missile", ())


def _set_target(scene: Scene, slots: Fields) -> None:
    """Set the target of a blow: the only foe, or the last one; everybody attacks all but their own."""
    who: Who = slots["who"]
    if "whom" not in slots:
        foes = {foe_of(scene.context, each) for each in who.ids}
        if len(foes) != 1 or None in foes:
            raise Unclear("this does not say who is attacked")
        slots["whom"] = Who(tuple(each for each in foes if each))
    people = scene.state.combatants
    if who.kind and (up := tuple(each for each in who.ids if people[each].status == "up")):
        slots["who"] = who = structs.replace(who, ids=up)
    aimed_at = {people[each].side for each in slots["whom"].ids}
    if who.side == EVERYBODY:
        slots["who"] = who = Who(tuple(each for each in who.ids if people[each].side not in aimed_at))
    if {*slots["whom"].ids} & {*who.ids}:
        raise Unclear("nobody attacks themselves")
    if slots.get("meant") == "whom" and {people[each].side for each in who.ids} & aimed_at - {"", None}:
        raise Unclear("this does not say who of the other side is attacked")
    if "anew" in slots and {people[each].side for each in who.ids} & aimed_at - {"", None}:
        raise Unclear("this does not say whether they hit, or are hit, too")


def _check_outcome(slots: Fields, who: Who) -> None:
    """Raise Unclear where one outcome is told of several, or outcomes contradict each other."""
    if "each" in slots:
        raise Unclear("this does not say whom each of these befalls")
    if len(who.ids) > 1 and {"roll", "damage", "state"} & slots.keys():
        raise Unclear("one roll is told of several attackers")
    if len(slots["whom"].ids) > 1 and "roll" in slots:
        raise Unclear("one roll is told against several targets")
    if slots.get("hit") is False and {"damage", "state"} & slots.keys():
        raise Unclear("a miss does nothing")


def _cost_field(slots: Fields) -> Fields:
    return {"cost": slots["cost"]} if "cost" in slots else {}


@fill
def deed(scene: Scene, slots: Fields) -> None:
    """Complete a deed: its kind, its cost, and its targets."""
    whom = slots.get("whom")
    targets = {"targets": list(whom.ids)} if isinstance(whom, Who) else {}
    time = {"time": slots["time"].total} if isinstance(slots.get("time"), Number) else {}
    thing = {"object": slots["thing"]} if "thing" in slots else {}
    slots["action"] = scene.kind_of(slots["deed"]) | thing | _cost_field(slots) | time | targets


@fill
def over(scene: Scene, slots: Fields) -> None:
    """Set the condition in which somebody wakes up: asleep or unconscious."""
    if "wakes" not in slots:
        return
    whom = slots.get("whom")
    bearers = whom.ids if isinstance(whom, Who) else ()
    own = {each.called for each in scene.state.conditions.values() if each.bearer in bearers}
    slots["condition"] = next((each for each in ("asleep", "unconscious") if each in own), "unconscious")


@fill
def standing(scene: Scene, slots: Fields) -> None:
    """Set the act of standing up, where the game has one."""
    if "stand-up" in scene.kinds:
        slots["action"] = {"kind": "stand-up"}


@fill
def used(scene: Scene, slots: Fields) -> None:
    """Complete the use of something by its name. In another's turn it is a reaction, a legendary action, or its user's turn has come: that is left open."""
    who = _single(slots, "who", "this does not say who uses it")
    name = slot_text(slots["thing"])
    known = scene.features.get(name.casefold(), name)
    kind = named_kind(scene.context, who, known)
    action = ({"kind": kind} if kind else scene.kind_of("other")) | {"name": known}
    turn = scene.state.clock.turn
    if "cost" in slots or not scene.has_turns or not turn or turn == who:
        slots["action"] = action | _cost_field(slots)
    else:
        slots["action"] = Choice(tuple(action | cost for cost in ({"cost": "reaction"}, {"cost": "legendary"}, {})))


@fill
def cast(scene: Scene, slots: Fields) -> None:
    """Complete a casting: its time, its cost, and its targets; a spell that heals and names nobody heals its caster."""
    who = _single(slots, "who", "this does not say who casts")
    announces = is_declared(scene, slots)
    declared = {} if announces else filling.as_declared(scene.context, who, {"name": slot_text(slots["spell"])})
    if "targets" in declared and "hits" not in slots:
        slots.setdefault("whom", Who(tuple(declared["targets"])))
    if "healing" in slots:
        slots.setdefault("whom", slots["who"])
    if {"damage", "each", "state", "saving"} & slots.keys() and "whom" not in slots:
        raise Unclear("this does not say whom it befalls")
    if "succeeded" in slots and "saving" not in slots:
        raise Unclear("this does not say what succeeds or fails")
    if slots.get("half") == "on-success" and not {"pairs", "announced"} & slots.keys():
        raise Unclear("this does not say who succeeds")
    if "each" in slots:
        slots["each"] = give_one_kind(slots["each"])
    if "level" in slots:
        slots["slot"] = _spell_slot(scene, int(plain(slots["level"])))
    _deal_out(slots)
    if "saving" in slots and len(slots["whom"].ids) > 1 and {"roll", "succeeded"} & slots.keys():
        raise Unclear("one save is told of several")
    hit = () if "whom" in slots else slots.get("hits", ())
    targets = list(slots["whom"].ids) if "whom" in slots else [one for each in hit for one in dict(each)["whom"].ids]
    time, kind = slots.get("time"), slots.get("kind", "cast")
    promised = not {"roll", "succeeded"} & slots.keys() and {"announced", "saving"} & slots.keys()
    if promised:
        slots.pop("saving", None)
    announced: Fields = {name: plain(slots[name]) for name in ("save", "dc") if promised and name in slots}
    announced |= {"half": True} if announced and slots.get("half") == "on-success" else {}
    slots["action"] = declared | {
        "kind": kind if kind in scene.kinds else {"ability": "other"}.get(kind, "cast"),
        "name": slot_text(slots["spell"]),
        **({"targets": list(dict.fromkeys(targets))} if targets else {}),
        **({"delay": slots["delay"].total} if "delay" in slots else {}),
        **({"time": plain(time)} if time is not None else {}),
        **({"allows_save": announced} if announced else {}),
        **_cost_field(slots),
    }


def _deal_out(slots: Fields) -> None:
    """Give each of several targets its own of several amounts; raise Unclear if there are not as many."""
    whom = slots["whom"].ids if "whom" in slots else ()
    if "each" not in slots or len(whom) == 1:
        return
    hurts = slots.pop("each")
    if len(hurts) != len(whom):
        raise Unclear("this does not say whom each of these befalls")
    slots["hits"] = tuple((("hurt", hurt), ("whom", Who((one,)))) for one, hurt in zip(whom, hurts, strict=True))


def give_one_kind(hurts: Sequence[Hurt]) -> tuple[Hurt, ...]:
    """Return points of damage of which only the last have a kind, each of that kind: 4, 3 and 5 force."""
    *first, last = map(dict, hurts)
    alone = "type" in last and not any("type" in each for each in first)
    shared = {"type": last["type"]} if alone else {}
    return tuple(tuple(sorted((shared | each).items())) for each in (*first, last))


def _spell_slot(scene: Scene, level: int) -> str:
    """Return the name of a spell slot."""
    slots = scene.forms.means.get("aside", {})
    if not 1 <= level <= int(slots.get("highest", 0)):
        raise Unclear(f"this game has no spell slots of level {level}" if slots else "this game has no spell slots")
    return slots["slot"].format(level)


def _casters(scene: Scene, spell: str) -> set[str]:
    """Return the combatants who declared or began a spell."""
    memory, name = scene.context.memory, spell.casefold()
    acts = (*memory.begun.items(), *memory.declared.items())
    return {who for who, act in acts if (act.name or "").casefold() == name} & scene.state.combatants.keys()


@fill
def begun(scene: Scene, slots: Fields) -> None:
    """Complete a spell that takes effect: by whom, at whom and when, where one combatant began or declared it."""
    casters = _casters(scene, slot_text(slots["effect"]))
    if "source" in slots:
        casters &= {*slots["source"].ids}
    if len(casters) != 1:
        return
    (who,) = casters
    values: Fields = {"source": who, "effect": slot_text(slots["effect"])} | (
        {"targets": list(slots["whom"].ids)} if "whom" in slots else {}
    )
    try:
        filling.complete_effect(scene.context, values)
    except Gap:
        return
    slots |= {"source": Who((who,)), "act": values.get("act"), "segment": values.get("segment")}
    if targets := values.get("targets"):
        slots["whom"] = Who(tuple(targets))


@fill
def abandoned(scene: Scene, slots: Fields) -> None:
    """Complete a spell that comes to nothing: whose it is, where one combatant declared or began it."""
    by = _casters(scene, slot_text(slots.get("spell", "")))
    if "who" not in slots:
        if len(by) != 1:
            raise Unclear("this does not say whose spell it is")
        slots["who"] = Who(tuple(by))
    if "spell" not in slots:
        act = declared_by(scene.context, _single(slots, "who", "this does not say whose spell it is"))
        if act is not None and act.name:
            slots["spell"] = act.name
    elif not by & {*slots["who"].ids}:
        raise Unclear("this spell was neither declared nor begun")


@fill
def effect_over(scene: Scene, slots: Fields) -> None:
    """Set the effect that ends: the one on which a combatant concentrates."""
    if "effect" not in slots:
        kept = [each for each in scene.state.effects.values() if each.concentration]
        own = {each.called for each in kept if each.source in slots["who"].ids}
        if len(own) != 1:
            raise Unclear("this does not say which effect ends")
        slots["effect"] = own.pop()
    elif "who" in slots:
        sources = {each.source for each in scene.state.effects.values() if each.called == slot_text(slots["effect"])}
        if sources and not sources & {*slots["who"].ids}:
            raise Unclear("this is the effect of somebody else")


@fill
def held(scene: Scene, slots: Fields) -> None:
    """Complete an act that is held ready: by whom, and which."""
    end_turn(scene, slots)
    _single(slots, "who", "this does not say who waits")
    if "what" in slots:
        named = {"name": slots["thing"]} if "thing" in slots else {}
        targets = {"targets": list(slots["whom"].ids)} if "whom" in slots else {}
        slots["action"] = scene.kind_of(slots["what"]) | named | targets


@fill
def moving(scene: Scene, slots: Fields) -> None:
    """Complete a move: its path by squares; a place in words is where somebody is."""
    if "distance" in slots and {"to", "near", "far"} & slots.keys():
        raise Unclear("a move is to a place, or so far")
    if "to" in slots:
        who = _single(slots, "who", "one combatant moves to a square")
        start = slots.get("from") or getattr(scene.state.combatants[who], "square", None)
        slots["path"] = [list(each) for each in (start, slots["to"]) if each]
    elif {"near", "far"} & slots.keys():
        people, whom = scene.state.combatants, slots.get("near") or slots["far"]
        way = "to" if "near" in slots else "away from"
        if not whom.ids:
            raise Unclear("this does not say to whom")
        slots["place"] = Kept(f"{way} {' and '.join(people[each].name or each for each in whom.ids)}")


@fill
def side(scene: Scene, slots: Fields) -> Facts:
    """Return the ruling that puts combatants on a side, by default the only other one."""
    people = [scene.state.combatants[each] for each in slots["who"].ids]
    others = {one.side for one in scene.state.here()} - {one.side for one in people}
    if "side" not in slots and len(others) != 1:
        raise Unclear("this does not say on which side they are now")
    now = folded(slot_text(slots["side"])) if "side" in slots else others.pop()
    values = {f"{one.id}.side": now for one in people if one.side != now}
    if not values:
        raise Unclear("they are on that side already")
    called = ", ".join(one.name or one.id for one in people)
    decision = f"{called} {'is' if len(people) == 1 else 'are'} on the side {now}"
    return [{"type": "ruling_made", "ruling": "override", "decision": decision, "values": values}]


# ---------------------------------------------------------------- points


@fill
def summed(_scene: Scene, slots: Fields) -> None:
    """Check that amounts add up: several are of different kinds."""
    kinds = [dict(each).get("type") for each in slots.get("damage", ())]
    if len(kinds) > 1 and (None in kinds or len({*kinds}) < len(kinds)):
        raise Unclear("this does not say whether these points add up")


@fill
def halved(scene: Scene, slots: Fields) -> None:
    """Complete half of some damage: rounded as the game's text says, else either way; whether a number is halved already may be open."""
    half, hurts = slots.get("half"), slots.get("damage", ())
    if not half or not hurts:
        return
    if len(hurts) != 1:
        raise Unclear("this does not say what is halved")
    whole = dict(hurts[0])["amount"].total
    if half == "of":
        slots["damage"] = Choice(tuple(_with_amount(hurts[0], each) for each in half_values(scene, whole)))
    elif half == "open":
        slots["damage"] = Choice(tuple(_with_amount(hurts[0], each) for each in (whole, *half_values(scene, whole))))


def half_values(scene: Scene, whole: int) -> tuple[int, ...]:
    """Return half of a number, by the rounding of the game's text; both neighbours where it has none."""
    down, up = whole // 2, (whole + 1) // 2
    rounded = {"down": (down,), "up": (up,)}.get(scene.table.halves, (down, up))
    return tuple(dict.fromkeys(rounded))


def _with_amount(hurt: Iterable[tuple[str, Any]], amount: int) -> tuple[tuple[tuple[str, Any], ...], ...]:
    return (tuple(sorted((dict(hurt) | {"amount": Number(amount)}).items())),)


@fill
def left_at(scene: Scene, slots: Fields) -> Facts:
    """Return the damage by which a combatant is down to so many points."""
    who = _single(slots, "whom", "one combatant has so many points")
    now = derive_value(scene.state, f"{who}.hp")
    lost = (now.value if now else 0) - slots["left"].total
    if lost == 0:
        return [{"type": "checked", "values": {f"{who}.hp": slots["left"].total}}]
    if not isinstance(lost, int) or lost <= 0:
        raise Unclear("this is no loss of points")
    return [{"type": "damage_dealt", "target": who, "amount": lost}]


@fill
def left_instead(scene: Scene, slots: Fields) -> Facts:
    """Return the amendment by which a combatant keeps so many points instead of falling to 0."""
    return kept_from_zero(scene, _single(slots, "whom", "one combatant keeps points"), slots["left"].total)


@fill
def maximum(scene: Scene, slots: Fields) -> None:
    """Set the new maximum: to a number, or by one."""
    who = _single(slots, "whom", "one combatant's maximum is meant")
    if "limit" in slots:
        return
    now = scene.state.combatants[who].hp_max
    if now is None:
        raise Unclear(f"the maximum of {who} is not known")
    by = slots["less"].total * -1 if "less" in slots else slots["more"].total
    slots["limit"] = Number(now + by)


@fill
def spent(_scene: Scene, slots: Fields) -> None:
    """Set the change of a resource that is spent."""
    slots["amount"] = -slots["n"].total


@fill
def levels(_scene: Scene, slots: Fields) -> None:
    """Set the levels of a condition that are gained, one if no number is said."""
    slots["detail"] = str(slots["levels"].total if "levels" in slots else 1)


# ---------------------------------------------------------------- dice


@fill
def initiative(scene: Scene, slots: Fields) -> Facts:
    """Return the initiative of each, or of sides."""
    found: Facts = []
    for pair in map(dict, slots["pairs"]):
        who, number = pair["who"], pair["n"]
        if not scene.has_turns:
            found.append({"type": "initiative_rolled", "side": _whole_side(scene, who), "die": number.total})
            continue
        known = number.die is not None and number.die <= number.total
        rolled = {"die": number.die, "bonus": number.total - number.die} if known else {"total": number.total}
        found += [{"type": "initiative_rolled", "combatant": one, **rolled} for one in who.ids]
    if len({each.get("combatant") or each["side"] for each in found}) < len(found):
        raise Unclear("one combatant is named twice")
    if not found:
        raise Unclear("this does not say who")
    return found


def _whole_side(scene: Scene, who: Who) -> str:
    """Return the side that some combatants are the whole of; raise Unclear."""
    side = Names(scene.state, scene.table.vocabulary).side_of(who)
    if not side or (not who.side and {*who.ids} != {each.id for each in scene.state.here() if each.side == side}):
        raise Unclear("these are no whole side, and none alone")
    return side


@fill
def surprise(scene: Scene, slots: Fields) -> Facts:
    """Return the surprise dice of sides."""
    return [
        {"type": "surprise_rolled", "side": _whole_side(scene, pair["who"]), "die": pair["n"].total}
        | ({"surprised_on": slots["on"].total} if "on" in slots else {})
        for pair in map(dict, slots["pairs"])
    ]


@fill
def contest(scene: Scene, slots: Fields) -> None:
    """Complete two rolls against each other."""
    one, other = (_single(slots, each, "two combatants roll against each other") for each in ("who", "whom"))
    slots["action"] = scene.kind_of(slots["about"]) | {"targets": [other]}
    rolls = ((one, slots["roll"]), (other, slots["against"]))
    slots["contenders"] = [{"combatant": who, "total": roll.total} for who, roll in rolls]
    if "state" in slots and slots["roll"].total <= slots["against"].total:
        raise Unclear("the one who won changes nothing of the other here")


@fill
def saving(scene: Scene, slots: Fields) -> None:
    """Check that a save is told, and of whom; a save to concentrate is of the kind that the game has for it."""
    if not {"saving", "save"} & slots.keys():
        raise Unclear("this does not say that it is a save")
    who = slots.get("who")
    if not isinstance(who, Who):
        raise Unclear("this does not say whose save it is")
    if len(who.ids) > 1 and "roll" in slots:
        raise Unclear("one save is told of several")
    if owed := scene.forms.means.get("owed-save", {}).get(slot_text(slots.get("save", ""))):
        short = (name for name, words in scene.table.named["ability"].items() if owed in words)
        slots["purpose"], slots["save"] = slots["save"], next(short, owed)
    if "saves" in slots and "roll" not in slots:  # with a roll it may only say what is rolled
        slots["succeeded"] = True


@fill
def saves(scene: Scene, slots: Fields) -> None:
    """Complete the saves of several, and the damage of an area to them: those who succeed take half of it, where that is told."""
    if "pairs" not in slots:
        return
    dc, saved = slots.get("dc"), list[Fields]()
    for pair in map(dict, slots["pairs"]):
        own = {"succeeded": pair["n"].total >= dc.total} if dc and "n" in pair else {}
        saved += [own | pair | {"whom": Who((one,))} for one in pair["who"].ids]
    if not saved or any(not pair["who"].ids for pair in map(dict, slots["pairs"])):
        raise Unclear("this does not say who")
    slots.setdefault("whom", Who(tuple(one for each in saved for one in each["whom"].ids)))
    slots["saved"] = tuple(tuple(each.items()) for each in saved)
    if "damage" in slots:
        slots["hits"] = _area_damage(scene, slots, saved)
    elif "half" in slots:
        raise Unclear("this does not say what is halved")


def _area_damage(scene: Scene, slots: Fields, saved: Sequence[Fields]) -> tuple[Hurt, ...]:
    """Return the damage of an area to those who have rolled their saves; raise Unclear where it is not told of each."""
    (hurt, *others), whom = slots.pop("damage"), slots.get("whom", Who())
    half = half_values(scene, dict(hurt)["amount"].total)
    rolled = {one for each in saved for one in each["whom"].ids}
    if others or {*whom.ids} - rolled or any("succeeded" not in each for each in saved):
        raise Unclear("this does not say who fails")
    if any(each["succeeded"] for each in saved) and "half" not in slots and not _is_listed(scene, slots):
        raise Unclear("this does not say what those take who succeed")
    if "half" in slots and len(half) > 1:
        raise Unclear(f"this does not say how half of {2 * half[0] + 1} is rounded")
    lower = tuple((dict(hurt) | {"amount": Number(half[0])}).items()) if "half" in slots else hurt
    return tuple((("hurt", lower if each["succeeded"] else hurt), ("whom", each["whom"])) for each in saved)


def _is_listed(scene: Scene, slots: Fields) -> bool:
    who, name = slots.get("who"), slot_text(slots.get("spell", ""))
    return isinstance(who, Who) and scene.state.rules.spell(scene.state, who.ids[0], name) is not None


@fill
def checked(scene: Scene, slots: Fields) -> None:
    """Set whose check it is: a combatant's, or a side's."""
    who = slots.pop("who", None)
    if isinstance(who, Who):
        if len(who.ids) == 1 and not who.side:
            slots["one"] = who
        else:
            slots["side"] = _whole_side(scene, who)


# ---------------------------------------------------------------- the clock


@fill
def next_turn(scene: Scene, _slots: Fields) -> Facts:
    """Return the move of the clock to the next turn or segment."""
    if scene.forms.clock == "segment":
        return [{"type": "segment_reached", "segment": (scene.state.clock.point.segment or 0) + 1}]
    if scene.forms.clock != "turn":
        raise Unclear("there are no turns here")
    values: Fields = {}
    filling.set_turn(scene.context, values)
    return [{"type": "turn_started", "combatant": values["who"]}]


@fill
def end_turn(scene: Scene, slots: Fields) -> None:
    """Set whose turn ends."""
    if "who" not in slots:
        if not scene.state.clock.turn:
            raise Unclear("no turn goes on")
        slots["who"] = Who((scene.state.clock.turn,))


@fill
def next_round(scene: Scene, slots: Fields) -> Facts:
    """Return the beginning of the next round; where sides act, the open one ends before it."""
    clock = scene.state.clock
    wanted = int(plain(slots.get("round", slots.get("ordinal", clock.round + 1))))
    if wanted != clock.round + 1:
        raise Unclear(f"the next round is {clock.round + 1}")
    if scene.forms.declares == "dice":
        scene.begins_round = True
    ended = [{"type": "round_ended", "round": clock.round}] if clock.open and not scene.has_turns else []
    return [*ended, {"type": "round_started", "round": wanted}]


@fill
def this_round(scene: Scene, slots: Fields) -> Facts:
    """Return the end of the open round."""
    clock, number = scene.state.clock, slots.get("n")
    told = number.total if isinstance(number, Number) else int(number or clock.round)
    if told != clock.round or not clock.open:
        raise Unclear("this round is not open")
    return [{"type": "round_ended", "round": clock.round}]


# ---------------------------------------------------------------- people and the record


@fill
def join(scene: Scene, slots: Fields) -> Facts:
    """Return the facts by which a combatant joins, or several of a kind with points of their own."""
    name, sheet = slot_text(slots["new"]), _newcomer_sheet(slots)
    count, own = slots.get("count", Number(0)).total, [each.total for each in slots.get("hps", ())]
    if len(own) == 1 and count < 2:
        sheet["hp"], own = own[0], []
    if {*name.casefold().replace("-", " ").split()} & {*scene.table.synonyms["many"]}:
        raise Unclear("so large a number is written in digits, such as 24")
    if not count and not own and name.islower() and singular_of(name):
        raise Unclear("this does not say how many")
    many = count > 1 or bool(own)
    single = (singular_of(name) or name.removesuffix("s")) if many else name
    if many and single == name and "tracked" not in slots:
        raise Unclear("several are named in the plural")
    of_this_kind = any(kind_of(who) == folded(single) for who in scene.state.combatants)
    values: Fields = {"new": f"{single}*{count or len(own) or 1}" if many or of_this_kind else single, "sheet": sheet}
    is_kind = bool(scene.state.rules.kinds(scene.state, single)[0])
    if side := slots.get("side", None if is_kind else slots.get("side of all")):
        values["group"] = slot_text(side)
    if not (sheet or own or is_kind or slots.keys() & {"joins", "square"}):
        raise Unclear("")
    values |= {"square": list(slots["square"])} if "square" in slots else {}
    try:
        made = filling.join_copies(scene.context, values)
    except Gap as gap:
        raise Unclear(gap.why) from None
    joined = [each for each in made if each["type"] == "combatant_joined"]
    if own and len(own) != len(joined):
        raise Unclear("there are not as many hit points as newcomers")
    for each, points in zip(joined, own, strict=False):
        each["sheet"] = each.get("sheet", {}) | {"hp": points}
    return made


def _newcomer_sheet(slots: Fields) -> Fields:
    """Return what a line says of the sheet of newcomers; their class is a remark on it."""
    sheet: Fields = {each: plain(slots[each]) for each in ("hp", "ac", "size", "initiative") if each in slots}
    if "role" in slots:
        sheet["notes"] = " ".join(str(plain(slots[each])) for each in ("role", "level") if each in slots)
    return sheet


@fill
def correct(scene: Scene, slots: Fields) -> Facts:
    """Return the correction of the last fact that can be meant: its number, its target, or of the last line."""
    new, old = slots["new"], slots.get("old")
    one = "one combatant is meant"
    whom, source, doer = (_single(slots, each, one) if each in slots else "" for each in ("whom", "source", "doer"))
    if isinstance(new, Who):
        after = _single(slots, "new", one)
        if doer:
            return move_last_blow(scene, doer, after)
        return [{"rest": "correct", "words": f"{after} not {_single(slots, 'old', 'one combatant is meant')}"}]
    words = f"{new.total} not {old.total}" if old is not None else str(new.total)
    thing = slot_text(slots.get("thing", ""))
    if whom or source or doer or thing:
        return amend_number(scene, words, whom, doer or source, thing, took="took" in slots)
    return [{"rest": "correct", "words": words}]


@fill
def full(scene: Scene, slots: Fields) -> None:
    """Set the points by which a combatant is back at the maximum."""
    who = _single(slots, "whom", "one combatant is healed")
    one = scene.state.combatants[who]
    if one.hp is None or one.hp_max is None or one.hp >= one.hp_max:
        raise Unclear(f"{who} lacks no points")
    slots["healing"] = Number(one.hp_max - one.hp)
