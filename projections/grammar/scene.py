"""What a line is told against: the state, what people declared and did last, and what was left out of a line."""

import re
from collections.abc import Callable
from typing import Any

from msgspec import Struct, field, to_builtins

from eventstore.events import (
    ActionAbandoned,
    ActionDeclared,
    ActionTaken,
    AttackRolled,
    EffectStarted,
    Fact,
    RoundEnded,
    RoundStarted,
    Struck,
)
from eventstore.form import is_id
from eventstore.shapes import Action
from projections.folds.order import names_in_order, order_of, rows_of, who_is_due
from projections.grammar import names
from projections.judging.known_words import known
from projections.occurrence import Occurrence
from projections.state import Combatant, State

Values = dict[str, Any]


class Memory(Struct):
    """What the corrected stream said last: declarations that still stand, acts, targets, names of attacks; and the lines told.

    `lines` are the first and last record of each line, the earliest first.
    """

    declared: dict[str, Action] = {}
    aimed: dict[str, str] = {}
    used: dict[str, str] = {}
    begun: dict[str, Action] = {}
    lines: list[tuple[int, int]] = field(default_factory=list)

    def watch(self, _state: State, fact: Occurrence[Any]) -> None:
        """Take in a fact of the corrected stream."""
        event = fact.event
        if isinstance(event, ActionDeclared):
            self.declared[event.combatant or event.side or ""] = event.action
        elif isinstance(event, ActionTaken):
            self._acts(event)
        elif isinstance(event, ActionAbandoned):
            self.declared.pop(event.combatant, None)
        elif isinstance(event, AttackRolled) and event.target:
            self.aimed[event.combatant] = event.target
        elif isinstance(event, EffectStarted) and event.source:
            self.begun.pop(event.source, None)
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
    `rolled` are the throws for the present line, by their places in it.
    """

    state: State
    memory: Memory = field(default_factory=Memory)
    roll: Callable[[str], str] | None = None
    rolled: dict[int, str] = field(default_factory=dict)


COMMON_KINDS = frozenset({"attack", "cast", "talk", "move", "other"})


def kinds(state: State) -> frozenset[str]:
    """Return the kinds of action that the ruleset knows."""
    return known(state.rules.rules).kinds or COMMON_KINDS


def weapon_of(scene: Scene, who: str) -> str | None:
    """Return the weapon that somebody attacks with if nothing is said: the sheet's, else the one used last."""
    sheet: Any = scene.state.combatants[who].sheet
    weapons = getattr(sheet, "weapons", ())
    wielding = getattr(sheet, "wielding", None)
    held = wielding.get("primary") if isinstance(wielding, dict) else getattr(wielding, "primary", None)
    return (
        getattr(sheet, "weapon", None) or held or (weapons[0].name if weapons else None) or scene.memory.used.get(who)
    )


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
    if name.casefold() in said - {""}:
        return "attack"
    declared = declared_by(scene, who)
    return declared.kind if declared and (declared.name or "").casefold() == name.casefold() else None


def declared_by(scene: Scene, who: str) -> Action | None:
    """Return what somebody, or their side, declared in this round and has not done."""
    one = scene.state.combatants.get(who)
    return scene.memory.declared.get(who) or (scene.memory.declared.get(one.side) if one else None)


def foe_of(scene: Scene, who: str) -> str | None:
    """Return whom somebody attacks if nothing is said: the last target, else the only one of another side who is up."""
    state = scene.state
    last = scene.memory.aimed.get(who)
    if last and not state.combatants[last].left:
        return last
    foes = [one.id for one in state.here() if one.side != state.combatants[who].side]
    return foes[0] if len(foes) == 1 else None


# ---------------------------------------------------------------- what a line leaves out


class Gap(Exception):
    """The error that something was left out which nothing before says: why, and what to write."""

    def __init__(self, why: str, hint: str) -> None:
        self.why, self.hint = why, hint
        super().__init__(why)


def blow(scene: Scene, values: Values) -> None:
    """Complete a blow: as declared, else an attack with the weapon in hand, at the target of before."""
    who, given = values["who"], values.get("action", {})
    declared = declared_by(scene, who)
    if not given.get("kind") and declared and _agrees(to_builtins(declared), given):
        given = to_builtins(declared) | given
    values["action"] = attack(scene, who, given)
    targets = values["action"].get("targets", ())
    if len(targets) > 1:
        raise Gap("one roll is against one target", "write a line for each target")
    values["target"] = targets[0] if targets else None
    name_parts(values)


def name_parts(values: Values) -> None:
    """Call the dice of an amount by the name of the action."""
    amount, action = values.get("amount"), values.get("action", {})
    if isinstance(amount, dict):
        first, *rest = amount["parts"]
        named = first | {"name": action.get("name") or action.get("kind") or first["name"]}
        values["amount"] = amount | {"parts": [named, *rest]}


def _agrees(declared: dict[str, Any], given: dict[str, Any]) -> bool:
    return all(key in ("targets", "time") or declared.get(key, item) == item for key, item in given.items())


def attack(scene: Scene, who: str, given: dict[str, Any]) -> dict[str, Any]:
    """Return an attack with the weapon and the target that go without saying."""
    found = {"kind": "attack", **given}
    if found["kind"] == "attack" and "name" not in found and (weapon := weapon_of(scene, who)):
        found["name"] = weapon
    if not found.get("targets"):
        foe = foe_of(scene, who)
        if foe is None:
            raise Gap(f"nobody says whom {who} attacks", f"such as: {who} orc-1 14 6")
        found["targets"] = (foe,)
    return {key: found[key] for key in ("kind", "name", "time", "targets", *found) if key in found}


def deed(scene: Scene, values: Values) -> None:
    """Complete an act: as declared; the kind of what the sheet names; the weapon in hand."""
    who, given = values["who"], values.get("action", {})
    declared = declared_by(scene, who)
    said = to_builtins(declared) if declared else {}
    if not given:
        if not said:
            raise Gap(f"{who} has declared nothing", f"such as: {who} attack, or {who} cast sleep")
        values["action"] = said
        return
    if "kind" not in given and said and _agrees(said, given):
        given = said | given
    values["action"] = planned(scene, who, given)


def plan(scene: Scene, values: Values) -> None:
    """Complete a declaration: the kind of what the sheet names, the weapon in hand."""
    values["action"] = planned(scene, values["who"], values["action"])


def planned(scene: Scene, who: str, given: dict[str, Any]) -> dict[str, Any]:
    """Return an action with its kind, and an attack with the weapon in hand."""
    if "kind" not in given:
        name = given.get("name")
        kind = named_kind(scene, who, name) if name else "attack"
        kind = kind or ("cast" if "time" in given else None)
        if kind is None:
            raise Gap(f"nothing says what kind of action {name} is", f"such as: {who} cast {name}")
        given = {"kind": kind, **given}
    if given["kind"] == "attack" and "name" not in given and who in scene.state.combatants:
        weapon = weapon_of(scene, who)
        given = {"kind": "attack", **({"name": weapon} if weapon else {}), **given}
    return {key: given[key] for key in ("kind", "name", "targets", "time", *given) if key in given}


def next_round(scene: Scene, values: Values) -> None:
    """Give the number of the round that begins."""
    values.setdefault("round", scene.state.clock.round + 1)


def this_round(scene: Scene, values: Values) -> None:
    """Give the number of the round that is running."""
    values.setdefault("round", scene.state.clock.round)


def next_turn(scene: Scene, values: Values) -> None:
    """Give whose turn is due."""
    if "who" not in values:
        who = next_up(scene.state)
        if who is None:
            raise Gap("nothing says whose turn is next", "name the combatant")
        values["who"] = who


def next_up(state: State) -> str | None:
    """Return whose turn comes next: the first who is due, else, between rounds, the first of the order."""
    due = who_is_due(state).value
    if due or state.closed:
        return due[0] if due else None
    order = names_in_order(state)
    return order[0][0] if order else None


def casting(scene: Scene, values: Values) -> None:
    """Complete an effect: the work that somebody began, when it is due, and its targets."""
    who = values["source"]
    begun = scene.memory.begun.get(who) or declared_by(scene, who)
    if begun is None and "effect" not in values:
        raise Gap(f"{who} has begun nothing", f"such as: effect sleep by {who}")
    if begun is not None:
        values.setdefault("effect", begun.name or begun.kind)
        if "targets" not in values and begun.targets:
            values["targets"] = begun.targets
    values["each"] = values.get("targets", ())
    values["target"] = next(iter(values["each"]), None)
    row = next((each for each in reversed(rows_of(scene.state)) if each.combatant == who and each.due), None)
    if row and row.due and row.due.segment and "segment" not in values:
        values["segment"] = row.due.segment


def bonus(scene: Scene, values: Values) -> None:
    """Give the bonus for initiative that the sheet of a combatant has."""
    one = scene.state.combatants.get(values.get("who", ""))
    if one is not None and "bonus" not in values:
        values["bonus"] = next(
            (n for name in ("dexterity", "initiative") if (n := getattr(one.sheet, name, None)) is not None), None
        )


_MANY = re.compile(r"(.+)\*(\d{1,3})")


def copies(scene: Scene, values: Values) -> list[dict[str, Any]]:
    """Return the facts by which one combatant joins, or several of a kind: goblin*6."""
    called, many = values["new"], _MANY.fullmatch(values["new"])
    side = values.get("group")
    known = side and next((each for each in scene.state.sides if each == names.folded(side)), None)
    common: dict[str, Any] = {"side": known or names.id_of(side, ())} if side else {}
    common["sheet"] = values.get("sheet", {})
    taken = {*scene.state.combatants, *scene.state.sides}
    if many is None:
        exact = is_id(called)
        if called in scene.state.combatants and not scene.state.combatants[called].left:
            raise Gap(f"{called} is in the fight already", f"another one needs a name of its own, such as {called}-2")
        who = called if exact else names.id_of(called, taken)
        return [{"type": "combatant_joined", "combatant": who, **({} if exact else {"name": called}), **common}]
    base, first = names.id_of(many[1], ()), 1
    if not 1 <= int(many[2]) <= MOST_COPIES:
        raise Gap(f"{many[2]} of a kind cannot join at once", f"1 to {MOST_COPIES}")
    found = []
    for _ in range(int(many[2])):
        while f"{base}-{first}" in taken:
            first += 1
        taken.add(f"{base}-{first}")
        own = {} if base == many[1] else {"name": f"{many[1]} {first}"}
        found.append({"type": "combatant_joined", "combatant": f"{base}-{first}", **own, **common})
    return found


MOST_COPIES = 100
"""The most combatants who join by one line."""


def aim(_scene: Scene, values: Values) -> None:
    """Give the targets of an act whose outcome is told with it, the same for each."""
    targets = values["action"].get("targets", ())
    if not targets:
        raise Gap("nobody is named whom this befalls", f"such as: {values['who']} orc-1 -5")
    values["each"], values["target"] = targets, targets[0]
    name_parts(values)


def initiative(_scene: Scene, values: Values) -> None:
    """Divide an initiative roll into die and bonus."""
    values |= values["roll"]


def declarer(scene: Scene, values: Values) -> None:
    """Give who declares: a combatant or a side."""
    values["combatant" if values["who"] in scene.state.combatants else "side"] = values["who"]


def roller(scene: Scene, values: Values) -> None:
    """Give who rolls: a combatant or a side."""
    if who := values.get("party"):
        values["combatant" if who in scene.state.combatants else "side"] = who


FILLS: dict[str, Callable[[Scene, Values], None]] = {
    "blow": blow,
    "deed": deed,
    "plan": plan,
    "next round": next_round,
    "this round": this_round,
    "next turn": next_turn,
    "casting": casting,
    "bonus": bonus,
    "aim": aim,
    "initiative": initiative,
    "declarer": declarer,
    "party": roller,
}
"""The functions that complete a line, by their names in the table of forms."""


# ---------------------------------------------------------------- the clock


def clock_facts(scene: Scene, clock: str, who: str) -> list[dict[str, Any]]:
    """Return the facts that move the clock to where somebody acts, if that is later than now."""
    state = scene.state
    if clock == "turn":
        return _turn(state, who)
    if not state.clock.open:
        return []
    slot = next((slot for slot in order_of(state) if who in slot.combatants), None)
    if clock == "segment" and slot and slot.segment is not None and slot.segment > state.clock.point.segment:
        return [{"type": "segment_reached", "segment": slot.segment}]
    if clock == "phase" and slot and slot.phase:
        names = state.rules.schedule.slots(state)
        now = names.index(state.clock.phase) if state.clock.phase in names else -1
        if slot.phase in names and names.index(slot.phase) > now:
            return [{"type": "phase_reached", "phase": slot.phase}]
    return []


def closing(scene: Scene) -> list[dict[str, Any]]:
    """Return the end of the round that is open, if one is."""
    clock = scene.state.clock
    return [{"type": "round_ended", "round": clock.round}] if clock.open and clock.round else []


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
