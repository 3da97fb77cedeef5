"""Pronouns whose antecedents are in earlier lines: he hits bo, bandit 2 shoots her. Composition finds those within a line."""

from collections.abc import Sequence
from itertools import pairwise

from msgspec import structs

from eventstore.events import ActionTaken, ConditionGained, ConditionLost, Healed, SaveRolled
from projections.grammar.names import folded
from projections.reader.dictionary import Sense, listed
from projections.reader.lexicon import ARTICLES, POSSESSIVES
from projections.reader.scene import People, Scene, distinct
from projections.reader.tags import NOTHING, Item

_SINGULAR = frozenset(["he", "she", "it", "him", "her", "that one", "this one"])


def _points_back(items: Sequence[Item], place: int, named: set[str]) -> bool:
    """Say whether that one is somebody of an earlier line: the line names nobody else whom it may be, and is no boast: this one is for Nib."""
    behind = [item.text for item in items[place + 1 : place + 3]]
    boasts = len(behind) == 2 and behind[0] in ("is", "'s") and behind[1] in ("for", "from")
    subject = place + 1 < len(items) and _acts(items[place + 1 : place + 2])
    return not boasts and (not named or (len(named) == 1 and not subject))


_POINTING = ("that one", "this one")
"""Words that point at whoever was struck last."""
_BEFALLS = ("take", "fall", "die", "come_round", "save", "fell", "fall_prone", "rise", "lose")
"""Verbs for something that happens to their subject, which is more likely the last target than the last attacker."""


def resolved(scene: Scene, items: Sequence[Item]) -> list[Item]:
    """Return items in which a pronoun without an antecedent in the line means somebody from the lines before.

    It means one combatant if only one is possible, else all who are; of two pronouns without a name both are only
    likely.
    """
    made: list[Item] = []
    found = -1
    items = _with_an_owner(
        scene,
        _by_number(
            scene,
            _named_again(
                scene, _told_directly(_repaired(_in_the_first_person(scene, _likewise(_those_left(scene, items)))))
            ),
        ),
    )
    for place, item in enumerate(items):
        named = {who for each in made if each.who for who in (each.who.ids or each.who.options)}
        if _is_dummy(items, place):
            made.append(structs.replace(item, senses=(Sense("filler", item.text),)))
        elif item.text not in (*_SINGULAR, "they", "who"):
            made.append(item)
        elif (
            item.text in _POINTING
            and _points_back(items, place, named)
            and scene.context.memory.met in {*scene.ids} - named
        ):
            made.append(_means(item, (scene.context.memory.met,)))
        elif (named and (people := _of_two(scene, made, item, items[place + 1 :]))) or (
            item.text == "they" and not named and (people := _several(scene, items[place + 1 :]))
        ):
            made.append(structs.replace(item, kind="who", senses=(), who=people))
        elif item.text in ("they", "who"):
            made.append(item)
        elif _is_the_other(scene, made, item, items[place + 1 : place + 2]):
            made.append(_means(item, (scene.context.memory.doer,)))
        elif item.is_("pronoun_subject") and not named and _acts(items[place + 1 : place + 2]):
            befalls = _befalls(items[place + 1 :])
            found = place
            whom = _creatures(scene, _known(scene)) if item.text == "it" else ()
            if len(whom) == 1 and len(_known(scene)) > 1:
                made.append(_means(item, whom, likely=befalls and whom != (scene.context.memory.met,)))
                continue
            whom = _subjects(scene, befalls=befalls)
            rest = {who for each in items[place + 1 :] if each.who for who in each.who.ids} if not befalls else set()
            whom = tuple(who for who in whom if who not in rest) or whom  # she hits gob
            if any(each.is_verb(*_HOSTILE) for each in items[place + 1 : place + 3]) and rest:
                whom = _of_the_other_side(scene, rest, whom)  # it hits mira
            made.append(_means(item, whom, likely=(befalls and not scene.context.memory.met) or _has_left(scene)))
        elif item.text == "it" and not named and place and _is_object(items, place):
            met = _creatures(scene, (scene.context.memory.met,)) if scene.context.memory.met in scene.ids else ()
            made.append(_means(item, met))
        elif item.is_("pronoun_object") and _is_object(items, place) and len(named) == 1:
            known = _known(scene, *scene.context.memory.told)
            if found >= 0:
                made[found] = _only_likely(made[found])
            whom = tuple(who for who in known if who not in named)
            foes = tuple(who for who in whom if {scene.side_of(who)} != {scene.side_of(one) for one in named})
            creatures = _creatures(scene, whom) if item.text == "it" else ()
            strikes = any(each.is_verb(*_HOSTILE) for each in made)
            heals = not strikes and any(each.is_("cure") or each.is_verb("heal") for each in made)
            friends = _of_the_same_side(scene, named, whom) if heals and item.text != "it" else ()
            foes = foes or (_of_the_other_side(scene, named, ()) if strikes else ())
            whom = foes if foes and strikes else creatures or whom
            whom = friends or whom
            others = whom or _others(scene, named)
            friend = (strikes or item.text == "it") and not (creatures or foes)
            friend = friend or not {*friends} <= {*known}  # bo heals her, of whom nothing was told
            made.append(_means(item, others, likely=found >= 0 or not whom or friend or _has_left(scene)))
        else:
            made.append(item)
    return made


def _side(scene: Scene, who: str) -> str:
    """Return the side of a combatant; "" for one who has joined without one, as all such may belong together."""
    side = scene.side_of(who)
    return "" if side == who else side


def _of_the_other_side(scene: Scene, those: set[str], whom: tuple[str, ...]) -> tuple[str, ...]:
    """Return those among several who are of another side than these combatants; without any, all of other sides who are up; else these as they are."""
    sides = {_side(scene, who) for who in those if who in scene.ids}
    others = tuple(who for who in whom if _side(scene, who) not in sides)
    up = tuple(one.id for one in scene.here if _side(scene, one.id) not in sides and one.status == "up")
    return others or up or whom


def _of_the_same_side(scene: Scene, those: set[str], whom: tuple[str, ...]) -> tuple[str, ...]:
    """Return those among several who are of the side of these combatants; without any, all others of it."""
    sides = {_side(scene, who) for who in those if who in scene.ids}
    among = tuple(who for who in whom if _side(scene, who) in sides)
    return among or tuple(one.id for one in scene.here if _side(scene, one.id) in sides and one.id not in those)


def _is_the_other(scene: Scene, made: Sequence[Item], item: Item, behind: Sequence[Item]) -> bool:
    """Say whether he or she is whoever did the last deed, where "it" before was its target: it dies, and she moves back."""
    memory = scene.context.memory
    it = {who for each in made if each.text == "it" and each.who for who in each.who.ids}
    named = {who for each in made if each.who for who in (each.who.ids or each.who.options)}
    two = memory.doer in scene.ids and memory.doer != memory.met and named == it == {memory.met}
    return item.text in ("he", "she") and two and _acts(behind)


def _has_left(scene: Scene) -> bool:
    """Say whether somebody of the last deed is no longer in the fight, whom a pronoun may mean as well: Ana hits gob, gob flees, he takes 5."""
    memory = scene.context.memory
    return any(who and who not in scene.ids for who in (memory.met, memory.doer))


def _several(scene: Scene, behind: Sequence[Item]) -> People | None:
    """Return whom they means before a state: those who failed the last saves, else those whom the last act met; certain with both or all of as many."""
    words = [item.text for item in behind[:3]]
    state = any(item.is_("condition", "status_dead", "status_down") or item.is_verb(*_BEFALLS) for item in behind[:3])
    if not state or not _acts([item for item in behind[:3] if item.text not in _COUNTS][:1]):
        return None
    went: dict[str, bool | None] = {}
    for told in scene.lines(MOST_LINES):
        rolls = [fact for _, fact in told if isinstance(fact, SaveRolled)]
        if not rolls:
            break
        went = {roll.combatant: roll.succeeded for roll in rolls} | went
    failed = tuple(who for who, succeeded in went.items() if succeeded is False)
    acts = [fact for _, fact in next(scene.lines(1), []) if isinstance(fact, ActionTaken)]
    whom = failed if went else acts[-1].action.targets if acts else ()
    if len(whom) < 2 or any(who not in scene.ids for who in whom):
        return None
    counted = ("both" in words and len(whom) == 2) or ("all" in words and len(whom) > 2)
    states = [scene.condition_named(each.value("condition"), each.text) for each in behind[:3] if each.is_("condition")]
    again = any(
        {*whom} <= {*scene.in_state(name)} for name in states
    )  # so they are both restrained, as the spell has it
    return People(whom, plural=True, listed=True, likely=again or not counted)


MOST_LINES = 8
"""The most lines with saves, one after the other, that are looked at for those who failed."""
_COUNTS = ("both", "all")
"""Words that say how many they are."""


def _in_the_first_person(scene: Scene, items: Sequence[Item]) -> Sequence[Item]:
    """Return items in which I and me are the one whom the writer plays: i stab the wolf, it bites me.

    If that is not known, I is likely whoever is up, or acted last, and me somebody of the party whom the line does not name.
    """
    if len(items) > 2 and items[0].who and items[1].text == "," and items[2].text == "i":
        items = items[2:]  # bo, i take 5
    named = {who for item in items if item.who for who in item.who.ids}
    played = scene.played
    party = [one.id for one in scene.here if one.side == scene.here[0].side] if scene.here else []
    latest = (scene.turn, scene.context.memory.doer, *party)
    if not played and any(item.is_("concentration", "concentrate") for item in items):
        played = distinct(who for who in _concentrating(scene) if who in party)  # i keep my concentration
        played = played if len(played) == 1 else ()
    whom = played or distinct(who for who in latest if who in party and who not in named)
    made: list[Item] = []
    for item, behind in pairwise((*items, NOTHING)):
        is_object = any(each.who for each in made) and (made[-1].is_verb() or made[-1].text in _BEFORE_AN_OBJECT)
        is_subject = (
            item.text == "i" and _reports(behind, items[len(made) + 2 :]) and (played or not behind.is_verb("finish"))
        )
        is_object = is_object or (len(played) == 1 and _is_listed(made, behind))
        asked = len(played) == 1 and item.text == "i" and bool(made) and made[-1].text in _ASKING
        is_subject = is_subject or asked  # how many hp do I have left
        if item.who is None and (is_subject or (is_object and item.text in ("me", "myself"))):
            up = (scene.turn,) if is_subject and scene.turn in whom else whom
            person = _means(item, up if len(played) != 1 else played, likely=len(played) != 1)
            made.append(structs.replace(person, text=item.text.replace("i", "I")))  # i is initiative, too
        elif (
            item.text == "my"
            and len(played) == 1
            and behind.is_("turn", "points", "armor", "initiative")
            and (not made or made[-1].text not in ("next", "until", "of"))
        ):
            made += [_means(item, played), Item("'s", "'s", item.end, item.end, "mark")]
        else:
            made.append(item)
    return made


def _is_listed(before: Sequence[Item], behind: Item) -> bool:
    """Say whether me stands in a list, with a number, or before a colon: bo 12, me 15; 15 for me; me: longsword into gob."""
    counted = bool(before) and before[-1].text == "for" and any(item.number for item in before[-2:-1])
    first = not before or before[-1].kind == "mark" or before[-1].is_("and", "initiative")
    return counted or (first and (behind.number is not None or behind.text == ":"))


_ASKING = ("do", "did", "am", "have", "can", "is")
"""Words before I in a question about oneself."""


def _concentrating(scene: Scene) -> tuple[str, ...]:
    """Return those who keep an effect up by concentration."""
    effects = scene.state.effects.values()
    return tuple(one.source for one in effects if one.concentration and one.source) or tuple(
        one.source for one in effects if one.source
    )


_BEFORE_AN_OBJECT = (
    "on",
    "at",
    "against",
    "to",
    "towards",
    "toward",
    "from",
    "vs",
    "near",
    "by",
    "of",
    "and",
    "n",
    "&",
)


_BEING = ("condition", "status_dead", "status_down", "up", "out", "become", "next", "concentration", "concentrate")
"""Kinds of words for what I am in a fight."""
PLAYS = ("play", "playing", "plays", "run", "running", "control", "controlling")
"""Verbs of one who speaks for a combatant: I'm playing Sable."""


def _reports(behind: Item, rest: Sequence[Item]) -> bool:
    """Say whether the words after I report something of a fight: i stab it, i got 18, i'm prone; and not: i forgot, i am sorry, i run Bo."""
    plays = next((at for at, item in enumerate((behind, *rest[:1])) if item.text in PLAYS), -1)
    named = rest[plays] if 0 <= plays < len(rest) else NOTHING
    if named.kind == "word" and named.typed[:1].isupper() and not named.senses:
        return False
    if behind.text == "is" and rest:
        return rest[0].is_verb() or rest[0].is_(*_BEING)
    if behind.text in ("finally", "then", "now", "also") and rest and rest[0].is_verb():
        return True
    return (
        behind.is_verb()
        or behind.is_("will", "not", "cost_bonus", "cost_reaction", "cost_action", "spell")
        or (behind.text in ("got", "get", "rolled") and any(item.number for item in rest))
    )


_HOSTILE = ("strike", "shoot", "hit", "miss", "crit", "kill", "fell")
"""Verbs for what is done to those of another side."""


def _of_two(scene: Scene, made: Sequence[Item], item: Item, behind: Sequence[Item]) -> People | None:
    """Return whom a pronoun as a subject means, where the clause before it has an actor and a target; None if composition decides that.

    Whom it attacks by name is of another side. It may be either if it does something to a pronoun, or leaves: ana hits
    gob for 3, he hits her for 4; ana scares gob, he flees. With back it is the target, with again the actor.
    """
    verb = next((at for at in range(len(made) - 1, -1, -1) if made[at].who is None and made[at].is_verb()), 0)
    actor = next((each.who.ids for each in reversed(made[:verb]) if each.who and each.who.ids), ())
    targets = [each.who.ids for each in made[verb:] if each.who and each.who.ids and each.who.ids != actor]
    if not (actor and targets and behind and item.is_("pronoun_subject")):
        return None
    several = [ids for ids in (actor, *targets) if len(ids) > 1]
    if item.text == "they":
        return People(several[0], plural=True) if len(several) == 1 and _acts(behind[:1]) else None
    ends = (at for at, each in enumerate(behind) if each.kind == "mark" or each.text in _GOING_ON)
    clause = behind[: next(ends, len(behind))]
    acts = next((at for at, each in enumerate(clause) if each.is_verb()), -1)
    two = len(actor) == len(targets[0]) == len(targets) == 1 and all(who in scene.ids for who in (*actor, *targets[0]))
    if item.text == "it" and two and _is_somebody(clause, acts):
        creatures = _creatures(scene, (*actor, *targets[0]))
        return People(creatures) if len(creatures) == 1 else None  # bo misses gob, it falls
    if acts < 0 or not _acts(clause[:1]):
        return None
    does = clause[acts]
    hostile = does.is_verb(*_HOSTILE)
    whom = next((each.who.ids for each in clause[acts:] if each.who and each.who.ids), ())
    pointed = any(each.is_("pronoun_object") and _is_object(clause, at) for at, each in enumerate(clause) if at > acts)
    if item.text == "who":
        return People(targets[-1]) if made[-2:-1] and made[-2].who and hostile and pointed else None
    if len(several) == 1 and len(targets) == 1 and (hostile or pointed):
        return People(actor if len(actor) == 1 else targets[0])  # orcs attack bo, he hits them
    if several or len(targets) > 1:
        either = tuple(who for ids in targets for who in ids)
        return People(options=either) if len(targets) > 1 and not whom else None  # gob hits ana and bo, he falls
    if hostile and len(whom) == 1:
        able = [ids for ids in (actor, targets[0]) if ids != whom and scene.side_of(ids[0]) != scene.side_of(whom[0])]
        return People(able[0]) if len(able) == 1 and all(ids[0] in scene.ids for ids in (actor, targets[0])) else None
    texts = {each.text for each in clause}
    open_ = made[verb].is_verb("strike", "shoot") and not any(
        each.number or each.is_verb("hit", "miss", "crit") for each in made[verb:]
    )
    if pointed and open_ and does.is_verb("hit", "miss", "crit"):
        return People(actor)  # gob shoots at ana but he misses her
    if hostile and pointed and texts & {"back", "again"}:
        return People(targets[0] if "back" in texts else actor)
    leaves = not whom and (does.is_verb("leave") or (does.is_verb("heal") and item.text != "it"))
    unsure = (pointed and (hostile or does.is_verb("heal", "cast"))) or leaves
    return People(options=(*targets[0], *actor)) if unsure else None


def _is_somebody(clause: Sequence[Item], acts: int) -> bool:
    """Say whether it is somebody in a clause with a verb at a place, and neither a blow nor a spell: it falls, it hits
    back, it is prone; not it hits, it ends.
    """
    state = clause[0].is_("status_down") or (
        clause[0].is_("become") and any(each.is_("condition", "status_dead", "status_down") for each in clause)
    )
    if acts < 0 or not _acts(clause[:1]) or any(each.is_("concentration", "spell_word", "effect") for each in clause):
        return state
    back = any(each.text == "back" for each in clause)
    return state or back or not clause[acts].is_verb("hit", "miss", "crit", "deal", "end", "end_it", "begin_it", "heal")


def _with_an_owner(scene: Scene, items: Sequence[Item]) -> Sequence[Item]:
    """Return items in which a possessive at the beginning of a line is likely to be somebody: before a spell or a weapon
    whoever acted last, before a save whoever was struck: her eldritch blast hits gob; his con save is a 6.
    """
    saves = len(items) > 2 and items[1].is_("save", "save_kind") and items[1].who is None
    whom = _subjects(scene, befalls=saves)[:1]
    owned = len(items) > 2 and (saves or items[1].is_("spell", "weapon", "feature"))
    if not owned or items[0].text not in POSSESSIVES or not whom:
        return items
    first = items[0]
    owner = structs.replace(first, kind="who", senses=(), who=People(whom, likely=True))
    return [owner, Item("'s", "'s", first.end, first.end, "mark"), *items[1:]]


def _others(scene: Scene, named: set[str]) -> tuple[str, ...]:
    """Return the combatants that a pronoun can mean without an antecedent: all others, those of the same side first."""
    sides = {scene.side_of(who) for who in named if who in scene.ids}
    return tuple(
        sorted((one.id for one in scene.here if one.id not in named), key=lambda who: scene.side_of(who) not in sides)
    )


_SORRY = frozenset(
    ["sorry", "wait", "i mean", "i meant", "make that", "scratch that", "correction", "rather", "oops", "whoops"]
)


def _repaired(items: Sequence[Item]) -> list[Item]:
    """Return items without a number that is corrected at once, and without the words for that: a fourteen, no, sorry, sixteen."""
    made: list[Item] = []
    for item in items:
        if item.number is not None and item.who is None:
            first = next((at for at in range(len(made) - 1, -1, -1) if not _takes_back(made[at])), -1)
            words = made[first + 1 :]
            taken = first >= 0 and made[first].number is not None and made[first].who is None
            if taken and any(each.text in _SORRY for each in words):
                del made[first:]
        made.append(item)
    return made


def _takes_back(item: Item) -> bool:
    """Say whether a word or mark stands between a number and its correction."""
    return item.kind == "mark" or item.is_("correction") or item.text in ("no", "a", "an")


def _named_again(scene: Scene, items: Sequence[Item]) -> list[Item]:
    """Return items in which the name of a kind means its one member that was named before: hits goblin 1, and the goblin dies; or whoever was struck last: the same goblin."""
    made: list[Item] = []
    for item in items:
        named = {who for each in made if each.who for who in each.who.ids}
        whom = [who for who in item.who.options if who in named] if item.who and not item.who.ids else []
        same = bool(made) and made[-1].text == "same"
        if same and item.who and not item.who.ids and scene.context.memory.met in item.who.options:
            made.append(
                structs.replace(item, who=structs.replace(item.who, ids=(scene.context.memory.met,), options=()))
            )
        elif len(whom) == 1 and item.who and not item.who.plural and made[-1].text in ("the", "that", "this", "dead"):
            made.append(structs.replace(item, who=structs.replace(item.who, ids=tuple(whom), options=())))
        else:
            made.append(item)
    return made


def _by_number(scene: Scene, items: Sequence[Item]) -> Sequence[Item]:
    """Return items in which numbers before verbs are those of several who have them: bandits 1 and 2 shoot, 1 misses.

    None of them is where one cannot be, or where they count: orcs 1 and 2 attack, 1 misses, 18 hits; the orcs attack, 2 hit.
    """
    several = next((item.who.ids for item in items if item.who and len(item.who.ids) > 1), ())
    of_one = () if several else _kind_of_one(scene, items)
    several = several or of_one
    numbered = {who.rpartition("-")[2]: who for who in several}
    found: dict[int, str] = {}
    for place, (before, item, behind) in enumerate(zip((NOTHING, *items), items, (*items[1:], NOTHING), strict=False)):
        begins = before.kind == "mark" or before.text in _GOING_ON
        if several and begins and item.number and not item.number.sign and behind.is_verb():
            one = behind.text.endswith(("s", "ed")) and behind.text not in ("miss", "pass")
            found[place] = numbered.get(item.text, "") if one else ""
    whole = all(found.values()) and len({*found.values()}) == len(found)
    if not whole or any(item.text == "each" for item in items):
        return items
    likely = bool(of_one)
    return [
        _means(item, (found[place],), likely=likely) if place in found else item for place, item in enumerate(items)
    ]


def _kind_of_one(scene: Scene, items: Sequence[Item]) -> tuple[str, ...]:
    """Return all of the kind of whom a line begins with one by number: orc 1 hits, 2 misses; nobody where it begins otherwise."""
    first = next((item for item in items if item.kind != "mark"), NOTHING)
    if first.who is None or len(first.who.ids) != 1 or not first.text[-1:].isdigit():
        return ()
    kind, _, number = first.who.ids[0].rpartition("-")
    return tuple(who for each, who in scene.families.get(kind, {}).items() if str(each) != number)


_STAYS = ("left", "remaining", "remains", "still up", "still standing", "standing")


def _those_left(scene: Scene, items: Sequence[Item]) -> Sequence[Item]:
    """Return items in which a number before a kind counts all of it who are left, and a pronoun behind "left" is them: 1 wolf left and it ran off."""
    apart = len(items) > 1 and items[0].who is None and items[0].number is not None and items[1].who is not None
    counted, stays = (*items[apart : apart + 2], NOTHING, NOTHING)[:2]
    who = counted.who
    number = items[0].number.value if apart and items[0].number else len(who.ids) if who else 0
    if who is None or not (apart or counted.text[:1].isdigit()) or stays.text not in _STAYS:
        return items
    up = tuple(one for one in who.options or who.ids if scene.status(one) == "up")
    place = apart + 2
    while place < len(items) and (items[place].kind == "mark" or items[place].text in _GOING_ON):
        place += 1
    if len(up) != number or place >= len(items) or items[place].text not in ("it", "he", "she", "they"):
        return items
    return [structs.replace(counted, who=structs.replace(who, ids=up, options=())), *items[place + 1 :]]


_SO = ("so", "as", "likewise")
_DOES = ("does", "do", "did", "is", "are", "was", "were", "has", "have", "had")


def _likewise(items: Sequence[Item]) -> Sequence[Item]:
    """Return items in which "so does" before somebody stands behind them as one word: the wolf flees, so does the orc."""
    made: list[Item] = []
    for item in items:
        place = len(made) - 1 - (len(made) > 0 and made[-1].text in ARTICLES)
        so = made[place - 1 : place + 1] if place > 0 and item.who else []
        if [each.text in words for each, words in zip(so, (_SO, _DOES), strict=False)] == [True, True]:
            del made[place - 1 :]
            made += [item, structs.replace(so[0], text="so do", start=item.end, end=item.end, senses=())]
        else:
            made.append(item)
    return made


_SAYS = frozenset(["says", "said", "announces", "announced", "declares", "declared", "states", "stated", "reports"])


def _told_directly(items: Sequence[Item]) -> Sequence[Item]:
    """Return items without the words for reported speech about oneself: Ana says (that) she hits bo."""
    if len(items) < 4 or items[0].who is None or items[1].text not in _SAYS:
        return items
    behind = 3 if items[2].text == "that" else 2
    if not items[behind].is_("pronoun_subject") or items[behind].text not in ("he", "she", "they"):
        return items
    return [items[0], *items[behind + 1 :]]


def _means(item: Item, whom: tuple[str, ...], *, likely: bool = False) -> Item:
    """Return a pronoun as the combatant it means, or as those it can mean; unchanged if there is nobody."""
    if not whom:
        return item
    people = People(whom, likely=likely) if len(whom) == 1 else People(options=whom, likely=likely)
    return structs.replace(item, kind="who", senses=(), who=people)


def _only_likely(item: Item) -> Item:
    return structs.replace(item, who=structs.replace(item.who, likely=True)) if item.who else item


_BEFORE_WHAT_IT_IS = ("a", "an", "the", "only", "just", "like", "now", "then", "finally", "again")
"""Words between "it is" and the rest that add nothing."""


def _is_dummy(items: Sequence[Item], place: int) -> bool:
    """Say whether a pronoun stands for nobody, but announces a number, a name, a time or an end: it's a 12, it's ana's turn, it's over."""
    ahead = [item for item in items[place + 1 : place + 7] if item.text not in _BEFORE_WHAT_IT_IS]
    links = len(ahead) > 1 and ahead[0].text in ("'s", "is", "was", "is now", "was now")
    over = bool(ahead) and ahead[0].is_verb("finish") and ahead[0].text.startswith(("is ", "'s ", "was "))
    links = links and (
        ahead[1].number is not None or ahead[1].who is not None or ahead[1].is_("round", "segment", "turn", "turn_over")
    )
    return items[place].text in ("it", "that", "this", "which") and items[place].who is None and (links or over)


def _known(scene: Scene, *told: str) -> tuple[str, ...]:
    """Return the combatants of the last deed, its actor first, the one whose turn it is, and further ones."""
    memory = scene.context.memory
    return distinct(who for who in (memory.doer, memory.met, scene.turn, *told) if who in scene.ids)


def _befalls(behind: Sequence[Item]) -> bool:
    """Say whether the words after a pronoun report something that happens to it: takes 5, falls, is prone."""
    verb = next((item for item in behind if item.is_verb() or item.is_("become", "condition")), None)
    return verb is not None and (verb.is_verb(*_BEFALLS) or verb.is_("become", "condition"))


def _creatures(scene: Scene, whom: tuple[str, ...]) -> tuple[str, ...]:
    """Return which of these are rather called "it": those of another side than the party's, and its animals."""
    party = scene.here[0].side if scene.here else ""
    return tuple(who for who in whom if scene.side_of(who) != party or _is_animal(scene, who))


def _is_animal(scene: Scene, who: str) -> bool:
    """Say whether the name of a combatant is that of a creature of the game's tables, or of a common animal."""
    kind = folded(scene.state.combatants[who].name).rstrip("-0123456789")
    return bool(scene.state.rules.kinds(scene.state, kind)[0]) or not _ANIMALS.isdisjoint(kind.split("-"))


_ANIMALS = frozenset(
    listed(
        "dog, hound, wolf, bear, boar, cat, lynx, lion, tiger, panther, hawk, falcon, eagle, owl, raven, bat, rat, snake, spider, horse, warhorse,"
        "pony, mule, mount, donkey, camel, ape, familiar, companion, pet, beast, drake, dragon, golem, elemental, skeleton, zombie, construct, robot"
    )
)
"""Words of the names of those in a party who are called it."""


def _subjects(scene: Scene, *, befalls: bool) -> tuple[str, ...]:
    """Return the combatants that a pronoun can be with this report: for a deed, the last actor and the one on turn; for
    something that happens to it, the last target first.
    """
    memory, known = scene.context.memory, _known(scene)
    if befalls:
        return distinct(who for who in (memory.met, *known) if who in scene.ids)
    if (told := _of_the_last_line(scene)) and told != memory.doer:
        return distinct((told, *known))
    if memory.doer in scene.ids and memory.doer == scene.turn:
        return (memory.doer,)
    return known


def _of_the_last_line(scene: Scene) -> str:
    """Return the only combatant whose states or points the last line told of, and nothing else: Skarr is no longer stuck; "" for others."""
    facts = [fact for _, fact in next(scene.lines(1), [])]
    states = [
        fact for fact in facts if isinstance(fact, ConditionGained | ConditionLost | Healed) and not _is_done(fact)
    ]
    whom = {
        who for fact in states for who in getattr(fact, "targets", (getattr(fact, "target", ""),)) if who in scene.ids
    }
    return whom.pop() if facts and len(states) == len(facts) and len(whom) == 1 else ""


def _is_done(fact: object) -> bool:
    """Say whether somebody brings about what a fact tells."""
    return bool(getattr(fact, "source", None) or getattr(fact, "cause", None))


_GOING_ON = ("and", "so", "but", "then", "n", "&")
"""Words before the subject of the next clause."""
_BEHIND_OBJECTS = ("again", "twice", "back", "but", "a", "an", "the", "some", "another", "too", "also", "as well")


def _acts(ahead: Sequence[Item]) -> bool:
    """Say whether the words after a pronoun make it the subject of a sentence about a combatant: it hits, and not it is 12."""
    if not ahead:
        return False
    behind = ahead[0]
    deeds = ("cost_bonus", "cost_reaction", "cost_action", "spell", "feature")
    return (
        behind.is_verb()
        or behind.is_("become", "adverb", "will", "not", *deeds)
        or behind.text in ("'s", "has", "had", "is")
    )


def _is_object(items: Sequence[Item], place: int) -> bool:
    """Say whether a pronoun is an object here, and no possessive: hits her for 5, and not her sword."""
    behind = items[place + 1] if place + 1 < len(items) else None
    does = behind is not None and (behind.is_verb() or behind.is_("become") or behind.text == "'s")
    subject = items[place].text == "it" and behind is not None and does and not behind.is_("for", "with")
    is_ = behind is not None and (behind.is_("become") or behind.text == "'s")
    if subject and place and (is_ or items[place - 1].kind == "mark" or items[place - 1].text in _GOING_ON):
        return False  # rolled 11, it surrenders
    if behind is None or behind.kind in ("mark", "number", "dice") or items[place].text in ("him", "it"):
        return True
    return behind.is_("for", "with", "to", "and", "towards") or behind.text in _BEHIND_OBJECTS
