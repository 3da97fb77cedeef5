"""Checks the dice of an encounter log by what FORMAT.md says and shares no code with the project: python dice_verifier.py FILE."""

import hashlib
import hmac
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

DICE = re.compile(r"(\d*)d(\d+|%)", re.IGNORECASE | re.ASCII)


def faces(link: bytes, number: int, word: str, sides: int, count: int) -> list[int]:
    shown, block, limit = list[int](), 0, 2**32 // sides * sides
    while len(shown) < count:
        drawn = hmac.new(link, f"{number}:{block}:{word}".encode(), hashlib.sha256).digest()
        values = [int.from_bytes(drawn[at : at + 4], "big") for at in range(0, 32, 4)]
        shown += [1 + value % sides for value in values if value < limit]
        block += 1
    return shown[:count]


def shown_by(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict) and {"notation", "faces"} <= value.keys():
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from shown_by(each)


def complaints(lines: list[str]) -> Iterator[str]:
    """Yield what is wrong: the record and a word for it."""
    events = {(record := json.loads(line))["seq"]: record.get("event") for line in lines}
    chains, used, withheld = dict[bool, tuple[bytes, int, int]](), set[int](), 0
    for seq, event in events.items():
        kind, hidden = (event or {}).get("type"), bool((event or {}).get("hidden"))
        withheld += event is None
        if kind == "dice_committed":
            if hidden in chains and chains[hidden][1] < chains[hidden][2]:
                yield f"{seq} second-chain"
            chains[hidden] = (bytes.fromhex(event["link"]), 0, event.get("length", 10_000))
        elif kind == "dice_drawn":
            last, before, length = chains[hidden]
            number, link = event["number"], (earlier := bytes.fromhex(event["link"]))
            for _ in range(number - before):
                earlier = hashlib.sha256(earlier).digest()
            if number <= before or number > length or earlier != last:
                yield f"{seq} {'used-twice' if number <= before else 'other-secret'}"
                continue
            if number > before + 1 and not (hidden and withheld >= number - before - 1):
                yield f"{seq} left-out"
            chains[hidden] = (link, number, length)
            count, sides = DICE.findall(event["notation"])[0]
            target = event["event"] + (seq if event["event"] < 0 else 0)
            shown = (
                one for one in shown_by(events[target]) if one["notation"] == event["notation"] and id(one) not in used
            )
            if (found := next(shown, None)) is None:
                yield from () if events[target] is None else (f"{seq} not-used",)
                continue
            used.add(id(found))
            if found["faces"] != faces(link, number, event["word"], int(sides.replace("%", "100")), int(count or 1)):
                yield f"{seq} wrong"


if __name__ == "__main__":
    found = list(complaints(Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()))
    sys.exit("\n".join(found) or 0)
