"""A line said in another way means the same or is asked about, never something else."""

import random

import pytest

from tests.projections.grammar.test_phrases import said
from tests.projections.reader.making import Change, Maker, Variant, sentences, synonyms
from tests.projections.reader.variants import Break, Line, Meaning, differences, known, main, own, search
from tests.projections.test_grammar import fight, refusal, table

BLOW = Meaning([{"type": "damage_dealt", "target": "ogre", "amount": 6}])


def broken(lines: list[Line], count: int) -> set[str]:
    """Return the lines of which a variant means something else."""
    return {each.line.text for each in search(lines, count, 1) if isinstance(each, Break)}


def test_a_few_variants_of_every_fifth_line_mean_the_same_or_are_asked_about() -> None:
    assert broken(own()[::5], 3) <= known()


@pytest.mark.full
def test_twenty_variants_of_each_line_mean_the_same_or_are_asked_about() -> None:
    assert broken(own(), 20) == known()
    assert main.__doc__


# ---------------------------------------------------------------- what makes variants


def variants(line: str, sort: str, *, joining: tuple[str, ...] = ()) -> list[Variant]:
    maker = Maker(fight("plain"), line, joining)
    return [each for each in maker.variants(60, random.Random(1)) if each.sorts == {sort}]


def test_other_names_are_as_many_letters_of_them_as_were_typed() -> None:
    for variant in variants("Mira hits the goblin, bra misses", "names"):
        mira, _, _, goblin, bra, _ = variant.line.replace(",", "").split()
        said = {"mira": mira, "goblin": goblin, "brand": bra}
        assert all(new.startswith(said[old].lower()) for old, new in variant.names.items() if old in said)
    assert variants("Mira hits the goblin, bra misses", "names")


def test_a_number_is_another_wherever_it_stands_and_none_of_dice_names_or_sums() -> None:
    assert {each.number[0] for each in variants("b hits o 14 for 6, 2d6 and 3+4 and 6", "numbers") if each.number} == {
        6,
        14,
    }
    assert all(each.line.count(" 6") == 0 for each in variants("b 6 6", "numbers"))


def test_synonyms_say_the_same_in_the_same_form() -> None:
    at = Maker(fight("plain"), "x").lexicon
    assert "mends" in synonyms(at, "heals")
    assert "mended" not in synonyms(at, "heals")
    assert "assails" in synonyms(at, "whacks")
    assert "assailed" in synonyms(at, "whacked")
    assert synonyms(at, "Mira") == []


def test_sentences_are_cut_at_stops_and_semicolons() -> None:
    assert sentences("Mira hits. The ogre falls; Brand runs.") == ["Mira hits", "The ogre falls", "Brand runs"]


# ---------------------------------------------------------------- the law


@pytest.mark.parametrize(
    ("change", "fact", "why"),
    [
        (Change("case"), {"amount": 6}, ""),
        (Change("case"), {"amount": 7}, "amount 6 is 7"),
        (Change("numbers", number=(6, 7)), {"amount": 7}, ""),
        (Change("numbers", number=(6, 7)), {"amount": 9}, "amount 6 is 9"),
        (Change("case"), {"target": "brand"}, "target 'ogre' is 'brand'"),
    ],
)
def test_another_meaning_is_found(change: Change, fact: dict[str, object], why: str) -> None:
    other = Meaning([{**BLOW.facts[0], **fact}])
    assert differences("ogre -6", BLOW, Variant("OGRE -6", (change,)), other) == why


def test_an_order_is_no_other_meaning_but_a_fact_less_is() -> None:
    two = Meaning([*BLOW.facts, {"type": "noted", "text": "x"}])
    turned = Meaning([*reversed(two.facts)])
    assert differences("x", two, Variant("x", (Change("order"),)), turned) == ""
    assert differences("x", two, Variant("x", (Change("case"),)), turned) != ""
    assert differences("x", two, Variant("x", (Change("order"),)), BLOW) == "2 facts are 1"


# ---------------------------------------------------------------- what it found


def test_who_bursts_in_or_is_spawned_has_no_verb_in_the_name() -> None:
    at = table("plain")
    for line in ("zoe bursts in, 24 hp", "zoe pops in, 24 hp", "spawn zoe 24 hp"):
        assert [fact["combatant"] for fact in said(at, line)] == ["zoe"]
    named = [(fact["combatant"], fact["sheet"]["hp"]) for fact in said(at, "party: ana 9 zoe fourteen gwen 11 hp")]
    assert named == [("ana", 9), ("zoe", 14), ("gwen", 11)]


def test_a_plural_in_capitals_is_one() -> None:
    assert [fact["combatant"] for fact in said(table("plain"), "2 GOBLINS HP 7 EACH")] == ["goblin-1", "goblin-2"]


def test_a_flag_of_a_command_is_one_in_capitals_and_needs_its_number() -> None:
    at = table("plain")
    assert said(at, "!I MADD IMP -N 2 -HP 5") == said(at, "!i madd imp -n 2 -hp 5")
    assert said(at, "!i madd imp -n 2.") == said(at, "!i madd imp -n 2")
    for line in ("!i madd imp -n two", "!i add 3 Zoe -hp twelve"):
        refusal(at, line)


def test_who_makes_a_save_with_a_number_has_not_succeeded_by_that() -> None:
    at = fight("5e")
    assert said(at, "Mira makes a Con save with fourteen") == [
        {"type": "save_rolled", "combatant": "mira", "save": "con", "die": 14}
    ]


def test_a_feature_that_heals_is_used() -> None:
    used = said(fight("5e"), "Brand uses his second wind and heals up 3 hp")
    assert [fact["type"] for fact in used if fact["type"] != "turn_started"] == ["action_taken", "healed"]


def test_words_for_a_state_are_no_deed() -> None:
    at = fight("plain")
    at.hear("b is prone")
    assert [fact["type"] for fact in said(at, "Brand climbs to his feet")] == ["condition_lost"]
    assert [fact["type"] for fact in said(at, "Brand butchers the goblin")] == ["ruling_made"]
