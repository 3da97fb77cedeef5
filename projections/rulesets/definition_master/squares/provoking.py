"""Provocations: who may strike at somebody for leaving a square or for an act, and what a strike may not answer, or too late."""

from collections.abc import Iterator
from itertools import takewhile

from eventstore.events import ActionDeclared, ActionTaken, AttackRolled, Moved
from eventstore.shapes import Square
from projections.address import NOTHING
from projections.because import Because, Derived
from projections.mechanics.grants import words
from projections.mechanics.squares import left_squares
from projections.occurrence import Occurrence
from projections.rulesets.definition_master.acts.acts import AOO, FREE, IMMEDIATE, MOVE, SWIFT, act_at, entry_of, seqs
from projections.rulesets.definition_master.attacks.wield import shoots
from projections.rulesets.definition_master.reading import Told
from projections.rulesets.definition_master.squares.ground import (
    foes,
    no_threat,
    reach,
    square_of,
    threat,
    threatens,
)
from projections.rulesets.definition_master.state import Act, MasterState
from projections.rulesets.definition_master.state_of_combat import Opening
from projections.rulesets.definition_master.table import Row, faults_of, row, table
from projections.rulesets.faults import Fault, checks_by
from projections.rulesets.ruleset import derives
from projections.time import Boundary

STEP = "step"
LIKE = {"pick-up": "fetch-item"}
"""Kinds of acts that provoke as another one does."""
SHOT = "ranged-attack"
WAYS = ("charge",)
"""Acts that provoke only by their way."""
HELD_SO = "immediate.three-kinds"
"""The clause by which a held attack is no attack of opportunity."""
LEAVING, STEPPING = "move.leaving-threat-provokes", "step.never-provokes"
NOTHING_PROVOKED, OTHER = "aoo.on-leaving-threat", "aoo.other-provocations"
FROM_DEFENDER, SHOOTING = "maneuver.provokes-from-defender", "ranged.provokes-when-threatened"


@derives("aoo.on-leaving-threat", at=("round opened", "turn began", "turn resumed"))
def earlier_ones_close(state: MasterState, boundary: Boundary) -> None:
    """Close what foes could strike at in earlier turns."""
    if boundary.kind == "round opened":
        state.combat.openings.clear()


# ---------------------------------------------------------------- moves


@derives("move.leaving-threat-provokes", "step.never-provokes", on=Moved)
def way_provokes(state: MasterState, fact: Told) -> None:
    """Open a move to strikes by every foe who threatens a square that it leaves; a step and a push open none."""
    leaving, step = way_provokes.rules
    event: Moved = fact.event
    careful = (event.mode or "").casefold() == STEP
    to = {} if careful or event.forced else leavers(state, event.combatant, event.path, fact.seq)
    state.combat.openings[fact.seq] = Opening(fact.seq, event.combatant, to, step if careful else leaving)


def leavers(state: MasterState, who: str, path: tuple[Square, ...], seq: int) -> dict[str, Derived[int | None]]:
    """Return for each foe how many of the squares that a path leaves it threatens; None where nobody can say."""
    left, found = left_squares(path), dict[str, Derived[int | None]]()
    if not left:
        return {foe: threat(state, foe).unknown for foe in foes(state, who)}
    for foe in foes(state, who):
        answers = [threatens(state, foe, square) for square in left]
        known = all(each.value is not None for each in answers)
        count = sum(bool(each.value) for each in answers) if known else None
        because = [each for each in answers if each.value] or answers[:1]
        found[foe] = Derived(count, Because((LEAVING,), (seq,), of=tuple(because)))
    return found


# ---------------------------------------------------------------- acts


@derives(OTHER, SHOOTING, FROM_DEFENDER, on=(ActionTaken, ActionDeclared, AttackRolled))
def act_provokes(state: MasterState, fact: Told) -> None:
    """Open an act to strikes by every foe who threatens its doer, or by the one whom it is aimed at.

    What was declared before is opened once, as it was declared.
    """
    act: Act | None = fact.act
    if act is None or act.cost == AOO:
        return
    if act.declared in state.combat.openings:
        state.combat.openings[fact.seq] = state.combat.openings[act.declared]
        return
    if act.kind in WAYS and act.action.square is not None and act.square is not None:
        to = leavers(state, act.who, (act.square, act.action.square), fact.seq)
        state.combat.openings[fact.seq] = Opening(fact.seq, act.who, to, LEAVING)
        return
    to = {foe: _threat(state, foe, act) for foe in _strikers(state, act)}
    state.combat.openings[fact.seq] = Opening(fact.seq, act.who, to, rule_of(state, act))


def _threat(state: MasterState, foe: str, act: Act) -> Derived[int | None]:
    barred = no_threat(state, foe)
    comes = act.kind == "trample" and not barred.value
    found = Derived(True, barred.because) if comes else threatens(state, foe, act.square)
    stood = (state.combat.stood[act.who],) if act.who in state.combat.stood else ()
    named = act.action.targets or not is_from_defender(state, act)
    value = int(found.value) if named and found.value is not None else None
    return Derived(value, Because((OTHER,), (*stood, act.seq), of=(found,)))


def row_of_act(state: MasterState, act: Act) -> Row | None:
    """Return the row of the table that says what an act provokes; a shot has its own, however it is told."""
    shot = act.kind == "attack" and "melee" not in act.action.manner and shoots(state, act.who, act.action.name)
    return row("action", SHOT if shot else LIKE.get(act.kind, act.row))


def _strikers(state: MasterState, act: Act) -> Iterator[str]:
    """Yield those whom an act may open its doer to, wherever they stand."""
    if not provokes(state, act):
        return
    every = act.kind == "grapple" and state.option("grapple-provokes") == "all-who-threaten"
    named = is_from_defender(state, act) and act.action.targets and not every
    yield from act.action.targets if named else foes(state, act.who)


def is_from_defender(state: MasterState, act: Act) -> bool:
    """Say whether only those whom an act is aimed at may strike at it."""
    found = row_of_act(state, act)
    return found is not None and found.get("from") == "defender"


@derives("swift.never-provokes", "touch.melee-spell-quiet", "casting.standard-provokes")
def provokes(state: MasterState, act: Act) -> bool:
    """Say whether an act provokes by itself: as its entry says, else as the table does; a swift one never."""
    if act.cost == SWIFT or act.kind in WAYS:
        return False
    entry = entry_of(state.combatants[act.who], act.action)
    said = {word for each in (entry.attributes if entry else ()) for word in words(each)}
    if {"provokes", "provoke", "quiet"} & said:
        return not ({"not", "no", "never", "quiet", "doesn"} & said)
    manners = {*act.action.manner, *(entry.manner if entry else ())}
    if act.kind == "cast" and "melee-touch" in {each.casefold() for each in manners}:
        return False
    found = row_of_act(state, act)
    return bool(found and found["provokes"])


def rule_of(state: MasterState, act: Act) -> str:
    """Return the clause by which an act provokes, or by which it does not."""
    found = row_of_act(state, act)
    if not provokes(state, act):
        if act.cost == SWIFT and act.kind != "drink":
            return "swift.never-provokes"
        return str(table("quiet").get(act.kind, OTHER))
    if is_from_defender(state, act):
        return FROM_DEFENDER
    return SHOOTING if found and found["name"] == SHOT else OTHER


# ---------------------------------------------------------------- strikes


def target_of(act: Act) -> str:
    """Return whom an act is aimed at, if it is one."""
    return act.action.targets[0] if act.action.targets else ""


def opening_of(state: MasterState, act: Act) -> Opening | None:
    """Return what a strike answers: what it names as its trigger, else the last thing that it may answer."""
    openings = state.combat.openings
    if act.trigger:
        behind = act_at(state, act.trigger)
        found = openings.get(act.trigger) or openings.get(behind.seq if behind else 0)
        return _way(state, found) if found else None
    own = [each for each in openings.values() if each.who == target_of(act)]
    fitting = [each for each in own if each.to.get(act.who, NOBODY).value != 0]
    return next(iter((*reversed(fitting), *reversed(own))), None)


NOBODY: Derived[int | None] = Derived(0, Because())


def _way(state: MasterState, opening: Opening) -> Opening:
    """Return the way of an act that provokes only by it, if that has been told."""
    act = state.flow.acts.get(opening.seq)
    if act is None or act.kind not in WAYS or opening.to:
        return opening
    ways = (seq for seq, cause in state.flow.carried.items() if cause == act.seq)
    return next((state.combat.openings[seq] for seq in ways), opening)


def answered(state: MasterState, who: str, opening: Opening) -> int:
    """Return how often somebody has struck at the same thing before."""
    own = (opening_of(state, each) for each in state.round.acts if each.who == who and each.cost == AOO)
    return sum(each is not None and each.seq == opening.seq for each in own)


def why_not(state: MasterState, act: Act) -> tuple[str, ...]:
    """Return the clauses by which a strike is not allowed; none if it is."""
    barred = no_threat(state, act.who)
    if barred.value:
        return (barred.value,)
    opening = opening_of(state, act)
    if opening is None or (target_of(act) and target_of(act) != opening.who):
        return (NOTHING_PROVOKED,)
    if isinstance(fact := state.moments.get(opening.seq), Occurrence) and getattr(fact.event, "forced", False):
        return ()
    allowed = opening.to.get(act.who, NOBODY).value
    if allowed == 0 or not answers_square(state, act, opening):
        return tuple(_unprovoked(state, act, opening))
    if state.option("strikes-per-move") == "once":
        allowed = 1
    if allowed is not None and answered(state, act.who, opening) >= allowed:
        return (NOTHING_PROVOKED if opening.rule == LEAVING else OTHER,)
    return ()


def answers_square(state: MasterState, act: Act, opening: Opening) -> bool:
    """Say whether the square that a strike names is one that the move left and the striker threatens."""
    square, fact = act.action.square, state.moments.get(opening.seq)
    path = getattr(fact.event, "path", ()) if fact else ()
    if square is None or not path:
        return True
    return square in left_squares(path) and threatens(state, act.who, square).value is not False


def _unprovoked(state: MasterState, act: Act, opening: Opening) -> Iterator[str]:
    """Yield the clauses by which something does not let somebody strike."""
    known = square_of(state, act.who) is not None
    yield opening.rule
    if opening.rule in (LEAVING, OTHER) and known and act.who in opening.to:
        far = reach(state, act.who).value
        yield far.rule if far.rule != "size.modifiers-vary" else opening.rule


@checks_by(*faults_of("strike"), on=ActionTaken)
def nothing_unprovoked(state: MasterState, fact: Told) -> Iterator[Fault]:
    """Yield by which clauses a strike is not allowed; one that was held and is told as a strike is only that."""
    act: Act | None = fact.act
    if act is None or act.cost != AOO:
        return
    opening, barred, why = opening_of(state, act), no_threat(state, act.who), why_not(state, act)
    armed = state.flow.triggers.armed.get(act.who)
    if why and armed and armed.action and armed.action.kind.casefold() == act.kind:
        says = f"what {act.who} held is an immediate action of the third kind"
        yield Fault((HELD_SO,), says, "a held action", "an attack of opportunity", (armed.seq,))
        return
    for rule in why:
        if not fact.is_granted(rule):
            shown = barred.because.flat().events if barred.value == rule else (opening.seq,) if opening else ()
            says = f"{act.who} may not strike at {target_of(act) or 'anybody'} here"
            yield Fault((rule,), says, "no strike", "a strike", shown)
    if opening and not why and not fact.is_granted(NOTHING_PROVOKED):
        yield from _too_late(state, opening)


def _too_late(state: MasterState, opening: Opening) -> Iterator[Fault]:
    """Yield a strike at what was done before something else: in an earlier turn, or before a further act of the turn."""
    after = takewhile(lambda act: state.precedes(opening.seq, act.seq), reversed(state.round.acts))
    since, began = [each for each in after if each.cost not in (*IMMEDIATE, FREE)], state.clock.turn_event
    if since or (began and not state.precedes(began, opening.seq)):
        says, later = f"the moment of event {opening.seq} has gone by", seqs(since[-1:]) or (began,)
        yield Fault((NOTHING_PROVOKED,), says, "at once", "later", (opening.seq, *later))


def may_strike(state: MasterState, who: str) -> Derived[object]:
    """Return those who may strike at somebody for what it did last in this round."""
    last = next((each for each in reversed(state.combat.openings.values()) if each.who == who), None)
    if last is None:
        return Derived(NOTHING, Because((NOTHING_PROVOKED,), (state.combatants[who].joined,)))
    to = [foe for foe, times in last.to.items() if times.value]
    opened = Derived(last.seq, Because((), (last.seq,)))
    return Derived(to or NOTHING, Because((last.rule, *_beside(state, last)), of=(opened, *last.to.values())))


@derives("aoo.on-leaving-threat", "move-action.what-it-buys")
def _beside(state: MasterState, opening: Opening) -> tuple[str, ...]:
    """Return the clause that says in general what opens somebody to strikes: leaving a square, or a move action."""
    act = state.flow.acts.get(opening.seq)
    leaving, buys = _beside.rules
    moves = act is None or act.kind in ("move", "step")
    return (leaving,) if moves else (buys,) if act and act.cost == MOVE else ()
