"""Who dealt, took and healed how much, with what, and how the dice are spread: the question `stats`, over what is exported as a table."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from msgspec import UNSET, Struct, UnsetType

from encounterlog.ask import Answer, Argument, Kind, Question
from encounterlog.ask.dice import format_spreads
from encounterlog.errors import Refused
from encounterlog.exporters import exporting
from encounterlog.exporters.session import Session, Wanted
from encounterlog.log.logs import LogView
from encounterlog.words.layout import count_noun, format_numbers, heading, table, wrap
from encounterlog.words.naming import label_combatants
from eventstore.copying import Copy
from projections.explaining.dice_statistics import Spread, count_spreads
from projections.explaining.fairness import check_fairness as dice_of
from projections.replay.replay import replay
from projections.views.statistics import Tally


class Counted(Struct, frozen=True):
    """The output of `encounter stats --json`: a row for each round and combatant; with --dice also one for each die and level of a combatant."""

    statistics: tuple[Tally, ...]
    dice: tuple[Spread, ...] | UnsetType = UNSET


def ask(log: LogView, number: str | None = None, dice: bool = False) -> Answer:
    """Return the sums of the rounds that are wanted, N or N-M, or of all; with `dice` how their faces are spread.

    Raises Refused, and what is wrong with the log.
    """
    if dice and number is not None:
        raise Refused("usage", "--dice and --round do not go together", "--dice is of the whole log")
    wanted, whole = Wanted(exporting.parse_rounds(number)), Copy(log, log.path)

    def sums() -> tuple[Tally, ...]:
        return Session(whole, wanted).statistics()

    def spreads() -> tuple[Spread, ...]:
        return count_spreads(dice_of(whole).throws)

    def lines() -> list[str]:
        if not dice:
            return format_statistics(sums())
        names = {who: one.name for who, one in replay(whole).state.combatants.items()}
        return list(format_spreads(spreads(), names))

    return Answer(lambda: Counted(sums(), spreads() if dice else UNSET), lines)


SUMS = ("dealt", "took", "healed", "regained", "actions", "attacks")


def format_statistics(tallies: Iterable[Tally]) -> list[str]:
    """Return the page."""
    found: dict[str, list[Tally]] = {}
    for one in tallies:
        found.setdefault(one.combatant, []).append(one)
    called = label_combatants((who, rounds[-1].name) for who, rounds in found.items())
    rows = [("", *SUMS, "at the end")]
    for who, rounds in found.items():
        last = rounds[-1]
        most = f" of {last.hp_max}" if last.hp_max is not None else ""
        stands = last.status if last.hp is None else f"{last.hp}{most} hp, {last.status}"
        rows.append((called[who], *(sum(getattr(one, field) for one in rounds) for field in SUMS), stands))
    counted = sorted({one.round for rounds in found.values() for one in rounds})
    means = (line for who, rounds in found.items() for line in _describe_means(called, who, rounds))
    return [heading(_describe_rounds(counted)), *table(rows), *means]


def _describe_rounds(counted: list[int]) -> str:
    if counted == [0]:
        return "before the first round"
    rounds = [number for number in counted if number]
    said = f"{count_noun(len(rounds), 'round')}: {format_numbers(rounds) or 'none'}"
    return f"{said}, and before the first" if 0 in counted else said


def _describe_means(called: Mapping[str, str], who: str, rounds: list[Tally]) -> Iterator[str]:
    parts = []
    for did, by in (("dealt", "with"), ("took", "from"), ("healed", "with")):
        total = Counter[str]()
        for each in rounds:
            total.update(getattr(each, f"{did}_{by}"))
        named = {called.get(what, what) if did == "took" else what: amount for what, amount in total.most_common()}
        sums = {what: amount for what, amount in named.items() if amount}
        alone = "" if len(sums) == 1 else " otherwise"
        said = ", ".join(f"{amount} {by} {what}" if what else f"{amount}{alone}" for what, amount in sums.items())
        parts += [f"{did} {said}"] if said else []
    if parts:
        yield from wrap(f"{called[who]} {'; '.join(parts)}", "    ", first="  ")


STATS = Question(
    "stats", """Print who dealt, took and healed how much in the encounter of the log FILE, and with what.

    It counts the points by which hit points, temporary points and non-lethal damage really changed. With --json
    there is one row for each round and combatant, as in encounter export csv --table rounds.

    With --dice there is a line for each die of a combatant, by level: proven or bound, if it was drawn from a chain (encounter dice), else
    typed. A chi-squared test says how often fair dice are spread at least as unevenly; it needs five throws for each face.
    """,
    (Argument("round", "number", Kind.TEXT, "Only this round, or these; 0 is the time before the first.", "N|N-M", most=20),
     Argument("dice", "dice", Kind.FLAG, "Show instead how the faces of all dice are spread, and their origin.")),
    ask, "encounterlog.exporters.stats:Counted",
    "encounter stats ford.jsonl\n\nencounter stats ford.jsonl --round 2-3 --json",
    has_as_of=False, shows="counting",
)  # fmt: skip
