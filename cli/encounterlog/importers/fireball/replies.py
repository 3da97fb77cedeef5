"""The bot's answers to commands: whether a command was carried out, and for whom."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from encounterlog.importers.fireball.printed import Printed, points_in
from encounterlog.importers.fireball.rows import SourceRow
from encounterlog.importers.fireball.words import clean, objects

LATE = 4
"""The number of rows after a command in which the bot may still answer it."""

_TURN = r"^\*\*Initiative -?\d+ \(round -?\d+\)\*\*: "
_LIST = r"^```md\n.+ \(round -?\d+\)\n="
_POINTS = r"^.+: (?:<[^<>\n]*>|-?\d+/\d+)(?: \(.*\))?$"
DONE = {
    "init next": _TURN,
    "init prev": _TURN,
    "init move": _TURN,
    "init skipround": rf"{_TURN}|{_LIST}",
    "init list": _LIST,
    "init reroll": r"^Rerolled initiative!",
    "init opt": r"^\N{WHITE HEAVY CHECK MARK} ",
    "init hp": _POINTS,
    "init hp mod": _POINTS,
    "init hp set": _POINTS,
    "init hp max": _POINTS,
    "init thp": _POINTS,
    "init effect": r"^Added effect .+ to .+\.$|^Effect already exists\.$",
    "init re": r"^(?:Effect .+|All effects) removed from .+\.$",
    "game hp": _POINTS,
    "game hp mod": _POINTS,
    "game hp set": _POINTS,
    "game hp max": _POINTS,
    "game thp": _POINTS,
    "game longrest": r" took a Long Rest!",
    "game shortrest": r" took a Short Rest!",
}
"""The bot's answers to commands that it has carried out."""

UNDONE = {
    "init opt": r"^\N{CROSS MARK} .+",
    "init re": r"^(?:.+ not removed|No effects removed) from .+\.$|^.+ has no effects to remove\.$",
}
"""The bot's answers to commands that it has not carried out, although it writes a state."""

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
    texts = [(reply, reply_text(reply)) for reply in answers]
    first = next((reply for reply, text in texts if done.search(text)), None)
    if committed and first and name not in UNDONE:
        return Outcome("done", first)
    refused = _refusal(name, committed=committed)
    for reply, text in texts if refused else []:
        if done.search(text):
            return Outcome("done", reply)
        if refused and (refusal := refused.search(text)):
            return Outcome("refused", reply, refusal.group())
    return Outcome("done" if committed else "tried")


def _refusal(name: str, *, committed: bool) -> re.Pattern[str] | None:
    """Return the pattern of the bot's refusal of such a command."""
    if not committed:
        return _REFUSED
    if name in CLOCK:
        return _OUT_OF_TURN
    return re.compile(UNDONE[name], re.MULTILINE) if name in UNDONE else None


def contradicts(reply: SourceRow, state: SourceRow) -> bool:
    """Say whether a message has a different turn or different points than a state, and so answers another command."""
    text, listed = reply_text(reply), clean(state.body["human_readable"])
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
        found += [f"{one.get('name')}\n{one.get('value')}" for one in objects(embed.get("fields"))]
        footer = embed.get("footer")
        found.append(str(footer.get("text", "")) if isinstance(footer, dict) else "")
    return clean("\n".join(found))


def embeds(row: SourceRow) -> list[dict[str, Any]]:
    """List the embeds of a message."""
    return objects(row.body.get("embeds"))


def fields(embed: dict[str, Any], name: str | None = None) -> list[str]:
    """List the texts in the fields of an embed, or only in those with this name."""
    listed = objects(embed.get("fields"))
    return [clean(str(one.get("value", ""))) for one in listed if name is None or clean(str(one.get("name"))) == name]


# hit points


def points_named(reply: SourceRow, name: str) -> Printed | None:
    """Find the hit points that an answer gives after a whole name; None if it gives none, or only words."""
    pattern = r"^" + re.escape(name) + r":? <(?P<points>[^<>\n]*)>(?: \(\+(?P<temp>\d{1,15}) temp\))?"
    known: list[Printed] = []
    for found in re.finditer(pattern, reply_text(reply), re.MULTILINE):
        said = points_in(found["points"])
        if said is not None and said.hp is not None:
            known.append(said._replace(temp=int(found["temp"])) if found["temp"] else said)
    return known[-1] if known else None


def answered_points(replies: list[SourceRow], name: str) -> tuple[Printed, SourceRow] | None:
    """Find the hit points under this name in the last answer which names any."""
    return next(((said, reply) for reply in reversed(replies) if (said := points_named(reply, name))), None)


# prompts

_OPTION = re.compile(r"^\*\*\[(?P<number>\d+)\]\*\* - (?P<text>.*)$", re.MULTILINE)


def chosen(rows: list[SourceRow], author: object) -> Iterator[str]:
    """Yield, in order, the entries that a user picked from the bot's lists."""
    options: dict[str, str] = {}
    for row in rows:
        if row.by_bot and (listed := _options(row)):
            options |= listed
        elif options and row.kind == "message" and not row.by_bot and row.body.get("author_id") == author:
            said = row.body["content"].strip().casefold()
            if said in options:
                yield options[said]
            if said in options or said == "c":
                options = {}


def _options(row: SourceRow) -> dict[str, str]:
    asks = [one for one in embeds(row) if one.get("title") == "Multiple Matches Found"]
    texts = [clean(str(one.get("description", ""))) for one in asks]
    return {found["number"]: found["text"].strip() for text in texts for found in _OPTION.finditer(text)}
