"""The differences between two moments of a log, two states of its knowledge, two logs, or a log and what might have been."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain, takewhile
from pathlib import Path
from typing import Any

from encounterlog.ask import AT, Answer, Argument, Kind, Question
from encounterlog.ask.show import describe_point
from encounterlog.errors import Refused
from encounterlog.log import correcting
from encounterlog.log.logs import LogView, name_log_in_errors
from encounterlog.words.facts import fact_sentence, record_in_words
from encounterlog.words.layout import clip, format_blocks, format_section, table, wrap
from encounterlog.words.naming import label_combatants, make_voice
from encounterlog.words.phrases import value_in_words
from eventstore.address import LogAddress, name_of
from eventstore.errors import Malformed
from projections.explaining.forks import Account, Differences, Fork, RowContent, find_differences
from projections.judging.audit import Finding
from projections.mechanics.acts import kind_and_name
from projections.time import Where

KNOWN_AT = re.compile(r"@([0-9]{1,15})")


def check_is_log(text: str) -> None:
    """Raise Refused for a point in the place of another log, unless there is a file of that name."""
    with suppress(Malformed):
        if not KNOWN_AT.fullmatch(text):
            Where.parse(text)
        if not Path(text).exists():
            raise _only_one(text)


def _only_one(point: str) -> Refused:
    return Refused("usage", f"{point} is one point, and two are compared", f"such as: encounter diff FILE {point} r2")


def compare_logs(one: LogAddress, other: LogAddress, *, secrets: bool = True) -> tuple[Answer, list[LogView]]:
    """Return in what two logs differ, with or without their secrets, and the logs; raise Refused if they have no common past."""
    logs = [LogView(each, secrets=secrets) for each in (one, other)]
    mine, yours = map(_make_account, logs)
    past = [{each.opening.encounter, (each.opening.forked_from or each.opening).encounter} for each in logs]
    if past[0].isdisjoint(past[1]):
        hint = "neither was forked from the other, nor both from the same log"
        raise Refused("usage", f"{one} and {other} have no common past", hint)
    titles, found = (name_of(one), name_of(other)), find_differences(mine, yours)

    def lines() -> Iterator[str]:
        pairs = zip(mine.records[1:], yours.records[1:], strict=False)
        common = 1 + sum(1 for _ in takewhile(lambda pair: pair[0].digest == pair[1].digest, pairs))
        if common > 1:
            yield f"records 2 to {common} are the same"
        for account, title in zip((mine, yours), titles, strict=True):
            after = [f"record {common + 1} of {title}: {record_in_words(one)}" for one in account.records[common:][:1]]
            yield clip(f"  {(*after, f'{title} ends with record {common}')[0]}")
        yield from format_differences(found, mine, yours, titles)

    return Answer(lambda: found, lines, not found.none), logs


def _make_account(log: LogView, where: Where | None = None) -> Account:
    with name_log_in_errors(log, where):
        return Account(log, where)


def format_differences(found: Differences, one: Account, other: Account, titles: tuple[str, str]) -> list[str]:
    """Return the page of the differences between two accounts, whose columns have these titles."""
    if found.none:
        return ["nothing is different"]
    called = label_combatants((who, each.name) for who, each in (one.state.combatants | other.state.combatants).items())
    values = [("", *titles, "")]
    for each in found.values:
        was, now = ("-" if item is None else clip(value_in_words(item), 28) for item in (each.before, each.after))
        values.append((each.address, was, now, f"from record {each.since}" if each.since else ""))
    cells = []  # two lines for each row of the timelines that differs: its text in the one, and in the other
    for row in found.rows:
        when = f"round {row.round}" if row.round else "before"
        cells.append((when, called.get(row.combatant, row.combatant), titles[0], _describe_row(row.before)))
        cells.append(("", "", titles[1], _describe_row(row.after)))
    name = make_voice(other.state, called)
    says = (f"{each.fact.seq}  {fact_sentence(each.fact.event, name)}: {each.why}" for each in found.senseless)
    senseless = (wrap(each, "      ", "  ") for each in says)
    return [
        *(table(values) if found.values else ["no value is different"]),
        *format_section("Timeline", chain.from_iterable(format_blocks(cells))),
        *format_section(f"Findings only in {titles[0]}", _finding_lines(found.gone)),
        *format_section(f"Findings only in {titles[1]}", _finding_lines(found.new)),
        *format_section("Facts that no longer make sense; they stand all the same", chain.from_iterable(senseless)),
    ]


def _finding_lines(found: Sequence[Finding]) -> Iterator[str]:
    for one in found:
        ruled = f", ruled by event {one.ruled}" if one.ruled else ""
        yield from wrap(f"event {one.event}: {one.rule} ({one.severity}{ruled}): {one.says}", "      ", "  ")


def _describe_row(row: RowContent | None) -> str:
    if row is None:
        return "-"
    places = (("phase", row.phase), ("segment", row.segment), ("second", row.second))
    at, act = ", ".join(f"{what} {number}" for what, number in places if number), kind_and_name(row.action, row.name)
    ends = row.due if row.status != "done" else row.until
    due = f" {'due' if row.status == 'begun' else 'until'} {describe_point(ends)}" if ends else ""
    return f"{at + ': ' if at else ''}{act + ' ' if act else ''}{row.status}{due}"


def _ask_diff(log: LogView, one: str, other: str | None = None) -> Answer:
    if other is None:
        raise _only_one(one)
    known = [(text, KNOWN_AT.fullmatch(text)) for text in (one, other)]
    logs = ((log.reread(int(at[1])), None) if at else (log.reread(), Where.parse(text)) for text, at in known)
    mine, yours = (_make_account(*each) for each in logs)
    found = find_differences(mine, yours)
    return Answer(lambda: found, lambda: format_differences(found, mine, yours, (one, other)), not found.none)


DIFF = Question(
    "diff", """Show in which values and findings two points of the log FILE differ, or two logs.

    A and B are points of time as for --at, or @SEQ: the log as it was when it ended with that record. The exit code
    is 1 if there is a difference.
    """,
    (
        Argument("a", "one", Kind.TEXT, "A point, or @SEQ.", "A|OTHER", positional=True, needed=True, most=200),
        Argument("b", "other", Kind.TEXT, "A point, or @SEQ.", "[B]", positional=True, needed=True, command_asks=True, most=200),
    ),
    _ask_diff, "projections.explaining.forks:Differences",
    "encounter diff ford.jsonl r1 r2        two moments\n"
    "encounter diff ford.jsonl @12 @20      what the log knew after records 12 and 20\n"
    "encounter diff ford.jsonl other.jsonl  two logs with a common past",
    has_as_of=False,
)  # fmt: skip


def _ask_whatif(log: LogView, where: Where | None = None, **facts: Sequence[Any]) -> Answer:
    strikes, amends, inserts, chosen = (facts.get(each, ()) for each in ("strikes", "amends", "inserts", "chosen"))
    return fork_differences(log, correcting.make_fork(log, strikes, amends, inserts, tuple(chosen))[0], where)


def fork_differences(log: LogView, fork: Fork, where: Where | None) -> Answer:
    """Return what is different in a fork."""
    as_it_is, other, found = correcting.diff_with_fork(log, fork, where)
    return Answer(lambda: found, lambda: format_differences(found, as_it_is, other, ("as it is", "what if")))


WHATIF = Question(
    "whatif", """Show the values and findings of the log FILE that would differ, and from which record on.

    Nothing is written to FILE. Facts that no longer make sense are listed, never dropped. --save writes the fork as a log
    of its own, which names the log that it was forked from.
    """,
    (
        Argument("strike", "strikes", Kind.NUMBERS, "Without record N.", "N"),
        Argument("amend", "amends", Kind.FACTS, "With this fact, these fields of it or FIELD=VALUE, in place of record N.", "N EVENT"),
        Argument("insert_after", "inserts", Kind.FACTS, "With this fact after record N.", "N EVENT"),
        Argument("option", "chosen", Kind.TEXTS, "In another reading of the rules.", "NAME=VALUE"),
        AT,
    ),
    _ask_whatif, "projections.explaining.forks:Differences",
    "encounter whatif ford.jsonl --strike 19\nencounter whatif ford.jsonl --amend 19 amount=1\n"
    'encounter whatif ford.jsonl --amend 19 \'{"amount": 1, "target": "bo"}\'\n'
    "encounter whatif ford.jsonl --option missile-initiative=win-only --save other.jsonl",
)  # fmt: skip
