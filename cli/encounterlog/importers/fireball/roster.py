"""The combatants who are new in a state, and the ones who are gone from it."""

import re

from encounterlog.importers.fireball.dice import read_roll, thrown
from encounterlog.importers.fireball.evidence import State
from encounterlog.importers.fireball.replies import embeds
from encounterlog.importers.fireball.rows import SourceRow
from encounterlog.importers.fireball.sheets import sheet_of
from encounterlog.importers.fireball.snapshots import ShownCombatant, block_of, initiative_bonus
from encounterlog.importers.fireball.ties import break_all_ties, break_tie
from encounterlog.importers.fireball.words import LONGEST_WORD, clean, word
from encounterlog.importers.fireball.writer import Event

SIDES = {"player": "pcs", "monster": "monsters"}
JOINING = frozenset({"init join", "init madd", "init add"})
CLEARING = frozenset({"init next", "init skipround"})


def add_joins(state: State) -> None:
    """Add the new combatants, with hit points, armour class and initiative."""
    for slot in state.snapshot.slots:
        new = [shown for shown in slot if state.writer.here(shown.key) is None]
        there = [state.who(shown) for shown in slot if shown not in new]
        for shown in new:
            _add_join(state, shown)
        if new:
            placed = 0 if slot[0].group else _bonus(state, slot[0])
            add_initiative(state, slot, _die(state, new[0]) if len(slot) == 1 else {}, placed, by_modifier=not there)


def _add_join(state: State, shown: ShownCombatant) -> None:
    fields = {"hp": shown.hp, "hp_max": shown.hp_max, "temp": shown.temp or None, "ac": shown.ac}
    sheet = {name: value for name, value in fields.items() if value is not None}
    if shown.kind == "player":
        sheet["hp_floor"] = 0
    if (bonus := _bonus(state, shown)) is not None:
        sheet["initiative"] = bonus
    own = _own_sheet(state, shown)
    if state.writer.game.takes.sheets:
        block = block_of(own.body["caster"]) if own else shown.block
        sheet |= sheet_of(shown.kind, shown.block | block)
    who = state.who(shown)
    state.writer.called[who] = shown.name
    event: Event = {"type": "combatant_joined", "combatant": who, "name": word(shown.name)}
    event |= {"side": SIDES[shown.kind]} if shown.kind in SIDES else {}
    if len(shown.name) > LONGEST_WORD:
        state.writer.problem(state.row, f"has a name of {len(shown.name)} characters; the log keeps {LONGEST_WORD}")
    if not state.first and joining(state, shown.name) is None:
        says = f"{shown.name} is in the fight, though no row says that it joined"
        state.writer.repair(state.row, "order", says, None)
    state.writer.add(state.row, event | {"sheet": sheet}, *([own] if own and state.writer.game.takes.sheets else []))
    state.writer.raising[who] = raising(shown)


def joining(state: State, name: str) -> SourceRow | None:
    """Find the row by which a combatant joined: the bot says so, or else a command to join is of this interaction."""
    start = rf"^{re.escape(name)} (?:was added to combat|makes an Initiative check!|already rolled initiative!)"
    commands = [row for row in state.related if row.kind == "command" and row.body["command_name"] in JOINING]
    return state.saying(start) or next(iter(commands), None)


def raising(shown: ShownCombatant) -> frozenset[str]:
    """Return the bot's ids of the effects on a combatant that raise its maximum hit points."""
    return frozenset(effect.key for effect in shown.effects if effect.raises_hp_max)


def _bonus(state: State, shown: ShownCombatant) -> int | None:
    """Take the initiative modifier from the state, else from the sheet that the joining command used."""
    if shown.bonus is not None:
        return shown.bonus
    own = _own_sheet(state, shown)
    return initiative_bonus(own.body["caster"]) if own else None


def _own_sheet(state: State, shown: ShownCombatant) -> SourceRow | None:
    """Find the command about a state that has the sheet of a player's character, which the state lacks; None for others, or without one."""
    for row in state.related if shown.kind == "player" else ():
        sheet = row.body.get("caster")
        if row.kind == "command" and isinstance(sheet, dict) and clean(str(sheet.get("name"))) == shown.name:
            return row
    return None


def add_initiative(
    state: State, slot: list[ShownCombatant], die: Event, placed: int | None, *, by_modifier: bool = True
) -> None:
    """Add the initiative of combatants who act together, as the state shows it.

    If `by_modifier`, ties are sorted by the modifier with which the bot has `placed` them: a new group has none, as it is
    empty. Joining a group moves nobody.
    """
    members = [state.who(shown) for shown in slot]
    event: Event = {"type": "initiative_rolled", "combatant": members[0]}
    event |= {"together": members[1:]} if members[1:] else {}
    bonus = _bonus(state, slot[0])
    if placed is not None:
        state.writer.bonuses[members[0]] = placed
    event |= die | ({} if bonus is None else {"bonus": bonus}) | {"total": slot[0].initiative}
    before = list(state.writer.fight.order())
    state.writer.place(state.row, event)
    break_tie(state.writer, state.row, slot[0].initiative, before, by_modifier=by_modifier)
    if by_modifier:
        break_all_ties(state.writer, state.row)


def _die(state: State, shown: ShownCombatant) -> Event:
    """Take the die of an initiative roll from the bot's answer."""
    for row in (*state.answers, *state.nearby):
        for text in _initiative_texts(row, shown.name):
            rolled = thrown(read_roll(text.split("\n")[0].removesuffix(".")))
            if "die" in rolled:
                return {"die": rolled["die"]}
    return {}


def _initiative_texts(row: SourceRow, name: str) -> list[str]:
    titled = [one for one in embeds(row) if clean(str(one.get("title", ""))).startswith(f"{name} makes an Initiative")]
    found = [clean(str(embed.get("description", ""))) for embed in titled]
    start = f"{name} was added to combat with initiative "
    lines = clean(row.body["content"]).split("\n")
    return found + [line.removeprefix(start) for line in lines if line.startswith(start)]


def add_leaving(state: State) -> None:
    """Add the leaving of combatants who are no longer in the list."""
    shown = {state.who(one) for one in state.snapshot.combatants}
    for gone in [one for one in state.writer.fight.order() if one not in shown]:
        name = state.writer.name(gone)
        cause = state.saying(rf"^{re.escape(name)} (?:automatically )?removed from combat\.$") or _removing(state, gone)
        why = "removed from the combat" if cause else f"no longer in the list of line {state.row.line}"
        if cause is None:
            state.writer.repair(state.row, "order", f"{name} is gone from the fight, though no row removes it", None)
        before = state.writer.fight.effects()
        state.writer.add(state.row, {"type": "combatant_left", "combatant": gone, "reason": why})
        ended = [one for one in before if not state.writer.fight.runs(one) and one.bearer != gone]
        state.writer.orphans |= {state.writer.key_of(one): cause or state.row for one in ended}
        break_all_ties(state.writer, state.row)


def _removing(state: State, gone: str) -> SourceRow | None:
    """Find the command of this interaction that removes a combatant: by name, or the fallen as turns advance."""
    fallen = (state.writer.points(gone).hp or 0) <= 0
    names = {"init remove"} | (CLEARING if fallen else frozenset())
    return next((row for row in state.related if row.kind == "command" and row.body["command_name"] in names), None)
