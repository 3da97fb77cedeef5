"""Decide: from a command and the present state to events, or to refusals, each with a sentence.

An append is refused only if it is malformed: combatants that never joined, references to nothing, sheets of the wrong
form. Breaches of rules are recorded, and the audit finds them.
"""

from collections.abc import Iterator
from functools import cache

import msgspec
from msgspec import Struct, structs

from eventstore import events, form
from eventstore.events import ActionDeclared, Amended, CombatantJoined, EncounterOpened, SheetChanged, Struck
from eventstore.form import ID_FIELDS, ID_LIST_FIELDS, REFERENCE_FIELDS
from eventstore.record import Draft, upcast
from eventstore.wording import nearest, visible
from projections.open_types import Fields
from projections.state import State
from projections.stream.corrections import stated_fact

_COMBATANTS_ONLY = frozenset({"combatant", "target", "targets", "together", "engaged", "treated", "winner", "of"})
_SIDES_ONLY = frozenset({"side", "sides"})


class Append(Struct, frozen=True):
    """The command to append these facts after record `after`."""

    drafts: tuple[Draft, ...]
    after: int


class Refusal(Struct, frozen=True):
    """A refusal: the fact (from 0), the field, the reason, and a hint."""

    place: int
    field: str
    reason: str
    hint: str = ""


class Refused(Struct, frozen=True):
    """The answer to a command that is refused as a whole."""

    refusals: tuple[Refusal, ...]


class _Known(Struct):
    """The combatants and sides that can be named at one point of an append."""

    combatants: set[str]
    sides: set[str]


def decide(state: State, command: Append) -> tuple[Draft, ...] | Refused:
    """Return the drafts to append, or all refusals.

    Facts are judged in the newest version of their types, and returned in their own version.
    """
    known = _Known(set(state.combatants), set(state.sides))
    drafts = tuple(structs.replace(each, event=upcast(each.event)) for each in command.drafts)
    newest = structs.replace(command, drafts=drafts)
    refusals: list[Refusal] = []
    for place, draft in enumerate(drafts):
        refusals += _find_objections(state, known, newest, place)
        if isinstance(fact := stated_fact(draft.event), CombatantJoined):
            known.combatants.add(fact.combatant)
            known.sides.add(fact.side or fact.combatant)
    return Refused(tuple(refusals)) if refusals else command.drafts


def _find_objections(state: State, known: _Known, command: Append, place: int) -> Iterator[Refusal]:
    event = command.drafts[place].event
    if isinstance(event, EncounterOpened):
        says = "an encounter is opened only once, by its first record"
        yield Refusal(place, "type", says, "encounter new begins another")
        return
    value = msgspec.to_builtins(event)
    joining = isinstance(event, CombatantJoined)
    for path, item in form.walk_members(value):
        name = path.rpartition(".")[2]
        inside = joining or type_at_path(value, path) == "combatant_joined"
        if name in REFERENCE_FIELDS:
            yield from _check_reference(path, item, command, place)
        elif not inside and name in ID_FIELDS:
            yield from _check_id(path, item, known, place)
        elif name in ID_LIST_FIELDS:
            for each in item:
                yield from _check_id(path, each, known, place)
    yield from _check_by_type(state, known, command, place)


def type_at_path(value: dict[str, object], path: str) -> str:
    """Return the type of the fact to which a path inside a correction belongs, or ""."""
    inner = value.get(path.partition(".")[0])
    return str(inner.get("type", "")) if isinstance(inner, dict) else ""


def _check_reference(path: str, reference: int, command: Append, place: int) -> Iterator[Refusal]:
    event, own = command.drafts[place].event, command.after + place + 1
    if path.startswith("replacement.") and isinstance(event, Amended):
        meant = event.event if event.event > 0 else own + event.event
        found = reference if reference > 0 else meant + reference
        if not 1 <= found < meant:
            hint = f"inside amended it counts from record {meant}, which is replaced"
            yield Refusal(place, path, f"{reference} names no record before that one", hint)
    elif -reference > place:
        hint = f"{reference} counts back within the {len(command.drafts)} facts appended together; above 0 it is a seq"
        yield Refusal(place, path, f"{reference} reaches back beyond this append", hint)
    elif reference >= own:
        yield Refusal(place, path, f"there is no record {reference} before this one", f"this would be record {own}")


def _check_id(path: str, who: str, known: _Known, place: int) -> Iterator[Refusal]:
    field = path.rpartition(".")[2]
    there = [] if field in _SIDES_ONLY else [known.combatants]
    there += [] if field in _COMBATANTS_ONLY else [known.sides]
    if not any(who in each for each in there):
        kind = "side" if field in _SIDES_ONLY else "combatant"
        some = ", ".join(sorted(set().union(*there))[:8]) or "none yet"
        hint = nearest(who, known.combatants | known.sides) or f"known are {some}; combatant_joined adds one"
        yield Refusal(place, path, f"no {kind} {visible(who)} has joined", hint)


def _check_by_type(state: State, known: _Known, command: Append, place: int) -> Iterator[Refusal]:
    """Yield refusals of particular types of facts: sheets, a name for both a side and a combatant, corrections."""
    event = command.drafts[place].event
    fact = stated_fact(event)
    if isinstance(fact, CombatantJoined | SheetChanged):
        yield from _check_sheet(state, fact, place)
    if isinstance(fact, CombatantJoined):
        if fact.combatant in known.sides - known.combatants:
            yield Refusal(place, "combatant", f"{fact.combatant} is a side; combatants and sides share one namespace")
        if fact.side in known.combatants - known.sides and fact.side != fact.combatant:
            yield Refusal(place, "side", f"{fact.side} is a combatant; combatants and sides share one namespace")
    if isinstance(fact, events.InitiativeRolled | ActionDeclared) and fact.side is None and fact.combatant is None:
        yield Refusal(place, "combatant", "neither combatant nor side is named", "say who rolls or declares")
    if isinstance(event, Struck | Amended) and event.event == 1:
        yield Refusal(place, "event", "the first record cannot be corrected", "it says what the log is")


def _check_sheet(state: State, fact: CombatantJoined | SheetChanged, place: int) -> Iterator[Refusal]:
    fields = _sheet_fields(state.rules.sheet)
    for name, value in fact.sheet.items():
        if name not in fields:
            hint = nearest(name, fields) or f"a sheet of {state.rules.key} has {', '.join(fields)}"
            yield Refusal(place, f"sheet.{visible(name)[:60]}", f"not a field of a sheet of {state.rules.key}", hint)
            continue
        try:
            msgspec.convert(value, fields[name].type)
        except msgspec.ValidationError as error:
            reason, inside = form.split_complaint(str(error))
            field = f"sheet.{name}{inside}" if inside.startswith("[") or not inside else f"sheet.{name}.{inside}"
            hint = "" if inside else form.words_hint(fields[name].type)
            yield Refusal(place, field, form.reword_complaint(reason), hint)
    if found := state.rules.unknown(state, fact.sheet):
        name, says, hint = found
        yield Refusal(place, f"sheet.{name}", says, hint)
    missing = [name for name, field in fields.items() if field.required and name not in fact.sheet]
    if missing and isinstance(fact, CombatantJoined):
        yield Refusal(place, f"sheet.{missing[0]}", "is missing")


@cache
def _sheet_fields(sheet: type[msgspec.Struct]) -> Fields:
    return {field.encode_name: field for field in msgspec.structs.fields(sheet)}
