"""One roll of damage for several targets."""

from __future__ import annotations

from collections.abc import Iterator

from eventstore.events import DamageDealt
from eventstore.shapes import Part
from projections.occurrence import Occurrence
from projections.rulesets.faults import Fault, checks_by
from projections.rulesets.fifth_edition.shapes import Deed
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import derives


@derives("damage.one-roll-for-all", on=DamageDealt)
def damage_is_kept(state: FifthState, fact: Occurrence[DamageDealt]) -> None:
    """Keep the damage that an act deals."""
    if fact.cause:
        state.dealt.setdefault(fact.cause, []).append(fact)


@checks_by("damage.one-roll-for-all", on=DamageDealt)
def one_roll_hurts_all(state: FifthState, fact: Occurrence[DamageDealt]) -> Iterator[Fault]:
    """Yield that the damage of one act to several targets shows different dice."""
    deed = state.deeds.get(fact.cause)
    if deed is None or state.rolls_of.get(deed.seq) or (state.is_new and deed.save is None) or attacks(state, deed):
        return
    for other in state.dealt.get(deed.seq, ())[:1]:
        mine, theirs = faces(fact.event.parts), faces(other.event.parts)
        if other.event.target != fact.event.target and mine.keys() == theirs.keys() and mine != theirs:
            says = f"{deed.action.name or deed.kind} rolls once for all"
            yield Fault(("damage.one-roll-for-all",), says, shown(theirs), shown(mine), (other.seq,))


def attacks(state: FifthState, deed: Deed) -> bool:
    """Say whether an act is an attack, or a spell that makes attacks, whose rolls may not be recorded: each deals damage of its own."""
    if deed.kind == "attack":
        return True
    if deed.kind != "cast" or not deed.name:
        return False
    from projections.rulesets.fifth_edition import spellbook  # only where somebody casts

    spell = spellbook.spell_named(deed.name, state.option("edition"))
    return spell is not None and bool(spell.attack)


def faces(parts: tuple[Part, ...]) -> dict[tuple[str, str], tuple[int, ...]]:
    """Return the faces of dice by their names and notations."""
    return {(part.name.casefold(), part.dice.notation): tuple(sorted(part.dice.faces)) for part in parts if part.dice}


def shown(found: dict[tuple[str, str], tuple[int, ...]]) -> str:
    """Return faces as people write them."""
    return "; ".join("+".join(map(str, each)) for each in found.values())
