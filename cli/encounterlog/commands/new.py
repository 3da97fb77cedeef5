"""`encounter new`: create a log."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from encounterlog.edge import options, output
from encounterlog.edge.failures import USAGE, Failure
from eventstore.address import LogAddress, Url, stem_of
from eventstore.form import visible
from projections.rulesets.ruleset import Ruleset

if TYPE_CHECKING:
    from encounterlog.writing.lineups import LineUp
    from eventstore.record import Draft


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
@click.option(
    "--dice", is_flag=True, help="Begin a chain of dice, as encounter dice FILE start does, and draw from it."
)
@click.option(
    "--seed",
    metavar="TEXT",
    help="Roll how many foes there are, and make the secret of --dice, from a seed, for scripts.",
)
@options.network_drive
@options.by
def command(
    file: LogAddress,
    ruleset: str | None,
    title: str,
    chosen: tuple[str, ...],
    parties: tuple[Path, ...],
    foes: tuple[str, ...],
    dice: bool,
    seed: str | None,
    network_drive: bool,
    by: str,
) -> None:
    """Create FILE, the log of a new encounter.

    The ruleset, its revision and every option are written into the first record, so the log itself says how to read it.
    An existing file is never overwritten. At a service, https://HOST/e/NAME, it takes the operator's token in ENCOUNTER_TOKEN, and
    prints the link for the game master.

    A party is a file in TOML; encounter schema party shows one. Of an encounter that another tool keeps, names, hit
    points, armour class and initiative are taken, of stat blocks all that the sheets of the ruleset have a place for; a combatant who
    is hidden joins in secret. FILE#NAME picks one of several in a file. Dice for how many there are, such as 1d4: Goblin, are rolled and recorded.
    """
    from encounterlog.edge.stores import check_free, is_served
    from encounterlog.writing.opening import choices, create, opening, ruleset_named

    if isinstance(file, Url) and is_served(file):
        _at_service(file, _given(ruleset), title, chosen, by, with_others=bool(parties or foes or dice))
        return
    rules = ruleset_named(_given(ruleset))
    event = opening(rules, title if title.strip() else visible(stem_of(file)) or "An encounter", choices(rules, chosen))
    check_free(file, "choose another name, or: encounter append FILE")
    if not (parties or foes or dice):
        create(file, [event], by, network_drive=network_drive)
        _say(file, rules)
        return
    chains, lineup = _begun(file, event, parties, foes, seed, by, with_dice=dice)
    create(file, [event, *chains, *lineup.joining], by, network_drive=network_drive)
    _say(file, rules)
    output.lines([f"a chain of dice is begun; {by} holds its secret"] if chains else [])
    output.lines(lineup.lines() if parties or foes else [])
    output.notes([f"left out: {each}" for each in lineup.left_out])


def _begun(
    file: LogAddress,
    event: Any,
    parties: Sequence[Path],
    foes: Sequence[str],
    seed: str | None,
    by: str,
    *,
    with_dice: bool,
) -> "tuple[tuple[Draft, ...], LineUp]":
    """Return what begins a chain of dice, if there is to be one, and the line-up, whose dice are drawn from it; raise Failure."""
    from encounterlog.edge.chance import roller
    from encounterlog.writing import chains, lineups
    from encounterlog.writing.drawing import own_word
    from encounterlog.writing.throwing import Throwing
    from projections.grammar.table import recorded

    begun = chains.commitments(file, 1, by=by, seed=seed) if with_dice else ()
    records = recorded([event, *(draft.event for draft in begun)], 1)
    return begun, lineups.of(event, parties, foes, Throwing(file, records, roller(seed), own_word(seed)))


def _at_service(address: Url, ruleset: str, title: str, chosen: tuple[str, ...], by: str, *, with_others: bool) -> None:
    """Let a service create an encounter; what it refuses, it refuses with the hints of its own rulesets."""
    from encounterlog.edge import services

    if with_others:
        says = "--party, --foes and --dice go with a file or a database"
        raise Failure(USAGE, says, "create it without them; then: encounter dice URL start, encounter add URL join …")
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
