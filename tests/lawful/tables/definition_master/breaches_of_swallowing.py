"""Ways to break a rule of swallowing, and of held moves."""

from tests.lawful.breaking import Broken, only
from tests.lawful.tables.definition_master.breaches import breach, some
from tests.lawful.tables.definition_master.play import Table
from tests.lawful.tables.definition_master.sums import SIZES


@breach("turn")
def one_too_big_is_swallowed(table: Table) -> Broken:
    up = table.up
    near = [foe for foe in table.near(up) if 0 < SIZES[up.size] - SIZES[foe.size] < 12]
    at = some(table, near) if up.size == "huge" and not up.prone else None
    return ("swallow.size", table.act(up, "swallow", at)) if at else None


@breach("swallowed")
def a_way_out_by_too_small_a_cut(table: Table) -> Broken:
    up = table.up
    only(up.inside)
    out = {"condition": "swallowed", "targets": [up.name], "reason": "cuts a way out"}
    return "swallow.cut-out", table.tell("condition_lost", **out)


@breach("down")
def one_who_fainted_inside_acts(table: Table) -> Broken:
    return ("swallow.unconscious", table.act(table.up, "speak")) if table.up.fainted else None
