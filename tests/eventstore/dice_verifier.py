"""Checks the dice of an encounter log by what FORMAT.md says and shares no code with the project: python dice_verifier.py FILE."""

import fileinput
import hashlib
import hmac
import json
import re
from collections.abc import Iterator
from typing import Any


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


def complaints(lines: list[str]) -> Iterator[str]:  # noqa: C901 – in one piece it is short
    """Yield what is wrong: the record and a word for it."""
    records = {(record := json.loads(line))["seq"]: record for line in lines}
    events = {seq: record.get("event") for seq, record in records.items()}
    chains, words, used, withheld = dict[bool, tuple[bytes, int, int]](), dict[str, int](), set[int](), 0
    for seq, event in events.items():
        kind, hidden = (event or {}).get("type"), bool((event or {}).get("hidden"))
        withheld += event is None
        if kind == "dice_committed":
            if hidden in chains and chains[hidden][1] < chains[hidden][2]:
                yield f"{seq} second-chain"
            chains[hidden] = (bytes.fromhex(event["link"]), 0, event.get("length", 10_000))
        elif kind == "dice_drawn":
            append = seq - records[seq].get("batch", [1])[0]
            if words.setdefault(event["word"], append) != append:
                yield f"{seq} old-word"
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
            count, sides = re.findall(r"(?ai)(\d*)d(\d+)", event["notation"].replace("%", "100"))[0]
            target = event["event"] + (seq if event["event"] < 0 else 0)
            shown = (
                one for one in shown_by(events[target]) if one["notation"] == event["notation"] and id(one) not in used
            )
            used.add(id(found := next(shown, None)))
            if found is None and events[target] is not None:
                yield f"{seq} not-used"
            if found is not None and found["faces"] != faces(link, number, event["word"], int(sides), int(count or 1)):
                yield f"{seq} wrong"


if __name__ == "__main__":
    raise SystemExit("\n".join(complaints([*fileinput.input(encoding="utf-8")])) or 0)  # noqa: SIM115 – it ends here
