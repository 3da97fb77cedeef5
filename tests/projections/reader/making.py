"""Variants of a line: other names, numbers, synonyms, order of sentences, case and punctuation, each with what it changes in the meaning."""

import random
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

from msgspec import Struct

from projections.grammar.names import folded
from projections.grammar.table import Table
from projections.grammar.tokens import is_slip
from projections.reader.dictionary import listed
from projections.reader.inflection import forms
from projections.reader.lexicon import INFLECTED, VERBS, Lexicon, lexicon
from projections.reader.scene import Scene
from projections.reader.tags import Item, tagged
from projections.reader.tokens import tokens

POOL = [
    "Abarric",
    "Belwyn",
    "Dulgrom",
    "Egrith",
    "Fodrun",
    "Galdra",
    "Hespil",
    "Ibbern",
    "Jorvik",
    "Kaldun",
    "Loreth",
    "Mordain",
    "Nollwyn",
    "Ostrik",
    "Pellam",
    "Quorin",
    "Rusk",
    "Sybrel",
    "Tovrin",
    "Ulgar",
    "Vennoc",
    "Wulfrid",
    "Yarrol",
    "Zebrin",
    "Bram",
    "Dov",
    "Fenn",
    "Gurd",
    "Hodd",
    "Jory",
    "Kesk",
    "Lunn",
    "Morg",
    "Nim",
    "Oda",
    "Perrin",
    "Ruk",
    "Sorrel",
    "Tarn",
    "Udo",
    "Vash",
    "Wim",
    "Yorl",
    "Zan",
    "Brolg",
    "Drub",
    "Frell",
    "Gnarl",
    "Hurn",
    "Jackle",
    "Krell",
    "Lorb",
    "Muld",
    "Norb",
    "Plib",
    "Quag",
    "Skarn",
    "Thrumm",
    "Urbel",
    "Vorl",
    "Wrog",
    "Yag",
    "Zilk",
]
"""Names that stand in no lexicon and in no corpus."""
IRREGULAR = re.compile(r".*(?:man|men|mouse|mice|ox|oxen|f|fe|ves|y|ies|s|x|z|ch|sh)")
"""Names of kinds that have a plural of their own, which are left as they are."""
WORD = re.compile(r"[^\W\d_]+")


class Edit(Struct, frozen=True):
    """Another text for a part of a line."""

    start: int
    end: int
    text: str


class Change(Struct, frozen=True):
    """What a variant changes: parts of the line, then the whole of it; and with that the names in the scene, or one number of the meaning."""

    sort: str
    edits: tuple[Edit, ...] = ()
    names: tuple[tuple[str, str], ...] = ()
    number: tuple[int, int] | None = None
    style: str = ""


class Variant(Struct, frozen=True):
    """A line said in another way, with the changes by which it was made."""

    line: str
    changes: tuple[Change, ...]

    @property
    def names(self) -> dict[str, str]:
        """The words of names that are others in the scene, with what they are now."""
        return {old: new for change in self.changes for old, new in change.names}

    @property
    def number(self) -> tuple[int, int] | None:
        """The number that is another, with what it is now."""
        return next((change.number for change in self.changes if change.number), None)

    @property
    def sorts(self) -> frozenset[str]:
        """The sorts of changes."""
        return frozenset(change.sort for change in self.changes)


class Maker:
    """What makes the variants of a line told at a table, of which `joining` are the ids and names of those who join by it."""

    def __init__(self, at: Table, line: str, joining: Iterable[str] = ()) -> None:
        self.at, self.line = at, line
        self.scene = Scene(at.context)
        self.lexicon: Lexicon = lexicon(at.done.state.rules.rules)
        self.items: list[Item] = tagged(self.scene, self.lexicon, tokens(line))
        told = [each for one in self.scene.state.combatants.values() for each in (one.id, one.name)]
        self.parts = dict.fromkeys(
            part for name in (*told, *joining) for part in re.split(r"[^a-z]+", folded(name)) if len(part) > 1
        )
        self.people = [(item.start, item.end) for item in self.items if item.who]

    def variants(self, count: int, chance: random.Random) -> list[Variant]:
        """Return so many variants at most, each another line: first those of one change each, by turns of all sorts, then of two."""
        sorts = [
            _shuffled(chance, made)
            for made in (
                self._renamed(chance),
                self._counted(chance),
                self._synonyms(chance),
                self._spelled(),
                self._cased(),
                self._punctuated(),
                self._reordered(),
            )
        ]
        single = [changes[place] for place in range(max(map(len, sorts))) for changes in sorts if place < len(changes)]
        pairs = _shuffled(chance, ((one, other) for one, other in combinations(single, 2) if one.sort != other.sort))
        found: dict[str, Variant] = {}
        most_single = max(count * 2 // 3, count - len(pairs))
        for changes in (*((each,) for each in single[:most_single]), *pairs):
            variant = Variant(self._made(changes), changes)
            if variant.line != self.line:
                found.setdefault(variant.line, variant)
            if len(found) == count:
                break
        return [*found.values()]

    def _made(self, changes: Sequence[Change]) -> str:
        """Return the line with its changes; of edits of the same place the first holds."""
        made: list[Edit] = []
        for edit in (edit for change in changes for edit in change.edits):
            if all(edit.end <= other.start or edit.start >= other.end for other in made):
                made.append(edit)
        line = self.line
        for edit in sorted(made, key=lambda each: -each.start):
            line = line[: edit.start] + edit.text + line[edit.end :]
        for change in changes:
            line = STYLES[change.style](line) if change.style in STYLES else line
        return line

    # ------------------------------------------------------------ names

    def _renamed(self, chance: random.Random) -> Iterator[Change]:
        """Yield changes of all names at once that can be exchanged, and of one alone."""
        for count in (None, None, 1, 1, 2):
            if change := self._other_names(chance, count):
                yield change

    def _other_names(self, chance: random.Random, count: int | None) -> Change | None:
        said = [*WORD.finditer(self.line)]
        whose = {each.start(): self._stems(each) for each in said}
        strange = {folded(each[0]) for each in said if not whose[each.start()]}
        fixed = {
            part
            for part in self.parts
            if IRREGULAR.fullmatch(part)
            or self.lexicon.senses(part)
            or any(part.startswith(word) or word.startswith(part) for word in strange)
        }
        free = [part for part in self.parts if part not in fixed]
        chosen = free if count is None else chance.sample(free, min(count, len(free)))
        if not chosen:
            return None
        pool = [name.lower() for name in POOL if self._is_free(name.lower(), strange)]
        if len(pool) < len(chosen):
            return None
        for _ in range(30):
            names = dict(zip(chosen, chance.sample(pool, len(chosen)), strict=True))
            edits = [edit for each in said if (edit := self._renaming(each, whose[each.start()], names)) is not None]
            if self._are_alike(said, whose, names, edits):
                shown = tuple(edit for edit in edits if edit.text)
                return Change("names", shown, tuple(names.items())) if shown else None
        return None

    def _is_free(self, name: str, strange: Iterable[str]) -> bool:
        """Say whether a name can be taken for nothing else in the line."""
        return (
            name not in self.parts
            and not self.lexicon.senses(name)
            and not any(name.startswith(word) or word.startswith(name) or is_slip(word, name) for word in strange)
            and not any(is_slip(name, part) for part in self.parts)
        )

    def _stems(self, word: re.Match[str]) -> tuple[str, ...]:
        """Return the words of names for which a word of the line stands: all that begin so, if it is said of people; else one that it is."""
        said = folded(word[0])
        for stem in (said, said.removesuffix("s")):
            if stem in self.parts:
                return (stem,)
        if not any(start <= word.start() < end for start, end in self.people) or self.lexicon.senses(said):
            return ()
        return tuple(part for part in self.parts if part.startswith((said, said.removesuffix("s"))))

    def _renaming(self, word: re.Match[str], stems: tuple[str, ...], names: Mapping[str, str]) -> Edit | None:
        """Return another name in the place of a word; one without text where that cannot be; None if it stays."""
        if not any(stem in names for stem in stems):
            return None
        said = folded(word[0])
        new = names.get(stems[0], "")
        plural = "s" if said.endswith("s") and not stems[0].startswith(said) else ""
        said = said.removesuffix("s") if plural else said
        text = new if said == stems[0] else new[: len(said)]
        return Edit(word.start(), word.end(), _as_typed(word[0], text + plural)) if new else Edit(word.start(), 0, "")

    def _are_alike(
        self,
        said: Iterable[re.Match[str]],
        whose: Mapping[int, tuple[str, ...]],
        names: Mapping[str, str],
        edits: Sequence[Edit],
    ) -> bool:
        """Say whether each word means those who are called otherwise now whom it meant before."""
        if any(not edit.text for edit in edits):
            return False
        now = [names.get(part, part) for part in self.parts]
        new = {edit.start: folded(edit.text) for edit in edits}
        for word in said:
            text = new.get(word.start(), folded(word[0]))
            meant = {names.get(part, part) for part in whose[word.start()]}
            begun = {part for part in now if part.startswith(text)} or {
                part for part in now if part.startswith(text.removesuffix("s"))
            }
            if meant and text not in meant and text.removesuffix("s") not in meant and begun != meant:
                return False
            if word.start() in new and self.lexicon.senses(text):
                return False
        return True

    # ------------------------------------------------------------ numbers

    def _counted(self, chance: random.Random) -> Iterator[Change]:
        """Yield changes of each number by one or two, wherever it stands in the line as one."""
        values = {item.number.value for item in self.items if item.number}
        numbers = {number for family in self.scene.families.values() for number in family}
        for value in sorted({item.number.value for item in self._plain_numbers() if item.number}):
            new = value + chance.choice([-2, -1, 1, 2])
            if (
                new < 2
                or (new in numbers and value not in numbers)
                or new in (*values, 20)
                or (value < 20) != (new < 20)
            ):
                continue
            edits = tuple(self._digits(item, new) for item in self._plain_numbers() if self._is(item, value))
            yield Change("numbers", edits, number=(value, new))

    def _plain_numbers(self) -> Iterator[Item]:
        """Yield the numbers that are written in digits and stand for themselves: no dice, sums, pairs, ordinals, places."""
        for item in self.items:
            number = item.number
            if number is None or item.kind != "number" or item.values or item.who:
                continue
            if number.spelled or number.summed or number.pair or number.notation or number.die is not None:
                continue
            if number.value > 1 and number.value != 20:
                yield item

    @staticmethod
    def _is(item: Item, value: int) -> bool:
        return item.number is not None and item.number.value == value

    def _digits(self, item: Item, new: int) -> Edit:
        digits = re.search(r"\d+", self.line[item.start : item.end])
        start, end = digits.span() if digits else (0, item.end - item.start)
        return Edit(item.start + start, item.start + end, str(new))

    def _spelled(self) -> Iterator[Change]:
        """Yield numbers in words for those in digits."""
        for item in self._plain_numbers():
            if item.number and item.number.value in IN_WORDS and self.line[item.start : item.end].isdecimal():
                around = self.line[item.start - 1 : item.start] + self.line[item.end : item.end + 1]
                if re.fullmatch(r"[\s,;.]*", around):
                    yield Change("spelling", (Edit(item.start, item.end, IN_WORDS[item.number.value]),))

    # ------------------------------------------------------------ words

    def _synonyms(self, chance: random.Random) -> Iterator[Change]:
        """Yield other words that say exactly what a verb or cue says, each in the same form, but no verb that names a weapon: punches."""
        for item in self.items:
            around = self.line[max(item.start - 1, 0) : item.start] + self.line[item.end : item.end + 1]
            if item.kind != "word" or item.who or not item.senses or not re.fullmatch(r"[\s,;.:]*", around):
                continue
            armed = self.scene.table.means.get("verb-weapon", {})
            others = [each for each in synonyms(self.lexicon, item.text) if each not in armed or item.text in armed]
            for other in chance.sample(others, min(3, len(others))):
                yield Change("synonyms", (Edit(item.start, item.end, _as_typed(item.typed, other)),))

    # ------------------------------------------------------------ style

    def _cased(self) -> Iterator[Change]:
        return (Change("case", style=style) for style in ("lower", "upper", "title", "first letter"))

    def _punctuated(self) -> Iterator[Change]:
        return (Change("punctuation", style=style) for style in PUNCTUATION)

    def _reordered(self) -> Iterator[Change]:
        if len(sentences(self.line)) > 1:
            yield Change("order", style="order")


def _shuffled(chance: random.Random, made: Iterable[Any]) -> list[Any]:
    found = [*made]
    chance.shuffle(found)
    return found


def _as_typed(word: str, text: str) -> str:
    """Return a text in the case of a word that was typed."""
    if word.isupper() and len(word) > 1:
        return text.upper()
    return text[:1].upper() + text[1:] if word[:1].isupper() else text


# ---------------------------------------------------------------- words that say the same

CUES = frozenset(
    [
        "hit",
        "miss",
        "critical",
        "fumble",
        "success",
        "failure",
        "half",
        "damage",
        "points",
        "temporary",
        "armor",
        "dc",
        "against",
        "to_hit",
        "initiative",
        "save",
        "condition",
        "unit",
        "length",
        "round",
        "segment",
        "none",
        "concentration",
        "opportunity",
        "advantage",
        "cost_reaction",
        "cost_bonus",
    ]
)
"""Kinds of words that are no verbs whose words, where they have no other kind, say the same."""

VALUED = frozenset(
    ["condition", "unit", "length", "times", "impose", "contest", "self_state", "deed", "handle", "spell_verb"]
)
"""Kinds of words that each say what their value is."""


def synonyms(words: Lexicon, text: str) -> list[str]:
    """Return the words that say exactly what a word says, in each of its senses, and in the same form if it is a verb."""
    said = _signature(words, text)
    if all(verb for _, _, verb in said):
        slots = _verbs(words)
        return sorted({other for each in slots for other in each.get(said, ()) if text in each[said]} - {text})
    if all(kind in CUES for kind, _, _ in said):
        return [other for other in _cues(words).get(said, ()) if other != text]
    return []


Signature = frozenset[tuple[str, str, bool]]


def _signature(words: Lexicon, text: str) -> Signature:
    """Return the senses of a word; a value that is only the word itself, or the verb of which it is a form, is left out."""
    found = words.senses(text)
    plain = {sense.value for sense in found if sense.is_verb} & _plain()
    return frozenset(
        (
            each.kind,
            "" if each.kind not in VALUED and (each.value == text or each.value in plain) else each.value,
            each.is_verb,
        )
        for each in found
    )


@cache
def _plain() -> frozenset[str]:
    """Return the verbs of the tables that give no value for each."""
    tables = tomllib.loads(Path(VERBS).read_text(encoding="utf-8"))
    return frozenset(verb for table in tables.values() if "verbs" in table for verb in listed(table["verbs"]))


@cache
def _verbs(words: Lexicon) -> tuple[dict[Signature, set[str]], ...]:
    """Return the third persons, the pasts and the gerunds of the verbs, by what they say."""
    tables = tomllib.loads(Path(VERBS).read_text(encoding="utf-8"))
    irregular = tomllib.loads(Path(INFLECTED).read_text(encoding="utf-8"))
    doubled, single = (frozenset(irregular["doubled"][each]) for each in ("yes", "no"))
    slots: tuple[dict[Signature, set[str]], ...] = ({}, {}, {}, {})
    for table in tables.values():
        for verb in listed(table["verbs"]) if "verbs" in table else table:
            made = [*forms(verb, irregular["past"], doubled, single)]
            for slot, form in zip(slots, (made[0], made[1], made[2], made[-1]), strict=True):
                slot.setdefault(_signature(words, form), set()).add(form)
    return slots


@cache
def _cues(words: Lexicon) -> dict[Signature, list[str]]:
    found: dict[Signature, list[str]] = {}
    for text in words.known():
        found.setdefault(_signature(words, text), []).append(text)
    return found


IN_WORDS = dict(
    zip(
        (*range(2, 20), 21, 22, 30),
        [
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty-one",
            "twenty-two",
            "thirty",
        ],
        strict=True,
    )
)

# ---------------------------------------------------------------- the whole line


def sentences(line: str) -> list[str]:
    """Return the sentences of a line, without what stands between them."""
    return [
        each for part in re.split(r"(?<=[a-z0-9)])[.!]\s+(?=[A-Z])|;\s+", line.rstrip(" .!")) if (each := part.strip())
    ]


PUNCTUATION: dict[str, Callable[[str], str]] = {
    "final stop": lambda line: line if line.endswith((".", "!", "?", ",")) else f"{line}.",
    "no final stop": lambda line: line.rstrip(".!"),
    "exclamation": lambda line: re.sub(r"(?<![.!?])[.!]?$", "!", line),
    "commas for semicolons": lambda line: line.replace(";", ","),
    "semicolons for commas": lambda line: re.sub(r",(?= )", ";", line),
    "dashes for commas": lambda line: re.sub(r", ", " - ", line),
    "no commas": lambda line: re.sub(r"(?<!\d),(?= )|,(?= [^\d\s])", "", line),
    "commas for parentheses": lambda line: re.sub(r"\s+\((?=\D)([^()]*)\)", r", \1", line),
    "blanks": lambda line: f" {line.replace(' ', '  ')} ",
}
"""Other punctuation, of a line that says the same with it."""
STYLES: dict[str, Callable[[str], str]] = {
    **PUNCTUATION,
    "lower": str.lower,
    "upper": str.upper,
    "title": lambda line: re.sub(r"(?<![\w'’])[a-z]", lambda found: found[0].upper(), line),
    "first letter": lambda line: line[:1].upper() + line[1:],
    "order": lambda line: "; ".join(reversed(sentences(line))),
}
"""What can be done with a whole line."""
