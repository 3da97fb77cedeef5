"""The proof that signatures give about a log, in words."""

from encounterlog.signing.signatures import Proof, Shows

WORDS: dict[Shows, str] = {
    "proven": "proven, records 1 to {seq} were signed by the owner of the key",
    "cut off": "cut off, record {seq} was signed and is no longer there",
    "rewritten": "rewritten, record {seq} is not the one that was signed",
    "not reached": "not reached, record {seq} comes after the fault",
    "another log": "signs another log",
    "another key": "by another key, not looked into",
    "not genuine": "not genuine, the owner of the key did not sign this line",
    "no signature": "is no signature",
}
"""The words for the result of a signature's line."""


def page(proof: Proof, records: int) -> list[str]:
    """Return what each signature proves about a log with this many intact records."""
    lines = [f"  line {one.line}: {WORDS[one.shows].format(seq=one.seq)}" for one in proof.signatures]
    last = max((one.seq for one in proof.signatures if one.shows == "proven"), default=0)
    if not last:
        lines.append("  nothing is proven by this key")
    elif last < records:
        lines.append(f"  the records after {last} are not signed")
    return [f"signatures by {proof.key}", *lines]
