"""Corrections told as facts: Bo took 3, not 5. They amend the last fact that they can be about."""

from collections.abc import Iterator

from msgspec import structs, to_builtins

from eventstore.events import ActionTaken, Amended, AttackRolled, DamageDealt, Fact, Healed, SaveRolled
from eventstore.shapes import Modifier
from projections.language.notation.corrections import renumber_last, retarget_last
from projections.language.notation.line_context import Gap
from projections.language.notation.tokens import NotUnderstood
from projections.language.scene import Scene
from projections.mechanics.pools import HP
from projections.open_types import Facts


def amend_number(scene: Scene, words: str, whom: str, source: str, thing: str, *, took: bool) -> Facts:
    """Return the amendments by some words, such as 3 not 5, of the last fact about these combatants, of damage if one `took` it; raise Gap if there is none."""
    why = Gap("nothing that was recorded lately is meant by this", "strike takes out any record")
    for seq, fact in _points_and_rolls(scene, whom, source, thing):
        if took and not isinstance(fact, DamageDealt):
            continue
        try:
            return [to_builtins(renumber_last([(seq, fact)], words))]
        except (Gap, NotUnderstood) as error:
            why = error if isinstance(error, Gap) else Gap(error.why, error.hint)
            if " not " not in words:
                break
    raise why


def kept_from_zero(scene: Scene, who: str, points: int) -> Facts:
    """Return the amendment of the damage that has just brought a combatant to 0: it keeps so many points instead; raise Gap."""
    changes, latest = scene.state.combatants[who].pools[HP].changes, scene.context.memory.latest
    last = changes[-1] if len(changes) else None
    fact = latest[last.seq].event if last and last.seq in latest else None
    if last is None or last.left is None or last.left > 0 or not isinstance(fact, DamageDealt):
        raise Gap(f"no damage has just brought {who} to 0", f"such as: {who} is at {points} hp")
    more = Modifier(name="kept", amount=points - last.left - last.beyond, to="hp")
    kept = structs.replace(fact, amount=fact.amount - more.amount, reductions=(*fact.reductions, more))
    return [to_builtins(Amended(event=last.seq, replacement=kept))]


def move_last_blow(scene: Scene, source: str, new: str) -> Facts:
    """Return the amendments that give the last blow of a combatant, with all that it did, another target; raise Gap."""
    latest, old = scene.context.memory.latest, scene.context.memory.aimed.get(source, "")
    acts = ((seq, each.event) for seq, each in reversed(latest.items()) if isinstance(each.event, ActionTaken))
    blow = next((seq for seq, act in acts if act.action.kind == "attack" and act.combatant == source), None)
    if blow is None or not old:
        raise Gap(f"{source} has struck nobody lately", "strike takes out any record")
    last = [(seq, fact.event) for seq, fact in latest.items() if seq >= blow]
    return [to_builtins(each) for each in retarget_last(last, new, old)]


def _points_and_rolls(scene: Scene, whom: str, source: str, thing: str) -> Iterator[tuple[int, Fact]]:
    """Yield the recorded points and rolls that befell one of these combatants or were done by the other, with this thing, the last first."""
    latest = scene.context.memory.latest
    for seq, occurrence in reversed(latest.items()):
        fact = occurrence.event
        if not isinstance(fact, DamageDealt | Healed | AttackRolled | SaveRolled):
            continue
        roll = latest[fact.cause].event if fact.cause in latest else fact
        doers = {getattr(each, name, None) for each in (fact, roll) for name in ("combatant", "source")}
        named = {getattr(each, "name", None) or "" for each in (fact, roll)}
        if (
            whom in ("", getattr(fact, "target", None))
            and (not source or source in doers)
            and (not thing or named == {""} or any(each.endswith(thing) for each in named))
        ):
            yield seq, fact
