"""Corrections as people type them: the latest fact that fits is amended, or the last line is taken back."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, takewhile

from msgspec import Struct, structs

from eventstore.events import ActionTaken, AttackRolled, DamageDealt, Fact
from projections.grammar.last_line_corrections import FIELDS, Number, _aimed_at, _with, done_by, strikes_itself
from projections.grammar.line_context import Gap
from projections.occurrence import Occurrence
from projections.open_types import Fields
from projections.reader.composition import PRONOUNS, Reading, readings
from projections.reader.dictionary import listed
from projections.reader.lexicon import ARTICLES
from projections.reader.mended import amended, mended, of_another_doer
from projections.reader.parts import parts
from projections.reader.scene import People, Scene
from projections.reader.tags import Item

MOST_BACK = 40
"""How many deeds back a fact is looked for."""


class Match(Struct, frozen=True):
    """A fact that a correction can be about: its record, the fact, the field with the number."""

    seq: int
    fact: object
    field: str
    value: int


def correction(scene: Scene, items: Sequence[Item], *, cued: bool = False) -> list[Reading] | None:
    """Return the meanings of a correction, the latest fact first; None if the line is not one. Words before the line may have `cued` it as one."""
    items, sorry = _without_sorry(items)
    cued = cued or sorry
    told, behind = _with_points_left(items)
    if behind is not None:
        found = correction(scene, told, cued=cued)
        return [_checked(scene, each, *behind) for each in found] if found else None
    if follows := _what_follows(scene, items):
        told, after = follows
        found = correction(scene, told, cued=cued)
        return [_with_what_follows(each, after) for each in found] if found else None
    cue = cued or _is_cued(items) or _says_only_that(items) or any(item.text in _WRONG for item in items)
    items, in_round = _without_round(_without_counted(_without_reasons(_without_kinds(items))))
    if (changed := mended(scene, items, cued=cue)) is not None:
        return changed
    numbers = [
        at
        for at, item in enumerate(items)
        if item.number is not None and not item.number.summed and not item.values and item.who is None
    ]
    against = next((at for at, item in enumerate(items) if item.text in _AGAINST), -1)
    if any(
        items[at + 1].is_("length", "unit") and not items[at + 1].is_("points") for at in numbers if at + 1 < len(items)
    ):
        return None  # a way or a time, of which no fact here has one
    if any(items[at - 1].is_("round", "segment") or items[at - 1].text == "#" for at in numbers if at):
        return None  # that was the last turn, so we start round two
    whom = [at for at, item in enumerate(items) if item.who is not None]
    whom = [at for at in whom if items[at].text not in PRONOUNS] or whom  # that was Pip it struck, not Osmund
    was = any(item.text in _MEANT or item.is_verb("take", "deal") or item.is_("condition") for item in items)
    was = was or _is_of_points_gained(items)
    if len(numbers) == 2 and (pair := _pair(items, numbers)):
        new, old = (items[at] for at in pair)
        reports = any(
            item.text in ("that was", "it was", "that", "this was") for item in items
        )  # that was 12 not 21 on Ana
        set_ = _set_instead(scene, items, new, old)
        if set_ or (set_ == [] and not reports):
            return set_
        if was or cue or not whom or numbers[0] != pair[0]:
            return _renumbered(scene, items, new=new, old=old, in_round=in_round)
    if (
        against >= 0
        and len(whom) > 1
        and len(numbers) < 2
        and (was or cue)
        and any(at < against for at in whom)
        and any(at > against for at in whom)
    ):
        amount = items[numbers[0]].number if numbers else None
        instead = max(at for at in whom if at < against) if not numbers else whom[0]
        wrong = min(at for at in whom if at > against) if not numbers else whom[-1]
        return _retargeted(scene, items, new=instead, old=wrong, amount=amount.value if amount else None)
    if len(whom) == 1 and not numbers and (cue or any(item.text == "meant" for item in items)) and not _unread(items):
        return _aimed_anew(scene, items[whom[0]], certain=cue and _is_a_target(items, whom[0]))
    if cue and len(whom) == len(numbers) == 1 and any(item.text in ("got", "gets") for item in items):
        amount = items[numbers[0]].number
        if anew := _aimed_anew(scene, items[whom[0]], amount.value if amount else None):
            return anew
    if cue and len(numbers) == 1 and (was or not _unread(items)) and not _says_what_is(items):
        made = _renumbered(scene, items, new=items[numbers[0]], old=None, in_round=in_round)
        return None if made == [] and _is_of_points_gained(items) else made
    if not cue and against < 0 and len(numbers) == 1 and any(item.text == "only" for item in items):
        return _lessened(scene, items, items[numbers[0]])
    if against >= 0 and len(numbers) == 2 and cue:
        return []
    return None


_BEFELL = ("got", "gets", "hit", "struck", "attacked", "target", "targeted", "hurt")
"""Words by which a correction is about whom something befell, and not about who did it."""
_LAST = ("last", "previous", "the last", "the previous")
"""Words for what was told before."""


def _without_counted(items: Sequence[Item]) -> Sequence[Item]:
    """Return items in which the last 1 is the last one, and no number."""
    return [
        structs.replace(item, number=None, kind="word", text="one")
        if at and items[at - 1].text in _LAST and item.number is not None and item.number.value == 1
        else item
        for at, item in enumerate(items)
    ]


_OUTCOMES = ("ruling_made", "condition_gained", "condition_lost", "effect_ended", "checked")
"""The facts that may follow from a correction."""


def _what_follows(scene: Scene, items: Sequence[Item]) -> tuple[Sequence[Item], Reading] | None:
    """Return a correction of a number, and apart from it what follows, told behind "so": that was 6, so it's dead; None without it."""
    at = next((at for at, item in enumerate(items) if at and item.text == "so"), 0)
    if not at or not any(item.number is not None and item.who is None for item in items[:at]):
        return None
    behind, met = [*items[at + 1 :]], scene.context.memory.met
    if behind and behind[0].text in PRONOUNS and met in scene.ids:
        behind[0] = structs.replace(behind[0], kind="who", senses=(), who=People((met,)))  # so it's dead
    found = readings(scene, parts(behind, turns=not scene.has_sides))
    sure = found and not (found[0].guesses or found[0].unread or found[0].options)
    if not sure or not all(fact["type"] in _OUTCOMES for fact in found[0].facts):
        return None
    return [item for at_, item in enumerate(items[:at]) if at_ < at - 1 or item.kind != "mark"], found[0]


def _with_what_follows(reading: Reading, after: Reading) -> Reading:
    """Return a correction with what follows from it."""
    facts = [{**fact} for fact in after.facts]
    return structs.replace(reading, facts=[*reading.facts, *facts], guesses=reading.guesses + after.guesses)


_APART = (",", ".", ";", "-", "–", "—", "(", ")", ":", "so", "and")
_LEFT = (
    "left",
    "remaining",
    "remains",
    "now",
    "at",
    "on",
    "has",
    "is",
    "'s",
    "still",
    "down to",
    "to",
    "down",
    "up to",
)


def _with_points_left(items: Sequence[Item]) -> tuple[Sequence[Item], tuple[Item, int] | None]:
    """Return a correction, and apart from it who has how many points by it, told behind: gnoll 1 did 5, so Hume has 9 left."""
    at = max((at for at, item in enumerate(items[:-1]) if item.text in _APART), default=-1)
    head, tail = items[: max(at, 0)], [item for item in items[at + 1 :] if item.kind != "mark"]
    whom = [item for item in tail if item.who is not None and len(item.who.ids) == 1]
    numbers = [item.number.value for item in tail if item.number is not None and item.who is None]
    rest = [item for item in tail if item.who is None and item.number is None]
    plain = all(item.text in _LEFT or item.is_("points", "filler", "become") for item in rest)
    counts = any(item.text in _LEFT for item in rest) and any(item.number and item.who is None for item in head)
    if at < 0 or len(whom) != 1 or len(numbers) != 1 or len(tail) < 3 or not plain or not counts:
        return items, None
    return head, (whom[0], numbers[0])


def _checked(scene: Scene, reading: Reading, whom: Item, points: int) -> Reading:
    """Return an amendment of points with those that are left by it, which are checked; one that they contradict is only likely."""
    who = whom.who.ids[0] if whom.who else ""
    one = scene.state.combatants[who]
    changed = one.hp or 0
    for fact in reading.facts:
        new, told = fact.get("replacement", {}), scene.fact(fact.get("event", 0))
        if told is not None and new.get("target") == who and "amount" in new:
            less = new["amount"] - getattr(told.event, "amount", 0)
            changed += less if new["type"].startswith("healed") else -less
    check: Fields = {"type": "checked", "values": {f"{who}.hp": points}}
    return structs.replace(reading, facts=[*reading.facts, check], guesses=reading.guesses + (changed != points))


def _without_kinds(items: Sequence[Item]) -> Sequence[Item]:
    """Return items in which the wrong one of a kind is only wrong: wrong orc, it was orc 2."""
    return [
        item
        for before, item in zip((None, *items), items, strict=False)
        if not (before is not None and before.text == "wrong" and item.who is not None and not item.who.ids)
    ]


def _without_reasons(items: Sequence[Item]) -> Sequence[Item]:
    """Return items without a reason apart from them, which has no name, number, state or outcome: that should be 8, forgot my strength."""
    ends = [at for at, item in enumerate(items) if item.kind == "mark"]
    pieces = [items[one:other] for one, other in pairwise((0, *(at + 1 for at in ends), len(items)))]
    kept = [each for each in pieces if not (_unread(each) and _is_a_reason(each))]
    told = [item for each in kept for item in each]
    return told if any(item.number is not None and item.who is None for item in told) else items


def _is_a_reason(items: Sequence[Item]) -> bool:
    """Say whether words name nobody, and have no number, state, outcome or verb of a fight."""
    said = [item for item in items if not item.is_("filler")]
    forgets = items[0].text in _FORGETS
    tells = (
        item.who or item.number or (not forgets and (item.is_(*_OF_A_FIGHT) or item.is_verb(*_DEEDS))) for item in said
    )
    return not any(tells) and sum(item.kind == "word" for item in items) > 1


_FORGETS = ("forgot", "forgetting", "misread", "miscounted", "because", "cause", "cuz")
_OF_A_FIGHT = (
    "critical",
    "fumble",
    "half",
    "double",
    "condition",
    "status_dead",
    "status_down",
    "hit",
    "miss",
    "not",
    "success",
    "failure",
    "save",
    "turn",
)
_DEEDS = ("strike", "shoot", "take", "heal", "kill", "leave", "die", "cast", "move")


def _without_round(items: Sequence[Item]) -> tuple[Sequence[Item], int | None]:
    """Return items without the round of what is corrected, and that round; None without one: the shot in round 1 was 8, not 7."""
    for at in range(len(items) - 2):
        cue, noun, number = items[at : at + 3]
        if cue.text in ("in", "of", "from", "during") and noun.is_("round") and number.number is not None:
            return [*items[:at], *items[at + 3 :]], number.number.value
    return items, None


def _says_only_that(items: Sequence[Item]) -> bool:
    """Say whether a line has only who or how much it was, and perhaps not: the orc, not gob; 5 actually."""
    words = {item.text for item in items if item.kind == "word" and item.who is None and item.text not in ARTICLES}
    return bool(words) and words <= {*_AGAINST, "actually", "really"}


def _is_cued(items: Sequence[Item]) -> bool:
    """Say whether a line begins as a correction: oops; I am so sorry, it was Bo; the last hit was 4."""
    told = [item.text for item in items if item.text not in ("the", "that", "his", "her", "my")]
    if told[:1] in (["last"], ["previous"]) and {"was", "is", "should be", "should have been"} & {*told[1:4]}:
        return True
    if items[0].kind == "word" and items[0].is_("correction"):
        return True
    if items[0].text in ("change", "fix", "correct", "amend", "edit") and any(item.text == "to" for item in items):
        return True
    if _ends_sorry(items) or any(one.number and other.text in ("actually", "really") for one, other in pairwise(items)):
        return True
    plain = ("filler", "leads", "adverb", "correction", "become", "pronoun_subject")
    lead = [*takewhile(lambda item: item.kind != "mark" and item.number is None and item.is_(*plain), items)]
    return any(item.is_("correction") for item in lead)


def _without_sorry(items: Sequence[Item]) -> tuple[Sequence[Item], bool]:
    """Return items without a word behind a mark that takes something back, and whether there is one: orc 3 not orc 1, sorry."""
    sorry = len(items) > 3 and items[-2].kind == "mark" and items[-1].text in _SORRY
    return (items[:-2], True) if sorry else (items, False)


_SORRY = ("sorry", "oops", "whoops", "my bad", "my mistake", "typo", "i mean", "i meant", "correction")


def _ends_sorry(items: Sequence[Item]) -> bool:
    """Say whether a line has only a number, and behind it a word that takes something back: 8 damage, sorry."""
    told = [item for item in items if item.kind != "mark"]
    last = told[-1]
    numbers = sum(item.number is not None for item in told)
    rest = all(item.number is not None or item.is_("damage", "points", "filler") for item in told[:-1])
    return last.kind == "word" and last.is_("correction") and last.text != "no" and numbers == 1 and rest


_WRONG = frozenset(
    [
        "wrong",
        "mistake",
        "typo",
        "was wrong",
        "is wrong",
        "my bad",
        "my mistake",
        "should have",
        "misread",
        "miscounted",
        "mistyped",
        "misclicked",
        "misclick",
        "miscalculated",
        "misheard",
        "error",
    ]
)
"""Words anywhere in a line that say something before it was wrong."""
_AGAINST = ("not", "instead", "rather", "wasn't", "weren't")
_MEANT = frozenset(
    listed(
        "was, were, did, took, got, should, had, only, actually, meant, really, hit, rolled, been, that was, it was, was really,"
        "make that, should be, should have been, supposed"
    )
)
"""Words of a line that is about an earlier report."""
_SAID = (
    "typed",
    "said",
    "wrote",
    "entered",
    "put",
    "told",
    "wasn't",
    "not",
    "weren't",
    "wrote down",
    "was not",
    "thought",
)
"""Words before a number that was wrong."""
_BECAME = (
    "should be",
    "should have been",
    "was",
    "was really",
    "to",
    "should",
    "is really",
    "was actually",
    "was meant",
    "into",
)
"""Words between a wrong number and the right one."""


def _pair(items: Sequence[Item], numbers: Sequence[int]) -> tuple[int, int] | None:
    """Return the places of the right number and of the wrong one: 4 not 6; not 6 but 4; I typed 6 but it was 4; change the 6 to a 4."""
    one, other = numbers
    before = [item.text for item in items[max(one - 3, 0) : one]]
    between = [item.text for item in items[one + 1 : other]]
    first = next((item.text for item in items if item.kind != "mark"), "")
    if any(each in _SAID for each in before) and any(
        each in ("but", "it was", "meant", "rather", "should", "should be", "should have been") for each in between
    ):
        return other, one
    denied = before[-1:] == ["not"] and all(each in _RATHER for each in between)
    changes = first in ("change", "fix", "correct", "amend", "edit") and any(each in ("to", "into") for each in between)
    should = before == [] and any(each.startswith("should") for each in between)
    named = (should or before[-1:] in (["the"], ["that"])) and any(each in _BECAME for each in between)
    if (
        changes
        or denied
        or (named and all(each in (*_BECAME, "a", "an", "have", "been", "be", "only", "really") for each in between))
    ):
        return other, one
    return (one, other) if any(each in _AGAINST for each in between) else None


_RATHER = (
    ",",
    ".",
    ";",
    "-",
    "but",
    "it",
    "was",
    "is",
    "'s",
    "a",
    "it's",
    "that",
    "only",
    "rather",
    "points",
    "damage",
)
"""Words and marks between a wrong number that is denied and the right one: not 6, 4."""
_SHEET = ("points", "armor", "become", "filler", "correction", "not", "to", "adverb", "up", "begin", "round")
"""The kinds of words beside what a combatant has."""


def _says_what_is(items: Sequence[Item]) -> bool:
    """Say whether a line reports what a combatant has, or where they are, and not what happened to them: has 25, is at 25, ac is 16."""
    texts = {item.text for item in items}
    owns = any(one.text == "'s" and (other.number or other.is_("points")) for one, other in pairwise(items))
    has = texts & {"has", "have", "had", "at", "on", "max", "maximum"} or owns or any(i.is_("armor") for i in items)
    told = any(item.is_("damage", "hit", "rolled", "save", "initiative", "to_hit", "type") for item in items)
    acts = any(item.is_verb("take", "deal", "heal", "strike", "shoot", "hit") for item in items)
    return bool(has) and not told and not acts and sum(item.who is not None for item in items) == 1


def _set_instead(scene: Scene, items: Sequence[Item], new: Item, old: Item) -> list[Reading] | None:
    """Return a change of somebody's sheet from a wrong value to the right one: bo has 25 not 30; None if the line is about no such value.

    It is empty if the log does not have the wrong value, or the line says something else, too.
    """
    if not _says_what_is(items):
        return None
    whom = next(item.who for item in items if item.who is not None)
    if whom is None or len(whom.ids) != 1 or new.number is None or old.number is None:
        return None
    one, value, before = scene.state.combatants[whom.ids[0]], new.number.value, old.number.value
    unread = tuple(
        item.typed
        for item in items
        if item.kind == "word" and not item.is_(*_SHEET) and item.text not in ("max", "maximum", *_PLAIN)
    )
    if any(item.is_("armor") for item in items):
        sheet: Fields = {"ac": value}
        was = getattr(one.sheet, "ac", None)
    elif any(item.text in ("max", "maximum") for item in items):
        sheet, was = {"hp_max": value, **({"hp": value} if one.hp == one.hp_max else {})}, one.hp_max
    else:
        sheet, was = {"hp": value, **({"hp_max": value} if one.hp == one.hp_max else {})}, one.hp
    if was != before or unread:
        return []
    return [Reading([{"type": "sheet_changed", "combatant": one.id, "sheet": sheet}], ("correction",))]


def _lessened(scene: Scene, items: Sequence[Item], new: Item) -> list[Reading] | None:
    """Return the latest damage with fewer points, or further damage: gob only took 4; None if nobody who is named took it.

    Behind the blow itself, what its attacker only did is certain: Kex hits Bo for 14; Kex only did 10 to Bo.
    """
    named = {who for item in items if item.who for who in item.who.ids}
    hurt = next((fact.target for _, fact in _facts(scene) if isinstance(fact, DamageDealt)), "")
    takes = any(item.is_verb("take", "deal") for item in items)
    if hurt not in named or not takes:
        return None
    less = _renumbered(scene, items, new=new, old=None) or []
    if len(less) == 1 and any(item.text in ("did", "dealt") for item in items) and _ended_with(scene, named):
        return [structs.replace(less[0], guesses=0)]
    return [
        structs.replace(each, guesses=1) for each in (*less, *readings(scene, parts(items, turns=not scene.has_sides)))
    ]


def _ended_with(scene: Scene, named: set[str]) -> bool:
    """Say whether the last line ended with a deed of one of two who are named at the other, and nothing has happened since."""
    memory = scene.context.memory
    return {*memory.told} == named and bool(memory.lines) and memory.lines[-1][1] == memory.deeds[-1]


def _facts(scene: Scene) -> Iterator[tuple[int, object]]:
    """Yield the latest deeds, the last first, each with its record."""
    for seq in reversed(scene.context.memory.deeds[-MOST_BACK:]):
        fact = scene.fact(seq)
        if fact is not None and seq not in scene.state.struck_by:
            yield seq, fact.event


def _people(fact: object) -> set[str]:
    found = {getattr(fact, name, None) for name in ("combatant", "target", "source")}
    return {each for each in found if each} | {*getattr(fact, "targets", ())}


def _sorts(items: Sequence[Item]) -> tuple[str, ...]:
    """Return the types of facts that the words of a correction can be about."""
    if _is_of_points_gained(items) and not any(item.is_verb("take", "deal") or item.is_("damage") for item in items):
        return ("Healed",)
    points = any(item.is_("points") for item in items)
    if points and not any(item.is_("damage", "type") or item.is_verb("take", "deal", "heal") for item in items):
        return ("DamageDealt", "Healed")
    if any(item.is_("damage", "type", "points") or item.is_verb("take", "deal") for item in items):
        return ("DamageDealt",) if not any(item.is_verb("heal") for item in items) else ("Healed", "DamageDealt")
    if any(item.is_("rolled") for item in items) and not any(item.is_verb("hit") for item in items):
        return ("AttackRolled", "SaveRolled", "DiceRolled")
    if any(item.is_("to_hit", "rolled") or item.is_verb("hit") for item in items):
        return ("AttackRolled", "SaveRolled", "DiceRolled", "DamageDealt")
    if any(item.is_("save") for item in items):
        return ("SaveRolled",)
    if any(item.is_verb("heal", "regain") and not item.is_("correction") for item in items):
        return ("Healed",)
    return ("DamageDealt", "Healed", "AttackRolled", "SaveRolled", "DiceRolled")


def _is_of_points_gained(items: Sequence[Item]) -> bool:
    """Say whether a correction is about points that somebody got: regains 6, 6 back, 11 temporary hp."""
    back = any(one.number is not None and other.text in ("back", "hp back") for one, other in pairwise(items))
    gains = any(item.is_("temporary") or item.is_verb("regain", "heal") for item in items)
    return back or (gains and not any(item.is_("correction") and item.is_verb("heal") for item in items))


def _matches(scene: Scene, items: Sequence[Item], old: int | None) -> Iterator[Match]:
    sorts = _sorts(items)
    named = [set(item.who.ids or item.who.options) for item in items if item.who is not None]
    actors_of = _actors(scene)
    takes = any(item.is_verb("take", "regain") for item in items) and not any(
        item.is_verb("deal", "hit") for item in items
    )
    temporary = any(item.is_("temporary") for item in items)
    for seq, fact in _facts(scene):
        if type(fact).__name__ not in sorts or (temporary and not getattr(fact, "temporary", False)):
            continue
        about = _people(fact) | actors_of(fact)
        if takes and getattr(fact, "target", None):
            about = {getattr(fact, "target", "")}
        if not all(about & each for each in named):
            continue
        for field in FIELDS:
            value = getattr(fact, field, None)
            if isinstance(value, int) and (old is None or value == old):
                yield Match(seq, fact, field, value)
                break


def _round_of(scene: Scene, seq: int) -> int:
    told = scene.fact(seq)
    return told.point.round if told else 0


def _actors(scene: Scene) -> Callable[[object], set[str]]:
    def of(fact: object) -> set[str]:
        cause = getattr(fact, "cause", None)
        act = scene.fact(cause) if isinstance(cause, int) else _blow_before(scene, fact)
        who = getattr(act.event, "combatant", None) if act is not None else None
        return {who} if who else set()

    return of


def _blow_before(scene: Scene, fact: object) -> Occurrence[Fact] | None:
    """Return the last blow at the target of some damage, before it, where the damage has no recorded cause."""
    seqs = [seq for seq, each in _facts(scene) if each is fact]
    for seq, each in _facts(scene):
        if seqs and seq < seqs[0]:
            return (
                scene.fact(seq)
                if type(each).__name__ == "AttackRolled" and getattr(each, "target", 0) == getattr(fact, "target", 1)
                else None
            )
    return None


def _renumbered(
    scene: Scene, items: Sequence[Item], *, new: Item, old: Item | None, in_round: int | None = None
) -> list[Reading] | None:
    value = abs(new.number.value) if new.number else 0
    before = abs(old.number.value) if old is not None and old.number is not None else None
    found = [each for each in _matches(scene, items, before) if in_round in (None, _round_of(scene, each.seq))]
    if before is None:
        sorts = ("DamageDealt", "Healed") if not _is_of_a_roll(items) else ("AttackRolled", "SaveRolled", "DiceRolled")
        found = [each for each in found if each.value != value and type(each.fact).__name__ in sorts]
    made: list[Reading] = []
    for match in found[:3]:
        try:
            changed = _with(Number(match.seq, match.fact, match.field, match.value), value)
        except Gap:
            continue
        made.append(
            Reading(
                [amended(match.seq, changed)],
                ("correction",),
                unread=_unread(items),
                guesses=0 if before is not None else 1,
            )
        )
    if len(made) > 1 and not _same_line(scene, found[0].seq, found[1].seq):
        made[1:] = []
    named = items[0].is_("correction") and any(item.who for item in items)
    if len(made) == 1 and before is None and (named or _is_alone(scene, items, found)):
        made[0].guesses = 0
    if len(made) > 1:
        made[0].ambiguous = True
    return made


def _is_of_a_roll(items: Sequence[Item]) -> bool:
    """Say whether a correction is about what was rolled, and not about points."""
    points = any(item.is_("damage", "type") or item.is_verb("take", "deal", "heal") for item in items)
    return not points and any(item.is_("to_hit", "rolled", "save", "save_kind") for item in items)


def _is_alone(scene: Scene, items: Sequence[Item], found: Sequence[Match]) -> bool:
    """Say whether the last line has exactly one number of the sort that is meant: of the sort that the line names, or of any."""
    first, last = scene.context.memory.lines[-1] if scene.context.memory.lines else (0, 0)
    told = [each for each in found if first <= each.seq <= last]
    named = _is_of_a_roll(items) or any(item.is_("damage", "points") or item.is_verb("take", "deal") for item in items)
    facts = [fact for seq, fact in _facts(scene) if first <= seq <= last]
    others = sum(isinstance(getattr(fact, field, None), int) for fact in facts for field in FIELDS)
    typed = any(item.is_("type", "first") or item.kind == "ordinal" or item.text in _OTHERS for item in items)
    return len(told) == 1 and (named or others == 1) and not typed


_OTHERS = ("other", "earlier", "first", "previous", "before")


def _same_line(scene: Scene, one: int, other: int) -> bool:
    return any(first <= min(one, other) and max(one, other) <= last for first, last in scene.context.memory.lines)


def _retargeted(
    scene: Scene, items: Sequence[Item], *, new: int, old: int, amount: int | None = None
) -> list[Reading] | None:
    """Return the amendments that give an effect another target: in the last line that has such an effect, with this
    amount if one is typed. One further back than the last line is only likely.
    """
    one, other = items[new].who, items[old].who
    if one is None or other is None or len(one.ids) != 1 or len(other.ids) != 1:
        return None
    others = {who for item in items if item.who for who in item.who.ids} - {*one.ids, *other.ids}
    for back, told in enumerate(scene.lines(MOST_BACK)):
        if amount is not None and amount not in {getattr(fact, name, None) for _, fact in told for name in FIELDS}:
            continue
        if others and not others & {who for _, fact in told for who in _people(fact)}:
            continue
        changes = [(seq, fact, _aimed_at(fact, one.ids[0], other.ids[0])) for seq, fact in told]
        befell = any(item.text in _BEFELL for item in items)
        if all(fact == changed for _, fact, changed in changes) and (others or not befell):
            changes = [(seq, fact, done_by(fact, one.ids[0], other.ids[0])) for seq, fact in told]
        facts: list[Fields] = [amended(seq, changed) for seq, fact, changed in changes if changed != fact]
        if any(strikes_itself(changed) for _, _, changed in changes):
            return []
        if facts:
            found = not back or amount is not None
            said = " ".join(str(each["replacement"]) for each in facts).casefold()
            falls = any(each["replacement"]["type"] == "condition_gained" for each in facts)
            unread = tuple(
                item.typed
                for item in _unread_items(items)
                if item.text not in said and not (falls and item.is_verb("fall_prone", "fall"))
            )
            return [Reading(facts, ("correction",), unread=unread, guesses=not found)]
    return None


_AIMS = ("on", "at", "against", "to", "upon", "vs")


def _is_a_target(items: Sequence[Item], at: int) -> bool:
    """Say whether a name is that of whom something befell: that was on orc 2, orc 2 took that, wrong target, it was orc 2."""
    befell = any(item.is_verb("take") or item.text in ("got", "gets") for item in items[at + 1 : at + 2])
    wrong = any(item.text in ("wrong target", "wrong one", "wrong") for item in items)
    return items[at - 1].text in _AIMS or befell or wrong


def _aimed_anew(scene: Scene, new: Item, amount: int | None = None, *, certain: bool = False) -> list[Reading] | None:
    """Return the last line with another target, which is only likely: wrong goblin, it was gob-2; with the `amount` of its damage
    it is the latest such line, and certain: no, Bo got the 11. None if the line had several targets, or none.
    """
    first, last = scene.context.memory.lines[-1] if scene.context.memory.lines else (0, 0)
    if new.who is None or len(new.who.ids) != 1:
        return None
    if amount is None:
        hit = {getattr(fact, "target", None) for seq, fact in _facts(scene) if first <= seq <= last}
    else:
        hurt = (fact.target for _, fact in _facts(scene) if isinstance(fact, DamageDealt) and fact.amount == amount)
        hit = {next(hurt, None)}
    hit -= {None, *new.who.ids}
    old = structs.replace(new, who=structs.replace(new.who, ids=(str(*hit),))) if len(hit) == 1 else None
    found = (_retargeted(scene, [new, old], new=0, old=1, amount=amount) or []) if old else []
    alike = bool(old) and {scene.side_of(who) for who in new.who.ids} == {scene.side_of(str(who)) for who in hit}
    unsure = amount is None and not (certain and alike)
    done = _done_anew(scene, new.who.ids[0]) if amount is None and not alike and not certain else []
    return [*done, *(structs.replace(each, guesses=int(unsure) + bool(done)) for each in found)] or None


def _done_anew(scene: Scene, who: str) -> list[Reading]:
    """Return the last line as what somebody else of the doer's side did, which is only likely: no sorry, that was gob 3."""
    told = next(scene.lines(1), [])
    doers = {fact.combatant for _, fact in told if isinstance(fact, AttackRolled | ActionTaken)}
    if len(doers) != 1 or {scene.side_of(each) for each in doers} != {scene.side_of(who)} or who in doers:
        return []
    return [structs.replace(each, guesses=1) for each in of_another_doer(told, who, *doers) or []]


_PLAIN = frozenset(
    listed(
        "was, were, did, took, got, should, have, been, had, only, actually, meant, really, it, that, this, one,"
        "the, a, not, instead, of, rather, than, n't, wasn't, round, in, last, earlier, hit, shot, attack, blow,"
        "damage, dmg, points, it's, for, on, to, from, 's, roll, rolled, save, is, by, he, she, they, them, him,"
        "her, his, its, but, be, just, i, no, wait, oops, correction, sorry, typed, said, wrote, entered, put, told,"
        "change, make, fix, correct, amend, edit, an, these, and, also, so, into, my, mistake, typo, wrong, bad,"
        "was wrong, thought, then, with, at, instead of, rather than, should be, should have been, make that, done,"
        "gone, us, we, am, so, who, whom, error, what, which, supposed, mistyped, misclicked"
    )
)
"""Words that only mark a line as a correction."""


def _unread(items: Sequence[Item]) -> tuple[str, ...]:
    return tuple(item.typed for item in _unread_items(items))


def _unread_items(items: Sequence[Item]) -> list[Item]:
    """Return the words of a correction that carry other meaning."""
    return [
        item
        for item in items
        if item.kind == "word"
        and item.text not in _PLAIN
        and not item.is_(
            "filler",
            "correction",
            "damage",
            "points",
            "type",
            "to",
            "from",
            "for",
            "weapon",
            "spell",
            "not",
            "round",
            "rolled",
            "adverb",
            "to_hit",
            "save",
            "save_kind",
            "hit",
            "ammunition",
            "become",
            "undo",
            "opportunity",
            "temporary",
            "give",
        )
        and not item.is_verb("take", "deal", "hit", "strike", "shoot", "heal", "regain")
        and item.text != "back"
    ]
