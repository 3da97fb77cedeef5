"""Hints for lines that cannot be told: what was meant, as far as the words of the line show it."""

import re
from collections.abc import Iterator

from eventstore.form import closest, nearest, visible
from projections.grammar import names, scene
from projections.grammar.forms import Form, Forms, Literal, literals
from projections.grammar.phrases.choosing import alternatives
from projections.grammar.phrases.moments import holds
from projections.grammar.tokens import QUOTED, NotUnderstood, Token, is_slip
from projections.grammar.wide import PREPOSITIONS
from projections.state import State

_MEASURE = r"\d+(ft|m|sq)"
_FIELD = r"([a-z_]+)=(.+)"
_DICE = r"\d*d[\d%]"
_TOTAL = r"([^=]+)=-?\d+(?:\.\d\d)?"
_OVER = r"(\w[\w' -]*?) (ends|ended|is over|expires|wears off)"
_ROLLING = r"(everyone |everybody |all )?rolls?( for)? (initiative|init)\W*"
_ROLL = r"[^=]*[^=\d]\d+"


def hinted(error: NotUnderstood, told_in: scene.Scene, table: Forms, line: str, tokens: list[Token]) -> NotUnderstood:
    """Return the error with the best hint for it."""
    state = told_in.state
    if error.offers:
        return error
    if known := _known_words(error, state, table, line, tokens):
        return known
    if (verb := _unknown_verb(error, state, tokens)) is not None:
        return _of_verb(told_in, table, line, tokens, verb)
    if _is_at_known_word(error, state, table, tokens):
        return _not_all(error, line)
    hint = next((hint for hint in _hints(error, state, table, tokens) if hint), error.hint)
    meant = re.match(r"did you mean ([^?]*)\?", hint)
    found = NotUnderstood(error.column, error.why, hint)
    if meant:
        found = _respelt(error, table, line, tokens, meant[1].split(" or "))
    if not found.offers and _is_unknown_beginning(found, state, table, tokens):
        return _of_beginning(told_in, table, tokens[0], found.hint)
    return found


def _is_at_known_word(error: NotUnderstood, state: State, table: Forms, tokens: list[Token]) -> bool:
    """Say whether an error finds nobody of a name where a name with a mark behind it stands, or a word that is no name, such as for."""
    at = next((each for each in tokens if each.end >= error.column), tokens[-1])
    word = at.text.casefold().strip(",:;.!?()")
    known = word in _BETWEEN or (word != at.text.casefold() and len(names.combatants(state, word)) == 1)
    is_word = word in table.words.get("filler", ()) and word not in PREPOSITIONS
    return error.why.startswith("there is no combatant") and not at.quoted and (known or is_word)


def _not_all(error: NotUnderstood, line: str) -> NotUnderstood:
    """Return the error of a line of which words are left that no reading of it has a place for."""
    several = re.search(r"[,;:]|\b(and|then)\b", line) is not None
    hint = "write a line for each thing that happens" if several else ""
    return NotUnderstood(error.column, "not all of this line is understood", hint)


_BETWEEN = frozenset({"", "and", "then", "but", "for", "to"})
"""The words between the parts of a line, and before numbers; also none, where only a mark stands."""


def _of_verb(told_in: scene.Scene, table: Forms, line: str, tokens: list[Token], verb: Token) -> NotUnderstood:
    """Return the error of a line whose verb is unknown, mistyped, or behind which something is."""
    state, who, word = told_in.state, tokens[0].text, visible(verb.text[:40])
    unknown = f"{word} is no word for what somebody does here"
    if (nobody := _nobody(state, table, tokens, verb)) is not None:
        why = f"there is no combatant {visible(nobody.text[:40])}"
        return NotUnderstood(nobody.start + 1, why, _whom_there_is(state))
    near = _verbs_near(state, table, verb)
    if offers := tuple(f"{line[: verb.start]}{each}{line[verb.end :]}".strip() for each in near):
        return NotUnderstood(verb.start + 1, unknown, f"write {alternatives(offers)}", offers)
    if example := _example(told_in, table, verb.text.casefold(), {each.text.casefold() for each in tokens}):
        return NotUnderstood(verb.start + 1, f"this does not say enough for {word}", example)
    if verb.text.casefold() in table.means.get("kind", ()):
        example = next(phrase.example for phrase in table.phrase if phrase.name == "blow by a verb")
        return NotUnderstood(verb.start + 1, f"not all that is said with {word} is understood", f"such as: {example}")
    hint = f'by its name an action is quoted: {who} "{word}"; a state stands behind is: {who} is prone'
    return NotUnderstood(verb.start + 1, unknown, hint, () if re.search(r"\s\d", line) else (f"note {line.strip()}",))


def _known_words(
    error: NotUnderstood, state: State, table: Forms, line: str, tokens: list[Token]
) -> NotUnderstood | None:
    """Return the error of a line that is a command, a correction, or known to say nothing by the way it is put; else None."""
    first, word = tokens[0], tokens[0].text.casefold().rstrip(",:;.!")
    if (
        not first.quoted
        and (command := table.commands.get(first.text.casefold()))
        and first.text not in forms_words(table)
    ):
        return NotUnderstood(first.start + 1, f"{first.text} is a command, and no line", command)
    if not first.quoted and (instead := table.instead.get(word)):
        return NotUnderstood(first.start + 1, f"{word} alone corrects nothing", instead)
    if re.fullmatch(_ROLLING, line.strip().casefold()):
        example = table.evening["initiative"][0]
        why = "this does not say what was rolled, or which dice are to be"
        return NotUnderstood(first.start + 1, why, f"such as: {example}; i b:d20 rolls a die here")
    over = re.fullmatch(_OVER, line.strip().casefold())
    if over and error.why.startswith("there is no combatant"):
        return NotUnderstood(
            first.start + 1, f"no effect called {over[1]} is running", "?NAME.effects asks what runs on somebody"
        )
    divided = next((each for each in tokens if not each.quoted and each.text.endswith(";")), None)
    if divided:
        return NotUnderstood(divided.end, "not all sentences of this line are understood", "write a line for each")
    mixed = _mixed(state, tokens)
    why = "dice and totals for initiative do not stand in one line"
    return NotUnderstood(mixed.start + 1, why, "write a line for each") if mixed else None


def _example(told_in: scene.Scene, table: Forms, verb: str, words: set[str]) -> str:
    """Return an example of the phrases with this verb behind somebody's name, or where to find them; "" if there are none.

    That is the phrase which has the most of the other words of the line, if any has some.
    """
    said = [
        (len((words - {verb}) & literals(nodes)), phrase)
        for phrase in table.phrase
        if not phrase.offered and holds(told_in, phrase.when)
        for nodes in phrase.nodes
        if any(isinstance(node, Literal) and verb in node.words for node in nodes[1:2])
    ]
    most = max((count for count, _ in said), default=0)
    for phrase in (phrase for count, phrase in said if count == most):
        if phrase.needs and most:
            return f"it is said of {phrase.needs}"
        if verb in phrase.example.split():
            return f"such as: {phrase.example}"
    return f"help {verb} shows what is said with it" if said else ""


def numbered(state: State, line: str) -> str:
    """Return a line with the names that somebody wrote with a blank before their number, such as orc 2, as they are."""

    def joined(found: re.Match[str]) -> str:
        name = f"{found[1]}-{found[2]}"
        return name if name.casefold() in state.combatants else found[0]

    return re.sub(r"\b([A-Za-z][\w-]*) (\d+)\b", joined, line)


def _unknown_verb(error: NotUnderstood, state: State, tokens: list[Token]) -> Token | None:
    """Return the second word of a line that begins with somebody's name, if it is no word for anything and nobody's name."""
    if len(tokens) < 2 or error.column != tokens[1].start + 1 or not error.why.startswith("there is no combatant"):
        return None
    verb = tokens[1]
    begins = len(names.combatants(state, tokens[0].text)) == 1 and re.fullmatch(r"[a-z'’]{3,}", verb.text.casefold())
    said = verb.text.casefold()
    close = closest(said, [*state.combatants, *scene.kinds(state)])
    is_verb = not close or "'" in said or (said.endswith("s") and not is_slip(said, close))
    return verb if begins and not verb.quoted and is_verb else None


def _is_deed(state: State, table: Forms, word: str) -> bool:
    """Say whether a word is one for what combatants do."""
    return word in scene.kinds(state) or word in table.means.get("kind", ())


def _is_unknown_beginning(error: NotUnderstood, state: State, table: Forms, tokens: list[Token]) -> bool:
    """Say whether a line begins with a word for a deed, or with one like nobody's name, alone or before somebody's name."""
    first = tokens[0]
    alone = (
        len(tokens) == 1
        or _is_deed(state, table, first.text)
        or len(names.combatants(state, tokens[1].text.rstrip(",:;.!"))) == 1
    )
    is_word = re.fullmatch(r"[a-z][a-z'’-]{2,}", first.text) is not None and not first.quoted
    is_nobody = error.column == first.start + 1 and error.why.startswith("there is no combatant")
    return is_nobody and is_word and alone and not closest(first.text, state.combatants)


def _of_beginning(told_in: scene.Scene, table: Forms, first: Token, otherwise: str) -> NotUnderstood:
    """Return the error of a line that begins with a word that is none, with the hint that it has otherwise."""
    state, word = told_in.state, visible(first.text[:40])
    is_deed = _is_deed(state, table, word)
    who = next(iter(state.combatants), "")
    hint = f"who does it stands first: {who} {word}" if is_deed and who else otherwise
    return NotUnderstood(first.start + 1, f"{word} is no word that begins a line, and nobody's name", hint)


def _nobody(state: State, table: Forms, tokens: list[Token], verb: Token) -> Token | None:
    """Return the word behind a verb for an attack, and perhaps an article, that names nobody; None if there is none."""
    filler = table.words.get("filler", ())
    behind = (each for each in tokens if each.start > verb.end and each.text.casefold() not in filler)
    first = next(behind, None)
    if (
        verb.text.casefold() not in table.means.get("kind", ())
        or first is None
        or first.quoted
        or first.text[-1] == ":"
    ):
        return None
    word = re.sub(r"\W+$", "", first.text)
    is_word = re.fullmatch(r"[^\W\d_][\w'’-]{2,}", word) is not None and word.casefold() not in table.words.get(
        "weapon", ()
    )
    return None if not is_word or names.combatants(state, word) or names.is_group(state, word) else first


def _whom_there_is(state: State) -> str:
    return f"there are {', '.join(one.name for one in state.here()[:8])}"


def _verbs_near(state: State, table: Forms, verb: Token) -> list[str]:
    """Return the words for what somebody does of which a word is a slip: kinds of action in any form, and words of the phrases."""
    said = verb.text.casefold()
    known = scene.kinds(state)
    behind = {
        word
        for phrase in table.phrase
        for nodes in phrase.nodes
        for node in nodes[1:3]
        if isinstance(node, Literal)
        for word in node.words
    }
    words = {
        *known,
        *(f"{each}s" for each in known),
        *table.means.get("kind", ()),
        *table.words.get("doing", ()),
        *behind,
    }
    slips = [] if said in words else [each for each in words if len(each) > 3 and is_slip(said, each)]
    return sorted(slips, key=lambda each: (each[-1:] != said[-1:], each))[:3]


def _respelt(error: NotUnderstood, table: Forms, line: str, tokens: list[Token], close: list[str]) -> NotUnderstood:
    """Return an error that offers the line with the word at its column spelt otherwise, if that is a slip of one letter or two."""
    at = next((each for each in tokens if each.end >= error.column), tokens[-1])
    typed = line[at.start : at.end]
    is_word = typed.casefold() in table.words.get("filler", ())
    slips = [] if is_word else [each for each in close if is_slip(typed.casefold(), each.casefold())]
    offers = tuple(f"{line[: at.start]}{each}{line[at.end :]}".strip() for each in slips)
    return NotUnderstood(error.column, error.why, f"write {alternatives(offers)}" if offers else "", offers)


def forms_words(table: Forms) -> set[str]:
    """Return the words with which lines begin."""
    return {word for form in table.form for word in _first_words(form)}


def _hints(error: NotUnderstood, state: State, table: Forms, tokens: list[Token]) -> Iterator[str]:
    """Yield what may have been meant, the likeliest first."""
    first = tokens[0]
    words = {word for form in table.form for word in _first_words(form)}
    at = next((each for each in tokens if each.end >= error.column), tokens[-1])
    if first.text in words and not first.quoted:
        yield "" if re.match(_DICE, at.text) else _name_too(state, first)
        yield _unnumbered(table, tokens)
        yield "" if error.hint else f"such as: {_nearest_form(table, tokens).example}"
        return
    yield _field(state, tokens)
    if not re.search(r"\w", at.text):
        yield f"a remark stands on a line of its own, behind a quotation mark: {QUOTED}"
    if re.fullmatch(_MEASURE, at.text):
        yield f"a move is told with goes: {first.text} goes {at.text}"
    if not table.rolls and re.fullmatch(r"\d{1,2}", at.text):
        yield f"no attack is rolled in this game: such as {first.text} attack, with -5 for the damage"
    if at is not first and error.hint.startswith("there are"):
        yield (
            f"leave out {at.text}; a weapon stands before its target: attack axe orc-1"
            if at.text in PREPOSITIONS
            else ""
        )
        yield nearest(at.text.casefold(), scene.kinds(state))
        yield f'{error.hint}; the name of an action is quoted: "{at.text[:40]}"'
    if error.why.startswith("nothing more") and not error.hint:
        yield 'words that belong together are joined by _, or quoted: on_fire, "on fire"'
    if (
        error.column == first.start + 1
        and " can be " not in error.why
        and (not error.hint or error.hint.startswith(("there are", "did you mean")))
    ):
        slots = {slot.casefold(): slot for slot in state.rules.schedule.phases(state)}
        typed, meant = first.text.casefold(), {word: word for word in words} | slots
        close = closest(typed, [*state.combatants, *meant])
        yield nearest(typed, meant) if close in meant else ""


def _unnumbered(table: Forms, tokens: list[Token]) -> str:
    """Return how a correction that holds a fact names its record, if a line leaves the number out."""
    carries = any(form.carries for form in table.form if tokens[0].text in _first_words(form))
    if not carries or (len(tokens) > 1 and tokens[1].text.isdecimal()):
        return ""
    example = _nearest_form(table, tokens).example
    return f"a record is named by its number, as in {example}; each line shows those of its facts, encounter log FILE in a shell all"


def _mixed(state: State, tokens: list[Token]) -> Token | None:
    """Return the first total behind dice, or the first die behind totals, in a line that is all initiative."""
    rolls = tokens[1:] if tokens[0].text == "i" and not tokens[0].quoted else tokens
    totals = [
        each for each in rolls if (found := re.fullmatch(_TOTAL, each.text)) and names.combatants(state, found[1])
    ]
    dice = [each for each in rolls if re.fullmatch(_ROLL, each.text) and not names.combatants(state, each.text)]
    if not (totals and dice and len(totals) + len(dice) == len(rolls)):
        return None
    return max(totals[0], dice[0], key=lambda each: each.start)


def _nearest_form(table: Forms, tokens: list[Token]) -> Form:
    """Return the form that begins with the first word of a line, and has the most of the words after it."""
    found = [form for form in table.form if tokens[0].text in _first_words(form)]
    typed = {each.text for each in tokens[:3]}
    return max(found, key=lambda form: max(len(typed & literals(nodes)) for nodes in form.nodes))


def _first_words(form: Form) -> Iterator[str]:
    for nodes in form.nodes:
        if isinstance(nodes[0], Literal):
            yield from nodes[0].words


def _name_too(state: State, first: Token) -> str:
    """Return what to write for somebody whose name begins with a word of the grammar."""
    meant = names.combatants(state, first.text)
    if not meant:
        return ""
    who = state.combatants[meant[0]].name
    return f"{first.text} is a word of the grammar; for {visible(who[:60])} write more of the name, or :{first.text}"


def _field(state: State, tokens: list[Token]) -> str:
    """Return how a field of a sheet changes, if a line looks like that."""
    people = names.combatants(state, tokens[0].text)
    found = re.fullmatch(_FIELD, tokens[1].text) if len(tokens) == 2 and len(people) == 1 else None
    if found is None or not hasattr(state.combatants[people[0]].sheet, found[1]):
        return ""
    return f"sheet {tokens[0].text} {tokens[1].text} changes the sheet; rule override rules a value"
