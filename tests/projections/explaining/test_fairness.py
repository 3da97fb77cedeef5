"""Where dice came from, and each attack on a chain with the sentence that reports it; an independent verifier agrees."""

from hashlib import sha256
from typing import Any

import pytest

from eventstore.dice import faces_of_link, link_of
from eventstore.record import encode_record
from eventstore.withholding import Withhold
from projections.explaining.fairness import Fairness, check_fairness, dice_levels_by_record, level_in_words
from tests.eventstore import dice_verifier
from tests.projections.logs import amend, fact, joins, records, strike

SECRET = sha256(b"encounterlog test secret").digest()
OTHER = sha256(b"another secret").digest()


def commits(secret: bytes = SECRET, **more: Any) -> str:
    return fact("dice_committed", holder="gm", link=link_of(secret, 0).hex(), **more)


def roll(
    number: int, word: str, secret: bytes = SECRET, *, link: int | None = None, face: int = 0, **more: Any
) -> list[str]:
    """Return an attack roll and the draw that proves it; a wrong `face` or `link` if they are given."""
    key = link_of(secret, link or number)
    shown = [face] if face else list(faces_of_link(key, number, word, 20, 1))
    attack = fact("attack_rolled", combatant="bo", target="kex", die={"notation": "d20", "faces": shown})
    drawn = {"number": number, "link": key.hex(), "word": word, "notation": "d20", "event": -1}
    return [attack, fact("dice_drawn", **(drawn | more))]


def fight(*facts: str, withheld: tuple[int, ...] = ()) -> tuple[Fairness, list[str]]:
    """Return what is found in a log of which these facts are records 4 and on, and what the independent verifier finds."""
    told = list(Withhold(frozenset(withheld)).apply_to(records(joins("bo"), joins("kex"), *facts)))
    return check_fairness(told), list(dice_verifier.complaints([encode_record(each).decode() for each in told]))


def says(found: Fairness) -> list[str]:
    return [f"{fault.seq} {fault.kind}: {fault.says}" for fault in found.faults]


def kinds(found: Fairness) -> list[str]:
    return [f"{fault.seq} {fault.kind}" for fault in found.faults if fault.wrong]


def test_dice_are_proven_by_a_word_of_another_and_typed_otherwise() -> None:
    typed = fact("attack_rolled", combatant="kex", target="bo", die=14)
    found, other = fight(commits(), *roll(1, "ford", giver="ana"), *roll(2, "oak", giver="gm"), *roll(3, "elm"), typed)
    assert [level_in_words(throw) for throw in found.throws] == [
        "proven: roll 1, word of ana",
        "bound: roll 2",
        "bound: roll 3",
        "typed",
    ]
    assert (found.holds, says(found), other) == (True, [], [])


def test_a_log_without_a_chain_has_typed_dice_and_nothing_wrong() -> None:
    found, other = fight(fact("attack_rolled", combatant="kex", target="bo", die=14))
    assert ([throw.level for throw in found.throws], found.faults, other) == (["typed"], (), [])


ATTACKS = {
    "a chain begun again after a bad roll": (
        [commits(), *roll(1, "ford"), commits(OTHER, reason="lost"), *roll(1, "oak", OTHER)],
        "7 second-chain: a second chain was begun, though the one of record 4 has 9,999 rolls left, because lost",
    ),
    "a link skipped": (
        [commits(), *roll(1, "ford"), *roll(3, "oak")],
        "8 left-out: roll 3: link 2 of the chain was left out",
    ),
    "several links skipped": (
        [commits(), *roll(4, "oak")],
        "6 left-out: roll 4: links 1 to 3 of the chain were left out",
    ),
    "a link skipped and the number kept": (
        [commits(), *roll(1, "ford"), *roll(2, "oak", link=3)],
        "8 other-secret: roll 2: the link is not number 2 of the chain of record 4",
    ),
    "a link used twice": (
        [commits(), *roll(1, "ford"), *roll(1, "oak")],
        "8 used-twice: roll 1: link 1 of the chain was used before",
    ),
    "another secret": (
        [commits(), *roll(1, "ford", OTHER)],
        "6 other-secret: roll 1: the link is not number 1 of the chain of record 4",
    ),
    "an edited face": ([commits(), *roll(1, "ford", face=20)], "6 wrong: roll 1 gives 16, and record 5 says 20"),
    "drawn and not used": (
        [commits(), fact("noted", text="never mind"), roll(1, "ford")[1]],
        "6 not-used: roll 1: d20 was drawn and not used",
    ),
}


@pytest.mark.parametrize(("facts", "sentence"), ATTACKS.values(), ids=ATTACKS)
def test_an_attack_is_reported_in_a_sentence(facts: list[str], sentence: str) -> None:
    found, other = fight(*facts)
    assert says(found) == [sentence]
    assert not found.holds
    assert other == kinds(found)


def test_a_word_used_before_is_reported_as_the_face_could_be_known() -> None:
    found, other = fight(commits(), *roll(1, "ford", giver="ana"), *roll(2, "ford", giver="ana"))
    assert says(found) == ["8 old-word: roll 2: its word was used before, so the face was known before the draw"]
    assert [throw.level for throw in found.throws] == ["proven", "bound"]
    assert other == kinds(found)


def test_a_draw_without_a_chain_is_reported() -> None:
    found = check_fairness(records(joins("bo"), joins("kex"), *roll(1, "ford")))
    assert says(found) == ["5 no-chain: roll 1 is of a chain that was never begun"]


def test_a_chain_that_was_used_up_may_be_followed_by_another() -> None:
    short = commits(length=1).replace(link_of(SECRET, 0).hex(), link_of(SECRET, 0, 1).hex())
    key = link_of(SECRET, 1, 1)
    attack = fact(
        "attack_rolled",
        combatant="bo",
        target="kex",
        die={"notation": "d20", "faces": [*faces_of_link(key, 1, "elm", 20, 1)]},
    )
    drawn = fact("dice_drawn", number=1, link=key.hex(), word="elm", notation="d20", event=-1)
    found, other = fight(short, attack, drawn, commits(OTHER), *roll(1, "oak", OTHER))
    assert (says(found), other) == ([], [])


def test_a_roll_that_is_struck_or_amended_afterwards_is_noted() -> None:
    better = fact("attack_rolled", combatant="bo", target="kex", die=18)
    found, _ = fight(commits(), *roll(1, "ford"), *roll(2, "oak"), strike(5), amend(7, better))
    assert says(found) == [
        "5 struck: roll 1 was struck by record 9",
        f"7 amended: roll 2 shows {found.throws[1].faces[0]}; record 10 puts 18 in its place",
    ]
    assert found.holds


def test_dice_that_stay_as_they_were_in_an_amendment_are_not_rolled_again() -> None:
    shown = {"notation": "d20", "faces": [*faces_of_link(link_of(SECRET, 1), 1, "ford", 20, 1)]}
    missed = fact("attack_rolled", combatant="bo", target="kex", die=shown, hit=False)
    found, _ = fight(commits(), *roll(1, "ford"), amend(5, missed))
    assert (found.levels, says(found)) == ({"proven": 0, "bound": 1, "typed": 0}, [])


def test_of_dice_that_are_alike_an_amendment_repeats_as_many_as_there_were() -> None:
    def dealt(*shown: int) -> str:
        parts = [{"name": "blow", "amount": face, "dice": {"notation": "d6", "faces": [face]}} for face in shown]
        return fact("damage_dealt", target="bo", amount=sum(shown), parts=parts)

    found, _ = fight(dealt(3), *(amend(4, dealt(*shown)) for shown in ((3, 3), (3, 3, 5), (3,), (3, 3, 5))))
    assert [(throw.seq, throw.faces) for throw in found.throws] == [(4, (3,)), (5, (3,)), (6, (5,))]


def test_a_secret_roll_keeps_its_place_and_proves_itself_when_revealed() -> None:
    facts = (commits(hidden=True), *roll(1, "ford", hidden=True), *roll(2, "oak", hidden=True))
    found, other = fight(*facts, withheld=(5, 6))
    assert says(found) == [
        "8 withheld: secret roll 2: link 1 of the chain for secret rolls may be in records that are withheld"
    ]
    assert (found.holds, other) == (True, [])
    found, other = fight(*facts)
    assert [level_in_words(throw) for throw in found.throws] == ["bound: roll 1", "bound: roll 2"]
    assert (says(found), other) == ([], [])


def test_open_and_secret_rolls_have_chains_of_their_own() -> None:
    found, other = fight(commits(), commits(OTHER, hidden=True), *roll(1, "ford"), *roll(1, "oak", OTHER, hidden=True))
    assert (says(found), other) == ([], [])
    assert [(chain.hidden, chain.drawn) for chain in found.chains] == [(False, 1), (True, 1)]


def test_several_dice_of_one_record_each_have_a_roll() -> None:
    shown = [
        faces_of_link(link_of(SECRET, number), number, f"ford {number}", sides, 1)[0]
        for number, sides in ((1, 6), (2, 8), (3, 6))
    ]
    parts = [
        {"name": f"p{at}", "dice": {"notation": f"d{sides}", "faces": [face]}}
        for at, (sides, face) in enumerate(zip((6, 8, 6), shown, strict=True))
    ]
    hurt = fact("damage_dealt", target="kex", amount=sum(shown), parts=parts, source="bo")
    draws = [
        fact(
            "dice_drawn",
            number=number,
            link=link_of(SECRET, number).hex(),
            word=f"ford {number}",
            giver="ana",
            notation=f"d{sides}",
            event=5,
        )
        for number, sides in ((1, 6), (2, 8), (3, 6))
    ]
    told = records(joins("bo"), joins("kex"), commits(), hurt, *draws)
    assert dice_levels_by_record(told) == {
        5: "proven: roll 1, word of ana; proven: roll 2, word of ana; proven: roll 3, word of ana"
    }


def test_links_that_may_be_in_withheld_records_are_not_left_out() -> None:
    told = [commits(), *roll(1, "ford"), *roll(2, "elm"), *roll(3, "oak")]
    assert kinds(fight(*told, withheld=(7, 8))[0]) == []
    assert says(fight(*told, withheld=(7, 8))[0]) == [
        "10 withheld: roll 3: link 2 of the chain may be in records that are withheld"
    ]
    assert kinds(fight(commits(), *roll(1, "ford"), *roll(3, "oak"))[0]) == ["8 left-out"]
