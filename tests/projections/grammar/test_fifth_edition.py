"""The fifth edition as people type it at a table."""

import pytest
from msgspec import to_builtins

from eventstore.events import ActionTaken, AttackRolled, ResourceChanged, RoundStarted, TurnStarted
from projections.folds.addresses import derived
from projections.folds.order import who_is_due
from projections.grammar.table import Table
from projections.grammar.tokens import NotUnderstood
from projections.mechanics.concentration import concentrated
from tests.projections.grammar.test_line_context import heard
from tests.projections.grammar.test_phrases import said
from tests.projections.test_grammar import fight, table

LISTED = 'sheet m entries=[{"name":"darts","cost":"bonus"},{"name":"fire bolt","cost":"action","level":0}]'


def round_of_brand() -> Table:
    """Return a fight in which it is the turn of Brand; Mira is next, and cast bless before it."""
    return heard(fight("5e"), LISTED, "b=14", "m=12", "o=9", "g=2", "r", "t m", "m cast bless b", "t b")


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("cast bless ana bo", "brand cast bless ana,bo"),
        ("cast bless m o l1", "b cast bless m,o|pool b level_1_spell_slot -1 ^2"),
        ("cast bless at 2nd level on m", "b cast bless m|pool b level_2_spell_slot -1 ^2"),
        ("b casts bless on m with a 3rd-level spell slot", "b cast bless m|pool b level_3_spell_slot -1 ^2"),
        ("b casts bless (2nd level) on m", "b cast bless m|pool b level_2_spell_slot -1 ^2"),
        ("m conc 14", "save m con 14 purpose=concentration"),
        ("conc m 14 ok", "save m con 14 succeeded=yes purpose=concentration"),
        ("save m con 14 ok", "save m con 14 succeeded=yes"),
        ("save m con adv 14 7 ok", "save m con 2d20kh1:14,7 succeeded=yes"),
        ("ds b 12", "save b purpose=death 12"),
        ("b death save 9 fails", "ds b 9 succeeded=no"),
        ("b hits o 14 6 slashing", "b attack o 14 6 parts=slashing//slashing:6"),
        ("b crits o for 11", "b attack o hit -11 critical=yes"),
        ("b o crit 11", "b attack o hit -11 critical=yes"),
        ("crit o 20 11", "b attack o 20 11 critical=yes"),
        ("o adv 14 7 6", "b attack o 2d20kh1:14,7 6"),
        ("b attacks o with dagger as a bonus action", "b attack dagger o cost=bonus"),
        ("b attacks o 14 6 offhand", "b attack o 14 6 cost=bonus manner=offhand"),
        ("thp b 5", "b +5t"),
        ("ready", "b holds"),
        ("ready attack o if he moves", "b ready attack o until he moves"),
        ("react m", "m other reaction cost=reaction"),
        ("m reacts: shield", "m cast shield cost=reaction"),
        ("dash", "b dash"),
        ("b disengages as a bonus action", "b disengage cost=bonus"),
        ("dodge", "b dodge"),
        ("hide 17", "b hide|dice stealth 17 combatant=b ^"),
        ("b helps m against o", "act b help m,o"),
        ("grapple o", "b grapple o"),
        ("shove o 15 vs 12", "b shove o|contest shove b:=15 o:=12 ^"),
        ("b grapples o, str save 9 fails", "b grapple o|save o str 9 succeeded=no purpose=grapple ^"),
        ("b moves 30", "b goes 30ft"),
        ("b second wind 9", 'b other "second wind"|b +9 ^'),
        ("b divine smite 9 radiant on o", 'b other "divine smite" o|o -9 parts=radiant//radiant:9 ^'),
        (
            "b casts fireball on o, dex save dc 14, o fails",
            "b cast fireball o allows_save=dex/14|save o dex dc=14 succeeded=no ^",
        ),
        (
            "b casts magic missile on o at 1st level for 11 force",
            "b cast magic_missile o|pool b level_1_spell_slot -1 ^|o -11 parts=force//force:11 ^2",
        ),
        (
            "b casts cure wounds on m with a 1st level slot, heals 11",
            "b cast cure_wounds m|pool b level_1_spell_slot -1 ^|m +11 source=b ^2",
        ),
        ("b casts healing word on m as a bonus action, heals 4", "b cast healing_word m cost=bonus|m +4 source=b ^"),
        (
            "b casts spiritual weapon as a bonus action with a 2nd level slot",
            "b cast spiritual_weapon cost=bonus|pool b level_2_spell_slot -1 ^",
        ),
        ("b dashes to 3,3", "b dash|b goes 3,3"),
        (
            "o attacks b: bite 22 to hit 9, claws 15 to hit 6",
            "o attack bite b hit -9 total=22 name=bite|o attack claws b hit -6 total=15 name=claws",
        ),
        (
            "b and m dex saves 9 and 18 vs dc 17",
            "save b dex total=9 dc=17 succeeded=no|save m dex total=18 dc=17 succeeded=yes",
        ),
        ("b and m dex saves 9 and 25", "save b dex 9|save m dex total=25"),
        ("b and m fail their dex saves 4, 7", "save b dex 4 succeeded=no|save m dex 7 succeeded=no"),
        ("b at 1,1 and m at 1,2", "place b 1,1|place m 1,2"),
        ("b moves away from o 30 ft", 'b goes 30ft|place b "away from o"'),
        ("swim 15", "b goes 15ft swim"),
        ("b grapples o: athletics 19 vs 12", "b grapple o|contest grapple b/athletics:=19 o:=12 ^"),
        ("b takes 6 from a 20 ft fall", "b goes 20ft fall|b -6 ^"),
        ("b stands up", "b stand-up"),
        ("b uses his action to dodge", "b dodge"),
        ("b uses his bonus action to dash", "b dash cost=bonus"),
        ("o uses its reaction to attack b", "o attack b cost=reaction"),
        ("b uses his action to attack o with his sword", "b attack sword o"),
        ("m uses her reaction to cast Shield", "m cast shield cost=reaction"),
        ("b uses his action to cast bless on m and g", "b cast bless m,g"),
        ("m uses her reaction", "m other reaction cost=reaction"),
        ("b casts fireball on m, g and the ogre", "b cast fireball m,g,o"),
        ("b casts fireball on the ogre and the goblin", "b cast fireball o,g"),
        ("m uses darts", "m ability darts"),
        ("m fire bolt o 14 6", "m cast fire_bolt o 14 6"),
        ("slot 2", "pool b level_2_spell_slot -1"),
        ("b gains 2 levels of exhaustion", 'b is exhaustion detail="2"'),
        ("g is poisoned for 3 rounds", "g is poisoned for 3r"),
        ("b takes 3 damage from falling 20 feet", "b goes 20ft fall|b -3 ^"),
        ("b takes 3 damage from a 20 ft fall", "b goes 20ft fall|b -3 ^"),
        ("b falls 20 feet for 7 bludgeoning", "b goes 20ft fall|b -7 parts=bludgeoning//bludgeoning:7 ^"),
        ("b falls 20 feet", "b goes 20ft fall"),
        ("b falls back 20 feet", "b goes 20ft"),
        ("b nat 20 on death save", "ds b 20"),
        ("m uses shield as a reaction", "m cast shield cost=reaction"),
        ("b uses his rope as an action", "b other rope cost=action"),
        ("b uses a potion as a bonus action", "b other potion cost=bonus"),
        ("g falls asleep", "g is unconscious"),
        ("g sleeps for 3 rounds", "g is unconscious for 3r"),
        ("g is sleeping", "g is unconscious"),
        ("o provokes an opportunity attack from b: 14 hits for 3", "b attack o 14 hit -3 cost=opportunity"),
        (
            "b casts sacred flame on o, dex save 9 fails, 6 radiant",
            "b cast sacred_flame o|save o dex 9 succeeded=no ^|o -6 parts=radiant//radiant:6 ^2",
        ),
        (
            "b casts sacred flame on o: dex save 9 fails, takes 6 radiant damage",
            "b cast sacred_flame o|save o dex 9 succeeded=no ^|o -6 parts=radiant//radiant:6 ^2",
        ),
        (
            "b casts grease on o: dex save 9 fails, falls prone",
            "b cast grease o|save o dex 9 succeeded=no ^|o is prone ^2",
        ),
    ],
)
def test_lines_of_the_fifth_edition_mean_what_their_forms_say(line: str, meant: str) -> None:
    newcomers = ("join ana party hp=9", "join bo party hp=9") if "ana" in line else ()
    at, other = (heard(round_of_brand(), *newcomers) for _ in range(2))
    assert recorded(at, line) == recorded(other, *meant.split("|"))


def recorded(at: Table, *lines: str) -> list[dict[str, object]]:
    """Return what lines record one after the other, their causes as numbers of records."""
    before = len(at.records)
    facts = {one.seq: to_builtins(one.event) for one in heard(at, *lines).records[before:]}
    causes = {seq: fact["cause"] for seq, fact in facts.items() if "cause" in fact}
    return [fact | {"cause": seq * (causes.get(seq, 1) < 0) + causes.get(seq, 0)} for seq, fact in facts.items()]


@pytest.mark.parametrize(
    "line", ["cast web at 2nd level on o conc", "cast web o conc 1 min", "b web on o, conc", "b casts web on o, conc"]
)
def test_concentration_that_a_line_states_is_recorded_once(line: str) -> None:
    assert effects_of(round_of_brand(), line) == [("web", "brand", ["ogre"], True)]


def test_newcomers_join_as_people_type_them() -> None:
    at = table("5e")
    assert said(at, "wolf joins foes 11 hp init 12") == said(at, "join wolf foes hp=11 init 12")
    assert said(at, "Ana 24hp ac 16") == said(at, "join Ana hp=24 ac=16")


def test_concentration_begins_with_the_spell_that_was_cast_and_ends_as_it_is_said() -> None:
    at = heard(round_of_brand(), "t m", "m cast unheard-of b")
    cast = len(at.records)
    (begun,) = said(at, "conc")
    assert (begun["effect"], begun["source"], begun["cause"]) == ("unheard-of", "mira", cast)
    assert begun["concentration"]
    at = heard(at, "conc m")
    for line in ("m loses concentration", "conc m ends"):
        assert said(at, line) == said(at, "ends unheard-of by m")


def effects_of(at: Table, line: str) -> list[tuple[str, str, list[str], bool]]:
    """Return name, source, targets and concentration of the effects that begin with a line."""
    begun = [each for each in said(at, line) if each["type"] == "effect_started"]
    return [
        (each["effect"], each["source"], each.get("targets", []), each.get("concentration", False)) for each in begun
    ]


@pytest.mark.parametrize(
    ("line", "effect", "targets"),
    [
        ("b casts bless on b, m", "bless", ["brand", "mira"]),
        ("b casts bless on m", "bless", ["mira"]),
        ("b casts shield of faith", "shield of faith", []),
        ("b casts shield of faith on m as a bonus action", "shield of faith", ["mira"]),
        ("cast bless l2 m", "bless", ["mira"]),
        ("b casts haste on m for 10 rounds", "haste", ["mira"]),
        ("b casts hold person on o", "hold person", []),
        ("b casts hold person on o, o wis save 9 fails", "hold person", ["ogre"]),
    ],
)
def test_who_casts_a_spell_that_is_known_to_need_concentration_concentrates_on_it(
    line: str, effect: str, targets: list[str]
) -> None:
    at = round_of_brand()
    assert effects_of(at, line) == [(effect, "brand", targets, True)]
    assert concentrated(heard(at, line).done.state.effects, "brand")


@pytest.mark.parametrize(
    "line", ["b casts cure wounds on m", "b casts unheard-of on m", "b casts hallow", "act b cast bless time=10"]
)
def test_a_spell_that_needs_none_or_takes_long_or_is_unknown_begins_no_concentration(line: str) -> None:
    assert effects_of(round_of_brand(), line) == []


def test_a_sheet_by_which_a_spell_needs_no_concentration_has_the_last_word() -> None:
    at = heard(round_of_brand(), 'sheet b entries=[{"name":"bless","level":1}]')
    assert effects_of(at, "b casts bless on m") == []


def test_a_second_spell_ends_the_concentration_on_the_first() -> None:
    state = heard(round_of_brand(), "b casts bless on m", "b casts haste on m").done.state
    assert [each.name for each in state.effects.values() if each.source == "brand"] == ["haste"]


def test_a_condition_that_the_spell_brings_about_ends_with_the_concentration() -> None:
    at = heard(round_of_brand(), "b casts hold person on o: wis save 9 fails, paralyzed")
    assert [each.name for each in at.done.state.conditions.values()] == ["paralyzed"]
    at = heard(at, "b loses concentration")
    assert "paralyzed" not in str(getattr(derived(at.done.state, "ogre.conditions"), "value", ""))


def test_that_a_combatant_concentrates_on_what_runs_already_is_a_note() -> None:
    at = heard(round_of_brand(), "b casts hold person on o")
    for line in ("b concentrates on hold person", "b is concentrating"):
        assert [each["type"] for each in said(at, line)] == ["noted"]


def test_whoever_is_told_to_concentrate_on_a_spell_that_needs_none_hears_of_it() -> None:
    at = round_of_brand()
    for line in (
        "b casts cure wounds on m conc",
        "m casts fire bolt on o conc",
        "effect aid by b on m concentration=yes",
    ):
        assert at.tell(line).advice.endswith(" needs no concentration; u takes this back"), line
    for line in ("b casts cure wounds on m", "b casts bless on m conc", "b casts unheard-of on m conc"):
        assert at.tell(line).advice == "", line
    own = heard(
        at, 'sheet b entries=[{"name":"aid","level":2,"concentration":true},{"name":"darts","concentration":false}]'
    )
    assert own.tell("effect aid by b on m concentration=yes").advice == ""
    assert own.tell("effect darts by b on m concentration=yes").advice == ""


def test_a_slot_is_spent_by_the_last_spell_of_its_caster_in_the_turn() -> None:
    at = heard(round_of_brand(), "b cast web o")
    assert said(at, "slot 2")[0]["cause"] == len(at.records) - 1
    assert "cause" not in said(at, "m slot 2")[0]


def test_a_slot_of_nobody_is_refused() -> None:
    with pytest.raises(NotUnderstood):
        heard(fight("5e")).tell("slot 2")


def test_a_blow_as_a_reaction_is_what_was_held_ready() -> None:
    at = heard(round_of_brand(), "b ready attack o until he moves", "t o")
    assert points_of(heard(at, "b reacts: o 14 6"), "brand.held", "brand.left.reaction") == ["none", 0]
    assert said(at, "m reacts: o 14 6")[0]["action"]["cost"] == "reaction"


def test_a_feature_is_no_blow_and_a_reaction_is_somebodys() -> None:
    at = round_of_brand()
    with pytest.raises(NotUnderstood, match="darts is a feature, and no blow"):
        at.tell("m darts o 14 6")
    with pytest.raises(NotUnderstood):
        at.tell("react")


def test_an_act_or_a_death_save_begins_the_turn_that_comes_next_and_a_reaction_none() -> None:
    at = heard(round_of_brand(), "t o")
    assert at.tell("g dash").facts[0] == TurnStarted(combatant="goblin")
    assert at.tell("ds g 12").facts[0] == TurnStarted(combatant="goblin")
    assert at.tell("g b 14 6 cost=opportunity").moved == 0
    assert at.tell("g talk").stays.startswith("this may be in any turn")
    at = heard(at, "g dash")
    assert at.tell("b dash").facts[:2] == (RoundStarted(round=2), TurnStarted(combatant="brand"))


def test_a_walk_to_a_square_begins_where_somebody_stands() -> None:
    at = heard(round_of_brand(), "place b 0,1")
    assert said(at, "b moves to 4,3")[0]["path"] == [[0, 1], [4, 3]]
    assert said(at, "m moves to 4,3")[0]["path"] == [[4, 3]]


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("zed joins wolves, hp 20/24, speed 30", "join zed wolves hp_max=24 hp=20 speed=30"),
        ("zed joins the wolves with 7 hp", "join zed wolves hp=7"),
        ("zed hp 24 ac 15 init +2", "join zed hp=24 ac=15 initiative=+2"),
        ("zed joins party, 24 hp, dex save +5", "join zed party hp=24 dex_save=5"),
        ("zed joins party, 24 hp, initiative 15", "join zed party hp=24 init 15"),
        ("20/24 hp zed joins", None),
        ("zed joins quickly", None),
        ("zed joins party, 24 hp, dex +2", None),
        ("zed joins party, 24 hp, luck 2", None),
    ],
)
def test_who_joins_is_told_with_the_numbers_of_the_sheet_and_a_side_that_is_new(line: str, meant: str | None) -> None:
    at = table("5e")
    if meant is None:
        with pytest.raises(NotUnderstood):
            at.tell(line)
    else:
        assert said(at, line) == said(at, meant)


def test_end_alone_ends_the_turn_that_goes_on_and_the_round_once_nobody_is_to_act() -> None:
    at = round_of_brand()
    assert [fact["type"] for fact in said(at, "end")] == ["turn_ended"]
    at = heard(at, "end")
    with pytest.raises(NotUnderstood, match="no turn goes on, and ogre is still to act"):
        at.tell("end")
    while who := who_is_due(at.done.state).value:
        at = heard(at, f"t {who[0]}", "end")
    assert [fact["type"] for fact in said(at, "end")] == ["round_ended"]
    with pytest.raises(NotUnderstood, match="round 1 has ended"):
        heard(at, "end").tell("end")


def test_saves_of_several_each_have_their_outcome_and_a_shove_the_condition_that_it_leaves() -> None:
    at = round_of_brand()
    assert said(at, "dex saves: o 12 fails, g 18 ok") == [
        *said(at, "save o dex 12 fail"),
        *said(at, "save g dex 18 ok"),
    ]
    act, gained = said(at, "b shoves o prone")
    assert act["action"]["kind"] == "shove"
    assert (gained["condition"], gained["targets"], gained["source"], gained["cause"]) == (
        "prone",
        ["ogre"],
        "brand",
        -1,
    )
    assert said(at, "crit b o 11") == said(at, "b crits o for 11")


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("o attacks Brand, but misses", "o misses b"),
        ("o attacks b but misses", "o misses b"),
        ("b rolls 15 on his death save", "ds b 15"),
        ("b makes a death save and gets a 12", "ds b 12"),
        ("b fails his death save", "save b purpose=death succeeded=no"),
        ("b passes a death save", "save b purpose=death succeeded=yes"),
        ("b takes the Dodge action", "b dodge"),
        ("b Dodge", "b dodge"),
        ("b makes a concentration check, 9 fails", "save b con 9 succeeded=no purpose=concentration"),
        ("b rolls 13 on his concentration check", "save b con 13 purpose=concentration"),
        (
            "o bites b for 19 piercing and 7 fire",
            "o attack bite b hit -26 parts=piercing//piercing:19+fire//fire:7 name=bite",
        ),
        ("b hits o 14 6 slashing 3 fire", "b attack o 14 9 hit=yes parts=slashing//slashing:6+fire//fire:3"),
        (
            "b hits o 14 2d6:5,1+3 slashing",
            "b attack o 14 9 hit=yes parts=slashing//slashing:2d6:5,1+bonus//slashing:3",
        ),
        ("g takes 6 poison, 3 fire and 2 cold damage", "g -11 parts=poison//poison:6+fire//fire:3+cold//cold:2"),
        ("g takes 2d6:5,1 poison", "g -6 parts=poison//poison:2d6:5,1"),
        ("b uses his reaction to attack o 14 6", "b attack o 14 6 cost=reaction"),
        ("o uses a legendary action", 'o other "legendary action" cost=legendary'),
        ("o uses a legendary action to attack b 17 8", "o attack b 17 8 cost=legendary"),
        ("m casts cure wounds on b for 9 hp", "m cast cure_wounds b +9 source=m"),
        ("m casts healing word on b, 7", "m cast healing_word b +7 source=m"),
        ("m heals b with cure wounds for 9", "m cast cure_wounds b +9 source=m"),
        ("m casts hold person on o dc 14", "m cast hold_person o allows_save=/14"),
        ("m casts fireball at o and g, DC 15 dex save", "m cast fireball o,g allows_save=dex/15"),
        ("b takes the Help action", "b help"),
        ("b dex save total 17", "save b dex total=17"),
        ("b attacks o, 10 to hit, 8 slashing", "b attack o hit -8 total=10 parts=slashing//slashing:8"),
        ("b attacks o 9 to hit, miss", "b attack o miss total=9"),
        ("b attacks o, natural 20, 8", "b attack o 20 8"),
        ("o claws b 21 to hit, 14", "o attack claws b hit -14 total=21 name=claws"),
        ("o attacks b with fangs 16 to hit, 14", "o attack fangs b hit -14 total=16 name=fangs"),
        (
            "o legendary action: tail attack on b 24 to hit, 17",
            "o attack tail b hit -17 total=24 name=tail cost=legendary",
        ),
        ("o takes a legendary action: stare", "o other stare cost=legendary"),
        ("o uses its lair action on initiative 20", 'o other "lair action" cost=lair'),
        ("o is stunned until the end of b's next turn", "o is stunned for 1r/b/end"),
        ("o is stunned until the start of b's next turn", "o is stunned for 1r/b/start"),
        ("b is exhausted", "b is exhaustion"),
        ("m stabilises b", "m stabilize b"),
        ("b uses his action to stand up", "b stand-up"),
        ("b fails his concentration check with a 4", "save b con 4 succeeded=no purpose=concentration"),
        ("b con save 12 to keep concentration", "save b con 12 purpose=concentration"),
        ("m regains a level 1 slot", "pool m level_1_spell_slot +1"),
        ("m's bless hits o 17 6", "m attack bless o 17 6 name=bless"),
        ("b uses action surge", 'b other "action surge"'),
        ("b multiattacks o 14 6, 3 miss", "b attacks o twice: 14 6, 3 miss"),
        ("b breathes fire on o and m", 'b other "breathe fire" o,m'),
    ],
)
def test_what_a_game_master_said_without_the_reference_means_what_its_form_says(line: str, meant: str) -> None:
    at = round_of_brand()
    assert said(at, line) == said(at, meant)


@pytest.mark.parametrize(
    ("line", "column", "why"),
    [
        ("orc-7 attacks Brand", 1, "there is no combatant orc-7"),
        ("z2 hits ana 5", 1, '"z2" and "ana" are not understood'),
        ("Brand's wolf bites ogre", 9, "there is no combatant wolf"),
        ("initiative Brand 20, gorgon 5", 22, "there is no combatant gorgon"),
        ("dex save ogre 9, gorgon 4, dc 15", 18, "there is no combatant gorgon"),
        ("sheet o hp=99999999999999999999", 12, "99999999999999999999 is out of range"),
    ],
)
def test_the_word_that_is_wrong_is_named_in_full(line: str, column: int, why: str) -> None:
    with pytest.raises(NotUnderstood) as caught:
        round_of_brand().tell(line)
    assert (caught.value.column, caught.value.why) == (column, why)


def test_a_legendary_action_is_no_turn_of_its_own() -> None:
    at = round_of_brand()
    for line in ("o uses a legendary action", "o uses its lair action"):
        assert [type(fact) for fact in at.tell(line).facts] == [ActionTaken]
    assert [type(fact) for fact in at.tell("o dodges").facts] == [TurnStarted, ActionTaken]


def test_an_ordinal_alone_is_no_slot() -> None:
    at = round_of_brand()
    assert said(at, "b casts bless at 2nd on m") == said(at, "b casts bless at level 2 on m")
    for line in ("b casts bless on m for the 2nd time", "b casts hold person on the 2nd goblin"):
        try:
            facts = at.tell(line).facts
        except NotUnderstood:
            continue
        assert not any(isinstance(fact, ResourceChanged) for fact in facts), line


@pytest.mark.parametrize("line", ["b o disadvantage 14 7", "b rolls 7 against o"])
def test_of_a_roll_that_does_not_say_whether_it_hits_both_are_offered(line: str) -> None:
    at = round_of_brand()
    with pytest.raises(NotUnderstood) as caught:
        at.tell(line)
    told = [at.tell(each).facts for each in caught.value.offers]
    rolls = [fact for facts in told for fact in facts if isinstance(fact, AttackRolled)]
    assert [roll.hit for roll in rolls] == [True, False]
    assert {getattr(roll.die, "faces", roll.die) for roll in rolls} <= {(14, 7), 7}


@pytest.mark.parametrize("line", ["b attacks o with advantage, 22 hits, 11 slashing", "b attacks o 17 with advantage"])
def test_advantage_without_its_dice_is_asked_for_both(line: str) -> None:
    with pytest.raises(NotUnderstood) as caught:
        round_of_brand().tell(line)
    assert caught.value.hint == (
        "advantage is given with both dice, after the target: adv 14 7; with a total, leave it out"
    )


def test_who_keeps_concentration_is_asked_whether_that_was_a_save() -> None:
    at = round_of_brand()
    with pytest.raises(NotUnderstood) as caught:
        at.tell("b keeps concentration")
    (offer,) = caught.value.offers
    assert at.tell(offer).facts == at.tell("save brand con succeeded=yes purpose=concentration").facts


def test_a_quoted_name_that_joins_is_no_remark() -> None:
    with pytest.raises(NotUnderstood) as caught:
        round_of_brand().tell('"<b>=cmd|x</b>" joins goblins, 12 hp')
    assert caught.value.hint == 'the name stands after the word: join "<b>=cmd|x</b>"'
    assert said(round_of_brand(), '"We are lost!" shouts the mage.')[0]["type"] == "noted"


def test_a_constitution_save_of_one_who_owes_a_save_for_concentration_is_asked_about() -> None:
    at = heard(round_of_brand(), "b casts bless on b and m, conc", "o b -9")
    for line in ("b con save 7 fails", "save b con 7", "b fails con save"):
        with pytest.raises(NotUnderstood) as caught:
            at.tell(line)
        assert caught.value.why == "brand owes a save for concentration, and this may be another one"
        assert "purpose=concentration`" in caught.value.hint
    assert said(at, "save b con 7 purpose=concentration")[0]["purpose"] == "concentration"
    assert said(at, "save b con 7 cause=5")[0]["cause"] == 5
    assert said(at, "save b dex 7")[0]["save"] == "dex"
    assert said(at, "save m con 7")[0]["combatant"] == "mira"


def conditions(at: Table) -> object:
    """Return the conditions of the ogre."""
    found = derived(at.context.state, "ogre.conditions")
    return found and found.value


def test_a_condition_without_a_cause_is_noted_while_a_spell_runs_that_may_impose_it() -> None:
    at = heard(round_of_brand(), "b casts hold person on o conc")
    advice = at.tell("o is stunned").advice
    assert advice.startswith("this stays when hold person ends; if hold person does it")
    line = advice.rpartition("`")[0].rpartition("`")[2]
    assert at.tell(line).advice == ""
    assert at.tell("g is stunned").advice == ""
    assert conditions(heard(at, line)) == ["incapacitated", "stunned"]
    assert conditions(heard(at, line, "b drops concentration")) == []


def test_a_combatant_of_no_kind_that_falls_to_0_is_noted() -> None:
    at = heard(fight("5e"), "join Kit party hp=5", "join Rex party hp=5 creature=monster")
    assert at.tell("kit -5").advice.startswith("kit is no character and no monster by its sheet")
    assert at.tell("kit -99").advice == ""  # so much damage kills anybody
    assert at.tell("kit -1").advice == ""
    assert at.tell("rex -5").advice == ""


@pytest.mark.parametrize(
    ("line", "who", "status"),
    [
        ("3 wolves join foes hp=5", "wolf-1", "dead"),
        ("join wolf*3 party hp=5", "wolf-3", "dead"),
        ("join Worg foes hp=5", "worg", "dead"),
        ("join Zed the rogue foes 5 hp", "zed", "dying"),
        ("join Zed foes, rogue 5, 5 hp", "zed", "dying"),
        ("join Zed foes hp=5 creature=character", "zed", "dying"),
        ("join Lia party, cleric 2, 5 hp", "lia", "dying"),
    ],
)
def test_how_somebody_joins_decides_what_becomes_of_them_at_0_and_nothing_is_noted(
    line: str, who: str, status: str
) -> None:
    at = heard(fight("5e"), line)
    assert at.tell(f"{who} -5").advice == ""
    assert heard(at, f"{who} -5").context.state.combatants[who].status == status


def test_who_is_stabilized_is_stable() -> None:
    (gained,) = said(round_of_brand(), "o is stabilized by b")
    assert (gained["condition"], gained["source"]) == ("stable", "brand")


@pytest.mark.parametrize(
    ("line", "sheet"),
    [
        ("join Sister Anna, cleric 5, 30/33 hp, AC 18", {"notes": "cleric 5", "hp_max": 33, "hp": 30, "ac": 18}),
        ("Bor the fighter joins with 38 hp and ac 16", {"notes": "fighter", "hp": 38, "ac": 16}),
        ("zed joins 38/38 ac 16", {"hp_max": 38, "hp": 38, "ac": 16}),
        ("Wim cleric 11 hp", {"notes": "cleric", "hp": 11}),
    ],
)
def test_who_joins_is_told_with_class_and_level_and_what_is_left_of_the_hit_points(
    line: str, sheet: dict[str, object]
) -> None:
    (joined,) = said(round_of_brand(), line)
    assert joined["sheet"] == sheet


def test_who_is_in_the_fight_does_not_join_it_again() -> None:
    with pytest.raises(NotUnderstood) as caught:
        round_of_brand().tell("join brand hp 5")
    assert caught.value.hint.startswith("brand is in the fight: ")


def test_where_to_somebody_flies_or_climbs_may_be_said() -> None:
    at = round_of_brand()
    assert said(at, "b flies up 15 ft") == said(at, "b flies 15 ft")
    assert said(at, "b climbs down 10") == said(at, "b climbs 10")


@pytest.mark.parametrize("line", ["what is b's ac", "what ac does b have?", "what is the ac of b?"])
def test_a_question_about_a_number_of_the_sheet_is_about_that(line: str) -> None:
    asked = round_of_brand().tell(line)
    assert (asked.rest, asked.words) == ("why", "brand.ac")


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("o takes 7 fire damage from the fireball", "o -7 parts=fire//fire:7 cause=16"),
        ("o takes 7 from b's fireball", "o -7 cause=16"),
        ("7 damage to o from fireball", "o -7 cause=16"),
        (
            "o and g make dex saves vs fireball dc 15: 9 and 17",
            "save o dex total=9 dc=15 succeeded=no cause=16|save g dex total=17 dc=15 succeeded=yes cause=16",
        ),
        ("b takes 2 cold damage from the trap", "b -2 parts=trap//cold:2"),
        ("b takes 3 fire and 2 cold damage from the rift", "b -5 parts=rift//fire:3+rift//cold:2"),
        ("b loses 3 hp from poison", "b -3 parts=poison//poison:3"),
        ("b takes 5 damage from the ogre's club", "b -5 parts=club:5 source=o"),
        ("b takes 5 damage from o", "b -5 source=o"),
        ("b regains 6 hp from a potion of healing", "b +6 parts=potion_of_healing:6"),
        ('b takes 3 damage from "the trap"', "b -3 parts=the_trap:3"),
        ("b gets 2 hp from m", "b +2 source=m"),
        ("b is healed for 2 by m", "b +2 source=m"),
        ("o regains 2 hp from b's fireball", "o +2 cause=16"),
        ("b gets 7 temp hp from an inspiring leader", "b +7t parts=inspiring_leader:7"),
        ("o gets 7 temp hp from fireball", "o +7t cause=16"),
    ],
)
def test_what_points_come_from_is_an_act_a_combatant_or_a_part_by_its_name(line: str, meant: str) -> None:
    at = heard(round_of_brand(), "b cast fireball o,g")
    assert said(at, line) == [fact for each in meant.split("|") for fact in said(at, each)]


@pytest.mark.parametrize(
    ("line", "column", "hint"),
    [
        ("b takes 3 from 4", 1, "write `note b takes 3 from 4`"),
    ],
)
def test_damage_from_what_is_not_understood_is_refused_where_that_stands(line: str, column: int, hint: str) -> None:
    with pytest.raises(NotUnderstood) as refused:
        round_of_brand().tell(line)
    assert (refused.value.column, refused.value.hint) == (column, hint)


@pytest.mark.parametrize("line", ["b's ac and o's?", "can zed act?", "is it raining?"])
def test_a_question_about_two_or_about_nobody_is_refused_with_one_that_can_be_asked(line: str) -> None:
    with pytest.raises(NotUnderstood):
        round_of_brand().tell(line)


@pytest.mark.parametrize(
    "line",
    [
        "zed joins hp 7 ac 15 as a foe",
        "join zed hp 7 ac 15 side foes",
        "join zed as a foe, hp 7, ac 15",
        "zed joins on the foes' side, hp 7, ac 15",
    ],
)
def test_the_side_of_a_newcomer_may_stand_behind_its_numbers(line: str) -> None:
    assert said(fight("5e"), line) == said(fight("5e"), "join zed foes hp=7 ac=15")


def test_a_number_of_a_sheet_without_hit_points_or_a_verb_lets_nobody_join() -> None:
    at = fight("5e")
    for line in ("zed investigation 12", "zed speed 30"):
        with pytest.raises(NotUnderstood):
            at.tell(line)
    assert said(at, "zed 12 hp speed 30") == said(at, "join zed hp=12 speed=30")


def test_a_move_from_somewhere_is_not_taken_for_points_from_there() -> None:
    with pytest.raises(NotUnderstood) as refused:
        round_of_brand().tell("b walks 3 squares from the door")
    assert "comes from" not in str(refused.value)


def test_words_behind_a_comma_are_no_place() -> None:
    with pytest.raises(NotUnderstood):
        round_of_brand().tell("b runs 30 feet away, provoking")


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("b shoves o 15 vs 12", True),
        ("b shoves o 12 vs 12", False),
        ("b shoves o 9 vs 12", False),
        ("b shoves o: athletics 15 vs 12", True),
        ("contest shove b:9+5 o:12", True),
        ("contest shove o:9 b:12", False),
        ("b shoves o, str save 9 fails", True),
        ("b shoves o, str save 19 ok", False),
        ("b grapples o 15 vs 12", False),
    ],
)
def test_a_shove_that_succeeds_offers_what_comes_of_it(line: str, offered: bool) -> None:
    fight = round_of_brand()
    found = fight.hear(line)
    lines = ("ogre is prone source=brand ^", "ogre goes 5ft forced=yes ^")
    assert found.offers == (lines if offered else ())
    assert ("this shove has succeeded" in found.advice) is offered
    for each in found.offers:
        fight.hear(each)
    assert not offered or [type(one.event).__name__ for one in list(fight.done.state.moments.values())[-2:]] == [
        "ConditionGained",
        "Moved",
    ]


HOLDING = (
    "join Bo party hp=40 speed=30",
    "join Wiz party hp=20 spells=magic_missile,bless",
    "join Orc foes hp=30",
    "r",
    "i bo=15 wiz=12 orc=9",
    "t bo",
    "b readies an attack on orc if he comes close",
    "t wiz",
    "wiz readies magic missile on orc",
    "t orc",
    "orc goes 20 ft",
)


@pytest.mark.parametrize(
    ("line", "who"),
    [
        ("bo attacks orc 15 6", "bo"),
        ("bo attacks orc", "bo"),
        ("bo's readied attack: 15 6", "bo"),
        ("bo releases his attack on orc: 15 6", "bo"),
        ("bo attacks orc 15 6 cost=held", "bo"),
        ("bo attacks orc 15 6 cost=reaction", "bo"),
        ("wiz casts magic missile on orc", "wiz"),
        ("wiz uses his reaction to cast magic missile on orc", "wiz"),
        ("wiz releases magic missile", "wiz"),
    ],
)
def test_what_was_readied_is_done_with_the_reaction_in_the_turn_of_another(line: str, who: str) -> None:
    at = table("5e", *HOLDING)
    before = at.done.state.clock.turn_event
    at.hear(line)
    state = at.done.state
    assert state.clock.turn_event == before
    assert points_of(at, f"{who}.held", f"{who}.left.reaction") == ["none", 0]
    assert points_of(at, "wiz.concentration") == ["magic missile" if who == "bo" else "none"]


@pytest.mark.parametrize(
    "line", ["bo readies to move 30 ft", "bo readies a move away", "bo readies to run away", "bo holds"]
)
def test_a_move_that_was_readied_in_any_words_takes_the_reaction(line: str) -> None:
    at = table("5e", *HOLDING[:6], f"{line} until orc comes close", "t orc", "bo moves 30 ft")
    assert (at.done.state.clock.turn, at.done.state.clock.round) == ("orc", 1)
    assert points_of(at, "bo.held", "bo.left.reaction") == ["none", 0]


@pytest.mark.parametrize("key", ["plain", "5e", "definition-master"])
@pytest.mark.parametrize(
    ("what", "act"),
    [
        ("to move 30 ft", {"kind": "move", "name": "move 30 ft"}),
        ("to run away", {"kind": "move"}),
        ("an attack on orc with a bow", {"kind": "attack", "name": "bow", "targets": ["orc"]}),
        ("to shoot orc with his bow", {"kind": "attack", "name": "bow", "targets": ["orc"]}),
        ('"pull the lever"', {"kind": "other", "name": "pull the lever"}),
        ("a spell", {"kind": "cast"}),
    ],
)
def test_what_is_readied_is_kept_as_it_is_told(key: str, what: str, act: dict[str, object]) -> None:
    at = table(key, "join Bo party hp=40", "join Orc foes hp=30", "r", "i bo=15 orc=9", "t bo")
    (held,) = said(at, f"bo readies {what} if orc comes close")
    assert (held["action"], held["awaiting"]) == (act, "orc comes close")


@pytest.mark.parametrize(
    ("readied", "done", "held"),
    [
        ("an attack", "bo attacks orc as a reaction 15 6", "none"),
        ("a shove", "bo shoves orc as a reaction", "none"),
        ("a grapple", "bo uses his reaction to grapple orc", "none"),
        ("an attack on wiz", "bo attacks orc as a reaction 15 6", "attack"),
        ("an attack", "bo shoves orc as a reaction", "attack"),
        ("an attack", "act bo attack orc cost=reaction trigger=-1", "attack"),  # it may be one of opportunity
    ],
)
def test_a_blow_readied_for_any_foe_is_done_as_a_reaction_that_answers_nothing_else(
    readied: str, done: str, held: str
) -> None:
    at = table("5e", *HOLDING[:6], f"b readies {readied} if somebody comes close", "t orc", "orc goes 20 ft", done)
    assert points_of(at, "bo.held", "bo.left.reaction") == [held, 0]


def points_of(at: Table, *addresses: str) -> list[object]:
    found = (derived(at.done.state, each) for each in addresses)
    return [each and each.value for each in found]


@pytest.mark.parametrize(
    "lines",
    [
        ("wiz casts bless on bo",),
        ("bo attacks wiz 15 6",),
        ("bo attacks orc 15 6", "bo attacks orc 15 6"),
        ("bo other reaction cost=reaction", "bo attacks orc 15 6"),
    ],
)
def test_what_was_not_readied_or_cannot_be_done_any_more_waits_for_the_own_turn(lines: tuple[str, ...]) -> None:
    at = table("5e", *HOLDING)
    *before, last = lines
    for line in before:
        at.hear(line)
    found = at.tell(last)
    assert found.stays or any(isinstance(each, TurnStarted) for each in found.facts)


@pytest.mark.parametrize("key", ["plain", "5e", "definition-master"])
def test_in_every_game_with_readied_acts_one_is_done_in_the_turn_of_another(key: str) -> None:
    own = (line.partition(" speed")[0].partition(" spells")[0] for line in HOLDING[:3])
    at = table(key, *own, *HOLDING[3:7], "t orc", "orc goes 20 ft")
    found = at.hear("bo attacks orc 15 6")
    assert [type(each).__name__ for each in found.facts[:2]] == ["ActionTaken", "AttackRolled"]
    act = found.facts[0]
    assert isinstance(act, ActionTaken)
    assert act.action.cost == "held"


def test_a_readied_move_takes_the_reaction() -> None:
    at = table("5e", *HOLDING[:6], "b readies move if orc comes close", "t orc", "bo goes 20 ft")
    assert at.done.state.clock.turn == "orc"
    assert points_of(at, "bo.held", "bo.left.reaction") == ["none", 0]


@pytest.mark.parametrize(
    ("line", "points"),
    [
        ("g is revived", 1),
        ("g is raised from the dead", 1),
        ("g is alive again", 1),
        ("g comes back to life with 2 hp", 2),
        ("g is resurrected with 2 hp", 2),
        ("m casts revivify on g", 1),
        ("m casts raise dead on g, level 5", 1),
        ("m casts resurrection on g +3", 3),
        ("revivify on g", 1),
        ("cast revivify on g as an action", 1),
        ("rule override goblin.hp=4 he was only stunned", 4),
    ],
)
def test_the_dead_come_back_as_people_say_it(line: str, points: int) -> None:
    at = heard(round_of_brand(), "sheet g creature=monster", "g -99")
    assert at.done.state.combatants["goblin"].status == "dead"
    one = heard(at, line).done.state.combatants["goblin"]
    assert (one.status, one.hp) == ("up", points)


@pytest.mark.parametrize("line", ["g is revived", "m casts revivify on g", "rule override goblin.hp=4 he lives"])
def test_whoever_was_ruled_to_be_dead_comes_back_too_and_nobody_is_told_otherwise(line: str) -> None:
    at = heard(round_of_brand(), "g is dead")
    assert not at.tell(line).advice
    assert heard(at, line).done.state.combatants["goblin"].status == "up"
