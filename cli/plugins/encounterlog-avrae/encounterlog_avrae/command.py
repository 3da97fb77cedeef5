"""A command: the typed words, split as the bot splits them, the combatants that it names, and the bot's answer."""

import re
from typing import NamedTuple

from encounterlog.importers.words import as_object, make_sentence, make_word, normalize_text
from encounterlog_avrae.replies import TURN, Outcome, answered_points, reply_text
from encounterlog_avrae.rows import SourceRow
from encounterlog_avrae.snapshots import ShownCombatant, Snapshot
from encounterlog_avrae.writer import Writer

QUOTES = dict(zip("\"'‘‚“„⹂「『〝﹁﹃＂｢«‹《〈", "\"'’‛”‟⹂」』〞﹂﹄＂｣»›》〉", strict=True))
"""The opening quotation marks, with their closing ones."""

_START, _WITHIN = r"(?<!\S)", r"(?<=\S)"
_CLOSING = "".join(mark for mark in QUOTES.values() if mark not in QUOTES and mark != "’")
"""The marks that only close a quotation, or open one within a word; an apostrophe within a word opens none."""


def _quotation(mark: str, close: str, where: str = "") -> str:
    return rf"{where}{mark}(?:\\[{mark}{close}]|[^{close}])*+{close}"


_PIECES = [
    *(_quotation(mark, close, _START if mark == "'" else "") for mark, close in QUOTES.items()),
    *(_quotation(mark, mark, _WITHIN) for mark in _CLOSING),
    rf"{_WITHIN}\\[{''.join({*QUOTES, *QUOTES.values()})}]",
    rf"[^\s{''.join(QUOTES)}{_CLOSING}]|{_WITHIN}'|{_START}[{_CLOSING}]",
]
"""A quotation in a word, a mark that a backslash makes none, or any other character."""
_PIECE = re.compile("|".join(_PIECES))
_WORD = re.compile(rf"(?:{_PIECE.pattern})++")
_TEXT = re.compile(rf"(?:\s|{_PIECE.pattern})*+")
_WITHOUT_VALUE = frozenset({"-i", "-h", "-v"})


def split_words(text: str) -> list[str]:
    """Split a command into words; quotes keep words together, unless one is never closed."""
    if not _TEXT.fullmatch(text):
        return text.split()
    return [_PIECE.sub(_unquote, word) for word in _WORD.findall(text)]


def _unquote(piece: re.Match[str]) -> str:
    first, last = piece[0][0], piece[0][-1]
    if piece[0] in (first, f"\\{last}"):
        return last
    return re.sub(rf"\\([{first}{last}])", r"\1", piece[0][1:-1])


class Options:
    """The options among the words of a command: `-name VALUE` and single words such as `conc`."""

    def __init__(self, words: list[str]) -> None:
        self._found: dict[str, list[str]] = {}
        values: list[str] | None = None  # of the option before, which takes the next word unless that is one itself
        for one in words:
            name = one.lstrip("-")
            flag = one in _WITHOUT_VALUE or (one != name and name[:1].isalpha())
            if values is not None and not flag:
                values.append(one)
                values = None
            elif flag or name[:1].isalpha():
                held = self._found.setdefault(name if flag else one, [])
                values = held if flag and one not in _WITHOUT_VALUE else None

    def __contains__(self, name: str) -> bool:
        """Say whether an option was given, with a value or without."""
        return name in self._found

    def values_of(self, name: str) -> list[str]:
        """List the values given for an option."""
        return [value for value in self._found.get(name, []) if value]


class Command(NamedTuple):
    """A command with its outcome, the rows from it to its answer, and the state that it led to, if there is one."""

    writer: Writer
    row: SourceRow
    outcome: Outcome
    span: list[SourceRow]
    snapshot: Snapshot | None

    @property
    def name(self) -> str:
        """The command in the bot's own words, e.g. "init next"."""
        return str(self.row.body["command_name"])

    @property
    def words(self) -> list[str]:
        """The words after the command's own words."""
        return split_words(normalize_text(self.row.body["content"]))[len(self.name.split()) :]

    @property
    def clock(self) -> tuple[list[str], int | None]:
        """The combatants whose turn it is, and the round, by the state that the command led to, else by its answer."""
        if self.snapshot is not None:
            return self.writer.acting_in(self.snapshot), self.snapshot.round
        said = re.search(TURN, reply_text(self.outcome.reply), re.MULTILINE) if self.outcome.reply else None
        members = _members_by_name(self).get(said["name"], []) if said else []
        place = self.writer.fight.place(next(iter(members), None))
        if said is None or place is None:
            return [], None
        return self.writer.fight.slots()[place], int(said["round"])

    @property
    def answers(self) -> list[SourceRow]:
        """The answer to this command; if none can be attributed to it, all that the bot said meanwhile."""
        return [self.outcome.reply] if self.outcome.reply else [row for row in self.span if row.by_bot]

    @property
    def said(self) -> str:
        """The command as it was typed, for a reason."""
        return make_sentence(f"{normalize_text(self.row.body['content'])[:200]} (line {self.row.line})")

    def find_caster(self) -> str | None:
        """Find the combatant whose sheet the command used."""
        sheet = as_object(self.row.body.get("caster"))
        return self.writer.here(sheet.get("id")) or self.writer.exactly(sheet.get("name"))

    def find_shown(self, who: str) -> ShownCombatant | None:
        """Find a combatant in the state that the command led to."""
        listed = self.snapshot.combatants if self.snapshot else []
        return next((one for one in listed if self.writer.here(one.key) == who), None)

    def has_changed(self, who: str) -> bool:
        """Say whether the state that the command led to shows a combatant otherwise than the facts before it."""
        shown, fight = self.find_shown(who), self.writer.fight
        if self.snapshot is None or shown is None:
            return False
        held = fight.initiative(who), fight.points(who).hp_max
        return held != (shown.initiative, shown.hp_max) or not self.writer.agrees(self.snapshot, shown)


def find_meant(command: Command, name: str) -> list[str]:
    """Find the combatants that a name in a command means, as the bot does: the one or all of a group whose whole name it is; else
    the only ones whose name contains it; else the only ones whom the command changed, or whose points its answer gives. If there
    are none, note a problem.
    """
    known, wanted = _members_by_name(command), normalize_text(name).strip("\"'").casefold()
    exact = [title for title in known if title.casefold() == wanted]
    partly = [title for title in known if wanted and wanted in title.casefold()]
    changed = [title for title in partly or known if all(map(command.has_changed, known[title]))]
    answered = [title for title in partly or known if answered_points(command.answers, title)]
    for found in (exact[:1], partly, changed, answered):
        if len(found) == 1:
            return known[found[0]]
    who = "several have that name, and no answer says which" if partly else "nobody in the fight has that name"
    command.writer.problem(command.row, f"means {make_word(name)!r}, but {who}")
    return []


def _members_by_name(command: Command) -> dict[str, list[str]]:
    """Map the name of each combatant, and of each group as the last state shows it, to ids; if two share a name, the first counts."""
    writer, shown = command.writer, command.snapshot or command.writer.seen.shown
    titled = [(title, slot) for title, slot in zip(shown.titles, shown.slots, strict=True)] if shown else []
    of_groups = {
        title: [who for one in slot if (who := writer.here(one.key))] for title, slot in titled if slot[0].group
    }
    return of_groups | {writer.name(who): [who] for who in reversed(writer.fight.order())}
