"""The budget that a combatant has left in its turn, the acts that are barred, and checks of both."""

from collections.abc import Iterable, Iterator

from eventstore.events import ActionHeld, ActionTaken, Moved
from projections.because import NOTHING_CITED, Because, Cites, Derived
from projections.fight import Combatant
from projections.folds.budget import resource_of, resource_rows
from projections.folds.vitals import status_or_left
from projections.mechanics import resources
from projections.mechanics.memo import memoize
from projections.mechanics.resources import Resource, amount_spent, uses
from projections.occurrence import Occurrence
from projections.open_types import Fields
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import derives
from projections.rulesets.fifth_edition import casting, deeds, figures, mounts, movement
from projections.rulesets.fifth_edition.conditions import cannot_act, records_of
from projections.rulesets.fifth_edition.death import doubt, fault_of_the_dead, names_saving_trait
from projections.rulesets.fifth_edition.state import Deed, FifthState
from projections.rulesets.fifth_edition.turns import is_surprised, why_seated


@derives("object.one-free", "object.weapon-with-attack")
def objects_handled(state: FifthState, who: str, besides: Deed | None = None) -> Derived[int]:
    """Return the number of objects that a combatant has handled for free in its turn, with one more act if it is given."""
    done = state.done.get(who, [])
    free = [deed for deed in done if deed.cost == "free" and deed.kind in deeds.HANDLED and not deed.granted]
    free += [besides] if besides else []
    events = tuple(deed.seq for deed in free)
    drawn = sum(deed.kind in ("draw", "stow") for deed in free)
    if not drawn or not state.is_new:
        return Derived(len(free), Because(("object.one-free",), events))
    struck = [deed.seq for deed in done if deeds.is_attack_action(deed)]
    may_still_attack = besides is not None and not any(deed.cost == "action" for deed in done)
    most = max(len(struck), int(may_still_attack))
    number = len(free) - min(drawn, most)
    return Derived(number, Because(objects_handled.rules, (*events, *struck)))


@derives("surprise.first-turn-lost", "incapacitated.no-acts", "dead.out", "surprise.no-reaction")
def why_incapable(state: FifthState, one: Combatant, what: str) -> Because | None:
    """Return the reason why a combatant cannot spend a thing: dead, incapacitated or surprised; None if it can."""
    if one.status == "dead":
        return Because(("dead.out",), (), (status_or_left(one),))
    found = cannot_act(state, one.id)
    if found.value:
        return Because(("incapacitated.no-acts",), (), (found,))
    if one.id in state.surprised and not state.is_new:
        rule = "surprise.no-reaction" if what == "reaction" else "surprise.first-turn-lost"
        return Because((rule,), (state.surprised[one.id],))
    return None


@memoize
def amount_left(state: FifthState, one: Combatant, what: str) -> Derived[int] | None:
    """Return how much of a thing a combatant has left; None if there is no such thing, or the amount is unknown."""
    if name := casting.slot_names(one).get(what):
        return Derived(one.resources[name], Because(("slot.spent",), (), (one.counted[name],)))
    row = resource_of(state, what)
    if row is None:
        return None
    rules, own = (row.rule,), row.where == "own-turn"
    turn = (state.clock.turn_event or one.joined,)
    since = (state.began[one.id],) if one.id in state.began else ()
    done = state.done.get(one.id, ())
    granted = [deed.granted for deed in done if deeds.thing_spent(deed.cost) == what]
    if what == "attacks" and any(deed.single for deed in done):  # that takes none, by haste and the acts before it
        granted = [deed.granted + Because((), (deed.seq,)) for deed in done if deed.cost == "action"]
    granted += [deed.priced for deed in done if what == "bonus" and deed.cost == "bonus"]
    of: tuple[Cites, ...] = (is_surprised(state, one.id), why_seated(state, one.id), *granted)
    placed = Derived(what, Because((), since, of))
    acts = Derived(None, Because((), (), (status_or_left(one), cannot_act(state, one.id))))
    why = why_incapable(state, one, what)
    if why and (what in ("action", "bonus", "reaction") or (one.id in state.surprised and not state.is_new)):
        return Derived(0, Because((*rules, *why.rules), (), (Derived(None, why), placed, acts)))
    if own and not state.has_turn(one.id):
        return Derived(0, Because(rules, turn, (placed,)))
    return amount_left_if_able(state, one, row, turn if own else (one.joined,), (placed, acts))


def amount_left_if_able(
    state: FifthState, one: Combatant, row: Resource, events: tuple[int, ...], of: tuple[Derived[object], ...]
) -> Derived[int] | None:
    """Return how much of a thing a combatant that can act has left; None if the amount is unknown."""
    if row.name == "movement":
        feet = movement.feet_left(state, one)
        return feet and Derived(feet.value, Because((), (), (feet.because, of[0])))
    if row.name == "object":
        found = objects_handled(state, one.id)
        return Derived(max(0, 1 - found.value), Because((row.rule,), events, (found, of[0])))
    whole = amount_per_turn(state, one, row.name)
    if whole is None:
        return None
    found = resources.amount_left(state.spending, one.id, row.name, whole)
    return Derived(found.value, Because((row.rule,), events, (found, *of)))


@derives("act.attack", "bonus-action.needs-grant")
def amount_per_turn(state: FifthState, one: Combatant, what: str) -> Derived[int] | None:
    """Return how much of a thing a turn has: attacks by the Attack action, a bonus action if an entry costs one."""
    if what == "attacks":
        most, began = one.sheet.attacks, uses(state.spending, one.id, what)
        return None if most is None else Derived(most if began else 0, Because((), one.records("attacks")))
    if what == "bonus":
        has_one = any(entry.cost == "bonus" for entry in one.sheet.entries or ())
        return Derived(int(has_one), Because(("bonus-action.needs-grant",), one.records("entries")))
    return Derived(1, Because((), (one.joined,)))


def other_amounts(state: FifthState, who: str, what: str) -> Iterable[int]:
    """Yield other amounts that may be stated: an unspent bonus action or none; fewer feet after a move of unknown length."""
    if what == "movement" and not all(each.recorded for each in state.strides.get(who, ())):
        feet = amount_left(state, state.combatants[who], what)
        yield from range(feet.value if feet else 0)
    if what == "bonus" and state.has_turn(who) and not uses(state.spending, who, "bonus"):
        yield from (0, 1)


NOTHING_LEFT = Derived(0, NOTHING_CITED)


def bare_amounts(state: FifthState, one: Combatant) -> Fields:
    """Return the known amounts left, without reasons; outside its turn a combatant has nothing that belongs to one."""
    known, away = resource_rows(state.rules.rules), not state.has_turn(one.id)
    found = {
        what: NOTHING_LEFT
        if away and what in known and known[what].where == "own-turn"
        else amount_left(state, one, what)
        for what in (*known, *casting.slot_names(one), *casting.recharging_powers(one))
    }
    return {what: rest.value for what, rest in found.items() if rest is not None}


def spendables(state: FifthState, one: Combatant) -> Iterable[str]:
    """Return the things that a combatant can spend."""
    unknown = {"attacks": one.sheet.attacks is None, "movement": not figures.speeds_by_mode(one)}
    own = (what for what in resource_rows(state.rules.rules) if not unknown.get(what))
    return (*own, *casting.slot_names(one), *casting.recharging_powers(one))


@checks_by(
    "dead.out", "incapacitated.no-acts", "surprise.no-reaction", "surprise.first-turn-lost", on=(ActionTaken, Moved), group="act",
)  # fmt: skip
def some_can_do_nothing(state: FifthState, fact: Occurrence[ActionTaken | Moved]) -> Iterator[Fault]:
    """Yield the faults of acts of the dead, the incapacitated and the surprised, and of moves of the surprised."""
    event, who, deed = fact.event, fact.event.combatant, deeds.recorded_deed(state, fact)
    spends = isinstance(event, Moved) and not (event.forced or event.cause) and bool(event.path or event.distance)
    if deed:
        one, may_be_free = state.combatants[who], not deed.known and deeds.may_be_free(state, deed.kind)
        lives_on = names_saving_trait(deed, who) and doubt(state, one)
        if one.status == "dead" and not may_be_free and not lives_on:
            yield fault_of_the_dead(state, one, "acts", "no act", "an act")
        unable, free = cannot_act(state, who), may_be_free or (deed.known and deed.cost == "none")
        spends = not (deed.granted or free)
        if unable.value and deed.cost != "movement" and not free:
            says = f"{who} is incapacitated, and acts"
            yield Fault(("incapacitated.no-acts",), says, "no act", deed.kind, records_of(unable))
    if state.is_new or who not in state.surprised:
        return
    why = (state.surprised[who],)
    if deed and deed.cost in deeds.REACTIONS and not deed.granted:
        yield Fault(("surprise.no-reaction",), f"{who}'s first turn is not over", "no reaction", "a reaction", why)
    if state.has_turn(who) and spends:
        says = f"{who} is surprised, and this is its first turn"
        yield Fault(("surprise.first-turn-lost",), says, "no act", "an act", why)


ONE_ACTION, ATTACKS = ("turn.one-action",), ("act.attack",)


@checks_by(
    "turn.own-turn-only", *ONE_ACTION, "bonus-action.needs-grant", "bonus-action.one", *ATTACKS, "object.one-free",
    "reaction.one-until-own-turn", on=ActionTaken, group="act", rank=5,
)  # fmt: skip
def acts_are_within_the_budget(state: FifthState, fact: Occurrence[ActionTaken]) -> Iterator[Fault]:
    """Yield the faults of an act that costs what its combatant has not left."""
    deed = deeds.deed_of(state, fact)
    stated = bool(deed.action.cost) or state.option("unstated-cost") == "own-price"
    if stated and deed.counts and not deed.own and state.clock.turn and deed.cost in deeds.OWN:
        # an act whose cost is only that of its entry may have been held
        says = f"{deed.who} acts in {state.clock.turn}'s turn"
        yield Fault(("turn.own-turn-only",), says, "a reaction", f"cost={deed.cost}", state.clock.events)
    match deed.cost:
        case "action" if deed.own:
            yield from (
                used_up_faults(state, deed, ONE_ACTION, "action") if deed.known else implied_bonus_faults(state, deed)
            )
        case "bonus":
            yield from ungranted_bonus_faults(state, deed)
            yield from used_up_faults(state, deed, ("bonus-action.one",), "bonus", "bonus action")
        case "attack":
            yield from attack_count_faults(state, deed)
        case "free" if deed.counts and deed.kind in deeds.HANDLED:
            yield from object_faults(state, deed)
        case cost if cost in deeds.REACTIONS:
            yield from used_up_faults(state, deed, ("reaction.one-until-own-turn",), "reaction")


def used_up_faults(state: FifthState, deed: Deed, rule: tuple[str, ...], what: str, word: str = "") -> Iterator[Fault]:
    """Yield the fault if the combatant of an act has used its action, bonus action or reaction already.

    If the act names a feature, which may give one more, it is a notice, but for a feature that is the act itself.
    """
    spent_by = [use.seq for use in uses(state.spending, deed.who, what)] if deed.known and deed.pays else []
    deeds = ((seq, state.deeds.get(seq)) for seq in spent_by)  # a readied move is none
    used = tuple(seq for seq, each in deeds if each is None or (each.known and each.pays))
    severity = "notice" if (deed.action.granted_by or deed.name).casefold() != deed.name else "breach"
    if used:
        yield Fault(rule, f"{deed.who} has used its {word or what}", "no more", "another", used, severity=severity)


def implied_bonus_faults(state: FifthState, deed: Deed) -> Iterator[Fault]:
    """Yield a notice of a second act without a cost, which only an unknown bonus action would explain."""
    price, spent_by = deeds.price_in_catalogue(state, deed.kind), uses(state.spending, deed.who, "action")
    unknown = state.combatants[deed.who].sheet.entries is None and state.option("unstated-cost") == "determined"
    if unknown and spent_by and not deed.granted and price and price.costs == ("action", "bonus"):
        says = f"{deed.who} has used its action: if this is a bonus action, say so by cost=bonus"
        yield Fault(ONE_ACTION, says, "no more", "another", (spent_by[-1].seq,), (deed.who,), "notice")


def ungranted_bonus_faults(state: FifthState, deed: Deed) -> Iterator[Fault]:
    """Yield the fault of a bonus action that nothing on the sheet grants."""
    one = state.combatants[deed.who]
    entries = one.sheet.entries
    if entries is None or not deed.counts or "offhand" in deed.manner or any(each.cost == "bonus" for each in entries):
        return
    says, why = f"nothing on {one.id}'s sheet grants a bonus action", one.records("entries")
    yield Fault(("bonus-action.needs-grant",), says, "no bonus action", "a bonus action", why)


def attack_count_faults(state: FifthState, deed: Deed) -> Iterator[Fault]:
    """Yield the fault of an attack beyond those of an Attack action, or of one that follows another action."""
    most, used = state.combatants[deed.who].sheet.attacks, amount_spent(state.spending, deed.who, "attacks")
    done = [each for each in state.done.get(deed.who, ()) if each.cost == "action"]
    if most is not None and deed.counts and used.value >= most:
        says = f"{deed.who} has {most} attack{'s' * (most != 1)} in one Attack action"
        yield Fault(ATTACKS, says, f"{most} attack{'s' * (most != 1)}", f"{used.value + 1} attacks", records_of(used))
    elif not deed.granted and done and all(is_no_attack(state, each) for each in done):
        says, found = f"{deed.who} took an action other than Attack", "ready" if done[-1].readied else done[-1].kind
        yield Fault(ATTACKS, says, "the Attack action", found, tuple(each.seq for each in done))


def is_no_attack(state: FifthState, deed: Deed) -> bool:
    """Say whether an act is certainly another action than Attack, which gives no attacks."""
    return deed.single or (deed.counts and not deeds.is_attack_action(deed) and not deeds.may_be_free(state, deed.kind))


def object_faults(state: FifthState, deed: Deed) -> Iterator[Fault]:
    """Yield the fault of handling a second object for free, or one that takes an action."""
    one, rule = state.combatants[deed.who], ("object.one-free",)
    entry = figures.spell_entry(state, one, deed.action)
    if entry and entry.cost == "action":
        yield Fault(rule, f"{entry.name} takes an action", "an action", "free", one.records("entries"))
    elif objects_handled(state, deed.who, deed).value > 1:
        before = records_of(objects_handled(state, deed.who))
        yield Fault(rule, f"{deed.who} has handled its free object this turn", "the action", "free", before)


@checks_by(*ONE_ACTION, "act.ready", on=ActionHeld)
def readying_is_the_action(state: FifthState, fact: Occurrence[ActionHeld]) -> Iterator[Fault]:
    """Yield the fault if a combatant readies an act without an action left, or in another's turn."""
    deed, turn = deeds.deed_of(state, fact), state.clock.turn
    if deed.own:
        yield from used_up_faults(state, deed, ONE_ACTION, "action")
    elif turn and not deed.granted:
        says = f"{deed.who} readies in {turn}'s turn"
        yield Fault(("act.ready",), says, "its own turn", f"{turn}'s turn", state.clock.events)


def why_barred(state: FifthState, one: Combatant, what: str) -> Because | None:
    """Return the reason why a combatant cannot spend a slot now, or do an act of a kind; None if it can."""
    if what.startswith("slot-"):
        return casting.why_barred(state, one)
    return movement.why_barred(state, one, what) or mounts.why_barred(state, one, what)
