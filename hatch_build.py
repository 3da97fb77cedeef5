"""The build: beside each TOML file of the projections it puts a copy in JSON, which the program reads sooner (projections/toml.py), the tables
of sentences compiled.
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


def sentences(path: Path, irregular: Path) -> None:
    """Write the compiled copy of a table of sentences."""
    from projections.language.compiling import compiled  # of this source; it needs nothing that the build has not

    text, verbs = path.read_bytes(), irregular.read_bytes()
    keep(path.with_suffix(".json"), text + verbs, compiled(tomllib.loads(text.decode()), tomllib.loads(verbs.decode())))


def keep(path: Path, text: bytes, data: object) -> None:
    """Write what was made of a text."""
    made = {"of": hashlib.sha256(text).hexdigest(), "data": data}
    path.write_text(json.dumps(made, ensure_ascii=False, separators=(",", ":")), "utf-8")


class Copies(BuildHookInterface):  # type: ignore[type-arg, misc, unused-ignore]  # untyped where hatchling is not installed
    """The step of the build, of a wheel and of an editable installation."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 – hatchling's signature
        """Write all copies."""
        sys.path.insert(0, self.root)
        folder = Path(self.root, "projections")
        for path in folder.rglob("*.toml"):
            if path.name == "sentences.toml":
                sentences(path, folder / "language" / "inflected.toml")
            else:
                copy(path)
