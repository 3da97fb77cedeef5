"""Files of other tools, as parties: encounters, and stat blocks."""

import json
from collections.abc import Sequence

from encounterlog.lineups import encounters
from encounterlog.lineups.encounters import FOES, HEROES, MOST, Found, Roll
from encounterlog.lineups.parties import Member, Party
from encounterlog.lineups.stat_blocks import reading
from encounterlog.lineups.stat_blocks.block import Block
from encounterlog.lineups.stat_blocks.sheets import sheet_of


def in_json(text: str, name: str, edition: str, count: int = 1) -> Found:
    """Return an encounter of Improved Initiative, or stat blocks; raise ValueError with the path of the fault."""
    try:
        given = json.loads(text)
        if isinstance(given, dict) and "Combatants" in given:
            check_single(count)
            return encounters.improved_initiative(given, edition)
        return _party(reading.in_json(given), (), name, edition, count)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def in_note(text: str, name: str, roll: Roll, edition: str, count: int = 1) -> Found:
    """Return the encounter of a note or block, or its stat blocks; raise ValueError with the path of the fault."""
    if not encounters.has_block(text) and reading.is_note(text, encounters.in_yaml):
        return _party(*reading.in_note(text, encounters.in_yaml), name, edition, count)
    check_single(count)
    blocks, wrong = reading.in_note(text, encounters.in_yaml) if reading.has_fence(text) else ([], [])
    known, unknown = _known(blocks, edition)
    found = encounters.obsidian(text, name, roll, {one.name.casefold(): one for one in known}, edition)
    return found._replace(left_out=[*found.left_out, *wrong, *unknown])


def _party(blocks: Sequence[Block], wrong: Sequence[str], name: str, edition: str, count: int) -> Found:
    """Return stat blocks as a party, so many of each: all, with the faults of others, or those of a name."""
    wanted = [one for one in blocks if not name or one.name.casefold() == name.casefold()]
    if not wanted:
        named = ", ".join(one.name[:40] for one in blocks[:10])
        also = f"; and one is wrong: {wrong[0]}" if wrong else ""
        more = " …" if len(blocks) > 10 else ""
        raise ValueError(f"no stat block is called {name[:40]}; there are: {named}{more}{also}")
    if not 1 <= count <= MOST:
        raise ValueError(f"{count} of a kind cannot join, 1 to {MOST}")
    known, unknown = _known(wanted, edition)
    if not known:
        raise ValueError(unknown[0])
    left_out = [*([] if name else wrong), *unknown]
    members = []
    for one in known:
        sheet, others = sheet_of(one, edition)
        left_out += others
        members.append(Member(name=one.name, side=HEROES if one.played else None, count=count, sheet=sheet))
    return Found(Party(side=FOES, member=tuple(members)), [], left_out)


def _known(blocks: Sequence[Block], edition: str) -> tuple[list[Block], list[str]]:
    """Return the stat blocks of which a sheet can be made, and why none can be made of the others."""
    known: list[Block] = []
    unknown: list[str] = []
    for one in blocks:
        try:
            sheet_of(one, edition)
        except ValueError as error:
            unknown.append(str(error))
        else:
            known.append(one)
    return known, unknown


def check_single(count: int, what: str = "an encounter, which says itself how many there are") -> None:
    """Raise ValueError if several are wanted of something that is no stat block."""
    if count != 1:
        raise ValueError(f"*{count} is for a stat block, and this is {what}")
