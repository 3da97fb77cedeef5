"""`encounter schema`: the types of facts, and JSON Schema."""

import click

from encounterlog import schemas
from encounterlog.cli import options, output
from encounterlog.core.opening import ruleset_named
from encounterlog.errors import Refused, misspelt
from encounterlog.lineups import parties
from eventstore.events import TAGS
from eventstore.record import KNOWN
from projections.ruleset.ruleset import Ruleset
from projections.rulesets import keys


@click.command()
@click.argument("kind", metavar="[TYPE]", required=False)
@click.argument("ruleset", required=False)
@options.as_json
def schema(kind: str | None, ruleset: str | None, as_json: bool) -> None:
    """List the types of facts, or the fields of one TYPE with an example.

    encounter schema party shows a party for encounter new, and encounter schema sheet RULESET the fields of a combatant's sheet;
    with --json they print the schema, for editors.

    Earlier versions of a type remain valid; they are listed too, each under its own name.

    With --json the command prints JSON Schema (draft 2020-12): of one TYPE; without one, a single schema whose $defs
    hold a line of a log (`record`), a line for encounter append (`input`), and the --json output of each command that asks a
    question, and of dice, verify, repair, head, sign, list, import, export and run, each under the name of its command. The output of
    rules, srd and schema has no schema.
    """
    rules = _ruleset(kind, ruleset)

    if rules is not None:
        sheet(rules, as_json=as_json)
    elif kind == "party":
        party(as_json=as_json)
    else:
        facts(kind, as_json=as_json)


def _ruleset(kind: str | None, key: str | None) -> Ruleset | None:
    """Return the ruleset of a sheet; None for another kind. Raise Refused for what is neither, and for a ruleset where none is meant."""
    if kind not in (None, *KNOWN, "party", "sheet"):
        raise misspelt("event type", str(kind), [*TAGS, "party", "sheet"], "encounter schema lists them")
    if kind != "sheet":
        if key is not None:
            raise Refused("usage", f"{kind} is the same in every ruleset", f"encounter schema {kind}")
        return None
    if key is None:
        hint = f"encounter schema sheet {' or '.join(keys())}"
        raise Refused("usage", "every ruleset has a sheet of its own", hint)
    return ruleset_named(key)


def facts(kind: str | None, *, as_json: bool) -> None:
    """Print the types of facts, or one type."""
    if as_json:
        output.json(schemas.of_type(KNOWN[kind]) if kind else schemas.everything())
    else:
        output.lines(schemas.fact(KNOWN[kind]) if kind else schemas.overview())


def sheet(rules: Ruleset, *, as_json: bool) -> None:
    """Print the fields of a combatant's sheet."""
    output.json(schemas.of_sheet(rules)) if as_json else output.lines(schemas.sheet(rules))


def party(*, as_json: bool) -> None:
    """Print a party for `encounter new`."""
    output.json(schemas.of_party()) if as_json else output.lines(schemas.party(parties.EXAMPLE))
