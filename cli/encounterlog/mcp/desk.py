"""A desk: a campaign as one assistant may see and write it. Everything is asked of the endpoints of the service, in this process, so that
rights and withholding are theirs.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec import to_builtins
from starlette.responses import Response

from encounterlog.ask import Question, question_named
from encounterlog.ask.may import describe_choice, find_choices
from encounterlog.forks import Fork
from encounterlog.log.appending import drafts_of
from encounterlog.log.logs import LogView, replay_log
from encounterlog.places.shelves import Shelf
from encounterlog.places.tokens import Token
from encounterlog.service import reading, writing
from encounterlog.service.calls import Call, Service
from encounterlog.service.problems import Problem, problem_of
from encounterlog.service.settings import Limits, Settings
from encounterlog.words.naming import make_voice
from eventstore.events import TAGS, CombatantJoined, DiceDrawn, DiceRolled, Noted, SheetChanged
from eventstore.form import REFERENCE_FIELDS
from eventstore.record import Recorded, upcast
from eventstore.wording import visible
from projections.language.notation.names import folded
from projections.language.table import NUMBERS
from projections.open_types import Fields, Json
from projections.stream.game_words import game_words

MOST_FACTS = 50  # the most facts that are recorded at once
LONGEST, MOST_CHARACTERS, MOST_ROWS = 1200, 24_000, 100
"""The longest text in an answer, the most characters of a whole answer, and the most rows of a list."""
JSON, LINES = {"content-type": "application/json"}, {"content-type": "application/x-ndjson"}


def token_of(role: str) -> Token:
    """Return the token of a role: gm, spectator, player:ana or player:ana,bo; raise Problem for anything else."""
    kind, _, names = role.partition(":")
    combatants = tuple(filter(None, names.split(",")))
    if kind in ("gm", "spectator") and not names:
        return Token("mcp", "", "gm" if kind == "gm" else "spectator", by=kind)
    if kind == "player" and combatants:
        return Token("mcp", "", "player", combatants=combatants, by=combatants[0], writes=True)
    raise Problem("bad-request", f"'{visible(role)[:60]}' is no role", "gm, player:NAME or spectator")


class Desk:
    """A campaign for the holder of a token."""

    def __init__(self, shelf: Shelf, token: Token) -> None:
        self.service, self.token = Service(shelf, Settings(limits=Limits(word=0))), token

    def call(self, name: str, asked: Fields | None = None, body: Json = None, key: str = "") -> Call:
        """Return a request to the service about an encounter; a list is a body of JSON lines."""
        is_lines = isinstance(body, list)
        sent = b"\n".join(map(msgspec.json.encode, body)) if is_lines else msgspec.json.encode(body)
        headers = (LINES if is_lines else JSON) | ({"idempotency-key": key} if key else {})
        return Call(self.service, self.token, (self.token,), name, {"name": name}, asked or {}, headers, "", sent)

    def page(self, asked: Question, name: str, given: Fields) -> list[str]:
        """Return the answer to a question as its command prints it, without styles."""
        call = self.call(name, given)
        with call.hold_alone() as seen:
            return [*map(str, asked.ask(seen, **reading.question_fields(asked, call)).lines())]

    def log(self, name: str, after: int = 0, **given: Json) -> Fields:
        """Return the facts of a log after a record as sentences, each with its number."""
        call, found, asked = self.call(name, given), list[Any](), question_named("log")
        with call.hold_alone() as seen:
            asked.ask(seen, found.append, **reading.question_fields(asked, call))
            if seen.problem:
                raise seen.problem
        marks = ((each, f" ({each.note})" if each.note else "") for each in found if each.seq > after)
        return {"facts": [f"{each.seq}  {each.words}{mark}" for each, mark in marks]}

    def state(self, name: str, **given: Json) -> Fields:
        """Return the state of a fight in short, or all of it."""
        call = self.call(name, given)
        with call.hold_alone() as seen:
            whole: Fields = msgspec.json.decode(reading.show_reply(call, seen).body)
        return whole if given.get("all") else dict(_shorten_state(whole))

    def audit(self, name: str, **given: Json) -> Fields:
        """Return the findings in words, and what was recorded although nobody had said it."""
        call = self.call(name, given)
        with call.hold_alone() as seen:
            found = question_named("audit").ask(seen, **reading.question_fields(question_named("audit"), call)).data()
            loose = [f"{seq}: {what}" for seq, what in unstated_parts(seen.records)]
        missing = msgspec.to_builtins(found.missing) if found.missing else []
        return {"findings": _shorten_findings(found.findings), "unstated": loose, "missing": missing}

    def say(self, name: str, line: str, *, secret: bool = False, key: str = "") -> Fields:
        """Record a line of the language, or answer its question."""
        return self._report(name, writing.tell_lines(self.call(name, {}, {"line": line, "secret": secret}, key)))

    def record(self, name: str, facts: Sequence[Fields], said: str, *, secret: bool = False, key: str = "") -> Fields:
        """Record facts behind a note with the words of the table, which causes them."""
        stated = [*_put_behind_note(facts, said)]
        body = [{"event": each, "secret": True} for each in stated] if secret else stated
        return self._report(name, writing.append_records(self.call(name, {}, body, key)))

    def _report(self, name: str, reply: Response) -> Fields:
        told: Fields = msgspec.json.decode(reply.body)
        if "proposed" in told:
            says = "this does something to others, and a player's assistant does not record that"
            raise Problem("forbidden", says, "ask the game master to record it")
        if "first" not in told:
            return {"answer": told["echo"]}
        found = {"seq": told["last"], "again": told["again"], "findings": _shorten_findings(told["findings"])}
        try:
            echo = told.get("echo") or self.log(name, told["first"] - 1)["facts"]
            found["recorded"] = [each for each in echo if not MOVES.match(each)]
            found["clock"] = [each for each in echo if MOVES.match(each)]
            found["rolled"] = [each.strip() for each in told.get("rolled", ())]
            with self.call(name).hold_alone() as seen:
                found |= dict(_standing_parts(seen))
                found["unstated"] = [what for seq, what in unstated_parts(seen.records) if seq >= told["first"]]
        except Exception as error:  # noqa: BLE001 – the facts are written, and an error would say otherwise
            found["written_but"] = problem_of(error, name).detail
        return {key: value for key, value in found.items() if value not in ("", [], False)}

    def preview(self, name: str, line: str = "", facts: Sequence[Fields] = ()) -> Fields:
        """Return what a line or facts would record, and the findings that facts would raise; nothing is written."""
        if bool(line) == bool(facts):
            raise Problem("bad-request", "either a line or facts are previewed", field="line")
        if line:
            told: Fields = msgspec.json.decode(writing.tell_lines(self.call(name, {"dry": True}, {"line": line})).body)
            if "facts" not in told:
                return {"answer": told["echo"]}
            facts = told["facts"]
        call = self.call(name, {}, [*facts])
        lines = writing.facts_in_body(call)
        with call.hold_alone() as seen:
            events = [upcast(each.event) for each in drafts_of(seen, lines)]
            found = Fork(seen.records).would(events)
            says = writing.fact_sentences(seen, events)
            return {"would_record": says, "findings": _shorten_findings(found)} | ({"facts": facts} if line else {})


MOVES = re.compile(r"\s*(\d+  clock: |the clock stays)")  # the beginning of a line about a move of the clock


def _put_behind_note(facts: Sequence[Fields], said: str) -> Iterator[Fields]:
    if not 0 < len(facts) <= MOST_FACTS:
        says = f"{len(facts)} facts at once, 1 to {MOST_FACTS} are recorded"
        raise Problem("too-large", says, "record them in parts")
    if not said.strip():
        hint = "the words that the table used, as they were spoken"
        raise Problem("bad-request", "said is empty", hint, field="said")
    yield {"type": "noted", "text": f"{SAID}{' '.join(said.split())}"}
    for place, fact in enumerate(facts):
        if not isinstance(fact, dict):
            raise Problem("bad-request", "facts: each is an object", 'such as {"type":"damage_dealt",…}', field="facts")
        known = getattr(TAGS.get(str(fact.get("type"))), "__struct_fields__", ())
        own = {"cause": -place - 1} if "cause" in known and "cause" not in fact else {}
        back = {name: fact[name] for name in REFERENCE_FIELDS & fact.keys() if isinstance(fact[name], int)}
        yield fact | {name: one - 1 for name, one in back.items() if one < -place} | own


def _shorten_findings(found: Sequence[Any]) -> list[Fields]:
    rows = [each if isinstance(each, dict) else msgspec.to_builtins(each) for each in found]
    return [
        {"finding": each["id"], "record": each["event"], "rule": each["rule"], "severity": each["severity"], "says": each["says"]}
        for each in rows
        if each.get("ruled") is None
    ]  # fmt: skip


def _standing_parts(seen: LogView) -> Iterator[tuple[str, Json]]:
    found, past = find_choices(seen, "", None)
    yield "turn", replay_log(seen).state.clock.turn or ""
    yield "next", [each.combatant for each in found.people if each.due]
    name = make_voice(past.state)
    owed = ((one, each) for one in found.people for each in one.choices if each.status == "owed")
    yield "open", [*(f"{one.combatant}: {describe_choice(each, one, name)}" for one, each in owed), *found.missing]


def _shorten_state(whole: Fields) -> Iterator[tuple[str, Json]]:
    clock = whole["clock"]
    yield from ((name, whole[name]) for name in ("title", "ruleset", "seq"))
    yield from ((name, clock[name]) for name in ("round", "segment", "phase", "turn") if clock[name] is not None)
    yield "order", [" = ".join(each["combatants"]) for each in whole["order"]]
    people, words = whole["combatants"].items(), whole.get("words", {})
    yield "combatants", {who: _combatant_in_short(who, one, words) for who, one in people}
    yield from ((name, whole[name]) for name in ("missing", "closed") if whole[name])
    if due := whole["due"]["value"]:
        yield "due", due


def _combatant_in_short(who: str, one: Fields, words: Fields) -> str:
    points = words.get(who) or ("" if one["hp"] is None else f"{one['hp']}/{one['hp_max']} hp")
    parts = [
        "" if folded(one["name"]) == who else f'"{one["name"]}"',
        one["side"],
        points,
        f"+{one['temp']} temporary" if one["temp"] else "",
        f"{one['nld']} non-lethal" if one["nld"] else "",
        "" if one["status"] == "up" else one["status"],
        *one["conditions"],
        *(each["name"] for each in one["effects"]),
        f"concentrates on {one['concentration']}" if one["concentration"] else "",
        f"casts {one['casting']['name']}" if one["casting"] else "",
        "left" if one["left"] else "",
    ]
    return ", ".join(filter(None, parts))


def limit_size(value: Json) -> Json:
    """Return data with its texts as a terminal shows them, none longer than LONGEST, and no list with more than MOST_ROWS."""
    if isinstance(value, str):
        shown = visible(value)
        return shown if len(shown) <= LONGEST else f"{shown[:LONGEST]}…"
    if isinstance(value, dict):
        return {visible(str(name)[:200]): limit_size(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        rest = len(value) - MOST_ROWS
        return [*map(limit_size, value[:MOST_ROWS]), *([f"… and {rest} more"] if rest > 0 else [])]
    return value


SAID = "said: "
"""The beginning of the note with the words of the table, which stands before the facts that were recorded for them."""
COUNTED = frozenset(
    ("round", "segment", "second", "phase", "type", "kind", "unit", "side", "ruling", "text", *REFERENCE_FIELDS)
)
"""Fields that state nothing of their own: places in the log and on the clock, and the game's own classes."""
NAMING = frozenset(
    ("combatant", "target", "targets", "source", "name", "effect", "condition", "resource", "object", "together")
)
"""Fields that name somebody or something."""
TOLD = (CombatantJoined, SheetChanged, DiceRolled, DiceDrawn)
"""The facts whose numbers may be recorded again: sheets and dice."""


def unstated_parts(records: Iterable[Recorded]) -> Iterator[tuple[int, str]]:
    """Yield the numbers and names of recorded facts that stand neither in what was said, nor in a sheet, a roll or a name of the log before."""
    numbers, names, said = set[int](), {*game_words()}, ""
    for record in records:
        event = record.event
        if record.batch is None or record.batch[0] == 1:
            text = event.text if isinstance(event, Noted) and event.event is None else ""
            said = text.removeprefix(SAID) if record.batch and text.startswith(SAID) else ""
        if event is None or (isinstance(event, Noted) and said):
            continue
        parts = [*_parts_of_fact(to_builtins(event), "")]
        words = {folded(each) for each in re.findall(r"[^\W_]+", said)}
        told = {int(each) for each in words if each.isdecimal()} | {NUMBERS[each] for each in words & NUMBERS.keys()}
        for name, value in parts if said else ():
            if isinstance(value, int):
                known = value in numbers or value in told
            else:
                known = name not in NAMING or _words_of_name(value) <= names | words
            if not known:
                yield record.seq, f"{name} {value}"
        if isinstance(event, TOLD):
            numbers |= {value for _, value in parts if isinstance(value, int)}
        called = [value for name, value in parts if isinstance(value, str) and name in NAMING]
        names |= {each for value in called for each in _words_of_name(value)}


def _words_of_name(name: str) -> set[str]:
    return {each for each in re.findall(r"[^\W_]+", folded(name)) if not each.isdecimal()}


def _parts_of_fact(value: Json, name: str) -> Iterator[tuple[str, int | str]]:
    if isinstance(value, dict):
        yield from (part for key, each in value.items() if key not in COUNTED for part in _parts_of_fact(each, key))
    elif isinstance(value, list | tuple):
        yield from (part for each in value for part in _parts_of_fact(each, name))
    elif isinstance(value, int | str) and not isinstance(value, bool):
        yield name, abs(value) if isinstance(value, int) else value
