"""Each sentence of an import about an attack, spell, save, damage or healing, compared with the message that announces it."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from encounterlog.importers.transcript import Fact, Transcript
from encounterlog.importers.words import list_objects, normalize_text
from encounterlog.importers.writing import event_from
from encounterlog.words.facts import fact_sentence
from encounterlog_avrae.replies import embeds, reply_text
from encounterlog_avrae.rows import SourceRow, read_rows

VERBS = {"cast": "casts", "attack": "attacks with", "other": "uses"}
TOLD = ("action_taken", "attack_rolled", "save_rolled", "damage_dealt", "healed")


class Told(NamedTuple):
    """A fact with its place, its sentence, the names at that time, and the message that announces it, if one does."""

    place: int
    event: dict[str, Any]
    says: str
    names: dict[str, str]
    message: SourceRow | None


def told(transcript: Transcript, source: Path) -> Iterator[Told]:
    """Yield the facts of an import, each with the message of its act, or else its own."""
    rows = {row.line: row for row in read_rows(source).rows}
    names: dict[str, str] = {}
    announcing: dict[int, SourceRow] = {}
    for place, fact in enumerate(transcript.facts):
        names = names | renamed(fact)
        said = [rows[line] for line in fact.lines if rows[line].by_bot and (embeds(rows[line]) or len(fact.lines) == 1)]
        if fact.event["type"] in ("action_taken", "noted") and said:
            announcing |= dict.fromkeys(fact.lines, said[0])
        message = announcing.get(fact.lines[0]) or (said[0] if said else None)
        says = fact_sentence(event_from(fact.event), lambda who, known=names: known.get(who, who))  # type: ignore[misc]
        yield Told(place, fact.event, says, names, message)


def renamed(fact: Fact) -> dict[str, str]:
    """Return the names that a fact gives."""
    event = fact.event
    if event["type"] == "combatant_joined":
        return {event["combatant"]: event["name"]}
    given = event["values"] if event["type"] == "ruling_made" and "values" in event else {}
    return {address.removesuffix(".name"): one for address, one in given.items() if address.endswith(".name")}


def false_sentences(facts: Iterable[Told]) -> list[str]:
    """Return the sentences that name something else than the messages that announce them."""
    return [f"{one.place}: {one.says}: {why}" for one in facts if (why := wrong(one))]


def wrong(one: Told) -> str:
    """Return what is false about a sentence, if anything."""
    kind, event = one.event["type"], one.event
    if "somebody" in one.says or re.search(
        r"\b(?:does|casts|with) (?:attacks|casts|uses|goes|summons|becomes)\b", one.says
    ):
        return "names nobody, or has two verbs"
    if kind in ("damage_dealt", "healed") and not adds_up(event):
        return "its parts do not add up"
    if kind not in TOLD or one.message is None or not embeds(one.message):
        return ""
    return CHECKS[kind](one, one.message)


def adds_up(event: dict[str, Any]) -> bool:
    """Say whether the parts of an amount add up to it; one without parts does."""
    made = [part.get("amount") if part.get("dice") is None else kept(part["dice"]) for part in event.get("parts", [])]
    return not made or sum(made) == event["amount"]


def kept(dice: dict[str, Any]) -> int:
    """Add the faces of dice that were not dropped."""
    return sum(face for place, face in enumerate(dice["faces"]) if place not in dice.get("dropped", []))


def act(one: Told, message: SourceRow) -> str:
    """Compare an act with the title: its actor, its verb, its name; whom it is aimed at, with the fields."""
    title, action = normalize_text(str(embeds(message)[0].get("title", ""))), one.event["action"]
    actor, verb = one.names[one.event["combatant"]], VERBS.get(action["kind"], "")
    if not re.match(rf"^{re.escape(actor)} {verb}", title) or action["name"] not in title:
        return f"the title is {title!r}"
    if strangers := [who for who in action.get("targets", []) if one.names[who] not in titles(message)]:
        return f"{strangers} are not in the message"
    return ""


def titles(message: SourceRow) -> list[str]:
    """List the names of the fields of a message."""
    return [
        normalize_text(str(field.get("name")))
        for embed in embeds(message)
        for field in list_objects(embed.get("fields"))
    ]


CONTINUED = "** **"
"""The name of a field that goes on with the text of the one before it."""


def field(message: SourceRow, name: str | None) -> str:
    """Return the text under a name, with what goes on with it; without a name all of it."""
    found: list[str] = []
    under = ""
    for each in [one for embed in embeds(message) for one in list_objects(embed.get("fields"))]:
        title = normalize_text(str(each.get("name")))
        under = under if title == CONTINUED else title
        if name in (None, under):
            found.append(normalize_text(str(each.get("value"))))
    return " ".join(found)


def attack(one: Told, message: SourceRow) -> str:
    """Compare an attack roll with the line under its target."""
    event = one.event
    text = field(message, one.names[event["target"]] if "target" in event else None)
    shown = rf"\*\*To Hit\*\*:.*= `{event['total']}`" if "total" in event else r"\*\*To Hit\*\*: Automatic"
    if not re.search(shown, text):
        return f"no such roll in {text!r}"
    if "target" not in event and event.get("hit"):
        return "nobody was hit"
    return "" if event.get("hit") is not False or "**Miss!**" in text else "no miss was announced"


def save(one: Told, message: SourceRow) -> str:
    """Compare a save with the line under the one who makes it, or with the message that it is the title of."""
    name, event = one.names[one.event["combatant"]], one.event
    under = field(message, name)
    text = under if name in titles(message) else reply_text(message)
    result = {True: "Success!", False: "Failure!"}.get(event.get("succeeded"), "")  # type: ignore[arg-type]
    if "total" in event and not re.search(rf"= `{event['total']}`(?:; {result})?", text):
        return f"no such roll in {text!r}"
    return "" if name in reply_text(message) else "the message is about another"


def amount(one: Told, message: SourceRow) -> str:
    """Compare damage or healing with the line under the one who has it."""
    event, text = one.event, field(message, one.names[one.event["target"]])
    word = "THP" if event.get("temporary") else "Damage|Healing"
    sign = "-" if event["type"] == "healed" and not event.get("temporary") else ""
    rolled = re.search(rf"\*\*(?:{word})(?: \(CRIT!\))?\*\*:.*= `{sign}{event['amount']}`", text)
    up = f"is UP with {event['amount']} HP" in reply_text(message)
    return "" if rolled or up else f"no such amount in {text!r}"


CHECKS = {"action_taken": act, "attack_rolled": attack, "save_rolled": save, "damage_dealt": amount, "healed": amount}
