"""Hints for lines that no form tells; each function returns "" where its hint does not apply."""

import re

from eventstore.form import closest, nearest, visible
from projections.grammar import line_context, names
from projections.grammar.forms import Form, literals
from projections.grammar.several_tokens import PREPOSITIONS
from projections.grammar.tokens import QUOTED
from projections.grammar.unread_lines import Unread, first_words, words_of_forms

_MEASURE = r"\d+(ft|m|sq)"
_FIELD = r"([a-z_]+)=(.+)"
JOINING = ("join", "add", "joins")
_DICE = r"\d*d[\d%]"

# ---------------------------------------------------------------- lines that begin with a word of the forms


def _name_too(line: Unread) -> str:
    """Return what to write for a combatant whose name begins with a word of the grammar."""
    meant = names.combatants(line.state, line.first.text)
    if not meant or re.match(_DICE, line.at.text):
        return ""
    who, word = line.state.combatants[meant[0]].name, line.first.text
    return f"{word} is a word of the grammar; for {visible(who[:60])} write more of the name, or :{word}"


def _joined_already(line: Unread) -> str:
    """Return what to write for a newcomer whose name somebody in the fight has."""
    name = line.tokens[1].text if line.first.text.casefold() in JOINING and len(line.tokens) > 1 else ""
    if name.casefold() not in line.state.combatants:
        return ""
    who = name.casefold()
    return f"{who} is in the fight: `sheet {who} hp=14` says more of {who}, and another one needs another name"


def _unnumbered(line: Unread) -> str:
    """Return how a correction that holds a fact names its record, if a line leaves the number out."""
    carries = any(form.carries for form in line.table.form if line.first.text in first_words(form))
    if not carries or (len(line.tokens) > 1 and line.tokens[1].text.isdecimal()):
        return ""
    example = _nearest_form(line).example
    return f"a record is named by its number, as in {example}; each line shows those of its facts, encounter log FILE in a shell all"


def _example(line: Unread) -> str:
    """Return an example of the nearest form, if the error has no hint."""
    return "" if line.error.hint else f"such as: {_nearest_form(line).example}"


def _nearest_form(line: Unread) -> Form:
    """Return the form that begins with the first word of a line, and has the most of the words after it."""
    found = [form for form in line.table.form if line.first.text in first_words(form)]
    typed = {each.text for each in line.tokens[:3]}
    return max(found, key=lambda form: max(len(typed & literals(nodes)) for nodes in form.nodes))


HINTS_OF_FORMS = (_name_too, _joined_already, _unnumbered, _example)
"""The hints for a line that begins with a word of the forms, the likeliest first."""

# ---------------------------------------------------------------- all other lines


def _field(line: Unread) -> str:
    """Return how a field of a sheet changes, if a line looks like that."""
    first, *others = line.tokens
    people = names.combatants(line.state, first.text)
    found = re.fullmatch(_FIELD, others[0].text) if len(others) == 1 and len(people) == 1 else None
    if found is None or not hasattr(line.state.combatants[people[0]].sheet, found[1]):
        return ""
    return f"sheet {first.text} {others[0].text} changes the sheet; rule override rules a value"


def _remark(line: Unread) -> str:
    """Return how a remark is written, if no letter or digit is at the error."""
    if re.search(r"\w", line.at.text):
        return ""
    return f"a remark stands on a line of its own, behind a quotation mark: {QUOTED}"


def _distance(line: Unread) -> str:
    """Return how a move is written, if a distance is at the error."""
    if not re.fullmatch(_MEASURE, line.at.text):
        return ""
    return f"a move is written with goes: {line.first.text} goes {line.at.text}"


def _no_attack_roll(line: Unread) -> str:
    """Return how an attack is written in a game that rolls none, if a number is at the error."""
    if line.table.rolls or not re.fullmatch(r"\d{1,2}", line.at.text):
        return ""
    return f"no attack is rolled in this game: such as {line.first.text} attack, with -5 for the damage"


def _is_unknown_name(line: Unread) -> bool:
    """Say whether the word at the error, behind the first, is taken for a name that nobody has."""
    return line.at is not line.first and line.error.hint.startswith("there are")


def _preposition(line: Unread) -> str:
    """Return how a weapon and a target are written, if a preposition stands between them."""
    if line.at is line.first or line.at.text not in PREPOSITIONS:
        return ""
    if said := re.search(r"(?i)\b(dis)?advantage\b", line.line):
        return f"{said[0]} is said with both dice, behind the target: {said[0][:3].lower()} 14 7; beside a total leave it out"
    if not _is_unknown_name(line):
        return ""
    return f"leave out {line.at.text}; a weapon stands before its target: attack axe orc-1"


def _kind_near(line: Unread) -> str:
    """Return the kind of action that the word at the error may be a slip of."""
    return nearest(line.at.text.casefold(), line_context.kinds(line.state)) if _is_unknown_name(line) else ""


def _quoted_action(line: Unread) -> str:
    """Return how the name of an action is written, for a word that names nobody."""
    if not _is_unknown_name(line):
        return ""
    return f'{line.error.hint}; the name of an action is quoted: "{line.at.text[:40]}"'


def _joined_words(line: Unread) -> str:
    """Return how several words are written as one, if the line has one too many."""
    if line.error.hint or not line.error.why.startswith("nothing more"):
        return ""
    return 'words that belong together are joined by _, or quoted: on_fire, "on fire"'


def _word_near(line: Unread) -> str:
    """Return the word that begins a line, or the slot of a round, that the first word may be a slip of."""
    error, state = line.error, line.state
    has_better = error.hint and not error.hint.startswith(("there are", "did you mean"))
    if error.column != line.first.start + 1 or " can be " in error.why or has_better:
        return ""
    slots = {slot.casefold(): slot for slot in state.rules.schedule.phases(state)}
    typed, meant = line.first.text.casefold(), {word: word for word in words_of_forms(line.table)} | slots
    return nearest(typed, meant) if closest(typed, [*state.combatants, *meant]) in meant else ""


HINTS = (
    _field,
    _remark,
    _distance,
    _no_attack_roll,
    _preposition,
    _kind_near,
    _quoted_action,
    _joined_words,
    _word_near,
)
"""The hints for a line that begins with a name or an unknown word, the likeliest first."""
