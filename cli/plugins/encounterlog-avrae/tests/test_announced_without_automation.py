"""What an import tells of rolls that no automation made, of counted death saves, of contests, of deeds announced in words."""

import pytest

from channel import Channel, events, told, two
from test_telling import answered


def kim_writes(content: str) -> Channel:
    channel, _, _ = two()
    channel.row(
        "message", message_id=5, author_bot=False, author_id="77", author_name="Kim", content=content, embeds=[]
    )
    return channel


def test_each_of_several_free_rolls_is_read() -> None:
    channel = kim_writes("!rrr 2 1d20+1 12")
    channel.say(
        "<@77>\nperception: Rolling 2 iterations, DC 12...\n1d20 (11) + 1 = `12`\n1d20 (3) + 1 = `4`\n1 successes, 16 total."
    )
    assert told(channel.read())[-2:] == [
        "free roll by Kim (perception): 11, total 12, against 12, succeeds (+1 bonus)",
        "free roll by Kim (perception): 3, total 4, against 12, fails (+1 bonus)",
    ]


def test_dice_in_double_brackets_are_rolls_of_those_who_wrote_them() -> None:
    channel = kim_writes("I jump [[1d20+2]] and land [[1d6 # feet]]")
    channel.say("I jump (1d20 (9) + 2 = `11`) and\n**feet**: 1d6 (4) = `4`")
    channel.say("Orc 1: <13/20 HP> (-2d6 (3, 4) = `-7`)")
    says = told(channel.read())
    assert says[-2:] == ["free roll by Kim: 9, total 11 (+2 bonus)", "free roll by Kim (feet): 1d6 [4], total 4"]


def test_a_bonus_of_nothing_is_not_told() -> None:
    assert told(answered("Ada makes a Death Save!", "1d20 (9) + 0 = `9`"))[-1] == "ada's death save: rolls 9, total 9"


@pytest.mark.parametrize(
    ("title", "says"),
    [
        ("Ada succeeds a Death Save!", "ada's death save: recorded as a success"),
        ("Ada fails a Death Save!", "ada's death save: recorded as a failure"),
        ("Ada takes the Dodge action!", "ada takes the Dodge action"),
        ("Ada uses Tides of Chaos!", "ada uses Tides of Chaos"),
        ("Ada uses his Sniper Feat!", "ada uses Sniper Feat"),
        ("Ada is hiding!", "ada is hiding"),
    ],
)
def test_what_the_bot_announces_without_a_roll_is_told(title: str, says: str) -> None:
    assert told(answered(title, ""))[-1] == says


@pytest.mark.parametrize("title", ["Ada already rolled initiative!", "Ada's Actions", "Ada took a Long Rest!", "Ada"])
def test_a_title_that_announces_no_act_is_none(title: str) -> None:
    assert events(answered(title, ""), "action_taken") == []


def test_a_contest_is_told_of_both_sides() -> None:
    channel, ada, orc = two()
    check = {
        "type": "check",
        "skill_name": "Athletics",
        "check_roll": {"result": "1d20 (7) + 2 = `9`"},
        "contest_skill_name": "Stealth",
        "contest_roll": {"result": "1d20 (15) = `15`"},
        "did_succeed": False,
        "contest_did_tie": False,
    }
    channel.message("!a grapple -t orc", number=2)
    channel.run(ada, [check], 2, (orc,))
    channel.say("", {"title": "Ada uses Grapple!"})
    transcript = channel.read()
    (contest,) = events(transcript, "contest_rolled")
    assert [(one["combatant"], one["using"], one["total"]) for one in contest["contenders"]] == [
        ("ada", "Stealth", 15),
        ("orc-1", "Athletics", 9),
    ]
    assert contest["winner"] == "ada"
    assert "contest: ada rolls 15 and orc-1 rolls 7, ada wins" in told(transcript)
