"""The picture of the way of one blow in 5e through the phases, made from the tables of the ruleset.

`python -m tests.projections.blow` writes it into docs/pictures; a test compares what is there.
"""

from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path
from textwrap import wrap
from typing import Any

from eventstore.events import ActionTaken, AttackRolled, DamageDealt, Fact
from projections.replay.replay import COMMON
from projections.ruleset.phases import PHASES
from projections.ruleset.ruleset import Derivation
from projections.rulesets import find

PICTURE = Path(__file__).parents[2] / "docs" / "pictures" / "phases.svg"
BLOW: dict[type[Fact], str] = {
    ActionTaken: "ana attacks bo",
    AttackRolled: "she rolls 17 against AC 14",
    DamageDealt: "bo takes 9 damage",
}
"""The facts of a blow, each in words."""
LEFT, WIDE, LINE, LETTERS = 268, 240, 17, 41
"""Where the first column begins, how wide a column is, how high a line; how many letters a line of the phases has."""
STYLE = """\
text { font: 12px system-ui, sans-serif; fill: #1d1f21; }
.ground { fill: #ffffff; }
.title { font-size: 15px; font-weight: 600; }
.name { font-weight: 600; }
.quiet { fill: #595d63; }
.line { stroke: #d5d3cc; }
.step { fill: #dbe7f3; stroke: #6d94b8; }
@media (prefers-color-scheme: dark) {
  text { fill: #e8e6e1; }
  .ground { fill: #1d2024; }
  .quiet { fill: #a9adb4; }
  .line { stroke: #3a3f46; }
  .step { fill: #24384c; stroke: #5f88b0; }
}"""


def picture() -> str:
    """Return the picture as SVG."""
    rules, width = find("5e"), LEFT + WIDE * len(BLOW)
    rows = [("every log", "the clock, the combatants, the pools", [COMMON.get(kind, ()) for kind in BLOW])]
    rows += [(phase, says, [_of(phase, rules.steps.get(kind, ())) for kind in BLOW]) for phase, says in PHASES.items()]
    drawn, y = list(_head()), 64
    for name, says, cells in rows:
        words = wrap(says, LETTERS)
        drawn += [f'<line class="line" x1="12" x2="{width - 12}" y1="{y}" y2="{y}"/>', _text(12, y + 20, name, "name")]
        drawn += [_text(12, y + 20 + LINE * at, line, "quiet") for at, line in enumerate(words, 1)]
        for column, steps in enumerate(cells):
            drawn += [
                part for at, step in enumerate(steps) for part in _step(LEFT + WIDE * column, y + 8 + 22 * at, step)
            ]
        y += max(30 + LINE * len(words), 16 + 22 * max(map(len, cells)))
    return "\n".join((*_frame(width, y + 8), *drawn, "</svg>", ""))


def _of(phase: str, steps: Iterable[Derivation[..., Any]]) -> tuple[Derivation[..., Any], ...]:
    return tuple(step for step in steps if step.phase == phase)


def _frame(width: int, height: int) -> Iterator[str]:
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    yield f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-labelledby="title">'
    yield f'<title id="title">One blow in 5e, through the phases</title>\n<style>\n{STYLE}\n</style>'
    yield '<rect class="ground" width="100%" height="100%"/>'


def _head() -> Iterator[str]:
    yield _text(12, 26, "One blow in 5e", "title")
    for column, (kind, says) in enumerate(BLOW.items()):
        yield _text(LEFT + WIDE * column, 26, kind.__name__, "name")
        yield _text(LEFT + WIDE * column, 46, says, "quiet")


def _step(x: int, y: int, step: Derivation[..., Any]) -> Iterator[str]:
    rules = f"<title>{escape(', '.join(step.rules))}</title>" if step.rules else ""
    yield f'<g>{rules}<rect class="step" x="{x}" y="{y}" width="{WIDE - 20}" height="18" rx="3"/>'
    yield f"{_text(x + 8, y + 13, step.__name__.replace('_', ' '))}</g>"


def _text(x: int, y: int, text: str, name: str = "") -> str:
    return f'<text{f" class={chr(34)}{name}{chr(34)}" if name else ""} x="{x}" y="{y}">{escape(text)}</text>'


if __name__ == "__main__":
    PICTURE.write_text(picture(), "utf-8")
