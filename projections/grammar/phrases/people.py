"""Those whom a line names: one by a name of several words or with a number, several by a list, a range, a kind or a side."""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct, structs

from projections.grammar import forms, names
from projections.grammar.phrases.words import Lexicon, Word
from projections.state import State

LONGEST = 4
"""The most words of a name."""


class People(Struct, frozen=True):
    """Whom a part of a line names, where that part ends, and, where the words can mean others too, words that can mean only these."""

    ids: tuple[str, ...]
    end: int
    clearly: str = ""
    start: int = 0


PAIR = 2
TOGETHER = ("all", "both", "each")
"""The words that may follow several names: ana and bo both take 2."""

EXCEPTING = ("but", "except", "excepting", "excluding", "without", "minus")
"""The words between a group and those of it who are not meant."""


def is_name(state: State, text: str) -> bool:
    """Say whether a word as it stands is a combatant's name or id, or the beginning of one with its number."""
    if names.exactly(state, text) or text in state.combatants:
        return True
    return re.fullmatch(r"[^\W\d]+-?\d+", text) is not None and len(names.combatants(state, text)) == 1


def one(state: State, words: Sequence[Word], at: int, lexis: Lexicon) -> Iterator[People]:
    """Yield the one combatant whom the words at a place name, the longest name first."""
    if at >= len(words) or words[at].text in ("all", "everyone"):
        return
    for end in range(min(len(words), at + LONGEST), at, -1):
        found = _named(state, words[at:end], lexis)
        if found:
            yield People((found,), end)
            return


def _named(state: State, words: Sequence[Word], lexis: Lexicon) -> str:
    """Return whom these words name, all together: a name, or a kind and a number; "" if nobody, or several."""
    text = words[0].typed if words[0].quoted and len(words) == 1 else "-".join(each.text for each in words)
    if len(words) > 1 and (any(each.quoted for each in words) or text.endswith("-'s")):
        return ""
    if found := names.exactly(state, text) or ([text] if text in state.combatants else []):
        return found[0] if len(found) == 1 else ""
    if len(words) == 2 and not re.fullmatch(r"[^\W\d][^\d]* \d{1,3}", " ".join(each.text for each in words)):
        return ""
    if len(words) > 2 or words[0].quoted or not words[0].text[:1].isalpha() or words[0].text in lexis.filler:
        return ""
    if len(words) == 1 and len(text) > 1 and lexis.knows(text):
        return ""
    found = names.combatants(state, text) if text not in forms.words(state.rules.rules) else []
    return found[0] if len(found) == 1 else ""


def several(state: State, words: Sequence[Word], at: int, lexis: Lexicon) -> Iterator[People]:
    """Yield those of one group that is named at a place, without those whom the line excepts: everyone, orcs 1-3, the orcs but orc-2."""
    for group in _groups(state, words, at):
        place = next((each for each in range(group.end, len(words)) if words[each].text != ","), len(words))
        if place == len(words) or words[place].typed.casefold() not in EXCEPTING:
            yield group
            continue
        behind = next((each for each in range(place + 1, len(words)) if words[each].text not in ("for", "the")), place)
        out = next(_listed(state, words, behind, lexis), group)
        if {*out.ids} < {*group.ids}:
            yield People(tuple(who for who in group.ids if who not in out.ids), out.end)
        else:
            yield group


def _groups(state: State, words: Sequence[Word], at: int) -> Iterator[People]:
    """Yield those of one group that is named at a place, each as it can be meant."""
    skips = ("all", "the", "both", "of", "every", "each", "those")
    start = next((place for place in range(at, len(words)) if words[place].text not in skips), len(words))
    if start == len(words) or words[start].quoted:
        if at < len(words) and words[at].text == "all":
            yield People(_everyone(state), at + 1)
        return
    text = words[start].text
    if text in ("everyone", "everybody"):
        yield People(_everyone(state), start + 1)
    else:
        numbered = [*_numbered(state, words, start)]
        found = numbered or [*_group(state, text, at, start + 1)]
        if words[at].text == "all" and len(found) > 1:
            found = found[1:]  # all orcs are those of the side
        if words[at].text == "both":
            found = [two for each in found if (two := _both(state, each)) is not None]
        yield from found or ([People(_everyone(state), at + 1)] if words[at].text == "all" else [])


def _both(state: State, group: People) -> People | None:
    """Return the two of a group who are meant by both: all of it, or those who are up; None if it has not two such."""
    up = tuple(who for who in group.ids if state.combatants[who].status == "up")
    two = next((ids for ids in (group.ids, up) if len(ids) == PAIR), None)
    return structs.replace(group, ids=two, clearly="") if two else None


def _everyone(state: State) -> tuple[str, ...]:
    return tuple(each.id for each in state.here())


def _group(state: State, text: str, at: int, end: int) -> Iterator[People]:
    """Yield the members of a kind, and those of a side, whose plural a word is; as one where they are the same."""
    kind, numbers = of_kind(state, text), names.folded(text)
    side = tuple(each.id for each in state.here() if each.side == numbers)
    if kind and side and {*kind} != {*side}:
        yield People(kind, end, _range(text, kind), at)
        yield People(side, end, f"all {text}", at)
    elif kind or side:
        yield People(kind or side, end)


def of_kind(state: State, text: str) -> tuple[str, ...]:
    """Return those of a kind by its plural: the orcs are orc-1 and orc-2."""
    singular = names.singular_of(names.folded(text))
    return (
        tuple(each.id for each in state.here() if re.fullmatch(rf"{re.escape(singular)}-\d+", each.id))
        if singular
        else ()
    )


def _range(text: str, kind: tuple[str, ...]) -> str:
    numbers = sorted(int(who.rpartition("-")[2]) for who in kind)
    whole = numbers == list(range(numbers[0], numbers[-1] + 1)) and len(numbers) > 1
    return f"{text} {f'{numbers[0]}-{numbers[-1]}' if whole else ','.join(map(str, numbers))}"


def _numbered(state: State, words: Sequence[Word], at: int) -> Iterator[People]:
    """Yield those of a kind by their numbers, the most first: orcs 2-4, orcs 1 2 3, orc 1 and 2."""
    text = names.folded(words[at].text)
    plural = names.singular_of(text)
    base = plural if plural and any(each.id.startswith(f"{plural}-") for each in state.here()) else text
    is_list, found, ends = base != text, list[str](), list[People]()
    for place in range(at + 1, len(words)):
        part = words[place].text
        if part in ("and", ",") and found:
            is_list = True
            continue
        more = [f"{base}-{number}" for number in _numbers(part)]
        if not more or not all(who in state.combatants for who in more):
            break
        is_list |= len(more) > 1
        found = [*found, *(who for who in more if who not in found)]
        ends += [People(tuple(found), place + 1)] if is_list and len(found) > 1 else []
    yield from reversed(ends)


def _numbers(text: str) -> list[int]:
    if between := re.fullmatch(r"(\d{1,3})-(\d{1,3})", text):
        return list(range(int(between[1]), int(between[2]) + 1))
    return [int(each) for each in text.split(",")] if re.fullmatch(r"\d{1,3}(,\d{1,3})*", text) else []


def listed(state: State, words: Sequence[Word], at: int, lexis: Lexicon) -> Iterator[People]:
    """Yield one or more who are named one after the other, the most first; behind several, all or both names nobody else."""
    for each in _listed(state, words, at, lexis):
        if len(each.ids) > 1 and each.end < len(words) and words[each.end].text in TOGETHER:
            yield People(each.ids, each.end + 1)
        yield each


def _listed(state: State, words: Sequence[Word], at: int, lexis: Lexicon) -> Iterator[People]:
    if at and at < len(words) and lexis.has("oneself", words[at].text):
        yield from (People(each.ids, at + 1) for each in one(state, words, 0, lexis))
    for first in (*several(state, words, at, lexis), *one(state, words, at, lexis)):
        place = first.end
        while place < len(words) and words[place].text in (",", "and"):
            place += 1
        if place > first.end or place == len(words) or words[place].text not in TOGETHER:
            others = [*_listed(state, words, place, lexis)]
            if not others and place > first.end and place < len(words) and words[place].text == "the":
                others = [*_listed(state, words, place + 1, lexis)]
            yield from (People(tuple(dict.fromkeys((*first.ids, *more.ids))), more.end) for more in others)
        yield first
