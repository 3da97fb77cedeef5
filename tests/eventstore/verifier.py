"""Checks an encounter log by what FORMAT.md says and shares no code with the project: python verifier.py FILE."""

import hashlib
import json
import re
import sys
import unicodedata
from datetime import datetime
from pathlib import Path

LINE = re.compile(
    r'(?P<head>\{"seq":(?P<seq>\d+),"at":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z","by":TEXT(?:,"key":TEXT)?'
    r'(?:,"batch":\[(?P<place>\d+),(?P<size>\d+)\])?(?:,"secret":true)?,"digest":"(?P<digest>HASH)")'
    r'(?:,(?P<body>"event":\{.*\},"salt":"[0-9a-f]{32}"))?,"hash":"(?P<hash>HASH)"\}'.replace(
        "TEXT", r'"(?:[^"\\]|\\.)+"'
    ).replace("HASH", "[0-9a-f]{64}"),
    re.ASCII,
)


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def need(truth: object, why: str) -> None:
    if not truth:
        raise ValueError(why)


def strict(value: object, depth: int = 0) -> None:
    need(depth <= 32 or not isinstance(value, list | dict), "nested too deeply")
    need(value is not None and not isinstance(value, float), "null or a fraction")
    need(not isinstance(value, int) or abs(value) < 2**53, "a number too large")
    need(not isinstance(value, str) or unicodedata.is_normalized("NFC", value), "text not in normal form C")
    for each in value if isinstance(value, list) else [*value, *value.values()] if isinstance(value, dict) else ():
        strict(each, depth + 1)


def first_fault(data: bytes) -> tuple[int, str]:
    """Return number and reason of the first bad line, or 0 and the head of the log."""
    seq, previous, batch = 0, sha256("encounterlog 1"), (0, 0)
    lines = data.split(b"\n")
    try:
        for raw in lines if lines[-1] else lines[:-1]:
            need(len(raw) < 1 << 20, "too long")
            found = LINE.fullmatch(text := raw.decode())
            need(found is not None, "not in the form of a record")
            assert found is not None
            value = json.loads(text)
            strict(value)
            need(json.dumps(value, ensure_ascii=False, separators=(",", ":")) == text, "not canonical, or a key twice")
            need(max(len(value["by"]), len(value.get("key", ""))) <= 120, "by or key too long")
            datetime.fromisoformat(value["at"])
            need(value["seq"] == seq + 1, "a line is missing, doubled or moved")
            need(not found["body"] or sha256(found["body"]) == found["digest"], "the digest does not match")
            need(sha256(previous + found["head"]) == found["hash"], "the chain breaks")
            place, size = map(int, (found["place"] or 1, found["size"] or 1))
            need((place, size) == (batch[0] + 1, batch[1] or size) and place <= size <= 10_000, "a batch breaks off")
            need(not found["size"] or size > 1, "a batch of one")
            event = value.get("event", {})
            need((event.get("type") == "encounter_opened") == (seq == 0), "the opening stands first and only there")
            need(seq or (event.get("format") == 1 and "secret" not in value), "not of format 1, or a secret opening")
            seq, previous, batch = seq + 1, found["hash"], (0, 0) if place == size else (place, size)
        need(seq, "empty")
        need(not batch[0], "cut off")
    except (ValueError, RecursionError) as error:
        return seq + 1, str(error)
    return 0, f"{seq}:{previous}"


if __name__ == "__main__":
    line, says = first_fault(Path(sys.argv[1]).read_bytes())
    sys.stdout.write(f"line {line}: {says}\n" if line else f"{says}\n")
    sys.exit(1 if line else 0)
