"""Words that are taken as they stand, such as a detail, end where something else is told; what is told of several befalls each."""

import pytest

from projections.grammar.table import Table
from projections.grammar.tokens import NotUnderstood
from projections.rulesets import RULESETS
from tests.projections.grammar.test_line_context import heard
from tests.projections.grammar.test_never_another_meaning import TURNS, refused, three
from tests.projections.grammar.test_phrases import said

CLOCK = ("turn_started", "segment_reached", "phase_reached")


def one_after_the_other(at: Table, *lines: str) -> list[dict[str, object]]:
    """Return the facts of several lines, each after the one before, without those by which the clock moved."""
    found: list[dict[str, object]] = []
    for line in lines:
        found += said(at, line)
        at.hear(line)
    return found


@pytest.mark.parametrize("key", sorted(RULESETS))
@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("orc is stunned until the end of its next turn", ". ana hits orc for 5"),
        ("orc is stunned until the end of its next turn", ", ana hits orc for 5"),
        ("orc is stunned until he wakes", "; ana hits orc for 5"),
        ("orc is stunned until he is healed", " and ana hits orc for 5"),
        ("orc is charmed until bo attacks it", ", ana hits orc for 5"),
        ("orc is prone while asleep", ", bo -5"),
        ("orc is stunned by the trap", ", bo -5"),
        ("orc hides behind the tree", ", bo -5"),
        ("place ana 2,3", " and bo -3"),
        ("place ana behind the tree", " then bo -3"),
    ],
)
def test_a_sentence_behind_words_that_are_taken_as_they_stand_is_told_too(key: str, first: str, then: str) -> None:
    at = three(key)
    parts = (first, then.lstrip(",;. ").removeprefix("and ").removeprefix("then "))
    told = [fact["type"] for fact in said(at, f"{first}{then}") if fact["type"] not in CLOCK]
    assert told == [fact["type"] for fact in one_after_the_other(at, *parts)]


def test_a_part_without_a_name_befalls_whom_the_words_before_it_are_about() -> None:
    told = said(three("plain"), "orc is blinded by the light and takes 3")
    assert [fact.get("detail", fact.get("amount")) for fact in told] == ["by the light", 3]


@pytest.mark.parametrize("key", TURNS)
@pytest.mark.parametrize("then", [", orc -3", "; orc -3", ". orc -3", ", bo hits orc for 3"])
@pytest.mark.parametrize(
    "line", ["ana delays until orc moves", "ana waits for bo", "ana readies an attack if orc moves"]
)
def test_what_is_awaited_ends_where_something_happens(key: str, line: str, then: str) -> None:
    at = three(key)
    told = at.tell(f"{line}{then}").facts
    assert [type(fact).__name__ for fact in told][-1] == "DamageDealt"
    assert not any(then[-5:] in str(getattr(fact, "awaiting", "")) for fact in told)


@pytest.mark.parametrize(
    "awaited",
    ["orc moves and attacks bo", "orc moves, attacks or casts", "orc moves and bo is down", "orc or bo moves"],
)
def test_several_things_may_be_awaited(awaited: str) -> None:
    (held,) = said(three("plain"), f"ana readies an attack if {awaited}")
    assert held["awaiting"] == awaited


def test_points_behind_a_place_are_no_place() -> None:
    assert all(
        "damage" not in fact["type"]
        for each in refused(three("plain"), "place bo 2,3 orc -3").offers
        for fact in said(three("plain"), each)
    )


@pytest.mark.parametrize("key", TURNS)
@pytest.mark.parametrize("why", ["because of ana", "from ana's blow", "by ana", "due to ana"])
def test_a_cause_behind_a_time_takes_nothing_from_it(key: str, why: str) -> None:
    at = three(key)
    (told,) = said(at, f"orc is stunned until the end of ana's next turn {why}")
    (timed,) = said(at, "orc is stunned until the end of ana's next turn")
    assert (told["source"], told["duration"]) == ("ana", timed["duration"])


@pytest.mark.parametrize("key", TURNS)
@pytest.mark.parametrize("why", ["because of the trap", "or until healed"])
def test_words_behind_a_time_are_a_detail_beside_it(key: str, why: str) -> None:
    (told,) = said(three(key), f"orc is stunned until the end of its next turn {why}")
    assert told["detail"] == why
    assert told["duration"]["of"] == "orc"


# ---------------------------------------------------------------- how long a state lasts


def is_stunned(at: Table) -> bool:
    return any(each.name == "stunned" for each in at.done.state.conditions.values())


@pytest.mark.parametrize("key", TURNS)
@pytest.mark.parametrize("began", [0, 1, 2])
@pytest.mark.parametrize(
    ("said", "rounds"),
    [
        ("until the end of the round", 1),
        ("until the start of the next round", 1),
        ("until next round", 1),
        ("this round", 1),
        ("for the rest of the round", 1),
        ("until the end of the next round", 2),
    ],
)
def test_what_lasts_until_a_round_is_over_ends_with_it(key: str, said: str, rounds: int, began: int) -> None:
    at = heard(three(key), "t ana", *["next"] * began, f"bo is stunned {said}")
    while at.done.state.clock.round <= rounds:
        assert is_stunned(at)
        at.hear("next")
    assert not is_stunned(at)


@pytest.mark.parametrize("key", TURNS)
def test_what_lasts_this_turn_ends_with_it(key: str) -> None:
    at = heard(three(key), "t ana", "orc is stunned this turn")
    assert is_stunned(at)
    assert not is_stunned(heard(at, "next"))


@pytest.mark.parametrize("key", TURNS)
def test_the_next_turn_may_be_its_bearers_or_that_of_whoever_comes_next(key: str) -> None:
    at = heard(three(key), "t ana")
    whose = [
        said(at, each)[0]["duration"]["of"]
        for each in refused(at, "orc is stunned until the end of the next turn").offers
    ]
    assert whose == ["orc", "bo"]


@pytest.mark.parametrize("key", sorted(RULESETS))
@pytest.mark.parametrize(
    "line",
    [
        "orc is blinded and deafened for 2 rounds",
        "orc is blinded, deafened for 2 rounds",
        "ana hits orc for 3, blinded and deafened for 2 rounds",
        "all foes are blinded and deafened for 2 rounds",
    ],
)
def test_states_that_are_named_together_last_as_long(key: str, line: str) -> None:
    gained = [fact for fact in said(three(key), line) if fact["type"] == "condition_gained"]
    assert [fact["condition"] for fact in gained] == ["blinded", "deafened"]
    assert [fact["duration"]["amount"] for fact in gained] == [2, 2]


def test_states_with_a_verb_or_a_time_each_last_as_they_say() -> None:
    for line in ("orc is blinded and is deafened for 2 rounds", "orc is blinded for 1 round and deafened for 2 rounds"):
        first, second = said(three("plain"), line)
        assert first.get("duration") != second["duration"]


@pytest.mark.parametrize(
    "line", ["orc is prone and stunned for 2 rounds", "all foes are prone and stunned for 2 rounds"]
)
def test_a_state_that_ends_by_an_act_before_one_with_a_time_is_asked_about(line: str) -> None:
    refused(three("plain"), line)


# ---------------------------------------------------------------- several who suffer the same


@pytest.mark.parametrize("key", sorted(RULESETS))
@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("ana and bo take 4 and are poisoned for 2 rounds", "poisoned"),
        ("ana, bo take 4; they are prone", "prone"),
        ("ana and bo are blinded and deafened", "deafened"),
        ("ana and bo are blinded, deafened and prone", "prone"),
        ("the party take 4 and are prone", "prone"),
        ("orc hits ana and bo for 3, prone and blinded", "blinded"),
        ("orc hits ana and bo for 3, both are prone", "prone"),
    ],
)
def test_each_half_of_what_is_said_of_several_befalls_all_of_them(key: str, line: str, what: str) -> None:
    (gained,) = (fact for fact in said(three(key), line) if fact.get("condition") == what)
    assert gained["targets"] == ["ana", "bo"]


def test_an_act_behind_a_move_of_several_is_theirs_too_or_asked_about() -> None:
    try:
        told = said(three("plain"), "ana and bo move 10 ft and attack orc")
    except NotUnderstood:
        return
    assert [fact["combatant"] for fact in told if fact["type"] == "action_taken"] == ["ana", "bo"]


# ---------------------------------------------------------------- points of two, and what is left


@pytest.mark.parametrize("key", sorted(RULESETS))
@pytest.mark.parametrize(
    "line", ["ana bo +5 hp", "ana bo +5 temp", "ana bo regains 5", "ana bo gains 5 hp", "ana bo heal 5"]
)
def test_points_behind_two_names_may_be_given_by_the_first(key: str, line: str) -> None:
    both, given = (said(three(key), each) for each in refused(three(key), line).offers)
    assert [fact["target"] for fact in both] == ["ana", "bo"]
    assert [(fact["target"], fact["source"]) for fact in given] == [("bo", "ana")]


def test_points_between_two_names_are_asked_about() -> None:
    at = three("plain")
    meant = [said(at, each) for each in refused(at, "ana +5 bo").offers]
    assert meant == [said(at, "bo +5 source=ana"), said(at, "ana,bo +5")]


@pytest.mark.parametrize("key", sorted(RULESETS))
@pytest.mark.parametrize(
    "line", ["orc leaves melee with ana", "orc leaves the reach of ana", "orc leaves melee with ana and bo"]
)
def test_a_place_with_somebody_in_it_is_left_and_not_the_fight(key: str, line: str) -> None:
    assert [fact["type"] for fact in said(three(key), line)] == ["placed"]


@pytest.mark.parametrize("key", sorted(RULESETS))
@pytest.mark.parametrize(
    "line", ["orc leaves combat with ana", "orc leaves ana alone", "orc leaves ana to die", "orc leaves ana for dead"]
)
def test_whether_somebody_or_the_fight_is_left_is_asked_about(key: str, line: str) -> None:
    at = three(key)
    assert said(at, refused(at, line).offers[0])[0]["type"] == "placed"


# ---------------------------------------------------------------- readings that would lose something


@pytest.mark.parametrize("key", sorted(RULESETS))
@pytest.mark.parametrize(
    "line",
    [
        "ana staggers 1 round",
        "orc bites ana 5, poisoned until the end of ana's next turn",
        "orc casts web on ana and bo, bo fails",
        "bo hits orc for 4 because orc is prone, ana takes 3",
        "place bo 2,3 orc -3",
        "orc misses ana and bo, falls prone",
    ],
)
def test_no_reading_is_offered_that_loses_a_half(key: str, line: str) -> None:
    at = three(key)
    offers: tuple[str, ...] = ()
    try:
        told = {fact["type"] for fact in said(at, line)}
    except NotUnderstood as error:
        told, offers = set(), error.offers
    assert all(each.startswith("note ") for each in offers)
    assert offers or told & {"condition_gained", "save_rolled"}


@pytest.mark.parametrize("line", ["orc misses a turn", "orc misses his turn"])
def test_a_turn_that_is_missed_is_no_blow(line: str) -> None:
    at = three("plain")
    assert all(fact["type"] == "noted" for each in refused(at, line).offers for fact in said(at, each))


def test_who_falls_behind_a_blow_that_misses_is_asked_about_whoever_struck_first() -> None:
    at = three("plain")
    fallen = [said(at, each)[-1]["targets"] for each in refused(at, "orc misses ana, knocked prone").offers]
    assert sorted(map(str, fallen)) == ["['ana']", "['orc']"]


def test_what_is_said_of_somebody_who_has_left_befalls_nobody_else() -> None:
    at = heard(three("plain"), "orc leaves")
    for line in ("orc is prone because of ana", "orc is blinded for 1 round because of ana"):
        try:
            told = said(at, line)
        except NotUnderstood as error:
            told = [fact for each in error.offers for fact in said(at, each)]
        assert all("ana" not in fact.get("targets", ()) for fact in told)


@pytest.mark.parametrize("key", sorted(RULESETS))
@pytest.mark.parametrize("line", ["orc dies of poison", "orc died of its wounds"])
def test_who_dies_of_something_is_dead_and_the_ruling_says_of_what(key: str, line: str) -> None:
    (told,) = said(three(key), line)
    assert told["values"] == {"orc.status": "dead"}
    assert told["decision"] == line.replace("died", "dies")


def test_a_word_that_is_known_is_no_slip_of_another() -> None:
    offers = refused(three("plain"), "orc dies horribly at dawn").offers
    assert not any("digs" in each or "ties" in each for each in offers)


@pytest.mark.parametrize("reason", ["because bo hit it for 3", "until bo hits it for 3"])
def test_a_reason_is_nothing_that_happens_now(reason: str) -> None:
    at = heard(three("plain"), "orc is stunned")
    for line in (f"orc is no longer stunned {reason}", f"orc is stunned {reason}"):
        try:
            told = said(at, line)
        except NotUnderstood as error:
            told = [fact for each in error.offers for fact in said(at, each)]
        assert not {fact["type"] for fact in told} & {"attack_rolled", "damage_dealt"}


@pytest.mark.parametrize(
    ("line", "first"),
    [
        ("check bo.hp=20 and orc -3", "checked"),
        ("check bo.hp=20, orc hits bo for 3", "checked"),
        ("surprised foes because bo hid, bo hits orc for 3", "surprise_settled"),
    ],
)
def test_a_reason_swallows_no_blow(line: str, first: str) -> None:
    try:
        told = [fact["type"] for fact in said(three("plain"), line)]
    except NotUnderstood:
        return  # what is typed in the notation stands on a line of its own
    assert (told[0], told[-1]) == (first, "damage_dealt")


def test_points_behind_a_mark_are_no_detail() -> None:
    refused(three("plain"), "orc is poisoned by the dart, 3 damage")


def test_why_a_record_is_struck_may_be_told_but_not_what_happens_then() -> None:
    at = heard(three("plain"), "orc -3")
    number = len(at.records)
    (struck,) = said(at, f"strike {number} wrong target, it was bo")
    assert struck["reason"] == "wrong target, it was bo"
    refused(at, f"strike {number} and orc hits bo for 3")
