"""States: who is new and who is gone, and the values that differ from the derived ones, each set right, counted and explained."""

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from encounterlog.importers.words import LONGEST_WORD, make_word, normalize_text
from encounterlog.importers.writing import Event, PrintedRoll
from encounterlog_avrae.printed import after_name, parts, read_roll, roll_fields
from encounterlog_avrae.replies import answered_points, embeds, fields, reply_text, title_of
from encounterlog_avrae.rows import SourceRow
from encounterlog_avrae.snapshots import ShownCombatant, ShownEffect, Snapshot, initiative_bonus, sheet_of
from encounterlog_avrae.writer import Writer, event_of_members
from projections.folds.addresses import value_of


class State(NamedTuple):
    """A state with the rows that belong to it: those of its interaction, and the bot's answers.

    `nearby` is what the bot said around it, in any interaction, as the id of a state is only probable. `first` says
    that the recording begins with it in mid-fight.
    """

    writer: Writer
    row: SourceRow
    snapshot: Snapshot
    related: list[SourceRow]
    answers: list[SourceRow]
    nearby: list[SourceRow]
    first: bool = False

    def log_id(self, shown: ShownCombatant) -> str:
        """Give the log's id of a combatant in the state."""
        return self.writer.meet(shown.key, shown.name)

    @property
    def turn(self) -> str | None:
        """The combatant whose turn the state shows; in a group that acts together, the one whose turn it is by the facts."""
        members, now = self.writer.acting_in(self.snapshot), self.writer.fight.turn
        return now if now in members else next(iter(members), None)

    def commands(self, names: Collection[str]) -> Iterator[SourceRow]:
        """Yield the commands of these names in the interaction of the state."""
        return (row for row in self.related if row.kind == "command" and row.body["command_name"] in names)

    def find_message(self, pattern: str, under: str | None = None) -> SourceRow | None:
        """Find the message of the bot that has a line of this form, in a field under a name if one is given, an answer first."""
        for row in (*self.answers, *self.nearby):
            texts = [text for embed in embeds(row) for text in fields(embed, under)] if under else [reply_text(row)]
            if any(re.search(pattern, text, re.MULTILINE) for text in texts):
                return row
        return None

    def find_beginning(self, name: str, effect: str) -> SourceRow | None:
        """Find the row that begins an effect: an answer that says so under the bearer's name, or code that names it."""
        what, who = re.escape(effect), re.escape(name)
        said = rf"^(?:\*\*Effect\*\*: {what}(?: [\[(<].*)?|Added effect {what} to {who}\.)$"
        return self.find_message(said, name) or self._find_code(effect)

    def find_ending(self, name: str, effect: str) -> SourceRow | None:
        """Find the row that ends an effect."""
        what, who = re.escape(effect), re.escape(name)
        removed = rf"^(?:Effect {what}|All effects) removed from {who}\.$|^Removed effects from all combatants\.$"
        conflict = rf"^Removed (?:.*, )?{what}(?:, .*)? due to concentration conflict!$"
        lost = rf"\b(?:no longer concentrating|loses concentration|lost concentration) on {what}\b"
        dropped = rf"^Dropped (?:.*, )?{what}(?:, .*)? due to concentration\.$"
        found = self.find_message(removed) or self.find_message(conflict, name)
        return found or self._find_message_about(name, rf"{lost}|{dropped}") or self._find_code(effect)

    def _find_message_about(self, name: str, pattern: str) -> SourceRow | None:
        """Find the message of the bot that has such a line, which begins with this name or stands under it as title."""
        for row in (*self.answers, *self.nearby):
            titles = [title_of(embed) for embed in embeds(row)]
            said = [line.lstrip("*") for line in reply_text(row).split("\n") if re.search(pattern, line)]
            if any(after_name(text, name) is not None for line in said for text in (line, *titles)):
                return row
        return None

    def _find_code(self, effect: str) -> SourceRow | None:
        """Find the alias or snippet of this interaction whose code has exactly this name in quotes."""
        pattern = re.compile(r"""["'“]""" + re.escape(effect) + r"""["'”]""")
        for row in self.related:
            code = normalize_text(str(row.body.get("alias_body", row.body.get("snippet_body", ""))))
            if row.kind in ("alias_resolution", "snippet_resolution") and pattern.search(code):
                return row
        return None


SIDES = {"player": "pcs", "monster": "monsters"}
JOINING = frozenset({"init join", "init madd", "init add"})
CLEARING = frozenset({"init next", "init skipround"})


def add_joins(state: State) -> None:
    """Add the new combatants, with hit points, armour class and initiative."""
    for slot in state.snapshot.slots:
        new = [shown for shown in slot if state.writer.here(shown.key) is None]
        for shown in new:
            _add_join(state, shown)
        if new:
            add_initiative(state, slot, _die(state, new[0]) if len(slot) == 1 else {})


def _add_join(state: State, shown: ShownCombatant) -> None:
    fields = {"hp": shown.hp, "hp_max": shown.hp_max, "temp": shown.temp or None, "ac": shown.ac}
    sheet = {name: value for name, value in fields.items() if value is not None}
    if shown.kind == "player":
        sheet["hp_floor"] = 0
    if (bonus := _bonus(state, shown)) is not None:
        sheet["initiative"] = bonus
    own = _find_own_sheet(state, shown)
    if state.writer.game.takes.sheets:
        sheet |= sheet_of(shown.kind, shown.block | (own.body["caster"] if own else {}))
    who = state.log_id(shown)
    state.writer.called[who] = shown.name
    event: Event = {"type": "combatant_joined", "combatant": who, "name": make_word(shown.name)}
    event |= {"side": SIDES[shown.kind]} if shown.kind in SIDES else {}
    if len(shown.name) > LONGEST_WORD:
        state.writer.problem(state.row, f"has a name of {len(shown.name)} characters; the log keeps {LONGEST_WORD}")
    if not state.first and joining(state, shown.name) is None:
        says = f"{shown.name} is in the fight, though no row says that it joined"
        state.writer.repair(state.row, "order", says, None)
    state.writer.add(state.row, event | {"sheet": sheet}, *([own] if own and state.writer.game.takes.sheets else []))
    state.writer.seen.raising[who] = effects_raising_hp(shown)


def joining(state: State, name: str) -> SourceRow | None:
    """Find the row by which a combatant joined: the bot says so, or else a command to join is of this interaction."""
    start = rf"^{re.escape(name)} (?:was added to combat|makes an Initiative check!|already rolled initiative!)"
    return state.find_message(start) or next(state.commands(JOINING), None)


def effects_raising_hp(shown: ShownCombatant) -> frozenset[str]:
    """Return the bot's ids of the effects on a combatant that raise its maximum hit points."""
    return frozenset(effect.key for effect in shown.effects if effect.raises_hp_max)


def _bonus(state: State, shown: ShownCombatant) -> int | None:
    """Take the initiative modifier from the state, else from the sheet that the joining command used."""
    if shown.bonus is not None:
        return shown.bonus
    own = _find_own_sheet(state, shown)
    return initiative_bonus(own.body["caster"]) if own else None


def _find_own_sheet(state: State, shown: ShownCombatant) -> SourceRow | None:
    """Find the command about a state that has the sheet of a player's character, which the state lacks; None for others, or without one."""
    for row in state.related if shown.kind == "player" else ():
        sheet = row.body.get("caster")
        if row.kind == "command" and isinstance(sheet, dict) and normalize_text(str(sheet.get("name"))) == shown.name:
            return row
    return None


def add_initiative(state: State, slot: list[ShownCombatant], die: Event) -> None:
    """Add the initiative of combatants who act together, as the state shows it."""
    bonus = _bonus(state, slot[0])
    event = event_of_members("initiative_rolled", [state.log_id(shown) for shown in slot]) | die
    event |= ({} if bonus is None else {"bonus": bonus}) | {"total": slot[0].initiative}
    state.writer.place(state.row, event)
    state.writer.settle_ties(state.row, state.snapshot)


def _die(state: State, shown: ShownCombatant) -> Event:
    """Take the die of an initiative roll from the bot's answer."""
    start = f"{shown.name} was added to combat with initiative "
    for row in (*state.answers, *state.nearby):
        titled = [one for one in embeds(row) if title_of(one).startswith(f"{shown.name} makes an Initiative")]
        found = [normalize_text(str(embed.get("description", ""))) for embed in titled]
        lines = normalize_text(row.body["content"]).split("\n")
        found += [line.removeprefix(start) for line in lines if line.startswith(start)]
        for text in found:
            if (die := roll_fields(text.split("\n")[0].removesuffix(".")).get("die")) is not None:
                return {"die": die}
    return {}


def add_leaving(state: State) -> None:
    """Add the leaving of combatants who are no longer in the list."""
    shown = {state.log_id(one) for one in state.snapshot.combatants}
    for gone in [one for one in state.writer.fight.order() if one not in shown]:
        name, fallen = state.writer.name(gone), (state.writer.fight.points(gone).hp or 0) <= 0
        # by name, or the fallen as turns advance
        removing = {"init remove"} | (CLEARING if fallen else frozenset())
        said = state.find_message(rf"^{re.escape(name)} (?:automatically )?removed from combat\.$")
        cause = said or next(state.commands(removing), None)
        why = "removed from the combat" if cause else f"no longer in the list of line {state.row.line}"
        if cause is None:
            state.writer.repair(state.row, "order", f"{name} is gone from the fight, though no row removes it", None)
        before = state.writer.fight.effects()
        state.writer.add(state.row, {"type": "combatant_left", "combatant": gone, "reason": why})
        ended = [one for one in before if not state.writer.fight.runs(one) and one.bearer != gone]
        state.writer.seen.orphans |= {state.writer.key_of(one): cause or state.row for one in ended}
        state.writer.settle_ties(state.row, state.snapshot)


_SET = "\N{WHITE HEAVY CHECK MARK} "
"""The beginning of the bot's answer that it has set an option."""


def agrees(state: State) -> bool:
    """Say whether turn, round, names, hit points and effects of a state equal the derived ones."""
    writer = state.writer
    same = (writer.fight.turn, writer.fight.round) == (state.turn, state.snapshot.round)
    return same and all(writer.agrees(state.snapshot, shown) for shown in state.snapshot.combatants)


def reconcile(state: State) -> None:
    """Bring the transcript into line with the state; each value that is set right is counted, with its cause."""
    writer = state.writer
    _reconcile_order(state)
    _reconcile_clock(state)
    for shown in state.snapshot.combatants:
        who, name = state.log_id(shown), make_word(shown.name)
        if writer.fight.name(who) != name:
            cause = state.find_message(rf"'s name set to {re.escape(shown.name)}\.$")
            writer.override(state.row, {f"{who}.name": name}, f"{writer.name(who)} is called {name}", cause)
        writer.called[who] = shown.name
        _reconcile_hp_max(state, shown, who)
        _reconcile_points(state, shown, who)
        writer.seen.shown_at[who] = state.row.line
    _reconcile_effects(state)
    for shown in state.snapshot.combatants:
        _reconcile_durations(state, shown)


# the order


def _reconcile_order(state: State) -> None:
    writer = state.writer
    for slot in state.snapshot.slots:
        members = [state.log_id(shown) for shown in slot]
        place = writer.fight.place(members[0])
        held = [] if place is None else writer.fight.slots()[place]
        total = slot[0].initiative
        if sorted(held) == sorted(members) and writer.fight.initiative(members[0]) == total:
            continue
        titled = "|".join(re.escape(name) for name in (*(shown.name for shown in slot), slot[0].group) if name)
        names = "|".join(sorted({re.escape(writer.name(who)) for who in (*held, *members)}))
        joined = r"added to group .+|removed from all groups|was added to combat with initiative .+ as part of group .+"
        cause = state.find_message(rf"^(?:{_SET})?(?:{names}) (?:{joined})\.$|^Joined group .+!$")
        cause = cause or state.find_message(rf"^{_SET}(?:{titled})'s initiative set to {total} \(was ")
        says = f"{' & '.join(shown.name for shown in slot)} has initiative {total}"
        writer.repair(state.row, "order", says, cause)
        add_initiative(state, slot, {})
    wanted = [state.log_id(shown) for shown in state.snapshot.combatants]
    cause = state.row if state.first else None
    why = f"the record does not say how the tie was broken; the state in line {state.row.line} shows it"
    for tied in writer.ties_unlike(state.snapshot):
        writer.repair(state.row, "order", f"{', '.join(map(writer.name, tied))} act in this order", cause)
        writer.rule_tie(state.row, tied, why)
    if writer.fight.order() != wanted:
        says = f"the order is {', '.join(map(writer.name, wanted))}, whatever their initiative"
        writer.override(state.row, {"order": wanted}, says, cause)


# the clock


def _reconcile_clock(state: State) -> None:
    writer, number, shown = state.writer, state.snapshot.round, state.snapshot
    fight, turn = writer.fight, state.turn
    if (fight.turn, fight.round) == (turn, number):
        return
    if shown.current is None:
        announced = rf"^```md\n.+ \(round {number}\)$|^Rerolled initiative!"
    else:
        title = re.escape(shown.titles[shown.current])
        announced = rf"^\*\*Initiative -?\d+ \(round {number}\)\*\*: {title} \("
    says = f"it is round {number}, and {writer.name(turn) if turn else 'nobody'} has the turn"
    cause = state.find_message(announced)
    wrong = {"round": number} if fight.round != number else {}
    values: Event = wrong | ({"turn": turn or "none"} if fight.turn != turn else {})
    if state.first or cause is None or turn is None:
        writer.override(state.row, values, says, state.row if state.first else cause)
        return
    if wrong:
        writer.permit_round(state.row, number, cause)
    for address in values:
        writer.repair(state.row, address, says, cause)
    if wrong or not fight.counts_rounds:
        writer.add(state.row, {"type": "round_started", "round": number}, cause)
    members = writer.acting_in(shown)
    writer.permit_turn(state.row, members, f"line {cause.line} shows it")
    first = sorted(members, key=lambda who: who != turn)  # the one whose turn it is by the facts comes first
    writer.add(state.row, event_of_members("turn_started", first), cause)


# points


def _reconcile_points(state: State, shown: ShownCombatant, who: str) -> None:
    writer, points = state.writer, state.writer.fight.points(who)
    if shown.hp is None or (shown.hp, shown.temp) == (points.hp, points.temp):
        return
    answered = answered_points([*state.nearby, *state.answers], shown.name)
    if answered is not None and answered[0].hp == shown.hp:
        writer.mend_points(state.row, who, shown.hp, shown.temp, answered[1])
    elif not _take_answered_roll(state, shown, who):
        writer.mend_points(state.row, who, shown.hp, shown.temp, writer.seen.sheet_row(who, who))


def _take_answered_roll(state: State, shown: ShownCombatant, who: str) -> bool:
    """Take the loss or gain of points that an answer prints as a roll under this combatant's name, as aliases do."""
    writer, points = state.writer, state.writer.fight.points(who)
    lost = (points.hp or 0) + points.temp - (shown.hp or 0) - shown.temp
    printed = (one for one in _printed_rolls(state, shown.name) if (one[0].line, who) not in writer.seen.taken)
    found = next((one for one in printed if lost and one[1].total == abs(lost)), None)
    if found is None or lost < 0 < shown.temp or (lost > 0 and max(points.temp - lost, 0) != shown.temp):
        return False
    row, roll = found
    writer.seen.taken.add((row.line, who))
    says = f"{shown.name} {'loses' if lost > 0 else 'gains'} {abs(lost)} hit points"
    writer.repair(state.row, f"{who}.hp", says, row)
    writer.hurt(state.row, who, lost, None, **({"parts": parts(roll, "points")} if roll.terms else {}))
    return True


def _printed_rolls(state: State, name: str) -> Iterator[tuple[SourceRow, PrintedRoll]]:
    """Find the rolls under this name in answers that no act has taken yet."""
    for row in [one for one in state.answers if one.line not in state.writer.seen.acts]:
        texts = [text for embed in embeds(row) for text in fields(embed, name)]
        for roll in [read_roll(line) for text in texts for line in text.split("\n")]:
            if roll is not None:
                yield row, roll


def _reconcile_hp_max(state: State, shown: ShownCombatant, who: str) -> None:
    """Set the maximum hit points right, explained by the answer that gives them, an effect on them that began or ended, or by
    a sheet's row.
    """
    writer, now = state.writer, effects_raising_hp(shown)
    before, writer.seen.raising[who] = writer.seen.raising.get(who, frozenset()), now
    top = writer.fight.points(who).hp_max
    if shown.hp_max is None or shown.hp_max == top:
        return
    answered = answered_points([*state.nearby, *state.answers], shown.name)
    cause = answered[1] if answered is not None and answered[0].hp_max == shown.hp_max else None
    cause = cause or state.find_message(rf"^{_SET}{re.escape(shown.name)}'s HP max set to {shown.hp_max} \(was ")
    cause = cause or writer.seen.sheet_row(who, who) or (state.row if before != now else None)
    says = f"{shown.name} has at most {shown.hp_max} hit points (the facts give {top})"
    if cause is None:
        writer.override(state.row, {f"{who}.hp_max": shown.hp_max}, says, None)
        return
    writer.repair(state.row, f"{who}.hp_max", says, cause)
    writer.add(state.row, {"type": "sheet_changed", "combatant": who, "sheet": {"hp_max": shown.hp_max}}, cause)


# effects


def _reconcile_effects(state: State) -> None:
    """End the effects that the state lacks, and begin those that only the state has, parents before children."""
    writer = state.writer
    for shown in state.snapshot.combatants:
        who, names = state.log_id(shown), {make_word(one.name) for one in shown.effects}
        for effect in [one for one in writer.fight.on(who) if one.name not in names]:
            if writer.fight.runs(effect):
                cause = state.find_ending(shown.name, effect.name)
                writer.repair(state.row, f"{who}.effects", f"{effect.name} is over for {shown.name}", cause)
                why = f"no longer in the state of line {state.row.line}"
                writer.end_effects(state.row, [effect], why, *([cause] if cause else []))
    held = {who: {one.name for one in writer.fight.on(who)} for who in writer.fight.order()}
    listed = [(shown, one) for shown in state.snapshot.combatants for one in writer.running(state.snapshot, shown)]
    new = {one.key: (shown, one) for shown, one in listed if make_word(one.name) not in held[state.log_id(shown)]}
    while new:
        ready = [key for key, (_, one) in new.items() if one.parent not in new] or list(new)
        for shown, one in [new.pop(key) for key in ready]:
            _take_effect(state, shown, one)


def _take_effect(state: State, shown: ShownCombatant, effect: ShownEffect) -> None:
    """Begin an effect that only the state shows in full; one that ran before gets the remaining duration of the state.

    In some versions of the bot, an effect on a combatant who has left ends, and its children go on.
    """
    writer, orphan = state.writer, state.writer.seen.orphans.get(effect.key)
    cause = state.row if state.first else orphan or state.find_beginning(shown.name, effect.name)
    if state.first or writer.has_begun(effect.key) or cause is None:
        effect = effect._replace(duration=effect.rest)
    says = f"{make_word(effect.name)} is on {shown.name}"
    writer.repair(state.row, f"{state.log_id(shown)}.effects", says, cause)
    writer.start_effect(state.row, state.log_id(shown), effect, None, *([cause] if cause else []))


def _reconcile_durations(state: State, shown: ShownCombatant) -> None:
    """Set the remaining durations of effects right; one that was begun again has its full length."""
    writer, who = state.writer, state.log_id(shown)
    for one in shown.effects:
        held = next((each for each in writer.fight.on(who) if each.name == make_word(one.name)), None)
        if held is None or writer.fight.left(held) == one.rest:
            continue
        cause = state.find_beginning(shown.name, one.name) if not writer.has_begun(one.key) else None
        writer.identify(one.key, held)
        writer.set_left(state.row, held, one.rest, cause)


# the check


def add_check(state: State) -> None:
    """Add a statement of all values that the state shows, to be compared."""
    shown, fight = state.snapshot, state.writer.fight
    order = [state.log_id(one) for one in shown.combatants]
    # the order as the facts have it is one in which those who act at once are one place
    derived = value_of(fight.state, "order") if order == fight.order() else None
    places = [slot if slot[1:] else slot[0] for slot in derived.value] if derived else order
    values: Event = {"order": places, "turn": state.turn or "none", "round": shown.round}
    for one in shown.combatants:
        who, running = state.log_id(one), state.writer.running(state.snapshot, one)
        more = {effect.name: fight.more(effect) for effect in fight.on(who)}
        rests = {make_word(each.name): each.rest for each in running if each.rest is not None}
        known: Event = {"name": make_word(one.name), "hp": one.hp, "hp_max": one.hp_max, "temp": one.temp}
        known |= {"effects": [make_word(each.name) for each in running]}
        known |= {f"effects.{name}": rest - more.get(name, 0) for name, rest in rests.items()}
        values |= {f"{who}.{name}": value for name, value in known.items() if value is not None}
    state.writer.add(state.row, {"type": "checked", "values": values})
