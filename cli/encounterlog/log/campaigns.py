"""A campaign's own records: a folder of TOML and JSON, read and checked, and found again for a log that was opened on it.

A log has the name of its campaign and the hash of the folder's contents. The folder stands beside the log, or
ENCOUNTER_CAMPAIGN names it; one with other contents is not used.
"""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from encounterlog.errors import Refused
from eventstore.paths import AnyPath
from eventstore.wording import visible
from projections.ruleset.documents import LONGEST, NAME, OPTION, Documents, Placed

if TYPE_CHECKING:
    from projections.ruleset.documents import Campaign

VARIABLE = "ENCOUNTER_CAMPAIGN"
LARGEST = 1 << 20  # the largest file of a campaign, in bytes
MOST_FILES = 200
SUFFIXES = (".toml", ".json", ".jsonl")
FOLDER = "a campaign is a folder of TOML and JSON files"


def read_campaign(documents: Documents, folder: Path) -> "Campaign":
    """Return the campaign in a folder; raise Refused with the file and the place of the fault."""
    name = visible(folder.name[:60])
    kinds = documents.kinds
    found: dict[str, list[Placed]] = {kind: [] for kind in kinds}
    try:
        if not folder.is_dir():
            raise Refused("usage", f"{visible(str(folder)[:120])} is no folder", FOLDER)
        for file in _campaign_files(folder):
            called = visible(file.name[:60])
            try:
                for kind, place, said in _parse_records(file, kinds):
                    found[kind].append((f"{called}: {place}", said))
            except OSError as error:
                raise ValueError(f"{called}: {(error.strerror or 'cannot be read').lower()}") from None
            except RecursionError:
                raise ValueError(f"{called}: it is nested too deeply") from None
            except ValueError as error:
                raise ValueError(f"{called}: {visible(str(error)[:200])}") from None
        campaign = documents.parse_campaign(folder.name, found)
    except OSError as error:
        says = (error.strerror or str(error)).lower()
        raise Refused("refused", f"the folder {visible(str(folder)[:120])} cannot be read: {says}", FOLDER) from None
    except ValueError as error:
        raise Refused("refused", f"campaign {name}: {error}", documents.example) from None
    if not any(campaign.records().values()):
        nothing = " and ".join(f"no {kind}" for kind in kinds)
        raise Refused("refused", f"campaign {name} holds {nothing}", f"its files end in {', '.join(SUFFIXES)}")
    return campaign


def _campaign_files(folder: Path) -> list[Path]:
    """Return the files of a folder; raise ValueError for links, which may lead anywhere, and for too many."""
    found = sorted(each for each in folder.iterdir() if each.suffix.lower() in SUFFIXES)
    if len(found) > MOST_FILES:
        raise ValueError(f"it has more than {MOST_FILES} files")
    for each in found:
        if each.is_symlink() or not each.is_file():
            raise ValueError(f"{visible(each.name[:60])} is no file of its own")
    return found


def read_text(file: Path) -> str:
    """Return the text of a file; raise ValueError for one that is too large, or no UTF-8."""
    with file.open("rb") as opened:
        data = opened.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise ValueError(f"it is larger than {LARGEST:,} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"byte {error.start + 1} is not UTF-8") from None


def _parse_records(file: Path, kinds: tuple[str, ...]) -> Iterator[tuple[str, str, object]]:
    text = read_text(file)
    if long := re.search(r"\d{17}", text):  # more digits than any number of a stat block has
        at = text.count("\n", 0, long.start()) + 1
        raise ValueError(f"line {at} has too large a number, or a text with as many digits: at most 16 in a row")
    if file.suffix.lower() == ".jsonl":
        kind = file.stem.lower().removesuffix("s")
        if kind not in kinds:
            raise ValueError(f"a file of lines is called {' or '.join(f'{each}s.jsonl' for each in kinds)}")
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                yield kind, f"line {number}", _parse_json(line, number)
        return
    said: Any = msgspec.toml.decode(text) if file.suffix.lower() == ".toml" else _parse_json(text, 1)
    if not isinstance(said, dict) or not said or said.keys() - {*kinds}:
        others = [visible(str(each)[:40]) for each in said if each not in kinds] if isinstance(said, dict) else []
        has = ", ".join(others[:3]) or "something else"
        raise ValueError(f"it has {has}, where it can have the lists {' and '.join(kinds)}")
    for kind, those in said.items():
        if not isinstance(those, list):
            raise ValueError(f"{kind} is no list: each begins with [[{kind}]] in TOML")  # noqa: TRY004 – as all faults here
        yield from ((kind, f"{kind} {number}", each) for number, each in enumerate(those, 1))


def _parse_json(text: str, first: int) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_refuse_duplicate_names)
    except json.JSONDecodeError as error:
        raise ValueError(f"line {first + error.lineno - 1}, column {error.colno}: {error.msg.lower()}") from None


def _refuse_duplicate_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands twice in an object")
    return found


def campaign_in_folder(documents: Documents, folder: str) -> "Campaign":
    """Return the campaign in a typed folder, named for the folder, also if that was typed as a dot or a link; raise Refused."""
    if not folder:
        raise Refused("usage", "no folder is named", FOLDER)
    return read_campaign(documents, _resolve_folder(Path(folder)))


def _resolve_folder(folder: Path) -> Path:
    try:
        return folder.resolve()
    except (OSError, RuntimeError):  # a name that is too long, links in a circle: reading it gives the reason
        return folder


def campaign_option(documents: Documents, folder: str) -> dict[str, str]:
    """Return the option that names a campaign's folder, and make its records known; raise Refused."""
    found = campaign_in_folder(documents, folder)
    documents.add_campaign(found)
    return {OPTION: found.said}


def register_campaign(documents: Documents, said: str, beside: AnyPath | None) -> str:
    """Register the campaign that a log was opened on, never a path, but a folder beside it; return the reason if that fails, "" otherwise."""
    if documents.is_known(said):
        return ""
    name, _, _ = said.partition(" ")
    if not re.fullmatch(NAME, name) or len(name) > LONGEST:
        return f"the campaign of this log, {visible(name[:60])}, is no name of one; nothing is read for it"
    given = os.environ.get(VARIABLE, "")
    folders = [Path(given), _resolve_folder(Path(given))] if given else []
    folders += [Path(beside) / name] if beside else []
    complaint, stay = "", "the facts in the log stay"
    for folder in folders:
        if folder.name == name and os.path.lexists(folder):
            try:
                found = read_campaign(documents, folder)
            except Refused as refused:
                complaint = complaint or f"{refused.says}; its names are not known, and {stay}"
                continue
            if found.said == said:
                documents.add_campaign(found)
                return ""
            digests = f"sha256 {said[-64:][:12]}…, now {found.said[-64:][:12]}…"
            changed = f"the campaign {name} has changed since the log was opened ({digests})"
            complaint = complaint or f"{changed}: its names are not known until it is as it was; {stay}"
    where = f"beside the log, nor does {VARIABLE} name it" if beside else f"here: {VARIABLE} can name its folder"
    return complaint or f"the campaign {name} is not {where}; its names are not known, and {stay}"
