"""Advantage and disadvantage by their recorded sources."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy

from eventstore.events import AttackRolled, DiceRolled, InitiativeRolled, SaveRolled
from eventstore.shapes import Action, Dice
from projections.because import Because, Derived
from projections.folds.order import combatants_of_roll
from projections.mechanics.rolls import DieKept, has_right_die
from projections.occurrence import Occurrence, is_a
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import derives
from projections.rulesets.fifth_edition import circumstances, conditions, figures
from projections.rulesets.fifth_edition.rolls import Roll, has_third_die, has_wrong_face, kept_face
from projections.rulesets.fifth_edition.sheet import Weapon
from projections.rulesets.fifth_edition.state import Deed, FifthState, Influence
from projections.rulesets.fifth_edition.table import WAYS, Condition, clauses_with

INFLUENCES = (
    "act.dodge", "act.help", "attack.unseen", "attack.range", "attack.close-combat", "move.squeeze", "water.melee",
    "water.ranged", *clauses_with("attacks", "attacked", "saves", "checks", "initiative"),
)  # fmt: skip
"""The clauses that give advantage or disadvantage."""


BLADES_IN_WATER = ("dagger", "javelin", "shortsword", "spear", "trident")
SHOTS_IN_WATER = ("crossbow", "net", "javelin", "spear", "trident", "dart")
"""Words in the names of weapons that have no disadvantage when shot or thrown under water, in 2014."""


def condition_influences(
    state: FifthState, who: str, column: str, way: Callable[[Condition], int | None], whom: str = ""
) -> Iterator[Influence]:
    """Yield the influences of a combatant's conditions, by a column of their rows."""
    if who not in state.combatants:
        return
    borne = conditions.borne_conditions(state, who)
    for row in conditions.rows_with(state, column):
        found = condition_records(state, who, row, whom, borne)
        if not found or (row.unless and conditions.carries(state, who, row.unless)):
            continue
        if (leans := way(row)) is not None:
            says = f"{who} {'exhausted' if row.name == 'exhaustion' else row.name}"
            yield from (Influence(row.rule, leans, says, each) for each in found)


def condition_records(
    state: FifthState, who: str, row: Condition, whom: str, borne: dict[str, Because]
) -> list[tuple[int, ...]]:
    """Return the records by which a condition's row affects a combatant's rolls, a tuple for each single source."""
    if row.level:
        bears = conditions.bare_exhaustion(state, who) >= row.level
        return [conditions.records_of(conditions.exhaustion_level(state, who))] if bears else []
    if row.in_sight:
        named = conditions.sources(state, who, row.name).items()
        return [(seq,) for source, seq in named if _is_in_sight(state, source)]
    if row.elsewhere:
        held = conditions.sources(state, who, row.name)
        return [(*held.values(),)] if held and whom not in held else []
    why = borne.get(row.name)
    return [why.flat().events] if why else []


def _is_in_sight(state: FifthState, who: str) -> bool:
    one = state.combatants.get(who)
    return one is not None and not one.left and one.status != "dead" and not conditions.has_flag(state, who, "unseen")


def squeezing_influence(state: FifthState, who: str, way: int) -> Iterator[Influence]:
    """Yield the influence of squeezing into a smaller space, which is a condition in 2014 only."""
    if conditions.carries(state, who, "squeezing") and not state.is_new:
        why = conditions.borne_conditions(state, who)["squeezing"]
        yield Influence("move.squeeze", way, f"{who} squeezing", why.flat().events)


def _hiding_influence(state: FifthState, who: str, way: int) -> Iterator[Influence]:
    if conditions.carries(state, who, "hidden"):
        found = conditions.has(state, who, "hidden")
        yield Influence("attack.unseen", way, f"{who} unseen", conditions.records_of(found))


@derives(*INFLUENCES, "advantage.known-causes")
def attack_influences(state: FifthState, fact: Occurrence[AttackRolled]) -> tuple[Influence, ...]:
    """Return the influences on an attack roll."""
    event, who, whom = fact.event, fact.event.combatant, circumstances.target_of(fact.event)
    place = place_influences(state, who, whom, event, circumstances.deed_behind(state, fact.cause))
    own = condition_influences(state, who, "attacks", lambda row: WAYS[row.attacks], whom)
    by_itself = (*own, *_hiding_influence(state, who, 1), *squeezing_influence(state, who, -1))
    return (*by_itself, *target_influences(state, who, whom, fact), *place)


def target_influences(state: FifthState, who: str, whom: str, fact: Occurrence[AttackRolled]) -> Iterator[Influence]:
    """Yield the influences of the target's state on an attack; that of lying prone is open at an unknown distance."""

    def way(row: Condition) -> int | None:
        if row.attacked in WAYS:
            return WAYS[row.attacked]
        near = circumstances.is_near(state, fact)
        return 0 if near is None else 1 if near else -1

    yield from condition_influences(state, whom, "attacked", way)
    yield from _hiding_influence(state, whom, -1)
    dodges = whom in state.dodging and not conditions.has_flag(state, whom, "no_acts")
    if dodges and circumstances.can_see(state, whom, who):
        yield Influence("act.dodge", -1, f"{whom} dodges", state.dodging[whom].flat().events)
    yield from squeezing_influence(state, whom, 1)
    for helper, helped in state.helps.items():
        if helped.against != whom or who == helper:
            continue
        if state.combatants[who].side == state.combatants[helper].side if state.is_new else who == helped.ally:
            yield Influence("act.help", 1, f"{helper} helps", (helped.seq,))


def place_influences(
    state: FifthState, who: str, whom: str, event: AttackRolled, deed: Deed | None
) -> Iterator[Influence]:
    """Yield the influences on an attack of distance, of foes nearby, and of water."""
    manner = circumstances.manner_of(state, event, deed)
    one, weapon = state.combatants[who], circumstances.weapon_used(state, event, deed)
    feet, reaches = circumstances.distance(state, deed, who, whom), figures.weapon_ranges(weapon)
    shot = bool(manner & {"ranged", "thrown"})
    far = shot and feet is not None and reaches is not None and feet > reaches[0]
    if far:
        yield Influence("attack.range", -1, "long range", circumstances.placings(state, who, whom))
    if manner & {"ranged", "thrown", "spell"}:
        for foe in circumstances.foes_near(state, one):
            why = circumstances.placings(state, who, foe) or (state.combatants[foe].joined,)
            yield Influence("attack.close-combat", -1, f"{foe} within 5 ft", why)
    if water := circumstances.is_under_water(state, who):
        name = (event.name or (deed.action.name if deed else None) or "").casefold()
        swims = "swim" in figures.speeds_by_mode(one) or not one.sheet.speeds
        if manner & {"melee", "unarmed"} and not swims and not is_unhindered_in_water(state, weapon, name):
            yield Influence("water.melee", -1, "under water", water)
        if shot and not far and (not any(each in name for each in SHOTS_IN_WATER) or state.is_new):
            yield Influence("water.ranged", -1, "under water", water)


def is_unhindered_in_water(state: FifthState, weapon: Weapon | None, name: str) -> bool:
    """Say whether a weapon strikes under water without disadvantage: in 2024 any that pierces, in 2014 some by name."""
    if state.is_new:
        return weapon is not None and (weapon.damage_type or "").casefold() == "piercing"
    return name in BLADES_IN_WATER


@derives(*clauses_with("saves"), "act.dodge", "move.squeeze", "advantage.known-causes")
def save_influences(state: FifthState, who: str, save: str) -> tuple[Influence, ...]:
    """Return the influences on a save."""

    def way(row: Condition) -> int | None:
        return WAYS.get(row.saves.get(save, row.saves.get("all", "")))

    found = [*condition_influences(state, who, "saves", way)]
    if save == "dexterity":
        if who in state.dodging and not conditions.has_flag(state, who, "no_acts"):
            found.append(Influence("act.dodge", 1, f"{who} dodges", state.dodging[who].flat().events))
        found += squeezing_influence(state, who, -1)
    return (*found,)


@derives("surprise.disadvantage", *clauses_with("initiative"), "advantage.known-causes")
def initiative_influences(state: FifthState, who: str) -> Iterator[Influence]:
    """Yield the influences on initiative in 2024, of surprise and of conditions."""
    if who in state.surprised and state.is_new:
        yield Influence("surprise.disadvantage", -1, f"{who} surprised", (state.surprised[who],))
    yield from condition_influences(state, who, "initiative", lambda row: WAYS[row.initiative])


def influences_on_roll(state: FifthState, fact: Occurrence[Roll]) -> tuple[Influence, ...]:
    """Return the influences on a roll."""
    event, who = fact.event, rolling_combatant(state, fact.event)
    if is_a(fact, AttackRolled):
        return attack_influences(state, fact)
    if isinstance(event, SaveRolled):
        return save_influences(state, event.combatant, figures.ability_name(event.save))
    if who not in state.combatants:
        return ()
    start = initiative_influences(state, who) if isinstance(event, InitiativeRolled) else ()
    return (*start, *condition_influences(state, who, "checks", lambda row: WAYS[row.checks]))


def rolling_combatant(state: FifthState, event: Roll) -> str | None:
    """Return the combatant that rolls, the first of a group; None for a roll of nobody, and for a bare die of a tie."""
    if isinstance(event, InitiativeRolled):
        return None if event.tie_with else next(iter(combatants_of_roll(state, event)), None)
    return event.combatant


WANTED: dict[str, DieKept] = {"neither": "", "advantage": "higher", "disadvantage": "lower"}
"""The die that counts, by the word for the influences on a roll."""
ROLLS = (AttackRolled, SaveRolled, DiceRolled, InitiativeRolled)
"""The facts that roll a d20."""


@derives("advantage.known-causes", "advantage.cancel", on=ROLLS, phase="rolls")
def keep_influences(state: FifthState, fact: Occurrence[Roll]) -> None:
    """Store the influences on a roll, to be shown with it."""
    if found := influences_on_roll(state, fact):
        state.influences[fact.seq] = found
        those = state.combatants.keys() & {rolling_combatant(state, fact.event), getattr(fact.event, "target", None)}
        where = Derived("where", Because((), circumstances.placings(state, *sorted(those))))
        others = (each for who in sorted(those) for each in conditions.why_no_others(state, who))
        state.ruled_out[fact.seq] = (where, *others)


@derives("advantage.cancel")
def advantage_word(found: tuple[Influence, ...]) -> str | None:
    """Return advantage, disadvantage or neither by these influences; None without any, or if one that decides is unknown."""
    ways = {each.way for each in found}
    if ways >= {1, -1}:
        return "neither"
    return {frozenset({1}): "advantage", frozenset({-1}): "disadvantage"}.get(frozenset(ways))


def leanings(state: FifthState, who: str, attacks: Iterable[Mapping[str, object]]) -> dict[str, dict[str, list[str]]]:
    """Return for each attack of a card, and for one without a name, the others against whom it has advantage or disadvantage, with the word and the reasons."""
    return {
        str(each["name"]): dict(_leanings_of_attack(state, who, each))
        for each in ({"name": "", "attack": True}, *attacks)
        if each["attack"]
    }


def _leanings_of_attack(state: FifthState, who: str, attack: Mapping[str, object]) -> Iterator[tuple[str, list[str]]]:
    name = str(attack["name"]) or None
    weapon = figures.weapon_of(state.combatants[who], name)
    shot = bool(attack.get("range")) and not attack.get("reach") if weapon is None else not figures.is_melee(weapon)
    action = Action(kind="attack", name=name, manner=("ranged",) if shot else ("melee",))
    nothing = Because(())
    deed = Deed(0, who, action, "", known=False, priced=nothing, granted=nothing, pays=False, turn=0, own=True)
    there = copy(state)
    there.deeds = {0: deed}
    for whom in (each for each in state.combatants if each != who):
        found = attack_influences(there, Occurrence(0, 0, AttackRolled(combatant=who, target=whom, name=name)))
        if found:
            says, word = ", ".join(dict.fromkeys(each.says for each in found)), advantage_word(found)
            yield whom, [word or "neither", says if word else f"{says}: it depends on the distance"]


@derives("advantage.cancel", "advantage.known-causes")
def advantage_of_roll(state: FifthState, seq: int) -> Derived[str] | None:
    """Return advantage, disadvantage or neither for a roll by its recorded influences; None if these leave it open."""
    found = state.influences.get(seq, ())
    word = advantage_word(found)
    if word is None:
        return None
    rules = tuple(dict.fromkeys(each.rule for each in found))
    cancel = ("advantage.cancel",) if word == "neither" else ()
    events = tuple(seq for each in found for seq in each.events)
    return Derived(word, Because((*cancel, *rules, "advantage.known-causes"), (*events, seq), state.ruled_out[seq]))


@checks_by("advantage.two-dice", on=(SaveRolled, DiceRolled))
def the_right_die_counts(_state: FifthState, fact: Occurrence[SaveRolled | DiceRolled]) -> Iterator[Fault]:
    """Yield a fault if the wrong face counts, or a third die was thrown."""
    if isinstance(fact.event.die, Dice):
        yield from dice_faults(fact.event.die)


def dice_faults(die: Dice) -> Iterator[Fault]:
    """Yield a fault if the wrong one of several dice counts, or there are too many."""
    if has_wrong_face(die):
        shown = f"a natural {sum(each for place, each in enumerate(die.faces) if place not in die.dropped)}"
        says, counts = f"of {die.notation} the {kept_face(die)} counts", f"a natural {kept_face(die)}"
        yield Fault(("advantage.two-dice",), says, counts, shown)
    elif has_third_die(die):
        says, many = "no more than two dice are rolled", f"{len(die.faces)} dice"
        yield Fault(("advantage.two-dice",), says, "2 dice", many, severity="notice")


@checks_by(*INFLUENCES, "advantage.cancel", on=ROLLS)
def rolls_have_the_right_dice(state: FifthState, fact: Occurrence[Roll]) -> Iterator[Fault]:
    """Yield a fault, by option, for a roll with other dice than its recorded influences give."""
    die = fact.event.die
    if state.option("advantage") == "shown" or die is None:
        return
    found = influences_on_roll(state, fact)
    word = advantage_word(found)
    if word is None or has_wrong_face(die) or has_third_die(die):
        return
    causes, events = "; ".join(each.says for each in found), tuple(seq for each in found for seq in each.events)
    wanted, says = WANTED[word], f"this roll has {word} ({causes})"
    rule, expected = found[0].rule, word
    if word == "neither":
        rule, expected, says = "advantage.cancel", "one d20", f"advantage and disadvantage cancel out ({causes})"
    right = has_right_die(die, wanted) if isinstance(die, Dice) else not wanted  # a bare number is one die
    if not right:
        yield Fault((rule,), says, expected, "other dice", events, severity="notice")
