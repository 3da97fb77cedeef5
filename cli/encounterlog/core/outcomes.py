"""Whether attack rolls hit whose dice a line shows or rolls: it is recorded with the roll, as it is where a line says it."""

from msgspec import structs

from eventstore.events import AttackRolled
from projections.grammar.parsing import Parsed
from projections.grammar.table import Table


def decided(table: Table, parsed: Parsed) -> Parsed:
    """Return the meaning of a line; each attack roll of which it gives only the dice has its hit or miss, if the game decides
    that by the recorded facts.
    """
    if table.done.state.rules.strikes is None or parsed.form == "json" or parsed.corrects:
        return parsed
    if not any(isinstance(each, AttackRolled) for each in parsed.facts):
        return parsed
    from encounterlog.core import foreseeing  # only for an attack

    return structs.replace(parsed, facts=foreseeing.decided(table, parsed))
