"""Every fact that touched a value, with its running values, who wrote it, and the dice."""

from collections.abc import Iterator

from encounterlog.ask import AT, Answer, Argument, Kind, Question, addressing
from encounterlog.log.logs import LogView, name_log_in_errors
from encounterlog.words.facts import fact_sentence
from encounterlog.words.layout import HANG, alarm, fill, heading, joined, wrap
from encounterlog.words.naming import make_voice
from encounterlog.words.phrases import Name, listed_briefly, value_with_names, word_with_text
from projections.explaining.blame import Blame, Touch, find_touches
from projections.state import State
from projections.time import Where


def _format_blame(found: Blame, state: State) -> Iterator[str]:
    name = make_voice(state)
    now = "gone" if found.value is None else value_with_names(found.value, name)
    yield joined([heading(found.address), f" is {now}"])
    for each in found.touches:
        corrections = [alarm(words)] if (words := describe_corrections(each)) else []
        yield from fill([describe_effect(each, name), *corrections], f"{each.seq:>5}    ", HANG)
        yield from wrap(fact_sentence(each.event, name), f"{HANG}   ", f"{HANG} ")
        behind = [(f"from {cause.seq}", cause.event) for cause in each.causes[-4:]]
        behind += [(f"rolled nearby, {roll.seq}", roll.event) for roll in each.nearby]
        for what, event in behind:
            yield from wrap(f"{what}: {fact_sentence(event, name)}", f"{HANG}      ", f"{HANG}   ")
        if each.implied or each.uncaused:
            yield f"{HANG}   {'this cause is implied' if each.implied else 'no cause was recorded'}"


def describe_effect(each: Touch, name: Name) -> str:
    """Return a fact's effect on a value, with its writer; a value that stays as it is is confirmed."""
    before, after = ("none" if one is None else value_with_names(one, name) for one in (each.before, each.after))
    change = after if each.before is None else f"{before} -> {after}"
    change = f"still {after}" if each.before == each.after else change
    line = f"line {each.line}" if each.line != each.seq and not each.became else ""
    source = f"from {each.source} of the source" if each.source else ""
    return listed_briefly((f"{change}{word_with_text('by', each.by)}", line, source))


def describe_corrections(each: Touch) -> str:
    """Return which corrections struck or amended a fact, if any."""
    before = f"amended by {each.line}, " if each.line != each.seq else ""
    return f"{before}{each.became} by {each.by_record}" if each.became else ""


def ask(log: LogView, address: str, where: Where | None = None) -> Answer:
    """Return every fact that touched a value up to a point; raise Refused if it never had one."""
    with name_log_in_errors(log, where):
        found, done = find_touches(log, address, where)
        if found is None and (meant := addressing.address_of(done.state, address)) != address:
            found, done = find_touches(log, meant, where)
    if found is None:
        raise log.problem or addressing.unknown_address(done.state, address)  # it may lie behind the fault
    return Answer(lambda: found, lambda: _format_blame(found, done.state))


BLAME = Question(
    "blame", """List every fact of the log FILE that touched the value at ADDRESS, with its running values and writers.

    Below a fact are the acts and the dice that caused it. A struck or amended fact is listed with its first effect;
    one that was amended before it was struck also with its effect as amended.
    """,
    (Argument("address", "address", Kind.WORDS, "The address of the value, such as ana.hp.", positional=True, needed=True), AT),
    ask, "projections.explaining.blame:Blame",
    "encounter blame ford.jsonl ana.hp",
)  # fmt: skip
