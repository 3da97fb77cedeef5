"""Who does a thing and whom it befalls, by the grammar of a line: relative clauses, the passive voice, one subject behind the other."""

import pytest

from eventstore.events import (
    AttackRolled,
    CombatantLeft,
    ConditionGained,
    DamageDealt,
    Healed,
    RulingMade,
    SaveRolled,
    SurpriseSettled,
)
from projections.grammar.tokens import NotUnderstood
from projections.reader.decision import Decision, decide
from tests.projections.grammar.test_line_context import heard
from tests.projections.test_grammar import table

PEOPLE = (
    "join cid party hp=40",
    "join ana party hp=30",
    "join bo party hp=30",
    "join gob foes hp=40",
    "join orc foes hp=40",
    "r",
)
GAMES = ("5e", "osric", "plain")


def found(key: str, line: str, *before: str) -> Decision:
    return decide(heard(table(key, *PEOPLE), *before).context, line)


def is_asked(key: str, line: str) -> bool:
    """Say whether a line is not recorded at once."""
    try:
        heard(table(key, *PEOPLE), line)
    except NotUnderstood:
        return True
    return False


def blows(key: str, line: str) -> list[tuple[str, str | None]]:
    """Return who attacks whom by a line that is recorded."""
    meaning = found(key, line).meaning
    assert meaning is not None
    return [(fact.combatant, fact.target) for fact in meaning.facts if isinstance(fact, AttackRolled)]


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize(
    ("line", "others"),
    [
        ("ana hits gob for 5, who hits her for 4", ("gob", "ana")),
        ("ana hits gob for 5 who hits bo for 4", ("gob", "bo")),
        ("ana hits gob for 5, who then hits her back for 4", ("gob", "ana")),
        ("ana misses gob, who hits her for 4", ("gob", "ana")),
    ],
)
def test_who_is_whoever_was_named_last_and_strikes(key: str, line: str, others: tuple[str, str]) -> None:
    assert blows(key, line) == [("ana", "gob"), others]


@pytest.mark.parametrize("key", GAMES)
def test_who_saves_is_the_target_of_the_spell(key: str) -> None:
    for line in ("cid casts hold person on gob, who saves", "cid casts web on gob, who makes his save"):
        meaning = found(key, line).meaning
        assert meaning is not None
        saves = [(fact.combatant, fact.succeeded) for fact in meaning.facts if isinstance(fact, SaveRolled)]
        assert saves == [("gob", True)]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("ana hits the orc, who falls", RulingMade),
        ("ana hits the orc for 7, who then flees", CombatantLeft),
        ("ana hits the orc for 5, who is now prone", ConditionGained),
        ("ana shoots the orc, 17, who takes 5", DamageDealt),
    ],
)
def test_who_is_told_of_is_whoever_was_struck(line: str, kind: type) -> None:
    meaning = found("5e", line).meaning
    assert meaning is not None
    last = meaning.facts[-1]
    assert isinstance(last, kind)
    assert "orc" in str(last)


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize(
    "line", ["gob gets hit", "gob is hit", "gob is badly hurt", "ana hits gob for 5 and gets hit for 3 in return"]
)
def test_who_is_struck_strikes_nobody(key: str, line: str) -> None:
    decision = found(key, line)
    assert decision.meaning is None or not any(isinstance(fact, AttackRolled) for fact in decision.meaning.facts)


@pytest.mark.parametrize("line", ["gob lands next to bo", "gob lands beside the orc"])
def test_who_lands_somewhere_hits_nobody(line: str) -> None:
    assert found("5e", line).meaning is None


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize(
    "line",
    [
        "the orc that ana hit takes 5 damage",
        "bo loses 5 hp when gob hits him",
        "gob was the one who hit bo for 5",
        "bo hits gob for 5 and the other one for 3",
        "bo hits gob for 5 and makes her con save with 14",
        "ana makes gob save",
        "ana has gob make a save",
        "ana makes gob miss",
        "bo charges at gob but trips and falls prone",
        "bo falls and takes 5",
        "bo catches his breath",
        "one orc hits bo for 5",
        "ana hits the orc for 5, not enough",
        "bo fails to stand up",
        "bo took 5 earlier",
        "gob holds on",
    ],
)
def test_whoever_is_not_clearly_the_subject_is_asked_about(key: str, line: str) -> None:
    assert is_asked(key, line)


@pytest.mark.parametrize(
    ("line", "who"),
    [("gob makes her con save with 14", "gob"), ("gob is hit by bo for 5 and makes his con save with 14", "gob")],
)
def test_the_subject_makes_the_save_that_is_his(line: str, who: str) -> None:
    meaning = found("5e", line).meaning
    assert meaning is not None
    assert [fact.combatant for fact in meaning.facts if isinstance(fact, SaveRolled)] == [who]


@pytest.mark.parametrize(
    "line",
    [
        "gob was prone but is now up",
        "gob was at 10",
        "ana had been prone",
        "ana must retreat",
        "gob is still up",
        "gob is still standing",
        "cid was going to cast web but casts bless on bo",
        "cid starts to cast web",
        "cid begins casting web",
    ],
)
def test_what_was_or_is_meant_or_remains_does_not_happen(line: str) -> None:
    assert is_asked("5e", line)


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("line", ["bo throws gob off the bridge", "bo throws his axe to ana", "bo tosses gob"])
def test_somebody_who_is_thrown_is_not_shot_at(key: str, line: str) -> None:
    meaning = found(key, line).meaning
    assert meaning is None or "kind='attack'" not in str(meaning.facts)


def test_a_number_on_which_a_side_acts_is_asked_about() -> None:
    decision = found("osric", "we act on 2, they act on 6")
    assert decision.meaning is None
    assert len(decision.offers) == 1


@pytest.mark.parametrize("line", ["how much damage did gob do?", "how much damage did gob do to bo"])
def test_how_much_somebody_did_is_not_answered_with_hit_points(line: str) -> None:
    assert found("5e", line).meaning is None


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("line", ["gob is attacked by bo, who misses", "gob's attack on bo misses"])
def test_a_blow_that_misses_is_told_once(key: str, line: str) -> None:
    meaning = found(key, line).meaning
    assert meaning is not None
    assert [fact.hit for fact in meaning.facts if isinstance(fact, AttackRolled)] == [False]


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("line", ["gob does 4 back", "bo hits gob for 5, gob does 4 back"])
def test_points_that_are_dealt_back_heal_nobody(key: str, line: str) -> None:
    meaning = found(key, line).meaning
    assert meaning is None or not any(isinstance(fact, Healed) for fact in meaning.facts)


@pytest.mark.parametrize("key", GAMES)
def test_who_takes_another_by_surprise_is_not_surprised(key: str) -> None:
    meaning = found(key, "bo takes gob by surprise").meaning
    assert meaning is not None
    assert [fact.surprised for fact in meaning.facts if isinstance(fact, SurpriseSettled)] == [("gob",)]


@pytest.mark.parametrize("key", ["5e", "plain"])
def test_who_gets_up_by_healing_strikes_next(key: str) -> None:
    assert blows(key, "ana heals bo for 4 so he gets up and hits gob for 5") == [("bo", "gob")]
