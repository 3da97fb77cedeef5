"""The last step: decision. A reading that covers every meaningful word is recorded; otherwise the likely ones are offered."""

import re
from collections.abc import Sequence
from functools import partial

from msgspec import Struct, structs

from eventstore.errors import Malformed
from eventstore.events import ActionTaken, AttackRolled, DamageDealt, Fact, Healed, Placed
from eventstore.form import event_of
from eventstore.record import upcast
from eventstore.shapes import Action
from projections.folds.moves import STILL
from projections.grammar import cautions, forms
from projections.grammar.advising import advice, following
from projections.grammar.line_context import Gap, LineContext, clock_move
from projections.grammar.parsing import Parsed, as_released, of_open_act
from projections.grammar.tokens import NotUnderstood
from projections.judging.known_words import known
from projections.open_types import Facts, Fields
from projections.reader import forgotten, headings, mended, remains, spelling, whole
from projections.reader.apart import apart
from projections.reader.clauses import BEFALLS
from projections.reader.composition import Reading, further, readings
from projections.reader.epithets import without_epithets
from projections.reader.forgotten import remembered
from projections.reader.headings import Headed
from projections.reader.hedges import hedged
from projections.reader.lexicon import POSSESSIVES, Lexicon, lexicon
from projections.reader.parts import Part, parts, without_praise
from projections.reader.pronouns import resolved
from projections.reader.reckoned import without_reckoning
from projections.reader.rolled import with_dice, with_notes, with_throws
from projections.reader.scene import People, Scene, distinct
from projections.reader.similes import without_similes
from projections.reader.swallowed import denied, swallows, without_margin
from projections.reader.tags import NOTHING, Item, tagged
from projections.reader.tokens import Number, Token, tokens

MOST_OFFERS = 3
MOST_DICE = 100


_BEGUN = re.compile(r"(?i)\s*((?:round|rd|rnd) \d+)[\s,.!:;–—-]+(?:and\s+)?(?=\w)")
"""A round before a question: round 3, and whose turn is it?"""
_STAT = re.compile(r"(?i)(?<![^\s(])(hp|ac|init)=\d{1,9}(?![^\s,;.)])")
"""Fields of a sheet in the notation, which people also type in sentences about those who join: the orc joins with hp=8."""


class Decision(Struct, frozen=True):
    """The outcome for a line: its meaning, if it is certain; its possible meanings, the likeliest first; the words that were not understood."""

    meaning: Parsed | None = None
    offers: tuple[Parsed, ...] = ()
    unread: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    why_not: NotUnderstood | None = None
    """Why the only meaning is not recorded, if there is a reason."""
    items: tuple[Item, ...] = ()
    """The items that its words were read as; none if it is no sentence."""
    stuck: tuple[Part, ...] = ()
    """The first clause that no frame can read."""


def decide(context: LineContext, line: str, *, throws: bool = True) -> Decision:
    """Return the meaning of a line, or its possible meanings; dice without faces are rolled for it if it `throws`.

    A line that is not certain is read with the right spelling of its words, too: gob is suprised.
    """
    found = _decide(context, line, throws=throws)
    if found.meaning is not None and found.meaning.rest and (begun := _BEGUN.match(line)):
        first = _decide(context, begun[1], throws=throws).meaning
        asked = _decide(context, line[begun.end() :], throws=throws)
        if asked.meaning is None or not asked.meaning.rest:
            return found
        return structs.replace(found, meaning=None, offers=(first, asked.meaning)) if first else asked
    if found.meaning is not None or not found.items:
        return found
    offers: list[Parsed] = []
    for way in spelling.ways(context, found.items, line):
        again = _decide(context, way.line, throws=throws)
        if way.is_clear and again.meaning is not None:
            return again
        if again.why_not is None and len(again.unread) <= len(found.unread):
            told = (again.meaning, *again.offers) if again.meaning is not None else again.offers
            offers += [each for each in told if each.form != "join"]
    if not offers:
        return found
    likely = [*offers, *found.offers]
    distinct = [each for at, each in enumerate(likely) if each.facts not in [other.facts for other in likely[:at]]]
    return structs.replace(found, offers=tuple(distinct[:MOST_OFFERS]))


def _decide(context: LineContext, line: str, *, throws: bool) -> Decision:
    """Return the meaning of a line as it is spelt, or its possible meanings."""
    line = _RULED.sub(lambda found: " " * len(found[0]), line)
    ordered = re.match(r"\s*(init\w*|initiative)\s*:", line, re.IGNORECASE)  # init: Juno=19
    plain = _STAT.sub(" ", line)
    if not ordered and re.search(
        r"[^\W\d]=[^\s=]|\s[@^]\w|^\s*[\"“„«‘']|\d{10}|\d{4}d\d|\S/\S*:\d|,=|(?<!\S)--\w", plain
    ):
        return Decision()  # an option of the notation, a remark, a number of no game
    if re.search(r"(?i)\bused to\b|^\W*(?:i|we) wish\b", line):
        return Decision()  # what is no more, or not yet
    if re.search(r"[\"“„«]\s*[\"”»]", line):
        return Decision()  # a name of nothing but spaces
    scene = Scene(context)
    words = lexicon(context.state.rules.rules)
    said = tokens(line)
    if not all(_can_fall(each.number) for each in said if each.number):
        return Decision()
    items, when, time = _items(scene, words, said)
    found = _of_commands(scene, words, line, throws=throws)
    if found is None:
        found = whole.readings(scene, items, line)
    if found is None and throws and any(each.kind == "dice" for each in said):
        items, when, time = _items(scene, words, with_throws(context, said))
        found = whole.readings(scene, items, line)
    unsure = found == [] and any(item.is_("spell", "spell_verb") for item in items)  # a spell is no surer in its parts
    if found is None:
        found = _meant(scene, items)
    if scene.gap is None and not (found and (found[0].rest or is_sure(found[0]))):
        tallied = whole.tally(scene, items)
        found = [*found, *tallied] if found and found[0].frames in (("initiative",), ("level",)) else [*tallied, *found]
    if not found and scene.gap is None:
        found = _after_a_time(scene, items, line, time.ahead) or _of_somebody(scene, items)
    if not (found and (found[0].rest or is_sure(found[0]))) or any(item.number and item.number.pair for item in items):
        found = [*_beside_what_is_left(scene, items, line), *found]
    if scene.gap is None and (not found or found[0].unread) and not unsure and not whole.is_question(items, line):
        found = sorted([*found, *apart(scene, items, partial(_certain, line))], key=_left_over)
    if when is not None:
        found = forgotten.told(found, when)
    found = [headings.at_its_time(each, time) for each in found]
    if not found and scene.gap is None:
        found = whole.of_the_table(items, line)
    if not found and scene.gap is not None:
        return Decision(why_not=NotUnderstood(1, scene.gap.why, scene.gap.hint))
    if found and not found[0].rest and is_sure(found[0]) and found[0].frames != ("correction",):
        changes = mended.contrary(scene, items) or mended.halved(scene, items, found[0])
        changes = changes or mended.elliptical(scene, items, found[0])
        if changes or swallows(scene, items, found[0].facts):
            found = [*changes, structs.replace(found[0], guesses=1), *found[1:]]
    found = [each for each in found if not denied(items, each.unread)]
    found = [structs.replace(each, facts=without_margin(line, each.facts)) for each in found]
    return structs.replace(_decided(context, found, line), items=tuple(items), stuck=tuple(scene.stuck))


def _meant(scene: Scene, items: Sequence[Item]) -> list[Reading]:
    """Return the meanings of a line by its clauses, as deeds that are done where it tells the outcome of one and says
    nothing of declaring: runs up to Bo and stabs him for 5.
    """
    found = [each for each in meanings(scene, items) if not scene.left & {word.casefold() for word in each.unread}]
    kinds = {fact["type"] for fact in found[0].facts} if found else set()
    declares = any(item.is_("declare", "will") for item in items)
    if (
        not scene.declaring
        or declares
        or "action_declared" not in kinds
        or not kinds & {"attack_rolled", "damage_dealt"}
    ):
        return found
    done = meanings(Scene(scene.context, acting=True), items)
    caused = done and all(fact.get("cause", -1) >= 0 for fact in done[0].facts if fact["type"] == "damage_dealt")
    return done if caused and is_sure(done[0]) else found


_RULED = re.compile(r"^\s*[-–—=*~_#]{2,}(?=\s)|(?<=\s)[-–—=*~_#]{2,}\s*$")
"""Rules before and behind a heading: --- round 2 ---."""


def _of_commands(scene: Scene, words: Lexicon, line: str, *, throws: bool) -> list[Reading] | None:
    """Return the meanings of a line with commands of a bot; None if it has none."""
    if "!" not in line and not line.lstrip().startswith("/"):
        return None
    from projections.reader import avrae  # only for commands of a bot

    return avrae.readings(scene, words, line, throws=throws)


def _items(scene: Scene, words: Lexicon, said: Sequence[Token]) -> tuple[list[Item], str | None, Headed]:
    """Return the items of a line, when it says that it happened, and the heading with its time."""
    time = headings.headed(scene, resolved(scene, _plain(tagged(scene, words, said))))
    items, when = remembered(time.items)
    return items, when if when or not time.past else time.past, time


def settled(scene: Scene, items: Sequence[Item]) -> tuple[list[Item], str | None]:
    """Return items without what adds nothing, pronouns as those they mean, and when the line says that it happened."""
    return remembered(resolved(scene, _plain(items)))


def _plain(items: Sequence[Item]) -> list[Item]:
    """Return items without what adds nothing."""
    return without_reckoning(without_praise(without_epithets(without_similes(items))))


def _can_fall(number: Number) -> bool:
    """Say whether dice can show the faces that are typed for them."""
    found = re.fullmatch(r"(\d*)[dw](\d+).*", number.notation)
    if found is None:
        return True
    count, sides = int(found[1] or 1), int(found[2])
    faces = (*number.faces, *([number.die] if number.die is not None else []))
    return 0 < count <= MOST_DICE and sides > 1 and all(1 <= face <= sides for face in faces)


def _parts(scene: Scene, items: Sequence[Item]) -> list[Part]:
    """Return the parts of a line, with the game's words for totals and for its turns."""
    return parts(items, turns=not scene.has_sides, totals=scene.table.words.get("called-total", ()))


def meanings(scene: Scene, items: Sequence[Item]) -> list[Reading]:
    """Return the meanings of a line by its clauses. Each of the first ambiguous names is tried with each of its meanings, those still up first."""
    found = readings(scene, _parts(scene, items))
    short = any(_may_be_two_names(scene, items[at : at + 3]) for at in range(len(items) - 1))
    if short or any((item.who and item.who.likely) or item.is_("misspelt") for item in items):
        found = [structs.replace(each, guesses=each.guesses + 1) for each in found]
    options = next((each.options for each in found if each.options), ())
    if not options:
        return found
    up = sorted(options, key=lambda who: scene.status(who) != "up")
    count = next((item.who.count for item in items if item.who and item.who.options == options), 1)
    made: list[Reading] = []
    standing = sum(scene.status(who) == "up" for who in up)
    fallen = tuple(up[standing:])
    several = [tuple(up[:count])] if count <= standing else [fallen] if len(fallen) == count else []
    for whom in [(who,) for who in up[:MOST_OFFERS]] if count == 1 else several:
        one = [each for each in readings(scene, _parts(scene, _meaning(items, options, whom))) if not each.options]
        made += [structs.replace(each, guesses=each.guesses + 1) for each in one[:1]]
    return made


def _may_be_two_names(scene: Scene, items: Sequence[Item]) -> bool:
    """Say whether an "a" before a name may be somebody's initial: a orc 14. Before one who does something it is an article: a ghast bites Bo."""
    article, one, verb = (*items, NOTHING)[:3]
    named = article.text == "a" and one.who is not None and len(one.who.ids) == 1 and one.text in scene.called
    return named and not (verb.is_verb() and verb.who is None)


def _after_a_time(scene: Scene, items: list[Item], line: str, ahead: int) -> list[Reading]:
    """Return a round or segment that begins, and behind it what only a whole line tells: round 2, we get a 5, they get a 3; nothing if a line says something else."""
    mark = next((at + 1 for at, item in enumerate(items) if item.kind == "mark" and item.text in _BEHIND_A_TIME), 0)
    ahead = ahead or mark
    first = meanings(scene, items[: ahead - 1]) if ahead > 1 else []
    if len(first) != 1 or not {*first[0].frames} <= {"round", "segment"} or first[0].options:
        return []
    begun = Scene(scene.context, begun=True)
    before, behind = first[0], items[ahead:]
    rest = " " * items[ahead - 1].end + line[items[ahead - 1].end :]
    found = whole.readings(begun, behind, rest) if behind else None
    found = meanings(begun, behind) or whole.tally(begun, behind) if found is None else found
    return [
        structs.replace(
            each,
            facts=[*before.facts, *(further(fact, len(before.facts)) for fact in each.facts)],
            frames=(*before.frames, *each.frames),
            unread=(*before.unread, *each.unread),
            guesses=before.guesses + each.guesses,
        )
        for each in found
        if each.facts and not each.rest
    ]


def _certain(line: str, scene: Scene, items: list[Item]) -> Reading | None:
    """Return what a part of a line tells, if that is certain."""
    rest = " " * items[0].start + line[items[0].start : items[-1].end]
    found = whole.readings(scene, items, rest)
    found = meanings(scene, items) if found is None else found
    best = found[0] if found else Reading([])
    return best if best.facts and not best.rest and is_sure(best) else None


def _left_over(reading: Reading) -> int:
    """Return how many words a reading leaves out, and how much of it is a guess."""
    return len(reading.unread) + reading.guesses


def _beside_what_is_left(scene: Scene, items: list[Item], line: str) -> list[Reading]:
    """Return the meanings of a line without the points that somebody has left, which the log confirms or does not: hits gob for 5; gob 7 of 12."""
    rest, lefts = remains.apart_from(items)
    if not lefts:
        return []
    plain = Scene(scene.context)
    found = whole.readings(plain, rest, line)
    found = meanings(plain, rest) if found is None else found
    return [made for each in found[:MOST_OFFERS] if not each.rest and (made := remains.checked(scene, each, lefts))]


_BEHIND_A_TIME = (",", ":", ".", ";", "-", "–", "—", "!")
"""Marks between a time and what happens in it."""


def _of_somebody(scene: Scene, items: list[Item]) -> list[Reading]:
    """Return what a line that begins with a verb, and names nobody before it, tells of whoever is up, or acted last; of whoever was struck, if it befalls somebody. It is likely only, unless it counts on from a blow of the last line: 2nd swing 8 miss."""
    memory = scene.context.memory
    first = next((at for at, item in enumerate(items) if not (item.kind == "mark" or item.text in _AND)), -1)
    whose = first >= 0 and items[first].text in POSSESSIVES and items[first].text != "my"
    first += whose
    rolls = scene.owes_concentration if 0 <= first < len(items) and items[first].is_("concentration") else ""
    if not 0 <= first < len(items) or not (rolls or _lacks_a_subject(items, first)) or scene.declaring:
        return []
    goes_on = rolls != "" or _goes_on(scene, items[first])
    befalls = items[first].is_verb(*BEFALLS) and not items[first].is_verb("strike", "shoot", "hit")
    those = (memory.met, scene.turn) if befalls else (rolls or scene.turn or memory.doer,)
    made: list[Reading] = []
    for who in distinct(who for who in those if who in scene.ids):
        start = items[first].start
        somebody = Item(who, who, start, start, "who", who=People((who,)))
        made += meanings(scene, [somebody, *items[first:]])[:1]
    return made if goes_on else [structs.replace(each, guesses=each.guesses + 1) for each in made]


def _goes_on(scene: Scene, item: Item) -> bool:
    """Say whether a word counts on from a blow of whoever struck in the last line, and may still act, at a target that is still up: second, 2nd."""
    who, whom = scene.context.memory.told
    later = item.kind == "ordinal" and item.text not in ("first", "1st")
    struck = any(isinstance(fact, AttackRolled) and fact.combatant == who for _, fact in next(scene.lines(1), []))
    return later and struck and whom in scene.ids and scene.status(whom) == "up" and who == (scene.turn or who)


def _lacks_a_subject(items: Sequence[Item], first: int) -> bool:
    """Say whether a line begins with what somebody does, or with which of their blows it is, or with what: hits gob, 14; second swing misses."""
    blow = items[first].kind == "ordinal" or items[first].is_("next")
    verb = items[first + blow] if first + blow < len(items) else None
    behind = items[first + blow + 1 : first + blow + 3]
    strikes = verb is not None and verb.is_("weapon") and any(each.is_("hit", "miss") for each in behind)
    return verb is not None and verb.who is None and (verb.is_verb() or strikes)


_AND = ("and", "then", "also", "now", "&", "n", "so")
"""Words with which a line goes on where the last one ended."""


def _meaning(items: Sequence[Item], options: tuple[str, ...], whom: tuple[str, ...]) -> list[Item]:
    """Return items in which a name with these options means only some of them."""
    return [
        structs.replace(item, who=structs.replace(item.who, ids=whom, options=()))
        if item.who and item.who.options == options
        else item
        for item in items
    ]


def is_sure(reading: Reading) -> bool:
    """Say whether a reading can be recorded: it covers every meaningful word, and nothing of it is a guess."""
    return not (reading.unread or reading.guesses or reading.options or reading.ambiguous)


def _objection(context: LineContext, reading: Reading, parsed: Parsed | None, line: str) -> NotUnderstood | None:
    """Return the reason against recording a certain reading: another meaning is possible, or it may answer something
    owed; None if there is no reason.
    """
    try:
        if parsed is None:
            cautions.check_averted(
                [upcast(event_of(_counting_back(each, at))) for at, each in enumerate(reading.facts)]
            )
        cautions.check(context, reading.facts, line)
        if parsed is not None:
            cautions.check_behind(context, parsed.facts, line)
    except NotUnderstood as error:
        return error
    except Gap as gap:
        return NotUnderstood(1, gap.why, gap.hint)
    except Malformed:
        return None
    return None


def _decided(context: LineContext, found: list[Reading], line: str) -> Decision:
    if not found:
        return Decision()
    if not found[0].rest and _ends_with_a_number(line) and _tells_damage_alone(context):
        found = _as_damage(found)
    best = found[0]
    if best.rest:
        return Decision(meaning=Parsed(rest=best.rest, words=best.words, form=best.rest))
    if is_sure(best) and (once := _told_once(best, line)) and (parsed := _parsed(context, once)):
        twice = _parsed(context, best)
        return Decision(offers=(parsed, *((twice,) if twice else ())))
    if is_sure(best) and (rest := _before_saves(best.facts)):
        both = (_parsed(context, best), _parsed(context, structs.replace(best, facts=rest)))
        return Decision(offers=tuple(each for each in both if each))
    if is_sure(best):
        parsed = _parsed(context, best)
        why_not = _objection(context, best, parsed, line)
        if parsed is not None and why_not is None and not hedged(line, parsed.facts):
            return Decision(meaning=parsed)
        return Decision(offers=(parsed,) if parsed else (), why_not=why_not)
    ranked = sorted(found, key=_left_over)
    plain = not known(context.state.rules.rules).kinds
    is_rolled = _IS_ROLLED.search(line) is not None
    ranked = [way for each in ranked for way in _ways(each, plain=plain, is_rolled=is_rolled)]
    made: list[Parsed] = []
    for each in ranked:
        parsed = _parsed(context, each)
        if parsed and parsed.facts not in [other.facts for other in made]:
            made.append(parsed)
    return Decision(offers=tuple(made[:MOST_OFFERS]), unread=best.unread, options=best.options)


def _before_saves(facts: Facts) -> Facts:
    """Return facts without the damage of a spell whose saves, of several, are still to come, and may halve it: burning hands on the orcs, dex DC 14, 12 fire; nothing for others."""
    casts = [fact["action"] for fact in facts if fact["type"] == "action_taken" and fact["action"].get("allows_save")]
    if len(casts) != 1 or len(casts[0].get("targets", ())) < 2 or any(fact["type"] == "save_rolled" for fact in facts):
        return []
    rest = [fact for fact in facts if fact["type"] != "damage_dealt"]
    return rest if facts[-1]["type"] == "damage_dealt" and len(rest) < len(facts) else []


def _told_once(reading: Reading, line: str) -> Reading | None:
    """Return a reading in which damage that is told again behind its blow is dealt once: hits gob for 9, gob takes 9; None if none is."""
    facts = reading.facts
    for at, blow in enumerate(facts if not _FURTHER.search(line) else ()):
        behind = facts[at + 1 :]
        if blow["type"] == "healed" and behind and _is_healed_again(blow, behind[0]):
            return structs.replace(reading, facts=[*facts[: at + 1], *behind[1:]])
        if blow["type"] != "damage_dealt" or not behind:
            continue
        again, *rest = behind
        if "cause" in again and again.items() <= blow.items() and not any("cause" in fact for fact in rest):
            return structs.replace(reading, facts=[*facts[: at + 1], *rest])
        if _is_the_same_blow(facts[:at], blow, behind):
            return structs.replace(reading, facts=facts[: at + 1])
    return None


def _is_healed_again(one: Fields, other: Fields) -> bool:
    """Say whether the same points of the same combatant follow, from nobody else: heals Bo for 3, Bo regains 3."""
    same = other["type"] == "healed" and all(
        one.get(key) == other.get(key) for key in ("target", "amount", "temporary")
    )
    return same and other.get("source") in (None, one.get("source")) and not other.get("parts")


def _is_the_same_blow(before: Facts, blow: Fields, behind: Facts) -> bool:
    """Say whether all that follows is a blow of the same attacker with the same points, and without a roll: hits gob for 9, that's 9 damage."""
    if [fact["type"] for fact in behind] != ["action_taken", "attack_rolled", "damage_dealt"]:
        return False
    _, roll, hurt = behind
    by = next((fact["combatant"] for fact in reversed(before) if fact["type"] == "attack_rolled"), "")
    same = (roll["combatant"], hurt["target"], hurt["amount"]) == (by, blow["target"], blow["amount"])
    return same and not {"die", "total"} & roll.keys() and not hurt.get("parts")


_FURTHER = re.compile(r"(?i)\b(another|more|extra|further|again|also|plus|too|additional|each|both|twice|then)\b|\+")
"""Words for damage that comes on top of what was told."""
_IS_ROLLED = re.compile(r"(?i)\b(roll\w*|nat|natural|total|crit\w*|to hit|d20|dice|die)\b")
"""Words that say a number of the line is rolled."""
_AT_THE_END = re.compile(r"(?i)(?<!\ba)(?<!\ban)(?<!\bon)(?<!\bwith)[ ,:]+\d{1,3}(?: each| apiece)?[ .!]*$")
"""A number at the end of a line that nothing before it calls a roll: whacks the troll 5."""
MOST_DEEDS = 100
"""How many of the latest deeds show how a table reports its blows."""


def _tells_damage_alone(context: LineContext) -> bool:
    """Say whether all blows of a game without rolls were reported by damage only, so that a number alone is damage at this table."""
    if known(context.state.rules.rules).kinds:
        return False
    latest = context.memory.latest
    facts = [latest[seq].event for seq in context.memory.deeds[-MOST_DEEDS:] if seq in latest]
    blows = [fact for fact in facts if isinstance(fact, AttackRolled)]
    if any(fact.die is not None or fact.total is not None for fact in blows):
        return False
    return any(isinstance(fact, DamageDealt) and fact.cause is not None for fact in facts)


def _ends_with_a_number(line: str) -> bool:
    """Say whether a line ends with a number that nothing calls a roll: whacks the troll 5; with her stick, 3."""
    return not _IS_ROLLED.search(line) and _AT_THE_END.search(line) is not None


def _as_damage(found: Sequence[Reading]) -> list[Reading]:
    """Return readings in which a blow's only number is its damage; those in which it is a roll are left out."""
    made = []
    for reading in found:
        facts = reading.facts
        last = facts[-1] if facts else {}
        if not _is_a_number_alone(last) or last.get("hit") is False:
            made.append(reading)
            continue
        if len(found) > 1 and any(_is_a_number_alone(fact) for fact in facts[:-1]):
            continue  # both hit Bo, 3 each: no number of them is a roll
        guesses = reading.guesses - ("hit" not in last)
        made.append(structs.replace(reading, facts=_hurting(facts), guesses=guesses))
    distinct = [each for at, each in enumerate(made) if each.facts not in [other.facts for other in made[:at]]]
    alone = len(distinct) == 1 < len(made)
    return [structs.replace(each, ambiguous=False) for each in distinct] if alone else distinct


def _ways(reading: Reading, *, plain: bool, is_rolled: bool) -> list[Reading]:
    """Return a reading with an undecided number as a hit, as a miss and, unless it is rolled, as damage, which comes
    first in a `plain` game; what a state follows hit. A reading with no such number, or several, is returned as it is.
    """
    rolls = [
        at
        for at, fact in enumerate(reading.facts)
        if fact["type"] == "attack_rolled" and not {"hit", "ac", "confirms"} & fact.keys()
    ]
    behind = reading.facts[rolls[0] + 1 :] if len(rolls) == 1 else []
    if len(rolls) != 1 or any(fact["type"] not in ("condition_gained", "condition_lost") for fact in behind):
        return [reading]
    landed = any(fact["type"] == "condition_gained" for fact in behind)
    (at,) = rolls
    roll, before = reading.facts[at], reading.facts[:at]
    ways = [[*before, roll | {"hit": hit}, *behind] for hit in ((True,) if landed else (True, False))]
    if not is_rolled and _is_a_number_alone(roll):
        *struck, hurt = _hurting(reading.facts[: at + 1])
        ways.insert(0 if plain else 2, [*struck, *behind, hurt])
    return [structs.replace(reading, facts=facts) for facts in ways]


def _is_a_number_alone(fact: Fields) -> bool:
    """Say whether a fact is a blow at somebody with a single number of unknown meaning."""
    blow = fact.get("type") == "attack_rolled" and bool(fact.get("target"))
    return blow and isinstance(fact.get("die"), int) and not {"total", "bonus"} & fact.keys()


def _hurting(facts: Facts) -> Facts:
    """Return facts in which the last one, a blow with a single number, is a hit with that damage."""
    *before, roll = facts
    struck = {name: value for name, value in roll.items() if name != "die"} | {"hit": True}
    hurt: Fields = {"type": "damage_dealt", "target": roll["target"], "amount": roll["die"], "cause": len(before)}
    return [*before, struck, hurt]


def _parsed(context: LineContext, reading: Reading) -> Parsed | None:
    """Return a reading as the facts of a line, after the facts by which the clock moves; None if they are not valid
    facts, or a save contradicts one.
    """
    try:
        facts = [_counting_back(with_dice(each), place) for place, each in enumerate(reading.facts)]
        if reading.acts and facts[0]["type"] in ("action_taken", "moved"):
            facts = as_released(
                context,
                of_open_act(context, facts) if len(facts) > 1 and facts[1]["type"] == "attack_rolled" else facts,
            )
        own = [upcast(event_of(each)) for each in facts]
        cautions.check_averted(own)
        move = clock_move(context, _act(context, own[0])) if reading.acts else STILL
        thrown = tuple(context.rolled[place] for place in sorted(context.rolled))
        told = with_notes(own, thrown)
    except (Malformed, NotUnderstood):
        return None
    return Parsed(
        (*move.facts, *told),
        moved=len(move.facts),
        form=_form(reading),
        stays=move.stays,
        acts=reading.acts,
        thrown=thrown,
        advice=advice(context, facts),
        offers=following(context, facts),
        ineffective=tuple(each for each in own if isinstance(each, ActionTaken)) if reading.ineffective else (),
    )


def _act(context: LineContext, fact: Fact) -> Fact:
    """Return the fact by which the clock moves: for healing by somebody, or a move to a place where everybody has a turn, an act of theirs."""
    if forms.of(context.state.rules.rules).clock != "turn":
        return fact
    who = fact.source if isinstance(fact, Healed) else fact.combatant if isinstance(fact, Placed) else ""
    return ActionTaken(combatant=who, action=Action(kind="other")) if who else fact


def _form(reading: Reading) -> str:
    """Return the name of the form of these facts, where it decides how they are recorded."""
    return {"amended": "amended", "combatant_joined": "join", "noted": "note"}.get(reading.facts[0]["type"], "reader")


def _counting_back(fact: Fields, place: int) -> Fields:
    """Return a fact whose cause, a place in the line, counts back from its own; so does the subject of a remark."""
    if fact["type"] == "noted" and "event" in fact:
        return fact | {"event": fact["event"] - place}
    return fact | {"cause": fact["cause"] - place} if "cause" in fact else fact
