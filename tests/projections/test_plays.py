"""The plays of every script, of the rulebooks and of the fixtures: one test a script, which reports every line that fails.

A play comes out as it expects, as its golden page says, the same in capitals, and with reasons that exist; the second tier holds
it to what every ruleset keeps to, whatever its game. A ruleset of another distribution that is installed beside this one is found
by its entry point and held to the same; its plays are those of its rulebook.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from eventstore.events import Correction
from eventstore.record import Draft, Recorded
from projections.because import Reason
from projections.folds.addresses import value_of
from projections.folds.objections import find_objection
from projections.folds.order import names_in_order, order_of
from projections.judging import book
from projections.judging.refusals import find_refusals
from projections.occurrence import Occurrence
from projections.proving.formatting import format_script
from projections.proving.plays import Play
from projections.proving.proof import records_of, replays_after
from projections.replay.replay import advance, replay
from projections.rulesets import RULESETS, find
from projections.state import State
from projections.stream.corrections import corrected_facts, corrections_of
from projections.stream.placing import place_in_time
from projections.views.view import Show, show
from tests.projections.capitals import comes_to_the_same_in_capitals
from tests.projections.facts_of_fixtures import KEPT, lines
from tests.projections.golden import FOLDER, differences, kept, title
from tests.projections.stage import FIXTURES, Script, encounters, every_script, one_in, played, scripts

CAPITALS, PLAYS, RECORDS = 15, 48, 96
"""Of so many plays in capitals, other plays, or records of a play, one is in the sample."""
IN_JSON = re.compile(r"^(secret )?(\d+ )?\{(?!.*\"dropped\")", re.MULTILINE)
"""A fact in JSON, but for dice: a table marks by itself which of them are dropped, and so never the wrong one."""
FIELDS = ("hp", "temp", "nld", "status", "conditions", "effects", "casting", "concentration")


@every_script()
def test_every_play_of_a_script_comes_out_as_it_says_for_real_reasons(plays: Script, whole: bool) -> None:
    wrong = [f"{play.source}, line {each.line}: {each.says}" for play in plays for each in played(play).failures]
    wrong += (line for play in plays for line in differences(play))
    for play in one_in(CAPITALS, plays):
        if plays.key in RULESETS and not comes_to_the_same_in_capitals(records_of(play)):
            wrong.append(f"{place(play)} comes to something else in capitals")
    for play, cut, state in states(plays, 1 if whole else RECORDS):
        wrong += (f"{place(play)}, at {cut}: {each}" for each in _reasons_that_do_not_exist(play, cut, state))
    assert not wrong, "\n".join(wrong)


@pytest.mark.in_turn(4)
@pytest.mark.slow
@every_script()
def test_every_play_of_a_script_keeps_to_what_holds_of_every_game(plays: Script, whole: bool) -> None:
    wrong: list[str] = []
    for play in one_in(1 if whole else PLAYS, plays):
        wrong += (f"{place(play)}: {each}" for each in _continued_otherwise(play))
    for play in one_in(1 if whole else PLAYS // 12, plays):
        wrong += (f"{place(play)}: a round follows from {each}" for each in _opening_rounds(play))
    for play, cut, state in states(plays, 1 if whole else RECORDS):
        wrong += (f"{place(play)}, at {cut}: {each}" for each in _wrong_in_the_order(state))
    for play in plays:
        wrong += (f"{place(play)}: {each}" for each in _wrong_findings(play))
    for play in one_in(1 if whole else 2, plays):
        if not _can_be_appended(play):
            wrong.append(f"{place(play)}: its facts cannot be appended")
    assert not wrong, "\n".join(wrong)


def place(play: Play) -> str:
    """Return where a play stands."""
    return f"{play.source}, line {play.line}"


def states(plays: Script, each: int) -> Iterator[tuple[Play, int, State]]:
    """Yield the states of plays after one in so many of their records, and how many these are; each goes on in place."""
    for play in plays:
        records = records_of(play)
        cuts = one_in(each, range(1, len(records) + 1), play.line)
        yield from ((play, cut, done.state) for cut, done in zip(cuts, replays_after(records, cuts), strict=True))


# ---------------------------------------------------------------- reasons


def _reasons_that_do_not_exist(play: Play, cut: int, state: State) -> Iterator[str]:
    rules, options = rules_known(play), {option.name for option in state.rules.catalogue().option}
    for what, because in reasons(state, show(state)):
        if not (because.rules and set(because.rules) <= rules):
            yield f"the rules behind {what} are {because.rules}"
        if not (because.events and all(1 <= seq <= cut for seq in because.events)):
            yield f"the events behind {what} are {because.events}"
        if not set(because.options) <= options:
            yield f"the options behind {what} are {because.options}"


def rules_known(play: Play) -> set[str]:
    """Return the ids of the rules of a play's ruleset and of every log."""
    return {clause.id for clause in (*find(play.ruleset).catalogue().rule, *book.catalogue().rule)}


def reasons(state: State, view: Show) -> Iterator[tuple[str, Reason]]:
    """Yield what a view derives, and why."""
    yield "the clock", view.clock.because
    yield from ((f"the place of {', '.join(slot.combatants)}", slot.because) for slot in view.order)
    yield from ((f"the row of {row.combatant}, {row.status}", row.because) for row in view.timeline)
    for who, one in view.combatants.items():
        why = one.because
        yield f"{who}.hp", why.hp
        yield f"{who}.nld", why.nld
        yield f"{who}.status", why.status
        yield f"{who}.concentration", why.concentration
        yield from ((f"{who}.effects.{effect.name}", effect.because) for effect in one.effects)
        yield from (
            (f"{who}.{field}", stated.because) for field in FIELDS if (stated := value_of(state, f"{who}.{field}"))
        )


def _wrong_findings(play: Play) -> Iterator[str]:
    rules, last = rules_known(play), len(records_of(play))
    for finding in played(play).findings:
        if finding.rule not in rules:
            yield f"there is no rule {finding.rule}"
        if not finding.says or not finding.because:
            yield f"{finding.rule} at {finding.event} has no words or no reason"
        if finding.expected == finding.found != "" or "None" in finding.says.split():
            yield f"{finding.rule} at {finding.event} does not say what differs"
        if finding.expected.isdecimal() and "is stated as" not in finding.says:
            yield f"{finding.rule} at {finding.event} gives a number without its unit"
        if not all(1 <= seq <= last for seq in (finding.event, *finding.because)):
            yield f"{finding.rule} at {finding.event} names records that do not exist"


# ---------------------------------------------------------------- the clock, the order, what can be appended


def _continued_otherwise(play: Play) -> Iterator[str]:
    """Say where a prefix and then the rest comes to something else than all."""
    records = records_of(play)
    if any(isinstance(record.event, Correction) for record in records):
        return  # a correction changes what came before it
    all_told = show(replay(records).state)
    for cut in sorted({1, len(records) // 2, len(records) - 1} - {0}):
        state = replay(records[:cut]).state
        _continue_with(state, records, cut)
        if show(state) != all_told:
            yield f"continued after record {cut} it comes to something else"


def _continue_with(state: State, records: list[Recorded], cut: int) -> None:
    """Let the facts after a record take hold, one by one."""
    for told, _ in corrected_facts(records, corrections_of(records)):
        if told.seq > cut:
            _take_in(state, place_in_time(state, told))


def _take_in(state: State, told: Occurrence[Any]) -> None:
    if why := find_objection(state, told.event):
        state.refused.append((told, *why))
    else:
        advance(state, told)


def _opening_rounds(play: Play) -> set[str]:
    """Return the types of facts that open a round, though no round follows from them."""
    wrong = set[str]()

    def observe_fact(state: State, fact: Occurrence[Any]) -> None:
        schedule = state.rules.schedule
        opens = any(boundary.kind == "round opened" for boundary in schedule.crossed(state, fact))
        if opens and not isinstance(fact.event, schedule.rounds_from or ()):
            wrong.add(type(fact.event).__name__)

    replay(records_of(play), before=observe_fact)
    return wrong


def _wrong_in_the_order(state: State) -> Iterator[str]:
    order = order_of(state)
    placed = Counter(
        (slot.phase, slot.segment if slot.phase or not state.clock.point.round else None, who)
        for slot in order
        for who in slot.combatants
    )
    yield from (f"{who} is placed twice" for (_, _, who), times in placed.items() if times > 1)
    absent = {who for *_, who in placed} - {one.id for one in state.here()}
    yield from (f"{who} is placed, and not here" for who in sorted(absent))
    if names_in_order(state) != [list(slot.combatants) for slot in order]:
        yield "the names alone are in another order"


def _can_be_appended(play: Play) -> bool:
    """Say whether the facts of a play can be appended, whatever rule they break."""
    first, *rest = records_of(play)
    drafts = tuple(Draft(record.event) for record in rest if record.event is not None)
    return not find_refusals(replay([first]).state, drafts, 1)


# ---------------------------------------------------------------- what is kept of all of them


def test_the_fixtures_state_the_facts_that_they_stated_in_json() -> None:
    assert [*lines()] == KEPT.read_text("utf-8").splitlines()


def test_no_fact_of_a_fixture_is_json_except_dice_with_the_wrong_one_kept() -> None:
    assert [path.name for path in scripts() if IN_JSON.search(path.read_text("utf-8"))] == []


@pytest.mark.slow
def test_every_page_is_that_of_a_whole_encounter() -> None:
    pages = {line for path in FOLDER.rglob("*.txt") for line in kept(path)}
    assert {f"== {title(play)}" for key in RULESETS for play in encounters(key)} == pages


@pytest.mark.slow
def test_fixtures_are_in_the_order_that_fmt_gives_them(whole: bool) -> None:
    texts = {path.relative_to(FIXTURES): path.read_text("utf-8") for path in one_in(1 if whole else 8, scripts())}
    assert [path for path, text in texts.items() if format_script(text, path.name) != text] == []
