"""Lines as people type them mean what they say, and nothing that they do not say."""

import json
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from eventstore.events import Amended
from projections.grammar import forms
from projections.grammar.table import Table
from projections.grammar.tokens import NotUnderstood
from projections.rulesets import RULESETS, find
from tests.projections.grammar.test_line_context import heard
from tests.projections.test_grammar import fight, refusal, table

SIDES = ("osric", "vile-darkness")
GIVES_UP = '{"type":"action_abandoned","combatant":"mira","name":"web"}'


@cache
def scenes(key: str) -> list[Table]:
    """Return nobody at all, and the fight before the first round, at the declarations, and within a round."""
    hurt = heard(fight(key), "o is down", "b -6")
    effects = (
        "effect bless by m on b concentration=yes",
        "b is stunned",
        "o is restrained",
        "g is asleep",
        "o is hidden",
    )
    if key not in SIDES:
        entries = '[{"name":"darts","cost":"bonus"},{"name":"ray","cost":"action","level":0}]'
        listed = (f"sheet m entries={entries}",) if key == "5e" else ()
        before = (*listed, "b=14", "o=9", "m=3", "g=2", "t b", *effects, "m c web o")
        rolls = forms.of(find(key).rules).rolls
        struck = ("b attack o 20", "b -9") if key == "definition-master" else ("b attack o 14 6",) if rolls else ()
        unknown = [heard(fight(key), "join zed")] if key == "plain" else []
        blessed = [heard(fight(key), *before[:-1])] if key == "5e" else []  # there web ends bless
        after = heard(fight(key), *before, *struck)
        long = heard(fight(key), "t m", "act m cast web time=3")
        tired = ('b is exhaustion detail="2"',) if key == "5e" else ()
        late = heard(fight(key), "r", "b=14", *tired)
        fallen = heard(fight(key), "b is dead")
        gripping = heard(fight(key), "g is grappled source=b")
        holding = heard(fight(key), "t b", "b holds a g until g moves", "t g")
        some = heard(fight(key), "join kobold*2 foes hp=7", "b=14", "t b")
        return [
            table(key),
            rolling(key),
            placed(key),
            heard(fight(key), *before),
            after,
            hurt,
            long,
            late,
            gripping,
            holding,
            fallen,
            some,
            *unknown,
            *blessed,
        ]
    declaring = ("r", "phase DECLARE") if key == "vile-darkness" else ("r",)
    declared = ("d m web 3 b", "d g other bandage o")
    within = (*declared, "p5 f3", "phase H.D1") if key == "vile-darkness" else (*declared, "p5 f3", "seg 5")
    cured = heard(fight(key), *declaring, "d b cast cure 3 o", *within)
    acting = heard(fight(key), *declaring, *within, *effects)
    after = heard(fight(key), *declaring, "d o attack b", *within, "b attack o 14 6")
    kin, fallen = heard(fight(key), "join kobold*2 foes hp=7"), heard(fight(key), "b is dead")
    return [
        table(key),
        rolling(key),
        placed(key),
        heard(fight(key), *declaring),
        acting,
        after,
        cured,
        hurt,
        kin,
        fallen,
    ]


def rolling(key: str) -> Table:
    """Return the fight before the first round, where dice are rolled."""
    at = fight(key)
    at.roll = lambda dice: f"{dice}:3"
    return at


def placed(key: str) -> Table:
    """Return the fight with somebody on a square, where there are squares."""
    at = fight(key)
    return heard(at, "place b 0,0") if key in ("plain", "vile-darkness", "definition-master") else at


def said(at: Table, line: str) -> list[dict[str, Any]]:
    """Return the facts of a line, without those by which the clock moved."""
    parsed = at.tell(line)
    return [json.loads(msgspec.json.encode(fact)) for fact in parsed.facts[parsed.moved :]]


def typed(key: str) -> list[str]:
    """Return lines as people type them in a game."""
    told = tomllib.loads(Path(__file__).with_name("said.toml").read_text())
    return [*told["common"], *told.get(key, ())]


def offered(at: Table, line: str) -> list[list[dict[str, Any]]]:
    """Return the facts of each of the meanings that the refusal of a line offers, without those by which the clock moved."""
    with pytest.raises(NotUnderstood) as refused:
        at.tell(line)
    return [
        [json.loads(msgspec.json.encode(fact)) for fact in each.facts[each.moved :]] for each in refused.value.meant
    ]


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("18 hits o for 6", "b attack o 18 6"),
        ("g leaves, running into the woods", "g leaves"),
    ],
)
def test_what_is_not_certain_is_offered_with_its_meaning(line: str, form: str) -> None:
    at = heard(fight("plain"), "b=14", "o=9", "m=3", "g=2", "t b")
    likely = [facts for facts in offered(at, line) if facts[0]["type"] != "noted"]
    assert likely[:1] == [said(at, form)]


@cache
def meaning(at: Table, line: str) -> Any:
    """Return the facts of a line, or the lines that its refusal offers, or what is in the way of it."""
    try:
        parsed = at.tell(line)
    except NotUnderstood as error:
        return error.offers or ((error,) if error.column > len(line) else ())
    return parsed.facts or (parsed,)


@pytest.mark.in_turn(7)
@pytest.mark.full
@pytest.mark.sampled
@pytest.mark.parametrize("key", RULESETS)
def test_a_refusal_offers_at_most_three_whole_lines_which_are_accepted_as_they_stand(key: str, whole: bool) -> None:
    lines = typed(key)
    for at in scenes(key):
        for line in lines if whole else lines[RULESETS.index(key) :: 4]:
            offers = [each for each in meaning(at, line) if isinstance(each, str)]
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
        ("b does nothing", "b ends her turn"),
        ("b skips his turn", "done b"),
        ("o loses its turn", "done o"),
        ("o can't act", "done o"),
        ("m is concentrating on haste", "effect haste by m concentration=yes"),
        ("b con save 12, keeps concentration", "save b con 12 succeeded=yes"),
        ("b moves 30 feet towards the ogre", "b goes 30ft"),
        ("combat over, party wins", "over party wins"),
        ("g routs", "g leaves routs"),
        ("b helps g up", 'b other "helps g up" g'),
        ("round 2 fight!", "r 2"),
        ("o kills b with 13, 4 damage", "o attack b 13 4"),
        ("b turns undead", "b other turn_undead"),
        ("b is at 14", "check b.hp=14"),
        ("b is at 9", "b -5"),
        ("b is at 20", "rule override b.hp=20 brand is at 20"),
        ("b back up to 20", "b +6"),
        ("b 5-foot step", "b goes 5ft"),
        ("g hides behind the barrel", 'g is hidden detail="behind the barrel"'),
        ("g surrenders", "g is surrendered"),
        ("b heals himself 2", "b +2 source=b"),
        ("b fort save vs poison 12", "save b fort 12 purpose=poison"),
        ("dc 13 con save: b 15, g 9", "save b con total=15 dc=13 succeeded=yes"),
        ("end of round 1", "e 1"),
        ("stun o for 1 round", "o is stunned for 1r"),
        ("+5 temp b", "b +5t"),
        ("b 5 foot step to 1,1", "b goes 1,1 5ft"),
        ("roll for initiative: b 17, m 9", "b=17 m=9"),
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


def test_somebody_joins_in_one_line_with_side_sheet_and_initiative() -> None:
    at = table("plain")
    for line, meant in [
        ("mira joins party hp=16", "join mira party hp=16"),
        ("orc*2 joins foes hp=8", "join orc*2 foes hp=8"),
        ("bo joins party with 18 hp, ac 14, init 15", "join bo party hp=18 ac=14 init 15"),
        ("wolf joins foes hp=11 init 12", "join wolf foes hp=11 init 12"),
    ]:
        assert said(at, line) == said(at, meant)
    assert [fact["type"] for fact in said(at, "join bo party hp=18 init 15")] == [
        "combatant_joined",
        "initiative_rolled",
    ]


@pytest.mark.parametrize("line", ["zed's init is 14", "init zed 14", "zed 14"])
def test_nobody_joins_by_a_name_that_is_only_mistyped(line: str) -> None:
    with pytest.raises(NotUnderstood):
        fight("plain").tell(line)


def test_an_addition_of_two_bare_numbers_is_asked_about() -> None:
    assert offered(fight("plain"), "add zed 24 16") == [said(fight("plain"), "join zed hp=24 ac=16")]


@pytest.mark.parametrize(
    ("before", "line", "meant"),
    [
        ("b is grappled", "b escapes", ("brand leaves escapes", "brand not grappled")),
        ("b is grappled", "b breaks free", "b not grappled"),
        ("b is asleep", "b wakes up", "b not asleep"),
        ("b is prone", "b escapes", "b leaves escapes"),
        ("m c web o", "m is concentrating", "effect web by mira on ogre concentration=yes cause={last}"),
        ("m c web o", "m concentrates on web", "effect web by mira on ogre concentration=yes cause={last}"),
        ("m c web o", "x m", "effect web by mira on ogre cause={last}"),
        ("b +0", "o down", "rule override ogre.status=down ogre is down"),
        ("b +0", "o collapses", "rule override ogre.status=down ogre is down"),
        ("b +0", "o goes berserk", "o is berserk"),
        ("b +0", "foes surrender", "o,g is surrendered"),
        ("b +0", "foes win", "over foes win"),
        ("b +0", "b opens the door", 'b other "opens the door"'),
        ("b +0", "trip: o 14 vs b 9", "contest trip o:14 b:9"),
        ("b +0", "b throws a dagger at o 14 for 3", "b attack dagger o 14 3 name=dagger"),
        ("b +0", "o hits b for 4 nonlethal", "o attack b hit -4n"),
        ("b +0", "m casts bless on b for 10 rounds", "m cast bless b|effect bless by m on b for 10r ^"),
        ("b +0", "m casts bless on b, concentration", "m cast bless b|effect bless by m on b concentration=yes ^"),
        ("b +0", "b readies an attack on o", "b holds attack o"),
        ("b +0", "g fails, o saves", "save g succeeded=no|save o succeeded=yes"),
    ],
)
def test_lines_that_rest_on_what_was_said_before_mean_what_their_forms_say(
    before: str, line: str, meant: str | tuple[str, ...]
) -> None:
    at = heard(fight("plain"), "b=14", "o=9", "m=3", "g=2", "t b", before)
    last = len(at.records)
    if isinstance(meant, tuple):
        assert offered(at, line) == [said(at, each.format(last=last)) for each in meant]
    else:
        first, *more = meant.format(last=last).split("|")
        facts = said(at, line)
        assert facts[: len(said(at, first))] == said(at, first)
        for form in more:
            name = said(at, form)[-1]
            assert {key: value for key, value in facts[-1].items() if key != "cause"} == {
                key: value for key, value in name.items() if key != "cause"
            }


@pytest.mark.parametrize(
    ("before", "line", "form"),
    [
        ("b -5", "no, 16", "amend {last} b -16"),
        ("b -5", "actually 9", "amend {last} b -9"),
        ("b -6", "that was 5 not 6", "amend {last} b -5"),
        ("b -6", "it was 5, not 6", "amend {last} b -5"),
        ("b -6", "make it 5", "amend {last} b -5"),
        ("b +6", "sorry, 5 instead of 6", "amend {last} b +5"),
        ("b takes 7 fire", "no, 6", "amend {last} b -6 parts=fire//fire:6"),
        ("g=12", "no 11", "amend {last} init g total=11"),
        ("save g will 12", "no, 15", "amend {last} save g will 15"),
        ("secret b -6", "no, 5", "secret amend {last} b -5"),
        ("b -6", "not 6 but 5", "amend {last} b -5"),
    ],
)
def test_a_number_of_the_last_line_is_set_right_in_words(before: str, line: str, form: str) -> None:
    at = heard(fight("plain"), before)
    found, expected = at.tell(line), at.tell(form.format(last=len(at.records)))
    assert (found.facts, found.kept) == (expected.facts, expected.kept)
    at.hear(line)
    assert "7" in str(at.tell("no, 7").facts[0])


@pytest.mark.parametrize(
    "line", ["that was g, not o", "no, it was the goblin not the ogre", "not o but g", "it hit g, not o"]
)
def test_the_target_of_the_last_line_is_set_right_in_all_its_facts(line: str) -> None:
    at = heard(fight("plain"), "b o 14 6")
    found = at.tell(line).facts
    assert [fact.event for fact in found if isinstance(fact, Amended)] == [
        len(at.records) - 2,
        len(at.records) - 1,
        len(at.records),
    ]
    now = heard(at, line)
    assert [now.context.state.combatants[who].hp for who in ("ogre", "goblin")] == [
        heard(fight("plain"), "b g 14 6").context.state.combatants[who].hp for who in ("ogre", "goblin")
    ]


def test_a_target_that_the_last_line_did_not_have_is_not_set_right() -> None:
    with pytest.raises(NotUnderstood, match="the last line did nothing to mira"):
        heard(fight("plain"), "b o 14 6").tell("that was g not m")


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("everyone but b takes 3", "m,o,g -3"),
        ("all except the ogre take 3", "m,b,g -3"),
        ("everybody but b and m takes 3", "o,g -3"),
        ("everyone, except for g, is prone", "m,b,o is prone"),
        ("b isn't prone anymore", "b not prone"),
        ("b gets healed for 5", "b +5"),
        ("o flees the battle", "o leaves flees the battle"),
        ("3 wolves join the foes", "join wolf*3 foes"),
        ("b takes 3 but m takes 4", "b takes 3 and m takes 4"),
    ],
)
def test_whom_a_line_excepts_it_does_not_mean(line: str, meant: str) -> None:
    at = fight("plain")
    assert said(at, line) == said(at, meant)


@pytest.mark.parametrize(
    ("before", "line", "why", "hint"),
    [
        ("b o 14 6", "no, 16", "several such numbers", "write `that was 16 not 14` or `that was 16 not 6`"),
        ("b o 14 6", "that was 13 not 14", "the total of 13 is missing", "u takes the last line back"),
        ("g misses b 4", "actually 16", "the total of 16 is missing", "u takes the last line back"),
        ("dice morale 7 succeeded=yes", "no, 8", "the total of 8 is missing", "u takes the last line back"),
        ("save g will total=12 dc=11 succeeded=yes", "no, 10", "the total of 10 is missing", ""),
        ("b -6", "that was 5 not 7", "the last line has no 7", "u takes the last line back"),
        ("r", "no, 5", "the last line has no number", "u takes the last line back"),
        ("b -6 parts=axe:4+fire:2", "no, 5", "the amount is a sum of parts", "u takes the last line back"),
        ("b -6", "correct x", "which number", "such as: that was 5 not 6"),
    ],
)
def test_a_number_that_may_change_more_or_is_not_there_is_not_set_right(
    before: str, line: str, why: str, hint: str
) -> None:
    at = heard(fight("plain"), before)
    with pytest.raises(NotUnderstood) as refused:
        at.tell(line)
    assert why in refused.value.why
    assert hint in refused.value.hint


def test_a_roll_is_set_right_where_its_outcome_stays_the_same() -> None:
    at = heard(fight("plain"), "b o 14 6")
    assert '"die":16,"hit":true' in str(msgspec.json.encode(at.tell("that was 16 not 14").facts[0]))
    at = heard(fight("plain"), "g misses b 4")
    assert '"die":3,"hit":false' in str(msgspec.json.encode(at.tell("no, 3").facts[0]))
    at = heard(fight("plain"), "save g will total=12 dc=11 succeeded=yes")
    assert '"total":15' in str(msgspec.json.encode(at.tell("no, 15").facts[0]))


@pytest.mark.parametrize("word", ["no, that hit", "actually it was brand", "sorry"])
def test_a_correction_in_words_is_told_how_the_last_line_is_taken_back(word: str) -> None:
    with pytest.raises(NotUnderstood) as refused:
        heard(fight("plain"), "b -5").tell(word)
    assert refused.value.hint.startswith("u takes the last line back")


def test_an_effect_that_does_not_run_is_not_taken_for_a_combatant() -> None:
    with pytest.raises(NotUnderstood) as refused:
        fight("plain").tell("haste ends")
    assert refused.value.why == "no effect called haste is running"


def test_a_bare_number_before_the_first_round_is_initiative_and_afterwards_a_roll() -> None:
    at = heard(table("definition-master"), "join kara party hp=9", "join wolf foes hp=9")
    assert said(at, "kara 18") == said(at, "kara=18")
    at = heard(at, "kara=18", "wolf=9", "r", "t")
    assert [fact["type"] for fact in said(at, "kara 18")] == ["action_taken", "attack_rolled"]


def test_a_hit_that_names_nobody_is_at_whom_its_doer_declared() -> None:
    at = heard(fight("osric"), "r", "b a g 14 3", "d b charge o", "p5 f3")
    assert said(at, "b hits for 8") == said(at, "b charge o hit -8")


def test_a_healing_that_was_declared_is_told_as_what_was_declared() -> None:
    at = heard(fight("osric"), "r", "m heals b", "d g cast cure 3 o", "p5 f3")
    assert [fact["type"] for fact in said(at, "m heals b 5")] == ["action_taken", "healed"]
    assert [fact["type"] for fact in said(at, "g heals o 5")] == ["effect_started", "healed"]
    assert [fact["type"] for fact in said(at, "g heals b 5")] == ["effect_started", "healed"]
    assert [fact["type"] for fact in said(at, "b heals m 5")] == ["healed"]


def test_a_round_by_its_number_ends_the_one_that_is_open_where_rounds_are_closed() -> None:
    at = heard(fight("osric"), "r")
    assert at.tell("round 2").facts == at.tell("r 2").facts
    assert at.tell("r 2").moved == 1


def test_who_joins_without_a_side_is_told_what_that_means_where_sides_roll() -> None:
    assert "without a side" in fight("osric").tell("Zed 4 hp").advice
    assert "without a side" in fight("osric").tell("3 hirelings hp 4").advice
    assert fight("osric").tell("join kobold foes hp=4").advice == ""
    assert fight("plain").tell("3 kobolds hp 4").advice == ""


def test_creatures_that_come_are_against_the_party_where_sides_roll() -> None:
    assert {each["side"] for each in said(fight("osric"), "3 kobolds hp 4")} == {"foes"}
    assert all("side" not in each for each in said(fight("plain"), "3 kobolds hp 4"))


def test_a_word_behind_a_maneuver_is_nobody_rather_than_a_weapon() -> None:
    with pytest.raises(NotUnderstood, match="there is no combatant kara"):
        fight("definition-master").tell("b trips kara")


def test_a_save_right_after_a_heavy_blow_is_asked_about_where_two_are_possible() -> None:
    at = heard(fight("definition-master"), "b=14", "o=9", "r", "t b", "b -9")
    assert offered(at, "b fort save 17") == [said(at, "save b fortitude 17"), said(at, "b saves massive 17")]
    at = heard(fight("definition-master"), "b=14", "o=9", "r", "t b", "b -3")
    assert said(at, "b fort save 17") == said(at, "save b fortitude 17")


def test_a_threat_is_confirmed_by_the_next_number() -> None:
    at = heard(fight("definition-master"), "b=14", "o=9", "r", "t b", "b attack o 20")
    roll = len(at.records)
    assert said(at, "confirm 18") == said(at, "b confirms 18") == said(at, f"roll b o 18 confirms={roll}")


def test_a_death_roll_above_20_is_one_of_a_hundred() -> None:
    at = fight("definition-master")
    assert said(at, "b death save 55") == said(at, "b saves death d%:55")
    assert said(at, "b death save 15") == said(at, "b saves death 15")


def test_several_who_come_next_act_in_their_turns_and_their_rolls_are_of_these_acts() -> None:
    at = heard(fight("plain"), "b=14", "o=9", "g=3", "m=1", "r", "t b")
    facts = at.tell("o and g attack b").facts
    assert [type(fact).__name__ for fact in facts] == ["TurnStarted", "ActionTaken"] * 2
    at = heard(at, "o and g attack b", "o hits b 14 for 3")
    assert [fact["type"] for fact in said(at, "g misses b")] == ["attack_rolled"]
    at = heard(fight("plain"), "b=14", "o=9", "g=3", "m=1", "r", "t o")
    assert [fact["type"] for fact in said(at, "o and b attack g")].count("action_taken") == 2
    facts = heard(fight("plain"), "b=14", "m=9", "g=3", "r", "t b").tell("b and m attack g").facts
    assert [type(fact).__name__ for fact in facts] == ["ActionTaken", "TurnStarted", "ActionTaken"]


def test_names_joined_before_a_verb_are_those_who_declare_together() -> None:
    at = heard(fight("osric"), "r")
    facts = at.tell("brand attacks ogre, mira and goblin attack brand").facts
    each = ("d b attack o", "d m attack b", "d g attack b")
    assert facts == tuple(fact for line in each for fact in at.tell(line).facts)


def test_what_stands_in_brackets_behind_a_newcomer_is_a_note() -> None:
    at = table("plain")
    assert said(at, "Thorin (dwarf fighter) 28 hp ac 17 joins") == said(
        at, "join Thorin notes=dwarf_fighter hp=28 ac=17"
    )


def test_half_of_a_number_is_asked_about() -> None:
    at = heard(fight("plain"), "b=14", "o=9", "r", "t b")
    half, whole = offered(at, "b takes half of 12 fire damage")
    assert half == said(at, "b takes 6 fire")
    assert whole == said(at, "b takes 12 fire")


def test_a_state_and_the_turn_that_it_costs_are_one_line() -> None:
    at = heard(fight("plain"), "b=14", "o=9", "g=3", "r", "t b")
    facts = at.tell("o is stunned and loses its turn").facts
    assert [getattr(fact, "condition", type(fact).__name__) for fact in facts] == [
        "stunned",
        "TurnStarted",
        "TurnEnded",
    ]
    with pytest.raises(NotUnderstood) as refused:
        at.tell("g can't act")
    assert refused.value.hint == "it is said of the combatant whose turn it is, or the next one"


@pytest.mark.parametrize("key", SIDES)
def test_several_declare_in_one_line(key: str) -> None:
    declaring = ("r", "phase DECLARE") if key == "vile-darkness" else ("r",)
    at = heard(fight(key), *declaring)
    facts = at.tell("brand attacks ogre, mira casts web and goblin waits until brand moves").facts
    each = ("d b attack o", "d m cast web", 'd g hold "until brand moves"')
    assert facts == tuple(fact for line in each for fact in at.tell(line).facts)
    assert len(at.tell("brand attacks ogre, goblin").facts) == 1


def test_a_cure_by_its_name_is_of_whoever_declared_it_or_asks_whose_it_is() -> None:
    at = heard(fight("osric"), "r", "d b cast cure_light_wounds 5 m", "p5 f3")
    assert at.tell("cure light wounds on mira").facts == at.tell("x b m").facts
    assert at.tell("cure light wounds on mira heals 5").facts == at.tell("x b m +5").facts
    at = heard(fight("plain"), "t b")
    assert {fact["type"] for facts in offered(at, "cure light wounds on mira") for fact in facts} == {"noted"}


@pytest.mark.parametrize(
    ("line", "forms"),
    [
        ("b moves up and attacks g 15 hits for 3", ["b moves up", "b attack g 15 3 hit=yes"]),
        ("b opens the door, then attacks g", ["b other opens_the_door", "b attack g"]),
        ("b stands up and attacks g", ["b not prone", "b attack g"]),
    ],
)
def test_several_acts_of_one_combatant_in_a_line_are_read_as_a_line_each(line: str, forms: list[str]) -> None:
    at = heard(fight("plain"), "b=14", "o=9", "g=3", "r", "t b", "b is prone")
    other = heard(fight("plain"), "b=14", "o=9", "g=3", "r", "t b", "b is prone")
    at.hear(line)
    for form in forms:
        other.hear(form)
    assert [one.event for one in at.records][-2:] == [one.event for one in other.records][-2:]


@pytest.mark.parametrize(
    ("behind", "form"),
    [
        ("dead", "o is dead"),
        ("it dies", "o is dead"),
        ("killing it", "o is dead"),
        ("it is down", "o is down"),
        ("o is down", "o is down"),
        ("and g is down", "g is down"),
    ],
)
def test_what_is_said_behind_an_attack_befalls_its_target(behind: str, form: str) -> None:
    at, other = (heard(fight("plain"), "b=14", "o=9", "g=3", "r", "t b") for _ in range(2))
    at.hear(f"b attacks o: 18, 7 damage, {behind}")
    for each in ("b attacks o: 18, 7 damage", form):
        other.hear(each)
    assert [one.event for one in at.records][-1] == [one.event for one in other.records][-1]
    assert len(at.records) == len(other.records)


def test_all_and_both_behind_several_names_are_nobody_else() -> None:
    at = heard(fight("plain"), "b=14", "o=9", "g=3", "r", "t b")
    for line in ("b, o all regain 1", "b and o both regain 1", "b, o each regain 1"):
        assert at.tell(line).facts == at.tell("b,o +1").facts


def test_a_number_alone_is_no_act_of_several() -> None:
    at = heard(fight("plain"), "b=14", "o=9", "g=3", "r", "t b")
    with pytest.raises(NotUnderstood):
        at.tell("b moves up and 7")


def test_acts_of_one_line_at_different_times_are_refused() -> None:
    at = heard(fight("osric"), "r", "d m cast web 3 o", "d b attack o", "p5 f3")
    with pytest.raises(NotUnderstood):
        at.tell("m opens the door and finishes web")


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("o kills b", "rule override b.status=dead ogre kills brand"),
        ("g flees into the woods", "g leaves flees into the woods"),
        ("join Zed the cleric foes 14 hp", "join Zed foes notes=cleric hp=14"),
        ("surprise none", "surprised"),
        ("bless takes effect on b for 5 rounds", "effect bless on b for 5r"),
        ("b saved 17", "save b 17 succeeded=yes"),
    ],
)
def test_what_a_newcomer_typed_means_what_its_form_says(line: str, form: str) -> None:
    assert said(fight("plain"), line) == said(fight("plain"), form)


def test_a_spell_that_lasts_is_no_hold_of_whoever_has_the_turn() -> None:
    at = heard(fight("plain"), "b=14", "o=9", "g=3", "r", "t b")
    assert [fact["type"] for fact in said(at, "hold person takes effect on g for 5 rounds")] == ["effect_started"]


def test_a_spell_that_was_declared_is_no_weapon_of_its_caster() -> None:
    at = heard(fight("osric"), "r", "d m cast web 3 o", "p5 f3")
    assert {fact["type"] for facts in offered(at, "m's web hits o for 4") for fact in facts} == {"noted"}


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("m loses her spell", GIVES_UP),
        ("m's spell is spoiled", GIVES_UP),
        ("m's casting is interrupted", GIVES_UP),
        ("o 14 hits for 4", "o attack b 14 4"),
        ("b drinks a healing potion, heals 5", 'b other "drinks a healing potion"'),
        ("b moves to ogre", 'place b "to ogre"'),
    ],
)
def test_what_a_newcomer_typed_in_a_round_means_what_its_form_says(line: str, form: str) -> None:
    at = heard(fight("osric"), "r", "d m cast web 3 o", "d o attack b", "p5 f3", "seg 5")
    assert said(at, line)[: len(said(at, form))] == said(at, form)


@pytest.mark.parametrize(("key", "begun"), [("osric", ("r",)), ("vile-darkness", ("r", "phase DECLARE"))])
def test_a_spell_is_declared_with_the_word_of_declaring_and_of_casting(key: str, begun: tuple[str, ...]) -> None:
    at = heard(fight(key), *begun)
    for line in (
        "d m casts web 3 on o",
        "m declares web 3 on o",
        "m declares casting web 3 on o",
        "m will cast web 3 on o",
    ):
        assert said(at, line) == said(at, "d m cast web 3 o")


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("b blocks", "b other block"),
        ("m is no longer concentrating", "ends web by m"),
        ("finding 1", "? finding 1"),
        ("what is finding 1?", "? finding 1"),
    ],
)
def test_further_lines_of_newcomers_mean_what_their_forms_say(line: str, form: str) -> None:
    lines = ("b=14", "o=9", "g=3", "t b", "effect web by m on o concentration=yes", "b is prone", "m +0")
    at = heard(fight("plain"), *lines)
    assert at.tell(line).facts == at.tell(form).facts
    assert at.tell(line).words == at.tell(form).words


def test_a_spell_that_lasts_begins_the_turn_of_its_caster_once() -> None:
    at = heard(fight("plain"), "m=14", "o=9")
    facts = at.tell("m casts hold person on o for 5 rounds").facts
    assert [type(each).__name__ for each in facts] == ["TurnStarted", "ActionTaken", "EffectStarted"]


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("b fails his wis save with a 7", "save b wis 7 succeeded=no"),
        ("o and g fall asleep for 5 rounds", "o,g is asleep for 5r"),
        ("m readies web on g if he moves", "m holds cast web g until he moves"),
        ("b readies an attack on g when the door opens", "b holds attack g until the door opens"),
    ],
)
def test_lines_that_lost_a_part_of_what_they_say_mean_all_of_it(line: str, form: str) -> None:
    at = heard(fight("plain"), "b=14", "o=9", "g=3", "t b")
    assert said(at, line)[: len(said(at, form))] == said(at, form)


def test_an_action_before_its_trigger_is_never_taken_for_the_trigger() -> None:
    at = heard(fight("plain"), "b=14", "o=9", "g=3", "t b")
    with pytest.raises(NotUnderstood):
        at.tell("b readies a glorious deed if g moves")


@pytest.mark.parametrize("line", ["g is no longer down", "g is not down", "g isn't down", "g back up"])
@pytest.mark.parametrize("key", ["plain", "osric", "definition-master"])
def test_a_status_that_was_ruled_is_lifted_in_words_and_healing_says_that_it_stays(key: str, line: str) -> None:
    at = heard(fight(key), "g is down")
    assert "`goblin is not " in at.tell("g +1").advice
    assert heard(at, line).done.state.combatants["goblin"].status == "up"
    assert at.tell("g +1").advice == ""


def test_a_status_that_the_hit_points_give_is_stated_and_not_ruled() -> None:
    at = heard(fight("plain"), "g -5")
    assert said(at, "g is down") == [{"type": "checked", "values": {"goblin.status": "down"}}]
    assert heard(at, "g is down", "g +3").done.state.combatants["goblin"].status == "up"
    assert said(at, "g is dead")[0]["values"] == {"goblin.status": "dead"}
    assert heard(at, "g is dead", "g is not dead", "g +3").done.state.combatants["goblin"].status == "up"


def test_who_stabilizes_somebody_acts_where_only_a_death_roll_or_healing_makes_stable() -> None:
    at = heard(fight("definition-master"), "b=14", "o=9", "t b")
    assert said(at, "b stabilizes m") == said(at, "b other stabilizes m")
    assert [fact["type"] for fact in said(at, "b stabilizes m")] == ["action_taken"]


def test_a_dash_is_a_minus_sign_in_a_round_and_before_it_is_asked_about() -> None:
    at = heard(fight("plain"), "b=14", "o=9")
    assert offered(at, "b – 3") == [said(at, "b=3"), said(at, "b -3")]
    assert said(at, "b – 17, o – 12") == said(at, "b=17 o=12")
    at = heard(at, "r")
    assert said(at, "b – 3") == said(at, "b — 3") == said(at, "b -3")
    assert said(fight("osric"), "party – 5, foes – 3") == said(fight("osric"), "i p5 f3")


def test_a_list_before_the_first_round_is_initiative_also_of_two() -> None:
    at = heard(fight("plain"), "o=9")
    assert said(at, "b 17, m 12") == said(at, "b=17 m=12")
    assert said(heard(at, "r"), "b 17 on o, 12 damage") == said(heard(at, "r"), "b attack o 17 12")


def test_those_who_are_down_do_not_flee_with_the_others_nor_both_sides_at_once() -> None:
    for key, line in (("plain", "foes flee"), ("definition-master", "all foes run away"), ("plain", "all foes flee")):
        at = heard(fight(key), "join orc foes hp=5", "g is dead")
        assert [fact["combatant"] for fact in said(at, line)] == ["ogre", "orc"]
    with pytest.raises(NotUnderstood):
        fight("plain").tell("everyone flees")
    at = heard(fight("osric"), "g is dead", "r")
    assert said(at, "all foes flee") == said(at, "d o flee")
    at = heard(at, "join orc foes hp=5", "p5 f3", "seg 5")
    assert said(at, "all foes flee") == [*said(at, "ogre flee"), *said(at, "orc flee")]


@pytest.mark.parametrize(
    ("line", "offer"),
    [
        ("b attaks o", "b attacks o"),
        ("b haels m 5", "b heals m 5"),
        ("b mvoes to the door", "b moves to the door"),
        ("b driks a potion", "b drinks a potion"),
    ],
)
def test_of_a_mistyped_verb_the_line_with_the_verb_is_offered(line: str, offer: str) -> None:
    with pytest.raises(NotUnderstood) as caught:
        heard(fight("plain"), "b=14", "o=9", "t b").tell(line)
    assert offer in caught.value.offers


def test_two_commas_between_names_are_one() -> None:
    at = heard(fight("plain"), "r")
    for line in ("b,,m -3", "b,, m takes 3"):
        assert said(at, line) == said(at, "b,m -3"), line


def test_paralysed_and_paralyzed_are_one_condition() -> None:
    at = heard(fight("plain"), "r", "b is paralysed")
    assert said(at, "m paralyses g")[0]["condition"] == said(at, "m is paralysed")[0]["condition"] == "paralyzed"
    assert said(at, "b no longer paralysed")[0]["condition"] == "paralyzed"
    at = heard(fight("plain"), '{"type":"condition_gained","condition":"paralysed","targets":["brand"]}')
    assert said(at, "b no longer paralysed")[0]["condition"] == "paralysed"


def test_a_turn_that_the_clock_began_is_not_amended_by_what_somebody_did() -> None:
    at = heard(fight("plain"), "b=14", "o=9", "r", "b attacks o 14 6")
    turn = next(each.seq for each in at.records if each.event and type(each.event).__name__ == "TurnStarted")
    with pytest.raises(NotUnderstood) as caught:
        at.tell(f"amend {turn} o -5")
    assert caught.value.offers == (f"amend {turn + 3} o -5",)
    assert at.tell(f"amend {turn} t m").facts


def test_healing_by_whoever_comes_next_begins_that_turn() -> None:
    at = heard(fight("definition-master"), "i b14 o9", "r")
    assert [type(each).__name__ for each in at.tell("b heals m for 8").facts] == ["TurnStarted", "Healed"]
    at = heard(at, "t b")
    assert [type(each).__name__ for each in at.tell("b heals m for 8").facts] == ["Healed"]


@pytest.mark.parametrize(
    ("line", "forms"),
    [
        ("zed, yan join the foes, 7 hp each", ("join zed foes hp=7", "join yan foes hp=7")),
        ("zed and yan join", ("join zed", "join yan")),
        ("joins: zed 7 hp, yan 9 hp", ("join zed hp=7", "join yan hp=9")),
        ("new foes: zed 7 hp, yan 9 hp", ("join zed foes hp=7", "join yan foes hp=9")),
        ("2 wolves join foes, 11 hp, init 12", ("join wolf*2 foes hp=11 init 12",)),
        ("join Zed foes hp=7, ac=12", ("join Zed foes hp=7 ac=12",)),
    ],
)
def test_latecomers_join_in_one_line_with_commas(line: str, forms: tuple[str, ...]) -> None:
    at = heard(fight("plain"), "b=14", "o=9", "r")
    assert said(at, line) == [fact for each in forms for fact in said(at, each)]


def test_initiative_on_a_sheet_has_a_sign_or_is_asked_about() -> None:
    at = fight("plain")
    with pytest.raises(NotUnderstood) as caught:
        at.tell("join zed foes hp=7 initiative=10")
    assert caught.value.offers == ("join zed foes hp=7 init 10", "join zed foes hp=7 initiative=+10")
    rolled, bonus = (at.tell(each) for each in caught.value.offers)
    assert [type(each).__name__ for each in rolled.facts] == ["CombatantJoined", "InitiativeRolled"]
    assert bonus.facts[0].sheet == {"hp": 7, "initiative": 10}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("Zed foes 18 hp", "join Zed foes hp=18"),
        ("orc chief, foes, 13 hp, AC 5", 'join "orc chief" foes hp=13 ac=5'),
        ("add Tuck, party, 20 hp", "join Tuck party hp=20"),
        ("Quill, thief, party, 9hp AC 6", "join Quill party notes=thief hp=9 ac=6"),
    ],
)
@pytest.mark.parametrize("key", ["plain", "osric"])
def test_a_side_or_a_class_in_a_row_of_commas_is_nobody_who_joins(key: str, line: str, form: str) -> None:
    assert said(fight(key), line) == said(fight(key), form)


def test_nobody_joins_the_side_that_they_are_against() -> None:
    with pytest.raises(NotUnderstood):
        fight("plain").tell("2 ogres vs us, 30 hp each")


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("round one", "r 1"),
        ("end of turn", "done b"),
        ("b runs over to the ogre", 'place b "to the ogre"'),
        ("b sneaks behind the ogre", 'place b "behind the ogre"'),
        ("b ties up o", 'o is "tied up" source=b'),
        ("b's arrow misses o (rolled 6)", "b attack arrow o 6 hit=no name=arrow"),
        ("m fails her will save against hex", "save m will succeeded=no ^"),
        ("o will save vs hex 14", "save o will 14 ^"),
        ("b casts web on o, ref save fails, 6 fire", "b cast web o"),
    ],
)
def test_what_a_newcomer_typed_in_a_fight_of_turns_means_what_its_form_says(line: str, form: str) -> None:
    at = heard(fight("plain"), "b=14", "o=9", "m=3", "g=2", "t b", "b cast hex o,m")
    assert said(at, line)[: len(said(at, form))] == said(at, form)
    assert at.tell("what segment is it").words == "round"


def test_an_act_beside_a_declaration_is_not_told_while_people_declare() -> None:
    with pytest.raises(NotUnderstood):
        heard(fight("osric"), "r").tell("b moves up and stabs o")


def test_a_verb_that_is_known_and_a_target_that_is_not_are_told_apart() -> None:
    at = heard(fight("plain"), "b=14", "o=9", "t b")
    for line, why in (("b shoots the chief", "no combatant chief"), ("b shoots o twice: 14 and 3", "understood")):
        with pytest.raises(NotUnderstood) as caught:
            at.tell(line)
        assert why in caught.value.why, line


def test_both_are_two_and_no_more() -> None:
    at = heard(fight("plain"), "join orc*3 foes hp=5", "b=14", "ogre=9", "t b")
    with pytest.raises(NotUnderstood):
        at.tell("both orcs flee")
    at = heard(at, "orc-1 dies")
    assert [fact["combatant"] for fact in said(at, "both orcs flee")] == ["orc-2", "orc-3"]
    assert said(at, "both orcs take 5") == said(at, "orc-2,orc-3 -5")


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("b swings at o - 16 hits, 8 damage", "b attack o 16 8 hit=yes"),
        ("b con save dc 10: 13, keeps concentration", "save b con total=13 dc=10 succeeded=yes"),
        ("b drops his sword", "note brand drops sword"),
        ("o did 7 to b", "b -7 source=o"),
        ("b and g die", "b and g are dead"),
    ],
)
def test_more_lines_of_a_newcomer_mean_what_their_forms_say(line: str, form: str) -> None:
    at = heard(fight("plain"), "b=14", "o=9", "t b")
    assert said(at, line) == said(at, form)


def test_a_word_that_is_left_out_is_no_slip_of_a_name_and_no_state_is_one() -> None:
    at = heard(fight("plain"), "join Bo party hp=5", "ogre=9", "t ogre")
    assert "`reading 1: ogre gave 7 to brand`" in refusal(at, "ogre gave 7 to brand")[1]
    refusal(at, "ogre is unhurt")


def test_where_sheets_are_summed_up_initiative_on_one_is_its_bonus() -> None:
    (fact,) = said(fight("definition-master"), "join zed foes hp=7 initiative=4")
    assert fact["sheet"]["initiative"] == 4


def test_one_spell_with_two_numbers_is_not_cast_twice() -> None:
    at = heard(fight("plain"), "b=14", "o=9", "t b")
    assert [fact["type"] for fact in said(at, "b casts fire bolt at o, 17, 8 fire")] == [
        "action_taken",
        "attack_rolled",
        "damage_dealt",
    ]
    assert said(at, "b casts fire bolt at o, 8 fire")[-1]["amount"] == 8


@pytest.mark.parametrize(
    ("line", "who", "side"),
    [
        ("Ana the Bold 24hp ac 16, party", "ana-the-bold", "party"),
        ("Grok the orc 20hp ac 13, with the ogre", "grok-the-orc", "foes"),
        ("Grok 20hp on the goblin's side", "grok", "foes"),
        ("wolf foe hp 9 ac 12", "wolf", "foes"),
        ("3 rats hp 2 ac 9, foes", "rat-1", "foes"),
    ],
)
def test_who_joins_may_have_an_epithet_and_a_side_behind_the_numbers(line: str, who: str, side: str) -> None:
    joined = said(fight("plain"), line)[0]
    assert (joined["combatant"], joined["side"]) == (who, side)


def test_points_below_0_are_a_state_and_no_loss_of_so_many() -> None:
    at = fight("osric")
    assert said(at, "b is at -1")[0]["amount"] == 15
    assert said(at, "b -1")[0]["amount"] == 1
