"""A state with the rows that may explain it. A row explains a value if it states it; the same words are not enough."""

import re
from typing import NamedTuple

from encounterlog.importers.fireball.replies import embeds, fields, reply_text
from encounterlog.importers.fireball.rows import SourceRow
from encounterlog.importers.fireball.snapshots import ShownCombatant, Snapshot
from encounterlog.importers.fireball.titles import after_name
from encounterlog.importers.fireball.words import clean
from encounterlog.importers.fireball.writer import Writer


def _is_about(row: SourceRow, name: str) -> bool:
    return any(after_name(clean(str(one.get("title", ""))), name) is not None for one in embeds(row))


class State(NamedTuple):
    """A state with the rows that belong to it: those of its interaction, and the bot's answers.

    `nearby` is what the bot said around it, in any interaction, as the id of a state is only probable. `first` says
    that the recording begins with it in mid-fight.
    """

    writer: Writer
    row: SourceRow
    snapshot: Snapshot
    related: list[SourceRow]
    answers: list[SourceRow]
    nearby: list[SourceRow]
    first: bool = False

    def who(self, shown: ShownCombatant) -> str:
        """Give the log's id of a combatant in the state."""
        return self.writer.meet(shown.key, shown.name)

    @property
    def turn(self) -> str | None:
        """The combatant whose turn the state shows; in a group that acts together, the one whose turn it is by the facts."""
        if self.snapshot.current is None:
            return None
        members = [self.who(shown) for shown in self.snapshot.slots[self.snapshot.current]]
        now = self.writer.fight.turn
        return now if now in members else members[0]

    def saying(self, pattern: str) -> SourceRow | None:
        """Find the message of the bot that has a line of this form, an answer first."""
        rows = (*self.answers, *self.nearby)
        return next((row for row in rows if re.search(pattern, reply_text(row), re.MULTILINE)), None)

    def beginning(self, name: str, effect: str) -> SourceRow | None:
        """Find the row that begins an effect: an answer that says so under the bearer's name, or code that names it."""
        what, who = re.escape(effect), re.escape(name)
        said = rf"^(?:\*\*Effect\*\*: {what}(?: [\[(<].*)?|Added effect {what} to {who}\.)$"
        return self._saying_of(name, said) or self._coding(effect)

    def ending(self, name: str, effect: str) -> SourceRow | None:
        """Find the row that ends an effect."""
        what, who = re.escape(effect), re.escape(name)
        removed = rf"^(?:Effect {what}|All effects) removed from {who}\.$|^Removed effects from all combatants\.$"
        conflict = rf"^Removed (?:.*, )?{what}(?:, .*)? due to concentration conflict!$"
        lost = rf"\b(?:no longer concentrating|loses concentration|lost concentration) on {what}\b"
        dropped = rf"^Dropped (?:.*, )?{what}(?:, .*)? due to concentration\.$"
        found = (
            self.saying(removed) or self._saying_of(name, conflict) or self._saying_about(name, rf"{lost}|{dropped}")
        )
        return found or self._coding(effect)

    def _saying_of(self, name: str, pattern: str) -> SourceRow | None:
        """Find the message of the bot that has a line of this form in a field under this name."""
        for row in (*self.answers, *self.nearby):
            texts = [text for embed in embeds(row) for text in fields(embed, name)]
            if any(re.search(pattern, text, re.MULTILINE) for text in texts):
                return row
        return None

    def _saying_about(self, name: str, pattern: str) -> SourceRow | None:
        """Find the message of the bot that has such a line, which begins with this name or stands under it as title."""
        for row in (*self.answers, *self.nearby):
            for line in reply_text(row).split("\n"):
                if re.search(pattern, line) and (
                    after_name(line.lstrip("*"), name) is not None or _is_about(row, name)
                ):
                    return row
        return None

    def _coding(self, effect: str) -> SourceRow | None:
        """Find the alias or snippet of this interaction whose code has exactly this name in quotes."""
        pattern = re.compile(r"""["'“]""" + re.escape(effect) + r"""["'”]""")
        for row in self.related:
            code = clean(str(row.body.get("alias_body", row.body.get("snippet_body", ""))))
            if row.kind in ("alias_resolution", "snippet_resolution") and pattern.search(code):
                return row
        return None
