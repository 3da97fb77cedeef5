"""What the bot really did: refusals, names, quotes, prompts, repairs, and fights that begin in the middle."""

import gzip
import json
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from channel import Channel, Row, events, last, two
from encounterlog.cli.importing import format_import
from encounterlog.importers import importing
from encounterlog.importers.games import list_games_with_imports
from encounterlog.importers.transcript import BadSource, Transcript
from encounterlog.log.logs import LogView, replay_log
from encounterlog_avrae.command import Options, split_words
from encounterlog_avrae.printed import Printed, PrintedList, parse_points
from encounterlog_avrae.recordings import read
from projections.judging.audit import audit

FIXTURES = Path(__file__).parent / "recordings" / "fireball"
SHARED = Path(__file__).parents[5] / "shared" / "data" / "fireball"
TURN = "**Initiative {} (round {})**: {} (<@1>)\n```md\n{} <20/20 HP>```"


def recordings() -> list[Path]:
    """List the recordings of the project, and those that lie beside it, if any do."""
    return [*sorted(FIXTURES.glob("*.jsonl*")), *sorted(SHARED.glob("more/*.gz"))]


@cache
def recorded(name: str) -> Transcript:
    return read(FIXTURES / f"{name}.jsonl.gz")


def notes(transcript: Transcript) -> list[str]:
    return [event["text"] for event in events(transcript, "noted")]


def kinds(transcript: Transcript, *lines: int) -> list[str]:
    """List the types of what the rows in these lines led to."""
    return [fact.event["type"] for fact in transcript.facts if set(fact.lines) & set(lines)]


def audited(folder: Path, source: Path | list[Row], ruleset: str = "plain") -> tuple[importing.Imported, list[str]]:
    """Import a recording and audit the log: what was done, and the breaches."""
    path = source if isinstance(source, Path) else folder / "rows.jsonl"
    if not isinstance(source, Path):
        path.write_text("".join(json.dumps(row) + "\n" for row in source))
    done = importing.run_import("fireball", str(path), str(folder / "fight.jsonl"), None, "gm", ruleset=ruleset)
    found = audit(LogView(str(folder / "fight.jsonl"))).findings
    return done, [one.says for one in found if one.severity == "breach"]


# all recordings


Once = Callable[..., tuple[importing.Imported, list[str], Path]]
each_recording = pytest.mark.parametrize("path", recordings(), ids=lambda path: path.name.partition(".")[0])


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Once:
    """Return what imports and audits a recording, once for all tests: what was done, the breaches, and the log."""

    @cache
    def done(path: Path, ruleset: str = "plain") -> tuple[importing.Imported, list[str], Path]:
        folder = tmp_path_factory.mktemp("recording")
        return (*audited(folder, path, ruleset), folder / "fight.jsonl")

    return done


each_game = pytest.mark.parametrize("ruleset", list_games_with_imports())

BREACHES = {("1669400683", "5e"): ["Experiment4 is incapacitated, and acts"]}
"""The breaches of recorded fights, each checked by hand: a monster attacks under a spell that takes its actions."""


@pytest.mark.in_turn(4)
@pytest.mark.slow
@each_game
@each_recording
def test_a_recording_has_its_breaches_and_nothing_without_a_cause(once: Once, path: Path, ruleset: str) -> None:
    done, breaches, _ = once(path, ruleset)
    assert breaches == BREACHES.get((path.name[:10], ruleset), [])
    assert (done.differences, done.unexplained, done.problems) == ((), 0, ())
    for one in done.respects:
        assert one.by_itself + one.with_cause == one.states, one.name


@pytest.mark.slow
@each_game
@each_recording
def test_states_agree_with_the_facts_before_anything_is_set_right(once: Once, path: Path, ruleset: str) -> None:
    done, _, _ = once(path, ruleset)
    assert [one.name for one in done.respects if one.by_itself < one.states] == []


# refusals (item 15)


def test_the_turn_refused_in_line_713_is_no_turn_and_begins_no_round() -> None:
    transcript = recorded("1669406672")
    assert kinds(transcript, 711, 712, 713) == ["noted"]
    assert "refused: !i n (It is not your turn.)" in notes(transcript)
    rounds = [event["round"] for event in events(transcript, "round_started")]
    assert rounds == sorted(set(rounds)), "each round begins once"
    assert transcript.repairs == ()


REFUSED = [
    ("init next", "!i n", "It is not your turn."),
    ("init next", "!i n", "There are no combatants."),
    ("init move", "!i move", "You do not control any combatants."),
    ("init hp", "!i hp Dragon -5", "Combatant not found."),
    ("init hp max", "!i hp max orc -5", "You can't have a negative max HP!"),
    ("init opt", "!i opt orc Boss", "No valid options found."),
    ("init re", "!i re orc Slow", "Slow not removed from Orc 1."),
]


@pytest.mark.parametrize(("name", "typed", "answer"), REFUSED)
def test_a_refused_command_is_only_noted_with_its_answer(name: str, typed: str, answer: str) -> None:
    channel, _, _ = two()
    channel.message(typed, number=2)
    channel.say(answer)
    channel.row("command", message_id=2, content=typed, command_name=name, caster=None)
    found, transcript = last(channel)
    assert found == {"type": "noted", "text": f"refused: {typed} ({answer})"}
    assert (transcript.repairs, transcript.problems) == ((), [])


def test_a_refusal_counts_even_where_a_state_carries_the_id_of_the_command() -> None:
    channel, _, _ = two()
    channel.message("!i n", number=2)
    channel.say("It is not your turn.")
    channel.state(2)
    channel.row("command", message_id=2, content="!i n", command_name="init next", caster=None)
    transcript = channel.read()
    assert events(transcript, "turn_started") == []
    assert transcript.repairs == ()


def test_a_command_without_answer_or_state_is_told_as_tried() -> None:
    channel, _, _ = two()
    channel.command("init next", "!i n", 2, state=False)
    found, _ = last(channel)
    assert found == {"type": "noted", "text": "tried, with no answer on record: !i n"}


def test_a_turn_whose_state_is_lost_is_the_one_that_the_answer_announces() -> None:
    channel, _, _ = two()
    for number, (init, name, count) in enumerate([(15, "Ada", 1), (9, "Orc 1", 1), (15, "Ada", 2)], 2):
        channel.message("!i n", number=number)
        channel.say(TURN.format(init, count, name, name))
        channel.row("command", message_id=number, content="!i n", command_name="init next", caster=None)
    transcript = channel.read()
    assert [one["combatant"] for one in events(transcript, "turn_started")] == ["ada", "orc-1", "ada"]
    assert [one["round"] for one in events(transcript, "round_started")] == [1, 2]


def test_an_unconfirmed_command_is_not_believed_for_another_difference() -> None:
    channel, ada, _ = two()
    channel.message("!i n", number=2)
    ada["seen"] = "<7/20 HP>"
    channel.state(9)
    channel.row("command", message_id=2, content="!i n", command_name="init next", caster=None)
    transcript = channel.read()
    assert events(transcript, "turn_started") == []
    assert [one.address for one in transcript.unexplained] == ["ada.hp"]
    assert notes(transcript) == ["tried, with no answer on record: !i n"]


def test_the_refusal_of_somebody_else_leaves_a_command_alone() -> None:
    channel, _, _ = two()
    for number, author in ((2, "a"), (3, "b")):
        channel.message("!i n", number=number)
        channel.rows[-1]["author_id"] = author
    channel.say(TURN.format(15, 1, "Ada", "Ada"))
    channel.current, channel.round = 0, 1
    channel.state(2)
    channel.row("command", message_id=2, content="!i n", command_name="init next", caster=None)
    channel.say("It is not your turn.")
    channel.row("command", message_id=3, content="!i n", command_name="init next", caster=None)
    transcript = channel.read()
    assert [event["combatant"] for event in events(transcript, "turn_started")] == ["ada"]
    assert notes(transcript) == ["refused: !i n (It is not your turn.)"]
    assert transcript.repairs == ()


def test_what_people_say_through_another_bot_is_no_answer() -> None:
    channel, _, _ = two()
    channel.message(TURN.format(9, 0, "Orc 1", "Orc 1"), bot=True, number=7)
    for row in channel.rows:
        row["author_id"] = "keeper" if row.get("author_bot") else "someone"
    channel.command("init next", "!i n", 2, state=False)
    channel.message("It is not your turn.", bot=True, number=8)
    channel.rows[-1]["author_id"] = "a puppet"
    assert notes(channel.read()) == ["tried, with no answer on record: !i n"]


# names (item 16)


def test_braldars_points_are_read_though_braldar_wildshape_begins_alike() -> None:
    transcript = recorded("1669406672")
    shown = [event["values"] for event in events(transcript, "checked")]
    points = [values["braldar.hp"] for values in shown if "braldar.hp" in values]
    assert len(points) == sum("braldar.effects" in values for values in shown)
    assert (points[0], points[-1]) == (30, 0)
    assert {event["amount"] for event in events(transcript, "damage_dealt") if event["target"] == "braldar"} >= {1, 10}
    assert transcript.problems == []


def test_a_name_that_begins_another_has_its_own_line() -> None:
    text = "  15: Bo Wild\n      - Bo <3/9 HP>\n  12: Bo (AC 9)\n   9: Bo (young) <4/4 HP>"
    printed = PrintedList(text)
    printed.find("Bo Wild")
    assert printed.take("Bo") == Printed(3, 9)
    assert printed.take("Bo") == Printed(ac=9)
    assert printed.take("Bo (young)") == Printed(4, 4)
    assert printed.left_over() == []


def test_points_given_under_a_longer_name_are_nobody_elses() -> None:
    channel, ada, _ = two()
    channel.join("Big Ada", 4)
    ada["seen"] = "<18/20 HP>"
    channel.message("!i hp Ada -2", number=5)
    channel.state(5)
    channel.say("Ada: <18/20 HP> (-2)")
    channel.say("Big Ada: <1/20 HP>")
    channel.row("command", message_id=5, content="!i hp Ada -2", command_name="init hp", caster=None)
    found, transcript = last(channel)
    assert found == {"type": "damage_dealt", "target": "ada", "amount": 2, "cause": -1}
    assert transcript.repairs == ()


def test_what_a_state_shows_and_nobody_can_have_is_counted_and_listed() -> None:
    channel, ada, _ = two()
    ada["seen"] = "<Healthy>"
    channel.command("embed", "!embed", 2)
    channel.rows[-2]["human_readable"] = channel.rows[-2]["human_readable"].replace("Orc 1", "Orc the First")
    channel.command("embed", "!embed", 3)
    assert {problem.what for problem in channel.read().problems} == {
        "shows Ada at <Healthy>, which is not a number of hit points (and in 1 further line)",
        "has no line for Orc 1 in its list, and no hit points besides",
        "shows '9: Orc the First <20/20 HP>', which belongs to nobody in the state",
    }


def test_an_announcement_of_a_longer_name_is_not_that_of_a_run() -> None:
    channel, ada, _ = two()
    channel.join("Ada Wild", 4)
    channel.message("!a bite", number=5)
    channel.run(ada, [], 5)
    channel.say("", {"title": "Adam attacks with a Spoon!"})
    channel.say("", {"title": "Ada Wild attacks with a Claw!"})
    channel.say("", {"title": "Ada attacks with a Bite!"})
    acts = [event["action"]["name"] for event in events(channel.read(), "action_taken")]
    assert acts == ["Bite", "Claw"]


# quotes (item 17)


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("orc “Hit 5” -ac +1", ["orc", "Hit 5", "-ac", "+1"]),
        ("orc ‘Hit 5’", ["orc", "Hit 5"]),
        ("orc «Hit 5» 「Hit 6」", ["orc", "Hit 5", "Hit 6"]),
        ("'Orc 1' \"Hit 5\"", ["Orc 1", "Hit 5"]),
        ("D'Vana l’Orée", ["D'Vana", "l’Orée"]),
        (r'"a \"b\" c" d', ['a "b" c', "d"]),
        ('-d 2d6["cold iron"] x', ["-d", "2d6[cold iron]", "x"]),
        ("orc “Hit 5", ["orc", "“Hit", "5"]),
        ("  ", []),
    ],
)
def test_words_are_split_by_the_bots_quotes(typed: str, words: list[str]) -> None:
    assert split_words(typed) == words


def test_an_option_has_its_values_and_a_number_below_0_is_one() -> None:
    options = Options(["Boss", "-hp", "-5", "-hp", "-7", "conc", "-name", "-t", "a", "-t", "b"])
    assert (options.values_of("hp"), options.values_of("t"), options.values_of("name")) == (
        ["-5", "-7"],
        ["a", "b"],
        [],
    )
    assert ("conc" in options, "name" in options, "end" in options) == (True, True, False)


@pytest.mark.slow
def test_effects_and_names_in_typographic_quotes_begin_once() -> None:
    transcript = recorded("1669400683")
    begun = [event["effect"] for event in events(transcript, "effect_started")]
    assert not [name for name in begun if set(name) & set("“”")]
    assert begun.count("Hit 1") == 1
    assert "Something happened" in begun
    assert (transcript.repairs, transcript.problems) == ((), [])
    names = [event["values"] for event in events(transcript, "ruling_made") if "was renamed" in event["decision"]]
    assert [next(iter(values.values())) for values in names] == [f"Experiment{n}" for n in range(1, 6)]


# repairs (item 18)


def repairs(transcript: Transcript) -> list[tuple[str, int, int]]:
    return [(one.address, one.line, one.cause) for one in transcript.repairs]


def effect(name: str, key: str = "e", **more: Any) -> Row:
    return {"id": key, "name": name, "duration": None, "end_round": None} | more


ANSWERS = {"She is Slow to wit.": False, "**Effect**: Slow [3 rounds]": True, "**Effect**: Slowed": False}


def test_an_effect_is_explained_by_its_row_and_not_by_a_word_somewhere() -> None:
    for answer, explained in ANSWERS.items():
        channel, ada, _ = two()
        ada["effects"] = [effect("Slow")]
        channel.message("!curse", number=2)
        channel.say("", {"title": "A curse!", "fields": [{"name": "Ada", "value": answer}]})
        channel.command("embed", "!embed Slow", 2)
        line = next(n for n, row in enumerate(channel.rows, 1) if row.get("embeds"))
        found = [(address, why) for address, _, why in repairs(channel.read())]
        assert found == [("ada.effects", line if explained else 0)], answer


def test_an_effect_on_one_is_not_explained_by_that_on_another() -> None:
    channel, _, orc = two()
    orc["effects"] = [effect("Slow")]
    channel.message("!curse", number=2)
    channel.say("", {"title": "A curse!", "fields": [{"name": "Ada", "value": "**Effect**: Slow"}]})
    channel.command("embed", "!embed", 2)
    assert [one.address for one in channel.read().unexplained] == ["orc-1.effects"]


CONFLICT = {"fields": [{"name": "Ada", "value": "Removed Slow due to concentration conflict!"}]}
OTHERS: list[tuple[str, list[Row], str, Row]] = [
    ("✅ Big Orc 1's initiative set to 4 (was 9).", [], "order", {"init": 4}),
    ("✅ Big Orc 1's HP max set to 30 (was 20).", [], "orc-1.hp_max", {"seen": "<20/30 HP>"}),
    ("", [CONFLICT], "orc-1.effects", {"effects": []}),
]


@pytest.mark.parametrize(("answer", "embeds", "address", "changed"), OTHERS)
def test_what_is_said_of_another_explains_nothing(answer: str, embeds: list[Row], address: str, changed: Row) -> None:
    channel, _, orc = two()
    orc["effects"] = [effect("Slow")]
    channel.command("init effect", "!i effect orc Slow", 2)
    before = len(channel.read().repairs)
    orc |= changed
    channel.message("!i opt", number=3)
    channel.say(answer, *embeds)
    channel.command("embed", "!embed", 3)
    assert [(one.address, one.cause) for one in channel.read().repairs[before:]] == [(address, 0)]


def test_code_that_names_an_effect_in_quotes_explains_it() -> None:
    channel, ada, _ = two()
    ada["effects"] = [effect("Slow")]
    channel.message("!curse", number=2)
    code = "!embed {{combat().me.add_effect('Slow', 'x')}}"
    channel.row("alias_resolution", message_id=2, alias_name="curse", alias_body=code, content_after="!embed")
    line = len(channel.rows)
    channel.command("embed", "!embed", 2)
    assert [why for _, _, why in repairs(channel.read())] == [line]


def test_who_is_new_or_gone_without_a_row_is_counted() -> None:
    channel, _, orc = two()
    stranger = deepcopy(orc) | {"name": "Elf", "id": "id of Elf"}
    channel.list = [channel.list[0], stranger]
    channel.command("embed", "!embed", 2)
    says = [one.says for one in channel.read().unexplained]
    assert says == [
        "Elf is in the fight, though no row says that it joined",
        "Orc 1 is gone from the fight, though no row removes it",
    ]


def test_a_living_monster_is_not_cleared_away_as_turns_go_on() -> None:
    channel, _, _ = two()
    channel.list = channel.list[:1]
    channel.current, channel.round = 0, 1
    channel.command("init next", "!i n", 2)
    assert [one.address for one in channel.read().unexplained] == ["order"]


def test_what_is_left_of_an_effect_is_set_right_and_counted() -> None:
    channel, ada, _ = two()
    ada["effects"] = [effect("Slow", duration=9, end_round=9, end_on_turn_end=True)]
    channel.command("init effect", "!i effect Ada Slow -dur 9 end", 2)
    ada["effects"][0]["end_round"] = 4
    channel.command("embed", "!embed", 3)
    transcript = channel.read()
    assert [one.says for one in transcript.unexplained] == [
        "Slow on Ada has 4 rounds left (the facts give 9 rounds left)"
    ]


def test_the_page_says_how_states_agree_and_lists_what_has_no_cause(folder: Path) -> None:
    channel, ada, orc = two()
    ada["seen"], orc["seen"] = "<11/20 HP>", "<4/20 HP>"
    channel.message("!boom", number=2)
    channel.state(2)
    field = {"name": "Ada", "value": "**Damage**: 2d6 (4, 5) [fire] = `9`"}
    channel.say("", {"title": "Boom", "fields": [field]})
    channel.row("command", message_id=2, content="!embed", command_name="embed", caster=None)
    ada["seen"] = "<2/20 HP>"
    channel.state(2)
    done, breaches = audited(folder, channel.rows)
    hp = next(one for one in done.respects if one.name == "hp")
    assert (hp.states, hp.by_itself, hp.with_cause, hp.without_cause, hp.agree) == (4, 2, 0, 2, 4)
    text = "\n".join(format_import(done))
    assert "agreed  set right with a cause  set right without  differs\n" in text
    says = "Orc 1 is at 4 hit points (the facts give 20)"
    assert f"\n2 values set right without a cause\n  line 8: {says}\n" in text
    assert breaches == []


# children, counters, sheets (item 19)


def test_a_child_ends_with_its_parent_though_its_own_count_is_longer(folder: Path) -> None:
    channel, ada, orc = two()
    channel.current, channel.round = 0, 1
    channel.command("init next", "!i n", 2)
    above = effect("Ray", "p", duration=1, end_round=2, end_on_turn_end=False)
    child = effect("Sick", "c", duration=5, end_round=5, end_on_turn_end=False)
    child["parent"] = {"combatant_id": ada["id"], "effect_id": "p"}
    channel.message("!cast ray", number=3)
    ada["effects"], orc["effects"] = [above], [child]
    results = [{"type": "ieffect", "effect": above}], [{"type": "ieffect", "effect": child}]
    channel.run(ada, results[0], 3, (ada,))
    channel.run(ada, results[1], 3, (orc,))
    channel.state(3)
    for number, (current, count) in enumerate([(1, 1), (0, 2)], 4):
        channel.current, channel.round = current, count
        if count == 2:
            ada["effects"], orc["effects"] = [], []
        channel.command("init next", "!i n", number)
    done, breaches = audited(folder, channel.rows)
    assert (breaches, done.repairs, done.differences) == ([], (), ())
    assert "effect_ended" not in [fact.event["type"] for fact in channel.read().facts]


def test_the_child_of_a_recorded_spell_has_its_own_count() -> None:
    transcript = recorded("1669408684")
    name = "inkling.effects.Poisoned (Ray of Sickness)"
    counts = [event["values"][name] for event in events(transcript, "checked") if name in event["values"]]
    assert set(counts) == {1, 2}
    assert transcript.repairs == ()


def counter(left: int, used: int = 1) -> Row:
    return {"type": "counter", "counter_name": "Rage", "counter_remaining": left, "used_amount": used}


@pytest.mark.parametrize("rested", [True, False])
def test_a_counter_that_is_reset_elsewhere_is_set_right_before_it_is_used(folder: Path, rested: bool) -> None:
    channel, ada, _ = two()
    channel.message("!rage", number=2)
    channel.run(ada, [counter(0)], 2, (ada,))
    if rested:
        channel.command("customcounter", "!cc Rage +3", 3, state=False, caster=ada)
    line = len(channel.rows)
    channel.message("!rage", number=4)
    channel.run(ada, [counter(2)], 4, (ada,))
    channel.state(4)
    done, breaches = audited(folder, channel.rows)
    assert breaches == []
    (one,) = done.repairs
    assert (one.address, one.cause, one.says) == (
        "ada.resources.Rage",
        line if rested else None,
        "Ada had 3 of Rage (the facts give 0)",
    )


def test_a_reloaded_sheet_explains_what_it_shows_next(folder: Path) -> None:
    channel, ada, _ = two()
    channel.command("update", "!update", 2, state=False, caster=ada)
    line = len(channel.rows)
    ada["seen"] = "<25/25 HP>"
    channel.command("embed", "!embed", 3)
    done, breaches = audited(folder, channel.rows)
    assert breaches == []
    assert [(one.address, one.cause) for one in done.repairs] == [("ada.hp_max", line), ("ada.hp", line)]


def test_an_effect_that_raises_the_most_hit_points_explains_them(folder: Path) -> None:
    channel, ada, _ = two()
    ada["effects"] = [effect("Aid", effects={"max_hp_bonus": 5})]
    ada["seen"] = "<20/25 HP>"
    channel.command("init effect", "!i effect Ada Aid -maxhp +5", 2)
    done, breaches = audited(folder, channel.rows)
    assert breaches == []
    assert [(one.address, one.cause is None) for one in done.repairs] == [("ada.hp_max", False)]


def test_points_after_a_run_are_explained_only_where_it_deals_with_them() -> None:
    for results, explained in (([{"type": "damage", "damage": 4}], True), ([{"type": "text", "text": "ouch"}], False)):
        channel, ada, orc = two()
        orc |= {"hp": 9, "max_hp": 20, "temp_hp": 0, "seen": "<9/20 HP>"}
        channel.message("!a x", number=2)
        channel.run(ada, results, 2, (orc,))
        line = len(channel.rows)
        channel.state(2)
        (one,) = channel.read().repairs
        assert (one.address, one.cause) == ("orc-1.hp", line if explained else 0)


# ambiguous names (item 20)


def prompt(*options: str) -> Row:
    listed = "\n".join(f"**[{number}]** - {option}" for number, option in enumerate(options, 1))
    return {"title": "Multiple Matches Found", "description": f"Which one were you looking for?\n{listed}"}


def three() -> Channel:
    channel, _, _ = two()
    channel.join("Orc 2", 7)
    return channel


@pytest.mark.parametrize(("picked", "who"), [("1", "orc-1"), ("2", "orc-2")])
def test_the_answer_to_a_prompt_says_who_is_meant(picked: str, who: str) -> None:
    channel = three()
    shown = next(one for one in channel.list if one["name"] == f"Orc {who[-1]}")
    channel.message("!i hp orc -5", number=5)
    channel.rows[-1]["author_id"] = "gm"
    channel.say("", prompt("Orc 1 <20/20 HP>", "Orc 2 <20/20 HP>"))
    channel.message("3 silver, please", number=6)
    channel.message(picked, number=7)
    channel.rows[-1]["author_id"] = "gm"
    shown["seen"] = "<15/20 HP>"
    channel.state(5)
    channel.row("command", message_id=5, content="!i hp orc -5", command_name="init hp", caster=None, author_id="gm")
    found, transcript = last(channel)
    assert found == {"type": "damage_dealt", "target": who, "amount": 5, "cause": -1}
    assert (transcript.repairs, transcript.problems) == ((), [])


def test_the_answer_to_an_ambiguous_command_names_the_target() -> None:
    channel = three()
    channel.list[2]["seen"] = "<15/20 HP>"
    channel.message("!i hp orc -5", number=5)
    channel.state(5)
    channel.say("Orc 2: <15/20 HP> (-5)")
    channel.row("command", message_id=5, content="!i hp orc -5", command_name="init hp", caster=None)
    found, transcript = last(channel)
    assert found == {"type": "damage_dealt", "target": "orc-2", "amount": 5, "cause": -1}
    assert (transcript.repairs, transcript.problems) == ((), [])


def test_an_ambiguous_name_never_cleared_up_is_a_problem_and_hits_nobody() -> None:
    channel = three()
    channel.command("init hp", "!i hp orc -5", 5)
    transcript = channel.read()
    assert events(transcript, "damage_dealt") == []
    (problem,) = transcript.problems
    assert "means 'orc', but several have that name, and no answer says which" in problem.what


def test_a_misspelt_name_is_who_was_picked() -> None:
    transcript = recorded("1669408684")
    assert kinds(transcript, 300)[:2] == ["noted", "healed"]
    assert transcript.problems == []


def test_the_end_of_a_concentration_ends_its_children_once(folder: Path) -> None:
    channel, ada, orc = two()
    hex_, cursed = effect("Hex", "p", concentration=True), effect("Cursed", "c")
    cursed["parent"] = {"combatant_id": ada["id"], "effect_id": "p"}
    channel.message("!cast hex", number=3)
    ada["effects"], orc["effects"] = [hex_], [cursed]
    channel.run(ada, [{"type": "ieffect", "effect": cursed}], 3, (orc,))
    channel.state(3)
    ada["effects"], orc["effects"] = [], []
    channel.message("!i re Ada Hex", number=4)
    channel.state(4)
    channel.say("Effect Hex removed from Ada.\nAlso removed 1 child effects.")
    channel.row("command", message_id=4, content="!i re Ada Hex", command_name="init re", caster=None)
    done, _ = audited(folder, channel.rows)
    assert [event["effect"] for event in events(channel.read(), "effect_ended")] == ["Hex"]
    assert [one.rule for one in audit(LogView(str(folder / "fight.jsonl"))).findings] == []
    assert done.repairs == ()


def test_an_option_is_told_as_the_bot_says_it_was_set() -> None:
    channel, _, orc = two()
    orc |= {"name": "Boss", "seen": "<30/40 HP>"}
    typed = "!i opt orc -name “Boss” -hp +10 -max +20 -p 99"
    channel.message(typed, number=5)
    channel.state(5)
    said = "❌ You cannot change a combatant's initiative on their own turn.\n✅ Orc 1's name set to Boss.\n"
    channel.say(said + "✅ Boss's HP max set to 40 (was 20).\n✅ Boss's HP set to 30 (was 20).")
    channel.row("command", message_id=5, content=typed, command_name="init opt", caster=None)
    transcript = channel.read()
    assert transcript.repairs == ()
    assert events(transcript, "sheet_changed")[0]["sheet"] == {"hp_max": 40}
    assert events(transcript, "healed")[0]["amount"] == 10
    assert len(events(transcript, "initiative_rolled")) == 2, "the refused option moves nobody"


# beginnings and forms (item 21)


def from_line(name: str, line: int) -> list[Row]:
    text = gzip.decompress((FIXTURES / f"{name}.jsonl.gz").read_bytes()).decode()
    return [json.loads(one) for one in text.splitlines()[line - 1 :]]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "line"), [("1669408684", 560), ("1669406672", 700), ("1669400683", 900)])
def test_a_recording_from_mid_fight_starts_as_its_first_state_says(folder: Path, name: str, line: int) -> None:
    rows = from_line(name, line)
    first = next(number for number, row in enumerate(rows, 1) if row["event_type"] == "combat_state_update")
    done, breaches = audited(folder, rows)
    assert breaches == []
    assert done.begins.startswith(f"begins in mid-fight: line {first} is taken as stated, round ")
    assert (done.differences, done.unexplained) == ((), 0)
    others = [one for one in done.repairs if one.line != first and not one.address.count(".resources.")]
    assert others == [], "only the first state is set right"
    assert done.begins in format_import(done)


def test_a_fight_that_is_recorded_from_its_beginning_does_not_begin_midway() -> None:
    assert {recorded(name).begins for name in ("1669400683", "1669406672", "1669408684")} == {""}


def test_two_fights_in_one_source_are_refused_with_both_names_and_lines() -> None:
    first, second = from_line("1669406672", 1)[:60], from_line("1669408684", 1)[:60]
    with pytest.raises(BadSource) as refused:
        read([json.dumps(row) for row in first + second])
    assert str(refused.value).startswith("line 61: a second combat, '1669408684-")
    assert "'1669406672-" in str(refused.value)
    assert refused.value.hint.startswith("import each from a separate file")


@pytest.mark.parametrize(
    "triple",
    [
        {"speaker_id": "1", "combat_state_before": [], "commands_norm": ["!i n"], "combat_state_after": []},
        {"before": [], "commands": [], "after": []},
    ],
)
def test_a_filtered_triple_is_refused_as_what_it_is(triple: Row) -> None:
    with pytest.raises(BadSource, match="line 1: is a filtered triple of FIREBALL"):
        read([json.dumps(triple)])


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("10/20 HP", Printed(10, 20)),
        ("-3/20 HP", Printed(-3, 20)),
        ("10 HP", Printed(10)),
        ("10/20 HP, 5 temp", Printed(10, 20, 5)),
        ("5 temp", Printed(temp=5)),
        ("None", Printed()),
        ("Bloodied", None),
    ],
)
def test_hit_points_are_read_in_every_form(text: str, points: Printed | None) -> None:
    assert parse_points(text) == points


def test_a_recording_in_the_newer_form_of_hit_points_has_the_same_facts() -> None:
    text = (FIXTURES / "raw.jsonl").read_text("utf-8")
    newer = text.replace(" HP> (+4 temp)", " HP, 4 temp>")
    assert newer != text
    assert read(newer.split("\n")).facts == read(text.split("\n")).facts


# the fold (item 22)


@pytest.mark.slow
def test_what_the_importer_takes_for_the_state_is_what_the_log_comes_to(once: Once) -> None:
    done, _, log = once(FIXTURES / "1669408684.jsonl.gz")
    state = replay_log(LogView(str(log))).state
    stated = events(recorded("1669408684"), "checked")[-1]["values"]
    shown = {who: one.hp for who, one in state.combatants.items() if not one.left and one.hp is not None}
    assert shown == {who: stated[f"{who}.hp"] for who in shown}
    assert done.differences == ()
