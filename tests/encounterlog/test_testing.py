"""The pytest plugin, by pytester: whole runs of pytest, in processes of their own, with the plugin as it is installed."""

import re
from pathlib import Path

import pytest

from tests.encounterlog.support import environment

pytest_plugins = "pytester"

PAGE = Path(__file__).parents[2] / "docs/how-to/test.md"
EXAMPLES = dict(
    re.findall(r"^## (.+?)\n(?:(?!^## ).)*?^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
)
SCRIPT = """ruleset osric
encounter An orc
join ada party hp=9
join orc orcs hp=6
r
note before the blow
ada orc 14 4
e
r
ada orc 3
expect orc.hp = {}
"""
COLLECTS = "[pytest]\nencounter_files = *.enc\n"


@pytest.fixture(autouse=True)
def installed(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let processes find what this one found, and turn every warning into an error."""
    monkeypatch.setenv("PYTHONPATH", environment()["PYTHONPATH"])
    monkeypatch.setenv("PYTHONWARNINGS", "error::ResourceWarning")
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    pytester.makeini("[pytest]\n")


def run(pytester: pytest.Pytester, *words: str) -> pytest.RunResult:
    """Run pytest with the plugin alone, and not with what else is installed beside it: that takes longer than the tests."""
    with pytest.MonkeyPatch.context() as only:
        only.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        return with_others(pytester, *words)


def with_others(pytester: pytest.Pytester, *words: str) -> pytest.RunResult:
    """Run pytest with the plugin, named as its entry point is, so that it is there once, installed or not."""
    return pytester.runpytest_subprocess("-p", "encounterlog.testing", "-p", "no:cacheprovider", *words)


def said(done: pytest.RunResult) -> str:
    return done.stdout.str() + done.stderr.str()


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_of_the_documentation_is_copied_and_passes(pytester: pytest.Pytester, example: str) -> None:
    pytester.makepyfile(EXAMPLES[example])
    counts = run(pytester, "-W", "error").parseoutcomes()
    assert (counts.pop("passed") > 0, counts) == (True, {})


def test_the_fixtures_make_logs_in_the_folder_of_the_test(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import pytest

        def test_plain(encounter, tmp_path):
            assert encounter.path.parent == tmp_path
            assert encounter.state().view.ruleset == "plain"

        @pytest.mark.encounter("osric", title="Ford", spoil_cause="hit")
        def test_marked(encounter):
            assert encounter.state()["options.spoil-cause"].value == "hit"
            assert encounter.state().view.title == "Ford"

        def test_several(make_encounter, encounter):
            one, other = make_encounter("osric"), make_encounter("plain", title="x")
            assert len({one.path, other.path, encounter.path}) == 3

        def test_a_clock(make_encounter, encounter_clock):
            log = make_encounter()
            assert [record.at for record in log] == ["2026-01-01T00:00:00.000000Z"]
            encounter_clock("2026-05-01T12:00:00.000000Z")
            assert log.append({"type": "noted", "text": "x"}).records[0].at == "2026-05-01T12:00:00.000000Z"

        def test_the_clock_goes_on_afterwards(encounter):
            assert not encounter.head.hash.startswith("2026")
            assert [record.at for record in encounter] > ["2026-01-02"]
        """
    )
    run(pytester, "-W", "error", "--strict-markers").assert_outcomes(passed=5)


# ---------------------------------------------------------------- scripts


@pytest.mark.slow
def test_a_failure_shows_round_line_and_reason_and_no_traceback(pytester: pytest.Pytester) -> None:
    pytester.makeini(COLLECTS)
    (pytester.path / "bad.enc").write_text(SCRIPT.format(3), "utf-8")
    done = run(pytester)
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(
        ["*bad.enc, line 11: *2*", "*9  round 2 begins*", "*10  ada attacks orc*", "*> * 11  expect orc.hp = 3*"]
    )
    assert "before the blow" not in said(done)
    assert "Traceback" not in said(done)
    assert "testing.py" not in said(done)
    pytester.makeini(COLLECTS)
    pytester.makefile(".enc", strict=SCRIPT.format(3) + "expect no findings\n")
    told = said(run(pytester))
    assert "strict.enc, line 11: orc.hp is 2, expected 3" in told
    assert "6 - 4 = 2: orc takes 4 damage after ada attacks orc" in told
    finding = "strict.enc, line 10: an unexpected finding initiative.fresh-each-round at 10: nobody has rolled initiative in round 2"
    assert re.search(rf"{re.escape(finding)}\n.*\n  >   10  ada orc 3$", told, re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize(("text", "says"), [
    (b"ruleset osric\nencounter x\njoin ada party hp=9\nada -\n", "line 4"),
    (b"ruleset osrik\nencounter x\njoin ada party hp=9\n", "osrik"),
    (b"", "there is no encounter in it"),
    (b"\xff\xfe", "not UTF-8"),
])  # fmt: skip
def test_a_script_that_cannot_be_read_is_an_error_that_says_where(
    pytester: pytest.Pytester, text: bytes, says: str
) -> None:
    pytester.makeini(COLLECTS)
    (pytester.path / "bad.enc").write_bytes(text)
    done = run(pytester)
    assert done.ret != pytest.ExitCode.OK
    assert says in said(done)
    assert "Traceback" not in said(done)
    assert "testing.py" not in said(done)


# ---------------------------------------------------------------- comparisons


@pytest.mark.slow
def test_orders_states_and_findings_are_compared_line_by_line(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import pytest

        @pytest.fixture
        def log(make_encounter):
            made = make_encounter("osric", title="Ford")
            for line in ("join ada party hp=9", "join orc orcs hp=6", "surprised", "r", "i p5 o2"):
                made.tell(line)
            return made

        def test_orders(log):
            assert log.state().order == [["orc"], ["ada"]]

        def test_states(log):
            before = log.state()
            log.tell("orc -2")
            assert log.state() == before

        def test_findings(log):
            log.tell("orc ada 5")
            log.tell("orc ada 5")
            assert log.audit().findings == ()

        def test_others():
            assert [["a"]] == [["b"]]
        """
    )
    done = run(pytester)
    done.assert_outcomes(failed=4)
    done.stdout.fnmatch_lines(
        [
            "E *assert order == order",
            "E *ada > orc",
            "E *orc > ada",
            "E *they part at place 1: ada != orc",
            "E *assert state == state",
            "E *orc.hp: 4 != 6, because of records 3, 8",
            "E *assert findings == ()",
            "E *: attack.not-more-routines-than-due (breach): *",
            "E *At index 0 diff: *",
        ]
    )


def test_every_disagreement_of_an_engine_has_round_reason_and_rule(pytester: pytest.Pytester) -> None:
    pytester.makefile(".enc", mill=SCRIPT.format(2))
    pytester.makepyfile(
        """
        import encounterlog as el

        class Engine:
            def begin(self, ruleset, options): self.now = {}
            def join(self, who, side, sheet): self.now |= {f"{who}.hp": sheet["hp"], f"{who}.hpp": 0}
            def take(self, fact): pass
            def values(self): return self.now | {f"x{number}": 0 for number in range(9)}

        def test_it():
            assert el.run_script("mill.enc", Engine()) == ()
        """
    )
    told = said(run(pytester))
    assert "assert disagreements == ()" in told
    assert "\nmill.enc, line 3: there is no value ada.hpp here (did you mean ada.hp or ada.hp_max?)\n" in told
    assert told.count("there is no value x") >= 9
    assert "\nmill.enc, line 7: orc.hp is 6 in the engine, 2 by the log\n       5  round 1 begins\n" in told
    assert "\n  >    7  ada orc 14 4\n          Orc has 2 hit points, because:\n" in told
    assert "\n                because events 3, 8 (health.hit-points)\n" in told


# ---------------------------------------------------------------- with others


BROKEN = """
import pytest


@pytest.mark.encounter("osric"{})
def test_a_spell_is_spoiled(encounter):
    for line in ("join ada party hp=9", "join orc orcs hp=6", "surprised", "r", "d ada cast sleep 3 orc", "i p4 o2"):
        encounter.tell(line)
    encounter.tell("ada")
    encounter.tell("orc ada 17 4")
    encounter.tell("effect sleep by ada on orc for 2r")
"""


def test_an_unexpected_finding_fails_a_test_unless_it_is_lenient(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_strict=BROKEN.format(""), test_left=BROKEN.format(', "lenient"'))
    done = run(pytester)
    done.assert_outcomes(passed=1, failed=1)
    assert "the audit finds what the test does not expect:\n" in said(done)
    assert "(spell.spoiled-by-interruption)" in said(done)


def test_plain_brings_a_warning_and_an_unknown_word_is_named(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
import pytest

def test_a_delay(encounter):
    for line in ("join ana party", "join bo party", "i ana15 bo12", "r", "t ana", "ana delays"):
        encounter.tell(line)

@pytest.mark.encounter("plain", "lax")
def test_it(encounter):
    pass
"""
    )
    done = run(pytester)
    done.assert_outcomes(passed=1, warnings=1, errors=1)
    assert "plain keeps a delay, and does not judge that" in said(done)
    assert "'lax' is no word for a log of a test: there is lenient" in said(done)
