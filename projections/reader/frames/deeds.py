"""Deeds: moves, departures, acts and declarations besides blows and spells, delays, and held actions."""

import re
from collections.abc import Callable, Collection, Sequence
from itertools import pairwise

from msgspec import structs

from projections.grammar.line_context import named_kind
from projections.open_types import Fields
from projections.reader.frames.blows import damages, dice, is_of_a_feature
from projections.reader.frames.points import typed as _typed
from projections.reader.lexicon import ARTICLES
from projections.reader.parts import Part
from projections.reader.slots import COSTS, Slots, Thread, Told
from projections.state import State


def _actor(slots: Slots) -> tuple[str, ...]:
    """Take the actor: the name before the verb, else the last actor of the line."""
    verb = next(
        (
            at
            for at, part in enumerate(slots.parts)
            if part.role == "word" and part.item.is_verb() and not part.is_("filler")
        ),
        len(slots.parts),
    )
    free = [at for at in slots.free() if at < verb or slots.parts[at].joined in ("", "for")]
    if free:
        return slots.people(free[0])
    if slots.thread.frame == "blow" and slots.thread.target:
        if slots.has_verb("dodged"):
            return slots.thread.target  # stabs at ana, but she parries
        says_who = any(part.role == "pronoun" and part.is_("pronoun_subject") for part in slots.parts[:verb])
        slots.either = says_who or not slots.has_verb("move", "deed", "hide", "drink", "handle", "use", "cast")
    return slots.thread.actor if slots.thread.facts else ()


def _has_outcome(slots: Slots) -> bool:
    return slots.has_role(
        "bare", "damage", "amount", "points", "roll", "loss", "gain", "against", "dc", "temporary"
    ) or slots.has("hit", "miss", "save", "initiative")


PLACES = frozenset(
    [
        "reach",
        "melee",
        "cover",
        "range",
        "area",
        "square",
        "circle",
        "web",
        "cloud",
        "light",
        "darkness",
        "shadows",
        "side",
        "hiding",
        "contact",
        "line",
        "formation",
        "grapple",
        "room",
    ]
)
"""Words for a place that somebody leaves without leaving the fight."""


def _leaves_place(slots: Slots, whom: tuple[str, ...], at: int) -> Told | None:
    """Fill the frame of a combatant who leaves a place, and stays in the fight: leaves melee with Ana, leaves Bo's reach."""
    if len(whom) != 1:
        return None
    words = slots.rest(at)

    def tell(thread: Thread) -> None:
        thread.add({"type": "placed", "combatant": whom[0], "words": words})
        thread.actor = whom

    return Told("leave", tell, unread=slots.unread(), guesses=slots.guesses, options=slots.options)


_LEAVES = re.compile(r"(leave|quit|exit)( the)?( (fight|battle|combat|field|scene|table|game))?")
"""The verbs for leaving the fight without a reason, also while others declare."""


_WAYS_OUT = ("for", "in", "through", "off", "over", "across", "along", "past", "behind", "under", "out of", "out")
"""Words before a place to which somebody leaves, beside those of directions."""
_SCENERY = frozenset(["filler", "place", "adverb", "length", "size"])
"""Kinds of words that may belong to the name of a place."""


def leave(slots: Slots) -> Told | None:
    """Fill the frame of a combatant who leaves the fight: bandit 3 legs it, hobs 3-6 rout; during declarations, and
    where leaving is an action, that act is recorded.
    """
    at = next((at for at, part in enumerate(slots.parts) if part.role == "word" and part.item.is_verb("leave")), -1)
    left = _points_left(slots, at)
    if (
        at < 0
        or (left is None and _has_outcome(slots))
        or slots.has_role("distance")
        or slots.has("not", "spell", "effect", "status_dead", "when", "condition")
    ):
        return None
    verbs = [part for part in slots.parts if part.role == "word" and part.text not in PLACES]
    if any(part.item.is_verb("strike", "shoot", "cast", "end_it", "save") for part in verbs):
        return None
    counted = [part for part in slots.parts[:at] if part.role == "who" and part.item.text[:1].isdigit()]
    stays = slots.parts[at].text == "left" and any(part.text == "only" for part in slots.parts[:at])
    if stays:
        return None  # only the ogre left
    slots.guesses += bool(counted) and slots.parts[at].text == "left"  # 3 orcs left, which may be those that stay
    whom = _actor(slots)
    if not whom and not slots.options:
        return None
    declares = slots.has("will", "declare")
    others = slots.free()
    word = slots.take(at)
    bonds = slots.scene.table.words.get("bond", ())
    state = slots.scene.state
    held = [each.name for each in state.conditions.values() if (each.bearer,) == whom and each.name in bonds]
    breaks = held[:1] if word.says("leave") == "escape" and at == len(slots.parts) - 1 and not declares else []
    if any(slots.parts[place].owner for place in others):
        return _leaves_place(slots, whom, at) if slots.parts[-1].text in PLACES else None  # leaves bo's reach
    if left is not None:
        place = slots.parts.index(left)
        slots.used |= {
            place - 1,
            place,
            *(
                place + 1 + n
                for n, part in enumerate(slots.parts[place + 1 : place + 2])
                if part.text in ("left", "remaining")
            ),
        }
    behind = " ".join(
        part.item.typed
        for place, part in enumerate(slots.parts)
        if place > at and place not in slots.used and (part.role == "word" or place in others)
    )
    in_a_place = any(part.text in PLACES for part in slots.parts[at + 1 :])
    if (
        others
        and not in_a_place
        and not all(
            slots.parts[place].joined in ("from", "to") or slots.parts[place - 1].text in ("from", "behind", "past")
            for place in others
        )
    ):
        return None
    plain = word.says("leave").split()[0] in (
        "leave",
        "exit",
        "quit",
        "escape",
        "depart",
        "withdraw",
        "retreat",
        "vanish",
        "fall",
    )
    if plain and any(part.text in PLACES for part in slots.parts[at + 1 :]):
        return _leaves_place(slots, whom, at)
    if plain and others:
        return None
    for place in others:
        slots.people(place)
    leads = False
    for place in range(at + 1, len(slots.parts)):
        part = slots.parts[place]
        leads = part.role != "mark" and (leads or part.is_("towards", "to", "from") or part.text in _WAYS_OUT)
        fight = part.text in ("fight", "battle", "combat", "gone", "is gone", "out of the fight", "out of sight")
        told = part.is_("towards", "filler", "from", "to", "move") or fight or part.text in _WAYS_OUT
        if part.role == "word" and (told or (leads and not part.item.verbs and not part.item.kinds - _SCENERY)):
            slots.used.add(place)  # down the corridor, which stays as words
    slots.words("will", "declare", "leave", "move", "condition", "strike")
    unread = slots.unread("become")
    up = tuple(who for who in whom if slots.scene.status(who) == "up") if len(whom) > 1 else whom
    if len(whom) > 1 and (not up or len({slots.scene.side_of(who) for who in whom}) > 1):
        return None  # not both sides leave at once
    fallen = {name.partition(".")[0] for fact in slots.thread.facts for name in fact.get("values", ())}
    whom = up if len(up) < 2 else tuple(who for who in up if who not in fallen)  # orc 1 dies and the orcs flee
    if left is not None:
        if len(whom) != 1:
            return None  # 15 points are of each, or of all
        slots.guesses += slots.scene.state.combatants[whom[0]].hp != left.value
    flees = "flee" in slots.scene.kinds and word.says("leave").split()[0] not in (
        "leave",
        "exit",
        "quit",
        "depart",
        "vanish",
        "desert",
    )
    simply = _LEAVES.fullmatch(word.says("leave")) is not None
    declares = slots.has("will", "declare") or (slots.scene.declaring and not (simply and not behind))
    says_more = bool(behind) or not simply
    named = "" if simply else f"{word.item.typed} "
    reason = f"{named}{behind}".strip() if says_more else ""

    def tell(thread: Thread) -> None:
        if left is not None:
            thread.add({"type": "checked", "values": {f"{whom[0]}.hp": left.value}})
        for who in whom:
            if declares and thread.scene.table.declares:
                action: Fields = {"kind": "flee" if flees else "other", **({} if flees else {"name": word.text})}
                fact: Fields = {"type": "action_declared", "combatant": who, "action": action}
            elif flees:
                fact = {"type": "action_taken", "combatant": who, "action": {"kind": "flee"}}
            else:
                fact = {"type": "combatant_left", "combatant": who, **({"reason": reason} if reason else {})}
            told = ((each["type"], each.get("combatant"), each.get("action")) for each in thread.facts)
            if (fact["type"], who, fact.get("action")) in told:
                continue  # withdraws and flees
            place = thread.add(fact)
            thread.act = place if fact["type"] == "action_taken" else thread.act
        thread.actor = whom

    def breaks_free(thread: Thread) -> None:
        thread.add({"type": "condition_lost", "condition": breaks[0], "targets": list(whom)})

    free = (Told("lost", breaks_free, unread=unread),) if breaks else ()
    return Told(
        "leave",
        tell,
        unread=unread,
        others=free,
        guesses=slots.guesses,
        acts=flees or slots.scene.declaring,
        options=slots.options,
    )


def _points_left(slots: Slots, at: int) -> Part | None:
    """Return the points with which one combatant leaves the fight: flees with 7 hp, runs off on 7; None without them."""
    numbers = [place for place, part in enumerate(slots.parts) if part.number is not None]
    if len(numbers) != 1 or len(slots.whom()) > 1 or numbers[0] < at:
        return None
    number, before = slots.parts[numbers[0]], slots.parts[numbers[0] - 1]
    plain = number.role in ("points", "left") or (number.role == "bare" and before.text in ("on", "at"))
    return number if plain and before.text in ("with", "on", "at", "w/") else None


_MOVES_OTHERS = ("move", "slid", "teleport", "shift", "relocat")
"""The beginnings of verbs of moving that may have somebody as their object."""


def move(slots: Slots) -> Told | None:
    """Fill the frame of a move: Ghoul 1 moves 20 feet towards Aldous, Ana goes to 3,3, Falk 8 metres back, is pushed 10 ft."""
    squares = [at for at, part in enumerate(slots.parts) if part.role == "square"]
    slots.guesses += any(
        one.says("move") in ("slip", "stumble") and other.text in ("on", "in") for one, other in pairwise(slots.parts)
    )  # slips in the mud, which is no move
    slots.guesses += any(  # moves gob 10 ft, whom they may move
        one.role == "word" and one.text.startswith(_MOVES_OTHERS) and other.role == "who" and not other.joined
        for one, other in pairwise(slots.parts)
    )
    slots.parts = _with_feet(slots)
    if told := _steps(slots):
        return told
    if _is_of_the_order(slots) or [part.text for part in slots.parts[1:]] in (["skips"], ["skip"]):
        return None
    if _jumps(slots) and (whom := _actor(slots)) and len(whom) == 1 and (where := _place(slots, "for")):
        return _goes_to(slots, whom[0], where)
    if (
        squares
        and not slots.has_verb("move")
        and all(part.role in ("who", "square", "mark") or part.is_("to", "and", "become") for part in slots.parts)
    ):
        return _stand(slots, squares)
    if not (slots.has_role("distance") or squares) and slots.parts[0].item.is_verb("place"):
        return _put(slots)
    placed_too = slots.thread.frame == "move" and slots.thread.facts[-1]["type"] == "placed"
    verb = (
        placed_too
        or slots.has_verb("move", "pushed", "place", "leave", "self_state", "fall")
        or _dashes(slots)
        or _goes_somewhere(slots)
    )
    if (
        not (slots.has_role("distance") or squares)
        and slots.has_verb("move")
        and not slots.has_verb("deed", "leave", "pushed", "rise", "strike", "shoot", "cast")
    ):
        return _approach(slots)
    if _only_intends(slots) and slots.has_verb("move") and (whom := _actor(slots)):
        return _intends_to_move(slots, whom) if "move" in slots.scene.kinds else None
    if (
        not (slots.has_role("distance") or squares)
        or not verb
        or slots.has_role("bare", "damage", "amount", "points", "roll", "loss", "gain")
    ):
        return None
    if (
        slots.has_verb("strike", "shoot", "cast", "save", "hit", "take") and not slots.has_verb("move", "pushed")
    ) or slots.has("save", "hit", "miss", "initiative", "armor", "weapon"):
        return None
    dashes = _dashes(slots)
    walks = dashes or slots.has_verb("move")
    pushes = [
        at
        for at, part in enumerate(slots.parts)
        if part.role == "word" and part.item.is_verb("pushed") and not part.item.is_verb("move")
    ]
    free = slots.free()
    forced, source = False, ""
    if pushes:
        passive = any(part.is_("become") for part in slots.parts[: pushes[0]])
        before = [at for at in free if at < pushes[0]]
        behind = [at for at in free if at > pushes[0] and slots.parts[at].joined in ("", "to")]
        pronoun = any(part.role == "pronoun" and part.is_("pronoun_object") for part in slots.parts[pushes[0] :])
        if passive and before:
            whom = slots.people(before[0])
            forced = True
        elif behind or (pronoun and slots.thread.target):
            source = (slots.people(before[0]) if before else slots.thread.actor or slots.on_turn() or ("",))[0]
            whom = slots.people(behind[0]) if behind else slots.thread.target
            forced = True
        elif not before and slots.thread.facts and slots.thread.target:
            whom, forced, source = slots.thread.target, True, (slots.thread.actor or ("",))[0]
        else:
            whom = _actor(slots)
    else:
        whom = _actor(slots) or (slots.on_turn() if walks else ())
    if (not whom and not slots.options) or len(squares) > 8:
        return None
    distance = slots.number("distance")
    if slots.numbers("distance"):
        return None
    path = [list(slots.take(at).item.values) for at in squares]
    mode = _mode(slots)
    cost = slots.cost()
    if cost and not dashes and cost != "bonus":
        return None
    paid = {"cost": cost} if cost else {}
    away = next((at for at, part in enumerate(slots.parts) if part.text == "away from"), -1)
    from_one = next((at for at in slots.free() if 0 <= away < at <= away + 2), -1)
    towards = " ".join(part.item.typed for part in slots.parts[away : from_one + 1]) if from_one > 0 else ""
    for at in slots.free():
        slots.people(at)  # the combatant they move towards
    towards = towards or _place(slots)
    start = min(
        [at for at, part in enumerate(slots.parts) if part.role == "word" and part.item.is_verb("move", "pushed")]
        or [0]
    )
    for at in range(start, len(slots.parts)):
        if (
            slots.parts[at].role == "word"
            and at not in slots.used
            and slots.parts[at].is_("towards", "move", "pushed", "filler", "from", "to", "leave")
        ):
            slots.take(at)
    slots.words("move", "pushed", "leave", "place", "towards", "step", "strike", "will", "deed", "fall", "self_state")
    unread = slots.unread("become")
    state = slots.scene.state

    def tell(thread: Thread) -> None:
        for who in whom:
            if dashes:
                thread.act = thread.add({"type": "action_taken", "combatant": who, "action": {"kind": "dash", **paid}})
            where = _square_of(state, who) if path else None
            if len(path) == 1 and distance is None and where is None and not walks:
                thread.add({"type": "placed", "combatant": who, "square": path[0]})
                continue
            way = [where, *path] if path and where is not None and len(path) == 1 else path
            fact: Fields = {"type": "moved", "combatant": who, **({"path": way} if way else {})}
            if distance is not None:
                fact["distance"] = {"amount": distance.value, "unit": distance.unit}
            if mode:
                fact["mode"] = mode
            if forced:
                fact |= {"forced": True, **({"source": source} if source else {})}
            thread.act = thread.add(fact)
            if towards:
                thread.add({"type": "placed", "combatant": who, "words": towards})
        if forced:
            thread.target = whom
        else:
            thread.actor = whom

    return Told("move", tell, unread=unread, guesses=slots.guesses, acts=not forced, options=slots.options)


def _with_feet(slots: Slots) -> list[Part]:
    """Return the parts of a clause with a number after a move as a distance, where the game moves in feet: moves 30, swims 15."""
    unit = slots.scene.table.means.get("distance", {}).get("alone", "")
    numbers = [at for at, part in enumerate(slots.parts) if part.number is not None]
    if not unit or len(numbers) != 1 or slots.parts[numbers[0]].role != "bare" or slots.has_role("square"):
        return slots.parts
    number = slots.parts[numbers[0]]
    plain = number.number is not None and not number.number.sign and not number.number.notation
    verb = next(
        (
            at
            for at, part in enumerate(slots.parts)
            if part.role == "word" and (part.item.is_verb("move") or part.says("deed") == "dash")
        ),
        -1,
    )
    between = slots.parts[verb + 1 : numbers[0]]
    if verb < 0 or not plain or not all(part.role == "word" and part.is_("towards", "adverb") for part in between):
        return slots.parts
    return [structs.replace(part, role="distance", unit=unit) if part is number else part for part in slots.parts]


def _dashes(slots: Slots) -> bool:
    """Say whether a move is a dash, where that is an act of the game."""
    return "dash" in slots.scene.kinds and any(
        part.role == "word" and part.says("deed") == "dash" for part in slots.parts
    )


def plunge(slots: Slots) -> Told | None:
    """Fill the frame of a fall from a height with its damage: Bo falls 20 feet for 7, takes 7 damage from a 20 ft fall."""
    cue = next(
        (
            at
            for at, part in enumerate(slots.parts)
            if part.role == "word" and part.item.is_verb("fall") and not part.item.is_verb("move")
        ),
        -1,
    )
    amounts = [at for at, part in enumerate(slots.parts) if part.role in ("damage", "amount", "points", "loss")]
    if cue < 0 or not slots.has_role("distance") or len(amounts) != 1 or len(slots.whom()) != 1 or slots.has("not"):
        return None
    if slots.has_verb("strike", "shoot", "cast", "save") and not slots.has("type"):
        return None
    distance, hurt = slots.number("distance"), slots.take(amounts[0])
    whom = slots.people(slots.whom()[0])
    if distance is None or len(whom) != 1:
        return None
    slots.take(cue)
    sort = next((part.says("type") for part in slots.words("type")), "")
    slots.words("take", "damage", "points", "fall", "towards", "from")
    flies = "fly" in slots.scene.table.means.get("gait", {})

    def tell(thread: Thread) -> None:
        far = {"amount": distance.value, "unit": distance.unit}
        mode = {"mode": "fall"} if flies else {}
        thread.act = thread.add({"type": "moved", "combatant": whom[0], "distance": far, **mode})
        (fact,) = damages(whom[0], [(abs(hurt.value), sort)])
        thread.add(fact | {"cause": thread.act})
        thread.hurt[whom[0]] = thread.hurt.get(whom[0], 0) + abs(hurt.value)
        thread.actor = thread.target = whom

    return Told("plunge", tell, unread=slots.unread("become"), guesses=slots.guesses, options=slots.options)


def engages(slots: Slots) -> Told | None:
    """Fill the frame of melee that begins: Bo moves into melee with the ogre, Bo engages the ogre."""
    melee = next((at for at, part in enumerate(slots.parts) if part.text in ("melee", "contact")), -1)
    verb = slots.where("engage")
    if (melee < 0 and verb < 0) or _has_outcome(slots) or slots.has_role("distance", "square") or slots.has("not"):
        return None
    verb = verb if verb >= 0 else slots.where("move")
    free = slots.free(owner=False)
    if verb < 0 or len(free) != 2 or not free[0] < verb < free[1] or slots.scene.declaring:
        return None
    who, whom = slots.people(free[0]), slots.people(free[1])
    slots.words("engage", "move", "towards", "to", "with")
    for at, part in enumerate(slots.parts):
        if part.text in ("melee", "contact", "range", "combat"):
            slots.take(at)
    if len(who) != 1 or not whom:
        return None

    def tell(thread: Thread) -> None:
        thread.add({"type": "placed", "combatant": who[0], "engaged": list(whom)})
        thread.actor, thread.target = who, whom

    return Told("engages", tell, unread=slots.unread(), guesses=slots.guesses, options=slots.options)


def _stand(slots: Slots, squares: list[int]) -> Told | None:
    """Fill the frame of positions, one square for each combatant: ogre at 5,3; ogre and goblin at 5,3 and 5,4."""
    free = slots.free()
    if len(free) != 1 or free[0] > squares[0]:
        return None
    whom = slots.people(free[0])
    where = [list(slots.take(at).item.values) for at in squares]
    if not slots.options and len(whom) != len(where):
        return None

    def tell(thread: Thread) -> None:
        for who, square in zip(whom, where, strict=True):
            thread.add({"type": "placed", "combatant": who, "square": square})
        thread.actor = whom

    return Told("move", tell, unread=slots.unread(), guesses=slots.guesses, options=slots.options)


def _put(slots: Slots) -> Told | None:
    """Fill the frame of a combatant who is placed somewhere: place Ana behind the tree."""
    free = slots.free(owner=False)
    where = slots.where("towards")
    if _has_outcome(slots) or len(free) != 1 or free != [1] or where != 2:
        return None
    slots.take(0)
    whom = slots.people(1)
    words = slots.rest(where)
    if len(whom) != 1:
        return None

    def tell(thread: Thread) -> None:
        thread.add({"type": "placed", "combatant": whom[0], "words": words})
        thread.actor = whom

    return Told("move", tell, unread=slots.unread(), guesses=slots.guesses, options=slots.options)


def _goes_somewhere(slots: Slots) -> bool:
    """Say whether a distance and a direction are given without a verb, jax back 20ft; or with an unknown one, which is a guess."""
    whom = slots.whom()
    if (
        not whom
        or not slots.has_role("distance")
        or any(part.role == "word" and part.item.is_verb() for part in slots.parts)
    ):
        return False
    others = [
        at
        for at, part in enumerate(slots.parts)
        if part.role == "word" and not part.is_("towards", "to", "from", "filler", "with", "and", "will")
    ]
    unknown = [at for at in others if not slots.parts[at].item.senses]
    if len(others) > len(unknown) or len(others) > 1 or slots.parts[whom[0]].joined:
        return False
    if others:
        if others[0] != whom[0] + 1:
            return False
        slots.take(others[0])
        slots.guesses += 1
    return bool(others) or slots.has("towards")


def stands(slots: Slots) -> Told | None:
    """Fill the frame of who is somewhere: Kiko is on the roof, Zed and Bo behind the bar."""
    free = slots.free()
    told = [part for part in slots.parts if part.role != "mark"]
    plain = len(free) == 1 and told[:1] == [slots.parts[free[0]]] and not told[0].owner
    if not plain or any(part.role not in ("who", "word", "mark") or part.item.is_verb() for part in told):
        return None
    at = next((at for at, part in enumerate(told) if part.is_("towards", "to")), 0)
    links = all(part.is_("become", "adverb") or part.text in ("still", "now") for part in told[1:at])
    if not at or not links or not any(part.text in ARTICLES for part in told[at + 1 : at + 3]):
        return None
    slots.guesses += told[at].text in ("on", "in", "at", "to", "into")  # on the roof, and on the brink
    whom = slots.people(free[0])
    words = _place(slots)
    if not words:
        return None

    def tell(thread: Thread) -> None:
        for who in whom:
            thread.add({"type": "placed", "combatant": who, "words": words})
        thread.actor = whom

    return Told("stands", tell, unread=slots.unread("become"), guesses=slots.guesses, options=slots.options)


def _jumps(slots: Slots) -> bool:
    """Say whether a clause tells only of a way that is a deed as well: jumps down to the bridge."""
    verb = next((part for part in slots.parts if part.role == "word" and part.item.is_verb()), None)
    return (
        verb is not None
        and verb.item.is_verb("move")
        and verb.item.is_verb("deed")
        and not slots.scene.declaring
        and len(slots.free()) == 1
        and all(part.role in ("who", "word", "mark") for part in slots.parts)
        and not _has_outcome(slots)
    )


_STEPS = ("misty step",)
"""The spells named by a verb that take their caster somewhere."""


def _steps(slots: Slots) -> Told | None:
    """Fill the frame of whoever casts a spell that is named by a verb, and so gets somewhere: Sable misty steps 30 ft."""
    at = slots.where("spell_verb")
    far = next((part for part in slots.parts if part.role == "distance"), None)
    if at < 0 or far is None or _has_outcome(slots) or slots.parts[at].says("spell_verb") not in _STEPS:
        return None
    whom = _actor(slots)
    if len(whom) != 1 or slots.free():
        return None
    slots.take(slots.parts.index(far))
    slots.take(at)
    cost = slots.cost()
    spell: Fields = {"kind": "cast", "name": slots.parts[at].says("spell_verb"), **({"cost": cost} if cost else {})}

    def tell(thread: Thread) -> None:
        thread.act = thread.add({"type": "action_taken", "combatant": whom[0], "action": spell})
        distance = {"amount": far.value, "unit": far.unit}
        thread.add(
            {"type": "moved", "combatant": whom[0], "distance": distance, "mode": "teleport", "cause": thread.act}
        )
        thread.actor = whom

    return Told("move", tell, unread=slots.unread("towards", "move"), guesses=slots.guesses, acts=True)


def _is_of_the_order(slots: Slots) -> bool:
    """Say whether a clause says before whom somebody acts, or as which: goes before Bo, moves ahead of the orc, goes first."""
    return any(
        (one.text in ("before", "ahead of") and other.role == "who")
        or (one.item.is_verb("move") and (other.role == "ordinal" or other.text in ("first", "last")))
        for one, other in pairwise(slots.parts)
    )


def _goes_to(slots: Slots, who: str, where: str) -> Told:
    """Fill the frame of a move at no given distance, to a thing or nowhere in particular: runs for the door, dodges and moves back."""
    slots.words("move", "will", *(() if where else ("towards",)))

    def tell(thread: Thread) -> None:
        placed: Fields = {"type": "placed", "combatant": who, "words": where}
        thread.act = thread.add(placed if where else {"type": "moved", "combatant": who})
        thread.actor = (who,)

    return Told("move", tell, unread=slots.unread(), guesses=slots.guesses, acts=True)


def _place(slots: Slots, *also: str) -> str:
    """Return the destination of a move, as typed, if it is a thing: towards the door; "" if there is none, or only a combatant."""
    at = next(
        (
            at
            for at, part in enumerate(slots.parts)
            if at not in slots.used
            and part.role == "word"
            and part.is_("towards", "to", *also)
            and not part.is_("from")
            and at + 1 < len(slots.parts)
        ),
        -1,
    )
    if at < 0:
        return ""
    behind = [part for part in slots.parts[at:] if part.role in ("word", "who")]
    thing = any(part.role == "word" and not part.item.senses for part in behind)
    if not thing or any(part.role == "who" for part in behind) or any(part.role == "mark" for part in slots.parts[at:]):
        return ""
    for place in range(at, len(slots.parts)):
        slots.take(place)
    return " ".join(part.item.typed for part in behind)


def _beside(slots: Slots, at: int) -> str:
    """Take the destination of a move that ends at a combatant: over to the ogre, behind gob; "" if more follows the
    name, or no such word stands before it.
    """
    first = at - 1
    while first > 0 and slots.parts[first].role == "word" and slots.parts[first].is_("filler", "towards", "to"):
        first -= 1
    said = slots.parts[first + 1 : at]
    one = slots.parts[at].people.ids
    if at != len(slots.parts) - 1 or len(one) != 1 or not any(part.is_("towards", "to") for part in said):
        return ""
    for place in range(first + 1, at + 1):
        slots.take(place)
    name = slots.scene.state.combatants[one[0]].name
    return " ".join(
        [
            *(part.item.typed for part in said),
            typed if (typed := slots.parts[at].item.typed).casefold() == name.casefold() else name,
        ]
    )


def _approach(slots: Slots) -> Told | None:
    """Fill the frame of a move towards a combatant at no given distance."""
    free = slots.free()
    if _has_outcome(slots) or slots.has("condition", "spell", "weapon", "save", "not"):
        return None
    gone = any(fact["type"] == "combatant_left" for fact in slots.thread.facts)
    goes_on = slots.thread.facts and not gone and len(slots.thread.actor) == 1 and not slots.has_role("pronoun")
    if goes_on and len(free) < 2 and all(slots.parts[at].joined == "to" for at in free):
        where = _beside(slots, free[0]) if free else _place(slots, "for")
        return _goes_to(slots, slots.thread.actor[0], where) if where or not free else None
    if len(free) not in (1, 2) or slots.parts[free[0]].joined not in ("", "for"):
        return None
    whom = slots.people(free[0])
    if not whom and not slots.options:
        return None
    said = [part for part in slots.parts if part.role == "word" and (not part.is_("filler") or part.is_("to"))]
    if slots.scene.table.clock == "turn" and {part.text for part in said} <= {"go", "goes"}:
        return None  # now the wolves go, whose turn it is
    if slots.scene.declaring or _only_intends(slots):
        return _intends_to_move(slots, whom) if "move" in slots.scene.kinds else None
    if len(free) == 1 and len(whom) == 1 and (where := _place(slots, "for")):
        return _goes_to(slots, whom[0], where)
    if len(free) == 2 and len(whom) == 1 and (where := _beside(slots, free[1])):
        return _goes_to(slots, whom[0], where)
    for at in free[1:]:
        slots.people(at)
    slots.words("move", "towards", "to", "from", "with", "will", "deed")
    ahead = any(part.says("move") in _AHEAD for part in slots.parts if part.role == "word")
    slots.guesses += len(free) == 1 and not ahead

    def tell(thread: Thread) -> None:
        for who in whom:
            thread.act = thread.add({"type": "moved", "combatant": who})
        thread.actor = whom

    return Told("move", tell, unread=slots.unread(), guesses=slots.guesses, acts=True, options=slots.options)


def _only_intends(slots: Slots) -> bool:
    """Say whether a clause gives an intention, in a game with declarations."""
    return slots.has("will", "declare") and bool(slots.scene.table.declares)


def _intends_to_move(slots: Slots, whom: tuple[str, ...]) -> Told:
    """Fill the frame of a declared move, with its destination in words: Lysa runs behind Ames; the hobs move to the door."""
    verb = next(at for at, part in enumerate(slots.parts) if part.role == "word" and part.item.is_verb("move"))
    for at in slots.free():
        slots.people(at)
    goes = [part for part in slots.parts[verb + 1 :] if part.role != "mark" or part.text == "'s"]
    slots.used |= {*range(verb, len(slots.parts))}
    where = " ".join(part.item.typed for part in goes).replace(" 's", "'s")
    action: Fields = {"kind": "move", **({"name": where} if where else {})}
    slots.words("will", "declare")

    def tell(thread: Thread) -> None:
        for who in whom:
            thread.act = thread.add({"type": "action_declared", "combatant": who, "action": action})
        thread.actor = whom

    return Told("move", tell, unread=slots.unread(), guesses=slots.guesses, acts=True, options=slots.options)


_AHEAD = (
    "move up",
    "move in",
    "step up",
    "step forward",
    "come forward",
    "close in",
    "come up",
    "charge up",
    "run over",
)
"""Moves towards an opponent. A combatant who "backs up", or "is back up", may also be on their feet again."""


def _square_of(state: State, who: str) -> list[int] | None:
    """Return the square of a combatant; None if it is unknown."""
    square = state.rules.squares(state).get(who)
    return None if square is None else list(square)


_MODES = {
    "fly": "fly",
    "fly up": "fly",
    "soar": "fly",
    "swim": "swim",
    "climb": "climb",
    "climb up": "climb",
    "climb down": "climb",
    "crawl": "crawl",
    "teleport": "teleport",
    "jump": "long-jump",
    "leap": "long-jump",
}


def _mode(slots: Slots) -> str:
    modes = {_MODES[part.says("move")] for part in slots.parts if part.role == "word" and part.says("move") in _MODES}
    if any(part.role == "word" and part.item.is_verb("fall") and not part.item.is_verb("move") for part in slots.parts):
        modes = {"fall"}
    return modes.pop() if len(modes) == 1 and "fly" in slots.scene.table.means.get("gait", {}) else ""


def _exhorts(before: list[Part], verb: Part) -> bool:
    """Say whether a clause calls on everybody to do something, which they may not do: everybody breathe."""
    everyone = bool(before) and before[-1].role == "who" and before[-1].is_("everyone")
    return everyone and not verb.text.endswith(("s", "ed", "ing"))


def deed(slots: Slots) -> Told | None:
    """Fill the frame of an act or a declaration besides blows and spells: Dorn parries, Pike hides, Tam declares parry."""
    scene = slots.scene
    check = _check_of_hiding(slots)
    if (
        (_has_outcome(slots) and check is None)
        or slots.has_role("distance", "duration", "loss")
        or slots.has("not", "save", "condition", "status_dead")
    ):
        return None
    at = next(
        (
            at
            for at, part in enumerate(slots.parts)
            if part.role == "word"
            and (
                part.is_("deed")
                or part.text in scene.kinds
                or part.item.is_verb("hide", "drink")
                or (part.item.is_verb("heal") and not any(each.number is not None for each in slots.parts))
                or (part.is_("skill") and (scene.declaring or slots.has("will", "declare")))
            )
            and not part.is_("filler")
        ),
        -1,
    )
    if at < 0 or (
        slots.has_verb("strike", "shoot", "cast", "leave", "end_it", "take", "rise") and not slots.parts[at].is_("deed")
    ):
        return None
    if slots.has_verb("cast") or (slots.has("spell", "cure") and not slots.has_verb("drink", "use", "heal", "give")):
        return None
    before = slots.parts[at - 1] if at else None
    of_the_rest = before is not None and before.text == "the" and slots.parts[at].text == "rest"
    if of_the_rest or (before is not None and before.owner and slots.parts[at].item.is_verb("heal")):
        return None  # the rest flee, Odo's cure goes off
    if before is not None and _is_passive(before, slots.parts[at]):
        return None  # is healed, is distracted, which somebody else did
    named = any(place < at for place in slots.whom())
    if not named and slots.parts[at].item.is_verb("heal") and not slots.parts[at].is_("deed"):
        return None  # healing Korgan, which says how the act before was done
    alone = () if named or slots.parts[at].says("deed") not in (*scene.kinds, "") else slots.on_turn()
    if not named and not slots.thread.facts and not alone:
        return None
    who = alone or _actor(slots)
    if not who and not slots.options:
        return None
    verb = slots.take(at)
    said = (
        verb.says("deed")
        or (verb.text if verb.text in scene.kinds else "")
        or verb.says("hide")
        or verb.says("drink")
        or verb.says("heal")
        or verb.text
    )
    whom: tuple[str, ...] = ()
    declaring = scene.declaring or slots.has("declare", "will")
    by_somebody = said == "hide" and not declaring and any(part.is_("towards") for part in slots.parts[at + 1 : at + 2])
    beside = slots.rest(at + 1) if by_somebody and slots.free() else ""  # hides behind bo
    for place in slots.free():
        whom += slots.people(place)
    slots.guesses += bool(alone and whom and said in UNAIMED)  # dodge bo, where bo may be the one who dodges
    slots.guesses += said not in scene.kinds and len({scene.side_of(each) for each in who}) > 1  # everybody breathe
    slots.guesses += not whom and any(
        part.role == "pronoun" and part.is_("pronoun_object") for part in slots.parts[at:]
    )  # helps her, who is unknown
    slots.guesses += not scene.declaring and _exhorts(slots.parts[:at], verb)
    slots.guesses += at > 0 and slots.parts[at - 1].is_("become") and verb.text.endswith("ing")  # is looking rough
    cost = slots.cost()
    declares = (bool(slots.words("declare", "will")) and bool(scene.table.declares)) or scene.declaring
    item = slots.words("item")
    goes = said in scene.kinds and not (whom or declares)
    where = beside or (_place(slots) if goes else "")
    rest = [
        place
        for place in range(at + 1, len(slots.parts))
        if place not in slots.used
        and slots.parts[place].role in ("word", "quote")
        and not slots.parts[place].is_("and", "cost_action")
    ]
    for place in rest:
        slots.take(place)
    if all(slots.parts[place].is_("to", "filler") and slots.parts[place].text not in _PARTICLES for place in rest):
        rest = [] if whom else rest  # taunts the orc, breathes fire on ana
    words = " ".join(
        slots.parts[place].item.typed
        for place in range(at + 1, len(slots.parts))
        if place in rest or slots.parts[place] in item or (rest and slots.parts[place].role == "who")
    )
    slots.words("deed", "use", "hide", "drink", "skill", "feature", "strike", "opportunity", "cost_action")
    unread = slots.unread("become", "adverb")
    plain = said in scene.kinds
    examines = said in ("search", "study") and bool(words)
    fails = [slots.parts[place].item.typed for place in rest if slots.parts[place].is_("failure", "miss")]
    remark = " ".join(fails) if plain and not examines and len(who) == 1 else ""
    if goes and not examines:  # no name has the words of the rest
        unread += tuple(slots.parts[place].item.typed for place in rest if not slots.parts[place].item.senses)
    name = words if examines and plain else "" if plain else said if not words else f"{verb.item.typed} {words}".strip()

    def tell(thread: Thread) -> None:
        for one in who:
            action: Fields = {
                "kind": said if plain else "other",
                **({"name": name} if name else {}),
                **({"targets": list(whom)} if whom else {}),
                **({"cost": cost} if cost else {}),
            }
            thread.act = thread.add(
                {"type": "action_declared" if declares else "action_taken", "combatant": one, "action": action}
            )
            if where:
                thread.add({"type": "placed", "combatant": one, "words": where})
            if remark:
                thread.add({"type": "noted", "text": remark, "event": thread.act})  # tries to grapple it, but fails
            if check is not None:
                rolled: Fields = {"type": "dice_rolled", "purpose": "stealth", "combatant": one, **dice(check.number)}
                thread.add(rolled | {"cause": thread.act})
        thread.actor, thread.target = who, whom or thread.target

    if check is not None and not (plain and len(who) == 1):
        return None
    if said == "hide" and not plain and not declares and "hidden" in (*scene.conditions, "hidden"):
        return Told("deed", _hiding(who, beside or words), unread=unread, guesses=slots.guesses, options=slots.options)
    guesses = slots.guesses + (1 if len(words.split()) > 4 else 0)
    return Told("deed", tell, unread=unread, guesses=guesses, acts=True, options=slots.options)


UNAIMED = ("dodge", "dash", "disengage", "hide", "search", "study")
"""Deeds without a target."""


def _is_passive(before: Part, verb: Part) -> bool:
    """Say whether a verb is a participle of what is done to its subject, or no verb at all: gets distracted, is down to half."""
    first = verb.text.partition(" ")[0]
    base = {sense.value.partition(" ")[0] for sense in verb.item.senses if sense.is_verb}
    is_ = before.text in ("is", "are", "was", "were", "'s", "am") and before.is_("become")
    return before.is_("become") and (first not in base or is_) and not first.endswith(("s", "ing"))


def _check_of_hiding(slots: Slots) -> Part | None:
    """Take the roll of a combatant who hides, if nothing else is reported: hides 17; None without one."""
    hides = any(part.role == "word" and part.item.is_verb("hide") for part in slots.parts)
    numbers = [part for part in slots.parts if part.number is not None]
    alone = len(numbers) == 1 and not slots.has("hit", "miss", "save", "initiative", "skill")
    if not hides or not alone or numbers[0].role not in ("bare", "roll", "amount"):
        return None
    slots.words("rolled")
    return slots.number("bare", "roll", "amount")


def handling(slots: Slots) -> Told | None:
    """Fill the frame of a weapon that is dropped, drawn or put away: an act of the game, where it has one; else a note,
    where that takes no turn or segment.
    """
    scene = slots.scene
    at = next((at for at, part in enumerate(slots.parts) if part.role == "word" and part.item.is_verb("handle")), -1)
    thing = [
        place
        for place in range(at + 1, len(slots.parts))
        if slots.parts[place].role == "word" and slots.parts[place].is_("weapon", "item")
    ]
    if at < 0 or not thing or _has_outcome(slots) or slots.has("not", "condition", "will", "declare"):
        return None
    who = _actor(slots)
    if (not who and not slots.options) or slots.free():
        return None
    kind = slots.take(at).says("handle")
    known = kind in scene.kinds
    if not known and (scene.declaring or not (kind == "drop" or scene.has_sides)):
        return None
    name = " ".join(slots.take(place).item.typed for place in thing)
    cost = slots.cost()
    verb = slots.parts[at].item.typed

    def tell(thread: Thread) -> None:
        for one in who:
            if not known:
                thread.add({"type": "noted", "text": f"{one} {verb} {name}"})
                continue
            action: Fields = {"kind": kind, "name": name, **({"cost": cost} if cost else {})}
            declares = "action_declared" if scene.declaring else "action_taken"
            thread.act = thread.add({"type": declares, "combatant": one, "action": action})
        thread.actor = who

    return Told("handling", tell, unread=slots.unread(), guesses=slots.guesses, acts=known, options=slots.options)


def _hiding(who: tuple[str, ...], words: str) -> Callable[[Thread], None]:
    """Return the function that records that combatants are hidden, where that is no action of the game."""

    def tell(thread: Thread) -> None:
        thread.add(
            {
                "type": "condition_gained",
                "condition": "hidden",
                "targets": list(who),
                **({"detail": words} if words else {}),
            }
        )
        thread.actor = who

    return tell


LEFT_OUT = ("turn", "turns", "movement", "time", "his", "her", "its", "their")
"""Words after "use" for something that is not used as a thing."""
PLAINLY = ("use", "activate", "employ")
"""Verbs of use that add nothing to it."""
LONGEST_NAME = 4
"""The most words for something that is used."""


_PARTICLES = ("up", "down", "off", "over", "away", "out")
"""Words after an object that belong to the verb: helps Ana up."""


def use(slots: Slots) -> Told | None:
    """Fill the frame of a feature or a thing that is used, or of a cost alone.

    Grok uses action surge, Lyra uses shield as a reaction, Bo uses his rope as an action, Mira uses her reaction.
    """
    kinds, things = slots.scene.kinds, ("feature", "spell", "weapon", "item")
    acts = any(
        part.role == "word"
        and (part.item.is_verb("strike", "shoot", "cast", "contest", "move", "hide") or part.says("deed") in kinds)
        and not part.is_(*things)
        for part in slots.parts
    )
    if acts or slots.has("not", "save", "condition", "resource"):
        return None
    if _is_lair_action(slots):
        slots.words("initiative")
        slots.numbers("bare")
    hurt = [(at, part) for at, part in enumerate(slots.parts) if part.role in ("damage", "amount") and _is_alone(slots)]
    amounts = [(abs(slots.take(at).value), _typed(slots, at)) for at, _ in hurt]
    if any(at not in slots.used and part.number is not None for at, part in enumerate(slots.parts)):
        return None
    verb = next((at for at, part in enumerate(slots.parts) if part.role == "word" and part.item.is_verb("use")), -1)
    spent = slots.has("react", *COSTS)
    known = [at for at, part in enumerate(slots.parts) if part.role == "word" and part.is_("feature", "spell")]
    feature = next((at for at in known if at > verb and not slots.parts[at].is_(*COSTS)), -1)
    plain = verb >= 0 or spent or (feature > 0 and slots.parts[feature].is_("feature"))
    if not plain or (feature > 0 and verb < 0 and not spent and slots.parts[feature - 1].role != "who"):
        return None
    first = slots.where("react", "cost_reaction")
    one = slots.free()
    behind_cost = 0 <= first < min(one, default=-1) and len(one) == 1 and slots.parts[one[0]].joined == ""
    who = slots.people(one[0]) if behind_cost else _actor(slots) or slots.on_turn()
    if len(who) != 1 and not slots.options:
        return None
    as_action = any(part.text in ("action", "as an action") for part in slots.parts)
    cost = slots.cost()
    whom: tuple[str, ...] = ()
    for place in slots.free():
        whom += slots.people(place)
    slots.words("use", "spend", "cost_action", "spell_word", *(("damage", "type", "deal", "points") if amounts else ()))
    if amounts and not (whom and feature > 0 and slots.parts[feature].is_("feature")):
        return None
    kind, name = "other", ""
    if feature >= 0:
        part = slots.take(feature)
        is_spell = part.is_("spell") and not part.is_("feature")
        name = part.says("feature") or part.says("spell")
        kind = "cast" if is_spell else "ability" if _is_listed(slots, who, name) else "other"
        if part.text in kinds:
            kind, name = part.text, ""
    elif (cost or slots.parts[verb].says("use") in PLAINLY) and (name := _thing(slots)):
        cost = cost or ("action" if as_action and "manner" in slots.scene.table.means else "")
    elif cost and not whom:
        name = "lair action" if cost == "lair" else "legendary action" if cost == "legendary" else "reaction"
        if cost == "bonus":
            return None
    else:
        return None
    declares = slots.scene.declaring

    def tell(thread: Thread) -> None:
        action: Fields = {
            "kind": kind,
            **({"name": name} if name else {}),
            **({"targets": list(whom)} if whom else {}),
            **({"cost": cost} if cost else {}),
        }
        thread.act = thread.add(
            {"type": "action_declared" if declares else "action_taken", "combatant": who[0], "action": action}
        )
        for each in whom if amounts and not declares else ():
            for fact in damages(each, amounts):
                thread.add(fact | {"cause": thread.act})
                thread.hurt[each] = thread.hurt.get(each, 0) + fact["amount"]
        thread.actor, thread.target = who, whom or thread.target

    return Told("use", tell, unread=slots.unread("become"), guesses=slots.guesses, acts=True, options=slots.options)


def _is_alone(slots: Slots) -> bool:
    """Say whether a feature does damage without a blow: divine smite 9 radiant on the ogre."""
    return is_of_a_feature(slots) and not slots.scene.declaring


def _is_listed(slots: Slots, who: tuple[str, ...], name: str) -> bool:
    """Say whether a feature stands on the user's sheet, in a game that lists features as acts."""
    context = slots.scene.context
    return "ability" in slots.scene.kinds and any(named_kind(context, one, name) == "ability" for one in who)


def _is_lair_action(slots: Slots) -> bool:
    """Say whether a clause is about a lair action, and perhaps its initiative."""
    numbers = [part for part in slots.parts if part.number is not None]
    return slots.has("cost_lair") and len(numbers) <= 1 and all(part.role == "bare" for part in numbers)


def _thing(slots: Slots) -> str:
    """Take the name of a thing that is used, or of an act at a cost: his rope, a net; "" without one."""
    words = [
        at
        for at, part in enumerate(slots.parts)
        if at not in slots.used
        and part.role in ("word", "quote")
        and not (part.is_("filler", "to", "with", "and") and part.text not in slots.scene.kinds)
    ]
    if not 0 < len(words) <= LONGEST_NAME or any(slots.parts[at].text in LEFT_OUT for at in words):
        return ""
    if words[-1] - words[0] >= 2 * LONGEST_NAME or any(slots.parts[at].item.is_verb("leave", "hold") for at in words):
        return ""
    said = [slots.take(at) for at in range(words[0], words[-1] + 1)]
    typed = " ".join(part.text if part.role == "quote" else part.item.typed for part in said)
    return typed.replace(" 's", "'s").replace("( ", "(").replace(" )", ")")


READIES = ("ready", "ready an action", "stand ready")
"""Verbs for a spell that is held ready; to hold or keep one is also to concentrate on it."""


def _told_before(parts: Sequence[Part], at: int) -> Sequence[Part]:
    """Return the parts after a verb of waiting that name the held act, not the awaited event: web until the ogre comes."""
    ends = (
        place for place in range(at + 1, len(parts)) if parts[place].is_("when", "until") or parts[place].text == "for"
    )
    return parts[: next(ends, len(parts))]


_ACTING = frozenset(
    [
        "the",
        "a",
        "has",
        "have",
        "had",
        "acts",
        "act",
        "acted",
        "goes",
        "go",
        "gone",
        "went",
        "is",
        "done",
        "'s",
        "turn",
        "his",
        "her",
        "its",
        "their",
        "theirs",
    ]
) | {"is done"}
"""Words for a delay until a combatant has had a turn, and no longer: delays until Gob has acted."""


def wait(slots: Slots) -> Told | None:
    """Fill the frame of a combatant who delays or holds an action ready: Ana delays, Falk waits until Kunz comes nearer."""
    delays = next((at for at, part in enumerate(slots.parts) if part.role == "word" and part.item.is_verb("delay")), -1)
    holds = next((at for at, part in enumerate(slots.parts) if part.role == "word" and part.item.is_verb("hold")), -1)
    at = holds if holds >= 0 and (delays < 0 or slots.parts[holds].text not in ("wait", "waits")) else delays
    slots.guesses += (
        at > 0 and slots.parts[at].text == "ready" and slots.parts[at - 1].is_("become")
    )  # is ready, or done
    if (
        at < 0
        or any(part.text == "on" for part in slots.parts[at + 1 : at + 2])  # holds on
        or slots.has_role("bare", "damage", "amount", "points", "roll", "loss", "gain")
        or slots.has("not", "concentration")
        or (
            any(part.is_("spell", "effect") for part in _told_before(slots.parts, at))
            and slots.parts[at].says("hold") not in READIES
        )
    ):
        return None
    before = [place for place in slots.free() if place < at]
    if before:
        who = slots.people(before[0])
    elif slots.scene.turn and not slots.thread.facts:
        who = (slots.scene.turn,)
        slots.guesses += 0 if slots.parts[at].text in ("ready", "delay") else 1
    else:
        who = slots.thread.actor if slots.thread.facts else ()
    if not who and not slots.options:
        return None
    slots.take(at)
    when = next(
        (
            place
            for place in range(at + 1, len(slots.parts))
            if slots.parts[place].role == "word" and slots.parts[place].is_("when", "until")
        ),
        -1,
    )
    to = next((place for place in range(at + 1, len(slots.parts)) if slots.parts[place].text in ("for", ":")), -1)
    awaiting = cue = ""
    holding = (at == holds and at != delays) or slots.parts[at].says("delay") in (
        "wait",
        "hang back",
        "stand by",
        "bide his time",
    )
    action: Fields = {}
    awaits = any(
        one.role == "who" and other.text == "to" for one, other in pairwise(slots.parts[to + 1 :])
    )  # holds her action for gob to move
    if (
        when < 0
        and to >= 0
        and (delays == at or awaits)
        and slots.parts[to].text == "for"
        and to + 1 < len(slots.parts)
    ):
        when, holding = to, True
    middle = range(at + 1, when if when >= 0 else len(slots.parts))
    if holding:
        action = _held_act([slots.parts[place] for place in middle], slots.scene.kinds)
        whom = tuple(
            w
            for place in middle
            if place not in slots.used and slots.parts[place].role == "who"
            for w in slots.people(place)
        )
        if action and whom:
            action["targets"] = list(whom)
        named = [place for place in middle if slots.parts[place].role == "word" and slots.parts[place].is_("spell")]
        slots.guesses += len(named) > (action.get("kind") == "cast") and "name" in action
        for place in middle:
            part = slots.parts[place]
            if part.role != "word" or (part.item.senses and (action or part.is_("filler", "hold", "delay", *COSTS))):
                slots.used.add(place)
    if when < 0 and not action and to >= 0 and slots.parts[to].text == ":" and holding and to + 1 < len(slots.parts):
        awaiting = slots.rest(to + 1)
    if when >= 0 and when + 1 < len(slots.parts):
        cue = slots.parts[when].text
        awaiting = slots.rest(when + 1)
        slots.take(when)
        if (
            cue in ("until after", "until")
            and not holding
            and any(part.role == "who" for part in slots.parts[when:])
            and all(part.role in ("who", "mark") or part.text in _ACTING for part in slots.parts[when + 1 :])
        ):
            awaiting = ""
        elif not holding:
            holding = True
    slots.words("delay", "hold", "turn", "move")
    slots.until()
    unread = slots.unread("become")

    def tell(thread: Thread) -> None:
        for one in who:
            if thread.scene.declaring and "hold" in thread.scene.kinds and not action:
                what = {"name": f"{cue} {awaiting}"} if awaiting else {}
                thread.act = thread.add(
                    {"type": "action_declared", "combatant": one, "action": {"kind": "hold", **what}}
                )
            elif holding:
                thread.act = thread.add(
                    {
                        "type": "action_held",
                        "combatant": one,
                        **({"action": action} if action else {}),
                        **({"awaiting": awaiting} if awaiting else {}),
                    }
                )
            elif thread.scene.has_sides:
                thread.act = thread.add({"type": "turn_delayed", "combatant": one})
            else:
                thread.act = thread.add({"type": "turn_delayed", "combatant": one})
        thread.actor = who

    return Told("wait", tell, unread=unread, guesses=slots.guesses, acts=True, options=slots.options)


def _held_act(said: Sequence[Part], kinds: Collection[str]) -> Fields:
    """Return the act that is held ready by these parts: a blow and its weapon, a spell, a move and its distance, a quoted act; {} for none."""
    words = [part for part in said if part.role == "word"]
    spell = next((part for part in words if part.is_("spell")), None)
    moves = any(part.item.is_verb("move", "leave") for part in words) and not (spell and said[0] is spell)
    armed = next((at for at, part in enumerate(said) if part.role == "word" and part.is_("weapon")), len(said))
    shoots = spell is not None and armed < said.index(spell)  # shortbow at anybody who comes out of web
    if shoots or any(part.item.is_verb("strike", "shoot", "hit") or part.text == "attack" for part in words):
        weapon = next((part.text for part in words if part.is_("weapon")), "")
        return {"kind": "attack", **({"name": weapon} if weapon else {})}
    if moves:
        far = next((f"move {part.value} {part.unit}".strip() for part in said if part.role == "distance"), "")
        return {"kind": "move", **({"name": far} if far else {})}
    if spell:
        return {"kind": "cast", "name": spell.text}
    if any(part.is_("spell_word") for part in words):
        return {"kind": "cast"}
    quoted = next((part.text for part in said if part.role == "quote"), "")
    if quoted:
        return {"kind": "other", "name": quoted}
    kind = next((kind for part in words for kind in (part.says("contest"), part.says("deed")) if kind in kinds), "")
    return {"kind": kind} if kind else {}


FILLS = {
    "leave": leave,
    "stands": stands,
    "engages": engages,
    "plunge": plunge,
    "move": move,
    "deed": deed,
    "handling": handling,
    "use": use,
    "wait": wait,
}
