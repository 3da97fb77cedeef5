"""Facts that a line tells twice in other words are recorded once: fails, so it is restrained; loses concentration, so the spell ends."""

from collections.abc import Callable

from projections.open_types import Facts, Fields


def told_once(facts: Facts) -> Facts:
    """Return the facts of a line without those that say again what is told before them, which get what these add; causes are places in the list."""
    kept: Facts = []
    places: list[int] = []
    for fact in facts:
        at = next((at for at in reversed(range(len(kept))) if _is_told(kept, at, fact)), len(kept))
        places.append(at)
        if at == len(kept):
            kept.append({**fact})
        else:
            ruled = {name: fact[name] for name in ("decision", "values")} if fact["type"] == "ruling_made" else {}
            kept[at] = {**fact, **kept[at], **ruled}
    return [_with_causes(fact, places) for fact in kept] if len(kept) < len(facts) else facts


def _is_told(kept: Facts, at: int, fact: Fields) -> bool:
    before = kept[at]
    same = _SAME.get(fact["type"])
    return before["type"] == fact["type"] and same is not None and same(before, fact) and not _is_over(kept[at:], fact)


def _is_over(behind: Facts, fact: Fields) -> bool:
    """Say whether a state ends between two reports of it, or begins between two reports of its end: stands up, and is prone again."""
    other = _CONTRARY.get(fact["type"], "")
    return any(
        each["type"] == other and each["condition"] == fact["condition"] and {*each["targets"]} & {*fact["targets"]}
        for each in behind
    )


_CONTRARY = {"condition_gained": "condition_lost", "condition_lost": "condition_gained"}


def _state(before: Fields, fact: Fields) -> bool:
    """Say whether a state of the same combatants is told again, for no other time and by nobody else."""
    alike = all(before.get(key, fact.get(key)) == value for key, value in fact.items() if key in _OF_A_STATE)
    one = before["targets"] == fact["targets"] or (
        {*fact["targets"]} <= {*before["targets"]} and not _adds(before, fact)
    )
    return before["condition"] == fact["condition"] and alike and one


_OF_A_STATE = ("source", "duration", "detail", "reason")


def _adds(before: Fields, fact: Fields) -> bool:
    return bool(fact.keys() - before.keys() - {"cause"})


def _effect(before: Fields, fact: Fields) -> bool:
    """Say whether the end of an effect is told again: by the concentration on it, and by its name."""
    named = before["effect"].casefold() == fact["effect"].casefold()
    return named and all(before.get(key) in (None, fact.get(key)) or key not in fact for key in ("source", "targets"))


def _ruling(before: Fields, fact: Fields) -> bool:
    """Say whether the status of the same combatant is ruled again: collapses, down; or is what being down came to: drops, dead."""
    statuses = [dict(each["values"]) for each in (before, fact) if "values" in each]
    plain = all(name.endswith(".status") for each in statuses for name in each)
    return len(statuses) == 2 and plain and statuses[0].keys() == statuses[1].keys() and _comes_to(*statuses)


def _comes_to(before: Fields, after: Fields) -> bool:
    return all(before[name] == value or (value == "dead" and before[name] != "none") for name, value in after.items())


def _save(before: Fields, fact: Fields) -> bool:
    """Say whether one save is told as its roll and as its outcome: rolls 4, and fails the save."""
    one, other = (each.get("save", "") for each in (before, fact))
    rolled = _ROLLED & before.keys() and not _ROLLED & fact.keys()
    kind = one.startswith(other) or other.startswith(one)
    purpose = before.get("purpose", fact.get("purpose")) == fact.get("purpose", before.get("purpose"))
    goes = "succeeded" not in before and "succeeded" in fact
    return bool(rolled) and goes and kind and purpose and before["combatant"] == fact["combatant"]


_ROLLED = {"die", "total"}
_SAME: dict[str, Callable[[Fields, Fields], bool]] = {
    "condition_gained": _state,
    "condition_lost": _state,
    "effect_ended": _effect,
    "ruling_made": _ruling,
    "save_rolled": _save,
}


def _with_causes(fact: Fields, places: list[int]) -> Fields:
    moved = {
        name: places[fact[name]]
        for name in ("cause", "event")
        if name in fact and fact[name] >= 0 and (name == "cause" or fact["type"] == "noted")
    }
    return fact | moved
