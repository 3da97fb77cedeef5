"""python -m benchmarks.keystrokes: keystrokes of the reference round, and of a whole fight of each ruleset.

A fight is a text in fights/, typed line by line at a table; the combatants join above the first empty line, as from
a line-up, and are not counted. A keystroke is a typed character, and one more per line for Enter. Beside
each text is the same fight in JSON, one fact per line, kept by hand: the facts of the typed lines must equal it, event for
event.

The same round is also done on the page (clicks.txt), in clicks and keys; tests/browser/test_fight.py does it. There the slip
is corrected, which counts like the lines that take it back and enter it again.
"""

from pathlib import Path
from typing import NamedTuple

from eventstore.events import EncounterOpened, Fact
from eventstore.form import event_of, read_json
from eventstore.record import upcast
from projections.language.notation.records import make_records
from projections.language.notation.table import Table
from projections.rulesets import RULESETS, find

FIGHTS = Path(__file__).with_name("fights")
REFERENCE = "reference"


class Typed(NamedTuple):
    """A fight as it was typed: keystrokes, the facts it gives, how many of them count, and those written in JSON."""

    keystrokes: int
    facts: int
    typed_facts: list[Fact]
    written: list[Fact]


def typed(name: str) -> Typed:
    """Type a fight at a table."""
    setup, _, fight = (FIGHTS / f"{name}.txt").read_text("utf-8").partition("\n\n")
    rules = find("osric" if name == REFERENCE else name)
    opening = EncounterOpened(
        format=1, encounter="fight", title=name, ruleset=rules.key, revision=rules.revision, options={}
    )
    table = Table(make_records([opening], 1))
    before = [fact for line in setup.splitlines() for fact in table.hear(line).facts]
    typed_facts = [fact for line in fight.splitlines() for fact in table.hear(line).facts]
    keystrokes = sum(len(line) + 1 for line in fight.splitlines())
    return Typed(keystrokes, len(typed_facts), [*before, *typed_facts], written(name))


def written(name: str) -> list[Fact]:
    """Return the facts of a fight as they are written in JSON."""
    lines = (FIGHTS / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [upcast(event_of(read_json(line))) for line in lines]


class Stroke(NamedTuple):
    """A click on the row of a combatant or on a button, a key that is pressed, or text that is typed."""

    kind: str
    on: str

    @property
    def inputs(self) -> int:
        """The number of clicks and keys."""
        return len(self.on) if self.kind == "type" else 1


def on_the_page() -> dict[str, list[Stroke]]:
    """Return the clicks and keys on the page of a game master, by their purpose; tests in the browser do them."""
    parts = (FIGHTS / "clicks.txt").read_text("utf-8").removeprefix("# ").split("\n# ")
    lines = {title: rest.splitlines() for title, _, rest in (part.partition("\n") for part in parts)}
    return {title: [Stroke(*line.split(" ", 1)) for line in those if line] for title, those in lines.items()}


def main() -> None:
    """Print the counts; a fight that differs from its JSON is named."""
    for name in (REFERENCE, *RULESETS):
        found = typed(name)
        same = "" if found.typed_facts == found.written else ", and the facts DIFFER from those in JSON"
        if name == REFERENCE:
            print(f"reference round: {found.keystrokes} keystrokes{same}")
            for title, strokes in on_the_page().items():
                print(f"{title} on the page: {sum(each.inputs for each in strokes)} clicks and keys")
        else:
            per = found.keystrokes / found.facts
            print(f"fight {name}: {found.keystrokes} keystrokes, {found.facts} facts, {per:.1f} a fact{same}")


if __name__ == "__main__":
    main()
