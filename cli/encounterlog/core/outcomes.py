"""The outcomes of attack rolls whose dice a line shows or rolls: hit or miss is recorded with the roll, as if the line gave it."""

from msgspec import structs

from eventstore.events import AttackRolled
from projections.language.notation.parsing import Parsed
from projections.language.notation.table import Table


def decided(table: Table, parsed: Parsed) -> Parsed:
    """Return the meaning of a line in which attack rolls with only their dice also have a hit or a miss, if the game
    decides that by the recorded facts.
    """
    if table.done.state.rules.strikes is None or parsed.form == "json" or parsed.corrects:
        return parsed
    if not any(isinstance(each, AttackRolled) for each in parsed.facts):
        return parsed
    from encounterlog.core import foreseeing  # only for an attack

    return structs.replace(parsed, facts=foreseeing.decided(table, parsed))
