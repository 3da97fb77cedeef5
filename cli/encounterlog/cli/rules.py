"""`encounter rules`, `srd`, and scripts: `run`, `fmt`."""

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import click

from encounterlog import ruleset_tools
from encounterlog.ask import rules as page
from encounterlog.cli import output
from encounterlog.cli.failures import DIFFERENCE, FINE
from encounterlog.cli.options import FILE, READABLE, By, Json, Place, argument, command, option
from encounterlog.errors import Refused
from encounterlog.log.campaigns import campaign_in_folder
from encounterlog.log.opening import find_documents as found_documents, raise_as_refused
from encounterlog.progress_line import is_shown
from eventstore.paths import path_text

Scripts = Annotated[tuple[Path, ...], argument("files", "SCRIPT...", type=FILE, required=True)]
FOLDER = Place(path_text, readable=True, path_type=Path)
_flag = partial(option, is_flag=True)


@command(
    argument("ruleset", required=False),
    argument("rule", "[ID]", required=False),
    _flag("--run", "Play the cases and breaches of ID step by step; without ID, prove them all."),
    _flag("--uncovered", "Play everything, and print only the unproven clauses."),
    _flag("--unnoticed", "Switch off each function, and print those that no play would miss."),
    _flag("--places", "With --unnoticed: change each place in each function instead."),
    _flag("--reasons", "Print the facts that a reason omits, or cites needlessly."),
    _flag("--plays", "With --reasons: judge the plays of the rulebook."),
    option("--golden FOLDER", "Write a page of each play, and print the changes.", type=FOLDER),
    option("--encounters FOLDER", "Scripts of whole encounters to prove by, too.", type=FOLDER),
    option("--equivalent FILE", "With --places: changes that change nothing.", type=READABLE),
    option("--sample N", "With --places: only so many, at random.", type=click.IntRange(1)),
    option("--seed S", "With --sample: another sample.", type=int, default=0),
    option("--steps EVENT", "List what happens to facts of this type, in order: steps, then checks."),
    _flag("--start", "Write a distribution with a new ruleset, RULESET, into the folder ID."),
    examples="encounter rules osric spell.spoiled-by-interruption --run",
)
def rules(ruleset: str | None, rule: str | None, as_json: Json, **asked: Any) -> int:
    """List the rulesets; the clauses, options and terms of one RULESET; or one clause or option, ID, in full.

    The beginning of an ID, such as spell, lists every clause whose ID begins with it.

    RULESET may be `log`: the bookkeeping rules of every log, whatever its ruleset. The exit code is 1 if a play does
    not end as expected, or a proof finds something; 2 if there is nothing to judge.
    """
    if asked.pop("start"):
        if ruleset is None:
            raise Refused("usage", "--start needs the key of the new ruleset", "encounter rules --start my-game")
        data, lines = ruleset_tools.start_distribution(ruleset, Path(rule) if rule else None)
        output.print_json(data) if as_json else output.print_lines(lines)
        return FINE
    _check_options_fit(rule, asked)
    if (event := asked["steps"]) is not None:
        if ruleset is None or ruleset == page.LOG:
            raise Refused("usage", "--steps needs a game", "encounter rules osric --steps attack_rolled")
        found = page.show_fact_steps(ruleset, event)
    elif asked["run"] or asked["uncovered"]:
        found = page.show_proof(ruleset, rule, asked["uncovered"])
    elif proof := next((name for name in ("reasons", "golden", "places", "unnoticed") if asked[name]), ""):
        given = {name: asked[name] for name in ("encounters", "golden", "plays", "equivalent", "sample", "seed")}
        wanted = ruleset_tools.Asked(**given, progress=output.show_progress if is_shown() else lambda _: None)
        found = ruleset_tools.INSTALLED[proof](ruleset, wanted)
    elif ruleset is None:
        found = page.list_rulesets()
    else:
        found = page.show_rulebook(ruleset) if rule is None else page.show_clause(ruleset, rule)
    output.print_json(found.data) if as_json else output.print_lines(found.lines)
    return FINE if found.proven else DIFFERENCE


PROOFS = ("run", "uncovered", "unnoticed", "reasons", "golden", "steps")
GOES_WITH = {"places": "unnoticed", "plays": "reasons", "equivalent": "places", "sample": "places", "seed": "sample"}


def _check_options_fit(rule: str | None, asked: dict[str, Any]) -> None:
    """Raise Refused if two things are asked for at once, or an option without the one that it belongs to."""
    proofs = [name for name in PROOFS if asked[name] not in (None, False)]
    if len(proofs) > 1:
        raise Refused("usage", f"--{proofs[0]} and --{proofs[1]} are two questions", "ask for one after the other")
    if rule and proofs and proofs[0] != "run":
        raise Refused("usage", f"--{proofs[0]} is about a whole ruleset, not about {rule}", "leave the ID out")
    for name, other in GOES_WITH.items():
        if asked[name] and not asked[other]:
            raise Refused("usage", f"--{name} needs --{other}")
    if asked["encounters"] and not (asked["unnoticed"] or asked["reasons"] or asked["golden"]):
        raise Refused("usage", "--encounters needs --unnoticed or --reasons or --golden")


@command(
    argument("name"),
    option("--edition YEAR", "The edition, such as 2024; by default that of logs which name none."),
    option("--campaign FOLDER", "The entry of this campaign's folder, instead of the document's."),
    option("--names", "List the names of all monsters and spells."),
    examples="encounter srd goblin\nencounter srd fireball --edition 2024 --json\n"
    "encounter srd --campaign red-hills ash goblin",
)
def srd(name: tuple[str, ...], edition: str | None, campaign: str | None, names: bool, as_json: Json) -> None:
    """Print the monster or the spell NAME as the System Reference Document of an edition has it: numbers and types, no text.

    A name may be in the plural. For one that several have, all of them are listed, with --json as --names lists them. A
    combatant with srd=NAME on the sheet, as after join goblin*4, has these numbers unless the sheet has others.
    """
    documents = found_documents()
    said, where = " ".join(name), edition or documents.editions[0]
    with raise_as_refused():
        records = documents.records(where)
    if campaign is not None:
        own = campaign_in_folder(documents, campaign)
        where, records = own.name, own.records()
    if names:
        listed, lines = {f"{kind}s": [one.name for one in those] for kind, those in records.items()}, list[str]()
        for kind, those in listed.items():
            lines.append(f"{len(those)} {kind if len(those) != 1 else kind.removesuffix('s')}")
            lines += (f"  {one}" for one in those)
        output.print_value(listed, lambda _: lines, as_json)
        return
    if not name:
        raise Refused("usage", "missing argument 'NAME'", "such as encounter srd goblin; --names lists all")
    meant = documents.records_meant(records, said)
    found = [one for those in meant.values() for one in those]
    if not found:
        near = [one.name for one in documents.nearest_records(records, said)]
        hint = f"did you mean {', '.join(near)}?" if near else "encounter srd --names lists them"
        raise Refused("refused", f"{where} has no {' or '.join(documents.kinds)} {said[:60]!r}", hint)
    if len(found) == 1:
        output.print_value(found[0], lambda one: documents.lines(one, where), as_json)
    else:
        candidates = [f"  {one.id:<28}  {documents.short_words(one)}".rstrip() for one in found]
        listed = {f"{kind}s": [one.name for one in those] for kind, those in meant.items()}
        output.print_value(listed, lambda _: [f"{said} may be", *candidates], as_json)


@command(
    option("--to LOG", "Create a log with the facts of the one encounter."),
    option("--seed TEXT", "Roll dice that have no faces, from a seed; without one they are refused."),
    examples="encounter run ford.enc\nencounter run ford.enc --to ford.jsonl\nencounter run fixtures/osric/*.enc",
)
def run(files: Scripts, to: Path | None, seed: str | None, by: By, as_json: Json) -> int:
    """Run encounter scripts (.enc): play their facts, and check their expectations. The exit code is 1 if anything differs.

    A script names a ruleset and an encounter, and holds facts in notation or as JSON, each on a line, and
    expectations: expect ogre.hp = 14, expect order mira > ogre, expect finding RULE at ROW, expect no findings. The page
    projections/language/notation/SCRIPTS.md describes the format.

    With --json each encounter is a line of JSON: script, kind, name, line, facts, expectations, proven, failures. A failure has
    line, says, column, expected, found.
    """
    plays = [(file, play) for file in files for play in page.read_plays(file, seed)]
    if to is not None and len(plays) != 1:
        says = f"--to takes one encounter, and there are {len(plays)}"
        raise Refused("usage", says, "give a script with one encounter")
    code = FINE
    for file, play in plays:
        ran = page.run_encounter(file, play)
        output.json_line(ran) if as_json else output.print_lines(page.format_run(ran))
        code = code if ran.proven else DIFFERENCE
    if to is not None:
        (output.print_notes if as_json else output.print_lines)([page.create_log(to, plays[0][1], by)])
    return code


@command(
    option("--check", "Change nothing; name the scripts that would change, and exit with 1."),
    examples="encounter fmt ford.enc\nencounter fmt --check fixtures/osric/*.enc",
)
def fmt(files: Scripts, check: bool) -> int:
    """Write each SCRIPT in notation, one line a fact or a few; comments, header and expectations stay.

    A script means the same afterwards: the same facts, in the same rows. A fact without words in the grammar stays JSON.
    """
    changed = 0
    for file in files:
        before = page.read_text(file)
        after = page.format_script(file, before)
        if after != before:
            changed += 1
            if not check:
                page.replace_file(file, before, after)
            output.print_lines([f"{file}: {'would be' if check else 'was'} formatted"])
    return DIFFERENCE if check and changed else FINE
