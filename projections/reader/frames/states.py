"""States: conditions gained and lost; falling, dying, rising, giving up."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import structs

from projections.folds.addresses import derived
from projections.mechanics.pools import HP, Pool
from projections.open_types import Facts, Fields
from projections.reader.lexicon import ARTICLES, POSSESSIVES
from projections.reader.parts import Part
from projections.reader.scene import Scene
from projections.reader.slots import Slots, Thread, Told
from projections.reader.times import BEARERS, NEXT, PERSONS, lengths
from projections.state import Combatant

OWN_STATES = frozenset(
    ["hidden", "raging", "invisible", "flying", "dodging", "blessed", "hasted", "concentrating", "berserk", "cowering"]
)
"""States that combatants enter by their own act, so that an attacker may be in them."""


def _of(slots: Slots) -> tuple[str, ...]:
    """Take the combatants of a state: the name; else the target of the clause before it in the line."""
    thread = slots.thread
    free = [at for at in slots.free(owner=False) if slots.parts[at].joined not in ("from", "with")]
    pronoun = any(part.role == "pronoun" and part.is_("pronoun_subject") for part in slots.parts)
    if not free and not pronoun:  # she is frightened of the ogre
        free = slots.free()
    if free:
        return slots.people(free[0])
    if thread.frame == "blow":
        verb = any(part.is_("become") for part in slots.parts if part.role == "word") and not any(
            part.role == "pronoun" for part in slots.parts
        )
        own = any(
            part.says("self_state") in OWN_STATES or part.says("condition") in OWN_STATES
            for part in slots.parts
            if part.role == "word"
        )
        hit = thread.facts[thread.roll].get("hit") if thread.roll >= 0 else True
        if not hit and (verb or slots.has_verb("fall", "fall_prone")) and not pronoun:
            slots.guesses += hit is None
            return thread.actor  # misses Bo and falls prone
        if hit is None and pronoun and len(_struck(thread)) == 1:
            slots.guesses += 1
            return thread.target  # smashes Ana 7, she's dazed: the number may be points, or rolled
        if hit is None or (not hit and len(_struck(thread)) != 1):
            return ()  # nothing says that the blow hit, so that the number may be points; or several were missed
        verb = verb and not (slots.has("both") and len(thread.target) == 2)
        slots.either = verb or own or not hit
    own_doing = thread.frame in ("deed", "move") and not thread.facts[-1].get("forced")
    if own_doing and any(part.item.is_verb("fall_prone", "fall", "die") for part in slots.parts if part.role == "word"):
        return thread.actor
    if thread.frame == "damage" and thread.apart and not (slots.has("both", "everyone", "for_each") or pronoun):
        return thread.target[-1:]
    return (thread.target or thread.actor) if thread.facts else ()


def _struck(thread: Thread) -> set[str]:
    """Return the targets of the line's blows."""
    return {fact["target"] for fact in thread.facts if fact["type"] == "attack_rolled" and "target" in fact}


def _name(slots: Slots, said: str, typed: str) -> str:
    return slots.scene.condition_named(said, typed)


def _cause(thread: Thread) -> Fields:
    """Return the cause of a state: the blow, contest, deed or spell before it in the line, one act for all whom it affects."""
    if thread.frame == "gained" and thread.facts[-1].get("targets") == [*thread.target]:
        return {"cause": thread.facts[-1]["cause"]} if "cause" in thread.facts[-1] else {}
    if thread.act < 0 or thread.follows not in ("blow", "contest", "deed", "cast"):
        return {}
    aimed = thread.facts[thread.act].get("action", {}).get("targets", ())
    if len(thread.target) > 1:
        return {"cause": thread.act} if {*thread.target} == {*aimed} else {}
    return {"cause": thread.act if thread.follows == "cast" else max(thread.roll, thread.act)}


def _states(slots: Slots) -> list[int]:
    return [
        at
        for at, part in enumerate(slots.parts)
        if part.role == "word" and part.is_("condition") and at not in slots.used
    ]


def _without_time(thread: Thread, whom: tuple[str, ...]) -> Facts:
    """Return the states of these combatants right before this one that have no duration: blinded and deafened for 2 rounds."""
    found: Facts = []
    for fact in reversed(thread.facts):
        if fact["type"] != "condition_gained" or "duration" in fact or "detail" in fact or fact["targets"] != [*whom]:
            break
        found.append(fact)
    return found


Lasting = list[tuple[tuple[str, ...], Fields]]
"""Which combatants have a state, for how long."""


def _lasting(slots: Slots, whom: tuple[str, ...], actor: str = "") -> list[Lasting]:
    """Take the duration of a state, in each way in which it may be meant; nothing if the owner of the turn that ends it is unknown."""
    part = slots.number("until")
    if part is None or part.until is None:
        return [[(whom, slots.duration())]]
    scene, time = slots.scene, part.until
    if time.whose in (BEARERS, PERSONS) and len(whom) > 1:
        return [[((who,), lengths(scene, time, who)[0]) for who in whom]]
    if time.whose == NEXT and len(whom) > 1:
        return []
    bearer = whom[0] if whom else ""
    return [[(whom, length)] for length in lengths(scene, time, bearer, "" if actor == bearer else actor)]


def _reason(slots: Slots, states: list[int]) -> tuple[str, str]:
    """Take the reason after a state or its duration; return the combatant it comes from, and the reason as typed: by the light, because of ana."""
    behind = max(
        (*states, *(at for at, part in enumerate(slots.parts) if part.role in ("until", "duration"))), default=-1
    )
    at = next(
        (
            at
            for at, part in enumerate(slots.parts)
            if at > behind >= 0 and at not in slots.used and part.text in _REASONS and part.role == "word"
        ),
        -1,
    )
    if at < 0 or at + 1 >= len(slots.parts):
        return "", ""
    if slots.parts[at].text == "or" and not slots.parts[at + 1].is_("until", "when"):
        return "", ""
    rest = slots.parts[at + 1 :]
    named = [part for part in rest if part.role == "who"]
    words = [part for part in rest if part.role == "word" and not part.is_("filler")]
    if any(part.number is not None or part.text in (",", ";") for part in rest):
        return "", ""
    if not named:
        return "", slots.rest(at)
    from_one = slots.parts[at].is_("from") and len(named) == 1 and len(named[0].people.ids) == 1
    if not from_one or (words and not (named[0].owner and len(words) == 1)):
        return "", ""
    slots.rest(at)
    return named[0].people.ids[0], ""


_REASONS = ("by", "from", "because of", "due to", "thanks to", "because", "or", "out of")
"""Words before the origin of a state, or before its end other than its time."""


def gained(slots: Slots) -> Told | None:
    """Fill the frame of a condition that begins: the orc is prone, Bo stunned for 2 rounds, Grok rages, knocked prone."""
    states = _states(slots)
    own = [
        at
        for at, part in enumerate(slots.parts)
        if part.role == "word"
        and part.item.is_verb("self_state", "fall_prone")
        and not (at and slots.parts[at - 1].text in ("out of", "of", "from"))  # out of rage
    ]
    slots.guesses += any(
        one.text == "out of" and other.item.is_verb("self_state") for one, other in pairwise(slots.parts)
    )
    awaited, levels = slots.where("until"), _levels(slots, states, "gain", "take")
    now = Slots(slots.parts[:awaited] if awaited >= 0 and states[:1] < [awaited] else slots.parts, slots.thread)
    if (
        _is_denied(now.parts, states)
        or now.has_verb("break_free", "rise", "come_round", "save", "recover")
        or _comes_out(now, states)
        or _still_is(slots) is not None
        or (now.has_verb("end_it") and not _falls_into(now.parts))
        or now.has("save", "initiative")
    ):
        return None
    if (
        now.has_verb("strike", "shoot", "cast", "take", "heal")
        and not own
        and not levels
        and not slots.has("become")
        and not (states and len(slots.parts) < 4)
    ):
        return None
    named = slots.has("become")
    imposed = [
        at
        for at, part in enumerate(slots.parts)
        if part.role == "word"
        and part.item.is_verb("impose", *(("contest",) if states else ()))
        and not (at + 1 < len(slots.parts) and slots.parts[at + 1].text == "by")
        and not (part.is_("ailment") and slots.has_verb("end", "leave"))  # the poison on Ana wears off
    ]
    unable = next((at for at, part in enumerate(slots.parts) if _says_unable(part)), len(slots.parts))
    if all(part.role in ("word", "mark") for part in slots.parts[unable:]):
        slots.used |= {*range(unable, len(slots.parts))}
    if any(part.text == "still" for part in slots.parts):
        return None
    free_names = slots.free(owner=False)
    imposing = [
        at
        for at in imposed
        if any(place < at for place in free_names)
        and (
            any(place > at for place in free_names)
            or any(part.role == "pronoun" and part.is_("pronoun_object") for part in slots.parts[at:])
        )
    ]
    if imposing and not named:
        return _imposed(slots, imposing[0])
    unknown = -1
    if not states and not own:
        become = slots.where("become")
        objects = [at for at, part in enumerate(slots.parts) if part.role == "pronoun" and part.is_("pronoun_object")]
        if imposed and not named and (free_names or (objects if slots.thread.target else []))[:1] > imposed[:1]:
            return _imposed(slots, imposed[0])
        if become < 0:
            return None
        at = become + 1
        while (
            at < len(slots.parts)
            and slots.parts[at].role == "word"
            and slots.parts[at].is_("filler", "adverb", "become")
            and not slots.parts[at].is_("condition")
        ):
            at += 1
        if at >= len(slots.parts) or slots.parts[at].role != "word":
            return None
        part = slots.parts[at]
        if (
            part.item.senses
            or not part.text.endswith(("ed", "en", "ing"))
            or part.text in slots.scene.table.words.get("stateless", ())
        ):
            return None
        unknown = at
    source, reason = _reason(slots, states[:1] or own[:1] or [unknown])
    until = levels or reason or slots.until()
    states = [at for at in states if at not in slots.used]
    by = [at for at in slots.free() if slots.parts[at].joined == "from"]
    whom = _of(slots)
    if by and (len(slots.whom()) > 1 or by[0] not in slots.used):
        found = slots.people(by[0]) if by[0] not in slots.used else ()
        source = found[0] if len(found) == 1 else source
    if (not whom and not slots.options) or slots.free():
        return None
    names = []
    for at in own[:1]:
        part = slots.take(at)
        names.append(_name(slots, part.says("self_state") or "prone", part.text))
    for at in states:
        part = slots.take(at)
        name = _name(slots, part.says("condition"), part.text)
        if name not in names:
            names.append(name)
    if unknown >= 0:
        names.append(slots.take(unknown).text)
    bare = not slots.has("become") and not own
    ways = _lasting(slots, whom)
    if not ways:
        return None
    duration = ways[0][0][1]
    before = _without_time(slots.thread, whom) if bare and duration else []
    slots.guesses += any(each["condition"] in slots.scene.table.words["enduring"] for each in before)
    slots.words(
        "impose",
        "fall_prone",
        "self_state",
        "pushed",
        "fall",
        "strike",
        "rolled",
        "deed",
        *(("ammunition", "weapon", "spell") if source else ()),
    )
    if slots.numbers("bare", "damage", "amount", "roll", "points", "gain", "loss"):
        return None
    unread = (
        slots.unread("become", "deal", "take", "towards", "move", "spell", "type", "class", "save_kind", "critical")
        if names
        else ()
    )

    statuses = slots.scene.state.rules.statuses

    def told_of(lasting: Lasting) -> Told:
        def tell(thread: Thread) -> None:
            for earlier in before:
                earlier.update(lasting[0][1])
            for name in names:
                if name in statuses and name not in thread.scene.conditions and name != "up":
                    for who in (who for bearers, _ in lasting for who in bearers):
                        thread.add(
                            {
                                "type": "ruling_made",
                                "ruling": "override",
                                "decision": f"{who} is {name}",
                                "values": {f"{who}.status": name},
                            }
                        )
                    continue
                for bearers, length in lasting:
                    thread.add(
                        {
                            "type": "condition_gained",
                            "condition": name,
                            "targets": list(bearers),
                            **({"source": source} if source else {}),
                            **({"detail": until} if until else {}),
                            **length,
                            **_cause(thread),
                        }
                    )
            thread.target = tuple(who for bearers, _ in lasting for who in bearers)
            thread.actor = thread.actor or thread.target  # turns invisible, goes 30 ft

        return Told("gained", tell, unread=unread, guesses=slots.guesses, options=slots.options)

    first, *others = map(told_of, ways)
    first.others = tuple(others)
    return first


def _levels(slots: Slots, states: list[int], *verbs: str) -> str:
    """Take the number of levels of a state that are gained or lost; "" if the number is how many they have: gains 2 levels of exhaustion."""
    level = next((at for at, part in enumerate(slots.parts) if part.text in ("level", "levels")), -1)
    loses = "gain" in verbs and slots.has_verb("end_it")
    counted = [at for at, part in enumerate(slots.parts) if part.role in ("bare", "amount")]
    behind = level < 0 and counted == [at + 1 for at in states]  # loses exhaustion 1
    if not states or not (level >= 0 or behind) or not slots.has_verb(*verbs) or loses:
        return ""
    article = [at for at, part in enumerate(slots.parts) if at < level and part.text in ("a", "an", "one", "another")]
    if len(counted) > 1 or not (counted or article):
        return ""
    slots.words(*verbs)
    if not behind:
        slots.take(level)
    return str(slots.take(counted[0]).value) if counted else "1"


def _imposed(slots: Slots, at: int) -> Told | None:
    """Fill the frame of a state that one combatant puts another into: Skoldar stuns the orc, grabs Pike, and shoves him prone."""
    free = slots.free(owner=False)
    before, behind = [each for each in free if each < at], [each for each in free if each > at]
    actor = slots.people(before[0]) if before else slots.thread.actor
    before_it = slots.thread.target if slots.thread.facts else ()
    whom = slots.people(behind[0]) if behind else before_it
    if (not whom and not slots.options) or slots.free() or (actor and set(actor) & set(whom)):
        return None
    part = slots.take(at)
    states = _states(slots)
    name = (
        _name(slots, slots.take(states[0]).says("condition"), slots.parts[states[0]].text)
        if states
        else _name(slots, part.says("impose"), part.says("impose"))
    )
    source = actor[0] if len(actor) == 1 else ""
    ways = _lasting(slots, whom, source)
    slots.words("strike", "contest", "deed", "impose", "fell", "spell")
    if not ways or slots.numbers("bare", "damage", "amount", "roll", "points", "against", "dc"):
        return None
    deed = next((kind for kind in (part.says("contest"), part.says("deed")) if kind in slots.scene.kinds), "")
    acts = bool(deed) and bool(before) and len(whom) == 1
    if name in slots.scene.state.rules.statuses and name not in slots.scene.conditions:
        return _tries(slots, part.item.typed, actor, whom)

    unread = slots.unread("become", "towards")

    def told_of(lasting: Lasting) -> Told:
        def tell(thread: Thread) -> None:
            if acts and source:
                action: Fields = {"kind": deed, "targets": list(whom)}
                thread.act = thread.add({"type": "action_taken", "combatant": source, "action": action})
                if thread.scene.declaring:
                    thread.facts[-1]["type"] = "action_declared"
                    return
                if not part.says("contest") or (name == "grappled" and not states):
                    thread.actor, thread.target = (source,), whom
                    return
            has_cause = thread.act >= 0 and (acts or thread.frame in ("blow", "contest"))
            for bearers, length in lasting:
                thread.add(
                    {
                        "type": "condition_gained",
                        "condition": name,
                        "targets": list(bearers),
                        **({"source": source} if source else {}),
                        **length,
                        **({"cause": thread.act} if has_cause else {}),
                    }
                )
            thread.actor, thread.target = actor, whom

        return Told("imposed", tell, unread=unread, guesses=slots.guesses, acts=acts, options=slots.options)

    first, *others = map(told_of, ways)
    first.others = tuple(others)
    return first


def _tries(slots: Slots, verb: str, actor: tuple[str, ...], whom: tuple[str, ...]) -> Told | None:
    """Fill the frame of an act that would give another combatant a status, which only the game's rolls and points give: Ana stabilizes Bo."""
    if len(actor) != 1 or slots.scene.declaring:
        return None
    action: Fields = {"kind": "other", "name": verb, "targets": list(whom)}

    def tell(thread: Thread) -> None:
        thread.act = thread.add({"type": "action_taken", "combatant": actor[0], "action": action})
        thread.actor, thread.target = actor, whom

    return Told("deed", tell, unread=slots.unread("become"), guesses=slots.guesses, acts=True)


def _comes_out(slots: Slots, states: Sequence[int]) -> bool:
    """Say whether a combatant leaves a state without entering another: comes out of hiding, wakes from sleep, leaves hiding."""
    if slots.has_verb("strike", "shoot"):
        return False
    for at in states:
        before = next((part for part in reversed(slots.parts[:at]) if part.text not in _ARTICLES), None)
        leaves = before is not None and before.item.is_verb("leave") and slots.parts[at].says("condition") == "hidden"
        if before is not None and (leaves or before.text.endswith((" out of", " from")) or before.text == "out of"):
            return True
    return False


_ARTICLES = ("the", "a", "an", "his", "her", "its", "their", "being")
_REMAINS = ("still", "remain", "remains", "remained", "stays", "stayed")
_PRESUPPOSES = ("no longer", "not anymore", "not any more", "no more", "stops being", "is no longer", "ceases to be")
"""Words that deny a state which the combatant had."""


def _still_is(slots: Slots) -> Told | None:
    """Fill the frame of a state that the combatant already has and that changes nothing: still prone, Ana remains paralyzed; None otherwise."""
    states = _states(slots)
    alone = all(
        part.role in ("who", "mark", "pronoun") or (part.role == "word" and part.is_("condition", "become", "filler"))
        for part in slots.parts
    )
    remains = any(part.text in _REMAINS for part in slots.parts) or "still" in slots.thread.said
    if not states or not alone or slots.has("not") or not remains:
        return None
    free, thread = slots.whom(), slots.thread
    whom = slots.parts[free[0]].people.ids if len(free) == 1 else (thread.target or thread.actor) if not free else ()
    names = {_name(slots, slots.parts[at].says("condition"), slots.parts[at].text) for at in states}
    borne = [(each.bearer, each.name) for each in slots.scene.state.conditions.values()]
    if not whom or not all((who, name) in borne for who in whom for name in names):
        return None
    slots.used |= {*range(len(slots.parts))}
    text = " ".join(f"{part.item.typed}'s" if part.owner else part.item.typed for part in slots.parts)

    def tell(thread: Thread) -> None:
        if not thread.facts:
            thread.add({"type": "noted", "text": text})
        thread.target = whom
        thread.said["still"] = True  # still blind, and poisoned

    return Told("lost", tell)


def _recovers(slots: Slots) -> bool:
    """Say whether a combatant gets out of a state by themselves, and is not overcome by something."""
    for at, part in enumerate(slots.parts):
        if part.role == "word" and part.item.is_verb("recover"):
            passive = at > 0 and slots.parts[at - 1].is_("become")
            behind = slots.parts[at + 1].text if at + 1 < len(slots.parts) else ""
            return not passive and behind not in ("by", "with")
    return False


def _ailments(slots: Slots) -> list[int]:
    """Return the places of the names of states that end or are recovered from, and that are no running effect: the
    poison wears off, gets over her fear.
    """
    running = {each.called for each in slots.scene.state.effects.values()}
    ends = slots.has_verb("end", "end_it", "leave", "break_free") or slots.has("not") or _recovers(slots)
    passes = any(part.text in ("passes", "passed", "over", "gone") for part in slots.parts)
    return [
        at
        for at, part in enumerate(slots.parts)
        if part.role == "word" and part.is_("ailment") and part.text not in running and (ends or passes)
    ]


def _is_denied(parts: Sequence[Part], states: Sequence[int]) -> bool:
    """Say whether a clause denies its state. Words after a state that say what the combatant cannot do follow from it, and deny nothing."""
    return any(
        part.role == "word" and part.is_("not") and not (_says_unable(part) and states and at > states[0])
        for at, part in enumerate(parts)
    )


def _says_unable(part: Part) -> bool:
    """Say whether a word after a state begins what follows from it: is held, and cannot move."""
    return part.role == "word" and part.text.split()[0] in ("cannot", "can't", "cant", "unable")


def _borne(slots: Slots, whom: tuple[str, ...], names: Sequence[str]) -> str:
    """Return the one of these names that is a state of all of them; "" if none is."""
    conditions = slots.scene.state.conditions.values()
    has = [{each.name for each in conditions if each.bearer == who} for who in whom]
    return next((name for name in names if all(name in each for each in has)), "")


_STANDS = ("stand", "stands", "stood", "standing")
_OTHERWISE = (
    "down",
    "still",
    "by",
    "aside",
    "back",
    "firm",
    "fast",
    "idle",
    "guard",
    "watch",
    "tall",
    "over",
    "there",
    "in front of",
    "in front",
    "in",
    "before",
    "beside",
    "between",
    "behind",
    "near",
    "next to",
    "on",
    "at",
    "with",
    "ready",
    "against",
    "around",
)
"""Words behind a verb of standing by which nobody rises."""


def _still_stands(slots: Slots, states: Sequence[int]) -> Told | None:
    """Fill the frame of somebody who was hurt and did not fall, which adds nothing: takes 5, still standing."""
    if states or not any(part.text in ("stands", "stand", "standing") for part in slots.parts):
        return None
    if not slots.thread.facts or slots.thread.frame not in ("blow", "damage", "save", "level"):
        return None
    whom = _of(slots)
    prone = any(each.bearer in whom for each in slots.scene.state.conditions.values())
    ups = any(part.text == "up" or part.text.endswith(" up") for part in slots.parts)
    if prone or ups or not whom or slots.free():
        slots.used.clear()
        return None
    slots.words("rise", "become", "towards")
    return Told("lost", lambda _: None, unread=slots.unread())


_OUT_OF = ("from", "of", "out of", "off", "without")


def _says_prone(slots: Slots, states: Sequence[int]) -> bool:
    """Say whether one of the states is the one from which somebody rises."""
    return any(slots.parts[at].text == "prone" for at in states)


def lost(slots: Slots) -> Told | None:
    """Fill the frame of a condition that ends: Bo is no longer poisoned, the orc stands up, Pike breaks free, Falk wakes Gunda up."""
    if slots.has("not") and slots.has("status_dead", "status_down") and len(one := slots.free()) == 1:
        if lifted := _lifted(slots, slots.people(one[0])):
            return lifted
        slots.used.clear()
    if healed := _is_up_by_healing(slots):
        return healed
    if still := _still_is(slots):
        return still
    rises, frees = slots.has_verb("rise"), slots.has_verb("break_free")
    wakes = slots.has_verb("come_round", "wake")
    if wakes and any(
        one.text == "to" and other.item.is_verb("wake", "come_round") for one, other in pairwise(slots.parts)
    ):
        return None  # orc 3 to wake orc 6, which is intended
    states, ailments = _states(slots), _ailments(slots)
    if (rises or wakes) and slots.has("not") and not (states or ailments or slots.has_verb("end_it")):
        return None  # does not get up
    recovers = _recovers(slots)
    negated = _is_denied(slots.parts, states)
    denies_at = next((at for at, part in enumerate(slots.parts) if part.text == "not"), -1)
    if any(at < denies_at for at in states) and any(at > denies_at for at in states):
        return None  # stunned, not paralysed
    up = not states and (slots.has("recovered") or any(part.text == "up" for part in slots.parts))
    is_up = slots.has("up") and not up  # of a combatant who is not down this may mean that it is their turn
    ends = (
        slots.has_verb("end", "end_it", "take")
        and not _falls_into(slots.parts)
        and (bool(states) or slots.has("self_state"))
        and not slots.has_role("bare", "damage", "amount")
    )
    levels = _levels(slots, states, "end_it", "regain")
    ends = ends or bool(levels) or _comes_out(slots, states) or bool(recovers and states) or bool(ailments)
    if is_up and not (negated or states or slots.has("next", "turn", "first", "initiative")):
        return _lifted(slots, _of(slots))
    if not (rises or frees or wakes or (negated and states) or ends or up or recovers):
        return None
    if still := _still_stands(slots, states):
        return still
    remains = slots.has_verb("fail") or any(part.text == "still" for part in slots.parts)
    if rises and remains and not (states or ailments):
        return None  # is still standing, fails to stand
    if rises and not states and any(slots.parts[at].joined == "to" for at in slots.whom()):
        return None  # stands beside Bo
    if any(one.text in _STANDS and other.text in _OTHERWISE for one, other in pairwise(slots.parts)):
        return None  # stands down
    if (
        rises
        and states
        and not (negated or _says_prone(slots, states) or any(part.text in _OUT_OF for part in slots.parts))
    ):
        return None  # stands up stunned
    if (slots.has_verb("strike", "shoot", "cast") and not (states or ailments)) or (
        slots.has("save", "initiative", "turn", "next", "spell", "effect") and not (rises or frees or ailments)
    ):
        return None
    if slots.has("save", "initiative", "cure") and ailments:
        return None
    free = slots.free(owner=False)
    verb = slots.where("wake", "come_round")
    if wakes and len(free) == 2 and free[0] < verb:
        slots.people(free[0])
        whom = slots.people(free[1])
    elif rises and not free and slots.thread.frame == "blow":
        whom = _who_rises(slots)
    else:
        whom = _of(slots)
    if (not whom and not slots.options) or slots.free():
        return None
    scene = slots.scene
    has = {who: [each.name for each in scene.state.conditions.values() if each.bearer == who] for who in whom}
    names: list[str] = []
    told, denies = slots.thread.facts, False
    for at in states:
        part = slots.take(at)
        name = _name(slots, part.says("condition"), part.text)
        as_had = [
            each for each in (name, part.text, part.says("condition")) if any(each in had for had in has.values())
        ]
        names.append(as_had[0] if as_had else name)
        presupposes = any(part.text in _PRESUPPOSES or part.text in ("anymore", "any more") for part in slots.parts)
        slots.guesses += negated and not (as_had or presupposes or slots.has("become") or slots.thread.facts)
        spared = slots.thread.frame in ("save", "blow") and {*whom} <= {*slots.thread.target, *slots.thread.actor}
        held = bool(as_had) or presupposes or any(fact.get("condition") == name for fact in told)
        denies = negated and spared and not held
    doer = slots.thread.actor
    for at in ailments if not slots.whom() else ():  # attacks gob, loses invisibility
        meant = slots.parts[at].says("ailment")
        known = (meant, slots.parts[at].text, _name(slots, meant, meant))
        whom = doer if doer and _borne(slots, doer, known) and not _borne(slots, whom, known) else whom
    has = {who: [each.name for each in scene.state.conditions.values() if each.bearer == who] for who in whom}
    for at in () if names else ailments:
        meant = slots.take(at).says("ailment")
        name = _borne(slots, whom, (meant, slots.parts[at].text, _name(slots, meant, meant)))
        slots.guesses += not name
        names.append(name or _name(slots, meant, meant))
    if recovers and not names:
        had = {name for who in whom for name in has[who]}
        kinds = ("recover", "filler", "adverb", "become", "and")
        more = any(part.role == "word" and not part.is_(*kinds) for part in slots.parts)
        if len(had) != 1 or more or any(part.number is not None for part in slots.parts):
            return None  # it is unknown from what, or it is no state: recovers his arrow
        names = [*had]
    own = [
        at
        for at, part in enumerate(slots.parts)
        if part.role == "word" and part.is_("self_state") and at not in slots.used
    ]
    if not names and own and slots.has_verb("end", "end_it"):
        names = [each for each in (slots.parts[own[0]].says("self_state"),) if all(each in has[who] for who in whom)]
        slots.take(own[0])
    if not names:
        sought = (
            ("prone",)
            if rises or up
            else tuple(scene.table.words.get("bond", ()))
            if frees
            else ("unconscious", "asleep", "sleep", "sleeping")
        )
        found = [name for who in whom for name in has[who] if name.casefold() in sought]
        if frees and not found:
            if slots.has("type", "spell", "effect"):
                return None  # shakes off the poison
            found = ["grappled"]
            slots.guesses += 1
        if not found and (up or rises or wakes) and not negated and (lifted := _lifted(slots, whom)):
            return lifted
        if up and not rises and not found:
            return None
        stands = rises and "stand-up" in scene.kinds
        if stands and not negated:
            return _stands(slots, whom)
        if not found:
            found = ["prone"] if rises else [_name(slots, "unconscious", "unconscious")] if wakes else []
            slots.guesses += 0 if rises and not up else 1
        names = found[:1]
    if not names:
        return None
    slots.words(
        "not",
        "rise",
        "break_free",
        "recover",
        "come_round",
        "wake",
        "end",
        "end_it",
        "become",
        "take",
        "impose",
        "move",
        "towards",
        "up",
        "recovered",
        "distance",
        "length",
        "half",
        "leave",
        "drop",
    )
    slots.numbers("distance")
    if slots.numbers("bare", "damage", "amount", "roll", "points"):
        return None
    unread = slots.unread(
        "become", "move", "leave", "spend", "use", *(("join", "turn_over", "towards") if states or ailments else ())
    )

    def tell(thread: Thread) -> None:
        reason = {"reason": levels} if levels else {}
        for name in names if recovers or ailments else names[:1]:
            if denies:
                continue  # hits for 6, but she is not grappled
            fact = {"type": "condition_lost", "condition": name, "targets": list(whom), **reason}
            if fact not in thread.facts:  # shakes it off, not shaken anymore
                thread.add(fact)
        thread.target = whom
        by_another = wakes and len(slots.whom()) > 1
        said = bool(slots.whom()) or any(part.role == "pronoun" and part.is_("pronoun_subject") for part in slots.parts)
        thread.actor = whom if said and not by_another else thread.actor  # stands up and attacks gob

    return Told("lost", tell, unread=unread, guesses=slots.guesses, options=slots.options)


def _who_rises(slots: Slots) -> tuple[str, ...]:
    """Return who rises behind a blow: of the attacker and the target the one who lies, else the attacker; a pronoun leaves that open."""
    thread = slots.thread
    lie = [each.bearer for each in slots.scene.state.conditions.values() if each.name == "prone"]
    found = [group for group in (thread.actor, thread.target) if group and {*group} <= {*lie}]
    slots.guesses += len(found) != 1 and any(part.role == "pronoun" for part in slots.parts)
    return found[0] if len(found) == 1 else thread.actor


def back(slots: Slots) -> Told | None:
    """Fill the frame of a combatant who comes back from the dead: Bo is revived, Mira raises Bo from the dead with 5 hp."""
    if (
        not (slots.has("alive") or slots.has_verb("revive"))
        or slots.has("not", "save", "will")
        or slots.has_verb("cast")
    ):
        return None
    free = slots.free(owner=False)
    for at, part in enumerate(slots.parts):
        if part.role == "word" and part.text in _BRINGS and slots.has("alive"):
            slots.take(at)
    passive = slots.has("become")
    source: tuple[str, ...] = ()
    by = [at for at in free if slots.parts[at].joined == "from"]
    if len(free) == 2:
        giver = by[0] if by else free[0]
        if passive and not by:
            return None
        source = slots.people(giver)
    rest = slots.free(owner=False)
    whom = slots.people(rest[0]) if len(rest) == 1 else ()
    amount = slots.number("points", "amount", "bare", "gain")
    scene = slots.scene
    if not whom or len(source) > 1 or any(scene.status(who) == "up" for who in whom):
        return None
    slots.words("revive", "alive", "become", "move", "come_round", "points", "join", "regain", "wake", "towards")
    points, attributes = amount.value if amount else 1, list(scene.table.words.get("revival", ()))
    if points < 1:
        return None

    def tell(thread: Thread) -> None:
        for who in whom:
            if not attributes:
                values = {f"{who}.hp": points, f"{who}.status": "none"}
                said = {"ruling": "override", "decision": f"{who} is revived", "values": values}
                thread.add({"type": "ruling_made", **said})
                continue
            by_whom = {"source": source[0]} if source else {}
            began = thread.add(
                {"type": "effect_started", "effect": "revival", **by_whom, "targets": [who], "attributes": attributes}
            )
            thread.add({"type": "healed", "target": who, "amount": points, "cause": began})
            thread.add({"type": "effect_ended", "effect": "revival", "targets": [who]})
        thread.target = whom

    return Told(
        "back", tell, unread=slots.unread("status_dead", "towards"), guesses=slots.guesses, options=slots.options
    )


_BRINGS = ("bring", "brings", "brought", "return", "returns", "returned", "rises", "rose", "back")
"""Words beside "back to life"."""


def _falls_somewhere(parts: Sequence[Part]) -> bool:
    """Say whether an article and a place that is no state follow "falls into", or "in"."""
    verb = next((at for at, part in enumerate(parts) if part.role == "word" and part.item.is_verb("fall")), len(parts))
    behind = parts[verb + 1 : verb + 4]
    place = len(behind) == 3 and behind[0].is_("to", "towards", "from") and behind[1].text in ARTICLES
    return place and behind[2].role == "word" and not behind[2].item.senses


_PARTICLES = frozenset(
    ["behind", "in", "out", "back", "off", "away", "by", "for", "through", "on", "onto", "into", "past", "round"]
)


def _goes_on_by_a_particle(parts: Sequence[Part]) -> bool:
    """Say whether a particle right behind a verb of falling gives it another meaning: falls behind, drops in, drops on Ana."""
    return any(
        one.item.is_verb("fall", "fell") and other.role == "word" and other.text in _PARTICLES
        for one, other in pairwise(parts)
    )


def _out_of_sight(slots: Slots) -> Told | None:
    """Fill the frame of a combatant who has left the fight, when a clause adds nothing to that: gob flees → out."""
    slots.words("status_down", "towards")
    return Told("down", lambda _: None, unread=slots.unread())


def _is_up_by_healing(slots: Slots) -> Told | None:
    """Fill the frame of a combatant who is up again by the healing in the line, when a clause adds nothing to that: heals bo for 6, so he is up."""
    healed = {fact["target"] for fact in slots.thread.facts if fact["type"] == "healed"}
    told = (
        slots.has("recovered", "up") or slots.has_verb("come_round") or any(part.text == "up" for part in slots.parts)
    )
    if not healed or not told or slots.has("not", "condition") or any(part.number is not None for part in slots.parts):
        return None
    whom = _of(slots)
    if not whom or not healed.issuperset(whom) or slots.free():
        slots.used.clear()
        return None
    slots.words("recovered", "up", "come_round", "wake", "become", "towards")
    return Told("lost", lambda _: None, unread=slots.unread())


def _lifted(slots: Slots, whom: tuple[str, ...]) -> Told | None:
    """Fill the frame of a status that was ruled and no longer holds: Bo is not dead, gob is back up, Ana comes to."""
    if slots.free() or any(part.number is not None for part in slots.parts):
        return None
    ruled = {one.value if (one := slots.scene.state.ruled.get(f"{who}.status")) else "" for who in whom}
    status = ruled.pop() if len(ruled) == 1 else ""
    named = next((part for part in slots.parts if part.role == "word" and part.is_("status_dead", "status_down")), None)
    if slots.has("not") and named is not None:
        if status != _status(slots, named):
            return None
    elif status in ("", "dead"):
        return None
    slots.words(
        "not", "status_dead", "status_down", "become", "up", "rise", "come_round", "wake", "towards", "recovered"
    )

    def tell(thread: Thread) -> None:
        for who in whom:
            ruling: Fields = {"ruling": "override", "decision": f"{who} is not {status}"}
            thread.add({"type": "ruling_made", **ruling, "values": {f"{who}.status": "none"}})
        thread.target = whom

    return Told("lost", tell, unread=slots.unread(), guesses=slots.guesses)


def _status(slots: Slots, named: Part) -> str:
    """Return the status that a word names."""
    meant = slots.scene.table.means.get("status", {})
    return "dead" if named.is_("status_dead") else meant.get(named.text, "") or meant.get("down", "down")


def _stands(slots: Slots, whom: tuple[str, ...]) -> Told | None:
    """Fill the frame of standing up where it is an action of the game, which ends the condition by itself."""
    slots.words("rise", "move", "towards", "up", "half", "use", "cost_action", "leave", "spend", "length")
    slots.numbers("distance")

    def tell(thread: Thread) -> None:
        for who in whom:
            thread.act = thread.add({"type": "action_taken", "combatant": who, "action": {"kind": "stand-up"}})
        thread.actor = whom

    return Told("stands", tell, unread=slots.unread(), guesses=slots.guesses, acts=True, options=slots.options)


_LOOSE = ("go", "loose", "free")


def loosened(slots: Slots) -> Told | None:
    """Fill the frame of a hold or bond that the holder lets go: Bo lets go of the orc, lets the orc go, frees it from the grapple."""
    verb = slots.where("let_go", "let", "drop")
    free = slots.free(owner=False)
    if len(free) != 2 or not free[0] < verb or slots.has("save", "initiative", "spell", "effect", "weapon"):
        return None
    loose = [at for at, part in enumerate(slots.parts) if part.text in _LOOSE and at > verb]
    if slots.parts[verb].item.is_verb("let") and not slots.parts[verb].item.is_verb("let_go") and not loose:
        return None
    who, whom = slots.people(free[0]), slots.people(free[1])
    if len(who) != 1 or len(whom) != 1 or who == whom:
        return None
    bonds = slots.scene.table.words.get("bond", ())
    borne = derived(slots.scene.state, f"{whom[0]}.conditions")
    holders = {each.name: each.source for each in slots.scene.state.conditions.values() if each.bearer == whom[0]}
    held = [name for name in borne.value if name.casefold() in bonds] if borne else []
    own = [name for name in held if (holders.get(name) or who[0]) == who[0]]
    if not own:
        return None
    for at in loose:
        slots.take(at)
    slots.words("let_go", "let", "drop", "contest", "impose", "condition")
    if slots.numbers("bare", "damage", "amount", "roll", "points"):
        return None

    def tell(thread: Thread) -> None:
        thread.add({"type": "condition_lost", "condition": own[0], "targets": list(whom)})
        thread.actor, thread.target = who, whom

    return Told(
        "loosened", tell, unread=slots.unread("from", "move", "towards"), guesses=slots.guesses, options=slots.options
    )


def _falls_into(parts: Sequence[Part]) -> bool:
    """Say whether a verb of falling stands right before the state that it leads to: drops asleep."""
    return any(
        one.item.is_verb("fall") and other.is_("condition") and other.text not in ("down", "out")
        for one, other in pairwise(parts)
    )


def _surrendered(thread: Thread) -> bool:
    """Say whether the last fact of a line is that somebody surrenders."""
    return any(fact.get("condition") == "surrendered" for fact in thread.facts[-1:])


def down(slots: Slots) -> Told | None:
    """Fill the frame of a combatant who is out of action: the orc is dead, drops, is slain; kill orc-2."""
    if any(one.text in ("has", "have", "had") and other.item.is_verb("finish") for one, other in pairwise(slots.parts)):
        return None  # ana has finished
    dead = slots.has("status_dead") or slots.has_verb("die", "kill")
    falls = slots.has("status_down") or slots.has_verb("fall", "fell")
    if not (dead or falls) or slots.has("not", "save", "initiative", "round", "turn"):
        return None
    ways = [part for part in slots.parts if part.text in ("out", "out of the fight", "out of the battle")]
    gone = not slots.whom() and (slots.thread.frame == "leave" or _surrendered(slots.thread))
    if ways and not dead and (gone or slots.has_verb("use", "move", "deed")):
        return _out_of_sight(slots) if gone else None  # flees → out; pops out
    at_0 = all(part.value == 0 for part in slots.parts if part.role == "bare")
    if _falls_into(slots.parts) and not dead:
        return None  # drops asleep
    if not dead and slots.has_verb("fall") and (_falls_somewhere(slots.parts) or _goes_on_by_a_particle(slots.parts)):
        return None  # falls into the pit, drops back
    if not at_0 or slots.has_role("damage", "amount", "points", "roll", "loss", "gain", "distance"):
        return None
    slots.numbers("bare")
    of = _died_of(slots) if slots.has_verb("die") else ""
    if slots.has_verb("strike", "shoot", "cast", "end_it", "save") and not (
        dead or slots.has_verb("fell", "fall", "kill")
    ):
        return None
    if slots.has("spell", "effect", "weapon", "item") and not dead:
        return None  # drops bless
    if any(one.item.is_verb("fall") and other.is_("ailment") for one, other in _told_pairs(slots)) and not dead:
        return None  # drops her rage, which may be none of hers
    kills = [at for at, part in enumerate(slots.parts) if part.role == "word" and part.item.is_verb("kill", "fell")]
    if kills and slots.parts[kills[0]].text.startswith("finish") and slots.has("spell", "effect", "deed"):
        return None  # finishes web
    free = slots.free(owner=False)
    doer: tuple[str, ...] = ()
    if kills and len(free) == 2 and free[0] < kills[0] < free[1] and not _passive(slots, kills[0]):
        doer = slots.people(free[0])
        whom = slots.people(free[1])
    elif (
        kills
        and free
        and free[0] < kills[0]
        and not _passive(slots, kills[0])
        and not slots.has("status_dead", "become")
    ):
        pronoun = any(part.role == "pronoun" and part.is_("pronoun_object") for part in slots.parts[kills[0] :])
        if not (pronoun and slots.thread.target):
            if not slots.has_verb("fall") and not slots.has("status_down"):
                return None
            whom = _of(slots)
        else:
            whom = slots.pointed_at(slots.people(free[0]))
    else:
        whom = _of(slots)
        by = [at for at in slots.free() if slots.parts[at].joined == "from"]
        if by:
            doer = slots.people(by[0])
    if (not whom and not slots.options) or slots.free():
        return None
    killer = doer[0] if len(doer) == 1 and dead and slots.has_verb("kill") else ""
    slots.guesses += bool(killer) and slots.scene.declaring  # which may be what they declare
    slots.guesses += falls and not dead and not slots.whom() and slots.thread.frame in ("save", "check")
    missed = slots.thread.frame == "blow" and slots.thread.facts[slots.thread.roll].get("hit") is False
    slots.guesses += missed and falls and not dead  # misses and falls, which may be no more than prone
    where = _where(slots) if dead else ""
    slots.words(
        "status_dead", "status_down", "die", "kill", "fall", "fell", "become", "condition", "towards", "self_state"
    )
    unread = slots.unread("become", "strike", "move")
    at_none = any(part.text == "at 0" or part.role == "bare" for part in slots.parts)
    if slots.either and whom == slots.thread.target and all(_has_none_left(slots.thread, who) for who in whom):
        slots.either = False  # hits the orc, which has no points left, and falls

    def tell(thread: Thread) -> None:
        for who in whom:
            if at_none and not dead and thread.hurt.get(who) and _has_points_left(thread, who):
                thread.add({"type": "checked", "values": {f"{who}.hp": 0}})
            else:
                fall(thread, who, dead=dead, of=of, by=killer, where=where)
        thread.actor, thread.target = doer or thread.actor, whom

    first = Told("down", tell, unread=unread, guesses=slots.guesses, options=slots.options)
    bare = [part for part in slots.parts if part.role == "word"]
    if len(whom) == 1 and len(bare) == 1 and bare[0].item.value("fall") == "drop" and not slots.thread.facts:
        first.others = _drops(slots, whom[0])
    return first


def _told_pairs(slots: Slots) -> Iterator[tuple[Part, Part]]:
    """Yield each word with the next one that is no article or possessive."""
    return pairwise([part for part in slots.parts if part.text not in (*POSSESSIVES, *ARTICLES)])


def _has_points_left(thread: Thread, who: str) -> bool:
    """Say whether a combatant has points left after the damage in the line, so that a report of 0 is checked, and is no ruling."""
    one = thread.scene.state.combatants[who]
    return one.hp is not None and one.hp + one.temp > thread.hurt.get(who, 0)


def _has_none_left(thread: Thread, who: str) -> bool:
    """Say whether the damage in the line leaves a combatant without points."""
    one = thread.scene.state.combatants[who]
    return one.hp is not None and bool(thread.hurt.get(who)) and not _has_points_left(thread, who)


def _drops(slots: Slots, who: str) -> tuple[Told, ...]:
    """Return the frames of what a combatant may drop without falling: an effect that they concentrate on, or a declared act."""
    scene = slots.scene
    memory = scene.context.memory
    facts: Facts = []
    for each in scene.state.effects.values():
        if each.source == who and each.concentration:
            facts.append({"type": "effect_ended", "effect": each.name, "source": who})
    declared = memory.declared.get(who) or memory.begun.get(who)
    if declared is not None and not facts:
        facts.append({"type": "action_abandoned", "combatant": who, "name": declared.name or declared.kind})

    def told_of(fact: Fields) -> Told:
        return Told("ends", lambda thread: thread.facts.append(fact))

    return tuple(map(told_of, facts[:1]))


def _died_of(slots: Slots) -> str:
    """Take the cause of a death, if it is no combatant: dies of poison; "" if none is given."""
    die = next(at for at, part in enumerate(slots.parts) if part.role == "word" and part.item.is_verb("die"))
    behind = slots.parts[die + 1 :]
    if not behind or behind[0].text not in ("of", "from") or any(part.role not in ("word", "mark") for part in behind):
        return ""
    slots.take(die + 1)
    return f"{behind[0].item.typed} {slots.rest(die + 2)}"


_IN = (
    "in",
    "on",
    "at",
    "under",
    "beneath",
    "by",
    "near",
    "beside",
    "outside",
    "inside",
    "amid",
    "among",
    "across",
    "over",
)
_NOWHERE = ("turn", "turns", "round", "rounds", "fight", "battle", "combat", "end", "spot")


def _where(slots: Slots) -> str:
    """Take the place behind a death, which has an article and words of its own: dead in the web, dies on the stairs; "" without one."""
    for at, part in enumerate(slots.parts[1:], 1):
        if part.role == "word" and part.is_("condition") and part.text.startswith("in the "):
            return slots.take(at).item.typed
    for at, part in enumerate(slots.parts[1:-1], 1):
        behind = slots.parts[at + 1 :]
        if part.role != "word" or part.text not in _IN or at in slots.used or behind[0].text not in ARTICLES:
            continue
        plain = all(
            one.role == "word" and not one.item.is_verb("kill", "strike") for one in behind if one.role != "mark"
        )
        if plain and len(behind) > 1 and not any(one.text in _NOWHERE or one.is_("condition") for one in behind):
            return slots.rest(at)
    return ""


def _passive(slots: Slots, at: int) -> bool:
    behind = slots.parts[at + 1].text if at + 1 < len(slots.parts) else ""
    apart = behind in (",", ";", "-") and any(part.role == "who" for part in slots.parts[:at])  # ogre slain, ana
    return (at > 0 and slots.parts[at - 1].is_("become")) or behind == "by" or apart


def fall(thread: Thread, who: str, *, dead: bool, of: str = "", by: str = "", where: str = "") -> None:
    """Add that a combatant is out of action, unless the damage before it implies that; with the cause and the killer, as far as they are known."""
    scene = thread.scene
    one = scene.state.combatants[who]
    hurt = thread.hurt.get(who, 0)
    falls = hurt and one.hp is not None and one.hp + one.temp <= hurt
    if falls and not (dead and _status_with(scene, one, -hurt) != "dead"):
        return  # so the points say
    meant = "dead" if dead else scene.table.means.get("status", {}).get("down", "down")
    if meant not in scene.state.rules.statuses and meant != "dead":
        thread.add({"type": "condition_gained", "condition": meant, "targets": [who]})
    elif scene.status(who) == meant and not hurt:
        thread.add({"type": "checked", "values": {f"{who}.status": meant}})
    else:
        thread.add(
            {
                "type": "ruling_made",
                "ruling": "override",
                "decision": f"{who} dies {of}"
                if of
                else f"{by} kills {who}"
                if by
                else f"{who} is {meant} {where}".strip(),
                "values": {f"{who}.status": meant},
            }
        )


def _status_with(scene: Scene, one: Combatant, change: int) -> str:
    """Return the status that a combatant has by the rules of the game with so many more hit points."""
    left = Pool()
    left.put((one.hp or 0) + one.temp + change, 0)
    return scene.state.rules.status(scene.state, structs.replace(one, pools={**one.pools, HP: left})).value


def yields(slots: Slots) -> Told | None:
    """Fill the frame of a combatant who gives up."""
    at = next((at for at, part in enumerate(slots.parts) if part.role == "word" and part.item.is_verb("surrender")), -1)
    if at < 0 or slots.has_role("bare", "damage", "amount") or slots.has("spell", "effect"):
        return None
    behind = slots.parts[at + 1].text if at + 1 < len(slots.parts) else ""
    if slots.parts[at].item.value("surrender") == "give up" and behind in (*POSSESSIVES, *ARTICLES, "on"):
        return None  # gives up her action
    whom = _of(slots)
    if (not whom and not slots.options) or slots.free():
        return None
    slots.words("surrender", "condition")
    slots.word("to")

    def tell(thread: Thread) -> None:
        thread.add({"type": "condition_gained", "condition": "surrendered", "targets": list(whom)})
        thread.target = whom

    return Told("yields", tell, unread=slots.unread("become"), guesses=slots.guesses, options=slots.options)


FILLS = {"gained": gained, "back": back, "lost": lost, "loosened": loosened, "down": down, "yields": yields}
