"""The circumstances of an attack: the act behind it, its manner, its distance, sight, cover."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import convert

from eventstore.events import AttackRolled, DamageDealt, DiceRolled, EffectStarted, SaveRolled
from eventstore.shapes import Aim, Square
from projections.fight import Combatant
from projections.mechanics.squares import TILE
from projections.occurrence import Occurrence
from projections.ruleset.faults import Fault
from projections.ruleset.ruleset import Breach, check, derives
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.conditions import carries, is_so
from projections.rulesets.fifth_edition.positions import apart, reach, walked, within_five
from projections.rulesets.fifth_edition.rolls import named
from projections.rulesets.fifth_edition.sheet import Weapon
from projections.rulesets.fifth_edition.state import Deed, FifthState, Rolled
from projections.rulesets.fifth_edition.table import COVERS


def deed_behind(state: FifthState, cause: int) -> Deed | None:
    """Return the act behind a roll or damage: its cause, or the cause of that roll."""
    rolled = state.rolled.get(cause)
    return rolled.deed if rolled else state.deeds.get(state.cause_of.get(cause, cause))


def roll_behind(state: FifthState, fact: Occurrence[DamageDealt]) -> Rolled | None:
    """Return the attack roll behind damage: its cause, else the last roll of the act behind it at the same target."""
    if rolled := state.rolled.get(fact.cause):
        return rolled
    deed = deed_behind(state, fact.cause)
    own = (state.rolled[seq] for seq in reversed(state.rolls_of.get(deed.seq, []) if deed else []))
    return next((each for each in own if each.target == fact.event.target), None)


def target_of(event: AttackRolled) -> str:
    """Return the target of an attack roll; "" if it names none."""
    return event.target or ""


@derives("death-save.damage", "condition.automatic-critical", "prone.attacks")
def is_near(state: FifthState, fact: Occurrence[AttackRolled]) -> bool | None:
    """Say whether an attack comes from within 5 feet, by squares or, by option, as a melee attack; None if that is
    unknown.
    """
    event, deed = fact.event, deed_behind(state, fact.cause)
    who, whom = event.combatant, target_of(event)
    near = within_five(state, who, whom, place_left(state, deed, who, whom))
    if near is not None or state.option("within-five") == "recorded":
        return near
    manner, weapon = manner_of(state, event, deed), weapon_used(state, event, deed)
    melee = deed is None or bool(manner & {"melee", "unarmed", "offhand"})
    if not melee and not manner:
        weapon = weapon or weapon_of_tables(state, event.name or (deed.action.name if deed else None))
        melee = weapon is not None and not weapon.range and (weapon.reach or weapon.properties) is not None
    return True if melee and reach(state.combatants[who], weapon) <= TILE else None


def sees(state: FifthState, who: str, whom: str) -> bool:
    """Say whether a combatant can see another, by all that is recorded."""
    return not is_so(state, who, "blind") and not is_so(state, whom, "unseen") and not carries(state, whom, "hidden")


def manner_of(state: FifthState, event: AttackRolled, deed: Deed | None) -> frozenset[str]:
    """Return the manner of an attack by its act; a spell's is `spell`, unless its range is touch."""
    if deed is None:
        return frozenset()
    if deed.kind == "cast":
        entry = figures.spell_of(state, state.combatants[event.combatant], deed.action)
        touch = entry is not None and entry.range == "touch"
        return frozenset() if touch else frozenset({"spell"})
    return deed.manner


def foes_near(state: FifthState, one: Combatant) -> Iterator[str]:
    """Yield the foes of a combatant within 5 feet that see it and are not incapacitated."""
    for other in state.combatants.values():
        if other.side != one.side and not other.left and other.status not in ("dead", "down"):
            unable = is_so(state, other.id, "no_acts") or not sees(state, other.id, one.id)
            if not unable and within_five(state, one.id, other.id):
                yield other.id


def place_left(state: FifthState, deed: Deed | None, who: str, whom: str) -> Square | None:
    """Return the square in which a mover, or its rider, met the attack that the move provoked; None if its present
    square counts.
    """
    if deed is None or deed.cost == "held" or deed.trigger not in state.moves:
        return None
    mover, stride, _ = state.moves[deed.trigger]
    mount = state.mounts.get(whom)
    if mover not in (whom, mount and mount.who):
        return None
    one = state.combatants[who]
    most = reach(one, figures.weapon_of(one, deed.action.name))
    near = [square for square in walked(stride.path) if within_reach(state, who, whom, square, most)]
    return near[-1] if near else None


def within_reach(state: FifthState, who: str, whom: str, at: Square | None, most: int) -> bool:
    """Say whether a combatant with a reach of so many feet reaches another in a square."""
    feet = apart(state, who, whom, None, at)
    return feet is not None and feet <= most


def distance(state: FifthState, deed: Deed | None, who: str, whom: str) -> int | None:
    """Return the feet from an attacker to its target."""
    return apart(state, who, whom, None, place_left(state, deed, who, whom))


def weapon_used(state: FifthState, event: AttackRolled, deed: Deed | None) -> Weapon | None:
    """Return the weapon of an attack, by its own name or that of its act; None if the sheet lists no such weapon."""
    return figures.weapon_of(state.combatants[event.combatant], event.name or (deed.action.name if deed else None))


def weapon_of_tables(state: FifthState, name: str | None) -> Weapon | None:
    """Return a weapon by its name in the reference document; None if that has none of this name."""
    from projections.rulesets.fifth_edition import listing  # only where no sheet has the weapon

    found = listing.weapon(name or "", state.edition)
    return convert(found, Weapon) if "dice" in found else None


def too_far_away(whom: str, feet: int, most: int, events: tuple[int, ...]) -> Breach:
    """Return the breach if a target is farther away than the most feet allowed."""
    return Breach(f"{whom} is {feet} feet away", f"{most} ft", f"{feet} ft", events)


def aims_of(state: FifthState, deed: Deed | None) -> tuple[Aim, ...]:
    """Return the lines of the effect that an act began."""
    if deed is None:
        return ()
    return tuple(aim for seq in state.aimed.get(deed.seq, ()) for aim in state.begun[seq].aim)


@derives("cover.bonus")
def cover_of(state: FifthState, event: AttackRolled, deed: Deed | None) -> int:
    """Return the number that cover adds to a target's AC: the highest that a modifier or an aim names."""
    stated = [adds(each.name) for each in event.modifiers]
    aims = [each.cover for each in aims_of(state, deed) if each.target in (None, event.target)]
    stated += [row.ac for each in aims for row in COVERS.values() if each is not None and each >= row.percent]
    return max(stated, default=0)


@derives("cover.total", "cover.bonus", on=EffectStarted, phase="effects")
def effect_is_aimed(state: FifthState, fact: Occurrence[EffectStarted]) -> None:
    """Keep the record of an effect, and its act."""
    state.begun[fact.seq] = fact.event
    state.aimed.setdefault(fact.cause, []).append(fact.seq)


def adds(name: str) -> int:
    """Return the number that a kind of cover adds to the AC; 0 for any other name."""
    row = COVERS.get(name.casefold())
    return row.ac if row else 0


def wrong_cover(fact: Occurrence[AttackRolled | SaveRolled | DiceRolled]) -> Iterator[Fault]:
    """Yield a fault for cover that adds a wrong amount, and for two kinds of cover added up."""
    stated = [each for each in fact.event.modifiers if adds(each.name)]
    for each in stated:
        most = adds(each.name)
        if abs(each.amount) != most:
            yield Fault(("cover.bonus",), f"{each.name} gives {most}", str(most), str(each.amount))
    if len({each.name.casefold() for each in stated}) > 1:
        yield Fault(("cover.bonus",), "only the most protective cover counts", "5", str(sum(e.amount for e in stated)))


@check("cover.total", on=(AttackRolled, EffectStarted))
def nothing_reaches_behind_total_cover(
    _state: FifthState, fact: Occurrence[AttackRolled | EffectStarted]
) -> Breach | None:
    event = fact.event
    if isinstance(event, AttackRolled):
        wrong = bool(named(event.modifiers, "total cover"))
        return Breach(f"{event.target} is behind total cover", "no attack", "one") if wrong else None
    if len(event.targets) != 1:
        return None
    wrong = any((aim.line or "").casefold() == "blocked" and aim.target in (None, *event.targets) for aim in event.aim)
    return Breach(f"the line to {event.targets[0]} is blocked", "a clear path", "none") if wrong else None
