"""The pages of `encounter rules`: the rulesets, a rulebook, a clause, clauses played; and scripts: read, run, made logs, set in order."""

import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct, structs, to_builtins

from encounterlog.ask.audit import format_finding
from encounterlog.errors import Refused, misspelt_word
from encounterlog.log import opening
from encounterlog.log.entering import mark_column
from encounterlog.places.replacing import write_text
from encounterlog.places.shelves import hint_for_reading
from encounterlog.places.stores import check_free
from encounterlog.places.time_and_chance import make_roller
from encounterlog.words.facts import fact_sentence
from encounterlog.words.layout import Styled, alarm, clip, count_noun, format_blocks, heading, one_line, table, wrap
from encounterlog.words.naming import Voice
from encounterlog.words.phrases import NOT_THERE, in_parentheses, word_with_text
from eventstore.events import NEWEST, SegmentReached
from eventstore.files import system_message
from eventstore.record import Draft
from eventstore.wording import visible
from projections.folds.addresses import COMMON
from projections.judging import audit, book, bookkeeping
from projections.proving import formatting
from projections.proving.enc import parse, script_lines
from projections.proving.plays import EncError, Expectation, Play
from projections.proving.proof import Failure as Unmet, Played, row_of, run_play
from projections.proving.rulebook import functions, name_of, place_of, plays, prove_clause, uncovered
from projections.replay import replay
from projections.ruleset.catalogue import Catalogue, Clause, Option
from projections.ruleset.ruleset import Check, Marked, Ruleset, marked
from projections.rulesets import keys, unusable

LOG = "log"  # the key of the bookkeeping rules of every log


class Page(NamedTuple):
    """A page as data and as lines, and whether everything that it proves ended as expected."""

    data: Any
    lines: list[str]
    proven: bool = True


def list_rulesets() -> Page:
    """Return the list of the installed rulesets, the bookkeeping of every log, and the rulesets that cannot be used, with the reason."""
    usable, errors, common = list(opening.usable_rulesets()), unusable(), book.catalogue()
    rows = [(each.key, each.title, each.scheduler, f"{len(each.catalogue().rule)} clauses") for each in usable]
    rows.append((LOG, common.catalogue, "", f"{len(common.rule)} clauses"))
    data = {
        "rulesets": [_ruleset_identity(each) for each in usable],
        "bookkeeping": {"key": LOG, "title": common.catalogue, "clauses": len(common.rule)},
        "unusable": [{"key": one.key, "distribution": one.distribution, "reason": one.reason} for one in errors],
    }
    lines = [*table(rows, ""), "", "encounter rules RULESET lists its clauses and options"]
    return Page(data, [*lines, *chain.from_iterable(["", *wrap(f"{one}; {one.hint}", "  ", "")] for one in errors)])


def show_rulebook(key: str) -> Page:
    """Return the clauses, options and words of a ruleset."""
    rules, book = _find_rulebook(key)
    own = []  # what only the ruleset has, or every log
    for one in rules.addresses if rules else COMMON:
        lasts = "sets it" if one.rule else f"stands until the {one.until} is over"
        own.append({"address": one.pattern, "says": one.says, "ruling": f"none: {one.fixed}" if one.fixed else lasts})
    data = (_ruleset_identity(rules) if rules else {"key": key}) | {
        "rules": _clauses_as_json(rules, book.rule),
        "options": to_builtins(book.option),
        "actions": book.action,
        "addresses": own,
    }
    lines: list[str] = []
    if rules:
        lines += _format_heading(f"{rules.key}: {rules.title}, revision {rules.revision} ({rules.scheduler})")
        lines += wrap(", ".join(f"{word} ({means})" for word, means in rules.statuses.items()), "    ", "statuses: ")
        lines += wrap(", ".join(data["sheet"]), "    ", "sheet: ")
        lines += wrap(", ".join(data["phases"]), "    ", "phases: ") if data["phases"] else []
    lines += ["", *_format_clauses(book.rule, book.option)]
    if book.action:
        rows = []
        for action in book.action:
            some = ("manner", "cost", "place", "seconds")  # --json has the whole row of the table
            said = ((term, action[term]) for term in some if action.get(term, "") != "")
            terms = (f"{term} {'|'.join(map(str, one if isinstance(one, list) else [one]))}" for term, one in said)
            kind = action.get("kind") or action.get("event") or action["name"]  # or by which it is recorded
            rows.append((str(kind), ", ".join(terms), one_line(action.get("note") or action.get("name", ""))))
        lines += ["", *_format_heading("Actions: the kinds in action.kind, and what each means"), *table(rows)]
    if own:
        beside = f"Its own addresses, beside those of every log: encounter rules {LOG} lists them"
        alone = "Addresses of every log: values that can be stated, shown and ruled"
        lines += ["", *_format_heading(beside if rules else alone), *table([*one.values()] for one in own)]
    return Page(data, lines)


def show_clause(key: str, rule: str) -> Page:
    """Return one clause or option in full; raise Refused with the nearest name if there is none."""
    rules, book = _find_rulebook(key)
    if (option := book.find_option(rule)) is not None:
        return Page(to_builtins(option), list(_format_option(option)))
    if (found := book.clause(rule)) is None:
        clauses = tuple(one for one in book.rule if one.id.startswith(rule))
        ids = {one.id for one in clauses}
        options = tuple(one for one in book.option if one.name.startswith(rule) or ids.intersection(one.rules))
        if clauses or options:
            parts = {"rules": _clauses_as_json(rules, clauses), "options": to_builtins(options)}
            return Page({"key": key} | parts, list(_format_clauses(clauses, options)))
        known = [one.id for one in book.rule] + [one.name for one in book.option]
        raise misspelt_word(f"clause or option of {key}", rule, known, f"encounter rules {key} lists them")
    readings, chart = [one for one in book.option if rule in one.rules], book.document_needed(rule)
    data = _clauses_as_json(rules, (found,))[0] | {"options": to_builtins(readings), "leans_on": chart}
    lines: list[str] = [heading(f"{found.id} ({found.kind})")]
    for title, words in (
        ("section", found.section),
        ("says", found.says),
        ("leans on", f"{chart}, {NOT_THERE}" if chart else ""),
        ("reading", found.unclear),
        ("case", found.case),
        ("breach", found.breach),
        *(("option", f"{each.name} = {' | '.join(each.values)}") for each in readings),
    ):
        lines += wrap(one_line(words), "           ", f"  {title:<9}") if words else []
    lines += [f"  by       {one}  {place}" for one, place in zip(data["functions"], data["places"], strict=True)]
    return Page(data, lines)


def _clauses_as_json(rules: Ruleset | None, clauses: Sequence[Clause]) -> list[dict[str, Any]]:
    stand: dict[tuple[str, str], list[str]] = {}
    for play in plays(rules) if rules else ():  # the bookkeeping has none
        stand.setdefault((play.kind, play.name[0]), []).append(f"{play.source}:{play.line}")
    known = functions(rules) if rules else tuple(marked((bookkeeping, *replay.FOLDS, audit)))
    found = []
    for one in clauses:
        carriers = [each for each in known if one.id in each.rules]
        names = [f"{name_of(each)} ({'check' if isinstance(each, Check) else 'derives'})" for each in carriers]
        proven = {"cases": stand.get(("case", one.id), []), "breaches": stand.get(("breach", one.id), [])}
        found.append(to_builtins(one) | {"functions": names, "places": list(map(place_of, carriers))} | proven)
    return found


def _find_rulebook(key: str) -> tuple[Ruleset | None, Catalogue]:
    rules = None if key == LOG else opening.ruleset_named(key)
    return rules, rules.catalogue() if rules else book.catalogue()


def _ruleset_identity(rules: Ruleset) -> dict[str, Any]:
    return {field: getattr(rules, field) for field in ("key", "revision", "title", "scheduler")} | {
        "phases": rules.schedule.phases(rules.state(rules=rules)),
        "statuses": rules.statuses,
        "sheet": [field.encode_name for field in structs.fields(rules.sheet)],
        "clauses": len(rules.catalogue().rule),
    }


def _format_clauses(clauses: Iterable[Clause], options: Sequence[Option]) -> Iterator[str]:
    kinds = "derive (determines a value), audit (finds a breach), both, gm (left to the game master)"
    yield from _format_heading(f"Clauses: {kinds}")
    yield from table((one.id, one.kind, one_line(one.says)) for one in clauses)
    if options:
        yield from ["", heading("Options: the first value is the default")]
        yield from table((one.name, ", ".join(one.values)) for one in options)


def _format_heading(text: str) -> list[Styled]:
    return list(map(heading, wrap(text)))


def _format_option(option: Option) -> Iterator[str]:
    yield from _format_heading(f"{option.name} = {' | '.join(option.values)}")
    for block in option.says.split("\n\n"):
        yield from wrap(one_line(block), "  ")
    for value, words in option.case.items():
        yield from wrap(one_line(words), "      ", f"  {value}: ")
    yield from wrap(", ".join(option.rules), "      ", "  of ") if option.rules else ()
    says = "the text says nothing about it: unless the log states the option, this is reported only if it stands under each value: "
    yield from wrap(says + ", ".join(option.silent), "      ", "  ") if option.silent else ()


def show_proof(key: str | None, rule: str | None, gaps: bool) -> Page:
    """Return the page of a clause, a whole rulebook or its gaps, played; raise Refused if there is no such clause."""
    if key == LOG:
        raise Refused("usage", f"{LOG} has no plays", "its clauses are proven by the tests of the program")
    if gaps:
        rulesets = [opening.ruleset_named(each) for each in ([key] if key else keys())]
        found = [{"ruleset": each.key} | structs.asdict(gap) for each in rulesets for gap in uncovered(each)]
        wheres = (f" ({gap['source']}, line {gap['line']})" if gap["source"] else "" for gap in found)
        lines = [f"{gap['ruleset']}: {gap['about']}: {gap['says']}{at}" for gap, at in zip(found, wheres, strict=True)]
        return Page({"uncovered": found}, lines, not found)
    if key is None:
        raise Refused("usage", "--run needs a ruleset", f"installed are {', '.join(keys())}")
    rules = opening.ruleset_named(key)
    return _proof_of_all(rules) if rule is None else _proof_of(rules, rule)


def _proof_of_all(rules: Ruleset) -> Page:
    rows, data, start = [], list[dict[str, Any]](), time.perf_counter()
    for clause in rules.catalogue().rule:
        began, proof = time.perf_counter(), prove_clause(rules, clause)
        took = 1000 * (time.perf_counter() - began)
        word = "proven" if proof.proven else alarm("not proven")
        rows.append((clause.id, word, f"{len(proof.cases)} + {len(proof.breaches)}", f"{took:.1f} ms"))
        data.append({"rule": clause.id, "proven": proof.proven, "milliseconds": round(took, 3)})
    proven = all(each["proven"] for each in data)
    took = 1000 * (time.perf_counter() - start)
    columns = "the columns are cases + breaches, and the time of each"
    total = f"{count_noun(len(rows), 'clause')} in {took:.0f} ms; {columns}"
    return Page({"ruleset": rules.key, "clauses": data, "milliseconds": round(took, 3)}, [*table(rows), total], proven)


def _proof_of(rules: Ruleset, name: str) -> Page:
    found = [play for play in plays(rules) if play.name[0] == name]
    if not found:
        known = dict.fromkeys(play.name[0] for play in plays(rules))
        raise misspelt_word(f"clause or option of {rules.key}", name, known, f"encounter rules {rules.key} lists them")
    played = [run_play(play) for play in found]
    clause, option = rules.catalogue().clause(name), rules.catalogue().find_option(name)
    says = clause.says if clause else option.says if option else ""
    pages = (["", *_format_play(each, rules)] for each in played)
    lines = [heading(name), *wrap(one_line(says), "  "), *chain.from_iterable(pages)]
    data = [
        {
            **{field: getattr(each.play, field) for field in ("kind", "name", "source", "line", "says", "options")},
            "facts": [{"row": row.row, "event": row.event} for row in each.play.facts],
            "findings": [{"row": row_of(each.play, one.event), "finding": one} for one in each.findings],
            "proven": each.is_proven,
            "failures": each.failures,
        }
        for each in played
    ]
    return Page({"rule": name, "plays": data}, lines, all(each.is_proven for each in played))


def _format_play(each: Played, rules: Ruleset) -> Iterator[str]:
    play = each.play
    yield heading(" ".join((play.kind, *play.name[1:]))) + f" ({play.source}, line {play.line})"
    yield from wrap(one_line(play.says), "  ") if play.says else ()
    for option, value in play.options.items():
        yield f"  option {option} = {value}"
    called = {row.event.combatant: row.event.name or row.event.combatant for row in play.joined}  # type: ignore[attr-defined]
    yield clip(f"  with {', '.join(called.values())}")
    name = Voice(rules, lambda who: called.get(who, who))
    for place, row in enumerate((None, *play.facts)):
        if row is not None:
            segment = None if isinstance(row.event, SegmentReached) else getattr(row.event, "segment", None)
            where = "" if segment is None else f"in {segment}: "
            yield clip(f"  {1 + len(play.joined) + place:>3}  {where}{fact_sentence(row.event, name)}")
        those = (one for one in play.expectations if one.after == place and one.verb not in ("finding", "none"))
        yield from (f"        {clip(f'so {_describe_expectation(one)}')}" for one in those)
    for finding in each.findings:
        yield from (f"  {line}" for line in format_finding(finding, rules) if line)
    findings = count_noun(len(each.findings), "finding") if each.findings else "no finding"
    yield "  " + (f"{findings}, as expected" if each.is_proven else alarm(f"{findings}; not as expected"))
    yield from ("  " + alarm(f"line {failure.line}: {failure.says}") for failure in each.failures)


def _describe_expectation(each: Expectation) -> str:
    if each.verb == "value":
        address, value, rule = each.words
        return f"{address} is {value}{f', by {rule}' if rule else ''}"
    if each.verb == "timeline":
        who, name, status, at, due = each.words
        return f"{who}{in_parentheses(name)} is {status}{word_with_text('in', at)}{word_with_text('due in', due)}"
    names = {"order": "the order is", "due": "due in", "rows": "acting in"}
    return " ".join((names[each.verb], ": ".join(each.words)))


PARTS = {  # the parts of a fact's life in the order of time, each with its heading
    "checks": "Checked before it takes effect, the checks of every log first; of a group, only the first that finds something reports",
    "boundaries": "At each boundary of rounds and turns that it crosses",
    "common": "Then the steps of every ruleset",
    "steps": "Then the steps of the ruleset, phase by phase",
    "late": "Checked when the round is over",
}


def show_fact_steps(key: str, event: str) -> Page:
    """Return the life of a fact in a ruleset; raise Refused with the nearest name if there is no such ruleset or type of fact."""
    rules, tag = opening.ruleset_named(key), event.strip().casefold().replace(" ", "_")
    if (kind := NEWEST.get(tag)) is None:
        raise misspelt_word("type of fact", event, NEWEST, "such as attack_rolled")
    tables: dict[str, list[tuple[str, Marked]]] = {
        "boundaries": [(at, step) for at, steps in rules.boundaries.items() for step in steps],
        "common": [(step.phase, step) for step in replay.COMMON.get(kind, ())],
        "steps": [(step.phase, step) for step in rules.steps.get(kind, ())],
    }
    for part, checks in (("checks", (audit.COMMON, rules.checks)), ("late", (rules.late,))):
        series = (each for table in checks for some in table.get(kind, ()) for each in some.checks)
        tables[part] = [(f"{each.group}, {each.rank}" if each.group else "", each) for each in series]
    data: dict[str, Any] = {"ruleset": rules.key, "event": tag, **dict.fromkeys(tables)}
    lines: list[str] = [heading(f"{rules.key}: the life of a fact, {tag}")]
    for part, title in PARTS.items():
        data[part], rows = [], []
        for when, each in tables[part]:
            does, of, place = each.__name__, each.rules, place_of(each)
            data[part].append({"when": when, "function": does, "rules": of, "place": place})
            rows.append((when, place, f"{does.replace('_', ' ').strip()}{in_parentheses(', '.join(of))}"))
        lines += ["", *wrap(f"{title}:" if rows else f"{title}: nothing"), *chain.from_iterable(format_blocks(rows))]
    return Page(data, lines)


LARGEST = 1 << 24  # the largest script that is read, in bytes


def read_text(file: Path) -> str:
    """Return the text of a script; raise Refused if it cannot be read."""
    try:
        with file.open("rb") as source:
            data = source.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        raise Refused("refused", f"{file}: {system_message(error)}", hint_for_reading(error, file)) from None
    if len(data) > LARGEST:
        raise Refused("refused", f"{file}: a script has at most {LARGEST:,} bytes")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise Refused("refused", f"{file}, line {line}: not UTF-8", "a script is a text file") from None


def read_plays(file: Path, seed: str | None) -> tuple[Play, ...]:
    """Return the encounters of a script; raise Refused where it is malformed, or if it holds none."""
    text = read_text(file)
    try:
        found = parse(text, str(file), proves=False, roll=make_roller(seed) if seed is not None else None)
    except EncError as error:
        raise refuse_malformed(error, text) from None
    if not found:
        raise Refused("refused", f"{file}: there is no encounter in it", "begin one with: encounter A title")
    return found


class Ran(Struct, frozen=True):
    """The output of `encounter run --json`, one for each encounter: where it begins, whether all was as expected, and the failures.

    `kind` is the word that begins it, mostly encounter; `facts` and `expectations` are their numbers.
    """

    script: str
    kind: str
    name: str
    line: int
    facts: int
    expectations: int
    proven: bool
    failures: tuple[Unmet, ...]


def run_encounter(file: Path, play: Play) -> Ran:
    """Run an encounter, and return its outcome."""
    done, facts = run_play(play, proves=False), len(play.joined) + len(play.facts)
    begins = str(file), play.kind, " ".join(play.name), play.line
    return Ran(*begins, facts, len(play.expectations), done.is_proven, done.failures)


def format_run(ran: Ran) -> list[str]:
    """Return the lines about an encounter that was run."""
    title = f"{ran.script}: {ran.kind} {ran.name}"
    if ran.proven:
        return [f"{title}: {count_noun(ran.facts, 'fact')}, {count_noun(ran.expectations, 'expectation')} held"]
    failures = [f"  {ran.script}, line {each.line}: {each.says}" for each in ran.failures]
    return [f"{title}: {len(failures)} not as expected", *failures]


def create_log(out: Path, play: Play, by: str) -> str:
    """Create a log with the facts of an encounter; return what was done, raise Refused if the name is taken."""
    check_free(str(out))
    first = opening.make_opening(opening.ruleset_named(play.ruleset), play.name[0], play.options)
    drafts = [Draft(row.event, secret=row.secret) for row in (*play.joined, *play.facts)]  # type: ignore[arg-type]  # members of the union
    opening.create_log(str(out), [first, *drafts], by)
    return f"{out} created with {count_noun(len(drafts), 'fact')}"


def format_script(file: Path, text: str) -> str:
    """Return a script in order; raise Refused where it is malformed, and for a text of comments alone that would be changed."""
    try:
        after = formatting.format_script(text, str(file))
    except EncError as error:
        raise refuse_malformed(error, text) from None
    if after and after != text and all(line.lstrip()[:1] in ("", "#") for line in text.splitlines()):
        says = f"{visible(str(file))}: there is no line of a script in it"
        raise Refused("refused", says, "a script names a ruleset")
    return after


def refuse_malformed(error: EncError, text: str) -> Refused:
    """Return the failure of a script, with its line and a mark below the character."""
    mark = mark_column(script_lines(text, error.source)[error.line - 1], error.column)
    return Refused("refused", str(error), error.hint, mark)


def replace_file(file: Path, before: str, after: str) -> None:
    """Put a text in the place of a script, whole or not at all; raise Refused if that fails, or it has changed since it was read."""

    def check(there: Path) -> None:
        if read_text(there) != before:
            says = f"{visible(str(there))} was changed by another program meanwhile"
            raise Refused("overtaken", says, "it is as they left it; do it again")

    try:
        write_text(file, after, check)
    except OSError as error:
        raise Refused("refused", f"{visible(str(file))}: {str(error.strerror).lower()}") from None
