"""The refusal of a line: where it stopped, what could stand there, and other lines, as alternatives."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from eventstore.wording import list_in_words, visible
from projections.language.notation import forms, names
from projections.language.notation.forms import fixed_words
from projections.language.notation.line_context import LineContext
from projections.language.notation.parsing import parse
from projections.language.notation.tokens import NotUnderstood, is_slip, suggestion
from projections.state import State

if TYPE_CHECKING:
    from projections.language.sentences import Reading

MOST_OFFERS = 3
"""The most lines that a refusal offers."""
DENIED = "this says that something did not happen, or may not have happened"
MOST_EXPECTED = 6
"""The most words that a refusal lists as what could stand next."""


def unread(context: LineContext, line: str, found: "Reading") -> NotUnderstood:
    """Return the refusal of a line that is no notation, and not one sentence alone: what is wrong, where, and its possible meanings."""
    from projections.language.table import language_table  # only for lines that are no notation

    state, table = context.state, language_table(context.state.rules.rules)
    if not found.several and (wrong := _notation_error(context, line)) is not None:
        return wrong
    if denials := [each for each in found.unknown if each.casefold() in table.denials]:
        return NotUnderstood(line.find(denials[0]) + 1, DENIED, "", (f"note {line.strip()}",))
    offers = (*_respell_names(state, line, found.unknown, sorted(table.vocabulary - table.fillers)),)
    error = NotUnderstood(found.stopped or 1, found.why, possible(found))
    if found.unknown and (offers or not found.offers):
        words = list_in_words(f'"{visible(each[:40])}"' for each in found.unknown[:MOST_EXPECTED])
        hint = suggestion(found.unknown[0], known := [*names.known(state)]) or names.there_are(known)
        several = names.combatants(state, found.unknown[0])
        why = f"{words} {'are' if found.unknown[1:] else 'is'} not understood"
        if len(several) > 1:
            why, hint = f"{words} can be {list_in_words(sorted(several), 'or', 6)}", "write more of the name"
        error = NotUnderstood(line.find(found.unknown[0]) + 1 or error.column, why, hint, offers)
    error.readings = found.offers
    return error


def possible(found: "Reading") -> str:
    """Return what could stand where a line stopped, in words; "" where nothing could."""
    return f"{', '.join(found.expected[:MOST_EXPECTED])} can stand here" if found.expected else ""


def _respell_names(state: State, line: str, unknown: Sequence[str], words: Sequence[str]) -> Iterator[str]:
    """Yield a line with its unknown words as the combatants whose names begin so, or known words from which each differs by a slip; nothing where one is neither."""
    if len(unknown) > MOST_EXPECTED or not all(len(word) > 1 and word[0].isalpha() for word in unknown):
        return  # a mark, or a letter alone, is like any other
    people = (part for one in state.here() for part in (one.id, *re.split(r"[-\d]+", one.id)) if part)
    known = dict.fromkeys((*people, *forms.first_words(state.rules.rules), *words))
    near = [
        (names.combatants(state, word) or [meant for meant in known if is_slip(word.casefold(), meant)])[:MOST_OFFERS]
        for word in unknown
    ]
    if not unknown or not all(near):
        return
    for way in range(max(map(len, near))):
        said = line
        for word, meant in zip(unknown, near, strict=True):
            said = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", meant[min(way, len(meant) - 1)], said)
        yield said


def _notation_error(context: LineContext, line: str) -> NotUnderstood | None:
    """Return the error of a line as notation where it says what is wrong; None where the line may as well be a sentence."""
    state, first = context.state, line.split(maxsplit=1)[0].casefold().rstrip(",:;.!")
    try:
        parse(context, line)
    except NotUnderstood as wrong:
        error = wrong
    else:
        return None
    if first in forms.first_words(state.rules.rules):
        return error if error.hint or error.offers else _add_example(state, line, error)
    if hint := forms.of(state.rules.rules).instead.get(first):
        return NotUnderstood(1, f"{visible(first)} is no beginning of a line", hint)
    return None if error.vague else error


def _add_example(state: State, line: str, error: NotUnderstood) -> NotUnderstood:
    """Return the error of a line that begins with a word of the notation, with an example of the form that shares the most words with it."""
    first, *typed = line.casefold().split()[:3]
    found = forms.forms_beginning(state.rules.rules, first)
    nearest = max(found, key=lambda form: max(len({first, *typed} & fixed_words(nodes)) for nodes in form.nodes))
    spaced = '; a name with a space is quoted: "Will Bane"' if nearest.copies else ""
    return NotUnderstood(error.column, error.why, f"such as: {nearest.example}{spaced}")
