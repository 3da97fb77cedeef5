"""The rules by which the recorded bot keeps a fight: refusals with a state, groups, level ones, ends of effects."""

from copy import deepcopy
from typing import Any

import pytest

from channel import Channel, Row, events, last, two
from encounterlog.importers.transcript import Transcript

TURN = "**Initiative {} (round {})**: {} (<@1>)"


def answered(channel: Channel, name: str, typed: str, number: int, answer: str = "") -> None:
    """Let somebody type a command, and the bot carry it out, or not, and write a state in any case."""
    channel.message(typed, number=number)
    channel.state(number)
    if answer:
        channel.say(answer)
    channel.row("command", message_id=number, content=typed, command_name=name, caster=None)


def group(channel: Channel, title: str, init: int, *members: Row, bonus: int | None = None) -> Row:
    """Put combatants of the channel into a group."""
    channel.list = [one for one in channel.list if one not in members]
    made = {"name": title, "id": f"id of {title}", "type": "group", "init": init, "combatants": list(members)}
    lines = "".join(f"\n     - {one['name']} {one['seen']}" for one in members)
    for one in members:
        skill = {} if bonus is None else {"skills": {"initiative": {"value": bonus}}}
        one.update({"monster_name": "Kobold", "hp": 20, "max_hp": 20} | skill)
    channel.list = sorted([*channel.list, made | {"seen": lines}], key=lambda other: -int(other["init"]))
    return made


def order(transcript: Transcript) -> list[str]:
    found: list[str] = events(transcript, "checked")[-1]["values"]["order"]
    return found


def slow(duration: int, end_round: int, **more: Any) -> Row:
    more = {"name": "Slow", "id": "e", "end_on_turn_end": False} | more
    return {"duration": duration, "end_round": end_round} | more


# refusals with a state


@pytest.mark.parametrize(
    ("name", "typed", "answer"),
    [
        ("init opt", '!i opt orc -name "Ada"', "❌ There is already another combatant with the name Ada."),
        ("init opt", "!i opt orc -p 30", "❌ You cannot change a combatant's initiative on their own turn."),
        ("init opt", "!i opt orc -max 0", "❌ Max HP must be at least 1."),
        ("init re", "!i re orc Slow", "Slow not removed from Orc 1."),
        ("init re", "!i re orc", "Orc 1 has no effects to remove."),
    ],
)
def test_a_refusal_is_one_although_the_bot_writes_a_state(name: str, typed: str, answer: str) -> None:
    channel, _, _ = two()
    answered(channel, name, typed, 2, answer)
    found, transcript = last(channel)
    assert found == {"type": "noted", "text": f"refused: {typed} ({answer})"}
    assert transcript.repairs == ()


def test_of_an_answer_with_both_only_what_was_done_is_told() -> None:
    channel, _, orc = two()
    orc["seen"] = "<20/30 HP>"
    said = "❌ You cannot change a combatant's initiative on their own turn.\n✅ Orc 1's HP max set to 30 (was 20)."
    answered(channel, "init opt", "!i opt orc -p 3 -max 30", 2, said)
    transcript = channel.read()
    assert events(transcript, "sheet_changed")[0]["sheet"] == {"hp_max": 30}
    assert len(events(transcript, "initiative_rolled")) == 2
    assert transcript.repairs == ()


def test_the_refusal_of_a_command_leaves_the_one_before_alone() -> None:
    channel, _, orc = two()
    orc["init"] = 4
    answered(channel, "init opt", "!i opt orc -p 4", 2)
    answered(
        channel, "init opt", "!i opt orc -p 30", 3, "❌ You cannot change a combatant's initiative on their own turn."
    )
    transcript = channel.read()
    assert [event["total"] for event in events(transcript, "initiative_rolled")] == [15, 9, 4]
    assert [event["text"][:24] for event in events(transcript, "noted")] == ["refused: !i opt orc -p 3"]
    assert transcript.repairs == ()


def test_a_turn_begun_is_not_claimed_by_a_refused_command_that_ends_sooner() -> None:
    channel, _, _ = two()
    channel.message("!i n", number=2)
    channel.message("!i n", number=3)
    channel.say(TURN.format(15, 1, "Ada"))
    channel.say("It is not your turn.")
    channel.current, channel.round = 0, 1
    channel.row("command", message_id=3, content="!i n", command_name="init next", caster=None)
    channel.state(2)
    channel.row("command", message_id=2, content="!i n", command_name="init next", caster=None)
    transcript = channel.read()
    assert [event["combatant"] for event in events(transcript, "turn_started")] == ["ada"]
    assert [event["text"] for event in events(transcript, "noted")] == ["refused: !i n (It is not your turn.)"]
    assert transcript.repairs == ()


def test_what_the_bot_refused_in_private_is_not_told_as_done() -> None:
    channel, _, orc = two()
    channel.current, channel.round = 1, 1
    channel.command("init next", "!i n", 2)
    channel.current = 1
    answered(channel, "init move", "!i goto orc", 3, TURN.format(9, 1, "Orc 1"))
    orc["seen"] = "<14/20 HP>"
    answered(channel, "init opt", '!i opt orc -p 3 -name "Ada" -hp 14', 4)
    transcript = channel.read()
    assert len(events(transcript, "initiative_rolled")) == 2
    assert events(transcript, "damage_dealt")[-1]["amount"] == 6
    assert [one.address for one in transcript.repairs if one.line == len(channel.rows) - 1] == []


# groups and level ones


def three(bonus: int = 2) -> tuple[Channel, Row, Row, Row]:
    """Return a channel with Ada at 15 and a group of two kobolds at 9."""
    channel = Channel()
    ada = channel.join("Ada", 15, kind="player")
    kobolds = [channel.join(name, 9, number=number) for number, name in enumerate(("Ko 1", "Ko 2"), 2)]
    group(channel, "Mob", 9, *kobolds, bonus=bonus)
    answered(channel, "init opt", "!i opt Ko -group Mob", 5, "✅ Ko 1 added to group Mob.\n✅ Ko 2 added to group Mob.")
    return channel, ada, kobolds[0], kobolds[1]


def test_an_own_initiative_moves_nobody_in_a_group_until_it_is_left() -> None:
    channel, ada, first, second = three()
    second["init"] = 20
    answered(channel, "init opt", '!i opt "Ko 2" -p 20', 6, "✅ Ko 2's initiative set to 20 (was 9).")
    assert order(channel.read()) == ["ada", "ko-1", "ko-2"]
    before = channel.read().repairs
    channel.list = [second, ada]
    group(channel, "Mob", 9, first)
    answered(channel, "init opt", '!i opt "Ko 2" -group None', 7, "✅ Ko 2 removed from all groups.")
    transcript = channel.read()
    assert order(transcript) == ["ko-2", "ada", "ko-1"]
    assert transcript.repairs == before


def test_place_group_and_name_are_told_in_the_order_of_the_bot() -> None:
    channel, ada, first, second = three()
    before = channel.read().repairs
    second |= {"init": 20, "name": "Chief"}
    channel.list = [second, ada]
    group(channel, "Mob", 9, first)
    said = ("initiative set to 20 (was 9).", "removed from all groups.", "name set to Chief.")
    answer = f"✅ Ko 2's {said[0]}\n✅ Ko 2 {said[1]}\n✅ Ko 2's {said[2]}"
    answered(channel, "init opt", '!i opt "Ko 2" -name Chief -group None -p 20', 6, answer)
    transcript = channel.read()
    assert order(transcript) == ["ko-2", "ada", "ko-1"]
    assert transcript.repairs == before


def test_a_turn_stays_with_the_group_that_somebody_leaves() -> None:
    channel, ada, first, second = three()
    channel.current, channel.round = 1, 1
    answered(channel, "init move", "!i goto Mob", 6, TURN.format(9, 1, "Mob"))
    before = len(channel.read().repairs)
    first["init"] = 3
    channel.list = [ada, first]
    group(channel, "Mob", 9, second)
    said = "✅ Ko 1's initiative set to 3 (was 9).\n✅ Ko 1 removed from all groups."
    answered(channel, "init opt", '!i opt "Ko 1" -p 3 -group None', 7, said)
    transcript = channel.read()
    values = events(transcript, "checked")[-1]["values"]
    assert (values["turn"], values["order"]) == ("ko-2", ["ada", "ko-2", "ko-1"])
    assert len(transcript.repairs) == before


def test_a_new_group_has_no_modifier_and_ties_are_sorted_anew_on_a_join() -> None:
    channel = Channel()
    kobold, elf = channel.join("Ko", 9), channel.join("Elf", 9, number=2)
    for one, bonus in ((kobold, 4), (elf, 1)):
        one |= {"skills": {"initiative": {"value": bonus}}, "hp": 20, "max_hp": 20}
    channel.rows.clear()
    channel.command("init madd", "!i madd Elf -n 2", 2)
    before = channel.read().repairs
    channel.list = [elf]
    group(channel, "Gang", 9, kobold, bonus=4)
    answered(channel, "init opt", "!i opt Ko -group Gang", 3, "✅ Ko added to group Gang.")
    assert order(channel.read()) == ["elf", "ko"]
    channel.list.reverse()
    channel.join("Wolf", 2, number=4)
    transcript = channel.read()
    assert order(transcript) == ["ko", "elf", "wolf"]
    assert transcript.repairs == before


def test_a_joining_group_has_no_modifier_and_joining_one_moves_nobody() -> None:
    channel = Channel()
    elf = channel.join("Elf", 9)
    elf |= {"skills": {"initiative": {"value": 1}}, "hp": 20, "max_hp": 20}
    channel.rows.clear()
    channel.command("init madd", "!i madd Elf", 1)
    kobolds = [deepcopy(elf) | {"name": f"Ko {number}", "id": f"id of {number}"} for number in (1, 2)]
    for number, members in ((2, kobolds[:1]), (3, kobolds)):
        channel.list = [elf]
        group(channel, "Mob", 9, *members, bonus=4)
        channel.command("init madd", "!i madd kobold -group Mob", number)
    transcript = channel.read()
    assert order(transcript) == ["elf", "ko-1", "ko-2"]
    assert transcript.repairs == ()


def test_who_leaves_a_mixed_group_is_sorted_by_the_group_without_them() -> None:
    channel = Channel()
    elf, kobold = channel.join("Elf", 9, kind="player"), channel.join("Ko", 9, number=2)
    sheet = {"name": "Elf", "skills": {"initiative": {"value": 1}}}
    channel.rows[2]["caster"] = sheet
    group(channel, "Mob", 9, kobold, bonus=2)
    channel.list.append(elf)
    answered(channel, "init opt", "!i opt Ko -group Mob", 3, "✅ Ko added to group Mob.")
    before = len(channel.read().repairs)
    group(channel, "Mob", 9, kobold, elf, bonus=2)
    channel.list = channel.list[1:]
    answered(channel, "init opt", "!i opt Elf -group Mob", 4, "✅ Elf added to group Mob.")
    group(channel, "Mob", 9, kobold, bonus=2)
    channel.list = [channel.list[-1], elf]
    answered(channel, "init opt", "!i opt Elf -group None", 5, "✅ Elf removed from all groups.")
    transcript = channel.read()
    assert order(transcript) == ["ko", "elf"]
    assert [one.says for one in transcript.repairs[before:]] == []


def test_new_initiatives_are_taken_as_rounds_are_skipped() -> None:
    channel, ada, orc = two()
    ada["init"], orc["init"] = 3, 12
    channel.list.reverse()
    channel.round = 2
    said = "New initiatives:\n1d20 (12) = `12`: Orc 1\n1d20 (3) = `3`: Ada\n```md\nCurrent initiative: 0 (round 2)\n==="
    answered(channel, "init skipround", "!i skipround 2", 2, said)
    transcript = channel.read()
    assert order(transcript) == ["orc-1", "ada"]
    assert transcript.repairs == ()


def test_rolled_anew_level_ones_go_by_the_modifiers_that_the_bot_prints() -> None:
    channel = Channel()
    ada, bo, cy = (channel.join(name, init, kind="player") for name, init in (("Ada", 20), ("Bo", 9), ("Cy", 4)))
    ada["init"], bo["init"], cy["init"] = 2, 20, 20
    channel.list = [cy, bo, ada]
    rolls = ("1d20 (17) + 3 = `20`: Cy", "1d20 (19) + 1 = `20`: Bo", "1d20 (2) = `2`: Ada")
    answered(channel, "init reroll", "!i reroll", 2, "\n".join(("Rerolled initiative! New order:", *rolls)))
    transcript = channel.read()
    assert order(transcript) == ["cy", "bo", "ada"]
    assert transcript.repairs == ()


def test_level_ones_stand_in_mid_fight_as_the_first_state_says() -> None:
    channel, ada, orc = two()
    for one, bonus in ((ada, 5), (orc, 1)):
        one |= {"init": 9, "skills": {"initiative": {"value": bonus}}}
    channel.list = [orc, ada]
    channel.round, channel.current = 2, 0
    channel.rows.clear()
    channel.state(1)
    transcript = channel.read()
    assert order(transcript) == ["orc-1", "ada"]
    assert transcript.unexplained == ()


# ends of effects


def gone_to(channel: Channel, place: int, round_: int, number: int) -> None:
    one = channel.list[place]
    channel.current, channel.round = place, round_
    answered(channel, "init move", f'!i goto "{one["name"]}"', number, TURN.format(one["init"], round_, one["name"]))


@pytest.mark.parametrize("at_once", [True, False])
def test_what_is_overdue_ends_with_the_turn_that_the_state_says(at_once: bool) -> None:
    channel, ada, orc = two()
    elf = channel.join("Elf", 5, number=4)
    gone_to(channel, 0, 1, 5)
    ada["effects"] = [slow(1, 1, end_on_turn_end=True)]
    answered(channel, "init effect", "!i effect Ada Slow -dur 1 end", 6, "Added effect Slow to Ada.")
    gone_to(channel, 1, 1, 7)
    before = [one for one in channel.read().repairs if not one.cause]
    ada["effects"] = [] if at_once else ada["effects"]
    channel.current = 2
    answered(channel, "init next", "!i n", 8, TURN.format(5, 1, elf["name"]))
    transcript = channel.read()
    assert [one for one in transcript.repairs if not one.cause] == before
    assert events(transcript, "checked")[-1]["values"]["ada.effects"] == ([] if at_once else ["Slow"])
    assert events(transcript, "effect_ended") == []
    assert orc["effects"] == []


@pytest.mark.parametrize("goes_on", [True, False])
def test_what_hung_on_an_effect_of_one_who_left_goes_on_as_the_state_says(goes_on: bool) -> None:
    channel, ada, orc = two()
    orc["effects"] = [slow(9, 9, name="Hex", id="p")]
    answered(channel, "init effect", "!i effect orc Hex -dur 9", 2, "Added effect Hex to Orc 1.")
    ada["effects"] = [slow(9, 9, parent={"combatant_id": orc["id"], "effect_id": "p"})]
    answered(channel, "init effect", '!i effect Ada Slow -dur 9 -parent "Orc 1|Hex"', 3, "Added effect Slow to Ada.")
    channel.list.remove(orc)
    ada["effects"] = ada["effects"] if goes_on else []
    answered(channel, "init remove", "!i remove orc", 4, "Orc 1 removed from combat.")
    transcript = channel.read()
    assert [one.address for one in transcript.repairs if one.cause] == ["ada.effects"] * goes_on
    assert transcript.unexplained == ()
    assert events(transcript, "checked")[-1]["values"]["ada.effects"] == ["Slow"] * goes_on


def test_as_rounds_are_skipped_what_hung_on_what_is_over_is_not_counted_on() -> None:
    channel, ada, orc = two()
    gone_to(channel, 0, 1, 2)
    orc["effects"] = [slow(1, 1, name="Hex", id="p")]
    answered(channel, "init effect", "!i effect orc Hex -dur 1", 3, "Added effect Hex to Orc 1.")
    ada["effects"] = [slow(9, 10, parent={"combatant_id": orc["id"], "effect_id": "p"})]
    answered(channel, "init effect", '!i effect Ada Slow -dur 9 -parent "Orc 1|Hex"', 4, "Added effect Slow to Ada.")
    before = channel.read().repairs
    ada["effects"], orc["effects"], channel.round = [], [], 3
    answered(channel, "init skipround", "!i skipround 2", 5, TURN.format(15, 3, "Ada"))
    transcript = channel.read()
    assert [one.address for one in transcript.repairs[len(before) :]] == ["orc-1.effects.Hex"]
    assert events(transcript, "effect_ended") == []


# points


@pytest.mark.parametrize("name", ["Orc", "Orc (young)", "“Orc” the Odd"])
def test_a_change_of_points_is_read_of_the_whole_name(name: str) -> None:
    channel, _, _ = two()
    orc = channel.join(name, 3, number=3)
    orc["seen"] = "<12/20 HP>"
    channel.message(f"!i hp '{name}' -5-3", number=4)
    channel.say("Orc 1: <19/20 HP> (-1)")
    channel.state(4)
    channel.say(f"{name}: <12/20 HP> (-8)")
    channel.row("command", message_id=4, content=f"!i hp '{name}' -5-3", command_name="init hp", caster=None)
    transcript = channel.read()
    assert [event["amount"] for event in events(transcript, "damage_dealt")] == [8]
    assert transcript.repairs == ()


# beginnings


def test_a_recording_that_begins_as_some_have_joined_says_so() -> None:
    channel, ada, _ = two()
    channel.rows = channel.rows[5:]
    ada["seen"] = "<14/20 HP>"
    channel.command("init hp", "!i hp Ada -6", 3)
    transcript = channel.read()
    assert transcript.begins == "begins in mid-fight: line 3 is taken as stated, round 0, turn of nobody"
    assert (transcript.repairs, transcript.problems) == ((), [])


def test_what_came_before_the_first_state_is_in_it() -> None:
    channel, _, _ = two()
    channel.rows = [channel.rows[0], *channel.rows[4:]]
    channel.rows.insert(1, channel.rows[0] | {"event_type": "command", "command_name": "init hp", "caster": None})
    channel.rows[1]["content"] = "!i hp Elf -3"
    transcript = channel.read()
    assert transcript.problems == []
    assert events(transcript, "damage_dealt") == []
