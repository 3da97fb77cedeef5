"""The page of `encounter stats`: a line for each combatant, of all its rounds together, and one for the things it used."""

from collections.abc import Iterable, Iterator, Mapping

from encounterlog.text.layout import count, heading, table, wrap
from encounterlog.text.naming import labels
from projections.views.statistics import Tally

COLUMNS = ("", "dealt", "took", "healed", "regained", "actions", "attacks", "at the end")


def page(tallies: Iterable[Tally]) -> list[str]:
    """Return the page."""
    found: dict[str, list[Tally]] = {}
    for one in tallies:
        found.setdefault(one.combatant, []).append(one)
    called = labels((who, rounds[-1].name) for who, rounds in found.items())
    numbers = sorted({one.round for rounds in found.values() for one in rounds})
    return [
        heading(_rounds(numbers)),
        *table([COLUMNS, *(_row(called[who], rounds) for who, rounds in found.items())]),
        *(line for who, rounds in found.items() for line in _with(called, who, rounds)),
    ]


def _rounds(numbers: list[int]) -> str:
    """Return the rounds of the page in words; 0 is the time before the first, and no round."""
    if numbers == [0]:
        return "before the first round"
    rounds = [number for number in numbers if number]
    said = f"{count(len(rounds), 'round')}: {', '.join(map(str, rounds)) or 'none'}"
    return f"{said}, and before the first" if 0 in numbers else said


def _row(name: str, rounds: list[Tally]) -> tuple[object, ...]:
    sums = (
        sum(getattr(one, field) for one in rounds)
        for field in ("dealt", "took", "healed", "regained", "actions", "attacks")
    )
    last = rounds[-1]
    points = "" if last.hp is None else f"{last.hp} of {last.hp_max} hp" if last.hp_max is not None else f"{last.hp} hp"
    return (name, *sums, f"{points}, {last.status}" if points else last.status)


def _with(called: Mapping[str, str], who: str, rounds: list[Tally]) -> Iterator[str]:
    """Yield the things with which a combatant dealt and healed, and the sources of its losses."""
    dealt = _sums(one.dealt_with for one in rounds)
    healed = _sums(one.healed_with for one in rounds)
    took = {called.get(source, source): amount for source, amount in _sums(one.took_from for one in rounds).items()}
    parts = [_listed("dealt", "with", dealt), _listed("took", "from", took), _listed("healed", "with", healed)]
    if any(parts):
        yield from wrap(f"{called[who]} {'; '.join(filter(None, parts))}", "    ", first="  ")


def _listed(did: str, by: str, sums: Mapping[str, int]) -> str:
    counted = {what: amount for what, amount in sums.items() if amount}
    alone = "" if len(counted) == 1 else " otherwise"
    said = ", ".join(f"{amount} {by} {what}" if what else f"{amount}{alone}" for what, amount in counted.items())
    return f"{did} {said}" if said else ""


def _sums(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for each in counts:
        for what, amount in each.items():
            found[what] = found.get(what, 0) + amount
    return dict(sorted(found.items(), key=lambda one: -one[1]))
