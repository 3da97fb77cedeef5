"""Facts in words: a small function for each type of event returns one line in the present tense; a long fact is shortened.

A new type of event needs its function here, marked with `puts_in_words`. A `Name` is a function from an id to a display
name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile
from typing import Any, TypeVar

from msgspec import Struct, structs

from encounterlog.words.layout import clip, name, width
from encounterlog.words.phrases import Name, in_parentheses, list_names, listed_briefly, values_in_words, word_with_text
from eventstore import events as e
from eventstore.events import CombatantJoined, Fact
from eventstore.form import ID_FIELDS, ID_LIST_FIELDS
from eventstore.record import Recorded, RecordedUnknown
from eventstore.shapes import Action, Dice, Die, Distance, Duration, Modifier, Part, Span
from eventstore.wording import list_in_words
from projections.mechanics.rolls import points_kept
from projections.stream.corrections import Corrections

LONGEST = 28  # the room for a word that is not free text, in columns
MOST = 3  # the number of ids that are named of a longer list
WHOLE = ID_FIELDS | {"type", "rule", "ruleset", "reason", "decision", "text", "words", "awaiting", "detail", "link"}
"""The fields that stay whole: ids, which are names of something, free text, which comes last in a sentence, and links of a chain."""


def shorten_fact(event: Fact) -> Fact:
    """Return a fact with its words clipped and its lists cut, so that its main content fits one line."""
    short: Fact = _shorten(event)
    if isinstance(short, CombatantJoined):  # the one sentence that says an id beside a name
        return structs.replace(short, combatant=clip(short.combatant, LONGEST), side=short.side and name(short.side))
    return short


def _shorten(value: Any, field: str = "") -> Any:
    if field in WHOLE:
        return value
    if field in ID_LIST_FIELDS:
        return value if len(value) <= MOST + 1 else (*value[:MOST], f"{len(value) - MOST} more")
    if isinstance(value, str):
        return clip(value, LONGEST)
    if isinstance(value, Struct):
        shortened = {each: _shorten(getattr(value, each), each) for each in value.__struct_fields__}
        return structs.replace(value, **shortened)
    if isinstance(value, dict):
        return {clip(key, 2 * LONGEST): _shorten(one) for key, one in value.items()}
    return tuple(map(_shorten, value)) if isinstance(value, tuple | list) else value


F = TypeVar("F", bound=Fact)
WORDS: dict[type[Fact], Callable[[Any, Name], str]] = {
    e.CombatantLeft: lambda event, name: f"{name(event.combatant)} leaves the fight{in_parentheses(event.reason)}",
    e.EncounterClosed: lambda event, _name: f"the fight is over{in_parentheses(event.reason)}",
    e.SheetChanged: lambda event, name: f"the sheet of {name(event.combatant)} changes: {values_in_words(event.sheet)}",
    e.RoundStarted: lambda event, _name: f"round {event.round} begins",
    e.RoundEnded: lambda event, _name: "the round is over" if event.round is None else f"round {event.round} is over",
    e.PhaseReached: lambda event, _name: f"phase {event.phase} comes",
    e.SegmentReached: lambda event, _name: f"{'surprise ' if event.surprise else ''}segment {event.segment} comes",
    e.TurnStarted: lambda event, name: f"it is the turn of {list_names((event.combatant, *event.together), name)}",
    e.TurnEnded: lambda event, name: f"the turn of {name(event.combatant)} ends",
    e.TurnDelayed: lambda event, name: f"{name(event.combatant)} puts the turn off",
    e.TurnResumed: lambda event, name: f"{name(event.combatant)} takes the turn that was put off",
    e.ActionAbandoned: lambda event, name: f"{name(event.combatant)} gives up {event.name or 'the action'}",
    e.Checked: lambda event, _name: f"stated: {values_in_words(event.values)}{in_parentheses(event.reason)}",
    e.Noted: lambda event, _name: f"note{word_with_text('on', event.event)}: {event.text}",
    e.Struck: lambda event, _name: f"event {event.event} is struck{in_parentheses(event.reason)}",
}
"""The function that puts an event into words, by the event's type; the longer ones follow."""
ROOM = 66  # the room for a sentence in a listing, in columns, independent of the text before it


def fact_sentence(event: Fact, name: Name = str) -> str:
    """Return a fact in words."""
    return WORDS[type(event)](event, name)


def short_sentence(event: Fact, name: Name = str) -> str:
    """Return a fact in words for a line of a listing; if it gets long, names are clipped before free text is."""
    words = fact_sentence(event, name)
    return words if width(words) <= ROOM else fact_sentence(shorten_fact(event), name)


WITHHELD = "*withheld*"  # the text in place of a record whose payload was taken out


def record_in_words(record: Recorded, name: Name = str, say: Callable[[Fact, Name], str] = fact_sentence) -> str:
    """Return a record in words, also if its payload is withheld or of an unknown type."""
    if isinstance(record, RecordedUnknown):
        return f"a fact of a type unknown to this version: {record.type[:60]}"
    return WITHHELD if record.event is None else say(record.event, name)


def corrected_in_words(record: Recorded, corrections: Corrections, name: Name = str) -> str:
    """Return a record in words, as amended if it is."""
    amended = corrections.amended.get(record.seq)
    if amended is None:
        return record_in_words(record, name)
    event = record.event
    now = structs.replace(event, fact=amended.event) if isinstance(event, e.Inserted) else amended.event
    return f"{fact_sentence(now, name)} (as amended by {amended.seq})"


def puts_in_words(kind: type[F]) -> Callable[[Callable[[F, Name], str]], Callable[[F, Name], str]]:
    """Mark the function that puts this type of event into words."""

    def mark(function: Callable[[F, Name], str]) -> Callable[[F, Name], str]:
        WORDS[kind] = function
        return function

    return mark


_VERB = r"(?!(?:his|its|this)\b)[a-z]+[^\Ws]s\b"
"""The beginning of an act's name that has its verb, in the third person."""
VERBS = {each: f"{each}s" for each in ("attack", "cast", "move", "talk", "flee", "charge")} | {
    "other": "does",
    "phrase": "",
}
"""The kinds of action that have a verb of their own; others are named by their kind. A phrase is its name, verb and all."""


def _indefinite_article(word: str) -> str:
    return "an" if word[:1].casefold() in "aeiou" else "a"


def _describe_span(length: Span | Duration | Distance | int) -> str:
    if isinstance(length, int):
        return str(length)
    plural = "s" if length.amount != 1 and not isinstance(length, Distance) else ""
    return f"{length.amount} {length.unit}{plural}"


def _describe_rolls(die: Die | None) -> str:
    return f"rolls {_faces_shown(die)}" if die is not None else ""


def _faces_shown(die: Die | None) -> str:
    if not isinstance(die, Dice):
        return "" if die is None else str(die)
    faces = (f"({face})" if place in die.dropped else str(face) for place, face in enumerate(die.faces))
    return f"{die.notation} [{', '.join(faces)}]"


def _describe_modifiers(modifiers: Iterable[Modifier]) -> str:
    return in_parentheses(", ".join(f"{one.amount:+d} {one.name}" for one in modifiers))


def _describe_parts(these: Iterable[Part]) -> str:
    amounts = ((part.name, _faces_shown(part.dice), "" if part.amount is None else part.amount) for part in these)
    return in_parentheses(", ".join(f"{name} {dice}{amount}".strip() for name, dice, amount in amounts))


def _action_words(action: Action, name: Name, verb: str, *, direct: bool = False) -> str:
    what = action.name or ""
    if action.kind == "attack":
        is_common = what.isalpha() and what.islower() and not what.endswith("s")
        armed = word_with_text("with", f"{_indefinite_article(what)} {what}" if is_common else what)
        words = f"{verb}{word_with_text('', list_names(action.targets, name))}{armed}".replace("  ", " ")
    elif action.kind == "phrase":
        words = what
    else:
        alone = direct and not what if verb else " " not in what
        at = "" if alone else "on" if action.kind == "cast" else "at"
        words = f"{verb} {what}".strip() + word_with_text(at, list_names(action.targets, name)).replace("  ", " ")
    notes = [f"at {list_names(action.targets, name)}"] if action.kind == "phrase" and action.targets else []
    notes += [*action.manner]
    notes += [f"routine {action.routine}"] if action.routine else []
    notes += [f"time {_describe_span(action.time)}"] if action.time is not None else []
    notes += [f"delay {_describe_span(action.delay)}"] if action.delay is not None else []
    notes += [f"cost {action.cost}"] if action.cost else []
    return f"{words}{word_with_text('on', action.object)}{in_parentheses(', '.join(notes))}"


def _own_verb(word: str, name: Name) -> str | None:
    verb = getattr(name, "verb", None)  # a Voice has the verbs of its game
    return verb(word) if verb else None


def _describe_duration(duration: Duration | None, source: str | None, name: Name) -> str:
    whose = word_with_text("from", name(source)) if source else ""
    if duration is None:
        return whose
    long = f" for {_describe_span(duration)}"
    if duration.of and duration.at and duration.unit == "round":
        turn = f"until the {duration.at} of {name(duration.of)}'s"
        long += f", {turn} turn" if duration.at == "end" else ""
        long = {0: f" {turn} turn", 1: f" {turn} next turn"}.get(duration.amount, long)
    return f"{long}{whose}"


@puts_in_words(e.EncounterOpened)
def _encounter_opened_in_words(event: e.EncounterOpened, _name: Name) -> str:
    fork = f", forked from {event.forked_from.encounter} at {event.forked_from.seq}" if event.forked_from else ""
    return f"the encounter “{event.title}” is opened on {event.ruleset}{fork}"


@puts_in_words(e.CombatantJoined)
def _combatant_joined_in_words(event: e.CombatantJoined, _name: Name) -> str:
    called = event.name or event.combatant
    plain = called.strip("\u2068\u2069")  # the marks of isolation
    who = called if "-".join(plain.casefold().split()) == event.combatant else f"{called} ({event.combatant})"
    hp, block = event.sheet.get("hp"), event.sheet.get("srd")
    points = f" with {hp} hp" if hp is not None else ""
    return f"{who} joins{word_with_text('the', event.side)}{points}{f' ({block})' if block else ''}"


@puts_in_words(e.Placed)
def _placed_in_words(event: e.Placed, name: Name) -> str:
    at = f" at {event.square[0]},{event.square[1]}" if event.square else ""
    return f"{name(event.combatant)} stands{at}{word_with_text('in melee with', list_names(event.engaged, name))}{in_parentheses(event.words)}"


@puts_in_words(e.TerrainSet)
def _terrain_set_in_words(event: e.TerrainSet, _name: Name) -> str:
    where = " ".join(f"{column},{row}" for column, row in event.squares) or "everywhere"
    return f"the ground is {event.terrain}: {where}"


@puts_in_words(e.Moved)
def _moved_in_words(event: e.Moved, name: Name) -> str:
    how = f"is moved{word_with_text('by', name(event.source) if event.source else '')}" if event.forced else "moves"
    far = f" {_describe_span(event.distance)}" if event.distance else ""
    ends = event.path[:: max(1, len(event.path) - 1)]
    way = word_with_text("from" if len(ends) > 1 else "to", " to ".join(f"{across},{down}" for across, down in ends))
    return f"{name(event.combatant)} {how}{far}{way}{in_parentheses(event.mode)}"


@puts_in_words(e.TimePassed)
def _time_passed_in_words(event: e.TimePassed, name: Name) -> str:
    goes = "goes" if f"{_describe_span(event.time)} ".startswith("1 ") else "go"
    return f"{_describe_span(event.time)} {goes} by{word_with_text('with care for', list_names(event.treated, name))}"


@puts_in_words(e.SurpriseRolled)
def _surprise_rolled_in_words(event: e.SurpriseRolled, name: Name) -> str:
    on = f" (surprised on {event.surprised_on})" if event.surprised_on != 2 else ""
    return f"the surprise die of {name(event.side)}: {_faces_shown(event.die)}{on}"


@puts_in_words(e.SurpriseSettled)
def _surprise_settled_in_words(event: e.SurpriseSettled, name: Name) -> str:
    whose = list_names(event.sides, name) or "all sides"
    return f"surprise is settled for {whose}: {list_names(event.surprised, name) or 'nobody'} surprised{in_parentheses(event.reason)}"


@puts_in_words(e.InitiativeRolled)
def _initiative_rolled_in_words(event: e.InitiativeRolled, name: Name) -> str:
    who = list_names((event.combatant or event.side or "a combatant", *event.together), name)
    die = _faces_shown(event.die) or (f"check {event.check}" if event.check is not None else "")
    bonus = f"{event.bonus:+d}" if event.bonus is not None else ""
    total = f"total {event.total}" if event.total is not None else ""
    rolled = ", ".join(part for part in (f"{die} {bonus}".strip(), total) if part).removeprefix("total ")
    verb = "roll" if event.together else "rolls"
    rolling = f"{who} {verb} initiative" if event.combatant else f"initiative for {who}"
    return f"{rolling}: {rolled}{word_with_text('in a tie with', list_names(event.tie_with, name))}"


@puts_in_words(e.ActionHeld)
def _action_held_in_words(event: e.ActionHeld, name: Name) -> str:
    what = _action_words(event.action, name, event.action.kind) if event.action else "an action"
    return f"{name(event.combatant)} holds {what}{word_with_text('until', event.awaiting)}"


@puts_in_words(e.ActionDeclared)
def _action_declared_in_words(event: e.ActionDeclared, name: Name) -> str:
    who = event.combatant or event.side or "a combatant"
    verb = "do" if event.action.kind == "other" else event.action.kind
    return f"{name(who)} will {_action_words(event.action, name, verb)}"


@puts_in_words(e.ActionTaken)
def _action_taken_in_words(event: e.ActionTaken, name: Name) -> str:
    stated = "" if event.succeeded is None else ", and succeeds" if event.succeeded else ", and fails"
    answer = f" in answer to {event.trigger}" if event.trigger else ""
    action, what = event.action, event.action.name or ""
    own = _own_verb(action.kind, name) if action.kind not in VERBS else None
    verb = own or VERBS.get(action.kind, f"takes the {action.kind} action{':' * bool(what)}")
    if action.kind == "other" and re.match(_VERB, what):
        verb = ""
    elif action.kind == "other" and what[:1].isupper():  # a feature by its name
        verb = "uses"
    acts = _action_words(action, name, verb, direct=bool(own))
    return f"{name(event.combatant)} {acts}{answer}{stated}{in_parentheses(event.reason)}"


@puts_in_words(e.AttackRolled)
def _attack_rolled_in_words(event: e.AttackRolled, name: Name) -> str:
    what = f"{word_with_text('on', name(event.target) if event.target else '')}{word_with_text('with', event.name)}"
    return f"{name(event.combatant)}'s attack{what}: {_attack_outcome(event)}"


def _attack_outcome(event: e.AttackRolled) -> str:
    number = f"{event.against or 'AC'} {event.ac}" if event.ac is not None else event.against
    ac = word_with_text("against", number)
    hit = "" if event.hit is None else "hit" if event.hit else "miss"
    hit = f"critical {hit}".strip() if event.critical else hit
    total = f"total {event.total}" if event.total is not None else ""
    words = [_describe_rolls(event.die), f"{total}{ac}".strip(), "confirmed" if event.confirms else "", hit]
    words += ["foiled"] if event.foiled else []
    return f"{listed_briefly(words)}{_describe_modifiers(event.modifiers)}" or "rolled"


def save_sentence(event: e.SaveRolled, name: Name, verb: str = ": ") -> str:
    """Return a save in words, with a colon or a verb before what was rolled."""
    save = (event.save or "").capitalize() if len(event.save or "") == len("con") else event.save or ""
    what = f"{save} save" if save else "saving throw"
    if event.purpose and event.purpose != event.save:
        what = f"{event.purpose} save{in_parentheses(save)}"
    stated = "" if event.succeeded is None else f"recorded as a {'success' if event.succeeded else 'failure'}"
    total = f"{event.total}" if event.total is not None else ""
    total = f"total {total}" if total and event.die is not None else total
    against = word_with_text("against", event.dc)
    words = listed_briefly([_describe_rolls(event.die), f"{total}{against}".strip(), stated])
    if not words:
        return f"{name(event.combatant)} makes {_indefinite_article(what)} {what}{_describe_modifiers(event.modifiers)}"
    return f"{name(event.combatant)}'s {what}{verb}{words}{_describe_modifiers(event.modifiers)}"


puts_in_words(e.SaveRolled)(save_sentence)


@puts_in_words(e.ContestRolled)
def _contest_rolled_in_words(event: e.ContestRolled, name: Name) -> str:
    rolled = []
    for one in event.contenders:
        checks = f"checks {one.check}" if one.check is not None else "rolls"
        stated = f"has {one.total}" if one.total is not None else checks
        rolled.append(f"{name(one.combatant)} {_describe_rolls(one.die) or stated}")
    winner = f", {name(event.winner)} wins" if event.winner else ""
    return f"contest{word_with_text('about', event.about)}: {list_in_words(rolled)}{winner}"


@puts_in_words(e.DiceRolled)
def _dice_rolled_in_words(event: e.DiceRolled, name: Name) -> str:
    who = event.combatant or event.side
    stated = "" if event.succeeded is None else "succeeds" if event.succeeded else "fails"
    dc = f"against {event.dc}" if event.dc is not None else ""
    outcome = listed_briefly([f"total {event.total}" if event.total is not None else "", dc, stated])
    modifiers = _describe_modifiers(event.modifiers)
    if not who:
        return f"{event.purpose or 'a roll'}: {listed_briefly([_faces_shown(event.die), outcome])}{modifiers}"
    why = "to" if (event.purpose or "").startswith("recharge") else "for"
    rolled = f"{name(who)} {_describe_rolls(event.die) or 'checks'}{word_with_text(why, event.purpose)}"
    return f"{listed_briefly([rolled, outcome])}{modifiers}"


@puts_in_words(e.DamageDealt)
def _damage_dealt_in_words(event: e.DamageDealt, name: Name) -> str:
    whom = f"{event.object} of {name(event.target)}" if event.object else name(event.target)
    return f"{whom} takes {_describe_damage(event, word_with_text('from', name(event.source)) if event.source else '')}"


def _describe_damage(event: e.DamageDealt, source: str = "") -> str:
    kind = "non-lethal damage" if event.nonlethal else "damage"
    loss = f", and loses {event.amount} hp" if points_kept(event.reductions) else ""
    return f"{event.amount + points_kept(event.reductions)} {kind}{source}{_describe_parts(event.parts)}{loss}"


@puts_in_words(e.Healed)
def _healed_in_words(event: e.Healed, name: Name) -> str:
    what = "temporary points" if event.temporary else "non-lethal damage less" if event.nonlethal else "hp back"
    source = word_with_text("from", name(event.source)) if event.source and event.source != event.target else ""
    return f"{name(event.target)} gets {event.amount} {what}{source}{_describe_parts(event.parts)}"


@puts_in_words(e.ResourceChanged)
def _resource_changed_in_words(event: e.ResourceChanged, name: Name) -> str:
    left = f", {event.left} left" if event.left is not None else ""
    verb = "spends" if event.amount < 0 else "regains"
    return f"{name(event.combatant)} {verb} {abs(event.amount)} {event.resource}{left}"


def effect_sentence(event: e.EffectStarted, name: Name, verb: str = ": ") -> str:
    """Return the beginning of an effect in words, with a colon or a verb between its bearers and its name."""
    on = list_names(event.targets, name) or event.object
    source = name(event.source) if event.source else ""
    by = f" ({source or 'its source'} concentrates)" if event.concentration else word_with_text("from", source)
    form = next((f": {each.name}, {each.amount} hp" for each in event.modifiers if each.to == "form"), "")
    return f"{f'{on}{verb}{event.effect}' if on else f'{event.effect} begins'}{_describe_duration(event.duration, None, name)}{by}{form}"


puts_in_words(e.EffectStarted)(effect_sentence)


@puts_in_words(e.EffectEnded)
def _effect_ended_in_words(event: e.EffectEnded, name: Name) -> str:
    source = word_with_text("from", name(event.source)) if event.source else ""
    return f"{event.effect} ends{word_with_text('on', list_names(event.targets, name))}{source}{in_parentheses(event.reason)}"


@puts_in_words(e.ConditionGained)
def _condition_gained_in_words(event: e.ConditionGained, name: Name) -> str:
    borne = _describe_duration(event.duration, event.source, name)
    verb = _own_verb(event.condition, name) or "becomes"
    gained = f"{verb if len(event.targets) == 1 else verb.removesuffix('s')} {event.condition}"
    return f"{list_names(event.targets, name) or 'nobody'} {gained}{borne}{in_parentheses(event.detail)}"


@puts_in_words(e.ConditionLost)
def _condition_lost_in_words(event: e.ConditionLost, name: Name) -> str:
    one, several = ("loses", "lose") if _own_verb(event.condition, name) else ("is no longer", "are no longer")
    lost = f"{one if len(event.targets) == 1 else several} {event.condition}"
    return f"{list_names(event.targets, name) or 'nobody'} {lost}{in_parentheses(event.reason)}"


def count_blow(facts: Sequence[Fact]) -> int:
    """Return how many facts at the beginning of these are one blow: an attack, its roll, its damage; 1 if they are none."""
    act, roll = facts[0], facts[1] if len(facts) > 1 else None
    place = 0
    if isinstance(act, e.ActionTaken) and isinstance(roll, e.AttackRolled):
        is_its = (roll.combatant, roll.cause) == (act.combatant, -1) and act.action.targets == (roll.target,)
        place = 1 if act.action.kind == "attack" and is_its else 0
    rolled = facts[place]
    if not isinstance(rolled, e.AttackRolled):
        return 1
    behind = facts[place + 1 :]
    hurts = takewhile(lambda each: isinstance(each, e.DamageDealt) and each.target == rolled.target, behind)
    return place + 1 + sum(1 for _ in hurts)


def blow_in_words(facts: Sequence[Fact], name: Name) -> str:
    """Return the facts of a blow as one sentence."""
    first, *further = facts
    outcomes = [each for each in further if isinstance(each, e.AttackRolled | e.DamageDealt)]
    told = [_attack_outcome(each) if isinstance(each, e.AttackRolled) else _describe_damage(each) for each in outcomes]
    behind = ": " if isinstance(first, e.ActionTaken) else ", "
    return f"{fact_sentence(first, name)}{behind}{', '.join(told)}"


@puts_in_words(e.Amended)
def _amended_in_words(event: e.Amended, name: Name) -> str:
    return f"event {event.event} is amended: {fact_sentence(event.replacement, name)}{in_parentheses(event.reason)}"


@puts_in_words(e.Inserted)
def _inserted_in_words(event: e.Inserted, name: Name) -> str:
    return f"put in after event {event.after}: {fact_sentence(event.fact, name)}{in_parentheses(event.reason)}"


@puts_in_words(e.RulingMade)
def _ruling_made_in_words(event: e.RulingMade, name: Name) -> str:
    about = [f"on {event.event}"] if event.event else []
    about += [event.rule] if event.rule else []
    about += [list_names(event.combatants, name)] if event.combatants else []
    about += [values_in_words(event.values)] if event.values else []
    heads = ", ".join([event.ruling, *about])
    return f"ruling ({heads}): {event.decision}{word_with_text('because', event.reason)}"


def correction_in_words(event: Fact, by: str, name: Name) -> str:
    """Return a correction in words, with those for its event and its author."""
    if isinstance(event, e.Amended):
        now = fact_sentence(event.replacement, name)
        return f"event {event.event} is amended by {by}: {now}{in_parentheses(event.reason)}"
    return f"{fact_sentence(event, name)}{'' if isinstance(event, e.Struck) else ','} by {by}"


@puts_in_words(e.DiceCommitted)
def _dice_committed_in_words(event: e.DiceCommitted, _name: Name) -> str:
    kind = "a chain for secret dice" if event.hidden else "a chain of dice"
    return f"{kind} is begun, for {event.length:,} rolls; {event.holder} holds its secret{in_parentheses(event.reason)}"


@puts_in_words(e.DiceDrawn)
def _dice_drawn_in_words(event: e.DiceDrawn, _name: Name) -> str:
    word = f"a word of {event.giver}, proven" if event.giver else "a word of the holder, bound"
    which = "secret roll" if event.hidden else "roll"
    lacks = f" ({event.lacks})" if event.lacks else ""
    return f"{which} {event.number:,} for {event.event}: {event.notation} drawn with {word}{lacks}"
