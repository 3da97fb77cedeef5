"""The pages of `encounter rules … --unnoticed`, `--places`, `--reasons` and `--golden`: the proof of a ruleset beyond its plays."""

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from encounterlog.ask.rules import LOG, Page
from encounterlog.errors import Refused
from encounterlog.log.opening import ruleset_named
from encounterlog.ruleset_tools import Asked
from encounterlog.words.layout import count_noun, wrap
from encounterlog_rulelab import search
from encounterlog_rulelab.golden import pages_by_file, write_pages
from encounterlog_rulelab.laws import judge_log
from encounterlog_rulelab.places import places_of
from encounterlog_rulelab.reasons import EngineLog, counted, encounters, left_open, line_of, rulebook
from encounterlog_rulelab.unnoticed import unnoticed as missing
from projections.proving.enc import parse
from projections.proving.plays import Play
from projections.proving.rulebook import functions, plays
from projections.ruleset.ruleset import Ruleset
from projections.rulesets import keys

SEES_NOTHING = "a rulebook/*.enc beside rules.toml has plays; --encounters FOLDER adds scripts of whole encounters"


def unnoticed(key: str | None, asked: Asked) -> Page:
    """Return the page of the functions that no play would miss; raise Refused where there is nothing to judge."""
    rules = _find_ruleset(key)
    stage = _plays_to_stage(rules, asked)
    if not functions(rules):
        raise Refused("usage", f"nothing to judge: {rules.key} has no functions", "@derives and @check mark them")
    found = list(missing(rules, stage, progress=lambda name: asked.progress(f"{rules.key} {name}" if name else "")))
    data = [{"about": one.about, "rules": one.rules, "says": one.says} for one in found]
    held = f"{count_noun(len(functions(rules)), 'function')} switched off before {count_noun(len(stage), 'play')}"
    return Page({"ruleset": rules.key, "unnoticed": data}, [*map(str, found), _total(held, len(found))], not found)


def places(key: str | None, asked: Asked) -> Page:
    """Return the page of the places whose change no play notices; raise Refused where there is nothing to judge."""
    if not hasattr(os, "fork"):
        raise Refused("usage", "places are tried in forked processes, which this system does not have")
    rules = _find_ruleset(key)
    stage, modules = _plays_to_stage(rules, asked), search.modules_in(Path(rules.rules).parent)
    taken = every = [place for module, file in modules.items() for place in places_of(file, module)]
    try:
        excused = search.read_list(asked.equivalent) if asked.equivalent else {}
    except search.ListError as error:
        raise Refused("unreadable", str(error)) from None
    if asked.sample is not None:
        taken = search.sample_of([place for place in every if place.name not in excused], asked.sample, asked.seed)
    if not taken:
        raise Refused("usage", f"nothing to judge: the functions of {rules.key} have no place that can be changed")
    trial, jobs = search.trial_of_ruleset(rules, stage, taken), asked.jobs or os.cpu_count() or 1
    trial.measure(jobs)
    lines = [f"{title} does not hold, and notices nothing" for title in search.unsound_witnesses(trial.witnesses)]
    said = [each for each in search.try_places(trial, lambda place: place.name in excused, jobs) if each.says]
    lines += [line for each in (*map(str, said), *search.gone(excused, every)) for line in each.splitlines()]
    wrong = len(lines) - len(said)
    data = [
        {"function": each.place.function, "line": each.place.line, "source": each.place.text}
        | {"change": each.place.change, "says": each.says}
        for each in said
    ]
    total = _total(f"{count_noun(len(taken), 'place')} changed before {count_noun(len(stage), 'play')}", len(said))
    return Page(
        {"ruleset": rules.key, "places": len(taken), "unnoticed": data}, [*lines, total], not said and not wrong
    )


def reasons(key: str | None, asked: Asked) -> Page:
    """Return the page of breaches of the law of reasons in encounters and plays; raise Refused if there is nothing to judge."""
    rules = _find_ruleset(key)
    subjects = [*encounters(_plays_in_folder(rules, asked)), *(rulebook(rules) if asked.plays else ())]
    if not subjects:
        lacks = "its rulebook has no plays" if asked.plays else "no whole encounters are given"
        raise Refused(
            "usage", f"nothing to judge: {lacks}", "--plays judges its plays, --encounters FOLDER whole encounters"
        )
    judged = [(subject.name, judge_log(EngineLog(subject.records))) for subject in subjects]
    counts = sum((verdict.counts for _, verdict in judged), Counter[str]())
    if not counts["pairs"]:
        raise Refused("usage", "nothing to judge: no two facts follow each other in the plays")
    breaks = [(name, one) for name, verdict in judged for one in verdict.breaks]
    data = [{"log": name, **one._asdict(), "value": str(one.value)} for name, one in breaks]
    more = {"counts": dict(counts), "undecided": [one._asdict() for one in left_open(counts)]}
    lines = [*(line_of(*each) for each in breaks), counted(rules.key, counts)]
    for group in left_open(counts):
        lines += wrap(f"{group.citations} undecided: {group.why}", "      ", "  ")
        lines += wrap(f"to do: {group.do}", "      ", "      ")
    return Page({"ruleset": rules.key, "logs": len(subjects), "breaks": data, **more}, lines, not breaks)


def golden(key: str | None, asked: Asked) -> Page:
    """Write the golden pages of a ruleset into a folder and return the differences from before; raise Refused if it has no plays."""
    rules = _find_ruleset(key)
    stage = _plays_to_stage(rules, asked)
    folder = asked.golden or Path()
    found = write_pages(folder, pages_by_file(stage))
    data = [one._asdict() for one in found]
    lines = [f"{one.change}: {one.title} ({folder / one.file})" for one in found if one.change != "new"]
    new = sum(one.change == "new" for one in found)
    total = f"{count_noun(len(stage), 'page')} in {folder}: {new} new, {len(lines)} changed or gone"
    return Page({"ruleset": rules.key, "pages": len(stage), "differences": data}, [*lines, total], not lines)


# ---------------------------------------------------------------- the plays and encounters


def _find_ruleset(key: str | None) -> Ruleset:
    if key is None:
        raise Refused("usage", "a proof needs a ruleset", f"installed are {', '.join(keys())}")
    if key == LOG:
        raise Refused("usage", f"{LOG} has no plays", "its clauses are proven by the tests of the program")
    return ruleset_named(key)


def _plays_to_stage(rules: Ruleset, asked: Asked) -> Sequence[Play]:
    """Return the plays of a rulebook and the encounters that are given; raise Refused if there are none."""
    found = (*plays(rules), *_plays_in_folder(rules, asked))
    if not found:
        raise Refused("usage", f"nothing to judge: {rules.key} has no plays", SEES_NOTHING)
    return found


def _plays_in_folder(rules: Ruleset, asked: Asked) -> Iterable[Play]:
    """Return the plays of this ruleset in the scripts of the folder that is given."""
    folder = asked.encounters
    if folder is None:
        return ()
    scripts = [(path, path.relative_to(folder).as_posix()) for path in sorted(folder.rglob("*.enc"))]
    found = [play for path, name in scripts for play in parse(path.read_bytes(), name) if play.ruleset == rules.key]
    if not found:
        raise Refused(
            "usage", f"nothing to judge: {folder} has no encounter of {rules.key}", "it is looked through for *.enc"
        )
    return found


def _total(what: str, found: int) -> str:
    return f"{what}: {found or 'nothing'} {'go' if found > 1 else 'goes'} unnoticed"
