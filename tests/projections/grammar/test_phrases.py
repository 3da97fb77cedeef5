"""Phrases: lines as people type them mean what they say, and nothing that they do not say."""

import json
from typing import Any

import msgspec
import pytest

from projections.grammar import forms
from projections.grammar.forms import Phrase
from projections.grammar.phrases.reader import readings
from projections.grammar.table import Table
from projections.grammar.tokens import NotUnderstood
from projections.rulesets import RULESETS, find
from tests.projections.grammar.test_scene import heard
from tests.projections.test_grammar import fight, table

SIDES = ("osric", "vile-darkness")


def scenes(key: str) -> list[Table]:
    """Return nobody at all, and the fight before the first round, at the declarations, and within a round."""
    effects = ("effect bless by m on b concentration=yes", "b is stunned")
    if key not in SIDES:
        return [table(key), fight(key), heard(fight(key), "b=14", "o=9", "m=3", "g=2", "t b", *effects)]
    declaring = ("r", "phase DECLARE") if key == "vile-darkness" else ("r",)
    within = ("p5 f3", "phase H.D1") if key == "vile-darkness" else ("p5 f3", "seg 5")
    return [table(key), fight(key), heard(fight(key), *declaring), heard(fight(key), *declaring, *within, *effects)]


def said(at: Table, line: str) -> list[dict[str, Any]]:
    """Return the facts of a line, without those by which the clock moved."""
    parsed = at.tell(line)
    return [json.loads(msgspec.json.encode(fact)) for fact in parsed.facts[parsed.moved :]]


def belongs(phrase: Phrase, key: str) -> bool:
    """Say whether a phrase is one of a game: of its clock, and of its dice."""
    game, when = forms.of(find(key).rules), phrase.when.split()
    rolled = game.rolls or not any("{blow}" in line or "{target} {roll}" in line for line in phrase.lines)
    other = "turns" if key in SIDES else "sides"
    return other not in when and (game.declares != "" or "declaring" not in when) and bool(rolled)


@pytest.mark.parametrize("key", RULESETS)
def test_every_phrase_has_an_example_that_is_read_by_it(key: str) -> None:
    tables = scenes(key)
    own = [phrase for phrase in forms.of(find(key).rules).phrase if belongs(phrase, key)]
    read = {
        phrase.name: {each.phrase for at in tables for each in readings(at.scene, phrase.example)} for phrase in own
    }
    assert [phrase.example for phrase in own if phrase.name not in read[phrase.name]] == []


@pytest.mark.parametrize("key", RULESETS)
def test_the_example_of_a_phrase_has_one_meaning_or_is_refused_with_lines_that_do(key: str) -> None:
    tables = scenes(key)
    own = [phrase for phrase in forms.of(find(key).rules).phrase if belongs(phrase, key)]
    assert [each.example for each in own if not any(meaning(at, each.example) for at in tables)] == []


def meaning(at: Table, line: str) -> Any:
    """Return the facts of a line, or the lines that its refusal offers, or what is in the way of it."""
    try:
        parsed = at.tell(line)
    except NotUnderstood as error:
        return error.offers or ((error,) if error.column > len(line) else ())
    return parsed.facts or (parsed,)


@pytest.mark.parametrize("key", RULESETS)
def test_a_refusal_offers_at_most_three_whole_lines_which_are_accepted_as_they_stand(key: str) -> None:
    for at in scenes(key):
        for phrase in forms.of(find(key).rules).phrase:
            offers = [each for each in meaning(at, phrase.example) if isinstance(each, str)]
            assert len(offers) <= 3
            assert all(at.tell(each) for each in offers)


def test_a_named_spell_is_the_cause_only_where_one_of_the_turn_can_be_meant() -> None:
    at = heard(fight("plain"), "t m", "m c fireball o,g")
    cast = len(at.records)
    assert said(at, "fireball: o takes 8 fire")[0]["cause"] == cast
    assert said(at, "g fails his save vs fireball")[0]["cause"] == cast
    assert said(at, "b saves vs fireball")[0] == {
        "type": "save_rolled",
        "combatant": "brand",
        "purpose": "fireball",
        "succeeded": True,
    }
    assert said(at, "fireball goes off, g asleep")[0]["cause"] == cast
    at = heard(at, "t b")
    assert "cause" not in said(at, "g fails his save vs fireball")[0]
    at = heard(at, "b c fireball o", "b c fireball g,o")
    assert "cause" not in said(at, "o takes 8 fire")[0]
    assert said(at, "o fails his save vs fireball")[0]["purpose"] == "fireball"


def test_a_cause_is_counted_over_what_was_done_and_no_remark_correction_or_clock() -> None:
    at = heard(fight("plain"), "t m", "m c web o")
    cast = len(at.records)
    for lines in ((), ("note hello",), ("o -5", "u"), ("r", "t b")):
        at = heard(at, *lines)
        assert said(at, "o -1 ^")[0]["cause"] == cast


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("b 18 hits o for 3", "b attack o 18 3"),
        ("b rolls 4 misses o", "b misses attack o 4"),
        ("18 hits o for 6", "b attack o 18 6"),
        ("does nothing", "b other nothing"),
        ("g skips his turn", "g other nothing"),
        ("5-foot step", "b goes 5ft"),
        ("g hides behind the barrel", 'g is hidden detail="behind the barrel"'),
        ("g surrenders", "g is surrendered"),
        ("b heals himself 2", "b +2 source=b"),
        ("b fort save vs poison 12", "save b fort 12 purpose=poison"),
        ("dc 13 con save: b 15 m 9", "save b con total=15 dc=13 succeeded=yes"),
        ("end of round 1", "e 1"),
        ("b shakes off poison", "b not poisoned"),
        ("stun o for 1 round", "o is stunned for 1r"),
        ("+5 temp b", "b +5t"),
        ("b 5 foot step to 1,1", "b goes 1,1 5ft"),
        ("b holds concentration", "b other concentrating"),
        ("roll for initiative: b 17, m 9", "b=17 m=9"),
        ("top of the round", "r"),
        ("add kobold*2 foes 7 hp", "join kobold*2 foes hp=7"),
        ("join Zed party 7 hp", "join Zed party hp=7"),
        ("party 5, foes 3", ""),
    ],
)
def test_lines_of_a_round_mean_what_their_forms_say(line: str, meant: str) -> None:
    at = heard(fight("plain"), "b=14", "o=9", "m=3", "g=2", "t b")
    if meant:
        assert said(at, line)[: len(said(at, meant))] == said(at, meant)
    else:
        with pytest.raises(NotUnderstood):
            at.tell(line)
        before = said(fight("plain"), line)
        assert [(one["combatant"], one["total"]) for one in before] == [
            ("mira", 5),
            ("brand", 5),
            ("ogre", 3),
            ("goblin", 3),
        ]


@pytest.mark.parametrize(("line", "again"), [("b's turn", "t b"), ("t b", "t b"), ("next b", "t b")])
def test_a_turn_that_runs_does_not_begin_again(line: str, again: str) -> None:
    at = heard(fight("plain"), "t b")
    for each in (line, again):
        with pytest.raises(NotUnderstood) as refused:
            at.tell(each)
        assert (refused.value.why, refused.value.hint) == ("it is the turn of brand already", "done brand ends it")


def test_the_segment_that_the_clock_shows_does_not_come_again() -> None:
    at = heard(fight("osric"), "r", "p5 f3", "seg 5")
    with pytest.raises(NotUnderstood) as refused:
        at.tell("segment 5")
    assert refused.value.why == "the clock shows segment 5 already"


@pytest.mark.parametrize(("line", "square"), [("b moves to 4,3", [[3, 3], [4, 3]]), ("m moves to 4,3", [[4, 3]])])
def test_a_move_to_a_square_begins_where_somebody_stands(line: str, square: list[list[int]]) -> None:
    at = heard(fight("definition-master"), "place b at 3,3")
    assert said(at, line)[0]["path"] == square


@pytest.mark.parametrize("words", ["last two", "the last 3 lines", "last few"])
def test_undo_of_several_lines_is_refused(words: str) -> None:
    with pytest.raises(NotUnderstood, match="undo takes back the last line, whole"):
        fight("plain").tell(f"undo {words}")
