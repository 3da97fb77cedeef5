"""Immediate actions: three kinds that exclude one another until the combatant's next turn, and one use a round."""

from collections.abc import Collection, Iterable, Iterator
from itertools import takewhile

from eventstore.events import ActionTaken, Fact, Moved
from projections.because import Because, Derived
from projections.fight import Combatant
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check, derives
from projections.rulesets.definition_master import acts
from projections.rulesets.definition_master.acts import acts_since_turn, kind_of
from projections.rulesets.definition_master.order import taken_by
from projections.rulesets.definition_master.reading import Reading
from projections.rulesets.definition_master.state import MasterAct, MasterState
from projections.rulesets.definition_master.table import rows
from projections.rulesets.definition_master.vitals import can_act

WORDS, LOCKS, EXCLUDES = ({row["kind"]: row[each] for row in rows("immediate")} for each in ("called", "lock", "rule"))
"""The words for each kind, the words for a lock to it, and the clauses that let it bar the other kinds."""
ONE, ONE_STRIKE = "immediate.one-per-round", "aoo.one-without-feats"
BY_GRANT, SPENDS = "immediate.more-of-kind-by-grant", "held.spends-immediate"


@derives("immediate.more-of-kind-by-grant", "aoo.battle-prowess")
def uses_of(one: Combatant, kind: str) -> int:
    """Return the number of uses of a kind that a combatant has in a round: one, and those of its feats."""
    feats: dict[str, int] = one.sheet.feats
    given = [(number, row) for name, number in feats.items() for row in rows("feat") if is_named(row["name"], name)]
    return 1 + sum(max(0, number - int(row["first"])) for number, row in given if row["gives"] == kind)


def is_named(feat: str, name: str) -> bool:
    """Say whether a feat of the sheet is this one of the table, with or without further words."""
    return feat in "-".join(name.casefold().split())


def immediate_kinds(state: MasterState, those: Iterable[MasterAct]) -> dict[int, str]:
    """Return the kinds of the immediate actions among some acts, by record."""
    return {act.seq: kind_of(act.cost) for act in those if acts.is_immediate(state, act)}


@derives(ONE, "immediate.three-kinds")
def uses(state: MasterState, who: str) -> dict[int, str]:
    """Return the kinds of the immediate actions that a combatant has used in this round or, by option, since its turn
    began.
    """
    if state.option("immediate-clock") == "own-turn":
        return immediate_kinds(state, acts_since_turn(state, who))
    return dict(state.round.immediate.get(who, {}))


@derives("immediate.three-kinds")
def lock(state: MasterState, who: str) -> tuple[str, int] | None:
    """Return the kind to which a combatant is locked until its next turn, and the record of its first use since the
    last.
    """
    return next(
        ((kind_of(act.cost), act.seq) for act in acts_since_turn(state, who) if acts.is_immediate(state, act)), None
    )


@derives(ONE, "immediate.more-of-kind-by-grant", "immediate.any-time", "full-round.free-and-immediate-stay")
def is_possible(one: Combatant, had: Collection[str], kind: str) -> bool:
    """Say whether one more of a kind is possible after immediate actions of these kinds in the round, apart from the
    lock.
    """
    return not had or ({*had} == {kind} and len(had) < uses_of(one, kind))


def left(state: MasterState, who: str) -> Derived[int]:
    """Return 1 if one more immediate action is possible, of the kind of an earlier lock or of the first of this round,
    else 0.

    The reason cites the actions that used it up.
    """
    rules = (*is_possible.rules, "aoo.battle-prowess")
    had, locked, one = uses(state, who), lock(state, who), state.combatants[who]
    earlier = locked[0] if locked and locked[1] not in had else ""

    def is_left(used: list[str]) -> bool:
        return is_possible(one, used, earlier or next(iter(used), ""))

    if is_left([*had.values()]):
        by_turn = state.option("immediate-clock") == "own-turn"
        since = (
            state.flow.began(who)
            if by_turn and immediate_kinds(state, state.flow.own_acts.get(who, ())).keys() - had
            else 0
        )
        return Derived(1, Because(rules, (since or one.joined,)))
    alone = [seq for seq in had if is_left([kind for each, kind in had.items() if each != seq])]
    own = [*had.values()]
    by_lock = (locked[1],) if locked and earlier and is_possible(one, own, own[0]) else ()
    return Derived(0, Because(rules, (*(alone or had), *by_lock)))


def lock_of(state: MasterState, who: str) -> Derived[str]:
    """Return the kind to which a combatant is locked until its next turn; "none" if it is not locked."""
    now, kept = (
        immediate_kinds(state, those) for those in (acts_since_turn(state, who), state.flow.own_acts.get(who, ()))
    )
    to, first = (next(iter(each.values()), "") for each in (now, kept))
    turn = taken_by(state, who) if first not in ("", to) else ()
    if not to:
        began = state.flow.began(who) if turn else state.combatants[who].joined
        return Derived("none", Because(kind_of.rules, (began,), of=(Derived(None, Because((), turn)),)))
    alike = takewhile(lambda seq: now[seq] == to, now)
    return Derived(LOCKS[to], Because(kind_of.rules, (*turn, *alike)))


# ---------------------------------------------------------------- faults


def _kind(act: Reading[Fact]) -> str:
    """Return the kind of an immediate action; "" for another act, and for a combatant who cannot act at all."""
    done = act.act
    if done is None or done.cost not in acts.IMMEDIATE or not can_act(act.state, done.combatant):
        return ""
    return kind_of(done.cost)


@checks_by(*EXCLUDES.values(), ONE, ONE_STRIKE, BY_GRANT, SPENDS, on=(ActionTaken, Moved))
def immediate_actions_are_limited(state: MasterState, act: Reading[ActionTaken | Moved]) -> Iterator[Fault]:
    """Yield a fault for an immediate action of another kind during a lock, and for one too many; a held action after
    another kind breaks its own clause.
    """
    if not (kind := _kind(act)):
        return
    who, had, locked = act.one.id, uses(state, act.one.id), lock(state, act.one.id)
    if locked and locked[0] != kind:
        rule, says = EXCLUDES[locked[0]], f"until its next turn begins it cannot use {WORDS[kind]}"
        if not act.is_granted(rule):
            says = f"{who} has used {WORDS[locked[0]]}: {says}"
            yield Fault((rule,), says, f"locked to {LOCKS[locked[0]]}", LOCKS[kind], locked[1:])
    elif rule := surplus(act.one, kind, had.values(), again=bool(locked)):
        held = act.taken.cost == acts.HELD and {*had.values()} != {kind}
        if not any(map(act.is_granted, {rule, SPENDS} if held else {rule})):
            says = f"{who} has used {WORDS[next(iter(had.values()), acts.OTHER)]} already"
            yield Fault((SPENDS if held else rule,), says, "none left", "a further one", tuple(had))


def surplus(one: Combatant, kind: str, had: Collection[str], *, again: bool) -> str:
    """Return the rule that forbids one more of a kind after those of the round; `again` if the lock is to it; "" if it
    is lawful.
    """
    if is_possible(one, had, kind) and not (again and kind == acts.OTHER and uses_of(one, acts.OTHER) == 1):
        return ""
    if kind == acts.OTHER or {*had} != {kind}:
        return ONE
    return ONE_STRIKE if kind == acts.AOO and uses_of(one, acts.AOO) == 1 else BY_GRANT


@check("aoo.battle-prowess", on=ActionTaken)
def prowess_gives_strikes_only(_state: MasterState, act: Reading[ActionTaken]) -> Breach | None:
    named = act.event.action.granted_by or ""
    given = next((row["gives"] for row in rows("feat") if is_named(row["name"], named)), None)
    if not _kind(act) or given is None or given == _kind(act):
        return None
    return Breach(f"{act.event.action.granted_by} gives {WORDS[given]}", WORDS[given], WORDS[_kind(act)])
