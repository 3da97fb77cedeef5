"""A line that no form tells, and what its words show."""

import re
from typing import Self

from msgspec import Struct

from eventstore.form import closest, visible
from projections.grammar import line_context, names
from projections.grammar.forms import Form, Forms, Literal
from projections.grammar.tokens import NotUnderstood, Token, is_slip
from projections.state import State

ACTING = ("hit", "miss", "critical", "healing", "casting", "dead", "condition", "harm")
"""The sorts of words that say what combatants do or suffer."""


class Unread(Struct, frozen=True):
    """A line that no form tells, with the error that lies furthest along it."""

    error: NotUnderstood
    context: line_context.LineContext
    table: Forms
    line: str
    tokens: list[Token]

    @property
    def state(self) -> State:
        """The state at the table."""
        return self.context.state

    @property
    def first(self) -> Token:
        """The first token of the line."""
        return self.tokens[0]

    @property
    def at(self) -> Token:
        """The token at which the error is."""
        return next((each for each in self.tokens if each.end >= self.error.column), self.tokens[-1])

    @property
    def begins_form(self) -> bool:
        """Whether the line begins with a word of the forms."""
        return not self.first.quoted and self.first.text in words_of_forms(self.table)

    @property
    def lacks_combatant(self) -> bool:
        """Whether the error is that there is no combatant of a name."""
        return self.error.why.startswith("there is no combatant")

    @property
    def names_nobody(self) -> bool:
        """Whether no word of the line names a combatant, alone or with others, or a group."""
        words = (re.sub(r"\W+$|['’]s$", "", each.text) for each in self.tokens)
        return not any(names.combatants(self.state, word) or names.is_group(self.state, word) for word in words if word)

    def is_deed(self, word: str) -> bool:
        """Say whether a word is one for what combatants do."""
        return word in line_context.kinds(self.state) or word in self.table.means.get("kind", ())

    def is_of(self, sort: str, word: str) -> bool:
        """Say whether a word is one of a sort of the table, or means one."""
        return word in self.table.words.get(sort, ()) or word in self.table.means.get(sort, ())

    def knows(self, word: str) -> bool:
        """Say whether a word stands in one of the lists of the table."""
        return any(word in each for each in (*self.table.words.values(), *self.table.means.values()))

    def with_word(self, token: Token, word: str) -> str:
        """Return the line with a word instead of a token."""
        return f"{self.line[: token.start]}{word}{self.line[token.end :]}".strip()

    def begins_with_unknown_word(self) -> bool:
        """Say whether the line begins with a word for a deed, or with one like nobody's name, alone or before a name."""
        first, tokens = self.first, self.tokens
        alone = (
            len(tokens) == 1
            or self.is_deed(first.text)
            or len(names.combatants(self.state, tokens[1].text.rstrip(",:;.!"))) == 1
        )
        is_word = re.fullmatch(r"[a-z][a-z'’-]{2,}", first.text) is not None and not first.quoted
        is_nobody = self.error.column == first.start + 1 and self.lacks_combatant
        return is_nobody and is_word and alone and not closest(first.text, self.state.combatants)


class VerbUnread(Struct, frozen=True):
    """A line whose second word, behind a combatant's name, is no word of the grammar."""

    line: Unread
    token: Token

    @classmethod
    def of(cls, line: Unread) -> Self | None:
        """Return the verb of a line at which the error is; None if that is no such word, or may be a name."""
        if len(line.tokens) < 2 or line.error.column != line.tokens[1].start + 1 or not line.lacks_combatant:
            return None
        verb = line.tokens[1]
        said = verb.text.casefold()
        begins = len(names.combatants(line.state, line.first.text)) == 1 and re.fullmatch(r"[a-z'’]{3,}", said)
        close = closest(said, [*line.state.combatants, *line_context.kinds(line.state)])
        is_verb = not close or "'" in said or (said.endswith("s") and not is_slip(said, close))
        return cls(line, verb) if begins and not verb.quoted and is_verb else None

    @property
    def word(self) -> str:
        """The verb, case folded."""
        return self.token.text.casefold()

    @property
    def shown(self) -> str:
        """The verb as messages show it."""
        return visible(self.token.text[:40])

    @property
    def unknown(self) -> str:
        """The message that the verb is unknown."""
        return f"{self.shown} is no word for what a combatant does here"

    def error(self, why: str, hint: str, offers: tuple[str, ...] = ()) -> NotUnderstood:
        """Return an error at the verb."""
        return NotUnderstood(self.token.start + 1, why, hint, offers)

    def nobody_behind(self) -> Token | None:
        """Return the word behind a verb for an attack, and perhaps an article, that names nobody; None if there is none."""
        state, table = self.line.state, self.line.table
        filler = table.words.get("filler", ())
        behind = (
            each for each in self.line.tokens if each.start > self.token.end and each.text.casefold() not in filler
        )
        first = next(behind, None)
        is_attack = self.word in table.means.get("kind", ())
        if not is_attack or first is None or first.quoted or first.text[-1] == ":":
            return None
        word = re.sub(r"\W+$", "", first.text)
        is_weapon = word.casefold() in table.words.get("weapon", ())
        is_word = re.fullmatch(r"[^\W\d_][\w'’-]{2,}", word) is not None and not is_weapon
        return None if not is_word or names.combatants(state, word) or names.is_group(state, word) else first

    def near(self) -> list[str]:
        """Return the words for actions of which the verb is a slip: kinds of action in any form, and words for what combatants do."""
        table, known = self.line.table, line_context.kinds(self.line.state)
        kinds = {*known, *(f"{each}s" for each in known), *table.means.get("kind", ())}
        told = (word for sort in ("doing", *ACTING) for word in table.words.get(sort, ()))
        words = {*kinds, *told}
        is_known = self.word in words or any(self.word in each for each in table.words.values())
        slips = [] if is_known else [each for each in words if len(each) > 3 and is_slip(self.word, each)]
        return sorted(slips, key=lambda each: (each[-1:] != self.word[-1:], each))[:3]


def words_of_forms(table: Forms) -> set[str]:
    """Return the words with which lines begin."""
    return {word for form in table.form for word in first_words(form)}


def first_words(form: Form) -> set[str]:
    """Return the words with which a line of a form can begin."""
    return {word for nodes in form.nodes if isinstance(nodes[0], Literal) for word in nodes[0].words}
