"""The clock and the order: rounds, turns, segments, time that passes, who has whose turn."""

from projections.folds.moves import next_up
from projections.folds.order import who_is_due
from projections.grammar import filling
from projections.grammar.line_context import Gap, closing
from projections.open_types import Fields
from projections.reader.slots import Slots, Thread, Told

_ANY = ("bare", "damage", "amount", "points", "roll", "loss", "gain")


def round_(slots: Slots) -> Told | None:
    """Fill the frame of a round that begins or ends: rd 1, top of round 2, round one begins, that ends the round, end rd."""
    if (
        not (slots.has_role("round") or slots.has("round"))
        or slots.free()
        or slots.has("initiative", "surprise")
        or slots.has_role("duration", *_ANY[1:])
    ):
        return None
    if any(
        part.role == "word" and part.item.is_verb("strike", "shoot") and part.text != "fight" for part in slots.parts
    ):
        return None
    if slots.has_verb("cast", "save", "move", "hold", "delay") or slots.has("condition", "status_dead", "hit", "miss"):
        return None
    if any(part.text == "alone" for part in slots.parts):
        return None
    number = slots.number("round", "bare")
    ends = (slots.has_verb("finish", "end") and not slots.has_verb("begin")) or any(
        part.text in ("over", "end", "bottom", "done") for part in slots.parts
    )
    if number is None and slots.number("ordinal"):
        return None
    clock = slots.scene.state.clock
    values: Fields = {} if number is None else {"round": number.value}
    following = slots.has("next") or any(part.text == "new" for part in slots.parts)
    plain = number is None and not ends and not following and not slots.has_verb("begin")
    try:
        (filling.this_round if ends else filling.next_round)(slots.scene.context, values)
    except Gap:
        return None
    begun = slots.scene.context.memory.begins or number is None or number.value != clock.round
    if not ends and number is not None and number.value <= clock.round and clock.round and begun:
        slots.guesses += 1
    if plain:
        slots.guesses += 1
    slots.words("round", "finish", "end", "begin", "next", "rolled", "first", "pushed", "leave")
    for at, part in enumerate(slots.parts):
        if part.role == "word" and part.text in (
            "top",
            "start",
            "of",
            "over",
            "new",
            "end",
            "bottom",
            "beginning",
            "o",
            "starts",
            "now",
            "that",
            "fight",
            "combat",
            "let",
            "go",
        ):
            slots.take(at)
    for at, part in enumerate(slots.parts):
        if part.role in ("ordinal",):
            slots.take(at)

    closes = any(form.closes and form.makes[0].get("type") == "round_started" for form in slots.scene.table.form)

    def tell(thread: Thread) -> None:
        if closes and not ends and not thread.facts:
            thread.facts += closing(slots.scene.context)
        thread.add({"type": "round_ended" if ends else "round_started", **values})

    return Told("round", tell, unread=slots.unread("become", "up", "towards"), guesses=slots.guesses)


def _end_alone(slots: Slots) -> Told | None:
    """Return that the turn that goes on ends, or the round where nobody is to act any more, if a line says no more than end."""
    clock, state = slots.scene.state.clock, slots.scene.state
    said = [part for part in slots.parts if part.role != "mark" and not (part.is_("filler") and part.text != "end")]
    if [part.text for part in said] not in (["end"], ["ends"]) or slots.thread.facts or slots.scene.has_sides:
        return None
    whose = slots.scene.turn
    if not whose and (not clock.open or who_is_due(state).value):
        return None
    slots.take(slots.parts.index(said[0]))
    fact: Fields = (
        {"type": "turn_ended", "combatant": whose} if whose else {"type": "round_ended", "round": clock.round}
    )

    def tell(thread: Thread) -> None:
        thread.add(fact)

    return Told("turn", tell)


_LOST = frozenset(
    {
        "can't act",
        "cannot act",
        "unable to act",
        "loses",
        "lost",
        "skips",
        "skipped",
        "skip",
        "misses",
        "missed",
        "forgoes",
        "forfeits",
        "forfeited",
    }
)
"""Words that say of a turn that nothing is done in it."""


def turn(slots: Slots) -> Told | None:
    """Fill the frame of a turn: next, Mira is up, it's Kex's turn, end turn, Ana is done, the orc loses its turn."""
    scene = slots.scene
    said = [part for part in slots.parts if (part.role == "word" and not part.is_("filler")) or part.text in ("n",)]
    said = [part for part in said if part.text != "it was"]
    if scene.has_sides and scene.table.clock != "turn":
        return _segment_next(slots)
    if ended := _end_alone(slots):
        return ended
    if (
        slots.has_role(*_ANY, "duration", "distance", "square")
        or slots.has("condition", "status_dead", "hit", "miss", "save", "initiative")
        or slots.has_verb("strike", "shoot", "cast", "delay", "hold")
    ):
        return None
    loses = any(part.text in _LOST for part in slots.parts)
    if loses and (
        slots.has("next")
        or (slots.thread.facts and not slots.free() and not _of_the_stunned(slots.thread))
        or not slots.has("turn")
        or any(part.text == "turns" for part in slots.parts)
    ):
        return None
    said = [part for part in said if part.text not in _LOST]
    free = slots.free()
    finishing = (
        loses
        or slots.has_verb("finish")
        or any(part.text in ("done", "end", "ends", "finished", "passes", "pass") for part in slots.parts)
    )
    next_ = slots.has("next")
    begins = slots.thread.frame == "round" or not scene.turn
    ups = slots.has("up") or (begins and any(part.role == "ordinal" and part.is_("first") for part in slots.parts))
    ups = ups or _points_at(slots)
    has_turn = slots.has("turn")
    if not (finishing or next_ or ups or has_turn or any(part.text in ("goes", "acts") for part in slots.parts)):
        return None
    who = ""
    if free:
        found = slots.people(free[0])
        if len(found) != 1 or slots.free():
            return None
        who = found[0]
    elif slots.options:
        return None
    elif loses and slots.thread.facts:
        (who,) = slots.thread.target
    allowed = {
        "next",
        "up",
        "turn",
        "finish",
        "become",
        "filler",
        "begin",
        "end",
        "first",
        "leave",
        "towards",
        "adverb",
        "take",
        "undo",
        "delay",
    }
    if any(not any(part.is_(kind) for kind in allowed) for part in said):
        return None
    if not (finishing or next_ or has_turn or ups):
        return None
    values: Fields = {"who": who} if who else {}
    ends = finishing and (who or has_turn or not next_)
    if ups and who and not (next_ or has_turn) and scene.state.combatants[who].status != "up":
        return None
    if (
        ups
        and who
        and any(each.name.casefold() == "prone" for each in scene.state.conditions.values() if each.bearer == who)
    ):
        return None
    if ends:
        turn_of = who or scene.turn
        if not turn_of or (
            not who
            and not has_turn
            and len(said) < 2
            and not any(part.text in ("done", "finished") for part in slots.parts)
        ):
            return None
    else:
        try:
            filling.next_turn(scene.context, values)
        except Gap as gap:
            scene.gap = gap
            return None
        turn_of = str(values["who"])
    if loses and turn_of not in (scene.turn, next_up(scene.state)):
        scene.gap = Gap("a turn is lost as it comes", "it is said of the combatant whose turn it is, or the next one")
        return None
    for at in range(len(slots.parts)):
        if slots.parts[at].role in ("word", "ordinal"):
            slots.take(at)

    def tell(thread: Thread) -> None:
        if loses and thread.facts and turn_of != scene.turn:
            thread.add({"type": "turn_started", "combatant": turn_of})
        thread.act = thread.add({"type": "turn_ended" if ends else "turn_started", "combatant": turn_of})
        thread.actor = (turn_of,)

    return Told("turn", tell, unread=slots.unread(), guesses=slots.guesses, acts=True)


def _of_the_stunned(thread: Thread) -> bool:
    """Say whether a lost turn behind a state is that of the one who came into it: is stunned and loses its turn."""
    return thread.frame == "gained" and len(thread.target) == 1


def _points_at(slots: Slots) -> bool:
    """Say whether a clause says only that it is somebody: it's odette again; r2 odette."""
    said = [
        part
        for part in slots.parts
        if part.role != "mark" and part.text not in ("and", "so", "ok", "okay", "now", "again")
    ]
    if slots.thread.frame == "round" and [part.role for part in said] == ["who"]:
        return True
    return [part.role for part in said[-1:]] == ["who"] and [part.text for part in said[:-1]] in (
        ["it", "'s"],
        ["it", "is"],
    )


def _segment_next(slots: Slots) -> Told | None:
    """Fill the frame of the next segment, where there are no turns."""
    words = {part.text for part in slots.parts if part.role == "word"}
    if (
        not slots.has("next")
        or slots.free()
        or slots.has_role(*_ANY, "duration")
        or words - {"next", "n", "next up", "segment", "seg", "please", "up"}
    ):
        return None
    clock = slots.scene.state.clock
    if slots.scene.table.clock != "segment" or not clock.open or not clock.point.segment:
        return None
    slots.words("next", "segment", "up")
    after = clock.point.segment + 1

    def tell(thread: Thread) -> None:
        thread.add({"type": "segment_reached", "segment": after})

    return Told("segment", tell, unread=slots.unread())


def segment(slots: Slots) -> Told | None:
    """Fill the frame of a segment that is reached: seg 5, segment 2, surprise segment 1."""
    if (
        not slots.has_role("segment")
        or slots.free()
        or slots.scene.table.clock == "turn"
        or slots.has_role(*_ANY, "duration")
    ):
        return None
    number = slots.number("segment")
    if number is None:
        return None
    surprise = bool(slots.words("surprise"))
    if number.value == slots.scene.state.clock.point.segment and not surprise and slots.scene.state.clock.point.round:
        slots.scene.gap = Gap(f"the clock shows segment {number.value} already", "")
        return None
    slots.words("begin", "segment", "begin_it")

    def tell(thread: Thread) -> None:
        thread.add({"type": "segment_reached", "segment": number.value, **({"surprise": True} if surprise else {})})

    return Told("segment", tell, unread=slots.unread("become"), guesses=slots.guesses)


def passes(slots: Slots) -> Told | None:
    """Fill the frame of time that passes: one turn passes, 10 minutes later."""
    if (
        not slots.has_role("duration")
        or slots.free()
        or not any(
            part.text in ("passes", "pass", "passed", "later", "elapse", "elapses", "go", "by") for part in slots.parts
        )
    ):
        return None
    duration = slots.duration()["duration"]
    for at, part in enumerate(slots.parts):
        if part.role == "word" and part.text in (
            "passes",
            "pass",
            "passed",
            "later",
            "elapse",
            "elapses",
            "by",
            "go",
            "goes",
        ):
            slots.take(at)

    def tell(thread: Thread) -> None:
        thread.add({"type": "time_passed", "time": duration})

    return Told("passes", tell, unread=slots.unread(), guesses=slots.guesses)


def surprise(slots: Slots) -> Told | None:
    """Fill the frame of surprise that is settled or rolled: no surprise, the ghouls are surprised, surprise dice: party 3, trogs 2."""
    if (
        not slots.has("surprise", "surprised")
        or slots.has_verb("strike", "shoot", "cast")
        or slots.has_role("damage", "points", "segment")
    ):
        return None
    scene = slots.scene
    rolls = [at for at, part in enumerate(slots.parts) if part.role in ("bare", "roll")]
    whom = slots.free()
    if rolls:
        if len(rolls) != len(whom) or not all(slots.parts[at].people.side for at in whom):
            return None
        pairs = [(slots.parts[at].people.side, slots.take(roll).value) for at, roll in zip(whom, rolls, strict=True)]
        for at in whom:
            slots.take(at)
        slots.words("surprise", "rolled", "surprised")
        for at, part in enumerate(slots.parts):
            if part.role == "dice" or part.text in ("dice", "die"):
                slots.take(at)

        def tell(thread: Thread) -> None:
            for side, die in pairs:
                thread.add({"type": "surprise_rolled", "side": side, "die": die})

        return Told("surprise", tell, unread=slots.unread(), guesses=slots.guesses)
    nobody = any(part.text in ("no", "nobody", "none", "not", "noone", "neither") for part in slots.parts)
    those: tuple[str, ...] = ()
    for at in whom:
        people = slots.parts[at].who
        found = slots.people(at)
        those += (people.side,) if people is not None and people.side else found
    if (nobody and those) or not (nobody or those) or slots.options:
        return None
    for at, part in enumerate(slots.parts):
        if part.role == "word" and (
            part.text in ("no", "nobody", "none", "not", "noone", "side", "by", "neither")
            or part.is_("surprise", "surprised", "become", "not")
        ):
            slots.take(at)
    if not scene.declaring and scene.table.clock == "turn" and scene.state.clock.turn:
        slots.guesses += 1

    def tell_settled(thread: Thread) -> None:
        thread.add({"type": "surprise_settled", **({"surprised": list(those)} if those else {})})

    return Told("surprise", tell_settled, unread=slots.unread(), guesses=slots.guesses)


FILLS = {"round": round_, "turn": turn, "segment": segment, "passes": passes, "surprise": surprise}
