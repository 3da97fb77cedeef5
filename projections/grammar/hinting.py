"""Errors of lines that no form tells: the first of `ERRORS` that applies, with its hint."""

import re

from eventstore.form import visible
from projections.grammar import names
from projections.grammar.hints import HINTS, HINTS_OF_FORMS
from projections.grammar.line_context import unplaced
from projections.grammar.moments import has_turns
from projections.grammar.refusals import alternatives
from projections.grammar.several_tokens import PREPOSITIONS
from projections.grammar.tokens import NotUnderstood, is_slip
from projections.grammar.unread_lines import ACTING, Unread, VerbUnread
from projections.state import State

_TOTAL = r"([^=]+)=-?\d+(?:\.\d\d)?"
_OVER = r"(\w[\w' -]*?) (ends|ended|is over|expires|wears off)"
_ROLLING = r"(everyone |everybody |all )?rolls?( for)? (initiative|init)\W*"
_ROLL = r"[^=]*[^=\d]\d+"
_FROM = r"\d.*\bfrom (?:the |an? )?(?P<name>\S+)"
_POINTS = r"\b(takes?|took|loses?|lost|suffers?|damage|dmg|hp|heals?|healed|regains?|gains?|gets?)\b"
_BETWEEN = frozenset({"", "and", "then", "but", "for", "to"})
"""The words between the parts of a line, and before numbers; also none, where only a mark stands."""


def hinted(line: Unread) -> NotUnderstood:
    """Return the error of a line with the best hint for it: that of the first function in `ERRORS` that has one."""
    return next(found for each in ERRORS if (found := each(line)) is not None)


def numbered(state: State, line: str) -> str:
    """Return a line with the names that are written with a blank before their number, such as orc 2, as they are."""

    def joined(found: re.Match[str]) -> str:
        name = f"{found[1]}-{found[2]}"
        return name if name.casefold() in state.combatants else found[0]

    return re.sub(r"\b([A-Za-z][\w-]*) (\d+)\b", joined, line)


# ---------------------------------------------------------------- lines that are known to say nothing


def _with_offers(line: Unread) -> NotUnderstood | None:
    """Return the error as it is, if it offers lines."""
    return line.error if line.error.offers else None


def _command(line: Unread) -> NotUnderstood | None:
    """Return the error of a line that begins with a command of the shell."""
    first = line.first
    command = None if first.quoted else line.table.commands.get(first.text.casefold())
    if command is None or line.begins_form:
        return None
    return NotUnderstood(first.start + 1, f"{first.text} is a command, and no line", command)


def _bare_correction(line: Unread) -> NotUnderstood | None:
    """Return the error of a line such as `oops`, which does not say what it corrects."""
    word = line.first.text.casefold().rstrip(",:;.!")
    instead = None if line.first.quoted else line.table.instead.get(word)
    return NotUnderstood(line.first.start + 1, f"{word} alone corrects nothing", instead) if instead else None


def _initiative_without_rolls(line: Unread) -> NotUnderstood | None:
    """Return the error of a line such as `all roll initiative`, which has no dice: it offers the line by which they are rolled here, where they can be."""
    if not re.fullmatch(_ROLLING, line.line.strip().casefold()):
        return None
    those = (
        (each.side or each.id for each in line.state.here()) if not has_turns(line.context) else unplaced(line.context)
    )
    dice = " ".join(f"{each}:{line.table.initiative}" for each in dict.fromkeys(those))
    if line.context.roll and dice:
        why = "this does not say what was rolled"
        return NotUnderstood(line.first.start + 1, why, f"write `i {dice}` to roll here", (f"i {dice}",))
    hint = f"such as: {line.table.evening['initiative'][0]}; i b:d20 rolls a die here"
    why = "this does not say what was rolled, or which dice are to be"
    return NotUnderstood(line.first.start + 1, why, hint)


def _casting_time_alone(line: Unread) -> NotUnderstood | None:
    """Return the error of a line that only says how long a spell takes, and not which one."""
    found = re.fullmatch(r"(?:(\w+)\s+)?casting time:?\s+(\d+)", line.line.strip().casefold())
    if found is None:
        return None
    who = found[1] or next(iter(line.state.combatants), "m")
    hint = f"it stands in the line of the spell, such as: {who} casts web, casting time {found[2]}"
    return NotUnderstood(line.first.start + 1, "this does not say what is cast", hint)


def _unknown_effect(line: Unread) -> NotUnderstood | None:
    """Return the error of a line that ends an effect which is not running."""
    over = re.fullmatch(_OVER, line.line.strip().casefold())
    if not over or not line.lacks_combatant:
        return None
    hint = "?NAME.effects asks what runs on a combatant"
    return NotUnderstood(line.first.start + 1, f"no effect called {over[1]} is running", hint)


def _sentences(line: Unread) -> NotUnderstood | None:
    """Return the error of a line with several sentences, divided by a semicolon."""
    divided = next((each for each in line.tokens if not each.quoted and each.text.endswith(";")), None)
    why = "not all sentences of this line are understood"
    return NotUnderstood(divided.end, why, "write a line for each") if divided else None


def _dice_and_totals(line: Unread) -> NotUnderstood | None:
    """Return the error of a line of initiative with both dice and totals, at the first of the kind that comes second."""
    rolls = line.tokens[1:] if line.first.text == "i" and not line.first.quoted else line.tokens
    totals = [
        each for each in rolls if (found := re.fullmatch(_TOTAL, each.text)) and names.combatants(line.state, found[1])
    ]
    dice = [each for each in rolls if re.fullmatch(_ROLL, each.text) and not names.combatants(line.state, each.text)]
    if not (totals and dice and len(totals) + len(dice) == len(rolls)):
        return None
    mixed = max(totals[0], dice[0], key=lambda each: each.start)
    why = "dice and totals for initiative do not stand in one line"
    return NotUnderstood(mixed.start + 1, why, "write a line for each")


def _from_nobody(line: Unread) -> NotUnderstood | None:
    """Return the error of a line in which points come from a name that is spelt wrong, or from more than a name: takes 3 from orge."""
    found = re.search(_FROM, line.line, re.IGNORECASE)
    if not found or not re.search(_POINTS, line.line, re.IGNORECASE) or line.begins_form:
        return None
    name, meant = found["name"].removesuffix("'s"), names.near(line.state, found["name"], loosely=True)
    column, is_known = found.start("name") + 1, names.combatants(line.state, name) != []
    if meant and not is_known:
        return NotUnderstood(column, f"there is no combatant {visible(name)}", f"did you mean {meant}?")
    hint = "from names a combatant, an act of the turn, or a thing in a few words: from the trap"
    return None if is_known else NotUnderstood(column, "what it comes from is not understood", hint)


def _question(line: Unread) -> NotUnderstood | None:
    """Return the error of a question that is none of those which people can ask."""
    first = line.first.text.casefold()
    if line.begins_form or first not in line.table.words["asking"]:
        return None
    who = next(iter(line.state.combatants), "b")
    hint = f"ask for one thing of one combatant, such as: what is {who}'s hp; ?{who} says all, ?order and ?may ask for more"
    return NotUnderstood(line.first.start + 1, "this question is not understood", hint)


def _numbered_nobody(line: Unread) -> NotUnderstood | None:
    """Return the error of a line in which a name with a number, orc-7, that nobody has stands before a verb."""
    first, second = line.first, line.tokens[1].text if len(line.tokens) > 1 else ""
    numbered = re.fullmatch(r"[^\W\d][\w'’-]*\d", first.text) is not None and not first.quoted
    acts = re.fullmatch(r"[a-z]{3,}", second) is not None and not names.combatants(line.state, second)
    if not (numbered and acts) or names.combatants(line.state, first.text) or line.begins_form:
        return None
    return _nobody(line.state, first.start + 1, first.text)


def _whose(line: Unread) -> NotUnderstood | None:
    """Return the error of a line that begins with something of a combatant, Ana's wolf, which is no combatant itself."""
    owner, thing = line.first, line.tokens[1] if len(line.tokens) > 1 else None
    owned = re.fullmatch(r"(.+)['’]s", owner.text)
    if not (owned and thing) or owner.quoted or len(names.combatants(line.state, owned[1])) != 1:
        return None
    if line.knows(thing.text.casefold()):
        return None
    word = visible(thing.text[:40])
    why, hint = f"there is no combatant {word}", f"what has its own hit points joins: join {word}"
    return NotUnderstood(thing.start + 1, why, hint) if line.error.column == owner.start + 1 else None


def _listed_nobody(line: Unread) -> NotUnderstood | None:
    """Return the error of a list of names with numbers, of which the first is known and another one is not."""
    parts = [*re.finditer(r"[^,]+", line.line)]
    listed = re.search(r"(\S+)\s+\d+\s*$", parts[0][0]) if parts else None
    first = listed[1] if listed else ""
    known = names.combatants(line.state, first) or names.is_group(line.state, first)
    if not known or not (line.error.column == line.first.start + 1 or line.error.why.startswith("expected an amount")):
        return None
    for part in parts[1:]:
        found = re.fullmatch(r"\s*(?:and\s+)?([^\W\d][\w'’-]{2,})\s+\d+\s*", part[0])
        if found and not names.combatants(line.state, found[1]):
            return _nobody(line.state, part.start() + found.start(1) + 1, found[1])
    return None


def _nobody(state: State, column: int, name: str) -> NotUnderstood:
    """Return the error that nobody has a name, with those that there are."""
    there = f"there are {', '.join(one.name for one in state.here()[:8])}"
    return NotUnderstood(column, f"there is no combatant {visible(name[:40])}", there)


# ---------------------------------------------------------------- lines whose verb is unknown


def _of_verb(line: Unread) -> NotUnderstood | None:
    """Return the error of a line whose second word is no word for an action: that of the first function in `VERB_ERRORS`."""
    verb = VerbUnread.of(line)
    return None if verb is None else next(found for each in VERB_ERRORS if (found := each(verb)) is not None)


def _unknown_target(verb: VerbUnread) -> NotUnderstood | None:
    """Return the error of a verb for an attack, behind which nobody's name stands."""
    nobody = verb.nobody_behind()
    if nobody is None:
        return None
    return _nobody(verb.line.state, nobody.start + 1, nobody.text)


def _mistyped_verb(verb: VerbUnread) -> NotUnderstood | None:
    """Return the error of a verb with a slip in it, which offers the line without it."""
    offers = tuple(verb.line.with_word(verb.token, each) for each in verb.near())
    return verb.error(verb.unknown, f"write {alternatives(offers)}", offers) if offers else None


def _verb_of_attack(verb: VerbUnread) -> NotUnderstood | None:
    """Return the error of a verb for an attack with something behind it that is not understood."""
    if verb.word not in verb.line.table.means.get("kind", ()):
        return None
    return verb.error(f"not all that is said with {verb.shown} is understood", "")


def _any_verb(verb: VerbUnread) -> NotUnderstood:
    """Return the error of a word that is none for an action; without a number, the line may be meant as a note."""
    who, line = verb.line.first.text, verb.line.line
    hint = f'by its name an action is quoted: {who} "{verb.shown}"; a state stands behind is: {who} is prone'
    return verb.error(verb.unknown, hint, () if re.search(r"\s\d", line) else (f"note {line.strip()}",))


VERB_ERRORS = (_unknown_target, _mistyped_verb, _verb_of_attack, _any_verb)
"""The errors of a line with an unknown verb, in the order in which they are tried; the last one always applies."""


# ---------------------------------------------------------------- all other lines


def _of_nobody(line: Unread) -> NotUnderstood | None:
    """Return the error of a sentence about no combatant, the rain starts, which offers it as a note."""
    filler = line.table.words.get("filler", ())
    words = [each.text.casefold().strip(",:;.!?()") for each in line.tokens]
    telling = [word for word in words if word and word not in filler]
    is_sentence = len(telling) > 1 and all(word.isalpha() for word in telling) and not line.begins_form
    if not (is_sentence and line.lacks_combatant and line.names_nobody):
        return None
    acts = any(line.is_deed(word) or any(line.is_of(sort, word) for sort in ACTING) for word in telling)
    acts = acts or not {"is", "are"}.isdisjoint(words)
    if acts or any(is_slip(telling[0], each) for each in line.state.combatants):
        return None
    offers = (f"note {line.line.strip()}",)
    return NotUnderstood(line.error.column, "this names no combatant", f"write {alternatives(offers)}", offers)


def _leftover_words(line: Unread) -> NotUnderstood | None:
    """Return the error of a line that finds no combatant where a name with a mark, or a word such as `for`, stands."""
    at, word = line.at, line.at.text.casefold().strip(",:;.!?()")
    known = word in _BETWEEN or (word != at.text.casefold() and len(names.combatants(line.state, word)) == 1)
    is_word = word in line.table.words.get("filler", ()) and word not in PREPOSITIONS
    several = re.search(r"[,;:]|\b(and|then)\b", line.line) is not None
    known = known or (word in PREPOSITIONS and several and "advantage" not in line.line.casefold())
    if not line.lacks_combatant or at.quoted or not (known or is_word):
        return None
    hint = "write a line for each thing that happens" if several else ""
    return NotUnderstood(line.error.column, "not all of this line is understood", hint)


def _with_hint(line: Unread) -> NotUnderstood:
    """Return the error with the first hint of `HINTS` that is not empty, and with lines to offer if that names a slip."""
    hints = HINTS_OF_FORMS if line.begins_form else HINTS
    hint = next(filter(None, (each(line) for each in hints)), line.error.hint)
    meant = re.match(r"did you mean ([^?]*)\?", hint)
    found = NotUnderstood(line.error.column, line.error.why, hint)
    if meant:
        found = _respelt(line, meant[1].split(" or "))
    if not found.offers and line.begins_with_unknown_word():
        return _of_beginning(line, found.hint)
    return found


def _respelt(line: Unread, close: list[str]) -> NotUnderstood:
    """Return an error that offers the line with the word at its column spelt otherwise, if that is a slip of one letter or two."""
    at, error = line.at, line.error
    typed = line.line[at.start : at.end]
    is_word = typed.casefold() in line.table.words.get("filler", ())
    slips = [] if is_word else [each for each in close if is_slip(typed.casefold(), each.casefold())]
    offers = tuple(line.with_word(at, each) for each in slips)
    return NotUnderstood(error.column, error.why, f"write {alternatives(offers)}" if offers else "", offers)


def _of_beginning(line: Unread, otherwise: str) -> NotUnderstood:
    """Return the error of a line that begins with a word that is none, with the hint that it has otherwise."""
    first, word = line.first, visible(line.first.text[:40])
    who = next(iter(line.state.combatants), "")
    hint = f"who does it stands first: {who} {word}" if line.is_deed(word) and who else otherwise
    return NotUnderstood(first.start + 1, f"{word} is no word that begins a line, and nobody's name", hint)


ERRORS = (
    _with_offers,
    _command,
    _bare_correction,
    _initiative_without_rolls,
    _casting_time_alone,
    _unknown_effect,
    _sentences,
    _dice_and_totals,
    _from_nobody,
    _question,
    _numbered_nobody,
    _whose,
    _listed_nobody,
    _of_verb,
    _of_nobody,
    _leftover_words,
    _with_hint,
)
"""The errors of an unread line, in the order in which they are tried; the last one always applies."""
