"""Importers of other programs' recordings: each turns a source into facts.

A new one needs a module here with a function `read` from a path to a `Transcript` (transcript.py), and a row below; one of
another distribution has its row, an `ImporterEntry`, as an entry point of the group `encounterlog.importers`.
It reads its source by `read_lines` (sources.py), which keeps memory bounded. A source that is a log itself becomes a `Copy`
instead.
"""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from encounterlog.installed import Formats

if TYPE_CHECKING:
    from pathlib import Path

    from encounterlog.importers.transcript import Transcript
    from eventstore.copying import Copy


ANY = ("*",)
"""The games of an importer that writes for every ruleset that says how its logs take a recording, by default for plain."""


class ImporterEntry(NamedTuple):
    """An importer's module, its input, whether it can keep people's talk, and whether one source is a folder. `games` are the
    rulesets for which it can write the log, the default first, or `ANY` that takes recordings; () if the source names it.
    `mapped`: the lines mean what a mapping file says, which may name any ruleset.
    """

    module: str
    says: str
    talks: bool = False
    folder: bool = False
    games: tuple[str, ...] = ()
    mapped: bool = False


IMPORTERS = Formats(
    "encounterlog.importers",
    ImporterEntry,
    {
        "foundry": ImporterEntry(
            "encounterlog.importers.foundry",
            "the folder of a Foundry VTT world: data/*.db up to version 10, from 11 on its documents unpacked as JSON files",
            talks=True,
            folder=True,
            games=ANY,
        ),
        "events": ImporterEntry(
            "encounterlog.importers.mapped",
            "events of your own engine or tool, as JSON lines; --map FILE maps each kind of event to facts, in TOML",
            mapped=True,
        ),
        "jsonl": ImporterEntry(
            "encounterlog.importers.jsonl",
            "another log, also gzipped, or - for standard input: the same log under a new name, verified, byte for byte",
        ),
    },
    elsewhere={"fireball": "pip install ./cli/plugins/encounterlog-avrae"},
)
"""Every importer by the name of the format that it reads; those of other distributions by the entry points of this group."""


def load_importer(
    name: str, *, talk: bool = False, ruleset: str = "", mapping: "Path | None" = None
) -> Callable[[Any], "Transcript | Copy"]:
    """Import one importer and return the function that reads a source, for a ruleset and with people's talk if these are wanted.

    `mapping` is the file that says what the lines of a source mean, for the importer that needs one.
    """
    read: Callable[..., Transcript | Copy] = import_module(IMPORTERS[name].module).read
    if mapping:
        return partial(read, mapping=mapping, ruleset=ruleset)
    wanted: dict[str, Any] = {"talk": True} if talk and IMPORTERS[name].talks else {}
    if ruleset:
        from encounterlog.importers.games import game_of  # which loads rulesets, that a list of formats does not need

        wanted["game"] = game_of(ruleset)
    return partial(read, **wanted)
