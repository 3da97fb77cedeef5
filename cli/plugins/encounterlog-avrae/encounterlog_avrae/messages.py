"""Facts found only in the bot's messages: rolls of people, saves and checks outside of automation, death saves, spell slots."""

import re
from typing import Any

from encounterlog.importers.words import make_word, normalize_text
from encounterlog.importers.writing import FREE_ROLL, Event
from encounterlog_avrae.printed import ARTICLE, PHRASE, is_roll, read_title, roll_fields
from encounterlog_avrae.replies import counts_in, embed_footer, embeds, fields, title_of
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


def _add_free_rolls(writer: Writer, row: SourceRow, people: dict[str, str]) -> None:
    """Add the rolls of a message; the bot counts those of several that reach the number to reach as successes."""
    text = normalize_text(row.body["content"]).strip()
    found = _ONE.match(text) or _SEVERAL.match(text)
    if found is None:
        return
    who = found["name"] or people.get(str(found["who"]), "a player")
    label = "" if found["label"] in (None, "Result") else found["label"]
    if found.re is _ONE:
        _add(writer, row, who, label, roll_fields(f"{found['roll']} = `{found['total']}`"))
        return
    for roll in map(roll_fields, found["rolls"].split("\n")):
        if "total" in roll:
            dc = int(found["dc"] or 0)
            judged = {"dc": dc, "succeeded": roll["total"] >= dc} if found["dc"] else {}
            _add(writer, row, who, label, roll | judged)


def add_inline_rolls(writer: Writer, row: SourceRow, asked: SourceRow, people: dict[str, str]) -> None:
    """Add the rolls of an answer to a message with dice in double brackets."""
    who = people.get(str(asked.body.get("author_id")), "a player")
    for line in normalize_text(row.body["content"]).split("\n"):
        if found := _INLINE.match(line.strip()):
            _add(writer, row, who, found["label"] or found["comment"] or "", roll_fields(found["roll"]))


def _add(writer: Writer, row: SourceRow, who: str, label: str, fields: dict[str, Any]) -> None:
    purpose = make_word(f"{FREE_ROLL} by {who}{f' ({label})' if label else ''}")
    writer.add(row, {"type": "dice_rolled", "purpose": purpose} | fields)


_ROLLED = re.compile(
    r"^(?P<who>.+?) makes an? (?P<what>.+?) (?P<kind>save|saving throw|check)\W*$", re.IGNORECASE | re.DOTALL
)
PURPOSES = {"death": "death", "concentration": "constitution"}
"""The saves that are named for their purpose, with the ability that they are rolled with."""
_DC = re.compile(r"^\W*DC\W*(?P<dc>\d{1,3})\W*$", re.MULTILINE)
_LINE = re.compile(r"^(?:\*\*[^*]+\*\*:?\s*)?(?P<roll>\S.*= `-?\d+`)(?:\s*;\s*(?P<result>Success|Failure)!?)?\W*$")
_DEATH_SAVE = re.compile(r"^(?P<how>succeeds|fails) a Death Save!$")
"""The bot's words for a death save that was counted and that it did not roll."""
_PHRASE = re.compile(r"^(?!takes a (?:Long|Short) Rest)(?:is|has|[a-z]+[^\Ws]s)\b")
"""The beginning of a title that says what a combatant does, as in "takes the Dodge action"."""
_RESULT = re.compile(r"^\W*(?P<result>Success|Failure)!\W*$", re.MULTILINE)
_REST = re.compile(r"^(?:took|takes) a (?P<kind>Long|Short) Rest!$")
_POINTS = re.compile(r"^<?(?P<hp>\d{1,9})/\d{1,9}")


def transcribe_answer(writer: Writer, row: SourceRow, people: dict[str, str]) -> None:
    """Add what a message of the bot shows: acts, rolls, slots, rests; `people` are the writers' names, by their ids."""
    for embed in embeds(row):
        who, said = writer.titled(title_of(embed))
        if who is not None and row.line not in writer.seen.acts:
            _add_act(writer, row, who, said)
        found = _ROLLED.match(title_of(embed))
        if found and found["what"].casefold() != "initiative":
            _add_rolls(writer, row, embed, found)
        if who is not None and said.startswith("casts"):
            _add_slots(writer, row, who, embed)
        if who is not None and (rest := _REST.match(said)):
            _add_rest(writer, row, who, rest["kind"].casefold(), embed)
    _add_free_rolls(writer, row, people)


def _add_act(writer: Writer, row: SourceRow, who: str, said: str) -> None:
    """Add an act that ran no automation."""
    if counted := _DEATH_SAVE.match(said):
        event: Event = {"type": "save_rolled", "combatant": who, "save": "death", "purpose": "death"}
        writer.add(row, event | {"succeeded": counted["how"] == "succeeds"})
        return
    act = read_title(said)
    if act and (act.kind != PHRASE or (_PHRASE.match(said) and not is_roll(said))):
        event = {"type": "action_taken", "combatant": who, "action": {"kind": act.kind, "name": make_word(act.name)}}
        writer.seen.acts[row.line] = writer.add(row, event)


def _add_rolls(writer: Writer, row: SourceRow, embed: dict[str, Any], title: re.Match[str]) -> None:
    """Add the rolls under a title, wherever in its text they stand, such as after a line with the number to reach."""
    texts = [normalize_text(str(embed.get("description", ""))), *fields(embed)]
    dc = next((int(found["dc"]) for text in texts if (found := _DC.search(text))), None)
    lines = [line.strip() for text in texts for line in text.split("\n")]
    rolls = [(roll_fields(found["roll"]), found["result"]) for line in lines if (found := _LINE.match(line))]
    rolls = [(roll, said) for roll, said in rolls if "die" in roll]
    alone = _RESULT.search("\n".join([*lines, embed_footer(embed)])) if len(rolls) == 1 else None
    for roll, said in rolls:
        result = said or (alone["result"] if alone else None)
        judged = ({} if dc is None else {"dc": dc}) | ({"succeeded": result == "Success"} if result else {})
        _add_roll(writer, row, embed_footer(embed), title, roll | judged)


def _add_roll(writer: Writer, row: SourceRow, footer: str, title: re.Match[str], roll: Event) -> None:
    """Add a save of a combatant, with what a death save gives back, or a roll of another kind."""
    who, what, kind = writer.exactly(title["who"]), make_word(title["what"].casefold()), title["kind"].casefold()
    if kind == "check" or who is None:
        whose = "" if who else f"{ARTICLE.sub(lambda one: one[0].lower(), title['who'])}'s "
        purpose = make_word(f"{whose}{title['what'].casefold()} {'check' if kind == 'check' else 'save'}")
        event: Event = {"type": "dice_rolled", "purpose": purpose} | ({"combatant": who} if who else {})
        writer.add(row, event | roll)
        return
    event = {"type": "save_rolled", "combatant": who, "save": PURPOSES.get(what, what)}
    index = writer.add(row, event | ({"purpose": what} if what in PURPOSES else {}) | roll)
    up, hp = re.search(r"is UP with (\d{1,9}) HP", footer), writer.fight.points(who).hp
    if what == "death" and up and hp is not None and int(up.group(1)) > hp:
        writer.hurt(row, who, hp - int(up.group(1)), cause=index)


def _add_slots(writer: Writer, row: SourceRow, who: str, embed: dict[str, Any]) -> None:
    """Add the spell slot that a casting used, from the number that the bot shows to be left."""
    for text in fields(embed, "Spell Slots"):
        count = next(counts_in(text), None)
        if count and writer.fight.left_of(who, count.resource) != count.left:
            writer.use(row, who, count.resource, -1, count.left, writer.seen.acts.get(row.line))


def _add_rest(writer: Writer, row: SourceRow, who: str, kind: str, embed: dict[str, Any]) -> None:
    """Add a rest, with the points and counters that it gives back, as far as it is known what was left."""
    noted = writer.note(row, f"{writer.name(who)} takes a {kind} rest")
    writer.seen.acts[row.line] = noted
    for text in fields(embed, "Hit Points"):
        if points := _POINTS.match(text):
            writer.set_hp(row, who, int(points["hp"]), "a rest", cause=noted)
    for text in (*fields(embed, "Spell Slots"), *fields(embed, "Reset Counters")):
        for count in counts_in(text):
            held = writer.fight.left_of(who, count.resource)
            if held is not None and held != count.left:
                writer.use(row, who, count.resource, count.left - held, count.left, noted)
