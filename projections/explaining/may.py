"""The acts that a combatant may do now: the budget left, the dues, the openings for reactions, and the clauses that bar
acts.

They are read from the values that the checks use. Each kind of act is then tried: the checks judge it as if it came next.
"""

from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct, structs

from eventstore import events
from eventstore.events import ActionTaken, CombatantJoined, InitiativeRolled, Placed, SaveRolled, SheetChanged
from eventstore.shapes import Action
from eventstore.wording import short_repr
from projections.address import NOTHING
from projections.because import Derived, Reason, ask_rule
from projections.explaining.hindrances import Hindrance, find_hindrances
from projections.explaining.past import Cited, Past
from projections.fight import Combatant
from projections.folds import budget
from projections.folds.addresses import derive_value
from projections.folds.order import who_is_due
from projections.judging.audit import check_fact
from projections.mechanics.resources import uses
from projections.occurrence import Occurrence
from projections.state import State
from projections.stream.placing import action_kind

Kind = Literal["turn", "resource", "act", "due", "reaction", "held"]
"""The kinds of choices: the turn, a thing to spend, acts that it cannot pay, a due, a fact to answer, a held action."""
Status = Literal["open", "barred", "owed", "unknown"]
"""Whether it is open: an `owed` act must be done; for an `unknown` one neither log nor ruleset decides."""

ACTS = "acts"
"""The contents of a turn, in a ruleset without any clause on that."""
USES_NOTHING = (
    CombatantJoined, SheetChanged, Placed, InitiativeRolled, SaveRolled, events.TurnStarted, events.TurnEnded, events.TurnDelayed, events.TurnResumed,
)  # fmt: skip
"""Facts about a combatant that spend nothing."""


class Choice(Struct, frozen=True):
    """Something that a combatant may do, or may not."""

    kind: Kind
    what: str
    status: Status
    left: int | None
    """How much is left of what can be spent; null where that is unknown, or is not counted."""
    acts: tuple[str, ...]
    """The kinds of acts that it is spent on, where the catalogue lists them."""
    where: str | None
    """The turn on which it is spent, if that is why it is barred."""
    before: str | None
    """The boundary before which it is owed."""
    because: Reason
    """The clauses, events and options that make it open or barred."""
    after: tuple[Cited, ...]
    """The combatant's own acts that used it up."""
    to: Cited | None
    """The fact that can be answered."""

    def __repr__(self) -> str:
        return short_repr(self, f"{self.what}, {self.status}")


class May(Struct, frozen=True):
    """The choices of a combatant, with its hindrances and whether it is due."""

    combatant: str
    due: bool
    hindrances: tuple[Hindrance, ...]
    choices: tuple[Choice, ...]

    @property
    def open(self) -> tuple[Choice, ...]:
        """The choices that are open: what the combatant may do now."""
        return tuple(each for each in self.choices if each.status == "open")

    def __repr__(self) -> str:
        return short_repr(self, f"{self.combatant}: {', '.join(f'{each.what} {each.status}' for each in self.choices)}")


class Choices(Struct, frozen=True):
    """The choices of the combatants in question, and the facts that the order still needs, as sentences."""

    people: tuple[May, ...]
    missing: tuple[str, ...]

    def __repr__(self) -> str:
        open_ = (f"{one.combatant}: {', '.join(each.what for each in one.open)}" for one in self.people)
        return short_repr(self, "; ".join(open_))


def list_choices(past: Past, who: str = "") -> Choices:
    """Return the choices of a combatant at a point of a log; without a name, those of all in `asked`."""
    state = past.state
    missing = () if state.closed else state.rules.schedule.missing(state)
    those = (who,) if who else combatants_to_ask(state)
    return Choices(tuple(choices_of_combatant(past, each) for each in those), missing)


def combatants_to_ask(state: State) -> tuple[str, ...]:
    """Return the combatants whose turn it is, else the ones who are due, and any with dues; none in a closed fight."""
    if state.closed:
        return ()
    turn = [who for who in (state.clock.turn, *state.clock.together) if who]
    owing = [due.who for due in state.dues.values() if not due.answered and due.who in state.combatants]
    return (*dict.fromkeys((*(turn or who_is_due(state).value), *owing)),)


def choices_of_combatant(past: Past, who: str) -> May:
    """Return the choices of one combatant."""
    state, hindered = past.state, find_hindrances(past.state, who, past.cited)
    due = who in who_is_due(state).value
    spent = [*_resource_choices(past, state.combatants[who], hindered)]
    found = [_turn_choice(past, who, hindered, due=due), *_due_choices(past, who), *spent]
    rows = (budget.resource_of(state, each.what) for each in spent if each.status == "barred")
    if not any(row and row.where == "outside-own-turn" for row in rows):
        found += _reaction_choices(past, state.combatants[who], hindered)
    return May(who, due, hindered, (*found, *_held_action_choice(past, who, spent)))


# ---------------------------------------------------------------- the turn, and what is owed


def _turn_choice(past: Past, who: str, hindered: tuple[Hindrance, ...], *, due: bool) -> Choice:
    state = past.state
    others = [each for each in hindered if not (each.kind == "turn" and who in each.who)]
    if others:
        why = others[0].because
        cited = why if why.rules else Reason(state.rules.clock_rules, why.events, why.options)
        return _make_choice("turn", "turn", "barred", cited)
    if hindered:
        return _make_choice("turn", "turn", "open", hindered[0].because)
    known = due and not state.rules.schedule.missing(state)
    return _make_choice("turn", "turn", "open" if known else "unknown", state.reason(who_is_due(state).because))


def _due_choices(past: Past, who: str) -> Iterator[Choice]:
    state = past.state
    for due in state.dues.values():
        if due.who == who and not due.answered:
            yield _make_choice("due", due.what, "owed", state.reason(due.because), before=due.by)
    for each in state.rules.addresses:
        found = each.value(state, each.pattern.replace("<who>", who), (who,)) if each.owed else None
        if found is not None and found.value != NOTHING:
            yield _make_choice("due", str(found.value), "owed", state.reason(found.because))


# ---------------------------------------------------------------- what there is to spend


def _resource_choices(past: Past, one: Combatant, hindered: tuple[Hindrance, ...]) -> Iterator[Choice]:
    """Yield each thing that a combatant can spend, open or barred; without a budget, one choice that is unknown."""
    state = past.state
    if state.rules.budget is None:
        yield _make_choice("resource", ACTS, "unknown", Reason())
    found = {what: derive_value(state, address) for what, address in budget.addresses_of(state, one).items()}
    for what, rest in found.items():
        row = budget.resource_of(state, what)  # where only an act gives it, one must have come since it last returned
        if row is None or not row.comes_with or uses(state.spending, one.id, what):
            choice = _resource_choice(past, one, what, rest, _reason_of_bar(hindered))
            barred = _barred_acts(state, one, what) if choice.status == "open" else {}
            yield structs.replace(choice, acts=tuple(each for each in choice.acts if each not in barred))
            for because in {each.rules: each for each in barred.values()}.values():
                kinds = tuple(kind for kind, each in barred.items() if each.rules == because.rules)
                yield _make_choice("act", ", ".join(kinds), "barred", because, acts=kinds)
    counted = {id(each) for rest in found.values() if rest for each in rest.because.of}
    for what, number in one.resources.items():
        if what not in found and id(one.counted[what]) not in counted:
            yield _resource_choice(past, one, what, Derived(number, one.counted[what]), _reason_of_bar(hindered))


def _barred_acts(state: State, one: Combatant, what: str) -> dict[str, Reason]:
    """Return the kinds of acts on which a thing cannot be spent now, and why, from the budget or else the checks."""
    row = budget.resource_of(state, what)
    found = dict[str, Reason]()
    for kind in budget.kinds_costing(state, what):
        own = row is not None and row.where == "own-turn"
        why = ask_rule(budget.why_unspendable, state, one, kind) if own else None
        if (because := state.reason(why) if why else _would_break(state, one, kind, what)) is not None:
            found[kind] = because
    return found


def _would_break(state: State, one: Combatant, kind: str, cost: str) -> Reason | None:
    """Return the clause that an act of a kind would break now with any target or opening; None if it depends."""
    acts = _possible_acts(state, one, kind, cost)
    facts = [Occurrence(state.seq + 1, 0, act, state.clock.point, kind=action_kind(act)) for act in acts]
    breaches = [[each for each in check_fact(state, fact, set()) if each.severity == "breach"] for fact in facts]
    reported = [{one.rule: one.because for one in found if not one.rule.startswith("log.")} for found in breaches]
    always = set.intersection(*(set(each) for each in reported))
    rule = next((rule for rule in reported[0] if rule in always), None)
    return Reason((rule,), reported[0][rule]) if rule else None


def _possible_acts(state: State, one: Combatant, kind: str, cost: str) -> Iterator[ActionTaken]:
    """Yield an act of a kind at this cost: by itself, at each combatant, and as an answer to each fact that can be answered now."""
    act = ActionTaken(combatant=one.id, action=Action(kind=kind, cost=cost))
    yield act
    for other in state.here():
        yield structs.replace(act, action=structs.replace(act.action, targets=(other.id,)))
    for seq in state.triggers.openings:
        if state.rules.answerable(state, one, seq).value:
            yield structs.replace(act, trigger=seq)


def _reason_of_bar(hindered: tuple[Hindrance, ...]) -> Reason | None:
    """Return why a combatant can spend nothing at all: the fight is over, it has left, or it is down; None if it can."""
    return next((each.because for each in hindered if each.kind in ("over", "left", "down")), None)


def _resource_choice(
    past: Past, one: Combatant, what: str, rest: Derived[int] | None, barring: Reason | None
) -> Choice:
    state = past.state
    row = budget.resource_of(state, what)
    acts, rules = budget.kinds_costing(state, what), (row.rule,) if row and row.rule else ()
    if rest is None:
        return _make_choice("resource", what, "unknown", Reason(rules, (one.joined,)), acts=acts)
    why = state.reason(rest.because)
    why = Reason((*dict.fromkeys((*rules, *why.rules)),), why.events, why.options)
    bars: Reason | None = why
    after: tuple[Cited, ...] = ()
    if rest.value > 0:
        later = None if barring else ask_rule(budget.why_unspendable, state, one, what)
        bars = barring or (state.reason(later) if later else None)
        away = row.where if row and later else None
    else:
        acted = (each for each in past.cited(why.events) if not isinstance(each.event, USES_NOTHING))
        after = tuple(each for each in acted if getattr(each.event, "combatant", None) == one.id)
        away = row.where if row and not after and not budget.may_be_spent(state, one, row) else None
    status: Status = "barred" if bars else "open"
    return _make_choice("resource", what, status, bars or why, left=rest.value, acts=acts, where=away, after=after)


# ---------------------------------------------------------------- reactions, and what is held


def _reaction_choices(past: Past, one: Combatant, hindered: tuple[Hindrance, ...]) -> Iterator[Choice]:
    """Yield the facts that a combatant can answer now; else, once, why the last of them cannot be answered."""
    state = past.state
    openings = state.triggers.openings
    read = {seq: ask_rule(state.rules.answerable, state, one, seq) for seq in sorted(openings, key=state.place_of)}
    barring = _reason_of_bar(hindered)
    answerable = [] if barring else [seq for seq, each in read.items() if each.value]
    for seq in answerable:
        why = state.reason(read[seq].because)
        yield _make_choice("reaction", "answer", "open", why, to=_cited_fact(past, seq))
    if read and not answerable:
        last = next(reversed(read))
        why = barring or state.reason(read[last].because)
        yield _make_choice("reaction", "answer", "barred", why, to=_cited_fact(past, last))


def _cited_fact(past: Past, seq: int) -> Cited | None:
    return next(iter(past.cited((seq,))), None)


def _held_action_choice(past: Past, who: str, spent: Iterable[Choice]) -> Iterator[Choice]:
    """Yield the action that a combatant holds, open unless the reaction that would release it is spent."""
    held = derive_value(past.state, f"{who}.holding") or derive_value(past.state, f"{who}.held")
    gone = next((each.because for each in spent if each.what == "reaction" and each.status == "barred"), None)
    if held is not None and held.value not in (NOTHING, None, (), []):
        why = gone or past.state.reason(held.because)
        yield _make_choice("held", str(held.value), "barred" if gone else "open", why)


def _make_choice(
    kind: Kind,
    what: str,
    status: Status,
    because: Reason,
    *,
    left: int | None = None,
    acts: tuple[str, ...] = (),
    where: str | None = None,
    before: str | None = None,
    after: tuple[Cited, ...] = (),
    to: Cited | None = None,
) -> Choice:
    return Choice(kind, what, status, left, acts, where, before, because, after, to)
