"""Objections to a line of the right form: it has another possible meaning, or none."""

import re

from eventstore.form import nearest
from projections.folds.order import who_is_due
from projections.judging.known_words import known
from projections.language.notation import forms, names
from projections.language.notation.line_context import Gap, LineContext, declared_by, is_named
from projections.language.notation.tokens import Doubt, NotUnderstood, quote
from projections.mechanics.dues import owed as owed_of
from projections.open_types import Facts


def check(context: LineContext, facts: Facts, line: str) -> None:
    """Raise NotUnderstood where facts of the right form have another possible meaning, or none."""
    _check_end(context, facts, line)
    _check_round(context, facts, line)
    _check_over(context, facts)
    _check_initiative(context, facts, line)
    _check_conditions(context, facts, line)
    _check_given_up(context, facts, line)
    _check_time(context, facts, line)
    _check_kept_up(context, facts, line)
    _check_owed(context, facts, line)
    _check_struck(facts, line)
    _check_words(context, facts, line)


def _check_end(context: LineContext, facts: Facts, line: str) -> None:
    """Raise Doubt for the word end alone while a turn goes on, or another is to come: it may mean the turn or the round."""
    state = context.state
    if line.strip().casefold() != "end" or not any(each["type"] == "round_ended" for each in facts):
        return
    if turn := state.clock.turn:
        raise Doubt(1, "the turn may end, or the round", "", (f"done {turn}", "end round"))
    due = who_is_due(state).value if forms.of(state.rules.rules).clock == "turn" else []
    if due:
        raise Doubt(1, f"no turn goes on, and {due[0]} is still to act", "", ("end round", f"t {due[0]}"))


def _check_round(context: LineContext, facts: Facts, line: str) -> None:
    """Raise Doubt for r and the number of the next round alone, where it is also a combatant's name: r2, with a Raider 2."""
    one = next((each["combatant"] for each in facts if each["type"] == "turn_started"), "")
    number = context.state.clock.round + 1
    if one and line.strip().casefold() == f"r{number}":
        raise Doubt(1, f"round {number} may begin, or the turn of {one}", "", (f"r {number}", f"t {one}"))


def _check_over(context: LineContext, facts: Facts) -> None:
    """Raise Doubt where the words for the end of the fight may be about one combatant, or pass on the turn: over to bo, over for bo."""
    for each in facts:
        joins, _, whom = (each.get("reason") or "").partition(" ")
        people = names.combatants(context.state, whom.removeprefix("the "))
        if each["type"].startswith("encounter_closed") and joins in ("to", "for", "of") and people:
            who = people[0]
            raise Doubt(1, f"this ends no fight, but may end something for {who}", "", (f"t {who}", f"done {who}"))


def _check_initiative(context: LineContext, facts: Facts, line: str) -> None:
    """Raise Doubt where an initiative without a sign may be the roll, or the sheet's bonus; where sheets are summed up, it is the bonus."""
    table = forms.of(context.state.rules.rules)
    sheets = (each.get("sheet", {}) for each in facts if each["type"] == "combatant_joined")
    if table.clock != "turn" or table.sums or not any("initiative" in each for each in sheets):
        return
    if said := re.search(r"\s*(?<!\S)initiative=(\d+)(?!\S)", line):
        rest = f"{line[: said.start()]}{line[said.end() :]}".strip()
        bonus = f"{line[: said.start(1)]}+{line[said.start(1) :]}".strip()
        offers = (f"{rest} init {said[1]}", bonus)
        raise Doubt(said.start(1) + 1, "this may be what was rolled, or the bonus of the sheet", "", offers)


def _check_conditions(context: LineContext, facts: Facts, line: str) -> None:
    """Raise NotUnderstood for a condition that the game does not know and nobody has, unless it is quoted: is stuned."""
    table, present = forms.of(context.state.rules.rules), context.state.conditions.values()
    names = {
        *known(context.state.rules.rules).conditions,
        *table.words.get("condition", ()),
        *table.means.get("condition", {}).values(),
        *(*context.state.rules.statuses, *table.means.get("status", {}), "dead", "down"),
        *(each.called.casefold() for each in present),
    }
    for each in facts:
        word = each["condition"] if each["type"] in ("condition_gained", "condition_lost") else ""
        if word and word.casefold() not in names and not quoted_in(line, word):
            at = line.casefold().find(word.casefold()) + 1 or 1
            hint = nearest(word.casefold(), names) or f"a word of your own is quoted: {quote(word)}"
            raise NotUnderstood(at, f"this game knows no condition {word}", hint)


def _check_given_up(context: LineContext, facts: Facts, line: str) -> None:
    """Raise NotUnderstood where a combatant gives up an act that nobody declared or did; the line can stand as a remark."""
    given = next((each for each in facts if each["type"] == "action_abandoned" and each.get("name")), None)
    who = given["combatant"] if given else ""
    if given is None or who not in context.state.combatants:
        return
    name, declared = given["name"], declared_by(context, who)
    is_spell = name.casefold() in forms.of(context.state.rules.rules).words.get("spell", ())
    if not (is_spell or is_named(context, name) or (declared and declared.kind == name.casefold())):
        at = line.casefold().find(name.casefold()) + 1 or 1
        why = f"{who} has neither declared nor begun {name}"
        raise NotUnderstood(at, why, "", (f"note {line.strip()}",))


def _check_time(context: LineContext, facts: Facts, line: str) -> None:
    """Raise NotUnderstood where a bare number after an act would be its time, in a game whose acts are rolled and take none: moves 20, second_wind 5."""
    table = forms.of(context.state.rules.rules)
    for each in facts:
        action = each.get("action") or {}
        time, casts = action.get("time"), action.get("kind") in table.words.get("casting", ())
        if table.clock == "turn" and table.rolls and isinstance(time, int) and not casts and "time=" not in line:
            why = f"this does not say what {time} is"
            raise NotUnderstood(line.rfind(str(time)) + 1, why, f"feet, points, or a time: time={time}")


def _check_kept_up(context: LineContext, facts: Facts, line: str) -> None:
    """Raise NotUnderstood where a combatant "holds" a spell, an effect or concentration: it may be kept up, or held ready in the notation's sense."""
    spells = forms.of(context.state.rules.rules).words.get("spell", ())
    running = {each.called for each in context.state.effects.values()}
    for each in facts:
        action = each.get("action") or {}
        name = str(action.get("name") or "")
        held = action.get("kind") == "hold" and name.casefold() in ("concentration", *spells, *running)
        if held and re.search(r"(?i)\b(holds|held|holding)\b", line):
            why = f"{each['combatant']} may hold {name} ready, or keep it up"
            raise NotUnderstood(1, why, "", (f"{each['combatant']} hold {quote(name)}", f"note {line.strip()}"))


def quoted_in(line: str, words: str) -> bool:
    """Say whether words stand in quotation marks in a line."""
    return re.search(rf"[\"“„«]{re.escape(words)}[\"“”»]", line) is not None


def _check_owed(context: LineContext, facts: Facts, line: str) -> None:
    """Raise Gap for a save without purpose or cause that may be one which its combatant owes."""
    state, owed = context.state, forms.of(context.state.rules.rules).means.get("owed-save", {})
    for each in facts:
        if each["type"] != "save_rolled" or "purpose" in each or "cause" in each or len(each.get("save", "")) < 3:
            continue
        purpose = next((name for name, save in owed.items() if save.startswith(each["save"].casefold())), "")
        if purpose and owed_of(state.dues, f"save for {purpose}", each["combatant"]):
            why = f"{each['combatant']} owes a save for {purpose}, and this may be another one"
            raise Gap(
                why, f"write `{line.strip()} purpose={purpose}`, or what asks for the other one: cause=12 is record 12"
            )


def _check_struck(facts: Facts, line: str) -> None:
    """Raise NotUnderstood where the reason for a strike begins with a number: several records may be meant."""
    if not any(each["type"] == "struck" for each in facts):
        return
    if found := re.search(r"(\d+)\s+(?:and\s+|,\s*)?(\d+)", line):
        hint = (
            f"write a line for each: strike {found[1]}, strike {found[2]}; a reason that begins with a number is quoted"
        )
        raise NotUnderstood(found.start(2) + 1, "a line takes one record out", hint)


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


def _check_words(context: LineContext, facts: Facts, line: str) -> None:
    """Raise NotUnderstood where the rest of a line may be more than a reason, or a place in words, unless it is quoted."""
    for each in facts:
        text = str(each.get(WORDS.get(each["type"], ""), "") or "")
        if not text or quoted_in(line, text):
            continue
        further = (found[1] for found in re.finditer(_BEHIND, text))
        more = any(not word[0].isalpha() or _names(context, word) for word in further)
        if more or each["type"] in _OWN_LINE or (each["type"] == "placed" and re.search(r"-?\d+,-?\d+", text)):
            at = line.casefold().find(text.casefold().split()[0]) + 1 or 1
            raise NotUnderstood(
                at, "not all of this line is understood", f"words of your own are quoted: {quote(text)}"
            )


def _names(context: LineContext, word: str) -> bool:
    """Say whether a word is a combatant's name, or the beginning of just one."""
    return len(names.combatants(context.state, re.sub(r"['’]s$", "", word))) == 1
