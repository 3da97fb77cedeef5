"""Damage typed in any way is held against what the target resists, to what it is vulnerable or immune."""

import pytest

from projections.judging.audit import audit
from tests.projections.grammar import table

FIGHT = (
    "join Kobold foes hp=20 weapons=scimitar", "join Bo party hp=90 resistances=slashing vulnerabilities=cold immunities=poison", "r",
    "i bo=12 kobold=9", "t bo", "t kobold",
)  # fmt: skip
HALF, TWICE, NONE = "resistance.halves", "vulnerability.doubles", "immunity.nothing"


@pytest.mark.parametrize(("line", "found"), [
    ("kobold scimitar bo 15 d6:6", [(HALF, "breach", "3", "6")]),
    ("kobold scimitar bo 15 d6:6+2", [(HALF, "breach", "4", "8")]),
    ("kobold scimitar bo 15 8 slashing", [(HALF, "notice", "4", "8")]),
    ("bo takes 8 slashing", [(HALF, "notice", "4", "8")]),
    ("bo takes 5 cold", [(TWICE, "notice", "10", "5")]),
    ("bo takes 7 slashing and 2 cold", [(HALF, "notice", "7", "9")]),
    ("bo takes 5 fire and 4 poison", [(NONE, "breach", "5", "9")]),
    ("bo takes 8 fire", []),
    ("bo takes 8", []),
])  # fmt: skip
def test_resistance_halves_damage_however_it_is_typed(line: str, found: list[tuple[str, str, str, str]]) -> None:
    typed = table("5e", *FIGHT)
    typed.hear(line)
    findings = [one for one in audit(typed.records).findings if "." in one.rule and one.expected]
    said = [(rule, severity, f"{right} damage", f"{wrong} damage") for rule, severity, right, wrong in found]
    assert [(one.rule, one.severity, one.expected, one.found) for one in findings] == said
