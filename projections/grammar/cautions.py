"""Objections to a line of the right form: it has another possible meaning, or none."""

import re
from collections.abc import Sequence

from eventstore.events import ActionTaken, ConditionGained, DamageDealt, Fact, SaveRolled
from projections.folds.order import who_is_due
from projections.grammar import forms, names
from projections.grammar.line_context import Gap, LineContext, declared_by, is_named
from projections.grammar.tokens import NotUnderstood, quote
from projections.judging.known_words import known
from projections.mechanics.dues import owed as owed_of
from projections.open_types import Facts
from projections.state import State


def check(context: LineContext, facts: Facts, line: str) -> None:
    """Raise NotUnderstood where facts of the right form have another possible meaning, or none."""
    _check_end(context, facts, line)
    _check_round(context, facts, line)
    _check_over(context, facts)
    _check_initiative(context, facts, line)
    _check_lost(context, facts, line)
    _check_given_up(context, facts, line)
    _check_time(context, facts, line)
    _check_kept_up(context, facts, line)
    _check_left(context, facts, line)
    _check_owed(context, facts, line)
    _check_struck(facts, line)
    _check_spelling(context, facts, line)
    _check_words(context, facts, line)


def _check_end(context: LineContext, facts: Facts, line: str) -> None:
    """Raise NotUnderstood for the word end alone while a turn goes on, or another is to come: it may mean the turn or the round."""
    state = context.state
    if line.strip().casefold() != "end" or not any(each["type"] == "round_ended" for each in facts):
        return
    if turn := state.clock.turn:
        raise NotUnderstood(1, "the turn may end, or the round", "", (f"done {turn}", "end round"))
    due = who_is_due(state).value if forms.of(state.rules.rules).clock == "turn" else []
    if due:
        raise NotUnderstood(1, f"no turn goes on, and {due[0]} is still to act", "", ("end round", f"t {due[0]}"))


def _check_round(context: LineContext, facts: Facts, line: str) -> None:
    """Raise NotUnderstood for r and the number of the next round alone, where it is also a combatant's name: r2, with a Raider 2."""
    one = next((each["combatant"] for each in facts if each["type"] == "turn_started"), "")
    number = context.state.clock.round + 1
    if one and line.strip().casefold() == f"r{number}":
        raise NotUnderstood(1, f"round {number} may begin, or the turn of {one}", "", (f"r {number}", f"t {one}"))


def _check_over(context: LineContext, facts: Facts) -> None:
    """Raise NotUnderstood where the words for the end of the fight may be about one combatant, or pass on the turn: over to bo, over for bo."""
    for each in facts:
        joins, _, whom = (each.get("reason") or "").partition(" ")
        people = names.combatants(context.state, whom.removeprefix("the "))
        if each["type"].startswith("encounter_closed") and joins in ("to", "for", "of") and people:
            who = people[0]
            raise NotUnderstood(
                1, f"this ends no fight, but may end something for {who}", "", (f"t {who}", f"done {who}")
            )


def _check_initiative(context: LineContext, facts: Facts, line: str) -> None:
    """Raise NotUnderstood where an initiative without a sign may be the roll, or the sheet's bonus; where sheets are summed up, it is the bonus."""
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
    """Raise NotUnderstood where a condition ends that nobody has and the game does not know; the line can stand as a remark."""
    state, table = context.state, forms.of(context.state.rules.rules)
    names = {
        *known(state.rules.rules).conditions,
        *table.words.get("condition", ()),
        *table.means.get("condition", {}).values(),
        *(each.called for each in state.conditions.values()),
    }
    lost = next((each["condition"] for each in facts if each["type"] == "condition_lost"), None)
    if lost is not None and lost.casefold() not in names:
        at = line.casefold().find(lost.casefold()) + 1 or 1
        why = f"nobody is {lost}, and this game knows no such condition"
        raise NotUnderstood(at, why, "", (f"note {line.strip()}",))


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


_DETERMINERS = frozenset({"the", "a", "an", "his", "her", "its", "their", "this", "that", "my", "our"})
"""Words before a thing that is left; other words stand before the manner, place or reason of leaving."""
_FIGHT = frozenset({"fight", "battle", "combat", "scene", "field", "battlefield", "encounter", "battleground", "fray"})


def _check_left(context: LineContext, facts: Facts, line: str) -> None:
    """Raise NotUnderstood where a combatant may leave a thing or another combatant, and not the fight."""
    for each in facts:
        reason = each.get("reason") if each["type"] == "combatant_left" else None
        if not reason or quoted_in(line, reason):
            continue
        first, *rest = reason.casefold().split()
        is_object = first in _DETERMINERS or names.exactly(context.state, reason) != []
        if re.search(r"\d", reason):
            at = line.casefold().find(first) + 1 or 1
            raise NotUnderstood(at, "this is no reason for leaving: it has a number", "", (f"note {line.strip()}",))
        is_somebody = _is_about_somebody(context, reason)
        if is_somebody or (is_object and not (rest and rest[-1] in _FIGHT)):
            who, at = each["combatant"], line.casefold().find(first) + 1 or 1
            left, note = f'{who} leaves "{reason}"', f"note {line.strip()}"
            from_what = reason.split()[0] if _names(context, reason.split()[0]) else reason
            stays = f'place {who} "away from {from_what}"' if first != "with" else ""
            offers = (stays, left, note) if is_somebody else (left, stays, note)
            raise NotUnderstood(at, "this may be left and not the fight", "", tuple(filter(None, offers)))


def _is_about_somebody(context: LineContext, reason: str) -> bool:
    """Say whether a combatant is named where the thing left should be, with words after the name, or as its companion:
    ana to die, combat with ana.
    """
    words = re.findall(r"[^\W\d][\w'’-]*", reason)
    place = next((at for at, word in enumerate(words[:3]) if word.casefold() == "with"), 0)
    behind = [word for word in words[place + 1 :] if word.casefold() not in _DETERMINERS]
    shared = bool(behind) and words[place].casefold() == "with" and _names(context, behind[0])
    return shared or (len(words) > 1 and not re.search(r"['’]s$", words[0]) and _names(context, words[0]))


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


def check_behind(context: LineContext, facts: Sequence[Fact], line: str) -> None:
    """Raise NotUnderstood for a save after damage that may be the save which the damage makes its combatant owe, or
    after an event that the save may have averted.
    """
    check_averted(facts)
    owed = forms.of(context.state.rules.rules).means.get("owed-save", {})
    for place, fact in enumerate(facts):
        if not isinstance(fact, SaveRolled) or fact.purpose or len(fact.save or "") < 3:
            continue
        purpose = next((name for name, save in owed.items() if save.startswith((fact.save or "").casefold())), "")
        hurt = any(isinstance(each, DamageDealt) and each.target == fact.combatant for each in facts[:place])
        if purpose and hurt and _concentrates(context.state, fact.combatant):
            why = f"{fact.combatant} owes a save for {purpose}, and this may be another one"
            clear = re.sub(rf"(?i)\b{re.escape(fact.save or '')}\w*", purpose, line.strip())
            raise NotUnderstood(
                1, why, f"write `{clear}`, or a line for each, with what asks for the other one: cause=12"
            )


def check_averted(facts: Sequence[Fact]) -> None:
    """Raise NotUnderstood for a condition before a save in its line that did not fail and may have averted it: one of
    the same act, or right after it.
    """
    acts = {each.action.kind for each in facts if isinstance(each, ActionTaken)}
    for place, fact in enumerate(facts):
        if not isinstance(fact, SaveRolled) or fact.succeeded is False or fact.purpose not in (None, *acts):
            continue
        for at, each in enumerate(facts[:place]):
            if not isinstance(each, ConditionGained) or fact.combatant not in each.targets:
                continue
            if at == place - 1 or (fact.cause and _place_of(each.cause, at) == _place_of(fact.cause, place)):
                why = f"a save of {fact.combatant} that succeeds may have kept {each.condition} off"
                hint = f"leave {each.condition} out, or say that the save fails, or write the two in lines of their own"
                raise NotUnderstood(1, why, hint)


def _place_of(cause: int | None, at: int) -> int | None:
    """Return the place in the line of the cause of the fact at `at`, or the record number of the cause."""
    return at + cause if cause and cause < 0 else cause


def _concentrates(state: State, who: str) -> bool:
    """Say whether a combatant concentrates on an effect, or on a spell that is held ready or being cast, by the ruleset."""
    if any(each.source == who and each.concentration for each in state.effects.values()):
        return True
    one = state.combatants.get(who)
    return one is not None and bool(state.rules.concentration(state, one)[0])


def _check_struck(facts: Facts, line: str) -> None:
    """Raise NotUnderstood where the reason for a strike begins with a number: several records may be meant."""
    if not any(each["type"] == "struck" for each in facts):
        return
    if found := re.search(r"(\d+)\s+(?:and\s+|,\s*)?(\d+)", line):
        hint = (
            f"write a line for each: strike {found[1]}, strike {found[2]}; a reason that begins with a number is quoted"
        )
        raise NotUnderstood(found.start(2) + 1, "a line takes one record out", hint)


def _check_spelling(context: LineContext, facts: Facts, line: str) -> None:
    """Raise NotUnderstood where a state, a type of damage, a save or a spell is a known one with a slip: is stuned, takes 5 fier."""
    from projections.reader.spelling import (  # the reader's words, of which the grammar has fewer
        mistyped,
        mistyped_spell,
    )

    rules, state = context.state.rules.rules, context.state
    present = {each.called for each in state.conditions.values()}
    for each in facts:
        parts = each.get("parts") or () if each["type"] == "damage_dealt" else ()
        said = [
            ("condition", each.get("condition") if each["type"] == "condition_gained" else None),
            ("save_kind", each.get("save") if each["type"] == "save_rolled" else None),
            *(("type", part.get("damage_type")) for part in parts),
        ]
        action = each.get("action") or {}
        wrong = [str(word) for kind, word in said if word and word not in present and mistyped(rules, str(word), kind)]
        casts = action.get("kind") in forms.of(rules).words.get("casting", ("cast",))
        spell = str(action.get("name") or "") if casts else ""
        wrong += [spell] if mistyped(rules, spell, "spell") or mistyped_spell(rules, spell) else []
        if wrong and not quoted_in(line, wrong[0]):
            at = line.casefold().find(wrong[0].casefold()) + 1 or 1
            raise NotUnderstood(at, f"{wrong[0]} is not understood", "a word of your own stands in quotation marks")


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
_SQUARE = r"-?\d+,-?\d+"


def _check_words(context: LineContext, facts: Facts, line: str) -> None:
    """Raise NotUnderstood where the rest of a line is no reason and no place in words: it reports something else, names
    squares, or names something left other than the fight.
    """
    for each in facts:
        text = str(each.get(WORDS.get(each["type"], ""), "") or "")
        if not text:
            continue
        joined = any(str(value).endswith((",", ";")) for value in each.get("values", {}).values())
        tells = joined or (not quoted_in(line, text) and _tells_more(context, each["type"], text))
        leaves = each["type"] == "combatant_left" and _is_place(context, text)
        if tells or leaves or (each["type"] == "placed" and re.search(_SQUARE, text)):
            at = line.casefold().find(text.casefold().split()[0]) + 1
            why = "this is not the fight that somebody leaves" if leaves else "not all of this line is understood"
            raise NotUnderstood(at or 1, why, "write a line for each thing that happens")


def _tells_more(context: LineContext, kind: str, text: str) -> bool:
    """Say whether words report something about another combatant or thing, too.

    After a mark a name is enough, except for a condition, whose words may be a list. The reason for a strike may be
    several sentences; words that begin with and or then are no reason.
    """
    divided = re.search(r"[,;.!]\s*(?:and |then |but |the )*([^\W\d][\w'’-]*)", text)
    if kind == "struck" and text.partition(" ")[0] not in ("and", "then"):
        return False
    if divided and kind not in ("action_held", "struck") and _names(context, divided[1]):
        return True
    return _gives_points(context, text) or any(
        _happens(context, text, each, awaited=kind == "action_held") for each in re.finditer(_DIVISION, text)
    )


_DIVISION = r"[.;!]\s+|,\s*|(?:^|(?<=\s))(?:and|then|but)\s+"
"""The dividers between two reports: a mark, or a joining word."""
_OPENING = r"(?:(?:and|then|but|the|an?)\s+)*"
"""The joining words and articles before a report."""
_MEASURED = (
    r"[-+]?\d+(?!\d|[\s-]*(?:feet|foot|ft|squares?|m|metres?|meters?|rounds?|turns?|minutes?|hours?|seconds?)\b)"
)
"""A number that is no distance and no time."""


def _happens(context: LineContext, text: str, division: re.Match[str], *, awaited: bool) -> bool:
    """Say whether words after a division report something that happens now; an `awaited` event may itself be several joined ones."""
    mark, rest = division[0].strip(), text[division.end() :]
    rest = rest[re.match(_OPENING, rest).end() :]  # type: ignore[union-attr]  # it may be empty
    words = rest.split()
    if not words:
        return False
    if mark in (".", ";", "!") or re.match(r"\d+ (?:\w+ )?(?:damage|dmg)\b", rest):
        return True
    joins, own = (
        awaited and mark in ("and", "then"),
        rest[: found.start()] if (found := re.compile(_DIVISION).search(rest, 1)) else rest,
    )
    if _names(context, words[0].rstrip(",:")):
        has_number = re.search(_MEASURED, own.partition(" ")[2]) is not None
        acts = has_number or (len(words) > 1 and words[1][0].isalpha() and words[1] not in ("or", "nor"))
        return acts and (
            has_number or not (joins and any(_names(context, word) for word in text[: division.start()].split()))
        )
    return not joins and words[0][0].isalpha() and re.search(_MEASURED, own) is not None


def _gives_points(context: LineContext, text: str) -> bool:
    """Say whether a combatant is named with points that they lose or gain: bo -3."""
    return any(_names(context, found[1]) for found in re.finditer(r"([^\W\d][\w'’-]*)\s+[-+]\d", text))


def _names(context: LineContext, word: str) -> bool:
    """Say whether a word is a combatant's name, or the beginning of just one; a number counts: 1 got away."""
    return not word.isdecimal() and len(names.combatants(context.state, re.sub(r"['’]s$", "", word))) == 1


def _is_place(context: LineContext, text: str) -> bool:
    """Say whether the thing left is a place beside others, such as their reach."""
    words = re.findall(r"[^\W\d][\w'’-]*", re.sub(r"(?<=\w)\s+(with|of|near|beside|around)\s.*", "", text.casefold()))
    beside = forms.of(context.state.rules.rules).words.get("beside", ())
    owned = [word for word in words if re.search(r"['’]s$", word)]
    return words[-1:] != [] and (words[-1] in beside or any(_names(context, word) for word in owned))
