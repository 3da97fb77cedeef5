"""The question to a model about a line that nobody understands; and of its answer what is a line of the notation, and honest. It asks nobody."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress

from msgspec import Struct, structs, to_builtins

from eventstore.events import name_of
from projections.folds.moves import next_up
from projections.language.notation import forms, names
from projections.language.notation.line_context import kinds, weapon_of
from projections.language.notation.parsing import Parsed, parse
from projections.language.notation.table import Table
from projections.state import State

LONGEST = 400  # the most characters of a line that a model is asked about, and of its answer
NO_DEEDS = frozenset({"noted", "ruling_made", "struck", "amended", "inserted"})
"""Facts that report nothing that happens at the table now: remarks, decisions of the game master, corrections."""
_BEYOND = re.compile(r"[=@^{}\[\]\"\u201c\u201d\u201e\u00ab\u00bb]|(?<!\S)[.#]|^\s*secret\b")
"""The signs of an option, a remark, a quotation, JSON or a secret."""
_PEOPLE = frozenset({"combatant", "target", "source", "targets", "combatants", "sides", "side"})
_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBERS = {word: number for number, word in enumerate(_WORDS, 1)}
TASK = """You translate what somebody at a table says about a tabletop fight into one line of a fixed notation.
Answer with this line alone, or with - if no form fits. Take names and numbers from the sentence, as they are there: never invent one,
and leave out what the sentence does not say. No explanation, no option, no quotation marks. The forms, each with an example:"""


class Question(Struct, frozen=True):
    """A question to a model: the task with the forms of the game, and the line with its context."""

    task: str
    about: str


Ask = Callable[[Question], str]  # a function that answers a question; "" if it has no answer


def suggest_lines(ask: Ask, table: Table, line: str) -> Sequence[str]:
    """Return the lines of the notation that a model suggests for one that is refused at a table: one, or none that is honest."""
    if not 0 < len(line.strip()) <= len(line) <= LONGEST or not line.isprintable():
        return ()
    notation = ask(make_question(table, line)).strip().strip("`").strip()
    if not 0 < len(notation) <= LONGEST or not notation.isprintable() or not may_suggest(notation):
        return ()
    with suppress(Exception):  # after any failure the line is refused as it is without an answer
        told = parse(structs.replace(table.context, script=True, roll=None), notation)  # as one of a script
        parsed = table.parse_if_accepted(notation) if told.facts else None
        if parsed and is_honest(table, line, notation, structs.replace(parsed, form=told.form)):
            return (notation,)
    return ()


def make_question(table: Table, line: str) -> Question:
    """Return the question about a line: the forms, the combatants in the fight, whose turn it is, the last deeds."""
    state = table.done.state
    shown = (form for form in forms.of(state.rules.rules).form if _is_shown(form))
    here = (f"{one.id} ({one.side or 'no side'}, {one.status})" for one in state.here())
    turn, following = state.clock.turn, next_up(state)
    when = f"It is the turn of {turn}." if turn else f"{following} is next." if following else "It is nobody's turn."
    deeds = (table.line_of(seq) for seq in table.memory.deeds[-4:])
    last = [each for each in deeds if each and may_suggest(each)]
    task = [TASK, *(f"{form.patterns[0]}   such as: {form.example}" for form in shown)]
    about = [f"In the fight: {', '.join(here) or 'nobody'}.", f"Round {state.clock.round}. {when}"]
    about += ["The last lines:", *last] if last else []
    return Question("\n".join(task), "\n".join([*about, f"The sentence: {line.strip()}"]))


def _is_shown(form: forms.Form) -> bool:
    tells = NO_DEEDS.isdisjoint(fact["type"] for fact in form.makes)
    return tells and not form.rest and not form.carries and may_suggest(form.example)


def may_suggest(notation: str) -> bool:
    """Say whether a line of the notation is a plain one: without options, and no remark or JSON; a sheet has options, too."""
    return not _BEYOND.search(notation)


def is_honest(table: Table, line: str, notation: str, parsed: Parsed) -> bool:
    """Say whether a line can be the meaning of a refused one: a deed of now, with words of that line or of its form, and no other numbers."""
    is_plain = may_suggest(notation) and parsed.facts and not (parsed.rest or parsed.thrown or parsed.secret)
    if not is_plain or any(name_of(type(fact)) in NO_DEEDS for fact in parsed.facts):
        return False
    state, said = table.done.state, _split_words(line)
    telling = [word for word in said if len(word) > 2 or len(line) < len(word) + 2]
    named = {who for word in telling for who in names.combatants(state, word)}
    acting = state.clock.turn or next_up(state) or ""
    whom = {who for fact in parsed.facts[parsed.moved :] for who in _combatants_and_sides(to_builtins(fact))}
    sides = {state.combatants[who].side for who in named}
    if (named and named.isdisjoint(whom)) or not whom <= named | sides | {acting}:
        return False
    form = next(each for each in forms.of(state.rules.rules).form if each.name == parsed.form)
    arms = [weapon_of(table.context, who) or "" for who in whom if who in state.combatants]
    held = {each for arm in arms for each in _split_words(arm)}
    known = {*said, *_split_words(" ".join(form.patterns)), *held, *kinds(state), *forms.of(state.rules.rules).kinds}
    typed = [word for word in _split_words(notation) if not set(names.combatants(state, word)) & whom]
    invented = _count_numbers(notation, state) - _count_numbers(line, state)
    return not invented and all(word in known for word in typed if not word.isdecimal())


def _combatants_and_sides(value: object, key: str = "") -> list[str]:
    if isinstance(value, dict):
        return [who for name, inner in value.items() for who in _combatants_and_sides(inner, name)]
    if isinstance(value, list | tuple):
        return [who for inner in value for who in _combatants_and_sides(inner, key)]
    return [value] if key in _PEOPLE and isinstance(value, str) else []


def _split_words(text: str) -> list[str]:
    return [names.folded(each) for each in re.findall(r"[^\W_]+(?:['\u2019-][^\W_]+)*", text)]


def _count_numbers(text: str, state: State) -> Counter[int]:
    words = [word for word in _split_words(text) if not (word[0].isalpha() and names.combatants(state, word))]
    digits = [int(each) for word in words for each in re.findall(r"\d{1,18}", word)]
    return Counter([*digits, *(_NUMBERS[word] for word in words if word in _NUMBERS)])
