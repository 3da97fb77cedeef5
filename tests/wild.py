"""Reads the stat blocks of other people's files one by one, and prints how many are taken.

    python -m tests.wild FOLDER ... [--ruleset KEY] [--refused N] [--sample N] [--seed S]

A folder holds a vault of Obsidian (`.md`, with blocks between fences, or as the front matter of a note that says so) or pages of Open5e (`.json`). Each block is read by itself,
as `encounter new --foes` reads it, up to the facts by which its creature joins. For each folder it prints how many were tried, taken
whole, taken in part (hit points that are only dice), refused with a
reason, and crashed; and of those taken how many have other hit points, armour class or ability scores than the block has, as a
second reading finds them. `--refused` prints reasons with an example of each, `--sample` blocks at random beside their sheets.

The rows of docs/how-to/stat-blocks.md are these public repositories on GitHub, in the same order: open5e/open5e-api (data/v1 and data/v2, as its
interface shows them), tarvy/5e_obsidian_vault and JoelOliverMclean/dungeons-and-doggos, DarrenDV/Waterdeep-Dragon-Heist, JoaquinMe/DnD with
Frodo2412/korund-vault and FVUSTXIII/MOS.
"""

import argparse
import json
import random
import re
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from encounterlog.errors import Refused
from encounterlog.lineups import lineups
from encounterlog.log.drawn_dice import LineupDice, own_word
from encounterlog.log.opening import choices, opening, ruleset_named
from encounterlog.places.time_and_chance import roller
from eventstore.events import CombatantJoined

FENCE = re.compile(r"^(`{3,}|~{3,})statblock[ \t]*\n(.*?)(?:^\1[ \t]*$|(?=^\1statblock)|\Z)", re.MULTILINE | re.DOTALL)
FRONT = re.compile(r"\A---[ \t]*\n(.*?)^---[ \t]*$", re.MULTILINE | re.DOTALL)
REFERS = re.compile(r"^(?:monster|creature):", re.MULTILINE)
ABILITIES = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
IN_PART = re.compile(r"which are to be rolled")


class Tried(NamedTuple):
    """A block, its text, and its result: the sheet and the parts left out, or the reason of its refusal, or the traceback."""

    where: str
    text: str
    sheet: dict[str, Any] | None
    left_out: Sequence[str] = ()
    refused: str = ""
    crash: str = ""


def main() -> None:
    """Print the results of the blocks in each folder, as the command asks."""
    parser = argparse.ArgumentParser(prog="python -m tests.wild", description="Reads other people's stat blocks.")
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--ruleset", default="5e", metavar="KEY", help="default: %(default)s")
    parser.add_argument("--refused", type=int, default=0, metavar="N", help="print N reasons of each folder")
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="print N blocks that were taken")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of that chance (default: %(default)s)")
    asked = parser.parse_args()
    print(f"{'folder':<24} {'tried':>6} {'whole':>6} {'part':>6} {'refused':>7} {'crashed':>7} {'wrong':>6}")
    for folder in asked.folders:
        tried = [_tried(where, name, text, asked.ruleset) for where, name, text in _blocks(folder)]
        _print_row(folder.name, tried)
        _print_reasons(tried, asked.refused)
        taken = [one for one in tried if one.sheet is not None]
        for one in random.Random(asked.seed).sample(taken, min(asked.sample, len(taken))):
            print(f"\n==== {one.where}\n{one.text}\n----\n{json.dumps(one.sheet, ensure_ascii=False, indent=1)}")
            print("\n".join(one.left_out))


def _print_row(name: str, tried: Sequence[Tried]) -> None:
    part = sum(one.sheet is not None and any(map(IN_PART.search, one.left_out)) for one in tried)
    whole = sum(one.sheet is not None for one in tried) - part
    refused, crashed = sum(bool(one.refused) for one in tried), sum(bool(one.crash) for one in tried)
    wrong = [one for one in tried if one.sheet is not None and _differs(one)]
    print(f"{name:<24} {len(tried):6} {whole:6} {part:6} {refused:7} {crashed:7} {len(wrong):6}")
    for one in wrong[:5]:
        print(f"  wrong: {one.where}: {_differs(one)}")
    for one in [each for each in tried if each.crash][:3]:
        print(f"  crash: {one.where}\n{one.crash}")


def _print_reasons(tried: Sequence[Tried], most: int) -> None:
    """Print the reasons of refusals, the most frequent reason first, with one example each."""
    reasons = Counter(_reason(one.refused) for one in tried if one.refused)
    for reason, count in reasons.most_common(most):
        example = next(one for one in tried if one.refused and _reason(one.refused) == reason)
        print(f"  {count:5} {reason}\n        {example.where}: {example.refused[:160]}")


def _reason(refused: str) -> str:
    """Return the kind of a reason: without names, numbers and places."""
    return re.sub(r"\d+", "N", re.sub(r"^.*?: ", "", refused))[:70]


def _blocks(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Yield the place of each block, a name whose end says its form, and its text."""
    for path in sorted(folder.rglob("*")):
        where = str(path.relative_to(folder))
        if where.startswith("."):
            continue  # settings of a program, such as .obsidian
        if path.suffix == ".md":
            text = path.read_text("utf-8-sig", errors="replace").replace("\r\n", "\n")
            front = FRONT.match(text)
            note = f"---\n{front[1]}---\n" if front else ""
            fences = [*FENCE.finditer(text)]
            for place, match in enumerate(fences):
                fence = f"```statblock\n{match[2].rstrip()}\n```\n"
                yield f"{where}#{place}", "block.md", note + fence if REFERS.search(match[2]) else fence
            if front and not fences and re.search(r"^statblock: *true", front[1], re.MULTILINE):
                yield where, "block.md", note
        elif path.suffix == ".json":
            given = json.loads(path.read_text("utf-8-sig"))
            for each in given if isinstance(given, list) else given.get("results", [given]):
                yield f"{where}#{each.get('name')}", "block.json", json.dumps(each, ensure_ascii=False)


def _tried(where: str, name: str, text: str, key: str) -> Tried:
    rules = ruleset_named(key)
    event = opening(rules, "Wild", choices(rules, ()))
    try:
        found, _ = lineups.of_text(
            (event,), name, text, "foes", 1, LineupDice("wild.jsonl", (), roller("wild"), own_word("wild"))
        )
    except Refused as error:
        return Tried(where, text, None, refused=error.says)
    except Exception:
        return Tried(where, text, None, crash=traceback.format_exc(limit=-4))
    joined = [each.event for each in found.joining if isinstance(each.event, CombatantJoined)]
    return Tried(where, text, dict(joined[0].sheet), found.left_out)


def _differs(one: Tried) -> str:
    """Return the first value of a sheet that differs from a second, simple reading of the block; "" for none."""
    sheet = one.sheet or {}
    for field, said in _again(one.text):
        if said is not None and field in sheet and sheet[field] != said:
            return f"{field} is {sheet[field]}, and the block says {said}"
    return ""


def _again(text: str) -> Iterator[tuple[str, Any]]:
    """Yield fields of a block as a second reading finds them: the first number of a line, or of a field in JSON."""
    if text.startswith("{"):
        given = json.loads(text)
        scores = given.get("ability_scores") or {name: given.get(name) for name in ABILITIES}
        yield "hp", given["hit_points"]
        yield "ac", given["armor_class"]
        yield "abilities", {name: score for name, score in scores.items() if score is not None} or None
        return
    for field in ("hp", "ac"):
        found = re.search(rf'^"?{field}"?:\s*(?:!!int\s*)?"?(\d+)', text, re.MULTILINE | re.IGNORECASE)
        yield field, int(found[1]) if found else None
    found = re.search(r'^"?stats"?:((?:\s*-?\s*(?:!!int\s*)?[\["]*\d+["\],]*){6})\s*$', text, re.MULTILINE)
    yield "abilities", dict(zip(ABILITIES, map(int, re.findall(r"\d+", found[1])), strict=False)) if found else None


if __name__ == "__main__":
    main()
