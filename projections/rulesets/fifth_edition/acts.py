"""The budget that a combatant has left in its turn, the acts that are barred, and checks of both."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from eventstore.events import ActionHeld, ActionTaken, Moved
from projections.because import NOTHING_CITED, Because, Cites, Derived
from projections.fight import Combatant
from projections.folds.budget import resource_of, resource_rows
from projections.folds.vitals import standing
from projections.mechanics import resources
from projections.mechanics.memo import remembered
from projections.mechanics.resources import Resource, spent, uses
from projections.occurrence import Occurrence
from projections.open_types import Fields
from projections.ruleset.ruleset import Breach, Check, Found, check, derives
from projections.rulesets.fifth_edition import casting, figures, mounts, movement
from projections.rulesets.fifth_edition.casting import powers
from projections.rulesets.fifth_edition.conditions import acts_not, events_of
from projections.rulesets.fifth_edition.death import doubt, is_trait
from projections.rulesets.fifth_edition.deeds import (
    HANDLED,
    OWN,
    REACTIONS,
    deed_of,
    is_attack_action,
    may_be_free,
    paid_with,
    price_in_catalogue,
    recorded_deed,
)
from projections.rulesets.fifth_edition.movement import feet_left
from projections.rulesets.fifth_edition.state import Deed, FifthState
from projections.rulesets.fifth_edition.turns import is_surprised, seat


@derives("object.one-free", "object.weapon-with-attack")
def handled(state: FifthState, who: str, besides: Deed | None = None) -> Derived[int]:
    """Return the number of objects that a combatant has handled for free in its turn, with one more act if it is given.

    In 2024 one weapon is drawn or put away with each attack; these do not count.
    """
    done = state.done.get(who, [])
    free = [deed for deed in done if deed.cost == "free" and deed.kind in HANDLED and not deed.granted]
    free += [besides] if besides else []
    events = tuple(deed.seq for deed in free)
    drawn = sum(deed.kind in ("draw", "stow") for deed in free)
    if not drawn or not state.is_new:
        return Derived(len(free), Because(("object.one-free",), events))
    struck = [deed.seq for deed in done if is_attack_action(deed)]
    may_still_attack = besides is not None and not any(deed.cost == "action" for deed in done)
    most = max(len(struck), int(may_still_attack))
    number = len(free) - min(drawn, most)
    return Derived(number, Because(handled.rules, (*events, *struck)))


@derives("surprise.first-turn-lost", "incapacitated.no-acts", "dead.out", "surprise.no-reaction")
def barred(state: FifthState, one: Combatant, what: str) -> Because | None:
    """Return the reason why a combatant cannot spend a thing: dead, incapacitated or surprised; None if it can."""
    if one.status == "dead":
        return Because(("dead.out",), (), (standing(one),))
    found = acts_not(state, one.id)
    if found.value:
        return Because(("incapacitated.no-acts",), (), (found,))
    if one.id in state.surprised and not state.is_new:
        rule = "surprise.no-reaction" if what == "reaction" else "surprise.first-turn-lost"
        return Because((rule,), (state.surprised[one.id],))
    return None


@remembered
def left(state: FifthState, one: Combatant, what: str) -> Derived[int] | None:
    """Return how much of a thing a combatant has left; None if there is no such thing, or the amount is unknown.

    A combatant that cannot act has none left, and outside its turn only the reaction is left.
    """
    if name := casting.slots(one).get(what):
        return Derived(one.resources[name], Because(("slot.spent",), (), (one.counted[name],)))
    row = resource_of(state, what)
    if row is None:
        return None
    rules, own = (row.rule,), row.where == "own-turn"
    turn = (state.clock.turn_event or one.joined,)
    since = (state.began[one.id],) if one.id in state.began else ()
    done = state.done.get(one.id, ())
    granted = [deed.granted for deed in done if paid_with(deed.cost) == what]
    if what == "attacks" and any(deed.single for deed in done):  # that takes none, by haste and the acts before it
        granted = [deed.granted + Because((), (deed.seq,)) for deed in done if deed.cost == "action"]
    of: tuple[Cites, ...] = (is_surprised(state, one.id), seat(state, one.id), *granted)
    placed = Derived(what, Because((), since, of))
    acts = Derived(None, Because((), (), (standing(one), acts_not(state, one.id))))
    why = barred(state, one, what)
    if why and (what in ("action", "bonus", "reaction") or (one.id in state.surprised and not state.is_new)):
        return Derived(0, Because((*rules, *why.rules), (), (Derived(None, why), placed, acts)))
    if own and not state.has_turn(one.id):
        return Derived(0, Because(rules, turn, (placed,)))
    return rest(state, one, row, turn if own else (one.joined,), (placed, acts))


def rest(
    state: FifthState, one: Combatant, row: Resource, events: tuple[int, ...], of: tuple[Derived[object], ...]
) -> Derived[int] | None:
    """Return how much of a thing a combatant that can act has left; None if the amount is unknown."""
    if row.name == "movement":
        feet = feet_left(state, one)
        return feet and Derived(feet.value, Because((), (), (feet.because, of[0])))
    if row.name == "object":
        found = handled(state, one.id)
        return Derived(max(0, 1 - found.value), Because((row.rule,), events, (found, of[0])))
    whole = whole_of(state, one, row.name)
    if whole is None:
        return None
    found = resources.left(state.spending, one.id, row.name, whole)
    return Derived(found.value, Because((row.rule,), events, (found, *of)))


@derives("act.attack", "bonus-action.needs-grant")
def whole_of(state: FifthState, one: Combatant, what: str) -> Derived[int] | None:
    """Return how much of a thing a turn has: the sheet's attacks once an Attack action began, a bonus action if an
    entry costs one.
    """
    if what == "attacks":
        most, began = one.sheet.attacks, uses(state.spending, one.id, what)
        return None if most is None else Derived(most if began else 0, Because((), one.records("attacks")))
    if what == "bonus":
        has_one = any(entry.cost == "bonus" for entry in one.sheet.entries or ())
        return Derived(int(has_one), Because(("bonus-action.needs-grant",), one.records("entries")))
    return Derived(1, Because((), (one.joined,)))


def also(state: FifthState, who: str, what: str) -> Iterable[int]:
    """Yield other amounts that may be stated: an unspent bonus action or none; fewer feet after a move of unknown length."""
    if what == "movement" and not all(each.recorded for each in state.strides.get(who, ())):
        feet = left(state, state.combatants[who], what)
        yield from range(feet.value if feet else 0)
    if what == "bonus" and state.has_turn(who) and not uses(state.spending, who, "bonus"):
        yield from (0, 1)


NOTHING_LEFT = Derived(0, NOTHING_CITED)


def bare(state: FifthState, one: Combatant) -> Fields:
    """Return the known amounts left, without reasons; outside its turn a combatant has none of the things that belong
    to a turn.
    """
    known, away = resource_rows(state.rules.rules), not state.has_turn(one.id)
    found = {
        what: NOTHING_LEFT if away and what in known and known[what].where == "own-turn" else left(state, one, what)
        for what in (*known, *casting.slots(one), *powers(one))
    }
    return {what: rest.value for what, rest in found.items() if rest is not None}


def names(state: FifthState, one: Combatant) -> Iterable[str]:
    """Return the things that a combatant can spend."""
    unknown = {"attacks": one.sheet.attacks is None, "movement": not figures.speeds(one)}
    return (
        *(what for what in resource_rows(state.rules.rules) if not unknown.get(what)),
        *casting.slots(one),
        *powers(one),
    )


Looks = Callable[[FifthState, Occurrence[ActionTaken], Deed], Found]


def act_check(rule: str, rank: int = 0) -> Callable[[Looks], Check[[FifthState, Occurrence[ActionTaken], Deed]]]:
    """Return a decorator for a check of acts, of which the first by rank with a finding reports."""
    return check(rule, on=ActionTaken, group="act", rank=rank, subject=deed_of)


@act_check("dead.out")
def the_dead_do_nothing(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    one = state.combatants[deed.who]
    if one.status != "dead" or (not deed.known and may_be_free(state, deed.kind)):
        return None
    events = one.standing.because.flat().events
    if keeps := doubt(state, one):
        if is_trait(deed, one.id):
            return None
        says = f"{one.id} is at 0 hit points, and acts: {keeps}, or a ruling, would explain it"
        return Breach(says, "nothing", "an act", events, "notice", once=(one.id,))
    return Breach(f"{one.id} is dead", "nothing", "an act", events)


@act_check("incapacitated.no-acts", rank=1)
def the_incapacitated_do_nothing(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    found = acts_not(state, deed.who)
    free = deed.cost == "none" if deed.known else may_be_free(state, deed.kind)
    if not found.value or free or deed.cost == "movement":
        return None
    return Breach(f"{deed.who} is incapacitated, and acts", "no act", deed.kind, events_of(found))


@act_check("surprise.no-reaction", rank=2)
def the_surprised_do_not_react(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    if state.is_new or deed.who not in state.surprised or deed.cost not in REACTIONS or deed.granted:
        return None
    return Breach(f"the first turn of {deed.who} has not ended", "no reaction", "one", (state.surprised[deed.who],))


@check("surprise.first-turn-lost", on=(ActionTaken, Moved), group="act", rank=3)
def the_surprised_lose_their_first_turn(state: FifthState, fact: Occurrence[ActionTaken | Moved]) -> Breach | None:
    event, who = fact.event, fact.event.combatant
    if state.is_new or who not in state.surprised or not state.has_turn(who):
        return None
    if deed := recorded_deed(state, fact):
        acts = not deed.granted and (deed.cost not in ("none", "") if deed.known else not may_be_free(state, deed.kind))
    else:
        acts = isinstance(event, Moved) and not (event.forced or event.cause) and bool(event.path or event.distance)
    if not acts:
        return None
    return Breach(f"{who} is surprised, and this is its first turn", "nothing", "an act", (state.surprised[who],))


@act_check("turn.own-turn-only", rank=5)
def the_own_turn_is_for_actions(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    stated = bool(deed.action.cost) or state.option("unstated-cost") == "own-price"
    if not stated or not deed.counts or deed.own or not state.clock.turn or deed.cost not in OWN:
        return None  # an act whose cost is only that of its entry may have been held
    says = f"{deed.who} acts in the turn of {state.clock.turn}"
    return Breach(says, "a reaction", f"cost {deed.cost}", state.clock.events)


@act_check("turn.one-action", rank=6)
def a_turn_has_one_action(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    if deed.cost != "action" or not deed.own:
        return None
    return used_up(state, deed, "action") if deed.known else only_as_a_bonus(state, deed)


def only_as_a_bonus(state: FifthState, deed: Deed) -> Breach | None:
    """Return a notice of a second act without a cost, which only an unknown bonus action would explain."""
    price, spent_by = price_in_catalogue(state, deed.kind), uses(state.spending, deed.who, "action")
    unknown = state.combatants[deed.who].sheet.entries is None and state.option("unstated-cost") == "determined"
    if not unknown or not spent_by or deed.granted or price is None or price.costs != ("action", "bonus"):
        return None
    says = f"{deed.who} has used its action: cost=bonus would say that this is a bonus action"
    return Breach(says, "none left", "another", (spent_by[-1].seq,), "notice", once=(deed.who,))


@check("turn.one-action", on=ActionHeld, subject=deed_of)
def a_readied_act_is_the_action(state: FifthState, _fact: Occurrence[ActionHeld], deed: Deed) -> Breach | None:
    return used_up(state, deed, "action") if deed.own else None


def used_up(state: FifthState, deed: Deed, what: str, word: str = "") -> Breach | None:
    """Return the breach if the combatant of an act has used its action, bonus action or reaction already; None if not.

    If the act names a feature, which may give one more, it is a notice, but for a feature that is the act itself.
    """
    spent_by = [use.seq for use in uses(state.spending, deed.who, what)] if deed.known and deed.pays else []
    deeds = ((seq, state.deeds.get(seq)) for seq in spent_by)  # a readied move is none
    used = tuple(seq for seq, each in deeds if each is None or (each.known and each.pays))
    severity = "notice" if (deed.action.granted_by or deed.name).casefold() != deed.name else "breach"
    says = f"{deed.who} has used its {word or what}"
    return Breach(says, "none left", "another", used, severity) if used else None


@act_check("bonus-action.needs-grant", rank=6)
def something_grants_a_bonus_action(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    one = state.combatants[deed.who]
    entries = one.sheet.entries
    if entries is None or not deed.counts or deed.cost != "bonus" or "offhand" in deed.manner:
        return None
    if any(entry.cost == "bonus" for entry in entries):
        return None
    return Breach(f"nothing on the sheet of {one.id} grants one", "a grant", "a bonus action", one.records("entries"))


@act_check("bonus-action.one", rank=7)
def a_turn_has_one_bonus_action(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    return used_up(state, deed, "bonus", "bonus action") if deed.cost == "bonus" else None


@act_check("act.attack", rank=7)
def an_attack_action_has_its_attacks(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    most, used = state.combatants[deed.who].sheet.attacks, spent(state.spending, deed.who, "attacks")
    if most is None or not deed.counts or deed.cost != "attack" or used.value < most:
        return None
    says = f"{deed.who} has {most} attack{'s' * (most != 1)} in an Attack action"
    return Breach(says, str(most), str(used.value + 1), events_of(used))


@act_check("act.attack", rank=8)
def further_attacks_follow_the_attack_action(
    state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed
) -> Breach | None:
    done = [each for each in state.done.get(deed.who, ()) if each.cost == "action"]
    if deed.cost != "attack" or deed.granted or not done or not all(is_no_attack(state, each) for each in done):
        return None
    seqs = tuple(each.seq for each in done)
    found = "ready" if done[-1].readied else done[-1].kind
    return Breach(f"{deed.who} has taken another action than Attack", "the Attack action", found, seqs)


def is_no_attack(state: FifthState, deed: Deed) -> bool:
    """Say whether an act is certainly another action than Attack, which gives no attacks."""
    return deed.single or (deed.counts and not is_attack_action(deed) and not may_be_free(state, deed.kind))


@act_check("object.one-free", rank=7)
def one_object_is_free(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    if not deed.counts or deed.cost != "free" or deed.kind not in HANDLED:
        return None
    one = state.combatants[deed.who]
    entry = figures.spell_of(state, one, deed.action)
    if entry and entry.cost == "action":
        return Breach(f"{entry.name} takes an action", "an action", "free", one.records("entries"))
    if handled(state, deed.who, deed).value < 2:
        return None
    before = events_of(handled(state, deed.who))
    return Breach(f"{deed.who} has handled an object for free", "the action", "free", before)


@act_check("reaction.one-until-own-turn", rank=8)
def there_is_one_reaction(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    return used_up(state, deed, "reaction") if deed.cost in REACTIONS else None


@check("act.ready", on=ActionHeld, subject=deed_of)
def an_act_is_readied_in_the_own_turn(state: FifthState, _fact: Occurrence[ActionHeld], deed: Deed) -> Breach | None:
    turn = state.clock.turn
    if not turn or deed.own or deed.granted:
        return None
    return Breach(f"{deed.who} readies in the turn of {turn}", "its own turn", turn, state.clock.events)


def bars(state: FifthState, one: Combatant, what: str) -> Because | None:
    """Return the reason why a combatant cannot spend a slot now, or do an act of a kind; None if it can."""
    if what.startswith("slot-"):
        return casting.bars(state, one)
    return movement.bars(state, one, what) or mounts.bars(state, one, what)
