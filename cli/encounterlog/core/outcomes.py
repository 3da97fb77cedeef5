"""Whether attack rolls hit whose dice a line shows or rolls: it is recorded with the roll, as it is where a line says it."""

from msgspec import structs

from eventstore.events import AttackRolled, Fact
from eventstore.shapes import Dice
from projections.folds.replay import replay
from projections.grammar.parsing import Parsed
from projections.grammar.table import Table, recorded
from projections.occurrence import Occurrence
from projections.state import State


def decided(table: Table, parsed: Parsed) -> Parsed:
    """Return what a line means, each attack roll of which it says only the dice with whether it hits, where the game decides that by what is recorded."""
    strikes, first = table.done.state.rules.strikes, len(table.records) + 1
    found: dict[int, bool | None] = {}

    def see(state: State, fact: Occurrence[Fact]) -> None:
        if strikes and fact.seq >= first and _is_open(fact.event):
            found[fact.seq] = strikes(state, fact)  # type: ignore[arg-type]  # it is an attack roll

    if strikes and parsed.form != "json" and any(map(_is_open, parsed.facts)):
        replay([*table.records, *recorded(parsed.facts, first, kept=parsed.kept, together=True)], after=see)
    facts = (
        structs.replace(fact, hit=found[seq]) if seq in found else fact for seq, fact in enumerate(parsed.facts, first)
    )
    return structs.replace(parsed, facts=tuple(facts)) if found else parsed


def _is_open(event: Fact) -> bool:
    return isinstance(event, AttackRolled) and isinstance(event.die, Dice) and event.hit is None
