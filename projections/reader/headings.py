"""Headings of time, before a report or in brackets behind it: R1 seg 3: ana hits gob; same segment: bo too; ana hits gob (R1)."""

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct, structs

from projections.folds.order import who_is_due
from projections.reader.composition import Reading
from projections.reader.declaring import announced, only_plans
from projections.reader.dictionary import Sense, listed
from projections.reader.lexicon import ARTICLES
from projections.reader.scene import Scene
from projections.reader.tags import NOTHING, Item
from projections.reader.tokens import Number

_LEADS = frozenset(
    listed(
        "also, still, again, and, then, now, in, on, at, during, within, of, meanwhile, continuing, continued, cont, cont'd, back in,"
        "so, ok, okay, it's, the, later, later in, further, next, more, same, this, that, current"
    )
)
"""Words before a time that is a heading."""
_SAME = ("same", "current", "still")
"""Words before a round or segment without a number, which is the running one."""
_AT_ONCE = ("turn", "time", "moment", "instant", "beat", "tick", "count", "initiative", "init", "phase")
"""What else is the same in a heading: same time: ana hits gob."""
_OPENING, _BETWEEN = ("(", "["), (",", "/", ".", ":", "-", "–", "—", ";", "|")
_CLOSING = (":", ",", ".", ";", "-", "–", "—", ")", "]", "!", "!!", "|", "...", "…", "->", "→", ">", "=", "/")
_PLACES = ("in", "on", "at", "during", "within")


class Time(Struct, frozen=True):
    """A time that a heading names: its round and segment, if it has them, and the places where it begins and ends."""

    start: int
    end: int
    round: int = 0
    segment: int = 0
    same: bool = False
    """Whether it is the running segment, or the same moment."""
    marked: bool = False
    """Whether a mark follows it."""


class Headed(Struct, frozen=True):
    """A line with its heading in short: its items; how many of these are the heading; the time as typed, if it is past;
    whether the time stands in brackets behind the report; whether the line says that it happens in the running segment.
    """

    items: list[Item]
    ahead: int = 0
    past: str = ""
    behind: bool = False
    now: bool = False
    plans: bool = False
    """Whether it says only what somebody is to do."""


def headed(scene: Scene, items: list[Item]) -> Headed:
    """Return a line without a heading that names the running round or segment, with one that names a later time in short, and without a past one."""
    items = _without_next_turn(scene, with_ends_apart(_round_first(items)))
    time = _time(scene, items, 0)
    if time is None:
        made = _behind(scene, items)
    elif _reports(items[time.end :]) and _is_apart(time, items[time.end :]):
        made = _moved(scene, items, time, items[time.end :])
    else:
        made = Headed(items)
    ahead, rest = made.items[: made.ahead], _of_a_turn(scene, made.items[made.ahead :])
    begins = scene.table.declares == "dice" and any(item.is_("round") for item in ahead)
    declaring = scene.declaring or begins
    plans = not declaring and only_plans(rest)
    return structs.replace(made, items=[*ahead, *announced(scene, rest, declaring=declaring)], plans=plans)


_UNTIL = frozenset(
    listed(
        "until, till, til, by, before, at, through, since, after, for, from, near, to, toward, towards, in, on, not, last, lasts, 's"
    )
)
"""Words behind which the end of a round is a time, and does not happen."""
_REPORTS_END = (
    "that",
    "that's",
    "thats",
    "this",
    "it",
    "it's",
    "is",
    "'s",
    "the",
    "and",
    "so",
    "now",
    "then",
    "we",
    "are",
    "at",
    "reach",
)
"""Words with which the report that a round ends can begin."""


def with_ends_apart(items: list[Item]) -> list[Item]:
    """Return items in which marks part the report that a round ends from what is told beside it: end of round gob is prone."""
    for at in range(len(items)):
        ends = _end_of_round(items, at)
        begins = at
        while begins and items[begins - 1].text in _REPORTS_END[:-4]:
            begins -= 1
        before = items[begins - 1] if begins else None
        if not ends or (before is not None and before.text in _UNTIL):
            continue
        behind = items[ends] if ends < len(items) else None
        if behind is not None and behind.who is None and behind.kind != "word":
            continue
        said = begins < at or items[ends - 1].number is not None or (before is not None and before.kind == "mark")
        if before is not None and not said:
            continue  # takes 3 fire end of round
        stop = [Item(".", ".", items[at].start, items[at].start, "mark")]
        after = stop if behind is not None and not behind.is_("and") else []
        ahead = stop if before is not None and before.kind != "mark" else []
        return [*items[:begins], *ahead, *items[begins:ends], *after, *items[ends:]]
    return items


def _end_of_round(items: Sequence[Item], at: int) -> int:
    """Return where the words end that report at a place that a round ends; 0 for others: end of the round, end of round two."""
    words = [item.text for item in items[at : at + 4]]
    if words[:1] != ["end"]:
        return 0
    length = next((each for each in (2, 3, 4) if words[each - 1 : each] == ["round"]), 0)
    if not length or any(word not in ("of", "the", "this") for word in words[1 : length - 1]) or "of" not in words[1:2]:
        return 0
    number = items[at + length] if at + length < len(items) else None
    return at + length + (number is not None and number.number is not None)


def _without_next_turn(scene: Scene, items: list[Item]) -> list[Item]:
    """Return items without "next turn" before a deed of whoever comes next: next turn, Malrek hurls a dagger."""
    if not items or items[0].text not in ("next turn", "next up"):
        return items
    rest = items[2:] if len(items) > 1 and items[1].kind == "mark" else items[1:]
    who = rest[0].who if rest else None
    due = who_is_due(scene.state).value if who is not None and len(who.ids) == 1 else []
    acts = len(rest) > 1 and rest[1].is_verb() and not rest[1].is_("will")
    return rest if who is not None and due[:1] == [*who.ids] and acts else items


def _round_first(items: list[Item]) -> list[Item]:
    """Return items in which the round of what is announced stands before its heading: declarations for round 1: ana attacks gob."""
    at = next((at for at, item in enumerate(items[:4]) if item.is_("round")), 0)
    before = [item.text for item in items[:at]]
    mark = items[at + 2 : at + 3]
    if not at or before[-1] not in ("for", "of", "in", ",") or len(before) != 2 or not mark or mark[0].kind != "mark":
        return items
    named = items[0].text.startswith(("declar", "intent", "plan", "order", "action"))
    return [*items[at : at + 2], mark[0], items[0], *items[at + 2 :]] if named and _count(items[at + 1]) else items


_TURN = re.compile(
    r"(?:(?:and|now|then|finally|next|at last|ok|okay|so|it|is|'s|it's|here) )*@(?P<whose> 's)?"
    r"(?: (?:finally|at last|now|then|next|again|gets|is|'s|to|first|last|his|her|their|the|takes|has|at))*"
    r" (?P<says>go|goes|act|acts|is up|'m up|up|is up now|up now|is up next|next|finally goes|steps up|comes up|turn|move|shot)"
    r"(?: (?:finally|at last|now|then|next|again|first|last))* (?P<mark>[:,.!;–—-]|!!|and) "
)
"""A heading with somebody's turn, with the somebody as @: ana finally goes, ana's up: ana's turn -."""


def _of_a_turn(scene: Scene, items: list[Item]) -> list[Item]:
    """Return a report with the turn before it in plain words: ana finally goes, longsword into gob; without it where it is her turn, or nobody has one."""
    text, ends = "", {}
    for at, item in enumerate(items[:MOST_WORDS]):
        text += f"{'@' if item.who else item.text} "
        ends[len(text)] = at + 1
    found = _TURN.match(text)
    if found is None or found.end() not in ends or (found["says"] == "move" and not found["whose"]):
        return items
    if any(item.is_verb("rise") or item.text == "gets" for item in items[: ends[found.end()]]):
        return items  # gets up and hits gob
    rest = items[ends[found.end()] :]
    who = next(item for item in items if item.who)
    first = next((item for item in rest if item.text not in _AGAIN and item.kind != "mark"), None)
    if first is None or first.who or who.who is None or len(who.who.ids) != 1 or not _reports(rest):
        return items
    whom = who.who.ids[0]
    if scene.status(whom) != "up" or any(
        each.bearer == whom and each.called == "prone" for each in scene.state.conditions.values()
    ):
        return items
    if found["mark"] == "and" and not first.is_verb():
        return items
    colon = Item(":", ":", who.end, who.end, "mark")
    if scene.has_sides or scene.state.clock.is_turn_of(whom):
        return [who, colon, *rest]
    turn = Item("turn", "turn", who.end, who.end, "word", senses=(Sense("turn", "turn"),))
    owner, stop = (Item(each, each, who.end, who.end, "mark") for each in ("'s", "."))
    return [who, owner, turn, stop, who, colon, *rest]


_AGAIN = (*ARTICLES, "and", "then", "now", "so")
"""Words that may stand between a turn and what is done in it."""
MOST_WORDS = 12
"""The most items of a heading with a turn."""


def _moved(scene: Scene, items: list[Item], time: Time, rest: list[Item]) -> Headed:
    """Return a report with the time at which it happens."""
    clock = scene.state.clock
    point = clock.point
    typed = " ".join(item.typed for item in items[time.start : time.end] if item.kind != "mark" and item.text != "also")
    runs = not time.round or (time.round == clock.round and clock.open)
    if not runs and time.round <= clock.round:
        return Headed(rest, past=typed)
    begins = [] if runs else _said(items, time, "round", time.round)
    later = time.segment and not (runs and time.segment == point.segment and point.round)
    if later and runs and point.round and time.segment < (point.segment or 0):
        return Headed(rest, past=typed)
    ahead = [*begins, *(_said(items, time, "segment", time.segment) if later else ())]
    named = (
        [Item("now", "now", rest[0].start, rest[0].start, "word", (Sense("turn", "now"),)), *rest]
        if _names_only(rest)
        else rest
    )
    return Headed([*ahead, *(rest if ahead else named)], len(ahead), now=bool(time.segment and not later) or time.same)


def _said(items: Sequence[Item], time: Time, kind: str, number: int) -> list[Item]:
    """Return a time in the words of a sentence of its own: round 2."""
    first, last = items[time.start], items[time.end - 1]
    mark = "," if last.text == "," and kind == "segment" else "."
    return [
        Item(kind, kind, first.start, first.end, "word", (Sense(kind, kind),)),
        Item(str(number), str(number), first.start, last.end, "number", number=Number(number)),
        Item(mark, mark, last.start, last.end, "mark"),
    ]


def _behind(scene: Scene, items: list[Item]) -> Headed:
    """Return a line without the time at its end: without the running one, and with a later one in brackets first, which is likely only."""
    last = len(items)
    while last and items[last - 1].text in (".", "!"):
        last -= 1
    for place in range(max(last - 8, 2), last - 1):
        item = items[place]
        if not (item.text in (*_OPENING, ",", ";") or item.text in _PLACES):
            continue
        time = _time(scene, items, place)
        if time is None or time.end < last or not _reports(items[:place]):
            continue
        made = _moved(scene, items, time, items[:place])
        if not (made.ahead or made.past):
            return made
        if item.text in _OPENING:
            return structs.replace(made, behind=True)
    return Headed(items)


def _reports(items: Sequence[Item]) -> bool:
    """Say whether items can report a deed, rather than what becomes of a round: they name somebody, or have a number."""
    return any(item.who or item.number for item in items)


def at_its_time(reading: Reading, time: Headed) -> Reading:
    """Return a reading of a line with a heading: only likely, if the time is past, or may be that at which an announced act is done; in the running segment, if the line says so."""
    blow = any(fact["type"] in ("attack_rolled", "damage_dealt") for fact in reading.facts)
    likely = bool(time.past) or (time.behind and not blow) or time.plans
    return structs.replace(reading, guesses=reading.guesses + likely, acts=reading.acts and not time.now)


def _names_only(items: Sequence[Item]) -> bool:
    """Say whether items only name somebody, whose turn it is: R1: ana."""
    return [item.who is not None for item in items if item.kind != "mark" and item.text not in ARTICLES] == [True]


def _is_apart(time: Time, behind: Sequence[Item]) -> bool:
    """Say whether what follows a time begins anew: behind a mark, or with somebody."""
    first = next((item for item in behind if item.text not in ARTICLES), None)
    return time.marked or (first is not None and first.who is not None and first.text not in ("it", "that"))


def _time(scene: Scene, items: Sequence[Item], place: int) -> Time | None:
    """Return the time that items at a place name, with its marks and the words before it; None if they name none."""
    at = place
    while (at < len(items) and (items[at].text in (*_LEADS, *_OPENING, ",") and not items[at].who)) or _it_is(
        items, at
    ):
        at += 1
    said: dict[str, int] = {}
    end = at
    while (step := _step(items, at, items[at - 1].text if at > place else "", said)) is not None:
        kind, value, end = step
        said[kind] = value
        at = end
        while at < len(items) and (items[at].text in _BETWEEN or items[at].text in ("the", "of", "in")):
            at += 1
    if not said or (said.get("segment") and scene.table.clock == "turn"):
        return None
    last = end
    while end < len(items) and items[end].text in _CLOSING:
        end += 1
    return Time(place, end, said.get("round", 0), said.get("segment", 0), same="same" in said, marked=end > last)


def _it_is(items: Sequence[Item], at: int) -> bool:
    """Say whether an item is one of the words by which a time is named: it is round 2, we're still in round 2."""
    said = " ".join(item.text for item in items[max(at - 1, 0) : at + 2])
    return any(words in said for words in _IT_IS) and items[at].text in ("it", "'s", "is", "we", "are", "'re")


_IT_IS = ("it 's", "it is", "we are", "we 're")


def _step(items: Sequence[Item], at: int, before: str, said: Mapping[str, int]) -> tuple[str, int, int] | None:
    """Return the kind of time that items at a place name, with its number (0 for the running one) and where it ends; None if they name none."""
    word, behind = (*items[at : at + 2], NOTHING, NOTHING)[:2]
    kind_here = next((each for each in ("round", "segment") if word.is_(each)), "")
    if kind_here and kind_here not in said and _count(behind):
        return kind_here, _count(behind), at + 2
    kind = next((each for each in ("round", "segment") if behind.is_(each)), "")
    if word.kind == "ordinal" and kind and kind not in said:
        return kind, word.values[0], at + 2
    if not said and before in _SAME and kind_here and len(word.text) > 2:
        return "same" if kind_here == "segment" else "round", 0, at + 1
    if not said and before == "same" and word.text in _AT_ONCE:
        return "same", 0, at + 1
    if "round" in said and word.text in ("turn", "thp", "t") and _count(behind):
        return "turn", _count(behind), at + 2  # round 1, turn 2; R1T2
    glued = at > 1 and items[at - 1].text in ("/", ".") and items[at - 1].end == word.start == items[at - 2].end + 1
    if "round" in said and "segment" not in said and glued and _count(word):
        return "segment", _count(word), at + 1  # R1/3
    return None


def _count(item: Item) -> int:
    """Return a plain number, as rounds have it; 0 for anything else."""
    number = item.number
    plain = item.kind == "number" and number is not None and not (number.sign or number.notation or item.values)
    return number.value if plain and number is not None else 0
