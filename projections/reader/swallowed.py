"""What a line says and its facts do not tell, or tell otherwise: a name, a death, a number, how many are meant. Such a line is asked about."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from projections.grammar.line_context import known_spell
from projections.grammar.names import kind_of
from projections.open_types import Facts, Fields
from projections.reader.hedges import MARGINS
from projections.reader.honesty import leaves
from projections.reader.lexicon import ARTICLES, POSSESSIVES
from projections.reader.scene import Scene
from projections.reader.tags import NOTHING, Item
from projections.reader.tokens import UNITS

_LEVELS = ("level", "lvl", "lv", "l")
"""Words before the level of a spell."""
_DEEDS = frozenset({"action_taken", "action_declared", "action_held", "turn_delayed", "attack_rolled"})
_ROLLED = frozenset(
    {*_DEEDS, "damage_dealt", "healed", "save_rolled", "condition_gained", "condition_lost", "effect_started"}
)
_SOME = ("some", "most", "half", "one", "any", "several", "few", "many", "part", "none")
"""Words before a group, of which only a part is meant."""
_COUNTS = {"both": 2, "all two": 2, "all three": 3, "all four": 4, "all five": 5}


def swallows(scene: Scene, items: Sequence[Item], facts: Facts) -> bool:
    """Say whether facts leave out, or contradict, what a line says: holds gob, read as a held action without gob."""
    if not facts:
        return False
    kinds = {fact["type"] for fact in facts}
    told = [str(value).casefold() for fact in facts for _, value in leaves(fact)]
    if kinds == {"action_taken"} and "cast" in told and _leaves_out_a_number(items, told):
        return True  # casts magic missile, 3 at gob, 2 at orc
    missed = any(fact.get("hit") is False for fact in facts)
    if kinds <= _DEEDS and (_leaves_out_somebody(items, told) or (not missed and _leaves_out_an_end(items, told))):
        return True
    if kinds <= _ROLLED and kinds & {"attack_rolled", "save_rolled"} and _leaves_out_a_number(items, told):
        return True
    if "damage_dealt" in kinds and "save_rolled" not in kinds and any("save for half" in item.text for item in items):
        return True  # takes 10, save for half
    struck = "attack" in told and not {"attack_rolled", "action_declared"} & kinds
    if struck and any(item.is_verb("dodged") for item in items):
        return True  # dodges gob's attack
    if not kinds & _MOVED and "attack_rolled" in kinds and any(_goes_somewhere(*each) for each in pairwise(items)):
        return True
    rolls = [fact for fact in facts if fact["type"] == "attack_rolled"]
    if len(rolls) == 1 and len([*_numbers(items)]) > 1 and any(item.text in _SEVERAL_BLOWS for item in items):
        return True  # multiattacks ana, 5 and 6
    verbs = sum(item.is_verb("strike", "shoot", "hit") for item in items)
    if len(rolls) == 1 < verbs and any(item.text == "who" for item in items):
        return True  # hits gob who hits her for 5
    if _strikes_otherwise(items, facts) or _makes_another_do_it(items, facts):
        return True
    if any(item.is_("filler") and item.text == "other" for item in items) and "attack_rolled" in kinds:
        return True  # hits gob for 5 and the other one for 3
    last = next((item for item in reversed(items) if item.kind != "mark"), NOTHING)
    if missed and "damage_dealt" in kinds and last.is_("miss") and not last.is_verb():
        return True  # hits for 5, not enough
    if _is_hit_by_a_lasting_spell(scene, items, facts):
        return True
    if missed and _is_beside_a_spell(items):
        return True
    if (
        "save_rolled" in kinds
        and "condition_gained" not in kinds
        and any(item.is_("condition") and item.is_verb("succeed") for item in items)
    ):
        return True  # gob and orc held, ogre saved
    if any(item.text in ("both", "each", "apiece") for item in items) and _is_told_of_one(facts):
        return True
    if _counts_members(scene, items) or _denies_of_all(items) or _has_a_strange_part(facts):
        return True
    trios = zip(items, items[1:], (*items[2:], NOTHING), strict=False)
    if any(one.who and own.text in _OWNS and (other is NOTHING or other.kind == "mark") for one, own, other in trios):
        return True  # casts sleep, Nib HiS
    blows = sum(fact["type"] == "action_taken" and fact["action"]["kind"] == "attack" for fact in facts)
    if blows > len(rolls) == 1 and [item.text for item in items[-2:-1]] == ["and"] and items[-1].number is not None:
        return True  # ana whacks gob, bo whacks him too, 5 and 3
    return _miscounts(scene, items) or _strikes_oneself(items, facts) or _counts_weapons(items, facts)


_MARGIN = re.compile(rf"(?i)\bby (\d{{1,2}})\b|\b(\d{{1,2}}) {MARGINS}\b")


def without_margin(line: str, facts: Facts) -> Facts:
    """Return facts in which by how much a blow hits or misses is no roll: beats his AC by 2; 5 short."""
    margins = {int(number) for pair in _MARGIN.findall(line) for number in pair if number}
    return [
        {key: value for key, value in fact.items() if key != "die"}
        if fact["type"] == "attack_rolled" and isinstance(fact.get("die"), int) and fact["die"] in margins
        else fact
        for fact in facts
    ]


_DENIES = re.compile(
    r"(?i)(no|none|not|never|neither|nor|would|wouldn['’]?t|unable|\w+n['’]t|no longer|without|cannot|refuses?|declines?|stops?|prevents?|keeps?|lets?)"
)


def denied(items: Sequence[Item], unread: Sequence[str]) -> bool:
    """Say whether a reading leaves out only the word by which the next ones did not happen: doesn't take 5; would have hit gob."""
    if any(one.text in ("no", "none") and other.who and other.who.plural for one, other in _side_by_side(items)):
        return True  # no orcs flee
    left = [word.casefold() for word in unread]
    for at, item in enumerate(items):
        if item.typed.casefold() not in left or not _DENIES.fullmatch(item.text):
            continue
        behind = [one for one in items[at + 1 :] if one.kind == "word" and not one.is_("become") and one.text != "nor"]
        return bool(behind) and behind[0].typed.casefold() not in left
    return False


def _leaves_out_somebody(items: Sequence[Item], told: Sequence[str]) -> bool:
    """Say whether somebody is named who is in no fact, and owns nothing that is: sets gob up for ana."""
    quoted = " ".join(told)
    said = {part for value in told for part in re.split(r"[^\w-]+", value)}
    return any(
        item.who is not None
        and bool(item.who.ids)
        and not item.who.group
        and behind.text != "'s"
        and said.isdisjoint(item.who.ids)
        and item.text not in (quoted if " " in item.text else said)
        for item, behind in pairwise([*items, NOTHING])
    )


def _leaves_out_an_end(items: Sequence[Item], told: Sequence[str]) -> bool:
    """Say whether a death, a fall or a state is in no fact: watches gob die."""
    quoted = " ".join(told)
    return any(
        item.kind == "word"
        and _is_an_end(before, item, behind)
        and item.text not in quoted
        and item.value("condition") not in quoted.split()
        for before, item, behind in zip([NOTHING, *items], items, [*items[1:], NOTHING], strict=False)
    )


def _is_an_end(before: Item, item: Item, behind: Item) -> bool:
    """Say whether a word is that somebody dies, falls or is in a state."""
    if item.is_verb("strike") and item.is_verb("fell"):
        return True  # brings gob down with an arrow
    if before.who is not None and behind.kind in ("mark", "none") and item.is_("status_dead", "status_down", "die"):
        return True  # gob out, orc still up
    other = ("filler", "hit", "miss", "towards", "weapon", "type", "skill", "feature")
    return item.is_("status_dead", "status_down", "die", "condition") and not (
        item.is_verb("end_it", "handle", "deed", "strike", "hold") or item.is_(*other)
    )


def _numbers(items: Sequence[Item]) -> Iterator[int]:
    """Yield the numbers of a line that are typed as figures, and count nothing."""
    for before, item, behind in zip([NOTHING, *items], items, [*items[1:], NOTHING], strict=False):
        number = item.number
        if number is None or number.spelled or number.faces or item.kind != "number":
            continue
        if number.pair:
            yield from number.pair if before.text == "/" else ()  # 3/0/4
            continue
        counts = behind.is_(
            "ammunition", "spell", "weapon", "feature", "points", "unit", "length", "success", "failure"
        )
        if counts or before.text in ("x", "by", "of", "#", "round", "rd", "segment", *_LEVELS):
            continue
        if behind.text == "of":
            continue
        yield abs(number.value)


def _leaves_out_a_number(items: Sequence[Item], told: Sequence[str]) -> bool:
    """Say whether a number is in no fact, by itself or in a sum: breath, 20 halved to 10, read as a save with 10."""
    found = {int(each) for value in told for each in re.findall(r"\d{1,9}", value)}
    own = [*_numbers(items)]
    sums = {one + other for at, one in enumerate(own) for other in own[at + 1 :]}
    return any(each not in found and not any(each < total for total in found & {*sums}) for each in own)


_BEFALLS = ("leave", "die", "fall", "fall_prone", "save", "succeed", "fail", "hit", "miss", "rise", "surrender", "move")


def _counts_members(scene: Scene, items: Sequence[Item]) -> bool:
    """Say whether a number may be one of a kind, or how many of it, and was read as something else: orc 1 hits, 2 misses;
    sleep on the orcs, 3 fall; hits orc 2 3 for 5.
    """
    kinds = {kind_of(who) for item in items if item.who for who in item.who.ids if who[-1:].isdigit()}
    numbers = {number for kind in kinds for number in scene.families.get(kind, ())}
    for before, item, behind in zip([NOTHING, *items], items, [*items[1:], NOTHING], strict=False):
        one = item.number
        if one is None or item.kind != "number" or one.sign or one.pair or one.faces or one.value not in numbers:
            continue
        begins = before.kind == "mark" or before.text in ("and", "but", "then", "&")
        told = (
            behind.is_verb(*_BEFALLS)
            or behind.text == "fall"
            or behind.is_("status_dead", "status_down", "condition", "success", "failure")
        )
        if begins and told and not behind.is_("damage", "points", "to_hit"):
            return True
        if before.who is not None and before.text[-1:].isdigit() and behind.text == "for":
            return True
    return False


def _denies_of_all(items: Sequence[Item]) -> bool:
    """Say whether "no" or "none of" stands right before somebody, and may deny what is told of them: no orcs flee."""
    return any(one.text in ("no", "none", "not") and item.who is not None for one, item in _side_by_side(items))


def _side_by_side(items: Sequence[Item]) -> Iterator[tuple[Item, Item]]:
    """Yield each item with the next one, without articles between them."""
    return pairwise([NOTHING, *(item for item in items if item.text not in ("of", "the"))])


def _miscounts(scene: Scene, items: Sequence[Item]) -> bool:
    """Say whether a word before a group says how many are meant, and there are more, or fewer: both foes, of three; some of the foes."""
    for at, item in enumerate(items):
        if item.who is None or len(item.who.ids) < 2:
            continue
        words = item.text.split()
        if words[0] == "both" and len(item.who.ids) != 2:
            return True
        if "other" in words and _counts_others(scene, words, item.who.ids):
            return True
        before = [one for one in items[max(at - 3, 0) : at] if one.text not in ("of", "the", "those", "these")]
        last = before[-1] if before else NOTHING
        if last.text in _COUNTS and item.who.plural and _COUNTS[last.text] != len(item.who.ids):
            return True
        if last.text in _SOME and items[at - 1].text in ("of", "the", "those", "these", last.text):
            return True
    return False


def _strikes_otherwise(items: Sequence[Item], facts: Facts) -> bool:
    """Say whether somebody is the subject of a blow in a clause about another, and no fact has a blow of theirs: the orc that ana hit takes 5; loses 5 when gob hits him."""
    by = {fact["combatant"] for fact in facts if fact["type"] == "attack_rolled"}
    plain = [NOTHING, *(item for item in items if not item.is_("adverb") and item.text not in ARTICLES)]
    return bool(by) and any(
        one.who is not None
        and bool(one.who.ids)
        and verb.is_verb("hit", "miss", "strike", "shoot")
        and before.text in _SUBORDINATE
        and by.isdisjoint(one.who.ids)
        for before, one, verb in zip(plain, plain[1:], plain[2:], strict=False)
    )


_SUBORDINATE = ("that", "whom", "which", "when", "as", "while", "after", "before", "once")
"""Words with which a clause about another begins, and behind which its subject follows."""
_CAUSES = ("make", "makes", "made", "have", "has", "had", "let", "lets", "force", "forces", "forced")
"""Verbs with which somebody brings another to do something."""


def _makes_another_do_it(items: Sequence[Item], facts: Facts) -> bool:
    """Say whether a save or a blow is what somebody else is brought to, or may be told of the subject instead of whom it is
    recorded of: makes gob save; hits gob for 5 and makes her save with 14.
    """
    saves = {fact["combatant"] for fact in facts if fact["type"] == "save_rolled"}
    rolls = saves | {fact["combatant"] for fact in facts if fact["type"] == "attack_rolled"}
    subject = next((item.who.ids for item in items if item.who), ())
    plain = [item for item in items if item.text not in ARTICLES]
    for before, cause, whom, verb in zip(plain, plain[1:], plain[2:], [*plain[3:], NOTHING], strict=False):
        if cause.text not in _CAUSES:
            continue
        if whom.who is not None and verb.is_verb("save", "succeed", "fail", "hit", "miss", "strike", "shoot") and rolls:
            return True
        if before.is_("and") and whom.text in POSSESSIVES and saves and saves.isdisjoint(subject):
            return True
    return False


def _is_hit_by_a_lasting_spell(scene: Scene, items: Sequence[Item], facts: Facts) -> bool:
    """Say whether a spell that only lasts was read as what hits somebody: casts bless and hits gob for 5."""
    cast = next((fact for fact in facts if "action" in fact and fact["action"]["kind"] == "cast"), None)
    hurts = {fact["type"] for fact in facts if fact is not cast} == {"damage_dealt"}
    if cast is None or not hurts or not any(item.is_verb("hit") for item in items):
        return False
    name = cast["action"].get("name", "")
    return bool(name) and bool(known_spell(scene.context, cast.get("combatant", ""), name).get("concentration"))


_MOVED = frozenset({"moved", "placed", "combatant_left"})
_SEVERAL_BLOWS = (
    "twice",
    "thrice",
    *(f"{each}{end}" for each in ("multiattack", "full attack") for end in ("", "s", "ed")),
)


def _goes_somewhere(verb: Item, behind: Item) -> bool:
    """Say whether a verb is one of moving only, and a place follows: moves past bo."""
    return verb.verbs == {"move"} and behind.kind == "word" and behind.is_("towards") and not verb.is_("filler")


def _is_beside_a_spell(items: Sequence[Item]) -> bool:
    """Say whether a spell stands alone behind a roll, and may be what the target casts: 17 to hit ana, shield, miss."""
    return any(
        before.kind == behind.kind == "mark"
        and item.is_("spell")
        and not item.is_("weapon", "effect")
        and any(one.number is not None for one in items[:at])
        for at, (before, item, behind) in enumerate(zip(items, items[1:], items[2:], strict=False))
    )


_OWNS = ("his", "its", "their", "my", "our", "your")
"""Possessives, behind which something has to stand."""


def _counts_others(scene: Scene, words: Sequence[str], ids: Sequence[str]) -> bool:
    """Say whether "the other two" are not two, or "the others" all of their kind, of whom nobody was told: the other two orcs, of four."""
    count = next((UNITS[each] for each in words if each in UNITS), 0)
    kind = kind_of(ids[0])
    return (count and count != len(ids)) or {*scene.families.get(kind, {}).values()} == {*ids}


def _has_a_strange_part(facts: Facts) -> bool:
    """Say whether points have a source that is none, or are none: takes 5 x 2; takes 5 from each; comes back from 0."""
    parts = (part for fact in facts for part in fact.get("parts") or () if isinstance(part, dict))
    names = {part.get("name") for part in parts}
    none = any(fact["type"] == "healed" and fact["amount"] == 0 for fact in facts)
    return none or not names.isdisjoint(("x", "each", "both", "ish", "times", "all", "earlier"))


def _is_told_of_one(facts: Facts) -> bool:
    """Say whether of several who are hit only one takes damage: ana hits gob, bo hits orc, both for 5."""
    hit = {fact["target"] for fact in facts if fact["type"] == "attack_rolled" and fact.get("hit") and "target" in fact}
    hurt = {fact["target"] for fact in facts if fact["type"] == "damage_dealt"}
    return len(hit) > 1 and len(hurt) == 1


def _strikes_oneself(items: Sequence[Item], facts: Facts) -> bool:
    """Say whether somebody strikes themselves, and no word says so."""
    oneself = any(item.is_("oneself") for item in items)
    return not oneself and any(
        fact["type"] == "attack_rolled" and fact.get("target") == fact["combatant"] for fact in facts
    )


MOST_COUNTED = 6
"""The most weapons or blows that a number in words counts: eighteen hits is what was rolled."""


def _counts_weapons(items: Sequence[Item], facts: Facts) -> bool:
    """Say whether a count of weapons or of people, or the number of a name, was read as what is rolled: hits with one claw, one orc hits Bo, hits orc-3."""
    rolled: set[int] = {fact["die"] for fact in facts if isinstance(_die(fact), int)}
    return any(
        item.number is not None
        and abs(item.number.value) in rolled
        and (
            (
                item.number.spelled
                and item.number.value <= MOST_COUNTED
                and (
                    behind.is_("weapon", "hit", "ammunition")
                    or behind.text in ("off", "in", "at", "on", "who", "that")
                    or behind.who is not None
                )
            )
            or (before.text == "-" and before.end == item.start and first.who is not None and first.end == before.start)
        )
        for first, before, item, behind in zip(
            [NOTHING, NOTHING, *items], [NOTHING, *items], items, [*items[1:], NOTHING], strict=False
        )
    )


def _die(fact: Fields) -> object:
    return fact.get("die") if fact["type"] == "attack_rolled" else None
