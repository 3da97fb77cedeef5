"""Advice on a recorded line: what it omits that the game will ask for, and where it contradicts what is known."""

from collections.abc import Iterator

from projections.language.notation import forms
from projections.language.notation.line_context import LineContext, entry_of, known_spell
from projections.open_types import Facts, Fields


def advice(context: LineContext, facts: Facts) -> str:
    """Return what the typist of a line should know about its facts; "" if there is nothing."""
    if context.script:
        return ""
    return next(filter(None, (each(context, facts) for each in ADVICE)), "")


def next_lines(context: LineContext, facts: Facts) -> tuple[str, ...]:
    """Return the lines that people may want next: those that lift a healed combatant's ruled status."""
    return () if context.script else tuple(f"{who} is not {status}" for who, status, _ in _ruled(context, facts))


def _advice_on_status(context: LineContext, facts: Facts) -> str:
    """Return that healed combatants keep a status that a ruling gave them, and how to lift it; "" if none has one."""
    return "; ".join(
        f"{who} stays {status} by the ruling {seq}: `{who} is not {status}` lifts it"
        for who, status, seq in _ruled(context, facts)
    )


def _ruled(context: LineContext, facts: Facts) -> Iterator[tuple[str, str, int]]:
    """Yield each healed combatant whose status is other than up by a ruling, unless they are brought back; with that
    status and the ruling's record.
    """
    brought_back = any(_is_revival(context, each) for each in facts)
    for who in dict.fromkeys(each["target"] for each in facts if each["type"] == "healed"):
        ruled = context.state.ruled.get(f"{who}.status")
        if ruled and ruled.value != "up" and not (brought_back and ruled.value == "dead"):
            yield who, str(ruled.value), ruled.seq


def _is_revival(context: LineContext, fact: Fields) -> bool:
    """Say whether a fact is an effect that brings back the dead, or a spell of this game that does."""
    name = fact.get("effect") or fact.get("action", {}).get("name") or ""
    caster = context.state.combatants.get(fact.get("combatant", ""))
    own = entry_of(caster, name) if caster else None
    spell = known_spell(context, "", name) if name else {}
    return "revives" in (*fact.get("attributes", ()), *getattr(own, "attributes", ()), *spell.get("attributes", ()))


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


ADVICE = (_is_lethal, _loses_turn, _advice_on_status, _is_of_no_kind)
"""The checks for advice, in the order in which they are made."""
