"""Facts in words: one small function for each type of event, in the present tense and on one line.

To put a new type of event into words: write its function here and mark it with `says`. A name is a function from an
id to what people call it.
"""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from eventstore import events as e
from eventstore.events import Fact
from eventstore.form import visible
from eventstore.record import Recorded, RecordedUnknown
from eventstore.shapes import Action, Dice, Die, Distance, Duration, Modifier, Part, Span

F = TypeVar("F", bound=Fact)
Name = Callable[[str], str]
WORDS: dict[type[Fact], Callable[[Any, Name], str]] = {}
"""From event type to the function that puts it into words."""

VERBS = {
    "attack": "attacks",
    "cast": "casts",
    "move": "moves",
    "talk": "talks",
    "flee": "flees",
    "charge": "charges",
    "other": "does",
}
"""The kinds of action that have a verb of their own; of the others the kind itself is said."""


def sentence(event: Fact, name: Name = str) -> str:
    """Return a fact in words, with everything unprintable made visible."""
    return visible(WORDS[type(event)](event, name))


def told(record: Recorded, name: Name = str) -> str:
    """Return a record in words, also one whose payload is withheld or of an unknown type."""
    if isinstance(record, RecordedUnknown):
        return f"a fact of a type unknown to this version: {visible(record.type)[:60]}"
    return "*withheld*" if record.event is None else sentence(record.event, name)


def says(kind: type[F]) -> Callable[[Callable[[F, Name], str]], Callable[[F, Name], str]]:
    """Mark the function that puts this type of event into words."""

    def mark(function: Callable[[F, Name], str]) -> Callable[[F, Name], str]:
        WORDS[kind] = function
        return function

    return mark


# ---------------------------------------------------------------- pieces


def listed(words: Iterable[str]) -> str:
    """Return words as a sentence has them: a, b and c."""
    *most, last = [*words] or [""]
    return f"{', '.join(most)} and {last}" if most else last


def _all(ids: Iterable[str], name: Name) -> str:
    return listed(name(one) for one in ids)


def _after(word: str, text: object) -> str:
    """Return word and text with a space before them, or nothing where there is no text."""
    return f" {word} {text}" if text not in (None, "", ()) else ""


def _why(reason: str | None) -> str:
    return f" ({reason})" if reason else ""


def _span(span: Span | Duration | Distance | int) -> str:
    if isinstance(span, int):
        return str(span)
    plural = "s" if span.amount != 1 and not isinstance(span, Distance) else ""
    return f"{span.amount} {span.unit}{plural}"


def _die(die: Die | None) -> str:
    return f"rolls {_shows(die)}" if die is not None else ""


def _shows(die: Die | None) -> str:
    """Return what dice show; those that were dropped stand in parentheses."""
    if not isinstance(die, Dice):
        return "" if die is None else str(die)
    faces = (f"({face})" if place in die.dropped else str(face) for place, face in enumerate(die.faces))
    return f"{die.notation} [{', '.join(faces)}]"


def _plus(modifiers: Iterable[Modifier]) -> str:
    return "".join(f" {one.amount:+d} {one.name}" for one in modifiers)


def _parts(parts: Iterable[Part]) -> str:
    made = [f"{part.name} {_shows(part.dice)}{'' if part.amount is None else part.amount}".strip() for part in parts]
    return f" ({', '.join(made)})" if made else ""


def _deed(action: Action, name: Name, verb: str) -> str:
    """Return an action after its verb: what, at whom, with what it costs and takes."""
    what = action.name or ""
    if action.kind == "attack":
        words = f"{verb}{_after('', _all(action.targets, name))}{_after('with', what)}".replace("  ", " ")
    else:
        words = f"{verb}{' ' + what if what else ''}{_after('at', _all(action.targets, name))}"
    notes = [*action.manner]
    notes += [f"routine {action.routine}"] if action.routine else []
    notes += [f"time {_span(action.time)}"] if action.time is not None else []
    notes += [f"delay {_span(action.delay)}"] if action.delay is not None else []
    notes += [f"cost {action.cost}"] if action.cost else []
    return f"{words}{_after('on', action.object)}{_why(', '.join(notes))}"


def _does(action: Action, name: Name) -> str:
    known = VERBS.get(action.kind)
    return _deed(action, name, known or f"takes the action {action.kind}:".removesuffix(":" * (not action.name)))


def _outcome(event: Any) -> str:
    """Return what is stated of a roll: total, number to reach, success."""
    words = [f"total {event.total}"] if event.total is not None else []
    words += [f"against {event.dc}"] if getattr(event, "dc", None) is not None else []
    if getattr(event, "succeeded", None) is not None:
        words.append("succeeds" if event.succeeded else "fails")
    return "".join(f", {word}" for word in words)


def _bears(duration: Duration | None, source: str | None, name: Name) -> str:
    for_ = _after("for", _span(duration)) if duration else ""
    return for_ + (_after("from", name(source)) if source else "")


# ---------------------------------------------------------------- encounter and space


@says(e.EncounterOpened)
def _(event: e.EncounterOpened, _name: Name) -> str:
    fork = f", forked from {event.forked_from.encounter} at {event.forked_from.seq}" if event.forked_from else ""
    return f"the encounter “{event.title}” is opened on {event.ruleset}{fork}"


@says(e.CombatantJoined)
def _(event: e.CombatantJoined, _name: Name) -> str:
    who = event.combatant if event.name in (None, event.combatant) else f"{event.name} ({event.combatant})"
    hp = event.sheet.get("hp")
    return f"{who} joins{_after('the side', event.side)}{f' with {hp} hp' if hp is not None else ''}"


@says(e.SheetChanged)
def _(event: e.SheetChanged, name: Name) -> str:
    return f"the sheet of {name(event.combatant)} changes: {values(event.sheet)}"


@says(e.CombatantLeft)
def _(event: e.CombatantLeft, name: Name) -> str:
    return f"{name(event.combatant)} leaves the fight{_why(event.reason)}"


@says(e.EncounterClosed)
def _(_event: e.EncounterClosed, _name: Name) -> str:
    return "the fight is over"


@says(e.Placed)
def _(event: e.Placed, name: Name) -> str:
    at = f" at {event.square[0]},{event.square[1]}" if event.square else ""
    return f"{name(event.combatant)} stands{at}{_after('in melee with', _all(event.engaged, name))}{_why(event.words)}"


@says(e.TerrainSet)
def _(event: e.TerrainSet, _name: Name) -> str:
    where = " ".join(f"{column},{row}" for column, row in event.squares) or "everywhere"
    return f"the ground is {event.terrain}: {where}"


@says(e.Moved)
def _(event: e.Moved, name: Name) -> str:
    path = " to ".join(f"{s[0]},{s[1]}" for s in (event.path[0], event.path[-1])) if event.path else ""
    how = f"is moved{_after('by', name(event.source) if event.source else '')}" if event.forced else "moves"
    far = f" {_span(event.distance)}" if event.distance else ""
    return f"{name(event.combatant)} {how}{far}{_after('from', path)}{_why(event.mode)}"


# ---------------------------------------------------------------- clock


@says(e.RoundStarted)
def _(event: e.RoundStarted, _name: Name) -> str:
    return f"round {event.round} begins"


@says(e.RoundEnded)
def _(event: e.RoundEnded, _name: Name) -> str:
    return f"round {event.round} is over" if event.round is not None else "the round is over"


@says(e.PhaseReached)
def _(event: e.PhaseReached, _name: Name) -> str:
    return f"phase {event.phase} comes"


@says(e.SegmentReached)
def _(event: e.SegmentReached, _name: Name) -> str:
    return f"{'surprise ' if event.surprise else ''}segment {event.segment} comes"


@says(e.TurnStarted)
def _(event: e.TurnStarted, name: Name) -> str:
    return f"it is the turn of {_all((event.combatant, *event.together), name)}"


@says(e.TurnEnded)
def _(event: e.TurnEnded, name: Name) -> str:
    return f"the turn of {name(event.combatant)} ends"


@says(e.TimePassed)
def _(event: e.TimePassed, name: Name) -> str:
    return f"{_span(event.time)} go by{_after('with care for', _all(event.treated, name))}"


# ---------------------------------------------------------------- order


@says(e.SurpriseRolled)
def _(event: e.SurpriseRolled, name: Name) -> str:
    on = f" (surprised on {event.surprised_on})" if event.surprised_on != 2 else ""
    return f"the surprise die of {name(event.side)}: {_shows(event.die)}{on}"


@says(e.SurpriseSettled)
def _(event: e.SurpriseSettled, name: Name) -> str:
    whose = _all(event.sides, name) or "all sides"
    return f"surprise is settled for {whose}: {_all(event.surprised, name) or 'nobody'} surprised{_why(event.reason)}"


@says(e.InitiativeRolled)
def _(event: e.InitiativeRolled, name: Name) -> str:
    who = _all((event.combatant or event.side or "somebody", *event.together), name)
    die = _shows(event.die) or (f"check {event.check}" if event.check is not None else "")
    bonus = f" {event.bonus:+d}" if event.bonus is not None else ""
    total = f"{', ' if die else ''}total {event.total}" if event.total is not None else ""
    return f"the initiative of {who}: {die}{bonus}{total}{_after('in a tie with', _all(event.tie_with, name))}"


@says(e.TurnDelayed)
def _(event: e.TurnDelayed, name: Name) -> str:
    return f"{name(event.combatant)} puts the turn off"


@says(e.TurnResumed)
def _(event: e.TurnResumed, name: Name) -> str:
    return f"{name(event.combatant)} takes the turn that was put off"


@says(e.ActionHeld)
def _(event: e.ActionHeld, name: Name) -> str:
    what = _deed(event.action, name, event.action.kind) if event.action else "an action"
    return f"{name(event.combatant)} holds {what}{_after('until', event.awaiting)}"


# ---------------------------------------------------------------- doing


@says(e.ActionDeclared)
def _(event: e.ActionDeclared, name: Name) -> str:
    who = event.combatant or event.side or "somebody"
    return f"{name(who)} will {_deed(event.action, name, event.action.kind)}"


@says(e.ActionTaken)
def _(event: e.ActionTaken, name: Name) -> str:
    stated = "" if event.succeeded is None else ", and succeeds" if event.succeeded else ", and fails"
    answer = f" in answer to {event.trigger}" if event.trigger else ""
    return f"{name(event.combatant)} {_does(event.action, name)}{answer}{stated}{_why(event.reason)}"


@says(e.ActionAbandoned)
def _(event: e.ActionAbandoned, name: Name) -> str:
    return f"{name(event.combatant)} gives up {event.name or 'the action'}"


# ---------------------------------------------------------------- dice


@says(e.AttackRolled)
def _(event: e.AttackRolled, name: Name) -> str:
    at = _after("at", name(event.target)) if event.target else ""
    what = f"{_after('with', event.name)}{at}{_plus(event.modifiers)}"
    words = ["confirms" if event.confirms else "", "" if event.hit is None else "hits" if event.hit else "misses"]
    words += ["critical" if event.critical else "", "foiled" if event.foiled else ""]
    ac = f" against {event.against or 'ac'} {event.ac}" if event.ac is not None else _after("against", event.against)
    stated = "".join(f", {word}" for word in words if word)
    return f"{name(event.combatant)} {_die(event.die) or 'strikes'}{what}{_outcome(event)}{ac}{stated}"


@says(e.SaveRolled)
def _(event: e.SaveRolled, name: Name) -> str:
    what = event.save or "saving throw"
    purpose = f" about {event.purpose}" if event.purpose else ""
    die = _die(event.die) or "makes"
    return f"{name(event.combatant)} {die} for a {what} save{purpose}{_plus(event.modifiers)}{_outcome(event)}".replace(
        "saving throw save", "saving throw"
    )


@says(e.ContestRolled)
def _(event: e.ContestRolled, name: Name) -> str:
    rolls = [f"{name(one.combatant)} {_die(one.die) or f'checks {one.check}'}" for one in event.contenders]
    winner = f", {name(event.winner)} wins" if event.winner else ""
    return f"contest{_after('about', event.about)}: {listed(rolls)}{winner}"


@says(e.DiceRolled)
def _(event: e.DiceRolled, name: Name) -> str:
    who = event.combatant or event.side
    return (
        f"{name(who) if who else 'somebody'} {_die(event.die) or 'checks'}"
        f"{_after('for', event.purpose)}{_plus(event.modifiers)}{_outcome(event)}"
    )


# ---------------------------------------------------------------- pools


@says(e.DamageDealt)
def _(event: e.DamageDealt, name: Name) -> str:
    kind = "non-lethal damage" if event.nonlethal else "damage"
    whom = f"{event.object} of {name(event.target)}" if event.object else name(event.target)
    source = _after("from", name(event.source)) if event.source else ""
    return f"{whom} takes {event.amount} {kind}{source}{_parts(event.parts)}"


@says(e.Healed)
def _(event: e.Healed, name: Name) -> str:
    what = "temporary points" if event.temporary else "non-lethal damage less" if event.nonlethal else "hp back"
    source = _after("from", name(event.source)) if event.source and event.source != event.target else ""
    return f"{name(event.target)} gets {event.amount} {what}{source}{_parts(event.parts)}"


@says(e.ResourceChanged)
def _(event: e.ResourceChanged, name: Name) -> str:
    left = f", {event.left} left" if event.left is not None else ""
    verb = "spends" if event.amount < 0 else "regains"
    return f"{name(event.combatant)} {verb} {abs(event.amount)} {event.resource}{left}"


# ---------------------------------------------------------------- states


@says(e.EffectStarted)
def _(event: e.EffectStarted, name: Name) -> str:
    by = " by concentration" if event.concentration else ""
    on = _after("on", _all(event.targets, name) or event.object)
    return f"{event.effect} takes effect{on}{_bears(event.duration, event.source, name)}{by}"


@says(e.EffectEnded)
def _(event: e.EffectEnded, name: Name) -> str:
    source = _after("from", name(event.source)) if event.source else ""
    return f"{event.effect} ends{_after('on', _all(event.targets, name))}{source}{_why(event.reason)}"


@says(e.ConditionGained)
def _(event: e.ConditionGained, name: Name) -> str:
    verb = "becomes" if len(event.targets) == 1 else "become"
    bears = _bears(event.duration, event.source, name)
    return f"{_all(event.targets, name) or 'nobody'} {verb} {event.condition}{bears}{_why(event.detail)}"


@says(e.ConditionLost)
def _(event: e.ConditionLost, name: Name) -> str:
    verb = "is" if len(event.targets) == 1 else "are"
    return f"{_all(event.targets, name) or 'nobody'} {verb} no longer {event.condition}{_why(event.reason)}"


# ---------------------------------------------------------------- record


@says(e.Checked)
def _(event: e.Checked, _name: Name) -> str:
    return f"stated: {values(event.values)}{_why(event.reason)}"


@says(e.RulingMade)
def _(event: e.RulingMade, name: Name) -> str:
    about = [f"on {event.event}"] if event.event else []
    about += [event.rule] if event.rule else []
    about += [_all(event.combatants, name)] if event.combatants else []
    about += [values(event.values)] if event.values else []
    return f"ruling ({event.ruling}): {event.decision}{_why(', '.join(about))}{_after('because', event.reason)}"


@says(e.Noted)
def _(event: e.Noted, _name: Name) -> str:
    return f"note{_after('on', event.event)}: {event.text}"


@says(e.Struck)
def _(event: e.Struck, _name: Name) -> str:
    return f"{event.event} is struck{_why(event.reason)}"


@says(e.Amended)
def _(event: e.Amended, name: Name) -> str:
    return f"{event.event} is amended: {sentence(event.replacement, name)}{_why(event.reason)}"


@says(e.Inserted)
def _(event: e.Inserted, name: Name) -> str:
    return f"put in after {event.after}: {sentence(event.fact, name)}{_why(event.reason)}"


def values(stated: dict[str, Any]) -> str:
    """Return addresses with their values in one line."""
    return ", ".join(f"{address} {value(item)}" for address, item in stated.items())


def value(item: Any) -> str:
    """Return a value as a sentence has it: a list with commas, nothing as none."""
    if item is None:
        return "none"
    if isinstance(item, bool):
        return str(item).lower()
    if isinstance(item, list | tuple):
        return (
            ", ".join(" & ".join(map(str, one)) if isinstance(one, list | tuple) else str(one) for one in item)
            or "none"
        )
    if isinstance(item, dict):
        return "{" + ", ".join(f"{key} {value(one)}" for key, one in item.items()) + "}"
    return str(item)
