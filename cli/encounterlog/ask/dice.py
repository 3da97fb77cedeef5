"""Where the dice of a log come from, and how their faces are spread."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import to_builtins

from encounterlog.words.layout import count_noun, table, wrap
from projections.explaining.dice_statistics import Spread
from projections.explaining.fairness import Fairness, Fault

MEANS = {  # the levels in words
    "proven": "drawn from the chain with a word of another person",
    "bound": "drawn from the chain with a word of the holder, who could have tried several",
    "typed": "stated by a person, or rolled without the chain",
}


def format_fairness(found: Fairness) -> list[str]:
    """Return the page of `encounter dice`: the chains, and how many rolls have each level."""
    lines = [] if found.chains else ["no chain of dice; encounter dice FILE start begins one"]
    for chain in found.chains:
        begun = f"chain for {'secret' if chain.hidden else 'open'} rolls, record {chain.seq}"
        drawn = f"{chain.drawn:,} of {chain.length:,} drawn"
        lines += wrap(f"{begun}: {drawn}; {chain.holder} holds the secret", "  ")
    lines += table((level, number, MEANS[level]) for level, number in found.levels.items() if found.chains or number)
    return [*lines, *_format_faults(fault for fault in found.faults if fault.wrong)]


def _format_faults(found: Iterable[Fault]) -> list[str]:
    return [line for fault in found for line in wrap(f"{fault.seq}: {fault.says}", "    ", first="  ")]


def fairness_as_json(found: Fairness) -> dict[str, Any]:
    """Return the data about dice that commands print with --json."""
    faults = [to_builtins(fault) | {"wrong": fault.wrong} for fault in found.faults]
    return {**to_builtins(found), "faults": faults, "levels": found.levels, "holds": found.holds}


def format_dice_verification(found: Fairness) -> list[str]:
    """Return the page of `encounter verify --dice`: a line for each roll that was drawn, the faults, and the sums."""
    rows = []
    for throw in (throw for throw in found.throws if throw.drawn is not None):
        roll = f"roll {throw.number:,}{' secret' if throw.hidden else ''}"
        faces = f"{throw.notation} {', '.join(map(str, throw.faces))}"
        right = f"right, {throw.level}{f' by a word of {throw.giver}' if throw.giver else ''}"
        rows.append((roll, f"event {throw.seq}", faces, right if throw.right else "wrong"))
    sums = ", ".join(f"{number} {level}" for level, number in found.levels.items())
    good = ["every roll of the chain is right"] if found.faults or rows else []
    wrong = sum(1 for fault in found.faults if fault.wrong)
    end = [f"{count_noun(wrong, 'fault')} in the dice"] if wrong else good
    nothing = [] if found.chains else ["no chain of dice was begun: nothing can be proven"]
    return [*nothing, *table(rows), *_format_faults(found.faults), f"dice: {sums}", *end]


def summarize_dice(found: Fairness) -> str:
    """Return the number of dice of each level, and whether there is a fault, for a page on something else."""
    sums = ", ".join(f"{number} {level}" for level, number in found.levels.items() if number) or "none yet"
    wrong = sum(1 for fault in found.faults if fault.wrong)
    faults = f"; {count_noun(wrong, 'fault')}: encounter verify FILE --dice" if wrong else ""
    return f"dice: {sums}{faults}"


def format_spreads(found: Sequence[Spread], called: Mapping[str, str]) -> list[str]:
    """Return the page of `encounter stats --dice`: a line for each die of a combatant and level."""
    rows, faces = [], []
    for one in found:
        who = called.get(one.combatant, one.combatant) or "nobody named"
        mean = f"mean {one.mean:.2f}" + (f" for {(one.sides + 1) / 2:.1f}" if one.sides else "")
        untested = "too few to test" if one.sides else "sides not stated"
        test = untested if one.p is None else f"chi-squared {one.chi_squared:.1f}, p {one.p:.1%}"
        rows.append((who, one.die, one.level, count_noun(one.thrown, "throw"), mean, test))
        shown = " ".join(f"{face}:{number}" for face, number in one.counts.items())
        faces += wrap(shown, "    ", first=f"  {who} {one.die} {one.level}  ") if one.counts else []
    return [*table(rows), *faces] if rows else ["no dice were rolled"]
