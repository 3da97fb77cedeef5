"""`show`: short by default, bars, the map, findings under their numbers; and reading as of an earlier record."""

from pathlib import Path

import pytest
from msgspec import structs

import encounterlog as el
from encounterlog.words import layout
from eventstore.events import Noted
from eventstore.record import decode
from tests.encounterlog.fights import fixture
from tests.encounterlog.support import append, encounter, log_of, log_of_lines, shown

READING = ("show", "log", "audit", "replay")


def page(*words: object) -> list[str]:
    done = encounter(*words)
    assert done.stderr == ""
    return done.stdout.splitlines()


NINE = (
    "definition-master/damage-arithmetic",
    "vile-darkness/r26-parley-and-delays",
    "nameless-journey/s04-six-newcomers",
)


@pytest.mark.slow
@pytest.mark.parametrize("name", NINE)
def test_nine_people_fit_a_terminal_of_30_rows_and_80_columns(
    folder: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layout, "WIDTH", 79)
    log = fixture(folder, name)
    for at in range(10, len(log.read_text().splitlines()) + 1, 7):
        lines = page("show", log, "--as-of", at)
        assert len(lines) <= 28, at
        assert max(map(len, lines)) <= 79
    assert len(page("show", log, "--all")) > 28, "nothing is spared where all is wanted"


def test_damage_bars_and_what_somebody_holds_are_on_a_line(folder: Path) -> None:
    lines = page("show", fixture(folder, "definition-master/s15-two-grapples"))
    line = next(line for line in lines if line.startswith("  Cy "))
    assert "[==========] 24 of 24 hp, 24 non-lethal" in line
    assert "nld-unconscious (event " in lines[lines.index(line) + 1]
    log = fixture(folder, "definition-master/s05-immediate-action-exclusivity")
    line = next(line for line in page("show", log, "--at", "40") if line.startswith("  Dov "))
    assert "lock aoo, holding javelin" in line


PLACED = """\
{"type":"combatant_joined","combatant":"ana","side":"heroes","sheet":{"hp":9}}
{"type":"combatant_joined","combatant":"orc-1","name":"Orc","side":"orcs","sheet":{"hp":9}}
{"type":"combatant_joined","combatant":"orc-2","name":"Orc","side":"orcs","sheet":{"hp":9}}
{"type":"placed","combatant":"ana","square":[2,1]}
{"type":"placed","combatant":"orc-1","square":[4,2]}
"""


def test_squares_are_shared_on_the_map_and_no_past_is_followed(folder: Path) -> None:
    log = log_of(folder / "a.jsonl", PLACED, "definition-master")
    places = {"orc-2": [2, 1], "orc-1": [900000000000, 900000000000]}
    append(log, [{"type": "placed", "combatant": who, "square": square} for who, square in places.items()])
    lines = page("show", log)
    start = lines.index("Map")
    assert lines[start + 1].split() == ["2", ":", "000"]
    assert [line.split()[0] for line in lines[start + 2 : start + 5]] == ["1", ":", "900000000000"]
    assert "*" in lines[start + 2]
    assert "o1 Orc (orc-1) at 900000000000,900000000000" in " ".join(lines[start + 5 :])
    done = encounter("log", log_of(folder / "a-2.jsonl", CORRECTED, "plain"), "--as-of", "2", "--follow")
    assert (done.exit_code, "--follow does not go with --as-of" in done.stderr) == (2, True)


# ---------------------------------------------------------------- as of an earlier record


CORRECTED = """\
{"type":"combatant_joined","combatant":"ana","sheet":{"hp":9}}
{"type":"damage_dealt","target":"ana","amount":4}
{"type":"damage_dealt","target":"ana","amount":2}
{"type":"struck","event":3,"reason":"she parried"}
{"type":"amended","event":4,"replacement":{"type":"damage_dealt","target":"ana","amount":1}}
"""


@pytest.mark.parametrize("verb", READING)
@pytest.mark.parametrize("words", [(), ("--json",)])
def test_as_of_a_record_equals_the_log_cut_there(folder: Path, verb: str, words: tuple[str, ...]) -> None:
    log = log_of(folder / "a.jsonl", CORRECTED, "plain")
    lines = log.read_bytes().splitlines(keepends=True)
    assert decode(lines[3]).batch == (3, 5)
    alone = log_of(folder / "b.jsonl", CORRECTED.splitlines(keepends=True)[0], "plain")
    for fact in CORRECTED.splitlines()[1:]:
        append(alone, fact)
    whole = alone.read_bytes().splitlines(keepends=True)
    for seq in range(1, len(whole) + 1):
        cut = folder / "cut.jsonl"
        cut.write_bytes(b"".join(whole[:seq]))
        one, other = encounter(verb, alone, "--as-of", seq, *words), encounter(verb, cut, *words)
        assert (one.exit_code, one.stdout, one.stderr) == (other.exit_code, other.stdout, other.stderr)


def test_a_log_of_another_revision_says_so(folder: Path) -> None:
    from encounterlog.log.opening import create_log, make_opening, ruleset_named

    first = make_opening(ruleset_named("plain"), "old", {})
    create_log(str(folder / "a.jsonl"), [structs.replace(first, revision=77)], "gm")
    for verb in READING:
        done = encounter(verb, folder / "a.jsonl", "--as-of", "1")
        assert done.stderr == "note: the log was opened on revision 77 of plain; installed is 1\n"
        assert encounter(verb, folder / "a.jsonl").stderr == ""


@pytest.mark.parametrize("ruleset", ["plain", "osric", "5e", "definition-master", "vile-darkness", "semiautomagic"])
def test_effects_on_nobody_are_shown_until_they_end(folder: Path, ruleset: str) -> None:
    log = log_of_lines(
        folder / "log.jsonl", ruleset, ("join Ana party hp=9", "effect Bless by ana for 10r", "effect fog")
    )
    assert page("show", log)[-10:].count("Effects on nobody: Bless for 10 rounds from Ana, fog") == 1
    assert any(
        line.strip().startswith("Bless for 10 rounds from Ana because event 3") for line in page("show", log, "--why")
    )
    assert [(each["name"], each["source"], each["left"]) for each in shown(log)["effects"]] == [
        ("Bless", "ana", 10), ("fog", None, None)
    ]  # fmt: skip
    for line in ("Bless ends", "fog ends"):
        assert encounter("add", log, line).exit_code == 0, line
    assert shown(log)["effects"] == []
    assert not any("nobody" in line for line in page("show", log))


def test_players_see_no_effect_that_comes_from_somebody_hidden(folder: Path) -> None:
    log = log_of_lines(
        folder / "log.jsonl",
        "plain",
        ("join Ana party hp=9", "secret join Zark foes hp=9", "effect fog by zark for 3r", "effect light by ana"),
    )
    assert "Effects on nobody: fog for 3 rounds from Zark, light from Ana" in page("show", log)
    players = page("show", log, "--for", "players")
    assert "Effects on nobody: light from Ana" in players
    assert not any("fog" in line or "Zark" in line for line in players)


@pytest.mark.parametrize("by", ["Eva", "gm"])
def test_writing_about_somebody_hidden_is_kept_from_players(folder: Path, by: str) -> None:
    log = folder / "log.jsonl"
    assert encounter("new", log, "--ruleset", "plain", "--by", by).exit_code == 0
    for line in ("join Ana party hp=9", 'secret join "Black Drogath" foes hp=9', "note rain"):
        assert encounter("add", "--by", by, log, line).exit_code == 0, line
    for words in (
        ("ruling", log, "fact", "Drogath may fly"),
        ("strike", log, "4", "--because", "that was Drogath"),
        ("amend", log, "2", "name=Ana", "--because", "Drogath said so"),
    ):
        done = encounter(*words)
        assert (done.exit_code, "kept from players" in done.stdout) == (0, True), done.stderr
    append(log, '{"type":"noted","text":"Drogath waits"}')
    with el.open(log, by="Kim") as opened:
        opened.append(Noted(text="Drogath waits"))
        opened.strike(8, "Drogath")
    for question in ("log", "show", "audit", "replay", "stats"):
        assert "drogath" not in "\n".join(page(question, log, "--for", "players")).casefold(), question
    assert "drogath" not in encounter("export", "markdown", log, "--for", "players").stdout.casefold()


def test_whatif_diff_and_dice_are_answered_for_players(folder: Path) -> None:
    log = folder / "log.jsonl"
    assert encounter("new", log, "--ruleset", "plain").exit_code == 0
    assert encounter("dice", log, "start", "--seed", "x").exit_code == 0
    for line in ("join Ana party hp=9", "secret join Zark foes hp=9", "secret zark ana d20 d6", "ana takes 1"):
        assert encounter("add", log, line).exit_code == 0, line
    last = len(log.read_text().splitlines())
    asked = (("diff", log, "3", str(last)), ("diff", log, log), ("whatif", log, "--strike", str(last)), ("dice", log))
    for words in asked:
        whole, players = (encounter(*words, *more) for more in ((), ("--for", "players")))
        assert whole.exit_code == players.exit_code, players.stderr
        assert "zark" not in players.stdout.casefold()
        assert (whole.stdout == players.stdout) is (words[2:] == (log,)), words
    assert "secret rolls, record 3: 0 of" in "\n".join(page("dice", log, "--for", "players"))
    assert encounter("dice", log, "start", "--for", "players").exit_code == 2
    fork = folder / "fork.jsonl"
    assert encounter("whatif", log, "--strike", "4", "--save", fork, "--for", "players").exit_code == 2
    assert not fork.exists()
