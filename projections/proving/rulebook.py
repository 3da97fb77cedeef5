"""The rulebook: a ruleset's clauses, each proven by plays, and what is not proven yet.

Beside a ruleset's catalogue is a folder of scripts (`rulebook/*.enc`). They hold cases for each clause, breaches for
each that can be broken, and an alternative for each option's other values: a play that fails with the default. Like the
catalogue they are part of the program, and are read only when they are needed.
"""

import inspect
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from msgspec import Struct

from projections.proving.enc import parse
from projections.proving.plays import Play
from projections.proving.proof import Played, run_play
from projections.ruleset.catalogue import Clause, Option
from projections.ruleset.ruleset import Marked, Ruleset, marked

BREAKABLE = ("audit", "both")
"""Kinds of clauses that can be broken, and so need a breach."""


class ClauseProof(Struct, frozen=True):
    """A clause with the functions that carry its id, and its cases and breaches as they were run."""

    clause: Clause
    functions: tuple[str, ...]
    cases: tuple[Played, ...]
    breaches: tuple[Played, ...]

    @property
    def proven(self) -> bool:
        """Whether nothing is missing and every play is as expected."""
        return not any(_gaps_of_clause(self))


class ValueProof(Struct, frozen=True):
    """An option's other value with its alternatives as they were run, and the same plays run with the default."""

    option: Option
    value: str
    plays: tuple[Played, ...]
    by_default: tuple[Played, ...]

    @property
    def proven(self) -> bool:
        """Whether there is an alternative, and each holds with the value and fails with the default."""
        return not any(_gaps_of_value(self))


class Proof(Struct, frozen=True):
    """A ruleset's rulebook as it was run."""

    ruleset: str
    clauses: tuple[ClauseProof, ...]
    values: tuple[ValueProof, ...]


class Gap(Struct, frozen=True):
    """A gap in the proof: its subject, the reason, and its place if it is in a script."""

    about: str
    says: str
    source: str = ""
    line: int = 0


def plays(ruleset: Ruleset) -> tuple[Play, ...]:
    """Return the plays of a ruleset's rulebook, file by file; raise EncError where one cannot be read."""
    return _read(Path(ruleset.rules).with_name("rulebook"))


@cache
def _read(folder: Path) -> tuple[Play, ...]:
    return tuple(play for path in sorted(folder.glob("*.enc")) for play in parse(path.read_text("utf-8"), path.name))


def _about(ruleset: Ruleset, kind: str, *name: str) -> list[Play]:
    return _by_name(Path(ruleset.rules).with_name("rulebook")).get((kind, *name), [])


@cache
def _by_name(folder: Path) -> dict[tuple[str, ...], list[Play]]:
    found: dict[tuple[str, ...], list[Play]] = {}
    for play in _read(folder):
        found.setdefault((play.kind, *play.name), []).append(play)
    return found


def functions(ruleset: Ruleset) -> tuple[Marked, ...]:
    """Return every deriving function and check in the modules of a ruleset's folder, and of the folders in it."""
    folder = Path(ruleset.rules).parent
    found = [(str(getattr(module, "__file__", None)), module) for module in list(sys.modules.values())]
    own = [module for file, module in found if file.startswith(str(folder)) and Path(file).is_relative_to(folder)]
    return tuple(marked(sorted(own, key=lambda module: module.__name__)))


def name_of(function: Marked) -> str:
    """Return the name of a function with its module, for a list."""
    return f"{function.__module__.rpartition('.')[2]}.{function.__name__}"


def place_of(function: Callable[..., object]) -> str:
    """Return the file and the line in which a function begins, "" if it is not written in Python."""
    code = getattr(inspect.unwrap(getattr(function, "function", function)), "__code__", None)
    return f"{Path(code.co_filename).name}, line {code.co_firstlineno}" if code else ""


def prove(ruleset: Ruleset) -> Proof:
    """Run a ruleset's whole rulebook."""
    catalogue, carriers = ruleset.catalogue(), functions(ruleset)
    return Proof(
        ruleset.key,
        tuple(prove_clause(ruleset, clause, carriers) for clause in catalogue.rule),
        tuple(prove_value(ruleset, option, value) for option in catalogue.option for value in option.values[1:]),
    )


def prove_clause(ruleset: Ruleset, clause: Clause, carriers: tuple[Marked, ...] = ()) -> ClauseProof:
    """Run the cases and breaches of one clause; the functions of its ruleset are looked up unless they are given."""
    return ClauseProof(
        clause,
        tuple(name_of(each) for each in carriers or functions(ruleset) if clause.id in each.rules),
        tuple(run_play(play) for play in _about(ruleset, "case", clause.id)),
        tuple(run_play(play) for play in _about(ruleset, "breach", clause.id)),
    )


def prove_value(ruleset: Ruleset, option: Option, value: str) -> ValueProof:
    """Run the alternatives of one value of an option, with it and with the default."""
    own = _about(ruleset, "alternative", option.name, value)
    by_default = (run_play(play, {**play.options, option.name: option.values[0]}) for play in own)
    return ValueProof(option, value, tuple(run_play(play) for play in own), tuple(by_default))


# ---------------------------------------------------------------- what is not proven


def uncovered(ruleset: Ruleset) -> tuple[Gap, ...]:
    """Run a ruleset's whole rulebook and return everything in it that is missing or not as expected."""
    return gaps(ruleset, prove(ruleset))


def gaps(ruleset: Ruleset, proof: Proof) -> tuple[Gap, ...]:
    """Return everything that is missing or not as expected in a rulebook that was run."""
    return (
        *(gap for clause in proof.clauses for gap in _gaps_of_clause(clause)),
        *(gap for value in proof.values for gap in _gaps_of_value(value)),
        *_strays(ruleset),
        *_unknown_rules(ruleset),
    )


def _gaps_of_clause(proof: ClauseProof) -> Iterator[Gap]:
    clause = proof.clause
    if not proof.functions and clause.kind != "gm":
        yield Gap(clause.id, "no function and no check carries it")
    if not proof.cases:
        yield Gap(clause.id, "it has no case")
    if not proof.breaches and clause.kind in BREAKABLE:
        yield Gap(clause.id, "it has no breach")
    for played in proof.cases:
        if clause.kind == "gm" and _findings(played.play):
            yield _gap(played.play, "the clause must find nothing where the GM decides")
    for played in proof.breaches:
        if clause.kind not in BREAKABLE:
            yield _gap(played.play, f"nobody can break a clause of the kind {clause.kind}")
        elif clause.id not in _findings(played.play):
            yield _gap(played.play, "it expects no finding by this rule")
    yield from (gap for played in (*proof.cases, *proof.breaches) for gap in _failing(played))


def _gaps_of_value(proof: ValueProof) -> Iterator[Gap]:
    if not proof.plays:
        yield Gap(f"{proof.option.name} {proof.value}", "it has no alternative")
    yield from (gap for played in proof.plays for gap in _failing(played))
    for played in proof.by_default:
        if played.is_proven:
            yield _gap(played.play, f"it does not fail with the default, {proof.option.values[0]}")


def _failing(played: Played) -> Iterator[Gap]:
    for failure in played.failures:
        yield Gap(played.play.title, failure.says, played.play.source, failure.line)


def _strays(ruleset: Ruleset) -> Iterator[Gap]:
    """Yield the plays that prove nothing of this ruleset: of another one, or of rules and options that it lacks."""
    catalogue = ruleset.catalogue()
    for play in plays(ruleset):
        option = catalogue.find_option(play.name[0])
        if play.ruleset != ruleset.key:
            yield _gap(play, f"it is played by the ruleset {play.ruleset}")
        elif play.kind == "encounter":
            yield _gap(play, "a rulebook holds cases, breaches and alternatives")
        elif play.kind == "alternative" and option is None:
            yield _gap(play, f"there is no option {play.name[0]}")
        elif play.kind == "alternative" and option and play.name[1] not in option.values[1:]:
            yield _gap(play, f"the other values of {option.name} are {', '.join(option.values[1:])}")
        elif play.kind != "alternative" and catalogue.clause(play.name[0]) is None:
            yield _gap(play, f"there is no rule {play.name[0]}")


def _unknown_rules(ruleset: Ruleset) -> Iterator[Gap]:
    known = {clause.id for clause in ruleset.catalogue().rule}
    for each in functions(ruleset):
        for rule in each.rules:
            if rule not in known:
                yield Gap(name_of(each), f"it carries {rule}, which the catalogue does not have")


def _findings(play: Play) -> list[str]:
    return [each.words[0] for each in play.expectations if each.verb == "finding"]


def _gap(play: Play, says: str) -> Gap:
    return Gap(play.title, says, play.source, play.line)
