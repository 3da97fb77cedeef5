"""The context in which a line is read: the state, the last declarations and deeds, and the moves of the clock with a line."""

from collections.abc import Callable

from msgspec import Struct, field

from eventstore import events
from eventstore.events import Fact
from eventstore.shapes import Action
from projections.fight import Combatant
from projections.folds.moves import STILL
from projections.folds.order import combatants_of_roll
from projections.judging.known_words import known
from projections.language.notation import forms
from projections.occurrence import Occurrence
from projections.open_types import Fields, Json
from projections.ruleset.schedule import ClockMove
from projections.state import State
from projections.stream.corrections import absolute
from projections.stream.placing import MOMENTARY, place_in_time

ClockFact = (
    events.RoundStarted
    | events.RoundEnded
    | events.TurnStarted
    | events.TurnEnded
    | events.PhaseReached
    | events.SegmentReached
)
"""The facts by which the clock moves."""
SPEAKING = ("talk", "speak")
"""The kinds of action that leave a declared or begun act as it is."""


MOST_KEPT = 200
"""How many of the last deeds are kept with their facts, for corrections."""


class Memory(Struct):
    """The latest facts of the corrected stream that a line may refer to, and the typed lines."""

    declared: dict[str, Action] = {}
    """The declarations that still stand, by combatant or side."""
    aimed: dict[str, str] = {}
    """The last target of each combatant."""
    used: dict[str, str] = {}
    """The weapon that each combatant last attacked with."""
    begun: dict[str, Action] = {}
    """The last act of each combatant that may have an effect, by a name or its time, and is no attack, until that begins or it is given up."""
    began: dict[str, int] = {}
    """The records of these acts."""
    named: dict[str, str] = {}
    """The names of all actions and conditions so far, in lower case, each with the kind of act, or "condition"."""
    taught: dict[str, tuple[str, int]] = {}
    """The words that were taught: each with the word that it means, and the record that says so."""
    lines: list[tuple[int, int]] = field(default_factory=list)
    """The first and last record of each line, the earliest first."""
    rolled: bool = False
    """Whether initiative was rolled since the round began."""
    begins: bool = False
    """Whether the beginning of a round was recorded."""
    deeds: list[int] = field(default_factory=list)
    """The records that ^ counts: all that was done by a combatant, or to one."""
    latest: dict[int, Occurrence[Fact]] = {}
    """The last of these facts, and of those by which somebody leaves or is ruled to be dead, in whatever round, by their records."""
    open: dict[str, tuple[int, Action]] = {}
    """The acts of the round with one target and no result yet, with their records, by actor, until that one has another turn."""
    placed: set[str] = set()
    """The combatants with initiative, and the sides with that of the round."""
    held: dict[str, Action | None] = {}
    """The acts that combatants hold ready (None: unknown), until they do it or have another turn."""
    kept_up: set[str] = set()
    """The names of the effects that anybody has concentrated on so far, in lower case."""

    def take_fact(self, state: State, fact: Occurrence[Fact]) -> None:
        """Take in a fact of the corrected stream."""
        event = fact.event
        self._keep_initiative(state, event)
        self._keep_correctable(fact)
        self._keep_names(fact)
        self._keep_held(event)
        if isinstance(event, events.InitiativeRolled | events.RoundStarted):
            self.rolled = isinstance(event, events.InitiativeRolled)
            self.begins = self.begins or not self.rolled
        if isinstance(event, events.ActionDeclared):
            self.declared[event.combatant or event.side or ""] = event.action
        elif isinstance(event, events.ActionTaken):
            self._keep_act(state, event, fact.seq)
        elif isinstance(event, events.ActionAbandoned):
            self.declared.pop(event.combatant, None)
        elif isinstance(event, events.AttackRolled | events.DamageDealt) and event.target:
            self._keep_strike(event)
        elif isinstance(event, events.EffectStarted):
            self._begins_effect(event)
        elif isinstance(event, events.RoundStarted | events.RoundEnded):
            self.declared.clear()
            self.open.clear()
        elif isinstance(event, events.TurnStarted):
            self.open.pop(event.combatant, None)
            self.held.pop(event.combatant, None)

    def _keep_correctable(self, fact: Occurrence[Fact]) -> None:
        """Keep a fact that a line may correct, which is a deed or not, and forget the oldest one that is kept."""
        if type(fact.event) in MOMENTARY:
            self.deeds.append(fact.seq)
        elif not isinstance(fact.event, events.CombatantLeft | events.RulingMade):
            return
        self.latest[fact.seq] = fact
        if len(self.latest) > MOST_KEPT:
            del self.latest[next(iter(self.latest))]

    def _keep_initiative(self, state: State, event: Fact) -> None:
        """Record who has initiative. Newcomers have none, and where sides roll, nobody has as a round begins."""
        if isinstance(event, events.InitiativeRolled):
            self.placed |= {*combatants_of_roll(state, event), event.side or ""}
        elif isinstance(event, events.CombatantJoined):
            self.placed.discard(event.combatant)
        elif isinstance(event, events.RoundStarted) and forms.of(state.rules.rules).clock != "turn":
            self.placed.clear()

    def _keep_held(self, event: Fact) -> None:
        """Record what a combatant holds ready, and forget it when it is done."""
        if isinstance(event, events.ActionHeld):
            self.held[event.combatant] = event.action
        elif isinstance(event, events.ActionTaken) and event.combatant in self.held:
            if event.action.cost in ("held", "reaction") and is_held(self, event.combatant, event.action):
                del self.held[event.combatant]
        elif isinstance(event, events.Moved) and event.cost == "held":
            self.held.pop(event.combatant, None)

    def _keep_names(self, fact: Occurrence[Fact]) -> None:
        """Record the name of an action or a condition, and what a note teaches: gronks means attacks."""
        event = fact.event
        if (
            isinstance(event, events.ActionDeclared | events.ActionHeld | events.ActionTaken)
            and event.action
            and event.action.name
        ):
            self.named[event.action.name.casefold()] = event.action.kind
        elif isinstance(event, events.ConditionGained):
            self.named.setdefault(event.condition.casefold(), "condition")
        elif word := taught_word(event):
            self.taught[word[0]] = (word[1], fact.seq)

    def _keep_strike(self, event: events.AttackRolled | events.DamageDealt) -> None:
        if isinstance(event, events.DamageDealt):
            came = event.cause is None
            self.open = {
                who: one
                for who, one in self.open.items()
                if one[0] != event.cause and not (came and event.target in one[1].targets)
            }
        else:
            self.open.pop(event.combatant, None)
            self.aimed[event.combatant] = event.target or ""

    def _keep_act(self, state: State, event: events.ActionTaken, seq: int) -> None:
        action = event.action
        if action.kind in SPEAKING:
            return
        self.declared.pop(event.combatant, None)
        self.open.pop(event.combatant, None)
        if len(action.targets) == 1:
            self.open[event.combatant] = (seq, action)
        if action.kind == "attack":
            if action.targets:
                self.aimed[event.combatant] = action.targets[0]
            if action.name:
                self.used[event.combatant] = action.name
        elif action.name or action.time or action.delay or action.kind in forms.of(state.rules.rules).words["casting"]:
            self.begun[event.combatant] = action
            self.began[event.combatant] = seq

    def _begins_effect(self, event: events.EffectStarted) -> None:
        """Record the name of an effect by concentration; its source has finished what they began."""
        self.begun.pop(event.source or "", None)
        self.began.pop(event.source or "", None)
        if event.concentration:
            self.kept_up.add(event.effect.casefold())


def is_held(memory: Memory, who: str, action: Action) -> bool:
    """Say whether an act may be the one that a combatant holds ready: nothing in the two differs; if nothing is known
    of it, a blow, a spell or a move.
    """
    held = memory.held.get(who)
    if held is None:
        return who in memory.held and action.kind in ("attack", "cast", "move")
    names = {each.name.casefold() for each in (held, action) if each.name}
    apart = held.targets and action.targets and not {*held.targets} & {*action.targets}
    return held.kind == action.kind and len(names) < 2 and not apart


def taught_word(event: object) -> tuple[str, str] | None:
    """Return the word that a note teaches, and the one that it means; None for any other fact."""
    words = event.text.casefold().split() if isinstance(event, events.Noted) else []
    return (words[0], words[2]) if len(words) == 3 and words[1] == "means" else None


class LineContext(Struct, frozen=True):
    """The state that a viewer would see, and what a line may leave out because it was said before.

    `roll` turns dice into faces, such as d20 into d20:14, where they are rolled here; without it dice need their faces.
    In a `script` a form of the grammar means what it says, whatever else people could mean by the line.
    Of the present line, `rolled` are the throws by their places in it, and `assumed` the fields whose values go without saying.
    """

    state: State
    memory: Memory = field(default_factory=Memory)
    roll: Callable[[str], str] | None = None
    rolled: dict[int, str] = field(default_factory=dict)
    assumed: set[str] = field(default_factory=set)
    script: bool = False


COMMON_KINDS = frozenset({"attack", "cast", "talk", "move", "other"})


def kinds(state: State) -> frozenset[str]:
    """Return the kinds of action that the ruleset knows."""
    return known(state.rules.rules).kinds or COMMON_KINDS


def weapon_of(context: LineContext, who: str) -> str | None:
    """Return the weapon that a combatant attacks with by default: the sheet's, else the last one used."""
    one = context.state.combatants[who]
    held = getattr(one.sheet, "wielding", {}).get("primary")
    return held or next(iter(weapon_names(one)), None) or context.memory.used.get(who)


def entry_of(one: Combatant, name: str) -> Json:
    """Return the entry of a sheet (a spell, trait or item) of this name, or None."""
    entries = getattr(one.sheet, "entries", ()) or ()
    return next((each for each in entries if each.name.casefold() == name.casefold()), None)


def known_spell(context: LineContext, who: str, spell: str) -> Fields:
    """Return concentration, level and casting time of a spell by its caster's sheet, else by the ruleset's list, else
    by an earlier concentration; an empty dict if none of these knows it.
    """
    caster = context.state.combatants.get(who)
    own = entry_of(caster, spell) if caster else None
    said = [
        getattr(own, each, None) for each in ("concentration", "level", "time")
    ]  # not every game's entries have these
    if said[0] or said[1] is not None:
        return dict(zip(("concentration", "level", "time"), said, strict=True))
    listed = context.state.rules.listed(context.state, {"entries": [spell]}, None).get("entries", ())
    before = {"concentration": True} if spell.casefold() in context.memory.kept_up else {}
    return next((each for each in listed if isinstance(each, dict) and each.get("level") is not None), before)


def weapon_names(one: Combatant) -> list[str]:
    """Return the names of the weapons on a sheet."""
    named = [each.name for each in getattr(one.sheet, "weapons", ())]
    own = getattr(one.sheet, "weapon", None)
    return [*named, own] if own else named


def named_kind(context: LineContext, who: str, name: str) -> str | None:
    """Return the kind of action of a name on a combatant's sheet, or of an earlier action; None if it is unknown."""
    one = context.state.combatants.get(who)
    if one is None:
        return None
    if entry := entry_of(one, name):
        kind, known = getattr(entry, "kind", None), kinds(context.state)
        is_feature = getattr(entry, "level", 0) is None and "ability" in known
        return kind if kind in known else "ability" if is_feature else "cast"
    said = {each.casefold() for each in (*weapon_names(one), context.memory.used.get(who, ""))}
    if name.casefold() in said:
        return "attack"
    declared = declared_by(context, who)
    return declared.kind if declared and (declared.name or "").casefold() == name.casefold() else None


def is_named(context: LineContext, name: str) -> bool:
    """Say whether anybody's sheet, or an earlier action, has a weapon, a spell or an item of this name."""
    everybody = context.state.combatants.values()
    on_sheets = any(entry_of(one, name) or name.casefold() in map(str.casefold, weapon_names(one)) for one in everybody)
    return on_sheets or context.memory.named.get(name.casefold(), "condition") != "condition"


def declared_by(context: LineContext, who: str) -> Action | None:
    """Return the action that a combatant, or their side, declared in this round and has not done."""
    declared, side = context.memory.declared, context.state.combatants[who].side
    return declared.get(who) or declared.get(side)


def without_initiative(context: LineContext) -> tuple[str, ...]:
    """Return the combatants who are up and have no initiative; nobody in a fight without initiative."""
    state, placed = context.state, context.memory.placed
    if state.clock.turn and not placed:
        return ()
    return tuple(one.id for one in state.here() if one.status == "up" and one.id not in placed)


def foe_of(context: LineContext, who: str) -> str | None:
    """Return the default target of a combatant: the last one, else the only one of another side who is up."""
    state = context.state
    last = state.combatants.get(context.memory.aimed.get(who, ""))
    if last and not last.left:
        return last.id
    foes = [one.id for one in state.here() if one.side != state.combatants[who].side]
    return foes[0] if len(foes) == 1 else None


class Gap(Exception):
    """The error that something omitted cannot be inferred: the reason, and what to write."""

    def __init__(self, why: str, hint: str) -> None:
        self.why, self.hint = why, hint
        super().__init__(why)


# ---------------------------------------------------------------- the clock


def clock_move(state: State, fact: Fact) -> ClockMove:
    """Return the moves of the clock with a typed fact, by the rules."""
    seq = state.seq + 1
    fact_at = Occurrence(seq, seq, absolute(fact, seq))
    return STILL if state.closed else state.rules.schedule.moves(state, place_in_time(state, fact_at))


# ---------------------------------------------------------------- the moment of a round


def is_declared(context: LineContext) -> bool:
    """Say whether the round is in its declarations."""
    table, clock = forms.of(context.state.rules.rules), context.state.clock
    if not table.declares or not clock.open or context.memory.rolled:
        return False
    if table.declares == "dice":
        return not clock.point.segment
    return clock.phase in table.declares.split()


def has_turns(context: LineContext) -> bool:
    """Say whether each combatant has a turn of their own; otherwise sides roll for initiative."""
    return forms.of(context.state.rules.rules).clock == "turn"


def is_unordered(context: LineContext) -> bool:
    """Say whether initiative is still to be rolled: before the first round, or between the declarations and the dice."""
    if has_turns(context):
        return not context.state.clock.round and not context.state.clock.turn
    sides = {one.side for one in context.state.here()} - {None}
    return not context.memory.rolled or not sides <= context.memory.placed
