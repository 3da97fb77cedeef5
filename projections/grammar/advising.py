"""Advice on a line that is recorded: what it leaves out that the game will ask for, and what it says against what is known."""

from collections.abc import Iterator

from projections.grammar import forms
from projections.grammar.fields import Facts
from projections.grammar.line_context import LineContext, entry_of


def advice(context: LineContext, facts: Facts) -> str:
    """Return what the typist of a line should know about its facts; "" if there is nothing."""
    if context.script:
        return ""
    return _without_side(context, facts) or _still_ruled(context, facts) or _needs_no_concentration(context, facts)


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
