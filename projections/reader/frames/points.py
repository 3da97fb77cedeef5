"""Points: damage from anything, healing, temporary points, points that are set."""

import re
from collections.abc import Sequence
from functools import partial
from itertools import pairwise, takewhile

from msgspec import Struct

from projections.grammar.line_context import named_kind
from projections.open_types import Fields
from projections.reader.frames.blows import damages, has_type
from projections.reader.frames.magic import is_aimed, slot_of
from projections.reader.lexicon import ARTICLES, lexicon
from projections.reader.parts import Part
from projections.reader.scene import distinct
from projections.reader.slots import Slots, Thread, Told
from projections.reader.things import AMOUNTS, lists_below_a_spell, mishap, thing_behind


def _whom(slots: Slots) -> tuple[str, ...]:
    """Take those affected: the only name, or the one after "to"; else the target of the clause before."""
    free = slots.free(owner=False)
    to = [at for at in free if slots.parts[at].joined == "to"]
    plain = [at for at in free if slots.parts[at].joined == ""]
    chosen = to or plain or [at for at in free if slots.parts[at].joined == "for"]
    if chosen:
        found = slots.people(chosen[0])
        for at in chosen[1:]:
            if to and slots.parts[at].joined == "to":
                found += slots.people(at)
        return found
    if slots.thread.frame in ("move", "engages") and slots.has_verb("take"):
        return slots.thread.actor  # runs past gob and takes 4
    pronoun = any(part.role == "pronoun" for part in slots.parts)
    missed = slots.thread.frame == "blow" and slots.thread.facts[slots.thread.roll].get("hit") is False
    if missed and slots.thread.actor and not pronoun:
        slots.either = True
        return slots.thread.actor  # misses Bo and takes 3
    if slots.thread.frame == "blow" and slots.thread.actor and any(part.text == "taking" for part in slots.parts):
        return slots.thread.actor  # hits gob for 5, taking 3 from the spikes
    if slots.thread.frame == "blow":  # and is hit for 3
        slots.either = any(part.text.startswith(("is ", "was ", "gets ")) for part in slots.parts)
    saved = _saved(slots.thread)
    if len(saved) > 1 and any(part.text in _FOR_EACH for part in slots.parts):
        return saved
    casts = slots.thread.follows == "cast" and not slots.has_verb("take")  # casts fireball, dex DC 15. 24 fire
    return slots.thread.target or (() if casts else slots.thread.actor) if slots.thread.facts else ()


def _saved(thread: Thread) -> tuple[str, ...]:
    """Return those whose saves the line told last, one after the other: gob fails, orc saves, 20 fire each."""
    saves = takewhile(lambda fact: fact["type"] == "save_rolled", reversed(thread.facts))
    return distinct(fact["combatant"] for fact in reversed([*saves]))


_FOR_EACH = ("each", "both", "all", "apiece", "to each", "to both", "for each", "for both")
"""Words behind points that several lose."""


class Origin(Struct, frozen=True):
    """The source of points: a combatant, and a thing by its name, which may be that of an act of this turn (composition)."""

    source: str = ""
    thing: str = ""


def _comes_from(slots: Slots) -> Origin:
    """Take the source of points: the owner of the thing that does it, or the name after "from": from the fall, from Bo's fireball."""
    at = next(
        (
            at
            for at in slots.free()
            if (slots.parts[at].owner or slots.parts[at].joined == "from") and not slots.parts[at].people.group
        ),
        -1,
    )
    if at < 0:
        return Origin(thing=_named_behind_from(slots))
    found = slots.people(at)
    thing = _named_at(slots, at + 1) if slots.parts[at].owner and slots.parts[at].joined == "from" else ""
    return Origin(found[0] if len(found) == 1 else "", thing)


def _named_behind_from(slots: Slots) -> str:
    """Take the name of the thing after "from", without its article; "" without one."""
    for at, part in enumerate(slots.parts):
        stands = at not in slots.used and part.role == "word" and part.is_("from") and part.text != "of"
        if stands and (name := _named_at(slots, at + 1)):
            slots.take(at)
            return name
    return ""


def _named_at(slots: Slots, at: int) -> str:
    """Take the words of a name from a place on, without an article before them; "" if none stand there."""
    end = at
    while (
        end < len(slots.parts)
        and slots.parts[end].role in ("word", "dice", "quote")
        and end not in slots.used
        and not slots.parts[end].is_("and")
    ):
        end += 1
    parts = [slots.take(place) for place in range(at, end)]
    words = [part.text if part.role == "quote" else part.item.typed for part in parts]
    articles = ("the", "a", "an", "his", "her", "its", "their")
    return " ".join(words[1:] if words and parts[0].role == "word" and parts[0].text in articles else words)


def typed(slots: Slots, amount_at: int) -> str:
    """Take the damage type of an amount: the word after it, or the only one in the clause."""
    for at in range(amount_at + 1, min(amount_at + 3, len(slots.parts))):
        if at not in slots.used and slots.parts[at].role == "word" and slots.parts[at].is_("type"):
            return slots.take(at).says("type")
        if slots.parts[at].role == "who":
            break
    found = [
        at for at, part in enumerate(slots.parts) if at not in slots.used and part.role == "word" and part.is_("type")
    ]
    amounts = sum(part.role in AMOUNTS for part in slots.parts)
    return slots.take(found[0]).says("type") if len(found) == 1 and amounts == 1 else ""


def _recurs(slots: Slots) -> bool:
    """Say whether damage recurs each turn or round, and the clause does not say that this is one of them: takes 4 each turn."""
    return any(
        one.text in ("each", "every", "per", "a") and (other.is_("round", "turn", "segment") or other.role == "round")
        for one, other in pairwise(slots.parts)
    )


def damage(slots: Slots) -> Told | None:
    """Fill the frame of damage without a blow: Mira takes 6 fire, 4 damage to the ogre from the fall, the ogre -9."""
    takes = slots.has_verb("take") or slots.has_role("loss") or _is_struck(slots)
    named = slots.has_role("damage", "loss") or slots.has("damage") or _is_halved(slots)
    counted = [at for at, part in enumerate(slots.parts) if part.role in AMOUNTS]
    verb = next((at for at, part in enumerate(slots.parts) if part.item.is_verb("take")), -1)
    if counted and counted[0] < verb < counted[-1]:
        return None  # 8 takes 7, where 8 is no damage
    thing = thing_behind(slots.parts)
    plainly = _to_somebody(slots) or lists_below_a_spell(slots.parts)
    if not (takes or named or plainly or thing or slots.has_verb("deal", "burns")):
        return None
    slots.guesses += (plainly and not (takes or named)) + is_aimed(slots) + _recurs(slots)
    slots.guesses += not slots.has_verb("take", "deal") and any(
        one.role == "who" and other.item.is_verb("fall") for one, other in pairwise(slots.parts)
    )  # falls, -2 hp, which may be what is left
    if not takes and _is_told_of_a_weapon(slots):
        return None
    if slots.has_verb("heal", "regain", "gain") and not takes:
        return None
    if slots.has("save", "initiative", "temporary", "armor"):
        return None
    if _is_somebodys_spell(slots) or _is_of_acts(slots):
        return None
    dealer = _dealer(slots)
    if dealer is None or (dealer and slots.thread.open_blow(dealer) >= 0):
        return None
    pairs = _pairs(slots)
    by_name = pairs is not None
    dealt_with = Origin(source=dealer) if dealer else _of_owner(slots)
    nonlethal = bool(slots.words("nonlethal"))
    if pairs is None:
        whom = _whom(slots)
        amounts = [(at, part) for at, part in enumerate(slots.parts) if part.role in AMOUNTS and at not in slots.used]
        if (not whom and not slots.options) or not amounts:
            return None
        if slots.thread.asked is not None and not slots.whom():
            slots.guesses += not any(fact["type"] == "save_rolled" for fact in slots.thread.facts)  # may be halved
            if not slots.thread.target:
                return None  # breathes fire, dex save dc 14, 22 damage
        apart = (
            len(amounts) > 1
            and takes
            and all(part.role in ("bare", "amount") and not has_type(slots, at) for at, part in amounts)
            and slots.has("and")
        )
        if (
            len(amounts) > 1
            and not apart
            and not all(part.role == "damage" or has_type(slots, at) for at, part in amounts[takes:])
        ):
            return None
        parts = []
        for at, part in amounts:
            slots.take(at)
            parts.append((abs(part.value), typed(slots, at)))
        slots.guesses += not apart and len({*parts}) < len(parts)  # takes 5, 5 damage
        slots.guesses += len(parts) > 1 and _is_a_half_beside(slots)
        if any(
            part.role == "loss" and at and slots.parts[at - 1].text in ("at", "to")
            for at, part in enumerate(slots.parts)
        ):
            return None  # at -1
        if apart and len(whom) > 1:
            if len(whom) != len(parts):
                return None
            pairs = [(who, [one]) for who, one in zip(whom, parts, strict=True)]
        else:
            pairs = (
                [(who, [one]) for who in whom or ("?",) for one in parts]
                if apart
                else [(who, parts) for who in whom or ("?",)]
            )
    origin = dealt_with if dealt_with.source else _comes_from(slots)
    if not (origin.thing or origin.source) and (thing or (thing := mishap(slots.parts))):
        slots.guesses += thing.doubtful
        slots.used |= {*range(*thing.span)}
        origin = Origin(thing=thing.name)
    halves = slots.has("half") or any(part.text == "only" for part in slots.parts)
    hurt = slots.scene.context.memory.hurt
    if halves and not slots.thread.facts and len(pairs) == 1:
        ((who, said),) = pairs
        slots.guesses += 0 < sum(each for each, _ in said) < hurt.get(who, 0)  # which may be what is left of that
    alone = _is_one_of_the_struck(slots, [who for who, _ in pairs])
    slots.guesses += alone and slots.thread.frame != "cast"
    slots.words(
        "take",
        "deal",
        "damage",
        "burns",
        *(("strike", "shoot", "hit") if _is_struck(slots) else ()),
        *(("strike", "feature") if slots.thread.frame == "blow" and not slots.whom() else ()),
        "half",
        "points",
        "type",
        "spell",
        "weapon",
        "double",
    )
    unread, further = slots.unread("become"), _is_further(slots)

    def tell(thread: Thread, *, halved: bool = False) -> None:
        for who, said in pairs:
            amounts = [(each // 2, sort) for each, sort in said] if halved else said  # as it is, it may have its dice
            if (halves or (_has_just_saved(thread, who) and not further) or alone) and _instead(thread, who, amounts):
                thread.said["instead"] = True
                continue
            for fact in damages(who, amounts, nonlethal=nonlethal):
                if origin.thing:
                    parts = fact.get("parts") or [{"amount": fact["amount"]}]
                    fact["parts"] = [{**each, "name": origin.thing} for each in parts]
                led = thread.frame if origin.thing else thread.follows
                cause = (
                    {"cause": max(thread.act, thread.roll)}
                    if thread.act >= 0
                    and (led in ("blow", "cast") or thread.asked is not None)
                    and who in (*thread.target, *_saved(thread))
                    else {}
                )
                source = {"source": origin.source} if origin.source not in ("", who) else {}
                if cause and cause["cause"] == thread.roll and not {"hit", "ac"} & thread.facts[thread.roll].keys():
                    thread.facts[thread.roll]["hit"] = True  # bites Ana with 22, and Ana loses 15
                thread.add({**fact, **source, **cause})
                thread.hurt[who] = thread.hurt.get(who, 0) + fact["amount"]
        thread.target, thread.apart = tuple(who for who, _ in pairs), by_name

    whole = Told("damage", tell, unread=unread, guesses=slots.guesses, options=slots.options)
    if not _is_half_of(slots):
        return whole
    half = partial(tell, halved=True)  # half of 12 is 6, or what is left of 24
    return Told("damage", half, unread=unread, guesses=slots.guesses, options=slots.options, others=(whole,))


def _is_of_acts(slots: Slots) -> bool:
    """Say whether a number that somebody takes counts acts or ammunition, and no points: takes 1 action, takes 3 arrows."""
    return any(
        part.item.is_verb("take")
        and one.number is not None
        and other.is_("cost_action", "cost_bonus", "cost_reaction", "ammunition")
        and not other.is_("damage", "type")
        for part, one, other in zip(slots.parts, slots.parts[1:], slots.parts[2:], strict=False)
    )


def _is_half_of(slots: Slots) -> bool:
    """Say whether the clause's number may be one of which somebody takes half: half of 12 fire damage, 12 fire halved."""
    if sum(part.role in AMOUNTS for part in slots.parts) != 1:
        return False
    told = [part for part in slots.parts if part.role == "mark" or not part.is_("damage", "type")]
    return any(one.role in AMOUNTS and other.text == "halved" for one, other in pairwise(told)) or any(
        one.is_("half") and of.text == "of" and behind.role in AMOUNTS
        for one, of, behind in zip(slots.parts, slots.parts[1:], slots.parts[2:], strict=False)
    )


def _is_a_half_beside(slots: Slots) -> bool:
    """Say whether a number of which somebody takes half stands beside another one: takes 10, half of 30."""
    return any(
        one.is_("half") and of.text == "of" and behind.role in AMOUNTS
        for one, of, behind in zip(slots.parts, slots.parts[1:], slots.parts[2:], strict=False)
    )


def _of_owner(slots: Slots) -> Origin:
    """Take the combatant who is the source of points, if one is named as their owner or after "from"."""
    for at in slots.free(owner=True):
        if at + 1 < len(slots.parts) and slots.parts[at + 1].is_("turn"):
            slots.used |= {at, at + 1}  # after Ana's turn gob takes 3
    named = any(slots.parts[at].owner or slots.parts[at].joined == "from" for at in slots.free())
    return _comes_from(slots) if named else Origin()


def _instead(thread: Thread, who: str, amounts: list[tuple[int, str]]) -> bool:
    """Correct the damage that one of a group took in this line: all take 5 fire, jax half so 2."""
    earlier = [fact for fact in thread.facts if fact["type"] == "damage_dealt" and fact["target"] == who]
    others = [fact for fact in thread.facts if fact["type"] == "damage_dealt" and fact["target"] != who]
    amount = sum(each for each, _ in amounts)
    if len(earlier) != 1 or not others or len(earlier[0].get("parts", [])) > 1 or amount >= earlier[0]["amount"]:
        return False
    earlier[0]["amount"] = amount
    for part in earlier[0].get("parts", []):
        part["amount"] = amount
    return True


def _is_one_of_the_struck(slots: Slots, whom: Sequence[str]) -> bool:
    """Say whether a clause names one of several to whom the line has just dealt the same: fireballs the orcs for 20, orc 2 takes 10."""
    thread = slots.thread
    hurt = [fact for fact in thread.facts if fact["type"] == "damage_dealt"]
    same = len(hurt) > 1 and len({fact["amount"] for fact in hurt}) == 1 and hurt[-1] is thread.facts[-1]
    among = len(whom) == 1 and whom[0] in {fact["target"] for fact in hurt}
    return same and not _is_further(slots) and among and bool(slots.whom()) and thread.frame in ("cast", "damage")


def _is_further(slots: Slots) -> bool:
    """Say whether points come on top of others: 10 more, another 10."""
    return any(part.text in ("more", "another", "extra", "also", "again", "further", "too") for part in slots.parts)


def _has_just_saved(thread: Thread, who: str) -> bool:
    """Say whether the last fact of the line is a save that somebody makes: all take 20, bo saves for 10."""
    last: Fields = thread.facts[-1] if thread.facts else {}
    return last.get("type") == "save_rolled" and last["combatant"] == who and bool(last.get("succeeded"))


def _is_told_of_a_weapon(slots: Slots) -> bool:
    """Say whether the act of somebody's weapon on another is a blow of its owner: Bo's longsword finds the zombie for nine."""
    owned = any(
        slots.parts[at].owner and at + 1 < len(slots.parts) and slots.parts[at + 1].is_("weapon") for at in slots.whom()
    )
    return owned and len(slots.free(owner=False)) == 1


def _is_halved(slots: Slots) -> bool:
    """Say whether a half with its number is the damage of a combatant who has just saved: half = 3."""
    told = [part for part in slots.parts if part.role != "mark" and not part.is_("filler")]
    halves = [part.role for part in told] == ["word", "bare"] and told[0].is_("half")
    return halves and slots.thread.frame == "save"


def _is_struck(slots: Slots) -> bool:
    """Say whether a combatant is said to be struck, without an attacker: is wounded for 5."""
    verb = next(
        (
            at
            for at, part in enumerate(slots.parts)
            if part.role == "word" and part.item.is_verb("strike", "shoot", "hit")
        ),
        -1,
    )
    return (
        verb > 0
        and slots.parts[verb - 1].is_("become")
        and len(slots.whom()) == 1
        and slots.has_role("amount", "points")
        and slots.parts[slots.whom()[0]].joined != "from"
    )


def _to_somebody(slots: Slots) -> bool:
    """Say whether the clause has only a number and a target: 8 to the chief."""
    told = [
        part
        for part in slots.parts
        if part.role != "mark" and not (part.role == "word" and part.is_("filler", "to", "and", "for"))
    ]
    return (
        len(told) == 2
        and told[0].role in ("bare", "amount")
        and told[1].role == "who"
        and told[1].joined in ("to", "for")
    )


def _dealer(slots: Slots) -> str | None:
    """Take the source of damage, where the verb needs one: Grok does 5 to the ogre; "" where nobody is named, None where it is uncertain."""
    verb = slots.where("deal", "burns")
    free = slots.free(owner=False)
    stands = verb > 0 and not (slots.parts[verb - 1].text in ARTICLES or slots.parts[verb - 1].is_("from"))
    if stands and slots.parts[verb].item.is_verb("deal", "burns"):
        before = [at for at in free if at < verb]
        behind = [at for at in free if at > verb]
        if before and (behind or slots.thread.target):
            found = slots.people(before[0])
            return found[0] if len(found) == 1 else None
        if before and not behind:
            return "" if slots.parts[before[0] + 1].text == ":" else None  # gob: dealt 9 damage, as a bot reports
    elif (
        not slots.has_verb("take")
        and len(free) == 2
        and slots.has_role("damage", "loss")
        and (slots.parts[free[1]].joined == "to" or _stand_against_each_other(slots, free))
    ):
        found = slots.people(free[0])
        return found[0] if len(found) == 1 else None
    return ""


def _stand_against_each_other(slots: Slots, free: Sequence[int]) -> bool:
    """Say whether two names with nothing but an amount between or behind them are of two sides: ana 9 dmg gob."""
    told = [part for part in slots.parts[free[0] :] if part.role not in ("who", *AMOUNTS)]
    first, second = (slots.parts[at].people.ids for at in free)
    return (
        not slots.has_role("loss")
        and all(part.text == ":" or (part.role == "word" and part.is_("damage", "type", "points")) for part in told)
        and all(slots.parts[at].joined == "" for at in free)
        and bool(first and second)
        and {slots.scene.side_of(who) for who in first}.isdisjoint(slots.scene.side_of(who) for who in second)
    )


def _pairs(slots: Slots) -> list[tuple[str, list[tuple[int, str]]]] | None:
    """Take pairs of names and amounts: shaman 4, trog 2 3, trog 3 5; 5 damage to Ortwin, 4 to Falk; None if there are not several."""
    whom = slots.free(owner=False)
    whom = [at for at in whom if slots.parts[at].joined != "from"]
    amounts = [at for at, part in enumerate(slots.parts) if part.role in AMOUNTS]
    if len(whom) < 2 or len(whom) != len(amounts):
        return None
    order = sorted([*((at, "w") for at in whom), *((at, "n") for at in amounts)])
    marks = "".join(mark for _, mark in order)
    if marks not in ("wn" * len(whom), "nw" * len(whom)):
        return None
    found = []
    for who_at, amount_at in zip(whom, amounts, strict=True):
        slots.take(amount_at)
        sort = typed(slots, amount_at)
        found += [(who, [(abs(slots.parts[amount_at].value), sort)]) for who in slots.people(who_at)]
    return found


def healing(slots: Slots) -> Told | None:
    """Fill the frame of healing: Cleo cures Bo 6, Bo regains 5, Bo +5, Mira drinks a potion and gets 4 back."""
    heals = slots.has_verb("heal") or _is_by_remedy(slots)
    regains = (
        slots.has_verb("regain")
        or slots.has_role("gain")
        or (slots.has("item") and slots.has_verb("drink"))
        or (slots.has_verb("gain") and slots.has_role("points"))
        or _back(slots)
    )
    if (
        not (heals or regains)
        or slots.has("temporary")
        or slots.has_role("temporary")
        or slots.has_verb("strike", "shoot", "take")
    ):
        return None
    if heals and any(one.text == "to" and other.number is not None for one, other in pairwise(slots.parts)):
        return None  # is healed to 15
    if _is_back_at(slots.parts):
        return None
    amount = slots.number("gain", "amount", "points", "bare", "damage", "roll")
    from_one = [at for at in slots.free() if slots.parts[at].joined == "from"]
    given = _comes_from(slots) if not heals and (slots.has("from") or from_one) else Origin()
    feature = slots.word("feature") if slots.has_verb("use") or _begins_with_feature(slots) else None
    full, casts = slots.words("cure"), slots.has_verb("cast")
    if amount is None or slots.numbers("gain", "amount", "points", "bare", "damage"):
        return None
    hits = slots.has("hit") and not (slots.words("hit") if heals else ())  # hits bo with a healing word
    added = amount.role == "gain" and amount.number is not None and amount.number.sign == "+"
    if not heals and slots.thread.frame == "cast" and added and not full:
        return None  # casts bless, everyone gets +1
    if slots.has_role("loss") or hits or slots.has("save", "initiative", "armor", "damage", "miss"):
        return None
    level = slots.number("level")
    if pair := slots.pair():
        return _either(slots, pair, amount.value)
    free = slots.free()
    source, whom = given.source, tuple[str, ...]()
    oneself = slots.word("oneself")
    if heals and len(free) == 1 and slots.parts[free[0]].joined == "from" and slots.thread.facts:
        found, free = slots.people(free[0]), []  # and gets 8 back from Ana's potion
        source = found[0] if len(found) == 1 else ""
    if heals and len(free) >= 2:
        by = [at for at in free if slots.parts[at].joined == "from" or slots.parts[at].owner]
        giver = by[0] if by else free[0]
        others = [at for at in free if at != giver]
        found = slots.people(giver)
        source = found[0] if len(found) == 1 else ""
        whom = slots.people(others[0])
        if len(others) > 1 or not source:
            return None
    elif heals and free and (meant := _by_object(slots, free[0])):
        found = slots.people(free[0])
        source, whom = found[0] if len(found) == 1 else "", meant
    elif free and not (slots.thread.facts and slots.parts[free[0]].joined == "from"):
        whom = slots.people(free[0])
        source = source or (_goes_on(slots, free[0]) if heals else "")
        slots.guesses += heals and not slots.thread.facts and _of_an_object(slots, free[0])
    elif slots.thread.facts:
        act = slots.thread.facts[slots.thread.act] if slots.thread.act >= 0 else {}
        near = slots.thread.target if slots.thread.frame in ("move", "engages") else ()
        goes_to = heals and bool(near) and near != slots.thread.actor
        gives = slots.thread.frame in ("deed", "use") and act.get("action", {}).get(
            "targets"
        )  # a potion, and is healed by it
        doer = (slots.thread.frame in ("deed", "cast", "use") and not gives) or (
            _is_of_the_doer(slots) and not source and not goes_to
        )
        said = any(part.role == "pronoun" for part in slots.parts)
        slots.guesses += goes_to and not source and not said  # goes to Bo and heals 5
        whom = (slots.thread.target if slots.thread.frame == "cast" else ()) or (
            slots.thread.actor if doer else slots.thread.target
        )
        him = next((at for at, part in enumerate(slots.parts) if part.is_("pronoun_object")), -1)
        source = source or (_goes_on(slots, him) if heals else "")
    if oneself and free:
        source = whom[0] if len(whom) == 1 else ""
    if slots.has_everyone() and (healer := source or (slots.thread.actor or ("",))[0]):
        whom = slots.scene.beside(healer, whom)  # casts prayer of healing, everyone gets 5 back
    elif slots.has_everyone() and len({slots.scene.side_of(who) for who in whom}) > 1:
        whom = slots.scene.of_side("party") or whom  # everybody heals 5, which the foes hardly do
        slots.guesses += 1
    if not whom and not slots.options:
        return None
    origin = _comes_from(slots) if not (source or given != Origin()) else given
    slots.words(
        "heal",
        "regain",
        "gain",
        "drink",
        "item",
        "use",
        "points",
        "spell",
        "cast",
        "feature",
        "cost_bonus",
        "cost_action",
        "damage",
        "cure",
        "rise",
    )
    slots.words("weapon", "give") if full else None
    unread = slots.unread("become", "towards", "take")
    spell = (
        next((part for part in full if casts or part.is_("spell") or part.text in ("clw", "csw", "ccw", "cmw")), None)
        if source
        else None
    )

    spent = slot_of(slots.scene, level)
    slots.guesses += bool(spent) and not (spell is not None or slots.thread.frame == "cast")

    def spend(thread: Thread, who: str) -> None:
        if spent:
            slot: Fields = {"type": "resource_changed", "combatant": who, "resource": spent, "amount": -1}
            thread.add(slot | {"cause": thread.act})

    named = next((part.text for part in full), "")
    declared = _declared(slots, source, whom, named) if not slots.thread.facts else None

    def tell(thread: Thread) -> None:
        if declared is not None:
            begun = thread.add(declared)
            for who in whom:
                thread.add({"type": "healed", "target": who, "amount": abs(amount.value), "cause": begun})
            thread.actor, thread.target = thread.actor, whom
            return
        if spell is not None and thread.frame != "cast" and not thread.scene.declaring:
            thread.act = thread.add(
                {
                    "type": "action_taken",
                    "combatant": source,
                    "action": {"kind": "cast", "name": spell.text, "targets": list(whom)},
                }
            )
            spend(thread, source)
            for who in whom:
                thread.add(
                    {
                        "type": "healed",
                        "target": who,
                        "amount": abs(amount.value),
                        "source": source,
                        "cause": thread.act,
                    }
                )
            thread.actor, thread.target = (source,), whom
            return
        if feature is not None and thread.frame != "use" and not thread.scene.declaring:
            doer, name = source or whom[0], feature.says("feature")
            kind = named_kind(thread.scene.context, doer, name) or "other"
            action = {"kind": kind, "name": name}
            thread.act = thread.add({"type": "action_taken", "combatant": doer, "action": action})
            thread.frame = "use"
        for who in whom:
            cause = {"cause": thread.act} if thread.act >= 0 and thread.frame in ("cast", "deed", "use") else {}
            parts = {"parts": [{"name": origin.thing, "amount": abs(amount.value)}]} if origin.thing else {}
            by = source or (thread.actor[0] if thread.frame == "cast" and len(thread.actor) == 1 else "")
            thread.add(
                {
                    "type": "healed",
                    "target": who,
                    "amount": abs(amount.value),
                    **({"source": by} if by else {}),
                    **parts,
                    **cause,
                }
            )
        if thread.frame == "cast" and len(thread.actor) == 1:
            spend(thread, thread.actor[0])
        thread.target = whom
        if feature is not None and not source and len(whom) == 1:
            thread.actor = whom
        if source and given == Origin():
            thread.actor = (source,)

    return Told(
        "healing",
        tell,
        unread=unread,
        guesses=slots.guesses,
        acts=bool((source and given == Origin()) or feature or declared),
        options=slots.options,
    )


def _is_by_remedy(slots: Slots) -> bool:
    """Say whether the clause has a word for a remedy, other than after "from": cures bo for 5, and not: from a potion of healing."""
    for at, part in enumerate(slots.parts):
        before = [
            each for each in slots.parts[max(at - 2, 0) : at] if each.text not in ("a", "an", "the", "his", "her")
        ]
        owned = bool(before) and before[-1].joined == "from" and not part.is_("spell")  # from Ana's potion
        comes = bool(before) and (before[-1].text in ("from", "by") or owned)
        if part.role == "word" and part.is_("cure") and not comes:
            return True
    return False


def _begins_with_feature(slots: Slots) -> bool:
    """Say whether a clause begins with a feature right after its owner, and a number: bo second wind 9."""
    told = [part for part in slots.parts if part.role != "mark"]
    return len(told) > 1 and told[0].role == "who" and told[1].role == "word" and told[1].is_("feature")


def _either(slots: Slots, ways: list[tuple[str, tuple[str, ...]]], amount: int, *, temporary: bool = False) -> Told:
    """Fill the frame of points after two names that nothing joins: both get them, or the first gives them to the second."""
    slots.words("heal", "regain", "gain", "points", "temporary")
    unread = slots.unread()

    def told_of(source: str, whom: tuple[str, ...]) -> Told:
        def tell(thread: Thread) -> None:
            for who in whom:
                fact: Fields = {"type": "healed", "target": who, "amount": abs(amount)}
                thread.add(fact | ({"temporary": True} if temporary else {}) | ({"source": source} if source else {}))
            thread.target = whom

        return Told("healing", tell, unread=unread, guesses=slots.guesses)

    first, *others = (told_of(*way) for way in ways)
    first.others = tuple(others)
    return first


def _may_be_called(name: str, said: str) -> bool:
    """Say whether these words can mean a spell: its name, its first letters, or a word for a remedy; not the name of another spell."""
    words = name.split()
    return said in ("", name, "".join(word[0] for word in words)) or len(said.split()) == 1


def _goes_on(slots: Slots, whom: int) -> str:
    """Return the last actor, who does something for the combatant named at a place, where the clause begins with its
    verb: and heals bo for 7; "" otherwise.
    """
    verb = next((at for at, part in enumerate(slots.parts) if part.item.is_verb("heal", "cast", "use", "give")), whom)
    begins = all(part.role == "mark" or part.is_("filler", "and", "adverb") for part in slots.parts[:verb])
    return slots.thread.actor[0] if begins and verb < whom and len(slots.thread.actor) == 1 else ""


def _declared(slots: Slots, source: str, whom: tuple[str, ...], spell: str) -> Fields | None:
    """Return healing as its doer declared it: the spell takes effect, or the act is done; None without a declaration.

    For a spell without a doer it is that of the only combatant who declared it.
    """
    scene, memory = slots.scene, slots.scene.context.memory
    works = {who: action for those in (memory.begun, memory.declared) for who, action in those.items()}
    named = [who for who, action in works.items() if spell and (action.name or "").casefold() == spell]
    who = source or (named[0] if len(named) == 1 else "")
    action = works.get(who)
    if action is None or scene.declaring or not action.name or not _may_be_called(action.name.casefold(), spell):
        return None
    if scene.table.clock == "turn" and not scene.table.declares:
        return None  # a spell cast there has taken effect
    senses = {sense.kind for sense in lexicon(scene.state.rules.rules).senses(action.name.casefold())}
    if action.kind in scene.table.words.get("casting", ("cast",)) and senses & {"cure", "heal"}:
        return {"type": "effect_started", "effect": action.name, "source": who, "targets": list(whom)}
    if action.kind == "other" and "heal" in senses and who in memory.declared:
        done = {"kind": "other", "name": action.name, "targets": list(whom)}
        return {"type": "action_taken", "combatant": who, "action": done}
    return None


def _of_an_object(slots: Slots, giver: int) -> bool:
    """Say whether a pronoun after the verb says that a combatant other than the one before it is healed."""
    return any(part.role == "pronoun" and part.is_("pronoun_object") for part in slots.parts[giver + 1 :])


def _by_object(slots: Slots, giver: int) -> tuple[str, ...]:
    """Return the meaning of a pronoun after the verb: the one combatant of the line on the healer's side; nobody without a pronoun."""
    if not any(part.role == "pronoun" and part.is_("pronoun_object") for part in slots.parts[giver + 1 :]):
        return ()
    healer, thread = slots.parts[giver].people.ids, slots.thread
    others = [who for who in (*thread.actor, *thread.target) if who not in healer]
    own = [who for who in others if healer and slots.scene.side_of(who) == slots.scene.side_of(healer[0])]
    return (own[0],) if len(set(own)) == 1 else tuple(dict.fromkeys(others))[:1] if len(set(others)) == 1 else ()


def _back(slots: Slots) -> bool:
    """Say whether points are said to be back, or regained: gets 4 back, 6 back."""
    back = any(part.text == "back" for part in slots.parts) and not slots.has_verb("deal")  # does 4 back
    return back and slots.has_role("points", "amount", "bare")


def _is_of_the_doer(slots: Slots) -> bool:
    """Say whether what somebody gains behind a blow, a kill or a move, in the active voice and without a name, goes to the
    one who did it: hits gob and gets 3 temp; bites Bo for 5 and heals 5.
    """
    passive = any(part.role == "pronoun" or part.text.endswith("ed") for part in slots.parts)
    return slots.thread.frame in ("blow", "down", "move", "engages") and bool(slots.thread.actor) and not passive


def _gains(slots: Slots) -> tuple[str, ...]:
    """Return those who gain something that names nobody: whoever struck, killed or moved in the clause before, else its targets."""
    thread = slots.thread
    if not thread.facts:
        return ()
    return thread.actor if _is_of_the_doer(slots) else thread.target or thread.actor


def temporary(slots: Slots) -> Told | None:
    """Fill the frame of temporary points: Mira +5 thp, Gunda gives Falk 6 temp hp."""
    if not (slots.has_role("temporary") or slots.has("temporary")):
        return None
    if any(part.text in ("loses", "lose", "lost", "losing", "without", "no") for part in slots.parts):
        return None
    amount = slots.number("temporary", "gain", "points", "amount", "bare")
    if amount is None or slots.numbers("temporary", "gain", "points", "amount", "bare"):
        return None
    if pair := slots.pair():
        return _either(slots, pair, amount.value, temporary=True)
    free = slots.free()
    source = ""
    if slots.has_verb("give") and len(free) > 1:
        found = slots.people(free[0])
        source = found[0] if len(found) == 1 else ""
        whom = slots.people(free[1])
    else:
        by = [at for at in free if slots.parts[at].joined == "from"]
        given = _comes_from(slots) if by and len(free) > 1 else Origin()
        source = given.source
        rest = slots.free()
        whom = slots.people(rest[0]) if rest else _gains(slots)
    if not whom and not slots.options:
        return None
    origin = _comes_from(slots)
    spell = _is_cast_by_name(slots, whom)
    slots.words("temporary", "gain", "give", "points", "spell", "feature", "become", "have")
    slots.duration()
    unread = slots.unread("become", "regain")

    def tell(thread: Thread) -> None:
        cause: Fields = {}
        if spell:
            act: Fields = {"kind": "cast", "name": spell, "targets": [*whom]}
            thread.actor = whom
            thread.act = thread.add({"type": "action_taken", "combatant": whom[0], "action": act})
            cause = {"cause": thread.act}
        for who in whom:
            thread.add(
                {
                    "type": "healed",
                    "target": who,
                    "amount": abs(amount.value),
                    "temporary": True,
                    **cause,
                    **({"source": source} if source else {}),
                    **({"parts": [{"name": origin.thing, "amount": abs(amount.value)}]} if origin.thing else {}),
                }
            )
        thread.target = whom

    return Told("temporary", tell, unread=unread, guesses=slots.guesses, options=slots.options, acts=bool(spell))


def _is_cast_by_name(slots: Slots, whom: tuple[str, ...]) -> str:
    """Return the spell whose name is the verb of a caster on themselves: zed false life 8 thp; "" for none."""
    told = [part for part in slots.parts if part.role != "mark"]
    if len(whom) != 1 or len(told) < 2 or told[0].role != "who" or told[0].owner or told[1].role != "word":
        return ""
    runs = told[1].text in slots.scene.effects
    return told[1].text if told[1].is_("spell") and not (runs or told[1].is_("feature")) else ""


def most(slots: Slots) -> Told | None:
    """Fill the frame of a combatant's maximum hit points: Bo's max hp is 30, Bo gains 5 max hp, max hp -5."""
    at = next((at for at, part in enumerate(slots.parts) if part.text in ("max", "maximum")), -1)
    amount = slots.number("gain", "loss", "points", "bare", "amount")
    free = slots.free()
    if at < 0 or amount is None or len(free) != 1 or not (slots.has("points") or amount.role == "points"):
        return None
    whom = slots.people(free[0])
    texts = {part.text for part in slots.parts if part.role == "word"}
    one = slots.scene.state.combatants[whom[0]] if len(whom) == 1 else None
    sign = amount.number.sign if amount.number else ""
    more = sign == "+" or slots.has_verb("gain") or not texts.isdisjoint(_MORE)
    less = sign == "-" or not texts.isdisjoint(_LESS)
    if one is None or (more and less):
        return None
    points = abs(amount.value)
    if more or less:
        if one.hp_max is None:
            return None
        points = one.hp_max + points if more else one.hp_max - points
    if points < 1:
        return None
    slots.take(at)
    slots.words("points", "gain", "fall", "become", "to", "for", "move", "rise", "have", "up")
    for place, part in enumerate(slots.parts):
        if part.text in _MORE or part.text in _LESS:
            slots.take(place)

    def tell(thread: Thread) -> None:
        thread.add({"type": "sheet_changed", "combatant": whom[0], "sheet": {"hp_max": points}})

    return Told("most", tell, unread=slots.unread("take"), guesses=slots.guesses)


_MORE = frozenset(["increases", "increased", "increase", "rises", "goes up", "raised", "gains", "gain", "gets", "up"])
_LESS = frozenset(
    [
        "decreases",
        "decreased",
        "decrease",
        "drops",
        "drop",
        "falls",
        "down",
        "reduced",
        "lowered",
        "loses",
        "lose",
        "lost",
    ]
)


def level(slots: Slots) -> Told | None:
    """Fill the frame of points as they are now: Ana drops to 3 hp, the ogre is down to 13, Grok is at 12."""
    words = [part.text for part in slots.parts if part.role == "word"]
    joined = " ".join(words)
    if [part.role for part in slots.parts] == ["who", "word", "bare"] and words == ["down"]:
        return _lost_or_left(slots)
    at_a_number = any(one.text.endswith("at") and other.number is not None for one, other in pairwise(slots.parts))
    sets = (
        any(
            f" {each} " in f" {joined} " and (at_a_number or not each.endswith("at"))
            for each in (
                "down to",
                "drops to",
                "drop to",
                "falls to",
                "goes to",
                "reduced to",
                "brought to",
                "now at",
                "is at",
                "are at",
                "was at",
                "at",
                "drops by",
                "up to",
            )
        )
        or "set" in words
        or _is_told_as_it_is(slots)
    )
    if [part.role for part in slots.parts if part.role != "mark"] == ["who", "word", "word", "bare"]:
        *_, link, on, _ = (part for part in slots.parts if part.role != "mark")
        is_on = link.text in ("is", "'s") and on.text == "on" and not slots.scene.unordered
        sets, slots.guesses = sets or is_on, slots.guesses + is_on  # the hag is on 27, of points or in the order
    told = [part for part in slots.parts if part.role != "mark"]
    sets = sets or ([part.role for part in told] == ["who", "points"] and not told[1].value)  # Sable 0 hp
    behind = ("points", "bare") if slots.thread.facts and slots.has("become") else ("points",)
    on_points = any(one.text == "on" and other.role in behind for one, other in pairwise(slots.parts))
    sets = sets or on_points
    sets = sets or _is_from_now(slots)
    returns = _is_back_at(slots.parts)
    sets = sets or returns
    left = slots.has_role("left")  # the ogre has 3 left
    brought = _is_brought_to(slots) or (bool(slots.thread.facts) and left)
    sets = sets or brought or (left and slots.has("owns"))
    free = slots.free()
    if (
        not sets
        or len(free) > 1
        or (not free and not slots.thread.facts)
        or (slots.has_verb("strike", "shoot", "save", "cast") and "drops" not in words)
        or (slots.has_verb("heal") and not returns)
        or slots.has("condition", "save")
    ):
        return None
    was = _was(slots)
    amount = slots.number("left", "points", "bare", "amount", "damage", "loss")
    if amount is None or slots.numbers("left", "points", "bare", "amount", "damage", "roll", "gain", "loss"):
        return None
    whom = slots.people(free[0]) if free else slots.thread.target or slots.thread.actor
    if len(whom) != 1:
        return None
    by = any(part.text in ("by",) for part in slots.parts)
    one = slots.scene.state.combatants[whom[0]]
    if one.hp is None:
        return None
    changed = _changed(slots.thread, one.id)
    now = one.hp + sum(changed)
    now = now if one.hp_max is None else min(now, max(one.hp_max, one.hp))
    lost = amount.value if by else now - amount.value
    slots.guesses += brought and lost != 0
    unheard = bool(slots.thread.facts) and not changed and slots.thread.frame not in ("blow", "damage", "save", "cast")
    slots.guesses += lost != 0 and (unheard or (left and not brought and was is None))
    slots.guesses += was is not None and was.value != one.hp
    above = one.hp_max is not None and amount.value > one.hp_max
    lowers = any(each in words for each in ("down", "drops", "drop", "falls", "dropped", "fell", "reduced"))
    if above and not (by or lowers or slots.thread.facts or "up to" in joined or "back" in words):
        return _stated(slots, one.id, amount.value, override=True)
    if lost == 0 and not slots.thread.facts:
        return _stated(slots, one.id, amount.value)
    if (changed and lost) or (above and not by):
        slots.guesses += "up to" not in joined
    agrees = lost == 0 and bool(changed)
    raises = "up to" in joined or "up" in words or returns
    if not agrees and (lost == 0 or (lowers and lost < 0) or (raises and lost > 0)):
        return None
    slots.words("fall", "fell", "status_down", "become", "points", "towards", "move", "place", "up", "from", "bring_to")
    slots.words("heal") if returns else None

    def tell(thread: Thread) -> None:
        who = whom[0]
        if agrees:
            thread.add({"type": "checked", "values": {f"{who}.hp": amount.value}})
            return
        fact: Fields = (
            {"type": "damage_dealt", "target": who, "amount": lost}
            if lost > 0
            else {"type": "healed", "target": who, "amount": -lost}
        )
        thread.add(fact)
        thread.target = whom

    return Told("level", tell, unread=slots.unread("take", "join"), guesses=slots.guesses)


def _is_back_at(parts: Sequence[Part]) -> bool:
    """Say whether points are those that somebody has again, and not how many are regained: is back to 30, back at 12."""
    said = " ".join("#" if part.number is not None else part.text for part in parts)
    return re.search(r"\bback (?:up )?(?:to|at|on) #", said) is not None


def _is_somebodys_spell(slots: Slots) -> bool:
    """Say whether a clause begins with a spell and its caster, who is not hurt by it: burning hands by Cleo on the orc, 14 fire; Cleo: fireball, 24 fire."""
    told = [part for part in slots.parts if part.role != "mark" and not part.is_("from", "filler")]
    told = [part for part in told if not part.item.is_verb("cast", "use")][:2]
    spells = [part for part in told if part.role == "word" and part.is_("spell") and not part.is_("cure")]
    by_name = [(part.role, part.joined) for part in told if part not in spells]
    from_it = any(one.is_("from", "against", "to") and other in spells for one, other in pairwise(slots.parts))
    if len(spells) != 1 or from_it or slots.has_role("loss") or slots.has_verb("take"):
        return False
    return by_name == [("who", "from" if told[0] is spells[0] else "")]


def _changed(thread: Thread, who: str) -> list[int]:
    """Return the changes of a combatant's points in the line, one by one."""
    signs = {"damage_dealt": -1, "healed": 1}
    own = (fact for fact in thread.facts if fact.get("target") == who and fact["type"] in signs)
    return [signs[fact["type"]] * fact["amount"] for fact in own if not fact.get("temporary")]


def _is_brought_to(slots: Slots) -> bool:
    """Say whether a clause gives the points that somebody is brought to: leaving him on 2, puts the ogre at 4."""
    verb = next(
        (at for at, part in enumerate(slots.parts) if part.role == "word" and part.item.is_verb("bring_to")), -1
    )
    if verb < 0 or verb + 2 >= len(slots.parts):
        return False
    ahead = [
        part for part in slots.parts[verb + 1 :] if part.text not in ("the", "a", "down", "back", "up", "only", "just")
    ]
    whom, joined, number = (*ahead, *[None] * 3)[:3]
    object_ = whom is not None and whom.role in ("who", "pronoun")
    return bool(
        object_
        and joined
        and joined.text in ("at", "on", "to", "with", "down to", "up to")
        and number
        and number.number
    )


def _lost_or_left(slots: Slots) -> Told | None:
    """Fill the frame of points that may be those lost, or those left: Bo down 3."""
    whom, number = slots.people(0), slots.take(2).value
    slots.take(1)
    one = slots.scene.state.combatants[whom[0]] if len(whom) == 1 else None
    if one is None or one.hp is None or number >= one.hp:
        return None

    def told_of(lost: int) -> Told:
        def tell(thread: Thread) -> None:
            thread.add({"type": "damage_dealt", "target": whom[0], "amount": lost})
            thread.target = whom

        return Told("level", tell)

    first = told_of(number)
    first.others = (told_of(one.hp - number),)
    return first


def _is_told_as_it_is(slots: Slots) -> bool:
    """Say whether points stand after an equals sign, or after an arrow from other points: hp bo = 30, ogre hp: 20 -> 11."""
    marks = {part.text for part in slots.parts if part.role == "mark"}
    points = slots.has("points") or slots.has_role("points") or _is_from_now(slots)
    return points and not marks.isdisjoint(("=", "->", "→", "=>"))


def _is_from_now(slots: Slots) -> bool:
    """Say whether a combatant stands beside present and new points, or beside points left of the maximum: ogre 20 -> 11, bo 14/18."""
    told = [part for part in slots.parts if part.text not in (":", "->", "→", "=>")]
    one = slots.scene.state.combatants.get((told[0].people.ids or ("",))[0]) if told[0].role == "who" else None
    if one is None or [part.role for part in told[1:]] not in (["bare"], ["bare", "bare"], ["points"]):
        return False
    number = told[1].number
    return number is not None and (
        number.value == one.hp if len(told) == 3 else len(number.pair) == 2 and number.pair[1] == one.hp_max
    )


def _was(slots: Slots) -> Part | None:
    """Take the number before an arrow, which is the former points: hp: 20 -> 11; None without an arrow."""
    at = next((at for at, part in enumerate(slots.parts) if part.text in ("->", "→", "=>")), 0)
    return slots.take(at - 1) if at and slots.parts[at - 1].number is not None else None


def _stated(slots: Slots, who: str, points: int, *, override: bool = False) -> Told:
    """Fill the frame of points that are stated: as they are, which is checked, or more than they could be, which is a ruling."""
    slots.words("fall", "fell", "status_down", "become", "points", "towards", "move", "place", "up", "to")
    values = {f"{who}.hp": points}

    def tell(thread: Thread) -> None:
        if override:
            said: Fields = {"ruling": "override", "decision": f"{who} is at {points}"}
            thread.add({"type": "ruling_made", **said, "values": values})
        else:
            thread.add({"type": "checked", "values": values})
        thread.target = (who,)

    return Told("level", tell, unread=slots.unread("take", "join"), guesses=slots.guesses)


def full(slots: Slots) -> Told | None:
    """Fill the frame of healing to the maximum: Ana back to full, Bo is fully healed."""
    words = " ".join(part.text for part in slots.parts if part.role == "word")
    if not any(each in words for each in ("to full", "fully healed", "full hp", "full health", "to max")):
        return None
    free = slots.free()
    if len(free) != 1:
        return None
    whom = slots.people(free[0])
    missing = {}
    for who in whom:
        one = slots.scene.state.combatants[who]
        if one.hp is None or one.hp_max is None or one.hp >= one.hp_max:
            return None
        missing[who] = one.hp_max - one.hp
    for at, part in enumerate(slots.parts):
        if part.role == "word" and part.text in ("back", "full", "fully", "healed", "hp", "health", "max", "restored"):
            slots.take(at)
    slots.words("heal", "points", "become", "regain")

    def tell(thread: Thread) -> None:
        for who, amount in missing.items():
            thread.add({"type": "healed", "target": who, "amount": amount})

    return Told("full", tell, unread=slots.unread(), guesses=slots.guesses)


def _is_slot_alone(slots: Slots, at: int) -> bool:
    """Say whether a line has only the level of a spell slot, and perhaps its owner: slot 1, 2nd level slot, ana slot 2."""
    rest = [part for place, part in enumerate(slots.parts) if place != at and part.role != "mark"]
    rest = rest[rest[0].role == "who" and not rest[0].owner and len(rest[0].people.ids) == 1 :] if rest else rest
    numbers = [part for part in rest if part.number is not None or part.role == "ordinal"]
    words = [part for part in rest if part not in numbers]
    is_slot = at >= 0 and slots.parts[at].text in ("slot", "spell slot")
    return is_slot and len(numbers) == 1 and all(part.is_("filler") or part.text in ("level", "lvl") for part in words)


def _slot_alone(slots: Slots) -> Told:
    """Return that the combatant named, or the one on turn, spends the spell slot of a line that says no more."""
    (level,) = (part for part in slots.parts if part.number is not None or part.role == "ordinal")
    number = level.value or next(iter(re.findall(r"\d+", level.text)), "1")
    for place in range(len(slots.parts)):
        slots.take(place)
    named = [slots.parts[at].people.ids[0] for at in slots.whom()]
    who, memory = (named or [slots.scene.turn])[0], slots.scene.context.memory
    casting = slots.scene.table.words.get("casting", ())
    act = next((one.seq for one in reversed(memory.acts) if one.is_act and one.who == who and one.kind in casting), 0)
    cause = {"cause": slots.scene.back_to(act)} if act else {}

    def tell(thread: Thread) -> None:
        name = f"level {number} spell slot"
        thread.add({"type": "resource_changed", "combatant": who, "resource": name, "amount": -1, **cause})
        thread.actor = (who,)

    return Told("resource", tell, guesses=slots.guesses)


def resource(slots: Slots) -> Told | None:
    """Fill the frame of a resource that is spent: Gunda uses 5 mana, costs 5 mana."""
    at = slots.where("resource")
    if (slots.scene.turn or slots.whom()) and not slots.thread.facts and _is_slot_alone(slots, at):
        return _slot_alone(slots)
    if at > 0 and slots.parts[at - 1].is_("from"):
        return None  # takes 12, halved to 6 by rage
    if at < 0 or not (slots.has_verb("spend", "use", "regain", "gain", "take") or slots.has_role("loss")):
        return None
    if _is_of_acts(slots):
        return None
    amount = slots.number("bare", "loss", "amount", "count", "gain")
    free = slots.free()
    whom = slots.people(free[0]) if free else (slots.thread.actor if slots.thread.facts else ())
    if len(whom) != 1 or (amount is None and not any(part.text in ("a", "an", "one") for part in slots.parts)):
        return None
    name = slots.take(at).text
    of_level = slots.number("level")
    if of_level is not None and "slot" in name:
        name = f"level {of_level.value} spell slot"
    back = slots.has_verb("regain", "gain") or (amount is not None and amount.role == "gain")
    number = abs(amount.value) if amount else 1
    slots.words("spend", "use", "regain", "gain", "take", "resource")

    def tell(thread: Thread) -> None:
        thread.add(
            {"type": "resource_changed", "combatant": whom[0], "resource": name, "amount": number if back else -number}
        )
        thread.actor = whom

    return Told("resource", tell, unread=slots.unread(), guesses=slots.guesses)


FILLS = {
    "most": most,
    "damage": damage,
    "healing": healing,
    "temporary": temporary,
    "level": level,
    "full": full,
    "resource": resource,
}
