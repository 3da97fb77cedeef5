"""Objections to a line of the right form: it has another possible meaning, or none."""

import re

from eventstore.wording import nearest
from projections.folds.order import who_is_due
from projections.judging.known_words import known
from projections.language.notation import forms, names
from projections.language.notation.line_context import Gap, LineContext, declared_by, is_named
from projections.language.notation.tokens import Doubt, NotUnderstood, quote
from projections.mechanics.dues import owed as owed_of
from projections.open_types import Facts, Fields


def check_ambiguity(context: LineContext, facts: Facts, line: str) -> None:
    """Raise NotUnderstood, or Gap, where facts of the right form have another possible meaning, or none."""
    for fact in facts:
        for each in (*CHECKS.get(fact["type"], ()), _check_act, _check_words):
            each(context, fact, line)


def _check_end(context: LineContext, _fact: Fields, line: str) -> None:
    """Raise Doubt for the word end alone while a turn goes on, or another is to come: it may mean the turn or the round."""
    state = context.state
    if line.strip().casefold() != "end":
        return
    if turn := state.clock.turn:
        raise Doubt(1, "the turn may end, or the round", "", (f"done {turn}", "end round"))
    if forms.of(state.rules.rules).clock == "turn" and (due := who_is_due(state).value):
        raise Doubt(1, f"no turn goes on, and {due[0]} is still to act", "", ("end round", f"t {due[0]}"))


def _check_round(context: LineContext, fact: Fields, line: str) -> None:
    """Raise Doubt for r and the number of the next round alone, where it is also a combatant's name: r2, with a Raider 2."""
    number, one = context.state.clock.round + 1, fact["combatant"]
    if line.strip().casefold() == f"r{number}":
        raise Doubt(1, f"round {number} may begin, or the turn of {one}", "", (f"r {number}", f"t {one}"))


def _check_over(context: LineContext, fact: Fields, _line: str) -> None:
    """Raise Doubt where the words for the end of the fight may be about one combatant, or pass on the turn: over to bo, over for bo."""
    joins, _, whom = (fact.get("reason") or "").partition(" ")
    people = names.combatants(context.state, whom.removeprefix("the "))
    if joins in ("to", "for", "of") and people:
        offers = (f"t {people[0]}", f"done {people[0]}")
        raise Doubt(1, f"this ends no fight, but may end something for {people[0]}", "", offers)


def _check_initiative(context: LineContext, fact: Fields, line: str) -> None:
    """Raise Doubt where an initiative without a sign may be the roll, or the sheet's bonus; where sheets are summed up, it is the bonus."""
    table = forms.of(context.state.rules.rules)
    said = re.search(r"\s*(?<!\S)initiative=(\d+)(?!\S)", line)
    if said and table.clock == "turn" and not table.sums and "initiative" in fact.get("sheet", ()):
        rest = f"{line[: said.start()]}{line[said.end() :]}".strip()
        bonus = f"{line[: said.start(1)]}+{line[said.start(1) :]}".strip()
        offers = (f"{rest} init {said[1]}", bonus)
        raise Doubt(said.start(1) + 1, "this may be what was rolled, or the bonus of the sheet", "", offers)


def _check_condition(context: LineContext, fact: Fields, line: str) -> None:
    """Raise NotUnderstood for a condition that the game does not know and nobody has, unless it is quoted: is stuned."""
    table, word = forms.of(context.state.rules.rules), fact["condition"]
    names = {
        *known(context.state.rules.rules).conditions,
        *table.words.get("condition", ()),
        *table.means.get("condition", {}).values(),
        *(*context.state.rules.statuses, *table.means.get("status", {}), "dead", "down"),
        *(each.called.casefold() for each in context.state.conditions.values()),
    }
    if word.casefold() not in names and not is_quoted(line, word):
        hint = nearest(word.casefold(), names) or f"a word of your own is quoted: {quote(word)}"
        raise NotUnderstood(_column_of(line, word), f"this game knows no condition {word}", hint)


def _check_given_up(context: LineContext, fact: Fields, line: str) -> None:
    """Raise NotUnderstood where a combatant gives up an act that nobody declared or did; the line can stand as a remark."""
    who, name = fact["combatant"], fact.get("name")
    if not name or who not in context.state.combatants:
        return
    declared = declared_by(context, who)
    is_spell = name.casefold() in forms.of(context.state.rules.rules).words.get("spell", ())
    if not (is_spell or is_named(context, name) or (declared and declared.kind == name.casefold())):
        why = f"{who} has neither declared nor begun {name}"
        raise NotUnderstood(_column_of(line, name), why, "", (f"note {line.strip()}",))


def _check_act(context: LineContext, fact: Fields, line: str) -> None:
    """Raise NotUnderstood where a bare number after an act would be its time, in a game whose acts are rolled and take none: moves 20, second_wind 5;
    and where a combatant "holds" a spell, an effect or concentration: it may be kept up, or held ready in the notation's sense.
    """
    table, action = forms.of(context.state.rules.rules), fact.get("action") or {}
    slots = "aside" in table.means and fact["type"] == "action_taken"  # 2 may be the level of a spell slot
    timed = () if slots else table.words.get("casting", ())
    time, casts = action.get("time"), action.get("kind") in timed
    if table.clock == "turn" and table.rolls and isinstance(time, int) and not casts and "time=" not in line:
        hint = f"feet, points, or a time: time={time}"
        raise NotUnderstood(line.rfind(str(time)) + 1, f"this does not say what {time} is", hint)
    name, running = str(action.get("name") or ""), {each.called for each in context.state.effects.values()}
    kept = name.casefold() in ("concentration", *table.words.get("spell", ()), *running)
    if action.get("kind") == "hold" and kept and re.search(r"(?i)\b(holds|held|holding)\b", line):
        who = fact["combatant"]
        offers = (f"{who} hold {quote(name)}", f"note {line.strip()}")
        raise NotUnderstood(1, f"{who} may hold {name} ready, or keep it up", "", offers)


def _check_owed(context: LineContext, fact: Fields, line: str) -> None:
    """Raise Gap for a save without purpose or cause that may be one which its combatant owes."""
    state, owed = context.state, forms.of(context.state.rules.rules).means.get("owed-save", {})
    if "purpose" in fact or "cause" in fact or len(fact.get("save", "")) < 3:
        return
    purpose = next((name for name, save in owed.items() if save.startswith(fact["save"].casefold())), "")
    if purpose and owed_of(state.dues, f"save for {purpose}", fact["combatant"]):
        why = f"{fact['combatant']} owes a save for {purpose}, and this may be another one"
        raise Gap(
            why, f"write `{line.strip()} purpose={purpose}`, or what asks for the other one: cause=12 is record 12"
        )


def _check_struck(_context: LineContext, _fact: Fields, line: str) -> None:
    """Raise NotUnderstood where the reason for a strike begins with a number: several records may be meant."""
    if found := re.search(r"(\d+)\s+(?:and\s+|,\s*)?(\d+)", line):
        each = f"write a line for each: strike {found[1]}, strike {found[2]}"
        hint = f"{each}; a reason that begins with a number is quoted"
        raise NotUnderstood(found.start(2) + 1, "a line takes one record out", hint)


CHECKS = {
    "round_ended": (_check_end,),
    "turn_started": (_check_round,),
    "encounter_closed.2": (_check_over,),
    "combatant_joined": (_check_initiative,),
    "condition_gained": (_check_condition,),
    "condition_lost": (_check_condition,),
    "action_abandoned": (_check_given_up,),
    "save_rolled": (_check_owed,),
    "struck": (_check_struck,),
}
"""The checks of facts, by their types."""


def is_quoted(line: str, words: str) -> bool:
    """Say whether words stand in quotation marks in a line."""
    return re.search(rf"[\"“„«]{re.escape(words)}[\"“”»]", line) is not None


def _column_of(line: str, word: str) -> int:
    return line.casefold().find(word.casefold()) + 1 or 1


WORDS = {
    "combatant_left": "reason",
    "placed": "words",
    "condition_lost": "reason",
    "effect_ended": "reason",
    "encounter_closed.2": "reason",
    "action_held": "awaiting",
    "surprise_settled": "reason",
    "checked": "reason",
    "struck": "reason",
}
"""The fields that take the rest of a line as it is, by the types of their facts."""
_OWN_LINE = frozenset({"combatant_left", "condition_lost"})
"""The types of facts whose words are always quoted: they could be what is left, or whom it befalls."""
_MEASURED = (
    r"[-+]?\d+(?!\d|,\d|[\s-]*(?:feet|foot|ft|squares?|m|metres?|meters?|rounds?|turns?|minutes?|hours?|seconds?)\b)"
)
"""A number that is no distance, no time and no square."""
_BEHIND = rf"(?:[,;.!]|(?:^|\s)(?:and|then|but)(?=\s))\s*(?:(?:and|then|but|the|an?)\s+)*([^\W\d][\w'’-]*|{_MEASURED})"
"""A word or number at the beginning of a further report, behind a mark or a joining word."""


def _check_words(context: LineContext, fact: Fields, line: str) -> None:
    """Raise NotUnderstood where the rest of a line may be more than a reason, or a place in words, unless it is quoted."""
    text = str(fact.get(WORDS.get(fact["type"], ""), "") or "")
    if not text or is_quoted(line, text):
        return
    further = [found[1] for found in re.finditer(_BEHIND, text)]
    people = (names.combatants(context.state, re.sub(r"['’]s$", "", word)) for word in further if word[0].isalpha())
    more = any(not word[0].isalpha() for word in further) or any(len(each) == 1 for each in people)
    if more or fact["type"] in _OWN_LINE or (fact["type"] == "placed" and re.search(r"-?\d+,-?\d+", text)):
        hint = f"words of your own are quoted: {quote(text)}"
        raise NotUnderstood(_column_of(line, text.split(maxsplit=1)[0]), "not all of this line is understood", hint)
