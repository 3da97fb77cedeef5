"""Lines that the reader understands by itself, whatever else could read them: each means what lines of the notation say."""

import pytest
from msgspec import structs, to_builtins

from eventstore.events import ActionDeclared, ActionTaken, AttackRolled, DamageDealt, Fact
from projections.grammar.table import Table
from projections.grammar.tokens import NotUnderstood
from projections.reader.decision import decide
from tests.projections.grammar.test_line_context import heard
from tests.projections.test_grammar import table

PEOPLE = ("join ana party hp=30", "join bo party hp=30", "join gob foes hp=30")


def fight(key: str, *lines: str) -> Table:
    return heard(table(key, *PEOPLE), "r", "i ana=15 bo=12 gob=9", "t ana", *lines)


def meant(at: Table, line: str) -> list[Fact]:
    """Return what the reader alone makes of a line, without the clock."""
    meaning = decide(at.context, line).meaning
    assert meaning is not None
    return [*meaning.facts[meaning.moved :]]


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("ana lets go of gob", "gob not grappled"),
        ("ana lets gob go", "gob not grappled"),
        ("ana frees gob from the grapple", "gob not grappled"),
    ],
)
def test_whoever_holds_somebody_lets_go_in_any_words(line: str, form: str) -> None:
    at = fight("plain", "gob is grappled source=ana")
    assert meant(at, line) == [*at.tell(form).facts]


def test_nobody_else_lets_go_of_whom_somebody_holds() -> None:
    assert decide(fight("plain", "gob is grappled source=ana").context, "bo lets go of gob").meaning is None


def test_a_shove_is_told_before_the_save_that_decides_it() -> None:
    act, save = meant(fight("5e"), "ana shoves gob, str save 8 fails")
    assert (act.action.kind, save.combatant, save.succeeded, save.cause) == ("shove", "gob", False, -1)  # type: ignore[attr-defined]


def test_a_turn_is_lost_and_two_are_not() -> None:
    at = fight("plain")
    assert meant(at, "ana loses her turn") == [*at.tell("done ana").facts]
    assert decide(at.context, "ana loses 2 turns").meaning is None


def test_a_spell_slot_that_stands_alone_is_of_whoever_is_on_turn_and_one_behind_a_deed_is_not() -> None:
    at = fight("5e", "ana cast shield ana")
    (spent,) = meant(at, "slot 1")
    assert (spent.combatant, spent.resource, spent.amount) == ("ana", "level 1 spell slot", -1)  # type: ignore[attr-defined]
    found = decide(at.context, "bo hits gob for 3, slot 1")
    assert found.meaning is None or "level 1 spell slot" not in str(found.meaning.facts)


def test_two_blows_in_short_are_two() -> None:
    facts = meant(fight("plain"), "ana gob 14 6, bo gob 15 3")
    assert [fact.amount for fact in facts if hasattr(fact, "amount")] == [6, 3]


def test_what_became_of_a_spell_is_no_blow() -> None:
    at = heard(table("5e", *PEOPLE), "ana=15 bo=12 gob=9", "r", "t ana")
    found = decide(at.context, "ana casts web on gob, countered")
    likely = [found.meaning, *found.offers]
    kinds = {fact.action.kind for each in likely if each for fact in each.facts if hasattr(fact, "action")}
    assert kinds <= {"cast"}


def test_dice_are_rolled_only_where_they_are_asked_for_and_stand_beside_what_they_showed() -> None:
    at, rolls = fight("plain"), []
    at.roll = lambda notation: rolls.append(notation) or f"{notation}:{'3,4' if notation == '2d6' else '14'}"  # type: ignore[func-returns-value]
    line = "ana hits gob with a d20 for 2d6"
    assert decide(at.context, line, throws=False).meaning is None
    assert rolls == []
    _, roll, damage, note = meant(at, line)
    assert structs.asdict(roll.die)["faces"] == (14,)  # type: ignore[attr-defined]
    assert (damage.amount, damage.parts[0].dice.faces) == (7, (3, 4))  # type: ignore[attr-defined]
    assert note.text == "rolled here: d20:14; 2d6:3,4"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("how long does bless last?", "how long does bless last"),
        ("how much longer is gob stunned?", "how long is gob stunned"),
        ("when does bless end?", "when does bless end"),
        ("what is finding 2?", "finding 2"),
        ("and next?", "is next"),
    ],
)
def test_questions_are_asked_in_any_wording(line: str, words: str) -> None:
    found = decide(fight("plain").context, line).meaning
    assert found is not None
    assert found.words == words


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("all except ana take 3", "bo,gob -3"),
        ("everybody but bo and gob takes 3", "ana -3"),
        ("everyone but ana, bo and gob takes 3", ""),
        ("everyone, except for gob, is prone", "ana,bo is prone"),
        ("all of the party except bo regain 2", "ana +2"),
        ("everyone apart from gob is blinded", "ana,bo is blinded"),
        ("everyone but bo, gob takes 3", ""),
    ],
)
def test_whom_a_line_excepts_it_does_not_mean(line: str, form: str) -> None:
    at = fight("plain")
    if form:
        assert meant(at, line) == [*at.tell(form).facts]
    else:
        assert decide(at.context, line).meaning is None


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("no, 16", "16"),
        ("wait, 9", "9"),
        ("make it 5", "5"),
        ("not 6 but 5", "5 not 6"),
        ("oops, should be 5 instead of 6", "5 not 6"),
        ("not gob but ana", "ana not gob"),
        ("wait 9", ""),
        ("that's 5", ""),
    ],
)
def test_the_last_line_is_set_right_only_where_the_words_say_so(line: str, words: str) -> None:
    meaning = decide(fight("plain", "ana gob 14 6").context, line).meaning
    assert (meaning.words if meaning and meaning.rest == "correct" else "") == words


@pytest.mark.parametrize(
    "line",
    [
        "gob is no longer down",
        "gob isn't down",
        "gob back up",
        "gob is up again",
        "gob is conscious again",
        "gob comes to",
    ],
)
@pytest.mark.parametrize("key", ["plain", "osric", "definition-master"])
def test_a_status_that_was_ruled_is_lifted_in_words(key: str, line: str) -> None:
    at = heard(table(key, *PEOPLE), "gob is down")
    assert at.done.state.combatants["gob"].status != "up"
    assert heard(at, line).done.state.combatants["gob"].status == "up"


@pytest.mark.parametrize(
    ("line", "what"), [("gob is up next", "TurnStarted"), ("ana is not down", None), ("ana is back up", None)]
)
def test_nothing_is_lifted_of_whoever_is_not_down_or_comes_next(line: str, what: str | None) -> None:
    meaning = decide(heard(fight("plain"), "bo is down").context, line).meaning
    assert (type(meaning.facts[-1]).__name__ if meaning else None) == what


@pytest.mark.parametrize("key", ["plain", "osric", "5e", "definition-master"])
def test_who_is_down_or_dead_has_that_status_and_no_such_condition(key: str) -> None:
    at = table(key, *PEOPLE)
    for line in ("gob is down", "gob is dead", "gob is slain", "gob is out"):
        assert [type(fact).__name__ for fact in at.tell(line).facts] == ["RulingMade"]


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("orc chief, foes, 13 hp, AC 5", 'join "orc chief" foes hp=13 ac=5'),
        ("Quill, party, thief, 9hp AC 6", "join Quill party notes=thief hp=9 ac=6"),
        ("add Zed and Yan, foes, 9 hp each", "join Zed foes hp=9|join Yan foes hp=9"),
        ("zed joins the foes hp=8 ac=12", "join zed foes hp=8 ac=12"),
        ("Grok the orc 20hp ac 13, with gob", 'join "Grok the orc" foes hp=20 ac=13'),
        ("Grok 20hp on gob's side", "join Grok foes hp=20"),
        ("Zed 12 hp, foes, Yan 9 hp, party", ""),
        ("add zed 24 16", ""),
    ],
)
def test_a_side_stands_anywhere_behind_whoever_joins_and_one_line_has_one(line: str, form: str) -> None:
    at = fight("plain")
    meaning = decide(at.context, line).meaning
    joined = [fact for fact in meaning.facts if type(fact).__name__ == "CombatantJoined"] if meaning else []
    assert joined == [fact for each in form.split("|") if each for fact in at.tell(each).facts[:1]]


def test_two_numbers_of_a_newcomer_are_offered_as_points_and_armour_class() -> None:
    (offered,) = decide(fight("plain").context, "add zed 24 16").offers
    assert offered.facts[0].sheet == {"hp": 24, "ac": 16}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "line",
    [
        "gob takes 8 fire from the fireball", "fireball: gob takes 8", "ana's fireball: gob takes 8",
        "fireball goes off, gob takes 8", "gob fails his save vs fireball", "fireball: gob fails and takes 8",
        "fireball: gob and bo save, take 4", "fireball: gob fails, bo saves",
    ],
)  # fmt: skip
def test_what_comes_of_a_spell_of_the_turn_that_is_named_has_it_as_its_cause(line: str) -> None:
    at = fight("plain", "ana c fireball gob,bo")
    cast = len(at.records)
    assert {fact.cause for fact in at.tell(line).facts} == {cast}  # type: ignore[attr-defined]
    for before in (("ana c fireball gob",), ("done ana", "t bo")):  # two may be meant, or none of this turn
        later = decide(heard(fight("plain", "ana c fireball gob,bo"), *before).context, line).meaning
        assert later is None or all(getattr(each, "cause", None) is None for each in later.facts)


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("gob fails, bo saves", "save gob succeeded=no|save bo succeeded=yes"),
        ("ana and gob fail, bo saves", "save ana succeeded=no|save gob succeeded=no|save bo succeeded=yes"),
        ("gob fails his save, takes 8, bo saves, takes 4", "save gob succeeded=no|gob -8|save bo succeeded=yes|bo -4"),
    ],
)
def test_saves_of_several_and_what_comes_of_each_are_told_in_a_row(line: str, form: str) -> None:
    at = fight("plain")
    assert meant(at, line) == [fact for each in form.split("|") for fact in at.tell(each).facts]


def in_the_fifth_edition(*lines: str) -> Table:
    """Return a fight in which it is the turn of Ana, and Gob is dead."""
    at = heard(table("5e", *PEOPLE), "sheet gob creature=monster", "gob -99", "join orc foes hp=40 speed=30")
    return heard(at, "ana=15 bo=12 orc=9", "r", "t ana", *lines)


@pytest.mark.parametrize(
    ("line", "forms"),
    [
        ("dash", ["ana dash"]),
        ("dodge as a bonus action", ["ana dodge cost=bonus"]),
        ("grapple the orc", ["ana grapple orc"]),
        ("swim 15", ["ana goes 15ft swim"]),
        ("orc moves 30", ["orc goes 30ft"]),
        ("crit orc 11", ["ana attack orc hit -11 critical=yes"]),
        ("orc disadv 14 7 6", ["ana attack orc 2d20kl1:14,7 6"]),
        ("bo uses his reaction", ["bo other reaction cost=reaction"]),
        ("react bo", ["bo other reaction cost=reaction"]),
        ("bo reacts: shield", ["bo cast shield cost=reaction"]),
        ("orc uses a legendary action", ['orc other "legendary action" cost=legendary']),
        ("ana uses a long ladder as an action", ['ana other "long ladder" cost=action']),
        ("ana uses action surge", ['ana other "action surge"']),
        ("bo shoves the orc as a reaction", ["bo shove orc cost=reaction"]),
        ("ana attacks orc with her offhand dagger 14 6", ["ana attack dagger orc 14 6 cost=bonus manner=offhand"]),
        ("orc attacks bo, 17 to hit, 8 slashing", ["orc attack bo hit -8 total=17 parts=slashing//slashing:8"]),
        ("bo conc 14", ["save bo con 14 purpose=concentration"]),
        ("ana and bo make dex saves vs dc 15: 9 and 17",
         ["save ana dex total=9 dc=15 succeeded=no", "save bo dex total=17 dc=15 succeeded=yes"]),
        ("bo dex save with advantage 14 and 7, ok", ["save bo dex 2d20kh1:14,7 succeeded=yes"]),
        ("ana casts hold person on orc dc 14", ["ana cast hold_person orc allows_save=/14"]),
        ("bo takes 3 fire and 2 cold damage from the rift", ["bo -5 parts=rift//fire:3+rift//cold:2"]),
        ("bo takes 5 damage from the orc's club", ["bo -5 parts=club:5 source=orc"]),
        ("bo gets 2 hp from ana", ["bo +2 source=ana"]),
        ("orc falls asleep for 3 rounds", ["orc is unconscious for 3r"]),
        ("bo suffers 2 levels of exhaustion", ['bo is exhaustion detail="2"']),
        ("bo gains a level of exhaustion", ['bo is exhaustion detail="1"']),
        ("bo falls 30 feet and takes 9", ["bo goes 30ft fall", "bo -9"]),
        ("bo takes 9 damage from a 30 ft fall", ["bo goes 30ft fall", "bo -9"]),
        ("ana uses divine smite on the orc for 9 radiant",
         ['ana other "divine smite" orc', "orc -9 parts=radiant//radiant:9"]),
        ("bo second wind 7", ['bo other "second wind"', "bo +7"]),
        ("ana stabilizes bo", ["ana stabilize bo"]),
        ("bo moves away from the orc 20 ft", ["bo goes 20ft", 'place bo "away from the orc"']),
        ("ana readies a shove if the orc moves", ["ana ready shove until the orc moves"]),
        ("bo slot 2", ["pool bo level_2_spell_slot -1"]),
        ("end", ["done ana"]),
    ],
)  # fmt: skip
def test_lines_of_the_fifth_edition_are_told_of_whoever_is_on_turn_or_named(line: str, forms: list[str]) -> None:
    at = in_the_fifth_edition()
    assert told_by(at, line) == [fact for form in forms for fact in told_by(at, form, "script")]


def told_by(at: Table, line: str, how: str = "reader") -> list[dict[str, object]]:
    """Return the facts of a line by the reader alone, or by its form, without causes, effects and the clock."""
    facts = meant(at, line) if how == "reader" else [*at.tell(line).facts]
    kept = [to_builtins(each) | {"cause": 0, "name": ""} for each in facts]
    return [each for each in kept if type(each) is dict and each["type"] not in ("turn_started", "effect_started")]


@pytest.mark.parametrize(
    ("line", "types"),
    [
        ("conc ana", ["effect_started"]),
        ("conc", ["effect_started"]),
        ("conc ana ends", []),
        ("ana loses concentration", []),
        ("ana is not concentrating", []),
    ],
)
def test_concentration_is_on_what_was_cast_last_and_begins_only_where_it_is_said(line: str, types: list[str]) -> None:
    meaning = decide(in_the_fifth_edition("ana cast strange_light bo").context, line).meaning
    assert [to_builtins(each)["type"] for each in meaning.facts if meaning] == types if meaning else not types


@pytest.mark.parametrize("line", ["ana concentrates on bless", "ana is concentrating", "ana is concentrating on bless"])
def test_what_somebody_concentrates_on_already_is_a_remark(line: str) -> None:
    (note,) = meant(in_the_fifth_edition("ana cast bless bo"), line)
    assert note.text == line  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("line", "sheet"),
    [
        ("Zoe joins the wolves, hp 20/24, speed 30", {"hp": 20, "hp_max": 24, "speeds": {"walk": 30}}),
        ("join Zoe the Bold, cleric 5, 30/33 hp, AC 18", {"hp": 30, "hp_max": 33, "ac": 18, "notes": "cleric 5"}),
        ("zoe joins 12/12 ac 16", {"hp": 12, "hp_max": 12, "ac": 16}),
        ("zoe hp 24 ac 15 init +2", {"hp": 24, "ac": 15, "initiative": 2}),
        ("zoe joins party, 24 hp, wis save +5", {"hp": 24, "saves": {"wisdom": 5}}),
    ],
)
def test_newcomers_have_what_is_left_of_their_points_and_the_numbers_of_the_sheet(
    line: str, sheet: dict[str, object]
) -> None:
    (joined,) = meant(in_the_fifth_edition(), line)
    assert joined.sheet == sheet  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "line",
    ["gob is revived", "gob is raised from the dead by bo", "bo brings gob back to life", "gob is alive again"],
)
def test_the_dead_come_back_by_whatever_words(line: str) -> None:
    at = in_the_fifth_edition()
    assert heard(at, line).done.state.combatants["gob"].status == "up"


def test_nobody_who_is_up_comes_back_from_the_dead() -> None:
    assert decide(in_the_fifth_edition().context, "bo is revived").meaning is None


def test_what_a_spell_does_behind_its_save_is_its_doing() -> None:
    _, save, damage = meant(in_the_fifth_edition(), "ana casts sacred flame on orc, dex save 9 fails, 6 radiant")
    assert (save.cause, damage.cause) == (-1, -2)  # type: ignore[attr-defined]


def test_what_is_held_ready_is_carried_out_in_words() -> None:
    at = in_the_fifth_edition("ana readies an attack on orc", "t orc", "orc goes 10 ft")
    act, roll, _ = meant(at, "ana's readied attack: 15 6")
    assert (act.action.cost, act.action.targets, roll.target) == ("held", ("orc",), "orc")  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "line",
    [
        "react",
        "uses reaction",
        "reacts: shield",
        "shove orc as a reaction",
        "falls 20 feet",
        "orc crit",
        "takes the sword",
    ],
)
def test_what_befalls_somebody_or_is_done_in_anothers_turn_is_not_of_whoever_is_on_turn(line: str) -> None:
    assert decide(in_the_fifth_edition().context, line).meaning is None


@pytest.mark.parametrize("line", ["bo takes the sword", "bo takes a potion from ana", "bo triggers a trap"])
def test_a_verb_that_says_more_than_use_is_no_use_of_a_thing(line: str) -> None:
    assert decide(in_the_fifth_edition().context, line).meaning is None


@pytest.mark.parametrize("key", ["osric", "vile-darkness"])
@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("ana will cast web 3 on gob", "d ana cast web 3 gob"),
        ("ana declares web 3 on gob", "d ana cast web 3 gob"),
        ("d ana casts web 3 on gob", "d ana cast web 3 gob"),
        ("gob waits until ana moves", 'd gob hold "until ana moves"'),
        ("bo attacks gob, ana waits until gob moves", 'd bo attack gob|d ana hold "until gob moves"'),
        ("gob attacks bo, ana and bo attack gob", "d gob attack bo|d ana attack gob|d bo attack gob"),
    ],
)
def test_declarations_are_told_in_sentences_one_or_several(key: str, line: str, form: str) -> None:
    at = heard(table(key, *PEOPLE), "r", *(("phase DECLARE",) if key == "vile-darkness" else ()))
    assert meant(at, line) == [fact for each in form.split("|") for fact in at.tell(each).facts]


def test_a_round_by_its_number_ends_the_one_that_is_open_where_rounds_are_closed() -> None:
    at = heard(table("osric", *PEOPLE), "r")
    assert at.tell("round 2").facts == at.tell("r 2").facts


def test_a_name_with_a_number_before_the_first_round_is_initiative() -> None:
    at = table("definition-master", *PEOPLE)
    assert at.tell("ana 18").facts == at.tell("ana=18").facts


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("ana runs over to gob", 'place ana "to gob"'),
        ("ana sneaks behind gob", 'place ana "behind gob"'),
        ("gob kills bo", "rule override bo.status=dead gob kills bo"),
        ("trip: ana 14 vs gob 9", "contest trip ana:14 gob:9"),
        ("ana concentrates on haste", "effect haste by ana concentration=yes"),
        ("ana can't act", "done ana"),
        ("gob – 3", "gob -3"),
        ("the foes win", "over the foes win"),
        (
            "dc 13 con save: ana 15, gob 9",
            "save ana con total=15 dc=13 succeeded=yes|save gob con total=9 dc=13 succeeded=no",
        ),
    ],
)
def test_nothing_that_a_line_says_is_lost(line: str, form: str) -> None:
    at = fight("plain")
    assert [*at.tell(line).facts] == [fact for each in form.split("|") for fact in at.tell(each).facts]


@pytest.mark.parametrize(
    ("before", "line"), [("ana is grappled", "ana escapes"), ("ana -1", "gob can't act"), ("ana -1", "t ana")]
)
def test_what_may_be_something_else_or_cannot_be_now_is_not_recorded(before: str, line: str) -> None:
    at = fight("plain", before)
    with pytest.raises(NotUnderstood):
        at.tell(line)


def test_whose_casting_is_interrupted_gives_up_what_they_declared() -> None:
    at = heard(table("osric", *PEOPLE), "r", "d ana cast web 3 gob", "p5 f3")
    for line in ("ana's casting is interrupted", "ana loses her spell"):
        (fact,) = meant(at, line)
        assert (type(fact).__name__, fact.name) == ("ActionAbandoned", "web")  # type: ignore[attr-defined]


def test_a_healing_and_a_charge_that_were_declared_are_told_as_that() -> None:
    at = heard(table("osric", *PEOPLE), "r", "d ana cast cure 3 bo", "d bo charge gob", "p5 f3")
    assert [type(fact).__name__ for fact in meant(at, "ana heals bo 5")] == ["EffectStarted", "Healed"]
    assert meant(at, "bo hits gob for 8")[0].action.kind == "charge"  # type: ignore[attr-defined]


def test_a_lost_turn_behind_a_state_is_that_of_whoever_is_in_it() -> None:
    at = heard(table("plain", *PEOPLE), "r", "i ana=15 gob=12 bo=9", "t ana")
    kinds = [type(fact).__name__ for fact in at.tell("gob is stunned and loses its turn").facts]
    assert kinds == ["ConditionGained", "TurnStarted", "TurnEnded"]


def test_half_of_a_number_may_be_that_or_what_is_left() -> None:
    found = decide(fight("plain").context, "ana takes half of 12 fire damage")
    assert found.meaning is None
    assert [fact.amount for each in found.offers[:2] for fact in each.facts] == [6, 12]  # type: ignore[attr-defined]


def test_a_threat_is_confirmed_in_words_with_what_comes_of_it() -> None:
    at = fight("definition-master", "ana attack gob 20")
    roll = len(at.records)
    for line in ("confirm 18", "ana confirms 18", "ana confirms the crit with 18"):
        assert at.tell(line).facts == at.tell(f"roll ana gob 18 confirms={roll}").facts
    missed, hurt = at.tell("confirm 12, misses").facts, at.tell("ana confirms with an 18, 9 slashing").facts
    assert missed[0].hit is False  # type: ignore[attr-defined]
    assert [type(fact).__name__ for fact in hurt] == ["AttackRolled", "DamageDealt"]
    assert hurt[1].parts[0].damage_type == "slashing"  # type: ignore[attr-defined]
    for line in ("bo confirms 18", "ana confirms"):
        assert decide(at.context, line).meaning is None


def test_a_save_that_a_heavy_blow_may_ask_for_is_asked_about_unless_it_is_named() -> None:
    at = fight("definition-master", "ana -16")
    assert [fact.purpose for each in decide(at.context, "ana fort save 17").offers for fact in each.facts] == [  # type: ignore[attr-defined]
        None,
        "massive-damage",
    ]
    (named,) = meant(at, "ana saves vs massive damage 17")
    assert (named.save, named.purpose) == ("fortitude", "massive-damage")  # type: ignore[attr-defined]
    (lighter,) = meant(at, "bo fort save 17")
    assert (lighter.save, lighter.purpose) == ("fortitude", None)  # type: ignore[attr-defined]


def test_a_death_roll_above_20_is_one_of_a_hundred_where_the_game_rolls_one() -> None:
    (rolled,) = meant(fight("definition-master"), "ana death save 55")
    assert rolled.die.notation == "d%"  # type: ignore[attr-defined]
    (total,) = meant(fight("5e"), "ana death save 25")
    assert total.total == 25  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "line", ["ana swngs at gob: 15 hits for 4", "ana zorps gob 14 5", "ana thwoks gob, hits for 3"]
)
def test_a_word_that_nobody_knows_is_no_weapon_without_a_word_that_says_so(line: str) -> None:
    assert decide(fight("plain").context, line).meaning is None
    assert meant(fight("plain"), "ana hits gob with a thwok for 3")[0].action.name == "thwok"  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("line", "spell"),
    [
        ("ana casts hunter's mark on gob", "hunter's mark"),
        ("ana hunter's marks gob", "hunter's mark"),
        ("ana casts bull's strength on bo", "bull's strength"),
        ("ana casts heroes' feast", "heroes' feast"),
        ("ana guiding bolts gob", "guiding bolt"),
        ("ana tolls the dead on gob", "toll the dead"),
    ],
)
def test_a_spell_with_an_apostrophe_or_as_a_verb_is_known(line: str, spell: str) -> None:
    act = meant(fight("5e"), line)[0]
    assert (act.action.kind, act.action.name) == ("cast", spell)  # type: ignore[attr-defined]


def test_a_number_before_missiles_counts_them() -> None:
    facts = meant(fight("5e"), "ana casts 3 magic missiles at gob for 10")
    assert [type(each).__name__ for each in facts] == ["ActionTaken", "DamageDealt"]


@pytest.mark.parametrize("line", ["bo takes 2 damage from te trap", "bo fails his save trap"])
def test_what_makes_somebody_so_is_no_short_name_of_a_state(line: str) -> None:
    assert not any(type(each).__name__ == "ConditionGained" for each in meant(fight("plain"), line))


def test_a_type_of_damage_before_the_word_damage_is_no_shot() -> None:
    assert decide(fight("5e").context, "bo fire damage to gob").meaning is None


def test_who_is_done_for_is_down_and_who_is_done_has_had_the_turn() -> None:
    at = fight("plain")
    assert [type(each).__name__ for each in meant(at, "gob is done for")] == ["RulingMade"]
    assert [type(each).__name__ for each in meant(at, "ana is done for this round")] == ["TurnEnded"]
    assert not any(type(each).__name__ == "RulingMade" for each in meant(at, "ana attacks gob: 14 done for 6"))


def test_before_the_order_is_known_who_rolled_a_number_has_initiative() -> None:
    at = heard(table("5e", *PEOPLE, "join wolf*2 foes"), "init: ana 17, bo 8, gob 3")
    assert [each.total for each in meant(at, "wolves rolled 14")] == [14, 14]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "line",
    ["ana: 24, crit! 19 damage on gob", "ana: 18 hits. 7 slashing to gob", "bo rolls 14, hits. 9 damage to gob"],
)
def test_damage_behind_a_roll_that_names_nobody_else_is_that_of_the_blow(line: str) -> None:
    act, roll, damage = meant(fight("5e"), line)
    assert (roll.target, damage.target, damage.cause) == ("gob", "gob", roll.cause)  # type: ignore[attr-defined]
    assert act.action.targets == ("gob",)  # type: ignore[attr-defined]


def test_a_word_behind_with_that_nobody_knows_may_be_no_weapon() -> None:
    found = decide(fight("5e").context, "with glee, gob hits ana for 6")
    assert found.meaning is None
    assert found.offers


def test_of_several_who_are_meant_nobody_is_mixed_who_is_up_with_who_is_down() -> None:
    at = heard(fight("5e"), "join orc*3 foes hp=7", "orc-1 -7")
    assert [each.facts[-1].targets for each in decide(at.context, "2 orcs are prone").offers] == []  # type: ignore[attr-defined]
    at = heard(at, "orc-2 -7")
    assert [each.facts[-1].targets for each in decide(at.context, "2 orcs are prone").offers] == [("orc-1", "orc-2")]  # type: ignore[attr-defined]


def test_a_difficulty_behind_a_deed_is_that_of_the_save_which_it_allows() -> None:
    act, *saves = meant(fight("5e"), "gob uses fire breath on bo and ana, dc 12 con save, bo fails, ana saves")
    assert (act.action.allows_save.save, act.action.allows_save.dc) == ("con", 12)  # type: ignore[attr-defined]
    assert [(each.combatant, each.succeeded) for each in saves] == [("bo", False), ("ana", True)]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "line", ["gob breathes fire, dex save dc 14, 22 damage", "gob uses its breath on bo and ana, dc 12 con, 22 cold"]
)
def test_damage_before_the_saves_that_may_halve_it_is_not_recorded_at_once(line: str) -> None:
    assert decide(fight("5e").context, line).meaning is None


def osric() -> Table:
    """Return a fight of two sides at its declarations."""
    return heard(table("osric", *PEOPLE, "join orc*5 foes hp=9"), "r")


@pytest.mark.parametrize(
    ("line", "kind", "name"),
    [
        ("ana runs behind bo", "move", "behind bo"),
        ("orcs 1 and 2 move to the door", "move", "to the door"),
        ("the orcs attack", "attack", None),
        ("bo holds the line", "other", "hold the line"),
        ("ana preps sleep", "cast", "sleep"),
    ],
)
def test_what_people_mean_to_do_is_declared(line: str, kind: str, name: str | None) -> None:
    facts = meant(osric(), line)
    assert {(type(each).__name__, each.action.kind, each.action.name) for each in facts} == {  # type: ignore[attr-defined]
        ("ActionDeclared", kind, name)
    }


def test_two_things_that_one_declares_are_asked_about() -> None:
    assert decide(osric().context, "ana moves up and stabs gob").meaning is None


def test_what_was_told_of_one_is_told_of_another_too() -> None:
    at = heard(osric(), "i party 5 foes 2")
    rolls = [each for each in meant(at, "orc 4 misses ana, orc 5 too") if isinstance(each, AttackRolled)]
    assert [(each.combatant, each.target) for each in rolls] == [("orc-4", "ana"), ("orc-5", "ana")]
    assert decide(at.context, "orc 4 hits ana for 5, orc 5 too").meaning is None


def test_numbers_of_a_kind_with_a_comma_before_whom_they_strike_are_theirs() -> None:
    facts = meant(heard(osric(), "i party 5 foes 2"), "orc 3, 4 both miss ana")
    assert [each.combatant for each in facts if hasattr(each, "hit")] == ["orc-3", "orc-4"]  # type: ignore[attr-defined]


def test_who_kills_somebody_with_so_much_damage_struck_them() -> None:
    act, roll, damage, *_ = meant(heard(osric(), "i party 5 foes 2"), "bo cuts orc 1 down, 11 damage")
    assert (act.action.kind, roll.hit, damage.amount) == ("attack", True, 11)  # type: ignore[attr-defined]


def test_what_is_awaited_is_kept_behind_any_verb_of_waiting() -> None:
    (held,) = meant(fight("plain"), "ana holds back until gob comes closer")
    assert held.awaiting == "gob comes closer"  # type: ignore[attr-defined]


def test_damage_of_each_turn_is_not_dealt_at_once() -> None:
    assert decide(fight("plain").context, "gob is burning, takes 4 each turn").meaning is None
    (damage,) = meant(fight("plain"), "gob burns for 4")
    assert (damage.target, damage.amount) == ("gob", 4)  # type: ignore[attr-defined]


def test_a_spell_from_somebody_is_theirs_also_behind_its_target() -> None:
    facts = meant(fight("5e"), "firebolt at gob from bo, 17, 11 fire")
    assert {each.combatant for each in facts if hasattr(each, "combatant")} == {"bo"}
    assert {each.target for each in facts if hasattr(each, "target")} == {"gob"}


@pytest.mark.parametrize("line", ["gob is looking rough", "ana with advantage on gob, 23 and 11, hits for 17"])
def test_a_description_and_totals_of_which_one_counts_are_asked_about(line: str) -> None:
    assert decide(fight("5e").context, line).meaning is None


def test_how_the_fight_went_is_kept_as_typed() -> None:
    (closed,) = meant(fight("plain"), "combat over, 3 rounds")
    assert closed.reason == "3 rounds"  # type: ignore[attr-defined]


def test_a_cunning_action_is_a_bonus_action() -> None:
    act = meant(fight("5e"), "ana cunning action disengage then stabs gob for 14")[0]
    assert (act.action.kind, act.action.cost) == ("disengage", "bonus")  # type: ignore[attr-defined]


def test_who_falls_to_somebody_is_struck_by_them() -> None:
    act, roll, damage = meant(fight("plain"), "gob falls to ana's arrow, 14 damage")
    assert (act.combatant, roll.target, damage.target) == ("ana", "gob", "gob")  # type: ignore[attr-defined]
    assert [type(each).__name__ for each in meant(fight("plain"), "gob falls to ana")] == ["RulingMade"]


def test_who_is_tackled_to_the_ground_is_prone() -> None:
    (gained,) = meant(fight("plain"), "ana tackles gob to the ground")
    assert (gained.condition, gained.targets) == ("prone", ("gob",))  # type: ignore[attr-defined]


def test_r_and_the_next_number_may_be_a_round_where_somebody_is_called_so() -> None:
    at = heard(table("plain", "join ana party hp=9", "join raider*2 foes hp=9"), "r", "i ana=9 raiders=3", "t ana")
    with pytest.raises(NotUnderstood, match="round 2 may begin, or the turn of raider-2"):
        at.tell("r2")


@pytest.mark.parametrize("line", ["orc 2 n 3 are prone", "orc 2 and 3 prone", "ana casts grease, orc 2 n 3 are prone"])
def test_a_number_behind_one_of_a_kind_and_a_word_that_joins_is_another_of_it(line: str) -> None:
    at = heard(fight("plain"), "join orc*3 foes hp=9")
    assert meant(at, line)[-1].targets == ("orc-2", "orc-3")  # type: ignore[attr-defined]


def test_an_amount_behind_one_of_a_kind_is_no_number_of_it() -> None:
    at = heard(fight("plain"), "join orc*3 foes hp=9")
    fire, each = (
        [(one.target, one.amount) for one in meant(at, line) if isinstance(one, DamageDealt)]
        for line in ("ana hits orc 1 and 3 fire", "ana hits orc 1 and 3 for 5")
    )
    assert (fire, each) == ([("orc-1", 3)], [("orc-1", 5), ("orc-3", 5)])


@pytest.mark.parametrize(("key", "place"), [("plain", 0), ("5e", 2)])
def test_a_number_behind_a_blow_may_be_damage_which_comes_first_where_nobody_rolls(key: str, place: int) -> None:
    offers = decide(fight(key).context, "ana headbutts gob 3").offers
    assert [place for place, each in enumerate(offers) if isinstance(each.facts[-1], DamageDealt)] == [place]
    assert not any(
        isinstance(each.facts[-1], DamageDealt) for each in decide(fight(key).context, "ana rolls 3 at gob").offers
    )


@pytest.mark.parametrize(
    "line",
    [
        "gob is dead, orc 1 too",
        "ana casts bless on bo, gob too",
        "ana misses gob, gob too",
        "gob fears ana",
        "ana casts bane on gob, succeeds",
        "bo climbs the wall, dc 12 str",
        "ana hides, dc 12 dex",
    ],
)
def test_what_may_be_meant_otherwise_is_asked_about(line: str) -> None:
    at = heard(fight("5e"), "join orc*3 foes hp=9")
    assert decide(at.context, line).meaning is None


def test_a_chain_of_those_who_miss_too_tells_each_once() -> None:
    at = heard(fight("plain"), "join orc*3 foes hp=9")
    rolls = [each for each in meant(at, "orc 1 misses ana; orc 2 too; orc 3 too") if isinstance(each, AttackRolled)]
    assert [(each.combatant, each.target) for each in rolls] == [(f"orc-{n}", "ana") for n in (1, 2, 3)]


def test_a_roll_with_its_words_is_nobodys_number() -> None:
    at = heard(fight("plain"), "join orc*4 foes hp=9")
    assert [each.die for each in meant(at, "ana hits orc 1, 4 on the die") if isinstance(each, AttackRolled)] == [4]
    facts = meant(at, "orcs 1 and 2 attack ana, 3 attacks bo")
    assert [each.combatant for each in facts] == ["orc-1", "orc-2", "orc-3"]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("line", "forms"),
    [
        ("ana will attack gob, bo will cast web", ("d ana attack gob", "d bo cast web")),
        ("ana wants to charge gob, bo is casting web", ("d ana charge gob", "d bo cast web")),
        ("ana is going to parry, bo is going to cast web", ("d ana parry", "d bo cast web")),
    ],
)
def test_what_one_will_do_is_not_what_the_other_will_do(line: str, forms: tuple[str, ...]) -> None:
    at = heard(table("osric", *PEOPLE), "r")
    assert meant(at, line) == [fact for form in forms for fact in at.tell(form).facts]


@pytest.mark.parametrize("line", ["bo will move up", "bo will move up to gob", "bo will move 20 feet"])
def test_a_move_that_is_only_intended_is_declared_before_the_first_round_too(line: str) -> None:
    (fact,) = meant(heard(table("osric", *PEOPLE)), line)
    assert isinstance(fact, ActionDeclared)


def test_a_blow_at_nobody_is_not_the_spell_of_the_one_told_of_behind_it() -> None:
    act, spell = meant(heard(table("osric", *PEOPLE)), "ana attacks, bo casts web")
    assert isinstance(act, ActionTaken)
    assert isinstance(spell, ActionTaken)
    assert (act.combatant, act.action.targets, spell.combatant, spell.action.name) == ("ana", ("gob",), "bo", "web")


def test_what_stands_behind_a_possessive_is_no_blow() -> None:
    found = decide(fight("osric").context, "ana binds bo's wounds")
    told = [found.meaning] if found.meaning else found.offers
    assert not any(isinstance(fact, AttackRolled) for each in told for fact in each.facts)
