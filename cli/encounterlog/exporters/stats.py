"""Who dealt, took and healed how much, with what, and how the dice are spread: the question `stats`, over what is exported as a table."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from msgspec import UNSET, Struct, UnsetType

from encounterlog.ask.dice import format_spreads
from encounterlog.ask.question import Answer, Argument, Kind, Question
from encounterlog.errors import Refused
from encounterlog.exporters import exporting
from encounterlog.exporters.session import Session, Wanted
from encounterlog.log.logs import LogView
from encounterlog.words.layout import count_noun, format_numbers, heading, table, wrap
from encounterlog.words.naming import label_combatants
from eventstore.copying import Copy
from eventstore.record import Recorded
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
    wanted = Wanted(exporting.parse_rounds(number))
    whole = Copy(log, log.path)

    def sums() -> tuple[Tally, ...]:
        return Session(whole, wanted).statistics()

    def data() -> Counted:
        return Counted(sums(), _spreads_of_dice(whole) if dice else UNSET)

    def lines() -> list[str]:
        if not dice:
            return format_statistics(sums())
        names = {who: one.name for who, one in replay(whole).state.combatants.items()}
        return list(format_spreads(_spreads_of_dice(whole), names))

    return Answer(data, lines)


def _spreads_of_dice(records: Iterable[Recorded]) -> tuple[Spread, ...]:
    return count_spreads(dice_of(records).throws)


COLUMNS = ("", "dealt", "took", "healed", "regained", "actions", "attacks", "at the end")


def format_statistics(tallies: Iterable[Tally]) -> list[str]:
    """Return the page."""
    found: dict[str, list[Tally]] = {}
    for one in tallies:
        found.setdefault(one.combatant, []).append(one)
    called = label_combatants((who, rounds[-1].name) for who, rounds in found.items())
    counted = sorted({one.round for rounds in found.values() for one in rounds})
    return [
        heading(_describe_rounds(counted)),
        *table([COLUMNS, *(_combatant_row(called[who], rounds) for who, rounds in found.items())]),
        *(line for who, rounds in found.items() for line in _describe_means(called, who, rounds)),
    ]


def _describe_rounds(counted: list[int]) -> str:
    """Return the rounds of the page in words; 0 is the time before the first, and no round."""
    if counted == [0]:
        return "before the first round"
    rounds = [number for number in counted if number]
    said = f"{count_noun(len(rounds), 'round')}: {format_numbers(rounds) or 'none'}"
    return f"{said}, and before the first" if 0 in counted else said


def _combatant_row(name: str, rounds: list[Tally]) -> tuple[object, ...]:
    sums = (
        sum(getattr(one, field) for one in rounds)
        for field in ("dealt", "took", "healed", "regained", "actions", "attacks")
    )
    last = rounds[-1]
    points = "" if last.hp is None else f"{last.hp} of {last.hp_max} hp" if last.hp_max is not None else f"{last.hp} hp"
    return (name, *sums, f"{points}, {last.status}" if points else last.status)


def _describe_means(called: Mapping[str, str], who: str, rounds: list[Tally]) -> Iterator[str]:
    """Yield the things with which a combatant dealt and healed, and the sources of its losses."""
    dealt = _add_up_counts(one.dealt_with for one in rounds)
    healed = _add_up_counts(one.healed_with for one in rounds)
    sources = _add_up_counts(one.took_from for one in rounds)
    took = {called.get(source, source): amount for source, amount in sources.items()}
    sums = (("dealt", "with", dealt), ("took", "from", took), ("healed", "with", healed))
    if parts := [said for did, by, each in sums if (said := _describe_sums(did, by, each))]:
        yield from wrap(f"{called[who]} {'; '.join(parts)}", "    ", first="  ")


def _describe_sums(did: str, by: str, sums: Mapping[str, int]) -> str:
    counted = {what: amount for what, amount in sums.items() if amount}
    alone = "" if len(counted) == 1 else " otherwise"
    said = ", ".join(f"{amount} {by} {what}" if what else f"{amount}{alone}" for what, amount in counted.items())
    return f"{did} {said}" if said else ""


def _add_up_counts(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total = Counter[str]()
    for each in counts:
        total.update(each)
    return dict(total.most_common())


STATS = Question(
    "stats",
    """Print who dealt, took and healed how much in the encounter of the log FILE, and with what.

    It counts the points by which hit points, temporary points and non-lethal damage really changed. With --json
    there is one row for each round and combatant, as in encounter export csv --table rounds.

    With --dice there is a line for each die of a combatant, by level: proven or bound, if it was drawn from a chain (encounter dice), else
    typed. A chi-squared test says how often fair dice are spread at least as unevenly; it needs five throws for each face.
    """,
    (
        Argument("round", "number", Kind.TEXT, "Only this round, or these; 0 is the time before the first.", "N|N-M", most=20),
        Argument("dice", "dice", Kind.FLAG, "Show instead how the faces of all dice are spread, and their origin."),
    ),
    ask,
    "encounterlog.exporters.stats:Counted",
    "encounter stats ford.jsonl\n\nencounter stats ford.jsonl --round 2-3 --json",
    has_as_of=False,
    shows="counting",
)  # fmt: skip
