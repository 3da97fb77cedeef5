"""Several sentences in one line are told one after the other, as if each stood on a line of its own."""

from collections.abc import Sequence

import pytest

from eventstore.events import ActionTaken, AttackRolled, ConditionGained
from projections.grammar.table import Table
from projections.grammar.tokens import NotUnderstood
from tests.projections.grammar.test_line_context import heard
from tests.projections.test_grammar import fight

KINDS = ("plain", "definition-master", "5e")


def in_turn(key: str) -> Table:
    return heard(fight(key), "b=14", "o=9", "m=5", "g=3", "r", "t b")


def standing(at: Table, first: int) -> Sequence[object]:
    return [one.event for one in at.records][first:]


@pytest.mark.full
@pytest.mark.parametrize("key", KINDS)
@pytest.mark.parametrize(
    ("line", "lines"),
    [
        ("o attacks b 12 misses, m hits o with 17 for 4", ("o attacks b 12 misses", "m hits o with 17 for 4")),
        ("b takes 4, o heals 2; m is prone", ("b takes 4", "o heals 2", "m is prone")),
        ("o turn: o hits b 18 for 5", ("t o", "o hits b 18 for 5")),
        ("o hits b for 3 and g misses him", ("o hits b for 3", "g misses b")),
        ("b hits o for 6, he's at 14", ("b hits o for 6", "o is at 14")),
        ("b hits o for 6 and the goblin dies", ("b hits o for 6", "goblin dies")),
        ("m takes 3, she's prone", ("m takes 3", "m is prone")),
    ],
)
def test_sentences_of_one_line_say_what_they_say_on_lines_of_their_own(
    key: str, line: str, lines: tuple[str, ...]
) -> None:
    together, apart = in_turn(key), in_turn(key)
    first = len(together.records)
    together.hear(line)
    heard(apart, *lines)
    assert standing(together, first) == standing(apart, first)


@pytest.mark.parametrize("key", KINDS)
@pytest.mark.parametrize("place", ["b's reach", "brand’s reach", "reach"])
def test_a_blow_at_one_who_leaves_the_strikers_reach_takes_a_chance_and_begins_no_turn(key: str, place: str) -> None:
    at = heard(in_turn(key), "t o", "t m", "t g")
    told = at.hear(f"g leaves {place}, b hits g for 5")
    assert [fact.action.cost for fact in told.facts if isinstance(fact, ActionTaken)] == ["opportunity"]
    assert (at.done.state.clock.round, at.done.state.clock.turn) == (1, "goblin")


@pytest.mark.parametrize(
    "line",
    [
        "g leaves o's reach, b hits g for 5",
        "g leaves cover, b hits g for 5",
        "g leaves b's reach, b hits o for 5",
        "g moves 20 ft, b hits g for 5",
    ],
)
def test_a_blow_at_another_or_in_the_own_turn_takes_no_chance(line: str) -> None:
    told = heard(in_turn("5e"), "t o", "t m", "t g").tell(line)
    assert [fact.action.cost for fact in told.facts if isinstance(fact, ActionTaken)] == [None]
    told = in_turn("5e").tell("g leaves b's reach, b hits g for 5")
    assert [fact.action.cost for fact in told.facts if isinstance(fact, ActionTaken)] == [None]


def test_where_nobody_strikes_out_of_turn_no_blow_takes_a_chance() -> None:
    told = heard(in_turn("semiautomagic"), "t g").tell("g leaves b's reach, b hits g for 5")
    assert [fact.action.cost for fact in told.facts if isinstance(fact, ActionTaken)] == [None]


def test_a_cause_in_another_sentence_is_counted_back_within_the_line() -> None:
    at = in_turn("plain")
    first = len(at.records)
    told = at.tell("b casts web on o, o fails his save vs web")
    places = [(place, getattr(fact, "cause", None)) for place, fact in enumerate(told.facts)]
    assert all(cause is None or -place <= cause < 0 for place, cause in places)
    assert len(at.records) == first


def test_what_befalls_the_target_of_a_blow_in_a_sentence_of_its_own_has_the_blow_as_its_cause() -> None:
    last = in_turn("plain").tell("b hits o for 6. it is prone").facts[-1]
    assert last == ConditionGained(condition="prone", targets=("ogre",), cause=-2)  # its roll


def test_a_line_with_one_sentence_that_is_not_understood_records_nothing() -> None:
    at = in_turn("plain")
    with pytest.raises(NotUnderstood):
        at.tell("o attacks b 12 misses, m frobs the widget with 17")


def test_blows_of_several_are_struck_in_the_turn_of_each() -> None:
    at = heard(fight("plain"), "b=14", "o=9", "g=3", "m=1", "r", "t b")
    told = at.tell("o and g attack m: 15 hits for 3, 4 misses")
    acts = [(type(fact).__name__, getattr(fact, "combatant", None)) for fact in told.facts]
    assert [each for each in acts if each[0] in ("TurnStarted", "ActionTaken")] == [
        ("TurnStarted", "ogre"),
        ("ActionTaken", "ogre"),
        ("TurnStarted", "goblin"),
        ("ActionTaken", "goblin"),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "b attacks o twice: 14 for 6, 3 misses",
        "b attacks o twice, 14 for 6 and 3 miss",
        "b swings twice at o: 14 for 6, 3 misses",
    ],
)
def test_as_many_blows_are_struck_as_are_said(line: str) -> None:
    at = in_turn("plain")
    told = at.tell(line)
    assert [fact.die for fact in told.facts if isinstance(fact, AttackRolled)] == [14, 3]


@pytest.mark.parametrize(
    "line", ["b attacks o twice: 14 for 6", "b attacks o 3 times: 14 for 6, 3 misses", "o and g attack b: 14 for 6"]
)
def test_fewer_blows_than_are_counted_are_refused(line: str) -> None:
    with pytest.raises(NotUnderstood):
        in_turn("plain").tell(line)


@pytest.mark.parametrize(
    ("line", "lines"),
    [
        ("b attacks o and m: 15 hits 6, 3 misses", ("b attack o 15 6 hit=yes", "b attack m 3 hit=no")),
        ("b hits o for 6 and g for 3", ("b attack o hit -6", "b attack g hit -3")),
        ("o and g take 3 and 4", ("o -3", "g -4")),
        ("o takes 6 and g 4", ("o -6", "g -4")),
    ],
)
def test_numbers_of_several_belong_to_each_as_they_stand(line: str, lines: tuple[str, ...]) -> None:
    together, apart = in_turn("plain"), in_turn("plain")
    first = len(together.records)
    together.hear(line)
    heard(apart, *lines)
    assert standing(together, first) == standing(apart, first)


@pytest.mark.parametrize(
    "line",
    [
        "b hits o for 5, 7",
        "b attacks o: 3 misses 4",
        "b attacks the ogre 14 6 misses",
        "b: o is at 9 hp now",
        "b misses her",
        "b -6; urk -3",
        "b attacks o and m: 15 hits 6",
    ],
)
def test_numbers_and_words_that_are_left_over_are_no_blow(line: str) -> None:
    with pytest.raises(NotUnderstood):
        in_turn("plain").tell(line)


@pytest.mark.parametrize("key", KINDS)
def test_an_article_is_no_weapon(key: str) -> None:
    told = in_turn(key).tell("b attacks the ogre 14 6")
    assert [fact.action.name for fact in told.facts if isinstance(fact, ActionTaken)] != ["the"]


def test_a_number_without_its_outcome_is_offered_as_damage_as_a_hit_and_as_a_miss() -> None:
    at = in_turn("plain")
    with pytest.raises(NotUnderstood) as refused:
        at.tell("b attacks the ogre: 7")
    told = (at.tell(each).facts for each in refused.value.offers)
    rolls = [fact for facts in told for fact in facts if isinstance(fact, AttackRolled)]
    assert [(roll.die, roll.hit) for roll in rolls] == [(None, True), (7, True), (7, False)]


@pytest.mark.parametrize("line", ["b hits o for 6", "b attacks o 14 6", "b misses o"])
def test_the_blow_behind_a_charge_is_the_one_of_the_charge(line: str) -> None:
    told = heard(in_turn("definition-master"), "b charges o").tell(line)
    assert not any(isinstance(fact, ActionTaken) for fact in told.facts)
