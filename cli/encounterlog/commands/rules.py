"""`encounter rules`: rulesets, their clauses and options, their proof, and the start of a new one."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from encounterlog.errors import Refused
from encounterlog.progress_line import looked_at
from encounterlog.ruleset_tools import distribution
from encounterlog.ruleset_tools.proofs import INSTALLED, Asked
from encounterlog.terminal import options, output
from encounterlog.terminal.failures import DIFFERENCE, FINE
from encounterlog.text_pages import proof
from encounterlog.text_pages import rules as page

if TYPE_CHECKING:
    from encounterlog.text_pages.proof import Page


@click.command(epilog="\b\nencounter rules osric spell.spoiled-by-interruption --run")
@click.argument("ruleset", required=False)
@click.argument("rule", metavar="[ID]", required=False)
@click.option("--run", is_flag=True, help="Play the cases and breaches of ID step by step; without ID, prove them all.")
@click.option("--uncovered", is_flag=True, help="Play everything, and print only the unproven clauses.")
@click.option("--unnoticed", is_flag=True, help="Switch off each function, and print those that no play would miss.")
@click.option("--places", is_flag=True, help="With --unnoticed: change each place in each function instead.")
@click.option("--reasons", is_flag=True, help="Print the facts that a reason omits, or cites needlessly.")
@click.option("--plays", is_flag=True, help="With --reasons: judge the plays of the rulebook.")
@click.option(
    "--golden",
    type=options.FilePath(folder=True),
    metavar="FOLDER",
    help="Write a page of each play, and print the changes.",
)
@click.option(
    "--encounters",
    type=options.FilePath(folder=True),
    metavar="FOLDER",
    help="Scripts of whole encounters to prove by, too.",
)
@click.option(
    "--equivalent", type=options.FilePath(), metavar="FILE", help="With --places: changes that change nothing."
)
@click.option("--sample", type=click.IntRange(1), metavar="N", help="With --places: only so many, at random.")
@click.option("--seed", type=int, default=0, metavar="S", help="With --sample: another sample.")
@click.option("--start", is_flag=True, help="Write a distribution with a new ruleset, RULESET, into the folder ID.")
@options.as_json
def command(ruleset: str | None, rule: str | None, as_json: bool, **asked: Any) -> int:
    """List the rulesets; the clauses, options and terms of one RULESET; or one clause or option, ID, in full.

    The beginning of an ID, such as spell, lists every clause whose ID begins with it.

    RULESET may be `log`: the bookkeeping rules of every log, whatever its ruleset. The exit code is 1 if a play does
    not end as expected, or a proof finds something; 2 if there is nothing to judge.
    """
    if asked.pop("start"):
        return _start(ruleset, rule, as_json)
    if done := _proof(ruleset, rule, asked):
        output.json(done.data) if as_json else output.lines(done.lines)
        return FINE if done.proven else DIFFERENCE
    if ruleset is None:
        found = page.overview()
    elif rule is None:
        found = page.rulebook(ruleset)
    else:
        found = page.clause(ruleset, rule)
    output.json(found.data) if as_json else output.lines(found.lines)
    return FINE


def _start(key: str | None, folder: str | None, as_json: bool) -> int:
    """Write the distribution of a new ruleset."""
    if key is None:
        raise Refused("usage", "--start needs the key of the new ruleset", "encounter rules --start my-game")
    done = distribution.page(key, Path(folder) if folder else None)
    output.json(done.data) if as_json else output.lines(done.lines)
    return FINE


def _proof(ruleset: str | None, rule: str | None, asked: dict[str, Any]) -> "Page | None":
    """Return the page of the proof that is asked for; none if only a page of the rulebook is."""
    _fit(rule, asked)
    if asked["run"] or asked["uncovered"]:
        return proof.page(ruleset, rule, asked["uncovered"])
    if not (asked["unnoticed"] or asked["reasons"] or asked["golden"]):
        return None
    given = {name: asked[name] for name in ("encounters", "golden", "plays", "equivalent", "sample", "seed")}
    wanted = Asked(**given, progress=output.progress if looked_at() else lambda _: None)
    found: Page = INSTALLED[next(name for name in ("reasons", "golden", "places", "unnoticed") if asked[name])](
        ruleset, wanted
    )
    return found


PROOFS = ("run", "uncovered", "unnoticed", "reasons", "golden")
GOES_WITH = {
    "places": ("unnoticed",),
    "plays": ("reasons",),
    "equivalent": ("places",),
    "sample": ("places",),
    "seed": ("sample",),
    "encounters": ("unnoticed", "reasons", "golden"),
}
"""Options that mean something only beside one of others."""


def _fit(rule: str | None, asked: dict[str, Any]) -> None:
    """Raise Refused if two proofs are asked for at once, or an option without the one that it belongs to."""
    proofs = [name for name in PROOFS if asked[name]]
    if len(proofs) > 1:
        raise Refused("usage", f"--{proofs[0]} and --{proofs[1]} are two proofs", "ask for one after the other")
    if rule and proofs and proofs[0] != "run":
        raise Refused("usage", f"--{proofs[0]} is about a whole ruleset, not about {rule}", "leave the ID out")
    for name, others in GOES_WITH.items():
        if asked[name] and not any(asked[each] for each in others):
            raise Refused("usage", f"--{name} needs {' or '.join(f'--{each}' for each in others)}")
