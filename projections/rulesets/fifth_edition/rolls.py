"""Rolls of a d20: the face that counts, totals, cover; contests, saves and checks."""

import re
from collections.abc import Iterator
from typing import TypeAlias

from eventstore.events import AttackRolled, ContestRolled, DiceRolled, InitiativeRolled, SaveRolled
from eventstore.shapes import Dice, Die, Modifier
from projections.because import Because, Derived
from projections.mechanics.rolls import face, fits_sides
from projections.occurrence import Occurrence
from projections.ruleset.faults import Fault, checks_by
from projections.ruleset.ruleset import Breach, check, derives
from projections.rulesets.fifth_edition import conditions, figures
from projections.rulesets.fifth_edition.conditions import bare_exhaustion, carries, has, records_of, rows_with
from projections.rulesets.fifth_edition.state import FifthState
from projections.rulesets.fifth_edition.table import COVERS, clauses_with

SaveOrCheck: TypeAlias = SaveRolled | DiceRolled
ModifiedRoll: TypeAlias = AttackRolled | SaveOrCheck
"""The facts that roll a d20 with modifiers of their own."""
Roll: TypeAlias = ModifiedRoll | InitiativeRolled
"""The facts that roll a d20."""


@derives("advantage.two-dice")
def kept_face(die: Die) -> int:
    """Return the face that counts: the one that the notation keeps of several dice."""
    return next(iter(faces_kept_first(die)), face(die))


def face_or_zero(die: Die | None) -> int:
    """Return the face that counts; 0 without a die."""
    return 0 if die is None else kept_face(die)


def faces_kept_first(die: Die) -> list[int]:
    """Return the faces of several d20 of which the notation keeps one, the kept one first; none for any other die."""
    if not isinstance(die, Dice):
        return []
    found = re.fullmatch(r"\d+d20(kh|kl)1?", die.notation.casefold())
    return sorted(die.faces, reverse=found[1] == "kh") if found else []


def has_wrong_face(die: Die) -> bool:
    """Say whether the record lets another face count than the one that the notation keeps."""
    return kept_face(die) != face(die)


def has_third_die(die: Die) -> bool:
    """Say whether three dice or more were thrown for one."""
    return len(faces_kept_first(die)) > 2


def modifiers_named(modifiers: tuple[Modifier, ...], *words: str) -> list[Modifier]:
    """Return the modifiers with one of these names."""
    return [each for each in modifiers if each.name.casefold() in words]


def own_modifiers(modifiers: tuple[Modifier, ...]) -> list[Modifier]:
    """Return the modifiers of a roll itself, without those of the AC or DC and without cover."""
    return [each for each in modifiers if (each.to or "").casefold() not in ("ac", "dc") and not _is_cover(each)]


def _is_cover(each: Modifier) -> bool:
    return "cover" in each.name.casefold()


def cover_number(name: str) -> int:
    """Return the number that a kind of cover adds to the AC; 0 for any other name."""
    row = COVERS.get(name.casefold())
    return row.ac if row else 0


def cover_faults(fact: Occurrence[AttackRolled | SaveRolled | DiceRolled]) -> Iterator[Fault]:
    """Yield a fault for cover that adds a wrong amount, and for two kinds of cover added up."""
    stated = [each for each in fact.event.modifiers if cover_number(each.name)]
    for each in stated:
        most = cover_number(each.name)
        if abs(each.amount) != most:
            yield Fault(("cover.bonus",), f"{each.name} gives +{most}", f"+{most}", f"+{abs(each.amount)}")
    if len({each.name.casefold() for each in stated}) > 1:
        says, found = "only the most protective cover counts", f"+{sum(each.amount for each in stated)}"
        yield Fault(("cover.bonus",), says, "+5", found)


@derives("exhaustion.penalty")
def penalty(state: FifthState, who: str | None, modifiers: tuple[Modifier, ...]) -> int:
    """Return the penalty of exhaustion on a roll in 2024; 0 if the recorded modifiers contain it already."""
    if not modifiers or not who or who not in state.combatants or modifiers_named(modifiers, "exhaustion", "bonus"):
        return 0
    level = bare_exhaustion(state, who)
    return -2 * level if level and state.is_new else 0


def roll_total(state: FifthState, event: ModifiedRoll) -> int | None:
    """Return the total of a roll: its die and modifiers, or the stated total without these; None if it is unknown.

    A die recorded alone with its outcome has the bonus of the sheet, which is known only for saves.
    """
    if event.die is None or (event.total is not None and not event.modifiers):
        total: int | None = event.total
        return total
    added: int | None = sum(each.amount for each in own_modifiers(event.modifiers))
    if not event.modifiers and (event.hit if isinstance(event, AttackRolled) else event.succeeded) is not None:
        added = save_bonus(state, event) if isinstance(event, SaveRolled) else None
    return None if added is None else kept_face(event.die) + added + penalty(state, event.combatant, event.modifiers)


def save_bonus(state: FifthState, event: SaveRolled) -> int | None:
    """Return the bonus of a save by the sheet; None if it states none, or an effect or proficiency may add to it.

    A character is proficient in some saves: if the sheet lists none, a save that was made may be one of these.
    """
    one = state.combatants[event.combatant]
    proficient = event.succeeded and not one.sheet.saves and one.sheet.creature != "monster"
    if proficient or any(effect.bearer == one.id for effect in state.effects.values()):
        return None
    ability = "constitution" if event.purpose == "concentration" else figures.ability_name(event.save)
    return figures.save_bonus(one, ability)


def face_faults(die: Die, rule: tuple[str, ...]) -> Iterator[Fault]:
    """Yield a fault for a face that no d20 has."""
    if not fits_sides(die, 20):
        yield Fault(rule, f"a d20 cannot show {kept_face(die)}", "1 to 20", str(kept_face(die)))


def total_faults(state: FifthState, event: ModifiedRoll, rule: tuple[str, ...], sums: set[int]) -> Iterator[Fault]:
    """Yield a fault if the total of a roll is none of these sums less the penalty of exhaustion in 2024."""
    missing = penalty(state, event.combatant, event.modifiers)
    if event.total is None or event.total - missing in sums:
        return
    why = records_of(conditions.exhaustion_level(state, event.combatant)) if missing and event.combatant else ()
    if event.total in sums:
        says, right = f"exhaustion takes {-missing} off {event.combatant}'s roll", f"a total of {event.total + missing}"
        yield Fault(("exhaustion.penalty",), says, right, f"a total of {event.total}", why)
    elif event.modifiers:
        says = "the total is not the die plus its modifiers"
        yield Fault(rule, says, f"a total of {max(sums) + missing}", f"a total of {event.total}", why)


@derives("contest.higher-wins", "grapple.contest")
def contest_winner(event: ContestRolled) -> str | None:
    """Return the winner of a contest by the higher total, "" at a tie; None if totals are not recorded."""
    totals: dict[str, int] = {}
    for each in event.contenders:
        if each.die is not None:
            totals[each.combatant] = kept_face(each.die) + sum(part.amount for part in each.modifiers)
        elif (stated := each.check if each.total is None else each.total) is not None:
            totals[each.combatant] = stated
    if len(totals) < len(event.contenders) or not totals:
        return None
    best = max(totals.values())
    first = [who for who, total in totals.items() if total == best]
    return first[0] if len(first) == 1 else ""


@check("contest.higher-wins", on=ContestRolled)
def the_higher_total_wins(state: FifthState, fact: Occurrence[ContestRolled]) -> Breach | None:
    wins, stated = contest_winner(fact.event), fact.event.winner
    if wins is None or stated is None or stated == wins:
        return None
    says = f"{wins} has the higher total" if wins else f"{stated} is recorded as winning a tie"
    return Breach(says, wins or "nobody", stated, silent=state.is_new)


TOTAL = ("save.total",)


def roll_dc(state: FifthState, fact: Occurrence[SaveOrCheck]) -> int | None:
    """Return the DC of a save or check: its own, else, for a save, that of the act that allowed it."""
    event = fact.event
    if event.dc is not None:
        return int(event.dc)
    deed = state.deeds.get(fact.cause)
    allowed = deed.save if deed and isinstance(event, SaveRolled) else None
    return allowed.dc if allowed else None


@derives("save.total", "condition.fails-saves", *clauses_with("fails_checks"))
def succeeds(state: FifthState, fact: Occurrence[SaveOrCheck]) -> Derived[bool | None]:
    """Return whether a save or check succeeds: not if a condition makes it fail, else by its total against the DC."""
    event = fact.event
    if why := why_it_fails(state, event):
        return Derived(False, why)
    total, needed = roll_total(state, event), roll_dc(state, fact)
    if isinstance(event, SaveRolled) and total is not None:
        total += max((each.amount for each in event.modifiers if _is_cover(each)), default=0)
    made = event.succeeded if total is None or needed is None else total >= needed
    return Derived(made, Because((), (fact.seq, *((fact.cause,) if event.dc is None else ()))))


@derives("condition.fails-saves", *clauses_with("fails_checks"))
def why_it_fails(state: FifthState, event: SaveOrCheck) -> Because | None:
    """Return the reason why a condition makes a save or check fail; None if none does."""
    who, purpose = event.combatant or "", (event.purpose or "").casefold()
    if isinstance(event, SaveRolled):
        save = figures.ability_name(event.save)
        names = [row.name for row in rows_with(state, "fails") if save in row.fails]
        found = (has(state, who, *names),) if carries(state, who, *names) else ()
        return Because(("condition.fails-saves",), (), found) if found else None
    for row in rows_with(state, "fails_checks"):
        if any(word in purpose for word in row.fails_checks) and carries(state, who, row.name):
            return Because((row.rule,), (), (has(state, who, row.name),))
    return None


@checks_by(
    "condition.fails-saves", *clauses_with("fails_checks"), "cover.bonus", "exhaustion.penalty", *TOTAL,
    on=(SaveRolled, DiceRolled),
)  # fmt: skip
def saves_and_checks_are_right(state: FifthState, fact: Occurrence[SaveRolled | DiceRolled]) -> Iterator[Fault]:
    """Yield the first fault of a save or a check."""
    event = fact.event
    if event.purpose in ("death", "concentration") and isinstance(event, SaveRolled):
        return
    if event.combatant not in state.combatants:
        return
    yield from [*save_faults(state, fact)][:1]


def save_faults(state: FifthState, fact: Occurrence[SaveOrCheck]) -> Iterator[Fault]:
    """Yield the faults of a save or check."""
    event, why = fact.event, why_it_fails(state, fact.event)
    if why:
        if event.succeeded:
            says = f"{event.combatant} fails this roll because of a condition"
            yield Fault(why.rules, says, "a failure", "a success", why.flat().events)
        return
    yield from cover_faults(fact)
    yield from sum_faults(state, event)
    found = succeeds(state, fact)
    unclear = (event.die is not None and has_wrong_face(event.die)) or not _is_d20(event.die)
    if event.succeeded not in (None, found.value) and not unclear:
        yield Fault(TOTAL, *outcome_words(state, event, roll_dc(state, fact)), found.because.events)


def outcome_words(state: FifthState, event: SaveOrCheck, dc: object) -> tuple[str, str, str]:
    """Return what is wrong with a roll that is recorded as the opposite of what it is, the true outcome, and the recorded one."""
    what = "save" if isinstance(event, SaveRolled) else "check"
    found, failed = ("a success", "a failure"), bool(event.succeeded)
    true, meets, stated = found[failed], "misses" if failed else "meets", found[not failed]
    says = f"{event.combatant}'s {what} of {roll_total(state, event)} {meets} DC {dc}, but is recorded as {stated}"
    return says, true, stated


def sum_faults(state: FifthState, event: SaveOrCheck) -> Iterator[Fault]:
    """Yield a fault for a save or check whose total is not its die and modifiers."""
    if event.die is None or not _is_d20(event.die):
        return
    yield from face_faults(event.die, TOTAL)
    if not has_wrong_face(event.die):
        ways = (own_modifiers(event.modifiers), event.modifiers)
        sums = {kept_face(event.die) + sum(each.amount for each in those) for those in ways}
        yield from total_faults(state, event, TOTAL, sums)


def _is_d20(die: object) -> bool:
    return not isinstance(die, Dice) or "d20" in die.notation


@derives("save.total", on=(SaveRolled, DiceRolled), phase="rolls")
def keep_save_outcome(state: FifthState, fact: Occurrence[SaveOrCheck]) -> None:
    """Keep whether a save or check succeeds, by the act that asked for it."""
    made = succeeds(state, fact).value
    if made is not None:
        state.checks_made[fact.seq] = made
        if isinstance(fact.event, SaveRolled):
            state.saves[fact.cause, fact.event.combatant] = made
