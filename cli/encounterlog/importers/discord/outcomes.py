"""The outcomes of an act, line by line as the bot prints them under the names of the combatants concerned."""

import re
from typing import Any

from encounterlog.importers.fireball.dice import parts, read_roll, thrown
from encounterlog.importers.fireball.replies import embeds
from encounterlog.importers.fireball.rows import SourceRow
from encounterlog.importers.fireball.snapshots import ShownEffect
from encounterlog.importers.fireball.titles import after_name, read_title
from encounterlog.importers.fireball.words import clean, objects, word
from encounterlog.importers.fireball.writer import Event, Writer

CONTINUED = "** **"
"""The name of a field that continues the text of the one before it."""
_DC = re.compile(r"^\*\*DC\*\*: (\d{1,3})$", re.MULTILINE)
_HIT = re.compile(r"^\*\*To Hit(?: \(AC (?P<ac>\d+)\))?\*\*: (?:(?P<roll>.+= `-?\d+`)|Automatic (?P<auto>hit|miss)!)$")
_SAVE = re.compile(r"^\*\*(?P<save>[A-Za-z]+) Save\*\*: (?P<roll>.+= `-?\d+`)(?:; (?P<result>Success|Failure)!)?$")
_ROLLED_CHECK = re.compile(
    r"^\*\*(?P<skill>[A-Za-z ]+) Check\*\*: (?P<roll>.+?= `-?\d+`)(?:; (?P<result>Success|Failure)!)?$"
)
_AMOUNT = re.compile(r"^\*\*(?P<what>Damage|Healing|THP)(?P<crit> \(CRIT!\))?\*\*: (?P<roll>.+= `-?\d+`)$")
_EFFECT = re.compile(r"^\*\*Effect\*\*: (?P<name>.+?)(?: \[(?P<length>[^\]]*)\])?(?: \((?P<more>.*)\))?$")
_PARENT = re.compile(r"(?:^|; )Parent: (?P<name>[^;]+)$")
_REMOVED = re.compile(r"^\*\*Removed Effect\*\*: (?P<name>.+)$")
_ROUNDS = re.compile(r"^(\d{1,6}) rounds?$")
_SAVES = {"str": "strength", "dex": "dexterity", "con": "constitution", "int": "intelligence"}
_SAVES |= {"wis": "wisdom", "cha": "charisma"}


class Act:
    """An announced act and its outcomes, each added with its cause."""

    def __init__(self, writer: Writer, row: SourceRow, embed: dict[str, Any]) -> None:
        self.writer, self.row, self.embed = writer, row, embed
        self.fields = _fields(embed)
        self.title = clean(str(embed.get("title", "")))
        names = sorted(writer.fight.order(), key=lambda one: -len(writer.name(one)))
        self.actor = next((one for one in names if after_name(self.title, writer.name(one)) is not None), None)
        self.dc = next((int(found[1]) for _, text in self.fields if (found := _DC.search(text))), None)
        self.means = ""
        self.cause: int | None = None

    def transcribe(self) -> None:
        """Add the act, if it is a combatant's, and the lines under each name."""
        if not any(_tells(text) for _, text in self.fields):
            return
        self._add_act()
        for name, text in self.fields:
            self.cause = self.writer.acts.get(self.row.line)
            for number, line in enumerate(found := text.split("\n")):
                self._add(self.writer.exactly(name), name, line, found[number + 1 :])

    def _add_act(self) -> None:
        said = after_name(self.title, self.writer.name(self.actor)) if self.actor else None
        read = read_title(said or "")
        self.means = read.means if read else ""
        targets = [who for name, _ in self.fields if (who := self.writer.exactly(name)) and who != self.actor]
        if self.row.line in self.writer.acts or self.actor is None or read is None:
            self._note_outsider()
            return
        action: Event = {"kind": read.kind, "name": word(read.name)} | ({"targets": targets} if targets else {})
        event: Event = {"type": "action_taken", "combatant": self.actor, "action": action}
        self.writer.acts[self.row.line] = self.writer.add(self.row, event)

    def _note_outsider(self) -> None:
        if self.row.line not in self.writer.acts and self.title:
            self.writer.acts[self.row.line] = self.writer.note(self.row, f"announced: {self.title}")

    def _add(self, who: str | None, name: str, line: str, rest: list[str]) -> None:
        """Add the facts of one line."""
        if hit := _HIT.match(line):
            self._attack(who, hit, rest)
        elif save := _SAVE.match(line):
            self._save(who, save)
        elif check := _ROLLED_CHECK.match(line):
            self._check(who, check)
        elif amount := _AMOUNT.match(line):
            self._amount(who, amount)
        elif effect := _EFFECT.match(line):
            self._effect(who, effect)
        elif removed := _REMOVED.match(line):
            held = [one for one in self.writer.fight.effects() if one.name == word(removed["name"])]
            ended = [one for one in held if one.bearer == (who or self.actor)] or (held if len(held) == 1 else [])
            self.writer.end_effects(self.row, ended, "removed", cause=self.writer.acts.get(self.row.line))
        elif line.startswith("**") and "= `" in line and name != "Meta":
            self.writer.problem(self.row, f"has a roll that is not read: {line[:60]}")

    def _attack(self, who: str | None, found: re.Match[str], rest: list[str]) -> None:
        if self.actor is None:
            return
        event: Event = {"type": "attack_rolled", "combatant": self.actor} | ({"target": who} if who else {})
        event |= {"name": self.writer.means(self.actor, word(self.means))} if self.means else {}
        event |= thrown(read_roll(found["roll"])) | ({"ac": int(found["ac"])} if found["ac"] else {})
        own = next((n for n, line in enumerate(rest) if _HIT.match(line)), len(rest))
        if "**Miss!**" in rest[:own] or found["auto"] == "miss":
            event["hit"] = False
        elif who and any(_AMOUNT.match(line) for line in rest[:own]):
            event["hit"] = True
        if any(one["crit"] for line in rest[:own] if (one := _AMOUNT.match(line))):
            event["critical"] = True
        self.cause = self.writer.add(self.row, event, cause=self.writer.acts.get(self.row.line))

    def _save(self, who: str | None, found: re.Match[str]) -> None:
        if who is None:
            return
        save = found["save"].casefold()
        event: Event = {"type": "save_rolled", "combatant": who, "save": _SAVES.get(save, save)}
        event |= thrown(read_roll(found["roll"])) | ({"dc": self.dc} if self.dc else {})
        event |= {"succeeded": found["result"] == "Success"} if found["result"] else {}
        self.cause = self.writer.add(self.row, event, cause=self.writer.acts.get(self.row.line))

    def _check(self, who: str | None, found: re.Match[str]) -> None:
        event: Event = {"type": "dice_rolled", "purpose": word(f"{found['skill'].casefold()} check")}
        event |= ({"combatant": who} if who else {}) | thrown(read_roll(found["roll"]))
        event |= {"succeeded": found["result"] == "Success"} if found["result"] else {}
        self.writer.add(self.row, event, cause=self.writer.acts.get(self.row.line))

    def _amount(self, who: str | None, found: re.Match[str]) -> None:
        roll = read_roll(found["roll"])
        if roll is None or roll.total is None:
            return
        if who is None:
            what = {"THP": "temporary hit points"}.get(found["what"], found["what"].casefold())
            self.writer.note(self.row, f"{abs(roll.total)} {what} at nobody in particular", about=self.cause)
            return
        more: Event = {"source": self.actor} if self.actor else {}
        if found["what"] == "THP":
            event: Event = {"type": "healed", "target": who, "amount": max(roll.total, 0), "temporary": True}
            self.writer.add(self.row, event | more | {"parts": parts(roll, "points")}, cause=self.cause)
            return
        sign = -1 if roll.total < 0 else 1
        more |= {"parts": parts(roll, "healing" if sign < 0 else "damage", sign)} if roll.terms else {}
        self.writer.hurt(self.row, who, roll.total, self.cause, **more)

    def _effect(self, who: str | None, found: re.Match[str]) -> None:
        if who is None:
            return
        rounds = _ROUNDS.match(found["length"] or "")
        name = found["name"]
        key = f"{self.row.line} {who} {name}"
        left = int(rounds[1]) if rounds else None
        parent = self._parent(_PARENT.search(found["more"] or ""))
        shown = ShownEffect(key, name, who, left, None, False, "", False, parent, None)
        self.writer.start_effect(self.row, who, shown, self.cause)

    def _parent(self, found: re.Match[str] | None) -> str:
        """Return the key of the parent of an effect: one of this name, the actor's before those of others."""
        named = [one for one in self.writer.fight.effects() if found and one.name == word(found["name"])]
        own = [one for one in named if one.bearer == self.actor]
        return self.writer.key_of((own or named)[-1]) if named else ""


def _tells(text: str) -> bool:
    return any(
        pattern.match(line)
        for line in text.split("\n")
        for pattern in (_HIT, _SAVE, _ROLLED_CHECK, _AMOUNT, _EFFECT, _REMOVED)
    )


def _fields(embed: dict[str, Any]) -> list[tuple[str, str]]:
    """List the fields of an embed with their names; those that go on with another are joined to it."""
    found: list[tuple[str, str]] = []
    for one in objects(embed.get("fields")):
        name, text = clean(str(one.get("name", ""))), clean(str(one.get("value", "")))
        if name == CONTINUED and found:
            before = found[-1][1]
            found[-1] = (found[-1][0], f"{before}{chr(10) if before.endswith('`') else ' '}{text}")
        else:
            found.append((name, text))
    return found


def transcribe_acts(writer: Writer, row: SourceRow) -> None:
    """Add the acts that a message announces, with their outcomes."""
    for embed in embeds(row):
        Act(writer, row, embed).transcribe()
