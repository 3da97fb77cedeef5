"""What the tests of interference share with others."""

import re
from collections.abc import Iterator

import httpx

AT = "2026-11-20T19:04:05.123456Z"


def masked(answer: httpx.Response) -> tuple[int, list[tuple[str, str]], str]:
    """Return an answer with placeholders for digests, hashes, salts and proposals, and for the moments of what was written just now."""
    text = re.sub(r"[0-9a-f]{64}", "HASH", answer.text)
    text = re.sub(r'"salt":"[0-9a-f]{32}"', "SALT", text)
    text = re.sub(r'"(id|proposed)": "[0-9a-f]{16}"', "PROPOSAL", text)
    text = re.sub(r"2[0-9]{3}-[0-9-]{5}T[0-9:.]{15}Z", "MOMENT", text)
    headers = [
        (name, re.sub(r"[0-9a-f]{64}", "HASH", value)) for name, value in answer.headers.items() if name != "date"
    ]
    return answer.status_code, headers, text


def followed(client: httpx.Client, records: int) -> Iterator[str]:
    """Yield the first lines of a stream."""
    with client.stream("GET", "events") as answer:
        count = 0
        for line in answer.iter_lines():
            count += line.startswith("data:")
            yield re.sub(r'"salt":"[0-9a-f]{32}"', "SALT", re.sub(r"[0-9a-f]{64}", "HASH", line))
            if count == records + 1:  # the first event only says that it begins
                return
