"""Sentences: the meaning of a line that is no notation, else what it could mean, where it stopped, and what could stand there."""

from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec
from msgspec import Struct, structs

from eventstore.errors import Malformed
from eventstore.events import Noted
from eventstore.wording import visible
from projections.language.chart import Chart, Clause
from projections.language.completing import Unclear
from projections.language.describing import expected_values, offer_words
from projections.language.lexer import Token, tokens
from projections.language.line import Line
from projections.language.meaning import facts_of_clauses
from projections.language.notation import names, parsing
from projections.language.notation.forms import Form
from projections.language.notation.line_context import Gap, LineContext
from projections.language.notation.parsing import Parsed
from projections.language.notation.tokens import NotUnderstood
from projections.language.scene import Scene
from projections.language.values import Kept
from projections.open_types import Facts

MOST_OFFERS = 3
MOST_WORDS, MOST_GUESSED = 100, 40
"""The most tokens of a sentence, and of a line that offers are sought for."""
MOST_MEANINGS = 8
"""The most meanings of a line that are looked at."""
Accept = Callable[[Parsed], Parsed | None]
"""A function that returns a meaning as the log can take it; None if it cannot."""


class Reading(Struct, frozen=True):
    """The outcome for a line that is no notation."""

    meaning: Parsed | None = None
    """The one set of facts that the line says, with the moves of the clock, or its question or command."""
    offers: tuple[Parsed, ...] = ()
    """Otherwise what it could mean, the likeliest first."""
    several: bool = False
    """Whether it means each of these, and they are not only similar lines."""
    stopped: int = 0
    """The column (from 1) where no sentence goes on."""
    expected: tuple[str, ...] = ()
    """What could stand there, in words."""
    unknown: tuple[str, ...] = ()
    """The words that no row has."""
    why: str = ""
    """The reason why nothing is recorded."""


def read_sentence(context: LineContext, line: str, accept: Accept, *, explained: bool = True) -> Reading:
    """Return the meaning of a line that is no notation, if it has exactly one that the log can take; else its meanings or, if it is `explained`, similar lines."""
    scene, words = Scene(context), tokens(line)
    if len(words) > MOST_WORDS:
        return Reading(why=f"a sentence has at most {MOST_WORDS} words")
    chart = Chart(Line(scene, words, line))
    found, reasons = _meanings(scene, chart, line)
    possible = tuple(filter(None, map(accept, found)))
    if len(possible) == 1:
        return Reading(possible[0])
    if explained and not possible and len(found) == 1:
        return Reading(found[0], why="the log cannot take this")
    stopped = words[min(chart.furthest, len(words) - 1)].start + 1 if words else 1
    if possible:
        return Reading(None, possible, several=True, stopped=stopped, why="this can mean several things")
    why = next(filter(None, reasons), "")  # of a reading of the whole line
    strange = chart.line.unknown_words()
    taken = why or all(at + 1 < chart.furthest for at in strange)  # as the name of a newcomer
    unknown = () if taken else tuple(words[at].text for at in strange)
    other = f'"{visible(unknown[0])}" is not understood' if unknown else "no sentence goes on like this"
    if explained and (here := _here_already(chart.line)):
        further = read_sentence(context, f"a {line}", accept, explained=False).meaning
        return Reading(None, (further,) if further else (), stopped=stopped, why=here)
    similar = _near(scene, words, line, chart, accept) if explained and len(words) <= MOST_GUESSED else ()
    return Reading(None, similar, stopped=stopped, expected=expected_values(chart), unknown=unknown, why=why or other)


def _here_already(line: Line) -> str:
    """Return a sentence about a newcomer with the name of a combatant, or about one who comes back; "" if none joins."""
    for end, who in line.who[0] if line.who else ():
        if len(who.ids) == 1 and end < len(line.tokens) and "arrive" in line.classes[end]:
            one = line.scene.state.combatants[who.ids[0]]
            back = f"{one.name or one.id} has left the fight, and comes back by its id: join {one.id}"
            return back if one.left else names.has_joined(line.scene.state, one.name or one.id)
    return ""


# ---------------------------------------------------------------- meanings


def _meanings(scene: Scene, chart: Chart, line: str) -> tuple[list[Parsed], list[str]]:
    """Return the distinct meanings of a line, and the reasons against its other readings."""
    made, reasons = list[tuple[tuple[Clause, ...], Facts]](), list[str]()
    for clauses in chart.readings():
        scene.begins_round = False
        try:
            made += [(clauses, facts) for facts in facts_of_clauses(scene, clauses)]
        except (Unclear, Gap, NotUnderstood) as error:
            reasons.append(error.why if isinstance(error, Gap | NotUnderstood) else str(error))
    made = [one for one in made if not any(_says_less(one[0], other) for other, _ in made)]
    least = min((_kept_words(clauses) for clauses, _ in made), default=0)  # words that are only kept come last
    found: dict[bytes, Parsed] = {}
    for clauses, facts in made:
        if _kept_words(clauses) == least and len(found) < MOST_MEANINGS:
            try:
                parsed = _make_parsed(scene, clauses, facts, line)
            except (NotUnderstood, Malformed, Gap, msgspec.ValidationError) as error:
                reasons.append(error.why if isinstance(error, Gap | NotUnderstood) else str(error))
            else:
                found.setdefault(_comparison_key(parsed), parsed)
    return list(found.values()), reasons


def _make_parsed(scene: Scene, clauses: Sequence[Clause], facts: Facts, line: str) -> Parsed:
    """Return facts with the moves of the clock; raise NotUnderstood where they are malformed."""
    if any("rest" in each for each in facts):
        if len(facts) > 1:
            raise NotUnderstood(1, "a command stands alone", "")
        rest, words = facts[0]["rest"], str(facts[0]["words"])
        asked = line.strip().removeprefix("why ").rstrip(" ?")
        return Parsed(rest=rest, form=rest, words=asked if rest == "why" else words)
    first = clauses[0].shape
    acts = any(each.shape.acts for each in clauses)
    if acts:
        facts = parsing.add_release(scene.context, facts)
    kinds = [each["type"] for each in facts]
    if first.name == "blow" and len(clauses) == kinds.count("action_taken") == 1 and kinds[1:] not in ([], ["noted"]):
        facts = parsing.drop_open_act(scene.context, facts)
    form = Form(name=first.name, patterns=(), says=first.says, example=first.example, acts=acts)
    return parsing.add_clock_moves(scene.context, form, facts, line)


def _comparison_key(parsed: Parsed) -> bytes:
    words = "" if parsed.rest == "why" else parsed.words
    return msgspec.json.encode((parsed.rest, words, parsed.facts), order="sorted")


def _says_less(one: Sequence[Clause], other: Sequence[Clause]) -> bool:
    """Say whether one reading has only some of the slots of another, with the same values."""
    pairs = [*zip(one, other, strict=False)] if len(one) == len(other) else []
    less = any({*a.slots} < {*b.slots} for a, b in pairs)
    return less and all(a.shape is b.shape and {*a.slots} <= {*b.slots} for a, b in pairs)


def _kept_words(clauses: Iterable[Clause]) -> int:
    return sum(len(value.text.split()) for each in clauses for _, value in each.slots if isinstance(value, Kept))


# ---------------------------------------------------------------- offers


def _near(scene: Scene, words: Sequence[Token], line: str, chart: Chart, accept: Accept) -> tuple[Parsed, ...]:
    """Return the meanings of a line without the words that no sentence has, or with them as other words; none of a line that may deny something."""
    found: list[Parsed] = []
    if any(each.word in chart.table.denials for each in words):
        return ()
    dice = {at for at, each in enumerate(words) if each.kind == "dice"}
    for tries in _words_to_change(words, chart):
        for loose, guessed, means in tries:
            if dice & (loose | guessed | means.keys()) or any(map(chart.line.is_counted, loose)):
                continue
            teaches = tuple(Noted(text=f"{words[at].word} means {meaning}") for at, meaning in means.items())
            read = _meanings(scene, Chart(Line(scene, words, line, loose, guessed, means)), line)[0]
            for parsed in map(accept, (structs.replace(each, facts=(*each.facts, *teaches)) for each in read)):
                if parsed and not parsed.rest and all(parsed.facts != each.facts for each in found):
                    found.append(parsed)
        if found:
            break
    return tuple(found[: MOST_OFFERS - 1])  # a note is the last


MOST_STRANGE = 3
MOST_TRIES = 6
LONGEST_LEAD_IN = 5
TAUGHT = ("attacks", "moves")
"""The verbs that an unknown word behind a name may mean; taken as one, it is taught."""
Tried = tuple[frozenset[int], frozenset[int], dict[int, str]]


def _words_to_change(words: Sequence[Token], chart: Chart) -> Iterator[list[Tried]]:
    """Yield the places to pass over, those to guess at, and words with the verbs that they may mean, the likeliest first; each list is tried as a whole."""
    none, strange = frozenset[int](), frozenset(chart.line.unknown_words())
    if strange and len(strange) <= MOST_STRANGE:
        verb = next((at for at in sorted(strange) if words[at].kind == "word" and chart.line.is_behind_name(at)), None)
        taught: list[Tried] = [(none, strange - {verb}, {verb: each}) for each in TAUGHT] if verb is not None else []
        yield [*taught, (none, strange, {})]
    lead_ins = [at for at in range(1, min(LONGEST_LEAD_IN + 1, len(words))) if words[at].word in (":", "!", ",")]
    yield [(frozenset(range(at + 1)), none, {}) for at in lead_ins]
    if strange and len(strange) <= 2 * MOST_STRANGE:
        yield [(strange, none, {})]
    line = chart.line
    says = [line.who[at] or line.is_unknown(at) or _DEEDS & line.classes[at].keys() for at in range(len(words))]
    passable = [at for at, each in enumerate(words) if each.kind in ("word", "mark") and not says[at]]
    yield [(none, frozenset((at,)), {}) for at in range(len(words) - 1) if line.similar_combatant(at, at + 2)]
    if len(strange) <= MOST_STRANGE:
        for at in passable[:MOST_TRIES]:
            yield [(strange | {at}, none, {})]


_DEEDS = frozenset(("strike", "shoot", "cast", "hit", "miss", "crit", "kill", "arrive", "flee", "take", "not", "plans"))
"""The classes of words without which a line says something else; those that are no names, such as prepositions, may be passed over."""


# ---------------------------------------------------------------- completion


def expected_words(context: LineContext, line: str) -> list[tuple[str, str]]:
    """Return the words that could come next behind the words of a line, with what they mean; none if no sentence goes on there."""
    words = tokens(line)
    if len(words) > MOST_WORDS:
        return []
    chart = Chart(Line(Scene(context), words, line))
    chart.readings()
    return list(dict.fromkeys(offer_words(chart))) if chart.furthest >= len(words) else []
