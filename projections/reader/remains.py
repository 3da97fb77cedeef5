"""What combatants have left, beside a deed or in a list of all: it is checked, where the log agrees; else it is asked about."""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct, structs

from eventstore.events import DamageDealt, Healed
from projections.because import apart
from projections.mechanics.pools import loss
from projections.open_types import Facts, Fields
from projections.reader.composition import Reading
from projections.reader.scene import Scene
from projections.reader.tags import Item

_MARKS = (",", ";", "(", ")", "-", "–", "—", ".", "->", "→", "!", "...", "[", "]", "|")
_OF = r"(?: (?:of|/|out of) #)?"
_UNIT = r"(?: (?:hp|hps|hit points?|points?|pts?|left|remaining|to go))*"
_IS = r"(?: (?:is|'s|has|have|are|now|at|on|down|to|left|with|still|only|just|stands|sits|drops|goes|falls|got|:|=))*"
_LEADS = r"(?:(?:the|and|so|now|still|that|which|with|leaves|leaving|puts|putting|brings|bringing|drops|dropping) )*"
_SOMEBODYS = rf"{_LEADS}@{_IS} #{_OF}{_UNIT}"
_LEAVES = r"(?:leaves|leaving|left|down to|drops to|dropping to|brought to|brings it to|puts it at|now at|now on|it is at|it is on)"
_ITS = (
    rf"(?:(?:and|so|that|which|but|it|he|she|now|still|only|just|has|have|with|is|'s|there|are) )*#{_OF}(?: (?:hp|hit points?|points?))? (?:left|remaining|to go)"
    rf"|(?:(?:and|so|that|which|but|this) )*{_LEAVES}(?: (?:it|him|her|them|with|at|on|only|just))* #{_OF}{_UNIT}"
    rf"|(?:(?:back|up|now|and|all the way) )+(?:to|at|on) #{_OF}{_UNIT}|# / #|#"
    rf"|(?:and )?(?:it|he|she)(?: (?:is|'s|has|now|at|on|down|to|still|only))+ #{_OF}{_UNIT}"
)
_WITH = re.compile(rf" (?:with|on) (?:only |just |still )?#{_OF} (?:hp|hit points?)(?: left| remaining| to go)?$")
"""Points behind a deed of their owner: flees with 7 hp."""


class Left(Struct, frozen=True):
    """The points that somebody has left; whose, "" for whoever was struck last, or with `own` the one who acts."""

    who: str
    value: int
    most: int = 0
    own: bool = False
    bare: bool = False
    """Whether it is only a number behind a name, perhaps with hp, which can mean anything else."""
    pair: bool = False
    """Whether it is only two numbers, which can mean two dice: 11/17."""


def _pieces(items: Sequence[Item]) -> Iterator[tuple[int, int]]:
    """Yield where the pieces between the marks of a line begin and end."""
    start = 0
    for at, item in enumerate((*items, _STOP)):
        opens = item.text == "leaving"  # hits gord for 6 leaving him at 11
        if opens or (item.text in _MARKS and item.who is None and item.number is None):
            if at > start:
                yield start, at
            start = at + (not opens)


_STOP = Item(".", ".", 0, 0, "mark")


def _said(items: Sequence[Item]) -> str:
    """Return words with each name as @ and each number as #."""
    return " ".join(
        "@"
        if item.who and item.text not in ("it", "he", "she", "they")
        else "#"
        if _plain(item)
        else re.sub("[@#]", "?", item.text)  # typed as they stand, they are neither
        for item in items
    )


def _plain(item: Item) -> bool:
    number = item.number
    return number is not None and not (number.sign or number.notation or item.values)


def _left(items: Sequence[Item]) -> Left | None:
    """Return the points that a piece of a line says somebody has left; None if it says something else."""
    said = _said(items)
    somebodys = re.fullmatch(_SOMEBODYS, said)
    if not somebodys and not re.fullmatch(_ITS, said):
        return None
    whom = [item.who.ids for item in items if item.who]
    if somebodys and len(whom[0]) != 1:
        return None
    numbers = [item.number for item in items if item.number]
    value, *most = numbers[0].pair or [number.value for number in numbers]
    if said == "#" and not most:
        return None  # 11/17 is one number
    bare = not most and re.fullmatch(r"(?:the )?@ #(?: (?:hp|hps|hit points?|points?|pts?))?", said) is not None
    return Left(whom[0][0] if somebodys else "", value, most[0] if most else 0, bare=bare, pair=said in ("#", "# / #"))


def apart_from(items: Sequence[Item]) -> tuple[list[Item], list[Left]]:
    """Return the items of a line without what somebody has left, and the points that they have."""
    rest: list[Item] = []
    found: list[Left] = []
    before = 0
    for start, end in _pieces(items):
        piece = items[start:end]
        left = _left(piece) if rest else None
        if left is not None:
            found.append(left)
        elif (with_ := _WITH.search(_said(piece))) is not None and any(item.who for item in piece):
            count = len(with_[0].replace("hit points", "points").replace("to go", "go").split())
            number = next(item.number for item in piece[-count:] if item.number)
            found.append(Left("", number.value, own=True))
            rest += [*items[before:start], *piece[: len(piece) - count]]
        else:
            rest += items[before:end]
        before = end
    return rest, found


def checked(scene: Scene, reading: Reading, lefts: Sequence[Left]) -> Reading | None:
    """Return a reading with the points that somebody has left after it as checked; only likely, if the log has others."""
    values: dict[str, int] = {}
    wrong = 0
    for left in lefts:
        who = left.who or _whose(reading.facts, own=left.own)
        now = _points(scene, reading.facts, who)
        if now is None or (left.bare and (now != left.value or now == scene.state.combatants[who].hp)):
            return None
        if left.pair and left.most != scene.state.combatants[who].hp_max:
            return None
        wrong += now != left.value or left.most not in (0, scene.state.combatants[who].hp_max)
        values[f"{who}.hp"] = left.value
    facts: Facts = [*reading.facts, {"type": "checked", "values": values}]
    return structs.replace(reading, facts=facts, guesses=reading.guesses + wrong)


def _whose(facts: Facts, *, own: bool) -> str:
    """Return the one combatant whose points changed last, or the only one who acts; "" if there is none: orcs 2 and 3 flee with 15 hp."""
    if own:
        acting = {fact["combatant"] for fact in facts if fact.get("combatant")}
        return acting.pop() if len(acting) == 1 else ""
    return next((fact["target"] for fact in reversed(facts) if fact["type"] in ("damage_dealt", "healed")), "")


def _points(scene: Scene, facts: Facts, who: str) -> int | None:
    """Return a combatant's hit points after facts; None if they are unknown."""
    one = scene.state.combatants.get(who)
    if one is None or one.hp is None:
        return None
    rules = apart(scene.state.rules.pools, scene.state, one)
    hp, temp = one.hp, one.temp
    for fact in facts:
        if fact.get("target") != who or fact["type"] not in ("damage_dealt", "healed"):
            continue
        amount, temporary = fact["amount"], bool(fact.get("temporary"))
        event = (
            DamageDealt(target=who, amount=amount)
            if fact["type"] == "damage_dealt"
            else Healed(target=who, amount=amount, temporary=temporary)
        )
        lost = loss(hp, one.hp_max, temp, one.nld, event, rules)
        hp, temp = hp - lost.hp, temp - lost.temp
    return hp


_ENDS = r"(?P<ends>(?:and )?(?:at |that's |that is )?(?:the )?(?:end|close) of (?:the )?round(?: #)?|(?:the )?round(?: #)? (?:ends|is over|over|done|is done|ended|closes))"
_AFTER = (
    r"(?:(?:after|at the end of|following) (?:the )?round(?: #)?|(?:current |remaining |@ (?:'s )?)?"
    r"(?:hp|hps|hit points|points|health|status|standings?|tally|totals|left|remaining|still standing|standing)"
    r"(?: (?:check|totals?|left|now|so far|status|(?:after|at the end of) (?:the )?round(?: #)?))*)"
)
_HEADING = re.compile(rf"{_ENDS}|{_AFTER}")


def standing(scene: Scene, items: list[Item], _line: str) -> list[Reading] | None:
    """Return the points that all those named have now, behind the end of a round or a word for points: end of round 1: Gord 10, Hume 9."""
    colon = next((at for at, item in enumerate(items) if item.text in (":", *_MARKS)), 0)
    heading = _HEADING.fullmatch(_said(items[:colon])) if colon else None
    told = _with_marks(items[colon + 1 :] if heading else items)
    listed = [_left(told[start:end]) for start, end in _pieces(told)]
    lefts = [left for left in listed if left is not None and left.who]
    if not lefts or len(lefts) < len(listed) or len({left.who for left in lefts}) < len(lefts):
        return None
    if not heading and (len(lefts) < 2 or scene.unordered):
        return None
    ended = _ending(scene, items[:colon]) if heading and heading["ends"] else []
    facts = ended or []
    values = {f"{left.who}.hp": left.value for left in lefts}
    agree = [_agrees(scene, left) for left in lefts]
    if not heading and not all(agree):
        return None
    bare = not heading and all(left.bare for left in lefts)
    return [
        Reading(
            [*facts, {"type": "checked", "values": values}], ("level",), (), bare + (not all(agree)) + (ended is None)
        )
    ]


def ends_a_round(items: Sequence[Item]) -> bool:
    """Say whether a line begins with the end of a round, so that numbers behind it are no rolls for its order: end of round 1: all 17."""
    colon = next((at for at, item in enumerate(items) if item.text in (":", *_MARKS)), 0)
    heading = _HEADING.fullmatch(_said(items[:colon]))
    return heading is not None and heading["ends"] is not None


def _with_marks(items: Sequence[Item]) -> list[Item]:
    """Return items with a mark between a number and a name, and for and: Gord 10 Hume 9 and Elspeth 9."""
    made: list[Item] = []
    for item in items:
        if made and item.who and (made[-1].number or made[-1].is_("points") or made[-1].text in ("left", "remaining")):
            made.append(_STOP)
        made.append(_STOP if item.text in ("and", "&") else item)
    return made


def _agrees(scene: Scene, left: Left) -> bool:
    one = scene.state.combatants[left.who]
    return one.hp == left.value and left.most in (0, one.hp_max)


def _ending(scene: Scene, heading: Sequence[Item]) -> Facts | None:
    """Return the fact by which the running round ends; none if it is over already, and None if a heading names another."""
    clock = scene.state.clock
    number = next((item.number.value for item in heading if item.number), clock.round)
    if number != clock.round or not number:
        return None
    ended: Fields = {"type": "round_ended", "round": number}
    return [ended] if clock.open else []
