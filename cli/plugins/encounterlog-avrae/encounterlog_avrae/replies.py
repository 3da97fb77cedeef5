"""The bot's answers, and interactions: a message or a press of a button with its results and the bot's answer."""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from encounterlog.importers.words import as_object, list_objects, make_word, normalize_text
from encounterlog_avrae.printed import Printed, after_name, is_roll, parse_points
from encounterlog_avrae.rows import SourceRow

LATE = 4
"""The number of rows after a command in which the bot may still answer it."""

TURN = r"^\*\*Initiative -?\d+ \(round (?P<round>-?\d+)\)\*\*: (?P<name>.+?)(?: \(<@.*)?$"
"""The bot's announcement of a turn."""
_LIST = r"^```md\n.+ \(round -?\d+\)\n="
_POINTS = r"^.+: (?:<[^<>\n]*>|-?\d+/\d+)(?: \(.*\))?$"
DONE = {
    **dict.fromkeys(("init next", "init prev", "init move"), TURN),
    "init skipround": rf"{TURN}|{_LIST}",
    "init list": _LIST,
    "init reroll": r"^Rerolled initiative!",
    "init opt": r"^\N{WHITE HEAVY CHECK MARK} ",
    **{f"{group} hp{way}": _POINTS for group in ("init", "game") for way in ("", " mod", " set", " max")},
    **dict.fromkeys(("init thp", "game thp"), _POINTS),
    "init effect": r"^Added effect .+ to .+\.$|^Effect already exists\.$",
    "init re": r"^(?:Effect .+|All effects) removed from .+\.$",
    "game longrest": r" took a Long Rest!",
    "game shortrest": r" took a Short Rest!",
}
"""The bot's answers to commands that it has carried out."""

LOOKUPS = frozenset({"init list"})
"""The commands that change nothing; their answers do not count as answers to others."""

CLOCK = frozenset({"init next", "init prev", "init move", "init skipround", "init reroll"})
"""The commands that set the clock; the bot always answers them in public."""

_OUT_OF_TURN = re.compile(
    r"^(?:It is not your turn|There are no combatants|You do not control any combatants)\.$", re.MULTILINE
)
_REFUSED = re.compile(
    r"^(?:It is not your turn\.|There are no combatants\.|(?:Combatant|Combatant or group|Effect) not found\."
    r"|You (?:do not|don't|cannot|can't|must|need|are not) .+|No (?:valid options|matching|matches|effects) .+"
    r"|.+ (?:has no effects to remove|not removed from .+)\.|(?:Combatant|Combat) already exists\."
    r"|(?:This channel|Channel) is not in combat\.|(?:Timed out|Selection timed out|OK, cancelling).*"
    r"|(?:Error|Invalid|Incorrect usage)\b.*|\N{CROSS MARK} .+)$",
    re.MULTILINE,
)


_UNDONE = re.compile(
    r"^(?:\N{CROSS MARK} .+|(?:.+ not removed|No effects removed) from .+\.|.+ has no effects to remove\.)$",
    re.MULTILINE,
)
_REFUSED_WITH_STATE = {**dict.fromkeys(CLOCK, _OUT_OF_TURN), **dict.fromkeys(("init opt", "init re"), _UNDONE)}
"""The refusals of commands that the bot always answers in public, and of those for which it writes a state all the same."""


class Outcome(NamedTuple):
    """The outcome of a command: `done`, `refused` or only `tried`; with the answer, and its text."""

    verdict: str
    reply: SourceRow | None = None
    says: str = ""


def outcome_of(name: str, answers: list[SourceRow], *, committed: bool) -> Outcome:
    """Judge a command by the bot's answers; `committed` says that it led to a state, which is an answer, too.

    If it did, a refusal belongs to another command, unless the bot always answers such a command in public, or writes a
    state with a refusal, too.
    """
    done = re.compile(DONE[name], re.MULTILINE)
    refused = _REFUSED_WITH_STATE.get(name) if committed else _REFUSED
    texts = [(reply, reply_text(reply)) for reply in answers]
    if committed:
        texts.sort(key=lambda one: done.search(one[1]) is None)
    for reply, text in texts:
        if done.search(text):
            return Outcome("done", reply)
        if refused and (refusal := refused.search(text)):
            return Outcome("refused", reply, refusal.group())
    return Outcome("done" if committed else "tried")


def has_contradiction(reply: SourceRow, state: SourceRow) -> bool:
    """Say whether a message has a different turn or different points than a state, and so answers another command."""
    text, listed = reply_text(reply), normalize_text(state.body["human_readable"])
    given = re.search(r"^(?P<name>.+?):? <(?P<points>-?\d+/-?\d+ HP)>", text, re.MULTILINE)
    if given:
        line = rf"^(?:[# ] *-?\d+: | +- ){re.escape(given['name'])} <(?P<points>-?\d+/-?\d+ HP)>"
        held = re.search(line, listed, re.MULTILINE)
        return held is not None and held["points"] != given["points"]
    said = re.search(r"^\*\*Initiative (-?\d+) \(round (-?\d+)\)\*\*: ", text, re.MULTILINE)
    shown = re.search(r"^```md\n.*: (-?\d+) \(round (-?\d+)\)$", listed, re.MULTILINE)
    return bool(said and shown) and said.groups() != shown.groups()  # type: ignore[union-attr]


def reply_text(reply: SourceRow) -> str:
    """Return all text of a message, including embeds and their fields."""
    found = [str(reply.body.get("content", ""))]
    for embed in embeds(reply):
        found += [str(embed.get(name, "")) for name in ("title", "description")]
        found += [f"{one.get('name')}\n{one.get('value')}" for one in list_objects(embed.get("fields"))]
        found.append(embed_footer(embed))
    return normalize_text("\n".join(found))


def embeds(row: SourceRow) -> list[dict[str, Any]]:
    """List the embeds of a message."""
    return list_objects(row.body.get("embeds"))


def title_of(embed: dict[str, Any]) -> str:
    """Return the title of an embed; "" for none."""
    return normalize_text(str(embed.get("title", "")))


def embed_footer(embed: dict[str, Any]) -> str:
    """Return the text below an embed; "" for none."""
    return normalize_text(str(as_object(embed.get("footer")).get("text", "")))


def fields(embed: dict[str, Any], name: str | None = None) -> list[str]:
    """List the texts in the fields of an embed, or only in those with this name."""
    listed = list_objects(embed.get("fields"))
    return [
        normalize_text(str(one.get("value", "")))
        for one in listed
        if name is None or normalize_text(str(one.get("name"))) == name
    ]


# hit points, and what is counted


def points_after_name(reply: SourceRow, name: str) -> Printed | None:
    """Find the hit points that an answer gives after a whole name; None if it gives none, or only words."""
    pattern = r"^" + re.escape(name) + r":? <(?P<points>[^<>\n]*)>(?: \(\+(?P<temp>\d{1,15}) temp\))?"
    known: list[Printed] = []
    for found in re.finditer(pattern, reply_text(reply), re.MULTILINE):
        said = parse_points(found["points"])
        if said is not None and said.hp is not None:
            known.append(said._replace(temp=int(found["temp"])) if found["temp"] else said)
    return known[-1] if known else None


def answered_points(replies: list[SourceRow], name: str) -> tuple[Printed, SourceRow] | None:
    """Find the hit points under this name in the last answer which names any."""
    return next(((said, reply) for reply in reversed(replies) if (said := points_after_name(reply, name))), None)


FULL, EMPTY = "◉▣", "〇▢"
_COUNT = re.compile(
    r"^(?:`(?P<level>\d)`\s*|(?!\*\*)(?P<name>.+): )?"
    rf"(?:(?P<marks>[{FULL}{EMPTY}]+)|(?:\*\*Current Value\*\*: )?(?P<left>-?\d{{1,9}})(?:/\d{{1,9}})?)"
    r"(?: \((?P<change>[-+]\d{1,9})\))?$",
    re.MULTILINE,
)


class Count(NamedTuple):
    """A line that counts something: its resource, what is left, and the change, 0 for none."""

    resource: str
    left: int
    change: int


def counts_in(text: str, title: str = "") -> Iterator[Count]:
    """Yield what a text of the bot counts; a line that does not name its resource has that of the title."""
    for found in _COUNT.finditer(text):
        resource = f"level {found['level']} spell slot" if found["level"] else make_word(found["name"] or title)
        marks = found["marks"]
        left = sum(mark in FULL for mark in marks) if marks else int(found["left"])
        yield Count(resource, left, int(found["change"] or 0))


IN_FLIGHT = 12
"""The number of rows after a state that may hold a command which led to it under another id."""

_BUTTON = re.compile(r"^ieb:(?P<bearer>[^:]+):(?P<effect>[^:]+):")
"""The id of a button that an effect brings with it, in the bot's own ids."""
_TYPED_KINDS = ("attack", "cast")


class Typed(NamedTuple):
    """The input that started a run: its first word, its kind, and the effect whose button it was, or ""."""

    name: str
    kind: str
    effect: str = ""


class Interactions:
    """The rows of a recording by interaction, and the outcome of each command."""

    def __init__(self, rows: list[SourceRow]) -> None:
        self._rows = rows
        self._place = {row.line: place for place, row in enumerate(rows)}
        self._by_id: dict[str, list[SourceRow]] = defaultdict(list)
        for row in rows:
            if row.interaction:
                self._by_id[row.interaction].append(row)
        self._claimed: set[int] = set()
        self._announced: set[int] = set()
        self._outcomes: dict[int, Outcome] = {}
        judged = [row for row in rows if row.kind == "command" and row.body["command_name"] in DONE]
        for row in sorted(judged, key=lambda row: not self._states_of(row)):
            self._outcomes[row.line] = self._judge_command(row)

    def rows_of(self, interaction: str) -> list[SourceRow]:
        """List the rows of an interaction."""
        return self._by_id.get(interaction, [])

    def outcome_of_command(self, command: SourceRow) -> Outcome:
        """Return the outcome of a command; one that makes no facts is done."""
        return self._outcomes.get(command.line, Outcome("done"))

    def _judge_command(self, command: SourceRow) -> Outcome:
        """Judge a command by its states, and by answers that belong to no command with states and to no earlier one."""
        waiting = [row for row in self._rows_until_retyped(command) if row.by_bot]
        states = self._states_of(command)
        led = [row for row in states if row.line < command.line] or states
        if led:
            waiting = [row for row in waiting if not has_contradiction(row, led[-1])]
        found = outcome_of(command.body["command_name"], waiting, committed=bool(states))
        if found.reply is not None:
            self._claimed.add(found.reply.line)
        return found

    def _rows_until_retyped(self, command: SourceRow) -> Iterator[SourceRow]:
        """Yield the rows that may answer a command, up to where the same command is typed again."""
        for row in self.rows_of_command(command):
            if row.kind == "message" and row.line > command.line and row.interaction != command.interaction:
                names = [one.body["command_name"] for one in self.rows_of(row.interaction) if one.kind == "command"]
                if command.body["command_name"] in names:
                    return
            yield row

    def _states_of(self, command: SourceRow) -> list[SourceRow]:
        return [row for row in self.rows_of(command.interaction) if row.kind == "combat_state_update"]

    def rows_of_command(self, command: SourceRow) -> list[SourceRow]:
        """List the rows from a command to the last that may answer it, without answers to other commands."""
        related = self.rows_of(command.interaction) or [command]
        own = self.outcome_of_command(command).reply
        rows = self._rows[self._place[related[0].line] : self._place[command.line] + 1 + LATE]
        return [row for row in rows if row is own or row.line not in self._claimed]

    def answers_to(self, interaction: str) -> list[SourceRow]:
        """List the bot's messages during an interaction and shortly after, except answers to other people's commands."""
        related = self.rows_of(interaction)
        if not related:
            return []
        own = {reply.line for row in related if (reply := self.outcome_of_command(row).reply)}
        first, last = self._place[related[0].line], self._place[related[-1].line]
        said = [row for row in self._rows[first : last + 1 + LATE] if row.by_bot]
        return [row for row in said if row.line in own or row.line not in self._claimed]

    def command_of(self, state: SourceRow, done: set[int]) -> SourceRow | None:
        """Find the command that led to a state: the next of its interaction that is not done and was not refused."""
        for row in self.rows_of(state.interaction):
            if row.kind == "command" and row.line > state.line and not self._is_refused(row):
                return None if row.line in done else row
        return None

    def _is_refused(self, command: SourceRow) -> bool:
        return self.outcome_of_command(command).verdict == "refused"

    def messages_nearby(self, state: SourceRow) -> list[SourceRow]:
        """List what the bot said between the previous state and shortly after this one, in any interaction."""
        place = self._place[state.line]
        before = next((at for at in range(place - 1, -1, -1) if self._rows[at].kind == state.kind), 0)
        return [row for row in self._rows[before + 1 : place + 1 + IN_FLIGHT] if row.by_bot]

    def commands_in_flight(self, state: SourceRow, done: set[int]) -> Iterator[SourceRow]:
        """Yield the commands that the bot was carrying out when it wrote a state under another interaction's id.

        The id of a state is only a probable one. They were sent before it, ended after it, and have no state.
        """
        place = self._place[state.line]
        for row in self._rows[place + 1 : place + 1 + IN_FLIGHT]:
            if row.line in done or row.line not in self._outcomes or row.body["command_name"] in LOOKUPS:
                continue
            related = self.rows_of(row.interaction)
            stateless = related and all(one.kind != "combat_state_update" for one in related)
            if stateless and related[0].line < state.line and not self._is_refused(row):
                yield row

    def find_announcement(self, run: SourceRow, names: list[str]) -> SourceRow | None:
        """Find the message that announces a run: the first one after it whose title is about the caster, and no roll.

        A name that is the beginning of another does not match where the other one is.
        """
        name = normalize_text(str(as_object(run.body.get("caster")).get("name", "")))
        longer = tuple(other for other in names if other != name and other.startswith(name))
        after = self._place[run.line] + 1
        for row in self._rows[after : after + 2 * LATE]:
            for title in map(title_of, embeds(row)) if row.by_bot and row.line not in self._announced else ():
                said = after_name(title, name)
                if said and not is_roll(said) and not (longer and title.startswith(longer)):
                    self._announced.add(row.line)
                    return row
        return None

    def typed_input(self, run: SourceRow) -> Typed:
        """Return the typed or pressed input that started a run."""
        for row in self.rows_of(run.interaction):
            if row.kind == "button_press":
                found = _BUTTON.match(str(row.body.get("button_id", "")))
                label = normalize_text(str(row.body.get("button_label", "")))
                return Typed(label, "other", found["effect"] if found else "")
            if row.kind == "command":
                name = row.body["command_name"]
                words = normalize_text(row.body["content"]).split()[len(name.split()) :]
                return Typed(" ".join(words[:1]), next((one for one in _TYPED_KINDS if one in name), "other"))
        return Typed("", "other")

    def is_talk(self, message: SourceRow) -> bool:
        """Say whether a message is only people's talk, with no result."""
        return all(row.kind == "message" for row in self.rows_of(message.interaction))
