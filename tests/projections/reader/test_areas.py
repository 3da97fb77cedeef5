"""Spells that meet several, in one line: their damage, how each save went, and what it costs each."""

import pytest

from eventstore.events import ActionTaken, DamageDealt, EffectEnded, ResourceChanged, SaveRolled
from projections.grammar.table import Table
from projections.grammar.tokens import NotUnderstood
from tests.projections.grammar.test_line_context import heard
from tests.projections.test_grammar import table

PEOPLE = ["join Cid party hp=40", "join gob foes hp=40", "join orc foes hp=40", "join ogre foes hp=60", "r"]


def fight(rules: str = "5e", *before: str) -> Table:
    return heard(table(rules, *PEOPLE), *before)


def met(at: Table, line: str) -> tuple[str, dict[str, tuple[int | None, bool | None, int | None]]]:
    """Return the spell that is cast, and of each whom it meets the die or total, whether they save, and the damage."""
    facts = at.tell(line).facts
    cast = next((str(fact.action.name) for fact in facts if isinstance(fact, ActionTaken)), "")
    hurt = {fact.target: fact.amount for fact in facts if isinstance(fact, DamageDealt)}
    saves = {fact.combatant: fact for fact in facts if isinstance(fact, SaveRolled)}
    assert hurt.keys() <= saves.keys()
    return cast, {
        who: (save.die if isinstance(save.die, int) else save.total, save.succeeded, hurt.get(who))
        for who, save in saves.items()
    }


GOB_FAILS = {"gob": (None, False, 24), "orc": (None, True, 12)}
ROLLED = {"gob": (7, False, 24), "orc": (18, True, 12)}


@pytest.mark.parametrize("rules", ["5e", "osric", "plain", "vile-darkness"])
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("cid casts fireball at gob and orc for 24, gob fails with 7, orc saves with 18 for 12", ROLLED),
        ("cid casts fireball: gob 7 fails 24, orc 18 saves 12", ROLLED),
        ("cid casts fireball DC 15, gob 7 fails, orc 18 saves, 24 fire, half 12", ROLLED),
        ("cid casts fireball DC 15, gob 7, orc 18, 24 fire, half 12", ROLLED),
        ("cid casts fireball, 24 damage. gob fails, orc saves for half", GOB_FAILS),
        ("cid casts fireball, gob fails and takes 24, orc saves and takes 12", GOB_FAILS),
        ("cid's fireball does 24, gob fails, orc saves for 12", GOB_FAILS),
        ("cid fireball 24 fire, gob fails, orc saves so 12", GOB_FAILS),
        ("cid casts fireball on gob and orc, gob fails, orc saves, 24/12 fire", GOB_FAILS),
        ("fireball by cid, gob fails for 24, orc saves for 12", GOB_FAILS),
        ("cid fireballs gob and orc, both fail, 24 damage", {"gob": (None, False, 24), "orc": (None, False, 24)}),
        ("cid casts fireball at gob, he fails, 24 fire", {"gob": (None, False, 24)}),
        ("cid fireball at 3rd level, gob fails 24, orc saves 12", GOB_FAILS),
    ],
)
def test_each_whom_a_spell_meets_has_their_save_and_damage(
    rules: str, line: str, expected: dict[str, tuple[int | None, bool | None, int | None]]
) -> None:
    assert met(fight(rules), line) == ("fireball", expected)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("cid: fireball (3rd), DC 15 Dex, 24 fire. gob 7 fail, orc 18 save", ROLLED),
        ("cid fireball (L3) DC 15: gob 7 F, orc 18 S, 24 fire", ROLLED),
        ("cid fireball (3rd lvl) 24 fire: gob F, orc S", GOB_FAILS),
        ("cid casts fireball, 24 fire, gob fails by one, orc saves (barely)", GOB_FAILS),
    ],
)
def test_remarks_beside_a_spell_and_its_saves_change_nothing_of_them(
    line: str, expected: dict[str, tuple[int | None, bool | None, int | None]]
) -> None:
    assert met(fight(), line) == ("fireball", expected)


def test_a_spell_that_was_cast_before_is_the_cause_and_is_not_cast_again() -> None:
    at = fight("5e", "cid casts fireball on gob and orc")
    assert met(at, "fireball: gob fails, orc saves, 24 damage, half 12") == ("", GOB_FAILS)


@pytest.mark.parametrize(
    "line",
    [
        "cid casts fireball, gob 7, orc 18, 24 damage, half 12",
        "cid casts fireball at gob and orc, 24 damage, gob fails, orc saves",
        "cid casts fireball on gob, gob fails 12",
        "cid casts fireball, gob fails, orc saves, 18",
        "cid casts fireball, 12 fire, gob fails and takes half, orc saves",
        "cid: fireball, 24 fire. gob saves, orc saves",
    ],
)
def test_what_a_line_about_a_spell_leaves_open_is_asked_about(line: str) -> None:
    at = fight("osric")
    with pytest.raises(NotUnderstood):
        at.tell(line)


@pytest.mark.parametrize("rules", ["5e", "osric"])
@pytest.mark.parametrize(
    "rest",
    [
        "gob fails, orc is not there",
        "gob fails, orc not",
        "gob fails and orc will fail",
        "gob fails, orc made for it",
        "gob fails, saves next time",
        "gob fails, bo drops him",
    ],
)
def test_who_is_not_said_to_save_or_to_fail_has_no_save(rules: str, rest: str) -> None:
    at = fight(rules, "join Bo party hp=20")
    with pytest.raises(NotUnderstood):
        at.tell(f"cid casts fireball, 24 damage, {rest}")


def test_a_natural_die_is_compared_with_no_difficulty() -> None:
    at = fight()
    with pytest.raises(NotUnderstood):
        at.tell("cid casts fireball, dc 15, gob nat 14, 24 damage")


def test_whoever_takes_half_of_a_spell_takes_half_of_what_is_told() -> None:
    facts = fight().tell("cid casts fireball, 24 damage, gob takes half").facts
    assert [(fact.target, fact.amount) for fact in facts if isinstance(fact, DamageDealt)] == [("gob", 12)]
    assert not [fact for fact in facts if isinstance(fact, SaveRolled)]


def test_each_number_has_the_type_that_stands_behind_it() -> None:
    facts = fight().tell("cid casts fireball, gob fails, takes 24 cold, orc saves, takes 12 fire").facts
    hurt = {fact.target: fact.parts[0].damage_type for fact in facts if isinstance(fact, DamageDealt)}
    assert hurt == {"gob": "cold", "orc": "fire"}


@pytest.mark.parametrize("orc", ["orc doesn't", "orc makes it", "orc makes his save"])
def test_the_save_may_be_told_by_its_denial_or_without_its_name(orc: str) -> None:
    assert met(fight(), f"cid casts fireball, 24 damage, gob fails, {orc}") == ("fireball", GOB_FAILS)


@pytest.mark.parametrize("rules", ["5e", "osric", "plain"])
@pytest.mark.parametrize(
    "line",
    [
        "cid: fireball, 24 fire",
        "cid fireball 24 fire",
        "cid casts fireball, 24 fire",
        "cid casts fireball, dex DC 15. 24 fire",
        "fireball by cid, 24 fire",
        "cid casts magic missile (1st), 13 force",
    ],
)
def test_the_damage_of_a_spell_without_a_target_hurts_nobody(rules: str, line: str) -> None:
    with pytest.raises(NotUnderstood) as refused:
        fight(rules).tell(line)
    assert not [fact for each in refused.value.meant for fact in each.facts if isinstance(fact, DamageDealt)]


@pytest.mark.parametrize(
    "how",
    [
        "(3rd)",
        "(3rd level)",
        "(L3)",
        "(lvl 3)",
        "at 3rd",
        "at 3rd level",
        "upcast to 3rd",
        "(3rd, conc)",
        "(conc, 3rd)",
    ],
)
def test_the_level_beside_a_spell_takes_its_slot_where_the_game_records_slots(how: str) -> None:
    line = f"cid casts web {how} on gob"
    spent = [fact.resource for fact in fight().tell(line).facts if isinstance(fact, ResourceChanged)]
    assert spent == ["level 3 spell slot"]
    acts = [fact.action for fact in fight("plain").tell(line).facts if isinstance(fact, ActionTaken)]
    assert [(act.name, act.targets) for act in acts] == [("web", ("gob",))]


@pytest.mark.parametrize(
    "line",
    [
        "cid: hold person (2nd, conc) on gob, Wis DC 14, 13, fail. gob paralyzed",
        "cid hold person (conc) on gob. DC 14 Wis, 13 F, paralyzed",
        "cid casts hold person on gob, wis dc 14, rolled 13, fails, paralyzed",
    ],
)
def test_a_save_with_its_difficulty_behind_a_spell_is_that_of_the_target(line: str) -> None:
    facts = fight().tell(line).facts
    (save,) = (fact for fact in facts if isinstance(fact, SaveRolled))
    assert (save.combatant, save.save, save.total, save.dc, save.succeeded) == ("gob", "wis", 13, 14, False)
    assert not [fact for fact in facts if isinstance(fact, DamageDealt)]


@pytest.mark.parametrize("line", ["gob fails his save by 3", "gob fails his save by one"])
def test_by_how_much_a_save_fails_is_no_roll(line: str) -> None:
    (save,) = fight().tell(line).facts
    assert isinstance(save, SaveRolled)
    assert (save.die, save.total, save.succeeded) == (None, None, False)


WEBBED = ["cid casts web on gob", "cid concentrates on web", "orc hits cid for 9"]


@pytest.mark.parametrize(
    ("line", "die", "ended"),
    [
        ("conc check 14, holds", 14, []),
        ("conc 12 ok", 12, []),
        ("concentration check: 7, fails, web drops", 7, ["web"]),
        ("cid con 9, loses web", 9, ["web"]),
        ("cid con 9, web drops", 9, ["web"]),
    ],
)
def test_a_roll_to_concentrate_is_that_of_the_only_one_who_does_and_was_hurt(
    line: str, die: int, ended: list[str]
) -> None:
    save, *rest = fight("5e", *WEBBED).tell(line).facts
    assert isinstance(save, SaveRolled)
    assert (save.combatant, save.purpose, save.die) == ("cid", "concentration", die)
    assert [fact.effect for fact in rest if isinstance(fact, EffectEnded)] == ended


@pytest.mark.parametrize("line", ["conc check 14, holds", "conc 12 ok"])
def test_nobody_rolls_to_concentrate_where_nobody_who_does_was_hurt(line: str) -> None:
    with pytest.raises(NotUnderstood):
        fight("5e", *WEBBED[:2]).tell(line)


def test_nobody_casts_a_spell_from_which_they_free_themselves() -> None:
    with pytest.raises(NotUnderstood) as refused:
        fight("5e").tell("orc frees itself from the web")
    assert not [fact for each in refused.value.meant for fact in each.facts if isinstance(fact, ActionTaken)]
