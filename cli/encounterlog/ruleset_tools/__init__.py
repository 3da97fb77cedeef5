"""What a proof of the rule lab is asked, by entry points; and a new distribution with a ruleset: the files of `template/`, with another
key in the place of new-game.

Python files in it end in .txt as well, so that nothing imports them.
"""

import os
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Any

from encounterlog.errors import Refused
from encounterlog.installed import Formats
from encounterlog.places.replacing import write_text
from projections.rulesets import keys

TEMPLATE = Path(__file__).with_name("template")
KEY = r"[a-z][a-z0-9]*(-[a-z0-9]+)*"
LONGEST = 40  # the most characters of a key


INSTALLED = Formats(
    "encounterlog.proofs",
    FunctionType,
    {},
    dict.fromkeys(("unnoticed", "places", "reasons", "golden"), "pip install ./cli/plugins/encounterlog-rulelab"),
    called="proof",
)
"""Every proof by its name: a function of the key of a ruleset and of what is asked, to a page with its data and lines."""


@dataclass(frozen=True)
class Asked:
    """The settings of a proof: the folders of whole encounters and of golden pages, the way to try places, and the function that shows
    its progress.
    """

    encounters: Path | None = None
    golden: Path | None = None
    plays: bool = False
    equivalent: Path | None = None
    sample: int | None = None
    seed: int = 0
    jobs: int = 0
    progress: Callable[[str], None] = lambda _: None


def start_distribution(key: str, folder: Path | None) -> tuple[dict[str, Any], list[str]]:
    """Write the distribution of a new ruleset into a folder, by default named like it; return data and lines about it.

    Raises Refused for a key that is malformed or taken, or whose package would hide one of Python or of the program.
    """
    if not re.fullmatch(KEY, key) or len(key) > LONGEST:
        hint = "it has small letters, digits and dashes: harbour-watch"
        raise Refused("usage", f"{key[:60]!r} is no key of a ruleset", hint)
    if key in keys():
        raise Refused("usage", f"there is a ruleset {key} already", "choose another key")
    package = key.replace("-", "_")
    if package in {*sys.stdlib_module_names, "eventstore", "projections", "encounterlog", "tests"}:
        raise Refused("usage", f"a package {package} would hide the one of that name", "choose another key")
    target = folder or Path(key)
    if os.path.lexists(target) and (not target.is_dir() or any(target.iterdir())):
        raise Refused("not-written", f"{target} is there already, and not empty", "name another folder after the key")
    written = []
    for name, text in template_files(key):
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, text)
        written.append(str(path))
    lines = [*written, "", f"cd {target} && pip install -e '.[test]' && pytest", f"encounter rules {key} --run"]
    return {"ruleset": key, "folder": str(target), "files": written}, lines


def template_files(key: str) -> Iterator[tuple[str, str]]:
    """Yield the files of a distribution with this key: the place of each in its folder, and its text."""
    for path in sorted(path for path in TEMPLATE.rglob("*") if path.is_file() and "__pycache__" not in path.parts):
        name = path.relative_to(TEMPLATE).as_posix().removesuffix(".txt").replace("package/", "new_game/", 1)
        yield _rename(name, key), _rename(path.read_text("utf-8"), key)


def _rename(text: str, key: str) -> str:
    title, package = " ".join(word.capitalize() for word in key.split("-")), key.replace("-", "_")
    names = {"new-game": key, "new_game": package, "NewGame": title.replace(" ", ""), "New Game": title}
    return re.sub("|".join(names), lambda found: names[found[0]], text)
