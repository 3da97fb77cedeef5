"""Steps run in phases, and inside a phase their order has no meaning; that of checks of one rank has none either."""

from collections.abc import Callable
from typing import Any, get_args

import pytest

from projections.replay.replay import COMMON
from projections.ruleset.phases import PHASES, PLACES, USUAL, Phase
from projections.ruleset.ruleset import Derivation, derives
from projections.rulesets import RULESETS, find
from tests.projections.blow import PICTURE, picture
from tests.projections.phases import SEEDS, stays_the_same
from tests.projections.stage import one_in, stage

FEW = 60
"""Of so many plays the first tier takes one."""
IN_TURN = 8
"""Of so many plays the second tier takes one, another at each turn."""


def test_there_are_at_most_eight_phases_and_each_is_described() -> None:
    assert tuple(PHASES) == get_args(Phase) == tuple(PLACES)
    assert list(PLACES.values()) == [*range(len(PHASES))]
    assert len(PHASES) <= 8
    assert USUAL in PHASES


def test_the_page_about_phases_has_them_all_with_the_tables_picture() -> None:
    page = (PICTURE.parents[1] / "explanation" / "phases.md").read_text("utf-8")
    assert "\n".join(f"| `{phase}` | {says} |" for phase, says in PHASES.items()) in page
    assert PICTURE.name in page
    assert PICTURE.read_text("utf-8") == picture()


@pytest.mark.parametrize("key", RULESETS)
def test_steps_stand_in_their_tables_phase_by_phase(key: str) -> None:
    rules = find(key)
    tables = (*COMMON.values(), *rules.steps.values(), *rules.boundaries.values())
    places = [[PLACES[step.phase] for step in steps] for steps in tables]
    assert places == [sorted(each) for each in places]


def test_each_phase_is_the_one_of_some_step() -> None:
    steps: list[Derivation[..., Any]] = []
    for key in RULESETS:
        steps += [step for steps in find(key).steps.values() for step in steps]
    assert {step.phase for step in steps} == set(PHASES)


def test_a_step_that_names_no_phase_is_of_the_usual_one() -> None:
    @derives()
    def nothing() -> None:
        """Do nothing."""

    assert nothing.phase == USUAL


@pytest.mark.parametrize("key", RULESETS)
def test_in_some_plays_nothing_changes_if_the_order_inside_the_phases_does(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stays_the_same(one_in(FEW, stage(find(key))), key, SEEDS[:1], monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("key", RULESETS)
def test_nothing_changes_if_the_order_inside_the_phases_does(
    key: str, whole: bool, turn: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    plays = stage(find(key))
    stays_the_same(
        list(plays) if whole else one_in(IN_TURN, plays, turn), key, SEEDS if whole else SEEDS[:1], monkeypatch
    )


def test_an_order_that_has_a_meaning_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps of two phases that are put into one: some play comes to something else."""
    rules = find("osric")
    both = {"reading": USUAL}
    flatten(monkeypatch, rules.steps, lambda step: both.get(step.phase, step.phase))
    plays = [play for play in stage(rules) if play.source == "initiative.enc" and "missile-dexterity" in play.title]
    with pytest.raises(AssertionError, match=r"initiative\.enc"):
        stays_the_same(plays, "osric", (*range(8),), monkeypatch)


def flatten(patch: pytest.MonkeyPatch, steps: Any, phase_of: Callable[[Derivation[..., Any]], str]) -> None:
    for step in {id(step): step for those in steps.values() for step in those}.values():
        patch.setattr(step, "phase", phase_of(step))
