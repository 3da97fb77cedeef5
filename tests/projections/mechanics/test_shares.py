"""Shares of damage by type: what halves, what takes a flat amount off, and in which order."""

from eventstore.shapes import Part
from projections.mechanics.shares import Taking, damage_by_type
from tests.tables import for_each


def test_a_part_has_its_own_type_else_that_of_its_thing_else_the_first() -> None:
    parts = (
        Part(name="axe", amount=3),
        Part(name="torch", amount=2),
        Part(name="rage", amount=1),
        Part(name="torch", amount=4, damage_type="Cold"),
    )
    assert damage_by_type(parts, {"axe": "slashing", "torch": "fire"}) == {"slashing": 4, "fire": 2, "cold": 4}


@for_each(("how", "taken"), [
    (Taking(), 16),
    (Taking(half=True), 7),
    (Taking(less=3), 13),
    (Taking(half=True, less=3), 4),
    (Taking(half=True, less=6), 1),
    (Taking(half=True, less=3, late=True), 6),
    (Taking(half=True, less=100, late=True), 0),
    (Taking(less=12), 4),
    (Taking(resists=frozenset({"fire"})), 11),
    (Taking(resists=frozenset({"all"}), doubles=frozenset({"cold"})), 10),
    (Taking(immune=frozenset({"cold"})), 9),
])  # fmt: skip
def test_damage_is_halved_and_lessened_by_type_in_the_order_of_the_game(how: Taking, taken: int) -> None:
    assert how.damage_taken({"fire": 9, "cold": 7}) == taken


def test_a_critical_hit_multiplies_each_share_before_anything_is_taken_off() -> None:
    assert Taking(half=True, less=2).damage_taken({"fire": 5}, 2) == 3
