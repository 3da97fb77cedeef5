"""Words with a slip of the finger: what tells no deed is read as it is meant, and verbs are offered."""

import pytest

from projections.reader.decision import decide
from tests.projections.reader.test_by_meaning_alone import fight, meant
from tests.projections.reader.test_narration import first_offer, same


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("gob is suprised", "gob is surprised"),
        ("gob is stuned", "gob is stunned"),
        ("gob becomes invisble", "gob becomes invisible"),
        ("gob is frightend of ana", "gob is frightened of ana"),
        ("gob is now restained", "gob is now restrained"),
        ("ana shoots gob with her crossbw 17 for 5", "ana shoots gob with her crossbow 17 for 5"),
        ("ana hits gob 17 with her longswrod for 8", "ana hits gob 17 with her longsword for 8"),
        ("ana takes 7 necortic damage", "ana takes 7 necrotic damage"),
        ("gob fails his dexterty save with a 9", "gob fails his dexterity save with a 9"),
        ("ana casts eldrich blast at gob, 17 hits for 8", "ana casts eldritch blast at gob, 17 hits for 8"),
        ("bo casts firebal on gob", "bo casts fireball on gob"),
        ("ana casts bless on herslf and bo", "ana casts bless on herself and bo"),
        ("ana heals bo for 5 hitpionts", "ana heals bo for 5 hitpoints"),
    ],
)
def test_a_long_word_with_a_slip_within_it_that_tells_no_deed_is_read(line: str, plain: str) -> None:
    same("5e", line, plain)


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("ana atacks gob 15 for 4", "ana attacks gob 15 for 4"),
        ("ana thraws a dagger at gob 17 hits for 3", "ana throws a dagger at gob 17 hits for 3"),
        ("bo pathces ana up 6 hp", "bo patches ana up 6 hp"),
        ("ana stuned gob", "ana stunned gob"),
        ("ana charges at gob, sowrd 17, 8 slashing", "ana charges at gob, sword 17, 8 slashing"),
        ("gob takes 5 fier damage", "gob takes 5 fire damage"),
        ("gob makes a wisdm save 14", "gob makes a wisdom save 14"),
    ],
)
def test_a_verb_with_a_slip_and_a_short_word_are_offered_as_they_may_be_meant(line: str, plain: str) -> None:
    assert first_offer("5e", line) == meant(fight("5e"), plain)


@pytest.mark.parametrize(
    "line",
    [
        "ana is charred",
        "gob is bald",
        "gob takes 5 sonic damage",
        "bo casts glimmering gnomes at the gob",
        "ana casts magic missiles at gob for 10",
    ],
)
def test_words_that_are_no_slips_stay_as_they_are_typed(line: str) -> None:
    found = decide(fight("5e").context, line)
    assert (
        found.meaning is None
        or line.rsplit(maxsplit=1)[-1] in str(found.meaning)
        or line.split()[3] in str(found.meaning)
    )


@pytest.mark.parametrize(
    "line", ["lord varos, vampire, 144 hp ac 16", "There is also a bear, which has 25 hit points.", "the pit takes 4"]
)
def test_a_name_of_somebody_new_is_no_slip(line: str) -> None:
    offers = str(decide(fight("5e").context, line).offers)
    assert not any(f"'{word}" in offers for word in ("load", "beak", "lead"))


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("2nd swing 8 miss", "ana 2nd swing 8 miss"),
        ("2nd attack 18 hits for 4", "ana attacks gob, 18 hits for 4"),
        ("second attack misses", "ana attacks gob and misses"),
        ("her second attack 18 hits for 4", "ana attacks gob, 18 hits for 4"),
    ],
)
def test_a_blow_that_counts_on_from_that_of_the_last_line_is_of_whoever_struck(line: str, plain: str) -> None:
    same("5e", line, plain, "ana hits gob with her longsword 17 for 3")


@pytest.mark.parametrize("before", ["gob dies", "bo rages", "ana moves 20 feet"])
def test_no_blow_counts_on_from_what_is_none(before: str) -> None:
    assert decide(fight("5e", before).context, "2nd attack 18 hits for 4").meaning is None


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("bo heal word ana 5", "bo healing word ana 5"),
        ("bo casts guid bolt at gob, 17 hits for 9 radiant", "bo casts guiding bolt at gob, 17 hits for 9 radiant"),
        ("ana casts vic mock on gob", "ana casts vicious mockery on gob"),
    ],
)
def test_the_beginnings_of_the_words_of_one_spell_are_its_name(line: str, plain: str) -> None:
    same("5e", line, plain)


@pytest.mark.parametrize("line", ["ana hits gob hard blow 17 for 8", "bo walks fire wards"])
def test_words_that_begin_no_spell_are_none(line: str) -> None:
    assert "casts" not in str(decide(fight("5e").context, line))
