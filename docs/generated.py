"""The reference pages, each made from the program: commands, exit codes, types of facts, clauses, the language, the Python API; and the gallery.

Each function returns the text of a page in Markdown; `write` puts them all into a folder before Sphinx reads it. Tests ask the
functions: whatever the program has is on its page. `write_replays` exports the encounters of the gallery as HTML.
"""

import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from inspect import cleandoc
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

import click

import encounterlog
from encounterlog import schemas
from encounterlog.ask import rules as rulebooks
from encounterlog.cli.main import COMMANDS, load_command as command_of
from encounterlog.errors import ERRORS, EXITS
from encounterlog.forks import Readable
from encounterlog.log.appending import describe_fact_type, example_line
from encounterlog.schemas import schema_words
from eventstore.events import NEWEST, TAGS, Fact
from projections.language.describing import ShownShape, list_themes
from projections.language.table import language_table
from projections.ruleset.catalogue import Catalogue, Clause
from projections.ruleset.ruleset import Ruleset
from projections.rulesets import find, keys


def write(folder: Path) -> None:
    """Write the reference into a folder: pages of clauses and of lives, and the parts that pages of docs/reference include."""
    for name, text in pages().items():
        path = folder / ("" if name.startswith(("clauses-", "life-")) else "parts") / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


FIXTURES = Path(__file__).parents[1] / "fixtures"
GALLERY = {
    "osric": ("run", "osric/s12-ten-in-three-rounds.enc"),
    "nameless-journey": ("run", "nameless-journey/s03-four-rounds.enc"),
    "semiautomagic": ("run", "semiautomagic/s10-four-rounds-to-the-end.enc"),
    "vile-darkness": ("run", "vile-darkness/s07-spells-and-their-disturbance.enc"),
    "definition-master": ("run", "definition-master/s14-trip-disarm-shatter-shove.enc"),
    "5e": ("run", "5e/s11-below-the-chapel.enc"),
    "plain": ("recorded", "recordings/horror.jsonl"),
}
"""Of each ruleset the encounter in the gallery: a script that is run, or a log that was recorded."""


def write_replays(folder: Path) -> None:
    """Write the HTML replay of each encounter of the gallery into a folder, `replay-KEY.html`; raise where a command fails."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as logs:
        for key, (way, source) in GALLERY.items():
            log, page = Path(logs) / f"{key}.jsonl", folder / f"replay-{key}.html"
            page.unlink(missing_ok=True)
            if way == "run":
                _encounter("run", FIXTURES / source, "--to", log)
            else:
                log = FIXTURES / source
            _encounter("export", "html", log, "--to", page)


def _encounter(*words: str | Path) -> None:
    subprocess.run([sys.executable, "-m", "encounterlog", *map(str, words)], check=True, stdout=subprocess.DEVNULL)  # noqa: S603


def pages() -> dict[str, str]:
    """Return every page of the reference by its name."""
    made = {
        "gallery": gallery(),
        "commands": commands(),
        "exit-codes": exit_codes(),
        "facts": facts(),
        "language": language(),
        "python": python(),
        "http": http(),
        "silent-texts": silent_texts(),
        "by-name": by_name(),
    }
    return made | {f"clauses-{key}": clauses(key) for key in keys()} | {f"life-{key}": life(key) for key in keys()}


def gallery() -> str:
    """Return the page of the gallery: a replay for each ruleset."""
    links = [f'<li><a href="../replay-{key}.html">{key}: {find(key).title}</a></li>' for key in GALLERY]
    return _page("Replays", ["```{raw} html", "<ul>", *links, "</ul>", "```"])


def commands() -> str:
    """Return the page of commands: of each its usage, what it does, its arguments and options."""
    return _page("Commands", (line for name in COMMANDS for line in _command(name)))


def exit_codes() -> str:
    """Return the page of exit codes."""
    rows = [f"| {each.code} | {each.says} |" for each in EXITS.values()]
    after = "Errors go to standard error: what is wrong, where, and a hint."
    return _page("Exit codes", ["| exit code | meaning |", "|---|---|", *rows, "", after])


def facts() -> str:
    """Return the page of facts: of each type its fields and an example."""
    return _page("Types of facts", (line for tag, kind in TAGS.items() for line in _fact(tag, kind)))


def language() -> str:
    """Return the page of the language: its shapes by themes, of each what it says, an example, its patterns and synonyms; what one game adds under its name; what may stand beside them."""
    about = [
        "A line is notation ([the forms](grammar.md)), or a sentence of this language. What is neither is refused, with offers; nothing is guessed.",
        "A sentence says who does what to whom, and behind it, in any order, what came of it: `Ana attacks orc 1 with her sword, 16 to hit, 7 slashing damage`.",
        (
            "Several sentences make a line: `Ana hits orc 1 for 5, Bo misses orc 2`. What was rolled is typed in digits. Only these words are passed over: "
            f"{', '.join(sorted(language_table(find('plain').rules).fillers))}."
        ),
        "In a pattern `a|b` are words of which one is typed, `[…]` may be left out, `@class` is a word of a class, and a word in capitals a value.",
        "What may stand beside a shape is listed at [the end](#beside-a-shape).",
        "",
    ]
    common = {theme.name: theme.shapes for theme in list_themes(find("plain").rules)}
    known = {shape.name: shape for shapes in common.values() for shape in shapes}
    added = {
        key: [shape for theme in list_themes(find(key).rules) for shape in theme.shapes if shape.name in known]
        for key in keys()
    }
    own = {
        name: [
            f"- In {key}: `{pattern}`"
            for key, shapes in added.items()
            for each in shapes
            for pattern in each.patterns
            if each.name == name and pattern not in shape.patterns
        ]
        for name, shape in known.items()
    }
    parts = [line for name, shapes in common.items() for line in (f"## {name}", "", *_shapes(shapes, own))]
    for key in keys():
        shapes = (shape for theme in list_themes(find(key).rules) for shape in theme.shapes if shape.name not in known)
        parts += [f"## In {key}", "", *rest] if (rest := [*_shapes(shapes, {})]) else []
    beside = {name: each for shape in known.values() for name, each in shape.adjuncts.items()}
    listed = (f"- {name}: {', '.join(f'`{each}`' for each in patterns)}" for name, patterns in sorted(beside.items()))
    return _page("The language", [*about, *parts, "## Beside a shape", "", *listed])


def _shapes(shapes: Iterable[ShownShape], own: Mapping[str, Iterable[str]]) -> Iterator[str]:
    """Yield the parts of a page about shapes, with the patterns of single games, synonyms behind a fold."""
    for shape in shapes:
        yield from [f"### {shape.name}", "", f"{_text(shape.says)} `{shape.example}`", ""]
        yield from (f"- `{pattern}`" for pattern in shape.patterns)
        yield from own.get(shape.name, ())
        yield from [f"- Beside it, in any order: {', '.join(shape.adjuncts)}"] if shape.adjuncts else []
        words = [f"`@{sort}`: {_text(', '.join(each))}" for sort, each in shape.synonyms.items()]
        yield from ["", "<details><summary>Words</summary>", "", *words, "", "</details>", ""] if words else [""]


def clauses(key: str) -> str:
    """Return the page of a ruleset: what to do about a finding, its options, and its clauses in our words."""
    rules, book = find(key), find(key).catalogue()
    judged = judged_at(rules)
    parts = [line for clause in book.rule for line in _clause(key, clause, book, judged.get(clause.id, ()))]
    return _page(f"The clauses of {key}", [*_about_findings(key), *_options(book), "## Clauses", "", *parts])


def life(key: str) -> str:
    """Return the page of a ruleset about the life of a fact: for each type of fact the functions that see it, in order."""
    rules = find(key)
    about = [
        "What the tables of the ruleset say, in the order in which it happens; a function carries the clauses in parentheses. Facts of other types change",
        f"nothing in this game, and nothing is checked about them. `encounter rules {key} --steps EVENT` prints one of these.",
        "",
    ]
    seen = dict.fromkeys((*rules.steps, *rules.checks, *rules.late))
    parts = ((tag, rulebooks.show_fact_steps(key, tag).lines[1:]) for tag, kind in NEWEST.items() if kind in seen)
    shown = (line for tag, lines in parts for line in (f"## {tag}", "", "```text", *map(str, lines), "```", ""))
    return _page(f"The life of a fact in {key}", [*about, *shown])


def judged_at(rules: Ruleset) -> dict[str, tuple[str, ...]]:
    """Return the types of the facts at which each clause of a ruleset is judged, by the clause."""
    found: dict[str, dict[str, None]] = {}
    tags = {kind: tag for tag, kind in TAGS.items()}
    for kind, series in rules.checks.items():
        for check in (each for one in series for each in one.checks if kind in tags):
            found.setdefault(check.rule, {})[tags[kind]] = None
    return {rule: tuple(kinds) for rule, kinds in found.items()}


def _about_findings(key: str) -> list[str]:
    return [
        "## When the audit cites a clause",
        "",
        "1. **Why?** `encounter why FILE finding N` gives the expected and the found value, and the facts that led to it.",
        f"   `encounter rules {key} CLAUSE --run` plays cases and breaches of the clause step by step.",
        "2. **It was recorded wrongly**: `encounter amend FILE RECORD FIELD=VALUE` changes the fact, `strike` takes it",
        "   out, and `insert 12 …` at the table adds a forgotten fact ([how](../../how-to/correct.md)).",
        "3. **The table plays it otherwise**: `rule waive RECORD CLAUSE reason` accepts this finding, which is then shown as ruled.",
        f"4. **The text can be read otherwise**: an option of `encounter new --ruleset {key}` may choose that reading;",
        "   `encounter whatif FILE --option NAME=VALUE` shows its effect on this log.",
        "",
    ]


def silent_texts() -> str:
    """Return the page of what the texts leave out: of each ruleset the points, the clauses concerned, and the readings."""
    about = [
        "The text of a ruleset says nothing about some points that a table meets. The catalogue has a reading for each, so that a log can go",
        "on, but a finding that follows from such a reading alone is not reported. It is reported once the log states the option, and so is",
        "every such finding with `silent-texts=reported`, an option of every log. A finding that stands under each value is always reported.",
        "Some points have no option: findings that the program marks so in its code are reported by `silent-texts` alone.",
        "",
        "| ruleset | option, values (the first is the usual reading) | clauses whose findings may follow from it |",
        "|---|---|---|",
    ]
    rows = (
        f"| `{key}` | `{one.name}`: {', '.join(f'`{value}`' for value in one.values)} | {', '.join(f'`{rule}`' for rule in one.silent)} |"
        for key in keys()
        for one in find(key).catalogue().option
        if one.silent
    )
    return _page("What the texts leave out", [*about, *rows, *_ALSO_SILENT])


_ALSO_SILENT = (
    "| `5e` | `newcomer`: `open`, `place-ahead`, `next-round` | `initiative.latecomer` |",
    "",
    "By `silent-texts` alone: acts and moves of a combatant who is down, non-lethal damage and temporary points (`health.damage` of `nameless-journey`;",
    "of `semiautomagic` the acts); non-lethal damage (`health.hit-points` of `osric`); the first turn of a newcomer (`round.ends-at-top`,",
    "`initiative.starts-combat` of `definition-master`) and an armour class changed by `reckless.trade` or `defensive.trade` after its owner's turn;",
    "contests under edition 2024 (`contest.higher-wins` of `5e`).",
    "",
)
"""What no row of an option says."""


def by_name() -> str:
    """Return the page of what is known by name: the fields of the tables, and what they let the audit judge."""
    from tests.srd.by_names import LINES, compared
    from tests.srd.counting import in_markdown

    fields = [
        "Each field of the tables of monsters and spells of `5e`, for both reference documents. If every record must have it, the records",
        "without it are named, as their document does not state it. For other fields the number of records with it is given.",
        "",
        "| field | 2014 | 2024 |",
        "|---|---|---|",
        *in_markdown(),
        "",
    ]
    judged = [
        "## What the audit judges by names",
        "",
        "A fight of which only names are typed:",
        "",
        "```text",
        *LINES,
        "```",
        "",
        "With bare sheets, which have only hit points, and a spell that no document lists, `audit --complete` names the facts in the",
        "second column, which keep the clauses from being judged; by the names it still names those in the third. These are about Zed,",
        "a character without typed values, and about the costs of attacks, which nobody types.",
        "",
        "| unknown | bare sheets | by names | clauses |",
        "|---|---|---|---|",
        *compared(),
        "",
    ]
    return _page("Known by name", [*fields, *judged])


def http() -> str:
    """Return the page of the HTTP service: every endpoint of the table that routes, and every kind of problem."""
    from encounterlog.service.routes import ROWS

    about = [
        "Made from the table that routes requests, like `/openapi.json`. Changes to `/v1` only add; a test checks that.",
        "",
    ]
    about += ["[How to serve a table](../how-to/serve.md) says who may do what, and what players see.", ""]
    kinds = [f"| `{name}` | {kind.status} | {kind.exit} | {_text(kind.title)} |" for name, kind in ERRORS.items()]
    problems = [
        "## Problems",
        "",
        "The `type` of `application/problem+json` ends with one of these; `exit` is the code that the",
    ]
    problems += ["command would give.", "", "| problem | status | exit | |", "|---|---|---|---|", *kinds]
    return _page("HTTP", [*about, *(line for row in ROWS for line in _endpoint(row)), *problems])


def _endpoint(row: Any) -> Iterator[str]:
    """Yield the part of a page about one endpoint."""
    yield from [f"## {row.method} {row.path}", "", _text(row.says), ""]
    yield f"- For: {', '.join(sorted(row.roles)) or 'everybody'}"
    yield from (
        f"- `{each.name}`{' (header)' if each.header else ''}{' (required)' if each.needed else ''}: {_text(each.says)}"
        for each in row.parameters
    )
    yield from [f"- Body: {', '.join(f'`{media}`' for media in row.body)}"] if row.body else []
    yield f"- Success: {', '.join(map(str, row.success))}{f' `{row.media}`' if row.media else ''}"
    yield f"- Problems: {', '.join(f'`{kind}`' for kind in sorted(row.problems))}"
    yield ""


def python() -> str:
    """Return the page of the Python API: every name of `encounterlog` that is no type of fact, which have their own page."""
    names = [name for name in dir(encounterlog) if not name.startswith("_") and name not in _types()]
    about = [
        "`import encounterlog as el` is the one import that a script needs. The types of facts, `el.RoundStarted` and"
    ]
    about += ["the others, are on [their own page](facts.md).", "", "```{eval-rst}"]
    return _page("The Python API", [*about, *(line for name in names for line in _documented(name)), "```"])


def _page(title: str, lines: Iterator[str] | list[str]) -> str:
    return "\n".join([f"# {title}", "", *lines, ""])


def _command(name: str) -> Iterator[str]:
    command = command_of(name)
    context = click.Context(command, info_name=f"encounter {name}")
    yield from [f"## encounter {name}", "", "```text", command.get_usage(context).removeprefix("Usage: "), "```", ""]
    yield from [_text(cleandoc(command.help or "")), ""]
    rows = [record for each in command.params if (record := each.get_help_record(context)) and record[1]]
    yield from (f"- `{names}`: {_text(meaning)}" for names, meaning in rows)
    yield from ["", "```text", cleandoc(command.epilog.replace("\b", "")), "```", ""] if command.epilog else [""]


def _fact(tag: str, kind: type[Fact]) -> Iterator[str]:
    schema = schemas.fact_schema(kind)["$defs"][kind.__name__]
    needed = schema.get("required", ())
    yield from [f"## {tag}", "", f"`el.{kind.__name__}`. {_text(describe_fact_type(kind))}", ""]
    for field, one in schema["properties"].items():
        if field != "type":
            yield f"- `{field}`{' (required)' if field in needed else ''}: {_text(schema_words(one))}"
    yield from ["", "```json", example_line(kind), "```", ""]


def _options(book: Catalogue) -> Iterator[str]:
    if book.option:
        yield from ["## Options", "", "Where the text leaves something open, an option says how it is read.", ""]
    for option in book.option:
        values = ", ".join(f"`{value}`" for value in option.values)
        yield from [f"### {option.name}", "", f"{_text(option.says)} Values, the default first: {values}.", ""]
        if option.silent:
            yield from ["The text says nothing about it: see [What the texts leave out](../silent-texts.md).", ""]


def _clause(key: str, clause: Clause, book: Catalogue, judged: tuple[str, ...]) -> Iterator[str]:
    yield from [f"### {clause.id}", "", _text(clause.says), "", f"- Section: {_text(clause.section)}"]
    yield from [f"- Reading: {_text(clause.unclear)}"] if clause.unclear else []
    options = [f"[{each.name}](#{each.name})" for each in book.option if clause.id in each.rules]
    yield from [f"- Options: {', '.join(options)}"] if options else []
    yield f"- Case: {_text(clause.case)}"
    yield from [f"- Breach: {_text(clause.breach)}"] if clause.breach else []
    if judged:
        yield f"- Judged at: {', '.join(f'[{tag}](../facts.md#{tag})' for tag in judged)}"
        yield f"- Accept a finding: `rule waive RECORD {clause.id} reason`"
    yield f"- Play it: `encounter rules {key} {clause.id} --run`"
    yield ""


def _documented(name: str) -> Iterator[str]:
    found = getattr(encounterlog, name)
    if isinstance(found, ModuleType):
        yield from [f".. py:data:: encounterlog.{name}", "", f"   The module {found.__name__}.", ""]
        yield from [f".. automodule:: {found.__name__}", "   :members:", ""]
        return
    kind = "exception" if isinstance(found, type) and issubclass(found, BaseException) else None
    yield f".. auto{kind or ('class' if isinstance(found, type) else 'function')}:: encounterlog.{name}"
    yield from ["   :members:"] if isinstance(found, type) else []
    yield from ["   :inherited-members:"] if isinstance(found, type) and issubclass(found, Readable) else []
    yield ""


def _types() -> set[str]:
    return {kind.__name__ for kind in TAGS.values()}


def _text(text: str) -> str:
    """Return a text for Markdown: its words as they are, what could be taken for markup escaped."""
    plain = text.replace("\b", "").strip()
    return "".join(f"\\{letter}" if letter in "<>*_[]{}|" else letter for letter in plain)
