"""What a line is told against: the state, and what people declared and did last; how the clock moves with a line."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct, field

from eventstore.events import (
    ActionAbandoned,
    ActionDeclared,
    ActionHeld,
    ActionTaken,
    AttackRolled,
    EffectStarted,
    Fact,
    RoundEnded,
    RoundStarted,
    Struck,
)
from eventstore.shapes import Action
from projections.folds.order import names_in_order, order_of, rows_of, who_is_due
from projections.judging.known_words import known
from projections.occurrence import Occurrence
from projections.state import Combatant, State

Values = dict[str, Any]


class Memory(Struct):
    """What the corrected stream said last: declarations that still stand, acts, targets, names of attacks; and the lines told.

    `named` are the names of all actions so far, in lower case; `lines` the first and last record of each line, the earliest first.
    """

    declared: dict[str, Action] = {}
    aimed: dict[str, str] = {}
    used: dict[str, str] = {}
    begun: dict[str, Action] = {}
    named: set[str] = set()
    lines: list[tuple[int, int]] = field(default_factory=list)

    def watch(self, _state: State, fact: Occurrence[Any]) -> None:
        """Take in a fact of the corrected stream."""
        event = fact.event
        if isinstance(event, ActionDeclared | ActionHeld | ActionTaken) and event.action and event.action.name:
            self.named.add(event.action.name.casefold())
        if isinstance(event, ActionDeclared):
            self.declared[event.combatant or event.side or ""] = event.action
        elif isinstance(event, ActionTaken):
            self._acts(event)
        elif isinstance(event, ActionAbandoned):
            self.declared.pop(event.combatant, None)
        elif isinstance(event, AttackRolled) and event.target:
            self.aimed[event.combatant] = event.target
        elif isinstance(event, EffectStarted):
            self.begun.pop(event.source or "", None)
        elif isinstance(event, RoundStarted | RoundEnded):
            self.declared.clear()

    def _acts(self, event: ActionTaken) -> None:
        action = event.action
        self.declared.pop(event.combatant, None)
        if action.kind == "attack":
            if action.targets:
                self.aimed[event.combatant] = action.targets[0]
            if action.name:
                self.used[event.combatant] = action.name
        else:
            self.begun[event.combatant] = action


class Scene(Struct, frozen=True):
    """The state that a viewer would see, and what a line may leave out because it was said before.

    `roll` turns dice into faces, such as d20 into d20:14, where they are rolled here; without it dice need their faces.
    Of the present line, `rolled` are the throws by their places in it, and `assumed` the fields whose values go without saying.
    """

    state: State
    memory: Memory = field(default_factory=Memory)
    roll: Callable[[str], str] | None = None
    rolled: dict[int, str] = field(default_factory=dict)
    assumed: set[str] = field(default_factory=set)


COMMON_KINDS = frozenset({"attack", "cast", "talk", "move", "other"})


def kinds(state: State) -> frozenset[str]:
    """Return the kinds of action that the ruleset knows."""
    return known(state.rules.rules).kinds or COMMON_KINDS


def weapon_of(scene: Scene, who: str) -> str | None:
    """Return the weapon that somebody attacks with if nothing is said: the sheet's, else the one used last."""
    one = scene.state.combatants[who]
    held = getattr(one.sheet, "wielding", {}).get("primary")
    return held or next(iter(weapons(one)), None) or scene.memory.used.get(who)


def entry_of(one: Combatant, name: str) -> Any:
    """Return the entry of a sheet (a spell, trait or item) of this name, or None."""
    entries = getattr(one.sheet, "entries", ())
    return next((each for each in entries if each.name.casefold() == name.casefold()), None)


def weapons(one: Combatant) -> list[str]:
    """Return the names of the weapons on a sheet."""
    named = [each.name for each in getattr(one.sheet, "weapons", ())]
    own = getattr(one.sheet, "weapon", None)
    return [*named, own] if own else named


def named_kind(scene: Scene, who: str, name: str) -> str | None:
    """Return the kind of action that a name on somebody's sheet, or one used before, stands for; None if it is unknown."""
    one = scene.state.combatants.get(who)
    if one is None:
        return None
    if entry := entry_of(one, name):
        kind = getattr(entry, "kind", None)
        return kind if kind in kinds(scene.state) else "cast"
    said = {each.casefold() for each in (*weapons(one), scene.memory.used.get(who, ""))}
    if name.casefold() in said:
        return "attack"
    declared = declared_by(scene, who)
    return declared.kind if declared and (declared.name or "").casefold() == name.casefold() else None


def is_named(scene: Scene, name: str) -> bool:
    """Say whether anybody's sheet, or an action told before, has this name of a weapon, a spell or an item."""
    everybody = scene.state.combatants.values()
    on_sheets = any(entry_of(one, name) or name.casefold() in map(str.casefold, weapons(one)) for one in everybody)
    return on_sheets or name.casefold() in scene.memory.named


def declared_by(scene: Scene, who: str) -> Action | None:
    """Return what somebody, or their side, declared in this round and has not done."""
    declared, side = scene.memory.declared, scene.state.combatants[who].side
    return declared.get(who) or declared.get(side)


def foe_of(scene: Scene, who: str) -> str | None:
    """Return whom somebody attacks if nothing is said: the last target, else the only one of another side who is up."""
    state = scene.state
    last = scene.memory.aimed.get(who)
    if last and not state.combatants[last].left:
        return last
    foes = [one.id for one in state.here() if one.side != state.combatants[who].side]
    return foes[0] if len(foes) == 1 else None


class Gap(Exception):
    """The error that something was left out which nothing before says: why, and what to write."""

    def __init__(self, why: str, hint: str) -> None:
        self.why, self.hint = why, hint
        super().__init__(why)


# ---------------------------------------------------------------- the clock


def next_up(state: State) -> str | None:
    """Return whose turn comes next: the first who is due, else, between rounds, the first of the order."""
    due = who_is_due(state).value
    if due or state.closed:
        return due[0] if due else None
    order = names_in_order(state)
    return order[0][0] if order else None


def clock_facts(scene: Scene, clock: str, who: str) -> list[dict[str, Any]]:
    """Return the facts that move the clock to where somebody acts, if that is later than now."""
    state = scene.state
    if clock == "turn":
        return _turn(state, who)
    slot = next((slot for slot in order_of(state) if who in slot.combatants), None) if state.clock.open else None
    if slot is None:
        return []
    if clock == "segment":
        is_later = slot.segment is not None and slot.segment > state.clock.point.segment
        return [{"type": "segment_reached", "segment": slot.segment}] if is_later else []
    slots = state.rules.schedule.slots(state)
    later = slots[slots.index(state.clock.phase) + 1 :] if state.clock.phase in slots else slots
    strikes = slot.phase in later and not _is_of_work(state, who, slot.phase)
    return [{"type": "phase_reached", "phase": slot.phase}] if strikes else []


def _is_of_work(state: State, who: str, phase: str | None) -> bool:
    """Say whether somebody's work completes in a slot, or was to: that is not where it strikes meanwhile."""
    return any(row.combatant == who and row.phase == phase and row.due is not None for row in rows_of(state))


def closing(scene: Scene) -> list[dict[str, Any]]:
    """Return the end of the round that is open, if one is."""
    clock = scene.state.clock
    return [{"type": "round_ended", "round": clock.round}] if clock.open else []


def _turn(state: State, who: str) -> list[dict[str, Any]]:
    if who == state.clock.turn or who in state.clock.together:
        return []
    return [{"type": "turn_started", "combatant": who}] if next_up(state) == who else []


def undone(scene: Scene, reason: str | None = None) -> list[Fact]:
    """Return strikes of all records of the last line that still stands; raise Gap if there is none."""
    for first, last in reversed(scene.memory.lines):
        standing = [seq for seq in range(first, last + 1) if seq not in scene.state.struck_by]
        if standing:
            return [Struck(event=seq, reason=reason) for seq in reversed(standing)]
    raise Gap("there is nothing to take back", "only lines since the combatants joined")
