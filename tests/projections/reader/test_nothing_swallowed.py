"""What a line says is recorded whole and as it is meant, or asked about: names, deaths, numbers, counts, and what did not happen."""

import pytest

from eventstore.events import AttackRolled, CombatantLeft, ConditionGained, DamageDealt, Fact, Healed, RulingMade
from projections.grammar.table import Table
from projections.grammar.tokens import NotUnderstood
from projections.reader.decision import Decision, decide
from tests.projections.grammar.test_line_context import heard
from tests.projections.reader.test_by_meaning_alone import meant
from tests.projections.test_grammar import table

PEOPLE = (
    "join ana party hp=20",
    "join bo party hp=18",
    "join cid party hp=15",
    "join gob foes hp=12",
    "join orc foes hp=15",
    "join ogre foes hp=59",
    "r",
)


def fight(key: str, *lines: str) -> Table:
    return heard(table(key, *PEOPLE), *lines)


def found(key: str, line: str, *before: str) -> Decision:
    return decide(fight(key, *before).context, line)


def offered(key: str, line: str, *before: str) -> list[list[Fact]]:
    """Return the facts of each offer for a line that is not recorded at once."""
    decision = found(key, line, *before)
    assert decision.meaning is None
    return [[*each.facts] for each in decision.offers]


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ("5e", "bo sets gob up for ana"),
        ("5e", "ana watches gob die"),
        ("osric", "cid casts sleep, gob out, orc still up"),
        ("osric", "orc claw/claw/bite bo 3/0/4"),
        ("osric", "orc hits with one claw for 3, bo"),
        ("5e", "ana hits orc-3 for 5"),
        ("5e", "gob 17 to hit ana, shield, miss"),
        ("5e", "ana hits gob, bo hits orc, both for 5"),
        ("osric", "gob and orc held, ogre saved"),
    ],
)
def test_a_reading_that_leaves_out_a_part_of_the_line_is_not_recorded(key: str, line: str) -> None:
    assert found(key, line).meaning is None


@pytest.mark.parametrize(
    "line",
    [
        "ana watches gob",
        "ana looses two arrows at gob: hit for 6, hit for 4",
        "ana hits gob and orc for 5 each",
        "bo save vs spells 9 fails, held",
    ],
)
def test_what_a_fact_has_is_not_missed(line: str) -> None:
    assert found("osric", line).meaning is not None


@pytest.mark.parametrize(
    "line", ["both foes flee", "some of the foes flee", "most of the foes flee", "half the party saves"]
)
def test_a_part_of_a_group_is_not_the_group(line: str) -> None:
    assert found("5e", line).meaning is None


@pytest.mark.parametrize(
    "line", ["ana doesn't take 5", "ana would have hit gob for 6", "neither gob nor orc moves", "ana no longer takes 5"]
)
def test_what_did_not_happen_is_not_offered(line: str) -> None:
    assert offered("5e", line) == []


@pytest.mark.parametrize("line", ["orc dead, gob not", "gob takes 5, not dead yet"])
def test_what_is_denied_of_another_leaves_the_rest_an_offer(line: str) -> None:
    assert offered("5e", line) != []


@pytest.mark.parametrize(
    "line",
    [
        "ana plans to hit gob",
        "ana intends to cast bless",
        "ana prepares to hit gob",
        "gob means to hit ana",
        "when ana hits gob bo heals 5",
        "gob goes for ana, bo takes the hit 3",
        "forgot that bo was prone",
        "bo is saved",
        "bo gets away from gob",
    ],
)
def test_a_plan_a_condition_and_a_hint_are_asked_about(line: str) -> None:
    at = fight("5e")
    with pytest.raises(NotUnderstood):
        at.tell(line)


@pytest.mark.parametrize(
    ("line", "state"),
    [
        ("bo drops unconscious", "unconscious"),
        ("bo drops asleep", "unconscious"),
        ("gob collapses unconscious", "unconscious"),
    ],
)
def test_a_verb_of_falling_leads_into_a_state(line: str, state: str) -> None:
    (gained,) = meant(fight("5e"), line)
    assert isinstance(gained, ConditionGained)
    assert gained.condition == state


@pytest.mark.parametrize("line", ["ana drops her rage", "ana gives up her action", "orc drops its fear"])
def test_who_drops_or_gives_up_a_thing_neither_falls_nor_surrenders(line: str) -> None:
    decision = found("5e", line)
    facts = [fact for each in (decision.meaning, *decision.offers) if each for fact in each.facts]
    assert not any(isinstance(fact, ConditionGained | RulingMade) for fact in facts)


def test_who_is_done_in_is_down() -> None:
    assert isinstance(meant(fight("5e"), "bo is done in")[0], RulingMade)


@pytest.mark.parametrize(
    "line", ["gob takes 5, still standing", "gob takes 5 but stands", "gob takes 5, barely standing"]
)
def test_who_has_not_fallen_does_not_rise(line: str) -> None:
    assert meant(fight("5e"), line) == meant(fight("5e"), "gob takes 5")


def test_who_lies_rises() -> None:
    at = fight("5e", "gob is prone")
    *_, rises = meant(at, "ana hits gob for 5, he stands up")
    assert rises.combatant == "gob"  # type: ignore[attr-defined]


@pytest.mark.parametrize("line", ["ana gets up and hits gob for 6", "ana gets up, hits gob for 6"])
def test_who_gets_up_begins_no_turn(line: str) -> None:
    assert meant(fight("5e"), line) == meant(fight("5e"), "ana stands up and hits gob for 6")


@pytest.mark.parametrize("line", ["ana takes 11, half of 22", "ana takes 11 (half of 22)", "ana takes 11, half of 23"])
def test_the_whole_of_which_half_is_taken_is_not_taken(line: str) -> None:
    assert meant(fight("5e"), line) == meant(fight("5e"), "ana takes 11")


def test_a_half_that_does_not_fit_is_asked_about() -> None:
    assert found("5e", "ana takes 10, half of 30").meaning is None


@pytest.mark.parametrize(
    "line",
    [
        "party takes 20, bo saves for 10",
        "party takes 20, bo saves so 10",
        "party takes 20, bo makes his save, takes 10",
    ],
)
def test_who_saves_takes_less_instead_of_more(line: str) -> None:
    hurt = {fact.target: fact.amount for fact in meant(fight("5e"), line) if isinstance(fact, DamageDealt)}
    assert hurt == {"ana": 20, "bo": 10, "cid": 20}


@pytest.mark.parametrize(
    "line", ["ana hits gob for 3 and ogre for 4, both go prone", "ana hits gob for 3 and orc for 4, both poisoned"]
)
def test_both_are_the_two_who_were_hit(line: str) -> None:
    *_, last = meant(fight("5e"), line)
    assert isinstance(last, ConditionGained)
    assert len(last.targets) == 2


@pytest.mark.parametrize("line", ["ana hits gob and bo for 3, both fall", "ana hits gob and bo for 3, both die"])
def test_both_fall_is_no_damage_of_falling(line: str) -> None:
    facts = meant(fight("5e"), line)
    assert not any(fact.parts for fact in facts if isinstance(fact, DamageDealt))
    assert [type(fact) for fact in facts[-2:]] == [RulingMade, RulingMade]


@pytest.mark.parametrize("line", ["everybody heals 5", "everyone is healed 5"])
def test_healing_of_everybody_is_asked_about_and_first_of_the_party(line: str) -> None:
    first, *_ = offered("5e", line)
    assert [fact.target for fact in first if isinstance(fact, Healed)] == ["ana", "bo", "cid"]


@pytest.mark.parametrize("line", ["no wait, gob flees", "no, gob flees"])
def test_who_flees_after_all_is_first_a_correction(line: str) -> None:
    at = fight("plain", "orc flees")
    first, again = offered("plain", line, "orc flees")
    assert first[0].event == len(at.records)  # type: ignore[attr-defined]
    assert isinstance(again[0], CombatantLeft)


def test_who_flees_too_corrects_nothing() -> None:
    assert isinstance(meant(fight("plain", "orc flees"), "wait, gob flees too")[0], CombatantLeft)


@pytest.mark.parametrize("line", ["gob says ana is prone", "gob says bo has fled"])
def test_who_says_something_slays_nobody(line: str) -> None:
    decision = found("5e", line)
    assert decision.meaning is None
    assert not any("kills" in getattr(fact, "decision", "") for each in decision.offers for fact in each.facts)


@pytest.mark.parametrize("line", ["gob beats ana's AC by 2, 6 damage", "ana swings at gob, 5 short"])
def test_by_how_much_a_blow_hits_or_misses_is_no_roll(line: str) -> None:
    decision = found("5e", line)
    assert not decision.meaning or not any(
        isinstance(fact, AttackRolled) and fact.die is not None for fact in decision.meaning.facts
    )


@pytest.mark.parametrize("line", ["orc takes ana down", "orc takes out ana", "ana is cut down"])
def test_who_is_taken_down_is_not_yet_dead(line: str) -> None:
    (ruling,) = meant(fight("5e"), line)
    assert ruling.values == {"ana.status": "down"}  # type: ignore[attr-defined]


def test_who_loses_an_effect_that_is_of_another_loses_it_alone() -> None:
    at = fight("5e", 'effect "bless" by cid on ana, bo')
    (ended,) = meant(at, "bo loses bless")
    assert (ended.source, ended.targets) == (None, ("bo",))  # type: ignore[attr-defined]


@pytest.mark.parametrize("line", ["cid fireballs, gob 12, orc 24", "cid casts fireball, gob 12, orc 24"])
def test_a_number_behind_each_target_of_a_spell_is_what_that_one_takes(line: str) -> None:
    first, *_ = offered("5e", line)
    assert [(fact.target, fact.amount) for fact in first if isinstance(fact, DamageDealt)] == [("gob", 12), ("orc", 24)]


@pytest.mark.parametrize(
    ("line", "fields"),
    [("undo the 5", 1), ("scratch the 5", 1), ("undo the damage", 2)],
)
def test_a_part_of_the_last_line_is_first_taken_back_alone(line: str, fields: int) -> None:
    at = fight("5e", "ana hits gob for 8, orc hits bo for 5")
    with pytest.raises(NotUnderstood) as refused:
        at.tell(line)
    first, whole = refused.value.meant
    assert (len(first.facts), len(whole.facts)) == (fields, 6)


@pytest.mark.parametrize("line", ["that 8 should be fire", "that was fire damage", "make that fire"])
def test_damage_is_corrected_to_another_type(line: str) -> None:
    (amended,) = meant(fight("5e", "gob takes 8"), line)
    assert [each.damage_type for each in amended.replacement.parts] == ["fire"]  # type: ignore[attr-defined]


def test_all_damage_of_a_line_is_corrected_at_once() -> None:
    facts = meant(fight("5e", "gob takes 8, orc takes 5"), "make that 6 each")
    assert [each.replacement.amount for each in facts] == [6, 6]  # type: ignore[attr-defined]


def test_the_contrary_of_the_last_blow_may_correct_it() -> None:
    first, again = offered("5e", "orc missed", "orc hits bo for 5")
    assert "amended" in type(first[0]).__name__.lower()
    assert isinstance(again[-1], AttackRolled)


def test_a_save_for_half_behind_the_damage_may_halve_it() -> None:
    first, *_ = offered("5e", "gob saved for half", "gob takes 9")
    assert first[-1].replacement.amount == 4  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "line",
    [
        "gob regenerates 5 each turn",
        "gob takes 5 on a failed save",
        "gob takes 10, save for half",
        "the orca hits ana for 5",
        "ana full attack gob 17/12 hits for 8",
        "ana dodges gob's attack",
        "ana brings gob down with an arrow",
        "gob is prone, right",
    ],
)
def test_a_rule_a_stranger_and_a_part_are_asked_about(line: str) -> None:
    at = fight("5e")
    with pytest.raises(NotUnderstood):
        at.tell(line)


@pytest.mark.parametrize(
    "line",
    [
        "gob moves past bo, hit for 5",
        "orc attacks ana twice and misses once",
        "orc multiattack ana 5 and 6",
        "ana hits gob for 5 and goes prone",
        "ana hits gob for 5, taking 3 from the spikes",
    ],
)
def test_whose_and_how_many_blows_is_asked(line: str) -> None:
    at = fight("5e")
    with pytest.raises(NotUnderstood):
        at.tell(line)


def test_what_the_attacker_takes_is_first_theirs() -> None:
    first, *_ = offered("5e", "ana hits gob for 5, taking 3 from the spikes")
    assert [fact.target for fact in first if isinstance(fact, DamageDealt)] == ["gob", "ana"]


def test_who_hides_behind_somebody_does_not_hide_them() -> None:
    act, place = meant(fight("5e"), "ana hides behind bo")
    assert (act.action.targets, place.words) == ((), "behind bo")  # type: ignore[attr-defined]


@pytest.mark.parametrize("line", ["gob drags ana down", "gob pulls ana down"])
def test_who_is_dragged_down_lies(line: str) -> None:
    (gained,) = meant(fight("5e"), line)
    assert isinstance(gained, ConditionGained)
    assert gained.condition == "prone"


def test_who_rushes_past_somebody_attacks_nobody() -> None:
    facts = meant(fight("5e"), "ana rushes past orc and stabs gob for 5")
    assert [fact.target for fact in facts if isinstance(fact, AttackRolled)] == ["gob"]


def orcs(*lines: str) -> Table:
    return heard(table("5e", "join ana party hp=20", "join bo party hp=18", "join orc*4 foes hp=15", "r"), *lines)


@pytest.mark.parametrize(
    "line",
    [
        "the other two orcs flee",
        "the other orcs flee",
        "ana hits orc 2 3 for 5",
        "sleep on orcs 1 and 2, 3 saves",
        "bo casts sleep on the orcs, 3 fall",
        "bo fireballs the orcs: 20 each, 2 dead",
        "3 of the orcs flee",
    ],
)
def test_a_number_that_may_be_one_of_a_kind_or_count_it_is_asked_about(line: str) -> None:
    with pytest.raises(NotUnderstood):
        orcs().tell(line)


@pytest.mark.parametrize("line", ["no orcs flee", "none of the orcs hit"])
def test_what_none_of_them_did_is_not_offered(line: str) -> None:
    assert decide(orcs().context, line).offers == ()
    assert decide(orcs().context, line).meaning is None


@pytest.mark.parametrize(
    ("line", "whom"),
    [
        ("orc 1 hits, 2 misses, 3 hits ana for 5", ["orc-1", "orc-2", "orc-3"]),
        ("orc 2 misses ana, 4 hits bo for 3", ["orc-2", "orc-4"]),
    ],
)
def test_a_number_before_a_verb_is_likely_another_of_the_kind(line: str, whom: list[str]) -> None:
    (first, *_) = decide(orcs().context, line).offers
    assert [fact.combatant for fact in first.facts if isinstance(fact, AttackRolled)] == whom


@pytest.mark.parametrize("line", ["ana attacks orc 2, 12 misses, 17 hits for 5", "ana hits orc 2 14 for 5"])
def test_a_number_that_none_of_the_kind_has_is_rolled(line: str) -> None:
    assert decide(orcs().context, line).meaning is not None


def test_who_is_told_apart_behind_a_spell_takes_that_instead() -> None:
    facts = meant(orcs(), "bo fireballs the orcs for 20, orc 2 takes 10")
    assert {fact.target: fact.amount for fact in facts if isinstance(fact, DamageDealt)} == {
        "orc-1": 20,
        "orc-2": 10,
        "orc-3": 20,
        "orc-4": 20,
    }


@pytest.mark.parametrize(
    "line",
    [
        "bo lands on gob",
        "bo leaves it at that",
        "bo rolls over",
        "bo stays down",
        "bo misses gob and ana too",
        "bo soaks 5",
    ],
)
def test_a_phrase_of_another_meaning_is_asked_about(line: str) -> None:
    assert found("5e", line).meaning is None


@pytest.mark.parametrize("line", ["ana hits gob for 5 and bo for 3", "gob hits ana for 5 and orc for 3"])
def test_who_stands_beside_the_attacker_likely_strikes_too(line: str) -> None:
    first, again = offered("5e", line)
    whom = [{fact.target for fact in each if isinstance(fact, AttackRolled)} for each in (first, again)]
    assert [len(each) for each in whom] == [1, 2]


@pytest.mark.parametrize("line", ["gob gets hit by ana for 5 and bo for 3", "gob was hit by ana for 5 and bo for 3"])
def test_who_is_hit_by_two_is_hit_by_both(line: str) -> None:
    facts = meant(fight("5e"), line)
    assert [fact.target for fact in facts if isinstance(fact, DamageDealt)] == ["gob", "gob"]
    assert [fact.combatant for fact in facts if isinstance(fact, AttackRolled)] == ["ana", "bo"]


@pytest.mark.parametrize(
    "line",
    [
        "ana whacks gob, bo whacks him too, 5 and 3",
        "gob gets one off at ana, miss",
        "gob comes back from 0",
        "gob takes over",
        "gob takes 5 from each",
        "gob takes 5 x 2",
        "gob takes 5ish",
        "gob falls to his knees",
    ],
)
def test_what_is_no_roll_no_source_and_no_turn_is_asked_about(line: str) -> None:
    at = fight("plain")
    with pytest.raises(NotUnderstood):
        at.tell(line)


@pytest.mark.parametrize("line", ["gob falls behind", "gob drops in", "gob drops back", "gob drops on ana from above"])
def test_who_falls_with_a_particle_is_not_down(line: str) -> None:
    decision = found("plain", line)
    facts = [fact for each in (decision.meaning, *decision.offers) if each for fact in each.facts]
    assert not any(isinstance(fact, RulingMade) for fact in facts)


@pytest.mark.parametrize(
    "line",
    [
        "ana out of rage, fatigued 5 rounds",
        "gob saves against 10",
        "cid maintains bless",
        "ana hits for 8, gob for 9",
        "ana saves her action",
        "gob runs ana down",
        "gob regains 5, then takes 8",
    ],
)
def test_what_goes_on_or_is_kept_is_asked_about(line: str) -> None:
    at = fight("vile-darkness")
    with pytest.raises(NotUnderstood):
        at.tell(line)


@pytest.mark.parametrize("line", ["ana casts bless then hits gob for 5", "ana casts bless, then hits gob for 5"])
def test_what_follows_a_spell_is_a_blow_of_its_own(line: str) -> None:
    facts = meant(fight("5e"), line)
    assert [fact.target for fact in facts if isinstance(fact, AttackRolled)] == ["gob"]


@pytest.mark.parametrize("line", ["ana casts bless on bo who hits gob for 5", "ana heals bo for 5 who hits gob for 6"])
def test_who_is_the_one_named_last(line: str) -> None:
    facts = meant(fight("5e"), line)
    assert [fact.combatant for fact in facts if isinstance(fact, AttackRolled)] == ["bo"]


@pytest.mark.parametrize(
    "line",
    [
        "ana casts bless and hits gob for 5",
        "ana casts sleep, 22 hp, gob and orc asleep",
        "ana casts magic missile, 3 at gob, 2 at orc",
        "ana fails 2 death saves",
        "bo grapples gob, gob escapes",
    ],
)
def test_a_spell_a_count_and_an_escape_are_asked_about(line: str) -> None:
    at = fight("5e")
    with pytest.raises(NotUnderstood):
        at.tell(line)


@pytest.mark.parametrize(
    "line", ["gob hits ana for 20, she drops, bo gets her up", "gob never hits ana", "gob had hit ana for 4"]
)
def test_what_was_before_and_who_is_helped_up_is_asked_about(line: str) -> None:
    at = fight("5e")
    with pytest.raises(NotUnderstood):
        at.tell(line)


@pytest.mark.parametrize("line", ["gob beats ana's AC by 2, 6 damage", "gob swings at ana, 5 short"])
def test_an_offer_has_no_roll_of_how_much_a_blow_hits_or_misses_by(line: str) -> None:
    assert [fact.die for fact in offered("5e", line)[0] if isinstance(fact, AttackRolled)] == [None]


@pytest.mark.parametrize("line", ["@4", "@4 [", "@ 4/7"])
def test_a_sign_that_is_typed_stands_for_nobody(line: str) -> None:
    at = fight("5e")
    with pytest.raises(NotUnderstood):
        at.tell(line)


@pytest.mark.parametrize("line", ["ana shoots drone 2, 4 damage", "ana hits drone 2 for 4"])
def test_the_number_of_one_who_has_left_is_no_roll_against_another(line: str) -> None:
    at = table("plain", "join ana party hp=9", "join security-drone*2 foes hp=4", "r")
    at.hear("security-drone-2 leaves")
    try:
        targets = {getattr(fact, "target", "") for fact in at.tell(line).facts}
    except NotUnderstood:
        return
    assert "security-drone-1" not in targets


def test_a_blow_that_goes_on_with_another_verb_is_one_blow() -> None:
    at = table("5e", "join ana party hp=9", "join ghast foes hp=30", "r")
    acts = at.tell("the ghast charges at Ana and bites her, 19 to hit, 5 piercing damage").facts
    assert [type(fact).__name__ for fact in acts] == ["ActionTaken", "AttackRolled", "DamageDealt"]
