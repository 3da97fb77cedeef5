"""The names of the spells as words that the reader knows: projections/rulesets/fifth_edition/lexicon.toml."""

import textwrap
from pathlib import Path

from projections.reader import lexicon as reader
from projections.rulesets.fifth_edition.srd import tables

FILE = Path(tables.__file__).parents[1] / "lexicon.toml"


def text() -> str:
    """Return the words of the reader for the spells of both editions that games do not share; names of several words, for one alone (alarm, gate) mostly means something else."""
    shared = reader.lexicon()
    spells = [*tables.spells("2014"), *tables.spells("2024")]
    names = sorted({name for each in spells if " " in (name := each.name.casefold()) and not shared.senses(name)})
    kept = ", ".join(name.replace(" ", "_") for name in names)  # a row ends between two names
    rows = textwrap.fill(kept, 140, break_on_hyphens=False, break_long_words=False).replace("_", " ")
    return f'# Words of the fifth edition for the reader; written by `python -m tests.srd`.\n\n[cues.spell]\nwords = """\n{rows}\n"""\n'


def write() -> None:
    """Write the words out of the tables."""
    FILE.write_text(text(), "utf-8")
