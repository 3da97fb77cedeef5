"""How the clock moves with an act that is typed, in each ruleset: where the act belongs, never back, or not at all."""

from typing import Any

import pytest

from eventstore.events import RoundStarted, TurnStarted
from projections.folds.addresses import value_of
from projections.folds.moves import next_up
from projections.judging.audit import audit
from projections.language.notation.table import Table
from tests.projections.grammar import table
from tests.projections.notation.line_context import heard


def clock(at: Table, line: str) -> str:
    """Return the clock facts that a line makes, as they are typed, else why there are none; "" for neither."""
    parsed = at.tell(line)
    assert not (parsed.moved and parsed.stays)
    moved = [_shown(each) for each in parsed.facts[: parsed.moved]]
    return " ".join(moved) or parsed.stays


def _shown(fact: Any) -> str:
    return str(getattr(fact, "segment", None) or getattr(fact, "phase", None) or fact.combatant)


def moves(at: Table, rows: dict[str, str]) -> None:
    """Check what each of these lines makes of the clock."""
    assert {line: clock(at, line) for line in rows} == rows


# ---------------------------------------------------------------- turns

SIX = ("join ana heroes hp=9", "join bo heroes hp=9", "join orc foes hp=9")


@pytest.mark.parametrize("key", ["plain", "nameless-journey", "semiautomagic", "definition-master", "5e"])
def test_an_act_begins_the_turn_of_its_doer_if_that_comes_next(key: str) -> None:
    at = heard(table(key, *SIX), "i ana=14 bo=9 orc=5")
    moves(
        at,
        {
            "ana attack orc": "ana",
            "bo attack orc": "ana is next; t bo begins bo's turn",
            "act ana attack orc": "act leaves it alone; t ana moves it to where this belongs",
            "act bo attack orc": "ana is next; t bo begins bo's turn",
            "ana goes 10ft": "ana",
            "move ana 10ft": "move leaves it alone; t ana moves it to where this belongs",
            "done ana": "ana",
            "ana -3": "",
            "effect bless by ana on bo": "",
        },
    )
    heard(at, "ana attack orc")
    moves(at, {"ana talk": "", "done ana": "", "bo attack orc": "bo", "orc attack bo": at_turn_of("bo", "orc")})
    heard(at, "over")
    moves(at, {"bo attack orc": "", "orc attack bo": ""})


def test_in_plain_the_turn_of_whoever_comes_next_opens_a_round() -> None:
    at = heard(table("plain", *SIX), "i ana=14 bo=9 orc=5", "r 1", "ana attack orc", "bo attack orc", "orc attack bo")
    assert [type(each) for each in at.tell("t ana").facts] == [RoundStarted, TurnStarted]
    assert [type(each) for each in at.tell("t bo").facts] == [TurnStarted]


def test_in_5e_what_costs_nothing_may_be_in_any_turn() -> None:
    rolled = heard(table("5e", *SIX), "i ana=14 bo=9 orc=5")
    moves(rolled, {"bo talk": "this may be in any turn; t bo begins bo's turn", "ana goes 10ft cost=movement": "ana"})
    told = heard(rolled, "r 1", "ana attack orc", "bo attack orc", "orc attack bo")
    assert [type(each) for each in told.tell("ana attack orc").facts[:2]] == [RoundStarted, TurnStarted]
    loose = heard(table("5e", *SIX), "i ana=14 bo=9 orc=5", "ana attack orc", "bo attack orc", "orc attack bo")
    moves(loose, {"ana attack orc": "ana"})


def test_in_5e_a_fight_without_turns_says_nothing_of_them() -> None:
    loose = table("5e", *SIX)
    assert (loose.tell("ana attack orc").stays, loose.tell("ana attack orc").moved) == ("", 0)
    assert heard(loose, "t ana").tell("bo attack orc").stays.startswith("nothing says who is next")
    ridden = heard(table("5e", *SIX), "i ana=14 bo=9 orc=5", "t ana", "act ana mount bo manner=controlled")
    assert (ridden.tell("bo dash").stays, ridden.tell("bo dash").moved) == ("", 0)


def at_turn_of(first: str, who: str) -> str:
    return f"{first} is next; t {who} begins {who}'s turn"


def test_nameless_journey_turn_only_on_own_turn_what_is_paid_begins_it() -> None:
    at = heard(table("nameless-journey", *SIX), "i ana=14 bo=9 orc=5", "ana attack orc")
    moves(
        at,
        {
            "bo attack orc cost=action": "bo",
            "bo attack orc cost=quick-action": "bo",
            "bo attack orc cost=reaction": "",
            "bo attack orc trigger=^": "",
            "bo talk": "this may be in any turn; t bo begins bo's turn",
            "orc talk": "this may be in any turn; t orc begins orc's turn",
            "bo goes 10ft cost=reaction": "",
            "bo goes 10ft forced=yes": "",
        },
    )


def test_semiautomagic_zero_second_own_turn_what_takes_no_time_ends_none() -> None:
    at = heard(table("semiautomagic", *SIX), "i ana=14 bo=9 orc=5", "ana attack orc")
    stays = "this may be in any turn; t bo begins bo's turn"
    moves(at, {"bo attack orc @3": "bo", "bo talk 0": stays, "bo delays": "bo", "bo goes 5ft forced=yes": ""})
    moves(heard(at, "ana move", "ana move"), {"bo talk 0": "bo"})
    loose = table("semiautomagic", *SIX, options={"zero-second-off-turn": "allowed"})
    heard(loose, "i ana=14 bo=9 orc=5", "ana attack orc")
    moves(loose, {"bo attack orc": "bo", "bo talk 0": stays})


def test_definition_master_turn_action_kinds_what_is_paid_begins_it() -> None:
    at = heard(table("definition-master", *SIX), "i ana=14 bo=9 orc=5", "ana attack orc")
    moves(
        at,
        {
            "bo attack orc": "bo",
            "bo holds attack orc until it rains": "bo",
            "bo attack orc trigger=^": "",
            "bo attack orc cost=opportunity": "",
            "bo goes 10ft cost=held": "",
            "bo goes 10ft forced=yes": "",
            "bo speak": "this may be in any turn; t bo begins bo's turn",
            "bo delays": "",
            "orc goes 10ft": at_turn_of("bo", "orc"),
        },
    )


# ---------------------------------------------------------------- segments


FORD = (
    "join mira party hp=9 weapon=dagger",
    "join brand party hp=14 weapon=sword",
    "join ada party hp=9 routines=2 missile_bonus=2",
    "join ogre foes hp=20 weapon=club",
)


def ford(*lines: str) -> Table:
    return heard(table("osric", *FORD), *lines)


def test_initiative_other_sides_die_an_act_goes_to_its_sides_segment() -> None:
    at = ford("r", "p5 f3")
    moves(
        at,
        {
            "brand attack ogre": "3",
            "ada attack sling ogre manner=missile": "1",
            "ada attack sword ogre": "3",
            "ogre attack brand": "5",
            "ogre attack brand @4": "",
            "ogre attack brand cost=interrupt": "",
            "ogre attack brand trigger=^": "",
            "brand talk": "brand can do this in any segment; seg moves it",
            "act ogre attack club brand": "act leaves it alone; seg 5 moves it to where this belongs",
        },
    )
    heard(at, "seg 3")
    moves(
        at, {"brand attack ogre": "", "ada attack sling ogre manner=missile": "it is segment 3, and that of ada was 1"}
    )


def test_sequence_winner_then_loser_what_a_later_segment_has_has_come() -> None:
    at = ford("r", "d mira cast web 2 ogre", "p5 f3", "mira", "ogre attack brand @6")
    moves(at, {"brand attack ogre": "it is segment 6, and that of brand was 3", "act ada attack sword ogre @7": ""})
    moves(at, {"effect web by mira on ogre": "it is segment 6, and that of web was 5"})
    heard(at, "seg 2")
    moves(at, {"brand attack ogre": "3", "effect web by mira on ogre": "5"})


def test_segments_held_action_who_holds_moves_the_clock_with_nothing() -> None:
    at = ford("r", "p5 f3", "brand holds until the ogre moves")
    moves(
        at, {"brand attack ogre": "brand holds, and can act from segment 3 on; seg moves it", "mira attack ogre": "3"}
    )
    heard(at, "seg 3")
    moves(at, {"brand attack ogre": ""})


def test_attack_further_routine_waits_and_can_be_in_several_segments() -> None:
    at = ford("r", "p5 f3", "ada attack sword ogre")
    moves(at, {"ada attack sword ogre": "ada can act again from segment 6 on; seg moves it"})
    moves(
        at,
        {
            "ada attack sword ogre routine=1": "",
            "ada attack sword ogre routine=2": "ada can act again from segment 6 on; seg moves it",
        },
    )
    heard(at, "seg 6")
    moves(at, {"ada attack sword ogre": ""})
    moves(ford("r", "ada ogre 14 6"), {"ada ogre 14 6": "ada can act again from segment 1 on; seg moves it"})


def test_spell_completes_after_casting_time_an_effect_goes_where_it_is_due() -> None:
    at = ford("surprised", "r", "d mira cast web 3 ogre", "p5 f3", "mira")
    moves(at, {"x mira": "6", "effect web by mira on ogre": "6", "effect web by mira on ogre @5": "", "effect fog": ""})
    heard(at, "x mira")
    assert value_of(at.done.state, "segment").value == 6  # type: ignore[union-attr]
    assert not audit(at.records).findings
    heard(at, "seg 8")
    moves(at, {"effect web by mira on ogre": "it is segment 8, and that of web was 6"})


def test_surprise_who_may_act_in_the_first_segment_free_without_an_act() -> None:
    moves(ford(), {"brand attack ogre": ""})
    at = ford("surprise party2 foes6")
    moves(at, {"ogre attack brand": "1", "ogre talk": "", "brand attack ogre": ""})
    heard(at, "ogre charge brand")
    moves(at, {"ogre attack brand": "", "ogre move": "2"})
    heard(at, "seg 2 surprise=yes")
    moves(at, {"ogre attack brand": "", "brand attack ogre": ""})
    moves(ford("surprise party1 foes2"), {"brand attack ogre": "2", "ogre attack brand": ""})


# ---------------------------------------------------------------- slots

VILE = (
    'join ada heroes {"hp":12,"ac":4,"aac0":18,"weapons":[{"name":"axe","speed":7},{"name":"bow","range":210}]}',
    'join ulf orcs {"hp":9,"ac":6,"aac0":19,"weapons":[{"name":"axe","speed":7}]}',
    'join cleo heroes {"hp":9,"ac":8,"aac0":20,"resources":{"spark":1}}',
)


def vile(*lines: str) -> Table:
    return heard(table("vile-darkness", *VILE), "surprised", "place ada", "place ulf", "place cleo", *lines)


def test_group_phase_order_an_act_goes_to_the_slot_of_kind_and_weapon() -> None:
    at = vile("r", "h2 o5")
    moves(
        at,
        {
            "ada attack axe ulf": "L.D3",
            "ada attack bow ulf": "L.D2",
            "ulf attack ada": "H.D3",
            "ulf charge ada": "C",
            "ulf flee": "B",
            "ulf other force_the_gate": "H.D4",
            "ulf talk": "ulf can do this in several slots; the name of the slot moves it",
            "ulf immediate catch_a_rope": "ulf can do this in several slots; the name of the slot moves it",
            "ulf attack ada @L.D3": "",
            "ulf attack ada cost=free-attack": "",
            "act ulf attack axe ada": "act leaves it alone; phase H.D3 moves it to where this belongs",
            "roll ulf ada 14": "",
        },
    )


def test_delay_declared_acts_low_a_blow_in_high_stays_there_and_is_found() -> None:
    at = vile("r", "ada delays", "h5 o2", "H.D3")
    moves(at, {"ada attack axe ulf": "ada declared a delay, to L.D3; the name of the slot moves it"})
    moves(at, {"ada other force_the_gate": "ada declared a delay, to L.D4; the name of the slot moves it"})
    moves(heard(vile("r", "ada delays", "h5 o2", "L.D3")), {"ada attack axe ulf": ""})
    moves(heard(vile("r", "ada delays", "d cleo incantation spark 3 ulf", "cleo delays", "h5 o2")), {"cleo": "E"})
    heard(at, "ada attack axe ulf", "end")
    assert "delay.declared-acts-low" in [each.rule for each in audit(at.records).findings]


def test_round_step_order_an_act_of_an_earlier_slot_moves_nothing() -> None:
    lacks = "no initiative die of heroes, orcs in this round; the name of the slot moves it"
    moves(vile("r"), {"ada attack axe ulf": lacks, "ulf charge ada": "C"})
    at = vile("r", "h5 o2", "L.D3")
    moves(at, {"ada attack axe ulf": "it is L.D3, and the slot of ada was H.D3", "ulf attack ada": ""})
    heard(at, "end")
    moves(at, {"ulf attack ada": "no round is open; r begins one"})
    moves(vile(), {"ulf attack ada": ""})


# ---------------------------------------------------------------- what a line refers to


def test_a_reference_beyond_the_line_reaches_over_the_fact_of_the_clock() -> None:
    at = heard(table("plain", *SIX), "i ana=14 bo=9 orc=5", "note the bridge creaks")
    parsed = at.hear("ana goes 10ft ^")
    assert [type(each).__name__ for each in parsed.facts] == ["TurnStarted", "Moved"]
    assert getattr(parsed.facts[1], "cause", 0) == len(at.records) - 2


# ---------------------------------------------------------------- a round that is said to be over


@pytest.mark.parametrize("key", ["plain", "5e"])
@pytest.mark.parametrize("turns", [("t", "t"), ("t", "t", "t"), ("t bo", "t orc"), ()])
@pytest.mark.parametrize("line", ["next", "ana attack orc", "t bo"])
def test_once_a_round_was_said_to_be_over_a_turn_is_of_the_next_one(
    key: str, turns: tuple[str, ...], line: str
) -> None:
    at = heard(table(key, *SIX), "r", "i ana=14 bo=9 orc=5", *turns, "e")
    assert due_in(at) == []
    assert next_up(at.done.state) == "ana"
    found = at.hear(line)
    assert [type(each) for each in found.facts[:2]] == [RoundStarted, TurnStarted]
    assert value(at, "round") == 2
    assert not [each for each in audit(at.records).findings if each.severity == "breach"]


def due_in(at: Table) -> object:
    """Return who is due, as a value and in the rows of the round."""
    state = at.done.state
    assert not [row for row in state.rules.schedule.rows(state) if row.status == "due"]
    return value(at, "due")


def value(at: Table, address: str) -> object:
    """Return a derived value."""
    found = value_of(at.done.state, address)
    return found and found.value


def test_nobody_comes_next_in_a_fight_that_is_over_nor_first_if_out() -> None:
    at = heard(table("plain", *SIX), "i ana=14 bo=9 orc=5")
    assert next_up(at.done.state) == "ana"
    assert next_up(heard(at, "ana -9").done.state) == "bo"
    assert next_up(heard(at, "over").done.state) is None
