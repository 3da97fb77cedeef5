"""The table: lines told one after the other, what is taken back, and what would not be appended."""

import pytest
from msgspec import structs

from projections.language.notation.records import lines_of_appends, make_records
from projections.language.notation.table import Table
from projections.language.notation.tokens import NotUnderstood
from tests.projections.grammar import fight, refusal, table
from tests.projections.notation.filling import facts
from tests.projections.notation.line_context import heard


def test_a_sheet_is_missed_at_the_end_and_any_other_field_at_the_beginning() -> None:
    at = table("osric", "join bo foes hp=3")
    assert refusal(at, "join zed foes   ")[0] == 14
    assert refusal(at, '{"type":"damage_dealt","target":"bo"}') == (1, "amount: is missing; ")


def test_lines_are_the_appends_of_a_log_but_its_opening_and_corrections() -> None:
    at = heard(fight(), "b -1", "b -2", "u")
    assert lines_of_appends(at.records) == [(seq, seq) for seq in range(2, 8)]
    together = [structs.replace(one, batch=(place, 3)) for place, one in enumerate(at.records[1:4], 1)]
    assert lines_of_appends([at.records[0], *together, at.records[4]]) == [(2, 4), (5, 5)]
    assert lines_of_appends(together[1:]) == [(3, 4)]


def test_a_log_is_taken_up_with_the_lines_that_can_be_taken_back() -> None:
    at = heard(fight(), "b -1", "b -2")
    again = Table(at.records)
    assert facts(again, "u") == facts(at, "u")


def test_records_in_memory_have_hashes_as_long_as_any() -> None:
    (record,) = make_records([fight().records[1].event], 2)  # type: ignore[list-item]
    assert (record.seq, record.digest, record.salt, record.hash) == (2, "0" * 64, "0" * 32, "0" * 64)


def test_what_is_amended_keeps_cause_and_source_unless_the_line_says_more() -> None:
    at = heard(fight("plain"), "b=14", "o=9", "t b", "b attacks o 14 5")
    hurt = len(at.records)

    def amended(line: str) -> tuple[object, object]:
        (fact,) = at.tell(line).facts
        made = getattr(fact, "replacement", None)
        return getattr(made, "cause", None), getattr(made, "source", None)

    assert amended(f"amend {hurt} o -3") == (hurt - 1, None)
    assert amended(f"amend {hurt} o -3 cause={hurt - 2}") == (hurt - 2, None)
    assert amended(f"amend {hurt} o -3 source=g") == (None, "goblin")
    assert amended(f"amend {hurt} b -3") == (None, None)
    assert amended(f"amend {hurt} o +3") == (None, None)
    assert amended(f"amend {hurt - 4} o -3") == (None, None)
    heard(at, f"amend {hurt} o -3")
    assert amended(f"amend {hurt} o -2") == (hurt - 1, None)
    heard(at, "o -1 source=b")
    assert amended(f"amend {len(at.records)} o -2") == (None, "brand")


def wolves() -> Table:
    return heard(fight(), "join Wolf-1 foes hp=9", "join Wolf-2 foes hp=9", "r")


def test_an_ambiguous_line_offers_each_meaning_as_a_line_that_takes_it() -> None:
    line = "wolf strikes brand 14 hits 4"
    with pytest.raises(NotUnderstood) as asked:
        wolves().tell(line)
    assert asked.value.offers == (f"wolf-1{line[4:]}", f"wolf-2{line[4:]}")
    for place, offer in enumerate(asked.value.offers):
        taken = wolves().tell(offer)
        assert taken.facts == asked.value.meant[place].facts
        assert f"wolf-{place + 1}" in {getattr(fact, "combatant", "") for fact in taken.facts}


def test_a_reading_of_a_secret_line_is_secret() -> None:
    with pytest.raises(NotUnderstood) as asked:
        wolves().tell("secret wolf strikes brand 14 hits 4")
    assert asked.value.offers[0] == "secret wolf-1 strikes brand 14 hits 4"
    assert wolves().tell(asked.value.offers[0]).secret


def test_words_not_understood_are_said_and_a_longer_line_may_be_a_note() -> None:
    at = wolves()
    with pytest.raises(NotUnderstood) as asked:
        at.tell("the wind howls through it")
    assert asked.value.offers[-1] == "note the wind howls through it"
    assert "note" not in refusal(wolves(), "howls b")[1]
