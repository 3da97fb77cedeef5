"""The build: beside each TOML file of the projections it puts a copy in JSON, which the program reads sooner (projections/toml.py)."""

import hashlib
import json
import tomllib
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def copy(path: Path) -> None:
    """Write the copy of a TOML file; one with what JSON cannot say, such as dates, stays without."""
    text = path.read_bytes()
    data = {"of": hashlib.sha256(text).hexdigest(), "data": tomllib.loads(text.decode())}
    path.with_suffix(".json").write_text(json.dumps(data, ensure_ascii=False, separators=(",", ":")), "utf-8")


class Copies(BuildHookInterface):  # type: ignore[type-arg, misc, unused-ignore]  # untyped where hatchling is not installed
    """The step of the build, of a wheel and of an editable installation."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 – hatchling's signature
        """Write all copies."""
        for path in Path(self.root, "projections").rglob("*.toml"):
            copy(path)
