"""Spells that meet several, told with their damage and with how each save went: fireball for 24, gob fails, the orc saves and takes 12."""

import re
from collections.abc import Sequence

from msgspec import Struct, structs

from projections.open_types import Facts, Fields
from projections.reader import composition
from projections.reader.composition import Reading
from projections.reader.frames.blows import HIGHEST, damages, dice
from projections.reader.frames.magic import slot_of
from projections.reader.lexicon import ARTICLES
from projections.reader.parts import Part, parts
from projections.reader.scene import Scene
from projections.reader.tags import Item
from projections.reader.tokens import Number

_SKIPPED = (
    *(
        "filler",
        "and",
        "become",
        "damage",
        "points",
        "for_each",
        "save",
        "against",
        "rolled",
        "cast",
        "use",
        "with",
        "to",
    ),
    *("for", "adverb", "towards", "spell_word"),
)
"""Kinds of words that lead from one thing told of a spell to the next."""
_EVERYBODY = ("both", "all", "they", "everyone", "everybody", "both of them", "all of them")
_DOES = ("does", "do", "deals", "did", "dealt", "hits", "for", "makes")


class Met(Struct):
    """Those of whom the same is told: how they saved, what they rolled, and what it cost them."""

    whom: tuple[str, ...]
    saved: bool | None = None
    roll: Number | None = None
    amount: int | None = None
    sort: str = ""
    bare: Number | None = None
    """A number right behind the outcome, which may be what was rolled, or what it cost."""
    half: bool = False
    closed: bool = False
    """Whether a mark stands behind what is told of them."""
    takes: bool = False


class Area:
    """What is read of a spell, part by part."""

    def __init__(self, caster: tuple[str, ...], spell: str, *, casts: bool) -> None:
        self.caster, self.spell, self.casts = caster, spell, casts
        self.targets: tuple[str, ...] = ()
        self.met: list[Met] = []
        self.full: int | None = None
        self.halved: int | None = None
        self.sort = self.save = ""
        self.dc: int | None = None
        self.level: Part | None = None
        self.unsure = False
        """Whether what the spell does may be the last roll instead."""
        self.costs: Met | None = None
        """Those whom the last number cost that much; None if it was what the spell does."""

    @property
    def now(self) -> Met | None:
        """Those of whom it is told at present."""
        return self.met[-1] if self.met else None


def readings(scene: Scene, items: list[Item], line: str) -> list[Reading] | None:
    """Return the meaning of a line about a spell, its damage and the saves that it allows; None if it tells anything else."""
    if not any(item.is_("spell", "spell_verb") and item.kind == "word" for item in items) or "?" in line:
        return None
    said = parts(items, turns=not scene.has_sides)
    at = next((at for at, part in enumerate(said) if part.role == "word" and _is_spell(said, at)), -1)
    area = _cast(said, at) if at >= 0 else None
    if area is None or not all(_reads(area, said, place) for place in range(at + 1, len(said))):
        return None
    called = 0 if area.casts else scene.act_called({area.spell.casefold()}, ())
    if not (called or len(area.caster) == 1) or not area.met:
        return [] if any(each.half and each.saved is None for each in area.met) else _of_nobody(scene, area, called)
    natural = any(item.is_("nat") for item in items)
    for each in area.met:
        if each.roll is None or area.dc is None:
            continue
        if each.saved is None and natural:
            return []  # a die to which something is still added
        each.saved = each.roll.value >= area.dc if each.saved is None else each.saved
        each.roll = structs.replace(each.roll, summed=each.roll.die is None and not natural)
    if any(each.saved is None for each in area.met):
        if all(each.saved is not None or (each.half and area.full is not None) for each in area.met):
            return _told(scene, area, called)  # the orc takes half, which tells no save
        told = area.halved is not None or any(each.half and each.saved is None for each in area.met)
        return [] if told else None  # gob 7, orc 18, 24 damage, half 12: which of them saves?
    if area.unsure and len(area.met) == 1 and not _halves(scene, area):
        return None  # bane on gob, gob fails the save, 8
    if not area.unsure:
        return _told(scene, area, called)
    rolled = composition.readings(scene, said)  # gob fails, orc saves, 18
    return [
        structs.replace(each, guesses=each.guesses + 1) for each in (*(_told(scene, area, called) or ()), *rolled)
    ] or None


def _of_nobody(scene: Scene, area: Area, called: int) -> list[Reading] | None:
    """Return the spell alone, as likely, if the line tells its damage and nobody whom it meets; None for other lines."""
    if called or area.full is None or area.targets or len(area.caster) != 1 or scene.declaring:
        return None
    return [Reading(_acts(scene, area, 0), ("cast",), (str(area.full),), guesses=1, acts=True)]


def _is_spell(said: Sequence[Part], at: int) -> bool:
    """Say whether a word is a spell, or one as a verb behind its caster: fireballs the orcs."""
    by_verb = said[at].item.is_verb("spell_verb") and at > 0 and said[at - 1].role == "who"
    return said[at].is_("spell") or by_verb


def _cast(said: Sequence[Part], at: int) -> Area | None:
    """Return the spell at a place with its caster before it: cid casts fireball, cid's fireball, fireball."""
    before = [part for part in said[:at] if part.role != "mark"]
    whom = [part for part in before if part.role == "who"]
    rest = [part for part in before if part.role != "who"]
    verbs = all(part.role == "word" and (part.item.is_verb("cast", "use") or part.is_("filler")) for part in rest)
    if (
        len(whom) > 1
        or not verbs
        or (whom and len(whom[0].people.ids) != 1)
        or any(part.is_("against") for part in rest)
    ):
        return None
    name = said[at].says("spell") or said[at].says("spell_verb") or said[at].text
    casts = said[at].item.is_verb("spell_verb") and bool(whom) and not whom[0].owner
    casts = casts or any(part.item.is_verb("cast", "use") for part in rest)
    return Area(whom[0].people.ids if whom else (), name, casts=casts)


def _reads(area: Area, said: Sequence[Part], at: int) -> bool:
    """Read one part behind the name of the spell, and say whether it can be about it."""
    part, before, now = said[at], said[at - 1], area.now
    if part.role == "mark":
        if now is not None and now.saved is not None:
            now.closed = True
        return part.text in (",", ".", ";", ":", "-", "–", "—", "!", "(", ")", "...")
    if part.role == "who":
        return _names(area, part, before)
    if part.text in _EVERYBODY or (part.role == "pronoun" and part.is_("pronoun_subject")):
        whom = area.targets or tuple(dict.fromkeys(who for each in area.met for who in each.whom))
        single = part.text in ("he", "she", "it")
        if part.role == "word" and part.text in ("both", "all") and now is not None and now.saved is None:
            return True  # gob and orc both fail
        if not whom or (single and len(now.whom if now is not None else area.targets) > 1):
            return False
        if single and now is not None:
            return True  # he takes 12, of whom it is told
        area.met.append(Met(whom))
        return True
    if part.role == "level":
        area.level = part
        return True
    if part.number is not None:
        return _counts(area, part, before)
    return part.role == "word" and _says(area, said, at)


def _names(area: Area, part: Part, before: Part) -> bool:
    """Read who is named: the caster, those at whom the spell is cast, or those of whom it is told next."""
    if part.owner or not part.people.ids:
        return False
    if part.joined == "from" and not area.caster and len(part.people.ids) == 1:
        area.caster = part.people.ids
    elif not area.met and (part.joined in ("to", "with") or before.is_("spell", "spell_verb")):
        area.targets += part.people.ids
    elif area.now is not None and area.now.half and part.joined == "for" and {*part.people.ids} == {*area.now.whom}:
        pass  # half for the orc
    elif part.joined:
        return False
    else:
        area.met.append(Met(part.people.ids))
    return True


def _counts(area: Area, part: Part, before: Part) -> bool:
    """Read a number: a difficulty, a roll, what the spell does, or what it costs somebody."""
    now, number = area.now, part.number
    if number is None or (number.pair and not (now is not None and now.closed and area.full is None)):
        return False
    if halved := re.fullmatch(r"(\d+)\D+,?\s*half\D*(\d+)\D*", part.item.typed):  # 24 damage, half 12
        if area.full is not None or area.halved is not None:
            return False
        area.full, area.halved = int(halved[1]), int(halved[2])
    elif number.pair:
        area.full, area.halved = number.pair[0], number.pair[1]  # 24/12 damage
    elif part.role == "dc":
        area.dc = number.value
    elif part.role == "roll":
        if now is None or now.roll is not None:
            return False
        now.roll = number
    elif (before.is_("half") or (before.text == "or" and area.full is not None)) and area.halved is None:
        area.halved = number.value
    elif part.role not in ("bare", "amount", "damage", "points", "loss") or number.sign == "+":
        return False
    elif now is not None and now.saved is None and now.roll is None:
        now.roll = number
    elif now is not None and now.saved is None and (area.dc is None or area.full is not None):
        return False
    elif (
        now is not None
        and now.saved is not None
        and (now.takes or not now.closed)
        and now.amount is None
        and now.bare is None
    ):
        if part.role == "bare" and not now.takes:
            now.bare = number
        else:
            now.amount = abs(number.value)
        area.costs = now
    elif area.full is None:
        area.unsure = part.role == "bare" and now is not None and now.roll is None and number.value <= HIGHEST
        area.full, area.costs = abs(number.value), None
    else:
        return False
    return True


def _says(area: Area, said: Sequence[Part], at: int) -> bool:
    """Read a word: an outcome, the type of the damage, the sort of the save, half of it, or one that leads on."""
    part, now = said[at], area.now
    outcome = _outcome(area, said, at)
    if outcome is not None:
        if now is None or now.saved not in (None, outcome):
            return False
        now.saved = outcome
    elif part.is_("type") and not part.item.is_verb("shoot"):
        sort = part.says("type")
        if area.costs is not None:
            area.costs.sort = sort
        elif area.sort not in ("", sort):
            return False
        else:
            area.sort = sort
    elif part.is_("save_kind"):
        if part.text == "will" and said[at - 1].role == "who":
            return False  # the orc will save
        area.save = part.says("save_kind")
    elif part.is_("half"):
        if now is not None:
            now.half = True
    elif part.item.is_verb("take"):
        if now is None:
            return False
        now.takes = True
    elif part.item.is_verb("save") and part.text in ("saves", "saved") and said[at - 1].role in ("mark", "who"):
        return False  # fails, saves next time
    else:
        plain = part.is_(*_SKIPPED) or part.text in (*ARTICLES, *_DOES, "or")
        return plain and not part.is_("condition", "status_dead", "status_down", "hit", "miss", "not")
    return True


def _outcome(area: Area, said: Sequence[Part], at: int) -> bool | None:
    """Return whether a word says that somebody saves, or fails; None for other words."""
    part, behind = said[at], said[at + 1] if at + 1 < len(said) else said[at]
    denies = part.is_("not") and (part.text.endswith(("n't", "n’t")) or said[at - 1].text in ("does", "do", "did"))
    if denies and (behind is part or behind.role == "mark" or behind.is_("and")):
        told = len(area.met) > 1 and area.met[-2].saved is not None and area.met[-1].saved is None
        return not area.met[-2].saved if told else None  # the orc doesn't
    if part.item.is_verb("fail") or part.is_("failure"):
        return False
    if (
        part.item.is_verb("save")
        and area.now is not None
        and area.now.saved is None
        and behind.text not in ("fails", "failed")
    ):
        return True
    makes = part.item.is_verb("succeed") and not part.item.is_verb("deal")
    made = part.text in ("makes", "made", "make") and _is_the_save(said[at + 1 : at + 5])
    return True if makes or made or (part.is_("success") and not part.is_("filler")) else None


def _is_the_save(behind: Sequence[Part]) -> bool:
    """Say whether the words behind a verb of making mean the save: it; his dex save."""
    if behind and behind[0].text == "it":
        return len(behind) == 1 or behind[1].role == "mark" or behind[1].is_("and")
    leads = next((at for at, part in enumerate(behind) if part.is_("save")), len(behind))
    between = behind[:leads]
    return leads < len(behind) and not any(part.role == "mark" or part.text in ("for", "away") for part in between)


def _told(scene: Scene, area: Area, called: int) -> list[Reading] | None:
    """Return the meaning of what was read, of a spell that the line casts or that was `called` before it; None if a number has no place, or no damage is told."""
    guesses = 0
    if not _cost_what_they_say(area):
        for each in area.met:
            if each.bare is not None and not _placed(area, each):
                return [] if any(one.amount is not None for one in area.met) else None
    if area.full is None and all(each.amount is None for each in area.met):
        return None
    halves = _halves(scene, area)
    if area.halved is None and all(each.saved and each.amount is None and not each.half for each in area.met):
        if halves is None:
            return None  # all save, and what is told may be halved already
        for each in area.met:
            each.amount = area.full  # which is asked about where the game knows the spell
    spared = any(each.half and not each.saved and each.amount is None for each in area.met)
    if spared and any(each.saved and each.amount is None and not each.half for each in area.met):
        return []  # gob fails and takes half, orc saves
    if any(each.roll is not None and len(each.whom) > 1 for each in area.met):
        return None
    cause = scene.back_to(called) if called else 0
    facts = _acts(scene, area, called)
    told = [who for each in area.met for who in each.whom]
    if len({*told}) < len(told) or not {*area.targets} <= {*told}:
        return None
    hurt: Facts = []
    for each in area.met:
        amount = each.amount if each.amount is not None else area.halved if each.saved or each.half else area.full
        if amount is None and (each.saved or each.half) and area.full is not None:
            guesses += not halves and (not each.half or area.full % 2)  # half of it, though the line does not say so
            amount = area.full // 2
        for who in each.whom:
            facts += [_save(area, each, who) | {"cause": cause}] if each.saved is not None else []
            hurt += damages(who, [(amount, each.sort or area.sort)]) if amount else []
    caused = [fact | {"cause": cause} for fact in hurt]
    return [Reading([*facts, *caused], ("cast", "save", "damage"), guesses=guesses, acts=True)]


def _acts(scene: Scene, area: Area, called: int) -> Facts:
    """Return the act of the caster and the slot that it takes; nothing for a spell that was `called` before the line."""
    if called:
        return []
    action: Fields = {"kind": "cast", "name": area.spell, **({"targets": [*area.targets]} if area.targets else {})}
    facts: Facts = [{"type": "action_taken", "combatant": area.caster[0], "action": action}]
    if slot := slot_of(scene, area.level):
        spent: Fields = {"type": "resource_changed", "combatant": area.caster[0], "resource": slot, "amount": -1}
        facts.append(spent | {"cause": 0})
    return facts


def _cost_what_they_say(area: Area) -> bool:
    """Take the numbers right behind all outcomes as what each is dealt, and say whether they are: whoever saves has half of what the others have, and so no roll above theirs: gob fails 24, orc saves 12."""
    full = {each.bare.value for each in area.met if each.bare and not each.saved}
    half = {each.bare.value for each in area.met if each.bare and each.saved}
    if len(full) != 1 or not all(each.bare for each in area.met) or area.full not in (None, *full):
        return False
    (most,) = full
    if not half or not half <= {most // 2, (most + 1) // 2}:
        return False
    for each in area.met:
        each.amount = each.bare.value if each.bare else None
    return True


def _halves(scene: Scene, area: Area) -> bool | None:
    """Say whether the game says that whoever saves against the spell takes half of its damage; None where it does not know the spell, or no save against it."""
    known = scene.state.rules.spell(scene.state, area.caster[0], area.spell) if area.caster else None
    allowed = known.allows_save if known is not None else None
    if allowed is None:
        return None
    return bool(allowed.get("half") if isinstance(allowed, dict) else getattr(allowed, "half", False))


def _placed(area: Area, each: Met) -> bool:
    """Take a number right behind an outcome as what was rolled, or what it cost, and say whether only one of these can be meant."""
    value = each.bare.value if each.bare else 0
    costs = value > HIGHEST or each.roll is not None
    if not costs and area.full is not None:
        costs = bool(each.saved) and value in (area.full // 2, (area.full + 1) // 2)
    elif not costs:
        return False
    if costs:
        each.amount = value
    else:
        each.roll = each.bare
    return True


def _save(area: Area, each: Met, who: str) -> Fields:
    """Return the save of one of those whom the spell meets."""
    return {
        "type": "save_rolled",
        "combatant": who,
        **({"save": area.save} if area.save else {}),
        **(dice(each.roll) if each.roll is not None else {}),
        **({"dc": area.dc} if area.dc is not None else {}),
        "succeeded": each.saved,
    }
