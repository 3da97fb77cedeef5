"""`el.run_script`: an engine that is driven by a script parts from the log where it is wrong, and only there."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import encounterlog as el

SCRIPT = """
ruleset 5e
encounter The mill
join ana party hp=20 ac=13
join gob foes hp=12 ac=14
i ana15 gob9
r
t ana
effect bless by ana on ana concentration=yes
t gob
gob -5
r
t ana
effect web by ana on gob concentration=yes
"""


class Points:
    """Keeps points, and the spell that somebody concentrates on."""

    def __init__(self, *, keeps_first: bool = False, fails_at: str = "") -> None:
        self.keeps_first, self.fails_at = keeps_first, fails_at
        self.now: dict[str, Any] = {}

    def begin(self, ruleset: str, options: dict[str, str]) -> None:
        assert (ruleset, options) == ("5e", {})
        self.now = {}

    def join(self, who: str, side: str, sheet: dict[str, Any]) -> None:
        assert side in ("party", "foes")
        self.now |= {f"{who}.hp": sheet["hp"], f"{who}.concentration": "none"}

    def take(self, fact: dict[str, Any]) -> None:
        match fact:
            case {"type": self.fails_at}:
                raise KeyError("no such unit")
            case {"type": "damage_dealt", "target": who, "amount": points}:
                self.now[f"{who}.hp"] -= points
            case {"type": "effect_started", "source": who, "effect": spell}:
                held = self.now[f"{who}.concentration"]
                self.now[f"{who}.concentration"] = held if self.keeps_first and held != "none" else spell

    def values(self) -> Mapping[str, Any]:
        return self.now


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "mill.enc"
    path.write_text(SCRIPT)
    return path


def test_an_engine_parts_where_it_is_wrong_and_only_there(script: Path) -> None:
    assert el.run_script(script, Points()) == ()
    (found,) = el.run_script(script, Points(keeps_first=True))
    assert (found.line, found.address, found.engine, found.log) == (14, "ana.concentration", "bless", "web")
    says = "<Disagreement line 14: ana.concentration is 'bless' in the engine, 'web' by the log"
    assert repr(found).startswith(says)
    with pytest.raises(KeyError) as caught:
        el.run_script(script, Points(fails_at="damage_dealt"))
    assert caught.value.__notes__ == ["at line 11 of the script: gob takes 5 damage"]


@pytest.mark.parametrize(("misspelt", "meant"), [("trun", "turn"), ("ana.hpp", "ana.hp"), ("ana.hq", "ana.hp")])
def test_a_misspelt_address_is_no_value_of_an_engine(script: Path, misspelt: str, meant: str) -> None:
    class Misspelling(Points):
        def values(self) -> Mapping[str, Any]:
            return {misspelt: "none"} if self.now else {}

    (found,) = el.run_script(script, Misspelling())
    assert (found.line, found.log) == (4, None)
    assert found.says.startswith(f"there is no value {misspelt} here (did you mean {meant}")


def test_an_engine_without_values_or_a_mapping_is_an_error(script: Path) -> None:
    class Silent(Points):
        def values(self) -> Mapping[str, Any]:
            return {}

    with pytest.raises(
        el.Malformed, match="values: the engine has none in encounter The mill, so nothing was compared"
    ):
        el.run_script(script, Silent())

    class Unfinished(Points):
        def values(self) -> Any:
            return None

    with pytest.raises(AttributeError) as caught:
        el.run_script(script, Unfinished())
    assert caught.value.__notes__ == ["at line 4 of the script: ana joins the party with 20 hp"]


@pytest.mark.parametrize("line", ["expect gob.hp = 3", "expect trun = none"])
def test_a_script_whose_own_log_is_not_as_it_expects_is_refused(script: Path, line: str) -> None:
    script.write_text(f"{SCRIPT}{line}\n", "utf-8")
    with pytest.raises(el.Malformed, match="expect: line 15"):
        el.run_script(script, Points())
