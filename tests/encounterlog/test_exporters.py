"""`encounter export` in every format but the log itself: what is in it, what cannot get into it, and round trips."""

import csv
import io
import json
import re
import resource
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from encounterlog.errors import Refused
from encounterlog.exporters import EXPORTERS, ROUND, ZONE, discord as messages, markdown as page
from encounterlog.exporters.chapters import isolate_text
from encounterlog.exporters.exporting import head_of
from encounterlog.exporters.tables import FORMULA
from encounterlog.log import opening
from eventstore.record import Draft
from projections.rulesets import find
from tests.encounterlog.attacks import ATTACKS, hostile
from tests.encounterlog.fights import fixture
from tests.encounterlog.support import TABLES, append, encounter, in_tables, log_of, marked, quarrel, shown, spawn
from tests.encounterlog.terminals import Terminal, seen
from tests.eventstore.copied_logs import LOGS

FIGHTS = (
    "osric/s12-ten-in-three-rounds",
    "definition-master/s07-criticals",
    "nameless-journey/s03-four-rounds",
    "semiautomagic/s10-four-rounds-to-the-end",
    "vile-darkness/s07-spells-and-their-disturbance",
)
TEXTS = tuple(name for name, row in EXPORTERS.items() if row.form != "binary")
READABLE = tuple(name for name in EXPORTERS if name not in ("jsonl", "script"))
"""The formats that tell what happened, also of what cannot be read."""


def kinds(*names: str) -> pytest.MarkDecorator:
    """Return the mark of a test that is run for each of these formats."""
    return pytest.mark.parametrize("kind", marked(names, "parquet"))


def exported(kind: str, log: Path, *words: object) -> str:
    """Return an export in a format of text."""
    done = encounter("export", kind, log, *words)
    assert done.exit_code == 0, done.stderr
    return done.stdout_bytes.decode()


def written(kind: str, log: Path, *words: object) -> bytes:
    """Return an export in any format."""
    out = log.with_name(f"out.{kind}.{len(list(log.parent.iterdir()))}")
    done = encounter("export", kind, log, "--to", out, *words)
    assert done.exit_code == 0, done.stderr
    return out.read_bytes()


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hostile(tmp_path_factory.mktemp("attacked") / "hostile.jsonl")


@pytest.fixture
def log(folder: Path) -> Path:
    return fixture(folder, FIGHTS[0])


# ---------------------------------------------------------------- Markdown


def tokens(text: str) -> list[Token]:
    """Return the tokens of a page without its front matter."""
    return MarkdownIt("commonmark").enable("table").parse(text.partition("\n---\n")[2])


def test_markdown_shows_whatever_was_typed_as_it_is(attacked: Path) -> None:
    found = tokens(exported("markdown", attacked))
    inside = [each for one in found for each in one.children or ()]
    assert {one.type for one in found} <= {
        *("heading_open", "heading_close", "inline", "paragraph_open", "paragraph_close"),
        *("bullet_list_open", "bullet_list_close", "list_item_open", "list_item_close"),
        *(f"{part}_{end}" for part in ("table", "thead", "tbody", "tr", "th", "td") for end in ("open", "close")),
    }
    assert {one.type for one in inside} <= {"text", "text_special", "strong_open", "strong_close"}
    assert sum(one.type == "strong_open" for one in inside) == 1
    notes = {one.content for one in found if one.content.startswith("note: ")}
    texts = {"".join(each.content for each in one.children or ()).rpartition(" ^e-")[0] for one in found}
    for attack in ATTACKS:
        assert f"note: {isolate_text(attack)}" in texts
    assert len(notes) == len(ATTACKS)


BEGINNINGS = st.sampled_from(["-", "+", "1.", "23)", "#", ">", "=", "---", "    ", "|", "~~~", "```"])
"""How a list or a heading may begin."""


@given(st.one_of(st.text(max_size=60), st.tuples(BEGINNINGS, st.text(max_size=9)).map(" ".join)))
def test_a_text_of_any_kind_is_one_paragraph_of_plain_text(typed: str) -> None:
    found = MarkdownIt("commonmark").parse(f"- x {page.escape_markdown(typed)} ^e-0001")
    assert [one.type for one in found] == [
        *("bullet_list_open", "list_item_open", "paragraph_open", "inline"),
        *("paragraph_close", "list_item_close", "bullet_list_close"),
    ]
    (inline,) = (one for one in found if one.type == "inline")
    assert {one.type for one in inline.children or ()} <= {"text", "text_special"}
    said = "".join(one.content for one in inline.children or ())
    assert said.split() == f"x {isolate_text(typed)} ^e-0001".split()


# ---------------------------------------------------------------- Discord


def test_a_turn_that_is_too_long_is_cut_between_lines_a_line_in_letters() -> None:
    lines = [f"- {'x' * 300} {number}" for number in range(20)]
    found = list(messages.join_into_pieces([["**A**"], lines, ["**B**"]]))
    assert "\n".join(found) == "\n".join(["**A**", *lines, "**B**"])
    assert all(len(piece) <= 2000 for piece in found)
    long = "- " + "\\*" * 2500
    found = list(messages.join_into_pieces([[long]]))
    assert "".join(piece.replace("\n", "") for piece in found) == long
    assert not any(piece.endswith("\\") for piece in found)


@given(st.lists(st.lists(st.text(max_size=3000), min_size=1, max_size=4), max_size=6))
@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example])
def test_no_piece_is_too_long_and_nothing_is_lost(blocks: list[list[str]]) -> None:
    safe = [[f"- {messages.escape_for_discord(line)}" for line in block] for block in blocks]
    found = list(messages.join_into_pieces(safe))
    assert all(messages.utf16_length(piece) <= messages.MOST for piece in found)
    joined = "".join(line for block in safe for line in block)
    assert "".join(found).replace("\n", "") == joined.replace("\n", "")


def test_messages_mention_nobody_roll_nothing_and_set_names_apart(attacked: Path) -> None:
    text = exported("discord", attacked)
    for call in ("@everyone", "@here", "<@", "<#", "://", "discord.gg/e", "```", "||d", "\u202e"):
        assert call not in text, call
    assert all(line.startswith(("- ", "**", "__**", "-# ", "-----")) for line in text.splitlines() if line)
    assert not re.search(r"(?<!\\)\]\(", text)
    assert text.count("-# head") == 1
    value = json.loads(exported("foundry", attacked))
    for one in value["messages"]:
        inside = one["content"].removeprefix("<p>").removesuffix("</p>")
        assert not re.search(r"[<>\"']|&(?!amp;|lt;|gt;|quot;|#x27;)", inside)
        assert not re.search(r"\[\[|@\w|&amp;\w+\[|//", inside)
    names = [one["name"] for one in value["combat"]["combatants"]]
    assert "\\u202e" in "".join(names)
    for kind in ("markdown", "discord", "foundry"):
        text = exported(kind, attacked)
        assert "\u2068שלום\u2069 26" in text
        assert text.count("\u2068") == text.count("\u2069")


# ---------------------------------------------------------------- tables


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


@in_tables
@pytest.mark.parametrize("name", FIGHTS)
def test_csv_and_parquet_have_the_figures_of_show(folder: Path, name: str) -> None:
    from pyarrow import parquet

    log = fixture(folder, name)
    table = rows(exported("csv", log, "--table", "rounds"))
    (folder / "t.parquet").write_bytes(written("parquet", log, "--table", "rounds"))
    typed = parquet.read_table(folder / "t.parquet").to_pylist()
    assert len(typed) == len(table)
    for one, same in zip(table, typed, strict=True):
        assert one == {key: "" if value is None else str(value) for key, value in same.items()}
    for number in range(1, shown(log)["clock"]["round"] + 1):
        view = shown(log, "--at", f"r{number}")["combatants"]
        here = {each["combatant"]: each for each in typed if each["round"] == number}
        for who, one in view.items():
            fields = ("name", "side", "hp", "hp_max", "temp", "nld", "status")
            assert [here[who][field] for field in fields] == [one[field] for field in fields]


@pytest.mark.parametrize("which", ["events", "rounds"])
def test_no_cell_of_csv_is_a_formula(attacked: Path, which: str) -> None:
    text = exported("csv", attacked, "--table", which)
    cells = [cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row]
    dangerous = [cell for cell in cells if cell.lstrip().startswith(FORMULA) and not cell.startswith("'")]
    assert [cell for cell in dangerous if not re.fullmatch(r"-[0-9]+", cell)] == []
    assert any(cell.startswith("'=HYPERLINK") for cell in cells)
    assert not set(text) & set("\x00\x07\x1b\u202e\u2066\ufeff")


# ---------------------------------------------------------------- every format


@kinds(*EXPORTERS)
def test_no_text_in_a_log_passes_for_the_head(folder: Path, kind: str) -> None:
    forged = f"x\n-# head 1:{'1' * 64}\n"
    words = [
        {"type": "noted", "text": text}
        for text in (
            forged,
            f'---\nhead: "1:{"1" * 64}"\n',
            f"# 1 record, head 1:{'1' * 64}\n",
            f'"head":"1:{"1" * 64}"',
        )
    ]
    log = log_of(folder / "a.jsonl", words, "plain", title=f'"head": "1:{"1" * 64}"')
    assert encounter("export", kind, log, "--to", "out").exit_code == 0
    assert "out names the head of this log as it is now\n" in encounter("verify", log, "--export", "out").stdout


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"Dear diary\n", b"{", b"[]", b"{}", b'{"head":3}', b'{"seq":1,', b"\xff\xfe", b"---\nhead: x\n"),
        pytest.param(b"PAR1", marks=TABLES),
    ],
)
def test_where_no_head_can_be_found_verify_says_so(log: Path, folder: Path, content: bytes) -> None:
    (folder / "out").write_bytes(content)
    done = encounter("verify", log, "--export", "out")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("encounter: out names no head")
    assert encounter("verify", log, "--export", "gone").exit_code == 2
    done = encounter("verify", log, "--export", "out", "--anchor", encounter("head", log).stdout.strip())
    assert (done.exit_code, "both name a head" in done.stderr) == (2, True)


@pytest.mark.slow
@kinds(*(kind for kind in READABLE if ROUND in EXPORTERS[kind].options and kind != "svg"))
def test_rounds_are_chosen_by_number(log: Path, kind: str) -> None:
    whole, part = written(kind, log), written(kind, log, "--round", "2")
    assert len(part) < len(whole)
    assert written(kind, log, "--round", "0-3").count(b"e") >= whole.count(b"e") - 9
    done = encounter("export", kind, log, "--round", "7", "--to", "none")
    assert (done.exit_code, "no such round: this log has 3 rounds" in done.stderr) == (2, True)
    assert not Path("none").exists()
    assert encounter("export", kind, log, "--round", "7").stdout == ""


@pytest.mark.parametrize("words", ["x", "2-1", "-1", "1-2-3", "", "９", "9" * 30])
def test_what_names_no_rounds_is_wrong_usage(log: Path, words: str) -> None:
    done = encounter("export", "markdown", log, f"--round={words}")
    assert (done.exit_code, done.stdout, "names no rounds" in done.stderr) == (2, "", True)


def test_moments_are_shown_in_the_zone_of_whoever_reads(folder: Path) -> None:
    made = opening.parse_event({"type": "noted", "text": "x"})
    head = Draft(opening.make_opening(find("plain"), "Late", {}), at="2026-07-01T23:30:00.000000Z")
    opening.create_log(str(folder / "a.jsonl"), [head, made], "gm")
    assert "Combat started 2026-07-02 01:30:00 CEST" in exported(
        "markdown", folder / "a.jsonl", "--tz", "Europe/Berlin"
    )
    assert "2026\\-07\\-01 23:30 UTC" not in exported("discord", folder / "a.jsonl", "--tz", "Asia/Tokyo")
    assert "2026-07-02 08:30 JST" in exported("discord", folder / "a.jsonl", "--tz", "Asia/Tokyo")
    assert "2026-07-01T23:30:00.000000Z" in exported("csv", folder / "a.jsonl")
    done = encounter("export", "markdown", folder / "a.jsonl", "--tz", "Europe/Berlim")
    assert (done.exit_code, "did you mean Europe/Berlin" in done.stderr) == (2, True)
    for zone in ("../../etc/passwd", "/etc/localtime", "", "\x00", "x" * 300):
        assert encounter("export", "markdown", folder / "a.jsonl", f"--tz={zone}").exit_code == 2


@kinds(*READABLE)
@pytest.mark.parametrize("at", ["0001-01-01T00:00:00.000000Z", "9999-12-31T23:59:59.999999Z"])
def test_the_ends_of_the_calendar_are_moments_too(folder: Path, kind: str, at: str) -> None:
    opening.create_log(str(folder / "a.jsonl"), [Draft(opening.make_opening(find("plain"), "Old", {}), at=at)], "gm")
    for zone in ("America/New_York", "Asia/Tokyo"):
        words = ("--tz", zone) if ZONE in EXPORTERS[kind].options else ()
        assert written(kind, folder / "a.jsonl", *words)


def test_on_a_terminal_a_table_has_plain_lines(log: Path) -> None:
    terminal = Terminal("export", "csv", log, "--table", "rounds", "--round", "1", columns=200)
    assert terminal.end() == 0
    row = '1,ada,Ada,heroes,7,4,0,0,3,0,"{""sword"":7}","{""grim"":4}",{},15,22,0,0,up'
    assert seen(str(terminal.child.before)).splitlines()[1] == row


@pytest.mark.slow
@kinds(*EXPORTERS)
def test_a_full_disk_leaves_no_half_file(log: Path, folder: Path, kind: str) -> None:
    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))

    done = spawn("export", kind, log, "--to", "out", preexec_fn=limited)
    assert (done.returncode, done.stdout, b"out: not written: file too large" in done.stderr) == (6, b"", True)
    assert [each.name for each in folder.iterdir()] == [log.name]


def test_of_csv_nothing_remains_without_its_head(log: Path, folder: Path) -> None:
    name = "x" * 197 + ".c"  # with .head it is longer than a name may be
    done = encounter("export", "csv", log, "--to", name)
    assert (done.exit_code, [each.name for each in folder.iterdir()]) == (6, [log.name])
    (folder / "mine.head").write_text("mine")
    done = encounter("export", "csv", log, "--to", "mine")
    assert (done.exit_code, "mine.head is already there" in done.stderr, (folder / "mine").exists()) == (2, True, False)
    done = encounter("export", "csv", log, "--to", ".")
    assert (done.exit_code, done.stderr) == (2, "encounter: . is already there\nhint: choose another name\n")


@kinds(*EXPORTERS)
def test_a_torn_tail_is_left_out_of_every_format_and_said(folder: Path, kind: str) -> None:
    log = quarrel(folder / "a.jsonl")
    append(log, '{"type":"noted","text":"It creaks."}')
    log.write_bytes(log.read_bytes()[:-20])
    done = encounter("export", kind, log, "--to", "out")
    assert (done.exit_code, "line 20" in done.stderr, b"creaks" in Path("out").read_bytes()) == (3, True, False)
    assert "head 19:" in done.stdout


@kinds(*EXPORTERS)
def test_of_a_damaged_log_and_of_none_nothing_goes_out(folder: Path, kind: str) -> None:
    log = quarrel(folder / "a.jsonl")
    log.write_bytes(log.read_bytes().replace(b'"amount":3}', b'"amount":2}'))
    (folder / "empty.jsonl").write_bytes(b"")
    for name in ("a.jsonl", "empty.jsonl", "gone.jsonl"):
        done = encounter("export", kind, name, "--to", "out")
        assert (done.exit_code, done.stdout) == (3, "")
    assert sorted(each.name for each in folder.iterdir()) == ["a.jsonl", "empty.jsonl"]


@kinds(*READABLE)
@pytest.mark.parametrize("name", LOGS)
def test_logs_of_every_kind_go_out(folder: Path, kind: str, name: str) -> None:
    (folder / "a.jsonl").write_bytes(LOGS[name])
    done = encounter("export", kind, "a.jsonl", "--to", "out")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "names the head of this log as it is now" in encounter("verify", "a.jsonl", "--export", "out").stdout


def test_parquet_is_not_printed_and_needs_an_extra(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = encounter("export", "parquet", log)
    assert (done.exit_code, "--to OUT" in done.stderr) == (2, True)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    done = encounter("export", "parquet", log, "--to", "out")
    assert (done.exit_code, "'.[tables]'" in done.stderr, Path("out").exists()) == (4, True, False)


# ---------------------------------------------------------------- secrets

_words = st.text("bcdfghjklmnpqrstvwxz", min_size=12, max_size=20)
_facts = st.sampled_from(["noted", "joined", "condition", "damage", "action", "amended", "ruling"])


def _secret(kind: str, word: str) -> dict[str, Any]:
    """Return a fact that says a word in the text that this type has for it."""
    facts: dict[str, dict[str, Any]] = {
        "joined": {"type": "combatant_joined", "combatant": word, "name": word.title(), "sheet": {"hp": 5}},
        "condition": {"type": "condition_gained", "condition": word, "targets": ["ana"]},
        "damage": {"type": "damage_dealt", "target": "ana", "amount": 1, "parts": [{"name": word, "amount": 1}]},
        "action": {"type": "action_taken", "combatant": "ana", "action": {"kind": "cast", "name": word}},
        "amended": {"type": "amended", "event": 4, "replacement": {"type": "noted", "text": word}},
        "ruling": {"type": "ruling_made", "ruling": "override", "decision": word, "values": {"ana.hp": 77777}},
        "noted": {"type": "noted", "text": word},
    }
    return facts[kind]


@pytest.mark.slow
@pytest.mark.parametrize("kinds", [TEXTS, pytest.param(("parquet",), marks=TABLES)], ids=["texts", "tables"])
@given(st.lists(st.tuples(_facts, _words, st.booleans()), min_size=1, max_size=5, unique_by=lambda told: told[1]))
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_nothing_secret_is_in_any_export_for_players_until_it_is_revealed(
    tmp_path_factory: pytest.TempPathFactory, kinds: tuple[str, ...], told: list[tuple[str, str, bool]]
) -> None:
    folder = tmp_path_factory.mktemp("secrets")
    open_facts: list[dict[str, Any]] = [
        {"type": "combatant_joined", "combatant": "ana", "side": "party", "sheet": {"hp": 30}},
        {"type": "round_started", "round": 1},
        {"type": "noted", "text": "everybody knows"},
    ]
    log = log_of(folder / "a.jsonl", open_facts, "plain")
    hidden: list[dict[str, Any]] = [
        {"event": fact, "secret": True} for fact in (_secret(kind, word) for kind, word, _ in told)
    ]
    append(log, hidden)
    revealed = [place for place, (*_, shown) in enumerate(told, 5) if shown]
    look = {"type": "ruling_made", "ruling": "reveal", "decision": "look"}
    append(log, [{"type": "noted", "text": "they look around"}, *(look | {"event": seq} for seq in revealed)])
    for kind in (each for each in kinds if each != "script"):
        assert encounter("export", kind, log, "--for", "players", "--to", folder / kind).exit_code == 0
        text = (folder / kind).read_bytes().decode(errors="replace").casefold()
        assert not any(word in text for _, word, shown in told if not shown), kind
        if kind == "jsonl" or (kind == "json" and len(revealed) == len(told)):
            last = {what: word for what, word, shown in told if shown}  # of several amendments of one fact, the last
            words = [word for what, word, shown in told if shown and (kind == "jsonl" or what != "amended")]
            assert all(word in text for word in (*words, *last.values())), kind
        if not any(what == "ruling" and shown for what, _, shown in told):
            assert "77777" not in re.sub("[0-9a-f]{64}", "", text)
        if kind not in ("parquet", "jsonl") and len(revealed) < len(told):
            assert "withheld" in text
    assert told[-1][1] in exported("json", log).casefold()


@kinds(*READABLE, "jsonl", "script")
def test_a_revealed_secret_is_told_to_players_in_every_format(folder: Path, kind: str) -> None:
    joins = {"type": "combatant_joined", "combatant": "ana", "sheet": {"hp": 30}}
    log = log_of(folder / "a.jsonl", [joins, {"type": "round_started", "round": 1}], "plain")
    mimic = {"type": "combatant_joined", "combatant": "qwertz", "name": "Qwertz", "sheet": {"hp": 5}}
    append(log, [{"event": mimic, "secret": True}])
    if kind != "script":
        assert "qwertz" not in _for_players(kind, log)
    assert encounter("ruling", log, "reveal", "the chest has teeth", "--event", 4).exit_code == 0
    assert "qwertz" in _for_players(kind, log)


@pytest.fixture
def unveiled(folder: Path) -> Path:
    """Make a log of two secrets, the first of which is revealed, but not its amendment, which has a secret of its own."""
    log = log_of(folder / "a.jsonl", [{"type": "round_started", "round": 1}], "plain")
    notes: list[dict[str, Any]] = [
        {"type": "noted", "text": text} for text in ("the chest bites", "the door listens", "a trap")
    ]
    append(log, [{"event": note, "secret": True} for note in notes])
    append(log, [{"type": "ruling_made", "ruling": "reveal", "decision": "look", "event": seq} for seq in (3, 4)])
    change = {"type": "amended", "event": 4, "replacement": {"type": "noted", "text": "the door talks"}}
    append(log, [{"event": change, "secret": True}])
    return log


def test_a_revealed_record_is_called_so_in_logs_and_exports(unveiled: Path) -> None:
    for words in ("log", "replay"):
        told = encounter(words, unveiled).stdout
        assert "the chest bites (revealed)" in told
        assert "the door talks (as amended by 8, secret)" in told
        assert "a trap (secret)" in told
    told = encounter("log", unveiled, "--struck").stdout
    assert "the chest bites (revealed)" in told
    assert "the door listens (amended by 8, revealed)" in told
    assert encounter("log", unveiled, "--as-of", "5").stdout.count("(secret)") == 3
    rows = map(json.loads, encounter("log", unveiled, "--json").stdout.splitlines())
    assert [row["seq"] for row in rows if row.get("secret")] == [4, 5]
    cells = csv.DictReader(io.StringIO(exported("csv", unveiled)))
    assert [row["seq"] for row in cells if row["secret"] == "true"] == ["4", "5"]
    messages = json.loads(exported("foundry", unveiled))["messages"]
    flags = [one["flags"]["encounterlog"] for one in messages]
    assert [one["seq"] for one in flags if one["secret"]] == [4, 5]
    assert [len(one["whisper"]) for one in messages] == [int(flag["secret"]) for flag in flags]
    assert "the chest bites (revealed)" in exported("markdown", unveiled)
    append(unveiled, '{"event":{"type":"noted","text":"psst"},"secret":true}')
    assert "psst (secret)" in encounter("log", unveiled).stdout


def _for_players(kind: str, log: Path) -> str:
    return written(kind, log, "--for", "players").decode(errors="replace").casefold()


HEAD = f"12:{'a' * 64}"


@pytest.mark.parametrize("text", [
    f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta name="encounterlog-head" content="{HEAD}">\n<meta charset="utf-8">',
    f'<!doctype html><head><meta charset="utf-8"><meta name="encounterlog-head" content="{HEAD}">',
    f'<svg xmlns="http://www.w3.org/2000/svg"\n viewBox="0 0 9 9">\n<metadata>head {HEAD}</metadata>',
    f'<?xml version="1.0"?>\n<svg>\n<metadata>head {HEAD}</metadata>',
])  # fmt: skip
def test_the_head_of_a_page_and_of_a_drawing_is_found(folder: Path, text: str) -> None:
    (folder / "out").write_text(text)
    assert str(head_of(folder / "out")) == HEAD
    for other in (
        text.replace("<", "&lt;", 1),
        text.replace("head", "tail"),
        text.replace("<meta", "<title></title><meta"),
        f"{text.replace('head', 'tail')}\n-# head {HEAD}\n",
    ):
        (folder / "out").write_text(other)
        with pytest.raises(Refused):
            head_of(folder / "out")


def test_scripts_for_players_hold_no_secret_and_csv_no_statements(log: Path) -> None:
    done = encounter("export", "csv", log, "--statements")
    assert (done.exit_code, "csv takes no --statements" in done.stderr) == (2, True)
    assert encounter("export", "script", log, "--for", "players").exit_code == 0
    append(log, '{"event":{"type":"noted","text":"psst"},"secret":true}')
    done = encounter("export", "script", log, "--for", "players")
    assert (done.exit_code, done.stdout, "record 111 is withheld" in done.stderr) == (4, "", True)
