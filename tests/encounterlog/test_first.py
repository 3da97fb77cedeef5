"""`first`, `log --where` and `--turns`: when something held, in a small language over addresses."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from projections.explaining.expressions import ExpressionError, read_expression
from projections.replay.replay import replay
from tests.encounterlog.support import encounter, log_of
from tests.projections.explaining.blame import hit, joined, log

FOUGHT = """\
{"type":"combatant_joined","combatant":"ana","sheet":{"hp":14}}
{"type":"condition_gained","condition":"prone","targets":["ana"]}
{"type":"effect_started","effect":"bull strength","targets":["ana"]}
{"type":"damage_dealt","target":"ana","amount":4}
{"type":"condition_lost","condition":"prone","targets":["ana"]}
{"type":"healed","target":"ana","amount":4}
{"type":"damage_dealt","target":"ana","amount":14}
"""


@pytest.fixture
def fight(folder: Path) -> Path:
    return log_of(folder / "a.jsonl", FOUGHT, "plain")


def seqs(*words: object) -> list[int]:
    done = encounter(*words, "--json")
    assert done.exit_code == 0, done.stderr
    return [json.loads(line)["seq"] for line in done.stdout.splitlines()]


def test_first_and_turns_say_where_it_holds_and_where_an_error_is(fight: Path) -> None:
    assert seqs("log", fight, "--where", "ana.hp < 14", "--turns") == [5, 7, 8]
    assert seqs("log", fight, "--where", "ana.hp < 14", "--turns", "--type", "healed") == [7]
    assert encounter("first", fight, "ana.hp <= 0 and ana.status = down").stdout.splitlines() == [
        "    8  -             ana takes 14 damage", "       ana.hp 0, ana.status down",
    ]  # fmt: skip
    done = encounter("first", fight, "ana.hp > 99")
    assert (done.exit_code, done.stdout) == (1, "never: ana.hp > 99\n       at the end ana.hp 0\n")
    assert encounter("first", fight, "ana.hp < 14", "--at", "4").exit_code == 1
    assert encounter("first", fight, "ana.hp < 14", "--as-of", "4").exit_code == 1
    done = encounter("first", fight, "ana.hp < 3 andd ana.hp > 1\x1b[31m")
    assert (done.exit_code, done.stdout) == (2, "")
    _, line, caret, hint = done.stderr.splitlines()
    assert line[caret.index("^") :].startswith("andd ana")
    assert hint.startswith("hint: such as")
    assert "\x1b" not in done.stderr


@pytest.mark.parametrize(("words", "says"), [
    (("first", "ana.hq < 3"), "there is no value ana.hq here (did you mean ana.hp"),
    (("log", "--where", "anna.hp < 3"), "there is no combatant anna here (did you mean ana?"),
    (("log", "--where", "ana.hp < 3", "--struck"), "--where does not go with"),
    (("log", "--where", "ana.hp < 3", "--follow"), "--where does not go with"),
    (("log", "--turns"), "--turns needs --where EXPR"),
])  # fmt: skip
def test_what_cannot_be_asked_ends_with_2(fight: Path, words: tuple[str, ...], says: str) -> None:
    verb, *rest = words
    done = encounter(verb, fight, *rest)
    assert (done.exit_code, says in done.stderr) == (2, True), done.stderr


WORDS = st.lists(
    st.sampled_from(["ana.hp", "ana.status", "3", "=", "<", "(", ")", "and", "or", "not", "is", "none", '"', "!"])
)


@settings(max_examples=100)
@given(WORDS)
def test_whatever_is_typed_is_an_expression_or_an_error_with_its_place(words: list[str]) -> None:
    text = " ".join(words)
    assert outcome(text) is True or 0 <= outcome(text) <= len(text)


def outcome(text: str) -> int:
    """Return whether an expression could be asked, or the place of its error."""
    try:
        return read_expression(text).holds(replay(log(joined(), hit(3))).state) in (True, False)
    except ExpressionError as error:
        return error.place
