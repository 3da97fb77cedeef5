"""Corrections as people make them: what is denied, what stands beside it, and who did it."""

import pytest

from projections.grammar.tokens import NotUnderstood
from tests.projections.grammar.test_line_context import heard
from tests.projections.reader.test_by_meaning_alone import PEOPLE
from tests.projections.test_grammar import table


@pytest.mark.parametrize(
    ("line", "hurt"),
    [
        ("sorry not 6, 4", ("gob", 4)),
        ("fix: gob 4 not 6", ("gob", 4)),
        ("oops not 6 points, only 4", ("gob", 4)),
        ("I have made an error: it was orc, not gob, whom ana hit", ("orc", 6)),
        ("it was orc, not gob", ("orc", 6)),
    ],
)
def test_what_is_denied_gives_way_to_what_stands_beside_it(line: str, hurt: tuple[str, int]) -> None:
    at = heard(table("5e", *PEOPLE, "join orc foes hp=20"), "r", "t ana", "ana hits gob for 6")
    last = at.tell(line).facts[-1]
    assert (last.replacement.target, last.replacement.amount) == hurt  # type: ignore[attr-defined]


def test_who_did_it_is_corrected_and_not_whom_it_befell() -> None:
    at = heard(table("5e", *PEOPLE), "r", "t ana", "ana hits gob for 6")
    blow = at.tell("it was bo, not ana, who hit gob").facts[0].replacement  # type: ignore[attr-defined]
    assert (blow.combatant, blow.action.targets) == ("bo", ("gob",))


@pytest.mark.parametrize("key", ["5e", "plain", "osric"])
@pytest.mark.parametrize("line", ["oops, ana did 4 not 6", "correction: ana's hit in round 1 was 4, not 6"])
def test_what_was_told_in_an_earlier_round_is_corrected(key: str, line: str) -> None:
    at = heard(table(key, *PEOPLE), "r", "ana hits gob for 6", "end round", "r")
    (hurt,) = at.tell(line).facts
    assert (hurt.event, hurt.replacement.amount) == (at.memory.deeds[-1], 4)  # type: ignore[attr-defined]


def test_whoever_got_the_points_is_corrected_by_their_number() -> None:
    at = heard(table("5e", *PEOPLE), "r", "t gob", "gob hits ana for 11")
    *_, hurt = at.tell("no, bo got the 11").facts
    assert (hurt.replacement.target, hurt.replacement.amount) == ("bo", 11)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "line", ["Correction: that was cy it struck, not bo.", "it was cy he hit, not bo", "no, he hit cy, not bo"]
)
def test_whom_a_blow_struck_stands_before_who_struck_them(line: str) -> None:
    at = heard(
        table("5e", *(f"join {who} party hp=20" for who in ("ana", "bo", "cy")), "join gob foes hp=9", "r"),
        "gob hits bo for 3",
    )
    assert at.tell(line).facts[-1].replacement.target == "cy"  # type: ignore[attr-defined]


def test_who_did_it_is_offered_before_whom_it_struck_where_both_are_foes() -> None:
    people = ("join ana party hp=20", "join gob*3 foes hp=9", "r", "gob 1 hits ana for 3")
    at = table("5e", *people)
    with pytest.raises(NotUnderstood) as caught:
        at.tell("no sorry that was gob 3")
    first, second = (meant.facts[0].replacement for meant in caught.value.meant)
    assert (first.combatant, second.action.targets) == ("gob-3", ("gob-3",))
    assert table("5e", *people).tell("no it was gob 3 who hit ana").facts[0].replacement == first  # type: ignore[attr-defined]


@pytest.mark.parametrize("line", ["oops that was 12 not 11 on gob", "that was 12 not 11, on gob"])
def test_the_blow_that_a_correction_is_about_may_name_whom_it_struck(line: str) -> None:
    at = heard(table("plain", *PEOPLE), "ana hits gob for 11")
    (amended,) = at.tell(line).facts
    assert amended.replacement.amount == 12  # type: ignore[attr-defined]


def test_nobody_joins_in_the_place_of_another() -> None:
    at = heard(table("osric"), "join orc-3 foes hp=6", "join orc-4 foes hp=6")
    with pytest.raises(NotUnderstood):
        at.tell("oops that was orc 4 not orc 3")
