"""The folder of a Foundry VTT world, turned into facts: the combatants of one combat, and their rolls and acts in the chat.

Up to version 10 a world's documents are JSON lines, from 11 on a JSON file each, as the Foundry command unpacks them.
A world keeps only the present state of a combat and of hit points: neither turns nor changes of points are recorded. A
roll of damage is kept as a roll, because the world does not say whether it was applied.
"""

import html
import json
import re
from collections.abc import Iterable, Iterator
from math import floor
from pathlib import Path
from typing import Any, NamedTuple

from encounterlog.importers.games import PLAIN, Game
from encounterlog.importers.sources import Limits, read_lines
from encounterlog.importers.transcript import BadSource, Problem, Transcript
from encounterlog.importers.words import (
    as_object,
    list_objects,
    make_word,
    normalize_text,
    parse_moment,
    parse_number,
    parse_whole_number,
)
from encounterlog.importers.writing import (
    FREE_ROLL,
    Event,
    PrintedRoll,
    Row,
    Term,
    Writer,
    dice_fields,
    initiative_event,
    sum_of_kept,
)
from projections.rulesets.fifth_edition.figures import SHORT

LIMITS = Limits(line=64 << 20, lines=5_000_000, size=1 << 30)
LATEST = 250_000_000_000_000  # the last moment that is believed, in milliseconds: in the year 9892
MOST_FILES = 500_000  # the most files of one collection that are read

Document = dict[str, Any]


class _Message(NamedTuple):
    """A message of the chat: its moment in milliseconds (0 where it has none), its line or its number, and what it says."""

    moment: float
    line: int
    said: Document

    @property
    def at(self) -> str:
        return str(parse_moment(self.moment / 1000))

    @property
    def speaker(self) -> Document:
        return as_object(self.said.get("speaker"))

    @property
    def alias(self) -> str:
        return normalize_text(str(self.speaker.get("alias") or "a combatant"))

    def flags(self, name: str) -> Document:
        return as_object(as_object(self.said.get("flags")).get(name))

    @property
    def is_initiative(self) -> bool:
        return self.flags("core").get("initiativeRoll") is True


def _list_documents(folder: Path, name: str, problems: list[Problem]) -> list[tuple[int, Document]]:
    found: dict[str, tuple[int, Document]] = {}
    for number, text in _read_documents(folder, name):
        try:
            document = json.loads(text)
        except (ValueError, RecursionError):
            problems.append(Problem(number, f"of the {name} is not JSON"))
            continue
        key = document.get("_id") if isinstance(document, dict) else None
        if not isinstance(key, str):
            if not (isinstance(document, dict) and any(field.startswith("$$") for field in document)):
                problems.append(Problem(number, f"of the {name} has no '_id'"))
        elif document.get("$$deleted"):
            found.pop(key, None)
        else:
            found[key] = (number, document)
    return list(found.values())


def _read_documents(folder: Path, name: str) -> Iterable[tuple[int, str]]:
    for place in (folder, folder / "data"):
        if (file := place / f"{name}.db").is_file():
            return _decode_lines(file)
        if (place / name).is_dir() and (files := sorted((place / name).glob("*.json"))[:MOST_FILES]):
            return enumerate(("\n".join(text for _, text in _decode_lines(each)) for each in files), 1)
    return iter(())


def _decode_lines(file: Path) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(read_lines(file, LIMITS), 1):
        if line.strip():
            yield number, line.decode("utf-8-sig", errors="surrogateescape")


def _parse_roll(text: object) -> PrintedRoll | None:
    try:
        value = as_object(json.loads(text) if isinstance(text, str) else text)
    except (ValueError, RecursionError):
        return None
    kind = as_object(value.get("options")).get("type")
    terms = [*_terms_of_kind(list_objects(value.get("terms")), kind if isinstance(kind, str) else "")]
    exact = parse_number(value.get("total"))
    total = None if exact is None else floor(exact)
    if total is None or sum(term.amount for term in terms) != total:
        terms = [term for term in terms if term.dice]
    return PrintedRoll(terms, total) if terms or total is not None else None


def _terms_of_kind(terms: list[dict[str, Any]], kind: str) -> Iterator[Term]:
    sign = 1
    for term in terms:
        if term.get("operator") in ("+", "-"):
            sign = -1 if term["operator"] == "-" else 1
            continue
        flavor, dice = as_object(term.get("options")).get("flavor"), _parse_dice(term)
        number = parse_whole_number(term.get("number")) if term.get("class") == "NumericTerm" else None
        amount = sum_of_kept(dice) if dice else number
        if amount is not None:
            yield Term(sign * amount, dice, flavor if isinstance(flavor, str) else kind)
            sign = 1


def _parse_dice(term: dict[str, Any]) -> dict[str, Any] | None:
    results, faces = list_objects(term.get("results")), term.get("faces")
    shown = [parse_whole_number(one.get("result")) for one in results]
    if not results or None in shown or not isinstance(faces, int):
        return None
    modifiers = [one for one in term.get("modifiers") or [] if isinstance(one, str)]
    notation = f"{term.get('number', len(results))}d{faces}{''.join(modifiers)}"
    dropped = [place for place, one in enumerate(results) if one.get("active") is False]
    return {"notation": notation, "faces": shown} | ({"dropped": dropped} if dropped else {})


LACKS = "a world keeps neither turns nor changes of hit points: rolls are recorded, and the order as the combat has it"
_KINDS = {"spell": "cast", "weapon": "attack"}
_TAG = re.compile(r"<[^>]*>")
_ITEM = re.compile(r'data-item-id="([A-Za-z0-9]+)"')
_SPEC = re.compile(r"(?:^|\.)(Token|Actor)\.([A-Za-z0-9]{1,32})")


def read(source: Path, *, talk: bool = False, game: Game = PLAIN) -> Transcript:
    """Turn a world's folder into facts of a game, people's talk too if wanted; raise BadSource if it is none."""
    if not source.is_dir():
        raise BadSource("is not the folder of a world", "give the folder that has world.json, or its folder data")
    return _Pass(source, game, talk=talk).transcribe_all()


class _Pass:
    """One pass over the messages of one combat: the active one of the world, else the last that has combatants."""

    def __init__(self, folder: Path, game: Game, *, talk: bool) -> None:
        """Read a world's folder, or its folder `data`; raise BadSource if it has no chat messages or no combats."""
        self._talk, self._writer = talk, Writer(game)
        self._problems: list[Problem] = []
        names = ("combats", "actors", "messages")
        self._combats, actors, said = (_list_documents(folder, name, self._problems) for name in names)
        for name in [name for name, found in (("combats", self._combats), ("messages", said)) if not found]:
            for first in (each for each in self._problems if each.what.startswith(f"of the {name} ")):
                says = f"is damaged: line {first.line} {first.what}, and no other can be read"
                raise BadSource(says, "copy the world again, or take one of its backups")
            hint = f"the folder of a world has data/{name}.db or, unpacked, {name}/*.json"
            raise BadSource(f"has no {name}", hint)
        self._actors = {str(one["_id"]): one for _, one in actors}
        moments = ((parse_number(one.get("timestamp")) or 0.0, line, one) for line, one in said)
        self._messages = sorted(_Message(at if 0 <= at <= LATEST else 0.0, line, one) for at, line, one in moments)
        peopled = [one for one in self._combats if list_objects(one[1].get("combatants"))]
        if not peopled:
            raise BadSource("has no combat with combatants")
        self._line, self._combat = next((one for one in peopled if one[1].get("active") is True), peopled[-1])
        self._combatants = list_objects(self._combat["combatants"])
        self._tokens: dict[str, str] = {}
        self._of_actor: dict[str, list[str]] = {}
        self._acts: dict[str, int] = {}
        self._initiatives: dict[str, float] = {}
        self._left_out = 0

    def transcribe_all(self) -> Transcript:
        """Transcribe the combatants, then each message of the fight's time, then compare the order."""
        since, until = self._time_of_fight()
        messages = [one for one in self._messages if since <= one.moment <= until]
        first, last = ((messages or self._messages)[place]._replace(line=self._line) for place in (0, -1))
        self._join_combatants(first)
        for message in messages:
            self._transcribe_message(message)
        name, states = self._combat.get("name"), self._compare_order(last)
        title = make_word(name) if isinstance(name, str) and name else f"Combat {make_word(self._combat['_id'])}"
        for line, one in self._combats:
            if one is not self._combat:
                says = f"another combat, {make_word(one['_id'])}, is left out: a log holds one"
                self._problems.append(Problem(line, says))
        return self._writer.transcript(title, states, self._problems, left_out=self._left_out, begins=LACKS)

    def _time_of_fight(self) -> tuple[float, float]:
        stats = as_object(self._combat.get("_stats"))
        since, until = parse_number(stats.get("createdTime")), parse_number(stats.get("modifiedTime"))
        keys = [key for one in self._combatants for name in ("tokenId", "actorId") if (key := one.get(name))]
        rolls = (one for one in self._messages if one.is_initiative)
        rolled = [one.moment for one in rolls if any(one.speaker.get(name) in keys for name in ("token", "actor"))]
        since = min(rolled, default=0.0) if since is None else min([since, *rolled])
        return since, float("inf") if until is None else until

    def _join_combatants(self, row: Row) -> None:
        for one in self._combatants:
            actor = self._actors.get(str(one.get("actorId")), {})
            name = normalize_text(str(one.get("name") or actor.get("name") or "a combatant without a name"))
            who = self._writer.meet(str(one.get("_id")), name)
            self._writer.called[who] = name
            self._tokens[str(one.get("tokenId"))] = who
            self._of_actor.setdefault(str(one.get("actorId")), []).append(who)
            data = as_object(actor.get("system", actor.get("data")))  # the latter before version 10
            most = parse_whole_number(as_object(as_object(data.get("attributes")).get("hp")).get("max"))
            event: Event = {"type": "combatant_joined", "combatant": who, "name": make_word(name)}
            self._writer.add(row, event | {"sheet": {"hp_max": most} if most is not None and most > 0 else {}})
            if (found := parse_number(one.get("initiative"))) is not None:
                self._initiatives[who] = found

    def _find_combatant(self, token: object, actor: object) -> str | None:
        """Find a combatant by its token; another token of an actor is the same one only if that is a player's character."""
        if isinstance(token, str) and token in self._tokens:
            return self._tokens[token]
        own = self._actors.get(str(actor), {}).get("type") == "character"
        those = self._of_actor.get(str(actor), []) if own or not token else []
        return those[0] if len(those) == 1 else None

    def _transcribe_message(self, message: _Message) -> None:
        before, speaker, own = len(self._writer.facts), message.speaker, message.flags("dnd5e")
        texts = message.said.get("rolls") or [message.said.get("roll")]  # one only, up to version 9
        rolls = [roll for one in texts if (roll := _parse_roll(one))] if isinstance(texts, list) else []
        if speaker.get("token") or speaker.get("actor"):
            who = self._find_combatant(speaker.get("token"), speaker.get("actor"))
        else:
            named = [each for each, name in self._writer.called.items() if name == speaker.get("alias")]
            who = named[0] if len(named) == 1 else None
        uses = message.said.get("type") == "usage" or own.get("messageType") == "usage" or "use" in own
        if message.is_initiative and who and rolls:
            self._writer.place(message, {"type": "initiative_rolled", "combatant": who} | initiative_event(rolls[0]))
        elif rolls:
            for roll in rolls:
                self._add_roll(message, who, roll)
        elif who and uses and (item := self._item_of(message)):  # other messages only show an item
            action: Event = {"kind": _KINDS.get(str(item.get("type")), "other"), "name": make_word(item["name"])}
            action |= {"targets": targets} if (targets := self._targets_of(message)) else {}
            event = {"type": "action_taken", "combatant": who, "action": action}
            self._acts[str(message.said["_id"])] = self._writer.add(message, event)
        elif (said := _clean_text(message.said.get("content"))) and self._talk:
            self._writer.note(message, f"{message.alias}: {said}")
        elif said:
            self._left_out += 1
        if message.said.get("whisper") or message.said.get("blind"):
            facts = self._writer.facts
            facts[before:] = [one._replace(secret=True) for one in facts[before:]]

    def _add_roll(self, message: _Message, who: str | None, roll: PrintedRoll) -> None:
        own = message.flags("dnd5e")
        about, item = as_object(own.get("roll")), self._item_of(message) if who else None
        kind, name = about.get("type"), make_word(item["name"]) if item else ""
        cause = self._acts.get(str(own.get("originatingMessage")))
        if kind == "attack" and who:
            targets = self._targets_of(message)
            event: Event = {"type": "attack_rolled", "combatant": who} | ({"name": name} if name else {})
            event |= {"target": targets[0]} if len(targets) == 1 else {}
        elif kind in ("save", "death") and who:
            save = "death" if kind == "death" else str(about.get("abilityId") or about.get("ability") or "")
            event = {"type": "save_rolled", "combatant": who, "save": make_word(SHORT.get(save, save or "unnamed"))}
            event |= {"purpose": "death"} if kind == "death" else {}
        else:
            said = _clean_text(message.said.get("flavor")) or FREE_ROLL
            what = f"{kind} with {name}" if name and kind in ("damage", "healing") else said
            event = {"type": "dice_rolled", "purpose": make_word(what if who else f"{message.alias}: {what}")}
            event |= {"combatant": who} if who else {}
        self._writer.add(message, event | dice_fields(roll), cause=cause)

    def _targets_of(self, message: _Message) -> list[str]:
        found: list[str] = []
        for one in list_objects(message.flags("dnd5e").get("targets")):
            keys = dict(_SPEC.findall(str(one.get("uuid", ""))))
            who = self._find_combatant(keys.get("Token"), keys.get("Actor")) if keys else None
            found += [who] if who else []
        return list(dict.fromkeys(found))

    def _item_of(self, message: _Message) -> Document | None:
        about = [as_object(message.flags("dnd5e").get(name)) for name in ("item", "use", "roll")]
        ids = [each.get(key) for each in about for key in ("id", "itemId")]
        ids += _ITEM.findall(str(message.said.get("content", "")))
        items = list_objects(self._actors.get(str(message.speaker.get("actor")), {}).get("items"))
        known = (one for one in items if one.get("_id") is not None and one["_id"] in ids and one.get("name"))
        return next(known, None)

    def _compare_order(self, row: Row) -> int:
        writer, fight = self._writer, self._writer.fight
        events = [fact.event for fact in writer.facts]
        rolled = {event.get("combatant") for event in events if event["type"] == "initiative_rolled"}
        totals = {who: floor(exact) for who, exact in self._initiatives.items()}
        for who, total in totals.items():
            if who not in rolled or fight.initiative(who) != total:
                cause = None if who in rolled else row
                writer.repair(row, "order", f"{writer.name(who)} has initiative {total}", cause)
                writer.place(row, {"type": "initiative_rolled", "combatant": who, "total": total})
        order = sorted(totals, key=lambda who: -self._initiatives[who])
        for total in dict.fromkeys(totals.values()):
            level = [who for who in order if totals[who] == total]
            if [who for who in fight.order() if who in level] != level:
                writer.rule_tie(row, level, "the combat has them in this order")
        if order:
            everybody = [*order, *(who for who in fight.order() if who not in order)]
            writer.add(row, {"type": "checked", "values": {"order": everybody}})
        return len(order[:1])


def _clean_text(value: object) -> str:
    text = html.unescape(_TAG.sub(" ", value)) if isinstance(value, str) else ""
    return normalize_text(" ".join(text.split()))
