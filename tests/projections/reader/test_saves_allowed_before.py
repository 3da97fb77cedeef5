"""A save that an act before the line allows is answered in few words, and rests on that act."""

import pytest

from eventstore.events import DamageDealt, SaveRolled
from projections.grammar.table import Table
from projections.reader.decision import decide
from tests.projections.reader.test_by_meaning_alone import fight, meant

BITE = "gob bites ana: 21 to hit, 7 piercing, she must make a DC 11 str save"


def bitten() -> Table:
    return fight("5e", "t gob", BITE)


@pytest.mark.parametrize(
    ("line", "die", "succeeded"),
    [("ana rolled 8", 8, None), ("ana got a 14", 14, None), ("ana fails", None, False), ("ana makes it", None, True)],
)
def test_whoever_an_act_allows_a_save_answers_it(line: str, die: int | None, succeeded: bool | None) -> None:
    (save,) = meant(bitten(), line)
    assert isinstance(save, SaveRolled)
    assert (save.combatant, save.save, save.die, save.succeeded) == ("ana", "str", die, succeeded)
    assert save.cause is not None
    assert save.cause < 0


def test_what_is_told_behind_the_save_rests_on_the_act_that_allowed_it() -> None:
    save, damage = meant(bitten(), "ana fails and takes 5")
    assert isinstance(damage, DamageDealt)
    assert damage.cause == save.cause - 1  # type: ignore[attr-defined]


@pytest.mark.parametrize("line", ["bo rolled 8", "ana rolled 8 and 9", "ana rolls over"])
def test_nobody_else_and_nothing_else_is_a_save(line: str) -> None:
    meaning = decide(bitten().context, line).meaning
    assert meaning is None or not any(isinstance(each, SaveRolled) for each in meaning.facts)


def test_a_save_is_answered_once() -> None:
    at = bitten()
    at.hear("ana rolled 8")
    assert decide(at.context, "ana rolled 9").meaning is None


@pytest.mark.parametrize(
    ("line", "succeeded"),
    [("ana casts fireball on gob, fails, 28 fire", False), ("ana casts sacred flame on gob, saves", True)],
)
def test_a_lone_outcome_behind_a_spell_at_somebody_is_their_save(line: str, succeeded: bool) -> None:
    saves = [each for each in meant(fight("5e"), line) if isinstance(each, SaveRolled)]
    assert [(each.combatant, each.succeeded) for each in saves] == [("gob", succeeded)]


def test_a_lone_failure_at_the_end_may_be_that_of_the_spell() -> None:
    found = decide(fight("5e").context, "ana casts bane on gob, fails")
    assert found.meaning is None
    assert found.offers
