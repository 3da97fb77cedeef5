"""The clock and the order: rounds, turns, segments, time that passes, whose turn it is."""

from collections.abc import Sequence

from projections.folds.moves import next_up
from projections.folds.order import who_is_due
from projections.grammar import filling
from projections.grammar.line_context import Gap, closing
from projections.open_types import Fields
from projections.reader.dictionary import listed
from projections.reader.initiative import OURS, THEIRS
from projections.reader.parts import Part
from projections.reader.slots import Slots, Thread, Told
from projections.reader.tags import side_in_words

_ANY = ("bare", "damage", "amount", "points", "roll", "loss", "gain")


def round_(slots: Slots) -> Told | None:
    """Fill the frame of a round that begins or ends: rd 1, top of round 2, round one begins, that ends the round, end rd."""
    if (
        not (slots.has_role("round") or slots.has("round", "top_of_round"))
        or slots.free()
        or slots.has("initiative", "surprise")
        or slots.has_role("duration", *_ANY[1:])
    ):
        return None
    over = slots.has("finish", "turn_over") or slots.has_verb("end")
    pictured = _is_pictured(slots.parts) and not over
    if not pictured and _tells_a_deed(slots):
        return None
    if any(part.text == "alone" for part in slots.parts):
        return None
    number = slots.number("round", "bare")
    if number is None and slots.number("ordinal"):
        return None
    clock = slots.scene.state.clock
    following = slots.has("next") or _says(slots, "new")
    past = _says(slots, "that was", "this was") and number is not None and number.value == clock.round
    ends = not following and (
        past or _says(slots, "bottom") or _points_back(slots) or (over and not slots.has_verb("begin"))
    )
    values: Fields = {} if number is None else {"round": number.value}
    opens = slots.has("next") or slots.has_verb("begin") or slots.has("top_of_round") or _says(slots, "new", "top")
    plain = number is None and not ends and not opens
    try:
        (filling.this_round if ends else filling.next_round)(slots.scene.context, values)
    except Gap:
        return None
    begun = slots.scene.context.memory.begins or number is None or number.value != clock.round
    if not ends and number is not None and number.value == clock.round and clock.open and begun:
        slots.scene.gap = Gap(f"round {number.value} has begun already", f"r begins round {number.value + 1}")
        return None
    if not ends and number is not None and number.value <= clock.round and clock.round and begun:
        slots.guesses += 1
    first = next((part.text for part in slots.parts if part.role != "mark"), "")
    slots.guesses += (
        plain
        + (first in _WITHIN and (ends or first not in ("at", "by")))
        + (ends and number is not None and number.value != clock.round)
    )
    if slots.has("top_of_round") and number is None:
        slots.guesses += clock.open and bool(who_is_due(slots.scene.state).value)
    slots.words(
        "round",
        "finish",
        "end",
        "begin",
        "next",
        "rolled",
        "first",
        "pushed",
        "leave",
        "turn",
        "turn_over",
        "fight",
        "top_of_round",
        "declare",
    )
    if pictured and (ends or number is None or number.value != clock.round + 1):
        return None
    for at, part in enumerate(slots.parts):
        beside = part.text in _BESIDE_A_ROUND or pictured
        if part.role == "ordinal" or (part.role == "word" and beside) or set(part.text) == {"!"}:
            slots.take(at)

    closes = any(form.closes and form.makes[0].get("type") == "round_started" for form in slots.scene.table.form)

    def tell(thread: Thread) -> None:
        if closes and not ends and not any(fact["type"] in ("round_started", "round_ended") for fact in thread.facts):
            thread.facts += closing(slots.scene.context)
        thread.add({"type": "round_ended" if ends else "round_started", **values})

    return Told("round", tell, unread=slots.unread("become", "up", "towards"), guesses=slots.guesses)


_WITHIN = ("at", "by", "before", "after", "until", "till")
"""Words before a round in which, or after which, something happens, so that it may neither begin nor end now."""
_BESIDE_A_ROUND = frozenset(
    listed(
        "top, start, of, over, new, end, bottom, beginning, o, starts, now, that, let, go, on to, onto, order, that was, this was, makes, makes it"
    )
)


_USHERS = frozenset(
    listed(
        "explodes, exploded, erupts, erupted, dawns, dawned, roars, roared, bursts, breaks, broke, thunders, rolls, rolled, storms, crashes,"
        "crashed, blazes, ignites, ignited, unfolds, unfolded, ensues, arrives, arrived, comes, came, gets, got, fires, rings, swings,"
        "sweeps, rumbles, springs, flares, follows, lands, is, creeps, slides, bubbles, boils, kicks, kicked, starts, begins, goes, opens"
    )
)
"""What a round does as it begins, in pictures: round two roars in."""
_ONWARD = frozenset(
    listed(
        "in, up, on, around, round, off, out, over, along, forth, here, live, going, under way, underway, started, upon, us, to life, to,"
        "life, now, at last, finally, with, a, the, bang, go, ding, fight, and"
    )
)
"""Words behind these."""


def _tells_a_deed(slots: Slots) -> bool:
    """Say whether a clause has a verb or a state of somebody, so that it tells more than the time."""
    strikes = any(
        part.role == "word" and part.item.is_verb("strike", "shoot") and not part.is_("fight") for part in slots.parts
    )
    acts = slots.has_verb("cast", "save", "move", "hold", "delay")
    return strikes or acts or slots.has("condition", "status_dead", "hit", "miss")


def _is_pictured(parts: Sequence[Part]) -> bool:
    """Say whether words behind a round only say that it comes: round one explodes, round two roars in with a bang."""
    first = next((at for at, part in enumerate(parts) if part.role == "round"), len(parts))
    said = " ".join(part.text for part in parts[first + 1 :] if part.role != "mark").split()
    return said[:1] != [] and (said[0] in _USHERS or said[0] in ("go", "ding", "fight")) and {*said[1:]} <= _ONWARD


def _points_back(slots: Slots) -> bool:
    """Say whether a clause only names the round: that's the round; and that was round one."""
    said = [part for part in slots.parts if part.role != "mark" and part.text not in ("and", "so", "the", "a")]
    texts = [part.text for part in said[:-1]]
    return texts in (["that", "is"], ["that was"], ["that's"]) and said[-1].text == "round" and said[-1].role == "word"


def _end_alone(slots: Slots) -> Told | None:
    """Return the end of the current turn, or of the round where nobody is to act any more, if a line says only end."""
    clock, state = slots.scene.state.clock, slots.scene.state
    said = [part for part in slots.parts if part.role != "mark" and not (part.is_("filler") and part.text != "end")]
    beside = _says(slots, "of", "it", "the", "that")
    if [part.text for part in said] not in (["end"], ["ends"]) or beside or slots.thread.facts or slots.scene.has_sides:
        return None
    whose = slots.scene.turn
    if not whose and (not clock.open or who_is_due(state).value or any(part.text == "turn" for part in slots.parts)):
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
        "skip",
        "skips",
        "skipped",
        "misses",
        "missed",
        "forgoes",
        "forfeits",
        "forfeited",
    }
)
"""Words that say nothing is done in a turn."""


_TURN_WORDS = (
    "next",
    "up",
    "turn",
    "turn_over",
    "finish",
    "become",
    "filler",
    "begin",
    "end",
    "first",
    "leave",
    "adverb",
    "take",
    "undo",
    "delay",
    "fight",
)
"""The kinds of words that can stand beside somebody's turn."""
_BESIDE = (
    "over",
    "back",
    "on",
    "on to",
    "onto",
    "back to",
    "to",
    "act",
    "acts",
    "acts now",
    "go",
    "goes",
    "i",
    "play",
    "end",
)
"""Words that can stand beside a turn, and have another meaning beside anything else."""


def turn(slots: Slots) -> Told | None:
    """Fill the frame of a turn: next, Mira is up, over to Kex, it's Kex's turn, end turn, Ana is done, that's it for Ana, the orc loses its turn."""
    scene = slots.scene
    said = [part for part in slots.parts if (part.role == "word" and not part.is_("filler")) or part.text in ("n",)]
    said = [part for part in said if part.text != "it was"]
    if scene.has_sides and scene.table.clock != "turn":
        return _segment_next(slots)
    if ended := _end_alone(slots):
        return ended
    if (
        slots.has_role(*_ANY, "duration", "distance", "square")
        or slots.has("condition", "status_dead", "hit", "miss", "save")
        or any(part.is_("initiative") and part.text != "i" for part in slots.parts)
        or slots.has_verb("shoot", "cast", "delay", "hold")
        or any(part.item.is_verb("strike") and not part.is_("fight") for part in slots.parts if part.role == "word")
    ):
        return None
    loses = any(part.text in _LOST for part in slots.parts)
    if loses and (
        slots.has("next")
        or (slots.thread.facts and not slots.free() and not _of_the_stunned(slots.thread))
        or not (slots.has("turn") or _is_skipped(slots.parts))
        or any(part.text == "turns" for part in slots.parts)
    ):
        return None
    said = [part for part in said if part.text not in _LOST]
    free = slots.free()
    has_turn, next_ = slots.has("turn"), slots.has("next")
    passed_on = _is_passed_on(slots)
    behind = not passed_on and _is_told_of_before(slots)
    finishing = not passed_on and (
        loses or behind or slots.has_verb("finish") or slots.has("turn_over") or _says(slots, "end", "ends")
    )
    begins = slots.thread.frame == "round" or not scene.turn
    ups = slots.has("up") or passed_on or _points_at(slots)
    ups = ups or (begins and any(part.role == "ordinal" and part.is_("first") for part in slots.parts))
    ups = ups or (bool(free) and (_says(slots, "act", "acts", "acts now") or (_takes_over(slots, begins=begins))))
    if not (finishing or next_ or ups or has_turn) or (slots.has("fight") and not has_turn):
        return None
    who = ""
    if free:
        found = slots.people(free[0])
        of_a_kind = len(found) > 1 and slots.parts[free[0]].people.plural and (has_turn or ups or _says(slots, "go"))
        if of_a_kind and not finishing:
            found = _first_of(slots, found)
        if len(found) != 1 or slots.free():
            return None
        who = found[0]
    elif slots.options:
        return None
    elif loses and slots.thread.facts:
        (who,) = slots.thread.target
    if any(not part.is_(*_TURN_WORDS) and part.text not in _BESIDE for part in said):
        return None
    values: Fields = {"who": who} if who else {}
    ends = finishing and (who or has_turn or not next_) and not (who and (next_ or (ups and not behind)) and not loses)
    if ups and who and not (next_ or has_turn) and scene.state.combatants[who].status != "up":
        return None
    if ups and who and not (next_ or has_turn) and any(part.text == "still" for part in slots.parts):
        return None  # is still up
    if ups and who and any(each.called == "prone" for each in scene.state.conditions.values() if each.bearer == who):
        return None
    if ends:
        turn_of = who or (slots.thread.actor[0] if len(slots.thread.actor) == 1 else scene.turn)
        of_somebody = bool(free) and not has_turn and slots.parts[free[0] - 1].text in ("of", "the")
        if not turn_of or (of_somebody and _says(slots, "end")):
            return None  # the end of the ogre is no end of its turn
        if not who and not has_turn and len(said) < 2 and not _says(slots, "done", "finished"):
            return None
        slots.guesses += not has_turn and _is_vague(slots, who)
        fallen = any(part.text.endswith("finished") for part in slots.parts) and not _says(slots, "has")
        slots.guesses += fallen and turn_of != scene.turn  # gob is finished, with its turn or altogether
        slots.guesses += bool(slots.thread.facts) and not (who or slots.thread.actor)  # takes 4, end of turn
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
        if slots.parts[at].role in ("word", "ordinal", "until"):
            slots.take(at)

    def tell(thread: Thread) -> None:
        if loses and thread.facts and turn_of != scene.turn:
            thread.add({"type": "turn_started", "combatant": turn_of})
        thread.act = thread.add({"type": "turn_ended" if ends else "turn_started", "combatant": turn_of})
        thread.actor = (turn_of,)

    return Told("turn", tell, unread=slots.unread(), guesses=slots.guesses, acts=True)


def _is_skipped(parts: Sequence[Part]) -> bool:
    """Say whether words say only that somebody is skipped: Bo skips, skip Bo, Bo is skipped."""
    said = ["who" if part.role == "who" else part.text for part in parts if part.role != "mark"]
    return said in (["who", "skips"], ["skip", "who"], ["who", "is", "skipped"])


def _says(slots: Slots, *texts: str) -> bool:
    """Say whether one of these words is in the clause."""
    return any(part.text in texts for part in slots.parts)


_PASSED = ("over to", "moving on to", "on to", "onto", "back to", "we move on to", "brings us to", "that brings us to")
_PASSING = ("passes", "pass", "goes", "go", "falls", "moves", "over", "back", "on", "comes", "now")


def _is_passed_on(slots: Slots) -> bool:
    """Say whether a clause says only whose turn is next: over to Kex, play passes to Bo."""
    told = [part for part in slots.parts if part.role != "mark"]
    at = next((at for at, part in enumerate(told) if part.role == "who"), 0)
    if not at or any(not part.is_("filler", "next", "up") for part in told[at + 1 :]):
        return False
    before = [part.text for part in told[:at]]
    goes = before[-1] == "to" and any(each in _PASSING for each in before[:-1])
    return before[-1] in _PASSED or (
        goes and all(part.is_("filler", "turn") or part.text in (*_PASSING, "to", "play") for part in told[:at])
    )


def _is_told_of_before(slots: Slots) -> bool:
    """Say whether a clause reports that somebody has had a turn: Bo has had his go; and that's my turn, which is the current combatant's."""
    if not slots.has("turn") or slots.has("next", "up") or slots.has_verb("begin"):
        return False
    if _says(slots, "had"):
        return True
    free = slots.free()
    whose = not free or slots.parts[free[0]].people.ids == (slots.scene.turn,)
    return whose and _says(slots, "that's", "that was", "that")


def _takes_over(slots: Slots, *, begins: bool) -> bool:
    """Say whether a combatant begins where a turn or round has just ended, or none has begun: Ana's turn is over and Bo begins his."""
    told = [part for part in slots.parts if part.role != "mark" and not part.is_("filler", "and")]
    roles = [part.role for part in told] == ["who", "word"] and told[1].item.is_verb("begin")
    return roles and (begins or slots.thread.frame == "turn")


def _is_vague(slots: Slots, who: str) -> bool:
    """Say whether something other than a turn may end: it's over, we're done; or a pass may be that of a save."""
    if _says(slots, "pass", "passes"):
        return True
    return not who and (_says(slots, "over", "we", "us", "all", "it", "that's it") or slots.has("end"))


def _of_the_stunned(thread: Thread) -> bool:
    """Say whether a lost turn after a state belongs to the combatant who got it: is stunned and loses its turn."""
    return thread.frame == "gained" and len(thread.target) == 1


def _points_at(slots: Slots) -> bool:
    """Say whether a clause only names a combatant: it's odette again; now odette; r2 odette."""
    skipped = ("and", "so", "ok", "okay", "again", "then")
    said = [part for part in slots.parts if part.role != "mark" and part.text not in skipped]
    plain = [part for part in said if part.text != "now"]
    if slots.thread.frame == "round" and [part.role for part in plain] == ["who"]:
        return True
    pointed = [part.text for part in plain[:-1]] in (["it", "'s"], ["it", "is"], ["it's"])
    return [part.role for part in said[-1:]] == ["who"] and (pointed or [part.text for part in said[:-1]] == ["now"])


def _first_of(slots: Slots, group: tuple[str, ...]) -> tuple[str, ...]:
    """Return the members of a kind who have the first of their turns: all who are due, else the first who is up, which
    is only likely; nobody if none is.
    """
    up = [who for who in group if slots.scene.status(who) == "up"]
    due = next_up(slots.scene.state)
    slots.guesses += due not in up
    return (due,) if due in up else tuple(up[:1])


def _segment_next(slots: Slots) -> Told | None:
    """Fill the frame of the next segment, where there are no turns."""
    words = {part.text for part in slots.parts if part.role == "word"}
    new = _says(slots, "new") and slots.has("segment")
    if (
        not (slots.has("next") or new)
        or slots.free()
        or slots.has_role(*_ANY, "duration")
        or words
        - {"next", "n", "next up", "segment", "seg", "please", "up", "new", "the", "a", "and", "on to", "onto", "to"}
    ):
        return None
    clock = slots.scene.state.clock
    if slots.scene.table.clock != "segment" or not clock.open or not clock.point.segment:
        return None
    slots.words("next", "segment", "up", "to")
    after = clock.point.segment + 1

    def tell(thread: Thread) -> None:
        thread.add({"type": "segment_reached", "segment": after})

    return Told("segment", tell, unread=slots.unread())


def segment(slots: Slots) -> Told | None:
    """Fill the frame of a segment that is reached: seg 5, surprise segment 1, foes on seg 5, skip to segment 7."""
    point = slots.scene.state.clock.point
    if (
        not slots.has_role("segment")
        or slots.scene.table.clock == "turn"
        or slots.has_role(*_ANY, "duration")
        or slots.has("turn_over", "finish")
        or not _is_of_side_that_acts(slots)
    ):
        return None
    number = slots.number("segment")
    if number is None:
        return None
    surprise = bool(slots.words("surprise"))
    if number.value == point.segment and not surprise and point.round:
        slots.scene.gap = Gap(f"the clock shows segment {number.value} already", "")
        return None
    slots.words("begin", "segment", "begin_it", "move", "to")
    for at in slots.free():
        slots.people(at)
        slots.words("next", "up", "turn")
        early = slots.scene.unordered or not point.segment  # this may be the segment in which they are to act
        slots.guesses += (early and slots.thread.frame != "acted") or number.value < (point.segment or 0)
    for at, part in enumerate(slots.parts):
        if part.text in ("act", "acts", "go on", "on to", "onto", "skip", "skips", "jump", "go", "goes", "count"):
            slots.take(at)

    def tell(thread: Thread) -> None:
        thread.add({"type": "segment_reached", "segment": number.value, **({"surprise": True} if surprise else {})})

    return Told("segment", tell, unread=slots.unread("become"), guesses=slots.guesses)


def _is_of_side_that_acts(slots: Slots) -> bool:
    """Say whether a segment is named for those who act in it only, a side or all of a kind: foes on seg 5."""
    free = slots.free()
    if not free:
        return True
    words = [part for part in slots.parts if part.role == "word" and not part.is_("segment", "filler")]
    plain = all(
        part.is_("next", "up", "turn") or part.text in ("act", "acts", "go", "goes", "on", "go on") for part in words
    )
    return len(free) == 1 and slots.parts[free[0]].people.group and plain


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
    """Fill the frame of surprise, given or rolled: no surprise, the ghouls are surprised, surprise dice: party 3, trogs 2."""
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
        told = {at: side for at in range(len(slots.parts)) if (side := _side(slots, at))}
        if len(rolls) != len(told) or not {*whom} <= told.keys():
            return None
        pairs = [(side, slots.take(roll).value) for side, roll in zip(told.values(), rolls, strict=True)]
        slots.used |= {*told}
        slots.words("surprise", "rolled", "surprised")
        for at, part in enumerate(slots.parts):
            if part.role == "dice" or part.text in ("dice", "die"):
                slots.take(at)

        def tell(thread: Thread) -> None:
            for side, die in pairs:
                thread.add({"type": "surprise_rolled", "side": side, "die": die})

        return Told("surprise", tell, unread=slots.unread(), guesses=slots.guesses)
    if any(fact["type"] == "surprise_rolled" for fact in slots.thread.facts):
        for at in range(len(slots.parts)):
            slots.take(at)
        return Told("surprise", lambda _: None)  # so the dice say that the ghouls are surprised for 2 segments
    if not whom and (over := _surprise_is_over(slots)):
        return over
    nobody = any(part.text in ("no", "nobody", "none", "noone", "neither") or part.is_("not") for part in slots.parts)
    those: tuple[str, ...] = ()
    takes = next((at for at, part in enumerate(slots.parts) if part.item.is_verb("take")), -1)
    for at in whom:
        people = slots.parts[at].who
        found = slots.people(at)
        if at > takes:  # takes gob by surprise
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


def _side(slots: Slots, at: int) -> str:
    """Return the side that a part names, by its name, by all of it, or as ours or theirs; "" if it names none."""
    part, scene = slots.parts[at], slots.scene
    if part.role == "who" and not part.owner:
        return part.people.side or scene.whole_side(part.people.ids)
    kind = "party" if part.text in OURS else "foes" if part.text in THEIRS else ""
    return side_in_words(scene, kind).side if kind else ""


def _surprise_is_over(slots: Slots) -> Told | None:
    """Return that all who are surprised are so no longer: nobody is surprised any longer; gob and orc are no longer surprised."""
    those = slots.scene.in_state("surprised")
    over = slots.has("finish", "turn_over") or slots.has_verb("end") or _says(slots, "no longer", "end", "not anymore")
    if not those or not over:
        return None
    for at, part in enumerate(slots.parts):
        if part.is_("surprise", "surprised", "finish", "turn_over", "end", "not") or part.text == "segments":
            slots.take(at)

    def tell(thread: Thread) -> None:
        thread.add({"type": "condition_lost", "condition": "surprised", "targets": list(those)})

    return Told("surprise", tell, unread=slots.unread("become"), guesses=slots.guesses)


FILLS = {"round": round_, "turn": turn, "segment": segment, "passes": passes, "surprise": surprise}
