"""Facts found only in the bot's messages: rolls of people, saves and checks outside of automation, death saves, spell slots."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from encounterlog.importers.words import clean, word
from encounterlog.importers.writing import FREE_ROLL, Event, thrown
from encounterlog_avrae.printed import PHRASE, after_name, is_roll, read_roll, read_title
from encounterlog_avrae.replies import embeds, fields
from encounterlog_avrae.rows import SourceRow
from encounterlog_avrae.writer import Writer

_WHO = r"^(?:<@!?(?P<who>\d+)>|@(?P<name>[^\n]+?))"
_ONE = re.compile(
    _WHO + r"\s+(?::game_die:|\U0001f3b2)\s*\n\*\*(?P<label>.+?)\*\*: (?P<roll>.+)\n\*\*Total\*\*: (?P<total>-?\d+)\s*$"
)
_SEVERAL = re.compile(
    _WHO
    + r"\s*\n(?:(?P<label>[^\n]+): )?Rolling \d+ iterations(?:, DC (?P<dc>\d{1,3}))?\.\.\.\n(?P<rolls>.+)\n[^\n]*\d+ total\.\s*$",
    re.DOTALL,
)
_INLINE = re.compile(
    r"^(?:\*\*(?P<label>[^*\n]+)\*\*: |.*\((?:(?P<comment>[^():]+): )?)(?P<roll>[-(]*\d*d\d.*= `-?\d+`)(?:\).*)?$"
)


def add_free_rolls(writer: Writer, row: SourceRow, people: dict[str, str]) -> None:
    """Add the rolls of a message; `people` are the writers' names, by their ids."""
    text = clean(row.body["content"]).strip()
    found = _ONE.match(text) or _SEVERAL.match(text)
    if found is None:
        return
    who = found["name"] or people.get(str(found["who"]), "a player")
    label = "" if found["label"] in (None, "Result") else found["label"]
    for rolled in _one(found) if "roll" in found.groupdict() else _several(found):
        _add(writer, row, who, label, rolled)


def add_inline_rolls(writer: Writer, row: SourceRow, asked: SourceRow, people: dict[str, str]) -> None:
    """Add the rolls of an answer to a message with dice in double brackets."""
    who = people.get(str(asked.body.get("author_id")), "a player")
    for line in clean(row.body["content"]).split("\n"):
        if found := _INLINE.match(line.strip()):
            _add(writer, row, who, found["label"] or found["comment"] or "", thrown(read_roll(found["roll"])))


def asks_inline(row: SourceRow) -> bool:
    """Say whether a message has dice in double brackets, which the bot answers."""
    return "[[" in row.body["content"]


def _add(writer: Writer, row: SourceRow, who: str, label: str, fields: dict[str, Any]) -> None:
    purpose = word(f"{FREE_ROLL} by {who}{f' ({label})' if label else ''}")
    writer.add(row, {"type": "dice_rolled", "purpose": purpose} | fields)


def _one(found: re.Match[str]) -> Iterator[dict[str, Any]]:
    yield thrown(read_roll(f"{found['roll']} = `{found['total']}`"))


def _several(found: re.Match[str]) -> Iterator[dict[str, Any]]:
    """Yield the rolls, a line each, with the number to reach: the bot counts those that reach it as successes."""
    dc = None if found["dc"] is None else int(found["dc"])
    for rolled in (thrown(read_roll(line)) for line in found["rolls"].split("\n")):
        if "total" in rolled:
            yield rolled | ({} if dc is None else {"dc": dc, "succeeded": rolled["total"] >= dc})


_ROLLED = re.compile(
    r"^(?P<who>.+?) makes an? (?P<what>.+?) (?P<kind>save|saving throw|check)\W*$", re.IGNORECASE | re.DOTALL
)
_ARTICLE = re.compile(r"^An? ")
PURPOSES = {"death": "death", "concentration": "constitution"}
"""The saves that are named for their purpose, with the ability that they are rolled with."""
_DC = re.compile(r"^\W*DC\W*(?P<dc>\d{1,3})\W*$", re.MULTILINE)
_LINE = re.compile(r"^(?:\*\*[^*]+\*\*:?\s*)?(?P<roll>\S.*= `-?\d+`)(?:\s*;\s*(?P<result>Success|Failure)!?)?\W*$")
_DEATH_SAVE = re.compile(r"^(?P<how>succeeds|fails) a Death Save!$")
"""The bot's words for a death save that was counted and that it did not roll."""
_PHRASE = re.compile(r"^(?!takes a (?:Long|Short) Rest)(?:is|has|[a-z]+[^\Ws]s)\b")
"""The beginning of a title that says what a combatant does, as in "takes the Dodge action"."""
_RESULT = re.compile(r"^\W*(?P<result>Success|Failure)!\W*$", re.MULTILINE)
_SLOTS = re.compile(r"`(?P<level>\d)`\s*(?P<marks>[\u25c9\u3007\u25a3\u25a2]+)")
_SLOTS_LEFT = "\u25c9\u25a3"


def transcribe_answer(writer: Writer, row: SourceRow, people: dict[str, str]) -> None:
    """Add the rolls that a message of the bot shows; `people` are the writers' names, by their ids."""
    for embed in embeds(row):
        title = clean(str(embed.get("title", "")))
        if row.line not in writer.seen.acts:
            _add_act(writer, row, title)
        found = _ROLLED.match(title)
        if found and found["what"].casefold() != "initiative":
            _add_rolls(writer, row, embed, found)
        for text in fields(embed, "Spell Slots"):
            _add_slots(writer, row, embed, text)
    add_free_rolls(writer, row, people)


def _add_act(writer: Writer, row: SourceRow, title: str) -> None:
    """Add an act that ran no automation."""
    for who in sorted(writer.fight.order(), key=lambda one: -len(writer.name(one))):
        said = after_name(title, writer.name(who))
        if said is None:
            continue
        if counted := _DEATH_SAVE.match(said):
            event: Event = {"type": "save_rolled", "combatant": who, "save": "death", "purpose": "death"}
            writer.add(row, event | {"succeeded": counted["how"] == "succeeds"})
            return
        act = read_title(said)
        if act and (act.kind != PHRASE or (_PHRASE.match(said) and not is_roll(said))):
            event = {"type": "action_taken", "combatant": who}
            writer.seen.acts[row.line] = writer.add(row, event | {"action": {"kind": act.kind, "name": word(act.name)}})
        return


class _Shown(NamedTuple):
    """The parts of a roll other than its dice that a message shows: the number to reach, and the result; None if it does not."""

    dc: int | None
    succeeded: bool | None

    def stated(self) -> Event:
        """Return the fields of a roll fact."""
        return {name: one for name, one in (("dc", self.dc), ("succeeded", self.succeeded)) if one is not None}


def _add_rolls(writer: Writer, row: SourceRow, embed: dict[str, Any], title: re.Match[str]) -> None:
    """Add the rolls under a title, wherever in its text they stand, such as after a line with the number to reach."""
    texts = [clean(str(embed.get("description", ""))), *fields(embed)]
    dc = next((int(found["dc"]) for text in texts if (found := _DC.search(text))), None)
    lines = [line.strip() for text in texts for line in text.split("\n")]
    rolls = [(thrown(read_roll(found["roll"])), found["result"]) for line in lines if (found := _LINE.match(line))]
    rolls = [(rolled, said) for rolled, said in rolls if "die" in rolled]
    alone = _RESULT.search("\n".join([*lines, _footer(embed)])) if len(rolls) == 1 else None
    for rolled, said in rolls:
        result = said or (alone["result"] if alone else None)
        _add_roll(writer, row, embed, title, rolled | _Shown(dc, result == "Success" if result else None).stated())


def _add_roll(writer: Writer, row: SourceRow, embed: dict[str, Any], title: re.Match[str], roll: Event) -> None:
    who, what = writer.exactly(title["who"]), title["what"].casefold()
    if title["kind"].casefold() != "check" and who is not None:
        _add_save(writer, row, embed, who, word(what), roll)
        return
    kind = "check" if title["kind"].casefold() == "check" else "save"
    whose = "" if who else f"{_ARTICLE.sub(lambda one: one[0].lower(), title['who'])}'s "
    event: Event = {"type": "dice_rolled", "purpose": word(f"{whose}{what} {kind}")}
    writer.add(row, event | ({"combatant": who} if who else {}) | roll)


def _footer(embed: dict[str, Any]) -> str:
    footer = embed.get("footer")
    return clean(str(footer.get("text", ""))) if isinstance(footer, dict) else ""


def _add_save(writer: Writer, row: SourceRow, embed: dict[str, Any], who: str, save: str, roll: Event) -> None:
    purpose = {"purpose": save} if save in PURPOSES else {}
    event: Event = {"type": "save_rolled", "combatant": who, "save": PURPOSES.get(save, save)} | purpose | roll
    index = writer.add(row, event)
    up = re.search(r"is UP with (\d{1,9}) HP", _footer(embed))
    hp = writer.points(who).hp
    if save == "death" and up and hp is not None and int(up.group(1)) > hp:
        writer.hurt(row, who, hp - int(up.group(1)), cause=index)


def _add_slots(writer: Writer, row: SourceRow, embed: dict[str, Any], text: str) -> None:
    """Add the spell slot that a casting used, from the number that the bot shows to be left."""
    title, found = clean(str(embed.get("title", ""))), _SLOTS.search(text)
    who = next((one for one in writer.fight.order() if title.startswith(f"{writer.name(one)} casts")), None)
    if who is None or found is None:
        return
    resource, left = f"level {found['level']} spell slot", sum(found["marks"].count(mark) for mark in _SLOTS_LEFT)
    if writer.fight.left_of(who, resource) != left:
        writer.use(row, who, resource, -1, left, writer.seen.acts.get(row.line))
