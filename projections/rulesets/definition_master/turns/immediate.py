"""Immediate actions: three kinds that exclude one another until the own next turn, and one use of them a round."""

from collections.abc import Collection, Iterator
from itertools import takewhile

from eventstore.events import ActionTaken, Moved
from projections.because import Because, Derived
from projections.mechanics import ledger
from projections.rulesets.definition_master.acts.acts import AOO, COUNTERSPELL, HELD, IMMEDIATE, OTHER
from projections.rulesets.definition_master.reading import Told
from projections.rulesets.definition_master.state import MasterState
from projections.rulesets.definition_master.table import rows
from projections.rulesets.definition_master.vitals import can_act
from projections.rulesets.faults import Fault, checks_by
from projections.rulesets.ruleset import Breach, check, derives
from projections.state import Combatant

KINDS = (AOO, COUNTERSPELL, OTHER)
"""The three kinds of immediate actions."""
WORDS, LOCKS, EXCLUDES = ({row["kind"]: row[each] for row in rows("immediate")} for each in ("called", "lock", "rule"))
"""By kind what it is called, the word for a lock to it, and the clause by which that bars the other kinds."""
ONE = "immediate.one-per-round"


@derives("immediate.three-kinds")
def kind_of(cost: str) -> str:
    """Return the kind of an immediate action: one that was held counts among all the rest."""
    return OTHER if cost == HELD else cost


@derives("immediate.more-of-kind-by-grant", "aoo.battle-prowess")
def uses_of(one: Combatant, kind: str) -> int:
    """Return how many uses of a kind somebody has in a round: one, and what feats add."""
    feats: dict[str, int] = one.sheet.feats
    given = [(number, row) for name, number in feats.items() for row in rows("feat") if is_named(row["name"], name)]
    return 1 + sum(max(0, number - int(row["first"])) for number, row in given if row["gives"] == kind)


def is_named(feat: str, name: str) -> bool:
    """Say whether a feat of the sheet is one of the table, whatever else its name says."""
    return feat in "-".join(name.casefold().split())


@derives("immediate.one-per-round", "immediate.three-kinds", on=(ActionTaken, Moved))
def immediate_action_is_used(state: MasterState, act: Told) -> None:
    """Use an immediate action, lawful or not; it locks its doer to its kind."""
    told = state.flow.acts.get(act.seq)
    if told is None or told.cost not in IMMEDIATE:
        return
    kind, flow = kind_of(told.cost), state.flow
    ledger.use(flow.ledger, told.who, kind, act.seq)
    ledger.lock(flow.ledger, told.who, kind, act.seq)


def uses(state: MasterState, who: str) -> dict[int, str]:
    """Return the kinds of the immediate actions that somebody has used in this round, by record, in their order."""
    found = {use.seq: kind for kind in KINDS for use in ledger.uses(state.flow.ledger, who, kind)}
    return dict(sorted(found.items(), key=lambda use: state.at(use[0])))


@derives(ONE, "immediate.more-of-kind-by-grant", "immediate.any-time", "full-round.free-and-immediate-stay")
def is_possible(one: Combatant, had: Collection[str], kind: str) -> bool:
    """Say whether one more of a kind is possible in a round after immediate actions of these kinds, the lock apart."""
    return not had or ({*had} == {kind} and len(had) < uses_of(one, kind))


def left(state: MasterState, who: str) -> Derived[int]:
    """Return whether one more immediate action is possible, of the kind that its doer is locked to; cite what used it up."""
    rules, chosen = (*is_possible.rules, "aoo.battle-prowess"), state.chosen("immediate-clock")
    had = uses(state, who)
    if is_left(state, who, had):
        return Derived(1, Because(rules, (state.combatants[who].joined,), chosen))
    alone = [seq for seq in had if is_left(state, who, {each: kind for each, kind in had.items() if each != seq})]
    return Derived(0, Because(rules, tuple(alone or had), chosen))


def is_left(state: MasterState, who: str, had: dict[int, str]) -> bool:
    """Say whether one more is possible after these of this round, of the kind of an earlier lock, or of the first of them."""
    to, own = state.flow.ledger.locks.get(who), uses(state, who)
    lock = to[0] if to and to[1] not in own else next(iter(had.values()), "")
    return any(is_possible(state.combatants[who], had.values(), kind) for kind in ((lock,) if lock else KINDS))


def lock_of(state: MasterState, who: str) -> Derived[str]:
    """Return what somebody is locked to until its next turn; "none" if nothing."""
    to, flow = state.flow.ledger.locks.get(who), state.flow
    before = flow.before[who].lock if who in flow.before else None
    lifted = flow.took[who] if before and (to is None or before[0] != to[0]) else ()
    if to is None:
        return Derived("none", Because(kind_of.rules, lifted or (state.combatants[who].joined,)))
    since = [act for act in flow.own_acts.get(who, ()) if act.cost in IMMEDIATE and not state.precedes(act.seq, to[1])]
    alike = takewhile(lambda act: kind_of(act.cost) == to[0], since)
    return Derived(LOCKS[to[0]], Because(kind_of.rules, (*lifted, *(act.seq for act in alike))))


# ---------------------------------------------------------------- what can be broken

USED = (ActionTaken, Moved)


def _kind(act: Told) -> str:
    """Return the kind of immediate action that an act is; "" for another, and for one of somebody who cannot act at all."""
    used = act.act and act.act.cost in IMMEDIATE and can_act(act.state, act.act.who)
    return kind_of(act.act.cost) if act.act and used else ""


@checks_by(*EXCLUDES.values(), on=USED)
def nothing_else_is_used(state: MasterState, act: Told) -> Iterator[Fault]:
    """Yield another kind of immediate action while a lock to one lasts."""
    kind, lock = _kind(act), state.flow.ledger.locks.get(act.one.id)
    if kind and lock and lock[0] != kind and not act.is_granted(EXCLUDES[lock[0]]):
        says = f"{act.one.id} has used {WORDS[lock[0]]}: until its next turn begins it cannot use {WORDS[kind]}"
        yield Fault((EXCLUDES[lock[0]],), says, f"locked to {LOCKS[lock[0]]}", LOCKS[kind], lock[1:])


def surplus(state: MasterState, act: Told) -> str:
    """Return the rule by which a surplus immediate action is reported, under no lock to another kind; "" if lawful."""
    kind, who = _kind(act), act.one.id
    lock = state.flow.ledger.locks.get(who)
    if not kind or (lock and lock[0] != kind):
        return ""
    had, again = uses(state, who).values(), kind == OTHER and lock and uses_of(act.one, OTHER) < 2
    if not again and is_possible(act.one, had, kind):
        return ""
    if kind == OTHER or {*had} != {kind}:
        return ONE
    plain = kind == AOO and uses_of(act.one, AOO) == 1
    return "aoo.one-without-feats" if plain else "immediate.more-of-kind-by-grant"


@checks_by(ONE, "aoo.one-without-feats", "immediate.more-of-kind-by-grant", on=USED)
def there_is_one(state: MasterState, act: Told) -> Iterator[Fault]:
    """Yield an immediate action too many."""
    rule, had = surplus(state, act), uses(state, act.one.id)
    if rule and not act.is_granted(rule):
        says = f"{act.one.id} has used {WORDS[_kind(act)] if had else 'an immediate action'} already"
        yield Fault((rule,), says, "none left", "a further one", tuple(sorted(had)))


@check("held.spends-immediate", on=(ActionTaken, Moved))
def held_action_is_the_immediate_one(state: MasterState, act: Told) -> Breach | None:
    """Report a held action that is resolved after another immediate action of the round; a lock has a rule of its own."""
    lock = state.flow.ledger.locks.get(act.one.id)
    if not _kind(act) or act.act is None or act.act.cost != HELD or (lock and lock[0] != OTHER):
        return None
    if act.is_granted("held.spends-immediate"):
        return None
    had = tuple(uses(state, act.one.id))
    says = f"{act.one.id} has used its immediate action of this round"
    return Breach(says, "none left", "a held one", had) if had else None


@check("aoo.battle-prowess", on=ActionTaken)
def prowess_gives_strikes_only(_state: MasterState, act: Told) -> Breach | None:
    """Report another kind of immediate action for which a feat is cited that gives strikes."""
    named = act.event.action.granted_by or ""
    given = next((row["gives"] for row in rows("feat") if is_named(row["name"], named)), None)
    if not _kind(act) or given is None or given == _kind(act):
        return None
    return Breach(f"{act.event.action.granted_by} gives {WORDS[given]}", WORDS[given], WORDS[_kind(act)])
