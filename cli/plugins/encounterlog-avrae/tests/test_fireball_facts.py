"""A recorded combat becomes facts; each state of it becomes a check, never a copy."""

import json
import re
from collections import Counter
from copy import deepcopy
from pathlib import Path

import pytest

from channel import Channel, events, last, two
from encounterlog.importers.transcript import BadSource, Transcript
from encounterlog_avrae.recordings import read

RECORDING = Path(__file__).parent / "recordings" / "fireball" / "raw.jsonl"


@pytest.fixture(scope="module")
def transcript() -> Transcript:
    return read(RECORDING)


# the recorded combat


def test_each_of_the_57_states_becomes_one_check(transcript: Transcript) -> None:
    assert transcript.states == 57
    assert len(events(transcript, "checked")) == 57


def test_every_change_of_the_recorded_combat_is_explained_by_a_row(transcript: Transcript) -> None:
    assert not transcript.unexplained
    assert transcript.problems == []
    assert events(transcript, "ruling_made") == []


def test_a_check_has_the_time_and_the_line_of_its_state(transcript: Transcript) -> None:
    first = next(fact for fact in transcript.facts if fact.event["type"] == "checked")
    assert (first.at, first.lines) == ("2022-11-25T21:35:58.358008Z", (6,))
    assert first.event["values"] == {"order": [], "turn": "none", "round": 0}


def test_a_check_states_places_names_points_effects_turn_and_round(transcript: Transcript) -> None:
    values = next(fact.event["values"] for fact in transcript.facts if fact.lines == (93,))
    assert values["order"][:3] == ["verity-silverdust", "nitar", "bartholomew"]
    assert (values["turn"], values["round"]) == ("nitar", 1)
    assert (values["nitar.name"], values["nitar.hp"], values["nitar.hp_max"]) == ("Nitar", 31, 35)
    assert (values["nitar.temp"], values["nitar.effects"]) == (4, ["Frightened", "Wildhunt Shifting"])
    assert (values["nitar.effects.Frightened"], values["nitar.effects.Wildhunt Shifting"]) == (9, 10)


def test_an_attack_carries_its_dice_and_what_it_led_to(transcript: Transcript) -> None:
    facts = [fact.event for fact in transcript.facts if 97 in fact.lines]
    assert [event["type"] for event in facts] == ["action_taken", "attack_rolled", "damage_dealt"]
    assert facts[0]["action"] == {"kind": "attack", "name": "Crystal Spike (Greataxe)", "targets": ["sh1"]}
    assert facts[1] | {"cause": -1} == facts[1]
    assert (facts[1]["die"], facts[1]["total"], facts[1]["ac"], facts[1]["hit"]) == (19, 24, 14, True)
    assert (facts[2]["amount"], facts[2]["cause"]) == (7, -1)
    assert facts[2]["parts"][0]["dice"] == {"notation": "1d12", "faces": [4]}


def test_a_dropped_die_stays_and_is_marked(transcript: Transcript) -> None:
    with_advantage = [one for one in events(transcript, "attack_rolled") if isinstance(one["die"], dict)]
    assert with_advantage[0]["die"] == {"notation": "2d20kh1", "faces": [10, 18], "dropped": [0]}


def test_a_command_stands_before_the_state_that_it_led_to(transcript: Transcript) -> None:
    places = {fact.lines: place for place, fact in enumerate(transcript.facts) if fact.event["type"] != "round_started"}
    assert places[68,] < places[67,], "the row of the command stands behind the state in the file"


def test_going_back_strikes_the_turn(transcript: Transcript) -> None:
    strikes = [place for place, fact in enumerate(transcript.facts) if fact.event["type"] == "struck"]
    struck = [transcript.facts[place + transcript.facts[place].event["event"]].event for place in strikes]
    assert struck == [
        {"type": "turn_ended", "combatant": "nitar"},
        {"type": "turn_started", "combatant": "bartholomew"},
    ]
    assert {transcript.facts[place].lines for place in strikes} == {(230,)}


def test_a_death_save_that_only_the_bot_reports_brings_the_dying_back(transcript: Transcript) -> None:
    facts = [fact.event for fact in transcript.facts if fact.lines == (216,)]
    assert facts[0]["purpose"] == "death"
    assert facts[0]["die"] == 20
    assert facts[1] == {"type": "healed", "target": "nitar", "amount": 1, "cause": -1}


def test_a_spell_of_concentration_holds_the_effects_under_it(transcript: Transcript) -> None:
    facts = [fact.event for fact in transcript.facts if fact.lines == (295,) and fact.event["type"] == "effect_started"]
    assert [(one["effect"], one.get("concentration"), one.get("parent")) for one in facts] == [
        ("Hex", True, None),
        ("Hexing", None, -1),
        ("Hexed", None, -1),
    ]


def test_a_spell_slot_is_spent_as_the_bot_shows_it(transcript: Transcript) -> None:
    slots = [one for one in events(transcript, "resource_changed") if one["resource"] == "level 1 spell slot"]
    assert [(one["combatant"], one["amount"], one["left"]) for one in slots] == [
        ("verity-silverdust", -1, 0),
        ("bartholomew", -1, 3),
        ("bartholomew", -1, 2),
        ("keya", -1, 0),
    ]


def test_references_point_back_at_facts(transcript: Transcript) -> None:
    for place, fact in enumerate(transcript.facts):
        for field in {"cause", "parent", "event"} & fact.event.keys():
            assert -place <= fact.event[field] < 0


def test_ids_are_lower_case_words_and_text_is_whole(transcript: Transcript) -> None:
    for joined in events(transcript, "combatant_joined"):
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", joined["combatant"])
    assert "NaN" not in json.dumps([fact.event for fact in transcript.facts], allow_nan=False)


# small combats of our own


def test_hit_points_taken_by_command_are_damage() -> None:
    channel, _, orc = two()
    orc["seen"] = "<15/20 HP>"
    channel.command("init hp", "!i hp orc -5", 2)
    found, transcript = last(channel)
    assert found == {"type": "damage_dealt", "target": "orc-1", "amount": 5, "cause": -1}
    assert not transcript.unexplained


def test_hit_points_set_by_command_are_the_damage_of_the_difference() -> None:
    channel, ada, _ = two()
    ada["seen"] = "<3/20 HP>"
    channel.command("init hp set", "!i hp set Ada 3", 2)
    assert last(channel)[0] == {"type": "damage_dealt", "target": "ada", "amount": 17, "cause": -1}


def test_points_above_the_maximum_are_a_ruling_that_names_the_command() -> None:
    channel, ada, _ = two()
    ada["seen"] = "<24/20 HP>"
    channel.command("init hp", "!i hp Ada +4", 2)
    found, transcript = last(channel)
    assert (found["type"], found["values"]) == ("ruling_made", {"ada.hp": 24})
    assert "!i hp Ada +4" in found["reason"]
    assert not transcript.unexplained


def test_a_roll_of_hit_points_counts_as_the_bot_prints_it() -> None:
    channel, _, orc = two()
    orc["seen"] = "<13/20 HP>"
    channel.message("!i hp orc -2d6", number=2)
    channel.state(2)
    channel.message("Orc 1: <13/20 HP> (-2d6 (3, 4) = `-7`)", bot=True, number=3)
    channel.row("command", message_id=2, content="!i hp orc -2d6", command_name="init hp", caster=None)
    assert last(channel)[0] == {"type": "damage_dealt", "target": "orc-1", "amount": 7, "cause": -1}


def test_what_no_row_explains_is_a_ruling_that_names_the_state_and_counts() -> None:
    channel, _, orc = two()
    orc["seen"] = "<4/20 HP>"
    channel.command("embed", "!embed -title magic", 2)
    found, transcript = last(channel)
    assert (found["ruling"], found["values"]) == ("override", {"orc-1.hp": 4})
    assert "line 8" in found["reason"]
    assert len(transcript.unexplained) == 1


def test_damage_of_an_alias_is_taken_from_the_answer_that_prints_it() -> None:
    channel, _, orc = two()
    orc["seen"] = "<11/20 HP>"
    channel.message("!boom", number=2)
    channel.state(2)
    field = {"name": "Orc 1", "value": "**Damage**: 2d6 (4, 5) [fire] = `9`"}
    channel.message("", bot=True, embeds=({"title": "Boom", "fields": [field]},), number=3)
    channel.row("command", message_id=2, content="!embed", command_name="embed", caster=None)
    found, transcript = last(channel)
    assert (found["type"], found["amount"], transcript.unexplained) == ("damage_dealt", 9, ())
    assert [(one.address, one.cause) for one in transcript.repairs] == [("orc-1.hp", 9)]


def test_the_first_next_starts_round_one_and_the_last_turn_the_next_one() -> None:
    channel, _, _ = two()
    for number, (current, count) in enumerate([(0, 1), (1, 1), (0, 2)], 2):
        channel.current, channel.round = current, count
        channel.command("init next", "!i n", number)
    transcript = channel.read()
    clock = [fact.event for fact in transcript.facts if fact.event["type"] in ("round_started", "turn_started")]
    assert [one.get("round") or one["combatant"] for one in clock] == [1, "ada", "orc-1", 2, "ada"]
    assert [one["combatant"] for one in events(transcript, "turn_ended")] == ["ada", "orc-1"]
    assert not transcript.unexplained


def test_a_dead_monster_leaves_once_its_turn_is_over() -> None:
    channel, _, orc = two()
    orc["seen"] = "<0/20 HP>"
    channel.command("init hp", "!i hp orc -20", 4)
    channel.current = 1
    channel.command("init move", "!i goto orc", 2)
    channel.list, channel.current = [channel.list[0]], 0
    channel.round = 1
    channel.command("init next", "!i n", 3)
    found, transcript = last(channel)
    assert found == {"type": "combatant_left", "combatant": "orc-1", "reason": "removed from the combat"}
    assert orc not in channel.list
    assert transcript.facts[-1].event["values"]["order"] == ["ada"]


def test_a_group_acts_together() -> None:
    channel, _, _ = two()
    goblins = [
        {"name": f"Go{one}", "id": f"g{one}", "type": "monster", "init": 12, "effects": [], "hp": 7, "max_hp": 7}
        for one in (1, 2)
    ]
    group = {"name": "Gos", "id": "g", "type": "group", "init": 12, "combatants": goblins, "seen": ""}
    channel.list.insert(1, group)
    channel.command("init madd", "!i madd goblin -n 2 -group Gos", 2)
    found, transcript = last(channel)
    assert (found["combatant"], found["together"], found["total"]) == ("go1", ["go2"], 12)
    assert transcript.facts[-1].event["values"]["order"] == ["ada", "go1", "go2", "orc-1"]


def test_an_effect_typed_has_its_length_and_ends_on_command() -> None:
    channel, _, orc = two()
    effect = {"id": "e", "name": "Prone", "duration": 3, "end_round": 3, "end_on_turn_end": True}
    orc["effects"] = [effect]
    channel.command("init effect", '!i effect orc "Prone" -dur 3 end', 2)
    orc["effects"] = []
    channel.command("init re", "!i re orc prone", 3)
    transcript = channel.read()
    length = {"amount": 3, "unit": "round", "of": "orc-1", "at": "end"}
    assert events(transcript, "effect_started")[0]["duration"] == length
    assert events(transcript, "effect_ended")[0]["targets"] == ["orc-1"]
    assert not transcript.unexplained


def test_who_comes_back_under_an_old_name_gets_a_new_id() -> None:
    channel, _, orc = two()
    channel.list.remove(orc)
    channel.command("init remove", "!i remove orc", 2)
    channel.list.append(orc | {"id": "another"})
    channel.command("init madd", "!i madd orc", 3)
    joined = [one["combatant"] for one in events(channel.read(), "combatant_joined")]
    assert joined == ["ada", "orc-1", "orc-1-2"]


def test_names_that_collide_or_hold_no_letters_get_their_own_ids() -> None:
    channel = Channel()
    names = ["SH1", "sh1", "🐉🔥", "[bold]x[/bold]\x1b[31m", "turn", "../../etc", "Zoë"]
    for init, name in enumerate(names):
        channel.join(name, 20 - init)
    joined = events(channel.read(), "combatant_joined")
    assert [one["name"] for one in joined] == names
    ids = [one["combatant"] for one in joined]
    assert ids == ["sh1", "sh1-2", "guest", "bold-x-bold-31m", "turn-2", "etc", "zoe"]


def test_a_name_beyond_the_limit_is_cut_where_it_shows_and_reported() -> None:
    channel = Channel()
    channel.join("x" * 300, 5)
    transcript = channel.read()
    assert events(transcript, "combatant_joined")[0]["name"] == "x" * 119 + "…"
    assert [problem.line for problem in transcript.problems] == [2]


def test_turns_before_the_first_round_are_in_round_0() -> None:
    channel, _, _ = two()
    channel.current = 1
    channel.command("init move", "!i goto orc", 2)
    clock = [fact.event for fact in channel.read().facts][-3:-1]
    assert clock == [{"type": "round_started", "round": 0}, {"type": "turn_started", "combatant": "orc-1"}]


def test_going_to_another_turn_recounts_what_the_bot_counts_by_places() -> None:
    channel, ada, orc = two()
    orc["effects"] = [{"id": "e", "name": "Slow", "duration": 3, "end_round": 3, "end_on_turn_end": False}]
    channel.command("init effect", "!i effect orc Slow -dur 3", 2)
    channel.current, channel.round = 0, 1
    channel.command("init next", "!i n", 3)
    ada["seen"], channel.round = "<20/20 HP>", 2
    channel.command("init skipround", "!i skipround", 4)
    transcript = channel.read()
    assert events(transcript, "ruling_made")[0]["values"] == {"orc-1.effects.Slow": 2}
    assert events(transcript, "checked")[-1]["values"]["orc-1.effects.Slow"] == 2
    assert not transcript.unexplained


def test_level_ones_go_by_their_initiative_modifier_as_the_bot_has_it() -> None:
    channel = Channel()
    skilled = {"initiative": {"value": 3}}
    channel.list = []
    channel.join("Slow", 12)
    channel.list[0]["skills"] = {"initiative": {"value": 0}}
    channel.rows.clear()
    channel.command("init madd", "!i madd Slow", 1)
    quick = deepcopy(channel.list[0]) | {"name": "Quick", "id": "id of Quick", "skills": skilled}
    channel.list.insert(0, quick)
    channel.command("init madd", "!i madd Quick", 2)
    found, transcript = last(channel)
    assert (found["ruling"], found["combatants"], transcript.repairs) == ("tie", ["quick", "slow"], ())


def test_a_state_under_another_commands_id_still_follows_its_own_command() -> None:
    channel, _, _ = two()
    channel.current, channel.round = 0, 1
    channel.message("!i n", number=2)
    channel.state(1)
    channel.row("command", message_id=2, content="!i n", command_name="init next", caster=None)
    assert not channel.read().repairs


# what cannot be read


def good() -> str:
    return json.dumps({"combat_id": "c", "event_type": "combat_start", "timestamp": 1})


NO_LIST = (
    '{"combat_id": "c", "event_type": "combat_state_update", "timestamp": 1, "probable_interaction_id": 1,'
    ' "data": {"combatants": 7}, "human_readable": ""}'
)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        (good()[:20], "not JSON"),
        ("\x00\x01\x02", "not JSON"),
        ("[" * 10_000, "not JSON"),
        ("[1]", "no object"),
        ('{"event_type": "combat_end", "timestamp": 1}', "combat_id"),
        ('{"combat_id": "c", "event_type": "dance", "timestamp": 1}', "unknown event_type 'dance'"),
        ('{"combat_id": "other", "event_type": "combat_end", "timestamp": 1}', "another combat"),
        ('{"combat_id": "c", "event_type": "combat_end", "timestamp": "noon"}', "timestamp"),
        ('{"combat_id": "c", "event_type": "combat_end", "timestamp": 1e300}', "timestamp"),
        ('{"combat_id": "c", "event_type": "combat_end", "timestamp": NaN}', "NaN"),
        ('{"combat_id": "c", "event_type": "message", "timestamp": 1, "message_id": 2}', "'content'"),
        (NO_LIST, "'combatants'"),
    ],
)
def test_a_row_that_cannot_be_read_is_named_and_the_others_are_told(line: str, what: str) -> None:
    transcript = read([good(), line, json.dumps({"combat_id": "c", "event_type": "combat_end", "timestamp": 2})])
    found = [problem for problem in transcript.problems if problem.line == 2]
    assert len(found) == 1
    assert what in found[0].what
    assert Counter(fact.event["type"] for fact in transcript.facts) == {"encounter_closed.2": 1}


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\x89PNG\r\n\x1a\n\x00\x00", b"\x1f\x8b broken", b"Dear diary,\n"])
def test_a_source_without_any_row_is_refused_in_a_sentence(tmp_path: Path, content: bytes) -> None:
    source = tmp_path / "source"
    source.write_bytes(content)
    with pytest.raises(BadSource):
        read(source)


def test_a_folder_and_a_missing_file_are_refused_in_a_sentence(tmp_path: Path) -> None:
    for source in (tmp_path, tmp_path / "nothing"):
        with pytest.raises(BadSource, match="cannot be read"):
            read(source)


def test_an_unknown_kind_of_automation_result_is_named_and_told() -> None:
    channel, _, orc = two()
    orc["seen"] = "<15/20 HP>"
    damage = {"type": "damage", "damage": 5, "damage_roll": {"total": 5, "result": "5 = `5`"}}
    iteration = {"type": "target_iteration", "target_id": "id of Orc 1", "results": [damage]}
    result = {"type": "root", "children": [{"type": "wish", "children": [{"type": "target", "results": [iteration]}]}]}
    caster = {"name": "Ada", "id": "id of Ada"}
    channel.message("!a x", number=2)
    channel.row("automation_run", interaction_id=2, automation_result=result, caster=caster, targets=[])
    channel.state(2)
    transcript = channel.read()
    assert [problem.what for problem in transcript.problems] == ["has an automation result of the unknown kind 'wish'"]
    assert events(transcript, "damage_dealt")[0]["amount"] == 5
    assert not transcript.unexplained
