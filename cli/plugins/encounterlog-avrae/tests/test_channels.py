"""Imports of a Discord channel in which the bot ran a fight."""

import json
from pathlib import Path
from typing import Any

import pytest

from channel import events, told
from encounterlog.importers.transcript import BadSource, Transcript
from encounterlog_avrae.channels import read
from tests.encounterlog.support import encounter

CHANNEL = Path(__file__).parent / "recordings" / "ford.json"


def said(folder: Path, *contents: str, bot: bool = True, embeds: tuple[dict[str, Any], ...] = ()) -> Transcript:
    """Read a channel in which Mira was added and the bot, or Kim, then said this."""
    first = "Mira was added to combat with initiative 1d20 (14) + 2 = `16`."
    author = {"id": "1", "name": "Avrae", "isBot": True}, {"id": "2", "name": "Kim", "isBot": False}
    made: list[dict[str, Any]] = [
        {
            "id": str(100 + n),
            "timestamp": f"2026-11-20T20:00:{n:02}+01:00",
            "content": text,
            "embeds": [],
            "author": who,
        }
        for n, (text, who) in enumerate([(first, author[0]), *((text, author[not bot]) for text in contents)])
    ]
    made[-1]["embeds"] = list(embeds)
    path = folder / "channel.json"
    path.write_text(json.dumps({"channel": {"name": "ford"}, "messages": made}, indent=1))
    return read(path)


# a channel


def test_a_channel_becomes_the_facts_that_the_bot_printed() -> None:
    assert told(read(CHANNEL))[:12] == [
        "Mira joins",
        "mira rolls initiative: 14 +2, total 16",
        "OG1 joins",
        "og1 rolls initiative: 8 -1, total 7",
        "round 1 begins",
        "it is the turn of mira",
        "the sheet of mira changes: hp 21, hp_max 24",
        "mira attacks og1 with Mace",
        "mira's attack on og1 with Mace: rolls 13, total 17, hit (+4 bonus)",
        "og1 takes 3 damage from mira (bludgeoning 1d6 [5], bludgeoning 2, halved -4)",
        "mira casts Bless",
        "mira: Bless for 10 rounds",
    ]


def test_what_nobody_was_the_target_of_and_what_nobody_said_the_purpose_of_is_told_as_that() -> None:
    says = told(read(CHANNEL))
    assert any(one.endswith("11 damage at nobody in particular") for one in says)
    assert "free roll by Ola: 2d8 [3, 4], total 11 (+4 bonus)" in says
    assert (
        "mira's concentration save (constitution): rolls 5, total 6 against 10, recorded as a failure (+1 bonus)"
        in says
    )


def test_points_that_no_message_explains_are_counted_with_their_line(folder: Path) -> None:
    done = encounter("import", "discord", CHANNEL, folder / "a.jsonl")
    assert done.exit_code == 0
    assert "line 828: Mira is at 9 hit points (the facts give 10)" in done.stdout
    assert '"id": "1200000000000000029"' in CHANNEL.read_text().splitlines()[827]
    assert "left out: 1 message of people's talk and 2 rows after the end of the fight" in done.stdout


def test_talk_in_a_channel_is_kept_if_it_is_wanted() -> None:
    assert "note: Ola: the ogre wades in" in told(read(CHANNEL, talk=True))


def test_a_turn_of_somebody_whom_no_message_added_is_a_problem(folder: Path) -> None:
    transcript = said(folder, "**Initiative 9 (round 1)**: Orc (@Kim)\n```md\nOrc <Healthy>```")
    assert [one.what for one in transcript.problems] == ["gives Orc the turn, whom no message added"]
    assert events(transcript, "turn_started") == []


def test_a_turn_given_again_in_its_round_takes_back_the_turns_after_it(folder: Path) -> None:
    turns = {
        name: f"**Initiative {total} (round 1)**: {name} (@Kim)\n```md\n{name} <Healthy>```"
        for name, total in (("Mira", 16), ("Orc", 9))
    }
    added = "Orc was added to combat with initiative 1d20 (9) = `9`."
    path = folder / "channel.json"
    said(folder, added, turns["Mira"], turns["Orc"], turns["Mira"], turns["Orc"])
    done = encounter("import", "discord", path, folder / "fight.jsonl", "--ruleset", "5e")
    assert done.exit_code == 0
    findings = json.loads(encounter("audit", folder / "fight.jsonl", "--json").stdout)["findings"]
    assert [one["severity"] for one in findings] == ["notice"]
    assert "it was right when it was stated" in findings[0]["says"]


def acts(actor: str, verb: str, **fields: str) -> dict[str, Any]:
    """An act as the bot announces it, with what stands under each name."""
    return {"title": f"{actor} {verb}!", "fields": [{"name": name, "value": text} for name, text in fields.items()]}


def gives_turn(total: int, number: int, name: str, *effects: str) -> str:
    listed = "".join(f" \n* {each}" for each in effects)
    return f"**Initiative {total} (round {number})**: {name} (<@1>)\n```md\n{name} <Healthy>{listed}```"


HELD = acts(
    "Mira",
    "casts Hold Person",
    Mira="**Effect**: Hold Person [10 rounds]",
    Orc="**WIS Save**: 1d20 (4) = `4`; Failure!\n**Effect**: Paralyzed [10 rounds] (Parent: Hold Person)",
)
STRIKES = acts("Orc", "attacks with a Club", Mira="**To Hit**: 1d20 (3) + 4 = `7`\n**Miss!**")
JOINS = "Orc was added to combat with initiative 1d20 (9) = `9`."


def breaches(folder: Path, *said_: str | dict[str, Any]) -> list[str]:
    """The breaches in a fight of Mira and an orc in which the bot says this."""
    said(folder, JOINS, *(one if isinstance(one, str) else "" for one in said_))
    path = folder / "channel.json"
    export = json.loads(path.read_text())
    for message, one in zip(export["messages"][2:], said_, strict=True):
        message["embeds"] = [] if isinstance(one, str) else [one]
    path.write_text(json.dumps(export, indent=1))
    assert encounter("import", "discord", path, folder / "fight.jsonl", "--ruleset", "5e").exit_code == 0
    found = json.loads(encounter("audit", folder / "fight.jsonl", "--json").stdout)["findings"]
    return [one["rule"] for one in found if one["severity"] == "breach"]


@pytest.mark.parametrize(
    ("meanwhile", "turn", "rules"),
    [
        ("Mira: <9/20 HP>", gives_turn(9, 1, "Orc", "Paralyzed [9 rounds] (Parent: Hold Person)"), ["incapacitated.no-acts"]),
        ("Effect Hold Person removed from Mira.", gives_turn(9, 1, "Orc", "Paralyzed [9 rounds]"), []),
        ("Mira: <9/20 HP>", gives_turn(9, 1, "Orc"), []),
        ("Mira: <9/20 HP>", gives_turn(9, 1, "Orc").removesuffix("```"), ["incapacitated.no-acts"]),
    ],
    ids=["it runs", "what it hangs on ended", "it is not listed", "the list is cut off"],
)  # fmt: skip
def test_an_effect_is_over_with_what_it_hangs_on_or_once_the_bot_lists_it_no_more(
    folder: Path, meanwhile: str, turn: str, rules: list[str]
) -> None:
    assert breaches(folder, gives_turn(16, 1, "Mira"), HELD, meanwhile, turn, STRIKES) == rules


def test_a_character_falls_to_0_and_no_further_so_that_healing_brings_it_back(folder: Path) -> None:
    """The bot counts no points of a character below 0; a blow that kills outright is another matter."""
    check = {"title": "Bo makes an Initiative check!", "description": "1d20 (5) = `5`", "footer": {"text": "Added to combat!"}}  # fmt: skip
    blow = acts(
        "Orc", "attacks with a Club", Bo="**To Hit**: 1d20 (13) + 4 = `17`\n**Damage**: 15 [bludgeoning] = `15`"
    )
    fallen, healed = blow | {"footer": {"text": "Bo: <0/12 HP>"}}, "Bo: <5/12 HP> (+5)"
    assert breaches(folder, check, "Bo: <12/12 HP>", gives_turn(9, 1, "Orc"), fallen, healed) == []
    joined = json.loads((folder / "fight.jsonl").read_text().splitlines()[5])["event"]
    assert joined["sheet"] == {"hp_floor": 0, "creature": "character"}


def test_initiative_rolled_again_by_the_bot_is_the_order_from_then_on(folder: Path) -> None:
    again = "Rerolled initiative! New order:\n1d20 (19) = `19`: Orc\n1d20 (3) + 2 = `5`: Mira"
    turns = (
        gives_turn(16, 1, "Mira"),
        gives_turn(9, 1, "Orc"),
        again,
        gives_turn(19, 2, "Orc"),
        gives_turn(5, 2, "Mira"),
    )
    assert breaches(folder, *turns) == []
    order = json.loads(encounter("show", folder / "fight.jsonl", "--json").stdout)["order"]
    assert [one["combatants"] for one in order] == [["orc"], ["mira"]]


def test_a_place_that_the_bot_gives_later_is_the_place_from_then_on(folder: Path) -> None:
    rounds = (each for number in (2, 3) for each in (gives_turn(9, number, "Orc"), gives_turn(4, number, "Mira")))
    moved = "✅ Mira's initiative set to 4 (was 16)."
    assert breaches(folder, gives_turn(16, 1, "Mira"), gives_turn(9, 1, "Orc"), moved, *rounds) == []


def test_the_place_of_a_turn_is_the_one_that_the_bot_shows_with_it(folder: Path) -> None:
    """Such as that of a group, whose new total stands under the name of the group alone."""
    breaches(folder, gives_turn(16, 1, "Mira"), gives_turn(7, 1, "Orc"))
    order = json.loads(encounter("show", folder / "fight.jsonl", "--json").stdout)["order"]
    assert [one["key"]["total"] for one in order] == [16, 7]


def test_the_words_of_people_are_nothing_that_happened(folder: Path) -> None:
    transcript = said(folder, "Mira: <1/24 HP> (-20)", bot=False)
    assert (len(told(transcript)), transcript.left_out) == (2, 1)


def test_a_name_set_by_command_is_that_of_the_combatant(folder: Path) -> None:
    transcript = said(folder, "✅ Mira's name set to Mira the Bold.", "Mira the Bold: <9/24 HP>")
    assert events(transcript, "sheet_changed") == [
        {"type": "sheet_changed", "combatant": "mira", "sheet": {"hp": 9, "hp_max": 24}}
    ]


def test_a_list_shows_the_members_of_groups_in_their_places(folder: Path) -> None:
    listed = "```md\nCurrent initiative: 0 (round 0)\n====\n  16: Heroes\n     - Mira <9/24 HP> (AC 14)```"
    transcript = said(folder, listed)
    assert (transcript.problems, transcript.states) == ([], 1)
    assert events(transcript, "checked") == [{"type": "checked", "values": {"order": ["mira"], "mira.hp": 9}}]


def test_a_field_that_goes_on_is_read_as_one(folder: Path) -> None:
    fields = [
        {"name": "Mira", "value": "**Damage**: 1d4 (2) [fire] = `2`"},
        {"name": "** **", "value": "**Damage**: 1d4 (3)\n[fire] = `3`".replace("\n", " ")},
    ]
    transcript = said(folder, "", embeds=({"title": "Mira uses Fire!", "fields": fields},))
    assert [one["amount"] for one in events(transcript, "damage_dealt")] == [2, 3]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("no json", "is not JSON"),
        ("[]", "has no 'channel' with 'messages'"),
        ('{"channel": {}, "messages": []}', "the export has no messages"),
    ],
)
def test_what_is_no_export_is_refused_in_a_sentence(folder: Path, text: str, says: str) -> None:
    (folder / "a.json").write_text(text)
    with pytest.raises(BadSource, match=says):
        read(folder / "a.json")


def test_a_channel_without_a_combat_is_refused(folder: Path) -> None:
    author = {"id": "2", "name": "Kim", "isBot": False}
    message = {"id": "1", "timestamp": "2026-11-20T20:00:00+01:00", "content": "hello", "embeds": [], "author": author}
    (folder / "a.json").write_text(json.dumps({"channel": {"name": "x"}, "messages": [message, {"id": "2"}]}))
    with pytest.raises(BadSource, match="shows no combat"):
        read(folder / "a.json")


def test_a_channel_is_imported_for_the_fifth_edition() -> None:
    done = {}
    for ruleset in ("plain", "5e"):
        found = encounter("import", "discord", str(CHANNEL), f"{ruleset}.jsonl", "--ruleset", ruleset, "--json")
        assert (found.exit_code, found.stderr) == (0, "")
        done[ruleset] = json.loads(found.stdout)
        del done[ruleset]["file"], done[ruleset]["head"]
    ended = done["plain"]["records"] - done["5e"]["records"]  # by a failed save for concentration, which only 5e knows
    assert ended == 1
    for repair in done["plain"]["repairs"]:
        repair["event"] -= ended
    assert done["5e"] == {**done["plain"], "records": done["5e"]["records"]}
    opening = json.loads(Path("5e.jsonl").read_text("utf-8").split("\n")[0])["event"]
    assert (opening["ruleset"], opening["options"]["hp-floor"]) == ("5e", "sheet")
    assert encounter("audit", "5e.jsonl").exit_code == 0
