"""What an import tells: titles, people who are not there, rolls that add up, saves after a heading, causes that expire."""

import json
from pathlib import Path

import pytest

from channel import Channel, Row, events, told, two
from encounterlog.importers.transcript import Transcript
from encounterlog_avrae.printed import Title, after_name, parts, read_roll, read_title
from tests.encounterlog.support import encounter


def hit(total: int = 15, damage: int = 5) -> Row:
    roll = {"result": f"1d20 ({total - 3}) + 3 = `{total}`"}
    hurt = {"type": "damage", "damage": damage, "damage_roll": {"result": f"1d6 ({damage}) [piercing] = `{damage}`"}}
    return {"type": "attack", "to_hit_roll": roll, "ac": 12, "did_hit": True, "children": [hurt]}


# titles


@pytest.mark.parametrize(
    ("title", "found"),
    [
        ("Ada attacks with a Rapier!", Title("attack", "Rapier", "Rapier")),
        ("Ada attacks with Claws!", Title("attack", "Claws", "Claws")),
        (
            "Ada casts Booming Blade with a Pike!",
            Title("cast", "Booming Blade with a Pike", "Booming Blade with a Pike"),
        ),
        ("Ada uses a Deadeye Shot!", Title("other", "Deadeye Shot", "Deadeye Shot")),
        ("Ada goes Pew Pew!", Title("phrase", "goes Pew Pew")),
        ("An Ada has a Horrific Appearance!", Title("phrase", "has a Horrific Appearance", "Horrific Appearance")),
        ("An unknown creature summons an Imp!", Title("phrase", "summons an Imp")),
        ("Adam casts Light!", None),
    ],
)
def test_a_title_says_the_kind_and_the_name_of_an_act(title: str, found: Title | None) -> None:
    assert read_title(after_name(title, "Ada") or "") == found


def test_an_act_in_words_of_its_own_is_told_in_them() -> None:
    channel, ada, orc = two()
    channel.message("!a pew", number=2)
    channel.run(ada, [hit()], 2, (orc,))
    channel.say("", {"title": "Ada goes Pew Pew!"})
    says = told(channel.read())
    assert "ada goes Pew Pew (at orc-1)" in says
    assert any(one.startswith("ada's attack on orc-1: rolls 12, total 15") for one in says)


def test_the_title_decides_whether_something_is_cast() -> None:
    channel, ada, orc = two()
    channel.message("!cast dawn", number=2)
    channel.run(ada, [hit()], 2, (orc,))
    channel.rows[-1]["automation_result"]["is_spell"] = True
    channel.say("", {"title": "Ada attacks with Dawn!"})
    assert "ada attacks orc-1 with Dawn" in told(channel.read())


def test_a_check_of_the_actor_is_no_announcement_of_an_act() -> None:
    channel, ada, _ = two()
    channel.message("!a bite", number=2)
    channel.run(ada, [], 2)
    channel.say("", {"title": "Ada makes an Insight check!", "description": "1d20 (10) + 1 = `11`"})
    channel.say("", {"title": "Ada attacks with a Bite!"})
    assert "ada attacks with Bite" in told(channel.read())


# nobody, and those who are not there


def test_an_attack_at_nobody_hits_nobody() -> None:
    channel, ada, _ = two()
    channel.message("!a bite", number=2)
    channel.run(ada, [], 2)
    nobody = {"type": "target_iteration", "target_type": "each", "is_simple": True, "target_id": None}
    children = [{"type": "target", "results": [nobody | {"results": [hit()]}]}]
    channel.rows[-1]["automation_result"]["children"] = children
    channel.say("", {"title": "Ada attacks with a Bite!"})
    says = told(channel.read())[-3:]
    assert says[:2] == ["ada attacks with Bite", "ada's attack with Bite: rolls 12, total 15 (+3 bonus)"]
    assert says[2].endswith("5 damage at nobody in particular")


def test_a_target_that_has_a_name_and_no_id_is_found_or_named() -> None:
    channel, ada, _ = two()
    channel.message("!a bite", number=2)
    channel.run(ada, [], 2)
    row = channel.rows[-1]
    row["targets"] = ["Orc 1", "Dog"]
    each = {"type": "target_iteration", "target_type": "each", "target_id": None, "results": [hit()]}
    results = [each | {"target_index": 0}, each | {"target_index": 1}]
    row["automation_result"]["children"] = [{"type": "target", "results": results}]
    says = told(channel.read())
    assert any(one.startswith("orc-1 takes 5 damage from ada") for one in says)
    assert any(one.endswith("5 damage for Dog, who is not in the fight") for one in says)


def test_the_roll_of_one_who_is_not_in_the_fight_belongs_to_that_attack() -> None:
    channel, _, orc = two()
    channel.message("!ma warhorse hooves", number=2)
    channel.run({"name": "Warhorse", "id": "elsewhere"}, [hit()], 2, (orc,))
    channel.say("", {"title": "A Warhorse attacks with Hooves!"})
    *_, act, roll, hurt = told(channel.read())
    assert act == "note: A Warhorse, who is not in the fight, attacks Orc 1 with Hooves"
    assert roll == "A Warhorse's attack with Hooves at Orc 1: 12, total 15, against 12, succeeds (+3 bonus)"
    assert hurt == "orc-1 takes 5 damage (piercing 1d6 [5])"


# effects and their buttons


def burning(parent: Row | None) -> Row:
    effect = {"name": "Burning", "id": "e-burning", "duration": 5, "end_round": 9, "buttons": []}
    return effect | ({"parent": {"effect_id": parent["id"]}} if parent else {})


@pytest.mark.parametrize("held", [True, False])
def test_the_button_of_an_effect_is_credited_to_the_one_who_holds_it(held: bool) -> None:
    channel, ada, orc = two()
    above = {"name": "Web of Fire", "id": "e-web", "duration": 5, "end_round": 9, "concentration": True}
    if held:
        ada["effects"] = [above]
    orc["effects"] = [burning(above if held else None)]
    channel.message("!i n", number=2)
    channel.state(2)
    channel.row("button_press", interaction_id=3, button_id="ieb:id of Orc 1:e-burning:x:t", button_label="Burn")
    hurt = {"type": "damage", "damage": 5, "damage_roll": {"result": "5 [fire] = `5`"}}
    channel.run(orc, [], 3)
    oneself = {"type": "target_iteration", "target_type": "self", "target_id": "id of Orc 1", "results": [hurt]}
    channel.rows[-1]["automation_result"]["children"] = [{"type": "target", "results": [oneself]}]
    channel.say("", {"title": "Orc 1 burns!"})
    (damage,) = events(channel.read(), "damage_dealt")
    assert damage.get("source") == ("ada" if held else None)


def test_concentration_that_another_spell_ends_is_a_cause_and_no_repair() -> None:
    channel, ada, _ = two()
    bless = {"name": "Bless", "id": "e-bless", "duration": 10, "end_round": 10, "concentration": True}
    bane = bless | {"name": "Bane", "id": "e-bane"}
    ada["effects"] = [bless]
    channel.message("!cast bless", number=2)
    channel.run(ada, [], 2)
    channel.say("", {"title": "Ada casts Bless!"})
    channel.state(2)
    ada["effects"] = [bane]
    channel.message("!cast bane", number=3)
    channel.run(ada, [], 3)
    field = {"name": "Concentration", "value": "Dropped Bless due to concentration."}
    channel.say("", {"title": "Ada casts Bane!", "fields": [field]})
    channel.state(3)
    transcript = channel.read()
    assert transcript.repairs == ()
    assert "Bless ends on ada (dropped for concentration on another effect)" in told(transcript)


@pytest.mark.parametrize("said", ["Ada is no longer concentrating on Bless.", "**Ada** loses concentration on Bless!"])
def test_the_loss_of_concentration_is_the_cause_of_the_end_of_an_effect(said: str) -> None:
    channel, ada, _ = two()
    ada["effects"] = [{"name": "Bless", "id": "e-bless", "duration": 10, "end_round": 10, "concentration": True}]
    channel.message("!cast bless", number=2)
    channel.run(ada, [], 2)
    channel.state(2)
    ada["effects"] = []
    channel.message("!conc", number=3)
    channel.say("", {"title": "A save!", "description": said})
    line = len(channel.rows)
    channel.state(3)
    (repair,) = channel.read().repairs
    assert (repair.address, repair.cause) == ("ada.effects", line)


# rolls


def added(text: str, sign: int = 1) -> list[tuple[str, int]]:
    """Return the names and amounts of the parts of a printed roll."""
    roll = read_roll(text)
    assert roll is not None
    made = parts(roll, "damage", sign)
    return [(one["name"], one["amount"] if "amount" in one else sum(one["dice"]["faces"])) for one in made]


@pytest.mark.parametrize(
    ("text", "sign", "found"),
    [
        ("(1d8 (4) + 3 [piercing]) / 2 + 1d8 (2) [acid] = `5`", 1, "piercing 4, piercing 3, halved -4, acid 2"),
        ("(2d4 (**4**, **1**) + 3 [bludgeoning]) * 2 = `16`", 1, "bludgeoning 5, bludgeoning 3, doubled 8"),
        (
            "(2d12 (8, 11) + 5 + 2) [magical piercing] = `26`",
            1,
            "magical piercing 19, magical piercing 5, magical piercing 2",
        ),
        ("-(1d8 (2) + 9) * 2 = `-22`", -1, "damage 2, damage 9, doubled 11"),
        ("(5) / 2 [chromatic] = `2`", 1, "chromatic 5, halved -3"),
        ("(1d6 (3)) / 2 + (1d6 (6) + 1) / 2 = `5`", 1, "damage 3, halved -2, damage 6, damage 1, halved -3"),
        ("10 - 1d4 (3) = `7`", 1, "damage 10, less 1d4 -3"),
        ("1d6 (2) * 1.5 = `3`", 1, "damage 2, times 1.5 1"),
        ("1d100 (72) > 5 = `1`", 1, ""),
        ("(1d6 (3), ~~1d8 (2)~~)kh1 + 1 = `4`", 1, "damage 3, damage 1"),
        ("1d4 (3) [fire] + 0 = `3`", 1, "fire 3"),
    ],
)
def test_the_parts_of_a_roll_keep_flats_and_kinds_and_add_up(text: str, sign: int, found: str) -> None:
    assert ", ".join(f"{name} {amount}" for name, amount in added(text, sign)) == found


def answered(title: str, description: str, **more: object) -> Transcript:
    """Read two combatants and one message of the bot."""
    channel, _, _ = two()
    channel.say("", {"title": title, "description": description, **more})
    return channel.read()


@pytest.mark.parametrize(
    ("title", "description", "more", "says"),
    [
        (
            "Ada makes a Concentration Save!",
            "**DC 10**\n 1d20 (17) + 2 = `19`; Success!",
            {},
            "ada's concentration save (constitution): rolls 17, total 19 against 10, recorded as a success (+2 bonus)",
        ),
        (
            "Ada makes a Constitution saving throw!",
            "**DC**: 12\n**CON Save**: 1d20 (3) + 2 = `5`; Failure!",
            {},
            "ada's constitution save: rolls 3, total 5 against 12, recorded as a failure (+2 bonus)",
        ),
        (
            "Ada makes a Tinkering check",
            "**DC 13**\n1d20 (16) + 5 = `21`\n*Fail = 0 gp*",
            {"footer": {"text": "Success!"}},
            "ada rolls 16 for tinkering check, total 21, against 13, succeeds (+5 bonus)",
        ),
        (
            "A Sea Hag makes an Athletics check!",
            "1d20 (9) + 3 = `12`",
            {},
            "a Sea Hag's athletics check: 9, total 12 (+3 bonus)",
        ),
    ],
)
def test_a_roll_is_read_wherever_it_stands(title: str, description: str, more: Row, says: str) -> None:
    assert told(answered(title, description, **more))[-1] == says


def test_a_free_roll_is_that_of_a_person_and_of_no_combatant() -> None:
    channel, _, _ = two()
    channel.row(
        "message", message_id=5, author_bot=False, author_id="77", author_name="Kim", content="!r 2d4", embeds=[]
    )
    channel.say("<@77>  :game_die:\n**Result**: 2d4 (1, 3) + 2\n**Total**: 6")
    assert told(channel.read())[-1] == "free roll by Kim: 2d4 [1, 3], total 6 (+2 bonus)"


# causes that expire, and the end


def test_a_change_with_a_blank_after_its_sign_is_read() -> None:
    channel, _, orc = two()
    orc["seen"] = "<15/20 HP>"
    channel.command("init hp", "!i hp orc - 5", 2)
    transcript = channel.read()
    assert transcript.repairs == ()
    assert told(transcript)[-1] == "orc-1 takes 5 damage"


def test_a_change_of_a_sheet_explains_no_state_after_the_next() -> None:
    channel, ada, _ = two()
    channel.row("command", message_id=3, content="!update", command_name="update", caster={"name": "Ada"})
    channel.command("init list", "!i list", 4)
    ada["seen"] = "<7/20 HP>"
    channel.command("init list", "!i list", 5)
    (repair,) = channel.read().repairs
    assert (repair.address, repair.cause) == ("ada.hp", 0)


def test_what_comes_after_the_end_is_no_part_of_the_fight() -> None:
    channel, ada, _ = two()
    channel.row("combat_end")
    channel.command("game longrest", "!g lr", 5, state=False, caster={"name": "Ada", "hp": 20})
    channel.say("", {"title": "Ada took a Long Rest!"})
    transcript = channel.read()
    assert transcript.facts[-1].event["type"] == "encounter_closed.2"
    assert transcript.after_end == 3
    assert ada["seen"]


def test_an_end_before_the_last_state_ends_nothing() -> None:
    channel = Channel()
    channel.row("combat_end")
    channel.join("Ada", 15)
    assert events(channel.read(), "encounter_closed.2") == []


# nothing is lost


def test_a_counter_that_is_counted_by_command_is_read_from_the_answer() -> None:
    channel, _, _ = two()
    sheet = {"name": "Ada"}
    channel.message("!cc wild +1", number=5)
    channel.say("", {"fields": [{"name": "Wild Shape", "value": "◉〇 (+1)"}]})
    channel.row("command", message_id=5, content="!cc wild +1", command_name="customcounter", caster=sheet)
    channel.message("!g ss 2 -1", number=6)
    channel.say("", {"description": "__**Remaining Level 2 Spell Slots**__\n`2` ◉◉〇 (-1)"})
    channel.row("command", message_id=6, content="!g ss 2 -1", command_name="game spellslot", caster=sheet)
    channel.message("!cc", number=7)
    channel.say("", {"fields": [{"name": "Rage", "value": "◉〇"}]})
    channel.row("command", message_id=7, content="!cc", command_name="customcounter", caster=sheet)
    says = told(channel.read())[-2:]
    assert says == ["ada regains 1 Wild Shape, 1 left", "ada spends 1 level 2 spell slot, 2 left"]


def test_a_rest_is_noted_with_what_it_gives_back() -> None:
    channel, ada, _ = two()
    channel.command("init hp", "!i hp Ada -5", 4, state=False)
    channel.rows[-1]["caster"] = None
    channel.say("Ada: <15/20 HP> (-5)")
    channel.message("!cc rage -1", number=5)
    channel.say("", {"fields": [{"name": "Rage", "value": "1/2 (-1)"}]})
    channel.row("command", message_id=5, content="!cc rage -1", command_name="customcounter", caster={"name": "Ada"})
    fields = [{"name": "Hit Points", "value": "20/20 (+5)"}, {"name": "Reset Counters", "value": "Rage: ◉◉ (+1)"}]
    channel.say("", {"title": "Ada takes a Long Rest!", "fields": fields})
    says = told(channel.read())[-3:]
    assert says == ["note: Ada takes a long rest", "ada gets 5 hp back", "ada regains 1 Rage, 2 left"]
    assert ada["seen"]


def spoken(folder: Path) -> Path:
    """Write a recording with talk."""
    channel, _, _ = two()
    channel.row("message", message_id=9, author_bot=False, author_id="7", author_name="Kim", content="Ouch!", embeds=[])
    channel.row(
        "message", message_id=8, author_bot=False, author_id="7", author_name="Kim", content="!r 1d4", embeds=[]
    )
    channel.say("<@7>  :game_die:\n**Result**: 1d4 (2)\n**Total**: 2")
    channel.command("init hp", "!i hp Orc -2", 10, state=False)
    channel.say("Orc 1: <18/20 HP> (-2)")
    source = folder / "rows.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in channel.rows))
    return source


def test_talk_is_kept_as_notes_if_it_is_wanted(folder: Path) -> None:
    source = spoken(folder)
    assert "left out: 2 messages of people's talk" in encounter("import", "fireball", source, folder / "a.jsonl").stdout
    assert "left out" not in encounter("import", "fireball", source, folder / "b.jsonl", "--talk").stdout
    said = [
        "note: Kim: Ouch! (source line 7)" in encounter("log", folder / name).stdout for name in ("a.jsonl", "b.jsonl")
    ]
    assert said == [False, True]


def test_a_format_without_talk_says_so(folder: Path) -> None:
    done = encounter("import", "jsonl", spoken(folder), folder / "a.jsonl", "--talk")
    assert (done.exit_code, "jsonl has no talk to keep" in done.stderr) == (2, True)


def test_log_and_blame_name_the_line_of_the_source_and_the_rolls_nearby(folder: Path) -> None:
    log = folder / "a.jsonl"
    assert encounter("import", "fireball", spoken(folder), log).exit_code == 0
    page = " ".join(encounter("blame", log, "orc-1.hp").stdout.split())
    assert "20 -> 18 by gm, from line 11 of the source" in page
    assert "rolled nearby" in page
    assert "free roll by Kim: 1d4 [2], total 2" in page
    touch = json.loads(encounter("blame", log, "orc-1.hp", "--json").stdout)["touches"][-1]
    assert (touch["source"], len(touch["nearby"]), touch["causes"][0]["event"]["type"]) == ("line 11", 1, "noted")


def test_the_log_has_the_date_of_the_recording(folder: Path) -> None:
    log = folder / "a.jsonl"
    encounter("import", "fireball", spoken(folder), log)
    assert json.loads(log.read_text().splitlines()[0])["at"].startswith("1970-01-01")
