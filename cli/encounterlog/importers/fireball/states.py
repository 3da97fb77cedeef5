"""A state: who is new in it, who is gone, what no fact explains, and the check that it becomes."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from encounterlog.importers.fireball.answers import embeds, fields_named
from encounterlog.importers.fireball.command import answered_points, reply_text
from encounterlog.importers.fireball.dice import Roll, parts, read_roll, thrown
from encounterlog.importers.fireball.ledger import Effect, Event
from encounterlog.importers.fireball.rows import Row
from encounterlog.importers.fireball.screens import Figure, Screen, Shown, initiative_bonus
from encounterlog.importers.fireball.teller import Teller
from encounterlog.importers.fireball.words import LONGEST_WORD, clean, word

CLOCK = {"init next", "init prev", "init move", "init skipround", "init reroll"}
REMOVING = {"init next", "init skipround", "init remove"}
SIDES = {"player": "pcs", "monster": "monsters"}


class State(NamedTuple):
    """A state with the rows that belong to it: those of its interaction and the bot's answers."""

    teller: Teller
    row: Row
    screen: Screen
    related: list[Row]
    answers: list[Row]

    @property
    def commands(self) -> set[str]:
        """Name the commands of the interaction."""
        return {row.body["command_name"] for row in self.related if row.kind == "command"}

    def mentions(self, name: str) -> bool:
        """Say whether a row of the interaction, or an answer, names this."""
        return any(name.casefold() in _text(row).casefold() for row in [*self.related, *self.answers])

    def here(self, figure: Figure) -> str:
        """Give the log's id of a combatant on the screen."""
        return self.teller.meet(figure.key, figure.name)


def _text(row: Row) -> str:
    if row.kind == "message":
        return reply_text(row)
    fields = ("content", "content_after", "snippet_body", "alias_body")
    return clean("\n".join(str(row.body.get(name, "")) for name in fields))


# joining and leaving


def tell_joins(state: State) -> None:
    """Tell who is new: hit points, armour class and initiative are what they bring along."""
    for slot in state.screen.slots:
        new = [figure for figure in slot if state.teller.here(figure.key) is None]
        for figure in new:
            _tell_join(state, figure)
        if new:
            _tell_initiative(state, slot, _die(state, new[0]) if len(slot) == 1 else {})


def _tell_join(state: State, figure: Figure) -> None:
    fields = {"hp": figure.hp, "hp_max": figure.hp_max, "temp": figure.temp or None, "ac": figure.ac}
    sheet = {name: value for name, value in fields.items() if value is not None}
    if figure.kind == "player":
        sheet["hp_floor"] = 0
    if (bonus := _bonus(state, figure)) is not None:
        sheet["initiative"] = bonus
    state.teller.called[state.here(figure)] = figure.name
    event: Event = {"type": "combatant_joined", "combatant": state.here(figure), "name": word(figure.name)}
    event |= {"side": SIDES[figure.kind]} if figure.kind in SIDES else {}
    if len(figure.name) > LONGEST_WORD:
        state.teller.wonder(state.row, f"has a name of {len(figure.name)} characters; the log keeps {LONGEST_WORD}")
    state.teller.say(state.row, event | {"sheet": sheet})
    state.teller.tops[state.here(figure)] = _tops(figure)


def _bonus(state: State, figure: Figure) -> int | None:
    """Take the initiative modifier from the state, else from the sheet that the joining command used."""
    if figure.bonus is not None:
        return figure.bonus
    for row in state.related:
        sheet = row.body.get("caster")
        if row.kind == "command" and isinstance(sheet, dict) and clean(str(sheet.get("name"))) == figure.name:
            return initiative_bonus(sheet)
    return None


def _tell_initiative(state: State, slot: list[Figure], die: Event) -> None:
    members = [state.here(figure) for figure in slot]
    event: Event = {"type": "initiative_rolled", "combatant": members[0]}
    event |= {"together": members[1:]} if members[1:] else {}
    bonus = _bonus(state, slot[0])
    if bonus is not None:
        state.teller.bonuses[members[0]] = bonus
    event |= die | ({} if bonus is None else {"bonus": bonus}) | {"total": slot[0].initiative}
    state.teller.say(state.row, event)


def _die(state: State, figure: Figure) -> Event:
    """Take the die of an initiative roll from the bot's answer."""
    for row in state.answers:
        for text in _initiative_texts(row, figure.name):
            rolled = thrown(read_roll(text.split("\n")[0].removesuffix(".")))
            if "die" in rolled:
                return {"die": rolled["die"]}
    return {}


def _initiative_texts(row: Row, name: str) -> list[str]:
    titled = [one for one in embeds(row) if clean(str(one.get("title", ""))).startswith(f"{name} makes an Initiative")]
    found = [clean(str(embed.get("description", ""))) for embed in titled]
    start = f"{name} was added to combat with initiative "
    lines = clean(row.body["content"]).split("\n")
    return found + [line.removeprefix(start) for line in lines if line.startswith(start)]


def tell_leaving(state: State) -> None:
    """Tell who is not in the list any more."""
    shown = {state.here(figure) for figure in state.screen.figures}
    for gone in [one for one in state.teller.ledger.order() if one not in shown]:
        explained = state.commands & REMOVING or state.mentions(f"{state.teller.name(gone)} removed from combat")
        reason = "removed from the combat" if explained else f"not in the list of line {state.row.line} any more"
        state.teller.say(state.row, {"type": "combatant_left", "combatant": gone, "reason": reason})
        if not explained:
            state.teller.unexplained += 1
            state.teller.wonder(state.row, f"lacks {state.teller.name(gone)}, whom no recorded row removes")


# what no fact explains


def agrees(state: State) -> bool:
    """Say whether turn, round, hit points and effects are what the facts make of them."""
    teller, screen = state.teller, state.screen
    turn = None if screen.current is None else state.here(screen.slots[screen.current][0])
    if (teller.ledger.turn, teller.ledger.round) != (turn, screen.round):
        return False
    return all(_figure_agrees(state, figure) for figure in screen.figures)


def _figure_agrees(state: State, figure: Figure) -> bool:
    who = state.here(figure)
    points = state.teller.points(who)
    if (figure.temp, figure.hp) != (points.temp, points.hp) and figure.hp is not None:
        return False
    return {word(one.name) for one in figure.effects} == {one.name for one in state.teller.ledger.on(who)}


def reconcile(state: State) -> None:
    """Bring the telling into line with the state; what no row explains becomes a ruling that is counted."""
    _reconcile_order(state)
    _reconcile_clock(state)
    for figure in state.screen.figures:
        _reconcile_name(state, figure)
        _reconcile_points(state, figure)
    for figure in state.screen.figures:
        _reconcile_effects(state, figure)


def _reconcile_order(state: State) -> None:
    teller = state.teller
    for slot in state.screen.slots:
        members = [state.here(figure) for figure in slot]
        held = teller.ledger.slots[teller.ledger.place(members[0]) or 0]
        if held.members != members:
            if not (state.mentions("-group") or state.commands & REMOVING):
                teller.unexplained += 1
            _tell_initiative(state, slot, {})
        elif held.total != slot[0].initiative:
            teller.rule_fact(state.row, members[0], f"{slot[0].name} has initiative {slot[0].initiative}")
            _tell_initiative(state, slot, {})
    _settle_ties(state)


def _settle_ties(state: State) -> None:
    teller = state.teller
    wanted = [state.here(figure) for figure in state.screen.figures]
    if teller.ledger.order() == wanted:
        return
    for total in dict.fromkeys(slot[0].initiative for slot in state.screen.slots):
        tied = [state.here(slot[0]) for slot in state.screen.slots if slot[0].initiative == total]
        if [one for one in teller.ledger.order() if one in tied] != tied:
            _settle_tie(state, tied)


def _settle_tie(state: State, tied: list[str]) -> None:
    """Explain the order of level ones by their initiative modifiers, which is how the bot breaks ties."""
    bonuses = [state.teller.bonuses.get(one) for one in tied]
    known = [one for one in bonuses if one is not None]
    if len(known) == len(tied) and known == sorted(known, reverse=True):
        reason = "level ones go by their initiative modifier, and those still level as they stood"
    else:
        state.teller.unexplained += 1
        reason = f"the record does not say how the tie was broken; the state in line {state.row.line} shows it"
    slots = [slot.members for one in tied for slot in state.teller.ledger.slots if one in slot.members]
    state.teller.rule_tie(state.row, [member for members in slots for member in members], reason)


def _reconcile_clock(state: State) -> None:
    teller, screen = state.teller, state.screen
    turn = None if screen.current is None else state.here(screen.slots[screen.current][0])
    if (teller.ledger.turn, teller.ledger.round) == (turn, screen.round):
        return
    if not _clock_answered(state):
        decision = f"it is round {screen.round}, and {'nobody' if turn is None else teller.name(turn)} has the turn"
        teller.rule_unexplained(state.row, {"round": screen.round, "turn": turn or "none"}, decision)
        return
    if teller.ledger.round != screen.round or turn is None:
        teller.say(state.row, {"type": "round_started", "round": screen.round})
    if turn is not None:
        members = [state.here(figure) for figure in screen.slots[screen.current or 0]]
        event: Event = {"type": "turn_started", "combatant": turn}
        teller.say(state.row, event | ({"together": members[1:]} if members[1:] else {}))


def _clock_answered(state: State) -> bool:
    """Say whether the bot announces the turn that the state shows."""
    pattern = re.compile(r"\*\*Initiative -?\d+ \(round (\d+)\)\*\*")
    said = [found for row in state.answers for found in pattern.findall(row.body["content"])]
    return bool(state.commands & CLOCK) and (str(state.screen.round) in said or state.screen.current is None)


def _reconcile_name(state: State, figure: Figure) -> None:
    who, name = state.here(figure), word(figure.name)
    if state.teller.ledger.names[who] != name:
        decision = f"{state.teller.name(who)} is called {name}"
        state.teller.rule_unexplained(state.row, {f"{who}.name": name}, decision)
    state.teller.called[who] = figure.name


def _reconcile_points(state: State, figure: Figure) -> None:
    teller, who = state.teller, state.here(figure)
    _reconcile_hp_max(state, figure, who)
    if figure.hp is not None and figure.hp != teller.points(who).hp:
        _reconcile_hp(state, figure, who, figure.hp)
    if figure.temp != teller.points(who).temp:
        decision = f"{figure.name} has {figure.temp} temporary hit points (the facts make {teller.points(who).temp})"
        teller.rule_unexplained(state.row, {f"{who}.temp": figure.temp}, decision)


def _reconcile_hp(state: State, figure: Figure, who: str, hp: int) -> None:
    """Tell a change of hit points: of what an answer names or prints, else unexplained."""
    teller = state.teller
    answered = answered_points(state.answers, figure.name)
    if answered is not None and answered[0] == hp:
        teller.set_hp(state.row, who, hp, f"the bot says so in line {answered[1].line}", answered[1])
    elif not _take_answered_roll(state, figure, who):
        decision = f"{figure.name} is at {hp} hit points (the facts make {teller.points(who).hp})"
        teller.rule_unexplained(state.row, {f"{who}.hp": hp}, decision)


def _take_answered_roll(state: State, figure: Figure, who: str) -> bool:
    """Take the loss or gain of points that an answer prints as a roll under this combatant's name, as aliases do."""
    points = state.teller.points(who)
    lost = (points.hp or 0) + points.temp - (figure.hp or 0) - figure.temp
    found = next((one for one in _printed_rolls(state, figure.name) if lost and one[1].total == abs(lost)), None)
    if found is None:
        return False
    row, roll = found
    state.teller.hurt(row, who, lost, None, **({"parts": parts(roll, "points")} if roll.terms else {}))
    return state.teller.points(who).hp == figure.hp


def _printed_rolls(state: State, name: str) -> Iterator[tuple[Row, Roll]]:
    """Find the rolls under this name in answers that no act has told yet."""
    for row in [one for one in state.answers if one.line not in state.teller.acts]:
        for text in [text for embed in embeds(row) for text in fields_named(embed, name)]:
            for roll in [read_roll(line) for line in text.split("\n")]:
                if roll is not None:
                    yield row, roll


def _tops(figure: Figure) -> frozenset[str]:
    return frozenset(effect.key for effect in figure.effects if effect.raises_hp_max)


def _reconcile_hp_max(state: State, figure: Figure, who: str) -> None:
    """Tell a new maximum: of an effect that raises it and came or went, else unexplained."""
    teller, tops = state.teller, _tops(figure)
    explained = teller.tops.get(who) != tops
    teller.tops[who] = tops
    if figure.hp_max is None or figure.hp_max == teller.points(who).hp_max:
        return
    if explained:
        teller.say(state.row, {"type": "sheet_changed", "combatant": who, "sheet": {"hp_max": figure.hp_max}})
    else:
        decision = f"{figure.name} has at most {figure.hp_max} hit points (the facts make {teller.points(who).hp_max})"
        teller.rule_unexplained(state.row, {f"{who}.hp_max": figure.hp_max}, decision)


def _reconcile_effects(state: State, figure: Figure) -> None:
    teller, who = state.teller, state.here(figure)
    names = {word(one.name) for one in figure.effects}
    for effect in [one for one in teller.ledger.on(who) if one.name not in names]:
        if effect in teller.ledger.effects:
            _drop_effect(state, figure, who, effect)
    for shown in figure.effects:
        if word(shown.name) not in {one.name for one in teller.ledger.on(who)}:
            _take_effect(state, figure, shown)


def _drop_effect(state: State, figure: Figure, who: str, effect: Effect) -> None:
    """Tell the end of an effect that the state lacks: its time, or a row of the interaction, explains it."""
    reason = "not in the state any more"
    left = state.teller.ledger.left_by_places(effect)
    if left is not None and left <= 0:
        reason = "expired"
    elif state.mentions(effect.name):
        reason = "ended in this interaction"
    else:
        state.teller.rule_fact(state.row, who, f"{effect.name} is over for {figure.name}")
    state.teller.end_effects(state.row, [effect], reason)


def _take_effect(state: State, figure: Figure, shown: Shown) -> None:
    """Take an effect that only the state shows in full: explained where a row of its interaction names it.

    One told before, which the turns counted to its end, runs on: the bot counts by places, and lets children of one who
    left live.
    """
    teller, who = state.teller, state.here(figure)
    if shown.key not in teller.effects and state.mentions(shown.name):
        teller.start_effect(state.row, who, shown, None)
        return
    if shown.key not in teller.effects:
        teller.rule_fact(state.row, who, f"{word(shown.name)} is on {figure.name}")
    teller.start_effect(state.row, who, shown._replace(duration=shown.rest), None)


# the check


def tell_check(state: State) -> None:
    """State all that the state shows, to be compared."""
    screen = state.screen
    turn = "none" if screen.current is None else state.here(screen.slots[screen.current][0])
    values: Event = {"order": [state.here(one) for one in screen.figures], "turn": turn, "round": screen.round}
    for figure in screen.figures:
        values |= _stated(state.here(figure), figure)
    state.teller.say(state.row, {"type": "checked", "values": values})


def _stated(who: str, figure: Figure) -> Event:
    found: Event = {f"{who}.name": word(figure.name)}
    found |= {} if figure.hp is None else {f"{who}.hp": figure.hp}
    found |= {} if figure.hp_max is None else {f"{who}.hp_max": figure.hp_max}
    found |= {f"{who}.temp": figure.temp, f"{who}.effects": [word(one.name) for one in figure.effects]}
    rests = {f"{who}.effects.{word(one.name)}": one.rest for one in figure.effects if one.rest is not None}
    return found | rests
