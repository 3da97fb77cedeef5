"""The names of the spells as words that the reader knows: the last table of projections/rulesets/fifth_edition/lexicon.toml."""

import textwrap
import tomllib
from pathlib import Path

from projections.reader import lexicon as reader
from projections.reader.dictionary import listed
from projections.rulesets.fifth_edition.srd import tables

FILE = Path(tables.__file__).parents[1] / "lexicon.toml"
SPELLS = "[cues.spell]"
"""The table that is written; those before it are kept by hand."""
MORE = (
    "armor of agathys", "compelled duel", "crown of madness", "firebolt", "healing word", "hunger of hadar", "hunters mark", "revivify",
    "thorn whip", "thunderous smite", "thunderwave", "toll the dead", "wrathful smite",
)  # fmt: skip
"""Spells of this game that the documents do not have, or whose name is one word that means nothing else, or is written so, too."""


def text() -> str:
    """Return the words of the reader for the spells of both editions that games do not share; names of several words, for one alone (alarm, gate) mostly means something else."""
    by_hand = FILE.read_text("utf-8").partition(SPELLS)[0]
    features = listed(tomllib.loads(by_hand)["cues"]["feature"]["words"])
    shared = reader.lexicon()
    spells = [*tables.spells("2014"), *tables.spells("2024")]
    names = {name for each in spells if " " in (name := each.name.casefold()) and not shared.senses(name)}
    kept = ", ".join(
        name.replace(" ", "_") for name in sorted({*names, *MORE} - {*features})
    )  # a row ends between two names
    rows = textwrap.fill(kept, 140, break_on_hyphens=False, break_long_words=False).replace("_", " ")
    return f'{by_hand}{SPELLS} # written by `python -m tests.srd`\nwords = """\n{rows}\n"""\n'


def write() -> None:
    """Write the words out of the tables."""
    FILE.write_text(text(), "utf-8")
