"""Formatted scripts: every fact in notation, all else unchanged except for blanks."""

import json
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter

from eventstore.events import Fact
from eventstore.wording import visible
from projections.language.notation.printing import MOST, print_line
from projections.language.notation.records import make_records
from projections.language.notation.table import Table
from projections.proving.enc import NUMBERED, Reader, match_facts, script_lines

Labelled = tuple[str, Fact]
"""The words before a fact (secret, its number), and the fact."""


def format_script(text: str | bytes, source: str) -> str:
    """Return a script with the same meaning and its facts in notation; raise EncError if it is malformed."""
    reader, pending, table = Reader(source), list[Labelled](), None
    found: list[str] = []
    for number, line in enumerate(script_lines(text, source), 1):
        draft, facts = reader.draft, len(reader.draft.facts)
        reader.read_any_line(number, line)
        if reader.draft is not draft:
            found += fact_lines(table, pending) if table else []
            pending, table = [], None
        elif len(reader.draft.facts) > facts:
            table = table or reader.fresh_table(line)
            numbered = NUMBERED.match(line)
            label = f"{numbered[1]} " if numbered else ""
            pending += ((f"secret {label}" if row.secret else label, row.event) for row in reader.draft.facts[facts:])
            continue
        elif table:
            found += fact_lines(table, pending)
            pending = []
        bare = line.strip()
        found.append(bare if bare.startswith(("#", "combatant", "encounter")) else " ".join(bare.split()))
    found += fact_lines(table, pending) if table else []
    whole = "\n".join(found).strip("\n")
    return f"{whole}\n" if whole else ""


def fact_lines(table: Table, labelled: Sequence[Labelled]) -> Iterator[str]:
    """Yield facts as lines, those with one label on one line where a form has them all; the table takes them in."""
    for label, group in groupby(labelled, key=itemgetter(0)):
        facts = [fact for _, fact in group]
        while facts:
            line, count = print_line(table.context, facts[:MOST], fits=partial(_is_readable, label))
            table.take(make_records(facts[:count], len(table.records) + 1))
            yield f"{label}{line}"
            facts = facts[count:]


def title_line(title: str) -> str:
    """Return the line that begins an encounter; a title that would not be read back is a JSON string."""
    line = f"encounter {title}"
    if title.strip() and visible(title) == title:
        reader = Reader("")
        reader.read_line(1, line)
        if reader.draft.name == (title,):
            return line
    return f"encounter {json.dumps(title)}"


def _is_readable(label: str, line: str) -> bool:
    """Say whether a script reads the whole of a line after its label as facts."""
    whole = f"{label}{line}"
    read = match_facts(whole)
    return script_lines(whole, "") == [whole] and read is not None and read[3] == line
