"""`encounter new`: create a log."""

from pathlib import Path

import click

from encounterlog.edge import options, output
from encounterlog.edge.failures import USAGE, Failure
from eventstore.address import LogAddress, Url, stem_of
from eventstore.form import visible
from projections.rulesets.ruleset import Ruleset


@click.command(epilog='\b\nencounter new ford.jsonl --ruleset osric --title "The ford"')
@options.file
@click.option("--ruleset", metavar="KEY", help="The ruleset, required; encounter rules lists them.")
@click.option("--title", default="", help="The title of the encounter; by default the name of the file.")
@click.option(
    "--option",
    "chosen",
    multiple=True,
    metavar="NAME=VALUE",
    help="The reading of an open point of the rules; may be repeated.",
)
@click.option(
    "--party",
    "parties",
    multiple=True,
    metavar="FILE",
    type=options.FilePath(readable=False),
    help="A party in TOML, or an encounter or stat blocks of Improved Initiative, Open5e (.json) or Obsidian (.md, .yaml); may be repeated.",
)
@click.option(
    "--foes",
    multiple=True,
    metavar="TEXT",
    help='Foes who join, such as "goblin*6 hp=5", or such a file, a stat block also as FILE*6; may be repeated.',
)
@click.option("--seed", metavar="TEXT", help="Roll how many foes there are from a seed, always the same.")
@options.network_drive
@options.by
def command(
    file: LogAddress,
    ruleset: str | None,
    title: str,
    chosen: tuple[str, ...],
    parties: tuple[Path, ...],
    foes: tuple[str, ...],
    seed: str | None,
    network_drive: bool,
    by: str,
) -> None:
    """Create FILE, the log of a new encounter.

    The ruleset, its revision and every option are written into the first record, so the log itself says how to read it.
    An existing file is never overwritten. At a service, https://HOST/e/NAME, it takes the operator's token in ENCOUNTER_TOKEN, and
    prints the link for the game master.

    A party is a file in TOML; encounter schema party shows one. Of an encounter that another tool keeps, names, hit
    points, armour class and initiative are taken, of stat blocks all that the sheets of the ruleset have a place for; whoever
    is hidden joins in secret. FILE#NAME picks one of several in a file. Dice for how many there are, such as 1d4: Goblin, are rolled and noted.
    """
    from encounterlog.edge.stores import check_free, is_served
    from encounterlog.writing.opening import choices, create, opening, ruleset_named

    if isinstance(file, Url) and is_served(file):
        _at_service(file, _given(ruleset), title, chosen, by, with_others=bool(parties or foes))
        return
    rules = ruleset_named(_given(ruleset))
    event = opening(rules, title if title.strip() else visible(stem_of(file)) or "An encounter", choices(rules, chosen))
    check_free(file, "choose another name, or: encounter append FILE")
    if not (parties or foes):
        create(file, [event], by, network_drive=network_drive)
        _say(file, rules)
        return
    from encounterlog.edge.chance import roller
    from encounterlog.writing import lineups

    lineup = lineups.of(event, parties, foes, roller(seed))
    create(file, [event, *lineup.joining], by, network_drive=network_drive)
    _say(file, rules)
    output.lines(lineup.lines())
    output.notes([f"left out: {each}" for each in lineup.left_out])


def _at_service(address: Url, ruleset: str, title: str, chosen: tuple[str, ...], by: str, *, with_others: bool) -> None:
    """Let a service create an encounter; what it refuses, it refuses with the hints of its own rulesets."""
    from encounterlog.edge import services

    if with_others:
        says = "--party and --foes go with a file or a database"
        raise Failure(USAGE, says, "create it without them, and let them join: encounter add URL join …")
    if wrong := [pair for pair in chosen if "=" not in pair]:
        raise Failure(USAGE, f"--option {wrong[0][:80]!r} is not NAME=VALUE", f"encounter rules {ruleset}")
    options = dict(pair.split("=", 1) for pair in chosen)
    made = services.ask("PUT", address.given, "", {"ruleset": ruleset, "title": title, "options": options, "by": by})
    output.lines([f"{address} opened on {ruleset}", str(made.get("link", ""))])
    output.notes(["the link is for the game master, shown only this once; commands read it from ENCOUNTER_TOKEN"])


def _given(ruleset: str | None) -> str:
    """Return the ruleset that was named; raise Failure with those that are installed where none was."""
    from projections.rulesets import keys

    if ruleset is None:
        raise Failure(USAGE, "missing option '--ruleset'", f"installed are {', '.join(keys())}")
    return ruleset


def _say(file: LogAddress, rules: Ruleset) -> None:
    output.lines([f"{file} opened on {rules.key}, revision {rules.revision}"])
    if isinstance(file, str) and Path(file).suffix != ".jsonl":
        output.notes(["hint: logs are usually called .jsonl; encounter list finds them by that"])
