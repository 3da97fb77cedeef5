"""Missing facts: those that other facts of a log call for, though no rule is broken without them.

They are the act or pass of a turn, the cause of an outcome, the end of an effect, the resolution of a declaration, and the dice of a roll.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct

from eventstore import events
from eventstore.events import ActionAbandoned, ActionDeclared, DamageDealt, EffectStarted, Fact, InitiativeRolled, Moved
from eventstore.shapes import Dice
from projections.fight import TimelineRow
from projections.folds.order import DUE, round_rows
from projections.folds.vitals import status_or_left
from projections.mechanics.acts import name_or_kind
from projections.occurrence import Occurrence, is_a
from projections.state import State
from projections.stream.causes import is_uncaused
from projections.time import Point

Kind = Literal["turn", "attack", "cause", "end", "resolution", "die"]
"""The kinds of missing facts: an act, the cause of damage, another cause, the end of an effect, a resolution, a die."""

ACTS = (
    events.ActionTaken, Moved, events.ActionHeld, ActionAbandoned, events.AttackRolled, events.TurnDelayed,
    events.TurnResumed, events.TurnEnded,
)  # fmt: skip
"""Facts by which a combatant uses the turn, or passes."""
ROLLS = (events.AttackRolled, events.SaveRolled, events.DiceRolled)
OVER = (events.TurnStarted, events.RoundStarted, events.RoundEnded, events.EncounterClosed)
"""Facts with which a running turn is over."""
WAITING, MOVES = ("delay", "hold"), ("move", "run")
"""Kinds of declared actions that any act of the combatant settles, or any move."""
NOTATION = re.compile(r"([0-9]{0,3})d[0-9]")


class Missing(Struct, frozen=True):
    """A missing fact: its kind, the event that calls for it with line and moment, and its combatant."""

    kind: Kind
    event: int
    line: int
    when: Point
    who: str | None
    says: str


class Completeness:
    """The collector of missing facts: `look` is called with each fact and the state before it."""

    def __init__(self) -> None:
        self.found: list[Missing] = []
        self._turns: dict[str, Occurrence[Fact]] = {}
        self._declared: list[Occurrence[ActionDeclared]] = []
        self._ties: dict[frozenset[str], Occurrence[InitiativeRolled]] = {}
        self._acted: set[str] = set()
        self._at_once: set[int] = set()
        self._rolled_off: set[str] = set()

    def observe_fact(self, state: State, fact: Occurrence[Fact]) -> None:
        """Record the facts that a fact calls for, and remove those that it supplies."""
        event = fact.event
        if any(boundary.kind == "round closed" for boundary in state.rules.schedule.crossed(state, fact)):
            self._close_round(state, fact)
        if isinstance(event, OVER):
            self._end_turns(state)
        if isinstance(event, events.TurnStarted):
            self._turns = dict.fromkeys((event.combatant, *event.together), fact)
        elif isinstance(event, DamageDealt | events.Healed):
            self._at_once.add(fact.cause)
        elif is_a(fact, ActionDeclared):
            self._declared.append(fact)
        elif is_a(fact, InitiativeRolled) and fact.event.tie_with:
            who = fact.event.combatant or fact.event.side or ""
            self._rolled_off |= {who, *fact.event.together}
            self._ties.setdefault(frozenset((who, *fact.event.tie_with)), fact)
        self._settle_declaration(state, fact)
        if is_uncaused(fact):
            self._check_cause(fact)
        for roller, says in _dice_lacking(event):
            self._add("die", fact, roller, says)

    def missing_facts(self, state: State) -> tuple[Missing, ...]:
        """Return all missing facts at the end, in the order of the events that call for them.

        An effect without a duration that did damage or healed is over at once, unless a combatant concentrates on it.
        """
        self._end_ties()
        for each in state.effects.values():
            past = state.closed or 0 < each.since.round < state.clock.round
            lasts = each.concentration or each.seq not in self._at_once
            if past and lasts and each.duration is None and not each.parent:
                on = f" on {each.bearer}" if each.bearer else ""
                says = f"no end of {each.name}{on}, which has no duration"
                line = state.amended.get(each.seq, each.seq)
                self.found.append(Missing("end", each.seq, line, each.since, each.bearer or None, says))
        return tuple(sorted(self.found, key=lambda one: state.place_of(one.event)))

    def _add(self, kind: Kind, fact: Occurrence[Fact], who: str | None, says: str) -> None:
        self.found.append(Missing(kind, fact.seq, fact.line, fact.point, who, says))

    def _check_cause(self, fact: Occurrence[Fact]) -> None:
        match fact.event:
            case DamageDealt(target=who):
                self._add("attack", fact, who, f"no attack, and no other cause, of the damage to {who}")
            case events.Healed(target=who):
                self._add("cause", fact, who, f"no cause of the healing of {who}")
            case EffectStarted(effect=name, targets=targets) | events.ConditionGained(condition=name, targets=targets):
                on = f" on {', '.join(targets)}" if targets else ""
                self._add("cause", fact, next(iter(targets), None), f"no cause of {name}{on}, and no source")

    # ------------------------------------------------------------ turns

    def _settle_declaration(self, state: State, fact: Occurrence[Fact]) -> None:
        """Record the acting combatant of a fact: its turn is used, and its declaration may be settled."""
        event = fact.event
        who = event.source if isinstance(event, EffectStarted) else getattr(event, "combatant", None)
        if who is None or not isinstance(event, (*ACTS, EffectStarted)):
            return
        self._turns.pop(who, None)
        self._acted.add(who)
        side = one.side if (one := state.combatants.get(who)) else ""

        def settles(declared: ActionDeclared) -> bool:
            own = who == declared.combatant or (declared.combatant is None and side == declared.side)
            return own and _settles_declaration(event, declared)

        self._declared = [each for each in self._declared if not settles(each.event)]

    def _end_turns(self, state: State) -> None:
        if not self._turns:
            return
        rows = (row for row in round_rows(state) if row.action != "turn")
        busy = {row.combatant for row in rows if row.status == "begun" or (row.until is not None and row.until.turn)}
        for who, fact in self._turns.items():
            if _is_up(state, who) and who not in busy:
                says = f"neither action nor pass in the turn of {who}"
                self.found.append(Missing("turn", fact.seq, fact.line, Point(state.clock.round), who, says))
        self._turns = {}

    def _close_round(self, state: State, fact: Occurrence[Fact]) -> None:
        """Record the combatants who had a place in a round without turns and did nothing, and unresolved declarations."""
        rows = round_rows(state)
        if not any(row.action == "turn" for row in rows):
            for who in dict.fromkeys(row.combatant for row in rows if row.status in (DUE, "lost")):
                is_busy = any(row.combatant == who and row.status not in (DUE, "lost") for row in rows)
                if who not in self._acted and _is_up(state, who) and not is_busy:
                    self._add("turn", fact, who, f"neither action nor pass of {who} in round {state.clock.round}")
        self._declared = [each for each in self._declared if self._is_still_possible(state, rows, each)]
        self._acted = set()
        self._end_ties()

    def _is_still_possible(self, state: State, rows: Iterable[TimelineRow], fact: Occurrence[ActionDeclared]) -> bool:
        """Return whether a declaration may still be carried out; if it could have been and was not, it is missing."""
        own = {row.status for row in rows if fact.seq in row.events}
        if own & {"begun", "held"}:
            return True
        event = fact.event
        who = event.combatant or event.side or ""
        able = _is_up(state, who) or any(one.side == who and _is_up(state, one.id) for one in state.here())
        if able and not own & {"spoiled", "withdrawn", "done"}:
            self._add("resolution", fact, who, f"{name_or_kind(event.action)} of {who} was declared and never resolved")
        return False

    # ------------------------------------------------------------ dice

    def _end_ties(self) -> None:
        """Record the combatants who never rolled in a roll-off; a roll in an earlier one may count against later ones."""
        for tied, fact in self._ties.items():
            for who in sorted(tied - self._rolled_off):
                self._add("die", fact, who, f"no die of {who} in a roll-off")
        self._ties = {}


def _is_up(state: State, who: str) -> bool:
    one = state.combatants.get(who)
    return one is not None and status_or_left(one).value == "up"


def _settles_declaration(event: Fact, declared: ActionDeclared) -> bool:
    """Return whether a fact of the same combatant carries out or gives up a declaration.

    Any act of a member carries out the declaration of a side, and any act a delay.
    """
    action = declared.action
    if declared.combatant is None or action.plain_kind in WAITING:
        return True
    match event:
        case events.ActionTaken():
            return event.action.plain_kind == action.plain_kind or event.action.name == action.name is not None
        case EffectStarted():
            return event.effect == name_or_kind(action)
        case ActionAbandoned():
            return event.name in (None, name_or_kind(action))
    return isinstance(event, Moved) and action.plain_kind in MOVES


def _dice_lacking(event: Fact) -> Iterator[tuple[str | None, str]]:
    """Yield the dice that a roll lacks with their combatants: the whole roll, or the missing faces."""
    yield from _rollers_without_result(event)
    for who, dice in _rolled_dice(event):
        promised = NOTATION.match(dice.notation)
        count = int(promised[1] or 1) if promised else 0
        if len(dice.faces) < count:
            yield who, f"{len(dice.faces)} of the {count} faces of {dice.notation}"


def _rollers_without_result(event: Fact) -> Iterator[tuple[str | None, str]]:
    """Yield the combatants of a roll for whom neither die nor result was recorded."""
    if isinstance(event, events.ContestRolled):
        for one in event.contenders:
            if one.die is None and one.check is None and one.total is None:
                yield one.combatant, f"no die of {one.combatant} in the contest"
    elif isinstance(event, InitiativeRolled):
        if event.die is None and event.check is None and event.total is None:
            who = event.combatant or event.side
            yield who, f"no die in the initiative of {who}"
    elif isinstance(event, ROLLS) and event.die is None and event.total is None:
        whose = f" of {event.combatant}" if event.combatant else ""
        yield event.combatant, f"no die in the roll{whose}"


def _rolled_dice(event: Fact) -> Iterator[tuple[str | None, Dice]]:
    if isinstance(die := getattr(event, "die", None), Dice):
        yield getattr(event, "combatant", None), die
    if isinstance(event, DamageDealt):
        yield from ((event.source, part.dice) for part in event.parts if part.dice)
    if isinstance(event, events.ContestRolled):
        yield from ((each.combatant, each.die) for each in event.contenders if isinstance(each.die, Dice))
