"""`encounter schema`: the types of facts, and JSON Schema."""

from encounterlog import schemas
from encounterlog.cli import output
from encounterlog.cli.options import Json, argument, command
from encounterlog.errors import Refused, misspelt_word
from encounterlog.lineups import parties
from encounterlog.log.opening import ruleset_named
from eventstore.events import TAGS
from eventstore.record import KNOWN
from projections.rulesets import keys


@command(argument("kind", "[TYPE]", required=False), argument("ruleset", required=False))
def schema(kind: str | None, ruleset: str | None, as_json: Json) -> None:
    """List the types of facts, or the fields of one TYPE with an example.

    encounter schema party shows a party for encounter new, and encounter schema sheet RULESET the fields of a combatant's sheet;
    with --json they print the schema, for editors.

    Earlier versions of a type remain valid; they are listed too, each under its own name.

    With --json the command prints JSON Schema (draft 2020-12): of one TYPE; without one, a single schema whose $defs
    hold a line of a log (`record`), a line for encounter append (`input`), and the --json output of each command that asks a
    question, and of dice, verify, repair, head, sign, list, import, export and run, each under the name of its command. The output of
    rules, srd and schema has no schema.
    """
    if kind not in (None, *KNOWN, "party", "sheet"):
        raise misspelt_word("event type", str(kind), [*TAGS, "party", "sheet"], "encounter schema lists them")
    if kind != "sheet" and ruleset is not None:
        raise Refused("usage", f"{kind} is the same in every ruleset", f"encounter schema {kind}")
    if kind == "sheet":
        if ruleset is None:
            hint = f"encounter schema sheet {' or '.join(keys())}"
            raise Refused("usage", "every ruleset has a sheet of its own", hint)
        rules = ruleset_named(ruleset)
        output.print_json(schemas.sheet_schema(rules)) if as_json else output.print_lines(schemas.format_sheet(rules))
    elif kind == "party":
        page = schemas.format_party_fields(parties.EXAMPLE)
        output.print_json(schemas.party_schema()) if as_json else output.print_lines(page)
    elif as_json:
        output.print_json(schemas.fact_schema(KNOWN[kind]) if kind else schemas.full_schema())
    else:
        output.print_lines(schemas.format_fact_type(KNOWN[kind]) if kind else schemas.list_fact_types())
