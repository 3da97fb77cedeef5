"""`encounter rules`: rulesets, their clauses and options."""

import click

from encounterlog.edge import options
from encounterlog.edge.failures import DIFFERENCE, FINE


@click.command(epilog="\b\nencounter rules osric spell.spoiled-by-interruption --run")
@click.argument("ruleset", required=False)
@click.argument("rule", metavar="[ID]", required=False)
@click.option("--run", is_flag=True, help="Play the cases and breaches of ID step by step; without ID, prove them all.")
@click.option("--uncovered", is_flag=True, help="Play everything, and print only what is not proven.")
@options.as_json
def command(ruleset: str | None, rule: str | None, run: bool, uncovered: bool, as_json: bool) -> int:
    """List the rulesets; the clauses, options and terms of one RULESET; or one clause or option, ID, in full.

    The beginning of an ID, such as spell, lists every clause whose ID begins with it.

    RULESET may be `log`: the bookkeeping rules of every log, whatever its ruleset. The exit code is 1 if a play does
    not end as expected.
    """
    from encounterlog.edge import output

    if run or uncovered:
        from encounterlog.pages import proof

        done = proof.page(ruleset, rule, uncovered)
        output.json(done.data) if as_json else output.lines(done.lines)
        return FINE if done.proven else DIFFERENCE
    from encounterlog.pages import rules as page

    if ruleset is None:
        found = page.overview()
    elif rule is None:
        found = page.rulebook(ruleset)
    else:
        found = page.clause(ruleset, rule)
    output.json(found.data) if as_json else output.lines(found.lines)
    return FINE
