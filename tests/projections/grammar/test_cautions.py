"""What stands in the way of a line of the right form, and what is said of one that is recorded."""

import pytest

from projections.grammar.table import Table
from projections.grammar.tokens import NotUnderstood
from tests.projections.grammar.test_line_context import heard
from tests.projections.test_grammar import fight

RULESETS = ("plain", "osric", "definition-master", "vile-darkness")


def offered(at: Table, line: str) -> tuple[str, ...]:
    """Return the lines that the refusal of a line offers."""
    with pytest.raises(NotUnderstood) as refused:
        at.tell(line)
    return refused.value.offers


def types(at: Table, line: str) -> list[str]:
    """Return the types of the facts of a line."""
    return [type(each).__name__ for each in at.tell(line).facts]


@pytest.mark.parametrize("key", RULESETS)
def test_a_condition_that_nobody_is_in_and_no_game_knows_does_not_end(key: str) -> None:
    at = fight(key)
    assert offered(at, "b is not affected") == ("note b is not affected",)
    assert types(heard(at, 'b is "affected"'), "b is not affected") == ["ConditionLost"]
    assert types(at, "g not prone") == ["ConditionLost"]


@pytest.mark.parametrize("key", RULESETS)
def test_whoever_has_nothing_to_drop_falls_with_drops(key: str) -> None:
    at = fight(key)
    assert types(at, "o drops") == types(at, "o and g drop")[:1] == ["RulingMade"]
    heard(at, "o -100")
    if at.context.state.combatants["ogre"].status != "up":
        assert types(at, "o drops") == types(at, "o collapses") == ["Checked"]


@pytest.mark.parametrize("key", ["osric", "vile-darkness"])
def test_who_has_declared_something_may_drop_it_or_fall(key: str) -> None:
    at = heard(fight(key), "r", *(["phase DECLARE"] if key == "vile-darkness" else []), "d b attack o", "d m web 3 o")
    assert [types(at, each) for each in offered(at, "m drops")] == [["RulingMade"], ["ActionAbandoned"]]
    falls, drops = offered(at, "b drops")
    assert types(at, falls) == ["RulingMade"] != types(at, drops)
    assert types(at, "b collapses") == ["RulingMade"]
    assert types(at, "m drops web") == ["ActionAbandoned"]


@pytest.mark.parametrize("key", ["plain", "definition-master"])
def test_who_concentrates_may_drop_the_effect_or_fall(key: str) -> None:
    at = heard(fight(key), "effect bless by m on b concentration=yes")
    assert [types(at, each) for each in offered(at, "m drops")] == [["RulingMade"], ["EffectEnded"]]
    assert types(at, "m drops concentration") == types(at, "m drops bless") == ["EffectEnded"]


@pytest.mark.parametrize("key", RULESETS)
def test_healing_says_which_ruled_status_stays_and_offers_the_line_that_lifts_it(key: str) -> None:
    at = heard(fight(key), "b is dead")
    told = at.tell("heal b 3")
    assert "stays dead by the ruling" in told.advice
    assert told.offers == ("brand is not dead",)
    assert types(at, told.offers[0]) == ["RulingMade"]
    assert not at.tell("heal g 3").offers


@pytest.mark.parametrize("key", RULESETS)
def test_non_lethal_damage_is_said_to_count_as_any_other_where_the_game_has_none(key: str) -> None:
    has = key in ("plain", "definition-master", "5e")
    assert ("no non-lethal damage" in fight(key).tell("o -6n").advice) is not has
    assert not fight(key).tell("o -6").advice


@pytest.mark.parametrize("line", ["m is dead", "mira dead!", "mira dies"])
def test_where_dead_is_a_condition_too_who_is_said_to_be_dead_is_so_by_a_ruling(line: str) -> None:
    assert types(fight("5e"), line) == ["RulingMade"]


def test_a_line_that_names_nobody_is_offered_as_a_note() -> None:
    at = fight("plain")
    for line in ("the door opens", "The storm gets worse!", "rain starts", "suddenly the ground shakes"):
        with pytest.raises(NotUnderstood) as caught:
            at.tell(line)
        assert (caught.value.why, caught.value.offers) == ("this names no combatant", (f"note {line}",))
    for line in ("the ogre of the door opens", "zed hits somebody", "zed is prone"):
        with pytest.raises(NotUnderstood) as caught:
            at.tell(line)
        assert caught.value.why != "this names no combatant", line


def test_a_line_that_strikes_several_records_is_refused_with_a_line_for_each() -> None:
    at = heard(fight("plain"), "b -1", "b -2")
    last = len(at.records)
    for more in (f"{last}", f"and {last}"):
        with pytest.raises(NotUnderstood) as caught:
            at.tell(f"strike {last - 1} {more}")
        assert caught.value.hint.startswith(f"write a line for each: strike {last - 1}, strike {last}")
    for reason in ("wrong target", '"2 was meant"'):
        assert len(at.tell(f"strike {last} {reason}").facts) == 1


@pytest.mark.parametrize("key", ["plain", "5e", "osric"])
@pytest.mark.parametrize("left", ["his post", "the tavern", "ogre"])
def test_whoever_leaves_a_thing_or_somebody_may_stay_in_the_fight_so_it_is_asked(key: str, left: str) -> None:
    at = fight(key)
    with pytest.raises(NotUnderstood) as caught:
        at.tell(f"b leaves {left}")
    assert caught.value.offers == (
        f'brand leaves "{left}"',
        f'place brand "away from {left}"',
        f"note b leaves {left}",
    )
    assert at.tell(f'b leaves "{left}"').facts


@pytest.mark.parametrize(
    "line", ["b leaves", "b leaves the fight", "b leaves the field of battle", "b leaves through the door"]
)
def test_whoever_leaves_the_fight_leaves_it(line: str) -> None:
    assert [type(fact).__name__ for fact in fight("plain").tell(line).facts] == ["CombatantLeft"]


@pytest.mark.parametrize("what", ["concentration", "bless"])
def test_whether_a_spell_is_kept_up_or_held_ready_is_asked_about(what: str) -> None:
    at = heard(fight("5e"), "t m", "effect bless by m on b concentration=yes")
    with pytest.raises(NotUnderstood) as caught:
        at.tell(f"m holds {what}")
    assert f'mira hold "{what}"' in caught.value.offers
