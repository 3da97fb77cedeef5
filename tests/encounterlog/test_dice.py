"""Dice drawn from a chain: the commands that begin it, roll, check and count; and what happens where the secret is not."""

import json
from pathlib import Path

import pytest

import encounterlog as el
from encounterlog.log import entering
from encounterlog.log.folded_log import kept_view
from encounterlog.log.logs import LogView
from encounterlog.places.time_and_chance import make_roller
from projections.explaining.fairness import check_fairness
from tests.encounterlog.support import encounter, log_of_lines
from tests.eventstore import dice_verifier


@pytest.fixture
def fight(tmp_path: Path) -> Path:
    return log_of_lines(tmp_path / "ford.jsonl", "plain", ("join Bo heroes hp=20", "join Kex foes hp=20"))


@pytest.fixture
def chained(fight: Path) -> Path:
    assert encounter("dice", fight, "start", "--seed", "ford").exit_code == 0
    return fight


def test_a_chain_keeps_its_secret_and_why_says_where_dice_came_from(chained: Path) -> None:
    secret = Path(f"{chained}.dice")
    assert secret.stat().st_mode & 0o777 == 0o600
    rows = [line.split() for line in secret.read_text().splitlines()]
    assert len(rows) == 2
    for *_, link, own in rows:
        assert link in chained.read_text()
        assert own not in chained.read_text()
        assert own not in encounter("export", "jsonl", chained).stdout
    for text in ("heron", "ana:", ":heron", f"ana:{'x' * 121}"):
        done = encounter("add", "--word", text, chained, "b k d20 d8")
        assert (done.exit_code, "is not NAME:WORD" in done.stderr) == (2, True)
    encounter("add", "--word", "ana:heron", chained, "b k d20+5 d8")
    assert "proven: roll 2, word of ana" in " ".join(encounter("why", chained, "k.hp").stdout.split())


def test_dice_are_bound_by_an_own_word_and_proven_by_a_given_one(chained: Path) -> None:
    own = encounter("add", chained, "b k d20+5 d8").stdout
    assert "roll 1 for 7: d20 drawn with a word of the holder, bound" in own
    given = encounter("add", "--word", "ana:heron", chained, "k b d20 d6").stdout
    assert "drawn with a word of ana, proven" in given
    assert encounter("show", chained).stdout.splitlines()[-1] == "dice: 2 proven, 2 bound"
    assert json.loads(encounter("show", chained, "--json").stdout)["dice"] == {"proven": 2, "bound": 2, "typed": 0}
    done = encounter("verify", chained, "--dice")
    assert done.exit_code == 0
    assert done.stdout.count("right, bound") == done.stdout.count("right, proven by a word of ana") == 2
    assert done.stdout.splitlines()[-1] == "every roll of the chain is right"
    assert list(dice_verifier.complaints(chained.read_text().splitlines())) == []


@pytest.mark.parametrize("line", [
    "b k d20+5 d8", "i bo:d20+3 kex:d20", "b saves will 2d20kh1+3 dc=15", "roll b k d20", "bo kex d20 2d6", "b -d6", "bo -d6", "secret b k d20 d8",
])  # fmt: skip
def test_every_die_that_a_line_rolls_is_drawn_and_right(chained: Path, line: str) -> None:
    done = encounter("add", "--word", "ana:heron", chained, line)
    assert done.exit_code == 0, done.stderr
    records = list(LogView(str(chained)))
    found = check_fairness(records)
    assert found.throws
    assert {throw.level for throw in found.throws} == {"proven"}
    assert found.holds
    assert list(dice_verifier.complaints(chained.read_text().splitlines())) == []


def test_secret_rolls_have_their_own_chain_and_stay_secret_for_players(chained: Path) -> None:
    encounter("add", chained, "b k d20 d8")
    encounter("add", chained, "secret k saves will d20 dc=15")
    encounter("add", chained, "b k d20 d8")
    copy = chained.with_name("players.jsonl")
    assert encounter("export", "jsonl", chained, "--for", "players", "--to", copy).exit_code == 0
    assert json.loads(encounter("verify", chained, "--dice", "--json").stdout)["dice"]["levels"]["bound"] == 5
    held = encounter("verify", copy, "--dice")
    assert (held.exit_code, "secret roll" in held.stdout) == (0, False)
    assert json.loads(encounter("verify", copy, "--dice", "--json").stdout)["dice"]["levels"]["bound"] == 4


@pytest.mark.slow
@pytest.mark.parametrize(("line", "openly", "kept"), [
    ("zark bo d20 2d6", 1, 1), ("all foes -2d6", 1, 0),
])  # fmt: skip
def test_of_a_half_secret_line_each_die_is_of_the_chain_of_its_part(
    chained: Path, line: str, openly: int, kept: int
) -> None:
    encounter("add", chained, "secret join Zark foes hp=300")
    for seed in range(6):
        assert encounter("add", "--seed", seed, chained, line).exit_code == 0
    copy = chained.with_name("players.jsonl")
    assert encounter("export", "jsonl", chained, "--for", "players", "--to", copy).exit_code == 0
    for path, chains in ((chained, [6 * openly, 6 * kept]), (copy, [6 * openly, 0])):
        found = check_fairness(LogView(str(path)))
        assert (found.faults, [chain.drawn for chain in found.chains]) == ((), chains)
        assert list(dice_verifier.complaints(path.read_text().splitlines())) == []


def test_words_of_one_seed_are_others_for_secret_rolls_than_for_open_ones(chained: Path) -> None:
    for line in ("b k d20 d8", "secret b k d20 d8"):
        assert encounter("add", "--seed", "s", chained, line).exit_code == 0
    assert check_fairness(LogView(str(chained))).faults == ()


def test_secret_dice_are_typed_where_only_their_chain_is_missing(chained: Path) -> None:
    encounter("add", chained, "secret join Zark foes hp=300")
    secrets = Path(f"{chained}.dice")
    secrets.write_text("".join(secrets.read_text().splitlines(keepends=True)[:1]))
    secrets.chmod(0o600)
    done = encounter("add", chained, "zark bo d20 2d6")
    assert "the secret of the chain of dice is not here" in " ".join(done.stdout.split())
    found = check_fairness(LogView(str(chained)))
    assert (found.faults, [one.level for one in found.throws]) == ((), ["typed", "bound"])


def test_a_revealed_secret_roll_proves_itself_in_a_copy_for_players(chained: Path) -> None:
    for line in ("secret k saves will d20 dc=15", "secret k saves will 2d6 dc=15"):
        assert encounter("add", "--word", f"ana:{line}", chained, line).exit_code == 0
    assert encounter("add", chained, "reveal 9 it was seen").exit_code == 0
    copy = chained.with_name("players.jsonl")
    assert encounter("export", "jsonl", chained, "--for", "players", "--to", copy).exit_code == 0
    done = encounter("verify", copy, "--dice")
    assert "roll 2 secret  event 9" in done.stdout
    assert done.stdout.count("right, proven by a word of ana") == 1
    assert "dice: 1 proven, 0 bound, 0 typed" in done.stdout
    assert "secret roll 2: link 1 of the chain for secret rolls may be in records that are withheld" in " ".join(
        done.stdout.split()
    )
    assert list(dice_verifier.complaints(copy.read_text().splitlines())) == []


def test_without_the_secret_dice_are_typed_and_the_line_says_so(chained: Path) -> None:
    Path(f"{chained}.dice").unlink()
    done = encounter("add", chained, "b k d20 d8")
    assert "the secret of the chain of dice is not here" in " ".join(done.stdout.split())
    levels = json.loads(encounter("verify", chained, "--dice", "--json").stdout)["dice"]["levels"]
    assert levels == {"proven": 0, "bound": 0, "typed": 2}


def test_a_second_chain_needs_a_reason_and_verify_reports_it(chained: Path) -> None:
    encounter("add", chained, "b k d20 d8")
    done = encounter("dice", chained, "start")
    assert (done.exit_code, "9,998 rolls left" in done.stderr) == (4, True)
    assert encounter("dice", chained, "start", "--because", "the disk died").exit_code == 0
    encounter("add", chained, "b k d20 d8")
    found = encounter("verify", chained, "--dice")
    assert found.exit_code == 1
    assert (
        "a second chain was begun, though the one of record 4 has 9,998 rolls left, because the disk died"
        in " ".join(found.stdout.split())
    )


def test_two_writers_on_one_log_never_use_a_link_twice(chained: Path) -> None:
    """The second one reads the log before the first one writes: its dice are drawn again, with the next links."""
    late = kept_view(str(chained))
    assert list(late)
    encounter("add", chained, "b k d20 d8")
    entering.tell_line(late, "k b d20 d8", by="gm", roll=make_roller())
    found = check_fairness(LogView(str(chained)))
    assert [throw.number for throw in found.throws] == [1, 2, 3, 4]
    assert found.holds


def test_a_word_at_the_prompt_serves_the_next_dice_and_no_others(chained: Path) -> None:
    done = encounter("play", chained, stdin="word\nword ana heron\nb k d20 d8\nb k d20 d8\n")
    assert done.exit_code == 0
    said = [line for line in done.stderr.splitlines() if "word" in line]
    assert said == ["such as: word ana heron", "the next dice of the chain are drawn with the word of ana"]
    assert [throw.level for throw in check_fairness(LogView(str(chained))).throws] == [
        "proven",
        "proven",
        "bound",
        "bound",
    ]


def test_a_chain_is_not_begun_if_its_secret_cannot_be_kept(fight: Path) -> None:
    Path(f"{fight}.dice").mkdir()
    done = encounter("dice", fight, "start")
    assert (done.exit_code, "ford.jsonl.dice" in done.stderr) == (6, True)
    assert "dice_committed" not in fight.read_text()


def test_stats_of_dice_count_by_person_die_and_level(chained: Path) -> None:
    for _ in range(3):
        encounter("add", chained, "b k d20+5 d8")
    found = json.loads(encounter("stats", chained, "--dice", "--json").stdout)["dice"]
    assert [(one["combatant"], one["die"], one["level"], one["thrown"]) for one in found] == [
        ("bo", "d8", "bound", 3),
        ("bo", "d20", "bound", 3),
    ]
    assert "too few to test" in encounter("stats", chained, "--dice").stdout
    assert encounter("stats", chained, "--dice", "--round", "1").exit_code == 2


def test_the_api_draws_from_the_chain_with_a_word_or_its_own(chained: Path) -> None:
    log = el.open(chained)
    log.tell("b k d20+5 d8", word="ana:heron")
    log.tell("b k d20+5 d8")
    log.tell("b k d20+5 d8", roll=lambda notation: f"{notation}:3")
    levels = [throw.level for throw in check_fairness(LogView(str(chained))).throws]
    assert levels == [level for level in ("proven", "bound", "typed") for _ in range(2)]
    with pytest.raises(el.Malformed, match="NAME:WORD"):
        log.tell("b k d20+5 d8", word="heron")
    Path(f"{chained}.dice").unlink()
    with pytest.raises(el.Malformed, match="the secret of the chain of dice is not here"):
        log.tell("b k d20+5 d8")


def test_python_begins_a_chain_once_and_none_in_memory(fight: Path) -> None:
    log = el.open(fight)
    assert [record.seq for record in log.begin_dice(seed="ford").records] == [4, 5]
    with pytest.raises(el.Malformed, match="10,000 rolls left"):
        log.begin_dice()
    log.tell("bo kex d20+5", word="ana:heron")
    assert repr(log.dice()) == "<Fairness 1 proven, 0 bound, 0 typed>"
    assert repr(log.dice().throws[0]).startswith("<Throw 7: d20 ")
    with pytest.raises(el.Malformed, match="no place for a secret"):
        el.memory("plain").begin_dice()
