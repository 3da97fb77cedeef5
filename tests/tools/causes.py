"""Takes recorded causes away and prints what the replay makes of it: the right cause, none, or a false one.

    python -m tests.tools.causes [RULESET ...] [--rounds N] [--seed S] [--all]

Three parts. Of every fixture, play and recording, the causes of all outcomes are taken away: a cause that is then implied
has to be the recorded one, or of the same chain. Then lawful fights, appended at once and fact by fact, of which one
outcome in three, and all, have lost their cause: none may be accused of anything. Exits with 1 if a cause is false, if
more than a third of the causes are gone, or if lawful play is accused. --all prints each false cause.
"""

import random
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

from msgspec import structs

from eventstore.events import AttackRolled, ContestRolled
from eventstore.record import Recorded
from projections.judging.audit import audit
from projections.mechanics.candidates import BRINGS_ABOUT
from projections.mechanics.implied import is_stated_miss
from projections.occurrence import Occurrence
from projections.proving.proof import records_of
from projections.replay.replay import replay
from projections.rulesets import RULESETS, find
from projections.state import State
from projections.stream.causes import cause_chain
from tests.lawful import __main__ as lawful, judging
from tests.projections.stage import encounters, stage

RIGHT, NONE, FALSE, OTHERWISE = "right", "none", "false", "recorded otherwise"
Facts = dict[int, Occurrence[Any]]
"""The facts of a log; a roll that missed stands below 0, too."""


def bare(records: Iterable[Recorded], some: random.Random | None = None) -> list[Recorded]:
    """Return the records without the causes of their outcomes, or of one in three by chance."""
    return [_bare(each) if some is None or some.random() < 1 / 3 else each for each in records]


def _bare(record: Recorded) -> Recorded:
    event: Any = record.event
    if type(event) not in BRINGS_ABOUT or event.cause is None:
        return record
    return structs.replace(record, event=structs.replace(event, cause=None))


def verdicts(records: list[Recorded]) -> Iterator[tuple[str, Occurrence[Any], int]]:
    """Yield the fate of each recorded cause once it is removed: the verdict, the fact, the implied cause."""
    whole, without = _facts(records), _facts(bare(records))
    for seq, fact in whole.items():
        if seq > 0 and type(fact.event) in BRINGS_ABOUT and fact.event.cause:
            found = without[seq].cause
            yield _verdict(whole, fact, found), fact, found


def _verdict(facts: Facts, fact: Occurrence[Any], found: int) -> str:
    if not found:
        return NONE
    recorded = {each.seq for each in cause_chain(facts, fact.cause)}
    confirmed = getattr(facts[fact.cause].event, "confirms", None) if fact.cause in facts else None
    if found in {*recorded, confirmed} or fact.cause in {each.seq for each in cause_chain(facts, found)}:
        return RIGHT
    return OTHERWISE if _contradicts(facts, fact) else FALSE


def _contradicts(facts: Facts, fact: Occurrence[Any]) -> bool:
    """Say whether a fact and its recorded cause contradict each other, as in plays of breaches: nobody could know that cause."""
    cause = facts.get(fact.cause)
    if cause is None or -cause.seq in facts or type(cause.event) not in BRINGS_ABOUT[type(fact.event)]:
        return True
    if isinstance(fact.event, ContestRolled) and any(each.cause == cause.seq for seq, each in facts.items() if seq < 0):
        return True  # a touch that missed lets nobody roll
    doer, source = getattr(cause.event, "combatant", None), getattr(fact.event, "source", None)
    act, target = getattr(cause.event, "action", None), getattr(fact.event, "target", None)
    return (source and doer and source != doer) or bool(act and act.targets and target and target not in act.targets)


def _facts(records: list[Recorded]) -> Facts:
    facts: Facts = {}

    def keep(state: State, fact: Occurrence[Any]) -> None:
        facts[fact.seq] = fact
        if isinstance(fact.event, AttackRolled) and (is_stated_miss(fact.event) or state.rules.idle(state, fact)):
            facts[-fact.seq] = fact

    replay(records, after=keep)
    return facts


def logs(key: str) -> Iterator[tuple[str, str, list[Recorded]]]:
    """Yield the fixtures and plays of a ruleset: which of the two, the name, the records."""
    whole = encounters(key)
    for play in stage(find(key)):
        yield "fixtures" if play in whole else "plays", f"{play.source}:{play.line}", records_of(play)


def recordings() -> Iterator[tuple[str, list[Recorded]]]:
    """Yield the recorded combats as logs, each with its name."""
    from encounterlog.places.stores import open_store

    for path in sorted(Path("fixtures", "recordings").glob("*.jsonl")):
        yield path.name, list(open_store(str(path)).read())


def accused(key: str, seed: int, *, every: bool, apart: bool = False) -> Iterator[str]:
    """Yield the false findings about a lawful fight once one cause in three, or every one, is removed.

    Its facts were appended together, or each by itself (`apart`), as they are at a table.
    """
    records = judging.records_of(key, lawful.lawful(key, seed))
    if apart:
        records = [structs.replace(each, batch=None) for each in records]
    known = {(one.rule, one.event) for one in audit(records).findings}
    for one in audit(bare(records, None if every else random.Random(seed))).findings:
        if (one.rule, one.event) not in known:
            yield f"event {one.event}: {one.rule}: {one.says}"


def main(words: list[str]) -> int:
    """Print the counts, and the faults; return 1 if there are any."""
    parser = ArgumentParser(prog="python -m tests.tools.causes", description=__doc__.split("\n", 1)[0])
    parser.add_argument("rulesets", nargs="*", metavar="RULESET", choices=[*RULESETS, []], default=[])
    parser.add_argument("--rounds", type=int, default=200, metavar="N", help="rounds of lawful play (200)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="other fights")
    parser.add_argument("--all", action="store_true", help="every false cause")
    asked = parser.parse_args(words)
    counts: Counter[str] = Counter()
    for key in asked.rulesets or RULESETS:
        for part in ("fixtures", "plays"):
            counts += _print(f"{key}, {part}", ((name, log) for of, name, log in logs(key) if of == part), asked.all)
    if not asked.rulesets:
        counts += _print("recordings", recordings(), asked.all)
    _line("all", counts)
    wrong = bool(counts[FALSE]) or 3 * counts[NONE] > sum(counts.values())
    for key in asked.rulesets or lawful.KEYS:
        wrong = (key in lawful.KEYS and _print_lawful(key, asked.rounds, asked.seed)) or wrong
    return int(wrong)


def _print(what: str, those: Iterable[tuple[str, list[Recorded]]], every: bool) -> Counter[str]:
    counts: Counter[str] = Counter()
    for name, records in those:
        for verdict, fact, found in verdicts(records):
            counts[verdict] += 1
            if verdict == FALSE or (every and verdict == OTHERWISE):
                sys.stdout.write(
                    f"{verdict}: {name}, record {fact.seq}: from {fact.cause}, implied {found}: {fact.event}\n"
                )
    _line(what, counts)
    return counts


def _line(what: str, counts: Counter[str]) -> None:
    sys.stdout.write(f"{what}: {', '.join(f'{counts[each]} {each}' for each in (RIGHT, NONE, FALSE, OTHERWISE))}\n")


def _print_lawful(key: str, rounds: int, seed: int) -> bool:
    """Print the false findings about lawful fights without causes; say whether there are any."""
    fights = -(-rounds // lawful.ROUNDS)
    for every, apart in product((False, True), repeat=2):
        for number in range(seed * fights, (seed + 1) * fights):
            if found := list(accused(key, number, every=every, apart=apart)):
                sys.stdout.write("".join(f"{key}, lawful {number}: {each}\n" for each in found))
                return True
    sys.stdout.write(
        f"{key}: {fights} lawful fights of {lawful.ROUNDS} rounds, without one cause in three, and without any, in one append and in many\n"
    )
    return False


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
