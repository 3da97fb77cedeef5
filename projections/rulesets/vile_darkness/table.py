"""The catalogue's tables: the row for an act in the table of actions, and the slots of a round.

Rows are derived when they are needed, since other acts of the combatant in the round can change the row of an act.
"""

from collections.abc import Callable
from functools import cache, lru_cache

from msgspec import Struct, convert, structs

from eventstore.paths import path_beside
from eventstore.shapes import Action
from projections.because import Because, Derived, ask_parts
from projections.mechanics.acts import is_shot
from projections.mechanics.grants import word_forms, words_of
from projections.mechanics.memo import memoize
from projections.ruleset.catalogue import read_catalogue
from projections.ruleset.ruleset import address_maker, derives
from projections.rulesets.vile_darkness.sheet import Weapon
from projections.rulesets.vile_darkness.space import melee_records
from projections.rulesets.vile_darkness.state import VileAct, VileState, cited_records
from projections.sheet import Entry, entry_named

RULES = path_beside(__file__, "rules.toml")
described = address_maker(RULES)
ATTACKS = ("attack", "charge")
SPELLS = ("incantation", "invocation")
LASTING = (*SPELLS, "complex")
"""Kinds of work that takes time and begins when it is declared."""
LETTERS = ("A", "B", "C")
"""The slots of fast actions, which happen in segment 1."""
REACTIONS = ("free-attack", "immediate-attack")
QUIET = ("immediate", "target", "delay")
"""Kinds of acts that leave a combatant free to act."""
POSITIONING = 10
"""Feet that a positioning step may cover in a round."""


def fault_clauses(faults: str) -> tuple[str, ...]:
    """Return the clauses that explain a sort of faults, such as those of a `place`."""
    return tuple(read_catalogue(RULES).tables["faults"][faults])


class ActionRow(Struct, frozen=True, forbid_unknown_fields=True):
    """A row in the table of actions."""

    kind: str
    type: str
    weight: str
    time: int
    declared: str
    manner: str = ""
    name: str = ""
    when: str = ""
    slot: str = ""
    joined: str = ""
    notes: str = ""


@cache
def rows_by_kind() -> dict[str, tuple[ActionRow, ...]]:
    """Return the rows in the table of actions by their kinds, in their order."""
    found: dict[str, tuple[ActionRow, ...]] = {}
    for row in convert(read_catalogue(RULES).action, tuple[ActionRow, ...]):
        found[row.kind] = (*found.get(row.kind, ()), row)
    return found


@cache
def steps() -> dict[str, int]:
    """Return the step of each slot of a round, in their order."""
    return {row["key"]: row["step"] for row in read_catalogue(RULES).tables["slot"]}


def slot_names(state: VileState) -> tuple[str, ...]:
    """Return the names of the slots in the order that options give them; only `slot_stage` cites these options."""
    return _slot_names(*(ask_parts(state.option, name) for name in ("go-first-place", "go-last-place")))


@cache
def _slot_names(first: str, last: str) -> tuple[str, ...]:
    names = list(steps())
    if first == "after-charge":
        names.insert(names.index("C"), names.pop(names.index("GF")))
    if last == "before-spells":
        names.insert(names.index("E"), names.pop(names.index("GL")))
    return tuple(names)


def slot_at(state: VileState, phase: int) -> str:
    """Return the name of a slot by its number; "" for 0, which is none."""
    return ("", *slot_names(state))[phase]


# ---------------------------------------------------------------- actions and sheets


TASK = "other"
"""The kind of a task without a row of its own."""
ALIASES = {"cast": "incantation", **dict.fromkeys(("called-shot", *REACTIONS), "attack")}
"""Other names of kinds."""


def table_kind(action: Action) -> str:
    """Return the kind of an action in the table; `other` if no row has its kind."""
    kind = ALIASES.get(action.plain_kind, action.plain_kind)
    return kind if kind in rows_by_kind() else TASK


def is_required(action: Action) -> bool:
    """Return whether actions of this kind must be declared."""
    return any(row.declared == "required" for row in rows_by_kind()[action.kind])


def plain_action(action: Action) -> Action:
    """Return an action with the table's kind, and with cost and manners case folded; a called shot is an attack in the
    manner `called`, and the cost of an attack out of turn is that of the table.
    """
    kind, manner = table_kind(action), action.plain_manner
    manner = (*manner, "called") if action.plain_kind == "called-shot" else manner
    cost = (_reaction_cost(action) if kind in ATTACKS else None) or action.plain_cost or None
    return structs.replace(action, kind=kind, cost=cost, manner=manner)


@derives("free.leaves-other-actions", "immediate-attack.replaces-declared")
def _reaction_cost(action: Action) -> str | None:
    """Return the cost of an attack out of turn, by its recorded cost, kind or name in any words; None for any other."""
    said = words_of(action.cost or f"{action.kind} {action.name or ''}")
    return next((_OUT_OF_TURN[word] for word in said if word in _OUT_OF_TURN), None)


_OUT_OF_TURN = {"free": REACTIONS[0], "opportunity": REACTIONS[0], "immediate": REACTIONS[1]}


def entry_of(state: VileState, who: str | None, name: str | None) -> Entry | None:
    """Return the entry of this name, case folded, on a combatant's sheet; None without a combatant."""
    entries: tuple[Entry, ...] = state.combatants[who].sheet.entries if who in state.combatants else ()
    return entry_named(entries, name)


@memoize
def weapon_of_attack(state: VileState, act: VileAct) -> Weapon | None:
    """Return the weapon of an attack: the one that it names, else the only one on the sheet."""
    found = weapons_in(state, act.combatant, act.action.name or "")
    return found[0] if found and (act.action.name or len(found) == 1) else None


def weapons_in(state: VileState, who: str, said: str) -> list[Weapon]:
    """Return the weapons that a text names in any form, those with the longest names; all for an empty text."""
    own: tuple[Weapon, ...] = state.combatants[who].sheet.weapons
    return [own[place] for place in _indices_named(tuple([each.name for each in own]), said)]


@lru_cache(maxsize=1024)
def _indices_named(own: tuple[str, ...], said: str) -> tuple[int, ...]:
    spoken, each_in_words = words_of(said), {place: words_of(name) for place, name in enumerate(own)}
    fitting = {place: name for place, name in each_in_words.items() if _have_common_forms(name, spoken)}
    fitting = fitting or {place: name for place, name in each_in_words.items() if _have_common_forms(spoken, name)}
    longer = [set(name) for name in fitting.values()] if spoken else []
    return tuple(place for place, name in fitting.items() if not any(set(name) < more for more in longer))


def _have_common_forms(these: tuple[str, ...], those: tuple[str, ...]) -> bool:
    return all(any(word_forms(one) & word_forms(other) for other in those) for one in these)


@memoize
def is_missile(state: VileState, act: VileAct) -> bool:
    """Return whether an attack is a missile attack: in that manner, thrown, or with a weapon that shoots."""
    weapon = weapon_of_attack(state, act)
    shoots = weapon is not None and weapon.range is not None and weapon.speed is None
    return ("melee" not in act.action.plain_manner and shoots) or is_shot(act.action)


# ---------------------------------------------------------------- circumstances of an act


def other_acts(state: VileState, act: VileAct) -> list[VileAct]:
    """Return the other acts of the same doer in this round."""
    return [each for each in state.round.acts_of.get(act.combatant, ()) if each.seq != act.seq]


def has_delaying(state: VileState, act: VileAct) -> bool:
    """Return whether an attack includes a delaying activity: by its manner, or by the entry of its name."""
    entry = entry_of(state, act.combatant, act.action.name)
    return "delaying" in (*act.action.manner, getattr(entry, "kind", "")) or _is_weapon_loaded(act.action.name or "")


@lru_cache(maxsize=1024)
def _is_weapon_loaded(name: str) -> bool:
    return any(row.name and _name_matches(row, name) for row in rows_by_kind()["attack"])


def routine_count(state: VileState, who: str) -> int:
    """Return the number of a combatant's attack routines in a round."""
    return int(state.combatants[who].sheet.routines)


def routine_of(state: VileState, act: VileAct) -> list[VileAct]:
    """Return the acts of an act's routine up to itself, by their number; a reaction is alone."""
    same = [each for each in other_acts(state, act) if each.routine == act.routine and act.routine]
    return [each for each in same if state.precedes(each.seq, act.seq)] + [act]


def is_continued(state: VileState, act: VileAct) -> bool:
    """Return whether an attack continues a routine."""
    return len(routine_of(state, act)) > 1


def in_step_four(state: VileState) -> dict[str, tuple[int, ...]]:
    """Return the multi-attackers in melee when step four began, or until then now, with the records for it."""
    four: dict[str, tuple[int, ...]] | None = state.round.four
    if four is not None:
        return four
    several = [who for who, one in state.combatants.items() if one.sheet.routines > 1]
    return {who: records for who in several if (records := melee_records(state, who))}


def _is_first_in_melee(state: VileState, act: VileAct) -> bool:
    """Return whether this is the primary routine of a multi-attacker who was in melee when step four began."""
    if act.routine != 1 or act.combatant not in in_step_four(state):
        return False
    return not act.low or state.option("delayed-first-routine") == "step-four"


def segments_taken(state: VileState, act: VileAct) -> int:
    """Return the segments that an act takes: its own time, else that of its entry, else that of the table."""
    entry = entry_of(state, act.combatant, act.action.name)
    for time in (act.action.time, entry.time if entry else None):
        length = state.rules.calendar.length(time)
        count = state.rules.calendar.count_units(length, "segment") if length else None
        if count is not None:
            return count
    return 1 if act.kind in SPELLS else row_of(state, act).time


def other_major_acts(state: VileState, act: VileAct) -> list[VileAct]:
    """Return the same doer's major actions in this round, without its moves."""
    found = [each for each in other_acts(state, act) if each.kind != "move"]
    return [each for each in found if row_of(state, each).weight == "major"]


def _is_drawn_for_a_blow(state: VileState, act: VileAct) -> bool:
    drawn = {*words_of(f"{act.action.name} {act.action.object}")}
    blows = [each for each in other_acts(state, act) if each.kind in ATTACKS and each.slot == act.slot]
    return any(not each.action.name or drawn & {"weapon", *words_of(each.action.name)} for each in blows)


def is_major(state: VileState, act: VileAct) -> bool:
    """Return whether an act is noted as major: by itself, else by its entry."""
    entry = entry_of(state, act.combatant, act.action.name)
    cost = act.action.cost or (entry.cost if entry else None) or ""
    return cost.casefold() == "major" or "(major)" in f"{act.action.name}"


def _blow_records(state: VileState, act: VileAct) -> tuple[int, ...]:
    """Return the records of a doer's blows; for the first of several routines also those of its melee at step four."""
    blows, who = [each for each in other_acts(state, act) if each.kind in ATTACKS], act.combatant
    melee: tuple[int, ...] = ()
    if act.routine == 1 and routine_count(state, who) > 1:
        melee = in_step_four(state).get(who) or (melee_records(state, who) and (state.round.four_by,))
    return act.since, *[seq for each in blows for seq in (each.seq, each.since)], *melee


DELAYED = "its doer has the delayed condition"
MAINTAINING = "maintaining concentration, half the rate or the native mode"
DELAYED_AT_IT = "with a delaying activity in it, by someone delayed"
PRIMARY, LATER = "primary routine of a multi-attacker in melee", "later routine of a multi-attacker"
DECLARED, WITHIN = "declared in step 1", "within a charge or a flight"
STEP, DRAWN = "positioning, 10 ft or less in the round", "in the slot of the attack made with it"
WHEN: dict[str, Callable[[VileState, VileAct], object]] = {
    "": lambda _s, _a: True,
    "free attack": lambda _s, a: a.action.cost == "free-attack",
    "immediate attack": lambda _s, a: a.action.cost == "immediate-attack",
    DELAYED_AT_IT: lambda s, a: a.delayed and has_delaying(s, a),
    "with a delaying activity in it": has_delaying,
    PRIMARY: _is_first_in_melee,
    LATER: lambda s, a: 1 < a.routine <= routine_count(s, a.combatant),
    "1 segment": lambda s, a: segments_taken(s, a) <= 1,
    "2 segments or more": lambda s, a: segments_taken(s, a) > 1,
    DELAYED: lambda _s, a: a.delayed,
    "described as major": is_major,
    DECLARED: lambda _s, a: a.slot in ("DECLARE", "ROLL"),
    "announced in step 5": lambda _s, _a: True,
    WITHIN: lambda s, a: a.trigger in s.round.acts,
    MAINTAINING: lambda _s, a: a.maintains,
    STEP: lambda s, a: (
        a.action.cost in ("minor", "positioning")
        or (a.action.cost is None and a.feet <= POSITIONING and other_major_acts(s, a))
    ),
    DRAWN: _is_drawn_for_a_blow,
    "noted as major": is_major,
}
"""A predicate for each circumstance of the table. The keys are the texts of the table's rows."""
RECORDS: dict[str, Callable[[VileState, VileAct], tuple[int, ...]]] = {
    **dict.fromkeys((DELAYED_AT_IT, DELAYED), lambda _s, a: (a.delayed,)),
    **dict.fromkeys((PRIMARY, LATER, DRAWN), _blow_records),
    DECLARED: lambda _s, a: (a.since,),
    WITHIN: lambda _s, a: (a.trigger,),
    MAINTAINING: lambda _s, a: (a.maintains,),
    STEP: lambda s, a: tuple(each.seq for each in other_acts(s, a)),
}
"""The records that such a predicate uses besides the act's own."""


@cache
def _record_readers(kind: str) -> tuple[Callable[[VileState, VileAct], tuple[int, ...]], ...]:
    return tuple(dict.fromkeys(RECORDS[row.when] for row in rows_by_kind()[kind] if row.when in RECORDS))


def why_row(state: VileState, act: VileAct) -> Derived[tuple[int, ...]]:
    """Return the records that decided an act's row, without the act's own."""
    used = cited_records(*[seq for records_of in _record_readers(act.kind) for seq in records_of(state, act)])
    spared = state.spared.get(act.maintains)
    return Derived(used.value, Because(of=(used, spared))) if spared and act.maintains in used.value else used


@derives("declare.only-when-required", "minor.several-allowed", "minor.no-declaration")
@memoize
def row_of(state: VileState, act: VileAct) -> ActionRow:
    """Return the first row of the table whose kind, manner, name and circumstance fit an act."""
    those = _fitting_rows(act.kind, act.action.name or "", is_shot=act.kind == "attack" and is_missile(state, act))
    return next(row for row in those if WHEN[row.when](state, act))


@lru_cache(maxsize=1024)
def _fitting_rows(kind: str, name: str, *, is_shot: bool) -> tuple[ActionRow, ...]:
    manners = ("", "missile" if is_shot else "melee")
    return tuple(row for row in rows_by_kind()[kind] if row.manner in manners and _name_matches(row, name))


def _name_matches(row: ActionRow, name: str) -> bool:
    """Return whether a row's name matches that of an act: by the verb for a weapon, else by all words of either."""
    if not row.name:
        return True
    wanted, said = words_of(row.name), words_of(name)
    if wanted[-1] == "weapon":
        return bool(said) and bool(word_forms(wanted[0]) & word_forms(said[0]))
    return len(said) > 1 and (_have_common_forms(said, wanted) or _have_common_forms(wanted, said))
