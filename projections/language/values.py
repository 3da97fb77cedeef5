"""The values of slots: what the tokens of a line are as a value of each kind, with the place behind it."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msgspec import Struct

from projections.language.lexer import Number, behind_number
from projections.language.line import Line
from projections.language.names import Who, number_at
from projections.stream.names import singular_of

Found = tuple[int, Any]
"""The place behind a value, and the value."""
Kind = Callable[[Line, int], Iterable[Found]]
KINDS: dict[str, Kind] = {}
"""The functions that find the values of a slot, by its kind; parts of sentences and classes of words have none."""


class Kept(Struct, frozen=True):
    """Words that are kept as they stand, and not understood."""

    text: str


def slot_text(value: Any) -> str:
    """Return the words of a slot."""
    return value.text if isinstance(value, Kept) else str(value)


def plain(value: Any) -> Any:
    """Return a value of a slot as JSON."""
    match value:
        case Number(total=total):
            return total
        case Who(ids=ids):
            return list(ids)
        case Kept(text=text):
            return text
        case ((str(), _), *_):
            return {name: plain(each) for name, each in value}
    return value


def register_kind(function: Kind) -> Kind:
    """Register the function of a kind of slot under its name."""
    KINDS[function.__name__] = function
    return function


# ---------------------------------------------------------------- people


@register_kind
def person(line: Line, at: int) -> Iterable[Found]:
    """Return the combatants, one or several, and the pronouns that stand here."""
    return line.who[at] if at < len(line.who) else ()


@register_kind
def single(line: Line, at: int) -> Iterable[Found]:
    """Return the single combatants and pronouns that stand here."""
    return [(end, who) for end, who in line.who[at] if len(who.ids) == 1 or who.refers]


@register_kind
def side(line: Line, at: int) -> Iterable[Found]:
    """Return the sides that stand here."""
    return [(end, who.side) for end, who in line.who[at] if who.side in line.scene.state.sides]


@register_kind
def new_side(line: Line, at: int) -> Iterable[Found]:
    """Return a side that nobody is on: one word that no row has."""
    return [(at + 1, Kept(line.tokens[at].text))] if line.is_unknown(at) else []


@register_kind
def fresh(line: Line, at: int) -> Iterator[Found]:
    """Yield the name of a newcomer: words that no row has and that name nobody, and a number written to them; several of a kind may get another one, and a kobold is a further one."""
    further = at > 0 and line.tokens[at - 1].word in _INDEFINITE
    counted = at > 0 and number_at(line.tokens, at - 1) is not None
    for end in range(at + 1, min(at + 4, len(line.tokens)) + 1):
        token = line.tokens[end - 1]
        if token.kind != "word" or token.word in line.table.literals or _STRUCTURE & line.classes[end - 1].keys():
            return
        if line.is_passed(end - 1) or line.is_between(end - 1) or number_at(line.tokens, end - 1) is not None:
            return
        far = behind_number(line.tokens, end)
        named = {to for start in range(at, end) for to, who in line.who[start] if len(who.ids) == 1}
        joins = far < len(line.tokens) and "arrive" in line.classes[far] and token.text[0].isupper()  # Fell joins
        new = further or (counted and singular_of(token.word)) or named.isdisjoint(range(at + 1, far + 1))
        if new and (joins or token.word not in line.table.vocabulary):
            number = "".join(each.text for each in line.tokens[end:far])
            yield far, Kept(line.words(at, end) + number)


_INDEFINITE = frozenset(("a", "an", "another"))
_STRUCTURE = frozenset(("pts", "ac", "arrive", "add", "size", "init", "rolling"))
"""The classes of words that are no part of a newcomer's name."""

# ---------------------------------------------------------------- numbers


@register_kind
def n(line: Line, at: int) -> Iterable[Found]:
    """Return a number, in digits or as a word."""
    if line.tokens[at].kind == "number":
        return [(at + 1, line.tokens[at].number)]
    word = number_at(line.tokens, at)
    return [] if word is None else [(at + 1, Number(word))]


def _kind_of_token(sort: str) -> Kind:
    return lambda line, at: (
        [(at + 1, line.tokens[at].square or line.tokens[at].number)] if line.tokens[at].kind == sort else ()
    )


KINDS |= {"digits": _kind_of_token("number")} | {sort: _kind_of_token(sort) for sort in ("plus", "minus", "square")}
"""Numbers: in digits, as rolls are told; with a plus or a minus before them; a square: 3,4."""

# ---------------------------------------------------------------- things


def _kind_of_thing(sort: str) -> Kind:
    def found(line: Line, at: int) -> Iterable[Found]:
        if line.tokens[at].text == '"' and line.is_cued(sort, at):  # a name that nothing has yet
            return [(end, slot_text(kept)) for end, kept in quoted(line, at)]
        own = dict(line.scene.things_at(sort, line.tokens, at))
        for end, name in line.classes[at].get(sort, ()):
            if end not in own or (sort == "condition" and line.scene.has(sort, name)):  # of two spellings the table's
                own[end] = name
        return own.items()

    return found


KINDS |= {sort: _kind_of_thing(sort) for sort in ("weapon", "condition", "deed", "effect", "running")}
"""What the sheets, the log or the table name here."""


@register_kind
def spell(line: Line, at: int) -> Iterable[Found]:
    """Return the spells that are named here, but for those that heal."""
    cures = {end for end, _ in line.classes[at].get("cure", ())}
    return [each for each in _kind_of_thing("spell")(line, at) if each[0] not in cures]


# ---------------------------------------------------------------- words that are kept


@register_kind
def quoted(line: Line, at: int) -> Iterator[Found]:
    """Yield a name in quotation marks."""
    ends = (end for end in range(at + 1, len(line.tokens)) if line.tokens[end].text == '"')
    if line.tokens[at].text == '"' and (end := next(ends, 0)) > at + 1:
        yield end + 1, Kept(line.text_between(at + 1, end))


@register_kind
def teaching(line: Line, at: int) -> Iterable[Found]:
    """Return a word that no row has, with the one that it means: gronks means attacks."""
    words = [each.word for each in line.tokens[at : at + 3]]
    is_new = words[1:2] == ["means"] and len(words) > 2 and line.is_unknown(at) and not line.is_unknown(at + 2)
    return [(at + 3, line.words(at, at + 3))] if is_new else []


@register_kind
def taught(line: Line, at: int) -> Iterable[Found]:
    """Return the record by which a word was taught."""
    found = line.scene.words_taught.get(line.tokens[at].text.casefold())
    return [(at + 1, found[1])] if found else []


@register_kind
def called(line: Line, at: int) -> Iterator[Found]:
    """Yield a feature behind a cue: one that a sheet has, or a name in capitals: uses Legendary Resistance; for offers any words."""
    known, stops = line.scene.features, ("on", "at", "to", "for", "as", "from")
    for end in range(at + 1, min(at + 5, len(line.tokens)) + 1):
        last = line.tokens[end - 1]
        if last.kind != "word" or line.is_between(end - 1) or last.word in stops:
            return
        words = line.words(at, end)
        if words.casefold() in known or line.guesses or all(each.text[0].isupper() for each in line.tokens[at:end]):
            yield end, Kept(words)


@register_kind
def resource(line: Line, at: int) -> Iterable[Found]:
    """Return a resource that a sheet or the game has, or one word that no row has."""
    words = (line.words(at, end) for end in range(min(at + 3, len(line.tokens)), at, -1))
    known = [(at + each.count(" ") + 1, Kept(each)) for each in words if each.casefold() in line.scene.resources]
    return known or ([(at + 1, Kept(line.tokens[at].text))] if line.is_unknown(at) else [])


@register_kind
def place(line: Line, at: int) -> Iterator[Found]:
    """Yield a place in two or more words, which begins with its preposition; numbers stand in it only as parts of names, and melee is no place; a name stands behind a preposition."""
    if "whither" in line.classes[at]:
        end = at + 1
        while end < len(line.tokens) and not line.is_between(end) and line.tokens[end].kind not in ("number", "square"):
            if line.who[end] and line.is_unknown(end - 1):  # away from zorn orc 2
                return
            end = max((far for far, _ in line.who[end]), default=end + 1)
        if end > at + 1 and all(each.word != "melee" for each in line.tokens[at:end]):
            yield end, Kept(line.text_between(at, end))


@register_kind
def heading(line: Line, at: int) -> Iterator[Found]:
    """Yield a direction: back, away from the ogre; through the air."""
    begun = {at} | {end for end, _ in line.classes[at].get("whither", ())}
    begun |= {end + 1 for end in begun if end < len(line.tokens) and line.tokens[end].word in ("from", "to")}
    people = {far for end in begun - {at} for place in line.places(end) for far, _ in person(line, place)}
    for end in people | {end for end, _ in line.classes[at].get("aside", ())}:
        yield end, Kept(line.text_between(at, end))


@register_kind
def words(line: Line, at: int) -> Iterator[Found]:
    """Yield any words up to the next comma or the end."""
    end = at
    while end < len(line.tokens) and line.tokens[end].text not in (",", ";", "."):
        end += 1
    if end > at:
        yield end, Kept(line.text_between(at, end))


@register_kind
def asked(line: Line, at: int) -> Iterable[Found]:
    """Return the whole of a line that ends with a question mark."""
    return rest(line, at) if line.tokens[-1].text == "?" and at == line.start else ()


@register_kind
def rest(line: Line, at: int) -> Iterable[Found]:
    """Return the rest of the line."""
    return [(len(line.tokens), Kept(line.text[line.tokens[at].start :].rstrip()))]
