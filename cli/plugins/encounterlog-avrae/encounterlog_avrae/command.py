"""A command: the typed words, split as the bot splits them, the combatants that it names, and the bot's answer."""

from typing import NamedTuple

from encounterlog.importers.words import as_object, make_sentence, make_word, normalize_text
from encounterlog_avrae.replies import Outcome, chosen_entries, points_after_name, reply_text
from encounterlog_avrae.rows import SourceRow
from encounterlog_avrae.snapshots import ShownCombatant, Snapshot
from encounterlog_avrae.writer import Writer

QUOTES = dict(zip("\"'‘‚“„⹂「『〝﹁﹃＂｢«‹《〈", "\"'’‛”‟⹂」』〞﹂﹄＂｣»›》〉", strict=True))
"""The opening quotation marks, with their closing ones."""

_ALL = frozenset(QUOTES) | frozenset(QUOTES.values())
_APOSTROPHES = frozenset("'’")
_WITHOUT_VALUE = frozenset({"-i", "-h", "-v"})


def split_words(text: str) -> list[str]:
    """Split a command into words; quotes keep words together, unless one is never closed."""
    found: list[str] = []
    place = 0
    while place < len(text):
        if text[place].isspace():
            place += 1
            continue
        word = _read_word(text, place)
        if word is None:
            return text.split()
        found.append(word.text)
        place = word.end
    return found


class _Word(NamedTuple):
    text: str
    end: int


def _read_word(text: str, place: int) -> _Word | None:
    """Read one word, up to the next space; None if a quotation does not end.

    A quotation may begin and end within a word; an apostrophe within a word begins none.
    """
    close = QUOTES.get(text[place], "")
    held = "" if close else text[place]
    allowed = {text[place], close} if close else _ALL
    place += 1
    while place < len(text):
        now, after = text[place], text[place + 1 : place + 2]
        if now == "\\" and after in allowed and after:
            held, place = held + after, place + 2
        elif not close and now in _ALL and now not in _APOSTROPHES:
            close = QUOTES.get(now, now)
            allowed, place = {now, close}, place + 1
        elif close and now == close:
            if not after or after.isspace():
                return _Word(held, place + 1)
            close, allowed, place = "", _ALL, place + 1
        elif now.isspace() and not close:
            return _Word(held, place + 1)
        else:
            held, place = held + now, place + 1
    return None if close else _Word(held, place)


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

    def last_value(self, name: str) -> str | None:
        """Return the last value given for an option, which is the one that counts."""
        found = self.values_of(name)
        return found[-1] if found else None


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
    def author(self) -> object:
        """The id of the one who typed the command."""
        return self.row.body.get("author_id")

    @property
    def options(self) -> Options:
        """The options among the words."""
        return Options(self.words)

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


def find_meant(command: Command, name: str) -> str | None:
    """Find the one combatant that a command names; if there is none, note a problem."""
    found = _match_name(command, name, _combatants_by_name(command))
    return found[0] if found else None


def find_all_meant(command: Command, name: str) -> list[str]:
    """Find the combatants that a name in a command means: one, or all of a group; if there is none, note a problem."""
    return _match_name(command, name, _groups_by_name(command) | _combatants_by_name(command))


def _match_name(command: Command, name: str, known: dict[str, list[str]]) -> list[str]:
    """Find a name as the bot does: the whole name, else the only one that contains it, else the one that was picked."""
    wanted = normalize_text(name).strip("\"'").casefold()
    exact = [title for title in known if title.casefold() == wanted]
    partly = [title for title in known if wanted and wanted in title.casefold()]
    if exact or len(partly) == 1:
        return known[(exact or partly)[0]]
    options = (one if one in known else one.partition(" <")[0] for one in chosen_entries(command.span, command.author))
    asked = [one for one in options if one in known]  # hit points follow the names
    picked = next((one for one in asked if wanted in one.casefold()), next(iter(asked), None))
    picked = picked or _named_in_answer(command, partly or list(known))
    if picked is None:
        who = "several have that name, and no answer says which" if partly else "nobody in the fight has that name"
        command.writer.problem(command.row, f"means {make_word(name)!r}, but {who}")
        return []
    return known[picked]


def _combatants_by_name(command: Command) -> dict[str, list[str]]:
    """Map the names in the fight to ids; if two share a name, the first counts."""
    return {command.writer.name(who): [who] for who in reversed(command.writer.fight.order())}


def _groups_by_name(command: Command) -> dict[str, list[str]]:
    """Map the name of each group to its members, as the last state shows them."""
    shown = command.snapshot or command.writer.seen.shown
    titled = zip(shown.titles, shown.slots, strict=True) if shown else []
    groups = [(title, slot) for title, slot in titled if slot[0].group]
    return {title: [who for one in slot if (who := command.writer.here(one.key))] for title, slot in groups}


def _named_in_answer(command: Command, among: list[str]) -> str | None:
    """Return the only one of these whom the answer to the command is about."""
    if command.outcome.reply is None:
        return None
    reply = command.outcome.reply
    text = f"\n{reply_text(reply)}\n"
    found = [one for one in among if points_after_name(reply, one) or any(f"{a}{one}{b}" in text for a, b in _ABOUT)]
    found = [one for one in found if not any(one != other and one in other for other in found)]
    return found[0] if len(found) == 1 else None


_ABOUT = (
    ("\n", ": <"),
    (" removed from ", "."),
    (" to ", ".\n"),
    ("✅ ", "'s "),
    ("✅ ", " added to "),
    ("**: ", " (<@"),
)
"""The text before and after a name in an answer that is about that combatant."""


def find_slot(command: Command, name: str) -> list[str] | None:
    """Find the slot of a combatant or of a group by its printed name."""
    known = _groups_by_name(command) | _combatants_by_name(command)
    members = next((held for title, held in known.items() if title.casefold() == name.casefold() and held), None)
    return next((slot for slot in command.writer.fight.slots() if members and members[0] in slot), None)
