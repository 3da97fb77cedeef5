"""The scene: what sentences ask of the state of a fight: its moment, and the things, spells and effects that it knows."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from projections.judging.known_words import known
from projections.language.conjugation import REGULAR, verb_forms as forms_of, verb_stem
from projections.language.lexer import Token
from projections.language.notation import forms
from projections.language.notation.line_context import LineContext, has_turns, is_declared, is_unordered, kinds
from projections.language.table import Table, language_table
from projections.open_types import Fields, Json
from projections.state import State

OTHERWISE = frozenset(
    ["attack", "cast", "move", "other", "ready", "hold", "delay", "end", "item", "use-item", "surprised", "stand-up"]
)
"""The kinds of act and the conditions that have shapes of their own, or say nothing without more."""
Known = tuple[int, str]
"""The place behind words that name something, and its name."""
_LONGEST = 4
"""The most words of the name of a thing."""


class Scene:
    """The fight in which a line is typed."""

    def __init__(self, context: LineContext) -> None:
        self.context = context
        self.state: State = context.state
        self.table: Table = language_table(context.state.rules.rules)
        self.forms = forms.of(context.state.rules.rules)
        self.kinds = kinds(context.state)
        self.has_turns = has_turns(context)
        self._book: dict[str, bool] = {}
        self.begins_round = False
        """Whether the line itself begins a round in which acts are declared."""

    def is_moment(self, name: str) -> bool:
        """Say whether it is the moment in which a shape can be read."""
        match name:
            case "":
                return True
            case "unordered":
                return is_unordered(self.context)
            case "declared":
                return self.begins_round or is_declared(self.context)
            case "turns":
                return self.has_turns
        raise AssertionError(name)

    @cached_property
    def words_taught(self) -> dict[str, tuple[str, int]]:
        """The words that were taught, in all their forms: each with the word that it means, and the record that says so."""
        found = self.context.memory.taught
        return {form: means for word, means in found.items() for form in (word, *forms_of(verb_stem(word), REGULAR))}

    def kind_of(self, deed: str) -> Fields:
        """Return the kind of a deed: its own, if the game has it, else another one with its name."""
        if deed in self.kinds:
            return {"kind": deed}
        return {"kind": "other" if "other" in self.kinds else "move", "name": deed}

    def things_at(self, sort: str, tokens: Sequence[Token], at: int) -> Iterator[Known]:
        """Yield the weapons, spells, effects or running effects of the fight whose names begin at a place."""
        for length in range(_LONGEST, 0, -1):
            words = tokens[at : at + length]
            if len(words) == length and (name := self._names_by_sort[sort].get(" ".join(each.word for each in words))):
                yield at + length, name
        if sort == "spell":
            yield from self._spells_of_game(tokens, at)

    def _spells_of_game(self, tokens: Sequence[Token], at: int) -> Iterator[Known]:
        """Yield the spells of the game's own tables whose names begin at a place."""
        for length in range(_LONGEST, 0, -1):
            if any(each.kind != "word" for each in tokens[at : at + length]):
                continue
            words = " ".join(each.word for each in tokens[at : at + length])
            if len(tokens) >= at + length and words not in self._spells and self._is_in_the_book(words):
                yield at + length, words

    def _is_in_the_book(self, words: str) -> bool:
        if words not in self._book:
            anybody = next((one.id for one in self.state.here()), "")
            self._book[words] = self.state.rules.spell(self.state, anybody, words) is not None
        return self._book[words]

    def has(self, sort: str, name: str) -> bool:
        """Say whether the fight itself knows a thing of a sort by this name."""
        return name.casefold() in self._names_by_sort[sort]

    def names_of_sort(self, sort: str) -> Iterator[str]:
        """Yield the names of the things of a sort."""
        yield from dict.fromkeys(self._names_by_sort.get(sort, {}).values())

    @cached_property
    def _names_by_sort(self) -> dict[str, Mapping[str, str]]:
        running = {each.called.casefold(): each.called for each in self.state.effects.values()}
        game = known(self.state.rules.rules).conditions
        conditions = {each.replace("-", " "): each for each in game - OTHERWISE} | {
            each: each for each in game - OTHERWISE
        }
        conditions |= {each: each for each in self._named("condition")}
        conditions |= {each.called.casefold(): each.called for each in self.state.conditions.values()}
        return {
            "weapon": self._weapons,
            "spell": self._spells,
            "running": running,
            "effect": running | self._spells,
            "condition": conditions,
            "deed": self._deeds,
        }

    @cached_property
    def _deeds(self) -> dict[str, str]:
        """The game's kinds of act that no shape of their own has, by their names and verbs."""
        own = self.kinds - OTHERWISE
        verbs = {verb: kind for kind, verb in self.forms.verbs.items() if kind in own}
        named = {kind.replace("-", " "): kind for kind in own} | {kind: kind for kind in own}
        return {f"{words}s": kind for words, kind in named.items()} | named | verbs

    @cached_property
    def _weapons(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for one in self.state.here():
            named = [getattr(each, "name", each) for each in getattr(one.sheet, "weapons", None) or ()]
            named += [*(getattr(one.sheet, "wielding", None) or {}).values(), getattr(one.sheet, "weapon", None)]
            found |= {each.casefold(): each for each in named if isinstance(each, str)}
        used = (*self.context.memory.used.values(), *self.forms.words.get("weapon", ()), *self._named("attack"))
        return found | {each.casefold(): each for each in used if each.casefold() not in found}

    @cached_property
    def _spells(self) -> dict[str, str]:
        memory = self.context.memory
        acts = (*memory.declared.values(), *memory.begun.values())
        begun = [each.name for each in acts if each.name and each.kind == "cast"]
        own = (
            each.name
            for one in self.state.here()
            for each in getattr(one.sheet, "entries", None) or ()
            if self._is_spell(each)
        )
        known = (*own, *begun, *memory.kept_up, *self.forms.words.get("spell", ()), *self._named("cast"))
        return {each.casefold(): each for each in reversed(known)}

    def _named(self, sort: str) -> Iterator[str]:
        return (name for name, kind in self.context.memory.named.items() if kind == sort)

    @cached_property
    def resources(self) -> frozenset[str]:
        """The names of the resources that the game or a combatant has, case-folded."""
        own = (each for one in self.state.here() for each in one.resources)
        return known(self.state.rules.rules).resources | {each.casefold() for each in own}

    def _is_spell(self, entry: Json) -> bool:
        """Say whether an entry of a sheet is a spell, and no feature."""
        kind = getattr(entry, "kind", None)
        if kind in self.kinds:
            return bool(kind == "cast")
        return getattr(entry, "level", 0) is not None or "ability" not in self.kinds

    @cached_property
    def features(self) -> dict[str, str]:
        """The names of what the sheets of those present list, by their case-folded forms."""
        own = [each.name for one in self.state.here() for each in getattr(one.sheet, "entries", None) or ()]
        return {each.casefold(): each for each in own}
