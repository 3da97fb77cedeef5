"""Advice on a recorded line: what it omits that the game will ask for, and where it contradicts what is known."""

import re
from collections.abc import Iterator

from eventstore.events import ActionTaken
from eventstore.form import visible
from projections.language.notation import forms
from projections.language.notation.line_context import LineContext, entry_of, known_spell
from projections.language.notation.tokens import word
from projections.mechanics.conditions import Effect
from projections.open_types import Facts, Fields


def advice(context: LineContext, facts: Facts) -> str:
    """Return what the typist of a line should know about its facts; "" if there is nothing."""
    if context.script:
        return ""
    return next(filter(None, (each(context, facts) for each in ADVICE)), "")


def _without_side(context: LineContext, facts: Facts) -> str:
    """Return the consequence of joining without a side, where sides roll; "" if there is none."""
    alone = [each["combatant"] for each in facts if each["type"] == "combatant_joined" and not each.get("side")]
    if not alone or forms.of(context.state.rules.rules).clock == "turn":
        return ""
    rolls = f"{alone[0]} has" if len(alone) == 1 else "each of them has"
    return f"without a side {rolls} initiative dice alone; u takes this back, and a side stands after the name: join orc foes"


def following(context: LineContext, facts: Facts) -> tuple[str, ...]:
    """Return the lines that people may want next: those that lift a healed combatant's ruled status, and those for the outcome of a won contest."""
    if context.script:
        return ()
    return (*(f"{who} is not {status}" for who, status, _ in _ruled(context, facts)), *_spoils(context, facts))


def _is_won(context: LineContext, facts: Facts) -> str:
    """Return that a contest is won, or a save failed, with more than one possible outcome; "" if none is."""
    if lines := _spoils(context, facts):
        return f"this {_about(facts)} has succeeded; its outcome is {' or '.join(f'`{each}`' for each in lines)}"
    return ""


def _about(facts: Facts) -> str:
    """Return the subject of the contest or save that ends these facts: as it says, else the act that it answers; "" for none."""
    last = _last(facts)
    acts = [each["action"]["kind"] for each in facts if each["type"] == "action_taken"]
    answers = last.get("type") == "save_rolled" and acts != [] and "purpose" not in last
    return str(last.get("about") or last.get("purpose") or (acts[-1] if answers else ""))


def _spoils(context: LineContext, facts: Facts) -> tuple[str, ...]:
    """Return the lines for the outcome of a contest that is won, or a save that fails, with the last of these facts."""
    last = _last(facts)
    lines = next((each.lines for each in _wins(context, last.get("type", "")) if each.about == _about(facts)), ())
    if not lines:
        return ()
    if last["type"] == "contest_rolled":
        who, *others = (each["combatant"] for each in last["contenders"])
        won = last.get("winner") or _highest(last["contenders"])
        whose = (who, *others) if won == who else ()
    else:
        behind = (each for each in facts if each["type"] == "action_taken")
        whose = (next((each["combatant"] for each in behind), context.state.clock.turn), last.get("combatant", ""))
        whose = whose if last.get("succeeded") is False else ()
    return tuple(each.format(who=whose[0], target=whose[1]) for each in lines) if len(whose) == 2 and all(whose) else ()


def _wins(context: LineContext, by: str) -> Iterator[forms.Spoils]:
    """Yield the outcomes of contests or saves, facts of this type, with the log's options."""
    for each in forms.of(context.state.rules.rules).wins:
        name, _, value = each.option.partition("=")
        if each.by in ("", by) and (not name or context.state.option(name) == value):
            yield each


def _last(facts: Facts) -> Fields:
    """Return the last of these facts that is no note; an empty fact if there is none."""
    return next((each for each in reversed(facts) if each["type"] != "noted"), {})


def _highest(contenders: Facts) -> str:
    """Return the contender with the highest total; "" where one is unknown, or two are level."""
    totals = {each["combatant"]: _total(each) for each in contenders}
    known = [total for total in totals.values() if total is not None]
    best = [who for who, total in totals.items() if total == max(known, default=None)]
    return best[0] if len(best) == 1 and len(known) == len(totals) else ""


def _total(contender: Fields) -> int | None:
    """Return a contender's total; None where it is unknown."""
    stated, die = contender.get("total", contender.get("check")), contender.get("die")
    if isinstance(stated, int):
        return stated
    return die + sum(int(each["amount"]) for each in contender.get("modifiers", ())) if isinstance(die, int) else None


def _still_ruled(context: LineContext, facts: Facts) -> str:
    """Return that healed combatants keep a status that a ruling gave them, and how to lift it; "" if none has one."""
    return "; ".join(
        f"{who} stays {status} by the ruling {seq}: `{who} is not {status}` lifts it"
        for who, status, seq in _ruled(context, facts)
    )


def _ruled(context: LineContext, facts: Facts) -> Iterator[tuple[str, str, int]]:
    """Yield each healed combatant whose status is other than up by a ruling, unless they are brought back; with that
    status and the ruling's record.
    """
    brought_back = any(_revives(context, each) for each in facts)
    for who in dict.fromkeys(each["target"] for each in facts if each["type"] == "healed"):
        ruled = context.state.ruled.get(f"{who}.status")
        if ruled and ruled.value != "up" and not (brought_back and ruled.value == "dead"):
            yield who, str(ruled.value), ruled.seq


def _revives(context: LineContext, fact: Fields) -> bool:
    """Say whether a fact is an effect that brings back the dead, or a spell of this game that does."""
    name = fact.get("effect") or fact.get("action", {}).get("name") or ""
    caster = context.state.combatants.get(fact.get("combatant", ""))
    own = entry_of(caster, name) if caster else None
    spell = known_spell(context, "", name) if name else {}
    return "revives" in (*fact.get("attributes", ()), *getattr(own, "attributes", ()), *spell.get("attributes", ()))


def _needs_no_concentration(context: LineContext, facts: Facts) -> str:
    """Return that a combatant is recorded as concentrating on a spell that is known to need no concentration; "" if nobody is."""
    held = [each for each in facts if each["type"] == "effect_started" and each.get("concentration")]
    known = ((each["effect"], known_spell(context, each.get("source", ""), each["effect"])) for each in held)
    idle = [name for name, own in known if own.get("level") is not None and not own.get("concentration")]
    return f"{idle[0]} needs no concentration; u takes this back" if idle else ""


def _outlasts_its_spell(context: LineContext, facts: Facts) -> str:
    """Return that a condition without a recorded cause outlasts a spell on its bearer; "" if no such spell runs, or conditions never end with one."""
    if not forms.of(context.state.rules.rules).imposes:
        return ""
    for each in facts:
        if each["type"] == "condition_gained" and "cause" not in each:
            running = (one for one in context.state.effects.values() if one.concentration)
            held = ((one, who) for one in running for who in each["targets"] if _is_at(context, one, who))
            sides = {who: one.side for who, one in context.state.combatants.items()}
            hostile = (each for each in held if sides.get(each[0].source or "", "?") != sides.get(each[1], ""))
            if found := next(hostile, None):
                spell, who = found
                name, line = visible(spell.name), f"{who} is {word(each['condition'])} cause={spell.seq}"
                return f"this stays when {name} ends; if {name} does it, u takes this back: `{line}`"
    return ""


def _is_at(context: LineContext, spell: Effect, who: str) -> bool:
    """Say whether a combatant bears an effect, or one that nobody bears yet comes from an act of the round with the combatant as a target."""
    began = context.state.moments.get(spell.seq)
    act = context.state.moments.get(began.cause) if began and not spell.bearer else None
    return spell.bearer == who or (
        act is not None and isinstance(act.event, ActionTaken) and who in act.event.action.targets
    )


def _is_of_no_kind(context: LineContext, facts: Facts) -> str:
    """Return that a combatant of unknown kind falls to 0 hit points; "" if none does, or the game does not ask."""
    for each in facts:
        one = context.state.combatants.get(each.get("target", "")) if each["type"] == "damage_dealt" else None
        if (
            one
            and context.state.rules.kindless(context.state, one)
            and 0 < (one.hp or 0) <= (each.get("amount") or 0) < (one.hp or 0) + (one.hp_max or 0)
        ):
            line = f"sheet {one.id} creature=monster"
            return f"{one.id} is no character and no monster by its sheet, and is still in the order at 0: `{line}` or creature=character"
    return ""


def _may_be_listed(context: LineContext, facts: Facts) -> str:
    """Return the names in the game's tables that may be meant by a newcomer with a similar name, without hit points and
    without an entry of these tables; "" if there are none.
    """
    joined = [each for each in facts if each["type"] == "combatant_joined" and not {"srd", "hp"} & each["sheet"].keys()]
    for each in joined:
        kind = re.sub(r"[- ]\d+$", "", str(each.get("name", each["combatant"])))
        likely = (
            context.state.rules.kinds(context.state, kind)[1] if each["sheet"].get("creature") != "character" else ()
        )
        if likely and (each.get("side") == "foes" or len(joined) > 1):
            names = " or ".join(likely)
            return f"no table has {visible(kind)}, who is of unknown points; if {names} is meant, u takes this back"
    return ""


def _loses_turn(context: LineContext, facts: Facts) -> str:
    """Return that a turn put off is lost as the next one of its combatant begins; "" if none is."""
    begun = next((each["combatant"] for each in facts if each["type"] == "turn_started"), "")
    held = context.state.turns.in_hand.get(begun)
    lost = f"the turn that {begun} put off is lost with this; u takes it back, and {begun} resumes takes the other"
    return lost if held and held.seq else ""


def _is_lethal(context: LineContext, facts: Facts) -> str:
    """Return that damage counts as any other, where the game has no non-lethal damage; "" otherwise."""
    marked = not forms.of(context.state.rules.rules).nonlethal and any(each.get("nonlethal") for each in facts)
    return "this game has no non-lethal damage: it counts as any other" if marked else ""


ADVICE = (
    _is_lethal,
    _loses_turn,
    _may_be_listed,
    _without_side,
    _still_ruled,
    _is_won,
    _needs_no_concentration,
    _outlasts_its_spell,
    _is_of_no_kind,
)
"""The checks for advice, in the order in which they are made."""
