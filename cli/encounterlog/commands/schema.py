"""`encounter schema`: the types of facts, and JSON Schema."""

import click

from encounterlog.errors import Refused, misspelt
from encounterlog.terminal import options, output
from eventstore.events import TAGS
from eventstore.versions import KNOWN


@click.command()
@click.argument("kind", metavar="[TYPE]", required=False)
@click.argument("ruleset", required=False)
@options.as_json
def command(kind: str | None, ruleset: str | None, as_json: bool) -> None:
    """List the types of facts, or the fields of one TYPE with an example.

    encounter schema party shows a party for encounter new, and encounter schema sheet RULESET the fields of a combatant's sheet;
    with --json they print the schema, for editors.

    Earlier versions of a type remain valid; they are listed too, each under its own name.

    With --json the command prints JSON Schema (draft 2020-12): of one TYPE; without one, a single schema whose $defs
    hold a line of a log (`record`), a line for encounter append (`input`), and the --json output of each command that asks a
    question, and of dice, verify, repair, head, sign, list, import, export and run, each under the name of its command. The output of
    rules, srd and schema has no schema.
    """
    if kind == "sheet":
        _sheet(ruleset, as_json)
    elif kind == "party" and ruleset is None:
        _party(as_json)
    else:
        _fact(kind, ruleset, as_json)


def _fact(kind: str | None, ruleset: str | None, as_json: bool) -> None:
    if kind is not None and kind not in (*KNOWN, "party"):
        raise misspelt("event type", kind, [*TAGS, "party", "sheet"], "encounter schema lists them")
    if ruleset is not None:
        raise Refused("usage", f"{kind} is the same in every ruleset", f"encounter schema {kind}")
    from encounterlog.schemas import pages as page  # only for what there is
    from encounterlog.schemas import schemas

    if as_json:
        output.json(schemas.of_type(KNOWN[kind]) if kind else schemas.everything())
    else:
        output.lines(page.fact(KNOWN[kind]) if kind else page.overview())


def _sheet(key: str | None, as_json: bool) -> None:
    if key is None:
        from projections.rulesets import keys  # only where they are listed

        raise Refused("usage", "every ruleset has a sheet of its own", f"encounter schema sheet {' or '.join(keys())}")
    from encounterlog.core.opening import ruleset_named  # only for what there is
    from encounterlog.schemas import pages as page
    from encounterlog.schemas import schemas

    ruleset = ruleset_named(key)

    output.json(schemas.of_sheet(ruleset)) if as_json else output.lines(page.sheet(ruleset))


def _party(as_json: bool) -> None:
    from encounterlog.lineups import parties  # only for what there is
    from encounterlog.schemas import pages as page
    from encounterlog.schemas import schemas

    if as_json:
        output.json(schemas.of_party())
        return
    output.lines(page.party(parties.EXAMPLE))
