"""Death saves: when they are due, what they show, and what follows."""

from __future__ import annotations

from collections.abc import Iterator

from eventstore.events import Fact, Healed, SaveRolled, TurnStarted
from projections.because import Because, Derived
from projections.folds.vitals import update_status
from projections.mechanics import tallies as marks
from projections.mechanics.pools import HP
from projections.occurrence import Occurrence
from projections.rulesets.faults import Fault, checks_by
from projections.rulesets.fifth_edition import figures
from projections.rulesets.fifth_edition.conditions import events_of, fall_prone
from projections.rulesets.fifth_edition.health.dying import decide_at_three, wake_up
from projections.rulesets.fifth_edition.health.kept_alive import doubt
from projections.rulesets.fifth_edition.rolls.dice import kept, shown_by
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.ruleset import Breach, check, derives
from projections.state import Combatant
from projections.time import Boundary


@derives("death-save.due", at=("turn began", "place passed"))
def death_save_falls_due(state: FifthState, turn: Boundary) -> None:
    """Let a dying combatant owe a death save as its turn begins."""
    body = state.body(turn.who)
    body.saved, body.turns = (), True
    body.owes = turn.seq if state.combatants[turn.who].status == "dying" and turn.kind == "turn began" else 0


@derives("death-save.due")
def owed(state: FifthState, who: str) -> Derived[str]:
    """Return the death save that a combatant owes, or none."""
    one, body = state.combatants[who], state.body(who)
    due = bool(body.owes) and not body.saved and one.status == "dying"
    saved = Derived(due, Because((), (*filter(None, (body.owes, *body.saved)),)))
    return Derived("death save" if due else "none", Because(owed.rules, (one.joined,), {}, (one.standing, saved)))


@derives("death-save.outcome", "death-save.one-and-twenty", "death-save.three", on=SaveRolled)
def death_save_is_rolled(state: FifthState, fact: Occurrence[SaveRolled]) -> None:
    """Count a death save as a success or a failure: a 1 is two failures, a 20 brings back a hit point."""
    event, one = fact.event, state.combatants[fact.event.combatant]
    if event.purpose != "death":
        return
    outcome, special, _ = death_save_is_rolled.rules
    state.death_saves[fact.seq] = one.id
    body = state.body(one.id)
    if one.status == "down":
        body.character = fact.seq
        update_status(state, one)
        fall_prone(state, one.id, fact.seq)
    body.saved = (*body.saved, fact.seq)
    made = outcome_of(event)
    if made is None:
        return
    if one.status != "dying":
        marks.add_reason(state.tallies, one.id, "successes" if made else "failures", one.standing)
        return
    shown = shown_by(event.die)
    body.why = (special,) if shown in (1, 20) else (outcome,)
    if shown == 20:
        state.restored_by[fact.seq] = one.id
        regain_one_point(state, one, fact.seq)
        return
    why = Because(body.why, (fact.seq,), {}, (one.standing,))
    marks.mark(state.tallies, one.id, "successes" if made else "failures", why, 2 if shown == 1 else 1)
    decide_at_three(state, one)


def regain_one_point(state: FifthState, one: Combatant, seq: int) -> None:
    """Let a combatant regain one hit point."""
    body, why = state.body(one.id), Because(("death-save.one-and-twenty",), (seq,), {}, (one.standing,))
    one.pools[HP].put(1, seq, (one.standing,))
    body.by, body.fallen = why.rules, why
    marks.clear(state.tallies, one.id, why)
    wake_up(state, one, why)
    update_status(state, one)


@derives("death-save.outcome")
def outcome_of(event: SaveRolled) -> bool | None:
    """Return whether a death save succeeds: with 10 or more, always on a 20, never on a 1; without a die, as stated."""
    if event.die is None:
        return event.succeeded if event.total is None else event.total >= 10
    shown = kept(event.die)
    return shown == 20 or (shown != 1 and shown + sum(each.amount for each in event.modifiers) >= 10)


def is_repeated(state: FifthState, fact: Occurrence[Fact]) -> bool:
    """Say whether recorded healing of 1 is the hit point that a death save of 20 has brought back already."""
    event = fact.event
    return isinstance(event, Healed) and event.amount == 1 and state.restored_by.get(fact.cause) == event.target


@checks_by("dead.out", "death-save.due", "death-save.outcome", on=SaveRolled)
def death_saves_are_right(state: FifthState, fact: Occurrence[SaveRolled]) -> Iterator[Fault]:
    """Yield that a death save is not due, or that its outcome is wrong; the dead make no saves at all."""
    event, one = fact.event, state.combatants[fact.event.combatant]
    if one.status == "dead":
        if not doubt(state, one):
            yield Fault(("dead.out",), f"{one.id} is dead", "no save", "a save", events_of(one.standing))
        return
    if event.purpose != "death":
        return
    body, rules = state.body(one.id), ("death-save.due",)
    if one.status not in ("dying", "down") and one.hp is not None:
        says = f"{one.id} is {one.status}, and owes no death save"
        yield Fault(rules, says, "none", "one", events_of(one.standing))
    elif body.saved and body.turns:
        yield Fault(rules, f"{one.id} has made its death save", "none", "another", body.saved)
    yield from wrong_outcome(event)


def wrong_outcome(event: SaveRolled) -> Iterator[Fault]:
    """Yield that the stated outcome of a death save is wrong, or that an ability is added."""
    made, rules = outcome_of(event), ("death-save.outcome",)
    for each in event.modifiers:
        if figures.ability(each.name) and each.amount:
            yield Fault(rules, "no ability is added to a death save", "none", each.name)
            return
    if event.succeeded not in (None, made):
        words, shown = {True: "a success", False: "a failure"}, event.total if event.die is None else kept(event.die)
        yield Fault(rules, f"{shown} is {words[bool(made)]}", words[bool(made)], words[bool(event.succeeded)])


@check("death-save.due", on=TurnStarted)
def death_saves_are_recorded(state: FifthState, _fact: Occurrence[TurnStarted]) -> tuple[Breach, ...]:
    if state.option("missing-facts") == "silent":
        return ()
    owing = [who for who in state.joined(state.turns.running) if owed(state, who).value != "none"]
    return tuple(
        Breach(f"{who} owes a death save", "a death save", "none", (state.body(who).owes,), "notice") for who in owing
    )
