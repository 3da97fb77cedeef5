"""Offers: sentences of the language that record what they say, a note as the last, and words that an offer teaches."""

from collections.abc import Iterator, Sequence
from functools import partial

import pytest

from eventstore.events import DamageDealt
from projections.language.notation.table import Table
from projections.language.notation.tokens import NotUnderstood
from projections.language.saying import say_facts
from projections.language.sentences import expected_words
from projections.language.table import language_table
from tests.few import few
from tests.language.corpus import Line, at, in_parts, lines
from tests.language.scenes import PEOPLE, ROUND, table

ASKED = [each for each in lines() if each.asked]
SAID = [each for each in lines() if not each.asked]


def refusal(line: str, *before: str) -> NotUnderstood:
    """Return the refusal of a line in a fight."""
    return refused(table("plain", (*PEOPLE, *ROUND, *before)), line)


def refused(fight: Table, line: str) -> NotUnderstood:
    """Return the refusal of a line at a table."""
    with pytest.raises(NotUnderstood) as asked:
        fight.tell(line)
    return asked.value


@in_parts(ASKED, quick=1)
def test_a_typed_offer_records_its_facts_and_a_note_is_the_last_of_three(part: Sequence[Line]) -> None:
    wrong = [f"{line.line}: {each}" for line in part for each in _wrong_with_offers(line)]
    assert not wrong, "\n".join(wrong)


def _wrong_with_offers(line: Line) -> Iterator[str]:
    fight = at(line.ruleset, line.before)
    try:
        if facts := fight.tell(line.line).facts:  # a few are notation
            yield f"is asked about, and records {facts}"
    except NotUnderstood as refusal:
        yield from _wrong_with_the_offers_of(fight, refusal)


def _wrong_with_the_offers_of(fight: Table, asked: NotUnderstood) -> Iterator[str]:
    if not len(asked.offers) == len(asked.meant) <= 3:
        yield f"{len(asked.offers)} offers, {len(asked.meant)} meanings"
    if not (asked.hint or asked.offers):
        yield "neither an offer nor a hint"
    if any(each.startswith("note ") for each in asked.offers[:-1]):
        yield "a note is not the last offer"
    for offer, meant in zip(asked.offers, asked.meant, strict=False):
        if (facts := fight.tell(offer).facts) != meant.facts:
            yield f"{offer} records {facts}, not {meant.facts}"


@few(1, "part", [pytest.param(SAID[at::10], id=f"{at} of 10") for at in range(10)])
def test_most_meanings_are_said_as_sentences_and_read_back_as_the_same(part: Sequence[Line]) -> None:
    said = 0
    for line in part:
        fight = at(line.ruleset, line.before)
        parsed = fight.parse_if_accepted(line.line)
        if parsed and parsed.facts:
            again = say_facts(fight.context, parsed.facts, partial(fight._is_meant_by, meant=parsed))
            assert not again or fight.tell(again).facts == parsed.facts
            said += bool(again)
    assert said > len(part) * 0.75


@pytest.mark.parametrize(("line", "offers"), [
    ("Ana hits orc 1 17", ("Ana attacks orc-1, hits for 17 damage", "Ana attacks orc-1, 17 to hit, hits")),
    ("Bo takes half of 11", ("Bo takes 5 damage", "Bo takes 6 damage")),
    ("Ana casts fnord on orc 1", ('Ana casts "fnord" on orc-1',)),
    ("Ana attacks orc 1 with a gronk for 3", ('Ana attacks orc-1 with "gronk", hits for 3 damage',)),
    ("Ana gronks orc 1 for 5", ("Ana attacks orc-1, hits for 5 damage; gronks means attacks",)),
])  # fmt: skip
def test_what_a_line_may_mean_is_offered_as_sentences_and_last_a_note(line: str, offers: tuple[str, ...]) -> None:
    assert refusal(line).offers == (*offers, f"note {line}")


@pytest.mark.parametrize("name", ["Wil Bane", "Will Ban"])
def test_a_slip_in_a_name_of_two_words_is_offered_as_that_name(name: str) -> None:
    asked = refusal(f"Ana hits {name} for 5", 'join "Will Bane" foes hp=9')
    assert asked.offers[0] == "Ana attacks Will Bane, hits for 5 damage"


def test_no_offer_passes_over_a_denial_or_takes_it_for_another_word() -> None:
    assert refusal("Ana might hit orc 1 for 7").offers == ("note Ana might hit orc 1 for 7",)


def test_a_taught_word_is_read_in_all_its_forms_until_it_is_forgotten() -> None:
    fight = table("plain", (*PEOPLE, *ROUND, "Ana attacks orc 1, hits for 5 damage; gronks means attacks"))
    for line in ("Bo gronked orc 2 for 3", "Bo gronks orc 2 for 3", "Bo will be gronking orc 2"):
        assert bool(fight.parse_if_accepted(line)) is ("will" not in line), line
    fight.hear("forget gronk")
    assert fight.parse_if_accepted("Bo gronks orc 2 for 3") is None


def test_a_misspelt_spell_is_offered_as_the_one_that_it_resembles() -> None:
    asked = refusal("Mira casts bles on Bo", "mira cast bless bo", "effect bless by mira on bo")
    assert [each for each in asked.offers if "bles " in each and not each.startswith("note")] == []
    assert asked.offers[0].startswith("Mira casts bless")


def test_what_is_said_of_an_offered_word_is_no_name_of_the_tables() -> None:
    context = table("plain", (*PEOPLE, *ROUND)).context
    language = language_table(context.state.rules.rules)
    said = {says for word, says in expected_words(context, "Ana makes a ") if word}
    assert "a spell" in said
    assert said & (language.synonyms.keys() | language.named.keys()) == set()


def test_an_undone_line_teaches_nothing() -> None:
    fight = table("plain", (*PEOPLE, *ROUND, "Ana attacks orc 1, hits for 5 damage; gronks means attacks", "u"))
    assert fight.parse_if_accepted("Ana gronks orc 1 for 5") is None


@pytest.mark.parametrize("line", ["attacks means moves", "Ana means attacks", "gronk means wibble", "forget attacks"])
def test_only_a_word_that_nothing_has_is_taught_only_as_a_known_one(line: str) -> None:
    assert refusal(line)


def test_a_thing_that_was_named_in_quotation_marks_is_known_from_then_on() -> None:
    fight = table(
        "plain",
        (*PEOPLE, *ROUND, 'Ana casts "fnord" at orc 1', 'orc 1 is "wobbly"', 'Ana attacks orc 1 with "gronk" for 3'),
    )
    for line in ("Bo casts fnord", "orc 2 is wobbly", "Ana attacks orc 1 with gronk"):
        assert fight.parse_if_accepted(line), line


def test_a_note_becomes_facts_at_its_place_as_if_typed_there() -> None:
    told = (*PEOPLE, *ROUND, "note Bo gronks orc 2", "bo orc-1 14 3")
    fight, typed = table("plain", told), table("plain", (*PEOPLE, *ROUND, "Bo hits orc 2 for 5", "bo orc-1 14 3"))
    fight.hear("amend last note into Bo hits orc 2 for 5")
    of_both = [
        [(who, one.hp) for who, one in at.done.state.combatants.items()] + [at.done.state.clock.turn]
        for at in (fight, typed)
    ]
    assert of_both[0] == of_both[1]
    fight.hear("u")
    assert fight.done.state.combatants["orc-2"].hp == 15


@pytest.mark.parametrize(("line", "why"), [
    ("amend 2 into Bo -5", "record 2 is no note"),
    ("amend last note into who is next", "a note becomes something that happened"),
    ("amend last note into Zork -5", '"Zork" is not understood'),
])  # fmt: skip
def test_a_note_becomes_nothing_that_cannot_be_read(line: str, why: str) -> None:
    assert refusal(line, "note the bridge creaks").why == why


@pytest.mark.parametrize(
    ("line", "free"), [("Bo joins the party with 22 hp", "Bo-2"), ("orc-1 joins the foes", "orc-4")]
)
def test_a_newcomer_with_the_name_of_a_combatant_needs_another(line: str, free: str) -> None:
    assert refusal(line).why.endswith(f" has joined already; another one needs another name, such as {free}")


def test_a_refusal_whose_slips_are_no_line_either_says_who_is_there() -> None:
    asked = refused(table("5e", (*PEOPLE, *ROUND)), "Ana atacks Red")
    assert (asked.offers, asked.hint.partition(" ana")[0]) == ((), "there are")


def test_an_ambiguous_line_is_offered_as_what_the_note_becomes() -> None:
    asked = refusal("amend last note into Ana hits orc 1 17", "note the bridge creaks")
    assert [each.partition(" into ")[2] for each in asked.offers] == [
        "Ana attacks orc-1, hits for 17 damage",
        "Ana attacks orc-1, 17 to hit, hits",
    ]


def test_what_a_secret_note_becomes_is_secret() -> None:
    fight = table("plain", (*PEOPLE, *ROUND, "secret note Bo gronks orc 2"))
    parsed = fight.tell("amend last note into Bo hits orc 2 for 5")
    assert parsed.kept == frozenset(range(len(parsed.facts)))


@pytest.mark.parametrize(
    "rolled", ["100000d6:1", "200d6 = 700", "2d6 = 700", "2d6 = 1", "0d6 = 4", "1d1000000 (5) = 5"]
)
def test_dice_beyond_the_limits_are_no_numbers_and_not_passed_over(rolled: str) -> None:
    line = f"Ana hits orc 1 for {rolled}"
    assert refusal(line).offers in ((), (f"note {line}",))


@pytest.mark.parametrize("rolled", ["2d6 = 7", "2d6+3 = 15", "1d8 (5) + 3 = 8", "d6: 6"])
def test_dice_with_a_result_that_they_can_have_are_that_number(rolled: str) -> None:
    total = int(rolled.rsplit(maxsplit=1)[-1])
    parsed = table("plain", (*PEOPLE, *ROUND)).tell(f"Ana hits orc 1 for {rolled}")
    assert parsed.facts[-1] == DamageDealt(target="orc-1", amount=total, cause=-1)


@pytest.mark.parametrize("line", [
    " ".join(f"wo{chr(97 + at % 26)}{chr(97 + at // 26)}rd" for at in range(200)),
    "Ana and Bo and " * 250,
    "Ana 5, " * 400,
])  # fmt: skip
def test_a_line_longer_than_a_sentence_is_refused_before_it_is_read(line: str) -> None:
    assert refusal(line).why == "a sentence has at most 100 words"


def test_only_words_are_guessed_at() -> None:
    assert not any('"\x00"' in offer for offer in refusal("Ana gronks\x00 orc 1 for 5").offers)


@pytest.mark.parametrize("line", ["a bow orc 1 15 5", "the hits orc 1 for 5", "an hits orc 1 for 5"])
def test_an_article_is_never_a_combatant(line: str) -> None:
    assert refusal(line, "join Anders party hp=5")
