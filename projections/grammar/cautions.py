"""What stands in the way of a line of the right form: it may be meant otherwise, or cannot be meant."""

import re

from projections.folds.order import who_is_due
from projections.grammar import forms
from projections.grammar.line_context import Gap, LineContext, declared_by, is_named
from projections.grammar.tokens import NotUnderstood
from projections.judging.known_words import known
from projections.mechanics.dues import owed as owed_of
from projections.open_types import Facts


def check(context: LineContext, facts: Facts, line: str) -> None:
    """Raise NotUnderstood where facts of the right form may be meant otherwise, or cannot be meant."""
    _check_end(context, facts, line)
    _check_initiative(context, facts, line)
    _check_lost(context, facts, line)
    _check_given_up(context, facts, line)
    _check_owed(context, facts, line)
    _check_struck(facts, line)


def _check_end(context: LineContext, facts: Facts, line: str) -> None:
    """Raise NotUnderstood for the word end alone while a turn goes on, or another is to come: the turn may be meant, or the round."""
    state = context.state
    if line.strip().casefold() != "end" or not any(each["type"] == "round_ended" for each in facts):
        return
    if turn := state.clock.turn:
        raise NotUnderstood(1, "the turn may end, or the round", "", (f"done {turn}", "end round"))
    due = who_is_due(state).value if forms.of(state.rules.rules).clock == "turn" else []
    if due:
        raise NotUnderstood(1, f"no turn goes on, and {due[0]} is still to act", "", ("end round", f"t {due[0]}"))


def _check_initiative(context: LineContext, facts: Facts, line: str) -> None:
    """Raise NotUnderstood where an initiative without a sign may be the bonus that a sheet has, or what was rolled; where sheets are summed up, it is the bonus."""
    table = forms.of(context.state.rules.rules)
    sheets = (each.get("sheet", {}) for each in facts if each["type"] == "combatant_joined")
    if table.clock != "turn" or table.sums or not any("initiative" in each for each in sheets):
        return
    if said := re.search(r"\s*(?<!\S)initiative=(\d+)(?!\S)", line):
        rest = f"{line[: said.start()]}{line[said.end() :]}".strip()
        bonus = f"{line[: said.start(1)]}+{line[said.start(1) :]}".strip()
        offers = (f"{rest} init {said[1]}", bonus)
        raise NotUnderstood(said.start(1) + 1, "this may be what was rolled, or the bonus of the sheet", "", offers)


def _check_lost(context: LineContext, facts: Facts, line: str) -> None:
    """Raise NotUnderstood where a condition ends that nobody is in and the game does not know: as a remark, the line can stand."""
    state, table = context.state, forms.of(context.state.rules.rules)
    names = {
        *known(state.rules.rules).conditions,
        *table.words.get("condition", ()),
        *table.means.get("condition", {}).values(),
        *(each.name.casefold() for each in state.conditions.values()),
    }
    lost = next((each["condition"] for each in facts if each["type"] == "condition_lost"), None)
    if lost is not None and lost.casefold() not in names:
        at = line.casefold().find(lost.casefold()) + 1 or 1
        why = f"nobody is {lost}, and this game knows no such condition"
        raise NotUnderstood(at, why, "", (f"note {line.strip()}",))


def _check_given_up(context: LineContext, facts: Facts, line: str) -> None:
    """Raise NotUnderstood where a combatant gives up what nobody ever declared or did: as a remark, the line can stand."""
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
    """Raise NotUnderstood where the reason for taking a record out begins with a number: several records may be meant."""
    found = re.search(r"(\d+)\s+(?:and\s+|,\s*)?(\d+)", line)
    if found and any(each["type"] == "struck" for each in facts):
        hint = (
            f"write a line for each: strike {found[1]}, strike {found[2]}; a reason that begins with a number is quoted"
        )
        raise NotUnderstood(found.start(2) + 1, "a line takes one record out", hint)
