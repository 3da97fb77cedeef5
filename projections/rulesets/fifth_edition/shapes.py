"""Other shapes, as by Wild Shape: an effect gives one by a modifier `to` form, with its name and its points."""

from msgspec import convert, structs

from eventstore import events
from projections.address import NOTHING
from projections.because import NOTHING_CITED, Because, Cites, Derived
from projections.fight import Combatant
from projections.folds.effects import end_effects
from projections.folds.vitals import update_status
from projections.mechanics.pools import HP, HP_MAX, TEMP, Loss
from projections.occurrence import Occurrence
from projections.ruleset.ruleset import derives
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.conditions import BOUNDARIES, ENDING, cannot_act, shapes_given
from projections.rulesets.fifth_edition.sheet import Sheet
from projections.rulesets.fifth_edition.srd import sheets
from projections.rulesets.fifth_edition.state import FifthState, Shape
from projections.state import State
from projections.time import Boundary

WILD_SHAPE, POLYMORPH = "wild shape", "polymorph"
AS_BEASTS = frozenset({WILD_SHAPE, POLYMORPH, "animal shapes"})
"""The effects that make beasts, which cast no spells."""
KEEPS_MIND = frozenset({WILD_SHAPE, "animal shapes"})
"""The effects that change the body alone."""
PHYSICAL = frozenset({"strength", "dexterity", "constitution"})
BODY = ("ac", "size", "speeds", "reach", "weapons", "attacks", "resistances", "vulnerabilities", "immunities")
MIND = ("abilities", "saves", "skills", "proficiency")
"""The keys of a sheet that every shape changes, and those that it changes together with the mind."""
VANISHING = frozenset({POLYMORPH, "true polymorph", "animal shapes", "shapechange"})
"""The effects that in 2024 take the temporary hit points with them that they gave."""


@derives("shape.points", on=events.EffectStarted, phase="effects")
def take_shape(state: FifthState, fact: Occurrence[events.EffectStarted]) -> None:
    """Give the targets of an effect another shape, in place of one of the same source; except at 0 hit points."""
    for part in shapes_given(fact.event)[:1]:
        for who in state.joined(fact.event.targets):
            one, source = state.combatants[who], fact.event.source or who
            if one.hp is not None and one.hp <= 0:
                continue
            for before in [*state.shapes.get(who, ())]:
                if (before.effect, before.source) == (fact.called, source):
                    leave_shape(state, one, before, fact.seq, Because(end_shapes.rules, (fact.seq,)))
            shape = Shape(fact.seq, fact.called, source, part.name, max(0, part.amount), state.is_new)
            add_shape_points(state, one, shape)


def add_shape_points(state: FifthState, one: Combatant, shape: Shape) -> None:
    """Put a shape's points before those of a combatant; in 2024 they are temporary ones."""
    shape.own, shape.most = one.pools[HP].derived(), one.pools[HP_MAX].derived()
    state.shapes.setdefault(one.id, []).append(shape)
    shape.read = Because(take_shape.rules)
    if (key := (shape.seq, one.id)) in state.effects:
        state.effects[key].of += (shape.read,)
    more = shape.points > one.temp or state.option("temporary-points") == "newer"
    for name in (HP_MAX, HP):
        if shape.temporary:
            one.pools[name].changes.add_reason(shape.read)
        else:
            one.pools[name].set_value(shape.points, shape.seq, (shape.read,))
    if shape.temporary and more:
        one.pools[TEMP].change(shape.points - one.temp, shape.seq, (shape.read,))
        state.temp_of[one.id] = shape.seq
    else:
        one.pools[TEMP].changes.add_reason(shape.read)
    shape.sheet = one.sheet
    _set_sheet(one, sheet_in_shape(state, one, shape), shape.seq)
    update_status(state, one)


def _set_sheet(one: Combatant, sheet: Sheet, seq: int) -> None:
    """Give a combatant a sheet, of which the keys that differ are from a record."""
    before, after = (structs.asdict(each) for each in (one.sheet, sheet))
    one.changed |= {name: seq for name, value in after.items() if value != before[name]}
    one.sheet = sheet


@derives("shape.statistics")
def sheet_in_shape(state: FifthState, one: Combatant, shape: Shape) -> Sheet:
    """Return the sheet of a combatant in a shape: with the body of the reference document, unknown where it has none."""
    own: Sheet = one.sheet
    try:
        found = convert(sheets.completed_fields(state, sheets.monster_reference(state, shape.name)), Sheet)
    except ValueError:
        found = Sheet()
    new = {name: getattr(found, name) for name in BODY}
    if shape.effect not in KEEPS_MIND:
        return structs.replace(own, **new, **{name: getattr(found, name) for name in MIND})
    body, before = (_numbers_by_ability(each.abilities) for each in (found, own))
    saves = _numbers_by_ability(own.saves)
    for name in PHYSICAL & saves.keys():
        trained = saves.pop(name) - (before.get(name, 10) - 10) // 2
        if name in body:
            saves[name] = max((body[name] - 10) // 2 + trained, found.saves.get(name, trained))
    kept = {name: score for name, score in before.items() if name not in PHYSICAL}
    abilities = kept | {name: score for name, score in body.items() if name in PHYSICAL}
    return structs.replace(own, **new, abilities=abilities, saves=saves)


def _numbers_by_ability(numbers: dict[str, int]) -> dict[str, int]:
    return {figures.ability_name(name) or name: number for name, number in numbers.items()}


def leave_shape(state: FifthState, one: Combatant, shape: Shape, seq: int, why: Because, excess: int = 0) -> None:
    """Let a combatant leave a shape, and have the points below it again, less the damage that carries over."""
    stack = state.shapes[one.id]
    later = stack[stack.index(shape) + 1 :]
    above = [each for each in later if not each.temporary]
    if later:
        later[0].sheet = shape.sheet
    elif shape.sheet:
        _set_sheet(one, shape.sheet, seq)
    stack.remove(shape)
    why += shape.read
    end_effects(state, [(shape.seq, one.id)], why)
    began = Because((), (shape.seq,))
    state.ended["shape", one.id] = state.ended.get(("shape", one.id), NOTHING_CITED) + why + began
    if shape.temporary:
        if shape.effect in VANISHING and state.temp_of.get(one.id) == shape.seq and one.temp:
            del state.temp_of[one.id]
            one.pools[TEMP].set_value(0, seq, (Because(why_lost.rules, (), (shape.read,)),))
    elif above:
        above[0].own, above[0].most = (
            Derived(each.value, Because((), (), (each, why))) for each in (shape.own, shape.most)
        )
    else:
        points = one.pools[HP].derived()
        _restore_points(one, HP_MAX, shape.most, seq, (why,))
        _restore_points(one, HP, shape.own, seq, (why, began, points), excess)
    update_status(state, one)


def _restore_points(
    one: Combatant, name: str, before: Derived[int | None], seq: int, of: tuple[Cites, ...], excess: int = 0
) -> None:
    left = None if before.value is None else max(min(0, before.value), before.value - excess)
    one.pools[name].set_value(left, seq, (before, *of))


@derives("shape.points", "shape.ends")
def leave_broken_shapes(state: FifthState, one: Combatant, fact: Occurrence[events.DamageDealt]) -> int:
    """Let a combatant whose shape damage brought to 0 leave it, and return the points that its shapes absorbed."""
    absorbed = 0
    while (shape := state.worn(one.id)) and one.hp is not None and one.hp <= 0:
        excess = state.loss.beyond - one.hp
        absorbed += state.loss.hp + one.hp
        before = shape.own.value or 0
        leave_shape(state, one, shape, fact.seq, Because(leave_broken_shapes.rules, (fact.seq,)), excess)
        lost = min(excess, max(0, before))
        state.loss = Loss(hp=lost, temp=state.loss.temp, beyond=excess - lost)
    return absorbed


@derives("shape.ends", on=(*ENDING, events.Healed, events.RulingMade), at=BOUNDARIES, phase="aftermath")
def end_shapes(state: FifthState, fact: Occurrence[events.Fact] | Boundary) -> None:
    """Let combatants leave the shapes whose effect has ended, or which they cannot keep."""
    for who, stack in state.shapes.items():
        one = state.combatants[who]
        for shape in reversed([*stack]):
            over = (shape.seq, who) not in state.effects
            ended = state.ended_by.get(shape.seq, Because((), (fact.seq,)))
            why = ended if over else why_lost(state, one, shape, fact.seq)
            if why is not None:
                leave_shape(state, one, shape, fact.seq, Because(end_shapes.rules) + why)


@derives("shape.ends")
def why_lost(state: FifthState, one: Combatant, shape: Shape, seq: int) -> Because | None:
    """Return why a combatant cannot keep a shape: it is dead, out of its points or, by Wild Shape, not itself; else None."""
    why = Because(why_lost.rules, (seq,), (one.standing,))
    if one.status == "dead":
        return why
    if shape.temporary:
        if one.temp <= 0 < shape.points and shape.effect == POLYMORPH:
            return why + one.pools[TEMP].derived().because
        found = cannot_act(state, one.id)
        return Because(why_lost.rules, (seq,), (found,)) if found.value and shape.effect == WILD_SHAPE else None
    if shape is state.worn(one.id) and one.hp is not None and one.hp <= 0:
        return why
    return why if shape.effect == WILD_SHAPE and one.status == "unconscious" else None


@derives("shape.points")
def shape_of(state: FifthState, who: str) -> Derived[str] | None:
    """Return the shape of a combatant, or none; None if it never had another."""
    if who not in state.shapes:
        return None
    if stack := state.shapes[who]:
        return Derived(stack[-1].name, Because(shape_of.rules, (stack[-1].seq,), (stack[-1].read,)))
    return Derived(NOTHING, Because(shape_of.rules, (state.combatants[who].joined,), (state.ended["shape", who],)))


@derives("shape.statistics")
def armor_class(state: FifthState, who: str) -> Derived[int] | None:
    """Return the armor class on a combatant's sheet, that of its shape if it has another; None where it has none."""
    one, over = state.combatants[who], state.ended.get(("shape", who))
    if one.sheet.ac is None:
        return None
    read = (
        *(each.read for each in state.shapes.get(who, ())),
        *((Because(options=over.flat().options),) if over else ()),
    )
    rules = ("log.joining", *(armor_class.rules if read else ()))
    return Derived(one.sheet.ac, Because(rules, one.records("ac"), read))


@derives("shape.points")
def own_points(state: FifthState, who: str) -> Derived[int | None] | None:
    """Return the hit points of a combatant's own, to which it returns; None if they are its present ones, or unknown."""
    worn = [each for each in state.shapes.get(who, ()) if not each.temporary]
    if not worn or worn[0].own.value is None:
        return None
    events = (worn[0].seq,) if len(worn) == 1 else ()
    return Derived(worn[0].own.value, Because(own_points.rules, events, (worn[0].own, worn[0].read)))


def shape_points(state: State, shape: str, by_another: bool) -> int | None:
    """Return the points of a shape by the reference documents; None where they are others, or unknown."""
    if not by_another and state.option("edition") == "2024":
        return None  # the level of the druid
    try:
        found = sheets.completed_fields(state, sheets.monster_reference(state, shape)).get(HP)
    except ValueError:
        return None
    return found if isinstance(found, int) else None
