"""A model at a chat endpoint is asked about a line that is refused, where the environment names one; whatever goes wrong there is silent."""

import asyncio
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

import encounterlog as el
from encounterlog.log.suggesting import Question
from encounterlog.places import model
from encounterlog.places.model import Model
from tests.encounterlog.models import Answering, answering
from tests.encounterlog.support import encounter, log_of, spawn

QUESTION = Question("the task", "the line")
LINE = "the ogre gets whalloped something awful, 6"
FOUGHT: list[dict[str, Any]] = [
    {"type": "combatant_joined", "combatant": "ana", "name": "Ana", "side": "party", "sheet": {"hp": 14}},
    {"type": "combatant_joined", "combatant": "ogre", "name": "Ogre", "side": "foes", "sheet": {"hp": 20}},
    {"type": "round_started", "round": 1},
]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return log_of(tmp_path / "ford.jsonl", FOUGHT, "plain")


def test_the_model_is_asked_at_its_address_now_or_later() -> None:
    with answering(Answering("b o 14 6")) as server:
        assert Model(f"{server.url}/", "small", "a-key")(QUESTION) == "b o 14 6"
        assert Model(server.url)(QUESTION) == "b o 14 6"
    asked, bare = server.asked
    assert (asked["path"], asked["model"], asked["stream"]) == ("/v1/chat/completions", "small", False)
    assert [each["content"] for each in asked["messages"]] == ["the task", "the line"]
    assert server.sent[0]["authorization"] == "Bearer a-key"
    assert "model" not in bare
    assert "authorization" not in server.sent[1]
    with answering(Answering("o -6")) as server:
        later = model.Later(Model(server.url))
        assert not later.ask()
        assert (later(QUESTION), server.asked) == ("", [])
        assert asyncio.run(asyncio.to_thread(later.ask))
        assert later(Question("another", "one")) == "o -6"
    assert len(server.asked) == 1


def test_nobody_waits_longer_than_the_limit_whatever_comes_meanwhile() -> None:
    with answering(Answering("o -6")) as server:
        server.go.clear()
        assert Model(server.url, patience=0.1)(QUESTION) == ""  # before it answers
        assert server.begun.wait(10)
        server.go.set()
    assert len(server.asked) == 1
    assert model.PATIENCE == 2.0


def test_no_redirection_takes_the_key_elsewhere_nor_any_error(capfd: pytest.CaptureFixture[str]) -> None:
    with answering(Answering("o -6")) as server:
        assert Model(server.url, key="bad\r\nkey")(QUESTION) == ""
    assert capfd.readouterr() == ("", "")
    assert "secret" not in repr(model.Later(Model("http://x", key="secret")))
    with answering(Answering("o -6")) as other:
        for status in (301, 302, 303, 307, 308):
            with answering(Answering("o -6", status, location=f"{other.url}/chat/completions")) as server:
                assert Model(server.url, key="a-key")(QUESTION) == ""
    assert other.asked == []


def test_no_more_than_a_few_questions_are_open_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    free = threading.BoundedSemaphore(1)
    monkeypatch.setattr(model, "_FREE", free)
    with answering(Answering("o -6")) as server:
        with free:  # another question is open
            assert Model(server.url)(QUESTION) == ""
        assert Model(server.url)(QUESTION) == "o -6"
        assert Model(server.url)(QUESTION) == "o -6"
    assert len(server.asked) == 2


# ---------------------------------------------------------------- where lines are told


def named(monkeypatch: pytest.MonkeyPatch, server: Answering) -> None:
    monkeypatch.setenv("ENCOUNTER_READER", server.url)
    monkeypatch.setenv("ENCOUNTER_READER_MODEL", "small")
    monkeypatch.setenv("ENCOUNTER_READER_KEY", "a-key")


def test_add_and_play_offer_what_the_model_suggests(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with answering(Answering("o -6")) as server:
        named(monkeypatch, server)
        done = encounter("add", log, LINE)
    assert (done.exit_code, len(server.asked)) == (4, 1)
    assert "1  Ogre takes 6 damage (suggested by the model)  `o -6`" in done.stderr
    assert f"`note {LINE}`" in done.stderr
    assert LINE in server.asked[0]["messages"][1]["content"]
    with answering(Answering("o -6")) as server:
        named(monkeypatch, server)
        done = encounter("play", log, stdin=f"o -5\n{LINE}\n")
    assert len(server.asked) == 1
    assert "Ogre takes 6 damage (suggested by the model)" in done.stderr
    assert el.open(log).head.seq == 5


def test_a_bad_answer_changes_nothing_of_a_refusal(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = encounter("add", log, LINE)
    for answer in (Answering("ana -6"), Answering("undo"), Answering(b"no JSON"), Answering("o -6", 500)):
        with answering(answer) as server:
            named(monkeypatch, server)
            done = encounter("add", log, LINE)
        assert (done.stderr, done.exit_code, len(server.asked)) == (alone.stderr, alone.exit_code, 1)


def test_scripts_ask_nobody(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = log.with_suffix(".enc")
    script.write_text(encounter("export", "script", log).stdout + f"{LINE}\n", "utf-8")
    with answering(Answering("o -6")) as server:
        named(monkeypatch, server)
        assert encounter("fmt", script).exit_code
        assert encounter("append", log, stdin=f"{LINE}\n").exit_code
    assert server.asked == []


def test_without_a_model_nothing_of_it_is_loaded(log: Path) -> None:
    spawn("add", log, "o -1")
    command = (
        f"import sys; sys.argv = ['encounter', 'add', {str(log)!r}, {LINE!r}]; from encounterlog.__main__ import main"
    )
    after = "import atexit; atexit.register(lambda: print(*sys.modules)); main()"
    done = subprocess.run([sys.executable, "-c", f"{command}; {after}"], capture_output=True, text=True, check=False)
    assert done.returncode == 4
    assert {"urllib.request", "http.client", "encounterlog.log.suggesting"}.isdisjoint(done.stdout.split())
