"""What is said of a blow or a roll, in any order: the number, what it meets, whether it succeeds, the damage and its type."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from projections.grammar.tokens import word

if TYPE_CHECKING:
    from projections.grammar.phrases.reader import Reader

NUMBER = r"\d{1,6}"
DICE = r"\d*d(\d+|%)(k[hl]\d+)?(:[\dx,]+)?([+-]\d+)?"
HIGHEST_FACE = 20
LOWEST_CRITICAL = 15
"""The lowest face that is a critical hit in any game; a lower number beside a critical hit is its damage."""


class Blow(Struct, frozen=True):
    """What is said of a blow."""

    roll: str = ""
    is_total: bool = False
    """Whether the roll is called a total, whatever its number."""
    ac: str = ""
    hit: bool | None = None
    critical: bool = False
    damage: str = ""
    sort: str = ""
    further: tuple[tuple[str, str], ...] = ()
    """Damage of other types in the same blow, each with its type."""
    nonlethal: bool = False
    weapon: str = ""
    reaction: bool = False
    remarks: tuple[str, ...] = ()
    """Options that words of the game stand for, such as cost=bonus."""


def blows(reader: "Reader", at: int, start: Blow) -> Iterator[tuple[Blow, int]]:
    """Yield what is said of a blow from a place on, as far as that goes; then every shorter part of it.

    Where it is only said that it hits, and one number, that can be the roll or the damage.
    """
    ends = [(start, at)]
    while (more := _more(reader, *ends[-1])) is not None:
        ends.append(more)
    for blow, end in reversed(ends):
        if (blow.roll or blow.damage or blow.hit is not None) and not (blow.hit is False and blow.damage):
            alone = blow.roll if not blow.damage and blow.roll.isdecimal() else ""
            if alone and (start.hit or blow.critical):
                yield replace(blow, roll="", damage=alone), end
            if not (alone and blow.critical and int(alone) < LOWEST_CRITICAL):
                yield blow, end


def losses(reader: "Reader", at: int) -> Iterator[tuple[Blow, int]]:
    """Yield damage from a place on: its number, its type, whether it is non-lethal."""
    found = _damage(reader, Blow(), at)
    while found and (more := _further_damage(reader, *found)):
        found = more
    if found:
        blow, end = found
        place = reader.past(end)
        for _, after in reader.slot("nonlethal", place):
            end = after + reader.is_of("damage", after)
            blow = replace(blow, nonlethal=True)
        yield blow, end


More = tuple[Blow, int] | None


def _more(reader: "Reader", blow: Blow, at: int) -> More:
    """Return a blow with what the next words say of it, and where they end; None if they say nothing of a blow."""
    return next(filter(None, (part(reader, blow, at) for part in _PARTS)), None)


def _outcome(reader: "Reader", blow: Blow, at: int) -> More:
    if reader.is_of("miss", at):
        return (replace(blow, hit=False), at + 1) if blow.hit is None else None
    if reader.is_of("hit", at) and blow.hit is not False:
        return replace(blow, hit=True), at + 1
    return (replace(blow, hit=True, critical=True), at + 1) if reader.is_of("critical", at) else None


def _remark(reader: "Reader", blow: Blow, at: int) -> More:
    if reader.is_of("opportunity", at):
        return replace(blow, reaction=True), at + 1
    if reader.is_of("remark", at):
        return replace(blow, remarks=(*blow.remarks, reader.lexis.meant("remark", reader.text(at)))), at + 1
    return (replace(blow, nonlethal=True), at + 1) if reader.is_of("nonlethal", at) and blow.damage else None


def _weapon(reader: "Reader", blow: Blow, at: int) -> More:
    introduced = reader.text(at) in ("with", "using") and not blow.weapon
    named = reader.slot("weapon", reader.past(at + 1)) if introduced else ()
    return next(((replace(blow, weapon=name), end) for name, end in named), None)


def _against(reader: "Reader", blow: Blow, at: int) -> More:
    place = at + 1 + (reader.text(at + 1) == "ac")
    said = reader.text(at) in ("vs", "against", "ac", "versus") and re.fullmatch(NUMBER, reader.text(place))
    if said and "ac" not in (reader.text(at), reader.text(at + 1)) and _is_contest(reader, at):
        return None  # it is what the other one rolled
    return (replace(blow, ac=reader.text(place)), place + 1) if said else None


def _is_contest(reader: "Reader", at: int) -> bool:
    """Say whether the words before a place name an action in which both sides roll."""
    return any(reader.is_of("contested", place) for place in range(at))


def _named_damage(reader: "Reader", blow: Blow, at: int) -> More:
    """Return a blow with damage that a word or a sign before it tells to be that."""
    if blow.damage:
        return None
    if reader.is_of("amount", at):
        return _damage(reader, blow, reader.past(at + 1))
    return _damage(reader, blow, at) if reader.text(at).startswith("-") else None


def _further_damage(reader: "Reader", blow: Blow, at: int) -> More:
    """Return a blow with the damage of another type at a place: 6 slashing and 3 fire."""
    place = at + (reader.text(at) in ("and", "plus", "+", ","))
    amount = reader.text(place).removeprefix("+")
    if not (re.fullmatch(NUMBER, amount) and _parts_of(blow)):
        return None
    sort, end = next(iter(reader.slot("type", place + 1)), ("", at))
    while sort and reader.is_of("damage", end):
        end += 1
    return (replace(blow, further=(*blow.further, (amount, sort))), end) if sort else None


def two_dice(reader: "Reader", at: int) -> tuple[str, int] | None:
    """Return the dice at a place of which one is kept, adv 14 7, as a form has them, and where they end."""
    kept = next((keeps for sort, keeps in _KEPT.items() if reader.is_of(sort, at)), "")
    first = reader.past(at + 1)
    both = re.fullmatch(r"(\d{1,2})[,/](\d{1,2})", reader.text(first))
    second = reader.past(first + 1)
    faces, end = (both.groups(), first + 1) if both else ((reader.text(first), reader.text(second)), second + 1)
    if not kept or not all(re.fullmatch(r"\d{1,2}", face) and 1 <= int(face) <= HIGHEST_FACE for face in faces):
        return None
    return f"2d20{kept}:{','.join(faces)}", end


_KEPT = {"advantage": "kh1", "disadvantage": "kl1"}
"""Which of two dice is kept, by the list of words that say so."""


def _two_dice(reader: "Reader", blow: Blow, at: int) -> More:
    found = None if blow.roll else two_dice(reader, at)
    return (replace(blow, roll=found[0]), found[1]) if found else None


def _number(reader: "Reader", blow: Blow, at: int) -> More:
    """Return a blow with its roll, or, if that is said already or the line calls the number damage, with the damage."""
    both = re.fullmatch(r"(\d{1,2})/(\d{1,6})", reader.text(at))
    if both and not blow.roll and not blow.damage:
        return replace(blow, roll=both[1], damage=both[2]), at + 1
    if not is_number(reader.text(at)):
        return None
    if not blow.damage and (blow.roll or reader.is_of("damage", at + 1) or reader.has("type", at + 1)):
        return _damage(reader, blow, at) if blow.hit is not False else None
    if blow.roll or (blow.damage and not _is_called_roll(reader, at)):
        return None
    end = next((end for _, end in reader.slot("called-total", at + 1)), 0)
    return replace(blow, roll=reader.text(at), is_total=end > 0), end or at + 1


def _is_called_roll(reader: "Reader", at: int) -> bool:
    """Say whether a number behind the damage is the roll: in brackets, after a word for a roll, or before what it meets."""
    start = reader.words[at].start
    called = (
        reader.line[start - 1 : start] == "("
        or reader.text(at - 1) in (*ROLLED, "with", "on", "a")
        or "d" in reader.text(at)
    )
    return called or reader.text(at + 1) in ("vs", "against", "versus") or reader.joined(at + 1, at + 3) == "to hit"


def _skipped(reader: "Reader", blow: Blow, at: int) -> More:
    numbered = is_number(reader.text(at + 1))
    compares = reader.text(at) in _COMPARING and is_number(reader.text(at - 1)) and numbered
    states = numbered and (reader.text(at) in _STATING or reader.joined(at - 1, at + 1) in _STATING)
    skips = reader.is_skipped(at) and not (compares or states) and at + 1 < len(reader.words)
    return (blow, at + 1) if skips else None


def _dash(reader: "Reader", blow: Blow, at: int) -> More:
    """Return a blow behind a dash that divides it from its roll, which is no amount: - 16 hits."""
    is_roll = is_number(reader.text(at + 1)) and (reader.is_of("hit", at + 2) or reader.is_of("miss", at + 2))
    return (blow, at + 1) if reader.text(at) == "-" and is_roll and not blow.roll else None


_COMPARING = ("to", "vs", "against", "versus")
"""The words between two numbers that are compared, which are not left out there."""
_STATING = ("is", "are", "was", "has", "have", "'s at", "is at", "was at", "are at")
"""The words before a number that is a state and no roll: he is at 9."""
ROLLED = ("rolls", "rolled", "rolling", "roll", "nat", "natural", "unmodified")
"""The words before the number of a roll, as which with, on and a may stand behind the damage."""
_PARTS = (_outcome, _remark, _weapon, _against, _named_damage, _further_damage, _two_dice, _number, _dash, _skipped)


def is_number(text: str) -> bool:
    """Say whether a word is a number, or dice."""
    return re.fullmatch(rf"{NUMBER}|{DICE}", text) is not None


def _damage(reader: "Reader", blow: Blow, at: int) -> tuple[Blow, int] | None:
    """Return a blow with the damage at a place: the number, its type, and the word damage."""
    text = reader.text(at).removeprefix("-")
    if not re.fullmatch(rf"{NUMBER}|{DICE}", text):
        return None
    found = replace(blow, damage=text)
    for sort, end in reader.slot("type", at + 1):
        found, at = replace(found, sort=sort), end - 1
        break
    while reader.is_of("damage", at + 1):
        at += 1
    return found, at + 1


def total_damage(blow: Blow) -> str:
    """Return all the damage of a blow: as it is said, or the sum of its types."""
    parts = _parts_of(blow)
    return (
        str(sum(sum(map(int, amount.rpartition(":")[2].split(","))) for _, amount in parts)) if parts else blow.damage
    )


def typed_damage(blow: Blow, name: str = "") -> str:
    """Return the option that says of what types the damage of a blow is, and what it comes from if that is said."""
    parts = "+".join(f"{name or word(sort)}//{word(sort)}:{amount}" for sort, amount in _parts_of(blow))
    if name and not parts:
        parts = f"{name}:{total_damage(blow)}"
    return f"parts={parts}" if parts else ""


def _parts_of(blow: Blow) -> list[tuple[str, str]]:
    """Return the types of a blow's damage, each with its number or its dice; none if a type or the faces are not said."""
    dice = re.fullmatch(rf"({NUMBER}|\d*d\d+:\d+(?:,\d+)*)(?:[+-](\d+))?", blow.damage)
    if not (blow.sort and dice) or "-" in blow.damage:
        return []
    return [(blow.sort, dice[1]), *([(blow.sort, dice[2])] if dice[2] else []), *((s, n) for n, s in blow.further)]


def written(blow: Blow, *, rolled: bool, decides: bool) -> Iterator[str]:
    """Yield what stands behind the target in a line of the forms; several where the words can mean several.

    `rolled` says whether blows are rolled in the game, `decides` whether the roll decides by itself that it hits.
    """
    options = [f"ac={blow.ac}"] if blow.ac else []
    options += ["critical=yes"] if blow.critical else []
    options += ["cost=opportunity"] if blow.reaction else []
    options += blow.remarks
    options += [each for each in (typed_damage(blow),) if each]
    total = total_damage(blow)
    damage = [f"-{total}{'n' if blow.nonlethal else ''}"] if total else []
    if blow.roll and blow.damage and not blow.nonlethal and _shows_face(blow):
        hit = {None: [], True: ["hit=yes"], False: ["hit=no"]}[blow.hit]
        yield " ".join([blow.roll, total, *hit, *options])
        return
    if blow.roll and blow.hit is False and not blow.damage:
        missed = f"{blow.roll} hit=no" if _shows_face(blow) else f"miss total={blow.roll}"
        yield " ".join([missed, *options])
        return
    for outcome in _outcomes(blow, rolled=rolled, decides=decides):
        roll = [blow.roll] if _shows_face(blow) else []
        result = "hit=no" if outcome == "miss" and roll else outcome
        stated = [f"total={blow.roll}"] if blow.roll and not roll else []
        yield " ".join([*roll, *([result] if result else []), *damage, *stated, *options])


def _shows_face(blow: Blow) -> bool:
    """Say whether the roll of a blow is dice, or a number that can be a face and is not called a total."""
    return "d" in blow.roll or (not blow.is_total and blow.roll.isdecimal() and int(blow.roll) <= HIGHEST_FACE)


def _outcomes(blow: Blow, *, rolled: bool, decides: bool) -> list[str]:
    if not rolled:
        return ["miss" if blow.hit is False and not (blow.damage or blow.roll) else ""]
    if blow.hit is not None or blow.damage:
        return [
            "" if blow.damage and blow.hit is None and not blow.roll else "hit" if blow.hit is not False else "miss"
        ]
    return [""] if decides or not blow.roll or "d" in blow.roll else ["hit", "miss"]


class CheckRoll(Struct, frozen=True):
    """What is said of a saving throw or a check."""

    roll: str = ""
    dc: str = ""
    succeeded: bool | None = None
    against: str = ""
    is_total: bool = False
    """Whether the roll is called a total, whatever its number."""


def checks(reader: "Reader", at: int) -> Iterator[tuple[CheckRoll, int]]:
    """Yield what is said of a roll from a place on, as far as that goes; then every shorter part of it."""
    ends = [(CheckRoll(), at)]
    while (more := _further(reader, *ends[-1])) is not None:
        ends.append(more)
    yield from ((check, end) for check, end in reversed(ends) if check.roll or check.succeeded is not None)


def _further(reader: "Reader", check: CheckRoll, at: int) -> tuple[CheckRoll, int] | None:
    text = reader.text(at)
    for sort, success in (("success", True), ("failure", False)):
        for _, end in reader.slot(sort, at):
            return (replace(check, succeeded=success), end) if check.succeeded in (None, success) else None
    if text in ("dc", "vs", "against", "versus") and not check.dc:
        place = at + 1 + (reader.text(at + 1) == "dc")
        if re.fullmatch(NUMBER, reader.text(place)):
            return replace(check, dc=reader.text(place)), place + 1
        act = next(iter(reader.slot("act", place)), None) if text != "dc" else None
        return (replace(check, against=act[0]), act[1]) if act else None
    if not check.roll and (rolled := _roll_of_check(reader, check, at)):
        return rolled
    return (check, at + 1) if reader.is_skipped(at) and at + 1 < len(reader.words) else None


def _roll_of_check(reader: "Reader", check: CheckRoll, at: int) -> tuple[CheckRoll, int] | None:
    """Return a check with the roll at a place: a number, one of two dice, or what is called a total."""
    if reader.text(at) == "total":
        place = next(each for each in range(at + 1, len(reader.words) + 2) if reader.text(each) not in ("of", ":"))
        is_number_there = re.fullmatch(NUMBER, reader.text(place)) is not None
        return (replace(check, roll=reader.text(place), is_total=True), place + 1) if is_number_there else None
    if dice := two_dice(reader, at):
        return replace(check, roll=dice[0]), dice[1]
    return (replace(check, roll=reader.text(at)), at + 1) if is_number(reader.text(at)) else None


def check_written(check: CheckRoll) -> str:
    """Return what stands in a line of the forms for a roll: a number that is compared with another is a total."""
    is_total = check.is_total or (check.roll.isdecimal() and (bool(check.dc) or int(check.roll) > HIGHEST_FACE))
    succeeded = check.succeeded
    if succeeded is None and check.dc and check.roll.isdecimal():
        succeeded = int(check.roll) >= int(check.dc)
    pieces = [f"total={check.roll}" if is_total else check.roll, f"dc={check.dc}" if check.dc else ""]
    pieces += [] if succeeded is None else [f"succeeded={'yes' if succeeded else 'no'}"]
    return " ".join(each for each in (*pieces, f"cause={check.against}" if check.against else "") if each)
