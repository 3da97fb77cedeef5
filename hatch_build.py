"""The build: beside each TOML file of the projections it puts a copy in JSON, which the program reads sooner (projections/toml.py), and
beside the tables of words their dictionary.
"""

import hashlib
import json
import sys
import tomllib
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def copy(path: Path) -> None:
    """Write the copy of a TOML file; one with what JSON cannot say, such as dates, stays without."""
    text = path.read_bytes()
    keep(path.with_suffix(".json"), text, tomllib.loads(text.decode()))


def dictionary(folder: Path) -> None:
    """Write the dictionary of the tables of words in this folder."""
    from projections.reader.dictionary import (  # of this source; it needs nothing that the build has not
        TABLES,
        of_tables,
    )

    texts = [(folder / f"{name}.toml").read_bytes() for name in TABLES]
    keep(folder / "dictionary.json", b"".join(texts), of_tables(*(tomllib.loads(text.decode()) for text in texts)))


def keep(path: Path, text: bytes, data: object) -> None:
    """Write what was made of a text."""
    made = {"of": hashlib.sha256(text).hexdigest(), "data": data}
    path.write_text(json.dumps(made, ensure_ascii=False, separators=(",", ":")), "utf-8")


class Copies(BuildHookInterface):  # type: ignore[type-arg, misc, unused-ignore]  # untyped where hatchling is not installed
    """The step of the build, of a wheel and of an editable installation."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 – hatchling's signature
        """Write all copies."""
        for path in Path(self.root, "projections").rglob("*.toml"):
            copy(path)
        sys.path.insert(0, self.root)
        dictionary(Path(self.root, "projections", "reader", "lexicon"))
