"""`encounter rules`: rulesets, their clauses and options."""

import click

from encounterlog import options


@click.command(epilog="\b\nencounter rules osric spell.spoiled-by-interruption")
@click.argument("ruleset", required=False)
@click.argument("rule", metavar="[ID]", required=False)
@options.as_json
def command(ruleset: str | None, rule: str | None, as_json: bool) -> None:
    """List the rulesets; the clauses, options and words of one RULESET; or one clause or option, ID, in full.

    `log` is the bookkeeping that every log keeps to, whatever its ruleset.
    """
    from encounterlog import output
    from encounterlog.pages import rules as page

    if ruleset is None:
        found = page.overview()
    elif rule is None:
        found = page.rulebook(ruleset)
    else:
        found = page.clause(ruleset, rule)
    output.json(found.data) if as_json else output.lines(found.lines)
