"""Refusals: why facts cannot be appended to a log in its present state, each with a sentence.

An append is refused only if it is malformed: combatants that never joined, references to nothing, sheets of the wrong
form. Breaches of rules are recorded, and the audit finds them.
"""

from collections.abc import Iterator, Sequence
from functools import cache

import msgspec
from msgspec import Struct

from eventstore import events, form
from eventstore.events import ActionDeclared, Amended, CombatantJoined, EncounterOpened, Event, SheetChanged, Struck
from eventstore.form import ID_FIELDS, ID_LIST_FIELDS, REFERENCE_FIELDS
from eventstore.record import Draft, upcast
from eventstore.wording import nearest, visible
from projections.open_types import Fields
from projections.state import State
from projections.stream.corrections import stated_fact

_COMBATANTS_ONLY = frozenset({"combatant", "target", "targets", "together", "engaged", "treated", "winner", "of"})
_SIDES_ONLY = frozenset({"side", "sides"})


class Refusal(Struct, frozen=True):
    """A refusal: the fact (from 0), the field, the reason, and a hint."""

    place: int
    field: str
    reason: str
    hint: str = ""


class _Known(Struct):
    """What a fact of an append may name: the combatants and sides before it, and the records before its own."""

    combatants: set[str]
    sides: set[str]
    seq: int
    facts: int
    """The number of facts in the append."""
    place: int = 0

    def refusal(self, field: str, reason: str, hint: str = "") -> Refusal:
        """Return the refusal of the fact at this place."""
        return Refusal(self.place, field, reason, hint)


def find_refusals(state: State, drafts: Sequence[Draft], after: int) -> tuple[Refusal, ...]:
    """Return why these drafts cannot be appended after a record; nothing if they can.

    Facts are judged in the newest version of their types.
    """
    known = _Known(set(state.combatants), set(state.sides), after, len(drafts))
    refusals: list[Refusal] = []
    for place, draft in enumerate(drafts):
        known.place, known.seq = place, after + place + 1
        event = upcast(draft.event)
        refusals += _find_objections(state, known, event)
        if isinstance(fact := stated_fact(event), CombatantJoined):
            known.combatants.add(fact.combatant)
            known.sides.add(fact.side or fact.combatant)
    return tuple(refusals)


def _find_objections(state: State, known: _Known, event: Event) -> Iterator[Refusal]:
    if isinstance(event, EncounterOpened):
        says = "an encounter is opened only once, by its first record"
        yield known.refusal("type", says, "encounter new begins another")
        return
    joins = isinstance(stated_fact(event), CombatantJoined)
    for path, item in form.walk_members(msgspec.to_builtins(event)):
        name = path.rpartition(".")[2]
        if name in REFERENCE_FIELDS:
            yield from _check_reference(known, event, path, item)
        elif name in ID_FIELDS and not joins:
            yield from _check_id(known, path, item)
        elif name in ID_LIST_FIELDS:
            for each in item:
                yield from _check_id(known, path, each)
    yield from _check_by_type(state, known, event)


def _check_reference(known: _Known, event: Event, path: str, reference: int) -> Iterator[Refusal]:
    own = known.seq
    if path.startswith("replacement.") and isinstance(event, Amended):
        meant = event.event if event.event > 0 else own + event.event
        found = reference if reference > 0 else meant + reference
        if not 1 <= found < meant:
            hint = f"inside amended it counts from record {meant}, which is replaced"
            yield known.refusal(path, f"{reference} names no record before that one", hint)
    elif -reference > known.place:
        hint = f"{reference} counts back within the {known.facts} facts appended together; above 0 it is a seq"
        yield known.refusal(path, f"{reference} reaches back beyond this append", hint)
    elif reference >= own:
        yield known.refusal(path, f"there is no record {reference} before this one", f"this would be record {own}")


def _check_id(known: _Known, path: str, who: str) -> Iterator[Refusal]:
    field = path.rpartition(".")[2]
    there = [] if field in _SIDES_ONLY else [known.combatants]
    there += [] if field in _COMBATANTS_ONLY else [known.sides]
    if not any(who in each for each in there):
        kind = "side" if field in _SIDES_ONLY else "combatant"
        some = ", ".join(sorted(set().union(*there))[:8]) or "none yet"
        hint = nearest(who, known.combatants | known.sides) or f"known are {some}; combatant_joined adds one"
        yield known.refusal(path, f"no {kind} {visible(who)} has joined", hint)


def _check_by_type(state: State, known: _Known, event: Event) -> Iterator[Refusal]:
    """Yield refusals of particular types of facts: sheets, a name for both a side and a combatant, corrections."""
    fact = stated_fact(event)
    if isinstance(fact, CombatantJoined | SheetChanged):
        yield from _check_sheet(state, known, fact)
    if isinstance(fact, CombatantJoined):
        if fact.combatant in known.sides - known.combatants:
            yield known.refusal("combatant", f"{fact.combatant} is a side; combatants and sides share one namespace")
        if fact.side in known.combatants - known.sides and fact.side != fact.combatant:
            yield known.refusal("side", f"{fact.side} is a combatant; combatants and sides share one namespace")
    if isinstance(fact, events.InitiativeRolled | ActionDeclared) and fact.side is None and fact.combatant is None:
        yield known.refusal("combatant", "neither combatant nor side is named", "say who rolls or declares")
    if isinstance(event, Struck | Amended) and event.event == 1:
        yield known.refusal("event", "the first record cannot be corrected", "it says what the log is")


def _check_sheet(state: State, known: _Known, fact: CombatantJoined | SheetChanged) -> Iterator[Refusal]:
    fields = _sheet_fields(state.rules.sheet)
    for name, value in fact.sheet.items():
        if name not in fields:
            hint = nearest(name, fields) or f"a sheet of {state.rules.key} has {', '.join(fields)}"
            yield known.refusal(f"sheet.{visible(name)[:60]}", f"not a field of a sheet of {state.rules.key}", hint)
            continue
        try:
            msgspec.convert(value, fields[name].type)
        except msgspec.ValidationError as error:
            reason, inside = form.split_complaint(str(error))
            field = f"sheet.{name}{inside}" if inside.startswith("[") or not inside else f"sheet.{name}.{inside}"
            hint = "" if inside else form.words_hint(fields[name].type)
            yield known.refusal(field, form.reword_complaint(reason), hint)
    if found := state.rules.unknown(state, fact.sheet):
        name, says, hint = found
        yield known.refusal(f"sheet.{name}", says, hint)
    missing = [name for name, field in fields.items() if field.required and name not in fact.sheet]
    if missing and isinstance(fact, CombatantJoined):
        yield known.refusal(f"sheet.{missing[0]}", "is missing")


@cache
def _sheet_fields(sheet: type[msgspec.Struct]) -> Fields:
    return {field.encode_name: field for field in msgspec.structs.fields(sheet)}
