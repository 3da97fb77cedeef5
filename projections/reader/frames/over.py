"""The end of the fight, and how it went in the words of the line."""

from projections.reader.fight_over import end_of_fight, side_wins
from projections.reader.slots import Slots, Thread, Told


def over(slots: Slots) -> Told | None:
    """Fill the frame of the end of the fight: fight over, so the battle ends, that's a wrap, combat is over, 2 prisoners."""
    begins = next((at for at, part in enumerate(slots.parts) if part.role != "mark"), 0)
    end = end_of_fight(slots.parts, begins)
    if not end:
        return None
    winner = bool(side_wins(slots.parts, begins))
    slots.guesses += winner and slots.scene.has_sides and slots.scene.unordered  # it may have won initiative
    end = _behind_the_time(slots, end)
    behind = slots.parts[end:]
    first = next((at for at in range(end, len(slots.parts)) if slots.parts[at].role != "mark"), len(slots.parts) - 1)
    told = not side_wins(slots.parts, first) and any(part.role == "who" for part in behind)
    told = told and any(
        part.number is not None
        or (part.role == "who" and not part.people.plural)  # that all of a kind flee is the outcome
        for part in behind
    )
    slots.guesses += told or any(part.role in ("damage", "loss", "gain", "points", "left") for part in behind)
    for at in range(end):
        slots.take(at)
    called = all(part.role == "mark" or part.is_("everyone", "filler") for part in behind)  # gg everyone
    rest = slots.rest(begins if winner else end).lstrip(" -–—!?")
    reason = rest if winner or not called else ""

    def tell(thread: Thread) -> None:
        thread.add({"type": "encounter_closed.2", **({"reason": reason} if reason else {})})

    return Told("over", tell, guesses=slots.guesses)


def _behind_the_time(slots: Slots, end: int) -> int:
    """Return where the outcome begins behind the time at which the fight ended, which is only likely if the clock shows another: closed, round 3 segment 4; ours."""
    last = end
    while last < len(slots.parts) and (
        slots.parts[last].role in ("mark", "round", "segment") or slots.parts[last].is_("and")
    ):
        last += 1
    times = [part for part in slots.parts[end:last] if part.role != "mark" and part.number is not None]
    clock = slots.scene.state.clock
    now = {"round": clock.round, "segment": clock.point.segment}
    slots.guesses += any(part.value != now[part.role] for part in times)
    return last if times else end


FILLS = {"over": over}
