"""The law of the hidden: random logs in which hidden combatants act, are hit, are counted in groups and come first.

Nothing that players get names one of them, what players see does not depend on what the hidden do, and the clock is the same for all.
"""

import json
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from msgspec import Struct, field, structs, to_builtins

from eventstore.events import CombatantJoined, EncounterOpened, Event, Noted
from eventstore.form import event_of, read_json
from eventstore.record import Draft, Recorded, encode, upcast
from projections.judging.audit import Finding, audit
from projections.judging.refusals import find_refusals
from projections.language.notation.offers import offer_completions
from projections.language.notation.records import make_records
from projections.language.notation.table import Table
from projections.language.notation.tokens import NotUnderstood
from projections.mechanics.conditions import Effect
from projections.replay.replay import replay
from projections.rulesets import find
from projections.state import State
from projections.stream.audience import for_players
from projections.stream.concealment import FREE
from projections.stream.game_words import game_words
from projections.stream.names import forms
from projections.views.statistics import standings
from projections.views.view import show

RULESETS = ("plain", "osric", "nameless-journey", "semiautomagic", "vile-darkness", "definition-master", "5e")
HIDDEN = {"zark": "Zark", "xul-2": "Xul the Grim", "ghoul-1": "ghoul-1", "ghoul-2": "ghoul-2", "vor": "Black Knight"}
"""The hidden combatants and their display names; xul-3 is somebody else, and visible."""
WORDS = {"zark": "Zarks", "xul-2": "grim one", "ghoul-1": "ghouls", "ghoul-2": "Ghoul", "vor": "knight"}
"""Words that name them otherwise: their plurals, their kinds, parts of their names."""
NAMES = re.compile(
    r"(?<!\w)(zarks?|xul-2|xul 2|(xul the )?grims?|umbra|ghouls?|ghoul-[12]|vors?|knights?)(?!\w)", re.IGNORECASE
)
"""What finds a name of theirs, a word for them, or for a side on which they are alone."""
JOINING = (
    "join Ana party hp=20",
    "join Bo party hp=18",
    "join Orc foes hp=15",
    '{"type":"combatant_joined","combatant":"xul-3","name":"Brute","side":"foes","sheet":{"hp":12}}',
)
XUL = '{"type":"combatant_joined","combatant":"xul-2","name":"Xul the Grim","side":"SIDE","sheet":{"hp":25}}'
KNIGHT = '{"type":"combatant_joined","combatant":"vor","name":"Black Knight","side":"foes","sheet":{"hp":20}}'
ENTERING = (
    ("secret join Zark foes hp=30", "secret join Zark umbra hp=30", "secret join Zark hp=30"),
    (f"secret {XUL.replace('SIDE', 'foes')}", f"secret {XUL.replace('SIDE', 'umbra')}"),
    ("secret join ghoul*2 foes hp=9", "secret join ghoul*2 umbra hp=9"),
    (f"secret {KNIGHT}",),
)
ORDERS = (
    "i zark=18 ana=15 orc=9", "i ana=15 zark=11 bo=10 orc=9", "i all foes 18", "i ana=15 bo=12", "secret i zark=19", "i foes 4", "i party 3",
    "i umbra 2", "secret i xul-2=1", "surprise party 4", "surprise foes 2",
)  # fmt: skip
LINES = (
    "r", "e", "t", "next", "t", "t", "t zark", "secret t zark", "t ana", "secret t ana", "t orc", "t xul-2", "seg 3", "seg 5", "phase B", "done zark",
    "ana hits orc for 3", "ana hits zark for 3", "zark hits ana for 2", "zark attacks ana", "secret zark attacks bo", "orc attacks zark", "xul-2 hits zark for 1",
    "ana hits all foes for 1 each", "all foes take 5", "all foes are prone", "all foes heal 2", "orc, zark are prone", "ana, zark are blessed", "zark is poisoned",
    "zark is no longer poisoned", "ana casts bless", "zark casts hex", "effect hex by zark on ana for 3r", "ends hex", "ends hex ana", "effect sleep by ana on orc, zark for 3r",
    "zark delays", "zark leaves", "note zark lurks", "note Xul The Grim waits", "note rain", "place zark 2,3", "place ana by zark orc", "place orc 1,1", "zark moves 20 ft",
    "ana orc 14 3", "zark ana 16 4", "zark saves", "secret ana hides", "u", "redo", "that was 4", "heal zark 3", "ana hits orc for 2, zark hits bo for 1",
    "ana hits orc for 2; ana is blinded until the end of zark's next turn; zark hits bo for 1",
    "damage zark 3", "zark is concentrating", "orc is grappled by zark", "strike 12", "zark: claw of umbra", "t zark with orc", "t orc with zark", "pass 1m tended zark ana",
    "ana is stunned until the end of zark's next turn", "bo, orc are prone until the start of zark's next turn", "effect hold by zark on ana, zark for 2r",
    "all foes are frightened until the end of xul-2's next turn", "ana takes 3 from zark", "zark heals bo 2", "orc takes 2 fire from xul-2", "ana is hit by zark for 2",
    "ghouls take 2", "ghoul-1 hits ana for 2", "t ghoul-1", "vor hits ana for 1",
)  # fmt: skip
TELLING = (
    "note the ghouls wait behind the door", "note a ghoul", "ruling ghouls may fly", "bo readies an attack if the ghouls come", 'place ana "behind the ghouls"',
    "orc leaves because of the ghouls", "note Zarks plan", "note the knight is near", "note Knights!", "ruling the grim one is mute", "bo readies an attack if the knight moves",
)  # fmt: skip
"""Lines of which a word names them by their kind, or by a part of a name."""
ORDER = {
    "initiative.highest-first", "initiative.d20-plus-bonus", "round.begins-with-first-in-order", "round.ends-at-top",
    "round.one-turn-each",
}  # fmt: skip
"""The clauses of the order of turns."""
BY_ORDER = ("nameless-journey", "semiautomagic", "definition-master", "5e")
"""The rulesets that guess which round it is where one of these is broken."""
IN_SECRET = {"hidden"}
"""The conditions that the visible get in secret."""
SHARES = "t zark with orc"
"""A turn at the place of a hidden combatant, which players see as that of a visible one out of order."""
STRIKES = "strike 12"
"""What may take out the public half of something, or the end that players know of."""
FACTS = (
    {"type": "damage_dealt", "target": "WHO", "amount": 2}, {"type": "damage_dealt", "target": "ana", "amount": 2, "source": "WHO"},
    {"type": "noted", "text": "the shadow of NAME"}, {"type": "noted", "text": "WHO waits", "event": 2}, {"type": "condition_gained", "condition": "prone", "targets": ["orc", "WHO"]},
    {"type": "checked", "values": {"WHO.hp": 3}}, {"type": "checked", "values": {"ana.hp": 3}, "reason": "after NAME"}, {"type": "turn_started", "combatant": "WHO"},
    {"type": "initiative_rolled", "combatant": "WHO", "total": 30}, {"type": "action_taken", "combatant": "ana", "action": {"kind": "attack", "name": "NAME's bane", "targets": ["WHO"]}},
    {"type": "effect_started", "effect": "curse of NAME", "targets": ["bo"]}, {"type": "ruling_made", "ruling": "fact", "decision": "NAME is unseen", "combatants": ["WHO"]},
    {"type": "ruling_made", "ruling": "override", "decision": "so", "values": {"WHO.hp": 4}}, {"type": "inserted", "after": 4, "fact": {"type": "damage_dealt", "target": "WHO", "amount": 1}},
    {"type": "amended", "event": 8, "replacement": {"type": "noted", "text": "by NAME"}}, {"type": "struck", "event": 9, "reason": "it was NAME"},
    {"type": "contest_rolled", "about": "trip", "contenders": [{"combatant": "ana", "die": 15}, {"combatant": "WHO", "die": 13}]},
    {"type": "action_taken", "combatant": "ana", "action": {"kind": "NAME's rite"}}, {"type": "phase_reached", "phase": "WHO"},
    {"type": "damage_dealt", "target": "ana", "amount": 1, "parts": [{"name": "bite", "amount": 1, "damage_type": "NAME's cold"}]},
    {"type": "placed", "combatant": "orc", "engaged": ["WHO"]}, {"type": "sheet_changed", "combatant": "ana", "sheet": {"notes": "sworn to NAME"}}, {"type": "sheet_changed", "combatant": "ana", "sheet": {"weapon": "NAME's axe"}},
    {"type": "checked", "values": {"WHO": 1}},
    {"type": "combatant_left", "combatant": "WHO"}, {"type": "ruling_made", "ruling": "reveal", "decision": "NAME?", "event": 5}, {"type": "noted", "text": "rain"},
    {"type": "round_started", "round": 2}, {"type": "damage_dealt", "target": "xul-3", "amount": 1}, {"type": "noted", "text": "xul-3 and the zarkites"},
    {"type": "noted", "text": "the WORD"}, {"type": "ruling_made", "ruling": "fact", "decision": "WORD, unseen"}, {"type": "combatant_left", "combatant": "orc", "reason": "for fear of the WORD"},
    {"type": "placed", "combatant": "ana", "words": "behind the WORD"}, {"type": "condition_gained", "condition": "prone", "targets": ["ana"], "detail": "by a WORD"},
)  # fmt: skip
"""What is recorded in public although it concerns a hidden combatant, and a little beside it."""
OTHERS = (
    {"type": "noted", "text": "x"}, {"type": "round_ended"}, {"type": "struck", "event": 6}, {"type": "damage_dealt", "target": "ana", "amount": 9},
    {"type": "combatant_joined", "combatant": "wight", "side": "foes", "sheet": {"hp": 9}}, {"type": "checked", "values": {"ana.hp": 1}},
)  # fmt: skip
"""What is secret in the places of the hidden ones' facts in the other log."""


class Made(Struct):
    """A log, the lines and facts that made it, and whether facts were recorded in public as they should not be."""

    records: list[Recorded]
    did: list[str] = field(default_factory=list)
    careless: bool = False


def made(key: str, seed: object, lines: int = 14) -> Made:
    """Return a random log of a ruleset."""
    chance, rules = random.Random(f"{key} {seed}"), find(key)
    options = {each.name: each.values[0] for each in rules.catalogue().option}
    opening = EncounterOpened(
        format=1, encounter="0123456789abcdef", title="Ford", ruleset=key, revision=rules.revision, options=options
    )
    table, log = Table(make_records([opening], 1)), Made([])
    entering = [chance.choice(each) for each in ENTERING]
    rest, slips = [*chance.sample(ORDERS, 3), *chance.choices(LINES, k=lines)], chance.choice((0, 0.3))
    late = entering.pop(chance.randrange(len(entering))) if chance.random() < 0.5 else ""
    begin = ["r"] if chance.random() < 0.7 else []
    for line in (*JOINING, *entering, *begin, *rest[: lines // 2], late, *rest[lines // 2 :]):
        typed(table, line, log) if line else None
        if chance.random() < slips:
            sent(table, chance, log)
        if chance.random() < 0.1:
            typed(table, chance.choice(LINES), log)
        if line in rest and chance.random() < 0.1:
            typed(table, chance.choice(TELLING), log)
    log.records = table.records
    return log


def typed(table: Table, line: str, log: Made) -> None:
    """Tell a line, if it can be read."""
    try:
        before, parsed = len(table.records), table.tell(line)
    except NotUnderstood:
        return
    table.take(make_records(parsed.facts, before + 1, kept=parsed.kept, together=True))
    log.did.append(line)


def sent(table: Table, chance: random.Random, log: Made) -> None:
    """Append a fact in public, if it can be appended."""
    who = chance.choice([*HIDDEN])
    text = json.dumps(chance.choice(FACTS)).replace("WHO", who).replace("NAME", HIDDEN[who]).replace("WORD", WORDS[who])
    fact = upcast(event_of(read_json(text.encode())))
    if find_refusals(table.done.state, (Draft(fact),), len(table.records)):
        return
    table.take(make_records([fact], len(table.records) + 1))
    log.did.append(text)
    log.careless = True


def problems(key: str, seed: object) -> Iterator[str]:
    """Yield what is wrong with a random log: names that players get, what depends on the hidden, a clock that is behind."""
    log = made(key, seed)
    seen = [*for_players(log.records)]
    for where, text in answers(seen):
        if found := NAMES.search(text):
            yield f"{where}: {found[0]} in {text[max(0, found.start() - 80) : found.end() + 80]}"
    if not (log.careless or {SHARES, STRIKES} & {*log.did}):
        yield from behind(log.records, seen)
    if [*for_players(seen)] != seen:
        yield "what players have is withheld again"
    chance = random.Random(f"{key} {seed} other")
    pairs = zip(log.records, seen, strict=True)
    words = schema_names(record.event for record in seen)
    other = [replaced(record, chance, words) if mine.withheld else record for record, mine in pairs]
    again = [*for_players(other)]
    if [each.event for each in again] != [each.event for each in seen]:
        places = [one.seq for one, two in zip(seen, again, strict=True) if one.event != two.event]
        yield f"what players see of {places} depends on what is withheld"
    elif dict(views(again)) != dict(views(seen)):
        yield "the views of players depend on what is withheld"


def behind(records: Sequence[Recorded], seen: Sequence[Recorded]) -> Iterator[str]:
    """Yield in what players are behind: round, turn, what is on visible combatants, their hit points, and breaches that are none.

    What the hidden do or lack against the rules may be against the rules for others only as players see it.
    """
    mine, theirs = (replay(each).state for each in (records, seen))
    ordered = _in_order(mine.rules.key, records)
    clock, shown = (replay(each[:ordered]).state.clock for each in (records, seen))
    turns, seen_turns = ({each.turn, *each.together} - {"", *HIDDEN} for each in (clock, shown))
    if (clock.round, clock.open, turns) != (shown.round, shown.open, seen_turns):
        yield f"it is round {clock.round}, turn of {turns}, and for players round {shown.round}, turn of {seen_turns}"
    known = {record.seq for record in seen if not record.withheld}
    named_before = {one.seq for one, other in zip(records, seen, strict=True) if other.withheld and not one.secret}
    on, see = (
        {(one.bearer, one.name) for one in _borne(state) if one.seq not in named_before} for state in (mine, theirs)
    )
    # what is timed ends by the rounds, which the two may count differently once the order of turns is broken
    counted = [*_borne(mine), *_borne(theirs)] if ordered < len(records) else []
    timed = {(one.bearer, one.name) for one in counted if one.duration}
    for who, name in sorted(on - see - timed):
        if who in theirs.combatants and name not in IN_SECRET:
            yield f"{who} has {name}, and for players has not"
    touched = b"".join(encode(record.event) for record in records if record.seq in named_before).decode()
    # who stands in a fact that was no secret when it was sent may have lost it there, or gained it again
    for who, name in sorted(filter(lambda each: f'"{each[0]}"' not in touched, see - on - timed)):
        yield f"players see {name} on {who}, who has it no longer"
    for who, one in theirs.combatants.items() if not named_before else ():
        if (hp := mine.combatants[who].hp) != one.hp:
            yield f"{who} has {hp} hit points, and for players {one.hp}"
    broken, unseen, at = dict[str, int](), len(records) + 1, set[int]()
    for found in breaches(records):
        at.add(found.event)
        broken.setdefault(found.rule, found.event)
        of_hidden = found.line not in known or NAMES.search(found.says)
        unseen = min(unseen, found.event) if of_hidden else unseen
    for found in breaches(seen):
        if found.event not in at and found.event < min(unseen, broken.get(found.rule, found.event + 1)):
            yield f"players read at {found.event} of a breach that is none: {found.says} ({found.rule})"


def _in_order(key: str, records: Sequence[Recorded]) -> int:
    """Return the last record before which no clause of the order of turns is broken, where rounds follow from it."""
    broken = (found.event for found in breaches(records) if found.rule in ORDER)
    return min(broken, default=len(records) + 1) - 1 if key in BY_ORDER else len(records)


def _borne(state: State) -> Iterator[Effect]:
    """Yield the conditions and effects on combatants."""
    yield from (one for among in (state.conditions, state.effects) for one in among.values() if one.bearer)


def breaches(records: Sequence[Recorded]) -> list[Finding]:
    """Return the breaches that an audit finds."""
    return [found for found in audit(records).findings if found.severity == "breach"]


@cache
def _words() -> tuple[tuple[str, frozenset[str]], ...]:
    """Return the words of all rulesets, each with its parts in all their forms: keys, options and their values, conditions, spells."""
    parts = ((word, re.findall(r"[^\W_]+", word)) for word in sorted(game_words()) if word.isprintable())
    return tuple((word, frozenset(form for each in found for form in (each, *forms(each)))) for word, found in parts)


def schema_names(events: Iterable[Event | None]) -> list[str]:
    """Return the words of all rulesets that stand in no free text of a log, nor in the name of an act or a thing there, which
    may be no word of the game: a combatant who has one as a name is named by nothing there.
    """
    said = " ".join(text for event in events for text in _texts(to_builtins(event))).casefold()
    parts = {*re.findall(r"[^\W_]+", said)}
    return [word for word, its_forms in _words() if word and parts.isdisjoint(its_forms)]


def _texts(value: object) -> Iterator[str]:
    """Yield the free texts of a fact."""
    if isinstance(value, dict):
        for name, item in value.items():
            is_text = name in FREE or name == "name"
            yield from (item,) if is_text and isinstance(item, str) else _texts(item)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)


def named(word: str) -> CombatantJoined:
    """Return the joining of somebody with a word as id and name."""
    who = re.sub(r"[^a-z0-9]+", "-", word).strip("-")[:64].strip("-") or "x"
    return CombatantJoined(combatant=who, name=word.title()[:100], side="umbra", sheet={"hp": 9})


def replaced(record: Recorded, chance: random.Random, words: Sequence[str]) -> Recorded:
    """Return another secret fact in the place of a record, often the joining of somebody named by a word of a ruleset."""
    if chance.random() < 0.5:
        return structs.replace(record, event=named(chance.choice(words)), secret=True)
    fact = upcast(event_of(read_json(json.dumps(chance.choice(OTHERS)).encode())))
    number = getattr(fact, "event", None)
    if number is not None and number >= record.seq:
        fact = Noted(text="y")
    return structs.replace(record, event=fact, secret=True)


def answers(seen: Sequence[Recorded]) -> Iterator[tuple[str, str]]:
    """Yield what players get of a log, as text."""
    for record in seen:
        yield f"record {record.seq}", encode(record.event).decode()
    yield from views(seen)
    context = Table(seen).context
    for begun in ("", "ana hits ", "z", "x", "t ", "all "):
        yield f"offers {begun!r}", repr(offer_completions(context, begun))
    for line in ("zark hits ana", "ana hits zarc for 1", "?xul"):
        yield (
            f"error of {line!r}",
            _error(seen, line).replace(line, "").replace(line.split()[-1], "").replace("zark", "", 1),
        )


def _error(seen: Sequence[Recorded], line: str) -> str:
    """Return what a player is answered who guesses a name, without the guess itself."""
    try:
        return repr(Table(seen).tell(line).stays)
    except NotUnderstood as error:
        return f"{error.hint} {error.offers}"


def views(seen: Iterable[Recorded]) -> Iterator[tuple[str, str]]:
    """Yield views of a log as text."""
    records = [*seen]
    state = replay(records).state
    yield "show", repr(encode(show(state)))
    yield "audit", repr(encode(audit(records).findings))
    yield "standings", repr(standings(state))
