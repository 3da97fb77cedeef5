"""The Python API: the one import that a script needs."""

import doctest
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

import encounterlog as el
import projections
from encounterlog import api
from encounterlog.exporters import EXPORTERS
from eventstore.jsonl import JsonlStore
from eventstore.record import KNOWN
from tests.encounterlog.support import encounter, environment, marked

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@pytest.fixture
def log(folder: Path) -> el.Log:
    made = el.new(folder / "ford.jsonl", ruleset="osric")
    joins = (("ada", "party", 9), ("orc-1", "orcs", 6))
    made.append([el.CombatantJoined(combatant=who, side=side, sheet={"hp": hp}) for who, side, hp in joins])
    return made


def test_the_example_of_the_documentation_runs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    found = doctest.testmod(api)
    assert (found.failed, found.attempted > 8) == (0, True)


@pytest.mark.parametrize(("name", "least"), [("docs/api.md", 20), ("docs/explanation/store.md", 10)])
def test_a_page_in_python_runs_from_top_to_bottom(
    name: str, least: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    page = (ROOT / name).read_text("utf-8")
    names: dict[str, Any] = {}
    runner = doctest.DocTestRunner()
    for block in BLOCK.finditer(page):
        line = page.count("\n", 0, block.start()) + 1
        test = doctest.DocTestParser().get_doctest(block[1], {}, "page", name, line)
        test.globs = names
        runner.run(test, clear_globs=False)
    assert (runner.failures, runner.tries > least) == (0, True)


def test_every_name_has_an_example_that_runs() -> None:
    page = (ROOT / "docs/api.md").read_text("utf-8")
    code = "".join(block[1] for block in BLOCK.finditer(page))
    named = set(re.findall(r"\bel\.(\w+)", code))
    events = {kind.__name__ for kind in KNOWN.values()}  # each has its example in its docstring
    bases = {"Fact", "Momentary", "__version__"}
    assert {*dir(el)} - named - events - bases - {"Said", "AsyncLog"} == set()
    assert "`el.Said`" in page
    assert "`el.AsyncLog`" in page


@pytest.mark.slow
def test_the_code_of_the_page_is_typed_strictly(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parse = doctest.DocTestParser().get_examples
    blocks = BLOCK.finditer((ROOT / "docs/api.md").read_text("utf-8"))
    script = "".join(example.source for block in blocks for example in parse(block[1]))
    mypy_path(monkeypatch)
    assert mypy_of(folder, script) == "Success: no issues found in 1 source file\n"


def test_importing_loads_nothing_and_gives_every_name() -> None:
    code = "import sys, encounterlog as el; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment())
    assert not {"msgspec", "click", "pydantic", "eventstore", "projections"} & set(done.stdout.split())
    assert {"open", "new", "diff", "RoundStarted", "WrongVersion", "Log", "NotUnderstood"} <= set(dir(el))
    assert all(getattr(el, name) is not None for name in dir(el))
    names: dict[str, Any] = {}
    exec("from encounterlog import *", names)
    assert {"new", "diff", "Log", "RoundStarted", "WrongVersion"} <= set(names)
    assert not {"open", "Any", "TYPE_CHECKING"} & set(names)


def test_a_writer_who_is_late_or_of_another_log_is_told(log: el.Log, folder: Path) -> None:
    head = log.head
    log.tell("ada -1")
    with pytest.raises(el.WrongVersion) as caught:
        log.append(el.RoundStarted(round=1), after=head)
    assert (caught.value.expected, caught.value.found) == (3, 4)
    assert [record.seq for record in caught.value.since] == [4]
    other = el.new(folder / "other.jsonl", ruleset="osric")
    other.append([{"type": "noted", "text": "x"}, {"type": "noted", "text": "y"}])
    with pytest.raises(el.WrongVersion):
        log.append(el.RoundStarted(round=1), after=other.head)
    with pytest.raises(el.Malformed, match="a seq or a head, got str"):
        log.append(el.RoundStarted(round=1), after=el.Anchor("3", head.hash))  # type: ignore[arg-type]


@pytest.mark.parametrize(("given", "field"), [
    ({"after": "x"}, "after"), ({"after": 4.0}, "after"), ({"key": 5}, "key"), ({"by": 5}, "by"),
], ids=str)  # fmt: skip
def test_arguments_of_another_type_are_refused(log: el.Log, given: dict[str, Any], field: str) -> None:
    says = f"^{field}: is .*, got {type(given[field]).__name__}$"
    with pytest.raises(el.Malformed, match=says):
        log.append({"type": "noted", "text": "x"}, **given)
    with pytest.raises(el.Malformed, match=says):
        log.tell("ada -1", **given)
    assert log.head.seq == 3


def test_so_are_those_of_questions_and_corrections(log: el.Log) -> None:
    other: Any = object()
    for asked in (lambda: log.stats(other), lambda: log.amend(other, {}), lambda: log.insert(2, other)):
        with pytest.raises(el.Malformed):
            asked()


@pytest.mark.parametrize("facts", [None, 5], ids=str)
def test_what_is_no_fact_is_refused_by_logs_and_forks(log: el.Log, facts: Any) -> None:
    for each in (log, log.fork()):
        with pytest.raises(el.Malformed, match=r"^facts: is facts, or a list of them, got "):
            each.append(facts)


@pytest.mark.parametrize("given", [
    {"ruleset": 5}, {"ruleset": None}, {"ruleset": "plain", "title": 5}, {"ruleset": "plain", "options": 5}, {"ruleset": "plain", "by": 5},
], ids=str)  # fmt: skip
def test_a_log_is_made_of_no_argument_of_another_type(folder: Path, given: dict[str, Any]) -> None:
    with pytest.raises(el.Malformed, match=r"^(ruleset|title|options|by): is .*, got (int|NoneType)$"):
        el.new(folder / "a.jsonl", **given)
    assert not (folder / "a.jsonl").exists()


def test_an_option_of_every_log_is_in_the_log_if_it_is_given(folder: Path) -> None:
    el.new(folder / "a.jsonl", ruleset="osric", options={"hit-point-words": "yes"})
    el.new(folder / "b.jsonl", ruleset="osric")
    assert '"foe-hit-points":"true-words"' in (folder / "a.jsonl").read_text()  # the name of today
    assert "foe-hit-points" not in (folder / "b.jsonl").read_text()
    with pytest.raises(el.Malformed, match="'maybe' is no reading of osric"):
        el.new(folder / "c.jsonl", ruleset="osric", options={"foe-hit-points": "maybe"})


def test_what_is_wrong_is_said_in_the_errors_of_the_store(log: el.Log, folder: Path) -> None:
    with pytest.raises(el.Malformed, match="combatant"):
        log.append({"type": "turn_started", "combatant": "zed"})
    with pytest.raises(el.NotUnderstood) as caught:
        log.tell("zed -4")
    assert caught.value.column == 1
    with pytest.raises(el.Malformed, match="postgresql://localhost/ford names a database"):
        el.open("postgresql://localhost/ford")
    with pytest.raises(el.UnknownRuleset):
        el.new(folder / "x.jsonl", ruleset="osrik")
    with pytest.raises(el.Malformed, match=r"^options.spoil-causes: osric has no such option\n") as caught_option:
        el.new(folder / "x.jsonl", ruleset="osric", options={"spoil-causes": "hit"})
    assert caught_option.value.hint == "did you mean spoil-cause?"
    with pytest.raises(el.Malformed, match="3 is no reading of osric"):
        el.new(folder / "x.jsonl", ruleset="osric", options={"spoil-cause": 3})  # type: ignore[dict-item]  # a test's
    with pytest.raises(el.StoreError):
        el.open(folder / "none.jsonl")
    with pytest.raises(el.StoreError):
        el.new(log.path, ruleset="osric")
    assert el.open(log.path).head == log.head


@pytest.mark.parametrize(("line", "hint"), [
    (None, "such as"), ([], "such as"), (b"orc -4", "such as"), ({"type": "round_ended"}, "append"), (el.RoundEnded(), "append"),
])  # fmt: skip
def test_what_is_no_line_is_not_told(log: el.Log, line: Any, hint: str) -> None:
    tables: list[el.Log | el.Fork] = [log, log.fork()]
    for one in tables:
        with pytest.raises(el.Malformed, match=f"line: is text of the language, got {type(line).__name__}\n") as caught:
            one.tell(line)
        assert caught.value.hint.startswith(hint)


def test_only_logs_are_compared_and_exports_for_players_withhold(log: el.Log) -> None:
    paths: list[Any] = ["ford.jsonl", log.path, None]
    for path in paths:
        for pair, field in (((path, log), "one"), ((log.fork(), path), "other")):
            with pytest.raises(el.Malformed, match=f"{field}: logs and forks are compared, got {type(path).__name__}"):
                el.diff(*pair)
    with pytest.raises(el.Malformed, match="takes paths, got a Log") as caught:
        list(el.audit_many(log, jobs=1))  # type: ignore[arg-type]
    assert "log.audit()" in caught.value.hint
    log.append({"type": "noted", "text": "A dragon sleeps here."}, secret=True)
    assert b"dragon" in log.export("markdown")
    assert b"dragon" not in log.export("markdown", for_players=True)
    with pytest.raises(el.Malformed, match="no format is called 'markdwn'"):
        log.export("markdwn")


# ---------------------------------------------------------------- every line of what the API promises


@pytest.mark.parametrize("url", ["sqlite:///ford", "s3://a/b", "redis://x"])
def test_a_url_of_another_kind_is_refused(url: str) -> None:
    for call in (el.open, lambda url: el.new(url, ruleset="osric")):
        with pytest.raises(el.Malformed, match=f"{url.partition(':')[0]}:// is not where logs are kept"):
            call(url)


class Place:
    """A path of somebody else's, which may be none."""

    def __init__(self, stands_for: Any) -> None:
        self.stands_for = stands_for

    def __fspath__(self) -> Any:
        return self.stands_for


NO_PATHS = [
    (b"ford.jsonl", "bytes"), (Place(b"ford.jsonl"), "bytes"), (Place(3), "int"), (3, "int"), (None, "NoneType"), (["ford.jsonl"], "list"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "kind"), NO_PATHS)
def test_what_is_no_path_is_refused_by_its_kind(log: el.Log, path: Any, kind: str) -> None:
    calls: list[Callable[[Any], object]] = [
        el.open,
        el.Log,
        JsonlStore,
        lambda path: el.new(path, ruleset="osric"),
        lambda path: list(el.audit_many([log.path, path], jobs=1)),
        lambda path: list(el.audit_many(cast(Any, [path] if isinstance(path, list) else path), jobs=1)),
    ]
    for call in calls:
        with pytest.raises(el.Malformed, match=f"a path is text or os.PathLike of text, got {kind}$"):
            call(path)


def test_a_line_is_withheld_from_players_if_it_is_told_as_secret(log: el.Log) -> None:
    who = next(record.event.combatant for record in log if isinstance(record.event, el.CombatantJoined))
    for line, secret, wanted in (
        (f"{who} -1", False, False),
        (f"{who} -1", True, True),
        (f"secret {who} -1", False, True),
    ):
        assert {record.secret for record in log.tell(line, secret=secret).records} == {wanted}, line
    with pytest.raises(el.Malformed, match="is true or false"):
        log.tell(f"{who} -1", secret="no")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "fact",
    [
        {},
        {"type": "nothing"},
        {"type": "damage_dealt", "target": "ada", "amount": 1.5},
        {7: 8},
        {"type": "noted", "text": object()},
        el.RoundStarted(round="one"),  # type: ignore[arg-type]
        el.Noted(text="\ud800"),
    ],
)
def test_a_fact_of_the_wrong_form_is_refused_and_nothing_is_written(log: el.Log, fact: Any) -> None:
    before = log.path.read_bytes()
    with pytest.raises(el.Malformed):
        log.append(fact)
    with pytest.raises(el.Malformed), log.fork() as other:
        other.append(fact)
    assert log.path.read_bytes() == before


def test_a_state_can_be_asked_for_at_every_kind_of_point(log: el.Log) -> None:
    for line in ("r", "i p5 o3", "ada hits orc-1 14 4", "e"):
        log.tell(line)
    assert [log.state(at=at)["orc-1.hp"].value for at in (3, "r1s2", "r1", None)] == [6, 6, 2, 2]
    ada = log.state(at="r1s4").combatants["ada"]
    assert (ada.hp.value, ada.hp.because.events, ada.name, ada.side, ada.id) == (9, (2,), "ada", "party", "ada")
    assert {"hp", "status", "name"} <= set(dir(ada))
    for wrong in ("r9", "yesterday", 999):
        with pytest.raises(el.Malformed):
            log.state(at=wrong)


def test_states_are_equal_by_their_values_and_say_what_they_are(log: el.Log) -> None:
    log.tell("r")
    log.tell("i p5 o3")
    before = log.state()
    assert before.order == [["ada"], ["orc-1"]]
    assert (str(before.order), repr(before)) == ("ada > orc-1", "<At ford, round 1: ada > orc-1>")
    assert repr(before.combatants["ada"]) == "<ada: 9 hp, up>"
    assert before.values()["orc-1.hp"] == 6
    log.tell("orc-1 -2")
    assert log.state() != before
    log.tell("u")
    assert log.state() == before
    assert before != "before"


def mypy_of(folder: Path, script: str) -> str:
    api = pytest.importorskip("mypy.api", reason="mypy is not installed")
    (folder / "script.py").write_text(script, "utf-8")
    said: str = api.run(
        ["--strict", "--no-incremental", "--cache-dir", str(folder / "cache"), str(folder / "script.py")]
    )[0]
    return said


def mypy_path(monkeypatch: pytest.MonkeyPatch) -> None:
    places = {Path(str(module.__file__)).parents[1] for module in (el, projections)}
    monkeypatch.setenv("MYPYPATH", ":".join(str(place) for place in places if place.name != "site-packages"))


def test_what_a_combatant_lists_can_be_typed_as_an_attribute() -> None:
    log = el.memory("5e")
    log.tell("join Bo party hp=9")
    bo = log.state().combatants["bo"]
    listed = dir(bo)
    assert {"hp", "death_saves", "concentration_saves"} <= set(listed)
    assert [name for name in listed if not hasattr(bo, name)] == []


@pytest.mark.parametrize("form", marked(EXPORTERS, "parquet"))
def test_a_log_is_exported_as_the_command_does_it(log: el.Log, folder: Path, form: str) -> None:
    out = folder / f"out.{form}"
    assert encounter("export", form, log.path, "--to", out).exit_code == 0
    assert log.export(form) == out.read_bytes()


def test_what_is_returned_is_looked_at_in_a_line(log: el.Log) -> None:
    log.begin_dice()
    answers = [log.why(question) for question in ("orc-1.hp", "ada cannot act")]
    with el.open(log.path) as same:
        assert same.head == log.head
    may, blame, state = log.may("ada"), log.blame("orc-1.hp"), log.state()
    seen: list[object] = [
        *log, *log.replay(), log, log.fork(), state, state.order, state.combatants["ada"], state["orc-1.hp"], state.view,
        state.view.combatants["ada"], log.audit(), *log.audit().findings, *el.audit_many(str(log.path)), log.dice(), may, *may.people,
        *may.people[0].choices, blame, blame.data, *blame.data.touches, *answers, *(each for one in answers for each in one.data),
        log.whatif(), el.diff(log, log.fork()), log.head, *(record.event for record in log), *(c for s in log.replay() for c in s.changes),
    ]  # fmt: skip
    long = [repr(one)[:150] for one in seen if len(repr(one)) > 120 or "\n" in repr(one)]
    assert long == []


def test_a_log_is_asked_when_something_first_held_and_who_did_how_much(log: el.Log) -> None:
    done = log.tell("ada hits orc-1 14 4")
    found = log.first("orc-1.hp < 6")
    assert found.data.record is not None
    assert (found.data.record.seq, found.data.values) == (done.last, {"orc-1.hp": 2})
    assert str(found).endswith("orc-1.hp 2")
    sums = log.stats()
    assert [(each.combatant, each.dealt, each.took) for each in sums.data.statistics] == [
        ("ada", 4, 0),
        ("orc-1", 0, 4),
    ]
    assert "dealt" in str(sums)
    assert str(log.stats("0")) == str(sums)
    with pytest.raises(el.Malformed, match="names no rounds"):
        log.stats("none")
    with pytest.raises(el.Malformed, match=r"there is no value orc-1\.hq here"):
        log.first("orc-1.hq < 3")
    with pytest.raises(el.Malformed, match="expression: is text, got int"):
        log.first(3)  # type: ignore[arg-type]
