"""`may`: what somebody may do now, with the clause that bars the rest, in every ruleset."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

import encounterlog as el
from eventstore.errors import Malformed
from tests.encounterlog.fights import fixture
from tests.encounterlog.support import encounter, log_of, opened

PAGES = {
    "plain": ("s01-a-brawl-at-the-ferry", "29"),
    "osric": ("s09-declarations-in-disorder", "40"),
    "nameless-journey": ("s09-reactions-and-counterspells", "37"),
    "semiautomagic": ("s04-turns-put-off-and-taken", "68"),
    "vile-darkness": ("s01-one-untied-round", "35"),
    "definition-master": ("s10-death-roll-all-equal-d", "60"),
    "5e": ("s01-a-skirmish-at-the-ford", "30"),
}
"""A fight of each ruleset, and a point of it."""


def told(path: Path, ruleset: str, *lines: str) -> Path:
    opened(path, ruleset)
    return told_more(path, *lines)


def told_more(path: Path, *lines: str) -> Path:
    for line in lines:
        done = encounter("add", path, line)
        assert done.exit_code in (0, 1), done.stderr
    return path


def choices(log: Path, *words: str) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the choices by combatant and what they are."""
    done = encounter("may", log, *words, "--json")
    assert (done.exit_code, done.stderr) == (0, "")
    people = json.loads(done.stdout)["people"]
    return {one["combatant"]: {each["what"]: each for each in one["choices"]} for one in people}


@pytest.fixture
def journey(folder: Path) -> Path:
    """Make a log in which it is the turn of bo, who has just attacked lum; kex comes last, and has no Reaction."""
    facts: list[dict[str, Any]] = [
        {"type": "combatant_joined", "combatant": "bo", "side": "heroes", "sheet": {"hp": 24, "entries": [parry("bo")]}},
        {"type": "combatant_joined", "combatant": "lum", "side": "raiders", "sheet": {"hp": 14, "entries": [parry("lum")]}},
        {"type": "combatant_joined", "combatant": "kex", "side": "raiders", "sheet": {"hp": 20}},
        *({"type": "initiative_rolled", "combatant": who, "die": die, "bonus": 0} for who, die in (("bo", 15), ("lum", 9), ("kex", 4))),
        {"type": "turn_started", "combatant": "lum"},
        {"type": "turn_started", "combatant": "bo"},
        {"type": "action_taken", "combatant": "bo", "action": {"kind": "attack", "name": "axe", "targets": ["lum"]}},
    ]  # fmt: skip
    return log_of(folder / "journey.jsonl", facts, "nameless-journey")


def parry(who: str) -> dict[str, str]:
    return {"name": "parry", "cost": "reaction", "answers": f"attack on {who}"}


@pytest.mark.parametrize("ruleset", PAGES)
def test_the_page_of_each_ruleset(folder: Path, ruleset: str, snapshot: SnapshotAssertion) -> None:
    name, at = PAGES[ruleset]
    done = encounter("may", fixture(folder, f"{ruleset}/{name}"), "--at", at)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == snapshot


# ---------------------------------------------------------------- whom it is asked of


def test_without_a_name_it_is_asked_of_those_who_have_the_turn(journey: Path) -> None:
    assert [*choices(journey)] == ["bo"]


def test_names_are_understood_as_at_the_table_and_unknown_ones_get_the_nearest(journey: Path) -> None:
    assert encounter("may", journey, "LU").stdout == encounter("may", journey, "lum").stdout
    done = encounter("may", journey, "lun")
    assert (done.exit_code, done.stderr) == (2, "encounter: there is no combatant lun\nhint: did you mean lum?\n")


def test_once_the_fight_is_over_nobody_may_act(journey: Path) -> None:
    assert encounter("append", journey, stdin='{"type":"encounter_closed"}\n').exit_code in (0, 1)
    assert encounter("may", journey).stdout == "nobody may act: the fight is over\n"
    action = choices(journey, "kex")["kex"]["reaction"]
    assert (action["status"], action["because"]["rules"]) == ("barred", ["log.closed"])


# ---------------------------------------------------------------- what is left, and what bars it


def test_what_was_spent_names_the_act_and_the_clause(journey: Path) -> None:
    action = choices(journey)["bo"]["action"]
    assert (action["status"], action["left"], [each["seq"] for each in action["after"]]) == ("barred", 0, [10])
    assert action["because"]["rules"][0] == "turn.one-action"


def test_what_an_act_gives_is_not_there_before_the_act(folder: Path) -> None:
    lines = ("join ana heroes hp=20 attacks=2 creature=character", "join gob foes hp=9", "ana=15 gob=9", "r", "t ana")
    log = told(folder / "fifth.jsonl", "5e", *lines)
    assert "attacks" not in choices(log)["ana"]
    told_more(log, "ana gob 14 3")
    assert choices(log)["ana"]["attacks"]["left"] == 1
    told_more(log, "ana gob 15 3 cost=attack")
    attacks = choices(log)["ana"]["attacks"]
    assert (attacks["status"], attacks["left"], attacks["because"]["rules"][0]) == ("barred", 0, "act.attack")


def test_a_reaction_is_barred_in_the_own_turn_unless_the_option_allows_it(folder: Path, journey: Path) -> None:
    reaction = choices(journey)["bo"]["reaction"]
    assert (reaction["status"], reaction["left"]) == ("barred", 1)
    assert reaction["because"]["rules"] == ["reaction.outside-own-turn"]
    log = folder / "allowed.jsonl"
    made = encounter("new", log, "--ruleset", "nameless-journey", "--option", "reaction-on-own-turn=allowed")
    assert made.exit_code == 0
    facts = journey.read_text().splitlines()[1:]
    more = "".join(f"{json.dumps(json.loads(line)['event'])}\n" for line in facts)
    assert encounter("append", log, stdin=more).exit_code in (0, 1)
    assert choices(log)["bo"]["reaction"]["status"] == "open"


def test_a_fact_can_be_answered_by_whoever_has_a_reaction_that_fits(journey: Path) -> None:
    log = el.open(journey)
    open_to = {
        who: [(each.status, each.to.seq, each.because.rules) for each in log.may(who).people[0].choices if each.to]
        for who in ("lum", "kex")
    }
    assert open_to["lum"] == [("open", 10, ("reaction.follows-its-cause",))]
    assert open_to["kex"] == [("barred", 10, ("reaction.needs-trait-or-spell",))]


def test_while_dice_are_missing_it_is_unknown_who_may_act(folder: Path) -> None:
    log = fixture(folder, "osric/s09-declarations-in-disorder")
    found = choices(log, "--at", "30")
    assert {each["turn"]["status"] for each in found.values()} == {"unknown"}
    page = encounter("may", log, "--at", "30").stdout
    assert page.endswith("the order is not known yet: no initiative die of heroes, orcs in this round\n")


# ---------------------------------------------------------------- wherever it is asked


def lines(journey: Path) -> Iterator[tuple[str, str]]:
    yield from (
        ("?may", encounter("may", journey).stdout), ("? may kex", encounter("may", journey, "kex").stdout),
        ("?may kex @9", encounter("may", journey, "kex", "--at", "9").stdout),
    )  # fmt: skip


def test_it_is_a_question_at_the_table(journey: Path) -> None:
    before = journey.read_bytes()
    for line, says in lines(journey):
        done = encounter("add", journey, line)
        assert (done.exit_code, done.stdout) == (0, says), line
    assert encounter("play", journey, stdin="?may kex\n").stdout == encounter("may", journey, "kex").stdout
    assert journey.read_bytes() == before


def test_somebody_called_may_is_asked_about_as_anybody_is(folder: Path) -> None:
    log = told(folder / "may.jsonl", "plain", "join May party hp=9", "join bo foes hp=5")
    assert encounter("add", log, "?may").stdout == encounter("why", log, "may").stdout
    assert encounter("add", log, "?may may").stdout == encounter("may", log, "may").stdout


def test_the_api_gives_what_the_command_prints(journey: Path) -> None:
    log = el.open(journey)
    assert [each.combatant for each in log.may().people] == ["bo"]
    assert [each.combatant for each in log.may("KE", at=9).people] == ["kex"]
    with pytest.raises(Malformed, match="there is no combatant lun") as caught:
        log.may("lun")
    assert caught.value.hint == "did you mean lum?"


@pytest.mark.parametrize(
    ("edition", "rule"),
    [("2014", "spell.bonus-action-bar"), ("2024", "spell.one-slot-a-turn"), ("reactions-exempt", None)],
)
def test_slots_are_barred_by_a_spell_of_the_bonus_action_or_by_another_slot(
    folder: Path, edition: str, rule: str | None
) -> None:
    option = f"edition={edition}" if edition[0] == "2" else f"bonus-spell-bar={edition}"
    log = folder / "spells.jsonl"
    assert encounter("new", log, "--ruleset", "5e", "--option", option).exit_code == 0
    for line in ("join cy heroes hp=33 spells=healing_word,shield slots=4,2", "cy", "cy cast healing_word cy"):
        assert encounter("add", log, line).exit_code == 0
    assert encounter("add", log, "pool cy level_1_spell_slot -1 ^").exit_code == 0
    found = choices(log, "cy")["cy"]
    assert found["reaction"]["status"] == "open"
    assert found["slot-2"]["status"] == ("barred" if rule else "open")
    assert found["slot-2"]["because"]["rules"] == [rule or "slot.spent"]


def test_a_readied_act_waits_for_the_reaction_and_a_death_save_is_owed(folder: Path) -> None:
    lines = (
        "join bo heroes hp=9 creature=character",
        "join gob foes hp=9",
        "join rat foes hp=2",
        "bo=15 gob=9",
        "t bo",
        "bo holds attack gob",
    )
    log = told(folder / "fifth.jsonl", "5e", *lines)
    assert not {"study", "influence"} & {*choices(log)["bo"]["reaction"]["acts"], *choices(log)["bo"]["action"]["acts"]}
    assert choices(log, "bo")["bo"]["attack"]["status"] == "open"
    told_more(log, "t gob", "bo rat 14 2 cost=reaction")
    held = choices(log, "bo")["bo"]["attack"]
    assert (held["status"], held["because"]["rules"][0]) == ("barred", "reaction.one-until-own-turn")
    told_more(log, "place bo 0,0", "bo -9", "t bo")
    assert choices(log)["bo"]["action"]["after"] == []
    save = choices(log)["bo"]["death save"]
    assert (save["status"], save["because"]["rules"][0]) == ("owed", "death-save.due")
    told_more(log, "ds bo 12")
    assert "death save" not in choices(log)["bo"]


def test_acts_are_barred_by_their_own_clause_where_there_is_enough_to_spend(folder: Path) -> None:
    lines = ("join ana heroes hp=9 speed=30", "join horse heroes hp=19 speed=60 size=large", "ana=15", "t ana")
    log = told(folder / "fifth.jsonl", "5e", *lines, "ana mounts horse manner=controlled")
    mount = choices(log, "horse")["horse"]
    assert "attack" not in mount["action"]["acts"]
    assert {*mount["action"]["acts"]} >= {"dash", "disengage", "dodge"}
    assert "attack" in mount["reaction"]["acts"]
    assert choices(log)["ana"]["mount, dismount"]["because"]["rules"] == ["mount.half-speed"]
    assert choices(log)["ana"]["movement"]["acts"] == ["stand-up", "move"]
    told_more(log, "ana is prone", "ana goes 5ft crawl")
    found = choices(log)["ana"]["stand-up"]
    assert (found["kind"], found["status"], found["because"]["rules"]) == ("act", "barred", ["move.stand-up"])
