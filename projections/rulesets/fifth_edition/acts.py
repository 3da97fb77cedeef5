"""Acts: what they cost, what a turn has for them, which of them are too many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from eventstore.events import ActionHeld, ActionTaken, AttackRolled, Moved, ResourceChanged
from eventstore.shapes import Action
from projections.because import Because, Derived
from projections.folds.rows import row_of_act
from projections.folds.vitals import standing
from projections.mechanics import resources
from projections.mechanics.grants import granted
from projections.mechanics.memo import remembered
from projections.mechanics.resources import spend, spent, uses
from projections.occurrence import Occurrence
from projections.rulesets.catalogue import read
from projections.rulesets.faults import Fault, checks_by
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.conditions import acts_not, events_of, may_be_surprised
from projections.rulesets.fifth_edition.movement.feet_left import feet_left, half_speed
from projections.rulesets.fifth_edition.state import Deed, FifthState
from projections.rulesets.fifth_edition.turns.order import seats
from projections.rulesets.fifth_edition.turns.surprise import is_surprised
from projections.rulesets.ruleset import Breach, check, derives
from projections.state import Combatant, TimelineRow
from projections.time import Boundary

REACTIONS = ("reaction", "opportunity", "held")
"""The costs that the reaction pays."""
OWN = ("action", "attack", "bonus", "free", "movement")
"""The costs that are paid in the own turn."""
STRIKES = ("attack", "grapple", "shove")
"""The kinds of which an Attack action has several."""
HANDLED = ("handle", "use-item", "draw", "stow")
UNTOLD = ("other", "ability", "talk", "drop", "release", "drop-prone")
"""The kinds of which a record without a cost says little."""
TURN = ("turn.one-action", "bonus-action.one", "reaction.one-until-own-turn", "object.one-free", "act.attack")


@derives("act.cast", "act.checks", "turn.one-action")
def price_of(state: FifthState, one: Combatant, event: ActionTaken) -> tuple[str, bool]:
    """Return what an act costs, and whether that is known: as recorded, else by its entry, else by its kind."""
    action = event.action
    if action.cost:
        return action.cost.casefold(), True
    entry = figures.spell_of(one, action)
    if entry and entry.cost:
        return entry.cost.casefold(), True
    if event.trigger is not None:
        return "reaction", False
    return usual(state, action.kind), state.option("unstated-cost") == "own-price"


def usual(state: FifthState, kind: str) -> str:
    """Return the price of a kind of act."""
    found = resources.prices(read(state.rules.rules).action).get(kind.casefold())
    return next(iter(found.costs), "") if found else "none"


def says_little(state: FifthState, kind: str) -> bool:
    """Say whether a record of this kind says little without a cost: it may be free, or the catalogue does not know the kind."""
    return kind in UNTOLD or is_unknown(state, kind)


def is_unknown(state: FifthState, kind: str) -> bool:
    """Say whether the catalogue does not know a kind of act, as one that is announced in words of its own."""
    return kind.casefold() not in resources.prices(read(state.rules.rules).action)


def deed_of(state: FifthState, fact: Occurrence[Any]) -> Deed:
    """Return the act that a fact tells of, from the state before it."""
    event, who = fact.event, fact.event.combatant
    one, action = state.combatants[who], event.action or Action(kind="other")
    if isinstance(event, ActionHeld):
        cost, known, trigger = "action", True, 0
    else:
        (cost, known), trigger = price_of(state, one, event), event.trigger or 0
    entry = figures.spell_of(one, action)
    return Deed(
        seq=fact.seq,
        who=who,
        action=action,
        cost=cost,
        known=known,
        granted=is_granted(state, one, fact, action, cost),
        turn=state.clock.turn_event,
        own=state.has_turn(who),
        trigger=trigger,
        level=entry.level if entry else None,
        concentrates=bool(entry and entry.concentration),
        half=half_speed(state, one),
    )


def is_granted(state: FifthState, one: Combatant, fact: Occurrence[Any], action: Action, cost: str) -> bool:
    """Say whether something allows an act besides: what it names, what was spent for it, a ruling."""
    if action.granted_by or getattr(fact.event, "trigger", None) in state.spent_on:
        return True
    said = tuple(word for word in (action.name, action.kind, cost) if word)
    people, events = (one.id, one.side), (fact.seq, fact.cause, getattr(fact.event, "trigger", None) or fact.seq)
    rulings = [each for each in state.rulings if not state.precedes(each.seq, state.clock.turn_event or 1)]
    return granted(rulings, "turn.one-action", who=people, event=events, said=said).value


@derives("turn.one-action", on=ResourceChanged)
def something_is_spent(state: FifthState, fact: Occurrence[ResourceChanged]) -> None:
    """Keep what is spent, which an act can name as its cause."""
    if fact.event.amount < 0 and "slot" not in fact.event.resource.casefold():
        state.spent_on[fact.seq] = fact.event.combatant


@derives(*TURN, "act.cast", "act.checks", "opportunity.one-melee-attack", on=(ActionTaken, ActionHeld))
def act_is_paid(state: FifthState, fact: Occurrence[ActionTaken] | Occurrence[ActionHeld]) -> None:
    """Keep an act, and spend what it costs; one that something allows besides costs nothing of the turn."""
    deed = deed_of(state, fact)
    state.deeds[deed.seq] = deed
    state.turn_deeds.append(deed)
    state.done.setdefault(deed.who, []).append(deed)
    state.round.acts.append(row_of(state, fact, deed))
    words = {deed.kind, *(deed.action.name or "").casefold().split(), *(("spell",) if deed.kind == "cast" else ())}
    state.stirred[deed.seq] = deed.who, deed.turn, frozenset(words)
    what = "reaction" if deed.cost in REACTIONS else deed.cost
    if deed.kind in STRIKES and deed.cost == "action":
        resources.renew(state.spending, "attacks", fact.seq, deed.who)
        spend(state.spending, deed.who, "attacks", fact.seq)
    if deed.cost == "attack":
        spend(state.spending, deed.who, "attacks", fact.seq)
    elif what in ("action", "bonus", "reaction") and (not deed.granted or is_the_bonus_action(deed)):
        spend(state.spending, deed.who, what, fact.seq)


@derives("turn.one-action")
def row_of(state: FifthState, fact: Occurrence[Any], deed: Deed) -> TimelineRow:
    """Return the row of an act in its round; one that was readied is held."""
    how, place = "held" if isinstance(fact.event, ActionHeld) else "done", (fact.point.turn, *state.at(fact.seq))
    why = Because(row_of.rules, (fact.seq,))
    return row_of_act(fact.point, deed.who, deed.action, how, why, cost=deed.cost, events=(fact.seq,), order=place)


@derives("bonus-action.one")
def is_the_bonus_action(deed: Deed) -> bool:
    """Say whether an act is the one bonus action of the turn, which what it names only gives a use."""
    return deed.cost == "bonus" and deed.known and (not deed.granted or bool(deed.action.granted_by))


@derives("object.one-free", "object.weapon-with-attack")
def handled(state: FifthState, who: str, besides: Deed | None = None) -> Derived[int]:
    """Return how many objects somebody handled for free in its turn; since 2024 each attack has a weapon drawn or put away."""
    those = [deed for deed in state.done.get(who, ()) if deed.cost == "free" and deed.kind in HANDLED]
    those += [besides] if besides else []
    free = [deed for deed in those if not deed.granted]
    events = tuple(deed.seq for deed in free)
    if not state.is_new:
        return Derived(len(free), Because(handled.rules[:1], events))
    drawn = [deed for deed in free if deed.kind in ("draw", "stow")]
    struck = [
        deed.seq for deed in state.done.get(who, ()) if deed.kind in STRIKES and deed.cost in ("action", "attack")
    ]
    acted = any(deed.cost == "action" for deed in state.done.get(who, ()))
    most = max(len(struck), int(besides is not None and not acted))
    number = len(free) - len(drawn) + max(0, len(drawn) - most)
    return Derived(number, Because(handled.rules, (*events, *struck), state.chosen("edition")))


@derives("turn.one-action", at=("turn began", "place passed"))
def turn_is_new(state: FifthState, turn: Boundary) -> None:
    """Give back what is spent until the own turn, and forget what was done since the last."""
    for what in ("action", "bonus", "reaction", "attacks"):
        resources.renew(state.spending, what, turn.seq, turn.who)
    if turn.kind == "turn began":
        state.began[turn.who] = turn.seq
        state.done.pop(turn.who, None)
        state.strides.pop(turn.who, None)
        state.turn_deeds = []


# ---------------------------------------------------------------- what is left


@derives("surprise.first-turn-lost", "incapacitated.no-acts", "dead.out")
def barred(state: FifthState, one: Combatant) -> Because | None:
    """Return why somebody can do nothing: incapacitated, dead, or surprised; None where nothing bars it."""
    surprise, unable, dead = barred.rules
    if one.status == "dead":
        return Because((dead,), (), {}, (standing(one),))
    found = acts_not(state, one.id)
    if found.value:
        return Because((unable,), (), {}, (found,))
    if one.id in state.surprised and not state.is_new:
        return Because((surprise,), (state.surprised[one.id],), state.chosen("edition"))
    return None


NAMES = ("action", "attacks", "bonus", "reaction", "object", "movement")
OWN_TURN = ("action", "attacks", "bonus", "object", "movement")
RULES = {
    "action": "turn.one-action",
    "attacks": "act.attack",
    "bonus": "bonus-action.one",
    "reaction": "reaction.one-until-own-turn",
    "object": "object.one-free",
    "movement": "move.up-to-speed",
}


def slot_name(one: Combatant, what: str) -> str:
    """Return the name under which slots of a level are counted, for the word slot-N."""
    level = what.removeprefix("slot-")
    return next((name for name in one.resources if name.casefold() == f"level {level} spell slot"), "")


@remembered
def left(state: FifthState, one: Combatant, what: str) -> Derived[int] | None:  # noqa: PLR0911 – one for each thing
    """Return what somebody has left of a thing; None where there is no such thing, or nobody knows how much."""
    if what.startswith("slot-"):
        name = slot_name(one, what)
        return Derived(one.resources[name], Because(("slot.spent",), (), {}, (one.counted[name],))) if name else None
    if what not in NAMES:
        return None
    rules, turn = (RULES[what],), (state.clock.turn_event,) if state.clock.turn_event else (one.joined,)
    since = (state.began[one.id],) if one.id in state.began else ()
    options = state.chosen("edition") if may_be_surprised(state, one.id) else {}
    seat = Derived(what, Because((), (*seats(state, one.id), *since), options, (is_surprised(state, one.id),)))
    why = barred(state, one)
    if why and (what in ("action", "bonus", "reaction") or (one.id in state.surprised and not state.is_new)):
        return Derived(0, Because((*rules, *why.rules), (), why.options, (Derived(0, why), seat, unbarred(state, one))))
    if what in OWN_TURN and not state.has_turn(one.id):
        return Derived(0, Because(rules, turn, {}, (seat,)))
    if what == "movement":
        feet = feet_left(state, one)
        return feet and Derived(feet.value, Because((), (), {}, (feet.because, seat)))
    if what == "object":
        found = handled(state, one.id)
        return Derived(max(0, 1 - found.value), Because(rules, turn, {}, (found, seat)))
    whole = whole_of(state, one, what)
    if whole is None:
        return None
    rest = resources.left(state.spending, one.id, what, whole)
    first = turn if what in OWN_TURN else (one.joined,)
    return Derived(rest.value, Because(rules, first, {}, (rest, seat, unbarred(state, one))))


def unbarred(state: FifthState, one: Combatant) -> Derived[None]:
    """Return what it rests on that nothing bars somebody from acting: how it stands, and its conditions."""
    return Derived(None, Because((), (), {}, (standing(one), acts_not(state, one.id))))


@derives("act.attack", "bonus-action.needs-grant")
def whole_of(state: FifthState, one: Combatant, what: str) -> Derived[int] | None:
    """Return how much somebody has of a thing in a turn: attacks by the sheet once the Attack action began, a bonus action if an entry has that cost."""
    if what == "attacks":
        if one.sheet.attacks is None:
            return None
        began = bool(uses(state.spending, one.id, "attacks"))
        return Derived(one.sheet.attacks if began else 0, Because((), one.records("attacks")))
    if what == "bonus":
        used = uses(state.spending, one.id, "bonus")
        has_one = any(entry.cost == "bonus" for entry in one.sheet.entries or ())
        return Derived(int(bool(used) or has_one), Because(("bonus-action.needs-grant",), one.records("entries")))
    return Derived(1, Because((), (one.joined,)))


def also(state: FifthState, who: str, what: str) -> Iterable[int]:
    """Yield what may equally be stated: an unspent bonus action or none, by what grants one; fewer feet after a move of unknown length."""
    if what == "movement" and not all(each.told for each in state.strides.get(who, ())):
        feet = left(state, state.combatants[who], what)
        yield from range(feet.value if feet else 0)
    if what == "bonus" and state.has_turn(who) and not uses(state.spending, who, "bonus"):
        yield from (0, 1)


def bare(state: FifthState, one: Combatant) -> dict[str, Any]:
    """Return what is left of each thing that is known, without reasons."""
    found: dict[str, Any] = {}
    for what in (*NAMES, *(f"slot-{n}" for n in range(1, 10) if slot_name(one, f"slot-{n}"))):
        rest = left(state, one, what)
        if rest is not None:
            found[what] = rest.value
    return found


def names(_state: FifthState, one: Combatant) -> Iterable[str]:
    """Return what somebody has to spend."""
    slots = (f"slot-{n}" for n in range(1, 10) if slot_name(one, f"slot-{n}"))
    known = (what for what in NAMES if (what != "attacks" or one.sheet.attacks is not None))
    return (*(what for what in known if what != "movement" or figures.speeds(one)), *slots)


# ---------------------------------------------------------------- checks of acts


def told(state: FifthState, fact: Occurrence[Any]) -> Deed:
    """Return the act that a fact tells of, for its checks."""
    return deed_of(state, fact)


DONE: dict[str, Any] = {"on": ActionTaken, "group": "act", "subject": told}


@check("dead.out", **DONE)
def the_dead_do_nothing(state: FifthState, fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    one = state.combatants[fact.event.combatant]
    if one.status != "dead" or (not deed.known and is_unknown(state, deed.kind)):
        return None
    return Breach(f"{one.id} is dead", "nothing", "an act", one.standing.because.flat().events)


@check("incapacitated.no-acts", **DONE, rank=1)
def the_incapacitated_do_nothing(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    found = acts_not(state, deed.who)
    stated = bool(deed.action.cost) or deed.known
    silent = deed.cost == "none" if stated else says_little(state, deed.kind)
    if not found.value or silent or deed.cost == "movement":
        return None
    return Breach(f"{deed.who} is incapacitated, and acts", "no act", deed.kind, events_of(found))


@check("surprise.no-reaction", **DONE, rank=2)
def the_surprised_do_not_react(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    reacts = (deed.known and deed.cost in REACTIONS) or deed.trigger
    if state.is_new or deed.who not in state.surprised or not reacts or deed.granted:
        return None
    return Breach(f"the first turn of {deed.who} has not ended", "no reaction", "one", (state.surprised[deed.who],))


@check("surprise.first-turn-lost", on=(ActionTaken, Moved), group="act", rank=3)
def the_surprised_lose_their_first_turn(state: FifthState, fact: Occurrence[Any]) -> Breach | None:
    event, who = fact.event, fact.event.combatant
    if state.is_new or who not in state.surprised or not state.has_turn(who):
        return None
    if isinstance(event, Moved):
        acts = not event.forced and not event.cause and bool(event.path or event.distance)
    else:
        deed = deed_of(state, fact)
        acts = not deed.granted and (deed.cost not in ("none", "") if deed.known else not says_little(state, deed.kind))
    if not acts:
        return None
    return Breach(f"{who} is surprised, and this is its first turn", "nothing", "an act", (state.surprised[who],))


@check("turn.own-turn-only", **DONE, rank=5)
def the_own_turn_is_for_actions(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    stated = bool(deed.action.cost) or state.option("unstated-cost") == "own-price"
    if not stated or not deed.counts or deed.own or not state.clock.turn or deed.cost not in OWN:
        return None  # what only its entry prices may have been held
    return Breach(
        f"{deed.who} acts in the turn of {state.clock.turn}", "a reaction", f"cost {deed.cost}", state.clock.events
    )


def before(state: FifthState, deed: Deed, *costs: str) -> tuple[int, ...]:
    """Return what somebody did since its turn began that certainly cost one of these."""
    return tuple(each.seq for each in state.done.get(deed.who, ()) if each.counts and each.cost in costs)


@check("turn.one-action", **DONE, rank=6)
def a_turn_has_one_action(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    return one_too_many(state, deed)


@check("turn.one-action", on=ActionHeld, subject=told)
def a_readied_act_is_the_action(state: FifthState, _fact: Occurrence[ActionHeld], deed: Deed) -> Breach | None:
    return one_too_many(state, deed) if deed.own else None


def one_too_many(state: FifthState, deed: Deed) -> Breach | None:
    """Return the breach of a second action in a turn."""
    used = before(state, deed, "action") if deed.counts and deed.cost == "action" and deed.own else ()
    return Breach(f"{deed.who} has used its action", "none left", "another", used) if used else None


@check("bonus-action.needs-grant", **DONE, rank=6)
def something_grants_a_bonus_action(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    entries = state.combatants[deed.who].sheet.entries
    if entries is None or not deed.counts or deed.cost != "bonus" or "offhand" in deed.manner:
        return None
    if any(entry.cost == "bonus" for entry in entries):
        return None
    why = state.combatants[deed.who].records("entries")
    return Breach(f"nothing on the sheet of {deed.who} grants one", "a grant", "a bonus action", why)


@check("bonus-action.one", **DONE, rank=7)
def a_turn_has_one_bonus_action(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    used = tuple(each.seq for each in state.done.get(deed.who, ()) if is_the_bonus_action(each))
    used = used if deed.counts and deed.cost == "bonus" else ()
    return Breach(f"{deed.who} has used its bonus action", "none left", "another", used) if used else None


@check("act.attack", **DONE, rank=7)
def attacks_are_as_many_as_the_sheet_says(
    state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed
) -> Breach | None:
    most = state.combatants[deed.who].sheet.attacks
    if most is None or not deed.counts or deed.cost != "attack":
        return None
    used = spent(state.spending, deed.who, "attacks")
    if used.value < most:
        return None
    return Breach(f"{deed.who} has {most} in an Attack action", str(most), str(used.value + 1), events_of(used))


@check("object.one-free", **DONE, rank=7)
def one_object_is_free(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    if not deed.counts or deed.cost != "free" or deed.kind not in HANDLED:
        return None
    entry = figures.spell_of(state.combatants[deed.who], deed.action)
    if entry and entry.cost == "action":
        why = state.combatants[deed.who].records("entries")
        return Breach(f"{entry.name} takes an action", "an action", "free", why)
    found = handled(state, deed.who, deed)
    if found.value < 2:
        return None
    return Breach(f"{deed.who} has handled an object for free", "the action", "free", before(state, deed, "free"))


@check("reaction.one-until-own-turn", **DONE, rank=8)
def there_is_one_reaction(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    if not deed.counts or deed.cost not in REACTIONS:
        return None
    used = tuple(use.seq for use in uses(state.spending, deed.who, "reaction") if state.deeds[use.seq].counts)
    return Breach(f"{deed.who} has used its reaction", "none left", "another", used) if used else None


# ---------------------------------------------------------------- reactions and what they answer


WORDS = {Moved: ("move", "moves", "leaving"), AttackRolled: ("attack", "hit", "attacks")}


@derives("reaction.after-trigger", "reaction.needs-trigger", on=(Moved, AttackRolled))
def something_can_be_answered(state: FifthState, fact: Occurrence[Moved] | Occurrence[AttackRolled]) -> None:
    """Keep what can be answered: who did it, in which turn, and the words for it."""
    state.stirred[fact.seq] = fact.event.combatant, state.clock.turn_event, frozenset(WORDS[type(fact.event)])


@check("reaction.needs-trigger", on=ActionTaken, group="answer", subject=told)
def a_reaction_answers_what_its_entry_says(
    state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed
) -> Breach | None:
    entry, trigger = figures.spell_of(state.combatants[deed.who], deed.action), state.stirred.get(deed.trigger)
    if entry is None or not entry.answers or trigger is None or deed.cost not in REACTIONS[:1] or deed.granted:
        return None
    wanted = set(entry.answers.casefold().replace(",", " ").split())
    if wanted & trigger[2]:
        return None
    return Breach(
        f"{entry.name} answers {entry.answers}", entry.answers, ", ".join(sorted(trigger[2])), (deed.trigger,)
    )


@check("reaction.after-trigger", on=ActionTaken, group="act", rank=9, subject=told)
def a_reaction_comes_at_once(state: FifthState, _fact: Occurrence[ActionTaken], deed: Deed) -> Breach | None:
    trigger = state.stirred.get(deed.trigger)
    if trigger is None or deed.granted or deed.cost not in REACTIONS:
        return None
    who, turn, _ = trigger
    if turn != state.clock.turn_event:
        return Breach(
            "the turn of its trigger is over", "at once", "later", (deed.trigger, state.clock.turn_event or 1)
        )
    later = [each.seq for each in state.turn_deeds if each.who == who and state.precedes(deed.trigger, each.seq)]
    later = [seq for seq in later if seq != deed.trigger and not state.deeds[seq].trigger]
    later += [each.seq for each in state.strides.get(who, ()) if state.precedes(deed.trigger, each.seq)]
    later = [seq for seq in later if seq != deed.trigger]
    if not later:
        return None
    return Breach(f"{who} has acted since its trigger", "at once", "later", (deed.trigger, *later), "notice")


# ---------------------------------------------------------------- spells of a bonus action


@checks_by("act.ready", on=ActionHeld)
def one_readies_in_the_own_turn(state: FifthState, fact: Occurrence[ActionHeld]) -> Iterator[Fault]:
    """Yield that somebody readies an act in the turn of another."""
    who = fact.event.combatant
    if (
        state.clock.turn
        and not state.has_turn(who)
        and not is_granted(state, state.combatants[who], fact, fact.event.action or Action(kind="other"), "action")
    ):
        yield Fault(
            ("act.ready",),
            f"{who} readies in the turn of {state.clock.turn}",
            "its own turn",
            state.clock.turn,
            state.clock.events,
        )
