"""Advice on a line that is recorded: what it leaves out that the game will ask for, and what it says against what is known."""

from collections.abc import Iterator

from eventstore.form import visible
from projections.grammar import forms
from projections.grammar.line_context import LineContext, entry_of
from projections.grammar.tokens import word
from projections.mechanics.conditions import Effect
from projections.open_types import Facts


def advice(context: LineContext, facts: Facts) -> str:
    """Return what the typist of a line should know about its facts; "" if there is nothing."""
    if context.script:
        return ""
    return next(filter(None, (each(context, facts) for each in ADVICE)), "")


def _without_side(context: LineContext, facts: Facts) -> str:
    """Return what it means that those who join have no side, where sides roll; "" if it means nothing there."""
    alone = [each["combatant"] for each in facts if each["type"] == "combatant_joined" and not each.get("side")]
    if not alone or forms.of(context.state.rules.rules).clock == "turn":
        return ""
    rolls = f"{alone[0]} has" if len(alone) == 1 else "each of them has"
    return f"without a side {rolls} initiative dice alone; u takes this back, and a side stands behind the name: join orc foes"


def lifting(context: LineContext, facts: Facts) -> tuple[str, ...]:
    """Return the lines that lift the statuses by ruling of those who are healed."""
    return () if context.script else tuple(f"{who} is not {status}" for who, status, _ in _ruled(context, facts))


def _still_ruled(context: LineContext, facts: Facts) -> str:
    """Return that those who are healed keep the status that a ruling gave them, and how it is lifted; "" if none has one."""
    return "; ".join(
        f"{who} stays {status} by the ruling {seq}: `{who} is not {status}` lifts it"
        for who, status, seq in _ruled(context, facts)
    )


def _ruled(context: LineContext, facts: Facts) -> Iterator[tuple[str, str, int]]:
    """Yield who is healed and has a status other than up by a ruling, with that status and the record of the ruling."""
    for who in dict.fromkeys(each["target"] for each in facts if each["type"] == "healed"):
        ruled = context.state.ruled.get(f"{who}.status")
        if ruled and ruled.value != "up":
            yield who, str(ruled.value), ruled.seq


def _needs_no_concentration(context: LineContext, facts: Facts) -> str:
    """Return that a combatant is recorded as concentrating on a spell which is known to need none; "" if nobody is."""
    held = [each for each in facts if each["type"] == "effect_started" and each.get("concentration")]
    idle = [each["effect"] for each in held if _is_known_without(context, each.get("source", ""), each["effect"])]
    return f"{idle[0]} needs no concentration; u takes this back" if idle else ""


def _is_known_without(context: LineContext, who: str, spell: str) -> bool:
    """Say whether the sheet of a caster, or else the list of the ruleset, has a spell of some level, and without concentration."""
    caster = context.state.combatants.get(who)
    own = entry_of(caster, spell) if caster else None
    if own is not None and (own.concentration or getattr(own, "level", None) is not None):
        return not own.concentration
    listed = context.state.rules.listed(context.state, {"entries": [spell]}, None).get("entries", ())
    return any(
        isinstance(each, dict) and each.get("level") is not None and not each.get("concentration") for each in listed
    )


def _outlasts_its_spell(context: LineContext, facts: Facts) -> str:
    """Return that a condition without a recorded cause stays when a spell on its bearer ends; "" if no such spell runs, or conditions never end so."""
    if not forms.of(context.state.rules.rules).imposes:
        return ""
    for each in facts:
        if each["type"] == "condition_gained" and "cause" not in each:
            running = (one for one in context.state.effects.values() if one.concentration)
            spells = (one for one in running if one.bearer in each["targets"] and not _is_friendly(context, one))
            if spell := next(spells, None):
                name, line = visible(spell.name), f"{spell.bearer} is {word(each['condition'])} cause={spell.seq}"
                return f"this stays when {name} ends; if {name} does it, u takes this back: `{line}`"
    return ""


def _is_friendly(context: LineContext, spell: Effect) -> bool:
    """Say whether an effect comes from the side of its bearer, as far as both are known."""
    source, bearer = (context.state.combatants.get(who) for who in (spell.source, spell.bearer))
    return source is not None and bearer is not None and source.side == bearer.side


def _is_of_no_kind(context: LineContext, facts: Facts) -> str:
    """Return that a combatant falls to 0 hit points of which the sheet does not say what it is; "" if none does, or games do not ask."""
    for each in facts:
        one = context.state.combatants.get(each.get("target", "")) if each["type"] == "damage_dealt" else None
        if (
            one
            and getattr(one.sheet, "creature", "") is None
            and 0 < (one.hp or 0) <= (each.get("amount") or 0) < (one.hp or 0) + (one.hp_max or 0)
        ):
            line = f"sheet {one.id} creature=monster"
            return f"{one.id} is no character and no monster by its sheet, and is still in the order at 0: `{line}` or creature=character"
    return ""


ADVICE = (_without_side, _still_ruled, _needs_no_concentration, _outlasts_its_spell, _is_of_no_kind)
"""What can be worth knowing about a line, in the order in which it is looked for."""
