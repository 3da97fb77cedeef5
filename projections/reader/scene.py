"""The context in which a line is read: who is in the fight, whose turn it is, which effects run, and whom a word can name."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from eventstore.events import CombatantJoined, Fact, SaveRolled
from projections.grammar import forms
from projections.grammar.line_context import Gap, LineContext, kinds, unplaced, weapons
from projections.grammar.moments import is_declared, is_unordered
from projections.grammar.names import ARTICLE, folded, kind_of
from projections.grammar.tokens import is_slip
from projections.judging.known_words import known
from projections.occurrence import Occurrence
from projections.open_types import Facts
from projections.reader.lexicon import lexicon
from projections.state import Combatant, State
from projections.stream.names import singular_of, singulars

if TYPE_CHECKING:
    from projections.reader.parts import Part


class People(Struct, frozen=True):
    """The combatants that words name: the ids of all who are meant, or the possible ones, if a name is ambiguous (`options`).

    `slip` says that the name was misspelt, `likely` that somebody else may be meant, `group` that a collective word such
    as everyone named them, `side` that it was a side. `base` is the kind that a number may follow.
    """

    ids: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    slip: bool = False
    likely: bool = False
    group: bool = False
    side: str = ""
    base: str = ""
    plural: bool = False
    listed: bool = False
    """Whether each is named individually."""
    count: int = 1
    """How many of the `options` are meant."""


_CLOCK = ("round_started", "round_ended", "segment_reached")
"""The facts behind which acts are declared, or done."""


class Scene:
    """The state of a table as the reader sees it; as it will be when a round has begun, if the line begins one before,
    or when acts are done and no more declared, if it ends the round or reaches a segment.
    """

    def __init__(self, context: LineContext, *, begun: bool = False, acting: bool = False) -> None:
        self.context, self.begun, self.acting = context, begun, acting
        self.state: State = context.state
        self.gap: Gap | None = None
        """Why the clock cannot move as the line says, if it cannot."""
        self.stuck: Sequence[Part] = ()
        """The first clause of the line that no frame can read."""

    @cached_property
    def table(self) -> forms.Forms:
        """The table of forms of the game."""
        return forms.of(self.state.rules.rules)

    @cached_property
    def here(self) -> list[Combatant]:
        """Those in the fight."""
        return list(self.state.here())

    @cached_property
    def ids(self) -> frozenset[str]:
        """The ids of those in the fight."""
        return frozenset(one.id for one in self.here)

    def beside(self, who: str, those: tuple[str, ...]) -> tuple[str, ...]:
        """Return those of them who are on a combatant's side; all if none of them is."""
        side = self.state.combatants[who].side
        return tuple(each for each in those if self.state.combatants[each].side == side) if side else those

    @cached_property
    def called(self) -> dict[str, list[str]]:
        """The combatants in the fight by their ids and folded names."""
        found: dict[str, list[str]] = {}
        for one in self.here:
            for name in dict.fromkeys((one.id, folded(one.name))):
                found.setdefault(name, []).append(one.id)
        return found

    @cached_property
    def families(self) -> dict[str, dict[int, str]]:
        """The combatants in the fight whose names have numbers, by kind and number."""
        found: dict[str, dict[int, str]] = {}
        for one in self.here:
            for name in dict.fromkeys((one.id, folded(one.name))):
                if match := re.fullmatch(r"(\D+?)-?(\d+)", name):
                    found.setdefault(match[1], {})[int(match[2])] = one.id
        return found

    @cached_property
    def left(self) -> frozenset[str]:
        """The ids and folded names of those who have left, unless somebody in the fight has the same."""
        gone = (one for one in self.state.combatants.values() if one.left)
        return frozenset(name for one in gone for name in (one.id, folded(one.name))) - self.called.keys()

    @cached_property
    def gone(self) -> dict[str, str]:
        """Those who have left, by their ids and short forms of these: hob-3 for hobgob-3, where it means nobody else."""
        found: dict[str, str] = {}
        for one in self.state.combatants.values():
            if one.left and (match := re.fullmatch(r"(\D+?)-(\d+)", one.id)):
                for length in range(2, len(match[1]) + 1):
                    begun = f"{match[1][:length]}-{match[2]}"
                    found[begun] = one.id if begun not in found else ""
        return {begun: who for begun, who in found.items() if who}

    @cached_property
    def parts(self) -> dict[str, list[str]]:
        """The words of the combatants' names, each with the combatants that it can mean."""
        found: dict[str, list[str]] = {}
        for one in self.here:
            for name in dict.fromkeys((one.id, folded(one.name))):
                for part in name.split("-"):
                    if part and part != ARTICLE and not part.isdecimal() and one.id not in found.setdefault(part, []):
                        found[part].append(one.id)
        return found

    @cached_property
    def turn(self) -> str:
        """The combatant whose turn it is; "" if there is none."""
        return self.state.clock.turn if self.state.clock.turn in self.ids else ""

    @cached_property
    def played(self) -> tuple[str, ...]:
        """The combatants whom the writer of the line plays: those of this name, else those of whom the writer has said so."""
        speakers, played = self.context.speakers, self.context.memory.played
        named = distinct(who for name in speakers for who in self.called.get(folded(name), ()))
        return named or distinct(who for by in speakers or played for who in played.get(by, ()) if who in self.ids)

    def after(self, facts: Facts) -> "Scene":
        """Return the context in which a line goes on behind the last of these facts, which may move the clock."""
        moved = next((fact["type"] for fact in reversed(facts) if fact["type"] in _CLOCK), "")
        if not moved or self.table.declares != "dice":
            return self
        begun = moved == "round_started"
        if (self.begun, self.acting) == (begun, not begun):
            return self
        return Scene(self.context, begun=begun, acting=not begun)

    @cached_property
    def declaring(self) -> bool:
        """Whether the round is in its declarations."""
        return (self.begun and self.table.declares == "dice") or (is_declared(self.context) and not self.acting)

    @cached_property
    def unordered(self) -> bool:
        """Whether initiative is still to be rolled; sides roll anew in each round."""
        return (self.begun and self.has_sides) or is_unordered(self.context)

    @cached_property
    def lacking(self) -> frozenset[str]:
        """The combatants without initiative in a round in which each has a turn."""
        return frozenset() if self.has_sides else frozenset(unplaced(self.context))

    @cached_property
    def has_sides(self) -> bool:
        """Whether sides roll for initiative."""
        return self.table.clock != "turn"

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds of action that the game knows."""
        return kinds(self.state)

    @property
    def any_type(self) -> bool:
        """Whether the game has no list of its own of possible acts, and allows damage of any type."""
        return not known(self.state.rules.rules).kinds

    @cached_property
    def conditions(self) -> frozenset[str]:
        """The conditions that the game knows, and those that a combatant has."""
        own = (each.called for each in self.state.conditions.values())
        return frozenset((*known(self.state.rules.rules).conditions, *own))

    def condition_named(self, said: str, typed: str) -> str:
        """Return the name under which a condition is recorded, by the game's name for it."""
        own, known_ = self.table.means.get("condition", {}), self.conditions
        statuses, status = self.state.rules.statuses, self.table.means.get("status", {})
        as_status = (each for each in (typed, status.get(typed, ""), status.get(said, "")) if each in statuses)
        if meant := next((each for each in as_status if each != "up"), ""):
            return meant
        own_name = own.get(typed, "") or own.get(said, "")
        return own_name or next((each for each in (said, typed) if each in known_), said)

    def in_state(self, condition: str) -> tuple[str, ...]:
        """Return those in the fight who have a condition, or whose status it is."""
        bearers = {each.bearer for each in self.state.conditions.values() if each.called == condition}
        return tuple(one.id for one in self.here if one.id in bearers or one.status == condition)

    @cached_property
    def effects(self) -> dict[str, str]:
        """The running effects, by their names in lower case."""
        return {each.called: each.name for each in self.state.effects.values()}

    @cached_property
    def owes_concentration(self) -> str:
        """The only combatant who concentrates on an effect and was hurt last, in a game that asks a save of them; "" without one."""
        running = self.state.effects.values()
        found = {each.source for each in running if each.concentration and each.source in self.context.memory.hurt}
        asked = self.table.means.get("owed-save", {}).get("concentration", "")
        return next(iter(found)) or "" if asked and len(found) == 1 else ""

    @cached_property
    def carried(self) -> dict[str, tuple[str, str]]:
        """The things on the sheets: names in lower case, each with its kind (weapon, spell) and its spelling."""
        found: dict[str, tuple[str, str]] = {}
        for one in self.here:
            for entry in getattr(one.sheet, "entries", ()) or ():
                found[entry.name.casefold()] = (
                    "feature" if getattr(entry, "level", 0) is None else "spell",
                    entry.name,
                )
            for name in weapons(one):
                found[name.casefold()] = ("weapon", name)
            for name in getattr(one.sheet, "resources", None) or ():
                found.setdefault(name.casefold(), ("resource", name))
        for name in self.context.memory.used.values():
            found.setdefault(name.casefold(), ("weapon", name))
        for action in (*self.context.memory.declared.values(), *self.context.memory.begun.values()):
            if action.name and action.kind != "other":
                found.setdefault(
                    action.name.casefold(),
                    ("spell" if action.kind in self.table.words.get("casting", ()) else "weapon", action.name),
                )
        return found

    def back_to(self, seq: int) -> int:
        """Return the number of records between a record and the first fact of the line, as the cause of a fact has it."""
        return seq - (self.state.seq + 1)

    def side_of(self, who: str) -> str:
        """Return the side of a combatant."""
        return self.state.combatants[who].side

    def of_side(self, side: str) -> tuple[str, ...]:
        """Return those of a side who are in the fight."""
        return tuple(one.id for one in self.here if one.side == side)

    def whole_side(self, those: Sequence[str]) -> str:
        """Return the side that several combatants make up; "" if there is none."""
        sides = {self.side_of(who) for who in those} - {""}
        return next((side for side in sides if len(those) > 1 and {*self.of_side(side)} == {*those}), "")

    @property
    def goes_on(self) -> bool:
        """Say whether a round or a turn has begun."""
        return bool(self.state.clock.round or self.state.clock.turn)

    def status(self, who: str) -> str:
        """Return the status of a combatant."""
        return self.state.combatants[who].status

    def act_called(self, names: Collection[str], whom: Collection[str]) -> int:
        """Return the record of the one act or effect of the turn that has one of these names and these targets; 0 if there is none, or several."""
        found = [
            one.seq
            for one in self.context.memory.acts
            if one.name in names and (not one.targets or {*whom} <= {*one.targets})
        ]
        return found[0] if len(found) == 1 else 0

    # ------------------------------------------------------------ names

    def side(self, word: str) -> str:
        """Return the side that a word names in full; "" if none."""
        sides = {one.side for one in self.here if one.side}
        if word in sides:
            return word
        return next((side for side in sides if word == f"{side}s"), "")

    def exactly(self, name: str) -> tuple[str, ...]:
        """Return the combatants with this id or name, written with hyphens."""
        found = self.called.get(name, ())
        return (name,) if name in found else tuple(found)

    def one_of_family(self, word: str, number: int, *, loosely: bool) -> str:
        """Return the combatant with this number in a kind: hob 2; `loosely`, in the only kind that begins so and has
        the number. "" if there is none.
        """
        for base in dict.fromkeys((word, *singulars(word))):
            if who := self.families.get(base, {}).get(number) or self.gone.get(f"{base}-{number}", ""):
                return who
        if not loosely:
            return ""
        for begun in dict.fromkeys((word, *singulars(word))):
            found = {
                family[number]
                for base, family in self.families.items()
                if number in family and begun and any(part.startswith(begun) for part in (base, *base.split("-")))
            }
            if found:
                return found.pop() if len(found) == 1 else ""
        slips = {family[number] for base, family in self.families.items() if number in family and _slips(word, base)}
        short = slips or {each[number] for each in self.shortened(word) if number in each}
        return short.pop() if len(short) == 1 else ""

    def shortened(self, word: str) -> list[dict[int, str]]:
        """Return the combatants of each kind of whose name a word, or a plural of it, is short: HG of hobgoblins, GRs of giant rats."""
        for begun in dict.fromkeys((word, *singulars(word))):
            found = [family for base, family in self.families.items() if abbreviates(begun, base)]
            if found and not lexicon(self.state.rules.rules).senses(begun):
                return [each for at, each in enumerate(found) if each not in found[:at]]
        return []

    def family(self, word: str, *, loosely: bool) -> tuple[tuple[str, ...], bool]:
        """Return the combatants of the kind that a word names, and whether the word is its plural; `loosely`, of one
        whose name begins with the word.
        """
        for base, plural in ((word, False), *((each, True) for each in singulars(word))):
            if base in self.families:
                return tuple(self.families[base].values()), plural
        if loosely:
            for begun, plural in ((word, False), *((each, True) for each in singulars(word))):
                longer = [
                    base
                    for base in self.families
                    if len(base) > 3 and begun.startswith(base) and len(begun) - len(base) < 6
                ]
                if len(longer) == 1:
                    return tuple(self.families[longer[0]].values()), plural
            for begun, plural in ((word, False), *((each, True) for each in singulars(word))):
                found = [
                    base
                    for base in self.families
                    if len(begun) > 1 and any(part.startswith(begun) for part in (base, *base.split("-")))
                ]
                if len({tuple(self.families[each].values()) for each in found}) == 1:
                    return tuple(self.families[found[0]].values()), plural
            if kinds := self.shortened(word):
                return tuple(who for family in kinds for who in family.values()), len(kinds) == 1 and word[-1:] == "s"
        return (), False

    def fact(self, seq: int) -> Occurrence[Fact] | None:
        """Return the fact of a record, as far as it is kept: of this round, or one of the latest deeds."""
        return self.context.memory.latest.get(seq) or self.state.moments.get(seq)

    def lines(self, most: int) -> Iterator[list[tuple[int, Any]]]:
        """Yield so many of the latest lines, the last first, each as its facts that are kept and not struck, with their records."""
        for first, last in reversed(self.context.memory.lines[-most:]):
            told = ((seq, self.fact(seq)) for seq in range(first, last + 1) if seq not in self.state.struck_by)
            yield [(seq, moment.event) for seq, moment in told if moment is not None]

    @cached_property
    def last_told(self) -> tuple[str, ...]:
        """All of whom the last line told that did anything but join."""
        found: list[str] = []
        for _, fact in next(self.lines(1), []):
            if not isinstance(fact, CombatantJoined):
                action = getattr(fact, "action", None)
                named = (getattr(fact, "combatant", None), getattr(fact, "target", None))
                found += [
                    *filter(None, named),
                    *(getattr(fact, "targets", None) or ()),
                    *(key.partition(".")[0] for key in getattr(fact, "values", None) or ()),
                    *getattr(action, "targets", ()),
                ]
        return distinct(who for who in found if who in self.ids)

    @cached_property
    def last_kind(self) -> str:
        """The only kind with numbers of which the last line told; "" for none, or several."""
        told = {base for base, kind in self.families.items() if not {*kind.values()}.isdisjoint(self.last_told)}
        return told.pop() if len({tuple(self.families[base].values()) for base in told}) == 1 else ""

    def saves(self) -> dict[str, bool | None]:
        """Return how the saves went that are the last deeds, by combatant; None for one without an outcome."""
        memory, went = self.context.memory, dict[str, bool | None]()
        for seq in reversed(memory.deeds):
            told = self.fact(seq)
            if told is None or not isinstance(told.event, SaveRolled) or told.event.combatant in went:
                break
            went[told.event.combatant] = told.event.succeeded
        return dict(reversed(went.items()))

    def has_namesake(self, family: Sequence[str]) -> bool:
        """Say whether somebody who is up bears the name of a kind among others, and may be meant by its plural: the gnoll chief beside gnolls."""
        base = family[0].rpartition("-")[0]
        return any(
            base in one.id.split("-")
            and one.id not in family
            and not one.id[-1].isdigit()
            and self.status(one.id) == "up"
            for one in self.here
        )

    def named(self, word: str, *, loosely: bool) -> tuple[tuple[str, ...], bool]:
        """Return the combatants that a word can name, and whether it is misspelt. `loosely`, the word may be the
        beginning of a name, initials, or have a slip.
        """
        if found := self.exactly(word):
            return found, False
        if found := tuple(self.parts.get(word, ())):
            return found, False
        if not loosely:
            return (), False
        begins = dict.fromkeys(
            who for part, whom in self.parts.items() if part.startswith(word) and len(word) > 1 for who in whom
        )
        if begins:
            return tuple(begins), False
        if bearers := self._with_initials(word):
            alike = (one.id for one in self.here if not one.id[-1:].isdigit() and abbreviates(word, one.id))
            return distinct((*bearers, *alike)), False
        if len(word) == 1:
            return tuple(
                one.id for one in self.here if one.id.startswith(word) or folded(one.name).startswith(word)
            ), False
        slips = dict.fromkeys(who for part, whom in self.parts.items() if _slips(word, part) for who in whom)
        slips = slips or dict.fromkeys(
            who for part, whom in self.parts.items() if _is_short_for(word, part) for who in whom
        )
        return tuple(slips), bool(slips)

    def _with_initials(self, word: str) -> tuple[str, ...]:
        """Return the combatants whose names have these two or three initials: OC of orc chief."""
        return tuple(
            one.id
            for one in self.here
            if 1 < len(word) < 4
            and any(
                word == "".join(part[:1] for part in kind_of(name).split("-")) for name in (one.id, folded(one.name))
            )
        )


def has_one_slip(scene: Scene, word: str, who: str) -> bool:
    """Say whether a word is part of a combatant's name with one slip of the finger, and neither a short form nor a plural of it."""
    return any(who in whom and part not in singulars(word) and _slips(word, part) for part, whom in scene.parts.items())


def _is_short_for(word: str, part: str) -> bool:
    """Say whether a word is a nickname: letters of a longer name in their order, from its first on, as Tess is of Thessaly."""
    if len(word) < 4:
        return abbreviates(word, part)
    return len(part) > len(word) + 1 and _in_order(word, part)


LONGEST_ABBREVIATION = 4
"""The most letters of a word that stands for a name by its consonants."""
_ABBREVIATION = re.compile("[a-z][bcdfghjklmnpqrstvwxz]|[bcdfghjklmnpqrstvwxz]{3,}")
"""Letters that stand for a name: an initial and a consonant, or several consonants."""


def abbreviates(word: str, name: str) -> bool:
    """Say whether letters stand for a name, or one beginning at a later word of it: HG or hbg for hobgoblin, GR or rt for giant-rat."""
    if len(word) > LONGEST_ABBREVIATION or not _ABBREVIATION.fullmatch(word):
        return False
    parts = name.split("-")
    return any(_in_order(word, "-".join(parts[at:])) for at in range(len(parts)))


def initials(name: str) -> str:
    """Return the first letters of the words of a name."""
    return "".join(part[:1] for part in name.split("-"))


def _in_order(word: str, name: str) -> bool:
    """Say whether the letters of a word stand in a name in their order, from its first on."""
    rest = iter(name[1:])
    return word[:1] == name[:1] and len(name) > len(word) and all(letter in rest for letter in word[1:])


def _slips(word: str, part: str) -> bool:
    """Say whether a word is another one with one slip of the finger; in short words the first letter is right."""
    if len(word) < 3 or len(part) < 3 or not is_slip(word, part):
        return False
    return len(word) > 3 or word[0] == part[0]


def distinct(ids: Iterable[str]) -> tuple[str, ...]:
    """Return ids without repetitions."""
    return tuple(dict.fromkeys(ids))


def singular(word: str) -> str:
    """Return the singular of a word; the word itself if it is no plural."""
    return singular_of(word) or word
