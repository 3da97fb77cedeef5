"""Names at the table: combatants and sides by the beginning of an id or display name, folded for case and accents."""

import re
from collections.abc import Container, Iterable, Iterator
from functools import lru_cache
from itertools import count

from eventstore.wording import closest_word, list_in_words, visible
from projections.language.notation.tokens import NotUnderstood, Token, suggestion
from projections.state import State
from projections.stream import names as english

_NUMBERED = r"(\D+?)-?(\d+)"
_NOT_ID = r"[^a-z0-9]+"
ARTICLES = ("the", "an")
"""Words that begin many names, and by themselves name nobody."""
_LETTERS: dict[int, int | str | None] = {
    **str.maketrans(
        "абвгдеёзийклмнопрстуфхыэαβγδεζηικλμνξοπρσςτυφωøłđðıіїєґў",
        "abvgdeeziiklmnoprstufhyeavgdeziiklmnxoprsstyfoolddiiiegu",
        "ъь",
    )
}
_LETTERS |= zip(
    map(ord, "жцчшщюяθχψßæþœ"),
    ["zh", "ts", "ch", "sh", "shch", "yu", "ya", "th", "ch", "ps", "ss", "ae", "th", "oe"],
    strict=True,
)
"""Letters without a form in ASCII, each with its usual spelling."""


def _without_accents(text: str) -> str:
    import unicodedata  # only for letters beyond ASCII

    return "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))


@lru_cache(1 << 12)
def folded(text: str) -> str:
    """Return a name without case and accents, with `-` for blanks."""
    plain = text.casefold() if text.isascii() else _without_accents(text)
    return plain.replace(" ", "-").replace("_", "-")


def id_of(name: str, taken: Container[str]) -> str:
    """Return an ASCII id for a display name that is not taken."""
    made = re.sub(_NOT_ID, "-", folded(name).translate(_LETTERS)).strip("-")[:56].strip("-") or "guest"
    number, found = 1, made
    while found in taken:
        number += 1
        found = f"{made}-{number}"
    return found


def combatants(state: State, text: str) -> list[str]:
    """Return the combatants that a word can mean: those with exactly this name, else those whose name begins with it."""
    if text in state.combatants:
        return [text]
    return list(_match_names(text, tuple((who, one.name, not one.left) for who, one in state.combatants.items())))


@lru_cache(1 << 10)
def _match_names(text: str, known: tuple[tuple[str, str, bool], ...]) -> tuple[str, ...]:
    """Return the combatants among these that a word can mean, by their ids, names, and whether they are in the fight."""
    word = folded(text)
    names = {who: (who, folded(name)) for who, name, _ in known}
    in_the_fight = [[who for who, _, here in known if here is wanted] for wanted in (True, False)]
    for means in (lambda who: word in names[who], lambda who: _is_beginning(word, names[who])):
        for those in in_the_fight:
            if found := tuple(filter(means, those)):
                return found
    return ()


def _is_beginning(word: str, names: tuple[str, ...]) -> bool:
    if word in ARTICLES:
        return False
    if any(name.startswith(word) or f"-{word}" in name for name in names if word):
        return True
    found = re.fullmatch(_NUMBERED, word)
    return found is not None and any(
        (own := re.fullmatch(_NUMBERED, name)) is not None and own[1].startswith(found[1]) and own[2] == found[2]
        for name in names
    )


def read_combatant(state: State, token: Token) -> str:
    """Return the combatant that a token names; raise NotUnderstood if there is none, or several."""
    found = combatants(state, _bare_text(token))
    if not found and is_group(state, token.text):
        why = f"{visible(token.text[:60])} are several"
        raise NotUnderstood(
            token.start + 1, why, f"a group is named with all: all {visible(token.text[:60]).rstrip('*')}"
        )
    return _only_match(token, found, known(state), "combatant")


def read_side(state: State, token: Token) -> str:
    """Return the side that a token names; raise NotUnderstood if there is none, or several."""
    word = folded(_bare_text(token))
    groups = [each for each in state.sides if each not in state.combatants]
    found = [word] if word in state.sides else [each for each in groups if each.startswith(word)]
    return _only_match(token, found, groups, "side")


def read_party(state: State, token: Token) -> str:
    """Return the side or combatant that a token names; raise NotUnderstood if there is none, or several."""
    word = folded(_bare_text(token))
    if word in state.sides or word in state.combatants:
        return word
    sides = [each for each in state.sides if each.startswith(word)]
    found = list(dict.fromkeys((*combatants(state, _bare_text(token)), *sides)))
    return _only_match(token, found, (*known(state), *state.sides), "combatant or side")


def members_of_group(state: State, token: Token) -> list[str]:
    """Return all combatants in the fight of a side, or of a kind such as goblin-1 and goblin-2."""
    word = folded(_bare_text(token)).rstrip("*")
    sides = {each.side for each in state.here() if each.side.startswith(word)}
    if len(sides) == 1:
        return [each.id for each in state.here() if each.side in sides]
    word = word if any(each.id.startswith(f"{word}-") for each in state.here()) else singular_of(word) or word
    kinds = {base for each in state.here() if (base := _base(each.id)) and base.startswith(word)}
    if not kinds:
        several = {*state.sides, *(_base(each.id) for each in state.here())}
        why = f"{visible(token.text[:60])} is no side, and no kind of combatant"
        raise NotUnderstood(token.start + 1, why, suggestion(word, several))
    if len(kinds) > 1:
        raise NotUnderstood(token.start + 1, f"{visible(token.text[:60])} can be {' or '.join(sorted(kinds))}", "")
    return [each.id for each in state.here() if _base(each.id) in kinds]


def is_group(state: State, text: str) -> bool:
    """Say whether a word is the name of a side, or of a kind with several combatants."""
    word = folded(text).rstrip("*")
    bases = {_base(one.id) for one in state.here()} - {""}
    return word in state.sides or word in bases or singular_of(word) in bases


NOBODY = "nobody has joined yet: join NAME SIDE hp=14 adds a combatant, ? lists the forms"


def singular_of(plural: str) -> str:
    """Return the singular of a plural, in capitals if the plural is; "" if a word is no plural."""
    return english.singular_of(plural.lower()).upper() if plural.isupper() else english.singular_of(plural)


def exact_matches(state: State, text: str) -> list[str]:
    """Return the combatants in the fight with exactly this name or id, as a quoted text can mean them; an id comes before a name."""
    known = [one.id for one in state.here() if folded(text) in (folded(one.name), one.id)]
    return [text] if text in known else known


def free_name(state: State, called: str) -> str:
    """Return the name of a combatant with the first number that nobody has: orc-3, of orc-1."""
    return next(each for at in count(2) if folded(each := f"{kind_of(called)}-{at}") not in state.combatants)


def has_joined(state: State, called: str) -> str:
    """Return the sentence that refuses a newcomer with the name of a combatant."""
    return f"{called} has joined already; another one needs another name, such as {free_name(state, called)}"


def read_quoted(state: State, token: Token) -> str | None:
    """Return the combatant that a quoted text names, None for none; raise NotUnderstood for several."""
    found = exact_matches(state, token.text)
    return _only_match(token, found, (), "combatant") if found else None


def near(state: State, text: str, *, loosely: bool = False) -> str:
    """Return the name of a combatant in the fight that a word resembles, "" for none; `loosely`, if at least the first letters agree.

    A word may also resemble the name of a kind: orx resembles orc-1.
    """
    word = folded(text)
    known = {
        name: one.id for one in reversed(state.here()) for name in (folded(one.name), _base(one.id), one.id) if name
    }
    close = closest_word(word, known, 0.8)
    if not close and loosely:
        close = closest_word(word, (name for name in known if name[0] == word[:1]))
    return known.get(close, "")


def kind_of(who: str) -> str:
    """Return the id of a combatant without its number: orc, of orc-2."""
    return re.sub(r"-\d+$", "", who)


def _base(who: str) -> str:
    return "" if kind_of(who) == who else kind_of(who)


def _bare_text(token: Token) -> str:
    return token.text if token.quoted else token.text.removeprefix(":")


def known(state: State) -> Iterator[str]:
    """Yield the names of those in the fight, as they are typed."""
    typed = ((one, re.fullmatch(r"[\w' -]+", one.name) and folded(one.name) != one.id) for one in state.here())
    return (one.name if named else one.id for one, named in typed)


def _only_match(token: Token, found: list[str], there: Iterable[str], what: str) -> str:
    if len(found) == 1:
        return found[0]
    says = visible(token.text[:60])
    if token.text == "all" and not found:
        raise NotUnderstood(
            token.start + 1, f"this names one {what}, and all are several", "such as all goblins, if several can stand"
        )
    if found:
        raise NotUnderstood(
            token.start + 1, f"{says} can be {list_in_words(sorted(found), 'or', 6)}", "write more of the name"
        )
    raise NotUnderstood.make_vague(
        token.start + 1,
        f"there is no {what} {says}",
        lambda: suggestion(says, known := list(there)) or there_are(known),
    )


def there_are(known: list[str]) -> str:
    """Return the names of those in the fight, as a hint."""
    return f"there are {', '.join(known[:8])}" if known else NOBODY
